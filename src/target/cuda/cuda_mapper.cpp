// SPDX-License-Identifier: Apache-2.0
#include "target/cuda/cuda_mapper.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "target/cuda/cuda_check.h"

namespace genesys::detail {
namespace {

using clock = std::chrono::steady_clock;
// How long the copy engine may take. It waits for no kernel, so a healthy GPU never exceeds this.
constexpr auto timeout = std::chrono::seconds(10);

int errno_of(cudaError_t returned) {
  if (returned == cudaSuccess) return 0;
  (void)cudaGetLastError();
  return returned == cudaErrorMemoryAllocation ? -ENOMEM : -EIO;
}
int errno_of(CUresult returned) {
  if (returned == CUDA_SUCCESS) return 0;
  return returned == CUDA_ERROR_OUT_OF_MEMORY ? -ENOMEM : -EIO;
}

template <class F>
void find(F*& call, const char* name) {
  call = driver_function<F>(name);
  if (call != nullptr) return;
  throw error(error_code::driver_too_old,
              std::string("the NVIDIA driver has no ") + name + ": install driver 580 or newer");
}

}  // namespace

cuda_mapper::cuda_mapper(int ordinal) : ordinal_(ordinal) {
  find(driver_.granularity, "cuMemGetAllocationGranularity");
  find(driver_.address_reserve, "cuMemAddressReserve");
  find(driver_.address_free, "cuMemAddressFree");
  find(driver_.create, "cuMemCreate");
  find(driver_.release, "cuMemRelease");
  find(driver_.map, "cuMemMap");
  find(driver_.unmap, "cuMemUnmap");
  find(driver_.set_access, "cuMemSetAccess");
  property_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  property_.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  property_.location.id = ordinal;
  const using_device here(ordinal_);
  std::size_t whole = 0;
  if (driver_.granularity(&whole, &property_, CU_MEM_ALLOC_GRANULARITY_MINIMUM) != CUDA_SUCCESS)
    throw error(error_code::no_device, "asking the GPU about pieces of memory");
  has_pieces_ = whole != 0 && piece_of_memory_bytes % whole == 0;
  int same = 0, least = 0, greatest = 0;
  check(cudaDeviceGetAttribute(&same, cudaDevAttrCanUseHostPointerForRegisteredMem, ordinal_), error_code::no_device,
        "asking the GPU about registered memory");
  same_addresses_ = same != 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), error_code::no_device,
        "asking the GPU about priorities of streams");
  check(cudaStreamCreateWithPriority(&words_, cudaStreamNonBlocking, greatest), error_code::no_memory,
        "making a stream");
  const cudaError_t returned = cudaStreamCreateWithPriority(&fills_, cudaStreamNonBlocking, greatest);
  if (returned != cudaSuccess) (void)cudaStreamDestroy(words_);
  check(returned, error_code::no_memory, "making a stream");
}

cuda_mapper::~cuda_mapper() {
  const using_device here(ordinal_);
  (void)cudaStreamDestroy(words_);
  (void)cudaStreamDestroy(fills_);
  if (zeros_ != nullptr) (void)cudaFreeHost(zeros_);
}

int cuda_mapper::admit(void* begin, std::size_t bytes, bool read_only) {
  if (!same_addresses_) return -EOPNOTSUPP;
  const using_device here(ordinal_);
  const unsigned how = cudaHostRegisterMapped | cudaHostRegisterPortable | (read_only ? cudaHostRegisterReadOnly : 0u);
  const cudaError_t returned = cudaHostRegister(begin, bytes, how);
  // CUDA returns cudaErrorInvalidValue for file systems whose pages it cannot pin for writing.
  if (returned == cudaErrorInvalidValue || returned == cudaErrorNotSupported ||
      returned == cudaErrorHostMemoryAlreadyRegistered) {
    (void)cudaGetLastError();
    return -EOPNOTSUPP;
  }
  if (returned != cudaSuccess) return errno_of(returned);
  void* there = nullptr;
  if (cudaHostGetDevicePointer(&there, begin, 0) == cudaSuccess && there == begin) return 0;
  (void)cudaGetLastError();
  return -EADDRNOTAVAIL;
}

void cuda_mapper::let_go(void* begin) {
  const using_device here(ordinal_);
  (void)errno_of(cudaHostUnregister(begin));
}

u64 cuda_mapper::reserve(std::size_t bytes) {
  const using_device here(ordinal_);
  CUdeviceptr begin = 0;
  if (!has_pieces_ || driver_.address_reserve(&begin, bytes, piece_of_memory_bytes, 0, 0) != CUDA_SUCCESS) return 0;
  return begin;
}

void cuda_mapper::unreserve(u64 begin, std::size_t bytes) {
  const using_device here(ordinal_);
  (void)driver_.address_free(begin, bytes);
}

