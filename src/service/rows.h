// SPDX-License-Identifier: Apache-2.0
// The loaded services: one row each, with a version, and a count of the requests that hold it (Q1, Q7, U1 to U3,
// genesys/detail/wire/service.h). Any thread. Kernels read the rows in pinned memory, and could write there, so the
// table has a copy of its own.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "genesys/detail/wire/service.h"

namespace genesys::detail::services {

class row_table {
 public:
  // `pinned`: rows_max rows for the kernel, zeroed.
  explicit row_table(service_row* pinned) : pinned_(pinned) {}
  row_table(const row_table&) = delete;
  row_table& operator=(const row_table&) = delete;

  const service_row* on_device() const { return pinned_; }
  // Writes all rows again, for another kernel. None runs.
  void write_again();
  // Of a row that the caller holds.
  u32 code(u32 row) const { return static_cast<u32>(rows_[row].content.head); }
  const void* object(u32 row) const { return rows_[row].content.object; }

  // Copies the functor to a free row, and opens it. False: there is none.
  bool load(u32 code, const void* object, std::size_t bytes, u32& row, u32& version);
  // The same in two steps, for code that is not there yet: a free row, which is open after the second one.
  bool reserve(u32& row, u32& version);
  void open_reserved(u32 row, u32 code, const void* object, std::size_t bytes);
  void give_back(u32 row);
  // 0, -ENOENT, -ETIMEDOUT. `forget` is called when no request holds the row, before it is free.
  int unload(
      u32 row, u32 version, unsigned timeout_ms, const std::function<void()>& forget = [] {});

  // Q1. False: it is not open, or has another version.
  bool hold(u32 row, u32 version) {
    if (row >= rows_max) return false;
    const u64 before = rows_[row].word.fetch_add(1, std::memory_order_acq_rel);  // pairs with load() and unload()
    if ((before & open) != 0 && before >> version_shift == version) return true;
    release(row);
    return false;
  }
  // Q7
  void release(u32 row) { rows_[row].word.fetch_sub(1, std::memory_order_acq_rel); }  // pairs with unload()

 private:
  static constexpr u64 open = u64{1} << 31;
  static constexpr u64 holders = open - 1;
  static constexpr u32 version_shift = 32;
  enum class use { free, reserved, loaded, unloading };

  // The word is {version : 32 | open : 1 | holders : 31}. A thread that fails to hold it counts for a moment, too.
  struct alignas(128) row {
    std::atomic<u64> word{0};
    use is = use::free;     // needs lock_
    service_row content{};  // changes while nobody holds the row
  };

  void write(u32 row);

  service_row* const pinned_;
  std::mutex lock_;
  row rows_[rows_max];
};

}  // namespace genesys::detail::services
