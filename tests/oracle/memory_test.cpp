// SPDX-License-Identifier: Apache-2.0
// Memory calls on a mapping that a kernel made, against the same calls on one that was made natively.
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "oracle.h"

namespace oracle {
namespace {

using enum plan_id;

constexpr u64 two_pages = 8192;

TEST(Memory, OfTheProcess) {
  trials t;
  u8 byte = 0;
  const u64 here = reinterpret_cast<u64>(&byte) & ~u64{4095};
  const u64 nodes = 1;
  const u64 pages[2] = {here, 0x10};
  t.any(mlockall, {0});
  t.good(munlockall, {});
  for (const long count : {1024, 1025})  // Linux takes one bit less
    t.good(get_mempolicy, {output(4), output(128), count, 0, 0}).unless = {ENOSYS};
  t.any(get_mempolicy, {output(4), nullptr, 0, 0x10, 3});
  t.any(migrate_pages, {0x7fff'fff0, 64, object(nodes), object(nodes)});
  t.any(move_pages, {0, 2, object(pages), nullptr, output(8), 0});
  t.check();
}

// Through genesys these calls reach only mappings that a kernel made, and else give -ENOMEM. Natively any memory does.
TEST(Memory, ThatNoKernelMapped) {
  u8* page = static_cast<u8*>(::mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(page, MAP_FAILED);
  const u64 at = reinterpret_cast<u64>(page);
  for (const plan_id id : {mlock, munlock, msync, mlock2, mincore, mbind, set_mempolicy_home_node}) {
    trial asked{id, {at, 8192, 0}};
    if (id == mincore) asked.args[2] = output(2);
    if (id == msync) asked.args[2] = MS_ASYNC;
    EXPECT_EQ(make_through_genesys(asked, memory::arena, scope::thread, 0).value, -ENOMEM) << name_of(id);
  }
  ::munmap(page, 8192);
}

// A mapping that a kernel made and a native one of the same kind. Both have been touched.
struct mapped {
  u64 native, of_kernel;
  mapped() {
    const trial map{mmap, {0, two_pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0}};
    of_kernel = static_cast<u64>(make_through_genesys(map, memory::arena, scope::thread, 0).value);
    native =
        reinterpret_cast<u64>(::mmap(nullptr, two_pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (static_cast<long>(of_kernel) < 0) throw std::runtime_error("mmap through genesys");
    note_success(mmap);
    for (const u64 at : {native, of_kernel}) std::memset(reinterpret_cast<void*>(at), 1, two_pages);
  }
  ~mapped() {
    ::munmap(reinterpret_cast<void*>(native), two_pages);
    const trial unmap{munmap, {of_kernel, two_pages}};
    EXPECT_EQ(make_through_genesys(unmap, memory::arena, scope::thread, 0).value, 0);
    note_success(munmap);
  }
};

TEST(Memory, ThatAKernelMapped) {
  const mapped m;
  const auto same = [&](plan_id id, std::vector<argument> rest) {
    std::vector<argument> native{m.native}, kernels{m.of_kernel};
    native.insert(native.end(), rest.begin(), rest.end());
    kernels.insert(kernels.end(), rest.begin(), rest.end());
    check_elsewhere({id, native}, {id, kernels});
  };
  same(mlock, {two_pages});
  same(mlock2, {two_pages, 1});
  same(mlock2, {two_pages, -1});
  same(munlock, {two_pages});
  for (const int flags : {MS_ASYNC, MS_SYNC, MS_ASYNC | MS_SYNC}) same(msync, {two_pages, flags});
  same(mincore, {two_pages, output(2)});
  same(mincore, {two_pages, 0x10});
  same(mbind, {two_pages, 0, nullptr, 0, 0});
  same(mbind, {two_pages, 77, nullptr, 0, 0});
  same(set_mempolicy_home_node, {two_pages, 0, 0});
  for (const int advice : {MADV_NORMAL, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_POPULATE_WRITE, 7777})
    same(madvise, {two_pages, advice});
}

TEST(Memory, Mapped) {
  for (const auto& [length, prot, flags] : {std::tuple{0, 3, 0x22}, {4096, 3, 0x20}, {-4096, 3, 0x22}}) {
    const trial wrong{mmap, {0, length, prot, flags, -1, 0}};
    check_elsewhere(wrong, wrong);
  }
  trial file{mmap, {0, 4096, PROT_READ, MAP_SHARED, 1 << 20, 0}};
  check_elsewhere(file, file);
  const trial none{munmap, {4096 + 1, 4096}};
  check_elsewhere(none, none);
}

TEST(Memory, Shared) {
  const int segment = ::shmget(IPC_PRIVATE, two_pages, 0600);
  if (segment < 0) GTEST_SKIP() << "no System V shared memory here";
  char* mine = static_cast<char*>(::shmat(segment, nullptr, 0));
  const auto make = [](const trial& t) { return make_through_genesys(t, memory::arena, scope::thread, 0).value; };
  for (const int flags : {0, SHM_RDONLY}) {
    const long at = make({shmat, {segment, 0, flags}});
    ASSERT_GT(at, 0);
    std::strcpy(mine, flags == 0 ? "hello" : "again");
    EXPECT_STREQ(reinterpret_cast<char*>(at), mine);
    shmid_ds status{};
    EXPECT_EQ(::shmctl(segment, IPC_STAT, &status), 0);
    EXPECT_EQ(status.shm_nattch, 2u);
    check_elsewhere({shmdt, {0x1000}}, {shmdt, {at + 4096}});
    EXPECT_EQ(make({shmdt, {at}}), 0);
    note_success(shmat);
    note_success(shmdt);
    EXPECT_EQ(make({shmdt, {at}}), -EINVAL);
  }
  const trial nobodys{shmat, {0x7fff'0000, 0, 0}};
  check_elsewhere(nobodys, nobodys);
  EXPECT_EQ(make({shmat, {segment, 0x1000'0000, 0}}), -EOPNOTSUPP);
  EXPECT_EQ(make({shmat, {segment, 0, SHM_REMAP}}), -EOPNOTSUPP);
  ::shmdt(mine);
  ::shmctl(segment, IPC_RMID, nullptr);
}

}  // namespace
}  // namespace oracle
