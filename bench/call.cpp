// SPDX-License-Identifier: Apache-2.0
// What a call costs on a GPU, beside the floors that the machine sets, all in one process:
//   latency     blocking getppid from one thread, against a raw ping-pong through pinned memory
//   throughput  getppid from 8,448 lanes
//   staged      4 KiB from a file in memory into device memory by one thread and by one block: pread64, and readv of
//               four pieces, beside the native calls
//   payload     1 MiB pread64 by blocks of a page-cached 2 GiB file into device memory
//   policy      getppid at the peak under policy io and under all, by turns; beside it what a seccomp filter that lets
//               everything through costs native threads
// Prints a table, and the same as JSON with --json FILE. `--quick` does less of each, `--only PART` one of them.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "genesys/genesys.h"
#include "measure.h"

namespace {

using measure::clock;
using measure::median;
using measure::seconds_since;

void check(cudaError_t said) {
  if (said == cudaSuccess) return;
  std::fprintf(stderr, "call: %s\n", cudaGetErrorString(said));
  std::exit(1);
}

measure::figures figures;

// --- The floor: release store, acquire polls, one lane and one CPU thread.

struct alignas(128) flag {
  unsigned value;
};

__global__ void ping(flag* to_host, flag* to_device, unsigned trips) {
  const genesys::atomic<unsigned, genesys::reach::system> request(to_host->value), reply(to_device->value);
  for (unsigned i = 1; i <= trips; ++i) {
    request.store(i, std::memory_order_release);
    while (reply.load(std::memory_order_acquire) != i) {
    }
  }
}

double ping_pong_us(unsigned trips) {
  flag* flags;
  check(cudaHostAlloc(&flags, 2 * sizeof(flag), cudaHostAllocMapped));
  std::vector<double> rounds;
  for (int round = 0; round < 7; ++round) {
    std::memset(flags, 0, 2 * sizeof(flag));
    std::thread server([&] {
      for (unsigned i = 1; i <= trips; ++i) {
        while (__atomic_load_n(&flags[0].value, __ATOMIC_ACQUIRE) != i) {
        }
        __atomic_store_n(&flags[1].value, i, __ATOMIC_RELEASE);
      }
    });
    const auto begin = clock::now();
    ping<<<1, 1>>>(&flags[0], &flags[1], trips);
    check(cudaDeviceSynchronize());
    rounds.push_back(seconds_since(begin) / trips * 1e6);
    server.join();
  }
  check(cudaFreeHost(flags));
  return median(rounds);
}

// --- Latency and throughput of getppid.

struct ask_parent {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned calls, long parent, unsigned* wrong) const {
    for (unsigned i = 0; i < calls; ++i) {
      if (os.getppid() != parent) genesys::atomic<unsigned>(*wrong).fetch_add(1);
    }
  }
};

// The same through the untyped door: with a fence for what was written before.
struct ask_parent_plain {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned calls, long parent, unsigned* wrong) const {
    for (unsigned i = 0; i < calls; ++i) {
      if (os.syscall(SYS_getppid) != parent) genesys::atomic<unsigned>(*wrong).fetch_add(1);
    }
  }
};

struct ask_and_time {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned calls, long long* cycles) const {
#if defined(__CUDA_ARCH__)
    for (unsigned i = 0; i < calls; ++i) {
      const long long begin = clock64();
      os.getppid();
      cycles[i] = clock64() - begin;
    }
#else
    (void)os, (void)calls, (void)cycles;
#endif
  }
};

template <class Kernel>
double calls_per_second(genesys::runtime& rt, unsigned blocks, unsigned threads, unsigned calls, int rounds,
                        Kernel kernel) {
  auto* wrong = static_cast<unsigned*>(rt.allocate_device(sizeof(unsigned)));
  rt.fill_device(wrong, 0, sizeof(unsigned));
  const long parent = getppid();
  std::vector<double> rates;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = clock::now();
    genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, kernel, calls, parent, wrong).drain();
    rates.push_back(double(blocks) * threads * calls / seconds_since(begin));
  }
  unsigned count = 0;
  rt.copy_to_host(&count, wrong, sizeof count);
  if (count != 0) {
    std::fprintf(stderr, "call: %u wrong answers\n", count);
    std::exit(1);
  }
  rt.free_device(wrong);
  return median(rates);
}

