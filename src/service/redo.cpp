// SPDX-License-Identifier: Apache-2.0
// What twins do: requests that come while the GPU's side is down, and those that it had and lost. A thread that has
// taken a lost request from its completion slot answers it, so each is answered once. The request's row stays held.
#include <cerrno>
#include <exception>

#include "service/core.h"

namespace genesys::detail::services {

// Null: the service of this row, which the caller holds, has none, or the request must not use it.
const twin_entry* core::twin_of(u32 row, bool may_use_twin) const {
  if (!may_use_twin) return nullptr;
  const u32 code = rows_->code(row);
  if (code >= loaded_codes) return loader_->twin(row);
  return code < program_.twins.size() && program_.twins[code].run != nullptr ? &program_.twins[code] : nullptr;
}

// The service's result, as a completion would have it.
long core::run_twin(const call_state& call) {
  long result = -EIO;  // if it throws
  twins_running_.fetch_add(1, std::memory_order_relaxed);
  try {
    result = twin_of(call.row, true)->run(rows_->object(call.row), call.with->words, call.blocks);
  } catch (const std::exception& thrown) {
    std::fprintf(stderr, "genesys: services: a twin threw: %s\n", thrown.what());
  }
  twins_running_.fetch_sub(1, std::memory_order_relaxed);
  ++(call.by_choice ? by_choice_ : by_twins_);
  return fits_result(result) ? result : -EOVERFLOW;
}

// The service has a twin. A ticket's is run by the server's threads, or here if they have too much to do.
void core::submit_to_twin(call_state& call) {
  constexpr std::size_t jobs_max = 4096;
  if (!call.by_choice) ++other_requests_;  // the others are counted at their end
  call.by_twin = true;
  if (!call.is_ticket) {
    call.result = run_twin(call);
    rows_->release(call.row);
    call.done.store(1, std::memory_order_relaxed);
    return;
  }
  const auto job = [this, c = &call, row = call.row, slot = call.slot] {
    const long result = run_twin(*c);
    rows_->release(row);
    deliver(slot, c, result);
  };
  if (!twins_->post(job, jobs_max)) job();
}

// The GPU may have begun the request, and is dead.
long core::redo(call_state& call, int failure) {
  call.load = 0;  // its time says nothing of either side
  const twin_entry* const twin = twin_of(call.row, call.may_use_twin);
  if (twin == nullptr || !twin->repeatable(call.with->words)) {
    ++lost_;
    return failure != 0 ? failure : -EIO;
  }
  ++redone_;
  return run_twin(call);
}

// By the thread that waits for a call, or looks at a ticket. True: call.result is there.
bool core::redo_for_submitter(u32 slot, u32 use, call_state& call) {
  if (call.is_ticket) {
    redo_later(slot, use, &call);
    return call.done.load(std::memory_order_acquire) != 0;  // pairs with deliver()
  }
  const int failure = records_[slot].failure.load(std::memory_order_relaxed);
  if (!take(slot, use)) return false;
  give_back(slot, is_isolated() ? after::free : after::retire);
  call.result = redo(call, failure);
  rows_->release(call.row);
  call.done.store(1, std::memory_order_relaxed);
  return true;
}

// By any thread that attends the request. Behind take(), call stays until it is delivered.
void core::redo_later(u32 slot, u32 use, call_state* call) {
  const int failure = records_[slot].failure.load(std::memory_order_relaxed);
  if (!take(slot, use)) return;
  give_back(slot, is_isolated() ? after::free : after::retire);
  const auto job = [this, slot, call, failure, row = call->row] {
    const long result = redo(*call, failure);
    rows_->release(row);
    deliver(slot, call, result);
  };
  if (!twins_->post(job, ~std::size_t{0})) job();
}

}  // namespace genesys::detail::services
