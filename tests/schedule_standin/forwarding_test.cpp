// SPDX-License-Identifier: Apache-2.0
// Calls reach the real library with their arguments, and the observer learns of those that a stream orders.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "signatures.h"
#include "support.h"

namespace genesys::schedule::standin::tests {
namespace {

constexpr unsigned refused = 999;  // no function of the stand-in does anything after an error

// Small enough for arguments of 32 bits; different in each position and for each function.
arguments words_for(unsigned number) {
  arguments result;
  for (unsigned i = 0; i < arguments_max; ++i) result[i] = 0x10000 + number * arguments_max + i;
  return result;
}

void expect_forwarded(unsigned number) {
  const driver_function which = static_cast<driver_function>(number);
  SCOPED_TRACE(functions[number].name);
  const std::size_t before = calls_of(which).size();
  const arguments given = words_for(number);
  EXPECT_EQ(call(which, given), refused);
  const auto calls = calls_of(which);
  ASSERT_EQ(calls.size(), before + 1);
  for (unsigned i = 0; i < signatures[number].arguments; ++i) {
    EXPECT_EQ(static_cast<std::uint32_t>(calls.back()[i]), given[i]) << "argument " << i;
  }
}

TEST(Forwarding, EachFunctionWithItsArguments) {
  reset();
  fake().result = refused;
  for (unsigned number = 0; number < functions_count; ++number) expect_forwarded(number);
}

TEST(Forwarding, FunctionsThatAreNotTakenOverKeepAllWords) {
  reset();
  fake().result = refused;
  for (const driver_function which : {driver_function::cuTensorMapEncodeTiled, driver_function::cuMemcpyBatchAsync,
                                      driver_function::cuInit, driver_function::cuGraphAddNode_v2}) {
    const arguments given = words_for(7);
    call(which, given);
    EXPECT_EQ(calls_of(which).back(), given) << entry_of(which).name;
  }
}

TEST(Forwarding, EachOrderedFunctionSettlesFirst) {
  reset();
  fake().result = refused;
  for (unsigned number = 0; number < functions_count; ++number) {
    const function_entry& one = functions[number];
    if (one.order == function_order::launch) continue;
    SCOPED_TRACE(one.name);
    keeping_observer observer;
    bool is_settled_first = true;
    on(static_cast<driver_function>(number), [&](const arguments&) {
      is_settled_first = observer.settled.size() + static_cast<std::size_t>(observer.settled_all) == 1;
      return refused;
    });
    {
      const attached now(observer);
      expect_forwarded(number);
    }
    if (one.order == function_order::none) {
      EXPECT_TRUE(observer.settled.empty() && observer.settled_all == 0);
      continue;
    }
    EXPECT_TRUE(is_settled_first);
    if (one.order == function_order::all_streams) {
      EXPECT_EQ(observer.settled_all, 1);
      continue;
    }
    ASSERT_EQ(observer.settled.size(), 1U);
    const CUstream of_default = uses_stream_of_thread(one.name) ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
    EXPECT_EQ(observer.settled[0], one.order == function_order::stream
                                       ? reinterpret_cast<CUstream>(words_for(number)[one.argument])
                                       : of_default);
  }
  reset();
}

TEST(Forwarding, TheNullStreamHasItsName) {
  reset();
  keeping_observer observer;
  const attached now(observer);
  PROGRAM(cuStreamSynchronize)(nullptr);
  PROGRAM(cuStreamSynchronize_ptsz)(nullptr);
  PROGRAM(cuMemcpy_ptds)(1, 2, 3);
  EXPECT_EQ(observer.settled, (std::vector<CUstream>{CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, CU_STREAM_PER_THREAD}));
}

// Calls the exported function from inside the observer: the driver's own libraries may do that.
class calling_observer : public keeping_observer {
 public:
  void settle(CUstream stream, bool waits) noexcept override {
    keeping_observer::settle(stream, waits);
    PROGRAM(cuStreamSynchronize)(stream);
  }
};

TEST(Forwarding, CallsFromInsideGoToTheRealLibrary) {
  reset();
  calling_observer observer;
  const attached now(observer);
  PROGRAM(cuStreamSynchronize)(CU_STREAM_LEGACY);
  EXPECT_EQ(observer.settled.size(), 1U);
  EXPECT_EQ(calls_of(driver_function::cuStreamSynchronize).size(), 2U);
}

TEST(Forwarding, ObserversComeAndGoWhileThreadsCall) {
  reset();
  struct counting_observer : launch_observer {
    void settle(CUstream, bool) noexcept override { count.fetch_add(1); }
    std::atomic<int> count{0};
  };
  static counting_observer observer;  // calls may still be in it
  std::atomic<bool> is_over{false};
  std::atomic<unsigned> made{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!is_over) {
        EXPECT_EQ(PROGRAM(cuStreamQuery)(CU_STREAM_LEGACY), CUDA_SUCCESS);
        ++made;
      }
    });
  }
  for (int i = 0; i < 200 || observer.count == 0; ++i) {
    observe(&observer);
    std::this_thread::yield();
    observe(nullptr);
  }
  is_over = true;
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(calls_of(driver_function::cuStreamQuery).size(), made);
}

}  // namespace
}  // namespace genesys::schedule::standin::tests
