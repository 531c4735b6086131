// SPDX-License-Identifier: Apache-2.0
// What waiting lanes cost other work (GENESYS, ISCA 2018, Figure 9). Lanes of a kernel wait, in growing numbers, each
// for its own call (a sleep that outlasts the measurement), and poll their own words in host memory. Meanwhile others
// work:
//
//   device   blocks add up a region of device memory
//   pinned   blocks add up a region of pinned memory, across the link on which the waiting lanes poll
//   host     a CPU thread adds up the same region (in the paper GPU and CPU share a memory, and this became slower)
//   getppid  one lane makes short calls, one after another
//
// The lanes wait in each mode in turn: backing off (lines without a mode's name), spinning, suspended.
//
// Figures are ratios to the same work with no waiting lane, by turns: of throughput, and of the time of a call. Lanes
// pause longer the longer they have waited, so the works begin when all lanes wait, in this order, and take some 10 ms
// each.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "contention/kernel.h"
#include "genesys/genesys.h"
#include "support/measure.h"
#include "support/wait_modes.h"

namespace contention {
namespace {

using measure::clock;

// The amount of work.
struct amounts {
  unsigned blocks, threads;
  unsigned bytes, device_times, pinned_times, calls;
  std::vector<unsigned> waiting;
};

struct seconds_of_each {
  double device, pinned, host, calls;
};

class contention {
 public:
  contention(measure::bench& all, const amounts& much)
      : much_(much), rt_(with_arena(all.runtime_options(), much.bytes)), content_(much.bytes / sizeof(word)) {
    word x = 1;
    for (word& one : content_) expected_ += one = x = x * 6364136223846793005u + 1442695040888963407u;
    device_ = rt_.allocate_device(much.bytes);
    rt_.copy_to_device(device_, content_.data(), much.bytes);
    pinned_ = static_cast<word*>(rt_.allocate_arena(much.bytes));
    std::copy(content_.begin(), content_.end(), pinned_);
    counts_ = static_cast<counts*>(rt_.allocate_device(sizeof(counts)));
    host_ = new (rt_.allocate_arena(sizeof(doors))) doors{};
  }
  ~contention() {
    rt_.free_arena(host_);
    rt_.free_device(counts_);
    rt_.free_arena(pinned_);
    rt_.free_device(device_);
  }
  contention(const contention&) = delete;
  contention& operator=(const contention&) = delete;

  // On a busy machine the lanes may wake up before the works are done: then this repeats with longer sleeps.
  seconds_of_each with(unsigned waiting, measure::wait_mode how) {
    double sleep_s = 0.15 + waiting * (rt_.kind() == genesys::device_kind::cuda ? 1e-5 : 4e-5);
    for (int tries = 0; tries < 4; ++tries, sleep_s *= 2) {
      seconds_of_each took{};
      if (all_slept(waiting, how, sleep_s, took)) return took;
    }
    throw measure::failure(std::to_string(waiting) + " lanes woke up before the works were done");
  }

 private:
  static genesys::options with_arena(genesys::options chosen, std::size_t bytes) {
    chosen.arena_bytes = bytes + (1 << 20);
    return chosen;
  }
  bool all_slept(unsigned waiting, measure::wait_mode how, double sleep_s, seconds_of_each& took) {
    rt_.fill_device(counts_, 0, sizeof(counts));
    host_->go = host_->finished = 0;
    host_->sleep = {static_cast<time_t>(sleep_s), static_cast<long>((sleep_s - std::floor(sleep_s)) * 1e9)};
    const auto begin = clock::now();  // the first lane to sleep does not wake up before this and sleep_s
    const auto may_be_awake = [&] { return waiting != 0 && measure::seconds_since(begin) >= sleep_s; };
    const std::uint64_t parked = rt_.stats().parked;
    const job todo{much_.blocks,
                   {static_cast<const two_words*>(device_), reinterpret_cast<const two_words*>(pinned_)},
                   much_.bytes / unsigned{sizeof(two_words)},
                   {much_.device_times, much_.pinned_times},
                   much_.calls,
                   getppid(),
                   waiting,
                   how};
    const unsigned blocks = much_.blocks + (waiting + much_.threads - 1) / much_.threads;
    const genesys::run run =
        genesys::launch(rt_, {.blocks = {blocks}, .threads = {much_.threads}}, wait_or_work{}, host_, counts_, todo);
    while (rt_.stats().parked - parked < waiting && !may_be_awake())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    took.device = until_finished(device_memory);
    took.pinned = until_finished(pinned_memory);
    took.host = add_up_here();
    took.calls = until_finished(short_calls);
    const bool in_time = !may_be_awake();
    run.drain();
    check();
    return in_time;
  }

  double until_finished(work which) {
    const genesys::atomic<unsigned, genesys::thread_scope::system> go(host_->go), finished(host_->finished);
    const auto begin = clock::now();
    go.store(which + 1, std::memory_order_release);
    while (finished.load(std::memory_order_acquire) <= which) {
      if (measure::seconds_since(begin) > 10) {
        go.store(works + 1, std::memory_order_release);
        throw measure::failure("the kernel does not begin, or does not end");
      }
      std::this_thread::yield();
    }
    return measure::seconds_since(begin);
  }

