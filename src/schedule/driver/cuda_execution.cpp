// SPDX-License-Identifier: Apache-2.0
// CUDA for the driver (execution.h): a stream for each level, a stream for copies, one for the resident raiser.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "schedule/driver/execution.h"
#include "schedule/driver/raiser_kernel.h"
#include "target/cuda/current_gpu.h"

namespace genesys::schedule {
namespace {

void check(cudaError_t returned, error_code code, const char* doing) {
  if (returned == cudaSuccess) return;
  (void)cudaGetLastError();
  throw error(code, std::string(doing) + " failed: " + cudaGetErrorString(returned));
}

// CUDA's streams, and what has passed in them: behind each launch or copy the stream counts in pinned memory, so the
// host learns of its end by a load.
class counting_stream {
 public:
  void open(int priority, volatile std::uint32_t* count) {
    count_ = count;
    check(cudaStreamCreateWithPriority(&handle_, cudaStreamNonBlocking, priority), error_code::no_memory,
          "making a stream");
  }
  bool is_open() const { return handle_ != nullptr; }
  cudaStream_t handle() const { return handle_; }
  std::uint32_t next() { return ++asked_; }
  volatile std::uint32_t* count() const { return count_; }
  // Counts wrap around.
  bool passed(std::uint32_t number) const { return static_cast<std::int32_t>(*count_ - number) >= 0; }
  bool is_idle() const { return *count_ == asked_; }

