// SPDX-License-Identifier: Apache-2.0
// The thread of a service_callbacks (genesys/service_callbacks.h): it keeps the tickets, and looks at them.
#include "genesys/service_callbacks.h"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "target/start_thread.h"
#include "trace/clock.h"

namespace genesys::detail::services {
namespace {

constexpr u64 spin_ns = 50'000;  // the thread looks again so long before it sleeps between looks
constexpr auto sleep = std::chrono::microseconds(50);

}  // namespace

class callback_thread {
 public:
  explicit callback_thread(service_callbacks::executor on)
      : executor_(std::move(on)), thread_(start_thread([this] { run(); })) {}
  ~callback_thread() {
    {
      const std::lock_guard hold(lock_);
      ends_ = true;
    }
    woken_.notify_one();
    thread_.join();
  }

  void add(service_ticket ticket, service_callbacks::callback then) {
    {
      const std::lock_guard hold(lock_);
      new_.emplace_back(std::move(ticket), std::move(then));
    }
    woken_.notify_one();
  }

 private:
  using entry = std::pair<service_ticket, service_callbacks::callback>;

  void run() {
    pthread_setname_np(pthread_self(), "genesys-results");  // 15 characters at most
    std::vector<entry> mine;
    u64 idle_since = 0;
    while (take_new(mine, idle_since != 0 && now_ns() - idle_since > spin_ns)) {
      if (call_those_done(mine)) {
        idle_since = 0;
      } else if (idle_since == 0) {
        idle_since = now_ns();
      } else {
        std::this_thread::yield();
      }
    }
  }

  // Sleeps while there are no requests; `idle`: for a moment if there are. False: it is over.
  bool take_new(std::vector<entry>& mine, bool idle) {
    std::unique_lock hold(lock_);
    if (mine.empty()) {
      woken_.wait(hold, [this] { return !new_.empty() || ends_; });
    } else if (idle && new_.empty()) {
      woken_.wait_for(hold, sleep);
    }
    for (entry& one : new_) mine.push_back(std::move(one));
    new_.clear();
    return !mine.empty() || !ends_;
  }

  // True: there was one.
  bool call_those_done(std::vector<entry>& mine) {
    std::size_t left = 0;
    const std::size_t before = mine.size();
    for (std::size_t i = 0; i < before; ++i) {
      if (mine[i].first.is_done()) {
        call(std::move(mine[i].second), mine[i].first.wait());
      } else {
        if (left != i) mine[left] = std::move(mine[i]);
        ++left;
      }
    }
    mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(left), mine.end());
    return left != before;
  }

  void call(service_callbacks::callback then, long result) {
    if (!then) return;
    if (!executor_) return then(result);
    executor_([then = std::move(then), result] { then(result); });
  }

  const service_callbacks::executor executor_;
  std::mutex lock_;
  std::condition_variable woken_;
  std::vector<entry> new_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace genesys::detail::services

namespace genesys {

service_callbacks::service_callbacks(service_server& server, executor on)
    : server_(server), thread_(std::make_unique<detail::services::callback_thread>(std::move(on))) {}
service_callbacks::~service_callbacks() = default;

void service_callbacks::add(service_ticket ticket, callback then) { thread_->add(std::move(ticket), std::move(then)); }

}  // namespace genesys
