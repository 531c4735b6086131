// SPDX-License-Identifier: Apache-2.0
// A driver's library that runs nothing: each function notes its call, and does what the test says. The stand-in opens
// it as its real library; the tests reach the same copy through fake().
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "schedule/standin/functions.h"

namespace genesys::schedule::standin::tests {

// Enough for each function of the driver, and more than fit in registers.
constexpr unsigned arguments_max = 16;
using arguments = std::array<std::uint64_t, arguments_max>;

struct fake_call {
  driver_function which;
  arguments values;
};

// Called with the arguments as words; behind those that the function has, there is anything.
using behaviour = std::function<unsigned(const arguments&)>;

struct fake_driver {
  std::mutex changing;
  std::vector<fake_call> calls;
  std::map<driver_function, behaviour> behaviours;
  unsigned result = 0;  // of functions without behaviour
};

}  // namespace genesys::schedule::standin::tests

// Exported by the fake library.
extern "C" genesys::schedule::standin::tests::fake_driver* genesys_fake_driver();
