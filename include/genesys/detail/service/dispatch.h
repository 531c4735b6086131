// SPDX-License-Identifier: Apache-2.0
// The dispatcher of the non-stop kernel (K1 to K4, wire/service.h): takes requests in their order, and assigns them to
// blocks that are ready. Called by the first warp of block 0, by all its lanes.
#pragma once

#include "genesys/detail/wire/service.h"
#include "genesys/kernel.h"

namespace genesys::detail::services {

using order = std::memory_order;
constexpr u32 whole_warp = 0xffffffffu;

// On a GPU an acquire makes later loads wait for it, and loads over the link must be under way together. So loads and
// stores are relaxed there, and fences stand between them.
#if GENESYS_ON_CUDA
constexpr order load_order = order::relaxed, store_order = order::relaxed;
GENESYS_KERNEL void fence_if_relaxed_system() { cuda_target::fence_acq_rel_system(); }
GENESYS_KERNEL void fence_if_relaxed_device() { cuda_target::fence_acq_rel_device(); }
#else
constexpr order load_order = order::acquire, store_order = order::release;
GENESYS_KERNEL void fence_if_relaxed_system() {}
GENESYS_KERNEL void fence_if_relaxed_device() {}
#endif

GENESYS_KERNEL u32 bits_in(u32 mask) {
#if GENESYS_ON_CUDA
  return static_cast<u32>(__popc(mask));
#else
  return static_cast<u32>(__builtin_popcount(mask));
#endif
}
GENESYS_KERNEL u32 lowest_in(u32 mask) {
#if GENESYS_ON_CUDA
  return static_cast<u32>(__ffs(static_cast<int>(mask))) - 1;
#else
  return static_cast<u32>(__builtin_ctz(mask));
#endif
}

class dispatcher {
 public:
  GENESYS_KERNEL explicit dispatcher(const serve_context& c)
      : context_(c), blocks_(blocks_in_grid() - 1), head_(device_word(c.state->head).load(order::relaxed)) {
    for (u32 g = 0; g < rows; ++g) {
      const u32 block = g * warp_lanes + lane();
      // A block that begins changes only the launch in its word.
      assigned_[g] = block < blocks_ ? static_cast<u32>(device_word(c.state->ready[block]).load(order::relaxed)) : 0;
    }
  }

  GENESYS_KERNEL void run() {
    const u64 began = clock_ns();
    u64 busy = began;  // when there was something to do
    for (;;) {
      wait_for_something(began, busy);
      u64 words[slots_per_look];
      for (u32 i = 0; i < slots_per_look; ++i) words[i] = load(head_ + i);
      const u32 stop = host_word(context_.words->stop).load(order::relaxed);
      find_ready_blocks();
      const u64 now = clock_ns();
      const u32 closes =
          shuffle(whole_warp, u32{stop != 0 || (context_.stay_ns != 0 && now - began > context_.stay_ns)}, 0);
      bool took = false;
      if (closes == 0) {
        for (u32 i = 0; i < slots_per_look && take(words[i]); ++i) took = true;
      }
      if (took) {
        busy = now;
        continue;
      }
      if (ballot(whole_warp, all_ready()) != whole_warp) {
        busy = now;
      } else if (shuffle(whole_warp, closes | u32{now - busy > context_.idle_ns}, 0) != 0) {
        break;
      }
    }
    leave();
  }

 private:
  using host_word = global_atomic<const u32, thread_scope::system>;
  using device_word = global_atomic<u64>;
  static constexpr u32 slots_per_look = 4;              // loads over the link that are under way together
  static constexpr u32 rows = blocks_max / warp_lanes;  // lane l keeps the blocks l, l + 32, l + 64, ...

  GENESYS_KERNEL u64 load(u64 sequence) const {
    const u64 slot = sequence & ((u64{1} << context_.slots_log2) - 1);
    // Pairs with core::store_request (Q4): a share that follows sees what its submitter wrote before.
    return global_atomic<const u64, thread_scope::system>(context_.requests[slot].words[lane()]).load(load_order);
  }

  // On the CPU device lane 0 waits alone, so that the other lanes take no time of the processor and the device can see
  // that all its threads wait. On a GPU the loads that follow are the wait.
  GENESYS_KERNEL void wait_for_something(u64 began, u64 busy) const {
#if !GENESYS_ON_CUDA
    if (lane() == 0) {
      const u64 tag = tag_of(head_, context_.slots_log2);
      for (;;) {
        pause();
        const u64 now = clock_ns();
        if (load(head_) >> tag_shift == tag || host_word(context_.words->stop).load(order::relaxed) != 0 ||
            now - busy > context_.idle_ns || (context_.stay_ns != 0 && now - began > context_.stay_ns))
          break;
      }
    }
    sync_warp(whole_warp);
#else
    (void)began, (void)busy;
#endif
  }

