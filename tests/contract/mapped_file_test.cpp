// SPDX-License-Identifier: Apache-2.0
// Files that a kernel maps, and that both sides address: the kernel's loads and stores against the file, calls with
// pointers into the mapping, and the end of the file.
#include "mapping.h"

namespace contract {
namespace {

constexpr u64 file_bytes = (3 << 20) + 123;

// --- The mapping holds the file's content.

struct map_and_compare {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, int flags, u64 bytes, u64 salt, long* v, u32* wrong) const {
    const auto io = os.on(genesys::block{});
    const long at = io.mmap(nullptr, bytes, PROT_READ, flags, fd, 0);
    if (genesys::thread_rank() == 0) v[0] = at;
    if (!is_address(at)) return;
    u32 bad = wrong_bytes(pointer(at), bytes, salt);
    for (u64 i = bytes + genesys::thread_rank(); i % page != 0; i += genesys::threads_in_block()) {
      if (i / page != bytes / page) break;
      bad += pointer(at)[i] != 0;  // the rest of the last page
    }
    if (bad != 0) genesys::atomic<u32>(*wrong).fetch_add(bad);
    const long first = io.munmap(pointer(at), bytes), second = io.munmap(pointer(at), bytes);
    if (genesys::thread_rank() == 0) v[1] = first, v[2] = second;
  }
};

TEST_F(MappedFile, EveryByteIsWhatTheFileHas) {
  for (const bool in_memory : {false, true}) {
    for (const int flags : {MAP_SHARED, MAP_PRIVATE, MAP_SHARED | MAP_POPULATE, MAP_SHARED_VALIDATE}) {
      const u64 salt = static_cast<u64>(flags);
      const std::string content = patterned(file_bytes, salt);
      const descriptor file = in_memory ? made_memory_file(content) : made_file(in, "file", content);
      on_device<long> values(rt, 3);
      on_device<u32> wrong(rt, 1);
      wrong.fill(0);
      play(rt, {.threads = {256}}, map_and_compare{}, file.get(), flags, file_bytes, salt, values.get(), wrong.get());
      const auto v = values.take();
      EXPECT_TRUE(is_address(v[0]) && v[0] % static_cast<long>(page) == 0) << v[0];
      EXPECT_EQ(v[1], 0);
      EXPECT_EQ(v[2], -EINVAL);
      EXPECT_EQ(wrong.take()[0], 0u) << "flags " << flags;
    }
  }
}

struct look_twice {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u64 words, u32* step, long* v, u32* wrong) const {
    using namespace genesys;
    const long at = os.mmap(nullptr, words * 4, PROT_READ, MAP_SHARED, fd, 0);
    v[0] = at;
    auto* word = reinterpret_cast<u32*>(at);
    for (u32 round = 0; round < 3 && is_address(at); ++round) {
      for (u64 i = 0; i < words; ++i) {
        if (atomic<u32, thread_scope::system>(word[i]).load(std::memory_order_acquire) != round * 1000 + i) ++*wrong;
      }
      tell(step, 2 * round + 1);
      wait_for(step, 2 * round + 2);
    }
  }
};

TEST_F(MappedFile, WhatOthersWriteIsSeen) {
  constexpr u32 words = 2500;
  const auto content = [](u32 round) {
    std::string text(words * 4, 0);
    for (u32 i = 0; i < words; ++i) {
      const u32 word = round * 1000 + i;
      std::memcpy(&text[i * 4], &word, 4);
    }
    return text;
  };
  for (const bool in_memory : {false, true}) {
    const descriptor file = in_memory ? made_memory_file(content(0)) : made_file(in, "seen", content(0));
    on_device<long> values(rt, 1);
    on_device<u32> wrong(rt, 1);
    wrong.fill(0);
    meeting with(rt);
    launched run = start(rt, {}, look_twice{}, file.get(), u64{words}, with.get(), values.get(), wrong.get());
    for (u32 round = 0; round < 3; ++round) {
      with.reach(2 * round + 1);
      const std::string next = content(round + 1);
      EXPECT_EQ(::pwrite(file.get(), next.data(), next.size(), 0), static_cast<ssize_t>(next.size()));
      with.go_on(2 * round + 2);
    }
    run.finish();
    EXPECT_TRUE(is_address(values.take()[0])) << values.take()[0];
    EXPECT_EQ(wrong.take()[0], 0u);
  }
}

