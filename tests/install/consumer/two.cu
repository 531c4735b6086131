// SPDX-License-Identifier: Apache-2.0
// The first of two files that include genesys: the host program, and kernels that only this file knows.
#include <genesys/genesys.h>

#include <cerrno>
#include <cstdio>

long parent_from_other_file(genesys::runtime& rt);

namespace {
struct ask {
  GENESYS_KERNEL void operator()(genesys::os os, long* result) const {
    char byte;
    const long refused = os.pread64(-1, &byte, 1, 0);  // a call that stages: more code than getppid has
    *result = refused == -EBADF ? os.getppid() : refused;
  }
};
}  // namespace

__global__ void ask_plainly(genesys::os os, long* result) { *result = os.getppid(); }

int main() {
  genesys::runtime rt;
  auto* result = static_cast<long*>(rt.allocate_arena(sizeof(long)));
  genesys::launch(rt, {.blocks = {1}, .threads = {1}}, ask{}, result).drain();
  if (*result != parent_from_other_file(rt)) return 1;
  if (rt.kind() == genesys::device_kind::cuda) {  // an ordinary kernel runs on a GPU only
    auto run = rt.attach();
    ask_plainly<<<1, 1>>>(run.os(), result);
    run.drain();
  }
  std::printf("parent %ld\n", *result);
}
