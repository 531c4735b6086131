// SPDX-License-Identifier: Apache-2.0
// C1 and C6: which lane owns a completion slot. The slots are in groups of 32, as many groups as the GPU can hold
// warps. A lane claims the slot of its own number in some group. Called by lanes that run together.
#pragma once

#include "genesys/detail/lanes/lanes.h"
#include "genesys/detail/queue/invariants.h"

namespace genesys::detail::queue {

// The memory order of an owner's last atomic and of the next owner's first one. On a GPU relaxed is enough: both are
// performed in device memory in the order of issue, and the next owner's polls cross the link after that. (A release
// there would make each call wait, and an acquire would empty the multiprocessor's cache.)
constexpr order handoff_release = GENESYS_ON_CUDA ? order::relaxed : order::release;
constexpr order handoff_acquire = GENESYS_ON_CUDA ? order::relaxed : order::acquire;

struct claimed_slot {
  u32 group;
  u32 phase;  // the phase that the completion will have
};

GENESYS_KERNEL void record_claimed(u32 old_low, u32 old_high, u32 group, u32& wanted, claimed_slot& mine) {
  const u32 got = wanted & ~old_low;
  if ((got >> lane()) & 1) mine = {group, ~(old_high >> lane()) & 1};
  wanted &= ~got;
}

// C1 for the lanes in `wanted`, whose slots of the first group were taken: each gets the slot of its number in another
// group. There are as many groups as warps, so each lane finds one. False: the runtime ended with calls uncompleted.
GENESYS_KERNEL_OUTLINE inline bool claim_in_other_groups(queue_context a, u32 lanes, u32 leader, u32 wanted,
                                                         claimed_slot& mine, u32 group) {
  for (u32 tried = 1; wanted != 0; ++tried) {
    group = group + 1 == a.groups ? 0 : group + 1;
    u64 old = 0;
    if (lane() == leader)
      old = global_atomic<u64>(a.claims[group]).fetch_or(wanted, handoff_acquire);  // pairs with release_slot
    old = shuffle(lanes, old, leader);
    record_claimed(static_cast<u32>(old), static_cast<u32>(old >> 32), group, wanted, mine);
    if (tried % a.groups == 0 && runtime_ended(a)) return false;
  }
  return true;
}

// Completes C1 after the leader has claimed the slots of all lanes in `group`, whose word was `old`, as all lanes know.
// False: the runtime has ended.
GENESYS_KERNEL bool finish_claim(const queue_context& a, u32 lanes, u32 leader, u32 group, u64 old,
                                 claimed_slot& mine) {
  u32 wanted = lanes;
  record_claimed(static_cast<u32>(old), static_cast<u32>(old >> 32), group, wanted, mine);
  if (wanted == 0) return true;
  claimed_slot found = mine;  // in memory, as the function needs it
  const bool all = claim_in_other_groups(a, lanes, leader, wanted, found, group);
  mine = found;
  return all;
}

// The group that a lane tries first.
GENESYS_KERNEL u32 home_group(const queue_context& a) {
  const u32 group = warp_hint();
  return group < a.groups ? group : group % a.groups;
}

// The phase that the completion of a claimed slot will have. Called by its owner.
GENESYS_KERNEL u32 next_phase(const queue_context& a, u32 completion_slot) {
  const u64 word = global_atomic<u64>(a.claims[completion_slot / slots_in_group]).load(order::relaxed);
  return ~static_cast<u32>(word >> (32 + completion_slot % slots_in_group)) & 1;
}

// C6. The next owner of the slot waits for the other phase.
GENESYS_KERNEL void release_slot(const queue_context& a, u32 completion_slot) {
  const u64 bit = u64{1} << (completion_slot % slots_in_group);
  [[maybe_unused]] const u64 before = global_atomic<u64>(a.claims[completion_slot / slots_in_group])
                                          .fetch_xor(bit | bit << 32, handoff_release);  // pairs with C1
  GENESYS_ASSERT(was_owned(a, completion_slot, before, true),
                 "I4: a completion slot is released once, by its owner, with its completion");
}

// Undoes the claim of a slot that no worker has completed. Its phase stays.
GENESYS_KERNEL void release_unused_slot(const queue_context& a, u32 completion_slot) {
  [[maybe_unused]] const u64 before = global_atomic<u64>(a.claims[completion_slot / slots_in_group])
                                          .fetch_and(~(u64{1} << (completion_slot % slots_in_group)), handoff_release);
  GENESYS_ASSERT(was_owned(a, completion_slot, before, false),
                 "I4: a completion slot that is released unused was claimed and not completed");
}

}  // namespace genesys::detail::queue
