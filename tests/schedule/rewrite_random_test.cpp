// SPDX-License-Identifier: Apache-2.0
// Random kernels: loops, branches, barriers, steps of warps and ends of threads in each other. Each is rewritten, run
// in the interpreter, aborted at random, rolled back and run again; its memory must be that of the original. The seed
// is printed; GENESYS_TEST_SEED sets it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "interpreter/aborting_host.h"
#include "rewrite_cases.h"
#include "schedule/rewrite/time_words.h"

namespace genesys::schedule {
namespace {

using namespace interpreter;

constexpr unsigned blocks = 3, threads = 64;

// Makes kernels without races whose threads never wait in vain. %r1: the thread; %r2: a value that all goes into;
// %r4, %r5: addresses of the own and of another element in shared memory; %rd5: the own element in global memory; %rd6:
// a counter of all; %r7: a parameter.
class generator {
 public:
  explicit generator(unsigned seed) : random_(seed), ends_early_(below(2) == 0), number_(below(4) == 0 ? "1" : "0") {}

  std::string module_text() {
    statements(together::block, 0);
    return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry tested(.param .u64 a, .param .u64 counter, .param .u32 n) {
  .reg .b64 %rd<10>; .reg .b32 %r<2000>; .reg .pred %p<2000>;
  .shared .align 4 .b8 s[256];
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd6, [counter]; ld.param.u32 %r7, [n];
  mov.u32 %r1, %tid.x; mov.u32 %r8, %ctaid.x; mov.u32 %r2, %r1;
  mad.lo.u32 %r9, %r8, 64, %r1; mul.wide.u32 %rd4, %r9, 4; add.s64 %rd5, %rd1, %rd4;
  mov.u32 %r10, s; mad.lo.u32 %r4, %r1, 4, %r10;
  add.u32 %r5, %r1, 17; and.b32 %r5, %r5, 63; mad.lo.u32 %r5, %r5, 4, %r10;
)" + text_ +
           "  st.global.u32 [%rd5], %r2;\n  ret;\n}\n";
  }

 private:
  enum class together { block, warp, alone };  // which threads certainly come to a place at the same time

  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }
  void put(const std::string& line) { text_ += "  " + line + "\n"; }
  std::string fresh(const char* kind) { return kind + std::to_string(++names_ + 10); }

  void statements(together who, int depth) {
    for (unsigned count = 1 + below(3); count > 0; --count) statement(who, depth);
  }

  void statement(together who, int depth) {
    constexpr int depth_max = 3;
    switch (below(depth < depth_max ? 12 : 6)) {
      case 0:
        return put("mad.lo.u32 %r2, %r2, 5, %r1;");
      case 1:
        put("ld.global.u32 %r3, [%rd5]; add.u32 %r2, %r2, %r3;");
        return put("mad.lo.u32 %r3, %r3, 3, %r2; st.global.u32 [%rd5], %r3;");
      case 2:
        return put("red.global.add.u32 [%rd6], %r2;");
      case 3:
      case 4:
        return who == together::block ? exchange() : who == together::warp ? step() : put("xor.b32 %r2, %r2, 77;");
      case 5:
        return who != together::alone ? step() : put("add.u32 %r2, %r2, %r8;");
      case 6:
        return loop("mov.u32 ", ", %r7;", who, depth);
      case 7:
        return loop("and.b32 ", ", %r1, 3;", together::alone, depth);
      case 8:
        return who == together::alone ? branch("and.b32 ", ", %r1, 5;", who, depth)
                                      : loop("shr.u32 ", ", %r1, 5;", together::warp, depth);
      case 9:
        return branch("and.b32 ", ", %r1, 3;", together::alone, depth);
      case 10:
        return who == together::block && below(2) == 0
                   ? voted_loop(depth)
                   : branch("and.b32 ", ", %r8, 1;", who, depth);  // the same for the whole block
      default:
        return ends_early_ ? end() : branch("shr.u32 ", ", %r1, 5;", weaker(who), depth);
    }
  }

  // A warp goes one way as a whole.
  static together weaker(together who) { return who == together::block ? together::warp : who; }

