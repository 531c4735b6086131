// SPDX-License-Identifier: Apache-2.0
// Launches: what the observer sees of them, and that it can issue them again, as they were and with polls.
#include <gtest/gtest.h>

#include "fake_machine.h"
#include "schedule/standin/kernel_registry.h"
#include "schedule/standin/program_memory.h"
#include "schedule/standin/verdict_on.h"

namespace genesys::schedule::standin::tests {
namespace {

struct twice_arguments {
  std::uint64_t out = 0x1111, in = 0x2222;
  std::uint32_t n = 33;
};
constexpr std::size_t twice_bytes = 20;

// The kernel `twice`, loaded, and its arguments in both forms.
class Launches : public testing::Test {
 protected:
  void SetUp() override {
    PROGRAM(cuLibraryLoadData)(&library, small_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0);
    CUkernel kernel = nullptr;
    ASSERT_EQ(PROGRAM(cuLibraryGetKernel)(&kernel, library, "twice"), CUDA_SUCCESS);
    function = reinterpret_cast<CUfunction>(kernel);
    observe(&observer);
  }
  void TearDown() override { observe(nullptr); }

  CUresult launch(CUstream stream = nullptr) {
    return PROGRAM(cuLaunchKernel)(function, 4, 1, 1, 64, 1, 1, 128, stream, parameters, nullptr);
  }
  CUresult launch_with(std::vector<CUlaunchAttribute> attributes) {
    CUlaunchConfig how{};
    how.gridDimX = 4, how.gridDimY = how.gridDimZ = 1;
    how.blockDimX = 64, how.blockDimY = how.blockDimZ = 1;
    how.hStream = CU_STREAM_PER_THREAD;
    how.attrs = attributes.data();
    how.numAttrs = static_cast<unsigned>(attributes.size());
    return PROGRAM(cuLaunchKernelEx)(&how, function, parameters, nullptr);
  }
  static CUlaunchAttribute attribute(CUlaunchAttributeID id) {
    CUlaunchAttribute result{};
    result.id = id;
    return result;
  }
  void expect_arguments(const std::vector<std::byte>& seen) const {
    ASSERT_GE(seen.size(), twice_bytes);
    EXPECT_EQ(std::memcmp(seen.data(), &given, twice_bytes), 0);
  }

