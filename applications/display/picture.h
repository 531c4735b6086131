// SPDX-License-Identifier: Apache-2.0
// A picture in a mapped file: PPM (P6, one byte a value) or BMP (24 or 32 bits a pixel, not compressed). The bytes come
// from outside, so no number in them is believed before it is checked. Any thread, alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genesys/kernel.h"

namespace display {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

constexpr u32 side_max = 1 << 15;  // of a picture and of a mode, in pixels

// Each value from 0 to 255.
struct colour {
  u32 red, green, blue;
};

struct picture {
  const u8* top;  // the upper line
  i64 to_next_line;
  u32 width, height, pixel_bytes;
  u32 red, blue;  // where they are in a pixel; green is at 1
  u32 highest;    // the value of full brightness
};

GENESYS_KERNEL u32 scaled_value(u32 value, u32 highest) {
  return highest == 255 ? value : value >= highest ? 255 : (value * 255 + highest / 2) / highest;
}

GENESYS_KERNEL colour colour_at(const picture& p, u32 x, u32 y) {
  const u8* const pixel = p.top + p.to_next_line * y + u64{x} * p.pixel_bytes;
  return {scaled_value(pixel[p.red], p.highest), scaled_value(pixel[1], p.highest),
          scaled_value(pixel[p.blue], p.highest)};
}

// Reads the numbers of a PPM header; netpbm's ppm(5).
struct ppm_header {
  const u8* bytes;
  u64 size, at;

  GENESYS_KERNEL bool is_space() const {
    return at < size && (bytes[at] == ' ' || (bytes[at] >= '\t' && bytes[at] <= '\r'));
  }
  // Space and comments, and a number from 1 to `most`; otherwise 0.
  GENESYS_KERNEL u32 number(u32 most) {
    while (is_space() || (at < size && bytes[at] == '#')) {
      if (bytes[at] == '#')
        while (at < size && bytes[at] != '\n') ++at;
      else
        ++at;
    }
    u32 value = 0;
    for (; at < size && bytes[at] >= '0' && bytes[at] <= '9'; ++at) {
      value = value * 10 + (bytes[at] - u32{'0'});
      if (value > most) return 0;
    }
    return value;
  }
};

GENESYS_KERNEL bool read_ppm(const u8* bytes, u64 size, picture& p) {
  if (size < 3 || bytes[0] != 'P' || bytes[1] != '6') return false;
  ppm_header header{bytes, size, 2};
  if (!header.is_space()) return false;
  const u32 width = header.number(side_max), height = header.number(side_max), highest = header.number(255);
  if (width == 0 || height == 0 || highest == 0 || !header.is_space()) return false;
  const u64 begin = header.at + 1;
  if (size - begin < u64{width} * height * 3) return false;
  p = {bytes + begin, i64{width} * 3, width, height, 3, 0, 2, highest};
  return true;
}

GENESYS_KERNEL u32 little_endian(const u8* at, u32 bytes) {
  u32 value = 0;
  for (u32 i = 0; i < bytes; ++i) value |= u32{at[i]} << (8 * i);
  return value;
}

GENESYS_KERNEL bool read_bmp(const u8* bytes, u64 size, picture& p) {
  constexpr u32 headers = 54;  // BITMAPFILEHEADER and BITMAPINFOHEADER
  if (size < headers || bytes[0] != 'B' || bytes[1] != 'M') return false;
  const u32 begin = little_endian(bytes + 10, 4), width = little_endian(bytes + 18, 4);
  const u32 compression = little_endian(bytes + 30, 4), bits = little_endian(bytes + 28, 2);
  const u32 lines = little_endian(bytes + 22, 4);
  const bool is_top_down = (lines >> 31) != 0;  // the number is negative
  const u32 height = is_top_down ? 0 - lines : lines;
  if (little_endian(bytes + 14, 4) < 40 || compression != 0 || (bits != 24 && bits != 32)) return false;
  if (width == 0 || width > side_max || height == 0 || height > side_max) return false;
  const u64 line = (u64{width} * bits + 31) / 32 * 4;
  if (begin < headers || begin > size || size - begin < line * height) return false;
  const u8* const first = bytes + begin;
  const i64 to_next = static_cast<i64>(line);
  p = {is_top_down ? first : first + line * (height - 1),
       is_top_down ? to_next : -to_next,
       width,
       height,
       bits / 8,
       2,
       0,
       255};
  return true;
}

}  // namespace display
