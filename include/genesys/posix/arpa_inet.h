// SPDX-License-Identifier: Apache-2.0
// The functions of <arpa/inet.h> for kernels: byte order, and Internet addresses as text. Any thread may call any
// function, alone. The results, errno too, are glibc's. inet_ntoa() is missing: its result has no storage of its own.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "genesys/posix/detail/errno.h"
#include "genesys/posix/detail/inet_text.h"
#include "genesys/posix/string.h"

#undef htonl
#undef htons
#undef ntohl
#undef ntohs

namespace genesys::posix {

// --- Byte order. GPUs and the CPUs beside them store the lowest byte first.

GENESYS_KERNEL uint16_t htons(uint16_t of) { return static_cast<uint16_t>(of << 8 | of >> 8); }
GENESYS_KERNEL uint16_t ntohs(uint16_t of) { return htons(of); }
GENESYS_KERNEL uint32_t htonl(uint32_t of) { return of << 24 | (of & 0xff00) << 8 | (of >> 8 & 0xff00) | of >> 24; }
GENESYS_KERNEL uint32_t ntohl(uint32_t of) { return htonl(of); }

// --- Addresses

// What the variables of these names are in C.
GENESYS_KERNEL in6_addr in6addr_any() { return IN6ADDR_ANY_INIT; }
GENESYS_KERNEL in6_addr in6addr_loopback() { return IN6ADDR_LOOPBACK_INIT; }

// Reads an address of the family AF_INET or AF_INET6 into an in_addr or in6_addr. Returns 1; 0 if the text is none, and
// then writes nothing; -1 with EAFNOSUPPORT for another family.
GENESYS_KERNEL int inet_pton(int family, const char* text, void* to) {
  if (family == AF_INET) return detail::libc::read_ipv4(text, strlen(text), static_cast<unsigned char*>(to));
  if (family == AF_INET6) return detail::libc::read_ipv6(text, static_cast<unsigned char*>(to));
  detail::libc::set_errno(EAFNOSUPPORT);
  return -1;
}

// Writes an address as text, at most `bytes` bytes with the null byte, and returns `to`. INET6_ADDRSTRLEN bytes are
// enough. Returns null with ENOSPC if the text is longer, with EAFNOSUPPORT for another family.
GENESYS_KERNEL_OUTLINE inline const char* inet_ntop(int family, const void* from, char* to, socklen_t bytes) {
  char text[INET6_ADDRSTRLEN];
  const auto* address = static_cast<const unsigned char*>(from);
  if (family != AF_INET && family != AF_INET6) {
    detail::libc::set_errno(EAFNOSUPPORT);
    return nullptr;
  }
  char* end = family == AF_INET ? detail::libc::write_ipv4(text, address) : detail::libc::write_ipv6(text, address);
  *end = 0;
  const auto needed = static_cast<size_t>(end - text) + 1;
  if (needed > bytes) {
    detail::libc::set_errno(ENOSPC);
    return nullptr;
  }
  return static_cast<const char*>(memcpy(to, text, needed));
}

// Reads an IPv4 address in any form of inet(3): one to four numbers, decimal, octal or hexadecimal. White space may
// follow. Returns 1, or 0 if the text is none.
GENESYS_KERNEL_OUTLINE inline int inet_aton(const char* text, in_addr* to) {
  uint32_t address = 0;
  if (!detail::libc::read_ipv4_numbers(text, address)) return 0;
  if (to != nullptr) to->s_addr = htonl(address);
  return 1;
}

// The same; INADDR_NONE if the text is none.
GENESYS_KERNEL in_addr_t inet_addr(const char* text) {
  in_addr address;
  return posix::inet_aton(text, &address) != 0 ? address.s_addr : INADDR_NONE;
}

}  // namespace genesys::posix
