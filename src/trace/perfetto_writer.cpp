// SPDX-License-Identifier: Apache-2.0
// The numbers of fields are those of Perfetto's protos/perfetto/trace/trace_packet.proto and track_event/*.proto.
#include "trace/perfetto_writer.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "trace/protobuf.h"

namespace genesys::trace {
namespace {

constexpr std::size_t buffer_bytes = 1 << 16;
constexpr std::size_t names_max = 4096;

constexpr unsigned trace_packet = 1;  // the file is a message of packets

namespace packet_field {
enum : unsigned {
  clock_snapshot = 6,
  timestamp = 8,
  sequence = 10,
  track_event = 11,
  interned_data = 12,
  sequence_flags = 13,
  timestamp_clock = 58,
  defaults = 59,
  track_descriptor = 60
};
}
enum sequence_flag : unsigned { state_cleared = 1, needs_state = 2 };

namespace descriptor_field {
enum : unsigned {
  uuid = 1,
  name = 2,
  process = 3,
  thread = 4,
  parent = 5,
  counter = 8,
  child_ordering = 11,
  rank = 12
};
}
constexpr unsigned ordering_explicit = 3;

namespace event_field {
enum : unsigned {
  annotations = 4,
  type = 9,
  name_number = 10,
  track = 11,
  name = 23,
  value = 30,
  real_value = 44,
  flows = 47,
  ending_flows = 48
};
}
enum event_type : unsigned { slice_begin = 1, slice_end = 2, is_instant = 3, counter_value = 4 };

namespace annotation_field {
enum : unsigned { name_number = 1, is_true = 2, natural = 3, integer = 4, real = 5, text = 6, name = 10 };
}
namespace interned_field {
enum : unsigned { event_names = 2, annotation_names = 3 };
}

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(done));
    else if (errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "the trace cannot be written");
  }
}

void write_all(std::ostream& to, std::string_view bytes) {
  errno = 0;
  if (!to.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush())
    throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), "the trace cannot be written");
}

std::uint64_t number_of(track_id track) { return static_cast<std::uint64_t>(track); }

void put_value(protobuf& out, std::int64_t value) {
  out.number(annotation_field::integer, static_cast<std::uint64_t>(value));
}
void put_value(protobuf& out, std::uint64_t value) { out.number(annotation_field::natural, value); }
void put_value(protobuf& out, double value) { out.real(annotation_field::real, value); }
void put_value(protobuf& out, bool value) { out.number(annotation_field::is_true, value); }
void put_value(protobuf& out, std::string_view value) { out.bytes(annotation_field::text, value); }

}  // namespace

perfetto_writer::perfetto_writer(int fd, std::span<const clock_reading> clocks, std::uint32_t sequence)
    : perfetto_writer([fd](std::string_view bytes) { write_all(fd, bytes); }, clocks, sequence) {}

perfetto_writer::perfetto_writer(std::ostream& to, std::span<const clock_reading> clocks, std::uint32_t sequence)
    : perfetto_writer([&to](std::string_view bytes) { write_all(to, bytes); }, clocks, sequence) {}

// Track numbers of different sequences differ, so files of several writers may be concatenated.
perfetto_writer::perfetto_writer(sink to, std::span<const clock_reading> clocks, std::uint32_t sequence)
    : to_(std::move(to)),
      sequence_(sequence),
      next_track_((std::uint64_t{sequence} - 1) << 32 | 1),
      event_names_{interned_field::event_names, {}},
      annotation_names_{interned_field::annotation_names, {}} {
  buffer_.reserve(buffer_bytes + (1 << 12));
  protobuf out(buffer_);
  packet(state_cleared, [&] {
    out.message(packet_field::defaults,
                [&] { out.number(packet_field::timestamp_clock, static_cast<std::uint64_t>(clocks.front().clock)); });
  });
  packet(0, [&] {
    out.message(packet_field::clock_snapshot, [&] {
      constexpr unsigned clock_field = 1, primary_field = 2, id_field = 1, timestamp_field = 2;
      for (const clock_reading& each : clocks) {
        out.message(clock_field, [&] {
          out.number(id_field, static_cast<std::uint64_t>(each.clock));
          out.number(timestamp_field, static_cast<std::uint64_t>(each.ns));
        });
      }
      out.number(primary_field, static_cast<std::uint64_t>(clocks.front().clock));
    });
  });
}

perfetto_writer::~perfetto_writer() {
  try {
    finish();
  } catch (const std::exception&) {
  }
}

void perfetto_writer::finish() {
  const std::string all = std::exchange(buffer_, {});
  if (!all.empty()) to_(all);
}

template <class Fill>
void perfetto_writer::packet(unsigned flags, Fill&& fill) {
  protobuf out(buffer_);
  out.message(trace_packet, [&] {
    out.number(packet_field::sequence, sequence_);
    if (flags != 0) out.number(packet_field::sequence_flags, flags);
    fill();
    if (!new_names_.empty()) out.bytes(packet_field::interned_data, new_names_);
    new_names_.clear();
  });
  if (buffer_.size() < buffer_bytes) return;
  const std::string_view all = buffer_;
  try {
    to_(all);
  } catch (...) {
    buffer_.clear();
    throw;
  }
  buffer_.clear();
}

