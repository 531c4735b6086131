// SPDX-License-Identifier: Apache-2.0
// Searches a file by a kernel, and computes digests of what it finds on the CPU at the same time (kernel.h, digests.h).
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "cpu.h"
#include "digests.h"
#include "kernel.h"
#include "options.h"
#include "support/device_array.h"
#include "support/program.h"
#include "support/threads.h"

namespace {

using namespace search;
using application::descriptor;
using application::fail;
using application::seconds_since;
using clock_type = std::chrono::steady_clock;

// The signal is blocked in all threads that are made later, and read from a descriptor.
const int unit_found = SIGRTMIN + 4;
int open_signals() {
  rlimit queued{};
  if (::getrlimit(RLIMIT_SIGPENDING, &queued) == 0 && queued.rlim_cur == 0)
    throw std::runtime_error("Linux queues no signals here: raise 'ulimit -i', or give --by phases");
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, unit_found);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return ::signalfd(-1, &set, SFD_CLOEXEC);
}

// Reads signals and gives their units to the digests, until `total` says how many there were. `ended` (eventfd(2)):
// `total` is known.
void pass_on(int signals, int ended, digests& to, const std::atomic<u64>& total) {
  signalfd_siginfo some[64];
  pollfd both[] = {{signals, POLLIN, 0}, {ended, POLLIN, 0}};
  for (u64 seen = 0; seen < total.load();) {
    if (::poll(both, 2, -1) < 0) continue;  // as EINTR
    if (both[1].revents != 0) both[1].fd = -1;
    if (both[0].revents == 0) continue;
    const ssize_t bytes = ::read(signals, some, sizeof some);
    if (bytes < 0 && errno != EINTR) fail("reading signals");
    for (std::size_t i = 0; bytes > 0 && i < static_cast<std::size_t>(bytes) / sizeof some[0]; ++i) {
      if (some[i].ssi_pid != static_cast<u32>(::getpid())) continue;  // of another process
      to.add(static_cast<u32>(some[i].ssi_int));
      ++seen;
    }
  }
}

results search_by_kernel(const settings& chosen, const input& from, unsigned threads, timing& took) {
  const bool overlaps = chosen.by == version::signals;
  const descriptor signals(overlaps ? open_signals() : -1);
  if (overlaps && signals.get() < 0) fail("signalfd");
  const descriptor ended(::eventfd(0, EFD_CLOEXEC));
  if (ended.get() < 0) fail("eventfd");
  genesys::runtime rt({.device = chosen.device});
  const application::device_array<u32> on_device(rt, from.units + 2);  // found, and `next`, and `error`
  task work{.fd = from.fd,
            .unit_bytes = chosen.unit_bytes,
            .units = from.units,
            .text_bytes = static_cast<u32>(chosen.text.size()),
            .mismatches = chosen.mismatches,
            .process = ::getpid(),
            .signal = overlaps ? unit_found : 0,
            .user = static_cast<int>(::getuid()),
            .next = on_device.data() + from.units,
            .found = on_device.data(),
            .error = reinterpret_cast<int*>(on_device.data() + from.units + 1),
            .text = {}};
  std::memcpy(work.text, chosen.text.data(), chosen.text.size());
  const bool cuda = rt.kind() == genesys::device_kind::cuda;
  const unsigned blocks = chosen.blocks != 0 ? chosen.blocks : cuda ? 528 : 8;

  const auto begin = clock_type::now();
  digests made(chosen, from, threads);
  std::atomic<u64> total{~u64{0}};
  const auto end = [&](u64 count) {
    total = count;
    (void)::eventfd_write(ended.get(), 1);
  };
  application::thread_group reader(
      overlaps ? 1 : 0, [&](unsigned) { pass_on(signals.get(), ended.get(), made, total); }, [&] { end(0); });
  std::string wrong;
  std::vector<u32> found(from.units + 2);
  try {  // from here to end() nothing else may throw: the reader waits for it
    genesys::launch(rt, {.blocks = {blocks}, .threads = {cuda ? 256u : 16u}}, search_units{}, work).drain();
    took.searching = seconds_since(begin);
    found = on_device.back();
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  u64 count = 0;
  for (u32 i = 0; i < from.units; ++i) {
    count += found[i];
    if (!overlaps && wrong.empty() && found[i] != 0) made.add(i);
  }
  end(wrong.empty() ? count : 0);
  reader.join();
  results all = made.finish();
  took.all = seconds_since(begin);
  if (!wrong.empty()) throw std::runtime_error(wrong);
  if (found[from.units + 1] != 0)
    throw std::runtime_error(chosen.file + ": " + std::strerror(static_cast<int>(found[from.units + 1])));
  return all;
}

int run(const settings& chosen) {
  const descriptor file(::open(chosen.file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));  // a FIFO must not wait
  struct stat about {};
  if (file.get() < 0 || ::fstat(file.get(), &about) != 0) fail(chosen.file);
  if (!S_ISREG(about.st_mode)) throw std::runtime_error(chosen.file + ": not a regular file");
  const u64 units = (static_cast<u64>(about.st_size) + chosen.unit_bytes - 1) / chosen.unit_bytes;
  if (units > 0x7fffffff) throw std::runtime_error(chosen.file + ": too many units; give a larger --unit");
  const unsigned threads = chosen.threads != 0 ? chosen.threads : std::max(std::thread::hardware_concurrency(), 1u);
  const input from{file.get(), static_cast<u64>(about.st_size), static_cast<u32>(units)};
  timing took;
  const results all = chosen.by == version::cpu || chosen.by == version::vectors
                          ? search_by_cpu(chosen, from, threads, took)
                          : search_by_kernel(chosen, from, threads, took);
  for (const auto& [unit, digest] : all) {
    std::printf("%llu ", static_cast<unsigned long long>(u64{unit} * chosen.unit_bytes));
    for (const unsigned byte : digest) std::printf("%02x", byte);
    std::putchar('\n');
  }
  if (chosen.statistics)
    std::fprintf(stderr, "signal-search: units %llu, found %zu, time %.4f s, of it searching %.4f s\n",
                 static_cast<unsigned long long>(units), all.size(), took.all, took.searching);
  application::flush_output();
  return all.empty() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) { return application::run_program("signal-search", 2, argc, argv, parse, run); }
