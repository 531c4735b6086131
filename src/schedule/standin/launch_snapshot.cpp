// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/launch_snapshot.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "schedule/standin/environment.h"
#include "schedule/standin/jump_table.h"

namespace genesys::schedule::standin {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20;
constexpr std::uint64_t block_bytes_min = 32 * mebibyte;  // so that there are few blocks
constexpr std::uint64_t default_bytes_max = 1024 * mebibyte;

}  // namespace

std::uint64_t launch_snapshot::bytes_max_of_environment() {
  const char* const asked = std::getenv(snapshot_variable);
  if (asked == nullptr || *asked == '\0') return default_bytes_max;
  return std::strtoull(asked, nullptr, 10) * mebibyte;
}

bool launch_snapshot::fits(std::uint64_t bytes) {
  if (bytes <= bytes_) return true;
  if (bytes > bytes_max_) return false;
  const std::uint64_t wanted = std::min(std::max(bytes - bytes_, block_bytes_min), bytes_max_ - bytes_);
  std::size_t free = 0, total = 0;
  memory_block made{0, wanted};
  if (GENESYS_REAL(cuMemGetInfo_v2)(&free, &total) != CUDA_SUCCESS || wanted > free / 2 ||
      GENESYS_REAL(cuMemAlloc_v2)(&made.base, made.bytes) != CUDA_SUCCESS) {
    return false;
  }
  blocks_.push_back(made);
  bytes_ += wanted;
  return true;
}

bool launch_snapshot::give_back() {
  for (const memory_block& each : blocks_) GENESYS_REAL(cuMemFree_v2)(each.base);
  bytes_ = 0;
  return !std::exchange(blocks_, {}).empty();
}

bool launch_snapshot::store(const std::vector<range>& write_set, CUstream stream) {
  pieces_.clear();
  auto into = blocks_.begin();
  std::uint64_t used = 0;  // of the block
  for (const range& each : write_set) {
    for (std::uint64_t done = 0; done < each.bytes;) {
      if (used == into->bytes) ++into, used = 0;
      const std::uint64_t part = std::min(each.bytes - done, into->bytes - used);
      pieces_.push_back({each.base + done, into->base + used, part});
      done += part;
      used += part;
    }
  }
  return std::all_of(pieces_.begin(), pieces_.end(), [stream](const piece& each) {
    return GENESYS_REAL(cuMemcpyDtoDAsync_v2)(each.kept, each.in_use, each.bytes, stream) == CUDA_SUCCESS;
  });
}

bool launch_snapshot::restore(CUstream stream) const {
  return std::all_of(pieces_.begin(), pieces_.end(), [stream](const piece& each) {
    return GENESYS_REAL(cuMemcpyDtoDAsync_v2)(each.in_use, each.kept, each.bytes, stream) == CUDA_SUCCESS;
  });
}

}  // namespace genesys::schedule::standin
