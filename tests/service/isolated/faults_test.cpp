// SPDX-License-Identifier: Apache-2.0
// Each call that a child makes to CUDA fails in turn. Twins answer, and a later child serves.
#include "isolated.h"

#if defined(__CUDACC__)
#include "cuda_faults.h"

namespace {
using namespace service_testing;

TEST(IsolatedFaults, EachCallOfCudaFails) {
  isolated server;
  const auto hashes = server->load(twin_hash_1{{.key = 6}});
  const auto lone = server->load(hash_of_7{1});
  constexpr int calls = 40;  // the first ones are of the start, the others of launches and looks
  u32 failed = 0;
  for (int number = 1; number <= calls; ++number) {
    const u64 before = server->counts().replaced;
    fail_cuda_call(number);
    server.kill_child();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(15);
    for (u64 i = 0; std::chrono::steady_clock::now() < end; ++i) {
      ASSERT_EQ(server->call(hashes, {{i}}), hash_of_1::of(6, {{i}})) << number;
      std::this_thread::sleep_for(std::chrono::microseconds(500));
      if (server->counts().replaced > before && cuda_call_has_failed()) break;
    }
    if (!cuda_call_has_failed()) break;
    ++failed;
    std::printf("%d: %s\n", number, failed_cuda_call());
    ASSERT_TRUE(until([&] { return server->call(lone, {}) == hash_of_7::of(1, {}); })) << number;
  }
  fail_cuda_call(0);
  EXPECT_GT(failed, 10u);
  EXPECT_EQ(server->call(lone, {}), hash_of_7::of(1, {}));
}

}  // namespace
#endif
