// SPDX-License-Identifier: Apache-2.0
// Prints recorded memory behind pointers: structures, arrays, vectors, messages. Used by decode.cpp only. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "trace/decode.h"
#include "trace/print_value.h"

namespace genesys::trace {

// Memory as it was recorded: the first bytes of `total`.
struct recorded_memory {
  byte_span bytes;
  std::uint64_t total = 0;  // 0: unknown
  bool is_cut() const { return total == 0 || bytes.size() < total; }
};

class memory_printer {
 public:
  memory_printer(const decoded_call& call, const detail::call_plan& plan, const decode_options& options)
      : call_(call), plan_(plan), options_(options) {}

  // What was recorded of a part of an argument; null: nothing.
  const argument_data* data_of(unsigned arg, unsigned part) const;
  // What the argument leads to, or its address.
  std::string pointer(unsigned arg, const arg_names& names) const;
  // The shape that a selection chooses for this call.
  shape resolved(shape as) const;
  // Memory of this shape.
  std::string memory(shape as, const recorded_memory& from) const;
  std::string object(const structure& of, const recorded_memory& from) const;

  // How many elements of an array are printed.
  std::uint64_t elements_max() const { return options_.full ? ~std::uint64_t{0} : options_.string_bytes; }

 private:
  bool is_empty(unsigned arg) const;
  std::string dated(const structure& of, const recorded_memory& from) const;
  std::string array(shape as, const recorded_memory& from) const;
  bool fields(const structure& of, const recorded_memory& from, std::string& text, bool& left_out) const;
  std::string field_text(const structure& of, unsigned index, const recorded_memory& from) const;
  std::string string(unsigned arg, unsigned part, bool in_full) const;
  std::string length(unsigned arg, const recorded_memory& from) const;
  std::string vector(unsigned arg, unsigned part, unsigned first, std::uint64_t address, std::uint64_t count,
                     bool is_short) const;
  std::string messages(unsigned arg) const;
  std::string message(unsigned arg, std::uint64_t index, byte_span head) const;
  std::string control(const recorded_memory& from) const;
  std::string bytes_at(unsigned arg, unsigned part, std::uint64_t address, std::uint64_t length) const;

  const decoded_call& call_;
  const detail::call_plan& plan_;
  const decode_options& options_;
};

}  // namespace genesys::trace
