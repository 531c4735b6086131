// SPDX-License-Identifier: Apache-2.0
// genesys::os, through which a kernel calls Linux. A host program gets one from runtime::attach (or launch hands it to
// the kernel); a kernel takes it by value. Its methods are the system calls, each made by the thread that calls it;
// os.on(scope) gives the same calls on behalf of a scope.
//
//   long fd = os.openat(AT_FDCWD, "/etc/hostname", O_RDONLY);          this thread's own call
//   auto io = os.on(genesys::block());                                 one call for the whole block
//   long n = io.pread64(fd, buffer, sizeof buffer, 0);                 all threads that have not left the block call it
//   io.relaxed().write(1, buffer, n);                                  who is not the caller's warp runs on
//   auto next = io.ticket().pread64(fd, buffer, sizeof buffer, 4096);  waited for later: next.wait()
//   io.posted().write(1, "done\n", 5);                                 never waited for
//   io.waits(genesys::spin()).getppid();                               without pauses between looks for the answer
//
// Results are Linux's own: the value, or -errno. A call returns when Linux has answered; what the caller (its scope)
// wrote before is visible to Linux, and what Linux wrote is visible to all threads that get the result. Pointers may
// point to shared, private, device or arena memory, or to memory pinned or registered with CUDA; others are -EFAULT.
// docs/semantics.md has the table of scopes and orders. An `os`, and what it gives, is each thread's own: it remembers
// the thread's last call.
#pragma once

#include <type_traits>

#include "genesys/detail/ops/scoped_calls.h"
#include "genesys/memory.h"
#include "genesys/ticket.h"

namespace genesys {

namespace detail {

// Which scope another library's group of threads is: `static auto of(const Group&)`.
template <class Group>
struct group_scope;

}  // namespace detail

class os : public detail::ops::scoped_calls<thread, detail::ops::asked_order::strong, detail::wait_mode::blocking> {
 public:
  GENESYS_KERNEL explicit os(const detail::device_context& a) : scoped_calls(a, {}) {}

  // The same calls on behalf of `scope`. Every thread of the scope makes each of them, in the same order.
  GENESYS_KERNEL auto on(thread scope) const { return bound(scope); }
  GENESYS_KERNEL auto on(warp scope) const { return bound(warp{scope.lanes & detail::lanes_of_warp()}); }
  GENESYS_KERNEL auto on(block scope) const { return bound(scope); }
  GENESYS_KERNEL auto on(grid scope) const { return bound(scope); }

  // For all scopes, see caller::waits. Suspended after on(): os.on(scope).waits(room).
  using scoped_calls::waits;
  GENESYS_KERNEL os waits(spin) const { return os(waited_for_as(spin::word)); }
  GENESYS_KERNEL os waits(back_off) const { return os(waited_for_as(back_off::word)); }

  // Other names for them: CUDA's groups, with <genesys/cooperative_groups.h>.
  template <class Group>
  GENESYS_KERNEL auto on(const Group& group) const {  // deduced, so that compilers have to look, and say this first
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

  GENESYS_KERNEL const detail::device_context& context() const { return context_; }

 private:
  template <class Scope>
  GENESYS_KERNEL detail::ops::scoped_calls<Scope, detail::ops::asked_order::strong, detail::wait_mode::blocking> bound(
      Scope scope) const {
    return {context_, scope};
  }
};

static_assert(std::is_trivially_copyable_v<os>, "a kernel takes it by value");

}  // namespace genesys
