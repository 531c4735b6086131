// SPDX-License-Identifier: Apache-2.0
// The CPU device as the host sees it: carriers, one OS thread each, and a monitor thread that reports threads of a
// kernel which spin without pause(). Host threads call it, any number at once.
#include <sys/random.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "target/cpu/carrier.h"
#include "target/cpu/launches.h"
#include "target/cpu/regions.h"
#include "target/start_thread.h"

namespace genesys::detail::cpu {
namespace {

// ThreadSanitizer of gcc 12 can hold 8,128 threads, fibers included, and takes milliseconds to make one.
constexpr unsigned resident_threads_default = sanitizers::thread ? 2048 : 32768;
constexpr unsigned resident_threads_limit = sanitizers::thread ? 2048 : 1u << 19;

std::uint64_t draw_seed() {
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) seed = clock_ns();
  return seed == 0 ? 1 : seed;
}

std::uint64_t mix(std::uint64_t x) {  // splitmix64
  x += 0x9e37'79b9'7f4a'7c15u;
  x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9u;
  x = (x ^ x >> 27) * 0x94d0'49bb'1331'11ebu;
  return x ^ x >> 31;
}

std::size_t choose_stack_bytes(const device_options& options) {
  constexpr std::size_t least = device_options::stack_bytes_min, most = device_options::stack_bytes_max;
  if (options.stack_bytes < least || options.stack_bytes > most) {
    throw std::invalid_argument("stack_bytes is " + std::to_string(options.stack_bytes) + "; a stack has from " +
                                std::to_string(least) + " to " + std::to_string(most) + " bytes");
  }
  const std::size_t pages = (options.stack_bytes + page_bytes - 1) / page_bytes;
  return std::min(stack_scale * pages * page_bytes, stack_bytes_limit);
}

unsigned choose_residents(const device_options& options, std::size_t stack_bytes) {
  const unsigned wanted = options.resident_threads_max == 0 ? resident_threads_default : options.resident_threads_max;
  // Each carrier takes whole slabs, and one for its janitor. A quarter of the stacks is left for the unused parts of
  // slabs.
  const std::size_t stacks = regions::stacks_max(stack_bytes) / 4 * 3;
  return static_cast<unsigned>(std::min<std::size_t>({wanted, resident_threads_limit, stacks}));
}

unsigned choose_carriers(const device_options& options, unsigned residents) {
  const unsigned machine = std::max(1u, std::thread::hardware_concurrency());
  const unsigned wanted = options.os_threads == 0 ? machine : std::min(options.os_threads, machine);
  return std::clamp(wanted, 1u, std::max(1u, residents / block_threads_max));
}

// Reports a fiber that spins without pause(), from a thread of its own.
class monitor {
 public:
  monitor(std::deque<carrier>& carriers, const launches& all, unsigned report_ms)
      : carriers_(carriers), launches_(all), report_ms_(report_ms), seen_(carriers.size()) {
    if (report_ms != 0) thread_ = start_thread([this] { work(); });
  }
  ~monitor() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

 private:
  struct seen {
    std::uint64_t turns = 0, since_ns = 0, report_after_ms = 0;
  };

  void work() {
    const auto period = std::chrono::milliseconds(std::max(1u, report_ms_ / 4));
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, period, [this] { return ended_; })) {
      for (std::size_t i = 0; i < seen_.size(); ++i) look(carriers_[i], seen_[i]);
    }
  }

  void look(const carrier& at, seen& last) {
    const std::uint64_t now = clock_ns(), turns = at.turns;
    if (turns != last.turns || at.running == nullptr) {
      last = {turns, now, report_ms_};
      return;
    }
    const std::uint64_t spent_ms = (now - last.since_ns) / 1'000'000;
    const unsigned others = std::max(1u, at.threads_resident()) - 1;
    if (spent_ms < last.report_after_ms || (others == 0 && !launches_.offers())) return;
    launches_.look_at_running(at, [&](const fiber& f) {
      std::fprintf(stderr,
                   "genesys: %s has run for %.1f s without pause(), while %u other threads of its OS thread wait%s; a "
                   "loop that waits for another thread must call pause()\n",
                   describe(f).text, static_cast<double>(spent_ms) / 1000, others,
                   launches_.offers() ? ", and blocks that have not begun" : "");
    });
    last.report_after_ms = 2 * spent_ms;
  }

  std::deque<carrier>& carriers_;
  const launches& launches_;
  const unsigned report_ms_;
  std::vector<seen> seen_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace

struct device::parts {
  explicit parts(const device_options& options)
      : seed(options.seed == 0 ? draw_seed() : options.seed),
        stack_bytes(choose_stack_bytes(options)),
        residents(choose_residents(options, stack_bytes)),
        carrier_count(choose_carriers(options, residents)),
        warps_max(std::max(1u, residents / carrier_count / warp_lanes)),
        all(carrier_count) {
    for (unsigned i = 0; i < carrier_count; ++i) carriers.emplace_back(i, warps_max, stack_bytes, mix(seed + i), all);
    threads.reserve(carrier_count);  // a running std::thread that push_back cannot store ends the program
    try {
      for (carrier& each : carriers) threads.push_back(start_thread([&each] { each.work(); }));
      spin_checker.emplace(carriers, all, options.spin_report_ms);
    } catch (...) {
      end();
      throw;
    }
  }
  ~parts() {
    all.wait_all();
    end();
  }
  void end() {
    spin_checker.reset();
    all.close();
    for (std::thread& each : threads) each.join();
  }

  const std::uint64_t seed;
  const std::size_t stack_bytes;
  const unsigned residents, carrier_count, warps_max;
  launches all;
  std::deque<carrier> carriers;
  std::vector<std::thread> threads;
  std::optional<monitor> spin_checker;
};

device::device(const device_options& options) {
  regions::reserve();
  catch_overflows();
  parts_ = std::make_unique<parts>(options);
}
device::~device() = default;

void* device::allocate_device(std::size_t bytes) { return regions::allocate_device(bytes); }
bool device::free_device(void* address) { return regions::free_device(address); }
bool device::device_range(const void* address, void** base, std::size_t* bytes) const {
  return regions::device_range(address, base, bytes);
}

unsigned device::warps_resident_max() const noexcept {
  return parts_->carrier_count * carrier::hints(parts_->warps_max);
}
unsigned device::resident_threads_max() const noexcept { return parts_->residents; }
std::size_t device::stack_bytes() const noexcept { return parts_->stack_bytes; }
unsigned device::os_threads() const noexcept { return parts_->carrier_count; }
std::uint64_t device::seed() const noexcept { return parts_->seed; }

std::shared_ptr<launch_state> device::launch(dims grid, dims block, std::size_t shared_bytes, void* stream,
                                             std::function<void()> body, const aborts::launch_context* abort) {
  return parts_->all.add(grid, block, shared_bytes, stream, std::move(body), abort);
}
void device::wait(launch_state& launch) { parts_->all.wait(launch, nullptr); }
bool device::wait_for(launch_state& launch, unsigned timeout_ms) { return parts_->all.wait(launch, &timeout_ms); }
bool device::done(launch_state& launch) const { return launches::done(launch); }
std::size_t device::launches_pending() const { return parts_->all.pending(); }

}  // namespace genesys::detail::cpu
