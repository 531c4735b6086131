// SPDX-License-Identifier: Apache-2.0
// Arrays of a program whose work a kernel does, or threads of the CPU: memory of the device and of both sides for a
// kernel, else of the host. Host code.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "genesys/runtime.h"

namespace application {

class storage {
 public:
  // `rt` may be null: all memory is the host's. Arrays live as long as this object; the runtime lives longer.
  explicit storage(genesys::runtime* rt) : rt_(rt) {}
  ~storage() {
    if (rt_ == nullptr) return;
    for (const array& each : made_) each.is_of_both ? rt_->free_arena(each.at) : rt_->free_device(each.at);
  }
  storage(const storage&) = delete;
  storage& operator=(const storage&) = delete;

  // Each byte of the array is `byte`.
  template <class T>
  T* of_device(std::size_t count, int byte = 0) {
    void* const made = add(count * sizeof(T), false);
    if (rt_ != nullptr)
      rt_->fill_device(made, byte, count * sizeof(T));
    else if (byte != 0)
      std::memset(made, byte, count * sizeof(T));
    return static_cast<T*>(made);
  }
  // Each element is `value`.
  template <class T>
  T* of_both(std::size_t count, const T& value = {}) {
    static_assert(alignof(T) <= alignment);
    T* const made = static_cast<T*>(add(count * sizeof(T), true));
    std::uninitialized_fill_n(made, count, value);
    return made;
  }
  template <class T>
  void put(T* at, const T& value) {
    rt_ != nullptr ? rt_->copy_to_device(at, &value, sizeof value) : static_cast<void>(*at = value);
  }
  template <class T>
  std::vector<T> back(const T* at, std::size_t count) const {
    std::vector<T> all(count);
    if (rt_ != nullptr)
      rt_->copy_to_host(all.data(), at, count * sizeof(T));
    else
      all.assign(at, at + count);
    return all;
  }

 private:
  struct array {
    void* at;
    bool is_of_both;
  };

  static constexpr std::size_t alignment = 64;

  // The host's memory is zero.
  void* add(std::size_t bytes, bool is_of_both) {
    made_.reserve(made_.size() + 1);
    bytes = std::max<std::size_t>(bytes, 1);
    void* const made = rt_ == nullptr ? zeroed(bytes)
                       : is_of_both   ? rt_->allocate_arena(bytes)
                                      : rt_->allocate_device(bytes);
    made_.push_back({made, is_of_both});
    return made;
  }
  // As calloc(3), which takes much memory from Linux without touching it, but aligned.
  void* zeroed(std::size_t bytes) {
    void* whole = std::calloc(bytes + alignment, 1);
    if (whole == nullptr) throw std::bad_alloc();
    host_.emplace_back(whole, &std::free);
    std::size_t space = bytes + alignment;
    return std::align(alignment, bytes, whole, space);
  }

  genesys::runtime* const rt_;
  std::vector<array> made_;
  std::vector<std::unique_ptr<void, void (*)(void*)>> host_;
};

}  // namespace application
