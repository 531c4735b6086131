// SPDX-License-Identifier: Apache-2.0
// Faults around the rings of the executor `direct`: a Linux that stops at any step and completes late and in any order,
// a Linux whose threads always sleep, a monitor that is stopped and resumed, and a runtime that ends under load.
#include <linux/io_uring.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <random>

#include "direct.h"

namespace attack {

using namespace contract;

namespace {

using genesys::detail::shared_ring;
using genesys::detail::shared_ring_shape;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// The distance in words from a ring's `head` to the flags in which Linux tells whether its thread sleeps.
std::ptrdiff_t flags_after_head() {
  io_uring_params said{};
  const descriptor ring(static_cast<int>(::syscall(SYS_io_uring_setup, 2, &said)));
  return (std::ptrdiff_t{said.sq_off.flags} - std::ptrdiff_t{said.sq_off.head}) / std::ptrdiff_t{sizeof(u32)};
}

// Stands between kernels and a ring. It shows the kernels a ring of its own, forwards their entries to Linux, and
// forwards the completions of Linux to them. It works in parts, late, and in any order, as io_uring(7) allows.
class slow_linux {
 public:
  struct pace {
    u32 stall_us;         // the longest pause at one in three of the points where it may stop
    u32 completion_us;    // the longest delay of a completion
    bool asleep = false;  // forwards entries only while the thread of Linux sleeps
  };

  slow_linux(u32 at, shared_ring_shape as, const pace& how, u64 seed)
      : at_(at),
        as_(as),
        how_(how),
        random_(seed),
        memory_(shared_runtime(), first_entry + 8 * as.entries() + 2 * as.completions()) {
    std::memset(memory_.get(), 0, 8 * first_entry);
    const auto word = [&](u32 i) { return reinterpret_cast<u32*>(memory_.get() + line * i); };
    u64* const entries = memory_.get() + first_entry;
    shown_ = {word(0), word(1), word(2), word(3), entries, entries + 8 * as.entries()};
  }
  ~slow_linux() { stop(); }

  // The ring that kernels see in place of the real one.
  const shared_ring& shown() const { return shown_; }
  void begin(const shared_ring& real) {
    real_ = real;
    thread_ = std::thread([this] { work(); });
  }
  // If `all`, it forwards no entries and no completions from now on.
  void hold_back(bool all) { holding_.store(all); }
  // Ends the thread and returns the first error that it found, or an empty string.
  std::string stop() {
    stopping_.store(true);
    if (thread_.joinable()) thread_.join();
    return wrong_;
  }
  u32 completed() const { return given_; }      // after stop(): completions forwarded
  u32 sleeps() const { return sleeps_; }        // after stop(): how often it forwarded entries while Linux slept
  u32 overtakes() const { return overtakes_; }  // after stop(): completions before older ones

 private:
  struct entry {
    u64 words[8];
  };
  struct completion {
    u64 whose, value;
    u32 number;
    steady_clock::time_point due;
  };
  static constexpr u32 line = 16, first_entry = 4 * line;  // in words of eight bytes

  static u32 load(u32* word) { return std::atomic_ref(*word).load(std::memory_order_acquire); }
  static void store(u32* word, u32 value) { std::atomic_ref(*word).store(value, std::memory_order_release); }
  static u64 get(u64& word) { return std::atomic_ref(word).load(std::memory_order_relaxed); }
  static void put(u64& word, u64 value) { std::atomic_ref(word).store(value, std::memory_order_relaxed); }

  u32 random(u32 most) { return static_cast<u32>(random_() % (u64{most} + 1)); }
  u32 some_of(u32 count) { return random(3) == 0 ? count : random(count); }
  void stall() {
    if (how_.stall_us != 0 && random(2) == 0) std::this_thread::sleep_for(microseconds(random(how_.stall_us)));
  }
  void check(bool right, const std::string& what) {
    if (right || !wrong_.empty()) return;
    wrong_ = what;
    std::printf("slow_linux: %s\n", what.c_str());  // at once: the kernel may hang because of it
    std::fflush(stdout);
  }

