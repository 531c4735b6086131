// SPDX-License-Identifier: Apache-2.0
// The beginning and the end of a server.
#include "service/core.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdio>

#include "genesys/runtime.h"
#include "service/child_launcher.h"
#include "target/start_thread.h"
#include "trace/clock.h"

namespace genesys::detail::services {
namespace {

const service_options& checked(const service_options& chosen) {
  const auto refuse = [](const char* why) {
    throw error(error_code::bad_option, std::string("service_options.") + why);
  };
  if (chosen.blocks > blocks_max) refuse("blocks: at most 128");
  if (chosen.threads % warp_lanes != 0 || chosen.threads > 1024) refuse("threads: a multiple of 32, at most 1,024");
  if (chosen.pool_mib == 0) refuse("pool_mib: at least 1");
  if (!std::has_single_bit(chosen.slots) || chosen.slots < slots_min || chosen.slots > slots_max)
    refuse("slots: a power of two from 16 to 4,096");
  return chosen;
}

template <class T>
T* allocate_both(device& on, std::size_t count) {
  return static_cast<T*>(on.allocate_both(count * sizeof(T)));
}
template <class T>
T* allocate_device(device& on, std::size_t count) {
  T* const made = static_cast<T*>(on.allocate(count * sizeof(T)));
  on.fill(made, 0, count * sizeof(T));
  return made;
}

}  // namespace

core::core(program what, const service_options& chosen)
    : program_(std::move(what)),
      chosen_(checked(chosen)),
      slots_log2_(static_cast<u32>(std::countr_zero(chosen.slots))),
      free_(chosen.slots),
      records_(std::make_unique<slot_record[]>(chosen.slots)),
      watched_(std::make_unique<std::atomic<u64>[]>((chosen.slots + 63) / 64)),
      twins_(std::make_unique<twin_threads>(
          chosen.twin_threads != 0 ? chosen.twin_threads : std::clamp(std::thread::hardware_concurrency(), 1u, 8u))),
      counters_(static_cast<u32>(program_.types.size()) + 1) {
  try {
    if (is_isolated()) {
      open_child();
    } else {
      open_device_here();
    }
    shape_ = {chosen_.blocks + 1, chosen_.threads};
    loader_ = std::make_unique<loader>(static_cast<loader::host&>(*this), program_, *rows_);
    monitor_ = start_thread([this] { monitor(); });
    if (is_isolated()) supervisor_ = start_thread([this] { supervise(); });
  } catch (...) {
    stop_monitor();
    free_memory();
    if (supervisor_wake_ >= 0) ::close(supervisor_wake_);
    throw;
  }
}

void core::open_device_here() {
  on_ = open_device(chosen_.device);
  launcher_ = launcher_for(*on_, program_);
  launcher_->choose(chosen_.blocks, chosen_.threads);
  requests_ = allocate_both<request_slot>(*on_, chosen_.slots);
  completions_ = allocate_both<completion_slot>(*on_, chosen_.slots);
  words_ = allocate_both<pinned_words>(*on_, 1);
  pinned_rows_ = allocate_both<service_row>(*on_, rows_max);
  state_ = allocate_device<device_state>(*on_, 1);
  shares_ = allocate_device<share_record>(*on_, chosen_.slots);
  launch_records_ = allocate_device<launch_record>(*on_, chosen_.slots);
  rows_ = std::make_unique<row_table>(pinned_rows_);
  buffers_ = std::make_unique<buffers>(on_.get(), on_->memory_mapper(), std::size_t{chosen_.pool_mib} << 20);
}

device& core::on() {
  if (on_ != nullptr) return *on_;
  throw error(error_code::bad_option,
              "an isolated server has no copy engine: choose service_transfer::zero_copy, or isolated = false");
}
void* core::map_shared(int fd, std::size_t bytes) {
  const int seals = ::fcntl(fd, F_GET_SEALS);
  struct stat about {};
  if (bytes == 0 || seals < 0 || (seals & F_SEAL_SHRINK) == 0 || ::fstat(fd, &about) != 0 ||
      static_cast<std::size_t>(about.st_size) < bytes)
    throw error(error_code::bad_option, "shared memory must be a memfd with so many bytes, sealed against shrinking");
  return child_ != nullptr ? child_->map_shared(fd, bytes) : window_.map(fd, bytes);
}
void core::unmap_shared(void* memory) { child_ != nullptr ? child_->unmap_shared(memory) : window_.unmap(memory); }

device_kind core::kind() const { return on_ != nullptr ? on_->kind() : child_->kind(); }

std::string core::describe() const {
  return (on_ != nullptr ? on_->describe() : child_->describe() + "; in a process of its own") +
         "; services: " + std::to_string(chosen_.blocks) + " blocks of " + std::to_string(chosen_.threads) +
         " threads and one that dispatches, " + std::to_string(chosen_.slots) + " slots";
}

service_counts core::counts() const {
  return {.requests = tail_.load() + launched_.load() + other_requests_.load() + by_choice_.load(),
          .launches = launches_.load(),
          .launched = launched_.load(),
          .malformed = malformed_.load(),
          .timed_out = timed_out_.load(),
          .by_twins = by_twins_.load() + by_choice_.load(),
          .by_choice = by_choice_.load(),
          .redone = redone_.load(),
          .lost = lost_.load(),
          .replaced = replaced_.load(),
          .files_loaded = loader_->loaded(),
          .link_us = loader_->link_us(),
          .load_us = load_us_.load(),
          .pause_us = pause_us_.load(),
          .pause_us_most = pause_us_most_.load()};
}

u32 core::code_of(const std::type_info& type) const {
  for (u32 code = 0; code < program_.types.size(); ++code) {
    if (program_.types[code] == std::type_index(type)) return code;
  }
  throw error(error_code::bad_option, "this service is not in the server's service_list: " + name_of_type(type));
}

u32 core::requests_in_flight() const {
  u32 count = 0;
  for (u32 slot = 0; slot < chosen_.slots; ++slot) count += records_[slot].word.load() & in_flight;
  return count;
}

// New requests get -ECANCELED. Those under way have time to end, for which the kernel may have to come back; the others
// are canceled. Then the kernel leaves.
void core::end() {
  const u64 deadline = now_ns() + u64{chosen_.shutdown_timeout_ms} * 1'000'000;
  ending_ = true;
  buffers_->pinned().close();
  while (requests_in_flight() != 0 && now_ns() < deadline) std::this_thread::sleep_for(std::chrono::microseconds(50));
  if (is_isolated()) {
    end_child(deadline);
    cancel_requests();
    kernel_has_left_ = true;
  } else {
    cancel_requests();
    kernel_has_left_ = kernel_left(deadline);
  }
  stop_monitor();
  twins_->end();
  keep_costs();
  ended_ = true;
  if (kernel_has_left_) return;
  std::fprintf(stderr, "genesys: the non-stop kernel %s after %u ms; its memory is left to it\n",
               gpu_ == side::lost ? "has failed, and may still run" : "still runs", chosen_.shutdown_timeout_ms);
}

void core::stop_monitor() {
  {
    const std::lock_guard hold(monitor_lock_);
    stopping_ = true;
  }
  monitor_woken_.notify_all();
  if (monitor_.joinable()) monitor_.join();
}

core::~core() {
  if (supervisor_wake_ >= 0) ::close(supervisor_wake_);
  if (kernel_has_left_) {
    free_memory();
    return;
  }
  buffers_->leak();
  (void)launcher_.release();
  (void)on_.release();
}

void core::cancel_requests() {
  for (u32 slot = 0; slot < chosen_.slots; ++slot) {
    const u64 word = records_[slot].word.load(std::memory_order_acquire);
    call_state* const call = records_[slot].call.load(std::memory_order_relaxed);
    if ((word & in_flight) != 0 && finish(slot, static_cast<u32>(word >> 32), after::retire))
      deliver(slot, call, gpu_ == side::lost ? -EIO : -ECANCELED);
  }
}

// Whether the launches have ended.
bool core::kernel_left(u64 deadline) {
  const std::lock_guard hold(launching_);
  closed_ = true;
  std::atomic_ref<u64>(words_->asked).fetch_or(asked_to_stop, std::memory_order_relaxed);
  for (;;) {
    const progress is = launcher_->look(), requests = launcher_->look_at_requests();
    if (is == progress::ended && requests == progress::ended) return true;
    if (is == progress::unknown || requests == progress::unknown || now_ns() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

void core::free_memory() {
  loader_.reset();
  rows_.reset();
  buffers_.reset();  // it uses the launcher of an isolated server
  launcher_.reset();
  if (on_ == nullptr) return;  // the rest is of control_
  for (void* memory : {static_cast<void*>(requests_), static_cast<void*>(completions_), static_cast<void*>(words_),
                       static_cast<void*>(pinned_rows_)}) {
    if (memory != nullptr) on_->free_both(memory);
  }
  if (state_ != nullptr) on_->free(state_);
  if (shares_ != nullptr) on_->free(shares_);
  if (launch_records_ != nullptr) on_->free(launch_records_);
  on_.reset();
}

}  // namespace genesys::detail::services
