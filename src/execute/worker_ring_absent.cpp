// SPDX-License-Identifier: Apache-2.0
// A build without liburing: there is no ring.
#if !GENESYS_WITH_URING
#include "execute/worker_ring.h"

#include "genesys/error.h"

namespace genesys::detail {

struct worker_ring::of_linux {};

std::string worker_ring::why_not() { return "this build has none: install liburing (liburing-dev) and build again"; }
worker_ring::worker_ring(const policy&) { throw error(error_code::not_built, why_not()); }
worker_ring::~worker_ring() = default;
bool worker_ring::can_say(const uring_call&, const u64 (&)[args_max]) { return false; }
bool worker_ring::begin(const request&, const uring_call&, const u64 (&)[args_max]) { return false; }
void worker_ring::submit() {}
u32 worker_ring::take_ended(ended (&)[at_once]) { return 0; }
void worker_ring::wait() {}
void worker_ring::wake() const {}
bool worker_ring::cancel() { return true; }
std::vector<worker_ring::entry> worker_ring::under_way() const { return {}; }

}  // namespace genesys::detail
#endif
