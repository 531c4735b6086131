// SPDX-License-Identifier: Apache-2.0
// Invariants of the service protocol are violated, on the CPU device, and the assertions find it. Each in a child
// process.
#include "genesys/detail/target/assert.h"

#if GENESYS_ASSERTIONS && GENESYS_SERVICE_TESTS_ON_CPU

#include <memory>

#include "genesys/detail/service/serve.h"
#include "testing.h"

namespace {
using namespace service_testing;
namespace services = genesys::detail::services;
namespace cpu = genesys::detail::cpu;

class ServiceAssertionsDeathTest : public testing::Test {
 protected:
  // The child executes this program again, because a forked child would lack the threads.
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

// What a block and the host share, with a share in the block's mailbox: of a request of one block.
struct memory {
  memory() {
    rows[0].head = services::pack_row_head(0, 0);
    const services::request_header header{
        .row = 0, .version = 0, .words = 2, .blocks = 1, .completion_slot = 3, .use = 1};
    for (u32 i = 0; i < services::slot_words; ++i) {
      const u64 payload = i == 0                      ? services::pack_word_0(header)
                          : i == 1                    ? services::pack_word_1(header)
                          : i == services::share_word ? services::pack_share(0, 1)
                                                      : 0;
      state.mailboxes[0].words[i] = u64{1} << services::tag_shift | payload;
    }
  }
  services::serve_context context() {
    return {.requests = nullptr,
            .completions = completions,
            .words = &words,
            .state = &state,
            .shares = nullptr,
            .rows = rows,
            .idle_ns = 1000,
            .stay_ns = 0,
            .launch = 1,
            .slots_log2 = 4};
  }
  services::completion_slot completions[16]{};
  services::pinned_words words{};
  services::device_state state{};
  services::service_row rows[services::rows_max]{};
};

// Runs the block until it leaves.
void run_block(memory& with) {
  cpu::device device({.os_threads = 1});
  device.wait(
      *device.launch({1}, {32}, 0, nullptr, [c = with.context()] { services::block_server<empty>(c, 0).run(); }));
}

TEST_F(ServiceAssertionsDeathTest, ABlockCompletesTwice) {
  const auto with = std::make_unique<memory>();
  with->completions[3].word = services::pack_completion(1, 0);
  EXPECT_DEATH(run_block(*with), "J4: each use of a completion slot has one completion");
}

// The first words of a share are there, and the launch is over.
TEST_F(ServiceAssertionsDeathTest, ABlockLeavesWithAShare) {
  const auto with = std::make_unique<memory>();
  with->state.mailboxes[0].words[31] = 0;
  with->state.left = 1;
  EXPECT_DEATH(run_block(*with), "J6: a block that leaves has no share");
}

}  // namespace

#endif
