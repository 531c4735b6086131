// SPDX-License-Identifier: Apache-2.0
// The policy checks an object, and then it changes before Linux sees it: a path, a folder on the way, an entry of a
// list, a descriptor in a message. A host thread changes it while a kernel makes calls. Everything that the kernel gets
// must be from inside.
#include <sys/socket.h>

#include <atomic>
#include <cstdlib>
#include <functional>

#include "jail.h"

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

namespace attack {

using namespace contract;

namespace {

const int tries = sanitized ? 300 : std::getenv("GENESYS_TEST_FULL") != nullptr ? 2000 : 500;

// Calls `change` again and again until its destructor runs.
class meanwhile {
 public:
  explicit meanwhile(std::function<void(unsigned)> change)
      : thread_([this, change = std::move(change)] {
          for (unsigned i = 0; !done_.load(std::memory_order_relaxed); ++i) change(i);
        }) {}
  ~meanwhile() {
    done_.store(true, std::memory_order_relaxed);
    thread_.join();
  }

 private:
  std::atomic<bool> done_{false};
  std::thread thread_;
};

// Stores byte by byte and atomically, since others may read meanwhile.
void overwrite(void* at, const void* with, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    std::atomic_ref<u8>(static_cast<u8*>(at)[i]).store(static_cast<const u8*>(with)[i], std::memory_order_relaxed);
  }
}

struct counts {
  long opened, refused, leaked, other;
};

GENESYS_KERNEL void judge(counts* seen, char first) {
  ++seen->opened;
  if (first != 'i') ++seen->leaked;
}
GENESYS_KERNEL void refused(counts* seen, long value) {
  if (value == -EPERM || value == -EFAULT || value == -EBADF) {
    ++seen->refused;
  } else {
    ++seen->other;
  }
}

struct open_and_read {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, int times, counts* seen) const {
    for (int i = 0; i < times; ++i) {
      const long fd = os.openat(AT_FDCWD, path, O_RDONLY);
      if (fd < 0) {
        refused(seen, fd);
        continue;
      }
      char first = 0;
      os.read(static_cast<int>(fd), &first, 1);
      judge(seen, first);
      os.close(static_cast<int>(fd));
    }
  }
};

void expect_no_leak(const counts& seen) {
  EXPECT_EQ(seen.leaked, 0);
  EXPECT_EQ(seen.opened + seen.refused + seen.other, tries);
  EXPECT_GT(seen.opened, 0);
  std::cout << "  " << seen.opened << " opened, " << seen.refused << " refused, " << seen.other << " other errors\n";
}

TEST(EscapeRace, APathThatChanges) {
  jail j("allow path INSIDE");
  const std::string good = j.inside("file"), bad = j.outside("secret");
  ASSERT_EQ(std::filesystem::path(good).parent_path().string().size(),
            std::filesystem::path(bad).parent_path().string().size());
  auto* path = j.bytes(256).get();
  std::memcpy(path, good.c_str(), good.size() + 1);
  auto* seen = j.object(counts{});
  {
    const meanwhile changing([&](unsigned i) {
      const std::string& now = i % 2 == 0 ? bad : good;
      overwrite(path, now.c_str(), now.size() + 1);
    });
    play(j.rt(), {}, open_and_read{}, reinterpret_cast<const char*>(path), tries, seen);
  }
  expect_no_leak(*seen);
}

