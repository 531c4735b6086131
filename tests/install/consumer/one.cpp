// SPDX-License-Identifier: Apache-2.0
// A whole program that uses genesys: a kernel asks Linux for the parent process, and the host prints the result.
#include <genesys/genesys.h>

#include <cstdio>

struct ask {
  GENESYS_KERNEL void operator()(genesys::os os, long* result) const { *result = os.getppid(); }
};

int main() {
  genesys::runtime rt;
  auto* result = static_cast<long*>(rt.allocate_arena(sizeof(long)));
  genesys::launch(rt, {.blocks = {1}, .threads = {1}}, ask{}, result).drain();
  std::printf("parent %ld\n", *result);
}
