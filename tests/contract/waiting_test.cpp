// SPDX-License-Identifier: Apache-2.0
// Calls that wait: for descriptors, for time, inside Linux. They delay no other call. With few resources, too, every
// call completes.
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "contract.h"

namespace contract {
namespace {

enum class job : u32 { read_pipe, read_nothing, read_plainly, pass_on, write_pipe, sleep, open_file, sleep_wrongly };

struct waiting_call {
  long value;
  u64 word;
};

// Each thread does the job. Threads of the blocks from `busy_from` on make short calls instead, and count them in
// `busy_done`.
struct wait_or_work {
  GENESYS_KERNEL void operator()(genesys::os os, job what, const int* ends, waiting_call* calls, const char* path,
                                 u32 busy_from, u32 busy_calls, u32* busy_done, u64 large_bytes,
                                 const u8* large) const {
    using namespace genesys;
    if (block_rank() >= busy_from) {
      for (u32 i = 0; i < busy_calls; ++i) {
        if (os.getppid() > 0) atomic<u32, thread_scope::system>(*busy_done).fetch_add(1);
      }
      return;
    }
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    waiting_call r{-1, 0};
    switch (what) {
      case job::read_pipe:
        r.value = os.read(ends[me * 2], &r.word, sizeof r.word);
        break;
      case job::read_nothing:
        r.value = os.read(ends[me * 2], &r.word, 0);
        break;
      case job::read_plainly:
        r.value = os.syscall(SYS_read, ends[me * 2], 0, 8);
        break;
      case job::pass_on: {  // the word from its own pipe goes on to the next thread's
        u64 word = 0;
        r.value = os.read(ends[me * 2], &word, sizeof word);
        r.word = word++;
        if (r.value == sizeof word) r.value = os.write(ends[me * 2 + 3], &word, sizeof word);
        break;
      }
      case job::write_pipe:
        r.value = os.write(ends[me * 2 + 1], large, large_bytes);
        break;
      case job::sleep: {
        const timespec length{0, 5'000'000};
        const u64 begin = clock_ns();
        r.value = os.nanosleep(&length);
        r.word = clock_ns() - begin;
        break;
      }
      case job::open_file:
        r.value = os.openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
        break;
      case job::sleep_wrongly: {
        const timespec length{0, 1'000'000'000 + static_cast<long>(me)};
        r.value = os.nanosleep(&length);
        break;
      }
    }
    calls[me].word = r.word;
    atomic<long, thread_scope::system>(calls[me].value).store(r.value);  // the host reads it while the kernel runs
  }
};

constexpr u32 nobody = ~0u;

// Launches wait_or_work, with a pipe for each thread and one more.
class waiters {
 public:
  waiters(runtime& rt, u32 pipes, int flags = O_CLOEXEC) : rt_(rt), calls_(rt, pipes), busy_done_(rt, 1) {
    busy_done_[0] = 0;
    std::vector<int> ends;
    for (u32 i = 0; i < pipes + 1; ++i) {
      pipes_.push_back(made_pipe(flags));
      ends.push_back(pipes_.back().out.get());
      ends.push_back(pipes_.back().in.get());
    }
    ends_ = std::make_unique<on_device<int>>(rt, ends);
  }

  launched go(job what, u32 blocks, u32 threads, u32 busy_blocks = 0, u32 busy_calls = 0, const char* path = nullptr,
              const u8* large = nullptr, u64 large_bytes = 0) {
    genesys::run run = genesys::launch(rt_, {.blocks = {blocks + busy_blocks}, .threads = {threads}}, wait_or_work{},
                                       what, ends_->get(), calls_.get(), path, busy_blocks == 0 ? nobody : blocks,
                                       busy_calls, busy_done_.get(), large_bytes, large);
    return launched(rt_, std::move(run));
  }
  void send(u32 pipe, u64 word) const { ASSERT_EQ(::write(pipes_[pipe].in.get(), &word, sizeof word), 8); }
  u32 busy_done() const { return std::atomic_ref<u32>(busy_done_[0]).load(); }
  const waiting_call& call(u32 i) const { return calls_[i]; }
  const pipe_ends& pipe(u32 i) const { return pipes_[i]; }

