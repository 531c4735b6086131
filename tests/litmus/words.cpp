// SPDX-License-Identifier: Apache-2.0
// I2: eight bytes cross the link whole in both directions, also as half of a 16-byte store or load. And a word never
// shows an older value after a newer one.
#include "litmus.h"

constexpr int patterns = 6;

#if defined(__CUDACC__)
#include <emmintrin.h>

namespace {
using namespace litmus;

constexpr u32 lines = 528;  // of 64 bytes, each with one writer
constexpr u32 words_in_line = 8;

// The low half counts up; the high half is a hash of it, so that halves of two words do not match.
GENESYS_KERNEL u64 sealed(u32 count) { return u64{static_cast<u32>(mix(count))} << 32 | count; }
GENESYS_KERNEL bool is_whole(u64 word) { return word == 0 || word == sealed(static_cast<u32>(word)); }
// Counters may wrap: far back counts as ahead.
GENESYS_KERNEL bool is_back(u64 word, u64 last) {
  return static_cast<std::int32_t>(static_cast<u32>(word) - static_cast<u32>(last)) < 0;
}

template <bool pairs>
__global__ void write_words(u64* memory, u64 limit_ns, u64* stores) {
  u64* line = memory + (u64{block_rank()} * threads_in_block() + thread_rank()) * words_in_line;
  const u64 end = genesys::clock_ns() + limit_ns;
  u32 count = 0;
  while (genesys::clock_ns() < end) {
    for (int i = 0; i < 256; ++i) {
      const u64 word = sealed(++count);
      for (u32 k = 0; k < words_in_line; k += 2) {
        if constexpr (pairs) {
          cuda_target::store_pair_system(line + k, word, word);
        } else {
          atomic<u64, thread_scope::system>(line[k]).store(word, order::relaxed);
        }
      }
    }
  }
  add(*stores, u64{count} * (pairs ? words_in_line : words_in_line / 2));
}

struct seen {
  u64 changes = 0, torn = 0, back = 0, halves = 0;
};

// One thread's share of the lines: each word by itself, or two by one 16-byte load.
template <bool pairs>
void read_words(u64* memory, u32 first, u32 step, const std::atomic<bool>& stop, seen& into) {
  std::vector<u64> last(lines * words_in_line);
  seen s;
  while (!stop.load(std::memory_order_relaxed)) {
    for (u32 l = first; l < lines; l += step) {
      for (u32 k = 0; k < words_in_line; k += 2) {
        const u32 at = l * words_in_line + k;
        u64 two[2];
        if constexpr (pairs) {
          const __m128i both = _mm_load_si128(reinterpret_cast<const __m128i*>(memory + at));
          asm volatile("" ::: "memory");
          two[0] = static_cast<u64>(_mm_cvtsi128_si64(both));
          two[1] = static_cast<u64>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(both, both)));
          s.halves += two[0] != two[1];
        } else {
          two[0] = std::atomic_ref<u64>(memory[at]).load(std::memory_order_relaxed);
          two[1] = 0;
        }
        for (u32 h = 0; h < (pairs ? 2 : 1); ++h) {
          u64& before = last[at + h];
          if (two[h] == before) continue;
          ++s.changes;
          if (!is_whole(two[h])) {
            ++s.torn;
          } else {
            s.back += is_back(two[h], before);
            before = two[h];
          }
        }
      }
    }
  }
  into = s;
}

std::string stores_note(u64 stores) {
  char text[40];
  std::snprintf(text, sizeof text, "of %.2e stores", static_cast<double>(stores));
  return text;
}

