// SPDX-License-Identifier: Apache-2.0
// The environment through which `genesys schedule run` talks to the stand-in, and where both look for its file.
#pragma once

namespace genesys::schedule::standin {

inline constexpr char library_name[] = "libcuda.so.1";
// The path of the driver's own library.
inline constexpr char real_library_variable[] = "GENESYS_SCHEDULE_LIBCUDA";
// How important the program is: -20 to 19, as nice(2) has it.
inline constexpr char nice_variable[] = "GENESYS_SCHEDULE_NICE";
// `observe`, `rewrite` or `abort-at-entry`: see test_modes.h.
inline constexpr char test_variable[] = "GENESYS_SCHEDULE_TEST";
// Not 0: kernels that use variables of their module can be aborted, too; see module_image.h.
inline constexpr char shared_variable[] = "GENESYS_SCHEDULE_VARIABLES";
// Not 0: no notes on kernels that are not aborted.
inline constexpr char quiet_variable[] = "GENESYS_SCHEDULE_QUIET";

}  // namespace genesys::schedule::standin
