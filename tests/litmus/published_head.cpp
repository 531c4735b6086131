// SPDX-License-Identifier: Apache-2.0
// I5: the published head may step back, when a worker that lost its queue stores late. The head that lanes know never
// does, because they keep the highest value that they saw. One CPU thread raises the head, and another now and then
// stores an older one.
#include "litmus.h"

constexpr int patterns = 2;

#if defined(__CUDACC__)
namespace {
using namespace litmus;

constexpr u32 readers = 132;

struct views {
  tally known;  // what refresh_known_head returns
  u64 raw, raw_back;
};

__global__ void watch(device_context a, u64 limit_ns, views* v) {
  const u64 end = genesys::clock_ns() + limit_ns;
  u64 last = 0, raw_last = 0, looks = 0, raw_back = 0;
  while (genesys::clock_ns() < end) {
    for (int i = 0; i < 16; ++i) {
      const u64 raw =
          atomic<u64, thread_scope::system>(a.published_heads[0].head).load(order::acquire);  // pairs with S4
      raw_back += raw < raw_last;
      raw_last = raw;
      const u64 known = queue::refresh_known_head(a, 0);
      if (known < last) violation(&v->known, known, last);
      last = known;
      ++looks;
    }
  }
  add(v->known.checked, looks);
  add(v->raw, looks);
  add(v->raw_back, raw_back);
}

void run(report& r) {
  world w(6, 1, 1);
  on_device<views> counts(1);
  std::atomic<u64> raised{0};
  crew cpu;
  const std::atomic_ref<u64> published(w.at.published_heads[0].head);
  cpu.add([&, head = u64{0}]() mutable {
    ++head;
    raised.store(head, std::memory_order_release);     // pairs with the late thread's load
    published.store(head, std::memory_order_release);  // pairs with refresh_known_head
  });
  cpu.add([&] {
    const u64 late = raised.load(std::memory_order_acquire);  // pairs with the raising thread's store
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    published.store(late, std::memory_order_release);  // pairs with refresh_known_head
  });
  const double limit_s = r.seconds(2, 20);
  watch<<<readers, 1>>>(w.at, static_cast<u64>(limit_s * 1e9), counts.at());
  const bool in_time = finish(limit_s + 5, &w);
  cpu.stop();
  const views v = counts.read();
  r.must("what callers know never goes back", v.known.checked, v.known.violations, in_time, first_of(v.known));
  r.weak("the published head itself went back", v.raw, v.raw_back);

  producer_state g;
  must_succeed(cudaMemcpy(&g, w.at.producers, sizeof g, cudaMemcpyDeviceToHost));
  r.must("it is no more than was ever taken, and the look is over", 1,
         (g.known_head > raised ? 1 : 0) + (g.refreshing != 0 ? 1 : 0), in_time);
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
