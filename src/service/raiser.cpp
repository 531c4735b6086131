// SPDX-License-Identifier: Apache-2.0
// G1 to G3: the dispatcher is the resident raiser of a scheduler, too (genesys/resident_kernel.h).
#include "service/core.h"

namespace genesys::detail::services {
namespace {

bool is_gone(aborts::raiser_words& of) {
  return std::atomic_ref<u32>(of.gone).load(std::memory_order_acquire) != 0;  // pairs with aborts::raise_server::leave
}

}  // namespace

bool core::serve(const aborts::raiser_context& raiser) {
  if (is_isolated() || ending_.load() || gpu_.load() != side::up) return false;
  {
    const std::lock_guard hold(raiser_lock_);
    if (raiser_ != nullptr) return false;  // another scheduler's
    raiser_ = raiser.words;
    words_->raiser_is[0] = reinterpret_cast<u64>(raiser.words);
    words_->raiser_is[1] = reinterpret_cast<u64>(raiser.flags);
    words_->raiser_is[2] = raiser.replicas;
    // Pairs with dispatcher::change_raiser.
    std::atomic_ref<u64>(words_->asked).fetch_add(one_raiser, std::memory_order_release);
  }
  look_at_kernel();
  return true;
}

bool core::has_left(const aborts::raiser_context& raiser) {
  {
    const std::lock_guard hold(raiser_lock_);
    if (raiser_ != raiser.words) return true;
    // No kernel runs that could be the raiser.
    const bool is_over = ended_.load() ? kernel_has_left_ : gpu_.load() != side::up;
    if (is_over) std::atomic_ref<u32>(raiser_->gone).store(1, std::memory_order_relaxed);
    if (is_gone(*raiser_)) {
      raiser_ = nullptr;
      ++raisers_ended_;
      return true;
    }
  }
  if (!ending_.load()) look_at_kernel();
  return false;
}

// What a kernel that begins has nothing to do with: its raiser is a later one. Behind `gone` of the kernel before, so a
// raiser that left with that one is seen here, even if its scheduler has not seen it yet.
u32 core::raisers_ended() {
  const std::lock_guard hold(raiser_lock_);
  if (raiser_ != nullptr && is_gone(*raiser_)) {
    raiser_ = nullptr;
    ++raisers_ended_;
  }
  return raisers_ended_;
}

}  // namespace genesys::detail::services
