// SPDX-License-Identifier: Apache-2.0
// Device memory of a runtime, as an array. The destructor frees it. Host code.
#pragma once

#include <cstddef>
#include <vector>

#include "genesys/runtime.h"

namespace application {

template <class T>
class device_array {
 public:
  // Zeroed.
  device_array(genesys::runtime& rt, std::size_t count)
      : rt_(rt), count_(count), data_(static_cast<T*>(rt.allocate_device(sizeof(T) * (count + 1)))) {
    rt_.fill_device(data_, 0, sizeof(T) * (count + 1));
  }
  device_array(genesys::runtime& rt, const std::vector<T>& from) : device_array(rt, from.size()) {
    if (!from.empty()) rt_.copy_to_device(data_, from.data(), sizeof(T) * count_);
  }
  ~device_array() { rt_.free_device(data_); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  T* data() const { return data_; }
  std::vector<T> back() const {
    std::vector<T> all(count_);
    rt_.copy_to_host(all.data(), data_, sizeof(T) * count_);
    return all;
  }

 private:
  genesys::runtime& rt_;
  std::size_t count_;
  T* data_;
};

}  // namespace application
