// SPDX-License-Identifier: Apache-2.0
#include "execute/confinement.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstring>

namespace genesys::detail {
namespace {

u64 as_argument(const void* pointer) { return reinterpret_cast<u64>(pointer); }

// Whether the call makes, removes or renames what its path names. Such calls do not follow a link at the end, also if
// slashes come after it; others do then.
bool changes_names(u32 number) {
  switch (number) {
#if defined(SYS_mkdir)
    case SYS_link:
    case SYS_mkdir:
    case SYS_mknod:
    case SYS_rename:
    case SYS_rmdir:
    case SYS_symlink:
    case SYS_unlink:
#endif
#if defined(SYS_renameat)
    case SYS_renameat:
#endif
    case SYS_linkat:
    case SYS_mkdirat:
    case SYS_mknodat:
    case SYS_renameat2:
    case SYS_symlinkat:
    case SYS_unlinkat:
      return true;
    default:
      return false;
  }
}

bool ends_in_slash(const char* path) { return path[0] != 0 && path[std::strlen(path) - 1] == '/'; }

}  // namespace

i64 confinement::take_more(u64 (&values)[args_max]) {
  // Before Linux gives the number to another host thread. Of two calls that close it, the second one finds it gone.
  if (about_.closes && !policy_.disown(values[0]) && policy_.chosen().own_descriptors) return -EBADF;
  gives_descriptor_ = policy::gives_descriptor(plan_, values);
  i64 wrong = take_paths(values);
  if (wrong == 0 && about_.address_arg != no_arg)
    wrong = take_address(values[about_.address_arg], values[plan_.args[about_.address_arg].size_arg]);
  if (wrong == 0 && about_.pollfds_arg != no_arg)
    wrong = take_polled(values[about_.pollfds_arg], values[plan_.args[about_.pollfds_arg].size_arg]);
  if (wrong == 0 && about_.fds_arg != no_arg && is_readable(values[about_.fds_arg])) {
    fds_at_ = values[about_.fds_arg];
    values[about_.fds_arg] = as_argument(fds_);
  }
  return wrong == -EPERM ? policy_.deny(plan_) : wrong;
}

// Options whose value is a new descriptor: a kernel could make as many as it likes, and close none.
bool confinement::makes_unseen_descriptor(const u64 (&values)[args_max]) const {
  constexpr u32 so_peerpidfd = 77, sctp_peeloff = 102, sctp_peeloff_flags = 122;
  if (!policy_.chosen().own_descriptors || plan_.number != SYS_getsockopt) return false;
  const u32 level = static_cast<u32>(values[1]), option = static_cast<u32>(values[2]);
  return (level == SOL_SOCKET && option == so_peerpidfd) ||
         (level == IPPROTO_SCTP && (option == sctp_peeloff || option == sctp_peeloff_flags));
}

i64 confinement::take_paths(u64 (&values)[args_max]) {
  // A custom handler resolves its path itself.
  if (!policy_.chosen().confine_paths() || plan_.custom) return 0;
  for (u32 i = 0; i < paths_max && about_.paths[i].arg != no_arg; ++i) {
    const path_argument& about = about_.paths[i];
    u64& path = values[about.arg];
    if (!is_readable(path)) continue;
    const char* text = reinterpret_cast<const char*>(path);
    if (text[0] == 0) continue;  // the directory itself, or nothing
    const bool other = about.flags_arg != no_arg && (values[about.flags_arg] & about.flag) != 0;
    const int directory = about.directory_arg == no_arg ? AT_FDCWD : static_cast<int>(values[about.directory_arg]);
    const bool follows = about.follows != other || (ends_in_slash(text) && !changes_names(plan_.number));
    if (const i64 wrong = paths_[i].resolve(policy_, directory, text, follows); wrong != 0) return wrong;
    path = as_argument(paths_[i].text());
  }
  return 0;
}

// Kernels may not use socket addresses in the file system or in the abstract name space: these belong to other
// programs.
i64 confinement::take_address(u64& address, u64 given_length) {
  const u32 length = static_cast<u32>(given_length);  // as Linux, which takes an int
  if (!policy_.chosen().plain_files || !is_readable(address) || length < sizeof(sa_family_t)) return 0;
  if (length > address_.size()) return -EINVAL;
  if (!memory_.copy_in(address_.data(), address, length)) return -EFAULT;
  address = as_argument(address_.data());
  return policy::allows_address(address_.data()) ? 0 : -EPERM;
}

i64 confinement::take_polled(u64& address, u64 given_count) {
  const u32 count = static_cast<u32>(given_count);  // as Linux
  if (!policy_.chosen().own_descriptors || !is_readable(address) || count == 0) return 0;
  rlimit most;
  if (::getrlimit(RLIMIT_NOFILE, &most) == 0 && count > most.rlim_cur) return -EINVAL;
  polled_.resize(count);
  if (!memory_.copy_in(polled_.data(), address, count * sizeof(pollfd))) return -EFAULT;
  for (pollfd& one : polled_) {
    if (!policy_.may_use(static_cast<u64>(one.fd)) || policy_.is_protected(static_cast<u64>(one.fd)))
      one.fd = INT_MAX;  // which is never open
  }
  polled_at_ = address;
  address = as_argument(polled_.data());
  return 0;
}

bool confinement::adopt_both() {
  u32 adopted = 0;
  while (adopted < 2 && policy_.adopt(static_cast<u64>(fds_[adopted]))) ++adopted;
  if (adopted == 2) return true;
  if (adopted == 1) (void)policy_.disown(static_cast<u64>(fds_[0]));
  for (const int fd : fds_) ::close(fd);
  return false;
}

i64 confinement::settle_more(i64 value) {
  if (about_.closes) return value;
  if (polled_at_ != 0 && value >= 0) {
    for (std::size_t i = 0; i < polled_.size(); ++i) {
      const u64 at = polled_at_ + i * sizeof(pollfd) + offsetof(pollfd, revents);
      if (!memory_.copy_out(at, &polled_[i].revents, sizeof polled_[i].revents)) return -EFAULT;
    }
  }
  if (gives_descriptor_ && value >= 0 && !policy_.adopt(static_cast<u64>(value))) {
    ::close(static_cast<int>(value));
    return -EMFILE;
  }
  if (fds_at_ != 0 && value >= 0) {
    if (!adopt_both()) return -EMFILE;
    if (!memory_.copy_out(fds_at_, fds_, sizeof fds_)) return -EFAULT;
  }
  return value;
}

}  // namespace genesys::detail
