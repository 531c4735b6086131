// SPDX-License-Identifier: Apache-2.0
// The serving thread's loop and its sleep (serving.h). rounds.cpp has what it does for requests.
#include "service/daemon/serving.h"

#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>

#include "schedule/daemon/clock.h"
#include "schedule/daemon/message.h"
#include "service/client/hello.h"
#include "service/daemon/events.h"
#include "target/start_thread.h"

namespace genesys::detail::serving {

namespace ipc = schedule::processes;
using ipc::now_ns;

namespace {

// What epoll says of an event: this, or twice the number of a session, plus 1 for its process.
constexpr u64 tag_wake = 0;
constexpr int packets_max = 16;
constexpr u64 us = 1000, events_every_ns = 1'000'000;
constexpr u64 nap_least_ns = 20 * us, nap_most_ns = 1'000'000;

}  // namespace

serving::serving(service_server& server, const service_daemon_options& options, int ended)
    : server_(server),
      options_(options),
      ended_event_(ended),
      events_(::epoll_create1(EPOLL_CLOEXEC)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      rows_(services_max) {
  if (!events_ || !wake_ || !watch_for(events_.get(), wake_.get(), tag_wake))
    throw error(error_code::system, "cannot make descriptors for the daemon: raise 'ulimit -n'");
  thread_ = start_thread([this] { run(); });
}

serving::~serving() { stop(); }

void serving::adopt(std::unique_ptr<session> made) {
  {
    const std::lock_guard hold(lock_);
    incoming_.push_back(std::move(made));
    is_told_ = true;
  }
  notify_event(wake_.get());
}

void serving::add(numbered_service made) {
  {
    const std::lock_guard hold(lock_);
    changes_.push_back(std::move(made));
    is_told_ = true;
  }
  notify_event(wake_.get());
}

void serving::remove(u32 number) { add({number, {}, nullptr}); }

std::vector<std::unique_ptr<session>> serving::take_ended() {
  const std::lock_guard hold(lock_);
  return std::move(ended_);
}

void serving::stop() {
  if (!thread_.joinable()) return;
  stopping_ = true;
  notify_event(wake_.get());
  thread_.join();
}

std::string serving::report() {
  constexpr auto timeout = std::chrono::seconds(10);
  std::unique_lock hold(lock_);
  if (!is_running_) return text();
  const u64 before = reports_made_;
  ++reports_wanted_;
  is_told_ = true;
  notify_event(wake_.get());
  if (!report_made_.wait_for(hold, timeout, [&] { return reports_made_ != before || !is_running_; }))
    return "genesys: the serving thread does not answer\n";
  return reports_made_ != before ? report_ : text();
}

void serving::run() {
  ::pthread_setname_np(::pthread_self(), "genesys-serve");
  constexpr u32 polls = 200;
  u64 progress_at = now_ns(), looked_at = progress_at;
  for (u32 idle = 0; !stopping_.load(std::memory_order_relaxed);) {
    if (is_told_.load(std::memory_order_relaxed)) adopt_incoming();
    const u64 now = now_ns();
    if (round(now)) {
      progress_at = now;
      idle = 0;
    } else if (++idle > polls) {
      ::sched_yield();
    }
    if (now - looked_at > events_every_ns) {  // also while there are always requests
      looked_at = now;
      if (look_at_events(0)) progress_at = now;
    }
    if (now - progress_at < options_.spin_us * us) continue;
    // It was woken: it looks for a while again.
    if (sleep(now, progress_at)) progress_at = now_ns();
    looked_at = now_ns();
  }
  finish_all();
}

void serving::change_services() {
  std::vector<numbered_service> changes;
  {
    const std::lock_guard hold(lock_);
    changes.swap(changes_);
  }
  for (numbered_service& each : changes) {
    served_row& to = rows_[each.number % services_max];
    to = {};
    to.it = std::move(each);
  }
}

served_row* serving::row_of(u32 number) {
  served_row& found = rows_[number % services_max];
  return found.it.service != nullptr && found.it.number == number ? &found : nullptr;
}

void serving::adopt_incoming() {
  std::vector<std::unique_ptr<session>> made;
  bool wanted = false;
  {
    const std::lock_guard hold(lock_);
    is_told_ = false;
    made.swap(incoming_);
    wanted = std::exchange(reports_wanted_, 0) != 0;
  }
  change_services();
  for (std::unique_ptr<session>& each : made) {
    session& it = *each;
    ++clients_so_far_;
    const u64 id = it.id;
    sessions_.emplace(id, std::move(each));
    if (!watch_for(events_.get(), it.socket.get(), id * 2) ||
        !watch_for(events_.get(), it.who.process.get(), id * 2 + 1))
      leave(it, "epoll_ctl(2) fails");
  }
  totals_.clients = sessions_.size();
  end_sessions();
  if (!wanted) return;
  std::string made_text = text();
  const std::lock_guard hold(lock_);
  report_ = std::move(made_text);
  ++reports_made_;
  report_made_.notify_all();
}

// D5. While requests are in flight it takes naps, each an eighth of the time since the last result.
bool serving::sleep(u64 now, u64 progress_at) {
  bool may_sleep = !is_told_ && !stopping_;  // who changes these rings the bell afterwards
  for (const auto& [id, each] : sessions_) {
    if (!each->is_leaving && !each->has_pending()) may_sleep &= each->may_sleep();
  }
  const u64 nap = std::clamp((now - progress_at) / 8, nap_least_ns, nap_most_ns);
  const bool any = !may_sleep || look_at_events(in_flight_ == 0 ? -1 : static_cast<long>(nap));
  for (const auto& [id, each] : sessions_) each->awake();
  return any;
}

bool serving::look_at_events(long timeout_ns) {
  epoll_event events[events_max];
  const timespec limit{0, timeout_ns};
  int count = ::epoll_pwait2(events_.get(), events, events_max, timeout_ns < 0 ? nullptr : &limit, nullptr);
  if (count < 0 && errno == ENOSYS)  // Linux before 5.11
    count = ::epoll_wait(events_.get(), events, events_max, timeout_ns < 0 ? -1 : timeout_ns == 0 ? 0 : 1);
  for (int i = 0; i < count; ++i) {
    const u64 tag = events[i].data.u64;
    if (tag == tag_wake) {
      clear_event(wake_.get());
      continue;
    }
    const auto found = sessions_.find(tag / 2);
    if (found == sessions_.end() || found->second->is_leaving) continue;
    if ((tag & 1) != 0)
      leave(*found->second, nullptr);  // the process has ended, whoever else has its socket
    else
      receive_from(*found->second);
  }
  return count > 0;
}

void serving::receive_from(session& from) {
  ipc::packet got;
  for (int i = 0; i < packets_max; ++i) {
    const ipc::received what = ipc::receive_packet(from.socket.get(), got);
    if (what == ipc::received::nothing) return;
    if (what == ipc::received::closed) return leave(from, nullptr);
    const std::optional<hello> read = decode_hello(got.bytes.data(), got.size);
    if (!read || read->kind != hello_kind::wake || !got.passed.empty())
      return leave(from, "it has sent a packet that is no wake-up");
  }
}

void serving::leave(session& who, const char* why) {
  if (who.is_leaving) return;
  who.is_leaving = true;
  ::epoll_ctl(events_.get(), EPOLL_CTL_DEL, who.socket.get(), nullptr);
  ::epoll_ctl(events_.get(), EPOLL_CTL_DEL, who.who.process.get(), nullptr);
  if (why == nullptr) return;
  ++broken_;
  ::shutdown(who.socket.get(), SHUT_RDWR);  // its process sees the end now
  std::fprintf(stderr, "genesys: client %d of user %u is turned out: %s\n", static_cast<int>(who.who.pid),
               static_cast<unsigned>(who.who.uid), why);
}

// Its requests in flight have ended, so nothing uses its memory.
void serving::end_sessions() {
  bool any = false;
  for (auto each = sessions_.begin(); each != sessions_.end();) {
    session& it = *each->second;
    if (!it.is_leaving || it.in_flight() != 0) {
      ++each;
      continue;
    }
    if (it.keeps_memory()) kept_bytes_ += it.bytes();
    const std::lock_guard hold(lock_);
    ended_.push_back(std::move(each->second));
    each = sessions_.erase(each);
    any = true;
  }
  totals_.clients = sessions_.size();
  if (any) notify_event(ended_event_);
}

void serving::finish_all() {
  adopt_incoming();
  for (const auto& [id, each] : sessions_) leave(*each, nullptr);
  const u64 until = now_ns() + u64{options_.shutdown_timeout_ms} * 1'000'000;
  while (in_flight_ != 0 && now_ns() < until) {
    bool any = false;
    for (const auto& [id, each] : sessions_) any |= look_at_requests(*each);
    if (!any) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  for (const auto& [id, each] : sessions_) {
    if (each->in_flight() == 0) continue;
    each->keep_memory();
    std::vector<u32> left;
    each->each_in_flight([&](u32 slot, request_record&) { left.push_back(slot); });
    for (const u32 slot : left) each->end(slot);
  }
  end_sessions();
  const std::lock_guard hold(lock_);
  is_running_ = false;
  report_made_.notify_all();
}

}  // namespace genesys::detail::serving
