// SPDX-License-Identifier: Apache-2.0
// The calls of Linux as the table describes them, for `genesys syscalls` and `genesys man`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace genesys::command {

// How far a kernel can make a call (docs/table-format.md).
enum class call_class { ready, changed, hardware, unsupported };

struct reference {
  const char* name;    // "ioctl$FIONREAD"
  const char* base;    // "ioctl"
  const char* domain;  // the file of the table
  const char* text;    // what it does
  const char* reason;  // changed, hardware, unsupported: how, or why
  const char* paper;   // what the GENESYS papers say, if that is another class
  const char* method;  // as a kernel calls it; empty where it cannot
  const char* notes;   // of its pointers, a line each
  const char* result;  // of a call that succeeds
  call_class in_class;
  int numbers[2];  // on x86-64, arm64; -1: it has none
  int plan;        // its plan_id, or -1

  bool is_callable() const { return plan >= 0; }
};

// All of them; and those with this name: a call of Linux with its variants, or one variant. Empty if Linux 6.18 has no
// such call.
std::span<const reference> all_references();
std::span<const reference> references_of(std::string_view name);
// Names that are similar to this one, best first.
std::vector<std::string> names_like(std::string_view name);

const char* name_of(call_class c);
// The page on one call: what its manual page does not say. Lines have at most 80 columns.
std::string page(std::span<const reference> call);

}  // namespace genesys::command
