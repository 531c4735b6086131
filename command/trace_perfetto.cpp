// SPDX-License-Identifier: Apache-2.0
#include "trace_perfetto.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "calls_in_order.h"
#include "perfetto_call.h"
#include "perfetto_tracks.h"
#include "recording.h"
#include "trace/decode.h"
#include "trace/perfetto_writer.h"

namespace genesys::command {
namespace {

using trace::perfetto_writer, trace::track_id;

// Blocks from this number on share tracks, so many each: a grid may have a million blocks.
constexpr std::uint32_t own_tracks_max = 256;
// The order of a process's tracks: the counter, the runs, the workers.
constexpr std::int32_t counter_rank = 0, first_run_rank = 1, workers_rank = 1 << 30;

// The tracks of one recording.
class recording_tracks {
 public:
  recording_tracks(perfetto_writer& to, const recording& from, unsigned string_bytes, track_id parent)
      : to_(to), from_(from), string_bytes_(string_bytes), parent_(parent), in_flight_(to, parent, counter_rank) {
    if (from.clock_error_ns() >= 0) clock_error_ns_ += 2 * from.clock_error_ns();
  }

  // Writes a call; `flow` is an id of its own.
  void add(const ordered_call& of, std::uint64_t flow) {
    const recorded_call& call = of.call;
    const perfetto_call shown(of, string_bytes_);
    std::int64_t begin_ns = of.begin_ns();
    const std::int64_t end_ns = of.end_ns();
    in_flight_.add(begin_ns, end_ns);
    // Within the error of the clocks, a call begins after the last one of its track has ended.
    const std::int64_t begin_max_ns = std::min(begin_ns + clock_error_ns_, call.begin_ns());
    const track_id track = block(call.run_name, call.raw.block).track_for(to_, begin_ns, begin_max_ns, end_ns);
    // The arrow goes from the end of `queued` to the worker, and from there to the beginning of `completion`. Without
    // these slices it begins at the call, or ends at the worker.
    const std::span<const std::uint64_t> one(&flow, 1), none;
    const bool is_in_linux = call.started_ns != 0;
    // Not if the recording is damaged.
    const bool has_parts = is_in_linux && call.completed_ns >= std::max(begin_ns, call.taken_ns);
    const bool is_queued = has_parts && call.taken_ns > begin_ns;
    const bool is_seen = has_parts && of.seen_ns > call.completed_ns;
    to_.begin(track, begin_ns, shown.name(), {shown.annotations(), is_in_linux && !is_queued ? one : none, none});
    if (is_queued) to_.slice(track, begin_ns, call.taken_ns, "queued", {{}, one, none});
    if (is_seen) to_.slice(track, call.completed_ns, end_ns, "completion", {{}, none, one});
    to_.end(track, std::max(begin_ns, end_ns));
    if (is_in_linux) add_to_worker(call, shown, is_seen ? one : none, is_seen ? none : one);
  }

  void finish() {
    in_flight_.finish();
    const std::int64_t at_ns = static_cast<std::int64_t>(from_.header().started_realtime_ns);
    if (from_.dropped() != 0) to_.instant(parent_, at_ns, std::to_string(from_.dropped()) + " calls are not recorded");
    if (from_.is_truncated()) to_.instant(parent_, at_ns, "the recording is cut off");
  }

 private:
  struct run_tracks {
    track_id id;
    std::map<std::uint32_t, stacked_tracks> blocks;  // by the number of the first
  };

  // Runs of one name have the same tracks: a program that launches a kernel often has one track for each block.
  stacked_tracks& block(std::string_view name, std::uint32_t number) {
    auto found = runs_.find(name);
    if (found == runs_.end()) {
      const auto rank = first_run_rank + static_cast<std::int32_t>(runs_.size());
      const track_id id =
          to_.track(name.empty() ? "kernels" : std::string(name), parent_, {.rank = rank, .children_by_rank = true});
      found = runs_.emplace(std::string(name), run_tracks{id, {}}).first;
    }
    const bool is_shared = number >= own_tracks_max;
    const std::uint32_t first = is_shared ? number / own_tracks_max * own_tracks_max : number;
    auto& blocks = found->second.blocks;
    if (const auto known = blocks.find(first); known != blocks.end()) return known->second;
    const std::string label =
        is_shared ? "blocks " + std::to_string(first) + " to " + std::to_string(first + own_tracks_max - 1)
                  : "block " + std::to_string(first);
    return blocks.emplace(first, stacked_tracks(label, found->second.id, static_cast<std::int32_t>(first)))
        .first->second;
  }