  fake_machine machine;
  keeping_observer observer;
  CUlibrary library = nullptr;
  CUfunction function = nullptr;
  twice_arguments given;
  void* parameters[3] = {&given.out, &given.in, &given.n};
};

TEST_F(Launches, AsTheProgramGaveThem) {
  const CUstream stream = reinterpret_cast<CUstream>(0x7770);
  ASSERT_EQ(launch(stream), CUDA_SUCCESS);
  ASSERT_EQ(observer.launches.size(), 1U);
  const observed_launch& seen = observer.launches[0];
  EXPECT_EQ(seen.launched()->name(), "twice");
  EXPECT_EQ(seen.grid()[0], 4U);
  EXPECT_EQ(seen.block()[0], 64U);
  EXPECT_EQ(seen.threads(), 256U);
  EXPECT_EQ(seen.shared_bytes(), 128U);
  EXPECT_EQ(seen.stream(), stream);
  EXPECT_EQ(seen.context(), reinterpret_cast<CUcontext>(0x1234));
  EXPECT_TRUE(seen.is_plain());
  expect_arguments({seen.arguments().begin(), seen.arguments().end()});
  ASSERT_EQ(machine.launches.size(), 1U);
  EXPECT_EQ(machine.launches[0].by, "kernel");
  EXPECT_EQ(machine.launches[0].shared_bytes, 128U);
  expect_arguments(machine.launches[0].arguments);
}

TEST_F(Launches, KeptOnesHaveTheirArguments) {
  launch();
  given.out = 1, given.n = 2;  // the program goes on
  const std::uint64_t out = 0x1111;
  EXPECT_EQ(observer.launches[0].issue(), CUDA_SUCCESS);
  ASSERT_EQ(machine.launches.size(), 2U);
  EXPECT_EQ(machine.launches[1].arguments, machine.launches[0].arguments);
  EXPECT_EQ(std::memcmp(machine.launches[1].arguments.data(), &out, sizeof out), 0);
  EXPECT_EQ(machine.launches[1].stream, CU_STREAM_LEGACY);
  EXPECT_EQ(machine.launches[1].grid, 4U);
}

TEST_F(Launches, KeptOnesMoveToOtherStreams) {
  launch();
  const CUstream other = reinterpret_cast<CUstream>(0x7770);
  observer.launches[0].move_to(other);
  EXPECT_EQ(observer.launches[0].issue(), CUDA_SUCCESS);
  EXPECT_EQ(machine.launches[1].stream, other);
}

TEST_F(Launches, VerdictsHaveTheProgramsMemory) {
  program_memory().clear();
  launch();
  EXPECT_FALSE(verdict_on(observer.launches[0]).is_preemptible);  // nobody has listed what it writes
  given.out = 0x7'0000'0000, given.in = 0x7'1000'0000;
  program_memory().add(given.out, 4096, allocation::kind::device);
  program_memory().add(given.in, 4096, allocation::kind::device);
  launch();
  launch_verdict verdict = verdict_on(observer.launches[1]);
  EXPECT_TRUE(verdict.is_preemptible && verdict.is_idempotent);
  EXPECT_EQ(verdict.write_set, (std::vector<range>{{given.out, 4096}}));
  given.in = given.out + 8;  // one allocation
  launch();
  verdict = verdict_on(observer.launches[2]);
  EXPECT_TRUE(verdict.is_preemptible && !verdict.is_idempotent);
  program_memory().remove(given.out);
  EXPECT_FALSE(verdict_on(observer.launches[2]).is_preemptible);
}

TEST_F(Launches, ArgumentsInABuffer) {
  std::size_t bytes = twice_bytes;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &given, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  ASSERT_EQ(PROGRAM(cuLaunchKernel)(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra), CUDA_SUCCESS);
  EXPECT_EQ(machine.launches[0].by, "kernel, extra");
  expect_arguments(machine.launches[0].arguments);
  given.out = 1;
  EXPECT_EQ(observer.launches[0].issue(), CUDA_SUCCESS);
  EXPECT_EQ(machine.launches[1].by, "kernel");
  EXPECT_EQ(machine.launches[1].arguments, machine.launches[0].arguments);

  bytes = 8;  // too few: the driver refuses it, and nobody issues it again
  PROGRAM(cuLaunchKernel)(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra);
  EXPECT_FALSE(observer.launches[1].has_arguments());
  EXPECT_FALSE(observer.launches[1].is_plain());
}

TEST_F(Launches, StreamsOfThreads) {
  PROGRAM(cuLaunchKernel_ptsz)(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr);
  EXPECT_EQ(observer.launches[0].stream(), CU_STREAM_PER_THREAD);
  EXPECT_EQ(machine.launches[0].stream, CU_STREAM_PER_THREAD);
}

TEST_F(Launches, ByConfiguration) {
  CUlaunchAttribute priority = attribute(CU_LAUNCH_ATTRIBUTE_PRIORITY);
  priority.value.priority = -1;
  ASSERT_EQ(launch_with({priority}), CUDA_SUCCESS);
  EXPECT_TRUE(observer.launches[0].is_plain());
  EXPECT_EQ(machine.launches[0].by, "configuration");
  EXPECT_EQ(machine.launches[0].attributes, 1U);
  EXPECT_EQ(observer.launches[0].issue(), CUDA_SUCCESS);  // with a copy of the attributes
  EXPECT_EQ(machine.launches[1].attributes, 1U);
  EXPECT_EQ(machine.launches[1].stream, CU_STREAM_PER_THREAD);
  expect_arguments(machine.launches[1].arguments);
}

TEST_F(Launches, WhatMustNotBeAbortedIsMarked) {
  CUlaunchAttribute clusters = attribute(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  clusters.value.clusterDim = {2, 1, 1};
  launch_with({clusters});
  EXPECT_TRUE(observer.launches.back().has_clusters());
  clusters.value.clusterDim = {1, 1, 1};
  launch_with({clusters});
  EXPECT_TRUE(observer.launches.back().is_plain());

  CUlaunchAttribute cooperative = attribute(CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  cooperative.value.cooperative = 1;
  launch_with({cooperative});
  EXPECT_TRUE(observer.launches.back().is_cooperative());
  EXPECT_EQ(machine.launches.back().by, "configuration");
  PROGRAM(cuLaunchCooperativeKernel)(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters);
  EXPECT_TRUE(observer.launches.back().is_cooperative());
  EXPECT_EQ(machine.launches.back().by, "cooperative");

  launch_with({attribute(CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT)});
  EXPECT_TRUE(observer.launches.back().has_ties());
  CUlaunchAttribute programmatic = attribute(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
  launch_with({programmatic});
  EXPECT_TRUE(observer.launches.back().is_plain());
  programmatic.value.programmaticStreamSerializationAllowed = 1;
  launch_with({programmatic});
  EXPECT_TRUE(observer.launches.back().has_ties());

  machine.captured.insert(reinterpret_cast<CUstream>(0x7770));
  launch(reinterpret_cast<CUstream>(0x7770));
  EXPECT_TRUE(observer.launches.back().is_captured());
  for (const observed_launch& each : observer.launches)
    expect_arguments({each.arguments().begin(), each.arguments().end()});
}

TEST_F(Launches, WithPolls) {
  launch();
  const kernel_variant* const with_polls = observer.launches[0].launched()->variant_of(variant::entry);
  ASSERT_NE(with_polls, nullptr) << observer.launches[0].launched()->why_no_variant();
  static std::uint32_t lowered = 0;
  std::vector<std::byte> context(40, std::byte{0});
  const auto flag = reinterpret_cast<std::uint64_t>(&lowered);
  std::memcpy(context.data(), &flag, sizeof flag);
  context[24] = std::byte{1};  // the epoch
  EXPECT_EQ(observer.launches[0].issue(*with_polls, context), CUDA_SUCCESS);
  const machine_launch& made = machine.launches.back();
  EXPECT_TRUE(made.has_polls);
  EXPECT_FALSE(made.has_left);
  EXPECT_EQ(made.kernel, "twice");
  expect_arguments(made.arguments);
  ASSERT_EQ(made.arguments.size(), with_polls->context_offset + context.size());
  EXPECT_TRUE(std::equal(context.begin(), context.end(), made.arguments.begin() + with_polls->context_offset));
}

TEST_F(Launches, NoObserverNoCost) {
  observe(nullptr);
  launch();
  EXPECT_EQ(machine.launches.size(), 1U);
  EXPECT_TRUE(observer.launches.empty());
  EXPECT_TRUE(calls_of(driver_function::cuStreamIsCapturing).empty());
}

// The driver, or a tool behind it, launches another kernel while it launches the program's.
TEST_F(Launches, FromInsideAreNotSeen) {
  int depth = 0;
  on(driver_function::cuLaunchKernel, [&](const arguments&) {
    if (++depth == 1) launch();
    return 0U;
  });
  launch();
  EXPECT_EQ(depth, 2);
  EXPECT_EQ(observer.launches.size(), 1U);
}

TEST_F(Launches, AnErrorIsTheDrivers) {
  on(driver_function::cuLaunchKernel, [](const arguments&) { return unsigned{CUDA_ERROR_INVALID_VALUE}; });
  EXPECT_EQ(launch(), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(PROGRAM(cuLaunchKernel)(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(observer.launches.size(), 1U);
}

}  // namespace
}  // namespace genesys::schedule::standin::tests