struct store_into {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, int flags, u64 bytes, long* v, u32* wrong) const {
    const auto io = os.on(genesys::block{});
    const long at = io.mmap(nullptr, bytes, both, flags, fd, 0);
    if (genesys::thread_rank() == 0) v[0] = at;
    if (!is_address(at)) return;
    for (u64 i = genesys::thread_rank(); i < bytes; i += genesys::threads_in_block()) {
      if (i % 3 == 0) pointer(at)[i] = pattern(i, 77);
    }
    genesys::sync_block();
    u32 bad = 0;
    for (u64 i = genesys::thread_rank(); i < bytes; i += genesys::threads_in_block())
      bad += pointer(at)[i] != pattern(i, i % 3 == 0 ? 77 : 1);
    if (bad != 0) genesys::atomic<u32>(*wrong).fetch_add(bad);
    const long said = io.munmap(pointer(at), bytes);
    if (genesys::thread_rank() == 0) v[1] = said;
  }
};

TEST_F(MappedFile, StoresReachASharedFileAndNotAPrivateOne) {
  const std::string content = patterned(file_bytes, 1);
  std::string stored = content;
  for (std::size_t i = 0; i < stored.size(); i += 3) stored[i] = static_cast<char>(pattern(i, 77));
  for (const bool in_memory : {true, false}) {
    for (const int flags : {MAP_SHARED, MAP_PRIVATE}) {
      const descriptor file = in_memory ? made_memory_file(content) : made_file(in, "stored", content);
      on_device<long> values(rt, 2);
      on_device<u32> wrong(rt, 1);
      wrong.fill(0);
      play(rt, {.threads = {128}}, store_into{}, file.get(), flags, file_bytes, values.get(), wrong.get());
      const auto v = values.take();
      if (v[0] == -EOPNOTSUPP && on_cuda() && !in_memory && flags == MAP_SHARED) continue;  // CUDA refuses ext4's
      ASSERT_TRUE(is_address(v[0])) << v[0];
      EXPECT_EQ(v[1], 0);
      EXPECT_EQ(wrong.take()[0], 0u);
      EXPECT_TRUE(content_of(file.get()) == (flags == MAP_SHARED ? stored : content));
    }
  }
}

// --- Calls with pointers into mappings.

struct use_in_calls {
  GENESYS_KERNEL void operator()(genesys::os os, int from, int to, u64 bytes, long* v) const {
    const long at = v[0] = os.mmap(nullptr, bytes, PROT_READ, MAP_SHARED, from, 0);
    const long fresh = v[1] = os.mmap(nullptr, 3 * page, both, new_memory, -1, 0);
    if (!is_address(at) || !is_address(fresh)) return;
    v[2] = os.write(to, pointer(at), bytes);                     // not staged: it is longer than staging allows
    v[3] = os.pread64(from, pointer(fresh) + 5, 2 * page, 100);  // into new memory
    v[4] = os.pwrite64(to, pointer(fresh) + 5, 2 * page, 100);
    v[5] = os.pread64(from, pointer(at), page, 0);            // the mapping is read-only
    v[6] = os.write(to, pointer(fresh) + 3 * page - 10, 11);  // past its end
    v[7] = os.munmap(pointer(at), bytes);
    v[8] = os.munmap(pointer(fresh), 3 * page);
    v[9] = os.write(to, pointer(at), 10);
    v[10] = os.pread64(from, pointer(fresh), 10, 0);
    v[11] = os.pwrite64(to, pointer(fresh) + 5, 10, 0);
    v[12] = os.openat(AT_FDCWD, reinterpret_cast<const char*>(at), O_RDONLY);
  }
};

