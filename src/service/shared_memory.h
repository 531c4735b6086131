// SPDX-License-Identifier: Apache-2.0
// Memory of Linux that several processes map: a memfd whose size is sealed. The server makes it; a child process or a
// client maps it by its descriptor. Any thread; each object has one owner.
#pragma once

#include <cstddef>

namespace genesys::detail::services {

class shared_memory {
 public:
  // Maps nothing.
  shared_memory() = default;
  // Zeroed memory of at least `bytes` (whole pages), which nobody can make smaller or larger. Linux gives a page when
  // it is first touched, or by commit(). Throws error(no_pinned_memory, bad_option).
  static shared_memory make(std::size_t bytes);
  // Maps the memory of another process, which may be an enemy. `fd` belongs to this object from here on, also if it
  // throws: error(bad_option) if the memory has fewer bytes, or if its size is not sealed, because an access beyond its
  // end would kill this process by SIGBUS; error(no_pinned_memory).
  explicit shared_memory(int fd, std::size_t bytes);
  ~shared_memory();
  shared_memory(shared_memory&& other) noexcept;
  shared_memory& operator=(shared_memory&& other) noexcept;
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;

  // Takes the pages of a part from Linux now. 0 or -errno (-ENOMEM, -ENOSPC). Without it an access is killed by SIGBUS
  // when Linux has no page left.
  int commit(std::size_t from, std::size_t bytes) const;
  // Leaves the mapping in the process for ever; closes the descriptor.
  void leak();

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  int fd() const { return fd_; }

 private:
  void map();
  void end();

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  int fd_ = -1;
};

}  // namespace genesys::detail::services
