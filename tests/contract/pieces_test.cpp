// SPDX-License-Identifier: Apache-2.0
// Long positional calls with staged memory are made in pieces, and the team copies one piece while Linux makes another.
// (calls_test.cpp has long calls in all scopes and memories.)
#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <string>

#include "contract.h"

namespace contract {
namespace {

constexpr u32 rounds = sanitized ? 10 : 100;

struct copy_file {
  GENESYS_KERNEL void operator()(genesys::os os, int from, int to, u8* memory, u64 bytes, u64 at, bool by_warp,
                                 long* values) const {
    if (by_warp && genesys::thread_rank() >= 32) return;
    for (u32 i = 0; i < rounds; ++i) {
      const auto into = memory + i % 3;
      const long position = static_cast<long>(at + i % 7);
      long got, put;
      if (by_warp) {
        got = os.on(genesys::warp{}).pread64(from, into, bytes, position);
        put = os.on(genesys::warp{}).pwrite64(to, into, bytes, position);
      } else {
        got = os.on(genesys::block{}).pread64(from, into, bytes, position);
        put = os.on(genesys::block{}).pwrite64(to, into, bytes, position);
      }
      if (genesys::thread_rank() == 0 && (i == 0 || got != values[0] || put != values[1])) {
        values[0] = got;
        values[1] = put;
        values[2] += 1;
      }
    }
    if (genesys::thread_rank() < 32) expect_all_slots(os, values);
  }

