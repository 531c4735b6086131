// SPDX-License-Identifier: Apache-2.0
// The calls that Linux itself denies to threads that serve kernels, if all earlier checks fail: the tests make native
// calls on a confined thread.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <thread>

#include "policy/confine.h"

namespace genesys::detail {
namespace {

// Runs on a thread of its own, since confinement is permanent. Returns 0, a value, or -errno.
long made(const policy& rules, const std::function<long()>& call) {
  long said = 0;
  std::thread([&] {
    confine_this_thread(rules);
    errno = 0;
    said = call();
    if (said == -1) said = -errno;
  }).join();
  return said;
}

TEST(Confinement, ByNumber) {
  const policy io(read_rules("io", ""), {});
  EXPECT_GT(made(io, [] { return ::syscall(SYS_getppid); }), 0);
  EXPECT_EQ(made(io, [] { return ::syscall(SYS_kill, ::getpid(), 0); }), -EPERM);
  EXPECT_EQ(made(io, [] { return ::syscall(SYS_setuid, 0); }), -EPERM);
  EXPECT_EQ(made(io, [] { return ::syscall(SYS_mount, 0, 0, 0, 0, 0); }), -EPERM);
  EXPECT_EQ(made(io, [] { return ::syscall(SYS_execve, "/bin/true", 0, 0); }), -EPERM);
  EXPECT_EQ(made(io, [] { return ::syscall(SYS_ptrace, 0, 0, 0, 0); }), -EPERM);
  EXPECT_EQ(made(io, [] { return ::syscall(SYS_io_uring_setup, 8, 0); }), -EPERM);
  EXPECT_EQ(made(io, [] { return ::syscall(SYS_shmget, 0, 4096, 0600); }), -EPERM);
  EXPECT_EQ(made(io, [] { return ::syscall(4000); }), -ENOSYS);
#if defined(__x86_64__)
  EXPECT_EQ(made(io, [] { return ::syscall(0x40000000 + SYS_getppid); }), -ENOSYS);  // through the x32 interface
#endif
  const policy without(read_rules("all", "deny call getppid"), {});
  EXPECT_EQ(made(without, [] { return ::syscall(SYS_getppid); }), -EPERM);
  EXPECT_EQ(made(without, [] { return ::syscall(SYS_kill, ::getpid(), 0); }), 0);
  const policy all(read_rules("all", ""), {});
  EXPECT_EQ(made(all, [] { return ::syscall(SYS_kill, ::getpid(), 0); }), 0);
}

TEST(Confinement, ByPath) {
  if (confinement_there().find("Landlock;") != std::string::npos ||
      confinement_there().find("no Landlock") != std::string::npos)
    GTEST_SKIP() << "there is " << confinement_there();
  const std::string in = testing::TempDir() + "genesys-confined", out = testing::TempDir() + "genesys-elsewhere";
  std::filesystem::create_directories(in);
  std::filesystem::create_directories(out);
  ::close(::open((out + "/file").c_str(), O_WRONLY | O_CREAT, 0600));
  const policy rules(read_rules("io", "allow path " + in), {});
  EXPECT_GE(made(rules, [&] { return ::close(::open((in + "/file").c_str(), O_RDWR | O_CREAT, 0600)); }), 0);
  EXPECT_EQ(made(rules, [&] { return ::open((out + "/file").c_str(), O_RDONLY); }), -EACCES);
  EXPECT_EQ(made(rules, [&] { return ::unlink((out + "/file").c_str()); }), -EACCES);
  EXPECT_EQ(made(rules, [&] { return ::link((out + "/file").c_str(), (in + "/mine").c_str()); }), -EXDEV);
  EXPECT_EQ(made(rules, [&] { return ::truncate((out + "/file").c_str(), 0); }), -EACCES);
  EXPECT_EQ(made(rules, [&] { return ::mkfifo((out + "/fifo").c_str(), 0600); }), -EPERM);  // io lacks the call
  const policy anywhere(read_rules("io", ""), {});
  EXPECT_GE(made(anywhere, [&] { return ::close(::open((out + "/file").c_str(), O_RDWR)); }), 0);
  std::filesystem::remove_all(in);
  std::filesystem::remove_all(out);
}

TEST(Confinement, WhatTheThreadsStartInheritsIt) {
  const policy io(read_rules("io", "allow call sched_setscheduler"), {});  // a thread of its own makes this call
  EXPECT_EQ(made(io,
                 [] {
                   int wrong = 0;
                   std::thread([&] { wrong = ::syscall(SYS_kill, ::getpid(), 0) == -1 ? errno : 0; }).join();
                   return wrong;
                 }),
            EPERM);
}

}  // namespace
}  // namespace genesys::detail
