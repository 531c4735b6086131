// SPDX-License-Identifier: Apache-2.0
// The test modes: launches run with polls, or are aborted at their entry and run again.
#include <gtest/gtest.h>

#include <thread>

#include "fake_machine.h"
#include "schedule/standin/program_memory.h"
#include "schedule/standin/test_modes.h"

namespace genesys::schedule::standin::tests {
namespace {

constexpr CUdeviceptr out_base = 0x7'0000'0000, in_base = 0x7'1000'0000;

class TestModes : public testing::Test {
 protected:
  void SetUp() override {
    program_memory().clear();
    program_memory().add(out_base, 4096, allocation::kind::device);
    program_memory().add(in_base, 4096, allocation::kind::device);
    PROGRAM(cuLibraryLoadData)(&library, small_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0);
  }
  void TearDown() override { reset(); }

  void launch(const char* name, CUdeviceptr out = out_base, CUstream stream = nullptr) {
    CUkernel kernel = nullptr;
    ASSERT_EQ(PROGRAM(cuLibraryGetKernel)(&kernel, library, name), CUDA_SUCCESS);
    CUdeviceptr in = in_base;
    int n = 100;
    void* parameters[] = {&out, &in, &n};
    ASSERT_EQ(PROGRAM(cuLaunchKernel)(reinterpret_cast<CUfunction>(kernel), 4, 1, 1, 64, 1, 1, 0, stream, parameters,
                                      nullptr),
              CUDA_SUCCESS);
  }
  // p: with polls; a: aborted; o: as the program launched it
  std::string what_ran() const {
    std::string result;
    for (const machine_launch& each : machine.launches) result += each.has_left ? 'a' : each.has_polls ? 'p' : 'o';
    return result;
  }

  fake_machine machine;
  CUlibrary library = nullptr;
};

TEST_F(TestModes, Rewrite) {
  test_observer observer(test_observer::mode::rewrite);
  const attached now(observer);
  for (int i = 0; i < 3; ++i) launch("twice");
  EXPECT_EQ(what_ran(), "ppp");
  EXPECT_NE(observer.report().find("3 launches, 3 with polls, 0 aborted and run again, 0 wrong"), std::string::npos)
      << observer.report();
}

TEST_F(TestModes, AbortAtEntry) {
  test_observer observer(test_observer::mode::abort_at_entry);
  const attached now(observer);
  for (int i = 0; i < 4; ++i) launch("twice");
  EXPECT_EQ(what_ran(), "appapp");
  EXPECT_EQ(machine.launches[0].arguments.size(), machine.launches[1].arguments.size());
  EXPECT_TRUE(std::equal(machine.launches[0].arguments.begin(), machine.launches[0].arguments.begin() + 20,
                         machine.launches[1].arguments.begin()));
  EXPECT_NE(observer.report().find("4 with polls, 2 aborted and run again, 0 wrong"), std::string::npos)
      << observer.report();
}

TEST_F(TestModes, AnAbortThatDoesNotCountIsReported) {
  test_observer observer(test_observer::mode::abort_at_entry);
  const attached now(observer);
  on(driver_function::cuMemcpyDtoHAsync_v2, [](const arguments&) { return 0U; });  // the counts stay as they are
  launch("twice");
  EXPECT_NE(observer.report().find("1 aborted and run again, 1 wrong"), std::string::npos) << observer.report();
}

TEST_F(TestModes, WhatCannotBeAbortedRunsAsItIs) {
  test_observer observer(test_observer::mode::abort_at_entry);
  const attached now(observer);
  const CUstream captured = reinterpret_cast<CUstream>(0x7770);
  machine.captured.insert(captured);
  launch("biased");                // variables
  launch("twice", 0x9'0000'0000);  // memory that nobody has listed
  launch("twice", out_base, captured);
  machine.compiles = false;
  launch("twice");  // the first one that needs a variant
  EXPECT_EQ(what_ran(), "oooo");
  const std::string report = observer.report();
  EXPECT_NE(report.find("1 captured"), std::string::npos) << report;
  EXPECT_NE(report.find("1 not preemptible, 2 without variant"), std::string::npos) << report;
}

// Threads load, launch, allocate and unload at the same time.
TEST_F(TestModes, SeveralThreads) {
  static test_observer& observer = *new test_observer(test_observer::mode::rewrite);
  const attached now(observer);
  constexpr int threads_count = 4, rounds = 25;
  std::vector<std::thread> threads;
  for (int i = 0; i < threads_count; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < rounds; ++round) {
        CUlibrary own = nullptr;
        CUkernel kernel = nullptr;
        CUdeviceptr out = out_base, in = in_base;
        int n = 100;
        void* parameters[] = {&out, &in, &n};
        PROGRAM(cuLibraryLoadData)(&own, small_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0);
        PROGRAM(cuLibraryGetKernel)(&kernel, own, "twice");
        for (int k = 0; k < 3; ++k) {
          EXPECT_EQ(PROGRAM(cuLaunchKernel)(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 64, 1, 1, 0, nullptr,
                                            parameters, nullptr),
                    CUDA_SUCCESS);
        }
        PROGRAM(cuMemHostRegister_v2)(reinterpret_cast<void*>(0x10000 + 16 * i), 16, 0);
        PROGRAM(cuMemHostUnregister)(reinterpret_cast<void*>(0x10000 + 16 * i));
        PROGRAM(cuStreamSynchronize)(nullptr);
        PROGRAM(cuLibraryUnload)(own);
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(what_ran(), std::string(3 * threads_count * rounds, 'p'));
}

TEST_F(TestModes, WhatHasNoPtxIsToldOnce) {
  test_observer observer(test_observer::mode::rewrite);
  const attached now(observer);
  CUlibrary machine_code = nullptr;
  PROGRAM(cuLibraryLoadData)(&machine_code, "\177ELF, and the rest of it", nullptr, nullptr, 0, nullptr, nullptr, 0);
  testing::internal::CaptureStderr();
  for (const char* name : {"machine_code", "more_machine_code", "machine_code"}) {
    CUkernel kernel = nullptr;
    ASSERT_EQ(PROGRAM(cuLibraryGetKernel)(&kernel, machine_code, name), CUDA_SUCCESS);
    PROGRAM(cuLaunchKernel)(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "genesys: kernel machine_code, and perhaps others, are not aborted: it is machine code without PTX\n");
  EXPECT_EQ(what_ran(), "ooo");
}

}  // namespace
}  // namespace genesys::schedule::standin::tests
