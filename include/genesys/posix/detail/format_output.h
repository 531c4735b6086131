// SPDX-License-Identifier: Apache-2.0
// The output of one call of printf: it counts the bytes, pads fields, and remembers the first failure. After a failure
// it writes nothing, so that its callers need not look at each step.
#pragma once

#include <errno.h>

#include <climits>

#include "genesys/posix/detail/format_conversion.h"

namespace genesys::detail::libc {

template <class Sink>
class output {
 public:
  GENESYS_KERNEL explicit output(Sink& sink) : sink_(sink) {}

  GENESYS_KERNEL_OUTLINE void write(const char* from, u64 bytes) {
    if (counts(bytes) && !sink_.write(from, bytes)) failure_ = EIO;
  }
  GENESYS_KERNEL_OUTLINE void fill(char c, u64 count) {
    if (counts(count) && !sink_.fill(c, count)) failure_ = EIO;
  }

  // A field is open_field(), its body, close_field(). The body has `bytes` bytes. `zeros`: the flag 0 pads with zeros
  // between the prefix and the body.
  GENESYS_KERNEL_OUTLINE void open_field(const conversion& c, const number_prefix& prefix, u64 bytes, bool zeros) {
    bytes += prefix.count;
    padding_ = bytes < c.width ? c.width - bytes : 0;
    const bool left = c.has(flag_left), zero = !left && zeros && c.has(flag_zero);
    if (!left && !zero) fill(' ', padding_);
    write(prefix.text, prefix.count);
    if (zero) fill('0', padding_);
    if (!left) padding_ = 0;
  }
  GENESYS_KERNEL void close_field() { fill(' ', padding_); }

  GENESYS_KERNEL void fail(int error) {
    if (failure_ == 0) failure_ = error;
  }
  GENESYS_KERNEL bool failed() const { return failure_ != 0; }
  GENESYS_KERNEL u64 written() const { return written_; }
  // The number of bytes, or a negative number of an error.
  GENESYS_KERNEL int result() const { return failure_ != 0 ? -failure_ : static_cast<int>(written_); }

 private:
  // Whether there is something to write. POSIX: a result above INT_MAX is EOVERFLOW.
  GENESYS_KERNEL bool counts(u64 bytes) {
    if (failure_ != 0 || bytes == 0) return false;
    if (bytes > INT_MAX - written_) {
      failure_ = EOVERFLOW;
      return false;
    }
    written_ += bytes;
    return true;
  }

  Sink& sink_;
  u64 written_ = 0;
  u64 padding_ = 0;  // spaces behind the open field
  int failure_ = 0;
};

}  // namespace genesys::detail::libc
