// SPDX-License-Identifier: Apache-2.0
// Kernels by priority on a GPU: how soon a kernel of high priority starts while others run, what polls cost when nobody
// preempts, and whether the least important task ends: the marks of docs/schedule-driver.md. schedule/figures.h has the
// figures of the paper on idempotence-based preemptive scheduling.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "schedule/figures.h"
#include "schedule/kernels/workloads.h"
#include "schedule/m_bench.h"
#include "schedule/shared.h"
#include "schedule/urgent_request.h"
#include "support/measure.h"

namespace {

using measure::bench;
using measure::numbers;
using schedule_bench::busy;
using schedule_bench::chosen;
using schedule_bench::common;
using schedule_bench::learn;
using schedule_bench::m_bench_task;
using schedule_bench::request;
using schedule_bench::turns_for;
using schedule_bench::wait_us;

unsigned requests = 2000;

// The time from a request to the first store of its kernel, `count` times more, at random moments. The first few
// requests are not measured: they find cold caches, and a driver's thread that sleeps.
void add_latencies(numbers& us, request& urgent, const std::function<void()>& launch, unsigned count,
                   double spread_us) {
  constexpr unsigned first = 5;
  std::mt19937_64 random(us.size());
  for (unsigned i = 0; i < first + count; ++i) {
    wait_us(40 + spread_us * static_cast<double>(random() % 1000) / 1000);
    const double one = urgent.time(launch);
    if (i >= first) us.push_back(one);
  }
}

struct preempted {
  numbers scheduler, idle, idle_scheduler, priority;
};

preempted preempt(const std::string& name, unsigned count) {
  genesys::scheduler& all = common().all;
  const auto work = workloads::make(all, common().code, name);
  const genesys::task batch = all.add_task(10), urgent = all.add_task(-10);
  request word;
  const auto launch = [&] { word.launch(urgent); };
  const auto launch_in_stream = [&] { word.launch_in_stream(); };
  launch();
  urgent.wait();
  learn(*work, batch);
  const auto begin = measure::clock::now();
  work->run(batch, genesys::rerun::as_classified);
  const double spread_us = std::clamp(measure::seconds_since(begin) * 1e6, 100.0, 600.0);

  const auto keep_busy = [&](genesys::rerun again) {
    return [&, again, last = genesys::launched(), has_last = false]() mutable {
      genesys::launched end;
      for (const auto& each : work->launches) end = each(batch, again);
      if (has_last) last.wait();
      last = end;
      has_last = true;
    };
  };
  // By turns: for a fifth of a second every now and then, all that the host does can take ten times as long. Such
  // phases are in the tails of all alike.
  const unsigned turns = std::min(count, 40u);
  preempted found;
  for (unsigned turn = 0; turn < turns; ++turn) {
    const unsigned now = count / turns + (turn < count % turns);
    add_latencies(found.idle, word, launch_in_stream, now, 100);
    add_latencies(found.idle_scheduler, word, launch, now, 100);
    urgent.wait();
    {
      const busy gpu(keep_busy(genesys::rerun::as_classified));
      add_latencies(found.scheduler, word, launch, now, spread_us);
    }
    urgent.wait();
    batch.wait();
  }
  // The original kernels in a stream of the lowest priority, and the urgent one in a stream of the highest.
  {
    const busy gpu(keep_busy(genesys::rerun::never));
    add_latencies(found.priority, word, launch_in_stream, count, spread_us);
  }
  batch.wait();
  return found;
}

void preemption(bench& all) {
  numbers medians, tails, to_stream;
  for (const std::string& name : chosen()) {
    const preempted found = preempt(name, all.quick() ? std::min(requests, 200u) : requests);
    const double idle = measure::median(found.idle);
    all.keep("idle_" + name, "us", idle);
    all.keep("idle_scheduler_" + name, "us", measure::median(found.idle_scheduler));
    all.keep("idle_p999_" + name, "us", measure::quantile(found.idle_scheduler, 0.999));
    all.keep("preempt_" + name, "us", measure::median(found.scheduler));
    all.keep("preempt_p999_" + name, "us", measure::quantile(found.scheduler, 0.999));
    all.keep("priority_" + name, "us", measure::median(found.priority));
    all.keep("priority_p999_" + name, "us", measure::quantile(found.priority, 0.999));
    const double same = measure::median(found.idle_scheduler);
    medians.push_back(measure::median(found.scheduler) / same);
    tails.push_back(measure::quantile(found.scheduler, 0.999) / measure::quantile(found.idle_scheduler, 0.999));
    to_stream.push_back(measure::median(found.scheduler) / idle);
  }
  // The same launch, by the scheduler, on an idle GPU; and the kernel's launch in a stream of the idle GPU.
  all.keep("preempt_median_to_idle", "ratio", *std::max_element(medians.begin(), medians.end()));
  all.keep("preempt_p999_to_idle", "ratio", *std::max_element(tails.begin(), tails.end()));
  all.keep("preempt_median_of_all_to_idle", "ratio", measure::median(medians));
  all.keep("preempt_median_to_idle_stream", "ratio", *std::max_element(to_stream.begin(), to_stream.end()));
}

// The scheduler chooses the code of a workload by what more important tasks have launched.
void launch_once(const genesys::task& urgent) {
  request word;
  word.launch(urgent);
  urgent.wait();
}

void overhead(bench& all) {
  numbers ratios;
  for (const std::string& name : chosen()) {
    genesys::scheduler& of = common().all;
    const auto work = workloads::make(of, common().code, name);
    launch_once(of.add_task(-10));
    const genesys::task batch = of.add_task(10);
    const auto run = [&](genesys::rerun again, unsigned times) {
      for (unsigned i = 0; i < times; ++i) {
        for (const auto& each : work->launches) each(batch, again);
      }
      batch.wait();
    };
    learn(*work, batch);
    const auto begin = measure::clock::now();
    run(genesys::rerun::never, 1);
    const unsigned times = static_cast<unsigned>(std::clamp(0.02 / measure::seconds_since(begin), 1.0, 200.0));
    const auto [plain, chosen_variant] = bench::by_turns(
        all.quick() ? 5 : 15, [&] { run(genesys::rerun::never, times); },
        [&] { run(genesys::rerun::as_classified, times); });
    const numbers one = measure::ratios(measure::each_us(chosen_variant, times), measure::each_us(plain, times));
    all.keep("alone_" + name, "us", measure::each_us(plain, times));
    all.keep("overhead_" + name, "ratio", one);
    ratios.push_back(measure::median(one));
  }
  all.keep("overhead_median", "ratio", measure::median(ratios));
  all.keep("overhead_worst", "ratio", *std::max_element(ratios.begin(), ratios.end()));
}

// Figures 12 and 13: how much longer a workload takes beside one and two M-Bench tasks, while a task of urgent requests
// is there, so that snapshots are taken. Nice 0 and the emergency class.
void turnaround(bench& all) {
  genesys::scheduler& of = common().all;
  const unsigned short_turns = turns_for(70), long_turns = turns_for(609);
  std::map<int, numbers> worst;
  // What was launched in the emergency class counts for what comes later.
  for (const int nice : {0, -20}) {
    for (const std::string& name : chosen()) {
      const auto work = workloads::make(of, common().code, name);
      const char* const what = nice == 0 ? "common_" : "emergency_";
      const genesys::task as = of.add_task(nice);
      learn(*work, as);
      const auto begin = measure::clock::now();
      work->run(as, genesys::rerun::as_classified);
      const unsigned times = static_cast<unsigned>(std::clamp(0.02 / measure::seconds_since(begin), 1.0, 200.0));
      const auto run = [&] {
        for (unsigned i = 0; i < times; ++i) {
          for (const auto& each : work->launches) each(as, genesys::rerun::as_classified);
        }
        as.wait();
      };
      const unsigned rounds = all.quick() ? 2 : 5;
      const auto [alone] = bench::by_turns(rounds, run);
      const genesys::task important = of.add_task(nice == 0 ? -10 : -20);
      launch_once(important);
      const double alone_us = measure::median(measure::each_us(alone, times));
      for (unsigned others : {1u, 2u}) {
        std::vector<std::unique_ptr<m_bench_task>> beside;
        beside.push_back(std::make_unique<m_bench_task>(of, short_turns));
        if (others == 2) beside.push_back(std::make_unique<m_bench_task>(of, long_turns));
        const auto [with] = bench::by_turns(rounds, run);
        const double ratio = measure::median(measure::each_us(with, times)) / alone_us;
        all.keep(what + name + "_" + std::to_string(others), "ratio", ratio);
        worst[nice].push_back(ratio);
      }
    }
  }
  for (const int nice : {0, -20}) {
    const std::string what = nice == 0 ? "common" : "emergency";
    all.keep(what + "_median", "ratio", measure::median(worst[nice]));
    all.keep(what + "_worst", "ratio", *std::max_element(worst[nice].begin(), worst[nice].end()));
  }
}

// Figure 15: a task of nice 19 has one long kernel; a task of nice -10 asks for the GPU again and again.
void lowest(bench& all) {
  unsigned ended = 0, tried = 0;
  for (const double interval_us : {200.0, 500.0, 1000.0, 2000.0, 5000.0}) {
    genesys::scheduler of;
    const genesys::kernel_module code = of.load(genesys_workloads_ptx);
    const auto work = workloads::make(of, code, "tight_loop");
    request word;
    const genesys::task low = of.add_task(19), high = of.add_task(-10);
    work->run(low, genesys::rerun::as_classified);
    word.launch(high);
    high.wait();
    const auto begin = measure::clock::now();
    const genesys::launched end = work->launches[0](low, genesys::rerun::as_classified);
    while (!end.is_done() && measure::seconds_since(begin) < 5) {
      word.launch(high);
      wait_us(interval_us);
    }
    all.keep_at("lowest", "turnaround", "us", interval_us, "ms", {measure::seconds_since(begin) * 1e3});
    ++tried;
    ended += end.is_done();
    end.wait();
    high.wait();
  }
  all.keep("lowest_finishes", "share", static_cast<double>(ended) / tried);
}

}  // namespace

