// SPDX-License-Identifier: Apache-2.0
// Ways out of a policy, one test each: a kernel under `io`, confined to a folder, tries to reach what it may not. Each
// jail checks its canary at the end. docs/security.md says what is promised.
#include <fcntl.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "jail.h"

namespace attack {

using namespace contract;

namespace {

struct escape {
  const char* name;
  void (*tried)(jail&);
};
void PrintTo(const escape& one, std::ostream* to) { *to << one.name; }

// A descriptor of the host's own.
class hosts {
 public:
  explicit hosts(const std::string& path, int flags = O_RDWR) : fd_(::open(path.c_str(), flags | O_CLOEXEC)) {}
  ~hosts() { ::close(fd_); }
  hosts(const hosts&) = delete;
  hosts& operator=(const hosts&) = delete;
  operator int() const { return fd_; }  // NOLINT: it is a descriptor

 private:
  int fd_;
};

long opened(jail& j, const char* path, int flags = O_RDONLY) { return j.call(SYS_openat, {AT_FDCWD, path, flags, 0}); }

sockaddr_un unix_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), std::min(path.size() + 1, sizeof address.sun_path));
  return address;
}

// Control data of a message that carries a descriptor.
u8* rights_for(jail& j, int fd) {
  u8* control = j.bytes(CMSG_SPACE(sizeof fd)).get();
  const cmsghdr head{.cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  std::memcpy(control, &head, sizeof head);
  std::memcpy(control + CMSG_LEN(0), &fd, sizeof fd);
  return control;
}

// --- Paths.

const escape by_path[] = {
    {"Absolute",
     [](jail& j) {
       EXPECT_EQ(opened(j, j.outside("secret")), -EPERM);
       EXPECT_EQ(j.call(SYS_truncate, {j.outside("secret"), 0}), -EPERM);
       EXPECT_EQ(j.rt().stats().denied, (std::map<std::string, std::uint64_t>{{"openat", 1}, {"truncate", 1}}));
     }},
    {"ParentInAbsolute",
     [](jail& j) {
       const std::string name = std::filesystem::path(j.out().path()).filename();
       EXPECT_EQ(opened(j, j.inside("../" + name + "/secret")), -EPERM);
       EXPECT_EQ(opened(j, j.inside("folder/../../" + name + "/secret")), -EPERM);
     }},
    {"ParentFromDirectory",
     [](jail& j) {
       const long directory = opened(j, j.inside("folder"), O_RDONLY | O_DIRECTORY);
       ASSERT_GE(directory, 0);
       const std::string name = std::filesystem::path(j.out().path()).filename();
       EXPECT_EQ(j.call(SYS_openat, {directory, j.text("../../" + name + "/secret"), O_RDONLY, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_openat, {directory, j.text(".."), O_RDONLY | O_DIRECTORY, 0}), -EPERM);
     }},
    {"SiblingWithTheSameBeginning",
     [](jail& j) { EXPECT_EQ(opened(j, j.text(j.in().path() + "-and-more/secret")), -EPERM); }},
    {"AbsoluteLink",
     [](jail& j) {
       ASSERT_EQ(::symlinkat(j.outside("secret"), j.in().fd(), "link"), 0);
       EXPECT_EQ(opened(j, j.inside("link")), -EPERM);
     }},
    {"LinkOfItsOwn",
     [](jail& j) {
       ASSERT_EQ(j.call(SYS_symlinkat, {j.outside("secret"), AT_FDCWD, j.inside("link")}), 0);
       EXPECT_EQ(opened(j, j.inside("link")), -EPERM);
     }},
    {"RelativeLink",
     [](jail& j) {
       const std::string name = std::filesystem::path(j.out().path()).filename();
       ASSERT_EQ(::symlinkat(("../" + name + "/secret").c_str(), j.in().fd(), "link"), 0);
       EXPECT_EQ(opened(j, j.inside("link")), -EPERM);
     }},
    {"LinkedFolder",
     [](jail& j) {
       ASSERT_EQ(::symlinkat(j.out().path().c_str(), j.in().fd(), "link"), 0);
       EXPECT_EQ(opened(j, j.inside("link/secret")), -EPERM);
       EXPECT_EQ(opened(j, j.inside("link"), O_PATH | O_DIRECTORY), -EPERM);
     }},
    {"CreatingThroughALink",
     [](jail& j) {
       ASSERT_EQ(::symlinkat(j.outside("fresh"), j.in().fd(), "link"), 0);
       EXPECT_EQ(opened(j, j.inside("link"), O_WRONLY | O_CREAT), -EPERM);
     }},
    {"TruncatingAtOpen", [](jail& j) { EXPECT_EQ(opened(j, j.outside("secret"), O_WRONLY | O_TRUNC), -EPERM); }},
    {"Openat2WithoutResolve",
     [](jail& j) {
       const auto* how = j.object(open_how{O_RDONLY, 0, 0});
       EXPECT_EQ(j.call(SYS_openat2, {AT_FDCWD, j.outside("secret"), how, sizeof *how}), -EPERM);
     }},
    {"Openat2InRoot",
     [](jail& j) {
       ASSERT_EQ(::symlinkat(j.outside("secret"), j.in().fd(), "link"), 0);
       const auto* how = j.object(open_how{O_RDONLY, 0, RESOLVE_IN_ROOT});
       EXPECT_LT(j.call(SYS_openat2, {AT_FDCWD, j.inside("link"), how, sizeof *how}), 0);
     }},
    {"Openat2OfTheFuture",
     [](jail& j) {
       const struct {
         open_how how;
         u64 more;
       } longer{{O_RDONLY, 0, 0}, 0};
       EXPECT_LT(j.call(SYS_openat2, {AT_FDCWD, j.outside("secret"), j.object(longer), sizeof longer}), 0);
     }},
    {"LinkOfProcToAHostsDescriptor",
     [](jail& j) {
       const hosts secret(j.outside("secret"));
       EXPECT_EQ(opened(j, j.text("/proc/self/fd/" + std::to_string(secret))), -EPERM);
       EXPECT_EQ(opened(j, j.text("/dev/fd/" + std::to_string(secret))), -EPERM);
     }},
    {"LinkToLinkOfProc",
     [](jail& j) {
       const hosts secret(j.outside("secret"));
       ASSERT_EQ(::symlinkat(("/proc/self/fd/" + std::to_string(secret)).c_str(), j.in().fd(), "link"), 0);
       EXPECT_EQ(opened(j, j.inside("link")), -EPERM);
     }},
    {"RootOfProc",
     [](jail& j) { EXPECT_EQ(opened(j, j.text("/proc/self/root" + j.out().path() + "/secret")), -EPERM); }},
    {"WorkingDirectory",
     [](jail& j) {
       EXPECT_EQ(opened(j, j.text(".")), -EPERM);
       EXPECT_EQ(opened(j, j.text("../../../../../../../../.." + j.out().path() + "/secret")), -EPERM);
     }},
    {"Truncate",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_truncate, {j.outside("secret"), 0}), -EPERM);
     }},
    {"Unlink",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_unlinkat, {AT_FDCWD, j.outside("secret"), 0}), -EPERM);
     }},
    {"UnlinkByParent",
     [](jail& j) {
       const std::string name = std::filesystem::path(j.out().path()).filename();
       EXPECT_EQ(j.call(SYS_unlinkat, {AT_FDCWD, j.inside("../" + name + "/secret"), 0}), -EPERM);
     }},
    {"RemovingTheFolderByDots",
     [](jail& j) {
       EXPECT_LT(j.call(SYS_unlinkat, {AT_FDCWD, j.inside("folder/.."), AT_REMOVEDIR}), 0);
       EXPECT_LT(j.call(SYS_unlinkat, {AT_FDCWD, j.inside(".."), AT_REMOVEDIR}), 0);
     }},
    {"RenameIn",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_renameat2, {AT_FDCWD, j.outside("secret"), AT_FDCWD, j.inside("mine"), 0}), -EPERM);
     }},
    {"RenameOut",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_renameat2, {AT_FDCWD, j.inside("file"), AT_FDCWD, j.outside("secret"), 0}), -EPERM);
     }},
    {"HardLinkIn",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_linkat, {AT_FDCWD, j.outside("secret"), AT_FDCWD, j.inside("mine"), 0}), -EPERM);
     }},
    {"HardLinkThroughALink",
     [](jail& j) {
       ASSERT_EQ(::symlinkat(j.outside("secret"), j.in().fd(), "link"), 0);
       EXPECT_EQ(j.call(SYS_linkat, {AT_FDCWD, j.inside("link"), AT_FDCWD, j.inside("mine"), AT_SYMLINK_FOLLOW}),
                 -EPERM);
     }},
    {"HardLinkOut",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_linkat, {AT_FDCWD, j.inside("file"), AT_FDCWD, j.outside("mine"), 0}), -EPERM);
     }},
    {"MakingAFolder",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_mkdirat, {AT_FDCWD, j.outside("mine"), 0700}), -EPERM);
     }},
    {"MakingALink",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_symlinkat, {j.text("x"), AT_FDCWD, j.outside("mine")}), -EPERM);
     }},
    {"Statx",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_statx, {AT_FDCWD, j.outside("secret"), 0, 0x7ff, j.bytes(256).get()}), -EPERM);
     }},
    {"StatOfALink",
     [](jail& j) {
       ASSERT_EQ(::symlinkat(j.outside("secret"), j.in().fd(), "link"), 0);
       EXPECT_EQ(j.call(SYS_newfstatat, {AT_FDCWD, j.inside("link"), j.bytes(256).get(), 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_newfstatat, {AT_FDCWD, j.inside("link"), j.bytes(256).get(), AT_SYMLINK_NOFOLLOW}), 0);
     }},
    {"Times",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_utimensat, {AT_FDCWD, j.outside("secret"), 0, 0}), -EPERM);
     }},
    {"Attributes",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_getxattr, {j.outside("secret"), j.text("user.x"), j.bytes(16).get(), 16}), -EPERM);
       EXPECT_EQ(j.call(SYS_setxattr, {j.inside("file"), j.text("user.x"), j.bytes(16).get(), 16, 0}), -EPERM);
     }},
    {"ReadingALink",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_readlinkat, {AT_FDCWD, j.text("/proc/self/exe"), j.bytes(256).get(), 256}), -EPERM);
     }},
    {"Watching",
     [](jail& j) {
       const long inotify = j.call(SYS_inotify_init1, {0});
       ASSERT_GE(inotify, 0);
       EXPECT_EQ(j.call(SYS_inotify_add_watch, {inotify, j.outside("secret"), 0x2}), -EPERM);
     }},
    {"Asking",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_faccessat2, {AT_FDCWD, j.outside("secret"), R_OK, 0}), -EPERM);
     }},
    {"AFileOfTheHostsByHandle",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_name_to_handle_at, {AT_FDCWD, j.inside("file"), j.bytes(256).get(), j.bytes(8).get(), 0}),
                 -EPERM);
       EXPECT_EQ(j.call(SYS_open_by_handle_at, {AT_FDCWD, j.bytes(256).get(), 0}), -EPERM);
     }},
    {"MovingTheRoot",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_chdir, {j.inside("folder")}), -EPERM);
       EXPECT_EQ(j.call(SYS_chroot, {j.inside("folder")}), -EPERM);
       EXPECT_EQ(j.call(SYS_pivot_root, {j.inside("folder"), j.inside("folder")}), -EPERM);
     }},
    {"Mounting",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_mount, {j.text(j.out().path()), j.inside("folder"), 0, MS_BIND, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_umount2, {j.inside("folder"), MNT_DETACH}), -EPERM);
