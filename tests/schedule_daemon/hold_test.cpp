// SPDX-License-Identifier: Apache-2.0
// Hold and resume between clients. The clients are in one process: each has its own connection, pages and mappings.
#include "processes.h"

namespace daemon_testing {
namespace {

struct world {
  folder in;
  server_options options;
  std::unique_ptr<daemon_process> daemon;
  world() {
    options.socket = in.file("socket");
    daemon = std::make_unique<daemon_process>(options);
  }
  std::vector<client*> all;
  // A member that the others know, too.
  std::unique_ptr<client> member(int nice) {
    auto made = std::make_unique<client>(options_of(options.socket, nice));
    EXPECT_TRUE(made->connect()) << made->refused();
    for (client* each : all) EXPECT_TRUE(eventually([&] { return each->poll(), each->others() == all.size(); }));
    all.push_back(made.get());
    return made;
  }
};

TEST(DaemonHold, TheMoreImportantGoesFirst) {
  world w;
  auto less = w.member(5), more = w.member(0);
  EXPECT_EQ(less->begin(), hold::none);
  EXPECT_EQ(less->poll(), hold::none);
  EXPECT_EQ(more->begin(), hold::none);
  EXPECT_EQ(less->poll(), hold::abort);
  EXPECT_FALSE(more->alone());
  less->acknowledge();
  EXPECT_TRUE(more->alone());
  EXPECT_EQ(less->begin(), hold::abort);
  EXPECT_EQ(more->poll(), hold::none);
  more->end();
  EXPECT_EQ(less->begin(), hold::none);
}

TEST(DaemonHold, EqualOnesRunTogether) {
  world w;
  auto one = w.member(3), two = w.member(3);
  EXPECT_EQ(one->begin(), hold::none);
  EXPECT_EQ(two->begin(), hold::none);
  EXPECT_EQ(one->poll(), hold::none);
  EXPECT_TRUE(two->alone());
}

TEST(DaemonHold, AnEndReleases) {
  world w;
  auto less = w.member(5), more = w.member(0);
  EXPECT_EQ(more->begin(), hold::none);
  EXPECT_EQ(less->begin(), hold::abort);
  more.reset();  // its connection closes
  EXPECT_TRUE(eventually([&] { return less->begin() == hold::none; }));
}

}  // namespace
}  // namespace daemon_testing
