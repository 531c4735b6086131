// SPDX-License-Identifier: Apache-2.0
// The daemon's allow list: a file that lets users and groups ask for lower nice values than Linux would.
//
//   user robot nice -10     # -10 and all greater values
//   group gpu nice -5
#pragma once

#include <string>
#include <vector>

#include "schedule/daemon/rights.h"

namespace genesys::schedule::processes {

// Throws std::runtime_error, which names the file, the line, and what was expected.
std::vector<allowed_nice> parse_allow_list(const std::string& text, const std::string& file);
// Throws it also if the file cannot be read, or if others than its owner may write to it.
std::vector<allowed_nice> read_allow_list(const std::string& file);

}  // namespace genesys::schedule::processes
