// SPDX-License-Identifier: Apache-2.0
#include "schedule/api/variable_addresses.h"

#include <cuda.h>
#include <cuda_runtime.h>

namespace genesys::schedule {
namespace {

// A function of the driver; null: this driver does not have it.
template <class function>
function* driver_function(const char* name, unsigned version) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult how{};
  if (cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &how) != cudaSuccess) {
    (void)cudaGetLastError();
    return nullptr;
  }
  return how == cudaDriverEntryPointSuccess ? reinterpret_cast<function*>(found) : nullptr;
}

// The runtime's handles of kernels and libraries are those of the driver.
void* library_of(const void* entry) {
  using get_library = CUresult(CUlibrary*, CUkernel);
  static get_library* const ask = driver_function<get_library>("cuKernelGetLibrary", 12050);
  cudaKernel_t kernel = nullptr;
  if (ask == nullptr || cudaGetKernel(&kernel, entry) != cudaSuccess) {
    (void)cudaGetLastError();
    return nullptr;
  }
  CUlibrary library = nullptr;
  return ask(&library, reinterpret_cast<CUkernel>(kernel)) == CUDA_SUCCESS ? library : nullptr;
}

// For a driver that does not know the library of a function.
std::optional<range> in_module_of(const void* entry, const std::string& name) {
  using get_module = CUresult(CUmodule*, CUfunction);
  using get_global = CUresult(CUdeviceptr*, std::size_t*, CUmodule, const char*);
  static get_module* const ask = driver_function<get_module>("cuFuncGetModule", 12000);
  static get_global* const look = driver_function<get_global>("cuModuleGetGlobal", 12000);
  cudaFunction_t function = nullptr;
  if (ask == nullptr || look == nullptr || cudaGetFuncBySymbol(&function, entry) != cudaSuccess) {
    (void)cudaGetLastError();
    return std::nullopt;
  }
  CUmodule module = nullptr;
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  if (ask(&module, function) != CUDA_SUCCESS || look(&address, &bytes, module, name.c_str()) != CUDA_SUCCESS) {
    return std::nullopt;
  }
  return range{address, bytes};
}

}  // namespace

std::optional<range> variable_addresses::find(const std::string& name) {
  if (library_ == nullptr && entry_ != nullptr) library_ = library_of(entry_);
  void* address = nullptr;
  std::size_t bytes = 0;
  if (library_ != nullptr &&
      cudaLibraryGetGlobal(&address, &bytes, static_cast<cudaLibrary_t>(library_), name.c_str()) == cudaSuccess) {
    return range{reinterpret_cast<std::uint64_t>(address), bytes};
  }
  (void)cudaGetLastError();
  return entry_ != nullptr ? in_module_of(entry_, name) : std::nullopt;
}

// A stream of its own: the default one would wait for kernels.
bool fill_table(void* library, const std::string& table, const std::vector<range>& variables) {
  std::vector<std::uint64_t> addresses;
  for (const range& each : variables) addresses.push_back(each.base);
  const std::size_t wanted = addresses.size() * sizeof addresses[0];
  void* to = nullptr;
  std::size_t bytes = 0;
  cudaStream_t stream = nullptr;
  bool is_filled =
      cudaLibraryGetGlobal(&to, &bytes, static_cast<cudaLibrary_t>(library), table.c_str()) == cudaSuccess &&
      bytes == wanted && cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess;
  if (is_filled) {
    is_filled = cudaMemcpyAsync(to, addresses.data(), wanted, cudaMemcpyHostToDevice, stream) == cudaSuccess &&
                cudaStreamSynchronize(stream) == cudaSuccess;
    (void)cudaStreamDestroy(stream);
  }
  (void)cudaGetLastError();
  return is_filled;
}

}  // namespace genesys::schedule