  void work() {
    while (!stopping_.load()) {
      read_entries();
      if (!holding_.load()) hand_on();
      take_completions();
      if (!holding_.load()) give_completions();
      std::this_thread::sleep_for(microseconds(20));
    }
  }

  // Copies new entries and then frees their slots, as Linux does.
  void read_entries() {
    const u32 there = load(shown_.tail) - head_;
    check(there <= as_.entries(), "the tail is " + std::to_string(there) + " entries ahead of the head");
    if (there == 0 || there > as_.entries()) return;
    const u32 count = some_of(there);
    for (u32 i = 0; i < count; ++i) {
      entry& fresh = entries_.emplace_back();
      u64* const place = shown_.entries + 8 * ((head_ + i) & (as_.entries() - 1));
      for (u32 k = 0; k < 8; ++k) {
        fresh.words[k] = get(place[k]);
        put(place[k], ~u64{0});  // so that an entry that no lane wrote shows
      }
      const u64 whose = fresh.words[4];
      check(whose >> 32 == genesys::detail::tag_of_sequence(at_, head_ + i), "Linux was told of an entry too soon");
      check(under_way_.emplace(static_cast<u32>(whose), whose).second, "a cell has two calls under way");
    }
    stall();
    store(shown_.head, head_ += count);
    stall();
  }

  // Forwards entries, as a thread in user space does.
  void hand_on() {
    if (entries_.empty()) return;
    const u32 free = static_cast<u32>(as_.entries()) - (tail_ - load(real_.head));
    const u32 count = some_of(std::min(free, static_cast<u32>(entries_.size())));
    if (count == 0) return;
    for (u32 i = 0; i < count; ++i) {
      u64* const place = real_.entries + 8 * ((tail_ + i) & (as_.entries() - 1));
      for (u32 k = 0; k < 8; ++k) put(place[k], entries_.front().words[k]);
      entries_.pop_front();
    }
    stall();
    if (how_.asleep && waits_until_asleep()) ++sleeps_;
    at_linux_ += count;
    store(real_.tail, tail_ += count);
    stall();
  }

  bool waits_until_asleep() const {
    u32* const flags = real_.head + flags_after_head_;
    return eventually([&] { return stopping_.load() || (load(flags) & IORING_SQ_NEED_WAKEUP) != 0; }, 1);
  }

  // Reads the ring only while Linux has calls to complete: then callers wait, and the ring's memory stays.
  void take_completions() {
    if (at_linux_ == 0) return;
    const u32 there = load(real_.completed) - seen_;
    const auto now = steady_clock::now();
    for (u32 i = 0; i < there; ++i) {
      u64* const place = real_.completions + 2 * ((seen_ + i) & (as_.completions() - 1));
      completions_.push_back({get(place[0]), get(place[1]), taken_++, now + microseconds(random(how_.completion_us))});
    }
    if (there == 0) return;
    store(real_.seen, seen_ += there);
    at_linux_ -= there;
    stall();
  }

