// SPDX-License-Identifier: Apache-2.0
// A service: AES (FIPS 197) with keys of 128, 192 and 256 bits, in the modes ECB, CTR and XTS (IEEE 1619).
//
// It is bitsliced, and takes the same time for all keys and data (aes_bitslice.h). A thread has two blocks, a warp 64
// in a row. The key crosses the link in its buffer, which is the caller's to erase. A core with AES instructions
// encrypts several GB a second: docs/service-list.md says when this service is worth its way.
#pragma once

#include "genesys/services/aes_bitslice.h"

namespace genesys::services {

enum class aes_mode : u64 { ecb_encrypt, ecb_decrypt, ctr, xts_encrypt, xts_decrypt };

// Writes the round keys of a key of 16, 24 or 32 bytes (FIPS 197, section 5.2): 176, 208 or 240 bytes. Returns how
// many, or 0 for another length. In constant time. For the host, any thread.
u64 aes_expand_key(const void* key, u64 key_bytes, void* round_keys);

struct aes {
  static constexpr const char* name = "aes";
  static constexpr u64 block_bytes = 16, sector_bytes_max = 64u << 10;
  GENESYS_KERNEL static constexpr u64 key_buffer_bytes(u64 rounds, bool is_xts) {
    return (rounds + 1) * block_bytes * (is_xts ? 2 : 1);
  }

  struct arguments {
    service_input from;  // whole blocks of 16 bytes
    service_buffer to;   // as many bytes; may be the same memory
    // The round keys of aes_expand_key(). Of XTS: those for the data, then those for the tweak.
    service_input key;
    u64 mode;              // an aes_mode
    u64 rounds;            // 10, 12, 14 for keys of 128, 192, 256 bits; XTS has no keys of 192 bits
    u64 sector_bytes = 0;  // of XTS: a multiple of 16, at most 65,536; the last sector may be shorter
    u64 first_sector = 0;  // of XTS: its number, from which the tweak is made; the next sector has the next number
    u64 iv[2] = {0, 0};    // of CTR: the first counter as 16 bytes, most significant byte first
  };
  static constexpr service_field fields[] = {{offsetof(arguments, from), service_field::input},
                                             {offsetof(arguments, to), service_field::output},
                                             {offsetof(arguments, key), service_field::input}};
  static constexpr service_member members[] = {
      GENESYS_SERVICE_MEMBER(from),         GENESYS_SERVICE_MEMBER(to),     GENESYS_SERVICE_MEMBER(key),
      GENESYS_SERVICE_MEMBER(mode),         GENESYS_SERVICE_MEMBER(rounds), GENESYS_SERVICE_MEMBER(sector_bytes),
      GENESYS_SERVICE_MEMBER(first_sector), GENESYS_SERVICE_MEMBER(iv)};

  // 0. -EINVAL: the arguments are not as above, `to` is too small, or a buffer is not aligned to 16 bytes.
  GENESYS_KERNEL_OUTLINE long operator()(const service_block& here, const arguments& with) const {
    if (!is_right(with)) return -EINVAL;
    memory& all = scratch<memory>();
    const u32 rounds = static_cast<u32>(with.rounds);
    for (u32 i = thread_rank(); i < (rounds + 1) * (is_xts(with) ? 2 : 1); i += threads_in_block()) {
      const u32x4 key = static_cast<const u32x4*>(with.key.data)[i];
      all.keys[i <= rounds ? i : i - rounds - 1 + keys_max] = detail::aes_pack(key, key);
    }
    sync_block();
    // Each warp has a run of units of 64 blocks.
    const u64 units = (with.from.bytes + unit_bytes - 1) / unit_bytes;
    const u64 warps = u64{here.blocks} * (threads_in_block() / warp_lanes);
    const u64 run = (units + warps - 1) / warps, first = (u64{warp_rank()} * here.blocks + here.block) * run;
    const u64 end = units < first + run ? units : first + run;
    u64 sectors_from = 0, sectors_end = 0;  // whose tweaks are in shared memory
    GENESYS_NO_UNROLL
    for (u64 unit = first; unit < end; ++unit) {
      if (is_xts(with)) {
        const u64 last = unit * unit_blocks + unit_blocks - 1, sector_blocks = with.sector_bytes / block_bytes;
        if (last / sector_blocks >= sectors_end) {
          sectors_from = unit * unit_blocks / sector_blocks;
          sectors_end = sectors_from + tweaks_kept;
          make_tweaks(all, with, rounds, sectors_from);
        }
      }
      crypt(all, with, rounds, unit, sectors_from);
    }
    return 0;
  }

  // The same by OpenSSL, if genesys::services has it. Any thread.
  long on_cpu(const arguments& with, unsigned blocks) const;

