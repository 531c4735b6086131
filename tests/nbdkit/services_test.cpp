// SPDX-License-Identifier: Apache-2.0
// What the nbdkit plugin has computed: a service_server and the CPU give the same, also for pieces and for several
// threads at once. The device is GENESYS_DEVICE's.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "plugin_services.h"

namespace {

using namespace genesys::nbd;
using bytes = std::vector<std::byte>;

bool is_on_gpu() {
  const char* const chosen = std::getenv("GENESYS_DEVICE");
  return chosen != nullptr && std::strcmp(chosen, "cuda") == 0;
}

bytes some(std::size_t count, unsigned seed) {
  std::mt19937_64 random{seed};
  bytes made(count);
  for (std::size_t i = 0; i + 8 <= count; i += 8) {
    const u64 word = random();
    std::memcpy(&made[i], &word, 8);
  }
  return made;
}

class NbdkitServices : public testing::TestWithParam<std::size_t> {
 protected:
  static void SetUpTestSuite() {
    key_ = new bytes(some(64, 1));
    server_ = services_on_server(*key_, is_on_gpu()).release();
    cpu_ = services_on_cpu(*key_).release();
    std::printf("%s\n", server_->describe().c_str());
  }
  static void TearDownTestSuite() {
    delete server_;
    delete cpu_;
    delete key_;
  }
  static inline bytes* key_ = nullptr;
  static inline block_services *server_ = nullptr, *cpu_ = nullptr;
};

TEST_P(NbdkitServices, Encrypts) {
  const bytes plain = some(GetParam() * block_bytes, 2);
  bytes by_server(plain.size()), by_cpu(plain.size());
  for (const u64 first : {u64{0}, u64{77}, u64{1} << 33}) {
    server_->encrypt(plain, by_server, first);
    cpu_->encrypt(plain, by_cpu, first);
    EXPECT_TRUE(by_server == by_cpu) << first;
    EXPECT_FALSE(by_server == plain);
    server_->decrypt(by_server, first);
    EXPECT_TRUE(by_server == plain) << first;
  }
}

TEST_P(NbdkitServices, Digests) {
  const bytes data = some(GetParam() * block_bytes, 3);
  std::vector<digest> by_server(GetParam()), by_cpu(GetParam());
  server_->digests(data, by_server);
  cpu_->digests(data, by_cpu);
  EXPECT_TRUE(by_server == by_cpu);
}

TEST_P(NbdkitServices, ParityAndRebuild) {
  for (const u64 disks : {2u, 4u, 30u}) {
    const u64 rows = (GetParam() + disks - 1) / disks;
    const bytes data = some(rows * disks * block_bytes, 4);
    bytes parity(rows * 2 * block_bytes), by_cpu(parity.size());
    server_->parity(data, disks, parity);
    cpu_->parity(data, disks, by_cpu);
    ASSERT_TRUE(parity == by_cpu) << disks;
    for (const auto& [first, second] :
         {std::pair<u64, u64>{0, 0}, {0, 1}, {1, disks}, {1, disks + 1}, {disks, disks + 1}}) {
      bytes lost = data, lost_parity = parity;
      for (const u64 disk : {first, second}) {
        for (u64 row = 0; row < rows; ++row) {
          std::byte* const at = disk < disks ? &lost[(row * disks + disk) * block_bytes]
                                             : &lost_parity[(row * 2 + disk - disks) * block_bytes];
          std::memset(at, 0xee, block_bytes);
        }
      }
      server_->rebuild(lost, disks, lost_parity, first, second);
      EXPECT_TRUE(lost == data && lost_parity == parity) << disks << ": " << first << ", " << second;
    }
  }
}

// A block, 64 KiB, and more than a piece.
INSTANTIATE_TEST_SUITE_P(Blocks, NbdkitServices, testing::Values(1, 16, 700));

TEST_F(NbdkitServices, ManyThreads) {
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < 24; ++i) {
      threads.emplace_back([&, i] {
        const bytes plain = some(20 * block_bytes, i);
        bytes by_server(plain.size()), by_cpu(plain.size());
        for (int n = 0; n < 10; ++n) {
          server_->encrypt(plain, by_server, i * 100 + static_cast<unsigned>(n));
          cpu_->encrypt(plain, by_cpu, i * 100 + static_cast<unsigned>(n));
          wrong += by_server != by_cpu;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

// On a GPU: what a device could do, beside the CPU. Nothing is compared.
TEST_F(NbdkitServices, Rates) {
  if (!is_on_gpu()) GTEST_SKIP() << "rates are those of a GPU";
  constexpr std::size_t blocks = 256, turns = 64, threads_count = 8;
  for (block_services* const by : {server_, cpu_}) {
    for (const bool hashes : {false, true}) {
      const auto begun = std::chrono::steady_clock::now();
      {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < threads_count; ++i) {
          threads.emplace_back([&] {
            bytes data = some(blocks * block_bytes, 5);
            std::vector<digest> digests(blocks);
            for (std::size_t n = 0; n < turns; ++n) {
              if (hashes) {
                by->digests(data, digests);
              } else {
                by->encrypt(data, data, n);
              }
            }
          });
        }
      }
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
      std::printf("%s, 8 threads, 1 MiB: %.2f GB/s (%s)\n", hashes ? "SHA-256" : "AES-XTS",
                  static_cast<double>(blocks * block_bytes * turns * threads_count) / took.count() / 1e9,
                  by->describe().c_str());
    }
  }
}

}  // namespace
