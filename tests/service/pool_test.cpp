// SPDX-License-Identifier: Apache-2.0
// Memory for requests: the pool, shared memory, registered memory.
#include "service/pool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>

#include "genesys/service_memory.h"
#include "service/shared_memory.h"
#include "testing.h"

namespace service_pool_tests {
namespace {
using namespace service_testing;
using genesys::when_full;
using genesys::detail::services::pool;
using genesys::detail::services::shared_memory;

constexpr std::size_t mib = std::size_t{1} << 20;

// Registers nothing, and remembers what is registered.
struct test_mapper final : genesys::detail::mapper {
  int admit(void* begin, std::size_t bytes, bool) override {
    if (fails != 0) return fails;
    admitted[begin] = bytes;
    return 0;
  }
  void let_go(void* begin) override { admitted.erase(begin); }
  u64 reserve(std::size_t) override { return 0; }
  void unreserve(u64, std::size_t) override {}
  int populate(u64, std::size_t) override { return -ENOMEM; }
  int depopulate(u64, std::size_t) override { return -ENOMEM; }
  std::size_t free_bytes() override { return 0; }
  int store(u32*, u32) override { return -EIO; }
  std::map<void*, std::size_t> admitted;
  int fails = 0;
};

bool is_zero(const void* memory, std::size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(memory);
  return std::all_of(at, at + bytes, [](unsigned char byte) { return byte == 0; });
}
bool is_aligned(const void* memory, std::size_t to) { return reinterpret_cast<std::uintptr_t>(memory) % to == 0; }

template <class F>
genesys::error_code thrown_by(F what) {
  try {
    what();
  } catch (const genesys::error& thrown) {
    return thrown.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return genesys::error_code::system;
}

TEST(ServicePool, MemoryIsZeroedAlignedAndReused) {
  test_mapper by;
  {
    pool from(by, 8 * mib);
    EXPECT_EQ(from.counts().pinned_bytes, 0u);
    void* const small = from.allocate(1, when_full::refuse);
    void* const large = from.allocate(5000, when_full::refuse);
    EXPECT_TRUE(is_aligned(small, 256) && is_aligned(large, 4096));
    EXPECT_TRUE(is_zero(small, 1) && is_zero(large, 5000));
    EXPECT_EQ(from.counts().taken_bytes, 256u + 8192u);
    std::memset(large, 0x55, 8192);
    from.free(large);
    EXPECT_EQ(from.allocate(8192, when_full::refuse), large);
    EXPECT_TRUE(is_zero(large, 8192));
    EXPECT_EQ(from.counts().pinned_bytes, 4 * mib);
    EXPECT_EQ(from.counts().allocations, 3u);
    EXPECT_EQ(by.admitted.size(), 1u);
  }
  EXPECT_TRUE(by.admitted.empty());
}

TEST(ServicePool, ItGrowsUpToItsBoundAndRefuses) {
  test_mapper by;
  pool from(by, 16 * mib);
  std::vector<void*> taken;
  while (void* memory = from.allocate(mib, when_full::refuse)) taken.push_back(memory);
  EXPECT_EQ(taken.size(), 16u);
  EXPECT_EQ(by.admitted.size(), 3u);  // of 4, 4 and 8 MiB
  EXPECT_EQ(from.counts().refused, 1u);
  EXPECT_EQ(from.registered_bytes(from.memory().data()), 4 * mib);
  EXPECT_EQ(from.registered_bytes(static_cast<char*>(from.memory().data()) + 8 * mib + 1), 8 * mib - 1);
  EXPECT_EQ(from.registered_bytes(&by), 0u);
  EXPECT_EQ(thrown_by([&] { from.allocate(17 * mib, when_full::wait); }), genesys::error_code::bad_option);
  std::shuffle(taken.begin(), taken.end(), std::mt19937_64(seed()));
  for (void* memory : taken) from.free(memory);  // neighbours are joined
  EXPECT_NE(from.allocate(16 * mib, when_full::refuse), nullptr);
}

TEST(ServicePool, WhatIsNotTakenIsNotFreed) {
  test_mapper by;
  pool from(by, 4 * mib);
  from.free(nullptr);
  char* const memory = static_cast<char*>(from.allocate(4096, when_full::refuse));
  EXPECT_EQ(thrown_by([&] { from.free(memory + 256); }), genesys::error_code::bad_option);
  EXPECT_EQ(thrown_by([&] { from.free(&by); }), genesys::error_code::bad_option);
  from.free(memory);
  EXPECT_EQ(thrown_by([&] { from.free(memory); }), genesys::error_code::bad_option);
  EXPECT_EQ(from.counts().taken_bytes, 0u);
}

TEST(ServicePool, WhatTheDeviceRefusesIsAnError) {
  test_mapper by;
  pool from(by, 64 * mib);
  void* const first = from.allocate(4 * mib, when_full::refuse);
  for (const int fails : {-ENOMEM, -EADDRNOTAVAIL}) {
    by.fails = fails;
    EXPECT_EQ(thrown_by([&] { from.allocate(1, when_full::refuse); }), genesys::error_code::no_pinned_memory);
  }
  from.free(first);
  EXPECT_EQ(from.allocate(4 * mib, when_full::refuse), first);  // what it has is not lost
  by.fails = 0;
  EXPECT_NE(from.allocate(1, when_full::refuse), nullptr);
}

TEST(ServicePool, ThreadsWaitForMemory) {
  test_mapper by;
  pool from(by, 4 * mib);
  void* const all = from.allocate(4 * mib, when_full::refuse);
  std::atomic<void*> got{nullptr};
  std::thread waits([&] { got = from.allocate(mib, when_full::wait); });
  EXPECT_TRUE(until([&] { return from.counts().waited == 1; }));
  EXPECT_EQ(got.load(), nullptr);
  from.free(all);
  waits.join();
  EXPECT_NE(got.load(), nullptr);
  EXPECT_NE(from.allocate(3 * mib, when_full::refuse), nullptr);
  std::thread ends([&] { EXPECT_EQ(from.allocate(mib, when_full::wait), nullptr); });
  EXPECT_TRUE(until([&] { return from.counts().waited == 2; }));
  from.close();
  ends.join();
}

// Each thread marks its memory, so that memory with two owners is found.
TEST(ServicePool, ThreadsShareIt) {
  test_mapper by;
  pool from(by, 8 * mib);
  constexpr u32 threads = 4;
  const u32 rounds = 3000 / shorter;
  std::vector<std::thread> all;
  for (u32 t = 0; t < threads; ++t) {
    all.emplace_back([&from, t, rounds] {
      std::mt19937_64 random(seed() + t);
      std::vector<std::pair<u64*, std::size_t>> mine;
      for (u64 i = 0; i < rounds; ++i) {
        const std::size_t words = 1 + random() % (i % 10 == 0 ? 40'000 : 800);
        auto* const memory = static_cast<u64*>(from.allocate(words * 8, when_full::wait));
        ASSERT_TRUE(is_zero(memory, words * 8));
        std::fill(memory, memory + words, i * threads + t);
        mine.emplace_back(memory, words);
        if (mine.size() < 6) continue;
        std::swap(mine[random() % mine.size()], mine.back());
        const auto [freed, count] = mine.back();
        ASSERT_TRUE(std::all_of(freed, freed + count, [&](u64 word) { return word == freed[0]; }));
        ASSERT_EQ(freed[0] % threads, t);
        from.free(freed);
        mine.pop_back();
      }
      for (const auto& [memory, words] : mine) from.free(memory);
    });
  }
  for (auto& one : all) one.join();
  EXPECT_EQ(from.counts().taken_bytes, 0u);
  EXPECT_EQ(from.counts().allocations, u64{threads} * rounds);
  EXPECT_NE(from.allocate(8 * mib, when_full::refuse), nullptr);
}

TEST(ServicePool, SharedMemoryIsMappedByItsDescriptor) {
  const auto made = shared_memory::make(5000);
  EXPECT_EQ(made.bytes(), 8192u);
  static_cast<char*>(made.data())[4999] = 7;
  const shared_memory there(::dup(made.fd()), 5000);
  EXPECT_NE(there.data(), made.data());
  EXPECT_EQ(static_cast<char*>(there.data())[4999], 7);
  EXPECT_NE(::ftruncate(there.fd(), 0), 0);  // its size is sealed
  EXPECT_EQ(thrown_by([&] { shared_memory(::dup(made.fd()), 8193); }), genesys::error_code::bad_option);
  const int open_to_change = ::memfd_create("test", MFD_CLOEXEC);
  ASSERT_EQ(::ftruncate(open_to_change, 8192), 0);
  EXPECT_EQ(thrown_by([&] { shared_memory(open_to_change, 4096); }), genesys::error_code::bad_option);
  EXPECT_EQ(thrown_by([] { shared_memory::make(0); }), genesys::error_code::bad_option);
}

TEST(ServiceMemory, TheServerFreesAndRefuses) {
  genesys::service_server server(all_services{}, {.pool_mib = 4});
  void* const all = server.allocate(4 * mib);
  EXPECT_EQ(thrown_by([&] { server.allocate(1); }), genesys::error_code::no_pinned_memory);
  EXPECT_EQ(server.allocate(1, when_full::refuse), nullptr);
  server.free(all);
  EXPECT_EQ(thrown_by([&] { server.free(all); }), genesys::error_code::bad_option);
  EXPECT_EQ(server.pool_counts().taken_bytes_most, 4 * mib);
  EXPECT_EQ(thrown_by([] { genesys::service_server(all_services{}, {.pool_mib = 0}); }),
            genesys::error_code::bad_option);
}

TEST(ServiceMemory, ContainersLieInThePool) {
  genesys::service_server server(all_services{}, {.pool_mib = 4});
  const auto scales = server.load(scale{});
  genesys::service_memory in_pool(server);
  {
    std::pmr::vector<u64> from(100, 2, &in_pool), to(100, &in_pool);
    EXPECT_EQ(server.call(scales, {from.data(), to.data(), 100, 1}), 100);
    EXPECT_EQ(to.back(), 7u);
    void* const most = server.allocate(3 * mib);
    EXPECT_THROW(from.resize(mib / 4), std::bad_alloc);
    server.free(most);
    from.resize(mib / 4);
  }
  EXPECT_EQ(server.pool_counts().taken_bytes, 0u);
}

TEST(ServiceMemory, RegisteredMemoryIsUsedWithoutCopies) {
  genesys::service_server server(all_services{});
  const auto scales = server.load(scale{});
  std::vector<u64> data(2000, 5);
  genesys::service_registration registered = server.register_memory(data.data(), data.size() * sizeof(u64));
  EXPECT_EQ(server.call(scales, {data.data(), data.data() + 1000, 1000, 1}), 1000);
  EXPECT_EQ(data[1999], 16u);
  EXPECT_EQ(thrown_by([&] { (void)server.register_memory(data.data() + 3, 8); }), genesys::error_code::bad_option);
  registered = {};
  registered = server.register_memory(data.data(), 8);
}

TEST(ServiceMemory, WhatCannotBeRegisteredIsRefused) {
  genesys::service_server server(all_services{});
  EXPECT_EQ(thrown_by([&] { (void)server.register_memory(nullptr, 4096); }), genesys::error_code::bad_option);
  EXPECT_EQ(thrown_by([&] { (void)server.register_memory(&server, 0); }), genesys::error_code::bad_option);
  void* const read_only = ::mmap(nullptr, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(read_only, MAP_FAILED);
  EXPECT_EQ(thrown_by([&] { (void)server.register_memory(read_only, 8192); }), genesys::error_code::bad_option);
  ASSERT_EQ(::mprotect(read_only, 4096, PROT_READ | PROT_WRITE), 0);
  EXPECT_EQ(thrown_by([&] { (void)server.register_memory(read_only, 8192); }), genesys::error_code::bad_option);
  (void)server.register_memory(read_only, 4096);
  ::munmap(read_only, 8192);
  auto* const hole =
      static_cast<char*>(::mmap(nullptr, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_EQ(::munmap(hole + 4096, 4096), 0);
  EXPECT_EQ(thrown_by([&] { (void)server.register_memory(hole, 3 * 4096); }), genesys::error_code::bad_option);
  ::munmap(hole, 4096);
  ::munmap(hole + 8192, 4096);
}

TEST(ServiceMemory, ARegistrationOutlivesItsServer) {
  std::vector<u64> data(1000);
  genesys::service_registration registered;
  {
    genesys::service_server server(all_services{});
    registered = server.register_memory(data.data(), 8000);
  }
  registered = {};
}

}  // namespace
}  // namespace service_pool_tests
