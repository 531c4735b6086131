// SPDX-License-Identifier: Apache-2.0
#include "policy/policy.h"

#include <sys/syscall.h>

namespace genesys::detail {
namespace {

// Each of these acts on the OS thread or the process that makes it, which is not the caller's.
constexpr u32 refused_numbers[] = {
    SYS_exit,           SYS_exit_group,      SYS_clone,           SYS_clone3,
    SYS_execve,         SYS_execveat,        SYS_rt_sigreturn,    SYS_unshare,
    SYS_setns,          SYS_set_tid_address, SYS_set_robust_list, SYS_rseq,
    SYS_prctl,          SYS_seccomp,         SYS_setuid,          SYS_setgid,
    SYS_setreuid,       SYS_setregid,        SYS_setresuid,       SYS_setresgid,
    SYS_setfsuid,       SYS_setfsgid,        SYS_setgroups,       SYS_capset,
    SYS_rt_sigprocmask, SYS_sigaltstack,     SYS_rt_sigsuspend,   SYS_close_range,
    SYS_personality,
#if defined(__x86_64__)
    SYS_fork,           SYS_vfork,           SYS_arch_prctl,      SYS_iopl,
    SYS_ioperm,         SYS_modify_ldt,
#endif
};

struct refused_set {
  u64 words[16] = {};
};
constexpr refused_set refused = [] {
  refused_set set;
  for (const u32 number : refused_numbers) set.words[number / 64] |= u64{1} << number % 64;
  return set;
}();

}  // namespace

bool policy::refuses(u32 number) { return number < 1024 && ((refused.words[number / 64] >> number % 64) & 1) != 0; }

void policy::protect(int fd) {
  if (fd >= 0 && static_cast<u32>(fd) < descriptors_max)
    words_[fd / 64].fetch_or(u64{1} << fd % 64, std::memory_order_relaxed);
}

void policy::release(int fd) {
  if (fd >= 0 && static_cast<u32>(fd) < descriptors_max)
    words_[fd / 64].fetch_and(~(u64{1} << fd % 64), std::memory_order_relaxed);
}

}  // namespace genesys::detail
