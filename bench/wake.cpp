// SPDX-License-Identifier: Apache-2.0
// The cost of being ready for a kernel's calls, and the delay of a call: the CPU time of the process while no kernel
// calls; the first call of a kernel when all workers slept before its launch; a call of a thread after a pause, with
// each wakeup. The ratios are to calls in a row, or to a bare interrupt.
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "genesys/genesys.h"
#include "support/bare_interrupt.h"
#include "support/measure.h"
#include "support/run.h"
#include "support/times.h"
#include "support/wrongs.h"

namespace {

using measure::bench;
using measure::median;
using measure::numbers;
using u64 = std::uint64_t;

unsigned monitor_us = 0;  // --watch-us

struct call_now_and_then {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned calls, u64 gap_ns, long parent, u64* took_ns,
                                 unsigned* wrong) const {
    for (unsigned i = 0; i < calls; ++i) {
      if (gap_ns != 0) baseline::sleep_ns(gap_ns);
      const u64 begin = genesys::clock_ns();
      if (os.getppid() != parent) baseline::wrong(wrong);
      took_ns[i] = genesys::clock_ns() - begin;
    }
  }
};

struct never_call {
  GENESYS_KERNEL void operator()(genesys::os, u64 ns) const { baseline::sleep_ns(ns); }
};

// The shared runtime, or one with the interval of --watch-us or another wakeup.
class woken {
 public:
  explicit woken(bench& all, genesys::wakeup_kind as = genesys::wakeup_kind::any)
      : rt_(monitor_us == 0 && as == genesys::wakeup_kind::any ? all.runtime() : own_.emplace(chosen(all, as))) {}
  ~woken() { rt_.free_arena(took_ns_); }
  woken(const woken&) = delete;
  woken& operator=(const woken&) = delete;

  genesys::runtime& runtime() { return rt_; }

  // The times of one kernel's calls, at most calls_max.
  static constexpr unsigned calls_max = 200;
  numbers calls_us(unsigned calls, double gap_ms) {
    genesys::launch(rt_, {}, call_now_and_then{}, calls, static_cast<u64>(gap_ms * 1e6), static_cast<long>(::getppid()),
                    took_ns_, wrong_.on_device())
        .drain();
    wrong_.none();
    numbers us;
    for (unsigned i = 0; i < calls; ++i) us.push_back(double(took_ns_[i]) / 1e3);
    return us;
  }

 private:
  static genesys::options chosen(const bench& all, genesys::wakeup_kind as) {
    genesys::options own = all.runtime_options();
    if (monitor_us != 0) own.monitor_us = monitor_us;
    own.wakeup = as;
    return own;
  }

  std::optional<genesys::runtime> own_;
  genesys::runtime& rt_;
  const baseline::wrongs wrong_{rt_};
  u64* const took_ns_ = static_cast<u64*>(rt_.allocate_arena(calls_max * sizeof(u64)));
};

// The CPU time of the process for some seconds, per cent of a core. Workers may sleep first.
double seconds_idle(bench& all) { return !all.quick() ? 5 : all.on_gpu() ? 1 : 0.4; }
double share_of_core(bench& all) {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const measure::cost used =
      measure::timed([&] { std::this_thread::sleep_for(std::chrono::duration<double>(seconds_idle(all))); });
  return (used.user_s + used.system_s) / used.seconds * 100;
}

void idle(bench& all) {
  woken on(all);
  const double seconds = seconds_idle(all);
  const auto share = [&] { return share_of_core(all); };
  all.keep("idle_detached", "% of a core", share());
  {
    const genesys::run run = on.runtime().attach();
    all.keep("idle_attached", "% of a core", share());
  }
  const genesys::run run = genesys::launch(on.runtime(), {}, never_call{}, static_cast<u64>((seconds + 0.2) * 1e9));
  all.keep("idle_in_flight", "% of a core", share());
  run.drain();
}

