// SPDX-License-Identifier: Apache-2.0
// Every descriptor that a runtime opens is closed for kernels: each call on it gives -EBADF, and the descriptor stays
// what it is. The test finds them in /proc/self/fd, so a new descriptor without protection fails here.
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <map>

#include "jail.h"

namespace attack {
namespace {

// What /proc says of one descriptor.
struct seen {
  std::string link;
  int flags, status;
  bool operator==(const seen&) const = default;
};

std::map<int, seen> open_now() {
  std::map<int, seen> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code closed;
    const std::string link = std::filesystem::read_symlink(entry.path(), closed);
    const int fd = std::stoi(entry.path().filename());
    const bool is_looks_own = link.starts_with("/proc/") && link.ends_with("/fd");
    if (!closed && !is_looks_own) all[fd] = {link, ::fcntl(fd, F_GETFD), ::fcntl(fd, F_GETFL)};
  }
  return all;
}

// Before the first runtime of the process.
const std::map<int, seen> open_at_start = open_now();

// A runtime, a kernel's world, and all descriptors that came with it.
class guarded {
 public:
  explicit guarded(genesys::executor_kind by)
      : before_(open_now()),
        rt_({.executor = by, .workers = 2, .arena_bytes = 1 << 20, .bounce_bytes = 16 << 20}),
        call_(rt_),
        room_(rt_, 256) {
    const timespec short_time{0, 1000};
    std::memcpy(room_.get(), &short_time, sizeof short_time);
    EXPECT_EQ(call_(SYS_nanosleep, {room_.get(), 0}), 0);  // all descriptors that are opened late are open now
    after_ = open_now();
    for (const auto& [fd, what] : after_) {
      if (is_runtimes(fd, what)) own_.push_back(fd);
    }
  }

  runtime& rt() { return rt_; }
  const std::vector<int>& own() const { return own_; }
  const std::string& link(int fd) { return after_.at(fd).link; }
  void* room() { return std::memset(room_.get(), 0, 256); }
  long call(long number, std::initializer_list<word> args) { return call_(number, args); }
  void expect_unchanged() {
    const auto now = open_now();
    for (const int fd : own_) {
      ASSERT_TRUE(now.contains(fd)) << fd << " " << link(fd) << " is closed";
      EXPECT_EQ(now.at(fd), after_.at(fd)) << fd << " " << link(fd) << " is now " << now.at(fd).link;
    }
    EXPECT_EQ(now.size(), after_.size());
    EXPECT_EQ(call_(SYS_getppid, {}), ::getppid());
  }

 private:
  // The new descriptors are protected. So are those that an earlier runtime of the process has left, because no program
  // owns them.
  bool is_runtimes(int fd, const seen& what) const {
    const bool is_new = !before_.contains(fd) || before_.at(fd).link != what.link;
    const bool is_late = !open_at_start.contains(fd) && what.link.starts_with("anon_inode:[event");
    return is_new || is_late;
  }

  std::map<int, seen> before_, after_;
  runtime rt_;
  single_calls call_;
  in_arena<u8> room_;
  std::vector<int> own_;
};

struct one_executor {
  const char* name;
  genesys::executor_kind kind;
};
void PrintTo(const one_executor& one, std::ostream* to) { *to << one.name; }

class OwnDescriptors : public testing::TestWithParam<one_executor> {
 protected:
  // The executor that was asked for, and at least parking's three descriptors and SIGQUIT's.
  void SetUp() override {
    all_ = std::make_unique<guarded>(GetParam().kind);
    if (all_->rt().describe().find(std::string("executor ") + GetParam().name) == std::string::npos)
      GTEST_SKIP() << all_->rt().describe();
    EXPECT_GE(all_->own().size(), 4u);
    const auto has = [&](const char* kind) {
      return std::any_of(all_->own().begin(), all_->own().end(),
                         [&](int fd) { return all_->link(fd) == std::string("anon_inode:") + kind; });
    };
    EXPECT_TRUE(has("[eventpoll]") && has("[timerfd]") && has("[eventfd]"));
    EXPECT_EQ(has("[io_uring]"), GetParam().kind != genesys::executor_kind::threads);
  }
  // Of each of the runtime's descriptors the call gives -EBADF.
  template <class F>
  void expect_closed(const char* what, F call) {
    for (const int fd : all_->own()) EXPECT_EQ(call(fd), -EBADF) << what << " of " << fd << " " << all_->link(fd);
  }
  guarded& k() { return *all_; }

