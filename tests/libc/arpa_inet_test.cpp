// SPDX-License-Identifier: Apache-2.0
// posix/arpa_inet.h beside glibc: addresses, and texts that are almost addresses.
#include "genesys/posix/arpa_inet.h"

#include "beside_glibc.h"

namespace glibc {
using ::inet_addr, ::inet_aton, ::inet_ntop, ::inet_pton;
in6_addr in6addr_any() { return ::in6addr_any; }
in6_addr in6addr_loopback() { return ::in6addr_loopback; }
std::uint16_t htons(std::uint16_t of) { return __bswap_16(of); }
std::uint16_t ntohs(std::uint16_t of) { return __bswap_16(of); }
std::uint32_t htonl(std::uint32_t of) { return __bswap_32(of); }
std::uint32_t ntohl(std::uint32_t of) { return __bswap_32(of); }
}  // namespace glibc

namespace {
using namespace beside_glibc;

struct address {
  int family;
  u32 bytes;  // for the text
  char text[56];
  unsigned char binary[16];
};
struct read_and_written {
  int results[8];
  unsigned char binary[16], other[16];
  char text[64];
};

BESIDE_GLIBC(addresses, address, read_and_written, {
  int& error = genesys::detail::libc::error_number();
  error = 0;
  out.results[0] = c::inet_pton(in.family, in.text, out.binary);
  out.results[1] = error;
  error = 0;
  out.results[2] = c::inet_ntop(in.family, in.binary, out.text, in.bytes) == out.text ? 1 : 0;
  out.results[3] = error;
  in_addr old{};
  out.results[4] = c::inet_aton(in.text, &old);
  out.results[5] = static_cast<int>(old.s_addr);
  out.results[6] = static_cast<int>(c::inet_addr(in.text));
  const in6_addr any = c::in6addr_any();
  const in6_addr loopback = c::in6addr_loopback();
  for (int i = 0; i < 16; ++i) out.other[i] = static_cast<unsigned char>(any.s6_addr[i] ^ loopback.s6_addr[i]);
  const auto bits = static_cast<std::uint32_t>(in.binary[0] | in.binary[1] << 8 | in.binary[2] << 16 | in.bytes << 24);
  const std::uint32_t turned = c::htonl(bits) ^ c::ntohl(bits + 1) << 1;
  const auto half = static_cast<std::uint16_t>(bits);
  out.results[7] = static_cast<int>(turned ^ c::htons(half) ^ static_cast<std::uint32_t>(c::ntohs(half) << 8));
});

// An address with many zeros, so that `::` occurs everywhere.
void fill_binary(chance& random, address& a) {
  const u32 kind = random(4);
  for (int i = 0; i < 8; ++i) {
    const bool zero = kind != 0 && random(3) != 0;
    const u32 group = zero ? 0 : random(2) != 0 ? random(65536) : random(16) << (4 * random(4));
    a.binary[2 * i] = static_cast<unsigned char>(group >> 8), a.binary[2 * i + 1] = static_cast<unsigned char>(group);
  }
  if (kind == 3) std::memset(a.binary, 0, 10);
  if (kind == 3 && random(2) != 0) a.binary[10] = a.binary[11] = 0xff;
}

TEST(ArpaInet, Addresses) {
  chance random(20);
  std::vector<address> all(2 * examples_max);
  for (address& a : all) {
    a = {};
    a.family = random(50) == 0 ? static_cast<int>(random(20)) : random(3) == 0 ? AF_INET : AF_INET6;
    a.bytes = random(2) != 0 ? sizeof(read_and_written::text) : random(50);
    fill_binary(random, a);
    if (random(2) == 0) {
      ::inet_ntop(a.family == AF_INET6 ? AF_INET6 : AF_INET, a.binary, a.text, sizeof a.text);
    } else {
      const bool old = a.family != AF_INET6;
      const char* const parts[] = {":",          "::",         "0",     "1",   "ffff", "abcd1", "1.2.3.4", "255",
                                   "256",        "12:34",      ":5",    "F",   ".",    "0x1f",  "017",     "08",
                                   "4294967295", "4294967296", "65536", "1.2", "0x",   " "};
      std::string text;
      for (u32 i = random(12); i > 0; --i) {
        text += parts[old ? std::min<u32>(2 + random(20), 21) : random(12)];
        if (random(3) != 0) text += old ? "." : ":";
      }
      std::strcpy(a.text, text.substr(0, sizeof a.text - 1).c_str());
    }
    // One character more, less, or another one.
    const std::size_t length = std::strlen(a.text);
    const char letters[] = ":.0123456789abcfFxX g";
    const u32 at = random(length + 1);
    if (random(3) == 0) a.text[at] = length < sizeof a.text - 1 ? letters[random(sizeof letters)] : '\0';
    if (random(8) == 0 && at < length) std::memmove(a.text + at, a.text + at + 1, length - at);
  }
  const char* const rare[] = {"1:2:3:4:5:6:7:8::",
                              "::1:2:3:4:5:6:7:8",
                              "1:2:3:4:5:6:7::8",
                              "1:2:3:4:5:6:7::",
                              "::2:3:4:5:6:7:8",
                              "1::8::",
                              "1:2:3:4:5:6:1.2.3.4",
                              "::ffff:1.2.3.4",
                              "1:2:3:4:5:6:7:1.2.3.4",
                              "12345::",
                              ":::",
                              "::",
                              ":",
                              "",
                              "1:",
                              "::1:"};
  for (const char* text : rare) {
    address a{};
    a.family = AF_INET6;
    std::strcpy(a.text, text);
    all.push_back(a);
  }
  compare<addresses>(all, "a function of arpa/inet.h");
}

}  // namespace
