// SPDX-License-Identifier: Apache-2.0
// RAID-6: P and Q against their definition and the twin, every pair of failed disks, wrong numbers.
#include "testing.h"

namespace {
using namespace services_testing;
namespace services = genesys::services;

u8 product(u8 a, u8 b) {
  u32 sum = 0, power = a;
  for (; b != 0; b = static_cast<u8>(b >> 1)) {
    if ((b & 1) != 0) sum ^= power;
    power = power << 1 ^ (power & 0x80 ? 0x11d : 0);
  }
  return static_cast<u8>(sum);
}

// Byte by byte.
bytes expected_parity(const bytes& data, u64 strip, u64 disks) {
  const u64 stripes = data.size() / (strip * disks);
  bytes all(stripes * 2 * strip);
  for (u64 s = 0; s < stripes; ++s) {
    u8 power = 1;
    for (u64 disk = 0; disk < disks; ++disk, power = product(power, 2)) {
      for (u64 i = 0; i < strip; ++i) {
        const u8 byte = data[(s * disks + disk) * strip + i];
        all[2 * s * strip + i] ^= byte;
        all[(2 * s + 1) * strip + i] ^= product(byte, power);
      }
    }
  }
  return all;
}

struct shape {
  u64 strip, disks, stripes;
};
const shape shapes[] = {{16, 2, 3}, {512, 4, 5}, {4096, 8, 2}, {48, 255, 1}, {1040, 5, 3}, {64, 10, 20}};

TEST(Raid6, ParityIsThatOfTheDefinition) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{}, small());
  const auto loaded = server.load(services::raid6{});
  for (const shape& of : shapes) {
    const bytes input = random_bytes(random, of.strip * of.disks * of.stripes);
    guarded data(server, input.size()), parity(server, of.stripes * 2 * of.strip);
    data = input;
    for (const unsigned blocks : {1u, 5u}) {
      same_as_twin<services::raid6>(server, loaded, {data.input(), parity.buffer(), of.strip, of.disks}, parity,
                                    blocks);
    }
    ASSERT_EQ(parity.copy(), expected_parity(input, of.strip, of.disks)) << of.strip << " x " << of.disks;
  }
}

// ISA-L needs more alignment than the other tests give it.
TEST(Raid6, TheTwinByIsalHasTheSameParity) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{}, small());
  const bytes input = random_bytes(random, 4096 * 8 * 3);
  u8* const data = static_cast<u8*>(std::aligned_alloc(64, input.size()));
  u8* const parity = static_cast<u8*>(std::aligned_alloc(64, 4096 * 2 * 3));
  std::copy(input.begin(), input.end(), data);
  EXPECT_EQ(services::raid6{}.on_cpu({{data, input.size()}, {parity, 4096 * 2 * 3}, 4096, 8}, 1), 0);
  EXPECT_EQ(bytes(parity, parity + 4096 * 2 * 3), expected_parity(input, 4096, 8));
  std::free(data), std::free(parity);
}

TEST(Raid6, FailedDisksAreRebuilt) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{}, small());
  const auto loaded = server.load(services::raid6_rebuild{});
  for (const shape& of : shapes) {
    const bytes input = random_bytes(random, of.strip * of.disks * of.stripes);
    const bytes right = expected_parity(input, of.strip, of.disks);
    guarded data(server, input.size()), parity(server, right.size());
    for (u64 first = 0; first < of.disks + 2; ++first) {
      for (u64 second = 0; second < of.disks + 2; ++second) {
        if (of.disks > 10 && first % 50 > 1 && first < 253) continue;
        if (of.disks > 10 && second % 63 > 1 && second < 253) continue;
        bytes damaged_data = input, damaged_parity = right;
        for (const u64 disk : {first, second}) {
          for (u64 s = 0; s < of.stripes; ++s) {
            u8* const strip = disk < of.disks ? &damaged_data[(s * of.disks + disk) * of.strip]
                                              : &damaged_parity[(2 * s + disk - of.disks) * of.strip];
            std::fill(strip, strip + of.strip, u8{0x5a});
          }
        }
        const services::raid6_rebuild::arguments with{data.buffer(), parity.buffer(), of.strip,
                                                      of.disks,      first,           second};
        for (const bool by_twin : {false, true}) {
          data = damaged_data;
          parity = damaged_parity;
          ASSERT_EQ(by_twin ? services::raid6_rebuild{}.on_cpu(with, 1) : server.call(loaded, with, {.blocks = 2}), 0);
          ASSERT_TRUE(data.copy() == input && parity.copy() == right)
              << "disks " << first << " and " << second << " of " << of.disks << (by_twin ? ", twin" : "");
          ASSERT_TRUE(data.guards_are_whole() && parity.guards_are_whole());
        }
      }
    }
  }
}

TEST(Raid6, WrongNumbersAreRefused) {
  genesys::service_server server(all_services{}, small());
  const auto parities = server.load(services::raid6{});
  const auto rebuilds = server.load(services::raid6_rebuild{});
  guarded data(server, 4096), parity(server, 2048);
  const auto both_refused = [&](u64 strip, u64 disks, genesys::service_buffer to) {
    is_refused<services::raid6>(server, parities, {data.input(), to, strip, disks}, parity);
    is_refused<services::raid6_rebuild>(server, rebuilds, {data.buffer(), to, strip, disks, 0, 1}, parity);
  };
  both_refused(0, 4, parity.buffer());
  both_refused(1000, 4, parity.buffer());
  both_refused(1024, 1, parity.buffer());
  both_refused(16, 256, parity.buffer());
  both_refused(1024, 3, parity.buffer());
  both_refused(512, 4, {parity.data(), 2047});
  both_refused(1024, 4, {parity.data() + 8, 2048});
  both_refused(1024, 4, {nullptr, 2048});
  both_refused(~u64{15}, 2, parity.buffer());
  is_refused<services::raid6_rebuild>(server, rebuilds, {data.buffer(), parity.buffer(), 1024, 4, 6, 0}, parity);
  is_refused<services::raid6_rebuild>(server, rebuilds, {data.buffer(), parity.buffer(), 1024, 4, 0, ~u64{0}}, parity);
}

}  // namespace