void latency(genesys::runtime& rt, unsigned calls) {
  const double floor_us = ping_pong_us(calls);
  const double call_us = 1e6 / calls_per_second(rt, 1, 1, calls, 7, ask_parent{});
  const double plain_us = 1e6 / calls_per_second(rt, 1, 1, calls, 7, ask_parent_plain{});
  const double again_us = ping_pong_us(calls);
  auto* cycles = static_cast<long long*>(rt.allocate_device(calls * sizeof(long long)));
  genesys::launch(rt, {}, ask_and_time{}, calls, cycles).drain();
  std::vector<long long> each(calls);
  rt.copy_to_host(each.data(), cycles, calls * sizeof(long long));
  rt.free_device(cycles);
  std::sort(each.begin(), each.end());
  int khz = 0;
  check(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  const double us = 1e3 / khz;
  std::printf("latency     ping-pong %.2f us (again %.2f); getppid %.2f us = %.2f x; with a fence %.2f us = %.2f x\n",
              floor_us, again_us, call_us, call_us / floor_us, plain_us, plain_us / floor_us);
  std::printf("            getppid by its own clock: median %.2f, p99 %.2f, p99.9 %.2f us\n",
              double(each[calls / 2]) * us, double(each[calls * 99ull / 100]) * us,
              double(each[calls * 999ull / 1000]) * us);
  figures.keep("ping_pong_us", floor_us);
  figures.keep("getppid_us", call_us);
  figures.keep("getppid_ratio", call_us / floor_us);
  figures.keep("syscall_getppid_us", plain_us);
  figures.keep("getppid_p99_us", double(each[calls * 99ull / 100]) * us);
  figures.keep("getppid_p999_us", double(each[calls * 999ull / 1000]) * us);
}

void throughput(genesys::runtime& rt, unsigned calls) {
  for (const auto& [blocks, threads] :
       {std::pair{1u, 32u}, {132u, 1u}, {132u, 16u}, {264u, 32u}, {132u, 64u}, {33u, 256u}, {528u, 128u}}) {
    const double rate = calls_per_second(rt, blocks, threads, calls, 5, ask_parent{}) / 1e6;
    std::printf("throughput  %6u lanes in %3u blocks: getppid %.1f M/s\n", blocks * threads, blocks, rate);
    figures.keep(("getppid_mps_" + std::to_string(blocks) + "x" + std::to_string(threads)).c_str(), rate);
  }
}

// --- Staged: what the buffer costs, and what a list of buffers costs beyond that.

constexpr unsigned staged_bytes = 4096, staged_pieces = 4;

template <class Scope>
struct read_whole {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, char* into, unsigned calls, unsigned* wrong) const {
    const auto io = os.on(Scope{});
    for (unsigned i = 0; i < calls; ++i) {
      if (io.pread64(fd, into, staged_bytes, 0) != staged_bytes) genesys::atomic<unsigned>(*wrong).fetch_add(1);
    }
  }
};

// The pieces are a list in the thread's own memory, as code that was written for a CPU would have it.
template <class Scope>
struct read_pieces {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, char* into, unsigned calls, unsigned* wrong) const {
    const auto io = os.on(Scope{});
    iovec pieces[staged_pieces];
    for (unsigned i = 0; i < staged_pieces; ++i)
      pieces[i] = {into + i * (staged_bytes / staged_pieces), staged_bytes / staged_pieces};
    for (unsigned i = 0; i < calls; ++i) {
      if (io.preadv(fd, pieces, staged_pieces, 0) != staged_bytes) genesys::atomic<unsigned>(*wrong).fetch_add(1);
    }
  }
};

template <class Native>
double native_us(unsigned calls, Native native) {
  const auto begin = clock::now();
  for (unsigned i = 0; i < calls; ++i) {
    if (native() != staged_bytes) std::abort();
  }
  return seconds_since(begin) / calls * 1e6;
}

