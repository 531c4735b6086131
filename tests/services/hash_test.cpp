// SPDX-License-Identifier: Apache-2.0
// SHA-256 and BLAKE3: published vectors, the twins, wrong numbers.
#include "testing.h"

namespace {
using namespace services_testing;
namespace services = genesys::services;

// The digest of one input, on the device and by the twin.
template <class S, class... More>
std::string digest_of(genesys::service_server& server, const bytes& input, More... more) {
  const auto loaded = server.load(S{});
  guarded from(server, input.size()), to(server, 32);
  from = input;
  same_as_twin<S>(server, loaded, {from.input(), std::max<u64>(input.size(), 1), to.buffer(), more...}, to, 2);
  EXPECT_EQ(server.unload(loaded), 0);
  return hex(to.data(), 32);
}
bytes of(const std::string& text) { return bytes(text.begin(), text.end()); }

// FIPS 180-4's examples.
TEST(Sha256, PublishedVectors) {
  genesys::service_server server(all_services{}, small());
  EXPECT_EQ(digest_of<services::sha256>(server, {}),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digest_of<services::sha256>(server, of("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest_of<services::sha256>(server, of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(digest_of<services::sha256>(server, bytes(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// test_vectors.json of BLAKE3: byte i of the input is i % 251.
TEST(Blake3, PublishedVectors) {
  genesys::service_server server(all_services{}, small());
  const struct {
    std::size_t count;
    const char* digest;
  } vectors[] = {{0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"},
                 {1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"},
                 {1023, "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11"},
                 {1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"},
                 {1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"},
                 {2049, "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030"},
                 {3073, "7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd3"},
                 {5120, "9cadc15fed8b5d854562b26a9536d9707cadeda9b143978f319ab34230535833"},
                 {7169, "a003fc7a51754a9b3c7fae0367ab3d782dccf28855a03d435f8cfe74605e7817"},
                 {31744, "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47"},
                 {102400, "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"}};
  for (const auto& vector : vectors) {
    bytes input(vector.count);
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<u8>(i % 251);
    EXPECT_EQ(digest_of<services::blake3>(server, input), vector.digest) << vector.count;
  }
}

// The last piece is shorter, the input is not aligned to 16 bytes, there are more pieces than lanes.
template <class S>
void many_pieces(unsigned threads) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{}, small(threads));
  const auto loaded = server.load(S{});
  for (const u64 piece : {u64{1}, u64{55}, u64{64}, u64{119}, u64{1000}, u64{4096}, u64{70'000}}) {
    for (const std::size_t skew : {0u, 8u}) {
      const std::size_t count = piece * (piece > 4096 ? 3 : piece > 64 ? 37 : 100) - random() % piece;
      guarded from(server, count, skew), to(server, (count + piece - 1) / piece * 32, skew);
      from = random_bytes(random, count);
      for (const unsigned blocks : {1u, 3u, 5u}) {
        same_as_twin<S>(server, loaded, {from.input(), piece, to.buffer()}, to, blocks);
        if (testing::Test::HasFatalFailure()) FAIL() << "pieces of " << piece << ", GENESYS_TEST_SEED=" << seed();
      }
    }
  }
}
TEST(Sha256, ManyPieces) {
  many_pieces<services::sha256>(96);
  many_pieces<services::sha256>(224);  // more warps than work
}
TEST(Blake3, ManyPieces) {
  many_pieces<services::blake3>(32);
  many_pieces<services::blake3>(224);
}

// The hash of a large input does not depend on how it is cut into subtrees.
TEST(Blake3, SubtreesMakeOneHash) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{}, small());
  const auto loaded = server.load(services::blake3{});
  const bytes input = random_bytes(random, 200'000);
  const std::string whole = digest_of<services::blake3>(server, input);
  guarded from(server, input.size());
  from = input;
  for (const u64 piece : {u64{1024}, u64{4096}, u64{65536}, u64{131072}}) {
    const u64 count = (input.size() + piece - 1) / piece, first = count / 2;
    guarded values(server, count * 32);
    // In two requests, as if the second half came later.
    const u64 split = first * piece;
    ASSERT_EQ(server.call(loaded, {{from.data(), split}, piece, {values.data(), first * 32}, 1, 0}, {.blocks = 2}),
              static_cast<long>(first));
    ASSERT_EQ(server.call(loaded, {{from.data() + split, input.size() - split},
                                   piece,
                                   {values.data() + first * 32, (count - first) * 32},
                                   1,
                                   split / 1024}),
              static_cast<long>(count - first));
    u8 digest[32];
    services::blake3_digest_of(values.data(), count, digest);
    EXPECT_EQ(hex(digest, 32), whole) << piece;
    same_as_twin<services::blake3>(server, loaded, {from.input(), piece, values.buffer(), 1, 0}, values, 3);
  }
}

TEST(Sha256, WrongNumbersAreRefused) {
  genesys::service_server server(all_services{}, small());
  const auto loaded = server.load(services::sha256{});
  guarded from(server, 1000), to(server, 320);
  is_refused<services::sha256>(server, loaded, {from.input(), 0, to.buffer()}, to);
  is_refused<services::sha256>(server, loaded, {from.input(), 99, to.buffer()}, to);  // 11 pieces
  is_refused<services::sha256>(server, loaded, {from.input(), 100, {to.data(), 319}}, to);
  is_refused<services::sha256>(server, loaded, {from.input(), 100, {nullptr, 320}}, to);
  is_refused<services::sha256>(server, loaded, {{nullptr, 1000}, 100, to.buffer()}, to);
  is_refused<services::sha256>(server, loaded, {from.input(), 100, {to.data() + 4, 320}}, to);
  is_refused<services::sha256>(server, loaded, {{from.data(), ~u64{0}}, 1, to.buffer()}, to);
}

TEST(Blake3, WrongNumbersAreRefused) {
  genesys::service_server server(all_services{}, small());
  const auto loaded = server.load(services::blake3{});
  guarded from(server, 8192), to(server, 256);
  is_refused<services::blake3>(server, loaded, {from.input(), 0, to.buffer(), 0, 0}, to);
  is_refused<services::blake3>(server, loaded, {from.input(), 1000, to.buffer(), 0, 0}, to);
  is_refused<services::blake3>(server, loaded, {from.input(), ~u64{0}, to.buffer(), 0, 0}, to);
  is_refused<services::blake3>(server, loaded, {from.input(), 3072, to.buffer(), 1, 0}, to);
  is_refused<services::blake3>(server, loaded, {from.input(), 512, to.buffer(), 1, 0}, to);
  is_refused<services::blake3>(server, loaded, {from.input(), 4096, to.buffer(), 1, 3}, to);
}

}  // namespace
