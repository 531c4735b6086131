// SPDX-License-Identifier: Apache-2.0
// Starts an OS thread, or throws an error that names the limits on threads. The runtime and the CPU device use it.
#pragma once

#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "genesys/error.h"

namespace genesys::detail {

// Throws error(system): Linux gives no thread.
template <class F>
std::thread start_thread(F body) {
  try {
    return std::thread(std::move(body));
  } catch (const std::system_error& caught) {
    throw error(error_code::system, std::string("cannot start a thread (") + caught.code().message() +
                                        "): ulimit -u, or the pids.max of a control group, limits them");
  }
}

}  // namespace genesys::detail
