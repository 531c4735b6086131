// SPDX-License-Identifier: Apache-2.0
// Prints calls with the generated names of the table (decode.h).
#include "trace/decode.h"

#include <fcntl.h>

#include <cstdio>

#include "trace/generated/checks.h"
#include "trace/generated/names.h"

namespace genesys::trace {
namespace {

template <class T>
std::string printed(const char* format, T value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// Words of 32 bits are printed as Linux takes them: without their upper half.
std::string argument(shown as, std::uint64_t word) {
  const auto low = static_cast<std::uint32_t>(word);
  const auto low_signed = static_cast<std::int32_t>(low);
  switch (as) {
    case shown::decimal32:
      return std::to_string(low_signed);
    case shown::unsigned32:
      return std::to_string(low);
    case shown::decimal64:
      return std::to_string(static_cast<std::int64_t>(word));
    case shown::unsigned64:
      return std::to_string(word);
    case shown::hex32:
      return low == 0 ? "0" : printed("0x%x", low);
    case shown::hex64:
      return word == 0 ? "0" : printed("0x%llx", static_cast<unsigned long long>(word));
    case shown::octal32:
      return low == 0 ? "0" : printed("0%o", low);
    case shown::dirfd:
      return low_signed == AT_FDCWD ? "AT_FDCWD" : std::to_string(low_signed);
    case shown::pointer:
      return word == 0 ? "null" : printed("0x%llx", static_cast<unsigned long long>(word));
  }
  return "?";
}

const call_names& names_of(const detail::call_plan* plan) { return names[plan - detail::plans]; }

}  // namespace

std::string call_name(std::uint64_t number) {
  if (!detail::is_planned(number)) return "syscall_" + std::to_string(number);
  return names[detail::by_number.place[number]].name;  // variants share it
}

std::string decode(std::uint64_t number, const std::uint64_t* args) {
  const detail::call_plan* plan = detail::plan_of_call(number, args);
  const unsigned count = plan ? plan->args_count : detail::args_max;
  std::string text = call_name(number) + "(";
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    if (plan) {
      const arg_names& arg = names_of(plan).args[i];
      text += std::string(arg.name) + "=" + argument(arg.as, args[i]);
    } else {
      text += printed("0x%llx", static_cast<unsigned long long>(args[i]));
    }
  }
  return text + ")";
}

}  // namespace genesys::trace
