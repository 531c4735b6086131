// SPDX-License-Identifier: Apache-2.0
// The only member of a daemon: its launches cost nothing that the driver would be asked for, and `genesys schedule top`
// sees them.
#include <gtest/gtest.h>

#include <cstring>

#include "fake_machine.h"
#include "schedule/daemon/member_list.h"
#include "schedule/standin/held_launches.h"
#include "schedule/standin/kernel_registry.h"
#include "schedule/standin/kernel_tally.h"
#include "schedule_daemon/processes.h"

namespace genesys::schedule::standin::tests {
namespace {

using daemon_testing::eventually;

class Member : public testing::Test {
 protected:
  Member() : daemon(options()), observer(10, {.socket = in.file("socket")}), now(observer) {}
  processes::server_options options() const {
    processes::server_options made;
    made.socket = in.file("socket");
    return made;
  }
  CUfunction load(const char* name, CUlibrary* into = nullptr) {
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    EXPECT_EQ(PROGRAM(cuLibraryLoadData)(&library, small_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0), CUDA_SUCCESS);
    EXPECT_EQ(PROGRAM(cuLibraryGetKernel)(&kernel, library, name), CUDA_SUCCESS);
    if (into != nullptr) *into = library;
    return reinterpret_cast<CUfunction>(kernel);
  }
  void launch(CUfunction function, int times) {
    for (int i = 0; i < times; ++i) {
      EXPECT_EQ(PROGRAM(cuLaunchKernel)(function, 4, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr), CUDA_SUCCESS);
    }
  }

  // What a look at the daemon finds of the kernel.
  processes::kernel_sums seen(processes::member_list& by, const std::string& kernel) {
    for (const processes::watched_member& member : by.watch()) {
      for (const processes::kernel_row& row : member.kernels) {
        if (name_of(row) == kernel) return row.sums;
      }
    }
    return {};
  }

  fake_machine machine;
  daemon_testing::folder in;
  daemon_testing::daemon_process daemon;
  held_launches observer;
  attached now;
  std::uint64_t out = 0x1111, from = 0x2222;
  std::uint32_t n = 33;
  void* parameters[3] = {&out, &from, &n};
};

TEST_F(Member, AskTheDriverNothingWhileItIsAlone) {
  const CUfunction function = load("twice");
  launch(function, 1);  // it becomes a member
  const auto asked = [] {
    return calls_of(driver_function::cuStreamIsCapturing).size() + calls_of(driver_function::cuCtxGetCurrent).size() +
           calls_of(driver_function::cuKernelGetParamInfo).size() + calls_of(driver_function::cuEventRecord).size();
  };
  const std::size_t before = asked();
  launch(function, 100);
  EXPECT_EQ(asked(), before);
  ASSERT_EQ(machine.launches.size(), 101U);
  EXPECT_EQ(std::memcmp(machine.launches.back().arguments.data(), &out, sizeof out), 0);
  EXPECT_TRUE(observer.report().starts_with("101 launches, 0 of them abortable")) << observer.report();
}

// With another member there, launches are looked at again.
TEST_F(Member, IsObservedBesideOthers) {
  const CUfunction function = load("twice");
  launch(function, 1);
  const std::size_t before = calls_of(driver_function::cuStreamIsCapturing).size();
  processes::client other(daemon_testing::options_of(in.file("socket"), 0));
  ASSERT_TRUE(other.connect());
  EXPECT_TRUE(eventually([&] {
    (void)other.poll();
    launch(function, 1);
    return calls_of(driver_function::cuStreamIsCapturing).size() > before;
  }));
}

TEST_F(Member, TopShowsItsKernels) {
  CUlibrary library = nullptr;
  const CUfunction one = load("twice", &library), other = load("biased");
  processes::member_list top(in.file("socket"));
  const std::uint64_t before = tally_of("twice").launches, before_other = tally_of("biased").launches;
  launch(one, 5);
  launch(other, 2);
  EXPECT_TRUE(eventually([&] { return seen(top, "twice").launches == before + 5; }));
  EXPECT_TRUE(eventually([&] { return seen(top, "biased").launches == before_other + 2; }));
  EXPECT_EQ(seen(top, "twice").aborts, tally_of("twice").aborts.load());
  launch(other, 40);
  EXPECT_TRUE(eventually([&] { return seen(top, "biased").launches == before_other + 42; }));
}

// A handle that comes to mean another kernel counts for that one.
TEST_F(Member, AnUnloadedKernelIsNotRemembered) {
  CUlibrary library = nullptr;
  const CUfunction function = load("twice", &library);
  launch(function, 3);
  EXPECT_EQ(&tally_of(function), &tally_of("twice"));
  PROGRAM(cuLibraryUnload)(library);
  kernel_registry::only().add_kernel(function, nullptr, "another", true);
  EXPECT_EQ(&tally_of(function), &tally_of("another"));
}

}  // namespace
}  // namespace genesys::schedule::standin::tests
