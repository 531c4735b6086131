// SPDX-License-Identifier: Apache-2.0
// Where the files are that a build puts beside the programs of the tests: their folder, bin/, may be on another machine
// when they run (./dev gpu-test --binaries DIR).
#pragma once

#include <filesystem>
#include <string>

// `name`: a path below the folder of the program that runs.
inline std::string beside_program(const std::string& name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
}
