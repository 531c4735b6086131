// SPDX-License-Identifier: Apache-2.0
// A kernel of one thread makes one call at a time, by its number, with any numbers and addresses. Host code, called by
// the test's own thread.
#pragma once

#include <initializer_list>
#include <type_traits>

#include "contract.h"

namespace contract {

// An argument of a call: a number, or an address.
struct word {
  template <class T>
  word(T* pointer) : value(reinterpret_cast<u64>(pointer)) {}  // NOLINT: implicit, so that calls read as calls
  template <class T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>) word(T number)  // NOLINT
      : value(static_cast<u64>(static_cast<long>(number))) {}
  u64 value;
};

struct six_words {
  long number;
  u64 args[6];
};

struct make_call {
  GENESYS_KERNEL void operator()(genesys::os os, six_words call, long* value) const {
    *value =
        os.syscall(call.number, call.args[0], call.args[1], call.args[2], call.args[3], call.args[4], call.args[5]);
  }
};

// Makes calls, one at a time, by a kernel of one thread.
class single_calls {
 public:
  explicit single_calls(runtime& rt) : rt_(rt), value_(rt, 1) {}
  long operator()(long number, std::initializer_list<word> args) {
    six_words all{number, {}};
    u64* at = all.args;
    for (const word& one : args) *at++ = one.value;
    play(rt_, {}, make_call{}, all, value_.get());
    return value_[0];
  }

 private:
  runtime& rt_;
  in_arena<long> value_;
};

}  // namespace contract
