// SPDX-License-Identifier: Apache-2.0
// The driver's functions that load modules and find kernels: the real one does it, and the registry notes it. What the
// program gets is what the driver gave, so handles, attributes and symbols keep their meaning. Kernels that only the
// stand-in has added to a library are not counted and not listed.
#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "schedule/standin/driver_api.h"
#include "schedule/standin/jump_table.h"
#include "schedule/standin/kernel_registry.h"
#include "schedule/standin/program_memory.h"

namespace genesys::schedule::standin {
namespace {

kernel_registry& registry() { return kernel_registry::only(); }

CUresult module_load(CUmodule* into, const char* file) {
  const CUresult result = GENESYS_REAL(cuModuleLoad)(into, file);
  if (result == CUDA_SUCCESS) registry().add_module(*into, module_image::of_file(file));
  return result;
}

CUresult module_load_data(CUmodule* into, const void* image) {
  const CUresult result = GENESYS_REAL(cuModuleLoadData)(into, image);
  if (result == CUDA_SUCCESS) registry().add_module(*into, module_image::of_memory(image));
  return result;
}

CUresult module_load_data_ex(CUmodule* into, const void* image, unsigned count, CUjit_option* options, void** values) {
  const CUresult result = GENESYS_REAL(cuModuleLoadDataEx)(into, image, count, options, values);
  if (result == CUDA_SUCCESS) registry().add_module(*into, module_image::of_memory(image));
  return result;
}

CUresult module_load_fat_binary(CUmodule* into, const void* image) {
  const CUresult result = GENESYS_REAL(cuModuleLoadFatBinary)(into, image);
  if (result == CUDA_SUCCESS) registry().add_module(*into, module_image::of_memory(image));
  return result;
}

CUresult module_unload(CUmodule of) {
  registry().remove_module(of);
  program_memory().remove_variables();
  return GENESYS_REAL(cuModuleUnload)(of);
}

CUresult module_get_function(CUfunction* into, CUmodule of, const char* name) {
  const CUresult result = GENESYS_REAL(cuModuleGetFunction)(into, of, name);
  if (result == CUDA_SUCCESS) registry().add_kernel(*into, of, name, false);
  return result;
}

// How many kernels of a module the program does not know: its image was loaded with more.
unsigned kernels_added(void* module) {
  const std::shared_ptr<module_image> image = registry().image_of(module);
  return image != nullptr ? static_cast<unsigned>(image->kernels_added()) : 0;
}

CUresult module_get_function_count(unsigned* into, CUmodule of) {
  const CUresult result = GENESYS_REAL(cuModuleGetFunctionCount)(into, of);
  if (result == CUDA_SUCCESS) *into -= std::min(*into, kernels_added(of));
  return result;
}

// Lists the kernels that the program knows, and notes them. `list(into, count)` asks the driver, which has `total`.
template <class handle, class lister, class namer>
CUresult enumerate(handle* into, unsigned count, void* module, unsigned total, lister list, namer name_of) {
  const unsigned added = kernels_added(module);
  std::vector<handle> more(added > 0 ? count + added : 0);
  handle* const all = added > 0 ? more.data() : into;
  const CUresult result = list(all, count + added);
  if (result != CUDA_SUCCESS) return result;
  unsigned kept = 0;
  for (unsigned i = 0; i < std::min(total, count + added) && kept < count; ++i) {
    const char* name = nullptr;
    const bool is_named = name_of(&name, all[i]) == CUDA_SUCCESS && name != nullptr;
    if (is_named && std::string_view(name).ends_with(shared_suffix)) continue;
    if (is_named) registry().add_kernel(all[i], module, name, std::is_same_v<handle, CUkernel>);
    into[kept++] = all[i];
  }
  return CUDA_SUCCESS;
}

CUresult module_enumerate_functions(CUfunction* into, unsigned count, CUmodule of) {
  unsigned total = 0;
  if (GENESYS_REAL(cuModuleGetFunctionCount)(&total, of) != CUDA_SUCCESS) total = 0;
  return enumerate(
      into, count, of, total,
      [of](CUfunction* list, unsigned most) { return GENESYS_REAL(cuModuleEnumerateFunctions)(list, most, of); },
      GENESYS_REAL(cuFuncGetName));
}

CUresult library_load_data(CUlibrary* into, const void* image, CUjit_option* jit_options, void** jit_values,
                           unsigned jit_count, CUlibraryOption* options, void** values, unsigned count) {
  const auto load = [&](const void* what) {
    return GENESYS_REAL(cuLibraryLoadData)(into, what, jit_options, jit_values, jit_count, options, values, count);
  };
  CUresult result = CUDA_ERROR_INVALID_PTX;
  std::shared_ptr<module_image> known;
  if (module_image::has_text_for_variables()) {
    known = module_image::of_memory(image);
    const char* const text = known->text_for_variables();
    if (text != nullptr) result = load(text);
    known->loaded_for_variables(result == CUDA_SUCCESS ? *into : nullptr);
  }
  if (result != CUDA_SUCCESS) result = load(image);
  if (result != CUDA_SUCCESS) return result;
  registry().add_module(*into, known != nullptr ? known : module_image::of_memory(image));
  return result;
}

CUresult library_load_from_file(CUlibrary* into, const char* file, CUjit_option* jit_options, void** jit_values,
                                unsigned jit_count, CUlibraryOption* options, void** values, unsigned count) {
  const CUresult result =
      GENESYS_REAL(cuLibraryLoadFromFile)(into, file, jit_options, jit_values, jit_count, options, values, count);
  if (result == CUDA_SUCCESS) registry().add_module(*into, module_image::of_file(file));
  return result;
}

CUresult library_unload(CUlibrary of) {
  registry().remove_module(of);
  program_memory().remove_variables();
  return GENESYS_REAL(cuLibraryUnload)(of);
}

CUresult library_get_kernel(CUkernel* into, CUlibrary of, const char* name) {
  const CUresult result = GENESYS_REAL(cuLibraryGetKernel)(into, of, name);
  if (result == CUDA_SUCCESS) registry().add_kernel(*into, of, name, true);
  return result;
}

CUresult library_get_kernel_count(unsigned* into, CUlibrary of) {
  const CUresult result = GENESYS_REAL(cuLibraryGetKernelCount)(into, of);
  if (result == CUDA_SUCCESS) *into -= std::min(*into, kernels_added(of));
  return result;
}

CUresult library_enumerate_kernels(CUkernel* into, unsigned count, CUlibrary of) {
  unsigned total = 0;
  if (GENESYS_REAL(cuLibraryGetKernelCount)(&total, of) != CUDA_SUCCESS) total = 0;
  return enumerate(
      into, count, of, total,
      [of](CUkernel* list, unsigned most) { return GENESYS_REAL(cuLibraryEnumerateKernels)(list, most, of); },
      GENESYS_REAL(cuKernelGetName));
}

CUresult library_get_module(CUmodule* into, CUlibrary of) {
  const CUresult result = GENESYS_REAL(cuLibraryGetModule)(into, of);
  if (result == CUDA_SUCCESS) registry().add_alias(*into, of);
  return result;
}

CUresult kernel_get_function(CUfunction* into, CUkernel of) {
  const CUresult result = GENESYS_REAL(cuKernelGetFunction)(into, of);
  if (result == CUDA_SUCCESS) registry().add_kernel_alias(*into, of);
  return result;
}

CUresult func_set_attribute(CUfunction of, CUfunction_attribute which, int value) {
  const CUresult result = GENESYS_REAL(cuFuncSetAttribute)(of, which, value);
  if (result == CUDA_SUCCESS) registry().find_or_add(of)->set_attribute(which, value);
  return result;
}

CUresult kernel_set_attribute(CUfunction_attribute which, int value, CUkernel of, CUdevice device) {
  const CUresult result = GENESYS_REAL(cuKernelSetAttribute)(which, value, of, device);
  const std::shared_ptr<kernel> known = registry().find(of);
  if (result == CUDA_SUCCESS && known != nullptr) known->set_attribute(which, value);
  return result;
}

}  // namespace

std::span<const own_function> own_module_functions() {
  static const own_function all[] = {
      GENESYS_OWN(cuModuleLoad, module_load),
      GENESYS_OWN(cuModuleLoadData, module_load_data),
      GENESYS_OWN(cuModuleLoadDataEx, module_load_data_ex),
      GENESYS_OWN(cuModuleLoadFatBinary, module_load_fat_binary),
      GENESYS_OWN(cuModuleUnload, module_unload),
      GENESYS_OWN(cuModuleGetFunction, module_get_function),
      GENESYS_OWN(cuModuleGetFunctionCount, module_get_function_count),
      GENESYS_OWN(cuModuleEnumerateFunctions, module_enumerate_functions),
      GENESYS_OWN(cuLibraryLoadData, library_load_data),
      GENESYS_OWN(cuLibraryLoadFromFile, library_load_from_file),
      GENESYS_OWN(cuLibraryUnload, library_unload),
      GENESYS_OWN(cuLibraryGetKernel, library_get_kernel),
      GENESYS_OWN(cuLibraryGetKernelCount, library_get_kernel_count),
      GENESYS_OWN(cuLibraryEnumerateKernels, library_enumerate_kernels),
      GENESYS_OWN(cuLibraryGetModule, library_get_module),
      GENESYS_OWN(cuKernelGetFunction, kernel_get_function),
      GENESYS_OWN(cuFuncSetAttribute, func_set_attribute),
      GENESYS_OWN(cuKernelSetAttribute, kernel_set_attribute),
  };
  return all;
}

}  // namespace genesys::schedule::standin
