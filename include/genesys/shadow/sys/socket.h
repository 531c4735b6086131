// SPDX-License-Identifier: Apache-2.0
// C's <sys/socket.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <sys/socket.h>
#else
// Qualified calls: their arguments are of the host's types, for which C++ would also find the host's functions.
#define accept(...) ::genesys::posix::accept(__VA_ARGS__)
#define accept4(...) ::genesys::posix::accept4(__VA_ARGS__)
#define bind(...) ::genesys::posix::bind(__VA_ARGS__)
#define connect(...) ::genesys::posix::connect(__VA_ARGS__)
#define getpeername(...) ::genesys::posix::getpeername(__VA_ARGS__)
#define getsockname(...) ::genesys::posix::getsockname(__VA_ARGS__)
#define getsockopt(...) ::genesys::posix::getsockopt(__VA_ARGS__)
#define recv(...) ::genesys::posix::recv(__VA_ARGS__)
#define recvfrom(...) ::genesys::posix::recvfrom(__VA_ARGS__)
#define recvmsg(...) ::genesys::posix::recvmsg(__VA_ARGS__)
#define send(...) ::genesys::posix::send(__VA_ARGS__)
#define sendmsg(...) ::genesys::posix::sendmsg(__VA_ARGS__)
#define sendto(...) ::genesys::posix::sendto(__VA_ARGS__)
#define setsockopt(...) ::genesys::posix::setsockopt(__VA_ARGS__)
#define shutdown(...) ::genesys::posix::shutdown(__VA_ARGS__)
#define socket(...) ::genesys::posix::socket(__VA_ARGS__)
#define socketpair(...) ::genesys::posix::socketpair(__VA_ARGS__)
using genesys::posix::accept4;
using genesys::posix::accept;
using genesys::posix::bind;
using genesys::posix::connect;
using genesys::posix::getpeername;
using genesys::posix::getsockname;
using genesys::posix::getsockopt;
using genesys::posix::listen;
using genesys::posix::recv;
using genesys::posix::recvfrom;
using genesys::posix::recvmsg;
using genesys::posix::send;
using genesys::posix::sendmsg;
using genesys::posix::sendto;
using genesys::posix::setsockopt;
using genesys::posix::shutdown;
using genesys::posix::socket;
using genesys::posix::socketpair;
#endif
