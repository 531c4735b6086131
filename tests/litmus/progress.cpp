// SPDX-License-Identifier: Apache-2.0
// C5: a lane that has its result goes on while its neighbours wait for theirs (queue/wait.h), because the call of one
// lane may end that of another. All lanes call together. The CPU holds the results of some lanes back until the others
// have made a second call. If the compiler or the GPU made lanes wait for each other, no lane would ever go on.
#include "host/submission_queue.h"
#include "litmus.h"

constexpr int patterns = 4;

#if defined(__CUDACC__)
namespace {
using namespace litmus;

__device__ bool call(const device_context& a, u64 round, u64 which, tally* t) {
  request r{};
  r.args[0] = round;
  r.args[1] = which;
  const i64 value = queue::submit_and_wait(a, r).value;
  if (value == -ECANCELED) {
    add(t->cancelled, 1);
    return false;
  }
  const i64 wanted = static_cast<i64>(round * 2 + which);
  if (value != wanted) violation(t, static_cast<u64>(value), static_cast<u64>(wanted));
  return true;
}

__global__ void call_in_turns(device_context a, u32 going_on, u64 rounds, tally* t) {
  for (u64 round = 0; round < rounds; ++round) {
    genesys::sync_warp();
    if (!call(a, round, 0, t)) return;
    if (((going_on >> lane()) & 1) != 0 && !call(a, round, 1, t)) return;
    if (lane() == 0) add(t->checked, 1);
  }
}

void check(report& r, const char* name, u32 going_on) {
  world w(6, 1, 1);
  on_device<tally> counts(1);
  submission_queue one;
  one.lay_out(w.at, 0);
  crew cpu;
  cpu.add([&, reply = completion_writer(w.at), kept = std::vector<request>(), seconds = 0u]() mutable {
    request q;
    if (one.dequeue(0, q) != submission_queue::dequeue_result::taken || !reply.is_sound(q)) return;
    const auto respond = [&](const request& to) {
      reply.complete(to, {.value = static_cast<i64>(to.args[0] * 2 + to.args[1])});
    };
    if (q.args[1] == 1) {
      kept.push_back(q);
      ++seconds;
    } else if (((going_on >> (q.completion_slot % slots_in_group)) & 1) != 0) {
      respond(q);
    } else {
      kept.push_back(q);
    }
    // All waiting lanes and all second calls, which come only from lanes that went on.
    if (kept.size() == genesys::warp_lanes && seconds == static_cast<u32>(__builtin_popcount(going_on))) {
      for (const request& k : kept) respond(k);
      kept.clear();
      seconds = 0;
    }
  });
  const u64 rounds = r.full() ? 200'000 : 2'000;
  call_in_turns<<<1, genesys::warp_lanes>>>(w.at, going_on, rounds, counts.at());
  const bool in_time = finish(r.seconds(2, 30), &w);
  cpu.stop();
  const tally t = counts.read();
  r.must(name, t.checked, t.violations, in_time && t.cancelled == 0 && t.checked == rounds, first_of(t));
}

void run(report& r) {
  check(r, "lane 0 goes on, 31 wait", 1u);
  check(r, "lane 31 goes on, 31 wait", 1u << 31);
  check(r, "every other lane goes on", 0x55555555u);
  check(r, "all but lane 0 go on", ~1u);
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
