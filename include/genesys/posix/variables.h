// SPDX-License-Identifier: Apache-2.0
// Variables of a thread that last as long as its library: what a C program keeps in global and static variables.
//
//   struct counters { int lines = 0, words = 0; };
//   genesys::posix::variables<counters>().lines += 1;
#pragma once

#include <type_traits>

#include "genesys/posix/detail/thread_variables.h"

namespace genesys::posix {

// The thread's object of this type: made at the first use, freed at the end of the library, without a destructor. Any
// thread, with a library. Without memory it prints a message and ends the kernel.
template <class Variables>
GENESYS_KERNEL Variables& variables() {
  static_assert(std::is_trivially_destructible_v<Variables> && alignof(Variables) <= 16);
  bool is_new = false;
  void* const at = detail::libc::find_variables(detail::libc::key_of_type<Variables>(), sizeof(Variables), is_new);
  if (at == nullptr) detail::libc::end_kernel("no memory for the variables of a thread");
  return is_new ? *new (at) Variables{} : *static_cast<Variables*>(at);
}

}  // namespace genesys::posix
