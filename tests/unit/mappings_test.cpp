// SPDX-License-Identifier: Apache-2.0
// Parts of mappings: which pieces have memory, what quarantine holds, and which addresses the device knows from one
// epoch to the next.
#include <gtest/gtest.h>

#include <memory>

#include "genesys/detail/staging/known_addresses.h"
#include "memory/pieces.h"
#include "memory/quarantine.h"

namespace genesys::detail {
namespace {

constexpr u64 one = piece_of_memory_bytes, base = 100 * one;

TEST(Pieces, HoldOnlyWholePiecesOfTheirOwn) {
  const pieces four(base, 4 * one);
  EXPECT_TRUE(four.holds(base, 4 * one));
  EXPECT_TRUE(four.holds(base + 3 * one, one));
  EXPECT_FALSE(four.holds(base + 3 * one, 2 * one));
  EXPECT_FALSE(four.holds(base + 4 * one, one));
  EXPECT_FALSE(four.holds(base - one, one));
  EXPECT_FALSE(four.holds(base + 1, one));
  EXPECT_FALSE(four.holds(base, one + 1));
  EXPECT_FALSE(four.holds(base, 0));
  EXPECT_FALSE(four.holds(base + one, ~u64{0} - one + 1));
  EXPECT_FALSE(four.holds(~u64{0} - one + 1, one));
  EXPECT_FALSE(pieces().holds(0, one));
}

TEST(Pieces, RunsAreWhatLiesTogether) {
  pieces eight(base, 8 * one);
  eight.set({base + 2 * one, 3 * one}, piece_state::gap);
  eight.set({base + 7 * one, one}, piece_state::gone);
  const auto mapped = eight.runs(piece_state::mapped, base, 8 * one);
  ASSERT_EQ(mapped.size(), 2u);
  EXPECT_EQ(mapped[0].begin, base);
  EXPECT_EQ(mapped[0].bytes, 2 * one);
  EXPECT_EQ(mapped[1].begin, base + 5 * one);
  EXPECT_EQ(mapped[1].bytes, 2 * one);
  const auto gaps = eight.runs(piece_state::gap, base + 3 * one, one);
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].bytes, one);
  EXPECT_EQ(eight.around(base + 6 * one + 5).begin, base + 5 * one);
  EXPECT_EQ(eight.around(base + 6 * one + 5).bytes, 2 * one);
  EXPECT_EQ(eight.around(base + 2 * one).bytes, 0u);
  EXPECT_FALSE(eight.holds(base + 6 * one, 2 * one));
  EXPECT_FALSE(eight.all_gone());
  eight.set({base, 8 * one}, piece_state::gone);
  EXPECT_TRUE(eight.all_gone());
  EXPECT_TRUE(eight.runs(piece_state::mapped, base, 8 * one).empty());
}

TEST(Quarantine, IsBoundedInBytesAndInNumber) {
  quarantine held(100, 3);
  EXPECT_TRUE(held.take({1, 60}));
  EXPECT_FALSE(held.take({2, 41}));
  EXPECT_FALSE(held.take({2, ~u64{0}}));
  EXPECT_TRUE(held.take({2, 40}));
  EXPECT_TRUE(held.take({3, 0}));
  EXPECT_FALSE(held.take({4, 0}));
  EXPECT_EQ(held.bytes(), 100u);
  std::list<quarantine::held> useless{{5, 10}};
  held.take_always(useless);
  EXPECT_EQ(held.release().size(), 4u);
  EXPECT_EQ(held.bytes(), 0u);
  EXPECT_TRUE(held.release().empty());
  EXPECT_TRUE(held.take({1, 100}));
}

class Ranges : public testing::Test {
 protected:
  Ranges() {
    where.ranges = table.get();
    where.generation = 5;
  }
  u32 epoch_now() const {
    u32 epoch;
    (void)staging::find_range(where.ranges, where.generation, 0, epoch);
    return epoch;
  }
  pointer_kind kind_of(u64 address) const {
    u32 epoch;
    return staging::find_range(where.ranges, where.generation, address, epoch).kind;
  }
  std::unique_ptr<range_table> table = std::make_unique<range_table>();
  device_context where{};
  const range known{0x1000, 0x3000, pointer_kind::pass};
};

TEST_F(Ranges, AreKnownInTheirEpochOnly) {
  EXPECT_EQ(kind_of(0x1000), pointer_kind::unknown);
  staging::learn_range(where, known, 5);
  staging::learn_range(where, known, 5);
  staging::learn_range(where, {0x8000, 0x9000, pointer_kind::stage}, 5);
  EXPECT_EQ(table->state, (u64{5} << 32 | 2));
  EXPECT_EQ(kind_of(0x0fff), pointer_kind::unknown);
  EXPECT_EQ(kind_of(0x1000), pointer_kind::pass);
  EXPECT_EQ(kind_of(0x2fff), pointer_kind::pass);
  EXPECT_EQ(kind_of(0x3000), pointer_kind::unknown);
  EXPECT_EQ(kind_of(0x8fff), pointer_kind::stage);
  table->epoch = 6;  // a kernel has unmapped memory
  EXPECT_EQ(epoch_now(), 6u);
  EXPECT_EQ(kind_of(0x1000), pointer_kind::unknown);
  staging::learn_range(where, known, 5);  // asked in the old epoch, late
  EXPECT_EQ(kind_of(0x1000), pointer_kind::unknown);
  staging::learn_range(where, {0x8000, 0x9000, pointer_kind::pass}, 6);
  EXPECT_EQ(kind_of(0x8000), pointer_kind::pass);
  staging::learn_range(where, known, 5);
  EXPECT_EQ(kind_of(0x1000), pointer_kind::unknown);
  EXPECT_EQ(kind_of(0x8000), pointer_kind::pass);
  where.generation = 7;  // another run
  EXPECT_EQ(epoch_now(), 7u);
  EXPECT_EQ(kind_of(0x8000), pointer_kind::unknown);
}

TEST_F(Ranges, AnEntryThatIsBeingOverwrittenIsNone) {
  staging::learn_range(where, known, 5);
  const range_entry before = table->entries[0];
  for (u64 range_entry::*word : {&range_entry::begin, &range_entry::end, &range_entry::kind}) {
    table->entries[0] = before;
    table->entries[0].*word = (before.*word & range_value_mask) | u64{6} << range_value_bits;
    EXPECT_EQ(kind_of(0x1000), pointer_kind::unknown);
  }
}

TEST_F(Ranges, TheFullTableAndWildAddressesAreNotEntered) {
  for (u64 i = 0; i < 2 * ranges_max; ++i) staging::learn_range(where, {i << 12, (i + 1) << 12, pointer_kind::pass}, 5);
  EXPECT_EQ(kind_of(u64{ranges_max - 1} << 12), pointer_kind::pass);
  EXPECT_EQ(kind_of(u64{ranges_max} << 12), pointer_kind::unknown);
  table->epoch = 6;
  staging::learn_range(where, {u64{1} << 47, u64{1} << 48, pointer_kind::stage}, 6);
  EXPECT_EQ(kind_of(u64{1} << 47), pointer_kind::unknown);
  EXPECT_TRUE(staging::is_later(1, ~u32{0}));  // epochs wrap
  EXPECT_FALSE(staging::is_later(~u32{0}, 1));
}

}  // namespace
}  // namespace genesys::detail
