// SPDX-License-Identifier: Apache-2.0
// Sees to it that a child of fork() knows that it is one (target/forks.h), and has nothing of its parent's that acts on
// the parent: SIGQUIT's handler goes, and the parent's descriptors stay closed to kernels. The parent is not touched.
#pragma once

namespace genesys::detail {

// Before a runtime is made. Throws error(system): forks cannot be seen.
void watch_forks();

}  // namespace genesys::detail
