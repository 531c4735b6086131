// SPDX-License-Identifier: Apache-2.0
// What a file with a service for a running server holds, and how the non-stop kernel calls it: a function, and a
// description in constant bytes, which the host reads from PTX or from a shared object. genesys/loadable_service.h
// makes both.
#pragma once

#include <cstring>
#include <type_traits>

#include "genesys/detail/wire/service.h"
#include "genesys/kernel.h"
#include "genesys/service_buffer.h"
#include "genesys/service_member.h"

namespace genesys {

// In a service_list: the kernel also runs services that are loaded later, by service_server::load_file().
struct loadable_services {};

// The part of a request that a block runs. In operator() of a service, the same in all threads of the block.
struct service_block {
  unsigned block;   // of the request, from 0
  unsigned blocks;  // as many as the caller asked for
  // This thread's number in the request, and how many threads it has.
  GENESYS_KERNEL unsigned long thread() const { return std::uint64_t{block} * threads_in_block() + thread_rank(); }
  GENESYS_KERNEL unsigned long threads() const { return std::uint64_t{blocks} * threads_in_block(); }
};

}  // namespace genesys

namespace genesys::detail::services {

template <class... S>
constexpr bool has_loadable = (std::is_same_v<S, loadable_services> || ...);

// Calls the service. Its result is that of thread 0; void counts as 0.
template <class S>
GENESYS_KERNEL i64 run_object(const service_block& here, const void* arguments_at, const void* object_at) {
  const S& service = *static_cast<const S*>(object_at);
  const auto& arguments = *static_cast<const typename S::arguments*>(arguments_at);
  if constexpr (std::is_void_v<decltype(service(here, arguments))>) {
    service(here, arguments);
    return 0;
  } else {
    return service(here, arguments);
  }
}

// A change of what follows needs a new version: files that were compiled before are then refused.
constexpr u32 loadable_version = 1;
constexpr u64 loadable_magic = 0x6c'73'79'73'65'6e'65'67;  // "genesysl", read as bytes
constexpr u32 loadable_fields_max = 16, loadable_members_max = 24, loadable_name_bytes = 32;

// All threads of a block call it. Both pointers are of shared memory.
using loaded_function = i64 (*)(u32 block, u32 blocks, const void* arguments, const void* object);

struct loadable_member {
  char name[loadable_name_bytes];  // with its NUL
  u32 offset, kind, count;
};

struct loadable_description {
  u64 magic;
  u32 version;
  u32 argument_bytes, object_bytes;  // 0: empty
  u32 quiet;
  u32 field_count, member_count;
  service_field fields[loadable_fields_max];
  loadable_member members[loadable_members_max];
};
static_assert(std::is_trivially_copyable_v<loadable_description>);

template <class S>
consteval loadable_description describe_loadable() {
  using A = typename S::arguments;
  static_assert(std::is_trivially_copyable_v<S> && alignof(S) <= 16, "services are plain values");
  static_assert(sizeof(S) <= object_bytes_max, "a service has at most 120 bytes");
  static_assert(std::is_trivially_copyable_v<A> && alignof(A) <= 16, "services take plain values");
  static_assert(sizeof(A) <= argument_bytes_max, "arguments have at most 192 bytes: pass a pointer to more");
  loadable_description made{};
  made.magic = loadable_magic;
  made.version = loadable_version;
  made.argument_bytes = std::is_empty_v<A> ? 0 : sizeof(A);
  made.object_bytes = std::is_empty_v<S> ? 0 : sizeof(S);
  if constexpr (requires { S::quiet; }) made.quiet = S::quiet;
  if constexpr (requires { S::fields[0]; }) {
    static_assert(sizeof(S::fields) / sizeof(S::fields[0]) <= loadable_fields_max, "at most 16 fields");
    for (const service_field& each : S::fields) made.fields[made.field_count++] = each;
  }
  if constexpr (requires { S::members[0]; }) {
    static_assert(sizeof(S::members) / sizeof(S::members[0]) <= loadable_members_max, "at most 24 members");
    for (const service_member& each : S::members) {
      loadable_member& to = made.members[made.member_count++];
      for (u32 i = 0; each.name[i] != 0; ++i) to.name[i] = each.name[i];  // a longer name does not compile
      to.offset = each.offset;
      to.kind = each.kind;
      to.count = each.count;
    }
  }
  return made;
}

}  // namespace genesys::detail::services
