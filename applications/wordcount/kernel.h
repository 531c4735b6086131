// SPDX-License-Identifier: Apache-2.0
// wordcount's kernel: each block is a team. It makes its calls at block scope, once for all threads, which get the same
// result and take the same path through the code.
#pragma once

#include <genesys/stdio.h>

#include "worker.h"

namespace wordcount {

constexpr u32 piece_of_block = 32 * 1024;
constexpr u32 counters_max = 512;       // more words are counted in device memory at once
constexpr u64 read_max = u64{1} << 31;  // bytes, before the counters are added up: none of them overflows

// The block's shared memory. Between stores of one thread and loads of others is a barrier: sync_block(), or a call at
// block scope, which has one before and one after it.
struct workspace {
  alignas(16) unsigned char data[piece_of_block];
  u32 pair_bits[pairs / 32];
  u32 counters[counters_max];
  struct stat status;
  u64 bytes, computed_ns;
  part taken;
  u32 answer;
};
static_assert(sizeof(workspace) <= 43 * 1024, "with the library's, what a CUDA block gets without asking");

class block_team {
 public:
  static constexpr u32 piece_bytes = piece_of_block;

  GENESYS_KERNEL block_team(const genesys::os& os, const words& wanted, const work& all)
      : os_(os),
        space_(genesys::shared<workspace>()),
        counts_(all.counts),
        count_(wanted.count),
        computed_(all.computed == nullptr ? nullptr : all.computed + genesys::block_rank()),
        has_counters_(wanted.count <= counters_max) {
    for (u32 i = rank(); i < pairs / 32; i += size()) space_.pair_bits[i] = wanted.pair_bits[i];
    for (u32 i = rank(); i < counters_max; i += size()) space_.counters[i] = 0;
    if (rank() == 0) space_.bytes = space_.computed_ns = 0;
  }
  // All threads: adds what the block has counted to what all have.
  GENESYS_KERNEL void finish(const work& all) {
    add_up_counters();
    if (rank() == 0) genesys::atomic<u64>(all.state->bytes).fetch_add(space_.bytes, order::relaxed);
  }

  GENESYS_KERNEL auto calls() const { return os_.on(genesys::block()); }
  GENESYS_KERNEL void close(int fd) const { calls().posted().close(fd); }
  GENESYS_KERNEL u32 rank() const { return genesys::thread_rank(); }
  GENESYS_KERNEL u32 size() const { return genesys::threads_in_block(); }
  GENESYS_KERNEL unsigned char* data() const { return space_.data; }
  GENESYS_KERNEL struct stat& status() const { return space_.status; }
  GENESYS_KERNEL const u32* pair_bits() const { return space_.pair_bits; }

  GENESYS_KERNEL void count(u32 word) const {
    if (has_counters_)
      genesys::atomic<u32, genesys::thread_scope::block>(space_.counters[word]).fetch_add(1, order::relaxed);
    else
      genesys::atomic<u64>(counts_[word]).fetch_add(1, order::relaxed);
  }
  GENESYS_KERNEL u64 begin_computing() const { return computed_ == nullptr ? 0 : genesys::clock_ns(); }
  GENESYS_KERNEL void end_computing(u64 begin) const {
    if (computed_ == nullptr || rank() != 0) return;
    const genesys::atomic<u64, genesys::thread_scope::system> sum(*computed_);  // changed by this thread alone
    space_.computed_ns += genesys::clock_ns() - begin;
    sum.store(space_.computed_ns, order::relaxed);
  }
  // All threads. What was read before is counted.
  GENESYS_KERNEL void note_read(u64 bytes) {
    if (rank() == 0) space_.bytes += bytes;
    not_added_up_ += bytes;
    if (not_added_up_ < read_max) return;
    add_up_counters();
    not_added_up_ = 0;
  }
  // A barrier separates the loads of a step from its stores.
  GENESYS_KERNEL void move_to_front(u32 from, u32 bytes) const {
    for (u32 begin = 0; begin < bytes; begin += size()) {
      const u32 at = begin + rank();
      const unsigned char byte = at < bytes ? space_.data[from + at] : 0;
      genesys::sync_block();
      if (at < bytes) space_.data[at] = byte;
    }
  }
  GENESYS_KERNEL bool take(const work& all, part& taken) const {
    genesys::sync_block();
    if (rank() == 0) space_.answer = take_part(all, space_.taken);
    genesys::sync_block();
    taken = space_.taken;
    return space_.answer != 0;
  }
  GENESYS_KERNEL void opened(const work& all, part& taken, int fd, u64 size) const {
    genesys::sync_block();
    if (rank() == 0) {
      if (size > segment_bytes) space_.taken = share(all, taken.file, fd, size);
      note_opened(all);
    }
    genesys::sync_block();
    taken = space_.taken;
  }
  GENESYS_KERNEL bool is_done_with(const part& taken) const {
    if (taken.of == nullptr) return true;
    genesys::sync_block();
    if (rank() == 0) space_.answer = is_last_segment(taken);
    genesys::sync_block();
    return space_.answer != 0;
  }
  GENESYS_KERNEL void complain(const work& all, u32 file, long error) const {
    if (rank() != 0) return;
    namespace posix = genesys::posix;
    posix::fprintf(posix::standard_error(), "wordcount: %s: %s\n", all.names + all.starts[file],
                   posix::strerror(static_cast<int>(-error)));
    genesys::atomic<u32>(all.state->failed).store(1, order::relaxed);
  }

 private:
  GENESYS_KERNEL void add_up_counters() const {
    genesys::sync_block();
    for (u32 i = rank(); has_counters_ && i < count_; i += size()) {
      if (space_.counters[i] != 0) genesys::atomic<u64>(counts_[i]).fetch_add(space_.counters[i], order::relaxed);
      space_.counters[i] = 0;
    }
    genesys::sync_block();
  }

  const genesys::os& os_;
  workspace& space_;
  u64* counts_;
  u32 count_;             // of words
  u64 not_added_up_ = 0;  // bytes; each thread has the same number
  u64* computed_;         // of this block, or null
  bool has_counters_;
};

// Any number of blocks, any number of threads in each.
struct count_words {
  GENESYS_KERNEL void operator()(genesys::os os, words wanted, work all) const {
    genesys::posix::library c(os);
    block_team team(os, wanted, all);
    count_files(team, wanted, all);
    team.finish(all);
  }
};

}  // namespace wordcount
