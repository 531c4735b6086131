// SPDX-License-Identifier: Apache-2.0
// Streams: each piece passes once, in order, by each way; spans; errors in the middle; the end of the server.
#include "genesys/service_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>

#include "testing.h"

namespace service_stream_tests {
namespace {
using namespace service_testing;
using genesys::service_transfer;

// Adds `key` to each byte. `returns`: its result, if it is not 0; else the bytes that it wrote.
struct add_key {
  struct arguments {
    const unsigned char* from;
    unsigned char* to;
    u64 bytes;
    long returns;
    unsigned key;
  };
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    for (u64 i = here.thread(); i < with.bytes; i += here.threads())
      with.to[i] = static_cast<unsigned char>(with.from[i] + with.key);
    if (here.block != 0) return 0;
    return with.returns != 0 ? with.returns : static_cast<long>(with.bytes);
  }
};

using stream = genesys::service_stream<add_key>;
constexpr service_transfer all_ways[] = {service_transfer::zero_copy, service_transfer::copy_engine,
                                         service_transfer::by_sms};

add_key::arguments arguments_for(const genesys::service_piece& piece) {
  return {static_cast<const unsigned char*>(piece.input), static_cast<unsigned char*>(piece.output), piece.input_bytes,
          0, static_cast<unsigned>(piece.number % 7)};
}

std::byte byte_of(u64 piece, std::size_t i) { return static_cast<std::byte>(mixed(piece + 1) + i); }

// Fills pieces of changing lengths, and checks what is drained.
struct checked_source {
  u64 pieces;
  std::size_t most;
  u64 filled = 0, drained = 0, bytes = 0;
  std::atomic<int> filling{0}, draining{0};

