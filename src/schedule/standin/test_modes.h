// SPDX-License-Identifier: Apache-2.0
// Observers that exercise the take-over of launches, for tests on a GPU. The environment asks for one (test_variable):
//
//   observe          every launch runs as it is; for measuring what an observer costs at least
//   rewrite          every launch that may be aborted runs its variant with polls
//   abort-at-entry   every second one of them first runs with its flag raised, so that all its threads leave at the
//                    entry poll; then it runs again
//   abort-at-random  every one of them is aborted at a random moment, restored, and run again: see random_aborts.h
//
// At the end of the process they print what they did. They are for programs whose contexts live until the end.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "schedule/standin/launch_observer.h"
#include "schedule/standin/random_aborts.h"

namespace genesys::schedule::standin {

// Attaches the observer that the environment asks for, once. Throws nothing; an unknown mode is reported.
void start_test_mode();

class test_observer final : public launch_observer {
 public:
  enum class mode { observe_only, rewrite, abort_at_entry, abort_at_random };
  explicit test_observer(mode what, planted_faults faults = {}) : mode_(what), at_random_(faults) {}

  CUresult launch(const observed_launch& one) noexcept override;
  void settle(CUstream, bool) noexcept override { settled_.fetch_add(1, std::memory_order_relaxed); }
  void settle_all(bool) noexcept override { settled_.fetch_add(1, std::memory_order_relaxed); }

  // `12 launches, 8 with polls, 4 aborted and run again, 0 wrong, 9 ordered calls, 5 aborts, 2 rolled back; as they
  // are: 1 captured, 3 not preemptible, ...`
  std::string report() const;

 private:
  // Device memory of one context that holds the words of launch_context: a raised flag, a lowered one, a latch, counts.
  struct words {
    CUdeviceptr base = 0;  // 0: it cannot be had
  };
  enum class kept_as_it_is {
    captured,
    cooperative,
    tied,
    unknown_layout,
    no_ptx,
    not_preemptible,
    no_variant,
    no_copy,
    count_
  };

  // Null: the launch runs as it is, and `why` says why.
  const kernel_variant* variant_for(const observed_launch& one, kept_as_it_is& why, launch_verdict& verdict);
  words words_of(CUcontext context);
  CUresult abort_at_entry(const observed_launch& one, const kernel_variant& with_polls, words in);
  CUresult abort_at_random(const observed_launch& one);

  const mode mode_;
  mutable std::mutex changing_;
  std::map<CUcontext, words> words_;
  random_aborts at_random_;
  std::atomic<std::uint64_t> launches_{0}, with_polls_{0}, aborted_{0}, wrong_{0}, settled_{0};
  std::atomic<std::uint64_t> as_they_are_[static_cast<int>(kept_as_it_is::count_)] = {};
};

}  // namespace genesys::schedule::standin
