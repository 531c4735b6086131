// SPDX-License-Identifier: Apache-2.0
// Prints the report of a runtime: every call in flight, and counters. Part of core; any host thread.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>
#include <vector>

#include "execute/inline_data.h"
#include "genesys/detail/table/generated/plans.h"
#include "host/core.h"
#include "trace/clock.h"
#include "trace/decode.h"

namespace genesys::detail {
namespace {

constexpr char state_in_linux[] = "in Linux", state_in_ring[] = "in io_uring", state_parked[] = "parked",
               state_dependent[] = "waits for an earlier call";

std::string milliseconds(u64 ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f ms", static_cast<double>(ns) / 1e6);
  return text;
}

// The descriptors among the arguments, and what they are, as in /proc/self/fd.
std::vector<std::pair<int, std::string>> paths_of(const request& call) {
  std::vector<std::pair<int, std::string>> found;
  const auto look = [&](u64 word) {
    const int fd = static_cast<int>(word);
    std::error_code none;
    const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), none);
    if (!none) found.emplace_back(fd, path.string());
  };
  if (call.number == internal_wait) look(call.args[0]);
  if (call.number >= internal_resolve) return found;
  const call_plan* const plan = plan_of_call(call.number, call.args);
  for (u32 i = 0; plan != nullptr && i < plan->args_count; ++i) {
    if (plan->args[i].kind == arg_kind::fd) look(call.args[i]);
  }
  return found;
}

void print_call(std::ostream& to, const call_in_flight& one) {
  static constexpr const char* scopes[] = {"thread", "warp", "block", "grid"};
  const request& call = one.call;
  to << "  " << words_of(call) << "  block " << call.block << " warp " << call.warp << " ("
     << scopes[call.scope & scope_mask] << " scope, run " << call.run << ")  " << one.state << "  "
     << milliseconds(one.age_ns) << "\n";
}

}  // namespace

std::string name_of_call(u32 number) {
  if (number == internal_wait) return "wait_ready";
  if (number == internal_resolve) return "resolve_address";
  if (number == internal_file) return "look_at_file";
  if (number == internal_lost) return "lost_call";
  if (number == internal_grow) return "grow_bounce";
  if (number == internal_ring_call) return "report_call";
  return trace::call_name(number);
}

std::string words_of(const request& call) {
  if (call.number == internal_wait) {
    return "wait_ready(fd=" + std::to_string(static_cast<int>(call.args[0])) + ", " +
           (call.args[1] == 1 ? "input" : "output") + ") of " + trace::call_name(call.args[2]);
  }
  if (call.number >= internal_resolve) return name_of_call(call.number);
  request shown = call;
  (void)take_carried_data(shown);
  return trace::decode(shown.number, shown.args);
}

std::vector<call_in_flight> core::calls_in_flight() const {
  const u64 now = now_ns();
  const auto age = [now](u64 since) { return since != 0 && now > since ? now - since : 0; };
  std::vector<call_in_flight> all_of_them;
  monitor_->each_worker([&](const worker& w) {
    if (w.own_worker_ring() != nullptr) {
      for (const worker_ring::entry& one : w.own_worker_ring()->under_way())
        all_of_them.push_back({one.call, state_in_ring, age(one.since_ns)});
    }
    call_in_progress at;
    if (w.at_call().read(at)) all_of_them.push_back({at.call, state_in_linux, age(at.seen_since_ns)});
  });
  for (const parking::entry& one : all.parked.parked())
    all_of_them.push_back({one.call, state_parked, age(one.since_ns)});
  for (const dependent_calls::entry& one : all.dependents.held())
    all_of_them.push_back({one.call, state_dependent, age(one.since_ns)});
  return all_of_them;
}

void core::report(std::ostream& to) const {
  to << "genesys: " << describe() << "\n";
  const std::vector<call_in_flight> calls = calls_in_flight();
  for (const call_in_flight& one : calls) print_call(to, one);
  const auto count = [&](const char* state) {
    return std::count_if(calls.begin(), calls.end(), [&](const call_in_flight& one) { return one.state == state; });
  };
  u32 threads = 0, asleep = 0;
  monitor_->each_worker([&](const worker& w) {
    ++threads;
    asleep += w.is_asleep();
  });
  u32 pending = 0;
  for (u32 s = 0; s < all.memory.queues(); ++s) pending += all.queues[s].pending();
  const statistics so_far = stats();
  to << "  in flight: " << count(state_in_linux) << " in Linux, " << count(state_parked) << " parked, "
     << count(state_dependent) << " waiting for earlier calls, ";
  if (all.chosen.executor == executor_kind::uring) to << count(state_in_ring) << " in io_uring, ";
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
  to << "  threads: " << threads << ", " << asleep << " asleep; " << so_far.queue_migrations << " queue migrations, "
     << so_far.interrupts << " interrupts\n";
  char line[200];
  std::snprintf(line, sizeof line,
                "  stages, means: published to taken %.1f us, taken to completed %.2f us; %llu calls so far\n",
                so_far.queued_us_mean, so_far.served_us_mean, static_cast<unsigned long long>(so_far.completed));
  to << line << std::flush;
}

u64 core::calls_of(u32 run) const {
  const std::vector<call_in_flight> calls = calls_in_flight();
  return static_cast<u64>(
      std::count_if(calls.begin(), calls.end(), [&](const call_in_flight& one) { return one.call.run == run; }));
}

// For the control socket: a line for each call, with tabs between its fields; the paths of its descriptors last.
std::string core::waiting() const {
  std::string text;
  for (const call_in_flight& one : calls_in_flight()) {
    const request& call = one.call;
    text += std::string(one.state) + "\t" + std::to_string(one.age_ns) + "\t" + std::to_string(call.block) + "\t" +
            std::to_string(call.warp) + "\t" + std::to_string(call.scope & scope_mask) + "\t" +
            std::to_string(call.run) + "\t" + all.recorder.run_name(call.run) + "\t" +
            (call.number == internal_wait ? trace::call_name(call.args[2]) : name_of_call(call.number)) + "\t" +
            words_of(call);
    for (const auto& [fd, path] : paths_of(call)) text += "\t" + std::to_string(fd) + "=" + path;
    text += "\n";
  }
  return text;
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
    const std::string name = i + 1 == calls.size() ? "other" : name_of_call(i);
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
  sum.interrupts = monitor_->interrupts();
  const mappings::counts mapped = all.maps.counted();
  sum.pinned_bytes = all.memory.pinned_bytes();
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
