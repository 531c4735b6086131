// SPDX-License-Identifier: Apache-2.0
// Insertions into a text, at positions of the original.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace genesys::schedule {

class text_edit {
 public:
  explicit text_edit(std::string_view original) : original_(original) {}

  // Insertions at one position keep the order in which they are made, and come before a replacement there.
  void insert(std::uint32_t offset, std::string text) { changes_.push_back({offset, offset, std::move(text)}); }
  void replace(std::uint32_t offset, std::uint32_t end, std::string text) {
    changes_.push_back({offset, end, std::move(text)});
  }
  // The text with all changes. They must not overlap.
  std::string made() const;

 private:
  struct change {
    std::uint32_t offset, end;
    std::string text;
  };
  std::string_view original_;
  std::vector<change> changes_;
};

}  // namespace genesys::schedule
