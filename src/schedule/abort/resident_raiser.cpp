// SPDX-License-Identifier: Apache-2.0
// Raises flags through a resident raiser (flag_raiser.h).
#include <atomic>

#include "schedule/abort/flag_raiser.h"
#include "target/device.h"

namespace genesys::schedule {

using detail::u32;
using word = std::atomic_ref<u32>;

namespace {
std::size_t bytes_of(u32 replicas) { return detail::aborts::indices * replicas * sizeof(detail::aborts::flag_line); }
}  // namespace

resident_raiser::resident_raiser(detail::device& on, detail::aborts::flag_line* flags, u32 replicas,
                                 flag_copies* copies)
    : on_(on),
      flags_(flags),
      replicas_(replicas),
      lines_(copies == nullptr ? nullptr
                               : static_cast<detail::aborts::flag_line*>(on.allocate_both(bytes_of(replicas)))),
      copy_(on, flags, replicas, copies, lines_),
      words_(static_cast<detail::aborts::raiser_words*>(on.allocate_both(sizeof(detail::aborts::raiser_words)))) {
  words_->gone = 1;
  if (lines_ != nullptr) __builtin_memset(lines_, 0, bytes_of(replicas));
}

resident_raiser::~resident_raiser() {
  on_.free_both(words_);
  if (lines_ != nullptr) on_.free_both(lines_);
}

detail::aborts::raiser_context resident_raiser::start() {
  for (u32 index = 0; index < detail::aborts::indices; ++index) (void)store_for_gone(index);
  word(words_->stop).store(0, std::memory_order_relaxed);
  word(words_->here).store(0, std::memory_order_relaxed);
  word(words_->gone).store(0, std::memory_order_relaxed);  // the launch orders it
  return {words_, flags_, replicas_};
}

void resident_raiser::stop() { word(words_->stop).store(1, std::memory_order_relaxed); }

// A GPU that is full may keep the resident raiser waiting for long, so a copy stores the flags until it is there. The
// order of the two words is the reverse of that in aborts::serve_raises: if `here` is not set, the resident raiser will
// load this epoch or a later one, and store no older one.
void resident_raiser::raise(u32 index, u32 epoch) {
  word(words_->wanted[index]).store(epoch, std::memory_order_seq_cst);
  if (!store_for_gone(index) && !is_here()) copy_.raise(index, epoch);
}

// A copy that is under way may store an older epoch after the resident raiser has stored a newer one, so the index
// waits for it, too.
bool resident_raiser::settled(u32 index) {
  const u32 wanted = word(words_->wanted[index]).load(std::memory_order_relaxed);
  word acknowledged(words_->acknowledged[index]);
  // The load pairs with aborts::serve_raises, N4. Until it is there, raise() stores the flags. It may never be there,
  // so nothing waits for it.
  const bool is_stored = acknowledged.load(std::memory_order_acquire) == wanted || store_for_gone(index) || !is_here();
  return is_stored && copy_.settled(index);
}

// Pairs with the fence of aborts::serve_raises, N5.
bool resident_raiser::is_here() const { return word(words_->here).load(std::memory_order_seq_cst) != 0; }

// Whether the resident raiser has left. Then a copy of all flags of the index has begun. They count as acknowledged,
// but settled() waits for the copy.
bool resident_raiser::store_for_gone(u32 index) {
  if (word(words_->gone).load(std::memory_order_acquire) == 0) return false;  // pairs with aborts::serve_raises, N5
  const u32 wanted = word(words_->wanted[index]).load(std::memory_order_relaxed);
  word acknowledged(words_->acknowledged[index]);
  if (acknowledged.load(std::memory_order_relaxed) == wanted) return true;  // the resident raiser's last look
  copy_.raise(index, wanted);
  acknowledged.store(wanted, std::memory_order_relaxed);
  return true;
}

}  // namespace genesys::schedule
