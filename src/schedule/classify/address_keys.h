// SPDX-License-Identifier: Apache-2.0
// Names for addresses that compare equal only if the addresses are equal. Registers that are computed from thread
// indices, parameters and constants alone never change while a thread runs; equal computations get equal names.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "schedule/ptx/ptx_module.h"

namespace genesys::schedule {

struct address_key {
  int root = -1;            // what the address is computed from; -1: no name
  std::int64_t offset = 0;  // and what is added to that
  // The register of which it is a name, if its value may change. A definition of the register ends the name.
  int changing = no_variable;

  auto operator<=>(const address_key&) const = default;
};

class address_keys {
 public:
  address_keys(const function& one, const module& all);

  address_key of(const operand& address);  // `[%rd1+4]`

 private:
  address_key of_register(int var, int depth);
  address_key of_operand(const operand& one, int depth);
  address_key computed(int var, const instruction& by, int depth);
  address_key changing(int var) { return {root("changes " + std::to_string(var)), 0, var}; }
  int root(const std::string& text);

  const function& one_;
  const module& all_;
  std::vector<int> definitions_;  // how many, by register
  std::vector<int> defined_by_;   // the last one
  std::map<int, address_key> known_;
  std::vector<char> under_way_;
  std::map<std::string, int> roots_;
};

// The registers that an instruction writes, as indices of variables.
std::vector<int> written_registers(const instruction& one);
// Its result depends on its operands alone, in every lane. Special registers among them may differ between runs.
bool is_function_of_operands(const instruction& one);

}  // namespace genesys::schedule
