// SPDX-License-Identifier: Apache-2.0
// Times by the kernel's own clock: on a GPU the cycles of its multiprocessor, on the CPU device nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "genesys/genesys.h"
#include "support/measure.h"

namespace baseline {

GENESYS_KERNEL std::uint64_t ticks() {
#if GENESYS_ON_CUDA
  return static_cast<std::uint64_t>(clock64());
#else
  return genesys::clock_ns();
#endif
}

// Sleeps without traffic on the link to the host.
GENESYS_KERNEL void sleep_ns(std::uint64_t ns) {
  const std::uint64_t begin = genesys::clock_ns();
  while (genesys::clock_ns() - begin < ns) genesys::pause(1000);
}

// The length of a tick, measured from construction to keep(), which stores {ticks, nanoseconds}.
struct tick_length {
  std::uint64_t since_ns = genesys::clock_ns(), since = ticks();
  GENESYS_KERNEL tick_length() {}
  GENESYS_KERNEL void keep(std::uint64_t* at) const {
    at[0] = ticks() - since;
    at[1] = genesys::clock_ns() - since_ns;
  }
};

// Times what(0), what(1), ...; ends early if one returns false. `took` is that of a `times` of this count.
template <class What>
GENESYS_KERNEL void time_each(std::uint64_t* took, unsigned count, const What& what) {
  const tick_length length;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t begin = ticks();
    if (!what(i)) return;
    took[i] = ticks() - begin;
  }
  length.keep(took + count);
}

// Device memory for `count` times in ticks, followed by the length of a tick.
class times {
 public:
  times(genesys::runtime& rt, unsigned count)
      : rt_(rt), count_(count), took_(static_cast<std::uint64_t*>(rt.allocate_device((count + 2) * 8ul))) {
    clear();
  }
  ~times() { rt_.free_device(took_); }
  times(const times&) = delete;
  times& operator=(const times&) = delete;

  std::uint64_t* on_device() const { return took_; }
  void clear() { rt_.fill_device(took_, 0, (count_ + 2) * 8ul); }
  measure::numbers us() const {
    std::vector<std::uint64_t> took(count_ + 2);
    rt_.copy_to_host(took.data(), took_, took.size() * 8);
    if (took[count_] == 0) throw measure::failure("a kernel gave up");
    const double us_a_tick = double(took[count_ + 1]) / double(took[count_]) / 1e3;
    measure::numbers us;
    for (unsigned i = 0; i < count_; ++i) us.push_back(double(took[i]) * us_a_tick);
    return us;
  }

 private:
  genesys::runtime& rt_;
  unsigned count_;
  std::uint64_t* took_;
};

}  // namespace baseline
