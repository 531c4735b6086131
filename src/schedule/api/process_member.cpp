// SPDX-License-Identifier: Apache-2.0
#include "schedule/api/process_member.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <utility>

#include "schedule/daemon/clock.h"

namespace genesys::schedule {
namespace {

// A process that launches again within this time has not become idle for the others.
constexpr time_ns idle_after = 200'000;

}  // namespace

bool process_member::is_wanted() {
  return std::getenv("GENESYS_SCHEDULED") != nullptr ||
         ::access(processes::daemon_socket_of_process().c_str(), F_OK) == 0;
}

process_member::process_member(driver& of, std::uint64_t device, kernel_reports kernels)
    : of_(of), kernels_(std::move(kernels)) {
  processes::client_options options;
  options.nice = nice_least;
  options.device = device;
  client_ = std::make_unique<processes::client>(options);
  (void)client_->connect();
  of_.set_outside(this);
  thread_ = std::thread([this] { work(); });
}

process_member::~process_member() {
  {
    const std::lock_guard hold(sleeping_);
    ends_ = true;
  }
  wake_.notify_all();
  thread_.join();
  of_.set_outside(nullptr);
}

void process_member::set_nice(int nice) {
  const std::lock_guard hold(lock_);
  asked_ = nice;
  client_->renice(nice);
}

// Under lock_. The daemon may refuse the value: then the process has that of its CPU time, which it may always have,
// and not the one with which it has joined.
void process_member::settle_nice() {
  if (client_->refused().empty()) return;
  const int own = ::getpriority(PRIO_PROCESS, 0);
  if (asked_ >= own) return;
  asked_ = own;
  client_->renice(own);
}

time_ns process_member::now_or_never() { return processes::now_ns(); }

// Under the driver's lock. The thread sleeps without lock_ unless the process is busy.
bool process_member::begin() {
  bool may = true;
  {
    const std::unique_lock hold(lock_, std::try_to_lock);
    if (hold.owns_lock() && !has_begun_) {
      has_begun_ = true;
      may = client_->begin() == processes::hold::none;
    }
  }
  {
    const std::lock_guard hold(sleeping_);
    is_busy_ = true;
    last_end_.store(never, std::memory_order_relaxed);  // together: the thread looks at both before it calls end()
  }
  wake_.notify_one();
  return may;
}

void process_member::work() {
  for (;;) {
    {
      std::unique_lock hold(sleeping_);
      // The client looks after its connection now and then.
      wake_.wait_for(hold, std::chrono::milliseconds(50), [this] { return is_busy_ || ends_; });
      if (ends_) break;
      if (!is_busy_) {
        hold.unlock();
        {
          const std::lock_guard in(lock_);
          (void)client_->poll();
          settle_nice();
        }
        report_if_wanted();
        continue;
      }
    }
    run_free_or_hold();
  }
  const std::lock_guard hold(lock_);
  if (has_begun_) client_->end();
}

// Without lock_ while kernels_ takes the driver's lock, under which begin() is called.
void process_member::report_if_wanted() {
  {
    const std::lock_guard hold(lock_);
    if (!client_->wants_report()) return;
  }
  std::vector<processes::kernel_report> now = kernels_();
  const std::lock_guard hold(lock_);
  client_->report(std::move(now));
}

// From the first instance until none has come for some time.
void process_member::run_free_or_hold() {
  bool holds = false;
  for (;;) {
    {
      const std::lock_guard hold(sleeping_);
      if (ends_) break;
    }
    report_if_wanted();
    const time_ns ended = last_end_.load(std::memory_order_relaxed);
    if (!holds && ended != never && processes::now_ns() - ended > idle_after) {
      const std::lock_guard hold(lock_);
      const std::lock_guard busy(sleeping_);
      if (last_end_.load(std::memory_order_relaxed) == ended) {
        client_->end();
        has_begun_ = is_busy_ = false;
        return;
      }
    }
    holds = holds || of_.is_occupied();  // begin() may have found that it must hold
    bool important = false;
    {
      const std::lock_guard hold(lock_);
      if (!has_begun_) {
        has_begun_ = true;
        holds = client_->begin() != processes::hold::none;
      } else if (!holds) {
        holds = client_->poll() != processes::hold::none;
      }
      settle_nice();
      important = client_->has_more_important();
    }
    if (important != is_important_) {
      is_important_ = important;
      of_.expect_outside(important);
    }
    if (holds) {
      of_.occupy();
      if (!of_.has_drained()) {
        std::this_thread::yield();
        continue;
      }
      const std::lock_guard hold(lock_);
      client_->acknowledge();
      client_->wait(processes::client::wait_max_ns);
      holds = client_->begin() != processes::hold::none;
      if (!holds) of_.release();
    } else if (important) {
      for (int i = 0; i < 20; ++i) __builtin_ia32_pause();  // a hold must be seen within microseconds
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
  if (holds) of_.release();
}

}  // namespace genesys::schedule
