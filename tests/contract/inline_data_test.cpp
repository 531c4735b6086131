// SPDX-License-Identifier: Apache-2.0
// Short data that Linux writes travels beside the completion: of each length around the bounds of 8 and 64 bytes, to
// each alignment, in each memory, for each scope, by lanes that are alone and by lanes that run together.
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "contract.h"

namespace contract {
namespace {

constexpr u32 longest = 72, alignments = 9, guard = 8, slot_bytes = guard + alignments + longest + guard;
constexpr u64 file_bytes = 4096;
constexpr u8 untouched = 0xe5;

struct block_buffers {
  u8 of_thread[64][slot_bytes];
};

// One read of `count` bytes to `buffer` + guard + `aligned`, by the whole scope. Returns 1 if it is wrong.
template <class Scope>
GENESYS_KERNEL u32 read_once(const Scope& io, int fd, u8* buffer, u32 aligned, u32 count, u64 at) {
  const u64 left = file_bytes - at;
  const u32 expected = left < count ? static_cast<u32>(left) : count;
  if (io.pread64(fd, buffer + guard + aligned, count, static_cast<long>(at)) != static_cast<long>(expected)) return 1;
  u32 wrong = 0;
  for (u32 i = 0; i < slot_bytes; ++i) {
    const u32 begin = guard + aligned;
    const u8 right = i >= begin && i < begin + expected ? pattern(at + i - begin) : untouched;
    wrong |= buffer[i] != right ? 1u : 0u;
  }
  return wrong;
}

GENESYS_KERNEL void clear(u8* buffer) {
  for (u32 i = 0; i < slot_bytes; ++i) buffer[i] = untouched;
}

enum class memory : u32 { device, shared, own };  // `own`: private

// Each thread reads for itself.
struct read_as_threads {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, memory in, bool alone, u8* device, u32* wrong) const {
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    if (alone && genesys::lane() != me % 7) return;
    u8 own[slot_bytes];
    u8* const buffer = in == memory::device   ? device + u64{me} * slot_bytes
                       : in == memory::shared ? genesys::shared<block_buffers>().of_thread[genesys::thread_rank()]
                                              : own;
    u32 found = 0;
    for (u32 aligned = 0; aligned < alignments; ++aligned) {
      for (u32 count = 0; count <= longest; ++count) {
        const u64 at = (u64{me} * 131 + aligned * 977 + count * 59) % file_bytes;
        clear(buffer);
        found += read_once(os, fd, buffer, aligned, count, at);
      }
      clear(buffer);
      found += read_once(os, fd, buffer, aligned, longest - 8, file_bytes - 5 * aligned - 3);  // ends with the file
    }
    if (found != 0) genesys::atomic<u32>(*wrong).fetch_add(found);
  }
};

// The whole scope reads.
template <class Scope>
struct read_in_scope {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, memory in, u8* device, u32* wrong) const {
    const auto io = os.on(Scope{});
    const bool of_block = std::is_same_v<Scope, genesys::block>;
    const u32 mine = of_block ? 0 : genesys::warp_rank(), team = genesys::block_rank() * 2 + mine;
    u8 own[slot_bytes];
    u8* const buffer = in == memory::device   ? device + u64{team} * slot_bytes
                       : in == memory::shared ? genesys::shared<block_buffers>().of_thread[mine]
                                              : own;
    u32 found = 0;
    for (u32 aligned = 0; aligned < alignments; ++aligned) {
      for (u32 count = 0; count <= longest; count += count < 20 ? 1 : 5) {
        const u64 at = (u64{team} * 131 + aligned * 977 + count * 59) % file_bytes;
        if (in == memory::own || genesys::thread_rank() % (of_block ? 64 : 32) == 0) clear(buffer);
        meet<Scope>();
        found += read_once(io, fd, buffer, aligned, count, at);
        meet<Scope>();
      }
    }
    if (found != 0) genesys::atomic<u32>(*wrong).fetch_add(found);
  }

  template <class Of>
  GENESYS_KERNEL static void meet() {
    if constexpr (std::is_same_v<Of, genesys::block>)
      genesys::sync_block();
    else
      genesys::sync_warp(~0u);
  }
};

class InlineData : public testing::TestWithParam<memory> {
 protected:
  InlineData() {
    const std::string text = patterned(file_bytes);
    EXPECT_EQ(::pwrite(file_, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    rt_.grant(file_);
  }
  ~InlineData() override { ::close(file_); }

  template <class Scope>
  void expect_all_read_in() {
    const on_device<u8> buffers(rt_, 8 * slot_bytes);
    const on_device<u32> wrong(rt_, std::vector<u32>(1));
    play(rt_, {.blocks = {4}, .threads = {64}}, read_in_scope<Scope>{}, file_, GetParam(), buffers.get(), wrong.get());
    EXPECT_EQ(wrong.take()[0], 0u);
  }

  const int file_ = ::memfd_create("inline", 0);
  runtime rt_{{.executor = genesys::executor_kind::threads}};
};

TEST_P(InlineData, OfEachLengthByThreads) {
  for (const bool alone : {false, true}) {
    const on_device<u8> buffers(rt_, 4 * 64 * slot_bytes);
    const on_device<u32> wrong(rt_, std::vector<u32>(1));
    play(rt_, {.blocks = {4}, .threads = {64}}, read_as_threads{}, file_, GetParam(), alone, buffers.get(),
         wrong.get());
    EXPECT_EQ(wrong.take()[0], 0u) << alone;
  }
}

TEST_P(InlineData, OfEachLengthByWarps) { expect_all_read_in<genesys::warp>(); }
TEST_P(InlineData, OfEachLengthByBlocks) { expect_all_read_in<genesys::block>(); }

INSTANTIATE_TEST_SUITE_P(In, InlineData, testing::Values(memory::device, memory::shared, memory::own),
                         [](const auto& in) {
                           return in.param == memory::device   ? "device"
                                  : in.param == memory::shared ? "shared"
                                                               : "private";
                         });

// Structures of 16 bytes, and a call that fails.
struct ask_for_structures {
  GENESYS_KERNEL void operator()(genesys::os os, const struct rlimit* right, u32* wrong) const {
    struct rlimit got {
      1, 2
    };
    timespec now{-1, -1};
    const bool fine = os.getrlimit(RLIMIT_NOFILE, &got) == 0 && got.rlim_cur == right->rlim_cur &&
                      got.rlim_max == right->rlim_max && os.clock_gettime(CLOCK_MONOTONIC, &now) == 0 &&
                      now.tv_sec > 0 && now.tv_nsec >= 0 && now.tv_nsec < 1'000'000'000;
    struct rlimit same {
      3, 4
    };
    const bool refused = os.getrlimit(1'000, &same) == -EINVAL && same.rlim_cur == 3 && same.rlim_max == 4;
    if (!fine || !refused) genesys::atomic<u32>(*wrong).fetch_add(1);
  }
};

TEST(InlineData, HoldsStructures) {
  runtime rt({.executor = genesys::executor_kind::threads});
  struct rlimit limit {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  const on_device<struct rlimit> right(rt, std::vector<struct rlimit>{limit});
  const on_device<u32> wrong(rt, std::vector<u32>(1));
  play(rt, {.blocks = {8}, .threads = {64}}, ask_for_structures{}, right.get(), wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
}

}  // namespace
}  // namespace contract
