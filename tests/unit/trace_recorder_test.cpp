// SPDX-License-Identifier: Apache-2.0
// The ring of call records and the recorder: nothing is torn, and what is lost is counted exactly, while the writer
// overwrites what the reader has not read, while the file takes no more, and from one recording to the next.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "trace/recorder.h"

namespace genesys::trace {
namespace {

// A record whose words all tell its number.
call_record numbered(std::uint64_t number) {
  call_record record{};
  record.kind = record_kind::call;
  for (std::uint64_t& arg : record.args) arg = number;
  record.result = static_cast<std::int64_t>(number);
  record.at = {number, number, number, number};
  return record;
}

bool is_whole(const call_record& record) {
  for (const std::uint64_t arg : record.args) {
    if (arg != record.args[0]) return false;
  }
  return record.kind == record_kind::call && record.result == static_cast<std::int64_t>(record.args[0]) &&
         record.at.completed == record.args[0] && record.sequence == record.args[0];
}

TEST(RecordRing, KeepsTheNewestAndCountsTheOthers) {
  record_ring ring(8);
  for (std::uint64_t i = 0; i < 20; ++i) {
    call_record record = numbered(i);
    ring.write(record);
  }
  std::vector<call_record> some(20);
  std::uint64_t lost = 0;
  const std::size_t count = ring.read(some.data(), some.size(), lost);
  EXPECT_EQ(count, 7u);  // the slot that the writer would take next does not count
  EXPECT_EQ(lost, 13u);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(some[i].args[0], 13 + i);
  EXPECT_EQ(ring.read(some.data(), some.size(), lost), 0u);
  EXPECT_EQ(lost, 13u);
}

TEST(RecordRing, IsReadWhileItIsWritten) {
  constexpr std::uint64_t all = 100'000;
  record_ring ring(64);
  std::jthread writer([&] {
    for (std::uint64_t i = 0; i < all; ++i) {
      call_record record = numbered(i);
      ring.write(record);
      if (i % 1000 == 0) std::this_thread::yield();
    }
  });
  std::vector<call_record> some(16);
  std::uint64_t lost = 0, read = 0, torn = 0, out_of_order = 0, next = 0;
  while (read + lost < all) {
    const std::size_t count = ring.read(some.data(), some.size(), lost);
    for (std::size_t i = 0; i < count; ++i) {
      torn += !is_whole(some[i]);
      out_of_order += some[i].sequence < next;
      next = some[i].sequence + 1;
    }
    read += count;
  }
  EXPECT_EQ(torn, 0u);
  EXPECT_EQ(out_of_order, 0u);
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

// The records of a file: how many calls, how many lost ones, and whether each call is whole.
struct summary {
  std::uint64_t calls = 0, lost = 0, clocks = 0, wrong = 0;
  explicit summary(const std::string& content) {
    file_header header;
    if (content.size() < sizeof header || (content.size() - sizeof header) % sizeof(call_record) != 0) {
      ++wrong;
      return;
    }
    std::memcpy(&header, content.data(), sizeof header);
    wrong += std::memcmp(header.magic, file_magic, sizeof file_magic) != 0;
    wrong += header.version != file_version || header.record_bytes != sizeof(call_record);
    for (std::size_t at = sizeof header; at < content.size(); at += sizeof(call_record)) {
      call_record one;
      std::memcpy(&one, content.data() + at, sizeof one);
      if (one.kind == record_kind::call) {
        ++calls;
        wrong += one.args[0] != one.args[5];
      } else if (one.kind == record_kind::dropped) {
        dropped_record dropped;
        std::memcpy(&dropped, content.data() + at, sizeof dropped);
        lost += dropped.count;
      } else {
        clocks += one.kind == record_kind::clocks;
      }
    }
  }
};

TEST(Recorder, WritesWhatSeveralThreadsRecord) {
  constexpr unsigned workers = 3;
  constexpr std::uint64_t each = 50'000;
  const file_of_test file;
  recorder all(workers, 64);
  all.start(file.fd, 7, "a description");
  {
    std::vector<std::jthread> threads;
    for (unsigned w = 0; w < workers + 2; ++w) {
      threads.emplace_back([&all, number = w < workers ? static_cast<std::uint16_t>(w) : no_worker] {
        for (std::uint64_t i = 0; i < each; ++i) {
          call_record record = numbered(i);
          all.record(number, record);
        }
      });
    }
  }
  all.stop();
  const std::string content = file.content();
  const summary found(content);
  const recorder::counts counted = all.so_far();
  EXPECT_EQ(found.wrong, 0u);
  EXPECT_GE(found.clocks, 2u);
  EXPECT_EQ(found.calls, counted.written);
  EXPECT_EQ(found.lost, counted.dropped);
  EXPECT_EQ(found.calls + found.lost, (workers + 2) * each);
  file_header header;
  std::memcpy(&header, content.data(), sizeof header);
  EXPECT_EQ(header.runtime, 7u);
  EXPECT_STREQ(header.describe, "a description");
}

TEST(Recorder, CountsWhatAFullDiskDoesNotTake) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  recorder all(1, 64);
  all.start(full, 0, "");
  for (std::uint64_t i = 0; i < 1000; ++i) {
    call_record record = numbered(i);
    all.record(0, record);
  }
  all.stop();
  EXPECT_EQ(all.so_far().written, 0u);
  EXPECT_EQ(all.so_far().dropped, 1000u);
  EXPECT_EQ(all.so_far().error, ENOSPC);
  ::close(full);
}

TEST(Recorder, EachRecordingHasItsOwnCalls) {
  recorder all(1, 64);
  call_record before = numbered(0);
  all.record(0, before);  // no recording yet
  for (int round = 0; round < 3; ++round) {
    const file_of_test file;
    all.start(file.fd, 0, "");
    EXPECT_TRUE(all.is_on());
    for (std::uint64_t i = 0; i < 10; ++i) {
      call_record record = numbered(i);
      all.record(0, record);
    }
    all.stop();
    EXPECT_FALSE(all.is_on());
    call_record after = numbered(99);
    all.record(0, after);
    const summary found(file.content());
    EXPECT_EQ(found.calls, 10u);
    EXPECT_EQ(found.wrong, 0u);
  }
  EXPECT_EQ(all.so_far().written, 30u);
  EXPECT_EQ(all.so_far().dropped, 0u);
}

TEST(Recorder, NotesWhenACallWasTaken) {
  recorder all(1, 64);
  all.note_taken(5, 17);  // no recording
  EXPECT_EQ(all.taken_at(5), 0u);
  const file_of_test file;
  all.start(file.fd, 0, "");
  all.note_taken(5, 17);
  EXPECT_EQ(all.taken_at(5), 17u);
  EXPECT_EQ(all.taken_at(5), 0u);
  all.stop();
}

}  // namespace
}  // namespace genesys::trace
