// SPDX-License-Identifier: Apache-2.0
// Ten thousand receives wait at once, or as many as this machine has descriptors for. Each completes with what happened
// at its socket, and the end of the runtime cancels those that still wait.
#include <fcntl.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>

#include "sockets.h"

namespace contract {
namespace {

constexpr u32 wanted = sanitized ? 600 : 10'000;

struct received {
  long value;
  u64 word;
  unsigned length, family;
};

struct receive_each {
  GENESYS_KERNEL void operator()(genesys::os os, const int* sockets, u32 count, received* all) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    if (me >= count) return;
    received mine{0, 0, 16, 0};
    alignas(8) u8 from[16] = {};
    mine.value =
        os.recvfrom(sockets[me], &mine.word, sizeof mine.word, 0, reinterpret_cast<sockaddr*>(from), &mine.length);
    mine.family = from[0];
    all[me] = mine;
  }
};

// How one of them waits, and what then happens at its socket.
enum class fate : u32 {
  datagram,      // UDP: a message comes
  empty,         // UDP: a message of no bytes
  refused,       // UDP: a message that it sent could not be delivered
  bytes,         // stream: bytes come
  half_closed,   // stream: the other end shuts down
  closed,        // stream: the other end closes
  tcp_bytes,     // TCP: bytes come
  tcp_closed,    // TCP: the other end closes
  tcp_reset,     // TCP: the other end resets
  tcp_shutdown,  // TCP: its own side is shut down
};

// Five in a row wait for empty messages at one socket, since descriptors are scarce.
constexpr u32 shared_by = 5;

fate fate_of(u32 i) {
  constexpr fate streams[] = {fate::bytes,      fate::half_closed, fate::closed,      fate::tcp_bytes,
                              fate::tcp_closed, fate::tcp_reset,   fate::tcp_shutdown};
  if (i % 10 < 8) return i % 10 < shared_by ? fate::empty : i % 10 == shared_by ? fate::refused : fate::datagram;
  return streams[i / 10 % std::size(streams)];
}

// The sockets, which the host makes before the kernel starts.
class crowd {
 public:
  explicit crowd(u32 count) : sender_(bound_socket(SOCK_DGRAM)), listening_(bound_socket(SOCK_STREAM)) {
    ::listen(listening_.get(), 128);
    for (u32 i = 0; i < count; ++i) add(i);
  }
  const std::vector<int>& numbers() const { return numbers_; }
  void let_happen(u32 i) {
    const u64 word = word_of(i);
    const int own = numbers_[i];
    descriptor& other = others_[i];
    switch (fate_of(i)) {
      case fate::datagram:
        return send_to(sender_.get(), own_port(own), &word, sizeof word);
      case fate::empty:
        return send_to(sender_.get(), own_port(own), "", 0);
      case fate::refused:
        ASSERT_EQ(::send(own, "?", 1, 0), 1);
        return;
      case fate::bytes:
      case fate::tcp_bytes:
        ASSERT_EQ(::send(other.get(), &word, sizeof word, MSG_NOSIGNAL), 8);
        return;
      case fate::half_closed:
        ASSERT_EQ(::shutdown(other.get(), SHUT_WR), 0);
        return;
      case fate::tcp_shutdown:
        ASSERT_EQ(::shutdown(own, SHUT_RD), 0);
        return;
      case fate::tcp_reset: {
        const linger at_once{1, 0};
        ASSERT_EQ(::setsockopt(other.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
        return other.close();
      }
      case fate::closed:
      case fate::tcp_closed:
        return other.close();
    }
  }
  static u64 word_of(u32 i) { return i * 1'000'003ull + 17; }
  static long value_of(u32 i) {
    switch (fate_of(i)) {
      case fate::datagram:
      case fate::bytes:
      case fate::tcp_bytes:
        return 8;
      case fate::refused:
        return -ECONNREFUSED;
      case fate::tcp_reset:
        return -ECONNRESET;
      default:
        return 0;
    }
  }

 private:
  void add(u32 i) {
    const fate what = fate_of(i);
    int ends[2] = {-1, -1};
    switch (what) {
      case fate::datagram:
      case fate::empty:
      case fate::refused:
        if (what != fate::empty || i % 10 == 0) own_.push_back(bound_socket(SOCK_DGRAM));
        if (what == fate::refused) connect_to(own_.back().get(), closed_port);
        numbers_.push_back(own_.back().get());
        others_.emplace_back(-1);
        return;
      case fate::bytes:
      case fate::half_closed:
      case fate::closed:
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw std::runtime_error("socketpair");
        break;
      default:
        ends[1] = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        connect_to(ends[1], own_port(listening_.get()));
        ends[0] = ::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC);
        if (ends[0] < 0) throw std::runtime_error("accept4");
    }
    own_.emplace_back(ends[0]);
    numbers_.push_back(ends[0]);
    others_.emplace_back(ends[1]);
  }

  descriptor sender_, listening_;
  std::vector<descriptor> own_, others_;
  std::vector<int> numbers_;  // the socket at which each receive waits
};

// How many receives the descriptors suffice for: own sockets, other ends of streams, and the host's duplicates.
u32 affordable() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const u64 spare = 1024 + 256;  // duplicates begin at 1,024
  const u64 most = limit.rlim_cur > spare ? (limit.rlim_cur - spare) * 10 / 18 : 0;
  const u32 count = static_cast<u32>(std::min<u64>(wanted, most));
  if (count < wanted) std::cout << "only " << count << " receives: the limit is " << limit.rlim_cur << " descriptors\n";
  return count;
}

constexpr u32 block_threads = 250;

TEST(Parked, TenThousandReceivesComplete) {
  runtime& rt = shared_runtime();
  const u32 count = affordable();
  if (count < 100) GTEST_SKIP() << "too few descriptors";
  crowd sockets(count);
  on_device<int> numbers(rt, sockets.numbers());
  in_arena<received> got(rt, count);
  const auto before = rt.stats().parked;
  const auto begin = std::chrono::steady_clock::now();
  {
    launched run = start(rt, {.blocks = {(count + block_threads - 1) / block_threads}, .threads = {block_threads}},
                         receive_each{}, static_cast<const int*>(numbers.get()), count, got.get());
    EXPECT_TRUE(eventually([&] { return rt.stats().parked >= before + count; })) << rt.stats().parked - before;
    EXPECT_FALSE(run->finished());
    std::cout << count << " receives are parked after " << seconds_since(begin) << " s, with " << rt.stats().workers
              << " workers\n";
    for (u32 i = 0; i < count; ++i) sockets.let_happen(count - 1 - i);
  }
  std::cout << "all are complete after " << seconds_since(begin) << " s\n";
  u32 wrong = 0;
  for (u32 i = 0; i < count && wrong < 20; ++i) {
    const fate what = fate_of(i);
    const bool from_udp = what == fate::datagram || what == fate::empty;
    const bool right = got[i].value == crowd::value_of(i) &&
                       got[i].word == (got[i].value == 8 ? crowd::word_of(i) : 0) &&
                       got[i].length == (from_udp           ? 16u
                                         : got[i].value < 0 ? 16u
                                                            : 0u) &&
                       got[i].family == (from_udp ? u32{AF_INET} : 0u);
    wrong += !right;
    EXPECT_TRUE(right) << "receive " << i << ", fate " << static_cast<u32>(what) << ": gave " << got[i].value << ", "
                       << got[i].word << ", length " << got[i].length << ", family " << got[i].family;
  }
  EXPECT_LT(seconds_since(begin), time_limit_s);
}

TEST(Parked, TheEndCancelsThemAll) {
  runtime& other = shared_runtime();
  const u32 count = affordable();
  if (count < 100) GTEST_SKIP() << "too few descriptors";
  crowd sockets(count);
  on_device<int> numbers(other, sockets.numbers());
  in_arena<received> got(other, count);  // outlives the runtime
  std::optional<genesys::run> run;
  auto begin = std::chrono::steady_clock::now();
  constexpr u32 shutdown_timeout_ms = sanitized ? 20'000 : 2000;
  {
    runtime rt({.shutdown_timeout_ms = shutdown_timeout_ms});
    run = genesys::launch(rt, {.blocks = {(count + block_threads - 1) / block_threads}, .threads = {block_threads}},
                          receive_each{}, static_cast<const int*>(numbers.get()), count, got.get());
    if (!eventually([&] { return rt.stats().parked >= count; })) give_up(rt, "the receives were not parked");
    begin = std::chrono::steady_clock::now();
  }
  EXPECT_LT(seconds_since(begin), shutdown_timeout_ms * 1e-3);
  EXPECT_TRUE(eventually([&] { return run->finished(); }));
  run.reset();
  u32 wrong = 0;
  for (u32 i = 0; i < count; ++i) wrong += got[i].value != -ECANCELED || got[i].word != 0 || got[i].length != 16;
  EXPECT_EQ(wrong, 0u);
}

struct read_till_the_end {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, long* last) const {
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    u64 word;
    do last[me] = os.read(pipe, &word, sizeof word);
    while (last[me] >= 0);
  }
};

