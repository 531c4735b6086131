// SPDX-License-Identifier: Apache-2.0
// What the serving thread does for requests: it takes, checks and submits them, and returns results (serving.h).
#include <algorithm>
#include <cerrno>
#include <exception>

#include "schedule/daemon/clock.h"
#include "service/daemon/check.h"
#include "service/daemon/serving.h"

namespace genesys::detail::serving {

using schedule::processes::now_ns;

namespace {

constexpr u32 requests_of_round_max = 8;

u64 since(u64 now, u64 before) { return now > before ? now - before : 0; }

}  // namespace

bool serving::round(u64 now) {
  bool any = false, leaves = false;
  u32 busy = 0;
  for (const auto& [id, each] : sessions_) {
    if (each->in_flight() != 0) any |= look_at_requests(*each);
    if (!each->is_leaving && !each->take_ready(now)) leave(*each, "it has published a slot that is in use");
    busy += each->in_flight() != 0 || (!each->is_leaving && each->has_pending());
    leaves |= each->is_leaving;
  }
  if (sessions_.empty()) return false;
  // From the first one to the last, then from the beginning.
  auto first = sessions_.lower_bound(first_);
  if (first == sessions_.end()) first = sessions_.begin();
  auto each = first;
  do {
    if (!each->second->is_leaving) any |= admit(*each->second, std::max(busy, 1u));
    if (++each == sessions_.end()) each = sessions_.begin();
  } while (each != first);
  first_ = first->first + 1;
  if (leaves) end_sessions();
  return any;
}

bool serving::look_at_requests(session& of) {
  bool any = false;
  of.each_in_flight([&](u32 slot, request_record& it) {
    if (it.ticket && !it.ticket->is_done()) return;
    const long result = it.ticket ? it.ticket->wait() : 0;
    // A service that returns such a result itself costs its caller this memory. In an isolated server the child has
    // ended before.
    if (may_still_use_memory(result) && server_.processes().zygote == 0) of.keep_memory();
    --in_flight_;
    complete_request(of, slot, it, result, false);
    any = true;
  });
  return any;
}

bool serving::admit(session& of, u32 busy) {
  u32 submitted = 0;
  while (submitted < requests_of_round_max && of.has_pending()) {
    if (!submit(of, of.next_pending(), busy)) break;
    ++submitted;
  }
  return submitted != 0;
}

// False: the request has to wait.
bool serving::submit(session& of, u32 slot, u32 busy) {
  const bool is_first = of.in_flight() == 0;
  const u32 share_of_slots = options_.slots / (busy + 1);  // one share is left for a client that comes
  if (in_flight_ >= options_.slots || (!is_first && of.in_flight() >= share_of_slots)) return false;
  const ring_request asked = of.copy_request(slot);
  checked_request checked;
  const served_row* const row = row_of(asked.service);
  const long refused = row == nullptr
                           ? -ENOENT
                           : check_request(row->it.service->about(), asked, of.memory(), options_.blocks_max, checked);
  request_record begun;
  begun.use = asked.use & 0xffffu;
  begun.service = asked.service;
  begun.taken_ns = of.taken_ns(slot);
  // The client writes this time, so it counts only if it is possible.
  begun.published_ns = asked.published_ns <= begun.taken_ns ? asked.published_ns : begun.taken_ns;
  if (refused == 0) {
    begun.bytes_in = checked.bytes_in, begun.bytes_out = checked.bytes_out;
    const u64 share = options_.bytes_in_flight_max / busy;
    if (!is_first && of.bytes_in_flight + checked.bytes_in + checked.bytes_out > share) return false;
    begun.submitted_ns = now_ns();
    begun.ticket = row->it.service->submit(server_, checked.arguments, asked.blocks);
    of.begin(slot, std::move(begun));
    ++in_flight_;
    return true;
  }
  request_record copy;
  copy.use = begun.use, copy.service = begun.service, copy.taken_ns = begun.taken_ns;
  copy.published_ns = begun.published_ns;
  of.begin(slot, std::move(begun));
  complete_request(of, slot, copy, refused, true);
  return true;
}

void serving::complete_request(session& to, u32 slot, request_record& of, long result, bool was_refused) {
  const u64 now = now_ns();
  const u64 whole = since(now, of.published_ns);
  const u32 use = of.use;
  all_.add(result, was_refused, of.bytes_in, of.bytes_out);
  to.counts.add(result, was_refused, of.bytes_in, of.bytes_out);
  to.times.add(whole);
  if (served_row* const row = row_of(of.service); row != nullptr) {
    row->counts.add(result, was_refused, of.bytes_in, of.bytes_out);
    row->times.add(whole);
  }
  if (!was_refused) {
    stages_.taken.add(since(of.taken_ns, of.published_ns));
    stages_.submitted.add(since(of.submitted_ns, of.taken_ns));
    stages_.served.add(since(now, of.submitted_ns));
    stages_.whole.add(whole);
  }
  totals_.requests.fetch_add(1, std::memory_order_relaxed);
  totals_.bytes.fetch_add(of.bytes_in + of.bytes_out, std::memory_order_relaxed);
  to.end(slot);
  if (!to.is_leaving) to.complete(slot, use, result);
}

}  // namespace genesys::detail::serving