  // A warp has as many tickets as without these calls: none of them has kept a slot.
  static GENESYS_KERNEL void expect_all_slots(genesys::os os, long* values) {
    auto one = os.ticket().getppid(), other = os.ticket().getppid();
    const bool all = one.wait() > 0 && other.wait() > 0;
    if (!all) genesys::atomic<long>(values[2]).fetch_add(1000);
  }
};

class file_in_memory {
 public:
  explicit file_in_memory(const std::string& content, unsigned seals = 0)
      : fd_(::memfd_create("pieces", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
    EXPECT_EQ(::write(fd_.get(), content.data(), content.size()), static_cast<ssize_t>(content.size()));
    if (seals != 0) {
      EXPECT_EQ(::fcntl(fd_.get(), F_ADD_SEALS, seals), 0);
    }
  }
  int fd() const { return fd_.get(); }
  std::string content() const {
    std::string all(static_cast<std::size_t>(::lseek(fd_.get(), 0, SEEK_END)), 0);
    EXPECT_EQ(::pread(fd_.get(), all.data(), all.size(), 0), static_cast<ssize_t>(all.size()));
    return all;
  }

 private:
  descriptor fd_;
};

struct copied {
  std::vector<long> values;  // of the read, of the write, how often they differed from those before
  std::vector<u8> memory;
};
copied copy(runtime& rt, int from, int to, u64 bytes, u64 at, bool by_warp) {
  on_device<u8> memory(rt, bytes + 3);
  on_device<long> values(rt, 3);
  memory.fill(0xee);
  values.fill(0);
  rt.grant(from);
  rt.grant(to);
  play(rt, {.threads = {on_cuda() ? 256u : 64u}}, copy_file{}, from, to, memory.get(), bytes, at, by_warp,
       values.get());
  rt.revoke(from);
  rt.revoke(to);
  return {values.take(), memory.take()};
}

// As many tickets at once as there are buffers of this size for them at the start.
struct hold_at_once {
  static constexpr u32 threads = 16 / 2, bytes = 100'000;
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u8* memory, long* values) const {
    auto later = os.ticket().pread64(fd, memory + u64{genesys::thread_rank()} * bytes, bytes, 0);
    genesys::sync_block();
    values[genesys::thread_rank()] = later.wait();
  }
};

class Pieces : public testing::TestWithParam<bool> {
 protected:
  // All bounce buffers are free again: no more become usable for as many tickets as there are buffers at the start.
  void expect_all_released() {
    constexpr u32 threads = hold_at_once::threads, bytes = hold_at_once::bytes;
    const file_in_memory from(patterned(bytes));
    on_device<u8> memory(rt, u64{threads} * bytes);
    on_device<long> values(rt, threads);
    rt.grant(from.fd());
    play(rt, {.threads = {threads}}, hold_at_once{}, from.fd(), memory.get(), values.get());
    EXPECT_EQ(values.take(), std::vector<long>(threads, bytes));
    EXPECT_EQ(rt.stats().pinned_bytes, pinned);
  }
  runtime rt{{.arena_bytes = 1u << 20}};
  const std::size_t pinned = [this] {
    const in_arena<int> used(rt, 1);
    return rt.stats().pinned_bytes;
  }();
};

TEST_P(Pieces, WholeFile) {
  for (const u64 bytes : {131'073u, 400'000u, 1'048'576u + 5}) {
    const auto data = patterned(bytes + 100);
    const file_in_memory from(data), to("");
    const copied got = copy(rt, from.fd(), to.fd(), bytes, 10, GetParam());
    EXPECT_EQ(got.values, (std::vector<long>{static_cast<long>(bytes), static_cast<long>(bytes), 1}));
    const auto written = to.content();
    ASSERT_EQ(written.size(), bytes + 16);
    EXPECT_TRUE(std::equal(written.begin() + 10, written.end(), data.begin() + 10));
  }
  expect_all_released();
}
INSTANTIATE_TEST_SUITE_P(Of, Pieces, testing::Bool(),
                         [](const auto& by_warp) { return by_warp.param ? "Warp" : "Block"; });

// The file ends within a piece, at its end, and before the second one.
TEST_P(Pieces, ShortRead) {
  for (const u64 size : {300'000u, 2 * 131'072u, 131'072u, 131'080u, 5u, 0u}) {
    const auto data = patterned(size);
    const file_in_memory from(data), to("");
    const copied got = copy(rt, from.fd(), to.fd(), 700'000, 0, GetParam());
    // Later rounds begin up to six bytes further.
    EXPECT_LE(got.values[0], static_cast<long>(size));
    EXPECT_GE(got.values[0] + 6, static_cast<long>(size));
    EXPECT_EQ(got.values[1], 700'000);
    for (u64 i = size + 3; i < got.memory.size(); ++i) ASSERT_EQ(got.memory[i], 0xee) << size << " " << i;
  }
  expect_all_released();
}

// Linux writes a piece in part, or refuses it: the piece after it is not written.
TEST_P(Pieces, ShortWrite) {
  const auto data = patterned(800'000);
  const file_in_memory from(data);
  for (const u64 size : {300'000u, 131'072u, 8192u}) {
    const file_in_memory to(std::string(size, 7), F_SEAL_GROW), native(std::string(size, 7), F_SEAL_GROW);
    const long expected = ::pwrite(native.fd(), data.data(), 700'000, 6);
    ASSERT_GT(expected, 0);
    const copied got = copy(rt, from.fd(), to.fd(), 700'000, 0, GetParam());
    EXPECT_EQ(got.values[0], 700'000);
    EXPECT_LE(std::abs(got.values[1] - expected), 6) << expected;
    const auto written = to.content();
    ASSERT_EQ(written.size(), size);
    const u64 end = static_cast<u64>(expected) + 6;
    EXPECT_TRUE(std::equal(written.begin() + 6, written.begin() + static_cast<long>(end), data.begin() + 6)) << size;
    for (u64 i = end; i < size; ++i) ASSERT_EQ(written[i], 7) << i;
  }
  expect_all_released();
}

TEST_P(Pieces, Errors) {
  const file_in_memory from(patterned(500'000)), sealed("", F_SEAL_WRITE);
  const copied refused = copy(rt, from.fd(), sealed.fd(), 400'000, 0, GetParam());
  EXPECT_EQ(refused.values, (std::vector<long>{400'000, -EPERM, 1}));
  const pipe_ends pipe = made_pipe();
  const copied no_position = copy(rt, pipe.out.get(), pipe.in.get(), 400'000, 0, GetParam());
  EXPECT_EQ(no_position.values, (std::vector<long>{-ESPIPE, -ESPIPE, 1}));
  const descriptor closed_for_reading(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  const copied wrong_mode = copy(rt, closed_for_reading.get(), from.fd(), 400'000, 0, GetParam());
  EXPECT_EQ(wrong_mode.values, (std::vector<long>{-EBADF, 400'000, 1}));
  expect_all_released();
}

// The second piece of a read gives an error: the call then gives what the first one did.
TEST_P(Pieces, ErrorOfTheSecondPieceOfARead) {
  constexpr u64 there = 131'072, beyond = 65'536;
  auto* const memory =
      static_cast<u8*>(::mmap(nullptr, there + beyond, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  std::fill_n(memory, there, u8{9});
  ASSERT_EQ(::munmap(memory + there, beyond), 0);
  const descriptor own(::open("/proc/self/mem", O_RDONLY | O_CLOEXEC));
  const u64 address = reinterpret_cast<u64>(memory);
  const file_in_memory to("");
  long native = 0;
  {
    std::vector<u8> here(there + beyond);
    native = ::pread(own.get(), here.data(), here.size(), static_cast<off_t>(address));
  }
  EXPECT_EQ(native, static_cast<long>(there));
  const copied got = copy(rt, own.get(), to.fd(), there + beyond, address, GetParam());
  EXPECT_EQ(got.values[0], native - static_cast<long>((rounds - 1) % 7));
  EXPECT_EQ(::munmap(memory, there), 0);
  expect_all_released();
}

// Threads that leave right after a call, while the others go on to the next one.
struct leave_after {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u8* memory, u64 bytes, bool writes, u32* wrong) const {
    for (u32 left = genesys::threads_in_block(); left > 1; left /= 2) {
      const auto io = os.on(genesys::block{});
      const long done = writes ? io.pwrite64(fd, memory, bytes, 0) : io.pread64(fd, memory, bytes, 0);
      if (done != static_cast<long>(bytes)) genesys::atomic<u32>(*wrong).fetch_add(1);
      if (genesys::thread_rank() >= left / 2) return;
    }
  }
};

TEST(Pieces, ThreadsLeaveAfterACall) {
  runtime rt;
  constexpr u64 bytes = 200'000;
  const file_in_memory file(patterned(bytes));
  on_device<u8> memory(rt, bytes);
  on_device<u32> wrong(rt, 1);
  wrong.fill(0);
  rt.grant(file.fd());
  for (const bool writes : {false, true}) {
    for (u32 i = 0; i < 10; ++i)
      play(rt, {.threads = {on_cuda() ? 256u : 64u}}, leave_after{}, file.fd(), memory.get(), bytes, writes,
           wrong.get());
  }
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(file.content(), std::string(patterned(bytes)));
}

// The lanes hold all completion slots that their warp has for tickets, so the leader gets none for the first piece.
struct read_beside_tickets {
  GENESYS_KERNEL void operator()(genesys::os os, int from, int to, u8* memory, u64 bytes, long* values) const {
    constexpr u32 each = 3;  // 96 by a warp, of at most 64
    genesys::ticket_of<genesys::call::getppid> held[each];
    for (u32 i = 0; i < each; ++i) held[i] = os.ticket().getppid();
    const auto io = os.on(genesys::block{});
    const long got = io.pread64(from, memory, bytes, 0), put = io.pwrite64(to, memory, bytes, 0);
    for (u32 i = 0; i < each; ++i)
      if (held[i].wait() == -EAGAIN) genesys::atomic<long>(values[2]).fetch_add(1);
    if (genesys::thread_rank() != 0) return;
    values[0] = got;
    values[1] = put;
  }
};

TEST(Pieces, WithoutACompletionSlot) {
  runtime rt;
  constexpr u64 bytes = 300'000;
  const std::string data = patterned(bytes);
  const file_in_memory from(data), to("");
  on_device<u8> memory(rt, bytes);
  on_device<long> values(rt, 3);
  values.fill(0);
  rt.grant(from.fd());
  rt.grant(to.fd());
  play(rt, {.threads = {32}}, read_beside_tickets{}, from.fd(), to.fd(), memory.get(), bytes, values.get());
  const std::vector<long> said = values.take();
  EXPECT_EQ(said[0], static_cast<long>(bytes));
  EXPECT_EQ(said[1], static_cast<long>(bytes));
  EXPECT_GT(said[2], 0) << "some slots were free";
  EXPECT_TRUE(to.content() == data);
}

// More blocks than bounce buffers at the start: some pieces find none at hand, and the calls go on without.
struct read_all {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u8* memory, u64 bytes, u32* wrong) const {
    const auto io = os.on(genesys::block{});
    u8* own = memory + genesys::block_rank() * bytes;
    for (u32 i = 0; i < 3; ++i) {
      const u64 at = genesys::block_rank() * 11 + i;
      u32 bad = io.pread64(fd, own, bytes, static_cast<long>(at)) != static_cast<long>(bytes);
      for (u64 k = genesys::thread_rank(); k < bytes; k += genesys::threads_in_block())
        bad += own[k] != pattern(at + k);
      if (bad != 0) genesys::atomic<u32>(*wrong).fetch_add(bad);
      genesys::sync_block();
    }
  }
};

TEST(Pieces, OfManyBlocks) {
  runtime rt({.arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
  const file_in_memory from(patterned(500'000));
  constexpr u64 bytes = 400'003;
  const u32 blocks = on_cuda() ? 264 : 24;
  on_device<u8> memory(rt, blocks * bytes);
  on_device<u32> wrong(rt, 1);
  wrong.fill(0);
  rt.grant(from.fd());
  play(rt, {.blocks = {blocks}, .threads = {on_cuda() ? 256u : 32u}}, read_all{}, from.fd(), memory.get(), bytes,
       wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
}

}  // namespace
}  // namespace contract
