// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys; do not edit. To regenerate: ./dev gen (tools/gen/main.py).
// The system calls as typed methods, named as in the manual pages. Each converts its arguments to 64-bit words, and
// passes them to its scope.
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "genesys/detail/table/generated/plans.h"
#include "genesys/detail/target/target.h"
#include "genesys/linux_types.h"

// The manual pages name the headers that define these.
struct cachestat;
struct cachestat_range;
struct cap_user_header;
struct dqblk;
struct dqinfo;
struct epoll_event;
struct f_owner_ex;
struct fb_fix_screeninfo;
struct fb_var_screeninfo;
struct file_handle;
struct flock;
struct futex_waitv;
struct if_nextdqblk;
struct iovec;
struct itimerspec;
struct itimerval;
struct kcmp_epoll_slot;
struct landlock_net_port_attr;
struct landlock_path_beneath_attr;
struct mmsghdr;
struct mnt_id_req;
struct mq_attr;
struct msghdr;
struct msginfo;
struct msqid_ds;
struct perf_event_attr;
struct pollfd;
struct rlimit;
struct rusage;
struct sched_attr;
struct sched_param;
struct sembuf;
struct semid_ds;
struct seminfo;
struct shm_info;
struct shmid_ds;
struct shminfo;
struct sigevent;
struct sockaddr;
struct stat;
struct statfs;
struct statx;
struct sysinfo;
struct timespec;
struct timeval;
struct timex;
struct timezone;
struct tms;
struct ustat;
struct utimbuf;
struct utsname;
struct winsize;
struct xattr_args;

namespace genesys::detail::table {

// Selects one of the variants of a call.
template <std::uint32_t value>
struct variant {};

// The base of genesys::os and of the call site facades. `Self` holds the scope, and has `template <plan_id id> auto
// invoke(std::uint64_t...) const`, which receives each argument as Linux expects it in a register. Exactly the lanes of
// the scope call a method, all with equal arguments. Each of them gets the same result, a long: Linux's, or -errno.
// With a ticket, its wait() returns that result; a posted call returns nothing. A pointer may lead to any memory that
// the kernel may use. That memory belongs to the call until the call has finished.
template <class Self>
struct calls {
  // Gets the real user ID of the process. Lanes: all of the scope. Result: a number, or -errno. getuid(2).
  GENESYS_KERNEL auto getuid() const { return call<plan_id::getuid>(); }

  // Gets the effective user ID of the process, by which Linux checks permissions. Lanes: all of the scope. Result: a
  // number, or -errno. geteuid(2).
  GENESYS_KERNEL auto geteuid() const { return call<plan_id::geteuid>(); }

  // Gets the real group ID of the process. Lanes: all of the scope. Result: a number, or -errno. getgid(2).
  GENESYS_KERNEL auto getgid() const { return call<plan_id::getgid>(); }

  // Gets the effective group ID of the process, by which Linux checks permissions. Lanes: all of the scope. Result: a
  // number, or -errno. getegid(2).
  GENESYS_KERNEL auto getegid() const { return call<plan_id::getegid>(); }

  // Gets the real, effective and saved user IDs. `real`: written by Linux. `effective`: written by Linux. `saved`:
  // written by Linux. Lanes: all of the scope. Result: 0, or -errno. getresuid(2).
  GENESYS_KERNEL auto getresuid(unsigned* real, unsigned* effective, unsigned* saved) const {
    return call<plan_id::getresuid>(real, effective, saved);
  }

  // Gets the real, effective and saved group IDs. `real`: written by Linux. `effective`: written by Linux. `saved`:
  // written by Linux. Lanes: all of the scope. Result: 0, or -errno. getresgid(2).
  GENESYS_KERNEL auto getresgid(unsigned* real, unsigned* effective, unsigned* saved) const {
    return call<plan_id::getresgid>(real, effective, saved);
  }

  // Gets the supplementary group IDs; if `count` is 0, only their number. `groups` (or null): a buffer for `count`
  // numbers; the result counts those that Linux wrote. Lanes: all of the scope. Result: a number, or -errno.
  // getgroups(2).
  GENESYS_KERNEL auto getgroups(int count, unsigned* groups) const { return call<plan_id::getgroups>(count, groups); }

  // Sets the user IDs. Unlike on the CPU, it changes every thread of the process, as the C library's function does.
  // Lanes: all of the scope. Result: 0, or -errno. setuid(2).
  GENESYS_KERNEL auto setuid(unsigned uid) const { return call<plan_id::setuid>(uid); }

  // Sets the group IDs. Unlike on the CPU, it changes every thread of the process, as the C library's function does.
  // Lanes: all of the scope. Result: 0, or -errno. setgid(2).
  GENESYS_KERNEL auto setgid(unsigned gid) const { return call<plan_id::setgid>(gid); }

  // Sets the real and effective user IDs. Unlike on the CPU, it changes every thread of the process, as the C library's
  // function does. Lanes: all of the scope. Result: 0, or -errno. setreuid(2).
  GENESYS_KERNEL auto setreuid(unsigned real, unsigned effective) const {
    return call<plan_id::setreuid>(real, effective);
  }

  // Sets the real and effective group IDs. Unlike on the CPU, it changes every thread of the process, as the C
  // library's function does. Lanes: all of the scope. Result: 0, or -errno. setregid(2).
  GENESYS_KERNEL auto setregid(unsigned real, unsigned effective) const {
    return call<plan_id::setregid>(real, effective);
  }

  // Sets the real, effective and saved user IDs. Unlike on the CPU, it changes every thread of the process, as the C
  // library's function does. Lanes: all of the scope. Result: 0, or -errno. setresuid(2).
  GENESYS_KERNEL auto setresuid(unsigned real, unsigned effective, unsigned saved) const {
    return call<plan_id::setresuid>(real, effective, saved);
  }

  // Sets the real, effective and saved group IDs. Unlike on the CPU, it changes every thread of the process, as the C
  // library's function does. Lanes: all of the scope. Result: 0, or -errno. setresgid(2).
  GENESYS_KERNEL auto setresgid(unsigned real, unsigned effective, unsigned saved) const {
    return call<plan_id::setresgid>(real, effective, saved);
  }

  // Sets the supplementary group IDs. `groups` (or null): `count` numbers, read by Linux. Unlike on the CPU, it changes
  // every thread of the process, as the C library's function does. Lanes: all of the scope. Result: 0, or -errno.
  // setgroups(2).
  GENESYS_KERNEL auto setgroups(std::size_t count, const unsigned* groups) const {
    return call<plan_id::setgroups>(count, groups);
  }

  // Gets the capabilities of a thread: 3 or 6 words, depending on the version in the header. `header`: read and written
  // by Linux. `data` (or null): read and written by Linux. Unlike on the CPU, pid 0 means the worker that makes the
  // call. Lanes: all of the scope. Result: 0, or -errno. capget(2).
  GENESYS_KERNEL auto capget(struct ::cap_user_header* header, unsigned* data = nullptr) const {
    return call<plan_id::capget>(header, data);
  }

  // Creates a Landlock ruleset as described by a `struct landlock_ruleset_attr`. `attributes` (or null): `size` bytes,
  // read by Linux. Lanes: all of the scope. Result: a descriptor, or -errno. landlock_create_ruleset(2).
  GENESYS_KERNEL auto landlock_create_ruleset(const void* attributes, std::size_t size, int flags) const {
    return call<plan_id::landlock_create_ruleset>(attributes, size, flags);
  }

  // landlock_add_rule(2). Its rule, a constant, is a template argument and selects the other arguments:
  // `landlock_add_rule<LANDLOCK_RULE_PATH_BENEATH>(ruleset, attributes, flags)`. There are LANDLOCK_RULE_PATH_BENEATH,
  // LANDLOCK_RULE_NET_PORT; the methods below describe the arguments of each. (In a template whose `os` depends on a
  // parameter, C++ requires `os.template landlock_add_rule<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto landlock_add_rule(Args... args) const {
    constexpr bool known =
        chosen == 0x1 || chosen == 0x2;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.landlock_add_rule_as(variant<chosen>(), given...); };
    static_assert(known, "genesys does not support this rule of landlock_add_rule: table/credentials.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this rule of landlock_add_rule: "
                                   "see table/credentials.sys");
    if constexpr (right) return landlock_add_rule_as(variant<chosen>(), args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto landlock_add_rule(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the rule of landlock_add_rule is a template argument: "
                  "landlock_add_rule<LANDLOCK_RULE_PATH_BENEATH>(ruleset, attributes, flags)");
    return 0L;
  }

  // landlock_add_rule<LANDLOCK_RULE_PATH_BENEATH>(ruleset, attributes, flags): Adds a rule about a file hierarchy to a
  // ruleset. `attributes`: read by Linux. Lanes: all of the scope. Result: 0, or -errno. landlock_add_rule(2).
  GENESYS_KERNEL auto landlock_add_rule_as(variant<0x1>, int ruleset, const struct ::landlock_path_beneath_attr*
                                           attributes, int flags = 0) const {
    return call<plan_id::landlock_add_rule_LANDLOCK_RULE_PATH_BENEATH>(ruleset, 0x1u, attributes, flags);
  }

  // landlock_add_rule<LANDLOCK_RULE_NET_PORT>(ruleset, attributes, flags): Adds a rule about a network port to a
  // ruleset. `attributes`: read by Linux. Lanes: all of the scope. Result: 0, or -errno. landlock_add_rule(2).
  GENESYS_KERNEL auto landlock_add_rule_as(variant<0x2>, int ruleset, const struct ::landlock_net_port_attr* attributes,
                                           int flags = 0) const {
    return call<plan_id::landlock_add_rule_LANDLOCK_RULE_NET_PORT>(ruleset, 0x2u, attributes, flags);
  }

  // Gets an attribute that the security modules hold for the thread. `contexts` (or null): a buffer of `*size` bytes;
  // Linux sets `*size` to the full length. `size`: read and written by Linux. Unlike on the CPU, it concerns the worker
  // that makes the call. Lanes: all of the scope. Result: a number, or -errno. lsm_get_self_attr(2).
  GENESYS_KERNEL auto lsm_get_self_attr(unsigned attribute, void* contexts, unsigned* size, int flags = 0) const {
    return call<plan_id::lsm_get_self_attr>(attribute, contexts, size, flags);
  }

  // Lists the IDs of the active security modules, each a u64. `ids`: a buffer of `*size` bytes; Linux sets `*size` to
  // the full length. `size`: read and written by Linux. Lanes: all of the scope. Result: a number, or -errno.
  // lsm_list_modules(2).
  GENESYS_KERNEL auto lsm_list_modules(void* ids, unsigned* size, int flags = 0) const {
    return call<plan_id::lsm_list_modules>(ids, size, flags);
  }

  // Adds a key to a keyring, or updates it. `type`: a string that ends with a NUL. `description` (or null): a string
  // that ends with a NUL. `payload` (or null): `size` bytes, read by Linux. Unlike on the CPU, a thread keyring is that
  // of the worker that makes the call. Lanes: all of the scope. Result: a number, or -errno. add_key(2).
  GENESYS_KERNEL auto add_key(const char* type, const char* description, const void* payload, std::size_t size, int
                              keyring) const {
    return call<plan_id::add_key>(type, description, payload, size, keyring);
  }

  // Finds a key, or asks user space to create it. `type`: a string that ends with a NUL. `description`: a string that
  // ends with a NUL. `info` (or null): a string that ends with a NUL. Unlike on the CPU, a thread keyring is that of
  // the worker that makes the call. Lanes: all of the scope. Result: a number, or -errno. request_key(2).
  GENESYS_KERNEL auto request_key(const char* type, const char* description, const char* info, int keyring) const {
    return call<plan_id::request_key>(type, description, info, keyring);
  }