TEST(EscapeRace, AFolderThatBecomesALink) {
  jail j("allow path INSIDE");
  const std::string in = j.in().path();
  std::filesystem::create_directory(in + "/way");
  {
    const int fd = ::open((in + "/way/secret").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ASSERT_EQ(::write(fd, "inside", 6), 6);
    ::close(fd);
  }
  ASSERT_EQ(::symlinkat(j.out().path().c_str(), j.in().fd(), "link"), 0);
  auto* seen = j.object(counts{});
  {
    const meanwhile changing(
        [&](unsigned) { ::syscall(SYS_renameat2, j.in().fd(), "way", j.in().fd(), "link", RENAME_EXCHANGE); });
    play(j.rt(), {}, open_and_read{}, j.inside("way/secret"), tries, seen);
  }
  expect_no_leak(*seen);
}

struct write_and_look {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, const iovec* piece, int times, counts* seen) const {
    for (int i = 0; i < times; ++i) {
      const long n = os.pwritev(fd, piece, 1, 0);
      if (n < 0) {
        refused(seen, n);
        continue;
      }
      char first = 0;
      os.pread64(fd, &first, 1, 0);
      judge(seen, first);
    }
  }
};

TEST(EscapeRace, AnEntryThatChanges) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a race on purpose";
#endif
  char of_host[] = "secret of the host's";
  jail j("allow path INSIDE");
  const long fd = j.call(SYS_openat, {AT_FDCWD, j.inside("file"), O_RDWR, 0});
  ASSERT_GE(fd, 0);
  const char* own = j.text("inside");
  auto* piece = j.object(iovec{const_cast<char*>(own), 6});
  auto* seen = j.object(counts{});
  {
    const meanwhile changing([&](unsigned i) {
      void* const base = const_cast<char*>(i % 2 == 0 ? of_host : own);
      std::atomic_ref<void*>(piece->iov_base).store(base, std::memory_order_relaxed);
    });
    play(j.rt(), {}, write_and_look{}, static_cast<int>(fd), static_cast<const iovec*>(piece), tries, seen);
  }
  expect_no_leak(*seen);
}

struct send_and_read {
  GENESYS_KERNEL void operator()(genesys::os os, int to, int from, msghdr* out, msghdr* in, int times,
                                 counts* seen) const {
    for (int i = 0; i < times; ++i) {
      const long n = os.sendmsg(to, out);
      if (n < 0) {
        refused(seen, n);
        continue;
      }
      os.recvmsg(from, in);
      int fd;
      std::memcpy(&fd, static_cast<const char*>(in->msg_control) + CMSG_LEN(0), sizeof fd);
      char first = 0;
      os.pread64(fd, &first, 1, 0);
      judge(seen, first);
      os.close(fd);
    }
  }
};

TEST(EscapeRace, ADescriptorThatChanges) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a race on purpose";
#endif
  jail j("allow path INSIDE");
  const int secret = ::open(j.outside("secret"), O_RDONLY | O_CLOEXEC);
  const int own = static_cast<int>(j.call(SYS_openat, {AT_FDCWD, j.inside("file"), O_RDONLY, 0}));
  auto* ends = j.object(std::array<int, 2>{});
  ASSERT_EQ(j.call(SYS_socketpair, {AF_UNIX, SOCK_DGRAM, 0, ends}), 0);
  const auto message_with = [&](u8* control) {
    msghdr message{};
    message.msg_iov = j.object(iovec{const_cast<char*>(j.text("x")), 1});
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(sizeof own);
    return j.object(message);
  };
  u8* control = j.bytes(CMSG_SPACE(sizeof own)).get();
  const cmsghdr head{.cmsg_len = CMSG_LEN(sizeof own), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  std::memcpy(control, &head, sizeof head);
  std::memcpy(control + CMSG_LEN(0), &own, sizeof own);
  auto* seen = j.object(counts{});
  {
    const meanwhile changing([&](unsigned i) {
      auto* fd = reinterpret_cast<int*>(control + CMSG_LEN(0));
      std::atomic_ref<int>(*fd).store(i % 2 == 0 ? secret : own, std::memory_order_relaxed);
    });
    play(j.rt(), {}, send_and_read{}, (*ends)[0], (*ends)[1], message_with(control),
         message_with(j.bytes(CMSG_SPACE(sizeof own)).get()), tries, seen);
  }
  expect_no_leak(*seen);
  ::close(secret);
}

}  // namespace
}  // namespace attack
