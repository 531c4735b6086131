// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/kernel_registry.h"

#include <mutex>

#include "schedule/standin/jump_table.h"

namespace genesys::schedule::standin {
namespace {

constexpr char not_seen[] = "it was loaded in a way that the stand-in does not see";

}  // namespace

kernel_registry& kernel_registry::only() {
  static kernel_registry& one = *new kernel_registry;
  return one;
}

void kernel_registry::add_module(void* module, std::shared_ptr<module_image> image) {
  remove_module(module);  // a handle that the driver gives out again
  const std::unique_lock lock(changing_);
  modules_[module] = std::move(image);
}

void kernel_registry::add_alias(void* module, void* library) {
  const std::unique_lock lock(changing_);
  const auto found = modules_.find(library);
  if (found == modules_.end()) return;
  modules_[module] = found->second;
  libraries_[module] = library;
}

void kernel_registry::remove_module(void* module) {
  std::vector<registered> ended;  // destroyed without the lock, because that calls the driver
  std::shared_ptr<module_image> image;
  const std::unique_lock lock(changing_);
  if (const auto found = modules_.find(module); found != modules_.end()) {
    image = std::move(found->second);
    modules_.erase(found);
  }
  std::erase_if(libraries_, [&](const auto& each) {
    if (each.second == module) modules_.erase(each.first);
    return each.first == module || each.second == module;
  });
  std::erase_if(kernels_, [&](auto& each) {
    if (each.second.module != module) return false;
    ended.push_back(std::move(each.second));
    return true;
  });
  if (!ended.empty()) changed();
}

std::shared_ptr<module_image> kernel_registry::image_of(void* module) const {
  const std::shared_lock lock(changing_);
  const auto found = modules_.find(module);
  return found != modules_.end() ? found->second : nullptr;
}

void kernel_registry::add_kernel(void* handle, void* module, const std::string& name, bool is_library_kernel) {
  std::shared_ptr<module_image> image;
  {
    const std::shared_lock lock(changing_);
    if (const auto alias = libraries_.find(module); alias != libraries_.end()) module = alias->second;
    const auto known = kernels_.find(handle);
    if (known != kernels_.end() && known->second.module == module && known->second.what->name() == name) return;
    if (const auto found = modules_.find(module); found != modules_.end()) image = found->second;
  }
  if (image == nullptr) image = std::make_shared<module_image>("", not_seen);
  const auto made = std::make_shared<kernel>(std::move(image), name, handle, is_library_kernel);
  registered before;
  const std::unique_lock lock(changing_);
  before = std::exchange(kernels_[handle], {made, module});
  if (before.what != nullptr) changed();
}

void kernel_registry::add_kernel_alias(void* function, void* kernel) {
  const std::unique_lock lock(changing_);
  if (const auto found = kernels_.find(kernel); found != kernels_.end()) {
    const registered same = found->second;
    registered& at = kernels_[function];
    if (at.what != nullptr && at.what != same.what) changed();
    at = same;
  }
}

std::shared_ptr<kernel> kernel_registry::find(void* handle) const {
  const std::shared_lock lock(changing_);
  const auto found = kernels_.find(handle);
  return found != kernels_.end() ? found->second.what : nullptr;
}

std::shared_ptr<kernel> kernel_registry::find_or_add(CUfunction function) {
  if (std::shared_ptr<kernel> known = find(function)) return known;
  const char* name = nullptr;
  if (GENESYS_REAL(cuFuncGetName)(&name, function) != CUDA_SUCCESS || name == nullptr) name = "?";
  add_kernel(function, nullptr, name, false);
  return find(function);
}

}  // namespace genesys::schedule::standin
