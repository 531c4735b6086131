// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/cpu_mapper.h"

#include <atomic>
#include <system_error>

#include "target/cpu/regions.h"

namespace genesys::detail {
namespace {

void* pointer(u64 address) { return reinterpret_cast<void*>(address); }

template <class F>
int without_throwing(F act) {
  try {
    act();
    return 0;
  } catch (const std::system_error& failed) {
    return -failed.code().value();
  }
}

}  // namespace

u64 cpu_mapper::reserve(std::size_t bytes) {
  return reinterpret_cast<u64>(cpu::regions::reserve_device(bytes, piece_of_memory_bytes));
}
void cpu_mapper::unreserve(u64 begin, std::size_t) { cpu::regions::unreserve_device(pointer(begin)); }

int cpu_mapper::populate(u64 begin, std::size_t bytes) {
  return without_throwing([&] { cpu::regions::populate_device(pointer(begin), bytes); });
}
int cpu_mapper::depopulate(u64 begin, std::size_t bytes) {
  return without_throwing([&] { cpu::regions::depopulate_device(pointer(begin), bytes); });
}

std::size_t cpu_mapper::free_bytes() { return cpu::regions::device_free_bytes(); }

int cpu_mapper::store(u32* at, u32 value) {
  const cpu::opened_device_memory open;
  std::atomic_ref<u32>(*at).store(value, std::memory_order_release);
  return 0;
}

}  // namespace genesys::detail
