// SPDX-License-Identifier: Apache-2.0
// Calls on sockets and pipes that kernels submit themselves (executor `direct`): they wait in Linux without a host
// thread.
#include <sys/resource.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "direct.h"
#include "sockets.h"

namespace contract {
namespace {

// Each lane receives a word, adds 1 and sends it back, until it receives 0.
struct echo_each {
  GENESYS_KERNEL void operator()(genesys::os os, const int* sockets, u64* words, u32* wrong) const {
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    for (;;) {
      const long got = me % 2 == 0 ? os.recvfrom(sockets[me], &words[me], 8, 0) : os.read(sockets[me], &words[me], 8);
      if (got != 8) genesys::atomic<u32>(*wrong).fetch_add(1);
      if (got != 8 || words[me] == 0) return;
      ++words[me];
      if (os.sendto(sockets[me], &words[me], 8, MSG_NOSIGNAL) != 8) genesys::atomic<u32>(*wrong).fetch_add(1);
    }
  }
};

class DirectSockets : public testing::TestWithParam<int> {};

TEST_P(DirectSockets, EachCallCompletes) {
  runtime rt(direct_with(2, 256));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  constexpr u32 blocks = 2, threads = 40, callers = blocks * threads, times = 20;
  std::vector<pair_of_sockets> pairs;
  std::vector<int> fds;
  for (u32 i = 0; i < callers; ++i) fds.push_back(pairs.emplace_back(made_pair(GetParam())).ours.get());
  const on_device<int> sockets(rt, fds);
  const in_arena<u64> words(rt, callers);
  const on_device<u32> wrong(rt, std::vector<u32>(1));
  const genesys::run run = genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, echo_each{}, sockets.get(),
                                           words.get(), wrong.get());
  for (u32 round = 0; round < times; ++round) {
    for (u32 i = 0; i < callers; ++i) {
      const u64 word = (u64{round} << 32 | i) + 7;
      ASSERT_EQ(::send(pairs[i].theirs.get(), &word, 8, MSG_NOSIGNAL), 8);
    }
    for (u32 i = 0; i < callers; ++i) {
      u64 word = 0;
      ASSERT_EQ(::recv(pairs[i].theirs.get(), &word, 8, MSG_WAITALL), 8);
      ASSERT_EQ(word, (u64{round} << 32 | i) + 8);
    }
  }
  const u64 none = 0;
  for (const pair_of_sockets& one : pairs) ASSERT_EQ(::send(one.theirs.get(), &none, 8, MSG_NOSIGNAL), 8);
  if (!eventually([&] { return run.finished(); })) give_up(rt, "the kernel has not ended");
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(rt.stats().direct_calls, callers * (2 * times + 1));
}

INSTANTIATE_TEST_SUITE_P(
    Types, DirectSockets, testing::Values(SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET), [](const auto& info) {
      return std::string(info.param == SOCK_STREAM ? "Stream" : info.param == SOCK_DGRAM ? "Datagram" : "Packets");
    });

struct send_much {
  GENESYS_KERNEL void operator()(genesys::os os, int stream, int pipe, const char* what, u64 bytes, long* said) const {
    said[0] = os.sendto(stream, what, bytes, MSG_NOSIGNAL);
    said[1] = os.write(pipe, what, 4096);
    said[2] = os.write(pipe, what, 4096);  // waits: the pipe holds one page
  }
};

// A blocking send sends everything, as with a native call, even if little fits at once.
TEST(DirectWaits, WhatDoesNotFitAtOnceIsSentWhole) {
  runtime rt(direct_with(1, 8));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  constexpr u64 bytes = 2u << 20;
  const pair_of_sockets stream = made_pair(SOCK_STREAM);
  const pipe_ends pipe = made_pipe();
  ASSERT_EQ(::fcntl(pipe.in.get(), F_SETPIPE_SZ, 4096), 4096);
  const in_arena<char> what(rt, bytes);
  const std::string all = patterned(bytes);
  std::memcpy(what.get(), all.data(), bytes);
  const in_arena<long> said(rt, 3);
  const genesys::run run =
      genesys::launch(rt, {}, send_much{}, stream.ours.get(), pipe.in.get(), what.get(), bytes, said.get());
  std::string got(bytes, 0), piped(8192, 0);
  for (u64 at = 0; at < bytes;) {
    const ssize_t some = ::recv(stream.theirs.get(), got.data() + at, bytes - at, 0);
    ASSERT_GT(some, 0);
    at += static_cast<u64>(some);
  }
  for (u64 at = 0; at < piped.size();) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const ssize_t some = ::read(pipe.out.get(), piped.data() + at, piped.size() - at);
    ASSERT_GT(some, 0);
    at += static_cast<u64>(some);
  }
  if (!eventually([&] { return run.finished(); })) give_up(rt, "the kernel has not ended");
  EXPECT_EQ(got, all);
  EXPECT_EQ(piped, all.substr(0, 4096) + all.substr(0, 4096));
  EXPECT_EQ(said[0], static_cast<long>(bytes));
  EXPECT_EQ(said[1], 4096);
  EXPECT_EQ(said[2], 4096);
  EXPECT_EQ(rt.stats().direct_calls, 3u);
}

