// SPDX-License-Identifier: Apache-2.0
// Inline data that Linux writes, of more than 8 bytes. The completion carries the first 8; the line beside the
// completion slot has the others (wire/completion.h). A lane that is alone loads the line together with the completion,
// in one trip across the link. The words of the line may be older than the completion: then their tags differ from the
// completion's, and the lane loads them again. Lanes that run together load only once they have their completions, so
// that looks in vain stay small. Called by the owner of the completion slot.
#pragma once

#include "genesys/detail/lanes/lanes.h"
#include "genesys/detail/queue/invariants.h"
#include "genesys/detail/wire/protocol.h"
#include "genesys/kernel.h"

namespace genesys::detail::queue {

// For calls whose inline data fits the completion.
struct no_line {
  GENESYS_KERNEL void look(const queue_context&, u32) const {}
};

class line_of_call {
 public:
  // `bytes`: of the memory that Linux would write; 8 or less: the line is not used. `by_result`: Linux writes as many
  // as its result says.
  GENESYS_KERNEL line_of_call(u32 bytes, bool by_result) : bytes_(bytes), by_result_(by_result) {}

  // Before each of the first looks at the completion slot.
  GENESYS_KERNEL void look([[maybe_unused]] const queue_context& a, [[maybe_unused]] u32 completion_slot) {
#if GENESYS_ON_CUDA
    if (bytes_ <= sizeof(u64) || !early_) return;
    const u64* const from = a.lines[completion_slot].words;
#pragma unroll
    for (u32 i = 0; i < 8; i += 2) cuda_target::load_pair_early(from + i, words_[i], words_[i + 1]);
#endif
  }

  // The completion `word` has arrived, and the lane still owns the slot. Returns the result of the call, and has the
  // words afterwards.
  GENESYS_KERNEL i64 settle(const queue_context& a, u32 completion_slot, u64 word) {
    // A wide completion has no data, and one that asks to call again is of no call: its value is a descriptor.
    const bool has_no_data = (word & (completion_wide | completion_again)) != 0;
    const i64 value = has_no_data || bytes_ <= sizeof(u64) ? completion_value(word) : line_value(word);
    written_ = has_no_data || value < 0                         ? 0
               : by_result_ && static_cast<u64>(value) < bytes_ ? static_cast<u32>(value)
                                                                : bytes_;
    if (written_ <= sizeof(u64)) return value;
    u64 differ = 0;
    for (u32 i = 0; i < 8; ++i) differ |= words_[i] ^ line_tag(word) << line_tag_shift;
    if ((differ & ~line_data_mask) != 0) load(a.lines[completion_slot].words, line_tag(word));
    return value;
  }

  // After settle(): how many bytes Linux wrote (0 if it has not made the call), and the eight bytes at 8 * (1 + `i`) of
  // them.
  GENESYS_KERNEL u32 written() const { return written_; }
  GENESYS_KERNEL u64 rest(u32 i) const { return (words_[i] & line_data_mask) >> 8 * i | words_[i + 1] << 8 * (7 - i); }
  GENESYS_KERNEL void be_early(bool early) { early_ = early; }

 private:
  // The completion was acquired, so these loads see what the host wrote before it.
  GENESYS_KERNEL void load(const u64* from, [[maybe_unused]] u64 tag) {
#if GENESYS_ON_CUDA
#pragma unroll
    for (u32 i = 0; i < 8; i += 2) cuda_target::load_pair_early(from + i, words_[i], words_[i + 1]);
#else
    for (u32 i = 0; i < 8; ++i)
      words_[i] = global_atomic<u64, thread_scope::system>(const_cast<u64&>(from[i])).load(order::relaxed);
#endif
    for (u32 i = 0; i < 8; ++i) {
      GENESYS_ASSERT(words_[i] >> line_tag_shift == tag, "a completion's line has the tag that the completion names");
    }
#if GENESYS_ON_CUDA
    // Empties the multiprocessor's cache of these words: a look that found them there would not see newer ones, and
    // tags come again.
    cuda_target::fence_acq_rel_device();
#endif
  }

  u32 bytes_, written_ = 0;
  bool by_result_, early_ = false;
  u64 words_[8] = {0, ~u64{0}};  // of no completion: the tags differ
};

}  // namespace genesys::detail::queue
