// SPDX-License-Identifier: Apache-2.0
// Isolated servers: their child is killed, faults, hangs, or does not start. Each request is answered once.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "isolated.h"

namespace {
using namespace service_testing;

TEST(Isolated, ServicesAreCalled) {
  isolated server;
  std::printf("%s\n", server->describe().c_str());
  const auto hashes = server->load(twin_hash_24{{.key = 3}});
  const auto scales = server->load(twin_scale{});
  u64* const memory = allocate<u64>(*server, 2000);
  for (u32 i = 0; i < 1000; ++i) memory[i] = i;
  for (u32 i = 0; i < 200; ++i) {
    const hash_of_24::arguments with{{i, 1, 2}};
    ASSERT_EQ(server->call(hashes, with), hash_of_24::of(3, with));
    ASSERT_EQ(server->call(scales, {memory, memory + 1000, 1000, i}, {.blocks = 1 + i % 5}), 1000);
    for (u32 w = 0; w < 1000; ++w) ASSERT_EQ(memory[1000 + w], memory[w] * 3 + i);
  }
  EXPECT_EQ(server->counts().by_twins, 0u);
  EXPECT_EQ(server->counts().replaced, 0u);
}

TEST(Isolated, TheProgramHasNoChild) {
  isolated server;
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Isolated, RequestsOfADeadChildAreAnsweredByTwins) {
  isolated server;
  const auto stucks = server->load(stuck{});
  const auto waits = server->load(wait_for{});
  const auto hashes = server->load(hash_of_7{5});
  u32* const word = allocate<u32>(*server, 1);
  auto with_twin = server->submit(stucks, {word});
  auto without = server->submit(waits, {word});
  std::atomic<long> result{0};
  std::thread caller([&] { result = server->call(stucks, {word}); });
  EXPECT_TRUE(until([&] { return server->counts().requests == 3; }));
  server.kill_child();
  EXPECT_EQ(with_twin.wait(), 5);
  EXPECT_EQ(without.wait(), -EIO);
  caller.join();
  EXPECT_EQ(result, 5);
  // This one has no twin: it waits for the next child.
  const hash_of_7::arguments with{{1, 2, 3}};
  EXPECT_EQ(server->call(hashes, with), hash_of_7::of(5, with));
  const auto counts = server->counts();
  EXPECT_EQ(counts.redone, 2u);
  EXPECT_EQ(counts.lost, 1u);
  EXPECT_EQ(counts.replaced, 1u);
  EXPECT_EQ(counts.requests, 4u);
}

TEST(Isolated, AServiceThatFaultsHarmsNoOther) {
  isolated server;
  const auto faults = server->load(wild_store{});
  const auto hashes = server->load(twin_hash_1{{.key = 1}});
  std::atomic<bool> stop{false};
  std::atomic<u64> right{0}, wrong{0};
  std::thread other([&] {
    for (u64 i = 0; !stop; ++i) ++(server->call(hashes, {{i}}) == hash_of_1::of(1, {{i}}) ? right : wrong);
  });
  for (u64 i = 1; i <= 3; ++i) {
    EXPECT_EQ(server->call(faults, {8}), 2);
    EXPECT_TRUE(server.replaced(i));
  }
  stop = true;
  other.join();
  EXPECT_GT(right, 0u);
  EXPECT_EQ(wrong, 0u);
}

TEST(Isolated, ARequestThatNeverEndsIsTakenFromTheGpu) {
  isolated server({.limit_ms = 300});
  const auto stucks = server->load(stuck{});
  const auto waits = server->load(wait_for{});
  u32* const word = allocate<u32>(*server, 1);
  EXPECT_EQ(server->call(stucks, {word}), 5);
  EXPECT_TRUE(server.replaced(1));
  EXPECT_EQ(server->call(waits, {word}), -ETIMEDOUT);
  EXPECT_TRUE(server.replaced(2));
  EXPECT_EQ(server->counts().timed_out, 2u);
  store(word, 9);
  EXPECT_EQ(server->call(waits, {word}), 9);
}

// Only if this holds may a twin use the memory of a request, and its caller have it back.
TEST(Isolated, ADeadChildWritesNothing) {
  isolated server;
  const auto writes = server->load(keeps_writing{});
  u32* const word = allocate<u32>(*server, 1);
  const auto value = [&] { return std::atomic_ref<u32>(*word).load(); };
  for (u32 round = 0; round < 3; ++round) {
    auto ticket = server->submit(writes, {word});
    ASSERT_TRUE(until([&] { return value() > 1000; }));
    server.kill_child();
    EXPECT_EQ(ticket.wait(), -EIO);
    const u32 last = value();
    for (u32 i = 0; i < 2000; ++i) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      ASSERT_EQ(value(), last);
    }
    store(word, 0);
    ASSERT_TRUE(server.replaced(round + 1));
  }
}

