// SPDX-License-Identifier: Apache-2.0
#include "random_program.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <thread>

#include "schedule/standin/program_memory.h"

namespace genesys::schedule::standin::tests {
namespace {

constexpr unsigned blocks = 24, threads_of_block = 32, part_words = blocks * threads_of_block;
constexpr unsigned allocations = 4;
constexpr std::size_t part_bytes = part_words * sizeof(std::uint32_t);

struct loaded_kernels {
  CUfunction twice, mix, biased;
};

// What the threads of the program share. Each thread uses one part of each allocation: it is not ordered with what the
// others do to the other parts.
struct shared_state {
  loaded_kernels kernels;
  std::array<CUdeviceptr, allocations> memory;
  unsigned parts;
};

class program_thread {
 public:
  program_thread(timed_machine& on, const shared_state& all, std::uint32_t seed, unsigned part)
      : machine_(on), all_(all), random_(seed), part_(part) {
    streams_.push_back(CU_STREAM_LEGACY);
    for (const unsigned flags : {0, 1, 1}) {
      CUstream made = nullptr;
      PROGRAM(cuStreamCreate)(&made, flags);
      streams_.push_back(made);
    }
    copied_.reserve(steps_max * part_words);
    for (unsigned i = 0; i < allocations; ++i) upload(i);
  }

  void run(unsigned steps) {
    for (unsigned i = 0; i < steps; ++i) step();
    PROGRAM(cuCtxSynchronize)();
    for (std::size_t i = 1; i < streams_.size(); ++i) PROGRAM(cuStreamDestroy_v2)(streams_[i]);
  }

  // The host's memory and this thread's part of the device's.
  std::vector<std::uint32_t> result() const {
    std::vector<std::uint32_t> all = copied_;
    for (unsigned i = 0; i < allocations; ++i) {
      const auto* const from = reinterpret_cast<const std::uint32_t*>(part_of(i));
      all.insert(all.end(), from, from + part_words);
    }
    return all;
  }

 private:
  static constexpr std::size_t steps_max = 400;

  unsigned random(unsigned below) { return static_cast<unsigned>(random_() % below); }
  CUdeviceptr part_of(unsigned allocation) const { return all_.memory[allocation] + part_ * part_bytes; }

  void step() {
    const CUstream stream = streams_[random(static_cast<unsigned>(streams_.size()))];
    const unsigned one = random(allocations), other = random(allocations);
    switch (random(10)) {
      case 0:
      case 1:
      case 2:
        return twice(stream, one, other);
      case 3:
      case 4:
      case 5:
        use(stream, {one});
        return launch(all_.kernels.mix, stream, {part_of(one)});
      case 6:
        if (one == other) return;
        use(stream, {one, other});
        return launch(all_.kernels.biased, stream, {part_of(one), part_of(other)});
      case 7:
        return download(stream, one);
      case 8:
        return random(2) == 0 ? upload(one) : clear(stream, one);
      default:
        return wait(stream);
    }
  }

  // Idempotent: two allocations.
  void twice(CUstream stream, unsigned one, unsigned other) {
    if (one == other) return;
    use(stream, {one, other});
    launch(all_.kernels.twice, stream, {part_of(one), part_of(other)});
  }

  void launch(CUfunction kernel, CUstream stream, std::vector<CUdeviceptr> pointers) {
    unsigned n = part_words;
    std::vector<void*> addresses;
    for (CUdeviceptr& each : pointers) addresses.push_back(&each);
    addresses.push_back(&n);
    EXPECT_EQ(
        PROGRAM(cuLaunchKernel)(kernel, blocks, 1, 1, threads_of_block, 1, 1, 0, stream, addresses.data(), nullptr),
        CUDA_SUCCESS);
  }

  void upload(unsigned allocation) {
    use(CU_STREAM_LEGACY, {allocation});
    std::vector<std::uint32_t> values(part_words);
    for (std::uint32_t& each : values) each = random_();
    PROGRAM(cuMemcpyHtoD_v2)(part_of(allocation), values.data(), part_bytes);
  }

