// SPDX-License-Identifier: Apache-2.0
// What cuda.h says of each function of the table: how many arguments it has, and which of them is a stream.
#pragma once

#include <type_traits>

#include "schedule/standin/driver_api.h"
#include "schedule/standin/functions.h"

namespace genesys::schedule::standin::tests {

constexpr int no_stream = -1;

struct signature {
  unsigned arguments;
  int stream;  // the position of the first stream
};

template <class... types>
constexpr signature signature_of(CUresult (*)(types...)) {
  constexpr bool is_stream[] = {std::is_same_v<types, CUstream>..., false};
  int first = no_stream;
  for (int i = static_cast<int>(sizeof...(types)) - 1; i >= 0; --i) {
    if (is_stream[i]) first = i;
  }
  return {sizeof...(types), first};
}

// A function of the table that cuda.h does not have does not compile.
inline constexpr signature signatures[functions_count] = {
#define DRIVER_FUNCTION(name, order, argument) signature_of(static_cast<decltype(&::name)>(nullptr)),
#include "schedule/standin/functions.inc"
#undef DRIVER_FUNCTION
};

}  // namespace genesys::schedule::standin::tests
