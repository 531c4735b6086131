// SPDX-License-Identifier: Apache-2.0
// posix/fnmatch.h and posix/libgen.h beside glibc.
#include "genesys/posix/fnmatch.h"

#include "beside_glibc.h"
#include "genesys/posix/libgen.h"

namespace glibc {
using ::dirname, ::fnmatch;
char* basename(char* path) { return ::__xpg_basename(path); }
}  // namespace glibc

namespace {
using namespace beside_glibc;

struct pattern_and_text {
  char pattern[64], text[16];
  int flags;
};
struct match {
  long matches;
};
struct path_match {
  long base, base_length, directory, directory_length;
  char changed[2][32];
};

BESIDE_GLIBC(patterns, pattern_and_text, match, { out.matches = c::fnmatch(in.pattern, in.text, in.flags); });

// Where glibc 2.36 is not POSIX's: `*?` lets a later period count as leading (FNM_PERIOD), and no star comes before an
// escaped slash (FNM_PATHNAME). POSIX gives no meaning to a range that ends in a class.
bool is_disputed(const std::string& pattern, int flags) {
  const auto has = [&](const char* part) { return pattern.find(part) != std::string::npos; };
  return ((flags & FNM_PERIOD) != 0 && has("*?")) || ((flags & FNM_PATHNAME) != 0 && has("\\/")) || has("-[:");
}

TEST(Fnmatch, Patterns) {
  chance random(40);
  const char* const brackets[] = {"[[:alpha:]]",   "[a-b]", "[!a]", "[[:upper:]]", "[^[:lower:]b]", "[[.a.]-b]",
                                  "[[=a=]]",       "[]a]",  "[/]",  "[a\\]b]",     "[\\a-\\b]",     "[B-a]",
                                  "[[:foo:]]",     "[a",    "[!]",  "[[:punct:]]", "[a-]",          "[--/]",
                                  "[[:xdigit:]-]", "[]-a]"};
  std::vector<pattern_and_text> all;
  while (all.size() < 2 * examples_max) {
    pattern_and_text e{};
    std::string pattern, text;
    for (u32 n = 1 + random(6); n > 0; --n) {
      const char rare[] = "aabB/.*?-]!^[\\*?";
      if (random(4) == 0)
        pattern += brackets[random(std::size(brackets))];
      else
        pattern += rare[random(random(8) != 0 ? 8 : sizeof rare - 1)];
    }
    for (u32 n = random(7); n > 0; --n) text += "aabB/.-]["[random(random(4) != 0 ? 6 : 9)];
    for (const int flag : {FNM_PATHNAME, FNM_PERIOD, FNM_NOESCAPE, FNM_CASEFOLD, FNM_LEADING_DIR})
      if (random(3) == 0) e.flags |= flag;
    if (is_disputed(pattern, e.flags) || pattern.size() >= sizeof e.pattern) continue;
    std::strcpy(e.pattern, pattern.c_str());
    std::strcpy(e.text, text.c_str());
    all.push_back(e);
  }
  compare<patterns>(all, "fnmatch");
}

// Every character, so every member of every class.
TEST(Fnmatch, Classes) {
  std::vector<pattern_and_text> all;
  for (const char* name : {"alpha", "digit", "alnum", "upper", "lower", "space", "blank", "punct", "print", "graph",
                           "cntrl", "xdigit", "alphas", "digi", "x"})
    for (int c = 1; c < 256; ++c)
      for (const char* start : {"[", "[!"}) {
        pattern_and_text e{};
        std::strcpy(e.pattern, (start + ("[:" + std::string(name)) + ":]]").c_str());
        e.text[0] = static_cast<char>(c);
        all.push_back(e);
      }
  compare<patterns>(all, "fnmatch");
}

// POSIX's answers where glibc's differ.
TEST(Fnmatch, Disputed) {
  EXPECT_EQ(genesys::posix::fnmatch("*?[!a]", "/.", FNM_PERIOD), 0);
  EXPECT_EQ(genesys::posix::fnmatch("*\\/", "/", FNM_PATHNAME), 0);
}

BESIDE_GLIBC(paths, pattern_and_text, path_match, {
  char path[16];
  for (int i = 0; i < 16; ++i) out.changed[0][i] = path[i] = in.text[i];
  const char* found = c::basename(out.changed[0]);
  const bool is_inside = found >= out.changed[0] && found < out.changed[0] + 16;
  out.base = is_inside ? found - out.changed[0] : -*found;
  while (found[out.base_length] != 0) ++out.base_length;
  found = c::dirname(path);
  out.directory = found == path ? 1 : -*found;
  while (found[out.directory_length] != 0) ++out.directory_length;
  for (int i = 0; i < 16; ++i) out.changed[1][i] = found == path && i < out.directory_length ? path[i] : '\0';
  // What follows the result in the array is nobody's.
  for (long i = is_inside ? out.base + out.base_length : 0; i < 16; ++i) out.changed[0][i] = 0;
});

TEST(Libgen, Paths) {
  chance random(41);
  std::vector<pattern_and_text> all(examples_max);
  for (pattern_and_text& e : all) {
    e = {};
    random.fill(e.text, random(12), random(2) != 0 ? "/a" : "//ab.");
  }
  compare<paths>(all, "basename or dirname");
  EXPECT_STREQ(genesys::posix::basename(nullptr), ".");
  EXPECT_STREQ(genesys::posix::dirname(nullptr), ".");
}

}  // namespace
