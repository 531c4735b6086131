// SPDX-License-Identifier: Apache-2.0
// The end of a server, time limits, and kernels that break the rules: the host refuses what they write.
#include <cerrno>
#include <mutex>

#include "service/core.h"
#include "testing.h"

namespace {
using namespace service_testing;
namespace services = genesys::detail::services;

TEST(ServiceEnd, TheDestructorWaitsForRequests) {
  std::vector<genesys::service_ticket> tickets;
  std::thread late;
  u32* word = nullptr;
  {
    genesys::service_server server(all_services{});
    const auto waits = server.load(wait_for{});
    word = allocate<u32>(server, 1);
    for (int i = 0; i < 5; ++i) tickets.push_back(server.submit(waits, {word}));
    late = std::thread([word] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      store(word, 9);
    });
  }
  late.join();
  for (auto& ticket : tickets) EXPECT_EQ(ticket.wait(), 9);
}

TEST(ServiceEnd, AServerThatWasNotUsedEnds) {
  for (int i = 0; i < 5; ++i) genesys::service_server server(all_services{});
}

TEST(ServiceEnd, TicketsOutliveTheServer) {
  std::vector<genesys::service_ticket> tickets;
  {
    genesys::service_server server(all_services{});
    const auto hashes = server.load(hash_of_1{5});
    for (u64 i = 0; i < 20; ++i) tickets.push_back(server.submit(hashes, {{i}}));
  }
  for (u64 i = 0; i < 10; ++i) EXPECT_EQ(tickets[i].wait(), hash_of_1::of(5, {{i}}));
}

// The request does not end. The destructor gives it up, and the kernel's memory is left to it.
TEST(ServiceEnd, ARequestThatDoesNotEndIsGivenUp) {
  static u32* word = nullptr;
  const auto begin = std::chrono::steady_clock::now();
  genesys::service_ticket ticket = [] {
    genesys::service_server server(all_services{}, {.limit_ms = 0, .shutdown_timeout_ms = 200});
    const auto waits = server.load(wait_for{});
    word = allocate<u32>(server, 1);
    return server.submit(waits, {word});
  }();
  EXPECT_EQ(ticket.wait(), -ECANCELED);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  store(word, 1);  // the memory is still there, and the kernel can end
}

TEST(ServiceEnd, ARequestThatTakesTooLongTimesOut) {
  genesys::service_server server(all_services{}, {.slots = 16, .limit_ms = 300});
  const auto waits = server.load(wait_for{});
  const auto calls = server.load(empty{});
  u32* const word = allocate<u32>(server, 1);
  EXPECT_EQ(server.call(waits, {word}), -ETIMEDOUT);
  EXPECT_EQ(server.submit(waits, {word}).wait(), -ETIMEDOUT);
  EXPECT_EQ(server.counts().timed_out, 2u);
  store(word, 1);
  EXPECT_TRUE(until([&] { return server.call(calls, {}) == 0; }));
  for (int i = 0; i < 100; ++i) {  // late completions disturb nobody
    const long result = server.call(calls, {});
    ASSERT_TRUE(result == 0 || result == -ETIMEDOUT) << result;  // the latter on a machine that is very busy
  }
}

// --- Kernels that break the rules.

struct request_at_head {
  u32 slot, use;
};

// Thread 0 waits for the first request and returns what its completion needs.
GENESYS_KERNEL request_at_head first_request(const services::serve_context& c) {
  using word = genesys::detail::global_atomic<const u64, genesys::thread_scope::system>;
  while (word(c.requests[0].words[0]).load() >> services::tag_shift != 1 ||
         word(c.requests[0].words[1]).load() >> services::tag_shift != 1) {
    genesys::pause();
  }
  const auto header = services::unpack_header(word(c.requests[0].words[0]).load(), word(c.requests[0].words[1]).load());
  return {header.completion_slot, header.use};
}
GENESYS_KERNEL void complete(const services::serve_context& c, u32 slot, u64 word) {
  genesys::detail::global_atomic<u64, genesys::thread_scope::system>(c.completions[slot].word).store(word);
}
GENESYS_KERNEL void leave(const services::serve_context& c, u32 launch) {
  genesys::detail::global_atomic<u32, genesys::thread_scope::system>(c.words->gone).store(launch);
}

