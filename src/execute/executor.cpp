// SPDX-License-Identifier: Apache-2.0
#include "execute/executor.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>

#include "execute/generated/all_threads.h"
#include "execute/waits.h"
#include "genesys/detail/generated/plans.h"

namespace genesys::detail {
namespace {

i64 call_linux(u32 number, const u64 (&args)[6]) {
  const long said = ::syscall(static_cast<long>(number), args[0], args[1], args[2], args[3], args[4], args[5]);
  return said == -1 ? -errno : said;
}

// On a thread of its own, since it changes the thread that makes it.
i64 call_linux_elsewhere(u32 number, const u64 (&args)[6]) {
  i64 value = -EAGAIN;
  try {
    std::thread([&] { value = call_linux(number, args); }).join();
  } catch (const std::system_error&) {
    // no thread to be had, as Linux says it, too
  }
  return value;
}

i64 make(const call_plan& plan, const u64 (&args)[6]) {
  if (plan.own_thread) return call_linux_elsewhere(plan.number, args);
  if (plan.all_threads) return call_for_all_threads(plan.number, args);
  return call_linux(plan.number, args);
}

bool is_excepted(const call_plan& plan, const u64 (&args)[6]) {
  for (u32 i = 0; i < plan.excepts_count; ++i) {
    const auto is = [&](u32 k) { return static_cast<u32>(args[plan.except_args[k]]) == plan.excepts[i][k]; };
    if (is(0) && is(1)) return true;
  }
  return false;
}

// Makes the call, or gives nothing: it would wait. A receive is tried; where nothing came of it, though something was
// there a moment ago, another was faster, and it is to wait like the rest. It never waits in Linux, where it would keep
// a worker.
std::optional<i64> made_unless_it_waits(const call_plan& plan, u64 (&args)[args_max]) {
  const u32 flag = flag_not_to_wait(plan, args);
  if (flag == 0) return would_wait(plan, args) ? std::nullopt : std::optional(make(plan, args));
  args[plan.unless_arg] |= flag;
  i64 value = call_linux(plan.number, args);
  args[plan.unless_arg] &= ~u64{flag};
  const int fd = static_cast<int>(args[plan.waits_arg]);
  if (value != -EAGAIN || !is_blocking(fd)) return value;
  if (!is_shut_down(fd)) return std::nullopt;
  return call_linux(plan.number, args);
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

bool executor::copy_in(void* to, u64 address, u64 bytes) const {
  if (address == 0 || address == reinterpret_cast<u64>(nowhere_)) return false;
  if (maps_.at(address)) return copy_mapped(to, address, bytes);
  std::memcpy(to, reinterpret_cast<const void*>(address), bytes);
  return true;
}

bool executor::copy_out(u64 address, const void* from, u64 bytes) const {
  if (maps_.at(address)) {
    const iovec local{const_cast<void*>(from), bytes}, there{reinterpret_cast<void*>(address), bytes};
    return ::process_vm_writev(::getpid(), &local, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
  }
  std::memcpy(reinterpret_cast<void*>(address), from, bytes);
  return true;
}

// The buffer that the length measures, and then the length.
void executor::check_pointed(const call_plan& plan, u64 (&args)[args_max], pointed_length& length) const {
  for (u32 i = 0; i < args_max; ++i) {
    const arg_plan& arg = plan.args[i];
    if (arg.kind != arg_kind::bytes || arg.size != size_from::pointed) continue;
    u64& length_at = args[arg.size_arg];
    if (copy_in(&length.value, length_at, sizeof length.value)) {
      length.always = plan.args[arg.size_arg].written == written_on::any;
      // Without a buffer Linux does not look at it, or does nothing else.
      if (args[i] != 0 || length.always) length.at = length_at;
      length_at = reinterpret_cast<u64>(&length.value);
    }
    // A length without a limit may be an unsigned one of Linux's: it counts as what it says, be it negative elsewhere.
    u32 room = length.value;
    if (arg.bytes_most != 0) room = static_cast<std::int32_t>(room) < 0 ? 0 : std::min<u32>(room, arg.bytes_most);
    args[i] = checked(args[i], room);
  }
}

u64 executor::readable_structure(const arg_plan& arg, u64 address, own_length& own) const {
  const u64 room = room_at(address);
  if (room < arg.size_at + sizeof(u32)) return checked(address, own_length_max);
  own.bytes = std::min(room, own_length_max);
  if (!copy_in(own.copy, address, own.bytes)) return reinterpret_cast<u64>(nowhere_);
  u32 length;
  std::memcpy(&length, own.copy + arg.size_at, sizeof length);
  const u64 bytes = own_bytes(arg, length);
  if (bytes > own.bytes) return reinterpret_cast<u64>(nowhere_);
  own.bytes = bytes;
  own.at = address;
  return reinterpret_cast<u64>(own.copy);
}

bool executor::is_mapped(u64 address, u64 bytes) const {
  const std::optional<address_answer> found = maps_.at(address);
  return found && found->kind == pointer_kind::pass && bytes <= found->begin + found->bytes - address;
}

// A sleep does not need a thread. What Linux would refuse, Linux refuses.
result executor::sleep(const u64 (&args)[6]) const {
  timespec length;
  if (copy_in(&length, args[0], sizeof length)) {
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
  if (const call_plan* plan = plan_of_call(r.number, r.args)) return execute_known(r, *plan, though_it_waits);
  // A variant that the table lacks: nobody knows what it takes for an address.
  if (is_planned(r.number)) return {result::kind::done, -EOPNOTSUPP, false, {}};
  if (r.number >= internal_resolve) return {result::kind::done, -ENOSYS, false, {}};
  return {result::kind::done, call_linux(r.number, r.args), false, {}};
}

result executor::execute_known(const request& r, const call_plan& plan, bool though_it_waits) {
  u64 args[6];
  if (is_excepted(plan, r.args)) return {result::kind::done, -EOPNOTSUPP, false, {}};
  char text[strings_max][path_bytes_max + 1];
  u32 strings = 0;
  own_length own;
  const arg_plan* has_own_length = nullptr;
  std::copy_n(r.args, args_max, args);
  for (u32 i = 0; i < args_max; ++i) {
    const arg_plan& arg = plan.args[i];
    switch (arg.kind) {
      case arg_kind::none:
        args[i] = 0;
        break;
      case arg_kind::value:
        break;
      case arg_kind::fd:
        if (policy_.is_protected(args[i])) args[i] = ~u64{0};
        break;
      case arg_kind::string:
        args[i] = readable_string(args[i], text[strings++]);
        break;
      case arg_kind::bytes: {
        if (arg.size == size_from::pointed) break;  // when the length is checked
        u64& count = args[arg.size_arg];
        // Past the end of the memory Linux would fault; it may still have less to write than there is room for.
        if (arg.by_result && measured_bytes(arg, count) <= bytes_absurd) {
          const u64 room = room_at(args[i]);
          if (room != 0 && measured_bytes(arg, count) > room) count = elements_within(arg, room);
        }
        args[i] = checked(args[i], measured_bytes(arg, count));
        break;
      }
      case arg_kind::object:
        if (arg.size == size_from::itself) {
          args[i] = readable_structure(arg, args[i], own);
          has_own_length = &arg;
        } else {
          args[i] = checked(args[i], arg.fixed_bytes);
        }
        break;
    }
  }
  if (plan.timer) return sleep(args);
  if (plan.mappings) return {result::kind::done, maps_.call(plan.number, args), false, {}};
  if (plan.mapped && !is_mapped(args[0], args[1])) return {result::kind::done, -ENOMEM, false, {}};
  pointed_length length;
  check_pointed(plan, args, length);
  i64 value;
  if (though_it_waits) {
    value = make(plan, args);
  } else if (const auto made = made_unless_it_waits(plan, args)) {
    value = *made;
  } else {
    const u64 fd = args[plan.waits_arg];
    return {result::kind::again, static_cast<i64>(fd), true, {fd, static_cast<u64>(plan.waits)}};
  }
  if (length.at != 0 && (value >= 0 || length.always)) {
    value = copy_out(length.at, &length.value, sizeof length.value) ? value : -EFAULT;
  }
  if (own.at != 0 && has_own_length->dir != direction::in) {
    if (value >= 0 || has_own_length->written == written_on::any) {
      if (!copy_out(own.at, own.copy, own.bytes)) value = -EFAULT;
    }
  }
  return {result::kind::done, value, false, {}};
}

}  // namespace genesys::detail
