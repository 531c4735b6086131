// SPDX-License-Identifier: Apache-2.0
// getopt() and getopt_long() for kernels. C's global variables are the members of an option_state here, one for each
// thread that parses. As POSIX says, parsing ends at the first argument that is no option: nothing moves in argv. No
// message is printed.
#pragma once

#include <getopt.h>

#include "genesys/posix/string.h"

namespace genesys::posix {

struct option_state {
  char* optarg = nullptr;
  int optind = 1;  // set it to 0 to parse again
  int opterr = 0;  // has no effect
  int optopt = 0;
  char* inside = nullptr;  // the next letter in an argument with several letters
};

namespace getopt_parts {

// The argument of the option, which follows it in the same argument of the program, or is the next one.
GENESYS_KERNEL bool take_argument(option_state& state, int argc, char* const argv[], char* rest) {
  if (rest != nullptr)
    state.optarg = rest;
  else if (state.optind < argc)
    state.optarg = argv[state.optind++];
  else
    return false;
  return true;
}

GENESYS_KERNEL int missing(const char* letters) { return *letters == ':' ? ':' : '?'; }

GENESYS_KERNEL_OUTLINE inline int letter(option_state& state, int argc, char* const argv[], const char* letters) {
  const char letter = *state.inside++;
  const char* known = letter == ':' || letter == ';' ? nullptr : strchr(letters, letter);
  char* rest = *state.inside != 0 ? state.inside : nullptr;
  if (rest == nullptr) ++state.optind;
  if (known != nullptr && known[1] == ':') {
    if (rest != nullptr) ++state.optind;
    state.inside = nullptr;
    if (known[2] == ':') {
      state.optarg = rest;
    } else if (!take_argument(state, argc, argv, rest)) {
      state.optopt = letter;
      return missing(letters);
    }
    return letter;
  }
  state.inside = rest;
  if (known != nullptr) return letter;
  state.optopt = letter;
  return '?';
}

// The long option with this name, or the only one that begins with it; null if there is none. Options that mean the
// same count as one.
GENESYS_KERNEL const option* find_long(const option* all, const char* name, size_t length) {
  const option* found = nullptr;
  bool ambiguous = false;
  for (const option* o = all; o->name != nullptr; ++o) {
    if (strncmp(o->name, name, length) != 0) continue;
    if (o->name[length] == 0) return o;
    if (found != nullptr && (found->has_arg != o->has_arg || found->flag != o->flag || found->val != o->val))
      ambiguous = true;
    if (found == nullptr) found = o;
  }
  return ambiguous ? nullptr : found;
}

GENESYS_KERNEL_OUTLINE inline int long_option(option_state& state, int argc, char* const argv[], const char* letters,
                                              const option* all, int* index) {
  const char* name = argv[state.optind++] + 2;
  char* end = strchrnul(name, '=');
  char* rest = *end != 0 ? end + 1 : nullptr;
  const option* found = find_long(all, name, static_cast<size_t>(end - name));
  state.optopt = found == nullptr ? 0 : found->val;
  if (found == nullptr || (found->has_arg == no_argument && rest != nullptr)) return '?';
  if (found->has_arg == optional_argument)
    state.optarg = rest;
  else if (found->has_arg == required_argument && !take_argument(state, argc, argv, rest))
    return missing(letters);
  if (index != nullptr) *index = static_cast<int>(found - all);
  if (found->flag == nullptr) return found->val;
  *found->flag = found->val;
  return 0;
}

}  // namespace getopt_parts

// `all` ends with an option whose name is null; null: no long options. Returns as getopt_long(3): the option, 0 for a
// long option with a flag, '?' for an unknown one, -1 at the end. A '+' at the start of `letters` changes nothing.
GENESYS_KERNEL_OUTLINE inline int getopt_long(option_state& state, int argc, char* const argv[], const char* letters,
                                              const option* all, int* index) {
  state.optarg = nullptr;
  if (*letters == '+') ++letters;
  if (state.optind == 0) state.optind = 1, state.inside = nullptr;
  if (state.inside == nullptr) {
    if (state.optind >= argc || argv[state.optind][0] != '-' || argv[state.optind][1] == 0) return -1;
    if (strcmp(argv[state.optind], "--") == 0) {
      ++state.optind;
      return -1;
    }
    if (all != nullptr && argv[state.optind][1] == '-')
      return getopt_parts::long_option(state, argc, argv, letters, all, index);
    state.inside = argv[state.optind] + 1;
  }
  return getopt_parts::letter(state, argc, argv, letters);
}

GENESYS_KERNEL int getopt(option_state& state, int argc, char* const argv[], const char* letters) {
  return getopt_long(state, argc, argv, letters, nullptr, nullptr);
}

}  // namespace genesys::posix