 private:
  std::unique_ptr<guarded> all_;
};

TEST_P(OwnDescriptors, ReadsAndWrites) {
  const auto by = [&](const char* what, long number) {
    expect_closed(what, [&](int fd) { return k().call(number, {fd, k().room(), 8, 0}); });
  };
  by("read", SYS_read);
  by("write", SYS_write);
  by("pread64", SYS_pread64);
  by("pwrite64", SYS_pwrite64);
  const auto vectors = [&](const char* what, long number) {
    expect_closed(what, [&](int fd) {
      auto* const at = static_cast<iovec*>(k().room());
      *at = {at + 1, 8};
      return k().call(number, {fd, at, 1});
    });
  };
  vectors("readv", SYS_readv);
  vectors("writev", SYS_writev);
  k().expect_unchanged();
}

TEST_P(OwnDescriptors, DuplicatesOntoAndOf) {
  descriptor other(::open("/dev/null", O_RDWR | O_CLOEXEC));
  constexpr int high = 900;
  expect_closed("dup", [&](int fd) { return k().call(SYS_dup, {fd}); });
  expect_closed("dup2 of", [&](int fd) { return k().call(SYS_dup2, {fd, high}); });
  expect_closed("dup2 onto", [&](int fd) { return k().call(SYS_dup2, {other.get(), fd}); });
  expect_closed("dup3 of", [&](int fd) { return k().call(SYS_dup3, {fd, high, O_CLOEXEC}); });
  expect_closed("dup3 onto", [&](int fd) { return k().call(SYS_dup3, {other.get(), fd, O_CLOEXEC}); });
  const u64 not_seen = u64{1} << 40;  // Linux uses the low 32 bits
  expect_closed("dup2 onto", [&](int fd) { return k().call(SYS_dup2, {other.get(), not_seen | unsigned(fd)}); });
  for (const int command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_SETOWN, F_SETSIG})
    expect_closed("fcntl", [&](int fd) { return k().call(SYS_fcntl, {fd, command, 0}); });
  EXPECT_LT(::fcntl(high, F_GETFD), 0);
  EXPECT_EQ(k().call(SYS_dup2, {other.get(), other.get()}), other.get()) << "a program's own is closed, too";
  other.close();
  k().expect_unchanged();
}

TEST_P(OwnDescriptors, ClosesAndLooks) {
  expect_closed("close", [&](int fd) { return k().call(SYS_close, {fd}); });
  expect_closed("fstat", [&](int fd) { return k().call(SYS_fstat, {fd, k().room()}); });
  expect_closed("statx", [&](int fd) {
    auto* const path = static_cast<char*>(k().room());
    return k().call(SYS_statx, {fd, path, AT_EMPTY_PATH, STATX_BASIC_STATS, path + 0});
  });
  expect_closed("ioctl", [&](int fd) { return k().call(SYS_ioctl, {fd, FIONREAD, k().room()}); });
  expect_closed("lseek", [&](int fd) { return k().call(SYS_lseek, {fd, 0, SEEK_SET}); });
  expect_closed("fsync", [&](int fd) { return k().call(SYS_fsync, {fd}); });
  expect_closed("mmap", [&](int fd) { return k().call(SYS_mmap, {0, 4096, PROT_READ, MAP_SHARED, fd, 0}); });
  expect_closed("epoll_ctl", [&](int fd) { return k().call(SYS_epoll_ctl, {fd, EPOLL_CTL_ADD, 0, k().room()}); });
  expect_closed("timerfd_settime", [&](int fd) { return k().call(SYS_timerfd_settime, {fd, 0, k().room(), 0}); });
  k().expect_unchanged();
}

