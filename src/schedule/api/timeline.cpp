// SPDX-License-Identifier: Apache-2.0
#include "schedule/api/timeline.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <system_error>

#include "genesys/error.h"

namespace genesys::schedule {
namespace {

std::int64_t now_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

// The driver's times are monotonic.
std::array<trace::clock_reading, 2> clocks() {
  return {{{trace::perfetto_clock::monotonic, now_of(CLOCK_MONOTONIC)},
           {trace::perfetto_clock::realtime, now_of(CLOCK_REALTIME)}}};
}

std::int64_t at(time_ns time) { return static_cast<std::int64_t>(time); }

}  // namespace

timeline::timeline(const std::string& path, std::function<std::string(kernel_id)> name_of)
    : path_(path), name_of_(std::move(name_of)), file_(path, std::ios::binary), writer_(file_, clocks()) {
  if (!file_) throw error(error_code::system, "cannot write the timeline " + path);
  process_ = writer_.process(::getpid(), "kernels by priority");
}

timeline::~timeline() {
  try {
    writer_.finish();
  } catch (const std::system_error& failed) {
    std::fprintf(stderr, "genesys: the timeline %s is not complete: %s\n", path_.c_str(), failed.what());
  }
}

timeline::task_tracks& timeline::tracks_of(task_id task, int nice) {
  const auto found = tasks_.find(task);
  if (found != tasks_.end()) return found->second;
  const std::string name = "task " + std::to_string(task) + ", nice " + std::to_string(nice);
  const trace::track_id launches = writer_.track(name, process_);
  return tasks_.emplace(task, task_tracks{launches, writer_.track("snapshots of " + name, process_)}).first->second;
}

void timeline::close(const shown& one, trace::track_id track, time_ns begin, time_ns end, const std::string& what) {
  if (begin != 0) writer_.slice(track, at(begin), at(end), what.empty() ? one.name : what + " " + one.name);
}

void timeline::add(time_ns now, const event& what, const actions& decided) {
  if (what.kind == event_kind::task_added) tracks_of(what.task, what.nice);
  if (what.kind == event_kind::submitted) {
    instances_[what.instance] = {what.task, name_of_(what.facts.kernel)};
    writer_.instant(tracks_of(what.task, 0).launches, at(now), "submitted");
  }
  if (const auto found = instances_.find(what.instance); found != instances_.end()) {
    shown& one = found->second;
    const task_tracks& on = tracks_of(one.task, 0);
    switch (what.kind) {
      case event_kind::started:
        one.started = now;
        break;
      case event_kind::finished:
      case event_kind::aborted:
        close(one, on.launches, one.started, now, what.kind == event_kind::aborted ? "aborted:" : "");
        one.started = 0;
        break;
      case event_kind::snapshot_finished:
      case event_kind::snapshot_stopped:
        close(one, on.snapshots, one.copies, now, "snapshot:");
        break;
      case event_kind::rolled_back:
        close(one, on.snapshots, one.copies, now, "roll-back:");
        break;
      default:
        break;
    }
  }
  for (const action& each : decided) {
    const auto found = instances_.find(each.instance);
    if (found == instances_.end()) continue;
    if (each.kind == action_kind::raise_abort) {
      writer_.instant(tracks_of(found->second.task, 0).launches, at(now), "abort");
    }
    if (each.kind == action_kind::prepare_snapshot || each.kind == action_kind::roll_back) found->second.copies = now;
    if (each.kind == action_kind::complete) instances_.erase(found);
  }
}

}  // namespace genesys::schedule
