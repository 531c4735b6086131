// SPDX-License-Identifier: Apache-2.0
// Scopes: blocks of all sizes, with threads that have left or that diverge, and threads on their own. And visibility:
// what the scope wrote before a call reaches Linux, and what Linux wrote reaches all threads that get the result.
#include "contract.h"

namespace contract {
namespace {

constexpr u32 threads_max = 1024;

// --- Blocks.

enum class rule : u32 { all, odd_leave, last_stays, first_warp_leaves, one_of_first_warp_stays, apart };
constexpr u32 rules = 6;

GENESYS_KERNEL bool stays(rule r, u32 thread, u32 threads) {
  switch (r) {
    case rule::odd_leave:
      return thread % 2 == 0;
    case rule::last_stays:
      return thread == threads - 1;
    case rule::first_warp_leaves:
      return thread >= 32 || threads <= 32;
    case rule::one_of_first_warp_stays:
      return thread >= 32 || thread == 5 || threads <= 5;
    default:
      return true;
  }
}

struct block_record {
  long values[7];
  long size, nanoseconds;
  u32 wrong_device, wrong_shared;
};

struct block_bytes {
  u8 bytes[threads_max];
};
struct block_bytes_read {
  u8 bytes[threads_max];
};

constexpr u32 read_bytes = 501, block_bytes_in_file = 2048;

struct in_blocks {
  GENESYS_KERNEL void operator()(genesys::os os, rule which, int source, int sink, u8* memory,
                                 block_record* records) const {
    using namespace genesys;
    const u32 me = thread_rank(), threads = threads_in_block(), mine = block_rank();
    if (!stays(which, me, threads)) return;
    if (which == rule::apart) {
      for (u32 i = 0; i < me % 7; ++i) pause(100);
      if (me % 3 == 0) pause(1000);
    }
    const auto io = os.on(block{});
    block_record r{};
    u8* buffer = memory + u64{mine} * block_bytes_in_file + 1;
    r.values[0] = io.pread64(source, buffer, read_bytes, mine * 100);
    for (u32 i = 0; i < read_bytes; ++i) r.wrong_device += buffer[i] != pattern(mine * 100 + i);
    struct stat about;
    about.st_size = -1;
    r.values[1] = io.fstat(source, &about);  // private: filled in each thread
    r.size = about.st_size;
    u8* staged = shared<block_bytes>().bytes;
    staged[me] = pattern(me, mine + 5);
    r.values[2] = io.pwrite64(sink, staged, threads, mine * block_bytes_in_file);
    r.values[3] = io.getppid();
    timespec now{};
    r.values[4] = io.clock_gettime(CLOCK_MONOTONIC, &now);
    r.nanoseconds = now.tv_nsec;
    u8* read_back = shared<block_bytes_read>().bytes;
    r.values[5] = io.pread64(sink, read_back, threads, mine * block_bytes_in_file);
    for (u32 i = 0; i < threads; ++i) {
      if (stays(which, i, threads)) r.wrong_shared += read_back[i] != pattern(i, mine + 5);
    }
    buffer[600 + me] = pattern(me, mine + 9);
    r.values[6] = io.pwrite64(sink, buffer + 600, threads, mine * block_bytes_in_file + threads_max);
    records[mine * threads + me] = r;
  }
};

void check_blocks(genesys::dim block, rule which) {
  runtime& rt = shared_runtime();
  const u32 threads = block.x * block.y * block.z;
  constexpr u32 blocks = 3;
  SCOPED_TRACE("block of " + std::to_string(threads) + ", rule " + std::to_string(static_cast<u32>(which)));
  folder in;
  const descriptor source = made_file(in, "source", patterned(10'000)), sink = made_file(in, "sink", "");
  on_device<u8> memory(rt, (blocks + 1) * block_bytes_in_file);
  on_device<block_record> records(rt, blocks * threads);
  play(rt, {.blocks = {blocks}, .threads = block}, in_blocks{}, which, source.get(), sink.get(), memory.get(),
       records.get());
  const auto all = records.take();
  const std::string written = content_of(sink.get());
  for (u32 b = 0; b < blocks; ++b) {
    const block_record* first = nullptr;
    for (u32 t = 0; t < threads; ++t) {
      if (!stays(which, t, threads)) continue;
      const block_record& r = all[b * threads + t];
      const long n = static_cast<long>(threads);
      ASSERT_EQ(r.values[0], read_bytes) << "thread " << t;
      ASSERT_EQ(r.values[1], 0);
      ASSERT_EQ(r.values[2], n);
      ASSERT_EQ(r.values[3], ::getppid());
      ASSERT_EQ(r.values[4], 0);
      ASSERT_EQ(r.values[5], n);
      ASSERT_EQ(r.values[6], n);
      ASSERT_EQ(r.size, 10'000) << "thread " << t;
      ASSERT_EQ(r.wrong_device, 0u) << "thread " << t;
      ASSERT_EQ(r.wrong_shared, 0u) << "thread " << t;
      if (first == nullptr) first = &r;
      ASSERT_EQ(r.nanoseconds, first->nanoseconds) << "more than one call was made";
      ASSERT_EQ(static_cast<u8>(written.at(b * block_bytes_in_file + t)), pattern(t, b + 5)) << t;
      ASSERT_EQ(static_cast<u8>(written.at(b * block_bytes_in_file + threads_max + t)), pattern(t, b + 9)) << t;
    }
  }
}

TEST(Blocks, OfAllSizesWithThreadsThatLeft) {
  for (const u32 threads : {1u, 31u, 32u, 33u, 100u, 256u, 1024u}) {
    for (u32 which = 0; which < rules; ++which) check_blocks({threads}, static_cast<rule>(which));
  }
}

TEST(Blocks, OfThreeDimensions) {
  for (const genesys::dim block :
       {genesys::dim{4, 5, 6}, genesys::dim{1, 1, 64}, genesys::dim{3, 33, 2}, genesys::dim{8, 8, 16}}) {
    for (const rule which : {rule::all, rule::odd_leave, rule::apart}) check_blocks(block, which);
  }
}

// --- Threads.

enum class way : u32 { read_or_write, six_calls, loops, one_lane, half_left, all_at_once };

struct thread_record {
  long value, wrong;
};

constexpr u32 piece = 40;

struct in_threads {
  // Reads a piece of this thread's own, and counts the bytes that are wrong.
  template <class Io>
  GENESYS_KERNEL static long wrong_bytes(const Io& io, int source, u64 at, long& value) {
    u8 got[piece];
    for (u32 i = 0; i < piece; ++i) got[i] = 0;
    value = io.pread64(source, got, piece, static_cast<long>(at));
    long wrong = 0;
    for (u32 i = 0; i < piece; ++i) wrong += got[i] != pattern(at + i);
    return wrong;
  }

  GENESYS_KERNEL void operator()(genesys::os os, way which, int source, int sink, u32 chosen,
                                 thread_record* records) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    const auto io = os.on(thread{});
    const u64 at = u64{me} * 7;
    bool reads = false;
    u32 times = 1;
    switch (which) {
      case way::read_or_write:
        reads = lane() % 2 != 0;
        break;
      case way::six_calls:
        reads = lane() % 6 == 0;
        break;
      case way::loops:
        reads = true, times = lane() + 1;
        break;
      case way::one_lane:
        reads = lane() == chosen;
        break;
      case way::half_left:
        if (lane() < 16) return;
        reads = true;
        break;
      case way::all_at_once:
        reads = true;
        break;
    }
    thread_record r{-1, 0};
    if (reads) {
      for (u32 i = 0; i < times; ++i) r.wrong += wrong_bytes(io, source, at + i, r.value);
    } else if (which == way::read_or_write) {
      u64 word = me * 0x1'0000'0001ull;
      r.value = io.pwrite64(sink, &word, sizeof word, static_cast<long>(me * sizeof word));
    } else if (which == way::six_calls) {
      switch (lane() % 6) {
        case 1:
          r.value = io.getppid();
          break;
        case 2: {
          struct stat about {};
          r.value = io.fstat(source, &about);
          r.wrong = about.st_size != 100'000;
          break;
        }
        case 3:
          r.value = io.close(-1 - static_cast<int>(me));
          break;
        case 4:
          r.value = io.syscall(SYS_lseek, -1, me, 0);
          break;
        case 5: {
          timespec none{0, 1000};
          r.value = io.nanosleep(&none);
          break;
        }
      }
    }
    records[me] = r;
  }
};

std::vector<thread_record> go_ways(way which, u32 blocks, u32 threads, const descriptor& source, const descriptor& sink,
                                   u32 chosen = 0) {
  runtime& rt = shared_runtime();
  on_device<thread_record> records(rt, blocks * threads);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, in_threads{}, which, source.get(), sink.get(), chosen,
       records.get());
  return records.take();
}

class Threads : public testing::Test {
 protected:
  folder in;
  descriptor source = made_file(in, "source", patterned(100'000)), sink = made_file(in, "sink", "");
};

TEST_F(Threads, SomeReadWhileOthersWrite) {
  const auto all = go_ways(way::read_or_write, 4, 100, source, sink);
  const std::string written = content_of(sink.get());
  for (u32 i = 0; i < all.size(); ++i) {
    const u32 lane = i % 100 % 32;
    EXPECT_EQ(all[i].value, lane % 2 != 0 ? long{piece} : 8) << i;
    EXPECT_EQ(all[i].wrong, 0) << i;
    if (lane % 2 != 0) continue;
    u64 word;
    std::memcpy(&word, written.data() + i * 8, 8);
    EXPECT_EQ(word, i * 0x1'0000'0001ull);
  }
}

TEST_F(Threads, LanesMakeSixDifferentCalls) {
  const long wanted[6] = {piece, ::getppid(), 0, -EBADF, -EBADF, 0};
  const auto all = go_ways(way::six_calls, 4, 128, source, sink);
  for (u32 i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].value, wanted[i % 32 % 6]) << i;
    EXPECT_EQ(all[i].wrong, 0) << i;
  }
}

TEST_F(Threads, LoopsOfDifferentLength) {
  for (const auto& r : go_ways(way::loops, 2, 96, source, sink)) {
    EXPECT_EQ(r.value, piece);
    EXPECT_EQ(r.wrong, 0);
  }
}

TEST_F(Threads, OneLaneOfAWarp) {
  for (const u32 chosen : {0u, 1u, 17u, 31u}) {
    const auto all = go_ways(way::one_lane, 2, 64, source, sink, chosen);
    for (u32 i = 0; i < all.size(); ++i) {
      EXPECT_EQ(all[i].value, i % 32 == chosen ? long{piece} : -1) << i;
      EXPECT_EQ(all[i].wrong, 0) << i;
    }
  }
}

TEST_F(Threads, WhoseNeighboursHaveLeft) {
  const auto all = go_ways(way::half_left, 2, 96, source, sink);
  for (u32 i = 0; i < all.size(); ++i) {
    if (i % 32 < 16) continue;
    EXPECT_EQ(all[i].value, piece) << i;
    EXPECT_EQ(all[i].wrong, 0) << i;
  }
}

TEST_F(Threads, AllOfABlockAtOnce) {
  for (const auto& r : go_ways(way::all_at_once, 4, 1024, source, sink)) {
    EXPECT_EQ(r.value, piece);
    EXPECT_EQ(r.wrong, 0);
  }
}

// --- Visibility: many round trips through the same bounce buffers, each with other bytes.

template <class T>
struct tagged {
  u8 bytes[256];
};

struct round_trips {
  GENESYS_KERNEL void operator()(genesys::os os, int file, u32 rounds, u8* memory, u32* wrong) const {
    using namespace genesys;
    const u32 me = thread_rank();
    constexpr u32 bytes = 256;
    u8* own = memory + (u64{block_rank()} * threads_in_block() + me) * 16;
    u8* whole = memory + (u64{block_rank()} * threads_in_block()) * 16;
    u8* back = shared<tagged<round_trips>>().bytes;
    const long at = static_cast<long>(block_rank()) * 4096;
    const auto io = os.on(block{});
    u32 bad = 0;
    for (u32 r = 0; r < rounds; ++r) {
      // The block writes from device memory and reads into shared memory.
      for (u32 i = 0; i < 16; ++i) own[i] = pattern(me * 16 + i, r);
      bad += io.pwrite64(file, whole, bytes, at) != bytes;
      bad += io.pread64(file, back, bytes, at) != bytes;
      for (u32 i = 0; i < bytes; ++i) bad += back[i] != pattern(i, r);
      // Each thread writes from private memory and reads into device memory.
      u64 word = r * 0x9e37'79b9'7f4a'7c15ull + me;
      bad += os.pwrite64(file, &word, sizeof word, at + 1024 + me * 8) != 8;
      bad += os.pread64(file, own, 8, at + 1024 + me * 8) != 8;
      for (u32 i = 0; i < 8; ++i) bad += own[i] != static_cast<u8>(word >> (8 * i));
      sync_block();
    }
    wrong[block_rank() * threads_in_block() + me] = bad;
  }
};

TEST(Visibility, ChainsOfRoundTripsSeeNothingStale) {
  runtime& rt = shared_runtime();
  const u32 rounds = sanitized ? 100 : 1000;
  folder in;
  const descriptor file = made_file(in, "file", "");
  on_device<u8> memory(rt, 2 * 16 * 16);
  on_device<u32> wrong(rt, 2 * 16);
  play(rt, {.blocks = {2}, .threads = {16}}, round_trips{}, file.get(), rounds, memory.get(), wrong.get());
  for (const u32 bad : wrong.take()) EXPECT_EQ(bad, 0u);
  const std::string left = content_of(file.get());
  for (u32 b = 0; b < 2; ++b) {
    for (u32 i = 0; i < 256; ++i) ASSERT_EQ(static_cast<u8>(left.at(b * 4096 + i)), pattern(i, rounds - 1));
  }
}

}  // namespace
}  // namespace contract
