// SPDX-License-Identifier: Apache-2.0
// The non-stop kernel: a block that dispatches, and blocks that run requests (B1 to B5, wire/service.h). Called by all
// threads of the launch. The template's parameters are the services that it has; a service_row says which of them it
// is, and holds the functor.
#pragma once

#include <cerrno>
#include <cstring>
#include <type_traits>

#include "genesys/detail/service/dispatch.h"
#include "genesys/detail/target/assert.h"

namespace genesys {

// The part of a request that a block runs. In operator() of a service, the same in all threads of the block.
struct service_block {
  unsigned block;   // of the request, from 0
  unsigned blocks;  // as many as the caller asked for
  // This thread's number in the request, and how many threads it has.
  GENESYS_KERNEL unsigned long thread() const { return std::uint64_t{block} * threads_in_block() + thread_rank(); }
  GENESYS_KERNEL unsigned long threads() const { return std::uint64_t{blocks} * threads_in_block(); }
};

}  // namespace genesys

namespace genesys::detail::services {

// In shared memory.
struct alignas(16) block_memory {
  u64 words[slot_words];  // of the mailbox
  alignas(16) unsigned char arguments[argument_bytes_max];
  alignas(16) unsigned char object[object_bytes_max];  // the functor
  u64 row_head;                                        // of the row that `object` is of
  u32 row;
  u32 leaves;
};

// Calls service number `code` of the list. Its result is that of thread 0; void counts as 0.
template <class S>
GENESYS_KERNEL i64 run_one(const block_memory& m, const service_block& here) {
  const S& service = *static_cast<const S*>(static_cast<const void*>(m.object));
  const auto& arguments = *static_cast<const typename S::arguments*>(static_cast<const void*>(m.arguments));
  if constexpr (std::is_void_v<decltype(service(here, arguments))>) {
    service(here, arguments);
    return 0;
  } else {
    return service(here, arguments);
  }
}
template <class... S>
GENESYS_KERNEL i64 run_service(u32 code, const block_memory& m, const service_block& here) {
  i64 result = -ENOSYS;
  u32 number = 0;
  ((code == number++ ? static_cast<void>(result = run_one<S>(m, here)) : static_cast<void>(0)), ...);
  return result;
}

template <class... S>
class block_server {
 public:
  GENESYS_KERNEL block_server(const serve_context& c, u32 block)
      : context_(c),
        block_(block),
        mine_(shared<block_memory>()),
        ended_(static_cast<u32>(device_word(c.state->ready[block]).load(order::relaxed))) {}

  GENESYS_KERNEL void run() {
    if (thread_rank() == 0) mine_.row = rows_max;  // none
    be_ready();
    for (;;) {
      if (warp_rank() == 0) receive();
      sync_block();
      if (mine_.leaves != 0) return;
      run_share();  // ends with a barrier
      ++ended_;
      be_ready();
    }
  }

 private:
  using device_word = global_atomic<u64>;

  // B5
  GENESYS_KERNEL void be_ready() const {
    if (thread_rank() != 0) return;
    // Pairs with dispatcher::find_ready_blocks (K2).
    device_word(context_.state->ready[block_]).store(pack_ready(context_.launch, ended_), store_order);
  }

  GENESYS_KERNEL u64 load() const {
    // Pairs with dispatcher::assign (K3).
    return device_word(context_.state->mailboxes[block_].words[lane()]).load(load_order);
  }
  GENESYS_KERNEL bool is_over() const {  // pairs with dispatcher::leave (K4)
    return global_atomic<u32>(context_.state->left).load(load_order) == context_.launch;
  }

  // B1, by the first warp: fills mine_.
  GENESYS_KERNEL void receive() {
    const u64 tag = (ended_ + 1) & 255u;
#if !GENESYS_ON_CUDA
    if (lane() == 0) {  // as in dispatcher::wait_for_something
      while (load() >> tag_shift != tag && !is_over()) pause();
    }
    sync_warp(whole_warp);
#endif
    u64 word = 0;
    for (;;) {
      word = load();
      if (ballot(whole_warp, word >> tag_shift == tag) == whole_warp) break;
      if (ballot(whole_warp, lane() == 0 && is_over()) != 0) {
        GENESYS_ASSERT(load() >> tag_shift != tag, "J6: a block that leaves has no share");
        if (lane() == 0) mine_.leaves = 1;
        return;
      }
      pause(20);
    }
    fence_if_relaxed_device();
    if (lane() == 0) mine_.leaves = 0;
    mine_.words[lane()] = word & payload_mask;
    sync_warp(whole_warp);
    if (lane() < argument_words_max) {
      const u64 argument = unpack_argument(mine_.words, lane());
      std::memcpy(mine_.arguments + 8 * lane(), &argument, 8);
    }
    fetch_row(static_cast<u32>(mine_.words[0]) & 255u, static_cast<u32>(mine_.words[0] >> 8) & version_mask);
  }

