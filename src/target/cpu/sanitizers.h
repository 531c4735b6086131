// SPDX-License-Identifier: Apache-2.0
// Tells AddressSanitizer and ThreadSanitizer about fibers; empty in other builds. The CPU device calls it around each
// switch, and wherever threads of a kernel are ordered.
//
// To ThreadSanitizer each fiber is a thread of its own. A switch does not order fibers, although they share an OS
// thread. So it reports races between lanes that can happen on a GPU only. The functions at the end report what does
// order threads: start and end of a launch, sync_block, sync_warp.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define GENESYS_CPU_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define GENESYS_CPU_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GENESYS_CPU_ASAN 1
#elif __has_feature(thread_sanitizer)
#define GENESYS_CPU_TSAN 1
#endif
#endif

#if defined(GENESYS_CPU_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(GENESYS_CPU_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace genesys::detail::cpu::sanitizers {

#if defined(GENESYS_CPU_ASAN)
inline constexpr bool address = true;
#else
inline constexpr bool address = false;
#endif
#if defined(GENESYS_CPU_TSAN)
inline constexpr bool thread = true;
#else
inline constexpr bool thread = false;
#endif

/// What the sanitizers need to know of one stack: a fiber's, or an OS thread's own.
struct stack_note {
  const void* low = nullptr;
  std::size_t bytes = 0;
  void* context = nullptr;  // ThreadSanitizer's handle of the fiber
};

/// Its address stands for an order between threads: what follows an acquire() comes after what precedes each earlier
/// release().
struct order_tag {
  long word = 0;
};

inline void open_fiber([[maybe_unused]] stack_note& note) {
#if defined(GENESYS_CPU_TSAN)
  note.context = __tsan_create_fiber(0);
#endif
}

/// Names the running fiber in reports.
inline void name_fiber([[maybe_unused]] const char* name) {
#if defined(GENESYS_CPU_TSAN)
  __tsan_set_fiber_name(__tsan_get_current_fiber(), name);
#endif
}

inline void close_fiber([[maybe_unused]] stack_note& note) {
#if defined(GENESYS_CPU_TSAN)
  __tsan_destroy_fiber(note.context);
#endif
}

/// The note of the calling OS thread, whose own stack lies at `low`.
inline stack_note own_stack(const void* low, std::size_t bytes) {
  stack_note note{low, bytes, nullptr};
#if defined(GENESYS_CPU_TSAN)
  note.context = __tsan_get_current_fiber();
#endif
  return note;
}

/// Call it right before a jump to another stack. `kept` holds AddressSanitizer's state of this stack until arrive();
/// null: the fiber leaves this stack for good. `ordered`: what follows on the other stack comes after what happened on
/// this one. Always inline: ThreadSanitizer counts the functions that a thread enters and leaves.
[[gnu::always_inline]] inline void leave([[maybe_unused]] const stack_note& to, [[maybe_unused]] void** kept,
                                         [[maybe_unused]] bool ordered) {
#if defined(GENESYS_CPU_ASAN)
  __sanitizer_start_switch_fiber(kept, to.low, to.bytes);
#elif defined(GENESYS_CPU_TSAN)
  __tsan_switch_to_fiber(to.context, ordered ? 0 : __tsan_switch_to_fiber_no_sync);
#endif
}

/// Call it right after a jump, on the stack that was jumped to.
[[gnu::always_inline]] inline void arrive([[maybe_unused]] void* kept) {
#if defined(GENESYS_CPU_ASAN)
  __sanitizer_finish_switch_fiber(kept, nullptr, nullptr);
#endif
}

/// Whether an address is a local variable of the caller's thread that AddressSanitizer put elsewhere than on its stack.
inline bool is_displaced_local([[maybe_unused]] const void* address) {
#if defined(GENESYS_CPU_ASAN)
  void* const displaced = __asan_get_current_fake_stack();
  return displaced && __asan_addr_is_in_fake_stack(displaced, const_cast<void*>(address), nullptr, nullptr);
#else
  return false;
#endif
}

/// forbid() makes AddressSanitizer report accesses to these bytes; permit() ends that.
inline void forbid([[maybe_unused]] const void* address, [[maybe_unused]] std::size_t bytes) {
#if defined(GENESYS_CPU_ASAN)
  __asan_poison_memory_region(address, bytes);
#endif
}
inline void permit([[maybe_unused]] const void* address, [[maybe_unused]] std::size_t bytes) {
#if defined(GENESYS_CPU_ASAN)
  __asan_unpoison_memory_region(address, bytes);
#endif
}

inline void release([[maybe_unused]] order_tag& tag) {
#if defined(GENESYS_CPU_TSAN)
  __tsan_release(&tag);
#endif
}
inline void acquire([[maybe_unused]] order_tag& tag) {
#if defined(GENESYS_CPU_TSAN)
  __tsan_acquire(&tag);
#endif
}

#if defined(GENESYS_CPU_TSAN)
/// Unlike release(), a store drops earlier releases to the tag. It pairs with the acquires in meet().
[[gnu::noinline]] inline void release_first(order_tag& tag) { __atomic_store_n(&tag.word, 0, __ATOMIC_RELEASE); }

/// Orders each of these suspended fibers after all of them. For ThreadSanitizer the caller becomes each fiber for a
/// moment, first to release, then to acquire. The function must not be instrumented: its accesses would count as those
/// of the fibers.
__attribute__((no_sanitize("thread"))) inline void meet(const stack_note& own, void* const* contexts,
                                                        std::size_t count) {
  static thread_local order_tag tag;
  for (std::size_t i = 0; i < count; ++i) {
    __tsan_switch_to_fiber(contexts[i], __tsan_switch_to_fiber_no_sync);
    if (i == 0) release_first(tag);
    if (i != 0) __tsan_release(&tag);
  }
  for (std::size_t i = 0; i < count; ++i) {
    __tsan_switch_to_fiber(contexts[i], __tsan_switch_to_fiber_no_sync);
    __tsan_acquire(&tag);
  }
  __tsan_switch_to_fiber(own.context, __tsan_switch_to_fiber_no_sync);
}
#endif

}  // namespace genesys::detail::cpu::sanitizers
