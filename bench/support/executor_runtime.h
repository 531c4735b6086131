// SPDX-License-Identifier: Apache-2.0
// A runtime whose executor is measured, and what its callers share with the host: pinned memory for what they read and
// write; in device memory the count of wrong results, and the calls that each caller made. The bench's main thread owns
// it and launches on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "genesys/genesys.h"
#include "support/wrongs.h"

namespace baseline {

constexpr unsigned page_bytes = 4096;

class executor_runtime {
 public:
  executor_runtime(const genesys::options& chosen, std::size_t memory_bytes, unsigned callers_max)
      : rt_(chosen),
        memory_(static_cast<char*>(rt_.allocate_arena(memory_bytes + page_bytes))),
        made_(static_cast<unsigned*>(rt_.allocate_device(callers_max * sizeof(unsigned)))) {}
  ~executor_runtime() {
    rt_.free_arena(memory_);
    rt_.free_device(made_);
  }
  executor_runtime(const executor_runtime&) = delete;
  executor_runtime& operator=(const executor_runtime&) = delete;

  genesys::runtime& operator*() { return rt_; }
  genesys::runtime* operator->() { return &rt_; }
  // Whether the runtime has the executor `name`, and not another one in its place.
  bool is(const std::string& name) const { return rt_.describe().find("executor " + name) != std::string::npos; }

  // In the arena, aligned to a page.
  char* memory() const { return memory_ + (-reinterpret_cast<std::uintptr_t>(memory_) & (page_bytes - 1)); }

  unsigned* made() const { return made_; }  // in device memory
  const wrongs& wrong() const { return wrong_; }

  // The calls that each of `callers` callers made. Called after their kernel has ended. Throws if a result was wrong.
  std::vector<unsigned> calls_made(unsigned callers) {
    wrong_.none();
    std::vector<unsigned> made(callers);
    rt_.copy_to_host(made.data(), made_, made.size() * sizeof(unsigned));
    return made;
  }

 private:
  genesys::runtime rt_;
  const wrongs wrong_{rt_};
  char* const memory_;
  unsigned* const made_;
};

}  // namespace baseline
