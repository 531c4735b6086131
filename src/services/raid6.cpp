// SPDX-License-Identifier: Apache-2.0
// The twins of services::raid6 and services::raid6_rebuild on the CPU: P and Q by ISA-L, if the build has it and the
// strips are aligned for it, and loops over words otherwise. Any thread, several at once.
#include "genesys/services/raid6.h"

#if GENESYS_WITH_ISAL
#include <isa-l.h>
#endif

namespace genesys::services {
namespace {

u64 load(const u8* from) {
  u64 word;
  std::memcpy(&word, from, sizeof word);
  return word;
}
void store(u8* to, u64 word) { std::memcpy(to, &word, sizeof word); }

// A part of a strip that stays in the first cache together with those of the other strips.
constexpr u64 part_bytes = 512;

// p and q of one part of the data but for two disks. (Without a branch inside, the compiler makes vectors of it.)
void sum(const u8* data, u64 strip_bytes, u64 disks, u64 first, u64 second, u64 bytes, u8* p, u8* q) {
  std::memset(p, 0, bytes);
  std::memset(q, 0, bytes);
  for (u64 disk = disks; disk-- > 0;) {
    const bool missing = disk == first || disk == second;
    const u8* const from = data + disk * strip_bytes;
    for (u64 i = 0; i < bytes; i += 8) {
      const u64 word = missing ? 0 : load(from + i);
      store(p + i, load(p + i) ^ word);
      store(q + i, detail::raid6_doubled(load(q + i)) ^ word);
    }
  }
}

#if GENESYS_WITH_ISAL
bool by_isal(const raid6::arguments& with, u64 stripes) {
  constexpr u64 unit = 64;
  if (with.strip_bytes % unit != 0 || reinterpret_cast<std::uintptr_t>(with.data.data) % unit != 0 ||
      reinterpret_cast<std::uintptr_t>(with.parity.data) % unit != 0 || with.strip_bytes > u64{1} << 30)
    return false;
  for (u64 stripe = 0; stripe < stripes; ++stripe) {
    void* strips[257];
    for (u64 disk = 0; disk < with.disks; ++disk) {
      strips[disk] =
          static_cast<u8*>(const_cast<void*>(with.data.data)) + (stripe * with.disks + disk) * with.strip_bytes;
    }
    u8* const parity = static_cast<u8*>(with.parity.data) + stripe * 2 * with.strip_bytes;
    strips[with.disks] = parity;
    strips[with.disks + 1] = parity + with.strip_bytes;
    if (pq_gen(static_cast<int>(with.disks) + 2, static_cast<int>(with.strip_bytes), strips) != 0) return false;
  }
  return true;
}
#else
bool by_isal(const raid6::arguments&, u64) { return false; }
#endif

}  // namespace

long raid6::on_cpu(const arguments& with, unsigned) const {
  detail::raid6_stripes all{with.strip_bytes, with.disks, 0, 0};
  if (!all.open(with.data.data, with.data.bytes, with.parity.data, with.parity.bytes)) return -EINVAL;
  if (by_isal(with, all.stripes)) return 0;
  for (u64 stripe = 0; stripe < all.stripes; ++stripe) {
    const u8* const data = static_cast<const u8*>(with.data.data) + stripe * with.disks * with.strip_bytes;
    u8* const parity = static_cast<u8*>(with.parity.data) + stripe * 2 * with.strip_bytes;
    for (u64 at = 0; at < with.strip_bytes; at += part_bytes) {
      const u64 left = with.strip_bytes - at;
      sum(data + at, with.strip_bytes, with.disks, with.disks, with.disks, left < part_bytes ? left : part_bytes,
          parity + at, parity + with.strip_bytes + at);
    }
  }
  return 0;
}

long raid6_rebuild::on_cpu(const arguments& with, unsigned) const {
  detail::raid6_stripes all{with.strip_bytes, with.disks, 0, 0};
  if (!is_right(with, all)) return -EINVAL;
  const u64 disks = with.disks, first = with.first < with.second ? with.first : with.second,
            second = with.first < with.second ? with.second : with.first;
  const detail::raid6_weights weights = detail::raid6_weights_of(disks, first, second);
  const bool has_p = first != disks && second != disks, has_q = second != disks + 1;
  const u32 weight = power_of(first, disks);
  for (u64 stripe = 0; stripe < all.stripes; ++stripe) {
    u8* const data = static_cast<u8*>(with.data.data) + stripe * disks * with.strip_bytes;
    u8* const parity = static_cast<u8*>(with.parity.data) + stripe * 2 * with.strip_bytes;
    for (u64 at = 0; at < with.strip_bytes; at += part_bytes) {
      const u64 bytes = with.strip_bytes - at < part_bytes ? with.strip_bytes - at : part_bytes;
      u8 p[part_bytes], q[part_bytes];
      sum(data + at, with.strip_bytes, disks, first, second, bytes, p, q);
      for (u64 i = 0; i < bytes; i += 8) {
        u8 *const to_p = parity + at + i, *const to_q = to_p + with.strip_bytes;
        u64 one = 0;
        if (first < disks) {
          const u64 missing = (has_p ? load(to_p) : 0) ^ load(p + i);
          one = detail::raid6_product(missing, weights.by_p) ^
                detail::raid6_product((has_q ? load(to_q) : 0) ^ load(q + i), weights.by_q);
          store(data + first * with.strip_bytes + at + i, one);
          if (second < disks && second != first) store(data + second * with.strip_bytes + at + i, missing ^ one);
        }
        if (!has_p) store(to_p, load(p + i) ^ one);
        if (!has_q) store(to_q, load(q + i) ^ detail::raid6_product(one, weight));
      }
    }
  }
  return 0;
}

}  // namespace genesys::services
