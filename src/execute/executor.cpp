// SPDX-License-Identifier: Apache-2.0
#include "execute/executor.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <system_error>
#include <thread>

#include "execute/arguments.h"
#include "execute/confinement.h"
#include "execute/descriptor_kind.h"
#include "execute/generated/all_threads.h"
#include "execute/generated/custom.h"
#include "execute/linux_call.h"
#include "execute/ring_offer.h"
#include "execute/would_block.h"
#include "genesys/detail/table/generated/plans.h"
#include "policy/foreign_descriptors.h"
#include "policy/generated/calls.h"
#include "trace/clock.h"

namespace genesys::detail {
namespace {

// Makes the call on a thread of its own, because the call changes the thread that makes it.
i64 call_linux_elsewhere(u32 number, const u64 (&args)[6]) {
  i64 value = -EAGAIN;
  try {
    std::thread([&] { value = call_linux(number, args); }).join();
  } catch (const std::system_error&) {
    // -EAGAIN: Linux gives no thread
  }
  return value;
}

// On some processors Linux empties the return stack buffer at each system call, and each return after that costs
// several nanoseconds. So what most calls pass through is one function.
#define GENESYS_ONE_FUNCTION [[gnu::always_inline]] inline

GENESYS_ONE_FUNCTION i64 make(const call_plan& plan, const user_memory& memory, policy& rules, u64 (&args)[6]) {
  if (plan.custom) return call_custom_handler(plan, memory, rules, args);
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

// Whether Linux gets the arguments as they are, under every policy, and the call needs nothing else.
constexpr bool is_plain(const call_plan& plan, const policy_call& rule) {
  for (u32 i = 0; i < plan.args_count; ++i) {
    if (plan.args[i].kind != arg_kind::value) return false;
  }
  return !plan.custom && !plan.own_thread && !plan.all_threads && !plan.timer && !plan.mappings && !plan.mapped &&
         plan.waits == readiness::none && plan.excepts_count == 0 && rule.is_simple();
}

constexpr auto plain_plans = [] {
  std::array<bool, plan_count> plain{};
  for (u32 i = 0; i < plan_count; ++i) plain[i] = is_plain(plans[i], policy_calls[i]);
  return plain;
}();

// Whether the worker may make the call while others are in flight in its ring, because the call does not wait. (A call
// that has only values may wait, as sync(2) does; but not if it is quiet.)
bool does_not_wait(const call_plan& plan) {
  const auto at = static_cast<std::size_t>(&plan - plans);
  return plan.uring.by_workers || plan.timer || (plain_plans[at] && plan.quiet);
}

// Makes a read of a pipe, a socket or a counter, without waiting. (Without waiting a read of other files may be short.)
// Nothing: it is a read of something else, or Linux cannot read this without waiting.
std::optional<i64> read_of_stream(const call_plan& plan, const u64 (&args)[args_max]) {
  struct stat about;
  const int fd = static_cast<int>(args[0]);
  if (plan.number != number::read || ::fstat(fd, &about) != 0) return std::nullopt;
  if (!S_ISFIFO(about.st_mode) && !S_ISSOCK(about.st_mode) && (about.st_mode & S_IFMT) != 0) return std::nullopt;
  const i64 value = read_without_wait(args, ~u64{0});
  return value == -EOPNOTSUPP || value == -EINVAL ? std::nullopt : std::optional(value);
}

// Makes the call, or returns nothing: it would wait. A receive, or a read of a stream, is tried without waiting. If the
// try gives -EAGAIN, although the descriptor was ready, another thread took the data, and the call must wait. It never
// waits in Linux, where it would occupy a worker.
std::optional<i64> made_unless_it_waits(const call_plan& plan, const user_memory& memory, policy& rules,
                                        u64 (&args)[args_max]) {
  const u32 flag = flag_not_to_wait(plan, args);
  if (flag == 0) {
    if (would_wait(plan, args)) return std::nullopt;
    const auto tried = read_of_stream(plan, args);
    const int fd = static_cast<int>(args[plan.waits_arg]);
    if (tried != -EAGAIN || !is_blocking(fd)) return tried ? *tried : make(plan, memory, rules, args);
    if (!is_shut_down(fd)) return std::nullopt;
    return make(plan, memory, rules, args);
  }
  args[plan.unless_arg] |= flag;
  i64 value = call_linux(plan.number, args);
  args[plan.unless_arg] &= ~u64{flag};
  const int fd = static_cast<int>(args[plan.waits_arg]);
  if (value != -EAGAIN || !is_blocking(fd)) return value;
  if (!is_shut_down(fd)) return std::nullopt;
  return call_linux(plan.number, args);
}

// A receive that would not wait either way.
bool ends_at_once(const call_plan& plan, const u64 (&args)[args_max], i64 value) {
  return value == -EAGAIN && plan.waits == readiness::input && is_shut_down(static_cast<int>(args[plan.waits_arg]));
}

// The timeout of the call's socket has passed. Linux then gives what there is: a part of the data, the rest of the
// room, or -EAGAIN.
[[gnu::noinline]] i64 made_without_waiting(const call_plan& plan, const user_memory& memory, policy& rules,
                                           u64 (&args)[args_max]) {
  if ((plan.unless_flags & MSG_DONTWAIT) != 0) {
    const u64 flags = args[plan.unless_arg];
    args[plan.unless_arg] |= MSG_DONTWAIT;
    const i64 value = make(plan, memory, rules, args);
    args[plan.unless_arg] = flags;
    return ends_at_once(plan, args, value) ? make(plan, memory, rules, args) : value;
  }
  const bool is_vector = plan.number == number::readv || plan.number == number::writev;
  const bool is_plain = plan.number == number::read || plan.number == number::write;
  if (!is_vector && !is_plain) return made_unless_it_waits(plan, memory, rules, args).value_or(-EAGAIN);
  iovec whole{reinterpret_cast<void*>(args[1]), args[2]};
  msghdr message{};
  message.msg_iov = is_vector ? reinterpret_cast<iovec*>(args[1]) : &whole;
  message.msg_iovlen = is_vector ? args[2] : 1;
  const u64 asked[args_max] = {args[0], reinterpret_cast<u64>(&message), MSG_DONTWAIT, 0, 0, 0};
  const i64 value = call_linux(plan.waits == readiness::input ? number::recvmsg : number::sendmsg, asked);
  if (value == -ENOTSOCK) return made_unless_it_waits(plan, memory, rules, args).value_or(-EAGAIN);
  return ends_at_once(plan, args, value) ? make(plan, memory, rules, args) : value;
}

}  // namespace

// Parks a sleep, which needs no thread then. Linux itself refuses what is invalid.
result executor::sleep(const u64 (&args)[6]) const {
  timespec length;
  if (memory_.copy_in(&length, args[0], sizeof length)) {
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

GENESYS_ONE_FUNCTION result executor::carry_out(const request& r, const call_plan& plan, u64 (&args)[args_max],
                                                worker_ring* in, not_ready then) {
  if (plan.timer) return sleep(args);
  if (plan.mappings) return {result::kind::done, maps_.call(plan.number, args), false, {}};
  if (in != nullptr && plan.uring.by_workers) {
    if (const auto returned = offer(*in, r, plan, args)) return *returned;
  }
  if (plan.mapped && !memory_.is_mapped(args[0], args[1])) return {result::kind::done, -ENOMEM, false, {}};
  if (plan.waits == readiness::none || then == not_ready::wait)
    return {result::kind::done, make(plan, memory_, policy_, args), false, {}};
  if (then == not_ready::give_up) [[unlikely]]
    return {result::kind::done, made_without_waiting(plan, memory_, policy_, args), false, {}};
  if (const auto made = made_unless_it_waits(plan, memory_, policy_, args))
    return {result::kind::done, *made, false, {}};
  const u64 fd = args[plan.waits_arg];
  return {result::kind::again, static_cast<i64>(fd), true, {fd, static_cast<u64>(plan.waits)}};
}

// Not inline: it must not slow down calls that need no such checks.
[[gnu::noinline]] result executor::carry_out_confined(const request& r, const call_plan& plan,
                                                      linux_arguments& arguments, worker_ring* in, not_ready then) {
  const bool counts = policy_.has_rate() && then != not_ready::give_up;  // such a call was counted before
  if (counts && !policy_.is_within_rate(now_ns())) return {result::kind::done, -EAGAIN, false, {}};
  confinement confined(memory_, policy_, plan);
  const i64 wrong = arguments.are_denied() ? policy_.deny(plan) : confined.take(arguments.values);
  if (wrong != 0) return {result::kind::done, wrong, false, {}};
  result returned = carry_out(r, plan, arguments.values, in, then);
  if (returned.what == result::kind::done) returned.value = confined.settle(returned.value);
  return returned;
}

GENESYS_ONE_FUNCTION result executor::execute_known(const request& r, const call_plan& plan, worker_ring* in,
                                                    not_ready then) {
  if (is_excepted(plan, r.args)) return {result::kind::done, -EOPNOTSUPP, false, {}};
  linux_arguments arguments(memory_, policy_, plan, r);
  if (arguments.refusal() != 0) return {result::kind::done, arguments.refusal(), false, {}};
  if (arguments.move_nothing()) then = not_ready::wait;
  if (rings_ != nullptr && policy::call_of(plan).closes) rings_->revoke(r.args[0]);
  result returned = policy_.looks_closer() ? carry_out_confined(r, plan, arguments, in, then)
                                           : carry_out(r, plan, arguments.values, in, then);
  if (returned.what == result::kind::done) {
    returned.value = arguments.write_back(returned.value);
    returned.inline_data = arguments.inline_data();
    if (r.has_inline_data) [[unlikely]]
      returned.inline_rest = arguments.inline_rest(returned.value);
  }
  // Linux has given the number to a kernel, so its foreign owner has closed it.
  if (policy::gives_descriptor(plan, r.args) && returned.value >= 0)
    policy::given_to_kernel(static_cast<int>(returned.value));
  return returned;
}

// What a kernel may submit itself on this descriptor: a descriptor_kind, or 0 for nothing; or -EBADF.
i64 executor::kind_for(u64 fd) const {
  if (!policy_.may_use(fd)) return -EBADF;
  const i64 kind = descriptor_kind_of(fd);
  if (rings_ == nullptr || !rings_->is_strict()) return kind;
  return kind == on_file && rings_->grant(static_cast<int>(fd)) ? kind : 0;
}

// Requests to genesys itself, not to Linux.
[[gnu::noinline]] result executor::execute_internal(const request& r) const {
  switch (r.number) {
    case internal_resolve: {
      const address_info returned = memory_.look(r.args[0]);
      return {result::kind::done, static_cast<i64>(returned.kind), true, {returned.begin, returned.bytes}};
    }
    case internal_wait:
      return {result::kind::park, 0, false, {}};
    case internal_file:
      // args[1]: the kernel claims that it has just opened the descriptor through a shared ring.
      if (r.args[1] != 0 && rings_ != nullptr && !rings_->is_strict())
        end_protection_if_reused(static_cast<int>(r.args[0]));
      return {result::kind::done, kind_for(r.args[0]), false, {}};
    case internal_lost:
      return {result::kind::done, static_cast<i64>(r.args[1]), false, {}};
    case internal_ring_call:
      return {result::kind::done, 0, false, {}};  // call_recorder has recorded it, or will
    case internal_grow:
      if (r.args[0] < bounce_classes) growth_.grow(static_cast<u32>(r.args[0]));
      return {result::kind::done, 0, false, {}};
    default:
      return {result::kind::done, -ENOSYS, false, {}};
  }
}

bool executor::never_waits(const request& r) {
  const call_plan* plan = r.number >= internal_resolve ? nullptr : plan_of_call(r.number, r.args);
  if (r.number == internal_grow) return false;  // pins memory
  return r.number >= internal_resolve || (plan != nullptr && does_not_wait(*plan));
}

result executor::execute(const request& r, worker_ring* in, not_ready then) {
  if (r.number >= internal_resolve) [[unlikely]]
    return execute_internal(r);
  if (policy::refuses(r.number)) return {result::kind::done, -EOPNOTSUPP, false, {}};
  if (const call_plan* plan = plan_of_call(r.number, r.args)) {
    if (!policy_.allows(*plan)) return {result::kind::done, policy_.deny(*plan), false, {}};
    if (in != nullptr && in->is_busy() && !does_not_wait(*plan)) return {result::kind::elsewhere, 0, false, {}};
    if (plain_plans[static_cast<std::size_t>(plan - plans)] && !policy_.has_rate())
      return {result::kind::done, call_linux(plan->number, r.args), false, {}};
    return execute_known(r, *plan, policy_.has_rate() ? nullptr : in, then);
  }
  // A variant that the table lacks: genesys does not know which of its arguments are addresses.
  if (is_planned(r.number)) return {result::kind::done, -EOPNOTSUPP, false, {}};
  return {result::kind::done, -ENOSYS, false, {}};
}

}  // namespace genesys::detail
