// SPDX-License-Identifier: Apache-2.0
// A bounded ring of call records with one writer and one reader, without a lock. The writer never waits: it overwrites
// the oldest record, and the reader counts what it lost. A serving thread writes; the recorder's thread reads.
//
// `written_` is the number of records that are whole. The writer stores it for all earlier records before it changes a
// word of a slot (W1), and the reader loads it again after it has copied a slot (R2). So a reader that has seen a
// changed word also sees that the slot was in use, and drops the copy. (Fences would say the same once, but
// ThreadSanitizer does not know them.)
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>

#include "trace/format.h"

namespace genesys::trace {

class record_ring {
 public:
  // `capacity`: records, a power of two. Throws bad_alloc.
  explicit record_ring(std::size_t capacity) : slots_(std::make_unique<slot[]>(capacity)), capacity_(capacity) {}

  // The writer alone. Fills in the sequence number.
  void write(call_record& record) {
    const std::uint64_t sequence = written_.load(std::memory_order_relaxed);
    record.sequence = sequence;
    std::uint64_t words[words_of_record];
    std::memcpy(words, &record, sizeof record);
    slot& into = slots_[sequence & (capacity_ - 1)];
    for (std::size_t i = 0; i < words_of_record; ++i)
      std::atomic_ref<std::uint64_t>(into.words[i]).store(words[i], std::memory_order_release);  // W1: pairs with R2
    written_.store(sequence + 1, std::memory_order_release);                                     // pairs with R1
  }

  // The reader alone. Copies at most `most` records to `into`, in order, and adds to `lost` what was overwritten before
  // it could be copied. Returns how many records it copied.
  std::size_t read(call_record* into, std::size_t most, std::uint64_t& lost) {
    std::size_t count = 0;
    const std::uint64_t written = written_.load(std::memory_order_acquire);  // R1: pairs with write()
    skip_to(written, lost);
    for (; read_ < written && count < most; ++read_) {
      std::uint64_t words[words_of_record];
      slot& from = slots_[read_ & (capacity_ - 1)];
      for (std::size_t i = 0; i < words_of_record; ++i)
        words[i] = std::atomic_ref<std::uint64_t>(from.words[i]).load(std::memory_order_acquire);  // R2: pairs with W1
      const std::uint64_t now = written_.load(std::memory_order_relaxed);
      if (now - read_ >= capacity_) {  // the writer may be in this slot
        skip_to(now, lost);
        --read_;  // the loop goes on behind what is lost
        continue;
      }
      std::memcpy(&into[count++], words, sizeof words);
    }
    return count;
  }
  // The sequence number of the next record that read() looks at. The reader alone.
  std::uint64_t next() const { return read_; }

 private:
  static constexpr std::size_t words_of_record = sizeof(call_record) / sizeof(std::uint64_t);
  struct alignas(sizeof(call_record)) slot {
    std::uint64_t words[words_of_record];
  };

  // Leaves out the records that the writer has overwritten or may overwrite now.
  void skip_to(std::uint64_t written, std::uint64_t& lost) {
    if (written - read_ < capacity_) return;
    const std::uint64_t oldest = written - capacity_ + 1;
    lost += oldest - read_;
    read_ = oldest;
  }

  const std::unique_ptr<slot[]> slots_;
  const std::size_t capacity_;
  alignas(64) std::atomic<std::uint64_t> written_{0};
  alignas(64) std::uint64_t read_ = 0;  // the reader's
};

}  // namespace genesys::trace
