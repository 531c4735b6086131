// SPDX-License-Identifier: Apache-2.0
// If Linux fails, the kernel gets the native error: a full disk, a device that fails, a limit, a pipe without a reader,
// a process that is stopped and resumed. No other call is affected. (A file that is truncated under a mapping:
// mapped_file_test.cpp. Failures of the host's own calls: tests/faults.)
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>

#include "single_calls.h"

namespace contract {
namespace {

// Makes single calls, and has a buffer in the arena.
class calling {
 public:
  calling() : calls_(shared_runtime()), buffer_(shared_runtime(), 65536) {}
  long operator()(long number, std::initializer_list<word> args) { return calls_(number, args); }
  u8* buffer() const { return buffer_.get(); }

 private:
  single_calls calls_;
  in_arena<u8> buffer_;
};

// Sets a resource limit until its destructor runs.
class limited_to {
 public:
  limited_to(__rlimit_resource what, rlim_t most) : what_(what) {
    ::getrlimit(what, &before_);
    const rlimit now{most, before_.rlim_max};
    EXPECT_EQ(::setrlimit(what, &now), 0);
  }
  ~limited_to() { ::setrlimit(what_, &before_); }

 private:
  __rlimit_resource what_;
  rlimit before_{};
};

int opened(const char* path, int flags) { return ::open(path, flags | O_CLOEXEC); }

TEST(LinuxFaults, NoSpaceIsLeft) {
  calling call;
  const descriptor full(opened("/dev/full", O_WRONLY));
  EXPECT_EQ(call(SYS_write, {full.get(), call.buffer(), 100}), -ENOSPC);
}

// Makes the call staged and posted. A posted call has no result, but its failure is counted.
struct write_staged {
  GENESYS_KERNEL void operator()(genesys::os os, int full, long* value) const {
    char text[3000];
    for (u32 i = 0; i < sizeof text; ++i) text[i] = static_cast<char>(i);
    *value = os.write(full, text, sizeof text);
    os.posted().write(full, text, sizeof text);
  }
};

TEST(LinuxFaults, NoSpaceIsLeftForWhatIsStaged) {
  runtime& rt = shared_runtime();
  const descriptor full(opened("/dev/full", O_WRONLY));
  in_arena<long> value(rt, 1);
  const auto failed = rt.stats().posted_failed;
  play(rt, {}, write_staged{}, full.get(), value.get());
  EXPECT_EQ(value[0], -ENOSPC);
  EXPECT_EQ(rt.stats().posted_failed, failed + 1);
}

TEST(LinuxFaults, ADeviceFails) {
  calling call;
  const descriptor memory(opened("/proc/self/mem", O_RDONLY));
  EXPECT_EQ(call(SYS_pread64, {memory.get(), call.buffer(), 100, 0}), -EIO);  // nothing is mapped at this address
}

TEST(LinuxFaults, FewerBytesThanWereAskedFor) {
  calling call;
  folder in;
  const descriptor file = made_file(in, "file", patterned(1000));
  EXPECT_EQ(call(SYS_pread64, {file.get(), call.buffer(), 4096, 400}), 600);
  EXPECT_EQ(std::memcmp(call.buffer(), patterned(1000).data() + 400, 600), 0);
  EXPECT_EQ(call(SYS_pread64, {file.get(), call.buffer(), 4096, 1000}), 0);
  const pipe_ends pipe = made_pipe(O_CLOEXEC | O_NONBLOCK);
  ASSERT_EQ(::fcntl(pipe.in.get(), F_SETPIPE_SZ, 8192), 8192);
  EXPECT_EQ(call(SYS_write, {pipe.in.get(), call.buffer(), 65536}), 8192);
  EXPECT_EQ(call(SYS_write, {pipe.in.get(), call.buffer(), 1}), -EAGAIN);
}

// Linux would end a native process by a signal here. The workers block signals, so the kernel gets the error.
TEST(LinuxFaults, AFileMayBeNoLonger) {
  calling call;
  folder in;
  const descriptor file = made_file(in, "file", "");
  const limited_to limit(RLIMIT_FSIZE, 1000);
  EXPECT_EQ(call(SYS_pwrite64, {file.get(), call.buffer(), 4096, 0}), 1000);
  EXPECT_EQ(call(SYS_pwrite64, {file.get(), call.buffer(), 1, 1000}), -EFBIG);
}

TEST(LinuxFaults, NobodyReadsThePipe) {
  calling call;
  pipe_ends pipe = made_pipe();
  pipe.out.close();
  EXPECT_EQ(call(SYS_write, {pipe.in.get(), call.buffer(), 1}), -EPIPE);
}

// There is no free descriptor, neither for the kernel nor for the duplicate with which a call is parked.
struct read_and_open {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, const char* path, long* values, u32* steps) const {
    using namespace genesys;
    while (atomic<u32, thread_scope::system>(steps[0]).load() == 0) genesys::pause();
    if (block_rank() == 0) {
      char text[64];  // so much is inline data
      for (char& c : text) c = 'u';
      values[0] = os.read(pipe, text, sizeof text);
      for (u32 i = 0; i < sizeof text; ++i) values[2] += text[i] != (i == 0 ? 'x' : 'u') ? 1 : 0;
    } else {
      values[1] = os.openat(AT_FDCWD, path, O_RDONLY);
      atomic<u32, thread_scope::system>(steps[1]).store(1);
    }
  }
};

TEST(LinuxFaults, NoDescriptorsAreLeft) {
  runtime& rt = shared_runtime();
  const pipe_ends pipe = made_pipe();
  in_arena<long> values(rt, 3);
  in_arena<u32> steps(rt, 2);
  steps[0] = steps[1] = 0;
  values[2] = 0;
  in_arena<char> path(rt, 2);
  std::memcpy(path.get(), "/", 2);
  launched run = start(rt, {.blocks = {2}, .threads = {1}}, read_and_open{}, pipe.out.get(), path.get(), values.get(),
                       steps.get());
  {
    // Every number below the limit is taken. The limit is high enough for the driver's own threads: poll(2) refuses
    // more descriptors than the limit.
    const limited_to limit(RLIMIT_NOFILE, 256);
    std::vector<descriptor> all;
    for (int fd; (fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) all.emplace_back(fd);
    std::atomic_ref<u32>(steps[0]).store(1);
    EXPECT_TRUE(eventually([&] { return std::atomic_ref<u32>(steps[1]).load() == 1; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // until the other call waits
  }
  EXPECT_FALSE(run->finished());
  ASSERT_EQ(::write(pipe.in.get(), "x", 1), 1);
  run.finish();
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[1], -EMFILE);
  EXPECT_EQ(values[2], 0);  // bytes that Linux did not write, or did not leave alone
}

struct read_when_told {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u32* told, long* value) const {
    using namespace genesys;
    while (atomic<u32, thread_scope::system>(*told).load() == 0) pause(1000);
    char c;
    const long said = os.read(fd, &c, 1);
    atomic<long, thread_scope::system>(*value).store(said);
  }
};

// Without a descriptor for the parking lot a worker waits itself, and keeps the socket's timeout (SO_RCVTIMEO).
TEST(LinuxFaults, NoDescriptorsAreLeftForATimeout) {
  runtime& rt = shared_runtime();
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const descriptor ours(ends[0]), theirs(ends[1]);
  const timeval limit_of_socket{0, 60'000};
  ASSERT_EQ(::setsockopt(ours.get(), SOL_SOCKET, SO_RCVTIMEO, &limit_of_socket, sizeof limit_of_socket), 0);
  const in_arena<u32> told(rt, 1);
  const in_arena<long> value(rt, 1);
  told[0] = 0;
  value[0] = 0;
  const launched run = start(rt, {}, read_when_told{}, ours.get(), told.get(), value.get());
  const u64 parked = rt.stats().parked;
  const limited_to limit(RLIMIT_NOFILE, 256);
  std::vector<descriptor> all;
  for (int fd; (fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) all.emplace_back(fd);
  std::atomic_ref<u32>(told[0]).store(1);
  EXPECT_TRUE(eventually([&] { return std::atomic_ref<long>(value[0]).load() != 0; }));
  EXPECT_EQ(value[0], -EAGAIN);
  EXPECT_EQ(rt.stats().parked, parked);
}

std::vector<pid_t> threads_of_process() {
  std::vector<pid_t> all;
  for (const auto& one : std::filesystem::directory_iterator("/proc/self/task"))
    all.push_back(std::atoi(one.path().filename().c_str()));
  return all;
}

std::atomic<u32> handled{0};

struct read_often {
  GENESYS_KERNEL void operator()(genesys::os os, int file, u32 times, u32* wrong) const {
    char c[8];
    for (u32 i = 0; i < times; ++i) {
      if (os.pread64(file, c, sizeof c, i % 100) != sizeof c)
        genesys::atomic<u32, genesys::thread_scope::system>(*wrong).fetch_add(1);
    }
  }
};

// Every thread of the process gets signals. The program's own threads handle them, and the workers are not disturbed.
TEST(LinuxFaults, SignalsToWorkers) {
  runtime& rt = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "file", patterned(200));
  in_arena<u32> wrong(rt, 1);
  wrong[0] = 0;
  struct sigaction before {
  }, ours{};
  ours.sa_handler = [](int) { handled.fetch_add(1, std::memory_order_relaxed); };
  ::sigaction(SIGUSR1, &ours, &before);
  {
    launched run = start(rt, {.blocks = {8}, .threads = {32}}, read_often{}, file.get(), 200u, wrong.get());
    for (u32 round = 0; round < 200 && !run->finished(); ++round) {
      for (const pid_t thread : threads_of_process()) ::syscall(SYS_tgkill, ::getpid(), thread, SIGUSR1);
    }
  }
  ::sigaction(SIGUSR1, &before, nullptr);
  EXPECT_GT(handled.load(), 0u);
  EXPECT_EQ(wrong[0], 0u);
}

struct wait_for_time {
  GENESYS_KERNEL void operator()(genesys::os os, int epoll, epoll_event* events, long* values) const {
    const u32 me = genesys::block_rank();
    const timespec length{0, 50'000'000};
    values[me] = me % 2 == 0 ? os.epoll_wait(epoll, events + me, 1, 50) : os.nanosleep(&length, nullptr);
  }
};

// Another process stops and resumes this one. Natively some calls then end with EINTR (signal(7)).
TEST(LinuxFaults, TheProcessIsStoppedForAWhile) {
  runtime& rt = shared_runtime();
  const descriptor epoll(::epoll_create1(EPOLL_CLOEXEC));
  in_arena<epoll_event> events(rt, 8);
  in_arena<long> values(rt, 8);
  {
    launched run = start(rt, {.blocks = {8}, .threads = {1}}, wait_for_time{}, epoll.get(), events.get(), values.get());
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const pid_t whole = ::getpid(), other = ::fork();
    if (other == 0) {
      const timespec pause{0, 20'000'000};
      for (int i = 0; i < 3; ++i) {
        ::kill(whole, SIGSTOP);
        ::nanosleep(&pause, nullptr);
        ::kill(whole, SIGCONT);
        ::nanosleep(&pause, nullptr);
      }
      ::_exit(0);
    }
    int status;
    ASSERT_EQ(::waitpid(other, &status, 0), other);
  }
  for (u32 i = 0; i < 8; ++i)
    EXPECT_TRUE(values[i] == 0 || (i % 2 == 0 && values[i] == -EINTR)) << i << ": " << values[i];
}

}  // namespace
}  // namespace contract
