// SPDX-License-Identifier: Apache-2.0
// The workloads of kernels/workloads.cu in a size that the interpreter runs.
#pragma once

#include "machine.h"

namespace genesys::schedule::interpreter {

struct small_workload {
  std::string name;
  std::vector<launch> launches;  // one after another
};

// Allocates and fills the arrays. The same machine and seed give the same workload.
small_workload make_workload(machine& on, const std::string& name);
std::vector<std::string> workload_names();

}  // namespace genesys::schedule::interpreter
