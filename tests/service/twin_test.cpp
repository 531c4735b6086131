// SPDX-License-Identifier: Apache-2.0
// Twins of a server whose kernel fails in this process, and one isolated server. The other tests of isolated servers
// are in isolated/, because CUDA must not be in use in their process.
#include <signal.h>

#include <cerrno>

#include "service/child_launcher.h"
#include "service/core.h"
#include "twins.h"

namespace {
using namespace service_testing;
namespace services = genesys::detail::services;

// Takes the first request, and ends without a word.
GENESYS_KERNEL void end_with_a_request(const services::serve_context& c) {
  using word = genesys::detail::global_atomic<const u64, genesys::thread_scope::system>;
  if (genesys::block_rank() != 0 || genesys::thread_rank() != 0) return;
  while (word(c.requests[0].words[0]).load() >> services::tag_shift != 1) genesys::pause();
}
#if defined(__CUDACC__)
__global__ void end_on_cuda(services::serve_context c) { end_with_a_request(c); }
#endif

struct failing_core {
  failing_core() {
    services::program what = services::program_of<0, twin_hash_1, hash_of_7>();
    what.on_cpu = &end_with_a_request;
#if defined(__CUDACC__)
    what.on_cuda = reinterpret_cast<const void*>(&end_on_cuda);
#endif
    core = std::make_shared<services::core>(std::move(what), genesys::service_options{.slots = 16});
    const twin_hash_1 with_twin{{.key = 9}};
    const hash_of_7 without{3};
    EXPECT_TRUE(core->rows().load(0, &with_twin, sizeof with_twin, row, version));
    EXPECT_TRUE(core->rows().load(1, &without, sizeof without, lone_row, lone_version));
  }
  ~failing_core() { core->end(); }
  long call(u32 of, u32 its_version, const services::packed_arguments& with) {
    services::call_state call;
    const long refused = core->submit(of, its_version, with, {}, call);
    return refused != 0 ? refused : core->wait(call);
  }
  std::shared_ptr<services::core> core;
  u32 row = 0, version = 0, lone_row = 0, lone_version = 0;
};

TEST(ServiceTwin, IsFoundByItsFunction) {
  EXPECT_TRUE(services::has_twin<twin_hash_1>());
  EXPECT_FALSE(services::has_twin<hash_of_1>());
}

// The first request is in flight when the kernel ends; the second finds no kernel.
TEST(ServiceTwin, AnswersWhenTheKernelFails) {
  failing_core server;
  services::packed_arguments packed;
  const hash_of_1::arguments with{{77}};
  services::pack(packed, with);
  EXPECT_EQ(server.call(server.row, server.version, packed), hash_of_1::of(9, with));
  EXPECT_EQ(server.core->counts().redone, 1u);
  EXPECT_EQ(server.call(server.row, server.version, packed), hash_of_1::of(9, with));
  EXPECT_EQ(server.core->counts().by_twins, 2u);
  EXPECT_EQ(server.core->counts().requests, 2u);
  EXPECT_EQ(server.call(server.lone_row, server.lone_version, packed), -EIO);
}

TEST(ServiceTwin, OnlyWhatDoesNotChangeItsInputIsDoneAgain) {
  u32 words[8] = {};
  const increment::arguments apart{{words, 16}, {words + 4, 16}, nullptr}, in_place{{words, 16}, {words, 16}, nullptr},
      by_one_byte{{words, 17}, {words + 4, 16}, nullptr};
  EXPECT_TRUE(services::is_repeatable<increment>(&apart));
  EXPECT_FALSE(services::is_repeatable<increment>(&in_place));
  EXPECT_FALSE(services::is_repeatable<increment>(&by_one_byte));
}

#if GENESYS_SERVICE_TESTS_ON_CPU
TEST(ServiceIsolated, AChildServesAndIsReplaced) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer starts no threads in a child of a process with threads";
#endif
  genesys::options on;
  on.device = genesys::device_kind::cpu;
  services::core core(services::program_of<0, hash_of_1>(), {.device = on, .isolated = true});
  const hash_of_1 hashes{4};
  u32 row = 0, version = 0;
  ASSERT_TRUE(core.rows().load(0, &hashes, sizeof hashes, row, version));
  for (u64 i = 0; i < 3; ++i) {
    services::packed_arguments packed;
    const hash_of_1::arguments with{{i}};
    services::pack(packed, with);
    services::call_state call;
    ASSERT_EQ(core.submit(row, version, packed, {}, call), 0);
    ASSERT_EQ(core.wait(call), hash_of_1::of(4, with));
    ASSERT_EQ(::kill(core.child()->child_pid(), SIGKILL), 0);
    ASSERT_TRUE(until([&] { return core.counts().replaced == i + 1; }));
  }
  core.end();
}
#endif

}  // namespace
