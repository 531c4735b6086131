// SPDX-License-Identifier: Apache-2.0
// C6 to C1: a completion slot goes from one owner to the next by relaxed atomics in device memory (`handoff_release` in
// queue/completion_slots.h). The next owner, on another multiprocessor, must never take the result of an earlier
// request for its own. One lane of each of 264 warps competes for few slots, so that each slot is claimed the moment it
// is free. The CPU's result is a hash of the request, and its inline data another one.
//
// The lanes can also read the extra result before the release, as take_completion() does. The row that must hold
// releases after the reads; the weak row lets the relaxed release overtake them.
//
// Or they take 64 bytes of inline data, and load the line together with the completion. In the weak row they compare no
// tags.
#include "litmus.h"

constexpr int patterns = 5;

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

enum class extras { none, before_release, overtaken, line, line_without_tags };
GENESYS_KERNEL constexpr bool have_line(extras with) {
  return with == extras::line || with == extras::line_without_tags;
}

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
    queue::line_of_call line(have_line(with) ? inline_bytes_max : 0, false);
    line.be_early(true);
    queue::completion_words seen{};
    if constexpr (with == extras::line_without_tags) {
      do {
        line.look(a, r.completion_slot);
        seen = queue::look_at(a.completion_slots[r.completion_slot]);
      } while (!seen.have_phase(r.phase) && !runtime_ended(a));
    } else {
      seen = queue::wait_for_completion(a, r.completion_slot, r.phase, lanes_together(a), 0, 0, nullptr, line);
    }
    const u64 word = seen.word, data = inline_data_of(word, seen.data);
    i64 value = completion_value(word);
    if constexpr (with == extras::line) value = line.settle(a, r.completion_slot, word);
    if constexpr (with == extras::line_without_tags) value = line_value(word);
    u64 first = mix(r.args[0] + 1);
    if constexpr (with == extras::before_release || with == extras::overtaken) {
      first = atomic<u64, thread_scope::system>(a.extras[r.completion_slot].first).load(order::relaxed);
    }
    if constexpr (with == extras::before_release) genesys::fence<thread_scope::device>();
    queue::release_slot(a, r.completion_slot);

    if (was_cancelled(word)) {
      add(t->cancelled, 1);
      break;
    }
    if constexpr (have_line(with)) {
#pragma unroll
      for (u32 k = 0; k < 7; ++k) {
        if (line.rest(k) == mix(r.args[0] + 3 + k)) continue;
        violation(t, line.rest(k), mix(r.args[0] + 3 + k));
        break;
      }
    }
    const i64 right = have_line(with) ? result_for(r.args[0]) & 0x7f'ffff'ffff : result_for(r.args[0]);
    if (value != right) {
      violation(t, static_cast<u64>(value), static_cast<u64>(right));
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
    const bool has_extra = with == extras::before_release || with == extras::overtaken;
    u64 rest[7];
    for (u32 k = 0; k < 7; ++k) rest[k] = mix(r.args[0] + 3 + k);
    if (reply.is_sound(r))
      reply.complete(r, {.value = result_for(r.args[0]) & (have_line(with) ? 0x7f'ffff'ffff : ~i64{0}),
                         .inline_data = mix(r.args[0] + 2),
                         .inline_rest = have_line(with) ? reinterpret_cast<const unsigned char*>(rest) : nullptr,
                         .extra = has_extra ? &extra : nullptr});
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
  must("64 bytes beside the completion, 8 groups", measure<extras::line>(8, {4, claims_each, limit_ns}));
  must("64 bytes beside the completion, 1 group, 32 slots", measure<extras::line>(1, {32, claims_each, limit_ns / 2}));
  const result untagged = measure<extras::line_without_tags>(8, {4, claims_each, limit_ns / 2});
  r.weak("64 bytes loaded with the completion, tags not compared", untagged.counts.checked, untagged.counts.violations,
         first_of(untagged.counts));
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
