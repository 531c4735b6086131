// SPDX-License-Identifier: Apache-2.0
// The dispatcher of the non-stop kernel (K1 to K5, wire/service.h): takes requests in their order, and assigns them to
// blocks that are ready, or has its own block run them. Called by the first warp of block 0, by all its lanes.
#pragma once

#include "genesys/detail/schedule/resident_raiser.h"
#include "genesys/detail/service/orders.h"

namespace genesys::detail::services {

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

// In shared memory, where they take no registers of kernels without a raiser.
struct raise_servers {
  aborts::raise_server of_lane[warp_lanes];
};

// `Run`: runs a share in the dispatcher's block. It takes this lane's word of the share, without a tag.
template <class Run>
class dispatcher {
 public:
  GENESYS_KERNEL dispatcher(const serve_context& c, const Run& run_here)
      : context_(c),
        run_here_(run_here),
        blocks_(blocks_in_grid() - 1),
        head_(device_word(c.state->head).load(order::relaxed)),
        raiser_number_(c.raisers_ended),
        raiser_(shared<raise_servers>().of_lane[lane()]) {
    for (u32 g = 0; g < rows; ++g) {
      const u32 block = g * warp_lanes + lane();
      // A block that begins changes only the launch in its word.
      assigned_[g] = block < blocks_ ? static_cast<u32>(device_word(c.state->ready[block]).load(order::relaxed)) : 0;
    }
  }

  GENESYS_KERNEL void run() {
    const u64 began = clock_ns();
    u64 busy = began;          // when there was something to do
    bool has_backlog = false;  // the requests may be more than the dispatcher's block can run
    u32 looks_in_all = 0;
    u64 asked = 0;
    for (;;) {
      wait_for_something(began, busy);
      const bool looks_for_all = looks_in_all++ % looks_for_words == 0;
      u32 raiser_stop = 0, wanted = 0;
      if (looks_for_all) {
        asked = host_word(context_.words->asked).load(load_order);
        if (has_raiser_) raiser_stop = u32{raiser_.is_stopped()};
      }
      if (has_raiser_) wanted = raiser_.wanted();
      u64 ready_words[rows], words[slots_per_look];
      for (u32 g = 0; g < rows && g * warp_lanes < blocks_; ++g) {
        // Pairs with block_server::be_ready (B5): the block has read its mailbox.
        ready_words[g] = device_word(context_.state->ready[g * warp_lanes + lane()]).load(load_order);
      }
      for (u32 r = 0; r < rows_max / warp_lanes; ++r)
        took_[r] = device_word(context_.state->took[r * warp_lanes + lane()]).load(order::relaxed);
      // Few slots without a backlog: a look waits for all its bytes.
      for (u32 i = 1; i < slots_per_look; ++i) {
        words[i] = i < 2 || has_backlog ? load(head_ + i, load_order) : without_tag(head_ + i);
      }
      words[0] = load(head_, order::acquire);  // the last load, because later ones wait for it
      is_fenced_ = false;
      if (has_raiser_) raiser_.store(wanted);
      if (looks_for_all)
        change_raiser(shuffle(whole_warp, raiser_in(asked), 0), shuffle(whole_warp, raiser_stop, 0) != 0);
      find_ready_blocks(ready_words);
      const u64 now = clock_ns();
      if (has_raiser_) busy = now;
      const u32 closes =
          shuffle(whole_warp,
                  u32{(asked & asked_to_stop) != 0 || (context_.stay_ns != 0 && now - began > context_.stay_ns)}, 0);
      ++looks_since_run_;
      const u32 looks = looks_since_run_;
      const taken how = closes == 0 ? take_from<0>(words) : taken::not_yet;
      has_backlog = how == taken::assigned;
      if (how != taken::not_yet) {
        adjust_wait(looks);
        busy = now;
        continue;
      }
      // A request that waits for a block keeps the kernel: otherwise it could leave before its blocks have begun, each
      // time.
      if (ballot(whole_warp, all_ready()) != whole_warp || (closes == 0 && (there(words[0], head_) & 1) != 0)) {
        busy = now;
      } else if (shuffle(whole_warp, closes | u32{now - busy > context_.idle_ns}, 0) != 0) {
        break;
      }
    }
    if (has_raiser_) raiser_.leave();  // G3
    leave();
  }

