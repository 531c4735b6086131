// SPDX-License-Identifier: Apache-2.0
// Futexes: in the arena they work as natively, elsewhere they give -EFAULT.
#include <linux/futex.h>

#include "oracle.h"

namespace oracle {
namespace {

using enum plan_id;

constexpr u32 size_u32 = 2, private_futex = 128;  // FUTEX2_SIZE_U32, FUTEX2_PRIVATE

argument waiters(u32 value, u32 flags, std::initializer_list<u32> words) {
  argument made(std::string{});
  for (const u32 word : words) {
    const u64 waiter[3] = {value, 0, flags};
    made.links.emplace_back(made.content.size() + 8, object(word));
    made.content.append(reinterpret_cast<const char*>(waiter), sizeof waiter);
  }
  return made;
}

TEST(Futex, Words) {
  trials t;
  const u32 word = 7;
  const timespec soon{0, 1'000'000}, wrong{0, -1};
  for (const u32 flags : {0u, static_cast<u32>(FUTEX_PRIVATE_FLAG)}) {
    t.good(futex_FUTEX_WAKE, {object(word), FUTEX_WAKE | flags, 1});
    t.any(futex_FUTEX_WAIT, {object(word), FUTEX_WAIT | flags, 8, nullptr});
    t.any(futex_FUTEX_WAIT, {object(word), FUTEX_WAIT | flags, 7, object(soon)});
    t.any(futex_FUTEX_WAIT, {object(word), FUTEX_WAIT | flags, 7, object(wrong)});
    t.good(futex_FUTEX_REQUEUE, {object(word), FUTEX_REQUEUE | flags, 1, 1, object(word)});
    t.good(futex_FUTEX_CMP_REQUEUE, {object(word), FUTEX_CMP_REQUEUE | flags, 1, 1, object(word), 7});
    t.any(futex_FUTEX_CMP_REQUEUE, {object(word), FUTEX_CMP_REQUEUE | flags, 1, 1, object(word), 8});
    t.good(futex_FUTEX_WAKE_OP,
           {object(word), FUTEX_WAKE_OP | flags, 1, 1, object(word), FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_EQ, 7)});
    t.any(futex_FUTEX_WAIT_BITSET, {object(word), FUTEX_WAIT_BITSET | flags, 8, nullptr, 0, 1});
    t.any(futex_FUTEX_WAIT_BITSET, {object(word), FUTEX_WAIT_BITSET | flags, 7, object(soon), 0, 1});
    t.good(futex_FUTEX_WAKE_BITSET, {object(word), FUTEX_WAKE_BITSET | flags, 1, 0, 0, 1});
    t.any(futex_FUTEX_WAKE_BITSET, {object(word), FUTEX_WAKE_BITSET | flags, 1, 0, 0, 0});
  }
  t.check();
}

TEST(Futex, NewCalls) {
  trials t;
  const u32 word = 7;
  const timespec soon{0, 1'000'000};
  for (const u32 flags : {size_u32, size_u32 | private_futex}) {
    t.good(futex_wake, {object(word), 1, 1, flags}).unless = {ENOSYS};
    t.any(futex_wait, {object(word), 8, 1, flags, nullptr, 0});
    t.any(futex_wait, {object(word), 7, 1, flags, object(soon), CLOCK_MONOTONIC});
    t.good(futex_requeue, {waiters(7, flags, {7, 7}), 0, 1, 1}).unless = {ENOSYS};
    t.any(futex_requeue, {waiters(8, flags, {7, 7}), 0, 1, 1});
    t.any(futex_requeue, {waiters(7, flags, {7, 7}), -1, 1, 1});
    t.any(futex_waitv, {waiters(8, flags, {7, 7, 7}), 3, 0, nullptr, 0});
    t.any(futex_waitv, {waiters(7, flags, {7, 7, 7}), 3, 0, object(soon), CLOCK_MONOTONIC});
    t.any(futex_waitv, {waiters(7, flags, {7}), 0, 0, nullptr, 0});
    t.any(futex_waitv, {waiters(7, flags, {7}), -1, 0, nullptr, 0});
    t.any(futex_waitv, {waiters(8, flags | 64, {7}), 1, 0, nullptr, 0});
  }
  t.check();
}

}  // namespace
}  // namespace oracle
