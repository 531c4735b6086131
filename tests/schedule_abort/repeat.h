// SPDX-License-Identifier: Apache-2.0
// A small driver: launches, random aborts, snapshots by copies, roll-back. Called by the test's thread.
#pragma once

#include <chrono>

#include "launching.h"

namespace abort_testing {

// turns() of the device, on the host.
inline u32 host_turns() { return on_cuda() ? 2000 : 40; }

inline void wait_a_little(std::mt19937_64& random) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(random() % (on_cuda() ? 400 : 1500));
  while (std::chrono::steady_clock::now() < until) {
  }
}

struct totals {
  u64 launches = 0, aborted = 0, wrote = 0;
  void add(genesys::schedule::launch_end end) {
    ++launches;
    aborted += end.aborted;
    wrote += end.aborted && end.wrote;
  }
  totals& operator+=(const totals& t) {
    launches += t.launches, aborted += t.aborted, wrote += t.wrote;
    return *this;
  }
  void print() const {
    std::printf("%llu launches, %llu aborted, %llu of these wrote\n", static_cast<unsigned long long>(launches),
                static_cast<unsigned long long>(aborted), static_cast<unsigned long long>(wrote));
  }
};

struct disturbed_data {
  explicit disturbed_data(shape of) : data(of.all()), wrong(1) {}
  words data, wrong;
};

// The data after `launches` launches that nobody aborts.
template <class Kernel>
std::vector<u64> undisturbed(shape of, Kernel kernel, u32 launches) {
  genesys::schedule::abort_table table(shared_device(), 8);
  disturbed_data d(of);
  stream on;
  for (u32 i = 0; i < launches; ++i) {
    const auto one = table.begin(0, of.all());
    on.launch(of, kernel, one.context, d.data.get(), d.wrong.get());
    on.wait();
    EXPECT_FALSE(table.conclude(one).aborted);
  }
  return d.data.take();
}

struct faults {
  bool no_roll_back = false, no_drain = false;  // what a control leaves out
};

// One launch, aborted up to three times, and repeated until it is whole.
template <class Kernel>
totals repeat_until_whole(genesys::schedule::abort_table& table, stream& on, shape of, Kernel kernel, disturbed_data& d,
                          std::mt19937_64& random, faults with = {}) {
  totals seen;
  const std::vector<u64> snapshot = d.data.take();
  for (u32 attempt = 0;; ++attempt) {
    const auto one = table.begin(0, of.all());
    on.launch(of, kernel, one.context, d.data.get(), d.wrong.get());
    if (attempt < 3) {
      wait_a_little(random);
      table.raise(one);
      if (random() % 4 == 0) table.raise(one);  // a second abort of the same launch
    }
    if (!with.no_drain) on.wait();
    const auto end = table.conclude(one);
    on.wait();
    seen.add(end);
    if (!end.aborted) return seen;
    if (end.wrote && !with.no_roll_back) d.data.put(snapshot);
    if (!end.wrote && !with.no_roll_back && !with.no_drain) {
      EXPECT_EQ(d.data.take(), snapshot);
    }
  }
}

}  // namespace abort_testing
