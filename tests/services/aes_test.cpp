// SPDX-License-Identifier: Apache-2.0
// AES: vectors of FIPS 197, SP 800-38A and IEEE 1619, the twin, wrong numbers.
#include "testing.h"

namespace {
using namespace services_testing;
namespace services = genesys::services;
using services::aes_mode;

bytes expanded(const bytes& key, bool is_xts) {
  bytes all(480);
  const std::size_t each = is_xts ? key.size() / 2 : key.size();
  u64 used = services::aes_expand_key(key.data(), each, all.data());
  if (is_xts) used += services::aes_expand_key(key.data() + each, each, all.data() + used);
  all.resize(used);
  return all;
}
bool is_xts(aes_mode mode) { return mode == aes_mode::xts_encrypt || mode == aes_mode::xts_decrypt; }
u64 rounds_of(const bytes& key, aes_mode mode) { return (is_xts(mode) ? key.size() / 2 : key.size()) / 4 + 6; }

// On the device, which must agree with the twin. `more`: what comes behind the rounds among the arguments.
bytes crypt(genesys::service_server& server, aes_mode mode, const bytes& key, const bytes& input, unsigned blocks,
            services::aes::arguments more = {}) {
  const auto loaded = server.load(services::aes{});
  const bytes keys = expanded(key, is_xts(mode));
  guarded from(server, input.size()), to(server, input.size()), key_buffer(server, keys.size());
  from = input;
  key_buffer = keys;
  more.from = from.input(), more.to = to.buffer(), more.key = key_buffer.input();
  more.mode = static_cast<u64>(mode), more.rounds = rounds_of(key, mode);
  same_as_twin<services::aes>(server, loaded, more, to, blocks);
  EXPECT_EQ(server.unload(loaded), 0);
  return to.copy();
}
std::string crypt_hex(genesys::service_server& server, aes_mode mode, const char* key, const char* input,
                      const services::aes::arguments& more = {}) {
  const bytes output = crypt(server, mode, from_hex(key), from_hex(input), 1, more);
  return hex(output.data(), output.size());
}
services::aes::arguments sectors(u64 first, u64 sector_bytes) {
  services::aes::arguments more{};
  more.first_sector = first;
  more.sector_bytes = sector_bytes;
  return more;
}

// FIPS 197, appendix C.
TEST(Aes, Fips197) {
  genesys::service_server server(all_services{}, small());
  const char* const plain = "00112233445566778899aabbccddeeff";
  const struct {
    const char *key, *cipher;
  } vectors[] = {
      {"000102030405060708090a0b0c0d0e0f", "69c4e0d86a7b0430d8cdb78070b4c55a"},
      {"000102030405060708090a0b0c0d0e0f1011121314151617", "dda97ca4864cdfe06eaf70a0ec0d7191"},
      {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "8ea2b7ca516745bfeafc49904b496089"}};
  for (const auto& vector : vectors) {
    EXPECT_EQ(crypt_hex(server, aes_mode::ecb_encrypt, vector.key, plain), vector.cipher);
    EXPECT_EQ(crypt_hex(server, aes_mode::ecb_decrypt, vector.key, vector.cipher), plain);
  }
}

// SP 800-38A, F.5.1 and F.5.5.
TEST(Aes, CounterMode) {
  genesys::service_server server(all_services{}, small());
  services::aes::arguments more{};
  const bytes first = from_hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
  std::memcpy(more.iv, first.data(), 16);
  const char* const plain =
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
      "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
  EXPECT_EQ(crypt_hex(server, aes_mode::ctr, "2b7e151628aed2a6abf7158809cf4f3c", plain, more),
            "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
            "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee");
  EXPECT_EQ(
      crypt_hex(server, aes_mode::ctr, "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", plain, more),
      "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
      "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6");
}

// IEEE 1619-2007, annex B: vectors 1, 2 and 3, and the first blocks of vector 4.
TEST(Aes, Ieee1619) {
  genesys::service_server server(all_services{}, small());
  const struct {
    const char *key, *plain, *cipher;
    u64 sector;
  } vectors[] = {{"0000000000000000000000000000000000000000000000000000000000000000",
                  "0000000000000000000000000000000000000000000000000000000000000000",
                  "917cf69ebd68b2ec9b9fe9a3eadda692cd43d2f59598ed858c02c2652fbf922e", 0},
                 {"1111111111111111111111111111111122222222222222222222222222222222",
                  "4444444444444444444444444444444444444444444444444444444444444444",
                  "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0", 0x3333333333},
                 {"fffefdfcfbfaf9f8f7f6f5f4f3f2f1f022222222222222222222222222222222",
                  "4444444444444444444444444444444444444444444444444444444444444444",
                  "af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89", 0x3333333333},
                 {"2718281828459045235360287471352631415926535897932384626433832795",
                  "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                  "27a7479befa1d476489f308cd4cfa6e2a96e4bbe3208ff25287dd3819616e89c", 0}};
  for (const auto& vector : vectors) {
    const auto more = sectors(vector.sector, 512);
    EXPECT_EQ(crypt_hex(server, aes_mode::xts_encrypt, vector.key, vector.plain, more), vector.cipher);
    EXPECT_EQ(crypt_hex(server, aes_mode::xts_decrypt, vector.key, vector.cipher, more), vector.plain);
  }
}

// Vector 10 of IEEE 1619: keys of 256 bits. The first and the last block of the sector of 512 bytes.
TEST(Aes, Ieee1619WithLongKeys) {
  genesys::service_server server(all_services{}, small());
  bytes plain(512);
  for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = static_cast<u8>(i);
  const bytes key = from_hex(
      "2718281828459045235360287471352662497757247093699959574966967627"
      "3141592653589793238462643383279502884197169399375105820974944592");
  const bytes cipher = crypt(server, aes_mode::xts_encrypt, key, plain, 1, sectors(0xff, 512));
  EXPECT_EQ(hex(cipher.data(), 32), "1c3b3a102f770386e4836c99e370cf9bea00803f5e482357a4ae12d414a3e63b");
  EXPECT_EQ(crypt(server, aes_mode::xts_decrypt, key, cipher, 3, sectors(0xff, 512)), plain);
}

// Every mode, key length and number of threads; sectors of several sizes, the last one shorter.
TEST(Aes, RandomInputs) {
  std::mt19937_64 random(seed());
  for (const unsigned threads : {32u, 96u, 256u}) {
    genesys::service_server server(all_services{}, small(threads));
    for (const std::size_t key_bytes : {16u, 24u, 32u}) {
      const bytes key = random_bytes(random, key_bytes), both = random_bytes(random, 2 * key_bytes);
      const bytes input = random_bytes(random, 16 * (1 + random() % 3000));
      services::aes::arguments counter{};
      counter.iv[0] = random(), counter.iv[1] = random();
      if (key_bytes == 16) std::memset(counter.iv, 0xff, 15);  // it overflows all of its bytes
      for (const unsigned blocks : {1u, 4u}) {
        const bytes cipher = crypt(server, aes_mode::ecb_encrypt, key, input, blocks);
        ASSERT_EQ(crypt(server, aes_mode::ecb_decrypt, key, cipher, blocks), input);
        const bytes counted = crypt(server, aes_mode::ctr, key, input, blocks, counter);
        ASSERT_EQ(crypt(server, aes_mode::ctr, key, counted, blocks, counter), input);
        if (key_bytes == 24) continue;
        for (const u64 sector : {u64{16}, u64{48}, u64{512}, u64{4096}, u64{65536}}) {
          const auto more = sectors(random() >> (random() % 2 * 40), sector);
          const bytes hidden = crypt(server, aes_mode::xts_encrypt, both, input, blocks, more);
          ASSERT_EQ(crypt(server, aes_mode::xts_decrypt, both, hidden, blocks, more), input);
          if (HasFailure()) FAIL() << "sectors of " << sector << ", GENESYS_TEST_SEED=" << seed();
        }
      }
    }
  }
}

// In place. And round keys that are those of no key: the twin then does without OpenSSL.
TEST(Aes, InPlaceAndWithAnyRoundKeys) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{}, small());
  const auto loaded = server.load(services::aes{});
  const bytes input = random_bytes(random, 4096 + 16);
  guarded data(server, input.size()), key(server, 480);
  key = random_bytes(random, 480);
  for (u64 mode = 0; mode < 5; ++mode) {
    same_as_twin<services::aes>(server, loaded,
                                {data.input(), data.buffer(), key.input(), mode, 14, 512, 7, {random(), random()}},
                                data, 2, input);
  }
}

TEST(Aes, WrongNumbersAreRefused) {
  genesys::service_server server(all_services{}, small());
  const auto loaded = server.load(services::aes{});
  guarded from(server, 1024), to(server, 1024), key(server, 480);
  const services::aes::arguments right{from.input(), to.buffer(), key.input(), 3, 14, 512, 0, {0, 0}};
  const auto refused = [&](auto change) {
    services::aes::arguments with = right;
    change(with);
    is_refused<services::aes>(server, loaded, with, to);
  };
  refused([](auto& with) { with.mode = 5; });
  refused([](auto& with) { with.rounds = 12; });
  refused([](auto& with) { with.rounds = 0; });
  refused([](auto& with) { with.rounds = ~u64{0}; });
  refused([](auto& with) { with.sector_bytes = 0; });
  refused([](auto& with) { with.sector_bytes = 520; });
  refused([](auto& with) { with.sector_bytes = 65552; });
  refused([](auto& with) { with.from.bytes = 1000; });
  refused([](auto& with) { with.to.bytes = 1008; });
  refused([](auto& with) { with.key.bytes = 479; });
  refused([](auto& with) { with.key.data = nullptr; });
  refused([](auto& with) { with.from.data = static_cast<const u8*>(with.from.data) + 8, with.from.bytes = 512; });
  EXPECT_EQ(services::aes_expand_key(key.data(), 20, to.data()), 0u);
}

}  // namespace
