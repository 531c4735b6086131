// SPDX-License-Identifier: Apache-2.0
#include "schedule/daemon/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace genesys::schedule::processes {
namespace {

constexpr long futex_waitv_number = 449;  // on x86-64 and on arm64
constexpr std::uint64_t without_waitv_ns = 1'000'000;
constexpr std::uint64_t second_ns = 1'000'000'000;

struct waitv_element {  // struct futex_waitv of <linux/futex.h>, which older headers lack
  std::uint64_t value, address;
  std::uint32_t flags, reserved;
};
static_assert(sizeof(waitv_element) == 24);
constexpr std::uint32_t waitv_word_of_32_bits = 2;

timespec as_timespec(std::uint64_t ns) {
  return {static_cast<time_t>(ns / second_ns), static_cast<long>(ns % second_ns)};
}

}  // namespace

void sleep_on(const awaited_word* words, unsigned count, std::uint64_t timeout_ns) {
  waitv_element all[awaited_words_max];
  count = std::min(count, awaited_words_max);
  for (unsigned i = 0; i < count; ++i)
    all[i] = {words[i].value, reinterpret_cast<std::uint64_t>(words[i].word), waitv_word_of_32_bits, 0};
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const timespec until = as_timespec(static_cast<std::uint64_t>(now.tv_sec) * second_ns +
                                     static_cast<std::uint64_t>(now.tv_nsec) + timeout_ns);
  if (::syscall(futex_waitv_number, all, count, 0, &until, CLOCK_MONOTONIC) >= 0 || errno != ENOSYS) return;
  const timespec longest = as_timespec(std::min(timeout_ns, without_waitv_ns));
  ::syscall(SYS_futex, words[0].word, FUTEX_WAIT, words[0].value, &longest, nullptr, 0);
}

void wake_all(const std::atomic<std::uint32_t>* word) {
  ::syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void wake_one(const std::atomic<std::uint32_t>* word) {
  ::syscall(SYS_futex, word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace genesys::schedule::processes
