// SPDX-License-Identifier: Apache-2.0
// A page of shared memory in a memfd. The daemon makes pages; a member maps those whose descriptors it gets.
#pragma once

#include "schedule/daemon/descriptor.h"

namespace genesys::schedule::processes {

enum class access { read, read_write };

// A mapping of one page, which unmaps itself.
class page_mapping {
 public:
  page_mapping() = default;
  // Null if Linux refuses; errno says why.
  page_mapping(int fd, access as);
  page_mapping(page_mapping&& from) noexcept : at_(std::exchange(from.at_, nullptr)) {}
  page_mapping& operator=(page_mapping&& from) noexcept {
    std::swap(at_, from.at_);
    return *this;
  }
  ~page_mapping();

  template <class T>
  T* as() const {
    return static_cast<T*>(at_);
  }
  explicit operator bool() const { return at_ != nullptr; }

 private:
  void* at_ = nullptr;
};

// A new page of zeros, whose size can no longer change. Without a descriptor if Linux refuses; errno says why.
descriptor make_page(const char* name);
// From now on nobody can map the page writable or write to it; mappings that exist stay as they are.
bool seal_writes(int fd);
// Whether it is a page that cannot shrink, so that a read of its mapping cannot fail.
bool is_sealed_page(int fd);

}  // namespace genesys::schedule::processes
