// SPDX-License-Identifier: Apache-2.0
// The sections of a 64-bit little-endian ELF file, as programs, libraries and cubins are. Any bytes are accepted.
#pragma once

#include <string_view>
#include <vector>

namespace genesys::schedule {

struct elf_section {
  std::string_view name;
  std::string_view contents;  // empty for sections without bytes in the file
};

bool is_elf(std::string_view bytes);
// Sections that do not lie within the file are left out.
std::vector<elf_section> sections_of(std::string_view elf);

}  // namespace genesys::schedule
