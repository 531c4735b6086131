// SPDX-License-Identifier: Apache-2.0
// Memory that kernels map, on the CUDA device. Registers what Linux has mapped, and moves device memory in and out of
// reserved addresses through the driver's virtual memory calls. Only let_go() waits for kernels. Any thread.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <mutex>

#include "target/mapper.h"

namespace genesys::detail {

class cuda_mapper final : public mapper {
 public:
  // Throws error: the driver lacks what is needed, no memory.
  explicit cuda_mapper(int ordinal);
  ~cuda_mapper() override;
  cuda_mapper(const cuda_mapper&) = delete;
  cuda_mapper& operator=(const cuda_mapper&) = delete;

  int admit(void* begin, std::size_t bytes, bool read_only) override;
  void let_go(void* begin) override;
  u64 reserve(std::size_t bytes) override;
  void unreserve(u64 begin, std::size_t bytes) override;
  int populate(u64 begin, std::size_t bytes) override;
  int depopulate(u64 begin, std::size_t bytes) override;
  std::size_t free_bytes() override;
  int store(u32* at, u32 value) override;

 private:
  // Functions of the driver, looked up when the runtime is made, so that programs do not link to the driver.
  struct driver_calls {
    CUresult (*granularity)(std::size_t*, const CUmemAllocationProp*, CUmemAllocationGranularity_flags);
    CUresult (*address_reserve)(CUdeviceptr*, std::size_t, std::size_t, CUdeviceptr, unsigned long long);
    CUresult (*address_free)(CUdeviceptr, std::size_t);
    CUresult (*create)(CUmemGenericAllocationHandle*, std::size_t, const CUmemAllocationProp*, unsigned long long);
    CUresult (*release)(CUmemGenericAllocationHandle);
    CUresult (*map)(CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle, unsigned long long);
    CUresult (*unmap)(CUdeviceptr, std::size_t);
    CUresult (*set_access)(CUdeviceptr, std::size_t, const CUmemAccessDesc*, std::size_t);
  };

  int put_pieces(u64 begin, std::size_t bytes);
  CUresult take_pieces(u64 begin, std::size_t bytes);
  int zero(u64 begin, std::size_t bytes);
  const void* zeros();
  static int finished(cudaStream_t stream);

  const int ordinal_;
  bool same_addresses_ = false;  // registered memory has the host's addresses
  bool has_pieces_ = false;      // device memory comes in pieces of our size
  driver_calls driver_{};
  CUmemAllocationProp property_{};
  // Two streams, so that a word does not wait for gibibytes of zeros. Both have the highest priority, and wait for no
  // other stream.
  cudaStream_t words_ = nullptr, fills_ = nullptr;
  std::mutex lock_;        // guards zeros_
  void* zeros_ = nullptr;  // one piece of zeros, pinned; made when first needed
};

}  // namespace genesys::detail
