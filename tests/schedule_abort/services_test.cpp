// SPDX-License-Identifier: Apache-2.0
// The kernel of a service_server raises flags (genesys/resident_kernel.h), while it answers requests, leaves and comes
// back.
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "genesys/service.h"
#include "kernels.h"
#include "repeat.h"

namespace {
using namespace abort_testing;
using namespace std::chrono_literals;

struct doubled {
  struct arguments {
    u64 value;
  };
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    return here.block == 0 ? static_cast<long>(2 * with.value) : 0;
  }
};

genesys::service_options options() {
  genesys::service_options chosen;
  chosen.blocks = 2;
  chosen.threads = 64;
  chosen.idle_us = 200;
  chosen.stay_ms = 5;
  return chosen;
}

using server = genesys::service_server;

bool until_left(genesys::resident_kernel& kernel, const aborts::raiser_context& context) {
  const auto limit = std::chrono::steady_clock::now() + 10s;
  while (!kernel.has_left(context)) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::yield();
  }
  return true;
}

// The kernel has begun with the context.
bool until_here(genesys::resident_kernel& kernel, const aborts::raiser_context& context) {
  const auto limit = std::chrono::steady_clock::now() + 10s;
  while (std::atomic_ref<u32>(context.words->here).load() == 0) {
    if (kernel.has_left(context) || std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::yield();
  }
  return true;
}

TEST(AbortByServices, OfTheKernelOfAServer) {
  std::mt19937_64 random(seed());
  constexpr shape of{6, 64};
  const std::vector<u64> expected = undisturbed(of, lone_kernel{}, 3);
  server services(genesys::service_list<doubled>{}, options());
  const auto doubles = services.load(doubled{});
  const auto kernel = services.resident();
  std::atomic<bool> over{false};
  std::atomic<u64> made{0}, wrong{0};
  std::vector<std::thread> threads;
  for (u64 t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      for (u64 i = t; !over; i += 2) {
        wrong += services.call(doubles, {i}, {.blocks = 1 + static_cast<unsigned>(i % 5)}) != static_cast<long>(2 * i);
        ++made;
        if (i % 64 < 2) std::this_thread::sleep_for(1ms);  // now and then the kernel is idle, but for its context
      }
    });
  }
  totals seen;
  u64 begun = 0;
  genesys::schedule::abort_table table(shared_device(), 8);
  genesys::schedule::resident_raiser raiser(shared_device(), table.flags(), table.replicas());
  table.use(raiser);
  for (u32 round = 0; round < rounds() / 2; ++round) {
    stream on;
    const aborts::raiser_context context = raiser.start();
    ASSERT_TRUE(kernel->serve(context));
    if (round % 2 == 0) begun += until_here(*kernel, context);
    disturbed_data data(of);
    for (u32 launch = 0; launch < 3; ++launch) {
      seen += repeat_until_whole(table, on, of, lone_kernel{}, data, random);
      if (launch == 1 && round % 3 == 1) raiser.stop();
      if (round % 3 == 2) (void)kernel->has_left(context);
    }
    ASSERT_EQ(data.data.take(), expected) << "GENESYS_TEST_SEED=" << seed();
    raiser.stop();
    ASSERT_TRUE(until_left(*kernel, context));
  }
  over = true;
  for (std::thread& each : threads) each.join();
  seen.print();
  EXPECT_GT(seen.aborted, 0u);
  EXPECT_GT(begun, 0u);
  EXPECT_GT(made, 0u);
  EXPECT_EQ(wrong, 0u);
}

