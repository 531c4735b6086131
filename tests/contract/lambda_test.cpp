// SPDX-License-Identifier: Apache-2.0
// Lambdas as kernels. nvcc does not allow them in the bodies of tests, which are private members.
#include <cerrno>

#include "contract.h"

namespace contract {
namespace {

genesys::run add_to_results(runtime& rt, long* results, long more) {
  return genesys::launch(
      rt, {.blocks = {2}, .threads = {64}},
      [=] GENESYS_LAMBDA(genesys::os os, int fd) {
        const u32 me = genesys::block_rank() * 64 + genesys::thread_rank();
        results[me] = os.getpid() + os.close(fd) + more + me;
      },
      -1);
}

TEST(Lambdas, AreKernelsWithWhatTheyCapture) {
  runtime rt;
  long* const results = static_cast<long*>(rt.allocate_arena(128 * sizeof(long)));
  add_to_results(rt, results, 1000).drain();
  for (long i = 0; i < 128; ++i) EXPECT_EQ(results[i], ::getpid() - EBADF + 1000 + i);
}

}  // namespace
}  // namespace contract
