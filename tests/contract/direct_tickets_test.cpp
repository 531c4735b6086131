// SPDX-License-Identifier: Apache-2.0
// Tickets and posted calls with the executor `direct`: through rings, through worker threads where io_uring lacks the
// call, and in the order that after() asks for.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "direct.h"
#include "scopes.h"
#include "stream.h"

namespace contract {
namespace {

constexpr u32 piece = 64;

// Each thread reads parts of a file into arena and device memory, and writes its piece of another file. It has two
// calls at once, since a warp has no more tickets, and waits for the later one first.
struct tickets_by_rings {
  GENESYS_KERNEL void operator()(genesys::os os, int from, int to, u32 times, u8* in_arena, u8* on_device,
                                 u32* wrong) const {
    using namespace genesys;
    const u64 me = u64{block_rank()} * threads_in_block() + thread_rank();
    u8 *const mine = in_arena + me * piece, *const other = on_device + me * piece;
    u32 bad = 0;
    for (u32 t = 0; t < times; ++t) {
      const auto at = static_cast<off_t>((me * 31 + u64{t} * 7) % 4096);
      auto read = os.ticket().pread64(from, mine, piece, at);
      auto staged = os.ticket().pread64(from, other, piece, at + 5);
      bad += staged.wait() != piece;
      bad += read.wait() != piece;
      bad += read.wait() != piece;  // the second time it gives the same
      for (u32 k = 0; k < piece; ++k) {
        bad += mine[k] != pattern(static_cast<u64>(at) + k);
        bad += other[k] != pattern(static_cast<u64>(at) + 5 + k);
      }
      auto written = os.ticket().pwrite64(to, mine, piece, static_cast<off_t>(me * piece));
      auto size = os.ticket().fallocate(to, 0, 0, 1);
      bad += size.wait() != 0;
      bad += written.wait() != piece;
    }
    if (bad != 0) atomic<u32>(*wrong).fetch_add(bad);
  }
};

class DirectTickets : public testing::TestWithParam<std::pair<u32, u32>> {};

TEST_P(DirectTickets, CompleteOnce) {
  const auto [rings, entries] = GetParam();
  runtime rt(direct_with(rings, entries));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  constexpr u32 all = 192, times = 8;
  const u32 threads = fitting_threads(64, entries), blocks = all / threads;
  const folder in;
  const descriptor from = made_file(in, "from", patterned(8192)), to = made_file(in, "to", "");
  const in_arena<u8> mine(rt, all * piece);
  const on_device<u8> others(rt, all * piece);
  const on_device<u32> wrong(rt, std::vector<u32>(1));
  play(rt, {.blocks = {blocks}, .threads = {threads}}, tickets_by_rings{}, from.get(), to.get(), times, mine.get(),
       others.get(), wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(rt.stats().direct_calls, 4 * all * times);
  const std::string written = content_of(to.get()), read = patterned(8192);
  ASSERT_EQ(written.size(), all * piece);
  for (u64 t = 0; t < all; ++t)
    EXPECT_EQ(written.substr(t * piece, piece), read.substr((t * 31 + u64{times - 1} * 7) % 4096, piece)) << t;
}

INSTANTIATE_TEST_SUITE_P(Shapes, DirectTickets,
                         testing::Values(std::pair{1u, 2u}, std::pair{2u, 8u}, std::pair{4u, 1024u}),
                         [](const auto& info) {
                           return std::to_string(info.param.first) + "x" + std::to_string(info.param.second);
                         });

// (A structure around it, since `struct stat` and the function stat have the same name, and nvcc mixes them up.)
struct known {
  struct stat about;
};

// A chain of calls, in which io_uring lacks every other one. A call that came before its predecessor would show.
template <at scope>
struct call_across {
  GENESYS_KERNEL void operator()(genesys::os os, int file, u32 times, char* memory, known* files, u32* wrong) const {
    using namespace genesys;
    const auto io = bound<scope>(os);
    const u32 unit = scope == at::thread ? thread_rank() : scope == at::warp ? warp_rank() : 0;
    char* const mine = memory + 16 * unit;
    u32 bad = 0;
    for (u32 t = 1; t <= times; ++t) {
      auto grown = io.ticket().ftruncate(file, 4096 * t);                    // by a ring
      auto seen = io.ticket().after(grown).fstat(file, &files[unit].about);  // by worker threads
      auto shrunk = io.ticket().after(seen).ftruncate(file, t);              // by worker threads, which keep the order
      const long end = io.after(shrunk).lseek(file, 0, SEEK_END);
      bad += end != static_cast<long>(t);
      bad += shrunk.wait() != 0 || seen.wait() != 0 || grown.wait() != 0;
      bad += files[unit].about.st_size != static_cast<off_t>(4096 * t);
      auto written = io.ticket().pwrite64(file, mine, 8, 100);
      io.after(written).posted().ftruncate(file, 0);
      bad += written.wait() != 8;
      while (io.lseek(file, 0, SEEK_END) != 0) pause(1000);
    }
    if (bad != 0) atomic<u32>(*wrong).fetch_add(bad);
  }
};

template <at scope>
void check_order(u32 threads) {
  runtime rt(direct_with(1, 8));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  constexpr u32 times = 20;
  const folder in;
  const descriptor file = made_file(in, "file", "");
  const in_arena<char> memory(rt, 64);
  const in_arena<known> files(rt, 2);
  const on_device<u32> wrong(rt, std::vector<u32>(1));
  play(rt, {.threads = {threads}}, call_across<scope>{}, file.get(), times, memory.get(), files.get(), wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(rt.stats().direct_calls, 3u * times);
  EXPECT_EQ(rt.stats().posted, times);
}

TEST(DirectLater, DependentsAcrossRingsAndThreadsAtThreadScope) { check_order<at::thread>(1); }
TEST(DirectLater, DependentsAcrossRingsAndThreadsAtWarpScope) { check_order<at::warp>(32); }
TEST(DirectLater, DependentsAcrossRingsAndThreadsAtBlockScope) { check_order<at::block>(96); }

// Posted calls by their number, each after a ticket whose call goes by a shared ring. Each one cuts off what the call
// before it wrote.
struct post_by_number_after_ticket {
  GENESYS_KERNEL void operator()(genesys::os os, int file, u32 times, char* memory, u32* wrong) const {
    for (u32 t = 0; t < times; ++t) {
      auto written = os.ticket().pwrite64(file, memory, 8, 100);
      os.after(written).posted().syscall(SYS_ftruncate, file, 0);
      if (written.wait() != 8) genesys::atomic<u32>(*wrong).fetch_add(1);
      while (os.lseek(file, 0, SEEK_END) != 0) genesys::pause(1000);
    }
  }
};

TEST(DirectLater, PostedCallsByNumberFollowTicketsOnRings) {
  runtime rt(direct_with(1, 8));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  constexpr u32 times = 20;
  const folder in;
  const descriptor file = made_file(in, "file", "");
  const in_arena<char> memory(rt, 8);
  const on_device<u32> wrong(rt, std::vector<u32>(1));
  play(rt, {}, post_by_number_after_ticket{}, file.get(), times, memory.get(), wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(rt.stats().direct_calls, times);
  EXPECT_EQ(rt.stats().posted, times);
}

// Posts writes to a file, from the arena and staged from device memory, and to a file that is open for reading only.
struct post_writes {
  GENESYS_KERNEL void operator()(genesys::os os, int to, int closed, u32 times, const u8* in_arena,
                                 const u8* on_device) const {
    using namespace genesys;
    const u64 me = u64{block_rank()} * threads_in_block() + thread_rank();
    for (u32 t = 0; t < times; ++t) {
      const bool staged = (me + t) % 8 == 0;
      const auto at = static_cast<off_t>((me * times + t) * piece);
      os.posted().pwrite64(to, staged ? on_device : in_arena, piece, at);
      if (t % 4 == 0) os.posted().pwrite64(closed, in_arena, piece, 0);
    }
  }
};

class DirectPosted : public testing::TestWithParam<u32> {};

TEST_P(DirectPosted, AreMadeByTheTimeOfDrain) {
  runtime rt(direct_with(2, GetParam()));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  constexpr u32 all = 192, times = 12;
  const u32 threads = fitting_threads(64, GetParam()), blocks = all / threads;
  const folder in;
  const descriptor to = made_file(in, "to", "");
  const descriptor closed(::open((in / "to").c_str(), O_RDONLY | O_CLOEXEC));
  const std::string content = patterned(piece);
  const in_arena<u8> here(rt, piece);
  std::copy(content.begin(), content.end(), here.get());
  const on_device<u8> there(rt, std::vector<u8>(content.begin(), content.end()));
  for (u32 round = 1; round <= 3; ++round) {
    ASSERT_EQ(::ftruncate(to.get(), 0), 0);
    play(rt, {.blocks = {blocks}, .threads = {threads}}, post_writes{}, to.get(), closed.get(), times, here.get(),
         there.get());
    const std::string written = content_of(to.get());
    ASSERT_EQ(written.size(), all * times * piece);
    u64 bad = 0;
    for (u64 i = 0; i < all * times; ++i) bad += written.compare(i * piece, piece, content) != 0;
    EXPECT_EQ(bad, 0u);
    const genesys::statistics said = rt.stats();
    EXPECT_EQ(said.posted, round * all * (times + times / 4));
    EXPECT_EQ(said.posted_failed, round * all * (times / 4));
    EXPECT_EQ(said.direct_calls, round * (all * times * 7 / 8 + all * (times / 4)));
  }
}

INSTANTIATE_TEST_SUITE_P(Entries, DirectPosted, testing::Values(2u, 8u, 1024u),
                         [](const auto& info) { return std::to_string(info.param); });

struct wait_for_bytes {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, char* buffer, long* said) const {
    said[genesys::thread_rank()] = os.read(pipe, buffer + genesys::thread_rank(), 1);
  }
};

// The same ring has waiting calls of another run, and completions that no lane has taken yet.
TEST(DirectLater, DrainDoesNotWaitForOthers) {
  runtime rt(direct_with(1, 64));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  constexpr u32 threads = 32;
  const folder in;
  const descriptor to = made_file(in, "to", "");
  const descriptor closed(::open((in / "to").c_str(), O_RDONLY | O_CLOEXEC));
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const descriptor out(ends[0]), into(ends[1]);
  const in_arena<char> buffer(rt, threads);
  const in_arena<u8> here(rt, piece);
  const on_device<u8> there(rt, std::vector<u8>(piece));
  const on_device<long> said(rt, threads);
  const stream beside;
  const genesys::run waiting = genesys::launch(rt, {.threads = {threads}, .stream = beside.get()}, wait_for_bytes{},
                                               out.get(), buffer.get(), said.get());
  ASSERT_TRUE(eventually([&] { return rt.stats().direct_calls == threads; }));
  play(rt, {.threads = {threads}}, post_writes{}, to.get(), closed.get(), 4u, here.get(), there.get());
  EXPECT_EQ(rt.stats().posted, threads * 5);
  EXPECT_EQ(rt.stats().posted_failed, threads);
  EXPECT_FALSE(waiting.finished());
  ASSERT_EQ(::write(into.get(), std::string(threads, 'x').c_str(), threads), threads);
  EXPECT_TRUE(eventually([&] { return waiting.finished(); }));
  for (const long value : said.take()) EXPECT_EQ(value, 1);
}

struct read_once {
  GENESYS_KERNEL void operator()(genesys::os os, int from, u8* into, long* said, u64* took_ns) const {
    const u64 begin = genesys::clock_ns();
    *said = os.pread64(from, into, piece, 0);
    *took_ns = genesys::clock_ns() - begin;
  }
};

// The completions of posted calls come before its own, and no other lane takes them.
TEST(DirectLater, ABacklogIsTakenWithoutPauses) {
  runtime rt(direct_with(1, 1024));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  constexpr u32 threads = 64, times = 48;  // nearly as many calls as fit
  const folder in;
  const descriptor to = made_file(in, "to", patterned(piece));
  const in_arena<u8> here(rt, piece);
  const in_arena<long> said(rt, 1);
  const in_arena<u64> took_ns(rt, 1);
  play(rt, {.threads = {threads}}, post_writes{}, to.get(), to.get(), times, here.get(), here.get());
  const u64 posted = rt.stats().direct_calls;
  EXPECT_EQ(posted, threads * times * 5 / 4);
  play(rt, {}, read_once{}, to.get(), here.get(), said.get(), took_ns.get());
  EXPECT_EQ(said[0], piece);
  EXPECT_EQ(rt.stats().direct_calls, posted + 1);
  EXPECT_LT(took_ns[0], sanitized ? 5'000'000'000 : 50'000'000);
}

struct post_to_pipe {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, const char* bytes) const {
    os.posted().write(pipe, bytes, 4096);
  }
};

// Calls are posted to full pipes. The end of the runtime cancels them and says so.
TEST(DirectLater, TheEndOfWhatIsPosted) {
  constexpr u32 threads = 8;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const descriptor out(ends[0]), into(ends[1]);
  ASSERT_GE(::fcntl(into.get(), F_SETPIPE_SZ, 4096), 0);
  std::optional<genesys::run> run;
  bool direct = false;
  testing::internal::CaptureStderr();
  {
    runtime rt(direct_with(1, 64));
    direct = is_direct(rt);
    const in_arena<char> bytes(rt, 4096);
    run = genesys::launch(rt, {.threads = {threads}}, post_to_pipe{}, into.get(), bytes.get());
    EXPECT_TRUE(eventually([&] { return run->finished(); }));
    EXPECT_TRUE(!direct || eventually([&] { return rt.stats().direct_calls == threads; }));
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("7 posted calls were not made"), std::string::npos) << said;
  run.reset();
  if (!direct) GTEST_SKIP() << "no executor direct here";
}

}  // namespace
}  // namespace contract
