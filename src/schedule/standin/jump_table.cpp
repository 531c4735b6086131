// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/jump_table.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "schedule/standin/driver_api.h"
#include "schedule/standin/jumps.h"
#include "schedule/standin/launch_observer.h"
#include "schedule/standin/membership.h"
#include "schedule/standin/messages.h"
#include "schedule/standin/real_library.h"
#include "schedule/standin/test_modes.h"

namespace genesys::schedule::standin {
namespace {

CUresult no_such_function() { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult no_library() { return CUDA_ERROR_NO_DEVICE; }

// Everything here is written once, by fill(), but `observer` and the table of the jumps.
struct state {
  std::array<void*, functions_count> real{};  // never null after fill()
  std::array<bool, functions_count> has{};
  std::array<void*, functions_count> direct{};  // without an observer: real, or the stand-in's own
  std::array<void*, functions_count> launch{};  // with an observer: the stand-in's own launch, or null
  std::array<bool, functions_count> is_own{};
  std::array<bool, functions_count> waits{};
  std::unordered_multimap<const void*, driver_function> by_address;
  std::atomic<launch_observer*> observer{nullptr};
  std::mutex changing;
};

// Never destroyed: threads of the program may call the driver after main() has ended.
state& all() {
  static state& only = *new state;
  return only;
}

unsigned number_of(driver_function which) { return static_cast<unsigned>(which); }

// Release: who jumps there sees what fill() and observe() have written. Pairs with the load in the jump, which x86-64
// makes an acquire.
void lead(unsigned number, const void* to) {
  std::atomic_ref<void*>(genesys_standin_table[number]).store(const_cast<void*>(to), std::memory_order_release);
}

const void* with_observer(const state& of, unsigned number) {
  if (of.launch[number] != nullptr) return of.launch[number];
  if (functions[number].order == function_order::none) return of.direct[number];
  return genesys_standin_ordered_jumps[number];
}

void fill_own(state& into, std::span<const own_function> own, bool only_observed) {
  for (const own_function& each : own) {
    const unsigned number = number_of(each.which);
    if (!into.has[number]) continue;  // the driver is older: its answer is right
    (only_observed ? into.launch : into.direct)[number] = each.address;
    into.is_own[number] = true;
  }
}

void fill() {
  state& into = all();
  const inside now;  // opening the library runs its code
  const real_library library;
  if (!library.is_open()) {
    say_once("no driver", "there is no driver for the program: " + library.problem() +
                              ". Install NVIDIA's driver, or set " + real_library_variable +
                              " to the path of its libcuda.so.1");
  }
  for (unsigned number = 0; number < functions_count; ++number) {
    void* const found = library.find(functions[number].name);
    into.has[number] = found != nullptr;
    into.real[number] = found != nullptr    ? found
                        : library.is_open() ? reinterpret_cast<void*>(&no_such_function)
                                            : reinterpret_cast<void*>(&no_library);
    into.direct[number] = into.real[number];
    into.waits[number] = waits_for_work(functions[number].name);
    if (found != nullptr) into.by_address.emplace(found, static_cast<driver_function>(number));
  }
  fill_own(into, own_address_functions(), false);
  fill_own(into, own_memory_functions(), false);
  fill_own(into, own_module_functions(), false);
  fill_own(into, own_stream_functions(), false);
  fill_own(into, own_launch_functions(), true);
  for (unsigned number = 0; number < functions_count; ++number) lead(number, into.direct[number]);
}

// Each call of the driver comes here, so it costs a load after the first one.
void fill_once() {
  static std::once_flag once;
  static std::atomic<bool> is_filled{false};
  if (is_filled.load(std::memory_order_acquire)) return;
  std::call_once(once, fill);
  is_filled.store(true, std::memory_order_release);
}

CUstream default_stream(const char* function) {
  return uses_stream_of_thread(function) ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
}

}  // namespace

thread_local int inside::depth_ = 0;

void* real_address(driver_function which) {
  fill_once();
  return all().real[number_of(which)];
}

bool has_real(driver_function which) {
  fill_once();
  return all().has[number_of(which)];
}

void* exported_for(const void* real_function, const char* wanted, bool of_thread) {
  const auto [first, end] = all().by_address.equal_range(real_function);
  const std::size_t bytes = std::strlen(wanted);
  int best = -1;
  void* result = nullptr;
  for (auto each = first; each != end; ++each) {
    const char* name = entry_of(each->second).name;
    const bool is_named = std::strncmp(name, wanted, bytes) == 0;
    const int fits =
        4 * is_named + 2 * (uses_stream_of_thread(name) == of_thread) + all().is_own[number_of(each->second)];
    if (fits > best) best = fits, result = exported(each->second);
  }
  return result;
}

void observe(launch_observer* observer) {
  fill_once();
  state& of = all();
  const std::lock_guard lock(of.changing);
  // Before the table: a call that finds the new table finds the observer.
  if (observer != nullptr) of.observer.store(observer, std::memory_order_release);
  for (unsigned number = 0; number < functions_count; ++number) {
    lead(number, observer != nullptr && of.has[number] ? with_observer(of, number) : of.direct[number]);
  }
  // Pairs with current_observer().
  if (observer == nullptr) of.observer.store(nullptr, std::memory_order_release);
}

launch_observer* current_observer() { return all().observer.load(std::memory_order_acquire); }

extern "C" {

void* genesys_standin_bind(unsigned number, const std::uint64_t*) noexcept {
  // The real library calls an exported function while it is opened: the table is not there yet.
  if (inside::is_nested()) return reinterpret_cast<void*>(&no_library);
  fill_once();
  start_test_mode();
  if (current_observer() == nullptr) start_membership();
  return std::atomic_ref<void*>(genesys_standin_table[number]).load(std::memory_order_acquire);
}

void* genesys_standin_ordered(unsigned number, const std::uint64_t* saved) noexcept {
  const state& of = all();
  launch_observer* const observer = current_observer();
  if (observer != nullptr && !inside::is_nested()) {
    const inside now;
    const function_entry& called = functions[number];
    if (called.order == function_order::all_streams) {
      observer->settle_all(of.waits[number]);
    } else {
      CUstream stream = nullptr;
      if (called.order == function_order::stream) {
        stream = reinterpret_cast<CUstream>(raw_arguments(saved)[called.argument]);
      }
      observer->settle(stream != nullptr ? stream : default_stream(called.name), of.waits[number]);
    }
  }
  return of.direct[number];
}

}  // extern "C"

}  // namespace genesys::schedule::standin
