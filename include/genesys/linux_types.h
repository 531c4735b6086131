// SPDX-License-Identifier: Apache-2.0
// Structures in Linux's own layout, for calls whose structure differs from the C library's type of that name. For
// kernels and host programs.
#pragma once

#include <cstddef>

namespace genesys {

// The argument of ioctl<TCGETS> and ioctl<TCSETS...> (ioctl_tty(2)); glibc's `struct termios` is longer. <termios.h>
// has the names of the bits and of the indices of c_cc.
struct linux_termios {
  unsigned c_iflag, c_oflag, c_cflag, c_lflag;
  unsigned char c_line;
  unsigned char c_cc[19];
};

// The sixth argument of pselect6 (select(2)): the address of a signal set, and its length in bytes.
struct linux_sigset_argpack {
  const void* signals;
  std::size_t bytes;
};

}  // namespace genesys
