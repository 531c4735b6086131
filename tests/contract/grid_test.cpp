// SPDX-License-Identifier: Apache-2.0
// Calls of the whole grid, made once: a producer by the last block, a consumer by the first. Grids are larger than what
// is resident, threads leave, and calls have tickets, are posted, or are made by number.
#include <algorithm>

#include "grid.h"

namespace contract {
namespace {

// Enough blocks that the device cannot hold all of them at a time.
u32 blocks_beyond_residency(u32 threads) {
  if (on_cuda()) return 132 * 64 * 32 * 2 / threads + 1;
  return (sanitized ? 2048u : 32768u) / threads + 40;
}

struct write_together {
  GENESYS_KERNEL void operator()(genesys::os os, int file, u32* numbers, u32 each, long* values) const {
    const u32 me = place_in_grid();
    const u64 bytes = u64{genesys::blocks_in_grid()} * genesys::threads_in_block() * sizeof(u32);
    const auto io = os.on(grid()).relaxed();
    for (u32 r = 0; r < each; ++r) {
      numbers[u64{r} * bytes / sizeof(u32) + me] = me * 3 + r;
      values[u64{r} * bytes / sizeof(u32) + me] =
          io.pwrite64(file, numbers + u64{r} * bytes / sizeof(u32), bytes, static_cast<long>(r * bytes));
    }
  }
};

// Linux gets what every thread of every block wrote before, in a grid of which only a part is resident.
TEST(Grid, AProducerWritesWhatAllBlocksWrote) {
  runtime& rt = shared_runtime();
  constexpr u32 threads = 64, each = 3;
  const u32 blocks = blocks_beyond_residency(threads), all = blocks * threads;
  folder in;
  const descriptor file = made_file(in, "numbers", "");
  on_device<u32> numbers(rt, all * each);
  on_device<long> values(rt, all * each);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, write_together{}, file.get(), numbers.get(), each, values.get());
  const std::map<long, u64> counts = tally(values);
  EXPECT_EQ(counts.at(static_cast<long>(all * sizeof(u32))), each * 32u);  // the warp that makes the call
  EXPECT_EQ(counts.at(-EINPROGRESS), u64{each} * (all - 32));
  const std::string got = content_of(file.get());
  ASSERT_EQ(got.size(), u64{each} * all * sizeof(u32));
  std::vector<u32> read(each * all);
  std::memcpy(read.data(), got.data(), got.size());
  u64 wrong = 0;
  for (u32 r = 0; r < each; ++r) {
    for (u32 i = 0; i < all; ++i) wrong += read[u64{r} * all + i] != i * 3 + r;
  }
  EXPECT_EQ(wrong, 0u);
}

struct read_together {
  GENESYS_KERNEL void operator()(genesys::os os, int folder, const char* name, u8* buffer, u32 bytes, u32* wrong,
                                 long* fds) const {
    const auto io = os.on(grid());
    const long fd = io.relaxed(genesys::consumer()).openat(folder, name, O_RDONLY);
    u32 bad = 0;
    for (u32 r = 0; r < 3; ++r) {
      const long n = io.relaxed().pread64(static_cast<int>(fd), buffer + u64{r} * bytes, bytes, r);
      bad += n != static_cast<long>(bytes);
      for (u32 i = place_in_grid() % 97; i < bytes; i += 97) bad += buffer[u64{r} * bytes + i] != pattern(i + r);
    }
    const long closed = io.relaxed(genesys::producer()).close(static_cast<int>(fd));
    bad += closed != 0 && closed != -EINPROGRESS;
    wrong[place_in_grid()] = bad;
    fds[place_in_grid()] = fd;
  }
};

TEST(Grid, AConsumersDataReachAllBlocks) {
  runtime rt;
  constexpr u32 threads = 96, bytes = 5000;
  const u32 blocks = blocks_beyond_residency(threads);
  folder in;
  (void)made_file(in, "file", patterned(bytes + 10));
  on_device<u8> buffer(rt, bytes * 3);
  on_device<u32> wrong(rt, blocks * threads);
  on_device<long> fds(rt, blocks * threads);
  {
    launched run(rt, rt.attach());
    const char* name = run->copy("file");
    launched kernel = start(rt, {.blocks = {blocks}, .threads = {threads}}, read_together{}, in.fd(), name,
                            buffer.get(), bytes, wrong.get(), fds.get());
    kernel.finish();
  }
  const std::vector<u32> bad = wrong.take();
  EXPECT_EQ(std::count(bad.begin(), bad.end(), 0u), static_cast<long>(bad.size()));
  const std::map<long, u64> opened = tally(fds);
  EXPECT_EQ(opened.size(), 1u);
  EXPECT_GE(opened.begin()->first, 0);
  const genesys::statistics so_far = rt.stats();
  EXPECT_EQ(so_far.calls.at("openat"), 1u);
  EXPECT_EQ(so_far.direct_calls != 0 ? so_far.direct_calls : so_far.calls.at("pread64"), 3u);
  EXPECT_EQ(so_far.calls.at("close"), 1u);
  EXPECT_EQ(so_far.grid_calls_missed, 0u);
}

// Some threads of each block leave early, and no call waits for them.
struct some_left {
  GENESYS_KERNEL void operator()(genesys::os os, int file, u64* word, long* values) const {
    const u32 me = place_in_grid(), block = genesys::block_rank();
    values[me] = 0;
    if (genesys::thread_rank() % 3 == block % 3 || genesys::thread_rank() / 32 == block % 4) return;
    const long n = os.on(grid()).relaxed().read(file, word, 8);
    const long m = os.on(grid()).relaxed(genesys::producer()).getppid();
    values[me] = n == 8 && (m > 0 || m == -EINPROGRESS) ? m : -1;
  }
};

TEST(Grid, ThreadsThatLeftAreNotWaitedFor) {
  runtime& rt = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "file", patterned(8));
  constexpr u32 blocks = 50, threads = 128;
  on_device<u64> word(rt, 1);
  on_device<long> values(rt, blocks * threads);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, some_left{}, file.get(), word.get(), values.get());
  std::map<long, u64> counts = tally(values);
  EXPECT_EQ(counts.count(-1), 0u);
  const long parent = ::getppid();
  EXPECT_GE(counts[parent], 1u);
  EXPECT_LE(counts[parent], 32u);
}

