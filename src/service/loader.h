// SPDX-License-Identifier: Apache-2.0
// The services that a server has loaded from files: which rows have their code, what is linked with the kernel, and how
// long it took (docs/service-loading.md). Any thread; one load at a time.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "genesys/service.h"
#include "service/kernel_image.h"
#include "service/loaded_file.h"
#include "service/rows.h"

namespace genesys::detail::services {

class loader {
 public:
  // What the server does for the loader, and how long it took.
  class host {
   public:
    virtual link_target target() = 0;
    virtual unsigned threads_in_block() const = 0;
    // X1 to X4. Throws error: the server goes on with the code that it has.
    virtual void exchange(const kernel_image& image, unsigned drain_ms) = 0;

   protected:
    ~host() = default;
  };

  loader(host& on, const program& what, row_table& rows) : on_(on), program_(what), rows_(rows) {}
  loader(const loader&) = delete;
  loader& operator=(const loader&) = delete;

  // The row is open when it returns. Throws error; nothing has changed then.
  loadable_description load(const service_file& from, const wanted_service& wanted, u32& row, u32& version);
  loadable_description load(const service_bytes& from, const wanted_service& wanted, u32& row, u32& version);
  // The row's service is unloaded, and nobody holds it.
  void forget(u32 row);
  // Of a row that the caller holds, and whose code is loaded.
  const twin_entry* twin(u32 row) const { return entries_[row].twin.run != nullptr ? &entries_[row].twin : nullptr; }
  u64 loaded() const { return count_.load(std::memory_order_relaxed); }
  u64 link_us() const { return link_us_.load(std::memory_order_relaxed); }

 private:
  // Of a row. What the requests' threads read changes while nobody holds the row.
  struct entry {
    bool is_loaded = false;  // needs lock_, as the next three
    std::string symbol;
    std::shared_ptr<const loaded_ptx> ptx;
    std::shared_ptr<const loaded_library> library;
    twin_entry twin{};
  };
  entry open(const service_bytes& from, const std::string& symbol, const link_target& to,
             loadable_description& about) const;
  kernel_image link(const entry& added, u32 row, const link_target& to);
  const std::string& kernel_text(const link_target& to);
  void check(const wanted_service& wanted) const;

  host& on_;
  const program& program_;
  row_table& rows_;
  std::mutex loading_;       // one load at a time
  std::string kernel_text_;  // needs loading_
  std::mutex lock_;
  entry entries_[rows_max];
  std::atomic<u64> count_{0}, link_us_{0};
};

}  // namespace genesys::detail::services
