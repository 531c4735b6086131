// SPDX-License-Identifier: Apache-2.0
// The plan of a system call, made from a line of table/*.sys: which arguments are pointers, which side writes behind
// them, how many bytes, and how the call may be treated. Types only; generated/plans.h has the plans. Freestanding, for
// both sides and both devices. The calling side uses plans at compile time (a plan is a structural type, so it may be a
// template argument), the serving side looks them up by number.
#pragma once

#include <cstdint>

#include "genesys/detail/target/target.h"

namespace genesys::detail::table {

constexpr unsigned args_max = 6;

enum class arg_kind : std::uint8_t {
  none,      // no such argument
  value,     // an integer: size, offset, flags, mode, ...
  fd,        // a descriptor, or AT_FDCWD if the call takes it; Linux uses the low 32 bits only
  signal,    // the number of a signal; signals that the C library reserves count as invalid
  string,    // address of a NUL-terminated string
  bytes,     // address of as many bytes, or structures, as another argument says
  object,    // address of one structure
  vector,    // address of one entry, or as many as another argument says, each an address and a length: iovec
  messages,  // address of one msghdr, or of as many mmsghdr as another argument says
};

// As Linux sees it: Linux reads `in` and writes `out`.
enum class direction : std::uint8_t { none, in, out, inout };

enum class size_from : std::uint8_t {
  none,      // nothing pointed to, or a string
  fixed,     // arg_plan::fixed_bytes
  itself,    // the number of 4 bytes at arg_plan::size_at of the structure, but not less than fixed_bytes
  argument,  // the value of argument arg_plan::size_arg: measured_bytes()
  pointed,   // the 4 bytes at that argument: the space before the call, and after it what Linux would have written
};

// In relaxed order a producer (write) has no barrier after it, and a consumer (read) none before it.
enum class role : std::uint8_t { none, producer, consumer };

// What the call's descriptor must be ready for before the call can go on.
enum class readiness : std::uint8_t { none, input, output };

// When the memory behind a pointer that Linux writes is valid: after success; only after -EINTR; after any result.
enum class written_on : std::uint8_t { success, eintr, any };

struct arg_plan {
  arg_kind kind = arg_kind::none;
  direction dir = direction::none;
  size_from size = size_from::none;
  std::uint8_t size_arg = 0;      // size_from::argument, pointed: which argument
  std::uint8_t size_at = 0;       // size_from::itself: offset of the length in the structure
  std::uint8_t header_bytes = 0;  // size_from::argument, itself: bytes that the length does not count
  std::uint16_t fixed_bytes = 0;  // size_from::fixed: the length
  std::uint16_t bytes_most = 0;   // Linux accesses at most these, whatever the length; 0: no limit
  // size_from::argument: each `per` units of the argument, or a part of them, take `element_bytes`
  std::uint16_t element_bytes = 1;
  std::uint16_t per = 1;
  std::uint8_t less = 0;       // size_from::argument: the argument counts so many units too many
  bool short_lengths = false;  // vector: the lengths have 4 bytes
  bool shared = false;         // never staged: both sides must be able to address it
  bool by_result = false;      // the result is the number of elements that Linux wrote; after an error none is valid
  written_on written = written_on::success;
};

GENESYS_KERNEL constexpr bool is_pointer(const arg_plan& arg) {
  return arg.kind != arg_kind::none && arg.kind != arg_kind::value && arg.kind != arg_kind::fd &&
         arg.kind != arg_kind::signal;
}

// Longer than any address space: such a buffer passes as it is, and Linux reports the error.
constexpr std::uint64_t bytes_absurd = std::uint64_t{1} << 46;
// Linux transfers at most this many bytes in one call (MAX_RW_COUNT).
constexpr std::uint64_t transfer_bytes_max = 0x7ffff000;
// The longest structure with its own length that Linux reads.
constexpr std::uint64_t own_length_max = 4096;
// Linux takes at most this many entries of a vector, and as many messages.
constexpr std::uint64_t entries_max = 1024;
constexpr std::uint64_t entry_bytes = 16;
constexpr std::uint64_t name_bytes_max = 128;    // the longest address of a message
constexpr std::uint16_t message_bytes_max = 64;  // of an mmsghdr, which begins with the msghdr
// Offsets in a msghdr, and after it in an mmsghdr: addresses, and the bytes or entries behind each.
namespace message_at {
constexpr std::uint64_t name = 0, name_bytes = 8, vector = 16, entries = 24, control = 32, control_bytes = 40,
                        flags = 48, carried = 56;
}
constexpr unsigned strings_max = 4;   // of one call
constexpr unsigned excepts_max = 12;  // of one call

// size_from::argument: the bytes if the argument has the value `count`. More than bytes_absurd if `count` is.
GENESYS_KERNEL constexpr std::uint64_t measured_bytes(const arg_plan& arg, std::uint64_t count) {
  if (count > bytes_absurd) return count;
  if (arg.less != 0) count = count > arg.less ? count - arg.less : 0;
  const std::uint64_t parts = arg.per == 1 ? count : (count + arg.per - 1) / arg.per;
  return arg.header_bytes + parts * arg.element_bytes;
}
// The number of elements that fit into so many bytes.
GENESYS_KERNEL constexpr std::uint64_t elements_within(const arg_plan& arg, std::uint64_t bytes) {
  return bytes < arg.header_bytes ? 0 : (bytes - arg.header_bytes) / arg.element_bytes;
}
// size_from::itself: the bytes if the structure holds `length`. Of a structure that is too long, Linux reads only the
// length.
GENESYS_KERNEL constexpr std::uint64_t own_bytes(const arg_plan& arg, std::uint32_t length) {
  const std::uint64_t bytes = std::uint64_t{arg.header_bytes} + length, least = arg.size_at + sizeof length;
  if (bytes > own_length_max || bytes < least) return arg.fixed_bytes > least ? arg.fixed_bytes : least;
  return bytes < arg.fixed_bytes ? arg.fixed_bytes : bytes;
}

// The kind of a descriptor, for calls that kernels submit themselves; the host determines it (internal_file). A
// descriptor has none of these kinds if io_uring would wait on it otherwise than the call does: with O_NONBLOCK, with a
// timeout, or of a file system in user space.
enum descriptor_kind : std::uint8_t {
  on_file = 1,      // with a position: a regular file, a block device
  on_stream = 2,    // a stream socket
  on_datagram = 4,  // a datagram socket
  on_pipe = 8,
  on_counter = 16,  // eventfd, timerfd, signalfd
  on_epoll = 32,
  on_any = 64,  // the call uses no descriptor, so none is checked
};

// How io_uring makes a call: its opcode, and the value of each field of the SQE (io_uring_enter(2)).
struct uring_field {
  std::int8_t arg = -1;      // index of the call's argument; -1: none
  std::uint32_t number = 0;  // or'ed to the argument
};
struct uring_call {
  std::uint8_t opcode = 0;  // 0: io_uring does not make the call
  bool by_workers = false;  // the executor `uring` may also use io_uring for it
  std::uint8_t on = 0;      // descriptor_kinds for which io_uring does the same as the call
  bool waits = false;       // the call may wait for an event
  bool opens = false;       // the result is a descriptor
  uring_field fd = {}, addr = {}, len = {}, off = {}, flags = {}, addr_len = {}, addr3 = {};
  // io_uring makes the call only under these conditions, each on the argument of this index (-1: none): it is 0; it is
  // at most `at_most`; it has no bits outside `only`; its low 32 bits are `exactly`.
  std::int8_t unless_arg = -1;
  std::int8_t limited_arg = -1;
  std::uint32_t at_most = 0;
  std::int8_t flags_arg = -1;
  std::uint32_t only = 0;
  std::int8_t exact_arg = -1;
  std::uint32_t exactly = 0;
};

struct call_plan {
  std::uint16_t number = 0;  // of the target architecture
  std::uint8_t args_count = 0;
  arg_plan args[args_max] = {};
  table::role role = table::role::none;
  bool split = false;             // may be made in pieces: position and size advance together
  std::uint8_t position_arg = 0;  // split: the argument that holds the position
  std::uint8_t size_arg = 0;      // split: the argument that holds the size
  bool moves_bytes = false;       // the result is a number of bytes
  readiness waits = readiness::none;
  std::uint8_t waits_arg = 0;      // waits: the descriptor argument
  std::uint8_t unless_arg = 0;     // waits: not if this argument
  std::uint32_t unless_flags = 0;  // has one of these bits
  bool timer = false;              // the call only waits for a time: the host parks it on a timer
  // No other thread or process can observe the call, and Linux reads no memory for it. So what the calling thread wrote
  // before need not be made visible. If Linux writes memory of the user directly (not staged), earlier writes of the
  // thread to that memory must not arrive late: ops/transport.h ignores `quiet` if the call has pointers.
  bool quiet = false;
  bool mappings = false;  // about memory that kernels map: src/memory/mappings.h makes it
  // Arguments 0 and 1 are an address and a length. The range must be in one mapping of a kernel, otherwise -ENOMEM.
  bool mapped = false;
  // The call acts on the OS thread that makes it. So a thread of its own makes it and then ends; or all threads of the
  // process make it.
  bool own_thread = false;
  bool all_threads = false;
  bool custom = false;  // a custom handler makes it (src/execute/custom): a table line cannot express its checks
  // The call gives -EOPNOTSUPP if these two arguments have one of these pairs of values: the memory behind it then
  // holds pointers.
  std::uint8_t except_args[2] = {};
  std::uint8_t excepts_count = 0;
  std::uint16_t excepts[excepts_max][2] = {};
  // One of several plans of the same number: the one for which argument `variant_arg`, in the bits of `variant_mask`,
  // is `variant_value`.
  bool is_variant = false;
  std::uint8_t variant_arg = 0;
  std::uint32_t variant_value = 0;
  std::uint32_t variant_mask = ~std::uint32_t{0};  // the bits of the argument to compare
  uring_call uring = {};
};

// What Linux reads or writes at a pointer may be inline data, if it is short: it travels in the request, or in the
// completion, and not through a bounce buffer.
struct inline_shape {
  int argument = -1;                // the pointer; -1: the call has no inline data
  direction dir = direction::none;  // in or out
  std::uint32_t bytes_max = 0;      // 64 or less; if Linux reads, the fewer the more arguments the call has
};
constexpr unsigned inline_words_max = 4;      // of what Linux reads
constexpr unsigned inline_words_out_max = 8;  // of what Linux writes

// The pointer must be the only one of the call, and if Linux writes, it writes only on success.
GENESYS_KERNEL constexpr inline_shape inline_shape_of(const call_plan& plan) {
  inline_shape found;
  for (int k = 0; k < static_cast<int>(args_max); ++k) {
    const arg_plan& arg = plan.args[k];
    if (!is_pointer(arg)) continue;
    if (found.argument >= 0 || arg.shared) return {};
    if (arg.dir != direction::in && (arg.dir != direction::out || arg.written != written_on::success)) return {};
    const unsigned free_words = 1 + args_max - plan.args_count;
    const unsigned words = arg.dir == direction::out       ? inline_words_out_max
                           : free_words < inline_words_max ? free_words
                                                           : inline_words_max;
    const bool is_buffer = arg.kind == arg_kind::bytes && arg.size == size_from::argument && arg.header_bytes == 0 &&
                           arg.element_bytes == 1 && arg.per == 1 && (arg.dir == direction::in || arg.by_result);
    const bool is_object = arg.kind == arg_kind::object && arg.size == size_from::fixed && arg.fixed_bytes <= 8 * words;
    if (!is_buffer && !is_object) return {};
    found = {k, arg.dir, is_object && arg.dir == direction::out ? arg.fixed_bytes : 8 * words};
  }
  return plan.custom || plan.mappings || plan.mapped || plan.timer ? inline_shape{} : found;
}
// Of what Linux reads: the argument of the request that carries word `j`. The pointer's own comes first, and then those
// that the call does not have.
GENESYS_KERNEL constexpr unsigned inline_slot(const call_plan& plan, const inline_shape& in_line, unsigned j) {
  return j == 0 ? static_cast<unsigned>(in_line.argument) : plan.args_count + j - 1;
}

}  // namespace genesys::detail::table

namespace genesys::detail {
using namespace table;
}
