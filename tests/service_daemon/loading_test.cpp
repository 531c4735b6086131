// SPDX-License-Identifier: Apache-2.0
// Services that the daemon loads from files: at its start and while it serves, beside requests of other clients; what
// it refuses, and who may.
#include <grp.h>
#include <sys/socket.h>

#include <atomic>

#include "loading_testing.h"
#include "schedule/daemon/message.h"
#include "service/client/connection.h"
#include "service/daemon/check.h"

namespace daemon_testing {
namespace {

namespace wire = genesys::detail::serving;

// The errno of what an order throws, and its text; 0: it throws nothing.
template <class F>
int thrown_by(F order, std::string& text) {
  try {
    order();
    text.clear();
    return 0;
  } catch (const service_client_error& error) {
    text = error.what();
    return error.number();
  }
}
template <class F>
int thrown_by(F order) {
  std::string text;
  return thrown_by(order, text);
}

TEST(ServiceDaemonLoading, AtItsStart) {
  served daemon({"--load", to_load("daemon_first", "scale"), "--load", to_load("daemon_first", "hold")});
  service_client client(daemon.options(1 << 20));
  EXPECT_EQ(client.services().size(), 6u);
  EXPECT_EQ(wrong_scales(client, first_adds), 0u);
  EXPECT_EQ(wrong_requests(client, 20, 1, 500), 0u);
  const auto& scales = client.services()[client.find("scale").number];
  EXPECT_TRUE(scales.is_described);
  ASSERT_EQ(scales.members.size(), 3u);
  EXPECT_EQ(scales.members[2].name, "by");
  EXPECT_FALSE(client.services()[client.find("hold").number].is_described);
  EXPECT_TRUE(daemon.reports("service scale (loaded, version 1): 20 requests, 0 errors"));
  EXPECT_TRUE(daemon.reports("services loaded so far: 2"));
  EXPECT_EQ(daemon.stop(), 0);
}

TEST(ServiceDaemonLoading, WhileItServes) {
  served daemon;
  service_client before(daemon.options(1 << 20));
  EXPECT_EQ(wrong_requests(before, 20, 1, 500), 0u);
  load(daemon, "daemon_first", "scale");
  service_client after(daemon.options(1 << 20));
  EXPECT_EQ(wrong_scales(after, first_adds), 0u);
  EXPECT_THROW(before.find("scale"), service_client_error);  // its directory is that of its beginning
  EXPECT_EQ(wrong_requests(before, 20, 2, 500) + wrong_requests(after, 20, 3, 500), 0u);
  EXPECT_EQ(thrown_by([&] { load(daemon, "daemon_second", "scale"); }), EEXIST);
  EXPECT_EQ(thrown_by([&] { load(daemon, "daemon_first", "mask"); }), EEXIST);  // the daemon was built with it
  EXPECT_EQ(wrong_scales(after, first_adds), 0u);
}

TEST(ServiceDaemonLoading, AnotherVersionIsAnotherService) {
  served daemon;
  load(daemon, "daemon_first", "scale");
  service_client first(daemon.options(1 << 20));
  const auto scales = first.find<scale>();
  EXPECT_EQ(wrong_scales(first, first_adds), 0u);
  unload(daemon, "scale");
  auto* const words = static_cast<u64*>(first.allocate(16));
  EXPECT_EQ(first.call(scales, {{words, 8}, {words + 1, 8}, 1}), -ENOENT);
  EXPECT_EQ(service_client(daemon.options(4096)).services().size(), 4u);
  load(daemon, "daemon_second", "scale");
  EXPECT_EQ(first.call(scales, {{words, 8}, {words + 1, 8}, 1}), -ENOENT);
  service_client second(daemon.options(1 << 20));
  EXPECT_EQ(wrong_scales(second, second_adds), 0u);
  EXPECT_NE(service_client::list(daemon.socket()).find("scale                           loaded          2"),
            std::string::npos)
      << service_client::list(daemon.socket());
  EXPECT_TRUE(daemon.reports("service scale (loaded, version 2): 20 requests, 0 errors"));
  EXPECT_EQ(wrong_requests(first, 20, 1, 500), 0u);
}

TEST(ServiceDaemonLoading, WhatCannotBeUnloaded) {
  served daemon;
  std::string text;
  EXPECT_EQ(thrown_by([&] { unload(daemon, "scale"); }, text), ENOENT);
  EXPECT_NE(text.find("genesys: the daemon refuses: there is no service 'scale'"), std::string::npos) << text;
  EXPECT_EQ(thrown_by([&] { unload(daemon, "mask"); }), EINVAL);
  EXPECT_EQ(thrown_by([&] { unload(daemon, ""); }), EINVAL);
  EXPECT_EQ(thrown_by([&] { unload(daemon, "no\nname"); }), EINVAL);
}

TEST(ServiceDaemonLoading, WrongFiles) {
  served daemon;
  const std::string folder = std::filesystem::path(daemon.socket()).parent_path();
  const auto written = [&](const std::string& bytes) {
    const std::string path = folder + "/file";
    FILE* const to = std::fopen(path.c_str(), "w");
    EXPECT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), to), bytes.size());
    EXPECT_EQ(std::fclose(to), 0);
    return path;
  };
  std::string text;
  const auto loads = [&](const std::vector<std::string>& from, const std::string& name) {
    return thrown_by([&] { service_client::load(from, name, daemon.socket()); }, text);
  };
  const auto good = files("daemon_first");
  EXPECT_EQ(loads({"/nowhere/file.so"}, "scale"), ENOENT);
  EXPECT_NE(text.find("/nowhere/file.so"), std::string::npos);
  EXPECT_EQ(loads({folder}, "scale"), EISDIR);
  EXPECT_EQ(loads({}, "scale"), EINVAL);
  EXPECT_EQ(loads({good[0], good[0], good[0]}, "scale"), EINVAL);
  EXPECT_EQ(loads({good[0], good[0]}, "scale"), EINVAL);
  EXPECT_NE(text.find("for the same device"), std::string::npos) << text;
  EXPECT_EQ(loads({written("")}, "scale"), EINVAL);
  EXPECT_NE(text.find("is empty"), std::string::npos) << text;
  EXPECT_EQ(loads({written("neither PTX nor a library")}, "scale"), EINVAL);
  EXPECT_EQ(loads({written(std::string("\177ELF") + std::string(2000, 'x'))}, "scale"), EINVAL);
  EXPECT_EQ(loads({written(std::string((64u << 20) + 1, 'x'))}, "scale"), EINVAL);
  EXPECT_NE(text.find("64 MiB"), std::string::npos) << text;
  EXPECT_EQ(loads(good, "no_such"), EINVAL);
  EXPECT_NE(text.find("it has no service no_such"), std::string::npos) << text;
  EXPECT_EQ(loads(good, "no symbol"), EINVAL);
  EXPECT_EQ(loads(good, ""), EINVAL);
  EXPECT_EQ(loads(good, "a_name_that_has_more_than_31_bytes"), EINVAL);
  EXPECT_EQ(loads(good, "pointer"), EINVAL);
  EXPECT_NE(text.find("a pointer among them would not be checked"), std::string::npos) << text;
  EXPECT_EQ(loads(good, "with_member"), EINVAL);
  EXPECT_NE(text.find("make them arguments"), std::string::npos) << text;
  EXPECT_EQ(loads(good, "field_outside"), EINVAL);
  EXPECT_NE(text.find("a field is not within its arguments"), std::string::npos) << text;
  // What was refused has left no trace.
  EXPECT_EQ(service_client::list(daemon.socket()).find("load"), std::string::npos);
  load(daemon, "daemon_first", "scale");
  service_client client(daemon.options(1 << 20));
  EXPECT_EQ(wrong_scales(client, first_adds) + wrong_requests(client, 20, 1, 500), 0u);
}

