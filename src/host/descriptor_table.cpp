// SPDX-License-Identifier: Apache-2.0
#include "host/descriptor_table.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include <algorithm>
#include <exception>

#include "host/serving_thread.h"

namespace genesys::detail {
namespace {

constexpr int enlarged_to = 16384;

void enlarge() {
  rlimit most{};
  if (::getrlimit(RLIMIT_NOFILE, &most) != 0 || most.rlim_cur == 0) return;
  const int fd = ::eventfd(0, EFD_CLOEXEC);
  if (fd < 0) return;
  const auto last = static_cast<int>(std::min<rlim_t>(most.rlim_cur, enlarged_to) - 1);
  const int high = ::fcntl(fd, F_DUPFD_CLOEXEC, last);
  if (high >= 0) ::close(high);
  ::close(fd);
}

}  // namespace

descriptor_table::descriptor_table() {
  try {
    if (::__libc_single_threaded == 0) enlarging_ = serving_thread("genesys-table", enlarge);
  } catch (const std::exception&) {
    // Linux gives no thread.
  }
  if (!enlarging_.joinable()) enlarge();
}

descriptor_table::~descriptor_table() {
  if (enlarging_.joinable()) enlarging_.join();
}

}  // namespace genesys::detail