// A completion with another use than that of its request.
struct wrong_use {
  GENESYS_KERNEL void operator()(const services::serve_context& c) const {
    const auto [slot, use] = first_request(c);
    complete(c, slot, services::pack_completion(use + 77, 1));
    leave(c, c.launch);
  }
};
// Ends without saying so.
struct silent_end {
  GENESYS_KERNEL void operator()(const services::serve_context& c) const { first_request(c); }
};
// Says that another launch has left, and ends.
struct wrong_launch {
  GENESYS_KERNEL void operator()(const services::serve_context& c) const {
    first_request(c);
    leave(c, c.launch + 5);
  }
};
// Completes its request, and completion slots that nobody owns.
struct stray_completions {
  GENESYS_KERNEL void operator()(const services::serve_context& c) const {
    const auto [slot, use] = first_request(c);
    for (u32 other = 0; other < 1u << c.slots_log2; ++other) {
      if (other != slot) complete(c, other, services::pack_completion(3, 1234));
    }
    complete(c, slot, services::pack_completion(use, 5));
    leave(c, c.launch);
  }
};
// Overwrites all completion slots.
struct all_malformed {
  GENESYS_KERNEL void operator()(const services::serve_context& c) const {
    first_request(c);
    for (u32 slot = 0; slot < 1u << c.slots_log2; ++slot) complete(c, slot, services::pack_completion(7, 1));
    leave(c, c.launch);
  }
};
// Leaves without an end, so that a second launch follows. That one completes.
struct leaves_first {
  GENESYS_KERNEL void operator()(const services::serve_context& c) const {
    const auto [slot, use] = first_request(c);
    if (c.launch == 2) complete(c, slot, services::pack_completion(use, 6));
    leave(c, c.launch);
  }
};

template <class K>
void in_thread_0(const services::serve_context& c) {
  if (genesys::block_rank() == 0 && genesys::thread_rank() == 0) K{}(c);
}
#if defined(__CUDACC__)
template <class K>
__global__ void on_cuda(services::serve_context c) {
  if (genesys::block_rank() == 0 && genesys::thread_rank() == 0) K{}(c);
}
#endif

// A server's core with this kernel.
template <class K>
struct broken {
  explicit broken(unsigned limit_ms = 20'000) {
    services::program what{{}, &in_thread_0<K>};
#if defined(__CUDACC__)
    what.on_cuda = reinterpret_cast<const void*>(&on_cuda<K>);
#endif
    core = std::make_shared<services::core>(
        std::move(what), genesys::service_options{.slots = 16, .limit_ms = limit_ms, .shutdown_timeout_ms = 2000});
    const u64 nothing = 0;
    EXPECT_TRUE(core->rows().load(0, &nothing, sizeof nothing, row, version));
  }
  ~broken() { core->end(); }
  long call() {
    services::call_state call;
    services::packed_arguments none;
    none.count = 0;
    const long refused = core->submit(row, version, none, {}, call);
    return refused != 0 ? refused : core->wait(call);
  }
  std::shared_ptr<services::core> core;
  u32 row = 0, version = 0;
};

TEST(ServiceAttack, AMalformedCompletionIsRefused) {
  broken<wrong_use> server;
  EXPECT_EQ(server.call(), -EBADMSG);
  EXPECT_EQ(server.core->counts().malformed, 1u);
}

TEST(ServiceAttack, AKernelThatEndsSilentlyFails) {
  broken<silent_end> server;
  EXPECT_EQ(server.call(), -EIO);
  EXPECT_EQ(server.call(), -EIO);
}

TEST(ServiceAttack, AWrongLaunchBringsNoOther) {
  broken<wrong_launch> server;
  EXPECT_EQ(server.call(), -EIO);
  EXPECT_EQ(server.core->counts().launches, 1u);
}

// Slots with a stray word fail when they are used, and are not used again. The others serve.
TEST(ServiceAttack, StrayCompletionsHarmNobody) {
  broken<stray_completions> server(2'000);  // no kernel serves the later requests
  EXPECT_EQ(server.call(), 5);
  u32 malformed = 0;
  for (int i = 0; i < 15; ++i) malformed += server.call() == -EBADMSG ? 1 : 0;
  EXPECT_EQ(server.core->counts().malformed, malformed);
  EXPECT_GT(malformed, 0u);
}

TEST(ServiceAttack, WithoutASlotAllRequestsFail) {
  broken<all_malformed> server;
  for (int i = 0; i < 16; ++i) ASSERT_EQ(server.call(), -EBADMSG);
  EXPECT_EQ(server.call(), -EIO);
}

TEST(ServiceAttack, AKernelThatLeavesWithARequestIsLaunchedAgain) {
  broken<leaves_first> server;
  EXPECT_EQ(server.call(), 6);
  EXPECT_GE(server.core->counts().launches, 2u);
}

}  // namespace
