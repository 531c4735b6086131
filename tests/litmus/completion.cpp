// SPDX-License-Identifier: Apache-2.0
// S6 to C5: a lane that sees the completion's phase by an acquiring load also sees the extra result and the data that
// the CPU wrote before. After a barrier the other threads of its block see them, too, by plain loads. Their
// multiprocessor has just read the old data, and goes on reading it while the lane waits.
#include "litmus.h"

constexpr int patterns = 3;

#if defined(__CUDACC__)
namespace {
using namespace litmus;

constexpr u32 slots_log2 = 8;
constexpr u32 blocks = 132;
constexpr u32 payload_words = 512;

GENESYS_KERNEL u64 content(u32 block, u64 round, u32 i) { return mix(u64{block} << 48 | round << 12 | i); }

// C5 without the acquire.
__device__ u64 await_relaxed(const device_context& a, u32 slot, u32 phase) {
  for (u32 looks = 1;; ++looks) {
    const u64 seen = atomic<u64, thread_scope::system>(a.completion_slots[slot].word).load(order::relaxed);
    if (phase_of(seen) == phase) return seen;
    if (looks % 4096 == 0 && runtime_ended(a))
      return u64{phase} << 63 | (static_cast<u64>(i64{-ECANCELED}) & completion_value_mask);
  }
}

struct completions_seen {
  tally extra, data;
};

template <bool acquiring>
__global__ void receive(device_context a, const u64* payload, u64 limit_ns, completions_seen* seen) {
  __shared__ bool more;
  mailbox box{block_rank()};
  const u64* mine = payload + u64{block_rank()} * payload_words;
  const u64 end = genesys::clock_ns() + limit_ns;
  u64 checked = 0, idle = 0;
  for (u64 round = 1;; ++round) {
    for (u32 i = thread_rank(); i < payload_words; i += threads_in_block()) idle |= plain_load(mine + i);
    sync_block();
    if (thread_rank() == 0) {
      request r{};
      r.args[0] = round;
      r.completion_slot = box.id;
      r.phase = static_cast<u32>(round) & 1;
      send<true>(a, box, r);
      const u64 word = acquiring ? queue::wait_for_completion(a, r.completion_slot, r.phase, lanes_together(a)).word
                                 : await_relaxed(a, r.completion_slot, r.phase);
      const u64 first = atomic<u64, thread_scope::system>(a.extras[r.completion_slot].first).load(order::relaxed);
      const u64 second = atomic<u64, thread_scope::system>(a.extras[r.completion_slot].second).load(order::relaxed);
      more = !was_cancelled(word);
      if (more) {
        if (first != round) violation(&seen->extra, first, round);
        if (second != ~round) violation(&seen->extra, second, ~round);
      }
      if (genesys::clock_ns() >= end) more = false;
    } else if (thread_rank() >= genesys::warp_lanes) {
      // The old lines come back into the cache while the lane waits.
      for (int again = 0; again < 4; ++again) {
        for (u32 i = thread_rank(); i < payload_words; i += threads_in_block()) idle |= plain_load(mine + i);
        genesys::fence<thread_scope::block>();  // keeps the compiler from merging the loads
      }
    }
    sync_block();
    if (!more) break;
    for (u32 i = thread_rank(); i < payload_words; i += threads_in_block()) {
      const u64 word = plain_load(mine + i);
      if (word != content(block_rank(), round, i)) violation(&seen->data, word, content(block_rank(), round, i));
      ++checked;
    }
  }
  add(seen->data.checked, checked);
  if (idle == 1) add(seen->data.cancelled, 1);  // never true, but the compiler cannot know
  if (thread_rank() == 0) add(seen->extra.checked, box.calls);
}

struct result {
  completions_seen seen;
  bool in_time;
};

template <bool acquiring>
result measure(u32 threads, double limit_s) {
  world w(slots_log2, 1, 8);
  pinned<u64> payload(blocks * payload_words);
  on_device<completions_seen> seen(1);
  crew cpu;
  serve_mailboxes(cpu, w.at, blocks, [reply = completion_writer(w.at), at = payload.at()](u32 id, const request& r) {
    const u64 round = r.args[0];
    for (u32 i = 0; i < payload_words; ++i) {
      std::atomic_ref<u64>(at[u64{id} * payload_words + i]).store(content(id, round, i), std::memory_order_relaxed);
    }
    const completion_extra extra{round, ~round};
    if (reply.is_sound(r)) reply.complete(r, {.value = 0, .extra = &extra});
  });
  receive<acquiring><<<blocks, threads>>>(w.at, payload.at(), static_cast<u64>(limit_s * 1e9), seen.at());
  const bool in_time = finish(limit_s + 5, &w);
  cpu.stop();
  return {seen.read(), in_time};
}

void run(report& r) {
  const double limit_s = r.seconds(2.5, 60);
  const result own = measure<true>(1, limit_s);
  r.must("data read before, then by the caller after its acquire", own.seen.data.checked, own.seen.data.violations,
         own.in_time, first_of(own.seen.data));
  const result others = measure<true>(256, limit_s);
  r.must("data read before, then by 256 threads after a barrier", others.seen.data.checked, others.seen.data.violations,
         others.in_time, first_of(others.seen.data));
  r.must("extra results", own.seen.extra.checked + others.seen.extra.checked,
         own.seen.extra.violations + others.seen.extra.violations, true,
         first_of(own.seen.extra.violations != 0 ? own.seen.extra : others.seen.extra));
  const result own_weak = measure<false>(1, limit_s);
  r.weak("the caller after a relaxed load", own_weak.seen.data.checked, own_weak.seen.data.violations);
  const result others_weak = measure<false>(256, limit_s);
  r.weak("256 threads after a relaxed load and a barrier", others_weak.seen.data.checked,
         others_weak.seen.data.violations);
  r.weak("extra results after a relaxed load", own_weak.seen.extra.checked + others_weak.seen.extra.checked,
         own_weak.seen.extra.violations + others_weak.seen.extra.violations);
}

}  // namespace
#endif

int main(int argc, char** argv) {
  litmus::report report(argc, argv, patterns);
#if defined(__CUDACC__)
  if (litmus::has_gpu()) run(report);
#endif
  return report.end();
}