  stacked_tracks& worker(std::uint16_t number) {
    if (const auto known = workers_.find(number); known != workers_.end()) return known->second;
    if (workers_.empty())
      workers_track_ = to_.track("workers", parent_, {.rank = workers_rank, .children_by_rank = true});
    const std::string label = number == trace::no_worker ? "other threads" : "worker " + std::to_string(number);
    return workers_.emplace(number, stacked_tracks(label, workers_track_, number)).first->second;
  }

  void add_to_worker(const recorded_call& call, const perfetto_call& shown, std::span<const std::uint64_t> flows,
                     std::span<const std::uint64_t> ending_flows) {
    std::int64_t begin_ns = call.started_ns;
    const std::int64_t end_ns = std::max(call.ended_ns != 0 ? call.ended_ns : call.completed_ns, begin_ns);
    const track_id track = worker(call.worker).track_for(to_, begin_ns, begin_ns, end_ns);
    to_.slice(track, begin_ns, end_ns, shown.name(), {{}, flows, ending_flows});
  }

  perfetto_writer& to_;
  const recording& from_;
  const unsigned string_bytes_;
  track_id parent_;
  in_flight_track in_flight_;
  std::map<std::string, run_tracks, std::less<>> runs_;  // by name
  track_id workers_track_ = track_id::none;
  std::map<std::uint16_t, stacked_tracks> workers_;
  std::int64_t clock_error_ns_ = 1024;  // times of publishing have this unit
};

// The track of a recording's process, or, of a later runtime in the process, one below it.
track_id parent_for(perfetto_writer& to, const trace::file_header& of, const std::string& program,
                    std::map<std::uint32_t, track_id>& processes) {
  auto known = processes.find(of.pid);
  if (known == processes.end()) {
    const std::string_view name = processes.empty() ? program : std::string_view();
    const track_id id = to.process(static_cast<std::int32_t>(of.pid), name, {.rank = {}, .children_by_rank = true});
    known = processes.emplace(of.pid, id).first;
  }
  if (of.runtime == 0) return known->second;
  const auto rank = static_cast<std::int32_t>(of.runtime);
  return to.track("runtime " + std::to_string(of.runtime), known->second, {.rank = rank, .children_by_rank = true});
}

}  // namespace

missing_calls write_perfetto(std::ostream& to, const std::vector<std::filesystem::path>& recordings,
                             const chosen_calls& which, bool internal, unsigned string_bytes,
                             const std::string& program) {
  std::optional<perfetto_writer> writer;
  std::map<std::uint32_t, track_id> processes;  // by number
  missing_calls missing;
  std::uint64_t flow = 0;
  for (const auto& path : recordings) {
    recording from(path.string());
    if (!writer) {
      const trace::clocks_pair& at = from.first_clocks();
      const trace::clock_reading clocks[] = {
          {trace::perfetto_clock::realtime, static_cast<std::int64_t>(at.realtime_ns)},
          {trace::perfetto_clock::monotonic, static_cast<std::int64_t>(at.monotonic_ns)}};
      writer.emplace(to, clocks);
    }
    recording_tracks tracks(*writer, from, string_bytes, parent_for(*writer, from.header(), program, processes));
    calls_in_order calls(from, [&](const recorded_call& call) {
      return call.is_internal() ? internal : which.has(trace::call_name(call.raw.number));
    });
    for (ordered_call call; calls.next(call);) tracks.add(call, ++flow);
    tracks.finish();
    missing.dropped += from.dropped();
    missing.is_truncated = missing.is_truncated || from.is_truncated();
  }
  if (writer) writer->finish();
  return missing;
}

}  // namespace genesys::command
