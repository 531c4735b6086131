// SPDX-License-Identifier: Apache-2.0
// The files of one service that is loaded (service_file): PTX or a fatbin for a GPU, a shared object for the CPU device
// and for the twin. What is in them is checked here. One thread opens a file; then it does not change.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "genesys/detail/service/loadable.h"
#include "genesys/service.h"
#include "service/file_bytes.h"
#include "service/shared_memory.h"

namespace genesys::detail::services {

// Throws error(bad_option): it cannot be read.
file_bytes read_file(const std::string& path);

// PTX of a file that has the function `symbol`, for a GPU of this architecture. Throws error(bad_option).
class loaded_ptx {
 public:
  loaded_ptx(const file_bytes& from, const std::string& symbol, unsigned architecture);
  const std::string& text() const { return text_; }
  const loadable_description& about() const { return about_; }

 private:
  std::string text_;
  loadable_description about_{};
};

// A private copy of a shared object, opened: another version of the file may take its place, and can be opened beside
// it. Throws error(bad_option).
class loaded_library {
 public:
  loaded_library(const file_bytes& from, const std::string& symbol);
  ~loaded_library();
  loaded_library(const loaded_library&) = delete;
  loaded_library& operator=(const loaded_library&) = delete;
  // What dlopen() takes, also in a child process, as long as this object exists.
  const std::string& path() const { return path_; }
  const loadable_description& about() const { return about_; }
  const twin_entry& twin() const { return twin_; }

 private:
  struct descriptors : std::vector<int> {
    ~descriptors();
  };
  void take_free_name(const std::string& path);

  shared_memory copy_;
  descriptors fds_;  // of the copy; the last one is in path_
  std::string path_;
  void* opened_ = nullptr;
  loadable_description about_{};
  twin_entry twin_{};
};

}  // namespace genesys::detail::services