template <bool pairs>
void to_cpu(report& r, const char* name, u64& checked, u64& back) {
  pinned<u64> memory(lines * words_in_line);
  on_device<u64> stores(1);
  std::vector<seen> all(servers_max());
  std::vector<std::thread> readers;
  std::atomic<bool> stop{false};
  for (u32 s = 0; s < all.size(); ++s) {
    readers.emplace_back([&, s] { read_words<pairs>(memory.at(), s, static_cast<u32>(all.size()), stop, all[s]); });
  }
  const double limit_s = r.seconds(2, 30);
  write_words<pairs><<<lines / 4, 4>>>(memory.at(), static_cast<u64>(limit_s * 1e9), stores.at());
  const bool in_time = finish(limit_s + 5);
  stop = true;
  for (std::thread& t : readers) t.join();
  seen sum;
  for (const seen& s : all) sum.changes += s.changes, sum.torn += s.torn, sum.back += s.back, sum.halves += s.halves;
  r.must(name, sum.changes, sum.torn, in_time, stores_note(stores.read()));
  if (pairs) r.weak("the two words of one 16-byte store differ", sum.changes / 2, sum.halves);
  checked += sum.changes;
  back += sum.back;
}

// `how` 0: relaxed loads of 8 bytes. 1: acquiring ones. 2: 16 bytes at once, as copies out of bounce buffers are.
template <int how>
__global__ void read_words_gpu(u64* memory, u64 limit_ns, tally* t) {
  u64* line = memory + u64{block_rank()} * words_in_line;
  u64 changes = 0, last[2] = {0, 0};
  const u32 k = thread_rank() % (words_in_line / 2) * 2;
  const u64 end = genesys::clock_ns() + limit_ns;
  while (genesys::clock_ns() < end) {
    for (int i = 0; i < 64; ++i) {
      u64 two[2] = {0, 0};
      if constexpr (how == 2) {
        asm volatile("ld.relaxed.sys.global.v2.b64 {%0, %1}, [%2];"
                     : "=l"(two[0]), "=l"(two[1])
                     : "l"(line + k)
                     : "memory");
      } else {
        two[0] = atomic<u64, thread_scope::system>(line[k]).load(how == 0 ? order::relaxed : order::acquire);
      }
      for (int h = 0; h < (how == 2 ? 2 : 1); ++h) {
        if (two[h] == last[h]) continue;
        ++changes;
        if (!is_whole(two[h]) || is_back(two[h], last[h])) violation(t, two[h], last[h]);
        last[h] = two[h];
      }
    }
  }
  add(t->checked, changes);
}

template <int how>
void to_gpu(report& r, const char* name) {
  constexpr u32 readers = 132, writers = 4;
  pinned<u64> memory(readers * words_in_line);
  on_device<tally> counts(1);
  crew cpu;
  std::atomic<u64> stores{0};
  for (u32 w = 0; w < writers; ++w) {
    cpu.add([at = memory.at(), w, count = u32{0}, &stores]() mutable {
      ++count;
      for (u32 l = w; l < readers; l += writers) {
        for (u32 k = 0; k < words_in_line; ++k) {
          std::atomic_ref<u64>(at[l * words_in_line + k]).store(sealed(count), std::memory_order_relaxed);
        }
      }
      stores.fetch_add(readers / writers * words_in_line, std::memory_order_relaxed);
    });
  }
  const double limit_s = r.seconds(1, 20);
  read_words_gpu<how><<<readers, 4>>>(memory.at(), static_cast<u64>(limit_s * 1e9), counts.at());
  const bool in_time = finish(limit_s + 5);
  cpu.stop();
  const tally t = counts.read();
  r.must(name, t.checked, t.violations, in_time, stores_note(stores) + " " + first_of(t));
}

void run(report& r) {
  u64 checked = 0, back = 0;
  to_cpu<false>(r, "GPU to CPU: 8-byte stores arrive whole", checked, back);
  to_cpu<true>(r, "GPU to CPU: words of 16-byte stores arrive whole", checked, back);
  r.must("GPU to CPU: no word goes back", checked, back);
  to_gpu<0>(r, "CPU to GPU: words are whole and never go back, relaxed");
  to_gpu<1>(r, "CPU to GPU: the same, acquiring loads");
  to_gpu<2>(r, "CPU to GPU: the same, words of 16-byte loads");
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
