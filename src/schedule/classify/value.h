// SPDX-License-Identifier: Apache-2.0
// What the analysis knows of a register: from which pointers its value may be computed. The sum of pointer and index
// keeps both; the join of two paths keeps both as alternatives.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace genesys::schedule {

// Where the value of a pointer may come from.
struct base {
  enum class kind : std::uint8_t {
    parameter,          // a 64-bit word of the kernel's parameters: `index`, `offset` in bytes, a multiple of 8
    formal,             // the same of a .func: stands for what its callers pass
    parameter_address,  // the address of a parameter itself; `index`
    global,             // a variable of the module; `index` in module::variables
    shared,
    local,
    constant,
    loaded,    // read from memory: may point to anything, or be an index
    anything,  // not known at all; no arithmetic makes an index of it
    negated    // no base: a mark that something was subtracted, which may be a pointer
  };
  kind what = kind::loaded;
  std::int32_t index = 0;
  std::uint32_t offset = 0;

  auto operator<=>(const base&) const = default;
};

// How much of the base is in the value.
enum class strength : std::uint8_t {
  half,    // 32 bits of it or fewer: an index, or half of a pointer
  scaled,  // multiplied: an index
  full     // perhaps the pointer
};

struct part {
  base of;
  strength how = strength::full;
  auto operator<=>(const part&) const = default;
};

// A sum of parts, sorted by base, each base once. Without parts: a number.
using term = std::vector<part>;

// Whether something is subtracted that may be a pointer, and added again: p + (q - p) is q, whatever p is. Then what
// looks like an index from memory is none, and what looks like the block's own memory may be another pointer.
bool may_be_difference(const term& one);

// The alternatives, sorted. Without any: no instruction gives a value yet.
struct value {
  std::vector<term> terms;
  // Another run of the same kernel may compute another value, even without an abort.
  bool is_nondeterministic = false;

  bool operator==(const value&) const = default;
};

value number();
value of_base(base from, strength how = strength::full);
value loaded(unsigned bytes);  // read from memory; fewer than 8 bytes are no pointer
value unknown();               // anything; may differ between runs

// Adds the alternatives of `more`. True if that changed anything.
bool join(value& into, const value& more);
value sum(const value& a, const value& b);

value halves(const value& of);  // 32 bits of it
value wholes(const value& of);  // halves put together: each may be a pointer again
value scaled(const value& of, bool also_loaded);

}  // namespace genesys::schedule
