// SPDX-License-Identifier: Apache-2.0
#include "service/loaded_file.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "schedule/program/elf_sections.h"
#include "schedule/program/fatbin.h"
#include "service/loaded_text.h"

namespace genesys::detail::services {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw error(error_code::bad_option, path + ": " + why);
}

void check_version(const loadable_description& about, const std::string& path, const std::string& symbol) {
  if (about.magic != loadable_magic) refuse(path, symbol + "_description is not of GENESYS_LOADABLE_SERVICE");
  if (about.version != loadable_version) {
    refuse(path, "it was compiled with the headers of another version of genesys (services of version " +
                     std::to_string(about.version) + ", this program's have " + std::to_string(loadable_version) +
                     "): compile it again");
  }
}

// The newest PTX that the GPU can have.
std::string ptx_in(const std::string& path, const std::string& bytes, unsigned architecture) {
  if (schedule::is_elf(bytes)) refuse(path, "it is machine code: a GPU loads PTX (nvcc -ptx), or a fatbin with PTX");
  if (!schedule::is_fatbin(bytes)) {
    if (bytes.find(".version") == bytes.npos) refuse(path, "it is neither PTX nor a fatbin");
    return bytes;
  }
  const schedule::fatbin_entry* best = nullptr;
  std::string problem;
  const auto entries = schedule::entries_of(bytes);
  for (const schedule::fatbin_entry& each : entries) {
    if (each.what != schedule::fatbin_entry::kind::ptx || each.architecture > architecture) continue;
    if (!each.problem.empty()) problem = ": " + each.problem;
    if (each.problem.empty() && (best == nullptr || each.architecture > best->architecture)) best = &each;
  }
  if (best == nullptr) {
    refuse(path, "the fatbin has no PTX for sm_" + std::to_string(architecture) + problem +
                     ". Compile it with -gencode arch=compute_" + std::to_string(architecture) + ",code=compute_" +
                     std::to_string(architecture));
  }
  return best->contents;
}

}  // namespace

file_bytes read_file(const std::string& path) {
  errno = 0;
  std::ifstream from(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(from), {}};
  if (!from.is_open() || from.bad() || bytes.empty())
    refuse(path, errno != 0 ? std::strerror(errno) : "the file is empty, or cannot be read");
  return {path, std::move(bytes)};
}

loaded_ptx::loaded_ptx(const file_bytes& from, const std::string& symbol, unsigned architecture)
    : text_(ptx_in(from.name, from.bytes, architecture)) {
  const std::string& path = from.name;
  const auto bytes = bytes_of_variable(text_, symbol + "_description", sizeof about_);
  if (!bytes || !has_function(text_, symbol)) {
    refuse(path, "it has no service " + symbol +
                     ": name it by GENESYS_LOADABLE_SERVICE, outside of namespaces, and compile with -rdc=true");
  }
  std::memcpy(static_cast<void*>(&about_), bytes->data(), bytes->size());
  check_version(about_, path, symbol);
}

loaded_library::loaded_library(const file_bytes& from, const std::string& symbol) {
  const auto& [path, bytes] = from;
  if (!schedule::is_elf(bytes)) refuse(path, "it is no shared object: compile it by g++ -shared -fPIC");
  copy_ = shared_memory::make(bytes.size());
  if (copy_.commit(0, bytes.size()) != 0) refuse(path, "there is no memory for a copy");
  std::memcpy(copy_.data(), bytes.data(), bytes.size());
  take_free_name(path);
  opened_ = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened_ == nullptr) {
    const char* const why = ::dlerror();
    refuse(path, std::string("the dynamic linker refuses it: ") + (why != nullptr ? why : "") +
                     ". If functions of genesys are missing, link the program with "
                     "-Wl,--export-dynamic-symbol='_ZN7genesys6detail3cpu*'");
  }
  const void* const about = ::dlsym(opened_, (symbol + "_description").c_str());
  const void* const twin = ::dlsym(opened_, (symbol + "_twin").c_str());
  if (about == nullptr || twin == nullptr || ::dlsym(opened_, symbol.c_str()) == nullptr) {
    ::dlclose(opened_);
    refuse(path, "it has no service " + symbol + ": name it by GENESYS_LOADABLE_SERVICE, outside of namespaces");
  }
  std::memcpy(static_cast<void*>(&about_), about, sizeof about_);
  try {
    check_version(about_, path, symbol);
  } catch (...) {
    ::dlclose(opened_);
    throw;
  }
  std::memcpy(&twin_, twin, sizeof twin_);
}

// The dynamic linker takes two objects of one name for one. An object may stay after dlclose() while its descriptor's
// number is used again: this copy then gets another number.
void loaded_library::take_free_name(const std::string& path) {
  fds_.push_back(::fcntl(copy_.fd(), F_DUPFD_CLOEXEC, 0));
  for (;;) {
    if (fds_.back() < 0) refuse(path, "no descriptor is left for a copy");
    path_ = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(fds_.back());
    void* const other = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (other == nullptr) return;
    ::dlclose(other);
    fds_.push_back(::fcntl(copy_.fd(), F_DUPFD_CLOEXEC, 0));
  }
}

loaded_library::~loaded_library() {
  if (opened_ != nullptr) ::dlclose(opened_);
}

loaded_library::descriptors::~descriptors() {
  for (const int each : *this) {
    if (each >= 0) ::close(each);
  }
}

}  // namespace genesys::detail::services
