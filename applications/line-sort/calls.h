// SPDX-License-Identifier: Apache-2.0
// line-sort's kernels that make system calls: they open and read the files, and write the sorted lines. Calls are made
// at block scope, once for all threads of a block, which get the same result.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "kernel.h"
#include "sorter.h"

namespace line_sort {

constexpr u32 lines_of_group = 1024;      // a block writes them together
constexpr u32 window_bytes = 256 * 1024;  // by pieces of this size, which it makes in device memory

// The first trouble of all blocks, as a word; 0: none.
GENESYS_KERNEL void note_trouble(u64* wrong, long error, u32 number) {
  u64 none = 0;
  const u64 word = u64{static_cast<u32>(error)} << 32 | number;
  if (genesys::thread_rank() == 0) (void)genesys::atomic<u64>(*wrong).compare_exchange(none, word, order::relaxed);
}

// names: one after the other, each with a NUL; starts[i]: where name i begins.
struct open_files {
  GENESYS_KERNEL void operator()(genesys::os os, const char* names, const u64* starts, u32 count, source* into) const {
    struct stat& status = genesys::shared<struct stat>();
    u8& last = genesys::shared<u8>();
    const auto io = os.on(genesys::block());
    for (u32 i = genesys::block_rank(); i < count; i += genesys::blocks_in_grid()) {
      const char* const name = names + starts[i];
      const bool is_input = name[0] == '-' && name[1] == 0;
      const long fd = is_input ? 0 : io.openat(AT_FDCWD, name, O_RDONLY | O_NOCTTY | O_CLOEXEC);
      source found{static_cast<int>(fd), 0, 0, 0};
      long error = fd < 0 ? fd : io.fstat(static_cast<int>(fd), &status);
      if (error == 0 && S_ISDIR(status.st_mode)) error = -EISDIR;
      if (error == 0 && S_ISREG(status.st_mode)) {
        const long begin = is_input ? io.lseek(0, 0, SEEK_CUR) : 0;
        const long size = static_cast<long>(status.st_size);
        if (begin >= 0 && size > begin && io.pread64(static_cast<int>(fd), &last, 1, size - 1) == 1) {
          found.begin = static_cast<u64>(begin);
          found.end = static_cast<u64>(size);
          found.last = last;
        }
      }
      if (error < 0 && fd > 0) io.close(static_cast<int>(fd));
      if (error < 0) found.fd = static_cast<int>(error);
      if (genesys::thread_rank() == 0) into[i] = found;
    }
  }
};

struct read_files {
  GENESYS_KERNEL void operator()(genesys::os os, const read_task* tasks, u32 count, u8* text, u64* wrong) const {
    const auto io = os.on(genesys::block());
    for (u32 i = genesys::block_rank(); i < count; i += genesys::blocks_in_grid()) {
      const read_task one = tasks[i];
      u64 done = 0;
      while (done < one.bytes) {
        const long got = io.pread64(one.fd, text + one.to + done, one.bytes - done, static_cast<long>(one.at + done));
        if (got <= 0) note_trouble(wrong, got == 0 ? file_shrank : -got, one.number);
        if (got <= 0) break;
        done += static_cast<u64>(got);
      }
      if (done == one.bytes && one.ends_with >= 0 && text[one.to + done - 1] != one.ends_with)
        note_trouble(wrong, file_changed, one.number);
    }
  }
};

// One block. `result`: the bytes read, or -errno.
struct read_in_order {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u8* text, u64 bytes, long* result) const {
    const auto io = os.on(genesys::block());
    u64 done = 0;
    long got = 1;
    while (done < bytes && got > 0) {
      got = io.read(fd, text + done, smaller(bytes - done, u64{1} << 20));
      if (got > 0) done += static_cast<u64>(got);
    }
    if (genesys::thread_rank() == 0) *result = got < 0 ? got : static_cast<long>(done);
  }
};

