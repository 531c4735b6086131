// SPDX-License-Identifier: Apache-2.0
// A layer that keeps the SHA-256 of each block in a file beside the data, and compares it when the block is read. A
// block that differs is EIO. It finds what a disk or a cable has changed; it is no protection against an attacker, who
// can write the digest as well.
//
// The file: a header, the intent log, then 32 bytes for each block: its digest XOR the digest of a block of zeros. So
// the file is sparse where the data are.
//
// A write stores the data, and then the digests. After a crash the two may differ in the regions that the intent log
// names; there the digests are computed anew from the data. So what a disk changed there meanwhile is not found.
#pragma once

#include <memory>

#include "block_services.h"
#include "file.h"
#include "intent_log.h"

namespace genesys::nbd {

class checked_store final : public block_store {
 public:
  // Throws, also if the file belongs to a store of another size. An empty file is new: it gets the digests of the data
  // as they are.
  checked_store(std::unique_ptr<block_store> below, file checks, block_services& by);

  // Computes the digests of unclean regions. The first call. Returns how many regions there were.
  u64 recover();

  u64 bytes() const override { return below_->bytes(); }
  u64 granule_bytes() const override { return below_->granule_bytes(); }
  void read(u64 offset, std::span<std::byte> into) override;
  void write(u64 offset, std::span<const std::byte> from) override;
  void zero(u64 offset, u64 bytes, bool gives_back) override;
  void trim(u64 offset, u64 bytes) override { zero(offset, bytes, true); }
  void flush() override;
  void close() override;

 private:
  struct header;
  u64 digests_at(u64 offset) const { return digests_offset_ + offset / block_bytes * sizeof(digest); }
  header wanted_header() const;
  std::vector<digest> stored_form(std::span<const std::byte> data);
  void sync();

  std::unique_ptr<block_store> below_;
  file file_;
  block_services& by_;
  std::unique_ptr<intent_log> log_;
  u64 digests_offset_ = 0;
};

}  // namespace genesys::nbd
