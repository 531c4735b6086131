// SPDX-License-Identifier: Apache-2.0
// I1, I3, I4 at once: the library's submit_and_wait() against its consumer, with queues of 64 slots, so that nearly
// every lane waits until a slot's last request is taken. A request carries six words made of one number, and its result
// is a hash of it. This shows a mixed request, a lost one, one served twice, and the result of another call.
#include "host/submission_queue.h"
#include "litmus.h"

constexpr int patterns = 8;

#if defined(__CUDACC__)
namespace {
using namespace litmus;

GENESYS_KERNEL i64 result_for(u64 sequence) { return static_cast<i64>(mix(sequence) >> 8); }

enum class way {
  together,  // all lanes of a warp
  apart,     // lanes diverge at random, and call with and without the fence
  knowing,   // all lanes; each remembers its last sequence number, except at random
  wide,      // all lanes, with extra results
};

struct shape {
  const char* name;
  u32 blocks, threads, slots_log2, queues;
};

template <bool quiet>
__device__ void call(const device_context& a, u64 sequence, bool wide, tally* t, queue::sequence_hint* next = nullptr) {
  request r{};
  for (u32 k = 0; k < 6; ++k) r.args[k] = k == 0 ? sequence : mix(sequence + k);
  r.number = wide ? internal_resolve : 110;
  const queue::completion got = queue::submit_and_wait_inline<quiet>(a, r, next);
  if (got.value == -ECANCELED) {
    add(t->cancelled, 1);
  } else if (got.value != result_for(sequence)) {
    violation(t, static_cast<u64>(got.value), static_cast<u64>(result_for(sequence)));
  } else if (wide && (got.extra.first != mix(~sequence) || got.extra.second != ~mix(~sequence))) {
    violation(t, got.extra.first, mix(~sequence));
  }
}

template <way how>
__global__ void call_all(device_context a, u64 calls, u64 limit_ns, tally* t) {
  const u64 id = u64{block_rank()} * threads_in_block() + thread_rank();
  const u64 end = genesys::clock_ns() + limit_ns;
  u64 done = 0;
  queue::sequence_hint next;
  for (; done < calls && genesys::clock_ns() < end && !any_violation(t); ++done) {
    const u64 sequence = id << 36 | done;
    if (how == way::apart && (mix(sequence) & 1) != 0) {
      call<false>(a, sequence, false, t);
    } else if (how == way::knowing && mix(sequence) % 64 != 0) {
      call<true>(a, sequence, false, t, &next);
    } else {
      call<true>(a, sequence, how == way::wide, t);
    }
  }
  add(t->checked, done);
}

template <way how>
void check(report& r, const shape& s) {
  const u32 warps = s.blocks * ((s.threads + genesys::warp_lanes - 1) / genesys::warp_lanes);
  world w(s.slots_log2, s.queues, warps);  // the protocol needs as many completion groups as warps (I4)
  on_device<tally> counts(1);
  std::vector<submission_queue> queues(s.queues);
  std::atomic<u64> mixed{0};
  crew cpu;
  for (u32 i = 0; i < s.queues; ++i) {
    queues[i].lay_out(w.at, i);
    cpu.add([&mixed, own = &queues[i], reply = completion_writer(w.at)] {
      request q;
      if (own->dequeue(0, q) != submission_queue::dequeue_result::taken) return;
      bool same = reply.is_sound(q) && (q.number == 110 || q.number == internal_resolve);
      for (u32 k = 1; k < 6; ++k) same = same && q.args[k] == mix(q.args[0] + k);
      if (!same) mixed.fetch_add(1, std::memory_order_relaxed);
      const completion_extra extra{mix(~q.args[0]), ~mix(~q.args[0])};
      if (reply.is_sound(q))
        reply.complete(q, {.value = result_for(q.args[0]), .extra = q.number == internal_resolve ? &extra : nullptr});
    });
  }
  const double limit_s = r.seconds(1.5, 60);
  call_all<how><<<s.blocks, s.threads>>>(w.at, u64{1} << 32, static_cast<u64>(limit_s * 1e9), counts.at());
  const bool in_time = finish(limit_s + 3, &w);
  cpu.stop();
  u64 taken = 0;
  for (const submission_queue& one : queues) taken += one.taken_so_far();
  const tally t = counts.read();
  const u64 miscounted = taken > t.checked ? taken - t.checked : t.checked - taken;
  std::string note = first_of(t);
  if (mixed != 0) note += " mixed requests: " + std::to_string(mixed);
  if (miscounted != 0) note += " taken: " + std::to_string(taken);
  r.must(s.name, t.checked, t.violations + mixed + miscounted, in_time && t.cancelled == 0, note);
}

void run(report& r) {
  const u32 many = servers_max();
  check<way::together>(r, {"warps of 264, one queue of 64 slots", 132, 64, 6, 1});
  check<way::apart>(r, {"warps of 264 that fall apart, one queue of 64 slots", 132, 64, 6, 1});
  check<way::together>(r, {"single lanes of 264 warps, one queue of 64 slots", 264, 1, 6, 1});
  check<way::together>(r, {"warps of 1056, several queues of 64 slots", 132, 256, 6, many});
  check<way::together>(r, {"warps of 264, several queues of 4096 slots", 132, 64, 12, many});
  check<way::knowing>(r, {"one lane that remembers its slot, one queue of 64 slots", 1, 1, 6, 1});
  check<way::knowing>(r, {"single lanes of 264 warps that remember, several queues of 64 slots", 264, 1, 6, many});
  check<way::wide>(r, {"warps of 264 with extra results, several queues of 4096 slots", 132, 64, 12, many});
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
