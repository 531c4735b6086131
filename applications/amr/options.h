// SPDX-License-Identifier: Apache-2.0
// The command line. Host only; main calls parse() once.
#pragma once

#include <optional>
#include <string>

#include "genesys/runtime.h"
#include "mesh.h"

namespace amr {

enum class version { kernel, openmp, vectors };

struct settings {
  genesys::device_kind device = genesys::device_kind::any;
  version by = version::kernel;
  u32 levels = 4, first_level = 2, steps = 256, leaves_max = 1u << 17;
  u64 watermark_mib = ~u64{0} >> 20, limit_mib = 0;  // limit 0: none
  u32 blocks = 0, threads = 0;                       // 0: chosen for the device
  std::string timeline;
  bool statistics = false;
};

// Returns nothing if the program must end with `exit_code`; all messages are printed.
std::optional<settings> parse(int argc, char** argv, int& exit_code);

}  // namespace amr
