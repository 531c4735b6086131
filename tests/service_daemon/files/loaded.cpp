// SPDX-License-Identifier: Apache-2.0
// Services that the daemon of these tests loads, and some that it refuses. LOADED_ADD: what this version adds.
// LOADED_INITIALIZER_MS: how long the shared object takes until it is loaded.
#include "genesys/loadable_service.h"

#if !defined(__CUDACC__)
#include <chrono>
#include <thread>
#endif

#include "loaded.h"

namespace daemon_files {

using genesys::service_block;
using u64 = std::uint64_t;

struct scale : scale_arguments {
  static constexpr genesys::service_member members[] = {GENESYS_SERVICE_MEMBER(from), GENESYS_SERVICE_MEMBER(to),
                                                        GENESYS_SERVICE_MEMBER(by)};
  GENESYS_KERNEL long operator()(const service_block& here, const arguments& with) const {
    if (with.from.bytes != with.to.bytes || with.from.bytes % sizeof(u64) != 0) return -EINVAL;
    const auto* from = static_cast<const u64*>(with.from.data);
    auto* to = static_cast<u64*>(with.to.data);
    const u64 count = with.from.bytes / sizeof(u64);
    for (u64 i = here.thread(); i < count; i += here.threads()) to[i] = from[i] * with.by + LOADED_ADD;
    return here.block == 0 ? static_cast<long>(count) : 0;
  }
  long on_cpu(const arguments& with, unsigned) const {
    if (with.from.bytes != with.to.bytes || with.from.bytes % sizeof(u64) != 0) return -EINVAL;
    const auto* from = static_cast<const u64*>(with.from.data);
    const u64 count = with.from.bytes / sizeof(u64);
    for (u64 i = 0; i < count; ++i) static_cast<u64*>(with.to.data)[i] = from[i] * with.by + LOADED_ADD;
    return static_cast<long>(count);
  }
};

// Waits until the word is not 0, and returns it.
struct hold : hold_arguments {
  GENESYS_KERNEL long operator()(const service_block&, const arguments& with) const {
    if (with.word.bytes < sizeof(std::uint32_t)) return -EINVAL;
    std::uint32_t seen = 0;
    genesys::atomic<std::uint32_t, genesys::thread_scope::system> word(*static_cast<std::uint32_t*>(with.word.data));
    while ((seen = word.load()) == 0) genesys::pause();
    return seen & 0xffffu;
  }
};

// A pointer that nobody would check.
struct pointer {
  struct arguments {
    const std::uint32_t* word;
  };
  GENESYS_KERNEL long operator()(const service_block&, const arguments& with) const {
    return static_cast<long>(*with.word);
  }
};

// A program would give the member its value.
struct with_member {
  struct arguments {};
  u64 value;
  GENESYS_KERNEL long operator()(const service_block&, const arguments&) const { return static_cast<long>(value); }
};

// A field that is not within the arguments.
struct field_outside {
  struct arguments {
    genesys::service_input from;
  };
  static constexpr genesys::service_field fields[] = {{8, genesys::service_field::input}};
  GENESYS_KERNEL long operator()(const service_block&, const arguments&) const { return 0; }
};

#if !defined(__CUDACC__) && defined(LOADED_INITIALIZER_MS)
[[gnu::constructor]] void take_long() { std::this_thread::sleep_for(std::chrono::milliseconds(LOADED_INITIALIZER_MS)); }
#endif

}  // namespace daemon_files

GENESYS_LOADABLE_SERVICE(scale, daemon_files::scale)
GENESYS_LOADABLE_SERVICE(hold, daemon_files::hold)
GENESYS_LOADABLE_SERVICE(mask, daemon_files::scale)
GENESYS_LOADABLE_SERVICE(pointer, daemon_files::pointer)
GENESYS_LOADABLE_SERVICE(with_member, daemon_files::with_member)
GENESYS_LOADABLE_SERVICE(field_outside, daemon_files::field_outside)
GENESYS_LOADABLE_SERVICE(a_name_that_has_more_than_31_bytes, daemon_files::scale)