  void barrier() {
    switch (below(5)) {
      case 0:
        return put("barrier.sync " + number_ + ";");
      case 1: {  // two that meet
        const std::string p = fresh("%p"), one = fresh("L"), both = fresh("L");
        put("setp.lt.u32 " + p + ", %r1, 32; @" + p + " bra " + one + "; bar.sync " + number_ + "; bra " + both + ";");
        return put(one + ": bar.sync " + number_ + "; " + both + ":");
      }
      default:
        return put("bar.sync " + (below(12) == 0 ? "2" : number_) + ";");
    }
  }

  void exchange() {
    put("st.shared.u32 [%r4], %r2;");
    barrier();
    put("ld.shared.u32 %r3, [%r5];");
    barrier();
    put("add.u32 %r2, %r2, %r3;");
  }

  // A shuffle needs all lanes; the other step those that have not ended.
  void step() {
    if (ends_early_ || below(4) == 0) return put("bar.warp.sync -1;");
    put("shfl.sync.down.b32 %r3, %r2, " + std::to_string(1 + below(8)) + ", 31, -1; add.u32 %r2, %r2, %r3;");
  }

  // Two iterations more than the register that `before` and `after` set says.
  void loop(const std::string& before, const std::string& after, together who, int depth) {
    const std::string counter = fresh("%r"), p = fresh("%p"), label = fresh("L");
    put(before + counter + after + " add.u32 " + counter + ", " + counter + ", 2;");
    put(label + ":");
    statements(who, depth + 1);
    put("sub.u32 " + counter + ", " + counter + ", 1; setp.ne.u32 " + p + ", " + counter + ", 0;");
    put("@" + p + " bra " + label + ";");
  }

  // The program's own vote says whether it goes on.
  void voted_loop(int depth) {
    const std::string counter = fresh("%r"), last = fresh("%r"), p = fresh("%p"), q = fresh("%p"), label = fresh("L");
    put("mov.u32 " + counter + ", 0; and.b32 " + last + ", %r1, 3;");
    put(label + ":");
    statements(together::block, depth + 1);
    put("add.u32 " + counter + ", " + counter + ", 1; setp.lt.u32 " + p + ", " + counter + ", " + last + ";");
    put("bar.red.or.pred " + q + ", 0, " + p + ";");
    put("@" + q + " bra " + label + ";");
  }

  void branch(const std::string& before, const std::string& after, together who, int depth) {
    const std::string value = fresh("%r"), p = fresh("%p"), other = fresh("L"), join = fresh("L");
    put(before + value + after + " setp.eq.u32 " + p + ", " + value + ", 0; @" + p + " bra " + other + ";");
    statements(who, depth + 1);
    put("bra " + join + ";");
    put(other + ":");
    if (below(2) == 0) statements(who, depth + 1);
    put(join + ":");
  }

  void end() {
    const std::string value = fresh("%r"), p = fresh("%p");
    put("and.b32 " + value + ", %r1, 15; setp.eq.u32 " + p + ", " + value + ", " + std::to_string(below(16)) + ";");
    put("@" + p + (below(2) == 0 ? " ret;" : " exit;"));
  }

  std::mt19937 random_;
  std::string text_;
  int names_ = 0;
  const bool ends_early_;  // some threads may end before others; then there are no shuffles
  const std::string number_;
};

class world {
 public:
  world(const module& all, unsigned seed) : machine_(seed) {
    machine_.load(all);
    const std::uint64_t a = machine_.global().allocate(4 * blocks * threads), counter = machine_.global().allocate(4);
    for (unsigned i = 0; i < blocks * threads; ++i) machine_.global().store(a + 4 * i, 4, 7 * i);
    bytes_ = machine_.global().contents().size();
    const std::uint32_t n = 1;
    launch_ = {"tested", {blocks}, {threads}, 0, std::vector<std::uint8_t>(20)};
    std::memcpy(launch_.parameters.data(), &a, 8);
    std::memcpy(launch_.parameters.data() + 8, &counter, 8);
    std::memcpy(launch_.parameters.data() + 16, &n, 4);
  }
  machine& on() { return machine_; }
  const launch& one() const { return launch_; }
  std::vector<std::uint8_t> memory() {
    std::vector<std::uint8_t> all = machine_.global().contents();
    all.resize(bytes_);
    return all;
  }

