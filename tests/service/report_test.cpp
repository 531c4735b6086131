// SPDX-License-Identifier: Apache-2.0
// service_server::report(): by service, who had the requests, and what is in flight.
#include <cerrno>
#include <sstream>

#include "twins.h"

namespace {
using namespace service_testing;

std::string report_of(const genesys::service_server& server) {
  std::ostringstream text;
  server.report(text);
  return text.str();
}

TEST(ServiceReport, TellsWhoHadTheRequestsAndWhatIsInFlight) {
  genesys::service_options chosen;
  chosen.blocks = 2;
  genesys::service_server server(genesys::service_list<twin_hash_1, hash_of_7, wait_for>{}, chosen);
  const auto with_twin = server.load(twin_hash_1{{.key = 3}});
  const auto without = server.load(hash_of_7{5});
  const auto waits = server.load(wait_for{});
  for (u64 i = 0; i < 40; ++i) EXPECT_EQ(server.call(without, {{i}}), hash_of_7::of(5, {{i}}));
  for (u64 i = 0; i < 10; ++i) {
    EXPECT_EQ(server.call(with_twin, {{i}}), hash_of_1::of(3, {{i}}));
    EXPECT_EQ(server.call(with_twin, {{i}}, {.where = genesys::service_path::cpu}), hash_of_1::of(3, {{i}}));
  }
  EXPECT_EQ(server.call(without, {{1}}, {.where = genesys::service_path::launch}), hash_of_7::of(5, {{1}}));
  u32* const word = allocate<u32>(server, 1);
  auto ticket = server.submit(waits, {word});
  std::string text = report_of(server);
  for (const char* part :
       {"62 requests: 51 by the kernel, 1 by launches of their own, 10 by twins (10 of these by choice",
        "41 requests, 40 by the kernel, 1 by launches of their own, 0 by twins; 0 errors",
        "20 requests, 10 by the kernel, 0 by launches of their own, 10 by twins; 0 errors",
        "called to published: median", "published to completed: median", "in flight: service",
        "by the kernel, attended for", "pool: "})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  store(word, 4);
  EXPECT_EQ(ticket.wait(), 4);
  EXPECT_TRUE(until([&] { return report_of(server).find("in flight") == std::string::npos; }));
}

}  // namespace
