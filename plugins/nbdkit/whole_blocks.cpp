// SPDX-License-Identifier: Apache-2.0
#include "whole_blocks.h"

#include <algorithm>
#include <bitset>
#include <cstring>
#include <vector>

namespace genesys::nbd {

class whole_blocks::held {
 public:
  held(whole_blocks& of, u64 offset, u64 bytes, bool writes) : locks_(of.locks_), writes_(writes) {
    const u64 granule = of.below_->granule_bytes();
    const u64 first = offset / granule, last = (offset + std::max<u64>(bytes, 1) - 1) / granule;
    for (u64 i = first; i <= last && i - first < locks_count; ++i) mine_.set(i % locks_count);
    for (u64 i = 0; i < locks_count; ++i) {
      if (!mine_[i]) continue;
      if (writes_) {
        locks_[i].lock();
      } else {
        locks_[i].lock_shared();
      }
    }
  }
  ~held() {
    for (u64 i = 0; i < locks_count; ++i) {
      if (!mine_[i]) continue;
      if (writes_) {
        locks_[i].unlock();
      } else {
        locks_[i].unlock_shared();
      }
    }
  }
  held(const held&) = delete;
  held& operator=(const held&) = delete;

 private:
  std::array<std::shared_mutex, locks_count>& locks_;
  const bool writes_;
  std::bitset<locks_count> mine_;
};

namespace {

// A range as a part of a block, whole blocks, and a part of a block again. Each may be empty.
struct parts {
  u64 head, middle, tail;  // bytes
};
parts cut(u64 offset, u64 bytes) {
  const u64 head = std::min(bytes, (block_bytes - offset % block_bytes) % block_bytes);
  const u64 tail = (bytes - head) % block_bytes;
  return {head, bytes - head - tail, tail};
}

}  // namespace

template <class Edit>
void whole_blocks::edit_block(u64 offset, Edit edit) {
  std::array<std::byte, block_bytes> block;
  below_->read(offset / block_bytes * block_bytes, block);
  edit(block.data() + offset % block_bytes);
  below_->write(offset / block_bytes * block_bytes, block);
}

void whole_blocks::read(u64 offset, std::span<std::byte> into) {
  const held hold(*this, offset, into.size(), false);
  const parts is = cut(offset, into.size());
  if (is.head == 0 && is.tail == 0) return below_->read(offset, into);
  // With its edges at once: one request of a service instead of three.
  const u64 first = offset / block_bytes * block_bytes;
  std::vector<std::byte> blocks((offset - first + into.size() + block_bytes - 1) / block_bytes * block_bytes);
  below_->read(first, blocks);
  std::memcpy(into.data(), blocks.data() + (offset - first), into.size());
}

void whole_blocks::write(u64 offset, std::span<const std::byte> from) {
  const held hold(*this, offset, from.size(), true);
  const parts is = cut(offset, from.size());
  if (is.head != 0) edit_block(offset, [&](std::byte* at) { std::memcpy(at, from.data(), is.head); });
  if (is.middle != 0) below_->write(offset + is.head, from.subspan(is.head, is.middle));
  if (is.tail != 0)
    edit_block(offset + is.head + is.middle,
               [&](std::byte* at) { std::memcpy(at, from.data() + is.head + is.middle, is.tail); });
}

void whole_blocks::zero(u64 offset, u64 bytes, bool gives_back) {
  const held hold(*this, offset, bytes, true);
  const parts is = cut(offset, bytes);
  if (is.head != 0) edit_block(offset, [&](std::byte* at) { std::memset(at, 0, is.head); });
  if (is.middle != 0) below_->zero(offset + is.head, is.middle, gives_back);
  if (is.tail != 0) edit_block(offset + is.head + is.middle, [&](std::byte* at) { std::memset(at, 0, is.tail); });
}

void whole_blocks::trim(u64 offset, u64 bytes) {
  const held hold(*this, offset, bytes, true);
  const parts is = cut(offset, bytes);
  if (is.middle != 0) below_->trim(offset + is.head, is.middle);
}

}  // namespace genesys::nbd
