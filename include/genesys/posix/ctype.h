// SPDX-License-Identifier: Apache-2.0
// The functions of <ctype.h> for kernels: classes of characters in the C locale. Any thread may call any function,
// alone. A character is 0 to 255 or EOF (-1); as in C, it belongs to no class from 128 on.
#pragma once

#include <ctype.h>

#include "genesys/detail/target/target.h"

#undef isascii
#undef toascii

namespace genesys::posix {

GENESYS_KERNEL int isascii(int c) { return (c & ~0x7f) == 0; }
GENESYS_KERNEL int toascii(int c) { return c & 0x7f; }

GENESYS_KERNEL int islower(int c) { return c >= 'a' && c <= 'z'; }
GENESYS_KERNEL int isupper(int c) { return c >= 'A' && c <= 'Z'; }
GENESYS_KERNEL int isalpha(int c) { return islower(c | 0x20) && isascii(c); }
GENESYS_KERNEL int isdigit(int c) { return c >= '0' && c <= '9'; }
GENESYS_KERNEL int isalnum(int c) { return isalpha(c) || isdigit(c); }
GENESYS_KERNEL int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
GENESYS_KERNEL int isblank(int c) { return c == ' ' || c == '\t'; }
GENESYS_KERNEL int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
GENESYS_KERNEL int iscntrl(int c) { return (c >= 0 && c < ' ') || c == 0x7f; }
GENESYS_KERNEL int isprint(int c) { return c >= ' ' && c < 0x7f; }
GENESYS_KERNEL int isgraph(int c) { return c > ' ' && c < 0x7f; }
GENESYS_KERNEL int ispunct(int c) { return isgraph(c) && !isalnum(c); }

GENESYS_KERNEL int tolower(int c) { return isupper(c) ? c + ('a' - 'A') : c; }
GENESYS_KERNEL int toupper(int c) { return islower(c) ? c - ('a' - 'A') : c; }

}  // namespace genesys::posix
