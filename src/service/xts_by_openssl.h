// SPDX-License-Identifier: Apache-2.0
// AES-XTS by OpenSSL, in place: what the daemon of the Linux module and the nbdkit plugin compute on the CPU. A program
// that includes this links libcrypto.
#pragma once

#include <openssl/evp.h>

#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace genesys::detail::services {

// Of one thread at a time.
class xts_by_openssl {
 public:
  xts_by_openssl() : context_(EVP_CIPHER_CTX_new()) {
    if (context_ == nullptr) throw std::bad_alloc();
  }

  // `key` has both halves, 32 or 64 bytes; `iv` has 16. False: OpenSSL refuses, as it does equal halves.
  bool set_key(std::span<const std::byte> key, bool encrypts) {
    const EVP_CIPHER* cipher = key.size() == 64 ? EVP_aes_256_xts() : key.size() == 32 ? EVP_aes_128_xts() : nullptr;
    return cipher != nullptr &&
           EVP_CipherInit_ex(context_.get(), cipher, nullptr, bytes(key.data()), nullptr, encrypts ? 1 : 0) == 1;
  }
  bool run(std::span<std::byte> data, std::span<const std::byte, 16> iv) {
    auto* const at = reinterpret_cast<unsigned char*>(data.data());
    int written = 0;
    return EVP_CipherInit_ex(context_.get(), nullptr, nullptr, nullptr, bytes(iv.data()), -1) == 1 &&
           EVP_CipherUpdate(context_.get(), at, &written, at, static_cast<int>(data.size())) == 1 &&
           static_cast<std::size_t>(written) == data.size();
  }

 private:
  static const unsigned char* bytes(const std::byte* from) { return reinterpret_cast<const unsigned char*>(from); }
  struct free_context {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
  };
  std::unique_ptr<EVP_CIPHER_CTX, free_context> context_;
};

}  // namespace genesys::detail::services
