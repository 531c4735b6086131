// SPDX-License-Identifier: Apache-2.0
#include "service/kernel_image.h"

#include <sstream>

#include "genesys/error.h"

namespace genesys::detail::services {

// A line for each function, an empty line, the cubin. Symbols and paths of descriptors have no spaces.
std::string to_bytes(const kernel_image& image) {
  std::string bytes;
  for (const auto& each : image.functions)
    bytes += std::to_string(each.row) + ' ' + each.symbol + ' ' + each.library + '\n';
  return bytes + '\n' + image.cubin;
}

kernel_image image_of(std::string_view bytes) {
  kernel_image made;
  for (;;) {
    const std::size_t end = bytes.find('\n');
    if (end == bytes.npos) throw error(error_code::bad_option, "the bytes are no image of a kernel");
    const std::string line(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
    if (line.empty()) break;
    std::istringstream words(line);
    kernel_image::function one{};
    words >> one.row >> one.symbol >> one.library;
    if (one.row >= rows_max || one.symbol.empty())
      throw error(error_code::bad_option, "the bytes are no image of a kernel");
    made.functions.push_back(std::move(one));
  }
  made.cubin = bytes;
  return made;
}

}  // namespace genesys::detail::services
