// SPDX-License-Identifier: Apache-2.0
// What the tests of mapped memory share: constants and helpers for kernels that map, a counter on which kernel and host
// meet, and what Linux reports of the process's memory.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <fstream>

#include "contract.h"

namespace contract {

constexpr u64 page = 4096, piece = u64{2} << 20;
constexpr int both = PROT_READ | PROT_WRITE;
constexpr int new_memory = MAP_PRIVATE | MAP_ANONYMOUS;
constexpr int device_memory = new_memory | genesys::map_device;

GENESYS_KERNEL bool is_address(long value) { return value > 0; }
GENESYS_KERNEL u8* pointer(long value) { return reinterpret_cast<u8*>(value); }

// One thread of a kernel and the host wait for each other on a word that both address. The word only grows.
GENESYS_KERNEL void tell(u32* step, u32 value) {
  genesys::atomic<u32, genesys::thread_scope::system>(*step).store(value, std::memory_order_release);
}
GENESYS_KERNEL void wait_for(u32* step, u32 value) {
  const genesys::atomic<u32, genesys::thread_scope::system> seen(*step);
  while (seen.load(std::memory_order_acquire) < value) genesys::pause(1000);
}

// The threads of a block share the work: how many bytes or words differ from the pattern, or from zero.
GENESYS_KERNEL u32 wrong_bytes(const u8* from, u64 bytes, u64 salt) {
  u32 wrong = 0;
  for (u64 i = genesys::thread_rank(); i < bytes; i += genesys::threads_in_block())
    wrong += from[i] != pattern(i, salt);
  return wrong;
}
GENESYS_KERNEL u32 nonzero_words(const u8* from, u64 bytes) {
  u32 found = 0;
  const auto* words = reinterpret_cast<const u64*>(from);
  for (u64 i = genesys::thread_rank(); i < bytes / 8; i += genesys::threads_in_block()) found += words[i] != 0;
  return found;
}
GENESYS_KERNEL void fill_words(u8* to, u64 bytes, u64 value) {
  auto* words = reinterpret_cast<u64*>(to);
  for (u64 i = genesys::thread_rank(); i < bytes / 8; i += genesys::threads_in_block()) words[i] = value + i;
}
GENESYS_KERNEL u32 wrong_words(const u8* from, u64 bytes, u64 value) {
  u32 wrong = 0;
  const auto* words = reinterpret_cast<const u64*>(from);
  for (u64 i = genesys::thread_rank(); i < bytes / 8; i += genesys::threads_in_block()) wrong += words[i] != value + i;
  return wrong;
}

// The host's half of tell and wait_for.
class meeting {
 public:
  explicit meeting(runtime& rt) : rt_(rt), step_(rt, 1) { step_[0] = 0; }
  u32* get() const { return step_.get(); }
  void reach(u32 value) {
    if (!eventually([&] { return std::atomic_ref<u32>(step_[0]).load(std::memory_order_acquire) >= value; }))
      give_up(rt_, "the kernel has not come to step " + std::to_string(value));
  }
  void go_on(u32 value) { std::atomic_ref<u32>(step_[0]).store(value, std::memory_order_release); }

 private:
  runtime& rt_;
  in_arena<u32> step_;
};

// Tests of the shared runtime with files in a folder.
class MappedFile : public testing::Test {
 protected:
  runtime& rt = shared_runtime();
  folder in;
};

inline genesys::options small_options() { return {.workers = 2, .arena_bytes = 4u << 20, .bounce_bytes = 16u << 20}; }

// A file whose pages live in memory.
inline descriptor made_memory_file(const std::string& content) {
  descriptor file(::memfd_create("genesys-test", MFD_CLOEXEC));
  if (::pwrite(file.get(), content.data(), content.size(), 0) != static_cast<ssize_t>(content.size()))
    throw std::runtime_error("cannot write a test file");
  return file;
}

// How many lines of /proc/self/maps contain the name.
inline u32 mappings_of(const std::string& name) {
  std::ifstream maps("/proc/self/maps");
  u32 found = 0;
  for (std::string line; std::getline(maps, line);) found += line.find(name) != std::string::npos;
  return found;
}

// Whether Linux can read a byte at the address for this thread.
inline bool is_readable(long address) {
  const pipe_ends pipe = made_pipe();
  return ::write(pipe.in.get(), pointer(address), 1) == 1;
}

inline u64 resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  u64 all = 0, resident = 0;
  statm >> all >> resident;
  return resident * page;
}

}  // namespace contract