TEST_F(MappedFile, CallsUseWhatIsMappedAndNotWhatWas) {
  const std::string content = patterned(file_bytes, 4);
  const descriptor from = made_file(in, "from", content), to = made_file(in, "to", "");
  on_device<long> values(rt, 13);
  play(rt, {}, use_in_calls{}, from.get(), to.get(), file_bytes, values.get());
  const auto v = values.take();
  ASSERT_TRUE(is_address(v[0]) && is_address(v[1])) << v[0] << " " << v[1];
  EXPECT_EQ(v[2], static_cast<long>(file_bytes));
  EXPECT_EQ(v[3], static_cast<long>(2 * page));
  EXPECT_EQ(v[4], static_cast<long>(2 * page));
  EXPECT_TRUE(content_of(to.get()) == content);
  EXPECT_EQ(v[5], -EFAULT);
  EXPECT_EQ(v[6], -EFAULT);
  EXPECT_EQ(v[7], 0);
  EXPECT_EQ(v[8], 0);
  for (const int k : {9, 10, 11, 12}) EXPECT_EQ(v[static_cast<std::size_t>(k)], -EFAULT) << k;
}

struct open_by_mapped_path {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u32* step, long* v) const {
    const long at = v[0] = os.mmap(nullptr, page, PROT_READ, MAP_SHARED, fd, 0);
    if (!is_address(at)) return;
    const auto* path = reinterpret_cast<const char*>(at);
    v[1] = os.openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (v[1] >= 0) os.close(static_cast<int>(v[1]));
    tell(step, 1);
    wait_for(step, 2);  // the host truncates the file to nothing
    v[2] = os.openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    v[3] = os.nanosleep(reinterpret_cast<const timespec*>(at));
    v[4] = os.write(fd, path, 1);
    v[5] = os.getppid();
  }
};

// Linux kills a process that touches a mapping past the end of its file. The runtime must not do so.
TEST_F(MappedFile, AFileThatIsCutDoesNotEndTheHost) {
  const std::string path = in.path() + '\0';
  const descriptor file = made_file(in, "path", path);
  on_device<long> values(rt, 6);
  meeting with(rt);
  launched run = start(rt, {}, open_by_mapped_path{}, file.get(), with.get(), values.get());
  with.reach(1);
  EXPECT_EQ(::ftruncate(file.get(), 0), 0);
  with.go_on(2);
  run.finish();
  const auto v = values.take();
  ASSERT_TRUE(is_address(v[0])) << v[0];
  EXPECT_GE(v[1], 0);
  EXPECT_EQ(v[2], -EFAULT);
  EXPECT_EQ(v[3], -EFAULT);
  EXPECT_EQ(v[4], -EFAULT);
  EXPECT_EQ(v[5], ::getppid());
}

// --- The end of the file.

struct map_past_the_end {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u64 covered, long* v, u32* wrong) const {
    const long at = v[0] = os.mmap(nullptr, 10 * page, PROT_READ, MAP_SHARED, fd, 0);
    v[1] = os.mmap(nullptr, page, PROT_READ, MAP_SHARED, fd, static_cast<off_t>(2 * page));
    const long second = v[2] = os.mmap(nullptr, page, PROT_READ, MAP_PRIVATE, fd, static_cast<off_t>(page));
    if (!is_address(at) || !is_address(second)) return;
    *wrong += wrong_bytes(pointer(at), covered, 6);
    for (u64 i = page; i < covered; ++i) *wrong += pointer(second)[i - page] != pattern(i, 6);
    v[3] = os.write(fd, pointer(at) + 2 * page, 1);
    v[4] = os.munmap(pointer(at), 2 * page);
    v[5] = os.munmap(pointer(at) + page, 9 * page);
    v[6] = os.munmap(pointer(at), 9 * page + 1);
  }
};

TEST_F(MappedFile, PagesPastTheEndOfTheFileAreNotThere) {
  constexpr u64 covered = page + 1000;
  const descriptor file = made_file(in, "short", patterned(covered, 6));
  on_device<long> values(rt, 7);
  on_device<u32> wrong(rt, 1);
  wrong.fill(0);
  play(rt, {}, map_past_the_end{}, file.get(), covered, values.get(), wrong.get());
  const auto v = values.take();
  EXPECT_TRUE(is_address(v[0]) && is_address(v[2])) << v[0] << " " << v[2];
  EXPECT_EQ(v[1], -ENXIO);
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(v[3], -EFAULT);
  EXPECT_EQ(v[4], -EINVAL);
  EXPECT_EQ(v[5], -EINVAL);
  EXPECT_EQ(v[6], 0);
}

}  // namespace
}  // namespace contract
