// SPDX-License-Identifier: Apache-2.0
// What a line of table/*.sys becomes: the plan of a system call, that is, where its pointers are, who writes behind
// them, how many bytes, and how the call may be treated. Types only; the plans are in generated/plans.h. Freestanding:
// both sides and both devices use it, the calling side at compile time (a plan is a structural type, so also as a
// template argument), the serving side by number.
#pragma once

#include <cstdint>

#include "genesys/detail/target/target.h"

namespace genesys::detail::table {

constexpr unsigned args_max = 6;

enum class arg_kind : std::uint8_t {
  none,      // no such argument
  value,     // an integer: size, offset, flags, mode, ...
  fd,        // a descriptor, or AT_FDCWD where the call takes it; Linux looks at the low 32 bits only
  signal,    // the number of a signal; those that the C library has for itself count as none
  string,    // address of a NUL-terminated string
  bytes,     // address of as many bytes, or structures, as another argument says
  object,    // address of one structure
  vector,    // address of one entry, or as many as another argument says, each an address and a length: iovec
  messages,  // address of one msghdr, or of as many mmsghdr as another argument says
};

// As seen from Linux: `in` is read by it, `out` is written by it.
enum class direction : std::uint8_t { none, in, out, inout };

enum class size_from : std::uint8_t {
  none,      // nothing pointed to, or a string
  fixed,     // arg_plan::fixed_bytes
  itself,    // the number of 4 bytes at arg_plan::size_at of the structure, but not less than fixed_bytes
  argument,  // the value of argument arg_plan::size_arg: measured_bytes()
  pointed,   // what that argument points to, 4 bytes: room before the call, and after it what Linux would have written
};

// In relaxed order a producer (write) has no barrier after it, a consumer (read) none before it.
enum class role : std::uint8_t { none, producer, consumer };

// What has to become ready before the call can go on.
enum class readiness : std::uint8_t { none, input, output };

// What Linux wrote behind a pointer is good if the call succeeded; only with -EINTR; whatever the result.
enum class written_on : std::uint8_t { success, eintr, any };

struct arg_plan {
  arg_kind kind = arg_kind::none;
  direction dir = direction::none;
  size_from size = size_from::none;
  std::uint8_t size_arg = 0;      // size_from::argument, pointed: which argument
  std::uint8_t size_at = 0;       // size_from::itself: where
  std::uint8_t header_bytes = 0;  // size_from::argument, itself: come before what is measured
  std::uint16_t fixed_bytes = 0;  // size_from::fixed: how many
  std::uint16_t bytes_most = 0;   // Linux touches no more, whatever the size says; 0: no limit
  // size_from::argument: `per` of what the argument counts, or a part of that many, take `element_bytes`
  std::uint16_t element_bytes = 1;
  std::uint16_t per = 1;
  bool short_lengths = false;  // vector: the lengths have 4 bytes
  bool shared = false;         // never staged: both sides address it at the same time, or nobody does
  bool by_result = false;      // the result says how many elements it wrote (and an error: none that count)
  written_on written = written_on::success;
};

GENESYS_KERNEL constexpr bool is_pointer(const arg_plan& arg) {
  return arg.kind != arg_kind::none && arg.kind != arg_kind::value && arg.kind != arg_kind::fd &&
         arg.kind != arg_kind::signal;
}

// A buffer longer than any address space: Linux says what it thinks of it.
constexpr std::uint64_t bytes_absurd = std::uint64_t{1} << 46;
// Linux moves no more bytes in one call (MAX_RW_COUNT).
constexpr std::uint64_t transfer_bytes_max = 0x7ffff000;
// Linux reads no structure longer than that which says itself how long it is.
constexpr std::uint64_t own_length_max = 4096;
// Linux takes no more of them, of messages either.
constexpr std::uint64_t entries_max = 1024;
constexpr std::uint64_t entry_bytes = 16;
constexpr std::uint64_t name_bytes_max = 128;    // of a message's address
constexpr std::uint16_t message_bytes_max = 64;  // of an mmsghdr, of which the msghdr is the first part
// Where in a msghdr, and behind it in an mmsghdr: an address each, and how many bytes or entries it leads to.
namespace message_at {
constexpr std::uint64_t name = 0, name_bytes = 8, vector = 16, entries = 24, control = 32, control_bytes = 40,
                        flags = 48, carried = 56;
}
constexpr unsigned strings_max = 4;   // of one call
constexpr unsigned excepts_max = 12;  // of one call

// size_from::argument: how many bytes, when the argument says `count`; more than bytes_absurd if that is absurd.
GENESYS_KERNEL constexpr std::uint64_t measured_bytes(const arg_plan& arg, std::uint64_t count) {
  if (count > bytes_absurd) return count;
  const std::uint64_t parts = arg.per == 1 ? count : (count + arg.per - 1) / arg.per;
  return arg.header_bytes + parts * arg.element_bytes;
}
// And how many elements fit in so many bytes.
GENESYS_KERNEL constexpr std::uint64_t elements_within(const arg_plan& arg, std::uint64_t bytes) {
  return bytes < arg.header_bytes ? 0 : (bytes - arg.header_bytes) / arg.element_bytes;
}
// size_from::itself: how many bytes, when the structure says `length`. Of one that is too long Linux reads the length
// only.
GENESYS_KERNEL constexpr std::uint64_t own_bytes(const arg_plan& arg, std::uint32_t length) {
  const std::uint64_t bytes = std::uint64_t{arg.header_bytes} + length, least = arg.size_at + sizeof length;
  if (bytes > own_length_max || bytes < least) return arg.fixed_bytes > least ? arg.fixed_bytes : least;
  return bytes < arg.fixed_bytes ? arg.fixed_bytes : bytes;
}

// What a descriptor is for the calls that kernels submit themselves, as bits: the host is asked (internal_file). Such
// as would wait otherwise than for a thread are none of these: O_NONBLOCK, with a timeout, of a file system in user
// space.
enum descriptor_kind : std::uint8_t {
  on_file = 1,      // with positions: a regular file, a block device
  on_stream = 2,    // a socket for a stream
  on_datagram = 4,  // or for messages
  on_pipe = 8,
  on_counter = 16,  // eventfd, timerfd, signalfd
  on_epoll = 32,
  on_any = 64,  // the call is about no descriptor: none is looked at
};

// How io_uring makes a call: its opcode, and what each field of a submission says (io_uring_enter(2)).
struct uring_field {
  std::int8_t arg = -1;      // which argument of the call; -1: none
  std::uint32_t number = 0;  // or'ed to it
};
struct uring_call {
  std::uint8_t opcode = 0;  // 0: io_uring does not make it
  bool by_workers = false;  // the executor `uring` may have it made so, too
  std::uint8_t on = 0;      // descriptor_kind: on which of them it is the same as the call
  bool waits = false;       // for what others do, maybe
  bool opens = false;       // the result is a descriptor
  uring_field fd = {}, addr = {}, len = {}, off = {}, flags = {}, addr_len = {}, addr3 = {};
  // Only if this argument is 0, this one is no more, this one has no other bits, and this one's low 32 bits are that;
  // -1: none.
  std::int8_t unless_arg = -1;
  std::int8_t limited_arg = -1;
  std::uint32_t at_most = 0;
  std::int8_t flags_arg = -1;
  std::uint32_t only = 0;
  std::int8_t exact_arg = -1;
  std::uint32_t exactly = 0;
};

struct call_plan {
  std::uint16_t number = 0;  // on the machine compiled for
  std::uint8_t args_count = 0;
  arg_plan args[args_max] = {};
  table::role role = table::role::none;
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
  // Arguments 0 and 1 are an address and a length, within one mapping that a kernel made; others are -ENOMEM.
  bool mapped = false;
  // It acts on the OS thread that makes it: made by a thread of its own, which then ends; or by all of the process.
  bool own_thread = false;
  bool all_threads = false;
  bool custom = false;  // a custom handler makes it (src/execute/custom): a line cannot say all that must be checked
  // Not made, -EOPNOTSUPP, if these two arguments have one of these pairs of values: then what it points to has
  // pointers.
  std::uint8_t except_args[2] = {};
  std::uint8_t excepts_count = 0;
  std::uint16_t excepts[excepts_max][2] = {};
  // One of several plans of the same number: the one where argument `variant_arg`, in the bits of
  // `variant_mask`, is `variant_value`.
  bool is_variant = false;
  std::uint8_t variant_arg = 0;
  std::uint32_t variant_value = 0;
  std::uint32_t variant_mask = ~std::uint32_t{0};  // the argument's bits that tell
  uring_call uring = {};
};

}  // namespace genesys::detail::table

namespace genesys::detail {
using namespace table;
}
