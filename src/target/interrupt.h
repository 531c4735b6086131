// SPDX-License-Identifier: Apache-2.0
// How a kernel wakes a thread of the host that sleeps: a store into the interrupt word (device_context::interrupt). On
// CUDA a stream waits for the word, and behind it the driver interrupts the processor. The CPU device uses a futex. One
// thread arms and waits; lanes, the device and raise() store the word.
#pragma once

#include "genesys/detail/wire/types.h"

namespace genesys::detail {

class launches;

// The words in pinned memory that an interrupt uses. Lanes may store into them.
struct interrupt_words {
  static constexpr u32 queues_max = 1024;
  u32 raised;                       // device_context::interrupt
  u32 loaded;                       // how often the device has loaded the tails
  u64 tails[queues_max];            // as the device loaded them
  unsigned char marks[queues_max];  // the highest bytes that the device copies into the tails
};

class interrupt {
 public:
  virtual ~interrupt() = default;

  // Arms all queues, and then loads their tails into `tails`: every reservation that the tails do not have finds its
  // queue armed, and raises the interrupt. So does the end of `kernels`. False: the device cannot do so now, or no
  // kernel of `kernels` is under way; the queues may be armed nevertheless. Takes some 50 us.
  virtual bool arm(launches& kernels, u64* tails) = 0;
  // Sleeps until the interrupt is raised, after arm() returned true. It may also return without one.
  virtual void wait() = 0;
  // Any thread, any time. An interrupt that is raised between the beginning of arm() and wait() is not lost.
  virtual void raise() = 0;
  // Any thread: the same, and arm() returns false from now on.
  virtual void end() = 0;
  // Any thread: whether the device has refused something, so that arm() returns false for ever.
  virtual bool is_refused() const { return false; }
};

}  // namespace genesys::detail
