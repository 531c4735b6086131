// SPDX-License-Identifier: Apache-2.0
// The arguments that Linux gets for a request, by the plan of the call: values as they are, checked addresses, and
// copies of what genesys checks (strings, lengths, structures with pointers), so that it cannot change after the check.
// One object for one call, on its worker's stack.
#pragma once

#include <optional>

#include "execute/nested.h"
#include "execute/user_memory.h"
#include "genesys/detail/table/call_plan.h"
#include "policy/policy.h"

namespace genesys::detail {

class linux_arguments {
 public:
  linux_arguments(const user_memory& memory, policy& rules, const call_plan& plan, const request& r);
  linux_arguments(const linux_arguments&) = delete;
  linux_arguments& operator=(const linux_arguments&) = delete;

  u64 values[args_max];

  // The result if the call must not be made: -EFAULT if both sides have to address some memory and cannot. (To wake the
  // waiters of a futex Linux may not read the futex, and so does not find this error.) 0: make the call.
  i64 refusal() const { return refusal_; }
  // After the call gave `value`: copies what Linux wrote back to where it belongs. Returns the value, or -EFAULT.
  i64 write_back(i64 value) { return nested_ || length_.at != 0 || own_.at != 0 ? write_copies_back(value) : value; }
  // Of a call with inline data: the first 8 bytes of what Linux wrote, or read.
  u64 inline_data() const { return *inline_at_; }
  // After the call gave `value`: the bytes from the ninth on, or null if there are no more. Valid until this thread
  // makes its next call.
  const unsigned char* inline_rest(i64 value) const;
  // Whether the policy denies a socket address in them.
  bool are_denied() const { return nested_ && nested_->is_denied(); }
  // Whether the call moves no bytes, so that it does not wait.
  bool move_nothing() const { return nested_ && nested_->is_empty(); }

 private:
  void take_inline_data(const inline_shape& in_line);
  u64 take(const arg_plan& arg, u64 value);
  u64 take_object(const arg_plan& arg, u64 address);
  u64 take_bytes(const arg_plan& arg, u64 address);
  u64 take_measuring(const arg_plan& arg, u64 address);
  void take_pointed_length(const arg_plan& buffer, u64& address);
  i64 write_copies_back(i64 value);

  const user_memory& memory_;
  policy& policy_;
  const call_plan& plan_;
  u32 strings_ = 0;
  i64 refusal_ = 0;
  // A length that an argument points to.
  struct {
    u32 value = 0;
    u64 at = 0;           // where the copy goes back to; 0: there is none
    bool always = false;  // also if the call fails
  } length_;
  // A structure that contains its own length.
  struct {
    u64 at = 0, bytes = 0;  // as above
    bool always = false;
    unsigned char copy[own_length_max];
  } own_;
  std::optional<nested_copy> nested_;
  const bool has_inline_data_;
  u64 inline_data_[inline_words_max] = {};
  u64* inline_at_ = inline_data_;
  char text_[strings_max][path_bytes_max + 1];
};

}  // namespace genesys::detail
