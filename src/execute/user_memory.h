// SPDX-License-Identifier: Apache-2.0
// What a request's addresses lead to, as far as Linux may be told of it. They were written by the GPU: each is looked
// up, and what is decided upon is copied first. Called by workers, any number at once.
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
  // Bytes from the address on, as far as both sides can address them.
  u64 capacity_at(u64 address) const;
  // The address as it may go to Linux: itself, or one where nothing can be read or written, so that Linux itself says
  // what it thinks of the call with a bad pointer.
  u64 checked(u64 address, u64 bytes) const;
  u64 nowhere() const { return reinterpret_cast<u64>(nowhere_); }
  // Whether that is all of one mapping of a kernel's, of memory that both sides address.
  bool is_mapped(u64 address, u64 bytes) const;

  // Copies of what capacity_at() found. False: it cannot be read, or written, after all.
  bool copy_in(void* to, u64 address, u64 bytes) const;
  bool copy_out(u64 address, const void* from, u64 bytes) const;
  // Copies the string, up to what a path may have, so that it cannot change between Linux's looks at it: where Linux
  // shall find it.
  u64 readable_string(u64 address, char (&copy)[path_bytes_max + 1]) const;

 private:
  static bool copy_mapped(void* to, u64 address, u64 bytes);
  bool copy_string(char* to, u64 address, u64 capacity, u64& end) const;

  const layout& memory_;
  device& device_;
  mappings& maps_;
  void* nowhere_ = nullptr;  // a page that nobody may touch
};

}  // namespace genesys::detail
