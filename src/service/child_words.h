// SPDX-License-Identifier: Apache-2.0
// What a server and the child process that is its GPU's side say to each other, in shared memory that no kernel knows.
// The server's side is child_launcher.h, the child's side child.cpp. Each word has one writer. A process that waits for
// a word of the other sleeps on a futex.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <ctime>

#include "genesys/detail/wire/service.h"

namespace genesys::detail::services {

constexpr u32 child_memory_max = 256;  // ranges that the child registers with its device
constexpr u32 child_text_bytes = 1024, kernel_name_bytes = 4096;
constexpr u32 child_requests_max = 16;  // that have launches of their own, and that the child has not launched yet

enum class image_command : u32 { swap, swap_back };
struct child_image {
  i64 fd;  // the server's descriptor of a kernel_image as bytes
  u64 bytes;
};

struct child_memory {
  u64 begin, bytes;  // 0 bytes: none
  i64 fd;            // the server's descriptor, if the child must map it there first; -1: it is mapped
};

struct child_words {
  // By the server. `commands` counts what it has asked for, and is the futex of the child.
  alignas(128) u32 commands;
  u32 launch;                                      // the launch that it wants; launches are in their order
  u32 server;                                      // its process
  u32 memory_asked;                                // counts changes of `memory`, of one entry each
  u32 memory_index;                                // which entry the last one changed
  u32 chosen_kind, chosen_blocks, chosen_threads;  // by the first child, for the others; 0 at first
  u32 image_asked;                                 // counts what it has asked for other kernels
  u32 image_command;                               // the last one
  u32 image_wait_ms;                               // of swap
  child_image image_next, image_now;               // to swap in; what a child begins with, if it has bytes
  child_memory memory[child_memory_max];
  u32 requests_asked;                           // counts requests that are to be launched
  launch_context requests[child_requests_max];  // number n in n % child_requests_max, without its pointers

  // By the child. `replies` counts its replies, and is the futex of the server.
  alignas(128) u32 replies;
  u32 child;          // the number of the child that wrote what follows
  u32 ready;          // this child serves
  u32 failed;         // why it does not: 1 + error_code; `text` says it in words
  u32 ended;          // the last launch whose end it has seen
  u32 requests_done;  // how many of them it has launched
  u32 memory_done;    // changes of `memory` that it has made
  int memory_result;  // of the last one: 0 or -errno
  u32 kind;           // a device_kind
  u32 blocks, threads;
  char text[child_text_bytes];  // of describe(), or of the error
  u32 image_done;               // what it has done of image_asked
  u32 image_failed;             // why not: 1 + error_code; 0: it has
  char image_text[child_text_bytes];
  u32 architecture;                     // of a link_target, as the next one
  char kernel_name[kernel_name_bytes];  // empty: the program runs no loaded services, or not on a GPU
};

using child_word = std::atomic_ref<u32>;

// Sleeps until another process has changed the word from `seen`, or the time is over. It may return early.
inline void wait_for_change(u32& word, u32 seen, u32 timeout_ms) {
  const timespec limit{timeout_ms / 1000, static_cast<long>(timeout_ms % 1000) * 1'000'000};
  (void)::syscall(SYS_futex, &word, FUTEX_WAIT, seen, timeout_ms == 0 ? nullptr : &limit, nullptr, 0);
}
// Pairs with wait_for_change(): what this process stored before is visible to the other.
inline void count_and_wake(u32& word) {
  child_word(word).fetch_add(1, std::memory_order_seq_cst);
  (void)::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace genesys::detail::services
