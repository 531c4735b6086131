// SPDX-License-Identifier: Apache-2.0
// Every call of the host fails, one at a time and several in a row: while a runtime is made, while a kernel makes
// calls, and while the runtime ends. A process of its own runs each lifetime (lifetime.h). It has to end in time, with
// an error that names the cause, or with a result for each call of the kernel.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <thread>
#include <vector>

#include "lifetime.h"

namespace faults {
namespace {

constexpr unsigned lifetime_max_s = 30;  // at most
const bool full = std::getenv("GENESYS_TEST_FULL") != nullptr;

bool on_cuda() {
  const char* device = std::getenv("GENESYS_DEVICE");
  return device != nullptr && std::strcmp(device, "cuda") == 0;
}

// A process that runs one lifetime.
class process {
 public:
  process(const std::string& policy, part when, const fault& what) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("pipe failed");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(ends[0]);
      ::dup2(ends[1], 2);
      ::alarm(lifetime_max_s);
      const lifetime_report said = run_lifetime(policy, when, what);
      char line[64];
      const int length = std::snprintf(line, sizeof line, "\n%d %d %d %u %u\n", said.held, said.refused, said.called,
                                       said.made, said.errors);
      (void)!::write(2, said.words.data(), said.words.size());
      (void)!::write(2, line, static_cast<std::size_t>(length));
      ::_exit(0);
    }
    ::close(ends[1]);
    from_ = ends[0];
  }
  process(const process&) = delete;
  process& operator=(const process&) = delete;

  lifetime_report ended() {
    lifetime_report all;
    char text[4096];
    for (ssize_t n; (n = ::read(from_, text, sizeof text)) > 0;) all.words.append(text, static_cast<std::size_t>(n));
    ::close(from_);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    int held = 0, refused = 0, called = 0;
    const std::size_t last = all.words.empty() ? std::string::npos : all.words.rfind('\n', all.words.size() - 2);
    const bool whole = last != std::string::npos && std::sscanf(all.words.c_str() + last, "%d %d %d %u %u", &held,
                                                                &refused, &called, &all.made, &all.errors) == 5;
    all.held = whole && held != 0;
    all.refused = refused != 0;
    all.called = called != 0;
    if (WIFSIGNALED(status)) {
      all.held = false;
      all.words += std::string(WTERMSIG(status) == SIGALRM ? "hung" : "was killed: ") +
                   (WTERMSIG(status) == SIGALRM ? "" : ::strsignal(WTERMSIG(status)));
    }
    return all;
  }

 private:
  pid_t pid_;
  int from_;
};

constexpr const char* names_of_parts[] = {"start", "calls", "end"};

// All faults of one call in one part of the lifetime.
class Faults : public testing::TestWithParam<std::tuple<std::string, part>> {
 protected:
  const std::string& policy() const { return std::get<0>(GetParam()); }
  part when() const { return std::get<1>(GetParam()); }

  // Several lifetimes run at a time, since each sleeps most of its time.
  void try_all(const std::vector<fault>& all) {
    const std::size_t at_once = (on_cuda() ? 1 : 2) * std::max(1u, std::thread::hardware_concurrency());
    for (std::size_t begin = 0; begin < all.size(); begin += at_once) {
      std::vector<std::unique_ptr<process>> lifetimes;
      const std::size_t end = std::min(begin + at_once, all.size());
      for (std::size_t i = begin; i < end; ++i)
        lifetimes.push_back(std::make_unique<process>(policy(), when(), all[i]));
      for (std::size_t i = begin; i < end; ++i) {
        const lifetime_report said = lifetimes[i - begin]->ended();
        refused += said.refused;
        with_errors += said.errors != 0;
        EXPECT_TRUE(said.held) << all[i].which.name << " number " << all[i].nth << ", " << all[i].times
                               << " in a row:\n"
                               << said.words;
      }
    }
  }
  // How often that part of a lifetime without faults makes the call.
  unsigned made(const host_call& which) {
    const lifetime_report said = process(policy(), when(), {which, ~0u, 1}).ended();
    EXPECT_TRUE(said.held && !said.refused && said.called && said.errors == 0) << said.words;
    return said.made;
  }

  unsigned refused = 0, with_errors = 0;
};

TEST_P(Faults, EachCall) {
  unsigned points = 0, i = 0;
  const char* only = std::getenv("GENESYS_TEST_FAULT");  // the name of one call
  for (const host_call& which : all()) {
    if (only != nullptr && std::strcmp(only, which.name) != 0) continue;
    if (!full && on_cuda() && !which.of_cuda && i++ % 4 != 0) continue;  // a lifetime takes longer there
    const unsigned count = made(which);
    const unsigned most = full ? 2000 : on_cuda() ? 6 : 24;  // evenly spread, if there are more
    std::vector<fault> faults;
    for (unsigned n = 0; n < std::min(count, most); ++n) {
      const unsigned nth = 1 + (count <= most ? n : static_cast<unsigned>(u_long{n} * count / most));
      faults.push_back({which, nth, 1});
      if (full || n % 4 == 0) faults.push_back({which, nth, 20});
    }
    points += static_cast<unsigned>(faults.size());
    try_all(faults);
  }
  std::printf("%u faults while %s under %s: %u times no runtime, %u times calls with errors\n", points,
              names_of_parts[static_cast<int>(when())], policy().c_str(), refused, with_errors);
  if (only == nullptr) {
    EXPECT_GT(points, 10u);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , Faults, testing::Combine(testing::Values("all", "io"), testing::Values(part::start, part::calls, part::end)),
    [](const auto& one) {
      return std::get<0>(one.param) + "_" + names_of_parts[static_cast<int>(std::get<1>(one.param))];
    });

}  // namespace
}  // namespace faults
