// SPDX-License-Identifier: Apache-2.0
// The second of two files that include genesys. Its kernel has the same name as one in two.cu, and another body.
#include <genesys/genesys.h>

namespace {
struct ask {
  GENESYS_KERNEL void operator()(genesys::os os, long* result) const {
    auto io = os.on(genesys::block());
    const long parent = io.getppid();
    if (genesys::thread_rank() == 0) *result = parent;
  }
};
}  // namespace

__global__ void ask_plainly_too(genesys::os os, long* result) { *result = os.getppid(); }

long parent_from_other_file(genesys::runtime& rt) {
  auto* result = static_cast<long*>(rt.allocate_arena(sizeof(long)));
  genesys::launch(rt, {.blocks = {1}, .threads = {32}}, ask{}, result).drain();
  if (rt.kind() == genesys::device_kind::cuda) {
    auto run = rt.attach();
    ask_plainly_too<<<1, 1>>>(run.os(), result);
    run.drain();
  }
  return *result;
}