#ifdef SYS_open_tree
       EXPECT_EQ(j.call(SYS_open_tree, {AT_FDCWD, j.text(j.out().path()), 1}), -EPERM);
#endif
     }},
    {"ADeviceOfItsOwn",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_mknodat, {AT_FDCWD, j.inside("memory"), S_IFCHR | 0600, 0x101}), -EPERM);
     }},
    {"AProgramForOthers",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_openat, {AT_FDCWD, j.inside("program"), O_WRONLY | O_CREAT, 04755}), -EPERM);
       EXPECT_EQ(j.call(SYS_fchmodat, {AT_FDCWD, j.inside("file"), 04755}), -EPERM);
       EXPECT_EQ(j.call(SYS_fchownat, {AT_FDCWD, j.inside("file"), 1, 1, 0}), -EPERM);
     }},
    {"Inside",  // a permitted case: the policy allows the whole folder
     [](jail& j) {
       const long fd = opened(j, j.inside("file"), O_RDWR);
       ASSERT_GE(fd, 0);
       EXPECT_EQ(j.read(fd), "inside\n");
       const long fresh = j.call(SYS_openat, {AT_FDCWD, j.inside("folder/fresh"), O_RDWR | O_CREAT | O_EXCL, 0600});
       ASSERT_GE(fresh, 0);
       EXPECT_EQ(j.call(SYS_write, {fresh, j.text("hello"), 5}), 5);
       EXPECT_EQ(j.call(SYS_renameat2, {AT_FDCWD, j.inside("folder/fresh"), AT_FDCWD, j.inside("moved"), 0}), 0);
       EXPECT_EQ(jail::content(j.inside("moved")), "hello");
       EXPECT_EQ(j.call(SYS_newfstatat, {AT_FDCWD, j.inside("folder/."), j.bytes(256).get(), AT_SYMLINK_NOFOLLOW}), 0);
       EXPECT_EQ(j.call(SYS_newfstatat, {AT_FDCWD, j.inside("missing"), j.bytes(256).get(), 0}), -ENOENT);
       EXPECT_EQ(opened(j, j.inside("missing")), -ENOENT);
       EXPECT_EQ(opened(j, j.inside("file/x")), -ENOTDIR);
       EXPECT_EQ(j.call(SYS_mkdirat, {AT_FDCWD, j.inside("made/"), 0700}), 0);
       EXPECT_EQ(j.call(SYS_unlinkat, {AT_FDCWD, j.inside("made/"), AT_REMOVEDIR}), 0);
       EXPECT_EQ(j.call(SYS_unlinkat, {AT_FDCWD, j.inside("moved"), 0}), 0);
       EXPECT_EQ(j.call(SYS_close, {fd}), 0);
       EXPECT_EQ(j.call(SYS_close, {fresh}), 0);
       EXPECT_TRUE(j.rt().stats().denied.empty());
     }},
};

