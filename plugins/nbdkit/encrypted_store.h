// SPDX-License-Identifier: Apache-2.0
// A layer that encrypts each block with AES-XTS, as dm-crypt does with aes-xts-plain64, sector_size:4096 and
// iv_large_sectors. It keeps nothing itself: after a crash a block is as torn as the layer below leaves it.
#pragma once

#include <memory>

#include "block_services.h"

namespace genesys::nbd {

class encrypted_store final : public block_store {
 public:
  // `discards`: trims go to the layer below. They show which blocks are unused.
  encrypted_store(std::unique_ptr<block_store> below, block_services& by, bool discards)
      : below_(std::move(below)), by_(by), discards_(discards) {}

  u64 bytes() const override { return below_->bytes(); }
  u64 granule_bytes() const override { return below_->granule_bytes(); }
  void read(u64 offset, std::span<std::byte> into) override;
  void write(u64 offset, std::span<const std::byte> from) override;
  void zero(u64 offset, u64 bytes, bool gives_back) override;
  void trim(u64 offset, u64 bytes) override;
  void flush() override { below_->flush(); }
  void close() override { below_->close(); }

 private:
  std::unique_ptr<block_store> below_;
  block_services& by_;
  const bool discards_;
};

}  // namespace genesys::nbd
