// SPDX-License-Identifier: Apache-2.0
// genesys beside LLVM's RPC for GPUs (libc/shared/rpc.h of LLVM), by turns in one process: one blocking getppid, calls
// a second, and 4 KiB reads of a cached file. LLVM's kernels are compiled by clang, genesys's by nvcc. The server
// threads of LLVM's RPC make the same system calls that genesys's workers make. CUDA only. Built if GENESYS_LLVM_LIBC
// names the folder libc/ of LLVM's sources (CONTRIBUTING.md).
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "genesys/genesys.h"
#include "llvm_rpc/opcodes.h"
#include "llvm_rpc/remote.h"
#include "support/cached_file.h"
#include "support/measure.h"
#include "support/native_threads.h"
#include "support/run.h"
#include "support/wrongs.h"

namespace {

using measure::bench;
using measure::numbers;
using peers::remote;

using peers::ports_max;
constexpr unsigned ports_few = 32;
constexpr unsigned server_threads[] = {1, 4, 12};

struct ask_parent {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned lanes_a_warp, unsigned calls, long parent,
                                 unsigned* wrong) const {
    if (genesys::lane() >= lanes_a_warp) return;
    for (unsigned i = 0; i < calls; ++i) {
      if (os.getppid() != parent) baseline::wrong(wrong);
    }
  }
};

struct post_parent {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned lanes_a_warp, unsigned calls, long, unsigned*) const {
    if (genesys::lane() >= lanes_a_warp) return;
    for (unsigned i = 0; i < calls; ++i) os.posted().getppid();
  }
};

// As client.cu's kernel of this name: each thread reads pieces of its own.
struct read_pieces {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned calls, int fd, char* into, unsigned* wrong) const {
    const unsigned long lane = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    for (unsigned i = 0; i < calls; ++i) {
      const unsigned long at = (lane * calls + i) * peers::piece_bytes;
      if (os.pread64(fd, into + at, peers::piece_bytes, static_cast<long>(at)) != long{peers::piece_bytes})
        baseline::wrong(wrong);
    }
  }
};

void needs_cuda(bench& all) {
  if (!all.on_gpu()) throw measure::failure("LLVM's RPC needs a CUDA GPU");
}

// One lane, one call after the other, through few ports and through as many as LLVM's loader makes.
void call(bench& all) {
  needs_cuda(all);
  genesys::runtime& rt = all.runtime();
  const unsigned calls = all.quick() ? 5000 : 20000;
  const baseline::wrongs wrong(rt);
  remote few(rt, ports_few), many(rt, ports_max);
  const auto [ours, theirs, theirs_many] = bench::by_turns(
      7,
      [&] {
        genesys::launch(rt, {}, ask_parent{}, 1u, calls, static_cast<long>(::getppid()), wrong.on_device()).drain();
      },
      [&] { few.call(remote::kernel::ask, 1, 1, 1, calls, 1, wrong.on_device()); },
      [&] { many.call(remote::kernel::ask, 1, 1, 1, calls, 1, wrong.on_device()); });
  wrong.none();
  const numbers us = measure::each_us(ours, calls), llvm_us = measure::each_us(theirs, calls),
                llvm_many_us = measure::each_us(theirs_many, calls);
  all.keep("getppid", "us", us);
  all.keep("llvm_getppid_32_ports", "us", llvm_us);
  all.keep("llvm_getppid_4096_ports", "us", llvm_many_us);
  all.keep("llvm_32_ports_to_genesys", "ratio", measure::ratios(llvm_us, us));
  all.keep("llvm_4096_ports_to_genesys", "ratio", measure::ratios(llvm_many_us, us));
}

struct shape {
  unsigned blocks, threads, lanes_a_warp;
  unsigned lanes() const { return blocks * (threads / peers::lanes_of_warp * lanes_a_warp); }
};

// The best of what LLVM's RPC does with several numbers of server threads.
struct best {
  numbers rate;
  unsigned servers = 0;
  void take(const numbers& other, unsigned of) {
    if (rate.empty() || measure::median(other) > measure::median(rate)) rate = other, servers = of;
  }
};

