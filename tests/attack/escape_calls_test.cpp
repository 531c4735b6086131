// SPDX-License-Identifier: Apache-2.0
// Ways out of a policy by other calls: processes, signals, memory, and Linux itself.
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <array>
#include <thread>

#include "escapes.h"

namespace attack {
namespace {

const escape by_call[] = {
    {"Signals",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_kill, {::getpid(), 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_tkill, {::getpid(), 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_tgkill, {::getpid(), ::getpid(), 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_rt_sigqueueinfo, {::getpid(), 0, j.bytes(128).get()}), -EPERM);
       EXPECT_EQ(j.call(SYS_fcntl, {0, F_SETOWN, ::getpid()}), -EPERM);
       EXPECT_EQ(j.call(SYS_timer_create, {CLOCK_REALTIME, 0, j.bytes(8).get()}), -EPERM);
     }},
    {"Processes",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_fork, {}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_clone, {0, 0, 0, 0, 0}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_execve, {j.text("/bin/true"), 0, 0}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_exit_group, {1}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_ptrace, {16, ::getppid(), 0, 0}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_pidfd_open, {::getpid(), 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_prlimit64, {0, RLIMIT_NOFILE, 0, j.bytes(16).get()}), -EPERM);
       EXPECT_EQ(j.call(SYS_setpriority, {PRIO_PROCESS, 0, 5}), -EPERM);
       EXPECT_EQ(j.call(SYS_sched_setaffinity, {0, 8, j.bytes(8).get()}), -EPERM);
     }},
    {"Identity",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_setuid, {1}), -EPERM);
       EXPECT_EQ(j.call(SYS_setgroups, {0, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_capset, {j.bytes(16).get(), j.bytes(24).get()}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_unshare, {CLONE_NEWNS}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_setns, {0, 0}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_prctl, {38, 1, 0, 0, 0}), -EOPNOTSUPP);
     }},
    {"MemoryOfProcesses",
     [](jail& j) {
       const auto* mine = j.object(iovec{j.bytes(64).get(), 64});
       EXPECT_EQ(j.call(SYS_process_vm_readv, {::getpid(), mine, 1, mine, 1, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_process_vm_writev, {::getppid(), mine, 1, mine, 1, 0}), -EPERM);
     }},
    {"Addresses",
     [](jail& j) {
       const auto arena = reinterpret_cast<u64>(j.bytes(4096).get()) & ~u64{4095};
       EXPECT_EQ(j.call(SYS_mremap, {arena, 4096, 8192, 1}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_mprotect, {arena, 4096, 0}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_brk, {0}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_munmap, {arena, 4096}), -EINVAL);
       EXPECT_LT(j.call(SYS_madvise, {arena, 4096, MADV_DONTNEED}), 0);
       EXPECT_EQ(j.call(SYS_mlockall, {1}), -EPERM);
       EXPECT_EQ(j.call(SYS_userfaultfd, {0}), -EPERM);
     }},
    {"PointersIntoTheHost",
     [](jail& j) {
       static const char of_host[] = "/etc/passwd";
       char stack[64] = "as it was";
       const long fd = opened(j, j.inside("file"), O_RDWR);
       ASSERT_GE(fd, 0);
       EXPECT_EQ(j.call(SYS_read, {fd, stack, 8}), -EFAULT);
       EXPECT_EQ(j.call(SYS_write, {fd, stack, 8}), -EFAULT);
       EXPECT_EQ(opened(j, of_host), -EFAULT);
       EXPECT_STREQ(stack, "as it was");
       EXPECT_EQ(j.call(SYS_readv, {fd, j.object(iovec{stack, 8}), 1}), -EFAULT);
       EXPECT_EQ(j.call(SYS_futex, {stack, 0, 0, 0, 0, 0}), -EFAULT);
     }},
    {"LengthsThatOverflow",
     [](jail& j) {
       const long fd = opened(j, j.inside("file"), O_RDWR);
       auto* buffer = j.bytes(64).get();
       const auto huge = ~std::size_t{0};
       EXPECT_LT(j.call(SYS_readv, {fd, j.object(std::array<iovec, 2>{{{buffer, huge}, {buffer, 64}}}), 2}), 0);
       EXPECT_LT(j.call(SYS_readv, {fd, j.object(std::array<iovec, 2>{{{buffer, huge / 2}, {buffer, huge / 2}}}), 2}),
                 0);
       EXPECT_LT(j.call(SYS_read, {fd, buffer, huge}), 0);
       EXPECT_LT(j.call(SYS_pread64, {fd, buffer, huge, -1}), 0);
       EXPECT_LT(j.call(SYS_readv, {fd, buffer, 1 << 30}), 0);
       EXPECT_LT(j.call(SYS_getxattr, {j.inside("file"), j.text("user.x"), buffer, huge}), 0);
       EXPECT_EQ(j.call(SYS_poll, {buffer, huge, 0}), -EINVAL);
     }},
    {"OtherWaysIn",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_io_uring_setup, {8, j.bytes(256).get()}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_io_setup, {8, j.bytes(8).get()}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_bpf, {0, j.bytes(128).get(), 128}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_perf_event_open, {j.bytes(128).get(), 0, -1, -1, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_init_module, {j.bytes(8).get(), 8, j.text("")}), -EPERM);
       EXPECT_EQ(j.call(SYS_reboot, {0, 0, 0, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_memfd_secret, {0}), -EPERM);
       EXPECT_EQ(j.call(SYS_seccomp, {0, 0, 0}), -EOPNOTSUPP);
     }},
    {"SharedMemoryAndQueues",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_shmget, {1, 4096, 0600}), -EPERM);
       EXPECT_EQ(j.call(SYS_shmat, {1, 0, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_msgget, {1, 0600}), -EPERM);
       EXPECT_EQ(j.call(SYS_semget, {1, 1, 0600}), -EPERM);
       EXPECT_EQ(j.call(SYS_mq_open, {j.text("x"), O_RDWR, 0, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_add_key, {j.text("user"), j.text("x"), 0, 0, -3}), -EPERM);
     }},
    {"Sleeping",  // a permitted case: waiting calls need threads of the host's, which confined threads cannot start
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_nanosleep, {j.object(timespec{0, 1'000'000}), 0}), 0);
       auto* ends = j.object(std::array<int, 2>{});
       ASSERT_EQ(j.call(SYS_pipe2, {ends, 0}), 0);
       std::thread writer([end = (*ends)[1]] {
         std::this_thread::sleep_for(std::chrono::milliseconds(20));
         EXPECT_EQ(::write(end, "late", 4), 4);
       });
       EXPECT_EQ(j.read((*ends)[0]), "late");
       writer.join();
     }},
    {"RequestsThatNobodyKnows",
     [](jail& j) {
       const long fd = opened(j, j.inside("file"), O_RDWR);
       EXPECT_EQ(j.call(SYS_ioctl, {fd, TIOCSTI, j.text("x")}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_ioctl, {fd, 0x5452'0000, 0x1000}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_fcntl, {fd, 4711, 0x1000}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(700, {fd, 0x1000}), -ENOSYS);
       EXPECT_EQ(j.call(0x4000'0000 + SYS_read, {fd, 0x1000, 8}), -ENOSYS);
     }},
};

class ByCall : public Escapes {};
TEST_P(ByCall, IsRefused) { try_out("allow path INSIDE"); }
INSTANTIATE_TEST_SUITE_P(Escape, ByCall, testing::ValuesIn(by_call), name_of);

}  // namespace
}  // namespace attack
