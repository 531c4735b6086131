// SPDX-License-Identifier: Apache-2.0
// Where the rewriter puts polls, where it puts none, and that the text stays PTX: a kernel for each rule of
// docs/schedule-rewrite.md. rewrite_assemble_test.cpp gives the texts to ptxas, rewrite_run_test.cpp runs them.
#include <gtest/gtest.h>

#include "cases.h"
#include "rewrite_cases.h"

namespace genesys::schedule {
namespace {

using enum poll::kind;

kernel_rewrite only(const std::string& ptx, const rewrite_settings& settings = {}) {
  const rewritten made = with_variant(ptx, variant::loops, settings);
  EXPECT_EQ(made.kernels.size(), 1U);
  return made.kernels.at(0);
}

// A kernel around a body, as in cases.h.
kernel_rewrite of_body(const std::string& body, const std::string& before = "") {
  return only(with_prologue(body, before));
}

std::string loop(const std::string& body, const std::string& name = "LOOP") {
  return "mov.u32 %r9, 0;\n" + name + ":\n" + body + "\nadd.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, %r3; @%p1 bra " +
         name + ";\n";
}
const std::string length = "ld.param.u32 %r3, [n];\n";
const std::string store = "st.global.u32 [%rd5], %r9;\n";

TEST(Rewrite, NoLoops) {
  const kernel_rewrite made = of_body(store);
  EXPECT_EQ(made.made, variant::entry);
  EXPECT_EQ(kinds_of(made), std::vector{entry_thread});
}

TEST(Rewrite, ThreadsWithoutBarriersLeaveAlone) {
  const kernel_rewrite made = of_body(length + loop(store));
  EXPECT_EQ(made.made, variant::loops);
  EXPECT_EQ(kinds_of(made), (std::vector{entry_thread, thread}));
  EXPECT_GT(made.polls[1].every, 1U);
}

TEST(Rewrite, LoopWithBarrierVotes) {
  const kernel_rewrite made = of_body(length + loop("bar.sync 0; bar.sync 0;" + store));
  EXPECT_EQ(kinds_of(made), (std::vector{entry_block, vote}));  // one of the two: all threads meet them in one order
}

TEST(Rewrite, BarriersThatMayMeetAllVote) {
  const kernel_rewrite made = of_body(
      length + loop("setp.lt.u32 %p2, %r1, 7; @%p2 bra ONE; bar.sync 0; bra BOTH; ONE: bar.sync 0; BOTH:" + store));
  EXPECT_EQ(kinds_of(made), (std::vector{entry_block, vote, vote}));
}

TEST(Rewrite, OneOfTwoBarriersHasAResult) {
  const kernel_rewrite made = of_body(
      length +
      loop("setp.lt.u32 %p2, %r1, 7; @%p2 bra ONE; bar.sync 0; bra BOTH; ONE: bar.red.popc.u32 %r8, 0, %p2; BOTH:" +
           store));
  EXPECT_EQ(kinds_of(made), std::vector{entry_block});
  EXPECT_NE(refusals(made).find("its barriers have results"), std::string::npos) << refusals(made);
}

// A vote between them would change the last bit of a result.
TEST(Rewrite, FusedOperations) {
  const auto made = [](const std::string& product, const std::string& sum) {
    return of_body(length + loop(product + "bar.sync 0;" + sum + "st.global.f32 [%rd5], %f1;"));
  };
  EXPECT_EQ(kinds_of(made("mul.f32 %f2, %f3, %f4;", "add.f32 %f1, %f2, %f5;")), std::vector{entry_block});
  EXPECT_EQ(kinds_of(made("mul.rn.f32 %f2, %f3, %f4;", "add.f32 %f1, %f2, %f5;")), (std::vector{entry_block, vote}));
  EXPECT_EQ(kinds_of(made("mul.f32 %f2, %f3, %f4; mov.f32 %f2, %f3;", "add.f32 %f1, %f2, %f5;")),
            (std::vector{entry_block, vote}));
}

// ptxas looks through moves and changes of sign.
TEST(Rewrite, FusedOperationsByWayOfOthers) {
  for (const char* between : {"mov.f32 %f6, %f2;", "neg.f32 %f6, %f2;", "mov.b32 %f7, %f2; neg.ftz.f32 %f6, %f7;"}) {
    const auto made = [&](const std::string& product) {
      return kinds_of(of_body(length + loop(product + std::string(between) + "bar.sync 0; add.f32 %f1, %f6, %f5;" +
                                            "st.global.f32 [%rd5], %f1;")));
    };
    EXPECT_EQ(made("mul.f32 %f2, %f3, %f4;"), std::vector{entry_block}) << between;
    EXPECT_EQ(made("mul.rn.f32 %f2, %f3, %f4;"), (std::vector{entry_block, vote})) << between;
  }
}

// ptxas unrolls loops, and then fuses the product of one iteration with the sum of the next one.
TEST(Rewrite, FusedOperationsOfTwoIterations) {
  const std::string sum = "add.f32 %f1, %f1, %f2; st.global.f32 [%rd5], %f1;", product = "mul.f32 %f2, %f3, %f4;",
                    exact = "mul.rn.f32 %f2, %f3, %f4;";
  const auto made = [](const std::string& before, const std::string& body, const std::string& after = "") {
    return of_body(before + length + loop(body) + after);
  };
  const kernel_rewrite carried = made("mov.f32 %f2, 0f00000000;", sum + product);
  EXPECT_EQ(kinds_of(carried), std::vector{entry_thread});
  EXPECT_NE(refusals(carried).find("fused if ptxas unrolls it"), std::string::npos) << refusals(carried);
  EXPECT_EQ(kinds_of(made("mov.f32 %f2, 0f00000000;", sum + exact)), (std::vector{entry_thread, thread}));
  EXPECT_EQ(kinds_of(made("", product + sum)), (std::vector{entry_thread, thread}));  // always in one iteration
  EXPECT_EQ(kinds_of(made(product, sum)), std::vector{entry_thread});                 // goes into the loop
  EXPECT_EQ(kinds_of(made("", product + store, sum)), std::vector{entry_thread});     // goes out of it
  EXPECT_EQ(kinds_of(made("", sum + product + "bar.sync 0;")), std::vector{entry_block});
  EXPECT_EQ(kinds_of(made("", sum + product + "bar.warp.sync -1;")), std::vector{entry_block});
  EXPECT_EQ(kinds_of(made("", product + "@%p2 mov.f32 %f2, %f3; bar.sync 0;" + sum)), std::vector{entry_block});
}

TEST(Rewrite, BarrierBehindTheLoop) {
  const kernel_rewrite made = of_body(length + loop(store) + "bar.sync 0;" + store);
  EXPECT_EQ(kinds_of(made), (std::vector{entry_block, vote, arrive}));
}

// The lanes of a warp are together behind a barrier that is aligned, also if it becomes one that is not.
TEST(Rewrite, LanesAreTogetherBehindVotes) {
  const auto has_step = [](const std::string& body) {
    return with_variant(with_prologue(length + body), variant::loops).ptx.find("bar.warp.sync %genesys_a;") !=
           std::string::npos;
  };
  EXPECT_TRUE(has_step(loop(store) + "bar.sync 0;" + store));
  EXPECT_FALSE(has_step(loop(store) + "barrier.sync 0;" + store));
  EXPECT_FALSE(has_step(loop("bar.sync 0;" + store)));
}

// Where ways out meet, ptxas lets the lanes of a warp meet again, instead of behind the loop. So they meet only where
// that is needed: lanes must not wait behind a loop for one that waits for them at a barrier.
TEST(Rewrite, WaysOut) {
  const auto made = [](const std::string& body) {
    return with_variant(with_prologue(length + body), variant::loops).ptx;
  };
  const auto count = [](const std::string& text, const std::string& what) {
    unsigned found = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++found;
    return found;
  };
  const std::string alone = made(loop(store) + loop(store, "LOOP2"));
  const std::string voting = made(loop("bar.sync 0;" + store) + loop("bar.sync 0;" + store, "LOOP2"));
  for (const std::string& text : {alone, voting}) {
    for (const char* label : {"$genesys_leave_0", "$genesys_leave_1"}) {
      EXPECT_EQ(count(text, "bra " + std::string(label) + ";"), 1U);
      EXPECT_EQ(count(text, std::string(label) + ":"), 1U);
    }
  }
  const std::string arriving = made(loop(store) + loop(store, "LOOP2") + "bar.sync 0; bar.sync 0;" + store);
  EXPECT_EQ(count(arriving, "bra $genesys_arrive;"), 2U);
  EXPECT_EQ(count(arriving, "bra $genesys_leave;"), 2U);
  EXPECT_NE(arriving.find("barrier.red.or.pred %genesys_all, 0, %genesys_leaves;\n$genesys_leave:"), arriving.npos);
}

TEST(Rewrite, SeveralBarriersBehindTheLoop) {
  const kernel_rewrite made = of_body(length + loop(store) + "bar.sync 0; bar.sync 1;" + store);
  EXPECT_EQ(kinds_of(made), std::vector{entry_block});
  EXPECT_NE(refusals(made).find("several barriers"), std::string::npos) << refusals(made);
}

// A thread that left alone would be missed, so it does not; a warp leaves where its lanes are together.
TEST(Rewrite, StepsOfWarps) {
  for (const char* step :
       {"shfl.sync.down.b32 %r8, %r9, 1, 31, -1;", "vote.sync.any.pred %p3, %p2, 0xffffffff;", "bar.warp.sync -1;",
        "match.any.sync.b32 %r8, %r9, -1;", "redux.sync.add.u32 %r8, %r9, -1;"}) {
    EXPECT_EQ(kinds_of(of_body(length + loop(step + store))), (std::vector{entry_block, warp})) << step;
    const kernel_rewrite behind = of_body(length + loop(store) + step + store);
    EXPECT_EQ(kinds_of(behind), std::vector{entry_block}) << step;
    EXPECT_NE(refusals(behind).find("a step of a warp"), std::string::npos) << step << refusals(behind);
    const kernel_rewrite before = of_body(length + step + loop(store));
    EXPECT_EQ(kinds_of(before), (std::vector{entry_block, thread})) << step;
    const kernel_rewrite apart = of_body(length + loop(store) + "bar.sync 0;" + step + store);
    EXPECT_EQ(kinds_of(apart), (std::vector{entry_block, vote, arrive})) << step;
    const kernel_rewrite both = of_body(length + loop(step + store) + "bar.sync 0;" + store);
    EXPECT_EQ(kinds_of(both), (std::vector{entry_block, vote, warp})) << step;
    const kernel_rewrite object = of_body(length + loop(step + store) + "mbarrier.arrive.shared.b64 %rd10, [%r1];");
    EXPECT_EQ(kinds_of(object), std::vector{entry_block}) << step;
  }
}

// Lanes that rely on lockstep.
TEST(Rewrite, VolatileSharedMemory) {
  for (const char* step :
       {"ld.volatile.shared.u32 %r8, [%r1];", "st.volatile.shared.u32 [%r1], %r8;", "st.volatile.u32 [%rd5], %r8;"}) {
    EXPECT_EQ(kinds_of(of_body(length + loop(store) + step)), std::vector{entry_block}) << step;
    EXPECT_EQ(kinds_of(of_body(length + loop(store) + "bar.sync 0;" + step)), (std::vector{entry_block, vote, arrive}))
        << step;
  }
  EXPECT_EQ(kinds_of(of_body(length + loop(store) + "st.volatile.global.u32 [%rd5], %r9;")),
            (std::vector{entry_thread, thread}));
}

// nvcc keeps the mask in a register.
TEST(Rewrite, MaskInARegister) {
  const std::string step = "shfl.sync.down.b32 %r8|%p3, %r9, 1, 31, %r10;" + store;
  EXPECT_EQ(kinds_of(of_body("mov.b32 %r10, -1;" + length + loop(step))), (std::vector{entry_block, warp}));
  EXPECT_EQ(kinds_of(of_body("mov.b32 %r10, -1; mov.b32 %r10, 7;" + length + loop(step))), std::vector{entry_block});
  EXPECT_EQ(kinds_of(of_body("mov.b32 %r10, -1; @%p2 mov.b32 %r10, -1;" + length + loop(step))),
            std::vector{entry_block});
}

TEST(Rewrite, StepsWithoutSomeLanes) {
  for (const char* step : {"shfl.sync.down.b32 %r8, %r9, 1, 31, 255;", "shfl.sync.down.b32 %r8, %r9, 1, 31, %r1;",
                           "@%p2 bar.warp.sync -1;", "activemask.b32 %r8;"}) {
    const kernel_rewrite made = of_body(length + loop(step + store));
    EXPECT_EQ(kinds_of(made), std::vector{entry_block}) << step;
    EXPECT_NE(refusals(made).find("without some of its lanes"), std::string::npos) << step << refusals(made);
  }
}

// Steps in two blocks may meet each other. With as many in each, one vote for each block is enough.
TEST(Rewrite, StepsThatMayMeet) {
  const std::string one = "shfl.sync.down.b32 %r8, %r9, 1, 31, -1;", two = one + one;
  const auto votes = [&](const std::string& left, const std::string& right) {
    const kernel_rewrite made = of_body(
        length + loop("setp.lt.u32 %p2, %r1, 7; @%p2 bra ONE;" + left + "bra BOTH; ONE: " + right + "BOTH:" + store));
    const auto kinds = kinds_of(made);
    return std::count(kinds.begin(), kinds.end(), warp);
  };
  EXPECT_EQ(votes(two, two), 2);
  EXPECT_EQ(votes(one, two), 3);
  EXPECT_EQ(votes(two, ""), 1);
}

TEST(Rewrite, CountedBarriers) {
  for (const char* barrier :
       {"bar.sync 1, 64;", "bar.arrive 1, 64;", "bar.sync %r1;", "barrier.cta.red.or.pred %p3, 1, 64, %p2;"}) {
    const kernel_rewrite made = of_body(length + "bar.sync 0;" + loop("bar.sync 0;" + store) + barrier + store);
    EXPECT_EQ(kinds_of(made), std::vector{entry_block}) << barrier;
    EXPECT_FALSE(made.refused.empty());
  }
}

TEST(Rewrite, Mbarriers) {
  const std::string arrive_there = "mbarrier.arrive.shared.b64 %rd10, [%r1];";
  EXPECT_EQ(kinds_of(of_body(length + loop(arrive_there + store))), std::vector{entry_block});
  EXPECT_EQ(kinds_of(of_body(length + loop(store) + arrive_there)), std::vector{entry_block});
  EXPECT_EQ(kinds_of(of_body(length + loop(arrive_there + "bar.sync 0;" + store))), (std::vector{entry_block, vote}));
}

TEST(Rewrite, CopiesUnderWay) {
  const std::string ptx = with_prologue(length + loop("cp.async.ca.shared.global [%r1], [%rd6], 4;" + store));
  EXPECT_NE(with_variant(ptx, variant::loops).ptx.find("cp.async.wait_all;"), std::string::npos);
}

TEST(Rewrite, Functions) {
  const std::string waits = ".func waits () { bar.sync 0; ret; }\n", plain = ".func plain () { ret; }\n";
  EXPECT_EQ(kinds_of(of_body(length + loop("call.uni waits;" + store), waits)), std::vector{entry_block});
  const kernel_rewrite made = of_body(length + loop("call.uni plain;" + store), plain);
  EXPECT_EQ(kinds_of(made), (std::vector{entry_thread, thread}));
  EXPECT_EQ(refusals(made), "");
  const std::string loops = ".func loops () { .reg .pred %q; L: setp.eq.u32 %q, 0, 1; @%q bra L; ret; }\n";
  const kernel_rewrite calls = of_body("call.uni loops;" + store, loops);
  EXPECT_NE(refusals(calls).find("a loop in a function"), std::string::npos) << refusals(calls);
}

TEST(Rewrite, IrreducibleLoops) {
  const kernel_rewrite made = of_body(length +
                                      "setp.lt.u32 %p2, %r1, 7; mov.u32 %r9, 0; @%p2 bra TWO;\n"
                                      "ONE: add.u32 %r9, %r9, 1;" +
                                      store + "TWO: add.u32 %r9, %r9, 2; setp.lt.u32 %p1, %r9, %r3; @%p1 bra ONE;");
  EXPECT_EQ(kinds_of(made), std::vector{entry_thread});
  EXPECT_NE(refusals(made).find("irreducible"), std::string::npos);
}

TEST(Rewrite, ShortLoops) {
  const kernel_rewrite made =
      of_body("mov.u32 %r9, 0; LOOP: add.u32 %r9, %r9, 1;" + store + "setp.lt.u32 %p1, %r9, 8; @%p1 bra LOOP;");
  EXPECT_EQ(kinds_of(made), std::vector{entry_thread});
  EXPECT_NE(refusals(made).find("short: 8 iterations of 4 instructions"), std::string::npos) << refusals(made);
}

// A loop that only seems to be short.
TEST(Rewrite, LoopsThatMayBeLong) {
  const auto polls = [](const std::string& body) {
    return kinds_of(of_body("mov.u32 %r9, 0; LOOP: " + store + body + "@%p1 bra LOOP;"));
  };
  const std::vector<poll::kind> none{entry_thread}, one{entry_thread, thread};
  const std::string test = "setp.lt.u32 %p1, %r9, 8;";
  EXPECT_EQ(polls("add.u32 %r9, %r9, 1;" + test), none);
  EXPECT_EQ(polls("@%p2 add.u32 %r9, %r9, 1;" + test), one);
  EXPECT_EQ(polls("add.u32 %r9, %r9, 1; @%p2 " + test), one);
  EXPECT_EQ(polls("setp.eq.u32 %p2, %r1, 7; @%p2 bra SKIP; add.u32 %r9, %r9, 1; SKIP: " + test), one);
  EXPECT_EQ(polls("add.u32 %r8, %r9, 1; @%p2 mov.u32 %r9, %r8; setp.lt.u32 %p1, %r8, 8;"), one);
  EXPECT_EQ(polls("add.u32 %r9, %r9, 2; setp.ne.u32 %p1, %r9, 8;"), none);
  EXPECT_EQ(polls("add.u32 %r9, %r9, 3; setp.ne.u32 %p1, %r9, 8;"), one);
}

// The poll of a tight loop stands in a loop around it.
TEST(Rewrite, TightLoops) {
  std::string many = store;
  for (int i = 0; i < 200; ++i) many += "add.u32 %r8, %r8, 7;";
  const auto is_outside = [](const std::string& body) { return of_body(length + loop(body)).polls.at(1).is_outside; };
  EXPECT_TRUE(is_outside(store));
  EXPECT_TRUE(is_outside("mul.f32 %f1, %f1, %f2;" + store));
  EXPECT_TRUE(is_outside("{ .reg .b32 %x; mov.u32 %x, 1; }" + store));
  EXPECT_FALSE(is_outside(many));  // it polls in each iteration
  EXPECT_TRUE(is_outside("setp.eq.u32 %p2, %r9, 5; @%p2 bra NEXT; NEXT:" + store));
  const std::string made =
      with_variant(with_prologue(length + loop("add.u32 %r8, %r9, 7;" + store)), variant::loops).ptx;
  EXPECT_NE(made.find("mov.u32 %r9, 0;\n$genesys_on_0:"), made.npos) << made;
  EXPECT_NE(made.find("@%genesys_go bra LOOP;\nsetp.lt.u32 %p1, %r9, %r3; @%p1 bra $genesys_on_0;"), made.npos) << made;
}

// The loop around it needs no poll if each of its iterations comes to the one of the inner loop.
TEST(Rewrite, LoopAroundATightLoop) {
  const auto around = [](const std::string& inner) {
    return of_body(length + "mov.u32 %r11, 0; AROUND:\n" + inner +
                   "add.u32 %r11, %r11, 1; setp.lt.u32 %p2, %r11, %r3; @%p2 bra AROUND;");
  };
  const kernel_rewrite each = around(loop(store));
  EXPECT_EQ(kinds_of(each), (std::vector{entry_thread, thread}));
  EXPECT_NE(refusals(each).find("a poll stands before a loop in it"), std::string::npos) << refusals(each);
  const kernel_rewrite some = around("setp.eq.u32 %p3, %r11, 5; @%p3 bra PAST;" + loop(store) + "PAST:");
  EXPECT_EQ(kinds_of(some), (std::vector{entry_thread, thread, thread}));
}

// A vote in one of several passes stands in a loop around them, if all threads of the block begin the passes together.
// Strips must be as long in all threads: a variable that may differ does not end them, a counter does.
TEST(Rewrite, VotesAroundALoop) {
  const auto made = [](const std::string& text) { return with_variant(with_prologue(text), variant::loops); };
  const auto vote_of = [](const rewritten& all) { return all.kernels.at(0).polls.at(1); };
  const std::string meets = store + "bar.sync 0;";
  const rewritten uniform = made(length + loop(meets));
  EXPECT_TRUE(vote_of(uniform).is_outside);
  EXPECT_GT(vote_of(uniform).every, 1U);
  EXPECT_NE(uniform.ptx.find("min.u32 %genesys_limit"), std::string::npos) << uniform.ptx;
  const std::string from_thread = "mov.u32 %r9, %r1; add.u32 %r11, %r1, %r3; mov.u32 %r12, 0; LOOP:\n" + meets;
  const rewritten apart = made(length + from_thread +
                               "add.u32 %r9, %r9, 1; add.u32 %r12, %r12, 1; setp.lt.u32 %p1, %r12, %r1;"
                               "setp.lt.u32 %p1, %r12, %r3; @%p1 bra LOOP;");
  EXPECT_TRUE(vote_of(apart).is_outside);
  EXPECT_NE(apart.ptx.find("sub.u32 %genesys_strip"), std::string::npos) << apart.ptx;
  const std::string until_thread =
      length + from_thread + "add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, %r11; @%p1 bra LOOP;";
  const rewritten last = made(until_thread);  // threads may leave the loop at different times, and then end
  EXPECT_TRUE(vote_of(last).is_outside);
  EXPECT_NE(last.ptx.find("sub.u32 %genesys_strip"), std::string::npos) << last.ptx;
  const rewritten meet_again = made(until_thread + "bar.sync 0;" + store);
  EXPECT_FALSE(vote_of(meet_again).is_outside);
  EXPECT_EQ(vote_of(meet_again).every, 1U);
  const rewritten nested = made(length + "mov.u32 %r11, 0; AROUND:\n" + loop(meets) +
                                "add.u32 %r11, %r11, 1; setp.lt.u32 %p2, %r11, %r3; @%p2 bra AROUND;");
  EXPECT_FALSE(vote_of(nested).is_outside);
  EXPECT_GT(vote_of(nested).every, 1U);
}

// Only the first warp looks, if threads leave by votes of the block alone.
TEST(Rewrite, WhoLooks) {
  const auto text = [](const std::string& body) {
    return with_variant(with_prologue(length + body), variant::loops).ptx;
  };
  EXPECT_NE(text(loop(store + "bar.sync 0;")).find("@%genesys_rests bra.uni"), std::string::npos);
  EXPECT_EQ(text(loop(store) + "bar.sync 0;" + store).find("%genesys_rests bra"), std::string::npos);
}

TEST(Rewrite, NotPreemptible) {
  const std::string ptx = with_prologue("trap;");
  const rewritten made = with_variant(ptx, variant::loops);
  EXPECT_EQ(made.kernels.at(0).made, variant::none);
  EXPECT_EQ(made.ptx, ptx);
}

TEST(Rewrite, NoneChangesNothing) {
  const std::string text = kept_ptx("workloads.ptx");
  EXPECT_EQ(with_variant(text, variant::none).ptx, text);
}

std::string module_of(const std::string& body,
                      const std::string& head = ".version 9.0\n.target sm_90\n.address_size 64\n") {
  return head + body;
}

TEST(Rewrite, Parameters) {
  const struct {
    const char* header;
    std::uint32_t offset;
    const char* inserted;
  } all[] = {
      {"k", 0, "k(.param .align 8 .b8 genesys_launch[40])"},
      {"k()", 0, "k(.param .align 8 .b8 genesys_launch[40])"},
      {"k(.param .u8 a)", 8, "k(.param .u8 a,\n.param .align 8 .b8 genesys_launch[40]"},
      {"k(.param .align 4 .b8 a[12], .param .u16 b)\n.maxntid 64, 1, 1\n.minnctapersm 2", 16,
       "genesys_launch[40])\n.maxntid 64, 1, 1\n.minnctapersm 2"},
  };
  for (const auto& each : all) {
    const std::string ptx = module_of(std::string(".visible .entry ") + each.header + " { ret; }");
    const rewritten made = with_variant(ptx, variant::entry);
    ASSERT_EQ(made.kernels.at(0).made, variant::entry) << each.header << refusals(made.kernels[0]);
    EXPECT_EQ(made.kernels[0].context_offset, each.offset);
    EXPECT_NE(made.ptx.find(each.inserted), std::string::npos) << made.ptx;
  }
}

TEST(Rewrite, ParametersThatDoNotFit) {
  const auto made = [](const char* bytes, const char* version) {
    return only(module_of(std::string(".entry k(.param .align 4 .b8 a[") + bytes + "]) { ret; }",
                          std::string(".version ") + version + "\n.target sm_90\n.address_size 64\n"))
        .made;
  };
  EXPECT_EQ(made("4056", "8.0"), variant::entry);
  EXPECT_EQ(made("4060", "8.0"), variant::none);
  EXPECT_EQ(made("4060", "8.1"), variant::entry);
  EXPECT_EQ(made("32740", "8.1"), variant::none);
}

TEST(Rewrite, OldTargets) {
  for (const char* head :
       {".version 5.0\n.target sm_90\n.address_size 64\n", ".version 9.0\n.target sm_60\n.address_size 64\n",
        ".version 9.0\n.target sm_90\n.address_size 32\n", ".version 9.0\n.target sm_90\n", ""}) {
    EXPECT_EQ(only(module_of(".entry k() { ret; }", head)).made, variant::none) << head;
  }
}

TEST(Rewrite, KernelsThatAreNamedElsewhere) {
  for (const char* more : {".visible .entry k();\n.visible .entry k() { ret; }",
                           ".entry k() { ret; }\n.func f() { .reg .b64 %a; mov.u64 %a, k; ret; }",
                           ".entry k() { ret; }\n.global .u64 address = k;"}) {
    for (const kernel_rewrite& each : with_variant(module_of(more), variant::entry).kernels) {
      EXPECT_EQ(each.made, variant::none) << more;
    }
  }
}

TEST(Rewrite, NamesAreNew) {
  const std::string ptx = module_of(".entry k() { .reg .b32 %genesys_a; mov.u32 %genesys_a, 1; ret; }");
  const rewritten made = with_variant(ptx, variant::entry);
  EXPECT_EQ(made.kernels.at(0).made, variant::entry);
  EXPECT_NE(made.ptx.find("%genesys1_flag"), std::string::npos);
}

// A thread that comes to the end of the body without `ret` does not come to what leaving threads do.
TEST(Rewrite, EndWithoutReturn) {
  const std::string ptx = module_of(".entry k() { .reg .pred %p; setp.eq.u32 %p, 0, 0; @%p bra END; END: }");
  const std::string made = with_variant(ptx, variant::entry).ptx;
  EXPECT_NE(made.find("END: \nret;\n$genesys_leave_at_entry:"), std::string::npos) << made;
}

TEST(Rewrite, Workloads) {
  const std::string text = kept_ptx("workloads.ptx");
  rewrite_settings all;
  all.polls_within_votes = true;
  all.short_instructions = 0;
  const rewritten made = with_variant(text, variant::loops, all);
  const std::vector<std::pair<std::string, poll::kind>> expected = {
      {"add_in_place", thread}, {"copy", thread},         {"reduce", arrive},  {"sgemm", vote},
      {"tight_loop", thread},   {"long_atomics", thread}, {"stencil", vote},   {"histogram", arrive},
      {"bfs_level", thread},    {"wavefront", vote},      {"scan", arrive},    {"async_tiles", vote},
      {"by_mbarrier", vote},    {"early_exit", vote},     {"indices", arrive}, {"leaders", arrive},
      {"rows_by_warps", warp}};
  for (const auto& [name, kind] : expected) {
    const auto found =
        std::find_if(made.kernels.begin(), made.kernels.end(), [&](const auto& k) { return k.name == name; });
    ASSERT_NE(found, made.kernels.end()) << name;
    EXPECT_TRUE(has_poll(*found, kind)) << name << "\n" << refusals(*found);
  }
  for (const kernel_rewrite& each : made.kernels) {
    const bool is_listed =
        std::any_of(expected.begin(), expected.end(), [&](const auto& e) { return e.first == each.name; });
    EXPECT_EQ(each.made, is_listed ? variant::loops : variant::entry) << each.name;
  }
}

}  // namespace
}  // namespace genesys::schedule