// Each raise is the kernel's: the flags are stored without a copy.
TEST(AbortByServices, RaisesWithoutRequestsToo) {
  genesys::service_options chosen = options();
  chosen.stay_ms = 0;
  server services(genesys::service_list<doubled>{}, chosen);
  const auto kernel = services.resident();
  genesys::schedule::abort_table table(shared_device(), 8);
  genesys::schedule::resident_raiser raiser(shared_device(), table.flags(), table.replicas());
  table.use(raiser);
  const aborts::raiser_context context = raiser.start();
  ASSERT_TRUE(kernel->serve(context));
  ASSERT_TRUE(until_here(*kernel, context));
  std::this_thread::sleep_for(20ms);  // idle_us is over
  EXPECT_FALSE(kernel->has_left(context));
  for (u32 i = 0; i < 3 * aborts::indices; ++i) {
    const auto one = table.begin(0, 32);
    table.raise(one);
    const auto limit = std::chrono::steady_clock::now() + 10s;
    while (!table.acknowledged(one)) ASSERT_LT(std::chrono::steady_clock::now(), limit) << i;
    EXPECT_EQ(std::atomic_ref<u32>(context.words->acknowledged[one.index]).load(), one.context.epoch);
    (void)table.conclude(one);
  }
  raiser.stop();
  EXPECT_TRUE(until_left(*kernel, context));
  EXPECT_EQ(services.counts().launches, 1u);
}

TEST(AbortByServices, OneAtATime) {
  server services(genesys::service_list<doubled>{}, options());
  const auto kernel = services.resident();
  genesys::schedule::abort_table table(shared_device(), 8), other(shared_device(), 8);
  genesys::schedule::resident_raiser raiser(shared_device(), table.flags(), table.replicas()),
      second(shared_device(), other.flags(), other.replicas());
  const aborts::raiser_context context = raiser.start(), later = second.start();
  ASSERT_TRUE(kernel->serve(context));
  EXPECT_FALSE(kernel->serve(later));
  EXPECT_TRUE(kernel->has_left(later));
  raiser.stop();
  ASSERT_TRUE(until_left(*kernel, context));
  ASSERT_TRUE(kernel->serve(later));
  EXPECT_TRUE(kernel->has_left(context));
  second.stop();
  EXPECT_TRUE(until_left(*kernel, later));
}

// Memory of a raiser that has left is not touched, by no later kernel.
TEST(AbortByServices, RaisersComeAndGoWithTheirMemory) {
  server services(genesys::service_list<doubled>{}, options());
  const auto doubles = services.load(doubled{});
  const auto kernel = services.resident();
  for (u32 round = 0; round < 30; ++round) {
    auto table = std::make_unique<genesys::schedule::abort_table>(shared_device(), 8);
    auto raiser =
        std::make_unique<genesys::schedule::resident_raiser>(shared_device(), table->flags(), table->replicas());
    const aborts::raiser_context context = raiser->start();
    ASSERT_TRUE(kernel->serve(context));
    if (round % 2 == 0) (void)until_here(*kernel, context);
    if (round % 3 != 0) std::this_thread::sleep_for(std::chrono::milliseconds(round % 3 * 4));  // stay_ms may be over
    raiser->stop();
    ASSERT_TRUE(until_left(*kernel, context));
    raiser.reset();
    table.reset();
    if (round % 5 == 0) std::this_thread::sleep_for(1ms);  // the kernel leaves
    ASSERT_EQ(services.call(doubles, {round}), 2l * round);
  }
}

TEST(AbortByServices, LeavesWithTheServer) {
  auto services = std::make_unique<server>(genesys::service_list<doubled>{}, options());
  const auto kernel = services->resident();
  genesys::schedule::abort_table table(shared_device(), 8);
  genesys::schedule::resident_raiser raiser(shared_device(), table.flags(), table.replicas());
  const aborts::raiser_context context = raiser.start();
  ASSERT_TRUE(kernel->serve(context));
  services.reset();
  EXPECT_TRUE(until_left(*kernel, context));
  EXPECT_EQ(std::atomic_ref<u32>(context.words->gone).load(), 1u);
  EXPECT_FALSE(kernel->serve(raiser.start()));
  raiser.stop();
}

}  // namespace
