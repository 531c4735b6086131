// SPDX-License-Identifier: Apache-2.0
// A daemon of the Linux module kgpu for the tests: it computes by OpenSSL, and misbehaves if asked. It prints
// "admitted" when Linux has checked it.
//
// usage: kgpu_daemon [wrong | refuse | noise | slow]
//   wrong   answers are wrong
//   refuse  each third request is given back undone, also in Linux's check
//   noise   after Linux's check, completions of requests that are none come between the others
//   slow    each request takes a millisecond
#include <fcntl.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <thread>

#include "genesys/error.h"
#include "kgpu_abi.h"
#include "service/kgpu.h"
#include "service/xts_by_openssl.h"

namespace services = genesys::detail::services;

namespace {

std::string manner;
std::atomic<bool> is_admitted{false};
std::atomic<unsigned> count{0};

// The device that serve_kgpu() has opened, of this process.
int device_file() {
  for (int file = 3; file < 64; ++file) {
    char path[64], target[64] = {};
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (readlink(path, target, sizeof target - 1) > 0 && std::strcmp(target, "/dev/kgpu") == 0) return file;
  }
  return -1;
}

void make_noise() {
  static const int file = device_file();
  thread_local std::mt19937 random{std::random_device{}()};
  kgpu_completion noise[3];
  for (kgpu_completion& one : noise) {
    one.id = random() % 4 == 0 ? static_cast<unsigned>(random()) : random() % 1024;
    one.use = static_cast<unsigned>(random());
    one.status = static_cast<int>(random());
    one.unused = static_cast<unsigned>(random());
  }
  if (write(file, noise, sizeof noise) != sizeof noise) std::perror("noise");
}

void compute(std::span<services::kgpu_work> works) {
  thread_local services::xts_by_openssl xts;
  for (services::kgpu_work& work : works) {
    if (manner == "noise" && is_admitted) make_noise();
    if (manner == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (manner == "refuse" && is_admitted && ++count % 3 == 0) {
      std::memset(work.data.data(), 0x55, work.data.size());
      continue;
    }
    work.done = xts.set_key(work.key, work.encrypts) && xts.run(work.data, work.iv);
    if (manner == "wrong") work.data.back() ^= std::byte{1};
  }
}

}  // namespace

int main(int count_of_words, char** words) try {
  if (count_of_words > 1) manner = words[1];
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigprocmask(SIG_BLOCK, &ends, nullptr);
  const int stop = signalfd(-1, &ends, SFD_CLOEXEC);
  services::prepare_for_kgpu();
  services::serve_kgpu({}, stop, compute, {}, [] {
    is_admitted = true;
    std::puts("admitted");
    std::fflush(stdout);
  });
  return 0;
} catch (const genesys::error& wrong) {
  std::printf("refused: %s\n", wrong.what());
  return 1;
}
