// SPDX-License-Identifier: Apache-2.0
// Device memory that a kernel maps, frees and populates again while it runs: its content, calls with pointers into it,
// and how much free memory the device reports.
#include "mapping.h"

namespace contract {
namespace {

// CUDA and other programs use device memory, too, so its free memory is only approximate.
constexpr u64 slack = 24u << 20;

class DeviceMemory : public testing::Test {
 protected:
  runtime& rt = shared_runtime();
  // How many bytes fewer are free than before.
  long taken_since(u64 before) const { return static_cast<long>(before) - static_cast<long>(rt.free_device_bytes()); }
  void expect_taken(u64 before, u64 bytes, const char* when) const {
    const auto near_enough = [&] {
      return std::abs(taken_since(before) - static_cast<long>(bytes)) <= static_cast<long>(slack);
    };
    EXPECT_TRUE(eventually(near_enough, 5)) << when << ": " << taken_since(before) << " instead of " << bytes;
  }
};

// --- One kernel frees memory and populates it again.

constexpr u64 pieces_mapped = 64, all_bytes = pieces_mapped * piece;

struct breathe {
  GENESYS_KERNEL void operator()(genesys::os os, u32* step, long* v, u32* wrong) const {
    using namespace genesys;
    const auto io = os.on(block{});
    u32 bad = 0;
    const auto meet = [&](u32 told, u32 awaited) {
      sync_block();
      if (thread_rank() == 0) {
        tell(step, told);
        wait_for(step, awaited);
      }
      sync_block();
    };
    const auto note = [&](u32 i, long value) {
      if (thread_rank() == 0) v[i] = value;
    };
    const long mapped = io.mmap(nullptr, all_bytes - 100, both, device_memory, -1, 0);
    note(0, mapped);
    if (!is_address(mapped)) {
      if (thread_rank() == 0) tell(step, 100);
      return;
    }
    u8* at = pointer(mapped);
    bad += nonzero_words(at, all_bytes);
    sync_block();
    fill_words(at, all_bytes, 7);
    meet(1, 2);  // all pieces have memory
    note(1, io.madvise(at + 2 * piece, (pieces_mapped - 4) * piece, MADV_DONTNEED));
    meet(3, 4);  // four pieces have memory
    bad += wrong_words(at, 2 * piece, 7);
    bad += wrong_words(at + (pieces_mapped - 2) * piece, 2 * piece, 7 + (pieces_mapped - 2) * piece / 8);
    note(2, io.madvise(at + piece, (pieces_mapped - 2) * piece, MADV_POPULATE_WRITE));
    bad += wrong_words(at, 2 * piece, 7);  // kept pieces have their content, populated ones are zero
    bad += nonzero_words(at + 2 * piece, (pieces_mapped - 4) * piece);
    sync_block();
    fill_words(at + 2 * piece, (pieces_mapped - 4) * piece, 9);
    meet(5, 6);  // all pieces again
    note(3, io.munmap(at + 8 * piece, (pieces_mapped - 8) * piece));
    bad += wrong_words(at + 2 * piece, 6 * piece, 9);
    meet(7, 8);                                     // eight pieces
    note(4, io.munmap(at + 4 * piece, 8 * piece));  // a part of it is unmapped already
    note(5, io.munmap(at, 8 * piece));
    meet(9, 10);  // none
    note(6, io.munmap(at, piece));
    if (bad != 0) atomic<u32>(*wrong).fetch_add(bad);
  }
};

TEST_F(DeviceMemory, IsGivenBackAndTakenWhileTheKernelRuns) {
  on_device<long> values(rt, 7);
  on_device<u32> wrong(rt, 1);
  wrong.fill(0);
  meeting with(rt);
  const u64 before = rt.free_device_bytes(), resident_before = resident_bytes();
  const u64 mapped_before = rt.stats().mapped_device_bytes;
  const auto resident = [&](u64 least, u64 most) {  // on the CPU device it is the process's own memory
    if (on_cuda() || sanitized) return;
    const u64 now = resident_bytes() - std::min(resident_bytes(), resident_before);
    EXPECT_TRUE(now >= least && now <= most) << now << " bytes more than before";
  };
  launched run = start(rt, {.threads = {128}}, breathe{}, with.get(), values.get(), wrong.get());
  with.reach(1);
  ASSERT_TRUE(is_address(values.take()[0])) << values.take()[0];
  expect_taken(before, all_bytes, "mapped");
  resident(all_bytes, all_bytes + slack);
  EXPECT_EQ(rt.stats().mapped_device_bytes, mapped_before + all_bytes);
  with.go_on(2);
  with.reach(3);
  expect_taken(before, 4 * piece, "advised away");
  resident(4 * piece, slack);
  EXPECT_EQ(rt.stats().mapped_device_bytes, mapped_before + 4 * piece);
  EXPECT_FALSE(is_readable(values.take()[0] + static_cast<long>(2 * piece)));
  with.go_on(4);
  with.reach(5);
  expect_taken(before, all_bytes, "populated");
  with.go_on(6);
  with.reach(7);
  expect_taken(before, 8 * piece, "unmapped in part");
  with.go_on(8);
  with.reach(9);
  expect_taken(before, 0, "unmapped");
  resident(0, slack);
  EXPECT_EQ(rt.stats().mapped_device_bytes, mapped_before);
  with.go_on(10);
  run.finish();
  const auto v = values.take();
  for (const std::size_t i : {1u, 2u, 3u, 5u}) EXPECT_EQ(v[i], 0) << i;
  EXPECT_EQ(v[4], -EINVAL);
  EXPECT_EQ(v[6], -EINVAL);
  EXPECT_EQ(wrong.take()[0], 0u);
}

struct map_again_and_again {
  GENESYS_KERNEL void operator()(genesys::os os, u32 rounds, long* v, u32* wrong) const {
    const auto io = os.on(genesys::block{});
    u32 bad = 0;
    for (u32 i = 0; i < rounds; ++i) {
      const long at = io.mmap(nullptr, 3 * piece, both, device_memory, -1, 0);
      if (genesys::thread_rank() == 0) v[i] = at;
      if (!is_address(at)) return;
      bad += nonzero_words(pointer(at), 3 * piece);
      genesys::sync_block();
      fill_words(pointer(at), 3 * piece, i + 1);
      genesys::sync_block();
      bad += io.munmap(pointer(at), 3 * piece) != 0;
    }
    if (bad != 0) genesys::atomic<u32>(*wrong).fetch_add(bad);
  }
};

TEST_F(DeviceMemory, AddressesAreUsedAgainAndMemoryIsNew) {
  constexpr u32 rounds = 20;
  on_device<long> values(rt, rounds);
  on_device<u32> wrong(rt, 1);
  wrong.fill(0);
  play(rt, {.threads = {128}}, map_again_and_again{}, rounds, values.get(), wrong.get());
  const auto v = values.take();
  for (const long at : v) EXPECT_EQ(at, v[0]);
  EXPECT_TRUE(is_address(v[0]) && v[0] % static_cast<long>(piece) == 0) << v[0];
  EXPECT_EQ(wrong.take()[0], 0u);
}

// --- Requests that are refused.

struct ask_wrongly {
  GENESYS_KERNEL void operator()(genesys::os os, long* v) const {
    const long at = v[0] = os.mmap(nullptr, 4 * piece, both, device_memory, -1, 0);
    if (!is_address(at)) return;
    u8* p = pointer(at);
    v[1] = os.madvise(p + page, piece, MADV_DONTNEED);
    v[2] = os.madvise(p, piece + page, MADV_DONTNEED);
    v[3] = os.madvise(p, 5 * piece, MADV_DONTNEED);
    v[4] = os.madvise(p + page, piece, MADV_POPULATE_WRITE);
    v[5] = os.madvise(p, piece, MADV_FREE);
    v[6] = os.munmap(p + page, piece);
    v[7] = os.munmap(p, 5 * piece);
    v[8] = os.munmap(p, 0);
    v[9] = os.munmap(p + 3 * piece, ~u64{0});
    v[10] = os.madvise(p + 3 * piece, ~u64{0} - piece + 1, MADV_DONTNEED);
    p[3 * piece + 5] = 'x';
    v[11] = os.madvise(p, 4 * piece, MADV_WILLNEED);
    v[12] = os.madvise(p, piece, MADV_DONTNEED);
    v[13] = os.madvise(p, piece, MADV_DONTNEED);  // the second time is no error
    v[14] = os.munmap(p, 3 * piece);              // with a gap in it
    v[15] = os.madvise(p, piece, MADV_POPULATE_WRITE);
    v[16] = os.madvise(p + 3 * piece, piece, MADV_POPULATE_WRITE);  // it has memory
    v[17] = p[3 * piece + 5];
    v[18] = os.munmap(p + 3 * piece, piece - 1);
  }
};

TEST_F(DeviceMemory, WhatIsRefused) {
  on_device<long> values(rt, 19);
  play(rt, {}, ask_wrongly{}, values.get());
  const auto v = values.take();
  ASSERT_TRUE(is_address(v[0])) << v[0];
  for (std::size_t i = 1; i <= 10; ++i) EXPECT_EQ(v[i], -EINVAL) << i;
  for (const std::size_t i : {11u, 12u, 13u, 14u, 16u, 18u}) EXPECT_EQ(v[i], 0) << i;
  EXPECT_EQ(v[15], -EINVAL);
  EXPECT_EQ(v[17], 'x');
}

// --- Calls with pointers into it.

struct use_in_calls {
  GENESYS_KERNEL void operator()(genesys::os os, int from, int to, u64 bytes, long* v, u32* wrong) const {
    const auto io = os.on(genesys::block{});
    const auto note = [&](u32 i, long value) {
      if (genesys::thread_rank() == 0) v[i] = value;
    };
    const long mapped = io.mmap(nullptr, 4 * piece, both, device_memory, -1, 0);
    note(0, mapped);
    if (!is_address(mapped)) return;
    u8* at = pointer(mapped);
    note(1, io.pread64(from, at + 11, bytes, 0));  // split, and across several pieces of memory
    if (const u32 bad = wrong_bytes(at + 11, bytes, 3); bad != 0) genesys::atomic<u32>(*wrong).fetch_add(bad);
    note(2, io.pwrite64(to, at + 11, bytes, 0));
    note(3, io.write(to, at + 4 * piece - 10, 11));  // past its end
    note(4, io.syscall(SYS_write, to, mapped, 1));   // the host cannot read it
    note(5, io.madvise(at + piece, piece, MADV_DONTNEED));
    note(6, io.write(to, at + piece - 5, 10));  // into the gap
    note(7, io.write(to, at + piece, 10));
    note(8, io.pread64(from, at + piece - 5, 10, 0));  // up to the gap
    note(9, io.madvise(at + piece, piece, MADV_POPULATE_WRITE));
    note(10, io.pwrite64(to, at + piece - 5, 10, 0));  // across the populated gap
    note(11, io.munmap(at, 4 * piece));
    note(12, io.pread64(from, at + 11, 10, 0));
    note(13, io.pwrite64(to, at + 11, 10, 0));
    note(14, io.openat(AT_FDCWD, reinterpret_cast<const char*>(at), O_RDONLY));
    const long again = io.mmap(nullptr, 4 * piece, both, device_memory, -1, 0);
    note(15, again);
    if (!is_address(again)) return;
    note(16, io.pread64(from, pointer(again), 10, 0));
    note(17, io.munmap(pointer(again), 4 * piece));
  }
};

TEST_F(DeviceMemory, CallsUseWhatIsThereAndNotWhatWas) {
  folder in;
  constexpr u64 bytes = 3 * piece + 1234;
  const std::string content = patterned(bytes, 3);
  const descriptor from = made_file(in, "from", content), to = made_file(in, "to", "");
  on_device<long> values(rt, 18);
  on_device<u32> wrong(rt, 1);
  wrong.fill(0);
  play(rt, {.threads = {128}}, use_in_calls{}, from.get(), to.get(), bytes, values.get(), wrong.get());
  const auto v = values.take();
  ASSERT_TRUE(is_address(v[0])) << v[0];
  EXPECT_EQ(v[1], static_cast<long>(bytes));
  EXPECT_EQ(v[2], static_cast<long>(bytes));
  EXPECT_EQ(wrong.take()[0], 0u);
  for (const std::size_t i : {3u, 4u, 6u, 7u, 12u, 13u, 14u}) EXPECT_EQ(v[i], -EFAULT) << i;
  EXPECT_EQ(v[8], 5);
  EXPECT_EQ(v[10], 10);
  EXPECT_EQ(v[16], 10);
  for (const std::size_t i : {5u, 9u, 11u, 17u}) EXPECT_EQ(v[i], 0) << i;
  EXPECT_EQ(v[15], v[0]);
  EXPECT_TRUE(content_of(to.get()).substr(10) == content.substr(10));
}

// --- Short reads whose buffer goes past the end of its memory: what fits is read, as Linux does.

struct read_to_the_end {
  // By the threads of the scope, which `meet`. Each of them sees what was read.
  template <class Io, class Meet>
  GENESYS_KERNEL static u32 wrong_reads(const Io& io, int fd, u8* end, const Meet& meet) {
    u32 wrong = 0;
    for (const u32 count : {8u, 9u, 40u, 64u, 65u}) {
      for (const u32 there : {1u, 6u, 8u, count - 2}) {
        if (there >= count) continue;
        wrong += io.pread64(fd, end - there, count, static_cast<long>(count)) != static_cast<long>(there);
        for (u32 i = 0; i < there; ++i) wrong += (end - there)[i] != pattern(count + i, 3);
        meet();
      }
    }
    return wrong;
  }
  GENESYS_KERNEL void operator()(genesys::os os, int fd, long* v, u32* wrong) const {
    using namespace genesys;
    const auto io = os.on(block{});
    const long mapped = io.mmap(nullptr, 2 * piece, both, device_memory, -1, 0);
    if (thread_rank() == 0) v[0] = mapped;
    if (!is_address(mapped)) return;
    u8* const end = pointer(mapped) + piece;
    u32 bad = io.munmap(end, piece) != 0;
    if (thread_rank() == 0) bad += wrong_reads(os, fd, end, [] {});
    sync_block();
    if (thread_rank() < warp_lanes) bad += wrong_reads(os.on(warp{}), fd, end, [] { sync_warp(); });
    sync_block();
    bad += wrong_reads(io, fd, end, [] { sync_block(); });
    bad += wrong_reads(io.relaxed(), fd, end, [] { sync_block(); });
    bad += io.munmap(pointer(mapped), piece) != 0;
    if (bad != 0) atomic<u32>(*wrong).fetch_add(bad);
  }
};

TEST_F(DeviceMemory, ShortReadsEndWithTheMemory) {
  folder in;
  const descriptor from = made_file(in, "from", patterned(200, 3));
  on_device<long> values(rt, 1);
  on_device<u32> wrong(rt, 1);
  wrong.fill(0);
  play(rt, {.threads = {64}}, read_to_the_end{}, from.get(), values.get(), wrong.get());
  ASSERT_TRUE(is_address(values.take()[0]));
  EXPECT_EQ(wrong.take()[0], 0u);
}

// --- Call modes.

struct map_by_warps {
  GENESYS_KERNEL void operator()(genesys::os os, u32* wrong) const {
    using namespace genesys;
    const auto io = os.on(warp{});
    const long at = io.relaxed().mmap(nullptr, piece, both, device_memory, -1, 0);
    u32 bad = !is_address(at);
    if (is_address(at)) {
      pointer(at)[lane()] = static_cast<u8>(lane() + 1);
      sync_warp();
      bad += pointer(at)[(lane() + 7) % warp_lanes] != (lane() + 7) % warp_lanes + 1;
      bad += io.relaxed().munmap(pointer(at), piece) != 0;
    }
    auto later = io.ticket().mmap(nullptr, piece, both, device_memory, -1, 0);
    const long second = later.wait();
    bad += !is_address(second);
    if (is_address(second)) {
      bad += pointer(second)[lane()] != 0;
      sync_warp();
      io.posted().munmap(pointer(second), piece);
    }
    const long third = os.syscall(SYS_mmap, 0, piece, both, device_memory, -1, 0);
    bad += !is_address(third) || os.syscall(SYS_munmap, third, piece) != 0;
    if (bad != 0) atomic<u32>(*wrong).fetch_add(bad);
  }
};

TEST_F(DeviceMemory, IsMappedInEveryCallMode) {
  const u64 before = rt.stats().mapped_device_bytes;
  on_device<u32> wrong(rt, 1);
  wrong.fill(0);
  play(rt, {.blocks = {3}, .threads = {64}}, map_by_warps{}, wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(rt.stats().mapped_device_bytes, before);
}

// --- Many at once.

struct map_at_once {
  GENESYS_KERNEL void operator()(genesys::os os, u32 rounds, int file, u32* wrong) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    u32 bad = 0;
    for (u32 i = 0; i < rounds; ++i) {
      const bool of_device = (me + i) % 2 == 0;
      const u64 bytes = of_device ? piece : (1 + me % 3) * page;
      const long at = os.mmap(nullptr, bytes, both, of_device ? device_memory : new_memory, -1, 0);
      if (!is_address(at)) {
        ++bad;
        continue;
      }
      auto* words = reinterpret_cast<u32*>(at);
      const u32 last = static_cast<u32>(bytes / 4 - 1);
      bad += words[0] != 0 || words[last] != 0;
      words[0] = me;
      words[last] = ~me;
      u32 read = 0;
      bad += os.pread64(file, words + 1, 4, static_cast<off_t>(me % 64 * 4)) != 4;
      read = words[1];
      bad += words[0] != me || words[last] != ~me || read != me % 64;
      if (of_device && i % 4 == 0) {
        bad += os.madvise(words, piece, MADV_DONTNEED) != 0 || os.madvise(words, piece, MADV_POPULATE_WRITE) != 0;
        bad += words[0] != 0;
      }
      bad += os.munmap(words, bytes) != 0;
      if (!of_device) bad += os.munmap(words, bytes) != -EINVAL;  // (a device address may be in use again)
    }
    if (bad != 0) atomic<u32>(*wrong).fetch_add(bad);
  }
};

TEST_F(DeviceMemory, AThousandAtOnce) {
  std::string numbers;
  for (u32 i = 0; i < 64; ++i) numbers.append(reinterpret_cast<const char*>(&i), 4);
  const descriptor file = made_memory_file(numbers);
  const auto before = rt.stats();
  on_device<u32> wrong(rt, 1);
  wrong.fill(0);
  play(rt, {.blocks = {4}, .threads = {32}}, map_at_once{}, sanitized ? 2u : 8u, file.get(), wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
  const auto after = rt.stats();
  EXPECT_EQ(after.mapped_device_bytes, before.mapped_device_bytes);
  EXPECT_EQ(after.mapped_host_bytes, before.mapped_host_bytes);
  EXPECT_EQ(after.quarantined_bytes, 0u);
}

}  // namespace
}  // namespace contract
