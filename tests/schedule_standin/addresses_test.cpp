// SPDX-License-Identifier: Apache-2.0
// cuGetProcAddress: the program gets the stand-in's functions, of the version that the driver chose.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>

#include "support.h"

namespace genesys::schedule::standin::tests {
namespace {

void* in_fake(const char* name) {
  void* const library = ::dlopen(GENESYS_FAKE_DRIVER, RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL);
  return ::dlsym(library, name);
}

// The driver chooses `name` whatever is asked for.
unsigned choose(const char* name, const arguments& given) {
  *reinterpret_cast<void**>(given[1]) = in_fake(name);
  return 0;
}

void* asked(const char* symbol, const char* chosen, std::uint64_t flags, bool by_old_function) {
  for (const driver_function each : {driver_function::cuGetProcAddress, driver_function::cuGetProcAddress_v2}) {
    on(each, [chosen](const arguments& given) { return choose(chosen, given); });
  }
  void* result = nullptr;
  CUdriverProcAddressQueryResult status{};
  const CUresult got = by_old_function ? PROGRAM(cuGetProcAddress)(symbol, &result, 13000, flags)
                                       : PROGRAM(cuGetProcAddress_v2)(symbol, &result, 13000, flags, &status);
  EXPECT_EQ(got, CUDA_SUCCESS);
  return result;
}

TEST(Addresses, OfTheVersionThatTheDriverChose) {
  reset();
  for (const bool by_old_function : {false, true}) {
    EXPECT_EQ(asked("cuMemAlloc", "cuMemAlloc_v2", 0, by_old_function),
              exported_address(driver_function::cuMemAlloc_v2));
    EXPECT_EQ(asked("cuMemAlloc", "cuMemAlloc", 0, by_old_function), exported_address(driver_function::cuMemAlloc));
    EXPECT_EQ(
        asked("cuLaunchKernel", "cuLaunchKernel_ptsz", CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, by_old_function),
        exported_address(driver_function::cuLaunchKernel_ptsz));
    EXPECT_EQ(asked("cuGetProcAddress", "cuGetProcAddress_v2", 0, by_old_function),
              exported_address(driver_function::cuGetProcAddress_v2));
  }
}

TEST(Addresses, OfEachFunction) {
  reset();
  for (unsigned number = 0; number < functions_count; ++number) {
    const driver_function which = static_cast<driver_function>(number);
    EXPECT_EQ(asked(functions[number].name, functions[number].name, 0, false), exported_address(which))
        << functions[number].name;
  }
}

TEST(Addresses, OthersAreTheDriversOwn) {
  reset();
  EXPECT_EQ(asked("cuGLGetDevices", "genesys_fake_driver", 0, false), in_fake("genesys_fake_driver"));
}

TEST(Addresses, AnErrorIsPassedOn) {
  reset();
  fake().result = CUDA_ERROR_NOT_FOUND;
  void* result = nullptr;
  EXPECT_EQ(PROGRAM(cuGetProcAddress_v2)("cuNothing", &result, 13000, 0, nullptr), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(result, nullptr);
}

}  // namespace
}  // namespace genesys::schedule::standin::tests
