// SPDX-License-Identifier: Apache-2.0
// The services of the daemon that these tests run (daemon.cpp). They run on either device.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "genesys/serve.h"

namespace daemon_services {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct nothing {
  struct arguments {};
  static constexpr const char* name = "nothing";
  static constexpr bool quiet = true;
  GENESYS_KERNEL void operator()(const genesys::service_block&, const arguments&) const {}
};

// to[i] = from[i] xor key. Returns how many words there are.
struct mask {
  struct arguments {
    genesys::service_input from;
    genesys::service_buffer to;
    u64 key;
  };
  static constexpr const char* name = "mask";
  static constexpr genesys::service_field fields[] = {{offsetof(arguments, from), genesys::service_field::input},
                                                      {offsetof(arguments, to), genesys::service_field::output}};
  static constexpr genesys::service_member members[] = {GENESYS_SERVICE_MEMBER(from), GENESYS_SERVICE_MEMBER(to),
                                                        GENESYS_SERVICE_MEMBER(key)};
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    if (with.from.bytes != with.to.bytes || with.from.bytes % sizeof(u64) != 0) return -EINVAL;
    const auto* from = static_cast<const u64*>(with.from.data);
    auto* to = static_cast<u64*>(with.to.data);
    const u64 count = with.from.bytes / sizeof(u64);
    for (u64 i = here.thread(); i < count; i += here.threads()) to[i] = from[i] ^ with.key;
    return here.block == 0 ? static_cast<long>(count) : 0;
  }
  long on_cpu(const arguments& with, unsigned) const {
    if (with.from.bytes != with.to.bytes || with.from.bytes % sizeof(u64) != 0) return -EINVAL;
    const auto* from = static_cast<const u64*>(with.from.data);
    const u64 count = with.from.bytes / sizeof(u64);
    for (u64 i = 0; i < count; ++i) static_cast<u64*>(with.to.data)[i] = from[i] ^ with.key;
    return static_cast<long>(count);
  }
};

// Waits until the first word of its buffer is not 0, and returns it; -ETIME after `wait_ms` (0: no limit). It
// describes only its buffer.
struct wait_for {
  struct arguments {
    genesys::service_buffer word;
    u64 wait_ms;
  };
  static constexpr const char* name = "wait_for";
  static constexpr genesys::service_field fields[] = {{offsetof(arguments, word), genesys::service_field::both}};
  GENESYS_KERNEL long operator()(const genesys::service_block&, const arguments& with) const {
    if (with.word.bytes < sizeof(u32)) return -EINVAL;
    u32 seen = 0;
    genesys::atomic<u32, genesys::thread_scope::system> word(*static_cast<u32*>(with.word.data));
    const u64 begin = genesys::clock_ns();
    while ((seen = word.load()) == 0) {
      if (with.wait_ms != 0 && genesys::clock_ns() - begin > with.wait_ms * 1'000'000) return -ETIME;
      genesys::pause();
    }
    return seen & 0xffffu;
  }
};

// Numbers of each kind, and an array.
struct numbers {
  struct arguments {
    float f;
    std::int8_t small;
    std::uint16_t medium;
    double d;
    std::int64_t large;
    u32 list[4];
  };
  static constexpr const char* name = "numbers";
  static constexpr genesys::service_member members[] = {GENESYS_SERVICE_MEMBER(f),      GENESYS_SERVICE_MEMBER(small),
                                                        GENESYS_SERVICE_MEMBER(medium), GENESYS_SERVICE_MEMBER(d),
                                                        GENESYS_SERVICE_MEMBER(large),  GENESYS_SERVICE_MEMBER(list)};
  GENESYS_KERNEL long operator()(const genesys::service_block&, const arguments& with) const { return sum(with); }
  long on_cpu(const arguments& with, unsigned blocks) const { return static_cast<long>(blocks) * sum(with); }

 private:
  GENESYS_KERNEL static long sum(const arguments& with) {
    return static_cast<long>(with.f * 2) + with.small + with.medium + static_cast<long>(with.d) + with.large +
           with.list[0] + with.list[3];
  }
};

}  // namespace daemon_services
