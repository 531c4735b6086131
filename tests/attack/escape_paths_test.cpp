// SPDX-License-Identifier: Apache-2.0
// Ways out of a policy by paths: links, parents, /proc, and every call that takes a name.
#include <linux/openat2.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "escapes.h"

namespace attack {
namespace {

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
    {"LinkWithASlash",  // which Linux follows, whatever the flags
     [](jail& j) {
       ASSERT_EQ(::symlinkat(j.out().path().c_str(), j.in().fd(), "link"), 0);
       const auto* link = j.inside("link/");
       struct stat empty {};
       const auto* about = j.object(empty);
       EXPECT_EQ(j.call(SYS_newfstatat, {AT_FDCWD, link, about, AT_SYMLINK_NOFOLLOW}), -EPERM);
       EXPECT_EQ(j.call(SYS_newfstatat, {AT_FDCWD, j.inside("link//"), about, AT_SYMLINK_NOFOLLOW}), -EPERM);
       EXPECT_EQ(j.call(SYS_utimensat, {AT_FDCWD, link, 0, AT_SYMLINK_NOFOLLOW}), -EPERM);
       EXPECT_EQ(j.call(SYS_newfstatat, {AT_FDCWD, j.inside("folder/"), about, AT_SYMLINK_NOFOLLOW}), 0);
       EXPECT_EQ(j.call(SYS_mkdirat, {AT_FDCWD, j.inside("fresh/"), 0755}), 0);
       EXPECT_EQ(j.call(SYS_unlinkat, {AT_FDCWD, j.inside("fresh/"), AT_REMOVEDIR}), 0);
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

class ByPath : public Escapes {};
TEST_P(ByPath, IsRefused) { try_out("allow path INSIDE"); }
INSTANTIATE_TEST_SUITE_P(Escape, ByPath, testing::ValuesIn(by_path), name_of);

}  // namespace
}  // namespace attack