// One reader takes the bytes that another was woken for. That reader must not wait in Linux, where the end of the
// runtime cannot cancel it.
TEST(Parked, ManyReadOnePipe) {
  constexpr u32 blocks = 4, threads = 32, words = 8192, times = sanitized ? 1 : 4;
  for (u32 t = 0; t < times; ++t) {
    runtime& other = shared_runtime();
    const pipe_ends pipe = made_pipe();
    const std::string content(words * sizeof(u64), 'x');
    ASSERT_EQ(::write(pipe.in.get(), content.data(), content.size()), static_cast<ssize_t>(content.size()));
    const on_device<long> last(other, blocks * threads);
    std::optional<genesys::run> run;
    testing::internal::CaptureStderr();
    {
      runtime rt({.shutdown_timeout_ms = sanitized ? 20'000u : 3000u});
      run = genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, read_till_the_end{}, pipe.out.get(),
                            last.get());
      EXPECT_TRUE(eventually([&] { return rt.stats().completed >= words; }));
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_TRUE(eventually([&] { return run->finished(); }));
    run.reset();
    for (const long value : last.take()) EXPECT_EQ(value, -ECANCELED);
  }
}

struct read_once {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, long* said) const {
    u64 word;
    *said = os.read(fd, &word, sizeof word);
  }
};

struct read_four_times {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, long* said) const {
    char byte;
    for (u32 i = 0; i < 4; ++i) said[i] = os.read(fd, &byte, 1);
  }
};

