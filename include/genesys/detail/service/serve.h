// SPDX-License-Identifier: Apache-2.0
// The non-stop kernel: a block that dispatches, and blocks that run requests (B1 to B5, wire/service.h). Called by all
// threads of the launch. The template's parameters are the services that it has.
#pragma once

#include "genesys/detail/service/dispatch.h"
#include "genesys/detail/service/run_share.h"

namespace genesys::detail::services {

template <class... S>
class block_server {
 public:
  GENESYS_KERNEL block_server(const serve_context& c, u32 block)
      : context_(c),
        block_(block),
        runner_(c),
        ended_(static_cast<u32>(device_word(c.state->ready[block]).load(order::relaxed))) {}

  GENESYS_KERNEL void run() {
    be_ready();
    for (;;) {
      if (warp_rank() == 0) receive();
      sync_block();
      if (runner_.leaves()) return;
      runner_.run();
      ++ended_;
      be_ready();
    }
  }

 private:
  using device_word = global_atomic<u64>;

  // B5
  GENESYS_KERNEL void be_ready() const {
    if (thread_rank() != 0) return;
    fence_if_relaxed_device();  // the mailbox was read before
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

  // B1, by the first warp.
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
        runner_.prepare_to_leave();
        return;
      }
      pause(20);
    }
    fence_if_relaxed_device();
    runner_.prepare(word & payload_mask);
  }

  const serve_context& context_;
  u32 block_;
  share_runner<S...> runner_;
  u32 ended_;  // shares that this block has ended, ever
};

// Block 0: its first warp dispatches. All its threads run the requests that the dispatcher keeps (K5).
template <class... S>
GENESYS_KERNEL void dispatch_and_run(const serve_context& c) {
  const share_runner<S...> runner(c);
  if constexpr (has_loadable<S...>) {
    if (thread_rank() == 0)
      global_atomic<u32, thread_scope::system>(c.words->began).store(c.launch, order::relaxed);  // for core::exchange
  }
  if (warp_rank() == 0) {
    sync_warp(whole_warp);
    dispatcher(c, [&](u64 payload) {
      runner.prepare(payload);
      sync_block();
      runner.run();
    }).run();
    runner.prepare_to_leave();
    sync_block();
    return;
  }
  for (;;) {
    sync_block();
    if (runner.leaves()) return;
    runner.run();
  }
}

// Blocks have at least 32 threads.
template <class... S>
GENESYS_KERNEL void serve(const serve_context& c) {
  if (block_rank() != 0) {
    block_server<S...>(c, block_rank() - 1).run();
  } else {
    dispatch_and_run<S...>(c);
  }
}

}  // namespace genesys::detail::services
