// SPDX-License-Identifier: Apache-2.0
// config: reads `name = value` line by line, and prints the settings sorted, or what is wrong, with file and line.
#include <genesys/stdio.h>

#include "kernel_main.h"

namespace posix = genesys::posix;

struct setting {
  char* name;
  char* text;  // or null: a number
  long number;
};

struct config {
  GENESYS_KERNEL int operator()(genesys::os os, int, char* const* argv) const {
    posix::library c(os);
    const char* const file = argv[1];
    posix::FILE* const in = posix::fopen(file, "r");
    if (in == nullptr) return posix::perror(file), 1;
    setting* all = nullptr;
    std::size_t count = 0, room = 0, bytes = 0;
    int status = 0;
    char* line = nullptr;
    errno = 0;  // at the end only an error of getline sets it
    for (long number = 1; posix::getline(&line, &bytes, in) >= 0; ++number) {
      char* const text = trimmed(line);
      if (*text == 0 || *text == '#') continue;
      if (count == room) {
        room = 2 * room + 8;
        auto* const more = static_cast<setting*>(posix::realloc(all, room * sizeof(setting)));
        if (more == nullptr) return posix::perror(file), 1;
        all = more;
      }
      const char* wrong = parse(text, all[count]);
      for (std::size_t i = 0; wrong == nullptr && i < count; ++i)
        if (posix::strcmp(all[i].name, all[count].name) == 0) wrong = "is set twice";
      if (wrong == nullptr) {
        ++count;
      } else {
        posix::fprintf(posix::standard_error(), "%s:%ld: %s: %s\n", file, number, text, wrong);
        status = 1;
      }
    }
    if (posix::ferror(in)) status = (posix::perror(file), 1);
    posix::fclose(in);
    if (status != 0) return status;
    posix::qsort(all, count, sizeof(setting), [](const void* a, const void* b) {
      return posix::strcmp(static_cast<const setting*>(a)->name, static_cast<const setting*>(b)->name);
    });
    for (std::size_t i = 0; i < count; ++i) {
      if (all[i].text == nullptr)
        posix::printf("%s = %ld\n", all[i].name, all[i].number);
      else
        posix::printf("%s = \"%s\"\n", all[i].name, all[i].text);
    }
    return written("config", 0);
  }

  // The text without the blanks around it.
  GENESYS_KERNEL static char* trimmed(char* text) {
    while (posix::isspace(*text)) ++text;
    char* end = text + posix::strlen(text);
    while (end > text && posix::isspace(end[-1])) --end;
    *end = 0;
    return text;
  }

  // What is wrong with a line; or null, and the setting. A value is a number as strtol reads it, or a text in quotes.
  GENESYS_KERNEL static const char* parse(const char* line, setting& made) {
    char* const name = posix::strdup(line);
    char* const equals = name == nullptr ? nullptr : posix::strchr(name, '=');
    if (name == nullptr) return "no memory";
    if (equals == nullptr) return "has no '='";
    *equals = 0;
    made = {trimmed(name), nullptr, 0};
    if (*made.name == 0) return "has no name";
    char* const value = trimmed(equals + 1);
    const std::size_t length = posix::strlen(value);
    if (*value == '"') {
      if (length < 2 || value[length - 1] != '"') return "has no closing quote";
      value[length - 1] = 0;
      made.text = value + 1;
      return nullptr;
    }
    char* end;
    errno = 0;
    made.number = posix::strtol(value, &end, 0);
    if (end == value || *end != 0) return "is no number";
    return errno == ERANGE ? "is out of range" : nullptr;
  }
};

int main(int argc, char** argv) {
  return kernel_main(config{}, argc, argv, 1,
                     "usage: config FILE\nPrints the settings of FILE, sorted, or the lines that are wrong.",
                     {.threads = {1}});
}
