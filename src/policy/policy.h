// SPDX-License-Identifier: Apache-2.0
// What kernels may do. Always denied: calls that would end or replace the process or change the OS thread of a worker,
// and descriptors that belong to the runtime. The program's rules deny more: calls, descriptors, paths (paths.h). The
// executor asks before each call, on any number of workers at once.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genesys/detail/wire/protocol.h"
#include "policy/descriptors.h"
#include "policy/program_starter.h"
#include "policy/rules.h"

namespace genesys::detail {

// A directory that paths may lead beneath.
struct path_root {
  own_descriptor fd;  // O_PATH
  std::string path;   // without a slash at its end; empty: all of the file system
};

class policy {
 public:
  struct limits {
    u64 descriptors_max = 0, calls_per_second = 0;  // 0: none
  };
  // Whether these rules and limits need more checks than those that every call gets.
  static bool look_closer(const detail::rules& chosen, limits at_most) {
    return chosen.deny_anything() || at_most.descriptors_max != 0 || at_most.calls_per_second != 0;
  }
  // Throws error(bad_option): a path cannot be opened.
  policy(rules chosen, limits at_most);
  policy(const policy&) = delete;
  policy& operator=(const policy&) = delete;

  const rules& chosen() const { return rules_; }
  const std::vector<path_root>& roots() const { return roots_; }

  // Whether the call with this number is never made; it gives -EOPNOTSUPP.
  static bool refuses(u32 number);
  bool looks_closer() const { return looks_closer_; }
  // Whether the rules allow the call of that plan.
  bool allows(const call_plan& plan) const { return rules_.allowed[index_of_call(plan)]; }
  static const policy_call& call_of(const call_plan& plan);
  // Whether the result is a new descriptor. (landlock_create_ruleset with flags returns a version.)
  static bool gives_descriptor(const call_plan& plan, const u64 (&args)[args_max]);

  // Descriptors that kernels cannot use: the runtimes' own, until they are closed, and the driver's, until Linux gives
  // the number to a kernel. Set-up may add to them at any time.
  static void protect(int fd) { own_descriptors.add(static_cast<u64>(fd)); }
  static void release(int fd) { own_descriptors.remove(static_cast<u64>(fd)); }
  // Linux has just returned this number to a kernel's call that a thread of the process made.
  static void given_to_kernel(int fd) { foreign_descriptors.remove(static_cast<u64>(fd)); }
  static bool is_protected(u64 fd) { return own_descriptors.has(fd) || foreign_descriptors.has(fd); }

  // The kernels' own descriptors: those that they opened, and those that the program granted. adopt(): false if they
  // have as many as they may have. disown(): whether it was one.
  bool adopt(u64 fd);
  bool disown(u64 fd);
  // Whether a kernel may use it. A negative number is no descriptor; Linux itself decides about it.
  bool may_use(u64 fd) const { return !rules_.own_descriptors || static_cast<int>(fd) < 0 || own_.has(fd); }

  // Programs, where anything is denied: whether kernels may start this one, and who starts it.
  bool may_start(std::string_view program) const;
  program_starter& starter() { return *starter_; }

  // Addresses and sockets, under `files plain`.
  static bool allows_address(const unsigned char* address);  // begins with its family
  bool allows_socket(int family, int type) const;

  // Whether there is a limit of calls a second, and whether one more call is within it. `now_ns`: now, by any clock.
  bool has_rate() const { return limits_.calls_per_second != 0; }
  bool is_within_rate(u64 now_ns);

  // "io, 201 of 441 calls, its threads under seccomp and Landlock"
  std::string describe() const;

  // Counts a denied call. Returns -EPERM.
  i64 deny(plan_id call) const;
  i64 deny(const call_plan& plan) const { return deny(static_cast<plan_id>(index_of_call(plan))); }
  // How many calls were denied, by index of the plan.
  u64 denied(u32 place) const { return denied_[place].load(std::memory_order_relaxed); }

 private:
  // Of one of `plans`, not of a copy.
  static std::size_t index_of_call(const call_plan& plan) { return static_cast<std::size_t>(&plan - plans); }
  void open_roots();

  const rules rules_;
  const limits limits_;
  const bool looks_closer_;
  std::vector<path_root> roots_;
  std::optional<program_starter> starter_;  // there if the rules name programs
  descriptor_set own_;
  std::atomic<u64> own_count_{0};
  std::atomic<u64> rate_{0};  // {span of time : 32 | calls in it : 32}
  mutable std::array<std::atomic<u32>, plan_count> denied_{};
};

}  // namespace genesys::detail
