// SPDX-License-Identifier: Apache-2.0
#include "schedule/program/elf_sections.h"

#include <elf.h>

#include <cstring>

namespace genesys::schedule {
namespace {

// True and the bytes at `offset` in `into`, if they lie within `from`.
template <class layout>
bool read(std::string_view from, std::uint64_t offset, layout& into) {
  if (offset > from.size() || from.size() - offset < sizeof into) return false;
  std::memcpy(&into, from.data() + offset, sizeof into);
  return true;
}

std::string_view piece_of(std::string_view of, std::uint64_t offset, std::uint64_t size) {
  if (offset > of.size() || of.size() - offset < size) return {};
  return of.substr(offset, size);
}

std::string_view name_at(std::string_view strings, std::uint64_t offset) {
  if (offset >= strings.size()) return {};
  const std::string_view rest = strings.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

}  // namespace

bool is_elf(std::string_view bytes) {
  return bytes.starts_with(
      "\x7f"
      "ELF");
}

std::vector<elf_section> sections_of(std::string_view elf) {
  std::vector<elf_section> result;
  Elf64_Ehdr header;
  if (!is_elf(elf) || !read(elf, 0, header)) return result;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) return result;
  if (header.e_shentsize != sizeof(Elf64_Shdr)) return result;
  Elf64_Shdr first, names;
  if (!read(elf, header.e_shoff, first)) return result;
  // Files with very many sections keep the number in the first section.
  const std::uint64_t count = header.e_shnum != 0 ? header.e_shnum : first.sh_size;
  const std::uint64_t names_index = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : first.sh_link;
  if (count > elf.size() / sizeof(Elf64_Shdr) || names_index >= count) return result;
  if (!read(elf, header.e_shoff + names_index * sizeof(Elf64_Shdr), names)) return result;
  const std::string_view strings = piece_of(elf, names.sh_offset, names.sh_size);
  for (std::uint64_t i = 0; i < count; ++i) {
    Elf64_Shdr section;
    if (!read(elf, header.e_shoff + i * sizeof section, section)) break;
    const bool has_bytes = section.sh_type != SHT_NOBITS;
    result.push_back({name_at(strings, section.sh_name),
                      has_bytes ? piece_of(elf, section.sh_offset, section.sh_size) : std::string_view{}});
  }
  return result;
}

}  // namespace genesys::schedule
