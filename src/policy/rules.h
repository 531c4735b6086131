// SPDX-License-Identifier: Apache-2.0
// What a program allows its kernels: a profile (`all`, `io`, `strict`, `none`), and rules that change it, line by line,
// from the options, the environment or a file. docs/security.md has the syntax. Read once, when a runtime is made.
#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "policy/call.h"

namespace genesys::detail {

struct rules {
  std::string name = "all";  // as the program or the environment has it
  std::bitset<plan_count> allowed = std::bitset<plan_count>().set();
  // Kernels may use only descriptors that they opened, or that the program granted.
  bool own_descriptors = false;
  // Kernels may use only directories, regular files, pipes, sockets, links and harmless devices (/dev/null and its
  // kind); sockets only of the families UNIX and INET, without addresses in the file system.
  bool plain_files = false;
  // Executor `direct`: Linux restricts each ring to moving bytes between files and memory that are registered for it.
  // Without this no thread checks what kernels submit, so they may submit nothing if anything is denied.
  bool strict_rings = false;
  std::vector<std::string> paths;  // paths lead beneath one of these; none: anywhere
  std::vector<int> descriptors;    // granted to kernels
  // Kernels may start these and no others, as soon as anything is denied.
  std::vector<std::string> programs;
  // 0: no limit of its own.
  std::uint64_t descriptors_max = 0, parked_max = 0, bounce_bytes = 0, mapped_bytes_max = 0, calls_per_second = 0;

  bool confine_paths() const { return plain_files || !paths.empty(); }
  // Whether anything is denied.
  bool deny_anything() const { return !allowed.all() || own_descriptors || confine_paths(); }
};

// `policy`: the name of a profile, or of a file with rules; empty: the environment's GENESYS_POLICY, else `all`.
// `more`: rules on top of it. Throws error(bad_option), with the place of a wrong rule.
rules read_rules(const std::string& policy, std::string_view more);

}  // namespace genesys::detail
