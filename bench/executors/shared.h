// SPDX-License-Identifier: Apache-2.0
// What the parts share: a runtime for each executor, and the files. The first part that runs constructs it.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <string>

#include "executors/executor.h"
#include "executors/work.h"
#include "genesys/genesys.h"
#include "support/cached_file.h"
#include "support/measure.h"
#include "support/native_threads.h"

namespace executors {

using genesys::executor_kind;

inline std::string folder = "/tmp";  // --folder
inline unsigned record_bytes = 256;  // --bytes

inline void to_disk(int fd) {
  if (::fsync(fd) != 0) throw measure::failure("cannot fsync a file in " + folder);
}

struct shared {
  explicit shared(measure::bench& all)
      : workers(baseline::workers(all)),
        threads(all, executor_kind::threads),
        uring(all, executor_kind::uring),
        bytes(u64{all.quick() ? 16u : 256u} << 20),
        file(folder, bytes),
        direct(file.fd(), O_RDWR | O_DIRECT),
        round_ns(all.quick() ? 20'000'000 : 100'000'000) {
    to_disk(file.fd());
  }
  bool is_measurable() {
    if (uring.is("uring")) return true;
    std::printf("not measured, without io_uring: %s\n", uring->describe().c_str());
    return false;
  }

  page_reads reads(int fd, bool once = false) const {
    return {.fd = fd, .pages = static_cast<unsigned>(bytes / page_bytes), .once = once, .callers = 1};
  }
  bool has_direct() const {
    errno = direct.why_not();
    if (errno == 0 && ::pread(direct.fd(), threads.memory(), page_bytes, 0) == page_bytes) return true;
    std::printf("not measured: no file in %s can be read with O_DIRECT: %s\n", folder.c_str(), std::strerror(errno));
    return false;
  }
  // `sync`: with fdatasync after each record; otherwise to files opened with O_DSYNC.
  record_writes writes(bool sync) {
    if (record_bytes < sizeof(word) || record_bytes > page_bytes || record_bytes % sizeof(word) != 0)
      throw measure::failure("--bytes: a multiple of 8, of at most a page");
    for (unsigned i = static_cast<unsigned>(plain.size()); i < record_writes::writers_max; ++i) {
      to_disk(plain.emplace_back(folder, record_writes::file_bytes).fd());
      if (synced.emplace_back(plain.back().fd(), O_RDWR | O_DSYNC).why_not() != 0)
        throw measure::failure("no O_DSYNC in " + folder);
    }
    record_writes all{.fds = {}, .bytes = record_bytes, .sync = sync, .callers = 1};
    for (unsigned i = 0; i < record_writes::writers_max; ++i) all.fds[i] = sync ? plain[i].fd() : synced[i].fd();
    return all;
  }
  // A different number each time.
  unsigned next_first() { return first += 1'000'003; }

  const unsigned workers;  // of a runtime, before its first call
  executor threads, uring;
  const u64 bytes;
  const baseline::cached_file file;
  const baseline::opened_again direct;
  std::deque<baseline::cached_file> plain;
  std::deque<baseline::opened_again> synced;
  static constexpr unsigned rounds = 3;
  const u64 round_ns;
  unsigned first = 0;
};

}  // namespace executors
