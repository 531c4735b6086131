// SPDX-License-Identifier: Apache-2.0
// Reads a recording of calls (trace/format.h) from a file, call by call, with its times in nanoseconds. It needs memory
// for the pairs of clocks, for one section, and for the shifts of the joined clocks (20 bytes for each 10 ms in which a
// call was recorded), so a recording may be larger than the memory.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "clock_join.h"
#include "clock_pairs.h"
#include "run_names.h"
#include "trace/record.h"

namespace genesys::command {

// What was recorded of the memory behind an argument.
struct recorded_data {
  unsigned arg, part;   // as in trace::data_key()
  std::uint64_t total;  // so many bytes are there; ~0: more than that, or not known
  std::vector<unsigned char> bytes;
};

// Whether a number is of a request to the runtime, not to Linux.
bool is_internal(std::uint32_t number);
// The name in tables: "pread64", or "pread64 (ring)" if the kernel made the call through a shared ring, because its
// time is another one.
struct recorded_call;
std::string name_in_table(const recorded_call& call);

// A call, with times on CLOCK_REALTIME in nanoseconds; 0: not known.
struct recorded_call {
  trace::call_record raw;
  std::uint16_t worker = trace::no_worker;
  std::string_view run_name;  // empty: it has none; good as long as the reader that gave the call
  std::int64_t taken_ns, started_ns, ended_ns, completed_ns;
  std::int64_t published_ns;  // of the device's clock, by the shift
  // The call before at the same completion slot, if it is known when its leader saw its completion.
  struct {
    std::int64_t completed_ns, seen_ns;
    std::uint32_t number;
  } earlier;
  std::vector<recorded_data> data;

  // The earliest time of the host that is known; of a call through a shared ring, when it was submitted.
  std::int64_t begin_ns() const {
    if (is_in_ring() && published_ns != 0) return published_ns;
    return taken_ns != 0 ? taken_ns : started_ns != 0 ? started_ns : completed_ns;
  }
  // In Linux; of a call through a shared ring, from submitting until the lane had the result. -1: not known.
  std::int64_t linux_ns() const {
    if (raw.has_ring_times()) return raw.ring.took;
    return started_ns != 0 && ended_ns != 0 ? ended_ns - started_ns : -1;
  }
  // From publishing until a worker took it; -1: not known.
  std::int64_t queued_ns() const {
    return published_ns == 0 || taken_ns == 0 ? -1 : taken_ns > published_ns ? taken_ns - published_ns : 0;
  }
  bool is_internal() const { return command::is_internal(raw.number); }
  // The kernel made it through a shared ring: published_ns is when it was submitted, completed_ns when the lane had the
  // result, and no other time is known. Of a posted call completed_ns is when the host had the report.
  bool is_in_ring() const { return raw.by == trace::made_by::kernel; }
};

// From the words of a record. False: it is no call, or invalid. Sets no times in nanoseconds.
bool unpack_call(const std::uint64_t* words, unsigned count, recorded_call& call);
// Those of the host; the others are set to "not known", but for a call through a shared ring, which ended about when
// the host had the report.
void set_host_times(const clock_pairs& clocks, recorded_call& call);

class recording {
 public:
  // Throws std::runtime_error, with the reason: no such file, a pipe, or no recording.
  explicit recording(const std::string& path);

  const trace::file_header& header() const { return header_; }
  // Readings at one time, at the beginning.
  const trace::clocks_pair& first_clocks() const { return clocks_.front(); }
  // The next call, in the order of the file: of one worker in order, of several only nearly. False: there is none.
  bool next(recorded_call& call);
  // Calls that the recorder lost.
  std::uint64_t dropped() const { return dropped_; }
  // Whether calls may be missing at the end: the process was killed, the disk was full, or the recorder still writes.
  bool is_truncated() const { return !is_whole_; }
  // The error of published_ns and seen_ns (clock_join); -1: published_ns counts the fastest call as not queued.
  std::int64_t clock_error_ns() const { return join_.error_ns(); }

 private:
  struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  bool read_section();
  bool read_record(recorded_call& call);
  void look_ahead();

  std::unique_ptr<std::FILE, close_file> file_;
  trace::file_header header_{};
  clock_pairs clocks_;
  clock_join join_;
  run_names run_names_;  // up to the section that is read
  std::uint64_t dropped_ = 0;
  bool is_whole_ = false;  // its recorder has ended it

  trace::section_header section_{};
  std::vector<std::uint64_t> content_;  // of the section
  std::size_t at_ = 0;                  // the next record in it
};

}  // namespace genesys::command
