// SPDX-License-Identifier: Apache-2.0
// Each wait strategy: a waiting thread gets its result, divergent or not, at each scope. It also does when other
// threads of the block have left, when another lane ends its wait, and when the runtime ends.
#include <sys/stat.h>

#include <atomic>
#include <memory>
#include <optional>

#include "contract.h"

namespace contract {
namespace {

enum class strategy : u32 { unsaid, back_off, spin, suspended };
constexpr strategy strategies[] = {strategy::unsaid, strategy::back_off, strategy::spin, strategy::suspended};

// An os with a strategy: suspended by its type, the others at run time.
template <bool suspended>
class with_strategy {
 public:
  // All threads of the block call it.
  GENESYS_KERNEL with_strategy(const genesys::os& os, strategy how) : os_(os) {
    if (how == strategy::back_off) os_ = os.waits(genesys::back_off());
    if (how == strategy::spin) os_ = os.waits(genesys::spin());
  }
  template <class Scope>
  GENESYS_KERNEL auto on(Scope scope) const {
    if constexpr (suspended) {
      return os_.on(scope).waits(waiter_);
    } else {
      return os_.on(scope);
    }
  }

 private:
  struct none {};
  genesys::os os_;
  std::conditional_t<suspended, genesys::suspended, none> waiter_;
};

constexpr u32 leaver = 6;  // of each seven threads
constexpr u32 chained = 100;

GENESYS_KERNEL bool leaves(u32 thread) { return thread % 7 == leaver; }

// A chain through pipes: each thread waits for its predecessor, in one of three ways, and then wakes the next thread.
// So many threads wait at the same time, each for another, and each looks once as the last one.
template <bool suspended>
struct chain {
  GENESYS_KERNEL void operator()(genesys::os plain, strategy how, const int* ends, long parent, u32* wrong) const {
    using namespace genesys;
    const with_strategy<suspended> all(plain, how);
    const auto os = all.on(thread());
    const auto together = all.on(block());
    const u32 me = thread_rank();
    const u32 pipe = block_rank() * (threads_in_block() + 1);
    if (leaves(me)) {
      wrong[block_rank() * threads_in_block() + me] = 0;
      return;
    }
    u32 bad = os.getppid() != parent;
    auto asked = os.ticket().getppid();
    u64 word = 0;
    if (me % 3 == 0) {
      bad += os.read(ends[2 * (pipe + me)], &word, sizeof word) != sizeof word;
    } else if (me % 3 == 1) {
      auto under_way = os.ticket().read(ends[2 * (pipe + me)], &word, sizeof word);
      bad += under_way.wait() != sizeof word;
    } else {
      bad += all.on(warp{1u << lane()}).read(ends[2 * (pipe + me)], &word, sizeof word) != sizeof word;
    }
    bad += word != chained;
    u32 next = me + 1;
    if (next < threads_in_block() && leaves(next)) ++next;
    if (next > threads_in_block()) next = threads_in_block();
    bad += os.write(ends[2 * (pipe + next) + 1], &word, sizeof word) != sizeof word;
    bad += asked.wait() != parent;
    u64 last = 0;  // the end of the chain wrote it
    bad += together.relaxed().read(ends[2 * (pipe + threads_in_block())], &last, sizeof last) != sizeof last;
    bad += last != chained;
    auto after = together.ticket().getppid();
    bad += together.after(after).syscall(SYS_getppid) != parent;
    bad += after.wait() != parent;
    wrong[block_rank() * threads_in_block() + me] = bad;
  }
};

void check_chains(runtime& rt, strategy how, u32 blocks, u32 threads) {
  SCOPED_TRACE("strategy " + std::to_string(static_cast<u32>(how)) + ", threads " + std::to_string(threads));
  std::vector<pipe_ends> pipes;
  std::vector<int> ends;
  for (u32 i = 0; i < blocks * (threads + 1); ++i) {
    pipes.push_back(made_pipe());
    ends.push_back(pipes.back().out.get());
    ends.push_back(pipes.back().in.get());
  }
  const on_device<int> on(rt, ends);
  const on_device<u32> wrong(rt, blocks * threads);
  const auto parked = rt.stats().parked;
  {
    const genesys::launch_config shape{.blocks = {blocks}, .threads = {threads}};
    const long parent = ::getppid();
    const launched run = how == strategy::suspended
                             ? start(rt, shape, chain<true>{}, how, on.get(), parent, wrong.get())
                             : start(rt, shape, chain<false>{}, how, on.get(), parent, wrong.get());
    // By then most likely all threads wait. If not, the test is weaker but not wrong.
    (void)eventually([&] { return rt.stats().parked >= parked + blocks * (threads - threads / 7); }, 2);
    const u64 word = chained;
    for (u32 b = 0; b < blocks; ++b)
      ASSERT_EQ(::write(pipes[b * (threads + 1)].in.get(), &word, sizeof word), long{sizeof word});
  }
  for (const u32 bad : wrong.take()) EXPECT_EQ(bad, 0u);
}

TEST(WaitStrategy, EveryCompletionIsFound) {
  for (const strategy how : strategies) {
    check_chains(shared_runtime(), how, 1, sanitized ? 70 : 136);
    check_chains(shared_runtime(), how, 3, 33);
  }
  runtime spinning({.arena_bytes = 1u << 20, .bounce_bytes = 16u << 20, .wait = genesys::wait_strategy::spin});
  check_chains(spinning, strategy::unsaid, 1, 33);
  check_chains(spinning, strategy::suspended, 1, 33);
}

TEST(WaitStrategy, AnUnknownOneIsRefused) {
  EXPECT_THROW(runtime({.wait = static_cast<genesys::wait_strategy>(9)}), genesys::error);
}

template <bool suspended>
struct until_the_end {
  GENESYS_KERNEL void operator()(genesys::os plain, strategy how, int pipe, const char* fifo, long* values,
                                 u32* begun) const {
    using namespace genesys;
    const auto os = with_strategy<suspended>(plain, how).on(thread());
    const u32 me = thread_rank();
    atomic<u32, thread_scope::system>(*begun).fetch_add(1);
    u64 word = 0;
    // Two calls that Linux never ends, in the first warp and in the last. The others are parked.
    const bool stuck = me == 1 || me + 1 == threads_in_block();
    values[me] = stuck         ? os.openat(AT_FDCWD, fifo, O_RDONLY | O_CLOEXEC)
                 : me % 2 == 0 ? os.read(pipe, &word, sizeof word)
                               : os.ticket().read(pipe, &word, sizeof word).wait();
  }
};

TEST(WaitStrategy, TheEndCancelsEachCall) {
  runtime& other = shared_runtime();
  constexpr u32 threads = 70;
  folder in;
  const std::string path = in / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  in_arena<char> name(other, path.size() + 1);
  std::memcpy(name.get(), path.c_str(), path.size() + 1);
  const pipe_ends pipe = made_pipe();
  for (const strategy how : {strategy::spin, strategy::suspended}) {
    SCOPED_TRACE(static_cast<u32>(how));
    in_arena<u32> begun(other, 1);
    begun[0] = 0;
    on_device<long> values(other, threads);
    std::optional<genesys::run> run;
    auto begin = std::chrono::steady_clock::now();
    {
      runtime rt({.workers = 1, .arena_bytes = 4u << 20, .bounce_bytes = 16u << 20, .shutdown_timeout_ms = 300});
      char* own_name = static_cast<char*>(rt.allocate_arena(path.size() + 1));
      std::memcpy(own_name, path.c_str(), path.size() + 1);
      const auto go = [&](auto kernel) {
        run = genesys::launch(rt, {.threads = {threads}}, kernel, how, pipe.out.get(),
                              static_cast<const char*>(own_name), values.get(), begun.get());
      };
      if (how == strategy::suspended) {
        go(until_the_end<true>{});
      } else {
        go(until_the_end<false>{});
      }
      const auto all_in = [&] {
        std::ostringstream text;
        rt.report(text);
        return text.str().find("2 in Linux") != std::string::npos && rt.stats().parked >= threads - 2;
      };
      if (!eventually(all_in)) give_up(rt, "the calls are not under way");
      begin = std::chrono::steady_clock::now();
    }
    EXPECT_LT(seconds_since(begin), sanitized ? 30 : 5);
    EXPECT_TRUE(eventually([&] { return run->finished(); }));
    run.reset();
    for (const long value : values.take()) EXPECT_EQ(value, -ECANCELED);
    const descriptor writer(::open(path.c_str(), O_RDWR | O_CLOEXEC));  // lets their threads end
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace
}  // namespace contract
