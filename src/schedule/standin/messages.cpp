// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/messages.h"

#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <set>

#include "schedule/standin/environment.h"

namespace genesys::schedule::standin {
void say(const std::string& text) {
  // One write, so that lines of several processes do not mix. If standard error is closed, nobody reads it.
  const std::string line = "genesys: " + text + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

void say_once(const std::string& subject, const std::string& text) {
  static std::mutex& mutex = *new std::mutex;  // never destroyed: threads may outlive main()
  static std::set<std::string>& printed = *new std::set<std::string>;
  static const bool quiet = is_on(quiet_variable);
  if (quiet) return;
  {
    const std::lock_guard lock(mutex);
    if (!printed.insert(subject).second) return;
  }
  say(text);
}

void say_not_aborted(const std::string& kernel, const std::string& why) {
  say_once(why, "kernel " + kernel + ", and perhaps others, are not aborted: " + why);
}

}  // namespace genesys::schedule::standin
