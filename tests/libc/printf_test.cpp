// SPDX-License-Identifier: Apache-2.0
// printf and its kin into streams and descriptors. The engine has a test of its own.
#include <algorithm>
#include <sstream>

#include "contract.h"
#include "genesys/stdio.h"
#include "texts.h"

namespace {

using contract::on_device;
using contract::play;
using contract::shared_runtime;
using contract::u32;
namespace posix = genesys::posix;

// The descriptor `fd` of this process is a file as long as this lives.
class redirected {
 public:
  redirected(int fd, const std::string& path) : fd_(fd), before_(::dup(fd)) {
    std::fflush(nullptr);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    ::dup2(file, fd);
    ::close(file);
  }
  ~redirected() {
    std::fflush(nullptr);
    ::dup2(before_, fd_);
    ::close(before_);
  }
  redirected(const redirected&) = delete;
  redirected& operator=(const redirected&) = delete;

 private:
  int fd_, before_;
};

struct print_all {
  GENESYS_KERNEL void operator()(genesys::os os) const {
    posix::library c(os);
    posix::printf("%u %s ", genesys::thread_rank(), "begins");  // no line yet
    posix::printf("%.3f and %#x\n", 1.5 * genesys::thread_rank(), 255u);
    if (genesys::thread_rank() % 2 == 0) return;  // the others go on
    posix::printf("%5d|%-5d|%05d\n", 42, 42, 42);
    posix::printf("rest %u", genesys::thread_rank());  // written at the end
  }
};

TEST(Printf, LinesOfManyThreadsStayWhole) {
  const contract::folder folder;
  {
    const redirected out(1, folder / "out");
    play(shared_runtime(), {.blocks = {2}, .threads = {50}}, print_all{});
  }
  std::istringstream in(text_of(folder / "out"));
  std::vector<std::string> lines, wanted;
  // "rest" has no newline, so another line may follow it.
  std::string all = in.str();
  for (int i = 0; i < 50; ++i) {
    char text[64];
    std::snprintf(text, sizeof text, "%d begins %.3f and 0xff\n", i, 1.5 * i);
    for (int twice = 0; twice < 2; ++twice) {
      const auto at = all.find(text);
      ASSERT_NE(at, std::string::npos) << text << " is not in\n" << all;
      all.erase(at, std::string(text).size());
    }
  }
  for (int i = 49; i > 0; i -= 2) {
    for (int twice = 0; twice < 2; ++twice) {
      const std::string rest = "rest " + std::to_string(i);
      const auto at = all.find(rest);
      ASSERT_NE(at, std::string::npos) << rest;
      all.erase(at, rest.size());
    }
  }
  std::string left;
  for (int i = 0; i < 50; ++i) left += "   42|42   |00042\n";
  EXPECT_EQ(all, left);
}

struct print_errors {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, u32* wrong) const {
    u32 bad = posix::printf(os, "without a library %d\n", 1) != 20;
    posix::library c(os);
    (void)posix::open("/nonexistent", O_RDONLY);
    posix::perror("open");
    posix::FILE* const to = posix::fopen(path, "w");
    bad += posix::fprintf(to, "%s=%ld\n%s", "key", 123456789012345l, "and so on") != 29;
    bad += posix::fprintf(to, "%d %ls", 1, "wide") != -1 || posix::error_number() != EINVAL;
    bad += posix::fclose(to) != 0;
    char* text = nullptr;
    bad += posix::asprintf(&text, "%0300d", 7) != 300 || text[299] != '7' || text[300] != 0;
    posix::free(text);
    bad += posix::dprintf(1, "%s\n", "by a descriptor") != 16;
    bad += posix::vdprintf(1, "%d %s\n", posix::pack(2, "arguments")) != 12;
    bad += posix::vdprintf(os, 1, "%d\n", posix::pack(3)) != 2 || posix::putchar_unlocked('.') != '.';
    bad += posix::remove(path) != 0 || posix::remove(path) != -1;
    *wrong = bad;
  }
};

TEST(Printf, ErrorsAndOtherTargets) {
  const contract::folder folder;
  on_device<u32> wrong(shared_runtime(), 1);
  const auto path = on_device_text(folder / "file");
  {
    const redirected out(1, folder / "out"), error(2, folder / "error");
    play(shared_runtime(), {.threads = {1}}, print_errors{}, static_cast<const char*>(path.get()), wrong.get());
  }
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(text_of(folder / "out"), "without a library 1\nby a descriptor\n2 arguments\n3\n.");
  EXPECT_EQ(text_of(folder / "error"), "open: No such file or directory\n");
}

struct print_together {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path) const {
    posix::library c(os);
    posix::FILE* const to = posix::fopen(os.on(genesys::block()), path, "a");
    if (to == nullptr) return;
    for (int i = 0; i < 20; ++i)
      posix::fprintf(to, "%04u.%04u.%02d %*s\n", genesys::block_rank(), genesys::thread_rank(), i, i, "x");
  }
};

TEST(Printf, ABlockSharesAStream) {
  const contract::folder folder;
  const auto path = on_device_text(folder / "file");
  play(shared_runtime(), {.blocks = {3}, .threads = {96}}, print_together{}, static_cast<const char*>(path.get()));
  std::vector<std::string> lines, wanted;
  std::istringstream in(text_of(folder / "file"));
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  for (unsigned block = 0; block < 3; ++block) {
    for (unsigned t = 0; t < 96; ++t) {
      for (int i = 0; i < 20; ++i) {
        char text[64];
        std::snprintf(text, sizeof text, "%04u.%04u.%02d %*s", block, t, i, i, "x");
        wanted.push_back(text);
      }
    }
  }
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines, wanted);
}

}  // namespace
