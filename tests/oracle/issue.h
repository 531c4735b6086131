// SPDX-License-Identifier: Apache-2.0
// The kernel that makes one call of the table at one scope, with its pointers into one kind of memory.
#pragma once

#include "oracle.h"

namespace oracle {

// A thread's rank and its memory. Functions that do not depend on the call are no templates, so they compile once.
struct place {
  u8* base[4];  // by kind of memory
  bool alone;   // each thread has memory of its own
  u32 rank, size;
};

GENESYS_KERNEL bool is_own(u32 m) { return m == static_cast<u32>(memory::private_); }
GENESYS_KERNEL u8* at_pointer(const place& in, const task& t, u32 i) {
  return in.base[static_cast<u32>(t.pointers[i].in)] + t.pointers[i].at;
}
// The threads share the work. In a thread's own memory each copies all of it.
GENESYS_KERNEL void copy(const place& in, u8* to, const u8* from, u64 bytes, bool alone) {
  for (u64 i = alone ? 0 : in.rank; i < bytes; i += alone ? 1 : in.size) to[i] = from[i];
}

// Copies the image to the memory that the pointers lead to. `a` are the call's arguments.
GENESYS_KERNEL_OUTLINE inline void set_out(const task& t, const place& in, u64 (&a)[args_max]) {
  const bool mixed = t.where == memory::mixed;
  for (u32 m = 0; m < 4; ++m) {
    if (m != static_cast<u32>(memory::arena) && (mixed || m == static_cast<u32>(t.where)))
      copy(in, in.base[m], t.image, t.image_bytes, is_own(m));
  }
  genesys::sync_block();
  for (u32 i = 0; i < args_max; ++i) a[i] = t.args[i];
  for (u32 i = 0; i < t.count; ++i) {
    const auto& p = t.pointers[i];
    const u64 to = reinterpret_cast<u64>(at_pointer(in, t, i));
    const u32 held_in = static_cast<u32>(p.held_in);
    if (p.is_arg) {
      a[p.holder] = to;
    } else if (in.rank == 0 || is_own(held_in)) {
      for (u32 k = 0; k < 8; ++k) in.base[held_in][p.holder + k] = static_cast<u8>(to >> 8 * k);
    }
  }
  genesys::sync_block();
  if (in.rank == 0) genesys::atomic<u32, genesys::thread_scope::system>(*t.ready).store(1);
}

// Copies the memory back and checks that all threads have the same.
GENESYS_KERNEL_OUTLINE inline void look_over(const task& t, const place& in, long value) {
  const bool mixed = t.where == memory::mixed;
  if (in.rank == 0) {
    *t.value = value;
    genesys::atomic<u32, genesys::thread_scope::system>(*t.ready).store(2);
  }
  genesys::sync_block();
  bool differs = value != *t.value;
  // The pointers in memory are unchanged. The image has 0 in their place.
  for (u32 i = 0; i < t.count; ++i) {
    const auto& p = t.pointers[i];
    const u64 to = reinterpret_cast<u64>(at_pointer(in, t, i));
    const u32 held_in = static_cast<u32>(p.held_in);
    if (p.is_arg || (in.rank != 0 && !is_own(held_in))) continue;
    for (u32 k = 0; k < 8; ++k) {
      u8& byte = in.base[held_in][p.holder + k];
      differs |= byte != static_cast<u8>(to >> 8 * k);
      byte = 0;
    }
  }
  genesys::sync_block();
  if (!mixed && in.base[static_cast<u32>(t.where)] != t.image) {
    if (!is_own(static_cast<u32>(t.where)) || in.rank == 0)
      copy(in, t.image, in.base[static_cast<u32>(t.where)], t.image_bytes, in.alone);
  }
  for (u32 i = 0; mixed && i < t.count; ++i) {
    const auto& p = t.pointers[i];
    if (p.in == memory::arena || (is_own(static_cast<u32>(p.in)) && in.rank != 0)) continue;
    copy(in, t.image + p.at, at_pointer(in, t, i), p.bytes, is_own(static_cast<u32>(p.in)));
  }
  genesys::sync_block();
  for (u32 i = 0; i < t.count; ++i) {
    const auto& p = t.pointers[i];
    if (!is_own(static_cast<u32>(p.in))) continue;
    // On the CPU device such a pointer leads to one thread's private memory.
    if (!GENESYS_ON_CUDA && mixed && !p.is_arg && in.rank != 0) continue;
    for (u64 k = p.at; k < p.at + p.bytes; ++k) differs |= in.base[static_cast<u32>(p.in)][k] != t.image[k];
  }
  if (differs) genesys::atomic<u32, genesys::thread_scope::system>(*t.differing).fetch_add(1);
}

// The same two in the other blocks of a grid, which make the call with the memory that the first block has prepared.
GENESYS_KERNEL_OUTLINE inline void set_out_beside(const task& t, const place& in, u64 (&a)[args_max]) {
  while (genesys::atomic<u32, genesys::thread_scope::system>(*t.ready).load() == 0) genesys::pause();
  for (u32 i = 0; i < args_max; ++i) a[i] = t.args[i];
  for (u32 i = 0; i < t.count; ++i) {
    if (t.pointers[i].is_arg) a[t.pointers[i].holder] = reinterpret_cast<u64>(at_pointer(in, t, i));
  }
}
GENESYS_KERNEL_OUTLINE inline void look_over_beside(const task& t, long value) {
  while (genesys::atomic<u32, genesys::thread_scope::system>(*t.ready).load() != 2)
    genesys::pause();  // block 0 has written
  if (value != *t.value) genesys::atomic<u32, genesys::thread_scope::system>(*t.differing).fetch_add(1);
}

template <plan_id id>
struct issue {
  template <class Io>
  GENESYS_KERNEL static void run(const Io& io, const task& t, const place& in) {
    u64 a[args_max];
    const bool first = genesys::block_rank() == 0;
    first ? set_out(t, in, a) : set_out_beside(t, in, a);
    const long value = io.template invoke<id>(a[0], a[1], a[2], a[3], a[4], a[5]);
    first ? look_over(t, in, value) : look_over_beside(t, value);
  }

