// SPDX-License-Identifier: Apache-2.0
// The memory that execve<GENESYS_SPAWN> gets: what posix_spawn(3) has as arguments. <genesys/posix.h> has posix_spawn
// itself, which makes it. For kernels and host programs.
#pragma once

#include <spawn.h>

#include <cstdint>

// The last argument of execve(2), whose fourth Linux ignores.
#define GENESYS_SPAWN 0x73707764

namespace genesys {

// Behind it in memory, each right after the one before, without alignment: `actions` times a spawn_action and its path,
// then `words` and `environment_words` strings. Paths and strings end with a NUL.
struct spawn_request {
  static constexpr std::uint32_t search_path = 1;       // the program's name without a slash is looked up in PATH
  static constexpr std::uint32_t same_environment = 2;  // the child gets the host's environment
  static constexpr std::uint32_t bytes_max = 4u << 20;
  static constexpr std::int32_t known_attributes = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                   POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_RESETIDS | POSIX_SPAWN_SETSID |
                                                   POSIX_SPAWN_USEVFORK;

  std::uint32_t flags;
  std::uint32_t actions, words, environment_words;
  std::int32_t attributes;  // POSIX_SPAWN_SETPGROUP and others, as posix_spawnattr_setflags(3)
  std::int32_t group;       // with POSIX_SPAWN_SETPGROUP
  std::uint64_t mask;       // blocked signals, with POSIX_SPAWN_SETSIGMASK; else none is blocked. Bit n - 1: signal n
  std::uint64_t defaults;   // signals with their default action, with POSIX_SPAWN_SETSIGDEF
};

// What the child does with its descriptors, in the order of the actions.
struct spawn_action {
  enum kind : std::uint32_t { open, close, duplicate, change_directory, change_directory_to_descriptor };
  std::uint32_t what;
  std::int32_t fd;           // that is opened, closed or duplicated, or of the directory
  std::int32_t to;           // duplicate: the new number
  std::uint32_t flags;       // open
  std::uint32_t mode;        // open
  std::uint32_t path_bytes;  // of the path behind this action, its NUL included: of open and change_directory; else 0
};

}  // namespace genesys
