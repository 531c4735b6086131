// SPDX-License-Identifier: Apache-2.0
#include "service/daemon/loading.h"

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "schedule/daemon/clock.h"
#include "service/daemon/events.h"
#include "target/start_thread.h"

namespace genesys::detail::serving {
namespace {

constexpr std::size_t orders_max = 16;  // that wait
constexpr unsigned look_ms = 50;

}  // namespace

loading::loading(service_server& server, const service_daemon_options& options, int done)
    : server_(server),
      drain_ms_(options.drain_ms),
      end_ms_(options.drain_ms + options.shutdown_timeout_ms),
      done_event_(done) {
  thread_ = start_thread([this] { run(); });
}

loading::~loading() { stop(); }

bool loading::has_space() {
  const std::lock_guard hold(lock_);
  return waiting_.size() < orders_max;
}

void loading::add(order asked) {
  const std::lock_guard hold(lock_);
  waiting_.push_back(std::move(asked));
  changed_.notify_all();
}

std::vector<order> loading::take_done() {
  const std::lock_guard hold(lock_);
  return std::move(done_);
}

void loading::run() {
  ::pthread_setname_np(::pthread_self(), "genesys-load");
  std::unique_lock hold(lock_);
  for (;;) {
    changed_.wait(hold, [this] { return stopping_.load() || !waiting_.empty(); });
    if (stopping_.load()) break;
    order now = std::move(waiting_.front());
    waiting_.pop_front();
    hold.unlock();
    if (now.to_unload != nullptr) {
      unload(now);
    } else {
      load(now);
    }
    hold.lock();
    done_.push_back(std::move(now));
    notify_event(done_event_);
  }
  is_running_ = false;
  changed_.notify_all();
}

void loading::load(order& asked) const {
  asked.error = EINVAL;
  try {
    std::vector<services::file_bytes> files;
    for (const descriptor& each : asked.files) files.push_back(read_passed_file(each.get()));
    asked.files.clear();
    auto made = std::make_shared<service_of_file>(std::move(files), asked.name, drain_ms_);
    made->load(server_);
    asked.loaded = std::move(made);
    asked.error = 0;
  } catch (const error& caught) {
    asked.why = caught.what();
    if (caught.code() == error_code::launch_failed) asked.error = EBUSY;
    if (caught.code() == error_code::no_memory || caught.code() == error_code::no_pinned_memory) asked.error = ENOMEM;
    if (caught.code() == error_code::not_built) asked.error = EOPNOTSUPP;
  } catch (const std::bad_alloc&) {
    asked.why = "it has no memory left";
    asked.error = ENOMEM;
  } catch (const std::exception& caught) {
    asked.why = caught.what();
  }
}

// In short waits, so that the daemon's end need not wait for it.
void loading::unload(order& asked) const {
  const std::uint64_t until = schedule::processes::now_ns() + std::uint64_t{drain_ms_} * 1'000'000;
  int result = -ETIMEDOUT;
  while (result == -ETIMEDOUT && !stopping_.load() && schedule::processes::now_ns() < until)
    result = asked.to_unload->unload(server_, look_ms);
  asked.error = -result;
  if (result != 0) asked.why = "requests of '" + asked.name + "' still run, and none can begin: unload it again";
}

void loading::stop() {
  if (!thread_.joinable()) return;
  stopping_ = true;
  {
    std::unique_lock hold(lock_);
    changed_.notify_all();
    if (!changed_.wait_for(hold, std::chrono::milliseconds(end_ms_), [this] { return !is_running_; })) {
      // exit() would wait for the same initializer.
      std::fputs("genesys: a service is being loaded, and its file does not come to an end: the daemon ends\n", stderr);
      std::_Exit(1);
    }
  }
  thread_.join();
}

}  // namespace genesys::detail::serving
