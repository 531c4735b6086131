// SPDX-License-Identifier: Apache-2.0
// Which calls can go by a ring of io_uring(7) that kernels fill (direct.h), and what their entries say: the table's
// columns, the arguments, and what the descriptor is. Called by the lanes that make the call.
#pragma once

#include "genesys/detail/queue/submit.h"
#include "genesys/detail/table/call_plan.h"
#include "genesys/detail/table/generated/numbers.h"
#include "genesys/detail/wire/shared_rings.h"

namespace genesys::detail::uring {

// What an entry says: its first four words, the sixth and the seventh; the fifth is user_data, and the last is 0. What
// the descriptor has to be: descriptor_kind. And whether the call may wait for what others do.
struct sqe_fields {
  u64 words[6];
  u32 on;
  bool waits;
};

constexpr i64 not_submitted = static_cast<i64>(u64{1} << 63);  // the call has to go another way

// What the entry says for one field of it.
template <const call_plan& plan, uring_field uring_call::*field>
GENESYS_KERNEL u64 field_of(const u64 (&args)[args_max]) {
  constexpr uring_field result = plan.uring.*field;
  if constexpr (result.arg < 0) return result.number;
  return args[result.arg < 0 ? 0 : result.arg] | result.number;
}

// What kernels and Linux both address, at any time: bounce buffers and the arena.
struct shared_range {
  u64 begin, end;
};

// Whether Linux may have the argument as it is. Not addresses beyond the arena and the bounce buffers, which kernels
// may have mapped and unmapped; nor what an entry has no room for.
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
                                                      : 1;  // Linux reads there how many
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

// The entry of a call with these arguments. False: it has none, or somebody has to look at the arguments first.
template <const call_plan& plan>
GENESYS_KERNEL bool encode_sqe(shared_range a, sqe_fields& e, const u64 (&args)[args_max]) {
  constexpr u32 opcode = plan.uring.opcode;
  constexpr bool moves =
      opcode == uring_op::readv || opcode == uring_op::writev || opcode == uring_op::read || opcode == uring_op::write;
  constexpr bool at_position = moves && plan.uring.off.arg >= 0;
  const u64 off = field_of<plan, &uring_call::off>(args), len = field_of<plan, &uring_call::len>(args);
  if (len > transfer_bytes_max || (at_position && static_cast<i64>(off) < 0)) return false;  // below: its own position
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

// The entry as a ring that is held to it takes it (profile `strict`): files by the place in the ring's table that has
// their number, memory by its piece. False: it has none.
GENESYS_KERNEL bool make_strict(shared_range a, sqe_fields& e) {
  // The same step leads from each opcode to the one for registered memory.
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

// Asks the host what `fd` is: a word for shared_ring_table::file. `fresh`: Linux has just given the number away.
constexpr u32 kinds_log2 = 6;
GENESYS_KERNEL u32 ask_kind(const queue_context& a, shared_ring_table& d, u32 generation, u32 fd, bool fresh) {
  request r{};
  r.args[0] = fd;
  r.args[1] = fresh ? 1 : 0;
  r.number = internal_file;
  const i64 result = queue::submit_and_wait(a, r).value;
  if (result < 0 || fd >= ring_descriptors_max) return 0;
  const u32 seen = generation << kinds_log2 | (static_cast<u32>(result) & ((1u << kinds_log2) - 1));
  global_atomic<u32>(d.file[fd]).store(seen, order::relaxed);
  return seen;
}

// Whether `fd` is one of these kinds, on which io_uring makes the call as Linux itself does. The host is asked once in
// a generation. (What is read of a pipe at a position, for one, io_uring takes off the stream.)
// `seen`: what is known of it.
GENESYS_KERNEL bool is_of_kind(const queue_context& a, shared_ring_table& d, u32 generation, u32 fd, u32 on, u32 seen) {
  if (on == on_any) return true;
  if (fd >= ring_descriptors_max) return false;
  if ((seen ^ generation << kinds_log2) >> kinds_log2 != 0 || seen == 0) seen = ask_kind(a, d, generation, fd, false);
  return (seen & on) != 0;
}

// Before a descriptor is closed or changed, and after it: the number may become another file's.
GENESYS_KERNEL void forget_file(shared_ring_table& d, u64 fd) {
  if (static_cast<u32>(fd) < ring_descriptors_max)
    global_atomic<u32>(d.file[static_cast<u32>(fd)]).store(0, order::relaxed);
}
// The same for whatever a call with this number closes, or lets wait in another way.
GENESYS_KERNEL void forget_closed(const device_context& a, u32 number, const u64 (&args)[args_max]) {
  if (a.rings == nullptr) return;
  if (number == number::close || number == number::fcntl || number == number::ioctl || number == number::setsockopt)
    forget_file(*a.rings, args[0]);
  if (number == number::dup2 || number == number::dup3) forget_file(*a.rings, args[1]);
  if (number == number::close_range) {
    const u64 last = args[1] < ring_descriptors_max ? args[1] : ring_descriptors_max - 1;
    for (u64 fd = static_cast<u32>(args[0]); fd <= last; ++fd) forget_file(*a.rings, fd);
  }
}

// Of a call's way by a ring: whether there is one. All looks go out at once, since each takes a third of a microsecond.
GENESYS_KERNEL bool can_submit(const queue_context& a, shared_ring_table& d, u32 generation, const sqe_fields& e) {
  const u32 fd = static_cast<u32>(e.words[0] >> 32);
  const bool closed = global_atomic<u32, thread_scope::system>(d.closed).load(order::relaxed) != rings_open;
  const bool has = (d.opcodes >> (e.words[0] & 0xff) & 1) != 0;
  const u32 known = global_atomic<u32>(d.file[fd < ring_descriptors_max ? fd : 0]).load(order::relaxed);
  return !closed && has && is_of_kind(a, d, generation, fd, e.on, known);
}

}  // namespace genesys::detail::uring
