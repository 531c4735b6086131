// SPDX-License-Identifier: Apache-2.0
#include "host/parking.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>

#include "execute/would_block.h"
#include "genesys/detail/target/assert.h"
#include "genesys/error.h"
#include "host/serving_thread.h"
#include "trace/clock.h"

namespace genesys::detail {
namespace {

constexpr u64 id_wakeup = 0;  // entries count from 1
constexpr u64 id_timer = ~u64{0};
constexpr int duplicates_from = 1024;
// A line of calls that wait for a socket: a call that is woken is made within so long; a socket that epoll reports
// within so long after it was watched was ready all the time.
constexpr u64 until_next_ns = 50'000, at_once_ns = 8'000;
constexpr u32 wakes_max = 64;
// Of the calls of a line the last one is woken first: its kernel has waited least, so that it looks most often. One of
// so many is the oldest, so that each has its turn.
constexpr u64 oldest_of = 16;

[[noreturn]] void fail(const char* what) {
  throw error(error_code::system, std::string(what) + ": " + std::strerror(errno));
}

void open(own_descriptor& as, int fd, const char* what) {
  if (fd < 0) fail(what);
  as.take(fd);
}

void add(const own_descriptor& epoll, const own_descriptor& fd, u64 id) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = id;
  if (::epoll_ctl(epoll.get(), EPOLL_CTL_ADD, fd.get(), &event) != 0) fail("epoll_ctl");
}

// Duplicates to a number above those that select() can use, where RLIMIT_NOFILE allows.
int duplicate_of(int fd) {
  const int own = ::fcntl(fd, F_DUPFD_CLOEXEC, duplicates_from);
  return own < 0 && errno == EINVAL ? ::fcntl(fd, F_DUPFD_CLOEXEC, 0) : own;
}

// 0: no socket. (Files of other kinds may be ready for one reader and not for another.) The number of a socket's inode
// has 32 bits, which Linux uses again; its cookie is never used again.
u64 cookie_of(int fd) {
  u64 cookie = 0;
  socklen_t length = sizeof cookie;
  return ::getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &length) == 0 ? cookie : 0;
}

// When a call gives up; 0: never. A call that waited for the same before keeps its time. (Where Linux has no SO_COOKIE,
// parked calls have no limit.)
u64 limit_of(int fd, const socket_wait& wait, const parked_call* before) {
  if (wait.cookie == 0) return 0;
  if (before != nullptr && before->gives_up_ns != 0 && before->wait == wait) return before->gives_up_ns;
  const u64 limit_ns = wait_limit_ns(fd, (wait.events & EPOLLIN) != 0);
  return limit_ns != 0 ? now_ns() + limit_ns : 0;
}

}  // namespace

