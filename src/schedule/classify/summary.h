// SPDX-License-Identifier: Apache-2.0
// What a function does to memory, its callees included: the result of the analysis of one function, in terms of its
// parameters. verdict.cpp reads the summaries of kernels.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schedule/classify/value.h"
#include "schedule/ptx/ptx_module.h"

namespace genesys::schedule {

// Why a kernel must not be aborted, or not be run again.
struct reason {
  enum class against {
    idempotence,  // running it again without restoring memory may give a wrong result
    preemption,   // aborting it may do harm that restoring memory does not undo
    both,
    nondeterminism  // against idempotence, if the kernel writes at all
  };
  against what = against::both;
  std::string text;
  std::uint32_t line = 0;  // of the PTX
  std::string in;          // the function
};

// Loads, stores and atomics of global memory, or of memory that may be global.
struct access {
  enum class kind { read, write, atomic };
  kind what = kind::read;
  value target;                    // the address
  value stored;                    // what is written
  bool is_global_space = false;    // the instruction says .global
  bool is_written_before = false;  // a read: the same thread has written the same bytes on every path
  std::uint32_t line = 0;
  std::string_view in;  // the function
};

struct summary {
  std::vector<access> accesses;
  std::vector<reason> reasons;
  std::map<std::pair<int, std::uint64_t>, value> results;  // by result and offset
  bool tells_others = false;                               // strong stores, atomics and fences of the scope .sys
  bool reads_memory = false;                               // global or local memory
  bool reads_shared = false;
  bool has_control = false;                 // branches, or writes
  bool waits_if_repeated = false;           // an atomic or a strong load: in a loop of a caller it may wait
  bool shared_is_nondeterministic = false;  // what it leaves in shared memory may differ between runs
};

// Summaries of a module's functions, each made once.
class summaries {
 public:
  explicit summaries(const module& all);
  const module& all() const { return all_; }

  // Null: there is no such function with a body, or it calls itself, or calls are nested too deeply.
  const summary* find(std::string_view name);
  bool has_body(std::string_view name) const { return with_body_.count(name) > 0; }

 private:
  static constexpr int depth_max = 48;

  const module& all_;
  std::unordered_map<std::string_view, const function*> with_body_;
  std::map<std::string_view, summary> done_;
  std::vector<std::string_view> under_way_;
};

// The analysis of one function.
summary summary_of(const function& one, summaries& callees);

}  // namespace genesys::schedule
