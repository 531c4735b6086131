// SPDX-License-Identifier: Apache-2.0
#include "execute/would_block.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

#include <algorithm>

#include "genesys/detail/table/generated/plans.h"

namespace genesys::detail {
namespace {

bool may_wait(const call_plan& plan, const u64 (&args)[args_max]) {
  if (plan.waits == readiness::none) return false;
  return plan.unless_flags == 0 || (static_cast<u32>(args[plan.unless_arg]) & plan.unless_flags) == 0;
}

// Most files complete a call of 0 bytes at once, ready or not; on the others it occupies its worker. A receive waits
// for its message even then.
bool moves_bytes(const call_plan& plan, const u64 (&args)[args_max]) {
  if (plan.number == number::recvfrom) return true;
  return std::all_of(std::begin(plan.args), std::end(plan.args), [&](const arg_plan& arg) {
    const bool sized = arg.kind == arg_kind::bytes && arg.size == size_from::argument && arg.bytes_most == 0;
    return !sized || args[arg.size_arg] != 0;
  });
}

bool is_message(u32 number) {
  for (const u32 one :
       {number::sendto, number::recvfrom, number::sendmsg, number::recvmsg, number::sendmmsg, number::recvmmsg}) {
    if (number == one) return true;
  }
  return false;
}

// Whether the descriptor is of the kind that the call waits for, and open for it. A listening socket waits for
// connections only, and other sockets do not. On the wrong kind, on no socket, or on the other end of a pipe Linux
// refuses the call at once, while the descriptor would never become ready. A call of no bytes finds that out. Linux
// also refuses unknown flags of accept4(2) before it waits.
bool is_of_its_kind(const call_plan& plan, const u64 (&args)[args_max], int fd) {
  int listens = 0;
  socklen_t length = sizeof listens;
  const bool is_socket = ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0;
  const bool accepts_with_flags = plan.number == number::accept4;
  if (accepts_with_flags && (static_cast<u32>(args[3]) & ~u32{SOCK_CLOEXEC | SOCK_NONBLOCK}) != 0) return false;
  if (accepts_with_flags || plan.number == number::accept) return is_socket && listens != 0;
  if (is_message(plan.number)) return is_socket && listens == 0;
  if (is_socket) return listens == 0;
  return (plan.waits == readiness::input ? ::readv(fd, nullptr, 0) : ::writev(fd, nullptr, 0)) == 0;
}

}  // namespace

bool is_blocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags != -1 && (flags & O_NONBLOCK) == 0;
}

bool is_shut_down(int fd) {
  pollfd looked{fd, POLLRDHUP, 0};
  return ::poll(&looked, 1, 0) == 1 && (looked.revents & (POLLRDHUP | POLLHUP)) != 0;
}

bool would_wait(const call_plan& plan, const u64 (&args)[args_max]) {
  if (!may_wait(plan, args) || !moves_bytes(plan, args)) return false;
  pollfd looked{static_cast<int>(args[plan.waits_arg]),
                static_cast<short>(plan.waits == readiness::input ? POLLIN : POLLOUT), 0};
  return ::poll(&looked, 1, 0) == 0 && is_blocking(looked.fd) && is_of_its_kind(plan, args, looked.fd);
}

u64 wait_limit_ns(int fd, bool receives) {
  constexpr time_t seconds_max = 1'000'000'000;  // about 30 years
  timeval limit{};
  socklen_t length = sizeof limit;
  if (::getsockopt(fd, SOL_SOCKET, receives ? SO_RCVTIMEO : SO_SNDTIMEO, &limit, &length) != 0) return 0;
  return static_cast<u64>(std::min(limit.tv_sec, seconds_max)) * 1'000'000'000 + static_cast<u64>(limit.tv_usec) * 1000;
}

// With MSG_WAITALL a try would take a part of the data; without MSG_WAITFORONE recvmmsg waits for the later messages.
u32 flag_not_to_wait(const call_plan& plan, const u64 (&args)[args_max]) {
  if (!may_wait(plan, args)) return 0;
  const bool waits_for_one = plan.number == number::recvfrom || plan.number == number::recvmsg ||
                             (plan.number == number::recvmmsg && (args[plan.unless_arg] & MSG_WAITFORONE) != 0);
  if (!waits_for_one) return 0;
  return (args[plan.unless_arg] & MSG_WAITALL) != 0 ? 0 : u32{MSG_DONTWAIT};
}

}  // namespace genesys::detail
