// SPDX-License-Identifier: Apache-2.0
// The list of allocations, alone and behind the driver's functions.
#include <gtest/gtest.h>

#include "schedule/standin/program_memory.h"
#include "support.h"

namespace genesys::schedule::standin::tests {
namespace {

using kind = allocation::kind;

std::string text_of(const allocation_list& list) {
  std::string result;
  for (const allocation& each : list.copy()) {
    const char names[] = {'d', 'm', 'h', 'v'};
    result += (result.empty() ? "" : " ") + std::to_string(each.base) + "+" + std::to_string(each.bytes) +
              names[static_cast<int>(each.what)];
  }
  return result;
}

TEST(Allocations, SortedAndWithoutOverlap) {
  allocation_list list;
  list.add(1000, 100, kind::device);
  list.add(200, 50, kind::managed);
  list.add(0, 10, kind::device);
  list.add(500, 0, kind::device);
  EXPECT_EQ(text_of(list), "200+50m 1000+100d");
  list.add(1050, 10, kind::host);  // the driver gives these addresses out again: the older one has ended
  EXPECT_EQ(text_of(list), "200+50m 1050+10h");
  EXPECT_TRUE(list.holds(200) && list.holds(249) && !list.holds(250) && !list.holds(199) && list.holds(1059));
  EXPECT_TRUE(list.remove(200));
  EXPECT_FALSE(list.remove(1055));  // not the beginning of one
  EXPECT_EQ(text_of(list), "1050+10h");
  list.clear();
  EXPECT_EQ(text_of(list), "");
}

TEST(Allocations, MappedPiecesThatTouchAreOne) {
  allocation_list list;
  list.add_mapped(1000, 100);
  list.add_mapped(1200, 100);
  EXPECT_EQ(text_of(list), "1000+100d 1200+100d");
  list.add_mapped(1100, 100);
  EXPECT_EQ(text_of(list), "1000+300d");
  list.remove_mapped(1100, 50);
  EXPECT_EQ(text_of(list), "1000+100d 1150+150d");
  list.add(1300, 10, kind::device);  // touches, but is another allocation
  EXPECT_EQ(text_of(list), "1000+100d 1150+150d 1300+10d");
  list.remove_mapped(0, 2000);
  EXPECT_EQ(text_of(list), "");
}

TEST(Allocations, VariablesEndWithModules) {
  allocation_list list;
  list.add(100, 4, kind::variable);
  list.add(200, 4, kind::device);
  const std::uint64_t before = list.version();
  list.remove_variables();
  EXPECT_EQ(text_of(list), "200+4d");
  EXPECT_NE(list.version(), before);
}

// A behaviour that gives `base` to the pointer that is the first argument.
behaviour gives(std::uint64_t base) {
  return [base](const arguments& given) {
    *reinterpret_cast<std::uint64_t*>(given[0]) = base;
    return 0U;
  };
}

TEST(Allocations, OfTheDriversFunctions) {
  reset();
  allocation_list& list = program_memory();
  list.clear();
  using enum driver_function;
  on(cuMemAlloc_v2, gives(1000));
  on(cuMemAllocManaged, gives(2000));
  on(cuMemAllocAsync, gives(3000));
  on(cuMemAllocAsync_ptsz, gives(4000));
  on(cuMemAllocFromPoolAsync, gives(5000));
  on(cuMemHostAlloc, gives(6000));
  on(cuMemAllocHost_v2, gives(7000));
  on(cuMemAllocPitch_v2, [](const arguments& given) {
    *reinterpret_cast<std::uint64_t*>(given[0]) = 8000;
    *reinterpret_cast<std::uint64_t*>(given[1]) = 64;
    return 0U;
  });
  on(cuModuleGetGlobal_v2, [](const arguments& given) {
    *reinterpret_cast<std::uint64_t*>(given[0]) = 9000;
    *reinterpret_cast<std::uint64_t*>(given[1]) = 12;
    return 0U;
  });
  CUdeviceptr base = 0;
  void* host = nullptr;
  std::size_t pitch = 0;
  PROGRAM(cuMemAlloc_v2)(&base, 10);
  EXPECT_EQ(base, 1000U);
  PROGRAM(cuMemAllocManaged)(&base, 20, 1);
  PROGRAM(cuMemAllocAsync)(&base, 30, nullptr);
  PROGRAM(cuMemAllocAsync_ptsz)(&base, 40, nullptr);
  PROGRAM(cuMemAllocFromPoolAsync)(&base, 50, nullptr, nullptr);
  PROGRAM(cuMemHostAlloc)(&host, 60, 0);
  PROGRAM(cuMemAllocHost_v2)(&host, 70);
  PROGRAM(cuMemAllocPitch_v2)(&base, &pitch, 60, 2, 4);
  PROGRAM(cuModuleGetGlobal_v2)(nullptr, nullptr, nullptr, "variable");  // the program may want neither
  PROGRAM(cuMemHostRegister_v2)(reinterpret_cast<void*>(10000), 80, 0);
  PROGRAM(cuMemMap)(11000, 100, 0, 1, 0);
  EXPECT_EQ(text_of(list),
            "1000+10d 2000+20m 3000+30d 4000+40d 5000+50d 6000+60h 7000+70h 8000+128d 9000+12v 10000+80h 11000+100d");
  PROGRAM(cuMemFree_v2)(1000);
  PROGRAM(cuMemFreeAsync)(3000, nullptr);
  PROGRAM(cuMemFreeAsync_ptsz)(4000, nullptr);
  PROGRAM(cuMemFreeHost)(reinterpret_cast<void*>(6000));
  PROGRAM(cuMemHostUnregister)(reinterpret_cast<void*>(10000));
  PROGRAM(cuMemUnmap)(11000, 100);
  PROGRAM(cuModuleUnload)(nullptr);
  EXPECT_EQ(text_of(list), "2000+20m 5000+50d 7000+70h 8000+128d");
  PROGRAM(cuDevicePrimaryCtxReset_v2)(0);
  EXPECT_EQ(text_of(list), "");
}

TEST(Allocations, MemoryThatIsMappedTwiceIsNotListed) {
  reset();
  allocation_list& list = program_memory();
  PROGRAM(cuMemMap)(50000, 100, 0, 7, 0);
  PROGRAM(cuMemMap)(60000, 100, 100, 7, 0);  // another part of it
  EXPECT_EQ(text_of(list), "50000+100d 60000+100d");
  PROGRAM(cuMemMap)(70000, 100, 50, 7, 0);
  EXPECT_EQ(text_of(list), "");
  PROGRAM(cuMemUnmap)(70000, 100);
  PROGRAM(cuMemMap)(80000, 50, 0, 8, 0);
  EXPECT_EQ(text_of(list), "80000+50d");
  PROGRAM(cuMemUnmap)(50000, 100);
  PROGRAM(cuMemUnmap)(60000, 100);
  PROGRAM(cuMemUnmap)(80000, 50);
  PROGRAM(cuMemMap)(50000, 100, 0, 7, 0);
  EXPECT_EQ(text_of(list), "50000+100d");
  PROGRAM(cuMemUnmap)(50000, 100);
}

TEST(Allocations, NoneAfterAnError) {
  reset();
  program_memory().clear();
  fake().result = CUDA_ERROR_OUT_OF_MEMORY;
  CUdeviceptr base = 5;
  EXPECT_EQ(PROGRAM(cuMemAlloc_v2)(&base, 10), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(base, 5U);
  EXPECT_EQ(text_of(program_memory()), "");
}

}  // namespace
}  // namespace genesys::schedule::standin::tests
