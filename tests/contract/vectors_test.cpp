// SPDX-License-Identifier: Apache-2.0
// Pointers to pointers in several call modes: iovec and msghdr, with pieces in all kinds of memory at once.
#include <sys/socket.h>
#include <sys/uio.h>

#include "contract.h"

namespace contract {
namespace {

enum class call_mode : u32 {
  thread,
  thread_ticket,
  warp,
  warp_ticket,
  warp_relaxed,
  block,
  block_relaxed,
  block_ticket
};

template <call_mode m>
GENESYS_KERNEL auto in_mode(const genesys::os& os) {
  using namespace genesys;
  if constexpr (m == call_mode::thread) return os;
  if constexpr (m == call_mode::thread_ticket) return os.ticket();
  if constexpr (m == call_mode::warp) return os.on(warp());
  if constexpr (m == call_mode::warp_ticket) return os.on(warp()).ticket();
  if constexpr (m == call_mode::warp_relaxed) return os.on(warp()).relaxed();
  if constexpr (m == call_mode::block) return os.on(block());
  if constexpr (m == call_mode::block_relaxed) return os.on(block()).relaxed();
  if constexpr (m == call_mode::block_ticket) return os.on(block()).relaxed().ticket();
}

GENESYS_KERNEL constexpr bool is_block(call_mode m) {
  return m == call_mode::block || m == call_mode::block_relaxed || m == call_mode::block_ticket;
}
GENESYS_KERNEL constexpr bool is_thread(call_mode m) { return m == call_mode::thread || m == call_mode::thread_ticket; }

struct shared_bytes {
  u8 of_warp[4][64];
};

// Reads 100 bytes into device memory, 40 into shared and 30 into each thread's private memory, and checks all of them.
template <call_mode m>
struct read_everywhere {
  GENESYS_KERNEL void operator()(genesys::os os, int file, u8* memory, u32* wrong) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    const u32 unit = is_thread(m) ? me : is_block(m) ? block_rank() : me / 32;
    u8* device = memory + u64{unit} * 128 + unit % 7;
    u8* here = shared<shared_bytes>().of_warp[is_block(m) ? 0 : warp_rank()];
    u8 own[32];
    const auto io = in_mode<m>(os);
    u32 bad = 0;
    for (u32 r = 0; r < 4; ++r) {
      const u64 where = unit % 100 * 50 + r;
      ::iovec pieces[4] = {{device, 100}, {nullptr, 0}, {here, 40}, {own, 30}};
      if (is_thread(m)) pieces[2].iov_len = 0;  // the threads of a block share it
      const u64 in_shared = pieces[2].iov_len;
      long n;
      if constexpr (m == call_mode::thread_ticket || m == call_mode::warp_ticket || m == call_mode::block_ticket) {
        auto read = io.preadv(file, pieces, 4, static_cast<long>(where));
        n = read.wait();
      } else {
        n = io.preadv(file, pieces, 4, static_cast<long>(where));
      }
      bad += n != static_cast<long>(130 + in_shared);
      for (u32 i = 0; i < 100; ++i) bad += device[i] != pattern(where + i);
      for (u32 i = 0; i < in_shared; ++i) bad += here[i] != pattern(where + 100 + i);
      for (u32 i = 0; i < 30; ++i) bad += own[i] != pattern(where + 100 + in_shared + i);
      if (is_block(m)) {
        sync_block();
      } else if (!is_thread(m)) {
        sync_warp();
      }
    }
    wrong[me] = bad;
  }
};

template <call_mode m>
void check_reads() {
  runtime& rt = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "file", patterned(20'000));
  constexpr u32 blocks = 3, threads = 96;
  on_device<u8> memory(rt, (blocks * threads + 1) * 128);
  on_device<u32> wrong(rt, blocks * threads);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, read_everywhere<m>{}, file.get(), memory.get(), wrong.get());
  for (const u32 bad : wrong.take()) EXPECT_EQ(bad, 0u);
}

TEST(Vectors, OfThreads) { check_reads<call_mode::thread>(); }
TEST(Vectors, OfThreadsWithTickets) { check_reads<call_mode::thread_ticket>(); }
TEST(Vectors, OfWarps) { check_reads<call_mode::warp>(); }
TEST(Vectors, OfWarpsWithTickets) { check_reads<call_mode::warp_ticket>(); }
TEST(Vectors, OfWarpsInRelaxedOrder) { check_reads<call_mode::warp_relaxed>(); }
TEST(Vectors, OfBlocks) { check_reads<call_mode::block>(); }
TEST(Vectors, OfBlocksInRelaxedOrder) { check_reads<call_mode::block_relaxed>(); }
TEST(Vectors, OfBlocksWithTickets) { check_reads<call_mode::block_ticket>(); }

// More posted calls than there are bounce buffers: the host frees each buffer. Each thread writes its own 12 bytes.
struct post_often {
  GENESYS_KERNEL void operator()(genesys::os os, int file, u8* memory, u32 rounds) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    for (u32 r = 0; r < rounds; ++r) {
      u8 own[8];
      for (u32 i = 0; i < 8; ++i) own[i] = pattern(u64{me} * 12 + i);
      u8* device = memory + me * 4;
      for (u32 i = 0; i < 4; ++i) device[i] = pattern(u64{me} * 12 + 8 + i);
      const ::iovec pieces[2] = {{own, 8}, {device, 4}};
      os.posted().pwritev(file, pieces, 2, me * 12);
    }
  }
};

