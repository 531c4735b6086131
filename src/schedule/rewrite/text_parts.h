// SPDX-License-Identifier: Apache-2.0
// A text in PTX as its parts, so that one kernel can be had without the others: a program that uses few kernels of a
// large text then has only these judged, rewritten and compiled.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/ptx/ptx_tokens.h"

namespace genesys::schedule {

class text_parts {
 public:
  // `text` must outlive it. Takes time in proportion to the text.
  explicit text_parts(std::string_view text);

  bool has_kernel(std::string_view name) const { return kernels_.count(name) != 0; }
  std::size_t kernels() const { return kernels_.size(); }
  // The text without other kernels and without debug information, which names what is left out. Functions, variables,
  // and kernels that the text names elsewhere stay: code may launch them. A text that is no PTX stays whole.
  std::string with_only(std::string_view kernel) const;

 private:
  struct part {
    std::uint32_t begin, end;  // in the text
    std::string_view kernel;   // empty: debug information
    bool is_named_elsewhere;
  };
  void add_kernel(const std::vector<token>& tokens, std::size_t at);
  std::string_view text_;
  std::vector<part> parts_;  // what may be left out, by its beginning
  std::set<std::string_view> kernels_;
  bool stays_whole_ = false;
};

}  // namespace genesys::schedule
