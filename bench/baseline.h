// SPDX-License-Identifier: Apache-2.0
// What benches measure beside genesys, and how: the ping-pong (the floor of a call), native threads that do the same,
// a file in Linux's page cache, times by the kernel's own clock, answers that must not be wrong. Every wait in here is
// bounded, and run() ends a bench whose kernels wait for ever.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "genesys/genesys.h"
#include "support/measure.h"

namespace baseline {

// A bench's main().
inline int run(measure::bench& all, int argc, char** argv) {
  static constexpr char late[] = "\nnot ended after five minutes: given up\n";
  std::signal(SIGALRM, [](int) {
    if (::write(2, late, sizeof late - 1) < 0) ::_exit(2);
    ::_exit(1);
  });
  ::alarm(300);
  return all.main(argc, argv);
}

// How many times wrong, in device memory, for kernels to count.
class wrongs {
 public:
  explicit wrongs(genesys::runtime& rt)
      : rt_(rt), count_(static_cast<unsigned*>(rt.allocate_device(sizeof(unsigned)))) {
    rt.fill_device(count_, 0, sizeof(unsigned));
  }
  ~wrongs() { rt_.free_device(count_); }
  wrongs(const wrongs&) = delete;
  wrongs& operator=(const wrongs&) = delete;

  unsigned* on_device() const { return count_; }
  // Throws if there are any.
  void none(const char* what = "wrong answers") const {
    unsigned count = 0;
    rt_.copy_to_host(&count, count_, sizeof count);
    if (count != 0) throw measure::failure(std::to_string(count) + " " + what);
  }

 private:
  genesys::runtime& rt_;
  unsigned* count_;
};

GENESYS_KERNEL void wrong(unsigned* count) { genesys::atomic<unsigned>(*count).fetch_add(1); }

// --- Times by the kernel's own clock: of a GPU its multiprocessor's cycles, of the CPU device nanoseconds.

GENESYS_KERNEL std::uint64_t ticks() {
#if GENESYS_ON_CUDA
  return static_cast<std::uint64_t>(clock64());
#else
  return genesys::clock_ns();
#endif
}

// How long a tick is, by the time from here to keep().
struct tick_length {
  std::uint64_t since_ns = genesys::clock_ns(), since = ticks();
  GENESYS_KERNEL tick_length() {}
  GENESYS_KERNEL void keep(std::uint64_t* at) const {
    at[0] = ticks() - since;
    at[1] = genesys::clock_ns() - since_ns;
  }
};

// Times what(0), what(1), ...; ends early when one says false. `took` is that of a `times` of this count.
template <class What>
GENESYS_KERNEL void time_each(std::uint64_t* took, unsigned count, const What& what) {
  const tick_length length;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t begin = ticks();
    if (!what(i)) return;
    took[i] = ticks() - begin;
  }
  length.keep(took + count);
}

// Device memory for `count` times, in ticks, and behind them how long a tick is.
class times {
 public:
  times(genesys::runtime& rt, unsigned count)
      : rt_(rt), count_(count), took_(static_cast<std::uint64_t*>(rt.allocate_device((count + 2) * 8ul))) {
    clear();
  }
  ~times() { rt_.free_device(took_); }
  times(const times&) = delete;
  times& operator=(const times&) = delete;

  std::uint64_t* on_device() const { return took_; }
  void clear() { rt_.fill_device(took_, 0, (count_ + 2) * 8ul); }
  measure::numbers us() const {
    std::vector<std::uint64_t> took(count_ + 2);
    rt_.copy_to_host(took.data(), took_, took.size() * 8);
    if (took[count_] == 0) throw measure::failure("a kernel gave up");
    const double us_a_tick = double(took[count_ + 1]) / double(took[count_]) / 1e3;
    measure::numbers us;
    for (unsigned i = 0; i < count_; ++i) us.push_back(double(took[i]) * us_a_tick);
    return us;
  }

 private:
  genesys::runtime& rt_;
  unsigned count_;
  std::uint64_t* took_;
};

// --- The floor: a number is stored (release) where the other side polls (acquire), which stores it where this polls.

struct alignas(128) flag {
  unsigned value;
};

constexpr unsigned polls_max = 1u << 22;  // seconds

template <bool timed>
struct ping {
  // The trips are numbered from `number`.
  GENESYS_KERNEL void operator()(genesys::os, flag* there, flag* back, unsigned number, unsigned trips,
                                 std::uint64_t* took, unsigned* lost) const {
    const genesys::atomic<unsigned, genesys::thread_scope::system> request(there->value), reply(back->value);
    const auto trip = [&](unsigned i) {
      request.store(number + i, std::memory_order_release);
      for (unsigned polls = 0; reply.load(std::memory_order_acquire) != number + i; ++polls) {
        if (polls == polls_max) return wrong(lost), false;
#if !GENESYS_ON_CUDA
        ::sched_yield();  // genesys::pause() would sleep after a while
#endif
      }
      return true;
    };
    if constexpr (timed) {
      time_each(took, trips, trip);
    } else {
      for (unsigned i = 0; i < trips && trip(i); ++i) {
      }
    }
  }
};