  GENESYS_KERNEL static bool is_xts(const arguments& with) {
    return with.mode >= static_cast<u64>(aes_mode::xts_encrypt);
  }
  GENESYS_KERNEL static bool is_right(const arguments& with) {
    if (with.mode > static_cast<u64>(aes_mode::xts_decrypt)) return false;
    if (with.rounds != 10 && with.rounds != 14 && (with.rounds != 12 || is_xts(with))) return false;
    if (is_xts(with) &&
        (with.sector_bytes == 0 || with.sector_bytes % block_bytes != 0 || with.sector_bytes > sector_bytes_max))
      return false;
    return with.from.bytes % block_bytes == 0 && with.to.bytes >= with.from.bytes &&
           is_usable(with.from.data, with.from.bytes, 16) && is_usable(with.to.data, with.from.bytes, 16) &&
           is_usable(with.key.data, 1, 16) && with.key.bytes >= key_buffer_bytes(with.rounds, is_xts(with));
  }

 private:
  static constexpr u32 unit_blocks = 2 * warp_lanes, unit_bytes = unit_blocks * 16, keys_max = 15, warps_max = 32;
  static constexpr u32 tweaks_kept = 2 * warp_lanes;
  struct memory {
    detail::aes_words keys[2 * keys_max];  // for the data, for the tweak
    u64 tweaks[warps_max][tweaks_kept][2];
  };

  // By a warp: the tweaks of the sectors from `first` on, counted from the request's first one.
  GENESYS_KERNEL static void make_tweaks(memory& all, const arguments& with, u32 rounds, u64 first) {
    const u64 number = with.first_sector + first + lane();
    u32x4 low = detail::aes_block_of(number, 0), high = detail::aes_block_of(number + warp_lanes, 0);
    detail::aes_words q = detail::aes_pack(low, high);
    detail::aes_encrypt(q, all.keys + keys_max, rounds);
    detail::aes_unpack(q, low, high);
    sync_warp();  // all lanes have used the tweaks before
    for (u32 i = 0; i < 2; ++i) {
      const u32x4& tweak = i == 0 ? low : high;
      u64(&to)[2] = all.tweaks[warp_rank()][lane() + i * warp_lanes];
      to[0] = tweak.w[0] | u64{tweak.w[1]} << 32;
      to[1] = tweak.w[2] | u64{tweak.w[3]} << 32;
    }
    sync_warp();
  }
  GENESYS_KERNEL static u32x4 tweak_of(const memory& all, const arguments& with, u64 block, u64 sectors_from) {
    const u64 sector_blocks = with.sector_bytes / block_bytes, sector = block / sector_blocks;
    const u64(&tweak)[2] = all.tweaks[warp_rank()][(sector - sectors_from) % tweaks_kept];
    u64 low = tweak[0], high = tweak[1];
    detail::aes_multiply(low, high, block % sector_blocks);
    return detail::aes_block_of(low, high);
  }

  // By a warp.
  GENESYS_KERNEL static void crypt(const memory& all, const arguments& with, u32 rounds, u64 unit, u64 sectors_from) {
    const auto mode = static_cast<aes_mode>(with.mode);
    const u64 blocks = with.from.bytes / block_bytes;
    const u64 at[2] = {unit * unit_blocks + lane(), unit * unit_blocks + lane() + warp_lanes};
    u32x4 data[2], around[2];
    GENESYS_UNROLL
    for (u32 i = 0; i < 2; ++i) {
      data[i] = around[i] = u32x4{{0, 0, 0, 0}};
      if (at[i] < blocks) data[i] = static_cast<const u32x4*>(with.from.data)[at[i]];
      if (is_xts(with)) {
        around[i] = tweak_of(all, with, at[i], sectors_from);
        detail::aes_add_block(data[i], around[i]);
      } else if (mode == aes_mode::ctr) {
        around[i] = data[i];
        data[i] = detail::aes_counter(with.iv, at[i]);
      }
    }
    detail::aes_words q = detail::aes_pack(data[0], data[1]);
    if (mode == aes_mode::ecb_decrypt || mode == aes_mode::xts_decrypt) {
      detail::aes_decrypt(q, all.keys, rounds);
    } else {
      detail::aes_encrypt(q, all.keys, rounds);
    }
    detail::aes_unpack(q, data[0], data[1]);
    GENESYS_UNROLL
    for (u32 i = 0; i < 2; ++i) {
      detail::aes_add_block(data[i], around[i]);
      if (at[i] < blocks) static_cast<u32x4*>(with.to.data)[at[i]] = data[i];
    }
  }
};

}  // namespace genesys::services
