// SPDX-License-Identifier: Apache-2.0
#include "service/kgpu_device.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>

#include "genesys/error.h"

namespace genesys::detail::services {

void refuse_by_errno(const std::string& what, int number) {
  throw error(error_code::system, what + ": " + std::strerror(number));
}

kgpu_device::kgpu_device(const char* path) : file_(open(path, O_RDWR | O_CLOEXEC)) {
  if (file_ < 0) {
    const int number = errno;
    const char* why = number == ENOENT  ? " (is the module kgpu loaded?)"
                      : number == EBUSY ? " (another daemon serves it)"
                                        : "";
    refuse_by_errno(std::string("cannot open ") + path + why, number);
  }
  __u64 size = 0;
  void* memory = MAP_FAILED;
  if (ioctl(file_, KGPU_BYTES, &size) == 0) memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) {
    const int number = errno;
    close(file_);
    refuse_by_errno(std::string("cannot map ") + path, number);
  }
  size_ = size;
  bytes_ = static_cast<std::byte*>(memory);
  shared_ = static_cast<kgpu_shared*>(memory);
  units_ = shared_->units;
  ring_ = reinterpret_cast<kgpu_request*>(bytes_ + shared_->ring_offset);
  if (shared_->format != KGPU_FORMAT) {
    munmap(memory, size_);
    close(file_);
    throw error(error_code::system, std::string(path) + " is of a module that this program does not know");
  }
}

kgpu_device::~kgpu_device() {
  if (is_leaked_) return;
  munmap(bytes_, size_);
  close(file_);
}

std::span<std::byte> kgpu_device::data_of(const kgpu_request& request) const {
  return data().subspan(std::size_t{request.id} * KGPU_UNIT_BYTES, request.bytes);
}

int kgpu_device::admit() const { return ioctl(file_, KGPU_SERVE) == 0 ? 0 : errno; }

bool kgpu_device::has_new() const {
  return std::atomic_ref<__u32>(shared_->tail).load(std::memory_order_acquire) != head_;  // pairs with send_job()
}

// True: `stop` is not readable. There may be no request yet.
bool kgpu_device::wait(unsigned spin_us, int stop) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(spin_us);
  while (std::chrono::steady_clock::now() < end) {
    if (has_new()) return true;
  }
  pollfd on[2] = {{file_, POLLIN, 0}, {stop, POLLIN, 0}};
  poll(on, 2, -1);
  return on[1].revents == 0;
}

bool kgpu_device::take(std::vector<kgpu_request>& into, unsigned most, unsigned takers, unsigned spin_us, int stop) {
  const std::lock_guard hold(taking_);
  into.clear();
  while (into.empty()) {
    if (!has_new() && !wait(spin_us, stop)) return false;
    const __u32 news = std::atomic_ref<__u32>(shared_->tail).load(std::memory_order_acquire) - head_;
    __u32 count = std::min<__u32>(most, (news + takers - 1) / takers);  // the other threads get their share
    for (; count != 0; --count, ++head_) {
      kgpu_request& entry = ring_[head_ % units_];
      kgpu_request copy = entry;
      // Pairs with wipe_key() of the module: if the number is still there, so was the whole key.
      std::atomic_thread_fence(std::memory_order_acquire);
      const bool is_whole = copy.key_number != 0 &&
                            std::atomic_ref<__u64>(entry.key_number).load(std::memory_order_relaxed) == copy.key_number;
      const bool is_sane = copy.id < units_ && copy.bytes <= KGPU_DATA_BYTES_MAX && copy.bytes % 16 == 0 &&
                           (units_ - copy.id) * std::size_t{KGPU_UNIT_BYTES} >= copy.bytes &&
                           (copy.key_bytes == 32 || copy.key_bytes == 64);
      if (is_whole && is_sane) {
        into.push_back(copy);
      } else {
        const kgpu_completion refused{copy.id, copy.use, -ECANCELED, 0};
        complete({&refused, 1});
      }
    }
    std::atomic_ref<__u32>(shared_->head).store(head_, std::memory_order_release);  // read by poll() of the module
  }
  return true;
}

// The module takes all of them. If it does not, the time limit of the requests is left to it.
void kgpu_device::complete(std::span<const kgpu_completion> completions) const {
  while (!completions.empty()) {
    const ssize_t taken = write(file_, completions.data(), completions.size_bytes());
    if (taken < 0 && errno == EINTR) continue;
    if (taken <= 0) return;
    completions = completions.subspan(static_cast<std::size_t>(taken) / sizeof(kgpu_completion));
  }
}

}  // namespace genesys::detail::services
