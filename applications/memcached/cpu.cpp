// SPDX-License-Identifier: Apache-2.0
#include "cpu.h"

#include <cstring>
#include <thread>

#include "support/thread_calls.h"
#include "support/threads.h"

namespace memcached {
namespace {

using application::thread_calls;

// One thread of the CPU.
struct thread_memory {
  datagrams<thread_calls> messages;
  u8* replies;
};

struct thread_team : thread_memory {
  static constexpr u32 rank() { return 0; }
  static constexpr u32 size() { return 1; }
  static constexpr bool is_first() { return true; }
  static void sync() {}
  static bool agrees(bool first_says) { return first_says; }
  static void relax() { std::this_thread::yield(); }
  static void copy(u8* into, const u8* from, u32 bytes) { std::memcpy(into, from, bytes); }
  static const u8* to_parse(const u8* datagram, u32) { return datagram; }
  static u32 next_tag(const u32* tags, u32 from, u32 depth, u32 tag) {
    while (from < depth && tags[from] != tag) ++from;
    return from;
  }
  static u64 least(u64 number) { return number; }
  long receive(u8* into) const { return messages.receive(into); }
  u8* space() const { return replies; }
  void send(const u8* data, u32 bytes) const { messages.send(data, bytes); }
};

// The compiler makes vector instructions of the inner loop, the widest that the CPU has.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
[[gnu::target_clones("avx512f", "avx2", "default")]]
#endif
u32 next_tag_by_vectors(const u32* tags, u32 from, u32 depth, u32 tag) {
  constexpr u32 at_a_time = 64;
  for (; from + at_a_time <= depth; from += at_a_time) {
    u32 any = 0;
    for (u32 i = 0; i < at_a_time; ++i) any |= tags[from + i] == tag ? 1u : 0u;
    if (any != 0) break;
  }
  while (from < depth && tags[from] != tag) ++from;
  return from;
}

struct vector_team : thread_team {
  static u32 next_tag(const u32* tags, u32 from, u32 depth, u32 tag) {
    return next_tag_by_vectors(tags, from, depth, tag);
  }
};

template <class Team>
void serve_one(const task& t, u32 number) {
  server_memory mine{};
  const thread_calls by;
  serve(Team{{datagrams_of(by, t, number), replies_of(t, number)}}, t, number, mine);
}

}  // namespace

void serve_by_cpu(const task& t, u32 servers, bool with_vectors, const std::function<void()>& wait,
                  const std::function<void()>& end) {
  const auto serve = [&t, with_vectors](u32 i) {
    with_vectors ? serve_one<vector_team>(t, i) : serve_one<thread_team>(t, i);
  };
  application::thread_group threads(servers, serve, end);
  wait();
  end();
  threads.join();
}

}  // namespace memcached
