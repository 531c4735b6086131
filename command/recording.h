// SPDX-License-Identifier: Apache-2.0
// Reads a recording of calls (trace/format.h) from a file, call by call, with its times in nanoseconds. It needs memory
// for the pairs of clocks only, so a recording may be larger than the memory.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "trace/format.h"

namespace genesys::command {

// A call, with times on CLOCK_REALTIME in nanoseconds; 0: not known.
struct recorded_call {
  trace::call_record raw;
  std::int64_t taken_ns, started_ns, ended_ns, completed_ns;
  std::int64_t queued_ns;  // from publishing to `taken`, beyond the fastest call of the recording; -1: not known

  // The earliest time that is known.
  std::int64_t begin_ns() const { return taken_ns != 0 ? taken_ns : started_ns != 0 ? started_ns : completed_ns; }
  // In Linux; -1: not known.
  std::int64_t linux_ns() const { return started_ns != 0 && ended_ns != 0 ? ended_ns - started_ns : -1; }
  bool is_internal() const;  // a request to the runtime, not to Linux
};

class recording {
 public:
  // Throws std::runtime_error, with the reason: no such file, or no recording.
  explicit recording(const std::string& path);

  const trace::file_header& header() const { return header_; }
  // The next call, in the order of the file: of one worker in order, of several only nearly. False: there is none.
  bool next(recorded_call& call);
  // Calls that the recorder lost.
  std::uint64_t dropped() const { return dropped_; }
  // Whether the file ends inside a record.
  bool is_truncated() const { return truncated_; }

 private:
  struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void look_ahead();
  std::int64_t ns_of(std::uint64_t ticks) const;

  std::unique_ptr<std::FILE, close_file> file_;
  trace::file_header header_{};
  std::vector<trace::clocks_record> clocks_;
  std::uint64_t dropped_ = 0;
  bool truncated_ = false;
  std::uint32_t shift_ = 0;  // the device's clock to the host's, in units of 1,024 ns: of the fastest call
  bool has_shift_ = false;
};

}  // namespace genesys::command
