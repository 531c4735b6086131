// SPDX-License-Identifier: Apache-2.0
// A call on a socket with a timeout (SO_RCVTIMEO, SO_SNDTIMEO) ends after it, as if Linux had waited. The runtime parks
// such calls, so it keeps the time itself.
#include <poll.h>
#include <sys/time.h>

#include <array>
#include <optional>

#include "sockets.h"

namespace contract {
namespace {

constexpr u32 limit_ms = 60;

void set_limit(int fd, int option, u32 ms) {
  const timeval limit{ms / 1000, ms % 1000 * 1000};
  if (::setsockopt(fd, SOL_SOCKET, option, &limit, sizeof limit) != 0) throw std::runtime_error("setsockopt");
}

enum class timed_job : u32 { recvfrom, read, readv, accept4, ticket, sendto, write, writev, count };
constexpr u32 timed_jobs = static_cast<u32>(timed_job::count);
constexpr bool receives(timed_job what) { return what < timed_job::sendto; }

struct attempt {
  long value;
  u64 took_ns;
};

struct call_once {
  GENESYS_KERNEL void operator()(genesys::os os, const int* sockets, attempt* all) const {
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    const int fd = sockets[me];
    u64 word = 1;
    iovec parts[1] = {{&word, sizeof word}};
    const u64 begin = genesys::clock_ns();
    long said = 0;
    switch (static_cast<timed_job>(me % timed_jobs)) {
      case timed_job::recvfrom:
        said = os.recvfrom(fd, &word, sizeof word, 0);
        break;
      case timed_job::read:
        said = os.read(fd, &word, sizeof word);
        break;
      case timed_job::readv:
        said = os.readv(fd, parts, 1);
        break;
      case timed_job::accept4:
        said = os.accept4(fd, nullptr, nullptr, SOCK_CLOEXEC);
        break;
      case timed_job::ticket: {
        auto call = os.ticket().recvfrom(fd, &word, sizeof word, 0);
        said = call.wait();
        break;
      }
      case timed_job::sendto:
        said = os.sendto(fd, &word, sizeof word, MSG_NOSIGNAL);
        break;
      case timed_job::write:
        said = os.write(fd, &word, sizeof word);
        break;
      default:
        said = os.writev(fd, parts, 1);
    }
    all[me] = {said, genesys::clock_ns() - begin};
  }
};

// A socket on which the job waits, and the other end.
pair_of_sockets made_to_wait(timed_job what) {
  if (what == timed_job::accept4) {
    descriptor listening = bound_socket(SOCK_STREAM);
    if (::listen(listening.get(), 8) != 0) throw std::runtime_error("listen");
    set_limit(listening.get(), SO_RCVTIMEO, limit_ms);
    return {std::move(listening), descriptor(-1)};
  }
  pair_of_sockets made = made_pair(SOCK_STREAM);
  set_limit(made.ours.get(), receives(what) ? SO_RCVTIMEO : SO_SNDTIMEO, limit_ms);
  const std::vector<char> junk(4096, 'x');
  while (!receives(what) && ::send(made.ours.get(), junk.data(), junk.size(), MSG_DONTWAIT) > 0) {
  }
  return made;
}

TEST(SocketTimeouts, EachCallGivesUp) {
  runtime& rt = shared_runtime();
  constexpr u32 threads = 8 * timed_jobs;
  std::vector<pair_of_sockets> sockets;
  std::vector<int> numbers;
  for (u32 i = 0; i < threads; ++i) {
    sockets.push_back(made_to_wait(static_cast<timed_job>(i % timed_jobs)));
    numbers.push_back(sockets.back().ours.get());
  }
  const on_device<int> given(rt, numbers);
  const on_device<attempt> all(rt, threads);
  play(rt, {.blocks = {2}, .threads = {threads / 2}}, call_once{}, static_cast<const int*>(given.get()), all.get());
  const std::vector<attempt> made = all.take();
  for (u32 i = 0; i < threads; ++i) {
    EXPECT_EQ(made[i].value, -EAGAIN) << "job " << i % timed_jobs;
    EXPECT_GE(made[i].took_ns, u64{limit_ms} * 990'000) << "job " << i % timed_jobs;
    EXPECT_LT(made[i].took_ns, u64{time_limit_s} * 1'000'000'000) << "job " << i % timed_jobs;
  }
}

// A socket has room or data, but too little to be ready. After the timeout Linux moves what it can.
void what_is_there_is_moved(runtime& rt) {
  const descriptor listening = bound_socket(SOCK_STREAM);
  ASSERT_EQ(::listen(listening.get(), 8), 0);
  std::vector<pair_of_sockets> sockets;
  std::vector<int> numbers;
  for (u32 i = 0; i < timed_jobs; ++i) {
    const auto what = static_cast<timed_job>(i);
    if (!receives(what)) {
      sockets.push_back(made_pair(SOCK_STREAM));
      const int ours = sockets.back().ours.get();
      set_limit(ours, SO_SNDTIMEO, limit_ms);
      for (pollfd looked{ours, POLLOUT, 0}; ::poll(&looked, 1, 0) == 1;)
        ASSERT_EQ(::send(ours, "12345678", 8, MSG_DONTWAIT), 8);
    } else {
      descriptor theirs(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
      connect_to(theirs.get(), own_port(listening.get()));
      sockets.push_back({descriptor(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC)), std::move(theirs)});
      const int ours = sockets.back().ours.get(), bytes = 8;
      ASSERT_EQ(::setsockopt(ours, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes), 0);
      set_limit(ours, SO_RCVTIMEO, limit_ms);
      ASSERT_EQ(::send(sockets.back().theirs.get(), "x", 1, 0), 1);
    }
    numbers.push_back(sockets.back().ours.get());
  }
  const on_device<int> given(rt, numbers);
  const on_device<attempt> all(rt, timed_jobs);
  play(rt, {.blocks = {1}, .threads = {timed_jobs}}, call_once{}, static_cast<const int*>(given.get()), all.get());
  const std::vector<attempt> made = all.take();
  for (u32 i = 0; i < timed_jobs; ++i) {
    const auto what = static_cast<timed_job>(i);
    const long gives = what == timed_job::accept4 ? -EINVAL : receives(what) ? 1 : 8;  // (it does not listen)
    EXPECT_EQ(made[i].value, gives) << "job " << i;
  }
}

TEST(SocketTimeouts, WhatIsThereIsMovedAtTheEnd) { what_is_there_is_moved(shared_runtime()); }

// The same with workers that Linux confines (seccomp(2)).
TEST(SocketTimeouts, UnderAPolicy) {
  runtime rt({.arena_bytes = 1u << 20, .bounce_bytes = 16u << 20, .policy_rules = "deny call getpgid\n"});
  what_is_there_is_moved(rt);
}

struct receive_by_teams {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u64* words, long* all) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    all[me] = block_rank() == 0 ? os.on(block()).recvfrom(fd, words, 8, 0) : os.on(warp()).recvfrom(fd, words, 8, 0);
  }
};

TEST(SocketTimeouts, EachThreadOfATeamGetsTheError) {
  runtime& rt = shared_runtime();
  constexpr u32 threads = 64;
  const pair_of_sockets sockets = made_pair(SOCK_DGRAM);
  set_limit(sockets.ours.get(), SO_RCVTIMEO, limit_ms);
  const on_device<u64> words(rt, 1);
  const on_device<long> all(rt, 2 * threads);
  play(rt, {.blocks = {2}, .threads = {threads}}, receive_by_teams{}, sockets.ours.get(), words.get(), all.get());
  for (const long value : all.take()) EXPECT_EQ(value, -EAGAIN);
}

// Block i receives when the host has let it go, and stores the word or the error; until then its result is 0.
struct receive_when_told {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u32* let_go, long* results) const {
    using namespace genesys;
    while (atomic<u32, thread_scope::system>(*let_go).load() <= block_rank()) pause(1000);
    u64 word = 0;
    const long value = os.recvfrom(fd, &word, sizeof word, 0);
    atomic<long, thread_scope::system>(results[block_rank()]).store(value < 0 ? value : static_cast<long>(word));
  }
};

// Blocks that wait at one socket. The host starts them one after another.
class receivers {
 public:
  receivers(runtime& rt, u32 blocks, int fd) : rt_(rt), let_go_(rt, 1), results_(rt, blocks) {
    let_go_[0] = 0;
    for (u32 i = 0; i < blocks; ++i) results_[i] = 0;
    run_.emplace(rt, genesys::launch(rt, {.blocks = {blocks}}, receive_when_told{}, fd, let_go_.get(), results_.get()));
  }
  void start_next() {
    const u64 parked = rt_.stats().parked;
    std::atomic_ref<u32>(let_go_[0]).fetch_add(1);
    if (!eventually([&] { return rt_.stats().parked > parked; })) give_up(rt_, "the call was not parked");
  }
  long result(u32 i) const { return std::atomic_ref<long>(results_[i]).load(); }
  // Waits for a result.
  long take(u32 i) const {
    if (!eventually([&] { return result(i) != 0; })) give_up(rt_, "the call does not end");
    return result(i);
  }