 private:
  cudaStream_t handle_ = nullptr;
  volatile std::uint32_t* count_ = nullptr;
  std::uint32_t asked_ = 0;
};

// The program's threads submit, too, and may have another current GPU.
class on_cuda final : public execution, private flag_copies {
 public:
  explicit on_cuda(std::shared_ptr<resident_kernel> resident)
      : device_(detail::open_cuda_device()), resident_(std::move(resident)) {
    check(cudaGetDevice(&ordinal_), error_code::no_device, "asking for the current GPU");
    const auto attribute = [ordinal = ordinal_](cudaDeviceAttr which) {
      int value = 0;
      check(cudaDeviceGetAttribute(&value, which, ordinal), error_code::no_device,
            "asking for the GPU's multiprocessors");
      return static_cast<unsigned>(value);
    };
    limits_ = {attribute(cudaDevAttrMultiProcessorCount), attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
               attribute(cudaDevAttrMaxRegistersPerMultiprocessor), attribute(cudaDevAttrMaxBlocksPerMultiprocessor),
               attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor)};
    shared_reserved_ = attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    check(cudaDeviceGetStreamPriorityRange(&least_, &greatest_), error_code::no_device, "asking for priorities");
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
    const auto find = [&](const char* name) {
      check(cudaGetDriverEntryPointByVersion(name, &entry, 12000, cudaEnableDefault, &found),
            error_code::driver_too_old, "looking for stream memory operations in the driver");
      if (entry != nullptr && found == cudaDriverEntryPointSuccess) return reinterpret_cast<value_in_stream*>(entry);
      throw error(error_code::driver_too_old,
                  std::string("the NVIDIA driver has no ") + name + ": install driver 580 or newer");
    };
    write_value_ = find("cuStreamWriteValue32");
    wait_value_ = find("cuStreamWaitValue32");
    words_ = static_cast<unsigned char*>(device_->allocate_both(streams_max * line_bytes));
    check(cudaStreamCreateWithFlags(&allocations_, cudaStreamNonBlocking), error_code::no_memory, "making a stream");
    cudaMemPoolProps kind{};
    kind.allocType = cudaMemAllocationTypePinned;
    kind.location = {cudaMemLocationTypeDevice, ordinal_};
    check(cudaMemPoolCreate(&pool_, &kind), error_code::no_memory, "making a memory pool");
    std::uint64_t keep_all = ~std::uint64_t{0};
    check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep_all), error_code::no_memory,
          "setting up a memory pool");
    for (unsigned i = 0; i < copy_streams; ++i) open(copies + i, priority_of(1));
    open(raisers, greatest_);
    open(flags, greatest_);
    for (unsigned level = 0; level < levels_opened; ++level) (void)stream_of(level);
  }
  // The driver has waited for everything. CUDA frees streams with the process.
  ~on_cuda() override {
    device_->free_both(words_);
    (void)cudaMemPoolDestroy(pool_);
  }

  detail::device& on() override { return *device_; }

  // cudaFree waits for all kernels, the resident raiser too, and other threads' launches wait for it.
  void* allocate(std::size_t bytes) override {
    const detail::current_gpu here(ordinal_);
    void* memory = nullptr;
    check(cudaMallocFromPoolAsync(&memory, bytes, pool_, allocations_), error_code::no_memory,
          "allocating device memory");
    check(cudaStreamSynchronize(allocations_), error_code::no_memory, "allocating device memory");
    return memory;
  }
  void free(void* memory) override { (void)cudaFreeAsync(memory, allocations_); }

  mark launch(const kernel_launch& what, unsigned level, const detail::aborts::launch_context* abort,
              const detail::times::block_times* times) override {
    const detail::current_gpu here(ordinal_);
    void* parameters[parameters_max + 2];
    std::size_t count = 0;
    for (const std::uint32_t offset : what.offsets) {
      parameters[count++] = const_cast<std::byte*>(what.arguments.data()) + offset;
    }
    if (times != nullptr) parameters[count++] = const_cast<detail::times::block_times*>(times);
    if (abort != nullptr) parameters[count++] = const_cast<detail::aborts::launch_context*>(abort);
    const unsigned stream = stream_of(level);
    cudaLaunchConfig_t shape{};
    shape.gridDim = dim3(what.blocks.x, what.blocks.y, what.blocks.z);
    shape.blockDim = dim3(what.threads.x, what.threads.y, what.threads.z);
    shape.dynamicSmemBytes = what.shared_bytes;
    shape.stream = streams_[stream].handle();
    const void* const code = times != nullptr ? what.timed : abort != nullptr ? what.instrumented : what.plain;
    if (code != what.plain) allow_shared(code, what.shared_bytes);
    check(cudaLaunchKernelExC(&shape, code, parameters), error_code::launch_failed, "launching a kernel");
    return mark_of(stream);
  }

  void begin_after(unsigned level, mark at) override {
    const detail::current_gpu here(ordinal_);
    const auto word = reinterpret_cast<CUdeviceptr>(streams_[at >> stream_shift].count());
    if (wait_value_(streams_[stream_of(level)].handle(), word, static_cast<std::uint32_t>(at),
                    CU_STREAM_WAIT_VALUE_GEQ) != CUDA_SUCCESS) {
      throw error(error_code::launch_failed, "waiting in a stream failed: a kernel may have failed before");
    }
  }

  mark copy(void* to, const void* from, std::size_t bytes) override {
    const detail::current_gpu here(ordinal_);
    next_copy_ = (next_copy_ + 1) % copy_streams;
    return copy_in(copies + next_copy_, to, from, bytes);
  }
  mark copy_after(unsigned level, void* to, const void* from, std::size_t bytes) override {
    const detail::current_gpu here(ordinal_);
    return copy_in(stream_of(level), to, from, bytes);
  }

  flag_copies* copies_of_flags() override { return this; }
  void copy_flags(void* to, const void* from, std::size_t bytes) override {
    const detail::current_gpu here(ordinal_);
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, streams_[flags].handle()), error_code::launch_failed,
          "raising an abort flag");
  }
  mark mark_of_flags() override {
    const detail::current_gpu here(ordinal_);
    return mark_of(flags);
  }
  void wait_for_flags() override {
    check(cudaStreamSynchronize(streams_[flags].handle()), error_code::launch_failed, "waiting for an abort flag");
  }

  bool passed(mark at) override {
    if (at == resident_mark) return resident_->has_left(raiser_);
    return streams_[at >> stream_shift].passed(static_cast<std::uint32_t>(at));
  }
  void look_for_failure() override {
    const detail::current_gpu here(ordinal_);
    for (const counting_stream& each : streams_) {
      if (!each.is_open() || each.is_idle()) continue;
      const cudaError_t state = cudaStreamQuery(each.handle());
      if (state == cudaErrorNotReady) {
        (void)cudaGetLastError();
      } else {
        check(state, error_code::launch_failed, "a kernel");
      }
    }
  }

  multiprocessor_limits limits() const override { return limits_; }
  block_needs needs_of(const kernel_launch& what, code which) override {
    const detail::current_gpu here(ordinal_);
    const auto threads = static_cast<int>(what.threads.x * what.threads.y * what.threads.z);
    const void* const kernel = which == code::plain   ? what.plain
                               : which == code::timed ? what.timed
                                                      : what.instrumented;
    const auto [found, is_new] = needs_.try_emplace({kernel, threads, what.shared_bytes});
    if (is_new) found->second = ask_needs(kernel, threads, what.shared_bytes, which == code::plain);
    return found->second;
  }

#if GENESYS_WITH_RAISER
  bool has_raiser() const override { return true; }
  mark start_raiser(const detail::aborts::raiser_context& with) override {
    const detail::current_gpu here(ordinal_);
    if (resident_ != nullptr && resident_->serve(raiser_ = with)) return resident_mark;
    launch_raiser(with, streams_[raisers].handle());
    return mark_of(raisers);
  }