// The bytes that each group adds to the output.
struct measure_groups {
  GENESYS_KERNEL void operator()(genesys::os, text of, const entry* sorted, u64 lines, u64* bytes) const {
    u64& sum = genesys::shared<u64>();
    const u32 me = genesys::thread_rank();
    for (u64 first = u64{genesys::block_rank()} * lines_of_group; first < lines;
         first += u64{genesys::blocks_in_grid()} * lines_of_group) {
      const u64 end = smaller(lines, first + lines_of_group);
      if (me == 0) sum = 0;
      genesys::sync_block();
      u64 own = 0;
      for (u64 i = first + me; i < end; i += genesys::threads_in_block()) own += output_bytes(of, sorted, i);
      genesys::atomic<u64, genesys::thread_scope::block>(sum).fetch_add(own, order::relaxed);
      genesys::sync_block();
      if (me == 0) bytes[first / lines_of_group] = sum;
    }
  }
};

struct write_space {
  u64 at[lines_of_group + 1];  // of each line, in the group's output
  u32 ends;
};

// begins[g]: where group g is in the output. windows: window_bytes for each block. If `to.in_order`, one block.
struct write_groups {
  GENESYS_KERNEL void operator()(genesys::os os, text of, const entry* sorted, u64 lines, const u64* begins, sink to,
                                 u8* windows, u64* wrong) const {
    write_space& space = genesys::shared<write_space>();
    u8* const window = windows + u64{genesys::block_rank()} * window_bytes;
    for (u64 first = u64{genesys::block_rank()} * lines_of_group; first < lines;
         first += u64{genesys::blocks_in_grid()} * lines_of_group) {
      const entry* const group = sorted + first;
      const u32 count = static_cast<u32>(smaller(lines_of_group, lines - first));
      if (genesys::thread_rank() == 0) space.ends = genesys::atomic<u64>(*wrong).load(order::relaxed) != 0 ? 1 : 0;
      for (u32 i = genesys::thread_rank(); i < count; i += genesys::threads_in_block())
        space.at[i + 1] = output_bytes(of, sorted, first + i);
      genesys::sync_block();
      if (space.ends != 0) return;
      if (genesys::thread_rank() == 0) {
        space.at[0] = 0;
        for (u32 i = 1; i <= count; ++i) space.at[i] += space.at[i - 1];
      }
      genesys::sync_block();
      for (u64 done = 0; done < space.at[count]; done += window_bytes) {
        const u64 bytes = smaller(window_bytes, space.at[count] - done);
        gather(of, space, group, count, done, bytes, window);
        genesys::sync_block();
        if (!put(os, to, window, bytes, begins[first / lines_of_group] + done, wrong)) break;
      }
      genesys::sync_block();
    }
  }

 private:
  // The bytes [from, from + bytes) of the group's output. 32 threads copy a line.
  GENESYS_KERNEL static void gather(const text& of, const write_space& space, const entry* group, u32 count, u64 from,
                                    u64 bytes, u8* window) {
    const u32 threads = genesys::threads_in_block(), lanes = threads < 32 ? threads : 32, teams = threads / lanes;
    const u32 team = genesys::thread_rank() / lanes, lane = genesys::thread_rank() % lanes;
    for (u32 line = team; line < count && team < teams; line += teams) {
      const u64 begin = space.at[line], end = smaller(space.at[line + 1], from + bytes);
      const u8* const source = of.bytes + group[line].begin;
      for (u64 at = (begin > from ? begin : from) + lane; at < end; at += lanes) window[at - from] = source[at - begin];
    }
  }
  GENESYS_KERNEL static bool put(const genesys::os& os, const sink& to, const u8* window, u64 bytes, u64 at,
                                 u64* wrong) {
    const auto io = os.on(genesys::block());
    for (u64 done = 0; done < bytes;) {
      const long got = to.in_order
                           ? io.write(to.fd, window + done, bytes - done)
                           : io.pwrite64(to.fd, window + done, bytes - done, static_cast<long>(to.at + at + done));
      if (got <= 0) note_trouble(wrong, got == 0 ? EIO : -got, 0);
      if (got <= 0) return false;
      done += static_cast<u64>(got);
    }
    return true;
  }
};

}  // namespace line_sort
