// SPDX-License-Identifier: Apache-2.0
// The driver's functions that give out and take back memory: the real one does it, and the list of allocations notes
// it. A list that lacks memory makes launches less abortable, never wrong; a list with memory that has ended would be
// wrong, so entries are removed before the real function frees.
#include <map>
#include <mutex>
#include <vector>

#include "schedule/standin/driver_api.h"
#include "schedule/standin/jump_table.h"
#include "schedule/standin/launch_observer.h"
#include "schedule/standin/program_memory.h"
#include "schedule/standin/stream_list.h"

namespace genesys::schedule::standin {
namespace {

using kind = allocation::kind;

allocation_list& list() { return program_memory(); }

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

CUresult added(CUresult result, std::uint64_t base, std::uint64_t bytes, kind what) {
  if (result == CUDA_SUCCESS) list().add(base, bytes, what);
  return result;
}

// What is mapped where. The list has no memory that is mapped twice: what a kernel reads at one address it may write at
// the other one, and the list would have two allocations. Never destroyed: programs may unmap until their end.
class mapped_memory {
 public:
  struct mapping {
    std::uint64_t base, bytes, offset;
    bool overlaps(const mapping& other) const {
      return offset < other.offset + other.bytes && other.offset < offset + bytes;
    }
  };

  static mapped_memory& of_process() {
    static mapped_memory& all = *new mapped_memory;
    return all;
  }
  void add(const mapping& one, CUmemGenericAllocationHandle handle) {
    const std::lock_guard hold(lock_);
    bool is_single = true;
    for (const mapping& other : all_[handle]) {
      if (!other.overlaps(one)) continue;
      is_single = false;
      list().remove_mapped(other.base, other.bytes);
    }
    all_[handle].push_back(one);
    if (is_single) list().add_mapped(one.base, one.bytes);
  }
  void remove(std::uint64_t base, std::uint64_t bytes) {
    const std::lock_guard hold(lock_);
    for (auto& [handle, mappings] : all_) {
      std::erase_if(mappings, [&](const mapping& one) { return one.base >= base && one.base - base < bytes; });
    }
    std::erase_if(all_, [](const auto& of) { return of.second.empty(); });
    list().remove_mapped(base, bytes);
  }