  // keyctl(2). Its operation, a constant, is a template argument and selects the other arguments:
  // `keyctl<KEYCTL_GET_KEYRING_ID>(ring, create)`. There are KEYCTL_GET_KEYRING_ID, KEYCTL_UPDATE, KEYCTL_REVOKE,
  // KEYCTL_CHOWN, KEYCTL_SETPERM, KEYCTL_DESCRIBE, KEYCTL_CLEAR, KEYCTL_LINK, KEYCTL_UNLINK, KEYCTL_SEARCH,
  // KEYCTL_READ, KEYCTL_INSTANTIATE, KEYCTL_NEGATE, KEYCTL_SET_TIMEOUT, KEYCTL_GET_SECURITY, KEYCTL_REJECT,
  // KEYCTL_INSTANTIATE_IOV, KEYCTL_INVALIDATE, KEYCTL_GET_PERSISTENT, KEYCTL_RESTRICT_KEYRING, KEYCTL_MOVE,
  // KEYCTL_CAPABILITIES, KEYCTL_WATCH_KEY; the methods below describe the arguments of each. (In a template whose `os`
  // depends on a parameter, C++ requires `os.template keyctl<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto keyctl(Args... args) const {
    constexpr bool known =
        chosen == 0x0 || chosen == 0x2 || chosen == 0x3 || chosen == 0x4 || chosen == 0x5 || chosen == 0x6 ||
        chosen == 0x7 || chosen == 0x8 || chosen == 0x9 || chosen == 0xa || chosen == 0xb || chosen == 0xc ||
        chosen == 0xd || chosen == 0xf || chosen == 0x11 || chosen == 0x13 || chosen == 0x14 || chosen == 0x15 ||
        chosen == 0x16 || chosen == 0x1d || chosen == 0x1e || chosen == 0x1f || chosen == 0x20;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.keyctl_as(variant<chosen>(), given...); };
    static_assert(known, "genesys does not support this operation of keyctl: table/credentials.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this operation of keyctl: "
                                   "see table/credentials.sys");
    if constexpr (right) return keyctl_as(variant<chosen>(), args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto keyctl(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the operation of keyctl is a template argument: "
                  "keyctl<KEYCTL_GET_KEYRING_ID>(ring, create)");
    return 0L;
  }

  // keyctl<KEYCTL_GET_KEYRING_ID>(ring, create): Gets the ID of a keyring. Unlike on the CPU, thread keyrings and
  // assumed rights are those of the worker that makes the call. Lanes: all of the scope. Result: a number, or -errno.
  // keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x0>, int ring, int create) const {
    return call<plan_id::keyctl_KEYCTL_GET_KEYRING_ID>(0x0u, ring, create);
  }

  // keyctl<KEYCTL_UPDATE>(key, payload, size): Replaces the payload of a key. `payload` (or null): `size` bytes, read
  // by Linux. Unlike on the CPU, thread keyrings and assumed rights are those of the worker that makes the call. Lanes:
  // all of the scope. Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x2>, int key, const void* payload, std::size_t size) const {
    return call<plan_id::keyctl_KEYCTL_UPDATE>(0x2u, key, payload, size);
  }

  // keyctl<KEYCTL_REVOKE>(key): Revokes a key: later uses of it fail. Unlike on the CPU, thread keyrings and assumed
  // rights are those of the worker that makes the call. Lanes: all of the scope. Result: a number, or -errno.
  // keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x3>, int key) const { return call<plan_id::keyctl_KEYCTL_REVOKE>(0x3u, key); }

  // keyctl<KEYCTL_CHOWN>(key, user, group): Changes the owner and the group of a key. Unlike on the CPU, thread
  // keyrings and assumed rights are those of the worker that makes the call. Lanes: all of the scope. Result: a number,
  // or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x4>, int key, unsigned user, unsigned group) const {
    return call<plan_id::keyctl_KEYCTL_CHOWN>(0x4u, key, user, group);
  }

  // keyctl<KEYCTL_SETPERM>(key, rights): Sets the permissions of a key. Unlike on the CPU, thread keyrings and assumed
  // rights are those of the worker that makes the call. Lanes: all of the scope. Result: a number, or -errno.
  // keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x5>, int key, unsigned rights) const {
    return call<plan_id::keyctl_KEYCTL_SETPERM>(0x5u, key, rights);
  }

  // keyctl<KEYCTL_DESCRIBE>(key, text, size): Gets the description of a key. The result is its full length; if the
  // buffer is shorter, Linux writes nothing. `text` (or null): a buffer for `size` bytes; the result counts those that
  // Linux wrote. Unlike on the CPU, thread keyrings and assumed rights are those of the worker that makes the call.
  // Lanes: all of the scope. Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x6>, int key, void* text, std::size_t size) const {
    return call<plan_id::keyctl_KEYCTL_DESCRIBE>(0x6u, key, text, size);
  }

  // keyctl<KEYCTL_CLEAR>(ring): Removes all keys from a keyring. Unlike on the CPU, thread keyrings and assumed rights
  // are those of the worker that makes the call. Lanes: all of the scope. Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x7>, int ring) const { return call<plan_id::keyctl_KEYCTL_CLEAR>(0x7u, ring); }

  // keyctl<KEYCTL_LINK>(key, ring): Links a key to a keyring. Unlike on the CPU, thread keyrings and assumed rights are
  // those of the worker that makes the call. Lanes: all of the scope. Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x8>, int key, int ring) const {
    return call<plan_id::keyctl_KEYCTL_LINK>(0x8u, key, ring);
  }

  // keyctl<KEYCTL_UNLINK>(key, ring): Unlinks a key from a keyring. Unlike on the CPU, thread keyrings and assumed
  // rights are those of the worker that makes the call. Lanes: all of the scope. Result: a number, or -errno.
  // keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x9>, int key, int ring) const {
    return call<plan_id::keyctl_KEYCTL_UNLINK>(0x9u, key, ring);
  }

  // keyctl<KEYCTL_SEARCH>(ring, type, description, into): Searches a keyring for a key. `type`: a string that ends with
  // a NUL. `description`: a string that ends with a NUL. Unlike on the CPU, thread keyrings and assumed rights are
  // those of the worker that makes the call. Lanes: all of the scope. Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0xa>, int ring, const char* type, const char* description, int into) const {
    return call<plan_id::keyctl_KEYCTL_SEARCH>(0xau, ring, type, description, into);
  }

  // keyctl<KEYCTL_READ>(key, payload, size): Reads the payload of a key. The result is its full length. `payload` (or
  // null): a buffer for `size` bytes; the result counts those that Linux wrote. Unlike on the CPU, thread keyrings and
  // assumed rights are those of the worker that makes the call. Lanes: all of the scope. Result: a number, or -errno.
  // keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0xb>, int key, void* payload, std::size_t size) const {
    return call<plan_id::keyctl_KEYCTL_READ>(0xbu, key, payload, size);
  }

  // keyctl<KEYCTL_INSTANTIATE>(key, payload, size, ring): Gives a requested key its payload. `payload` (or null):
  // `size` bytes, read by Linux. Unlike on the CPU, thread keyrings and assumed rights are those of the worker that
  // makes the call. Lanes: all of the scope. Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0xc>, int key, const void* payload, std::size_t size, int ring) const {
    return call<plan_id::keyctl_KEYCTL_INSTANTIATE>(0xcu, key, payload, size, ring);
  }

  // keyctl<KEYCTL_NEGATE>(key, seconds, ring): Marks a requested key as nonexistent for some seconds. Unlike on the
  // CPU, thread keyrings and assumed rights are those of the worker that makes the call. Lanes: all of the scope.
  // Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0xd>, int key, unsigned seconds, int ring) const {
    return call<plan_id::keyctl_KEYCTL_NEGATE>(0xdu, key, seconds, ring);
  }

  // keyctl<KEYCTL_SET_TIMEOUT>(key, seconds): Sets the number of seconds after which a key expires. Unlike on the CPU,
  // thread keyrings and assumed rights are those of the worker that makes the call. Lanes: all of the scope. Result: a
  // number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0xf>, int key, unsigned seconds) const {
    return call<plan_id::keyctl_KEYCTL_SET_TIMEOUT>(0xfu, key, seconds);
  }

  // keyctl<KEYCTL_GET_SECURITY>(key, text, size): Gets the security label of a key. The result is its full length.
  // `text` (or null): a buffer for `size` bytes; the result counts those that Linux wrote. Unlike on the CPU, thread
  // keyrings and assumed rights are those of the worker that makes the call. Lanes: all of the scope. Result: a number,
  // or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x11>, int key, void* text, std::size_t size) const {
    return call<plan_id::keyctl_KEYCTL_GET_SECURITY>(0x11u, key, text, size);
  }

  // keyctl<KEYCTL_REJECT>(key, seconds, error, ring): Marks a requested key as nonexistent for some seconds; searches
  // for it then fail with `error`. Unlike on the CPU, thread keyrings and assumed rights are those of the worker that
  // makes the call. Lanes: all of the scope. Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x13>, int key, unsigned seconds, unsigned error, int ring) const {
    return call<plan_id::keyctl_KEYCTL_REJECT>(0x13u, key, seconds, error, ring);
  }

  // keyctl<KEYCTL_INSTANTIATE_IOV>(key, pieces, count, ring): Gives a requested key its payload, gathered from several
  // buffers. `pieces` (or null): `count` `iovec` structures; Linux reads the data that they lead to, in any memory.
  // Unlike on the CPU, thread keyrings and assumed rights are those of the worker that makes the call. Lanes: all of
  // the scope. Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x14>, int key, const struct ::iovec* pieces, unsigned count, int ring) const {
    return call<plan_id::keyctl_KEYCTL_INSTANTIATE_IOV>(0x14u, key, pieces, count, ring);
  }

  // keyctl<KEYCTL_INVALIDATE>(key): Removes a key at once. Unlike on the CPU, thread keyrings and assumed rights are
  // those of the worker that makes the call. Lanes: all of the scope. Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x15>, int key) const {
    return call<plan_id::keyctl_KEYCTL_INVALIDATE>(0x15u, key);
  }

  // keyctl<KEYCTL_GET_PERSISTENT>(user, ring): Links the persistent keyring of a user to another keyring. Unlike on the
  // CPU, thread keyrings and assumed rights are those of the worker that makes the call. Lanes: all of the scope.
  // Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x16>, unsigned user, int ring) const {
    return call<plan_id::keyctl_KEYCTL_GET_PERSISTENT>(0x16u, user, ring);
  }

  // keyctl<KEYCTL_RESTRICT_KEYRING>(ring, type, restriction): Restricts which keys can be linked to a keyring. `type`
  // (or null): a string that ends with a NUL. `restriction` (or null): a string that ends with a NUL. Unlike on the
  // CPU, thread keyrings and assumed rights are those of the worker that makes the call. Lanes: all of the scope.
  // Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x1d>, int ring, const char* type, const char* restriction) const {
    return call<plan_id::keyctl_KEYCTL_RESTRICT_KEYRING>(0x1du, ring, type, restriction);
  }

  // keyctl<KEYCTL_MOVE>(key, from, to, flags): Moves a key from one keyring to another. Unlike on the CPU, thread
  // keyrings and assumed rights are those of the worker that makes the call. Lanes: all of the scope. Result: a number,
  // or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x1e>, int key, int from, int to, int flags) const {
    return call<plan_id::keyctl_KEYCTL_MOVE>(0x1eu, key, from, to, flags);
  }

  // keyctl<KEYCTL_CAPABILITIES>(text, size): Gets a bit mask of the key features that Linux supports. `text`: `size`
  // bytes, written by Linux. Unlike on the CPU, thread keyrings and assumed rights are those of the worker that makes
  // the call. Lanes: all of the scope. Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x1f>, void* text, std::size_t size) const {
    return call<plan_id::keyctl_KEYCTL_CAPABILITIES>(0x1fu, text, size);
  }

  // keyctl<KEYCTL_WATCH_KEY>(key, pipe, number): Sends notifications about changes of a key to a pipe. Unlike on the
  // CPU, thread keyrings and assumed rights are those of the worker that makes the call. Lanes: all of the scope.
  // Result: a number, or -errno. keyctl(2).
  GENESYS_KERNEL auto keyctl_as(variant<0x20>, int key, int pipe, int number) const {
    return call<plan_id::keyctl_KEYCTL_WATCH_KEY>(0x20u, key, pipe, number);
  }

  // fcntl(2). Its command, a constant, is a template argument and selects the other arguments: `fcntl<F_DUPFD>(fd,
  // least)`. There are F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW,
  // F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW, F_SETOWN, F_GETOWN, F_SETOWN_EX, F_GETOWN_EX, F_GETOWNER_UIDS, F_SETSIG,
  // F_GETSIG, F_SETLEASE, F_GETLEASE, F_NOTIFY, F_DUPFD_QUERY, F_CREATED_QUERY, F_SETPIPE_SZ, F_GETPIPE_SZ,
  // F_ADD_SEALS, F_GET_SEALS, F_GET_RW_HINT, F_SET_RW_HINT, F_GET_FILE_RW_HINT, F_SET_FILE_RW_HINT; the methods below
  // describe the arguments of each. (In a template whose `os` depends on a parameter, C++ requires `os.template
  // fcntl<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto fcntl(Args... args) const {
    constexpr bool known =
        chosen == 0x0 || chosen == 0x406 || chosen == 0x1 || chosen == 0x2 || chosen == 0x3 || chosen == 0x4 ||
        chosen == 0x5 || chosen == 0x6 || chosen == 0x7 || chosen == 0x24 || chosen == 0x25 || chosen == 0x26 ||
        chosen == 0x8 || chosen == 0x9 || chosen == 0xf || chosen == 0x10 || chosen == 0x11 || chosen == 0xa ||
        chosen == 0xb || chosen == 0x400 || chosen == 0x401 || chosen == 0x402 || chosen == 0x403 || chosen == 0x404 ||
        chosen == 0x407 || chosen == 0x408 || chosen == 0x409 || chosen == 0x40a || chosen == 0x40b ||
        chosen == 0x40c || chosen == 0x40d || chosen == 0x40e;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.fcntl_as(variant<chosen>(), given...); };
    static_assert(known, "genesys does not support this command of fcntl: table/fcntl.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this command of fcntl: "
                                   "see table/fcntl.sys");
    if constexpr (right) return fcntl_as(variant<chosen>(), args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto fcntl(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the command of fcntl is a template argument: "
                  "fcntl<F_DUPFD>(fd, least)");
    return 0L;
  }

  // fcntl<F_DUPFD>(fd, least): Duplicates the descriptor; the new number is at least `least`. Lanes: all of the scope.
  // Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x0>, int fd, int least) const {
    return call<plan_id::fcntl_F_DUPFD>(fd, 0x0u, least);
  }

  // fcntl<F_DUPFD_CLOEXEC>(fd, least): Duplicates the descriptor; the new number is at least `least`, and execve closes
  // it. Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x406>, int fd, int least) const {
    return call<plan_id::fcntl_F_DUPFD_CLOEXEC>(fd, 0x406u, least);
  }

  // fcntl<F_GETFD>(fd): Gets the descriptor's flags. Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x1>, int fd) const { return call<plan_id::fcntl_F_GETFD>(fd, 0x1u); }

  // fcntl<F_SETFD>(fd, flags): Sets the descriptor's flags. Lanes: all of the scope. Result: a number, or -errno.
  // fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x2>, int fd, int flags) const {
    return call<plan_id::fcntl_F_SETFD>(fd, 0x2u, flags);
  }

  // fcntl<F_GETFL>(fd): Gets the open file's status flags. Lanes: all of the scope. Result: a number, or -errno.
  // fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x3>, int fd) const { return call<plan_id::fcntl_F_GETFL>(fd, 0x3u); }

  // fcntl<F_SETFL>(fd, flags): Sets the open file's status flags. Lanes: all of the scope. Result: a number, or -errno.
  // fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x4>, int fd, int flags) const {
    return call<plan_id::fcntl_F_SETFL>(fd, 0x4u, flags);
  }

  // fcntl<F_GETLK>(fd, lock): Gets a lock that conflicts with the given one, if there is one. `lock`: read and written
  // by Linux. Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x5>, int fd, struct ::flock* lock) const {
    return call<plan_id::fcntl_F_GETLK>(fd, 0x5u, lock);
  }

  // fcntl<F_SETLK>(fd, lock): Locks or unlocks a range of a file on behalf of the process. `lock`: read by Linux.
  // Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x6>, int fd, const struct ::flock* lock) const {
    return call<plan_id::fcntl_F_SETLK>(fd, 0x6u, lock);
  }

  // fcntl<F_SETLKW>(fd, lock): Locks or unlocks a range of a file on behalf of the process; waits until the lock is
  // free. `lock`: read by Linux. Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x7>, int fd, const struct ::flock* lock) const {
    return call<plan_id::fcntl_F_SETLKW>(fd, 0x7u, lock);
  }

  // fcntl<F_OFD_GETLK>(fd, lock): Gets a lock that conflicts with the given one, if there is one. `lock`: read and
  // written by Linux. Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x24>, int fd, struct ::flock* lock) const {
    return call<plan_id::fcntl_F_OFD_GETLK>(fd, 0x24u, lock);
  }

  // fcntl<F_OFD_SETLK>(fd, lock): Locks or unlocks a range of a file on behalf of the open file. `lock`: read by Linux.
  // Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x25>, int fd, const struct ::flock* lock) const {
    return call<plan_id::fcntl_F_OFD_SETLK>(fd, 0x25u, lock);
  }

  // fcntl<F_OFD_SETLKW>(fd, lock): Locks or unlocks a range of a file on behalf of the open file; waits until the lock
  // is free. `lock`: read by Linux. Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x26>, int fd, const struct ::flock* lock) const {
    return call<plan_id::fcntl_F_OFD_SETLKW>(fd, 0x26u, lock);
  }

  // fcntl<F_SETOWN>(fd, owner): Sets the process or group that receives the open file's signals. Lanes: all of the
  // scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x8>, int fd, int owner) const {
    return call<plan_id::fcntl_F_SETOWN>(fd, 0x8u, owner);
  }

  // fcntl<F_GETOWN>(fd): Gets the process or group that receives the open file's signals. Lanes: all of the scope.
  // Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x9>, int fd) const { return call<plan_id::fcntl_F_GETOWN>(fd, 0x9u); }

  // fcntl<F_SETOWN_EX>(fd, owner): Sets the thread, process or group that receives the open file's signals. `owner`:
  // read by Linux. Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0xf>, int fd, const struct ::f_owner_ex* owner) const {
    return call<plan_id::fcntl_F_SETOWN_EX>(fd, 0xfu, owner);
  }

  // fcntl<F_GETOWN_EX>(fd, owner): Gets the thread, process or group that receives the open file's signals. `owner`:
  // written by Linux. Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x10>, int fd, struct ::f_owner_ex* owner) const {
    return call<plan_id::fcntl_F_GETOWN_EX>(fd, 0x10u, owner);
  }

  // fcntl<F_GETOWNER_UIDS>(fd, users): Gets the user IDs of the process that set the receiver of the open file's
  // signals. `users`: written by Linux. Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x11>, int fd, unsigned* users) const {
    return call<plan_id::fcntl_F_GETOWNER_UIDS>(fd, 0x11u, users);
  }

  // fcntl<F_SETSIG>(fd, sig): Sets the signal that Linux sends when the open file becomes ready. Lanes: all of the
  // scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0xa>, int fd, int sig) const {
    return call<plan_id::fcntl_F_SETSIG>(fd, 0xau, sig);
  }

  // fcntl<F_GETSIG>(fd): Gets the signal that Linux sends when the open file becomes ready. Lanes: all of the scope.
  // Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0xb>, int fd) const { return call<plan_id::fcntl_F_GETSIG>(fd, 0xbu); }

  // fcntl<F_SETLEASE>(fd, lease): Sets or removes a lease on the file. Linux signals the holder when another process
  // opens the file. Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x400>, int fd, int lease) const {
    return call<plan_id::fcntl_F_SETLEASE>(fd, 0x400u, lease);
  }

  // fcntl<F_GETLEASE>(fd): Gets the type of the lease on the file. Lanes: all of the scope. Result: a number, or
  // -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x401>, int fd) const { return call<plan_id::fcntl_F_GETLEASE>(fd, 0x401u); }

  // fcntl<F_NOTIFY>(fd, events): Requests a signal when the directory or one of its files changes. Lanes: all of the
  // scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x402>, int fd, int events) const {
    return call<plan_id::fcntl_F_NOTIFY>(fd, 0x402u, events);
  }

  // fcntl<F_DUPFD_QUERY>(fd, other): Checks whether another descriptor refers to the same open file. Lanes: all of the
  // scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x403>, int fd, int other) const {
    return call<plan_id::fcntl_F_DUPFD_QUERY>(fd, 0x403u, other);
  }

  // fcntl<F_CREATED_QUERY>(fd): Checks whether the open call created the file. Lanes: all of the scope. Result: a
  // number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x404>, int fd) const {
    return call<plan_id::fcntl_F_CREATED_QUERY>(fd, 0x404u);
  }

  // fcntl<F_SETPIPE_SZ>(fd, bytes): Sets the capacity of a pipe. Lanes: all of the scope. Result: a number, or -errno.
  // fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x407>, int fd, int bytes) const {
    return call<plan_id::fcntl_F_SETPIPE_SZ>(fd, 0x407u, bytes);
  }

  // fcntl<F_GETPIPE_SZ>(fd): Gets the capacity of a pipe. Lanes: all of the scope. Result: a number, or -errno.
  // fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x408>, int fd) const { return call<plan_id::fcntl_F_GETPIPE_SZ>(fd, 0x408u); }

  // fcntl<F_ADD_SEALS>(fd, seals): Adds seals to a file in memory; each forbids a kind of change. Lanes: all of the
  // scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x409>, int fd, int seals) const {
    return call<plan_id::fcntl_F_ADD_SEALS>(fd, 0x409u, seals);
  }

  // fcntl<F_GET_SEALS>(fd): Gets the seals of a file in memory. Lanes: all of the scope. Result: a number, or -errno.
  // fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x40a>, int fd) const { return call<plan_id::fcntl_F_GET_SEALS>(fd, 0x40au); }

  // fcntl<F_GET_RW_HINT>(fd, hint): Gets the expected lifetime of data written to the file. `hint`: written by Linux.
  // Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x40b>, int fd, unsigned long long* hint) const {
    return call<plan_id::fcntl_F_GET_RW_HINT>(fd, 0x40bu, hint);
  }

  // fcntl<F_SET_RW_HINT>(fd, hint): Sets the expected lifetime of data written to the file. `hint`: read by Linux.
  // Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x40c>, int fd, const unsigned long long* hint) const {
    return call<plan_id::fcntl_F_SET_RW_HINT>(fd, 0x40cu, hint);
  }

  // fcntl<F_GET_FILE_RW_HINT>(fd, hint): Gets the expected lifetime of data written through this open file. `hint`:
  // written by Linux. Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x40d>, int fd, unsigned long long* hint) const {
    return call<plan_id::fcntl_F_GET_FILE_RW_HINT>(fd, 0x40du, hint);
  }

  // fcntl<F_SET_FILE_RW_HINT>(fd, hint): Sets the expected lifetime of data written through this open file. `hint`:
  // read by Linux. Lanes: all of the scope. Result: a number, or -errno. fcntl(2).
  GENESYS_KERNEL auto fcntl_as(variant<0x40e>, int fd, const unsigned long long* hint) const {
    return call<plan_id::fcntl_F_SET_FILE_RW_HINT>(fd, 0x40eu, hint);
  }

  // Opens a file, or creates it with `mode`. `path`: a string that ends with a NUL. Lanes: all of the scope. Result: a
  // descriptor, or -errno. openat(2).
  GENESYS_KERNEL auto openat(int dirfd, const char* path, int flags, unsigned mode = 0) const {
    return call<plan_id::openat>(dirfd, path, flags, mode);
  }

  // Closes a descriptor. Lanes: all of the scope. Result: 0, or -errno. close(2).
  GENESYS_KERNEL auto close(int fd) const { return call<plan_id::close>(fd); }

  // Reads from the descriptor's position, and advances it. `buf`: a buffer for `count` bytes; the result counts those
  // that Linux wrote. Lanes: all of the scope. Result: a number of bytes, or -errno. read(2).
  GENESYS_KERNEL auto read(int fd, void* buf, std::size_t count) const { return call<plan_id::read>(fd, buf, count); }

  // Reads from position `pos`. The descriptor's own position does not change. `buf`: a buffer for `count` bytes; the
  // result counts those that Linux wrote. Lanes: all of the scope. Result: a number of bytes, or -errno. pread64(2).
  GENESYS_KERNEL auto pread64(int fd, void* buf, std::size_t count, off_t pos) const {
    return call<plan_id::pread64>(fd, buf, count, pos);
  }

  // Writes at the descriptor's position, and advances it. `buf`: `count` bytes, read by Linux. Lanes: all of the scope.
  // Result: a number of bytes, or -errno. write(2).
  GENESYS_KERNEL auto write(int fd, const void* buf, std::size_t count) const {
    return call<plan_id::write>(fd, buf, count);
  }

  // Writes at position `pos`. The descriptor's own position does not change. `buf`: `count` bytes, read by Linux.
  // Lanes: all of the scope. Result: a number of bytes, or -errno. pwrite64(2).
  GENESYS_KERNEL auto pwrite64(int fd, const void* buf, std::size_t count, off_t pos) const {
    return call<plan_id::pwrite64>(fd, buf, count, pos);
  }

  // Sets the descriptor's position. Lanes: all of the scope. Result: the new position, or -errno. lseek(2).
  GENESYS_KERNEL auto lseek(int fd, off_t offset, int whence) const { return call<plan_id::lseek>(fd, offset, whence); }

  // Gets the type, size, owner and times of a file. `status`: written by Linux. Lanes: all of the scope. Result: 0, or
  // -errno. fstat(2).
  GENESYS_KERNEL auto fstat(int fd, struct ::stat* status) const { return call<plan_id::fstat>(fd, status); }

  // Reads the next entries of a directory: a sequence of `linux_dirent64` records. `entries`: a buffer for `count`
  // bytes; the result counts those that Linux wrote. Lanes: all of the scope. Result: a number of bytes, or -errno.
  // getdents64(2).
  GENESYS_KERNEL auto getdents64(int fd, void* entries, unsigned count) const {
    return call<plan_id::getdents64>(fd, entries, count);
  }

  // Truncates or extends a file to `length` bytes. Lanes: all of the scope. Result: 0, or -errno. ftruncate(2).
  GENESYS_KERNEL auto ftruncate(int fd, off_t length) const { return call<plan_id::ftruncate>(fd, length); }

  // Flushes a file's data and metadata to the disk, and waits for it. Lanes: all of the scope. Result: 0, or -errno.
  // fsync(2).
  GENESYS_KERNEL auto fsync(int fd) const { return call<plan_id::fsync>(fd); }

  // Flushes a file's data, and the metadata needed to read it back, to the disk, and waits for it. Lanes: all of the
  // scope. Result: 0, or -errno. fdatasync(2).
  GENESYS_KERNEL auto fdatasync(int fd) const { return call<plan_id::fdatasync>(fd); }

  // Duplicates a descriptor: the new one refers to the same open file. Lanes: all of the scope. Result: a descriptor,
  // or -errno. dup(2).
  GENESYS_KERNEL auto dup(int fd) const { return call<plan_id::dup>(fd); }

  // Removes a name; with AT_REMOVEDIR, an empty directory. `path`: a string that ends with a NUL. Lanes: all of the
  // scope. Result: 0, or -errno. unlinkat(2).
  GENESYS_KERNEL auto unlinkat(int dirfd, const char* path, int flags) const {
    return call<plan_id::unlinkat>(dirfd, path, flags);
  }

  // Creates a directory. `path`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or -errno.
  // mkdirat(2).
  GENESYS_KERNEL auto mkdirat(int dirfd, const char* path, unsigned mode) const {
    return call<plan_id::mkdirat>(dirfd, path, mode);
  }

  // Gets the path of the process's working directory. The result counts the NUL. `buf`: a buffer for `size` bytes; the
  // result counts those that Linux wrote. Lanes: all of the scope. Result: a number of bytes, or -errno. getcwd(2).
  GENESYS_KERNEL auto getcwd(void* buf, std::size_t size) const { return call<plan_id::getcwd>(buf, size); }

  // Creates a pipe: ends[0] reads what ends[1] writes. `ends`: written by Linux. Lanes: all of the scope. Result: 0, or
  // -errno. pipe2(2).
  GENESYS_KERNEL auto pipe2(int* ends, int flags = 0) const { return call<plan_id::pipe2>(ends, flags); }

  // Opens a file, or creates it with `mode`. `path`: a string that ends with a NUL. Lanes: all of the scope. Result: a
  // descriptor, or -errno. open(2).
  GENESYS_KERNEL auto open(const char* path, int flags, unsigned mode = 0) const {
    return call<plan_id::open>(path, flags, mode);
  }

  // Creates a file, or truncates it to length 0, and opens it for writing. `path`: a string that ends with a NUL.
  // Lanes: all of the scope. Result: a descriptor, or -errno. creat(2).
  GENESYS_KERNEL auto creat(const char* path, unsigned mode) const { return call<plan_id::creat>(path, mode); }

  // Opens a file as described by a `struct open_how`. `path`: a string that ends with a NUL. `how`: `size` bytes, read
  // by Linux. Lanes: all of the scope. Result: a descriptor, or -errno. openat2(2).
  GENESYS_KERNEL auto openat2(int dirfd, const char* path, const void* how, std::size_t size) const {
    return call<plan_id::openat2>(dirfd, path, how, size);
  }

  // Gets the type, size, owner and times of a file. `path`: a string that ends with a NUL. `status`: written by Linux.
  // Lanes: all of the scope. Result: 0, or -errno. stat(2).
  GENESYS_KERNEL auto stat(const char* path, struct ::stat* status) const { return call<plan_id::stat>(path, status); }

  // Gets the type, size, owner and times of a file; of a symbolic link, those of the link itself. `path`: a string that
  // ends with a NUL. `status`: written by Linux. Lanes: all of the scope. Result: 0, or -errno. lstat(2).
  GENESYS_KERNEL auto lstat(const char* path, struct ::stat* status) const {
    return call<plan_id::lstat>(path, status);
  }

  // Gets the type, size, owner and times of a file. `path` (or null): a string that ends with a NUL. `status`: written
  // by Linux. Lanes: all of the scope. Result: 0, or -errno. newfstatat(2).
  GENESYS_KERNEL auto newfstatat(int dirfd, const char* path, struct ::stat* status, int flags) const {
    return call<plan_id::newfstatat>(dirfd, path, status, flags);
  }

  // Gets the attributes of a file that `mask` selects. `path` (or null): a string that ends with a NUL. `status`:
  // written by Linux. Lanes: all of the scope. Result: 0, or -errno. statx(2).
  GENESYS_KERNEL auto statx(int dirfd, const char* path, int flags, int mask, struct ::statx* status) const {
    return call<plan_id::statx>(dirfd, path, flags, mask, status);
  }

  // Checks whether the process may access a file. `path`: a string that ends with a NUL. Lanes: all of the scope.
  // Result: 0, or -errno. access(2).
  GENESYS_KERNEL auto access(const char* path, int mode) const { return call<plan_id::access>(path, mode); }

  // Checks whether the process may access a file. `path`: a string that ends with a NUL. Lanes: all of the scope.
  // Result: 0, or -errno. faccessat(2).
  GENESYS_KERNEL auto faccessat(int dirfd, const char* path, int mode) const {
    return call<plan_id::faccessat>(dirfd, path, mode);
  }

  // Checks whether the process may access a file. `path`: a string that ends with a NUL. Lanes: all of the scope.
  // Result: 0, or -errno. faccessat2(2).
  GENESYS_KERNEL auto faccessat2(int dirfd, const char* path, int mode, int flags) const {
    return call<plan_id::faccessat2>(dirfd, path, mode, flags);
  }

  // Renames a file. `old_path`: a string that ends with a NUL. `new_path`: a string that ends with a NUL. Lanes: all of
  // the scope. Result: 0, or -errno. rename(2).
  GENESYS_KERNEL auto rename(const char* old_path, const char* new_path) const {
    return call<plan_id::rename>(old_path, new_path);
  }

  // Renames a file. `old_path`: a string that ends with a NUL. `new_path`: a string that ends with a NUL. Lanes: all of
  // the scope. Result: 0, or -errno. renameat(2).
  GENESYS_KERNEL auto renameat(int old_dirfd, const char* old_path, int new_dirfd, const char* new_path) const {
    return call<plan_id::renameat>(old_dirfd, old_path, new_dirfd, new_path);
  }

  // Renames a file, or exchanges two names. `old_path`: a string that ends with a NUL. `new_path`: a string that ends
  // with a NUL. Lanes: all of the scope. Result: 0, or -errno. renameat2(2).
  GENESYS_KERNEL auto renameat2(int old_dirfd, const char* old_path, int new_dirfd, const char* new_path, int flags)
                                const {
    return call<plan_id::renameat2>(old_dirfd, old_path, new_dirfd, new_path, flags);
  }

  // Creates a directory. `path`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or -errno.
  // mkdir(2).
  GENESYS_KERNEL auto mkdir(const char* path, unsigned mode) const { return call<plan_id::mkdir>(path, mode); }

  // Removes an empty directory. `path`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or -errno.
  // rmdir(2).
  GENESYS_KERNEL auto rmdir(const char* path) const { return call<plan_id::rmdir>(path); }

  // Creates another name for a file. `old_path`: a string that ends with a NUL. `new_path`: a string that ends with a
  // NUL. Lanes: all of the scope. Result: 0, or -errno. link(2).
  GENESYS_KERNEL auto link(const char* old_path, const char* new_path) const {
    return call<plan_id::link>(old_path, new_path);
  }

  // Creates another name for a file. `old_path`: a string that ends with a NUL. `new_path`: a string that ends with a
  // NUL. Lanes: all of the scope. Result: 0, or -errno. linkat(2).
  GENESYS_KERNEL auto linkat(int old_dirfd, const char* old_path, int new_dirfd, const char* new_path, int flags = 0)
                             const {
    return call<plan_id::linkat>(old_dirfd, old_path, new_dirfd, new_path, flags);
  }

  // Creates a symbolic link. `target`: a string that ends with a NUL. `path`: a string that ends with a NUL. Lanes: all
  // of the scope. Result: 0, or -errno. symlink(2).
  GENESYS_KERNEL auto symlink(const char* target, const char* path) const {
    return call<plan_id::symlink>(target, path);
  }

  // Creates a symbolic link. `target`: a string that ends with a NUL. `path`: a string that ends with a NUL. Lanes: all
  // of the scope. Result: 0, or -errno. symlinkat(2).
  GENESYS_KERNEL auto symlinkat(const char* target, int dirfd, const char* path) const {
    return call<plan_id::symlinkat>(target, dirfd, path);
  }

  // Removes a name. `path`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or -errno. unlink(2).
  GENESYS_KERNEL auto unlink(const char* path) const { return call<plan_id::unlink>(path); }

  // Reads the target of a symbolic link. Linux appends no NUL. `path`: a string that ends with a NUL. `buf`: a buffer
  // for `size` bytes; the result counts those that Linux wrote. Lanes: all of the scope. Result: a number of bytes, or
  // -errno. readlink(2).
  GENESYS_KERNEL auto readlink(const char* path, void* buf, int size) const {
    return call<plan_id::readlink>(path, buf, size);
  }

  // Reads the target of a symbolic link. Linux appends no NUL. `path`: a string that ends with a NUL. `buf`: a buffer
  // for `size` bytes; the result counts those that Linux wrote. Lanes: all of the scope. Result: a number of bytes, or
  // -errno. readlinkat(2).
  GENESYS_KERNEL auto readlinkat(int dirfd, const char* path, void* buf, int size) const {
    return call<plan_id::readlinkat>(dirfd, path, buf, size);
  }

  // Changes the permissions of a file. `path`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or
  // -errno. chmod(2).
  GENESYS_KERNEL auto chmod(const char* path, unsigned mode) const { return call<plan_id::chmod>(path, mode); }

  // Changes the permissions of a file. Lanes: all of the scope. Result: 0, or -errno. fchmod(2).
  GENESYS_KERNEL auto fchmod(int fd, unsigned mode) const { return call<plan_id::fchmod>(fd, mode); }

  // Changes the permissions of a file. `path`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or
  // -errno. fchmodat(2).
  GENESYS_KERNEL auto fchmodat(int dirfd, const char* path, unsigned mode) const {
    return call<plan_id::fchmodat>(dirfd, path, mode);
  }

  // Changes the permissions of a file. `path`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or
  // -errno. fchmodat2(2).
  GENESYS_KERNEL auto fchmodat2(int dirfd, const char* path, unsigned mode, int flags) const {
    return call<plan_id::fchmodat2>(dirfd, path, mode, flags);
  }

  // Changes the owner and the group of a file. `path`: a string that ends with a NUL. Lanes: all of the scope. Result:
  // 0, or -errno. chown(2).
  GENESYS_KERNEL auto chown(const char* path, unsigned owner, unsigned group) const {
    return call<plan_id::chown>(path, owner, group);
  }

  // Changes the owner and the group of a file. Lanes: all of the scope. Result: 0, or -errno. fchown(2).
  GENESYS_KERNEL auto fchown(int fd, unsigned owner, unsigned group) const {
    return call<plan_id::fchown>(fd, owner, group);
  }

  // Changes the owner and the group of a file; of a symbolic link, those of the link itself. `path`: a string that ends
  // with a NUL. Lanes: all of the scope. Result: 0, or -errno. lchown(2).
  GENESYS_KERNEL auto lchown(const char* path, unsigned owner, unsigned group) const {
    return call<plan_id::lchown>(path, owner, group);
  }

  // Changes the owner and the group of a file. `path`: a string that ends with a NUL. Lanes: all of the scope. Result:
  // 0, or -errno. fchownat(2).
  GENESYS_KERNEL auto fchownat(int dirfd, const char* path, unsigned owner, unsigned group, int flags) const {
    return call<plan_id::fchownat>(dirfd, path, owner, group, flags);
  }

  // Creates a regular file, a named pipe, a device file or a socket. `path`: a string that ends with a NUL. Lanes: all
  // of the scope. Result: 0, or -errno. mknod(2).
  GENESYS_KERNEL auto mknod(const char* path, unsigned mode, unsigned dev) const {
    return call<plan_id::mknod>(path, mode, dev);
  }

  // Creates a regular file, a named pipe, a device file or a socket. `path`: a string that ends with a NUL. Lanes: all
  // of the scope. Result: 0, or -errno. mknodat(2).
  GENESYS_KERNEL auto mknodat(int dirfd, const char* path, unsigned mode, unsigned dev) const {
    return call<plan_id::mknodat>(dirfd, path, mode, dev);
  }

  // Truncates or extends a file to `length` bytes. `path`: a string that ends with a NUL. Lanes: all of the scope.
  // Result: 0, or -errno. truncate(2).
  GENESYS_KERNEL auto truncate(const char* path, off_t length) const { return call<plan_id::truncate>(path, length); }

  // Allocates or frees disk space in a range of a file. Lanes: all of the scope. Result: 0, or -errno. fallocate(2).
  GENESYS_KERNEL auto fallocate(int fd, int mode, off_t offset, off_t length) const {
    return call<plan_id::fallocate>(fd, mode, offset, length);
  }

  // Advises Linux how the process is going to access a file. Lanes: all of the scope. Result: 0, or -errno.
  // fadvise64(2).
  GENESYS_KERNEL auto fadvise64(int fd, off_t offset, std::size_t length, int advice) const {
    return call<plan_id::fadvise64>(fd, offset, length, advice);
  }

  // Reads a range of a file into the page cache. Lanes: all of the scope. Result: 0, or -errno. readahead(2).
  GENESYS_KERNEL auto readahead(int fd, off_t offset, std::size_t count) const {
    return call<plan_id::readahead>(fd, offset, count);
  }

  // Sets the access and modification times of a file, in seconds. `path`: a string that ends with a NUL. `times` (or
  // null): read by Linux. Lanes: all of the scope. Result: 0, or -errno. utime(2).
  GENESYS_KERNEL auto utime(const char* path, const struct ::utimbuf* times = nullptr) const {
    return call<plan_id::utime>(path, times);
  }

  // Sets the access and modification times of a file, in microseconds. `path`: a string that ends with a NUL. `times`
  // (or null): read by Linux. Lanes: all of the scope. Result: 0, or -errno. utimes(2).
  GENESYS_KERNEL auto utimes(const char* path, const struct ::timeval* times = nullptr) const {
    return call<plan_id::utimes>(path, times);
  }

  // Sets the access and modification times of a file, in microseconds. `path` (or null): a string that ends with a NUL.
  // `times` (or null): read by Linux. Lanes: all of the scope. Result: 0, or -errno. futimesat(2).
  GENESYS_KERNEL auto futimesat(int dirfd, const char* path, const struct ::timeval* times = nullptr) const {
    return call<plan_id::futimesat>(dirfd, path, times);
  }

  // Sets the access and modification times of a file, in nanoseconds. `path` (or null): a string that ends with a NUL.
  // `times` (or null): read by Linux. Lanes: all of the scope. Result: 0, or -errno. utimensat(2).
  GENESYS_KERNEL auto utimensat(int dirfd, const char* path, const struct ::timespec* times = nullptr, int flags = 0)
                                const {
    return call<plan_id::utimensat>(dirfd, path, times, flags);
  }

  // Reads the next entries of a directory: a sequence of `linux_dirent` records. `entries`: a buffer for `count` bytes;
  // the result counts those that Linux wrote. Lanes: all of the scope. Result: a number of bytes, or -errno.
  // getdents(2).
  GENESYS_KERNEL auto getdents(int fd, void* entries, unsigned count) const {
    return call<plan_id::getdents>(fd, entries, count);
  }

  // Duplicates a descriptor as number `as`. Linux first closes what was open under that number. Lanes: all of the
  // scope. Result: a descriptor, or -errno. dup2(2).
  GENESYS_KERNEL auto dup2(int fd, int as) const { return call<plan_id::dup2>(fd, as); }

  // Duplicates a descriptor as number `as`. Linux first closes what was open under that number. Lanes: all of the
  // scope. Result: a descriptor, or -errno. dup3(2).
  GENESYS_KERNEL auto dup3(int fd, int as, int flags) const { return call<plan_id::dup3>(fd, as, flags); }

  // Creates a pipe: ends[0] reads what ends[1] writes. `ends`: written by Linux. Lanes: all of the scope. Result: 0, or
  // -errno. pipe(2).
  GENESYS_KERNEL auto pipe(int* ends) const { return call<plan_id::pipe>(ends); }

  // Locks or unlocks an open file. Lanes: all of the scope. Result: 0, or -errno. flock(2).
  GENESYS_KERNEL auto flock(int fd, int operation) const { return call<plan_id::flock>(fd, operation); }

  // Flushes the data of all files to the disks. Lanes: all of the scope. Result: 0, or -errno. sync(2).
  GENESYS_KERNEL auto sync() const { return call<plan_id::sync>(); }

  // Flushes the data of one file system to its disk. Lanes: all of the scope. Result: 0, or -errno. syncfs(2).
  GENESYS_KERNEL auto syncfs(int fd) const { return call<plan_id::syncfs>(fd); }

  // Flushes a range of a file's data to the disk. Lanes: all of the scope. Result: 0, or -errno. sync_file_range(2).
  GENESYS_KERNEL auto sync_file_range(int fd, off_t offset, off_t length, int flags) const {
    return call<plan_id::sync_file_range>(fd, offset, length, flags);
  }

  // Copies data from one open file to another. If `offset` is given, reading starts there. `offset` (or null): read and
  // written by Linux. Lanes: all of the scope. Result: a number of bytes, or -errno. sendfile(2).
  GENESYS_KERNEL auto sendfile(int out_fd, int in_fd, long* offset, std::size_t count) const {
    return call<plan_id::sendfile>(out_fd, in_fd, offset, count);
  }

  // Copies data from one file to another, inside the file system where it can. `in_offset` (or null): read and written
  // by Linux. `out_offset` (or null): read and written by Linux. Lanes: all of the scope. Result: a number of bytes, or
  // -errno. copy_file_range(2).
  GENESYS_KERNEL auto copy_file_range(int in_fd, long* in_offset, int out_fd, long* out_offset, std::size_t count, int
                                      flags = 0) const {
    return call<plan_id::copy_file_range>(in_fd, in_offset, out_fd, out_offset, count, flags);
  }

  // Moves data between a pipe and another descriptor. `in_offset` (or null): read and written by Linux. `out_offset`
  // (or null): read and written by Linux. Lanes: all of the scope. Result: a number of bytes, or -errno. splice(2).
  GENESYS_KERNEL auto splice(int in_fd, long* in_offset, int out_fd, long* out_offset, std::size_t count, int flags = 0)
                             const {
    return call<plan_id::splice>(in_fd, in_offset, out_fd, out_offset, count, flags);
  }

  // Copies data from one pipe to another. The data stays in the first pipe. Lanes: all of the scope. Result: a number
  // of bytes, or -errno. tee(2).
  GENESYS_KERNEL auto tee(int in_fd, int out_fd, std::size_t count, int flags = 0) const {
    return call<plan_id::tee>(in_fd, out_fd, count, flags);
  }

  // Changes the working directory of the process. `path`: a string that ends with a NUL. Lanes: all of the scope.
  // Result: 0, or -errno. chdir(2).
  GENESYS_KERNEL auto chdir(const char* path) const { return call<plan_id::chdir>(path); }

  // Changes the working directory of the process. Lanes: all of the scope. Result: 0, or -errno. fchdir(2).
  GENESYS_KERNEL auto fchdir(int fd) const { return call<plan_id::fchdir>(fd); }

  // Sets the file mode bits that Linux clears in new files. The result is the previous mask. Lanes: all of the scope.
  // Result: a number, or -errno. umask(2).
  GENESYS_KERNEL auto umask(unsigned mask) const { return call<plan_id::umask>(mask); }

  // Gets the handle of a file. Linux writes 4 bytes of `mount_id`; with AT_HANDLE_MNT_ID_UNIQUE, 8. `path` (or null): a
  // string that ends with a NUL. `handle`: read and written by Linux; holds its own length. `mount_id`: read and
  // written by Linux. Lanes: all of the scope. Result: 0, or -errno. name_to_handle_at(2).
  GENESYS_KERNEL auto name_to_handle_at(int dirfd, const char* path, struct ::file_handle* handle, unsigned long long*
                                        mount_id, int flags) const {
    return call<plan_id::name_to_handle_at>(dirfd, path, handle, mount_id, flags);
  }

  // Opens a file by its handle. `handle`: read by Linux; holds its own length. Lanes: all of the scope. Result: a
  // descriptor, or -errno. open_by_handle_at(2).
  GENESYS_KERNEL auto open_by_handle_at(int mount_fd, const struct ::file_handle* handle, int flags) const {
    return call<plan_id::open_by_handle_at>(mount_fd, handle, flags);
  }

  // Gets the extra attributes of a file, a `struct file_attr`. `path`: a string that ends with a NUL. `attributes`:
  // `size` bytes, written by Linux. Lanes: all of the scope. Result: 0, or -errno. file_getattr(2).
  GENESYS_KERNEL auto file_getattr(int dirfd, const char* path, void* attributes, std::size_t size, int flags) const {
    return call<plan_id::file_getattr>(dirfd, path, attributes, size, flags);
  }

  // Sets the extra attributes of a file, a `struct file_attr`. `path`: a string that ends with a NUL. `attributes`:
  // `size` bytes, read by Linux. Lanes: all of the scope. Result: 0, or -errno. file_setattr(2).
  GENESYS_KERNEL auto file_setattr(int dirfd, const char* path, const void* attributes, std::size_t size, int flags)
                                   const {
    return call<plan_id::file_setattr>(dirfd, path, attributes, size, flags);
  }

  // Counts the pages of a range of a file that are in the page cache. `range`: read by Linux. `counts`: written by
  // Linux. Lanes: all of the scope. Result: 0, or -errno. cachestat(2).
  GENESYS_KERNEL auto cachestat(int fd, const struct ::cachestat_range* range, struct ::cachestat* counts, int flags =
                                0) const {
    return call<plan_id::cachestat>(fd, range, counts, flags);
  }

  // Creates a file that exists in memory only. `name`: a string that ends with a NUL. Lanes: all of the scope. Result:
  // a descriptor, or -errno. memfd_create(2).
  GENESYS_KERNEL auto memfd_create(const char* name, int flags) const {
    return call<plan_id::memfd_create>(name, flags);
  }

  // Creates a file in memory that Linux does not map for itself. Lanes: all of the scope. Result: a descriptor, or
  // -errno. memfd_secret(2).
  GENESYS_KERNEL auto memfd_secret(int flags) const { return call<plan_id::memfd_secret>(flags); }

  // Creates a descriptor that reports file system events. Lanes: all of the scope. Result: a descriptor, or -errno.
  // inotify_init(2).
  GENESYS_KERNEL auto inotify_init() const { return call<plan_id::inotify_init>(); }

  // Creates a descriptor that reports file system events. Lanes: all of the scope. Result: a descriptor, or -errno.
  // inotify_init1(2).
  GENESYS_KERNEL auto inotify_init1(int flags) const { return call<plan_id::inotify_init1>(flags); }

  // Watches a file for events. The result is a watch descriptor. `path`: a string that ends with a NUL. Lanes: all of
  // the scope. Result: a number, or -errno. inotify_add_watch(2).
  GENESYS_KERNEL auto inotify_add_watch(int fd, const char* path, int mask) const {
    return call<plan_id::inotify_add_watch>(fd, path, mask);
  }

  // Removes a watch. Lanes: all of the scope. Result: 0, or -errno. inotify_rm_watch(2).
  GENESYS_KERNEL auto inotify_rm_watch(int fd, int watch) const { return call<plan_id::inotify_rm_watch>(fd, watch); }

  // Creates a descriptor that reports file system events, and can allow or deny accesses. Lanes: all of the scope.
  // Result: a descriptor, or -errno. fanotify_init(2).
  GENESYS_KERNEL auto fanotify_init(int flags, int event_flags) const {
    return call<plan_id::fanotify_init>(flags, event_flags);
  }

  // Adds, changes or removes a mark that selects events. `path` (or null): a string that ends with a NUL. Lanes: all of
  // the scope. Result: 0, or -errno. fanotify_mark(2).
  GENESYS_KERNEL auto fanotify_mark(int fd, int flags, std::uint64_t mask, int dirfd, const char* path) const {
    return call<plan_id::fanotify_mark>(fd, flags, mask, dirfd, path);
  }

  // Reads from the descriptor's position into several buffers, and advances it. `pieces`: `count` `iovec` structures;
  // Linux writes the data that they lead to, in any memory; the result counts the bytes, in their order. Lanes: all of
  // the scope. Result: a number of bytes, or -errno. readv(2).
  GENESYS_KERNEL auto readv(int fd, const struct ::iovec* pieces, int count) const {
    return call<plan_id::readv>(fd, pieces, count);
  }

  // Writes from several buffers at the descriptor's position, and advances it. `pieces`: `count` `iovec` structures;
  // Linux reads the data that they lead to, in any memory. Lanes: all of the scope. Result: a number of bytes, or
  // -errno. writev(2).
  GENESYS_KERNEL auto writev(int fd, const struct ::iovec* pieces, int count) const {
    return call<plan_id::writev>(fd, pieces, count);
  }

  // Reads from position `pos` into several buffers. `pieces`: `count` `iovec` structures; Linux writes the data that
  // they lead to, in any memory; the result counts the bytes, in their order. Lanes: all of the scope. Result: a number
  // of bytes, or -errno. preadv(2).
  GENESYS_KERNEL auto preadv(int fd, const struct ::iovec* pieces, int count, off_t pos) const {
    return call<plan_id::preadv>(fd, pieces, count, pos);
  }

  // Writes from several buffers at position `pos`. `pieces`: `count` `iovec` structures; Linux reads the data that they
  // lead to, in any memory. Lanes: all of the scope. Result: a number of bytes, or -errno. pwritev(2).
  GENESYS_KERNEL auto pwritev(int fd, const struct ::iovec* pieces, int count, off_t pos) const {
    return call<plan_id::pwritev>(fd, pieces, count, pos);
  }

  // Reads from position `pos`, or, if `pos` is -1, the descriptor's own, into several buffers. Linux ignores `high`.
  // `pieces`: `count` `iovec` structures; Linux writes the data that they lead to, in any memory; the result counts the
  // bytes, in their order. Lanes: all of the scope. Result: a number of bytes, or -errno. preadv2(2).
  GENESYS_KERNEL auto preadv2(int fd, const struct ::iovec* pieces, int count, off_t pos, std::uint64_t high, int flags)
                              const {
    return call<plan_id::preadv2>(fd, pieces, count, pos, high, flags);
  }

  // Writes from several buffers at position `pos`, or, if `pos` is -1, the descriptor's own. Linux ignores `high`.
  // `pieces`: `count` `iovec` structures; Linux reads the data that they lead to, in any memory. Lanes: all of the
  // scope. Result: a number of bytes, or -errno. pwritev2(2).
  GENESYS_KERNEL auto pwritev2(int fd, const struct ::iovec* pieces, int count, off_t pos, std::uint64_t high, int
                               flags) const {
    return call<plan_id::pwritev2>(fd, pieces, count, pos, high, flags);
  }

  // Maps memory into a pipe without a copy, or copies from a pipe to memory. `pieces`: `count` `iovec` structures; the
  // memory that they lead to must be addressed by both sides, such as the arena; otherwise -EFAULT. Unlike on the CPU,
  // only memory that both sides address can be spliced; all other memory is -EFAULT. Lanes: all of the scope. Result: a
  // number of bytes, or -errno. vmsplice(2).
  GENESYS_KERNEL auto vmsplice(int fd, const struct ::iovec* pieces, std::size_t count, int flags = 0) const {
    return call<plan_id::vmsplice>(fd, pieces, count, flags);
  }

  // futex(2). Its operation, a constant, is a template argument and selects the other arguments:
  // `futex<FUTEX_WAIT>(word, value, timeout)`. There are FUTEX_WAIT, FUTEX_WAKE, FUTEX_REQUEUE, FUTEX_CMP_REQUEUE,
  // FUTEX_WAKE_OP, FUTEX_WAIT_BITSET, FUTEX_WAKE_BITSET; the methods below describe the arguments of each. It may have
  // further bits outside 0xfffffe7f. (In a template whose `os` depends on a parameter, C++ requires `os.template
  // futex<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto futex(Args... args) const {
    constexpr bool known =
        (chosen & 0xfffffe7f) == 0x0 || (chosen & 0xfffffe7f) == 0x1 || (chosen & 0xfffffe7f) == 0x3 ||
        (chosen & 0xfffffe7f) == 0x4 || (chosen & 0xfffffe7f) == 0x5 || (chosen & 0xfffffe7f) == 0x9 ||
        (chosen & 0xfffffe7f) == 0xa;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.futex_as(variant<chosen & 0xfffffe7f>(), chosen, given...); };
    static_assert(known, "genesys does not support this operation of futex: table/futex.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this operation of futex: "
                                   "see table/futex.sys");
    if constexpr (right) return futex_as(variant<chosen & 0xfffffe7f>(), chosen, args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto futex(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the operation of futex is a template argument: "
                  "futex<FUTEX_WAIT>(word, value, timeout)");
    return 0L;
  }

  // futex<FUTEX_WAIT>(word, value, timeout): Waits for a wake-up if the word holds `value`; otherwise -EAGAIN. `word`:
  // in memory that both sides address at the same time, such as the arena; otherwise -EFAULT. `timeout` (or null): read
  // by Linux. Lanes: all of the scope. Result: a number, or -errno. futex(2).
  GENESYS_KERNEL auto futex_as(variant<0x0>, std::uint32_t operation, unsigned* word, unsigned value, const struct
                               ::timespec* timeout = nullptr) const {
    return call<plan_id::futex_FUTEX_WAIT>(word, operation, value, timeout);
  }

  // futex<FUTEX_WAKE>(word, count): Wakes up to `count` waiters of the word. `word`: in memory that both sides address
  // at the same time, such as the arena; otherwise -EFAULT. Lanes: all of the scope. Result: a number, or -errno.
  // futex(2).
  GENESYS_KERNEL auto futex_as(variant<0x1>, std::uint32_t operation, unsigned* word, unsigned count) const {
    return call<plan_id::futex_FUTEX_WAKE>(word, operation, count);
  }

  // futex<FUTEX_REQUEUE>(word, count, moved, other): Wakes up to `count` waiters of the word, and moves up to `moved`
  // others to the word `other`. `word`: in memory that both sides address at the same time, such as the arena;
  // otherwise -EFAULT. `other`: in memory that both sides address at the same time, such as the arena; otherwise
  // -EFAULT. Lanes: all of the scope. Result: a number, or -errno. futex(2).
  GENESYS_KERNEL auto futex_as(variant<0x3>, std::uint32_t operation, unsigned* word, unsigned count, unsigned moved,
                               unsigned* other) const {
    return call<plan_id::futex_FUTEX_REQUEUE>(word, operation, count, moved, other);
  }

  // futex<FUTEX_CMP_REQUEUE>(word, count, moved, other, value): Like FUTEX_REQUEUE if the word holds `value`; otherwise
  // -EAGAIN. `word`: in memory that both sides address at the same time, such as the arena; otherwise -EFAULT. `other`:
  // in memory that both sides address at the same time, such as the arena; otherwise -EFAULT. Lanes: all of the scope.
  // Result: a number, or -errno. futex(2).
  GENESYS_KERNEL auto futex_as(variant<0x4>, std::uint32_t operation, unsigned* word, unsigned count, unsigned moved,
                               unsigned* other, unsigned value) const {
    return call<plan_id::futex_FUTEX_CMP_REQUEUE>(word, operation, count, moved, other, value);
  }

  // futex<FUTEX_WAKE_OP>(word, count, others, other, change): Changes the word `other`, and wakes waiters of the first
  // word; if a test of `other` holds, also of `other`. `word`: in memory that both sides address at the same time, such
  // as the arena; otherwise -EFAULT. `other`: in memory that both sides address at the same time, such as the arena;
  // otherwise -EFAULT. Lanes: all of the scope. Result: a number, or -errno. futex(2).
  GENESYS_KERNEL auto futex_as(variant<0x5>, std::uint32_t operation, unsigned* word, unsigned count, unsigned others,
                               unsigned* other, unsigned change) const {
    return call<plan_id::futex_FUTEX_WAKE_OP>(word, operation, count, others, other, change);
  }

  // futex<FUTEX_WAIT_BITSET>(word, value, timeout, unused, bits): Waits for a wake-up with one of the bits in `bits`.
  // `timeout` is an absolute time. `word`: in memory that both sides address at the same time, such as the arena;
  // otherwise -EFAULT. `timeout` (or null): read by Linux. Lanes: all of the scope. Result: a number, or -errno.
  // futex(2).
  GENESYS_KERNEL auto futex_as(variant<0x9>, std::uint32_t operation, unsigned* word, unsigned value, const struct
                               ::timespec* timeout, std::uint64_t unused, unsigned bits) const {
    return call<plan_id::futex_FUTEX_WAIT_BITSET>(word, operation, value, timeout, unused, bits);
  }

  // futex<FUTEX_WAKE_BITSET>(word, count, unused, unused2, bits): Wakes up to `count` waiters that wait for one of the
  // bits in `bits`. `word`: in memory that both sides address at the same time, such as the arena; otherwise -EFAULT.
  // Lanes: all of the scope. Result: a number, or -errno. futex(2).
  GENESYS_KERNEL auto futex_as(variant<0xa>, std::uint32_t operation, unsigned* word, unsigned count, std::uint64_t
                               unused, std::uint64_t unused2, unsigned bits) const {
    return call<plan_id::futex_FUTEX_WAKE_BITSET>(word, operation, count, unused, unused2, bits);
  }

  // Wakes up to `count` waiters that wait for one of the bits in `bits`. `word`: in memory that both sides address at
  // the same time, such as the arena; otherwise -EFAULT. Lanes: all of the scope. Result: a number, or -errno.
  // futex_wake(2).
  GENESYS_KERNEL auto futex_wake(unsigned* word, std::uint64_t bits, int count, int flags) const {
    return call<plan_id::futex_wake>(word, bits, count, flags);
  }

  // Waits for a wake-up if the word holds `value`; otherwise -EAGAIN. `word`: in memory that both sides address at the
  // same time, such as the arena; otherwise -EFAULT. `timeout` (or null): read by Linux. Lanes: all of the scope.
  // Result: 0, or -errno. futex_wait(2).
  GENESYS_KERNEL auto futex_wait(unsigned* word, std::uint64_t value, std::uint64_t bits, int flags, const struct
                                 ::timespec* timeout = nullptr, int clock = 0) const {
    return call<plan_id::futex_wait>(word, value, bits, flags, timeout, clock);
  }

  // Wakes up to `count` waiters of the first word, and moves up to `moved` others to the second. `waiters`: read by
  // Linux. Lanes: all of the scope. Result: a number, or -errno. futex_requeue(2).
  GENESYS_KERNEL auto futex_requeue(const struct ::futex_waitv* waiters, int flags, int count, int moved) const {
    return call<plan_id::futex_requeue>(waiters, flags, count, moved);
  }

  // Waits for a wake-up of one of several words. The result is the index of that word. `waiters`: `count` `futex_waitv`
  // structures, read by Linux. `timeout` (or null): read by Linux. Lanes: all of the scope. Result: a number, or
  // -errno. futex_waitv(2).
  GENESYS_KERNEL auto futex_waitv(const struct ::futex_waitv* waiters, unsigned count, int flags, const struct
                                  ::timespec* timeout, int clock) const {
    return call<plan_id::futex_waitv>(waiters, count, flags, timeout, clock);
  }

  // ioctl(2). Its request, a constant, is a template argument and selects the other arguments: `ioctl<FIONREAD>(fd,
  // n)`. There are FIONREAD, FIONBIO, FIOCLEX, FIONCLEX, BLKGETSIZE64, TCGETS, TCSETS, TCSETSW, TCSETSF, TCSBRK,
  // TCXONC, TCFLSH, TIOCGPGRP, TIOCGWINSZ, TIOCSWINSZ, FBIOGET_VSCREENINFO, FBIOPUT_VSCREENINFO, FBIOGET_FSCREENINFO;
  // the methods below describe the arguments of each. (In a template whose `os` depends on a parameter, C++ requires
  // `os.template ioctl<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto ioctl(Args... args) const {
    constexpr bool known =
        chosen == 0x541b || chosen == 0x5421 || chosen == 0x5451 || chosen == 0x5450 || chosen == 0x80081272 ||
        chosen == 0x5401 || chosen == 0x5402 || chosen == 0x5403 || chosen == 0x5404 || chosen == 0x5409 ||
        chosen == 0x540a || chosen == 0x540b || chosen == 0x540f || chosen == 0x5413 || chosen == 0x5414 ||
        chosen == 0x4600 || chosen == 0x4601 || chosen == 0x4602;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.ioctl_as(variant<chosen>(), given...); };
    static_assert(known, "genesys does not support this request of ioctl: table/ioctl.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this request of ioctl: "
                                   "see table/ioctl.sys");
    if constexpr (right) return ioctl_as(variant<chosen>(), args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto ioctl(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the request of ioctl is a template argument: "
                  "ioctl<FIONREAD>(fd, n)");
    return 0L;
  }

  // ioctl<FIONREAD>(fd, n): Gets the number of bytes that can be read at once; of a datagram socket, the size of the
  // next datagram. `n`: written by Linux. Lanes: all of the scope. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x541b>, int fd, int* n) const {
    return call<plan_id::ioctl_FIONREAD>(fd, 0x541bu, n);
  }

  // ioctl<FIONBIO>(fd, on): Sets whether calls on the open file block (0) or not (1). `on`: read by Linux. Lanes: all
  // of the scope. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5421>, int fd, const int* on) const {
    return call<plan_id::ioctl_FIONBIO>(fd, 0x5421u, on);
  }

  // ioctl<FIOCLEX>(fd): Makes execve close the descriptor. Lanes: all of the scope. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5451>, int fd) const { return call<plan_id::ioctl_FIOCLEX>(fd, 0x5451u); }

  // ioctl<FIONCLEX>(fd): Makes execve keep the descriptor open. Lanes: all of the scope. Result: 0, or -errno.
  // ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5450>, int fd) const { return call<plan_id::ioctl_FIONCLEX>(fd, 0x5450u); }

  // ioctl<BLKGETSIZE64>(fd, bytes): Gets the size of a block device in bytes. `bytes`: written by Linux. Lanes: all of
  // the scope. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x80081272>, int fd, unsigned long long* bytes) const {
    return call<plan_id::ioctl_BLKGETSIZE64>(fd, 0x80081272u, bytes);
  }

  // ioctl<TCGETS>(fd, settings): Gets the settings of a terminal, in Linux's own structure, which is shorter than the C
  // library's. `settings`: written by Linux. Lanes: all of the scope. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5401>, int fd, ::genesys::linux_termios* settings) const {
    return call<plan_id::ioctl_TCGETS>(fd, 0x5401u, settings);
  }

  // ioctl<TCSETS>(fd, settings): Sets the settings of a terminal. `settings`: read by Linux. Lanes: all of the scope.
  // Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5402>, int fd, const ::genesys::linux_termios* settings) const {
    return call<plan_id::ioctl_TCSETS>(fd, 0x5402u, settings);
  }

  // ioctl<TCSETSW>(fd, settings): Sets the settings of a terminal after Linux has sent all of its output. `settings`:
  // read by Linux. Lanes: all of the scope. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5403>, int fd, const ::genesys::linux_termios* settings) const {
    return call<plan_id::ioctl_TCSETSW>(fd, 0x5403u, settings);
  }

  // ioctl<TCSETSF>(fd, settings): Sets the settings of a terminal after Linux has sent all of its output, and discards
  // its input. `settings`: read by Linux. Lanes: all of the scope. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5404>, int fd, const ::genesys::linux_termios* settings) const {
    return call<plan_id::ioctl_TCSETSF>(fd, 0x5404u, settings);
  }

  // ioctl<TCSBRK>(fd, arg): Waits until Linux has sent all output of a terminal, and sends a break if `arg` is 0.
  // Lanes: all of the scope. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5409>, int fd, int arg) const {
    return call<plan_id::ioctl_TCSBRK>(fd, 0x5409u, arg);
  }

  // ioctl<TCXONC>(fd, action): Suspends or resumes the output or the input of a terminal. Lanes: all of the scope.
  // Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x540a>, int fd, int action) const {
    return call<plan_id::ioctl_TCXONC>(fd, 0x540au, action);
  }

  // ioctl<TCFLSH>(fd, queue): Discards the input of a terminal, its output, or both. Lanes: all of the scope. Result:
  // 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x540b>, int fd, int queue) const {
    return call<plan_id::ioctl_TCFLSH>(fd, 0x540bu, queue);
  }

  // ioctl<TIOCGPGRP>(fd, group): Gets the foreground process group of the process's controlling terminal. `group`:
  // written by Linux. Lanes: all of the scope. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x540f>, int fd, int* group) const {
    return call<plan_id::ioctl_TIOCGPGRP>(fd, 0x540fu, group);
  }

  // ioctl<TIOCGWINSZ>(fd, size): Gets the window size of a terminal. `size`: written by Linux. Lanes: all of the scope.
  // Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5413>, int fd, struct ::winsize* size) const {
    return call<plan_id::ioctl_TIOCGWINSZ>(fd, 0x5413u, size);
  }

  // ioctl<TIOCSWINSZ>(fd, size): Sets the window size of a terminal. `size`: read by Linux. Lanes: all of the scope.
  // Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5414>, int fd, const struct ::winsize* size) const {
    return call<plan_id::ioctl_TIOCSWINSZ>(fd, 0x5414u, size);
  }

  // ioctl<FBIOGET_VSCREENINFO>(fd, mode): Gets the mode of a framebuffer: its size, and where the bits of a pixel's
  // colours are. `mode`: written by Linux. Lanes: all of the scope. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x4600>, int fd, struct ::fb_var_screeninfo* mode) const {
    return call<plan_id::ioctl_FBIOGET_VSCREENINFO>(fd, 0x4600u, mode);
  }

  // ioctl<FBIOPUT_VSCREENINFO>(fd, mode): Sets the mode of a framebuffer, and gets what the driver has made of it.
  // `mode`: read and written by Linux. Lanes: all of the scope. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x4601>, int fd, struct ::fb_var_screeninfo* mode) const {
    return call<plan_id::ioctl_FBIOPUT_VSCREENINFO>(fd, 0x4601u, mode);
  }

  // ioctl<FBIOGET_FSCREENINFO>(fd, about): Gets what the mode of a framebuffer implies: the bytes of a line, the kind
  // of pixels, the size of its memory. `about`: written by Linux. Lanes: all of the scope. Result: 0, or -errno.
  // ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x4602>, int fd, struct ::fb_fix_screeninfo* about) const {
    return call<plan_id::ioctl_FBIOGET_FSCREENINFO>(fd, 0x4602u, about);
  }

  // Opens or creates a message queue. Lanes: all of the scope. Result: a number, or -errno. msgget(2).
  GENESYS_KERNEL auto msgget(int key, int flags) const { return call<plan_id::msgget>(key, flags); }

  // Sends a message: a long, its type, followed by `size` bytes. `message`: 8 + `size` bytes, read by Linux. Lanes: all
  // of the scope. Result: 0, or -errno. msgsnd(2).
  GENESYS_KERNEL auto msgsnd(int queue, const void* message, std::size_t size, int flags = 0) const {
    return call<plan_id::msgsnd>(queue, message, size, flags);
  }

  // Receives a message: a long, its type, followed by up to `size` bytes. The result counts those bytes. `message`: a
  // buffer for 8 + `size` bytes; the result counts those that Linux wrote. Lanes: all of the scope. Result: a number of
  // bytes, or -errno. msgrcv(2).
  GENESYS_KERNEL auto msgrcv(int queue, void* message, std::size_t size, long type, int flags = 0) const {
    return call<plan_id::msgrcv>(queue, message, size, type, flags);
  }

  // msgctl(2). Its command, a constant, is a template argument and selects the other arguments:
  // `msgctl<IPC_RMID>(queue, unused)`. There are IPC_RMID, IPC_SET, IPC_STAT, IPC_INFO, MSG_INFO, MSG_STAT,
  // MSG_STAT_ANY; the methods below describe the arguments of each. (In a template whose `os` depends on a parameter,
  // C++ requires `os.template msgctl<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto msgctl(Args... args) const {
    constexpr bool known =
        chosen == 0x0 || chosen == 0x1 || chosen == 0x2 || chosen == 0x3 || chosen == 0xc || chosen == 0xb ||
        chosen == 0xd;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.msgctl_as(variant<chosen>(), given...); };
    static_assert(known, "genesys does not support this command of msgctl: table/ipc.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this command of msgctl: "
                                   "see table/ipc.sys");
    if constexpr (right) return msgctl_as(variant<chosen>(), args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto msgctl(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the command of msgctl is a template argument: "
                  "msgctl<IPC_RMID>(queue, unused)");
    return 0L;
  }

  // msgctl<IPC_RMID>(queue, unused): Removes a message queue. Lanes: all of the scope. Result: a number, or -errno.
  // msgctl(2).
  GENESYS_KERNEL auto msgctl_as(variant<0x0>, int queue, std::uint64_t unused = 0) const {
    return call<plan_id::msgctl_IPC_RMID>(queue, 0x0u, unused);
  }

  // msgctl<IPC_SET>(queue, status): Sets the owner, permissions and size limit of a message queue. `status`: read by
  // Linux. Lanes: all of the scope. Result: a number, or -errno. msgctl(2).
  GENESYS_KERNEL auto msgctl_as(variant<0x1>, int queue, const struct ::msqid_ds* status) const {
    return call<plan_id::msgctl_IPC_SET>(queue, 0x1u, status);
  }

  // msgctl<IPC_STAT>(queue, status): Gets the state of a message queue. `status`: written by Linux. Lanes: all of the
  // scope. Result: a number, or -errno. msgctl(2).
  GENESYS_KERNEL auto msgctl_as(variant<0x2>, int queue, struct ::msqid_ds* status) const {
    return call<plan_id::msgctl_IPC_STAT>(queue, 0x2u, status);
  }

  // msgctl<IPC_INFO>(queue, info): Gets the limits for message queues. `info`: written by Linux. Lanes: all of the
  // scope. Result: a number, or -errno. msgctl(2).
  GENESYS_KERNEL auto msgctl_as(variant<0x3>, int queue, struct ::msginfo* info) const {
    return call<plan_id::msgctl_IPC_INFO>(queue, 0x3u, info);
  }

  // msgctl<MSG_INFO>(queue, info): Gets the resources that all message queues use. `info`: written by Linux. Lanes: all
  // of the scope. Result: a number, or -errno. msgctl(2).
  GENESYS_KERNEL auto msgctl_as(variant<0xc>, int queue, struct ::msginfo* info) const {
    return call<plan_id::msgctl_MSG_INFO>(queue, 0xcu, info);
  }

  // msgctl<MSG_STAT>(index, status): Gets the state of the message queue at an index of Linux's table. `status`:
  // written by Linux. Lanes: all of the scope. Result: a number, or -errno. msgctl(2).
  GENESYS_KERNEL auto msgctl_as(variant<0xb>, int index, struct ::msqid_ds* status) const {
    return call<plan_id::msgctl_MSG_STAT>(index, 0xbu, status);
  }

  // msgctl<MSG_STAT_ANY>(index, status): Gets the state of the message queue at an index of Linux's table, without a
  // check of read permission. `status`: written by Linux. Lanes: all of the scope. Result: a number, or -errno.
  // msgctl(2).
  GENESYS_KERNEL auto msgctl_as(variant<0xd>, int index, struct ::msqid_ds* status) const {
    return call<plan_id::msgctl_MSG_STAT_ANY>(index, 0xdu, status);
  }

  // Opens or creates a semaphore set. Lanes: all of the scope. Result: a number, or -errno. semget(2).
  GENESYS_KERNEL auto semget(int key, int count, int flags) const { return call<plan_id::semget>(key, count, flags); }

  // Performs several semaphore operations atomically. `operations`: `count` `sembuf` structures, read by Linux. Lanes:
  // all of the scope. Result: 0, or -errno. semop(2).
  GENESYS_KERNEL auto semop(int set, const struct ::sembuf* operations, std::size_t count) const {
    return call<plan_id::semop>(set, operations, count);
  }

  // Performs several semaphore operations atomically, and waits at most `timeout`. `operations`: `count` `sembuf`
  // structures, read by Linux. `timeout` (or null): read by Linux. Lanes: all of the scope. Result: 0, or -errno.
  // semtimedop(2).
  GENESYS_KERNEL auto semtimedop(int set, const struct ::sembuf* operations, std::size_t count, const struct ::timespec*
                                 timeout = nullptr) const {
    return call<plan_id::semtimedop>(set, operations, count, timeout);
  }

  // semctl(2). Its command, a constant, is a template argument and selects the other arguments: `semctl<IPC_RMID>(set,
  // place, unused)`. There are IPC_RMID, IPC_SET, IPC_STAT, IPC_INFO, SEM_INFO, SEM_STAT, SEM_STAT_ANY, GETPID, GETVAL,
  // GETNCNT, GETZCNT, SETVAL, GETALL, SETALL; the methods below describe the arguments of each. (In a template whose
  // `os` depends on a parameter, C++ requires `os.template semctl<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto semctl(Args... args) const {
    constexpr bool known =
        chosen == 0x0 || chosen == 0x1 || chosen == 0x2 || chosen == 0x3 || chosen == 0x13 || chosen == 0x12 ||
        chosen == 0x14 || chosen == 0xb || chosen == 0xc || chosen == 0xe || chosen == 0xf || chosen == 0x10 ||
        chosen == 0xd || chosen == 0x11;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.semctl_as(variant<chosen>(), given...); };
    static_assert(known, "genesys does not support this command of semctl: table/ipc.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this command of semctl: "
                                   "see table/ipc.sys");
    if constexpr (right) return semctl_as(variant<chosen>(), args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto semctl(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the command of semctl is a template argument: "
                  "semctl<IPC_RMID>(set, place, unused)");
    return 0L;
  }

  // semctl<IPC_RMID>(set, place, unused): Removes a semaphore set. Lanes: all of the scope. Result: a number, or
  // -errno. semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0x0>, int set, int place, std::uint64_t unused = 0) const {
    return call<plan_id::semctl_IPC_RMID>(set, place, 0x0u, unused);
  }

  // semctl<IPC_SET>(set, place, status): Sets the owner and permissions of a semaphore set. `status`: read by Linux.
  // Lanes: all of the scope. Result: a number, or -errno. semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0x1>, int set, int place, const struct ::semid_ds* status) const {
    return call<plan_id::semctl_IPC_SET>(set, place, 0x1u, status);
  }

  // semctl<IPC_STAT>(set, place, status): Gets the state of a semaphore set. `status`: written by Linux. Lanes: all of
  // the scope. Result: a number, or -errno. semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0x2>, int set, int place, struct ::semid_ds* status) const {
    return call<plan_id::semctl_IPC_STAT>(set, place, 0x2u, status);
  }

  // semctl<IPC_INFO>(set, place, info): Gets the limits for semaphores. `info`: written by Linux. Lanes: all of the
  // scope. Result: a number, or -errno. semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0x3>, int set, int place, struct ::seminfo* info) const {
    return call<plan_id::semctl_IPC_INFO>(set, place, 0x3u, info);
  }

  // semctl<SEM_INFO>(set, place, info): Gets the resources that all semaphore sets use. `info`: written by Linux.
  // Lanes: all of the scope. Result: a number, or -errno. semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0x13>, int set, int place, struct ::seminfo* info) const {
    return call<plan_id::semctl_SEM_INFO>(set, place, 0x13u, info);
  }

  // semctl<SEM_STAT>(index, place, status): Gets the state of the semaphore set at an index of Linux's table. `status`:
  // written by Linux. Lanes: all of the scope. Result: a number, or -errno. semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0x12>, int index, int place, struct ::semid_ds* status) const {
    return call<plan_id::semctl_SEM_STAT>(index, place, 0x12u, status);
  }

  // semctl<SEM_STAT_ANY>(index, place, status): Gets the state of the semaphore set at an index of Linux's table,
  // without a check of read permission. `status`: written by Linux. Lanes: all of the scope. Result: a number, or
  // -errno. semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0x14>, int index, int place, struct ::semid_ds* status) const {
    return call<plan_id::semctl_SEM_STAT_ANY>(index, place, 0x14u, status);
  }

  // semctl<GETPID>(set, place, unused): Gets the process that last changed a semaphore. Lanes: all of the scope.
  // Result: a number, or -errno. semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0xb>, int set, int place, std::uint64_t unused = 0) const {
    return call<plan_id::semctl_GETPID>(set, place, 0xbu, unused);
  }

  // semctl<GETVAL>(set, place, unused): Gets the value of a semaphore. Lanes: all of the scope. Result: a number, or
  // -errno. semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0xc>, int set, int place, std::uint64_t unused = 0) const {
    return call<plan_id::semctl_GETVAL>(set, place, 0xcu, unused);
  }

  // semctl<GETNCNT>(set, place, unused): Counts the processes that wait for a semaphore to increase. Lanes: all of the
  // scope. Result: a number, or -errno. semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0xe>, int set, int place, std::uint64_t unused = 0) const {
    return call<plan_id::semctl_GETNCNT>(set, place, 0xeu, unused);
  }

  // semctl<GETZCNT>(set, place, unused): Counts the processes that wait for a semaphore to become 0. Lanes: all of the
  // scope. Result: a number, or -errno. semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0xf>, int set, int place, std::uint64_t unused = 0) const {
    return call<plan_id::semctl_GETZCNT>(set, place, 0xfu, unused);
  }

  // semctl<SETVAL>(set, place, value): Sets the value of a semaphore. Lanes: all of the scope. Result: a number, or
  // -errno. semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0x10>, int set, int place, int value) const {
    return call<plan_id::semctl_SETVAL>(set, place, 0x10u, value);
  }

  // semctl<GETALL>(set, place, values, size): Gets the values of all semaphores of a set, 2 bytes each. A shorter
  // buffer is -EINVAL. `values`: `size` bytes, read and written by Linux. Lanes: all of the scope. Result: a number, or
  // -errno. semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0xd>, int set, int place, void* values, std::size_t size) const {
    return call<plan_id::semctl_GETALL>(set, place, 0xdu, values, size);
  }

  // semctl<SETALL>(set, place, values, size): Sets the values of all semaphores of a set, 2 bytes each. A shorter
  // buffer is -EINVAL. `values`: `size` bytes, read by Linux. Lanes: all of the scope. Result: a number, or -errno.
  // semctl(2).
  GENESYS_KERNEL auto semctl_as(variant<0x11>, int set, int place, const void* values, std::size_t size) const {
    return call<plan_id::semctl_SETALL>(set, place, 0x11u, values, size);
  }

  // Opens or creates a shared memory segment. Lanes: all of the scope. Result: a number, or -errno. shmget(2).
  GENESYS_KERNEL auto shmget(int key, std::size_t size, int flags) const {
    return call<plan_id::shmget>(key, size, flags);
  }

  // shmctl(2). Its command, a constant, is a template argument and selects the other arguments:
  // `shmctl<IPC_RMID>(segment, unused)`. There are IPC_RMID, IPC_SET, IPC_STAT, IPC_INFO, SHM_INFO, SHM_STAT,
  // SHM_STAT_ANY, SHM_LOCK, SHM_UNLOCK; the methods below describe the arguments of each. (In a template whose `os`
  // depends on a parameter, C++ requires `os.template shmctl<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto shmctl(Args... args) const {
    constexpr bool known =
        chosen == 0x0 || chosen == 0x1 || chosen == 0x2 || chosen == 0x3 || chosen == 0xe || chosen == 0xd ||
        chosen == 0xf || chosen == 0xb || chosen == 0xc;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.shmctl_as(variant<chosen>(), given...); };
    static_assert(known, "genesys does not support this command of shmctl: table/ipc.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this command of shmctl: "
                                   "see table/ipc.sys");
    if constexpr (right) return shmctl_as(variant<chosen>(), args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto shmctl(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the command of shmctl is a template argument: "
                  "shmctl<IPC_RMID>(segment, unused)");
    return 0L;
  }

  // shmctl<IPC_RMID>(segment, unused): Marks a shared memory segment for removal after its last detach. Lanes: all of
  // the scope. Result: a number, or -errno. shmctl(2).
  GENESYS_KERNEL auto shmctl_as(variant<0x0>, int segment, std::uint64_t unused = 0) const {
    return call<plan_id::shmctl_IPC_RMID>(segment, 0x0u, unused);
  }

  // shmctl<IPC_SET>(segment, status): Sets the owner and permissions of a shared memory segment. `status`: read by
  // Linux. Lanes: all of the scope. Result: a number, or -errno. shmctl(2).
  GENESYS_KERNEL auto shmctl_as(variant<0x1>, int segment, const struct ::shmid_ds* status) const {
    return call<plan_id::shmctl_IPC_SET>(segment, 0x1u, status);
  }

  // shmctl<IPC_STAT>(segment, status): Gets the state of a shared memory segment. `status`: written by Linux. Lanes:
  // all of the scope. Result: a number, or -errno. shmctl(2).
  GENESYS_KERNEL auto shmctl_as(variant<0x2>, int segment, struct ::shmid_ds* status) const {
    return call<plan_id::shmctl_IPC_STAT>(segment, 0x2u, status);
  }

  // shmctl<IPC_INFO>(segment, info): Gets the limits for shared memory. `info`: written by Linux. Lanes: all of the
  // scope. Result: a number, or -errno. shmctl(2).
  GENESYS_KERNEL auto shmctl_as(variant<0x3>, int segment, struct ::shminfo* info) const {
    return call<plan_id::shmctl_IPC_INFO>(segment, 0x3u, info);
  }

  // shmctl<SHM_INFO>(segment, info): Gets the resources that all shared memory uses. `info`: written by Linux. Lanes:
  // all of the scope. Result: a number, or -errno. shmctl(2).
  GENESYS_KERNEL auto shmctl_as(variant<0xe>, int segment, struct ::shm_info* info) const {
    return call<plan_id::shmctl_SHM_INFO>(segment, 0xeu, info);
  }

  // shmctl<SHM_STAT>(index, status): Gets the state of the shared memory segment at an index of Linux's table.
  // `status`: written by Linux. Lanes: all of the scope. Result: a number, or -errno. shmctl(2).
  GENESYS_KERNEL auto shmctl_as(variant<0xd>, int index, struct ::shmid_ds* status) const {
    return call<plan_id::shmctl_SHM_STAT>(index, 0xdu, status);
  }

  // shmctl<SHM_STAT_ANY>(index, status): Gets the state of the shared memory segment at an index of Linux's table,
  // without a check of read permission. `status`: written by Linux. Lanes: all of the scope. Result: a number, or
  // -errno. shmctl(2).
  GENESYS_KERNEL auto shmctl_as(variant<0xf>, int index, struct ::shmid_ds* status) const {
    return call<plan_id::shmctl_SHM_STAT_ANY>(index, 0xfu, status);
  }

  // shmctl<SHM_LOCK>(segment, unused): Locks a shared memory segment into memory. Lanes: all of the scope. Result: a
  // number, or -errno. shmctl(2).
  GENESYS_KERNEL auto shmctl_as(variant<0xb>, int segment, std::uint64_t unused = 0) const {
    return call<plan_id::shmctl_SHM_LOCK>(segment, 0xbu, unused);
  }

  // shmctl<SHM_UNLOCK>(segment, unused): Unlocks a shared memory segment: Linux may swap it again. Lanes: all of the
  // scope. Result: a number, or -errno. shmctl(2).
  GENESYS_KERNEL auto shmctl_as(variant<0xc>, int segment, std::uint64_t unused = 0) const {
    return call<plan_id::shmctl_SHM_UNLOCK>(segment, 0xcu, unused);
  }

  // Opens or creates a message queue. Linux expects its name without the leading slash of the C library's function.
  // `name`: a string that ends with a NUL. `attributes` (or null): read by Linux. Lanes: all of the scope. Result: a
  // descriptor, or -errno. mq_open(2).
  GENESYS_KERNEL auto mq_open(const char* name, int flags, unsigned mode = 0, const struct ::mq_attr* attributes =
                              nullptr) const {
    return call<plan_id::mq_open>(name, flags, mode, attributes);
  }

  // Removes the name of a message queue. `name`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or
  // -errno. mq_unlink(2).
  GENESYS_KERNEL auto mq_unlink(const char* name) const { return call<plan_id::mq_unlink>(name); }

  // Sends a message, and waits for space until the absolute time `timeout`. `message`: `size` bytes, read by Linux.
  // `timeout` (or null): read by Linux. Lanes: all of the scope. Result: 0, or -errno. mq_timedsend(2).
  GENESYS_KERNEL auto mq_timedsend(int queue, const void* message, std::size_t size, unsigned priority = 0, const struct
                                   ::timespec* timeout = nullptr) const {
    return call<plan_id::mq_timedsend>(queue, message, size, priority, timeout);
  }

  // Receives a message, and waits for one until the absolute time `timeout`. `message`: a buffer for `size` bytes; the
  // result counts those that Linux wrote. `priority` (or null): written by Linux. `timeout` (or null): read by Linux.
  // Lanes: all of the scope. Result: a number of bytes, or -errno. mq_timedreceive(2).
  GENESYS_KERNEL auto mq_timedreceive(int queue, void* message, std::size_t size, unsigned* priority = nullptr, const
                                      struct ::timespec* timeout = nullptr) const {
    return call<plan_id::mq_timedreceive>(queue, message, size, priority, timeout);
  }

  // Gets or sets the attributes of a message queue. `attributes` (or null): read by Linux. `old` (or null): written by
  // Linux. Lanes: all of the scope. Result: 0, or -errno. mq_getsetattr(2).
  GENESYS_KERNEL auto mq_getsetattr(int queue, const struct ::mq_attr* attributes, struct ::mq_attr* old = nullptr)
                                    const {
    return call<plan_id::mq_getsetattr>(queue, attributes, old);
  }

  // Attaches a shared memory segment. Unlike on the CPU, Linux always chooses the address; SHM_REMAP and SHM_EXEC are
  // -EOPNOTSUPP. Lanes: all of the scope. Result: an address, or -errno. shmat(2).
  GENESYS_KERNEL auto shmat(int segment, const void* address = 0, int flags = 0) const {
    return call<plan_id::shmat>(segment, address, flags);
  }

  // Detaches a shared memory segment. Unlike on the CPU, genesys frees the addresses only when no kernel runs. Lanes:
  // all of the scope. Result: 0, or -errno. shmdt(2).
  GENESYS_KERNEL auto shmdt(const void* address) const { return call<plan_id::shmdt>(address); }

  // Requests a signal when a message arrives in an empty queue. `event` (or null): read by Linux. Unlike on the CPU,
  // SIGEV_THREAD is -EOPNOTSUPP: the C library implements it with a socket. Lanes: all of the scope. Result: 0, or
  // -errno. mq_notify(2).
  GENESYS_KERNEL auto mq_notify(int queue, const struct ::sigevent* event) const {
    return call<plan_id::mq_notify>(queue, event);
  }

  // Maps a file or new memory. The mapping lasts until munmap or the end of the runtime. Unlike on the CPU, genesys
  // ignores `addr`, and the flag genesys::map_device maps device memory: docs/memory.md. Lanes: all of the scope.
  // Result: an address, or -errno. mmap(2).
  GENESYS_KERNEL auto mmap(const void* addr, std::size_t length, int prot, int flags, int fd, off_t offset) const {
    return call<plan_id::mmap>(addr, length, prot, flags, fd, offset);
  }

  // Removes a mapping, or part of one. Unlike on the CPU, it reaches only mappings that a kernel made: each as a whole,
  // or 2 MiB pieces of device memory. Lanes: all of the scope. Result: 0, or -errno. munmap(2).
  GENESYS_KERNEL auto munmap(const void* addr, std::size_t length) const { return call<plan_id::munmap>(addr, length); }

  // Advises how the kernel is going to use a mapping, or that it does not need the memory for now. Unlike on the CPU,
  // it reaches only mappings that a kernel made, and MADV_DONTNEED only device memory: docs/memory.md. Lanes: all of
  // the scope. Result: 0, or -errno. madvise(2).
  GENESYS_KERNEL auto madvise(const void* addr, std::size_t length, int advice) const {
    return call<plan_id::madvise>(addr, length, advice);
  }

  // Locks the pages of a mapping into memory. Lanes: all of the scope. Result: 0, or -errno. mlock(2).
  GENESYS_KERNEL auto mlock(const void* addr, std::size_t length) const { return call<plan_id::mlock>(addr, length); }

  // Locks the pages of a mapping into memory. Lanes: all of the scope. Result: 0, or -errno. mlock2(2).
  GENESYS_KERNEL auto mlock2(const void* addr, std::size_t length, int flags) const {
    return call<plan_id::mlock2>(addr, length, flags);
  }

  // Unlocks the pages of a mapping: Linux may swap them again. Lanes: all of the scope. Result: 0, or -errno.
  // munlock(2).
  GENESYS_KERNEL auto munlock(const void* addr, std::size_t length) const {
    return call<plan_id::munlock>(addr, length);
  }

  // Locks all pages of the process into memory. Lanes: all of the scope. Result: 0, or -errno. mlockall(2).
  GENESYS_KERNEL auto mlockall(int flags) const { return call<plan_id::mlockall>(flags); }

  // Unlocks all pages of the process: Linux may swap them again. Lanes: all of the scope. Result: 0, or -errno.
  // munlockall(2).
  GENESYS_KERNEL auto munlockall() const { return call<plan_id::munlockall>(); }

  // Flushes what was stored in a mapping to the mapped file. Lanes: all of the scope. Result: 0, or -errno. msync(2).
  GENESYS_KERNEL auto msync(const void* addr, std::size_t length, int flags) const {
    return call<plan_id::msync>(addr, length, flags);
  }

  // Checks which pages of a mapping are in memory. `there`: `length` bytes, one byte here for each page of 4096,
  // written by Linux. Lanes: all of the scope. Result: 0, or -errno. mincore(2).
  GENESYS_KERNEL auto mincore(const void* addr, std::size_t length, unsigned char* there) const {
    return call<plan_id::mincore>(addr, length, there);
  }

  // Sets the NUMA policy for the pages of a mapping. `nodes` (or null): `count` bits and one more, in words of 64, read
  // by Linux. Unlike on the CPU, a kernel's mapping is pinned, and its pages do not move. Lanes: all of the scope.
  // Result: 0, or -errno. mbind(2).
  GENESYS_KERNEL auto mbind(const void* addr, std::size_t length, int mode, const void* nodes, std::uint64_t count, int
                            flags) const {
    return call<plan_id::mbind>(addr, length, mode, nodes, count, flags);
  }

  // Sets the NUMA node near which Linux allocates the pages of a mapping. Lanes: all of the scope. Result: 0, or
  // -errno. set_mempolicy_home_node(2).
  GENESYS_KERNEL auto set_mempolicy_home_node(const void* addr, std::size_t length, std::uint64_t node, int flags = 0)
                                              const {
    return call<plan_id::set_mempolicy_home_node>(addr, length, node, flags);
  }

  // Gets the NUMA policy for memory. `mode` (or null): written by Linux. `nodes` (or null): `count` bits and one more,
  // in words of 64, written by Linux. Unlike on the CPU, it concerns the worker that makes the call, or an address of
  // the host program. Lanes: all of the scope. Result: 0, or -errno. get_mempolicy(2).
  GENESYS_KERNEL auto get_mempolicy(int* mode, void* nodes, std::uint64_t count, const void* addr, int flags) const {
    return call<plan_id::get_mempolicy>(mode, nodes, count, addr, flags);
  }

  // Moves all pages of a process from some NUMA nodes to others. `from`: `count` bits and one more, in words of 64,
  // read by Linux. `to`: `count` bits and one more, in words of 64, read by Linux. Lanes: all of the scope. Result: a
  // number, or -errno. migrate_pages(2).
  GENESYS_KERNEL auto migrate_pages(int pid, std::uint64_t count, const void* from, const void* to) const {
    return call<plan_id::migrate_pages>(pid, count, from, to);
  }

  // Moves individual pages of a process to NUMA nodes, or gets the nodes that they are on. `pages`: `count` numbers,
  // read by Linux. `nodes` (or null): `count` numbers, read by Linux. `status`: `count` numbers, read and written by
  // Linux. Lanes: all of the scope. Result: a number, or -errno. move_pages(2).
  GENESYS_KERNEL auto move_pages(int pid, std::size_t count, const unsigned long long* pages, const int* nodes, int*
                                 status, int flags) const {
    return call<plan_id::move_pages>(pid, count, pages, nodes, status, flags);
  }

  // Mounts a file system, or changes a mount. `source` (or null): a string that ends with a NUL. `target`: a string
  // that ends with a NUL. `type` (or null): a string that ends with a NUL. `data` (or null): a string that ends with a
  // NUL. Lanes: all of the scope. Result: 0, or -errno. mount(2).
  GENESYS_KERNEL auto mount(const char* source, const char* target, const char* type, std::uint64_t flags, const char*
                            data) const {
    return call<plan_id::mount>(source, target, type, flags, data);
  }

  // Unmounts a file system. `target`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or -errno.
  // umount2(2).
  GENESYS_KERNEL auto umount2(const char* target, int flags) const { return call<plan_id::umount2>(target, flags); }

  // Makes another mount the root. `new_root`: a string that ends with a NUL. `old_root`: a string that ends with a NUL.
  // Lanes: all of the scope. Result: 0, or -errno. pivot_root(2).
  GENESYS_KERNEL auto pivot_root(const char* new_root, const char* old_root) const {
    return call<plan_id::pivot_root>(new_root, old_root);
  }

  // Changes the root directory of the process. `path`: a string that ends with a NUL. Lanes: all of the scope. Result:
  // 0, or -errno. chroot(2).
  GENESYS_KERNEL auto chroot(const char* path) const { return call<plan_id::chroot>(path); }

  // Gets the size and the free space of a file system. `path`: a string that ends with a NUL. `status`: written by
  // Linux. Lanes: all of the scope. Result: 0, or -errno. statfs(2).
  GENESYS_KERNEL auto statfs(const char* path, struct ::statfs* status) const {
    return call<plan_id::statfs>(path, status);
  }

  // Gets the size and the free space of a file system. `status`: written by Linux. Lanes: all of the scope. Result: 0,
  // or -errno. fstatfs(2).
  GENESYS_KERNEL auto fstatfs(int fd, struct ::statfs* status) const { return call<plan_id::fstatfs>(fd, status); }

  // Gets the free space of a mounted file system. `status`: written by Linux. Lanes: all of the scope. Result: 0, or
  // -errno. ustat(2).
  GENESYS_KERNEL auto ustat(unsigned dev, struct ::ustat* status) const { return call<plan_id::ustat>(dev, status); }

  // Starts swapping to a file or device. `path`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or
  // -errno. swapon(2).
  GENESYS_KERNEL auto swapon(const char* path, int flags) const { return call<plan_id::swapon>(path, flags); }

  // Stops swapping to a file or device. `path`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or
  // -errno. swapoff(2).
  GENESYS_KERNEL auto swapoff(const char* path) const { return call<plan_id::swapoff>(path); }

  // Starts process accounting to a file, or stops it. `path` (or null): a string that ends with a NUL. Lanes: all of
  // the scope. Result: 0, or -errno. acct(2).
  GENESYS_KERNEL auto acct(const char* path) const { return call<plan_id::acct>(path); }

  // Creates a context for a new file system of the given type. `type`: a string that ends with a NUL. Lanes: all of the
  // scope. Result: a descriptor, or -errno. fsopen(2).
  GENESYS_KERNEL auto fsopen(const char* type, int flags) const { return call<plan_id::fsopen>(type, flags); }

  // Creates a context for changes of a mounted file system. `path`: a string that ends with a NUL. Lanes: all of the
  // scope. Result: a descriptor, or -errno. fspick(2).
  GENESYS_KERNEL auto fspick(int dirfd, const char* path, int flags) const {
    return call<plan_id::fspick>(dirfd, path, flags);
  }

  // fsconfig(2). Its command, a constant, is a template argument and selects the other arguments:
  // `fsconfig<FSCONFIG_SET_FLAG>(fs, key, value, aux)`. There are FSCONFIG_SET_FLAG, FSCONFIG_SET_STRING,
  // FSCONFIG_SET_BINARY, FSCONFIG_SET_PATH, FSCONFIG_SET_PATH_EMPTY, FSCONFIG_SET_FD, FSCONFIG_CMD_CREATE,
  // FSCONFIG_CMD_RECONFIGURE, FSCONFIG_CMD_CREATE_EXCL; the methods below describe the arguments of each. (In a
  // template whose `os` depends on a parameter, C++ requires `os.template fsconfig<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto fsconfig(Args... args) const {
    constexpr bool known =
        chosen == 0x0 || chosen == 0x1 || chosen == 0x2 || chosen == 0x3 || chosen == 0x4 || chosen == 0x5 ||
        chosen == 0x6 || chosen == 0x7 || chosen == 0x8;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.fsconfig_as(variant<chosen>(), given...); };
    static_assert(known, "genesys does not support this command of fsconfig: table/mount.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this command of fsconfig: "
                                   "see table/mount.sys");
    if constexpr (right) return fsconfig_as(variant<chosen>(), args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto fsconfig(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the command of fsconfig is a template argument: "
                  "fsconfig<FSCONFIG_SET_FLAG>(fs, key, value, aux)");
    return 0L;
  }

  // fsconfig<FSCONFIG_SET_FLAG>(fs, key, value, aux): Sets a parameter that has no value. `key`: a string that ends
  // with a NUL. Lanes: all of the scope. Result: 0, or -errno. fsconfig(2).
  GENESYS_KERNEL auto fsconfig_as(variant<0x0>, int fs, const char* key, std::uint64_t value = 0, int aux = 0) const {
    return call<plan_id::fsconfig_FSCONFIG_SET_FLAG>(fs, 0x0u, key, value, aux);
  }

  // fsconfig<FSCONFIG_SET_STRING>(fs, key, value, aux): Sets a parameter to a string. `key`: a string that ends with a
  // NUL. `value`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or -errno. fsconfig(2).
  GENESYS_KERNEL auto fsconfig_as(variant<0x1>, int fs, const char* key, const char* value, int aux = 0) const {
    return call<plan_id::fsconfig_FSCONFIG_SET_STRING>(fs, 0x1u, key, value, aux);
  }

  // fsconfig<FSCONFIG_SET_BINARY>(fs, key, value, aux): Sets a parameter to `aux` bytes. `key`: a string that ends with
  // a NUL. `value`: `aux` bytes, read by Linux. Lanes: all of the scope. Result: 0, or -errno. fsconfig(2).
  GENESYS_KERNEL auto fsconfig_as(variant<0x2>, int fs, const char* key, const void* value, int aux) const {
    return call<plan_id::fsconfig_FSCONFIG_SET_BINARY>(fs, 0x2u, key, value, aux);
  }

  // fsconfig<FSCONFIG_SET_PATH>(fs, key, value, aux): Sets a parameter to the file at a path. `key`: a string that ends
  // with a NUL. `value`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or -errno. fsconfig(2).
  GENESYS_KERNEL auto fsconfig_as(variant<0x3>, int fs, const char* key, const char* value, int aux) const {
    return call<plan_id::fsconfig_FSCONFIG_SET_PATH>(fs, 0x3u, key, value, aux);
  }

  // fsconfig<FSCONFIG_SET_PATH_EMPTY>(fs, key, value, aux): Sets a parameter to the file at a path; if the path is
  // empty, to the file that `aux` refers to. `key`: a string that ends with a NUL. `value`: a string that ends with a
  // NUL. Lanes: all of the scope. Result: 0, or -errno. fsconfig(2).
  GENESYS_KERNEL auto fsconfig_as(variant<0x4>, int fs, const char* key, const char* value, int aux) const {
    return call<plan_id::fsconfig_FSCONFIG_SET_PATH_EMPTY>(fs, 0x4u, key, value, aux);
  }

  // fsconfig<FSCONFIG_SET_FD>(fs, key, value, aux): Sets a parameter to an open file. `key`: a string that ends with a
  // NUL. Lanes: all of the scope. Result: 0, or -errno. fsconfig(2).
  GENESYS_KERNEL auto fsconfig_as(variant<0x5>, int fs, const char* key, std::uint64_t value, int aux) const {
    return call<plan_id::fsconfig_FSCONFIG_SET_FD>(fs, 0x5u, key, value, aux);
  }

  // fsconfig<FSCONFIG_CMD_CREATE>(fs, key, value, aux): Creates the file system. Lanes: all of the scope. Result: 0, or
  // -errno. fsconfig(2).
  GENESYS_KERNEL auto fsconfig_as(variant<0x6>, int fs, std::uint64_t key = 0, std::uint64_t value = 0, int aux = 0)
                                  const {
    return call<plan_id::fsconfig_FSCONFIG_CMD_CREATE>(fs, 0x6u, key, value, aux);
  }

  // fsconfig<FSCONFIG_CMD_RECONFIGURE>(fs, key, value, aux): Applies the changes to the file system. Lanes: all of the
  // scope. Result: 0, or -errno. fsconfig(2).
  GENESYS_KERNEL auto fsconfig_as(variant<0x7>, int fs, std::uint64_t key = 0, std::uint64_t value = 0, int aux = 0)
                                  const {
    return call<plan_id::fsconfig_FSCONFIG_CMD_RECONFIGURE>(fs, 0x7u, key, value, aux);
  }

  // fsconfig<FSCONFIG_CMD_CREATE_EXCL>(fs, key, value, aux): Creates the file system; fails if it exists. Lanes: all of
  // the scope. Result: 0, or -errno. fsconfig(2).
  GENESYS_KERNEL auto fsconfig_as(variant<0x8>, int fs, std::uint64_t key = 0, std::uint64_t value = 0, int aux = 0)
                                  const {
    return call<plan_id::fsconfig_FSCONFIG_CMD_CREATE_EXCL>(fs, 0x8u, key, value, aux);
  }

  // Creates a mount of the file system. Lanes: all of the scope. Result: a descriptor, or -errno. fsmount(2).
  GENESYS_KERNEL auto fsmount(int fs, int flags, int attributes) const {
    return call<plan_id::fsmount>(fs, flags, attributes);
  }

  // Opens a mount, or creates a copy of it. `path`: a string that ends with a NUL. Lanes: all of the scope. Result: a
  // descriptor, or -errno. open_tree(2).
  GENESYS_KERNEL auto open_tree(int dirfd, const char* path, int flags) const {
    return call<plan_id::open_tree>(dirfd, path, flags);
  }

  // Opens a mount, or creates a copy of it, and changes it as described by a `struct mount_attr`. `path`: a string that
  // ends with a NUL. `attributes` (or null): `size` bytes, read by Linux. Lanes: all of the scope. Result: a
  // descriptor, or -errno. open_tree_attr(2).
  GENESYS_KERNEL auto open_tree_attr(int dirfd, const char* path, int flags, const void* attributes, std::size_t size)
                                     const {
    return call<plan_id::open_tree_attr>(dirfd, path, flags, attributes, size);
  }

  // Moves a mount. `from_path`: a string that ends with a NUL. `to_path`: a string that ends with a NUL. Lanes: all of
  // the scope. Result: 0, or -errno. move_mount(2).
  GENESYS_KERNEL auto move_mount(int from_dirfd, const char* from_path, int to_dirfd, const char* to_path, int flags)
                                 const {
    return call<plan_id::move_mount>(from_dirfd, from_path, to_dirfd, to_path, flags);
  }

  // Changes a mount as described by a `struct mount_attr`. `path`: a string that ends with a NUL. `attributes`: `size`
  // bytes, read by Linux. Lanes: all of the scope. Result: 0, or -errno. mount_setattr(2).
  GENESYS_KERNEL auto mount_setattr(int dirfd, const char* path, int flags, const void* attributes, std::size_t size)
                                    const {
    return call<plan_id::mount_setattr>(dirfd, path, flags, attributes, size);
  }

  // Gets the state of a mount, a `struct statmount`. `request`: read by Linux; holds its own length. `buf`: `size`
  // bytes, read and written by Linux. Lanes: all of the scope. Result: 0, or -errno. statmount(2).
  GENESYS_KERNEL auto statmount(const struct ::mnt_id_req* request, void* buf, std::size_t size, int flags = 0) const {
    return call<plan_id::statmount>(request, buf, size, flags);
  }

  // Lists the IDs of the mounts below a mount. `request`: read by Linux; holds its own length. `ids`: a buffer for
  // `count` numbers; the result counts those that Linux wrote. Lanes: all of the scope. Result: a number of bytes, or
  // -errno. listmount(2).
  GENESYS_KERNEL auto listmount(const struct ::mnt_id_req* request, unsigned long long* ids, std::size_t count, int
                                flags = 0) const {
    return call<plan_id::listmount>(request, ids, count, flags);
  }

  // Creates a socket. Lanes: all of the scope. Result: a descriptor, or -errno. socket(2).
  GENESYS_KERNEL auto socket(int domain, int type, int protocol = 0) const {
    return call<plan_id::socket>(domain, type, protocol);
  }

  // Creates two connected sockets. `ends`: written by Linux. Lanes: all of the scope. Result: 0, or -errno.
  // socketpair(2).
  GENESYS_KERNEL auto socketpair(int domain, int type, int protocol, int* ends) const {
    return call<plan_id::socketpair>(domain, type, protocol, ends);
  }

  // Assigns an address to a socket. `addr`: `addrlen` bytes, read by Linux. Lanes: all of the scope. Result: 0, or
  // -errno. bind(2).
  GENESYS_KERNEL auto bind(int fd, const struct ::sockaddr* addr, unsigned addrlen) const {
    return call<plan_id::bind>(fd, addr, addrlen);
  }

  // Makes a socket accept connections. Lanes: all of the scope. Result: 0, or -errno. listen(2).
  GENESYS_KERNEL auto listen(int fd, int backlog) const { return call<plan_id::listen>(fd, backlog); }

  // Accepts the next connection: creates a new socket, and gets the address of the peer. `addr` (or null): a buffer of
  // `*addrlen` bytes; Linux sets `*addrlen` to the full length. `addrlen` (or null): read and written by Linux. Lanes:
  // all of the scope. Result: a descriptor, or -errno. accept4(2).
  GENESYS_KERNEL auto accept4(int fd, struct ::sockaddr* addr = nullptr, unsigned* addrlen = nullptr, int flags = 0)
                              const {
    return call<plan_id::accept4>(fd, addr, addrlen, flags);
  }

  // Connects a socket to an address; of a datagram socket, sets the default destination. `addr`: `addrlen` bytes, read
  // by Linux. Lanes: all of the scope. Result: 0, or -errno. connect(2).
  GENESYS_KERNEL auto connect(int fd, const struct ::sockaddr* addr, unsigned addrlen) const {
    return call<plan_id::connect>(fd, addr, addrlen);
  }

  // Gets the address of a socket. `addr`: a buffer of `*addrlen` bytes; Linux sets `*addrlen` to the full length.
  // `addrlen`: read and written by Linux. Lanes: all of the scope. Result: 0, or -errno. getsockname(2).
  GENESYS_KERNEL auto getsockname(int fd, struct ::sockaddr* addr, unsigned* addrlen) const {
    return call<plan_id::getsockname>(fd, addr, addrlen);
  }

  // Gets the address of the peer that a socket is connected to. `addr`: a buffer of `*addrlen` bytes; Linux sets
  // `*addrlen` to the full length. `addrlen`: read and written by Linux. Lanes: all of the scope. Result: 0, or -errno.
  // getpeername(2).
  GENESYS_KERNEL auto getpeername(int fd, struct ::sockaddr* addr, unsigned* addrlen) const {
    return call<plan_id::getpeername>(fd, addr, addrlen);
  }

  // Shuts down one direction of a connection, or both. Lanes: all of the scope. Result: 0, or -errno. shutdown(2).
  GENESYS_KERNEL auto shutdown(int fd, int how) const { return call<plan_id::shutdown>(fd, how); }

  // Sends a message; without `addr`, to the socket's peer. `buf`: `len` bytes, read by Linux. `addr` (or null):
  // `addrlen` bytes, read by Linux. Lanes: all of the scope. Result: a number of bytes, or -errno. sendto(2).
  GENESYS_KERNEL auto sendto(int fd, const void* buf, std::size_t len, int flags = 0, const struct ::sockaddr* addr =
                             nullptr, unsigned addrlen = 0) const {
    return call<plan_id::sendto>(fd, buf, len, flags, addr, addrlen);
  }

  // Receives a message, and gets its sender's address. With MSG_TRUNC the result is the full length of a datagram.
  // `buf`: a buffer for `len` bytes; the result counts those that Linux wrote. `addr` (or null): a buffer of `*addrlen`
  // bytes; Linux sets `*addrlen` to the full length. `addrlen` (or null): read and written by Linux. Lanes: all of the
  // scope. Result: a number of bytes, or -errno. recvfrom(2).
  GENESYS_KERNEL auto recvfrom(int fd, void* buf, std::size_t len, int flags = 0, struct ::sockaddr* addr = nullptr,
                               unsigned* addrlen = nullptr) const {
    return call<plan_id::recvfrom>(fd, buf, len, flags, addr, addrlen);
  }

  // Accepts the next connection: creates a new socket, and gets the address of the peer. `addr` (or null): a buffer of
  // `*addrlen` bytes; Linux sets `*addrlen` to the full length. `addrlen` (or null): read and written by Linux. Lanes:
  // all of the scope. Result: a descriptor, or -errno. accept(2).
  GENESYS_KERNEL auto accept(int fd, struct ::sockaddr* addr = nullptr, unsigned* addrlen = nullptr) const {
    return call<plan_id::accept>(fd, addr, addrlen);
  }

  // Sets a socket option. `value` (or null): `length` bytes, read by Linux. Unlike on the CPU, options whose value
  // holds addresses are -EOPNOTSUPP: filters, netfilter tables, AF_XDP memory. Lanes: all of the scope. Result: 0, or
  // -errno. setsockopt(2).
  GENESYS_KERNEL auto setsockopt(int fd, int level, int name, const void* value, unsigned length) const {
    return call<plan_id::setsockopt>(fd, level, name, value, length);
  }

  // Gets a socket option. `value` (or null): a buffer of `*length` bytes; Linux sets `*length` to the full length.
  // `length` (or null): read and written by Linux. Unlike on the CPU, options whose value holds addresses, or whose
  // length is not in bytes, are -EOPNOTSUPP. Lanes: all of the scope. Result: 0, or -errno. getsockopt(2).
  GENESYS_KERNEL auto getsockopt(int fd, int level, int name, void* value, unsigned* length) const {
    return call<plan_id::getsockopt>(fd, level, name, value, length);
  }

  // Sends a message from several buffers, with an address and control messages. `message`: a `msghdr`; Linux reads the
  // data that it leads to, in any memory. Lanes: all of the scope. Result: a number of bytes, or -errno. sendmsg(2).
  GENESYS_KERNEL auto sendmsg(int fd, const struct ::msghdr* message, int flags = 0) const {
    return call<plan_id::sendmsg>(fd, message, flags);
  }

  // Receives a message into several buffers, with the address of its sender and control messages. `message`: a
  // `msghdr`; Linux writes the data that it leads to, in any memory. Lanes: all of the scope. Result: a number of
  // bytes, or -errno. recvmsg(2).
  GENESYS_KERNEL auto recvmsg(int fd, struct ::msghdr* message, int flags = 0) const {
    return call<plan_id::recvmsg>(fd, message, flags);
  }

  // Sends several messages. The result is their number. `messages`: `count` `mmsghdr` structures; Linux reads the data
  // that they lead to, in any memory, and writes how much it sent. Lanes: all of the scope. Result: a number, or
  // -errno. sendmmsg(2).
  GENESYS_KERNEL auto sendmmsg(int fd, struct ::mmsghdr* messages, unsigned count, int flags = 0) const {
    return call<plan_id::sendmmsg>(fd, messages, count, flags);
  }

  // Receives several messages. The result is their number. Linux checks the timeout after each message only.
  // `messages`: `count` `mmsghdr` structures; Linux writes the data that they lead to, in any memory. `timeout` (or
  // null): read and written by Linux. Lanes: all of the scope. Result: a number, or -errno. recvmmsg(2).
  GENESYS_KERNEL auto recvmmsg(int fd, struct ::mmsghdr* messages, unsigned count, int flags = 0, struct ::timespec*
                               timeout = nullptr) const {
    return call<plan_id::recvmmsg>(fd, messages, count, flags, timeout);
  }

  // Waits until one of several descriptors is ready. `fds`: `count` `pollfd` structures, read and written by Linux.
  // Lanes: all of the scope. Result: a number, or -errno. poll(2).
  GENESYS_KERNEL auto poll(struct ::pollfd* fds, unsigned count, int timeout_ms) const {
    return call<plan_id::poll>(fds, count, timeout_ms);
  }

  // Waits until one of several descriptors is ready. `fds`: `count` `pollfd` structures, read and written by Linux.
  // `timeout` (or null): read and written by Linux. `signals` (or null): `signals_size` bytes, read by Linux. Unlike on
  // the CPU, Linux applies `signals` to the worker that makes the call, which blocks all signals anyway. Lanes: all of
  // the scope. Result: a number, or -errno. ppoll(2).
  GENESYS_KERNEL auto ppoll(struct ::pollfd* fds, unsigned count, struct ::timespec* timeout = nullptr, const void*
                            signals = nullptr, std::size_t signals_size = 8) const {
    return call<plan_id::ppoll>(fds, count, timeout, signals, signals_size);
  }

  // Waits until one of several descriptors is ready. `in` (or null): `count` bits, in words of 64, read and written by
  // Linux. `out` (or null): `count` bits, in words of 64, read and written by Linux. `except` (or null): `count` bits,
  // in words of 64, read and written by Linux. `timeout` (or null): read and written by Linux. Lanes: all of the scope.
  // Result: a number, or -errno. select(2).
  GENESYS_KERNEL auto select(int count, void* in, void* out, void* except, struct ::timeval* timeout) const {
    return call<plan_id::select>(count, in, out, except, timeout);
  }

  // Creates an epoll instance. Lanes: all of the scope. Result: a descriptor, or -errno. epoll_create(2).
  GENESYS_KERNEL auto epoll_create(int size) const { return call<plan_id::epoll_create>(size); }

  // Creates an epoll instance. Lanes: all of the scope. Result: a descriptor, or -errno. epoll_create1(2).
  GENESYS_KERNEL auto epoll_create1(int flags) const { return call<plan_id::epoll_create1>(flags); }

  // Adds a descriptor to an epoll instance, changes it there, or removes it. `event` (or null): read by Linux. Lanes:
  // all of the scope. Result: 0, or -errno. epoll_ctl(2).
  GENESYS_KERNEL auto epoll_ctl(int epfd, int operation, int fd, const struct ::epoll_event* event) const {
    return call<plan_id::epoll_ctl>(epfd, operation, fd, event);
  }

  // Waits until a descriptor of an epoll instance is ready. `events`: a buffer for `count` `epoll_event` structures;
  // the result counts those that Linux wrote. Lanes: all of the scope. Result: a number, or -errno. epoll_wait(2).
  GENESYS_KERNEL auto epoll_wait(int epfd, struct ::epoll_event* events, int count, int timeout_ms) const {
    return call<plan_id::epoll_wait>(epfd, events, count, timeout_ms);
  }

  // Waits until a descriptor of an epoll instance is ready. `events`: a buffer for `count` `epoll_event` structures;
  // the result counts those that Linux wrote. `signals` (or null): `signals_size` bytes, read by Linux. Unlike on the
  // CPU, Linux applies `signals` to the worker that makes the call, which blocks all signals anyway. Lanes: all of the
  // scope. Result: a number, or -errno. epoll_pwait(2).
  GENESYS_KERNEL auto epoll_pwait(int epfd, struct ::epoll_event* events, int count, int timeout_ms, const void* signals
                                  = nullptr, std::size_t signals_size = 8) const {
    return call<plan_id::epoll_pwait>(epfd, events, count, timeout_ms, signals, signals_size);
  }

  // Waits until a descriptor of an epoll instance is ready. `events`: a buffer for `count` `epoll_event` structures;
  // the result counts those that Linux wrote. `timeout` (or null): read by Linux. `signals` (or null): `signals_size`
  // bytes, read by Linux. Unlike on the CPU, Linux applies `signals` to the worker that makes the call, which blocks
  // all signals anyway. Lanes: all of the scope. Result: a number, or -errno. epoll_pwait2(2).
  GENESYS_KERNEL auto epoll_pwait2(int epfd, struct ::epoll_event* events, int count, const struct ::timespec* timeout =
                                   nullptr, const void* signals = nullptr, std::size_t signals_size = 8) const {
    return call<plan_id::epoll_pwait2>(epfd, events, count, timeout, signals, signals_size);
  }

  // Creates a descriptor with a counter. Lanes: all of the scope. Result: a descriptor, or -errno. eventfd(2).
  GENESYS_KERNEL auto eventfd(unsigned value) const { return call<plan_id::eventfd>(value); }

  // Creates a descriptor with a counter. Lanes: all of the scope. Result: a descriptor, or -errno. eventfd2(2).
  GENESYS_KERNEL auto eventfd2(unsigned value, int flags) const { return call<plan_id::eventfd2>(value, flags); }

  // Creates a descriptor that delivers signals, or changes which ones it delivers. `signals`: `size` bytes, read by
  // Linux. Lanes: all of the scope. Result: a descriptor, or -errno. signalfd(2).
  GENESYS_KERNEL auto signalfd(int fd, const void* signals, std::size_t size = 8) const {
    return call<plan_id::signalfd>(fd, signals, size);
  }

  // Creates a descriptor that delivers signals, or changes which ones it delivers. `signals`: `size` bytes, read by
  // Linux. Lanes: all of the scope. Result: a descriptor, or -errno. signalfd4(2).
  GENESYS_KERNEL auto signalfd4(int fd, const void* signals, std::size_t size, int flags) const {
    return call<plan_id::signalfd4>(fd, signals, size, flags);
  }

  // Creates a descriptor with a timer. Lanes: all of the scope. Result: a descriptor, or -errno. timerfd_create(2).
  GENESYS_KERNEL auto timerfd_create(int clock, int flags) const { return call<plan_id::timerfd_create>(clock, flags); }

  // Starts or stops a timer. `value`: read by Linux. `old` (or null): written by Linux. Lanes: all of the scope.
  // Result: 0, or -errno. timerfd_settime(2).
  GENESYS_KERNEL auto timerfd_settime(int fd, int flags, const struct ::itimerspec* value, struct ::itimerspec* old =
                                      nullptr) const {
    return call<plan_id::timerfd_settime>(fd, flags, value, old);
  }

  // Gets the time until a timer expires. `value`: written by Linux. Lanes: all of the scope. Result: 0, or -errno.
  // timerfd_gettime(2).
  GENESYS_KERNEL auto timerfd_gettime(int fd, struct ::itimerspec* value) const {
    return call<plan_id::timerfd_gettime>(fd, value);
  }

  // Waits until one of several descriptors is ready. `in` (or null): `count` bits, in words of 64, read and written by
  // Linux. `out` (or null): `count` bits, in words of 64, read and written by Linux. `except` (or null): `count` bits,
  // in words of 64, read and written by Linux. `timeout` (or null): read and written by Linux. `signals` (or null): a
  // `sigset_argpack`; Linux reads the data that it leads to, in any memory. Unlike on the CPU, Linux applies `signals`
  // to the worker that makes the call, which blocks all signals anyway. Lanes: all of the scope. Result: a number, or
  // -errno. pselect6(2).
  GENESYS_KERNEL auto pselect6(int count, void* in, void* out, void* except, struct ::timespec* timeout = nullptr, const
                               ::genesys::linux_sigset_argpack* signals = nullptr) const {
    return call<plan_id::pselect6>(count, in, out, except, timeout, signals);
  }

  // Gets the ID of the process. Lanes: all of the scope. Result: a number, or -errno. getpid(2).
  GENESYS_KERNEL auto getpid() const { return call<plan_id::getpid>(); }

  // Gets the ID of the parent process. Lanes: all of the scope. Result: a number, or -errno. getppid(2).
  GENESYS_KERNEL auto getppid() const { return call<plan_id::getppid>(); }

  // Gets the CPU time and memory that the process has used. `usage`: written by Linux. Unlike on the CPU, RUSAGE_THREAD
  // means the worker that makes the call. Lanes: all of the scope. Result: 0, or -errno. getrusage(2).
  GENESYS_KERNEL auto getrusage(int who, struct ::rusage* usage) const { return call<plan_id::getrusage>(who, usage); }

  // Sends a signal with data, si_value, to a process. The kernel's author fills in the sender, si_pid and si_uid.
  // `info`: read by Linux. Unlike on the CPU, `info->si_code` must be negative (SI_QUEUE) for the own process, too: a
  // worker sends the signal. Lanes: all of the scope. Result: 0, or -errno. rt_sigqueueinfo(2).
  GENESYS_KERNEL auto rt_sigqueueinfo(int tgid, int sig, const ::siginfo_t* info) const {
    return call<plan_id::rt_sigqueueinfo>(tgid, sig, info);
  }

  // Gets the ID of a thread. Unlike on the CPU, the result is the ID of the worker that makes the call. Lanes: all of
  // the scope. Result: a number, or -errno. gettid(2).
  GENESYS_KERNEL auto gettid() const { return call<plan_id::gettid>(); }

  // Gets the process group of the process. Lanes: all of the scope. Result: a number, or -errno. getpgrp(2).
  GENESYS_KERNEL auto getpgrp() const { return call<plan_id::getpgrp>(); }

  // Gets the process group of a process. Lanes: all of the scope. Result: a number, or -errno. getpgid(2).
  GENESYS_KERNEL auto getpgid(int pid) const { return call<plan_id::getpgid>(pid); }

  // Gets the session of a process. Lanes: all of the scope. Result: a number, or -errno. getsid(2).
  GENESYS_KERNEL auto getsid(int pid) const { return call<plan_id::getsid>(pid); }

  // Moves a process to a process group. Lanes: all of the scope. Result: 0, or -errno. setpgid(2).
  GENESYS_KERNEL auto setpgid(int pid, int group) const { return call<plan_id::setpgid>(pid, group); }

  // Creates a session with the process as its leader. Lanes: all of the scope. Result: a number, or -errno. setsid(2).
  GENESYS_KERNEL auto setsid() const { return call<plan_id::setsid>(); }

  // Gets a resource limit of the process. `limits`: written by Linux. Lanes: all of the scope. Result: 0, or -errno.
  // getrlimit(2).
  GENESYS_KERNEL auto getrlimit(int resource, struct ::rlimit* limits) const {
    return call<plan_id::getrlimit>(resource, limits);
  }

  // Sets a resource limit of the process. `limits`: read by Linux. Lanes: all of the scope. Result: 0, or -errno.
  // setrlimit(2).
  GENESYS_KERNEL auto setrlimit(int resource, const struct ::rlimit* limits) const {
    return call<plan_id::setrlimit>(resource, limits);
  }

  // Gets or sets a resource limit of a process. `limits` (or null): read by Linux. `old` (or null): written by Linux.
  // Lanes: all of the scope. Result: 0, or -errno. prlimit64(2).
  GENESYS_KERNEL auto prlimit64(int pid, int resource, const struct ::rlimit* limits, struct ::rlimit* old = nullptr)
                                const {
    return call<plan_id::prlimit64>(pid, resource, limits, old);
  }

  // Gets a scheduling priority, as 20 - nice. Unlike on the CPU, `who` 0 of PRIO_PROCESS means the worker that makes
  // the call. Lanes: all of the scope. Result: a number, or -errno. getpriority(2).
  GENESYS_KERNEL auto getpriority(int which, int who) const { return call<plan_id::getpriority>(which, who); }

  // Sets a scheduling priority. Unlike on the CPU, `who` 0 of PRIO_PROCESS means a thread that ends after the call.
  // Lanes: all of the scope. Result: 0, or -errno. setpriority(2).
  GENESYS_KERNEL auto setpriority(int which, int who, int nice) const {
    return call<plan_id::setpriority>(which, who, nice);
  }

  // Waits for a child process of the host program. `status` (or null): read and written by Linux. `usage` (or null):
  // read and written by Linux. Lanes: all of the scope. Result: a number, or -errno. wait4(2).
  GENESYS_KERNEL auto wait4(int pid, int* status, int options, struct ::rusage* usage = nullptr) const {
    return call<plan_id::wait4>(pid, status, options, usage);
  }

  // Waits for a child process of the host program. `info` (or null): read and written by Linux. `usage` (or null): read
  // and written by Linux. Lanes: all of the scope. Result: 0, or -errno. waitid(2).
  GENESYS_KERNEL auto waitid(int which, int id, ::siginfo_t* info, int options, struct ::rusage* usage = nullptr) const
                             {
    return call<plan_id::waitid>(which, id, info, options, usage);
  }

  // Gets the CPU times of the process and its children, in clock ticks. `used` (or null): written by Linux. Lanes: all
  // of the scope. Result: a number, or -errno. times(2).
  GENESYS_KERNEL auto times(struct ::tms* used) const { return call<plan_id::times>(used); }

  // kcmp(2). Its type, a constant, is a template argument and selects the other arguments: `kcmp<KCMP_FILE>(pid1, pid2,
  // first, second)`. There are KCMP_FILE, KCMP_VM, KCMP_FILES, KCMP_FS, KCMP_SIGHAND, KCMP_IO, KCMP_SYSVSEM,
  // KCMP_EPOLL_TFD; the methods below describe the arguments of each. (In a template whose `os` depends on a parameter,
  // C++ requires `os.template kcmp<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto kcmp(Args... args) const {
    constexpr bool known =
        chosen == 0x0 || chosen == 0x1 || chosen == 0x2 || chosen == 0x3 || chosen == 0x4 || chosen == 0x5 ||
        chosen == 0x6 || chosen == 0x7;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.kcmp_as(variant<chosen>(), given...); };
    static_assert(known, "genesys does not support this type of kcmp: table/process.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this type of kcmp: "
                                   "see table/process.sys");
    if constexpr (right) return kcmp_as(variant<chosen>(), args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto kcmp(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the type of kcmp is a template argument: "
                  "kcmp<KCMP_FILE>(pid1, pid2, first, second)");
    return 0L;
  }

  // kcmp<KCMP_FILE>(pid1, pid2, first, second): Checks whether two descriptors refer to the same open file. Lanes: all
  // of the scope. Result: a number, or -errno. kcmp(2).
  GENESYS_KERNEL auto kcmp_as(variant<0x0>, int pid1, int pid2, std::uint64_t first, std::uint64_t second) const {
    return call<plan_id::kcmp_KCMP_FILE>(pid1, pid2, 0x0u, first, second);
  }

  // kcmp<KCMP_VM>(pid1, pid2, first, second): Checks whether two processes share their memory. Lanes: all of the scope.
  // Result: a number, or -errno. kcmp(2).
  GENESYS_KERNEL auto kcmp_as(variant<0x1>, int pid1, int pid2, std::uint64_t first = 0, std::uint64_t second = 0) const
                              {
    return call<plan_id::kcmp_KCMP_VM>(pid1, pid2, 0x1u, first, second);
  }

  // kcmp<KCMP_FILES>(pid1, pid2, first, second): Checks whether two processes share their descriptors. Lanes: all of
  // the scope. Result: a number, or -errno. kcmp(2).
  GENESYS_KERNEL auto kcmp_as(variant<0x2>, int pid1, int pid2, std::uint64_t first = 0, std::uint64_t second = 0) const
                              {
    return call<plan_id::kcmp_KCMP_FILES>(pid1, pid2, 0x2u, first, second);
  }

  // kcmp<KCMP_FS>(pid1, pid2, first, second): Checks whether two processes share root and working directory. Lanes: all
  // of the scope. Result: a number, or -errno. kcmp(2).
  GENESYS_KERNEL auto kcmp_as(variant<0x3>, int pid1, int pid2, std::uint64_t first = 0, std::uint64_t second = 0) const
                              {
    return call<plan_id::kcmp_KCMP_FS>(pid1, pid2, 0x3u, first, second);
  }

  // kcmp<KCMP_SIGHAND>(pid1, pid2, first, second): Checks whether two processes share their signal handlers. Lanes: all
  // of the scope. Result: a number, or -errno. kcmp(2).
  GENESYS_KERNEL auto kcmp_as(variant<0x4>, int pid1, int pid2, std::uint64_t first = 0, std::uint64_t second = 0) const
                              {
    return call<plan_id::kcmp_KCMP_SIGHAND>(pid1, pid2, 0x4u, first, second);
  }

  // kcmp<KCMP_IO>(pid1, pid2, first, second): Checks whether two processes share their I/O context. Lanes: all of the
  // scope. Result: a number, or -errno. kcmp(2).
  GENESYS_KERNEL auto kcmp_as(variant<0x5>, int pid1, int pid2, std::uint64_t first = 0, std::uint64_t second = 0) const
                              {
    return call<plan_id::kcmp_KCMP_IO>(pid1, pid2, 0x5u, first, second);
  }

  // kcmp<KCMP_SYSVSEM>(pid1, pid2, first, second): Checks whether two processes share their list of semaphore undo
  // operations. Lanes: all of the scope. Result: a number, or -errno. kcmp(2).
  GENESYS_KERNEL auto kcmp_as(variant<0x6>, int pid1, int pid2, std::uint64_t first = 0, std::uint64_t second = 0) const
                              {
    return call<plan_id::kcmp_KCMP_SYSVSEM>(pid1, pid2, 0x6u, first, second);
  }

  // kcmp<KCMP_EPOLL_TFD>(pid1, pid2, first, slot): Checks whether a descriptor refers to the file in a slot of an epoll
  // instance. `slot`: read by Linux. Lanes: all of the scope. Result: a number, or -errno. kcmp(2).
  GENESYS_KERNEL auto kcmp_as(variant<0x7>, int pid1, int pid2, std::uint64_t first, const struct ::kcmp_epoll_slot*
                              slot) const {
    return call<plan_id::kcmp_KCMP_EPOLL_TFD>(pid1, pid2, 0x7u, first, slot);
  }

  // Creates a descriptor that refers to a process. Lanes: all of the scope. Result: a descriptor, or -errno.
  // pidfd_open(2).
  GENESYS_KERNEL auto pidfd_open(int pid, int flags) const { return call<plan_id::pidfd_open>(pid, flags); }

  // Duplicates a descriptor of another process. Lanes: all of the scope. Result: a descriptor, or -errno.
  // pidfd_getfd(2).
  GENESYS_KERNEL auto pidfd_getfd(int pidfd, int fd, int flags = 0) const {
    return call<plan_id::pidfd_getfd>(pidfd, fd, flags);
  }

  // Sends a signal to a process. `info` (or null): read by Linux. Lanes: all of the scope. Result: 0, or -errno.
  // pidfd_send_signal(2).
  GENESYS_KERNEL auto pidfd_send_signal(int pidfd, int sig, const ::siginfo_t* info = nullptr, int flags = 0) const {
    return call<plan_id::pidfd_send_signal>(pidfd, sig, info, flags);
  }

  // Frees the memory of a dying process. Lanes: all of the scope. Result: 0, or -errno. process_mrelease(2).
  GENESYS_KERNEL auto process_mrelease(int pidfd, int flags = 0) const {
    return call<plan_id::process_mrelease>(pidfd, flags);
  }

  // Issues a memory barrier on all threads of the process. Unlike on the CPU, it orders the memory accesses of CPU
  // threads, not those of the kernel. Lanes: all of the scope. Result: a number, or -errno. membarrier(2).
  GENESYS_KERNEL auto membarrier(int command, int flags, int cpu = 0) const {
    return call<plan_id::membarrier>(command, flags, cpu);
  }

  // Gets a CPU and its NUMA node. `cpu` (or null): written by Linux. `node` (or null): written by Linux. Unlike on the
  // CPU, the result is the CPU of the worker that makes the call. Lanes: all of the scope. Result: 0, or -errno.
  // getcpu(2).
  GENESYS_KERNEL auto getcpu(unsigned* cpu, unsigned* node, std::uint64_t unused = 0) const {
    return call<plan_id::getcpu>(cpu, node, unused);
  }

  // Gets the list of robust futexes of a thread. `head`: written by Linux. `length`: written by Linux. Unlike on the
  // CPU, pid 0 means the worker that makes the call. Lanes: all of the scope. Result: 0, or -errno. get_robust_list(2).
  GENESYS_KERNEL auto get_robust_list(int pid, unsigned long long* head, unsigned long long* length) const {
    return call<plan_id::get_robust_list>(pid, head, length);
  }

  // Creates a descriptor that reports page faults. Lanes: all of the scope. Result: a descriptor, or -errno.
  // userfaultfd(2).
  GENESYS_KERNEL auto userfaultfd(int flags) const { return call<plan_id::userfaultfd>(flags); }

  // Creates a descriptor for a performance counter. `attributes`: read and written by Linux; holds its own length.
  // Unlike on the CPU, it counts events of CPUs; pid 0 means the worker that makes the call. Lanes: all of the scope.
  // Result: a descriptor, or -errno. perf_event_open(2).
  GENESYS_KERNEL auto perf_event_open(struct ::perf_event_attr* attributes, int pid, int cpu, int group, std::uint64_t
                                      flags) const {
    return call<plan_id::perf_event_open>(attributes, pid, cpu, group, flags);
  }

  // Reads from the memory of another process. `local`: `local_count` `iovec` structures; Linux writes the data that
  // they lead to, in any memory; the result counts the bytes, in their order. `remote`: `remote_count` `remote_iovec`
  // structures, read by Linux. Unlike on the CPU, the process of the host program is -EPERM: its memory is not the
  // kernel's. Lanes: all of the scope. Result: a number of bytes, or -errno. process_vm_readv(2).
  GENESYS_KERNEL auto process_vm_readv(int pid, const struct ::iovec* local, std::size_t local_count, const ::iovec*
                                       remote, std::size_t remote_count, std::uint64_t flags = 0) const {
    return call<plan_id::process_vm_readv>(pid, local, local_count, remote, remote_count, flags);
  }

  // Writes to the memory of another process. `local`: `local_count` `iovec` structures; Linux reads the data that they
  // lead to, in any memory. `remote`: `remote_count` `remote_iovec` structures, read by Linux. Unlike on the CPU, the
  // process of the host program is -EPERM: its memory is not the kernel's. Lanes: all of the scope. Result: a number of
  // bytes, or -errno. process_vm_writev(2).
  GENESYS_KERNEL auto process_vm_writev(int pid, const struct ::iovec* local, std::size_t local_count, const ::iovec*
                                        remote, std::size_t remote_count, std::uint64_t flags = 0) const {
    return call<plan_id::process_vm_writev>(pid, local, local_count, remote, remote_count, flags);
  }

  // execve(2). Its kind, a constant, is a template argument and selects the other arguments:
  // `execve<GENESYS_SPAWN>(path, request, bytes)`. There are GENESYS_SPAWN; the methods below describe the arguments of
  // each. (In a template whose `os` depends on a parameter, C++ requires `os.template execve<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto execve(Args... args) const {
    constexpr bool known =
        chosen == 0x73707764;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.execve_as(variant<chosen>(), given...); };
    static_assert(known, "genesys does not support this kind of execve: table/process.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this kind of execve: "
                                   "see table/process.sys");
    if constexpr (right) return execve_as(variant<chosen>(), args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto execve(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the kind of execve is a template argument: "
                  "execve<GENESYS_SPAWN>(path, request, bytes)");
    return 0L;
  }
  void execve_as() const = delete;  // for nvcc, which has to see two

  // execve<GENESYS_SPAWN>(path, request, bytes): Starts a program in a new process, as posix_spawn(3) does. `request`
  // is a genesys::spawn_request. `path`: a string that ends with a NUL. `request`: `bytes` bytes, read by Linux. Unlike
  // on the CPU, the program runs in a new process, and the result is its ID: execve itself would end the host program.
  // Lanes: all of the scope. Result: a number, or -errno. execve(2).
  GENESYS_KERNEL auto execve_as(variant<0x73707764>, const char* path, const void* request, std::size_t bytes) const {
    return call<plan_id::execve_GENESYS_SPAWN>(path, request, bytes, 0x73707764u);
  }

  // Sets the scheduling priority of a thread. `parameters`: read by Linux. Unlike on the CPU, pid 0 means a thread that
  // ends after the call. Lanes: all of the scope. Result: 0, or -errno. sched_setparam(2).
  GENESYS_KERNEL auto sched_setparam(int pid, const struct ::sched_param* parameters) const {
    return call<plan_id::sched_setparam>(pid, parameters);
  }

  // Gets the scheduling priority of a thread. `parameters`: written by Linux. Unlike on the CPU, pid 0 means the worker
  // that makes the call. Lanes: all of the scope. Result: 0, or -errno. sched_getparam(2).
  GENESYS_KERNEL auto sched_getparam(int pid, struct ::sched_param* parameters) const {
    return call<plan_id::sched_getparam>(pid, parameters);
  }

  // Sets the scheduling policy and priority of a thread. `parameters`: read by Linux. Unlike on the CPU, pid 0 means a
  // thread that ends after the call. Lanes: all of the scope. Result: 0, or -errno. sched_setscheduler(2).
  GENESYS_KERNEL auto sched_setscheduler(int pid, int policy, const struct ::sched_param* parameters) const {
    return call<plan_id::sched_setscheduler>(pid, policy, parameters);
  }

  // Gets the scheduling policy of a thread. Unlike on the CPU, pid 0 means the worker that makes the call. Lanes: all
  // of the scope. Result: a number, or -errno. sched_getscheduler(2).
  GENESYS_KERNEL auto sched_getscheduler(int pid) const { return call<plan_id::sched_getscheduler>(pid); }

  // Gets the highest priority of a scheduling policy. Lanes: all of the scope. Result: a number, or -errno.
  // sched_get_priority_max(2).
  GENESYS_KERNEL auto sched_get_priority_max(int policy) const { return call<plan_id::sched_get_priority_max>(policy); }

  // Gets the lowest priority of a scheduling policy. Lanes: all of the scope. Result: a number, or -errno.
  // sched_get_priority_min(2).
  GENESYS_KERNEL auto sched_get_priority_min(int policy) const { return call<plan_id::sched_get_priority_min>(policy); }

  // Gets the time slice of a thread. `interval`: written by Linux. Unlike on the CPU, pid 0 means the worker that makes
  // the call. Lanes: all of the scope. Result: 0, or -errno. sched_rr_get_interval(2).
  GENESYS_KERNEL auto sched_rr_get_interval(int pid, struct ::timespec* interval) const {
    return call<plan_id::sched_rr_get_interval>(pid, interval);
  }

  // Sets the CPUs that a thread may run on. `cpus`: `size` bytes, read by Linux. Unlike on the CPU, pid 0 means a
  // thread that ends after the call. Lanes: all of the scope. Result: 0, or -errno. sched_setaffinity(2).
  GENESYS_KERNEL auto sched_setaffinity(int pid, unsigned size, const void* cpus) const {
    return call<plan_id::sched_setaffinity>(pid, size, cpus);
  }

  // Gets the CPUs that a thread may run on. The result is the number of bytes that Linux wrote. `cpus`: a buffer for
  // `size` bytes; the result counts those that Linux wrote. Unlike on the CPU, pid 0 means the worker that makes the
  // call. Lanes: all of the scope. Result: a number, or -errno. sched_getaffinity(2).
  GENESYS_KERNEL auto sched_getaffinity(int pid, unsigned size, void* cpus) const {
    return call<plan_id::sched_getaffinity>(pid, size, cpus);
  }

  // Sets the scheduling policy and attributes of a thread. `attributes`: read and written by Linux; holds its own
  // length. Unlike on the CPU, pid 0 means a thread that ends after the call. Lanes: all of the scope. Result: 0, or
  // -errno. sched_setattr(2).
  GENESYS_KERNEL auto sched_setattr(int pid, struct ::sched_attr* attributes, int flags = 0) const {
    return call<plan_id::sched_setattr>(pid, attributes, flags);
  }

  // Gets the scheduling policy and attributes of a thread, a `struct sched_attr`. `attributes`: `size` bytes, read and
  // written by Linux. Unlike on the CPU, pid 0 means the worker that makes the call. Lanes: all of the scope. Result:
  // 0, or -errno. sched_getattr(2).
  GENESYS_KERNEL auto sched_getattr(int pid, void* attributes, unsigned size, int flags = 0) const {
    return call<plan_id::sched_getattr>(pid, attributes, size, flags);
  }

  // Sets an I/O priority. Unlike on the CPU, `who` 0 of IOPRIO_WHO_PROCESS means a thread that ends after the call.
  // Lanes: all of the scope. Result: 0, or -errno. ioprio_set(2).
  GENESYS_KERNEL auto ioprio_set(int which, int who, int priority) const {
    return call<plan_id::ioprio_set>(which, who, priority);
  }

  // Gets an I/O priority. Unlike on the CPU, `who` 0 of IOPRIO_WHO_PROCESS means the worker that makes the call. Lanes:
  // all of the scope. Result: a number, or -errno. ioprio_get(2).
  GENESYS_KERNEL auto ioprio_get(int which, int who) const { return call<plan_id::ioprio_get>(which, who); }

  // Sends a signal to a process. Lanes: all of the scope. Result: 0, or -errno. kill(2).
  GENESYS_KERNEL auto kill(int pid, int sig) const { return call<plan_id::kill>(pid, sig); }

  // Sends a signal to a thread of the host program. Lanes: all of the scope. Result: 0, or -errno. tkill(2).
  GENESYS_KERNEL auto tkill(int tid, int sig) const { return call<plan_id::tkill>(tid, sig); }

  // Sends a signal to a thread of the host program. Lanes: all of the scope. Result: 0, or -errno. tgkill(2).
  GENESYS_KERNEL auto tgkill(int tgid, int tid, int sig) const { return call<plan_id::tgkill>(tgid, tid, sig); }

  // Sends a signal with data to a thread of the host program. `info`: read by Linux. Unlike on the CPU, `info->si_code`
  // must be negative (SI_QUEUE) for the own process, too: a worker sends the signal. Lanes: all of the scope. Result:
  // 0, or -errno. rt_tgsigqueueinfo(2).
  GENESYS_KERNEL auto rt_tgsigqueueinfo(int tgid, int tid, int sig, const ::siginfo_t* info) const {
    return call<plan_id::rt_tgsigqueueinfo>(tgid, tid, sig, info);
  }

  // Gets the set of pending signals. `signals`: `size` bytes, written by Linux. Unlike on the CPU, it concerns the
  // process and the worker that makes the call. Lanes: all of the scope. Result: 0, or -errno. rt_sigpending(2).
  GENESYS_KERNEL auto rt_sigpending(void* signals, std::size_t size = 8) const {
    return call<plan_id::rt_sigpending>(signals, size);
  }

  // Waits for a pending signal, and removes it. `signals`: `size` bytes, read by Linux. `info` (or null): written by
  // Linux. `timeout` (or null): read by Linux. Unlike on the CPU, it waits for signals to the process, which all
  // workers block. Lanes: all of the scope. Result: a number, or -errno. rt_sigtimedwait(2).
  GENESYS_KERNEL auto rt_sigtimedwait(const void* signals, ::siginfo_t* info, const struct ::timespec* timeout,
                                      std::size_t size = 8) const {
    return call<plan_id::rt_sigtimedwait>(signals, info, timeout, size);
  }

  // Gets the name, release and machine type of the system. `name`: written by Linux. Lanes: all of the scope. Result:
  // 0, or -errno. uname(2).
  GENESYS_KERNEL auto uname(struct ::utsname* name) const { return call<plan_id::uname>(name); }

  // Fills a buffer with random bytes. `buf`: a buffer for `count` bytes; the result counts those that Linux wrote.
  // Lanes: all of the scope. Result: a number of bytes, or -errno. getrandom(2).
  GENESYS_KERNEL auto getrandom(void* buf, std::size_t count, int flags = 0) const {
    return call<plan_id::getrandom>(buf, count, flags);
  }

  // Gets the uptime, load and memory use of the system. `info`: written by Linux. Lanes: all of the scope. Result: 0,
  // or -errno. sysinfo(2).
  GENESYS_KERNEL auto sysinfo(struct ::sysinfo* info) const { return call<plan_id::sysinfo>(info); }

  // Reads or controls the log of Linux. `buf` (or null): `size` bytes, read and written by Linux. Lanes: all of the
  // scope. Result: a number, or -errno. syslog(2).
  GENESYS_KERNEL auto syslog(int type, void* buf, int size) const { return call<plan_id::syslog>(type, buf, size); }

  // Sets the host name. `name`: `size` bytes, read by Linux. Lanes: all of the scope. Result: 0, or -errno.
  // sethostname(2).
  GENESYS_KERNEL auto sethostname(const void* name, int size) const { return call<plan_id::sethostname>(name, size); }

  // Sets the NIS domain name. `name`: `size` bytes, read by Linux. Lanes: all of the scope. Result: 0, or -errno.
  // setdomainname(2).
  GENESYS_KERNEL auto setdomainname(const void* name, int size) const {
    return call<plan_id::setdomainname>(name, size);
  }

  // Restarts or stops the machine. `arg` (or null): a string that ends with a NUL. Lanes: all of the scope. Result: 0,
  // or -errno. reboot(2).
  GENESYS_KERNEL auto reboot(unsigned magic, unsigned magic2, unsigned command, const char* arg = nullptr) const {
    return call<plan_id::reboot>(magic, magic2, command, arg);
  }

  // Hangs up the terminal of the process. Lanes: all of the scope. Result: 0, or -errno. vhangup(2).
  GENESYS_KERNEL auto vhangup() const { return call<plan_id::vhangup>(); }

  // Loads a kernel module into Linux. `image`: `size` bytes, read by Linux. `parameters`: a string that ends with a
  // NUL. Lanes: all of the scope. Result: 0, or -errno. init_module(2).
  GENESYS_KERNEL auto init_module(const void* image, std::size_t size, const char* parameters) const {
    return call<plan_id::init_module>(image, size, parameters);
  }

  // Loads a kernel module from a file into Linux. `parameters`: a string that ends with a NUL. Lanes: all of the scope.
  // Result: 0, or -errno. finit_module(2).
  GENESYS_KERNEL auto finit_module(int fd, const char* parameters, int flags = 0) const {
    return call<plan_id::finit_module>(fd, parameters, flags);
  }

  // Unloads a kernel module from Linux. `name`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or
  // -errno. delete_module(2).
  GENESYS_KERNEL auto delete_module(const char* name, int flags) const {
    return call<plan_id::delete_module>(name, flags);
  }

  // Loads the Linux that a later reboot starts. `command_line`: `size` bytes, read by Linux. Lanes: all of the scope.
  // Result: 0, or -errno. kexec_file_load(2).
  GENESYS_KERNEL auto kexec_file_load(int image, int initrd, std::size_t size, const void* command_line, std::uint64_t
                                      flags) const {
    return call<plan_id::kexec_file_load>(image, initrd, size, command_line, flags);
  }

  // quotactl(2). Its command, a constant, is a template argument and selects the other arguments:
  // `quotactl<QCMD_SYNC>(device, id, unused)`. There are QCMD_SYNC, QCMD_QUOTAON, QCMD_QUOTAOFF, QCMD_GETFMT,
  // QCMD_GETINFO, QCMD_SETINFO, QCMD_GETQUOTA, QCMD_SETQUOTA, QCMD_GETNEXTQUOTA; the methods below describe the
  // arguments of each. It may have further bits outside 0xffffff00. (In a template whose `os` depends on a parameter,
  // C++ requires `os.template quotactl<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto quotactl(Args... args) const {
    constexpr bool known =
        (chosen & 0xffffff00) == 0x80000100 || (chosen & 0xffffff00) == 0x80000200 ||
        (chosen & 0xffffff00) == 0x80000300 || (chosen & 0xffffff00) == 0x80000400 ||
        (chosen & 0xffffff00) == 0x80000500 || (chosen & 0xffffff00) == 0x80000600 ||
        (chosen & 0xffffff00) == 0x80000700 || (chosen & 0xffffff00) == 0x80000800 ||
        (chosen & 0xffffff00) == 0x80000900;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.quotactl_as(variant<chosen & 0xffffff00>(), chosen, given...); };
    static_assert(known, "genesys does not support this command of quotactl: table/system.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this command of quotactl: "
                                   "see table/system.sys");
    if constexpr (right) return quotactl_as(variant<chosen & 0xffffff00>(), chosen, args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto quotactl(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the command of quotactl is a template argument: "
                  "quotactl<QCMD_SYNC>(device, id, unused)");
    return 0L;
  }

  // quotactl<QCMD_SYNC>(device, id, unused): Flushes quota data to the disk. `device` (or null): a string that ends
  // with a NUL. Lanes: all of the scope. Result: 0, or -errno. quotactl(2).
  GENESYS_KERNEL auto quotactl_as(variant<0x80000100>, std::uint32_t command, const char* device, unsigned id = 0,
                                  std::uint64_t unused = 0) const {
    return call<plan_id::quotactl_QCMD_SYNC>(command, device, id, unused);
  }

  // quotactl<QCMD_QUOTAON>(device, format, file): Enables quotas. `device`: a string that ends with a NUL. `file` (or
  // null): a string that ends with a NUL. Lanes: all of the scope. Result: 0, or -errno. quotactl(2).
  GENESYS_KERNEL auto quotactl_as(variant<0x80000200>, std::uint32_t command, const char* device, unsigned format, const
                                  char* file) const {
    return call<plan_id::quotactl_QCMD_QUOTAON>(command, device, format, file);
  }

  // quotactl<QCMD_QUOTAOFF>(device, id, unused): Disables quotas. `device`: a string that ends with a NUL. Lanes: all
  // of the scope. Result: 0, or -errno. quotactl(2).
  GENESYS_KERNEL auto quotactl_as(variant<0x80000300>, std::uint32_t command, const char* device, unsigned id = 0,
                                  std::uint64_t unused = 0) const {
    return call<plan_id::quotactl_QCMD_QUOTAOFF>(command, device, id, unused);
  }

  // quotactl<QCMD_GETFMT>(device, id, format): Gets the format of the quotas. `device`: a string that ends with a NUL.
  // `format`: written by Linux. Lanes: all of the scope. Result: 0, or -errno. quotactl(2).
  GENESYS_KERNEL auto quotactl_as(variant<0x80000400>, std::uint32_t command, const char* device, unsigned id, unsigned*
                                  format) const {
    return call<plan_id::quotactl_QCMD_GETFMT>(command, device, id, format);
  }

  // quotactl<QCMD_GETINFO>(device, id, info): Gets the times and flags of the quotas. `device`: a string that ends with
  // a NUL. `info`: written by Linux. Lanes: all of the scope. Result: 0, or -errno. quotactl(2).
  GENESYS_KERNEL auto quotactl_as(variant<0x80000500>, std::uint32_t command, const char* device, unsigned id, struct
                                  ::dqinfo* info) const {
    return call<plan_id::quotactl_QCMD_GETINFO>(command, device, id, info);
  }

  // quotactl<QCMD_SETINFO>(device, id, info): Sets the times and flags of the quotas. `device`: a string that ends with
  // a NUL. `info`: read by Linux. Lanes: all of the scope. Result: 0, or -errno. quotactl(2).
  GENESYS_KERNEL auto quotactl_as(variant<0x80000600>, std::uint32_t command, const char* device, unsigned id, const
                                  struct ::dqinfo* info) const {
    return call<plan_id::quotactl_QCMD_SETINFO>(command, device, id, info);
  }

  // quotactl<QCMD_GETQUOTA>(device, id, quota): Gets the quota of a user or group. `device`: a string that ends with a
  // NUL. `quota`: written by Linux. Lanes: all of the scope. Result: 0, or -errno. quotactl(2).
  GENESYS_KERNEL auto quotactl_as(variant<0x80000700>, std::uint32_t command, const char* device, unsigned id, struct
                                  ::dqblk* quota) const {
    return call<plan_id::quotactl_QCMD_GETQUOTA>(command, device, id, quota);
  }

  // quotactl<QCMD_SETQUOTA>(device, id, quota): Sets the quota of a user or group. `device`: a string that ends with a
  // NUL. `quota`: read by Linux. Lanes: all of the scope. Result: 0, or -errno. quotactl(2).
  GENESYS_KERNEL auto quotactl_as(variant<0x80000800>, std::uint32_t command, const char* device, unsigned id, const
                                  struct ::dqblk* quota) const {
    return call<plan_id::quotactl_QCMD_SETQUOTA>(command, device, id, quota);
  }

  // quotactl<QCMD_GETNEXTQUOTA>(device, id, quota): Gets the quota of the next user or group that has one. `device`: a
  // string that ends with a NUL. `quota`: written by Linux. Lanes: all of the scope. Result: 0, or -errno. quotactl(2).
  GENESYS_KERNEL auto quotactl_as(variant<0x80000900>, std::uint32_t command, const char* device, unsigned id, struct
                                  ::if_nextdqblk* quota) const {
    return call<plan_id::quotactl_QCMD_GETNEXTQUOTA>(command, device, id, quota);
  }

  // quotactl_fd(2). Its command, a constant, is a template argument and selects the other arguments:
  // `quotactl_fd<QCMD_SYNC>(fd, id, unused)`. There are QCMD_SYNC, QCMD_QUOTAON, QCMD_QUOTAOFF, QCMD_GETFMT,
  // QCMD_GETINFO, QCMD_SETINFO, QCMD_GETQUOTA, QCMD_SETQUOTA, QCMD_GETNEXTQUOTA; the methods below describe the
  // arguments of each. It may have further bits outside 0xffffff00. (In a template whose `os` depends on a parameter,
  // C++ requires `os.template quotactl_fd<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto quotactl_fd(Args... args) const {
    constexpr bool known =
        (chosen & 0xffffff00) == 0x80000100 || (chosen & 0xffffff00) == 0x80000200 ||
        (chosen & 0xffffff00) == 0x80000300 || (chosen & 0xffffff00) == 0x80000400 ||
        (chosen & 0xffffff00) == 0x80000500 || (chosen & 0xffffff00) == 0x80000600 ||
        (chosen & 0xffffff00) == 0x80000700 || (chosen & 0xffffff00) == 0x80000800 ||
        (chosen & 0xffffff00) == 0x80000900;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.quotactl_fd_as(variant<chosen & 0xffffff00>(), chosen, given...); };
    static_assert(known, "genesys does not support this command of quotactl_fd: table/system.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this command of quotactl_fd: "
                                   "see table/system.sys");
    if constexpr (right) return quotactl_fd_as(variant<chosen & 0xffffff00>(), chosen, args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto quotactl_fd(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the command of quotactl_fd is a template argument: "
                  "quotactl_fd<QCMD_SYNC>(fd, id, unused)");
    return 0L;
  }

  // quotactl_fd<QCMD_SYNC>(fd, id, unused): Flushes quota data to the disk. Lanes: all of the scope. Result: 0, or
  // -errno. quotactl_fd(2).
  GENESYS_KERNEL auto quotactl_fd_as(variant<0x80000100>, std::uint32_t command, int fd, unsigned id = 0, std::uint64_t
                                     unused = 0) const {
    return call<plan_id::quotactl_fd_QCMD_SYNC>(fd, command, id, unused);
  }

  // quotactl_fd<QCMD_QUOTAON>(fd, format, file): Enables quotas. `file` (or null): a string that ends with a NUL.
  // Lanes: all of the scope. Result: 0, or -errno. quotactl_fd(2).
  GENESYS_KERNEL auto quotactl_fd_as(variant<0x80000200>, std::uint32_t command, int fd, unsigned format, const char*
                                     file) const {
    return call<plan_id::quotactl_fd_QCMD_QUOTAON>(fd, command, format, file);
  }

  // quotactl_fd<QCMD_QUOTAOFF>(fd, id, unused): Disables quotas. Lanes: all of the scope. Result: 0, or -errno.
  // quotactl_fd(2).
  GENESYS_KERNEL auto quotactl_fd_as(variant<0x80000300>, std::uint32_t command, int fd, unsigned id = 0, std::uint64_t
                                     unused = 0) const {
    return call<plan_id::quotactl_fd_QCMD_QUOTAOFF>(fd, command, id, unused);
  }

  // quotactl_fd<QCMD_GETFMT>(fd, id, format): Gets the format of the quotas. `format`: written by Linux. Lanes: all of
  // the scope. Result: 0, or -errno. quotactl_fd(2).
  GENESYS_KERNEL auto quotactl_fd_as(variant<0x80000400>, std::uint32_t command, int fd, unsigned id, unsigned* format)
                                     const {
    return call<plan_id::quotactl_fd_QCMD_GETFMT>(fd, command, id, format);
  }

  // quotactl_fd<QCMD_GETINFO>(fd, id, info): Gets the times and flags of the quotas. `info`: written by Linux. Lanes:
  // all of the scope. Result: 0, or -errno. quotactl_fd(2).
  GENESYS_KERNEL auto quotactl_fd_as(variant<0x80000500>, std::uint32_t command, int fd, unsigned id, struct ::dqinfo*
                                     info) const {
    return call<plan_id::quotactl_fd_QCMD_GETINFO>(fd, command, id, info);
  }

  // quotactl_fd<QCMD_SETINFO>(fd, id, info): Sets the times and flags of the quotas. `info`: read by Linux. Lanes: all
  // of the scope. Result: 0, or -errno. quotactl_fd(2).
  GENESYS_KERNEL auto quotactl_fd_as(variant<0x80000600>, std::uint32_t command, int fd, unsigned id, const struct
                                     ::dqinfo* info) const {
    return call<plan_id::quotactl_fd_QCMD_SETINFO>(fd, command, id, info);
  }

  // quotactl_fd<QCMD_GETQUOTA>(fd, id, quota): Gets the quota of a user or group. `quota`: written by Linux. Lanes: all
  // of the scope. Result: 0, or -errno. quotactl_fd(2).
  GENESYS_KERNEL auto quotactl_fd_as(variant<0x80000700>, std::uint32_t command, int fd, unsigned id, struct ::dqblk*
                                     quota) const {
    return call<plan_id::quotactl_fd_QCMD_GETQUOTA>(fd, command, id, quota);
  }

  // quotactl_fd<QCMD_SETQUOTA>(fd, id, quota): Sets the quota of a user or group. `quota`: read by Linux. Lanes: all of
  // the scope. Result: 0, or -errno. quotactl_fd(2).
  GENESYS_KERNEL auto quotactl_fd_as(variant<0x80000800>, std::uint32_t command, int fd, unsigned id, const struct
                                     ::dqblk* quota) const {
    return call<plan_id::quotactl_fd_QCMD_SETQUOTA>(fd, command, id, quota);
  }

  // quotactl_fd<QCMD_GETNEXTQUOTA>(fd, id, quota): Gets the quota of the next user or group that has one. `quota`:
  // written by Linux. Lanes: all of the scope. Result: 0, or -errno. quotactl_fd(2).
  GENESYS_KERNEL auto quotactl_fd_as(variant<0x80000900>, std::uint32_t command, int fd, unsigned id, struct
                                     ::if_nextdqblk* quota) const {
    return call<plan_id::quotactl_fd_QCMD_GETNEXTQUOTA>(fd, command, id, quota);
  }

  // sysfs(2). Its option, a constant, is a template argument and selects the other arguments:
  // `sysfs<SYSFS_INDEX>(name)`. There are SYSFS_INDEX, SYSFS_NAME, SYSFS_COUNT; the methods below describe the
  // arguments of each. (In a template whose `os` depends on a parameter, C++ requires `os.template sysfs<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto sysfs(Args... args) const {
    constexpr bool known =
        chosen == 0x1 || chosen == 0x2 || chosen == 0x3;
    constexpr bool right =
        requires(const calls& c, Args... given) { c.sysfs_as(variant<chosen>(), given...); };
    static_assert(known, "genesys does not support this option of sysfs: table/system.sys "
                         "lists those that it does (genesys passes Linux no pointer that it cannot check)");
    static_assert(right || !known, "wrong arguments for this option of sysfs: "
                                   "see table/system.sys");
    if constexpr (right) return sysfs_as(variant<chosen>(), args...);
  }
  template <class... Args>
  GENESYS_KERNEL auto sysfs(Args...) const {
    static_assert(sizeof...(Args) > args_max,
                  "the option of sysfs is a template argument: "
                  "sysfs<SYSFS_INDEX>(name)");
    return 0L;
  }

  // sysfs<SYSFS_INDEX>(name): Gets the index of a file system type. `name`: a string that ends with a NUL. Lanes: all
  // of the scope. Result: a number, or -errno. sysfs(2).
  GENESYS_KERNEL auto sysfs_as(variant<0x1>, const char* name) const {
    return call<plan_id::sysfs_SYSFS_INDEX>(0x1u, name);
  }

  // sysfs<SYSFS_NAME>(index, name): Gets the name of the file system type at an index. `name`: read and written by
  // Linux. Lanes: all of the scope. Result: a number, or -errno. sysfs(2).
  GENESYS_KERNEL auto sysfs_as(variant<0x2>, unsigned index, unsigned char* name) const {
    return call<plan_id::sysfs_SYSFS_NAME>(0x2u, index, name);
  }

  // sysfs<SYSFS_COUNT>(): Gets the number of file system types. Lanes: all of the scope. Result: a number, or -errno.
  // sysfs(2).
  GENESYS_KERNEL auto sysfs_as(variant<0x3>) const { return call<plan_id::sysfs_SYSFS_COUNT>(0x3u); }

  // Gets the time of a clock. `time`: written by Linux. Unlike on the CPU, CLOCK_THREAD_CPUTIME_ID means the worker
  // that makes the call. Lanes: all of the scope. Result: 0, or -errno. clock_gettime(2).
  GENESYS_KERNEL auto clock_gettime(int clock, struct ::timespec* time) const {
    return call<plan_id::clock_gettime>(clock, time);
  }

  // Sleeps for `duration`. `duration`: read by Linux. `rem` (or null): written by Linux, only if the result is -EINTR.
  // Lanes: all of the scope. Result: 0, or -errno. nanosleep(2).
  GENESYS_KERNEL auto nanosleep(const struct ::timespec* duration, struct ::timespec* rem = nullptr) const {
    return call<plan_id::nanosleep>(duration, rem);
  }

  // Gets the time in seconds. `seconds` (or null): written by Linux. Lanes: all of the scope. Result: a number, or
  // -errno. time(2).
  GENESYS_KERNEL auto time(long* seconds = nullptr) const { return call<plan_id::time>(seconds); }

  // Gets the time in microseconds. `time` (or null): written by Linux. `zone` (or null): written by Linux. Lanes: all
  // of the scope. Result: 0, or -errno. gettimeofday(2).
  GENESYS_KERNEL auto gettimeofday(struct ::timeval* time, struct ::timezone* zone = nullptr) const {
    return call<plan_id::gettimeofday>(time, zone);
  }

  // Sets the time and the time zone. `time` (or null): read by Linux. `zone` (or null): read by Linux. Lanes: all of
  // the scope. Result: 0, or -errno. settimeofday(2).
  GENESYS_KERNEL auto settimeofday(const struct ::timeval* time, const struct ::timezone* zone = nullptr) const {
    return call<plan_id::settimeofday>(time, zone);
  }

  // Sets the time of a clock. `time`: read by Linux. Lanes: all of the scope. Result: 0, or -errno. clock_settime(2).
  GENESYS_KERNEL auto clock_settime(int clock, const struct ::timespec* time) const {
    return call<plan_id::clock_settime>(clock, time);
  }

  // Gets the resolution of a clock. `resolution` (or null): written by Linux. Lanes: all of the scope. Result: 0, or
  // -errno. clock_getres(2).
  GENESYS_KERNEL auto clock_getres(int clock, struct ::timespec* resolution) const {
    return call<plan_id::clock_getres>(clock, resolution);
  }

  // Sleeps for `duration`; with TIMER_ABSTIME, until that absolute time. `duration`: read by Linux. `rem` (or null):
  // written by Linux, only if the result is -EINTR. Lanes: all of the scope. Result: 0, or -errno. clock_nanosleep(2).
  GENESYS_KERNEL auto clock_nanosleep(int clock, int flags, const struct ::timespec* duration, struct ::timespec* rem =
                                      nullptr) const {
    return call<plan_id::clock_nanosleep>(clock, flags, duration, rem);
  }

  // Gets or sets the adjustment of the system clock. The result is the state of the clock. `values`: read and written
  // by Linux. Lanes: all of the scope. Result: a number, or -errno. adjtimex(2).
  GENESYS_KERNEL auto adjtimex(struct ::timex* values) const { return call<plan_id::adjtimex>(values); }

  // Gets or sets the adjustment of a clock. The result is the state of the clock. `values`: read and written by Linux.
  // Lanes: all of the scope. Result: a number, or -errno. clock_adjtime(2).
  GENESYS_KERNEL auto clock_adjtime(int clock, struct ::timex* values) const {
    return call<plan_id::clock_adjtime>(clock, values);
  }

  // Gets the time until a timer of the process expires. `value`: written by Linux. Lanes: all of the scope. Result: 0,
  // or -errno. getitimer(2).
  GENESYS_KERNEL auto getitimer(int which, struct ::itimerval* value) const {
    return call<plan_id::getitimer>(which, value);
  }

  // Starts or stops a timer that signals the process. `value` (or null): read by Linux. `old` (or null): written by
  // Linux. Lanes: all of the scope. Result: 0, or -errno. setitimer(2).
  GENESYS_KERNEL auto setitimer(int which, const struct ::itimerval* value, struct ::itimerval* old = nullptr) const {
    return call<plan_id::setitimer>(which, value, old);
  }

  // Schedules a SIGALRM for the process. The result is the time that was left of an earlier alarm. Lanes: all of the
  // scope. Result: a number, or -errno. alarm(2).
  GENESYS_KERNEL auto alarm(unsigned seconds) const { return call<plan_id::alarm>(seconds); }

  // Creates a timer of the process. `event` (or null): read by Linux. `timer`: written by Linux. Unlike on the CPU,
  // only SIGEV_NONE and signals to the process make sense: a timer calls no function in the kernel. Lanes: all of the
  // scope. Result: 0, or -errno. timer_create(2).
  GENESYS_KERNEL auto timer_create(int clock, const struct ::sigevent* event, int* timer) const {
    return call<plan_id::timer_create>(clock, event, timer);
  }

  // Starts or stops a timer. `value`: read by Linux. `old` (or null): written by Linux. Lanes: all of the scope.
  // Result: 0, or -errno. timer_settime(2).
  GENESYS_KERNEL auto timer_settime(int timer, int flags, const struct ::itimerspec* value, struct ::itimerspec* old =
                                    nullptr) const {
    return call<plan_id::timer_settime>(timer, flags, value, old);
  }

  // Gets the time until a timer expires. `value`: written by Linux. Lanes: all of the scope. Result: 0, or -errno.
  // timer_gettime(2).
  GENESYS_KERNEL auto timer_gettime(int timer, struct ::itimerspec* value) const {
    return call<plan_id::timer_gettime>(timer, value);
  }

  // Counts the expirations of a timer since the last signal that it sent. Lanes: all of the scope. Result: a number, or
  // -errno. timer_getoverrun(2).
  GENESYS_KERNEL auto timer_getoverrun(int timer) const { return call<plan_id::timer_getoverrun>(timer); }

  // Deletes a timer. Lanes: all of the scope. Result: 0, or -errno. timer_delete(2).
  GENESYS_KERNEL auto timer_delete(int timer) const { return call<plan_id::timer_delete>(timer); }

  // Sets an extended attribute of a file. `path`: a string that ends with a NUL. `name`: a string that ends with a NUL.
  // `value` (or null): `size` bytes, read by Linux. Lanes: all of the scope. Result: 0, or -errno. setxattr(2).
  GENESYS_KERNEL auto setxattr(const char* path, const char* name, const void* value, std::size_t size, int flags = 0)
                               const {
    return call<plan_id::setxattr>(path, name, value, size, flags);
  }

  // Sets an extended attribute of a file; of a symbolic link, that of the link itself. `path`: a string that ends with
  // a NUL. `name`: a string that ends with a NUL. `value` (or null): `size` bytes, read by Linux. Lanes: all of the
  // scope. Result: 0, or -errno. lsetxattr(2).
  GENESYS_KERNEL auto lsetxattr(const char* path, const char* name, const void* value, std::size_t size, int flags = 0)
                                const {
    return call<plan_id::lsetxattr>(path, name, value, size, flags);
  }

  // Sets an extended attribute of an open file. `name`: a string that ends with a NUL. `value` (or null): `size` bytes,
  // read by Linux. Lanes: all of the scope. Result: 0, or -errno. fsetxattr(2).
  GENESYS_KERNEL auto fsetxattr(int fd, const char* name, const void* value, std::size_t size, int flags = 0) const {
    return call<plan_id::fsetxattr>(fd, name, value, size, flags);
  }

  // Gets an extended attribute of a file; if `size` is 0, only its length. `path`: a string that ends with a NUL.
  // `name`: a string that ends with a NUL. `value` (or null): a buffer for `size` bytes; the result counts those that
  // Linux wrote. Lanes: all of the scope. Result: a number of bytes, or -errno. getxattr(2).
  GENESYS_KERNEL auto getxattr(const char* path, const char* name, void* value, std::size_t size) const {
    return call<plan_id::getxattr>(path, name, value, size);
  }

  // Gets an extended attribute of a file; of a symbolic link, that of the link itself. `path`: a string that ends with
  // a NUL. `name`: a string that ends with a NUL. `value` (or null): a buffer for `size` bytes; the result counts those
  // that Linux wrote. Lanes: all of the scope. Result: a number of bytes, or -errno. lgetxattr(2).
  GENESYS_KERNEL auto lgetxattr(const char* path, const char* name, void* value, std::size_t size) const {
    return call<plan_id::lgetxattr>(path, name, value, size);
  }

  // Gets an extended attribute of an open file. `name`: a string that ends with a NUL. `value` (or null): a buffer for
  // `size` bytes; the result counts those that Linux wrote. Lanes: all of the scope. Result: a number of bytes, or
  // -errno. fgetxattr(2).
  GENESYS_KERNEL auto fgetxattr(int fd, const char* name, void* value, std::size_t size) const {
    return call<plan_id::fgetxattr>(fd, name, value, size);
  }

  // Lists the names of the extended attributes of a file, each with its NUL; if `size` is 0, only their length. `path`:
  // a string that ends with a NUL. `names` (or null): a buffer for `size` bytes; the result counts those that Linux
  // wrote. Lanes: all of the scope. Result: a number of bytes, or -errno. listxattr(2).
  GENESYS_KERNEL auto listxattr(const char* path, void* names, std::size_t size) const {
    return call<plan_id::listxattr>(path, names, size);
  }

  // Lists the names of the extended attributes of a file; of a symbolic link, those of the link itself. `path`: a
  // string that ends with a NUL. `names` (or null): a buffer for `size` bytes; the result counts those that Linux
  // wrote. Lanes: all of the scope. Result: a number of bytes, or -errno. llistxattr(2).
  GENESYS_KERNEL auto llistxattr(const char* path, void* names, std::size_t size) const {
    return call<plan_id::llistxattr>(path, names, size);
  }

  // Lists the names of the extended attributes of an open file. `names` (or null): a buffer for `size` bytes; the
  // result counts those that Linux wrote. Lanes: all of the scope. Result: a number of bytes, or -errno. flistxattr(2).
  GENESYS_KERNEL auto flistxattr(int fd, void* names, std::size_t size) const {
    return call<plan_id::flistxattr>(fd, names, size);
  }

  // Lists the names of the extended attributes of a file. `path`: a string that ends with a NUL. `names` (or null): a
  // buffer for `size` bytes; the result counts those that Linux wrote. Lanes: all of the scope. Result: a number of
  // bytes, or -errno. listxattrat(2).
  GENESYS_KERNEL auto listxattrat(int dirfd, const char* path, int flags, void* names, std::size_t size) const {
    return call<plan_id::listxattrat>(dirfd, path, flags, names, size);
  }

  // Removes an extended attribute of a file. `path`: a string that ends with a NUL. `name`: a string that ends with a
  // NUL. Lanes: all of the scope. Result: 0, or -errno. removexattr(2).
  GENESYS_KERNEL auto removexattr(const char* path, const char* name) const {
    return call<plan_id::removexattr>(path, name);
  }

  // Removes an extended attribute of a file; of a symbolic link, that of the link itself. `path`: a string that ends
  // with a NUL. `name`: a string that ends with a NUL. Lanes: all of the scope. Result: 0, or -errno. lremovexattr(2).
  GENESYS_KERNEL auto lremovexattr(const char* path, const char* name) const {
    return call<plan_id::lremovexattr>(path, name);
  }

  // Removes an extended attribute of an open file. `name`: a string that ends with a NUL. Lanes: all of the scope.
  // Result: 0, or -errno. fremovexattr(2).
  GENESYS_KERNEL auto fremovexattr(int fd, const char* name) const { return call<plan_id::fremovexattr>(fd, name); }

  // Removes an extended attribute of a file. `path`: a string that ends with a NUL. `name`: a string that ends with a
  // NUL. Lanes: all of the scope. Result: 0, or -errno. removexattrat(2).
  GENESYS_KERNEL auto removexattrat(int dirfd, const char* path, int flags, const char* name) const {
    return call<plan_id::removexattrat>(dirfd, path, flags, name);
  }

  // Sets an extended attribute of a file. `path`: a string that ends with a NUL. `name`: a string that ends with a NUL.
  // `attributes`: a `xattr_args`; Linux reads the data that it leads to, in any memory. Lanes: all of the scope.
  // Result: 0, or -errno. setxattrat(2).
  GENESYS_KERNEL auto setxattrat(int dirfd, const char* path, int flags, const char* name, const struct ::xattr_args*
                                 attributes) const {
    return call<plan_id::setxattrat>(dirfd, path, flags, name, attributes, 0x10u);
  }

  // Gets an extended attribute of a file; if its size is 0, only its length. `path`: a string that ends with a NUL.
  // `name`: a string that ends with a NUL. `attributes`: a `xattr_args`; Linux writes the data that it leads to, in any
  // memory; the result counts the bytes, in their order. Lanes: all of the scope. Result: a number of bytes, or -errno.
  // getxattrat(2).
  GENESYS_KERNEL auto getxattrat(int dirfd, const char* path, int flags, const char* name, const struct ::xattr_args*
                                 attributes) const {
    return call<plan_id::getxattrat>(dirfd, path, flags, name, attributes, 0x10u);
  }

 private:
  template <plan_id id, class... Args>
  GENESYS_KERNEL auto call(Args... args) const {
    return static_cast<const Self&>(*this).template invoke<id>(word(args)...);
  }

  // The argument as Linux expects it in a register: a signed integer is sign-extended.
  template <class T>
  GENESYS_KERNEL static std::uint64_t word(T value) {
    if constexpr (std::is_pointer_v<T>) {
      return reinterpret_cast<std::uint64_t>(value);
    } else {
      return static_cast<std::uint64_t>(value);
    }
  }
};

}  // namespace genesys::detail::table
