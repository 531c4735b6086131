// SPDX-License-Identifier: Apache-2.0
// A resident block: its threads, its shared memory, and the rendezvous in which threads wait for each other. The
// scheduler of the block's carrier calls the member functions. Fibers read their identity and their shared memory
// through the relaxed atomics.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "target/cpu/fiber.h"

namespace genesys::detail::cpu {

inline constexpr unsigned block_warps_max = block_threads_max / warp_lanes;
inline constexpr unsigned char fresh_byte = 0xA5;  // fills new shared memory

/// A static shared object of a block. Fibers look objects up and add them to the table, between two switches. The
/// scheduler only empties the table.
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
  // Fibers read these. `launch` is null while the object holds no block; it changes only under the lock of `launches`.
  relaxed<struct launch_state*> launch;
  relaxed<unsigned> rank;
  relaxed<std::byte*> shared;        // the dynamic part begins here
  relaxed<std::size_t> shared_used;  // bytes of the dynamic part and of the objects
  relaxed<unsigned> objects_used;
  relaxed<bool> aborted;  // its threads leave: each at its next turn
  std::array<shared_object, shared_objects_max> objects;

  // Only the scheduler uses these.
  std::byte* shared_slab = nullptr;
  std::array<resident_warp, block_warps_max> warps;
  std::vector<fiber*> threads;  // by rank; null: the thread has left
  unsigned alive = 0;
  unsigned running = 0;   // threads that wait in no rendezvous
  bool had_turn = false;  // a thread has begun
  unsigned arrived_sync = 0, arrived_count = 0;
  const sanitizers::stack_note* carrier_stack = nullptr;

  /// The thread enters the rendezvous that it asked for. Adds the threads whose rendezvous is complete to `woken`. If
  /// no thread of the block can ever go on, aborts the process with a message that says which threads wait for what.
  void wait(fiber&, std::vector<fiber*>& woken);

  /// The thread has left its kernel. This completes each rendezvous in which only this thread was missing, and adds the
  /// waiting threads to `woken`. The block has ended if `alive` is 0 afterwards.
  void leave(fiber&, std::vector<fiber*>& woken);

  /// The launch was aborted: all threads leave at their next turn, and are counted (wire/abort.h, B5). Adds those that
  /// wait in a rendezvous to `woken`.
  void abort(std::vector<fiber*>& woken);

 private:
  void look_at_lanes(unsigned warp, std::vector<fiber*>& woken);
  void look_at_block(request, unsigned& arrived, std::vector<fiber*>& woken);
  void reply(unsigned warp, const lane_meeting&, std::vector<fiber*>& woken);
  void wake(fiber&, std::uint64_t reply, std::vector<fiber*>& woken);
  void order(fiber* const* fibers, std::size_t count) const;
  void check_deadlock() const;
};

/// "(1,0,0)": the position of the linear index `rank` in these extents.
struct place_name {
  char text[48];
};
place_name place_in(unsigned rank, const dims& extents);

}  // namespace genesys::detail::cpu