 private:
  machine machine_;
  launch launch_;
  std::size_t bytes_ = 0;
};

struct tally {
  std::set<poll::kind> kinds;
  unsigned kernels = 0, aborted = 0;
};

rewrite_settings eager(bool within_votes) {
  rewrite_settings result;
  result.gap_clocks = 64;
  result.strip_max = 3;
  result.short_instructions = 0;
  result.polls_within_votes = within_votes;
  return result;
}

// What is wrong, or nothing.
std::string aborted_runs(const std::string& text, const std::vector<std::uint8_t>& expected, std::uint64_t steps,
                         unsigned seed, tally& into) {
  for (const bool within_votes : {false, true}) {
    const rewritten made = with_variant(text, variant::loops, eager(within_votes));
    if (made.kernels.at(0).made == variant::none) return "not instrumented: " + refusals(made.kernels[0]);
    for (const poll& each : made.kernels[0].polls) into.kinds.insert(each.what);
    const module all = parse_ptx(made.ptx);
    for (unsigned run = 0; run < 3; ++run) {
      world here(all, seed + run);
      aborting_host host(here.on(), seed + run);
      host_settings settings;
      settings.within = steps;
      try {
        host.run(here.one(), made.kernels[0].context_offset, settings);
      } catch (const std::exception& wrong) {
        return std::string(wrong.what()) + "\n" + made.ptx;
      }
      if (here.memory() != expected) return "other results\n" + made.ptx;
      into.aborted += host.report().aborted;
    }
  }
  return "";
}

std::string timed_run(const std::string& text, const std::vector<std::uint8_t>& expected, unsigned seed) {
  const rewritten made = with_variant(text, variant::timed);
  const module all = parse_ptx(made.ptx);
  world here(all, seed);
  const std::uint64_t record = here.on().global().allocate(record_bytes);
  launch one = here.one();
  one.parameters.resize(made.kernels.at(0).context_offset + times_bytes);
  std::memcpy(one.parameters.data() + made.kernels[0].context_offset + times_record, &record, sizeof record);
  here.on().run(one);
  if (here.memory() != expected) return "a timed kernel has other results\n" + made.ptx;
  if (here.on().global().load(record + record_threads, 8) != blocks * threads) return "not all are timed\n" + made.ptx;
  return "";
}

TEST(RandomKernels, AreUndone) {
  const char* chosen = std::getenv("GENESYS_TEST_SEED");
  const unsigned first = chosen ? static_cast<unsigned>(std::strtoul(chosen, nullptr, 10)) : 27;
  const unsigned count = std::getenv("GENESYS_TEST_FULL") ? 3'000 : 100;
  tally all;
  for (unsigned seed = first; seed < first + count; ++seed) {
    const std::string text = generator(seed).module_text();
    const module original = parse_ptx(text);
    world here(original, seed);
    std::uint64_t steps = 0;
    ASSERT_NO_THROW(steps = here.on().run(here.one()).steps) << "seed " << seed << "\n" << text;
    const std::vector<std::uint8_t> expected = here.memory();
    world again(original, seed + 1);  // in another order of threads
    again.on().run(again.one());
    ASSERT_TRUE(again.memory() == expected) << "the generator makes races: seed " << seed << "\n" << text;
    ASSERT_EQ(aborted_runs(text, expected, steps, seed, all), "") << "seed " << seed;
    ASSERT_EQ(timed_run(text, expected, seed), "") << "seed " << seed;
    ++all.kernels;
  }
  std::printf("%u kernels from seed %u, %u aborts\n", all.kernels, first, all.aborted);
  EXPECT_GT(all.aborted, all.kernels);
  if (!chosen) {
    EXPECT_EQ(all.kinds.size(), 6U);  // polls of all kinds
  }
}

}  // namespace
}  // namespace genesys::schedule