void staged(genesys::runtime& rt, unsigned calls) {
  const char* name = "/dev/shm/genesys-bench-staged";
  const int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) {
    std::printf("staged      cannot make a file in /dev/shm\n");
    return;
  }
  unlink(name);
  std::vector<char> bytes(staged_bytes, 'x');
  if (write(fd, bytes.data(), staged_bytes) != staged_bytes) std::abort();
  rt.hand(fd);
  auto* into = static_cast<char*>(rt.allocate_device(staged_bytes));
  auto* wrong = static_cast<unsigned*>(rt.allocate_device(sizeof(unsigned)));
  rt.fill_device(wrong, 0, sizeof(unsigned));
  iovec pieces[staged_pieces];
  for (unsigned i = 0; i < staged_pieces; ++i)
    pieces[i] = {bytes.data() + i * (staged_bytes / staged_pieces), staged_bytes / staged_pieces};
  const double native_whole = native_us(calls, [&] { return pread(fd, bytes.data(), staged_bytes, 0); });
  const double native_pieces = native_us(calls, [&] { return preadv(fd, pieces, staged_pieces, 0); });
  const auto us = [&](unsigned threads, auto kernel) {
    std::vector<double> rounds;
    for (int round = 0; round < 7; ++round) {
      const auto begin = clock::now();
      genesys::launch(rt, {.blocks = {1}, .threads = {threads}}, kernel, fd, into, calls, wrong).drain();
      rounds.push_back(seconds_since(begin) / calls * 1e6);
    }
    return median(rounds);
  };
  const double thread_whole = us(1, read_whole<genesys::thread>{}),
               thread_pieces = us(1, read_pieces<genesys::thread>{});
  const double block_whole = us(256, read_whole<genesys::block>{}),
               block_pieces = us(256, read_pieces<genesys::block>{});
  unsigned count = 0;
  rt.copy_to_host(&count, wrong, sizeof count);
  if (count != 0) {
    std::fprintf(stderr, "call: %u wrong answers\n", count);
    std::exit(1);
  }
  std::printf(
      "staged      4 KiB, a thread: pread64 %.2f us, preadv of four %.2f us; a block of 256: %.2f, %.2f us; native "
      "%.2f, %.2f us\n",
      thread_whole, thread_pieces, block_whole, block_pieces, native_whole, native_pieces);
  figures.keep("pread64_4k_thread_us", thread_whole);
  figures.keep("preadv_4k_thread_us", thread_pieces);
  figures.keep("pread64_4k_block_us", block_whole);
  figures.keep("preadv_4k_block_us", block_pieces);
  figures.keep("native_pread_4k_us", native_whole);
  figures.keep("native_preadv_4k_us", native_pieces);
  rt.free_device(into);
  rt.free_device(wrong);
  rt.take_back(fd);
  close(fd);
}

// --- Payload.

struct read_file {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, char* into, unsigned long long bytes, unsigned long long piece,
                                 unsigned* wrong) const {
    const auto io = os.on(genesys::block{});
    for (unsigned long long at = genesys::block_rank() * piece; at < bytes; at += genesys::blocks_in_grid() * piece) {
      const long got = io.pread64(fd, into + at, piece, static_cast<long>(at));
      if (got != static_cast<long>(piece) && genesys::thread_rank() == 0)
        genesys::atomic<unsigned>(*wrong).fetch_add(1);
    }
  }
};

double native_pread(int fd, unsigned long long bytes, std::size_t piece, unsigned threads) {
  char* into;
  check(cudaHostAlloc(&into, threads * piece, cudaHostAllocMapped));
  const auto begin = clock::now();
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      for (unsigned long long at = t * piece; at < bytes; at += threads * piece) {
        if (pread(fd, into + t * piece, piece, static_cast<off_t>(at)) != static_cast<ssize_t>(piece)) std::abort();
      }
    });
  }
  for (auto& one : all) one.join();
  const double rate = double(bytes) / seconds_since(begin) / 1e9;
  check(cudaFreeHost(into));
  return rate;
}

void payload(genesys::runtime& rt, const char* folder, unsigned long long bytes) {
  const std::string name = std::string(folder) + "/genesys-bench-call";
  const int fd = open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) {
    std::printf("payload     %s: cannot make a file there\n", folder);
    return;
  }
  unlink(name.c_str());
  std::vector<unsigned long long> content(1 << 17);
  for (unsigned long long at = 0; at < bytes; at += content.size() * 8) {
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = (at + i * 8) * 0x9e3779b97f4a7c15ull;
    if (write(fd, content.data(), content.size() * 8) != static_cast<ssize_t>(content.size() * 8)) std::abort();
  }
  const double native = native_pread(fd, bytes, 1 << 20, 12);
  rt.hand(fd);
  auto* into = static_cast<char*>(rt.allocate_device(bytes));
  auto* wrong = static_cast<unsigned*>(rt.allocate_device(sizeof(unsigned)));
  rt.fill_device(wrong, 0, sizeof(unsigned));
  std::printf("payload     %s: native pread of 1 MiB, 12 threads %.1f GB/s", folder, native);
  for (const auto& [blocks, threads] : {std::pair{132u, 256u}, {264u, 256u}, {132u, 512u}, {264u, 512u}}) {
    std::vector<double> rates;
    for (int round = 0; round < 4; ++round) {
      if (round == 3) rt.fill_device(into, 0xff, bytes);
      const auto begin = clock::now();
      genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, read_file{}, fd, into, bytes, 1ull << 20, wrong)
          .drain();
      rates.push_back(double(bytes) / seconds_since(begin) / 1e9);
    }
    std::printf("; %u x %u: %.1f", blocks, threads, median(rates));
    figures.keep((std::string("pread64_gbps_") + (folder[1] == 'd' ? "tmpfs_" : "disk_") + std::to_string(blocks) +
                  "x" + std::to_string(threads))
                     .c_str(),
                 median(rates));
  }
  std::printf(" GB/s\n");
  std::vector<unsigned long long> back(bytes / 8);
  rt.copy_to_host(back.data(), into, bytes);
  for (std::size_t i = 0; i < back.size(); ++i) {
    if (back[i] == i * 8 * 0x9e3779b97f4a7c15ull) continue;
    std::fprintf(stderr, "call: wrong bytes at %zu\n", i * 8);
    std::exit(1);
  }
  unsigned count = 0;
  rt.copy_to_host(&count, wrong, sizeof count);
  if (count != 0) {
    std::fprintf(stderr, "call: %u short reads\n", count);
    std::exit(1);
  }
  rt.free_device(into);
  rt.free_device(wrong);
  rt.take_back(fd);
  close(fd);
}

