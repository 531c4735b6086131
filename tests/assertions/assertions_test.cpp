// SPDX-License-Identifier: Apache-2.0
// The assertion of its invariant finds each violation of violations.h on the CPU device. Each runs in a child process.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "violations.h"

namespace assertions {
namespace {

static_assert(GENESYS_ASSERTIONS, "this suite is built where assertions are on");

template <class Violation>
void plant() {
  const world w;
  cpu::device device({.os_threads = 1});
  device.wait(*device.launch({1}, {1}, 0, nullptr, [at = w.at] { Violation{}(at); }));
}

// A regular expression that matches only this text.
std::string literally(const std::string& text) {
  std::string pattern;
  for (const char c : text) {
    if (std::strchr("()[]{}.*+?^$|\\", c) != nullptr) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

class AssertionsDeathTest : public testing::Test {
 protected:
  // The child executes this program again, because a forked child would lack the threads.
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

#define GENESYS_TEST_VIOLATION(violation)                                                                       \
  TEST_F(AssertionsDeathTest, violation) {                                                                      \
    EXPECT_DEATH(plant<violation>(),                                                                            \
                 "assertion failed at .*: " + literally(violation::message) + ": thread \\(0,0,0\\) of block"); \
  }
GENESYS_VIOLATIONS(GENESYS_TEST_VIOLATION)
#undef GENESYS_TEST_VIOLATION

}  // namespace
}  // namespace assertions
