// SPDX-License-Identifier: Apache-2.0
// A service that these tests load from a file: to[i] = from[i] * factor + AFFINE_ADD. Two files have it, with another
// AFFINE_ADD and the same names. A request returns how many words it has written.
#pragma once

#include <cstddef>

#include "genesys/loadable_service.h"

namespace service_loading {

struct affine_arguments {
  genesys::service_input from;
  genesys::service_buffer to;
};

template <unsigned add>
struct affine_by {
  using arguments = affine_arguments;
  static constexpr genesys::service_field fields[] = {{offsetof(arguments, from), genesys::service_field::input},
                                                      {offsetof(arguments, to), genesys::service_field::output}};
  static constexpr genesys::service_member members[] = {GENESYS_SERVICE_MEMBER(from), GENESYS_SERVICE_MEMBER(to)};
  std::uint64_t factor = 1;

  // Shared memory and barriers, as a service of the list may use them.
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    auto& written = genesys::shared<unsigned, affine_by>();
    if (genesys::thread_rank() == 0) written = 0;
    genesys::sync_block();
    const auto* const from = static_cast<const std::uint64_t*>(with.from.data);
    auto* const to = static_cast<std::uint64_t*>(with.to.data);
    unsigned mine = 0;
    for (std::uint64_t i = here.thread(); i < with.from.bytes / 8; i += here.threads(), ++mine)
      to[i] = from[i] * factor + add;
    genesys::atomic<unsigned, genesys::thread_scope::block>(written).fetch_add(mine);
    genesys::sync_block();
    return written;
  }
  long on_cpu(const arguments& with, unsigned) const {
    const auto* const from = static_cast<const std::uint64_t*>(with.from.data);
    for (std::uint64_t i = 0; i < with.from.bytes / 8; ++i)
      static_cast<std::uint64_t*>(with.to.data)[i] = from[i] * factor + add;
    return static_cast<long>(with.from.bytes / 8);
  }
};

}  // namespace service_loading
