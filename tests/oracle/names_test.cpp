// SPDX-License-Identifier: Apache-2.0
// Files by their names: made, found, renamed, linked, examined, removed.
#include <linux/stat.h>
#include <sys/time.h>
#include <utime.h>

#include "oracle.h"
#include "world.h"

namespace oracle {
namespace {

using enum plan_id;

TEST(Names, Open) {
  world w;
  trials t;
  gives_descriptor(t.good(open, {text(w / "file"), O_RDONLY, 0}));
  gives_descriptor(t.good(open, {text(w / "new"), O_RDWR | O_CREAT | O_EXCL, 0640})).before = [&] { w.remove("new"); };
  gives_descriptor(t.good(creat, {text(w / "new"), 0640})).before = [&] { w.remove("new"); };
  gives_descriptor(t.good(openat, {w.fd(), text("file"), O_RDONLY, 0}));
  const u64 how[3] = {O_RDONLY | O_CLOEXEC, 0, 0};
  gives_descriptor(t.good(openat2, {w.fd(), text("file"), object(how), 24}));
  t.any(openat2, {w.fd(), text("file"), object(how), 16});
  t.any(openat2, {w.fd(), text("file"), object(how), -1});
  t.any(open, {text(w / "nothing"), O_RDONLY, 0});
  t.any(openat, {w.file(), text("file"), O_RDONLY, 0});
  gives_descriptor(t.good(memfd_create, {text("a name"), 0}));
  gives_descriptor(t.good(memfd_secret, {0})).unless = {ENOSYS};
  t.check();
}

TEST(Names, Tell) {
  world w;
  trials t;
  for (const plan_id id : {stat, lstat}) {
    t.good(id, {text(w / "file"), output(sizeof(struct ::stat))});
    t.good(id, {text(w / "link"), output(sizeof(struct ::stat))});
    t.any(id, {text(w / "nothing"), output(sizeof(struct ::stat))});
  }
  t.good(fstat, {w.file(), output(sizeof(struct ::stat))});
  t.good(newfstatat, {w.fd(), text("link"), output(sizeof(struct ::stat)), AT_SYMLINK_NOFOLLOW});
  t.any(newfstatat, {w.fd(), text("link"), output(sizeof(struct ::stat)), -1});
  t.good(statx, {w.fd(), text("file"), 0, STATX_BASIC_STATS, output(256)});
  t.good(statx, {w.file(), text(""), AT_EMPTY_PATH, 0, output(256)});
  t.any(statx, {w.fd(), text("file"), 0, -1, output(256)});
  t.good(access, {text(w / "file"), R_OK});
  t.any(access, {text(w / "file"), 8});
  t.good(faccessat, {w.fd(), text("file"), R_OK | W_OK});
  t.good(faccessat2, {w.fd(), text("file"), F_OK, AT_EACCESS});
  for (const u64 size : {1, 4, 100}) {
    t.good(readlink, {text(w / "link"), output(size), static_cast<long>(size)});
    t.good(readlinkat, {w.fd(), text("link"), output(size), static_cast<long>(size)});
  }
  t.any(readlink, {text(w / "file"), output(10), 10});
  t.any(readlink, {text(w / "link"), output(10), 0});
  t.any(readlink, {text(w / "link"), output(10), -1});
  t.check();
}

TEST(Names, MakeAndRemove) {
  world w;
  trials t;
  const auto fresh = [&](trial& one) { one.before = [&] { w.reset(); }; };
  fresh(t.good(mkdir, {text(w / "new"), 0700}));
  fresh(t.good(mkdirat, {w.fd(), text("new"), 0700}));
  fresh(t.good(rmdir, {text(w / "empty")}));
  fresh(t.any(rmdir, {text(w / "file")}));
  fresh(t.good(unlink, {text(w / "file")}));
  fresh(t.good(unlinkat, {w.fd(), text("empty"), AT_REMOVEDIR}));
  fresh(t.any(unlink, {text(w / "empty")}));
  fresh(t.good(rename, {text(w / "file"), text(w / "new")}));
  fresh(t.good(renameat, {w.fd(), text("file"), w.fd(), text("new")}));
  fresh(t.good(renameat2, {w.fd(), text("file"), w.fd(), text("empty"), 1 << 1}));  // RENAME_EXCHANGE
  fresh(t.any(renameat2, {w.fd(), text("file"), w.fd(), text("empty"), 1}));
  fresh(t.good(link, {text(w / "file"), text(w / "new")}));
  fresh(t.good(linkat, {w.fd(), text("link"), w.fd(), text("new"), AT_SYMLINK_FOLLOW}));
  fresh(t.any(link, {text(w / "empty"), text(w / "new")}));
  fresh(t.good(symlink, {text("somewhere"), text(w / "new")}));
  fresh(t.good(symlinkat, {text("somewhere"), w.fd(), text("new")}));
  fresh(t.any(symlink, {text("somewhere"), text(w / "file")}));
  fresh(t.good(mknod, {text(w / "new"), S_IFIFO | 0600, 0}));
  fresh(t.good(mknodat, {w.fd(), text("new"), S_IFREG | 0600, 0}));
  fresh(t.any(mknodat, {w.fd(), text("file"), S_IFREG | 0600, 0}));
  t.check();
}

TEST(Names, Change) {
  world w;
  trials t;
  const auto fresh = [&](trial& one) -> trial& {
    one.before = [&] { w.reset(); };
    return one;
  };
  const u32 user = ::getuid(), group = ::getgid();
  fresh(t.good(chmod, {text(w / "file"), 0600}));
  t.good(fchmod, {w.file(), 0640});
  fresh(t.good(fchmodat, {w.fd(), text("file"), 0600}));
  fresh(t.good(fchmodat2, {w.fd(), text("file"), 0600, 0})).unless = {ENOSYS};
  fresh(t.good(chown, {text(w / "file"), user, group}));
  fresh(t.good(lchown, {text(w / "link"), user, group}));
  t.good(fchown, {w.file(), -1, -1});
  fresh(t.good(fchownat, {w.fd(), text("file"), user, -1, 0}));
  fresh(t.good(truncate, {text(w / "file"), 5}));
  fresh(t.any(truncate, {text(w / "file"), -1}));
  const utimbuf seconds{1000, 2000};
  const timeval micros[2] = {{1000, 1}, {2000, 2}}, wrong_micros[2] = {{1000, 1'000'000}, {0, 0}};
  const timespec nanos[2] = {{1000, 1}, {2000, 2}};
  fresh(t.good(utime, {text(w / "file"), object(seconds)}));
  fresh(t.good(utimes, {text(w / "file"), object(micros)}));
  fresh(t.any(utimes, {text(w / "file"), object(wrong_micros)}));
  fresh(t.good(futimesat, {w.fd(), text("file"), object(micros)}));
  fresh(t.good(utimensat, {w.fd(), text("file"), object(nanos), 0}));
  fresh(t.good(utimensat, {w.file(), nullptr, object(nanos), 0}));
  t.check();
}

TEST(Names, Folders) {
  world w;
  trials t;
  const auto read = [&](plan_id id) {
    for (const u64 size : {24, 100, 1000}) {
      t.any(id, {w.fd(), output(size), static_cast<long>(size)}).before = [&] { ::lseek(w.fd(), 0, SEEK_SET); };
    }
    t.any(id, {w.file(), output(100), 100});
  };
  read(getdents);
  read(getdents64);
  const std::string here = std::filesystem::current_path();
  const auto back = [&](trial& one) { one.after = [&](const outcome&) { std::filesystem::current_path(here); }; };
  back(t.good(chdir, {text(w / "empty")}));
  back(t.good(fchdir, {w.fd()}));
  t.any(chdir, {text(w / "file")});
  t.good(getcwd, {output(here.size() + 1), here.size() + 1});
  t.any(getcwd, {output(1), 1});
  const mode_t mask = ::umask(0);
  ::umask(mask);
  t.good(umask, {027}).before = [] { ::umask(022); };
  t.check();
  ::umask(mask);
}

TEST(Names, Handles) {
  world w;
  trials t;
  std::string handle(8 + 128, 0), short_handle(8 + 4, 0);
  handle[0] = static_cast<char>(128);
  short_handle[0] = 4;
  t.good(name_to_handle_at, {w.fd(), text("file"), bytes(handle), bytes(std::string(8, 1)), 0}).unless = {EOPNOTSUPP};
  t.any(name_to_handle_at, {w.fd(), text("file"), bytes(short_handle), bytes(std::string(8, 1)), 0});
  t.any(open_by_handle_at, {w.fd(), bytes(short_handle), O_RDONLY});
  struct {
    u32 bytes = 128;
    int type = 0;
    u8 rest[128] = {};
  } told;
  int mount = 0;
  if (::syscall(SYS_name_to_handle_at, w.fd(), "file", &told, &mount, 0) == 0) {
    const std::string known(reinterpret_cast<const char*>(&told), 8 + told.bytes);
    gives_descriptor(t.good(open_by_handle_at, {w.fd(), bytes(known), O_RDONLY})).unless = {EPERM};
  }
  t.check();
}

TEST(Names, Attributes) {
  world w;
  const auto may = [](trial& one) -> trial& {
    one.unless = {EOPNOTSUPP, ENOSYS};
    return one;
  };
  trials t;
  ::fsetxattr(w.file(), "user.known", "value", 5, 0);
  for (const plan_id id : {setxattr, lsetxattr})
    may(t.good(id, {text(w / "file"), text("user.a"), bytes("four"), 4, 0}));
  may(t.good(fsetxattr, {w.file(), text("user.a"), bytes("four"), 4, 0}));
  for (const plan_id id : {getxattr, lgetxattr}) {
    may(t.good(id, {text(w / "file"), text("user.known"), output(5), 5}));
    may(t.good(id, {text(w / "file"), text("user.known"), output(300), 300}));
    may(t.any(id, {text(w / "file"), text("user.known"), output(2), 2}));
    may(t.any(id, {text(w / "file"), text("user.known"), output(2), 0}));
    may(t.any(id, {text(w / "file"), text("user.unknown"), output(20), 20}));
  }
  may(t.good(fgetxattr, {w.file(), text("user.known"), output(9), 9}));
  for (const plan_id id : {listxattr, llistxattr}) {
    may(t.good(id, {text(w / "file"), output(200), 200}));
    may(t.any(id, {text(w / "file"), output(2), 0}));
  }
  may(t.good(flistxattr, {w.file(), output(200), 200}));
  may(t.good(listxattrat, {w.fd(), text("file"), 0, output(200), 200}));
  const auto again = [&](trial& one) { one.before = [&] { ::fsetxattr(w.file(), "user.b", "value", 5, 0); }; };
  for (const plan_id id : {removexattr, lremovexattr}) again(may(t.good(id, {text(w / "file"), text("user.b")})));
  again(may(t.good(fremovexattr, {w.file(), text("user.b")})));
  again(may(t.good(removexattrat, {w.fd(), text("file"), 0, text("user.b")})));
  may(t.good(file_getattr, {w.fd(), text("file"), output(24), 24, 0}));
  may(t.good(file_setattr, {w.fd(), text("file"), bytes(std::string(24, 0)), 24, 0}));
  t.check();
}

}  // namespace
}  // namespace oracle
