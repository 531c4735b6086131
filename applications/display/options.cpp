// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>

#include "picture.h"
#include "support/command_line.h"

namespace display {
namespace {

bool read_size(const std::string& text, settings& chosen) {
  int length = 0;
  if (std::sscanf(text.c_str(), "%5ux%5u%n", &chosen.width, &chosen.height, &length) != 2) return false;
  return static_cast<std::size_t>(length) == text.size() && chosen.width >= 1 && chosen.width <= side_max &&
         chosen.height >= 1 && chosen.height <= side_max;
}

}  // namespace

std::optional<settings> parse(int argc, char** argv, int& exit_code) {
  settings chosen;
  std::string size;
  CLI::App app{
      "Draws a picture in the middle of a framebuffer, on black. A kernel sets the framebuffer's mode, maps it, and "
      "stores the pixels.",
      "display"};
  app.add_option("picture", chosen.picture, "PPM (P6, values to 255) or BMP (24 or 32 bits, not compressed)")
      ->required();
  app.add_option("-f,--framebuffer", chosen.framebuffer, "The framebuffer")->capture_default_str();
  app.add_option("-m,--mode", size, "WIDTHxHEIGHT, the mode that the kernel sets; otherwise the size stays as it is");
  app.add_option("-b,--bits", chosen.bits, "Bits of a pixel: 16, 24 or 32")
      ->check(CLI::IsMember({16, 24, 32}))
      ->capture_default_str();
  app.add_flag("-s,--scale", chosen.scales, "Makes the picture as large as the screen, in its proportions");
  app.add_flag("-w,--write", chosen.writes, "Writes the lines by pwrite, and does not map the framebuffer");
  app.add_flag("-v,--verbose", chosen.verbose, "Prints the mode");
  application::add_device(app, chosen.device);
  return application::parsed(app, argc, argv, chosen, exit_code, [&](settings& given) {
    if (!size.empty() && !read_size(size, given))
      throw CLI::ValidationError("--mode", "'" + size + "' is no size such as 1024x768");
  });
}

}  // namespace display