struct receive_without_waiting {
  GENESYS_KERNEL void operator()(genesys::os os, int socket, int timed, u64* word, long* said) const {
    said[0] = os.recvfrom(socket, word, 8, MSG_DONTWAIT);  // by the ring
    said[1] = os.fcntl<F_SETFL>(socket, O_NONBLOCK);
    said[2] = os.recvfrom(socket, word, 8, 0);  // not by the ring, where it would wait
    said[3] = os.recvfrom(timed, word, 8, MSG_DONTWAIT);
  }
};

TEST(DirectWaits, WhatDoesNotWaitGoesToThreads) {
  runtime rt(direct_with(1, 8));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  const pair_of_sockets one = made_pair(SOCK_DGRAM), timed = made_pair(SOCK_DGRAM);
  const timeval little{0, 1000};
  ASSERT_EQ(::setsockopt(timed.ours.get(), SOL_SOCKET, SO_RCVTIMEO, &little, sizeof little), 0);
  const in_arena<u64> word(rt, 1);
  const in_arena<long> said(rt, 4);
  play(rt, {}, receive_without_waiting{}, one.ours.get(), timed.ours.get(), word.get(), said.get());
  EXPECT_EQ(said[0], -EAGAIN);
  EXPECT_EQ(said[1], 0);
  EXPECT_EQ(said[2], -EAGAIN);
  EXPECT_EQ(said[3], -EAGAIN);
  EXPECT_EQ(rt.stats().direct_calls, 1u);
}

// A kernel connects to a socket of its own, sends, shuts down, and receives all of it and then the end.
struct serve_one {
  GENESYS_KERNEL void operator()(genesys::os os, sockaddr_in* here, sockaddr_in* there, char* buffer,
                                 long* said) const {
    const auto address = [](const sockaddr_in* at) { return reinterpret_cast<const sockaddr*>(at); };
    const int listens = static_cast<int>(os.socket(AF_INET, SOCK_STREAM));
    said[0] = os.bind(listens, address(here), sizeof *here);
    said[1] = os.listen(listens, 4);
    unsigned length = sizeof *here;
    said[2] = os.getsockname(listens, reinterpret_cast<sockaddr*>(there), &length);
    const int asks = static_cast<int>(os.socket(AF_INET, SOCK_STREAM));
    said[3] = os.connect(asks, address(there), sizeof *there);
    const int accepted = static_cast<int>(os.accept4(listens));
    said[4] = os.sendto(asks, buffer, 5, MSG_NOSIGNAL);
    said[5] = os.shutdown(asks, SHUT_WR);
    said[6] = os.recvfrom(accepted, buffer + 8, 64, MSG_WAITALL);
    said[7] = os.read(accepted, buffer + 80, 8);
    for (const int fd : {listens, asks, accepted}) (void)os.close(fd);
  }
};

TEST(DirectWaits, ConnectionsOfKernels) {
  runtime rt(direct_with(1, 8));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  in_arena<sockaddr_in> addresses(rt, 2);
  addresses[0] = loopback();
  const in_arena<char> buffer(rt, 128);
  std::memcpy(buffer.get(), "hello", 5);
  const in_arena<long> said(rt, 8);
  play(rt, {}, serve_one{}, addresses.get(), addresses.get() + 1, buffer.get(), said.get());
  const long expected[] = {0, 0, 0, 0, 5, 0, 5, 0};
  for (u32 i = 0; i < std::size(expected); ++i) EXPECT_EQ(said[i], expected[i]) << i;
  EXPECT_EQ(std::string(buffer.get() + 8, 5), "hello");
  EXPECT_EQ(rt.stats().direct_calls, 8u);
}

struct read_or_receive {
  GENESYS_KERNEL void operator()(genesys::os os, const int* fds, u32 count, u32 sockets, u64* words, long* said) const {
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    if (me >= count) return;
    said[me] = me < sockets ? os.recvfrom(fds[me], &words[me], 8, 0) : os.read(fds[me], &words[me], 8);
  }
};

