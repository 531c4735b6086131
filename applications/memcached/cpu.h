// SPDX-License-Identifier: Apache-2.0
// The CPU version: the servers of serve.h as threads; and the same with vector instructions.
#pragma once

#include <functional>

#include "serve.h"

namespace memcached {

// Starts a thread for each server, calls `wait` and then `end`, which ends the servers, and waits for the threads.
void serve_by_cpu(const task& t, u32 servers, bool with_vectors, const std::function<void()>& wait,
                  const std::function<void()>& end);

}  // namespace memcached
