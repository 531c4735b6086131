// SPDX-License-Identifier: Apache-2.0
// Calls of the whole grid, made once: a producer by the last block, a consumer by the first. Grids are larger than what
// is resident, run two at a time, and are replayed. Blocks leave, omit a call, or make more calls than fit.
#include <algorithm>
#include <map>
#include <memory>

#include "contract.h"
#include "stream.h"

namespace contract {
namespace {

using genesys::grid;
using genesys::thread_scope;

GENESYS_KERNEL u32 place_in_grid() {
  return genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
}

GENESYS_KERNEL void arrive(u32* counter) { genesys::atomic<u32>(*counter).fetch_add(1); }
GENESYS_KERNEL void wait_until(u32* counter, u32 wanted) {
  while (genesys::atomic<u32>(*counter).load() < wanted) genesys::pause(500);
}

// How often each value occurs.
std::map<long, u64> tally(const on_device<long>& values) {
  std::map<long, u64> counts;
  for (const long value : values.take()) ++counts[value];
  return counts;
}

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

// Producers and consumers in turn, more than there are slots. The blocks meet only now and then.
struct in_turn {
  GENESYS_KERNEL void operator()(genesys::os os, int from, int to, u32 rounds, u32 rounds_apart, u32* arrived,
                                 u64* words, u32* wrong) const {
    const auto io = os.on(grid()).relaxed();
    u32 bad = 0;
    for (u32 r = 0; r < rounds; ++r) {
      if ((genesys::block_rank() * 7 + r) % 5 == 0) genesys::pause(3000);
      bad += io.read(from, words + r, 8) != 8;  // at the file's own position: the r-th call gets the r-th word
      bad += words[r] != r * 1000 + 7;
      for (u32 i = 0; i < 2; ++i) {
        const long n = io.write(to, words + r, 8);
        bad += n != 8 && n != -EINPROGRESS;
      }
      if ((r + 1) % rounds_apart != 0) continue;
      genesys::sync_block();
      if (genesys::thread_rank() == 0) arrive(arrived);
      wait_until(arrived, (r + 1) / rounds_apart * genesys::blocks_in_grid());
    }
    wrong[place_in_grid()] = bad;
  }
};

void check_in_turn(runtime& rt, u32 launches, u32 blocks, u32 rounds, u32 rounds_apart = 10) {
  constexpr u32 threads = 40;
  folder in;
  std::vector<u64> numbers(rounds);
  for (u32 r = 0; r < rounds; ++r) numbers[r] = r * 1000 + 7;
  const std::string text(reinterpret_cast<const char*>(numbers.data()), rounds * sizeof(u64));
  struct one {
    descriptor from, to;
    on_device<u64> words;
    on_device<u32> wrong, arrived;
    stream on;
  };
  std::vector<std::unique_ptr<one>> all;
  std::vector<std::unique_ptr<launched>> runs;
  for (u32 i = 0; i < launches; ++i) {
    const std::string name = std::to_string(i);
    all.push_back(std::unique_ptr<one>(new one{made_file(in, "from" + name, text),
                                               made_file(in, "to" + name, ""),
                                               {rt, rounds},
                                               {rt, blocks * threads},
                                               {rt, 1},
                                               {}}));
    one& l = *all.back();
    l.arrived.fill(0);
    runs.push_back(std::make_unique<launched>(
        rt,
        genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}, .stream = l.on.get()}, in_turn{}, l.from.get(),
                        l.to.get(), rounds, rounds_apart, l.arrived.get(), l.words.get(), l.wrong.get())));
  }
  for (auto& run : runs) run->finish();
  for (auto& l : all) {
    for (const u32 bad : l->wrong.take()) ASSERT_EQ(bad, 0u);
    std::vector<u64> wrote(2 * rounds);
    const std::string got = content_of(l->to.get());
    ASSERT_EQ(got.size(), wrote.size() * sizeof(u64));
    std::memcpy(wrote.data(), got.data(), got.size());
    std::sort(wrote.begin(), wrote.end());
    for (u32 r = 0; r < rounds; ++r) EXPECT_TRUE(wrote[2 * r] == numbers[r] && wrote[2 * r + 1] == numbers[r]) << r;
  }
}

// (All blocks have to be resident, since they wait for each other.)
TEST(Grid, CallsInTurn) { check_in_turn(shared_runtime(), 1, sanitized ? 12 : 37, sanitized ? 40 : 300); }
TEST(Grid, CallsOfOneBlock) { check_in_turn(shared_runtime(), 1, 1, 100); }
TEST(Grid, TwoLaunchesAtATime) { check_in_turn(shared_runtime(), 2, sanitized ? 8 : 20, sanitized ? 20 : 150); }
TEST(Grid, FewSlots) {
  genesys::options few;
  few.grid_calls_max = 4;
  runtime rt(few);
  check_in_turn(rt, 3, sanitized ? 5 : 12, sanitized ? 20 : 50, 1);
}
// More launches than there are grid call records.
TEST(Grid, ManyLaunchesOneAfterAnother) {
  for (u32 i = 0; i < (sanitized ? 60 : 400); ++i) check_in_turn(shared_runtime(), 1, 3, 2);
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

// One block omits a call: the producer is not made, the consumer is. drain() reports it, and the next launch is not
// affected.
struct one_is_missing {
  GENESYS_KERNEL void operator()(genesys::os os, int file, u64* word, long* values) const {
    if (genesys::block_rank() == 2) return;
    const auto io = os.on(grid()).relaxed();
    const long got = io.read(file, word, 8), gave = io.write(file, word, 8);
    if (genesys::thread_rank() == 0) {
      values[genesys::block_rank() * 2] = got;
      values[genesys::block_rank() * 2 + 1] = gave;
    }
  }
};

TEST(Grid, ACallThatABlockDidNotMakeIsReported) {
  runtime rt;
  folder in;
  const descriptor file = made_file(in, "file", patterned(16));
  constexpr u32 blocks = 5;
  on_device<u64> word(rt, 1);
  on_device<long> values(rt, blocks * 2);
  values.fill(0);
  testing::internal::CaptureStderr();
  play(rt, {.blocks = {blocks}, .threads = {64}}, one_is_missing{}, file.get(), word.get(), values.get());
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("read by a grid"), std::string::npos) << said;
  EXPECT_NE(said.find("write by a grid"), std::string::npos) << said;
  EXPECT_NE(said.find("4 of 5 blocks made it, so it was not made"), std::string::npos) << said;
  const std::map<long, u64> counts = tally(values);
  EXPECT_EQ(counts.at(8), 4u);
  EXPECT_EQ(counts.at(-EINPROGRESS), 4u);
  EXPECT_EQ(content_of(file.get()).size(), 16u);
  EXPECT_EQ(rt.stats().grid_calls_missed, 2u);
  check_in_turn(rt, 1, 8, 10);
  EXPECT_EQ(rt.stats().grid_calls_missed, 2u);
}