 private:
  runtime& rt_;
  in_arena<waiting_call> calls_;
  in_arena<u32> busy_done_;
  std::vector<pipe_ends> pipes_;
  std::unique_ptr<on_device<int>> ends_;
};

TEST(Waiting, ReadsOfEmptyPipesAreParkedAndOthersGoOn) {
  constexpr u32 threads = 64, busy_blocks = 4, busy_calls = 50;
  waiters w(shared_runtime(), threads);
  {
    launched run = w.go(job::read_pipe, 1, threads, busy_blocks, busy_calls);
    EXPECT_TRUE(eventually([&] { return w.busy_done() == busy_blocks * threads * busy_calls; })) << w.busy_done();
    EXPECT_FALSE(run->finished());
    for (u32 i = threads; i-- > 0;) w.send(i, i * 1000 + 7);
  }
  for (u32 i = 0; i < threads; ++i) {
    EXPECT_EQ(w.call(i).value, 8);
    EXPECT_EQ(w.call(i).word, i * 1000 + 7);
  }
}

TEST(Waiting, PipesThatEnd) {
  constexpr u32 threads = 33;
  waiters w(shared_runtime(), threads);
  {
    launched run = w.go(job::read_pipe, 1, threads);
    for (u32 i = 0; i < threads; ++i) const_cast<descriptor&>(w.pipe(i).in).close();
  }
  for (u32 i = 0; i < threads; ++i) EXPECT_EQ(w.call(i).value, 0);
}

TEST(Waiting, DescriptorsThatDoNotBlock) {
  constexpr u32 threads = 40;
  waiters w(shared_runtime(), threads, O_CLOEXEC | O_NONBLOCK);
  w.go(job::read_pipe, 1, threads).finish();
  for (u32 i = 0; i < threads; ++i) EXPECT_EQ(w.call(i).value, -EAGAIN);
  std::vector<u8> page(4096);
  for (u32 i = 0; i < threads; ++i) {
    while (::write(w.pipe(i).in.get(), page.data(), page.size()) > 0) {
    }
  }
  on_device<u8> large(shared_runtime(), 4096);
  w.go(job::write_pipe, 1, threads, 0, 0, nullptr, large.get(), 4096).finish();
  for (u32 i = 0; i < threads; ++i) EXPECT_EQ(w.call(i).value, -EAGAIN);
}

TEST(Waiting, ReadsOfNoBytesDoNot) {
  waiters w(shared_runtime(), 40);
  w.go(job::read_nothing, 1, 40).finish();
  for (u32 i = 0; i < 40; ++i) EXPECT_EQ(w.call(i).value, 0);
}

TEST(Waiting, CallsByNumberToo) {
  runtime& rt = shared_runtime();
  constexpr u32 threads = 40;
  waiters w(rt, threads);
  const auto parked = rt.stats().parked;
  launched run = w.go(job::read_plainly, 1, threads);
  EXPECT_TRUE(eventually([&] { return rt.stats().parked >= parked + threads; }));
  EXPECT_FALSE(run->finished());
  for (u32 i = 0; i < threads; ++i) w.send(i, 1);
  run.finish();
  for (u32 i = 0; i < threads; ++i) EXPECT_EQ(w.call(i).value, -EFAULT);  // the buffer's address is null
}

TEST(Waiting, OneDescriptorAgainAndAgain) {
  runtime& rt = shared_runtime();
  waiters w(rt, 2);
  for (u32 round = 0; round < 8; ++round) {
    const auto parked = rt.stats().parked;
    launched run = w.go(job::read_pipe, 1, 2);
    EXPECT_TRUE(eventually([&] { return rt.stats().parked >= parked + 2; }));
    for (u32 i = 2; i-- > 0;) w.send(i, round);
    run.finish();
    for (u32 i = 0; i < 2; ++i) EXPECT_EQ(w.call(i).word, round);
  }
}

TEST(Waiting, WritesToFullPipes) {
  runtime& rt = shared_runtime();
  constexpr u32 threads = 8, busy_blocks = 1, busy_calls = 50, bytes = 4096;
  waiters w(rt, threads);
  std::vector<u32> filled(threads);
  std::vector<u8> page(bytes, 'f');
  for (u32 i = 0; i < threads; ++i) {
    const int end = w.pipe(i).in.get();
    ::fcntl(end, F_SETFL, O_NONBLOCK);
    while (::write(end, page.data(), page.size()) > 0) ++filled[i];
    ::fcntl(end, F_SETFL, 0);
  }
  const std::string content = patterned(bytes, 3);
  on_device<u8> large(rt, std::vector<u8>(content.begin(), content.end()));
  {
    launched run = w.go(job::write_pipe, 1, threads, busy_blocks, busy_calls, nullptr, large.get(), bytes);
    EXPECT_TRUE(eventually([&] { return w.busy_done() == busy_blocks * threads * busy_calls; }));
    EXPECT_FALSE(run->finished());
    for (u32 i = 0; i < threads; ++i) {
      std::string got;
      const std::size_t wanted = u64{filled[i] + 1} * bytes;
      while (got.size() < wanted) {
        const ssize_t n = ::read(w.pipe(i).out.get(), page.data(), page.size());
        ASSERT_GT(n, 0);
        got.append(reinterpret_cast<const char*>(page.data()), static_cast<std::size_t>(n));
      }
      EXPECT_EQ(got.substr(wanted - bytes), content) << i;
    }
  }
  for (u32 i = 0; i < threads; ++i) EXPECT_EQ(w.call(i).value, bytes);
}

enum class one_call : u32 { read, readv, write, writev, accept, accept4, accept4_wrongly };

struct call_and_descriptor {
  one_call what;
  int fd;
};

struct make_each_once {
  GENESYS_KERNEL void operator()(genesys::os os, const call_and_descriptor* calls, long* results) const {
    const u32 me = genesys::thread_rank();
    const int fd = calls[me].fd;
    u64 word = 0;
    const iovec part{&word, sizeof word};
    long result = 0;
    switch (calls[me].what) {
      case one_call::read:
        result = os.read(fd, &word, sizeof word);
        break;
      case one_call::readv:
        result = os.readv(fd, &part, 1);
        break;
      case one_call::write:
        result = os.write(fd, &word, sizeof word);
        break;
      case one_call::writev:
        result = os.writev(fd, &part, 1);
        break;
      case one_call::accept:
        result = os.accept(fd);
        break;
      case one_call::accept4:
        result = os.accept4(fd);
        break;
      case one_call::accept4_wrongly:
        result = os.accept4(fd, nullptr, nullptr, 1);
        break;
    }
    results[me] = result;
  }
};

// Linux refuses these calls at once, although poll(2) says of each descriptor that it is not ready.
TEST(Waiting, CallsOnTheWrongKindOfDescriptorDoNot) {
  runtime& rt = shared_runtime();
  const pipe_ends empty = made_pipe(), full = made_pipe();
  ::fcntl(full.in.get(), F_SETFL, O_NONBLOCK);
  const std::vector<u8> page(4096);
  while (::write(full.in.get(), page.data(), page.size()) > 0) {
  }
  sigset_t none;
  sigemptyset(&none);
  const descriptor polling(::epoll_create1(EPOLL_CLOEXEC)), timer(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC)),
      signals(::signalfd(-1, &none, SFD_CLOEXEC)), changes(::inotify_init1(IN_CLOEXEC));
  const descriptor listening(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::listen(listening.get(), 1), 0);
  const std::vector<call_and_descriptor> wrong = {{one_call::read, empty.in.get()},
                                                  {one_call::readv, empty.in.get()},
                                                  {one_call::write, full.out.get()},
                                                  {one_call::writev, full.out.get()},
                                                  {one_call::read, polling.get()},
                                                  {one_call::write, polling.get()},
                                                  {one_call::write, timer.get()},
                                                  {one_call::write, signals.get()},
                                                  {one_call::write, changes.get()},
                                                  {one_call::accept, empty.out.get()},
                                                  {one_call::accept4, empty.out.get()},
                                                  {one_call::accept, timer.get()},
                                                  {one_call::accept4_wrongly, listening.get()}};
  const std::vector<long> expected = {-EBADF,  -EBADF, -EBADF,    -EBADF,    -EINVAL,   -EINVAL, -EINVAL,
                                      -EINVAL, -EBADF, -ENOTSOCK, -ENOTSOCK, -ENOTSOCK, -EINVAL};
  const on_device<call_and_descriptor> calls(rt, wrong);
  const in_arena<long> results(rt, static_cast<u32>(wrong.size()));
  const launched run =
      start(rt, {.threads = {static_cast<u32>(wrong.size())}}, make_each_once{}, calls.get(), results.get());
  ASSERT_TRUE(eventually([&] { return run->finished(); })) << "a call waits";
  for (std::size_t i = 0; i < wrong.size(); ++i) EXPECT_EQ(results.get()[i], expected[i]) << i;
}

void check_chain(runtime& rt, u32 blocks, u32 threads) {
  const u32 all = blocks * threads;
  SCOPED_TRACE("a chain of " + std::to_string(all));
  waiters w(rt, all);
  const auto begin = std::chrono::steady_clock::now();
  {
    launched run = w.go(job::pass_on, blocks, threads);
    w.send(0, 1);
  }
  for (u32 i = 0; i < all; ++i) {
    EXPECT_EQ(w.call(i).value, 8) << i;
    EXPECT_EQ(w.call(i).word, i + 1) << i;
  }
  EXPECT_LT(seconds_since(begin), sanitized ? 60 : 20);
}

TEST(Waiting, OneLanesPipeIsFilledByAnotherLaneOfItsWarp) {
  check_chain(shared_runtime(), 1, 32);
  check_chain(shared_runtime(), 1, 256);
  check_chain(shared_runtime(), 4, 64);
}

TEST(Waiting, NoMoreThanParkedMaxMayWait) {
  constexpr u32 threads = 12, parked_max = 4;
  runtime rt({.workers = 2, .parked_max = parked_max});
  waiters w(rt, threads);
  {
    launched run = w.go(job::read_pipe, threads, 1);
    const auto refused = [&] {
      u32 n = 0;
      for (u32 i = 0; i < threads; ++i) n += std::atomic_ref<const long>(w.call(i).value).load() == -EAGAIN;
      return n;
    };
    EXPECT_TRUE(eventually([&] { return refused() == threads - parked_max; })) << refused();
    EXPECT_FALSE(run->finished());
    for (u32 i = 0; i < threads; ++i) w.send(i, i);
  }
  u32 read = 0;
  for (u32 i = 0; i < threads; ++i) {
    if (w.call(i).value != 8) continue;
    ++read;
    EXPECT_EQ(w.call(i).word, i);
  }
  EXPECT_EQ(read, parked_max);
}

TEST(Waiting, AThousandSleepsTakeAsLongAsOne) {
  constexpr u32 blocks = 4, threads = 250;
  waiters w(shared_runtime(), blocks * threads);
  const auto begin = std::chrono::steady_clock::now();
  w.go(job::sleep, blocks, threads).finish();
  EXPECT_LT(seconds_since(begin), sanitized ? 5 : 1);
  for (u32 i = 0; i < blocks * threads; ++i) {
    ASSERT_EQ(w.call(i).value, 0);
    ASSERT_GE(w.call(i).word, 4'900'000u);  // the device's clock may be a little slower
  }
  w.go(job::sleep_wrongly, blocks, threads).finish();
  for (u32 i = 0; i < blocks * threads; ++i) ASSERT_EQ(w.call(i).value, -EINVAL);
}

// A call that blocks inside Linux, where the runtime cannot park it.
TEST(Waiting, TheQueueOfACallStuckInLinuxMigrates) {
  runtime& rt = shared_runtime();
  constexpr u32 stuck = 6, busy_blocks = 4, busy_calls = 200;
  folder in;
  const std::string path = in / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  waiters w(rt, stuck);
  in_arena<char> name(rt, path.size() + 1);
  std::memcpy(name.get(), path.c_str(), path.size() + 1);
  const auto migrations = rt.stats().queue_migrations;
  {
    launched run = w.go(job::open_file, stuck, 1, busy_blocks, busy_calls, name.get());
    EXPECT_TRUE(eventually([&] { return w.busy_done() == busy_blocks * busy_calls; })) << w.busy_done();
    EXPECT_FALSE(run->finished());
    std::string text;
    const auto count_of = [&](const std::string& what) {
      u32 n = 0;
      for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
      return n;
    };
    EXPECT_TRUE(eventually([&] {
      std::ostringstream report;
      rt.report(report);
      text = report.str();
      return count_of("openat(") == stuck;
    })) << text;
    EXPECT_EQ(count_of("in Linux  "), stuck) << text;
    for (u32 i = 0; i < stuck; ++i) EXPECT_EQ(count_of(" block " + std::to_string(i) + " warp 0"), 1u) << text;
    const descriptor writer(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_GE(writer.get(), 0);
    run.finish();
  }
  // Queues with requests behind such a call migrate to other workers. On a GPU each call may have a queue to itself.
  EXPECT_GE(rt.stats().queue_migrations, migrations);
  for (u32 i = 0; i < stuck; ++i) {
    EXPECT_GE(w.call(i).value, 0);
    ::close(static_cast<int>(w.call(i).value));
  }
}

struct write_much_or_work {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, const u8* from, u32 bytes, long* written, u32 calls,
                                 u32* done) const {
    if (genesys::block_rank() == 0) {
      *written = os.write(pipe, from, bytes);
      return;
    }
    for (u32 i = 0; i < calls; ++i) {
      if (os.getppid() > 0) genesys::atomic<u32, genesys::thread_scope::system>(*done).fetch_add(1);
    }
  }
};

// A worker that has nothing to do serves the queue of one in a long call, before that queue migrates. Here it never
// does. The write finds less space than it needs, and keeps its worker; some of the blocks use that worker's queue.
TEST(Waiting, AnIdleWorkerStealsFromTheQueueOfALongCall) {
  constexpr u32 workers = 2, blocks = 64, calls = 50, bytes = 32768, never_us = 3'600'000'000;
  runtime rt({.executor = genesys::executor_kind::threads,
              .workers = workers,
              .queues = workers,
              .arena_bytes = 1u << 20,
              .bounce_bytes = 16u << 20,
              .stall_us = never_us,
              .idle_us = never_us});
  const pipe_ends pipe = made_pipe();
  const int space = ::fcntl(pipe.in.get(), F_SETPIPE_SZ, 2 * bytes);
  ASSERT_GT(space, 0);
  std::vector<char> filled(static_cast<std::size_t>(space) - bytes / 2, 'x');
  ASSERT_EQ(::write(pipe.in.get(), filled.data(), filled.size()), static_cast<ssize_t>(filled.size()));
  in_arena<u8> from(rt, bytes);
  in_arena<u32> done(rt, 1);
  in_arena<long> written(rt, 1);
  *done.get() = 0;
  const auto all_done = [&] { return std::atomic_ref<u32>(*done.get()).load() == (blocks - 1) * calls; };
  {
    launched run = start(rt, {.blocks = {blocks}}, write_much_or_work{}, pipe.in.get(),
                         static_cast<const u8*>(from.get()), bytes, written.get(), calls, done.get());
    EXPECT_TRUE(eventually(all_done)) << *done.get();
    EXPECT_FALSE(run->finished());
    for (std::size_t had = 0, all = filled.size() + bytes; had < all;) {
      const ssize_t n = ::read(pipe.out.get(), filled.data(), filled.size());
      ASSERT_GT(n, 0);
      had += static_cast<std::size_t>(n);
    }
    run.finish();
  }
  EXPECT_EQ(*written.get(), static_cast<long>(bytes));
  EXPECT_EQ(rt.stats().queue_migrations, 0u);
}

TEST(Waiting, ParkedCallsAreReported) {
  runtime& rt = shared_runtime();
  waiters w(rt, 3);
  const auto parked = rt.stats().parked;
  launched run = w.go(job::read_pipe, 1, 3);
  std::string text;
  EXPECT_TRUE(eventually([&] {
    std::ostringstream report;
    rt.report(report);
    text = report.str();
    return text.find("3 parked") != std::string::npos;
  })) << text;
  for (u32 i = 0; i < 3; ++i)
    EXPECT_NE(text.find("fd=" + std::to_string(w.pipe(i).out.get())), std::string::npos) << text;
  EXPECT_GE(rt.stats().parked, parked + 3);
  for (u32 i = 0; i < 3; ++i) w.send(i, 1);
}

TEST(Waiting, SigquitReports) {
  runtime& rt = shared_runtime();
  waiters w(rt, 2);
  launched run = w.go(job::read_pipe, 1, 2);
  EXPECT_TRUE(eventually([&] {
    std::ostringstream report;
    rt.report(report);
    return report.str().find("2 parked") != std::string::npos;
  }));
  const pipe_ends caught = made_pipe(O_CLOEXEC | O_NONBLOCK);
  const descriptor before(::dup(2));
  ASSERT_EQ(::dup2(caught.in.get(), 2), 2);
  ::raise(SIGQUIT);
  std::string text;
  const bool told = eventually([&] {
    char some[4096];
    const ssize_t n = ::read(caught.out.get(), some, sizeof some);
    if (n > 0) text.append(some, static_cast<std::size_t>(n));
    return text.find("calls so far") != std::string::npos;
  });
  ::dup2(before.get(), 2);
  EXPECT_TRUE(told) << text;
  for (u32 i = 0; i < 2; ++i)
    EXPECT_NE(text.find("fd=" + std::to_string(w.pipe(i).out.get())), std::string::npos) << text;
  EXPECT_NE(text.find("block 0 warp 0"), std::string::npos) << text;
  for (u32 i = 0; i < 2; ++i) w.send(i, 1);
}

}  // namespace
}  // namespace contract
