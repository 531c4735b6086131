// SPDX-License-Identifier: Apache-2.0
// Two unmodified programs on one GPU, in two processes: an urgent one, which launches a short kernel now and then, and
// a batch one, which keeps the GPU full. How long the urgent one waits, and how much of its work the batch one gets
// done: as time slices, with NVIDIA's MPS, and under 'genesys schedule run'. CUDA only.
//
// The programs are this one again, with --role, and PyTorch's matrix products, whose kernels are machine code alone.
// They know nothing of genesys: they use the CUDA runtime.
#include <cuda_runtime.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/child_program.h"
#include "support/measure.h"

namespace {

using measure::bench;
using measure::failure;
using measure::numbers;
namespace files = std::filesystem;

unsigned seconds = 3;
std::string role;

void check(cudaError_t returned) {
  if (returned != cudaSuccess) throw failure(std::string("CUDA: ") + cudaGetErrorString(returned));
}

#if defined(__CUDACC__)
__global__ void answer(float* data) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  data[me] = data[me] * 0.5f + 1;
}
// Blocks run for some milliseconds.
__global__ void grind(const float* in, float* out, unsigned turns) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[me];
  for (unsigned i = 0; i < turns; ++i) x = x * 0.999f + 0.5f;
  out[me] = x;
}
#endif

// The urgent program: prints the microseconds of each request, from the launch until its result is on the host.
void be_urgent() {
  constexpr unsigned threads = 132 * 1024;
  float *data = nullptr, *result = nullptr;
  check(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
  check(cudaMalloc(&data, threads * sizeof(float)));
  check(cudaMemset(data, 0, threads * sizeof(float)));
  check(cudaHostAlloc(&result, sizeof *result, 0));
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t in = nullptr;
  check(cudaStreamCreateWithPriority(&in, cudaStreamNonBlocking, greatest));
  std::mt19937_64 random(1);
  const auto begin = measure::clock::now();
  for (unsigned i = 0; measure::seconds_since(begin) < seconds; ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(2'000 + random() % 4'000));
    const auto asked = measure::clock::now();
#if defined(__CUDACC__)
    answer<<<132, 1024, 0, in>>>(data);
#endif
    check(cudaMemcpyAsync(result, data, sizeof *result, cudaMemcpyDeviceToHost, in));
    check(cudaStreamSynchronize(in));
    if (i >= 20) std::printf("%.2f\n", measure::seconds_since(asked) * 1e6);
  }
}

// The batch program: prints a line when it has begun, and then one for each kernel of about 20 ms.
void be_batch() {
  constexpr unsigned blocks = 132 * 8 * 8, threads = 256;
  float *in = nullptr, *out = nullptr;
  check(cudaMalloc(&in, blocks * threads * sizeof(float)));
  check(cudaMalloc(&out, blocks * threads * sizeof(float)));
  check(cudaMemset(in, 0, blocks * threads * sizeof(float)));
  cudaEvent_t ends[4];
  for (cudaEvent_t& each : ends) check(cudaEventCreateWithFlags(&each, cudaEventDisableTiming));
  for (unsigned i = 0;; ++i) {
    if (i >= 4) {
      check(cudaEventSynchronize(ends[i % 4]));
      std::printf("done\n");
      std::fflush(stdout);
    }
#if defined(__CUDACC__)
    grind<<<blocks, threads>>>(in, out, 180'000);
#endif
    check(cudaEventRecord(ends[i % 4]));
  }
}

constexpr const char* torch_batch = R"(
import torch
a = torch.randn(8192, 8192, device='cuda', dtype=torch.half)
ends = []
while True:
    for _ in range(8):
        c = a @ a
    end = torch.cuda.Event(); end.record(); ends.append(end)
    if len(ends) > 2:
        ends.pop(0).synchronize()
        print('done', flush=True)
)";

using child = measure::child_program;

std::string self() { return measure::own_path(); }
std::string command() { return files::path(self()).parent_path().parent_path() / "genesys"; }

bool has_torch() { return std::system("python3 -c 'import torch' >/dev/null 2>&1") == 0; }

struct manner {
  std::string name;
  std::vector<std::string> before_urgent = {}, before_batch = {};  // words before the program
  std::vector<std::string> urgent_environment = {}, batch_environment = {};
};

struct found {
  numbers urgent_us;
  double batch_in_a_second = 0;
};

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

numbers urgent_times(const manner& how) {
  child urgent(joined(how.before_urgent, {self(), "--role", "urgent", "--seconds", std::to_string(seconds)}),
               how.urgent_environment);
  numbers us;
  while (const auto line = urgent.line()) us.push_back(std::atof(line->c_str()));
  if (us.empty()) throw failure("the urgent program measured nothing (" + how.name + ")");
  return us;
}

