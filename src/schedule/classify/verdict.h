// SPDX-License-Identifier: Apache-2.0
// Whether a kernel can be aborted and run again, from its PTX alone. What depends on the arguments stays open:
// launch_verdict.h completes it when the kernel is launched.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/classify/summary.h"

namespace genesys::schedule {

// A parameter of a kernel, as it lies in the buffer of arguments.
struct parameter {
  std::string name;
  std::uint64_t offset = 0;  // in bytes, from the start of all parameters
  std::uint64_t bytes = 0;
};

// 64 bits of a parameter that may be a pointer, and what the kernel does with it.
struct pointer_use {
  int parameter = 0;          // its position
  std::uint64_t offset = 0;   // in bytes, in the parameter
  bool is_read = false;       // before the same thread has written the same bytes
  bool is_read_back = false;  // after that
  bool is_written = false;
  bool has_atomics = false;
  bool is_index = false;  // taken for a number that is added to a pointer; the launch checks it
};

// Two uses that must not be in one allocation: indices in kernel_verdict::uses.
struct separate {
  int read = 0;
  int written = 0;
};

struct kernel_verdict {
  std::string name;
  std::uint32_t line = 0;
  std::vector<parameter> parameters;
  std::vector<pointer_use> uses;
  std::vector<std::string> symbols_read, symbols_written;  // variables of the module

  // Running it again gives the result of one undisturbed run, if the launch confirms `must_be_separate`.
  bool is_idempotent = false;
  // It can be aborted: what it wrote is known and can be restored, and nobody has seen it meanwhile.
  bool is_preemptible = false;
  // `uses` and `symbols_written` have all that it writes.
  bool is_write_set_known = false;
  // It has stores, atomics or fences that are meant for the host or other kernels while it runs.
  bool tells_others = false;
  std::vector<separate> must_be_separate;
  std::vector<reason> reasons;

  // For the launch: the addresses of all loads of global memory that are not read back, and of all stores and atomics.
  std::vector<term> reads, writes;
};

// The verdicts of all kernels of a module, in their order.
std::vector<kernel_verdict> classify(const module& all);
// Of a text in PTX.
std::vector<kernel_verdict> classify(std::string_view ptx);

}  // namespace genesys::schedule