template <class Kernel>
void rates(bench& all, const std::string& name, Kernel ours, remote::kernel theirs) {
  needs_cuda(all);
  genesys::runtime& rt = all.runtime();
  const baseline::wrongs wrong(rt);
  remote llvm(rt, ports_max);
  constexpr shape shapes[] = {{264, 32, 1}, {2112, 128, 1}, {66, 32, 32}, {264, 32, 32}, {528, 128, 32}};
  numbers ours_peak;
  best theirs_peak;
  for (const shape& s : shapes) {
    const unsigned calls = std::clamp((all.quick() ? 100'000u : 400'000u) / s.lanes(), 8u, 2000u);
    const double total = double(s.lanes()) * calls;
    const std::string plot = name + (s.lanes_a_warp == 1 ? "_one_lane_a_warp" : "_whole_warps");
    for (const unsigned servers : server_threads) {
      const auto [genesys_took, llvm_took] = bench::by_turns(
          3,
          [&] {
            genesys::launch(rt, {.blocks = {s.blocks}, .threads = {s.threads}}, ours, s.lanes_a_warp, calls,
                            static_cast<long>(::getppid()), wrong.on_device())
                .drain();
          },
          [&] { llvm.call(theirs, s.blocks, s.threads, s.lanes_a_warp, calls, servers, wrong.on_device()); });
      const numbers genesys_rate = measure::millions_per_second(genesys_took, total),
                    llvm_rate = measure::millions_per_second(llvm_took, total);
      if (servers == server_threads[0]) all.keep_at(plot, "genesys", "lanes", s.lanes(), "M/s", genesys_rate);
      all.keep_at(plot, "LLVM's RPC, " + std::to_string(servers) + " server threads", "lanes", s.lanes(), "M/s",
                  llvm_rate);
      if (ours_peak.empty() || measure::median(genesys_rate) > measure::median(ours_peak)) ours_peak = genesys_rate;
      theirs_peak.take(llvm_rate, servers);
    }
  }
  wrong.none();
  all.keep(name + "_peak", "M/s", ours_peak);
  all.keep("llvm_" + name + "_peak", "M/s", theirs_peak.rate);
  all.keep("llvm_" + name + "_peak_server_threads", "threads", theirs_peak.servers);
}

void reads(bench& all) {
  needs_cuda(all);
  genesys::runtime& rt = all.runtime();
  constexpr unsigned blocks = 132, threads = 64;
  const unsigned calls = all.quick() ? 1 : 2;
  const std::size_t bytes = std::size_t{blocks} * threads * calls * peers::piece_bytes;
  const baseline::cached_file file("/dev/shm", (bytes + (1u << 20) - 1) >> 20 << 20);
  rt.grant(file.fd());
  const baseline::wrongs wrong(rt);
  remote llvm(rt, ports_max);
  auto* into = static_cast<char*>(rt.allocate_device(bytes));
  numbers rate;
  best theirs;
  for (const unsigned servers : server_threads) {
    const auto [ours, llvms] = bench::by_turns(
        3,
        [&] {
          genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, read_pieces{}, calls, file.fd(), into,
                          wrong.on_device())
              .drain();
        },
        [&] { llvm.read(blocks, threads, calls, file.fd(), into, servers, wrong.on_device()); });
    rate = measure::gigabytes_per_second(ours, double(bytes));
    theirs.take(measure::gigabytes_per_second(llvms, double(bytes)), servers);
  }
  wrong.none("short reads");
  std::vector<baseline::word> got(bytes / sizeof(baseline::word));
  rt.copy_to_host(got.data(), into, bytes);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != baseline::word_of(i)) throw measure::failure("wrong bytes");
  }
  all.keep("read_4k", "GB/s", rate);
  all.keep("llvm_read_4k", "GB/s", theirs.rate);
  all.keep("llvm_read_4k_server_threads", "threads", theirs.servers);
  rt.free_device(into);
  rt.revoke(file.fd());
}

}  // namespace

int main(int argc, char** argv) {
  bench all("llvm_rpc", "genesys beside LLVM's RPC for GPUs, by turns.");
  all.part("call", "blocking getppid of one thread, one call after the other", call);
  all.part("completed", "getppid a second, until all results are there",
           [](bench& in) { rates(in, "completed", ask_parent{}, remote::kernel::ask); });
  all.part("posted", "getppid a second that no lane waits for, until all are made",
           [](bench& in) { rates(in, "posted", post_parent{}, remote::kernel::post); });
  all.part("reads", "4 KiB of a file in tmpfs by each of 8,448 threads, into device memory", reads);
  return baseline::run(all, argc, argv);
}
