// SPDX-License-Identifier: Apache-2.0
// What ptxas makes of a text in PTX, as nvdisasm prints it.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace genesys::schedule {

struct machine_instruction {
  std::string guard;   // `@!P0`, or nothing
  std::string opcode;  // `BRA.DIV`
  std::string rest;    // operands
  int target = -1;     // of branches: an index
};

struct machine_function {
  std::string name;
  std::vector<machine_instruction> code;
};

// Empty: it does not exist here. GENESYS_PTXAS and GENESYS_NVDISASM, or those of the CUDA toolkit.
std::string ptxas_path();
std::string nvdisasm_path();

// For sm_90. Empty if the text does not assemble.
std::vector<machine_function> machine_code(const std::string& ptx);

// Barriers of the block at which a thread waits although other lanes of its warp may wait for it: in a region (BSSY)
// whose end (BSYNC) cannot be reached from the barrier. One line for each.
std::vector<std::string> stuck_lanes(const machine_function& one);

// The opcodes with which it computes with floats: FADD, FMUL, FFMA and those of doubles.
std::string float_operations(const machine_function& one);

}  // namespace genesys::schedule
