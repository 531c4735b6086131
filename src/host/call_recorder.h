// SPDX-License-Identifier: Apache-2.0
// Turns a request and its end into a record for trace::recorder, with what a reader wants to see of the memory behind
// the arguments. completion_writer calls it, on the thread that completes the call.
#pragma once

#include <array>
#include <map>
#include <mutex>
#include <string>

#include "execute/user_memory.h"
#include "genesys/detail/table/generated/plans.h"
#include "host/completion_counters.h"
#include "trace/recorder.h"

namespace genesys::detail {

class call_recorder {
 public:
  call_recorder(trace::recorder& to, const user_memory& memory, const device_context& a)
      : to_(to),
        memory_(memory),
        seen_(a.seen),
        extras_(a.extras),
        slots_(a.groups * (1 + a.ticket_groups) * slots_in_group) {}

  bool is_on() const { return to_.is_on(); }

  struct draft {
    trace::call_record call;
    unsigned data_words = 0;
    std::uint64_t data[trace::data_words_max];  // trace::packed_data
  };
  // As recorder::enter(); end() leaves.
  [[gnu::always_inline]] bool enter(std::uint16_t worker) noexcept { return to_.enter(worker); }
  // A worker will complete a call at the slot soon.
  void prefetch(u32 completion_slot) const {
    to_.prefetch(completion_slot);
    if (completion_slot < slots_) __builtin_prefetch(&seen_[completion_slot]);
  }
  // Before the completion, because then the memory may be another call's. `has_slot`: the request has a completion
  // slot, and it is one of ours. (It is inlined, because each return after a system call is costly: see executor.cpp.)
  [[gnu::always_inline]] void begin(const request& r, const call_end& end, bool has_slot, draft& of) {
    if (r.number == internal_ring_call) [[unlikely]]
      return begin_ring_call(r, end, has_slot, of);
    begin_call(r, r.number, end, has_slot, of);
  }
  // After it. `worker`: its number, or trace::no_worker.
  [[gnu::always_inline]] void end(std::uint16_t worker, const draft& of) noexcept {
    to_.record(worker, of.call, of.data, of.data_words);
    to_.leave(worker);
  }

 private:
  // `asked`: the number in the request, which may be a report of call `r`.
  [[gnu::always_inline]] void begin_call(const request& r, u32 asked, const call_end& end, bool has_slot, draft& of) {
    of.data_words = 0;
    if (!end.again && !end.malformed && wants_more(r)) [[unlikely]]
      take_more(r, end, of);
    trace::call_record& call = of.call;
    call.at = end.at != nullptr ? *end.at : trace::call_times{};
    if (call.at.taken == 0 && has_slot) call.at.taken = to_.taken_at(r.completion_slot);
    if (call.at.completed == 0 || of.data_words != 0) call.at.completed = trace::ticks_now();
    call.earlier = {};
    call.completion_slot = 0;
    if (has_slot) {
      call.completion_slot = r.completion_slot;
      const u64 seen = std::atomic_ref<u64>(seen_[r.completion_slot]).load(std::memory_order_relaxed);
      const auto earlier = to_.exchange_completed(r.completion_slot, {call.at.completed, asked});
      call.earlier = {earlier.at, static_cast<u32>(seen), earlier.number};
    }
    call.by = end.by;
    call.flags =
        static_cast<std::uint8_t>((end.again ? trace::flag_again : 0) | (end.malformed ? trace::flag_malformed : 0) |
                                  (is_dependent(r) ? trace::flag_dependent : 0));
    call.scope = static_cast<std::uint8_t>(r.scope & scope_mask);
    call.mode = static_cast<std::uint8_t>(is_waited_at_once(r.mode) ? wait_mode::blocking : r.mode);
    call.warp = static_cast<std::uint8_t>(r.warp);
    call.run = static_cast<std::uint16_t>(r.run);
    call.number = static_cast<std::uint16_t>(r.number);
    call.block = r.block;
    call.published = r.time;
    for (int i = 0; i < 6; ++i) call.args[i] = r.args[i];
    if (r.has_inline_data) [[unlikely]]
      leave_data_out(r, call);
    call.result = end.value;
  }
  [[gnu::noinline]] static void leave_data_out(const request& r, trace::call_record& call);
  [[gnu::noinline]] void begin_ring_call(const request& report, const call_end& end, bool has_slot, draft& of);
  // By number: some argument of the call is a pointer, or a descriptor.
  static constexpr u32 numbers = 512;
  static constexpr auto has_memory = [] {
    std::array<bool, numbers> all{};
    for (const call_plan& plan : plans) {
      for (unsigned i = 0; i < plan.args_count; ++i) all[plan.number] |= is_pointer(plan.args[i]);
    }
    return all;
  }();
  bool wants_more(const request& r) const {
    return r.number < numbers && ((has_memory[r.number] && to_.data_bytes() != 0) || to_.records_paths());
  }
  [[gnu::noinline]] void take_more(const request& r, const call_end& end, draft& of) noexcept;
  void add(draft& of, unsigned arg, unsigned part, u64 total, const void* from, u64 bytes) const;
  void take_memory(const request& r, const call_end& end, unsigned data_bytes, draft& of) const;
  void take_paths(const request& r, i64 value, draft& of);
  std::string path_of(int fd);

  trace::recorder& to_;
  const user_memory& memory_;
  u64* const seen_;                 // the GPU writes it
  completion_extra* const extras_;  // and this, for a report of a call in a shared ring
  const u32 slots_;
  std::mutex lock_;
  // Of the recording that began then: the last known path of each descriptor. (close() ends it before the call is
  // recorded.)
  u64 paths_of_ = 0;
  std::map<int, std::string> paths_;
};

}  // namespace genesys::detail