parking::parking(const completion_writer& to, ready_calls& ready, const policy& rules, u32 parked_max)
    : completions_(to), ready_(ready), policy_(rules), parked_max_(parked_max) {
  open(epoll_, ::epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
  open(timer_, ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), "timerfd_create");
  open(wakeup_, ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd");
  add(epoll_, timer_, id_timer);
  add(epoll_, wakeup_, id_wakeup);
}

parking::~parking() {
  cancel();
  {
    const std::lock_guard hold(lock_);
    stopping_ = true;
  }
  while (::eventfd_write(wakeup_.get(), 1) != 0 && errno == EINTR) {
  }
  if (thread_.joinable()) thread_.join();
}

parking::admission parking::park(const request& call, int fd, u32 events, bool anew, const parked_call* before) {
  const auto number = static_cast<u64>(fd);
  if (policy::is_protected(number) || !policy_.may_use(number))
    return admission::never_waits;  // the policy refuses the call itself
  const u32 what = events & (EPOLLIN | EPOLLOUT);
  if (may_join_.load(std::memory_order_relaxed)) {  // without a duplicate
    const socket_wait wait{cookie_of(fd), what};
    const u64 gives_up = limit_of(fd, wait, before);
    const std::lock_guard hold(lock_);
    if (const auto joined = join(call, wait, anew, gives_up)) return *joined;
  }
  const int own = duplicate_of(fd);
  if (own < 0 && errno == EBADF) return admission::never_waits;
  own_descriptor duplicate(own);
  const socket_wait wait{cookie_of(own >= 0 ? own : fd), what};  // to join a line it needs none
  const u64 gives_up = limit_of(own >= 0 ? own : fd, wait, before);
  const std::lock_guard hold(lock_);
  // The line has one. When its calls are made, this one must not keep the socket open.
  if (wait.cookie != 0 && lines_.contains(wait)) duplicate.reset();
  if (const auto joined = join(call, wait, anew, gives_up)) return *joined;
  if (canceled_) return admission::canceled;
  if (own < 0 || static_cast<u32>(own) >= protected_set::limit) return admission::impossible;
  if (entries_.size() >= parked_max_) return admission::full;
  if (!thread_.joinable()) start();
  const u64 id = next_id_++;
  const auto one = add_entry(id, {call, now_ns(), {}, anew, false, false, wait, gives_up});
  auto at = lines_.end();
  try {
    if (wait.cookie != 0) at = lines_.try_emplace(wait).first;
    if (at != lines_.end()) at->second.entries.push_back(id);
    (at != lines_.end() ? at->second.fd : one->second.fd) = std::move(duplicate);
    if (watch(id, one->second)) {
      parked_so_far_.fetch_add(1, std::memory_order_relaxed);
      return admission::yes;
    }
  } catch (...) {  // no memory
    if (at != lines_.end()) leave(at);
    take_entry(one);
    throw;
  }
  const bool never_waits = errno == EPERM;  // regular files are always ready
  if (at != lines_.end()) leave(at);
  take_entry(one);
  return never_waits ? admission::never_waits : admission::impossible;
}

// Adds the call to the line of its socket. Nothing: there is none. With lock_ held. Throws bad_alloc.
std::optional<parking::admission> parking::join(const request& call, const socket_wait& wait, bool anew,
                                                u64 gives_up_ns) {
  const auto found = wait.cookie == 0 ? lines_.end() : lines_.find(wait);
  may_join_.store(found != lines_.end(), std::memory_order_relaxed);
  if (found == lines_.end()) return std::nullopt;
  if (entries_.size() >= parked_max_) return admission::full;
  const u64 id = next_id_++;
  const auto one = add_entry(id, {call, now_ns(), {}, anew, false, false, wait, gives_up_ns});
  try {
    found->second.entries.push_back(id);
  } catch (...) {
    take_entry(one);
    throw;
  }
  parked_so_far_.fetch_add(1, std::memory_order_relaxed);
  return admission::yes;
}

// Throws bad_alloc, or error(system): there is no entry then.
parked_calls::iterator parking::add_entry(u64 id, parked_call&& one) {
  const u64 gives_up = one.gives_up_ns;
  const auto at = entries_.emplace(id, std::move(one)).first;
  if (gives_up == 0) return at;
  try {
    const auto timeout = timeouts_.emplace(gives_up, id).first;
    if (timeout == timeouts_.begin() && !arm_timer()) fail("timerfd_settime");
  } catch (...) {
    take_entry(at);
    throw;
  }
  return at;
}

parked_calls::node_type parking::take_entry(parked_calls::iterator one) {
  if (one->second.gives_up_ns != 0) timeouts_.erase({one->second.gives_up_ns, one->first});
  return entries_.extract(one);
}

// The last calls of a line leave it. Closing its duplicate would not remove it from epoll while the open file exists
// (epoll(7), Questions 6).
void parking::close(line& last) {
  if (last.is_in_epoll) (void)::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, last.fd.get(), nullptr);
  last.is_in_epoll = false;
  closes_.close(std::move(last.fd));
}

void parking::leave(lines::iterator empty) {
  close(empty->second);
  lines_.erase(empty);
}

// A call that gives up leaves its line. If epoll watches the line by this call, it watches it by the next one then,
// unless that gives up now, too.
void parking::leave_line(u64 id, const socket_wait& wait, u64 now) {
  const auto found = lines_.find(wait);
  line& all = found->second;
  const bool was_first = all.entries.front() == id;
  all.entries.erase(std::find(all.entries.begin(), all.entries.end(), id));
  if (all.entries.empty()) {
    if (all.next_watch) deadlines_.erase(*all.next_watch);
    return leave(found);
  }
  if (!was_first) return;
  const u64 next = all.entries.front();
  const parked_call& first = entries_.find(next)->second;
  if (all.next_watch) {
    (*all.next_watch)->second = next;
  } else if (first.gives_up_ns == 0 || first.gives_up_ns > now) {
    watch_again(next, first);
  }
}

// With lock_ held. False: errno says why.
bool parking::watch(u64 id, const parked_call& one) {
  epoll_event event{};
  event.events = one.wait.events | EPOLLONESHOT;
  event.data.u64 = id;
  if (one.wait.cookie == 0) return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, one.fd.get(), &event) == 0;
  line& all = lines_.find(one.wait)->second;
  all.watched_ns = now_ns();
  const int how = all.is_in_epoll ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if (::epoll_ctl(epoll_.get(), how, all.fd.get(), &event) != 0) return false;
  all.is_in_epoll = true;
  return true;
}

