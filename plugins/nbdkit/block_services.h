// SPDX-License-Identifier: Apache-2.0
// What the plugin has computed: the services of genesys/services/ on a GPU, or their twins on the CPU. Any thread calls
// it, several at once. Data are whole blocks of block_bytes.
#pragma once

#include <string.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "block_store.h"

namespace genesys::nbd {

using digest = std::array<std::byte, 32>;
using key_bytes = std::vector<std::byte>;

inline void erase(key_bytes& key) {
  if (!key.empty()) explicit_bzero(key.data(), key.size());
  key.clear();
}

class block_services {
 public:
  virtual ~block_services() = default;
  virtual std::string describe() const = 0;
  // AES-XTS; `to` may be `from`. The tweak of a block is its number in 16 bytes, least significant byte first.
  virtual void encrypt(std::span<const std::byte> from, std::span<std::byte> to, u64 first_block) = 0;
  virtual void decrypt(std::span<std::byte> data, u64 first_block) = 0;
  // SHA-256 of each block.
  virtual void digests(std::span<const std::byte> data, std::span<digest> into) = 0;
  // RAID-6. A row is a block of each of `disks` disks; its parity is two blocks, P and Q. `data` are whole rows.
  virtual void parity(std::span<const std::byte> data, u64 disks, std::span<std::byte> into) = 0;
  // Makes the blocks of one or two lost disks again: 0 to disks - 1 have data, then P, then Q.
  virtual void rebuild(std::span<std::byte> data, u64 disks, std::span<std::byte> parity, u64 first, u64 second) = 0;
};

// By OpenSSL and ISA-L. `key` has both halves of an XTS key, or is empty.
std::unique_ptr<block_services> services_on_cpu(const key_bytes& key);

}  // namespace genesys::nbd
