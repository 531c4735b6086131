// SPDX-License-Identifier: Apache-2.0
// The environment through which `genesys schedule run` talks to the stand-in, and where both look for its file.
#pragma once

#include <cstdlib>
#include <string_view>

namespace genesys::schedule::standin {

inline constexpr char library_name[] = "libcuda.so.1";
// The path of the driver's own library.
inline constexpr char real_library_variable[] = "GENESYS_SCHEDULE_LIBCUDA";
// How important the program is: -20 to 19, as nice(2) has it.
inline constexpr char nice_variable[] = "GENESYS_SCHEDULE_NICE";
// `observe`, `rewrite`, `abort-at-entry` or `abort-at-random`: see test_modes.h.
inline constexpr char test_variable[] = "GENESYS_SCHEDULE_TEST";
// What the random moments of abort-at-random depend on.
inline constexpr char seed_variable[] = "GENESYS_SCHEDULE_TEST_SEED";
// Not 0: kernels that use variables of their module can be aborted, too; see module_image.h.
inline constexpr char shared_variable[] = "GENESYS_SCHEDULE_VARIABLES";
// How much device memory the copies take that are made before launches, at most, in MiB: see launch_snapshot.h.
inline constexpr char snapshot_variable[] = "GENESYS_SCHEDULE_SNAPSHOT_MIB";
// Not 0: at its end the program prints how many launches were aborted.
inline constexpr char report_variable[] = "GENESYS_SCHEDULE_REPORT";
// Not 0: no notes on kernels that are not aborted.
inline constexpr char quiet_variable[] = "GENESYS_SCHEDULE_QUIET";

// Whether a variable is set to something other than 0.
inline bool is_on(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

}  // namespace genesys::schedule::standin
