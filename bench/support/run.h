// SPDX-License-Identifier: Apache-2.0
// run() is a bench's main(): it parses, measures and prints on the main thread, and an alarm ends a bench whose kernels
// wait for ever.
#pragma once

#include <unistd.h>

#include <csignal>

#include "support/measure.h"

namespace baseline {

inline int run(measure::bench& all, int argc, char** argv) {
  static constexpr char late[] = "\ngenesys bench: not ended after five minutes, gave up\n";
  std::signal(SIGALRM, [](int) {
    if (::write(2, late, sizeof late - 1) < 0) ::_exit(2);
    ::_exit(1);
  });
  ::alarm(300);
  return all.main(argc, argv);
}

}  // namespace baseline
