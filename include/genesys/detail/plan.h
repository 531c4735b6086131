// SPDX-License-Identifier: Apache-2.0
// What a line of table/*.sys becomes: the plan of a system call, that is, where its pointers are, who writes behind
// them, how many bytes, and how the call may be treated. Types only; the plans are in generated/plans.h. Freestanding:
// both sides and both devices use it, the calling side at compile time (a plan is a structural type, so also as a
// template argument), the serving side by number.
#pragma once

#include <cstdint>

namespace genesys::detail {

constexpr unsigned args_max = 6;

enum class arg_kind : std::uint8_t {
  none,    // no such argument
  value,   // an integer: size, offset, flags, mode, ...
  fd,      // a descriptor, or AT_FDCWD where the call takes it; Linux looks at the low 32 bits only
  string,  // address of a NUL-terminated string
  bytes,   // address of as many bytes as another argument says
  object,  // address of a structure of known size
};

// As seen from Linux: `in` is read by it, `out` is written by it.
enum class direction : std::uint8_t { none, in, out, inout };

enum class size_from : std::uint8_t {
  none,      // nothing pointed to, or a string
  fixed,     // arg_plan::fixed_bytes
  argument,  // the value of argument arg_plan::size_arg, in bytes
  pointed,   // what that argument points to, 4 bytes: room before the call, and after it what Linux would have written
};

// In relaxed order a producer (write) has no barrier after it, a consumer (read) none before it.
enum class role : std::uint8_t { none, producer, consumer };

// What has to become ready before the call can go on.
enum class readiness : std::uint8_t { none, input, output };

struct arg_plan {
  arg_kind kind = arg_kind::none;
  direction dir = direction::none;
  size_from size = size_from::none;
  std::uint8_t size_arg = 0;      // size_from::argument, pointed: which argument
  std::uint16_t fixed_bytes = 0;  // size_from::fixed: how many
  std::uint16_t bytes_most = 0;   // Linux touches no more, whatever the size says; 0: no limit
  // What Linux wrote behind an `out` argument: everything if the call succeeded and nothing if not, except where
  bool by_result = false;      // the result says how many bytes it wrote (and an error: none that count)
  bool on_eintr_only = false;  // it writes only if the result is -EINTR
};

struct call_plan {
  std::uint16_t number = 0;  // on the machine compiled for
  std::uint8_t args_count = 0;
  arg_plan args[args_max] = {};
  detail::role role = detail::role::none;
  bool split = false;             // may be made in pieces, on a regular file: position and size advance together
  std::uint8_t position_arg = 0;  // split: the argument that holds the position
  std::uint8_t size_arg = 0;      // split: the argument that holds the size
  readiness waits = readiness::none;
  std::uint8_t waits_arg = 0;      // waits: the descriptor argument
  std::uint8_t unless_arg = 0;     // waits, but not
  std::uint32_t unless_flags = 0;  // if this argument has one of these bits
  bool timer = false;              // only waits for time to pass: the host parks it on a timer
  // No other thread or process can tell that the call was made, and Linux reads no memory for it: what the caller wrote
  // before need not be made visible first. Memory that Linux writes is another matter: where it is the caller's own
  // (not staged), an earlier write of the caller to the same place has to be kept from arriving late.
  bool quiet = false;
  bool mappings = false;  // about memory that kernels map: answered by memory/mappings.h, not by Linux as it is
  // One of several plans of the same number: the one where argument `variant_arg` is `variant_value`.
  bool is_variant = false;
  std::uint8_t variant_arg = 0;
  std::uint32_t variant_value = 0;
};

}  // namespace genesys::detail