// `with_urgent` false: the batch program alone, for the rate that it then has.
found together(const manner& how, const std::vector<std::string>& batch_words, bool with_urgent) {
  child batch(joined(how.before_batch, batch_words), how.batch_environment);
  for (int i = 0; i < 5; ++i) {
    if (!batch.line()) throw failure("the batch program ended (" + how.name + ")");
  }
  found made;
  std::atomic<bool> ends{false};
  unsigned done = 0;
  const auto begin = measure::clock::now();
  std::thread counting([&] {
    while (!ends && batch.line()) ++done;
  });
  if (with_urgent) {
    made.urgent_us = urgent_times(how);
  } else {
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
  }
  made.batch_in_a_second = done / measure::seconds_since(begin);
  ends = true;
  counting.join();
  return made;
}

// NVIDIA's MPS, with folders of its own. Its destructor ends it.
class mps {
 public:
  mps() : folder_(files::temp_directory_path() / ("genesys-mps-" + std::to_string(::getpid()))) {
    files::create_directories(folder_);
    ::setenv("CUDA_MPS_PIPE_DIRECTORY", folder_.c_str(), 1);
    ::setenv("CUDA_MPS_LOG_DIRECTORY", folder_.c_str(), 1);
    works_ = std::system("nvidia-cuda-mps-control -d >/dev/null 2>&1") == 0;
  }
  ~mps() {
    if (works_) (void)!std::system("echo quit | nvidia-cuda-mps-control >/dev/null 2>&1");
    ::unsetenv("CUDA_MPS_PIPE_DIRECTORY");
    ::unsetenv("CUDA_MPS_LOG_DIRECTORY");
    std::error_code ignored;
    files::remove_all(folder_, ignored);
  }
  bool works() const { return works_; }

 private:
  files::path folder_;
  bool works_ = false;
};

void keep(bench& all, const std::string& name, const found& made, double alone_rate) {
  all.keep("urgent_" + name, "us", measure::median(made.urgent_us));
  all.keep("urgent_p99_" + name, "us", measure::quantile(made.urgent_us, 0.99));
  all.keep("batch_share_" + name, "share", made.batch_in_a_second / alone_rate);
}

void programs(bench& all) {
  const numbers alone = urgent_times({.name = "alone"});
  all.keep("urgent_alone", "us", measure::median(alone));
  all.keep("urgent_p99_alone", "us", measure::quantile(alone, 0.99));
  std::vector<std::pair<std::string, std::vector<std::string>>> batches{{"cuda", {self(), "--role", "batch"}}};
  if (has_torch()) {
    batches.push_back({"torch", {"python3", "-c", torch_batch}});
  } else {
    std::fprintf(stderr, "without PyTorch: python3 cannot import torch\n");
  }
  for (const auto& [batch, words] : batches) {
    const double rate = together({.name = "alone"}, words, false).batch_in_a_second;
    all.keep("batch_rate_" + batch, "1/s", rate);
    keep(all, batch + "_slices", together({.name = "time slices"}, words, true), rate);
    {
      const mps server;
      if (server.works()) {
        keep(all, batch + "_mps",
             together({.name = "MPS", .batch_environment = {"CUDA_MPS_CLIENT_PRIORITY=1"}}, words, true), rate);
      } else {
        std::fprintf(stderr, "without MPS: nvidia-cuda-mps-control does not start\n");
      }
    }
    const std::string socket = files::temp_directory_path() / ("genesys-scheduled-" + std::to_string(::getpid()));
    const std::vector<std::string> environment{"GENESYS_SCHEDULED=" + socket, "GENESYS_SCHEDULE_QUIET=1"};
    const child daemon({command(), "scheduled", "--foreground", "--socket", socket}, {});
    for (int i = 0; i < 100 && !files::exists(socket); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (!files::exists(socket)) throw failure("genesys scheduled does not start");
    const std::vector<std::string> run{command(), "schedule", "run", "--nice"};
    keep(all, batch + "_scheduler",
         together({.name = "scheduler",
                   .before_urgent = joined(run, {"-20", "--"}),
                   .before_batch = joined(run, {"19", "--"}),
                   .urgent_environment = environment,
                   .batch_environment = environment},
                  words, true),
         rate);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench all("processes", "Two unmodified programs on one GPU: time slices, MPS, and genesys schedule run.");
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string(argv[i]) == "--seconds") seconds = static_cast<unsigned>(std::atoi(argv[i + 1]));
    if (std::string(argv[i]) == "--role") role = argv[i + 1];
  }
  try {
    if (role == "urgent") return be_urgent(), 0;
    if (role == "batch") return be_batch(), 0;
  } catch (const failure& failed) {
    std::fprintf(stderr, "processes: %s\n", failed.what());
    return 1;
  }
  all.option("--seconds", seconds, "of each measurement");
  all.part("programs", "what the urgent program waits, and what the batch program gets done", programs);
  return all.main(argc, argv);
}
