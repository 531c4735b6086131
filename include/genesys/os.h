// SPDX-License-Identifier: Apache-2.0
// genesys::os, through which a kernel calls Linux. A host program gets one from runtime::attach (or launch hands it to
// the kernel); a kernel takes it by value. Its methods are the system calls, each made by the thread that calls it;
// os.on(scope) gives the same calls on behalf of a scope.
//
//   long fd = os.openat(AT_FDCWD, "/etc/hostname", O_RDONLY);          this thread's own call
//   auto io = os.on(genesys::block());                                 one call for the whole block
//   long n = io.pread64(fd, buffer, sizeof buffer, 0);                 all threads that have not left the block call it
//
// Results are Linux's own: the value, or -errno. A call returns when Linux has answered; what the caller (its scope)
// wrote before is visible to Linux, and what Linux wrote is visible to all threads that get the result. Pointers may
// point to shared, private, device or arena memory, or to memory pinned or registered with CUDA; others are -EFAULT.
#pragma once

#include <type_traits>

#include "genesys/detail/generated/calls.h"
#include "genesys/detail/generated/plans.h"
#include "genesys/detail/staging.h"

#if defined(__CUDACC__)
#include <cooperative_groups.h>
#endif

namespace genesys {

// Scopes, as os.on() takes them.
struct thread {};  // each thread for itself
struct block {};   // the threads of a block that have not left, all of which call, with equal arguments

namespace detail {

// An integer or an enumeration as an argument of a call; anything else is refused where it is passed.
template <class T>
GENESYS_KERNEL u64 plain_argument(T value) {
  static_assert(
      std::is_integral_v<T> || std::is_enum_v<T>,
      "os.syscall() takes integers only: a pointer needs a call from the table, which knows what it points to");
  return static_cast<u64>(static_cast<i64>(value));
}

// The calls, on behalf of the scope that Team stands for.
template <class Team>
class caller : public calls<caller<Team>> {
 public:
  GENESYS_KERNEL explicit caller(const area& a) : area_(a) {}

  // Any call, by the host's number for it, with up to six integers. Same scope, result and waiting as the named calls.
  template <class... Args>
  GENESYS_KERNEL long syscall(long number, Args... args) const {
    static_assert(sizeof...(Args) <= args_max, "a system call has at most six arguments");
    const u64 given[args_max] = {plain_argument(args)...};
    Team team;
    return perform_plain(area_, team, static_cast<u64>(number), given);
  }

  template <plan_id id, class... Args>
  GENESYS_KERNEL long invoke(Args... args) const {
    u64 given[args_max] = {args...};
    Team team;
    return perform<plan_of<id>>(area_, team, given);
  }

 protected:
  area area_;
};

}  // namespace detail

class os : public detail::caller<detail::thread_team> {
 public:
  GENESYS_KERNEL explicit os(const detail::area& a) : caller(a) {}

  // The same calls on behalf of `scope`. Every thread of the scope makes each of them, in the same order.
  GENESYS_KERNEL detail::caller<detail::thread_team> on(thread) const {
    return detail::caller<detail::thread_team>(area_);
  }
  GENESYS_KERNEL detail::caller<detail::block_team> on(block) const {
    return detail::caller<detail::block_team>(area_);
  }

#if defined(__CUDACC__)
  // CUDA's own words for the same scopes: cg::this_thread_block(), cg::this_thread().
  __device__ __forceinline__ auto on(const cooperative_groups::thread_block&) const { return on(block{}); }
  __device__ __forceinline__ auto on(const cooperative_groups::thread_block_tile<1>&) const { return on(thread{}); }
#endif

  GENESYS_KERNEL const detail::area& where() const { return area_; }
};

static_assert(std::is_trivially_copyable_v<os>, "a kernel takes it by value");

}  // namespace genesys
