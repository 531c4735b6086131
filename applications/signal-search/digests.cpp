// SPDX-License-Identifier: Apache-2.0
#include "digests.h"

#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace search {

digests::digests(const settings& chosen, const input& from, unsigned threads) : chosen_(chosen), from_(from) {
  threads_.emplace(
      threads, [this](unsigned) { serve(); }, [this] { end(); });
}

digests::~digests() { end(); }

void digests::end() {
  {
    const std::lock_guard hold(lock_);
    ends_ = true;
  }
  changed_.notify_all();
}

void digests::add(std::uint32_t unit) {
  {
    const std::lock_guard hold(lock_);
    waiting_.push_back(unit);
  }
  changed_.notify_one();
}

std::vector<std::pair<std::uint32_t, digests::digest>> digests::finish() {
  end();
  threads_->join();
  if (!wrong_.empty()) throw std::runtime_error(wrong_);
  std::sort(done_.begin(), done_.end());
  return std::move(done_);
}

void digests::serve() {
  std::vector<unsigned char> data(chosen_.unit_bytes);
  for (;;) {
    std::unique_lock hold(lock_);
    changed_.wait(hold, [this] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::uint32_t unit = waiting_.front();
    waiting_.pop_front();
    hold.unlock();
    std::pair<std::uint32_t, digest> one{unit, {}};
    const std::uint64_t at = std::uint64_t{unit} * chosen_.unit_bytes, left = from_.bytes - at;
    const ssize_t bytes = ::pread(from_.fd, data.data(), data.size(), static_cast<off_t>(at));
    std::string why;
    if (bytes < 0)
      why = std::strerror(errno);
    else if (static_cast<std::uint64_t>(bytes) < std::min<std::uint64_t>(data.size(), left))
      why = "it was cut while it was read";
    else
      ::EVP_Digest(data.data(), static_cast<std::size_t>(bytes), one.second.data(), nullptr, ::EVP_sha512(), nullptr);
    hold.lock();
    if (!why.empty()) wrong_ = chosen_.file + ": " + why;
    done_.push_back(one);
  }
}

}  // namespace search
