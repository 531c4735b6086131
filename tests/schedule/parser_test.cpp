// SPDX-License-Identifier: Apache-2.0
// The parser of PTX: positions, scopes, operands, debug noise.
#include <gtest/gtest.h>

#include <deque>

#include "cases.h"
#include "schedule/classify/flow_graph.h"
#include "schedule/ptx/ptx_module.h"

namespace genesys::schedule {
namespace {

std::string problems_of(const module& all) {
  std::string text;
  for (const problem& each : all.problems) text += each.text + "\n";
  for (const function& one : all.functions) {
    for (const problem& each : one.problems) text += std::string(one.name) + ": " + each.text + "\n";
  }
  return text;
}

// A module that keeps its text.
module parsed(const std::string& text) {
  static std::deque<std::string> kept;
  return parse_ptx(kept.emplace_back(text));
}

// What stands between an instruction's position and its end is its text.
TEST(Parser, KeepsPositions) {
  const std::string text = with_prologue("setp.eq.u32 %p1, %r1, 0;\n  @!%p1 st.global.u32 [%rd5+8], %r1;");
  const module all = parse_ptx(text);
  ASSERT_EQ(problems_of(all), "");
  const function& kernel = all.functions[0];
  EXPECT_EQ(text[kernel.body_offset], '{');
  EXPECT_EQ(text[kernel.body_end_offset], '}');
  const instruction& store = kernel.body[kernel.body.size() - 2];
  EXPECT_EQ(text.substr(store.at.offset, store.end_offset - store.at.offset), "@!%p1 st.global.u32 [%rd5+8], %r1;");
  EXPECT_EQ(std::count(text.begin(), text.begin() + store.at.offset, '\n') + 1, store.at.line);
  EXPECT_TRUE(store.guard_is_negated);
  EXPECT_EQ(all.variables[store.guard].name, "%p1");
  EXPECT_EQ(store.operands[0].what, operand::kind::address);
  EXPECT_EQ(store.operands[0].value, 8);
}

TEST(Parser, Operands) {
  const std::string text = with_prologue(R"(
    mov.b64 {%r2, _}, %rd1; mov.f32 %f1, 0f3F800000; mov.u32 %r3, -0x10; mov.u32 %r4, %ctaid.y;
    setp.lt.and.u32 %p1|%p2, %r2, %r3, !%p3; tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd3, {%f5, %f6}];
    ld.global.u32 %r5, [%rd1+-12]; ld.global.u32 %r6, [table+16]; mov.u64 %rd9, table+8;)",
                                         ".global .b8 table[64];");
  const module all = parse_ptx(text);
  ASSERT_EQ(problems_of(all), "");
  const auto& body = all.functions[0].body;
  const std::size_t first = body.size() - 10;
  EXPECT_EQ(body[first].operands[0].parts[1].what, operand::kind::sink);
  EXPECT_FALSE(body[first + 1].operands[1].is_integer);
  EXPECT_EQ(body[first + 2].operands[1].value, -16);
  EXPECT_EQ(body[first + 3].operands[1].what, operand::kind::special);
  EXPECT_TRUE(body[first + 4].has_two_results);
  EXPECT_TRUE(body[first + 4].operands[4].is_negated);
  EXPECT_EQ(body[first + 5].operands[1].parts.size(), 1U);
  EXPECT_EQ(body[first + 6].operands[1].value, -12);
  EXPECT_EQ(all.variables[body[first + 7].operands[1].var].name, "table");
  EXPECT_EQ(body[first + 8].operands[1].value, 8);
}

// Each scope has names of its own, as inline assembly needs them; labels as well.
TEST(Parser, Scopes) {
  const module all = parsed(with_prologue(R"(
    { .reg .b32 t; mov.u32 t, 1; L: add.u32 t, t, 1; bra L; }
    { .reg .b32 t; mov.u32 t, 2; L: add.u32 t, t, 1; bra L; })"));
  ASSERT_EQ(problems_of(all), "");
  const auto& body = all.functions[0].body;
  const std::size_t first = body.size() - 7;
  EXPECT_NE(body[first].operands[0].var, body[first + 3].operands[0].var);
  EXPECT_EQ(body[first + 2].targets[0], static_cast<int>(first + 1));
  EXPECT_EQ(body[first + 5].targets[0], static_cast<int>(first + 4));
}

TEST(Parser, SkipsDebugInformation) {
  const module all = parsed(R"(
    .version 8.0
    .target sm_90, debug
    .file 1 "a.cu"
    .visible .entry k(.param .u64 .ptr .global .align 4 p) .maxntid 256, 1, 1 .minnctapersm 2
    { .pragma "nounroll"; .loc 1 3 4
      .loc 1 5 6, function_name $x, inlined_at 1 7 8
      ret; }
    .section .debug_str { $x: .b8 107 .b8 0 }
  )");
  EXPECT_EQ(problems_of(all), "");
  ASSERT_EQ(all.functions.size(), 1U);
  EXPECT_EQ(all.functions[0].body.size(), 1U);
  EXPECT_TRUE(all.variables[all.functions[0].parameters[0]].is_pointer);
}

// A .loc directive ends without a semicolon, and an instruction may follow on its line.
TEST(Parser, InstructionBehindLoc) {
  const module all =
      parsed(with_prologue(".loc 1 2 3 st.global.u32 [%rd5], %r1; .loc 1 2 3, function_name $a+4, "
                           "inlined_at 1 2 3 st.global.u32 [%rd6], %r1;"));
  ASSERT_EQ(problems_of(all), "");
  const auto& body = all.functions[0].body;
  EXPECT_EQ(body[body.size() - 2].opcode, "st");
  EXPECT_EQ(body[body.size() - 3].opcode, "st");
}

TEST(Parser, OneLine) {
  const module all = parsed(".version 8.0 .target sm_90, debug .address_size 64 .visible .entry k() { ret; }");
  EXPECT_EQ(problems_of(all), "");
  EXPECT_EQ(all.functions.size(), 1U);
}

TEST(Parser, TwoLabelsOfOneName) { EXPECT_NE(problems_of(parsed(with_prologue("L: bra L; L: ret;"))), ""); }

TEST(Parser, IndexedBranches) {
  const module all = parsed(with_prologue(R"(
    T: .branchtargets ONE, TWO;
    brx.idx %r1, T;
    ONE: mov.u32 %r2, 1; bra DONE;
    TWO: mov.u32 %r2, 2;
    DONE:)"));
  ASSERT_EQ(problems_of(all), "");
  const function& kernel = all.functions[0];
  const flow_graph graph = graph_of(kernel);
  for (const auto& block : graph.blocks) EXPECT_EQ(block.loop, -1);
  EXPECT_EQ(graph.blocks[0].next.size(), 2U);
}

TEST(Parser, Loops) {
  const module all = parsed(with_prologue(R"(
    mov.u32 %r2, 0;
    OUTER: mov.u32 %r3, 0;
    INNER: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 4; @%p1 bra INNER;
    add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 4; @%p1 bra OUTER;
    mov.u32 %r4, 0;)"));
  const flow_graph graph = graph_of(all.functions[0]);
  EXPECT_EQ(graph.blocks.front().loop, -1);
  EXPECT_EQ(graph.blocks.back().loop, -1);
  EXPECT_GE(graph.blocks[1].loop, 0);
  EXPECT_EQ(graph.blocks[1].loop, graph.blocks[2].loop);
}

}  // namespace
}  // namespace genesys::schedule
