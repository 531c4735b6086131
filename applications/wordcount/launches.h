// SPDX-License-Identifier: Apache-2.0
// The version without system calls from kernels: threads of the CPU read files into pinned memory, many small ones
// together, copy them to the GPU and launch a kernel for each buffer. Each thread has a stream and two buffers, so that
// it reads while the GPU copies and counts. It reads regular files only. CUDA only.
#pragma once

#include <cuda_runtime.h>
#include <omp.h>

#include <stdexcept>

#include "cpu_team.h"

namespace wordcount::launches {

inline void check(cudaError_t returned) {
  if (returned != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(returned));
}

constexpr u32 buffer_bytes = segment_bytes + longest_max + 16;

struct buffer_part {
  u32 first, decided, filled;
};

__global__ void count_buffer(words wanted, const unsigned char* data, buffer_part part, u64* counts) {
  for (u32 at = part.first + blockIdx.x * blockDim.x + threadIdx.x; at < part.decided; at += gridDim.x * blockDim.x) {
    if (!may_begin(wanted.pair_bits, data, at, part.filled, false)) continue;
    const u32 word = find_word(wanted, data + at, data + part.filled);
    if (word != no_word) atomicAdd(reinterpret_cast<unsigned long long*>(counts + word), 1ull);
  }
}

struct buffer {
  unsigned char *host = nullptr, *device = nullptr;
  cudaEvent_t is_free = nullptr;
  buffer_part part{0, 0, 0};
};

// What a thread of the CPU has: takes parts as a cpu_team does, but reads them whole.
class loader {
 public:
  loader(const words& on_device, const work& all, u64* counts) : wanted_(on_device), all_(all), counts_(counts) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (buffer& each : buffers_) {
      check(cudaHostAlloc(reinterpret_cast<void**>(&each.host), buffer_bytes, cudaHostAllocDefault));
      check(cudaMalloc(reinterpret_cast<void**>(&each.device), buffer_bytes));
      check(cudaEventCreateWithFlags(&each.is_free, cudaEventDisableTiming));
    }
  }
  ~loader() {
    genesys::atomic<u64>(all_.state->bytes).fetch_add(bytes_, order::relaxed);
    for (buffer& each : buffers_) {
      (void)cudaEventDestroy(each.is_free);
      (void)cudaFree(each.device);
      (void)cudaFreeHost(each.host);
    }
    (void)cudaStreamDestroy(stream_);
  }
  loader(const loader&) = delete;
  loader& operator=(const loader&) = delete;

  void load_all() {
    part taken;
    while (take_part(all_, taken)) {
      u64 size = 0;
      const int fd = taken.of != nullptr ? static_cast<int>(taken.of->fd) : open(taken, size);
      if (fd < 0) continue;
      if (const long error = load(fd, taken, size); error < 0) complain(all_, taken.file, error);
      if (taken.of == nullptr || is_last_segment(taken)) ::close(fd);
    }
    flush();
    check(cudaStreamSynchronize(stream_));
  }

 private:
  buffer& now() { return buffers_[turn_]; }

  // O_NONBLOCK: a pipe is refused at once, before something writes to it.
  int open(part& taken, u64& size) {
    const int fd = ::open(all_.names + all_.starts[taken.file], O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    struct stat status {};
    const long error = fd < 0 || ::fstat(fd, &status) != 0 ? -errno : S_ISDIR(status.st_mode) ? -EISDIR : 0;
    const bool is_good = error == 0 && S_ISREG(status.st_mode);
    if (is_good) size = static_cast<u64>(status.st_size);
    if (size > segment_bytes) taken = share(all_, taken.file, fd, size);
    note_opened(all_);
    if (error < 0)
      complain(all_, taken.file, error);
    else if (!is_good)
      complain(all_, taken.file, "--by launches reads regular files only");
    if (!is_good && fd >= 0) ::close(fd);
    return is_good ? fd : -1;
  }

  // A segment has a buffer of its own. Other files follow each other, with a NUL between them.
  long load(int fd, const part& taken, u64 size) {
    if (taken.of != nullptr) {
      flush();
      const u64 begin = taken.segment * segment_bytes, from = begin == 0 ? 0 : begin - 1;
      const u64 wanted = segment_bytes + (begin - from) + wanted_.longest + 1;
      const long bytes = read(fd, now().host, wanted, from, no_end);
      if (bytes < 0) return bytes;
      const u32 filled = static_cast<u32>(bytes);
      const bool is_last = taken.segment + 1 == segments_of(taken.of->size);
      const u32 decided = static_cast<u32>(segment_bytes + (begin - from));
      now().part = {begin == 0 ? 0u : 1u, is_last || filled < decided ? filled : decided, filled};
      flush();
      return 0;
    }
    for (u64 offset = 0;;) {
      buffer_part& part = now().part;
      const u32 space = buffer_bytes - 1 - part.filled;
      const long bytes = read(fd, now().host + part.filled, space, offset, size);
      if (bytes < 0) return bytes;
      if (static_cast<u32>(bytes) == space && part.filled > 0) {  // it does not fit behind the others
        flush();
        continue;
      }
      if (static_cast<u32>(bytes) == space) return -EFBIG;  // a file of /proc, or one that grows: it may go on
      part.filled += static_cast<u32>(bytes);
      now().host[part.filled++] = 0;
      part.decided = part.filled;
      return 0;
    }
  }
  // Up to the size of a regular file no other read is needed to see the end.
  long read(int fd, unsigned char* into, u64 bytes, u64 at, u64 size) {
    u64 done = 0;
    while (done < bytes && (done == 0 || at + done != size)) {
      const ssize_t n = ::pread(fd, into + done, bytes - done, static_cast<off_t>(at + done));
      if (n < 0) return -errno;
      if (n == 0) break;
      done += static_cast<u64>(n);
    }
    bytes_ += done;
    return static_cast<long>(done);
  }

  void flush() {
    buffer& full = now();
    if (full.part.filled == 0) return;
    check(cudaMemcpyAsync(full.device, full.host, full.part.filled, cudaMemcpyHostToDevice, stream_));
    const u32 blocks = full.part.filled / 4096 + 1;
    words wanted = wanted_;
    const unsigned char* data = full.device;
    void* arguments[] = {&wanted, &data, &full.part, &counts_};
    check(cudaLaunchKernel(count_buffer, blocks < 264 ? blocks : 264, 256, arguments, 0, stream_));
    check(cudaEventRecord(full.is_free, stream_));
    turn_ = 1 - turn_;
    check(cudaEventSynchronize(now().is_free));
    now().part = {0, 0, 0};
  }

  const words& wanted_;
  const work& all_;
  u64* counts_;
  cudaStream_t stream_ = nullptr;
  buffer buffers_[2];
  int turn_ = 0;
  u64 bytes_ = 0;
};

// `on_device`: the words, and the counts in device memory.
inline void count(const words& on_device, const work& all, u64* counts, unsigned threads) {
  std::string wrong;
#pragma omp parallel num_threads(threads != 0 ? static_cast <int>(threads) : omp_get_num_procs())
  try {
    loader one(on_device, all, counts);
    one.load_all();
  } catch (const std::exception& error) {
#pragma omp critical
    wrong = error.what();
  }
  if (!wrong.empty()) throw std::runtime_error(wrong);
}

}  // namespace wordcount::launches
