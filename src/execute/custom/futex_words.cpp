// SPDX-License-Identifier: Apache-2.0
// futex_waitv(2), futex_requeue(2): each structure has the address of a word that both sides must address.
#include <linux/futex.h>

#include <array>

#include "execute/generated/custom.h"
#include "execute/linux_call.h"

namespace genesys::detail::custom {
namespace {

struct waiter {
  u64 value, address;
  u32 flags, reserved;
};
static_assert(sizeof(waiter) == object_bytes::futex_waitv);

constexpr u64 waiters_max = 128;  // Linux refuses more before it reads any (FUTEX_WAITV_MAX)
constexpr u64 word_bytes = 8;     // the largest that the flags can name (FUTEX2_SIZE_U64)

// Copies the structures, with checked addresses; `at` then points to the copy.
void take_waiters(const user_memory& memory, u64& at, u64 count, std::array<waiter, waiters_max>& copy) {
  if (at == 0 || count == 0 || count > waiters_max) return;
  if (memory.capacity_at(at) < count * sizeof(waiter) || !memory.copy_in(copy.data(), at, count * sizeof(waiter))) {
    at = memory.nowhere();
    return;
  }
  for (u64 i = 0; i < count; ++i) {
    const u64 bytes = (copy[i].flags & 3) == 2 ? 4 : word_bytes;  // FUTEX2_SIZE_U32
    copy[i].address = memory.checked(copy[i].address, bytes);
  }
  at = reinterpret_cast<u64>(copy.data());
}

}  // namespace

i64 futex_waitv(const user_memory& memory, policy&, u64 (&args)[args_max]) {
  std::array<waiter, waiters_max> copy;
  take_waiters(memory, args[0], static_cast<u32>(args[1]), copy);
  return call_linux(number::futex_waitv, args);
}

i64 futex_requeue(const user_memory& memory, policy&, u64 (&args)[args_max]) {
  std::array<waiter, waiters_max> copy;
  take_waiters(memory, args[0], 2, copy);
  return call_linux(number::futex_requeue, args);
}

}  // namespace genesys::detail::custom
