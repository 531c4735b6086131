// SPDX-License-Identifier: Apache-2.0
#include "parity_store.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace genesys::nbd {
namespace {

constexpr char magic[] = "genesys parity 1";
static_assert(sizeof magic == 17);

struct header {
  char name[16];
  u64 files, rows;
  std::uint32_t lost, unused;
};

constexpr u64 rows_at_once = 64;

}  // namespace

parity_store::parity_store(std::vector<std::unique_ptr<file>> files, u64 file_bytes, file log, block_services& by)
    : files_(std::move(files)),
      disks_(files_.size() - 2),
      rows_(file_bytes / block_bytes),
      log_file_(std::move(log)),
      by_(by) {
  header found{};
  const bool is_new = log_file_.bytes() == 0;
  if (!is_new) {
    log_file_.read(0, std::as_writable_bytes(std::span(&found, 1)));
    if (std::memcmp(found.name, magic, sizeof found.name) != 0 || found.files != files_.size() || found.rows != rows_)
      fail(EINVAL, (log_file_.path() + " is no log of these files").c_str());
  }
  lost_ = found.lost;
  for (u64 i = 0; i < files_.size(); ++i) {
    if (!files_[i] || (!is_new && files_[i]->bytes() < rows_ * block_bytes)) lost_ |= 1u << i;
  }
  if (std::popcount(lost_.load()) > 2) fail(EIO, "more than two files are lost");
  log_ = std::make_unique<intent_log>(log_file_, block_bytes, bytes());
  if (is_new) log_->mark_all();
  store_header(lost_);
}

void parity_store::store_header(std::uint32_t lost) {
  header is{{}, files_.size(), rows_, lost, 0};
  std::memcpy(is.name, magic, sizeof is.name);
  log_file_.write(0, std::as_bytes(std::span(&is, 1)));
  log_file_.sync();
}

std::vector<u64> parity_store::lost() const {
  std::vector<u64> all;
  for (u64 i = 0; i < files_.size(); ++i) {
    if ((lost_ >> i & 1u) != 0) all.push_back(i);
  }
  return all;
}

// The log knows of the loss before the file is left out of a write. False: the log cannot be written, so the file is
// not lost yet.
bool parity_store::lose(u64 number, const char* why) {
  const std::lock_guard hold(losing_);
  if ((lost_ >> number & 1u) != 0) return true;
  if (std::popcount(lost_.load()) == 2) fail(EIO, "a third file is lost");
  try {
    store_header(lost_ | 1u << number);
  } catch (const std::system_error&) {
    return false;
  }
  lost_ |= 1u << number;
  std::fprintf(stderr, "genesys: file %llu of the parity store is lost: %s\n", static_cast<unsigned long long>(number),
               why);
  return true;
}

parity_store::rows parity_store::empty_rows(u64 first, u64 count) const {
  return {first, count, std::vector<std::byte>(count * row_bytes()), std::vector<std::byte>(count * 2 * block_bytes)};
}

void parity_store::scatter(u64 number, rows& into, std::span<const std::byte> blocks) const {
  for (u64 row = 0; row < into.count; ++row) {
    std::byte* const to = number < disks_ ? &into.data[(row * disks_ + number) * block_bytes]
                                          : &into.parity[(row * 2 + number - disks_) * block_bytes];
    std::memcpy(to, &blocks[row * block_bytes], block_bytes);
  }
}
void parity_store::gather(u64 number, const rows& from, std::span<std::byte> blocks) const {
  for (u64 row = 0; row < from.count; ++row) {
    const std::byte* const at = number < disks_ ? &from.data[(row * disks_ + number) * block_bytes]
                                                : &from.parity[(row * 2 + number - disks_) * block_bytes];
    std::memcpy(&blocks[row * block_bytes], at, block_bytes);
  }
}

// False: the file is lost.
bool parity_store::read_file(u64 number, rows& into) {
  if ((lost_ >> number & 1u) != 0) return false;
  try {
    std::vector<std::byte> blocks(into.count * block_bytes);
    files_[number]->read(into.first * block_bytes, blocks);
    scatter(number, into, blocks);
    return true;
  } catch (const std::system_error& wrong) {
    lose(number, wrong.what());
    return false;
  }
}
bool parity_store::write_file(u64 number, const rows& from) {
  if ((lost_ >> number & 1u) != 0) return false;
  try {
    std::vector<std::byte> blocks(from.count * block_bytes);
    gather(number, from, blocks);
    files_[number]->write(from.first * block_bytes, blocks);
    return true;
  } catch (const std::system_error& wrong) {
    if (!lose(number, wrong.what())) throw;
    return false;
  }
}