// The value of the completion that asks a leader to wait is the descriptor, so here it is 0.
TEST(Parked, ReadsOfDescriptor0) {
  runtime& rt = shared_runtime();
  const pipe_ends pipe = made_pipe();
  const descriptor before(::fcntl(0, F_DUPFD_CLOEXEC, 3));
  ASSERT_EQ(::dup2(pipe.out.get(), 0), 0);
  const on_device<long> said(rt, std::vector<long>(4, 7));
  const u64 parked = rt.stats().parked;
  const launched kernel(rt, genesys::launch(rt, {}, read_four_times{}, 0, said.get()));
  for (u32 i = 1; i <= 4; ++i) {
    EXPECT_TRUE(eventually([&] { return rt.stats().parked >= parked + i || kernel->finished(); }));
    EXPECT_EQ(::write(pipe.in.get(), "x", 1), 1);
  }
  finish(rt, *kernel);
  if (before.get() >= 0) ::dup2(before.get(), 0);
  EXPECT_EQ(said.take(), std::vector<long>(4, 1));
}

// Linux reports the shutdown of a datagram socket only to calls that would wait.
TEST(Parked, AReadOfASocketThatIsShutDown) {
  runtime& rt = shared_runtime();
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends), 0);
  const descriptor ours(ends[0]), theirs(ends[1]);
  ASSERT_EQ(::shutdown(ours.get(), SHUT_RD), 0);
  const on_device<long> said(rt, std::vector<long>{7});
  play(rt, {}, read_once{}, ours.get(), said.get());
  EXPECT_EQ(said.take()[0], 0);
}

