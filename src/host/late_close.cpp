// SPDX-License-Identifier: Apache-2.0
#include "host/late_close.h"

#include <sys/socket.h>
#include <sys/stat.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

#include "host/serving_thread.h"

namespace genesys::detail {

struct late_close::queue {
  std::mutex lock;
  std::condition_variable changed;
  std::deque<own_descriptor> waiting;
  bool is_ending = false;

  void run() {
    std::unique_lock hold(lock);
    for (;;) {
      changed.wait(hold, [this] { return is_ending || !waiting.empty(); });
      if (waiting.empty()) return;
      own_descriptor next = std::move(waiting.front());
      waiting.pop_front();
      hold.unlock();
      next.reset();
      hold.lock();
    }
  }
};

namespace {

bool may_wait(const own_descriptor& fd) {
  struct stat about;
  if (::fstat(fd.get(), &about) != 0) return false;
  const mode_t kind = about.st_mode & S_IFMT;  // 0: an eventfd, a timerfd and their kind
  if (kind != S_IFSOCK) return kind != S_IFIFO && kind != 0;
  linger chosen{};
  socklen_t length = sizeof chosen;
  return ::getsockopt(fd.get(), SOL_SOCKET, SO_LINGER, &chosen, &length) == 0 && chosen.l_onoff != 0 &&
         chosen.l_linger > 0;
}

}  // namespace

late_close::~late_close() {
  if (queue_ == nullptr) return;
  const std::lock_guard hold(queue_->lock);
  queue_->is_ending = true;
  queue_->changed.notify_one();
}

void late_close::begin() {
  if (queue_ != nullptr) return;
  auto made = std::make_shared<queue>();
  serving_thread("genesys-close", [made] { made->run(); }).detach();
  queue_ = std::move(made);
}

void late_close::close(own_descriptor fd) noexcept try {
  if (fd.get() < 0 || !may_wait(fd)) return;
  begin();
  const std::lock_guard hold(queue_->lock);
  queue_->waiting.push_back(std::move(fd));
  queue_->changed.notify_one();
} catch (...) {  // no memory, or no thread: the end of `fd` closes it
}

}  // namespace genesys::detail