  void give_completions() {
    const auto now = steady_clock::now();
    const auto late =
        std::partition(completions_.begin(), completions_.end(), [&](const completion& a) { return a.due > now; });
    std::shuffle(late, completions_.end(), random_);
    const u32 count = some_of(static_cast<u32>(completions_.end() - late)), free = free_completions();
    check(count <= free, "there is no room for a completion");
    if (count == 0 || count > free) return;
    for (u32 i = 0; i < count; ++i) {
      const completion one = completions_.back();
      completions_.pop_back();
      write_completion(given_ + i, one.whose, one.value);
      under_way_.erase(static_cast<u32>(one.whose));
      overtakes_ += std::any_of(completions_.begin(), completions_.end(),
                                [&](const completion& a) { return a.number < one.number; });
    }
    stall();
    store(shown_.completed, given_ += count);
    // A wrong completion in the next slot: no caller may read it before `completed` counts it.
    if (free > count && !under_way_.empty()) write_completion(given_, under_way_.begin()->second, 0x7fff'0000);
    stall();
  }

  u32 free_completions() const { return static_cast<u32>(as_.completions()) - (given_ - load(shown_.seen)); }
  void write_completion(u32 number, u64 whose, u64 value) {
    u64* const place = shown_.completions + 2 * (number & (as_.completions() - 1));
    put(place[0], whose);
    put(place[1], value);
  }

  const u32 at_;  // the ring's number in the runtime
  const shared_ring_shape as_;
  const pace how_;
  std::mt19937_64 random_;
  const in_arena<u64> memory_;
  const std::ptrdiff_t flags_after_head_ = flags_after_head();
  shared_ring shown_{}, real_{};
  std::deque<entry> entries_;                       // read, but not forwarded
  std::vector<completion> completions_;             // taken, but not forwarded
  std::map<u32, u64> under_way_;                    // the user data of each call under way, by its completion slot
  u32 head_ = 0, tail_ = 0, seen_ = 0, given_ = 0;  // as this side last stored them
  u32 at_linux_ = 0, taken_ = 0, sleeps_ = 0, overtakes_ = 0;
  std::string wrong_;
  std::atomic<bool> holding_{false}, stopping_{false};
  std::thread thread_;
};

struct show_rings {
  GENESYS_KERNEL void operator()(genesys::os os, const shared_ring* shown, shared_ring* real, u32 rings) const {
    for (u32 i = 0; i < rings; ++i) {
      real[i] = os.context().rings->ring[i];
      os.context().rings->ring[i] = shown[i];
    }
  }
};

// A slow_linux in front of each ring of a runtime whose kernels have not used the rings yet.
class slow_rings {
 public:
  slow_rings(runtime& rt, u32 rings, u32 entries, const slow_linux::pace& how) {
    shared_ring_shape as;
    as.rings = static_cast<u8>(rings);
    as.entries_log2 = static_cast<u8>(std::countr_zero(entries));
    as.completions_log2 = static_cast<u8>(as.entries_log2 + 2);
    const in_arena<shared_ring> shown(rt, rings), real(rt, rings);
    for (u32 i = 0; i < rings; ++i)
      shown[i] = all_.emplace_back(std::make_unique<slow_linux>(i, as, how, seed_ + i))->shown();
    play(rt, {}, show_rings{}, shown.get(), real.get(), rings);
    for (u32 i = 0; i < rings; ++i) all_[i]->begin(real[i]);
  }
  void hold_back(bool all) {
    for (const auto& one : all_) one->hold_back(all);
  }
  // Returns the number of completions. Fails the test if one of them found an error.
  u64 stop() {
    u64 completions = 0;
    for (const auto& one : all_) {
      EXPECT_EQ(one->stop(), "") << "seed " << seed_;
      completions += one->completed();
      sleeps_ += one->sleeps();
      overtakes_ += one->overtakes();
    }
    return completions;
  }
  u64 sleeps() const { return sleeps_; }
  u64 overtakes() const { return overtakes_; }

