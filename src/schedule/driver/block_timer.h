// SPDX-License-Identifier: Apache-2.0
// Launches that measure how long their blocks run (genesys/detail/wire/block_times.h): gives each of them a record, and
// reads it when the launch has ended. The driver calls it under its lock. Nobody waits for a record: it is copied
// behind the launch, in the launch's level.
#pragma once

#include <array>
#include <vector>

#include "genesys/detail/wire/block_times.h"
#include "schedule/driver/execution.h"
#include "schedule/driver/learnt_times.h"

namespace genesys::schedule {

class block_timer {
 public:
  // Of a launch; `none`: it measures nothing.
  using record = unsigned;
  static constexpr record none = 0;

  explicit block_timer(execution& with);
  // All launches have ended.
  ~block_timer();
  block_timer(const block_timer&) = delete;
  block_timer& operator=(const block_timer&) = delete;

  // For a launch of so many blocks. `order`: its number among those that measure; each samples other blocks. none: all
  // records are in use.
  record begin(std::uint64_t blocks, unsigned order);
  // What the launch gets as its parameter.
  const detail::times::block_times& context(record of) const { return at(of).context; }
  // It was launched at this level, or the device refused it.
  void launched(record of, unsigned level);
  void refused(record of) { at(of).is_used = false; }
  // It has ended. `is_whole`: no thread left early.
  void ended(record of, const learnt_times::key& key, bool is_whole, learnt_times& into);
  // Reads the records that have arrived.
  void poll(learnt_times& into);
  bool is_waiting() const { return !waiting_.empty(); }

 private:
  static constexpr unsigned records_max = 16;
  static constexpr std::uint64_t sampled_max = 2'048;  // blocks of a launch that add to the record

  struct state {
    bool is_used = false, is_whole = false;
    execution::mark copied = 0;  // 0: the device copies nothing behind launches
    detail::times::block_times context{};
    learnt_times::key key;
  };
  state& at(record of) { return states_[of - 1]; }
  const state& at(record of) const { return states_[of - 1]; }
  void learn(const state& one, const detail::times::block_time_record& from, learnt_times& into) const;

  execution& with_;
  detail::times::block_time_record* records_ = nullptr;  // device memory; zero unless they are in use
  detail::times::block_time_record* copies_ = nullptr;   // pinned; one more, which stays zero
  std::array<state, records_max> states_;
  std::vector<record> waiting_;  // for their copies
};

}  // namespace genesys::schedule