// The floor of the monitor: a thread that only sleeps, at the monitor's longest interval, and each time wakes another
// sleeping thread, as the monitor wakes a worker. The delay of both comes on top of the monitor's interval.
void floor_of_looking(bench& all) {
  const auto interval = std::chrono::microseconds(monitor_us != 0 ? monitor_us : all.runtime_options().monitor_us);
  const double seconds = !all.quick() ? 5 : all.on_gpu() ? 1 : 0.4;
  using clock = std::chrono::steady_clock;
  std::mutex lock;
  std::condition_variable eventfd_of;
  clock::time_point rung{};  // when the wake-up is due
  bool migrates = false, ended = false;
  numbers late_us;
  std::thread worker([&] {
    std::unique_lock hold(lock);
    for (;;) {
      eventfd_of.wait(hold, [&] { return ended || rung != clock::time_point{}; });
      if (ended) return;
      late_us.push_back(std::chrono::duration<double, std::micro>(clock::now() - rung).count());
      rung = {};
    }
  });
  std::thread monitor([&] {
    (void)::prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
    std::condition_variable never;
    std::unique_lock hold(lock);
    while (!ended) {
      const auto due = clock::now() + interval;
      never.wait_until(hold, due);
      if (!migrates) continue;
      rung = due;
      eventfd_of.notify_one();
    }
  });
  const auto share = [&] {
    const measure::cost used =
        measure::timed([&] { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); });
    return (used.user_s + used.system_s) / used.seconds * 100;
  };
  all.keep("only_sleeping", "% of a core", share());
  {
    const std::lock_guard hold(lock);
    migrates = true;
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  {
    const std::lock_guard hold(lock);
    ended = true;
  }
  eventfd_of.notify_one();
  monitor.join();
  worker.join();
  all.keep_each("only_handing_over_late", "us", late_us);
}

void first(bench& all) {
  woken on(all);
  on.calls_us(20, 0);  // at the first launch CUDA loads the kernel
  numbers firsts, rest;
  for (int i = 0; i < (all.quick() ? 10 : 50); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const numbers us = on.calls_us(20, 0);
    firsts.push_back(us.front());
    rest.push_back(median({us.begin() + 10, us.end()}));
  }
  all.keep_each("first", "us", firsts);
  all.keep("steady", "us", rest);
  all.keep("first_to_steady", "ratio", measure::ratios(firsts, rest));
}

void gap(bench& all) {
  woken on(all);
  for (const double ms : {0.1, 0.3, 1.0, 3.0, 30.0, 1000.0}) {
    const unsigned calls = ms >= 1000 ? (all.quick() ? 1 : 30) : ms >= 30 ? (all.quick() ? 10 : 50) : woken::calls_max;
    const double steady = median(on.calls_us(woken::calls_max, 0));
    const numbers us = on.calls_us(calls, ms);
    all.keep_at("gap", "steady", "ms", ms, "us", {steady});
    all.keep_at("gap", "median", "ms", ms, "us", {median(us)});
    all.keep_at("gap", "p90", "ms", ms, "us", {measure::quantile(us, 0.9)});
    all.keep_at("gap", "max", "ms", ms, "us", {measure::quantile(us, 1)});
    char name[48];
    std::snprintf(name, sizeof name, "gap_%g_ms_to_steady", ms);
    all.keep(name, "ratio", median(us) / steady);
  }
}

