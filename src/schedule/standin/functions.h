// SPDX-License-Identifier: Apache-2.0
// The table of libcuda's functions as data: their numbers, their names, and what orders them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace genesys::schedule::standin {

// What a function waits for, or runs behind.
enum class function_order : std::uint8_t {
  none,            // it neither uses a stream nor ends the life of what kernels use; or it waits for an event, whose
                   // record is ordered itself
  stream,          // the stream that is its argument
  default_stream,  // the default stream: of the context, or of the thread if the name ends in _ptds
  all_streams,     // all streams of a context, or it frees what kernels may use
  launch           // it launches a kernel, in the stream that is its argument or in its configuration
};

// `driver_function::cuInit`: the position of cuInit in the table.
enum class driver_function : std::uint16_t {
#define DRIVER_FUNCTION(name, order, argument) name,
#include "schedule/standin/functions.inc"
#undef DRIVER_FUNCTION
  count_
};
inline constexpr unsigned functions_count = static_cast<unsigned>(driver_function::count_);

struct function_entry {
  const char* name;
  function_order order;
  std::uint8_t argument;  // the position of the stream
};

inline constexpr function_entry functions[functions_count] = {
#define DRIVER_FUNCTION(name, order, argument) {#name, function_order::order, argument},
#include "schedule/standin/functions.inc"
#undef DRIVER_FUNCTION
};

inline const function_entry& entry_of(driver_function which) { return functions[static_cast<unsigned>(which)]; }
// Whether the default stream that it uses is that of the thread: its name ends in _ptsz or _ptds.
inline bool uses_stream_of_thread(std::string_view name) { return name.ends_with("_ptsz") || name.ends_with("_ptds"); }
// Whether the function waits for the work that orders it; other functions return while that work runs.
constexpr bool waits_for_work(std::string_view name) {
  const bool copies = name.starts_with("cuMemcpy") && name.find("Async") == name.npos;
  const bool frees = name.starts_with("cuMemFree") && name.find("Async") == name.npos;
  return copies || frees || name.find("Synchronize") != name.npos || name == "cuMemHostUnregister" ||
         name.starts_with("cuCtxDestroy") || name.starts_with("cuDevicePrimaryCtxRe");
}
std::optional<driver_function> function_named(std::string_view name);

}  // namespace genesys::schedule::standin
