// SPDX-License-Identifier: Apache-2.0
// The interrupt word of the CPU device: a lane or the host stores 1 and wakes who waits (futex(2)). (std::atomic's wait
// ends the process if the system call fails.)
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace genesys::detail::cpu {

// Sleeps while the word is 0, without a bound: interrupt::wait (target/interrupt.h). It may also return before. Its
// loads pair with raise_word, also the one after the sleep.
inline void wait_for_word(std::uint32_t& word) noexcept {
  const std::atomic_ref at(word);
  if (at.load(std::memory_order_acquire) != 0) return;
  (void)::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  (void)at.load(std::memory_order_acquire);
}

// Stores 1 and wakes the sleeper. Pairs with wait_for_word.
inline void raise_word(std::uint32_t& word) noexcept {
  constexpr int tries_max = 100;  // a sleeper that is not woken sleeps on
  std::atomic_ref(word).store(1, std::memory_order_seq_cst);
  for (int i = 0; i < tries_max; ++i) {
    if (::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0) >= 0) return;
  }
}

}  // namespace genesys::detail::cpu