// The reply's errno, to a packet with these descriptors.
int answer_to(const served& daemon, const std::vector<int>& passed, wire::hello_kind kind = wire::hello_kind::load) {
  const wire::descriptor connected = wire::connect_to(daemon.socket());
  wire::hello asked;
  asked.kind = kind;
  std::memcpy(asked.name.data(), "scale", 5);
  wire::send_hello(connected.get(), asked, passed);
  std::vector<wire::descriptor> got;
  return thrown_by([&] { (void)wire::receive_reply(connected.get(), 10'000 * slower, got); });
}

TEST(ServiceDaemonLoading, DescriptorsThatAreNoSealedFiles) {
  served daemon;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const wire::descriptor reads(ends[0]), writes(ends[1]);
  EXPECT_EQ(answer_to(daemon, {}), EINVAL);
  EXPECT_EQ(answer_to(daemon, {reads.get()}), EINVAL);  // nobody waits for what is never written
  const wire::descriptor file(::open(files("daemon_first")[0].c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(answer_to(daemon, {file.get()}), EINVAL);
  const wire::descriptor open(::memfd_create("open", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(::ftruncate(open.get(), 4096), 0);
  EXPECT_EQ(answer_to(daemon, {open.get()}), EINVAL);
  ASSERT_EQ(::fcntl(open.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), 0);
  EXPECT_EQ(answer_to(daemon, {open.get()}), EINVAL);
  EXPECT_EQ(answer_to(daemon, {open.get()}, wire::hello_kind::unload), ECONNRESET);
  const wire::descriptor huge(::memfd_create("huge", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(::ftruncate(huge.get(), off_t{1} << 40), 0);
  ASSERT_EQ(::fcntl(huge.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW), 0);
  EXPECT_EQ(answer_to(daemon, {huge.get()}), EINVAL);
  service_client client(daemon.options(1 << 20));
  EXPECT_EQ(wrong_requests(client, 20, 1, 500), 0u);
}

TEST(ServiceDaemonLoading, WhoMayLoad) {
  EXPECT_TRUE(wire::may_load(0, 1000));
  EXPECT_TRUE(wire::may_load(1000, 1000));
  EXPECT_FALSE(wire::may_load(1001, 1000));
  EXPECT_FALSE(wire::may_load(1000, 0));
}

TEST(ServiceDaemonLoading, AClientOfAnotherUserMayNot) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to be another user";
  constexpr uid_t nobody = 65534;
  const struct group* const games = ::getgrnam("games");
  if (games == nullptr) GTEST_SKIP() << "there is no group 'games'";
  served daemon({"--group", "games", "--load", to_load("daemon_first", "scale")});
  std::filesystem::permissions(std::filesystem::path(daemon.socket()).parent_path(), std::filesystem::perms(0755));
  child other([&] {
    // Its own copy: it may not be able to read the build's folder.
    const std::string copy = std::filesystem::path(daemon.socket()).parent_path() / "copy.so";
    std::filesystem::copy_file(files("daemon_first")[0], copy);
    std::filesystem::permissions(copy, std::filesystem::perms(0644));
    if (::setgroups(0, nullptr) != 0 || ::setgid(games->gr_gid) != 0 || ::setuid(nobody) != 0) return 97;
    std::string text;
    if (thrown_by([&] { service_client::load({copy}, "hold", daemon.socket()); }, text) != EPERM) return 1;
    if (text.find("only root and the daemon's user") == std::string::npos) return 2;
    if (thrown_by([&] { unload(daemon, "scale"); }) != EPERM) return 3;
    service_client client(daemon.options(1 << 20));
    return wrong_scales(client, first_adds) == 0 ? 0 : 4;  // but it may call
  });
  EXPECT_EQ(other.wait(), 0);
}

struct progress {
  std::atomic<u32> step{0}, stop{0};
  std::atomic<u32> made[4]{}, wrong[4]{};
  std::atomic<u64> longest_us[4]{};
};

// Clients as processes, which check each of their requests until the end.
class busy_clients {
 public:
  explicit busy_clients(const served& daemon) {
    for (u32 i = 0; i < 4; ++i) {
      clients_.emplace_back([this, &daemon, i] {
        service_client it(daemon.options(1 << 20));
        for (u32 round = 0; seen->stop == 0; ++round) {
          const auto begun = std::chrono::steady_clock::now();
          seen->wrong[i] += wrong_requests(it, 4, i * 1'000'000 + round, 500);
          const auto took = std::chrono::steady_clock::now() - begun;
          const u64 us = static_cast<u64>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
          if (us > seen->longest_us[i]) seen->longest_us[i] = us;
          seen->made[i] += 4;
        }
        return 0;
      });
    }
    EXPECT_TRUE(until([&] { return least_made() > 0; }));
  }
  u32 least_made() const {
    u32 least = ~0u;
    for (const auto& each : seen->made) least = std::min(least, each.load());
    return least;
  }
  void expect_good_end() {
    seen->stop = 1;
    for (child& each : clients_) EXPECT_EQ(each.wait(), 0);
    for (u32 i = 0; i < 4; ++i) {
      EXPECT_EQ(seen->wrong[i], 0u);
      std::printf("client %u: %u requests, four took %llu us at most\n", i, seen->made[i].load(),
                  static_cast<unsigned long long>(seen->longest_us[i]));
    }
  }

  shared<progress> seen;

 private:
  std::vector<child> clients_;
};

TEST(ServiceDaemonLoading, ASlowLoadHoldsUpNobody) {
  served daemon;
  busy_clients clients(daemon);
  child loader([&] {
    load(daemon, "daemon_slow", "scale");
    return 0;
  });
  std::this_thread::sleep_for(slow_takes / 10);
  const u32 before = clients.least_made();
  std::this_thread::sleep_for(slow_takes / 2);
  EXPECT_NE(service_client::list(daemon.socket()).find("loading"), std::string::npos);
  EXPECT_EQ(refused_with(daemon.options(4096)), 0);  // the door is open, too
  EXPECT_EQ(thrown_by([&] { load(daemon, "daemon_first", "scale"); }), EBUSY);
  EXPECT_EQ(thrown_by([&] { unload(daemon, "scale"); }), EBUSY);
  EXPECT_GT(clients.least_made(), before + 20 / slower);
  EXPECT_EQ(loader.wait(), 0);
  service_client client(daemon.options(1 << 20));
  EXPECT_EQ(wrong_scales(client, slow_adds), 0u);
  clients.expect_good_end();
}

std::size_t descriptors_of(pid_t process) {
  const std::filesystem::directory_iterator all("/proc/" + std::to_string(process) + "/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

TEST(ServiceDaemonLoading, FiftyLoadsAndUnloadsWhileFourClientsCall) {
  served daemon;
  busy_clients clients(daemon);
  const unsigned rounds = slower == 1 ? 50 : 5;
  std::size_t descriptors = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    const bool is_first = round % 2 == 0;
    load(daemon, is_first ? "daemon_first" : "daemon_second", "scale");
    {
      service_client client(daemon.options(1 << 20));
      ASSERT_EQ(wrong_scales(client, is_first ? first_adds : second_adds, 5), 0u) << daemon.log();
    }
    unload(daemon, "scale");
    if (round == 4) descriptors = descriptors_of(daemon.pid());
  }
  // Clients that have gone may not have been noticed yet.
  EXPECT_TRUE(until([&] { return descriptors_of(daemon.pid()) <= descriptors + 8; }))
      << descriptors << " descriptors, then " << descriptors_of(daemon.pid());
  EXPECT_TRUE(daemon.reports("services loaded so far: " + std::to_string(rounds)));
  clients.expect_good_end();
  EXPECT_EQ(daemon.stop(), 0);
}

TEST(ServiceDaemonLoading, AnUnloadWaitsForRequestsThatRun) {
  served daemon({"--drain-ms", "400", "--stay-ms", "0", "--load", to_load("daemon_first", "hold")});
  service_client client(daemon.options(1 << 20));
  const auto holds = client.find<hold>();
  auto* const word = static_cast<u32*>(client.allocate(8));
  std::atomic_ref<u32>(*word).store(0);
  auto ticket = client.submit(holds, {{word, 8}});
  ASSERT_TRUE(daemon.reports("1 in flight"));
  std::string text;
  EXPECT_EQ(thrown_by([&] { unload(daemon, "hold"); }, text), ETIMEDOUT);
  EXPECT_NE(text.find("unload it again"), std::string::npos) << text;
  EXPECT_NE(service_client::list(daemon.socket()).find("unloading"), std::string::npos);
  EXPECT_EQ(client.call(holds, {{word, 8}}), -ENOENT);  // none can begin
  EXPECT_EQ(thrown_by([&] { load(daemon, "daemon_first", "hold"); }), EEXIST);
  // The kernel cannot leave for another one either, and the daemon goes on with the one that it has.
  EXPECT_EQ(thrown_by([&] { load(daemon, "daemon_first", "scale"); }, text), EBUSY);
  EXPECT_EQ(client.call(client.find<nothing>(), {}), 0);
  std::thread unloads([&] { EXPECT_EQ(thrown_by([&] { unload(daemon, "hold"); }), 0); });
  std::this_thread::sleep_for(50ms);
  std::atomic_ref<u32>(*word).store(21);
  EXPECT_EQ(ticket.wait(), 21);
  unloads.join();
  EXPECT_EQ(client.call(holds, {{word, 8}}), -ENOENT);
  EXPECT_EQ(wrong_requests(client, 20, 1, 500), 0u);
}

TEST(ServiceDaemonLoading, RequestsInTheRingOfAServiceThatGoes) {
  served daemon({"--load", to_load("daemon_first", "scale")});
  service_client client(daemon.options(1 << 20, 64));
  const auto scales = client.find<scale>();
  auto* const words = static_cast<u64*>(client.allocate(16));
  std::atomic<bool> stop{false};
  std::atomic<u32> answered{0}, gone{0}, other{0};
  std::thread calls([&] {
    while (!stop) {
      std::vector<genesys::remote_ticket> tickets;
      for (int i = 0; i < 32; ++i) tickets.push_back(client.submit(scales, {{words, 8}, {words + 1, 8}, 1}));
      for (auto& each : tickets) {
        const long result = each.wait();
        ++(result == 1 ? answered : result == -ENOENT ? gone : other);
      }
    }
  });
  ASSERT_TRUE(until([&] { return answered > 0; }));
  unload(daemon, "scale");
  EXPECT_TRUE(until([&] { return gone > 0; }));
  stop = true;
  calls.join();
  EXPECT_EQ(other, 0u);
}

TEST(ServiceDaemonLoading, ALoaderThatDies) {
  served daemon;
  child loader([&] {
    load(daemon, "daemon_slow", "scale");
    return 0;
  });
  ASSERT_TRUE(until([&] { return service_client::list(daemon.socket()).find("loading") != std::string::npos; }));
  loader.kill(SIGKILL);
  EXPECT_EQ(loader.wait(), -SIGKILL);
  // What it has ordered is done.
  EXPECT_TRUE(until([&] { return service_client::list(daemon.socket()).find("loaded") != std::string::npos; }));
  std::mt19937 random(std::random_device{}());
  for (unsigned round = 0; round < (slower == 1 ? 40 : 5); ++round) {
    child other([&] {
      for (;;) {
        thrown_by([&] { unload(daemon, "scale"); });
        thrown_by([&] { load(daemon, "daemon_first", "scale"); });
      }
      return 0;
    });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 30'000));
    other.kill(SIGKILL);
    EXPECT_EQ(other.wait(), -SIGKILL);
  }
  EXPECT_TRUE(until([&] {
    const int why = thrown_by([&] { unload(daemon, "scale"); });
    return why == 0 || why == ENOENT;
  }));
  load(daemon, "daemon_second", "scale");
  service_client client(daemon.options(1 << 20));
  EXPECT_EQ(wrong_scales(client, second_adds), 0u);
}

TEST(ServiceDaemonLoading, MoreOrdersThanItKeeps) {
  constexpr u32 kept = 16, asked = 20;
  served daemon;
  child loader([&] {
    load(daemon, "daemon_slow", "scale");
    return 0;
  });
  ASSERT_TRUE(until([&] { return service_client::list(daemon.socket()).find("loading") != std::string::npos; }));
  std::this_thread::sleep_for(100ms * slower);  // the loading thread has begun
  const wire::descriptor garbage(::memfd_create("garbage", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(::ftruncate(garbage.get(), 4096), 0);
  ASSERT_EQ(::fcntl(garbage.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW), 0);
  std::vector<wire::descriptor> orders;
  for (u32 i = 0; i < asked; ++i) {
    orders.push_back(wire::connect_to(daemon.socket()));
    wire::hello order;
    order.kind = wire::hello_kind::load;
    std::snprintf(order.name.data(), order.name.size(), "name_%u", i);
    wire::send_hello(orders.back().get(), order, {garbage.get()});
  }
  u32 refused = 0, failed = 0;
  for (const wire::descriptor& each : orders) {
    std::vector<wire::descriptor> got;
    const int why = thrown_by([&] { (void)wire::receive_reply(each.get(), 10'000 * slower, got); });
    refused += why == EAGAIN;
    failed += why == EINVAL;
  }
  EXPECT_EQ(refused, asked - kept);
  EXPECT_EQ(failed, kept);
  EXPECT_EQ(loader.wait(), 0);
  service_client client(daemon.options(1 << 20));
  EXPECT_EQ(wrong_scales(client, slow_adds), 0u);
}

TEST(ServiceDaemonLoading, TheEndDoesNotWaitForLong) {
  served daemon;
  child loader([&] { return thrown_by([&] { load(daemon, "daemon_slow", "scale"); }) == ECONNRESET ? 0 : 1; });
  ASSERT_TRUE(until([&] { return service_client::list(daemon.socket()).find("loading") != std::string::npos; }));
  EXPECT_EQ(daemon.stop(), 0);
  EXPECT_EQ(loader.wait(), 0);
}

TEST(ServiceDaemonLoading, TheEndOfADaemonWhoseLoadDoesNotEnd) {
  served daemon({"--drain-ms", "100"});
  service_client client(daemon.options(1 << 20));
  child loader([&] { return thrown_by([&] { load(daemon, "daemon_stuck", "scale"); }) == ECONNRESET ? 0 : 1; });
  ASSERT_TRUE(until([&] { return service_client::list(daemon.socket()).find("loading") != std::string::npos; }));
  EXPECT_EQ(wrong_requests(client, 20, 1, 500), 0u);
  EXPECT_EQ(daemon.stop(), 1);
  EXPECT_EQ(loader.wait(), 0);
  EXPECT_NE(daemon.log().find("a service is being loaded"), std::string::npos) << daemon.log();
}

TEST(ServiceDaemonLoading, WrongOptions) {
  const auto status_with = [](const std::string& what) {
    child daemon([&] {
      ::close(STDERR_FILENO);
      const std::string path = program();
      ::execl(path.c_str(), path.c_str(), "--socket", "/tmp/genesys-serve.none", "--load", what.c_str(), nullptr);
      return 98;
    });
    return daemon.wait();
  };
  EXPECT_EQ(status_with("scale"), 2);
  EXPECT_EQ(status_with(":scale"), 2);
  EXPECT_EQ(status_with("/nowhere/file:"), 2);
  EXPECT_EQ(status_with("/nowhere/file:scale"), 1);
  EXPECT_EQ(status_with("/dev/zero:scale"), 1);
  EXPECT_EQ(status_with(files("daemon_first")[0] + ":unknown"), 1);
  EXPECT_EQ(status_with(files("daemon_first")[0] + ":mask"), 1);  // the daemon was built with it
  EXPECT_FALSE(std::filesystem::exists("/tmp/genesys-serve.none"));
}

}  // namespace
}  // namespace daemon_testing
