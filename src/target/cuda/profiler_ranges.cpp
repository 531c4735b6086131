// SPDX-License-Identifier: Apache-2.0
// NVTX's functions do nothing unless a tool has set NVTX_INJECTION64_PATH (or is linked in).
#include "target/profiler_ranges.h"

#include <nvtx3/nvToolsExt.h>

#include <array>
#include <atomic>
#include <cstdlib>

#include "trace/decode.h"

namespace genesys::detail::profiler {
namespace {

constexpr u32 numbers = 512;

nvtxDomainHandle_t domain() {
  static const nvtxDomainHandle_t made = nvtxDomainCreateA("genesys");
  return made;
}

// The name of a call, registered at its first use. Two threads may register it at once, which does no harm.
nvtxStringHandle_t name_of(u32 number) {
  static std::array<std::atomic<nvtxStringHandle_t>, numbers> registered{};
  const auto make = [&] { return nvtxDomainRegisterStringA(domain(), trace::call_name(number).c_str()); };
  if (number >= numbers) {
    static const nvtxStringHandle_t other = nvtxDomainRegisterStringA(domain(), "(runtime)");
    return other;
  }
  nvtxStringHandle_t found = registered[number].load(std::memory_order_acquire);
  if (found == nullptr) registered[number].store(found = make(), std::memory_order_release);  // pairs with the load
  return found;
}

}  // namespace

bool is_attached() {
  static const bool set = std::getenv("NVTX_INJECTION64_PATH") != nullptr;
  return set;
}

void begin(u32 number) {
  nvtxEventAttributes_t range{};
  range.version = NVTX_VERSION;
  range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  range.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  range.message.registered = name_of(number);
  nvtxDomainRangePushEx(domain(), &range);
}
void end() { nvtxDomainRangePop(domain()); }

}  // namespace genesys::detail::profiler