 private:
  const u64 seed_ = std::random_device{}();
  std::vector<std::unique_ptr<slow_linux>> all_;
  u64 sleeps_ = 0, overtakes_ = 0;
};

constexpr u32 piece_bytes = 512, pieces = 97;

// How many bytes the call with this number reads, and from where. The sizes differ, so a result of another call shows.
GENESYS_KERNEL u32 bytes_of(u64 number) { return 1 + static_cast<u32>(number * 37 % piece_bytes); }
GENESYS_KERNEL u64 place_of(u64 number) { return number * 13 % (pieces - 1) * piece_bytes; }

GENESYS_KERNEL bool reads_right(genesys::os os, int file, u64 number, u8* into) {
  const u32 bytes = bytes_of(number);
  if (os.pread64(file, into, bytes, static_cast<off_t>(place_of(number))) != bytes) return false;
  for (u32 k = 0; k < bytes; k += k + 19 < bytes ? 19 : 1) {
    if (into[k] != pattern(place_of(number) + k)) return false;
  }
  return true;
}

// Each thread reads pieces of one file and writes each to a place of its own in another.
struct read_write_sync {
  GENESYS_KERNEL void operator()(genesys::os os, int from, int to, u32 times, u8* buffers, u32* wrong) const {
    using namespace genesys;
    const u64 me = u64{block_rank()} * threads_in_block() + thread_rank();
    u8* const mine = buffers + me * piece_bytes;
    for (u32 i = 0; i < times; ++i) {
      const u64 number = me * times + i;
      if (i % 3 == 1 && thread_rank() % 2 == 0) pause(500);
      if (!reads_right(os, from, number, mine)) atomic<u32>(wrong[0]).fetch_add(1);
      const long said = os.pwrite64(to, mine, bytes_of(number), static_cast<off_t>(number * piece_bytes));
      if (said != bytes_of(number)) atomic<u32>(wrong[1]).fetch_add(1);
    }
    if (me % 8 == 0 && os.fsync(to) != 0) atomic<u32>(wrong[2]).fetch_add(1);
  }
};

struct slow_case {
  const char* name;
  u32 entries, times;
  slow_linux::pace how;
};

class DirectSlowed : public testing::TestWithParam<slow_case> {};

TEST_P(DirectSlowed, EachCallCompletesOnce) {
  const slow_case& chosen = GetParam();
  runtime rt(direct_with(2, chosen.entries));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  const u32 threads = fitting_threads(64, chosen.entries), all = 256, blocks = all / threads, times = chosen.times;
  const folder in;
  const descriptor from = made_file(in, "from", patterned(pieces * piece_bytes)), to = made_file(in, "to", "");
  const in_arena<u8> buffers(rt, all * piece_bytes);
  const on_device<u32> wrong(rt, std::vector<u32>(3));
  slow_rings linux_between(rt, 2, chosen.entries, chosen.how);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, read_write_sync{}, from.get(), to.get(), times, buffers.get(),
       wrong.get());
  const u64 calls = u64{all} * 2 * times + all / 8;
  EXPECT_EQ(linux_between.stop(), calls);
  EXPECT_EQ(rt.stats().direct_calls, calls);
  EXPECT_EQ(wrong.take(), std::vector<u32>(3));
  EXPECT_GT(linux_between.overtakes(), calls / 10);
  EXPECT_TRUE(!chosen.how.asleep || linux_between.sleeps() > 20) << linux_between.sleeps();
  const std::string written = content_of(to.get()), read = patterned(pieces * piece_bytes);
  for (u64 number = 0; number < all * times; ++number) {
    ASSERT_EQ(written.substr(number * piece_bytes, bytes_of(number)), read.substr(place_of(number), bytes_of(number)))
        << number;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, DirectSlowed,
    testing::Values(slow_case{"Of8", 8, 15, {.stall_us = 300, .completion_us = 1000}},
                    slow_case{"Of256", 256, 40, {.stall_us = 1000, .completion_us = 5000}},
                    slow_case{"Of256Late", 256, 3, {.stall_us = 1000, .completion_us = 60'000}},
                    slow_case{"Of8Asleep", 8, 1, {.stall_us = 300, .completion_us = 1000, .asleep = true}},
                    slow_case{"Of256Asleep", 256, 8, {.stall_us = 300, .completion_us = 3000, .asleep = true}}),
    [](const auto& info) { return std::string(info.param.name); });

// A file, and for each pair of threads a pipe or a socket from one to the other.
struct ways {
  const int *ins, *outs;
  int file;
};

// The threads of half the blocks send words, and the others wait for them. All read the file in between. The senders
// read more often, so the receivers come first and take all entries that they may have.
struct send_and_wait {
  GENESYS_KERNEL void operator()(genesys::os os, ways by, u32 times, u8* buffers, u64* words, u32* wrong) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    const u32 pair = block_rank() / 2 * threads_in_block() + thread_rank();
    const bool is_pipe = pair % 2 == 0, sends = block_rank() % 2 != 0;
    u8* const mine = buffers + u64{me} * piece_bytes;
    for (u32 i = 0; i < times; ++i) {
      for (u32 k = 0; k < (sends ? 3 : 1); ++k) {
        if (!reads_right(os, by.file, u64{me} * times + i + k, mine)) atomic<u32>(wrong[0]).fetch_add(1);
      }
      const u64 word = u64{pair} << 32 | i;
      long said;
      if (sends) {
        words[me] = word;
        said = is_pipe ? os.write(by.ins[pair], &words[me], 8) : os.sendto(by.ins[pair], &words[me], 8, MSG_NOSIGNAL);
      } else {
        said = is_pipe ? os.read(by.outs[pair], &words[me], 8) : os.recvfrom(by.outs[pair], &words[me], 8, 0);
      }
      if (said != 8) atomic<u32>(wrong[1]).fetch_add(1);
      if (words[me] != word) atomic<u32>(wrong[2]).fetch_add(1);
    }
  }
};

class DirectSlowedWaits : public testing::TestWithParam<slow_case> {};

TEST_P(DirectSlowedWaits, AmongOthers) {
  const slow_case& chosen = GetParam();
  runtime rt(direct_with(2, chosen.entries));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  const u32 threads = fitting_threads(64, chosen.entries), all = 256, blocks = all / threads;
  const u32 pairs = all / 2, times = chosen.times;
  std::vector<descriptor> ends;
  std::vector<int> ins, outs;
  for (u32 i = 0; i < pairs; ++i) {
    int two[2];
    ASSERT_EQ(i % 2 == 0 ? ::pipe2(two, O_CLOEXEC) : ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, two), 0);
    for (const int end : two) ends.emplace_back(end);
    outs.push_back(two[0]);
    ins.push_back(two[1]);
  }
  const on_device<int> ins_there(rt, ins), outs_there(rt, outs);
  const folder in;
  const descriptor file = made_file(in, "file", patterned(pieces * piece_bytes));
  const in_arena<u8> buffers(rt, u64{2} * pairs * piece_bytes);
  const in_arena<u64> words(rt, u64{2} * pairs);
  const on_device<u32> wrong(rt, std::vector<u32>(3));
  slow_rings linux_between(rt, 2, chosen.entries, chosen.how);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, send_and_wait{},
       ways{ins_there.get(), outs_there.get(), file.get()}, times, buffers.get(), words.get(), wrong.get());
  const u64 completions = linux_between.stop(), calls = u64{pairs} * (2 + 4) * times;
  EXPECT_EQ(rt.stats().direct_calls, completions);
  EXPECT_EQ(rt.stats().completed, calls);
  // A ring keeps half of its entries for calls that do not wait. Worker threads make the waiting calls beyond that. In
  // a large ring these are few: only while a lane has taken completions and not yet stored the new head.
  EXPECT_GT(completions, chosen.entries == 8 ? calls / 2 : calls - calls / 100) << calls;
  EXPECT_EQ(wrong.take(), std::vector<u32>(3));
  EXPECT_GT(linux_between.overtakes(), completions / 10);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, DirectSlowedWaits,
    testing::Values(slow_case{"Of8", 8, 12, {.stall_us = 300, .completion_us = 1000}},
                    slow_case{"Of256", 256, 20, {.stall_us = 300, .completion_us = 3000}},
                    slow_case{"Of256Asleep", 256, 4, {.stall_us = 300, .completion_us = 3000, .asleep = true}}),
    [](const auto& info) { return std::string(info.param.name); });

// Until the runtime ends, half of the blocks read a file and the others receive words.
struct call_till_the_end {
  GENESYS_KERNEL void operator()(genesys::os os, int file, int socket, u8* buffers, long* last) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    u8* const mine = buffers + u64{me} * piece_bytes;
    long said;
    do {
      said = block_rank() % 2 == 0 ? os.pread64(file, mine, piece_bytes, 0) : os.recvfrom(socket, mine, 8, 0);
    } while (said >= 0);
    last[me] = said;
  }
};

enum class held { not_at_all, for_a_while, for_ever };
struct end_case {
  const char* name;
  held back;
  u32 entries;
};

class DirectEnd : public testing::TestWithParam<end_case> {};

// The runtime ends with calls of both kinds under way, also while Linux holds all of them back. It leaves a kernel
// behind only if Linux holds them for ever.
TEST_P(DirectEnd, UnderLoad) {
  constexpr u32 all = 128, rings = 2;
  const auto [name, back, entries] = GetParam();
  const u32 threads = fitting_threads(32, entries), blocks = all / threads;
  runtime& other = shared_runtime();
  const folder in;
  const descriptor file = made_file(in, "file", patterned(piece_bytes));
  int two[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, two), 0);
  const descriptor ours(two[0]), theirs(two[1]);
  std::string words(back == held::not_at_all ? 0 : 65536, 'x');  // without words all receivers wait
  ASSERT_EQ(::send(theirs.get(), words.data(), words.size(), 0), static_cast<ssize_t>(words.size()));
  const on_device<long> last(other, std::vector<long>(all, 1));
  genesys::options chosen = direct_with(rings, entries);
  chosen.shutdown_timeout_ms = back == held::for_ever ? 300 : 5000;
  auto rt = std::make_unique<runtime>(chosen);
  if (!is_direct(*rt)) GTEST_SKIP() << rt->describe();
  auto buffers = std::make_unique<in_arena<u8>>(*rt, u64{all} * piece_bytes);
  std::optional<slow_rings> linux_between;
  if (back != held::not_at_all)
    linux_between.emplace(*rt, rings, entries, slow_linux::pace{.stall_us = 300, .completion_us = 1000});
  std::optional<genesys::run> run =
      genesys::launch(*rt, {.blocks = {blocks}, .threads = {threads}}, call_till_the_end{}, file.get(), ours.get(),
                      buffers->get(), last.get());
  if (!eventually([&] { return rt->stats().direct_calls > 1000; })) give_up(*rt, "the kernel does not run");
  std::future<void> let_go;
  if (linux_between) {
    linux_between->hold_back(true);
    std::this_thread::sleep_for(milliseconds(20));  // until all callers wait
    // Later receivers have to wait.
    while (::recv(ours.get(), words.data(), words.size(), MSG_DONTWAIT) > 0) continue;
  }
  if (back == held::for_a_while) {
    let_go = std::async(std::launch::async, [&] {
      std::this_thread::sleep_for(milliseconds(100));
      linux_between->hold_back(false);
    });
  }
  testing::internal::CaptureStderr();
  const auto begin = steady_clock::now();
  buffers.reset();
  rt.reset();
  const double took_s = seconds_since(begin);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("a kernel still runs") != std::string::npos, back == held::for_ever) << said;
  EXPECT_TRUE(back == held::not_at_all || took_s > 0.05) << took_s;
  EXPECT_LT(took_s, chosen.shutdown_timeout_ms / 1e3 + 5);
  if (!eventually([&] { return run->finished(); })) give_up(other, "the kernel has not ended");
  run.reset();
  if (let_go.valid()) let_go.get();
  if (linux_between) linux_between->stop();
  for (const long value : last.take()) EXPECT_EQ(value, -ECANCELED);
}

