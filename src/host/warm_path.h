// SPDX-License-Identifier: Apache-2.0
// Requests that a thread makes to itself, through a queue that no lane knows, so that the code and the data of a call
// stay in the caches of its core. Of the interrupt thread, if it looks all the time: a call after a second of
// looking takes half as long again otherwise (docs/notes/029-interrupts.md).
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <memory>

#include "host/worker.h"

namespace genesys::detail {

class warm_path {
 public:
  // `by`: makes the calls.
  warm_path(serving& all, worker& by) : all_(all), by_(by) {
    device_context own = all.memory.where();
    own.slots_log2 = slots_log2;
    own.queues = 1;
    own.slots = slots_.get();
    own.published_heads = &head_;
    queue_.lay_out(own, 0);
    where_ = own;
  }

  // Makes one request, if it is time.
  void now(u64 now_ns) {
    if (now_ns - last_ns_ < interval_ns || all_.recorder.is_on()) return;
    last_ns_ = now_ns;
    request r{};
    r.number = internal_nothing;
    r.mode = wait_mode::blocking;
    r.completion_slot = completion_slots_of(where_) - 1;
    r.pairs = pairs_to_write(r, number_, slots_log2);
    const u64 tag = tag_of(number_, slots_log2) << tag_shift;
    request_slot& slot = slots_[number_++ % (1u << slots_log2)];
    for (int i = 0; i < 8; ++i) {
      if (i >= 6 || (r.pairs >> (i / 2) & 1) != 0)
        std::atomic_ref<u64>(slot.words[i]).store(tag | pack_word(r, i), std::memory_order_release);
    }
    by_.serve_own(queue_);
    request known{};
    known.number = number::getppid;
    (void)executor::never_waits(known);
    (void)::syscall(SYS_gettid);
  }

 private:
  static constexpr u32 slots_log2 = 6;
  static constexpr u64 interval_ns = 500'000;

  serving& all_;
  worker& by_;
  queue_context where_{};
  const std::unique_ptr<request_slot[]> slots_ = std::make_unique<request_slot[]>(1u << slots_log2);
  published_head_line head_{};
  submission_queue queue_;
  u64 number_ = 0, last_ns_ = 0;
};

}  // namespace genesys::detail
