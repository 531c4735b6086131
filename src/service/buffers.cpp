// SPDX-License-Identifier: Apache-2.0
#include "service/buffers.h"

#include <algorithm>
#include <bit>

namespace genesys::detail::services {

buffers::buffers(device* on, mapper& by, std::size_t pool_bytes_max)
    : on_(on), pool_(by, pool_bytes_max), registrations_(by) {}

buffers::~buffers() {
  for (const auto& [bytes, memory] : device_free_) on_->free(memory);
}

void buffers::leak() {
  pool_.leak();
  device_free_.clear();
}

std::size_t buffers::usable_bytes(const void* at) const {
  const std::size_t pooled = pool_.registered_bytes(at);
  return pooled != 0 ? pooled : registrations_.registered_bytes(at);
}

// Sizes are rounded up to powers of two, so that the next stream finds one that fits.
void* buffers::take_device(std::size_t bytes) {
  const std::size_t rounded = std::bit_ceil(std::max<std::size_t>(bytes, 4096));
  {
    const std::lock_guard hold(lock_);
    if (const auto found = device_free_.find(rounded); found != device_free_.end()) {
      void* const memory = found->second;
      device_free_.erase(found);
      return memory;
    }
  }
  if (on_ == nullptr) {
    throw error(error_code::bad_option,
                "an isolated server has no device memory for its callers: use memory of service_server::allocate()");
  }
  return on_->allocate(rounded);
}

void buffers::give_device(void* memory, std::size_t bytes) {
  if (memory == nullptr) return;
  const std::lock_guard hold(lock_);
  device_free_.emplace(std::bit_ceil(std::max<std::size_t>(bytes, 4096)), memory);
}

namespace {

// Sizes with the same power of two below them count as equal.
std::pair<int, int> class_of(std::size_t input_bytes, std::size_t output_bytes) {
  return {static_cast<int>(std::bit_width(input_bytes)), static_cast<int>(std::bit_width(output_bytes))};
}

}  // namespace

service_transfer buffers::learnt_transfer(std::size_t input_bytes, std::size_t output_bytes) const {
  const std::lock_guard hold(lock_);
  const auto found = transfers_.find(class_of(input_bytes, output_bytes));
  return found == transfers_.end() ? service_transfer::automatic : found->second;
}

void buffers::learn_transfer(std::size_t input_bytes, std::size_t output_bytes, service_transfer way) {
  const std::lock_guard hold(lock_);
  transfers_[class_of(input_bytes, output_bytes)] = way;
}

}  // namespace genesys::detail::services
