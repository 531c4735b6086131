// SPDX-License-Identifier: Apache-2.0
// Takes declarations of variables out of a text in PTX.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace genesys::schedule {

// Without the declarations of those of `candidates` that nothing else in the text names. Debug information may name
// anything, so a text that has it stays as it is.
std::string without_unnamed(std::string_view ptx, const std::set<std::string>& candidates);

}  // namespace genesys::schedule
