// SPDX-License-Identifier: Apache-2.0
// Queue migration: when a call holds up a worker, its submission queues move to another worker, which is added if
// needed. Part of the monitor; called by its thread, and by start().
#include <algorithm>
#include <cstdio>
#include <exception>

#include "host/monitor.h"
#include "trace/clock.h"

namespace genesys::detail {

// A long call holds up the worker: all its queues migrate to one other worker.
void monitor::migrate_queues(u32 owner) {
  const int new_owner = find_new_owner(false);
  if (new_owner < 0) return;  // as many threads as there may be, all held up: the next look tries again
  assign(owner, static_cast<u32>(new_owner));
  active_ns_ = now_ns();
  queue_migrations_.fetch_add(1, std::memory_order_relaxed);
}

// A worker without queues that is not in a call; else a new one; else one that has queues but is not held up. For ready
// calls, no worker that has calls in its ring.
int monitor::find_new_owner(bool for_ready) {
  std::fill(holds_.begin(), holds_.end(), false);
  for (const u32 w : owner_) holds_[w] = true;
  const u64 now = now_ns();
  int second_best = -1;
  for (u32 w = 0; w < workers_.size(); ++w) {
    if (for_ready && workers_[w]->is_worker_ring_busy()) continue;
    if (!holds_[w]) {
      if (!workers_[w]->at_call().is_any()) return static_cast<int>(w);
      continue;
    }
    const u64 since = workers_[w]->at_call().since_ns();
    if (since != 0 && now > since + u64{all_.chosen.stall_us} * 1000) continue;
    second_best = static_cast<int>(w);
  }
  const int fresh = try_to_add_worker(now);
  return fresh >= 0 ? fresh : second_best;
}

// Adds a worker, or returns -1. If the system gives no thread, later calls try again after a short time.
int monitor::try_to_add_worker(u64 now) {
  constexpr u64 later_ns = 20'000'000;
  if (workers_.size() >= all_.chosen.workers_max || now < add_after_ns_) return -1;
  try {
    return static_cast<int>(add_worker());
  } catch (const std::exception& caught) {
    if (add_after_ns_ == 0)
      std::fprintf(stderr, "genesys: calls wait for a worker, and there can be no more of them: %s\n", caught.what());
    add_after_ns_ = now + later_ns;
    return -1;
  }
}

// The queues of worker `from` get a new epoch, and worker `to` gets them. Allocates nothing.
void monitor::assign(u32 from, u32 to) {
  assigned_.clear();
  for (u32 s = 0; s < owner_.size(); ++s) {
    if (owner_[s] != from) continue;
    assigned_.push_back({&all_.queues[s], all_.queues[s].migrate()});
    owner_[s] = to;
  }
  workers_[to]->give(assigned_);
}

}  // namespace genesys::detail
