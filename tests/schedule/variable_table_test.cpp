// SPDX-License-Identifier: Apache-2.0
// Kernels that reach the variables of another module through a table: what the text becomes, what is refused, and, in
// the interpreter, that the other module's variables are used and no copies. Also the parts of a text.
// GENESYS_TEST_SEED sets the seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "interpreter/aborting_host.h"
#include "rewrite_cases.h"
#include "schedule/rewrite/prepared_kernel.h"
#include "schedule/rewrite/text_parts.h"
#include "schedule/rewrite/time_words.h"
#include "schedule/rewrite/variable_table.h"

namespace genesys::schedule {
namespace {

using namespace interpreter;
using names = std::vector<std::string>;

constexpr char variables[] = R"(.version 9.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 x;
.global .align 8 .b8 big[1024] = {1, 2};
.visible .const .align 4 .b8 c[64];
.global .align 8 .u64 holder = generic(big)+8;
.visible .global .attribute(.managed) .align 4 .u32 managed;
.global .texref image;
)";

std::string kernel_with(const std::string& body, const std::string& before = "") {
  return variables + before +
         ".visible .entry k(.param .u64 p) {\n.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p1;\n" + body +
         "\nret;\n}\n";
}
with_table converted(const std::string& body, const std::string& before = "") {
  return through_table(kernel_with(body, before), "k");
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(VariableTable, NothingIsDoneWithoutVariables) {
  const std::string text = kernel_with("ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], %r1;");
  const with_table made = through_table(text, "k");
  EXPECT_EQ(made.ptx, text);
  EXPECT_EQ(made.table, "");
  EXPECT_EQ(made.why_not, "");
}

TEST(VariableTable, EachFormOfAnAddress) {
  const struct {
    const char* code;
    const char* becomes;
  } all[] = {
      {"mov.u64 %rd1, x;", "ld.const.u64 %rd1, [genesys_v_table+0];\ncvta.to.global.u64 %rd1, %rd1;\n"},
      {"mov.b64 %rd1, big+16;", "cvta.to.global.u64 %rd1, %rd1;\nadd.s64 %rd1, %rd1, 16;"},
      {"@%p1 mov.u64 %rd1, x+4;",
       "@%p1  ld.const.u64 %rd1, [genesys_v_table+0];\n@%p1  cvta.to.global.u64 %rd1, %rd1;\n@%p1  add.s64"},
      {"cvta.global.u64 %rd1, x;", "ld.const.u64 %rd1, [genesys_v_table+0];"},
      {"ld.global.u32 %r1, [x];", "ld.global.u32 %r1, [%genesys_v_at];"},
      {"ld.volatile.global.u32 %r1, [big+8];", "ld.volatile.global.u32 %r1, [%genesys_v_at+8];"},
      {"@%p1 st.global.u32 [big+-8], %r1;", "@%p1 st.global.u32 [%genesys_v_at+-8], %r1;"},
      {"atom.global.add.u32 %r1, [x], 1;", "atom.global.add.u32 %r1, [%genesys_v_at], 1;"},
      {"red.global.add.u32 [x], 1;", "red.global.add.u32 [%genesys_v_at], 1;"},
      {"ld.const.u32 %r1, [c+4];", "ld.global.nc.u32 %r1, [%genesys_v_at+4];"},
      {"ld.const.v2.u32 {%r1, %r2}, [c+8];", "ld.global.nc.v2.u32 {%r1, %r2}, [%genesys_v_at+8];"},
      {"mov.u64 %rd1, c; ld.const.u32 %r1, [%rd1+4];", "ld.global.nc.u32 %r1, [%rd1+4];"},
      {"mov.u64 %rd1, c; cvta.const.u64 %rd2, %rd1;", "cvta.global.u64 %rd2, %rd1;"},
      {"mov.u64 %rd1, c; cvta.to.const.u64 %rd2, %rd1;", "cvta.to.global.u64 %rd2, %rd1;"},
  };
  for (const auto& each : all) {
    const with_table made = converted(each.code);
    EXPECT_EQ(made.why_not, "") << each.code;
    EXPECT_TRUE(has(made.ptx, each.becomes)) << each.code << "\n" << made.ptx;
    EXPECT_EQ(made.variables.size(), 1U) << each.code;
    EXPECT_TRUE(has(made.ptx, ".visible .const .align 8 .b64 genesys_v_table[1];")) << made.ptx;
    EXPECT_TRUE(parse_ptx(std::string_view(made.ptx)).problems.empty());
  }
}

TEST(VariableTable, WhatIsNotCovered) {
  const char* const all[] = {
      "ld.u32 %r1, [x];",                            // a generic address of a variable
      "mov.u64 %rd1, c; isspacep.const %p1, %rd1;",  // it is not in that window any more
      "mov.u64 %rd1, managed;",                      // the host sees what a kernel writes
      "tex.1d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [image, {%r5}];",
      "add.s64 %rd1, %rd2, x;",
      "mov.u32 %r1, x;",
      "{ .param .b64 a; st.param.b64 [a], x; }",
      "ld.volatile.const.u32 %r1, [c];",
  };
  for (const char* each : all) {
    const with_table made = converted(each);
    EXPECT_NE(made.why_not, "") << each << "\n" << made.ptx;
    EXPECT_EQ(made.ptx, kernel_with(each));
    EXPECT_TRUE(made.variables.empty());
  }
  const std::string holds = ".global .u64 window = c;\n";
  EXPECT_NE(converted("ld.const.u32 %r1, [c];", holds).why_not, "");
  EXPECT_EQ(converted("ld.global.u32 %r1, [x];", holds).why_not, "") << "no constant memory is used";
}

TEST(VariableTable, FunctionsThatAreCalled) {
  const std::string called = ".func f() {\n.reg .b32 %r<3>; ld.global.u32 %r1, [x]; ret; }\n",
                    other = ".func g() {\n.reg .b32 %r<3>; ld.u32 %r1, [big]; ret; }\n";
  const with_table made = converted("call.uni f;", called + other);
  EXPECT_EQ(made.why_not, "");
  EXPECT_EQ(made.variables, names{"x"});
  EXPECT_TRUE(has(made.ptx, "[%genesys_v_at]; ret;"));
  EXPECT_TRUE(has(made.ptx, "ld.u32 %r1, [big]")) << "nobody calls it";
  EXPECT_NE(converted("call.uni g;", called + other).why_not, "");
}

// A variable that only the table stands for is not declared again, so that it exists once.
TEST(VariableTable, DeclarationsGo) {
  const with_table made = converted("ld.global.u32 %r1, [x]; ld.global.u32 %r2, [big]; mov.u64 %rd2, holder;");
  EXPECT_EQ(made.why_not, "");
  for (const char* gone : {".u32 x;", "big[1024]", "holder ="}) EXPECT_FALSE(has(made.ptx, gone)) << made.ptx;
  for (const char* left : {"c[64]", "managed;", "image;"}) EXPECT_TRUE(has(made.ptx, left)) << left;
  const with_table held = converted("ld.global.u32 %r2, [big];");
  EXPECT_TRUE(has(held.ptx, "big[1024]")) << "the holder names it";
  EXPECT_TRUE(has(held.ptx, "holder = generic(big)+8;"));
}

TEST(VariableTable, NamesOfTheTextAreNotTaken) {
  const with_table made = converted("ld.global.u32 %r1, [x];", ".global .u32 genesys_v_table;\n");
  EXPECT_EQ(made.why_not, "");
  EXPECT_EQ(made.table, "genesys1_v_table");
}

TEST(TextParts, OneKernel) {
  const std::string ptx = kept_ptx("workloads.ptx");
  const text_parts parts(ptx);
  std::size_t kernels = 0, bytes = 0;
  const auto all = classify(ptx);
  ASSERT_EQ(parts.kernels(), all.size());
  for (const kernel_verdict& each : all) {
    ASSERT_TRUE(parts.has_kernel(each.name));
    const std::string one = parts.with_only(each.name);
    const auto alone = classify(one);
    ASSERT_EQ(alone.size(), 1U) << each.name;
    EXPECT_EQ(alone[0].name, each.name);
    EXPECT_EQ(alone[0].is_idempotent, each.is_idempotent);
    EXPECT_EQ(alone[0].is_preemptible, each.is_preemptible);
    EXPECT_EQ(alone[0].reasons.size(), each.reasons.size());
    bytes += one.size();
    ++kernels;
  }
  EXPECT_LT(bytes, ptx.size() * 2);
  EXPECT_FALSE(parts.has_kernel("nobody"));
}

TEST(TextParts, WhatCodeNamesStays) {
  const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n",
                    a = ".visible .entry a(.param .u64 p)\n.maxntid 128, 1, 1\n{ ret; }\n",
                    b = ".weak .entry b { { ret; } ret; }\n", f = ".func f() { ret; }\n";
  const std::string all = head + a + f + b;
  EXPECT_EQ(text_parts(all).with_only("a"), head + a + f + "\n");
  EXPECT_EQ(text_parts(all).with_only("b"), head + "\n" + f + b);
  const std::string launched = all + ".global .u64 address = b;\n";
  EXPECT_EQ(text_parts(launched).with_only("a"), launched);
  const std::string in_debug = head + ".file 1 \"a.cu\"\n" + a +
                               ".visible .entry d() { .loc 1 2 3, function_name $L, " +
                               "inlined_at 1 2 3\n ret; }\n.section .debug_str { $L: .b8 0 .b64 a }\n";
  EXPECT_EQ(text_parts(in_debug).with_only("a"), head + "\n" + a + "\n\n");
  EXPECT_EQ(text_parts(in_debug).with_only("d"), head + "\n\n.visible .entry d() { \n ret; }\n\n");
  EXPECT_EQ(text_parts(".target sm_90, debug\n" + a).with_only("a"), ".target sm_90\n" + a);
  EXPECT_EQ(text_parts(head + ".entry c {").with_only("a"), head + ".entry c {");
}

unsigned first_seed() {
  const char* chosen = std::getenv("GENESYS_TEST_SEED");
  return chosen ? static_cast<unsigned>(std::strtoul(chosen, nullptr, 10)) : 27;
}

// Two modules in one memory: the program's, whose variables have what the host stored there, and the one with the
// table, whose own variables have other bytes.
class two_modules {
 public:
  two_modules(unsigned seed, const std::string& text) : original_(text), program_(parse_ptx(original_)), on_(seed) {
    on_.load(program_);
    for (const variable& each : program_.variables) {
      if (!each.is_module_wide) continue;
      const std::string name(each.name);
      at_[name] = on_.address_of(name);
      for (std::uint64_t i = 0; i < each.bytes; ++i) {
        on_.global().store(at_[name] + i, 1, name == "variable_limit" ? (i == 0 ? 100 : 0) : (i * 37 + 11) % 251);
      }
    }
    out_ = on_.global().allocate(4 * 128);
    bytes_ = on_.global().contents().size();
  }
  void use(const kernel_text& text) {
    made_ = parse_ptx(std::string_view(text.ptx));
    on_.load(made_);
    for (std::size_t i = 0; i < text.variables.size(); ++i) {
      const std::uint64_t into = tampered_ && i == 0 ? on_.global().allocate(2'048) : at_.at(text.variables[i]);
      on_.global().store(on_.address_of(text.table) + 8 * i, 8, into);
    }
  }
  void tamper() { tampered_ = true; }
  launch of(const std::string& kernel, unsigned turns) const {
    launch one{kernel, {2}, {64}, 0, std::vector<std::uint8_t>(16)};
    const bool has_out = kernel == "variable_count" || kernel == "variable_read";
    if (has_out) std::memcpy(one.parameters.data(), &out_, 8);
    std::memcpy(one.parameters.data() + (has_out ? 8 : 0), &turns, 4);
    return one;
  }
  std::vector<std::uint8_t> memory() {
    std::vector<std::uint8_t> all = on_.global().contents();
    all.resize(bytes_);
    return all;
  }
  machine& on() { return on_; }

 private:
  std::string original_;
  module program_, made_;
  machine on_;
  std::map<std::string, std::uint64_t> at_;
  std::uint64_t out_ = 0;
  std::size_t bytes_ = 0;
  bool tampered_ = false;
};

const names interpreted = {"variable_count", "variable_in_place", "variable_read", "variable_wide_write"};
constexpr unsigned turns = 40;

struct run_once {
  std::vector<std::uint8_t> memory;
  std::uint64_t steps = 0;
};
run_once run_original(const std::string& kernel) {
  two_modules here(1, kept_ptx("variables.ptx"));
  const ended end = here.on().run(here.of(kernel, turns));
  return {here.memory(), end.steps};
}

prepared_kernel prepared(const std::string& kernel) {
  const std::string ptx = kept_ptx("variables.ptx");
  prepared_kernel made;
  EXPECT_TRUE(prepare(text_parts(ptx).with_only(kernel), kernel, made));
  return made;
}

TEST(Variables, AreThoseOfTheProgram) {
  for (const std::string& name : interpreted) {
    const run_once expected = run_original(name);
    const prepared_kernel made = prepared(name);
    ASSERT_TRUE(made.verdict.is_preemptible) << name;
    ASSERT_EQ(made.polls.why_not, "") << name;
    EXPECT_EQ(made.timed.made, variant::timed_loops) << name;
    unsigned aborted = 0;
    for (unsigned seed = first_seed(); seed < first_seed() + 12; ++seed) {
      for (const kernel_text* text : {&made.polls, &made.timed}) {
        two_modules here(seed, kept_ptx("variables.ptx"));
        here.use(*text);
        aborting_host host(here.on(), seed);
        launch one = here.of(name, turns);
        if (text == &made.timed) {
          const std::uint64_t record = here.on().global().allocate(record_bytes);
          one.parameters.resize(text->times_offset + times_bytes);
          std::memcpy(one.parameters.data() + text->times_offset + times_record, &record, sizeof record);
        }
        host_settings settings;
        settings.within = expected.steps;
        host.run(one, text->context_offset, settings);
        ASSERT_TRUE(here.memory() == expected.memory) << name << ", seed " << seed;
        aborted += host.report().aborted;
      }
    }
    EXPECT_GT(aborted, 0U) << name;
  }
}

TEST(VariablesControl, AWrongAddressIsFound) {
  for (const std::string& name : interpreted) {
    const run_once expected = run_original(name);
    two_modules here(first_seed(), kept_ptx("variables.ptx"));
    here.tamper();
    const prepared_kernel made = prepared(name);
    here.use(made.polls);
    aborting_host host(here.on(), first_seed());
    host.run(here.of(name, turns), made.polls.context_offset, {true, 0, 0});
    EXPECT_FALSE(here.memory() == expected.memory) << name;
  }
}

// Damaged texts: it always ends, and what is made is a kernel.
TEST(Variables, DamagedTexts) {
  const std::string original = kept_ptx("variables.ptx");
  const std::vector<std::string> pieces = {
      "{",      "}",        ";",    ",",  "(", "[",  "variable_words", ".const",   ".global", "mov.u64",
      ".entry", ".section", ".loc", "\"", "+", "ld", "%rd3",           ".visible", "0"};
  std::mt19937 random(first_seed());
  unsigned made_some = 0;
  const int rounds = std::getenv("GENESYS_TEST_FULL") ? 300 : 100;
  for (int round = 0; round < rounds; ++round) {
    std::string text = original;
    for (unsigned n = random() % 3 + 1; n > 0; --n) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text.insert(at, " " + pieces[random() % pieces.size()] + " ");
          break;
        case 1:
          text.erase(at, random() % 40);
          break;
        default:
          text.resize(std::max<std::size_t>(at, 1));
      }
    }
    const text_parts parts(text);
    for (const std::string& name : interpreted) {
      prepared_kernel made;
      if (!parts.has_kernel(name) || !prepare(parts.with_only(name), name, made)) continue;
      for (const kernel_text* each : {&made.polls, &made.timed}) {
        if (each->ptx.empty()) continue;
        const module now = parse_ptx(std::string_view(each->ptx));
        EXPECT_TRUE(now.problems.empty());
        EXPECT_NE(now.find(name), nullptr);
        ++made_some;
      }
    }
  }
  std::printf("%u texts from seed %u\n", made_some, first_seed());
  EXPECT_GT(made_some, static_cast<unsigned>(rounds) / 3);
}

TEST(Variables, VerdictsNameWhatIsWritten) {
  EXPECT_EQ(prepared("variable_count").verdict.symbols_written, names{"variable_calls"});
  EXPECT_EQ(prepared("variable_in_place").verdict.symbols_written, names{"variable_words"});
  EXPECT_TRUE(prepared("variable_read").verdict.symbols_written.empty());
  EXPECT_TRUE(prepared("variable_read").verdict.is_idempotent);
  EXPECT_FALSE(prepared("variable_in_place").verdict.is_idempotent);
}

TEST(Variables, AFunctionUsesTheTable) {
  const prepared_kernel made = prepared("variable_call");
  EXPECT_EQ(made.polls.why_not, "");
  EXPECT_EQ(made.polls.variables, (names{"variable_words", "variable_factors"}));
  for (const char* gone : {"variable_words", "variable_factors"}) EXPECT_FALSE(has(made.polls.ptx, gone));
}

}  // namespace
}  // namespace genesys::schedule
