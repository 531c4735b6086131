// SPDX-License-Identifier: Apache-2.0
// Kernels that do not call for a while, and then call: the host sleeps meanwhile, and wakes. In most tests here the
// monitor does not look by itself, so that a lost wake-up ends the test.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <cstring>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract.h"
#include "single_calls.h"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace contract {
namespace {

using genesys::wakeup_kind;

constexpr unsigned hour_us = 3'600'000'000u;

// Waits without a call.
GENESYS_KERNEL void be_silent(u64 ns) {
  const u64 begun = genesys::clock_ns();
  while (genesys::clock_ns() - begun < ns) genesys::pause();
}

// Each thread makes calls of three kinds, with silences of a random length between them. `silence_ns`: the mean.
struct call_now_and_then {
  GENESYS_KERNEL void operator()(genesys::os os, u32 calls, u64 silence_ns, int file, long parent, u32* right) const {
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    u64 state = (me + 1) * 0x9e37'79b9'7f4a'7c15u;
    u32 correct = 0;
    for (u32 i = 0; i < calls; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      be_silent((state >> 33) % (2 * silence_ns));
      const long at = (long{me} * calls + i) * 4;
      if (state >> 62 == 0) {
        correct += os.getppid() == parent;
      } else if (state >> 62 == 1) {
        auto ticket = os.ticket().pwrite64(file, &me, 4, at);
        correct += ticket.wait() == 4;
      } else {
        os.posted().pwrite64(file, &me, 4, at);
        ++correct;
      }
    }
    genesys::atomic<u32>(*right).fetch_add(correct);
  }
};

// Executor direct, and a driver or a setting that the interrupt does not work with.
bool wakes_by_interrupt(const runtime& rt) { return rt.describe().find("by the monitor") == std::string::npos; }

class Silence : public testing::TestWithParam<wakeup_kind> {
 protected:
  static genesys::options without_looks(wakeup_kind as) {
    return {.wakeup = as, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20, .idle_us = 20, .monitor_us = hour_us};
  }
  folder in;
};

TEST_P(Silence, NoCallIsLost) {
  runtime rt(without_looks(GetParam()));
  const descriptor file = made_file(in, "file", "");
  on_device<u32> right(rt, 1);
  const u32 calls = sanitized ? 10 : 40;
  for (const u32 blocks : {1u, 3u}) {
    for (const u64 silence_us : {50, 400, 3000}) {
      right.fill(0);
      launched(rt, genesys::launch(rt, {.blocks = {blocks}, .threads = {2}}, call_now_and_then{}, calls,
                                   silence_us * 1000, file.get(), static_cast<long>(::getppid()), right.get()))
          .finish();
      EXPECT_EQ(right.take()[0], blocks * 2 * calls) << silence_us;
    }
  }
  EXPECT_EQ(rt.stats().posted_failed, 0u);
  const u64 interrupts = rt.stats().interrupts;
  if (!wakes_by_interrupt(rt)) return;
  if (GetParam() == wakeup_kind::quiet) {
    EXPECT_GT(interrupts, calls);
  } else if (GetParam() == wakeup_kind::eager) {
    EXPECT_EQ(interrupts, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Silence, testing::Values(wakeup_kind::quiet, wakeup_kind::balanced, wakeup_kind::eager),
                         [](const auto& of) {
                           return of.param == wakeup_kind::quiet   ? "Quiet"
                                  : of.param == wakeup_kind::eager ? "Eager"
                                                                   : "Balanced";
                         });

TEST(Wakeup, IsAnOptionAndAVariable) {
  const auto described = [](genesys::options as) {
    as.arena_bytes = 1u << 20;
    as.bounce_bytes = 16u << 20;
    as.executor = genesys::executor_kind::threads;
    return runtime(as).describe();
  };
  if (described({}).find("by the monitor") != std::string::npos) GTEST_SKIP() << described({});
  EXPECT_NE(described({}).find("wakeup balanced"), std::string::npos) << described({});
  ::setenv("GENESYS_WAKEUP", "quiet", 1);
  EXPECT_NE(described({}).find("wakeup quiet"), std::string::npos);
  EXPECT_NE(described({.wakeup = wakeup_kind::eager}).find("wakeup eager"), std::string::npos);
  ::setenv("GENESYS_WAKEUP", "loud", 1);
  EXPECT_THROW(described({}), genesys::error);
  ::unsetenv("GENESYS_WAKEUP");
}

struct silent {
  GENESYS_KERNEL void operator()(genesys::os os, u64 ns, long parent, u32* right) const {
    const bool first = os.getppid() == parent;
    be_silent(ns);
    if (first && os.getppid() == parent && right != nullptr) genesys::atomic<u32>(*right).fetch_add(1);
  }
};

// Runs begin and end while the host sleeps, of one runtime and of another.
TEST(Wakeup, TwoRuntimesSleepAndAreWoken) {
  const genesys::options quiet{.wakeup = wakeup_kind::quiet,
                               .arena_bytes = 1u << 20,
                               .bounce_bytes = 16u << 20,
                               .idle_us = 20,
                               .monitor_us = hour_us};
  runtime one(quiet), other(quiet);
  on_device<u32> right(one, 1), of_other(other, 1);
  right.fill(0);
  of_other.fill(0);
  const long parent = ::getppid();
  // On a busy machine the host may not be asleep in time.
  const auto have_woken = [&] { return one.stats().interrupts >= 5 && other.stats().interrupts >= 5; };
  u32 rounds = 0;
  for (; rounds < 5 || (rounds < 100 && wakes_by_interrupt(one) && !have_woken()); ++rounds) {
    launched first(one, genesys::launch(one, {}, silent{}, u64{20'000'000}, parent, right.get()));
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    launched second(other, genesys::launch(other, {}, silent{}, u64{10'000'000}, parent, of_other.get()));
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    const launched third(one, genesys::launch(one, {}, silent{}, u64{1'000'000}, parent, right.get()));
    second.finish();
    first.finish();
  }
  EXPECT_EQ(right.take()[0], rounds * 2);
  EXPECT_EQ(of_other.take()[0], rounds);
  if (!wakes_by_interrupt(one)) return;
  EXPECT_GE(one.stats().interrupts, 5u);
  EXPECT_GE(other.stats().interrupts, 5u);
}

// After a silence, a call that ends soon, and two that wait in Linux for each other: at two pipes in turn, so that the
// two calls of a round meet.
struct meet_at_pipes {
  GENESYS_KERNEL void operator()(genesys::os os, const char* paths, u32 each, u32 rounds, u32* right) const {
    const u32 me = genesys::block_rank();
    for (u32 i = 0; i < rounds; ++i) {
      be_silent(1'500'000 + me * ((i * 7919) % 5) * 2'000);
      if (me == 0) {
        if (os.getppid() > 0) genesys::atomic<u32>(*right).fetch_add(1);
      } else {
        const int fd = static_cast<int>(os.openat(AT_FDCWD, paths + i % 2 * each, me == 1 ? O_RDONLY : O_WRONLY));
        if (fd >= 0 && os.close(fd) == 0) genesys::atomic<u32>(*right).fetch_add(1);
      }
    }
  }
};

// The thread that sleeps does not keep others waiting when it blocks itself: the monitor does not look by itself here.
TEST(Wakeup, CallsThatWaitForEachOther) {
  folder in;
  const std::string names[2] = {in.path() + "/1", in.path() + "/2"};
  for (const std::string& name : names) ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
  runtime rt({.wakeup = wakeup_kind::quiet,
              .arena_bytes = 1u << 20,
              .bounce_bytes = 16u << 20,
              .idle_us = 20,
              .monitor_us = hour_us});
  const u32 each = static_cast<u32>(names[0].size() + 1);
  in_arena<char> paths(rt, 2 * each);
  for (u32 i = 0; i < 2; ++i) std::memcpy(paths.get() + i * each, names[i].c_str(), each);
  const on_device<u32> right(rt, std::vector<u32>(1));
  const u32 rounds = sanitized ? 20 : 100;
  play(rt, {.blocks = {3}, .threads = {1}}, meet_at_pipes{}, static_cast<const char*>(paths.get()), each, rounds,
       right.get());
  EXPECT_EQ(right.take()[0], 3 * rounds);
}

struct never_calls {
  GENESYS_KERNEL void operator()(genesys::os, u64 ns, u32* ended) const {
    be_silent(ns);
    genesys::atomic<u32>(*ended).fetch_add(1);
  }
};

// A kernel that makes no call: its end is seen at once, although the host sleeps and the monitor does not look.
TEST(Wakeup, AKernelThatNeverCalls) {
  for (const wakeup_kind as : {wakeup_kind::quiet, wakeup_kind::balanced, wakeup_kind::eager}) {
    runtime rt(
        {.wakeup = as, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20, .idle_us = 20, .monitor_us = hour_us});
    const on_device<u32> ended(rt, std::vector<u32>(1));
    for (u32 i = 1; i <= 3; ++i) {
      launched(rt, genesys::launch(rt, {}, never_calls{}, u64{30'000'000}, ended.get())).finish();
      EXPECT_EQ(ended.take()[0], i);
    }
    EXPECT_EQ(rt.stats().completed, 0u);
  }
}

TEST(Wakeup, TheRuntimeEndsWhileTheHostSleeps) {
  for (const wakeup_kind as : {wakeup_kind::quiet, wakeup_kind::eager}) {
    std::optional<runtime> rt(
        std::in_place,
        genesys::options{
            .wakeup = as, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20, .idle_us = 20, .monitor_us = hour_us});
    const genesys::run run = genesys::launch(*rt, {}, silent{}, u64{100'000'000}, static_cast<long>(::getppid()),
                                             static_cast<u32*>(nullptr));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    auto ended = std::async(std::launch::async, [&] { rt.reset(); });
    if (ended.wait_for(std::chrono::seconds(time_limit_s)) != std::future_status::ready)
      give_up(shared_runtime(), "the runtime has not ended");
  }
}

#if defined(__CUDACC__)
__global__ void nothing() {}
__global__ void silent_kernel(genesys::os os, u64 ns, long parent, u32* right) { silent{}(os, ns, parent, right); }

// Seconds that it takes.
template <class F>
double seconds_of(F what) {
  const auto begun = std::chrono::steady_clock::now();
  what();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

class ArmedStream : public testing::Test {
 protected:
  void SetUp() override {
    if (!on_cuda()) GTEST_SKIP() << "no GPU";
    rt.emplace(genesys::options{
        .wakeup = wakeup_kind::quiet, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20, .idle_us = 20});
    right.emplace(*rt, 1);
    right->fill(0);
  }
  // Returns when the host sleeps, so that a kernel's next call interrupts.
  static void let_sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }
  const long parent = ::getppid();
  std::optional<runtime> rt;
  std::optional<on_device<u32>> right;
};

// What waits for all of the program's work returns when the kernel ends, and not later.
TEST_F(ArmedStream, WaitsForTheWholeDeviceEndWithTheKernel) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  for (const bool attached : {false, true}) {
    void* memory = nullptr;
    ASSERT_EQ(cudaMalloc(&memory, 4096), cudaSuccess);
    const launched kernel(*rt, attached ? rt->attach(stream)
                                        : genesys::launch(*rt, {}, silent{}, u64{300'000'000}, parent, right->get()));
    if (attached) {
      silent_kernel<<<1, 1, 0, stream>>>(kernel->os(), u64{300'000'000}, parent, right->get());
      kernel->launched();
    }
    let_sleep();
    EXPECT_LT(seconds_of([&] { EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess); }), 1.0);
    EXPECT_LT(seconds_of([&] { EXPECT_EQ(cudaFree(memory), cudaSuccess); }), 0.2);
  }
  EXPECT_EQ(right->take()[0], 2u);
  if (wakes_by_interrupt(*rt)) {
    EXPECT_GE(rt->stats().interrupts, 2u);
  }
  cudaStreamDestroy(stream);
}

// Kernels in other streams go on.
TEST_F(ArmedStream, OtherWorkGoesOn) {
  cudaStream_t stream, other;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  nothing<<<1, 1, 0, other>>>();  // CUDA may load a kernel at its first launch, and wait for other kernels
  ASSERT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  const launched kernel(*rt, rt->attach(stream));
  silent_kernel<<<1, 1, 0, stream>>>(kernel->os(), u64{500'000'000}, parent, right->get());
  kernel->launched();
  let_sleep();
  double launches_s = 0, waits_s = 0;
  for (u32 i = 0; i < 50; ++i) {
    launches_s += seconds_of([&] { nothing<<<1, 1, 0, other>>>(); });
    waits_s += seconds_of([&] { EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess); });
  }
  EXPECT_LT(launches_s, 0.1) << rt->stats().interrupts << " interrupts, " << rt->describe();
  EXPECT_LT(waits_s, 0.1) << rt->stats().interrupts << " interrupts, " << rt->describe();
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
}

struct call_often {
  GENESYS_KERNEL void operator()(genesys::os os, u32 calls, u64 silence_ns, long parent, u32* right) const {
    for (u32 i = 0; i < calls; ++i) {
      be_silent(silence_ns);
      if (os.getppid() == parent) genesys::atomic<u32>(*right).fetch_add(1);
    }
  }
};

// The host arms for a run again and again while the program records graphs, also in the run's own stream.
TEST_F(ArmedStream, GraphsAreRecordedMeanwhile) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  const auto record = [&](cudaGraphExec_t& runs, auto meanwhile) {
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    nothing<<<1, 1, 0, stream>>>();
    meanwhile();
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&runs, graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  };
  // CUDA loads code for the first graph, and allocates for each 43rd or so (driver 580.159). For both it waits for a
  // kernel that runs, also without genesys. So there are graphs before, with a free place among them.
  std::vector<cudaGraphExec_t> kept(100);
  for (cudaGraphExec_t& one : kept) record(one, [] {});
  EXPECT_EQ(cudaGraphExecDestroy(std::exchange(kept[50], kept.back())), cudaSuccess);
  kept.pop_back();
  const u32 calls = 300;
  {
    const launched kernel(
        *rt, genesys::launch(*rt, {.stream = stream}, call_often{}, calls, u64{700'000}, parent, right->get()));
    u32 recorded = 0;
    for (; !kernel->finished() && recorded < 10'000 && !HasFatalFailure(); ++recorded) {
      cudaGraphExec_t runs = nullptr;
      record(runs, [&] {
        if (recorded == 1) rt->free_arena(rt->allocate_arena(500'000));  // pins memory
        std::this_thread::sleep_for(std::chrono::microseconds(300));
      });
      EXPECT_EQ(cudaGraphExecDestroy(runs), cudaSuccess);
    }
    EXPECT_GT(recorded, 100u);
  }
  for (const cudaGraphExec_t one : kept) EXPECT_EQ(cudaGraphExecDestroy(one), cudaSuccess);
  EXPECT_EQ(right->take()[0], calls);
  cudaStreamDestroy(stream);
}

// A thread of the program waits in CUDA for the kernel meanwhile, which CUDA may do with a lock held.
TEST_F(ArmedStream, CallsAreMadeDuringAFree) {
  const u32 calls = 30;
  for (const bool at_once : {true, false}) {
    void* memory = nullptr;
    ASSERT_EQ(cudaMalloc(&memory, 4096), cudaSuccess);
    const auto begun = std::chrono::steady_clock::now();
    const launched kernel(*rt, genesys::launch(*rt, {}, call_often{}, calls, u64{10'000'000}, parent, right->get()));
    if (!at_once) let_sleep();
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    EXPECT_LT(took.count(), 1.5) << at_once;  // without interrupts each call waits for a tenth of a second
  }
  EXPECT_EQ(right->take()[0], 2 * calls);
}

// The stream that waits for ends holds few commands, however many kernels come and go beside a long one.
TEST_F(ArmedStream, ManyKernelsBesideALongOne) {
  cudaStream_t stream, other;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  const u32 times = 1500;
  {
    const launched longer(*rt, rt->attach(stream));
    silent_kernel<<<1, 1, 0, stream>>>(longer->os(), u64{8'000'000'000}, parent, right->get());
    longer->launched();
    let_sleep();
    silent_kernel<<<1, 1, 0, stream>>>(longer->os(), u64{1'000}, parent, right->get());
    longer->launched();
    const launched kernels(*rt, rt->attach(other));
    for (u32 i = 0; i < times; ++i) {
      silent_kernel<<<1, 1, 0, other>>>(kernels->os(), u64{1'000'000}, parent, right->get());
      kernels->launched();
      while (cudaStreamQuery(other) == cudaErrorNotReady) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady) << "the kernels beside it took longer than the long one";
  }
  EXPECT_EQ(right->take()[0], times + 2);
  cudaStreamDestroy(other);
  cudaStreamDestroy(stream);
}

// Another thread records a graph, and allows no thread what would spoil it.
TEST_F(ArmedStream, WorksBesideAGraph) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  launched kernel(*rt, genesys::launch(*rt, {}, silent{}, u64{50'000'000}, parent, right->get()));
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  nothing<<<1, 1, 0, stream>>>();
  auto done = std::async(std::launch::async, [&] {
    EXPECT_FALSE(kernel->finished());
    rt->describe();
    kernel.finish();
    runtime other({.arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
    in_arena<long> value(other, 1);
    play(other, {}, make_call{}, six_words{SYS_getpid, {}}, value.get());
    EXPECT_EQ(value[0], ::getpid());
  });
  done.wait();
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  done.get();
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(right->take()[0], 1u);
  cudaStreamDestroy(stream);
}

// A child closes what it inherited; the kernel and the host go on.
TEST_F(ArmedStream, ForkingGoesOn) {
  for (const bool executes : {false, true}) {
    const launched kernel(*rt, genesys::launch(*rt, {}, silent{}, u64{200'000'000}, parent, right->get()));
    let_sleep();
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      if (executes) ::execl("/bin/sh", "sh", "-c", "exit 0", nullptr);
      for (int fd = 3; fd < 1024; ++fd) ::close(fd);
      ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_FALSE(kernel->finished());
  }
  EXPECT_EQ(right->take()[0], 2u);
  if (wakes_by_interrupt(*rt)) {
    EXPECT_TRUE(eventually([&] { return rt->stats().interrupts >= 2; })) << rt->stats().interrupts;
  }
}

// The program ends without the runtime's end, while the host sleeps.
TEST_F(ArmedStream, TheProgramExits) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto end = [&](u64 silence_ns) {
    ::alarm(20);
    new genesys::run(genesys::launch(*rt, {}, silent{}, silence_ns, parent, right->get()));
    let_sleep();
    std::exit(0);
  };
  EXPECT_EXIT(end(200'000'000), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(end(1'000'000), testing::ExitedWithCode(0), "");  // the kernel has ended
}
#endif

}  // namespace
}  // namespace contract
