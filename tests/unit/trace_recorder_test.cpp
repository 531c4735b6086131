// SPDX-License-Identifier: Apache-2.0
// The ring of call records and the recorder: nothing is torn, and what is lost is counted exactly, while the writer
// overwrites what the reader has not read, while the file takes no more, and from one recording to the next.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "trace/recorder.h"

namespace genesys::trace {
namespace {

// A record all of whose fields tell its number.
call_record numbered(std::uint64_t number) {
  call_record record{};
  for (std::uint64_t& arg : record.args) arg = number;
  record.result = static_cast<std::int64_t>(number);
  record.at = {number, number, number, number};
  return record;
}

bool is_whole(const call_record& record) {
  for (const std::uint64_t arg : record.args) {
    if (arg != record.args[0]) return false;
  }
  return record.result == static_cast<std::int64_t>(record.args[0]) && record.at.completed == record.args[0];
}

// As a ring keeps it: between 5 and 13 words, by the number.
struct packed_record {
  std::uint64_t words[record_words_max + 1];
  unsigned count;
  explicit packed_record(std::uint64_t number) : count(pack(numbered(number), nullptr, 0, words)) {}
};

std::uint64_t number_at(const ring_content& found, std::size_t i) {
  call_record call;
  unsigned data_at;
  if (!unpack(&found.words[found.places[i]], static_cast<unsigned>(found.words.size() - found.places[i]), call,
              data_at))
    return ~std::uint64_t{0};
  return is_whole(call) ? call.args[0] : ~std::uint64_t{0};
}

TEST(Record, IsUnpackedAsItWasPacked) {
  std::mt19937_64 draw(1);
  const auto value = [&] {
    const std::uint64_t wide = draw();
    switch (draw() % 5) {
      case 0:
        return std::uint64_t{0};
      case 1:
        return wide & 0xffffffff;
      case 2:
        return static_cast<std::uint64_t>(-static_cast<std::int64_t>(wide & 0xfff));
      case 3:
        return std::uint64_t{0xffffffff80000000};
      default:
        return wide;
    }
  };
  for (int round = 0; round < 10'000; ++round) {
    call_record call{};
    call.by = static_cast<made_by>(draw() % 5);
    call.flags = draw() & (flag_again | flag_malformed | flag_dependent);
    call.scope = draw() & 3, call.mode = draw() & 3, call.warp = draw() & 31, call.run = draw() & 0x7ff;
    call.number = draw() & 0xfff, call.block = draw() & 0xfffff, call.published = draw() & 0x7ffff;
    call.completion_slot = draw() & 0xfffff;
    for (std::uint64_t& arg : call.args) arg = value();
    call.result = static_cast<std::int64_t>(value());
    const std::uint64_t at = call.at.completed = (std::uint64_t{1} << 40) + draw() % (std::uint64_t{1} << 60);
    for (std::uint64_t* time : {&call.at.taken, &call.at.started, &call.at.ended})
      *time = draw() % 4 == 0 ? 0 : at - draw() % (draw() % 8 == 0 ? std::uint64_t{1} << 36 : std::uint64_t{1} << 31);
    if (draw() % 2 == 0) call.earlier = {at - draw() % 1'000'000, static_cast<std::uint32_t>(draw()), 1234};
    if (call.has_ring_times()) call.ring = {static_cast<std::uint32_t>(draw()), static_cast<std::uint32_t>(draw())};
    std::uint64_t data[data_words_max], words[record_words_max + 1];
    for (std::uint64_t& word : data) word = draw();
    const unsigned data_words = draw() % 3 == 0 ? draw() % (data_words_max + 1) : 0;
    const unsigned count = pack(call, data, data_words, words);
    ASSERT_LE(count, record_words_max);
    ASSERT_EQ(words[0] & 255, count);
    call_record again{};
    unsigned data_at;
    ASSERT_TRUE(unpack(words, count, again, data_at));
    ASSERT_EQ(count - data_at, data_words);
    EXPECT_EQ(std::memcmp(data, words + data_at, data_words * sizeof *data), 0);
    EXPECT_EQ(std::memcmp(call.args, again.args, sizeof call.args), 0);
    EXPECT_EQ(std::memcmp(&call.at, &again.at, sizeof call.at), 0);
    EXPECT_EQ(call.result, again.result);
    EXPECT_EQ(
        std::tie(call.by, call.flags, call.scope, call.mode, call.warp, call.run, call.number, call.block),
        std::tie(again.by, again.flags, again.scope, again.mode, again.warp, again.run, again.number, again.block));
    EXPECT_EQ(std::tie(call.published, call.completion_slot, call.earlier.completed, call.earlier.seen),
              std::tie(again.published, again.completion_slot, again.earlier.completed, again.earlier.seen));
    EXPECT_EQ(call.earlier.number, again.earlier.number);
    EXPECT_EQ(std::tie(call.ring.took, call.ring.seen), std::tie(again.ring.took, again.ring.seen));
    for (unsigned less = 0; less < count; ++less) {  // a record that is cut off
      std::uint64_t cut[record_words_max + 1];
      std::memcpy(cut, words, sizeof cut);
      EXPECT_FALSE(unpack(cut, less, again, data_at));
      cut[0] = (cut[0] & ~std::uint64_t{255}) | less;
      (void)unpack(cut, count, again, data_at);
      EXPECT_LE(data_at, count);
    }
  }
}

TEST(RecordRing, KeepsTheNewestAndCountsTheOthers) {
  constexpr std::size_t block = 64, blocks = 8;
  record_ring ring(blocks, block);
  constexpr std::uint64_t all = 1000;
  for (std::uint64_t i = 0; i < all; ++i) {
    const packed_record one(i);
    ring.write(one.words, one.count);
  }
  ring_content found;
  std::uint64_t next = 0, read = 0, lost = 0;
  while (ring.read(found)) {
    lost += found.lost;
    EXPECT_EQ(found.first, next + found.lost);
    for (std::size_t i = 0; i < found.places.size(); ++i) EXPECT_EQ(number_at(found, i), found.first + i);
    next = found.first + found.places.size();
    read += found.places.size();
  }
  EXPECT_EQ(next, all);
  EXPECT_EQ(read + lost, all);
  EXPECT_GE(read, (blocks - 3) * (block / 13));
  EXPECT_GT(lost, 0u);
}

TEST(RecordRing, IsReadWhileItIsWritten) {
  constexpr std::uint64_t all = 100'000;
  record_ring ring(8, 64);
  std::jthread writer([&] {
    for (std::uint64_t i = 0; i < all; ++i) {
      const packed_record one(i);
      ring.write(one.words, one.count);
      if (i % 1000 == 0) std::this_thread::yield();
    }
  });
  ring_content found;
  std::uint64_t lost = 0, read = 0, wrong = 0, next = 0;
  while (read + lost < all) {
    if (!ring.read(found)) continue;
    wrong += found.first != next + found.lost;
    for (std::size_t i = 0; i < found.places.size(); ++i) wrong += number_at(found, i) != found.first + i;
    next = found.first + found.places.size();
    lost += found.lost, read += found.places.size();
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(read + lost, all);
  EXPECT_EQ(next, all);
}

class file_of_test {
 public:
  file_of_test() : fd(::mkstemp(name)) {}
  ~file_of_test() {
    ::close(fd);
    ::unlink(name);
  }
  std::string content() const {
    std::ifstream from(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(from), {}};
  }

  char name[32] = "/tmp/genesys-recorder-XXXXXX";
  const int fd;
};

// The sections of a file: how many calls, how many lost ones, and whether each call is whole.
struct summary {
  std::uint64_t calls = 0, lost = 0, clocks = 0, wrong = 0;
  bool is_whole = false;  // the last section says so
  std::map<std::uint64_t, std::string> runs;
  explicit summary(const std::string& content) {
    file_header header;
    if (content.size() < sizeof header) {
      ++wrong;
      return;
    }
    std::memcpy(&header, content.data(), sizeof header);
    wrong += std::memcmp(header.magic, file_magic, sizeof file_magic) != 0;
    wrong += header.version != file_version || header.header_bytes != sizeof header;
    section_header section;
    for (std::size_t at = sizeof header; at < content.size(); at += section.bytes) {
      std::memcpy(&section, content.data() + at, std::min(sizeof section, content.size() - at));
      if (section.bytes < sizeof section || section.bytes % 8 != 0 || content.size() - at < section.bytes) {
        ++wrong;
        return;
      }
      add(section, content.data() + at + sizeof section);
    }
  }
  void add(const section_header& section, const char* from) {
    clocks += section.kind == section_kind::clocks;
    is_whole = section.kind == section_kind::end;
    if (section.kind == section_kind::dropped) lost += section.count;
    if (section.kind == section_kind::run) runs[section.first] = from;
    if (section.kind != section_kind::calls) return;
    ring_content found;
    found.words.resize(section.record_words);
    found.places.resize(section.count);
    std::memcpy(found.words.data(), from, section.record_words * std::size_t{8});
    std::memcpy(found.places.data(), from + section.record_words * std::size_t{8}, section.count * std::size_t{2});
    for (std::size_t i = 0; i < section.count; ++i) wrong += number_at(found, i) == ~std::uint64_t{0};
    calls += section.count;
  }
};

void record(recorder& in, std::uint16_t worker, const call_record& call) {
  if (!in.enter(worker)) return;
  in.record(worker, call);
  in.leave(worker);
}

TEST(Recorder, WritesWhatSeveralThreadsRecord) {
  constexpr unsigned workers = 3;
  constexpr std::uint64_t each = 50'000;
  const file_of_test file;
  recorder all(workers, 64);
  all.start({.file = file.fd, .runtime = 7, .describe = "a description"});
  all.name_run(5, "sort");
  {
    std::vector<std::jthread> threads;
    for (unsigned w = 0; w < workers + 2; ++w) {
      threads.emplace_back([&all, number = w < workers ? static_cast<std::uint16_t>(w) : no_worker] {
        for (std::uint64_t i = 0; i < each; ++i) {
          record(all, number, numbered(i));
        }
      });
    }
  }
  all.stop();
  const std::string content = file.content();
  const summary found(content);
  const recorder::counts counted = all.so_far();
  EXPECT_EQ(found.wrong, 0u);
  EXPECT_TRUE(found.is_whole);
  EXPECT_GE(found.clocks, 2u);
  EXPECT_EQ(found.calls, counted.written);
  EXPECT_EQ(found.lost, counted.dropped);
  EXPECT_EQ(found.calls + found.lost, (workers + 2) * each);
  EXPECT_EQ(found.runs.at(5), "sort");
  file_header header;
  std::memcpy(&header, content.data(), sizeof header);
  EXPECT_EQ(header.runtime, 7u);
  EXPECT_STREQ(header.describe, "a description");
}

TEST(Recorder, CountsWhatAFullDiskDoesNotTake) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  recorder all(1, 64);
  all.start({.file = full, .runtime = 0, .describe = ""});
  for (std::uint64_t i = 0; i < 1000; ++i) {
    record(all, 0, numbered(i));
  }
  all.stop();
  EXPECT_EQ(all.so_far().written, 0u);
  EXPECT_EQ(all.so_far().dropped, 1000u);
  EXPECT_EQ(all.so_far().error, ENOSPC);
  ::close(full);
}

TEST(Recorder, EachRecordingHasItsOwnCalls) {
  recorder all(1, 64);
  record(all, 0, numbered(0));  // no recording yet
  for (int round = 0; round < 3; ++round) {
    const file_of_test file;
    all.start({.file = file.fd, .runtime = 0, .describe = ""});
    EXPECT_TRUE(all.is_on());
    for (std::uint64_t i = 0; i < 10; ++i) {
      record(all, 0, numbered(i));
    }
    all.stop();
    EXPECT_FALSE(all.is_on());
    record(all, 0, numbered(99));
    const summary found(file.content());
    EXPECT_EQ(found.calls, 10u);
    EXPECT_EQ(found.wrong, 0u);
    EXPECT_TRUE(found.is_whole);
  }
  EXPECT_EQ(all.so_far().written, 30u);
  EXPECT_EQ(all.so_far().dropped, 0u);
}

// A thread that is between its completion and its record when the recording ends.
TEST(Recorder, TheEndWaitsForThoseThatRecord) {
  recorder all(1, 64);
  for (int round = 0; round < 30; ++round) {
    const file_of_test file;
    all.start({.file = file.fd, .runtime = 0, .describe = ""});
    std::atomic<unsigned> entered{0};
    std::jthread worker([&] {
      for (unsigned i = 0; i < 100'000 && all.enter(0); ++i) {
        entered.fetch_add(1);
        all.record(0, numbered(i));
        all.leave(0);
      }
    });
    while (entered.load() < 10) std::this_thread::yield();
    const recorder::counts before = all.so_far();
    all.stop();
    worker.join();
    const summary found(file.content());
    EXPECT_EQ(found.calls + found.lost, entered.load());
    EXPECT_GE(all.so_far().written, before.written);
  }
}

// A pipe whose reader pauses for longer than any wait: the ring keeps the newest, and what it loses is in the stream.
TEST(Recorder, GoesOnWhenAPipeIsReadAgain) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  recorder all(1, 64);
  all.start({.file = ends[1], .runtime = 0, .describe = ""});
  constexpr std::uint64_t many = 400'000;  // more than the ring and the pipe hold
  for (std::uint64_t i = 0; i < many; ++i) record(all, 0, numbered(i));
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  std::string content;
  std::atomic<bool> over{false};
  std::jthread reader([&] {
    char some[1 << 16];
    for (ssize_t got; (got = ::read(ends[0], some, sizeof some)) > 0 || !over;) {
      if (got > 0) content.append(some, static_cast<std::size_t>(got));
      if (got < 0) std::this_thread::yield();
    }
  });
  for (std::uint64_t i = 0; i < 1000; ++i) record(all, 0, numbered(i));
  all.stop();
  over = true;
  reader.join();
  const summary found(content);
  EXPECT_EQ(found.wrong, 0u);
  EXPECT_GT(found.lost, 0u);
  EXPECT_EQ(found.calls + found.lost, many + 1000);
  EXPECT_EQ(all.so_far().error, 0);
  EXPECT_EQ(all.so_far().dropped, found.lost);
  ::close(ends[0]), ::close(ends[1]);
}

TEST(Recorder, NotesWhenACallWasTaken) {
  recorder all(1, 64);
  all.note_taken(5, 17);  // no recording
  EXPECT_EQ(all.taken_at(5), 0u);
  const file_of_test file;
  all.start({.file = file.fd, .runtime = 0, .describe = ""});
  all.note_taken(5, 17);
  EXPECT_EQ(all.taken_at(5), 17u);
  EXPECT_EQ(all.taken_at(5), 0u);
  all.note_taken(5, 18);
  all.start({.file = file.fd, .runtime = 0, .describe = ""});
  EXPECT_EQ(all.taken_at(5), 0u);  // that was in another recording
  all.stop();
}

TEST(Recorder, KnowsTheCallBeforeAtACompletionSlot) {
  recorder all(1, 64);
  EXPECT_EQ(all.exchange_completed(5, {ticks_now(), 39}).at, 0u);  // no recording
  const file_of_test file;
  all.start({.file = file.fd, .runtime = 0, .describe = ""});
  const std::uint64_t first = ticks_now();
  EXPECT_EQ(all.exchange_completed(5, {first, 39}).at, 0u);
  EXPECT_EQ(all.exchange_completed(1 << 20, {first, 39}).at, 0u);  // there is no such slot
  const recorder::completed_call before = all.exchange_completed(5, {ticks_now(), 40});
  EXPECT_EQ(before.at, first);
  EXPECT_EQ(before.number, 39u);
  all.start({.file = file.fd, .runtime = 0, .describe = ""});
  EXPECT_EQ(all.exchange_completed(5, {ticks_now(), 39}).at, 0u);  // that was in another recording
  all.stop();
}

}  // namespace
}  // namespace genesys::trace
