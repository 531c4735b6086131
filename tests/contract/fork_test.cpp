// SPDX-License-Identifier: Apache-2.0
// fork(): in the child every use of the parent's runtime throws error(forked), and its destructor returns at once. The
// parent and its calls are not affected. On the CPU device the child can make its own runtime.
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "contract.h"

namespace contract {
namespace {

constexpr int child_takes_s = sanitized ? 60 : 20;  // at most

struct child_end {
  int status;
  std::string words;  // on stderr
};

// How a child that runs `work` ended. Its exit status is the result of `work`, or 100 if that throws.
child_end in_child(const std::function<int()>& work) {
  pipe_ends words = made_pipe();
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(child_takes_s);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::dup2(words.in.get(), 2);
    int status = 100;
    try {
      status = work();
    } catch (const std::exception& said) {
      std::fprintf(stderr, "thrown: %s\n", said.what());
    }
    ::_exit(status);
  }
  words.in.close();
  child_end end{-1, {}};
  char some[1024];
  for (ssize_t n; (n = ::read(words.out.get(), some, sizeof some)) > 0;)
    end.words.append(some, static_cast<std::size_t>(n));
  ::waitpid(child, &end.status, 0);
  return end;
}

void expect_good(const child_end& end) {
  EXPECT_TRUE(WIFEXITED(end.status) && WEXITSTATUS(end.status) == 0)
      << (WIFSIGNALED(end.status) ? std::string("killed by ") + ::strsignal(WTERMSIG(end.status))
                                  : "status " + std::to_string(WEXITSTATUS(end.status)))
      << "\n"
      << end.words;
}

// Checks in a child: prints to stderr what does not hold.
class checks {
 public:
  void that(bool holds, const std::string& what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what.c_str());
    ++wrong_;
  }
  template <class F>
  void is_forked(const char* what, F use) {
    try {
      use();
      that(false, what + std::string(" is done"));
    } catch (const genesys::error& said) {
      that(said.code() == genesys::error_code::forked, std::string(what) + ": " + said.what());
    }
  }
  int wrong() const { return wrong_; }

 private:
  int wrong_ = 0;
};

genesys::options small(genesys::executor_kind by) {
  return {.executor = by, .workers = 2, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20};
}

struct parent_of_each {
  GENESYS_KERNEL void operator()(genesys::os os, long* values) const {
    values[genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank()] = os.getppid();
  }
};

// Whether kernels of this runtime make calls, with the right results.
bool serves(runtime& rt) {
  constexpr u32 blocks = 2, threads = 64;
  on_device<long> values(rt, blocks * threads);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, parent_of_each{}, values.get());
  for (const long value : values.take()) {
    if (value != ::getppid()) return false;
  }
  return true;
}

// Each of the first 32 threads reads a byte, by a ticket, so that the executor `direct` submits it.
struct read_each {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, char* bytes, long* values, u32* begun) const {
    const u32 me = genesys::thread_rank();
    auto later = os.ticket().read(pipe, bytes + me, 1);
    genesys::atomic<u32, genesys::thread_scope::system>(*begun).fetch_add(1);
    values[me] = later.wait();
  }
};

class Fork : public testing::TestWithParam<genesys::executor_kind> {};

TEST_P(Fork, WhatIsInheritedCanOnlyBeForgotten) {
  auto rt = std::make_unique<runtime>(small(GetParam()));
  constexpr u32 threads = 32;
  const pipe_ends pipe = made_pipe();
  auto bytes = std::make_unique<in_arena<char>>(*rt, threads);
  auto values = std::make_unique<in_arena<long>>(*rt, threads);
  auto begun = std::make_unique<in_arena<u32>>(*rt, 1);
  (*begun)[0] = 0;
  std::optional<genesys::run> run = genesys::launch(*rt, {.threads = {threads}}, read_each{}, pipe.out.get(),
                                                    bytes->get(), values->get(), begun->get());
  std::optional<genesys::run> idle = rt->attach();
  void* const device_memory = rt->allocate_device(256);
  ASSERT_TRUE(eventually([&] { return std::atomic_ref<u32>((*begun)[0]).load() == threads; }));

  const auto child = [&](bool drops) {
    checks is;
    is.is_forked("kind", [&] { (void)rt->kind(); });
    is.is_forked("describe", [&] { (void)rt->describe(); });
    is.is_forked("attach", [&] { (void)rt->attach(); });
    is.is_forked("launch", [&] { (void)genesys::launch(*rt, {}, parent_of_each{}, values->get()); });
    is.is_forked("drain of the runtime", [&] { rt->drain(); });
    is.is_forked("coalesce", [&] { rt->coalesce(10, 10); });
    is.is_forked("report", [&] { rt->report(std::cerr); });
    is.is_forked("stats", [&] { (void)rt->stats(); });
    is.is_forked("allocate_device", [&] { (void)rt->allocate_device(256); });
    is.is_forked("fill_device", [&] { rt->fill_device(device_memory, 0, 256); });
    is.is_forked("free_device_bytes", [&] { (void)rt->free_device_bytes(); });
    is.is_forked("allocate_arena", [&] { (void)rt->allocate_arena(256); });
    is.is_forked("hand", [&] { rt->grant(pipe.out.get()); });
    for (const auto* one : {&*run, &*idle}) {
      is.is_forked("os", [&] { (void)one->os(); });
      is.is_forked("copy", [&] { (void)one->copy("text"); });
      is.is_forked("finished", [&] { (void)one->finished(); });
      is.is_forked("drain", [&] { one->drain(); });
    }
    rt->revoke(pipe.out.get());
    rt->free_device(device_memory);
    if (!drops) return is.wrong();
    const auto begin = std::chrono::steady_clock::now();
    bytes.reset();
    values.reset();
    begun.reset();
    run.reset();
    rt.reset();
    idle.reset();
    is.that(seconds_since(begin) < 1, "the end takes long");
    return is.wrong();
  };
  expect_good(in_child([&] { return child(true); }));
  expect_good(in_child([&] { return child(false); }));
  expect_good(in_child([&] {  // a child's child
    const child_end end = in_child([&] { return child(true); });
    std::fputs(end.words.c_str(), stderr);
    return end.status;
  }));

  // The parent's calls are still in flight, also those that Linux's own thread makes.
  EXPECT_FALSE(run->finished());
  EXPECT_EQ(::write(pipe.in.get(), patterned(threads).data(), threads), ssize_t{threads});
  finish(*rt, *run);
  for (u32 i = 0; i < threads; ++i) EXPECT_EQ((*values)[i], 1) << i;
  rt->free_device(device_memory);
  EXPECT_TRUE(serves(*rt));
}

