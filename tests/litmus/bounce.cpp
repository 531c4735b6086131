// SPDX-License-Identifier: Apache-2.0
// A bounce buffer goes from one lane to the next. The first lane copies out of it by plain loads and releases it. The
// next lane, on another multiprocessor, acquires it and fills it by plain stores. The CPU sees the new request and
// overwrites the buffer. No side ever sees another call's data: not the first lane, not the CPU, not the second lane in
// its cache. The release is relaxed (handoff_release): a lane that read the buffer has stored what it loaded before.
#include "genesys/detail/staging/bounce_buffers.h"
#include "litmus.h"

constexpr int patterns = 2;

#if defined(__CUDACC__)
namespace {
using namespace litmus;

constexpr u32 slots_log2 = 9;
constexpr u32 callers = 264;  // a block of one thread each
constexpr u32 buffers = 32;
constexpr u32 size = 1;  // the size class
constexpr u32 words_used = 64, words_at_once = 32;

GENESYS_KERNEL u64 sent(u64 sequence, u32 i) { return mix(sequence << 8 | i); }
GENESYS_KERNEL u64 returned(u64 sequence, u32 i) { return ~sent(sequence, i); }

enum class reading { none, stored, in_flight };  // whether the loads are over when the buffer is released

template <reading reads>
__global__ void pass_on_buffers(device_context a, u64 limit_ns, u64* copies, tally* t) {
  mailbox box{block_rank()};
  const u64 end = genesys::clock_ns() + limit_ns;
  while (genesys::clock_ns() < end) {
    const u64 buffer = staging::acquire_buffer(a, sizeof(u64) * words_used, staging::hold_time::brief,
                                               staging::bounce_wait::until_free);
    if (buffer == 0) {
      add(t->cancelled, 1);
      break;
    }
    auto* words = reinterpret_cast<u64*>(buffer);
    const u64 sequence = u64{box.id} << 40 | box.calls;
    for (u32 i = 0; i < words_used; ++i) plain_store(words + i, sent(sequence, i));
    request r{};
    r.args[0] = sequence;
    r.args[1] = buffer;
    const u64 word = ask<false>(a, box, r);
    u64 held[words_at_once];
    for (u32 i = 0; reads != reading::none && i < words_used - words_at_once; ++i) {
      const u64 early = plain_load(words + i);
      if (!was_cancelled(word) && early != returned(sequence, i)) violation(t, early, returned(sequence, i));
    }
    // The last loads are still in flight when the buffer is released, unless the lane stores their values before.
#pragma unroll
    for (u32 i = 0; reads != reading::none && i < words_at_once; ++i)
      held[i] = plain_load(words + words_used - words_at_once + i);
    u64* const copy = copies + u64{box.id} * words_at_once;
#pragma unroll
    for (u32 i = 0; reads == reading::stored && i < words_at_once; ++i) plain_store(copy + i, held[i]);
    staging::release_buffer(staging::bit_of_buffer(a, buffer));
    if (was_cancelled(word)) {
      add(t->cancelled, 1);
      break;
    }
#pragma unroll
    for (u32 i = 0; reads != reading::none && i < words_at_once; ++i) {
      const u64 wanted = returned(sequence, words_used - words_at_once + i);
      if (held[i] != wanted) violation(t, held[i], wanted);
    }
  }
  add(t->checked, box.calls);
}

struct result {
  tally counts;
  u64 wrong_at_cpu;
  bool in_time;
};

template <reading reads>
result measure(double limit_s) {
  world w(slots_log2, 1, 16);
  pinned<u64> memory((buffers << buffer_bytes_log2(size)) / sizeof(u64));
  pinned<u64> returned_bits(1);
  struct pool_and_words {
    device_context copy;
    bounce_pool pool;
    u64 taken, gathered;
  };
  on_device<pool_and_words> pool(1);
  pool_and_words shape{};
  shape.pool.returned = returned_bits.at();
  shape.pool.classes[size].growth = as_word({buffers, 0, false});
  shape.taken = ~((u64{1} << buffers) - 1);
  w.at.bounce = &pool.at()->pool;
  w.at.arena_begin = reinterpret_cast<u64>(memory.at());
  w.at.bounce_buffers[size] = buffers;
  w.at.copy = &pool.at()->copy;
  shape.copy = w.at;
  pool.write(&shape, 1);
  on_device<tally> counts(1);
  on_device<u64> copies(callers * words_at_once);
  std::atomic<u64> wrong{0};
  crew cpu;
  serve_mailboxes(cpu, w.at, callers,
                  [&wrong, reply = completion_writer(w.at), memory = memory.at()](u32, const request& r) {
                    const u64 offset = r.args[1] - reinterpret_cast<u64>(memory);
                    if (offset >= u64{buffers} << buffer_bytes_log2(size) || !reply.is_sound(r)) {
                      wrong.fetch_add(1, std::memory_order_relaxed);
                      return;
                    }
                    u64* words = memory + offset / sizeof(u64);
                    u64 bad = 0;
                    for (u32 i = 0; i < words_used; ++i) {
                      const std::atomic_ref<u64> word(words[i]);
                      bad += word.load(std::memory_order_relaxed) != sent(r.args[0], i);
                      word.store(returned(r.args[0], i), std::memory_order_relaxed);
                    }
                    if (bad != 0) wrong.fetch_add(1, std::memory_order_relaxed);
                    reply.complete(r, {.value = 0});
                  });
  pass_on_buffers<reads><<<callers, 1>>>(w.at, static_cast<u64>(limit_s * 1e9), copies.at(), counts.at());
  const bool in_time = finish(limit_s + 3, &w);
  cpu.stop();
  const tally t = counts.read();
  return {t, wrong, in_time && t.cancelled == 0};
}

void run(report& r) {
  const result good = measure<reading::stored>(r.seconds(5, 120));
  r.must("264 callers share 32 bounce buffers", good.counts.checked, good.counts.violations + good.wrong_at_cpu,
         good.in_time,
         first_of(good.counts) + (good.wrong_at_cpu != 0 ? " at the CPU: " + std::to_string(good.wrong_at_cpu) : ""));
  const result written = measure<reading::none>(r.seconds(5, 120));
  r.must("the same, only written by the GPU", written.counts.checked, written.wrong_at_cpu, written.in_time);
  const result bad = measure<reading::in_flight>(r.seconds(3, 30));
  r.weak("given back with loads in flight: words wrong at the GPU", bad.counts.checked, bad.counts.violations);
  r.weak("given back with loads in flight: requests wrong at the CPU", bad.counts.checked, bad.wrong_at_cpu);
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
