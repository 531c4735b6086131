// SPDX-License-Identifier: Apache-2.0
// The functions of genesys/service.h for memory.
#include <utility>

#include "service/core.h"

namespace genesys {

using namespace detail::services;

void* service_server::allocate(std::size_t bytes) {
  void* const memory = core_->memory().pinned().allocate(bytes, when_full::refuse);
  if (memory != nullptr) return memory;
  throw error(error_code::no_pinned_memory,
              "the pool is full: free memory of it, or make service_options.pool_mib larger");
}

void* service_server::allocate(std::size_t bytes, when_full full) {
  return core_->memory().pinned().allocate(bytes, full);
}

void service_server::free(void* memory) { core_->memory().pinned().free(memory); }
service_pool_counts service_server::pool_counts() const { return core_->memory().pinned().counts(); }

service_registration service_server::register_memory(void* memory, std::size_t bytes) {
  service_registration made;
  made.first_page_ = core_->memory().registered().add(memory, bytes);
  made.core_ = core_;
  return made;
}

service_registration service_server::register_shared(int fd, std::size_t bytes) {
  service_registration made;
  void* const memory = core_->map_shared(fd, bytes);
  try {
    made.first_page_ = core_->memory().registered().add(memory, bytes);
  } catch (...) {
    core_->unmap_shared(memory);
    throw;
  }
  made.is_mapped_ = true;
  made.core_ = core_;
  return made;
}

service_registration::service_registration(service_registration&& other) noexcept
    : core_(std::move(other.core_)),
      first_page_(std::exchange(other.first_page_, nullptr)),
      is_mapped_(other.is_mapped_) {}

service_registration& service_registration::operator=(service_registration&& other) noexcept {
  if (this == &other) return *this;
  end();
  core_ = std::move(other.core_);
  first_page_ = std::exchange(other.first_page_, nullptr);
  is_mapped_ = other.is_mapped_;
  return *this;
}

service_registration::~service_registration() { end(); }

void service_registration::end() {
  if (first_page_ == nullptr) return;
  core_->memory().registered().remove(first_page_, core_->may_use_memory());
  if (is_mapped_ && !core_->may_use_memory()) core_->unmap_shared(first_page_);
  first_page_ = nullptr;
}

}  // namespace genesys
