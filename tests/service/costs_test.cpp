// SPDX-License-Identifier: Apache-2.0
// Which side answers: what costs the table learns, what it chooses, and its file.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "service/costs.h"
#include "twins.h"

namespace {
using namespace service_testing;
namespace services = genesys::detail::services;
using services::path;

std::string file_of_test() { return testing::TempDir() + "genesys-costs-" + std::to_string(::getpid()); }

// A path whose times are `fixed` and `per_byte`, with noise of 20 %.
struct model {
  double gpu_fixed, gpu_per_byte, cpu_fixed, cpu_per_byte;
  double of(path p, u64 bytes, std::mt19937_64& random) const {
    const double noise = 0.9 + 0.2 * static_cast<double>(random() % 1000) / 1000;
    return noise * (p == path::gpu ? gpu_fixed + gpu_per_byte * static_cast<double>(bytes)
                                   : cpu_fixed + cpu_per_byte * static_cast<double>(bytes));
  }
};

// At each size the time that the choices cost is close to that of the better path alone.
TEST(ServiceCosts, TheBetterPathAnswersAtEverySize) {
  std::mt19937_64 random(seed());
  services::cost_table table({"one", "two"});
  const model is{6000, 0.05, 100, 0.5};
  for (u32 size_class = 0; size_class < 28; ++size_class) {
    const u64 bytes = u64{1} << size_class;
    double spent = 0, gpu = 0, cpu = 0;
    constexpr u32 rounds = 6000;
    for (u32 i = 0; i < rounds; ++i) {
      path chosen{};
      bool is_measured = false;
      if (!table.is_settled(1, services::class_of(bytes), i, chosen)) {
        const auto choice = table.choose(1, services::class_of(bytes), {.gpu = 1, .cpu = 1}, i);
        chosen = choice.by, is_measured = choice.is_measured;
      }
      const double took = is.of(chosen, bytes, random);
      if (is_measured) table.add(1, services::class_of(bytes), chosen, took, 1);
      if (i >= rounds / 3) spent += took;
      if (i >= rounds / 3) gpu += is.of(path::gpu, bytes, random), cpu += is.of(path::cpu, bytes, random);
    }
    EXPECT_LE(spent, 1.1 * std::min(gpu, cpu)) << bytes << " bytes, GENESYS_TEST_SEED=" << seed();
  }
  EXPECT_EQ(table.mean_ns(0, 10, path::gpu), 0);  // of the other service nothing is known
}

TEST(ServiceCosts, AChangeIsSeen) {
  services::cost_table table({"one"});
  const auto share_of_gpu = [&](double gpu_ns, double cpu_ns) {
    u32 gpu = 0;
    for (u32 i = 0; i < 4000; ++i) {
      path chosen{};
      if (!table.is_settled(0, 12, i, chosen)) {
        const auto choice = table.choose(0, 12, {.gpu = 1, .cpu = 1}, i);
        chosen = choice.by;
        if (choice.is_measured) table.add(0, 12, chosen, chosen == path::gpu ? gpu_ns : cpu_ns, 1);
      }
      gpu += chosen == path::gpu ? 1 : 0;
    }
    return gpu / 4000.0;
  };
  EXPECT_LT(share_of_gpu(10'000, 1'000), 0.05);
  EXPECT_GT(share_of_gpu(500, 1'000), 0.5);
}

TEST(ServiceCosts, ALoadedPathIsAvoided) {
  services::cost_table table({"one"});
  for (u32 i = 0; i < 10; ++i) {
    table.add(0, 6, path::gpu, 1000, 1);
    table.add(0, 6, path::cpu, 3000, 1);
  }
  EXPECT_EQ(table.choose(0, 6, {.gpu = 1, .cpu = 1}, 1).by, path::gpu);
  EXPECT_EQ(table.choose(0, 6, {.gpu = 8, .cpu = 1}, 1).by, path::cpu);
  EXPECT_EQ(table.choose(0, 6, {.gpu = 8, .cpu = 4}, 1).by, path::gpu);
  table.add(0, 6, path::gpu, 8000, 8);  // of 8 in turn: its own time is 1000
  EXPECT_DOUBLE_EQ(table.mean_ns(0, 6, path::gpu), 1000);
}

// Each of three paths becomes the best one in turn. It gets most calls, and the other two are still tried.
TEST(ServiceCosts, TheBestOfThreePathsAnswers) {
  services::cost_table table({"one"});
  const u32 size_class = services::class_of(1 << 20, true);
  for (const path best : services::all_paths) {
    u32 calls[services::paths] = {};
    for (u32 i = 0; i < 8000; ++i) {
      path chosen{};
      if (!table.is_settled(0, size_class, i, chosen)) {
        const auto choice = table.choose(0, size_class, {.gpu = 1, .cpu = 1, .launch = 1}, i);
        chosen = choice.by;
        if (choice.is_measured) table.add(0, size_class, chosen, chosen == best ? 10'000 : 30'000, 1);
      }
      if (i >= 4000) ++calls[static_cast<u32>(chosen)];
    }
    for (const path p : services::all_paths) {
      EXPECT_GT(calls[static_cast<u32>(p)], p == best ? 3600u : 0u)
          << name_of(p) << " if " << name_of(best) << " is best";
    }
  }
  EXPECT_EQ(table.choose(0, size_class, {.gpu = 1}, 1).by, path::gpu);  // nothing else is possible
}

TEST(ServiceCosts, WideRequestsHaveClassesOfTheirOwn) {
  EXPECT_NE(services::class_of(4096), services::class_of(4096, true));
  EXPECT_LT(services::class_of(~u64{0}), services::class_of(0, true));
  EXPECT_LT(services::class_of(~u64{0}, true), services::class_of_blocks(1));
  EXPECT_EQ(services::class_of_blocks((1u << 24) - 1), services::size_classes - 1);
}

TEST(ServiceCosts, TheFileKeepsWhatWasLearnt) {
  const std::string file = file_of_test();
  services::cost_table table({"one", "two"});
  for (u32 i = 0; i < 5; ++i) {
    table.add(0, services::class_of(4096), path::gpu, 7000, 1);
    table.add(1, services::class_of(100), path::cpu, 300, 1);
    table.add(1, services::class_of_blocks(100), path::launch, 900, 1);
  }
  ASSERT_TRUE(services::cost_file::write(file, "a GPU", {{"one", 3, path::cpu, 9, 77}}));
  ASSERT_TRUE(services::cost_file::write(file, "another GPU", table.records()));
  ASSERT_TRUE(services::cost_file::write(file, "another GPU", {{"two", 6, path::cpu, 50, 301}}));
  {
    std::ofstream more(file, std::ios::app);
    more << "a GPU\tone\t999\tgpu\t1\t5\na GPU\tone\t9\tgpux\t1\t5\na GPU\tone\t1\tgpu\t1\t-5\na "
            "GPU\tone\t1\nrubbish\n\n";
  }
  services::cost_table next({"two", "one"});
  next.take(services::cost_file::read(file), "another GPU");
  EXPECT_DOUBLE_EQ(next.mean_ns(1, 12, path::gpu), 7000);
  EXPECT_DOUBLE_EQ(next.mean_ns(0, 6, path::cpu), 301);
  EXPECT_DOUBLE_EQ(next.mean_ns(0, services::class_of_blocks(100), path::launch), 900);
  EXPECT_DOUBLE_EQ(next.mean_ns(1, 3, path::cpu), 0);
  EXPECT_EQ(services::cost_file::read(file).size(), 4u);
  std::filesystem::remove(file);
  EXPECT_TRUE(services::cost_file::read(file).empty());
}

TEST(ServiceCosts, ACallSaysWhereItGoes) {
  const std::string file = file_of_test();
  ::setenv("GENESYS_SERVICE_COSTS", file.c_str(), 1);
  {
    genesys::service_server server(twin_services{}, {.where = genesys::service_path::automatic});
    const auto increments = server.load(increment{});
    const auto lone = server.load(hash_of_7{1});
    u32* const memory = allocate<u32>(server, 100);
    store(memory + 99, 1);
    const increment::arguments with{{memory, 16}, {memory + 8, 16}, memory + 99};
    EXPECT_EQ(server.call(increments, with, {.where = genesys::service_path::gpu}), 0);
    EXPECT_EQ(server.call(increments, with, {.where = genesys::service_path::cpu}), 7);
    EXPECT_EQ(server.submit(increments, with, {.where = genesys::service_path::cpu}).wait(), 7);
    EXPECT_EQ(server.call(lone, {}, {.where = genesys::service_path::cpu}), -EOPNOTSUPP);
    EXPECT_EQ(server.call(lone, {}), hash_of_7::of(1, {}));
    EXPECT_EQ(server.call(increments, with, {.where = genesys::service_path::cpu, .may_use_twin = false}), -EOPNOTSUPP);
    const increment::arguments two[] = {with, with};
    for (auto& ticket : server.submit_batch(increments, two, {.where = genesys::service_path::cpu}))
      EXPECT_EQ(ticket.wait(), 7);
    EXPECT_EQ(server.counts().by_choice, 4u);
    u32 by_gpu = 0;
    for (u32 i = 0; i < 200; ++i) by_gpu += server.call(increments, with) == 0 ? 1 : 0;
    EXPECT_GE(by_gpu, 3u);
    EXPECT_LE(by_gpu, 197u);
  }
  const auto learnt = services::cost_file::read(file);
  ASSERT_EQ(learnt.size(), 2u);
  EXPECT_EQ(learnt[0].record.size_class, 5u);  // 32 bytes
  std::filesystem::remove(file);
  ::setenv("GENESYS_SERVICE_COSTS", "0", 1);
}

}  // namespace
