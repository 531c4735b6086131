// SPDX-License-Identifier: Apache-2.0
// `genesys schedule run`: starts a program with the stand-in before the driver's library.
#pragma once

namespace genesys::command {

inline constexpr char schedule_run_about[] = "Runs an unmodified program whose kernels are scheduled by priority";

// argv[0] is `run`. Does not return if the program starts, because the program takes this process.
int schedule_run_main(int argc, char** argv);

}  // namespace genesys::command
