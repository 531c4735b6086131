// SPDX-License-Identifier: Apache-2.0
#include "terminal.h"

#include <unistd.h>

#include <clocale>
#include <cstdio>

#include "printable.h"

namespace genesys::command {

bool is_terminal() { return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0; }

terminal::terminal() {
  std::setlocale(LC_ALL, "");
  ::initscr();
  ::raw();  // Ctrl-C is a key, as q is: the program's output is printed after both
  ::noecho();
  ::curs_set(0);
  ::keypad(stdscr, true);
  ::nodelay(stdscr, true);
}

void terminal::line(int at, const std::string& text, int attributes) {
  if (at >= LINES) return;
  ::attrset(attributes);
  ::mvaddnstr(at, 0, printable(text).c_str(), COLS);
  ::attrset(0);
}

std::string rate(double a_second) {
  char text[32];
  if (a_second >= 1e6) {
    std::snprintf(text, sizeof text, "%.2f M", a_second / 1e6);
  } else if (a_second >= 1e5) {
    std::snprintf(text, sizeof text, "%.0f k", a_second / 1e3);
  } else {
    std::snprintf(text, sizeof text, "%.0f", a_second);
  }
  return text;
}

}  // namespace genesys::command
