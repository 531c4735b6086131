// SPDX-License-Identifier: Apache-2.0
// The summary of recordings, as `strace -c` has one: for each call how often it was made, and where its time went.
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>

#include "recording.h"

namespace genesys::command {

class summary {
 public:
  // `name`: of the call. Calls that were not made, and requests to the runtime, do not belong here.
  void add(const std::string& name, const recorded_call& call);
  // When a caller saw a completion: the call before, at the completion slot of any call. `name`: of that one.
  void add_seen(const std::string& name, std::int64_t ns);
  void add_dropped(std::uint64_t count) { dropped_ += count; }
  // `clock_error_ns`: of the times that need both clocks; -1: they count from the fastest call.
  void print(std::ostream& to, std::int64_t clock_error_ns) const;

 private:
  struct row {
    std::uint64_t calls = 0, errors = 0, queued = 0, timed = 0, after = 0, seen = 0;
    std::int64_t linux_ns = 0, queued_ns = 0, after_ns = 0, seen_ns = 0, longest_ns = 0;
  };
  static void grow(std::int64_t& sum, std::int64_t ns);
  static void print_row(std::ostream& to, const std::string& name, const row& of, std::int64_t all_ns);

  std::map<std::string, row> rows_;
  bool any_in_ring_ = false;
  std::uint64_t dropped_ = 0;
};

}  // namespace genesys::command
