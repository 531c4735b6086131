// SPDX-License-Identifier: Apache-2.0
#include "checked_store.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace genesys::nbd {
namespace {

constexpr char magic[] = "genesys checks 1";
static_assert(sizeof magic == 17);

// SHA-256 of 4,096 zeros.
constexpr unsigned char of_zeros[32] = {0xad, 0x7f, 0xac, 0xb2, 0x58, 0x6f, 0xc6, 0xe9, 0x66, 0xc0, 0x04,
                                        0xd7, 0xd1, 0xd1, 0x6b, 0x02, 0x4f, 0x58, 0x05, 0xff, 0x7c, 0xb4,
                                        0x7c, 0x7a, 0x85, 0xda, 0xbd, 0x8b, 0x48, 0x89, 0x2c, 0xa7};

}  // namespace

struct checked_store::header {
  char name[16];
  u64 store_bytes, block;
};

checked_store::header checked_store::wanted_header() const {
  header is{{}, below_->bytes(), block_bytes};
  std::memcpy(is.name, magic, sizeof is.name);
  return is;
}

checked_store::checked_store(std::unique_ptr<block_store> below, file checks, block_services& by)
    : below_(std::move(below)), file_(std::move(checks)), by_(by) {
  const u64 log_offset = block_bytes;
  digests_offset_ = log_offset + intent_log::bytes_for(bytes());
  const header wanted = wanted_header();
  header found{};
  const bool is_new = file_.bytes() == 0;
  if (!is_new) {
    file_.read(0, std::as_writable_bytes(std::span(&found, 1)));
    if (std::memcmp(&found, &wanted, sizeof found) != 0)
      fail(EINVAL, (file_.path() + " has no checks of a store of this size").c_str());
  }
  log_ = std::make_unique<intent_log>(file_, log_offset, bytes());
  if (is_new) {
    file_.resize(digests_at(bytes()));
    log_->mark_all();
    file_.write(0, std::as_bytes(std::span(&wanted, 1)));
    file_.sync();
  }
}

std::vector<digest> checked_store::stored_form(std::span<const std::byte> data) {
  std::vector<digest> made(data.size() / block_bytes);
  by_.digests(data, made);
  for (digest& one : made) {
    for (std::size_t i = 0; i < one.size(); ++i) one[i] ^= std::byte{of_zeros[i]};
  }
  return made;
}

u64 checked_store::recover() {
  const std::vector<u64> regions = log_->unclean_regions();
  std::vector<std::byte> data(1 << 20);
  for (const u64 region : regions) {
    const u64 end = std::min(bytes(), (region + 1) * intent_log::region_bytes);
    for (u64 at = region * intent_log::region_bytes; at < end; at += data.size()) {
      const auto part = std::span(data).first(std::min<u64>(data.size(), end - at));
      below_->read(at, part);
      const std::vector<digest> made = stored_form(part);
      std::vector<digest> stored(made.size());
      file_.read(digests_at(at), std::as_writable_bytes(std::span(stored)));
      if (stored != made) file_.write(digests_at(at), std::as_bytes(std::span(made)));
    }
  }
  if (!regions.empty()) {
    sync();
    log_->clear_all();
  }
  return regions.size();
}

void checked_store::read(u64 offset, std::span<std::byte> into) {
  below_->read(offset, into);
  std::vector<digest> stored(into.size() / block_bytes);
  file_.read(digests_at(offset), std::as_writable_bytes(std::span(stored)));
  const std::vector<digest> made = stored_form(into);
  const auto differ = std::mismatch(stored.begin(), stored.end(), made.begin());
  if (differ.first == stored.end()) return;
  const u64 block = offset / block_bytes + static_cast<u64>(differ.first - stored.begin());
  fail(EIO, ("block " + std::to_string(block) + " is not what was written").c_str());
}

void checked_store::write(u64 offset, std::span<const std::byte> from) {
  const std::vector<digest> made = stored_form(from);
  const intent_log::write intent(*log_, offset, from.size());
  below_->write(offset, from);
  file_.write(digests_at(offset), std::as_bytes(std::span(made)));
}

void checked_store::zero(u64 offset, u64 bytes, bool gives_back) {
  const intent_log::write intent(*log_, offset, bytes);
  below_->zero(offset, bytes, gives_back);
  const std::vector<std::byte> zeros(bytes / block_bytes * sizeof(digest));
  file_.write(digests_at(offset), zeros);
}

void checked_store::sync() {
  below_->flush();
  file_.sync();
}

void checked_store::flush() {
  log_->flush([this] { sync(); });
}

void checked_store::close() {
  sync();
  log_->clear_all();
  below_->close();
}

}  // namespace genesys::nbd
