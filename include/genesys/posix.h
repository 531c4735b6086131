// SPDX-License-Identifier: Apache-2.0
// The C library for kernels, but for streams (genesys/stdio.h): names and meanings of POSIX, in genesys::posix.
// docs/libc.md.
#pragma once

#include "genesys/posix/dirent.h"
#include "genesys/posix/fcntl.h"
#include "genesys/posix/library.h"
#include "genesys/posix/malloc.h"
#include "genesys/posix/poll.h"
#include "genesys/posix/signal.h"
#include "genesys/posix/sys_mman.h"
#include "genesys/posix/sys_socket.h"
#include "genesys/posix/sys_stat.h"
#include "genesys/posix/time.h"
#include "genesys/posix/unistd.h"
