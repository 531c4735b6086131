// SPDX-License-Identifier: Apache-2.0
#include "cuda_faults.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>

namespace {

using word = std::intptr_t;
using function = word(word, word, word, word, word, word, word, word);
constexpr word unknown = 999;  // cudaErrorUnknown

struct injected {
  std::atomic<int> left{0};
  std::atomic<const char*> name{nullptr};
};
injected& shared() {
  static injected* const made =
      new (::mmap(nullptr, sizeof(injected), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) injected;
  return *made;
}
const injected& made_before_the_first_fork = shared();

bool fails_now(const char* name) {
  if (shared().left.load() <= 0 || shared().left.fetch_sub(1) != 1) return false;
  shared().name = name;
  return true;
}

}  // namespace

#define WRAPPED(name)                                                                             \
  extern "C" function __real_##name;                                                              \
  extern "C" word __wrap_##name(word a, word b, word c, word d, word e, word f, word g, word h) { \
    return fails_now(#name) ? unknown : __real_##name(a, b, c, d, e, f, g, h);                    \
  }
GENESYS_WRAPPED_CUDA_CALLS

namespace service_testing {

void fail_cuda_call(int number) {
  (void)made_before_the_first_fork;
  shared().name = nullptr;
  shared().left = number;
}
bool cuda_call_has_failed() { return shared().name.load() != nullptr; }
const char* failed_cuda_call() { return shared().name.load(); }

}  // namespace service_testing
