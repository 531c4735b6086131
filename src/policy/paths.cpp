// SPDX-License-Identifier: Apache-2.0
#include "policy/paths.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace genesys::detail {
namespace {

// Where Linux begins to look a path up, and the path from there.
struct start {
  int directory;
  std::string path;
  u64 resolve;  // openat2's flags
};

i64 openat2(int directory, const char* path, u64 flags, u64 mode, u64 resolve) {
  open_how how{flags, mode, resolve};
  const long fd = ::syscall(SYS_openat2, directory, path, &how, sizeof how);
  if (fd >= 0) return fd;
  return errno == EXDEV ? -EPERM : -errno;  // it leads out of the directory
}

bool is_beneath(const std::string& path, const std::string& root) {
  return path.compare(0, root.size(), root) == 0 && (path.size() == root.size() || path[root.size()] == '/');
}

// Chooses the directory by the text of the path. That decides nothing: Linux makes sure that the look-up stays beneath
// it.
i64 find_start(const policy& rules, int directory, const char* path, start& found) {
  const bool anywhere = rules.roots().size() == 1 && rules.roots()[0].path.empty();
  const u64 within = RESOLVE_NO_MAGICLINKS | (anywhere ? 0 : RESOLVE_BENEATH);
  found = {directory, path, within};
  if (path[0] == 0 || anywhere) return 0;
  std::string whole = path;
  if (path[0] != '/') {
    if (directory != AT_FDCWD) return 0;
    char here[PATH_MAX];
    if (::getcwd(here, sizeof here) == nullptr) return -errno;
    whole = std::string(here) + "/" + path;
  }
  const path_root* best = nullptr;
  for (const path_root& root : rules.roots()) {
    if (is_beneath(whole, root.path) && (best == nullptr || root.path.size() > best->path.size())) best = &root;
  }
  if (best == nullptr) return -EPERM;
  std::size_t at = best->path.size();
  while (at < whole.size() && whole[at] == '/') ++at;
  found = {best->fd.get(), at < whole.size() ? whole.substr(at) : ".", within};
  return 0;
}

// File systems that give access to Linux's own state, or to other processes.
bool is_of_system(int fd) {
  struct statfs about;
  if (::fstatfs(fd, &about) != 0) return true;
  constexpr u64 binfmt = 0x42494e4d, configfs = 0x62656570, cgroup = 0x27e0eb, cgroup2 = 0x63677270, bpf = 0xcafe4a11,
                efivars = 0xde5e81e4, nsfs = 0x6e736673, selinux = 0xf97cff8c, smack = 0x43415d53, pstore = 0x6165676c,
                resctrl = 0x7655821, fusectl = 0x65735543, debugfs = 0x64626720, tracefs = 0x74726163,
                securityfs = 0x73636673, sysfs = 0x62656572, proc = 0x9fa0;
  constexpr u64 doors[] = {proc, sysfs,   debugfs, tracefs, securityfs, binfmt, configfs, cgroup, cgroup2,
                           bpf,  efivars, nsfs,    selinux, smack,      pstore, resctrl,  fusectl};
  const auto type = static_cast<u64>(static_cast<u32>(about.f_type));
  return std::find(std::begin(doors), std::end(doors), type) != std::end(doors);
}

bool is_harmless_device(dev_t device) {
  const unsigned number = minor(device);  // null, zero, full, random, urandom
  return major(device) == 1 && (number == 3 || number == 5 || number == 7 || number == 8 || number == 9);
}

// Whether the file is what the policy calls plain.
bool is_plain(int fd) {
  struct stat about;
  if (::fstat(fd, &about) != 0 || S_ISBLK(about.st_mode)) return false;
  if (S_ISCHR(about.st_mode)) return is_harmless_device(about.st_rdev);
  return !is_of_system(fd);
}

void name_descriptor(char* text, std::size_t bytes, int fd, const char* name) {
  std::snprintf(text, bytes, "/proc/self/fd/%d%s%s", fd, name[0] != 0 ? "/" : "", name);
}

// The last component, with the slashes after it. Null: there is none, or it is `.` or `..`.
const char* last_of(const char* path) {
  const char* end = path + std::strlen(path);
  while (end > path && end[-1] == '/') --end;
  const char* begin = end;
  while (begin > path && begin[-1] != '/') --begin;
  const std::string_view name(begin, static_cast<std::size_t>(end - begin));
  return name.empty() || name == "." || name == ".." ? nullptr : begin;
}

// The flags that open(2) knows. It ignores others, which openat2(2) refuses.
constexpr u64 open_flags = O_ACCMODE | O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_APPEND | O_NONBLOCK | O_DSYNC |
                           O_SYNC | O_ASYNC | O_DIRECT | O_DIRECTORY | O_NOFOLLOW | O_NOATIME | O_CLOEXEC | O_PATH |
                           O_TMPFILE;
#if defined(__x86_64__)
constexpr u64 large_file = 0100000;
#else
constexpr u64 large_file = 0400000;
#endif

// Looks at the file before it opens it, because to open a device may have consequences.
i64 open_plain(const start& from, u64 flags, u64 mode) {
  const u64 look = O_PATH | O_CLOEXEC | (flags & (O_NOFOLLOW | O_DIRECTORY));
  own_descriptor seen;
  const bool makes = (flags & O_CREAT) != 0 && (flags & O_PATH) == 0;
  const i64 fd =
      makes && (flags & O_EXCL) != 0 ? -ENOENT : openat2(from.directory, from.path.c_str(), look, 0, from.resolve);
  if (fd == -ENOENT && makes) {
    // open makes a regular file; but another process may make some other file first.
    const i64 made = openat2(from.directory, from.path.c_str(), flags, mode, from.resolve);
    if (made < 0 || is_plain(static_cast<int>(made))) return made;
    ::close(static_cast<int>(made));
    return -EPERM;
  }
  if (fd < 0) return fd;
  seen.take(static_cast<int>(fd));
  if (!is_plain(seen.get())) return -EPERM;
  if ((flags & O_PATH) != 0 && (flags & O_CLOEXEC) != 0) return seen.release();
  struct stat about;
  if ((flags & O_NOFOLLOW) != 0 && ::fstat(seen.get(), &about) == 0 && S_ISLNK(about.st_mode)) return -ELOOP;
  char again[40];
  name_descriptor(again, sizeof again, seen.get(), "");
  const long opened = ::syscall(SYS_openat, AT_FDCWD, again, flags & ~u64{O_CREAT | O_EXCL | O_NOFOLLOW}, 0);
  return opened >= 0 ? opened : -errno;
}

}  // namespace

