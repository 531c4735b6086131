// SPDX-License-Identifier: Apache-2.0
// The one place where every call that reaches the host completes, with its request, its result and its stage times: by
// whatever executor, from a queue or parked, refused, malformed, or canceled at the end. Tools that watch calls on the
// host attach to complete(). Called by the thread that finished the call: a worker, the parking thread, or the thread
// that ends the runtime.
#pragma once

#include <atomic>

#include "genesys/detail/target/assert.h"
#include "genesys/detail/wire/protocol.h"
#include "host/call_recorder.h"
#include "host/completion_counters.h"
#include "host/dependent_calls.h"
#include "host/in_flight_counters.h"
#include "memory/bounce_returns.h"

namespace genesys::detail {

class completion_writer {
 public:
  explicit completion_writer(const device_context& a, const bounce_returns* returns = nullptr,
                             in_flight_counters* in_flight = nullptr, dependent_calls* dependents = nullptr,
                             completion_counters* others = nullptr, call_recorder* recorder = nullptr)
      : completion_slots_(a.completion_slots),
        extra_(a.extras),
        lines_(a.lines),
        line_count_(a.lines != nullptr ? a.groups * slots_in_group : 0),
        completion_slot_count_(completion_slots_of(a)),
        returns_(returns),
        in_flight_(in_flight),
        dependents_(dependents),
        others_(others),
        recorder_(recorder) {}

  // Whether a completion can be written. The GPU wrote the request, so it may hold anything.
  bool is_sound(const request& r) const {
    return r.mode == wait_mode::posted || r.completion_slot < completion_slot_count_;
  }

  // S6: writes the completion, or releases the bounce buffer of a posted call; then counts the call. The request is
  // sound, unless `end` says that it is malformed. `own`: the counters of the calling worker.
  void complete(const request& r, const call_end& end, completion_counters& own) const {
    if (is_recorded()) [[unlikely]]
      return complete_recorded(r, end, &own);
    finish(r, end, false);
    own.count<true>(r, end);
  }
  // The same, for threads that are no workers.
  void complete(const request& r, const call_end& end) const {
    if (is_recorded()) [[unlikely]]
      return complete_recorded(r, end, nullptr);
    finish(r, end, false);
    if (others_ != nullptr) others_->count<false>(r, end);
  }

 private:
  bool is_recorded() const { return recorder_ != nullptr && recorder_->is_on(); }
  void complete_recorded(const request& r, const call_end& end, completion_counters* own) const;
  void count(const request& r, const call_end& end, completion_counters* own) const;
  void finish(const request& r, const call_end& end, bool recorded) const {
    if (end.malformed) [[unlikely]]
      return end_in_flight(r);
    GENESYS_ASSERT(is_sound(r), "a call that completes has a completion slot, or is posted");
    if (is_waited_at_once(r.mode)) return write_slot(r, end, recorded);
    if (r.mode == wait_mode::posted) return finish_posted(r, end.value);
    const bool may_have_dependents = dependents_ != nullptr;
    if (may_have_dependents && dependents_->any(r.completion_slot)) return finish_with_dependents(r, end, recorded);
    write_slot(r, end, recorded);
    end_in_flight(r);  // a full fence as well: the completion is visible before the next load
    if (may_have_dependents && dependents_->any(r.completion_slot)) dependents_->finished(r.completion_slot);
  }
  void finish_posted(const request& r, i64 value) const;
  void finish_with_dependents(const request& r, const call_end& end, bool recorded) const;
  void end_in_flight(const request& r) const {
    if (!is_waited_at_once(r.mode) && in_flight_ != nullptr) in_flight_->end(r.run);
  }

  // Writes the line beside a completion slot. Returns its tag.
  u64 write_line(u32 completion_slot, const unsigned char* bytes) const {
    completion_line& line = lines_[completion_slot];
    const auto word = [&line](unsigned i) { return std::atomic_ref<u64>(line.words[i]); };
    const u64 tag = ((word(0).load(std::memory_order_relaxed) >> line_tag_shift) + 1) & 0xff;
    for (unsigned i = 0; i < 8; ++i) {
      u64 seven = 0;
      std::memcpy(&seven, bytes + 7 * i, 7);
      word(i).store(tag << line_tag_shift | seven, std::memory_order_relaxed);
    }
    return tag;
  }

  // `recorded`: the leader stores when it saw the completion.
  void write_slot(const request& r, const call_end& end, bool recorded) const {
    u64 word = u64{r.phase} << 63 | (recorded ? completion_recorded : 0);
    u64 value = static_cast<u64>(end.value) & completion_value_mask;
    if (end.inline_rest != nullptr && r.completion_slot < line_count_) [[unlikely]] {
      value = write_line(r.completion_slot, end.inline_rest) << line_value_bits |
              (value & ((u64{1} << line_value_bits) - 1));
    } else if (end.extra != nullptr || !fits_completion(end.value)) {
      const completion_extra full =
          end.extra != nullptr ? *end.extra : completion_extra{static_cast<u64>(end.value), 0};
      std::atomic_ref<u64>(extra_[r.completion_slot].first).store(full.first, std::memory_order_relaxed);
      std::atomic_ref<u64>(extra_[r.completion_slot].second).store(full.second, std::memory_order_relaxed);
      word |= completion_wide;
    }
    word |= value;
    if (end.again) word |= completion_again;
    if ((end.inline_data & completion_phase) != 0) word |= completion_data_top;
    completion_slot& slot = completion_slots_[r.completion_slot];
    const u64 data = (end.inline_data & ~completion_phase) | u64{r.phase} << 63;
    std::atomic_ref<u64>(slot.data).store(data, std::memory_order_relaxed);
    std::atomic_ref<u64>(slot.word).store(word, std::memory_order_release);  // pairs with C5
  }

  completion_slot* completion_slots_;
  completion_extra* extra_;
  completion_line* lines_;
  u32 line_count_;
  u32 completion_slot_count_;
  const bounce_returns* returns_;
  in_flight_counters* in_flight_;
  dependent_calls* dependents_;
  completion_counters* others_;  // of threads that are no workers
  call_recorder* recorder_;      // null: in tests
};

}  // namespace genesys::detail
