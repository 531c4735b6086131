// SPDX-License-Identifier: Apache-2.0
// Ways out of a policy by files that are more than files, and by sockets, without a path that is allowed.
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>

#include "escapes.h"

namespace attack {
namespace {

sockaddr_un unix_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), std::min(path.size() + 1, sizeof address.sun_path));
  return address;
}

const escape by_kind[] = {
    {"MemoryOfTheProcess",
     [](jail& j) {
       EXPECT_EQ(opened(j, j.text("/proc/self/mem"), O_RDWR), -EPERM);
       EXPECT_EQ(opened(j, j.text("/proc/" + std::to_string(::getpid()) + "/mem")), -EPERM);
       EXPECT_EQ(opened(j, j.text("/proc/self/task/" + std::to_string(::getpid()) + "/mem")), -EPERM);
       EXPECT_EQ(opened(j, j.text("/proc/thread-self/maps")), -EPERM);
     }},
    {"LinksOfProc",
     [](jail& j) {
       const hosts secret(j.outside("secret"));
       EXPECT_LT(opened(j, j.text("/proc/self/fd/" + std::to_string(secret))), 0);
       EXPECT_LT(opened(j, j.text("/proc/self/root/etc/passwd")), 0);
       EXPECT_LT(opened(j, j.text("/proc/self/exe")), 0);
     }},
    {"SettingsOfTheSystem",
     [](jail& j) {
       EXPECT_EQ(opened(j, j.text("/proc/sys/kernel/core_pattern"), O_WRONLY), -EPERM);
       EXPECT_EQ(opened(j, j.text("/proc/self/oom_score_adj"), O_WRONLY), -EPERM);
       EXPECT_EQ(opened(j, j.text("/sys/kernel/uevent_seqnum")), -EPERM);
     }},
    {"Devices",
     [](jail& j) {
       for (const char* device : {"/dev/mem", "/dev/kmsg", "/dev/tty", "/dev/fuse", "/dev/net/tun", "/dev/nvidiactl"}) {
         if (::access(device, F_OK) != 0) continue;
         EXPECT_EQ(opened(j, j.text(device), O_RDWR), -EPERM) << device;
       }
       const long null = opened(j, j.text("/dev/null"), O_WRONLY);
       EXPECT_GE(null, 0);
       EXPECT_EQ(j.call(SYS_write, {null, j.text("x"), 1}), 1);
     }},
    {"ALinkToADevice",
     [](jail& j) {
       ASSERT_EQ(::symlinkat("/proc/self/mem", j.in().fd(), "link"), 0);
       EXPECT_EQ(opened(j, j.inside("link"), O_RDWR), -EPERM);
     }},
    {"SocketsWithNames",
     [](jail& j) {
       const long socket = j.call(SYS_socket, {AF_UNIX, SOCK_DGRAM, 0});
       ASSERT_GE(socket, 0);
       for (const std::string& path : {j.out().path() + "/socket", std::string("\0abstract", 9)}) {
         const auto* address = j.object(unix_address(path));
         EXPECT_EQ(j.call(SYS_bind, {socket, address, sizeof *address}), -EPERM);
         EXPECT_EQ(j.call(SYS_connect, {socket, address, sizeof *address}), -EPERM);
         EXPECT_EQ(j.call(SYS_sendto, {socket, j.text("x"), 1, 0, address, sizeof *address}), -EPERM);
         msghdr message{};
         message.msg_name = const_cast<sockaddr_un*>(address);
         message.msg_namelen = sizeof *address;
         EXPECT_EQ(j.call(SYS_sendmsg, {socket, j.object(message), 0}), -EPERM);
       }
     }},
    {"UnixAddressOfALongLength",  // of which Linux takes the low 32 bits
     [](jail& j) {
       if (on_cuda()) return;  // there the memory would have to be pinned
       const long length = (1L << 32) + 4096;
       const long memory =
           j.call(SYS_mmap, {0, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0});
       ASSERT_GE(memory, 0);
       const sockaddr_un address = unix_address((j.out().path() + "/socket").c_str());
       std::memcpy(reinterpret_cast<void*>(memory), &address, sizeof address);
       const long socket = j.call(SYS_socket, {AF_UNIX, SOCK_STREAM, 0});
       EXPECT_EQ(j.call(SYS_connect, {socket, memory, 1L << 32 | sizeof address}), -EPERM);
     }},
    {"DescriptorsByAnOption",
     [](jail& j) {
       const auto* ends = j.object(std::array<int, 2>{});
       ASSERT_EQ(j.call(SYS_socketpair, {AF_UNIX, SOCK_STREAM, 0, ends}), 0);
       constexpr int so_peerpidfd = 77;
       EXPECT_EQ(j.call(SYS_getsockopt, {(*ends)[0], SOL_SOCKET, so_peerpidfd, j.object(0), j.object(4)}), -EPERM);
     }},
    {"SocketsOfOtherKinds",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_socket, {AF_NETLINK, SOCK_DGRAM, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_socket, {AF_PACKET, SOCK_DGRAM, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_socket, {AF_INET, SOCK_RAW, IPPROTO_ICMP}), -EPERM);
       EXPECT_EQ(j.call(SYS_socket, {AF_ALG, SOCK_SEQPACKET, 0}), -EPERM);
       EXPECT_GE(j.call(SYS_socket, {AF_INET, SOCK_STREAM, 0}), 0);
     }},
};

class ByKind : public Escapes {};
TEST_P(ByKind, IsRefused) { try_out(""); }
INSTANTIATE_TEST_SUITE_P(Escape, ByKind, testing::ValuesIn(by_kind), name_of);

}  // namespace
}  // namespace attack
