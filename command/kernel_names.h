// SPDX-License-Identifier: Apache-2.0
// Names of kernels, as `genesys schedule` prints and finds them.
#pragma once

#include <string>

namespace genesys::command {

// In C++; as it is if it is no mangled name.
std::string demangled(const std::string& name);
// Whether the name, mangled or not, has this text in it.
bool is_named(const std::string& name, const std::string& text);

}  // namespace genesys::command
