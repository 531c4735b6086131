// SPDX-License-Identifier: Apache-2.0
// A system call as the library makes it: Linux gets all six arguments, and an error is returned as -errno.
#include "execute/linux_call.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace genesys::detail {
namespace {

TEST(LinuxCall, EachArgumentArrives) {
  const auto page = static_cast<u64>(::sysconf(_SC_PAGESIZE));
  const int file = ::memfd_create("six", 0);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::ftruncate(file, static_cast<off_t>(2 * page)), 0);
  ASSERT_EQ(::pwrite(file, "x", 1, static_cast<off_t>(page)), 1);
  const u64 args[args_max] = {0, page, PROT_READ, MAP_SHARED, static_cast<u64>(file), page};
  const i64 at = call_linux(SYS_mmap, args);
  ASSERT_GT(at, 0);
  EXPECT_EQ(*reinterpret_cast<const char*>(at), 'x');
  ::munmap(reinterpret_cast<void*>(at), page);
  ::close(file);
}

TEST(LinuxCall, ErrorsAreTheValue) { EXPECT_EQ(call_linux(SYS_close, {~u64{0}, 0, 0, 0, 0, 0}), -EBADF); }

}  // namespace
}  // namespace genesys::detail