  void download(CUstream stream, unsigned allocation) {
    use(stream, {allocation});
    const std::size_t before = copied_.size();
    copied_.resize(before + part_words);
    ASSERT_LE(copied_.size(), copied_.capacity());
    if (random(2) == 0) {
      use(CU_STREAM_LEGACY, {allocation});
      PROGRAM(cuMemcpyDtoH_v2)(copied_.data() + before, part_of(allocation), part_bytes);
    } else {
      PROGRAM(cuMemcpyDtoHAsync_v2)(copied_.data() + before, part_of(allocation), part_bytes, stream);
    }
  }

  void clear(CUstream stream, unsigned allocation) {
    use(stream, {allocation});
    PROGRAM(cuMemsetD8Async)(part_of(allocation), static_cast<unsigned char>(random(256)), part_bytes, stream);
  }

  void wait(CUstream stream) {
    switch (random(4)) {
      case 0:
        PROGRAM(cuStreamSynchronize)(stream);
        return;
      case 1:
        PROGRAM(cuCtxSynchronize)();
        return;
      case 2: {
        CUevent event = nullptr;
        PROGRAM(cuEventCreate)(&event, 0);
        PROGRAM(cuEventRecord)(event, stream);
        while (PROGRAM(cuEventQuery)(event) == CUDA_ERROR_NOT_READY) std::this_thread::yield();
        return;
      }
      default:  // as a program that looks at mapped memory: it calls nothing
        while (!machine_.is_idle(stream)) std::this_thread::yield();
    }
  }

  // The stream's next work uses these allocations; what other streams do to them comes first.
  void use(CUstream stream, const std::set<unsigned>& which) {
    for (const unsigned each : which) {
      for (const CUstream before : used_in_[each]) {
        if (before == stream) continue;
        if (random(3) == 0) {
          PROGRAM(cuStreamSynchronize)(before);
          continue;
        }
        CUevent event = nullptr;
        PROGRAM(cuEventCreate)(&event, 0);
        PROGRAM(cuEventRecord)(event, before);
        PROGRAM(cuStreamWaitEvent)(stream, event, 0);
      }
      used_in_[each] = {stream};
    }
  }

  timed_machine& machine_;
  const shared_state& all_;
  std::mt19937 random_;
  const unsigned part_;
  std::vector<CUstream> streams_;
  std::array<std::set<CUstream>, allocations> used_in_;
  std::vector<std::uint32_t> copied_;
};

}  // namespace

std::vector<std::uint32_t> run_program(timed_machine& on, const program_options& how) {
  CUlibrary library = nullptr;
  PROGRAM(cuLibraryLoadData)(&library, timed_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0);
  const auto find = [library](const char* name) {
    CUkernel found = nullptr;
    EXPECT_EQ(PROGRAM(cuLibraryGetKernel)(&found, library, name), CUDA_SUCCESS);
    return reinterpret_cast<CUfunction>(found);
  };
  shared_state all{{find("twice"), find("mix"), find("biased")}, {}, how.threads};
  for (CUdeviceptr& each : all.memory) PROGRAM(cuMemAlloc_v2)(&each, how.threads * part_bytes);
  std::vector<std::vector<std::uint32_t>> results(how.threads);
  const auto run = [&](unsigned which) {
    program_thread one(on, all, how.seed * 16 + which, which);
    one.run(how.steps);
    results[which] = one.result();
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < how.threads; ++i) others.emplace_back(run, i);
  run(0);
  for (std::thread& each : others) each.join();
  std::vector<std::uint32_t> result;
  for (const auto& each : results) result.insert(result.end(), each.begin(), each.end());
  for (const CUdeviceptr each : all.memory) PROGRAM(cuMemFree_v2)(each);
  return result;
}

}  // namespace genesys::schedule::standin::tests
