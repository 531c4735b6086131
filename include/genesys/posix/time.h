// SPDX-License-Identifier: Apache-2.0
// POSIX <time.h>: clocks and sleeping, as in the manual pages (section 2), for kernels. Each function is there twice:
// with the calls of a scope as its first argument (`os`, or os.on(genesys::block())), and without it for each thread,
// where a library is bound. The threads of the scope call it, and all get the result: -1, with errno, after an error.
#pragma once

#include <sys/time.h>
#include <time.h>

#include "genesys/posix/library.h"

namespace genesys::posix {

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int clock_gettime(const Calls& calls, clockid_t clock, struct timespec* now) {
  return detail::libc::result_of(calls.clock_gettime(clock, now));
}
GENESYS_KERNEL_OUTLINE inline int clock_gettime(clockid_t clock, struct timespec* now) {
  return clock_gettime(detail::libc::ambient(), clock, now);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int clock_getres(const Calls& calls, clockid_t clock, struct timespec* step) {
  return detail::libc::result_of(calls.clock_getres(clock, step));
}
GENESYS_KERNEL_OUTLINE inline int clock_getres(clockid_t clock, struct timespec* step) {
  return clock_getres(detail::libc::ambient(), clock, step);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int nanosleep(const Calls& calls, const struct timespec* duration, struct timespec* left) {
  return detail::libc::result_of(calls.nanosleep(duration, left));
}
GENESYS_KERNEL_OUTLINE inline int nanosleep(const struct timespec* duration, struct timespec* left) {
  return nanosleep(detail::libc::ambient(), duration, left);
}

// An error number; errno stays as it is. clock_nanosleep(2).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int clock_nanosleep(const Calls& calls, clockid_t clock, int flags, const struct timespec* duration,
                                   struct timespec* left) {
  if (clock == CLOCK_THREAD_CPUTIME_ID) return EINVAL;
  return static_cast<int>(-calls.clock_nanosleep(clock, flags, duration, left));
}
GENESYS_KERNEL_OUTLINE inline int clock_nanosleep(clockid_t clock, int flags, const struct timespec* duration,
                                                  struct timespec* left) {
  return clock_nanosleep(detail::libc::ambient(), clock, flags, duration, left);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int gettimeofday(const Calls& calls, struct timeval* now, void* zone) {
  return detail::libc::result_of(calls.gettimeofday(now, static_cast<struct timezone*>(zone)));
}
GENESYS_KERNEL_OUTLINE inline int gettimeofday(struct timeval* now, void* zone) {
  return gettimeofday(detail::libc::ambient(), now, zone);
}

// Seconds since 1970. `into` may be null. time(2).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL time_t time(const Calls& calls, time_t* into) {
  struct timespec now {};
  if (posix::clock_gettime(calls, CLOCK_REALTIME, &now) != 0) return -1;
  if (into != nullptr) *into = now.tv_sec;
  return now.tv_sec;
}
GENESYS_KERNEL_OUTLINE inline time_t time(time_t* into) { return time(detail::libc::ambient(), into); }

// The seconds that are left if a signal has interrupted the sleep, which does not happen to a kernel. sleep(3).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL unsigned sleep(const Calls& calls, unsigned seconds) {
  const struct timespec duration { static_cast<time_t>(seconds), 0 };
  return posix::nanosleep(calls, &duration, nullptr) == 0 ? 0 : seconds;
}
GENESYS_KERNEL_OUTLINE inline unsigned sleep(unsigned seconds) { return sleep(detail::libc::ambient(), seconds); }
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int usleep(const Calls& calls, useconds_t us) {
  const struct timespec duration { static_cast<time_t>(us / 1'000'000), static_cast<long>(us % 1'000'000 * 1'000) };
  return posix::nanosleep(calls, &duration, nullptr);
}
GENESYS_KERNEL_OUTLINE inline int usleep(useconds_t us) { return usleep(detail::libc::ambient(), us); }

}  // namespace genesys::posix
