// SPDX-License-Identifier: Apache-2.0
// Where the variables of a program's module are in device memory. One thread uses an object. CUDA only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/classify/launch_verdict.h"

namespace genesys::schedule {

class variable_addresses {
 public:
  // Of a library that was loaded by cudaLibraryLoadData, or of the one that has this __global__ function.
  static variable_addresses of_library(void* library) { return variable_addresses(library, nullptr); }
  static variable_addresses of_function(const void* entry) { return variable_addresses(nullptr, entry); }

  // By its name in the PTX. None: the driver does not know it; a compiler may have dropped it.
  std::optional<range> find(const std::string& name);

 private:
  variable_addresses(void* library, const void* entry) : library_(library), entry_(entry) {}
  void* library_;  // cudaLibrary_t; null: it is to be found from the function
  const void* entry_;
};

// Stores the addresses into a library's table of them (rewrite/variable_table.h). False: it could not.
bool fill_table(void* library, const std::string& table, const std::vector<range>& variables);

}  // namespace genesys::schedule
