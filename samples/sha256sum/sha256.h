// SPDX-License-Identifier: Apache-2.0
// SHA-256 of one block of 64 bytes (FIPS 180-4). Any thread, for itself.
#pragma once

#include <genesys/kernel.h>

using word = unsigned;
GENESYS_KERNEL word right(word x, int by) { return x >> by | x << (32 - by); }

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
GENESYS_KERNEL word constant(int round) {
  constexpr word all[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  return all[round];
}

GENESYS_KERNEL_OUTLINE inline void hash_block(word (&state)[8], const unsigned char* block) {
  word w[64], s[8];
  for (int i = 0; i < 16; ++i) {
    w[i] = word{block[4 * i]} << 24 | word{block[4 * i + 1]} << 16 | word{block[4 * i + 2]} << 8 | block[4 * i + 3];
  }
  for (int i = 16; i < 64; ++i) {
    w[i] = (right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ w[i - 2] >> 10) + w[i - 7] + w[i - 16] +
           (right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ w[i - 15] >> 3);
  }
  for (int i = 0; i < 8; ++i) s[i] = state[i];
  for (int i = 0; i < 64; ++i) {
    const word t1 = s[7] + (right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                    constant(i) + w[i];
    const word t2 =
        (right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (int k = 7; k > 0; --k) s[k] = s[k - 1];
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; ++i) state[i] += s[i];
}
