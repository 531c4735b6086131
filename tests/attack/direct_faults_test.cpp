// SPDX-License-Identifier: Apache-2.0
// The executor `direct` over a Linux that stops at any step and completes late and in any order, or whose threads
// always sleep.
#include <sys/socket.h>

#include "slow_linux.h"

namespace attack {
namespace {

constexpr u32 piece_bytes = 512, pieces = 97;

// How many bytes the call with this number reads, and from where. The sizes differ, so a result of another call shows.
GENESYS_KERNEL u32 bytes_of(u64 number) { return 1 + static_cast<u32>(number * 37 % piece_bytes); }
GENESYS_KERNEL u64 index_of_call(u64 number) { return number * 13 % (pieces - 1) * piece_bytes; }

GENESYS_KERNEL bool reads_right(genesys::os os, int file, u64 number, u8* into) {
  const u32 bytes = bytes_of(number);
  if (os.pread64(file, into, bytes, static_cast<off_t>(index_of_call(number))) != bytes) return false;
  for (u32 k = 0; k < bytes; k += k + 19 < bytes ? 19 : 1) {
    if (into[k] != pattern(index_of_call(number) + k)) return false;
  }
  return true;
}

// Each thread reads pieces of one file and writes each to a place of its own in another.
struct read_write_sync {
  GENESYS_KERNEL void operator()(genesys::os os, int from, int to, u32 times, u8* buffers, u32* wrong) const {
    using namespace genesys;
    const u64 me = u64{block_rank()} * threads_in_block() + thread_rank();
    u8* const mine = buffers + me * piece_bytes;
    for (u32 i = 0; i < times; ++i) {
      const u64 number = me * times + i;
      if (i % 3 == 1 && thread_rank() % 2 == 0) pause(500);
      if (!reads_right(os, from, number, mine)) atomic<u32>(wrong[0]).fetch_add(1);
      const long said = os.pwrite64(to, mine, bytes_of(number), static_cast<off_t>(number * piece_bytes));
      if (said != bytes_of(number)) atomic<u32>(wrong[1]).fetch_add(1);
    }
    if (me % 8 == 0 && os.fsync(to) != 0) atomic<u32>(wrong[2]).fetch_add(1);
  }
};

struct slow_case {
  const char* name;
  u32 entries, times;
  slow_linux::pace how;
};

class DirectSlowed : public testing::TestWithParam<slow_case> {};

TEST_P(DirectSlowed, EachCallCompletesOnce) {
  const slow_case& chosen = GetParam();
  runtime rt(direct_with(2, chosen.entries));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  const u32 threads = fitting_threads(64, chosen.entries), all = 256, blocks = all / threads, times = chosen.times;
  const folder in;
  const descriptor from = made_file(in, "from", patterned(pieces * piece_bytes)), to = made_file(in, "to", "");
  const in_arena<u8> buffers(rt, all * piece_bytes);
  const on_device<u32> wrong(rt, std::vector<u32>(3));
  slow_rings linux_between(rt, 2, chosen.entries, chosen.how);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, read_write_sync{}, from.get(), to.get(), times, buffers.get(),
       wrong.get());
  const u64 calls = u64{all} * 2 * times + all / 8;
  EXPECT_EQ(linux_between.stop(), calls);
  EXPECT_EQ(rt.stats().direct_calls, calls);
  EXPECT_EQ(wrong.take(), std::vector<u32>(3));
  EXPECT_GT(linux_between.overtakes(), calls / 10);
  EXPECT_TRUE(!chosen.how.asleep || linux_between.sleeps() > 20) << linux_between.sleeps();
  const std::string written = content_of(to.get()), read = patterned(pieces * piece_bytes);
  for (u64 number = 0; number < all * times; ++number) {
    ASSERT_EQ(written.substr(number * piece_bytes, bytes_of(number)),
              read.substr(index_of_call(number), bytes_of(number)))
        << number;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, DirectSlowed,
    testing::Values(slow_case{"Of8", 8, 15, {.stall_us = 300, .completion_us = 1000}},
                    slow_case{"Of256", 256, 40, {.stall_us = 1000, .completion_us = 5000}},
                    slow_case{"Of256Late", 256, 3, {.stall_us = 1000, .completion_us = 60'000}},
                    slow_case{"Of8Asleep", 8, 1, {.stall_us = 300, .completion_us = 1000, .asleep = true}},
                    slow_case{"Of256Asleep", 256, 8, {.stall_us = 300, .completion_us = 3000, .asleep = true}}),
    [](const auto& info) { return std::string(info.param.name); });

// A file, and for each pair of threads a pipe or a socket from one to the other.
struct ways {
  const int *ins, *outs;
  int file;
};

// The threads of half the blocks send words, and the others wait for them. All read the file in between. The senders
// read more often, so the receivers call first and take all SQEs that they may have.
struct send_and_wait {
  GENESYS_KERNEL void operator()(genesys::os os, ways by, u32 times, u8* buffers, u64* words, u32* wrong) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    const u32 pair = block_rank() / 2 * threads_in_block() + thread_rank();
    const bool is_pipe = pair % 2 == 0, sends = block_rank() % 2 != 0;
    u8* const mine = buffers + u64{me} * piece_bytes;
    for (u32 i = 0; i < times; ++i) {
      for (u32 k = 0; k < (sends ? 3 : 1); ++k) {
        if (!reads_right(os, by.file, u64{me} * times + i + k, mine)) atomic<u32>(wrong[0]).fetch_add(1);
      }
      const u64 word = u64{pair} << 32 | i;
      long said;
      if (sends) {
        words[me] = word;
        said = is_pipe ? os.write(by.ins[pair], &words[me], 8) : os.sendto(by.ins[pair], &words[me], 8, MSG_NOSIGNAL);
      } else {
        said = is_pipe ? os.read(by.outs[pair], &words[me], 8) : os.recvfrom(by.outs[pair], &words[me], 8, 0);
      }
      if (said != 8) atomic<u32>(wrong[1]).fetch_add(1);
      if (words[me] != word) atomic<u32>(wrong[2]).fetch_add(1);
    }
  }
};

class DirectSlowedWaits : public testing::TestWithParam<slow_case> {};

TEST_P(DirectSlowedWaits, AmongOthers) {
  const slow_case& chosen = GetParam();
  runtime rt(direct_with(2, chosen.entries));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  const u32 threads = fitting_threads(64, chosen.entries), all = 256, blocks = all / threads;
  const u32 pairs = all / 2, times = chosen.times;
  std::vector<descriptor> ends;
  std::vector<int> ins, outs;
  for (u32 i = 0; i < pairs; ++i) {
    int two[2];
    ASSERT_EQ(i % 2 == 0 ? ::pipe2(two, O_CLOEXEC) : ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, two), 0);
    for (const int end : two) ends.emplace_back(end);
    outs.push_back(two[0]);
    ins.push_back(two[1]);
  }
  const on_device<int> ins_there(rt, ins), outs_there(rt, outs);
  const folder in;
  const descriptor file = made_file(in, "file", patterned(pieces * piece_bytes));
  const in_arena<u8> buffers(rt, u64{2} * pairs * piece_bytes);
  const in_arena<u64> words(rt, u64{2} * pairs);
  const on_device<u32> wrong(rt, std::vector<u32>(3));
  slow_rings linux_between(rt, 2, chosen.entries, chosen.how);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, send_and_wait{},
       ways{ins_there.get(), outs_there.get(), file.get()}, times, buffers.get(), words.get(), wrong.get());
  const u64 completions = linux_between.stop(), calls = u64{pairs} * (2 + 4) * times;
  EXPECT_EQ(rt.stats().direct_calls, completions);
  EXPECT_EQ(rt.stats().completed, calls);
  // A ring keeps half of its room for calls that do not wait. Workers make the waiting calls beyond that. In a large
  // ring these are few: only while a lane has reaped CQEs and not yet stored the CQ head.
  EXPECT_GT(completions, chosen.entries == 8 ? calls / 2 : calls - calls / 100) << calls;
  EXPECT_EQ(wrong.take(), std::vector<u32>(3));
  EXPECT_GT(linux_between.overtakes(), completions / 10);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, DirectSlowedWaits,
    testing::Values(slow_case{"Of8", 8, 12, {.stall_us = 300, .completion_us = 1000}},
                    slow_case{"Of256", 256, 20, {.stall_us = 300, .completion_us = 3000}},
                    slow_case{"Of256Asleep", 256, 4, {.stall_us = 300, .completion_us = 3000, .asleep = true}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace attack
