// SPDX-License-Identifier: Apache-2.0
// The writer of Perfetto traces, against a reader of protobuf that shares no code with it: each field has the number
// and the wire type of Perfetto's public messages. (tests/e2e/perfetto_test.py reads traces with Perfetto's own code.)
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "trace/perfetto_writer.h"

namespace genesys::trace {
namespace {

// The fields of a message in their order. A field's text is its bytes; of a number, `value` counts.
struct field {
  unsigned number, wire;
  std::uint64_t value;
  std::string_view text;
};

class message {
 public:
  explicit message(std::string_view from) {
    while (!from.empty()) {
      const std::uint64_t tag = varint(from);
      field one{static_cast<unsigned>(tag >> 3), static_cast<unsigned>(tag & 7), 0, {}};
      if (one.wire == 0) {
        one.value = varint(from);
      } else if (one.wire == 1 && from.size() >= 8) {
        std::memcpy(&one.value, from.data(), 8);
        from.remove_prefix(8);
      } else if (one.wire == 2) {
        one.value = varint(from);
        is_valid_ = is_valid_ && one.value <= from.size();
        one.text = from.substr(0, one.value);
        from.remove_prefix(one.text.size());
      } else {
        is_valid_ = false;
      }
      if (!is_valid_) return;
      fields_.push_back(one);
    }
  }

  bool is_valid() const { return is_valid_; }
  const std::vector<field>& fields() const { return fields_; }
  std::vector<field> all(unsigned number) const {
    std::vector<field> found;
    for (const field& each : fields_)
      if (each.number == number) found.push_back(each);
    return found;
  }
  bool has(unsigned number) const { return !all(number).empty(); }
  std::uint64_t value(unsigned number) const { return has(number) ? all(number)[0].value : ~std::uint64_t{0}; }
  std::string text(unsigned number) const { return has(number) ? std::string(all(number)[0].text) : "none"; }
  message inside(unsigned number) const { return message(has(number) ? all(number)[0].text : std::string_view{}); }

 private:
  std::uint64_t varint(std::string_view& from) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !from.empty() && shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(from[0]);
      from.remove_prefix(1);
      value |= std::uint64_t{byte & 127u} << shift;
      if (byte < 128) return value;
    }
    is_valid_ = false;
    return 0;
  }

  std::vector<field> fields_;
  bool is_valid_ = true;
};

