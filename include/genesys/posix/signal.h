// SPDX-License-Identifier: Apache-2.0
// POSIX <signal.h>: signals to processes, as in the manual pages (section 2), for kernels. Each function is there
// twice: with the calls of a scope as its first argument (`os`, or os.on(genesys::block())), and without it for each
// thread, where a library is bound. The threads of the scope call it, and all get the result: -1, with errno, after an
// error.
#pragma once

#include <signal.h>

#include "genesys/posix/library.h"

namespace genesys::posix {

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int kill(const Calls& calls, pid_t process, int signal) {
  return detail::libc::result_of(calls.kill(process, signal));
}
GENESYS_KERNEL_OUTLINE inline int kill(pid_t process, int signal) {
  return kill(detail::libc::ambient(), process, signal);
}

// A signal to this process. raise(3).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int raise(const Calls& calls, int signal) {
  return detail::libc::result_of(calls.kill(static_cast<int>(calls.getpid()), signal));
}
GENESYS_KERNEL_OUTLINE inline int raise(int signal) { return raise(detail::libc::ambient(), signal); }

// A signal with a value. sigqueue(3).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int sigqueue(const Calls& calls, pid_t process, int signal, union sigval value) {
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = SI_QUEUE;
  info.si_pid = static_cast<pid_t>(calls.getpid());
  info.si_uid = static_cast<uid_t>(calls.getuid());
  info.si_value = value;
  return detail::libc::result_of(calls.rt_sigqueueinfo(process, signal, &info));
}
GENESYS_KERNEL_OUTLINE inline int sigqueue(pid_t process, int signal, union sigval value) {
  return sigqueue(detail::libc::ambient(), process, signal, value);
}

}  // namespace genesys::posix

namespace genesys::detail::libc {

// Whether a program may put the signal into a set: 32 and 33 are the host's C library's own.
GENESYS_KERNEL bool may_be_in_set(int signal) { return signal >= 1 && signal <= 64 && signal != 32 && signal != 33; }

}  // namespace genesys::detail::libc

namespace genesys::posix {

// Sets of signals, as in sigsetops(3).
GENESYS_KERNEL int sigemptyset(sigset_t* set) {
  *set = {};
  return 0;
}
GENESYS_KERNEL int sigfillset(sigset_t* set) {
  detail::libc::fill_bytes(reinterpret_cast<unsigned char*>(set), 0xff, sizeof *set);
  reinterpret_cast<unsigned char*>(set)[3] &= 0x7f;  // without signal 32
  reinterpret_cast<unsigned char*>(set)[4] &= 0xfe;  // without signal 33
  return 0;
}
GENESYS_KERNEL int sigaddset(sigset_t* set, int signal) {
  if (!detail::libc::may_be_in_set(signal)) return detail::libc::set_errno(EINVAL), -1;
  reinterpret_cast<unsigned char*>(set)[(signal - 1) / 8] |= static_cast<unsigned char>(1 << (signal - 1) % 8);
  return 0;
}
GENESYS_KERNEL int sigdelset(sigset_t* set, int signal) {
  if (!detail::libc::may_be_in_set(signal)) return detail::libc::set_errno(EINVAL), -1;
  reinterpret_cast<unsigned char*>(set)[(signal - 1) / 8] &= static_cast<unsigned char>(~(1 << (signal - 1) % 8));
  return 0;
}
GENESYS_KERNEL int sigismember(const sigset_t* set, int signal) {
  if (signal < 1 || signal > 64) return detail::libc::set_errno(EINVAL), -1;
  return reinterpret_cast<const unsigned char*>(set)[(signal - 1) / 8] >> (signal - 1) % 8 & 1;
}

}  // namespace genesys::posix
