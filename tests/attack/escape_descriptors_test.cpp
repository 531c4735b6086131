// SPDX-License-Identifier: Apache-2.0
// Ways out of a policy by descriptors that the kernel does not own.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <array>

#include "escapes.h"

namespace attack {
namespace {

// Control data of a message that carries a descriptor.
u8* rights_for(jail& j, int fd) {
  u8* control = j.bytes(CMSG_SPACE(sizeof fd)).get();
  const cmsghdr head{.cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  std::memcpy(control, &head, sizeof head);
  std::memcpy(control + CMSG_LEN(0), &fd, sizeof fd);
  return control;
}

const escape by_descriptor[] = {
    {"Reading",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_read, {int(hosts(j.outside("secret"))), j.bytes(64).get(), 64}), -EPERM);
     }},
    {"UseOfAHostsDescriptor",
     [](jail& j) {
       const hosts secret(j.outside("secret"));
       const long mine = opened(j, j.inside("file"), O_RDWR);
       ASSERT_GE(mine, 0);
       const auto* buffer = j.bytes(64).get();
       EXPECT_EQ(j.call(SYS_pread64, {int(secret), buffer, 64, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_write, {int(secret), buffer, 64}), -EPERM);
       EXPECT_EQ(j.call(SYS_ftruncate, {int(secret), 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_close, {int(secret)}), -EPERM);
       EXPECT_EQ(j.call(SYS_dup, {int(secret)}), -EPERM);
       EXPECT_EQ(j.call(SYS_fcntl, {int(secret), F_DUPFD, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_fcntl, {int(secret), F_SETFL, O_APPEND}), -EPERM);
       EXPECT_EQ(j.call(SYS_ioctl, {int(secret), FIOCLEX}), -EPERM);
       EXPECT_EQ(j.call(SYS_sendfile, {mine, int(secret), 0, 64}), -EPERM);
       EXPECT_EQ(j.call(SYS_copy_file_range, {int(secret), 0, mine, 0, 64, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_mmap, {0, 4096, PROT_READ, MAP_SHARED, int(secret), 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_fstat, {int(secret), buffer}), -EPERM);
     }},
    {"DuplicatingOver",
     [](jail& j) {
       const hosts secret(j.outside("secret"));
       const long mine = opened(j, j.inside("file"));
       ASSERT_GE(mine, 0);
       EXPECT_EQ(j.call(SYS_dup3, {mine, int(secret), 0}), -EPERM);
       EXPECT_EQ(jail::content("/proc/self/fd/" + std::to_string(secret)), jail::secret);
     }},
    {"Splicing",
     [](jail& j) {
       const hosts secret(j.outside("secret"));
       auto* ends = j.object(std::array<int, 2>{});
       ASSERT_EQ(j.call(SYS_pipe2, {ends, 0}), 0);
       EXPECT_EQ(j.call(SYS_splice, {int(secret), 0, (*ends)[1], 0, 64, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_write, {(*ends)[1], j.text("own"), 3}), 3);
     }},
    {"LyingAboutAPipesEnds",  // bytes that the kernel writes over the result grant it no descriptor
     [](jail& j) {
       const hosts secret(j.outside("secret"));
       auto* ends = j.object(std::array<int, 2>{});
       ASSERT_EQ(j.call(SYS_pipe2, {ends, 0}), 0);
       *ends = {secret, secret};
       EXPECT_EQ(j.call(SYS_read, {int(secret), j.bytes(64).get(), 64}), -EPERM);
     }},
    {"Waiting",
     [](jail& j) {
       const hosts secret(j.outside("secret"));
       auto* polled = j.object(pollfd{secret, POLLIN, 0});
       EXPECT_EQ(j.call(SYS_ppoll, {polled, 1, 0, 0, 8}), 1);
       EXPECT_EQ(polled->revents, POLLNVAL);
       const long epoll = j.call(SYS_epoll_create1, {0});
       ASSERT_GE(epoll, 0);
       EXPECT_EQ(j.call(SYS_epoll_ctl, {epoll, EPOLL_CTL_ADD, int(secret), j.bytes(16).get()}), -EPERM);
       EXPECT_EQ(j.call(SYS_pselect6, {64, j.bytes(64).get(), 0, 0, 0, 0}), -EPERM);
     }},
    {"SendingItToItself",
     [](jail& j) {
       const hosts secret(j.outside("secret"));
       auto* ends = j.object(std::array<int, 2>{});
       ASSERT_EQ(j.call(SYS_socketpair, {AF_UNIX, SOCK_DGRAM, 0, ends}), 0);
       u8* control = rights_for(j, secret);
       const auto* piece = j.object(iovec{const_cast<char*>(j.text("x")), 1});
       msghdr message{};
       message.msg_iov = const_cast<iovec*>(piece);
       message.msg_iovlen = 1;
       message.msg_control = control;
       message.msg_controllen = CMSG_SPACE(sizeof(int));
       EXPECT_EQ(j.call(SYS_sendmsg, {(*ends)[0], j.object(message), 0}), -EBADF);
     }},
    {"ReceivingItsOwn",  // a permitted case: a descriptor that a message carries belongs to the kernel
     [](jail& j) {
       const long mine = opened(j, j.inside("file"));
       auto* ends = j.object(std::array<int, 2>{});
       ASSERT_EQ(j.call(SYS_socketpair, {AF_UNIX, SOCK_DGRAM, 0, ends}), 0);
       u8* control = rights_for(j, static_cast<int>(mine));
       msghdr message{};
       message.msg_iov = j.object(iovec{const_cast<char*>(j.text("x")), 1});
       message.msg_iovlen = 1;
       message.msg_control = control;
       message.msg_controllen = CMSG_SPACE(sizeof(int));
       auto* there = j.object(message);
       ASSERT_EQ(j.call(SYS_sendmsg, {(*ends)[0], there, 0}), 1);
       ASSERT_EQ(j.call(SYS_recvmsg, {(*ends)[1], there, 0}), 1);
       int came;
       std::memcpy(&came, control + CMSG_LEN(0), sizeof came);
       EXPECT_NE(came, mine);
       EXPECT_EQ(j.read(came), "inside\n");
     }},
    {"ANumberThatIsUsedAnew",
     [](jail& j) {
       const long mine = opened(j, j.inside("file"));
       ASSERT_GE(mine, 0);
       ASSERT_EQ(j.call(SYS_close, {mine}), 0);
       const hosts secret(j.outside("secret"));
       ASSERT_EQ(::dup2(secret, static_cast<int>(mine)), mine);
       EXPECT_EQ(j.call(SYS_read, {mine, j.bytes(64).get(), 64}), -EPERM);
       ::close(static_cast<int>(mine));
     }},
    {"GrantedAndRevoked",
     [](jail& j) {
       const hosts secret(j.outside("secret"), O_RDONLY);
       j.rt().grant(secret);
       EXPECT_EQ(j.read(secret), jail::secret);
       j.rt().revoke(secret);
       EXPECT_EQ(j.read(secret), "error -1");
     }},
    {"StandardStreams",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_write, {1, j.text("x"), 1}), -EPERM);
     }},
    {"TheRuntimesOwn",
     [](jail& j) {
       for (int fd = 0; fd < 256; ++fd) {
         if (::fcntl(fd, F_GETFD) < 0) continue;
         EXPECT_LT(j.call(SYS_close, {fd}), 0) << fd;
       }
       EXPECT_EQ(j.call(SYS_close_range, {0, ~0u, 0}), -EOPNOTSUPP);
     }},
    {"ADescriptorsHighBits",
     [](jail& j) {
       const hosts secret(j.outside("secret"));
       EXPECT_EQ(j.call(SYS_read, {0x7'0000'0000 | int(secret), j.bytes(64).get(), 64}), -EPERM);
     }},
};

class ByDescriptor : public Escapes {};
TEST_P(ByDescriptor, IsRefused) { try_out("allow path INSIDE"); }
INSTANTIATE_TEST_SUITE_P(Escape, ByDescriptor, testing::ValuesIn(by_descriptor), name_of);

}  // namespace
}  // namespace attack