template <class Fill>
track_id perfetto_writer::describe(std::string_view name, track_id parent, track_order order, Fill&& fill) {
  const std::uint64_t number = next_track_++;
  protobuf out(buffer_);
  packet(0, [&] {
    out.message(packet_field::track_descriptor, [&] {
      out.number(descriptor_field::uuid, number);
      if (!name.empty()) out.bytes(descriptor_field::name, name);
      if (parent != track_id::none) out.number(descriptor_field::parent, number_of(parent));
      if (order.children_by_rank) out.number(descriptor_field::child_ordering, ordering_explicit);
      if (order.rank) out.number(descriptor_field::rank, static_cast<std::uint64_t>(std::int64_t{*order.rank}));
      fill(out);
    });
  });
  return track_id{number};
}

track_id perfetto_writer::process(std::int32_t pid, std::string_view name, track_order order) {
  return describe({}, track_id::none, order, [&](protobuf& out) {
    constexpr unsigned pid_field = 1, name_field = 6;
    out.message(descriptor_field::process, [&] {
      out.number(pid_field, static_cast<std::uint64_t>(std::int64_t{pid}));
      if (!name.empty()) out.bytes(name_field, name);
    });
  });
}

track_id perfetto_writer::thread(std::int32_t pid, std::int32_t tid, std::string_view name) {
  return describe({}, track_id::none, {}, [&](protobuf& out) {
    constexpr unsigned pid_field = 1, tid_field = 2, name_field = 5;
    out.message(descriptor_field::thread, [&] {
      out.number(pid_field, static_cast<std::uint64_t>(std::int64_t{pid}));
      out.number(tid_field, static_cast<std::uint64_t>(std::int64_t{tid}));
      if (!name.empty()) out.bytes(name_field, name);
    });
  });
}

track_id perfetto_writer::track(std::string_view name, track_id parent, track_order order) {
  return describe(name, parent, order, [](protobuf&) {});
}

track_id perfetto_writer::counter(std::string_view name, track_id parent, std::string_view unit, track_order order) {
  return describe(name, parent, order, [&](protobuf& out) {
    constexpr unsigned unit_name_field = 6;
    out.message(descriptor_field::counter, [&] {
      if (!unit.empty()) out.bytes(unit_name_field, unit);
    });
  });
}

// Either the number of the name or, if there are too many names, the name itself.
void perfetto_writer::put_name(interned& names, std::string_view name, unsigned number_field, unsigned text_field) {
  protobuf out(buffer_);
  const std::string key(name);
  auto found = names.numbers.find(key);
  if (found == names.numbers.end()) {
    if (names.numbers.size() == names_max) return out.bytes(text_field, name);
    found = names.numbers.emplace(key, names.numbers.size() + 1).first;
    protobuf added(new_names_);
    added.message(names.field, [&] {
      constexpr unsigned number_of_name = 1, name_field = 2;
      added.number(number_of_name, found->second);
      added.bytes(name_field, name);
    });
  }
  out.number(number_field, found->second);
}

template <class Fill>
void perfetto_writer::event(unsigned type, track_id track, std::int64_t at_ns, Fill&& fill) {
  protobuf out(buffer_);
  packet(needs_state, [&] {
    out.number(packet_field::timestamp, static_cast<std::uint64_t>(at_ns));
    out.message(packet_field::track_event, [&] {
      out.number(event_field::type, type);
      out.number(event_field::track, number_of(track));
      fill(out);
    });
  });
}

void perfetto_writer::named_event(unsigned type, track_id track, std::int64_t at_ns, std::string_view name,
                                  const event_details& details) {
  event(type, track, at_ns, [&](protobuf& out) {
    put_name(event_names_, name, event_field::name_number, event_field::name);
    for (const std::uint64_t flow : details.flows) out.fixed64(event_field::flows, flow);
    for (const std::uint64_t flow : details.ending_flows) out.fixed64(event_field::ending_flows, flow);
    for (const annotation& each : details.annotations) {
      out.message(event_field::annotations, [&] {
        put_name(annotation_names_, each.name, annotation_field::name_number, annotation_field::name);
        std::visit([&](const auto& value) { put_value(out, value); }, each.value);
      });
    }
  });
}

void perfetto_writer::begin(track_id track, std::int64_t at_ns, std::string_view name, const event_details& details) {
  named_event(slice_begin, track, at_ns, name, details);
}

void perfetto_writer::end(track_id track, std::int64_t at_ns) {
  event(slice_end, track, at_ns, [](protobuf&) {});
}

void perfetto_writer::instant(track_id track, std::int64_t at_ns, std::string_view name, const event_details& details) {
  named_event(is_instant, track, at_ns, name, details);
}

void perfetto_writer::count(track_id counter, std::int64_t at_ns, std::int64_t value) {
  event(counter_value, counter, at_ns,
        [&](protobuf& out) { out.number(event_field::value, static_cast<std::uint64_t>(value)); });
}

void perfetto_writer::count(track_id counter, std::int64_t at_ns, double value) {
  event(counter_value, counter, at_ns, [&](protobuf& out) { out.real(event_field::real_value, value); });
}

}  // namespace genesys::trace
