// SPDX-License-Identifier: Apache-2.0
#include "service/jit_linker.h"

#include <dlfcn.h>

#include <cstdlib>

#include "genesys/error.h"

namespace genesys::detail::services {
namespace {

// As in the header of nvJitLink of CUDA 13, which a machine that only runs programs does not have.
class library {
 public:
  using handle = void*;
  static constexpr int input_ptx = 2;

  library() {
    for (const std::string& name : names()) {
      opened_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (opened_ != nullptr) break;
    }
    if (opened_ == nullptr) {
      throw error(
          error_code::not_built,
          "services are linked by libnvJitLink.so.13, which was not found: install libnvjitlink of CUDA toolkit "
          "13, or name its folder in LD_LIBRARY_PATH");
    }
    find("Create", create);
    find("Destroy", destroy);
    find("AddData", add_data);
    find("Complete", complete);
    find("GetLinkedCubinSize", cubin_size);
    find("GetLinkedCubin", cubin);
    find("GetErrorLogSize", log_size);
    find("GetErrorLog", log);
  }

  int (*create)(handle*, unsigned, const char**) = nullptr;
  int (*destroy)(handle*) = nullptr;
  int (*add_data)(handle, int, const void*, std::size_t, const char*) = nullptr;
  int (*complete)(handle) = nullptr;
  int (*cubin_size)(handle, std::size_t*) = nullptr;
  int (*cubin)(handle, void*) = nullptr;
  int (*log_size)(handle, std::size_t*) = nullptr;
  int (*log)(handle, char*) = nullptr;

 private:
  static std::vector<std::string> names() {
    std::vector<std::string> all{"libnvJitLink.so.13"};
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
      if (const char* const folder = std::getenv(variable))
        all.push_back(std::string(folder) + "/lib64/libnvJitLink.so.13");
    }
    all.push_back("/usr/local/cuda/lib64/libnvJitLink.so.13");
    return all;
  }
  template <class F>
  void find(const char* name, F*& function) {
    function = reinterpret_cast<F*>(::dlsym(opened_, ("__nvJitLink" + std::string(name) + "_13_0").c_str()));
    if (function == nullptr)
      throw error(error_code::not_built, "libnvJitLink.so.13 has no nvJitLink" + std::string(name) + " of CUDA 13.0");
  }
  void* opened_ = nullptr;
};

class linking {
 public:
  linking(const library& by, std::vector<std::string> options) : by_(by) {
    std::vector<const char*> pointers;
    for (const std::string& each : options) pointers.push_back(each.c_str());
    check(by_.create(&handle_, static_cast<unsigned>(pointers.size()), pointers.data()), "its options");
  }
  ~linking() {
    if (handle_ != nullptr) by_.destroy(&handle_);
  }
  linking(const linking&) = delete;
  linking& operator=(const linking&) = delete;

  void add(const link_input& input) {
    check(by_.add_data(handle_, library::input_ptx, input.ptx.c_str(), input.ptx.size() + 1, input.name.c_str()),
          input.name);
  }
  std::string complete() {
    check(by_.complete(handle_), "the program with its loaded services");
    std::size_t bytes = 0;
    check(by_.cubin_size(handle_, &bytes), "what it has linked");
    std::string cubin(bytes, '\0');
    check(by_.cubin(handle_, cubin.data()), "what it has linked");
    return cubin;
  }

 private:
  void check(int returned, const std::string& what) {
    if (returned == 0) return;
    std::string why = "error " + std::to_string(returned);
    std::size_t bytes = 0;
    if (handle_ != nullptr && by_.log_size(handle_, &bytes) == 0 && bytes > 1) {
      why.assign(bytes, '\0');
      if (by_.log(handle_, why.data()) != 0) why = "error " + std::to_string(returned);
      while (!why.empty() && (why.back() == '\0' || why.back() == '\n')) why.pop_back();
    }
    throw error(error_code::bad_option, "nvJitLink refuses " + what + ": " + why +
                                            (why.find(".version") != why.npos
                                                 ? ". Compile the file by nvcc of CUDA 13.0, or install a libnvJitLink "
                                                   "that is as new as this nvcc"
                                                 : ""));
  }

  const library& by_;
  library::handle handle_ = nullptr;
};

}  // namespace

std::string link_cubin(const std::vector<link_input>& inputs, unsigned architecture, unsigned registers_max) {
  static const library by;
  linking link(by, {"-arch=sm_" + std::to_string(architecture), "-maxrregcount=" + std::to_string(registers_max)});
  for (const link_input& each : inputs) link.add(each);
  return link.complete();
}

}  // namespace genesys::detail::services
