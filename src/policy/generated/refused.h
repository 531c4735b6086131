// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys by tools/gen/main.py; not to be edited. Calls of the classes `hardware` and `unsupported`.
// Included by src/policy/policy.cpp only.
#pragma once

#include "genesys/detail/generated/numbers.h"

namespace genesys::detail {

inline constexpr std::uint16_t refused_numbers[] = {
#if defined(__x86_64__)
    number::setuid,
    number::setgid,
    number::setreuid,
    number::setregid,
    number::setresuid,
    number::setresgid,
    number::setfsuid,
    number::setfsgid,
    number::setgroups,
    number::capset,
    number::seccomp,
    number::close_range,
    number::exit,
    number::exit_group,
    number::fork,
    number::vfork,
    number::clone,
    number::clone3,
    number::execve,
    number::execveat,
    number::unshare,
    number::setns,
    number::set_tid_address,
    number::set_robust_list,
    number::rseq,
    number::prctl,
    number::arch_prctl,
    number::personality,
    number::modify_ldt,
    number::iopl,
    number::ioperm,
    number::rt_sigreturn,
    number::rt_sigprocmask,
    number::rt_sigsuspend,
    number::sigaltstack,
#elif defined(__aarch64__)
    number::setuid,
    number::setgid,
    number::setreuid,
    number::setregid,
    number::setresuid,
    number::setresgid,
    number::setfsuid,
    number::setfsgid,
    number::setgroups,
    number::capset,
    number::seccomp,
    number::close_range,
    number::exit,
    number::exit_group,
    number::clone,
    number::clone3,
    number::execve,
    number::execveat,
    number::unshare,
    number::setns,
    number::set_tid_address,
    number::set_robust_list,
    number::rseq,
    number::prctl,
    number::personality,
    number::rt_sigreturn,
    number::rt_sigprocmask,
    number::rt_sigsuspend,
    number::sigaltstack,
#else
#error "genesys knows the system calls of x86-64 and arm64 only"
#endif
};

}  // namespace genesys::detail
