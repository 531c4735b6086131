// SPDX-License-Identifier: Apache-2.0
// Containers in the pool of a server, so that services work on them without copies. For host programs;
// docs/service-buffers.md.
//
//   genesys::service_memory in_pool(server);
//   std::pmr::vector<float> data(1024, &in_pool);
//   server.call(adds, {data.data(), ...});
#pragma once

#include <cstddef>
#include <memory_resource>
#include <new>

#include "genesys/service.h"

namespace genesys {

// The pool as a memory resource. The server outlives it. Any thread.
class service_memory final : public std::pmr::memory_resource {
 public:
  // `full`: what an allocation does when the pool is full: it waits, or throws std::bad_alloc. It throws error where
  // service_server::allocate() does.
  explicit service_memory(service_server& server, when_full full = when_full::refuse) : server_(server), full_(full) {}

 private:
  static constexpr std::size_t alignment_max = 256;  // of every allocation (service_server::allocate)

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* const memory = alignment <= alignment_max ? server_.allocate(bytes, full_) : nullptr;
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  void do_deallocate(void* memory, std::size_t, std::size_t) override { server_.free(memory); }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    const auto* const same = dynamic_cast<const service_memory*>(&other);
    return same != nullptr && &same->server_ == &server_;
  }

  service_server& server_;
  const when_full full_;
};

}  // namespace genesys
