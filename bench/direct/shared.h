// SPDX-License-Identifier: Apache-2.0
// What the parts share: a runtime for each executor, and for `direct` one for each number of rings; as many rings that
// threads fill; and the files. The first part that runs constructs it.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "direct/fed_ring.h"
#include "direct/limits.h"
#include "direct/runtime.h"
#include "direct/work.h"
#include "genesys/genesys.h"
#include "support/cached_file.h"
#include "support/executor_runtime.h"
#include "support/measure.h"

namespace direct {

using baseline::page_bytes;
using genesys::executor_kind;
using u64 = std::uint64_t;

inline std::string folder = "/tmp";    // --folder
inline unsigned callers_asked = 1024;  // --callers

struct shared {
  explicit shared(measure::bench& all)
      : callers(checked(callers_asked)),
        threads(all, executor_kind::threads),
        uring(all, executor_kind::uring),
        bytes(u64{all.quick() ? 16u : 256u} << 20),
        cached(folder, bytes),
        tmpfs(bytes),
        round_ns(all.quick() ? 10'000'000 : 100'000'000) {
    for (const unsigned rings : rings_tried) {
      direct.emplace(std::piecewise_construct, std::forward_as_tuple(rings),
                     std::forward_as_tuple(all, executor_kind::direct, rings));
      fed.emplace(rings, rings);
    }
    (void)::fsync(cached.fd());
  }
  bool is_measurable() {
    if (direct.at(1).is("direct")) return true;
    std::printf("not measured: %s\n", direct.at(1)->describe().c_str());
    return false;
  }
  bool reads_past_cache() const {
    return past_cache.why_not() == 0 && ::pread(past_cache.fd(), threads.memory(), page_bytes, 0) == page_bytes;
  }
  reads of(int fd, unsigned each, unsigned callers) const {
    return {.fd = fd, .bytes = each, .pieces = static_cast<unsigned>(bytes / each), .callers = callers};
  }

  static unsigned checked(unsigned callers) {
    if (callers < 256 || callers > callers_max || callers % 256 != 0)
      throw measure::failure("--callers: a multiple of 256, at most 4096");
    return callers;
  }

  const unsigned callers;
  runtime threads, uring;
  std::map<unsigned, runtime> direct;  // by rings
  std::map<unsigned, fed_rings> fed;
  const u64 bytes;
  const baseline::cached_file cached, tmpfs;
  const baseline::opened_again past_cache{cached.fd(), O_RDONLY | O_DIRECT};
  static constexpr unsigned rounds = 3;
  const u64 round_ns;
};

}  // namespace direct
