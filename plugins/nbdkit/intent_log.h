// SPDX-License-Identifier: Apache-2.0
// Which regions of a store may be inconsistent after a crash: a bit for each, durable before the first write to the
// region begins, and cleared at a flush behind its last write. (Linux's md calls it a write-intent bitmap.) It is for
// layers that keep something beside the data. Any thread, several at once.
#pragma once

#include <mutex>
#include <vector>

#include "file.h"

namespace genesys::nbd {

class intent_log {
 public:
  static constexpr u64 region_bytes = 16u << 20;

  // The bits are in `at` from `offset` on. A bit that is set was set when the last server ended.
  intent_log(const file& at, u64 offset, u64 store_bytes);
  static u64 bytes_for(u64 store_bytes);

  std::vector<u64> unclean_regions() const;
  // For a new log: nothing is known of the store.
  void mark_all();

  // A write to this range, from before its first byte until it is over.
  class write {
   public:
    write(intent_log& log, u64 offset, u64 bytes);
    ~write();
    write(const write&) = delete;
    write& operator=(const write&) = delete;

   private:
    intent_log& log_;
    u64 first_, last_;
  };

  // Around a flush: `sync` makes durable what was written before. Regions without a write since the last flush are
  // clean afterwards.
  template <class Sync>
  void flush(Sync sync) {
    const std::vector<u64> idle = idle_regions();
    sync();
    clear(idle);
  }
  // All regions are consistent and durable.
  void clear_all();

 private:
  struct region {
    bool is_set = false, is_touched = false;  // touched: a write has ended since the last flush
    u32 writes = 0;                           // under way
  };
  std::vector<u64> idle_regions();
  void clear(const std::vector<u64>& regions);
  void store_bit(u64 number);

  const file& at_;
  const u64 offset_;
  std::mutex lock_;
  std::vector<region> regions_;
};

}  // namespace genesys::nbd
