// SPDX-License-Identifier: Apache-2.0
// The CUDA device as the host sees it: the current CUDA device of the thread that makes the runtime. It uses CUDA's
// runtime API. It looks up functions of the driver at run time (cuPointerGetAttributes here, virtual memory in
// cuda_mapper.cpp), so that programs start without a driver.
#include <cuda.h>
#include <cuda_runtime.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "target/cuda/cuda_check.h"
#include "target/cuda/cuda_interrupt.h"
#include "target/cuda/cuda_mapper.h"
#include "target/cuda/pinned_memory.h"
#include "target/device.h"
#include "target/forks.h"

namespace genesys::detail {
namespace {

constexpr int driver_version_min = 13000;

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// 1 + forks_so_far() when a runtime started CUDA; 0: none has. A child of fork() inherits it.
std::atomic<u32> started_after{0};

[[noreturn]] void refuse_child() {
  throw error(error_code::forked,
              "this process is a child of fork(), and CUDA was in use before: it cannot be used here. Fork before CUDA "
              "is used, or call exec in the child, or choose the CPU device with GENESYS_DEVICE=cpu");
}

class cuda_launches final : public launches {
 public:
  cuda_launches(int ordinal, void* stream) : ordinal_(ordinal), stream_(static_cast<cudaStream_t>(stream)) {
    const using_device here(ordinal_);
    check(cudaEventCreateWithFlags(&end_, cudaEventBlockingSync | cudaEventDisableTiming), error_code::no_memory,
          "making an event");
    const cudaError_t returned = cudaEventCreateWithFlags(&launched_, cudaEventDisableTiming);
    if (returned != cudaSuccess) (void)cudaEventDestroy(end_);
    check(returned, error_code::no_memory, "making an event");
  }
  ~cuda_launches() override {
    const using_device here(ordinal_);
    (void)cudaEventDestroy(end_);
    (void)cudaEventDestroy(launched_);
  }
  cuda_launches(const cuda_launches&) = delete;
  cuda_launches& operator=(const cuda_launches&) = delete;