  std::size_t length(u64 piece) const { return 1 + mixed(piece) % most; }
  std::size_t fill(u64 number, std::span<std::byte> into) {
    EXPECT_EQ(filling++, 0);  // one call at a time
    if (number % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
    EXPECT_EQ(number, filled);
    --filling;
    if (number == pieces) return 0;
    ++filled;
    for (std::size_t i = 0; i < length(number); ++i) into[i] = byte_of(number, i);
    return length(number);
  }
  void drain(const genesys::service_piece& piece, std::span<const std::byte> output, long result) {
    EXPECT_EQ(draining++, 0);
    if (piece.number % 8 == 3) std::this_thread::sleep_for(std::chrono::microseconds(100));
    ASSERT_EQ(piece.number, drained++);
    --draining;
    ASSERT_EQ(output.size(), length(piece.number));
    ASSERT_EQ(result, static_cast<long>(output.size()));
    bytes += output.size();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < output.size(); ++i) {
      const auto expected = static_cast<unsigned char>(byte_of(piece.number, i)) + piece.number % 7;
      wrong += output[i] != static_cast<std::byte>(expected);
    }
    ASSERT_EQ(wrong, 0u) << "piece " << piece.number;
  }
  genesys::service_stream_result run(stream& through) {
    return through.run([this](u64 number, std::span<std::byte> into) { return fill(number, into); },
                       [this](const genesys::service_piece& piece, std::span<const std::byte> output, long result) {
                         drain(piece, output, result);
                       });
  }
};

void pieces_pass(genesys::service_server& server, const genesys::service<add_key>& adds, service_transfer way,
                 unsigned threads, u64 pieces, std::size_t most) {
  SCOPED_TRACE(std::string(genesys::name_of(way)) + ", threads " + std::to_string(threads));
  stream through(server, adds, arguments_for,
                 {.input_bytes = most,
                  .output_bytes = most,
                  .buffers = 5,
                  .blocks = 1 + threads % 2,
                  .threads = threads,
                  .transfer = way});
  checked_source source{pieces, most};
  const auto result = source.run(through);
  EXPECT_EQ(result.error, 0);
  EXPECT_EQ(result.pieces, pieces);
  EXPECT_EQ(source.drained, pieces);
  EXPECT_EQ(result.input_bytes, source.bytes);
  EXPECT_EQ(result.output_bytes, source.bytes);
  EXPECT_EQ(result.sum, source.bytes);
}

TEST(ServiceStream, EachPiecePassesOnceAndInOrder) {
  genesys::service_server server(genesys::service_list<add_key>{});
  const auto adds = server.load(add_key{});
  for (const service_transfer way : all_ways) {
    for (const unsigned threads : {1u, 2u, 3u}) pieces_pass(server, adds, way, threads, 40, 3000);
    pieces_pass(server, adds, way, 1, 0, 10);
    pieces_pass(server, adds, way, 1, 1, 10);
  }
  EXPECT_EQ(server.pool_counts().taken_bytes, 0u);
}

// From memory of each kind to memory of each kind.
TEST(ServiceStream, SpansPass) {
  constexpr std::size_t bytes = 50'001, piece = 4096;
  genesys::service_server server(genesys::service_list<add_key>{});
  const auto adds = server.load(add_key{});
  std::vector<std::byte> plain_from(bytes), plain_to(bytes), registered_from(bytes), registered_to(bytes);
  const auto first = server.register_memory(registered_from.data(), bytes);
  std::optional<genesys::service_registration> second;
  try {
    second = server.register_memory(registered_to.data(), bytes);
  } catch (const genesys::error&) {  // both vectors have bytes in one page
  }
  std::byte* const pool_from = allocate<std::byte>(server, bytes);
  std::byte* const pool_to = allocate<std::byte>(server, bytes);
  for (std::byte* const from : {plain_from.data(), registered_from.data(), pool_from}) {
    for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<std::byte>(mixed(i));
    for (std::byte* const to : {plain_to.data(), registered_to.data(), pool_to}) {
      for (const service_transfer way : all_ways) {
        std::fill(to, to + bytes, std::byte{0});
        stream through(server, adds, arguments_for,
                       {.input_bytes = piece, .output_bytes = piece, .buffers = 3, .threads = 2, .transfer = way});
        std::atomic<u64> seen{0};
        const auto result = through.run(
            {from, bytes}, {to, bytes},
            [&](const genesys::service_piece&, std::span<const std::byte> out, long) { seen += out.size(); });
        ASSERT_EQ(result.error, 0);
        ASSERT_EQ(result.pieces, 13u);
        ASSERT_EQ(result.output_bytes, bytes);
        ASSERT_EQ(seen.load(), bytes);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < bytes; ++i)
          wrong += to[i] != static_cast<std::byte>(static_cast<unsigned char>(from[i]) + i / piece % 7);
        ASSERT_EQ(wrong, 0u) << genesys::name_of(way);
        EXPECT_THROW((void)through.run({from, bytes}, {to, bytes - 1}), genesys::error);
        EXPECT_EQ(through.run({from, std::size_t{0}}, {to, std::size_t{0}}).pieces, 0u);
      }
    }
  }
}

// Pinned memory grows in several registrations, and pieces lie across their ends.
TEST(ServiceStream, CopiesAreCutAtTheEndsOfRegistrations) {
  constexpr std::size_t mib = std::size_t{1} << 20, bytes = 7 * mib;
  genesys::service_server server(genesys::service_list<add_key>{}, {.pool_mib = 16});
  const auto adds = server.load(add_key{});
  std::byte* const from = allocate<std::byte>(server, mib);  // of the first 4 MiB
  std::byte* const to = allocate<std::byte>(server, bytes);  // begins there, and goes on in the next registration
  for (std::size_t i = 0; i < mib; ++i) from[i] = static_cast<std::byte>(mixed(i));
  stream through(server, adds,
                 [](genesys::service_piece& piece) {
                   piece.output_bytes = bytes;
                   add_key::arguments with = arguments_for(piece);
                   with.bytes = 100;
                   return with;
                 },
                 {.input_bytes = mib, .output_bytes = bytes, .buffers = 1, .transfer = service_transfer::copy_engine});
  EXPECT_EQ(through.run({from, mib}, {to, bytes}).error, 0);
  EXPECT_EQ(std::memcmp(from, to, 100), 0);
}

