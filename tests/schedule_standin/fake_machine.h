// SPDX-License-Identifier: Apache-2.0
// Behaviours that make the fake driver load modules and "launch" their kernels: a launch is noted with its arguments.
// Any machine code has the kernels `machine_code` and `more_machine_code`, without parameters. Memory of the device is
// memory of the test. A kernel with polls tests its flag at the entry, and leaves.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "support.h"

namespace genesys::schedule::standin::tests {

struct machine_launch {
  std::string kernel;
  bool has_polls = false;  // it is a kernel of a library that the stand-in has loaded
  bool has_left = false;   // its flag was raised
  std::vector<std::byte> arguments;
  unsigned grid = 0, block = 0, shared_bytes = 0;
  CUstream stream = nullptr;
  std::string by;  // the driver's function, and `extra` if the arguments came in a buffer
  unsigned attributes = 0;
};

class fake_machine {
 public:
  // Sets the behaviours. One at a time; reset() ends it.
  fake_machine();

  std::vector<machine_launch> launches;
  std::set<CUstream> captured;        // streams in capture
  std::vector<std::string> unloaded;  // `library` or `module`
  bool compiles = true;               // what the stand-in gives to the driver to compile
  std::string refused;                // no text with this in it is compiled; empty: all are
  unsigned architecture = 90;
  std::vector<std::string> attributes_set;  // of kernels: `polls 8 1000`

  virtual ~fake_machine() = default;

 protected:
  struct function {
    std::string name;
    bool has_polls = false;
    std::vector<parameter> parameters;
    std::uint32_t bytes = 0;
  };
  struct loaded {
    bool is_library = false, has_polls = false;
    std::vector<std::unique_ptr<function>> functions;
  };

  // The arguments of a call of cuLaunchKernel, and the shape.
  static machine_launch launch_of(const arguments& given, const function& what);

 private:
  unsigned load(const arguments& given, bool is_library);
  unsigned find(const arguments& given);
  unsigned parameter_info(const arguments& given) const;
  unsigned launch(const char* by, const function& what, const machine_launch& shape, void** parameters, void** extra);
  void on_memory();
  void on_modules();
  void on_launches();

  std::mutex changing_;  // of the lists; launches and loads may come from several threads
  std::vector<std::unique_ptr<loaded>> modules_;
  std::vector<std::unique_ptr<std::byte[]>> memory_;
};

}  // namespace genesys::schedule::standin::tests