TEST(Vectors, Posted) {
  runtime& rt = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "file", "");
  constexpr u32 blocks = 4, threads = 64, all = blocks * threads;
  on_device<u8> memory(rt, all * 4);
  const u64 failed = rt.stats().posted_failed;
  play(rt, {.blocks = {blocks}, .threads = {threads}}, post_often{}, file.get(), memory.get(), sanitized ? 10u : 40u);
  EXPECT_EQ(rt.stats().posted_failed, failed);
  EXPECT_EQ(content_of(file.get()), patterned(all * 12));
}

struct write_as_grid {
  // `pieces` are two buffers whose addresses all blocks know. An array on the stack, or a piece in shared memory, would
  // belong to one thread or block.
  GENESYS_KERNEL void operator()(genesys::os os, int file, const ::iovec* pieces, long* values) const {
    using namespace genesys;
    const auto io = os.on(grid()).relaxed();
    long value = io.pwritev(file, pieces, 2, 0);
    if (value != -EINPROGRESS) atomic<long, thread_scope::system>(values[0]).store(value);
    const ::iovec own[2] = {pieces[0], pieces[1]};
    value = io.pwritev(file, own, 2, 0);
    if (value != -EINPROGRESS) atomic<long, thread_scope::system>(values[1]).store(value);
  }
};

TEST(Vectors, OfGrids) {
  runtime& rt = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "file", "");
  on_device<u8> memory(rt, 300);
  const std::string text = patterned(300);
  memory.put({text.begin(), text.end()});
  in_arena<long> values(rt, 2);
  in_arena<::iovec> pieces(rt, 2);
  pieces[0] = {memory.get(), 100};
  pieces[1] = {memory.get() + 200, 100};
  play(rt, {.blocks = {5}, .threads = {64}}, write_as_grid{}, file.get(), pieces.get(), values.get());
  EXPECT_EQ(values[0], 200);
  EXPECT_EQ(values[1], -EFAULT) << "nobody knows whose private memory is meant";
  EXPECT_EQ(content_of(file.get()), text.substr(0, 100) + text.substr(200));
}

