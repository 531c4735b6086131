// SPDX-License-Identifier: Apache-2.0
#include "policy/policy.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "genesys/error.h"
#include "policy/confine.h"
#include "policy/generated/calls.h"
#include "policy/generated/refused.h"

namespace genesys::detail {
namespace {

struct refused_set {
  u64 words[16] = {};
};
constexpr refused_set refused = [] {
  refused_set set;
  for (const std::uint16_t number : refused_numbers) set.words[number / 64] |= u64{1} << number % 64;
  return set;
}();

}  // namespace

policy::policy(rules chosen, limits at_most)
    : rules_(std::move(chosen)), limits_(at_most), looks_closer_(look_closer(rules_, at_most)) {
  for (const int fd : rules_.descriptors) (void)adopt(static_cast<u64>(fd));
  if (rules_.confine_paths()) open_roots();
  if (!rules_.programs.empty()) starter_.emplace();
}

void policy::open_roots() {
  std::vector<std::string> paths = rules_.paths;
  if (paths.empty()) paths.emplace_back("/");
  for (std::string& path : paths) {
    own_descriptor fd(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (fd.get() < 0) {
      const std::string why = std::strerror(errno);
      throw error(error_code::bad_option, "the policy allows path '" + path + "', which cannot be opened: " + why);
    }
    while (!path.empty() && path.back() == '/') path.pop_back();
    roots_.push_back({std::move(fd), path});
  }
}

bool policy::refuses(u32 number) { return number < 1024 && ((refused.words[number / 64] >> number % 64) & 1) != 0; }

const policy_call& policy::call_of(const call_plan& plan) { return policy_calls[index_of_call(plan)]; }

bool policy::gives_descriptor(const call_plan& plan, const u64 (&args)[args_max]) {
  return call_of(plan).new_fd && (plan.number != SYS_landlock_create_ruleset || static_cast<u32>(args[2]) == 0);
}

bool policy::may_start(std::string_view program) const { return std::ranges::count(rules_.programs, program) != 0; }

bool policy::allows_address(const unsigned char* address) {
  sa_family_t family;
  std::memcpy(&family, address, sizeof family);
  return family == AF_UNSPEC || family == AF_INET || family == AF_INET6;
}

bool policy::allows_socket(int family, int type) const {
  if (!rules_.plain_files) return true;
  const int kind = type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK);
  const bool plain = kind == SOCK_STREAM || kind == SOCK_DGRAM || kind == SOCK_SEQPACKET;
  return plain && (family == AF_UNIX || family == AF_INET || family == AF_INET6);
}

// A number beyond the set cannot be recorded, so kernels cannot have it.
bool policy::adopt(u64 fd) {
  if (static_cast<u32>(fd) >= descriptor_set::limit) return false;
  if (!own_.add(fd)) return true;
  const u64 count = own_count_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (limits_.descriptors_max == 0 || count <= limits_.descriptors_max) return true;
  (void)disown(fd);
  return false;
}

bool policy::disown(u64 fd) {
  if (!own_.remove(fd)) return false;
  own_count_.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

// Each span of 2^24 ns (a sixtieth of a second) has its share of the calls.
bool policy::is_within_rate(u64 now_ns) {
  constexpr u32 span_log2 = 24;
  const u64 share = std::max<u64>(limits_.calls_per_second * (u64{1} << span_log2) / 1'000'000'000, 1);
  const u64 span = (now_ns >> span_log2) << 32;
  u64 seen = rate_.load(std::memory_order_relaxed);
  for (;;) {
    const bool fresh = (seen & ~u64{0xffffffff}) != span;
    const u64 next = fresh ? span + 1 : seen + 1;
    if (!fresh && static_cast<u32>(seen) >= share) return false;
    if (rate_.compare_exchange_weak(seen, next, std::memory_order_relaxed)) return true;
  }
}

std::string policy::describe() const {
  std::string text = rules_.name;
  if (!looks_closer_) return text;
  text += ", " + std::to_string(rules_.allowed.count()) + " of " + std::to_string(plan_count) + " calls";
  if (rules_.deny_anything()) text += ", its threads under " + confinement_there();
  return text;
}

i64 policy::deny(plan_id call) const {
  denied_[static_cast<std::size_t>(call)].fetch_add(1, std::memory_order_relaxed);
  return -EPERM;
}

}  // namespace genesys::detail
