// SPDX-License-Identifier: Apache-2.0
// Gives rewritten texts to ptxas: they must assemble, and registers and theoretical occupancy are compared with those
// of the original. Skipped without ptxas (GENESYS_PTXAS, or that of the CUDA toolkit).
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#include "cases.h"
#include "rewrite_cases.h"
#include "schedule/rewrite/prepared_kernel.h"
#include "schedule/rewrite/text_parts.h"

namespace genesys::schedule {
namespace {

struct usage {
  unsigned registers = 0, shared_bytes = 0, spilled_bytes = 0;
};

std::string ptxas() {
  if (const char* chosen = std::getenv("GENESYS_PTXAS")) return chosen;
  const char* usual = "/usr/local/cuda/bin/ptxas";
  return ::access(usual, X_OK) == 0 ? usual : "";
}

struct assembled {
  bool is_good = false;
  std::string said;
  std::map<std::string, usage> kernels;
};

unsigned number_before(const std::string& line, const std::string& what) {
  const std::size_t end = line.find(what);
  if (end == line.npos) return 0;
  std::size_t start = end;
  while (start > 0 && line[start - 1] >= '0' && line[start - 1] <= '9') --start;
  return start == end ? 0 : static_cast<unsigned>(std::stoul(line.substr(start, end - start)));
}

void read_usage(assembled& into) {
  std::string kernel;
  std::size_t at = 0;
  while (at < into.said.size()) {
    const std::size_t end = std::min(into.said.find('\n', at), into.said.size());
    const std::string line = into.said.substr(at, end - at);
    at = end + 1;
    const std::string entry = "Compiling entry function '";
    if (const std::size_t start = line.find(entry); start != line.npos) {
      kernel = line.substr(start + entry.size(), line.find('\'', start + entry.size()) - start - entry.size());
    }
    if (line.find(" bytes spill stores") != line.npos) {
      into.kernels[kernel].spilled_bytes = number_before(line, " bytes spill stores");
    }
    if (line.find("Used ") == line.npos) continue;
    into.kernels[kernel].registers = number_before(line, " registers");
    into.kernels[kernel].shared_bytes = number_before(line, " bytes smem");
  }
}

assembled assemble(const std::string& ptx) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("genesys-assemble-" + std::to_string(getpid()) + ".ptx");
  std::ofstream(file, std::ios::binary) << ptx;
  assembled result;
  const std::string command = "'" + ptxas() + "' -arch=sm_90 -v -O3 '" + file.string() + "' -o /dev/null 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe) {
    char part[4096];
    while (const std::size_t got = std::fread(part, 1, sizeof part, pipe)) result.said.append(part, got);
    result.is_good = pclose(pipe) == 0;
  }
  std::filesystem::remove(file);
  read_usage(result);
  return result;
}

// Warps that fit on a multiprocessor of sm_90, as CUDA's occupancy calculator has it.
unsigned warps_of(const usage& kernel, unsigned threads) {
  constexpr unsigned registers = 65'536, shared_bytes = 233'472, reserved_bytes = 1'024, warps_max = 64,
                     blocks_max = 32;
  const unsigned warps = (threads + 31) / 32, of_warp = (kernel.registers * 32 + 255) / 256 * 256;
  const unsigned blocks = std::min({blocks_max, warps_max / warps, registers / (of_warp * warps),
                                    shared_bytes / (kernel.shared_bytes + reserved_bytes)});
  return blocks * warps;
}

unsigned threads_of(const std::string& kernel) {
  static const std::map<std::string, unsigned> other = {{"wavefront", 16}, {"indices", 128}, {"leaders", 128}};
  const auto found = other.find(kernel);
  return found == other.end() ? 256 : found->second;
}

class Assembled : public testing::Test {
 protected:
  void SetUp() override {
    if (ptxas().empty()) GTEST_SKIP() << "no ptxas: set GENESYS_PTXAS";
  }
};

