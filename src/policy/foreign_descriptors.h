// SPDX-License-Identifier: Apache-2.0
// Descriptors of others that kernels cannot use: the driver's; and, in a child of fork(), those of its parent's
// runtimes. Their owners close them without notice, and Linux may then give the number to a kernel. Any thread.
#pragma once

#include <string>

#include "policy/descriptors.h"

namespace genesys::detail {

// What /proc/self/fd says of a descriptor: "/dev/nvidia0", "anon_inode:[eventfd]", "socket:[4711]"; empty if it is
// closed.
std::string link_of(int fd);

// Protects the descriptor. `link`: what it is now; empty: unknown.
void protect_foreign(int fd, std::string link);

// A kernel claims that it has opened `fd` through a shared ring, a call that no thread of the process has seen. Ends
// the protection only if the number has another file now than when it was protected. If that file is unknown, the
// number must now have a file with a path, outside /dev.
void end_protection_if_reused(int fd);

}  // namespace genesys::detail
