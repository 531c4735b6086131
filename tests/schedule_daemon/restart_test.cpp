// SPDX-License-Identifier: Apache-2.0
// The daemon ends, stops, or starts again while processes live: they run free, say so once, and join again.
#include "processes.h"
#include "world.h"

namespace daemon_testing {
namespace {

struct listening_client {
  std::vector<std::string> said;
  client one;
  listening_client(const std::string& socket, int nice, time_ns silent = 300'000'000)
      : one([&] {
          client_options options = options_of(socket, nice);
          options.daemon_silent = silent;
          options.say = [this](const std::string& text) { said.push_back(text); };
          return options;
        }()) {}
};

TEST(DaemonRestart, WithoutADaemonAProcessRunsFree) {
  folder in;
  listening_client free(in.file("socket"), 10);
  EXPECT_FALSE(free.one.connect());
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(free.one.begin(), hold::none);
    EXPECT_EQ(free.one.poll(), hold::none);
    free.one.end();
    free.one.wait(1'000'000);
  }
  ASSERT_EQ(free.said.size(), 1u);
  EXPECT_NE(free.said[0].find("genesys scheduled"), std::string::npos) << free.said[0];
}

TEST(DaemonRestart, ProcessesRunFreeAndJoinAgain) {
  world w;
  auto more = w.member(0);
  listening_client less(w.options.socket, 5);
  ASSERT_TRUE(less.one.connect());
  EXPECT_EQ(more->begin(), hold::none);
  EXPECT_EQ(less.one.begin(), hold::abort);
  for (int round = 0; round < 3; ++round) {
    less.said.clear();
    w.daemon.reset();  // SIGKILL
    const time_ns before = now_ns();
    EXPECT_TRUE(resumes(less.one));
    EXPECT_LT(now_ns() - before, 1'000'000'000u);
    sleep_ms(100);
    EXPECT_EQ(less.one.begin(), hold::none);
    ASSERT_EQ(less.said.size(), 1u);
    EXPECT_NE(less.said[0].find("has ended; the process runs free"), std::string::npos) << less.said[0];
    w.start();
    // `more` is busy and finds the new daemon by itself; `less` then has to hold.
    EXPECT_TRUE(eventually([&] {
      more->poll();
      more->wait(1'000'000);
      return less.one.begin() != hold::none;
    }));
  }
}

TEST(DaemonRestart, AStoppedDaemonIsLeft) {
  world w;
  auto more = w.member(0);
  listening_client less(w.options.socket, 5);
  ASSERT_TRUE(less.one.connect());
  EXPECT_EQ(more->begin(), hold::none);
  EXPECT_EQ(less.one.begin(), hold::abort);
  w.daemon->process().kill(SIGSTOP);
  const time_ns before = now_ns();
  EXPECT_TRUE(resumes(less.one));
  EXPECT_GE(now_ns() - before, 250'000'000u);
  EXPECT_LT(now_ns() - before, 2'000'000'000u);
  ASSERT_GE(less.said.size(), 1u);
  EXPECT_NE(less.said[0].find("has stopped"), std::string::npos) << less.said[0];
  w.daemon->process().kill(SIGCONT);
  EXPECT_TRUE(eventually([&] { return less.one.wait(1'000'000), less.one.begin() != hold::none; }));
}

TEST(DaemonRestart, OneDaemonForASocket) {
  world w;
  server_options same = w.options;
  try {
    server second(same);
    ADD_FAILURE() << "a second daemon serves the same socket";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("another 'genesys scheduled'"), std::string::npos) << error.what();
  }
  EXPECT_NE(w.member(0), nullptr);  // the first still serves
}

}  // namespace
}  // namespace daemon_testing
