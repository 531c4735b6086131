// SPDX-License-Identifier: Apache-2.0
// Writes a trace that Perfetto's UI and its trace_processor read: tracks with slices, instants and counters, and flows
// between them. It knows nothing of system calls. One thread at a time uses a writer.
//
// The words are Perfetto's (perfetto.dev/docs/reference/synthetic-track-event):
//   track       a line of the display. It belongs to a process, a thread or another track.
//   slice       something with a beginning and an end on a track. Slices of a track nest or do not overlap; a slice
//               that overlaps another only in part belongs on another track.
//   instant     something without a length
//   counter     a track of numbers
//   flow        an arrow through the slices and instants that have its id, in the order of their times
//   annotation  a name with a value, of a slice or an instant
//
// Memory: a buffer of 64 KiB, and up to 4,096 names of each kind, which the file then contains once. Events need no
// order, except that of one track: an event that begins or ends a slice follows those before it in time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>

namespace genesys::trace {

enum class perfetto_clock : std::uint32_t { realtime = 1, monotonic = 3, boottime = 6 };  // Perfetto's numbers

struct clock_reading {
  perfetto_clock clock;
  std::int64_t ns;
};

enum class track_id : std::uint64_t { none = 0 };

struct annotation {
  std::string_view name;
  std::variant<std::int64_t, std::uint64_t, double, bool, std::string_view> value;
};

struct event_details {
  std::span<const annotation> annotations;
  std::span<const std::uint64_t> flows;         // ids that are unique in the file
  std::span<const std::uint64_t> ending_flows;  // the event is the last of these
};

// Where a track is among those of the same parent.
struct track_order {
  std::optional<std::int32_t> rank;  // takes effect if the parent has children_by_rank
  bool children_by_rank = false;
};

class perfetto_writer {
 public:
  // Readings of clocks at one time. The first one's clock is that of all times in this trace. With the others Perfetto
  // can show the trace beside one that has another clock. The file may be a pipe; the writer does not close it.
  perfetto_writer(int fd, std::span<const clock_reading> clocks, std::uint32_t sequence = 1);
  perfetto_writer(std::ostream& to, std::span<const clock_reading> clocks, std::uint32_t sequence = 1);
  // Writes what is buffered, and ignores errors: finish() reports them.
  ~perfetto_writer();
  perfetto_writer(const perfetto_writer&) = delete;
  perfetto_writer& operator=(const perfetto_writer&) = delete;

  // Tracks. One per process or thread; `parent` of the others: any of them, or none.
  track_id process(std::int32_t pid, std::string_view name, track_order order = {});
  track_id thread(std::int32_t pid, std::int32_t tid, std::string_view name);
  track_id track(std::string_view name, track_id parent, track_order order = {});
  track_id counter(std::string_view name, track_id parent, std::string_view unit, track_order order = {});

  void begin(track_id track, std::int64_t at_ns, std::string_view name, const event_details& details = {});
  void end(track_id track, std::int64_t at_ns);  // of the slice that began last
  void slice(track_id track, std::int64_t begin_ns, std::int64_t end_ns, std::string_view name,
             const event_details& details = {}) {
    begin(track, begin_ns, name, details);
    end(track, end_ns);
  }
  void instant(track_id track, std::int64_t at_ns, std::string_view name, const event_details& details = {});
  void count(track_id counter, std::int64_t at_ns, std::int64_t value);
  void count(track_id counter, std::int64_t at_ns, double value);

  // Writes what is buffered. This and all functions above throw std::system_error if the file takes no more; what was
  // buffered is then lost.
  void finish();

 private:
  using sink = std::function<void(std::string_view)>;
  // Numbers of names: a name is written once, and then its number.
  struct interned {
    unsigned field;  // of the names in InternedData
    std::unordered_map<std::string, std::uint64_t> numbers;
  };

  perfetto_writer(sink to, std::span<const clock_reading> clocks, std::uint32_t sequence);
  template <class Fill>
  void packet(unsigned flags, Fill&& fill);
  template <class Fill>
  track_id describe(std::string_view name, track_id parent, track_order order, Fill&& fill);
  template <class Fill>
  void event(unsigned type, track_id track, std::int64_t at_ns, Fill&& fill);
  void named_event(unsigned type, track_id track, std::int64_t at_ns, std::string_view name,
                   const event_details& details);
  void put_name(interned& names, std::string_view name, unsigned number_field, unsigned text_field);

  sink to_;
  std::uint32_t sequence_;
  std::uint64_t next_track_;
  std::string buffer_;
  std::string new_names_;  // of the packet that is being written: fields of InternedData
  interned event_names_, annotation_names_;
};

}  // namespace genesys::trace
