// SPDX-License-Identifier: Apache-2.0
// The calls of a recording in the order of their beginnings, each with the time at which its leader saw its completion.
// Both come later in the file: workers' records are some milliseconds apart, and when a completion was seen is in the
// record of the next call at its completion slot. So a call waits here for a second of the recording at most, and with
// a bounded number of others.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "recording.h"

namespace genesys::command {

struct ordered_call {
  recorded_call call;
  std::int64_t seen_ns = 0;  // 0: not known

  // From publishing, or from taking if that time is not known, until its completion was seen, or written.
  std::int64_t begin_ns() const;
  std::int64_t end_ns() const;
};

class calls_in_order {
 public:
  // Only calls that `has` accepts.
  calls_in_order(recording& from, std::function<bool(const recorded_call&)> has) : from_(from), has_(std::move(has)) {}
  // The next call. A call whose record came very late may begin before the one before. False: there is none.
  bool next(ordered_call& call);

 private:
  static constexpr std::int64_t wait_ns = 1'000'000'000;
  static constexpr std::size_t waiting_max = 1 << 17;
  using waiting_calls = std::multimap<std::int64_t, ordered_call>;  // by their beginnings

  void add(recorded_call&& call);
  void add_seen(std::uint32_t completion_slot, std::int64_t completed_ns, std::int64_t seen_ns);
  bool is_due() const;

  recording& from_;
  std::function<bool(const recorded_call&)> has_;
  waiting_calls waiting_;
  // When a call completed, and its completion slot: together they name it.
  using call_key = std::pair<std::int64_t, std::uint32_t>;
  std::map<call_key, waiting_calls::iterator> by_completion_;
  std::map<call_key, std::int64_t> early_;  // when a completion was seen, of calls that the file has not had yet
  std::int64_t last_ns_ = 0;
  bool is_at_end_ = false;
};

}  // namespace genesys::command
