// SPDX-License-Identifier: Apache-2.0
// Two services: the P and Q of RAID-6 for many stripes, and the strips of one or two failed disks made again.
//
// A stripe is `disks` strips of data in a row in one buffer, and its P and Q in a row in another one. Each thread has
// 16 bytes of all strips of a stripe, so that a warp reads whole lines of each strip.
#pragma once

#include "genesys/services/raid6_field.h"

namespace genesys::services {

namespace detail {

// The bytes at one position of all strips of a stripe.
struct raid6_column {
  u32x4 *data, *parity;
  u64 stride;  // from one strip to the next, in units of 16 bytes

  // p and q of the data but for the disks `first` and `second`.
  GENESYS_KERNEL void sum(u64 disks, u64 first, u64 second, u32x4& p, u32x4& q) const {
    p = q = u32x4{{0, 0, 0, 0}};
    constexpr u32 at_once = 4;  // loads under way together
    GENESYS_NO_UNROLL
    for (u64 end = disks; end != 0;) {
      const u32 count = end < at_once ? static_cast<u32>(end) : at_once;
      u32x4 loaded[at_once];
      GENESYS_UNROLL
      for (u32 i = 0; i < at_once; ++i) {
        const u64 disk = end - 1 - i;
        loaded[i] = i < count && disk != first && disk != second ? data[disk * stride] : u32x4{{0, 0, 0, 0}};
      }
      GENESYS_UNROLL
      for (u32 i = 0; i < at_once; ++i) {
        if (i >= count) break;
        GENESYS_UNROLL
        for (u32 k = 0; k < 4; ++k) {
          p.w[k] ^= loaded[i].w[k];
          q.w[k] = raid6_doubled(q.w[k]) ^ loaded[i].w[k];
        }
      }
      end -= count;
    }
  }
};

// What both services check and divide.
struct raid6_stripes {
  u64 strip_bytes, disks, columns, stripes;

  GENESYS_KERNEL bool open(const void* data, u64 data_bytes, const void* parity, u64 parity_bytes) {
    if (disks < 2 || disks > 255 || strip_bytes == 0 || strip_bytes % 16 != 0 || strip_bytes > u64{1} << 40)
      return false;
    const u64 stripe_bytes = strip_bytes * disks;
    stripes = data_bytes / stripe_bytes;
    columns = strip_bytes / 16;
    return data_bytes % stripe_bytes == 0 && is_usable(data, data_bytes, 16) && is_usable(parity, stripes, 16) &&
           fits(stripes, 2 * strip_bytes, parity_bytes);
  }
  // Calls `of(column)` for this thread's share.
  template <class F>
  GENESYS_KERNEL void each(const service_block& here, void* data, void* parity, const F& of) const {
    for (u64 i = here.thread(); i < stripes * columns; i += here.threads()) {
      const u64 stripe = i / columns, at = i % columns;
      of(raid6_column{static_cast<u32x4*>(data) + stripe * disks * columns + at,
                      static_cast<u32x4*>(parity) + stripe * 2 * columns + at, columns});
    }
  }
};

}  // namespace detail

struct raid6 {
  static constexpr const char* name = "raid6";

  struct arguments {
    service_input data;     // whole stripes
    service_buffer parity;  // P and Q of each stripe
    u64 strip_bytes;        // a multiple of 16
    u64 disks;              // of data: 2 to 255
  };
  static constexpr service_field fields[] = {{offsetof(arguments, data), service_field::input},
                                             {offsetof(arguments, parity), service_field::output}};
  static constexpr service_member members[] = {GENESYS_SERVICE_MEMBER(data), GENESYS_SERVICE_MEMBER(parity),
                                               GENESYS_SERVICE_MEMBER(strip_bytes), GENESYS_SERVICE_MEMBER(disks)};

