// SPDX-License-Identifier: Apache-2.0
#include "encrypted_store.h"

#include <algorithm>
#include <vector>

namespace genesys::nbd {
namespace {

constexpr u64 zeros_bytes_max = 1 << 20;

}  // namespace

void encrypted_store::read(u64 offset, std::span<std::byte> into) {
  below_->read(offset, into);
  by_.decrypt(into, offset / block_bytes);
}

void encrypted_store::write(u64 offset, std::span<const std::byte> from) {
  std::vector<std::byte> encrypted(from.size());
  by_.encrypt(from, encrypted, offset / block_bytes);
  below_->write(offset, encrypted);
}

// A hole would not read as zeros.
void encrypted_store::zero(u64 offset, u64 bytes, bool) {
  const std::vector<std::byte> zeros(std::min(bytes, zeros_bytes_max));
  for (u64 done = 0; done < bytes; done += zeros.size())
    write(offset + done, std::span(zeros).first(std::min<u64>(zeros.size(), bytes - done)));
}

void encrypted_store::trim(u64 offset, u64 bytes) {
  if (discards_) below_->trim(offset, bytes);
}

}  // namespace genesys::nbd
