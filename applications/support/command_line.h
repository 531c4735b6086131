// SPDX-License-Identifier: Apache-2.0
// What the command lines of the applications share. Host code.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>

#include "genesys/runtime.h"

namespace application {

inline void add_device(CLI::App& app, genesys::device_kind& device) {
  const std::map<std::string, genesys::device_kind> devices{
      {"any", genesys::device_kind::any}, {"cuda", genesys::device_kind::cuda}, {"cpu", genesys::device_kind::cpu}};
  app.add_option("--device", device, "Where the kernel runs: any, cuda or cpu")
      ->transform(CLI::Transformer(devices).description(""));
}

// What the command line has stored in `chosen`, to which the options of `app` refer; or nothing if the program must end
// with `exit_code`, because of --help or of a wrong option. Then all messages are printed. `check(chosen)` may throw
// CLI::ValidationError.
template <class Settings, class Check>
std::optional<Settings> parsed(CLI::App& app, int argc, char** argv, Settings& chosen, int& exit_code,
                               const Check& check) {
  try {
    app.parse(argc, argv);
    check(chosen);
  } catch (const CLI::ParseError& wrong) {
    exit_code = app.exit(wrong) == 0 ? 0 : 2;
    return std::nullopt;
  }
  return chosen;
}
template <class Settings>
std::optional<Settings> parsed(CLI::App& app, int argc, char** argv, Settings& chosen, int& exit_code) {
  return parsed(app, argc, argv, chosen, exit_code, [](const Settings&) {});
}

}  // namespace application