// Ten thousand receives and reads wait at once, at sockets and pipes that several callers share. They take at most half
// of a ring's completions; beyond that, worker threads make the calls.
class DirectCrowd : public testing::TestWithParam<u32> {};

TEST_P(DirectCrowd, Completes) {
  constexpr u32 count = sanitized ? 600 : 10'000, shared_by = 8, rings = 2;
  genesys::options chosen = direct_with(rings, GetParam());
  chosen.resident_threads_max = count + 64;
  runtime rt(chosen);
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  std::vector<pair_of_sockets> pairs;
  std::vector<pipe_ends> pipes;
  std::vector<int> fds;
  for (u32 i = 0; i < count / 2; ++i) {
    if (i % shared_by == 0) pairs.push_back(made_pair(SOCK_DGRAM));
    fds.push_back(pairs.back().ours.get());
  }
  for (u32 i = 0; i < count / 2; ++i) {
    if (i % shared_by == 0) pipes.push_back(made_pipe());
    fds.push_back(pipes.back().out.get());
  }
  const on_device<int> sockets(rt, fds);
  const in_arena<u64> words(rt, count);
  const on_device<long> said(rt, count);
  const genesys::run run = genesys::launch(rt, {.blocks = {(count + 31) / 32}, .threads = {32}}, read_or_receive{},
                                           sockets.get(), count, count / 2, words.get(), said.get());
  if (!eventually([&] {
        const genesys::statistics now = rt.stats();
        return now.direct_calls + now.parked >= count;
      }))
    give_up(rt, "not all calls wait");
  const u64 by_rings = rt.stats().direct_calls;
  EXPECT_LE(by_rings, rings * GetParam() * 4 / 2);
  // Lanes that call together go to a ring together. If the ring has fewer entries, worker threads make their calls.
  EXPECT_TRUE(by_rings != 0 || GetParam() < 32);
  EXPECT_TRUE(GetParam() < 4096 || by_rings == count) << by_rings;
  const auto cpu_s = [] {
    rusage used;
    ::getrusage(RUSAGE_SELF, &used);
    return double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           double(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
  };
  const double before = cpu_s();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  if (rt.kind() == genesys::device_kind::cuda)
    std::printf("%u wait, %u of them in rings: %.2f %% of a core\n", count, static_cast<u32>(by_rings),
                (cpu_s() - before) / 0.5 * 100);
  EXPECT_FALSE(run.finished());
  for (u32 k = 0; k < shared_by; ++k) {
    for (u64 i = 0; i < pairs.size(); ++i) {
      const u64 word = i + 1;
      ASSERT_EQ(::send(pairs[i].theirs.get(), &word, 8, 0), 8);
    }
    for (u64 i = 0; i < pipes.size(); ++i) {
      const u64 word = i + 1;
      ASSERT_EQ(::write(pipes[i].in.get(), &word, 8), 8);
    }
  }
  if (!eventually([&] { return run.finished(); })) give_up(rt, "not all calls are complete");
  const std::vector<long> values = said.take();
  EXPECT_EQ(static_cast<u32>(std::count(values.begin(), values.end(), 8)), count);
  for (u32 i = 0; i < count; ++i) ASSERT_EQ(words[i], i % (count / 2) / shared_by + 1) << i;
}

INSTANTIATE_TEST_SUITE_P(Entries, DirectCrowd, testing::Values(8u, 256u, 4096u),
                         [](const auto& info) { return std::to_string(info.param); });

// The end of the runtime cancels waiting calls.
TEST(DirectWaits, TheEndCancels) {
  runtime& other = shared_runtime();
  constexpr u32 threads = 64;
  const pair_of_sockets silent = made_pair(SOCK_DGRAM);
  const on_device<int> sockets(other, std::vector<int>(threads, silent.ours.get()));
  const on_device<long> said(other, std::vector<long>(threads, 1));
  std::optional<genesys::run> run;
  bool direct = false;
  {
    runtime rt(direct_with(2, 64));
    direct = is_direct(rt);
    const in_arena<u64> words(rt, threads);
    run = genesys::launch(rt, {.threads = {threads}}, read_or_receive{}, sockets.get(), threads, threads, words.get(),
                          said.get());
    if (direct && !eventually([&] { return rt.stats().direct_calls == threads; })) give_up(rt, "not all wait");
  }
  EXPECT_TRUE(eventually([&] { return run->finished(); }));
  run.reset();
  for (const long value : said.take()) EXPECT_EQ(value, -ECANCELED);
  if (!direct) GTEST_SKIP() << "no executor direct here";
}

}  // namespace
}  // namespace contract
