// SPDX-License-Identifier: Apache-2.0
// Services that are loaded from files into a running server: results, versions, loads under load, and what is refused.
#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <thread>

#include "service/loading/loading_testing.h"

namespace {

using namespace service_loading;

class service_loading_test : public testing::Test {
 protected:
  // Writes 1,000 words by the service, and looks at each.
  template <class S>
  void expect_affine(const genesys::service<S>& which, u64 factor, u64 add, const genesys::service_call& how) {
    constexpr u32 count = 1000;
    std::fill_n(to_, count, 0);
    for (u32 i = 0; i < count; ++i) from_[i] = i * 0x9e37'79b9'7f4a'7c15u;
    EXPECT_EQ(server_.call(which, {{from_, 8 * count}, {to_, 8 * count}}, how), long{count});
    for (u32 i = 0; i < count; ++i) ASSERT_EQ(to_[i], from_[i] * factor + add) << i;
  }
  genesys::service<affine> load_first(u64 factor) {
    return server_.load_file(file("affine"), "affine", affine{factor});
  }

  genesys::service_server server_{list{}, options()};
  u64* const from_ = static_cast<u64*>(server_.allocate(8 * 1000));
  u64* const to_ = static_cast<u64*>(server_.allocate(8 * 1000));
};

TEST_F(service_loading_test, runs_what_a_file_has_beside_the_services_of_the_list) {
  const auto mixes = server_.load(mix{});
  EXPECT_EQ(server_.call(mixes, {5}), mix::of(5));
  const auto first = load_first(3);
  expect_affine(first, 3, 7, {.blocks = 4});
  EXPECT_EQ(server_.call(mixes, {6}), mix::of(6));
  const auto wides = server_.load_file<genesys::loaded_service<wide_arguments>>(file("others"), "wide");
  EXPECT_EQ(server_.call(wides, {0x1234'5678'9abc'def1u}),
            server_.call(wides, {0x1234'5678'9abc'def1u}, {.where = genesys::service_path::cpu}));
  expect_affine(first, 3, 7, {.blocks = 1});
  const auto counts = server_.counts();
  EXPECT_EQ(counts.files_loaded, 2u);
  EXPECT_EQ(counts.lost + counts.malformed + counts.timed_out, 0u);
}

TEST_F(service_loading_test, gives_the_same_bytes_as_the_twin) {
  const auto first = load_first(11);
  expect_affine(first, 11, 7, {.where = genesys::service_path::cpu});
  expect_affine(first, 11, 7, {.blocks = 3});
  EXPECT_EQ(server_.counts().by_choice, 1u);
}

TEST_F(service_loading_test, has_two_versions_of_a_file_at_a_time) {
  const auto first = load_first(3);
  const auto second = server_.load_file(file("affine_2"), "affine", affine{5});
  expect_affine(first, 3, 7, {.blocks = 2});
  expect_affine(second, 5, 1000, {.blocks = 2});
  EXPECT_EQ(server_.unload(first), 0);
  EXPECT_EQ(server_.call(first, {{from_, 8}, {to_, 8}}), -ENOENT);
  expect_affine(second, 5, 1000, {.blocks = 2});
  const auto again = load_first(4);
  expect_affine(again, 4, 7, {});
  expect_affine(second, 5, 1000, {});
  EXPECT_EQ(server_.call(first, {{from_, 8}, {to_, 8}}), -ENOENT);
}

TEST_F(service_loading_test, loads_before_the_first_launch_and_while_the_kernel_is_away) {
  const auto first = load_first(2);
  EXPECT_EQ(server_.counts().launches, 0u);
  expect_affine(first, 2, 7, {});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // idle_us is over
  const auto second = server_.load_file(file("affine_2"), "affine", affine{9});
  expect_affine(second, 9, 1000, {});
}

// Each thread checks each of its results, while services come and go.
TEST_F(service_loading_test, answers_every_request_once_while_it_loads) {
  const u32 rounds = loads_under_load;
  const auto mixes = server_.load(mix{});
  const auto stays = load_first(3);
  std::atomic<bool> over{false};
  std::atomic<u64> wrong{0}, made{0};
  std::vector<std::thread> threads;
  for (u32 t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      auto* const from = static_cast<u64*>(server_.allocate(64));
      auto* const to = static_cast<u64*>(server_.allocate(64));
      for (u64 i = 1; !over.load(); ++i) {
        const u64 value = i * 8 + t;
        if (server_.call(mixes, {value}) != mix::of(value)) ++wrong;
        *from = value;
        if (server_.call(stays, {{from, 8}, {to, 8}}) != 1 || *to != value * 3 + 7) ++wrong;
        made += 2;
      }
    });
  }
  u64 loaded_calls = 0;
  for (u32 round = 0; round < rounds; ++round) {
    const bool is_first = round % 2 == 0;
    const auto loaded = server_.load_file(file(is_first ? "affine" : "affine_2"), "affine", affine{round});
    expect_affine(loaded, round, is_first ? 7 : 1000, {.blocks = 2});
    ++loaded_calls;
    ASSERT_EQ(server_.unload(loaded), 0);
  }
  over = true;
  for (std::thread& each : threads) each.join();
  const auto counts = server_.counts();
  EXPECT_EQ(wrong.load(), 0u);
  EXPECT_GT(made.load(), u64{rounds});
  EXPECT_EQ(counts.requests, made.load() + loaded_calls);
  EXPECT_EQ(counts.files_loaded, rounds + 1);
  EXPECT_EQ(counts.lost + counts.malformed + counts.timed_out + counts.by_twins, 0u);
  EXPECT_GT(counts.pause_us_most, 0u);
  EXPECT_LT(counts.pause_us_most, u64{pause_ms_max} * 1000);
  std::printf("requests %llu, loads %u, link %llu us, load %llu us, pause %llu us, longest %llu us\n",
              static_cast<unsigned long long>(counts.requests), rounds, static_cast<unsigned long long>(counts.link_us),
              static_cast<unsigned long long>(counts.load_us), static_cast<unsigned long long>(counts.pause_us),
              static_cast<unsigned long long>(counts.pause_us_most));
}

TEST_F(service_loading_test, goes_on_with_the_old_kernel_if_it_does_not_leave) {
  const auto waits = server_.load_file<genesys::loaded_service<wait_arguments>>(file("others"), "waits");
  auto* const word = static_cast<u32*>(server_.allocate(4));
  auto ticket = server_.submit(waits, {word});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_THROW(server_.load_file(file("affine"), "affine", affine{1}, 100), genesys::error);
  EXPECT_FALSE(ticket.is_done());
  std::atomic_ref<u32>(*word).store(17);
  EXPECT_EQ(ticket.wait(), 17);
  expect_affine(load_first(6), 6, 7, {});
  EXPECT_EQ(server_.counts().files_loaded, 2u);
}

#if defined(__CUDACC__)
__global__ void stay(const u32* word) {
  const unsigned long long limit_ns = 5'000'000'000, began = genesys::clock_ns();
  while (*static_cast<const volatile u32*>(word) == 0 && genesys::clock_ns() - began < limit_ns) {
  }
}

// A GPU loads code only when no kernel of the program runs.
TEST_F(service_loading_test, does_not_wait_for_ever_for_a_kernel_of_the_program) {
  if (server_.kind() != genesys::device_kind::cuda) GTEST_SKIP() << "the CPU device loads code at any time";
  const auto first = load_first(3);
  auto* const word = static_cast<u32*>(server_.allocate(4));
  std::atomic_ref<u32>(*word).store(0);
  cudaStream_t in = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&in, cudaStreamNonBlocking), cudaSuccess);
  stay<<<1, 1, 0, in>>>(word);
  const auto began = std::chrono::steady_clock::now();
  EXPECT_THROW(server_.load_file(file("affine_2"), "affine", affine{1}, 100), genesys::error);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(3));
  EXPECT_EQ(cudaStreamQuery(in), cudaErrorNotReady);
  expect_affine(first, 3, 7, {});
  std::atomic_ref<u32>(*word).store(1);
  ASSERT_EQ(cudaStreamSynchronize(in), cudaSuccess);
  expect_affine(server_.load_file(file("affine_2"), "affine", affine{5}), 5, 1000, {});
  EXPECT_EQ(cudaStreamDestroy(in), cudaSuccess);
}
#endif

TEST_F(service_loading_test, unloads_when_no_request_holds_the_service) {
  const auto waits = server_.load_file<genesys::loaded_service<wait_arguments>>(file("others"), "waits");
  auto* const word = static_cast<u32*>(server_.allocate(4));
  auto ticket = server_.submit(waits, {word});
  EXPECT_EQ(server_.unload(waits, 50), -ETIMEDOUT);
  EXPECT_EQ(server_.call(waits, {word}), -ENOENT);
  std::atomic_ref<u32>(*word).store(23);
  EXPECT_EQ(ticket.wait(), 23);
  EXPECT_EQ(server_.unload(waits, 10'000), 0);
}

// What load_file() throws has all these words.
template <class S = affine>
void expect_refused(genesys::service_server& by, const genesys::service_file& from, const std::string& symbol,
                    std::initializer_list<const char*> words, const S& functor = {}) {
  try {
    (void)by.load_file(from, symbol, functor);
    ADD_FAILURE() << symbol << " was loaded";
  } catch (const genesys::error& thrown) {
    EXPECT_EQ(thrown.code(), genesys::error_code::bad_option);
    for (const char* word : words) EXPECT_NE(std::string(thrown.what()).find(word), std::string::npos) << thrown.what();
  }
}

TEST_F(service_loading_test, refuses_what_cannot_be_loaded_and_goes_on) {
  const auto first = load_first(3);
  const auto both = [](const std::string& path) { return genesys::service_file{path, path}; };
  expect_refused(server_, both("/nowhere/affine"), "affine", {"/nowhere/affine", "No such file"});
  expect_refused(server_, {}, "affine", {"service_file"});
  expect_refused(server_, file("affine"), "unknown", {"no service unknown", "GENESYS_LOADABLE_SERVICE"});
  expect_refused(server_, file("affine"), "not a symbol", {"identifier"});
  expect_refused(server_, file("others"), "too_old", {"another version", "compile it again"},
                 genesys::loaded_service<wait_arguments>{});
  expect_refused(server_, file("others"), "wide", {"arguments", "8 bytes", "32 bytes"},
                 genesys::loaded_service<affine_arguments>{});
  expect_refused(server_, file("affine"), "affine", {"functor", "8 bytes", "0 bytes"},
                 genesys::loaded_service<affine_arguments>{});
  const std::string text = testing::TempDir() + "/genesys_no_code.txt";
  std::ofstream(text) << "neither PTX nor a library\n";
  expect_refused(server_, both(text), "affine", {"genesys_no_code.txt"});
  expect_affine(first, 3, 7, {.blocks = 2});
  EXPECT_EQ(server_.counts().files_loaded, 1u);
}

TEST(service_loading, needs_a_list_that_says_so) {
  genesys::service_server server(genesys::service_list<mix>{}, options());
  expect_refused(server, file("affine"), "affine", {"loadable_services"});
}

}  // namespace
