// SPDX-License-Identifier: Apache-2.0
// Damaged and hostile PTX in the rewriter: it always ends, and the instructions of the original stay there, in their
// order, whatever the text is. The seed is printed; GENESYS_TEST_SEED sets it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "cases.h"
#include "rewrite_cases.h"
#include "schedule/ptx/ptx_module.h"
#include "schedule/rewrite/sync_points.h"

namespace genesys::schedule {
namespace {

std::string_view text_of(std::string_view text, const instruction& one) {
  return text.substr(one.at.offset, one.end_offset - one.at.offset);
}

// Whether `now` is the same branch to another label, which a loop around the original's loop has.
bool is_moved_latch(std::string_view now, std::string_view before) {
  const std::size_t label = now.find("$genesys");
  if (label == now.npos || before.find("bra") == before.npos || label >= before.size()) return false;
  return now.substr(0, label) == before.substr(0, label);
}

// The instructions of `before` are in `after`, in their order, but for barriers.
std::string lost_instruction(const std::string& before_text, const std::string& after_text) {
  const module before = parse_ptx(before_text), after = parse_ptx(after_text);
  if (before.functions.size() != after.functions.size()) return "a function";
  for (std::size_t i = 0; i < before.functions.size(); ++i) {
    const auto& now = after.functions[i].body;
    std::size_t next = 0;
    for (const instruction& each : before.functions[i].body) {
      if (sync_of(each).what == sync::barrier) continue;  // perhaps a vote
      std::size_t at = next;
      const std::string_view looked_for = text_of(before_text, each);
      while (at < now.size() && text_of(after_text, now[at]) != looked_for &&
             !is_moved_latch(text_of(after_text, now[at]), looked_for)) {
        ++at;
      }
      if (at == now.size()) return std::string(text_of(before_text, each));
      next = at + 1;
    }
  }
  return "";
}

void expect_kept(const std::string& text, variant wanted) {
  const rewritten made = with_variant(text, wanted);
  bool is_changed = false;
  for (const kernel_rewrite& each : made.kernels) is_changed |= each.made != variant::none;
  EXPECT_EQ(is_changed, made.ptx != text);
  if (is_changed) {
    EXPECT_EQ(lost_instruction(text, made.ptx), "") << text << "\n-----\n" << made.ptx;
  }
}

void expect_kept(const std::string& text) {
  expect_kept(text, variant::loops);
  expect_kept(text, variant::timed);
}

std::string damaged(std::string text, std::mt19937& random) {
  static const std::vector<std::string> pieces = {"{",
                                                  "}",
                                                  "[",
                                                  "]",
                                                  "(",
                                                  ")",
                                                  ";",
                                                  ":",
                                                  ",",
                                                  "@",
                                                  "%p1",
                                                  "!",
                                                  "//",
                                                  "/*",
                                                  "*/",
                                                  "\"",
                                                  ".reg .b32 %r1;",
                                                  "bar.sync 0;",
                                                  "L: bra L;",
                                                  "\n",
                                                  "genesys_",
                                                  "$genesys_leave:",
                                                  "ret;",
                                                  ".loc 1 2 3",
                                                  ".section x {",
                                                  ".entry tested",
                                                  "tested"};
  for (unsigned changes = 1 + random() % 4; changes > 0 && text.size() > 2; --changes) {
    const std::size_t at = random() % text.size();
    if (random() % 3 == 0) {
      text.erase(at, 1 + random() % 20);
    } else if (random() % 2 == 0) {
      text.insert(at, pieces[random() % pieces.size()]);
    } else {
      text.insert(random() % text.size(), text.substr(at, random() % 60));
    }
  }
  return text;
}

TEST(RewriteMutation, Random) {
  const char* chosen = std::getenv("GENESYS_TEST_SEED");
  const unsigned seed = chosen ? static_cast<unsigned>(std::strtoul(chosen, nullptr, 10)) : 27;
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  for (const kernel_case& one : all_cases()) {
    expect_kept(one.ptx);
    for (int i = 0; i < (std::getenv("GENESYS_TEST_FULL") ? 400 : 15); ++i) expect_kept(damaged(one.ptx, random));
  }
}

TEST(RewriteMutation, RandomWorkloads) {
  std::mt19937 random(7);
  for (const char* name : {"workloads.ptx", "table2.ptx"}) {
    const std::string text = kept_ptx(name);
    expect_kept(text);
    for (int i = 0; i < (std::getenv("GENESYS_TEST_FULL") ? 400 : 10); ++i) expect_kept(damaged(text, random));
  }
}

std::string repeated(const std::string& what, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += what;
  return text;
}

// Text that is made to cost time or stack.
TEST(RewriteMutation, Hostile) {
  const int loops = std::getenv("GENESYS_TEST_FULL") ? 3'000 : 1'000;
  std::string nested, closed, crossing;
  for (int i = 0; i < loops; ++i) {
    const std::string label = "L" + std::to_string(i);
    nested += label + ": bar.sync 0;\n";
    closed = "setp.lt.u32 %p1, %r1, 5; @%p1 bra " + label + ";\n" + closed;
    crossing +=
        label + ": setp.lt.u32 %p1, %r1, 5; @%p1 bra L" + std::to_string((i * 7919) % loops) + "; bar.sync 0;\n";
  }
  for (const std::string& body : {nested + closed, crossing, repeated("bar.sync 0;\n", 20'000),
                                  repeated("setp.eq.u32 %p1, %r1, 0; @%p1 bra END;\n", 20'000) + "END: bar.sync 0;",
                                  "L: " + repeated("mad.lo.u32 %r2, %r3, %r4, %r2;\n", 30'000) + "bra L;"}) {
    expect_kept(with_prologue(body));
  }
  std::string kernels = ".version 9.0\n.target sm_90\n.address_size 64\n";
  for (int i = 0; i < 3'000; ++i) kernels += ".entry k" + std::to_string(i) + "() { L: bra L; }\n";
  expect_kept(kernels);
}

}  // namespace
}  // namespace genesys::schedule
