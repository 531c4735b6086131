// SPDX-License-Identifier: Apache-2.0
// The memory of a task: of the device and of both sides for a kernel, else of the host. Host only.
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "genesys/runtime.h"
#include "options.h"
#include "table.h"

namespace memcached {

class memory {
 public:
  // `rt` may be null: all memory is the host's. All of it is zero at first, and lives as long as this object and `rt`.
  explicit memory(genesys::runtime* rt) : rt_(rt) {}

  template <class T>
  T* of_device(u64 count) {
    if (rt_ == nullptr) return of_host<T>(count);
    void* const made = rt_->allocate_device(count * sizeof(T));
    rt_->fill_device(made, 0, count * sizeof(T));
    return static_cast<T*>(made);
  }
  template <class T>
  T* of_both(u64 count) {
    if (rt_ == nullptr) return of_host<T>(count);
    void* const made = rt_->allocate_arena(count * sizeof(T));
    std::memset(made, 0, count * sizeof(T));
    return static_cast<T*>(made);
  }

 private:
  template <class T>
  T* of_host(u64 count) {
    host_.emplace_back(std::calloc(count, sizeof(T)), &std::free);
    if (host_.back() == nullptr) throw std::runtime_error("no memory for items: give a smaller --memory-limit");
    return static_cast<T*>(host_.back().get());
  }
  genesys::runtime* const rt_;
  std::vector<std::unique_ptr<void, void (*)(void*)>> host_;
};

inline table make_table(const settings& chosen, memory& from) {
  table t{};
  t.depth = chosen.depth;
  t.slot_bytes = slot_bytes_of(chosen);
  t.by = chosen.how;
  const u64 bucket_bytes = u64{t.depth} * t.slot_bytes, buckets = (u64{chosen.memory_mib} << 20) / bucket_bytes;
  if (buckets == 0)
    throw std::runtime_error("the memory holds no bucket: give a larger --memory-limit, or a smaller --depth");
  t.buckets = static_cast<u32>(buckets);
  t.locks = from.of_device<u32>(buckets);
  t.tags = from.of_device<u32>(buckets * t.depth);
  t.cas = from.of_device<u64>(buckets * t.depth);
  t.last_cas = from.of_device<u64>(1);
  t.items = from.of_device<u8>(buckets * bucket_bytes);
  return t;
}

}  // namespace memcached
