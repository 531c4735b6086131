// SPDX-License-Identifier: Apache-2.0
// How near the kernels' versions come to what storage and link allow: to threads that only read or write, and to plain
// copies to the device.
#include <fcntl.h>
#include <unistd.h>

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>
#endif

#include "applications/programs.h"

namespace applications {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

// Seconds for which one thread writes a new file of so many bytes.
double seconds_of_writing(std::size_t bytes) {
  const files::path path = files::path(chosen.folder) / "written";
  const std::vector<char> piece(piece_bytes, 'x');
  const auto begin = measure::clock::now();
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool written = fd >= 0;
  for (std::size_t at = 0; written && at < bytes; at += piece_bytes)
    written = ::pwrite(fd, piece.data(), piece_bytes, static_cast<off_t>(at)) == static_cast<ssize_t>(piece_bytes);
  const double seconds = measure::seconds_since(begin);
  if (fd >= 0) ::close(fd);
  files::remove(path);
  if (!written) throw failure("cannot write " + path.string() + ": give another --folder, or fewer --gigabytes");
  return seconds;
}

// Of copies of pinned memory to the device, in GB/s. 0: there is no link.
double rate_of_link() {
#if defined(__CUDACC__)
  constexpr std::size_t bytes = std::size_t{256} << 20;
  constexpr unsigned times = 16;
  void *pinned = nullptr, *device = nullptr;
  bool copied = ::cudaMallocHost(&pinned, bytes) == cudaSuccess && ::cudaMalloc(&device, bytes) == cudaSuccess;
  const auto begin = measure::clock::now();
  for (unsigned i = 0; i < times; ++i)
    copied = copied && ::cudaMemcpy(device, pinned, bytes, cudaMemcpyHostToDevice) == cudaSuccess;
  const double seconds = measure::seconds_since(begin);
  (void)::cudaFree(device);
  (void)::cudaFreeHost(pinned);
  if (!copied) throw failure("no copies to the device: the link is not measured");
  return times * static_cast<double>(bytes) / seconds / 1e9;
#else
  return 0;
#endif
}

// A kernel's version, and what has to be done anyway.
struct limited {
  std::string application;
  std::vector<std::string> words;
  const char* limit;
  std::function<double()> least;  // its seconds
  numbers seconds, least_seconds;
};

}  // namespace

void limits(bench& all) {
  const std::size_t bytes = std::size_t{all.quick() ? 1 : chosen.gigabytes} << 30;
  std::vector<limited> each;
  for (const char* input : {"small", "large"}) {
    const auto reads = [words = wordcount_by(all, "reads", input)] { return run(words).counting; };
    const std::string of = std::string("_") + input;
    each.push_back({"grep" + of, grep_by_kernel(all, input), "reads", reads, {}, {}});
    each.push_back({"wordcount" + of, wordcount_by(all, "kernel", input), "reads", reads, {}, {}});
  }
  const auto writes = [bytes] { return seconds_of_writing(bytes); };
  each.push_back({"line_sort", line_sort_by_kernel(all), "writing", writes, {}, {}});
  for (const limited& one : each) (void)run(one.words);  // the first run also loads a program from disk
  numbers rates;
  for (unsigned i = 0; i < (all.quick() ? 1 : chosen.rounds); ++i) {
    rates.push_back(rate_of_link());
    for (limited& one : each) {
      one.least_seconds.push_back(one.least());
      one.seconds.push_back(run(one.words).counting);
    }
  }
  for (const limited& one : each) {
    const std::string name = "limit_" + one.application;
    all.keep(name + "_to_" + one.limit, "ratio", measure::ratios(one.seconds, one.least_seconds));
    all.keep(name + ", " + one.limit, "s", one.least_seconds);
    if (rates[0] == 0) continue;
    numbers over_link;  // how many times as long as the input takes across the link
    for (std::size_t i = 0; i < rates.size(); ++i)
      over_link.push_back(one.seconds[i] * rates[i] * 1e9 / static_cast<double>(bytes));
    all.keep(name + "_to_link", "ratio", over_link);
  }
  if (rates[0] != 0) all.keep("limit_link", "GB/s", rates);
}

}  // namespace applications
