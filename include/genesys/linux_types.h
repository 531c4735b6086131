// SPDX-License-Identifier: Apache-2.0
// Structures as Linux has them, where the C library's type of that name is another one. For kernels and host programs.
#pragma once

#include <cstddef>

namespace genesys {

// What ioctl<TCGETS> and ioctl<TCSETS...> take: glibc's `struct termios` is longer. The names of the bits and of the
// places in c_cc are those of <termios.h>.
struct linux_termios {
  unsigned c_iflag, c_oflag, c_cflag, c_lflag;
  unsigned char c_line;
  unsigned char c_cc[19];
};

// What pselect6 takes for its signals.
struct linux_sigset_argpack {
  const void* signals;
  std::size_t bytes;
};

}  // namespace genesys
