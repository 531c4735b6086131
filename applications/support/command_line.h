// SPDX-License-Identifier: Apache-2.0
// What the command lines of the applications share. Host code.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "genesys/runtime.h"

namespace application {

// An option whose value is one of some names. `into` has the default.
template <class T>
CLI::Option* add_choice(CLI::App& app, const std::string& option, T& into,
                        const std::vector<std::pair<std::string, T>>& names, const std::string& help) {
  std::string all, standard;
  for (const auto& each : names) {
    all += (all.empty() ? "" : &each == &names.back() ? " or " : ", ") + each.first;
    if (each.second == into) standard = each.first;
  }
  const auto choose = [&into, names, option, all](const std::string& text) {
    for (const auto& [name, value] : names) {
      if (name != text) continue;
      into = value;
      return;
    }
    throw CLI::ValidationError(option, "'" + text + "' is not " + all);
  };
  return app.add_option_function<std::string>(option, choose, help)->type_name("NAME")->default_str(standard);
}

inline void add_device(CLI::App& app, genesys::device_kind& device) {
  add_choice<genesys::device_kind>(
      app, "--device", device,
      {{"any", genesys::device_kind::any}, {"cuda", genesys::device_kind::cuda}, {"cpu", genesys::device_kind::cpu}},
      "Where the kernel runs: any, cuda or cpu");
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
    exit_code = wrong.get_exit_code() == 0 ? app.exit(wrong) : 2;
    if (exit_code != 0)
      std::fprintf(stderr, "%s: %s\nTry '%s --help'.\n", app.get_name().c_str(), wrong.what(), app.get_name().c_str());
    return std::nullopt;
  }
  return chosen;
}
template <class Settings>
std::optional<Settings> parsed(CLI::App& app, int argc, char** argv, Settings& chosen, int& exit_code) {
  return parsed(app, argc, argv, chosen, exit_code, [](const Settings&) {});
}

}  // namespace application
