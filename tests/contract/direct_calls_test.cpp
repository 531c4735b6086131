// SPDX-License-Identifier: Apache-2.0
// The calls that kernels submit themselves (executor `direct`): each kind that io_uring has is made, counted, and has
// Linux's result. (The oracle compares every call with the native one, under any executor.)
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "direct.h"
#include "sockets.h"
#include "stream.h"

namespace contract {
namespace {

struct several_pieces {
  iovec pieces[2];
  msghdr sent, received;
  char out[16], in[16];
};

struct move_pieces {
  GENESYS_KERNEL void operator()(genesys::os os, int file, int pipe, int here, int there, several_pieces* of,
                                 long* said) const {
    for (int i = 0; i < 2; ++i) of->pieces[i] = {of->out + 8 * i, 8};
    long* next = said;
    *next++ = os.pwritev(file, of->pieces, 2, 4);
    *next++ = os.pwritev2(file, of->pieces, 2, 20, 0, 0);
    for (int i = 0; i < 2; ++i) of->pieces[i] = {of->in + 8 * (1 - i), 8};
    *next++ = os.preadv(file, of->pieces, 2, 4);
    *next++ = os.preadv2(file, of->pieces, 2, 20, 0, 0);
    *next++ = os.preadv2(file, of->pieces, 2, -1, 0, 0);  // at the file's own position: by worker threads
    *next++ = os.readv(pipe, of->pieces, 2);
    of->sent = {};
    of->sent.msg_iov = of->pieces;
    of->sent.msg_iovlen = 2;
    of->received = of->sent;
    *next++ = os.sendmsg(here, &of->sent);
    *next++ = os.writev(here, of->pieces, 1);
    *next++ = os.recvmsg(there, &of->received);
    *next++ = os.recvmsg(there, &of->received);
  }
};

TEST(DirectCalls, OfSeveralPieces) {
  runtime rt(direct_with(1, 8));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  const folder in;
  const descriptor file = made_file(in, "file", "0123");
  int ends[2], pair[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const descriptor out(ends[0]), into(ends[1]);
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair), 0);
  const descriptor here(pair[0]), there(pair[1]);
  ASSERT_EQ(::write(into.get(), "by the pipe", 11), 11);
  const in_arena<several_pieces> of(rt, 1);
  const in_arena<long> said(rt, 10);
  std::memcpy(of.get()->out, "abcdefghijklmnop", 16);
  play(rt, {}, move_pieces{}, file.get(), out.get(), here.get(), there.get(), of.get(), said.get());
  const long expected[] = {16, 16, 16, 16, 16, 11, 16, 8, 16, 8};
  for (u32 i = 0; i < std::size(expected); ++i) EXPECT_EQ(said[i], expected[i]) << i;
  EXPECT_EQ(content_of(file.get()), "0123abcdefghijklmnopabcdefghijklmnop");
  EXPECT_EQ(rt.stats().direct_calls, 9u);
}

constexpr int futex_u32 = 2;  // FUTEX2_SIZE_U32; older systems' headers lack it

struct wait_words {
  u64 counted, due, third;
  epoll_event events[2];
  u32 word, other;
  siginfo_t child;
};

// Each thread of a block waits for something else. No host thread waits for any of them.
struct wait_each {
  GENESYS_KERNEL void operator()(genesys::os os, int counter, int timer, int watched, int child, wait_words* at,
                                 long* said) const {
    const u32 me = genesys::thread_rank();
    if (me == 0) said[0] = os.read(counter, &at->counted, 8);
    if (me == 1) said[1] = os.read(timer, &at->due, 8);
    if (me == 2) said[2] = os.epoll_wait(watched, at->events, 1, -1);
    if (me == 3) said[3] = os.epoll_pwait(watched, at->events + 1, 1, -1);
    if (me == 4) said[4] = os.futex_wait(&at->word, 7, ~u32{0}, futex_u32);
    if (me == 5) said[5] = os.futex<FUTEX_WAIT>(&at->other, 8);
    if (me == 6) said[6] = os.waitid(P_PID, child, &at->child, WEXITED);
    if (me == 7) said[7] = os.futex_wait(&at->word, 8, ~u32{0}, futex_u32);  // does not wait
  }
};

struct end_waits {
  GENESYS_KERNEL void operator()(genesys::os os, int counter, wait_words* at, long* said) const {
    at->third = 5;
    said[0] = os.write(counter, &at->third, 8);
    said[1] = os.futex_wake(&at->word, ~u32{0}, 1, futex_u32);
    said[2] = os.futex<FUTEX_WAKE>(&at->other, 1u);  // by worker threads
  }
};

TEST(DirectCalls, ThatWait) {
  runtime rt(direct_with(1, 64));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  constexpr u32 waiting = 7;
  const descriptor counter(::eventfd(0, EFD_CLOEXEC)), timer(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  const descriptor watched(::epoll_create1(EPOLL_CLOEXEC)), awaited(::eventfd(0, EFD_CLOEXEC));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = 17;
  ASSERT_EQ(::epoll_ctl(watched.get(), EPOLL_CTL_ADD, awaited.get(), &event), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  ASSERT_GT(child, 0);
  const in_arena<wait_words> at(rt, 1);
  at.get()->word = 7;
  at.get()->other = 8;
  const in_arena<long> said(rt, 8), ended(rt, 3);
  const stream beside;
  const genesys::run run = genesys::launch(rt, {.threads = {8}, .stream = beside.get()}, wait_each{}, counter.get(),
                                           timer.get(), watched.get(), static_cast<int>(child), at.get(), said.get());
  const bool all_wait = eventually([&] { return rt.stats().direct_calls == waiting + 1; });
  EXPECT_TRUE(all_wait) << rt.stats().direct_calls;
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(run.finished());
  const itimerspec soon{{0, 0}, {0, 1}};
  EXPECT_EQ(::timerfd_settime(timer.get(), 0, &soon, nullptr), 0);
  const u64 two = 2;
  EXPECT_EQ(::write(awaited.get(), &two, 8), 8);
  EXPECT_EQ(::kill(child, SIGKILL), 0);
  play(rt, {}, end_waits{}, counter.get(), at.get(), ended.get());
  if (!eventually([&] { return run.finished(); })) give_up(rt, "not all waits have ended");
  EXPECT_EQ(ended[0], 8);
  EXPECT_EQ(ended[1], 1);
  EXPECT_EQ(ended[2], 1);
  const long expected[] = {8, 8, 1, 1, 0, 0, 0, -EAGAIN};
  for (u32 i = 0; i < std::size(expected); ++i) EXPECT_EQ(said[i], expected[i]) << i;
  EXPECT_EQ(at.get()->counted, 5u);
  EXPECT_EQ(at.get()->due, 1u);
  for (const epoll_event& one : at.get()->events) EXPECT_EQ(one.data.u64, 17u);
  EXPECT_EQ(at.get()->child.si_pid, child);
  EXPECT_EQ(at.get()->child.si_status, SIGKILL);
  EXPECT_EQ(rt.stats().direct_calls, waiting + 3u);
}

// The number of this process's threads.
std::ptrdiff_t threads_now() { return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}); }

struct wait_for_word {
  GENESYS_KERNEL void operator()(genesys::os os, u32* word, u32* wrong) const {
    if (os.futex<FUTEX_WAIT>(word, 0u) != 0) genesys::atomic<u32>(*wrong).fetch_add(1);
  }
};

// A thousand threads wait for a word, as on a condition variable. With worker threads each would take one.
TEST(DirectCalls, AThousandWaitForAWord) {
  runtime rt(direct_with(2, 1024));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  constexpr u32 blocks = sanitized ? 4 : 32, threads = 32, count = blocks * threads;
  const in_arena<u32> word(rt, 1);
  word[0] = 0;
  const on_device<u32> wrong(rt, std::vector<u32>(1));
  const auto before = threads_now();
  const genesys::run run =
      genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, wait_for_word{}, word.get(), wrong.get());
  EXPECT_TRUE(eventually([&] { return rt.stats().direct_calls == count; }));
  EXPECT_LT(threads_now(), before + 16);  // for Linux's thread of the ring, and for threads of the device
  long woken = 0;
  EXPECT_TRUE(eventually([&] {
    woken += ::syscall(SYS_futex, word.get(), FUTEX_WAKE, count, nullptr, nullptr, 0);
    return woken == count;
  }));
  if (!eventually([&] { return run.finished(); })) give_up(rt, "not all waits have ended");
  EXPECT_EQ(wrong.take()[0], 0u);
}

}  // namespace
}  // namespace contract
