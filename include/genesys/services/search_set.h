// SPDX-License-Identifier: Apache-2.0
// The literals that search.h looks for, compiled: a filter by the hash of a window, buckets, and the literals' bytes,
// in one buffer. The host compiles it; kernels and the twin read it.
//
//   search_header | filter | index of the buckets | entries, by bucket and number | bytes of the literals
//
// A set may come from another process. So who reads it checks each number that it has read before it uses it.
#pragma once

#include <string>
#include <vector>

#include "genesys/services/support.h"

namespace genesys::services {

// Compiles literals of 1 to 255 bytes, at most 4,096 of them; a literal's number is its index. The result belongs into
// memory that the device can read: best device memory, because each block of a request reads it. Throws
// error(bad_option) if there is none, too many, an empty or a longer one. For the host, any thread.
std::vector<std::uint8_t> compile_search_set(const std::vector<std::string>& literals);

namespace detail {

struct search_header {
  static constexpr u64 magic_value = 0x3174'6573'7365'6e67u;
  u64 magic;
  u32 literals, window;  // how many; how many bytes, 1 to 4, of a literal are hashed: at most the shortest one's
  u32 text_bytes, reserved;
};

// A literal, and its first bytes as a number.
struct search_entry {
  u32 window, number, offset, bytes;
};

constexpr u32 search_literals_max = 4096, search_literal_bytes_max = 255;
constexpr u32 search_filter_words = 4096, search_buckets = 1024;
struct search_tables {
  u32 filter[search_filter_words];
  u16 index[search_buckets + 8];  // of the first entry of each bucket, and the end
};
constexpr u64 search_entries_at = sizeof(search_header) + sizeof(search_tables);
static_assert(sizeof(search_header) == 24 && sizeof(search_tables) % 8 == 0 && sizeof(search_entry) == 16);

GENESYS_KERNEL u32 search_hash(u32 window) { return window * 0x9e37'79b1u; }
GENESYS_KERNEL u32 search_word_of(u32 hash) { return hash >> 20; }
GENESYS_KERNEL u32 search_bits_of(u32 hash) { return 1u << (hash >> 15 & 31) | 1u << (hash >> 10 & 31); }
GENESYS_KERNEL u32 search_bucket_of(u32 hash) { return hash >> 22; }
GENESYS_KERNEL u32 search_mask_of(u32 window) { return window >= 4 ? ~0u : (1u << (8 * window)) - 1; }

// A set in its buffer, with the numbers of its header.
struct search_view {
  const u8* data;
  u32 literals, mask, window, text_bytes;

  // False: it is no set, or the buffer is too small for it.
  GENESYS_KERNEL bool open(const service_input& set) {
    if (!is_usable(set.data, 1, 8) || set.bytes < search_entries_at) return false;
    search_header header;
    std::memcpy(&header, set.data, sizeof header);
    data = static_cast<const u8*>(set.data);
    literals = header.literals, window = header.window, text_bytes = header.text_bytes;
    if (header.magic != search_header::magic_value || literals == 0 || literals > search_literals_max || window == 0 ||
        window > 4)
      return false;
    mask = search_mask_of(window);
    return search_entries_at + u64{literals} * sizeof(search_entry) + text_bytes <= set.bytes;
  }
  GENESYS_KERNEL const search_tables& tables() const {
    return *static_cast<const search_tables*>(static_cast<const void*>(data + sizeof(search_header)));
  }
  GENESYS_KERNEL const search_entry* entries() const {
    return static_cast<const search_entry*>(static_cast<const void*>(data + search_entries_at));
  }
  GENESYS_KERNEL const u8* text() const { return data + search_entries_at + u64{literals} * sizeof(search_entry); }
};

// Calls `found(number, bytes)` for each literal that begins with the window and goes on as `byte_at(i)`, its byte i,
// says; in the order of numbers. At most `left` bytes are there.
template <class B, class F>
GENESYS_KERNEL void search_at(const search_view& set, const u16* index, const search_entry* entries, u32 window,
                              u64 left, const B& byte_at, const F& found) {
  const u32 bucket = search_bucket_of(search_hash(window));
  const u32 end = index[bucket + 1] < set.literals ? index[bucket + 1] : set.literals;
  GENESYS_NO_UNROLL
  for (u32 e = index[bucket]; e < end; ++e) {
    const search_entry entry = entries[e];
    if (entry.window != window || entry.bytes > left || entry.bytes > search_literal_bytes_max ||
        entry.bytes < set.window || entry.offset > set.text_bytes || entry.bytes > set.text_bytes - entry.offset)
      continue;
    const u8* const text = set.text() + entry.offset;
    u32 same = set.window;
    while (same < entry.bytes && text[same] == byte_at(same)) ++same;
    if (same >= entry.bytes) found(entry.number, entry.bytes);
  }
}

}  // namespace detail
}  // namespace genesys::services
