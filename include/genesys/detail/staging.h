// SPDX-License-Identifier: Apache-2.0
// Makes one call for a team: looks at each pointer by the call's plan, stages what only the device can address, sends
// the request, copies back what Linux wrote, waits for descriptors that are not ready, cuts long positional calls in
// pieces. Every thread of the team runs `perform`; the caller alone talks to the host.
#pragma once

#include <cerrno>
#include <utility>

#include "genesys/detail/bounce.h"
#include "genesys/detail/copy.h"
#include "genesys/detail/plan.h"
#include "genesys/detail/ranges.h"
#include "genesys/detail/team.h"

namespace genesys::detail {

GENESYS_KERNEL constexpr bool is_pointer(const arg_plan& arg) {
  return arg.kind == arg_kind::string || arg.kind == arg_kind::bytes || arg.kind == arg_kind::object;
}
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

// Of a split call: the argument that advances with the position.
GENESYS_KERNEL constexpr int buffer_of(const call_plan& plan) {
  for (int k = 0; k < static_cast<int>(args_max); ++k) {
    if (plan.args[k].kind == arg_kind::bytes && plan.args[k].size_arg == plan.size_arg) return k;
  }
  return 0;
}

// A buffer longer than any address space: Linux says what it thinks of it.
constexpr u64 bytes_absurd = u64{1} << 46;

// Pieces of a split call: small enough for many to be in flight and in the CPU's cache, large enough to be worth a
// call.
GENESYS_KERNEL u64 piece_bytes(const area& a) { return u64{1} << a.bounce->classes[bounce_classes - 2].bytes_log2; }

// Decides for argument `k`, pointing at `address`: what the request says, and what is staged. `total`: bytes of the
// bounce buffer spoken for so far. `wire[k]` becomes the address for Linux, or an offset into the bounce buffer where
// place[k] is 1.
template <const call_plan& plan, int k>
GENESYS_KERNEL void place_argument(const area& a, agreement& agreed, u64 (&wire)[args_max], u64& total) {
  constexpr bool is_string = plan.args[k].kind == arg_kind::string;
  constexpr bool fills = plan.args[k].kind == arg_kind::bytes && writes(plan.args[k]) && plan.args[k].by_result;
  constexpr u32 size_arg = plan.args[k].size_arg;
  constexpr u64 fixed_bytes = plan.args[k].size == size_from::fixed ? plan.args[k].fixed_bytes : 0;
  agreed.place[k] = 0;
  agreed.bytes[k] = 0;
  if constexpr (is_pointer(plan.args[k])) {
    const u64 address = wire[k];
    u64 bytes = fixed_bytes;
    if constexpr (plan.args[k].size == size_from::argument) bytes = wire[size_arg];
    if (!is_string && (bytes == 0 || bytes > bytes_absurd)) return;
    const resolved at = resolve(a, address);
    if (at.kind == memory_kind::null || at.kind == memory_kind::none || at.kind == memory_kind::both_sides) return;
    const u64 room = at.end - address;
    if constexpr (is_string) {
      const u64 most = room < path_bytes_max ? room : path_bytes_max;
      bytes = string_length(address, most);
      if (bytes == most && most < path_bytes_max) return;  // its memory ends before its NUL: Linux would fault there
      if (bytes < most) ++bytes;  // with its NUL; without one it is too long, and Linux says so
    } else if (bytes > room) {
      // Past the end of the memory: Linux would fault there. What it would have written before is short, but good.
      if constexpr (fills) {
        bytes = room;
        wire[size_arg] = room;
        agreed.cut = true;
      } else {
        return;
      }
    }
    const u64 offset = ((total + 15) & ~u64{15}) + (address & 15);  // the same place within 16 bytes: see copy.h
    if constexpr (plan.split) {
      const u64 most = piece_bytes(a) - (address & 15);
      if (bytes > most) {
        bytes = wire[plan.size_arg] = most;
        agreed.cut = false;
      }
    }
    total = offset + bytes;
    agreed.place[k] = 1;
    agreed.bytes[k] = bytes;
    wire[k] = offset;
  }
}

// The caller decides for all arguments and takes the bounce buffer. False: agreed.value says why not.
template <const call_plan& plan, int... k>
GENESYS_KERNEL bool place_arguments(const area& a, agreement& agreed, u64 (&wire)[args_max],
                                    std::integer_sequence<int, k...>) {
  u64 total = 0;
  agreed.chunk = 0;
  agreed.cut = false;
  (place_argument<plan, k>(a, agreed, wire, total), ...);
  if (total == 0) return true;
  if (total > bounce_bytes_max(a)) {
    agreed.value = -ENOBUFS;
    return false;
  }
  agreed.chunk = take_bounce(a, total);
  if (agreed.chunk == 0) {
    agreed.value = -ECANCELED;
    return false;
  }
  ((agreed.place[k] = agreed.place[k] != 0 ? (wire[k] += agreed.chunk) : 0), ...);
  return true;
}

GENESYS_KERNEL bool is_private(u64 address) {
#if GENESYS_ON_CUDA
  return cuda_target::is_private(reinterpret_cast<const void*>(address));
#else
  return cpu::region_of(reinterpret_cast<const void*>(address)) == cpu::region::private_;
#endif
}

// What the team copies for argument k before the call. A private one is the caller's.
template <const call_plan& plan, int k, class Team>
GENESYS_KERNEL void copy_in(const Team& team, u64 address) {
  if constexpr (is_pointer(plan.args[k]) && reads(plan.args[k])) {
    const u64 place = team.agreed.place[k];
    if (place == 0) return;
    if (is_private(address)) {
      if (team.is_caller()) copy_part(place, address, team.agreed.bytes[k], 0, 1);
    } else {
      copy_part(place, address, team.agreed.bytes[k], team.rank(), team.size());
    }
  }
}

// What the team copies back for argument k. A private one is filled in every thread.
template <const call_plan& plan, int k, class Team>
GENESYS_KERNEL void copy_out(const Team& team, u64 address) {
  if constexpr (is_pointer(plan.args[k]) && writes(plan.args[k])) {
    const u64 place = team.agreed.place[k];
    if (place == 0) return;
    const i64 value = team.agreed.value;
    u64 bytes = team.agreed.bytes[k];
    if constexpr (plan.args[k].by_result) {
      if (value < 0) return;
      if (static_cast<u64>(value) < bytes) bytes = static_cast<u64>(value);
    } else if constexpr (plan.args[k].on_eintr_only) {
      if (value != -EINTR) return;
    } else {
      if (value < 0) return;
    }
    if (is_private(address)) {
      copy_part(address, place, bytes, 0, 1);
    } else {
      copy_part(address, place, bytes, team.rank(), team.size());
    }
  }
}

GENESYS_KERNEL void fill_request(request& r, const u64 (&wire)[args_max], u32 number, scope_kind scope) {
  for (u32 i = 0; i < args_max; ++i) r.args[i] = wire[i];
  r.number = number;
  r.scope = static_cast<u32>(scope);
}

// Waits until descriptor `fd` is ready, without holding anything. 0, or -errno: too many wait already, or the end.
GENESYS_KERNEL i64 wait_ready(const area& a, u64 fd, readiness what, scope_kind scope) {
  request r{};
  r.args[0] = fd;
  r.args[1] = what == readiness::input ? 0x0001 : 0x0004;  // POLLIN, POLLOUT
  r.number = internal_wait;
  r.scope = static_cast<u32>(scope);
  return transact(a, r).value;
}

struct outcome {
  i64 value;
  bool again;  // nothing was done yet: the descriptor has to be waited for
  u64 piece;   // of a split call: how much of the buffer this attempt was for; 0: there is no more
};

// One attempt at the call, by the whole team. `given`: the arguments as the user gave them; of a split call, from where
// it stands.
template <const call_plan& plan, class Team, int... k>
GENESYS_KERNEL outcome attempt(const area& a, Team& team, const u64 (&given)[args_max],
                               std::integer_sequence<int, k...> all) {
  constexpr bool pointers = has_pointers(plan);
  constexpr bool reads_any = (false || ... || (is_pointer(plan.args[k]) && reads(plan.args[k])));
  u64 wire[args_max];
  for (u32 i = 0; i < args_max; ++i) wire[i] = given[i];
  if (team.is_caller()) {
    team.agreed.again = false;
    team.agreed.failed = !place_arguments<plan>(a, team.agreed, wire, all);
  }
  if constexpr (pointers) team.meet();
  if constexpr (reads_any) {
    if (!team.agreed.failed) (copy_in<plan, k>(team, given[k]), ...);
    team.meet();
  }
  if (team.is_caller() && !team.agreed.failed) {
    request r;
    fill_request(r, wire, plan.number, Team::scope);
    answer got;
    if constexpr (plan.quiet && !pointers) {
      got = transact_inline<true>(a, r);
    } else {
      got = transact(a, r);
    }
    team.agreed.value = got.value;
    team.agreed.again = got.again;
  }
  team.meet();
  outcome result{team.agreed.value, team.agreed.again, 0};
  if constexpr (plan.split) result.piece = team.agreed.cut ? 0 : team.agreed.bytes[buffer_of(plan)];
  if constexpr (pointers) {
    if (!result.again && !team.agreed.failed) (copy_out<plan, k>(team, given[k]), ...);
    const u64 chunk = team.agreed.chunk;
    team.meet();
    if (team.is_caller() && chunk != 0) give_bounce(a, chunk);
  } else if constexpr (plan.waits != readiness::none) {
    team.meet();
  }
  return result;
}

// The call, whole: what Linux answered, in every thread of the team. Every thread of the scope calls it.
template <const call_plan& plan, class Team>
GENESYS_KERNEL i64 perform(const area& a, Team& team, u64 (&given)[args_max]) {
  constexpr auto all = std::make_integer_sequence<int, args_max>{};
  team.begin();
  i64 done = 0;
  for (;;) {
    const outcome result = attempt<plan>(a, team, given, all);
    if constexpr (plan.waits != readiness::none) {
      if (result.again) {
        if (team.is_caller()) team.agreed.value = wait_ready(a, given[plan.waits_arg], plan.waits, Team::scope);
        team.meet();
        const i64 waited = team.agreed.value;
        team.meet();
        if (waited < 0) return waited;
        continue;
      }
    }
    if constexpr (plan.split) {
      if (result.value < 0) return done > 0 ? done : result.value;
      done += result.value;
      const u64 went = static_cast<u64>(result.value);
      if (result.piece == 0 || went < result.piece || went >= given[plan.size_arg]) return done;
      given[buffer_of(plan)] += went;
      given[plan.position_arg] += went;
      given[plan.size_arg] -= went;
    } else {
      return result.value;
    }
  }
}

// A call of which nothing is known but its number: the arguments go as they are.
template <class Team>
GENESYS_KERNEL i64 perform_plain(const area& a, Team& team, u64 number, const u64 (&given)[args_max]) {
  team.begin();
  if (team.is_caller()) {
    request r;
    fill_request(r, given, number > call_number_max ? call_number_max : static_cast<u32>(number), Team::scope);
    for (;;) {
      const answer got = transact(a, r);
      team.agreed.value = got.value;
      if (!got.again) break;
      // `extra` of such an answer: the descriptor and what it has to be ready for
      const i64 waited = wait_ready(a, got.extra.first, static_cast<readiness>(got.extra.second), Team::scope);
      if (waited < 0) {
        team.agreed.value = waited;
        break;
      }
    }
  }
  team.meet();
  return team.agreed.value;
}

}  // namespace genesys::detail
