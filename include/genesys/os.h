// SPDX-License-Identifier: Apache-2.0
// genesys::os: a kernel's system calls. The host gets one from run::os(), or launch() passes it to the kernel. A kernel
// takes it by value. Its methods are the system calls, each made by the thread that calls it. os.on(scope) gives the
// same calls on behalf of a scope.
//
//   long fd = os.openat(AT_FDCWD, "/etc/hostname", O_RDONLY);          this thread's own call
//   auto io = os.on(genesys::block());                                 one call for the whole block
//   long n = io.pread64(fd, buffer, sizeof buffer, 0);                 all threads that have not left the block call it
//   io.relaxed().write(1, buffer, n);                                  warps without the leader do not wait
//   auto next = io.ticket().pread64(fd, buffer, sizeof buffer, 4096);  waited for later: next.wait()
//   io.posted().write(1, "done\n", 5);                                 no thread waits for it
//   io.waits(genesys::spin()).getppid();                               polls for the completion without pauses
//
// Results are Linux's own: the value, or -errno; table/ and the manual pages (section 2) define each call. A call
// returns when Linux has completed it. What the scope wrote before the call is visible to Linux, and what Linux wrote
// is visible to all threads that get the result. Pointers may point to shared, private, device or arena memory, or to
// memory pinned or registered with CUDA; other host memory gives -EFAULT. docs/semantics.md has the table of scopes and
// orders (GENESYS, ISCA 2018, sections V and VI).
//
// Each thread has its own `os`, and its own objects that `os` returns: they remember the thread's last call. When the
// runtime has ended, calls give -ECANCELED.
#pragma once

#include <type_traits>

#include "genesys/detail/ops/scoped_calls.h"
#include "genesys/memory.h"
#include "genesys/ticket.h"

namespace genesys {

namespace detail {

// Maps a group of threads of another library to a scope: `static auto of(const Group&)`.
template <class Group>
struct group_scope;

}  // namespace detail

class os : public detail::ops::scoped_calls<thread, detail::ops::asked_order::strong, detail::wait_mode::blocking> {
 public:
  GENESYS_KERNEL explicit os(const detail::device_context& a) : scoped_calls(a, {}) {}

  // The same calls on behalf of `scope`. Every thread of the scope must make each call, in the same order and with
  // equal arguments. A warp's lanes that the block does not have are ignored.
  GENESYS_KERNEL auto on(thread scope) const { return bound(scope); }
  GENESYS_KERNEL auto on(warp scope) const { return bound(warp{scope.lanes & detail::lanes_of_warp()}); }
  GENESYS_KERNEL auto on(block scope) const { return bound(scope); }
  GENESYS_KERNEL auto on(grid scope) const { return bound(scope); }

  // How lanes wait, in all scopes: see scoped_calls::waits. A block waiter (genesys::suspended) comes after on():
  // os.on(scope).waits(waiter), or os.waits(waiter) for threads.
  using scoped_calls::waits;
  GENESYS_KERNEL os waits(spin) const { return os(waited_for_as(spin::word)); }
  GENESYS_KERNEL os waits(back_off) const { return os(waited_for_as(back_off::word)); }

  // CUDA's groups as scopes, with <genesys/cooperative_groups.h>. The return type is deduced, so that compilers report
  // the static_assert first.
  template <class Group>
  GENESYS_KERNEL auto on(const Group& group) const {
    constexpr bool known = requires { detail::group_scope<Group>::of(group); };
    static_assert(known,
                  "not a scope of genesys: thread, warp, block, grid (of CUDA's groups, with "
                  "<genesys/cooperative_groups.h>: thread_block, thread_block_tile, coalesced_group, grid_group)");
    if constexpr (known) {
      return on(detail::group_scope<Group>::of(group));
    } else {
      return *this;
    }
  }

 private:
  template <class Scope>
  GENESYS_KERNEL detail::ops::scoped_calls<Scope, detail::ops::asked_order::strong, detail::wait_mode::blocking> bound(
      Scope scope) const {
    return {context_, scope};
  }
};

static_assert(std::is_trivially_copyable_v<os>, "a kernel takes it by value");

}  // namespace genesys
