// SPDX-License-Identifier: Apache-2.0
// The arguments of formatted output as an array. Code for a GPU has no variable arguments as C has them; a template
// packs them at the call, so that one function formats for all calls. Any thread, host or kernel.
#pragma once

#include <cstddef>
#include <type_traits>

#include "genesys/detail/wire/types.h"

namespace genesys::detail::libc {

enum class argument_kind : u32 { integer, floating, pointer };

/// One argument: an integer or an enumerator, extended to 8 bytes by its own sign; the bits of a double; an address.
struct argument {
  u64 bits;
  argument_kind kind;
};

template <class T>
GENESYS_KERNEL argument pack_one(T value) {
  if constexpr (std::is_same_v<T, std::nullptr_t>) {
    return {0, argument_kind::pointer};
  } else if constexpr (std::is_pointer_v<T>) {
    return {reinterpret_cast<u64>(value), argument_kind::pointer};
  } else if constexpr (std::is_floating_point_v<T>) {
    return {__builtin_bit_cast(u64, static_cast<double>(value)), argument_kind::floating};
  } else {
    static_assert(std::is_integral_v<T> || std::is_enum_v<T>,
                  "printf takes integers, enumerators, floating-point numbers and pointers; convert other types, for "
                  "example std::string_view by \"%.*s\" with its size as int, and __half by a cast to float");
    static_assert(sizeof(T) <= sizeof(u64), "printf takes integers of at most 8 bytes");
    return {static_cast<u64>(value), argument_kind::integer};
  }
}

/// The arguments of one call. It refers to an array that lives elsewhere.
struct arguments {
  const argument* first = nullptr;
  unsigned count = 0;
};

/// The array of one call.
template <std::size_t Count>
struct packed_arguments {
  argument all[Count == 0 ? 1 : Count];
  GENESYS_KERNEL operator arguments() const { return {all, static_cast<unsigned>(Count)}; }
};

template <class... Args>
GENESYS_KERNEL packed_arguments<sizeof...(Args)> pack_arguments(Args... args) {
  if constexpr (sizeof...(Args) == 0) {
    return {};
  } else {
    return {{pack_one(args)...}};
  }
}

// Gives the arguments to the conversions, in order or by position.
class argument_cursor {
 public:
  GENESYS_KERNEL explicit argument_cursor(arguments given) : given_(given) {}

  // `position` counts from 1; 0 takes the next argument. Null if there is none.
  GENESYS_KERNEL const argument* take(unsigned position) {
    const unsigned index = position == 0 ? next_++ : position - 1;
    return index < given_.count ? given_.first + index : nullptr;
  }

 private:
  arguments given_;
  unsigned next_ = 0;
};

}  // namespace genesys::detail::libc
