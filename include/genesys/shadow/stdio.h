// SPDX-License-Identifier: Apache-2.0
// C's <stdio.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <stdio.h>
#else
using genesys::posix::asprintf;
using genesys::posix::clearerr;
using genesys::posix::dprintf;
using genesys::posix::fclose;
using genesys::posix::fdopen;
using genesys::posix::feof;
using genesys::posix::ferror;
using genesys::posix::fflush;
using genesys::posix::fgetc;
using genesys::posix::fgets;
using genesys::posix::FILE;
using genesys::posix::fileno;
using genesys::posix::fopen;
using genesys::posix::fprintf;
using genesys::posix::fputc;
using genesys::posix::fputs;
using genesys::posix::fread;
using genesys::posix::freopen;
using genesys::posix::fseek;
using genesys::posix::fseeko;
using genesys::posix::ftell;
using genesys::posix::ftello;
using genesys::posix::fwrite;
using genesys::posix::getc;
using genesys::posix::getchar;
using genesys::posix::getdelim;
using genesys::posix::getline;
using genesys::posix::perror;
using genesys::posix::printf;
using genesys::posix::putc;
using genesys::posix::putchar;
using genesys::posix::puts;
using genesys::posix::remove;
using genesys::posix::rename;
using genesys::posix::rewind;
using genesys::posix::setbuf;
using genesys::posix::setlinebuf;
using genesys::posix::setvbuf;
using genesys::posix::snprintf;
using genesys::posix::sprintf;
using genesys::posix::ungetc;
using genesys::posix::vasprintf;
using genesys::posix::vfprintf;
using genesys::posix::vprintf;
using genesys::posix::vsnprintf;
using genesys::posix::vsprintf;
#endif
