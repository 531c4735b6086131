// SPDX-License-Identifier: Apache-2.0
#include "kernel_names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "printable.h"

namespace genesys::command {

std::string demangled(const std::string& name) {
  constexpr std::size_t longest = 4096;  // the demangler recurses
  if (name.size() > longest) return printable(name);
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return printable(status == 0 && text ? text.get() : name.c_str());
}

bool is_named(const std::string& name, const std::string& text) {
  return name.find(text) != name.npos || demangled(name).find(text) != std::string::npos;
}

}  // namespace genesys::command
