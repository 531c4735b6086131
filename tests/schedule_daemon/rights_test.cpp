// SPDX-License-Identifier: Apache-2.0
// Who may ask for which nice value, and who may connect. As root, children become the user nobody.
#include <grp.h>
#include <sched.h>
#include <sys/resource.h>

#include "processes.h"
#include "raw_connection.h"
#include "schedule/daemon/allow_list.h"
#include "schedule/daemon/rights.h"

namespace daemon_testing {
namespace {

constexpr unsigned nobody = 65534, a_group = 1;
constexpr int cannot_connect = 200;

// With the CPU nice value 0, whatever the test's own is.
bool become_nobody(const std::vector<gid_t>& further = {}, int nice = 0) {
  return ::setpriority(PRIO_PROCESS, 0, nice) == 0 && ::setgroups(further.size(), further.data()) == 0 &&
         ::setgid(nobody) == 0 && ::setuid(nobody) == 0;
}

// What a client gets: 0 if it is a member, else the errno of the refusal.
int ask(const std::string& socket, int nice) {
  client_options options = options_of(socket, nice);
  options.say = [](const std::string&) {};
  client one(options);
  if (one.connect()) return 0;
  return one.error() != 0 ? one.error() : cannot_connect;
}

// The same in a child that is nobody, after `before` as root and `after` as nobody.
int asked_by_nobody(
    const std::string& socket, int nice, const std::function<void()>& before = [] {},
    const std::function<bool()>& after = [] { return true; }, std::vector<gid_t> further = {}, int own_nice = 0) {
  child one([&] {
    before();
    if (!become_nobody(further, own_nice)) return 98;
    if (!after()) return 97;
    return ask(socket, nice);
  });
  return one.wait();
}

struct rights_world {
  folder in;
  server_options options;
  std::unique_ptr<daemon_process> daemon;
  explicit rights_world(server_options with = {}) : options(std::move(with)) {
    options.socket = in.file("socket");
    daemon = std::make_unique<daemon_process>(options);
  }
};

#define NEEDS_ROOT() \
  if (::geteuid() != 0) GTEST_SKIP() << "it becomes another user"

TEST(DaemonRights, AsSetpriority) {
  NEEDS_ROOT();
  rights_world w;
  const std::string& socket = w.options.socket;
  EXPECT_EQ(ask(socket, -20), 0);  // CAP_SYS_NICE
  EXPECT_EQ(asked_by_nobody(socket, 0), 0);
  EXPECT_EQ(asked_by_nobody(socket, 19), 0);
  EXPECT_EQ(asked_by_nobody(socket, -1), EPERM);
  EXPECT_EQ(asked_by_nobody(socket, -20), EPERM);
  const auto nothing = [] {};
  const auto yes = [] { return true; };
  EXPECT_EQ(asked_by_nobody(socket, 5, nothing, yes, {}, 5), 0);
  EXPECT_EQ(asked_by_nobody(socket, 4, nothing, yes, {}, 5), EPERM);
}

TEST(DaemonRights, AsTheLimitOfNice) {
  NEEDS_ROOT();
  child allowed([] {
    const rlimit limit{25, 25};
    return ::setrlimit(RLIMIT_NICE, &limit) == 0 ? 0 : 1;
  });
  if (allowed.wait() != 0) GTEST_SKIP() << "it has no CAP_SYS_RESOURCE";
  rights_world w;
  const std::string& socket = w.options.socket;
  const auto limit_25 = [] {
    const rlimit limit{25, 25};
    ::setrlimit(RLIMIT_NICE, &limit);
  };
  EXPECT_EQ(asked_by_nobody(socket, -5, limit_25), 0);
  EXPECT_EQ(asked_by_nobody(socket, -6, limit_25), EPERM);
}

// There a process has all capabilities, but not over others.
TEST(DaemonRights, AUserNamespaceGivesNone) {
  NEEDS_ROOT();
  rights_world w;
  const int got = asked_by_nobody(
      w.options.socket, -5, [] {}, [] { return ::unshare(CLONE_NEWUSER) == 0; });
  if (got == 97) GTEST_SKIP() << "Linux allows nobody no user namespace here";
  EXPECT_EQ(got, EPERM);
}

TEST(DaemonRights, TheRefusalSaysWhatToDo) {
  NEEDS_ROOT();
  rights_world w;
  child one([&] {
    if (!become_nobody()) return 98;
    raw_connection to(w.options.socket);
    to.send(request_kind::join, -4);
    const std::optional<reply> refused = to.receive();
    if (!refused || refused->kind != reply_kind::refused || refused->error != EPERM) return 1;
    const std::string text = text_of(*refused);
    for (const char* word : {"nice -4", "the least is 0", "CAP_SYS_NICE", "ulimit -e", "allow list"}) {
      if (text.find(word) == std::string::npos) return std::fprintf(stderr, "%s\n", text.c_str()), 2;
    }
    return to.join(0) ? 0 : 3;  // it may ask again, for less
  });
  EXPECT_EQ(one.wait(), 0);
}

TEST(DaemonRights, TheAllowListAdds) {
  NEEDS_ROOT();
  server_options options;
  options.allowed = {{false, nobody, -7}, {true, a_group, -9}};
  rights_world w(options);
  EXPECT_EQ(asked_by_nobody(w.options.socket, -7), 0);
  EXPECT_EQ(asked_by_nobody(w.options.socket, -8), EPERM);
  const auto nothing = [] {};
  const auto yes = [] { return true; };
  EXPECT_EQ(asked_by_nobody(w.options.socket, -9, nothing, yes, {a_group}), 0);
  EXPECT_EQ(asked_by_nobody(w.options.socket, -10, nothing, yes, {a_group}), EPERM);
}

TEST(DaemonRights, OnlyTheGroupConnects) {
  NEEDS_ROOT();
  server_options options;
  options.group = a_group;
  rights_world w(options);
  EXPECT_EQ(asked_by_nobody(w.options.socket, 0), cannot_connect);
  EXPECT_EQ(asked_by_nobody(
                w.options.socket, 0, [] {}, [] { return true; }, {a_group}),
            0);
}

TEST(DaemonRights, AUserCannotTakeAllPlaces) {
  NEEDS_ROOT();
  rights_world w;
  child greedy([&] {
    if (!become_nobody()) return 98;
    std::vector<std::unique_ptr<raw_connection>> all;
    unsigned members = 0;
    for (unsigned i = 0; i < 3 * connections_of_user_max; ++i) {
      all.push_back(std::make_unique<raw_connection>(w.options.socket));
      members += all.back()->join(0).has_value();
    }
    if (members != members_of_user_max) return 1;
    return ask(w.options.socket, 0) == 0 ? 2 : 0;  // of the same user
  });
  EXPECT_EQ(greedy.wait(), 0);
  EXPECT_EQ(ask(w.options.socket, 0), 0);
}

// Root makes a socket of which a user's process may be the daemon; a process of root does not obey it.
TEST(DaemonRights, AnotherUsersDaemonIsNotObeyed) {
  NEEDS_ROOT();
  folder in;
  ::chmod(in.file("").c_str(), 0777);
  server_options options;
  options.socket = in.file("socket");
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  child daemon([&] {
    if (!become_nobody()) return 98;
    server one(options);
    [[maybe_unused]] const ssize_t written = ::write(ready[1], "x", 1);
    one.run();
    return 0;
  });
  ::close(ready[1]);
  char got;
  ASSERT_EQ(::read(ready[0], &got, 1), 1);
  ::close(ready[0]);
  EXPECT_EQ(ask(options.socket, 0), cannot_connect);
  EXPECT_EQ(asked_by_nobody(options.socket, 0), 0);  // its own user's
}

TEST(DaemonRights, LeastNice) {
  process_facts of;
  of.nice = 3, of.nice_limit = 0;
  EXPECT_EQ(least_nice(of, {}), 3);
  of.nice_limit = 20;
  EXPECT_EQ(least_nice(of, {}), 0);
  of.nice_limit = 40;
  EXPECT_EQ(least_nice(of, {}), -20);
  of.nice_limit = ~0u;  // unlimited
  EXPECT_EQ(least_nice(of, {}), -20);
  of.nice_limit = 0, of.uid = 7, of.all_groups = {8, 9};
  EXPECT_EQ(least_nice(of, {{false, 8, -20}, {true, 7, -20}}), 3);
  EXPECT_EQ(least_nice(of, {{false, 7, 5}}), 3);  // it never takes away
  EXPECT_EQ(least_nice(of, {{false, 7, -2}, {true, 9, -3}}), -3);
  of.may_lower = true;
  EXPECT_EQ(least_nice(of, {}), -20);
}

TEST(DaemonRights, ProcFiles) {
  const std::string before = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 20 ";
  EXPECT_EQ(nice_in_stat("12 (name)" + before + "-7 1 0"), -7);
  EXPECT_EQ(nice_in_stat("12 (a) b ) R)" + before + "19 1 0"), 19);
  EXPECT_EQ(nice_in_stat("12 (name)" + before + "20 1 0"), std::nullopt);
  EXPECT_EQ(nice_in_stat("12 (name) S 1 2"), std::nullopt);
  EXPECT_EQ(nice_in_stat(""), std::nullopt);
  EXPECT_EQ(nice_limit_in("Limit  Soft\nMax nice priority         25                   30     \n"), 25u);
  EXPECT_EQ(nice_limit_in("Max nice priority         unlimited            unlimited\n"), 40u);
  EXPECT_EQ(nice_limit_in("Max open files 3 4\n"), std::nullopt);
  EXPECT_EQ(sys_nice_in("CapPrm:\t000001ffffffffff\nCapEff:\t0000000000800000\n"), true);
  EXPECT_EQ(sys_nice_in("CapPrm:\t000001ffffffffff\nCapEff:\t000001ffff7fffff\n"), false);
  EXPECT_EQ(sys_nice_in("Name: x\n"), std::nullopt);
}

TEST(DaemonRights, AllowListFiles) {
  const std::vector<allowed_nice> got =
      parse_allow_list("# all\n\nuser root nice -10  # robot\ngroup root nice -5\n", "f");
  ASSERT_EQ(got.size(), 2u);
  EXPECT_FALSE(got[0].is_group);
  EXPECT_EQ(got[0].nice, -10);
  EXPECT_TRUE(got[1].is_group);
  EXPECT_EQ(got[1].nice, -5);
  for (const char* wrong : {"user root nice", "user root -5", "user root nice -21", "user root nice 5 6", "root nice 5",
                            "user no_such_user_at_all nice 5", "group no_such_group_at_all nice 5"}) {
    try {
      parse_allow_list(std::string("\n") + wrong + "\n", "list");
      ADD_FAILURE() << wrong;
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("list:2: ", 0), 0u) << error.what();
    }
  }
  EXPECT_THROW(read_allow_list("/no/such/file"), std::runtime_error);
}

}  // namespace
}  // namespace daemon_testing