INSTANTIATE_TEST_SUITE_P(Cases, DirectEnd,
                         testing::Values(end_case{"Of8", held::not_at_all, 8}, end_case{"Of64", held::not_at_all, 64},
                                         end_case{"Of8HeldForAWhile", held::for_a_while, 8},
                                         end_case{"Of64HeldForAWhile", held::for_a_while, 64},
                                         end_case{"Of8HeldForEver", held::for_ever, 8},
                                         end_case{"Of64HeldForEver", held::for_ever, 64}),
                         [](const auto& info) { return std::string(info.param.name); });

struct call_now_and_then {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u32 times, u64 gap_ns, long* said, u64* took_ns) const {
    using namespace genesys;
    for (u32 i = block_rank() * times; i < (block_rank() + 1) * times; ++i) {
      u64 begin = clock_ns();
      while (clock_ns() - begin < gap_ns) pause(1000);
      begin = clock_ns();
      said[i] = os.fdatasync(fd);
      took_ns[i] = clock_ns() - begin;
    }
  }
};

// The youngest monitor of this process's runtimes, or 0. (Linux shows the thread's name.)
pid_t youngest_monitor() {
  pid_t found = 0;
  for (const auto& one : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream comm(one.path() / "comm");
    std::string name;
    if (std::getline(comm, name) && name == "genesys-watcher")
      found = std::max(found, std::atoi(one.path().filename().c_str()));
  }
  return found;
}

