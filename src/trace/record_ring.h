// SPDX-License-Identifier: Apache-2.0
// A bounded ring of records with one writer and one reader, without a lock. A record is a number of words; its first
// byte says how many. The writer never waits: it overwrites the oldest records, and the reader counts what it lost. A
// serving thread writes; the recorder's thread reads.
//
// The ring consists of blocks. A block begins with the sequence number of its first record, and no record goes beyond
// the end of its block. So a reader that was overtaken finds the first record that is whole. `written_` is the number
// of words that are whole, counted from the beginning. The writer stores it for all earlier records before it changes a
// word of the next (W1), and the reader loads it again after it has copied words (R2). So a reader that has seen a
// changed word also sees that the writer was near, and drops the copy. (Fences would say the same once, but
// ThreadSanitizer does not know them.)
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "trace/prefetch.h"

namespace genesys::trace {

// The whole records that one read() found, one after another.
struct ring_content {
  std::vector<std::uint64_t> words;
  std::vector<std::uint16_t> places;  // of each record, its first word in `words`
  std::uint64_t first = 0;            // the sequence number of the first
  std::uint64_t lost = 0;             // so many records in front of it were overwritten
};

class record_ring {
 public:
  static constexpr std::size_t block_words = 8192;  // more than any record, and `places` can count them

  // `blocks`: a power of two, at least 4. `block`: its words; a power of two. Throws bad_alloc.
  explicit record_ring(std::size_t blocks, std::size_t block = block_words)
      : words_(std::make_unique<std::atomic<std::uint64_t>[]>(blocks * block)), block_(block), all_(blocks * block) {}

  // The writer alone. `count` is the first byte of words[0], fewer than the words of a block.
  [[gnu::always_inline]] void write(const std::uint64_t* words, unsigned count) {
    std::uint64_t at = written_.load(std::memory_order_relaxed);
    if (const std::size_t used = at & (block_ - 1); used == 0 || used + count > block_) {
      if (used != 0) {
        put(at, 0);  // the block ends here
        at += block_ - used;
      }
      put(at++, sequence_);
    }
    for (unsigned i = 0; i < count; ++i) put(at + i, words[i]);
    ++sequence_;
    // The reader has the lines after this record: they come back while the next call is made.
    for (unsigned ahead : {16u, 24u}) prefetch_to_write(&words_[(at + ahead) & (all_ - 1)]);
    written_.store(at + count, std::memory_order_release);  // pairs with R1
  }

  // The reader alone. Finds the next records, of at most one block. False: there is none.
  bool read(ring_content& found) {
    found.words.clear(), found.places.clear();
    for (;;) {
      const std::uint64_t written = written_.load(std::memory_order_acquire);  // R1: pairs with write()
      if (is_overtaken(written)) skip(written);
      if (read_ == written) return false;
      const std::uint64_t begin = read_, end = std::min(written, (begin / block_ + 1) * block_);
      const bool has_number = begin % block_ == 0;
      const std::uint64_t number = has_number ? word(begin) : next_;
      found.words.resize(end - begin - has_number);
      for (std::size_t i = 0; i < found.words.size(); ++i) found.words[i] = word(begin + has_number + i);
      if (is_overtaken(written_.load(std::memory_order_relaxed))) continue;
      read_ = end;
      found.lost = number - next_;
      found.first = number;
      find_places(found);
      next_ = number + found.places.size();
      return true;
    }
  }

 private:
  void put(std::uint64_t at, std::uint64_t word) {
    words_[at & (all_ - 1)].store(word, std::memory_order_release);  // W1: pairs with R2
  }
  std::uint64_t word(std::uint64_t at) const {
    return words_[at & (all_ - 1)].load(std::memory_order_acquire);  // R2: pairs with W1
  }
  // The words of the next record may be as far as two blocks beyond `written`.
  bool is_overtaken(std::uint64_t written) const { return written - read_ > all_ - 2 * block_; }
  void skip(std::uint64_t written) { read_ = (written - (all_ - 3 * block_)) / block_ * block_; }

  static void find_places(ring_content& found) {
    std::size_t at = 0;
    for (; at < found.words.size() && (found.words[at] & 255) != 0; at += found.words[at] & 255)
      found.places.push_back(static_cast<std::uint16_t>(at));
    found.words.resize(at);  // without the words after the last record of a block
  }

  const std::unique_ptr<std::atomic<std::uint64_t>[]> words_;
  const std::size_t block_, all_;
  std::uint64_t sequence_ = 0;  // the writer's: of the next record
  alignas(64) std::atomic<std::uint64_t> written_{0};
  alignas(64) std::uint64_t read_ = 0;  // the reader's, likewise in words
  std::uint64_t next_ = 0;              // of the next record that it expects
};

}  // namespace genesys::trace
