// SPDX-License-Identifier: Apache-2.0
#include "fake_driver.h"

namespace genesys::schedule::standin::tests {
namespace {

unsigned call(driver_function which, const arguments& values) {
  fake_driver& all = *genesys_fake_driver();
  behaviour asked;
  unsigned result = 0;
  {
    const std::lock_guard lock(all.changing);
    all.calls.push_back({which, values});
    result = all.result;
    if (const auto found = all.behaviours.find(which); found != all.behaviours.end()) asked = found->second;
  }
  return asked ? asked(values) : result;
}

}  // namespace
}  // namespace genesys::schedule::standin::tests

extern "C" genesys::schedule::standin::tests::fake_driver* genesys_fake_driver() {
  static auto& only = *new genesys::schedule::standin::tests::fake_driver;
  return &only;
}

#define WORD std::uint64_t
#define DRIVER_FUNCTION(name, order, argument)                                                                     \
  extern "C" unsigned name(WORD a, WORD b, WORD c, WORD d, WORD e, WORD f, WORD g, WORD h, WORD i, WORD j, WORD k, \
                           WORD l, WORD m, WORD n, WORD o, WORD p) {                                               \
    return genesys::schedule::standin::tests::call(genesys::schedule::standin::driver_function::name,              \
                                                   {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p});              \
  }
#include "schedule/standin/functions.inc"