int main(int argc, char** argv) {
  bench all("schedule", "How soon an urgent kernel starts while others run, and what that costs them.");
  all.option("--requests", requests, "urgent requests for each workload");
  all.option("--workload", schedule_bench::only_workload, "one workload of tests/schedule/kernels/workloads.h");
  all.part("preempt", "from a request to the first store of its kernel, while a workload runs", preemption);
  all.part("overhead", "the variant that the scheduler chose, against the original kernel", overhead);
  all.part("turnaround", "workloads beside long kernels of the lowest priority, over alone", turnaround);
  all.part("lowest", "whether the least important task ends, by the interval of urgent requests", lowest);
  all.part("beside", "Figures 12 and 13: programs beside M-Bench tasks of nice 19, over alone", schedule_bench::beside);
  all.part("three", "Figure 14: three instances of a program at nice -10, 0 and 10, over alone", schedule_bench::three);
  all.part("starving", "Figure 15: one kernel of nice 19 beside a task that comes and goes, with and without aging",
           schedule_bench::starving);
  all.part("delays", "Figures 16 to 18: how long urgent kernels wait, by what makes way", schedule_bench::delays);
  all.part("alone", "Figures 19 and 20: what the scheduler costs a program alone, and its snapshots",
           schedule_bench::alone);
  all.part("programs", "Table 3: launches, times and snapshots of the programs", schedule_bench::programs);
  schedule_bench::running = &all;
  return all.main(argc, argv);
}
