// SPDX-License-Identifier: Apache-2.0
// Paths under a policy that confines them. The text of a path decides nothing. Linux resolves it beneath a directory
// that the runtime opened when it was made (openat2(2), RESOLVE_BENEATH), never through links of /proc such as
// /proc/self/fd. The call gets the result as /proc/self/fd/N, which cannot change. Workers call this, any number at
// once.
#pragma once

#include <array>
#include <string>

#include "policy/policy.h"

namespace genesys::detail {

// One path of one call.
class confined_path {
 public:
  // `directory`: the descriptor where a relative path begins, or AT_FDCWD. `follows`: a link as last component means
  // its target. Returns 0 or -errno: -EPERM if the path leads out of what is allowed.
  i64 resolve(policy& rules, int directory, const char* path, bool follows);
  // The path that Linux gets instead.
  const char* text() const { return text_.data(); }

 private:
  own_descriptor at_;
  std::array<char, 32 + 256> text_;  // /proc/self/fd/N/, and a name
};

// open(2), openat2(2), if the path is allowed. Returns a descriptor, or -errno. `resolve`: openat2's flags.
i64 open_confined(policy& rules, int directory, const char* path, u64 flags, u64 mode, u64 resolve);

}  // namespace genesys::detail