// --- Descriptors.

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

// --- Files that are more than files, without a path that is allowed.

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
    {"SocketsOfOtherKinds",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_socket, {AF_NETLINK, SOCK_DGRAM, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_socket, {AF_PACKET, SOCK_DGRAM, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_socket, {AF_INET, SOCK_RAW, IPPROTO_ICMP}), -EPERM);
       EXPECT_EQ(j.call(SYS_socket, {AF_ALG, SOCK_SEQPACKET, 0}), -EPERM);
       EXPECT_GE(j.call(SYS_socket, {AF_INET, SOCK_STREAM, 0}), 0);
     }},
};

// --- Processes, memory, and Linux itself.

const escape by_call[] = {
    {"Signals",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_kill, {::getpid(), 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_tkill, {::getpid(), 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_tgkill, {::getpid(), ::getpid(), 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_rt_sigqueueinfo, {::getpid(), 0, j.bytes(128).get()}), -EPERM);
       EXPECT_EQ(j.call(SYS_fcntl, {0, F_SETOWN, ::getpid()}), -EPERM);
       EXPECT_EQ(j.call(SYS_timer_create, {CLOCK_REALTIME, 0, j.bytes(8).get()}), -EPERM);
     }},
    {"Processes",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_fork, {}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_clone, {0, 0, 0, 0, 0}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_execve, {j.text("/bin/true"), 0, 0}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_exit_group, {1}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_ptrace, {16, ::getppid(), 0, 0}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_pidfd_open, {::getpid(), 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_prlimit64, {0, RLIMIT_NOFILE, 0, j.bytes(16).get()}), -EPERM);
       EXPECT_EQ(j.call(SYS_setpriority, {PRIO_PROCESS, 0, 5}), -EPERM);
       EXPECT_EQ(j.call(SYS_sched_setaffinity, {0, 8, j.bytes(8).get()}), -EPERM);
     }},
    {"Identity",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_setuid, {1}), -EPERM);
       EXPECT_EQ(j.call(SYS_setgroups, {0, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_capset, {j.bytes(16).get(), j.bytes(24).get()}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_unshare, {CLONE_NEWNS}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_setns, {0, 0}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_prctl, {38, 1, 0, 0, 0}), -EOPNOTSUPP);
     }},
    {"MemoryOfProcesses",
     [](jail& j) {
       const auto* mine = j.object(iovec{j.bytes(64).get(), 64});
       EXPECT_EQ(j.call(SYS_process_vm_readv, {::getpid(), mine, 1, mine, 1, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_process_vm_writev, {::getppid(), mine, 1, mine, 1, 0}), -EPERM);
     }},
    {"Addresses",
     [](jail& j) {
       const auto arena = reinterpret_cast<u64>(j.bytes(4096).get()) & ~u64{4095};
       EXPECT_EQ(j.call(SYS_mremap, {arena, 4096, 8192, 1}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_mprotect, {arena, 4096, 0}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_brk, {0}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_munmap, {arena, 4096}), -EINVAL);
       EXPECT_LT(j.call(SYS_madvise, {arena, 4096, MADV_DONTNEED}), 0);
       EXPECT_EQ(j.call(SYS_mlockall, {1}), -EPERM);
       EXPECT_EQ(j.call(SYS_userfaultfd, {0}), -EPERM);
     }},
    {"PointersIntoTheHost",
     [](jail& j) {
       static const char of_host[] = "/etc/passwd";
       char stack[64] = "as it was";
       const long fd = opened(j, j.inside("file"), O_RDWR);
       ASSERT_GE(fd, 0);
       EXPECT_EQ(j.call(SYS_read, {fd, stack, 8}), -EFAULT);
       EXPECT_EQ(j.call(SYS_write, {fd, stack, 8}), -EFAULT);
       EXPECT_EQ(opened(j, of_host), -EFAULT);
       EXPECT_STREQ(stack, "as it was");
       EXPECT_EQ(j.call(SYS_readv, {fd, j.object(iovec{stack, 8}), 1}), -EFAULT);
       EXPECT_EQ(j.call(SYS_futex, {stack, 0, 0, 0, 0, 0}), -EFAULT);
     }},
    {"LengthsThatOverflow",
     [](jail& j) {
       const long fd = opened(j, j.inside("file"), O_RDWR);
       auto* buffer = j.bytes(64).get();
       const auto huge = ~std::size_t{0};
       EXPECT_LT(j.call(SYS_readv, {fd, j.object(std::array<iovec, 2>{{{buffer, huge}, {buffer, 64}}}), 2}), 0);
       EXPECT_LT(j.call(SYS_readv, {fd, j.object(std::array<iovec, 2>{{{buffer, huge / 2}, {buffer, huge / 2}}}), 2}),
                 0);
       EXPECT_LT(j.call(SYS_read, {fd, buffer, huge}), 0);
       EXPECT_LT(j.call(SYS_pread64, {fd, buffer, huge, -1}), 0);
       EXPECT_LT(j.call(SYS_readv, {fd, buffer, 1 << 30}), 0);
       EXPECT_LT(j.call(SYS_getxattr, {j.inside("file"), j.text("user.x"), buffer, huge}), 0);
       EXPECT_EQ(j.call(SYS_poll, {buffer, huge, 0}), -EINVAL);
     }},
    {"OtherWaysIn",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_io_uring_setup, {8, j.bytes(256).get()}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_io_setup, {8, j.bytes(8).get()}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_bpf, {0, j.bytes(128).get(), 128}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_perf_event_open, {j.bytes(128).get(), 0, -1, -1, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_init_module, {j.bytes(8).get(), 8, j.text("")}), -EPERM);
       EXPECT_EQ(j.call(SYS_reboot, {0, 0, 0, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_memfd_secret, {0}), -EPERM);
       EXPECT_EQ(j.call(SYS_seccomp, {0, 0, 0}), -EOPNOTSUPP);
     }},
    {"SharedMemoryAndQueues",
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_shmget, {1, 4096, 0600}), -EPERM);
       EXPECT_EQ(j.call(SYS_shmat, {1, 0, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_msgget, {1, 0600}), -EPERM);
       EXPECT_EQ(j.call(SYS_semget, {1, 1, 0600}), -EPERM);
       EXPECT_EQ(j.call(SYS_mq_open, {j.text("x"), O_RDWR, 0, 0}), -EPERM);
       EXPECT_EQ(j.call(SYS_add_key, {j.text("user"), j.text("x"), 0, 0, -3}), -EPERM);
     }},
    {"Sleeping",  // a permitted case: waiting calls need threads of the host's, which confined threads cannot start
     [](jail& j) {
       EXPECT_EQ(j.call(SYS_nanosleep, {j.object(timespec{0, 1'000'000}), 0}), 0);
       auto* ends = j.object(std::array<int, 2>{});
       ASSERT_EQ(j.call(SYS_pipe2, {ends, 0}), 0);
       std::thread writer([end = (*ends)[1]] {
         std::this_thread::sleep_for(std::chrono::milliseconds(20));
         EXPECT_EQ(::write(end, "late", 4), 4);
       });
       EXPECT_EQ(j.read((*ends)[0]), "late");
       writer.join();
     }},
    {"RequestsThatNobodyKnows",
     [](jail& j) {
       const long fd = opened(j, j.inside("file"), O_RDWR);
       EXPECT_EQ(j.call(SYS_ioctl, {fd, TIOCSTI, j.text("x")}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_ioctl, {fd, 0x5452'0000, 0x1000}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(SYS_fcntl, {fd, 4711, 0x1000}), -EOPNOTSUPP);
       EXPECT_EQ(j.call(700, {fd, 0x1000}), -ENOSYS);
       EXPECT_EQ(j.call(0x4000'0000 + SYS_read, {fd, 0x1000, 8}), -ENOSYS);
     }},
};

class Escapes : public testing::TestWithParam<escape> {
 protected:
  void try_out(const char* rules) {
    jail j(rules);
    GetParam().tried(j);
  }
};
class ByPath : public Escapes {};
class ByDescriptor : public Escapes {};
class ByKind : public Escapes {};
class ByCall : public Escapes {};
TEST_P(ByPath, IsRefused) { try_out("allow path INSIDE"); }
TEST_P(ByDescriptor, IsRefused) { try_out("allow path INSIDE"); }
TEST_P(ByKind, IsRefused) { try_out(""); }
TEST_P(ByCall, IsRefused) { try_out("allow path INSIDE"); }

std::string name_of(const testing::TestParamInfo<escape>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Escape, ByPath, testing::ValuesIn(by_path), name_of);
INSTANTIATE_TEST_SUITE_P(Escape, ByDescriptor, testing::ValuesIn(by_descriptor), name_of);
INSTANTIATE_TEST_SUITE_P(Escape, ByKind, testing::ValuesIn(by_kind), name_of);
INSTANTIATE_TEST_SUITE_P(Escape, ByCall, testing::ValuesIn(by_call), name_of);

}  // namespace
}  // namespace attack
