// SPDX-License-Identifier: Apache-2.0
// The order of calls itself, not only their results: which threads run on while a call is under way, which make a call
// before the others come, what Linux then gets, and which threads see what Linux wrote. And lanes that call together.
#include <sys/ioctl.h>

#include <map>
#include <tuple>

#include "contract.h"

namespace contract {
namespace {

using genesys::consumer;
using genesys::producer;
using genesys::thread_scope;

constexpr u32 block_threads = 96;
constexpr double a_while_s = 0.05;  // long enough for a wrong step to show

// What a test's kernel shares with the host, in the arena.
struct board {
  u32 go;      // set by the host: the other threads may come
  u32 passed;  // threads that are past the call
  long values[block_threads];
  u64 words[block_threads];
};

GENESYS_KERNEL void say_passed(board* all, long value) {
  all->values[genesys::thread_rank()] = value;
  genesys::atomic<u32, thread_scope::system>(all->passed).fetch_add(1);
}

u32 passed(const in_arena<board>& all) { return std::atomic_ref<u32>(all[0].passed).load(); }
void let_go(const in_arena<board>& all) { std::atomic_ref<u32>(all[0].go).store(1); }
void wipe(const in_arena<board>& all) { std::memset(static_cast<void*>(all.get()), 0, sizeof(board)); }

// --- Producers.

constexpr u32 sent_bytes = 3000;
struct sent {
  u8 bytes[sent_bytes];
};

// The block writes to a pipe from shared memory. Threads that are past the call overwrite the memory at once.
struct write_and_spoil {
  GENESYS_KERNEL void operator()(genesys::os os, bool relaxed, int pipe, board* all) const {
    using namespace genesys;
    u8* bytes = shared<sent>().bytes;
    for (u32 i = thread_rank(); i < sent_bytes; i += threads_in_block()) bytes[i] = pattern(i, 3);
    const auto io = os.on(block());
    const long said = relaxed ? io.relaxed().write(pipe, bytes, sent_bytes) : io.write(pipe, bytes, sent_bytes);
    for (u32 i = thread_rank(); i < sent_bytes; i += threads_in_block()) bytes[i] = 0;
    say_passed(all, said);
  }
};

class Producers : public testing::Test {
 protected:
  Producers() {
    wipe(all);
    std::vector<char> junk(4096, 'x');
    ::fcntl(pipe.in.get(), F_SETFL, O_NONBLOCK);
    while (::write(pipe.in.get(), junk.data(), junk.size()) > 0) filled += junk.size();
    ::fcntl(pipe.in.get(), F_SETFL, 0);
  }
  // Empties the full pipe and then reads what the block wrote.
  std::string received() {
    std::string got;
    char part[4096];
    while (got.size() < filled + sent_bytes) {
      const ssize_t n = ::read(pipe.out.get(), part, sizeof part);
      if (n <= 0) break;
      got.append(part, static_cast<std::size_t>(n));
    }
    return got.substr(filled);
  }

