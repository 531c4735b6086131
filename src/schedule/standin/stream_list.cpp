// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/stream_list.h"

#include "schedule/standin/jump_table.h"

namespace genesys::schedule::standin {
namespace {

constexpr std::size_t asked_max = 64;  // streams; each question takes about a microsecond

// A query of a stream in capture would end the capture.
bool is_idle(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return GENESYS_REAL(cuStreamIsCapturing)(stream, &status) == CUDA_SUCCESS &&
         status == CU_STREAM_CAPTURE_STATUS_NONE && GENESYS_REAL(cuStreamQuery)(stream) == CUDA_SUCCESS;
}

}  // namespace

stream_list& stream_list::only() {
  static stream_list& one = *new stream_list;
  return one;
}

void stream_list::add(CUstream stream, unsigned flags) {
  const std::lock_guard lock(changing_);
  waits_for_default_[stream] = (flags & CU_STREAM_NON_BLOCKING) == 0;
}

void stream_list::remove(CUstream stream) {
  const bool was_idle = is_idle(stream);
  const std::lock_guard lock(changing_);
  const bool is_known = waits_for_default_.erase(stream) != 0;
  has_lost_work_ = has_lost_work_ || (is_known && !was_idle);
}

void stream_list::clear() {
  const std::lock_guard lock(changing_);
  has_lost_work_ = has_lost_work_ || !waits_for_default_.empty();
  waits_for_default_.clear();
}

// A stream that is not in the list may.
bool stream_list::waits_for_default(CUstream stream) const {
  const auto found = waits_for_default_.find(stream);
  return found == waits_for_default_.end() || found->second;
}

bool stream_list::are_ordered(CUstream one, CUstream other) const {
  if (one == other) return true;
  const std::lock_guard lock(changing_);
  return (one == CU_STREAM_LEGACY && waits_for_default(other)) || (other == CU_STREAM_LEGACY && waits_for_default(one));
}

bool stream_list::others_are_idle(CUstream own) const {
  const std::lock_guard lock(changing_);
  if (has_lost_work_ || waits_for_default_.size() > asked_max) return false;
  for (const auto& [each, waits] : waits_for_default_) {
    if (each != own && !is_idle(each)) return false;
  }
  return own == CU_STREAM_LEGACY || is_idle(CU_STREAM_LEGACY);
}

}  // namespace genesys::schedule::standin
