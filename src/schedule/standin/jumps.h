// SPDX-License-Identifier: Apache-2.0
// The exported functions as machine code: each jumps to an address in a table, with its arguments untouched. Any thread
// of the program runs this code.
#pragma once

#include <cstdint>

#include "schedule/standin/functions.h"

namespace genesys::schedule::standin {

// Arguments of a function that has only been entered: six in registers, then the stack. What is passed in two words, or
// in a vector register, is not an argument in this sense; functions.inc names positions of streams only.
class raw_arguments {
 public:
  explicit raw_arguments(const std::uint64_t* saved) : saved_(saved) {}
  std::uint64_t operator[](unsigned position) const {
    return saved_[position < in_registers ? position : position + number_and_return];
  }

 private:
  static constexpr unsigned in_registers = 6, number_and_return = 2;
  const std::uint64_t* saved_;
};

// In jumps.cpp, as assembly. Each code sequence takes `jump_bytes`.
inline constexpr unsigned jump_bytes = 16;
extern "C" {
// Where the exported functions jump to. The first call of any function fills the table.
extern void* genesys_standin_table[functions_count];
extern const char genesys_standin_exports[functions_count][jump_bytes];
// Calls genesys_standin_ordered before it jumps to the function of the real library.
extern const char genesys_standin_ordered_jumps[functions_count][jump_bytes];

// What the assembly calls; both return where to jump.
void* genesys_standin_bind(unsigned number, const std::uint64_t* saved) noexcept;
void* genesys_standin_ordered(unsigned number, const std::uint64_t* saved) noexcept;
}

// The address that programs see.
inline void* exported(driver_function which) {
  return const_cast<char*>(genesys_standin_exports[static_cast<unsigned>(which)]);
}

}  // namespace genesys::schedule::standin
