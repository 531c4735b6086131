// SPDX-License-Identifier: Apache-2.0
#include "execute/ring_offer.h"

#include <sys/uio.h>

#include <cerrno>

#include "execute/io_strategy.h"
#include "execute/linux_call.h"
#include "genesys/detail/table/generated/plans.h"

namespace genesys::detail {

i64 read_without_wait(const u64 (&args)[args_max], u64 position) {
  const iovec whole{reinterpret_cast<void*>(args[1]), args[2]};
  const u64 asked[args_max] = {args[0], reinterpret_cast<u64>(&whole), 1, position, 0, RWF_NOWAIT};
  return call_linux(number::preadv2, asked);
}

namespace {

// Reads what the page cache has; otherwise learns a strategy for the descriptor. -EAGAIN: the read would wait.
// -EOPNOTSUPP: the file does not support RWF_NOWAIT, and the worker makes a plain read.
i64 read_without_waiting(const u64 (&args)[args_max], io_strategy& files) {
  using strategy = io_strategy::strategy;
  const int fd = static_cast<int>(args[0]);
  const i64 value = read_without_wait(args, args[3]);
  if (value == -EOPNOTSUPP) files.learn(fd, false, strategy::at_once, 1024);
  if (value == -EAGAIN) files.learn(fd, false, strategy::in_ring, 16);
  // The page cache has a part: the ring reads all. (Devices stop halfway with RWF_NOWAIT.)
  if (value > 0 && static_cast<u64>(value) < args[2])
    return files.look_again(fd, false) == strategy::at_once ? -EOPNOTSUPP : -EAGAIN;
  if (value > 0) files.learn(fd, false, strategy::cached, 16);
  return value;
}

}  // namespace

[[gnu::noinline]] std::optional<result> offer(worker_ring& in, const request& r, const call_plan& plan,
                                              const u64 (&args)[args_max]) {
  using strategy = io_strategy::strategy;
  const uring_call& how = plan.uring;
  constexpr result elsewhere{result::kind::elsewhere, 0, false, {}};
  const std::optional<result> without_ring = in.is_busy() ? std::optional(elsewhere) : std::nullopt;
  if (!worker_ring::can_say(how, args)) return without_ring;
  if (plan.split) {  // at a position: the page cache may have the data
    const bool writes = plan.role == role::producer;
    const strategy known = in.files().of(static_cast<int>(args[0]), writes);
    if (known == strategy::at_once || (known == strategy::cached && !without_ring)) return without_ring;
    if (known == strategy::try_first || known == strategy::cached) {
      const i64 made = read_without_waiting(args, in.files());
      if (made == -EOPNOTSUPP) return without_ring;
      if (made != -EAGAIN) return result{result::kind::done, made, false, {}};
    }
  }
  if (r.has_inline_data) return without_ring;  // its memory is this thread's
  if (in.begin(r, how, args)) return result{result::kind::begun, 0, false, {}};
  return in.is_busy() ? std::optional(elsewhere) : std::nullopt;
}

}  // namespace genesys::detail
