// SPDX-License-Identifier: Apache-2.0
// Strings for kernels, and the text of files that kernels wrote. Host code.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "contract.h"

inline contract::on_device<char> on_device_text(const std::string& text) {
  return {contract::shared_runtime(), std::vector<char>(text.c_str(), text.c_str() + text.size() + 1)};
}

inline std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}
