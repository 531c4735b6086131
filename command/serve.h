// SPDX-License-Identifier: Apache-2.0
// `genesys serve`: the daemon that offers services of a GPU to other processes.
#pragma once

namespace genesys::command {

inline constexpr char serve_about[] = "The daemon that offers services of a GPU to other processes";

// Becomes genesys-serve, which lies beside this program. `argv[0]` is "serve". The exit
// status, if that fails.
int become_serve(char** argv);

}  // namespace genesys::command
