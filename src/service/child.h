// SPDX-License-Identifier: Apache-2.0
// The child process of an isolated server: it opens the device, registers the server's memory, and launches the
// non-stop kernel when the server asks for it (child_words.h). It has one thread of its own.
#pragma once

#include "genesys/service.h"
#include "service/child_words.h"

namespace genesys::detail::services {

// All that it knows of the server, from before the fork.
struct child_setup {
  const program* what;
  service_options chosen;
  child_words* words;
  serve_context context;  // without the device's memory and the launch
};

// Ends only with the process, or when a launch or the device has failed.
void be_gpu_side(const child_setup& setup, u32 number);

}  // namespace genesys::detail::services
