// SPDX-License-Identifier: Apache-2.0
// LZ4: the twin writes the same bytes, liblz4 reads them back, wrong numbers.
#include "testing.h"

#if SERVICES_TESTS_WITH_LZ4
#include <lz4.h>
#endif

namespace {
using namespace services_testing;
namespace services = genesys::services;

// What liblz4 makes of the slots must be the input.
void read_back([[maybe_unused]] const bytes& input, [[maybe_unused]] u64 piece, [[maybe_unused]] const guarded& to,
               [[maybe_unused]] u64 slot, [[maybe_unused]] const guarded& sizes) {
#if SERVICES_TESTS_WITH_LZ4
  for (u64 i = 0; i * piece < std::max<u64>(input.size(), 1); ++i) {
    u32 size;
    std::memcpy(&size, sizes.data() + 4 * i, 4);
    ASSERT_GT(size, 0u) << "piece " << i;
    const std::size_t wanted = std::min<u64>(piece, input.size() - i * piece);
    bytes found(wanted + 1);
    ASSERT_EQ(
        LZ4_decompress_safe(reinterpret_cast<const char*>(to.data() + i * slot), reinterpret_cast<char*>(found.data()),
                            static_cast<int>(size), static_cast<int>(found.size())),
        static_cast<int>(wanted))
        << "piece " << i;
    ASSERT_TRUE(std::equal(found.begin(), found.end() - 1, input.begin() + static_cast<std::ptrdiff_t>(i * piece)));
  }
#endif
}

void compress(genesys::service_server& server, const bytes& input, u64 piece, bool is_read_back = true, u64 slot = 0) {
  const auto loaded = server.load(services::lz4{});
  if (slot == 0) slot = services::lz4::bound(piece);
  const u64 pieces = input.empty() ? 1 : (input.size() + piece - 1) / piece;
  guarded from(server, input.size()), to(server, pieces * slot), sizes(server, pieces * 4);
  from = input;
  const services::lz4::arguments with{from.input(), piece, to.buffer(), slot, sizes.buffer()};
  for (const unsigned blocks : {1u, 4u}) {
    same_as_twin<services::lz4>(server, loaded, with, to, blocks);
    if (testing::Test::HasFatalFailure()) return;
    same_as_twin<services::lz4>(server, loaded, with, sizes, blocks);
  }
  if (is_read_back) read_back(input, piece, to, slot, sizes);
  EXPECT_EQ(server.unload(loaded), 0);
}

TEST(Lz4, EveryLengthIsReadBack) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{}, small());
  for (std::size_t count = 0; count < 80; ++count) {
    compress(server, bytes(count, 'x'), 65536);
    compress(server, text(random, count), 65536);
    if (HasFatalFailure()) FAIL() << count << " bytes, GENESYS_TEST_SEED=" << seed();
  }
}

TEST(Lz4, ManyPieces) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{}, small(160));
  for (const u64 piece : {u64{13}, u64{100}, u64{4096}, u64{65536}}) {
    const std::size_t count = piece == 65536 ? 100'000 : piece * 9 - 5;
    compress(server, text(random, count), piece);
    compress(server, bytes(count, 0), piece);
    compress(server, random_bytes(random, count), piece);
    if (HasFatalFailure()) FAIL() << piece << ", GENESYS_TEST_SEED=" << seed();
  }
}

// Long runs of literals between matches, at distances around the greatest that is taken.
TEST(Lz4, LongLiteralsAndLongMatches) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{}, small());
  for (const std::size_t gap : {std::size_t{0}, std::size_t{14}, std::size_t{269}, std::size_t{7100}, std::size_t{7168},
                                std::size_t{7169}, std::size_t{9000}}) {
    bytes input;
    for (int i = 0; i < 3; ++i) {
      const bytes literals = random_bytes(random, gap + 16);
      input.insert(input.end(), literals.begin(), literals.end());
      const std::size_t first = input.size() - gap - 16;
      for (std::size_t k = 0; k < 16 + random() % 600; ++k) input.push_back(input[first + k]);
    }
    compress(server, input, 65536);
    if (HasFatalFailure()) FAIL() << gap << ", GENESYS_TEST_SEED=" << seed();
  }
}

// A piece that does not fit has size 0, and leaves its neighbours alone.
TEST(Lz4, SmallSlots) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{}, small());
  bytes input = text(random, 5 * 4096);
  const bytes noise = random_bytes(random, 4096);
  std::copy(noise.begin(), noise.end(), input.begin() + 4096);
  for (const u64 slot : {u64{16}, u64{1600}, u64{4096}}) compress(server, input, 4096, false, slot);
}

#if !SERVICES_TESTS_WITH_LZ4
TEST(Lz4, IsReadBackByLiblz4) { GTEST_SKIP() << "liblz4 was not found (Debian: liblz4-dev)"; }
#endif

TEST(Lz4, WrongNumbersAreRefused) {
  genesys::service_server server(all_services{}, small());
  const auto loaded = server.load(services::lz4{});
  guarded from(server, 10'000), to(server, 3 * 4128), sizes(server, 12);
  using genesys::service_buffer;
  is_refused<services::lz4>(server, loaded, {from.input(), 0, to.buffer(), 4128, sizes.buffer()}, to);
  is_refused<services::lz4>(server, loaded, {from.input(), 65537, to.buffer(), 4128, sizes.buffer()}, to);
  is_refused<services::lz4>(server, loaded, {from.input(), 3000, to.buffer(), 4128, sizes.buffer()}, to);
  is_refused<services::lz4>(server, loaded, {from.input(), 4096, to.buffer(), 0, sizes.buffer()}, to);
  is_refused<services::lz4>(server, loaded, {from.input(), 4096, to.buffer(), 4120, sizes.buffer()}, to);
  is_refused<services::lz4>(server, loaded, {from.input(), 4096, to.buffer(), ~u64{15}, sizes.buffer()}, to);
  is_refused<services::lz4>(server, loaded, {from.input(), 4096, to.buffer(), 4128, {sizes.data(), 11}}, to);
  is_refused<services::lz4>(server, loaded, {from.input(), 4096, {to.data() + 8, 3 * 4128}, 4128, sizes.buffer()}, to);
}

}  // namespace
