// SPDX-License-Identifier: Apache-2.0
// AES (FIPS 197) of two blocks at a time, bitsliced: for aes.h, and its twin on the CPU. Any lane, and any thread of
// the host.
//
// Word i of the state has bit i of all 32 bytes. Its bit 8r + 2c + b belongs to row r, column c, block b. All steps are
// logic, rotations and shifts by constants: no address and no branch depends on a key or on data, so the time depends
// on neither. (Tables in shared memory would leak through bank conflicts.)
#pragma once

#include "genesys/services/support.h"

namespace genesys::services::detail {

// Two blocks, or a round key twice.
struct aes_words {
  u32 w[8];
};

// Exchanges the bits `mask << by` of a with the bits `mask` of b.
GENESYS_KERNEL void aes_exchange(u32& a, u32& b, u32 mask, u32 by) {
  const u32 differ = (a >> by ^ b) & mask;
  b ^= differ;
  a ^= differ << by;
}
// From bytes to bits, and back: word 2c + b has column c of block b before.
GENESYS_KERNEL void aes_transpose(aes_words& q) {
  GENESYS_UNROLL
  for (u32 i = 0; i < 8; i += 2) aes_exchange(q.w[i], q.w[i + 1], 0x55555555, 1);
  GENESYS_UNROLL
  for (u32 i = 0; i < 4; ++i) aes_exchange(q.w[i % 2 + i / 2 * 4], q.w[i % 2 + i / 2 * 4 + 2], 0x33333333, 2);
  GENESYS_UNROLL
  for (u32 i = 0; i < 4; ++i) aes_exchange(q.w[i], q.w[i + 4], 0x0f0f0f0f, 4);
}
GENESYS_KERNEL aes_words aes_pack(const u32x4& first, const u32x4& second) {
  aes_words q;
  GENESYS_UNROLL
  for (u32 c = 0; c < 4; ++c) q.w[2 * c] = first.w[c], q.w[2 * c + 1] = second.w[c];
  aes_transpose(q);
  return q;
}
GENESYS_KERNEL void aes_unpack(aes_words q, u32x4& first, u32x4& second) {
  aes_transpose(q);
  GENESYS_UNROLL
  for (u32 c = 0; c < 4; ++c) first.w[c] = q.w[2 * c], second.w[c] = q.w[2 * c + 1];
}

// SubBytes: the circuit of Boyar and Peralta, "A small depth-16 circuit for the AES S-box" (2012). x0 is bit 7.
GENESYS_KERNEL void aes_sub_bytes(aes_words& q) {
  const u32 x0 = q.w[7], x1 = q.w[6], x2 = q.w[5], x3 = q.w[4], x4 = q.w[3], x5 = q.w[2], x6 = q.w[1], x7 = q.w[0];
  // Into the basis of the tower of fields.
  const u32 y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2, y1 = t0 ^ x7, y4 = y1 ^ x3;
  const u32 y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8, t1 = x4 ^ y12, y15 = t1 ^ x5, y20 = t1 ^ x1;
  const u32 y6 = y15 ^ x7, y10 = y15 ^ t0, y11 = y20 ^ y9, y7 = x7 ^ y11, y17 = y10 ^ y11, y19 = y10 ^ y8;
  const u32 y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;
  // The inverse.
  const u32 t2 = y12 & y15, t4 = (y3 & y6) ^ t2, t6 = (y4 & x7) ^ t2, t7 = y13 & y16, t9 = (y5 & y1) ^ t7;
  const u32 t11 = (y2 & y7) ^ t7, t12 = y9 & y11, t14 = (y14 & y17) ^ t12, t16 = (y8 & y10) ^ t12;
  const u32 t21 = t4 ^ t14 ^ y20, t22 = t6 ^ t16 ^ y19, t23 = t9 ^ t14 ^ y21, t24 = t11 ^ t16 ^ y18;
  const u32 t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t29 = (t25 & t27) ^ t22, t30 = t23 ^ t24;
  const u32 t33 = ((t22 ^ t26) & t30) ^ t24, t36 = t24 & (t27 ^ t33), t37 = t36 ^ t23 ^ t33;
  const u32 t40 = t25 ^ (t29 & (t27 ^ t36)), t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37;
  const u32 t45 = t42 ^ t41;
  const u32 z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7;
  const u32 z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4;
  const u32 z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;
  // Back, with the affine map.
  const u32 t46 = z15 ^ z16, t48 = z5 ^ z13, t53 = z0 ^ z3, t54 = z6 ^ z7, t57 = z2 ^ z12 ^ t53, t58 = z4 ^ t46;
  const u32 t59 = z3 ^ t54, t62 = z7 ^ z8 ^ t58, t63 = z9 ^ z10 ^ t58, t64 = z4 ^ t59, t65 = z14 ^ t57 ^ t62;
  const u32 t66 = z1 ^ t63, s3 = t53 ^ t66;
  q.w[7] = t59 ^ t63;
  q.w[6] = ~(t64 ^ s3);
  q.w[5] = ~(z16 ^ z17 ^ t64 ^ t65);
  q.w[4] = s3;
  q.w[3] = z2 ^ z5 ^ t66;
  q.w[2] = z10 ^ z11 ^ t65;
  q.w[1] = ~(z12 ^ t48 ^ t62);
  q.w[0] = ~(t48 ^ t46 ^ t57);
}

// The inverse of the affine map of SubBytes. Since SubBytes is that map of the inverse in the field, InvSubBytes is
// SubBytes between two of these.
GENESYS_KERNEL void aes_inverse_affine(aes_words& q) {
  const aes_words from = q;
  GENESYS_UNROLL
  for (u32 i = 0; i < 8; ++i) q.w[i] = from.w[(i + 2) % 8] ^ from.w[(i + 5) % 8] ^ from.w[(i + 7) % 8];
  q.w[0] = ~q.w[0], q.w[2] = ~q.w[2];
}
GENESYS_KERNEL void aes_inverse_sub_bytes(aes_words& q) {
  aes_inverse_affine(q);
  aes_sub_bytes(q);
  aes_inverse_affine(q);
}

// ShiftRows: byte r of a word has row r. Column c gets that of column c + r.
GENESYS_KERNEL void aes_shift_rows(aes_words& q) {
  GENESYS_UNROLL
  for (u32 i = 0; i < 8; ++i) {
    const u32 w = q.w[i];
    q.w[i] = (w & 0x000000ffu) | (w >> 2 & 0x00003f00u) | (w << 6 & 0x0000c000u) | (w >> 4 & 0x000f0000u) |
             (w << 4 & 0x00f00000u) | (w >> 6 & 0x03000000u) | (w << 2 & 0xfc000000u);
  }
}
GENESYS_KERNEL void aes_inverse_shift_rows(aes_words& q) {
  GENESYS_UNROLL
  for (u32 i = 0; i < 8; ++i) {
    const u32 w = q.w[i];
    q.w[i] = (w & 0x000000ffu) | (w << 2 & 0x0000fc00u) | (w >> 6 & 0x00000300u) | (w >> 4 & 0x000f0000u) |
             (w << 4 & 0x00f00000u) | (w << 6 & 0xc0000000u) | (w >> 2 & 0x3f000000u);
  }
}

// All bytes times x, in AES's field.
GENESYS_KERNEL aes_words aes_doubled(const aes_words& q) {
  return {{q.w[7], q.w[0] ^ q.w[7], q.w[1], q.w[2] ^ q.w[7], q.w[3] ^ q.w[7], q.w[4], q.w[5], q.w[6]}};
}
// MixColumns: row r becomes 2 s[r] + 3 s[r+1] + s[r+2] + s[r+3] = 2 t[r] + s[r+1] + t[r+2], where t[r] = s[r] + s[r+1].
GENESYS_KERNEL void aes_mix_columns(aes_words& q) {
  aes_words sum;
  GENESYS_UNROLL
  for (u32 i = 0; i < 8; ++i) sum.w[i] = q.w[i] ^ rotate_right(q.w[i], 8);
  const aes_words twice = aes_doubled(sum);
  GENESYS_UNROLL
  for (u32 i = 0; i < 8; ++i) q.w[i] = twice.w[i] ^ rotate_right(q.w[i], 8) ^ rotate_right(sum.w[i], 16);
}
// MixColumns after 5 s[r] + 4 s[r+2].
GENESYS_KERNEL void aes_inverse_mix_columns(aes_words& q) {
  aes_words sum;
  GENESYS_UNROLL
  for (u32 i = 0; i < 8; ++i) sum.w[i] = q.w[i] ^ rotate_right(q.w[i], 16);
  const aes_words four = aes_doubled(aes_doubled(sum));
  GENESYS_UNROLL
  for (u32 i = 0; i < 8; ++i) q.w[i] ^= four.w[i];
  aes_mix_columns(q);
}

GENESYS_KERNEL void aes_add(aes_words& q, const aes_words& key) {
  GENESYS_UNROLL
  for (u32 i = 0; i < 8; ++i) q.w[i] ^= key.w[i];
}

// `keys` has the round keys, bitsliced: rounds + 1 of them.
GENESYS_KERNEL void aes_encrypt(aes_words& q, const aes_words* keys, u32 rounds) {
  aes_add(q, keys[0]);
  GENESYS_NO_UNROLL
  for (u32 round = 1; round < rounds; ++round) {
    aes_sub_bytes(q);
    aes_shift_rows(q);
    aes_mix_columns(q);
    aes_add(q, keys[round]);
  }
  aes_sub_bytes(q);
  aes_shift_rows(q);
  aes_add(q, keys[rounds]);
}
GENESYS_KERNEL void aes_decrypt(aes_words& q, const aes_words* keys, u32 rounds) {
  aes_add(q, keys[rounds]);
  GENESYS_NO_UNROLL
  for (u32 round = rounds - 1; round != 0; --round) {
    aes_inverse_shift_rows(q);
    aes_inverse_sub_bytes(q);
    aes_add(q, keys[round]);
    aes_inverse_mix_columns(q);
  }
  aes_inverse_shift_rows(q);
  aes_inverse_sub_bytes(q);
  aes_add(q, keys[0]);
}

// --- What XTS and CTR put around the cipher.

// A tweak of XTS times x^count (IEEE 1619, section 5.2): its byte 0 has the lowest powers.
GENESYS_KERNEL void aes_multiply(u64& low, u64& high, u64 count) {
  while (count != 0) {
    const u32 by = static_cast<u32>(count < 56 ? count : 56);  // the powers that leave are reduced at once
    const u64 over = high >> (64 - by);
    high = high << by | low >> (64 - by);
    low = low << by ^ over ^ over << 1 ^ over << 2 ^ over << 7;
    count -= by;
  }
}
GENESYS_KERNEL u32x4 aes_block_of(u64 low, u64 high) {
  return {{static_cast<u32>(low), static_cast<u32>(low >> 32), static_cast<u32>(high), static_cast<u32>(high >> 32)}};
}
// Block `number` of the counter whose first value is `iv`, most significant byte first.
GENESYS_KERNEL u32x4 aes_counter(const u64 (&iv)[2], u64 number) {
  const auto reversed = [](u64 value) {
    return u64{reversed_bytes(static_cast<u32>(value))} << 32 | reversed_bytes(static_cast<u32>(value >> 32));
  };
  const u64 low = reversed(iv[1]) + number, high = reversed(iv[0]) + (low < number ? 1 : 0);
  return aes_block_of(reversed(high), reversed(low));
}
GENESYS_KERNEL void aes_add_block(u32x4& to, const u32x4& other) {
  GENESYS_UNROLL
  for (u32 i = 0; i < 4; ++i) to.w[i] ^= other.w[i];
}

}  // namespace genesys::services::detail