// Calls that name descriptors by a range, or act on a ring.
TEST_P(OwnDescriptors, CallsThatNoKernelMayMake) {
  const int least = k().own().front(), most = k().own().back();
  EXPECT_EQ(k().call(SYS_close_range, {least, most, 0}), -EOPNOTSUPP);
  for (const int fd : k().own()) {
    EXPECT_EQ(k().call(SYS_io_uring_enter, {fd, 0, 0, 0, 0, 0}), -EOPNOTSUPP);
    EXPECT_EQ(k().call(SYS_io_uring_register, {fd, 24, 0, 0}), -EOPNOTSUPP);
  }
  k().expect_unchanged();
}

TEST_P(OwnDescriptors, AreNotPassedOn) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends), 0);
  const descriptor one(ends[0]), other(ends[1]);
  expect_closed("sendmsg", [&](int fd) {
    auto* const at = static_cast<u8*>(k().room());
    auto* const letter = reinterpret_cast<msghdr*>(at);
    auto* const control = at + 128;
    const cmsghdr head{.cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    std::memcpy(control, &head, sizeof head);
    std::memcpy(control + CMSG_LEN(0), &fd, sizeof fd);
    auto* const piece = reinterpret_cast<iovec*>(at + 64);
    *piece = {at + 250, 1};
    *letter = {nullptr, 0, piece, 1, control, CMSG_SPACE(sizeof fd), 0};
    return k().call(SYS_sendmsg, {one.get(), letter, 0});
  });
  char byte;
  EXPECT_LT(::recv(other.get(), &byte, 1, MSG_DONTWAIT), 0) << "a message came";
}

#ifdef SYS_pidfd_getfd
// pidfd_open for the process, and for each of its threads.
TEST_P(OwnDescriptors, AreNotReachedThroughAPidfd) {
  constexpr int of_thread = O_EXCL;  // PIDFD_THREAD, Linux 6.9
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    const int id = std::stoi(entry.path().filename());
    const long pidfd = k().call(SYS_pidfd_open, {id, id == ::getpid() ? 0 : of_thread});
    if (pidfd == -EINVAL || pidfd == -ESRCH) continue;
    ASSERT_GE(pidfd, 0);
    expect_closed("pidfd_getfd", [&](int fd) {
      const long value = k().call(SYS_pidfd_getfd, {pidfd, fd, 0});
      // A thread that has ended meanwhile has no descriptors: then the host asks Linux, which refuses.
      const bool has_ended = ::access(("/proc/self/task/" + std::to_string(id)).c_str(), F_OK) != 0;
      return value == -ESRCH && has_ended ? -EBADF : value;
    });
    EXPECT_EQ(k().call(SYS_close, {pidfd}), 0);
  }
  k().expect_unchanged();
}
#endif

// The calling side of genesys asks the host about a descriptor that a kernel has just opened. A rogue kernel may ask
// about any descriptor.
struct claim_as_fresh {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, long* value) const {
    genesys::detail::request r{};
    r.args[0] = static_cast<u64>(fd);
    r.args[1] = 1;
    r.number = genesys::detail::internal_file;
    *value = genesys::detail::queue::submit_and_wait(os.context(), r).value;
  }
};

TEST_P(OwnDescriptors, ArentAKernelsBecauseItSaysSo) {
  in_arena<long> value(k().rt(), 1);
  for (const int fd : k().own()) {
    play(k().rt(), {}, claim_as_fresh{}, fd, value.get());
    EXPECT_EQ(value[0], -EBADF) << fd << " " << k().link(fd);
  }
  expect_closed("dup", [&](int fd) { return k().call(SYS_dup, {fd}); });
}

INSTANTIATE_TEST_SUITE_P(, OwnDescriptors,
                         testing::Values(one_executor{"threads", genesys::executor_kind::threads},
                                         one_executor{"uring", genesys::executor_kind::uring},
                                         one_executor{"direct", genesys::executor_kind::direct}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace attack