 private:
  std::mutex lock_;
  std::map<CUmemGenericAllocationHandle, std::vector<mapping>> all_;
};

// The program does not know of the memory that the observer has. So if there is too little, the observer gives it back.
template <class allocation_call>
CUresult with_memory_given_back(allocation_call allocate) {
  const CUresult result = allocate();
  launch_observer* const observer = current_observer();
  if (result != CUDA_ERROR_OUT_OF_MEMORY || observer == nullptr || inside::is_nested()) return result;
  const inside now;
  return observer->give_back_memory() ? allocate() : result;
}

CUresult mem_alloc(CUdeviceptr* into, std::size_t bytes) {
  const CUresult result = with_memory_given_back([&] { return GENESYS_REAL(cuMemAlloc_v2)(into, bytes); });
  return result == CUDA_SUCCESS ? added(result, *into, bytes, kind::device) : result;
}

CUresult mem_alloc_pitch(CUdeviceptr* into, std::size_t* pitch, std::size_t width, std::size_t height,
                         unsigned element) {
  const CUresult result =
      with_memory_given_back([&] { return GENESYS_REAL(cuMemAllocPitch_v2)(into, pitch, width, height, element); });
  return result == CUDA_SUCCESS ? added(result, *into, *pitch * height, kind::device) : result;
}

CUresult mem_alloc_managed(CUdeviceptr* into, std::size_t bytes, unsigned flags) {
  const CUresult result = GENESYS_REAL(cuMemAllocManaged)(into, bytes, flags);
  return result == CUDA_SUCCESS ? added(result, *into, bytes, kind::managed) : result;
}

template <driver_function which>
CUresult mem_alloc_async(CUdeviceptr* into, std::size_t bytes, CUstream stream) {
  const CUresult result = with_memory_given_back([&] { return real<which>(&cuMemAllocAsync)(into, bytes, stream); });
  return result == CUDA_SUCCESS ? added(result, *into, bytes, kind::device) : result;
}

template <driver_function which>
CUresult mem_alloc_from_pool(CUdeviceptr* into, std::size_t bytes, CUmemoryPool pool, CUstream stream) {
  const CUresult result =
      with_memory_given_back([&] { return real<which>(&cuMemAllocFromPoolAsync)(into, bytes, pool, stream); });
  return result == CUDA_SUCCESS ? added(result, *into, bytes, kind::device) : result;
}

CUresult mem_free(CUdeviceptr base) {
  list().remove(base);
  return GENESYS_REAL(cuMemFree_v2)(base);
}

template <driver_function which>
CUresult mem_free_async(CUdeviceptr base, CUstream stream) {
  list().remove(base);
  return real<which>(&cuMemFreeAsync)(base, stream);
}

// Pinned memory has the same address for kernels, on all platforms with unified addressing.
CUresult mem_host_alloc(void** into, std::size_t bytes, unsigned flags) {
  const CUresult result = GENESYS_REAL(cuMemHostAlloc)(into, bytes, flags);
  return result == CUDA_SUCCESS ? added(result, address_of(*into), bytes, kind::host) : result;
}

CUresult mem_alloc_host(void** into, std::size_t bytes) {
  const CUresult result = GENESYS_REAL(cuMemAllocHost_v2)(into, bytes);
  return result == CUDA_SUCCESS ? added(result, address_of(*into), bytes, kind::host) : result;
}

CUresult mem_host_register(void* base, std::size_t bytes, unsigned flags) {
  return added(GENESYS_REAL(cuMemHostRegister_v2)(base, bytes, flags), address_of(base), bytes, kind::host);
}

CUresult mem_host_unregister(void* base) {
  list().remove(address_of(base));
  return GENESYS_REAL(cuMemHostUnregister)(base);
}

CUresult mem_free_host(void* base) {
  list().remove(address_of(base));
  return GENESYS_REAL(cuMemFreeHost)(base);
}

CUresult mem_map(CUdeviceptr base, std::size_t bytes, std::size_t offset, CUmemGenericAllocationHandle handle,
                 unsigned long long flags) {
  const CUresult result = GENESYS_REAL(cuMemMap)(base, bytes, offset, handle, flags);
  if (result == CUDA_SUCCESS) mapped_memory::of_process().add({base, bytes, offset}, handle);
  return result;
}

CUresult mem_unmap(CUdeviceptr base, std::size_t bytes) {
  mapped_memory::of_process().remove(base, bytes);
  return GENESYS_REAL(cuMemUnmap)(base, bytes);
}

// A variable of a module. The classifier knows it by name; kernels also get it as a pointer. The program may want only
// its address or its size, or neither.
template <class finder>
CUresult variable(CUdeviceptr* into, std::size_t* size, finder find) {
  CUdeviceptr own_base = 0;
  std::size_t own_size = 0;
  CUdeviceptr* const base = into != nullptr ? into : &own_base;
  std::size_t* const bytes = size != nullptr ? size : &own_size;
  const CUresult result = find(base, bytes);
  return result == CUDA_SUCCESS ? added(result, *base, *bytes, kind::variable) : result;
}

CUresult module_get_global(CUdeviceptr* into, std::size_t* size, CUmodule of, const char* name) {
  return variable(into, size, [=](CUdeviceptr* base, std::size_t* bytes) {
    return GENESYS_REAL(cuModuleGetGlobal_v2)(base, bytes, of, name);
  });
}

CUresult library_get_global(CUdeviceptr* into, std::size_t* size, CUlibrary of, const char* name) {
  return variable(into, size, [=](CUdeviceptr* base, std::size_t* bytes) {
    return GENESYS_REAL(cuLibraryGetGlobal)(base, bytes, of, name);
  });
}

CUresult library_get_managed(CUdeviceptr* into, std::size_t* size, CUlibrary of, const char* name) {
  return variable(into, size, [=](CUdeviceptr* base, std::size_t* bytes) {
    return GENESYS_REAL(cuLibraryGetManaged)(base, bytes, of, name);
  });
}

// Another process may write there at any time, so kernels that write there are not aborted.
CUresult ipc_get_mem_handle(CUipcMemHandle* into, CUdeviceptr base) {
  list().remove(base);
  return GENESYS_REAL(cuIpcGetMemHandle)(into, base);
}

// The end of a context is the end of its memory. Nobody knows here which memory that is, so all is forgotten: kernels
// that use the rest are not aborted any more.
template <driver_function which>
CUresult context_destroy(CUcontext context) {
  list().clear();
  stream_list::only().clear();
  return real<which>(&cuCtxDestroy_v2)(context);
}

template <driver_function which>
CUresult primary_context_end(CUdevice device) {
  list().clear();
  stream_list::only().clear();
  return real<which>(&cuDevicePrimaryCtxReset_v2)(device);
}

}  // namespace

allocation_list& program_memory() {
  static allocation_list& one = *new allocation_list;
  return one;
}

std::span<const own_function> own_memory_functions() {
  static const own_function all[] = {
      GENESYS_OWN(cuMemAlloc_v2, mem_alloc),
      GENESYS_OWN(cuMemAllocPitch_v2, mem_alloc_pitch),
      GENESYS_OWN(cuMemAllocManaged, mem_alloc_managed),
      GENESYS_OWN_BY(cuMemAllocAsync, mem_alloc_async),
      GENESYS_OWN_BY(cuMemAllocAsync_ptsz, mem_alloc_async),
      GENESYS_OWN_BY(cuMemAllocFromPoolAsync, mem_alloc_from_pool),
      GENESYS_OWN_BY(cuMemAllocFromPoolAsync_ptsz, mem_alloc_from_pool),
      GENESYS_OWN(cuMemFree_v2, mem_free),
      GENESYS_OWN_BY(cuMemFreeAsync, mem_free_async),
      GENESYS_OWN_BY(cuMemFreeAsync_ptsz, mem_free_async),
      GENESYS_OWN(cuMemHostAlloc, mem_host_alloc),
      GENESYS_OWN(cuMemAllocHost_v2, mem_alloc_host),
      GENESYS_OWN(cuMemHostRegister_v2, mem_host_register),
      GENESYS_OWN(cuMemHostUnregister, mem_host_unregister),
      GENESYS_OWN(cuMemFreeHost, mem_free_host),
      GENESYS_OWN(cuIpcGetMemHandle, ipc_get_mem_handle),
      GENESYS_OWN(cuMemMap, mem_map),
      GENESYS_OWN(cuMemUnmap, mem_unmap),
      GENESYS_OWN(cuModuleGetGlobal_v2, module_get_global),
      GENESYS_OWN(cuLibraryGetGlobal, library_get_global),
      GENESYS_OWN(cuLibraryGetManaged, library_get_managed),
      GENESYS_OWN_BY(cuCtxDestroy, context_destroy),
      GENESYS_OWN_BY(cuCtxDestroy_v2, context_destroy),
      GENESYS_OWN_BY(cuDevicePrimaryCtxRelease, primary_context_end),
      GENESYS_OWN_BY(cuDevicePrimaryCtxRelease_v2, primary_context_end),
      GENESYS_OWN_BY(cuDevicePrimaryCtxReset, primary_context_end),
      GENESYS_OWN_BY(cuDevicePrimaryCtxReset_v2, primary_context_end),
  };
  return all;
}

}  // namespace genesys::schedule::standin
