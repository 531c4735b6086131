// SPDX-License-Identifier: Apache-2.0
// A kernel and the host wait for a word in the arena, and each wakes the other.
#include <linux/futex.h>

#include "contract.h"

namespace contract {
namespace {

// Waits until the word is 1, then sets it to 2 and wakes the host.
struct wait_and_wake {
  GENESYS_KERNEL void operator()(genesys::os os, u32* word, long* woken) const {
    const genesys::atomic<u32, genesys::thread_scope::system> state(*word);
    while (state.load() == 0) (void)os.futex<FUTEX_WAIT>(word, 0);
    state.store(2);
    *woken = os.futex<FUTEX_WAKE | FUTEX_PRIVATE_FLAG>(word, 1u);
    *woken += os.futex<FUTEX_WAKE>(word, 1u);
  }
};

long on_host(u32* word, int operation, u32 value, const timespec* timeout = nullptr) {
  return ::syscall(SYS_futex, word, operation, value, timeout, nullptr, 0);
}

TEST(Futex, KernelAndHostWakeEachOther) {
  runtime& rt = shared_runtime();
  in_arena<u32> word(rt, 1);
  in_arena<long> woken(rt, 1);
  const std::atomic_ref<u32> state(word[0]);
  state.store(0);
  auto kernel = start(rt, {}, wait_and_wake{}, word.get(), woken.get());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  state.store(1);
  EXPECT_TRUE(eventually([&] { return on_host(word.get(), FUTEX_WAKE, 1) == 1 || state.load() == 2; }));
  const timespec some{1, 0};
  EXPECT_TRUE(eventually([&] {
    if (state.load() == 1) on_host(word.get(), FUTEX_WAIT, 1, &some);
    return state.load() == 2;
  }));
  kernel.finish();
  EXPECT_GE(woken[0], 0);
}

}  // namespace
}  // namespace contract