 private:
  runtime& rt_;
  in_arena<u32> let_go_;
  in_arena<long> results_;
  std::optional<launched> run_;
};

void send_word(int fd, u64 word) { ASSERT_EQ(::send(fd, &word, sizeof word, 0), 8); }

// Calls that wait for one socket have the limits that it had when each began. Only those with one give up, and the
// others still get what comes.
TEST(SocketTimeouts, OthersWaitOnAtTheSocket) {
  runtime& rt = shared_runtime();
  for (const bool first_gives_up : {false, true}) {
    const pair_of_sockets sockets = made_pair(SOCK_DGRAM);
    const int ours = sockets.ours.get();
    receivers all(rt, 3, ours);
    set_limit(ours, SO_RCVTIMEO, first_gives_up ? limit_ms : 0);
    all.start_next();
    set_limit(ours, SO_RCVTIMEO, first_gives_up ? 0 : limit_ms);
    all.start_next();
    set_limit(ours, SO_RCVTIMEO, 0);
    all.start_next();
    EXPECT_EQ(all.take(first_gives_up ? 0 : 1), -EAGAIN);
    const u32 patient = first_gives_up ? 1 : 0;
    EXPECT_EQ(all.result(patient), 0);
    EXPECT_EQ(all.result(2), 0);
    send_word(sockets.theirs.get(), 17);
    send_word(sockets.theirs.get(), 18);
    EXPECT_EQ(all.take(patient) + all.take(2), 35);
  }
}

struct receive_each_once {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, long* all) const {
    u64 word = 0;
    all[genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank()] =
        os.recvfrom(fd, &word, sizeof word, 0);
  }
};

