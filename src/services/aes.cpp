// SPDX-License-Identifier: Apache-2.0
// The twin of services::aes on the CPU: by OpenSSL if the build has it and the round keys are those of a key, and by
// the service's own code otherwise. Any thread, several at once.
//
// A thread remembers its last key: OpenSSL expands keys itself, which takes longer than a sector of 4 KiB.
#include "genesys/services/aes.h"

#include <algorithm>

#if GENESYS_WITH_OPENSSL
#include <openssl/crypto.h>
#include <openssl/evp.h>
#endif

namespace genesys::services {
namespace {

using detail::aes_words;

// The service's own code, two blocks at a time.
class sliced {
 public:
  explicit sliced(const aes::arguments& with) : with_(with) {
    const u32x4* const keys = static_cast<const u32x4*>(with.key.data);
    const u32 count = static_cast<u32>(with.rounds) + 1;
    for (u32 i = 0; i < count; ++i) keys_[i] = detail::aes_pack(keys[i], keys[i]);
    for (u32 i = 0; aes::is_xts(with) && i < count; ++i) {
      tweak_keys_[i] = detail::aes_pack(keys[count + i], keys[count + i]);
    }
  }
  ~sliced() {
    forget(keys_, sizeof keys_);
    forget(tweak_keys_, sizeof tweak_keys_);
  }
  sliced(const sliced&) = delete;
  sliced& operator=(const sliced&) = delete;

  void run() {
    const u64 blocks = with_.from.bytes / aes::block_bytes;
    for (u64 i = 0; i < blocks; i += 2) two(i, std::min<u64>(2, blocks - i));
  }

 private:
  static void forget(void* memory, std::size_t bytes) {
    std::memset(memory, 0, bytes);
    asm volatile("" : : "r"(memory) : "memory");
  }
  u32x4 tweak_of(u64 block) {
    const u64 sector_blocks = with_.sector_bytes / aes::block_bytes, sector = block / sector_blocks;
    if (sector != sector_) {
      sector_ = sector;
      u32x4 first = detail::aes_block_of(with_.first_sector + sector, 0), second{};
      aes_words q = detail::aes_pack(first, second);
      detail::aes_encrypt(q, tweak_keys_, static_cast<u32>(with_.rounds));
      detail::aes_unpack(q, first, second);
      std::memcpy(tweak_, &first, sizeof first);
    }
    u64 low = tweak_[0], high = tweak_[1];
    detail::aes_multiply(low, high, block % sector_blocks);
    return detail::aes_block_of(low, high);
  }
  void two(u64 at, u64 count) {
    const auto mode = static_cast<aes_mode>(with_.mode);
    u32x4 data[2]{}, around[2]{};
    for (u64 i = 0; i < count; ++i) {
      std::memcpy(&data[i], static_cast<const u8*>(with_.from.data) + (at + i) * aes::block_bytes, sizeof data[i]);
      if (aes::is_xts(with_)) {
        around[i] = tweak_of(at + i);
        detail::aes_add_block(data[i], around[i]);
      } else if (mode == aes_mode::ctr) {
        around[i] = data[i];
        data[i] = detail::aes_counter(with_.iv, at + i);
      }
    }
    aes_words q = detail::aes_pack(data[0], data[1]);
    if (mode == aes_mode::ecb_decrypt || mode == aes_mode::xts_decrypt) {
      detail::aes_decrypt(q, keys_, static_cast<u32>(with_.rounds));
    } else {
      detail::aes_encrypt(q, keys_, static_cast<u32>(with_.rounds));
    }
    detail::aes_unpack(q, data[0], data[1]);
    for (u64 i = 0; i < count; ++i) {
      detail::aes_add_block(data[i], around[i]);
      std::memcpy(static_cast<u8*>(with_.to.data) + (at + i) * aes::block_bytes, &data[i], sizeof data[i]);
    }
  }

  const aes::arguments& with_;
  aes_words keys_[15], tweak_keys_[15];
  u64 sector_ = ~u64{0}, tweak_[2] = {};
};

#if GENESYS_WITH_OPENSSL
// OpenSSL's context for the last mode and key of this thread.
class remembered {
 public:
  remembered() = default;
  ~remembered() {
    OPENSSL_cleanse(round_keys_, sizeof round_keys_);
    EVP_CIPHER_CTX_free(context_);
  }
  remembered(const remembered&) = delete;
  remembered& operator=(const remembered&) = delete;

