// SPDX-License-Identifier: Apache-2.0
#include "host/forks.h"

#include <pthread.h>

#include <atomic>
#include <cstring>
#include <string>

#include "genesys/error.h"
#include "host/sigquit.h"
#include "policy/descriptors.h"
#include "target/forks.h"

namespace genesys::detail {
namespace {

// Runs in the child, which has one thread.
void begin_child() {
  forks_counted.fetch_add(1, std::memory_order_relaxed);
  leave_sigquit_to_parent();
  // The program may close them, and Linux then reuses the numbers.
  own_descriptors.each([](u64 fd) {
    own_descriptors.remove(fd);
    foreign_descriptors.add(fd);
  });
}

int register_child() { return ::pthread_atfork(nullptr, nullptr, begin_child); }

// At the start of the program: it may use CUDA and fork before it makes a runtime.
std::atomic<int> registered{register_child()};

}  // namespace

void watch_forks() {
  if (registered == 0) return;
  const int no = register_child();
  registered = no;
  if (no != 0) throw error(error_code::system, std::string("cannot watch for fork(): ") + std::strerror(no));
}

}  // namespace genesys::detail
