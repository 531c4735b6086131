// SPDX-License-Identifier: Apache-2.0
// What the litmus programs share: their table, memory for both sides, CPU threads that serve, and a small world in
// which the library's own steps C1 to C6 run without a runtime. Each program checks on a real GPU what the protocol
// (genesys/detail/wire/protocol.h) assumes about the order in which memory changes.
//
// Rows named `weak` leave out a step of the protocol and count how often that has an effect; they never fail. No wait
// lasts for ever: kernels leave when their time is over, and finish() ends the world's service and then the program.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "genesys/detail/queue/submit.h"
#include "genesys/kernel.h"
#include "host/completion_writer.h"
#include "host/submission_queue.h"

namespace litmus {

using genesys::detail::u32;
using genesys::detail::u64;

// --- The table. Built and used by the main thread.

class report {
 public:
  // `patterns` is the number of rows that must() will get, so that the missing ones count as skipped.
  report(int argc, char** argv, int patterns) : left_(patterns) {
    for (int i = 1; i < argc; ++i) {
      if (std::strcmp(argv[i], "--full") == 0) {
        full_ = true;
      } else {
        std::fprintf(stderr, "usage: %s [--full]\n", argv[0]);
        std::exit(2);
      }
    }
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
  }

  bool full() const { return full_; }
  double seconds(double quick_s, double full_s) const { return full_ ? full_s : quick_s; }

  void must(const std::string& pattern, u64 checked, u64 violations, bool in_time = true,
            const std::string& note = "") {
    const bool good = in_time && checked != 0 && violations == 0;
    row(good ? "pass" : "FAIL", pattern, checked, violations, in_time ? note : note + " not in time");
    ++(good ? passed_ : failed_);
    --left_;
  }
  void weak(const std::string& pattern, u64 checked, u64 seen, const std::string& note = "") {
    row("weak", pattern, checked, seen, note);
  }

  // The exit status.
  int end() const {
    if (left_ != 0) {
      std::printf("%d passed, %d failed, %d skipped\n", passed_, failed_, left_);
    } else {
      std::printf("%d passed, %d failed\n", passed_, failed_);
    }
    return failed_ == 0 ? 0 : 1;
  }

 private:
  void row(const char* kind, const std::string& pattern, u64 checked, u64 seen, const std::string& note) {
    if (!headed_) std::printf("%-4s  %-58s %14s %10s\n", "", "pattern", "checked", "seen");
    headed_ = true;
    std::printf("%-4s  %-58s %14llu %10llu  %s\n", kind, pattern.c_str(), static_cast<unsigned long long>(checked),
                static_cast<unsigned long long>(seen), note.c_str());
  }