TEST(ServiceStream, TheResultIsTheLengthOfTheOutput) {
  genesys::service_server server(genesys::service_list<add_key>{});
  const auto adds = server.load(add_key{});
  for (const service_transfer way : all_ways) {
    stream through(server, adds,
                   [](genesys::service_piece& piece) {
                     add_key::arguments with = arguments_for(piece);
                     with.returns = piece.number < 10 ? 100 + static_cast<long>(piece.number) : 1001;
                     return with;
                   },
                   {.input_bytes = 1000, .output_bytes = 1000, .transfer = way, .result_is_output_bytes = true});
    u64 expected = 100;
    const auto result = through.run([](u64 number, std::span<std::byte> into) { return number < 20 ? into.size() : 0; },
                                    [&](const genesys::service_piece&, std::span<const std::byte> output, long) {
                                      EXPECT_EQ(output.size(), expected++);
                                    });
    EXPECT_EQ(result.pieces, 10u);
    EXPECT_EQ(result.error, -EOVERFLOW);  // 1,001 bytes do not fit
    EXPECT_EQ(result.output_bytes, u64{10 * 100 + 45});
  }
}

struct test_exception : std::runtime_error {
  test_exception() : std::runtime_error("test_exception") {}
};

// Errors at piece 7 of 20.
class ServiceStreamErrors : public testing::TestWithParam<std::tuple<service_transfer, unsigned>> {
 protected:
  static constexpr u64 bad = 7;
  genesys::service_stream_options chosen() const {
    return {.input_bytes = 512,
            .output_bytes = 512,
            .buffers = 4,
            .threads = std::get<1>(GetParam()),
            .transfer = std::get<0>(GetParam())};
  }
  genesys::service_server server{genesys::service_list<add_key>{}};
  genesys::service<add_key> adds = server.load(add_key{});
};

TEST_P(ServiceStreamErrors, ANegativeResultEndsTheStream) {
  stream through(
      server, adds,
      [](genesys::service_piece& piece) {
        add_key::arguments with = arguments_for(piece);
        if (piece.number == bad) with.returns = -EDOM;
        return with;
      },
      chosen());
  for (int i = 0; i < 2; ++i) {  // it can be used again
    checked_source source{20, 512};
    const auto result = source.run(through);
    EXPECT_EQ(result.error, -EDOM);
    EXPECT_EQ(result.pieces, bad);
    EXPECT_EQ(source.drained, bad);
  }
}

TEST_P(ServiceStreamErrors, WhatFillThrowsIsThrownBehindThePiecesBefore) {
  stream through(server, adds, arguments_for, chosen());
  checked_source source{20, 512};
  EXPECT_THROW((void)through.run(
                   [&](u64 number, std::span<std::byte> into) {
                     if (number == bad) throw test_exception();
                     return source.fill(number, into);
                   },
                   [&](const genesys::service_piece& piece, std::span<const std::byte> output, long result) {
                     source.drain(piece, output, result);
                   }),
               test_exception);
  EXPECT_EQ(source.drained, bad);
  EXPECT_THROW((void)through.run([](u64, std::span<std::byte> into) { return into.size() + 1; }, {}), genesys::error);
}

TEST_P(ServiceStreamErrors, WhatDrainThrowsEndsTheStream) {
  stream through(server, adds, arguments_for, chosen());
  u64 drained = 0;
  EXPECT_THROW((void)through.run([](u64 number, std::span<std::byte> into) { return number < 20 ? into.size() : 0; },
                                 [&](const genesys::service_piece&, std::span<const std::byte>, long) {
                                   if (drained++ == bad) throw test_exception();
                                 }),
               test_exception);
  EXPECT_EQ(drained, bad + 1);
  std::vector<std::byte> data(20 * 512);
  EXPECT_THROW((void)through.run(data, data,
                                 [](const genesys::service_piece& piece, std::span<const std::byte>, long) {
                                   if (piece.number == bad) throw test_exception();
                                 }),
               test_exception);
}

