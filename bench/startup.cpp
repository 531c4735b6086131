// SPDX-License-Identifier: Apache-2.0
// How long a program with genesys takes that does next to nothing, from its start to its end, against a CUDA program
// that launches one empty kernel; and where the time goes. The programs are this one again, with --role. CUDA only.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "support/child_program.h"
#include "support/measure.h"

namespace {

using measure::bench;
using measure::failure;
using measure::numbers;

unsigned rounds = 15;
std::string role;

void check(cudaError_t returned) {
  if (returned != cudaSuccess) throw failure(std::string("CUDA: ") + cudaGetErrorString(returned));
}

#if defined(__CUDACC__)
__global__ void empty() {}
#endif

struct ask {
  GENESYS_KERNEL void operator()(genesys::os os) const { (void)os.getppid(); }
};

// The CUDA program.
void be_bare() {
#if defined(__CUDACC__)
  empty<<<1, 1>>>();
#endif
  check(cudaDeviceSynchronize());
}

// The program with genesys: one kernel makes one call.
void be_genesys() {
  genesys::runtime rt;
  genesys::launch(rt, {}, ask{}).drain();
}

// The same, and prints how many milliseconds each stage takes: the context of CUDA, the runtime, the first run, the
// end.
void be_stages() {
  const auto begin = measure::clock::now();
  check(cudaFree(nullptr));
  const double context = measure::seconds_since(begin);
  std::optional<genesys::runtime> rt(std::in_place);
  const double made = measure::seconds_since(begin);
  genesys::launch(*rt, {}, ask{}).drain();
  const double run = measure::seconds_since(begin);
  rt.reset();
  const double all = measure::seconds_since(begin);
  std::printf("%f %f %f %f\n", context * 1e3, (made - context) * 1e3, (run - made) * 1e3, (all - run) * 1e3);
}

// Runs this program in a role. Returns its standard output.
std::string run_as(const char* what) {
  measure::child_program one({measure::own_path(), "--role", what});
  std::string text = one.rest();
  (void)one.finish();
  return text;
}

void whole(bench& all) {
  (void)run_as("bare");  // the first one also loads the driver from disk
  const auto [bare, with] = bench::by_turns(
      all.quick() ? 3 : rounds, [] { (void)run_as("bare"); }, [] { (void)run_as("genesys"); });
  const numbers bare_ms = measure::scaled(measure::each_us(bare, 1), 1e-3);
  const numbers with_ms = measure::scaled(measure::each_us(with, 1), 1e-3);
  all.keep("bare", "ms", bare_ms);
  all.keep("genesys", "ms", with_ms);
  all.keep("startup_to_bare", "ratio", measure::ratios(with_ms, bare_ms));
}

void stages(bench& all) {
  const std::vector<std::string> names{"context", "runtime", "first_run", "end"};
  std::vector<numbers> ms(names.size());
  for (unsigned i = 0; i < (all.quick() ? 3 : rounds); ++i) {
    const std::string text = run_as("stages");
    const char* at = text.c_str();
    for (numbers& each : ms) {
      char* next = nullptr;
      each.push_back(std::strtod(at, &next));
      if (next == at) throw failure("a program printed no times");
      at = next;
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) all.keep(names[i], "ms", ms[i]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--role") {
    role = argv[2];
    try {
      role == "bare" ? be_bare() : role == "genesys" ? be_genesys() : be_stages();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "startup: %s\n", error.what());
      return 1;
    }
    return 0;
  }
  bench all("startup", "How long a program takes that does next to nothing, with and without genesys.");
  all.option("--rounds", rounds, "programs of each kind");
  all.part("whole", "from the start of a program to its end", whole);
  all.part("stages", "where the time of a program with genesys goes", stages);
  return all.main(argc, argv);
}
