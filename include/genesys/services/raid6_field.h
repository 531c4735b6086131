// SPDX-License-Identifier: Apache-2.0
// The field of RAID-6: bytes, modulo x^8 + x^4 + x^3 + x^2 + 1, with generator 2, as Linux and ISA-L have it (H. P.
// Anvin, "The mathematics of RAID-6"). For raid6.h and its twin. Any lane, and any thread of the host.
#pragma once

#include "genesys/services/support.h"

namespace genesys::services::detail {

// Each byte of the word times 2. T is u32 or u64.
template <class T>
GENESYS_KERNEL T raid6_doubled(T word) {
  constexpr T ones = static_cast<T>(0x0101'0101'0101'0101u);
  return (word << 1 & static_cast<T>(~ones)) ^ (word >> 7 & ones) * 0x1d;
}
// Each byte of the word times `by`, a byte.
template <class T>
GENESYS_KERNEL T raid6_product(T word, u32 by) {
  T sum = 0;
  GENESYS_UNROLL
  for (u32 bit = 8; bit-- > 0;) sum = raid6_doubled(sum) ^ (word & (T{0} - (by >> bit & 1)));
  return sum;
}
GENESYS_KERNEL u32 raid6_power(u32 of, u32 exponent) {
  u32 power = 1;
  GENESYS_NO_UNROLL
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) power = raid6_product(power, of);
    of = raid6_product(of, of);
  }
  return power;
}
GENESYS_KERNEL u32 raid6_inverse(u32 of) { return raid6_power(of, 254); }

// How strips are made again from p, the sum of the data that is there, and q, the same with the weights of Q: the first
// missing data strip is by_p * (P + p) + by_q * (Q + q), and the second one is the rest of P + p.
struct raid6_weights {
  u32 by_p, by_q;
};
GENESYS_KERNEL raid6_weights raid6_weights_of(u64 disks, u64 first, u64 second) {
  if (second == first || second > disks) return {1, 0};  // P is there
  const u32 minus_first = raid6_power(2, static_cast<u32>(255 - first % 255));
  if (second == disks) return {0, minus_first};  // it is not
  const u32 apart = raid6_power(2, static_cast<u32>(second - first)), sum = raid6_inverse(apart ^ 1);
  return {raid6_product(apart, sum), raid6_product(minus_first, sum)};
}

}  // namespace genesys::services::detail
