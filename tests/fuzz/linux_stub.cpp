// SPDX-License-Identifier: Apache-2.0
#include "linux_stub.h"

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "genesys/detail/table/generated/plans.h"
#include "policy/policy.h"

// libFuzzer must not see these comparisons. It would learn the addresses of the host's own copies, use them as a
// kernel's addresses, and report that the host uses its copies.
#pragma clang attribute push(__attribute__((no_sanitize("coverage"))), apply_to = function)

namespace fuzz {

linux_stub world;

std::uint8_t next_byte() {
  if (world.input_left == 0) return 0;
  --world.input_left;
  return *world.input++;
}

namespace {

using namespace genesys::detail;

[[noreturn]] void fail(const char* what, std::uint64_t number, std::uint64_t address, std::uint64_t bytes) {
  std::fprintf(stderr, "linux_stub: call %llu: %s: %#llx, %llu bytes\n", static_cast<unsigned long long>(number), what,
               static_cast<unsigned long long>(address), static_cast<unsigned long long>(bytes));
  std::abort();
}

// Not std::find, which is compiled with coverage: the fuzzer would learn the host's addresses from its comparisons.
bool is_raw(std::uint64_t address) {
  for (const std::uint64_t one : world.raw)
    if (one == address) return true;
  return false;
}

// Touches memory that Linux would use. The sanitizer watches the rest of the process.
void touch(std::uint64_t number, std::uint64_t address, std::uint64_t bytes, bool writes) {
  if (address == 0 || bytes == 0) return;
  if (address >= world.nowhere && address < world.nowhere + 4096) return;  // Linux gives -EFAULT
  if (bytes > bytes_absurd) return;                                        // Linux refuses it
  if (address >= world.arena_begin && address < world.arena_end) {
    if (bytes > world.arena_end - address)
      fail("it ends behind the memory that both sides address", number, address, bytes);
  } else if (is_raw(address)) {
    fail("an address that nobody looked up", number, address, bytes);
  }
  auto* memory = reinterpret_cast<volatile std::uint8_t*>(address);
  if (writes) {
    memory[0] = next_byte();
    memory[bytes - 1] = next_byte();
  } else {
    (void)memory[0];
    (void)memory[bytes - 1];
  }
}

std::uint64_t string_bytes(std::uint64_t number, std::uint64_t address) {
  if (address == 0 || address == world.nowhere) return 0;
  if (address >= world.arena_begin && address < world.arena_end)
    fail("a string that can change while Linux looks at it", number, address, 1);
  const auto* text = reinterpret_cast<const char*>(address);
  std::uint64_t n = 0;
  while (n <= 4096 && text[n] != 0) ++n;
  if (n > 4096) fail("a string without an end", number, address, n);
  return n;
}

bool is_copy(std::uint64_t address) {
  return address != 0 && address != world.nowhere && !(address >= world.arena_begin && address < world.arena_end);
}

void touch_entries(std::uint64_t number, std::uint64_t address, std::uint64_t count, bool short_lengths, bool writes) {
  if (address == 0 || address == world.nowhere || count == 0 || count > entries_max) return;
  if (!is_copy(address)) fail("a list that can change while Linux looks at it", number, address, count * sizeof(iovec));
  const auto* all = reinterpret_cast<const iovec*>(address);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t bytes = short_lengths ? static_cast<std::uint32_t>(all[i].iov_len) : all[i].iov_len;
    touch(number, reinterpret_cast<std::uint64_t>(all[i].iov_base), bytes, writes);
  }
}

void touch_message(std::uint64_t number, std::uint64_t address, bool writes) {
  msghdr message;
  std::memcpy(&message, reinterpret_cast<const void*>(address), sizeof message);
  touch(number, reinterpret_cast<std::uint64_t>(message.msg_name), std::min<std::uint64_t>(message.msg_namelen, 128),
        writes);
  if (message.msg_controllen <= INT32_MAX)
    touch(number, reinterpret_cast<std::uint64_t>(message.msg_control), message.msg_controllen, writes);
  touch_entries(number, reinterpret_cast<std::uint64_t>(message.msg_iov), message.msg_iovlen, false, writes);
}

void touch_messages(std::uint64_t number, const arg_plan& arg, std::uint64_t address, std::uint64_t count) {
  if (address == 0 || address == world.nowhere || count == 0) return;
  if (!is_copy(address)) fail("messages that can change while Linux looks at them", number, address, count);
  count = std::min<std::uint64_t>(count, entries_max);
  for (std::uint64_t i = 0; i < count; ++i)
    touch_message(number, address + i * arg.element_bytes, arg.dir == direction::out);
}

void touch_argument(const call_plan& plan, const arg_plan& arg, const std::uint64_t* args, std::uint64_t address) {
  const bool writes = arg.dir == direction::out || arg.dir == direction::inout;
  const std::uint64_t said = arg.size == size_from::argument ? args[arg.size_arg] : 1;
  switch (arg.kind) {
    case arg_kind::string:
      string_bytes(plan.number, address);
      break;
    case arg_kind::object:
      if (arg.size == size_from::itself) {
        if (is_copy(address)) touch(plan.number, address, arg.size_at + 4, writes);
      } else {
        touch(plan.number, address, arg.fixed_bytes, writes);
      }
      break;
    case arg_kind::bytes: {
      std::uint64_t bytes = measured_bytes(arg, said);
      if (arg.size == size_from::pointed) {
        if (!is_copy(args[arg.size_arg])) break;
        bytes = *reinterpret_cast<const std::uint32_t*>(args[arg.size_arg]);
        if (arg.bytes_most != 0 && static_cast<std::int32_t>(bytes) < 0) break;
      }
      if (arg.bytes_most != 0) bytes = std::min<std::uint64_t>(bytes, arg.bytes_most);
      touch(plan.number, address, bytes, writes);
      break;
    }
    case arg_kind::vector:
      touch_entries(plan.number, address, said, arg.short_lengths, writes);
      break;
    case arg_kind::messages:
      touch_messages(plan.number, arg, address, said);
      break;
    default:
      break;
  }
}

// Changes memory as the GPU could meanwhile.
void change_memory() {
  for (unsigned n = next_byte() % 8; n > 0 && world.input_left != 0; --n) {
    const unsigned at = next_byte() << 8 | next_byte();
    reinterpret_cast<volatile std::uint8_t*>(world.arena_end - 4096)[at % 4096] = next_byte();
  }
}

// A result that Linux could give.
long result_of_linux() {
  const std::uint8_t which = next_byte();
  if (which < 96) {
    errno = 1 + which;
    return -1;
  }
  return which < 160 ? which - 96 : which < 224 ? long{which} << 4 : 0;
}

long call(std::uint64_t number, const std::uint64_t* args) {
  ++world.calls;
  const call_plan* plan = plan_of_call(number, args);
  for (unsigned i = 0; plan != nullptr && i < plan->args_count; ++i)
    touch_argument(*plan, plan->args[i], args, args[i]);
  change_memory();
  const long value = result_of_linux();
  // A descriptor is one that the fuzzer does not have, since the serving side may close it.
  return plan != nullptr && value >= 0 && policy::call_of(*plan).new_fd ? value + 4096 : value;
}

}  // namespace
}  // namespace fuzz

// Replaces the C library's function: every call of the serving side goes through it. A caller with fewer than six
// arguments leaves garbage in the others, which nothing reads.
extern "C" __attribute__((no_sanitize("address", "undefined"))) long syscall(long number, ...) {
  std::uint64_t args[6];
  va_list list;
  va_start(list, number);
  for (std::uint64_t& arg : args) arg = va_arg(list, std::uint64_t);
  va_end(list);
  return fuzz::call(static_cast<std::uint64_t>(number), args);
}

// Replaces calls that would change this process.
extern "C" {
int setuid(uid_t) { return 0; }
int setgid(gid_t) { return 0; }
int setreuid(uid_t, uid_t) { return 0; }
int setregid(gid_t, gid_t) { return 0; }
int setresuid(uid_t, uid_t, uid_t) { return 0; }
int setresgid(gid_t, gid_t, gid_t) { return 0; }
int setgroups(size_t, const gid_t*) { return 0; }
int close(int fd) {
  return fd <= STDERR_FILENO ? 0 : ::close_range(static_cast<unsigned>(fd), static_cast<unsigned>(fd), 0);
}
int semctl(int, int, int, ...) { return static_cast<int>(fuzz::result_of_linux()); }
}

#pragma clang attribute pop