void parity_store::read_rows(rows& into) {
  std::vector<u64> missing;
  for (u64 i = 0; i < disks_; ++i) {
    if (!read_file(i, into)) missing.push_back(i);
  }
  if (missing.empty()) return;
  for (u64 i = disks_; i < files_.size(); ++i) {
    if (!read_file(i, into)) missing.push_back(i);
  }
  if (missing.size() > 2) fail(EIO, "more than two files are lost");
  by_.rebuild(into.data, disks_, into.parity, missing.front(), missing.back());
}

void parity_store::write_rows(const rows& from) {
  for (u64 i = 0; i < files_.size(); ++i) (void)write_file(i, from);
}

// A few blocks, each from its file. False: one of the files is lost.
bool parity_store::read_blocks(u64 offset, std::span<std::byte> into) {
  for (u64 done = 0; done < into.size(); done += block_bytes) {
    const u64 block = (offset + done) / block_bytes, number = block % disks_;
    if ((lost_ >> number & 1u) != 0) return false;
    try {
      files_[number]->read(block / disks_ * block_bytes, into.subspan(done, block_bytes));
    } catch (const std::system_error& wrong) {
      lose(number, wrong.what());
      return false;
    }
  }
  return true;
}

void parity_store::read(u64 offset, std::span<std::byte> into) {
  if (into.size() < row_bytes() && read_blocks(offset, into)) return;
  const u64 first = offset / row_bytes(), end = (offset + into.size() + row_bytes() - 1) / row_bytes();
  rows all = empty_rows(first, end - first);
  read_rows(all);
  std::memcpy(into.data(), &all.data[offset - first * row_bytes()], into.size());
}

// Rows of which `from` has only a part are read first.
void parity_store::write(u64 offset, std::span<const std::byte> from) {
  const u64 first = offset / row_bytes(), end = (offset + from.size() + row_bytes() - 1) / row_bytes();
  rows all = empty_rows(first, end - first);
  for (const u64 row : {first, end - 1}) {
    if (row * row_bytes() >= offset && (row + 1) * row_bytes() <= offset + from.size()) continue;
    rows one = empty_rows(row, 1);
    read_rows(one);
    std::memcpy(&all.data[(row - first) * row_bytes()], one.data.data(), row_bytes());
  }
  std::memcpy(&all.data[offset - first * row_bytes()], from.data(), from.size());
  by_.parity(all.data, disks_, all.parity);
  const intent_log::write intent(*log_, first * row_bytes(), (end - first) * row_bytes());
  write_rows(all);
}

void parity_store::zero(u64 offset, u64 bytes, bool) {
  const std::vector<std::byte> zeros(std::min<u64>(bytes, rows_at_once * row_bytes()));
  for (u64 done = 0; done < bytes; done += zeros.size())
    write(offset + done, std::span(zeros).first(std::min<u64>(zeros.size(), bytes - done)));
}

u64 parity_store::recover(bool rebuilds) {
  const std::vector<u64> regions = log_->unclean_regions(), lost_files = lost();
  if (rebuilds && !lost_files.empty()) {
    for (const u64 number : lost_files) {
      if (!files_[number]) fail(ENOENT, "a file that is to be rebuilt is not there");
    }
    for (u64 row = 0; row < rows_; row += rows_at_once) {
      rows all = empty_rows(row, std::min(rows_at_once, rows_ - row));
      read_rows(all);
      by_.parity(all.data, disks_, all.parity);
      std::vector<std::byte> blocks(all.count * block_bytes);
      for (const u64 number : lost_files) {
        gather(number, all, blocks);
        files_[number]->write(row * block_bytes, blocks);
      }
    }
    for (const u64 number : lost_files) files_[number]->sync();
    store_header(0);
    lost_ = 0;
  }
  for (const u64 region : regions) {
    const u64 end = std::min(rows_, ((region + 1) * intent_log::region_bytes + row_bytes() - 1) / row_bytes());
    for (u64 row = region * intent_log::region_bytes / row_bytes(); row < end; row += rows_at_once) {
      rows all = empty_rows(row, std::min(rows_at_once, end - row)), stored = all;
      read_rows(all);
      by_.parity(all.data, disks_, all.parity);
      for (u64 i = disks_; i < files_.size(); ++i) {
        if (read_file(i, stored)) continue;
        std::vector<std::byte> blocks(all.count * block_bytes);  // a lost file does not differ
        gather(i, all, blocks);
        scatter(i, stored, blocks);
      }
      if (stored.parity != all.parity) write_rows(all);
    }
  }
  if (!regions.empty()) {
    sync();
    log_->clear_all();
  }
  return regions.size();
}

void parity_store::sync() {
  for (u64 i = 0; i < files_.size(); ++i) {
    if ((lost_ >> i & 1u) != 0) continue;
    try {
      files_[i]->sync();
    } catch (const std::system_error& wrong) {
      if (!lose(i, wrong.what())) throw;
    }
  }
}

void parity_store::flush() {
  log_->flush([this] { sync(); });
}

void parity_store::close() {
  sync();
  log_->clear_all();
}

}  // namespace genesys::nbd