  bool full_ = false, headed_ = false;
  int left_, passed_ = 0, failed_ = 0;
};

#if defined(__CUDACC__)

using namespace genesys::detail;
using genesys::atomic;
using genesys::block_rank;
using genesys::lane;
using genesys::sync_block;
using genesys::thread_rank;
using genesys::thread_scope;
using genesys::threads_in_block;

inline bool has_gpu() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

inline void must_succeed(cudaError_t said) {
  if (said == cudaSuccess) return;
  std::printf("FAIL  CUDA: %s\n0 passed, 1 failed\n", cudaGetErrorString(said));
  std::_Exit(1);
}

inline double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A hash in which every bit of the argument counts: a mix of two hashes is neither of them.
GENESYS_KERNEL u64 mix(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// --- Memory, zeroed. Made and freed while no kernel runs.

template <class T>
class pinned {  // both sides address it
 public:
  explicit pinned(std::size_t count) {
    must_succeed(cudaHostAlloc(&at_, count * sizeof(T), cudaHostAllocMapped | cudaHostAllocPortable));
    std::memset(static_cast<void*>(at_), 0, count * sizeof(T));
  }
  ~pinned() { (void)cudaFreeHost(at_); }
  pinned(const pinned&) = delete;
  T* at() const { return at_; }

 private:
  T* at_ = nullptr;
};

template <class T>
class on_device {
 public:
  explicit on_device(std::size_t count) {
    must_succeed(cudaMalloc(&at_, count * sizeof(T)));
    must_succeed(cudaMemset(at_, 0, count * sizeof(T)));
    must_succeed(cudaDeviceSynchronize());
  }
  ~on_device() { (void)cudaFree(at_); }
  on_device(const on_device&) = delete;
  T* at() const { return at_; }
  T read() const {
    T value;
    must_succeed(cudaMemcpy(&value, at_, sizeof value, cudaMemcpyDeviceToHost));
    return value;
  }
  void write(const T* values, std::size_t count) {
    must_succeed(cudaMemcpy(at_, values, count * sizeof(T), cudaMemcpyHostToDevice));
  }

 private:
  T* at_ = nullptr;
};

// What a kernel counts, in device memory.
struct tally {
  u64 checked, violations, cancelled;
  u64 got, wanted;  // of the first violation
};

__device__ inline void violation(tally* t, u64 got, u64 wanted) {
  if (atomic<u64>(t->violations).fetch_add(1, order::relaxed) == 0) t->got = got, t->wanted = wanted;
}
__device__ inline bool any_violation(tally* t) { return atomic<u64>(t->violations).load(order::relaxed) != 0; }
__device__ inline void add(u64& counter, u64 n) { atomic<u64>(counter).fetch_add(n, order::relaxed); }

inline std::string first_of(const tally& t) {
  if (t.violations == 0) return "";
  char text[80];
  std::snprintf(text, sizeof text, "first: %016llx for %016llx", static_cast<unsigned long long>(t.got),
                static_cast<unsigned long long>(t.wanted));
  return text;
}

// Loads and stores with no order and no scope, as copies make them. Use the loaded values, since the assembler drops
// unused loads.
__device__ inline u64 plain_load(const u64* at) {
  u64 value;
  asm volatile("ld.global.b64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
  return value;
}
__device__ inline void plain_store(u64* at, u64 value) {
  asm volatile("st.global.b64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}

// --- CPU threads that repeat a step until they are stopped.

class crew {
 public:
  template <class Step>
  void add(Step step) {
    threads_.emplace_back([this, step]() mutable {
      while (!stop_.load(std::memory_order_relaxed)) step();
    });
  }
  void stop() {
    stop_ = true;
    for (std::thread& t : threads_) t.join();
    threads_.clear();
  }
  ~crew() { stop(); }

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

inline u32 servers_max() {
  const u32 cpus = std::thread::hardware_concurrency();
  return cpus < 4 ? 1 : cpus < 12 ? 2 : 8;
}

// --- The protocol's memory, without a runtime.

class world {
 public:
  world(u32 slots_log2, u32 queues, u32 groups)
      : slots_(std::size_t{queues} << slots_log2),
        heads_(queues),
        completions_(groups * slots_in_group),
        extra_(groups * slots_in_group),
        lines_(groups * slots_in_group),
        ended_(1),
        producers_(queues),
        groups_(groups),
        first_looks_(groups * first_look_kinds) {
    at.version = layout_version;
    at.slots_log2 = slots_log2;
    at.queues = queues;
    at.groups = groups;
    at.slots = slots_.at();
    at.published_heads = heads_.at();
    at.completion_slots = completions_.at();
    at.extras = extra_.at();
    at.lines = lines_.at();
    at.ended = ended_.at();
    at.producers = producers_.at();
    at.claims = groups_.at();
    at.first_looks = first_looks_.at();
  }

  void end_service() {
    std::atomic_ref<u32>(*at.ended).store(1, std::memory_order_release);
  }  // pairs with runtime_ended

  device_context at{};

 private:
  pinned<request_slot> slots_;
  pinned<published_head_line> heads_;
  pinned<completion_slot> completions_;
  pinned<completion_extra> extra_;
  pinned<completion_line> lines_;
  pinned<u32> ended_;
  on_device<producer_state> producers_;
  on_device<u64> groups_;
  on_device<u32> first_looks_;
};

// Waits for the kernel just launched. After `limit_s` the world's service ends, and with it all waits in the library's
// steps. If the kernel is still there 10 s later, the program ends. Returns false if the kernel was not in time.
inline bool finish(double limit_s, world* w = nullptr) {
  must_succeed(cudaGetLastError());
  const double begin = now_s();
  bool in_time = true;
  for (;;) {
    const cudaError_t said = cudaStreamQuery(nullptr);
    if (said == cudaSuccess) return in_time;
    if (said != cudaErrorNotReady) must_succeed(said);
    const double passed = now_s() - begin;
    if (passed > limit_s && in_time) {
      in_time = false;
      if (w != nullptr) w->end_service();
    }
    if (passed > limit_s + 10) {
      std::printf("FAIL  a kernel does not end\n0 passed, 1 failed\n");
      std::_Exit(1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// --- Calls by a thread with its own slot and completion slot: it claims and shares nothing.

struct mailbox {
  u32 id;         // its slot in queue 0, and its completion slot
  u64 calls = 0;  // made so far
};

__device__ inline bool was_cancelled(u64 word) {
  return word == queue::never_completed || completion_value(word) == -ECANCELED;
}

// C4, in the thread's own slot.
template <bool quiet>
__device__ void send(const device_context& a, mailbox& box, request& r) {
  queue::publish<quiet>(a, r, {(box.calls << a.slots_log2) + box.id, 0});
  ++box.calls;
}

// Returns the completion's word.
template <bool quiet>
__device__ u64 ask(const device_context& a, mailbox& box, request& r) {
  r.completion_slot = box.id;
  r.phase = static_cast<u32>(box.calls + 1) & 1;
  send<quiet>(a, box, r);
  return queue::wait_for_completion(a, r.completion_slot, r.phase, lanes_together(a)).word;
}

// The serving side of mailboxes first, first + step, ... below `count`. One thread owns it.
class inbox {
 public:
  inbox(const device_context& a, u32 first, u32 step, u32 count) : a_(a), first_(first), step_(step), taken_(count) {}

  // Polls each mailbox once; `serve(id, request)` writes the completion.
  template <class Serve>
  void look(Serve& serve) {
    for (u32 id = first_; id < taken_.size(); id += step_) {
      const u64 tag = tag_of((taken_[id] << a_.slots_log2) + id, a_.slots_log2);
      request r;
      if (!read_request(a_.slots[id], tag, r)) continue;
      ++taken_[id];
      serve(id, r);
    }
  }

 private:
  device_context a_;
  u32 first_, step_;
  std::vector<u64> taken_;
};

// Shares the mailboxes out among threads of the crew. Each thread has its own copy of `serve`.
template <class Serve>
void serve_mailboxes(crew& c, const device_context& a, u32 count, Serve serve) {
  const u32 servers = servers_max();
  for (u32 s = 0; s < servers; ++s) {
    c.add([in = inbox(a, s, servers, count), serve]() mutable { in.look(serve); });
  }
}

#else
inline bool has_gpu() { return false; }
#endif

}  // namespace litmus
