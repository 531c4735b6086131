// SPDX-License-Identifier: Apache-2.0
// A build without liburing: there is never a ring.
#if !GENESYS_WITH_URING
#include "execute/ring.h"

#include "genesys/error.h"

namespace genesys::detail {

struct ring::of_linux {};

std::string ring::why_not() { return "this build has none: install liburing (liburing-dev) and build again"; }
ring::ring(const policy&) { throw error(error_code::not_built, why_not()); }
ring::~ring() = default;
bool ring::can_say(const ring_call&, const u64 (&)[args_max]) { return false; }
bool ring::begin(const request&, const ring_call&, const u64 (&)[args_max]) { return false; }
void ring::submit() {}
u32 ring::take_ended(ended (&)[at_once]) { return 0; }
void ring::wait() {}
void ring::ring_bell() const {}
void ring::cancel() {}
std::vector<ring::entry> ring::under_way() const { return {}; }

}  // namespace genesys::detail
#endif
