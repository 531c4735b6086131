// SPDX-License-Identifier: Apache-2.0
#include "schedule/daemon/sealed_page.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "schedule/daemon/shared_pages.h"

#ifndef F_SEAL_FUTURE_WRITE  // Linux 5.1; not in all headers of libc
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

namespace genesys::schedule::processes {

page_mapping::page_mapping(int fd, access as) {
  const int protection = as == access::read ? PROT_READ : PROT_READ | PROT_WRITE;
  void* const at = ::mmap(nullptr, page_bytes, protection, MAP_SHARED, fd, 0);
  if (at != MAP_FAILED) at_ = at;
}

page_mapping::~page_mapping() {
  if (at_ != nullptr) ::munmap(at_, page_bytes);
}

descriptor make_page(const char* name) {
  descriptor page(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!page) return page;
  // A zero is written, so that Linux has allocated the page before any process reads it.
  const char zero = 0;
  const bool made = ::fchmod(page.get(), 0600) == 0 && ::ftruncate(page.get(), page_bytes) == 0 &&
                    ::pwrite(page.get(), &zero, 1, 0) == 1 &&
                    ::fcntl(page.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0;
  if (!made) page.reset();
  return page;
}

bool seal_writes(int fd) { return ::fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) == 0; }

bool is_sealed_page(int fd) {
  struct stat what {};
  const int seals = ::fcntl(fd, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && ::fstat(fd, &what) == 0 && what.st_size == page_bytes;
}

}  // namespace genesys::schedule::processes