// Static runtimes, too: the child runs their destructors at exit().
TEST_P(Fork, TheChildExits) {
  if (sanitized) GTEST_SKIP() << "what threads of the parent's had allocated counts as leaked in the child";
  static std::optional<runtime> kept;
  kept.emplace(small(GetParam()));
  static std::optional<genesys::run> run;
  run = kept->attach();
  EXPECT_TRUE(serves(*kept));
  const auto begin = std::chrono::steady_clock::now();
  expect_good(in_child([]() -> int { std::exit(0); }));
  EXPECT_LT(seconds_since(begin), 5);
  EXPECT_TRUE(serves(*kept));
  run.reset();
  kept.reset();
}

// Closes everything and then executes a program, as shells do.
TEST_P(Fork, TheChildExecutes) {
  runtime rt(small(GetParam()));
  expect_good(in_child([]() -> int {
    ::execl("/bin/sh", "sh", "-c", "exit 0", nullptr);
    return 1;
  }));
  EXPECT_TRUE(serves(rt));
}

// Makes a runtime in the child, and uses it. Returns 0 if all checks hold.
int use_own(genesys::options chosen) {
  chosen.device = genesys::device_kind::cpu;
  runtime rt(chosen);
  checks is;
  is.that(serves(rt), "calls of the child's kernels are wrong");
  return is.wrong();
}

// The reason why the child cannot make a runtime; empty if it can.
std::string no_own_runtime() {
#if defined(__SANITIZE_THREAD__)
  return "ThreadSanitizer lets a child of a process with threads start none";
#else
  return on_cuda() ? "on the CPU device" : "";
#endif
}

TEST_P(Fork, TheChildMakesARuntimeOfItsOwn) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "another thread of the parent may hold a lock of AddressSanitizer's allocator at the fork, which the "
                  "child then waits for";
#endif
  if (!no_own_runtime().empty()) GTEST_SKIP() << no_own_runtime();
  runtime rt(small(GetParam()));
  const auto own = [&] { return use_own(small(GetParam())); };
  expect_good(in_child(own));
  expect_good(in_child([&] {
    (void)own();
    return own();
  }));
  expect_good(in_child([&] {
    runtime another({.device = genesys::device_kind::cpu, .executor = GetParam(), .workers = 2});
    const child_end end = in_child(own);
    std::fputs(end.words.c_str(), stderr);
    return serves(another) ? end.status : 1;
  }));
  EXPECT_TRUE(serves(rt));
}

// A process that has no runtime when it forks.
TEST_P(Fork, AfterTheRuntimesEnd) {
  if (!no_own_runtime().empty()) GTEST_SKIP() << no_own_runtime();
  { runtime gone(small(GetParam())); }
  expect_good(in_child([&] { return use_own(small(GetParam())); }));
}

// Meanwhile other threads of the parent allocate, launch, make and end runtimes.
TEST_P(Fork, AtAnyMoment) {
  if (!no_own_runtime().empty()) GTEST_SKIP() << no_own_runtime();
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer's allocator does not unlock in the child what another thread had locked";
#endif
  runtime rt(small(GetParam()));
  std::atomic<bool> over{false};
  std::vector<std::thread> others;
  others.emplace_back([&] {
    while (!over) rt.free_device(rt.allocate_device(4096));
  });
  others.emplace_back([&] {
    while (!over) EXPECT_TRUE(serves(rt));
  });
  others.emplace_back([&] {
    while (!over) runtime another(small(GetParam()));
  });
  const bool full = std::getenv("GENESYS_TEST_FULL") != nullptr;  // ./dev test --full
  for (int i = 0; i < (sanitized || !full ? 5 : 25) && !HasFailure(); ++i)
    expect_good(in_child([&] { return use_own(small(GetParam())); }));
  over = true;
  for (std::thread& one : others) one.join();
}