#endif

  time_ns now() const override {
    return static_cast<time_ns>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
  }

 private:
  using value_in_stream = CUresult(CUstream, CUdeviceptr, std::uint32_t, unsigned);
  static constexpr std::size_t parameters_max = 512;  // CUDA's limit is 4 KiB, later 32 KiB, of parameters
  // In streams_. While one copy begins or ends, one in the other stream goes on.
  static constexpr unsigned copies = 0, copy_streams = 2, raisers = 2, flags = 3, first_level = 4, streams_max = 32;
  static constexpr unsigned levels_opened = 4;
  static constexpr unsigned stream_shift = 48;     // of a mark; below is what the stream has counted by then, never 0
  static constexpr mark resident_mark = ~mark{0};  // of a raiser in another resident kernel
  static constexpr std::size_t line_bytes = 64;

  void open(unsigned stream, int priority) {
    streams_[stream].open(priority, reinterpret_cast<volatile std::uint32_t*>(words_ + stream * line_bytes));
  }

  block_needs ask_needs(const void* kernel, int threads, std::size_t shared_bytes, bool is_plain) {
    constexpr unsigned warp = 32, warps_at_once = 4, registers_at_once = 256, shared_at_once = 128;
    const auto up = [](auto value, auto to) { return (value + to - 1) / to * to; };
    if (!is_plain) allow_shared(kernel, shared_bytes);
    int at_a_time = 0;
    cudaFuncAttributes of{};
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_a_time, kernel, threads, shared_bytes) != cudaSuccess ||
        cudaFuncGetAttributes(&of, kernel) != cudaSuccess || at_a_time <= 0) {
      (void)cudaGetLastError();
      return {};
    }
    const unsigned warps = up(static_cast<unsigned>(threads), warp) / warp;
    return {warps * warp, up(warps, warps_at_once) * up(static_cast<unsigned>(of.numRegs) * warp, registers_at_once),
            up(of.sharedSizeBytes + shared_bytes, shared_at_once) + shared_reserved_, static_cast<unsigned>(at_a_time)};
  }

  // Of the plain kernel the program has set it, or its launch fails.
  void allow_shared(const void* kernel, std::size_t bytes) {
    constexpr std::size_t always = 48 * 1'024;
    std::size_t& allowed = shared_allowed_.try_emplace(kernel, always).first->second;
    if (bytes <= allowed) return;
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)) ==
        cudaSuccess) {
      allowed = bytes;
    } else {
      (void)cudaGetLastError();  // the launch says why
    }
  }

  // 0 is the lowest. CUDA has six, and those above share the highest one.
  int priority_of(unsigned rank) const { return std::max(greatest_, least_ - static_cast<int>(rank)); }

  // Copies are between level 0 and level 1: they are kernels, too, and behind the blocks of a long launch they would
  // begin when it ends.
  unsigned stream_of(unsigned level) {
    const unsigned stream = std::min(first_level + level, streams_max - 1);
    if (!streams_[stream].is_open()) open(stream, priority_of(level == 0 ? 0 : level + 1));
    return stream;
  }

  mark copy_in(unsigned stream, void* to, const void* from, std::size_t bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, streams_[stream].handle()), error_code::launch_failed,
          "copying");
    return mark_of(stream);
  }

  mark mark_of(unsigned stream) {
    counting_stream& in = streams_[stream];
    const std::uint32_t number = in.next();
    const auto word = reinterpret_cast<CUdeviceptr>(in.count());
    if (write_value_(in.handle(), word, number, CU_STREAM_WRITE_VALUE_DEFAULT) != CUDA_SUCCESS) {
      throw error(error_code::launch_failed, "counting in a stream failed: a kernel may have failed before");
    }
    return mark{stream} << stream_shift | mark{1} << (stream_shift - 1) | number;
  }

  int ordinal_ = 0;
  std::unique_ptr<detail::device> device_;
  const std::shared_ptr<resident_kernel> resident_;
  detail::aborts::raiser_context raiser_{};  // its last one
  multiprocessor_limits limits_;
  std::size_t shared_reserved_ = 0;  // by CUDA, of each block
  int least_ = 0, greatest_ = 0;
  value_in_stream *write_value_ = nullptr, *wait_value_ = nullptr;
  unsigned next_copy_ = 0;
  cudaStream_t allocations_ = nullptr;
  cudaMemPool_t pool_ = nullptr;
  unsigned char* words_ = nullptr;  // pinned, a line for each stream
  std::array<counting_stream, streams_max> streams_;
  std::map<std::tuple<const void*, int, std::size_t>, block_needs> needs_;
  std::map<const void*, std::size_t> shared_allowed_;  // dynamic shared memory
};

}  // namespace

std::unique_ptr<execution> cuda_execution(std::shared_ptr<resident_kernel> resident) {
  return std::make_unique<on_cuda>(std::move(resident));
}

}  // namespace genesys::schedule
