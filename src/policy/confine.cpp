// SPDX-License-Identifier: Apache-2.0
#include "policy/confine.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <vector>

#include "genesys/error.h"

namespace genesys::detail {
namespace {

[[noreturn]] void fail(const char* what) {
  throw error(error_code::system, std::string(what) + " for a thread that serves kernels: " + std::strerror(errno));
}

// --- seccomp.

#if defined(__x86_64__)
constexpr u32 architecture = AUDIT_ARCH_X86_64;
#else
constexpr u32 architecture = AUDIT_ARCH_AARCH64;
#endif

// What a serving thread needs for itself, the C library and the driver included.
constexpr long own_calls[] = {
#ifdef SYS_open
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_poll,
    SYS_getdents,
    SYS_pipe,
    SYS_epoll_wait,
#endif
    SYS_brk,
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_pkey_mprotect,
    SYS_madvise,
    SYS_mlock,
    SYS_munlock,
    SYS_msync,
    SYS_mincore,
    SYS_mbind,
    SYS_get_mempolicy,
    SYS_set_mempolicy,
    SYS_membarrier,
    SYS_futex,
    SYS_timerfd_settime,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_exit,
    SYS_exit_group,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigaction,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_gettid,
    SYS_getpid,
    SYS_tgkill,
    SYS_getuid,
    SYS_geteuid,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_getcpu,
    SYS_clock_gettime,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_ppoll,
    SYS_eventfd2,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_lseek,
    SYS_close,
    SYS_fcntl,
    SYS_dup,
    SYS_ioctl,
    SYS_openat,
    SYS_openat2,
    SYS_newfstatat,
    SYS_fstat,
    SYS_statx,
    SYS_fstatfs,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getcwd,
    SYS_getsockopt,
    SYS_memfd_create,
    SYS_ftruncate,
    SYS_pipe2,
    SYS_prctl,
    SYS_uname,
    SYS_sysinfo,
    SYS_getrandom,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_socket,
    SYS_connect,
    SYS_sendmsg,
    SYS_recvmsg,
    SYS_shmat,
    SYS_shmdt,
    SYS_shmctl,
};
// For calls that a thread of its own makes.
constexpr long thread_calls[] = {SYS_clone, SYS_clone3};

std::bitset<number::limit> calls_let_through(const policy& rules, ring_access rings) {
  std::bitset<number::limit> let;
  bool threads = false;
  for (const call_plan& plan : plans) {
    if (!rules.allows(plan) || plan.number >= number::limit) continue;
    if (plan.number == number::execve) continue;  // another thread starts programs (program_starter.h)
    let.set(plan.number);
    if (plan.number == number::read) let.set(number::preadv2);  // the same without waiting
    threads = threads || plan.own_thread || plan.all_threads;
  }
  for (const long own : own_calls) let.set(static_cast<std::size_t>(own));
  if (rings == ring_access::grants_files) let.set(SYS_io_uring_register);
  if (rings == ring_access::enters) {
    let.set(SYS_io_uring_enter);
    let.set(number::preadv2);  // pread64 without waiting
  }
  if (threads) {
    for (const long own : thread_calls) let.set(static_cast<std::size_t>(own));
  }
  return let;
}

constexpr sock_filter statement(u32 code, u32 value) { return {static_cast<__u16>(code), 0, 0, value}; }
constexpr sock_filter jump(u32 test, u32 value, unsigned yes, unsigned no) {
  return {static_cast<__u16>(BPF_JMP | test | BPF_K), static_cast<__u8>(yes), static_cast<__u8>(no), value};
}

// The filter tests runs of numbers that are let through, or not. Linux caches which numbers are, so a call costs the
// same whichever it is.
std::vector<sock_filter> filter_for(const policy& rules, ring_access rings) {
  constexpr u32 denied = SECCOMP_RET_ERRNO | EPERM, unknown = SECCOMP_RET_ERRNO | ENOSYS;
  const auto let = calls_let_through(rules, rings);
  std::vector<sock_filter> filter = {
      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      jump(BPF_JEQ, architecture, 1, 0),
      statement(BPF_RET | BPF_K, denied),
      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  for (u32 begin = 0; begin < number::limit;) {
    u32 end = begin + 1;
    while (end < number::limit && let[end] == let[begin]) ++end;
    filter.push_back(jump(BPF_JGE, end, 1, 0));  // numbers from `begin` on, below `end`
    filter.push_back(statement(BPF_RET | BPF_K, let[begin] ? u32{SECCOMP_RET_ALLOW} : denied));
    begin = end;
  }
  filter.push_back(statement(BPF_RET | BPF_K, unknown));
  return filter;
}

bool has_seccomp() { return ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0; }

void restrict_calls(const policy& rules, ring_access rings) {
  std::vector<sock_filter> filter = filter_for(rules, rings);
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) fail("seccomp");
}

// --- Landlock. The header of an older system lacks what newer kernels have.

struct ruleset {
  u64 files, network, scope;
};
struct [[gnu::packed]] beneath {
  u64 files;
  int directory;
};
constexpr u64 execute = 1, make_char = u64{1} << 6, make_block = u64{1} << 11, refer = u64{1} << 13,
              truncate = u64{1} << 14, first_version = refer - 1;
constexpr u64 scope_abstract_sockets = 1, scope_signals = 2;
constexpr u32 of_version = 1, path_beneath = 1;

long landlock_version() { return ::syscall(number::landlock_create_ruleset, nullptr, std::size_t{0}, of_version); }

u64 rights_known(long version) { return first_version | (version >= 2 ? refer : 0) | (version >= 3 ? truncate : 0); }

void restrict_files(const policy& rules) {
  const long version = landlock_version();
  if (version < 1) return;
  const u64 known = rights_known(version), never = (execute | make_char | make_block) & known;
  const bool by_path = !rules.chosen().paths.empty();
  ruleset asked{};
  if (by_path) asked.files = known;
  if (rules.chosen().plain_files) {
    asked.files |= never;
    asked.scope = version >= 6 ? scope_abstract_sockets | scope_signals : 0;
  }
  if (asked.files == 0) return;
  const std::size_t size = version >= 6   ? sizeof asked
                           : version >= 4 ? offsetof(ruleset, scope)
                                          : offsetof(ruleset, network);
  const own_descriptor set(static_cast<int>(::syscall(number::landlock_create_ruleset, &asked, size, 0)));
  if (set.get() < 0) fail("landlock_create_ruleset");
  for (const path_root& root : rules.roots()) {
    const beneath rule{rules.chosen().plain_files ? asked.files & ~never : asked.files, root.fd.get()};
    if (rule.files != 0 && ::syscall(number::landlock_add_rule, set.get(), path_beneath, &rule, 0) != 0)
      fail("landlock_add_rule");
  }
  if (::syscall(number::landlock_restrict_self, set.get(), 0) != 0) fail("landlock_restrict_self");
}

}  // namespace

void confine_this_thread(const policy& rules, ring_access rings) {
  if (!rules.chosen().deny_anything()) return;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("no_new_privs");
  restrict_files(rules);
  if (has_seccomp()) restrict_calls(rules, rings);
}

std::string confinement_there() {
  const bool landlock = landlock_version() >= 1;
  if (has_seccomp()) return landlock ? "seccomp and Landlock" : "seccomp; this kernel has no Landlock";
  return landlock ? "Landlock; this kernel has no seccomp" : "nothing: this kernel has neither seccomp nor Landlock";
}

}  // namespace genesys::detail