struct receive_until_empty {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u32* served) const {
    u64 word;
    while (os.recvfrom(fd, &word, sizeof word, 0, nullptr, nullptr) > 0)
      genesys::atomic<u32, genesys::thread_scope::system>(*served).fetch_add(1);
  }
};

// Each datagram is received once, and wakes few of the blocks that wait for it.
TEST(Parked, ADatagramWakesFewOfMany) {
  constexpr u32 blocks = 32, datagrams = 60;
  runtime& rt = shared_runtime();
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends), 0);
  const descriptor ours(ends[0]), theirs(ends[1]);
  const in_arena<u32> served(rt, 1);
  *served.get() = 0;
  const auto count = [&] { return std::atomic_ref<u32>(*served.get()).load(); };
  const u64 before = rt.stats().parked;
  const launched kernel(rt, genesys::launch(rt, {.blocks = {blocks}}, receive_until_empty{}, ours.get(), served.get()));
  ASSERT_TRUE(eventually([&] { return rt.stats().parked >= before + blocks; }));
  const u64 all_wait = rt.stats().parked;
  for (u32 i = 1; i <= datagrams; ++i) {
    EXPECT_EQ(::send(theirs.get(), "datagram", 8, 0), 8);
    ASSERT_TRUE(eventually([&] { return count() >= i && rt.stats().parked >= all_wait + i; }));
  }
  if (rt.kind() == genesys::device_kind::cuda) {  // the CPU device takes longer to make a woken call than lines wait
    EXPECT_LT(rt.stats().parked - all_wait, u64{datagrams} * blocks / 4);
  }
  for (u32 i = 0; i < blocks; ++i) EXPECT_EQ(::send(theirs.get(), "", 0, 0), 0);
  finish(rt, *kernel);
  EXPECT_EQ(count(), datagrams);
}

struct receive_messages_until_empty {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u32* served) const {
    u64 word = 0;
    iovec part{&word, sizeof word};
    mmsghdr message{};
    message.msg_hdr.msg_iov = &part;
    message.msg_hdr.msg_iovlen = 1;
    while (os.recvmmsg(fd, &message, 1, MSG_WAITFORONE) == 1 && message.msg_len > 0)
      genesys::atomic<u32, genesys::thread_scope::system>(*served).fetch_add(1);
  }
};

// Whether so many calls are parked, and no worker is in Linux.
bool all_wait(const runtime& rt, u32 calls) {
  std::ostringstream text;
  rt.report(text);
  return text.str().find("in flight: 0 in Linux, " + std::to_string(calls) + " parked") != std::string::npos;
}

// Of several calls that are woken for a datagram one gets it. The others are parked again, and keep no worker.
TEST(Parked, MessagesThatOthersTook) {
  constexpr u32 blocks = 32, rounds = 20, burst = 8;
  runtime& rt = shared_runtime();
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends), 0);
  const descriptor ours(ends[0]), theirs(ends[1]);
  const in_arena<u32> served(rt, 1);
  *served.get() = 0;
  const launched kernel(
      rt, genesys::launch(rt, {.blocks = {blocks}}, receive_messages_until_empty{}, ours.get(), served.get()));
  ASSERT_TRUE(eventually([&] { return all_wait(rt, blocks); }));
  for (u32 round = 1; round <= rounds; ++round) {
    for (u32 i = 0; i < burst; ++i) EXPECT_EQ(::send(theirs.get(), "datagram", 8, 0), 8);
    ASSERT_TRUE(eventually([&] {
      return std::atomic_ref<u32>(*served.get()).load() == round * burst && all_wait(rt, blocks);
    })) << round;
  }
  for (u32 i = 0; i < blocks; ++i) EXPECT_EQ(::send(theirs.get(), "", 0, 0), 0);
  finish(rt, *kernel);
}

