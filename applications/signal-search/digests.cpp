// SPDX-License-Identifier: Apache-2.0
#include "digests.h"

#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace search {

digests::digests(int fd, std::size_t unit_bytes, unsigned threads) : fd_(fd), unit_bytes_(unit_bytes) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

digests::~digests() {
  {
    const std::lock_guard hold(lock_);
    ends_ = true;
  }
  changed_.notify_all();
  for (std::thread& each : threads_)
    if (each.joinable()) each.join();
}

void digests::add(std::uint32_t unit) {
  {
    const std::lock_guard hold(lock_);
    waiting_.push_back(unit);
  }
  changed_.notify_one();
}

std::vector<std::pair<std::uint32_t, digests::digest>> digests::finish() {
  {
    const std::lock_guard hold(lock_);
    ends_ = true;
  }
  changed_.notify_all();
  for (std::thread& each : threads_) each.join();
  if (!wrong_.empty()) throw std::runtime_error(wrong_);
  std::sort(done_.begin(), done_.end());
  return std::move(done_);
}

void digests::serve() {
  std::vector<unsigned char> data(unit_bytes_);
  for (;;) {
    std::unique_lock hold(lock_);
    changed_.wait(hold, [this] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::uint32_t unit = waiting_.front();
    waiting_.pop_front();
    hold.unlock();
    std::pair<std::uint32_t, digest> one{unit, {}};
    const ssize_t bytes = ::pread(fd_, data.data(), unit_bytes_, static_cast<off_t>(std::uint64_t{unit} * unit_bytes_));
    const bool is_read = bytes >= 0;
    const std::string why = is_read ? "" : std::strerror(errno);
    if (is_read)
      ::EVP_Digest(data.data(), static_cast<std::size_t>(bytes), one.second.data(), nullptr, ::EVP_sha512(), nullptr);
    hold.lock();
    if (!is_read) wrong_ = why;
    done_.push_back(one);
  }
}

}  // namespace search
