// SPDX-License-Identifier: Apache-2.0
// Flags that are raised by copies nobody waits for: they arrive late, and an index is not used again before.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

#include "kernels.h"
#include "repeat.h"
#include "schedule/abort/flag_raiser.h"

namespace {
using namespace abort_testing;
using genesys::schedule::abort_launch;
using genesys::schedule::abort_table;

constexpr u32 replicas = 8;

// Copies that end when deliver() is called.
class late_copies : public genesys::schedule::flag_copies {
 public:
  void copy_flags(void* to, const void* from, std::size_t bytes) override {
    const std::lock_guard hold(lock_);
    under_way_.push_back({static_cast<aborts::flag_line*>(to), static_cast<const aborts::flag_line*>(from),
                          static_cast<u32>(bytes / sizeof(aborts::flag_line))});
    ++begun_;
  }
  u64 mark_of_flags() override { return begun_; }
  bool passed(u64 mark) override { return ended_ >= mark; }
  void wait_for_flags() override {
    while (deliver()) {
    }
    ++waits;
  }
  unsigned waits = 0;
  // The oldest one ends. False: there is none.
  bool deliver() {
    const std::lock_guard hold(lock_);
    if (under_way_.empty()) return false;
    const copy one = under_way_.front();
    under_way_.pop_front();
    shared_device().store_words(&one.to->epoch, one.from->epoch, one.lines, sizeof *one.to);
    ++ended_;
    return true;
  }

 private:
  struct copy {
    aborts::flag_line* to;
    const aborts::flag_line* from;
    u32 lines;
  };
  std::mutex lock_;
  std::deque<copy> under_way_;
  std::atomic<u64> begun_{0}, ended_{0};
};

struct pinned_lines {
  aborts::flag_line* const at = static_cast<aborts::flag_line*>(
      shared_device().allocate_both(aborts::indices * replicas * sizeof(aborts::flag_line)));
  ~pinned_lines() { shared_device().free_both(at); }
};

template <class chosen_copies = late_copies>
struct copied_table {
  chosen_copies copies;
  pinned_lines lines;
  abort_table table{shared_device(), replicas};
  genesys::schedule::copy_raiser raiser{shared_device(), table.flags(), replicas, &copies, lines.at};
  copied_table() { table.use(raiser); }
};

TEST(AbortLateCopies, AnIndexWaitsForItsCopy) {
  constexpr shape of{3, 32};
  copied_table<> with;
  abort_table& table = with.table;
  disturbed_data d(of);
  stream on;
  const auto run = [&](const abort_launch& one) {
    on.launch(of, lone_kernel{}, one.context, d.data.get(), d.wrong.get());
    on.wait();
    return table.conclude(one).aborted;
  };
  const auto late = table.begin(0, of.all());
  table.raise(late);
  EXPECT_FALSE(table.acknowledged(late));
  EXPECT_FALSE(run(late)) << "its flag is not stored yet";
  for (u32 i = 0; i < 3 * aborts::indices; ++i) {
    const auto other = table.begin(0, of.all());
    ASSERT_NE(other.index, late.index) << "an older store would be under way";
    ASSERT_FALSE(run(other));
  }
  ASSERT_TRUE(with.copies.deliver());
  EXPECT_TRUE(table.acknowledged(late));
  bool again = false;
  for (u32 i = 0; i < aborts::indices; ++i) {
    const auto other = table.begin(0, of.all());
    again = again || other.index == late.index;
    ASSERT_FALSE(run(other)) << "the flag holds an old epoch";
  }
  EXPECT_TRUE(again);
  const auto in_time = table.begin(0, of.all());
  table.raise(in_time);
  ASSERT_TRUE(with.copies.deliver());
  EXPECT_TRUE(table.acknowledged(in_time));
  EXPECT_TRUE(run(in_time));
}

// Each copy that is under way keeps an index from others, so there are few of them.
TEST(AbortLateCopies, IndicesDoNotRunOut) {
  constexpr shape of{1, 32};
  copied_table<> with;
  abort_table& table = with.table;
  disturbed_data d(of);
  stream on;
  for (u32 i = 0; i < 3 * aborts::indices; ++i) {
    const auto one = table.begin(0, of.all());
    table.raise(one);
    on.launch(of, lone_kernel{}, one.context, d.data.get(), d.wrong.get());
    on.wait();
    (void)table.conclude(one);
  }
  EXPECT_GE(with.copies.waits, 2U);
}

// A resident raiser that has left: what it did not store, a copy does, and the index waits for the copy.
TEST(AbortLateCopies, StandInForAResidentRaiser) {
  constexpr shape of{2, 32};
  late_copies copies;
  abort_table table(shared_device(), replicas);
  genesys::schedule::resident_raiser raiser(shared_device(), table.flags(), replicas, &copies);
  table.use(raiser);
  const auto one = table.begin(0, of.all());
  table.raise(one);
  EXPECT_FALSE(table.acknowledged(one));
  EXPECT_FALSE(table.acknowledged(one));
  ASSERT_TRUE(copies.deliver());
  EXPECT_TRUE(table.acknowledged(one));
  EXPECT_FALSE(copies.deliver()) << "one copy is enough";
  const aborts::raiser_context waits = raiser.start();  // it does not begin
  const auto other = table.begin(1, of.all());
  table.raise(other);
  EXPECT_FALSE(table.acknowledged(other));
  ASSERT_TRUE(copies.deliver());
  EXPECT_TRUE(table.acknowledged(other));
  std::atomic_ref(waits.words->gone).store(1, std::memory_order_release);  // so that nothing waits for it
}

// Some copies end at once, with all before them.
struct sometimes_late : late_copies {
  std::mt19937_64 random{seed()};
  void copy_flags(void* to, const void* from, std::size_t bytes) override {
    late_copies::copy_flags(to, from, bytes);
    if (random() % 2 == 0) return;
    while (deliver()) {
    }
  }
};

TEST(AbortLateCopies, RandomAborts) {
  std::mt19937_64 random(seed());
  constexpr shape of{16, 64};
  const std::vector<u64> expected = undisturbed(of, lone_kernel{}, 3);
  copied_table<sometimes_late> with;
  std::atomic<bool> ends{false};
  std::thread engine([&, delays = std::mt19937_64(seed() + 1)]() mutable {
    while (!ends) {
      std::this_thread::sleep_for(std::chrono::microseconds(delays() % 100));
      (void)with.copies.deliver();
    }
  });
  totals seen;
  for (u32 round = 0; round < rounds() / 2; ++round) {
    stream on;
    disturbed_data data(of);
    for (u32 launch = 0; launch < 3; ++launch) {
      seen += repeat_until_whole(with.table, on, of, lone_kernel{}, data, random);
    }
    EXPECT_EQ(data.data.take(), expected) << "GENESYS_TEST_SEED=" << seed();
  }
  ends = true;
  engine.join();
  seen.print();
  EXPECT_GT(seen.aborted, 0u);
}

}  // namespace
