// SPDX-License-Identifier: Apache-2.0
// A shard, from the serving side: one ring of requests, and whose turn it is to take from it (protocol.h, S1 to S4).
// Owned by the core; take() is called by the worker that holds the shard, pass_on() and tend() by the watcher,
// pending() by anyone.
#pragma once

#include <atomic>
#include <bit>

#include "genesys/detail/protocol.h"
#include "host/flights.h"
#include "host/followers.h"

namespace genesys::detail {

// S1, S2: the request in a slot, if each word that it needs carries the tag; each is read once. The last word first:
// while it lacks, one load is all that a look costs.
inline bool read_request(request_slot& slot, u64 tag, request& into) {
  const auto word = [&](int i) {
    return std::atomic_ref<u64>(slot.words[i]).load(std::memory_order_acquire);  // pairs with C4
  };
  const auto is_here = [&](u64 w) { return w >> tag_shift == tag; };
  const u64 word_7 = word(7);
  if (!is_here(word_7)) return false;
  const u64 word_6 = word(6);
  if (!is_here(word_6)) return false;
  unpack_head(into, word_6, word_7);
  for (int k = 0; k < 6; k += 2) {
    into.args[k] = into.args[k + 1] = 0;
    if ((into.pairs >> (k / 2) & 1) == 0) continue;
    const u64 first = word(k), second = word(k + 1);
    if (!is_here(first) || !is_here(second)) return false;
    into.args[k] = unpack_argument(k, first, word_6);
    into.args[k + 1] = unpack_argument(k + 1, second, word_6);
  }
  return true;
}

class alignas(64) shard {
 public:
  enum class outcome { nothing, taken, lost, put_aside };

  void lay_out(const area& a, u32 index, flights* under_way = nullptr, followers* behind = nullptr) {
    flights_ = under_way;
    followers_ = behind;
    slots_log2_ = a.slots_log2;
    ring_ = a.ring + (u64{index} << a.slots_log2);
    mirror_ = &a.mirror[index].head;
  }

  u32 epoch() const { return epoch_of(turn_.load(std::memory_order_acquire)); }  // pairs with pass_on

  // S1 to S4. taken: `into` holds a request, which is the caller's alone; else it may hold anything. lost: the epoch is
  // over, the shard belongs to another. put_aside: one was taken that waits for an earlier call; there may be more.
  outcome take(u32 epoch, request& into) {
    u64 turn = turn_.load(std::memory_order_acquire);  // S1; pairs with the exchanges below and in pass_on
    if (epoch_of(turn) != epoch) return outcome::lost;
    const u64 head = head_of(turn);
    if (!read_request(ring_[head & mask()], tag_of(head, slots_log2_), into)) {
      mend_mirror(head);
      return outcome::nothing;
    }
    // S2: from here on only `into` counts.
    if ((into.scope & follows_earlier) != 0 && followers_ != nullptr) [[unlikely]]
      return take_follower(turn, into);
    const bool flies = into.waits != waiting::blocking && flights_ != nullptr;
    if (flies) flights_->begin(into.run);
    // S3: it is ours only if the turn still is.
    if (!turn_.compare_exchange_strong(turn, turn_word(epoch, head + 1), std::memory_order_acq_rel)) {
      if (flies) flights_->end(into.run);
      // Somebody else took it. The shard is lost only if the epoch says so: after 4,096 hand-overs an epoch comes back,
      // and with it perhaps a worker that was in a call all the while; then both take, and neither may forget the
      // shard.
      return epoch_of(turn) == epoch ? outcome::nothing : outcome::lost;
    }
    store_mirror(head + 1);  // S4
    __builtin_prefetch(&ring_[(head + 1) & mask()]);
    return outcome::taken;
  }

  // Whether a whole request is there.
  bool pending() const { return has(1); }

  // Whether as many requests are there; of those before the last one some may still be on their way.
  bool has(u32 requests) const {
    const u64 last = head_of(turn_.load(std::memory_order_acquire)) + requests - 1;
    request ignored;
    return read_request(ring_[last & mask()], tag_of(last, slots_log2_), ignored);
  }

  // Ends the epoch: from now on only who knows the new one takes. Returns it.
  u32 pass_on() {
    u64 turn = turn_.load(std::memory_order_relaxed);
    while (
        !turn_.compare_exchange_weak(turn, turn_word(epoch_of(turn) + 1, head_of(turn)), std::memory_order_acq_rel)) {
    }
    return epoch_of(turn + (u64{1} << head_bits));
  }

  // Repairs the mirror for an owner that sleeps or is in a call. May itself come late, and is then repaired at the next
  // look.
  void tend() { mend_mirror(head_of(turn_.load(std::memory_order_acquire))); }

  // Whoever sees a request taken sees it counted as under way, too.
  u64 taken_so_far() const { return head_of(turn_.load(std::memory_order_acquire)); }  // pairs with S3

 private:
  // S3 and S4 of a request that follows an earlier call.
  [[gnu::noinline]] outcome take_follower(u64 turn, request& into) {
    const u32 epoch = epoch_of(turn);
    const u64 head = head_of(turn);
    const followers::seen seen = followers_->look(into);
    const bool flies = into.waits != waiting::blocking && flights_ != nullptr;
    if (flies) flights_->begin(into.run);
    if (!turn_.compare_exchange_strong(turn, turn_word(epoch, head + 1), std::memory_order_acq_rel)) {
      if (flies) flights_->end(into.run);
      if (seen.what == followers::verdict::hold) followers_->forget(seen.key);
      return epoch_of(turn) == epoch ? outcome::nothing : outcome::lost;
    }
    store_mirror(head + 1);
    if (seen.what == followers::verdict::make) return outcome::taken;
    if (seen.what == followers::verdict::hold) return followers_->keep(seen.key) ? outcome::put_aside : outcome::taken;
    followers_->refuse(into);
    return outcome::put_aside;
  }

  static constexpr int head_bits = 52;  // 14 years of 10 million requests a second
  static u32 epoch_of(u64 turn) { return static_cast<u32>(turn >> head_bits); }
  static u64 head_of(u64 turn) { return turn & ((u64{1} << head_bits) - 1); }
  static u64 turn_word(u32 epoch, u64 head) { return u64{epoch} << head_bits | (head & ((u64{1} << head_bits) - 1)); }
  u64 mask() const { return (u64{1} << slots_log2_) - 1; }

  void store_mirror(u64 head) {
    std::atomic_ref<u64>(*mirror_).store(head, std::memory_order_release);
  }  // pairs with C2
  // A worker that lost its turn between S3 and S4 stores late, and may set the mirror back.
  void mend_mirror(u64 head) {
    if (std::atomic_ref<u64>(*mirror_).load(std::memory_order_relaxed) != head) store_mirror(head);
  }

  std::atomic<u64> turn_{0};
  request_slot* ring_ = nullptr;
  u64* mirror_ = nullptr;
  flights* flights_ = nullptr;
  followers* followers_ = nullptr;
  u32 slots_log2_ = 0;
};

}  // namespace genesys::detail