class ping_pong {
 public:
  explicit ping_pong(genesys::runtime& rt)
      : rt_(rt), flags_(static_cast<flag*>(rt.allocate_arena(2 * sizeof(flag)))), lost_(rt) {
    flags_[0].value = flags_[1].value = 0;
  }
  ~ping_pong() { rt_.free_arena(flags_); }
  ping_pong(const ping_pong&) = delete;
  ping_pong& operator=(const ping_pong&) = delete;

  // One kernel of one thread, launched as any other: the workers are about as they are for a call. With `took`, each
  // trip is timed there.
  void operator()(unsigned trips, const times* took = nullptr) {
    std::jthread server([this, yields = rt_.kind() == genesys::device_kind::cpu](const std::stop_token& stop) {
      const std::atomic_ref<unsigned> request(flags_[0].value), reply(flags_[1].value);
      for (unsigned seen = reply.load(), now, polls = 0;;) {
        if ((now = request.load(std::memory_order_acquire)) != seen) {
          reply.store(seen = now, std::memory_order_release);
        } else if (yields) {
          ::sched_yield();
        }
        if (++polls % 1024 == 0 && stop.stop_requested()) return;
      }
    });
    const unsigned first = number_ + 1;
    number_ += trips;
    if (took != nullptr) {
      genesys::launch(rt_, {}, ping<true>{}, &flags_[0], &flags_[1], first, trips, took->on_device(), lost_.on_device())
          .drain();
    } else {
      genesys::launch(rt_, {}, ping<false>{}, &flags_[0], &flags_[1], first, trips,
                      static_cast<std::uint64_t*>(nullptr), lost_.on_device())
          .drain();
    }
    lost_.none("ping-pongs had no answer");
  }

 private:
  genesys::runtime& rt_;
  flag* flags_;
  wrongs lost_;
  unsigned number_ = 0;
};

// --- Native threads.

// How many workers the shared runtime has. To be asked before the first calls, which may bring more threads.
inline unsigned workers(measure::bench& all) {
  static const unsigned count = all.runtime().stats().workers;
  return count;
}

// They all do the same at the same time; between two runs they sleep.
class native_threads {
 public:
  explicit native_threads(unsigned count) : meet_(count + 1), failed_(0) {
    for (unsigned rank = 0; rank < count; ++rank) {
      all_.emplace_back([this, rank] {
        for (;;) {
          meet_.arrive_and_wait();
          if (!what_) return;
          if (!what_(rank)) failed_.fetch_add(1);
          meet_.arrive_and_wait();
        }
      });
    }
  }
  ~native_threads() {
    what_ = nullptr;
    meet_.arrive_and_wait();
  }
  native_threads(const native_threads&) = delete;
  native_threads& operator=(const native_threads&) = delete;

  unsigned count() const { return static_cast<unsigned>(all_.size()); }
  // Each thread's `what` is told its rank, and says whether its answers were right.
  void operator()(std::function<bool(unsigned)> what) {
    what_ = std::move(what);
    meet_.arrive_and_wait();
    meet_.arrive_and_wait();
    if (failed_.load() != 0) throw measure::failure("native calls gave wrong answers");
  }

 private:
  std::barrier<> meet_;
  std::function<bool(unsigned)> what_;
  std::atomic<unsigned> failed_;
  std::vector<std::jthread> all_;
};

// getppid by Linux itself, `calls` times; whether all answers were right.
inline bool ask_natively(unsigned calls) {
  const long parent = ::getppid();
  bool right = true;
  for (unsigned i = 0; i < calls; ++i) right &= ::syscall(SYS_getppid) == parent;
  return right;
}

// --- A file that is in Linux's page cache, and has no name any more. Word i of it is word_of(i).

using word = std::uint64_t;
GENESYS_KERNEL constexpr word word_of(std::uint64_t i) { return (i + 1) * 0x9e3779b97f4a7c15u; }

class cached_file {
 public:
  // Throws if it cannot be made. `bytes` is a multiple of 1 MiB.
  cached_file(const std::string& folder, std::uint64_t bytes, int flags = 0) {
    const std::string name = folder + "/genesys-bench-" + std::to_string(::getpid());
    fd_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | flags, 0600);
    if (fd_ < 0 || ::unlink(name.c_str()) != 0) throw measure::failure("cannot make a file in " + folder);
    fill(bytes, folder);
  }
  // In the kernel's own tmpfs.
  explicit cached_file(std::uint64_t bytes) : fd_(::memfd_create("genesys-bench", MFD_CLOEXEC)) {
    if (fd_ < 0) throw measure::failure("no file in tmpfs: memfd_create failed");
    fill(bytes, "tmpfs");
  }
  ~cached_file() { ::close(fd_); }
  cached_file(const cached_file&) = delete;
  cached_file& operator=(const cached_file&) = delete;

  int fd() const { return fd_; }

 private:
  void fill(std::uint64_t bytes, const std::string& folder) {
    std::vector<word> content((1u << 20) / sizeof(word));
    for (std::uint64_t at = 0; at < bytes; at += 1u << 20) {
      for (std::size_t i = 0; i < content.size(); ++i) content[i] = word_of(at / sizeof(word) + i);
      if (::write(fd_, content.data(), 1u << 20) != 1 << 20) throw measure::failure("cannot fill a file in " + folder);
    }
  }

  int fd_;
};

}  // namespace baseline