  double add_up_here() {
    const auto begin = clock::now();
    word sum = 0;
    for (unsigned times = 0; times < much_.pinned_times; ++times) {
      for (std::size_t i = 0; i < content_.size(); ++i) sum += pinned_[i];
      std::atomic_signal_fence(std::memory_order_seq_cst);  // keeps the compiler from adding up only once
    }
    const double took = measure::seconds_since(begin);
    if (sum != expected_ * much_.pinned_times) throw measure::failure("wrong sum of pinned memory, by the host");
    return took;
  }

  void check() {
    counts found;
    rt_.copy_to_host(&found, counts_, sizeof found);
    if (found.wrong != 0) throw measure::failure(std::to_string(found.wrong) + " calls gave a wrong result");
    if (found.sums[0] != expected_ * much_.device_times) throw measure::failure("wrong sum of device memory");
    if (found.sums[1] != expected_ * much_.pinned_times) throw measure::failure("wrong sum of pinned memory");
  }

  const amounts much_;
  genesys::runtime rt_;
  std::vector<word> content_;
  word expected_ = 0;
  void* device_;
  word* pinned_;
  counts* counts_;
  doors* host_;
};

amounts amounts_for(measure::bench& all) {
  const bool quick = all.quick();
  if (!all.on_gpu()) {
    amounts few{2, 64, 1 << 20, 32, 32, 300, {64, 512}};
    if (!quick) few.waiting.push_back(2048);
    return few;
  }
  amounts much{128, 256, 128 << 20, 256, 4, 4000, {32, 256, 2048, 8192, 16384, 32768, 65536}};
  if (quick) much.waiting = {2048, 65536};
  return much;
}

struct figures {
  measure::numbers device, pinned, host, calls;
  void add(const amounts& much, const seconds_of_each& took) {
    const double gigabytes = much.bytes / 1e9;
    device.push_back(gigabytes * much.device_times / took.device);
    pinned.push_back(gigabytes * much.pinned_times / took.pinned);
    host.push_back(gigabytes * much.pinned_times / took.host);
    calls.push_back(took.calls / much.calls * 1e6);
  }
};

// A number of lanes, and how they wait.
struct those_waiting {
  unsigned lanes;
  measure::wait_mode how;
  figures beside = {};
  bool too_many = false;  // short calls make no progress: no figure

  void once(contention& here, const amounts& much) {
    if (too_many) return;
    try {
      beside.add(much, here.with(lanes, how));
    } catch (const measure::failure& why) {
      if (how == measure::wait_mode::back_off) throw;
      std::printf("%u lanes, %s: %s\n", lanes, measure::name_of(how), why.what());
      too_many = true;
    }
  }
};

void waiting(measure::bench& all) {
  const amounts much = amounts_for(all);
  contention here(all, much);
  figures alone;
  std::vector<those_waiting> each;
  for (const unsigned lanes : much.waiting)
    for (const measure::wait_mode how : measure::wait_modes) each.push_back({lanes, how});
  here.with(much.waiting.back(), measure::wait_mode::back_off);  // a round that does not count
  for (unsigned round = 0; round < (all.quick() ? 3u : 7u); ++round) {
    alone.add(much, here.with(0, measure::wait_mode::back_off));
    for (those_waiting& one : each) one.once(here, much);
  }
  all.keep("device_alone", "GB/s", alone.device);
  all.keep("pinned_alone", "GB/s", alone.pinned);
  all.keep("host_alone", "GB/s", alone.host);
  all.keep("getppid_alone", "us", alone.calls);
  for (const those_waiting& one : each) {
    if (one.too_many) continue;
    const std::string suffix = one.how == measure::wait_mode::back_off ? "" : std::string("_") + name_of(one.how);
    const auto keep = [&](const char* plot, const std::string& line, const measure::numbers& to_alone) {
      all.keep_at(plot, line, "lanes", one.lanes, "ratio", to_alone);
      // On the CPU device all of them share a few cores: the figures show only that the bench works.
      if (all.on_gpu() && one.lanes == much.waiting.back())
        all.keep(line + "_beside_" + std::to_string(one.lanes), "ratio", to_alone);
    };
    keep("throughput", "device" + suffix, measure::ratios(one.beside.device, alone.device));
    keep("throughput", "pinned" + suffix, measure::ratios(one.beside.pinned, alone.pinned));
    keep("throughput", "host" + suffix, measure::ratios(one.beside.host, alone.host));
    keep("time_of_a_call", "getppid" + suffix, measure::ratios(one.beside.calls, alone.calls));
  }
}

}  // namespace
}  // namespace contention

int main(int argc, char** argv) {
  measure::bench all("contention", "What lanes that wait for calls cost other work (GENESYS, Figure 9).");
  all.part("waiting", "throughput of memory and time of short calls, by the number of lanes that wait, and how",
           contention::waiting);
  return all.main(argc, argv);
}
