// SPDX-License-Identifier: Apache-2.0
// A scheduler whose abort flags the kernel of a service_server raises.
#include <atomic>

#include "genesys/service.h"
#include "testing.h"

namespace {
using namespace scheduler_testing;

struct tripled {
  struct arguments {
    u64 value;
  };
  GENESYS_KERNEL long operator()(const genesys::service_block&, const arguments& with) const {
    return static_cast<long>(3 * with.value);
  }
};

TEST(SchedulerResident, AServersKernelRaisesTheFlags) {
  genesys::service_server services(genesys::service_list<tripled>{}, {.blocks = 2, .threads = 64});
  const auto triples = services.load(tripled{});
  genesys::scheduler all({.aging_step_us = 0,
                          .wait_max_us = 0,
                          .short_block_us = 0,
                          .share_multiprocessors = false,
                          .resident = services.resident()});
  constexpr u32 blocks = 8, threads = 128;
  words data(all, blocks * threads), in(all, blocks * threads), out(all, blocks * threads);
  const genesys::task batch = all.add_task(10), urgent = all.add_task(-10);
  std::vector<u64> expected(blocks * threads, 1);
  for (u64& word : expected) {
    for (u32 turn = 0; turn < turns(all); ++turn) word = word * 5 + turn;
  }
  std::atomic<bool> over{false};
  std::atomic<u64> wrong{0};
  std::thread client([&] {
    for (u64 i = 0; !over; ++i) wrong += services.call(triples, {i}) != static_cast<long>(3 * i);
  });
  std::mt19937_64 random(seed());
  for (int round = 0; round < 20; ++round) {
    data.put(std::vector<u64>(blocks * threads, 1));
    const genesys::launched long_one = batch.launch(shape(all, blocks, threads, data), change_in_place{}, data.get(),
                                                    u64{blocks * threads}, turns(all));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 2'000));
    urgent.launch(shape(all, blocks, threads, out), copy_with_work{}, in.get(), out.get(), u64{blocks * threads}, 1u)
        .wait();
    long_one.wait();
    ASSERT_EQ(data.take(), expected) << "round " << round << ", GENESYS_TEST_SEED=" << seed();
  }
  over = true;
  client.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_GE(reported(all, column_aborts), 1);
}

}  // namespace
