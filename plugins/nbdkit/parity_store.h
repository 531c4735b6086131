// SPDX-License-Identifier: Apache-2.0
// A store over several files that outlives the loss of any two: RAID-6, block by block. Block b of the store is block
// b / k of data file b mod k, where k files have data. A *row* is a block of each; the last two files have its P and Q.
//
// A file that is lost (it cannot be read or written) is left out until the server is started with rebuild=yes: its
// blocks are made from the others. The log file remembers it, so that an old file does not come back as if it were
// right. After a crash the rows that the intent log names get new parity from their data; if a file is lost as well,
// what was being written there is lost.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "block_services.h"
#include "file.h"
#include "intent_log.h"

namespace genesys::nbd {

class parity_store final : public block_store {
 public:
  static constexpr u64 files_min = 4, files_max = 32;

  // The data files, then P, then Q. A file without value is lost, and so is one that is shorter than what the log is
  // of. Throws if more than two are.
  parity_store(std::vector<std::unique_ptr<file>> files, u64 file_bytes, file log, block_services& by);

  // If `rebuilds`, lost files are written anew. Then it makes the parity of unclean regions.
  // Before the first request. Returns how many regions there were.
  u64 recover(bool rebuilds);
  std::vector<u64> lost() const;

  u64 bytes() const override { return rows_ * row_bytes(); }
  u64 granule_bytes() const override { return row_bytes(); }
  void read(u64 offset, std::span<std::byte> into) override;
  void write(u64 offset, std::span<const std::byte> from) override;
  void zero(u64 offset, u64 bytes, bool gives_back) override;
  void trim(u64, u64) override {}
  void flush() override;
  void close() override;

 private:
  // Rows in memory: their data in the order of the store, and their parity.
  struct rows {
    u64 first, count;
    std::vector<std::byte> data, parity;
  };
  u64 row_bytes() const { return disks_ * block_bytes; }
  rows empty_rows(u64 first, u64 count) const;
  bool read_blocks(u64 offset, std::span<std::byte> into);
  void read_rows(rows& into);
  void write_rows(const rows& from);
  bool read_file(u64 number, rows& into);
  bool write_file(u64 number, const rows& from);
  void scatter(u64 number, rows& into, std::span<const std::byte> blocks) const;
  void gather(u64 number, const rows& from, std::span<std::byte> blocks) const;
  bool lose(u64 number, const char* why);
  void store_header(std::uint32_t lost);
  void sync();

  std::vector<std::unique_ptr<file>> files_;
  const u64 disks_;
  u64 rows_;
  file log_file_;
  block_services& by_;
  std::unique_ptr<intent_log> log_;
  std::mutex losing_;
  std::atomic<std::uint32_t> lost_{0};  // a bit for each file
};

}  // namespace genesys::nbd
