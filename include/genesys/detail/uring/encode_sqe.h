// SPDX-License-Identifier: Apache-2.0
// Encodes a call as an SQE of io_uring(7): which calls have one, and its words, from the plan and the arguments. Called
// by each lane that makes the call, for itself. Accesses no shared memory.
#pragma once

#include "genesys/detail/table/call_plan.h"
#include "genesys/detail/table/generated/numbers.h"
#include "genesys/detail/wire/shared_rings.h"
#include "genesys/kernel.h"

namespace genesys::detail::uring {

struct sqe_fields {
  u64 words[6];  // of the SQE: words 0 to 3, 5 and 6. Word 4 is user_data, word 7 is 0
  u32 on;        // the descriptor must be of one of these descriptor_kinds
  bool waits;    // the call may wait for an event
};

// The value of one field of the SQE.
template <const call_plan& plan, uring_field uring_call::*field>
GENESYS_KERNEL u64 field_of(const u64 (&args)[args_max]) {
  constexpr uring_field result = plan.uring.*field;
  if constexpr (result.arg < 0) return result.number;
  return args[result.arg < 0 ? 0 : result.arg] | result.number;
}

// The memory that kernels and Linux can always address: bounce buffers and the arena.
struct shared_range {
  u64 begin, end;
};

// Whether Linux may receive the argument as it is. It may not receive an address outside the arena and the bounce
// buffers, because a kernel may unmap it meanwhile; nor a value for which an SQE has no field.
template <const call_plan& plan, int k>
GENESYS_KERNEL bool is_encodable(shared_range a, const u64 (&args)[args_max]) {
  constexpr arg_plan arg = plan.args[k];
  constexpr uring_call how = plan.uring;
  if constexpr (how.unless_arg == k) {
    if (args[k] != 0) return false;
  } else if constexpr (is_pointer(arg)) {
    constexpr int size_arg = arg.size_arg;
    const u64 at = args[k];
    const u64 bytes = arg.size == size_from::argument ? measured_bytes(arg, args[size_arg])
                      : arg.size == size_from::fixed  ? arg.fixed_bytes
                                                      : 1;  // the object holds its own size
    if (at != 0 && (at < a.begin || at > a.end || bytes > a.end - at)) return false;
  }
  if constexpr (how.limited_arg == k) {
    if (args[k] > how.at_most) return false;
  }
  if constexpr (how.flags_arg == k) {
    if ((static_cast<u32>(args[k]) & ~how.only) != 0) return false;
  }
  if constexpr (how.exact_arg == k) {
    if (static_cast<u32>(args[k]) != how.exactly) return false;
  }
  return true;
}
template <const call_plan& plan, int... k>
GENESYS_KERNEL bool are_encodable(shared_range a, const u64 (&args)[args_max], std::integer_sequence<int, k...>) {
  return (is_encodable<plan, k>(a, args) && ...);
}

// Writes the SQE of a call with these arguments. False: the call has none, or the host must check the arguments.
template <const call_plan& plan>
GENESYS_KERNEL bool encode_sqe(shared_range a, sqe_fields& e, const u64 (&args)[args_max]) {
  constexpr u32 opcode = plan.uring.opcode;
  constexpr bool moves =
      opcode == uring_op::readv || opcode == uring_op::writev || opcode == uring_op::read || opcode == uring_op::write;
  constexpr bool at_position = moves && plan.uring.off.arg >= 0;
  const u64 off = field_of<plan, &uring_call::off>(args), len = field_of<plan, &uring_call::len>(args);
  if (len > transfer_bytes_max || (at_position && static_cast<i64>(off) < 0))
    return false;  // negative: the descriptor's own position
  if (!are_encodable<plan>(a, args, std::make_integer_sequence<int, plan.args_count>())) return false;
  e.words[0] = u64{plan.uring.opcode} | field_of<plan, &uring_call::fd>(args) << 32;
  e.words[1] = off;
  e.words[2] = field_of<plan, &uring_call::addr>(args);
  e.words[3] = len | field_of<plan, &uring_call::flags>(args) << 32;
  e.words[4] = field_of<plan, &uring_call::addr_len>(args) << 32;
  e.words[5] = field_of<plan, &uring_call::addr3>(args);
  e.on = plan.uring.on;
  e.waits = plan.uring.waits;
  return true;
}

// Changes the SQE to the form that a ring of profile `strict` takes: the file by its index in the ring's file table,
// which is its descriptor; memory by its registered buffer. False: there is no such form.
GENESYS_KERNEL bool make_strict(shared_range a, sqe_fields& e) {
  // The distance from an opcode to the one for registered memory is the same for reads and writes.
  constexpr u32 to_fixed = uring_op::read - uring_op::read_fixed;
  static_assert(uring_op::write - uring_op::write_fixed == to_fixed);
  const u32 opcode = static_cast<u32>(e.words[0] & 0xff);
  if (e.on != on_file || (opcode != uring_op::read && opcode != uring_op::write && opcode != uring_op::fsync))
    return false;
  e.words[0] |= direct_fixed_file;
  if (opcode == uring_op::fsync) return true;
  const u64 begin = e.words[2] - a.begin, bytes = e.words[3] & 0xffffffff;
  if (e.words[2] < a.begin || e.words[2] > a.end) return false;
  if (begin / registered_piece_bytes != (begin + bytes - (bytes != 0)) / registered_piece_bytes) return false;
  e.words[0] -= to_fixed;
  e.words[4] |= begin / registered_piece_bytes;
  return true;
}

}  // namespace genesys::detail::uring