  // The thread sleeps on an event: cudaStreamSynchronize would keep a core busy that a worker can use. If the event
  // fails, the kernel may still run, so the thread then polls the stream.
  void wait() override {
    const using_device here(ordinal_);
    cudaError_t returned = cudaEventRecord(end_, stream_);
    if (returned == cudaSuccess) returned = cudaEventSynchronize(end_);
    if (returned == cudaSuccess) return;
    (void)cudaGetLastError();
    while ((returned = cudaStreamQuery(stream_)) == cudaErrorNotReady) {
      (void)cudaGetLastError();
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    check(returned, error_code::launch_failed, "the kernel failed");
  }
  // Records an event, because nobody else may query the stream: a query of a stream that records a graph spoils the
  // graph.
  void launched() override {
    const using_device here(ordinal_);
    const std::lock_guard hold(lock_);
    cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusActive;
    const bool is_plain = cudaStreamIsCapturing(stream_, &capturing) == cudaSuccess &&
                          capturing == cudaStreamCaptureStatusNone &&
                          cudaEventRecord(launched_, stream_) == cudaSuccess;
    if (!is_plain) (void)cudaGetLastError();
  }
  bool are_under_way() override {
    const std::lock_guard hold(lock_);
    return is_ahead(launched_);
  }
  bool hold_back(void* stream) override {
    const std::lock_guard hold(lock_);
    return cudaStreamWaitEvent(static_cast<cudaStream_t>(stream), launched_, 0) == cudaSuccess;
  }
  progress look() override {
    const using_device here(ordinal_);
    const cudaError_t returned = cudaStreamQuery(stream_);
    if (returned == cudaErrorNotReady) (void)cudaGetLastError();
    return returned == cudaSuccess         ? progress::ended
           : returned == cudaErrorNotReady ? progress::under_way
                                           : progress::unknown;
  }
  void start(dim, dim, std::size_t, std::function<void()>, const aborts::launch_context*) override {
    throw error(error_code::bad_option, "a CUDA kernel is launched by CUDA");
  }

 private:
  int ordinal_;
  cudaStream_t stream_;
  cudaEvent_t end_ = nullptr;
  std::mutex lock_;  // of the next
  // After the last launch that was told; before any, it counts as passed. It is made before the run's own kernel,
  // because CUDA may wait for kernels that run when it makes an event.
  cudaEvent_t launched_ = nullptr;
};

class cuda_device final : public device {
 public:
  cuda_device() {
    const u32 after_forks = forks_so_far() + 1;
    if (const u32 first = started_after.load(); first != 0 && first != after_forks) refuse_child();
    // With lazy loading the first launch of a kernel may wait for running kernels, which may wait for that launch. This
    // has no effect if CUDA has started already, or if the environment of the program sets the variable.
    ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    int driver = 0;
    const cudaError_t asked = cudaDriverGetVersion(&driver);
    if (asked != cudaSuccess || driver == 0) {
      (void)cudaGetLastError();
      throw error(error_code::no_driver,
                  "there is no NVIDIA driver: load one (nvidia-smi shows it), or run on the CPU device with "
                  "GENESYS_DEVICE=cpu");
    }
    if (driver < driver_version_min) {
      throw error(error_code::driver_too_old, "the NVIDIA driver is for CUDA " + version_text(driver) +
                                                  ", genesys needs " + version_text(driver_version_min) +
                                                  ": install driver 580 or newer");
    }
    int count = 0;
    const cudaError_t counted = cudaGetDeviceCount(&count);
    (void)cudaGetLastError();
    if (counted == cudaErrorInsufficientDriver) {
      throw error(error_code::driver_too_old,
                  "the NVIDIA driver is older than the CUDA runtime in this program: install driver 580 or newer");
    }
    if (counted == cudaErrorInitializationError && after_forks > 1) refuse_child();  // its parent has used CUDA
    if (counted != cudaSuccess || count == 0) {
      throw error(error_code::no_device,
                  "the NVIDIA driver offers no GPU: check CUDA_VISIBLE_DEVICES, which may hide it, or run on "
                  "the CPU device with GENESYS_DEVICE=cpu");
    }
    started_after = after_forks;
    check(cudaGetDevice(&ordinal_), error_code::no_device, "asking for the current GPU");
    const using_device here(ordinal_);
    check(cudaGetDeviceProperties(&properties_, ordinal_), error_code::no_device, "asking for the GPU's properties");
    driver_ = driver;
    pointer_get_attributes_ = driver_function<pointer_get_attributes>("cuPointerGetAttributes");
    if (pointer_get_attributes_ == nullptr) {
      throw error(error_code::driver_too_old,
                  "the NVIDIA driver has no cuPointerGetAttributes: install driver 580 or newer");
    }
    check(cudaFree(nullptr), error_code::no_device, "starting the GPU");
    mapper_.emplace(ordinal_);
    pinned_.emplace(ordinal_);
    // Before this runtime's kernels, because CUDA may wait for kernels that run when it makes a stream.
    check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), error_code::no_memory, "making a stream");
  }
  ~cuda_device() override {
    const using_device here(ordinal_);
    (void)cudaStreamDestroy(copies_);
  }

  device_kind kind() const override { return device_kind::cuda; }
  std::string describe() const override {
    return std::string("cuda: ") + properties_.name + ", " + std::to_string(properties_.multiProcessorCount) +
           " SMs, sm_" + std::to_string(properties_.major) + std::to_string(properties_.minor) + ", driver for CUDA " +
           version_text(driver_);
  }
  u64 number() const override {  // of its UUID, which is random
    u64 made = 0;
    std::memcpy(&made, properties_.uuid.bytes, sizeof made);
    return made;
  }
  u32 warps_resident_max() const override { return static_cast<u32>(properties_.multiProcessorCount) * 64; }

