// SPDX-License-Identifier: Apache-2.0
// The kinds of descriptors, as kernels know them: the kind decides whether io_uring(7) may make a call on a descriptor.
// The host determines it once for each descriptor and generation. Called by each lane that makes a call, for itself.
#pragma once

#include "genesys/detail/queue/submit.h"
#include "genesys/detail/uring/encode_sqe.h"

namespace genesys::detail::uring {

// Asks the host for the kind of descriptor `fd`, and stores the result in shared_ring_table::file. `fresh`: Linux has
// just returned this number to a call. Returns the stored word, or 0 for an error.
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

// Whether `fd` is of one of the kinds `on`, with which io_uring makes the call exactly as the system call does. (With
// others it may differ: a read of a pipe at a position takes bytes from the stream.) Asks the host once a generation.
// `seen`: the word of shared_ring_table::file.
GENESYS_KERNEL bool is_of_kind(const queue_context& a, shared_ring_table& d, u32 generation, u32 fd, u32 on, u32 seen) {
  if (on == on_any) return true;
  if (fd >= ring_descriptors_max) return false;
  if ((seen ^ generation << kinds_log2) >> kinds_log2 != 0 || seen == 0) seen = ask_kind(a, d, generation, fd, false);
  return (seen & on) != 0;
}

// Called before and after a call that closes or changes a descriptor: its number may become another file's.
GENESYS_KERNEL void forget_file(shared_ring_table& d, u64 fd) {
  if (static_cast<u32>(fd) < ring_descriptors_max)
    global_atomic<u32>(d.file[static_cast<u32>(fd)]).store(0, order::relaxed);
}
// The same for each descriptor that the call closes, replaces, or whose blocking mode it changes.
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

// Whether a ring can make the call now. Issues all loads together, because each one takes a third of a microsecond.
GENESYS_KERNEL bool can_submit(const queue_context& a, shared_ring_table& d, u32 generation, const sqe_fields& e) {
  const u32 fd = static_cast<u32>(e.words[0] >> 32);
  const bool closed = global_atomic<u32, thread_scope::system>(d.closed).load(order::relaxed) != rings_open;
  const bool has = (d.opcodes >> (e.words[0] & 0xff) & 1) != 0;
  const u32 known = global_atomic<u32>(d.file[fd < ring_descriptors_max ? fd : 0]).load(order::relaxed);
  return !closed && has && is_of_kind(a, d, generation, fd, e.on, known);
}

// Reports to the host a descriptor that Linux has returned to a shared ring's call: the host has not seen that call.
GENESYS_KERNEL_OUTLINE inline void report_descriptor(queue_context a, shared_ring_table* table, u32 generation,
                                                     i64 fd) {
  if (fd >= 0) (void)ask_kind(a, *table, generation, static_cast<u32>(fd), true);
}

}  // namespace genesys::detail::uring
