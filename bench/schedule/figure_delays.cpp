// SPDX-License-Identifier: Apache-2.0
// Figures 16, 17 and 18 of the paper: from an urgent request until the first store of its kernel, by what makes way for
// it, and how long the call takes that launches it. The requests come at random moments.
#include <random>

#include "schedule/figures.h"
#include "schedule/m_bench.h"
#include "schedule/urgent_request.h"

namespace schedule_bench {
namespace {

struct waited {
  numbers call_us, whole_us;
};

waited ask(request& urgent, const std::function<void()>& launch, unsigned count, double spread_us) {
  std::mt19937_64 random(1);
  waited all;
  for (unsigned i = 0; i < count; ++i) {
    wait_us(40 + spread_us * static_cast<double>(random() % 1000) / 1000);
    const request_times one = urgent.times(launch);
    all.call_us.push_back(one.call);
    all.whole_us.push_back(one.whole);
  }
  return all;
}

void add(numbers& to, const numbers& more) { to.insert(to.end(), more.begin(), more.end()); }

struct distributions {
  numbers aborts, block_ends, unmodified, idle;
};

// The call of an emergency launch, and from there to the first store, while the workload runs.
void keep_parts(bench& all, const std::string& name, const waited& of) {
  numbers rest_us;
  for (std::size_t i = 0; i < of.call_us.size(); ++i) rest_us.push_back(of.whole_us[i] - of.call_us[i]);
  all.keep("call_" + name, "us", of.call_us);
  all.keep("after_call_" + name, "us", rest_us);
}

void beside_workload(bench& all, const std::string& name, unsigned count, distributions& into) {
  genesys::scheduler& of = common().all;
  const program& one = prepared(name);
  const genesys::task batch = of.add_task(10), urgent = of.add_task(-20);
  request word;
  plain_stream in, urgent_in;
  const auto launch = [&] { word.launch(urgent); };
  const double spread_us = std::clamp(one.alone_s * 1e6 / one.times, 100.0, 600.0);
  launch();
  urgent.wait();
  add(into.idle, ask(word, launch, count, 100).whole_us);
  {
    const busy gpu(again_and_again(*one.work, batch, genesys::rerun::as_classified));
    const waited found = ask(word, launch, count, spread_us);
    add(into.aborts, found.whole_us);
    keep_parts(all, name, found);
  }
  batch.wait();
  {
    const busy gpu(again_and_again(*one.work, batch, genesys::rerun::never));
    add(into.block_ends, ask(word, launch, count, spread_us).whole_us);
  }
  batch.wait();
  urgent.wait();
  {
    const busy gpu(again_and_again(*one.work, in));
    const auto launch_plain = [&] { word.launch_in(urgent_in.get()); };
    add(into.unmodified, ask(word, launch_plain, count, spread_us).whole_us);
  }
}

// The same beside an M-Bench task. It runs long, so fewer requests have to wait for it without the scheduler.
void beside_m_bench(bench& all, unsigned count) {
  genesys::scheduler& of = common().all;
  const unsigned turns = turns_for(m_bench_mean_ms);
  request word;
  {
    const m_bench_task gpu(of, turns);
    const genesys::task urgent = of.add_task(-20);
    const auto launch = [&] { word.launch(urgent); };
    launch();
    urgent.wait();
    wait_us(3e3 * m_bench_mean_ms);
    const waited found = ask(word, launch, count, 600);
    all.keep_each("delay_m_bench_abort", "us", found.whole_us);
    keep_parts(all, "m_bench", found);
  }
  {
    const m_bench_stream gpu(turns);
    plain_stream urgent_in;
    wait_us(1e3 * m_bench_mean_ms);
    const auto launch_plain = [&] { word.launch_in(urgent_in.get()); };
    all.keep_each("delay_m_bench_unmodified", "us", ask(word, launch_plain, all.quick() ? 8 : 40, 600).whole_us);
  }
}

}  // namespace

void delays(bench& all) {
  const unsigned count = all.quick() ? 50 : 300;
  distributions of;
  for (const std::string& name : chosen()) beside_workload(all, name, count, of);
  all.keep_each("delay_abort", "us", of.aborts);
  all.keep_each("delay_block_ends", "us", of.block_ends);
  all.keep_each("delay_unmodified", "us", of.unmodified);
  all.keep_each("delay_idle", "us", of.idle);
  beside_m_bench(all, count);
}

}  // namespace schedule_bench
