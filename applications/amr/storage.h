// SPDX-License-Identifier: Apache-2.0
// Arrays of a simulation: device memory for a kernel, or memory of the host. Host only.
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "genesys/runtime.h"

namespace amr {

class storage {
 public:
  // `rt` may be null: all memory is the host's. It lives as long as this object.
  explicit storage(genesys::runtime* rt) : rt_(rt) {}
  ~storage() {
    for (void* each : made_) rt_ != nullptr ? rt_->free_device(each) : std::free(each);
  }
  storage(const storage&) = delete;
  storage& operator=(const storage&) = delete;

  // Each byte of the array is `byte`.
  template <class T>
  T* make(std::size_t count, int byte = 0) {
    made_.reserve(made_.size() + 1);
    const std::size_t bytes = count * sizeof(T);
    void* const made = rt_ != nullptr ? rt_->allocate_device(bytes) : std::malloc(bytes);
    if (made == nullptr) throw std::bad_alloc();
    made_.push_back(made);
    rt_ != nullptr ? rt_->fill_device(made, byte, bytes) : static_cast<void>(std::memset(made, byte, bytes));
    return static_cast<T*>(made);
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
  genesys::runtime* const rt_;
  std::vector<void*> made_;
};

}  // namespace amr