i64 confined_path::resolve(policy& rules, int directory, const char* path, bool follows) {
  start from;
  if (const i64 wrong = find_start(rules, directory, path, from); wrong != 0) return wrong;
  const char* last = follows ? nullptr : last_of(from.path.c_str());
  std::string looked_up = from.path;
  if (last != nullptr) {
    looked_up.resize(static_cast<std::size_t>(last - from.path.c_str()));
    if (looked_up.empty()) looked_up.assign(1, '.');
    while (from.path.ends_with("//")) from.path.pop_back();
    if (std::strlen(last) > NAME_MAX + 1u) return -ENAMETOOLONG;
  }
  const u64 flags = O_PATH | O_CLOEXEC | (last != nullptr ? O_DIRECTORY : 0);
  const i64 fd = openat2(from.directory, looked_up.c_str(), flags, 0, from.resolve);
  if (fd < 0) return fd;
  at_.take(static_cast<int>(fd));
  if (rules.chosen().plain_files && is_of_system(at_.get())) return -EPERM;
  const bool goes_nowhere = !follows && last == nullptr;  // `.` or `..`: not the link in /proc itself
  name_descriptor(text_.data(), text_.size(), at_.get(), last != nullptr ? last : goes_nowhere ? "." : "");
  return 0;
}

i64 open_confined(policy& rules, int directory, const char* path, u64 flags, u64 mode, u64 resolve) {
  start from;
  if (const i64 wrong = find_start(rules, directory, path, from); wrong != 0) return wrong;
  flags = (flags & open_flags) | ((flags & O_PATH) == 0 ? large_file : 0);
  if ((flags & O_PATH) != 0) flags &= u64{O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC};
  mode = (flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) != 0 ? mode & 07777 : 0;
  if (rules.chosen().plain_files && (mode & 07000) != 0) return -EPERM;  // set-user-ID, set-group-ID, sticky
  from.resolve |= resolve;
  if (rules.chosen().plain_files) return open_plain(from, flags, mode);
  return openat2(from.directory, from.path.c_str(), flags, mode, from.resolve);
}

}  // namespace genesys::detail
