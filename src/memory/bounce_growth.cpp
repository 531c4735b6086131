// SPDX-License-Identifier: Apache-2.0
#include "memory/bounce_growth.h"

#include <algorithm>
#include <new>

#include "memory/cannot_pin.h"

namespace genesys::detail {
namespace {

constexpr u64 step_bytes_max = u64{256} << 20;  // lanes wait meanwhile

}  // namespace

bool bounce_growth::provide(u32 size, u32 first, u32 end) {
  const bounce_class& c = classes_[size];
  const u64 bytes = u64{end - first} << c.bytes_log2;
  try {
    if (!on_.provide(reinterpret_cast<void*>(c.base + (u64{first} << c.bytes_log2)), bytes)) return false;
  } catch (const std::bad_alloc&) {
    return false;
  }
  usable_[size] = end;
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return true;
}

void bounce_growth::begin() {
  for (u32 i = 0; i < bounce_classes; ++i) {
    if (provide(i, 0, buffers_at_start(i, classes_[i].buffers))) continue;
    throw cannot_pin(u64{buffers_at_start(i, classes_[i].buffers)} << classes_[i].bytes_log2, "bounce buffers");
  }
}

void bounce_growth::grow(u32 size) {
  const bounce_class& c = classes_[size];
  const std::lock_guard hold(lock_);
  const u32 before = usable_[size], step = static_cast<u32>(std::min<u64>(before, step_bytes_max >> c.bytes_log2));
  const u32 end = std::min(c.buffers, before + step);
  const bool grows = end != before && provide(size, before, end);
  if (grows) returns_.give_range(c, before, end);
  returns_.tell_growth(size, {usable_[size], ++finished_[size], end != before && !grows});
}

}  // namespace genesys::detail
