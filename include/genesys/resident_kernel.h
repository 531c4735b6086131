// SPDX-License-Identifier: Apache-2.0
// A kernel that is resident anyway, and is the resident raiser of a scheduler too, so that the scheduler needs no
// resident kernel of its own: service_server::resident() gives it, scheduler_options::resident takes it. Programs pass
// it on; only genesys calls it.
#pragma once

namespace genesys {
namespace detail::aborts {
struct raiser_context;
}

class resident_kernel {
 public:
  virtual ~resident_kernel() = default;
  // The kernel is the raiser from the moment that it sees this context, until its `stop` is set or the kernel leaves.
  // False: it is another scheduler's, or no kernel comes any more. Any thread; one at a time for a scheduler.
  virtual bool serve(const detail::aborts::raiser_context& raiser) = 0;
  // Whether the raiser has left. Ask until it has, before its words are freed: a kernel that left before it saw the
  // context comes back by that.
  virtual bool has_left(const detail::aborts::raiser_context& raiser) = 0;
};

}  // namespace genesys
