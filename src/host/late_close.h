// SPDX-License-Identifier: Apache-2.0
// Closes duplicates for threads that must not wait. The last close of a socket waits in Linux until its peer has all
// data, if SO_LINGER asks for that (socket(7)), for years if a kernel chose so; that of a serial terminal until all is
// sent; that of a file in user space (FUSE) until its server answers. A thread of its own makes such a close.
#pragma once

#include <memory>

#include "policy/descriptors.h"

namespace genesys::detail {

class late_close {
 public:
  late_close() = default;
  // Waits for nothing: the thread goes on until it has closed all.
  ~late_close();
  late_close(const late_close&) = delete;
  late_close& operator=(const late_close&) = delete;

  // Starts the thread now. Otherwise the first close that may wait does, which a confined thread may not do. As close()
  // it is called by one thread at a time. Throws error(system), bad_alloc.
  void begin();

  // At once, unless the close may wait. The caller sees to it that one thread calls at a time. If Linux gives no thread
  // or memory, the close is made here, and waits.
  void close(own_descriptor fd) noexcept;

 private:
  struct queue;
  std::shared_ptr<queue> queue_;  // with its thread, from the first close on that may wait
};

}  // namespace genesys::detail
