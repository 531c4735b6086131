// SPDX-License-Identifier: Apache-2.0
// The profile `strict` with the executor `direct`: kernels fill the rings, and Linux restricts these to transfers
// between registered files and registered memory.
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>

#include "direct.h"

namespace contract {
namespace {

struct paths {
  char one[256], two[256];
};

struct write_and_read {
  GENESYS_KERNEL void operator()(genesys::os os, const paths* at, int others, int handed, char* buffer,
                                 long* said) const {
    long* next = said;
    const int one = static_cast<int>(os.openat(AT_FDCWD, at->one, O_RDWR));
    *next++ = os.pwrite64(one, buffer + 96, 8, 4);
    *next++ = os.fsync(one);
    *next++ = os.pread64(one, buffer, 12, 0);
    *next++ = os.pread64(one, buffer + 16, 12, 0);
    *next++ = os.close(one);
    *next++ = os.pread64(one, buffer + 64, 12, 0);
    const int two = static_cast<int>(os.openat(AT_FDCWD, at->two, O_RDONLY));  // Linux gives the same number
    *next++ = two - one;
    *next++ = os.pread64(two, buffer + 32, 12, 0);
    *next++ = os.pwrite64(two, buffer + 96, 1, 0);
    *next++ = os.pread64(others, buffer + 64, 12, 0);
    *next++ = os.pread64(handed, buffer + 48, 12, 0);
    *next++ = os.ftruncate(handed, 2);
  }
};

TEST(Strict, FilesOfKernelsAndNoOthers) {
  const folder in;
  std::unique_ptr<runtime> rt = strict_runtime(2, 8, in);
  if (!rt) GTEST_SKIP();
  const descriptor one = made_file(in, "one", "abcdefghijkl"), two = made_file(in, "two", "ABCDEFGHIJKL");
  const descriptor others = made_file(in, "others", "nobody's too"), handed = made_file(in, "handed", "handed to it");
  rt->grant(handed.get());
  const in_arena<paths> at(*rt, 1);
  std::strcpy(at.get()->one, (in / "one").c_str());
  std::strcpy(at.get()->two, (in / "two").c_str());
  const in_arena<char> buffer(*rt, 128);
  std::memset(buffer.get(), '.', 128);
  std::memcpy(buffer.get() + 96, "strictly", 8);
  const in_arena<long> said(*rt, 12);
  play(*rt, {}, write_and_read{}, at.get(), others.get(), handed.get(), buffer.get(), said.get());
  const long expected[] = {8, 0, 12, 12, 0, -EPERM, 0, 12, -EBADF, -EPERM, 12, 0};
  for (u32 i = 0; i < std::size(expected); ++i) EXPECT_EQ(said[i], expected[i]) << i;
  EXPECT_EQ(std::string(buffer.get(), 12), "abcdstrictly");
  EXPECT_EQ(std::string(buffer.get() + 16, 12), "abcdstrictly");
  EXPECT_EQ(std::string(buffer.get() + 32, 12), "ABCDEFGHIJKL");
  EXPECT_EQ(std::string(buffer.get() + 48, 12), "handed to it");
  EXPECT_EQ(std::string(buffer.get() + 64, 12), "............");
  EXPECT_EQ(content_of(two.get()), "ABCDEFGHIJKL");
  EXPECT_EQ(content_of(handed.get()), "ha");
  EXPECT_EQ(rt->stats().direct_calls, 7u);
}

// Takes away the right to lock memory, which most users lack, until its destructor runs.
class modest {
 public:
  modest() {
    ::getrlimit(RLIMIT_MEMLOCK, &limit_);
    const rlimit little{std::min<rlim_t>(limit_.rlim_cur, 1 << 20), limit_.rlim_max};
    ::setrlimit(RLIMIT_MEMLOCK, &little);
    __user_cap_data_struct less[2];
    ::syscall(SYS_capget, &header_, had_);
    std::memcpy(less, had_, sizeof less);
    less[0].effective &= ~(1u << CAP_IPC_LOCK);
    ::syscall(SYS_capset, &header_, less);
  }
  ~modest() {
    ::syscall(SYS_capset, &header_, had_);
    ::setrlimit(RLIMIT_MEMLOCK, &limit_);
  }
  modest(const modest&) = delete;
  modest& operator=(const modest&) = delete;

 private:
  rlimit limit_{};
  __user_cap_header_struct header_{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct had_[2]{};
};

struct ask_its_parent {
  GENESYS_KERNEL void operator()(genesys::os os, long* said) const { *said = os.getppid(); }
};

TEST(Strict, TheNextExecutorWhereMemoryCannotBeLocked) {
  genesys::options chosen = direct_with(2, 8);
  chosen.policy = "strict";
  std::string before;
  {
    runtime rt(chosen);
    before = rt.describe();
  }
  if (before.find("executor direct") == std::string::npos && before.find("RLIMIT_MEMLOCK") == std::string::npos)
    GTEST_SKIP() << before;
  const modest now;
  runtime rt(chosen);
  EXPECT_EQ(rt.describe().find("executor direct"), std::string::npos) << rt.describe();
  EXPECT_NE(rt.describe().find("RLIMIT_MEMLOCK"), std::string::npos) << rt.describe();
  const in_arena<long> said(rt, 1);
  play(rt, {}, ask_its_parent{}, said.get());
  EXPECT_EQ(said[0], ::getppid());
  EXPECT_EQ(rt.stats().direct_calls, 0u);
}

}  // namespace
}  // namespace contract