// A grid call takes no memory that belongs to a block or a thread.
struct own_memory {
  GENESYS_KERNEL void operator()(genesys::os os, int file, long* values) const {
    u64 own = 0;
    const auto io = os.on(grid()).relaxed();
    values[place_in_grid() * 2] = io.pread64(file, &own, 8, 0);
    values[place_in_grid() * 2 + 1] = io.pread64(file, &genesys::shared<u64>(), 8, 0);
  }
};

TEST(Grid, SharedAndPrivateMemoryAreRefused) {
  runtime& rt = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "file", patterned(8));
  on_device<long> values(rt, 4 * 64 * 2);
  play(rt, {.blocks = {4}, .threads = {64}}, own_memory{}, file.get(), values.get());
  EXPECT_EQ(tally(values), (std::map<long, u64>{{-EFAULT, 512}}));
}

// Tickets: all blocks take them. All blocks get a consumer's result and data; the block that makes a producer gets its
// result.
struct with_tickets {
  GENESYS_KERNEL void operator()(genesys::os os, int from, int to, u8* buffer, u32 bytes, u32* wrong) const {
    const auto io = os.on(grid()).relaxed().ticket();
    u32 bad = 0;
    auto first = io.pread64(from, buffer, bytes, 0);
    auto second = io.pread64(from, buffer + bytes, bytes, bytes);
    bad += second.wait() != static_cast<long>(bytes);
    bad += first.wait() != static_cast<long>(bytes);
    bad += first.wait() != static_cast<long>(bytes);
    for (u32 i = genesys::thread_rank(); i < 2 * bytes; i += genesys::threads_in_block())
      bad += buffer[i] != pattern(i);
    auto third = io.pwrite64(to, buffer, 2 * bytes, 0);
    const long n = third.wait();
    bad += n != static_cast<long>(2 * bytes) && n != -EINPROGRESS;
    auto none = io.read(-1, buffer, 4);
    bad += none.wait() != -EBADF;
    wrong[place_in_grid()] = bad;
  }
};

