// SPDX-License-Identifier: Apache-2.0
// C's <unistd.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <unistd.h>
#else
#include <getopt.h>
// An argument for posix_spawn(), which cannot be read. The source may also declare `extern char** environ`: it then
// declares a function that takes a pointer to a function, and is not called.
#define environ environ_of(::genesys::posix::shadow::host())
using genesys::posix::access;
using genesys::posix::chdir;
using genesys::posix::chown;
using genesys::posix::close;
using genesys::posix::copy_file_range;
using genesys::posix::dup;
using genesys::posix::dup2;
using genesys::posix::dup3;
using genesys::posix::faccessat;
using genesys::posix::fchdir;
using genesys::posix::fchown;
using genesys::posix::fchownat;
using genesys::posix::fdatasync;
using genesys::posix::fsync;
using genesys::posix::ftruncate;
using genesys::posix::getcwd;
using genesys::posix::getegid;
using genesys::posix::getentropy;
using genesys::posix::geteuid;
using genesys::posix::getgid;
using genesys::posix::gethostname;
using genesys::posix::getpagesize;
using genesys::posix::getpid;
using genesys::posix::getppid;
using genesys::posix::getuid;
using genesys::posix::isatty;
using genesys::posix::lchown;
using genesys::posix::link;
using genesys::posix::linkat;
using genesys::posix::lockf;
using genesys::posix::lseek;
using genesys::posix::pipe;
using genesys::posix::pipe2;
using genesys::posix::readlink;
using genesys::posix::readlinkat;
using genesys::posix::rmdir;
using genesys::posix::sleep;
using genesys::posix::symlink;
using genesys::posix::symlinkat;
using genesys::posix::truncate;
using genesys::posix::unlink;
using genesys::posix::unlinkat;
using genesys::posix::usleep;
using genesys::posix::shadow::pread;
using genesys::posix::shadow::pwrite;
using genesys::posix::shadow::read;
using genesys::posix::shadow::write;
#endif
