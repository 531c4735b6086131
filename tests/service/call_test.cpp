// SPDX-License-Identifier: Apache-2.0
// Calls: arguments, results, blocks, tickets, what is refused.
#include <cerrno>

#include "testing.h"

namespace {
using namespace service_testing;

TEST(Service, AnEmptyServiceIsCalled) {
  genesys::service_server server(all_services{});
  std::printf("%s\n", server.describe().c_str());
  const auto calls = server.load(empty{});
  const auto quiet_calls = server.load(quiet_empty{});
  for (unsigned i = 0; i < 500; ++i) {
    ASSERT_EQ(server.call(calls, {}), 0);
    ASSERT_EQ(server.call(quiet_calls, {}, {.blocks = 1 + i % 3}), 0);
  }
  EXPECT_EQ(server.counts().requests, 1000u);
  EXPECT_GE(server.counts().launches, 1u);
}

template <class S>
void arguments_pass(genesys::service_server& server, std::mt19937_64& random) {
  const S functor{random()};
  const auto hashes = server.load(functor);
  for (int i = 0; i < 200; ++i) {
    typename S::arguments with;
    for (u64& word : with.words) word = i % 3 == 0 ? ~u64{0} << (random() % 64) : random();
    ASSERT_EQ(server.call(hashes, with), S::of(functor.key, with)) << "GENESYS_TEST_SEED=" << seed();
  }
  EXPECT_EQ(server.unload(hashes), 0);
}

// The slots go through all tags several times, with requests of different lengths.
TEST(Service, ArgumentsPassWhole) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{}, {.slots = 16});
  for (u32 i = 0; i < 10 / (slower > 1 ? 5 : 1); ++i) {
    arguments_pass<hash_of_1>(server, random);
    arguments_pass<hash_of_24>(server, random);
    arguments_pass<hash_of_7>(server, random);
  }
}

TEST(Service, BlocksShareARequest) { blocks_share_a_request(genesys::service_path::gpu, {1, 2, 3, 4, 31, 100}); }

TEST(Service, ResultsOfBlocksAreAddedOrTheLeastCounts) {
  genesys::service_server server(all_services{}, {.blocks = 2});
  const auto values = server.load(value_of_block{});
  EXPECT_EQ(server.call(values, {{5}}), 5);
  EXPECT_EQ(server.call(values, {{-5}}), -5);
  EXPECT_EQ(server.call(values, {{1, 2, 3, 4, 5}}, {.blocks = 5}), 15);
  EXPECT_EQ(server.call(values, {{1, -2, 3, -4, 5}}, {.blocks = 5}), -4);
  constexpr long greatest = (1L << 47) - 1;
  EXPECT_EQ(server.call(values, {{greatest}}), greatest);
  EXPECT_EQ(server.call(values, {{-greatest - 1}}), -greatest - 1);
  EXPECT_EQ(server.call(values, {{greatest, 1}}, {.blocks = 2}), -EOVERFLOW);
  EXPECT_EQ(server.call(values, {{greatest + 1}}), -EOVERFLOW);
  EXPECT_EQ(server.call(values, {{-greatest - 2}}), -EOVERFLOW);
}

TEST(Service, TicketsAreWaitedForInAnyOrder) {
  genesys::service_server server(all_services{});
  const auto hashes = server.load(hash_of_7{42});
  std::vector<genesys::service_ticket> tickets;
  std::vector<long> expected;
  for (u64 i = 0; i < 100; ++i) {
    const hash_of_7::arguments with{{i, i + 1, i * i}};
    expected.push_back(hash_of_7::of(42, with));
    tickets.push_back(server.submit(hashes, with));
  }
  EXPECT_TRUE(until([&] { return tickets[7].is_done(); }));
  for (std::size_t i = tickets.size(); i-- > 0;) ASSERT_EQ(tickets[i].wait(), expected[i]);
  tickets[3] = server.submit(hashes, {});  // replaces a ticket that is done
  EXPECT_EQ(tickets[3].wait(), hash_of_7::of(42, {}));
}

// More tickets than slots: the monitor collects what nobody waits for.
TEST(Service, TicketsThatNobodyWaitsForGiveTheirSlotsBack) {
  genesys::service_server server(all_services{}, {.slots = 16});
  const auto calls = server.load(empty{});
  std::vector<genesys::service_ticket> kept;
  for (int i = 0; i < 100; ++i) {
    if (i % 2 == 0) {
      kept.push_back(server.submit(calls, {}));
    } else {
      (void)server.submit(calls, {});
    }
  }
  for (auto& ticket : kept) EXPECT_EQ(ticket.wait(), 0);
}

TEST(Service, WhatIsWrongIsRefused) {
  genesys::service_server server(all_services{});
  const auto calls = server.load(empty{});
  EXPECT_EQ(server.call(calls, {}, {.blocks = 0}), -EINVAL);
  EXPECT_EQ(server.call(calls, {}, {.blocks = 1u << 24}), -EINVAL);
  EXPECT_EQ(server.submit(calls, {}, {.blocks = 0}).wait(), -EINVAL);
  EXPECT_THROW((void)server.load(unknown{}), genesys::error);
  EXPECT_THROW(genesys::service_server(all_services{}, {.slots = 17}), genesys::error);
  EXPECT_THROW(genesys::service_server(all_services{}, {.threads = 33}), genesys::error);
  EXPECT_THROW(genesys::service_server(all_services{}, {.blocks = 129}), genesys::error);
  if (server.kind() == genesys::device_kind::cpu) {
    EXPECT_THROW(genesys::service_server(all_services{}, {.blocks = 128, .threads = 1024}), genesys::error);
  }
  EXPECT_EQ(server.call(calls, {}), 0);
}

}  // namespace
