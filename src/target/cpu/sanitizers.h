// SPDX-License-Identifier: Apache-2.0
// What AddressSanitizer and ThreadSanitizer must be told about fibers; nothing at all in other builds. Called by the
// CPU device around each switch and wherever threads of a kernel are ordered.
//
// To ThreadSanitizer each fiber is a thread of its own. Switches order nothing between them, although they share an OS
// thread, so that a race between two lanes is reported although it cannot happen here as one. What does order (start
// and end of a launch, sync_block, sync_warp) is said in so many words by the functions at the end.
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

/// What a sanitizer knows of one stack: a fiber's, or an OS thread's own.
struct stack_note {
  const void* low = nullptr;
  std::size_t bytes = 0;
  void* context = nullptr;  // ThreadSanitizer's idea of a thread
};

/// An address that stands for an order between threads: what is released to it is acquired from it.
struct order_tag {
  long word = 0;
};

inline void open_fiber([[maybe_unused]] stack_note& note) {
#if defined(GENESYS_CPU_TSAN)
  note.context = __tsan_create_fiber(0);
#endif
}

/// How reports call the running fiber.
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

/// Right before a jump to another stack. `kept` holds AddressSanitizer's state of this one until arrive(); null says
/// that this stack is left for good. With `ordered`, what happens there comes after what happened here. Always inline:
/// ThreadSanitizer counts the functions that a thread enters and leaves.
[[gnu::always_inline]] inline void leave([[maybe_unused]] const stack_note& to, [[maybe_unused]] void** kept,
                                         [[maybe_unused]] bool ordered) {
#if defined(GENESYS_CPU_ASAN)
  __sanitizer_start_switch_fiber(kept, to.low, to.bytes);
#elif defined(GENESYS_CPU_TSAN)
  __tsan_switch_to_fiber(to.context, ordered ? 0 : __tsan_switch_to_fiber_no_sync);
#endif
}

/// Right after a jump, on the stack that was jumped to.
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

/// Bytes that no one may touch, and the end of that. (AddressSanitizer)
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
/// Unlike release(), a store forgets who released before. It pairs with the acquires in meet().
[[gnu::noinline]] inline void release_first(order_tag& tag) { __atomic_store_n(&tag.word, 0, __ATOMIC_RELEASE); }

/// All of these suspended fibers come after all of them: each is impersonated for a moment, first to release, then to
/// acquire. It must not be instrumented, or the accesses made here would count as theirs.
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