constexpr clock_reading clocks[] = {{perfetto_clock::realtime, 1'800'000'000'000'000'000},
                                    {perfetto_clock::monotonic, 5'000}};
constexpr unsigned packet = 1, snapshot = 6, timestamp = 8, sequence = 10, track_event = 11, interned = 12, flags = 13,
                   defaults = 59, descriptor = 60;

// The packets of a trace, without the two that open it.
class trace_of {
 public:
  template <class Write>
  explicit trace_of(Write&& write) {
    std::ostringstream to;
    {
      perfetto_writer writer(to, clocks);
      write(writer);
    }
    content = to.str();
    const message trace(content);
    EXPECT_TRUE(trace.is_valid());
    for (const field& each : trace.fields()) {
      EXPECT_EQ(each.number, packet);
      packets.emplace_back(each.text);
      EXPECT_TRUE(packets.back().is_valid());
      EXPECT_EQ(packets.back().value(sequence), 1u);
    }
    opening.assign(packets.begin(), packets.begin() + 2);
    packets.erase(packets.begin(), packets.begin() + 2);
  }

  std::string content;
  std::vector<message> opening, packets;
};

TEST(PerfettoWriter, OpensWithItsClock) {
  const trace_of trace([](perfetto_writer&) {});
  EXPECT_TRUE(trace.packets.empty());
  EXPECT_EQ(trace.opening[0].value(flags), 1u);  // incremental state cleared
  EXPECT_EQ(trace.opening[0].inside(defaults).value(58), 1u);
  const message clock = trace.opening[1].inside(snapshot);
  ASSERT_EQ(clock.all(1).size(), 2u);
  EXPECT_EQ(message(clock.all(1)[0].text).value(1), 1u);
  EXPECT_EQ(message(clock.all(1)[0].text).value(2), 1'800'000'000'000'000'000u);
  EXPECT_EQ(message(clock.all(1)[1].text).value(1), 3u);
  EXPECT_EQ(message(clock.all(1)[1].text).value(2), 5'000u);
  EXPECT_EQ(clock.value(2), 1u);  // the primary clock
}

TEST(PerfettoWriter, DescribesTracks) {
  const trace_of trace([](perfetto_writer& writer) {
    const track_id process = writer.process(-1, "program", {.rank = {}, .children_by_rank = true});
    const track_id thread = writer.thread(7, 8, "thread");
    const track_id below = writer.track("below", process, {.rank = -3});
    const track_id counter = writer.counter("number", below, "calls");
    EXPECT_NE(process, thread);
    EXPECT_NE(below, counter);
  });
  ASSERT_EQ(trace.packets.size(), 4u);
  const auto track = [&](std::size_t i) { return trace.packets[i].inside(descriptor); };
  EXPECT_EQ(track(0).inside(3).value(1), ~std::uint64_t{0});
  EXPECT_EQ(track(0).inside(3).text(6), "program");
  EXPECT_EQ(track(0).value(11), 3u);
  EXPECT_FALSE(track(0).has(5));
  EXPECT_EQ(track(1).inside(4).value(1), 7u);
  EXPECT_EQ(track(1).inside(4).value(2), 8u);
  EXPECT_EQ(track(1).inside(4).text(5), "thread");
  EXPECT_EQ(track(2).value(5), track(0).value(1));
  EXPECT_EQ(track(2).text(2), "below");
  EXPECT_EQ(static_cast<std::int64_t>(track(2).value(12)), -3);
  EXPECT_FALSE(track(2).has(11));
  EXPECT_EQ(track(3).value(5), track(2).value(1));
  EXPECT_EQ(track(3).inside(8).text(6), "calls");
}

TEST(PerfettoWriter, WritesEvents) {
  const trace_of trace([](perfetto_writer& writer) {
    const track_id track = writer.track("track", track_id::none);
    const track_id counter = writer.counter("counter", track_id::none, "");
    const std::uint64_t flows[] = {~std::uint64_t{1}, 4}, ending[] = {5};
    const annotation about[] = {{"integer", std::int64_t{-2}},
                                {"natural", std::uint64_t{1} << 63},
                                {"real", 0.5},
                                {"is it", true},
                                {"text", "word"}};
    writer.slice(track, 100, 200, "slice", {about, flows, ending});
    writer.instant(track, 300, "instant");
    writer.count(counter, 400, std::int64_t{-7});
    writer.count(counter, 500, 2.5);
  });
  ASSERT_EQ(trace.packets.size(), 7u);
  const auto event = [&](std::size_t i) { return trace.packets[i + 2].inside(track_event); };
  const std::uint64_t track = trace.packets[0].inside(descriptor).value(1);
  const std::uint64_t counter = trace.packets[1].inside(descriptor).value(1);
  for (std::size_t i = 0; i < 5; ++i) {
    constexpr unsigned types[] = {1, 2, 3, 4, 4};
    EXPECT_EQ(event(i).value(9), types[i]);
    EXPECT_EQ(event(i).value(11), i < 3 ? track : counter);
    EXPECT_EQ(trace.packets[i + 2].value(timestamp), 100 * (i + 1));
    EXPECT_EQ(trace.packets[i + 2].value(flags), 2u);  // needs incremental state
  }
  const message slice = event(0);
  ASSERT_EQ(slice.all(47).size(), 2u);
  EXPECT_EQ(slice.all(47)[0].value, ~std::uint64_t{1});
  EXPECT_EQ(slice.all(47)[0].wire, 1u);
  EXPECT_EQ(slice.all(47)[1].value, 4u);
  EXPECT_EQ(slice.value(48), 5u);
  const auto about = slice.all(4);
  ASSERT_EQ(about.size(), 5u);
  EXPECT_EQ(static_cast<std::int64_t>(message(about[0].text).value(4)), -2);
  EXPECT_EQ(message(about[1].text).value(3), std::uint64_t{1} << 63);
  EXPECT_EQ(message(about[2].text).value(5), 0x3fe0000000000000u);
  EXPECT_EQ(message(about[3].text).value(2), 1u);
  EXPECT_EQ(message(about[4].text).text(6), "word");
  EXPECT_EQ(static_cast<std::int64_t>(event(3).value(30)), -7);
  EXPECT_EQ(event(4).value(44), 0x4004000000000000u);

  const message names = trace.packets[2].inside(interned);
  EXPECT_EQ(message(names.all(2)[0].text).text(2), "slice");
  EXPECT_EQ(message(names.all(2)[0].text).value(1), slice.value(10));
  ASSERT_EQ(names.all(3).size(), 5u);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(message(names.all(3)[i].text).value(1), message(about[i].text).value(1));
  EXPECT_EQ(message(trace.packets[4].inside(interned).all(2)[0].text).value(1), event(2).value(10));
}

// Each event finds its name, whether the file has it as a number or, after many others, as text.
TEST(PerfettoWriter, KeepsABoundedNumberOfNames) {
  constexpr std::size_t all = 10'000;
  const std::string longer(200, 'x');  // the lengths of messages take one, two and three bytes
  const trace_of trace([&](perfetto_writer& writer) {
    const track_id track = writer.track("track", track_id::none);
    for (std::size_t i = 0; i < 2 * all; ++i)
      writer.instant(track, 1, longer.substr(0, i % 200) + std::to_string(i % all));
    writer.instant(track, 1, std::string(20'000, 'y'));
  });
  std::map<std::uint64_t, std::string> names;
  std::size_t inlined = 0;
  ASSERT_EQ(trace.packets.size(), 2 * all + 2);
  for (std::size_t i = 0; i < 2 * all; ++i) {
    const message& one = trace.packets[i + 1];
    for (const field& added : one.inside(interned).all(2)) {
      EXPECT_TRUE(names.emplace(message(added.text).value(1), message(added.text).text(2)).second);
    }
    const message event = one.inside(track_event);
    EXPECT_NE(event.has(10), event.has(23));
    inlined += event.has(23);
    EXPECT_EQ(event.has(23) ? event.text(23) : names[event.value(10)],
              longer.substr(0, i % 200) + std::to_string(i % all));
  }
  EXPECT_EQ(inlined, 2 * (all - names.size()));
  EXPECT_EQ(trace.packets.back().inside(track_event).text(23).size(), 20'000u);
}

TEST(PerfettoWriter, WritesToADescriptorAndReportsItsErrors) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  {
    perfetto_writer writer(ends[1], clocks);
    writer.instant(writer.track("track", track_id::none), 1, "instant");
    writer.finish();
    ::close(ends[1]);
  }
  char read[4096];
  const ssize_t bytes = ::read(ends[0], read, sizeof read);
  ::close(ends[0]);
  ASSERT_GT(bytes, 0);
  EXPECT_EQ(message({read, static_cast<std::size_t>(bytes)}).all(packet).size(), 4u);

  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  perfetto_writer writer(full, clocks);
  EXPECT_THROW(writer.finish(), std::system_error);
  const track_id track = writer.track("track", track_id::none);
  const auto fill = [&] {
    for (int i = 0; i < 100'000; ++i) writer.instant(track, i, "instant");
  };
  EXPECT_THROW(fill(), std::system_error);
  ::close(full);
}

// Files of two sequences can be concatenated.
TEST(PerfettoWriter, SequencesShareNoTracks) {
  std::ostringstream to;
  perfetto_writer one(to, clocks, 1), other(to, clocks, 2);
  EXPECT_NE(one.track("a", track_id::none), other.track("a", track_id::none));
}

}  // namespace
}  // namespace genesys::trace
