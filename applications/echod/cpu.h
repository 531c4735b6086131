// SPDX-License-Identifier: Apache-2.0
// The CPU version: the servers of serve.h as threads.
#pragma once

#include <functional>

#include "serve.h"

namespace echod {

// Starts a thread for each server, calls `wait` and then `end`, which ends the servers, and waits for the threads.
void serve_by_cpu(const task& t, u32 servers, const std::function<void()>& wait, const std::function<void()>& end);

}  // namespace echod
