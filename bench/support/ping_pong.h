// SPDX-License-Identifier: Apache-2.0
// The floor of a call, a ping-pong through pinned memory. A thread of a kernel stores a number (release). A host thread
// polls for it (acquire) and stores it in the word that the kernel's thread polls. The least ping-pong has no release,
// which waits for all that the thread stored before, and delays its first poll until the reply is probably there.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <thread>

#include "genesys/genesys.h"
#include "support/measure.h"
#include "support/times.h"
#include "support/wrongs.h"

namespace baseline {

struct alignas(128) flag {
  unsigned value;
};

template <bool timed, bool least = false>
struct ping {
  // The trips have numbers from `number` on. `delay`: of the first poll, in cycles.
  GENESYS_KERNEL void operator()(genesys::os, flag* there, flag* back, unsigned number, unsigned trips,
                                 std::uint64_t* took, unsigned* lost, [[maybe_unused]] unsigned delay) const {
    const genesys::atomic<unsigned, genesys::thread_scope::system> request(there->value), reply(back->value);
    const auto trip = [&](unsigned i) {
      request.store(number + i, least ? std::memory_order_relaxed : std::memory_order_release);
#if GENESYS_ON_CUDA
      if constexpr (least) {
        for (const std::uint64_t begin = ticks(); ticks() - begin < delay;) {
        }
      }
#endif
      for (unsigned polls = 0; reply.load(std::memory_order_acquire) != number + i; ++polls) {
        if (polls == polls_max) return wrong(lost), false;
#if !GENESYS_ON_CUDA
        ::sched_yield();  // genesys::pause() would sleep after a while
#endif
      }
      return true;
    };
    if constexpr (timed) {
      time_each(took, trips, trip);
    } else {
      for (unsigned i = 0; i < trips && trip(i); ++i) {
      }
    }
  }
};

class ping_pong {
 public:
  explicit ping_pong(genesys::runtime& rt)
      : rt_(rt), flags_(static_cast<flag*>(rt.allocate_arena(2 * sizeof(flag)))), lost_(rt) {
    flags_[0].value = flags_[1].value = 0;
  }
  ~ping_pong() { rt_.free_arena(flags_); }
  ping_pong(const ping_pong&) = delete;
  ping_pong& operator=(const ping_pong&) = delete;

  // One kernel of one thread, launched as any other, so that the workers are in the same state as for a call. With
  // `took`, it stores the time of each trip there.
  void operator()(unsigned trips, const times* took = nullptr) {
    const unsigned first = number_ + 1;
    number_ += trips;
    served([&] {
      if (took != nullptr) {
        run<true, false>(first, trips, took->on_device(), 0);
      } else {
        run<false, false>(first, trips, nullptr, 0);
      }
    });
  }
  // The least ping-pong, with this delay of the first poll.
  void least(unsigned trips, unsigned delay) {
    const unsigned first = number_ + 1;
    number_ += trips;
    served([&] { run<false, true>(first, trips, nullptr, delay); });
  }
  // The delay with which the least ping-pong is fastest, in cycles.
  unsigned best_delay(unsigned trips) {
    unsigned best = 0;
    double best_us = 0;
    for (unsigned delay = 0; delay <= 1200; delay += 100) {
      const std::uint64_t begin = genesys::clock_ns();
      least(trips, delay);
      const double us = static_cast<double>(genesys::clock_ns() - begin) / 1e3 / trips;
      if (delay == 0 || us < best_us) best = delay, best_us = us;
    }
    return best;
  }

 private:
  template <class Kernel>
  void served(const Kernel& kernel) {
    std::jthread server([this, yields = rt_.kind() == genesys::device_kind::cpu](const std::stop_token& stop) {
      const std::atomic_ref<unsigned> request(flags_[0].value), reply(flags_[1].value);
      for (unsigned seen = reply.load(), now, polls = 0;;) {
        if ((now = request.load(std::memory_order_acquire)) != seen) {
          reply.store(seen = now, std::memory_order_release);
        } else if (yields) {
          ::sched_yield();
        }
        if (++polls % 1024 == 0 && stop.stop_requested()) return;
      }
    });
    kernel();
    lost_.none("ping-pongs had no reply");
  }
  template <bool timed, bool least>
  void run(unsigned first, unsigned trips, std::uint64_t* took, unsigned delay) {
    genesys::launch(rt_, {}, ping<timed, least>{}, &flags_[0], &flags_[1], first, trips, took, lost_.on_device(), delay)
        .drain();
  }

  genesys::runtime& rt_;
  flag* flags_;
  wrongs lost_;
  unsigned number_ = 0;
};

}  // namespace baseline
