// SPDX-License-Identifier: Apache-2.0
// Follows a recording while it is made, from a pipe: the calls come as the recorder writes them, with the times of the
// host alone.
#pragma once

#include <cstdint>
#include <vector>

#include "recording.h"

namespace genesys::command {

class recording_stream {
 public:
  // `pipe`: the end to read, which does not block; stays the caller's.
  explicit recording_stream(int pipe) : pipe_(pipe) {}

  // Appends the calls that are there now. False: the recording has ended. Throws std::runtime_error: it is no
  // recording.
  bool read(std::vector<recorded_call>& into);

  // Whether the last read() has left nothing in the pipe.
  bool is_drained() const { return is_drained_; }
  // Once it has ended: whether calls may be missing at the end.
  bool is_truncated() const { return !is_whole_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  bool take_section(std::vector<recorded_call>& into);

  const int pipe_;
  std::vector<char> bytes_;  // not looked at yet, from at_ on
  std::size_t at_ = 0;
  bool has_header_ = false, is_drained_ = false;
  bool is_whole_ = false;  // its recorder has ended it
  clock_pairs clocks_;
  run_names run_names_;  // up to the section that was read last
  std::uint64_t dropped_ = 0;
};

}  // namespace genesys::command
