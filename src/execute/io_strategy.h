// SPDX-License-Identifier: Apache-2.0
// How reads and writes at a position are best made, by descriptor, because it is seldom known beforehand whether a call
// waits for a disk. The entries are guesses. A wrong one, for a number that another file has now, costs time, or makes
// the read of a device short. One object for each worker.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <array>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

class io_strategy {
 public:
  enum class strategy : std::uint8_t {
    try_first,  // RWF_NOWAIT reads what the page cache has, without waiting
    cached,     // the last try found the data there: plain reads now, because a try costs a sixth more
    at_once,    // the call hardly waits: in memory, or a write that only fills the page cache
    in_ring,    // the call waits for the disk
  };

  strategy of(int fd, bool writes) {
    known& one = at(fd, writes);
    if (one.fd != fd || one.left == 0) one = first_look(fd, writes);
    --one.left;
    return one.how;
  }
  // The same, after another look at the file.
  strategy look_again(int fd, bool writes) { return (at(fd, writes) = first_look(fd, writes)).how; }
  // Holds for the next `calls` calls; then of() looks at the file again.
  void learn(int fd, bool writes, strategy how, u32 calls) { at(fd, writes) = {fd, calls, how}; }

 private:
  struct known {
    int fd = -1;
    u32 left = 0;
    strategy how = strategy::try_first;
  };
  static constexpr u32 places = 512, calls_to_a_look = 64;

  known& at(int fd, bool writes) { return known_[(static_cast<u32>(fd) * 2 + writes) % places]; }

  static known first_look(int fd, bool writes) {
    struct stat about;
    const int flags = ::fcntl(fd, F_GETFL), waiting = writes ? O_DIRECT | O_DSYNC : O_DIRECT;
    const bool on_disk = flags != -1 && ::fstat(fd, &about) == 0 && (S_ISREG(about.st_mode) || S_ISBLK(about.st_mode));
    const strategy otherwise = writes ? strategy::at_once : strategy::try_first;
    return {fd, calls_to_a_look, !on_disk ? strategy::at_once : (flags & waiting) != 0 ? strategy::in_ring : otherwise};
  }

  std::array<known, places> known_{};
};

}  // namespace genesys::detail
