// SPDX-License-Identifier: Apache-2.0
// Parts whose steps depend on each other, in the old way and by kernels that make the calls themselves: getppid, and
// reads that follow pointers through a file.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "relaunch/chain.h"
#include "relaunch/kernels.h"
#include "relaunch/letters.h"
#include "relaunch/parts.h"
#include "support/measure.h"

namespace relaunch {

unsigned steps_of(measure::bench& all) {
  if (!all.on_gpu()) return all.quick() ? 200 : 1000;
  return all.quick() ? 1000 : 4000;
}

namespace {

// A file of `pieces` pieces, linked to a ring in random order: each piece begins with the position of the next one.
int file_of_pointers(unsigned bytes, unsigned pieces) {
  const int fd = memfd_create("genesys-bench-relaunch", MFD_CLOEXEC);  // in Linux's internal tmpfs
  std::vector<unsigned> order(pieces);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
  std::vector<word> content(std::size_t{pieces} * bytes / sizeof(word));
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = (i + 1) * 0x9e3779b97f4a7c15ull;
  for (unsigned i = 0; i < pieces; ++i)
    content[std::size_t{order[i]} * bytes / sizeof(word)] = word{order[(i + 1) % pieces]} * bytes;
  const std::size_t size = content.size() * sizeof(word);
  if (fd < 0 || write(fd, content.data(), size) != static_cast<ssize_t>(size))
    throw measure::failure("no file in tmpfs: it needs " + std::to_string(size) + " bytes");
  return fd;
}

}  // namespace

void parent(measure::bench& all) {
  const unsigned steps = steps_of(all);
  const word answer = static_cast<word>(getppid());
  chain one(all, sizeof(word), steps, [](word* answer, word) { answer[0] = static_cast<word>(syscall(SYS_getppid)); });
  one.add_genesys("genesys",
                  [&](unsigned threads) { run_ask_parent(all.runtime(), threads, steps, answer, one.sums()); });
  one.measure_all("getppid", false);
}

void pointers(measure::bench& all) {
  const unsigned steps = steps_of(all);
  for (const unsigned bytes : {8u, 64u, 512u, 4096u}) {
    const int fd = file_of_pointers(bytes, 4096);
    all.runtime().grant(fd);
    chain one(all, bytes, steps, [=](word* answer, word at) {
      if (pread(fd, answer, bytes, static_cast<off_t>(at)) != static_cast<ssize_t>(bytes))
        throw measure::failure("a native read was short");
    });
    one.add_genesys("genesys, staged", [&](unsigned threads) {
      run_follow(all.runtime(), threads, fd, bytes, steps, nullptr, one.sums());
    });
    one.add_genesys("genesys, pinned", [&](unsigned threads) {
      run_follow(all.runtime(), threads, fd, bytes, steps, one.answer(), one.sums());
    });
    one.measure_all("pread", true);
    all.runtime().revoke(fd);
    close(fd);
  }
}

}  // namespace relaunch
