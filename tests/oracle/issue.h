// SPDX-License-Identifier: Apache-2.0
// The kernel that makes one call of the table on behalf of a scope, with its pointers into one kind of memory.
#pragma once

#include "oracle.h"

namespace oracle {

template <plan_id id>
struct issue {
  // Copies the image to where the pointers shall lead, makes the call, and copies it back.
  template <class Io>
  GENESYS_KERNEL void run(const Io& io, const task& t, u8* const (&base)[4], bool alone, u32 rank, u32 size) const {
    using namespace genesys;
    const atomic<u32, reach::system> ready(*t.ready);
    if (block_rank() != 0) return join(io, t, base, ready);
    const bool mixed = t.where == memory::mixed;
    for (u32 m = 0; m < 4; ++m) {
      if (m != static_cast<u32>(memory::arena) && (mixed || m == static_cast<u32>(t.where)))
        copy(base[m], t.image, t.image_bytes, is_own(m), rank, size);
    }
    genesys::sync_block();
    u64 a[args_max];
    for (u32 i = 0; i < args_max; ++i) a[i] = t.args[i];
    for (u32 i = 0; i < t.count; ++i) {
      const auto& p = t.pointers[i];
      const u64 to = reinterpret_cast<u64>(base[static_cast<u32>(p.in)] + p.at);
      const u32 held_in = static_cast<u32>(p.held_in);
      if (p.is_arg) {
        a[p.holder] = to;
      } else if (rank == 0 || is_own(held_in)) {
        for (u32 k = 0; k < 8; ++k) base[held_in][p.holder + k] = static_cast<u8>(to >> 8 * k);
      }
    }
    genesys::sync_block();
    if (rank == 0) ready.store(1);
    const long value = io.template invoke<id>(a[0], a[1], a[2], a[3], a[4], a[5]);
    if (rank == 0) {
      *t.value = value;
      ready.store(2);
    }
    genesys::sync_block();
    bool differs = value != *t.value;
    // The pointers within are the caller's own: as they were.
    for (u32 i = 0; i < t.count; ++i) {
      const auto& p = t.pointers[i];
      const u64 to = reinterpret_cast<u64>(base[static_cast<u32>(p.in)] + p.at);
      const u32 held_in = static_cast<u32>(p.held_in);
      if (p.is_arg || (rank != 0 && !is_own(held_in))) continue;
      for (u32 k = 0; k < 8; ++k) {
        u8& byte = base[held_in][p.holder + k];
        differs |= byte != static_cast<u8>(to >> 8 * k);
        byte = 0;
      }
    }
    genesys::sync_block();
    if (!mixed && base[static_cast<u32>(t.where)] != t.image) {
      if (!is_own(static_cast<u32>(t.where)) || rank == 0)
        copy(t.image, base[static_cast<u32>(t.where)], t.image_bytes, alone, rank, size);
    }
    for (u32 i = 0; mixed && i < t.count; ++i) {
      const auto& p = t.pointers[i];
      if (p.in == memory::arena || (is_own(static_cast<u32>(p.in)) && rank != 0)) continue;
      copy(t.image + p.at, base[static_cast<u32>(p.in)] + p.at, p.bytes, is_own(static_cast<u32>(p.in)), rank, size);
    }
    genesys::sync_block();
    for (u32 i = 0; i < t.count; ++i) {
      const auto& p = t.pointers[i];
      if (!is_own(static_cast<u32>(p.in))) continue;
      // On the CPU device a pointer leads to one thread's private memory only.
      if (!GENESYS_ON_CUDA && mixed && !p.is_arg && rank != 0) continue;
      for (u64 k = p.at; k < p.at + p.bytes; ++k) differs |= base[static_cast<u32>(p.in)][k] != t.image[k];
    }
    if (differs) {
      genesys::atomic<u32, genesys::reach::system>(*t.differing).fetch_add(1);
    }
  }

  // In another block of a grid: the same call, when the memory is as it shall be.
  template <class Io, class Ready>
  GENESYS_KERNEL void join(const Io& io, const task& t, u8* const (&base)[4], const Ready& ready) const {
    while (ready.load() == 0) genesys::pause();
    u64 a[args_max];
    for (u32 i = 0; i < args_max; ++i) a[i] = t.args[i];
    for (u32 i = 0; i < t.count; ++i) {
      const auto& p = t.pointers[i];
      if (p.is_arg) a[p.holder] = reinterpret_cast<u64>(base[static_cast<u32>(p.in)] + p.at);
    }
    const long value = io.template invoke<id>(a[0], a[1], a[2], a[3], a[4], a[5]);
    while (ready.load() != 2) genesys::pause();  // block 0 has written its own
    if (value != *t.value) genesys::atomic<u32, genesys::reach::system>(*t.differing).fetch_add(1);
  }

  GENESYS_KERNEL static bool is_own(u32 m) { return m == static_cast<u32>(memory::private_); }
  // Each thread its part, or, of its own memory, all of it.
  GENESYS_KERNEL static void copy(u8* to, const u8* from, u64 bytes, bool alone, u32 rank, u32 size) {
    for (u64 i = alone ? 0 : rank; i < bytes; i += alone ? 1 : size) to[i] = from[i];
  }

  GENESYS_KERNEL void operator()(genesys::os os, task t, scope on_behalf) const {
    u8 stack[own_max];
    u8* const base[4] = {t.image, t.device, static_cast<u8*>(genesys::dynamic_shared()), stack};
    const bool alone = t.where == memory::private_;
    if constexpr (is_built(id, scope::thread)) {
      if (on_behalf == scope::thread) return run(os, t, base, alone, 0, 1);
    }
    if constexpr (is_built(id, scope::block)) {
      if (on_behalf == scope::block)
        return run(os.on(genesys::block()), t, base, alone, genesys::thread_rank(), genesys::threads_in_block());
    }
    if constexpr (is_built(id, scope::warp)) {
      if (on_behalf == scope::warp) return run(os.on(genesys::warp()), t, base, alone, genesys::lane(), 32);
    }
    if constexpr (is_built(id, scope::grid)) {
      const auto io = os.on(genesys::grid()).relaxed(genesys::consumer());  // all blocks get the result
      run(io, t, base, alone, genesys::thread_rank(), genesys::threads_in_block());
    }
  }
};

// Threads of a block; a warp and a half, where it is for the block.
constexpr u32 threads_of(scope s) { return s == scope::thread ? 1 : s == scope::warp ? 32 : 48; }

template <plan_id id>
contract::launched start_issue(contract::runtime& rt, const task& t, scope on_behalf) {
  return contract::start(rt,
                         {.blocks = {on_behalf == scope::grid ? 2u : 1u},
                          .threads = {threads_of(on_behalf)},
                          .shared_bytes = t.where == memory::shared || t.where == memory::mixed ? t.image_bytes : 0},
                         issue<id>{}, t, on_behalf);
}

}  // namespace oracle
