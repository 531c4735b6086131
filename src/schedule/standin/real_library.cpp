// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/real_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "schedule/standin/jumps.h"

namespace genesys::schedule::standin {
namespace {

constexpr const char* usual_folders[] = {"/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64",
                                         "/usr/local/nvidia/lib64",   "/usr/lib/wsl/lib",      "/usr/lib"};

std::vector<std::string> candidates() {
  std::vector<std::string> result;
  if (const char* set = std::getenv("LD_LIBRARY_PATH")) {
    for (std::string_view rest = set; !rest.empty();) {
      const std::string_view folder = rest.substr(0, rest.find_first_of(":;"));
      if (!folder.empty()) result.push_back(std::string(folder) + "/" + library_name);
      rest.remove_prefix(folder.size() < rest.size() ? folder.size() + 1 : rest.size());
    }
  }
  for (const char* folder : usual_folders) result.push_back(std::string(folder) + "/" + library_name);
  return result;
}

}  // namespace

real_library::real_library() {
  if (const char* set = std::getenv(real_library_variable); set != nullptr && *set != '\0') {
    if (!open(set)) problem_ = std::string(real_library_variable) + " is '" + set + "': " + problem_;
    return;
  }
  for (const std::string& path : candidates()) {
    if (::access(path.c_str(), R_OK) == 0 && open(path)) return;
  }
  problem_ = "no libcuda.so.1 of a driver is in LD_LIBRARY_PATH or the usual folders";
}

// The name has a slash, so the dynamic loader does not take the stand-in for it, which has the same soname. DEEPBIND:
// the driver's calls of its own functions reach its own functions.
bool real_library::open(const std::string& path) {
  const std::string file = path.find('/') == path.npos ? "./" + path : path;
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (handle == nullptr) {
    const char* why = ::dlerror();
    problem_ = why != nullptr ? why : "it cannot be opened";
    return false;
  }
  void* const init = ::dlsym(handle, "cuInit");
  if (init == nullptr || init == exported(driver_function::cuInit)) {
    problem_ = init == nullptr ? "it is no driver's library: it has no cuInit" : "it is genesys's own stand-in";
    ::dlclose(handle);
    return false;
  }
  handle_ = handle;
  path_ = file;
  problem_.clear();
  return true;
}

void* real_library::find(const char* function) const {
  return handle_ != nullptr ? ::dlsym(handle_, function) : nullptr;
}

}  // namespace genesys::schedule::standin
