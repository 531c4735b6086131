// SPDX-License-Identifier: Apache-2.0
// The kernel that makes one call of the table on behalf of a scope, with its pointers into one kind of memory.
#pragma once

#include "oracle.h"

namespace oracle {

template <plan_id id>
struct issue {
  // Copies the image to where the pointers shall lead, makes the call, and copies it back.
  template <class Io>
  GENESYS_KERNEL void run(const Io& io, const task& t, u8* own, bool mine, u32 rank, u32 size) const {
    u8* base = t.where == memory::arena ? t.image : t.where == memory::device ? t.device : own;
    const u32 first = mine ? 0 : rank, step = mine ? 1 : size;  // private memory: each thread copies all of it
    if (base != t.image) {
      for (u64 i = first; i < t.image_bytes; i += step) base[i] = t.image[i];
    }
    genesys::sync_block();
    u64 a[args_max];
    for (u32 i = 0; i < args_max; ++i) a[i] = t.args[i];
    for (u32 i = 0; i < t.count; ++i) a[t.pointers[i].arg] = reinterpret_cast<u64>(base + t.pointers[i].at);
    const long value = io.template invoke<id>(a[0], a[1], a[2], a[3], a[4], a[5]);
    if (rank == 0) *t.value = value;
    genesys::sync_block();
    if (base != t.image && (!mine || rank == 0)) {
      for (u64 i = first; i < t.image_bytes; i += step) t.image[i] = base[i];
    }
    genesys::sync_block();
    bool differs = value != *t.value;
    for (u64 i = 0; mine && i < t.image_bytes; ++i) differs |= base[i] != t.image[i];
    if (differs) {
      genesys::atomic<u32, genesys::reach::system>(*t.differing).fetch_add(1);
    }
  }

  GENESYS_KERNEL void operator()(genesys::os os, task t, scope on_behalf) const {
    u8* own = static_cast<u8*>(genesys::dynamic_shared());
    u8 stack[own_max];
    const bool mine = t.where == memory::private_;
    if (mine) own = stack;
    if constexpr (is_built(id, scope::thread)) {
      if (on_behalf == scope::thread) return run(os, t, own, mine, 0, 1);
    }
    if constexpr (is_built(id, scope::block)) {
      run(os.on(genesys::block()), t, own, mine, genesys::thread_rank(), genesys::threads_in_block());
    }
  }
};

constexpr u32 block_threads = 48;  // a warp and a half

template <plan_id id>
contract::launched start_issue(contract::runtime& rt, const task& t, scope on_behalf) {
  return contract::start(rt,
                         {.threads = {on_behalf == scope::thread ? 1 : block_threads},
                          .shared_bytes = t.where == memory::shared ? t.image_bytes : 0},
                         issue<id>{}, t, on_behalf);
}

}  // namespace oracle
