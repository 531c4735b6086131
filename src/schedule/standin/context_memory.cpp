// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/context_memory.h"

#include <algorithm>
#include <string>

#include "genesys/detail/wire/abort.h"
#include "genesys/error.h"
#include "schedule/standin/jump_table.h"

namespace genesys::schedule::standin {
namespace {

void check(CUresult returned, error_code code, const char* doing) {
  if (returned != CUDA_SUCCESS) {
    throw error(code, std::string(doing) + " fails: error " + std::to_string(returned) + " of the driver");
  }
}

CUdeviceptr address(const void* memory) { return reinterpret_cast<CUdeviceptr>(memory); }

}  // namespace

context_memory::context_memory() {
  int least = 0, greatest = 0;
  check(GENESYS_REAL(cuCtxGetStreamPriorityRange)(&least, &greatest), error_code::no_memory, "asking for priorities");
  check(GENESYS_REAL(cuStreamCreateWithPriority)(&stream_, CU_STREAM_NON_BLOCKING, greatest), error_code::no_memory,
        "making a stream");
  void* pinned = nullptr;
  check(GENESYS_REAL(cuMemHostAlloc)(&pinned, detail::aborts::flag_replicas_max * sizeof *values_, 0),
        error_code::no_memory, "allocating pinned memory");
  values_ = static_cast<detail::u32*>(pinned);
}

void* context_memory::allocate(std::size_t bytes) {
  CUdeviceptr made = 0;
  check(GENESYS_REAL(cuMemAlloc_v2)(&made, bytes), error_code::no_memory, "allocating device memory");
  return reinterpret_cast<void*>(made);
}

void context_memory::free(void* memory) { GENESYS_REAL(cuMemFree_v2)(address(memory)); }

void context_memory::finish(CUresult begun, const char* doing) {
  check(begun, error_code::launch_failed, doing);
  check(GENESYS_REAL(cuStreamSynchronize)(stream_), error_code::launch_failed, doing);
}

void context_memory::copy_to_host(void* host, const void* device, std::size_t bytes) {
  finish(GENESYS_REAL(cuMemcpyDtoHAsync_v2)(host, address(device), bytes, stream_), "copying from device memory");
}

void context_memory::fill(void* device, int byte, std::size_t bytes) {
  finish(GENESYS_REAL(cuMemsetD8Async)(address(device), static_cast<unsigned char>(byte), bytes, stream_),
         "filling device memory");
}

// A copy, which needs no multiprocessor: a full GPU does not delay it.
void context_memory::store_words(void* device, detail::u32 value, detail::u32 rows, std::size_t apart) {
  std::fill_n(values_, rows, value);
  CUDA_MEMCPY2D how{};
  how.srcMemoryType = CU_MEMORYTYPE_HOST;
  how.srcHost = values_;
  how.srcPitch = sizeof value;
  how.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  how.dstDevice = address(device);
  how.dstPitch = apart;
  how.WidthInBytes = sizeof value;
  how.Height = rows;
  finish(GENESYS_REAL(cuMemcpy2DAsync_v2)(&how, stream_), "storing words in device memory");
}

}  // namespace genesys::schedule::standin
