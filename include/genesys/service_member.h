// SPDX-License-Identifier: Apache-2.0
// The members of a service's arguments, by name, for callers in other languages:
//
//   struct sum {
//     struct arguments { genesys::service_input from; std::uint32_t start; };
//     static constexpr const char* name = "sum";
//     static constexpr genesys::service_field fields[] = {{offsetof(arguments, from), genesys::service_field::input}};
//     static constexpr genesys::service_member members[] = {GENESYS_SERVICE_MEMBER(from),
//     GENESYS_SERVICE_MEMBER(start)};
//     ...
//   };
//
// `members` is optional. Without it a caller passes the bytes of the structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "genesys/service_buffer.h"

namespace genesys {

struct service_member {
  enum kind_of_value : std::uint32_t { buffer = 0, u8, i8, u16, i16, u32, i32, u64, i64, f32, f64 };
  const char* name;
  std::uint32_t offset;
  kind_of_value kind;
  std::uint32_t count;  // more than 1: an array

  template <class T>
  static constexpr kind_of_value kind_of() {
    using V = std::remove_cv_t<T>;
    if constexpr (std::is_array_v<V>) {
      return kind_of<std::remove_all_extents_t<V>>();
    } else if constexpr (std::is_same_v<V, service_buffer> || std::is_same_v<V, service_input>) {
      return buffer;
    } else if constexpr (std::is_floating_point_v<V>) {
      static_assert(sizeof(V) == 4 || sizeof(V) == 8, "a number of 32 or 64 bits");
      return sizeof(V) == 4 ? f32 : f64;
    } else {
      static_assert(std::is_integral_v<V> || std::is_enum_v<V>, "arguments are numbers and buffers");
      constexpr bool is_signed = V(-1) < V(0);
      constexpr std::uint32_t log2 = sizeof(V) == 1 ? 0 : sizeof(V) == 2 ? 1 : sizeof(V) == 4 ? 2 : 3;
      return static_cast<kind_of_value>(u8 + 2 * log2 + (is_signed ? 1 : 0));
    }
  }
  template <class T>
  static constexpr std::uint32_t count_of() {
    return sizeof(T) / sizeof(std::remove_all_extents_t<T>);
  }
};

}  // namespace genesys

// Inside a service whose arguments are its member type `arguments`.
#define GENESYS_SERVICE_MEMBER(member)                                                                         \
  ::genesys::service_member {                                                                                  \
#member, offsetof(arguments, member), ::genesys::service_member::kind_of < decltype(arguments::member)>(), \
        ::genesys::service_member::count_of < decltype(arguments::member)>()                                   \
  }