// A child closes all descriptors that it inherited, as daemons do, and then gets the same numbers for its own files.
TEST_P(Fork, TheChildClosesEverything) {
  if (!no_own_runtime().empty()) GTEST_SKIP() << no_own_runtime();
  runtime rt(small(GetParam()));
  const folder in;
  const descriptor file = made_file(in, "file", "of the child");
  const std::string path = in / "file";
  expect_good(in_child([&] {
    for (int fd = 3; fd < 4096; ++fd) ::close(fd);
    std::vector<int> own;
    for (int i = 0; i < 24; ++i) own.push_back(::open(path.c_str(), O_RDONLY));
    genesys::options chosen = small(GetParam());
    chosen.device = genesys::device_kind::cpu;
    runtime fresh(chosen);
    in_arena<long> values(fresh, 32);
    in_arena<char> bytes(fresh, 32);
    in_arena<u32> begun(fresh, 1);
    checks is;
    for (const int fd : own) {
      play(fresh, {.threads = {1}}, read_each{}, fd, bytes.get(), values.get(), begun.get());
      is.that(values[0] == 1 && bytes[0] == 'o', "descriptor " + std::to_string(fd) + " is closed to kernels");
    }
    return is.wrong();
  }));
  EXPECT_TRUE(serves(rt));
}

// Descriptors of the parent's runtime stay closed to the child's kernels.
struct duplicate_each {
  GENESYS_KERNEL void operator()(genesys::os os, int first, long* values, int count) const {
    for (int i = 0; i < count; ++i) values[i] = os.syscall(SYS_dup, first + i);
  }
};

TEST_P(Fork, TheParentsDescriptorsStayClosedToKernels) {
  if (!no_own_runtime().empty()) GTEST_SKIP() << no_own_runtime();
  runtime rt(small(GetParam()));
  expect_good(in_child([&] {
    std::vector<std::pair<int, std::string>> inherited;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code closed;
      const std::string link = std::filesystem::read_symlink(entry.path(), closed);
      if (link.starts_with("anon_inode:")) inherited.emplace_back(std::stoi(entry.path().filename()), link);
    }
    genesys::options chosen = small(GetParam());
    chosen.device = genesys::device_kind::cpu;
    runtime fresh(chosen);
    in_arena<long> value(fresh, 1);
    checks is;
    is.that(inherited.size() >= 3, "there are no descriptors of the parent's");
    for (const auto& [fd, link] : inherited) {
      play(fresh, {}, duplicate_each{}, fd, value.get(), 1);
      is.that(value[0] == -EBADF, std::to_string(fd) + " " + link + " is open to kernels");
    }
    return is.wrong();
  }));
}

TEST(ForkOnCuda, TheChildHearsThatCudaCannotBeUsed) {
  if (!on_cuda()) GTEST_SKIP() << "on CUDA";
  expect_good(in_child([] {
    checks is;
    is.is_forked("a runtime", [] { runtime rt; });
    is.is_forked("a runtime on CUDA", [] { runtime rt({.device = genesys::device_kind::cuda}); });
    return is.wrong();
  }));
}

// Ctrl-\ goes to all processes in the foreground. The child has no runtime to report, and the parent reports once.
TEST(ForkAndSigquit, EndsTheChildAlone) {
  runtime rt(small(genesys::executor_kind::threads));
  testing::internal::CaptureStderr();
  const child_end end = in_child([] {
    ::raise(SIGQUIT);
    return 7;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGQUIT) << end.status;
  EXPECT_EQ(end.words, "");
}

TEST(ForkAndSigquit, ReportsTheChildsOwnRuntime) {
  if (!no_own_runtime().empty()) GTEST_SKIP() << no_own_runtime();
  runtime rt(small(genesys::executor_kind::threads));
  const child_end end = in_child([] {
    runtime own({.device = genesys::device_kind::cpu, .executor = genesys::executor_kind::threads, .workers = 5});
    ::raise(SIGQUIT);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return 0;
  });
  expect_good(end);
  EXPECT_NE(end.words.find("; 5 workers, "), std::string::npos) << end.words;
  EXPECT_EQ(end.words.find("; 2 workers, "), std::string::npos) << "that is the parent's: " << end.words;
}

std::string fork_executor(const testing::TestParamInfo<genesys::executor_kind>& one) {
  static constexpr const char* names[] = {"any", "threads", "uring", "direct"};
  return names[static_cast<int>(one.param)];
}

INSTANTIATE_TEST_SUITE_P(, Fork,
                         testing::Values(genesys::executor_kind::threads, genesys::executor_kind::uring,
                                         genesys::executor_kind::direct),
                         fork_executor);

}  // namespace
}  // namespace contract
