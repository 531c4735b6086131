// SPDX-License-Identifier: Apache-2.0
// How requests and completions are packed into words.
#include "genesys/detail/wire/service.h"

#include <vector>

#include "testing.h"

namespace {
using namespace service_testing;
namespace services = genesys::detail::services;

TEST(ServiceWire, ArgumentsArePackedWhole) {
  std::mt19937_64 random(seed());
  for (u32 count = 0; count <= services::argument_words_max; ++count) {
    for (u32 round = 0; round < 50; ++round) {
      u64 arguments[services::argument_words_max];
      for (u32 i = 0; i < count; ++i) arguments[i] = round == 0 ? ~u64{0} : random();
      u64 words[services::slot_words];
      for (u64& word : words) word = random();  // what earlier requests have left, and tags
      for (u32 i = services::header_words; i < services::words_for(count); ++i) {
        const u64 payload = services::pack_arguments(arguments, count, i - services::header_words);
        ASSERT_EQ(payload >> services::tag_shift, 0u);
        words[i] = random() << services::tag_shift | payload;
      }
      for (u32 i = 0; i < count; ++i) ASSERT_EQ(services::unpack_argument(words, i), arguments[i]) << count << ' ' << i;
    }
  }
}

TEST(ServiceWire, HeadersArePackedWhole) {
  std::mt19937_64 random(seed());
  for (u32 round = 0; round < 1000; ++round) {
    const auto r = [&] { return round == 0 ? ~u32{0} : static_cast<u32>(random()); };
    const services::request_header h{r() & 255,   r() & services::version_mask,       r() & 63,
                                     r() & 1,     r() & services::request_blocks_max, r() & 0xffff,
                                     r() & 0xffff};
    const u64 first = services::pack_word_0(h), second = services::pack_word_1(h);
    ASSERT_EQ(first & ~services::payload_mask, 0u);
    ASSERT_EQ(second & ~services::payload_mask, 0u);
    const auto back = services::unpack_header(first, second);
    ASSERT_EQ(back.row, h.row);
    ASSERT_EQ(back.version, h.version);
    ASSERT_EQ(back.words, h.words);
    ASSERT_EQ(back.quiet, h.quiet);
    ASSERT_EQ(back.blocks, h.blocks);
    ASSERT_EQ(back.completion_slot, h.completion_slot);
    ASSERT_EQ(back.use, h.use);
  }
}

TEST(ServiceWire, CompletionsHaveASignAndAUse) {
  for (const genesys::detail::i64 result :
       {genesys::detail::i64{0}, genesys::detail::i64{-1}, services::result_max, -services::result_max - 1}) {
    const u64 word = services::pack_completion(0x1'0007, result);
    EXPECT_EQ(services::use_of(word), 7u);
    EXPECT_EQ(services::result_of(word), result);
    EXPECT_TRUE(services::fits_result(result));
  }
  EXPECT_FALSE(services::fits_result(services::result_max + 1));
  EXPECT_FALSE(services::fits_result(-services::result_max - 2));
}

// J2: between two writes of a word there are fewer generations than tags.
TEST(ServiceWire, TagsTellGenerationsApart) {
  constexpr u32 slots_log2 = 4;
  for (u64 generation = 0; generation < 1000; ++generation) {
    const u64 t = generation << slots_log2 | 5;
    for (u64 age = 1; age < 256 && age <= generation; ++age)
      ASSERT_NE(services::tag_of(t, slots_log2), services::tag_of(t - (age << slots_log2), slots_log2));
    EXPECT_EQ(services::is_whole(t, slots_log2), generation % services::whole_generations == 0);
  }
  EXPECT_NE(services::tag_of(0, slots_log2), 0u);  // memory starts as zeros
}

}  // namespace