// Starts a process that stops and resumes a thread of this one, again and again. Its exit status is 0 or an errno. It
// makes system calls only between fork() and _exit().
pid_t process_that_stops(pid_t thread, u32 times, long stopped_ms, long between_ms) {
  const pid_t other = ::fork();
  if (other != 0) return other;
  const timespec stopped{0, stopped_ms * 1'000'000}, between{0, between_ms * 1'000'000};
  int status;
  if (::ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) != 0) ::_exit(errno);
  for (u32 i = 0; i < times; ++i) {
    ::nanosleep(&between, nullptr);
    if (::ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) != 0) ::_exit(errno);
    if (::waitpid(thread, &status, __WALL) != thread || !WIFSTOPPED(status)) ::_exit(ECHILD);
    ::nanosleep(&stopped, nullptr);
    if (::ptrace(PTRACE_CONT, thread, nullptr, nullptr) != 0) ::_exit(errno);
  }
  ::_exit(0);  // Linux detaches and resumes the thread
}

// While the monitor is stopped, a call whose ring sleeps waits for it. No call is lost, and the runtime takes none for
// lost.
TEST(DirectFaults, TheMonitorIsStoppedForAWhile) {
  constexpr u32 callers = 2, times = 25, stops = 5;
  constexpr long stopped_ms = 40;
  // After that time the thread of Linux sleeps: it counts its 2 ms in ticks, and 250 a second are usual.
  constexpr u64 gap_ns = 12'000'000;
  const pid_t of_others = youngest_monitor();
  runtime rt(direct_with(2, 8));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  pid_t monitor = 0;
  ASSERT_TRUE(eventually([&] { return (monitor = youngest_monitor()) > of_others; }));
  const folder in;
  const descriptor file = made_file(in, "file", "x");
  const in_arena<long> said(rt, callers * times);
  const in_arena<u64> took_ns(rt, callers * times);
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  const pid_t other = process_that_stops(monitor, stops, stopped_ms, 30);
  ASSERT_GT(other, 0);
  play(rt, {.blocks = {callers}, .threads = {1}}, call_now_and_then{}, file.get(), times, gap_ns, said.get(),
       took_ns.get());
  int status = 0;
  if (!eventually([&] { return ::waitpid(other, &status, WNOHANG) == other; }))
    give_up(rt, "the monitor is not resumed");
  ::prctl(PR_SET_PTRACER, 0, 0, 0, 0);
  ASSERT_TRUE(WIFEXITED(status));
  const int why = WEXITSTATUS(status);
  if (why == EPERM || why == EACCES || why == ENOSYS) GTEST_SKIP() << "ptrace: " << std::strerror(why);
  ASSERT_EQ(why, 0) << std::strerror(why);
  u32 late = 0;
  for (u32 i = 0; i < callers * times; ++i) {
    EXPECT_EQ(said[i], 0) << i;
    late += took_ns[i] > u64{stopped_ms} * 1'000'000 / 2;
  }
  EXPECT_GE(late, 2u);
  EXPECT_EQ(rt.stats().direct_calls, callers * times);
}

}  // namespace
}  // namespace attack