  // 0. -EINVAL: the arguments are not as above, the parity does not fit, or a buffer is not aligned to 16 bytes.
  GENESYS_KERNEL_OUTLINE long operator()(const service_block& here, const arguments& with) const {
    detail::raid6_stripes all{with.strip_bytes, with.disks, 0, 0};
    if (!all.open(with.data.data, with.data.bytes, with.parity.data, with.parity.bytes)) return -EINVAL;
    all.each(here, const_cast<void*>(with.data.data), with.parity.data, [&](const detail::raid6_column& column) {
      u32x4 p, q;
      column.sum(with.disks, with.disks, with.disks, p, q);
      column.parity[0] = p;
      column.parity[column.stride] = q;
    });
    return 0;
  }

  // The same by ISA-L, if genesys::services has it. Any thread.
  long on_cpu(const arguments& with, unsigned blocks) const;
};

struct raid6_rebuild {
  static constexpr const char* name = "raid6-rebuild";

  struct arguments {
    service_buffer data, parity;  // as above; the strips of the failed disks are written
    u64 strip_bytes, disks;
    u64 first, second;  // the failed disks: 0 to disks - 1 have data, then P, then Q. Twice the same: only one
  };
  static constexpr service_field fields[] = {{offsetof(arguments, data), service_field::both},
                                             {offsetof(arguments, parity), service_field::both}};
  static constexpr service_member members[] = {GENESYS_SERVICE_MEMBER(data),        GENESYS_SERVICE_MEMBER(parity),
                                               GENESYS_SERVICE_MEMBER(strip_bytes), GENESYS_SERVICE_MEMBER(disks),
                                               GENESYS_SERVICE_MEMBER(first),       GENESYS_SERVICE_MEMBER(second)};

  // 0. -EINVAL: the arguments are not as above.
  GENESYS_KERNEL_OUTLINE long operator()(const service_block& here, const arguments& with) const {
    detail::raid6_stripes all{with.strip_bytes, with.disks, 0, 0};
    if (!is_right(with, all)) return -EINVAL;
    const u64 disks = with.disks, first = with.first < with.second ? with.first : with.second,
              second = with.first < with.second ? with.second : with.first;
    const detail::raid6_weights weights = detail::raid6_weights_of(disks, first, second);
    const u32 weight = power_of(first, disks);
    all.each(here, with.data.data, with.parity.data, [&](const detail::raid6_column& column) {
      u32x4 p, q, one{{0, 0, 0, 0}}, other{{0, 0, 0, 0}};
      column.sum(disks, first, second, p, q);
      const bool has_p = first != disks && second != disks, has_q = second != disks + 1;
      if (first < disks) {
        const u32x4 zero{{0, 0, 0, 0}};
        const u32x4 given_p = has_p ? column.parity[0] : zero, given_q = has_q ? column.parity[column.stride] : zero;
        GENESYS_UNROLL
        for (u32 k = 0; k < 4; ++k) {
          const u32 missing = given_p.w[k] ^ p.w[k];
          one.w[k] =
              detail::raid6_product(missing, weights.by_p) ^ detail::raid6_product(given_q.w[k] ^ q.w[k], weights.by_q);
          other.w[k] = missing ^ one.w[k];
        }
        column.data[first * column.stride] = one;
        if (second < disks && second != first) column.data[second * column.stride] = other;
      }
      // A parity that is missing, from all data.
      if (!has_p) {
        GENESYS_UNROLL
        for (u32 k = 0; k < 4; ++k) p.w[k] ^= one.w[k];
        column.parity[0] = p;
      }
      if (!has_q) {
        GENESYS_UNROLL
        for (u32 k = 0; k < 4; ++k) q.w[k] ^= detail::raid6_product(one.w[k], weight);
        column.parity[column.stride] = q;
      }
    });
    return 0;
  }

  // The same on the CPU. Any thread.
  long on_cpu(const arguments& with, unsigned blocks) const;

  GENESYS_KERNEL static bool is_right(const arguments& with, detail::raid6_stripes& all) {
    return all.open(with.data.data, with.data.bytes, with.parity.data, with.parity.bytes) &&
           with.first < with.disks + 2 && with.second < with.disks + 2;
  }
  // The weight of a data strip in Q.
  GENESYS_KERNEL static u32 power_of(u64 disk, u64 disks) {
    return disk < disks ? detail::raid6_power(2, static_cast<u32>(disk)) : 0;
  }
};

}  // namespace genesys::services
