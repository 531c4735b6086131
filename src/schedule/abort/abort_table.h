// SPDX-License-Identifier: Apache-2.0
// The host's side of aborts (genesys/detail/wire/abort.h): gives each launch its index, epoch and chain,
// raises flags, and decides after the drain how a launch ended. It starts and waits for no kernel: its user, the
// driver, does. One thread at a time may call it.
//
//   abort_launch one = table.begin(latch, threads);
//   ... launch the kernel with one.context as its last parameter
//   table.raise(one);
//   ... wait until the launch has ended
//   launch_end end = table.conclude(one);
//   ... if end.aborted: wait for and conclude the later launches of the latch, roll back if end.wrote, begin again
#pragma once

#include <array>
#include <memory>

#include "schedule/abort/flag_raiser.h"

namespace genesys::schedule {

struct abort_launch {
  detail::aborts::launch_context context;
  detail::u32 index, latch;
};

// How a launch ended.
struct launch_end {
  bool aborted;  // a thread left early; otherwise the launch is whole
  bool wrote;    // false: no thread got further than its entry poll
};

class abort_table {
 public:
  // A copy of so many lines takes no longer than one of a single word, and 1,056 blocks of 256 threads that look every
  // 2 us do not crowd them.
  static constexpr detail::u32 replicas_chosen = 16;

  // `replicas` of the flags: a power of two, at most flag_replicas_max. Throws error(no_memory, bad_option).
  explicit abort_table(detail::device_memory& on, detail::u32 replicas = replicas_chosen);
  // All launches have ended, and the resident raiser has left.
  ~abort_table();
  abort_table(const abort_table&) = delete;
  abort_table& operator=(const abort_table&) = delete;

  // Until it is called, copies raise the flags. `by` outlives the table's last call. No raise may be under way.
  void use(flag_raiser& by) { raiser_ = &by; }
  detail::aborts::flag_line* flags() const { return flags_; }
  detail::u32 replicas() const { return replicas_; }

  // N1. A launch of `threads` threads, of the task with this latch (below latches_max). The launches of a latch run one
  // after another, in the order of begin(). Throws std::logic_error if a launch of the latch's chain was raised and not
  // all its launches are concluded, and error(no_memory) if all indices are in use.
  abort_launch begin(detail::u32 latch, detail::u64 threads);
  // N2. To raise a launch again, or one that has ended, has no effect.
  void raise(const abort_launch& one);
  // Whether every block of the launch that starts from now on sees the flag.
  bool acknowledged(const abort_launch& one) { return raiser_->settled(one.index); }
  // D2: the launch has ended, and so have the earlier ones of its latch. begin() uses its index again when the raiser
  // has settled (D4). Throws std::logic_error if a launch ahead wrote after an earlier one of its chain was aborted.
  // `counts`: the launch's counts, copied behind it (counts_bytes from counts_of()); null: it copies them itself.
  launch_end conclude(const abort_launch& one, const detail::aborts::leave_counts* counts = nullptr);
  static constexpr std::size_t counts_bytes = detail::aborts::count_replicas * sizeof(detail::aborts::leave_counts);
  const detail::aborts::leave_counts* counts_of(const abort_launch& one) const { return one.context.counts; }

  // Numbers from which epochs and chains go on, for tests of their wrap-around.
  void continue_from(detail::u32 epoch, detail::u32 chain) { epoch_ = epoch, chain_ = chain; }

 private:
  struct counted {
    detail::u64 left_at_entry = 0, left_later = 0;
  };
  struct index_state {
    bool used = false, lingers = false;  // lingers: concluded, but the raiser may still store its flag
    detail::u32 epoch = 0;
    detail::u32 flag = 0;  // what was last raised
    detail::u64 threads = 0;
    counted before;  // the counts at N1
  };
  struct latch_state {
    detail::u32 chain = 0, stopped = 0;  // stopped: what the latch holds
    detail::u32 live = 0;                // launches begun and not concluded
    bool raised = false, aborted = false;
  };
  bool is_free(detail::u32 index);
  counted count(detail::u32 index, const detail::aborts::leave_counts* copied);

  detail::device_memory& on_;
  detail::u32 replicas_;
  detail::aborts::flag_line* flags_ = nullptr;
  detail::aborts::leave_counts* counts_ = nullptr;
  detail::aborts::latch_line* latch_lines_ = nullptr;
  std::unique_ptr<copy_raiser> copy_;
  flag_raiser* raiser_ = nullptr;
  std::array<index_state, detail::aborts::indices> indices_;
  std::array<latch_state, detail::aborts::latches_max> latches_;
  detail::u32 epoch_ = 0, chain_ = 0, next_index_ = 0;
};

}  // namespace genesys::schedule
