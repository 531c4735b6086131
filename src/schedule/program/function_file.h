// SPDX-License-Identifier: Apache-2.0
// The file of the program or library that has a function, and the PTX that nvcc has put there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/program/fatbin.h"

namespace genesys::schedule {

// The path, as the dynamic linker knows it. Any thread.
std::string file_of_function(const void* function);
// Entries of the file's fatbins; of the program itself if there is no such file. Takes time in proportion to the file.
std::vector<fatbin_entry> entries_of_file(const std::string& path);

}  // namespace genesys::schedule
