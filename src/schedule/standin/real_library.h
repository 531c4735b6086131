// SPDX-License-Identifier: Apache-2.0
// The driver's own libcuda.so.1. Opened once, by the first call of the program; never closed.
#pragma once

#include <string>

#include "schedule/standin/environment.h"

namespace genesys::schedule::standin {

class real_library {
 public:
  // Looks for the library that real_library_variable names, and else in LD_LIBRARY_PATH and the usual folders.
  real_library();

  // Null: there is no library, or it has no such function.
  void* find(const char* function) const;
  bool is_open() const { return handle_ != nullptr; }
  const std::string& path() const { return path_; }
  // Why it is not open.
  const std::string& problem() const { return problem_; }

 private:
  bool open(const std::string& path);

  void* handle_ = nullptr;
  std::string path_, problem_;
};

}  // namespace genesys::schedule::standin
