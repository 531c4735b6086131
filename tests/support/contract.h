// SPDX-License-Identifier: Apache-2.0
// What the suites that run kernels share: one runtime for the binary, waits that have a limit, memory on the device,
// folders that are removed. Host code only, called by the test's own thread.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <future>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "genesys/genesys.h"

#if defined(__CUDACC__)
#define CONTRACT_OUTLINE __host__ __device__ __noinline__
#else
#define CONTRACT_OUTLINE [[gnu::noinline]]
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CONTRACT_SANITIZED 1
#else
#define CONTRACT_SANITIZED 0
#endif

namespace contract {

using u8 = unsigned char;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using genesys::runtime;

constexpr bool sanitized = CONTRACT_SANITIZED;
constexpr int time_limit_s = sanitized ? 120 : 30;  // a kernel of these tests that takes longer counts as hung

// The runtime of all tests that need no options of their own.
inline runtime& shared_runtime() {
  static runtime rt;
  return rt;
}

inline bool on_cuda() { return shared_runtime().kind() == genesys::device_kind::cuda; }

[[noreturn]] inline void give_up(const runtime& rt, const std::string& why) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::cerr << "gave up on " << (test ? std::string(test->test_suite_name()) + "." + test->name() : "?") << ": " << why
            << "\n";
  rt.report(std::cerr);
  std::_Exit(99);  // the destructors would wait for the kernel that hangs
}

// Waits until the condition holds. Returns false after `seconds`.
template <class Condition>
bool eventually(Condition holds, double seconds = time_limit_s) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

// Waits for the run's calls; the kernel has ended. Ends the program after `seconds`.
inline void drain(runtime& rt, const genesys::run& run, double seconds = time_limit_s) {
  auto drained = std::async(std::launch::async, [&] { run.drain(); });
  if (drained.wait_for(std::chrono::duration<double>(seconds)) != std::future_status::ready)
    give_up(rt, "the run's calls have not ended in time");
  drained.get();
}

// Waits for the kernel and the run's calls. Ends the program after `seconds`.
inline void finish(runtime& rt, const genesys::run& run, double seconds = time_limit_s) {
  if (!eventually([&] { return run.finished(); }, seconds)) give_up(rt, "the kernel has not ended in time");
  drain(rt, run, seconds);
}

// A run. The destructor waits for it, so a test can leave at any line.
class launched {
 public:
  launched(runtime& rt, genesys::run run) : rt_(rt), run_(std::move(run)) {}
  ~launched() { finish(); }
  launched(const launched&) = delete;
  launched& operator=(const launched&) = delete;
  void finish(double seconds = time_limit_s) {
    if (!std::exchange(done_, true)) contract::finish(rt_, run_, seconds);
  }
  const genesys::run& operator*() const { return run_; }
  const genesys::run* operator->() const { return &run_; }

 private:
  runtime& rt_;
  genesys::run run_;
  bool done_ = false;
};

template <class F, class... Args>
[[nodiscard]] launched start(runtime& rt, const genesys::launch_config& config, F kernel, Args... args) {
  return launched(rt, genesys::launch(rt, config, kernel, args...));
}

// Launches and waits.
template <class F, class... Args>
void play(runtime& rt, const genesys::launch_config& config, F kernel, Args... args) {
  start(rt, config, kernel, args...).finish();
}

// `count` objects in device memory. They begin as bytes 0xee, so that an object that nothing writes shows.
template <class T>
class on_device {
 public:
  on_device(runtime& rt, std::size_t count)
      : rt_(rt), count_(count), at_(static_cast<T*>(rt.allocate_device(count * sizeof(T)))) {
    fill(0xee);
  }
  on_device(runtime& rt, const std::vector<T>& from) : on_device(rt, from.size()) { put(from); }
  ~on_device() { rt_.free_device(at_); }
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;
  T* get() const { return at_; }
  std::size_t size() const { return count_; }
  void fill(int byte) { rt_.fill_device(at_, byte, count_ * sizeof(T)); }
  void put(const std::vector<T>& from) { rt_.copy_to_device(at_, from.data(), from.size() * sizeof(T)); }
  std::vector<T> take() const {
    std::vector<T> all(count_);
    rt_.copy_to_host(all.data(), at_, count_ * sizeof(T));
    return all;
  }

 private:
  runtime& rt_;
  std::size_t count_;
  T* at_;
};

// The same in arena memory.
template <class T>
class in_arena {
 public:
  in_arena(runtime& rt, std::size_t count)
      : rt_(rt), count_(count), at_(static_cast<T*>(rt.allocate_arena(count * sizeof(T)))) {
    std::memset(static_cast<void*>(at_), 0xee, count * sizeof(T));
  }
  ~in_arena() { rt_.free_arena(at_); }
  in_arena(const in_arena&) = delete;
  in_arena& operator=(const in_arena&) = delete;
  T* get() const { return at_; }
  T& operator[](std::size_t i) const { return at_[i]; }
  std::size_t size() const { return count_; }

 private:
  runtime& rt_;
  std::size_t count_;
  T* at_;
};

// The byte at offset `i` of the tests' files and buffers; `salt` names the file.
GENESYS_KERNEL u8 pattern(u64 i, u64 salt = 0) {
  u64 x = (i + salt * 0x1000'0001ull) * 0x9e37'79b9'7f4a'7c15ull;
  x ^= x >> 29;
  return static_cast<u8>(x * 0xbf58'476d'1ce4'e5b9ull >> 56);
}

inline std::string patterned(std::size_t bytes, u64 salt = 0) {
  std::string text(bytes, 0);
  for (std::size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>(pattern(i, salt));
  return text;
}

// A new folder. The destructor removes it with its content.
class folder {
 public:
  // `in`: /dev/shm for files that a kernel maps to write, because CUDA does not pin such pages of ext4.
  explicit folder(const std::string& in = "/tmp") {
    std::string name = in + "/genesys-test-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
    fd_ = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
  ~folder() {
    ::close(fd_);
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  int fd() const { return fd_; }
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
  int fd_ = -1;
};

// An open descriptor. The destructor closes it.
class descriptor {
 public:
  explicit descriptor(int fd) : fd_(fd) {}
  ~descriptor() { close(); }
  descriptor(descriptor&& from) noexcept : fd_(std::exchange(from.fd_, -1)) {}
  descriptor& operator=(descriptor&&) = delete;
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

inline descriptor made_file(const folder& in, const std::string& name, const std::string& content) {
  descriptor file(::openat(in.fd(), name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t n = ::pwrite(file.get(), content.data() + done, content.size() - done, static_cast<off_t>(done));
    if (n <= 0) throw std::runtime_error("cannot write a test file");
    done += static_cast<std::size_t>(n);
  }
  return file;
}

inline std::string content_of(int fd) {
  struct stat about {};
  ::fstat(fd, &about);
  std::string text(static_cast<std::size_t>(about.st_size), 0);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::pread(fd, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  text.resize(done);
  return text;
}

struct pipe_ends {
  descriptor out, in;  // a reader uses `out`, a writer uses `in`
};

inline pipe_ends made_pipe(int flags = O_CLOEXEC) {
  int ends[2];
  if (::pipe2(ends, flags) != 0) throw std::runtime_error("pipe2 failed");
  return {descriptor(ends[0]), descriptor(ends[1])};
}

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace contract
