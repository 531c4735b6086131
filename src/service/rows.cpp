// SPDX-License-Identifier: Apache-2.0
#include "service/rows.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "trace/clock.h"

namespace genesys::detail::services {

// The kernel reads a row only for a request that holds it, and whose words were stored later.
void row_table::write(u32 row) {
  const auto* const from = reinterpret_cast<const u64*>(&rows_[row].content);
  auto* const to = reinterpret_cast<u64*>(pinned_ + row);
  for (u32 i = 0; i < row_words; ++i) std::atomic_ref<u64>(to[i]).store(from[i], std::memory_order_relaxed);
}

void row_table::write_again() {
  const std::lock_guard hold(lock_);
  for (u32 r = 0; r < rows_max; ++r) write(r);
}

bool row_table::load(u32 code, const void* object, std::size_t bytes, u32& row, u32& version) {
  if (!reserve(row, version)) return false;
  open_reserved(row, code, object, bytes);
  return true;
}

bool row_table::reserve(u32& row, u32& version) {
  const std::lock_guard hold(lock_);
  for (u32 r = 0; r < rows_max; ++r) {
    if (rows_[r].is != use::free) continue;
    rows_[r].is = use::reserved;
    version = static_cast<u32>(rows_[r].word.load(std::memory_order_acquire) >> version_shift);
    row = r;
    return true;
  }
  return false;
}

void row_table::open_reserved(u32 row, u32 code, const void* object, std::size_t bytes) {
  const std::lock_guard hold(lock_);
  service_row made{};
  made.head = pack_row_head(static_cast<u32>(rows_[row].word.load(std::memory_order_acquire) >> version_shift), code);
  std::memcpy(made.object, object, bytes);
  rows_[row].content = made;
  write(row);
  rows_[row].is = use::loaded;
  rows_[row].word.fetch_or(open, std::memory_order_acq_rel);  // pairs with hold()
}

void row_table::give_back(u32 row) {
  const std::lock_guard hold(lock_);
  rows_[row].is = use::free;
}

int row_table::unload(u32 row, u32 version, unsigned timeout_ms, const std::function<void()>& forget) {
  if (row >= rows_max) return -ENOENT;
  auto& it = rows_[row];
  const u64 deadline = now_ns() + u64{timeout_ms} * 1'000'000;
  {
    const std::lock_guard hold(lock_);
    if (it.is == use::free || it.is == use::reserved ||
        it.word.load(std::memory_order_acquire) >> version_shift != version)
      return -ENOENT;
    it.is = use::unloading;
    it.word.fetch_and(~open, std::memory_order_acq_rel);  // U1; pairs with hold()
  }
  while ((it.word.load(std::memory_order_acquire) & holders) != 0) {  // U2; pairs with release()
    if (now_ns() > deadline) return -ETIMEDOUT;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  const std::lock_guard hold(lock_);
  if (it.is != use::unloading || it.word.load(std::memory_order_acquire) >> version_shift != version) return -ENOENT;
  forget();
  // U3. An addition, because threads that fail to hold the row count in the same word.
  const u64 next = (version + 1) & version_mask;
  it.word.fetch_add((next - version) << version_shift, std::memory_order_acq_rel);
  it.is = use::free;
  return 0;
}

}  // namespace genesys::detail::services
