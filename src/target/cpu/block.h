// SPDX-License-Identifier: Apache-2.0
// A block that is resident: its threads, its shared memory, and who waits for whom in it. Its carrier's scheduler calls
// the member functions; the threads read, through relaxed atomics, what tells them who they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "target/cpu/fiber.h"

namespace genesys::detail::cpu {

inline constexpr unsigned block_warps_max = block_threads_max / warp_lanes;
inline constexpr unsigned char fresh_byte = 0xA5;  // what new shared memory is filled with

/// A shared object of a block. The table is the fibers' own: they fill it, between two switches, without the scheduler.
struct shared_object {
  relaxed<const void*> tag;
  relaxed<std::size_t> bytes;
  relaxed<std::byte*> place;
};

/// A rendezvous of lanes that is not complete.
struct lane_meeting {
  request what;
  std::uint32_t lanes;
  std::uint32_t arrived;
};

struct resident_warp {
  relaxed<unsigned> hint;
  std::uint32_t alive = 0;
  std::vector<lane_meeting> meetings;
};

struct resident_block {
  // What a thread reads. `launch` is null when no block lives here; it changes under the launches' lock only.
  relaxed<struct launch_state*> launch;
  relaxed<unsigned> rank;
  relaxed<std::byte*> shared;        // where the dynamic part begins
  relaxed<std::size_t> shared_used;  // dynamic part, and objects so far
  relaxed<unsigned> objects_used;
  std::array<shared_object, shared_objects_max> objects;

  // The scheduler's.
  std::byte* shared_slab = nullptr;
  std::array<resident_warp, block_warps_max> warps;
  std::vector<fiber*> threads;  // by rank; null where one has left
  unsigned alive = 0;
  unsigned running = 0;  // not in a rendezvous
  unsigned arrived_sync = 0, arrived_count = 0;
  const sanitizers::stack_note* carrier_stack = nullptr;

  /// The thread waits from now on. Threads whose rendezvous is complete are added to `woken`. If nobody in the block
  /// can ever go on, the process is aborted with a message that tells who waits for what.
  void wait(fiber&, std::vector<fiber*>& woken);

  /// The thread has left; what waits for the others only is complete. Afterwards the block has ended if alive is 0.
  void leave(fiber&, std::vector<fiber*>& woken);

 private:
  void look_at_lanes(unsigned warp, std::vector<fiber*>& woken);
  void look_at_block(request, unsigned& arrived, std::vector<fiber*>& woken);
  void reply(unsigned warp, const lane_meeting&, std::vector<fiber*>& woken);
  void wake(fiber&, std::uint64_t reply, std::vector<fiber*>& woken);
  void order(fiber* const* fibers, std::size_t count) const;
  void check_deadlock() const;
};

/// "(1,0,0)": the place of a linear index in something of these extents.
struct place_name {
  char text[48];
};
place_name place_in(unsigned rank, const dims& extents);

}  // namespace genesys::detail::cpu
