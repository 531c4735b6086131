// SPDX-License-Identifier: Apache-2.0
// Launches the kernel (kernel.h) and prints what it says.
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include "kernel.h"
#include "options.h"
#include "support/device_array.h"
#include "support/program.h"

namespace {

using namespace display;

std::string mode_text(u32 width, u32 height, u32 bits) {
  return std::to_string(width) + "x" + std::to_string(height) + ", " + std::to_string(bits) + " bits a pixel";
}

std::string failure(const settings& chosen, const state& s) {
  const std::string error = std::strerror(s.error),
                    made = mode_text(s.on.mode.xres, s.on.mode.yres, s.on.mode.bits_per_pixel);
  switch (s.failed) {
    case step::picture:
      return chosen.picture + ": " + error;
    case step::contents:
      return chosen.picture + ": no whole picture in PPM (P6, values to 255) or BMP (24 or 32 bits, not compressed)";
    case step::set_mode:
      return chosen.framebuffer + ": cannot set " + made + ": " + error;
    case step::other_mode:
      return chosen.framebuffer + ": the driver has set another mode: " + made;
    case step::colours:
      return chosen.framebuffer + ": its pixels have no fields for red, green and blue";
    case step::memory:
      return chosen.framebuffer + ": its memory is too small for " + made;
    case step::open:
    case step::write:
      break;
  }
  return chosen.framebuffer + ": " + error;
}

int run(const settings& chosen) {
  genesys::runtime rt({.device = chosen.device});
  const bool cuda = rt.kind() == genesys::device_kind::cuda;
  auto* const s = static_cast<state*>(rt.allocate_arena(sizeof(state)));
  *s = {};
  const application::device_array<start_words> start(rt, 1);
  const genesys::run kept = rt.attach();
  const task t{kept.copy(chosen.picture),
               kept.copy(chosen.framebuffer),
               chosen.width,
               chosen.height,
               chosen.bits,
               chosen.scales,
               chosen.writes,
               start.data(),
               s};
  genesys::launch(rt, {.blocks = {cuda ? 128u : 4u}, .threads = {cuda ? 256u : 32u}}, draw{}, t).drain();
  if (s->error != 0) throw std::runtime_error(failure(chosen, *s));
  if (s->map_error != 0)
    std::fprintf(stderr, "display: %s: cannot be mapped (%s): drawn by pwrite\n", chosen.framebuffer.c_str(),
                 std::strerror(s->map_error));
  if (chosen.verbose)
    std::printf("%s: %.*s, %s, drawn by %s\n", chosen.framebuffer.c_str(), static_cast<int>(sizeof s->on.about.id),
                s->on.about.id, mode_text(s->on.mode.xres, s->on.mode.yres, s->on.mode.bits_per_pixel).c_str(),
                s->memory != nullptr ? "mmap" : "pwrite");
  application::flush_output();
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return application::run_program("display", 1, argc, argv, parse, run); }
