// SPDX-License-Identifier: Apache-2.0
// What a host program uses: options, launches, runs, streams, memory, statistics, reports.
#include <algorithm>
#include <future>
#include <optional>

#include "contract.h"
#include "stream.h"

namespace contract {
namespace {

struct pair_of_numbers {
  long first;
  int second;
};

struct take_copies {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, const char* text, const pair_of_numbers* numbers,
                                 int folder, long* values) const {
    const auto io = os.on(genesys::block{});
    const long fd = io.openat(folder, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const long wrote = io.write(static_cast<int>(fd), text, 5);
    io.close(static_cast<int>(fd));
    const u32 me = genesys::thread_rank();
    values[me * 4] = fd;
    values[me * 4 + 1] = wrote;
    values[me * 4 + 2] = numbers->first;
    values[me * 4 + 3] = numbers->second;
  }
};

struct count_up {
  GENESYS_KERNEL void operator()(genesys::os os, u32 rounds, u32* sum) const {
    for (u32 i = 0; i < rounds; ++i) {
      if (os.getpid() > 0) genesys::atomic<u32>(*sum).fetch_add(1);
    }
  }
};

template <class Action>
void expect_error(genesys::error_code code, const std::string& word, Action action) {
  try {
    action();
    ADD_FAILURE() << "nothing was thrown; expected: " << word;
  } catch (const genesys::error& thrown) {
    EXPECT_EQ(static_cast<int>(thrown.code()), static_cast<int>(code)) << thrown.what();
    EXPECT_NE(std::string(thrown.what()).find(word), std::string::npos) << thrown.what();
    EXPECT_EQ(std::string(thrown.what()).substr(0, 9), "genesys: ");
  }
}

TEST(Options, ThatMakeNoSense) {
  const auto refuse = [](const genesys::options& chosen, const std::string& word) {
    expect_error(genesys::error_code::bad_option, word, [&] { runtime rt(chosen); });
  };
  refuse({.slots_per_queue = 100}, "slots_per_queue is 100");
  refuse({.slots_per_queue = 32}, "slots_per_queue is 32");
  refuse({.slots_per_queue = 0}, "slots_per_queue is 0");
  refuse({.queues = 2000}, "queues is 2000");
  refuse({.bounce_bytes = 1}, "bounce_bytes is 1");
  refuse({.bounce_bytes = 0}, "bounce_bytes is 0");
  refuse({.bounce_bytes = std::size_t{65} << 30}, "bounce_bytes is 69793218560");
  refuse({.arena_bytes = ~std::size_t{0}}, "arena_bytes is 18446744073709551615");
  refuse({.workers = 5000}, "workers is 5000");
  if (!on_cuda())  // where there may be no CPU device to refuse it
    refuse({.device = genesys::device_kind::cpu, .stack_bytes = 8192}, "stack_bytes is 8192");
}

TEST(Options, ThatAskForMoreMemoryThanThereIs) {
  expect_error(genesys::error_code::no_pinned_memory, "arena_bytes", [] {
    runtime rt({.workers = 1, .arena_bytes = std::size_t{1} << 46});
    (void)rt.allocate_arena(std::size_t{1} << 45);
  });
}

TEST(Options, AreTold) {
  const runtime rt({.workers = 3, .queues = 8, .slots_per_queue = 128, .bounce_bytes = 16u << 20});
  const std::string text = rt.describe();
  EXPECT_NE(text.find("3 workers"), std::string::npos) << text;
  EXPECT_NE(text.find("8 queues of 128 slots"), std::string::npos) << text;
  EXPECT_EQ(text.find(rt.kind() == genesys::device_kind::cuda ? "cuda" : "cpu"), 0u) << text;
}

TEST(Launch, ThatCannotBe) {
  runtime& rt = shared_runtime();
  on_device<u32> sum(rt, 1);
  sum.fill(0);
  const auto refuse = [&](const genesys::launch_config& config) {
    try {
      play(rt, config, count_up{}, 1u, sum.get());
      ADD_FAILURE() << "it was launched";
    } catch (const genesys::error& thrown) {
      EXPECT_TRUE(thrown.code() == genesys::error_code::launch_failed ||
                  thrown.code() == genesys::error_code::bad_option)
          << thrown.what();
      EXPECT_GT(std::string(thrown.what()).size(), 20u) << thrown.what();
    }
  };
  refuse({.blocks = {1}, .threads = {1025}});
  refuse({.blocks = {1}, .threads = {0}});
  refuse({.blocks = {0}, .threads = {1}});
  refuse({.blocks = {1}, .threads = {33, 32}});
  refuse({.blocks = {1}, .threads = {1, 1, 65}});
  refuse({.blocks = {1, 65536}, .threads = {1}});
  refuse({.blocks = {1}, .threads = {1}, .shared_bytes = 300 * 1024});
  play(rt, {.blocks = {2}, .threads = {3}}, count_up{}, 4u, sum.get());
  EXPECT_EQ(sum.take()[0], 24u);
}

TEST(Launch, RunsMayBeDrainedTwiceAndCopied) {
  runtime& rt = shared_runtime();
  on_device<u32> sum(rt, 1);
  sum.fill(0);
  {
    const genesys::run run = genesys::launch(rt, {.blocks = {4}, .threads = {64}}, count_up{}, 3u, sum.get());
    const genesys::run copy = run;
    finish(rt, run);
    run.drain();
    copy.drain();
    EXPECT_TRUE(copy.finished());
    rt.drain();
  }
  rt.drain();
  EXPECT_EQ(sum.take()[0], 4u * 64 * 3);
}

struct wait_for_word {
  GENESYS_KERNEL void operator()(genesys::os, u32* word) const {
    while (genesys::atomic<u32, genesys::thread_scope::system>(*word).load() == 0) genesys::pause(1000);
  }
};

// A thread drains the runtime, and another one ends a run meanwhile.
TEST(Launch, RunsEndWhileTheRuntimeIsDrained) {
  runtime& rt = shared_runtime();
  const stream one, two;
  const in_arena<u32> words(rt, 2);
  for (u32 round = 0; round < 5; ++round) {
    words[0] = words[1] = 0;
    const launched first = start(rt, {.stream = one.get()}, wait_for_word{}, words.get());
    std::optional<genesys::run> second = genesys::launch(rt, {.stream = two.get()}, wait_for_word{}, words.get() + 1);
    auto drains = std::async(std::launch::async, [&] { rt.drain(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // it waits for the first one
    std::atomic_ref<u32>(words[1]).store(1);
    second.reset();
    std::atomic_ref<u32>(words[0]).store(1);
    if (drains.wait_for(std::chrono::duration<double>(time_limit_s)) != std::future_status::ready)
      give_up(rt, "drain() has not returned in time");
  }
}

TEST(Launch, RunsThatNobodyKeeps) {
  runtime& rt = shared_runtime();
  on_device<u32> sum(rt, 1);
  sum.fill(0);
  for (int i = 0; i < 20; ++i) (void)genesys::launch(rt, {.blocks = {1}, .threads = {32}}, count_up{}, 1u, sum.get());
  EXPECT_EQ(sum.take()[0], 20u * 32);
}

TEST(Launch, CopiesOfARun) {
  runtime& rt = shared_runtime();
  folder in;
  on_device<long> values(rt, 32 * 4);
  {
    const genesys::run run = rt.attach();
    const std::string name = "a name";
    const char* path = run.copy(name);
    const char* text = run.copy(std::string_view("hello, you", 5));
    const pair_of_numbers* numbers = run.copy(pair_of_numbers{1l << 40, -3});
    play(rt, {.blocks = {1}, .threads = {32}}, take_copies{}, path, text, numbers, in.fd(), values.get());
  }
  const auto v = values.take();
  for (std::size_t t = 0; t < 32; ++t) {
    EXPECT_GE(v[t * 4], 0);
    EXPECT_EQ(v[t * 4 + 1], 5);
    EXPECT_EQ(v[t * 4 + 2], 1l << 40);
    EXPECT_EQ(v[t * 4 + 3], -3);
  }
  const descriptor file(::open((in / "a name").c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(content_of(file.get()), "hello");
}

// Opens each of the paths, and counts the strings.
struct open_each {
  GENESYS_KERNEL void operator()(genesys::os os, const char* const* paths, long* seen) const {
    long count = 0, opened = 0;
    for (; paths[count] != nullptr; ++count) {
      const long fd = os.openat(AT_FDCWD, paths[count], O_RDONLY, 0);
      if (fd >= 0) opened += os.close(static_cast<int>(fd)) == 0;
    }
    seen[0] = count;
    seen[1] = opened;
  }
};

TEST(Launch, CopiesOfListsOfStrings) {
  runtime& rt = shared_runtime();
  const auto seen_of = [&](const auto& texts) {
    on_device<long> seen(rt, 2);
    {
      const genesys::run run = rt.attach();
      const char* const* const paths = run.copy(texts);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(paths) % alignof(const char*), 0u);
      play(rt, {}, open_each{}, paths, seen.get());
    }
    const auto all = seen.take();
    return std::pair(all[0], all[1]);
  };
  using two = std::pair<long, long>;
  EXPECT_EQ(seen_of(std::vector<std::string>{"/etc/passwd", "/nowhere", "/etc/group"}), two(3, 2));
  EXPECT_EQ(seen_of(std::vector<std::string>{}), two(0, 0));
  const char* const names[] = {"/etc/passwd", ""};
  EXPECT_EQ(seen_of(names), two(2, 1));
  char first[] = "/etc/group";
  char* arguments[] = {first, first, nullptr};  // as main() gets them
  EXPECT_EQ(seen_of(std::span(arguments, 2)), two(2, 2));
}

struct read_word {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, long* value) const {
    u64 word = 0;
    *value = os.read(pipe, &word, sizeof word);
  }
};

TEST(Launch, StreamsSideBySide) {
  runtime& rt = shared_runtime();
  const stream one, two;
  on_device<u32> sum(rt, 1);
  on_device<long> value(rt, 1);
  sum.fill(0);
  play(rt, {.blocks = {1}, .threads = {1}}, count_up{}, 0u,
       sum.get());  // CUDA loads the kernel here and not behind the one that waits
  const pipe_ends pipe = made_pipe();
  {
    launched waits = start(rt, {.stream = one.get()}, read_word{}, pipe.out.get(), value.get());
    start(rt, {.blocks = {4}, .threads = {100}, .stream = two.get()}, count_up{}, 2u, sum.get()).finish();
    EXPECT_FALSE(waits->finished());
    EXPECT_EQ(sum.take()[0], 800u);
    ASSERT_EQ(::write(pipe.in.get(), "12345678", 8), 8);
  }
  EXPECT_EQ(value.take()[0], 8);
}

TEST(Launch, OfOneStreamFollowEachOther) {
  runtime& rt = shared_runtime();
  const stream one;
  on_device<u32> sum(rt, 1);
  sum.fill(0);
  {
    std::vector<genesys::run> runs;
    for (int i = 0; i < 10; ++i) {
      runs.push_back(
          genesys::launch(rt, {.blocks = {2}, .threads = {33}, .stream = one.get()}, count_up{}, 2u, sum.get()));
    }
    for (const genesys::run& run : runs) finish(rt, run);
  }
  EXPECT_EQ(sum.take()[0], 10u * 2 * 33 * 2);
}

TEST(Memory, OfTheDevice) {
  runtime& rt = shared_runtime();
  constexpr std::size_t bytes = 100'000;
  on_device<u8> memory(rt, bytes);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.get()) % 256, 0u);
  const std::string text = patterned(bytes, 4);
  rt.copy_to_device(memory.get(), text.data(), bytes);
  rt.fill_device(memory.get() + 10, 0x5a, 7);
  std::string back(bytes - 3, 0);
  rt.copy_to_host(back.data(), memory.get() + 3, bytes - 3);
  for (std::size_t i = 3; i < bytes; ++i) ASSERT_EQ(back[i - 3], i >= 10 && i < 17 ? 0x5a : text[i]) << i;
  rt.free_device(nullptr);
  expect_error(genesys::error_code::no_memory, "memory", [&] { (void)rt.allocate_device(std::size_t{1} << 45); });
}

TEST(Memory, OfTheArena) {
  runtime rt({.workers = 1, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
  std::vector<void*> taken;
  for (int i = 0; i < 16; ++i) {
    taken.push_back(rt.allocate_arena(1000));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(taken.back()) % 64, 0u);
    std::memset(taken.back(), i, 1000);
  }
  for (int i = 0; i < 16; ++i) EXPECT_EQ(static_cast<u8*>(taken[static_cast<std::size_t>(i)])[999], i);
  expect_error(genesys::error_code::no_memory, "arena", [&] { (void)rt.allocate_arena(2u << 20); });
  expect_error(genesys::error_code::bad_option, "free_arena", [&] { rt.free_arena(static_cast<u8*>(taken[0]) + 64); });
  for (void* one : taken) rt.free_arena(one);
  rt.free_arena(nullptr);
  rt.free_arena(rt.allocate_arena((1u << 20) - 64));
  expect_error(genesys::error_code::no_memory, "arena", [&] { (void)rt.attach().copy(std::string(2u << 20, 'x')); });
}

// Each thread waits for the host's pointer, and fills the memory there.
struct fill_what_comes {
  GENESYS_KERNEL void operator()(genesys::os os, u64* place, u64 count) const {
    const genesys::atomic<u64, genesys::thread_scope::system> pointer(*place);
    u64 at = 0;
    while ((at = pointer.load(std::memory_order_acquire)) == 0) {
      (void)os.getppid();
      genesys::pause(1000);
    }
    auto* words = reinterpret_cast<u64*>(at);
    for (u64 i = genesys::thread_rank(); i < count; i += genesys::threads_in_block()) words[i] = i;
  }
};

// The arena is pinned when it is used, also under a running kernel.
TEST(Memory, OfTheArenaIsPinnedWhenItIsUsed) {
  constexpr std::size_t bytes = 8u << 20;
  runtime rt({.workers = 1, .arena_bytes = bytes, .bounce_bytes = 16u << 20});
  const std::size_t at_start = rt.stats().pinned_bytes;
  in_arena<u64> place(rt, 1);
  place[0] = 0;
  const std::size_t with_small = rt.stats().pinned_bytes;
  EXPECT_GT(with_small, at_start);
  EXPECT_LT(with_small, at_start + bytes / 8);
  {
    launched kernel(rt, genesys::launch(rt, {.threads = {64}}, fill_what_comes{}, place.get(), bytes / 8));
    auto* const all = static_cast<u64*>(rt.allocate_arena(bytes));  // the small piece takes no room from it
    EXPECT_EQ(rt.stats().pinned_bytes, with_small + bytes);
    std::atomic_ref<u64>(place[0]).store(reinterpret_cast<u64>(all), std::memory_order_release);
    kernel.finish();
    for (u64 i = 0; i < bytes / 8; ++i) ASSERT_EQ(all[i], i);
    expect_error(genesys::error_code::no_memory, "arena", [&] { (void)rt.allocate_arena(100'000); });
    rt.free_arena(all);
  }
  // Small pieces go on in the large part.
  std::vector<void*> small;
  for (u32 i = 0; i < 200; ++i) small.push_back(rt.allocate_arena(10'000));
  std::ranges::sort(small);
  EXPECT_EQ(std::ranges::adjacent_find(small), small.end());
  for (void* one : small) std::memset(one, 1, 10'000);
  for (void* one : small) rt.free_arena(one);
  rt.free_arena(rt.allocate_arena(bytes));
  EXPECT_EQ(rt.stats().pinned_bytes, with_small + bytes);
}

TEST(Told, Statistics) {
  runtime rt({.workers = 2, .bounce_bytes = 16u << 20});
  on_device<u32> sum(rt, 1);
  sum.fill(0);
  EXPECT_EQ(rt.stats().completed, 0u);
  play(rt, {.blocks = {3}, .threads = {50}}, count_up{}, 7u, sum.get());
  ASSERT_TRUE(eventually([&] { return rt.stats().completed == 3 * 50 * 7; }));  // counted after completion
  const genesys::statistics s = rt.stats();
  EXPECT_EQ(s.calls.at("getpid"), 3u * 50 * 7);
  EXPECT_EQ(s.calls.size(), 1u);
  EXPECT_EQ(s.malformed, 0u);
  EXPECT_EQ(s.parked, 0u);
  EXPECT_GE(s.workers, 2u);
  EXPECT_GE(s.served_us_mean, 0.0);
  std::ostringstream text;
  rt.report(text);
  for (const char* word :
       {"genesys: ", "2 workers", "in flight: 0 in Linux, 0 parked", "threads: ", "1050 calls so far"}) {
    EXPECT_NE(text.str().find(word), std::string::npos) << word << " is missing in\n" << text.str();
  }
}

// A kernel cannot use the runtime's own descriptors: they give -EBADF.
struct touch_descriptors {
  GENESYS_KERNEL void operator()(genesys::os os, const int* fds, u32 count, long* values) const {
    struct stat about;
    for (u32 i = 0; i < count; ++i) values[i] = os.fstat(fds[i], &about);
  }
};

// All open descriptors of the kinds that a runtime opens.
std::vector<int> open_descriptors() {
  std::vector<int> all;
  for (int fd = 0; fd < 1024; ++fd) {
    std::error_code none;
    const std::string what = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), none).string();
    if (what == "anon_inode:[eventpoll]" || what == "anon_inode:[timerfd]") all.push_back(fd);
  }
  return all;
}

TEST(Descriptors, OfTheRuntimeAreOutOfReach) {
  (void)shared_runtime();  // opens the descriptors that the device keeps for the process
  const auto before = open_descriptors();
  runtime rt(genesys::options{.workers = 1, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
  std::vector<int> own;
  for (const int fd : open_descriptors()) {
    if (std::find(before.begin(), before.end(), fd) == before.end()) own.push_back(fd);
  }
  ASSERT_FALSE(own.empty());
  on_device<int> fds(rt, own);
  on_device<long> values(rt, own.size());
  play(rt, {}, touch_descriptors{}, fds.get(), static_cast<u32>(own.size()), values.get());
  for (const long value : values.take()) EXPECT_EQ(value, -EBADF);
}

}  // namespace
}  // namespace contract
