// SPDX-License-Identifier: Apache-2.0
// Damaged PTX: the parser and the analysis always end, and a text that is cut off never makes a kernel idempotent. The
// seed of the random damage is printed; GENESYS_TEST_SEED sets it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "cases.h"
#include "schedule/classify/verdict.h"

namespace genesys::schedule {
namespace {

unsigned seed() {
  const char* chosen = std::getenv("GENESYS_TEST_SEED");
  return chosen ? static_cast<unsigned>(std::strtoul(chosen, nullptr, 10)) : 27;
}

bool is_full() { return std::getenv("GENESYS_TEST_FULL") != nullptr; }

// The end of the last kernel's body: behind it only white space is cut off.
std::size_t last_brace(const std::string& text) { return text.rfind('}'); }

TEST(Mutation, CutOff) {
  for (const kernel_case& one : all_cases()) {
    const std::size_t step = is_full() ? 1 : 5;
    for (std::size_t size = 0; size <= last_brace(one.ptx); size += step) {
      for (const kernel_verdict& kernel : classify(std::string_view(one.ptx).substr(0, size))) {
        ASSERT_FALSE(kernel.is_idempotent) << one.name << ", " << size << " bytes";
        ASSERT_FALSE(kernel.is_preemptible) << one.name << ", " << size << " bytes";
      }
    }
  }
}

// A kernel that is whole is refused as well if the text behind it is cut off: the module does not load.
TEST(Mutation, CutOffBehind) {
  const std::string whole = with_prologue("st.global.u32 [%rd5], %r1;");
  ASSERT_TRUE(classify(std::string_view(whole))[0].is_idempotent);
  for (const char* more :
       {".global .u32", ".global .b8 text[4] = {1, 2", ".visible", "/* a comment", ".section .debug {"}) {
    const std::string text = whole + more;
    EXPECT_FALSE(classify(std::string_view(text))[0].is_idempotent) << more;
  }
}

std::string damaged(std::string text, std::mt19937& random) {
  constexpr std::string_view bytes = "{}[]();:,.@%!|+-<>\"/*\\ \n09arx_$\xff";
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (std::size_t changes = 1 + below(4); changes > 0 && text.size() > 2; --changes) {
    const std::size_t at = below(text.size());
    switch (below(4)) {
      case 0:
        text[at] = bytes[below(bytes.size())];
        break;
      case 1:
        text.insert(at, 1, bytes[below(bytes.size())]);
        break;
      case 2:
        text.erase(at, 1 + below(20));
        break;
      default:
        text.insert(below(text.size()), text.substr(at, below(60)));
    }
  }
  return text;
}

TEST(Mutation, Random) {
  std::mt19937 random(seed());
  std::printf("seed %u\n", seed());
  for (const kernel_case& one : all_cases()) {
    for (int i = 0; i < (is_full() ? 400 : 25); ++i) {
      const std::string text = damaged(one.ptx, random);
      for (const kernel_verdict& kernel : classify(std::string_view(text))) {
        EXPECT_NE(kernel.is_idempotent && kernel.is_preemptible, !kernel.reasons.empty());
      }
    }
  }
}

// A line of text that no PTX has, anywhere in a body, is never skipped in silence.
TEST(Mutation, ForeignStatement) {
  for (const char* foreign : {"hello world;", "ld.global.f32;", "%r1;", "st.global.u32 [%nosuch1], %r1;", ".frob 3;",
                              "@%nosuch bra X;", "bra NOWHERE;", "add.s32 %r1, %r1, (1+2);", "\x01", "}"}) {
    std::string text = with_prologue("st.global.u32 [%rd5], %r1;\n  " + std::string(foreign) + "\n");
    for (const kernel_verdict& kernel : classify(std::string_view(text))) {
      EXPECT_FALSE(kernel.is_idempotent) << foreign;
    }
  }
}

// Very many reasons of one kind do not hide one of another kind.
TEST(Mutation, ReasonsDoNotHideEachOther) {
  std::string many;
  for (int i = 0; i < 2'000; ++i)
    many += "mov.u32 %r2, %clock; setp.eq.u32 %p1, %r2, 0; @%p1 st.global.u32 [%rd5], %r1;\n";
  for (const char* last : {"trap;", "nanosleep.u32 1;", "frobnicate;"}) {
    const std::string text = with_prologue(many + last);
    EXPECT_FALSE(classify(std::string_view(text))[0].is_preemptible) << last;
  }
  many.clear();
  for (int i = 0; i < 2'000; ++i) many += "nanosleep.u32 1;\n";
  const std::string text =
      with_prologue(many + "mov.u32 %r2, %clock; setp.eq.u32 %p1, %r2, 0; @%p1 st.global.u32 [%rd5], %r1;");
  EXPECT_FALSE(classify(std::string_view(text))[0].is_idempotent);
}

// Text that is made to cost time or stack.
TEST(Mutation, Hostile) {
  const auto repeated = [](const std::string& what, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += what;
    return text;
  };
  std::vector<std::string> texts = {
      repeated("{", 200'000),
      repeated("(", 200'000),
      with_prologue(repeated("{", 100'000)),
      with_prologue(repeated("add.s64 %rd10, %rd10, %rd5; add.s64 %rd5, %rd10, %rd6;", 20'000)),
      with_prologue(".reg .b32 %huge<4000000000>; mov.u32 %huge3999999999, 1;"),
      with_prologue(".reg .b32 %huge<99999999999999999999>;"),
      with_prologue(".local .b8 x[4294967296][4294967296];"),
      with_prologue("ld.global.u32 %r1, [%rd5+9223372036854775807]; st.global.u32 [%rd5+-9223372036854775808], %r1;"),
      with_prologue("mov.b64 {" + repeated("%r1, ", 100'000) + "%r1}, %rd1;"),
      with_prologue(repeated("setp.eq.u32 %p1, %r1, 0; @%p1 bra L; ", 20'000) + "L:"),
  };
  std::string chain;  // functions that call each other, deeper than any program
  for (int i = 0; i < 3'000; ++i) {
    chain += ".func f" + std::to_string(i) + " () { call.uni f" + std::to_string(i + 1) + "; ret; }\n";
  }
  texts.push_back(with_prologue("call.uni f0;", chain + ".func f3000 () { ret; }\n"));
  std::string labels;
  for (int i = 0; i < 20'000; ++i)
    labels += "L" + std::to_string(i) + ": st.global.u32 [%rd5+" + std::to_string(4 * i) + "], %r1;\n";
  texts.push_back(with_prologue(labels + "ld.global.u32 %r2, [%rd5];"));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const kernel_verdict& kernel : classify(std::string_view(texts[i]))) {
      const bool is_valid = i == 3 || i == 4 || i == 9;
      EXPECT_TRUE(is_valid || !kernel.is_idempotent) << i;
    }
  }
}

}  // namespace
}  // namespace genesys::schedule