// Block 0 comes late to all of its calls. As many calls as fit are under way, and the others are refused in all blocks,
// also in the block that comes when a slot is free again.
struct too_many_under_way {
  static constexpr u32 calls = 7;
  GENESYS_KERNEL void operator()(genesys::os os, int file, u32* arrived, const u8* text, long* values) const {
    const auto io = os.on(grid()).relaxed();
    if (genesys::block_rank() == 0) wait_until(arrived, genesys::blocks_in_grid() - 1);
    for (u32 i = 0; i < calls; ++i) {
      const long n = io.pwrite64(file, text, 4, i * 4);
      if (genesys::thread_rank() == 0) values[genesys::block_rank() * (calls + 1) + i] = n;
    }
    genesys::sync_block();
    if (genesys::thread_rank() == 0) arrive(arrived);
    wait_until(arrived, genesys::blocks_in_grid());  // a slot is free again
    const long last = io.pread64(file, const_cast<u8*>(text), 4, 0);
    if (genesys::thread_rank() == 0) values[genesys::block_rank() * (calls + 1) + calls] = last;
  }
};

TEST(Grid, MoreCallsThanThereIsRoomForAreRefusedInAllBlocks) {
  genesys::options few;
  few.grid_calls_max = 4;
  runtime rt(few);
  folder in;
  const descriptor file = made_file(in, "file", "");
  constexpr u32 blocks = 6, calls = too_many_under_way::calls;
  for (u32 again = 0; again < 3; ++again) {
    on_device<u32> arrived(rt, 1);
    arrived.fill(0);
    on_device<u8> text(rt, 4);
    on_device<long> values(rt, blocks * (calls + 1));
    play(rt, {.blocks = {blocks}, .threads = {64}}, too_many_under_way{}, file.get(), arrived.get(), text.get(),
         values.get());
    const std::vector<long> got = values.take();
    for (u32 b = 0; b < blocks; ++b) {
      for (u32 i = 0; i < calls; ++i) {
        const long wanted = i >= 4 ? -EAGAIN : b == 0 ? 4 : -EINPROGRESS;
        EXPECT_EQ(got[b * (calls + 1) + i], wanted) << "block " << b << ", call " << i;
      }
      EXPECT_EQ(got[b * (calls + 1) + calls], 4) << "block " << b;
    }
  }
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

#if defined(__CUDACC__)
__global__ void call_in_turn(genesys::os os, int from, int to, u32 rounds, u64* words, u32* wrong) {
  in_turn{}(os, from, to, rounds, rounds + 1, nullptr, words, wrong);
}

// A replayed graph node keeps its launch number, and shared memory keeps the content of the last replay.
TEST(Grid, GraphReplays) {
  if (!on_cuda()) GTEST_SKIP() << "no GPU";
  runtime& rt = shared_runtime();
  folder in;
  constexpr u32 rounds = 7, blocks = 12, threads = 40, replays = 25;
  std::vector<u64> numbers(rounds);
  for (u32 r = 0; r < rounds; ++r) numbers[r] = r * 1000 + 7;
  const std::string text(reinterpret_cast<const char*>(numbers.data()), rounds * sizeof(u64));
  const descriptor from = made_file(in, "from", text), to = made_file(in, "to", "");
  on_device<u64> words(rt, rounds);
  on_device<u32> wrong(rt, blocks * threads);
  const stream on;
  const auto handle = static_cast<cudaStream_t>(on.get());
  launched run(rt, rt.attach(on.get()));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(handle, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  for (u32 nodes = 0; nodes < 2; ++nodes) {
    call_in_turn<<<blocks, threads, 0, handle>>>(run->os(), from.get(), to.get(), rounds, words.get(), wrong.get());
  }
  ASSERT_EQ(cudaStreamEndCapture(handle, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
  // Both nodes of all replays read on from the file's position, so the file holds a copy of the text for each of them.
  std::string all;
  for (u32 i = 0; i < 2 * replays; ++i) all += text;
  ASSERT_EQ(::pwrite(from.get(), all.data(), all.size(), 0), static_cast<ssize_t>(all.size()));
  for (u32 i = 0; i < replays; ++i) ASSERT_EQ(cudaGraphLaunch(ready, handle), cudaSuccess);
  run.finish();
  for (const u32 bad : wrong.take()) EXPECT_EQ(bad, 0u);
  EXPECT_EQ(content_of(to.get()).size(), u64{2} * 2 * rounds * sizeof(u64) * replays);
  EXPECT_EQ(rt.stats().grid_calls_missed, 0u);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}
#endif

}  // namespace
}  // namespace contract
