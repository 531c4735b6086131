// SPDX-License-Identifier: Apache-2.0
// L1: a request gets a launch of its own (genesys/detail/wire/service.h). Its completion comes as that of others.
#include <cstring>

#include "service/core.h"

namespace genesys::detail::services {

// Loaded services have functions of the non-stop kernel alone.
bool core::can_launch(u32 code) const {
  if (code >= loaded_codes) return false;
  return kind() == device_kind::cpu ? program_.launch_on_cpu != nullptr : program_.launch_on_cuda != nullptr;
}

// By the submitter, whose request is in flight. If the GPU's side fails first, the request is lost as others are.
void core::launch_request(const call_state& call) {
  launch_context with{};
  static_assert(sizeof with.arguments == sizeof call.with->words);
  std::memcpy(with.arguments, call.with->words, call.with->count * sizeof(u64));
  std::memcpy(with.object, rows_->object(call.row), sizeof with.object);
  with.completions = completions_;
  with.records = launch_records_;
  with.code = call.code;
  with.blocks = call.blocks;
  with.slot = call.slot;
  with.use = call.use & 0xffffu;
  ++launched_;
  const std::lock_guard hold(launching_);
  if (closed_ || gpu_.load() != side::up) return;
  try {
    launcher_->launch_request(chosen_.threads, with);
  } catch (const error& thrown) {
    fail(thrown.what());
  }
}

}  // namespace genesys::detail::services
