// SPDX-License-Identifier: Apache-2.0
// A team of one thread of the CPU.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "worker.h"

namespace wordcount {

// Linux's calls, with results as a kernel gets them.
struct native_calls {
  static long result(long value) { return value < 0 ? -errno : value; }
  long openat(int directory, const char* path, int flags) const { return result(::openat(directory, path, flags)); }
  long fstat(int fd, struct stat* into) const { return result(::fstat(fd, into)); }
  long pread64(int fd, void* into, u64 bytes, long at) const { return result(::pread(fd, into, bytes, at)); }
  long read(int fd, void* into, u64 bytes) const { return result(::read(fd, into, bytes)); }
  long close(int fd) const { return result(::close(fd)); }
};

// A message about a file, from a thread of the CPU.
inline void complain(const work& all, u32 file, const char* what) {
  std::fprintf(stderr, "wordcount: %s: %s\n", all.names + all.starts[file], what);
  genesys::atomic<u32>(all.state->failed).store(1, order::relaxed);
}
inline void complain(const work& all, u32 file, long error) {
  complain(all, file, std::strerror(static_cast<int>(-error)));
}

class cpu_team {
 public:
  static constexpr u32 piece_bytes = 256 * 1024;  // in the second-level cache

  cpu_team(const words& wanted, const work& all)
      : wanted_(wanted), all_(all), data_(piece_bytes + 64), counts_(wanted.count) {}
  ~cpu_team() {
    for (u32 i = 0; i < counts_.size(); ++i) genesys::atomic<u64>(all_.counts[i]).fetch_add(counts_[i], order::relaxed);
    genesys::atomic<u64>(all_.state->bytes).fetch_add(bytes_, order::relaxed);
  }
  cpu_team(const cpu_team&) = delete;
  cpu_team& operator=(const cpu_team&) = delete;

  native_calls calls() const { return {}; }
  void close(int fd) const { (void)calls().close(fd); }
  u32 rank() const { return 0; }
  u32 size() const { return 1; }
  unsigned char* data() { return data_.data(); }
  struct stat& status() {
    return status_;
  }
  const u32* pair_bits() const { return wanted_.pair_bits; }
  void count(u32 word) { ++counts_[word]; }
  u64 begin_computing() const { return 0; }
  void end_computing(u64) const {}
  void note_read(u64 bytes) { bytes_ += bytes; }
  void move_to_front(u32 from, u32 bytes) { std::memmove(data(), data() + from, bytes); }
  bool take(const work& all, part& taken) { return take_part(all, taken); }
  void opened(const work& all, part& taken, int fd, u64 size) {
    if (size > segment_bytes) taken = share(all, taken.file, fd, size);
    note_opened(all);
  }
  bool is_done_with(const part& taken) { return taken.of == nullptr || is_last_segment(taken); }
  void complain(const work& all, u32 file, long error) { wordcount::complain(all, file, error); }

 private:
  const words& wanted_;
  const work& all_;
  std::vector<unsigned char> data_;
  std::vector<u64> counts_;
  struct stat status_ {};
  u64 bytes_ = 0;
};

}  // namespace wordcount
