// SPDX-License-Identifier: Apache-2.0
// The calls that callers make, by a kernel (call) and natively: caller `me`'s i-th call, and whether its result is
// right. Each kind of work has the number of its callers and their memory.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <vector>

#include "genesys/genesys.h"
#include "support/cached_file.h"
#include "support/executor_runtime.h"

namespace executors {

using baseline::page_bytes;
using baseline::word;
using u64 = std::uint64_t;

constexpr unsigned page_words = page_bytes / sizeof(word);

struct page_reads {
  int fd;
  unsigned pages;  // a power of two
  bool once;       // no page twice
  unsigned callers;
  unsigned first = 0;      // the first page in the order of reads
  char* memory = nullptr;  // a page for each caller

  GENESYS_KERNEL unsigned calls_max() const { return once ? pages / callers : ~0u; }  // of each caller

  GENESYS_KERNEL bool call(genesys::os os, unsigned me, unsigned i) const {
    const u64 page = page_of(me, i);
    return os.pread64(fd, memory + me * page_bytes, page_bytes, static_cast<long>(page * page_bytes)) == page_bytes &&
           is_right(page, me, i);
  }
  bool natively(unsigned me, unsigned i) const {
    const u64 page = page_of(me, i);
    return ::pread(fd, memory + me * page_bytes, page_bytes, static_cast<off_t>(page * page_bytes)) == page_bytes &&
           is_right(page, me, i);
  }

 private:
  GENESYS_KERNEL unsigned page_of(unsigned me, unsigned i) const {
    return baseline::scattered(first + i * callers + me, pages);
  }
  GENESYS_KERNEL bool is_right(u64 page, unsigned me, unsigned i) const {
    const unsigned which = i % page_words;
    return reinterpret_cast<const word*>(memory + me * page_bytes)[which] ==
           baseline::word_of(page * page_words + which);
  }
};

struct record_writes {
  static constexpr unsigned writers_max = 64, file_bytes = 1u << 20;
  int fds[writers_max];
  unsigned bytes;  // of a record
  bool sync;       // fdatasync after each record
  unsigned callers;
  unsigned first = 0;      // the first record's number
  char* memory = nullptr;  // a page for each caller

  GENESYS_KERNEL unsigned calls_max() const { return ~0u; }

  GENESYS_KERNEL bool call(genesys::os os, unsigned me, unsigned i) const {
    return os.pwrite64(fds[me], record(me, i), bytes, static_cast<long>(at(i))) == static_cast<long>(bytes) &&
           (!sync || os.fdatasync(fds[me]) == 0);
  }
  bool natively(unsigned me, unsigned i) const {
    return ::pwrite(fds[me], record(me, i), bytes, static_cast<off_t>(at(i))) == static_cast<ssize_t>(bytes) &&
           (!sync || ::fdatasync(fds[me]) == 0);
  }
  // Whether the file holds what the caller's i-th call wrote.
  bool is_there(unsigned me, unsigned i) const {
    std::vector<word> got(bytes / sizeof(word));
    return ::pread(fds[me], got.data(), bytes, static_cast<off_t>(at(i))) == static_cast<ssize_t>(bytes) &&
           got.front() == number(me, i) && got.back() == number(me, i);
  }

 private:
  GENESYS_KERNEL u64 at(unsigned i) const { return u64{i % (file_bytes / bytes)} * bytes; }
  GENESYS_KERNEL word number(unsigned me, unsigned i) const {
    return baseline::word_of(u64{first + i} * writers_max + me);
  }
  GENESYS_KERNEL const char* record(unsigned me, unsigned i) const {
    auto* words = reinterpret_cast<word*>(memory + me * page_bytes);
    words[0] = words[bytes / sizeof(word) - 1] = number(me, i);
    return memory + me * page_bytes;
  }
};

}  // namespace executors
