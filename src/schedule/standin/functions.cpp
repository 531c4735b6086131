// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/functions.h"

#include <unordered_map>

namespace genesys::schedule::standin {

std::optional<driver_function> function_named(std::string_view name) {
  static const auto& by_name = *[] {
    auto* made = new std::unordered_map<std::string_view, driver_function>;
    for (unsigned number = 0; number < functions_count; ++number) {
      made->emplace(functions[number].name, static_cast<driver_function>(number));
    }
    return made;
  }();
  const auto found = by_name.find(name);
  return found != by_name.end() ? std::optional(found->second) : std::nullopt;
}

}  // namespace genesys::schedule::standin
