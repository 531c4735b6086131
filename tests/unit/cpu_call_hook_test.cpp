// SPDX-License-Identifier: Apache-2.0
// Every call of a kernel begins and ends in ops/call_hook.h: an observer on the CPU device sees each one once in each
// thread of its scope, with its result, by any executor, scope, order and wait mode.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "cpu_testing.h"
#include "genesys/genesys.h"

namespace {

using genesys::block;
using genesys::consumer;
using genesys::grid;
using genesys::producer;
using genesys::warp;
using genesys::detail::cpu::kernel_call;

constexpr unsigned threads = 32;

struct counts {
  unsigned began = 0, resumed = 0, submitted = 0;
  std::map<long, unsigned> ended;  // by result
};

// The steps of one launch, in all threads.
class steps final : public genesys::detail::cpu::call_observer {
 public:
  steps() { genesys::detail::cpu::observe_calls(this); }
  ~steps() { genesys::detail::cpu::observe_calls(nullptr); }
  void began(const kernel_call& call) override {
    const std::lock_guard hold(lock_);
    call.resumes ? ++seen_.resumed : ++seen_.began;
    numbers_[call.number]++;
  }
  void submitted() override {
    const std::lock_guard hold(lock_);
    ++seen_.submitted;
  }
  void ended(std::int64_t result) override {
    const std::lock_guard hold(lock_);
    ++seen_.ended[result];
  }
  const counts& seen() const { return seen_; }
  unsigned of(std::uint64_t number) const { return numbers_.at(number); }

 private:
  std::mutex lock_;
  counts seen_;
  std::map<std::uint64_t, unsigned> numbers_;
};

class CallHook : public testing::TestWithParam<genesys::executor_kind> {
 protected:
  template <class Body>
  void run(Body body, unsigned blocks = 1) {
    genesys::runtime rt({.device = genesys::device_kind::cpu,
                         .executor = GetParam(),
                         .workers = 1,
                         .arena_bytes = 1u << 20,
                         .bounce_bytes = 16u << 20,
                         .sigquit = false});
    genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, body).drain();
  }
};

TEST_P(CallHook, BlockingCallsOfEachScope) {
  const steps at;
  run([](genesys::os os) {
    os.getppid();
    os.on(warp()).getppid();
    os.on(block()).getppid();
    os.syscall(SYS_getppid);
  });
  EXPECT_EQ(at.seen().began, 4 * threads);
  EXPECT_EQ(at.of(SYS_getppid), 4 * threads);
  EXPECT_EQ(at.seen().ended, (std::map<long, unsigned>{{::getppid(), 4 * threads}}));
  EXPECT_EQ(at.seen().submitted, 0u);
}

// Outside the leader's warp a relaxed producer ends at once.
TEST_P(CallHook, RelaxedCalls) {
  const steps at;
  run(
      [](genesys::os os) {
        os.on(block()).relaxed(consumer()).getppid();
        os.on(grid()).relaxed(producer()).getppid();
      },
      2);
  EXPECT_EQ(at.seen().began, 4 * threads);
  EXPECT_EQ(at.seen().ended, (std::map<long, unsigned>{{::getppid(), 3 * threads}, {-EINPROGRESS, threads}}));
}

TEST_P(CallHook, Tickets) {
  const steps at;
  run([](genesys::os os) {
    auto own = os.ticket().getppid();
    auto all = os.on(block()).ticket().getppid();
    own.wait();
    all.wait();
    all.wait();  // the call has ended
  });
  EXPECT_EQ(at.seen().began, 2 * threads);
  EXPECT_EQ(at.seen().submitted, 2 * threads);
  EXPECT_EQ(at.seen().resumed, 2 * threads);
  EXPECT_EQ(at.seen().ended, (std::map<long, unsigned>{{::getppid(), 2 * threads}}));
}

TEST_P(CallHook, PostedCallsAndDependents) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const steps at;
  run([to = ends[1]](genesys::os os) {
    auto one = os.ticket().getppid();
    os.after(one).posted().write(to, "x", 1);
    os.posted().syscall(SYS_getppid);
    os.after(one).getppid();
    one.wait();
  });
  EXPECT_EQ(at.seen().began, 4 * threads);
  EXPECT_EQ(at.seen().submitted, 3 * threads);
  EXPECT_EQ(at.seen().ended, (std::map<long, unsigned>{{::getppid(), 2 * threads}}));
  char all[2 * threads];
  EXPECT_EQ(::read(ends[0], all, sizeof all), threads);
  ::close(ends[0]);
  ::close(ends[1]);
}

// Calls that a shared ring makes, and calls that fail.
TEST_P(CallHook, OtherTransportsAndErrors) {
  const int fd = ::memfd_create("call_hook", 0);
  ASSERT_EQ(::ftruncate(fd, 4096), 0);
  const steps at;
  run([fd](genesys::os os) {
    char part[64];
    os.pread64(fd, part, sizeof part, 0);
    os.pread64(-1, part, sizeof part, 0);
  });
  EXPECT_EQ(at.seen().ended, (std::map<long, unsigned>{{64, threads}, {-EBADF, threads}}));
  ::close(fd);
}

std::string name_of(const testing::TestParamInfo<genesys::executor_kind>& info) {
  return info.param == genesys::executor_kind::threads ? "threads"
         : info.param == genesys::executor_kind::uring ? "uring"
                                                       : "direct";
}
INSTANTIATE_TEST_SUITE_P(Each, CallHook,
                         testing::Values(genesys::executor_kind::threads, genesys::executor_kind::uring,
                                         genesys::executor_kind::direct),
                         name_of);

}  // namespace