// Calls that wait for one socket have one duplicate of it, which is closed with the last of them: then the other end
// sees that the socket is closed.
TEST(Parked, CallsOfALineShareADuplicate) {
  constexpr u32 blocks = 32;
  runtime& rt = shared_runtime();
  const auto open_descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator{});
  };
  const in_arena<u32> served(rt, 1);
  for (u32 round = 0; round < 3; ++round) {
    *served.get() = 0;
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends), 0);
    const descriptor theirs(ends[1]);
    {
      const descriptor ours(ends[0]);
      const auto before = open_descriptors();
      const launched kernel(
          rt, genesys::launch(rt, {.blocks = {blocks}}, receive_messages_until_empty{}, ours.get(), served.get()));
      ASSERT_TRUE(eventually([&] { return all_wait(rt, blocks); }));
      EXPECT_TRUE(eventually([&] { return open_descriptors() - before <= 4; }));
      for (u32 i = 0; i < 2 * blocks; ++i) EXPECT_EQ(::send(theirs.get(), "datagram", 8, 0), 8);
      ASSERT_TRUE(
          eventually([&] { return std::atomic_ref<u32>(*served.get()).load() == 2 * blocks && all_wait(rt, blocks); }));
      EXPECT_TRUE(eventually([&] { return open_descriptors() - before <= 4; }));
      for (u32 i = 0; i < blocks; ++i) EXPECT_EQ(::send(theirs.get(), "", 0, 0), 0);
      finish(rt, *kernel);
    }
    EXPECT_EQ(::send(theirs.get(), "x", 1, MSG_NOSIGNAL), -1);
    EXPECT_TRUE(errno == ECONNREFUSED || errno == ENOTCONN || errno == EPIPE || errno == ECONNRESET) << errno;
  }
}

struct accept_once {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, long* results) const {
    const u32 me = genesys::thread_rank();
    results[me] = me % 2 == 0 ? os.accept(fd) : os.accept4(fd);
  }
};

