// SPDX-License-Identifier: Apache-2.0
// One function of the host completes and counts all calls that reach it: each call once, however it completes.
#include <sys/mman.h>

#include "contract.h"

namespace contract {
namespace {

constexpr u32 callers = 64;

struct each_way {
  GENESYS_KERNEL void operator()(genesys::os os, int empty_pipe, int full_pipe, int file, long* wrong) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    u8 byte = 0;
    const auto expect = [&](bool holds) {
      if (!holds) ++wrong[me];
    };
    expect(os.getppid() > 0);                       // made at once
    expect(os.pread64(file, &byte, 1, 0) == 1);     // staged
    expect(os.pread64(-1, &byte, 1, 0) == -EBADF);  // Linux refuses
    expect(os.getpgid(0) == -EPERM);                // the policy refuses
    const timespec length{0, 1'000'000};
    expect(os.nanosleep(&length, nullptr) == 0);          // parked, for a time
    auto one = os.ticket().getpid();                      // a ticket
    os.after(one).posted().pwrite64(file, &byte, 1, me);  // a dependent, posted
    expect(one.wait() > 0);
    expect(os.read(empty_pipe, &byte, 1) == 1);          // parked, and made when the descriptor is ready
    auto later = os.ticket().read(full_pipe, &byte, 1);  // the same with a ticket
    expect(later.wait() == 1);
  }
};

class Counted : public testing::TestWithParam<genesys::executor_kind> {};

TEST_P(Counted, EachCallOnceHoweverItCompletes) {
  runtime rt({.executor = GetParam(), .policy_rules = "deny call getpgid\n"});
  int one[2], other[2];
  ASSERT_EQ(::pipe(one), 0);
  ASSERT_EQ(::pipe(other), 0);
  const int file = ::memfd_create("counted", 0);
  ASSERT_EQ(::pwrite(file, "x", 1, 0), 1);
  long* const wrong = static_cast<long*>(rt.allocate_arena(callers * sizeof(long)));
  for (u32 i = 0; i < callers; ++i) wrong[i] = 0;
  {
    const launched run =
        start(rt, {.blocks = {2}, .threads = {callers / 2}}, each_way{}, one[0], other[0], file, wrong);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // most readers wait by now
    const std::string bytes(callers, 'x');
    ASSERT_EQ(::write(one[1], bytes.data(), bytes.size()), callers);
    ASSERT_EQ(::write(other[1], bytes.data(), bytes.size()), callers);
  }
  for (u32 i = 0; i < callers; ++i) EXPECT_EQ(wrong[i], 0) << "caller " << i;
  genesys::statistics seen;
  EXPECT_TRUE(eventually(
      [&] {  // a call is counted just after its completion
        seen = rt.stats();
        return seen.completed >= 9 * callers;
      },
      5));
  const auto expected = [&](const char* call, u64 times) { EXPECT_EQ(seen.calls[call], times) << call; };
  expected("getppid", callers);
  expected("pread64", 2 * callers);
  expected("getpgid", callers);
  expected("nanosleep", callers);
  expected("getpid", callers);
  expected("pwrite64", callers);
  expected("read", 2 * callers);
  EXPECT_EQ(seen.completed, 9 * callers);
  EXPECT_EQ(seen.denied["getpgid"], callers);
  EXPECT_EQ(seen.malformed, 0u);
  for (const int fd : {one[0], one[1], other[0], other[1], file}) ::close(fd);
}

std::string counted_executor(const testing::TestParamInfo<genesys::executor_kind>& info) {
  return info.param == genesys::executor_kind::threads ? "threads" : "uring";
}
INSTANTIATE_TEST_SUITE_P(Each, Counted, testing::Values(genesys::executor_kind::threads, genesys::executor_kind::uring),
                         counted_executor);

}  // namespace
}  // namespace contract
