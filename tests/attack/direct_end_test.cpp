// SPDX-License-Identifier: Apache-2.0
// A runtime with the executor `direct` ends under load, also while Linux completes nothing.
#include <sys/socket.h>

#include <memory>
#include <optional>

#include "slow_linux.h"

namespace attack {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr u32 buffer_bytes = 512;

// Until the runtime ends, half of the blocks read a file and the others receive words.
struct call_till_the_end {
  GENESYS_KERNEL void operator()(genesys::os os, int file, int socket, u8* buffers, long* last) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    u8* const mine = buffers + u64{me} * buffer_bytes;
    long said;
    do {
      said = block_rank() % 2 == 0 ? os.pread64(file, mine, buffer_bytes, 0) : os.recvfrom(socket, mine, 8, 0);
    } while (said >= 0);
    last[me] = said;
  }
};

enum class held { not_at_all, for_a_while, for_ever };
struct end_case {
  const char* name;
  held back;
  u32 entries;
};

class DirectEnd : public testing::TestWithParam<end_case> {};

// The runtime ends with calls of both kinds under way, also while Linux holds all of them back. It leaves a kernel
// behind only if Linux holds them for ever.
TEST_P(DirectEnd, UnderLoad) {
  constexpr u32 all = 128, rings = 2;
  const auto [name, back, entries] = GetParam();
  const u32 threads = fitting_threads(32, entries), blocks = all / threads;
  runtime& other = shared_runtime();
  const folder in;
  const descriptor file = made_file(in, "file", patterned(buffer_bytes));
  int two[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, two), 0);
  const descriptor ours(two[0]), theirs(two[1]);
  std::string words(back == held::not_at_all ? 0 : 65536, 'x');  // without words all receivers wait
  ASSERT_EQ(::send(theirs.get(), words.data(), words.size(), 0), static_cast<ssize_t>(words.size()));
  const on_device<long> last(other, std::vector<long>(all, 1));
  genesys::options chosen = direct_with(rings, entries);
  chosen.shutdown_timeout_ms = back == held::for_ever ? 300 : 5000;
  auto rt = std::make_unique<runtime>(chosen);
  if (!is_direct(*rt)) GTEST_SKIP() << rt->describe();
  auto buffers = std::make_unique<in_arena<u8>>(*rt, u64{all} * buffer_bytes);
  std::optional<slow_rings> linux_between;
  if (back != held::not_at_all)
    linux_between.emplace(*rt, rings, entries, slow_linux::pace{.stall_us = 300, .completion_us = 1000});
  std::optional<genesys::run> run =
      genesys::launch(*rt, {.blocks = {blocks}, .threads = {threads}}, call_till_the_end{}, file.get(), ours.get(),
                      buffers->get(), last.get());
  if (!eventually([&] { return rt->stats().direct_calls > 1000; })) give_up(*rt, "the kernel does not run");
  std::future<void> let_go;
  if (linux_between) {
    linux_between->hold_back(true);
    std::this_thread::sleep_for(milliseconds(20));  // until all callers wait
    // Later receivers have to wait.
    while (::recv(ours.get(), words.data(), words.size(), MSG_DONTWAIT) > 0) continue;
  }
  if (back == held::for_a_while) {
    let_go = std::async(std::launch::async, [&] {
      std::this_thread::sleep_for(milliseconds(100));
      linux_between->hold_back(false);
    });
  }
  testing::internal::CaptureStderr();
  const auto begin = steady_clock::now();
  buffers.reset();
  rt.reset();
  const double took_s = seconds_since(begin);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("a kernel still runs") != std::string::npos, back == held::for_ever) << said;
  EXPECT_TRUE(back == held::not_at_all || took_s > 0.05) << took_s;
  EXPECT_LT(took_s, chosen.shutdown_timeout_ms / 1e3 + 5);
  if (!eventually([&] { return run->finished(); })) give_up(other, "the kernel has not ended");
  run.reset();
  if (let_go.valid()) let_go.get();
  if (linux_between) linux_between->stop();
  for (const long value : last.take()) EXPECT_EQ(value, -ECANCELED);
}

INSTANTIATE_TEST_SUITE_P(Cases, DirectEnd,
                         testing::Values(end_case{"Of8", held::not_at_all, 8}, end_case{"Of64", held::not_at_all, 64},
                                         end_case{"Of8HeldForAWhile", held::for_a_while, 8},
                                         end_case{"Of64HeldForAWhile", held::for_a_while, 64},
                                         end_case{"Of8HeldForEver", held::for_ever, 8},
                                         end_case{"Of64HeldForEver", held::for_ever, 64}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace attack
