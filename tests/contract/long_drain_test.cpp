// SPDX-License-Identifier: Apache-2.0
// A thread that waits long for the end of a run gets one line on stderr that says what it waits for: in drain() of the
// run and of the runtime, and in the destructor of a run.
#include <algorithm>
#include <functional>
#include <optional>

#include "contract.h"

namespace contract {
namespace {

constexpr unsigned warn_ms = 150;

genesys::options warning(genesys::executor_kind by, unsigned ms = warn_ms) {
  return {.executor = by, .workers = 2, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20, .stall_warn_ms = ms};
}

// All threads read a byte, which arrives only later.
struct read_nothing {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, long* values) const {
    char byte;
    values[genesys::thread_rank()] = os.read(pipe, &byte, 1);
  }
};

// Ends at once, and leaves a posted write for which the pipe has no room.
struct leave_a_write {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, const char* byte) const { os.posted().write(pipe, byte, 1); }
};

// Sleeps again and again, each time briefly.
struct sleep_often {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned times) const {
    const timespec length{0, 20'000'000};
    for (unsigned i = 0; i < times; ++i) os.nanosleep(&length, nullptr);
  }
};

// Returns the lines on stderr about drains while `waits` waits for an event that `ends` causes later.
std::vector<std::string> lines_of_drains(const std::function<void()>& waits, const std::function<void()>& ends) {
  testing::internal::CaptureStderr();
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(4 * warn_ms));
    ends();
  });
  waits();
  later.join();
  std::istringstream all(testing::internal::GetCapturedStderr());
  std::vector<std::string> found;
  for (std::string line; std::getline(all, line);) {
    if (line.find(" has waited for ") != std::string::npos) found.push_back(line);
  }
  return found;
}

class LongDrain : public testing::TestWithParam<genesys::executor_kind> {
 protected:
  void SetUp() override {
    rt_.emplace(warning(GetParam()));
    values_ = std::make_unique<in_arena<long>>(*rt_, 32);
    name_ = std::make_unique<in_arena<char>>(*rt_, 1);
  }
  genesys::run read(u32 threads) {
    return genesys::launch(*rt_, {.threads = {threads}}, read_nothing{}, pipe_.out.get(), values_->get());
  }
  // Writes the bytes that the threads read.
  void write(u32 bytes) {
    const std::string text(bytes, 'x');
    EXPECT_EQ(::write(pipe_.in.get(), text.data(), bytes), static_cast<ssize_t>(bytes));
  }
  static void expect(const std::vector<std::string>& lines, const std::string& begin, const std::string& state) {
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].rfind("genesys: " + begin + " has waited for ", 0), 0u) << lines[0];
    EXPECT_NE(lines[0].find(" s for run "), std::string::npos) << lines[0];
    EXPECT_NE(lines[0].find(": " + state + "; SIGQUIT (Ctrl-\\) or runtime::report() names them"), std::string::npos)
        << lines[0];
  }
  static std::string kernels(const std::string& counted) { return on_cuda() ? "its kernels have not ended" : counted; }

  const pipe_ends pipe_ = made_pipe();
  std::optional<runtime> rt_;
  std::unique_ptr<in_arena<long>> values_;
  std::unique_ptr<in_arena<char>> name_;
};

TEST_P(LongDrain, OfARun) {
  const genesys::run run = read(2);
  const auto lines = lines_of_drains([&] { run.drain(); }, [&] { write(2); });
  expect(lines, "drain()", kernels("1 kernel has not ended") + ", 2 calls are under way");
}

// A kernel that makes calls all the time may take any time.
TEST_P(LongDrain, IsNoneWhileCallsBegin) {
  constexpr unsigned quiet_ms = 250, times = 30;  // 0.6 s in all
  runtime rt(warning(GetParam(), quiet_ms));
  const genesys::run run = genesys::launch(rt, {.threads = {1}}, sleep_often{}, times);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(lines_of_drains([&] { run.drain(); }, [] {}).empty());
  EXPECT_GT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(2 * quiet_ms));
}

TEST_P(LongDrain, OfTheRuntime) {
  const genesys::run one = read(1), other = read(1);
  const auto lines = lines_of_drains([&] { rt_->drain(); }, [&] { write(2); });
  ASSERT_EQ(lines.size(), 1u) << "once for both runs";
  EXPECT_EQ(lines[0].rfind("genesys: drain() of the runtime has waited for ", 0), 0u) << lines[0];
}

TEST_P(LongDrain, TheEndOfARun) {
  std::optional<genesys::run> run = read(1);
  const auto lines = lines_of_drains([&] { run.reset(); }, [&] { write(1); });
  expect(lines, "the end of a run", kernels("1 kernel has not ended") + ", 1 call is under way");
}

TEST_P(LongDrain, CallsAreLeft) {
  const int size = ::fcntl(pipe_.in.get(), F_SETPIPE_SZ, 4096);
  ASSERT_GT(size, 0);
  write(static_cast<u32>(size));
  (*name_)[0] = 'y';
  const genesys::run run =
      genesys::launch(*rt_, {.threads = {1}}, leave_a_write{}, pipe_.in.get(), static_cast<const char*>(name_->get()));
  ASSERT_TRUE(eventually([&] { return run.finished(); }));
  const auto lines = lines_of_drains([&] { run.drain(); },
                                     [&] {
                                       std::string all(static_cast<std::size_t>(size), 0);
                                       EXPECT_EQ(::read(pipe_.out.get(), all.data(), all.size()), size);
                                     });
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find(": its kernels have ended, "), std::string::npos) << lines[0];
  const bool by_worker = lines[0].find("1 call has not ended; ") != std::string::npos;
  const bool by_kernel = lines[0].find("calls that they submitted themselves have not; ") != std::string::npos;
  EXPECT_TRUE(by_worker || by_kernel) << lines[0];
}

TEST_P(LongDrain, SaysNothingOfAShortOne) {
  const genesys::run run = read(1);
  write(1);
  testing::internal::CaptureStderr();
  run.drain();
  rt_->drain();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_P(LongDrain, SaysNothingIfItShallNot) {
  values_.reset();
  name_.reset();
  rt_.emplace(warning(GetParam(), 0));
  values_ = std::make_unique<in_arena<long>>(*rt_, 32);
  const genesys::run run = read(1);
  EXPECT_TRUE(lines_of_drains([&] { run.drain(); }, [&] { write(1); }).empty());
}

std::string long_drain_executor(const testing::TestParamInfo<genesys::executor_kind>& one) {
  static constexpr const char* names[] = {"any", "threads", "uring", "direct"};
  return names[static_cast<int>(one.param)];
}

INSTANTIATE_TEST_SUITE_P(, LongDrain,
                         testing::Values(genesys::executor_kind::threads, genesys::executor_kind::uring,
                                         genesys::executor_kind::direct),
                         long_drain_executor);

}  // namespace
}  // namespace contract