// One thread waits for a pipe and the other for a socket, with pieces in private memory.
struct receive_both {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, int socket, long* values, u8* got) const {
    u8 first[4], second[8];
    ::iovec pieces[2] = {{first, sizeof first}, {second, sizeof second}};
    ::msghdr message{};
    message.msg_iov = pieces;
    message.msg_iovlen = 2;
    if (genesys::thread_rank() == 0) {
      values[0] = os.readv(pipe, pieces, 2);
    } else {
      auto received = os.ticket().recvmsg(socket, &message);
      values[1] = received.wait();
      values[2] = message.msg_flags;
    }
    u8* to = got + genesys::thread_rank() * 12;
    for (u32 i = 0; i < 12; ++i) to[i] = i < 4 ? first[i] : second[i - 4];
  }
};

TEST(Vectors, ThatWait) {
  runtime& rt = shared_runtime();
  const pipe_ends pipe = made_pipe();
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends), 0);
  const descriptor socket(ends[0]), other(ends[1]);
  in_arena<long> values(rt, 3);
  in_arena<u8> got(rt, 24);
  const u64 parked = rt.stats().parked;
  auto kernel = start(rt, {.threads = {2}}, receive_both{}, pipe.out.get(), socket.get(), values.get(), got.get());
  EXPECT_TRUE(eventually([&] { return rt.stats().parked >= parked + 2; })) << "both wait without a worker";
  EXPECT_EQ(::write(pipe.in.get(), "0123456789ab", 12), 12);
  EXPECT_EQ(::send(other.get(), "ABCDEFGHIJKLMN", 14, 0), 14);
  kernel.finish();
  EXPECT_EQ(values[0], 12);
  EXPECT_EQ(values[1], 12);
  EXPECT_EQ(values[2], MSG_TRUNC);
  EXPECT_EQ(std::string(reinterpret_cast<char*>(got.get()), 24), "0123456789abABCDEFGHIJKL");
}

// One thread makes calls with an array while another changes its lengths and addresses. Only the calls with that array
// may give wrong results; others are not affected.
struct change_under_way {
  GENESYS_KERNEL void operator()(genesys::os os, int file, int other_file, ::iovec* pieces, u8* memory, u32* done,
                                 u32* wrong) const {
    using namespace genesys;
    const u32 me = thread_rank();
    const atomic<u32, thread_scope::system> finished(*done);
    if (me == 0) {  // makes calls
      for (u32 r = 0; r < 300; ++r) (void)os.pwritev(file, pieces, 8, 0);
      finished.store(1);
    } else if (me == 32) {  // changes the array
      for (u32 r = 0; finished.load() == 0; ++r) {
        genesys::pause();
        const u64 length = r % 3 == 0 ? 4000 : r % 3 == 1 ? 3 : ~u64{0};
        atomic<std::size_t, thread_scope::system>(pieces[r % 8].iov_len).store(length);
        void* const place = r % 2 == 0 ? memory + r % 16 : memory + 4000;
        atomic<void*, thread_scope::system>(pieces[r % 8].iov_base).store(place);
      }
    } else if (me % 32 == 0) {  // makes calls of its own
      for (u32 r = 0; finished.load() == 0; ++r) {
        u8 bytes[100];
        const bool whole = os.pread64(other_file, bytes, sizeof bytes, r % 500) == sizeof bytes;
        bool right = whole;
        for (u32 i = 0; i < 100; ++i) right &= bytes[i] == pattern(r % 500 + i);
        if (!right) atomic<u32, thread_scope::system>(*wrong).fetch_add(1);
      }
    }
  }
};

TEST(Vectors, ThatChangeUnderWay) {
  if (sanitized) GTEST_SKIP() << "a race on purpose";
  runtime& rt = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "file", ""), other = made_file(in, "other", patterned(1000));
  in_arena<::iovec> pieces(rt, 8);
  for (u32 i = 0; i < 8; ++i) pieces[i] = {nullptr, 0};
  on_device<u8> memory(rt, 16'000);
  in_arena<u32> done(rt, 1), wrong(rt, 1);
  done[0] = wrong[0] = 0;
  play(rt, {.threads = {128}}, change_under_way{}, file.get(), other.get(), pieces.get(), memory.get(), done.get(),
       wrong.get());
  EXPECT_EQ(wrong[0], 0u);
}

}  // namespace
}  // namespace contract
