// SPDX-License-Identifier: Apache-2.0
// POSIX <spawn.h>: starting programs, as in posix_spawn(3), for kernels. The host's process starts them, and the policy
// says which (docs/security.md, Programs). Functions that start or allocate are there twice: with `os`, or the calls of
// a scope, as the first argument, and without it for each thread, where a library is bound. All return 0, or the number
// of an error.
//
// The child inherits the host's descriptors, as after any posix_spawn(3). It blocks no signals, unless the attributes
// say which.
#pragma once

#include <signal.h>
#include <spawn.h>

#include "genesys/posix/malloc.h"
#include "genesys/posix/signal.h"
#include "genesys/posix/string.h"
#include "genesys/spawn_request.h"

namespace genesys::posix {

// For the last argument of posix_spawn(): the host's environment, which a kernel does not see.
GENESYS_KERNEL char* const* host_environment() { return reinterpret_cast<char* const*>(~std::uintptr_t{0}); }

// What the child does with its descriptors; in memory of malloc().
struct posix_spawn_file_actions_t {
  char* records;  // as behind a spawn_request
  std::size_t bytes, capacity;
  unsigned count;
};

struct posix_spawnattr_t {
  short flags;
  pid_t group;
  sigset_t mask, defaults;
};

// One thread uses an object of actions or attributes at a time.
GENESYS_KERNEL int posix_spawn_file_actions_init(posix_spawn_file_actions_t* of) {
  *of = {};
  return 0;
}
GENESYS_KERNEL int posix_spawn_file_actions_destroy(const os& calls, posix_spawn_file_actions_t* of) {
  posix::free(calls, of->records);
  *of = {};
  return 0;
}
GENESYS_KERNEL int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t* of) {
  return posix_spawn_file_actions_destroy(detail::libc::ambient(), of);
}

}  // namespace genesys::posix

namespace genesys::detail::libc {

GENESYS_KERNEL_OUTLINE inline int add_spawn_action(const os& calls, posix::posix_spawn_file_actions_t& to,
                                                   spawn_action action, const char* path) {
  if (action.what != spawn_action::change_directory && action.fd < 0) return EBADF;
  action.path_bytes = path == nullptr ? 0 : static_cast<u32>(string_length(path)) + 1;
  const std::size_t more = sizeof action + action.path_bytes;
  if (to.bytes + more > to.capacity) {
    const std::size_t larger = 2 * to.capacity + more;
    auto* const moved = static_cast<char*>(posix::realloc(calls, to.records, larger));
    if (moved == nullptr) return ENOMEM;
    to.records = moved;
    to.capacity = larger;
  }
  posix::memcpy(to.records + to.bytes, &action, sizeof action);
  if (path != nullptr) posix::memcpy(to.records + to.bytes + sizeof action, path, action.path_bytes);
  to.bytes += more;
  ++to.count;
  return 0;
}

// The strings of a list that ends with null: their number, and their bytes with the NULs.
struct string_sizes {
  u32 count;
  std::size_t bytes;
};
GENESYS_KERNEL string_sizes sizes_of(char* const* list) {
  string_sizes sum{0, 0};
  for (; list != nullptr && list[sum.count] != nullptr; ++sum.count) sum.bytes += string_length(list[sum.count]) + 1;
  return sum;
}
GENESYS_KERNEL char* append(char* to, char* const* list, u32 count) {
  for (u32 i = 0; i < count; ++i) to = posix::stpcpy(to, list[i]) + 1;
  return to;
}

// The first two words hold signals 1 to 64.
GENESYS_KERNEL u64 bits_of(const sigset_t& set) {
  u64 bits = 0;
  posix::memcpy(&bits, &set, sizeof bits);
  return bits;
}

struct spawn_arguments {
  const char* path;
  const posix::posix_spawn_file_actions_t* actions;
  const posix::posix_spawnattr_t* attributes;
  char* const* words;
  char* const* environment;
  u32 flags;
};

// By one thread: makes the request, and the call. The ID of the new process, or -errno.
GENESYS_KERNEL_OUTLINE inline long spawn(ticket_origin from, const spawn_arguments& given) {
  const os calls(from.whole());
  const bool is_same = given.environment == posix::host_environment();
  const string_sizes words = sizes_of(given.words), environment = sizes_of(is_same ? nullptr : given.environment);
  const std::size_t actions = given.actions != nullptr ? given.actions->bytes : 0;
  spawn_request request{};
  request.flags = given.flags | (is_same ? spawn_request::same_environment : 0u);
  request.actions = given.actions != nullptr ? given.actions->count : 0;
  request.words = words.count;
  request.environment_words = environment.count;
  if (given.attributes != nullptr) {
    request.attributes = given.attributes->flags;
    request.group = given.attributes->group;
    request.mask = bits_of(given.attributes->mask);
    request.defaults = bits_of(given.attributes->defaults);
  }
  const std::size_t bytes = sizeof request + actions + words.bytes + environment.bytes;
  auto* const memory = static_cast<char*>(allocate(from, bytes));
  if (memory == nullptr) return -ENOMEM;
  posix::memcpy(memory, &request, sizeof request);
  char* at = memory + sizeof request;
  if (actions != 0) posix::memcpy(at, given.actions->records, actions);
  at = append(at + actions, given.words, words.count);
  append(at, given.environment, environment.count);
  const long result = calls.execve<GENESYS_SPAWN>(given.path, memory, bytes);
  (void)release(from, memory);
  return result == -ENOBUFS ? -E2BIG : result;  // the request is staged
}

template <system_calls Calls>
GENESYS_KERNEL int spawn(const Calls& calls, pid_t* process, const spawn_arguments& given) {
  const ticket_origin from = origin_of(calls.context());
  long made = 0;
  if constexpr (std::is_same_v<decltype(calls.scope()), thread>) {
    made = spawn(from, given);
  } else {
    made = static_cast<long>(once(calls, [&] { return spawn(from, given); }));
  }
  if (made < 0) return static_cast<int>(-made);
  if (process != nullptr) *process = static_cast<pid_t>(made);
  return 0;
}

}  // namespace genesys::detail::libc

