// SPDX-License-Identifier: Apache-2.0
// The plugin's services by OpenSSL and ISA-L, on nbdkit's threads.
#include <openssl/sha.h>

#if GENESYS_WITH_ISAL
#include <isa-l/erasure_code.h>
#include <isa-l/raid.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "block_services.h"
#include "service/xts_by_openssl.h"

namespace genesys::nbd {
namespace {

class cpu_services final : public block_services {
 public:
  explicit cpu_services(const key_bytes& key) : key_(key) {}
  ~cpu_services() override { erase(key_); }

  std::string describe() const override { return "OpenSSL and ISA-L on the CPU"; }

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

#if GENESYS_WITH_ISAL
  // ISA-L wants blocks at multiples of 32 bytes.
  void parity(std::span<const std::byte> data, u64 disks, std::span<std::byte> into) override {
    std::vector<aligned_block> blocks(disks + 2);
    std::vector<void*> at;
    for (aligned_block& one : blocks) at.push_back(one.bytes.data());
    for (u64 row = 0; row * disks * block_bytes < data.size(); ++row) {
      for (u64 i = 0; i < disks; ++i) copy(blocks[i].bytes, data.subspan((row * disks + i) * block_bytes, block_bytes));
      if (pq_gen(static_cast<int>(at.size()), static_cast<int>(block_bytes), at.data()) != 0)
        fail(EIO, "ISA-L has failed");
      for (u64 i = 0; i < 2; ++i) copy(into.subspan((row * 2 + i) * block_bytes, block_bytes), blocks[disks + i].bytes);
    }
  }

  // Solves the equations of P (all weights 1) and Q (weights 2^i) for the lost blocks.
  void rebuild(std::span<std::byte> data, u64 disks, std::span<std::byte> parity, u64 first, u64 second) override {
    const u64 all = disks + 2, lost_count = first == second ? 1 : 2;
    std::vector<unsigned char> weights(all * disks), kept, inverse(disks * disks), wanted;
    gf_gen_rs_matrix(weights.data(), static_cast<int>(all), static_cast<int>(disks));
    std::vector<u64> from;
    for (u64 i = 0; i < all && from.size() < disks; ++i) {
      if (i == first || i == second) continue;
      from.push_back(i);
      kept.insert(kept.end(), weights.begin() + i * disks, weights.begin() + (i + 1) * disks);
    }
    if (gf_invert_matrix(kept.data(), inverse.data(), static_cast<int>(disks)) != 0) fail(EIO, "no way to rebuild");
    const u64 lost[2] = {first, second};
    for (u64 n = 0; n < lost_count; ++n) {
      for (u64 column = 0; column < disks; ++column) {  // row `lost` of weights * inverse
        unsigned char sum = 0;
        for (u64 i = 0; i < disks; ++i) sum ^= gf_mul(weights[lost[n] * disks + i], inverse[i * disks + column]);
        wanted.push_back(sum);
      }
    }
    std::vector<unsigned char> tables(32 * disks * lost_count);
    ec_init_tables(static_cast<int>(disks), static_cast<int>(lost_count), wanted.data(), tables.data());
    for (u64 row = 0; row * disks * block_bytes < data.size(); ++row) {
      const auto block = [&](u64 i) {
        std::byte* const at = i < disks ? data.data() + (row * disks + i) * block_bytes
                                        : parity.data() + (row * 2 + i - disks) * block_bytes;
        return reinterpret_cast<unsigned char*>(at);
      };
      std::vector<unsigned char*> sources, targets;
      for (const u64 i : from) sources.push_back(block(i));
      for (u64 n = 0; n < lost_count; ++n) targets.push_back(block(lost[n]));
      ec_encode_data(static_cast<int>(block_bytes), static_cast<int>(disks), static_cast<int>(lost_count),
                     tables.data(), sources.data(), targets.data());
    }
  }
#else
  void parity(std::span<const std::byte>, u64, std::span<std::byte>) override { fail(ENOSYS, "built without ISA-L"); }
  void rebuild(std::span<std::byte>, u64, std::span<std::byte>, u64, u64) override {
    fail(ENOSYS, "built without ISA-L");
  }
#endif

 private:
  struct alignas(64) aligned_block {
    std::array<std::byte, block_bytes> bytes;
  };
  static void copy(std::span<std::byte> to, std::span<const std::byte> from) {
    std::memcpy(to.data(), from.data(), from.size());
  }

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