// None of our workloads loses occupancy, or spills.
TEST_F(Assembled, Workloads) {
  const std::string text = kept_ptx("workloads.ptx");
  rewrite_settings within;
  within.polls_within_votes = true;
  const assembled before = assemble(text), entry = assemble(with_variant(text, variant::entry).ptx),
                  loops = assemble(with_variant(text, variant::loops).ptx),
                  timed = assemble(with_variant(text, variant::timed).ptx),
                  both = assemble(with_variant(text, variant::timed_loops).ptx),
                  all = assemble(with_variant(text, variant::loops, within).ptx);
  ASSERT_TRUE(before.is_good) << before.said;
  std::printf("%-18s %9s %9s %9s %9s %9s   warps on a multiprocessor\n", "", "original", "timed", "entry", "loops",
              "+ within");
  for (const assembled* each : {&timed, &both, &entry, &loops, &all}) ASSERT_TRUE(each->is_good) << each->said;
  for (const auto& [name, was] : before.kernels) {
    const unsigned threads = threads_of(name), warps = warps_of(was, threads);
    const usage &in_time = timed.kernels.at(name), &at_entry = entry.kernels.at(name),
                &in_loops = loops.kernels.at(name), &in_all = all.kernels.at(name);
    std::printf("%-18s %9u %9u %9u %9u %9u   %u %u %u %u %u\n", name.c_str(), was.registers, in_time.registers,
                at_entry.registers, in_loops.registers, in_all.registers, warps, warps_of(in_time, threads),
                warps_of(at_entry, threads), warps_of(in_loops, threads), warps_of(in_all, threads));
    for (const usage* now : {&in_time, &at_entry, &in_loops, &in_all}) {
      EXPECT_EQ(warps_of(*now, threads), warps) << name;
      EXPECT_EQ(now->spilled_bytes, was.spilled_bytes) << name;
    }
  }
}

TEST_F(Assembled, OtherKernels) {
  for (const char* name : {"adversarial.ptx", "table2.ptx"}) {
    const std::string text = kept_ptx(name);
    for (const variant wanted : {variant::timed, variant::entry, variant::loops, variant::timed_loops}) {
      const rewritten made = with_variant(text, wanted);
      unsigned instrumented = 0;
      for (const kernel_rewrite& each : made.kernels) instrumented += each.made != variant::none;
      EXPECT_GT(instrumented, 15U) << name;
      const assembled end = assemble(made.ptx);
      EXPECT_TRUE(end.is_good) << name << "\n" << end.said;
    }
  }
}

// With the variables of another module. ptxas would refuse a name that nothing declares.
TEST_F(Assembled, KernelsWithVariables) {
  const std::string text = kept_ptx("variables.ptx");
  for (const kernel_verdict& each : classify(text)) {
    prepared_kernel made;
    ASSERT_TRUE(prepare(text_parts(text).with_only(each.name), each.name, made));
    for (const kernel_text* one : {&made.polls, &made.timed}) {
      EXPECT_EQ(one->why_not, "") << each.name;
      EXPECT_FALSE(one->variables.empty()) << each.name;
      const assembled end = assemble(one->ptx);
      EXPECT_TRUE(end.is_good) << each.name << "\n" << end.said << one->ptx;
    }
  }
}

// What assembles still does so when it is rewritten: the classifier's cases, all of which are written by hand.
TEST_F(Assembled, Cases) {
  const bool is_full = std::getenv("GENESYS_TEST_FULL") != nullptr;
  std::size_t number = 0;
  unsigned tried = 0;
  for (const kernel_case& one : all_cases()) {
    if (!is_full && number++ % 16 != 0) continue;
    if (!assemble(one.ptx).is_good) continue;
    for (const variant wanted : {variant::timed, variant::loops, variant::timed_loops}) {
      const rewritten made = with_variant(one.ptx, wanted);
      if (made.ptx == one.ptx) continue;
      const assembled end = assemble(made.ptx);
      EXPECT_TRUE(end.is_good) << one.name << "\n" << end.said << made.ptx;
      ++tried;
    }
  }
  EXPECT_GT(tried, 0U);
}

}  // namespace
}  // namespace genesys::schedule
