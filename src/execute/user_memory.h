// SPDX-License-Identifier: Apache-2.0
// Checks the addresses of a request, before Linux gets them. The GPU wrote them: each is looked up, and genesys copies
// memory before it checks its contents. Workers call this, any number at once.
#pragma once

#include "genesys/detail/wire/protocol.h"
#include "memory/layout.h"
#include "memory/mappings.h"

namespace genesys::detail {

class user_memory {
 public:
  user_memory(const layout& memory, device& on, mappings& maps);
  ~user_memory();
  user_memory(const user_memory&) = delete;
  user_memory& operator=(const user_memory&) = delete;

  // What an address is: a mapping of a kernel's, or what the device says.
  address_info look(u64 address) const;
  // How many bytes from the address on both sides can address.
  u64 capacity_at(u64 address) const;
  // The address for Linux: itself; or nowhere(), which cannot be read or written, so that Linux itself decides what a
  // call with a bad pointer gives.
  u64 checked(u64 address, u64 bytes) const;
  u64 nowhere() const { return reinterpret_cast<u64>(nowhere_); }
  // Whether all of the range lies in one mapping of a kernel's, of memory that both sides address.
  bool is_mapped(u64 address, u64 bytes) const;

  // Copy memory that capacity_at() has found. False: it cannot be read, or written, after all.
  bool copy_in(void* to, u64 address, u64 bytes) const;
  bool copy_out(u64 address, const void* from, u64 bytes) const;
  // Copies the string, up to the length of a path, so that it cannot change between Linux's reads of it. Returns the
  // address for Linux.
  u64 readable_string(u64 address, char (&copy)[path_bytes_max + 1]) const;

 private:
  static bool copy_mapped(void* to, u64 address, u64 bytes);
  bool copy_string(char* to, u64 address, u64 capacity, u64& end) const;

  const layout& memory_;
  device& device_;
  mappings& maps_;
  void* nowhere_ = nullptr;  // a page that cannot be read or written
};

}  // namespace genesys::detail
