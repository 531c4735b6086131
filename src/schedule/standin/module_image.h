// SPDX-License-Identifier: Apache-2.0
// What a program gave to the driver to load: PTX, a fatbin, machine code. It is looked at briefly when it is loaded;
// its PTX is unpacked, judged and rewritten only when an observer asks. Any thread may call it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "schedule/classify/verdict.h"
#include "schedule/rewrite/module_text.h"
#include "schedule/standin/driver_api.h"
#include "schedule/standin/shared_text.h"

namespace genesys::schedule::standin {

class module_image {
 public:
  // `image`: as cuModuleLoadData and cuLibraryLoadData take it. What is needed of it is copied.
  static std::shared_ptr<module_image> of_memory(const void* image);
  static std::shared_ptr<module_image> of_file(const char* path);
  // `packed`: PTX as text, or fatbins. `problem`: why there is none of both; else empty.
  module_image(std::string packed, std::string problem);
  // Unloads the variants.
  ~module_image();
  module_image(const module_image&) = delete;
  module_image& operator=(const module_image&) = delete;

  // Null: there is no verdict, and problem() says why.
  const kernel_verdict* verdict_of(const std::string& kernel);
  // Why no kernel of the module has a verdict. Empty: they have.
  std::string problem();

  // Whether shared_variable (environment.h) asks for text_for_variables(). It is not the default, because the driver
  // then compiles kernels that also exist as machine code.
  static bool has_text_for_variables();
  // For the load of a library: a text that the driver gets in place of the image, so that kernels with variables can
  // have polls (shared_text.h). Null: the image is loaded as it is. The text lives as long as the image.
  const char* text_for_variables();
  // The library that the text became; null: the driver has refused it.
  void loaded_for_variables(CUlibrary library);
  // How many kernels the text has more than the image.
  std::size_t kernels_added();

  struct instrumented {
    CUlibrary library = nullptr;  // null: the kernel cannot be had with polls, and `problem` says why
    std::string name;             // of the kernel there
    variant made = variant::none;
    std::uint32_t context_offset = 0;
    std::string problem;
  };
  // The kernel with polls, of a library that is loaded beside the program's module. The first call for a variant
  // rewrites and compiles the whole module.
  instrumented instrument(variant wanted, const std::string& kernel);

 private:
  struct variant_of_module {
    CUlibrary library = nullptr;
    module_text::polled text;
    std::string problem;
  };
  void read();
  variant_of_module make(variant wanted);

  std::mutex changing_;  // of all that follows
  bool is_read_ = false;
  std::string packed_;  // given back by read()
  std::string problem_;
  module_text text_{""};  // empty: there is none, and problem_ says why
  std::map<variant, variant_of_module> variants_;
  shared_text shared_;
  CUlibrary shared_library_ = nullptr;  // the program's
};

}  // namespace genesys::schedule::standin
