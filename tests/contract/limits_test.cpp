// SPDX-License-Identifier: Apache-2.0
// The limits of what kernels may have: each gives its error, and what is freed can be taken again. And what every
// kernel is denied, whatever the policy.
#include <signal.h>
#include <sys/mman.h>

#include "single_calls.h"

namespace contract {
namespace {

genesys::options limited(genesys::options chosen) {
  chosen.workers = 2;
  return chosen;
}

// Single calls under the policy `all` with limits.
class limited_kernel {
 public:
  explicit limited_kernel(const genesys::options& chosen) : rt_(limited(chosen)), calls_(rt_) {}
  runtime& rt() { return rt_; }
  long call(long number, std::initializer_list<word> args) { return calls_(number, args); }

 private:
  runtime rt_;
  single_calls calls_;
};

TEST(Limits, Descriptors) {
  limited_kernel k({.descriptors_max = 3});
  in_arena<int> ends(k.rt(), 2);
  const long first = k.call(SYS_dup, {0}), second = k.call(SYS_fcntl, {0, F_DUPFD_CLOEXEC, 100});
  EXPECT_GE(first, 0);
  EXPECT_GE(second, 100);
  EXPECT_EQ(k.call(SYS_pipe2, {ends.get(), 0}), -EMFILE);  // both descriptors or none
  const long third = k.call(SYS_dup, {0});
  EXPECT_GE(third, 0);
  EXPECT_EQ(k.call(SYS_dup, {0}), -EMFILE);
  EXPECT_EQ(k.call(SYS_close, {first}), 0);
  EXPECT_EQ(k.call(SYS_close, {second}), 0);
  EXPECT_EQ(k.call(SYS_pipe2, {ends.get(), 0}), 0);
  EXPECT_EQ(k.call(SYS_dup, {0}), -EMFILE);
  for (const long fd : {third, long{ends[0]}, long{ends[1]}}) EXPECT_EQ(k.call(SYS_close, {fd}), 0);
}

TEST(Limits, MappedMemory) {
  limited_kernel k({.mapped_bytes_max = 1 << 20});
  const auto map = [&](std::size_t bytes) {
    return k.call(SYS_mmap, {0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0});
  };
  EXPECT_EQ(map((1 << 20) + 4096), -ENOMEM);
  EXPECT_EQ(map(~std::size_t{0} - 4096), -ENOMEM);
  EXPECT_GT(map(512 << 10), 0);
  EXPECT_GT(map(512 << 10), 0);
  EXPECT_EQ(map(4096), -ENOMEM);
}

TEST(Limits, MappedDeviceMemoryThatComesBack) {
  constexpr std::size_t piece = 2 << 20;
  limited_kernel k({.mapped_bytes_max = 2 * piece});
  const auto map = [&](std::size_t bytes) {
    return k.call(SYS_mmap,
                  {0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | genesys::map_device, -1, 0});
  };
  const long first = map(2 * piece);
  ASSERT_GT(first, 0);
  EXPECT_EQ(map(piece), -ENOMEM);
  EXPECT_EQ(k.call(SYS_madvise, {first, piece, MADV_DONTNEED}), 0);
  const long second = map(piece);
  ASSERT_GT(second, 0);
  EXPECT_EQ(k.call(SYS_madvise, {first, 2 * piece, MADV_POPULATE_WRITE}), -ENOMEM);
  EXPECT_EQ(k.call(SYS_munmap, {second, piece}), 0);
  EXPECT_EQ(k.call(SYS_madvise, {first, 2 * piece, MADV_POPULATE_WRITE}), 0);
  EXPECT_EQ(map(piece), -ENOMEM);
}

struct ask_often {
  GENESYS_KERNEL void operator()(genesys::os os, int times, long* made) const {
    for (int i = 0; i < times; ++i) *made += os.getpid() != -EAGAIN;
  }
};

TEST(Limits, CallsPerSecond) {
  limited_kernel k({.calls_per_second = 1000});
  in_arena<long> made(k.rt(), 1);
  made[0] = 0;
  const auto begin = std::chrono::steady_clock::now();
  play(k.rt(), {}, ask_often{}, 20000, made.get());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_GT(made[0], 0);
  EXPECT_LE(made[0], static_cast<long>(1000 * (seconds + 0.1)));  // unused calls of a second do not add up
  EXPECT_LT(made[0], 20000);
}

TEST(Limits, FromTheRules) {
  limited_kernel k({.policy_rules = "limit descriptors 1\nlimit mapped 64K", .descriptors_max = 10});
  EXPECT_GE(k.call(SYS_dup, {0}), 0);
  EXPECT_EQ(k.call(SYS_dup, {0}), -EMFILE);
  EXPECT_EQ(k.call(SYS_mmap, {0, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0}), -ENOMEM);
}

TEST(Denied, IsCountedAndReported) {
  limited_kernel k({.policy_rules = "deny call getppid uname"});
  EXPECT_EQ(k.call(SYS_getppid, {}), -EPERM);
  EXPECT_EQ(k.call(SYS_getppid, {}), -EPERM);
  EXPECT_EQ(k.call(SYS_uname, {0}), -EPERM);
  EXPECT_GT(k.call(SYS_getpid, {}), 0);
  EXPECT_EQ(k.rt().stats().denied, (std::map<std::string, std::uint64_t>{{"getppid", 2}, {"uname", 1}}));
  std::ostringstream report;
  k.rt().report(report);
  EXPECT_NE(report.str().find("denied by policy all with rules of the program's: getppid 2 uname 1"), std::string::npos)
      << report.str();
}

// --- Whatever the policy.

TEST(Protected, SignalsOfTheCLibrary) {
  limited_kernel k({});
  in_arena<u8> info(k.rt(), 128);
  std::memset(info.get(), 0xff, 128);  // si_code SI_QUEUE
  for (const int signal : {32, 33}) {
    EXPECT_EQ(k.call(SYS_kill, {::getpid(), signal}), -EINVAL);
    EXPECT_EQ(k.call(SYS_tgkill, {::getpid(), ::getpid(), signal}), -EINVAL);
    EXPECT_EQ(k.call(SYS_tkill, {::getpid(), 0x7'0000'0000 | signal}), -EINVAL);
    EXPECT_EQ(k.call(SYS_rt_sigqueueinfo, {::getpid(), signal, info.get()}), -EINVAL);
  }
  EXPECT_EQ(k.call(SYS_kill, {::getpid(), 0}), 0);
}

TEST(Protected, TheRuntimesDescriptors) {
  limited_kernel k({});
  const int own = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  int seen = 0;
  for (int fd = 3; fd < own; ++fd) {
    std::error_code none;
    const std::string link = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), none);
    if (link.find("eventpoll") == std::string::npos && link.find("/dev/nvidia") == std::string::npos) continue;
    ++seen;
    EXPECT_EQ(k.call(SYS_close, {fd}), -EBADF) << link;
    EXPECT_EQ(k.call(SYS_dup2, {own, fd}), -EBADF) << link;
    EXPECT_EQ(k.call(SYS_dup, {fd}), -EBADF) << link;
  }
  EXPECT_GT(seen, 0);
#ifdef SYS_pidfd_open
  const long pidfd = k.call(SYS_pidfd_open, {::getpid(), 0});
  if (pidfd >= 0) {
    EXPECT_GE(k.call(SYS_pidfd_getfd, {pidfd, own, 0}), 0);
    EXPECT_EQ(k.call(SYS_close, {pidfd}), 0);
  }
#endif
  ::close(own);
}

TEST(Protected, ANumberThatNoTableHas) {
  limited_kernel k({});
  in_arena<u8> buffer(k.rt(), 64);
  for (const long number : {470L, 500L, 1023L, 3000L, 0x4000'0000L + SYS_getpid})
    EXPECT_EQ(k.call(number, {buffer.get(), buffer.get(), buffer.get()}), -ENOSYS) << number;
}

}  // namespace
}  // namespace contract