// Many give up at one socket, one after another, while others are woken by datagrams. Each datagram is received once.
TEST(SocketTimeouts, WhileDatagramsCome) {
  runtime& rt = shared_runtime();
  constexpr u32 blocks = 8, threads = 96, datagrams = sanitized ? 20 : 60;
  const pair_of_sockets sockets = made_pair(SOCK_DGRAM);
  set_limit(sockets.ours.get(), SO_RCVTIMEO, limit_ms);
  const on_device<long> all(rt, blocks * threads);
  u32 received = 0, sent = 0;
  for (u32 round = 0; round < 3; ++round) {
    {
      const launched run =
          start(rt, {.blocks = {blocks}, .threads = {threads}}, receive_each_once{}, sockets.ours.get(), all.get());
      for (u32 i = 0; i < datagrams; ++i, ++sent) {
        send_word(sockets.theirs.get(), sent);
        std::this_thread::sleep_for(std::chrono::microseconds(limit_ms * 1500 / datagrams));
      }
    }
    for (const long value : all.take()) {
      received += value == 8;
      EXPECT_TRUE(value == 8 || value == -EAGAIN) << value;
    }
  }
  u64 word;
  while (::recv(sockets.ours.get(), &word, sizeof word, MSG_DONTWAIT) == 8) ++received;
  EXPECT_EQ(received, sent);
}

struct post_words {
  GENESYS_KERNEL void operator()(genesys::os os, int fd) const {
    const u64 word = 1;
    os.posted().sendto(fd, &word, sizeof word, MSG_NOSIGNAL);
  }
};

TEST(SocketTimeouts, PostedCallsFail) {
  runtime rt({.workers = 1, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
  const pair_of_sockets sockets = made_to_wait(timed_job::sendto);
  play(rt, {.blocks = {1}, .threads = {3}}, post_words{}, sockets.ours.get());
  EXPECT_EQ(rt.stats().posted, 3u);
  EXPECT_EQ(rt.stats().posted_failed, 3u);
}

struct read_word {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, long* value) const {
    u64 word = 0;
    const long said = os.read(fd, &word, sizeof word);
    genesys::atomic<long, genesys::thread_scope::system>(*value).store(said < 0 ? said : static_cast<long>(word));
  }
};

// The number names a pipe when the call is woken. The call then waits for the pipe, which has no timeout.
TEST(SocketTimeouts, ADescriptorThatIsNoSocketAnyMore) {
  runtime& rt = shared_runtime();
  const pair_of_sockets sockets = made_pair(SOCK_STREAM);
  const pipe_ends pipe = made_pipe();
  set_limit(sockets.ours.get(), SO_RCVTIMEO, 5 * limit_ms);
  const in_arena<long> value(rt, 1);
  value[0] = 0;
  u64 parked = rt.stats().parked;
  const launched run = start(rt, {}, read_word{}, sockets.ours.get(), value.get());
  EXPECT_TRUE(eventually([&] { return rt.stats().parked > parked; }));
  parked = rt.stats().parked;
  ASSERT_EQ(::dup2(pipe.out.get(), sockets.ours.get()), sockets.ours.get());
  send_word(sockets.theirs.get(), 1);
  EXPECT_TRUE(eventually([&] { return rt.stats().parked > parked; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(6 * limit_ms));
  EXPECT_EQ(std::atomic_ref<long>(value[0]).load(), 0);
  const u64 word = 7;
  ASSERT_EQ(::write(pipe.in.get(), &word, sizeof word), 8);
  EXPECT_TRUE(eventually([&] { return std::atomic_ref<long>(value[0]).load() == 7; }));
}

// What comes in time is received, and the timeout is forgotten.
TEST(SocketTimeouts, NotIfSomethingComes) {
  runtime& rt = shared_runtime();
  const pair_of_sockets sockets = made_pair(SOCK_DGRAM);
  constexpr u32 calls = 20;
  receivers all(rt, calls + 1, sockets.ours.get());
  set_limit(sockets.ours.get(), SO_RCVTIMEO, 20'000);
  for (u32 i = 0; i < calls; ++i) {
    all.start_next();
    send_word(sockets.theirs.get(), i + 1);
    EXPECT_EQ(all.take(i), long{i} + 1);
  }
  set_limit(sockets.ours.get(), SO_RCVTIMEO, limit_ms);
  all.start_next();
  EXPECT_EQ(all.take(calls), -EAGAIN);
}

}  // namespace
}  // namespace contract
