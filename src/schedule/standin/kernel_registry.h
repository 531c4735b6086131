// SPDX-License-Identifier: Apache-2.0
// The modules, libraries and kernels that the program has loaded, by the driver's handles. Any thread may call it.
#pragma once

#include <atomic>
#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "schedule/standin/kernel.h"

namespace genesys::schedule::standin {

class kernel_registry {
 public:
  // There is one, which is never destroyed.
  static kernel_registry& only();

  // A CUmodule or a CUlibrary.
  void add_module(void* module, std::shared_ptr<module_image> image);
  // A CUmodule of a library: it is the same image.
  void add_alias(void* module, void* library);
  // It and its kernels.
  void remove_module(void* module);
  // Null: it is not known.
  std::shared_ptr<module_image> image_of(void* module) const;
  // A CUfunction of a module or a CUkernel of a library. Its earlier entry is replaced if it is of another module.
  void add_kernel(void* handle, void* module, const std::string& name, bool is_library_kernel);
  // A CUfunction that is a CUkernel in some context.
  void add_kernel_alias(void* function, void* kernel);

  // Null: it is not known.
  std::shared_ptr<kernel> find(void* handle) const;
  // As find(); a handle that is not known gets an entry without an image.
  std::shared_ptr<kernel> find_or_add(CUfunction function);
  // Another number after a handle has come to mean another kernel, or none.
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

 private:
  struct registered {
    std::shared_ptr<kernel> what;
    void* module = nullptr;
  };
  void changed() { version_.fetch_add(1, std::memory_order_release); }

  mutable std::shared_mutex changing_;
  std::atomic<std::uint64_t> version_{1};
  std::unordered_map<void*, std::shared_ptr<module_image>> modules_;
  std::unordered_map<void*, void*> libraries_;  // of modules that are aliases
  std::unordered_map<void*, registered> kernels_;
};

}  // namespace genesys::schedule::standin
