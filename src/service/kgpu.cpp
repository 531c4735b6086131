// SPDX-License-Identifier: Apache-2.0
#include "service/kgpu.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "service/kgpu_device.h"

#ifndef PR_SET_IO_FLUSHER
#define PR_SET_IO_FLUSHER 57
#endif

namespace genesys::detail::services {
namespace {

// An eventfd that is readable, and stays so, once it was raised.
class signal_file {
 public:
  signal_file() : file_(eventfd(0, EFD_CLOEXEC)) {
    if (file_ < 0) refuse_by_errno("eventfd", errno);
  }
  ~signal_file() { close(file_); }
  signal_file(const signal_file&) = delete;
  signal_file& operator=(const signal_file&) = delete;
  int file() const { return file_; }
  void raise() const { (void)eventfd_write(file_, 1); }

 private:
  int file_;
};

class server {
 public:
  server(const kgpu_options& options, int stop, const kgpu_cipher& cipher)
      : options_(options), stop_(stop), cipher_(cipher), device_(options.path) {}

  kgpu_device& device() { return device_; }

  void run(const std::function<void()>& admitted) {
    std::vector<std::jthread> threads;
    // Ends the threads also if a later one cannot be started.
    struct ending {
      server& of;
      ~ending() { of.end_.raise(); }
    } at_end{*this};
    for (unsigned i = 0; i < std::max(options_.threads, 1u); ++i) threads.emplace_back([this] { serve(); });
    std::jthread admission([&] { admit(admitted); });
    pollfd on[2] = {{stop_, POLLIN, 0}, {end_.file(), POLLIN, 0}};
    while (poll(on, 2, -1) < 0 && errno == EINTR) {
    }
    // A request of the admission may still be under way: the other threads serve until it is over.
    admission.join();
    end_.raise();
    threads.clear();
    if (!failure_) return;
    device_.leak();  // a request may still be under way
    std::rethrow_exception(failure_);
  }

 private:
  void serve() {
    try {
      std::vector<kgpu_request> requests;
      std::vector<kgpu_work> works;
      std::vector<kgpu_completion> completions;
      const unsigned threads = std::max(options_.threads, 1u), batch = std::max(options_.batch, 1u);
      while (device_.take(requests, batch, threads, options_.spin_us, end_.file())) {
        works.clear();
        completions.clear();
        for (kgpu_request& request : requests) {
          kgpu_work work{.data = device_.data_of(request),
                         .key = std::as_bytes(std::span(request.key).first(request.key_bytes)),
                         .key_number = request.key_number,
                         .encrypts = request.operation == KGPU_XTS_ENCRYPT,
                         .iv = {}};
          std::memcpy(work.iv.data(), request.iv, work.iv.size());
          works.push_back(work);
        }
        cipher_(works);
        for (std::size_t i = 0; i < works.size(); ++i) {
          completions.push_back({requests[i].id, requests[i].use, works[i].done ? 0 : -EIO, 0});
          explicit_bzero(requests[i].key, sizeof requests[i].key);
        }
        device_.complete(completions);
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }

  void admit(const std::function<void()>& admitted) {
    const int number = device_.admit();
    if (number == 0) {
      if (admitted) admitted();
      return;
    }
    try {
      refuse_by_errno(number == EBADMSG ? "Linux refuses the daemon, because an answer was wrong"
                                        : "Linux refuses the daemon, because a request was not answered",
                      number);
    } catch (...) {
      fail(std::current_exception());
    }
  }

  void fail(std::exception_ptr why) {
    const std::lock_guard hold(failing_);
    if (!failure_) failure_ = why;
    end_.raise();
  }

  const kgpu_options options_;
  const int stop_;
  const kgpu_cipher& cipher_;
  kgpu_device device_;
  signal_file end_;
  std::mutex failing_;
  std::exception_ptr failure_;
};

}  // namespace

void prepare_for_kgpu() {
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) refuse_by_errno("cannot lock the daemon's memory", errno);
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);  // its memory has keys and data of others: no core dumps of it
  if (prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0) != 0)
    refuse_by_errno("cannot become an I/O flusher (it needs CAP_SYS_RESOURCE)", errno);
}

void serve_kgpu(const kgpu_options& options, int stop, const kgpu_cipher& cipher,
                const std::function<std::shared_ptr<void>(std::span<std::byte>)>& mapped,
                const std::function<void()>& admitted) {
  server serving(options, stop, cipher);
  // Ends before the memory is unmapped.
  const std::shared_ptr<void> kept = mapped ? mapped(serving.device().data()) : nullptr;
  serving.run(admitted);
}

}  // namespace genesys::detail::services
