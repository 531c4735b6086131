// SPDX-License-Identifier: Apache-2.0
// pidfd_getfd(2): a descriptor of another process. Of the host's own process a kernel gets only descriptors that it may
// use anyway.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>

#include "execute/generated/custom.h"
#include "execute/linux_call.h"

namespace genesys::detail::custom {
namespace {

// The process of a pidfd, as Linux tells. -1: the process has ended, or it is no pidfd. If Linux does not tell, it
// counts as the host's own process.
pid_t owner_of(int pidfd) {
  const own_descriptor about(::open(("/proc/self/fdinfo/" + std::to_string(pidfd)).c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 512> text;
  const ssize_t bytes = about.get() < 0 ? -1 : ::read(about.get(), text.data(), text.size());
  if (bytes < 0) return ::getpid();
  const std::string_view words(text.data(), static_cast<std::size_t>(bytes));
  constexpr std::string_view before = "\nPid:\t";
  const std::size_t at = words.find(before);
  pid_t pid = -1;
  if (at != words.npos) std::from_chars(words.data() + at + before.size(), words.data() + words.size(), pid);
  return pid;
}

// Also true for one of its threads (PIDFD_THREAD, Linux 6.9).
bool is_own_process(pid_t pid) {
  struct stat about;
  return pid == ::getpid() || (pid > 0 && ::stat(("/proc/self/task/" + std::to_string(pid)).c_str(), &about) == 0);
}

}  // namespace

// Uses a duplicate, because another call may meanwhile replace the descriptor by a pidfd of another process.
i64 pidfd_getfd(const user_memory&, policy& rules, u64 (&args)[args_max]) {
  const own_descriptor pidfd(::fcntl(static_cast<int>(args[0]), F_DUPFD_CLOEXEC, 0));
  if (pidfd.get() < 0) return -errno;
  const bool is_own = is_own_process(owner_of(pidfd.get()));
  if (is_own && rules.is_protected(args[1])) return -EBADF;
  if (is_own && !rules.may_use(args[1])) return rules.deny(plan_id::pidfd_getfd);
  const u64 asked[args_max] = {static_cast<u64>(pidfd.get()), args[1], args[2], args[3], args[4], args[5]};
  return call_linux(number::pidfd_getfd, asked);
}

}  // namespace genesys::detail::custom