namespace genesys::posix {

// posix_spawn_file_actions_addopen(3) and others. ENOMEM; EBADF below 0. Above the host's limit posix_spawn() gives it.
GENESYS_KERNEL int posix_spawn_file_actions_addopen(const os& calls, posix_spawn_file_actions_t* to, int fd,
                                                    const char* path, int flags, mode_t mode) {
  return detail::libc::add_spawn_action(
      calls, *to, {spawn_action::open, fd, 0, static_cast<unsigned>(flags), static_cast<unsigned>(mode), 0}, path);
}
GENESYS_KERNEL int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t* to, int fd, const char* path, int flags,
                                                    mode_t mode) {
  return posix_spawn_file_actions_addopen(detail::libc::ambient(), to, fd, path, flags, mode);
}
GENESYS_KERNEL int posix_spawn_file_actions_addclose(const os& calls, posix_spawn_file_actions_t* to, int fd) {
  return detail::libc::add_spawn_action(calls, *to, {spawn_action::close, fd, 0, 0, 0, 0}, nullptr);
}
GENESYS_KERNEL int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t* to, int fd) {
  return posix_spawn_file_actions_addclose(detail::libc::ambient(), to, fd);
}
GENESYS_KERNEL int posix_spawn_file_actions_adddup2(const os& calls, posix_spawn_file_actions_t* to, int fd,
                                                    int new_fd) {
  if (new_fd < 0) return EBADF;
  return detail::libc::add_spawn_action(calls, *to, {spawn_action::duplicate, fd, new_fd, 0, 0, 0}, nullptr);
}
GENESYS_KERNEL int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t* to, int fd, int new_fd) {
  return posix_spawn_file_actions_adddup2(detail::libc::ambient(), to, fd, new_fd);
}
GENESYS_KERNEL int posix_spawn_file_actions_addchdir_np(const os& calls, posix_spawn_file_actions_t* to,
                                                        const char* path) {
  return detail::libc::add_spawn_action(calls, *to, {spawn_action::change_directory, 0, 0, 0, 0, 0}, path);
}
GENESYS_KERNEL int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t* to, const char* path) {
  return posix_spawn_file_actions_addchdir_np(detail::libc::ambient(), to, path);
}
GENESYS_KERNEL int posix_spawn_file_actions_addfchdir_np(const os& calls, posix_spawn_file_actions_t* to, int fd) {
  return detail::libc::add_spawn_action(calls, *to, {spawn_action::change_directory_to_descriptor, fd, 0, 0, 0, 0},
                                        nullptr);
}
GENESYS_KERNEL int posix_spawn_file_actions_addfchdir_np(posix_spawn_file_actions_t* to, int fd) {
  return posix_spawn_file_actions_addfchdir_np(detail::libc::ambient(), to, fd);
}

// posix_spawnattr_setflags(3) and others. POSIX_SPAWN_SETSCHEDULER, POSIX_SPAWN_SETSCHEDPARAM and unknown flags give
// EINVAL.
GENESYS_KERNEL int posix_spawnattr_init(posix_spawnattr_t* of) {
  *of = {};
  return 0;
}
GENESYS_KERNEL int posix_spawnattr_destroy(posix_spawnattr_t*) { return 0; }
GENESYS_KERNEL int posix_spawnattr_setflags(posix_spawnattr_t* of, short flags) {
  if ((flags & ~spawn_request::known_attributes) != 0) return EINVAL;
  of->flags = flags;
  return 0;
}
GENESYS_KERNEL int posix_spawnattr_setpgroup(posix_spawnattr_t* of, pid_t group) {
  of->group = group;
  return 0;
}
GENESYS_KERNEL int posix_spawnattr_setsigmask(posix_spawnattr_t* of, const sigset_t* blocked) {
  of->mask = *blocked;
  return 0;
}
GENESYS_KERNEL int posix_spawnattr_setsigdefault(posix_spawnattr_t* of, const sigset_t* defaults) {
  of->defaults = *defaults;
  return 0;
}

// Starts a program. All threads of the scope call it with equal arguments, and all get its process ID. `actions`,
// `attributes` and `process` may be null. posix_spawn(3).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int posix_spawn(const Calls& calls, pid_t* process, const char* path,
                               const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
                               char* const words[], char* const environment[]) {
  return detail::libc::spawn(calls, process, {path, actions, attributes, words, environment, 0});
}
GENESYS_KERNEL int posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  return posix_spawn(detail::libc::ambient(), process, path, actions, attributes, words, environment);
}
// The same; a name without a slash is looked up in the host's PATH. posix_spawnp(3).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int posix_spawnp(const Calls& calls, pid_t* process, const char* file,
                                const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
                                char* const words[], char* const environment[]) {
  return detail::libc::spawn(calls, process,
                             {file, actions, attributes, words, environment, spawn_request::search_path});
}
GENESYS_KERNEL int posix_spawnp(pid_t* process, const char* file, const posix_spawn_file_actions_t* actions,
                                const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  return posix_spawnp(detail::libc::ambient(), process, file, actions, attributes, words, environment);
}

}  // namespace genesys::posix
