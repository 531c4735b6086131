// SPDX-License-Identifier: Apache-2.0
// The PTX that measures the time of blocks: it is inserted into one kernel, where it begins and wherever it ends. It
// needs no barrier, no vote and no shared memory, so it is right wherever threads end, together or not.
#pragma once

#include <string>
#include <string_view>

namespace genesys::schedule {

class time_text {
 public:
  // prefix: `genesys_`
  explicit time_text(std::string prefix) : prefix_(std::move(prefix)) {}

  // The declaration of block_times.
  std::string parameter() const;
  static constexpr int declarations = 3;  // statements of entry() that are no instructions
  // Behind the brace that opens the body.
  std::string entry() const;
  // Before an instruction that ends the thread. `unless`: its guard, the other way round (`@!%p1`); empty: none.
  std::string end(std::string_view unless);

 private:
  std::string text(std::string_view of) const;

  std::string prefix_;
  int labels_ = 0;
};

}  // namespace genesys::schedule