bool parking::park_descriptor(const request& call) noexcept try {
  switch (park(call, static_cast<int>(call.args[0]), static_cast<u32>(call.args[1]), false, nullptr)) {
    case admission::yes:
      return true;
    case admission::full:
      completions_.complete(call, {.value = -EAGAIN});
      return true;
    case admission::never_waits:
      completions_.complete(call, {.value = 0});
      return true;
    case admission::canceled:
      completions_.complete(call, {.value = -ECANCELED});
      return true;
    case admission::impossible:
      break;
  }
  return false;
} catch (...) {  // no memory, or no thread
  return false;
}

bool parking::park_call(const request& call, int fd, readiness what, const parked_call* before) noexcept try {
  switch (park(call, fd, what == readiness::input ? EPOLLIN : EPOLLOUT, true, before)) {
    case admission::yes:
      return true;
    case admission::full:
      if (call.mode == wait_mode::posted) return false;
      completions_.complete(call, {.value = -EAGAIN});
      return true;
    case admission::canceled:
      completions_.complete(call, {.value = -ECANCELED});
      return true;
    case admission::never_waits:
    case admission::impossible:
      break;
  }
  return false;
} catch (...) {  // no memory, or no thread
  return false;
}

bool parking::park_sleep(const request& call, u64 length_ns) noexcept try {
  const std::lock_guard hold(lock_);
  if (canceled_ || entries_.size() >= parked_max_) {
    completions_.complete(call, {.value = canceled_ ? -ECANCELED : -EAGAIN});
    return true;
  }
  if (!thread_.joinable()) start();
  const u64 id = next_id_++;
  const u64 now = now_ns();
  const auto deadline = deadlines_.emplace(now + length_ns, id);
  try {
    entries_.emplace(id, parked_call{call, now, {}, false});
  } catch (...) {
    deadlines_.erase(deadline);
    throw;
  }
  if (deadline != deadlines_.begin() || arm_timer()) {
    parked_so_far_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  entries_.erase(id);
  deadlines_.erase(deadline);
  return false;
} catch (...) {  // no memory, or no thread
  return false;
}

void parking::cancel() {
  const std::lock_guard hold(lock_);
  canceled_ = true;
  for (auto& [wait, waiting] : lines_) closes_.close(std::move(waiting.fd));
  lines_.clear();
  for (auto& [id, waiting] : entries_) {
    closes_.close(std::move(waiting.fd));
    completions_.complete(waiting.call, {.value = -ECANCELED});
  }
  entries_.clear();
  deadlines_.clear();
  timeouts_.clear();
}

std::vector<parking::entry> parking::parked() const {
  const std::lock_guard hold(lock_);
  std::vector<entry> all;
  all.reserve(entries_.size());
  for (const auto& [id, waiting] : entries_) all.push_back({waiting.call, waiting.since_ns});
  return all;
}

void parking::begin() {
  const std::lock_guard hold(lock_);
  if (!thread_.joinable()) start();
  closes_.begin();
}

// With lock_ held; the new thread waits for it.
void parking::start() {
  thread_ = serving_thread("genesys-parking", [this] { run(); });
}

void parking::run() {
  constexpr int for_ever = -1, try_again_ms = 10;
  std::array<epoll_event, 256> events;
  for (int timeout_ms = for_ever;;) {
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), timeout_ms);
    const std::lock_guard hold(lock_);
    if (stopping_) return;
    for (int i = 0; i < count; ++i) {
      const u64 id = events[static_cast<std::size_t>(i)].data.u64;
      if (id == id_timer) {
        u64 expirations;
        (void)!::read(timer_.get(), &expirations, sizeof expirations);
        armed_ns_ = 0;
      } else if (id == id_wakeup) {
        eventfd_t rings;
        ::eventfd_read(wakeup_.get(), &rings);
      } else {
        complete_ready(id);
      }
    }
    if (!deadlines_.empty() && deadlines_.begin()->first <= now_ns()) complete_due(now_ns());
    if (!timeouts_.empty()) give_up_due(now_ns());
    timeout_ms = (deadlines_.empty() && timeouts_.empty()) || arm_timer() ? for_ever : try_again_ms;
  }
}

void parking::complete_ready(u64 id) {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;  // canceled in the meantime
  const socket_wait wait = found->second.wait;
  if (wait.cookie != 0) return wake_line(wait);
  (void)::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, found->second.fd.get(), nullptr);  // as in close()
  wake(found);
}

