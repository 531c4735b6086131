// SPDX-License-Identifier: Apache-2.0
// The plugin's services by OpenSSL, on nbdkit's threads.
#include <openssl/sha.h>

#include <cerrno>
#include <cstring>

#include "block_services.h"
#include "service/xts_by_openssl.h"

namespace genesys::nbd {
namespace {

class cpu_services final : public block_services {
 public:
  explicit cpu_services(const key_bytes& key) : key_(key) {}
  ~cpu_services() override { explicit_bzero(key_.data(), key_.size()); }

  std::string describe() const override { return "OpenSSL on the CPU"; }

  void encrypt(std::span<const std::byte> from, std::span<std::byte> to, u64 first_block) override {
    if (from.data() != to.data()) std::memcpy(to.data(), from.data(), from.size());
    crypt(to, first_block, true);
  }
  void decrypt(std::span<std::byte> data, u64 first_block) override { crypt(data, first_block, false); }

  void digests(std::span<const std::byte> data, std::span<digest> into) override {
    for (std::size_t i = 0; i < into.size(); ++i) {
      const auto* const from = reinterpret_cast<const unsigned char*>(data.data() + i * block_bytes);
      SHA256(from, block_bytes, reinterpret_cast<unsigned char*>(into[i].data()));
    }
  }

 private:
  void crypt(std::span<std::byte> data, u64 block, bool encrypts) {
    detail::services::xts_by_openssl xts;
    if (!xts.set_key(key_, encrypts)) fail(EIO, "OpenSSL refuses the key");
    for (; !data.empty(); data = data.subspan(block_bytes), ++block) {
      std::array<std::byte, 16> tweak{};
      for (unsigned i = 0; i < 8; ++i) tweak[i] = static_cast<std::byte>(block >> 8 * i);
      if (!xts.run(data.first(block_bytes), tweak)) fail(EIO, "OpenSSL has failed");
    }
  }

  key_bytes key_;
};

}  // namespace

std::unique_ptr<block_services> services_on_cpu(const key_bytes& key) { return std::make_unique<cpu_services>(key); }

}  // namespace genesys::nbd