  GENESYS_KERNEL void find_ready_blocks() {
    for (u32 g = 0; g < rows; ++g) {
      const u32 block = g * warp_lanes + lane();
      if (block >= blocks_ || (ready_ >> g & 1) != 0) continue;
      // Pairs with block_server::be_ready (B5): the block has read its mailbox.
      const u64 word = device_word(context_.state->ready[block]).load(load_order);
      if (word == pack_ready(context_.launch, assigned_[g])) ready_ |= 1u << g;
    }
  }

  GENESYS_KERNEL bool all_ready() const {
    for (u32 g = 0; g < rows; ++g) {
      // A block that has not begun has no share, and leaves when it begins.
      const u32 block = g * warp_lanes + lane();
      if (block >= blocks_ || (ready_ >> g & 1) != 0) continue;
      const u64 word = device_word(context_.state->ready[block]).load(order::relaxed);
      if (static_cast<u32>(word) != assigned_[g]) return false;
    }
    return true;
  }

  // K1 to K3 for the request at head, of which this lane has loaded its word. False: it is not there, or no block is
  // ready.
  GENESYS_KERNEL bool take(u64 word) {
    const u32 there = ballot(whole_warp, word >> tag_shift == tag_of(head_, context_.slots_log2));
    if ((there & 1) == 0) return false;
    const u64 word_0 = shuffle(whole_warp, word, 0);
    const u32 needed = words_of(word_0);
    const u32 mask = needed >= warp_lanes ? whole_warp : (1u << needed) - 1;
    if ((there & mask) != mask) return false;
    const request_header request = unpack_header(0, shuffle(whole_warp, word, 1));

    u32 ready[rows], count = 0;
    for (u32 g = 0; g < rows; ++g) {
      ready[g] = g * warp_lanes < blocks_ ? ballot(whole_warp, (ready_ >> g & 1) != 0) : 0;
      count += bits_in(ready[g]);
    }
    const u32 wanted = request.blocks == 0 ? 1 : request.blocks;
    const u32 shares = wanted < count ? wanted : count;
    if (shares == 0) return false;
    if (shares > 1 && lane() == 0) {
      share_record& record = context_.shares[request.completion_slot & ((1u << context_.slots_log2) - 1)];
      device_word(record.left).store(shares, order::relaxed);
      device_word(record.sum).store(0, order::relaxed);
      device_word(record.greatest).store(0, order::relaxed);
    }
    // Between the loads of the request and of the ready blocks, and the stores of the mailboxes. Of a quiet request the
    // words are all that the host has written.
    if (is_quiet(word_0)) {
      fence_if_relaxed_device();
    } else {
      fence_if_relaxed_system();
    }
    u32 share = 0;
    for (u32 g = 0; g < rows; ++g) {
      for (u32 left = ready[g]; left != 0 && share < shares; left &= left - 1, ++share) {
        assign(g, lowest_in(left), lane() == share_word ? pack_share(share, shares) : word & payload_mask);
      }
    }
    ++head_;
    return true;
  }

  // K3. `payload`: this lane's word of the mailbox.
  GENESYS_KERNEL void assign(u32 g, u32 owner, u64 payload) {
    if (lane() == owner) {
      ++assigned_[g];
      ready_ &= ~(1u << g);
    }
    const u64 tag = shuffle(whole_warp, assigned_[g], owner) & 255u;
    u64& to = context_.state->mailboxes[g * warp_lanes + owner].words[lane()];
    device_word(to).store(tag << tag_shift | payload, store_order);  // pairs with block_server::receive (B1)
  }

  // K4
  GENESYS_KERNEL void leave() const {
    if (lane() != 0) return;
    device_word(context_.state->head).store(head_, order::relaxed);                   // the next launch reads it
    global_atomic<u32>(context_.state->left).store(context_.launch, order::release);  // pairs with receive (B1)
    // Pairs with core::look_at_kernel (Q5).
    global_atomic<u32, thread_scope::system>(context_.words->gone).store(context_.launch, order::release);
  }

  const serve_context& context_;
  u32 blocks_;
  u64 head_;
  u32 ready_ = 0;       // one bit for each of the lane's blocks
  u32 assigned_[rows];  // shares that each of them ever got; modulo 256 the tag of its mailbox
};

}  // namespace genesys::detail::services
