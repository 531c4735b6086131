// SPDX-License-Identifier: Apache-2.0
// If a kernel claims to have opened a descriptor, that ends the number's protection only if the number is now another
// file.
#include "policy/foreign_descriptors.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace genesys::detail {
namespace {

bool is_protected(int fd) { return foreign_descriptors.has(static_cast<u64>(fd)); }

// A descriptor of a driver, and later another file at its number.
class ForeignDescriptors : public testing::Test {
 protected:
  void SetUp() override { fd_ = ::eventfd(0, EFD_CLOEXEC); }
  void TearDown() override {
    foreign_descriptors.remove(static_cast<u64>(fd_));
    ::close(fd_);
  }
  void becomes(int other) {
    ASSERT_GE(other, 0);
    ASSERT_EQ(::dup2(other, fd_), fd_);
    ::close(other);
  }
  int fd_ = -1;
};

TEST_F(ForeignDescriptors, StayProtectedWhateverAKernelClaims) {
  protect_foreign(fd_, link_of(fd_));
  end_protection_if_reused(fd_);
  EXPECT_TRUE(is_protected(fd_));
  protect_foreign(fd_, {});
  end_protection_if_reused(fd_);
  EXPECT_TRUE(is_protected(fd_));
}

TEST_F(ForeignDescriptors, EndWhenTheNumberIsAnotherFile) {
  protect_foreign(fd_, link_of(fd_));
  becomes(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  end_protection_if_reused(fd_);
  EXPECT_FALSE(is_protected(fd_));
}

TEST_F(ForeignDescriptors, EndWhenOneSocketBecomesAnother) {
  becomes(::socket(AF_UNIX, SOCK_STREAM, 0));
  protect_foreign(fd_, link_of(fd_));
  end_protection_if_reused(fd_);
  EXPECT_TRUE(is_protected(fd_));
  becomes(::socket(AF_UNIX, SOCK_STREAM, 0));
  end_protection_if_reused(fd_);
  EXPECT_FALSE(is_protected(fd_));
}

TEST_F(ForeignDescriptors, OfUnknownOnesOnlyAFileWithAPathEndsIt) {
  protect_foreign(fd_, {});
  becomes(::socket(AF_UNIX, SOCK_STREAM, 0));
  end_protection_if_reused(fd_);
  EXPECT_TRUE(is_protected(fd_));
  becomes(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  end_protection_if_reused(fd_);
  EXPECT_TRUE(is_protected(fd_));
  becomes(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  end_protection_if_reused(fd_);
  EXPECT_FALSE(is_protected(fd_));
}

TEST_F(ForeignDescriptors, AClosedNumberStaysProtected) {
  protect_foreign(fd_, link_of(fd_));
  ::close(fd_);
  end_protection_if_reused(fd_);
  EXPECT_TRUE(is_protected(fd_));
}

}  // namespace
}  // namespace genesys::detail
