// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/messages.h"

#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <set>

#include "schedule/standin/environment.h"

namespace genesys::schedule::standin {
namespace {

bool is_quiet() {
  const char* asked = std::getenv(quiet_variable);
  return asked != nullptr && *asked != '\0' && std::string(asked) != "0";
}

}  // namespace

void say(const std::string& text) {
  // One write, so that lines of several processes do not mix. If standard error is closed, nobody reads it.
  const std::string line = "genesys: " + text + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

void say_once(const std::string& subject, const std::string& text) {
  static std::mutex& mutex = *new std::mutex;  // never destroyed: threads may outlive main()
  static std::set<std::string>& printed = *new std::set<std::string>;
  static const bool quiet = is_quiet();
  if (quiet) return;
  {
    const std::lock_guard lock(mutex);
    if (!printed.insert(subject).second) return;
  }
  say(text);
}

}  // namespace genesys::schedule::standin
