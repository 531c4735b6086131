// SPDX-License-Identifier: Apache-2.0
// Counts wrong results. Any lane counts one in device memory, and after the kernel the host throws if there are any.
// Kernels that poll give up after polls_max, and count that too.
#pragma once

#include <string>

#include "genesys/genesys.h"
#include "support/measure.h"

namespace baseline {

// The count of wrong results, in device memory.
class wrongs {
 public:
  explicit wrongs(genesys::runtime& rt)
      : rt_(rt), count_(static_cast<unsigned*>(rt.allocate_device(sizeof(unsigned)))) {
    rt.fill_device(count_, 0, sizeof(unsigned));
  }
  ~wrongs() { rt_.free_device(count_); }
  wrongs(const wrongs&) = delete;
  wrongs& operator=(const wrongs&) = delete;

  unsigned* on_device() const { return count_; }
  // Throws if there are any.
  void none(const char* what = "wrong results") const {
    unsigned count = 0;
    rt_.copy_to_host(&count, count_, sizeof count);
    if (count != 0) throw measure::failure(std::to_string(count) + " " + what);
  }

 private:
  genesys::runtime& rt_;
  unsigned* count_;
};

GENESYS_KERNEL void wrong(unsigned* count) { genesys::atomic<unsigned>(*count).fetch_add(1); }

constexpr unsigned polls_max = 1u << 22;  // takes seconds

}  // namespace baseline