// A call after a silence, with each wakeup: beside the bare interrupt (quiet), and beside calls in a row (eager).
void silence(bench& all) {
  baseline::bare_interrupt floor(all.runtime());
  u64* const took_ns = static_cast<u64*>(all.runtime().allocate_arena(woken::calls_max * sizeof(u64)));
  const auto floor_us = [&](unsigned calls, double silence_ms) {
    floor(calls, static_cast<u64>(silence_ms * 1e6), took_ns);
    numbers us;
    for (unsigned i = 0; i < calls; ++i) us.push_back(double(took_ns[i]) / 1e3);
    return us;
  };
  {
    woken on(all, genesys::wakeup_kind::quiet);
    on.calls_us(20, 0);
    floor_us(2, 0.1);
    {
      const genesys::run run =
          genesys::launch(on.runtime(), {}, never_call{}, static_cast<u64>((seconds_idle(all) + 0.2) * 1e9));
      all.keep("quiet_cpu_percent", "% of a core", share_of_core(all));
      run.drain();
    }
    for (const double ms : {1.0, 1000.0}) {
      const unsigned calls = ms >= 1000 ? 2 : woken::calls_max;
      const int rounds = all.quick() ? 2 : ms >= 1000 ? 6 : 9;
      numbers floors, quiets, ratios;
      for (int round = 0; round < rounds; ++round) {
        const numbers bare = floor_us(calls, ms), called = on.calls_us(calls, ms);
        floors.insert(floors.end(), bare.begin(), bare.end());
        quiets.insert(quiets.end(), called.begin(), called.end());
        ratios.push_back(median(called) / median(bare));
      }
      const std::string name = ms >= 1000 ? "1s" : "1ms";
      all.keep_each("interrupt_" + name, "us", floors);
      all.keep_each("quiet_" + name, "us", quiets);
      if (ms >= 1000) ratios = {median(quiets) / median(floors)};
      all.keep("quiet_" + name + "_to_interrupt", "ratio", ratios);
    }
    std::printf("  %llu interrupts\n", static_cast<unsigned long long>(on.runtime().stats().interrupts));
  }
  // The floor of eager: a ping-pong with a thread that looks all the time.
  const unsigned calls = all.quick() ? 1 : 12;
  const auto pings_us = [&](unsigned trips, double silence_ms) {
    floor(trips, static_cast<u64>(silence_ms * 1e6), took_ns, true);
    numbers us;
    for (unsigned i = 0; i < trips; ++i) us.push_back(double(took_ns[i]) / 1e3);
    return us;
  };
  const double pings = median(pings_us(woken::calls_max, 0)), pings_1s = median(pings_us(calls, 1000));
  all.keep("ping_pong_in_a_row", "us", pings);
  all.keep("ping_pong_1s", "us", pings_1s);
  // What Linux alone takes when the thread has only looked at the clock for a while.
  numbers native_us;
  for (unsigned i = 0; i < calls; ++i) {
    const auto begun = measure::clock::now();
    while (measure::seconds_since(begun) < (all.quick() ? 0.05 : 1.0)) {
    }
    const auto asked = measure::clock::now();
    (void)::syscall(SYS_getppid);
    native_us.push_back(measure::seconds_since(asked) * 1e6);
  }
  all.keep_each("native_after_spinning_1s", "us", native_us);
  all.runtime().free_arena(took_ns);
  woken on(all, genesys::wakeup_kind::eager);
  const double steady = median(on.calls_us(woken::calls_max, 0));
  const numbers us = on.calls_us(calls, 1000);
  all.keep("eager_in_a_row", "us", steady);
  all.keep_each("eager_1s", "us", us);
  all.keep("eager_1s_to_call", "ratio", median(us) / steady);
  all.keep("eager_1s_to_ping_pong_1s", "ratio", median(us) / pings_1s);
}

}  // namespace

int main(int argc, char** argv) {
  bench all("wake", "The cost of being ready for a kernel's calls, and the delay of a call.");
  all.option("--watch-us", monitor_us, "options::monitor_us, the interval of the monitor; 0: the runtime's own");
  all.part("idle", "CPU time with no run attached, with one and no kernel, with a kernel that does not call", idle);
  all.part("floor", "a thread that sleeps as the monitor does: its CPU time, and the delay of a thread that it wakes",
           floor_of_looking);
  all.part("first", "the first call after a launch, all workers asleep before; steady: its later ones", first);
  all.part("gap", "a call of a thread after a pause", gap);
  all.part("silence", "quiet and eager: CPU time of a kernel that does not call, and calls after a silence", silence);
  return baseline::run(all, argc, argv);
}
