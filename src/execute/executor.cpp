// SPDX-License-Identifier: Apache-2.0
#include "execute/executor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "genesys/detail/generated/plans.h"

namespace genesys::detail {
namespace {

i64 call_linux(u32 number, const u64 (&args)[6]) {
  const long said = ::syscall(static_cast<long>(number), args[0], args[1], args[2], args[3], args[4], args[5]);
  return said == -1 ? -errno : said;
}

// Whether the call would wait for its descriptor. Linux answers the call itself if the descriptor is bad, or never
// waits.
bool would_wait(u64 fd, readiness what) {
  pollfd looked{static_cast<int>(fd), static_cast<short>(what == readiness::input ? POLLIN : POLLOUT), 0};
  if (::poll(&looked, 1, 0) != 0) return false;
  const int flags = ::fcntl(looked.fd, F_GETFL);
  return flags != -1 && (flags & O_NONBLOCK) == 0;
}

// Of no bytes most files answer at once, ready or not; one that waits all the same keeps its worker.
bool moves_bytes(const call_plan& plan, const u64 (&args)[6]) {
  return std::all_of(std::begin(plan.args), std::end(plan.args),
                     [&](const arg_plan& arg) { return arg.kind != arg_kind::bytes || args[arg.size_arg] != 0; });
}

}  // namespace

executor::executor(const layout& memory, device& on, const policy& rules, mappings& maps)
    : memory_(memory), device_(on), policy_(rules), maps_(maps) {
  nowhere_ = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (nowhere_ == MAP_FAILED)
    throw error(error_code::system, std::string("mmap of a guard page: ") + std::strerror(errno));
}

executor::~executor() { ::munmap(nowhere_, 4096); }

address_answer executor::look(u64 address) const {
  const std::optional<address_answer> mapped = maps_.at(address);
  return mapped ? *mapped : device_.ask(address);
}

u64 executor::room_at(u64 address) const {
  const u64 end = memory_.where().arena_end;
  if (address >= memory_.where().arena_begin && address < end) return end - address;
  if (address == 0) return 0;
  const address_answer said = look(address);
  const bool lies_in = said.kind == pointer_kind::pass && address >= said.begin && address - said.begin < said.bytes;
  return lies_in ? said.begin + said.bytes - address : 0;
}

u64 executor::checked(u64 address, u64 bytes) const {
  if (address == 0) return 0;
  const u64 room = room_at(address);
  return room != 0 && bytes <= room ? address : reinterpret_cast<u64>(nowhere_);
}

// A mapped file may have been cut shorter, and whoever touches it beyond its end is killed: so Linux shall touch it.
// (It cannot so copy from memory that CUDA has pinned, which cannot go away either.)
bool executor::copy_mapped(void* to, u64 address, u64 bytes) {
  const iovec into{to, bytes}, from{reinterpret_cast<void*>(address), bytes};
  return ::process_vm_readv(::getpid(), &into, 1, &from, 1, 0) == static_cast<ssize_t>(bytes);
}

// Of a string of at most `room` bytes: its end, or `room`. False: it cannot be read.
bool executor::copy_string(char* to, u64 address, u64 room, u64& end) const {
  if (!maps_.at(address)) {
    const auto* text = reinterpret_cast<const char*>(address);
    for (end = 0; end < room; ++end) {
      to[end] = std::atomic_ref<const char>(text[end]).load(std::memory_order_relaxed);
      if (to[end] == 0) break;
    }
    return true;
  }
  constexpr u64 page = 4096;
  for (end = 0; end < room;) {
    const u64 part = std::min(room - end, page - (address + end) % page);
    if (!copy_mapped(to + end, address + end, part)) return false;
    if (const void* nul = std::memchr(to + end, 0, part); nul != nullptr) {
      end = static_cast<u64>(static_cast<const char*>(nul) - to);
      return true;
    }
    end += part;
  }
  return true;
}

// Copies the string, up to what a path may have, so that it cannot change between Linux's looks at it.
u64 executor::readable_string(u64 address, char (&copy)[path_bytes_max + 1]) const {
  u64 room = room_at(address);
  if (room == 0) return checked(address, 1);
  if (room > path_bytes_max) room = path_bytes_max;
  u64 n = 0;
  if (!copy_string(copy, address, room, n)) return reinterpret_cast<u64>(nowhere_);
  if (n < room) return reinterpret_cast<u64>(copy);
  copy[n] = 0;  // 4,096 bytes and no end: Linux will say that it is too long
  return n == path_bytes_max ? reinterpret_cast<u64>(copy) : reinterpret_cast<u64>(nowhere_);
}

bool executor::copy_timespec(timespec& to, u64 address) const {
  if (address == 0 || address == reinterpret_cast<u64>(nowhere_)) return false;
  if (maps_.at(address)) return copy_mapped(&to, address, sizeof to);
  std::memcpy(&to, reinterpret_cast<const void*>(address), sizeof to);
  return true;
}

// A sleep does not need a thread. What Linux would refuse, Linux refuses.
result executor::sleep(const u64 (&args)[6]) const {
  timespec length;
  if (copy_timespec(length, args[0])) {
    constexpr std::int64_t seconds_max = 1'000'000'000;  // about 30 years
    if (length.tv_sec >= 0 && length.tv_nsec >= 0 && length.tv_nsec < 1'000'000'000) {
      const std::int64_t seconds = length.tv_sec < seconds_max ? length.tv_sec : seconds_max;
      return {result::kind::park,
              0,
              false,
              {static_cast<u64>(seconds) * 1'000'000'000 + static_cast<u64>(length.tv_nsec), 0}};
    }
  }
  return {result::kind::done, call_linux(number::nanosleep, args), false, {}};
}

result executor::execute(const request& r, bool though_it_waits) {
  if (r.number == internal_resolve) {
    const address_answer said = look(r.args[0]);
    return {result::kind::done, static_cast<i64>(said.kind), true, {said.begin, said.bytes}};
  }
  if (r.number == internal_wait) return {result::kind::park, 0, false, {}};
  if (r.number == internal_lost) return {result::kind::done, static_cast<i64>(r.args[1]), false, {}};
  if (policy::refuses(r.number)) return {result::kind::done, -EOPNOTSUPP, false, {}};
  if (const call_plan* plan = plan_of_number(r.number)) return execute_known(r, *plan, though_it_waits);
  if (r.number >= internal_resolve) return {result::kind::done, -ENOSYS, false, {}};
  return {result::kind::done, call_linux(r.number, r.args), false, {}};
}

result executor::execute_known(const request& r, const call_plan& plan, bool though_it_waits) {
  u64 args[6];
  char text[path_bytes_max + 1];
  bool has_string = false;
  std::copy_n(r.args, args_max, args);
  for (u32 i = 0; i < args_max; ++i) {
    const arg_plan& arg = plan.args[i];
    switch (arg.kind) {
      case arg_kind::none:
      case arg_kind::value:
        break;
      case arg_kind::fd:
        if (policy_.is_protected(args[i])) args[i] = ~u64{0};
        break;
      case arg_kind::string:
        args[i] = has_string ? reinterpret_cast<u64>(nowhere_) : readable_string(args[i], text);
        has_string = true;
        break;
      case arg_kind::bytes: {
        u64& bytes = args[arg.size_arg];
        // Past the end of the memory Linux would fault; it may still have less to write than there is room for.
        if (arg.by_result && bytes <= bytes_absurd) {
          if (const u64 room = room_at(args[i]); room != 0 && bytes > room) bytes = room;
        }
        args[i] = checked(args[i], bytes);
        break;
      }
      case arg_kind::object:
        args[i] = checked(args[i], arg.fixed_bytes);
        break;
    }
  }
  if (plan.timer) return sleep(args);
  if (plan.mappings) return {result::kind::done, maps_.call(plan.number, args), false, {}};
  if (!though_it_waits && plan.waits != readiness::none && moves_bytes(plan, args) &&
      would_wait(args[plan.waits_arg], plan.waits)) {
    return {result::kind::again,
            static_cast<i64>(args[plan.waits_arg]),
            true,
            {args[plan.waits_arg], static_cast<u64>(plan.waits)}};
  }
  return {result::kind::done, call_linux(plan.number, args), false, {}};
}

}  // namespace genesys::detail