  // The row is kept from one request to the next: a row changes only together with its version.
  GENESYS_KERNEL void fetch_row(u32 row, u32 version) {
    const bool known = mine_.row == row && static_cast<u32>(mine_.row_head >> 32) == version;
    sync_warp(whole_warp);
    if (known) return;
    if (row < rows_max && lane() < row_words) {
      // Pinned memory. The host wrote it before it submitted the request, and the words of that are here.
      fence<thread_scope::system>();
      const u64 word =
          global_atomic<const u64, thread_scope::system>(reinterpret_cast<const u64*>(&context_.rows[row])[lane()])
              .load(order::relaxed);
      if (lane() == 0) {
        mine_.row_head = word;
      } else {
        std::memcpy(mine_.object + 8 * (lane() - 1), &word, 8);
      }
    }
    if (lane() == 0) mine_.row = row;
  }

  // B2 to B4
  GENESYS_KERNEL void run_share() {
    const request_header request = unpack_header(mine_.words[0], mine_.words[1]);
    const u32 share = share_of(mine_.words[share_word]), shares = shares_of(mine_.words[share_word]);
    const bool stale = request.row >= rows_max || request.blocks == 0 ||
                       (static_cast<u32>(mine_.row_head >> 32) & version_mask) != request.version;
    i64 sum = 0, least = 0;
    if (stale) {
      least = -ESTALE;
      sync_block();
    } else {
      for (u32 b = share; b < request.blocks; b += shares) {
        const i64 result = run_service<S...>(static_cast<u32>(mine_.row_head), mine_, {b, request.blocks});
        if (result >= 0) {
          sum += result;
        } else if (result < least) {
          least = result;
        }
        sync_block();  // the service's shared memory is free again; at the end all its results are stored
      }
    }
    if (thread_rank() == 0) complete(request, shares, sum, least);
  }

  // B4, by thread 0.
  GENESYS_KERNEL void complete(const request_header& request, u32 shares, i64 sum, i64 least) const {
    const u32 slot = request.completion_slot & ((1u << context_.slots_log2) - 1);
    if (shares > 1) {
      share_record& record = context_.shares[slot];
      device_word(record.sum).fetch_add(static_cast<u64>(sum), order::relaxed);
      device_word(record.greatest).fetch_max(static_cast<u64>(-least), order::relaxed);
      // What this block wrote for the host goes before the completion of another block.
      if (request.quiet == 0) fence<thread_scope::system>();
      if (device_word(record.left).fetch_sub(1, order::acq_rel) != 1) return;
      sum = static_cast<i64>(device_word(record.sum).load(order::relaxed));
      least = -static_cast<i64>(device_word(record.greatest).load(order::relaxed));
    }
    const i64 result = least < 0 ? least : fits_result(sum) ? sum : -EOVERFLOW;
    const global_atomic<u64, thread_scope::system> completion(context_.completions[slot].word);
    GENESYS_ASSERT(use_of(completion.load(order::relaxed)) == ((request.use - 1) & 0xffffu),
                   "J4: each use of a completion slot has one completion");
    // Pairs with core::look (Q6).
    const u64 word = pack_completion(request.use, fits_result(result) ? result : -EOVERFLOW);
    if (request.quiet != 0) {
      completion.store(word, store_order);
      fence_if_relaxed_device();  // the mailbox is read before be_ready()
    } else {
      completion.store(word, order::release);
    }
  }

  const serve_context& context_;
  u32 block_;
  block_memory& mine_;
  u32 ended_;  // shares that this block has ended, ever
};

// Blocks have at least 32 threads. Warps of block 0 other than the first end at once.
template <class... S>
GENESYS_KERNEL void serve(const serve_context& c) {
  if (block_rank() != 0) {
    block_server<S...>(c, block_rank() - 1).run();
  } else if (warp_rank() == 0) {
    dispatcher(c).run();
  }
}

}  // namespace genesys::detail::services
