// SPDX-License-Identifier: Apache-2.0
// Compiles the set of literals of services::search, and is its twin on the CPU. Any thread, several at once.
#include "genesys/services/search.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace genesys::services {
namespace {

using namespace detail;

u32 window_at(const u8* at, u64 left, u32 mask) {
  u32 window = 0;
  std::memcpy(&window, at, std::min<u64>(left, sizeof window));
  return window & mask;
}
const u8* bytes_of(const std::string& text) { return reinterpret_cast<const u8*>(text.data()); }

void refuse(const std::string& why) { throw error(error_code::bad_option, "a set of literals to search for: " + why); }

}  // namespace

std::vector<std::uint8_t> compile_search_set(const std::vector<std::string>& literals) {
  if (literals.empty()) refuse("there is no literal");
  if (literals.size() > search_literals_max) refuse("there are more than 4,096 literals");
  search_header header{search_header::magic_value, static_cast<u32>(literals.size()), 4, 0, 0};
  for (const std::string& literal : literals) {
    if (literal.empty()) refuse("a literal is empty");
    if (literal.size() > search_literal_bytes_max) refuse("a literal has more than 255 bytes");
    header.window = std::min(header.window, static_cast<u32>(literal.size()));
    header.text_bytes += static_cast<u32>(literal.size());
  }
  const u32 mask = search_mask_of(header.window);
  const auto hash_of = [&](u32 i) { return search_hash(window_at(bytes_of(literals[i]), literals[i].size(), mask)); };
  std::vector<u32> order(literals.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](u32 a, u32 b) { return search_bucket_of(hash_of(a)) < search_bucket_of(hash_of(b)); });

  const auto tables = std::make_unique<search_tables>();
  std::vector<search_entry> entries;
  std::string text;
  for (const u32 number : order) {
    const u32 hash = hash_of(number);
    tables->filter[search_word_of(hash)] |= search_bits_of(hash);
    ++tables->index[search_bucket_of(hash) + 1];
    entries.push_back({window_at(bytes_of(literals[number]), literals[number].size(), mask), number,
                       static_cast<u32>(text.size()), static_cast<u32>(literals[number].size())});
    text += literals[number];
  }
  std::partial_sum(tables->index, tables->index + search_buckets + 1, tables->index);

  std::vector<std::uint8_t> set((search_entries_at + entries.size() * sizeof(search_entry) + text.size() + 7) / 8 * 8);
  u8* to = set.data();
  const auto append = [&](const void* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
    to += bytes;
  };
  append(&header, sizeof header);
  append(tables.get(), sizeof *tables);
  append(entries.data(), entries.size() * sizeof(search_entry));
  append(text.data(), text.size());
  return set;
}

long search::on_cpu(const arguments& with, unsigned) const {
  search_view set;
  if (!is_right(with, set)) return -EINVAL;
  const u64 pieces = pieces_of(with.from.bytes, with.piece_bytes);
  const u8* const from = static_cast<const u8*>(with.from.data);
  const search_tables& tables = set.tables();
  u64 all = 0;
  for (u64 piece = 0; piece < pieces; ++piece) {
    const u64 begins = piece * with.piece_bytes,
              ends = begins + bytes_of_piece(with.from.bytes, with.piece_bytes, piece);
    u64 count = 0;
    for (u64 position = begins; position < ends; ++position) {
      const u64 left = with.from.bytes - position;
      u32 window = 0;
      if (left >= sizeof window) {
        std::memcpy(&window, from + position, sizeof window);
        window &= set.mask;
      } else {
        window = window_at(from + position, left, set.mask);
      }
      const u32 hash = search_hash(window), bits = search_bits_of(hash);
      if ((tables.filter[search_word_of(hash)] & bits) != bits) continue;
      search_at(
          set, tables.index, set.entries(), window, left, [&](u32 k) { return from[position + k]; },
          [&](u32 number, u32 length) {
            if (count < with.hits_each) {
              static_cast<search_hit*>(with.hits.data)[piece * with.hits_each + count] = {position, number, length};
            }
            ++count;
          });
    }
    static_cast<u64*>(with.counts.data)[piece] = count;
    all += count;
  }
  return static_cast<long>(all);
}

}  // namespace genesys::services
