// SPDX-License-Identifier: Apache-2.0
// Where each exported function leads: to the real library, to a function of the stand-in, or first to the observer. The
// first call of the program, on any thread, fills the table; observe() changes it while threads use it.
#pragma once

#include <span>

#include "schedule/standin/functions.h"

namespace genesys::schedule::standin {

class launch_observer;

// A function of the stand-in that takes the place of one of the driver's. It has the same type.
struct own_function {
  driver_function which;
  void* address;
};
// In the files own_*.cpp. Those of launches are used only while there is an observer.
std::span<const own_function> own_memory_functions();
std::span<const own_function> own_module_functions();
std::span<const own_function> own_stream_functions();
std::span<const own_function> own_address_functions();
std::span<const own_function> own_launch_functions();

// The address of the real function. If the real library does not have it, one that returns CUDA_ERROR_NOT_SUPPORTED; if
// there is no real library, CUDA_ERROR_NO_DEVICE.
void* real_address(driver_function which);
bool has_real(driver_function which);

// real<driver_function::cuMemFree_v2>(&cuMemFree_v2): the real function, with the type of the second one.
template <driver_function which, class function>
function* real(function*) {
  return reinterpret_cast<function*>(real_address(which));
}

// The exported function whose real address this is. Several may be at one address: the best one has the name `wanted`,
// perhaps with a version behind it, and the default stream that is asked for. Null: there is none.
void* exported_for(const void* real_function, const char* wanted, bool of_thread);

// From now on launches and ordered functions lead to `observer`; null: no longer. A call that has begun may miss it. An
// observer that was given once stays alive for as long as the program, because calls may still be in it.
void observe(launch_observer* observer);
launch_observer* current_observer();

// While it lives, calls of this thread go to the real library: it is inside the stand-in or the observer.
class inside {
 public:
  inside() { ++depth_; }
  ~inside() { --depth_; }
  inside(const inside&) = delete;
  inside& operator=(const inside&) = delete;
  static bool is_nested() { return depth_ > 0; }

 private:
  static thread_local int depth_;
};

}  // namespace genesys::schedule::standin

// The real function with this name, typed.
#define GENESYS_REAL(name) \
  (::genesys::schedule::standin::real<::genesys::schedule::standin::driver_function::name>(&::name))
// Entries of the lists of own functions. BY: the function is a template with the number of what it replaces.
#define GENESYS_OWN(name, function) \
  ::genesys::schedule::standin::own_function { driver_function::name, reinterpret_cast<void*>(&function) }
#define GENESYS_OWN_BY(name, function) GENESYS_OWN(name, function<driver_function::name>)