  void* allocate_both(std::size_t bytes) override { return pinned_->allocate(bytes); }
  void* reserve_both(std::size_t bytes) override { return pinned_->reserve(bytes); }
  bool provide(void* part, std::size_t bytes) override { return pinned_->pin(part, bytes); }
  void free_both(void* memory) override { pinned_->free(memory); }
  void* allocate(std::size_t bytes) override {
    const using_device here(ordinal_);
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes), error_code::no_memory, "allocating device memory");
    return memory;
  }
  void free(void* memory) override {
    const using_device here(ordinal_);
    (void)cudaFree(memory);
  }
  void copy_to_device(void* device, const void* host, std::size_t bytes) override {
    copy(device, host, bytes, cudaMemcpyHostToDevice, "copying to the device");
  }
  void copy_to_host(void* host, const void* device, std::size_t bytes) override {
    copy(host, device, bytes, cudaMemcpyDeviceToHost, "copying from the device");
  }
  void fill(void* device, int byte, std::size_t bytes) override {
    own_stream stream(ordinal_);
    check(cudaMemsetAsync(device, byte, bytes, stream.handle), error_code::launch_failed, "filling device memory");
    check(cudaStreamSynchronize(stream.handle), error_code::launch_failed, "filling device memory");
  }
  void load_words(u64* into, const void* device, u32 words, u32 rows, std::size_t apart) override {
    const std::lock_guard hold(copying_);
    const using_device here(ordinal_);
    check(cudaMemcpy2DAsync(into, words * sizeof(u64), device, apart, words * sizeof(u64), rows, cudaMemcpyDeviceToHost,
                            copies_),
          error_code::launch_failed, "looking at device memory");
    check(cudaStreamSynchronize(copies_), error_code::launch_failed, "looking at device memory");
  }
  void store_words(void* device, u32 value, u32 rows, std::size_t apart) override {
    const std::vector<u32> values(rows, value);
    const std::lock_guard hold(copying_);
    const using_device here(ordinal_);
    check(cudaMemcpy2DAsync(device, apart, values.data(), sizeof value, sizeof value, rows, cudaMemcpyHostToDevice,
                            copies_),
          error_code::launch_failed, "storing words in device memory");
    check(cudaStreamSynchronize(copies_), error_code::launch_failed, "storing words in device memory");
  }

  address_info ask(u64 address) override {
    const using_device here(ordinal_);
    unsigned type = 0, is_managed = 0;
    CUdeviceptr begin = 0;
    std::size_t bytes = 0;
    void* host = nullptr;
    CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                    CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                    CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void* into[] = {&type, &is_managed, &begin, &bytes, &host};
    if (pointer_get_attributes_(5, wanted, into, static_cast<CUdeviceptr>(address)) != CUDA_SUCCESS || bytes == 0)
      return {};
    // Host memory is passed only if both sides use the same address for it.
    if (type == CU_MEMORYTYPE_HOST) {
      return {host == reinterpret_cast<void*>(address) ? pointer_kind::pass : pointer_kind::unknown, begin, bytes};
    }
    if (type == CU_MEMORYTYPE_DEVICE)
      return {pointer_kind::stage, begin, bytes};  // managed memory too: Linux would fault on it
    return {};
  }

  mapper& memory_mapper() override { return *mapper_; }
  std::unique_ptr<launches> attach(void* stream) override { return std::make_unique<cuda_launches>(ordinal_, stream); }
  // While the program records a graph, a call of this thread that CUDA holds unsafe for graphs would spoil the graph,
  // unless the thread says that its calls do not belong to it.
  void enter_serving_thread() override {
    (void)cudaSetDevice(ordinal_);
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    (void)cudaThreadExchangeStreamCaptureMode(&mode);
  }
  std::unique_ptr<interrupt> make_interrupt(interrupt_words& words, producer_state* producers, u32 queues) override {
    const using_device here(ordinal_);
    return make_cuda_interrupt(words, producers, queues);
  }

 private:
  using pointer_get_attributes = CUresult(unsigned, CUpointer_attribute*, void**, CUdeviceptr);

  // Copies must not wait for kernels that wait for the host, so none uses the default stream. Filling is a kernel of
  // CUDA's, which may wait for space on the GPU. It has a stream of its own, so that no copy waits for it.
  struct own_stream {
    explicit own_stream(int ordinal) : here(ordinal) {
      check(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking), error_code::no_memory, "making a stream");
    }
    ~own_stream() { (void)cudaStreamDestroy(handle); }
    const using_device here;
    cudaStream_t handle = nullptr;
  };

  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind way, const char* doing) {
    const std::lock_guard hold(copying_);
    const using_device here(ordinal_);
    check(cudaMemcpyAsync(to, from, bytes, way, copies_), error_code::launch_failed, doing);
    check(cudaStreamSynchronize(copies_), error_code::launch_failed, doing);
  }

  std::mutex copying_;
  cudaStream_t copies_ = nullptr;  // of all copies
  int ordinal_ = 0;
  int driver_ = 0;
  cudaDeviceProp properties_{};
  pointer_get_attributes* pointer_get_attributes_ = nullptr;
  std::optional<cuda_mapper> mapper_;
  std::optional<pinned_memory> pinned_;
};

}  // namespace

std::unique_ptr<device> open_cuda_device() { return std::make_unique<cuda_device>(); }

}  // namespace genesys::detail
