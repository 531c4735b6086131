// SPDX-License-Identifier: Apache-2.0
// /dev/kgpu, opened and mapped: requests are taken from the ring and completed. The layouts are in
// linux/kgpu/kgpu_abi.h. Any thread may call it.
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "kgpu_abi.h"

namespace genesys::detail::services {

// Throws error(system) with what has failed, and why.
[[noreturn]] void refuse_by_errno(const std::string& what, int number);

class kgpu_device {
 public:
  // Throws error(system).
  explicit kgpu_device(const char* path);
  ~kgpu_device();
  kgpu_device(const kgpu_device&) = delete;
  kgpu_device& operator=(const kgpu_device&) = delete;

  // The device stays open and mapped until the process ends: something may still write to its memory.
  void leak() { is_leaked_ = true; }

  std::span<std::byte> data() const { return {bytes_ + shared_->data_offset, std::size_t{units_} * KGPU_UNIT_BYTES}; }
  std::span<std::byte> data_of(const kgpu_request& request) const;

  // Linux checks the daemon. Blocks while others serve. 0 or errno.
  int admit() const;

  // Moves at most `most` new requests to `into`; waits `spin_us`, and then asleep until there is one or `stop` is
  // readable. False: `stop` is readable. Requests that the module has taken back are completed, and left out.
  bool take(std::vector<kgpu_request>& into, unsigned most, unsigned takers, unsigned spin_us, int stop);

  void complete(std::span<const kgpu_completion> completions) const;

 private:
  bool has_new() const;
  bool wait(unsigned spin_us, int stop) const;

  int file_;
  std::size_t size_ = 0;
  std::byte* bytes_ = nullptr;
  kgpu_shared* shared_ = nullptr;
  kgpu_request* ring_ = nullptr;
  __u32 units_ = 0;
  bool is_leaked_ = false;
  std::mutex taking_;
  __u32 head_ = 0;  // guarded by taking_
};

}  // namespace genesys::detail::services
