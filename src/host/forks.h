// SPDX-License-Identifier: Apache-2.0
// Lets a child of fork() know that it is one (target/forks.h). The child gets no SIGQUIT handler, and its kernels
// cannot reach the parent's descriptors. The parent does not change.
#pragma once

namespace genesys::detail {

// Called before a runtime is made. Throws error(system): forks cannot be detected.
void watch_forks();

}  // namespace genesys::detail
