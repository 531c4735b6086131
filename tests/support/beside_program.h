// SPDX-License-Identifier: Apache-2.0
// Finds files that a build puts beside the programs of the tests. The programs may run on another machine than the one
// that built them (./dev gpu-test --binaries DIR), so they know no path of the build.
#pragma once

#include <filesystem>
#include <string>

// `name`: a path below the folder of the program that runs.
inline std::string beside_program(const std::string& name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
}