TEST(Grid, Tickets) {
  runtime& rt = shared_runtime();
  constexpr u32 threads = 64;
  for (const u32 bytes : {100u, 300'000u}) {
    for (const u32 blocks : {1u, 7u, 60u}) {
      folder in;
      const descriptor from = made_file(in, "from", patterned(2 * bytes)), to = made_file(in, "to", "");
      on_device<u8> buffer(rt, 2 * bytes);
      on_device<u32> wrong(rt, blocks * threads);
      play(rt, {.blocks = {blocks}, .threads = {threads}}, with_tickets{}, from.get(), to.get(), buffer.get(), bytes,
           wrong.get());
      for (const u32 bad : wrong.take()) ASSERT_EQ(bad, 0u);
      EXPECT_EQ(content_of(to.get()), patterned(2 * bytes));
    }
  }
}

// A call after a ticket is made when the ticket's call is complete, whichever blocks make the two.
struct one_after_another {
  GENESYS_KERNEL void operator()(genesys::os os, int slow, int out, u8* buffer, u32* taken, long* values) const {
    const auto io = os.on(grid()).relaxed();
    if (genesys::block_rank() % 2 == 1) wait_until(taken, genesys::blocks_in_grid() / 2);  // these blocks come later
    auto first = io.ticket().read(slow, buffer, 4);
    genesys::sync_block();
    if (genesys::thread_rank() == 0) arrive(taken);
    if (genesys::block_rank() % 2 == 0) wait_until(taken, genesys::blocks_in_grid());  // and these make the second call
    const long wrote = io.after(first).write(out, buffer + 4, 4);
    const long got = first.wait();
    values[place_in_grid() * 2] = wrote;
    values[place_in_grid() * 2 + 1] = got;
  }
};

TEST(Grid, ACallAfterATicket) {
  runtime& rt = shared_runtime();
  constexpr u32 blocks = 6, threads = 64;
  const pipe_ends slow = made_pipe(), out = made_pipe(O_CLOEXEC | O_NONBLOCK);
  on_device<u8> buffer(rt, 8);
  on_device<u32> taken(rt, 1);
  taken.fill(0);
  on_device<long> values(rt, blocks * threads * 2);
  {
    const launched kernel = start(rt, {.blocks = {blocks}, .threads = {threads}}, one_after_another{}, slow.out.get(),
                                  out.in.get(), buffer.get(), taken.get(), values.get());
    std::this_thread::sleep_for(std::chrono::milliseconds(sanitized ? 300 : 50));
    char text[8];
    EXPECT_EQ(::read(out.out.get(), text, 8), -1) << "the second call was made before the first one was finished";
    EXPECT_EQ(::write(slow.in.get(), "ping", 4), 4);
  }
  const std::map<long, u64> counts = tally(values);
  EXPECT_EQ(counts.at(4), blocks * threads + 32u);
  EXPECT_EQ(counts.at(-EINPROGRESS), blocks * threads - 32u);
}

// Posted calls: each is made, by one block.
struct post_many {
  GENESYS_KERNEL void operator()(genesys::os os, int file, const u8* bytes, u32 calls, long size) const {
    for (u32 i = 0; i < calls; ++i) {
      const long at = size * 2 * i;
      os.on(grid()).relaxed().posted().pwrite64(file, bytes + at, static_cast<u64>(size), at);
      os.on(grid())
          .relaxed(genesys::consumer())
          .posted()
          .pwrite64(file, bytes + at + size, static_cast<u64>(size), at + size);
    }
  }
};

TEST(Grid, PostedCallsAreMadeOnceEach) {
  genesys::options enough;
  enough.grid_calls_max = 64;
  runtime rt(enough);
  constexpr u32 calls = 20, blocks = 30;
  for (const long size : {100l, 200'000l}) {
    folder in;
    const descriptor file = made_file(in, "file", "");
    const std::string text = patterned(static_cast<u64>(size) * 2 * calls);
    const on_device<u8> bytes(rt, std::vector<u8>(text.begin(), text.end()));
    const u64 before = rt.stats().posted;
    play(rt, {.blocks = {blocks}, .threads = {96}}, post_many{}, file.get(), bytes.get(), calls, size);
    EXPECT_TRUE(content_of(file.get()) == text);
    EXPECT_EQ(rt.stats().posted_failed, 0u);
    const u64 pieces = size == 100 ? 1 : 2;
    EXPECT_EQ(rt.stats().posted - before, 2 * calls * pieces);
  }
}

// Calls by number, also posted.
struct plain_calls {
  GENESYS_KERNEL void operator()(genesys::os os, int file, long* values) const {
    const auto io = os.on(grid());
    values[place_in_grid() * 2] = io.relaxed(genesys::consumer()).syscall(SYS_getppid);
    values[place_in_grid() * 2 + 1] = io.relaxed(genesys::producer()).syscall(SYS_lseek, file, 5, SEEK_SET);
    io.relaxed(genesys::producer()).posted().syscall(SYS_fdatasync, file);
    io.relaxed(genesys::consumer()).posted().syscall(SYS_ftruncate, file, 77);
  }
};

TEST(Grid, CallsByNumber) {
  runtime rt;
  folder in;
  const descriptor file = made_file(in, "file", "");
  constexpr u32 blocks = 9, threads = 64;
  on_device<long> values(rt, blocks * threads * 2);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, plain_calls{}, file.get(), values.get());
  const std::map<long, u64> counts = tally(values);
  EXPECT_EQ(counts.at(::getppid()), blocks * threads);
  EXPECT_EQ(counts.at(5), 32u);
  EXPECT_EQ(counts.at(-EINPROGRESS), blocks * threads - 32);
  EXPECT_EQ(content_of(file.get()).size(), 77u);
  const genesys::statistics so_far = rt.stats();
  EXPECT_EQ(so_far.calls.at("getppid") + so_far.calls.at("lseek") + so_far.calls.at("fdatasync") +
                so_far.calls.at("ftruncate"),
            4u);
}

}  // namespace
}  // namespace contract
