// SPDX-License-Identifier: Apache-2.0
// Turns a call into text for a reader, with the names of the table. Any host thread. Two forms: of a report, which has
// only the words of the arguments, and follows no pointer, since that may be the GPU's, or invalid; and of a recording,
// which also has memory behind the pointers, as strace prints it. All of it is untrusted: a kernel wrote it, or a file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "genesys/detail/table/call_plan.h"
#include "trace/argument_bytes.h"

namespace genesys::trace {

// "pread64"; a number that the table does not have is "syscall_500".
std::string call_name(std::uint64_t number);

// "pread64(fd=3, buf=0x7f0012345000, count=4096, pos=0)"; all six words if the table does not have the number. `args`
// points to six words.
std::string decode(std::uint64_t number, const std::uint64_t* args);

// What was recorded of the memory behind a pointer argument.
struct argument_data {
  unsigned arg;         // which argument
  unsigned part;        // as in argument_bytes.h; 0: what the argument points to
  std::uint64_t total;  // so many bytes are there, of a string without its NUL; 0: unknown, because it was cut off
  std::span<const unsigned char> bytes;  // the first of them
};

struct decoded_call {
  std::uint64_t number;
  const std::uint64_t* args;  // six words
  std::int64_t result;        // of Linux: -errno if it failed
  std::span<const argument_data> data;
};

// In place of an argument's index: the result.
inline constexpr unsigned result_arg = detail::args_max;

// What a descriptor was open on: an argument or the result.
struct descriptor_path {
  unsigned arg;
  std::string_view path;
};

struct decode_options {
  unsigned string_bytes = 32;  // of strings and buffers; paths are printed in full. Also of elements of an array.
  bool full = false;           // all fields of structures
  std::span<const descriptor_path> paths = {};
};

// openat(AT_FDCWD, "/etc/hosts", O_RDONLY|O_CLOEXEC). Where memory was not recorded, or the call did not fill it, the
// address.
std::string decode(const decoded_call& call, const decode_options& options = {});

// "3", "-1 ENOENT (No such file or directory)", "0x7f0012345000", "0 (Timeout)".
std::string decode_result(const decoded_call& call, const decode_options& options = {});

}  // namespace genesys::trace
