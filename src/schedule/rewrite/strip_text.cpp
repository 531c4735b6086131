// SPDX-License-Identifier: Apache-2.0
// The text of poll_text for loops that are strip-mined: where the inner loop ends.
#include <algorithm>

#include "schedule/rewrite/poll_text.h"

namespace genesys::schedule {
namespace {

std::string unsigned_type(const strip& one) { return one.type.ends_with("64") ? "u64 " : "u32 "; }

}  // namespace

// `%~limit`, or `%~far` for a variable of 64 bits.
std::string poll_text::limit_of(const strip& one) const {
  return expanded(one.type.ends_with("64") ? "%~far" : "%~limit");
}

// The limit is so many steps away, but never beyond the bound: the inner loop must not do what the original would not.
// With `order`, sums may wrap around. The inner loop still ends after so many iterations, for then its variable is
// equal to the sum; it only ends earlier.
std::string poll_text::strip_begin(const strip& one, std::uint32_t iterations) const {
  const std::string limit = limit_of(one), to = limit + ", ", from(one.from), number = std::to_string(iterations);
  if (one.ends == strip::until::count) return expanded("mov.u32 %~strip, ") + number + ";\n";
  if (one.ends == strip::until::order) {
    const std::string type = std::string(one.type) + " ", many = std::to_string(one.step * iterations);
    const std::string ahead = one.by.empty()
                                  ? "add." + type + to + from + ", " + many
                                  : "mad.lo." + type + to + std::string(one.by) + ", " + number + ", " + from;
    return ahead + ";\n" + (one.is_down ? "max." : "min.") + type + to + limit + ", " + one.bound + ";\n";
  }
  // The distance to the bound, or that of so many steps if it is less; up to a multiple of the step. 0 is far away.
  const std::string type = unsigned_type(one);
  const std::uint64_t step = static_cast<std::uint64_t>(one.is_down ? -one.step : one.step);
  const std::string sign = one.is_down ? "sub." : "add.", back = one.is_down ? ", -1;\n" : ", 1;\n";
  std::string text = "sub." + type + to + (one.is_down ? from + ", " + one.bound : one.bound + ", " + from) + ";\n";
  text += "add." + type + to + limit + ", -1;\n";
  text += "min." + type + to + limit + ", " + std::to_string(step * iterations - 1) + ";\n";
  if (step > 1) text += (type == "u64 " ? "or.b64 " : "or.b32 ") + to + limit + ", " + std::to_string(step - 1) + ";\n";
  return text + sign + type + to + from + ", " + limit + ";\n" + "add." + type + to + limit + back;
}

std::string poll_text::strip_end(const strip& one) const {
  std::string text;
  if (one.ends == strip::until::count) {
    text = expanded("sub.u32 %~strip, %~strip, 1;\nsetp.ne.and.u32 %~go, %~strip, 0, ") +
           (one.guard_is_negated ? "!" : "") + std::string(one.guard);
  } else {
    const char* test = one.ends == strip::until::distance ? "ne." : one.is_down ? "gt." : "lt.";
    text = std::string("setp.") + test + std::string(one.type) + expanded(" %~go, ") + std::string(one.tested) + ", " +
           limit_of(one);
  }
  return text + expanded(";\n@%~go bra ") + std::string(one.label) + ";\n";
}

}  // namespace genesys::schedule
