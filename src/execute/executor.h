// SPDX-License-Identifier: Apache-2.0
// Carries one request to Linux. The `threads` executor: the worker that holds the request makes the call itself. It
// trusts nothing in the request: pointers are checked against memory that both sides address, strings are copied first.
// Called by workers, any number at once.
#pragma once

#include <time.h>

#include <atomic>

#include "genesys/detail/plan.h"
#include "memory/layout.h"
#include "memory/mappings.h"
#include "policy/policy.h"

namespace genesys::detail {

struct result {
  enum class kind {
    done,   // value is Linux's answer
    again,  // not made: the descriptor `value` has to become ready for `extra.second` (readiness)
    drop,   // the request makes no sense: nobody can be answered
    park,   // not made here: waits for a descriptor (internal_wait), or for `extra.first` nanoseconds; see
            // host/parking.h
  };
  kind what = kind::done;
  i64 value = 0;
  bool has_extra = false;
  extra_answer extra{};
};

class executor {
 public:
  executor(const layout& memory, device& on, const policy& rules, mappings& maps);
  ~executor();
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;

  // `though_it_waits`: the call is made even if its descriptor is not ready.
  result execute(const request& r, bool though_it_waits = false);

 private:
  result sleep(const u64 (&args)[6]) const;
  bool is_mapped(u64 address, u64 bytes) const;
  result execute_known(const request& r, const call_plan& plan, bool though_it_waits);
  // What an address is: a mapping of a kernel's, or what the device says.
  address_answer look(u64 address) const;
  // Bytes from the address on, as far as both sides can address them.
  u64 room_at(u64 address) const;
  // The address as it may go to Linux: itself, or one where nothing can be read or written, so that Linux itself says
  // what it thinks of the call with a bad pointer.
  u64 checked(u64 address, u64 bytes) const;
  // Copies of what room_at() found. False: it cannot be read after all.
  static bool copy_mapped(void* to, u64 address, u64 bytes);
  bool copy_string(char* to, u64 address, u64 room, u64& end) const;
  bool copy_in(void* to, u64 address, u64 bytes) const;
  bool copy_out(u64 address, const void* from, u64 bytes) const;
  u64 readable_string(u64 address, char (&copy)[path_bytes_max + 1]) const;

  // A length that an argument points to: Linux gets our copy of it, so that it cannot change after it was checked.
  struct pointed_length {
    u32 value = 0;
    u64 at = 0;           // where the copy goes back to; 0: there is none
    bool always = false;  // also if the call fails
  };
  // A structure that says itself how long it is: Linux gets our copy of it, which goes back to `at`.
  struct own_length {
    u64 at = 0, bytes = 0;
    unsigned char copy[own_length_max];
  };
  u64 readable_structure(const arg_plan& arg, u64 address, own_length& own) const;
  void check_pointed(const call_plan& plan, u64 (&args)[args_max], pointed_length& length) const;

  const layout& memory_;
  device& device_;
  const policy& policy_;
  mappings& maps_;
  void* nowhere_ = nullptr;  // a page that nobody may touch
};

}  // namespace genesys::detail
