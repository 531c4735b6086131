// SPDX-License-Identifier: Apache-2.0
// Prints the report of a runtime: every call in flight, and counters. Part of core; any host thread.
#include <algorithm>
#include <cstdio>
#include <iostream>

#include "host/core.h"
#include "trace/clock.h"
#include "trace/decode.h"

namespace genesys::detail {
namespace {

std::string milliseconds(u64 ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f ms", static_cast<double>(ns) / 1e6);
  return text;
}

std::string name_of(u32 number) {
  if (number == internal_wait) return "wait_ready";
  if (number == internal_resolve) return "resolve_address";
  if (number == internal_file) return "look_at_file";
  if (number == internal_lost) return "lost_call";
  return trace::call_name(number);
}

std::string words_of(const request& call) {
  if (call.number == internal_wait) {
    return "wait_ready(fd=" + std::to_string(static_cast<int>(call.args[0])) + ", " +
           (call.args[1] == 1 ? "input" : "output") + ")";
  }
  if (call.number >= internal_resolve) return name_of(call.number);
  return trace::decode(call.number, call.args);
}

void print_call(std::ostream& to, const request& call, const char* state, u64 age_ns) {
  static constexpr const char* scopes[] = {"thread", "warp", "block", "grid"};
  to << "  " << words_of(call) << "  ";
  to << "block " << call.block << " warp " << call.warp << " (" << scopes[call.scope & scope_mask] << " scope, run "
     << call.run << ")  " << state << "  " << milliseconds(age_ns) << "\n";
}

}  // namespace

void core::report(std::ostream& to) const {
  const u64 now = now_ns();
  to << "genesys: " << describe() << "\n";
  u32 threads = 0, asleep = 0, in_calls = 0, in_rings = 0;
  monitor_->each_worker([&](const worker& w) {
    ++threads;
    asleep += w.is_asleep();
    if (w.own_worker_ring() != nullptr) {
      for (const worker_ring::entry& one : w.own_worker_ring()->under_way()) {
        ++in_rings;
        print_call(to, one.call, "in io_uring", now > one.since_ns ? now - one.since_ns : 0);
      }
    }
    call_in_progress at;
    if (!w.at_call().read(at)) return;
    ++in_calls;
    print_call(to, at.call, "in Linux", at.seen_since_ns != 0 && now > at.seen_since_ns ? now - at.seen_since_ns : 0);
  });
  const auto waiting = all.parked.parked();
  for (const parking::entry& one : waiting) print_call(to, one.call, "parked", now - one.since_ns);
  const auto dependents = all.dependents.held();
  for (const dependent_calls::entry& one : dependents)
    print_call(to, one.call, "waits for an earlier call", now - one.since_ns);
  u32 pending = 0;
  for (u32 s = 0; s < all.memory.queues(); ++s) pending += all.queues[s].pending();
  const statistics so_far = stats();
  to << "  in flight: " << in_calls << " in Linux, " << waiting.size() << " parked, " << dependents.size()
     << " waiting for earlier calls, ";
  if (all.chosen.executor == executor_kind::uring) to << in_rings << " in io_uring, ";
  if (all.direct) to << all.direct->under_way() << " that kernels submitted themselves, ";
  to << pending << " queues with requests not dequeued\n";
  if (!so_far.denied.empty()) {
    to << "  denied by policy " << all.rules.chosen().name << ":";
    for (const auto& [name, times] : so_far.denied) to << " " << name << " " << times;
    to << "\n";
  }
  if (so_far.posted != 0) {
    to << "  posted calls: " << so_far.posted << " finished, " << so_far.posted_failed << " of them with an error\n";
  }
  if (so_far.mapped_device_bytes + so_far.mapped_host_bytes + so_far.quarantined_bytes != 0) {
    to << "  mapped by kernels: " << (so_far.mapped_device_bytes >> 10) << " KiB of device memory, "
       << (so_far.mapped_host_bytes >> 10) << " KiB of the host's; in quarantine " << (so_far.quarantined_bytes >> 10)
       << " KiB\n";
  }
  to << "  threads: " << threads << ", " << asleep << " asleep; " << so_far.queue_migrations << " queue migrations\n";
  char line[200];
  std::snprintf(line, sizeof line,
                "  stages, means: published to taken %.1f us, taken to completed %.2f us; %llu calls so far\n",
                so_far.queued_us_mean, so_far.served_us_mean, static_cast<unsigned long long>(so_far.completed));
  to << line << std::flush;
}

u64 core::calls_of(u32 run) const {
  u64 calls = 0;
  const auto count = [&](const request& call) { calls += call.run == run; };
  monitor_->each_worker([&](const worker& w) {
    if (w.own_worker_ring() != nullptr) {
      for (const worker_ring::entry& one : w.own_worker_ring()->under_way()) count(one.call);
    }
    call_in_progress at;
    if (w.at_call().read(at)) count(at.call);
  });
  for (const parking::entry& one : all.parked.parked()) count(one.call);
  for (const dependent_calls::entry& one : all.dependents.held()) count(one.call);
  return calls;
}

statistics core::stats() const {
  statistics sum;
  std::array<u64, completion_counters::counted_numbers> calls{}, errors{}, bytes{};
  u64 served_ns = 0, queued_us = 0, samples = 0;
  const auto read = [](const std::atomic<u64>& counter) { return counter.load(std::memory_order_relaxed); };
  const auto add = [&](const completion_counters& c) {
    for (u32 i = 0; i < calls.size(); ++i) {
      calls[i] += read(c.calls[i]);
      errors[i] += read(c.errors[i]);
      bytes[i] += read(c.bytes[i]);
    }
    sum.malformed += read(c.malformed);
    served_ns += read(c.served_ns);
    queued_us += read(c.queued_us);
    samples += read(c.samples);
  };
  add(all.others_counted);
  monitor_->each_worker([&](const worker& w) {
    add(w.completed());
    sum.bundles += w.bundles();
    if (w.own_worker_ring() != nullptr) {
      sum.uring_calls += w.own_worker_ring()->calls_so_far();
      sum.uring_submissions += w.own_worker_ring()->submissions_so_far();
    }
    ++sum.workers;
  });
  if (all.direct) sum.completed = sum.direct_calls = all.direct->calls_so_far();
  for (u32 i = 0; i < calls.size(); ++i) {
    if (calls[i] == 0) continue;
    sum.completed += calls[i];
    const std::string name = i + 1 == calls.size() ? "other" : name_of(i);
    sum.calls[name] += calls[i];
    if (errors[i] != 0) sum.errors[name] += errors[i];
    if (bytes[i] != 0) sum.bytes[name] += bytes[i];
  }
  for (u32 i = 0; i < plan_count; ++i) {
    if (const u64 denied = all.rules.denied(i); denied != 0) sum.denied[policy::call_of(plans[i]).name] = denied;
  }
  sum.posted = all.in_flight.posted();
  sum.posted_failed = all.in_flight.posted_failed();
  sum.grid_calls_missed = grid_check_.missed();
  sum.parked = all.parked.parked_so_far();
  sum.queue_migrations = monitor_->queue_migrations();
  const mappings::counts mapped = all.maps.counted();
  sum.mapped_device_bytes = mapped.device_bytes;
  sum.mapped_host_bytes = mapped.host_bytes;
  sum.quarantined_bytes = mapped.quarantined_bytes;
  const trace::recorder::counts recorded = all.recorder.so_far();
  sum.recorded = recorded.written;
  sum.recording_dropped = recorded.dropped;
  if (samples != 0) {
    sum.served_us_mean = static_cast<double>(served_ns) / 1e3 / static_cast<double>(samples);
    sum.queued_us_mean = static_cast<double>(queued_us) * 1.024 / static_cast<double>(samples);
  }
  return sum;
}

}  // namespace genesys::detail