  GENESYS_KERNEL void operator()(genesys::os os, task t, scope on_behalf) const {
    u8 stack[own_max];
    place in{{t.image, t.device, static_cast<u8*>(genesys::dynamic_shared()), stack},
             t.where == memory::private_,
             genesys::thread_rank(),
             genesys::threads_in_block()};
    if constexpr (is_built(id, scope::thread)) {
      in.rank = 0;
      in.size = 1;
      if (on_behalf == scope::thread) return run(os, t, in);
      in.rank = genesys::thread_rank();
      in.size = genesys::threads_in_block();
    }
    if constexpr (is_built(id, scope::block)) {
      if (on_behalf == scope::block) return run(os.on(genesys::block()), t, in);
    }
    if constexpr (is_built(id, scope::warp)) {
      if (on_behalf == scope::warp) return run(os.on(genesys::warp()), t, in);
    }
    if constexpr (is_built(id, scope::grid)) {
      if (on_behalf == scope::grid)
        run(os.on(genesys::grid()).relaxed(genesys::consumer()), t, in);  // all blocks get the result
    }
  }
};

// The threads of a block. At block scope it is a warp and a half.
constexpr u32 threads_of(scope s) { return s == scope::thread ? 1 : s == scope::warp ? 32 : 48; }

template <class Kernel>
contract::launched start(contract::runtime& rt, Kernel kernel, const task& t, scope on_behalf) {
  return contract::start(rt,
                         {.blocks = {on_behalf == scope::grid ? 2u : 1u},
                          .threads = {threads_of(on_behalf)},
                          .shared_bytes = t.where == memory::shared || t.where == memory::mixed ? t.image_bytes : 0},
                         kernel, t, on_behalf);
}

#if !defined(__CUDACC__)
// The one kernel of the CPU device. It takes long to compile a launch of each issue<id>.
struct issue_through {
  void (*make)(genesys::os os, const task& t, scope on_behalf);
  void operator()(genesys::os os, task t, scope on_behalf) const { make(os, t, on_behalf); }
};
#endif

template <plan_id id>
contract::launched start_issue(contract::runtime& rt, const task& t, scope on_behalf) {
#if defined(__CUDACC__)
  return start(rt, issue<id>{}, t, on_behalf);
#else
  const auto make = [](genesys::os os, const task& made, scope of) { issue<id>{}(os, made, of); };
  return start(rt, issue_through{make}, t, on_behalf);
#endif
}

}  // namespace oracle
