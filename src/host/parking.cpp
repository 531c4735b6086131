// SPDX-License-Identifier: Apache-2.0
#include "host/parking.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "genesys/error.h"
#include "trace/clock.h"

namespace genesys::detail {
namespace {

constexpr u64 id_bell = 0;  // entries count from 1
constexpr u64 id_timer = ~u64{0};
constexpr int duplicates_from = 1024;

int checked_fd(int fd, const char* what) {
  if (fd < 0) throw error(error_code::system, std::string(what) + ": " + std::strerror(errno));
  return fd;
}

void add(int epoll, int fd, u64 id) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = id;
  ::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

}  // namespace

parking::parking(const answers& to, ready_calls& ready, policy& rules, u32 parked_max)
    : answers_(to), ready_(ready), policy_(rules), parked_max_(parked_max) {
  epoll_ = checked_fd(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
  timer_ = checked_fd(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), "timerfd_create");
  bell_ = checked_fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd");
  add(epoll_, timer_, id_timer);
  add(epoll_, bell_, id_bell);
  for (const int fd : {epoll_, timer_, bell_}) policy_.protect(fd);
}

parking::~parking() {
  cancel();
  {
    const std::lock_guard hold(lock_);
    stopping_ = true;
    ::eventfd_write(bell_, 1);
  }
  if (thread_.joinable()) thread_.join();
  for (const int fd : {epoll_, timer_, bell_}) {
    policy_.release(fd);
    ::close(fd);
  }
}

// With lock_ held: whether one more may wait.
bool parking::admit() {
  if (entries_.size() >= parked_max_) return false;
  parked_so_far_.fetch_add(1, std::memory_order_relaxed);
  if (!thread_.joinable()) start();
  return true;
}

// With lock_ held.
parking::admission parking::park(const request& call, int fd, u32 events, bool anew) {
  if (canceled_) return admission::canceled;
  const auto number = static_cast<u64>(fd);
  if (policy_.is_protected(number) || !policy_.may_use(number))
    return admission::never_waits;  // the call itself will be refused
  // Beyond the numbers that programs and drivers use with select(), where the limit allows.
  int own = ::fcntl(fd, F_DUPFD_CLOEXEC, duplicates_from);
  if (own < 0 && errno == EINVAL) own = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return errno == EBADF ? admission::never_waits : admission::no_descriptor;
  if (!admit()) {
    ::close(own);
    return admission::full;
  }
  const u64 id = next_id_++;
  epoll_event event{};
  event.events = (events & (EPOLLIN | EPOLLOUT)) | EPOLLONESHOT;
  event.data.u64 = id;
  policy_.protect(own);
  entries_.emplace(id, entry{call, now_ns(), own, anew});
  if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, own, &event) == 0) return admission::yes;
  const bool never_waits = errno == EPERM;  // regular files are always ready
  entries_.erase(id);
  policy_.release(own);
  ::close(own);
  return never_waits ? admission::never_waits : admission::no_descriptor;
}

bool parking::park_descriptor(const request& call) {
  const std::lock_guard hold(lock_);
  switch (park(call, static_cast<int>(call.args[0]), static_cast<u32>(call.args[1]), false)) {
    case admission::yes:
      return true;
    case admission::full:
      answers_.write(call, -EAGAIN);
      return true;
    case admission::never_waits:
      answers_.write(call, 0);
      return true;
    case admission::canceled:
      answers_.write(call, -ECANCELED);
      return true;
    case admission::no_descriptor:
      break;
  }
  return false;
}

bool parking::park_call(const request& call, int fd, readiness what) {
  const std::lock_guard hold(lock_);
  switch (park(call, fd, what == readiness::input ? EPOLLIN : EPOLLOUT, true)) {
    case admission::yes:
      return true;
    case admission::full:
      if (call.waits != waiting::ticket) return false;
      answers_.write(call, -EAGAIN);
      return true;
    case admission::canceled:
      answers_.write(call, -ECANCELED);
      return true;
    case admission::never_waits:
    case admission::no_descriptor:
      break;
  }
  return false;
}

void parking::park_sleep(const request& call, u64 length_ns) {
  const std::lock_guard hold(lock_);
  if (canceled_ || !admit()) {
    answers_.write(call, canceled_ ? -ECANCELED : -EAGAIN);
    return;
  }
  const u64 id = next_id_++;
  const u64 now = now_ns();
  entries_.emplace(id, entry{call, now, -1, false});
  deadlines_.emplace(now + length_ns, id);
  if (deadlines_.begin()->second == id) arm_timer();
}

void parking::cancel() {
  const std::lock_guard hold(lock_);
  canceled_ = true;
  for (auto& [id, waiting] : entries_) {
    if (waiting.fd >= 0) {
      policy_.release(waiting.fd);
      ::close(waiting.fd);
    }
    answers_.write(waiting.call, -ECANCELED);
  }
  entries_.clear();
  deadlines_.clear();
}

std::vector<parking::entry> parking::parked() const {
  const std::lock_guard hold(lock_);
  std::vector<entry> all;
  all.reserve(entries_.size());
  for (const auto& [id, waiting] : entries_) all.push_back(waiting);
  return all;
}

void parking::begin() {
  const std::lock_guard hold(lock_);
  if (!thread_.joinable()) start();
}

// With lock_ held, which the new thread waits for.
void parking::start() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals go to the program's own threads
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void parking::run() {
  std::array<epoll_event, 256> events;
  for (;;) {
    const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
    const std::lock_guard hold(lock_);
    if (stopping_) return;
    for (int i = 0; i < count; ++i) {
      const u64 id = events[static_cast<std::size_t>(i)].data.u64;
      if (id == id_timer) {
        u64 expirations;
        if (::read(timer_, &expirations, sizeof expirations) > 0) answer_due(now_ns());
      } else if (id == id_bell) {
        eventfd_t rings;
        ::eventfd_read(bell_, &rings);
      } else {
        answer_ready(id);
      }
    }
  }
}

void parking::answer_ready(u64 id) {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;  // canceled in the meantime
  policy_.release(found->second.fd);
  ::close(found->second.fd);
  if (found->second.anew) {
    ready_.push(found->second.call);
  } else {
    answers_.write(found->second.call, 0);
  }
  entries_.erase(found);
}

void parking::answer_due(u64 now) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    const auto found = entries_.find(deadlines_.begin()->second);
    answers_.write(found->second.call, 0);
    entries_.erase(found);
    deadlines_.erase(deadlines_.begin());
  }
  if (!deadlines_.empty()) arm_timer();
}

void parking::arm_timer() {
  const u64 when = deadlines_.begin()->first;
  itimerspec spec{};
  spec.it_value.tv_sec = static_cast<time_t>(when / 1'000'000'000);
  spec.it_value.tv_nsec = static_cast<long>(when % 1'000'000'000);
  ::timerfd_settime(timer_, TFD_TIMER_ABSTIME, &spec, nullptr);
}

}  // namespace genesys::detail
