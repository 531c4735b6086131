// SPDX-License-Identifier: Apache-2.0
// New memory that a kernel maps and both sides address: its content and lifetime, quarantine, and the end of the
// runtime.
#include "mapping.h"

namespace contract {
namespace {

// --- New memory.

struct write_new_memory {
  GENESYS_KERNEL void operator()(genesys::os os, u64 bytes, long* v, u32* wrong) const {
    const auto io = os.on(genesys::block{});
    const long at = io.mmap(nullptr, bytes, both, new_memory, -1, 0);
    if (genesys::thread_rank() == 0) v[0] = at;
    if (!is_address(at)) return;
    if (const u32 bad = nonzero_words(pointer(at), bytes); bad != 0) genesys::atomic<u32>(*wrong).fetch_add(bad);
    genesys::sync_block();
    fill_words(pointer(at), bytes, 12345);
  }
};
struct unmap_again {
  GENESYS_KERNEL void operator()(genesys::os os, u64 at, u64 bytes, long* v, u32* wrong) const {
    const auto io = os.on(genesys::block{});
    const u32 bad = wrong_words(pointer(static_cast<long>(at)), bytes, 12345);
    if (bad != 0) genesys::atomic<u32>(*wrong).fetch_add(bad);
    const long said = io.munmap(pointer(static_cast<long>(at)), bytes);
    if (genesys::thread_rank() == 0) v[1] = said;
  }
};

TEST(MappedMemory, NewMemoryIsZeroAndOutlivesItsRun) {
  runtime rt(small_options());
  constexpr u64 bytes = 5 * page;
  const genesys::run idle = rt.attach();  // a run without a kernel delays nothing
  on_device<long> values(rt, 2);
  on_device<u32> wrong(rt, 1);
  wrong.fill(0);
  play(rt, {.threads = {64}}, write_new_memory{}, bytes, values.get(), wrong.get());
  const u64 at = static_cast<u64>(values.take()[0]);
  ASSERT_TRUE(is_address(values.take()[0])) << values.take()[0];
  EXPECT_EQ(rt.stats().mapped_host_bytes, bytes);
  const auto* words = reinterpret_cast<const u64*>(at);  // the host addresses it, too
  for (u64 i = 0; i < bytes / 8; ++i) ASSERT_EQ(words[i], 12345 + i);
  {
    launched run = start(rt, {.threads = {64}}, unmap_again{}, at, bytes, values.get(), wrong.get());
    ASSERT_TRUE(eventually([&] { return run->finished(); }));
    EXPECT_EQ(rt.stats().quarantined_bytes, bytes);
    EXPECT_TRUE(is_readable(static_cast<long>(at)));
    run->drain();
    EXPECT_EQ(rt.stats().quarantined_bytes, 0u);
    EXPECT_FALSE(is_readable(static_cast<long>(at)));
  }
  EXPECT_EQ(values.take()[1], 0);
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(rt.stats().mapped_host_bytes, 0u);
}

// --- Quarantine.

struct map_and_unmap_some {
  GENESYS_KERNEL void operator()(genesys::os os, u32 count, u64 bytes, long* v) const {
    for (u32 i = 0; i < count; ++i) v[i] = os.mmap(nullptr, bytes, both, new_memory, -1, 0);
    for (u32 i = 0; i < count; ++i) v[count + i] = os.munmap(pointer(v[i]), bytes);
    *pointer(v[count - 1]) = 'x';  // the mapping is still there
    v[2 * count] = *pointer(v[count - 1]);
  }
};
struct unmap_one {
  GENESYS_KERNEL void operator()(genesys::os os, long at, u64 bytes, long* v) const {
    v[0] = os.munmap(pointer(at), bytes);
  }
};

TEST(MappedMemory, QuarantineIsBoundedAndEmptiedByDrain) {
  for (const bool by_number : {false, true}) {
    genesys::options chosen = small_options();
    if (by_number) chosen.quarantine_mappings = 3;
    if (!by_number) chosen.quarantine_bytes = 13 * page;
    runtime rt(chosen);
    on_device<long> values(rt, 9);
    launched run = start(rt, {}, map_and_unmap_some{}, 4u, 4 * page, values.get());
    ASSERT_TRUE(eventually([&] { return run->finished(); }));
    EXPECT_EQ(rt.stats().quarantined_bytes, 12 * page);
    EXPECT_EQ(rt.stats().mapped_host_bytes, 4 * page);
    run.finish();
    EXPECT_EQ(rt.stats().quarantined_bytes, 0u);
    const auto v = values.take();
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_TRUE(is_address(v[i])) << v[i];
      EXPECT_EQ(v[4 + i], i < 3 ? 0 : -ENOMEM);
      EXPECT_EQ(is_readable(v[i]), i == 3);
    }
    EXPECT_EQ(v[8], 'x');
    play(rt, {}, unmap_one{}, v[3], 4 * page, values.get());
    EXPECT_EQ(values.take()[0], 0);
    EXPECT_FALSE(is_readable(v[3]));
  }
}

// --- The end of the runtime.

struct leave_mapped {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, long* v) const {
    v[0] = os.mmap(nullptr, 2 * page, PROT_READ, MAP_SHARED, fd, 0);
    v[1] = os.mmap(nullptr, 5 * page, PROT_READ, MAP_SHARED, fd, 0);  // the last one past the end
    v[2] = os.mmap(nullptr, 3 * page, both, new_memory, -1, 0);
    v[3] = os.mmap(nullptr, 3 * piece, both, device_memory, -1, 0);
    v[4] = os.mmap(nullptr, 2 * page, PROT_READ, MAP_SHARED, fd, 0);
    v[5] = os.munmap(pointer(v[4]), 2 * page);
    v[6] = os.madvise(pointer(v[3]) + piece, piece, MADV_DONTNEED);
  }
};

TEST(MappedMemory, TheEndOfTheRuntimeLeavesNothingMapped) {
  runtime& other = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "left-mapped", patterned(4 * page));
  const u64 free_before = other.free_device_bytes();
  std::vector<long> v;
  {
    runtime rt(small_options());
    on_device<long> values(rt, 7);
    play(rt, {}, leave_mapped{}, file.get(), values.get());
    v = values.take();
    for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(is_address(v[i])) << i << ": " << v[i];
    EXPECT_EQ(v[5], 0);
    EXPECT_EQ(v[6], 0);
    EXPECT_EQ(mappings_of("/left-mapped"), 2u);
    EXPECT_EQ(rt.stats().mapped_host_bytes, (2 + 5 + 3) * page);
    EXPECT_EQ(rt.stats().mapped_device_bytes, 2 * piece);
  }
  EXPECT_EQ(mappings_of("/left-mapped"), 0u);
  EXPECT_FALSE(is_readable(v[2]));
  EXPECT_FALSE(is_readable(v[1] + static_cast<long>(4 * page)));
  if (!on_cuda()) {
    EXPECT_EQ(other.free_device_bytes(), free_before);
  }
}

}  // namespace
}  // namespace contract
