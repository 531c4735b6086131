// SPDX-License-Identifier: Apache-2.0
#include "schedule/program/fatbin.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "schedule/program/elf_sections.h"
#include "schedule/program/lz4_block.h"
#ifdef GENESYS_WITH_ZSTD
#include <zstd.h>
#endif

namespace genesys::schedule {
namespace {

struct container_header {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t bytes;  // of all entries
};
static_assert(sizeof(container_header) == 16);

struct entry_header {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t padded_bytes;  // of the payload
  std::uint32_t packed_bytes;  // of the payload without its padding, if it is compressed
  std::uint32_t options_offset;
  std::uint32_t code_version;
  std::uint32_t architecture;
  std::uint32_t name_offset, name_bytes;
  std::uint64_t flags;
  std::uint64_t reserved;
  std::uint64_t unpacked_bytes;
};
static_assert(sizeof(entry_header) == 64);

constexpr std::uint32_t container_magic = 0xBA55ED50;
constexpr std::uint16_t kind_ptx = 1, kind_cubin = 2;
constexpr std::uint64_t flag_lz4 = 0x2000, flag_zstd = 0x8000;
constexpr std::uint64_t unpacked_bytes_max = std::uint64_t{1} << 30;

template <class layout>
bool read(std::string_view from, layout& into) {
  if (from.size() < sizeof into) return false;
  std::memcpy(&into, from.data(), sizeof into);
  return true;
}

std::optional<std::string> unpack_zstd([[maybe_unused]] std::string_view packed, [[maybe_unused]] std::size_t bytes) {
#ifdef GENESYS_WITH_ZSTD
  std::string result(bytes, '\0');
  const std::size_t got = ZSTD_decompress(result.data(), bytes, packed.data(), packed.size());
  if (!ZSTD_isError(got) && got == bytes) return result;
#endif
  return std::nullopt;
}

void unpack(const entry_header& header, std::string_view payload, fatbin_entry& into) {
  const bool is_zstd = header.flags & flag_zstd, is_lz4 = header.flags & flag_lz4;
  if (!is_zstd && !is_lz4) {
    into.contents = payload;
    return;
  }
  if (header.packed_bytes > payload.size() || header.unpacked_bytes > unpacked_bytes_max) {
    into.problem = "the sizes in its header are wrong";
    return;
  }
  payload = payload.substr(0, header.packed_bytes);
  const auto bytes = static_cast<std::size_t>(header.unpacked_bytes);
  const auto unpacked = is_zstd ? unpack_zstd(payload, bytes) : unpack_lz4_block(payload, bytes);
  if (unpacked) {
    into.contents = *unpacked;
    return;
  }
  into.problem = "it cannot be decompressed";
#ifndef GENESYS_WITH_ZSTD
  if (is_zstd) into.problem = "zstd compressed it, and genesys was built without libzstd-dev";
#endif
}

// The entries of one container.
void read_entries(std::string_view bytes, std::vector<fatbin_entry>& into) {
  while (bytes.size() >= sizeof(entry_header)) {
    entry_header header;
    read(bytes, header);
    if (header.header_bytes < sizeof header || header.header_bytes > bytes.size() ||
        header.padded_bytes > bytes.size() - header.header_bytes) {
      into.push_back({fatbin_entry::kind::other, 0, {}, "an entry of a fatbin is malformed"});
      return;
    }
    fatbin_entry one;
    one.what = header.kind == kind_ptx     ? fatbin_entry::kind::ptx
               : header.kind == kind_cubin ? fatbin_entry::kind::cubin
                                           : fatbin_entry::kind::other;
    one.architecture = header.architecture;
    if (one.what != fatbin_entry::kind::other) {
      unpack(header, bytes.substr(header.header_bytes, header.padded_bytes), one);
    }
    // Padding, and the end of a string in C.
    while (one.what == fatbin_entry::kind::ptx && one.contents.ends_with('\0')) one.contents.pop_back();
    into.push_back(std::move(one));
    bytes.remove_prefix(header.header_bytes + header.padded_bytes);
  }
}

}  // namespace

bool is_fatbin(std::string_view bytes) {
  container_header header;
  return read(bytes, header) && header.magic == container_magic;
}

std::string_view fatbin_at(const void* image) {
  const char* const bytes = static_cast<const char*>(image);
  std::uint32_t magic;  // alone at first: other images may be shorter than a header
  std::memcpy(&magic, bytes, sizeof magic);
  if (magic != container_magic) return {};
  container_header header;
  std::memcpy(&header, bytes, sizeof header);
  return {bytes, header.header_bytes + static_cast<std::size_t>(header.bytes)};
}

std::string only_ptx(std::string_view fatbins) {
  std::string result;
  container_header container;
  while (read(fatbins, container) && container.magic == container_magic && container.header_bytes >= sizeof container &&
         container.header_bytes <= fatbins.size() && container.bytes <= fatbins.size() - container.header_bytes) {
    std::string_view rest = fatbins.substr(container.header_bytes, container.bytes);
    fatbins.remove_prefix(container.header_bytes + container.bytes);
    std::string kept;
    entry_header entry;
    while (read(rest, entry) && entry.header_bytes >= sizeof entry && entry.header_bytes <= rest.size() &&
           entry.padded_bytes <= rest.size() - entry.header_bytes) {
      const std::size_t bytes = entry.header_bytes + entry.padded_bytes;
      if (entry.kind == kind_ptx) kept += rest.substr(0, bytes);
      rest.remove_prefix(bytes);
    }
    if (kept.empty()) continue;
    container.header_bytes = sizeof container;
    container.bytes = kept.size();
    result.append(reinterpret_cast<const char*>(&container), sizeof container).append(kept);
  }
  return result;
}

std::vector<fatbin_entry> entries_of(std::string_view fatbins) {
  std::vector<fatbin_entry> result;
  while (!fatbins.empty()) {
    container_header header;
    if (!read(fatbins, header) || header.magic != container_magic) {
      // Containers are aligned: zeros may stand between them.
      const std::size_t skip = fatbins.find_first_not_of('\0');
      if (skip == fatbins.npos) break;
      if (skip >= 8) {
        fatbins.remove_prefix(skip / 8 * 8);
        continue;
      }
      result.push_back({fatbin_entry::kind::other, 0, {}, "a fatbin begins with other bytes than nvcc writes"});
      break;
    }
    if (header.header_bytes < sizeof header || header.header_bytes > fatbins.size() ||
        header.bytes > fatbins.size() - header.header_bytes) {
      result.push_back({fatbin_entry::kind::other, 0, {}, "a fatbin is cut off"});
      break;
    }
    read_entries(fatbins.substr(header.header_bytes, header.bytes), result);
    fatbins.remove_prefix(header.header_bytes + header.bytes);
  }
  return result;
}

std::vector<fatbin_entry> entries_of_program(std::string_view elf) {
  std::vector<fatbin_entry> result;
  for (const elf_section& section : sections_of(elf)) {
    if (section.name != ".nv_fatbin" && section.name != "__nv_relfatbin") continue;
    std::vector<fatbin_entry> more = entries_of(section.contents);
    std::move(more.begin(), more.end(), std::back_inserter(result));
  }
  return result;
}

std::vector<std::string> kernels_of_cubin(std::string_view cubin) {
  // Each kernel has its parameters in a bank of constants of its own.
  constexpr std::string_view prefix = ".nv.constant0.";
  std::vector<std::string> result;
  for (const elf_section& section : sections_of(cubin)) {
    if (section.name.starts_with(prefix)) result.emplace_back(section.name.substr(prefix.size()));
  }
  return result;
}

}  // namespace genesys::schedule
