// SPDX-License-Identifier: Apache-2.0
// A number from a sample's command line.
#pragma once

#include <cstdio>
#include <cstdlib>

// A number from `least` to `most`. For anything else it prints a message and ends the program with status 2.
inline unsigned number(const char* text, unsigned least, unsigned most) {
  char* end = nullptr;
  const unsigned long n = std::strtoul(text, &end, 10);
  if (end == text || *end != 0 || *text == '-' || n < least || n > most) {
    std::fprintf(stderr, "'%s' is not a number from %u to %u; see --help\n", text, least, most);
    std::exit(2);
  }
  return static_cast<unsigned>(n);
}
