// SPDX-License-Identifier: Apache-2.0
// In a build without the CPU device (no Boost.Context): the functions that kernel.h names for it. Kernels are still
// compiled for the host, but nothing runs them there.
#if !GENESYS_WITH_CPU
#include <cstdio>
#include <cstdlib>

#include "genesys/detail/target/cpu.h"

namespace genesys::detail::cpu {
namespace {
[[noreturn]] void absent() {
  std::fputs("genesys: a kernel was called on the CPU in a build without the CPU device\n", stderr);
  std::abort();
}
}  // namespace

constinit thread_local std::atomic<const thread_identity*> current_identity{&no_identity};

bool inside_kernel() noexcept { return false; }
void pause() { absent(); }
void sync_block() { absent(); }
int sync_block_count(bool) { absent(); }
void raise_interrupt(std::uint32_t*) noexcept { absent(); }
std::uint64_t clock_ns() noexcept { absent(); }
void begin_call(const kernel_call&) { absent(); }
void submitted_call() { absent(); }
void ended_call(std::int64_t) { absent(); }
void leave_call() { absent(); }
void observe_calls(call_observer*) { absent(); }
unsigned active_lanes() { absent(); }
void sync_warp(unsigned) { absent(); }
unsigned ballot(unsigned, bool) { absent(); }
std::uint64_t shuffle(unsigned, std::uint64_t, unsigned) { absent(); }
void* shared_static(const void*, std::size_t) { absent(); }
void* dynamic_shared() { absent(); }
region region_of(const void*) noexcept { return region::none; }

}  // namespace genesys::detail::cpu
#endif
