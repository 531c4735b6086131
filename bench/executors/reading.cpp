// SPDX-License-Identifier: Apache-2.0
// Random pages of a file: past the page cache, not yet in it, and in it.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "executors/parts.h"
#include "executors/sides.h"
#include "support/cached_file.h"
#include "support/measure.h"

namespace executors {

namespace {

std::vector<unsigned> readers(const bench& all) {
  return all.quick() ? std::vector<unsigned>{1, 64} : std::vector<unsigned>{1, 12, 64, 256, callers_max};
}

}  // namespace

void direct(bench& all, shared& in) {
  if (in.has_direct()) by_callers(all, in, "direct", in.reads(in.direct.fd()), readers(all));
}

void cold(bench& all, shared& in) {
  const baseline::opened_again again(in.file.fd(), O_RDWR);
  const auto drop = [fd = again.fd()] { (void)::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); };
  drop();
  (void)::posix_fadvise(again.fd(), 0, 0, POSIX_FADV_RANDOM);
  const iovec page{in.threads.memory(), page_bytes};
  if (::preadv2(again.fd(), &page, 1, static_cast<off_t>(in.bytes / 2), RWF_NOWAIT) >= 0 || errno != EAGAIN) {
    std::printf("not measured: pages of files in %s cannot be dropped\n", folder.c_str());
    return;
  }
  by_callers(all, in, "cold", in.reads(again.fd(), true), readers(all), drop);
}

void cached(bench& all, shared& in) {
  constexpr unsigned callers = 256;
  const baseline::cached_file in_memory(in.bytes);
  std::vector<char> some(1u << 20);
  for (u64 at = 0; at < in.bytes; at += some.size()) {
    if (::pread(in.file.fd(), some.data(), some.size(), static_cast<off_t>(at)) <= 0) throw measure::failure("no read");
  }
  for (const auto& [name, fd] : {std::pair{"cached", in.file.fd()}, std::pair{"tmpfs", in_memory.fd()}}) {
    const std::vector<side> sides = compare(in, in.reads(fd), callers);
    keep_rates(all, name, sides);
    keep_costs(all, name, sides);
    keep_ratios(all, name, sides);
  }
}

}  // namespace executors
