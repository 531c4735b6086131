// SPDX-License-Identifier: Apache-2.0
// The program's streams (stream_list.h), and copies of what a launch may write (launch_snapshot.h).
#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/standin/launch_snapshot.h"
#include "schedule/standin/stream_list.h"
#include "timed_machine.h"

namespace genesys::schedule::standin::tests {
namespace {

CUstream made_stream(unsigned flags) {
  CUstream made = nullptr;
  EXPECT_EQ(PROGRAM(cuStreamCreate)(&made, flags), CUDA_SUCCESS);
  return made;
}

// Copies for so long that a question finds the stream busy.
class busy {
 public:
  explicit busy(CUstream stream) : stream_(stream) {
    for (int i = 0; i < 300; ++i) PROGRAM(cuMemsetD8Async)(reinterpret_cast<CUdeviceptr>(bytes_), 1, 1, stream);
  }
  ~busy() { PROGRAM(cuStreamSynchronize)(stream_); }

 private:
  std::byte bytes_[1];
  const CUstream stream_;
};

// A list of its own: what other tests have left is not in it.
CUstream listed_stream(stream_list& in, unsigned flags) {
  const CUstream made = made_stream(flags);
  in.add(made, flags);
  return made;
}

TEST(Streams, WhichWaitForEachOther) {
  timed_machine machine(1);
  stream_list list;
  const CUstream one = listed_stream(list, 0), other = listed_stream(list, 0),
                 apart = listed_stream(list, CU_STREAM_NON_BLOCKING);
  EXPECT_TRUE(list.are_ordered(one, one));
  EXPECT_FALSE(list.are_ordered(one, other));
  EXPECT_TRUE(list.are_ordered(one, CU_STREAM_LEGACY));
  EXPECT_TRUE(list.are_ordered(CU_STREAM_LEGACY, other));
  EXPECT_FALSE(list.are_ordered(apart, CU_STREAM_LEGACY));
  EXPECT_FALSE(list.are_ordered(CU_STREAM_LEGACY, apart));
  EXPECT_TRUE(list.are_ordered(CU_STREAM_PER_THREAD, CU_STREAM_LEGACY));
  EXPECT_TRUE(list.are_ordered(reinterpret_cast<CUstream>(0x99990), CU_STREAM_LEGACY));  // not known
  EXPECT_FALSE(stream_list::only().are_ordered(apart, CU_STREAM_LEGACY));  // the program's call has listed it
}

TEST(Streams, WhetherTheOthersAreIdle) {
  timed_machine machine(1);
  stream_list list;
  const CUstream one = listed_stream(list, 0), other = listed_stream(list, CU_STREAM_NON_BLOCKING);
  EXPECT_TRUE(list.others_are_idle(one));
  {
    const busy work(other);
    EXPECT_FALSE(list.others_are_idle(one));
    EXPECT_TRUE(list.others_are_idle(other));
  }
  EXPECT_TRUE(list.others_are_idle(one));
  {
    const busy work(CU_STREAM_LEGACY);
    EXPECT_FALSE(list.others_are_idle(other));
  }
  machine.captured.insert(other);  // to ask it would end the capture
  const auto asked = [other] {
    const std::vector<arguments> all = calls_of(driver_function::cuStreamQuery);
    return std::count_if(all.begin(), all.end(),
                         [other](const arguments& each) { return reinterpret_cast<CUstream>(each[0]) == other; });
  };
  const auto before = asked();
  EXPECT_FALSE(list.others_are_idle(one));
  EXPECT_EQ(asked(), before);
}

TEST(Streams, AStreamThatEndsWithItsWorkIsNotForgotten) {
  timed_machine machine(1);
  stream_list list;
  const CUstream one = listed_stream(list, 0), other = listed_stream(list, 0);
  list.remove(other);
  EXPECT_TRUE(list.others_are_idle(one));
  const CUstream third = listed_stream(list, CU_STREAM_NON_BLOCKING);
  const busy work(third);
  list.remove(third);
  EXPECT_FALSE(list.others_are_idle(one));
}

TEST(Streams, AContextThatEndsMayHaveHadOthers) {
  timed_machine machine(1);
  stream_list list;
  list.clear();
  const CUstream one = listed_stream(list, 0);
  EXPECT_TRUE(list.others_are_idle(one));
  list.clear();
  EXPECT_FALSE(list.others_are_idle(one));
}

TEST(Streams, WhichFunctionsWait) {
  for (const char* name : {"cuCtxSynchronize", "cuStreamSynchronize_ptsz", "cuEventSynchronize", "cuMemcpyDtoH_v2",
                           "cuMemcpy2D_v2_ptds", "cuMemFree_v2", "cuMemFreeHost", "cuCtxDestroy_v2"}) {
    EXPECT_TRUE(waits_for_work(name)) << name;
  }
  for (const char* name : {"cuMemcpyDtoHAsync_v2", "cuMemFreeAsync", "cuEventRecord", "cuStreamQuery", "cuMemsetD8_v2",
                           "cuLaunchKernel", "cuMemcpyBatchAsync", "cuGraphLaunch", "cuTexObjectDestroy"}) {
    EXPECT_FALSE(waits_for_work(name)) << name;
  }
}

TEST(Snapshots, AreBoundedAndExact) {
  timed_machine machine(1);
  const CUstream stream = made_stream(0);
  constexpr std::uint64_t mebibyte = 1 << 20;
  launch_snapshot kept(80 * mebibyte);
  EXPECT_TRUE(kept.fits(3 * mebibyte));
  EXPECT_TRUE(kept.fits(40 * mebibyte));  // a second piece of memory
  EXPECT_FALSE(kept.fits(81 * mebibyte));
  std::vector<unsigned char> one(30 * mebibyte, 1), other(10 * mebibyte, 2);
  const auto range_of = [](const std::vector<unsigned char>& of) {
    return range{reinterpret_cast<std::uint64_t>(of.data()), of.size()};
  };
  ASSERT_TRUE(kept.store({range_of(one), range_of(other)}, stream));
  PROGRAM(cuMemsetD8Async)(range_of(one).base, 7, one.size(), stream);
  PROGRAM(cuMemsetD8Async)(range_of(other).base, 8, other.size(), stream);
  ASSERT_TRUE(kept.restore(stream));
  PROGRAM(cuStreamSynchronize)(stream);
  EXPECT_EQ(std::count(one.begin(), one.end(), 1), static_cast<std::ptrdiff_t>(one.size()));
  EXPECT_EQ(std::count(other.begin(), other.end(), 2), static_cast<std::ptrdiff_t>(other.size()));

  const std::size_t freed = calls_of(driver_function::cuMemFree_v2).size();
  EXPECT_TRUE(kept.give_back());
  EXPECT_FALSE(kept.give_back());
  EXPECT_EQ(calls_of(driver_function::cuMemFree_v2).size(), freed + 2);
  EXPECT_TRUE(kept.fits(80 * mebibyte));
  EXPECT_TRUE(kept.give_back());

  on(driver_function::cuMemGetInfo_v2, [](const arguments& given) {
    *reinterpret_cast<std::uint64_t*>(given[0]) = 100 * mebibyte;
    return 0U;
  });
  launch_snapshot more(1024 * mebibyte);
  EXPECT_FALSE(more.fits(60 * mebibyte));  // more than half of what is free
  EXPECT_TRUE(more.fits(20 * mebibyte));
  PROGRAM(cuStreamDestroy_v2)(stream);
}

// The device is full until the observer has given memory back.
TEST(Snapshots, TheProgramGetsTheirMemoryIfThereIsNoOther) {
  timed_machine machine(1);
  struct giving_observer : keeping_observer {
    bool give_back_memory() noexcept override { return ++asked == 1; }
    int asked = 0;
  } observer;
  const attached now(observer);
  int calls = 0;
  on(driver_function::cuMemAlloc_v2, [&](const arguments& given) {
    *reinterpret_cast<std::uint64_t*>(given[0]) = 0x7'0000'0000;
    return ++calls == 2 ? 0U : static_cast<unsigned>(CUDA_ERROR_OUT_OF_MEMORY);
  });
  CUdeviceptr made = 0;
  EXPECT_EQ(PROGRAM(cuMemAlloc_v2)(&made, 64), CUDA_SUCCESS);
  EXPECT_EQ(PROGRAM(cuMemAlloc_v2)(&made, 64), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(observer.asked, 2);
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace genesys::schedule::standin::tests
