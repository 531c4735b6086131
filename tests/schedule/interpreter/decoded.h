// SPDX-License-Identifier: Apache-2.0
// Instructions of PTX in a form that runs fast enough: names are resolved to numbers. Only what the workloads use.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "schedule/ptx/ptx_module.h"

namespace genesys::schedule::interpreter {

enum class code {
  mov,
  add,
  sub,
  mul_lo,
  mul_wide,
  mad_lo,
  mad_wide,
  fma,
  div,
  rem,
  min,
  max,
  neg,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  shl,
  shr,
  setp,
  selp,
  popc,
  cvt,
  ld,
  st,
  atom_add,
  red_add,
  red_max,
  bra,
  ret,
  barrier,
  vote_barrier,
  shfl_down,
  shfl_up,
  vote_any,
  warp_barrier,
  active_mask,
  copy_async,
  commit,
  wait_group,
  wait_all,
  mbarrier_init,
  mbarrier_arrive,
  mbarrier_test,
  fence
};
enum class number_kind { bits, is_unsigned, is_signed, is_float, predicate };
enum class comparison { eq, ne, lt, le, gt, ge };
enum class combination { none, with_and, with_or };

struct number_type {
  number_kind kind = number_kind::bits;
  unsigned bytes = 4;
};

struct source {
  enum class kind { constant, reg, special };
  kind what = kind::constant;
  int reg = 0;
  std::uint64_t value = 0;
  std::string special;
  bool is_negated = false;
};

struct decoded {
  code what = code::fence;
  number_type type, from;  // from: of cvt
  space in = space::generic;
  comparison test = comparison::eq;
  combination combined = combination::none;
  int guard = -1;
  bool guard_is_negated = false;
  std::vector<int> results;     // registers; of loads: each element
  std::vector<source> sources;  // of stores: what is stored
  source address;               // of memory; its register, symbol or parameter
  std::int64_t offset = 0;
  int target = 0;          // of branches
  bool is_aligned = true;  // of barriers
  std::size_t index = 0;   // in the function
};

struct kernel_code {
  const function* of = nullptr;
  std::vector<decoded> body;
  std::size_t registers = 0;
  std::size_t parameter_bytes = 0;
  std::size_t last_return = 0;     // an instrumented kernel has what leaving threads do behind it
  std::uint64_t shared_bytes = 0;  // without the array that the launch adds
};

// Throws std::logic_error for what the interpreter does not know. `globals`: addresses of the module's variables.
kernel_code decode(const module& all, const function& kernel, const std::map<int, std::uint64_t>& globals);

}  // namespace genesys::schedule::interpreter
