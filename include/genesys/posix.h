// SPDX-License-Identifier: Apache-2.0
// The C library for kernels, but for streams (genesys/stdio.h): names and meanings of POSIX, in genesys::posix.
// docs/libc.md.
#pragma once

#include "genesys/posix/arpa_inet.h"
#include "genesys/posix/ctype.h"
#include "genesys/posix/dates.h"
#include "genesys/posix/dirent.h"
#include "genesys/posix/fcntl.h"
#include "genesys/posix/fnmatch.h"
#include "genesys/posix/getopt.h"
#include "genesys/posix/libgen.h"
#include "genesys/posix/library.h"
#include "genesys/posix/malloc.h"
#include "genesys/posix/numbers.h"
#include "genesys/posix/poll.h"
#include "genesys/posix/signal.h"
#include "genesys/posix/spawn.h"
#include "genesys/posix/stdlib.h"
#include "genesys/posix/string.h"
#include "genesys/posix/sys_mman.h"
#include "genesys/posix/sys_select.h"
#include "genesys/posix/sys_socket.h"
#include "genesys/posix/sys_stat.h"
#include "genesys/posix/sys_wait.h"
#include "genesys/posix/time.h"
#include "genesys/posix/unistd.h"
#include "genesys/posix/variables.h"
