// SPDX-License-Identifier: Apache-2.0
// C4 to S2: when all eight tags of a slot are there, so are the plain stores that the lane, or other threads of its
// block before a barrier, made before the fence. Blocks write 64 bytes to 4 KiB, publish by the library's own step, and
// the CPU checks every word as soon as the request is complete.
#include "litmus.h"

constexpr int patterns = 3;

#if defined(__CUDACC__)
namespace {
using namespace litmus;

constexpr u32 slots_log2 = 8;
constexpr u32 blocks = 132;
constexpr u32 payload_words_max = 512;

GENESYS_KERNEL u64 content(u32 block, u64 round, u32 i) { return mix(u64{block} << 48 | round << 12 | i); }

template <bool fenced>
__global__ void send_payloads(device_context a, u64* payload, u64 limit_ns) {
  __shared__ bool more;
  mailbox box{block_rank()};
  u64* mine = payload + u64{block_rank()} * payload_words_max;
  const u64 end = genesys::clock_ns() + limit_ns;
  for (u64 round = 1;; ++round) {
    const u32 words = 8u << round % 7;
    for (u32 i = thread_rank(); i < words; i += threads_in_block())
      plain_store(mine + i, content(block_rank(), round, i));
    sync_block();
    if (thread_rank() == 0) {
      request r{};
      for (int k = 0; k < 6; ++k) r.args[k] = round;
      r.warp = static_cast<u32>(round % 7);
      more = !was_cancelled(ask<!fenced>(a, box, r)) && genesys::clock_ns() < end;
    }
    sync_block();
    if (!more) return;
  }
}

struct result {
  u64 requests, incomplete, inconsistent;
  bool in_time;
};

template <bool fenced>
result measure(u32 threads, double limit_s) {
  world w(slots_log2, 1, 8);
  pinned<u64> payload(blocks * payload_words_max);
  std::atomic<u64> requests{0}, incomplete{0}, inconsistent{0};
  crew cpu;
  serve_mailboxes(
      cpu, w.at, blocks,
      [&, reply = completion_writer(w.at), last = std::vector<u64>(blocks)](u32 id, const request& r) mutable {
        const u64 round = last[id] + 1;
        last[id] = round;
        bool same = r.completion_slot == id && r.warp == round % 7;
        for (u64 arg : r.args) same = same && arg == round;
        if (!same) inconsistent.fetch_add(1, std::memory_order_relaxed);
        const u32 words = 8u << round % 7;
        bool complete = true;
        // From the end: first the words that were written last, by other threads.
        for (u32 i = words; i-- > 0;) {
          const u64 word =
              std::atomic_ref<u64>(payload.at()[u64{id} * payload_words_max + i]).load(std::memory_order_relaxed);
          complete = complete && word == content(id, round, i);
        }
        if (!complete) incomplete.fetch_add(1, std::memory_order_relaxed);
        requests.fetch_add(1, std::memory_order_relaxed);
        request sound = r;
        sound.completion_slot = id;
        sound.phase = static_cast<u32>(round) & 1;
        reply.complete(sound, {.value = 0});
      });
  send_payloads<fenced><<<blocks, threads>>>(w.at, payload.at(), static_cast<u64>(limit_s * 1e9));
  const bool in_time = finish(limit_s + 5, &w);
  cpu.stop();
  return {requests, incomplete, inconsistent, in_time};
}

void run(report& r) {
  const double limit_s = r.seconds(2.5, 60);
  const result own = measure<true>(1, limit_s);
  r.must("the caller's own stores, fence, tags", own.requests, own.incomplete, own.in_time);
  const result others = measure<true>(128, limit_s);
  r.must("stores of 128 threads, barrier, one fence, tags", others.requests, others.incomplete, others.in_time);
  const result own_weak = measure<false>(1, limit_s);
  r.weak("the caller's own stores, tags", own_weak.requests, own_weak.incomplete);
  const result others_weak = measure<false>(128, limit_s);
  r.weak("stores of 128 threads, barrier, tags", others_weak.requests, others_weak.incomplete);
  r.must("eight equal tags are one request (also without fence)",
         own.requests + others.requests + own_weak.requests + others_weak.requests,
         own.inconsistent + others.inconsistent + own_weak.inconsistent + others_weak.inconsistent);
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
