// SPDX-License-Identifier: Apache-2.0
// C6 to C1: a completion slot goes from one owner to the next by relaxed atomics in device memory (`handoff_release` in
// queue/completion_slots.h). The next owner, on another multiprocessor, must never take the result of an earlier
// request for its own. One lane of each of 264 warps competes for few slots, so that each slot is claimed the moment it
// is free. The CPU's result is a hash of the request, and its inline data another one.
//
// The lanes can also read the extra result before the release, as take_completion() does. The row that must hold
// releases after the reads; the weak row lets the relaxed release overtake them.
#include "litmus.h"

constexpr int patterns = 3;

#if defined(__CUDACC__)
namespace {
using namespace litmus;

constexpr u32 slots_log2 = 9;
constexpr u32 blocks = 132, threads = 64;
constexpr u32 callers = blocks * threads / genesys::warp_lanes;

GENESYS_KERNEL i64 result_for(u64 sequence) { return static_cast<i64>(mix(sequence) >> 8); }

struct shape {
  u32 lanes_used;   // completion slots of a group that the lanes compete for
  u64 claims_each;  // of each lane
  u64 limit_ns;
};

enum class extras { none, before_release, overtaken };

template <extras with, order claim_order>
__global__ void fight(device_context a, shape s, tally* t) {
  const u32 id = block_rank() * (threads / genesys::warp_lanes) + genesys::warp_rank();
  if (lane() != id % s.lanes_used) return;
  const u64 end = genesys::clock_ns() + s.limit_ns;
  mailbox box{id};
  for (u64 i = 0; i < s.claims_each; ++i) {
    if (i % 16 == 0 && (genesys::clock_ns() >= end || any_violation(t))) break;
    const u32 group = warp_hint() % a.groups;
    u32 wanted = 1u << lane();
    const u32 lanes = wanted;
    queue::claimed_slot mine{};
    const u64 old = atomic<u64>(a.claims[group]).fetch_or(wanted, claim_order);
    queue::record_claimed(static_cast<u32>(old), static_cast<u32>(old >> 32), group, wanted, mine);
    if (wanted != 0 && !queue::claim_in_other_groups(a, lanes, lane(), wanted, mine, group)) break;

    request r{};
    r.args[0] = u64{id} << 40 | i;
    r.completion_slot = mine.group * slots_in_group + lane();
    r.phase = mine.phase;
    send<true>(a, box, r);
    const queue::completion_words seen = queue::wait_for_completion(a, r.completion_slot, r.phase, lanes_together(a));
    const u64 word = seen.word, data = inline_data_of(word, seen.data);
    u64 first = mix(r.args[0] + 1);
    if constexpr (with != extras::none) {
      first = atomic<u64, thread_scope::system>(a.extras[r.completion_slot].first).load(order::relaxed);
    }
    if constexpr (with == extras::before_release) genesys::fence<thread_scope::device>();
    queue::release_slot(a, r.completion_slot);

    if (was_cancelled(word)) {
      add(t->cancelled, 1);
      break;
    }
    if (completion_value(word) != result_for(r.args[0])) {
      violation(t, static_cast<u64>(completion_value(word)), static_cast<u64>(result_for(r.args[0])));
    } else if (data != mix(r.args[0] + 2)) {
      violation(t, data, mix(r.args[0] + 2));
    } else if (first != mix(r.args[0] + 1)) {
      violation(t, first, mix(r.args[0] + 1));
    }
  }
  add(t->checked, box.calls);
}

struct result {
  tally counts;
  bool in_time;
};

template <extras with, order claim_order = order::acquire>
result measure(u32 groups, const shape& s) {
  world w(slots_log2, 1, groups);
  on_device<tally> counts(1);
  crew cpu;
  serve_mailboxes(cpu, w.at, callers, [reply = completion_writer(w.at)](u32, const request& r) {
    const completion_extra extra{mix(r.args[0] + 1), 0};
    if (reply.is_sound(r))
      reply.complete(r, {.value = result_for(r.args[0]),
                         .inline_data = mix(r.args[0] + 2),
                         .extra = with == extras::none ? nullptr : &extra});
  });
  fight<with, claim_order><<<blocks, threads>>>(w.at, s, counts.at());
  const bool in_time = finish(static_cast<double>(s.limit_ns) * 1e-9 + 2, &w);
  cpu.stop();
  return {counts.read(), in_time && counts.read().cancelled == 0};
}

void run(report& r) {
  const auto limit_ns = static_cast<u64>(r.seconds(4.5, 120) * 1e9);
  const u64 claims_each = r.full() ? 40'000'000 : 120'000;
  const auto must = [&](const char* name, const result& got) {
    r.must(name, got.counts.checked, got.counts.violations, got.in_time, first_of(got.counts));
  };
  must("8 groups, 4 slots each, 66 callers a slot number", measure<extras::none>(8, {4, claims_each, limit_ns}));
  must("1 group, 32 slots, 8 callers a slot", measure<extras::none>(1, {32, claims_each, limit_ns / 2}));
  must("extra result read, fence, then released", measure<extras::before_release>(8, {4, claims_each, limit_ns / 2}));
  const result overtaken = measure<extras::overtaken>(8, {4, claims_each, limit_ns / 2});
  r.weak("extra result read, released without waiting for it", overtaken.counts.checked, overtaken.counts.violations,
         first_of(overtaken.counts));
  const result relaxed = measure<extras::none, order::relaxed>(8, {4, claims_each, limit_ns / 2});
  r.weak("claimed relaxed, too", relaxed.counts.checked, relaxed.counts.violations, first_of(relaxed.counts));
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
