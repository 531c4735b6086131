// SPDX-License-Identifier: Apache-2.0
// The terminal as a program of ncurses has it, for the screens of `genesys trace --live` and `genesys schedule top`.
// One thread uses it.
#pragma once

#ifndef NCURSES_NOMACROS
#define NCURSES_NOMACROS  // "refresh", "erase" and the like are names here, too
#endif
#include <ncurses.h>

#include <string>

namespace genesys::command {

// Whether standard input and output are a terminal.
bool is_terminal();

class terminal {
 public:
  terminal();
  ~terminal() { ::endwin(); }
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;

  // Text of other processes may be in it.
  static void line(int at, const std::string& text, int attributes = 0);
};

// A number of at most six characters, as "12", "345 k", "1.20 M".
std::string rate(double a_second);

}  // namespace genesys::command
