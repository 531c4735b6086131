// SPDX-License-Identifier: Apache-2.0
#include "service/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "genesys/error.h"

namespace genesys::detail::services {
namespace {

constexpr int size_seals = F_SEAL_SHRINK | F_SEAL_GROW;

[[noreturn]] void refuse(const char* doing, int number) {
  throw error(error_code::no_pinned_memory,
              std::string(doing) + " failed (" + std::strerror(number) + "): free memory or descriptors");
}

std::size_t whole_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t whole = (bytes + page - 1) / page * page;
  if (whole < bytes || whole == 0) {
    throw error(error_code::bad_option, "shared memory of " + std::to_string(bytes) + " bytes is not possible");
  }
  return whole;
}

}  // namespace

shared_memory shared_memory::make(std::size_t bytes) {
  shared_memory made;
  made.bytes_ = whole_pages(bytes);
  made.fd_ = ::memfd_create("genesys", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (made.fd_ < 0) refuse("memfd_create", errno);
  if (::ftruncate(made.fd_, static_cast<off_t>(made.bytes_)) != 0) refuse("making a memfd large enough", errno);
  if (::fcntl(made.fd_, F_ADD_SEALS, size_seals | F_SEAL_SEAL) != 0) refuse("sealing a memfd", errno);
  made.map();
  return made;
}

shared_memory::shared_memory(int fd, std::size_t bytes) : fd_(fd) {
  try {
    bytes_ = whole_pages(bytes);
    struct stat about {};
    const int seals = ::fcntl(fd_, F_GET_SEALS);
    if (seals < 0 || (seals & size_seals) != size_seals)
      throw error(error_code::bad_option, "the descriptor is no memfd whose size is sealed");
    if (::fstat(fd_, &about) != 0 || about.st_size < 0 || static_cast<std::size_t>(about.st_size) < bytes_)
      throw error(error_code::bad_option, "the memfd has fewer bytes than its owner says");
    map();
  } catch (...) {
    end();
    throw;
  }
}

shared_memory::~shared_memory() { end(); }

shared_memory::shared_memory(shared_memory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      fd_(std::exchange(other.fd_, -1)) {}

shared_memory& shared_memory::operator=(shared_memory&& other) noexcept {
  if (this == &other) return *this;
  end();
  data_ = std::exchange(other.data_, nullptr);
  bytes_ = std::exchange(other.bytes_, 0);
  fd_ = std::exchange(other.fd_, -1);
  return *this;
}

int shared_memory::commit(std::size_t from, std::size_t bytes) const {
  for (;;) {
    if (::fallocate(fd_, 0, static_cast<off_t>(from), static_cast<off_t>(bytes)) == 0) return 0;
    if (errno != EINTR) return -errno;
  }
}

void shared_memory::leak() {
  data_ = nullptr;
  end();
}

void shared_memory::map() {
  void* const at = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (at == MAP_FAILED) refuse("mapping shared memory", errno);
  data_ = at;
}

void shared_memory::end() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
  if (fd_ >= 0) ::close(fd_);
  data_ = nullptr;
  bytes_ = 0;
  fd_ = -1;
}

}  // namespace genesys::detail::services
