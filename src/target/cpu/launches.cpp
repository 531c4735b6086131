// SPDX-License-Identifier: Apache-2.0
// Checks launches, keeps them in the order of their streams, hands out their blocks.
#include "target/cpu/launches.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace genesys::detail::cpu {
namespace {

// The limits are CUDA's, so that a launch that is valid here is valid on a GPU.
constexpr unsigned grid_x_max = 0x7fff'ffff, grid_yz_max = 65535, block_xy_max = 1024, block_z_max = 64;

std::string text_of(const dims& d) {
  return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
}

void check(const dims& grid, const dims& block, std::size_t shared_bytes, bool has_body) {
  const auto refuse = [](const std::string& why) { throw std::invalid_argument(why); };
  const auto volume = [](const dims& d) { return std::uint64_t{d.x} * d.y * d.z; };
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) refuse("a grid of " + text_of(grid) + " blocks has no block");
  if (block.x == 0 || block.y == 0 || block.z == 0) refuse("a block of " + text_of(block) + " threads has no thread");
  if (grid.x > grid_x_max || grid.y > grid_yz_max || grid.z > grid_yz_max ||
      volume({1, grid.y, grid.z}) * grid.x > std::numeric_limits<unsigned>::max()) {
    refuse("a grid of " + text_of(grid) +
           " blocks is too large: at most 2147483647 x 65535 x 65535, and 2^32 - 1 in all");
  }
  if (block.x > block_xy_max || block.y > block_xy_max || block.z > block_z_max || volume(block) > block_threads_max) {
    refuse("a block of " + text_of(block) + " threads is too large: at most 1024 x 1024 x 64, and 1024 in all");
  }
  if (shared_bytes > shared_bytes_max) {
    refuse(std::to_string(shared_bytes) + " bytes of shared memory are too many: a block has at most " +
           std::to_string(shared_bytes_max));
  }
  if (!has_body) refuse("the launch has no kernel");
}

// Threads that acquire `after` come after threads that released to `before`. Runs on the janitor.
void comes_after(void* before, void* after) {
  sanitizers::acquire(*static_cast<sanitizers::order_tag*>(before));
  sanitizers::release(*static_cast<sanitizers::order_tag*>(after));
}

}  // namespace

std::shared_ptr<launch_state> launches::add(dims grid, dims block, std::size_t shared_bytes, void* stream_handle,
                                            std::function<void()> body, const aborts::launch_context* abort) {
  check(grid, block, shared_bytes, static_cast<bool>(body));
  const auto made = std::make_shared<launch_state>();
  made->grid = grid;
  made->block = block;
  made->threads = block.x * block.y * block.z;
  made->warps = (made->threads + warp_lanes - 1) / warp_lanes;
  made->blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  made->shared_bytes = shared_bytes;
  made->stream = stream_handle;
  made->body = std::move(body);
  if (abort != nullptr) made->abort = *abort;
  made->resident.resize(carriers_);
  made->resident_max = (made->blocks + carriers_ - 1) / carriers_;

  const std::lock_guard lock(mutex_);
  open_.reserve(pending_ + 1);  // so that carriers need no memory to open it
  stream& in = streams_[stream_handle];
  in.queue.push_back(made);
  made->number = ++count_;
  ++pending_;
  if (in.queue.size() == 1) open(*made);
  return made;
}

void launches::open(launch_state& launch) {
  open_.push_back(&launch);
  open_hint_ = open_.size();
  work_.notify_all();
}

launch_state* launches::find(unsigned carrier, unsigned free_warps) {
  for (std::size_t tried = 0; tried < open_.size(); ++tried) {
    launch_state* const candidate = open_[++turn_ % open_.size()];
    const bool fits = candidate->warps <= free_warps && candidate->resident[carrier] < candidate->resident_max;
    if (fits) return candidate;
  }
  return nullptr;
}

launch_state* launches::take(carrier_link& by, unsigned free_warps, resident_block& place, bool sleep) {
  std::unique_lock lock(mutex_);
  launch_state* found = find(by.index, free_warps);
  while (found == nullptr && sleep && !closed_) {
    work_.wait(lock);
    found = find(by.index, free_warps);
  }
  if (found == nullptr) return nullptr;
  if (found->blocks_taken == 0) {
    run_apart(by, comes_after, &streams_[found->stream].finished, &found->began);
  }
  place.launch = found;
  place.rank = static_cast<unsigned>(found->blocks_taken++);
  ++found->resident[by.index];
  if (found->blocks_taken == found->blocks) {
    std::erase(open_, found);
    open_hint_ = open_.size();
  }
  return found;
}

void launches::block_ended(carrier_link& by, resident_block& place) {
  launch_state& launch = *place.launch;
  {
    const std::lock_guard lock(mutex_);
    place.launch = nullptr;
    --launch.resident[by.index];
    if (++launch.blocks_ended < launch.blocks) return;
    stream& in = streams_[launch.stream];
    launch.itself = std::move(in.queue.front());
    in.queue.pop_front();
    run_apart(by, comes_after, &launch.finished, &in.finished);
    --pending_;
    launch.ended.store(true, std::memory_order_release);  // pairs with done()
    if (!in.queue.empty()) open(*in.queue.front());
    ended_.notify_all();
  }
  // Drops the last reference, unless the host keeps one. That destroys the kernel and what it holds.
  run_apart(
      by, [](void* of, void*) { const auto last = std::move(static_cast<launch_state*>(of)->itself); }, &launch,
      nullptr);
}

bool launches::done(launch_state& launch) {
  if (!launch.ended.load(std::memory_order_acquire)) return false;  // pairs with block_ended()
  sanitizers::acquire(launch.finished);
  return true;
}

bool launches::wait(launch_state& launch, const unsigned* timeout_ms) {
  std::unique_lock lock(mutex_);
  const auto ended = [&] { return done(launch); };
  if (timeout_ms) return ended_.wait_for(lock, std::chrono::milliseconds(*timeout_ms), ended);
  ended_.wait(lock, ended);
  return true;
}

std::size_t launches::pending() const {
  const std::lock_guard lock(mutex_);
  return pending_;
}

void launches::wait_all() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return pending_ == 0; });
}

void launches::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  work_.notify_all();
}

bool launches::is_closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

void launches::look_at_running(const carrier_link& at, const std::function<void(const fiber&)>& with) const {
  const std::lock_guard lock(mutex_);
  const fiber* const running = at.running;
  if (running == nullptr) return;
  const resident_block* const home = running->home;
  if (home != nullptr && home->launch != nullptr) with(*running);
}

}  // namespace genesys::detail::cpu
