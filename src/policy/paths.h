// SPDX-License-Identifier: Apache-2.0
// Paths under a policy that confines them. No text is compared to decide: Linux resolves the path beneath a directory
// that was opened when the runtime was made (openat2(2), RESOLVE_BENEATH), never through links of /proc such as
// /proc/self/fd, and what came of it is named to the call as /proc/self/fd/N, where it cannot change any more. Called
// by workers, any number at once.
#pragma once

#include <array>
#include <string>

#include "policy/policy.h"

namespace genesys::detail {

// One path of one call.
class confined_path {
 public:
  // `directory`: the descriptor that a relative path begins at, or AT_FDCWD. `follows`: where a link as last component
  // leads is meant. 0, or -errno: -EPERM if it leads out of what is allowed.
  i64 resolve(policy& rules, int directory, const char* path, bool follows);
  // What to say to Linux instead of the path.
  const char* text() const { return text_.data(); }

 private:
  own_descriptor at_;
  std::array<char, 32 + 256> text_;  // /proc/self/fd/N/, and a name
};

// open(2), openat2(2): as Linux would, if the path is allowed. A descriptor, or -errno. `resolve`: openat2's flags.
i64 open_confined(policy& rules, int directory, const char* path, u64 flags, u64 mode, u64 resolve);

}  // namespace genesys::detail
