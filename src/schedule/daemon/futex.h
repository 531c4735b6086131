// SPDX-License-Identifier: Apache-2.0
// futex(2) on words that processes share. A word may be in memory that is mapped for reading only.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

namespace genesys::schedule::processes {

struct awaited_word {
  const std::atomic<std::uint32_t>* word;
  std::uint32_t value;  // sleep only while the word has it
};

inline constexpr unsigned awaited_words_max = 128;  // of futex_waitv(2)

// Sleeps until one of the words is woken or has another value, or until `timeout_ns` have passed. `count` is at least
// 1 and at most awaited_words_max. On a Linux without futex_waitv (before 5.16) it waits for the first word only, and
// at most 1 ms.
void sleep_on(const awaited_word* words, unsigned count, std::uint64_t timeout_ns);

// Wakes all that sleep on the word.
void wake_all(const std::atomic<std::uint32_t>* word);
// Wakes one of them.
void wake_one(const std::atomic<std::uint32_t>* word);

}  // namespace genesys::schedule::processes