// What the device may have changed already cannot be done again.
TEST(Isolated, WhatChangedItsInputIsNotDoneAgain) {
  isolated server;
  const auto increments = server->load(increment{});
  u32* const word = allocate<u32>(*server, 1);
  u32* const data = allocate<u32>(*server, 200);
  auto apart = server->submit(increments, {{data, 400}, {data + 100, 400}, word});
  ASSERT_TRUE(until([&] { return std::atomic_ref<u32>(data[100]).load() == 1; }));
  server.kill_child();
  EXPECT_EQ(apart.wait(), 7);
  ASSERT_TRUE(server.replaced(1));
  auto in_place = server->submit(increments, {{data, 400}, {data, 400}, word});
  ASSERT_TRUE(until([&] { return std::atomic_ref<u32>(data[0]).load() == 1; }));
  server.kill_child();
  EXPECT_EQ(in_place.wait(), -EIO);
  EXPECT_EQ(data[0], 1u);
}

TEST(Isolated, ServicesAreLoadedAndMemoryIsAllocatedWithoutAChild) {
  isolated server;
  ASSERT_EQ(::kill(server.child(), SIGKILL), 0);
  const auto scales = server->load(twin_scale{});
  u64* const memory = allocate<u64>(*server, 4u << 20);  // more than the first child knew
  for (u32 i = 0; i < 100; ++i) memory[i] = i;
  for (u32 i = 0; i < 50; ++i) {
    ASSERT_EQ(server->call(scales, {memory, memory + (3u << 20), 100, i}), 100);
    for (u32 w = 0; w < 100; ++w) ASSERT_EQ(memory[(3u << 20) + w], memory[w] * 3 + i);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ASSERT_TRUE(server.replaced(1));
  EXPECT_EQ(server->unload(scales), 0);
  EXPECT_EQ(server->call(scales, {memory, memory, 1, 0}), -ENOENT);
}

// The zygote gets limits, so its next children do not start. Twins answer, until they do.
TEST(Isolated, AChildThatDoesNotStart) {
  isolated server({.limit_ms = 200});
  const auto hashes = server->load(twin_hash_1{{.key = 6}});
  const auto lone = server->load(hash_of_7{1});
  rlimit before{};
  const rlimit small{0, RLIM_INFINITY};
  ASSERT_EQ(::prlimit(server.zygote(), RLIMIT_AS, &small, &before), 0);
  server.kill_child();
  u64 by_twins = 0;
  EXPECT_TRUE(until([&] {
    by_twins += 1;
    EXPECT_EQ(server->call(hashes, {{by_twins}}), hash_of_1::of(6, {{by_twins}}));
    return server->counts().by_twins > 100;
  }));
  EXPECT_EQ(server->call(lone, {}), -EIO);
  EXPECT_EQ(server->call(lone, {}, {.full = genesys::when_full::refuse}), -EAGAIN);
  EXPECT_EQ(server->counts().replaced, 0u);
  ASSERT_EQ(::prlimit(server.zygote(), RLIMIT_AS, &before, nullptr), 0);
  EXPECT_TRUE(server.replaced(1));
  EXPECT_EQ(server->call(lone, {}), hash_of_7::of(1, {}));
}

TEST(Isolated, WithoutItsZygoteAServerHasTwinsOnly) {
  isolated server;
  const auto hashes = server->load(twin_hash_1{{.key = 6}});
  const auto lone = server->load(hash_of_7{1});
  EXPECT_EQ(server->call(lone, {}), hash_of_7::of(1, {}));
  ASSERT_EQ(::kill(server.zygote(), SIGKILL), 0);  // its child dies with it
  EXPECT_TRUE(until([&] { return server->call(lone, {}) == -EIO; }));
  EXPECT_EQ(server->call(hashes, {{4}}), hash_of_1::of(6, {{4}}));
  EXPECT_EQ(server->counts().replaced, 0u);
}

TEST(Isolated, TheFirstChildSaysWhyItDoesNotStart) {
  try {
    isolated server({.blocks = 128, .threads = 1024});
    if (server->kind() == genesys::device_kind::cpu) FAIL() << "it started";
  } catch (const genesys::error& thrown) {
    EXPECT_EQ(thrown.code(), genesys::error_code::bad_option);
    EXPECT_NE(std::string(thrown.what()).find("in the GPU's process"), std::string::npos) << thrown.what();
  }
}

TEST(Isolated, TheProcessesEndWithTheServer) {
  pid_t child = 0, zygote = 0;
  {
    isolated server;
    child = server.child();
    zygote = server.zygote();
    ASSERT_EQ(::kill(child, 0), 0);
    ASSERT_EQ(::kill(zygote, 0), 0);
  }
  EXPECT_TRUE(until([&] { return ::kill(child, 0) != 0 && ::kill(zygote, 0) != 0; }));
}

// The program is killed: nothing of it stays.
TEST(Isolated, TheProcessesEndWithTheProgram) {
  struct pids {
    std::atomic<pid_t> child, zygote;
  };
  auto* const shared =
      static_cast<pids*>(::mmap(nullptr, sizeof(pids), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(shared, MAP_FAILED);
  const pid_t program = ::fork();
  if (program == 0) {
    isolated server;
    const auto waits = server->load(wait_for{});
    auto ticket = server->submit(waits, {allocate<u32>(*server, 1)});
    shared->child = server.child();
    shared->zygote = server.zygote();
    for (;;) ::pause();
  }
  EXPECT_TRUE(until([&] { return shared->zygote.load() != 0; }));
  ASSERT_EQ(::kill(program, SIGKILL), 0);
  ASSERT_EQ(::waitpid(program, nullptr, 0), program);
  EXPECT_TRUE(until([&] { return ::kill(shared->child, 0) != 0 && ::kill(shared->zygote, 0) != 0; }));
  ::munmap(shared, sizeof(pids));
}

// The server ends while a child is dead, or starts.
TEST(Isolated, TheEndComesAtAnyTime) {
  for (u32 i = 0; i < 8; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    {
      isolated server;
      const auto hashes = server->load(twin_hash_1{{.key = 6}});
      server.kill_child();
      std::this_thread::sleep_for(std::chrono::milliseconds(3 * i));
      EXPECT_EQ(server->call(hashes, {{4}}), hash_of_1::of(6, {{4}}));
      (void)server->submit(hashes, {{4}});
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
  }
}

TEST(Isolated, ATicketThatDoesNotEndIsCanceledByTheEnd) {
  isolated server({.limit_ms = 0, .shutdown_timeout_ms = 200});
  const auto waits = server->load(wait_for{});
  auto ticket = server->submit(waits, {allocate<u32>(*server, 1)});
  server.close();
  const long result = ticket.wait();
  EXPECT_TRUE(result == -ECANCELED || result == -EIO) << result;
}

TEST(Isolated, MemoryThatTheChildDoesNotHaveIsRefused) {
  isolated server;
  alignas(4096) static char mine[8192];
  EXPECT_THROW((void)server->register_memory(mine, sizeof mine), genesys::error);
}

// Memory of another process: a memfd that is mapped after the children's process was forked.
TEST(Isolated, SharedMemoryIsUsedByAllChildren) {
  isolated server;
  const int fd = ::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  constexpr std::size_t bytes = 1 << 20;
  ASSERT_EQ(::ftruncate(fd, bytes), 0);
  EXPECT_THROW((void)server->register_shared(fd, bytes), genesys::error);  // it could shrink
  ASSERT_EQ(::fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), 0);
  EXPECT_THROW((void)server->register_shared(fd, bytes + 1), genesys::error);
  auto* const mine = static_cast<u64*>(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  for (u32 i = 0; i < 100; ++i) mine[i] = i;
  const auto scales = server->load(twin_scale{});
  for (u32 round = 1; round <= 3; ++round) {
    auto registered = server->register_shared(fd, bytes);
    auto* const theirs = static_cast<u64*>(registered.data());
    for (u32 child = 0; child < 2; ++child) {
      const u64 by_twins = server->counts().by_twins;
      ASSERT_EQ(server->call(scales, {theirs, theirs + 1000, 100, round}), 100);
      EXPECT_EQ(server->counts().by_twins, by_twins);
      for (u32 w = 0; w < 100; ++w) ASSERT_EQ(mine[1000 + w], mine[w] * 3 + round);
      if (child == 1) break;
      server.kill_child();
      ASSERT_TRUE(server.replaced(round));
    }
  }
  ::munmap(mine, bytes);
  ::close(fd);
}

}  // namespace
