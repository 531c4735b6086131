// SPDX-License-Identifier: Apache-2.0
// Kernels with polls written by hand. Those that are not idempotent show an abort that was not rolled back, and a
// launch that was taken for whole though it was not.
#pragma once

#include "launching.h"

namespace abort_testing {

// Loops long enough that aborts hit their middle.
GENESYS_KERNEL u32 turns() {
#if GENESYS_ON_CUDA
  return 2000;
#else
  return 40;
#endif
}

constexpr u32 block_max = 128;
struct exchange_words {
  u64 word[block_max];
};

// In each turn every thread hands a word to the next thread, and adds what it got to its own word in `data`.
// `wrong` counts words of another turn.
struct barrier_kernel {
  GENESYS_KERNEL void operator()(launch_context abort, u64* data, u64* wrong) const {
    aborts::voting_guard guard(abort);
    if (guard.must_leave_at_entry()) return;
    u64* const shared = genesys::shared<exchange_words>().word;
    const u32 me = genesys::thread_rank(), all = genesys::threads_in_block();
    u64& mine = data[genesys::block_rank() * all + me];
    for (u32 turn = 1; turn <= turns(); ++turn) {
      if (turn % 4 == me % 4) guard.prefetch();  // threads look at different times
      shared[me] = u64{turn} << 32 | me;
      if (guard.must_leave_at_barrier()) return;
      const u64 got = shared[(me + 1) % all];
      if (got != (u64{turn} << 32 | (me + 1) % all)) genesys::atomic<u64>(*wrong).fetch_add(1);
      mine = mine * 3 + got;
      if (guard.must_leave_at_barrier()) return;
    }
  }
};

// The same, but threads also leave between barriers, in a loop whose length differs.
struct uneven_kernel {
  GENESYS_KERNEL void operator()(launch_context abort, u64* data, u64* wrong) const {
    aborts::voting_guard guard(abort);
    if (guard.must_leave_at_entry()) return;
    u64* const shared = genesys::shared<exchange_words>().word;
    const u32 me = genesys::thread_rank(), all = genesys::threads_in_block();
    u64& mine = data[genesys::block_rank() * all + me];
    for (u32 turn = 1; turn <= turns(); ++turn) {
      shared[me] = turn;
      for (u32 i = 0; i < me % 7; ++i) {
        mine += i;
        guard.prefetch();
        if (i % 3 == 2) genesys::pause();
        if (guard.must_leave()) return;
      }
      if (guard.must_leave_at_barrier()) return;
      const bool next_has_ended = (me + 1) % all % 5 == 4 && turn > turns() / 2;
      if (!next_has_ended && shared[(me + 1) % all] != turn) genesys::atomic<u64>(*wrong).fetch_add(1);
      mine = mine * 3 + turn;
      if (guard.must_leave_at_barrier()) return;
      // Some threads end earlier than others, right after a barrier: the end of a thread orders nothing in its block.
      if (me % 5 == 4 && turn == turns() / 2) return;
    }
  }
};

// A tight loop without barriers: each thread decides alone.
struct lone_kernel {
  GENESYS_KERNEL void operator()(launch_context abort, u64* data, u64*) const {
    aborts::lone_guard guard(abort);
    if (guard.must_leave_at_entry()) return;
    u64& mine = data[genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank()];
    for (u32 turn = 0; turn < turns(); ++turn) {
      if (turn % 8 == 7) {
        guard.prefetch();
        genesys::pause();
      }
      mine = mine * 5 + turn;
      if (guard.must_leave()) return;
    }
  }
};

// CONTROL: the same, but it polls so rarely that it runs on for some time after the raise.
struct rarely_polling_kernel {
  GENESYS_KERNEL void operator()(launch_context abort, u64* data, u64*) const {
    aborts::lone_guard guard(abort);
    if (guard.must_leave_at_entry()) return;
    u64& mine = data[genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank()];
    for (u32 poll = 0; poll < 20; ++poll) {
      for (u32 turn = 0; turn < turns(); ++turn) {
        if (turn % 8 == 7) genesys::pause();
        mine = mine * 5 + turn;
      }
      guard.prefetch();
      if (guard.must_leave()) return;
    }
  }
};

// A sum over the block, added to a total of all launches.
struct reduction_kernel {
  GENESYS_KERNEL void operator()(launch_context abort, u64* data, u64* wrong) const {
    aborts::voting_guard guard(abort);
    if (guard.must_leave_at_entry()) return;
    u64* const shared = genesys::shared<exchange_words>().word;
    const u32 me = genesys::thread_rank(), all = genesys::threads_in_block();
    const u64 sum = u64{all} * (all - 1) / 2;
    for (u32 turn = 0; turn < turns() / 4; ++turn) {
      shared[me] = me;
      for (u32 width = all / 2; width != 0; width /= 2) {
        guard.prefetch();
        if (guard.must_leave_at_barrier()) return;
        if (me < width) shared[me] += shared[me + width];
      }
      if (me == 0) {
        if (shared[0] != sum) genesys::atomic<u64>(*wrong).fetch_add(1);
        data[genesys::block_rank() * all] += shared[0];
      }
      if (guard.must_leave_at_barrier()) return;
    }
  }
};

// CONTROL: after a plain barrier each thread decides by its own load.
struct stale_kernel {
  GENESYS_KERNEL void operator()(launch_context abort, u64* data, u64* wrong) const {
    aborts::lone_guard guard(abort);
    u64* const shared = genesys::shared<exchange_words>().word;
    const u32 me = genesys::thread_rank(), all = genesys::threads_in_block();
    for (u32 turn = 1; turn <= turns(); ++turn) {
      if (turn % 4 == me % 4) guard.prefetch();
      shared[me] = turn;
      genesys::sync_block();
      if (guard.must_leave()) return;
      if (shared[(me + 1) % all] != turn) genesys::atomic<u64>(*wrong).fetch_add(1);
      data[genesys::block_rank() * all + me] += turn;
      genesys::sync_block();
      if (guard.must_leave()) return;
    }
  }
};

// Two launches of one task: the second one writes over what the first one reads.
struct reader_kernel {
  GENESYS_KERNEL void operator()(launch_context abort, u64* data, u64* input) const {
    aborts::lone_guard guard(abort);
    if (guard.must_leave_at_entry()) return;
    const u64 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    for (u32 turn = 0; turn < turns(); ++turn) {
      if (turn % 8 == 7) {
        guard.prefetch();
        genesys::pause();
      }
      data[me] = data[me] * 5 + input[me];
      if (guard.must_leave()) return;
    }
  }
};
struct writer_kernel {
  GENESYS_KERNEL void operator()(launch_context abort, u64* input, u64 value) const {
    aborts::lone_guard guard(abort);
    if (guard.must_leave_at_entry()) return;
    input[genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank()] = value;
  }
};

}  // namespace abort_testing
