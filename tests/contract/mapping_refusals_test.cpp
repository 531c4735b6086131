// SPDX-License-Identifier: Apache-2.0
// mmap, munmap and madvise with arguments that are refused, on memory of others, and with advice.
#include <limits>

#include "mapping.h"

namespace contract {
namespace {

struct asked {
  u64 length;
  int prot, flags, fd;
  long offset;
  long must_give;
};
struct ask_all {
  GENESYS_KERNEL void operator()(genesys::os os, const asked* all, u32 count, long* v) const {
    const u32 i = genesys::thread_rank();
    if (i < count) v[i] = os.mmap(nullptr, all[i].length, all[i].prot, all[i].flags, all[i].fd, all[i].offset);
  }
};

TEST_F(MappedFile, WhatIsRefused) {
  const descriptor file = made_file(in, "file", patterned(3 * page));
  const descriptor read_only(::open((in / "file").c_str(), O_RDONLY | O_CLOEXEC));
  const int fd = file.get();
  const std::vector<asked> all{
      {page, PROT_READ, MAP_SHARED, fd, 100, -EINVAL},
      {page, PROT_READ, MAP_SHARED, fd, -4096, -EINVAL},
      {page, PROT_READ, MAP_SHARED, fd, std::numeric_limits<long>::min(), -EINVAL},
      {0, PROT_READ, MAP_SHARED, fd, 0, -EINVAL},
      {0, both, new_memory, -1, 0, -EINVAL},
      {page, PROT_READ, 0, fd, 0, -EINVAL},
      {page, PROT_READ, MAP_SHARED, -1, 0, -EBADF},
      {page, PROT_READ, MAP_PRIVATE, 999'999, 0, -EBADF},
      {page, PROT_READ, MAP_SHARED, in.fd(), 0, -ENODEV},
      {page, both, MAP_SHARED, read_only.get(), 0, -EACCES},
      {page, PROT_READ, MAP_SHARED, fd, 3 * page, -ENXIO},
      {u64{1} << 47, PROT_READ, MAP_SHARED, fd, 0, -ENOMEM},
      {~u64{0}, both, new_memory, -1, 0, -ENOMEM},
      {page, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0, -EOPNOTSUPP},
      {page, PROT_NONE, MAP_PRIVATE, fd, 0, -EOPNOTSUPP},
      {page, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0, -EOPNOTSUPP},
      {page, PROT_READ, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0, -EOPNOTSUPP},
      {page, both, new_memory | MAP_GROWSDOWN, -1, 0, -EOPNOTSUPP},
      {page, both, new_memory | MAP_HUGETLB, -1, 0, -EOPNOTSUPP},
      {piece, both, MAP_PRIVATE | genesys::map_device, fd, 0, -EINVAL},
      {piece, PROT_READ, device_memory, -1, 0, -EOPNOTSUPP},
      {0, both, device_memory, -1, 0, -EINVAL},
      {u64{1} << 45, both, device_memory, -1, 0, -ENOMEM},
      {~u64{0}, both, device_memory, -1, 0, -ENOMEM},
  };
  const on_device<asked> asked_of(rt, all);
  on_device<long> values(rt, all.size());
  play(rt, {.threads = {64}}, ask_all{}, static_cast<const asked*>(asked_of.get()), static_cast<u32>(all.size()),
       values.get());
  const auto v = values.take();
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(v[i], all[i].must_give) << i;
}

struct unmap_foreign {
  GENESYS_KERNEL void operator()(genesys::os os, const u64* all, u32 count, long* v) const {
    for (u32 i = 0; i < count; ++i) {
      v[3 * i] = os.munmap(pointer(static_cast<long>(all[i])), page);
      v[3 * i + 1] = os.madvise(pointer(static_cast<long>(all[i])), page, MADV_DONTNEED);
      v[3 * i + 2] = os.syscall(SYS_munmap, static_cast<long>(all[i]), 1l << 40);
    }
  }
};

TEST_F(MappedFile, OthersMemoryIsOutOfReach) {
  void* const mine = ::mmap(nullptr, page, both, new_memory, -1, 0);
  std::memset(mine, 'm', page);
  on_device<u8> on_the_device(rt, piece);
  in_arena<u8> in_the_arena(rt, 2 * page);
  const std::vector<u64> all{0,
                             page,
                             ~u64{0} - page + 1,
                             reinterpret_cast<u64>(mine),
                             reinterpret_cast<u64>(on_the_device.get()),
                             (reinterpret_cast<u64>(in_the_arena.get()) + page - 1) / page * page};
  const on_device<u64> asked_of(rt, all);
  on_device<long> values(rt, all.size() * 3);
  play(rt, {}, unmap_foreign{}, static_cast<const u64*>(asked_of.get()), static_cast<u32>(all.size()), values.get());
  for (const long value : values.take()) EXPECT_EQ(value, -EINVAL);
  EXPECT_EQ(static_cast<const char*>(mine)[page - 1], 'm');
  EXPECT_EQ(on_the_device.take()[0], 0xee);
  ::munmap(mine, page);
}

struct advise_host_memory {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, const int* advice, u32 count, long* v) const {
    const long at = v[0] = os.mmap(nullptr, 2 * page, PROT_READ, MAP_SHARED, fd, 0);
    const long fresh = v[1] = os.mmap(nullptr, 2 * page, both, new_memory, -1, 0);
    if (!is_address(at) || !is_address(fresh)) return;
    for (u32 i = 0; i < count; ++i) {
      v[2 + 2 * i] = os.madvise(pointer(at), 2 * page, advice[i]);
      v[3 + 2 * i] = os.madvise(pointer(fresh) + page, page, advice[i]);
    }
    v += 2 + 2 * count;
    v[0] = os.madvise(pointer(at) + 1, page, MADV_WILLNEED);
    v[1] = os.madvise(pointer(at), 3 * page, MADV_WILLNEED);
    v[2] = os.madvise(pointer(fresh), ~u64{0}, MADV_WILLNEED);
    v[3] = os.madvise(pointer(fresh), 0, MADV_WILLNEED);
    v[4] = os.munmap(pointer(at), 2 * page);
    v[5] = os.munmap(pointer(fresh), 2 * page);
    v[6] = os.madvise(pointer(at), page, MADV_WILLNEED);
  }
};

TEST_F(MappedFile, Advice) {
  const descriptor file = made_file(in, "file", patterned(2 * page));
  const std::vector<int> harmless{MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_POPULATE_READ};
  const std::vector<int> refused{MADV_DONTNEED, MADV_FREE, MADV_REMOVE, MADV_DONTFORK, MADV_HUGEPAGE, 12345, -1};
  std::vector<int> all = harmless;
  all.insert(all.end(), refused.begin(), refused.end());
  const on_device<int> advice(rt, all);
  on_device<long> values(rt, 2 + 2 * all.size() + 7);
  play(rt, {}, advise_host_memory{}, file.get(), static_cast<const int*>(advice.get()), static_cast<u32>(all.size()),
       values.get());
  const auto v = values.take();
  ASSERT_TRUE(is_address(v[0]) && is_address(v[1])) << v[0] << " " << v[1];
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(v[2 + 2 * i], i < harmless.size() ? 0 : -EINVAL) << "advice " << all[i];
    EXPECT_EQ(v[3 + 2 * i], i < harmless.size() ? 0 : -EINVAL) << "advice " << all[i];
  }
  const std::vector<long> last(v.end() - 7, v.end());
  EXPECT_EQ(last, (std::vector<long>{-EINVAL, -EINVAL, -EINVAL, 0, 0, 0, -EINVAL}));
}

}  // namespace
}  // namespace contract