  // Null: OpenSSL cannot do it, because the round keys are not those of a key, or XTS has the same key twice.
  EVP_CIPHER_CTX* context_for(const aes::arguments& with) {
    const u64 bytes = aes::key_buffer_bytes(with.rounds, aes::is_xts(with));
    u8 wanted[sizeof round_keys_];
    std::memcpy(wanted, with.key.data, bytes);  // once: another process may write it meanwhile
    if (bytes_ != bytes || mode_ != with.mode || CRYPTO_memcmp(wanted, round_keys_, bytes) != 0) {
      bytes_ = bytes;
      mode_ = with.mode;
      std::memcpy(round_keys_, wanted, bytes);
      is_good_ = begin(with.rounds);
    }
    OPENSSL_cleanse(wanted, bytes);
    return is_good_ ? context_ : nullptr;
  }

 private:
  bool begin(u64 rounds) {
    const auto mode = static_cast<aes_mode>(mode_);
    const bool is_xts = mode >= aes_mode::xts_encrypt;
    const u64 key_bytes = (rounds - 6) * 4, half = (rounds + 1) * aes::block_bytes;
    u8 key[64], expanded[240];
    bool good = true;
    for (u64 i = 0; i < (is_xts ? 2 : 1); ++i) {
      std::memcpy(key + i * key_bytes, round_keys_ + i * half, key_bytes);
      good = good && aes_expand_key(key + i * key_bytes, key_bytes, expanded) == half &&
             CRYPTO_memcmp(expanded, round_keys_ + i * half, half) == 0;
    }
    if (context_ == nullptr) context_ = EVP_CIPHER_CTX_new();
    good = good && context_ != nullptr &&
           EVP_CipherInit_ex(context_, cipher_of(mode, key_bytes), nullptr, key, nullptr,
                             mode == aes_mode::ecb_decrypt || mode == aes_mode::xts_decrypt ? 0 : 1) == 1 &&
           EVP_CIPHER_CTX_set_padding(context_, 0) == 1;
    OPENSSL_cleanse(key, sizeof key);
    OPENSSL_cleanse(expanded, sizeof expanded);
    return good;
  }
  static const EVP_CIPHER* cipher_of(aes_mode mode, u64 key_bytes) {
    switch (mode) {
      case aes_mode::ctr:
        return key_bytes == 16 ? EVP_aes_128_ctr() : key_bytes == 24 ? EVP_aes_192_ctr() : EVP_aes_256_ctr();
      case aes_mode::xts_encrypt:
      case aes_mode::xts_decrypt:
        return key_bytes == 16 ? EVP_aes_128_xts() : EVP_aes_256_xts();
      default:
        return key_bytes == 16 ? EVP_aes_128_ecb() : key_bytes == 24 ? EVP_aes_192_ecb() : EVP_aes_256_ecb();
    }
  }

  EVP_CIPHER_CTX* context_ = nullptr;
  u8 round_keys_[480] = {};
  u64 bytes_ = 0, mode_ = 0;
  bool is_good_ = false;
};

// False: OpenSSL refuses the key; nothing is written.
bool by_openssl(const aes::arguments& with, bool& failed) {
  thread_local remembered last;
  EVP_CIPHER_CTX* const context = last.context_for(with);
  if (context == nullptr) return false;
  const u8* from = static_cast<const u8*>(with.from.data);
  u8* to = static_cast<u8*>(with.to.data);
  // OpenSSL counts bytes by int.
  const u64 piece = aes::is_xts(with) ? with.sector_bytes : u64{1} << 30;
  u8 iv[16] = {};
  std::memcpy(iv, with.iv, sizeof iv);
  u64 sector = with.first_sector;
  for (u64 at = 0; at < with.from.bytes && !failed; at += piece, ++sector) {
    if (aes::is_xts(with)) std::memcpy(iv, &sector, sizeof sector);
    const int bytes = static_cast<int>(std::min(piece, with.from.bytes - at));
    int written = 0;
    if ((at == 0 || aes::is_xts(with)) && EVP_CipherInit_ex(context, nullptr, nullptr, nullptr, iv, -1) != 1)
      failed = true;
    if (!failed && (EVP_CipherUpdate(context, to + at, &written, from + at, bytes) != 1 || written != bytes))
      failed = true;
  }
  return true;
}
#else
bool by_openssl(const aes::arguments&, bool&) { return false; }
#endif

}  // namespace

long aes::on_cpu(const arguments& with, unsigned) const {
  if (!is_right(with)) return -EINVAL;
  bool failed = false;
  if (by_openssl(with, failed)) return failed ? -EIO : 0;
  sliced(with).run();
  return 0;
}

}  // namespace genesys::services
