// SPDX-License-Identifier: Apache-2.0
// The pixels of a framebuffer, as Linux describes its mode (Documentation/fb/api.rst). Any thread, alone.
#pragma once

#include <linux/fb.h>

#include "picture.h"

namespace display {

struct screen {
  fb_var_screeninfo mode;   // size, and where the colours are in a pixel
  fb_fix_screeninfo about;  // bytes of a line, bytes of memory
};

GENESYS_KERNEL bool is_within(const fb_bitfield& field, u32 bits) {
  return field.length >= 1 && field.length <= 16 && field.offset <= bits - field.length && field.msb_right == 0;
}

// Whether a pixel has whole bytes, with a field for each colour, at an address that is a multiple of its size.
GENESYS_KERNEL bool has_colours(const screen& s) {
  const u32 bits = s.mode.bits_per_pixel;
  if (bits != 16 && bits != 24 && bits != 32) return false;
  const bool is_direct = s.about.visual == FB_VISUAL_TRUECOLOR || s.about.visual == FB_VISUAL_DIRECTCOLOR;
  if (!is_direct || s.about.type != FB_TYPE_PACKED_PIXELS || s.mode.grayscale != 0) return false;
  if (bits != 24 && (s.about.line_length % (bits / 8) != 0 || s.about.smem_start % (bits / 8) != 0)) return false;
  return is_within(s.mode.red, bits) && is_within(s.mode.green, bits) && is_within(s.mode.blue, bits);
}

// Where a visible pixel is in the framebuffer, in bytes.
GENESYS_KERNEL u64 position_of(const screen& s, u32 x, u32 y) {
  return (u64{s.mode.yoffset} + y) * s.about.line_length + (u64{s.mode.xoffset} + x) * (s.mode.bits_per_pixel / 8);
}

// Whether the visible part lies in the framebuffer's memory.
GENESYS_KERNEL bool has_memory(const screen& s) {
  if (s.mode.xres == 0 || s.mode.xres > side_max || s.mode.yres == 0 || s.mode.yres > side_max) return false;
  return position_of(s, s.mode.xres, s.mode.yres - 1) <= s.about.smem_len;
}

// The highest bits of a value of 8 bits, in a field.
GENESYS_KERNEL u32 in_field(u32 value, const fb_bitfield& field) {
  const u32 longer = value << 8 | value;
  return longer >> (16 - field.length) << field.offset;
}

// Where the field of transparency exists, the pixel is opaque.
GENESYS_KERNEL u32 pixel_of(const screen& s, const colour& c) {
  const fb_bitfield& opaque = s.mode.transp;
  const bool has_opaque = is_within(opaque, s.mode.bits_per_pixel);
  return in_field(c.red, s.mode.red) | in_field(c.green, s.mode.green) | in_field(c.blue, s.mode.blue) |
         (has_opaque ? in_field(255, opaque) : 0);
}

GENESYS_KERNEL void store_pixel(u8* to, u32 pixel, u32 bytes) {
  if (bytes == 4) {
    *reinterpret_cast<u32*>(to) = pixel;
  } else if (bytes == 2) {
    *reinterpret_cast<std::uint16_t*>(to) = static_cast<std::uint16_t>(pixel);
  } else {
    for (u32 i = 0; i < 3; ++i) to[i] = static_cast<u8>(pixel >> (8 * i));
  }
}

}  // namespace display
