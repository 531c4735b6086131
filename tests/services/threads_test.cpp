// SPDX-License-Identifier: Apache-2.0
// Several threads at once: requests of all services in one server, and twins.
#include <atomic>
#include <memory>
#include <thread>

#include "testing.h"

namespace {
using namespace services_testing;
namespace services = genesys::services;

// What a thread hashes, compresses and encrypts, again and again; the first results are the twin's of one thread.
class worker {
 public:
  worker(genesys::service_server& server, u64 number)
      : server_(server), random_(seed() + number), input_(server, 8192), output_(server, 8192 + 64), key_(server, 480) {
    input_ = text(random_, 8192);
    key_ = random_bytes(random_, 480);
    for (u64 i = 0; i < 2; ++i) services::aes_expand_key(key_.data() + 240 * i, 32, key_.data() + 240 * i);
  }
  void run(unsigned rounds, std::atomic<unsigned>& wrong) {
    const auto hashes = server_.load(services::sha256{});
    const auto trees = server_.load(services::blake3{});
    const auto ciphers = server_.load(services::aes{});
    for (unsigned i = 0; i < rounds; ++i) {
      const u64 piece = 64 + random_() % 2000, sector = 16 * (1 + random_() % 64);
      each(hashes, {input_.input(), piece, output_.buffer()}, wrong);
      each(trees, {input_.input(), piece, output_.buffer()}, wrong);
      each(ciphers, {input_.input(), output_.buffer(), key_.input(), 3 + random_() % 2, 14, sector, random_(), {0, 0}},
           wrong);
    }
  }

 private:
  template <class S>
  void each(const genesys::service<S>& loaded, const typename S::arguments& with, std::atomic<unsigned>& wrong) {
    output_.fill();
    const long twin = S{}.on_cpu(with, 1);
    const bytes expected = output_.copy();
    output_.fill();
    const unsigned blocks = 1 + static_cast<unsigned>(random_() % 4);
    if (server_.call(loaded, with, {.blocks = blocks}) != twin || output_.copy() != expected ||
        !output_.guards_are_whole())
      ++wrong;
  }
  genesys::service_server& server_;
  std::mt19937_64 random_;
  guarded input_, output_, key_;
};

TEST(Threads, RequestsAndTwinsOfSeveralThreads) {
  genesys::service_server server(all_services{}, small());
  std::atomic<unsigned> wrong = 0;
  {
    std::vector<std::unique_ptr<worker>> workers;
    std::vector<std::jthread> threads;
    for (u64 i = 0; i < 4; ++i) workers.push_back(std::make_unique<worker>(server, i));
    for (auto& one : workers) threads.emplace_back([&] { one->run(20, wrong); });
    threads.clear();
  }
  EXPECT_EQ(wrong.load(), 0u) << "GENESYS_TEST_SEED=" << seed();
}

}  // namespace
