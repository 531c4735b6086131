// SPDX-License-Identifier: Apache-2.0
// The staging plan: which pointers of a call are staged through a bounce buffer, and the copies to it and back. The
// leader makes the plan (plan_staging); the whole team copies (stage_in, stage_out).
#pragma once

#include <cerrno>
#include <utility>

#include "genesys/detail/staging/bounce_buffers.h"
#include "genesys/detail/staging/copy.h"
#include "genesys/detail/staging/known_addresses.h"
#include "genesys/detail/staging/nested.h"
#include "genesys/detail/table/call_plan.h"
#include "genesys/detail/wire/grid_calls.h"

namespace genesys::detail::staging {

// What the leader decides about the pointers of one call.
struct staging_plan {
  u64 staged_at[args_max];  // where argument k is staged; 0: it is not, or it is inline data
  u64 bytes[args_max];      // the bytes of argument k that are staged
  u64 buffer;               // the bounce buffer that holds them; 0: none
  i64 value;                // the result of a failed plan
  u32 completion_slot;      // of a ticket
  u32 phase;                // of a ticket: the phase that its completion will have
  bool failed;              // no request is submitted with this plan
  bool keeps;               // in the leader: while the call waits, it keeps its buffer, or needs none
  bool beyond;              // in the leader: the host must check pointers in it, so no shared ring makes it
  bool has_inline_data;     // what Linux reads or writes goes with the request or the completion
  bool cut;                 // the buffer is cut where its memory ends; of a split call it is the last piece
  grid_slot grid;           // of a grid's call
};

// The inline data that Linux reads. The leader has it from its plan until it has submitted.
struct inline_words {
  u64 words[inline_words_max];
};

GENESYS_KERNEL constexpr bool has_pointers(const call_plan& plan) {
  for (const arg_plan& arg : plan.args) {
    if (is_pointer(arg)) return true;
  }
  return false;
}
GENESYS_KERNEL constexpr bool reads(const arg_plan& arg) {
  return arg.dir == direction::in || arg.dir == direction::inout;
}
GENESYS_KERNEL constexpr bool writes(const arg_plan& arg) {
  return arg.dir == direction::out || arg.dir == direction::inout;
}
GENESYS_KERNEL constexpr bool writes_any(const call_plan& plan) {
  for (const arg_plan& arg : plan.args) {
    if (is_pointer(arg) && writes(arg)) return true;
  }
  return false;
}
GENESYS_KERNEL constexpr bool reads_any(const call_plan& plan) {
  for (const arg_plan& arg : plan.args) {
    if (is_pointer(arg) && reads(arg)) return true;
  }
  return false;
}

GENESYS_KERNEL constexpr bool has_one_pointer(const call_plan& plan) {
  u32 pointers = 0;
  for (const arg_plan& arg : plan.args) pointers += is_pointer(arg);
  return pointers == 1;
}

// Of a split call: the index of the buffer, which advances with the position.
GENESYS_KERNEL constexpr int buffer_of(const call_plan& plan) {
  for (int k = 0; k < static_cast<int>(args_max); ++k) {
    if (plan.args[k].kind == arg_kind::bytes && plan.args[k].size_arg == plan.size_arg) return k;
  }
  return 0;
}

// The length at `address`, or 0 if no lane can read it: Linux then reports the error.
GENESYS_KERNEL_OUTLINE inline u32 length_at(device_context a, u64 address) {
  const resolved at = resolve(a, address);
  const bool nothing = at.kind == memory_kind::null || at.kind == memory_kind::none || at.end - address < 4;
  return nothing ? 0 : static_cast<u32>(load_number(address, 4));
}

// The space that a length in memory gives, or 0 if it is negative.
GENESYS_KERNEL u64 pointed_capacity(const device_context& a, u64 address, u64 most) {
  const u32 space = length_at(a, address);
  if (static_cast<std::int32_t>(space) < 0) return 0;
  return most != 0 && space > most ? most : space;
}

// Pieces of a split call: small enough for many to be in flight and in the CPU's cache, large enough to be worth a
// call. The first one is shorter by as much as its address is beyond a multiple of 16: piece_bytes_least at least.
constexpr u64 piece_bytes = u64{1} << buffer_bytes_log2(bounce_classes - 2), piece_bytes_least = piece_bytes - 15;

// The index of the buffer whose length is argument `k`, or -1.
GENESYS_KERNEL constexpr int buffer_of_length(const call_plan& plan, int k) {
  for (int j = 0; j < static_cast<int>(args_max); ++j) {
    const arg_plan& arg = plan.args[j];
    if (arg.kind == arg_kind::bytes && arg.size == size_from::argument && static_cast<int>(arg.size_arg) == k) return j;
  }
  return -1;
}

// The word of the inline data that Linux reads, which argument `k` of the request carries; or -1.
GENESYS_KERNEL constexpr int inline_word_of(const call_plan& plan, int k) {
  const inline_shape in_line = inline_shape_of(plan);
  if (in_line.dir != direction::in) return -1;
  for (u32 j = 0; j < in_line.bytes_max / 8; ++j) {
    if (static_cast<int>(inline_slot(plan, in_line, j)) == k) return static_cast<int>(j);
  }
  return -1;
}

// The value of argument `k` in the request. For a staged buffer it is the staged address, and for its length the staged
// length.
template <const call_plan& plan, int k>
GENESYS_KERNEL u64 argument_on_wire(const staging_plan& p, [[maybe_unused]] const inline_words& in_line,
                                    const u64 (&given)[args_max]) {
  constexpr int buffer = buffer_of_length(plan, k);
  constexpr int word = inline_word_of(plan, k);
  if constexpr (word >= 0) {
    if (p.has_inline_data) return in_line.words[word];
  }
  if constexpr (is_pointer(plan.args[k])) {
    if (p.staged_at[k] != 0) return p.staged_at[k];
  } else if constexpr (buffer >= 0) {
    constexpr arg_plan measured = plan.args[buffer];
    if constexpr (measured.per == 1) {
      if (p.staged_at[buffer] != 0) return elements_within(measured, p.bytes[buffer]);
    }
  }
  return given[k];
}

// The index of the argument whose memory holds more pointers, or -1.
GENESYS_KERNEL constexpr int nested_of(const call_plan& plan) {
  for (int k = 0; k < static_cast<int>(args_max); ++k) {
    if (is_nested(plan.args[k])) return k;
  }
  return -1;
}
// The number of structures in that argument.
template <const call_plan& plan, int k>
GENESYS_KERNEL u64 nested_count(const u64 (&given)[args_max]) {
  constexpr arg_plan arg = plan.args[k];
  constexpr u32 size_arg = arg.size_arg;
  if constexpr (arg.size == size_from::argument) return given[size_arg];
  return 1;
}

// Decides whether the nested argument is staged. If so, staged_at[k] is the offset of its image in the bounce buffer,
// and bytes[k] the distance from there to its list; otherwise both are 0.
template <const call_plan& plan, scope_kind scope>
GENESYS_KERNEL void plan_nested(const device_context& a, staging_plan& p, nested_size& found,
                                const u64 (&given)[args_max], u64& total) {
  constexpr int k = nested_of(plan);
  constexpr nested_shape shape = shape_of(plan.args[k], scope);
  p.staged_at[k] = 0;
  p.bytes[k] = 0;
  found = measure_nested(a, shape, given[k], nested_count<plan, k>(given));
  if (found.foreign) p.value = -EFAULT;
  p.beyond = found.beyond;
  if (!found.staged) return;
  const u64 offset = (total + 15) & ~u64{15};
  total = layout_of(offset, found).end;
  p.staged_at[k] = offset;
  p.bytes[k] = found.image_bytes;
}

// Decides whether argument `k` is staged. If so, staged_at[k] is its offset in the bounce buffer and bytes[k] its
// length; otherwise both are 0. `total`: bytes of the buffer in use so far.
template <const call_plan& plan, scope_kind scope, int k>
GENESYS_KERNEL void plan_argument(const device_context& a, staging_plan& p, const u64 (&given)[args_max], u64& total) {
  constexpr bool is_string = plan.args[k].kind == arg_kind::string;
  constexpr bool fills = plan.args[k].kind == arg_kind::bytes && writes(plan.args[k]) && plan.args[k].by_result;
  constexpr arg_plan arg = plan.args[k];
  constexpr u32 size_arg = arg.size_arg;
  constexpr u64 fixed_bytes = arg.size == size_from::fixed ? arg.fixed_bytes : 0;
  constexpr u64 most = plan.args[k].bytes_most != 0 ? plan.args[k].bytes_most : bytes_absurd;
  if constexpr (is_nested(plan.args[k])) return;  // plan_nested does these
  p.staged_at[k] = 0;
  p.bytes[k] = 0;
  if constexpr (is_pointer(plan.args[k]) && !plan.args[k].shared) {
    const u64 address = given[k];
    u64 bytes = fixed_bytes;
    if constexpr (arg.size == size_from::argument) bytes = measured_bytes(arg, given[size_arg]);
    if constexpr (arg.size == size_from::itself) {
      if (address != 0) bytes = own_bytes(arg, length_at(a, address + arg.size_at));
    }
    if constexpr (plan.args[k].size == size_from::pointed) {
      if (address != 0) bytes = pointed_capacity(a, given[size_arg], plan.args[k].bytes_most);
    }
    if (!is_string && (bytes == 0 || bytes > most)) return;
    const resolved at = resolve(a, address);
    if (!is_staged(at.kind)) return;
    if constexpr (scope == scope_kind::grid) {
      // Such memory belongs to no single block.
      if (at.kind == memory_kind::shared || at.kind == memory_kind::private_) p.value = -EFAULT;
    }
    const u64 space = at.end - address;
    if constexpr (is_string) {
      const u64 longest = space < path_bytes_max ? space : path_bytes_max;
      bytes = string_length(address, longest);
      if (bytes == longest && longest < path_bytes_max) return;  // its memory ends before a NUL: Linux would fault
      if (bytes < longest) ++bytes;  // with its NUL; without one the string is too long, and Linux reports it
    } else if (bytes > space) {
      // The buffer goes past the end of its memory, where Linux would fault. What Linux would have written before is a
      // valid, short result.
      if constexpr (fills) {
        bytes = measured_bytes(arg, elements_within(arg, space));
        if (bytes > space) return;
        p.cut = true;
      } else {
        return;
      }
    }
    const u64 offset = ((total + 15) & ~u64{15}) + (address & 15);  // equal modulo 16: see copy.h
    if constexpr (plan.split) {
      const u64 piece = piece_bytes - (address & 15);
      if (bytes > piece) {
        bytes = piece;
        p.cut = false;
      }
    }
    total = offset + bytes;
    p.staged_at[k] = offset;
    p.bytes[k] = bytes;
  }
}

// For how long a call needs its bounce buffer, and how long it waits for one.
//   as_mode  as its wait mode needs. A blocking call that waits for its descriptor keeps its buffer if there are
//   enough. to_keep  of a blocking call that must keep its buffer while it waits for its descriptor. at_hand  of a
//   ticket that does without if no buffer is free at once.
enum class buffer_need { as_mode, to_keep, at_hand };

// The bytes of inline data, if the call has any. They follow from the arguments, which a compiler often knows: it then
// leaves out the code for other lengths.
template <const call_plan& plan>
GENESYS_KERNEL u64 inline_bytes(const u64 (&given)[args_max]) {
  constexpr inline_shape in_line = inline_shape_of(plan);
  constexpr arg_plan arg = plan.args[in_line.argument < 0 ? 0 : in_line.argument];
  constexpr u32 size_arg = arg.size_arg;
  if constexpr (in_line.argument >= 0 && arg.size == size_from::argument) return measured_bytes(arg, given[size_arg]);
  constexpr u64 fixed_bytes = arg.fixed_bytes;
  return fixed_bytes;
}
// Whether the memory of the only pointer is so short that it may be inline data.
template <const call_plan& plan>
GENESYS_KERNEL bool is_short(const u64 (&given)[args_max]) {
  constexpr inline_shape in_line = inline_shape_of(plan);
  return in_line.argument >= 0 && inline_bytes<plan>(given) <= in_line.bytes_max;
}

// The leader: makes the plan of all arguments and acquires the bounce buffer. If it fails, p.failed is set and p.value
// is the call's result. `words`: gets what Linux reads of it.
template <const call_plan& plan, scope_kind scope, wait_mode w, buffer_need need, int... k>
GENESYS_KERNEL void plan_staging(const device_context& a, staging_plan& p, [[maybe_unused]] inline_words& words,
                                 const u64 (&given)[args_max], std::integer_sequence<int, k...>) {
  u64 total = 0;
  p.buffer = 0;
  p.value = 0;
  p.completion_slot = p.phase = 0;
  p.failed = p.beyond = p.cut = p.has_inline_data = false;
  p.keeps = true;
  constexpr int nested = nested_of(plan);
  [[maybe_unused]] nested_size found{};
  if constexpr (nested >= 0) plan_nested<plan, scope>(a, p, found, given, total);
  (plan_argument<plan, scope, k>(a, p, given, total), ...);
  if (p.value == 0 && total > bounce_bytes_max) p.value = -ENOBUFS;
  constexpr inline_shape in_line = inline_shape_of(plan);
  constexpr bool is_read = in_line.dir == direction::in;
  // Of what Linux writes, the blocks of a grid and tickets pass on the value only.
  if constexpr (is_read || (in_line.argument >= 0 && w == wait_mode::blocking && scope != scope_kind::grid)) {
    p.has_inline_data = is_short<plan>(given) && a.inline_data && p.value == 0 && total != 0 && !p.cut;
    if constexpr (!is_read && scope != scope_kind::thread) {
      // The leader stores what does not fit a completion, but each thread has private memory of its own.
      if (inline_bytes<plan>(given) > sizeof(u64) && is_private(given[in_line.argument])) p.has_inline_data = false;
    }
    GENESYS_ASSERT(!p.has_inline_data || p.bytes[in_line.argument] == inline_bytes<plan>(given),
                   "the length of inline data follows from the arguments");
    if constexpr (is_read) {
      if (p.has_inline_data) load_words(given[in_line.argument], inline_bytes<plan>(given), words.words);
    }
  }
  if (p.value == 0 && total != 0 && !p.has_inline_data) {
    constexpr hold_time how = w == wait_mode::ticket                                   ? hold_time::ticket
                              : w == wait_mode::posted || need == buffer_need::to_keep ? hold_time::lasting
                                                                                       : hold_time::brief;
    if constexpr (how == hold_time::brief && plan.waits != readiness::none) {
      p.buffer = acquire_buffer(a, total, hold_time::waiting, bounce_wait::for_growth);
      p.keeps = p.buffer != 0;
    }
    constexpr bounce_wait how_long = need == buffer_need::at_hand ? bounce_wait::one_look
                                     : w == wait_mode::ticket     ? bounce_wait::for_growth
                                                                  : bounce_wait::until_free;
    if (p.buffer == 0) p.buffer = acquire_buffer(a, total, how, how_long);
    if (p.buffer == 0) p.value = w == wait_mode::ticket && !runtime_ended(a) ? -EAGAIN : -ECANCELED;
  }
  p.failed = p.value != 0;
  ((p.staged_at[k] = p.bytes[k] != 0 && !p.failed && !p.has_inline_data ? p.staged_at[k] + p.buffer : 0), ...);
  if constexpr (nested >= 0) {
    constexpr nested_shape shape = shape_of(plan.args[nested], scope);
    if (p.staged_at[nested] != 0)
      write_nested(a, shape, given[nested], nested_count<plan, nested>(given), p.staged_at[nested], found);
  }
}

// Each thread: its share of the copy of argument k before the call. Private memory is the leader's.
template <const call_plan& plan, int k, class Team>
GENESYS_KERNEL void stage_in(const Team& team, const staging_plan& p, u64 address) {
  if constexpr (is_pointer(plan.args[k]) && reads(plan.args[k])) {
    if (p.staged_at[k] == 0) return;
    if constexpr (is_nested(plan.args[k])) {
      stage_in_nested(p.staged_at[k] + p.bytes[k], team.rank(), team.size(), team.is_leader());
    } else if (is_private(address)) {
      if (team.is_leader()) copy_part(p.staged_at[k], address, p.bytes[k], 0, 1);
    } else {
      copy_part(p.staged_at[k], address, p.bytes[k], team.rank(), team.size());
    }
  }
}

// Each thread: its share of the copy of argument k, not nested, after the call gave `value`. Private memory is filled
// in every thread.
template <const call_plan& plan, int k, class Team>
GENESYS_KERNEL void stage_out_plain(const Team& team, const staging_plan& p, i64 value, const u64 (&given)[args_max]) {
  if constexpr (is_pointer(plan.args[k]) && writes(plan.args[k])) {
    if (p.staged_at[k] == 0) return;
    const u64 address = given[k];
    u64 bytes = p.bytes[k];
    if constexpr (plan.args[k].by_result) {
      if (value < 0) return;
      constexpr arg_plan arg = plan.args[k];
      if (measured_bytes(arg, static_cast<u64>(value)) < bytes) bytes = measured_bytes(arg, static_cast<u64>(value));
    } else if constexpr (plan.args[k].written == written_on::eintr) {
      if (value != -EINTR) return;
    } else if constexpr (plan.args[k].written == written_on::any) {
      // Linux may have written it whatever the result; bytes that it did not write are unchanged.
    } else if constexpr (plan.args[k].size == size_from::pointed) {
      if (value < 0) return;
      constexpr u32 size_arg = plan.args[k].size_arg;
      const u64 length = load_number(p.staged_at[size_arg] != 0 ? p.staged_at[size_arg] : given[size_arg], 4);
      if (length < bytes) bytes = length;
    } else {
      if (value < 0) return;
    }
    if (is_private(address)) {
      copy_part(address, p.staged_at[k], bytes, 0, 1);
    } else {
      copy_part(address, p.staged_at[k], bytes, team.rank(), team.size());
    }
  }
}

// store_number(), in one copy for the words of a line that are short or not aligned.
GENESYS_KERNEL_OUTLINE inline void store_few(u64 address, u64 value, u32 bytes) { store_number(address, value, bytes); }

// The leader: stores inline data of more than 8 bytes, of which `first` are the first.
GENESYS_KERNEL void store_line(u64 address, u64 first, const queue::line_of_call& line) {
  const u32 bytes = line.written();
  const bool by_words = GENESYS_ON_CUDA && (address & 7) == 0;
#if GENESYS_ON_CUDA
  if (by_words) {  // without a branch for each word
#pragma unroll
    for (u32 at = 0; at < inline_bytes_max; at += 8)
      if (at + 8 <= bytes) *reinterpret_cast<volatile u64*>(address + at) = at == 0 ? first : line.rest(at / 8 - 1);
    if (bytes % 8 == 0) return;
  }
#pragma unroll
#endif
  for (u32 at = 0; at < inline_bytes_max; at += 8) {
    if (at >= bytes) break;
    if (by_words && at + 8 <= bytes) continue;
    store_few(address + at, at == 0 ? first : line.rest(at / 8 - 1), bytes - at < 8 ? bytes - at : 8);
  }
}

// Stores the inline data of a call that gave `value` where its argument points, unless the leader has stored it.
// Private memory is filled in every thread, other memory by one.
template <const call_plan& plan, class Team>
GENESYS_KERNEL void store_inline_data(const Team& team, i64 value, u64 data, const u64 (&given)[args_max]) {
  constexpr int k = inline_shape_of(plan).argument;
  const u64 space = inline_bytes<plan>(given);
  if (space > sizeof(u64)) return;
  if (value < 0 || (!is_private(given[k]) && team.rank() != 0)) return;
  const u64 written = plan.args[k].by_result ? static_cast<u64>(value) : space;
  store_number(given[k], data, static_cast<u32>(written < space ? written : space));
}

template <const call_plan& plan, int k, class Team>
GENESYS_KERNEL void stage_out(const Team& team, const staging_plan& p, i64 value, const u64 (&given)[args_max]) {
  if constexpr (is_nested(plan.args[k]) && writes(plan.args[k])) {
    constexpr nested_shape shape = shape_of(plan.args[k], Team::scope);
    if (p.staged_at[k] != 0) {
      stage_out_nested(p.staged_at[k] + p.bytes[k], shape, given[k], value, team.rank(), team.size());
    }
  } else {
    stage_out_plain<plan, k>(team, p, value, given);
  }
}

}  // namespace genesys::detail::staging
