// SPDX-License-Identifier: Apache-2.0
// What the tests share: the fake driver, calls of the stand-in's functions, observers that keep what they see.
#pragma once

#include <string>
#include <vector>

#include "fake_driver.h"
#include "schedule/standin/jump_table.h"
#include "schedule/standin/launch_observer.h"

namespace genesys::schedule::standin::tests {

// The one that the stand-in has opened.
fake_driver& fake();
// Without calls and behaviours; every function succeeds. No observer.
void reset();
void on(driver_function which, behaviour what);
// The calls of one function.
std::vector<arguments> calls_of(driver_function which);

// Calls the exported function with words. All are passed, so those behind its own arguments arrive as well.
unsigned call(driver_function which, const arguments& values);

void* exported_address(driver_function which);
// The exported function with its type: program<driver_function::cuInit>(&cuInit)(0).
template <driver_function which, class function>
function* program(function*) {
  return reinterpret_cast<function*>(exported_address(which));
}

// A file of tests/schedule/kernels; of `.hex` the bytes.
std::string kernel_file(const std::string& name);
// Two kernels: `twice(float* out, const float* in, int n)`, and `biased` with the same parameters, which uses a
// variable of the module through a function.
extern const char small_ptx[];

// Lets all launches through, and keeps what it has seen.
class keeping_observer : public launch_observer {
 public:
  CUresult launch(const observed_launch& one) noexcept override {
    launches.push_back(one.keep());
    return one.issue();
  }
  void settle(CUstream stream, bool) noexcept override { settled.push_back(stream); }
  void settle_all(bool) noexcept override { ++settled_all; }

  std::vector<observed_launch> launches;
  std::vector<CUstream> settled;
  int settled_all = 0;
};

// The observer is attached while this lives.
class attached {
 public:
  explicit attached(launch_observer& observer) { observe(&observer); }
  ~attached() { observe(nullptr); }
  attached(const attached&) = delete;
  attached& operator=(const attached&) = delete;
};

}  // namespace genesys::schedule::standin::tests

#define PROGRAM(name) \
  (::genesys::schedule::standin::tests::program<::genesys::schedule::standin::driver_function::name>(&::name))