// One allocation for each piece, so that each can be given back alone. The mapping keeps the memory, so the handle is
// released at once.
int cuda_mapper::put_pieces(u64 begin, std::size_t bytes) {
  std::size_t done = 0;
  CUresult returned = CUDA_SUCCESS;
  while (done < bytes && returned == CUDA_SUCCESS) {
    CUmemGenericAllocationHandle piece = 0;
    returned = driver_.create(&piece, piece_of_memory_bytes, &property_, 0);
    if (returned != CUDA_SUCCESS) break;
    returned = driver_.map(begin + done, piece_of_memory_bytes, 0, piece, 0);
    (void)driver_.release(piece);
    if (returned == CUDA_SUCCESS) done += piece_of_memory_bytes;
  }
  if (returned == CUDA_SUCCESS) {
    CUmemAccessDesc access{};
    access.location = property_.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    returned = driver_.set_access(begin, bytes, &access, 1);
  }
  if (returned != CUDA_SUCCESS && done != 0) (void)take_pieces(begin, done);
  return errno_of(returned);
}

// Unmaps all pieces at once, which the driver promises for adjacent pieces. If the driver refuses, one by one.
CUresult cuda_mapper::take_pieces(u64 begin, std::size_t bytes) {
  CUresult returned = driver_.unmap(begin, bytes);
  if (returned != CUDA_ERROR_INVALID_VALUE) return returned;
  returned = CUDA_SUCCESS;
  for (std::size_t at = 0; at < bytes && returned == CUDA_SUCCESS; at += piece_of_memory_bytes)
    returned = driver_.unmap(begin + at, piece_of_memory_bytes);
  return returned;
}

int cuda_mapper::populate(u64 begin, std::size_t bytes) {
  const using_device here(ordinal_);
  if (const int failed = put_pieces(begin, bytes); failed != 0) return failed;
  const int returned = zero(begin, bytes);
  if (returned == -ENOMEM) (void)take_pieces(begin, bytes);
  return returned;
}

int cuda_mapper::depopulate(u64 begin, std::size_t bytes) {
  const using_device here(ordinal_);
  return errno_of(take_pieces(begin, bytes));
}

const void* cuda_mapper::zeros() {
  const std::lock_guard hold(lock_);
  if (zeros_ == nullptr) {
    if (cudaHostAlloc(&zeros_, piece_of_memory_bytes, cudaHostAllocPortable) != cudaSuccess) {
      (void)cudaGetLastError();
      zeros_ = nullptr;
      return nullptr;
    }
    std::memset(zeros_, 0, piece_of_memory_bytes);
  }
  return zeros_;
}

// The copy engine writes the zeros, from pinned memory. A memset may be a kernel, which finds no space on a GPU that is
// full of blocks that wait for this very call.
int cuda_mapper::zero(u64 begin, std::size_t bytes) {
  const void* from = zeros();
  if (from == nullptr) return -ENOMEM;
  for (std::size_t at = 0; at < bytes; at += piece_of_memory_bytes) {
    const cudaError_t returned = cudaMemcpyAsync(reinterpret_cast<void*>(begin + at), from, piece_of_memory_bytes,
                                                 cudaMemcpyHostToDevice, fills_);
    if (returned != cudaSuccess) {
      (void)errno_of(returned);
      return -EIO;
    }
  }
  return finished(fills_);
}

int cuda_mapper::store(u32* at, u32 value) {
  const using_device here(ordinal_);
  const cudaError_t returned = cudaMemcpyAsync(at, &value, sizeof value, cudaMemcpyHostToDevice, words_);
  if (returned != cudaSuccess) {
    (void)errno_of(returned);
    return -EIO;
  }
  return finished(words_);
}

// Waits for all that this thread has put on the stream.
int cuda_mapper::finished(cudaStream_t stream) {
  cudaEvent_t done = nullptr;
  if (cudaEventCreateWithFlags(&done, cudaEventDisableTiming) != cudaSuccess) {
    (void)cudaGetLastError();
    return -EIO;
  }
  cudaError_t returned = cudaEventRecord(done, stream);
  const auto begin = clock::now();
  while (returned == cudaSuccess && (returned = cudaEventQuery(done)) == cudaErrorNotReady) {
    (void)cudaGetLastError();
    const auto waited = clock::now() - begin;
    if (waited > timeout) break;
    if (waited > std::chrono::microseconds(50)) std::this_thread::sleep_for(std::chrono::microseconds(20));
    returned = cudaSuccess;
  }
  (void)cudaEventDestroy(done);
  if (returned == cudaSuccess) return 0;
  (void)errno_of(returned);
  return -EIO;
}

std::size_t cuda_mapper::free_bytes() {
  const using_device here(ordinal_);
  std::size_t free = 0, total = 0;
  return errno_of(cudaMemGetInfo(&free, &total)) == 0 ? free : 0;
}

}  // namespace genesys::detail
