// SPDX-License-Identifier: Apache-2.0
// execve<GENESYS_SPAWN>: starts a program in a new process by the C library's posix_spawn(3). The kernel's request is
// copied, and read once. Under a policy that denies something, kernels start only the programs that it names, with the
// host's environment, and hand over only descriptors that they may use.
#include <signal.h>
#include <spawn.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "execute/generated/custom.h"
#include "genesys/spawn_request.h"

extern char** environ;

namespace genesys::detail::custom {
namespace {

// Takes one thing after the other from the copy of a request. `failed`: there was not as much.
class request_reader {
 public:
  request_reader(char* begin, std::size_t bytes) : at_(begin), end_(begin + bytes) {}

  template <class T>
  T next() {
    T value{};
    if (static_cast<std::size_t>(end_ - at_) < sizeof value) {
      failed = true;
    } else {
      std::memcpy(&value, at_, sizeof value);
      at_ += sizeof value;
    }
    return value;
  }
  // A string with its NUL, or null.
  char* text() {
    char* const begin = at_;
    char* const nul = std::find(at_, end_, '\0');
    failed = failed || nul == end_;
    if (!failed) at_ = nul + 1;
    return failed ? nullptr : begin;
  }
  // `count` strings, and a null pointer.
  std::vector<char*> texts(std::size_t count) {
    std::vector<char*> all;
    for (; count > 0 && !failed; --count) all.push_back(text());
    all.push_back(nullptr);
    return all;
  }
  const char* at() const { return at_; }

  bool failed = false;

 private:
  char *at_, *end_;
};

sigset_t signal_set(u64 bits) {
  sigset_t set;
  ::sigemptyset(&set);
  for (int signal = 1; signal <= 64; ++signal) {
    if ((bits >> (signal - 1) & 1) != 0) ::sigaddset(&set, signal);
  }
  return set;
}

class spawn {
 public:
  spawn() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  ~spawn() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  spawn(const spawn&) = delete;
  spawn& operator=(const spawn&) = delete;

  // Returns 0, or -errno.
  i64 read(char* request, std::size_t bytes, const policy& rules, plan_id call) {
    request_reader from(request, bytes);
    const auto asked = from.next<spawn_request>();
    if ((asked.attributes & ~spawn_request::known_attributes) != 0) return -EINVAL;
    for (u32 i = 0; i < asked.actions && !from.failed; ++i) {
      if (const i64 wrong = add(from, rules, call); wrong != 0) return wrong;
    }
    words_ = from.texts(asked.words);
    environment_ = from.texts(asked.environment_words);
    if (from.failed) return -EINVAL;
    searches_ = (asked.flags & spawn_request::search_path) != 0;
    has_same_environment_ = (asked.flags & spawn_request::same_environment) != 0;
    return set_attributes(asked);
  }
  bool has_same_environment() const { return has_same_environment_; }

  // The ID of the new process, or -errno.
  i64 start(const char* path) {
    pid_t made = -1;
    char** const environment = has_same_environment_ ? ::environ : environment_.data();
    const int error = searches_ ? ::posix_spawnp(&made, path, &actions_, &attributes_, words_.data(), environment)
                                : ::posix_spawn(&made, path, &actions_, &attributes_, words_.data(), environment);
    return error != 0 ? -error : made;
  }

 private:
  i64 add(request_reader& from, const policy& rules, plan_id call) {
    const auto action = from.next<spawn_action>();
    const char* const begin = from.at();
    const char* const path = action.path_bytes != 0 ? from.text() : "";
    if (from.failed || (action.path_bytes != 0 && from.at() - begin != action.path_bytes)) return -EINVAL;
    const bool uses_descriptor =
        action.what == spawn_action::duplicate || action.what == spawn_action::change_directory_to_descriptor;
    const auto fd = static_cast<u32>(action.fd);
    if (uses_descriptor && policy::is_protected(fd)) return -EBADF;
    if (uses_descriptor && !rules.may_use(fd)) return rules.deny(call);
    const bool uses_path = action.what == spawn_action::open || action.what == spawn_action::change_directory;
    if (uses_path && rules.chosen().confine_paths()) return rules.deny(call);
    switch (action.what) {
      case spawn_action::open:
        return -::posix_spawn_file_actions_addopen(&actions_, action.fd, path, static_cast<int>(action.flags),
                                                   action.mode);
      case spawn_action::close:
        return -::posix_spawn_file_actions_addclose(&actions_, action.fd);
      case spawn_action::duplicate:
        return -::posix_spawn_file_actions_adddup2(&actions_, action.fd, action.to);
      case spawn_action::change_directory:
        return -::posix_spawn_file_actions_addchdir_np(&actions_, path);
      case spawn_action::change_directory_to_descriptor:
        return -::posix_spawn_file_actions_addfchdir_np(&actions_, action.fd);
    }
    return -EINVAL;
  }

  // Workers block all signals; the child does not.
  i64 set_attributes(const spawn_request& asked) {
    const bool has_mask = (asked.attributes & POSIX_SPAWN_SETSIGMASK) != 0;
    const sigset_t mask = signal_set(has_mask ? asked.mask : 0), defaults = signal_set(asked.defaults);
    ::posix_spawnattr_setflags(&attributes_, static_cast<short>(asked.attributes | POSIX_SPAWN_SETSIGMASK));
    ::posix_spawnattr_setpgroup(&attributes_, asked.group);
    ::posix_spawnattr_setsigmask(&attributes_, &mask);
    ::posix_spawnattr_setsigdefault(&attributes_, &defaults);
    return 0;
  }

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
  std::vector<char*> words_, environment_;
  bool searches_ = false, has_same_environment_ = false;
};

}  // namespace

i64 execve_GENESYS_SPAWN(const user_memory& memory, policy& rules, u64 (&args)[args_max]) {
  constexpr plan_id call = plan_id::execve_GENESYS_SPAWN;
  if (args[0] == 0 || args[0] == memory.nowhere()) return -EFAULT;
  if (args[2] < sizeof(spawn_request)) return -EINVAL;
  if (args[2] > spawn_request::bytes_max) return -E2BIG;
  std::vector<char> request(args[2]);
  if (memory.capacity_at(args[1]) < args[2] || !memory.copy_in(request.data(), args[1], args[2])) return -EFAULT;
  const char* const path = reinterpret_cast<const char*>(args[0]);
  spawn child;
  if (const i64 wrong = child.read(request.data(), request.size(), rules, call); wrong != 0) return wrong;
  if (!rules.chosen().deny_anything()) return child.start(path);
  if (!rules.may_start(path) || !child.has_same_environment()) return rules.deny(call);
  return rules.starter().run([&] { return child.start(path); });
}

}  // namespace genesys::detail::custom
