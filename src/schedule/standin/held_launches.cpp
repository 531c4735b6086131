// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/held_launches.h"

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "schedule/daemon/clock.h"
#include "schedule/standin/environment.h"
#include "schedule/standin/jump_table.h"
#include "schedule/standin/messages.h"

namespace genesys::schedule::standin {
namespace {

// A program that launches again within this time has not become idle for the others.
constexpr processes::time_ns idle_after = 200'000;

// As genesys::scheduler has it: the start of the UUID. 0: the driver does not say.
std::uint64_t number_of_device() {
  CUdevice device = 0;
  CUuuid uuid{};
  std::uint64_t made = 0;
  if (GENESYS_REAL(cuCtxGetDevice)(&device) == CUDA_SUCCESS &&
      GENESYS_REAL(cuDeviceGetUuid_v2)(&uuid, device) == CUDA_SUCCESS) {
    std::memcpy(&made, uuid.bytes, sizeof made);
  }
  return made;
}

processes::client_options options_of(int nice) {
  processes::client_options made;
  made.nice = nice;
  made.device = number_of_device();
  made.say = [](const std::string& text) { say(text); };
  return made;
}

}  // namespace

void start_membership() {
  static std::once_flag once;
  std::call_once(once, [] {
    const char* const nice = std::getenv(nice_variable);
    if (nice == nullptr || !has_real(driver_function::cuInit)) return;
    const bool may_ask = std::getenv("GENESYS_SCHEDULED") != nullptr ||
                         ::access(processes::daemon_socket_of_process().c_str(), F_OK) == 0;
    // Never destroyed: the program's threads may launch until the process ends.
    if (may_ask) observe(new held_launches(std::clamp(std::atoi(nice), -20, 19)));
  });
}

// At the first launch, because the GPU is known then.
void held_launches::open() {
  client_ = std::make_unique<processes::client>(options_of(nice_));
  (void)client_->connect();
  has_others_ = client_->others() > 0;
  std::thread([this] { work(); }).detach();
}

CUresult held_launches::launch(const observed_launch& one) noexcept {
  std::call_once(opened_, [this] { open(); });
  if (one.is_captured() || !has_others_.load(std::memory_order_relaxed)) return one.issue();
  std::unique_lock hold(lock_);
  for (;;) {
    while (is_held_) resumed_.wait(hold);
    if (!has_begun_) {
      has_begun_ = true;
      is_held_ = client_->begin() != processes::hold::none;
      begun_now_.notify_one();
      if (is_held_) continue;
    }
    collect();
    if (!has_more_important_.load(std::memory_order_relaxed) || in_gpu_.size() < ahead_max) break;
    hold.unlock();
    ::sched_yield();
    hold.lock();
  }
  const CUresult returned = one.issue();
  if (returned == CUDA_SUCCESS) note(one);
  return returned;
}

void held_launches::wait_while_held() {
  if (!has_others_.load(std::memory_order_relaxed)) return;
  std::unique_lock hold(lock_);
  while (is_held_) resumed_.wait(hold);
}

// Under lock_, in the launch's context.
void held_launches::note(const observed_launch& one) {
  std::vector<CUevent>& idle = free_[one.context()];
  CUevent event = nullptr;
  if (!idle.empty()) {
    event = idle.back();
    idle.pop_back();
  } else if (GENESYS_REAL(cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) {
    return;
  }
  if (GENESYS_REAL(cuEventRecord)(event, one.stream()) == CUDA_SUCCESS) {
    in_gpu_.push_back({event, one.context()});
  } else {
    idle.push_back(event);
  }
}

// Under lock_. Launches of several streams may end in another order; the oldest one counts.
void held_launches::collect() {
  while (!in_gpu_.empty()) {
    const in_gpu& first = in_gpu_.front();
    GENESYS_REAL(cuCtxPushCurrent_v2)(first.context);
    const CUresult state = GENESYS_REAL(cuEventQuery)(first.ended);
    CUcontext popped = nullptr;
    GENESYS_REAL(cuCtxPopCurrent_v2)(&popped);
    if (state == CUDA_ERROR_NOT_READY) return;
    free_[first.context].push_back(first.ended);
    in_gpu_.pop_front();
  }
}

void held_launches::work() {
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  processes::time_ns idle_since = processes::now_ns();
  for (;;) {
    std::unique_lock hold(lock_);
    if (!has_begun_) {
      (void)client_->poll();
      has_others_ = client_->others() > 0;
      has_more_important_ = client_->has_more_important();
      begun_now_.wait_for(hold, std::chrono::milliseconds(50), [this] { return has_begun_; });
      idle_since = processes::now_ns();
      continue;
    }
    if (is_held_) {
      hold.unlock();
      hold_until_free();
      idle_since = processes::now_ns();
      continue;
    }
    collect();
    if (!in_gpu_.empty()) idle_since = processes::now_ns();
    const bool must_hold = client_->poll() != processes::hold::none;
    has_others_ = client_->others() > 0;
    has_more_important_ = client_->has_more_important();
    if (must_hold) {
      is_held_ = true;
    } else if (processes::now_ns() - idle_since > idle_after) {
      client_->end();
      has_begun_ = false;
    }
    hold.unlock();
    std::this_thread::sleep_for(std::chrono::microseconds(has_more_important_ ? 5 : 50));
  }
}

// The program's threads launch nothing now.
void held_launches::hold_until_free() {
  for (;;) {
    {
      const std::lock_guard hold(lock_);
      collect();
      if (in_gpu_.empty()) break;
    }
    ::sched_yield();
  }
  do {
    client_->acknowledge();
    client_->wait(processes::client::wait_max_ns);
  } while (client_->begin() != processes::hold::none);
  const std::lock_guard hold(lock_);
  is_held_ = false;
  resumed_.notify_all();
}

}  // namespace genesys::schedule::standin
