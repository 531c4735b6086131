// SPDX-License-Identifier: Apache-2.0
// C's <spawn.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <spawn.h>
#else
using genesys::posix::posix_spawn;
using genesys::posix::posix_spawn_file_actions_addchdir_np;
using genesys::posix::posix_spawn_file_actions_addclose;
using genesys::posix::posix_spawn_file_actions_adddup2;
using genesys::posix::posix_spawn_file_actions_addfchdir_np;
using genesys::posix::posix_spawn_file_actions_addopen;
using genesys::posix::posix_spawn_file_actions_destroy;
using genesys::posix::posix_spawn_file_actions_init;
using genesys::posix::posix_spawn_file_actions_t;
using genesys::posix::posix_spawnattr_destroy;
using genesys::posix::posix_spawnattr_init;
using genesys::posix::posix_spawnattr_setflags;
using genesys::posix::posix_spawnattr_setpgroup;
using genesys::posix::posix_spawnattr_setsigdefault;
using genesys::posix::posix_spawnattr_setsigmask;
using genesys::posix::posix_spawnattr_t;
using genesys::posix::posix_spawnp;
#endif
