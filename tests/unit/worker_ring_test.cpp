// SPDX-License-Identifier: Apache-2.0
// The worker ring alone: calls end, wait and are canceled, and a full ring takes no call.
#include "execute/worker_ring.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <map>
#include <memory>
#include <thread>

#include "genesys/detail/table/generated/numbers.h"
#include "policy/rules.h"

namespace genesys::detail {
namespace {

constexpr uring_call read_at{
    .opcode = uring_op::read, .fd = {.arg = 0}, .addr = {.arg = 1}, .len = {.arg = 2}, .off = {.arg = 3}};

class WorkerRing : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string lacking = worker_ring::why_not(); !lacking.empty()) GTEST_SKIP() << lacking;
    ASSERT_EQ(::pipe(ends_), 0);
    ring_ = std::make_unique<worker_ring>(rules_);
  }
  void TearDown() override {
    ring_.reset();
    for (const int end : ends_) ::close(end);
  }
  bool begin(u32 name, u64 into) {
    request call{};
    call.completion_slot = name;
    const u64 args[args_max] = {static_cast<u64>(ends_[0]), into, 1, 0, 0, 0};
    return ring_->begin(call, read_at, args);
  }
  // Waits until so many calls have ended, and returns their results by name.
  std::map<u32, i64> reap(std::size_t wanted) {
    std::map<u32, i64> all;
    while (all.size() < wanted) {
      if (!ring_->reap([&](const request& call, i64 value, u64) {
            EXPECT_TRUE(all.emplace(call.completion_slot, value).second);
          }))
        ring_->wait();
    }
    return all;
  }

  policy rules_{rules{}, {}};
  int ends_[2] = {-1, -1};
  std::unique_ptr<worker_ring> ring_;
  char bytes_[4096] = {};
};

TEST_F(WorkerRing, ACallThatWaitsEndsWhenItCan) {
  ASSERT_TRUE(begin(7, reinterpret_cast<u64>(bytes_)));
  EXPECT_TRUE(ring_->is_busy() && ring_->has_new());
  ring_->submit();
  EXPECT_FALSE(ring_->has_new());
  EXPECT_FALSE(ring_->reap([](const request&, i64, u64) { ADD_FAILURE(); }));
  ASSERT_EQ(ring_->under_way().size(), 1u);
  EXPECT_EQ(ring_->under_way()[0].call.completion_slot, 7u);
  ASSERT_EQ(::write(ends_[1], "x", 1), 1);
  EXPECT_EQ(reap(1).at(7), 1);
  EXPECT_EQ(bytes_[0], 'x');
  EXPECT_FALSE(ring_->is_busy());
  EXPECT_TRUE(ring_->under_way().empty());
}

TEST_F(WorkerRing, OneSubmissionForAll) {
  for (u32 i = 0; i < 100; ++i) ASSERT_TRUE(begin(i, reinterpret_cast<u64>(bytes_ + i)));
  ring_->submit();
  EXPECT_EQ(ring_->submissions_so_far(), 1u);
  EXPECT_EQ(ring_->calls_so_far(), 100u);
  ASSERT_EQ(::write(ends_[1], bytes_, 100), 100);
  for (const auto& [name, value] : reap(100)) EXPECT_EQ(value, 1) << name;
}

TEST_F(WorkerRing, AWakeUpEndsTheWait) {
  ASSERT_TRUE(begin(1, reinterpret_cast<u64>(bytes_)));
  std::thread later([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ring_->wake();
  });
  ring_->wait();  // without the wake-up it would wait for ever
  later.join();
  EXPECT_FALSE(ring_->reap([](const request&, i64, u64) { ADD_FAILURE(); }));
  ring_->wake();  // the wake-up comes before the wait
  ring_->wait();
}

TEST_F(WorkerRing, AllAreStopped) {
  for (u32 i = 0; i < 10; ++i) ASSERT_TRUE(begin(i, reinterpret_cast<u64>(bytes_)));
  ring_->submit();
  ring_->cancel();
  for (const auto& [name, value] : reap(10)) EXPECT_EQ(value, -ECANCELED) << name;
  EXPECT_FALSE(ring_->is_busy());
}

TEST_F(WorkerRing, NoMoreThanItHasRoomFor) {
  u32 begun = 0;
  while (begun < 100'000 && begin(begun, reinterpret_cast<u64>(bytes_))) ++begun;
  EXPECT_GE(begun, 1024u);
  EXPECT_LT(begun, 100'000u);
  EXPECT_EQ(ring_->under_way().size(), begun);
  ring_->submit();
  ring_->cancel();
  EXPECT_EQ(reap(begun).size(), begun);
  ASSERT_TRUE(begin(3, reinterpret_cast<u64>(bytes_)));
  ring_->submit();
  ASSERT_EQ(::write(ends_[1], "y", 1), 1);
  EXPECT_EQ(reap(1).at(3), 1);
}

TEST_F(WorkerRing, LinuxHoldsItToWhatThePolicyAllows) {
  ring_.reset();
  policy strict(read_rules("none", {}), {});
  ring_ = std::make_unique<worker_ring>(strict);
  ASSERT_TRUE(begin(1, reinterpret_cast<u64>(bytes_)));
  ring_->submit();
  EXPECT_EQ(reap(1).at(1), -EACCES);
}

TEST_F(WorkerRing, WhatItCannotSay) {
  EXPECT_TRUE(worker_ring::can_say(read_at, {0, 0, 4096, 0, 0, 0}));
  EXPECT_FALSE(worker_ring::can_say(read_at, {0, 0, 4096, ~u64{0}, 0, 0}));    // the descriptor's own position
  EXPECT_FALSE(worker_ring::can_say(read_at, {0, 0, u64{1} << 32, 0, 0, 0}));  // a length of more than 32 bits
}

}  // namespace
}  // namespace genesys::detail