  runtime& rt = shared_runtime();
  in_arena<board> all{rt, 1};
  pipe_ends pipe = made_pipe();
  std::size_t filled = 0;
};

TEST_F(Producers, StrongNobodyRunsOn) {
  auto run = start(rt, {.blocks = {1}, .threads = {block_threads}}, write_and_spoil{}, false, pipe.in.get(), all.get());
  EXPECT_FALSE(eventually([&] { return passed(all) != 0; }, a_while_s));
  EXPECT_EQ(received(), patterned(sent_bytes, 3));
  run.finish();
  for (const long value : all[0].values) EXPECT_EQ(value, sent_bytes);
}

TEST_F(Producers, RelaxedOtherWarpsRunOnAndLinuxGetsWhatWasThere) {
  auto run = start(rt, {.blocks = {1}, .threads = {block_threads}}, write_and_spoil{}, true, pipe.in.get(), all.get());
  EXPECT_TRUE(eventually([&] { return passed(all) == block_threads - 32; }));
  EXPECT_FALSE(eventually([&] { return passed(all) != block_threads - 32; }, a_while_s));
  EXPECT_EQ(received(), patterned(sent_bytes, 3));
  run.finish();
  for (u32 t = 0; t < block_threads; ++t) {
    EXPECT_EQ(all[0].values[t], t < 32 ? long{sent_bytes} : -EINPROGRESS) << "thread " << t;
  }
}

// --- Consumers.

// One thread reads a word from a pipe for its block, before the others come.
struct read_first {
  GENESYS_KERNEL void operator()(genesys::os os, bool relaxed, u32 chosen, int pipe, board* all) const {
    using namespace genesys;
    const u32 me = thread_rank();
    if (me != chosen) {
      while (atomic<u32, thread_scope::system>(all->go).load() == 0) pause(1000);
    }
    u64 word = 0;
    const auto io = os.on(block());
    const long said = relaxed ? io.relaxed().read(pipe, &word, sizeof word) : io.read(pipe, &word, sizeof word);
    all->words[me] = word;
    say_passed(all, said);
  }
};

int waiting_bytes(const pipe_ends& pipe) {
  int bytes = 0;
  ::ioctl(pipe.out.get(), FIONREAD, &bytes);
  return bytes;
}

void check_consumer(bool relaxed, u32 chosen) {
  SCOPED_TRACE("thread " + std::to_string(chosen));
  runtime& rt = shared_runtime();
  in_arena<board> all(rt, 1);
  wipe(all);
  const pipe_ends pipe = made_pipe();
  const u64 word = 0x1234'5678'9abc'def0;
  ASSERT_EQ(::write(pipe.in.get(), &word, sizeof word), 8);
  auto run =
      start(rt, {.blocks = {1}, .threads = {block_threads}}, read_first{}, relaxed, chosen, pipe.out.get(), all.get());
  const bool made = eventually([&] { return waiting_bytes(pipe) == 0; }, relaxed ? time_limit_s : a_while_s);
  EXPECT_EQ(made, relaxed) << "whether the call was made before the others came";
  EXPECT_FALSE(eventually([&] { return passed(all) != 0; }, a_while_s)) << "the barrier after the call";
  let_go(all);
  run.finish();
  for (u32 t = 0; t < block_threads; ++t) {
    EXPECT_EQ(all[0].values[t], 8) << "thread " << t;
    EXPECT_EQ(all[0].words[t], word) << "thread " << t;
  }
}

TEST(Consumers, StrongTheCallWaitsForAll) { check_consumer(false, 7); }
TEST(Consumers, RelaxedTheFirstToComeCalls) {
  for (const u32 chosen : {0u, 31u, 50u, block_threads - 1}) check_consumer(true, chosen);
}

// --- Mixed orders in loops, with threads that come at different times and threads that leave.

struct piece_written {
  u8 bytes[256];
};
struct piece_read {
  u8 bytes[256];
};

GENESYS_KERNEL u32 hash(u32 a, u32 b, u32 c) {
  u32 x = a * 0x9e37'79b9u ^ b * 0x85eb'ca6bu ^ c * 0xc2b2'ae35u;
  x ^= x >> 15;
  x *= 0x2c1b'3c6du;
  return x ^ x >> 13;
}

// The round after which a thread leaves. The last thread of the block never leaves.
GENESYS_KERNEL u32 leaves_after(u32 thread, u32 threads, u32 seed, u32 rounds) {
  return thread + 1 == threads || seed % 2 == 0 ? rounds : hash(thread, seed, 1) % (2 * rounds);
}

struct mixed_orders {
  GENESYS_KERNEL void operator()(genesys::os os, u32 seed, u32 rounds, int source, int sink, u32* wrong) const {
    using namespace genesys;
    constexpr u32 bytes = 256;
    const u32 me = thread_rank(), threads = threads_in_block(), mine = block_rank();
    const auto io = os.on(block());
    u8* out = shared<piece_written>().bytes;
    u8* in = shared<piece_read>().bytes;
    const u32 last = leaves_after(me, threads, seed, rounds);
    u32 bad = 0;
    for (u32 r = 0; r < rounds && r <= last; ++r) {
      if (hash(me, r, seed) % 16 == 0) pause(500);
      u32 leaders_warp = 0;  // the warp of the first thread that has not left
      for (u32 t = 0; leaves_after(t, threads, seed, rounds) < r; ++t) leaders_warp = (t + 1) / warp_lanes;
      const u32 what = hash(r, seed, mine) % 5;
      if (what == 0) {
        sync_block();
        for (u32 i = 0; me + 1 == threads && i < bytes; ++i) out[i] = pattern(i, r);  // by the thread that never leaves
        const long said = io.relaxed().pwrite64(sink, out, bytes, static_cast<long>((u64{mine} * rounds + r) * bytes));
        bad += said != (warp_rank() == leaders_warp ? long{bytes} : -EINPROGRESS);
        for (u32 i = me; i < bytes; i += threads) out[i] = 0;
      } else if (what == 1) {
        bad += io.relaxed().pread64(source, in, bytes, r) != bytes;
        for (u32 i = 0; i < bytes; ++i) bad += in[i] != pattern(r + i);
      } else if (what == 2) {
        u8 own[24];
        bad += io.relaxed().pread64(source, own, sizeof own, r * 3) != sizeof own;
        for (u32 i = 0; i < sizeof own; ++i) bad += own[i] != pattern(r * 3 + i);
      } else if (what == 3) {
        bad += io.getppid() <= 0;
      } else {
        const u32 tag = r * 1000 + mine;
        const long said = io.relaxed(producer()).syscall(SYS_lseek, -1, tag, 0);
        bad += said != (warp_rank() == leaders_warp ? -EBADF : -EINPROGRESS);
        bad += io.relaxed(consumer()).syscall(SYS_lseek, -1, tag, 0) != -EBADF;
      }
      // Barriers do not wait for threads that have left. So before threads leave, all meet: the others no longer use
      // the shared buffers of this round.
      bool somebody_leaves = false;
      for (u32 t = 0; t < threads; ++t)
        somebody_leaves = somebody_leaves || leaves_after(t, threads, seed, rounds) == r;
      if (somebody_leaves) sync_block();
    }
    wrong[mine * threads + me] = bad;
  }
};

void check_mixed(u32 threads, u32 seed) {
  SCOPED_TRACE("block of " + std::to_string(threads) + ", seed " + std::to_string(seed));
  runtime& rt = shared_runtime();
  const u32 rounds = sanitized ? 20 : 60, blocks = 4;
  folder in;
  const descriptor source = made_file(in, "source", patterned(10'000)), sink = made_file(in, "sink", "");
  on_device<u32> wrong(rt, blocks * threads);
  wrong.fill(0);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, mixed_orders{}, seed, rounds, source.get(), sink.get(),
       wrong.get());
  const auto all = wrong.take();
  for (u32 i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], 0u) << "thread " << i % threads << " of block " << i / threads;
  const std::string written = content_of(sink.get());
  for (u32 b = 0; b < blocks; ++b) {
    for (u32 r = 0; r < rounds; ++r) {
      if (hash(r, seed, b) % 5 != 0) continue;
      for (u32 i = 0; i < 256; ++i) {
        ASSERT_EQ(static_cast<u8>(written.at((u64{b} * rounds + r) * 256 + i)), pattern(i, r)) << r << " " << i;
      }
    }
  }
}

TEST(Orders, MixedInLoops) {
  for (const u32 threads : {1u, 32u, 40u, 96u, 256u}) {
    for (u32 seed = 0; seed < 4; ++seed) check_mixed(threads, seed);
  }
}

// --- Warps.

struct group_record {
  u32 block, warp, lanes;
  u32 round;
};

// In each round the lanes of a warp form groups by a hash, and each group appends one record together.
struct groups_call {
  GENESYS_KERNEL void operator()(genesys::os os, u32 seed, u32 rounds, int source, int log, u32* wrong) const {
    using namespace genesys;
    const u32 me = thread_rank(), mine = block_rank();
    const u32 existing = threads_in_block() - warp_rank() * warp_lanes;
    u32 bad = 0;
    for (u32 r = 0; r < rounds; ++r) {
      const u32 parts = 1 + hash(r, seed, 2) % 3;
      const auto part_of = [&](u32 l) { return hash(l, r, seed) % parts; };
      u32 lanes = 0;
      for (u32 l = 0; l < warp_lanes && l < existing; ++l) lanes |= (part_of(l) == part_of(lane()) ? 1u : 0u) << l;
      if (part_of(lane()) == 1) pause(300);
      const auto io = os.on(genesys::warp{lanes});
      const group_record record{mine, warp_rank(), lanes, r};  // private memory: Linux gets the leader's
      const u32 how = hash(r, seed, 3) % 3;
      const long said = how == 0   ? io.write(log, &record, sizeof record)
                        : how == 1 ? io.relaxed().write(log, &record, sizeof record)
                                   : io.relaxed(consumer()).write(log, &record, sizeof record);
      bad += said != sizeof record;
      u8 own[20];
      bad += io.relaxed().pread64(source, own, sizeof own, r) != sizeof own;
      for (u32 i = 0; i < sizeof own; ++i) bad += own[i] != pattern(r + i);
      struct stat about;
      bad += io.fstat(source, &about) != 0 || about.st_size != 10'000;
    }
    wrong[mine * threads_in_block() + me] = bad;
  }
};

TEST(Warps, GroupsOfLanesCallTogether) {
  runtime& rt = shared_runtime();
  const u32 rounds = sanitized ? 8 : 40, blocks = 3;
  for (const u32 threads : {1u, 17u, 32u, 80u}) {
    for (u32 seed = 0; seed < 3; ++seed) {
      SCOPED_TRACE("block of " + std::to_string(threads) + ", seed " + std::to_string(seed));
      folder in;
      const descriptor source = made_file(in, "source", patterned(10'000));
      const descriptor log(::openat(in.fd(), "log", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
      on_device<u32> wrong(rt, blocks * threads);
      play(rt, {.blocks = {blocks}, .threads = {threads}}, groups_call{}, seed, rounds, source.get(), log.get(),
           wrong.get());
      for (const u32 bad : wrong.take()) ASSERT_EQ(bad, 0u);
      // Each lane of each warp is in one record of each round: a group makes one call.
      const std::string text = content_of(log.get());
      std::vector<group_record> records(text.size() / sizeof(group_record));
      std::memcpy(records.data(), text.data(), records.size() * sizeof(group_record));
      std::map<std::tuple<u32, u32, u32>, u32> lanes;
      for (const group_record& one : records) {
        u32& so_far = lanes[{one.block, one.warp, one.round}];
        ASSERT_EQ(so_far & one.lanes, 0u) << "two calls for one lane";
        so_far |= one.lanes;
      }
      const u32 warps = (threads + 31) / 32;
      ASSERT_EQ(lanes.size(), blocks * warps * rounds);
      for (const auto& [where, named] : lanes) {
        const u32 rest = threads - std::get<1>(where) * 32;
        ASSERT_EQ(named, rest >= 32 ? ~0u : (1u << rest) - 1);
      }
    }
  }
}

}  // namespace
}  // namespace contract
