// SPDX-License-Identifier: Apache-2.0
// Checks a request of a client, and makes the arguments for the server of it. The request is a copy: nothing here reads
// the client's memory. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "genesys/serve.h"
#include "service/client/directory.h"
#include "service/client/ring.h"

namespace genesys::detail::serving {

struct client_range {
  std::byte* data;  // as the device addresses it
  std::uint64_t bytes;
};

struct checked_request {
  alignas(16) std::byte arguments[ring_argument_bytes_max];
  std::uint64_t bytes_in = 0, bytes_out = 0;  // of its buffers
};

// 0, or why it is refused: -EINVAL (the size of its arguments, its blocks, a buffer that is not aligned to 8 bytes),
// -EFAULT (a buffer that is not within `memory`).
long check_request(const served_description& of, const ring_request& asked, const client_range& memory,
                   std::uint32_t blocks_max, checked_request& into);

// Whether a process of the user `asks` may load services into a daemon of the user `own`.
bool may_load(uid_t asks, uid_t own);

// Throws error(bad_option): a description that the daemon cannot check requests with, or two services of one name.
void check_descriptions(const std::vector<const served_description*>& all);
directory_service row_of(const served_description& of);

}  // namespace genesys::detail::serving
