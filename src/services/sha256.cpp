// SPDX-License-Identifier: Apache-2.0
// The twin of services::sha256 on the CPU, by OpenSSL if the build has it. Any thread, several at once.
#include "genesys/services/sha256.h"

#include <algorithm>

#if GENESYS_WITH_OPENSSL
#include <openssl/evp.h>

#include <memory>
#endif

namespace genesys::services {
namespace {

#if GENESYS_WITH_OPENSSL
struct freed {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

bool hash_each(const sha256::arguments& with, u64 pieces) {
  const std::unique_ptr<EVP_MD_CTX, freed> context(EVP_MD_CTX_new());
  if (context == nullptr || EVP_DigestInit_ex2(context.get(), EVP_sha256(), nullptr) != 1) return false;
  for (u64 i = 0; i < pieces; ++i) {
    const u8* const from = static_cast<const u8*>(with.from.data) + i * with.piece_bytes;
    if (EVP_DigestInit_ex2(context.get(), nullptr, nullptr) != 1 ||
        EVP_DigestUpdate(context.get(), from, bytes_of_piece(with.from.bytes, with.piece_bytes, i)) != 1 ||
        EVP_DigestFinal_ex(context.get(), static_cast<u8*>(with.digests.data) + i * sha256::digest_bytes, nullptr) != 1)
      return false;
  }
  return true;
}
#else
void hash_piece(const u8* from, u64 bytes, void* digests, u64 number) {
  u32 state[8];
  detail::sha256_begin(state);
  const u64 blocks = (bytes + 8) / 64 + 1;
  for (u64 block = 0; block < blocks; ++block) {
    const u64 at = block * 64, left = bytes > at ? std::min<u64>(bytes - at, 64) : 0;
    u8 message[64] = {};
    if (left != 0) std::memcpy(message, from + at, left);
    if (bytes >= at && bytes - at < 64) message[bytes - at] = 0x80;
    u32 w[16];
    std::memcpy(w, message, sizeof w);
    for (u32& word : w) word = reversed_bytes(word);
    if (block + 1 == blocks) {
      w[14] = static_cast<u32>(bytes >> 29);
      w[15] = static_cast<u32>(bytes << 3);
    }
    detail::sha256_block(state, w);
  }
  for (u32& word : state) word = reversed_bytes(word);
  store_digest(digests, number, state);
}

bool hash_each(const sha256::arguments& with, u64 pieces) {
  for (u64 i = 0; i < pieces; ++i) {
    hash_piece(static_cast<const u8*>(with.from.data) + i * with.piece_bytes,
               bytes_of_piece(with.from.bytes, with.piece_bytes, i), with.digests.data, i);
  }
  return true;
}
#endif

}  // namespace

long sha256::on_cpu(const arguments& with, unsigned) const {
  if (!is_right(with)) return -EINVAL;
  const u64 pieces = pieces_of(with.from.bytes, with.piece_bytes);
  return hash_each(with, pieces) ? static_cast<long>(pieces) : -EIO;
}

}  // namespace genesys::services