// The call completes, or is made again.
void parking::wake(parked_calls::iterator one) {
  closes_.close(std::move(one->second.fd));
  auto out = take_entry(one);
  if (out.mapped().anew) {
    ready_.push(std::move(out));
  } else {
    completions_.complete(out.mapped().call, {.value = 0});
  }
}

// The socket of a line is ready. One call is woken. The first one is watched again after some time, or when long calls
// that were woken are made; if the socket is then still ready, twice as many are woken, and so on.
void parking::wake_line(const socket_wait& wait) {
  const auto found = lines_.find(wait);
  if (found == lines_.end()) return;
  line& all = found->second;
  const u64 now = now_ns();
  all.wakes = now - all.watched_ns < at_once_ns ? std::min(all.wakes * 2, wakes_max) : 1;
  all.being_made = 0;
  if (all.wakes >= all.entries.size()) close(all);  // first: when the last call is made, its program may close its own
  for (u32 i = 0; i < all.wakes && !all.entries.empty(); ++i) {
    const bool takes_oldest = ++all.woken % oldest_of == 0;
    const u64 id = takes_oldest ? all.entries.front() : all.entries.back();
    takes_oldest ? all.entries.pop_front() : all.entries.pop_back();
    const auto one = entries_.find(id);
    if (one->second.anew) ++all.being_made;
    wake(one);
  }
  if (all.entries.empty()) return leave(found);
  const u64 next = all.entries.front();
  try {
    all.next_watch = deadlines_.emplace(now + until_next_ns, next);
  } catch (const std::bad_alloc&) {
    watch_again(next, entries_.find(next)->second);
  }
}

// Watches the line of its first call again. If Linux cannot, all its calls are made, and then wait in another way.
void parking::watch_again(u64 id, const parked_call& first) {
  const socket_wait wait = first.wait;
  if (watch(id, first)) return;
  line& all = lines_.find(wait)->second;
  close(all);
  while (!all.entries.empty()) {
    const auto one = entries_.find(all.entries.front());
    all.entries.pop_front();
    wake(one);
  }
  lines_.erase(wait);
}

void parking::made(const socket_wait& wait) noexcept {
  if (wait.cookie == 0) return;
  const std::lock_guard hold(lock_);
  const auto found = lines_.find(wait);
  if (found == lines_.end()) return;
  line& all = found->second;
  if (all.being_made == 0 || --all.being_made != 0 || !all.next_watch) return;
  const u64 first = (*all.next_watch)->second;
  deadlines_.erase(*all.next_watch);
  all.next_watch.reset();
  watch_again(first, entries_.find(first)->second);
}

void parking::complete_due(u64 now) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    const u64 id = deadlines_.begin()->second;
    deadlines_.erase(deadlines_.begin());
    const auto found = entries_.find(id);
    const socket_wait wait = found->second.wait;
    if (wait.cookie == 0) {
      completions_.complete(found->second.call, {.value = 0});
      entries_.erase(found);
      continue;
    }
    lines_[wait].next_watch.reset();
    watch_again(id, found->second);
  }
}

// A worker makes a call that gives up once more, without waiting.
void parking::give_up_due(u64 now) {
  while (!timeouts_.empty() && timeouts_.begin()->first <= now) {
    auto out = take_entry(entries_.find(timeouts_.begin()->second));
    const socket_wait wait = out.mapped().wait;
    GENESYS_ASSERT(lines_.contains(wait), "a call with a limit stands in a line");
    pollfd looked{lines_.find(wait)->second.fd.get(), static_cast<short>(wait.events), 0};
    const bool is_ready = !out.mapped().anew && ::poll(&looked, 1, 0) == 1;
    leave_line(out.key(), wait, now);
    if (out.mapped().anew) {
      out.mapped().gives_up = true;
      ready_.push(std::move(out));
    } else {
      completions_.complete(out.mapped().call, {.value = is_ready ? 0 : -EAGAIN});
    }
  }
}

// Arms the timer for the first deadline or timeout, of which there is one. False: Linux refused.
bool parking::arm_timer() {
  u64 when = ~u64{0};
  if (!deadlines_.empty()) when = deadlines_.begin()->first;
  if (!timeouts_.empty()) when = std::min(when, timeouts_.begin()->first);
  if (when == armed_ns_) return true;
  itimerspec spec{};
  spec.it_value.tv_sec = static_cast<time_t>(when / 1'000'000'000);
  spec.it_value.tv_nsec = static_cast<long>(when % 1'000'000'000);
  if (::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &spec, nullptr) != 0) return false;
  armed_ns_ = when;
  return true;
}

}  // namespace genesys::detail
