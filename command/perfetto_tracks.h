// SPDX-License-Identifier: Apache-2.0
// Tracks of a trace for Perfetto that calls share: slices that overlap, and the number of calls in flight. They write
// to the writer that they are given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "trace/perfetto_writer.h"

namespace genesys::command {

// No slice may overlap another of its track in part. A slice that would goes to a further track of the same name and
// parent; Perfetto's UI shows these below each other, as one.
class stacked_tracks {
 public:
  stacked_tracks(std::string name, trace::track_id parent, std::int32_t rank)
      : name_(std::move(name)), parent_(parent), rank_(rank) {}

  // The track for a slice. `begin_ns` grows to the end of the slice before on that track, at most to `begin_max_ns`.
  trace::track_id track_for(trace::perfetto_writer& to, std::int64_t& begin_ns, std::int64_t begin_max_ns,
                            std::int64_t end_ns) {
    const std::int64_t latest_ns = std::max(begin_ns, begin_max_ns);
    auto free = std::find_if(tracks_.begin(), tracks_.end(),
                             [latest_ns](const one_track& each) { return each.end_ns <= latest_ns; });
    if (free == tracks_.end()) free = tracks_.insert(free, {to.track(name_, parent_, {.rank = rank_}), begin_ns});
    begin_ns = std::max(begin_ns, free->end_ns);
    free->end_ns = std::max(begin_ns, end_ns);
    return free->id;
  }

 private:
  struct one_track {
    trace::track_id id;
    std::int64_t end_ns;  // of its last slice
  };
  std::string name_;
  trace::track_id parent_;
  std::int32_t rank_;
  std::vector<one_track> tracks_;
};

// The counter of calls in flight. It needs calls in the order of their beginnings, and memory for those in flight.
class in_flight_track {
 public:
  in_flight_track(trace::perfetto_writer& to, trace::track_id parent, std::int32_t rank)
      : to_(to), id_(to.counter("calls in flight", parent, "calls", {.rank = rank})) {}

  void add(std::int64_t begin_ns, std::int64_t end_ns) {
    count_until(begin_ns);
    ends_ns_.push(end_ns);
    put(begin_ns);
  }
  void finish() { count_until(INT64_MAX); }

 private:
  void count_until(std::int64_t ns) {
    while (!ends_ns_.empty() && ends_ns_.top() <= ns) {
      const std::int64_t end_ns = ends_ns_.top();
      while (!ends_ns_.empty() && ends_ns_.top() == end_ns) ends_ns_.pop();
      put(end_ns);
    }
  }
  // A call that comes late counts from now on.
  void put(std::int64_t at_ns) {
    last_ns_ = std::max(last_ns_, at_ns);
    to_.count(id_, last_ns_, static_cast<std::int64_t>(ends_ns_.size()));
  }

  trace::perfetto_writer& to_;
  trace::track_id id_;
  std::int64_t last_ns_ = 0;
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> ends_ns_;
};

}  // namespace genesys::command
