// SPDX-License-Identifier: Apache-2.0
// How the decoder prints the arguments of calls: the types of the generated tables (generated/shapes.h). Indexes lead
// from one table to another; -1: nowhere.
#pragma once

#include <cstdint>

#include "genesys/detail/table/call_plan.h"

namespace genesys::trace {

// A way to print a value, or the memory behind a pointer.
enum class shown : std::uint8_t {
  decimal,  // signed
  plain,    // unsigned
  hex,
  wide_hex,  // with all its digits
  octal,     // at least three digits: permissions
  fd,
  dirfd,    // or AT_FDCWD
  address,  // or NULL
  id,       // of a user or group; -1: none
  device,   // makedev(8, 1)
  port,     // big-endian: htons(80)
  flow,     // big-endian: htonl(0)
  inet,     // inet_addr("127.0.0.1")
  inet6,
  text,      // bytes
  path,      // bytes, in full
  nul_text,  // bytes up to a NUL
  escaped,   // bytes, all in hexadecimal
  time,      // seconds since 1970
  ticks,     // of the clock of times()
  limit,     // of a resource
  wait_status,
  sigset,
  fds,       // bits: descriptors
  cpus,      // bits: processors
  words,     // bits: words in hexadecimal
  set,       // by the names of sets[of]
  object,    // structures[of]
  selected,  // as selections[of] says
};

struct shape {
  shown as = shown::decimal;
  std::uint16_t bytes = 0;  // of one value
  std::int16_t of = -1;
  std::uint16_t count = 1;  // more than 1: an array; 0: an array of as many as there are
};

struct set_item {
  const char* name;
  std::int64_t value;
  std::uint64_t mask;  // flags: the bits that have this value
};

struct constant_set {
  const char* unknown;  // what stands behind a value without a name, as a comment; null: nothing
  const set_item* items;
  std::uint16_t count;
  bool is_choice;
  bool octal_rest;
};

// Whether an argument or a field is printed: the one with index `on` has one of these values, or none of them.
struct condition {
  std::int8_t on = -1;
  bool is_negative = false;
  std::uint8_t count = 0;
  struct {
    std::uint64_t mask, value;
  } of[4] = {};
};

struct field {
  const char* name;
  std::uint16_t offset;
  bool more;  // only in full
  shape as;
  condition only = {};
};

struct structure_case {
  std::int64_t value;
  std::int16_t of;
};

struct structure {
  const field* fields;
  std::uint16_t count;
  std::uint16_t bytes;
  std::int8_t selector = -1;  // the field that says whose fields follow
  const structure_case* cases = nullptr;
  std::uint8_t cases_count = 0;
  std::int16_t otherwise = -1;
  bool is_dated = false;  // a time: its date follows as a comment
};

struct selection_case {
  std::int64_t value;
  std::uint64_t mask;  // the bits of the argument that have this value
  shape as;
};

struct selection {
  std::uint8_t arg;  // of the call
  const selection_case* cases;
  std::uint8_t count;
  shape otherwise;
};

// Which memory behind a pointer is printed: as it is after the call; that of before the call; both; after the call, but
// only if the result is no error, or is positive.
enum class printed_when : std::uint8_t { always, before, both, success, positive };

// Of a pointer, `as` is about what it leads to.
struct arg_names {
  const char* name;
  shape as;
  bool is_hidden = false;
  printed_when when = printed_when::always;
  condition only = {};
  const char* constant = nullptr;  // its only value, which selects a variant
};

struct call_names {
  const char* name;
  shape result;
  arg_names args[detail::args_max];
};

}  // namespace genesys::trace
