// SPDX-License-Identifier: Apache-2.0
// The daemon of the Linux module kgpu (linux/kgpu/): it takes requests of Linux's crypto API from /dev/kgpu, has them
// computed, and gives them back. serve_kgpu() is called by a program's main thread, and starts threads of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace genesys::detail::services {

// One request of xts(aes).
struct kgpu_work {
  std::span<std::byte> data;       // replaced by the result: a multiple of 16 bytes, at most 64 KiB, aligned to 4,096
  std::span<const std::byte> key;  // both halves: 32 or 64 bytes
  std::uint64_t key_number;        // one number is one key
  bool encrypts;
  std::array<std::byte, 16> iv;
  bool done = false;  // to be set if `data` is the result. If not, Linux's own cipher computes it from its own copy
};

// Computes some requests. Called by several threads at once. What it throws ends the daemon.
using kgpu_cipher = std::function<void(std::span<kgpu_work>)>;

struct kgpu_options {
  const char* path = "/dev/kgpu";
  unsigned threads = 2;   // that call the cipher
  unsigned batch = 32;    // requests that a call gets at most
  unsigned spin_us = 50;  // a thread looks for requests so long, and then sleeps
};

// Linux may need the daemon to free memory, so the daemon must not wait for memory itself: this locks what the process
// has and will have (mlockall), and makes the calling thread, and those that it starts from now on, I/O flushers
// (PR_SET_IO_FLUSHER). The process makes no core dumps. So call it first, before a service_server starts its threads.
// Throws error(system).
void prepare_for_kgpu();

// Serves until `stop` is readable (an eventfd, a signalfd or a pipe). `mapped` is called once before the first request,
// with the memory that holds the data of all requests; what it returns is kept as long as that memory, such as a
// registration with the GPU. `admitted` is called when Linux has checked the daemon. Either may be empty. Throws
// error(system): the device cannot be opened or is another daemon's, or an answer was wrong. It throws what `cipher`
// throws, too. After an exception the device stays open until the process ends, which it should do soon.
void serve_kgpu(const kgpu_options& options, int stop, const kgpu_cipher& cipher,
                const std::function<std::shared_ptr<void>(std::span<std::byte>)>& mapped = {},
                const std::function<void()>& admitted = {});

}  // namespace genesys::detail::services
