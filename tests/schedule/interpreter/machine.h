// SPDX-License-Identifier: Apache-2.0
// Runs a kernel in PTX: blocks of threads that take turns at random, shared and global memory, barriers, shuffles,
// cp.async and mbarriers. Each thread runs on its own, which allows more orders than a GPU does. It checks what a GPU
// leaves undefined: barriers of two kinds that meet, aligned barriers at which a warp has parted, shuffles with lanes
// that have ended, and threads that wait for ever.
#pragma once

#include <functional>
#include <random>

#include "decoded.h"
#include "memory.h"

namespace genesys::schedule::interpreter {

struct extent {
  unsigned x = 1, y = 1, z = 1;
  unsigned count() const { return x * y * z; }
};

struct launch {
  std::string kernel;
  extent grid, block;
  std::size_t shared_bytes = 0;
  std::vector<std::uint8_t> parameters;
};

struct ended {
  std::uint64_t steps = 0;
  std::uint64_t left_early = 0;  // threads that ended by an `exit` behind the last `ret`
  std::uint64_t threads = 0;
};

class machine {
 public:
  explicit machine(unsigned seed) : random_(seed) {}

  memory& global() { return global_; }
  // Variables of the module get memory, also if another module has variables of these names. The module must outlive
  // the machine's use of it.
  void load(const module& all);
  // The same variables for another text of the same module.
  void use(const module& all);
  std::uint64_t address_of(std::string_view variable) const { return named_.at(std::string(variable)); }
  // Before each turn of a thread, with the number of instructions so far: it may change memory.
  std::function<void(std::uint64_t step)> meanwhile;

  // Throws fault.
  ended run(const launch& one);

 private:
  friend class running_block;
  memory global_{std::uint64_t{1} << 32};
  std::map<std::string, std::uint64_t> named_;
  std::map<int, std::uint64_t> globals_;
  const module* all_ = nullptr;
  std::mt19937 random_;
};

}  // namespace genesys::schedule::interpreter