// --- Policy.

// Lets every call through.
void filter_this_thread() {
  sock_filter all[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  const sock_fprog program{1, all};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) std::perror("call: seccomp");
}

double native_calls_per_second(unsigned threads, unsigned calls, bool filtered) {
  std::atomic<unsigned> ready{0};
  std::vector<std::thread> all;
  std::vector<double> seconds(threads);
  for (unsigned t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      if (filtered) filter_this_thread();
      ready.fetch_add(1);
      while (ready.load() < threads) {
      }
      const auto begin = clock::now();
      for (unsigned i = 0; i < calls; ++i) syscall(SYS_getppid);
      seconds[t] = seconds_since(begin);
    });
  }
  for (auto& one : all) one.join();
  return double(threads) * calls / *std::max_element(seconds.begin(), seconds.end());
}

void policy(genesys::runtime& rt, genesys::options chosen, unsigned calls) {
  chosen.policy = "io";
  genesys::runtime confined(chosen);
  std::vector<double> open, closed, native, filtered;
  for (int round = 0; round < 7; ++round) {
    open.push_back(calls_per_second(rt, 528, 128, calls, 1, ask_parent{}) / 1e6);
    closed.push_back(calls_per_second(confined, 528, 128, calls, 1, ask_parent{}) / 1e6);
    native.push_back(native_calls_per_second(12, calls * 1000, false) / 1e6);
    filtered.push_back(native_calls_per_second(12, calls * 1000, true) / 1e6);
  }
  const double us_open = 1e6 / calls_per_second(rt, 1, 1, calls * 10, 5, ask_parent{});
  const double us_closed = 1e6 / calls_per_second(confined, 1, 1, calls * 10, 5, ask_parent{});
  std::printf(
      "policy      all %.1f, io %.1f M/s = %.3f x; one thread %.2f, %.2f us; native, 12 threads %.1f, with a filter "
      "%.1f M/s = %.3f x\n",
      median(open), median(closed), median(closed) / median(open), us_open, us_closed, median(native), median(filtered),
      median(filtered) / median(native));
  figures.keep("policy_all_mps", median(open));
  figures.keep("policy_io_mps", median(closed));
  figures.keep("native_mps", median(native));
  figures.keep("native_filtered_mps", median(filtered));
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  const char* json_file = nullptr;
  std::string only;  // empty: all parts
  genesys::options chosen{.device = genesys::device_kind::cuda};
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0)
      quick = true;
    else if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc)
      json_file = argv[++i];
    else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc)
      only = argv[++i];
    else if (std::strcmp(argv[i], "--workers") == 0 && i + 1 < argc)
      chosen.workers = static_cast<unsigned>(std::atoi(argv[++i]));
    else if (std::strcmp(argv[i], "--shards") == 0 && i + 1 < argc)
      chosen.shards = static_cast<unsigned>(std::atoi(argv[++i]));
    else
      return std::fprintf(stderr, "usage: call [--quick] [--only PART] [--json FILE] [--workers N] [--shards N]\n"), 2;
  }
  try {
    genesys::runtime rt(chosen);
    std::printf("%s\n", rt.describe().c_str());
    const auto wanted = [&](const char* part) { return only.empty() || only == part; };
    if (wanted("latency")) latency(rt, quick ? 5000 : 20000);
    if (wanted("throughput")) throughput(rt, quick ? 300 : 2000);
    if (wanted("staged")) staged(rt, quick ? 500 : 5000);
    if (wanted("policy")) policy(rt, chosen, quick ? 300 : 1000);
    if (wanted("payload")) payload(rt, "/tmp", quick ? 1ull << 29 : 2ull << 30);
    if (wanted("payload")) payload(rt, "/dev/shm", quick ? 1ull << 29 : 2ull << 30);
  } catch (const genesys::error& wrong) {
    std::fprintf(stderr, "%s\n", wrong.what());
    return 1;
  }
  return figures.write(json_file) ? 0 : 1;
}