TEST_P(ServiceStreamErrors, WrongArgumentsEndTheStream) {
  u64 most = 512;
  stream through(
      server, adds,
      [&](genesys::service_piece& piece) {
        if (piece.number == bad) piece.output_bytes = most + 1;
        if (piece.number == bad && most == 0) throw test_exception();
        return arguments_for(piece);
      },
      chosen());
  checked_source source{20, 512};
  EXPECT_THROW((void)source.run(through), genesys::error);
  EXPECT_LE(source.drained, bad);
  most = 0;
  checked_source again{20, 512};
  EXPECT_THROW((void)again.run(through), test_exception);
}

TEST_P(ServiceStreamErrors, TheServerEndsInTheMiddle) {
  auto ends = std::make_unique<genesys::service_server>(genesys::service_list<add_key>{});
  stream through(*ends, ends->load(add_key{}), arguments_for, chosen());
  std::atomic<u64> filled{0};
  genesys::service_stream_result result;
  std::thread runs([&] {
    result = through.run(
        [&](u64 number, std::span<std::byte> into) {
          ++filled;
          return number < 5'000'000 ? into.size() : 0;
        },
        {});
  });
  EXPECT_TRUE(until([&] { return filled.load() > 20; }));
  ends.reset();
  runs.join();
  EXPECT_EQ(result.error, -ECANCELED);
  EXPECT_LE(result.pieces, filled.load());
}

INSTANTIATE_TEST_SUITE_P(Each, ServiceStreamErrors,
                         testing::Combine(testing::ValuesIn(all_ways), testing::Values(1u, 3u)));

TEST(ServiceStream, TheWayIsMeasured) {
  genesys::service_server server(genesys::service_list<add_key>{});
  const auto adds = server.load(add_key{});
  for (const std::size_t output_bytes : {16u, 4096u}) {
    stream through(server, adds, arguments_for, {.input_bytes = 4096, .output_bytes = output_bytes, .buffers = 2});
    const auto took = through.measure_transfers();
    EXPECT_TRUE(took.zero_copy_us > 0 && took.copy_engine_us > 0 && took.by_sms_us > 0);
    EXPECT_NE(through.transfer(), service_transfer::automatic);
    const auto requests = server.counts().requests;
    stream second(server, adds, arguments_for, {.input_bytes = 5000, .output_bytes = output_bytes + 5});
    EXPECT_EQ(second.transfer(), through.transfer());  // of about the same size
    EXPECT_EQ(server.counts().requests, requests);
  }
}

TEST(ServiceStream, WrongOptionsAreRefused) {
  genesys::service_server server(genesys::service_list<add_key>{}, {.pool_mib = 2});
  const auto adds = server.load(add_key{});
  for (const genesys::service_stream_options& wrong : {genesys::service_stream_options{.input_bytes = 0},
                                                       {.buffers = 0},
                                                       {.buffers = 257},
                                                       {.blocks = 0},
                                                       {.threads = 0}})
    EXPECT_THROW(stream(server, adds, arguments_for, wrong), genesys::error);
  stream too_large(server, adds, arguments_for, {.transfer = service_transfer::zero_copy});
  const auto fill = [](u64, std::span<std::byte>) { return std::size_t{0}; };
  EXPECT_THROW((void)too_large.run(fill, {}), genesys::error);  // the pool has 2 MiB
}

#if defined(GENESYS_TEST_FULL_PRODUCT) || defined(__CUDACC__)
TEST(ServiceStream, ManyPiecesOfManyStreams) {
  genesys::service_server server(genesys::service_list<add_key>{}, {.slots = 32, .stay_ms = 5});
  const auto adds = server.load(add_key{});
  std::vector<std::thread> all;
  for (unsigned t = 0; t < 4; ++t) {
    all.emplace_back([&, t] { pieces_pass(server, adds, all_ways[t % 3], 1 + t % 3, 1500 / slower, 20'000); });
  }
  for (auto& one : all) one.join();
  EXPECT_EQ(server.pool_counts().taken_bytes, 0u);
}
#endif

}  // namespace
}  // namespace service_stream_tests
