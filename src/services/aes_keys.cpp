// SPDX-License-Identifier: Apache-2.0
// The key expansion of AES (FIPS 197, section 5.2). Any thread, several at once.
#include "genesys/services/aes.h"

namespace genesys::services {
namespace {

// SubBytes of one word, without a table: the key decides nothing but values.
u32 sub_word(u32 word) {
  u32x4 first{{word, 0, 0, 0}}, second{{0, 0, 0, 0}};
  detail::aes_words q = detail::aes_pack(first, second);
  detail::aes_sub_bytes(q);
  detail::aes_unpack(q, first, second);
  return first.w[0];
}

}  // namespace

u64 aes_expand_key(const void* key, u64 key_bytes, void* round_keys) {
  if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32) return 0;
  const u32 key_words = static_cast<u32>(key_bytes / 4), words = (key_words + 7) * 4;
  u32 w[60], constant = 1;
  std::memcpy(w, key, key_bytes);
  for (u32 i = key_words; i < words; ++i) {
    u32 last = w[i - 1];
    if (i % key_words == 0) {
      last = sub_word(rotate_right(last, 8)) ^ constant;
      constant = (constant << 1) ^ (constant >> 7) * 0x11b;
    } else if (key_words == 8 && i % key_words == 4) {
      last = sub_word(last);
    }
    w[i] = w[i - key_words] ^ last;
  }
  std::memcpy(round_keys, w, words * sizeof(u32));
  return words * sizeof(u32);
}

}  // namespace genesys::services
