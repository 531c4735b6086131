// SPDX-License-Identifier: Apache-2.0
// What the policy has to know of a call, beside its plan: generated/calls.h has it for each.
#pragma once

#include "genesys/detail/table/generated/plans.h"

namespace genesys::detail {

constexpr std::uint8_t no_arg = args_max;
constexpr unsigned paths_max = 2;  // of one call

// An argument that names a file.
struct path_argument {
  std::uint8_t arg = no_arg;
  std::uint8_t directory_arg = no_arg;  // the descriptor from which a relative path leads; none: the working directory
  bool follows = true;                  // where a link as last component leads is meant, not the link
  std::uint8_t flags_arg = no_arg;      // and the other way round, if this argument
  std::uint32_t flag = 0;               // has this bit
};

struct policy_call {
  const char* name;                   // of its line in the table, `fcntl$F_GETFL`
  const char* domain;                 // the table's file that it stands in
  bool io = false;                    // in the profile of that name
  bool closes = false;                // ends the descriptor that is its first argument
  bool new_fd = false;                // its result is a new descriptor
  std::uint8_t fds_arg = no_arg;      // leads to two new descriptors
  std::uint8_t pollfds_arg = no_arg;  // leads to struct pollfd
  std::uint8_t address_arg = no_arg;  // leads to an address that Linux reads
  path_argument paths[paths_max] = {};

  // Nothing in it but descriptors, and none made or closed.
  constexpr bool is_simple() const {
    return paths[0].arg == no_arg && !closes && !new_fd && fds_arg == no_arg && pollfds_arg == no_arg &&
           address_arg == no_arg;
  }
};

}  // namespace genesys::detail
