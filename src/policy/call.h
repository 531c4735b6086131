// SPDX-License-Identifier: Apache-2.0
// What the policy needs to know about a call besides its plan; generated/calls.h has it for each call.
#pragma once

#include "genesys/detail/table/generated/plans.h"

namespace genesys::detail {

constexpr std::uint8_t no_arg = args_max;
constexpr unsigned paths_max = 2;  // of one call

// An argument that names a file.
struct path_argument {
  std::uint8_t arg = no_arg;
  std::uint8_t directory_arg = no_arg;  // the descriptor where a relative path begins; none: the working directory
  bool follows = true;                  // a link as last component means its target, not itself
  std::uint8_t flags_arg = no_arg;      // `follows` is inverted if this argument
  std::uint32_t flag = 0;               // has this bit
};

struct policy_call {
  const char* name;                   // of its line in the table, `fcntl$F_GETFL`
  const char* domain;                 // the table's file that has the line
  bool io = false;                    // in the profile of that name
  bool closes = false;                // closes the descriptor in its first argument
  bool new_fd = false;                // its result is a new descriptor
  std::uint8_t fds_arg = no_arg;      // points to two new descriptors
  std::uint8_t pollfds_arg = no_arg;  // points to struct pollfd
  std::uint8_t address_arg = no_arg;  // points to a socket address that Linux reads
  path_argument paths[paths_max] = {};

  // The policy has to check its descriptors only, and it makes or closes none.
  constexpr bool is_simple() const {
    return paths[0].arg == no_arg && !closes && !new_fd && fds_arg == no_arg && pollfds_arg == no_arg &&
           address_arg == no_arg;
  }
};

}  // namespace genesys::detail
