// SPDX-License-Identifier: Apache-2.0
#include "policy/policy.h"

#include "policy/generated/refused.h"

namespace genesys::detail {
namespace {

struct refused_set {
  u64 words[16] = {};
};
constexpr refused_set refused = [] {
  refused_set set;
  for (const std::uint16_t number : refused_numbers) set.words[number / 64] |= u64{1} << number % 64;
  return set;
}();

}  // namespace

bool policy::refuses(u32 number) { return number < 1024 && ((refused.words[number / 64] >> number % 64) & 1) != 0; }

void policy::protect(int fd) {
  if (fd >= 0 && static_cast<u32>(fd) < descriptors_max)
    words_[fd / 64].fetch_or(u64{1} << fd % 64, std::memory_order_relaxed);
}

void policy::release(int fd) {
  if (fd >= 0 && static_cast<u32>(fd) < descriptors_max)
    words_[fd / 64].fetch_and(~(u64{1} << fd % 64), std::memory_order_relaxed);
}

}  // namespace genesys::detail