TEST(Parked, BothKindsOfAccept) {
  constexpr u32 threads = 8;
  runtime rt({.executor = genesys::executor_kind::threads, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
  const descriptor listening = bound_socket(SOCK_STREAM);
  ASSERT_EQ(::listen(listening.get(), threads), 0);
  const in_arena<long> results(rt, threads);
  const launched kernel(rt, genesys::launch(rt, {.threads = {threads}}, accept_once{}, listening.get(), results.get()));
  ASSERT_TRUE(eventually([&] { return all_wait(rt, threads); }));
  std::vector<descriptor> clients;
  for (u32 i = 0; i < threads; ++i) {
    clients.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    connect_to(clients.back().get(), own_port(listening.get()));
  }
  finish(rt, *kernel);
  for (u32 i = 0; i < threads; ++i) {
    EXPECT_GE(results.get()[i], 0) << i;
    if (results.get()[i] >= 0) ::close(static_cast<int>(results.get()[i]));
  }
}

// Connected by TCP to a socket that reads nothing. The last close waits for it.
class lingering_socket {
 public:
  explicit lingering_socket(int linger_s) : fd_(bound_socket(SOCK_STREAM)), theirs_(connected(fd_)) {
    const linger chosen{1, linger_s};
    ::setsockopt(fd_.get(), SOL_SOCKET, SO_LINGER, &chosen, sizeof chosen);
    const std::vector<char> much(65536);
    while (::send(fd_.get(), much.data(), much.size(), MSG_DONTWAIT) > 0) {
    }
  }
  int get() const { return fd_.get(); }
  void close() { fd_.close(); }
  void shut_down_by_the_other() const { ASSERT_EQ(::shutdown(theirs_.get(), SHUT_WR), 0); }

 private:
  static descriptor connected(const descriptor& to) {
    const descriptor listening = bound_socket(SOCK_STREAM);
    ::listen(listening.get(), 1);
    connect_to(to.get(), own_port(listening.get()));
    return descriptor(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
  }
  descriptor fd_, theirs_;
};

struct receive_and_read {
  GENESYS_KERNEL void operator()(genesys::os os, int socket, int pipe, long* results) const {
    u64 word;
    results[genesys::block_rank()] = genesys::block_rank() == 0
                                         ? os.recvfrom(socket, &word, sizeof word, 0, nullptr, nullptr)
                                         : os.read(pipe, &word, sizeof word);
  }
};

// The duplicate of a socket that the program has closed is its last descriptor. Its close may wait for long, but nobody
// waits for it: no other call, no report, not the end of the runtime.
TEST(Parked, ASocketThatLingersDelaysNobody) {
  constexpr int linger_s = 60;
  constexpr double soon_s = sanitized ? 30 : 10;
  lingering_socket first(linger_s), second(linger_s);
  const pipe_ends pipe = made_pipe();
  const in_arena<long> results(shared_runtime(), 4);  // outlives the runtime
  std::optional<genesys::run> last;
  auto begin = std::chrono::steady_clock::now();
  {
    runtime rt({.executor = genesys::executor_kind::threads, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
    {
      const launched kernel(
          rt, genesys::launch(rt, {.blocks = {2}}, receive_and_read{}, first.get(), pipe.out.get(), results.get()));
      EXPECT_TRUE(eventually([&] { return all_wait(rt, 2); }));
      begin = std::chrono::steady_clock::now();
      first.close();
      first.shut_down_by_the_other();
      EXPECT_TRUE(eventually([&] { return all_wait(rt, 1); }));
      EXPECT_EQ(::write(pipe.in.get(), "a word.", 8), 8);
    }
    EXPECT_EQ(results[0], -EBADF);
    EXPECT_EQ(results[1], 8);
    EXPECT_LT(seconds_since(begin), soon_s);
    last = genesys::launch(rt, {.blocks = {2}}, receive_and_read{}, second.get(), pipe.out.get(), results.get() + 2);
    EXPECT_TRUE(eventually([&] { return all_wait(rt, 2); }));
    second.close();
    begin = std::chrono::steady_clock::now();
  }
  EXPECT_LT(seconds_since(begin), soon_s);
  EXPECT_TRUE(eventually([&] { return last->finished(); }));
  last.reset();
  for (u32 i = 2; i < 4; ++i) EXPECT_EQ(results[i], -ECANCELED) << i;
}

struct count_own_until_empty {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u32* served) const {
    u64 word;
    while (os.recvfrom(fd, &word, sizeof word, 0, nullptr, nullptr) > 0)
      genesys::atomic<u32, genesys::thread_scope::system>(served[genesys::block_rank()]).fetch_add(1);
  }
};

// The block that began to wait last gets most datagrams, and each block gets some.
TEST(Parked, TheLastToWaitIsWokenFirstAndEachHasItsTurn) {
  constexpr u32 blocks = 4, rounds = 24, oldest_of = 16;
  // No worker sleeps meanwhile: a call that waits for one to wake is made later than the line is watched again.
  runtime rt({.arena_bytes = 1u << 20, .bounce_bytes = 16u << 20, .idle_us = 60'000'000});
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends), 0);
  const descriptor ours(ends[0]), theirs(ends[1]);
  const in_arena<u32> served(rt, blocks);
  for (u32 i = 0; i < blocks; ++i) served.get()[i] = 0;
  const auto by = [&](u32 block) { return std::atomic_ref<u32>(served.get()[block]).load(); };
  const auto by_all = [&] { return by(0) + by(1) + by(2) + by(3); };
  const u64 before = rt.stats().parked;
  const launched kernel(rt,
                        genesys::launch(rt, {.blocks = {blocks}}, count_own_until_empty{}, ours.get(), served.get()));
  ASSERT_TRUE(eventually([&] { return rt.stats().parked >= before + blocks; }));
  u32 repeats = 0, last = blocks;
  for (u32 i = 1; i <= rounds * oldest_of; ++i) {
    const u64 waiting = rt.stats().parked;
    std::array<u32, blocks> had;
    for (u32 b = 0; b < blocks; ++b) had[b] = by(b);
    EXPECT_EQ(::send(theirs.get(), "datagram", 8, 0), 8);
    ASSERT_TRUE(eventually([&] { return by_all() >= i && rt.stats().parked > waiting; }));
    for (u32 b = 0; b < blocks; ++b) {
      if (by(b) == had[b]) continue;
      repeats += b == last;
      last = b;
    }
  }
  // The CPU device takes longer to make a woken call than lines wait: another block may then be faster.
  if (rt.kind() == genesys::device_kind::cuda) {
    EXPECT_GT(repeats, rounds * oldest_of / 2);
  }
  for (u32 i = 0; i < blocks; ++i) EXPECT_GT(by(i), 0u) << "block " << i;
  for (u32 i = 0; i < blocks; ++i) EXPECT_EQ(::send(theirs.get(), "", 0, 0), 0);
  finish(rt, *kernel);
  EXPECT_EQ(by_all(), rounds * oldest_of);
}

enum class waker : u32 { posted, ticket, relaxed, blocking };

// All blocks but the last read from a pipe each. The last one writes to a file and then to the pipes, all from device
// memory.
struct read_or_write_and_wake {
  GENESYS_KERNEL void operator()(genesys::os os, const int* pipes, int file, char* memory, u32 bytes, u32* go,
                                 long* said, waker how) const {
    const u32 me = genesys::block_rank(), readers = genesys::blocks_in_grid() - 1;
    char* const mine = memory + u64{me} * bytes;
    if (me < readers) {
      said[me] = os.read(pipes[2 * me], mine, bytes);
      return;
    }
    const genesys::atomic<u32, genesys::thread_scope::system> word(*go);
    while (word.load() == 0) genesys::pause(1000);
    said[me] = static_cast<long>(bytes);
    if (how == waker::posted) os.posted().write(file, mine, bytes);
    if (how == waker::ticket) said[me] = os.ticket().write(file, mine, bytes).wait();
    if (how == waker::relaxed) said[me] = os.on(genesys::block()).relaxed().write(file, mine, bytes);
    if (how == waker::blocking) said[me] = os.write(file, mine, bytes);
    for (u32 i = 0; i < readers; ++i) os.write(pipes[2 * i + 1], mine, 1);
  }
};

// Reads that wait keep some bounce buffers. The call that ends their waiting finds one, however it is made. (The
// runtime has 16 buffers of that size.)
TEST(Parked, ReadsThatWaitLeaveBouncesToOthers) {
  constexpr u32 readers = 16, bytes = 1u << 20;
  runtime& rt = shared_runtime();
  const descriptor file(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  for (const waker how : {waker::posted, waker::ticket, waker::relaxed, waker::blocking}) {
    SCOPED_TRACE(static_cast<u32>(how));
    std::vector<pipe_ends> pipes;
    std::vector<int> ends;
    for (u32 i = 0; i < readers; ++i) {
      pipes.push_back(made_pipe());
      ends.push_back(pipes.back().out.get());
      ends.push_back(pipes.back().in.get());
    }
    const on_device<int> numbers(rt, ends);
    const on_device<char> memory(rt, (readers + 1) * bytes);
    const in_arena<u32> go(rt, 1);
    *go.get() = 0;
    const on_device<long> said(rt, std::vector<long>(readers + 1));
    const u64 before = rt.stats().parked;
    {
      const launched run =
          start(rt, {.blocks = {readers + 1}}, read_or_write_and_wake{}, static_cast<const int*>(numbers.get()),
                file.get(), memory.get(), bytes, go.get(), said.get(), how);
      EXPECT_TRUE(eventually([&] { return rt.stats().parked >= before + readers; }));
      std::atomic_ref<u32>(*go.get()).store(1);
    }
    std::vector<long> expected(readers + 1, 1);
    expected.back() = bytes;
    EXPECT_EQ(said.take(), expected);
  }
}

}  // namespace
}  // namespace contract