 private:
  using host_word = global_atomic<const u64, thread_scope::system>;
  using device_word = global_atomic<u64>;
  static constexpr u32 slots_per_look = 8;   // loads over the link that are under way together
  static constexpr u32 looks_for_words = 8;  // one of so many looks looks at `asked`, too
  // Until the next request of the same thread is there, in cycles of the GPU: at first, at least, at most, and in which
  // steps.
  static constexpr u32 wait_cycles = 900, wait_cycles_min = 300, wait_cycles_max = 2700;
  static constexpr u32 longer_cycles = 64, shorter_cycles = 4;
  static constexpr u32 requests_to_forget = 32;          // after so many, half of the longest time is forgotten
  static constexpr u64 unknown_ns = 40'000;              // a request whose time is not known is taken to run so long
  static constexpr u64 wait_for_blocks_ns = 20'000'000;  // at most
  static constexpr u32 rows = blocks_max / warp_lanes;   // lane l keeps the blocks l, l + 32, l + 64, ...

  GENESYS_KERNEL u64 load(u64 sequence, order how) const {
    const u64 slot = sequence & ((u64{1} << context_.slots_log2) - 1);
    // Pairs with core::store_request (Q4): a share that follows sees what its submitter wrote before.
    return global_atomic<const u64, thread_scope::system>(context_.requests[slot].words[lane()]).load(how);
  }
  GENESYS_KERNEL u64 without_tag(u64 sequence) const { return ~(tag_of(sequence, context_.slots_log2) << tag_shift); }
  // The lanes whose word of the slot has arrived.
  GENESYS_KERNEL u32 there(u64 word, u64 sequence) const {
    return ballot(whole_warp, word >> tag_shift == tag_of(sequence, context_.slots_log2));
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
        if (load(head_, load_order) >> tag_shift == tag || has_raiser_ ||
            host_word(context_.words->asked).load(order::relaxed) != u64{raiser_number_} << 32 ||
            now - busy > context_.idle_ns || (context_.stay_ns != 0 && now - began > context_.stay_ns))
          break;
      }
    }
    sync_warp(whole_warp);
#else
    (void)began, (void)busy;
#endif
  }

  // G2, G3.
  GENESYS_KERNEL void change_raiser(u32 number, bool is_stopped) {
    if (has_raiser_) {
      if (!is_stopped) return;
      raiser_.leave();
      has_raiser_ = false;
    }
    if (number == raiser_number_) return;
    raiser_number_ = number;
    fence_if_relaxed_system();  // pairs with core::serve: its context is there
    const auto word = [&](u32 i) { return host_word(context_.words->raiser_is[i]).load(order::relaxed); };
    raiser_ = aborts::raise_server({reinterpret_cast<aborts::raiser_words*>(word(0)),
                                    reinterpret_cast<aborts::flag_line*>(word(1)), static_cast<u32>(word(2))});
    raiser_.begin();
    has_raiser_ = true;
  }

  GENESYS_KERNEL void find_ready_blocks(const u64* words) {
    for (u32 g = 0; g < rows && g * warp_lanes < blocks_; ++g) {
      if (g * warp_lanes + lane() < blocks_ && words[g] == pack_ready(context_.launch, assigned_[g])) ready_ |= 1u << g;
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

  enum class taken { not_yet, assigned, run_here };

  // Takes requests, that of words[i] first. What it did with the first one. A template, so that the words stay in
  // registers: the loads of words in local memory would wait for each other.
  template <u32 i>
  GENESYS_KERNEL taken take_from(const u64 (&words)[slots_per_look]) {
    bool is_next_there = true;  // or unknown
    if constexpr (i + 1 < slots_per_look) is_next_there = there(words[i + 1], head_ + 1) != 0;
    const taken how = take(words[i], i == 0, is_next_there);
    if constexpr (i + 1 < slots_per_look) {
      if (how == taken::assigned) take_from<i + 1>(words);  // behind a run the words are old
    }
    return how;
  }

  // K1 to K3, or K5, for the request at head, of which this lane has loaded its word. Not yet: the request is not
  // there, or no block is ready. `acquired`: the load was an acquire.
  GENESYS_KERNEL taken take(u64 word, bool acquired, bool is_next_there) {
    const u32 here = there(word, head_);
    if ((here & 1) == 0) return taken::not_yet;
    const u64 word_0 = shuffle(whole_warp, word, 0);
    const u32 needed = words_of(word_0);
    const u32 mask = needed >= warp_lanes ? whole_warp : (1u << needed) - 1;
    if ((here & mask) != mask) return taken::not_yet;
    const request_header request = unpack_header(word_0, shuffle(whole_warp, word, 1));
    if (!is_next_there && is_short(request)) {  // K5
      ++head_;
      if (!acquired && !is_fenced_) fence_if_relaxed_system();
      run_here_(lane() == share_word ? pack_share(0, 1) : word & payload_mask);
      wait_for_submitter();
      return taken::run_here;
    }

    u32 ready[rows], count = 0;
    for (u32 g = 0; g < rows; ++g) {
      ready[g] = g * warp_lanes < blocks_ ? ballot(whole_warp, (ready_ >> g & 1) != 0) : 0;
      count += bits_in(ready[g]);
    }
    const u32 wanted = request.blocks == 0 ? 1 : request.blocks;
    const u32 shares = wanted < count ? wanted : count;
    if (shares == 0 || (shares < wanted && shares < blocks_ && waits_for_blocks(request, shares)))
      return taken::not_yet;
    if (shares > 1 && lane() == 0) {
      share_record& record = context_.shares[request.completion_slot & ((1u << context_.slots_log2) - 1)];
      device_word(record.word).store(shares * one_share, order::relaxed);
      device_word(record.sum).store(0, order::relaxed);
      device_word(record.greatest).store(0, order::relaxed);
    }
    // Between the loads of this look or the stores of the record, and the stores of the mailboxes. One fence of the
    // system is enough for all requests of a look.
    if (is_fenced_ ? shares > 1 : acquired && !is_next_there) {
      fence_if_relaxed_device();
    } else if (!is_fenced_) {
      fence_if_relaxed_system();
      is_fenced_ = true;
    }
    u32 share = 0;
    for (u32 g = 0; g < rows; ++g) {
      for (u32 left = ready[g]; left != 0 && share < shares; left &= left - 1, ++share) {
        assign(g, lowest_in(left), lane() == share_word ? pack_share(share, shares) : word & payload_mask);
      }
    }
    ++head_;
    return taken::assigned;
  }

  // Blocks that become ready later cannot join a request. So one that wants more than there are waits for half as long
  // as it would run on those: a launch has just begun, or other requests end. All lanes decide alike.
  GENESYS_KERNEL bool waits_for_blocks(const request_header& request, u32 shares) {
    const u64 now = shuffle(whole_warp, clock_ns(), 0);
    if (waiting_ != head_ + 1) {
      waiting_ = head_ + 1;
      waiting_since_ = now;
    }
    const u64 each = took(request), whole = each == 0 ? unknown_ns : each * request.blocks / shares;
    return now - waiting_since_ < (whole / 2 < wait_for_blocks_ns ? whole / 2 : wait_for_blocks_ns);
  }

  // Behind a run: the next request of a caller that waited for this one arrives after a trip over the link. A load that
  // is issued at once would just miss it, and the next one comes a whole trip later.
  GENESYS_KERNEL void wait_for_submitter() {
#if GENESYS_ON_CUDA
    const i64 began = clock64();  // clock_ns() may have steps that are longer
    while (clock64() - began < wait_cycles_) {
    }
#endif
    looks_since_run_ = 0;
  }
  // If the second look behind a run finds the request, the first one came too early. So about one of 16 does.
  GENESYS_KERNEL void adjust_wait(u32 looks) {
    if (looks == 1 && wait_cycles_ > wait_cycles_min) wait_cycles_ -= shorter_cycles;
    if (looks == 2 && wait_cycles_ < wait_cycles_max) wait_cycles_ += longer_cycles;
  }

  // How long a block of the request takes at most, as the last ones of its service did; 0: unknown.
  GENESYS_KERNEL u64 took(const request_header& request) const {
    const u32 row = request.row % rows_max;
    u64 word = 0;
    for (u32 r = 0; r < rows_max / warp_lanes; ++r) {
      const u64 of_row = shuffle(whole_warp, took_[r], row % warp_lanes);
      if (row / warp_lanes == r) word = of_row;
    }
    return word >> 32 == request.version ? static_cast<u32>(word) : 0;
  }

  // Whether the whole request takes no longer than `short_ns`.
  GENESYS_KERNEL bool is_short(const request_header& request) {
    const u64 ns = took(request);
    if (ns == 0) return false;
    if (++looked_up_ % requests_to_forget == 0 && lane() == 0)
      device_word(context_.state->took[request.row % rows_max])
          .store(pack_took(request.version, ns / 2), order::relaxed);
    return request.blocks * ns <= context_.short_ns;
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
  const Run& run_here_;
  u32 blocks_;
  u64 head_;
  bool is_fenced_ = false;  // a fence of the system follows the loads of this look
  bool has_raiser_ = false;
  u32 raiser_number_;
  aborts::raise_server& raiser_;  // this lane's; counts while has_raiser_
  u32 looked_up_ = 0;
  u32 wait_cycles_ = wait_cycles, looks_since_run_ = 0;
  u64 waiting_ = 0;  // 1 + the sequence number of the request that waits for more blocks
  u64 waiting_since_ = 0;
  u32 ready_ = 0;                    // one bit for each of the lane's blocks
  u64 took_[rows_max / warp_lanes];  // lane l keeps the rows l, l + 32
  u32 assigned_[rows];               // shares that each of them ever got; modulo 256 the tag of its mailbox
};

}  // namespace genesys::detail::services
