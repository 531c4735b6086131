// SPDX-License-Identifier: Apache-2.0
// display's kernel. The block that arrives first maps the picture, sets the framebuffer's mode, and maps it; then all
// blocks draw. Where the device cannot map the framebuffer, they write to it instead.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "genesys/genesys.h"
#include "picture.h"
#include "screen.h"

namespace display {

enum class step : u32 {
  picture,   // to open and map the picture
  contents,  // what the file holds
  open,      // to open the framebuffer, and get its mode
  set_mode,
  other_mode,  // the driver has set another mode
  colours,
  memory,
  write,
};

// Of the kernel, in memory of both sides. The first block writes it before it stores `ready`, the host reads it after
// the kernel has ended.
struct state {
  int error;  // of errno's numbers; 0: none
  step failed;
  int framebuffer;  // its descriptor
  int map_error;    // 0: the framebuffer is mapped, or was not to be mapped
  u8* memory;       // mapped framebuffer, or null
  picture image;
  screen on;
};

// In device memory, zeroed.
struct start_words {
  u32 arrived, ready;
};

struct task {
  const char *picture, *framebuffer;
  u32 width, height, bits;  // of the mode; a width of 0 leaves the size as it is
  bool scales, writes;
  start_words* start;
  state* all;
};

// All threads of the block; returns whether there is something to draw.
struct preparation {
  const genesys::os& os;
  const task& t;
  state& s;

  GENESYS_KERNEL bool fails(step where, long result) const {
    if (genesys::thread_rank() == 0) s.error = static_cast<int>(-result), s.failed = where;
    return false;
  }

  GENESYS_KERNEL bool map_picture() const {
    const auto io = os.on(genesys::block());
    const long file = io.openat(AT_FDCWD, t.picture, O_RDONLY);
    if (file < 0) return fails(step::picture, file);
    struct stat& about = genesys::shared<struct stat>();
    const long failed = io.fstat(static_cast<int>(file), &about);
    if (failed < 0) return fails(step::picture, failed);
    if (S_ISDIR(about.st_mode)) return fails(step::picture, -EISDIR);
    const long size = io.lseek(static_cast<int>(file), 0, SEEK_END);
    if (size < 0) return fails(step::picture, size);
    if (size == 0) return fails(step::contents, -EINVAL);
    const auto bytes = static_cast<u64>(size);
    const long at = io.mmap(nullptr, bytes, PROT_READ, MAP_SHARED, static_cast<int>(file), 0);
    if (at < 0) return fails(step::picture, at);
    io.close(static_cast<int>(file));
    const auto* const content = reinterpret_cast<const u8*>(at);
    picture found{};
    if (!read_ppm(content, bytes, found) && !read_bmp(content, bytes, found)) return fails(step::contents, -EINVAL);
    if (genesys::thread_rank() == 0) s.image = found;
    return true;
  }

  GENESYS_KERNEL bool set_mode() const {
    const auto io = os.on(genesys::block());
    const long fd = io.openat(AT_FDCWD, t.framebuffer, O_RDWR);
    if (fd < 0) return fails(step::open, fd);
    const int framebuffer = static_cast<int>(fd);
    long result = io.ioctl<FBIOGET_VSCREENINFO>(framebuffer, &s.on.mode);
    if (result < 0) return fails(step::open, result);
    if (genesys::thread_rank() == 0) {  // the barrier of the next call orders these stores
      s.framebuffer = framebuffer;
      fb_var_screeninfo& mode = s.on.mode;
      if (t.width != 0) mode.xres = mode.xres_virtual = t.width, mode.yres = mode.yres_virtual = t.height;
      mode.xoffset = mode.yoffset = 0;
      mode.bits_per_pixel = t.bits;
      mode.activate = FB_ACTIVATE_NOW | FB_ACTIVATE_FORCE;  // also if it is the mode already: DRM may show nothing yet
    }
    result = io.ioctl<FBIOPUT_VSCREENINFO>(framebuffer, &s.on.mode);
    if (result < 0) return fails(step::set_mode, result);
    // Of a line the driver knows the length only in the new mode.
    result = io.ioctl<FBIOGET_FSCREENINFO>(framebuffer, &s.on.about);
    if (result < 0) return fails(step::open, result);
    const bool has_size = t.width == 0 || (s.on.mode.xres == t.width && s.on.mode.yres == t.height);
    if (!has_size || s.on.mode.bits_per_pixel != t.bits) return fails(step::other_mode, -EINVAL);
    if (!has_colours(s.on)) return fails(step::colours, -EINVAL);
    if (!has_memory(s.on)) return fails(step::memory, -EINVAL);
    return true;
  }

  // The memory may begin within a page, and mmap's address is that of the page.
  GENESYS_KERNEL void map_framebuffer() const {
    constexpr u64 page = 4096;
    const u64 before = s.on.about.smem_start % page;
    const long at =
        os.on(genesys::block())
            .mmap(nullptr, before + s.on.about.smem_len, PROT_READ | PROT_WRITE, MAP_SHARED, s.framebuffer, 0);
    if (genesys::thread_rank() != 0) return;
    s.map_error = at < 0 ? static_cast<int>(-at) : 0;
    s.memory = at < 0 ? nullptr : reinterpret_cast<u8*>(at) + before;
  }
};

// Where the picture lies on the screen: in its own size, or in the largest that has its proportions and fits.
struct place {
  i64 left, top;
  u32 width, height;
};

GENESYS_KERNEL place place_of(const picture& p, const screen& on, bool scales) {
  const u32 across = on.mode.xres, down = on.mode.yres;
  u32 width = p.width, height = p.height;
  if (scales) {
    const bool is_wide = u64{across} * p.height <= u64{down} * p.width;
    width = is_wide ? across : static_cast<u32>(u64{down} * p.width / p.height);
    height = is_wide ? static_cast<u32>(u64{across} * p.height / p.width) : down;
    if (width == 0) width = 1;
    if (height == 0) height = 1;
  }
  return {(i64{across} - i64{width}) / 2, (i64{down} - i64{height}) / 2, width, height};
}

struct draw {
  // Of what is written at a time.
  struct piece {
    static constexpr u32 bytes_max = 32768;
    alignas(16) u8 bytes[bytes_max];
  };

  GENESYS_KERNEL void operator()(genesys::os os, task t) const {
    state& s = *t.all;
    if (!begins(os, t, s)) return;
    const drawing d{s.image, s.on, place_of(s.image, s.on, t.scales)};
    if (s.memory != nullptr)
      store_all(d, s.memory);
    else
      write_all(os, d, s);
  }

 private:
  // What is where on the screen. Pixels have numbers, line by line.
  struct drawing {
    picture image;
    screen on;
    place where;

    GENESYS_KERNEL u32 pixels() const { return on.mode.xres * on.mode.yres; }
    GENESYS_KERNEL u32 pixel_bytes() const { return on.mode.bits_per_pixel / 8; }
    GENESYS_KERNEL u64 position(u32 number) const {
      return position_of(on, number % on.mode.xres, number / on.mode.xres);
    }
    GENESYS_KERNEL void store(u8* to, u32 number) const {
      const i64 across = i64{number % on.mode.xres} - where.left, down = i64{number / on.mode.xres} - where.top;
      colour c{0, 0, 0};
      if (across >= 0 && across < i64{where.width} && down >= 0 && down < i64{where.height})
        c = colour_at(image, static_cast<u32>(static_cast<u64>(across) * image.width / where.width),
                      static_cast<u32>(static_cast<u64>(down) * image.height / where.height));
      store_pixel(to, pixel_of(on, c), pixel_bytes());
    }
  };

  // All threads of all blocks. The first block to arrive prepares; since it runs, the others wait for no block that
  // does not. The store of `ready` pairs with the loads of the other blocks.
  GENESYS_KERNEL static bool begins(const genesys::os& os, const task& t, state& s) {
    using genesys::atomic, genesys::thread_scope;
    const atomic<u32, thread_scope::device> arrived(t.start->arrived), ready(t.start->ready);
    const bool is_leader = genesys::thread_rank() == 0;
    const bool is_first =
        genesys::sync_block_count(is_leader && arrived.fetch_add(1, std::memory_order_relaxed) == 0) > 0;
    if (is_first) {
      const preparation p{os, t, s};
      if (p.map_picture() && p.set_mode() && !t.writes) p.map_framebuffer();
      genesys::sync_block();
      if (is_leader) ready.store(1, std::memory_order_release);
    } else if (is_leader) {
      while (ready.load(std::memory_order_acquire) == 0) genesys::pause(1000);
    }
    genesys::sync_block();
    return atomic<int, thread_scope::system>(s.error).load(std::memory_order_relaxed) == 0;
  }

  GENESYS_KERNEL static void store_all(const drawing& d, u8* memory) {
    const u32 threads = genesys::threads_in_block(), all = threads * genesys::grid_size().x;
    for (u32 i = genesys::block_rank() * threads + genesys::thread_rank(); i < d.pixels(); i += all)
      d.store(memory + d.position(i), i);
  }

  // Each block writes pieces of the screen. Lines that follow each other without a gap are one run, so that a piece
  // reaches beyond the end of a line: DRM's emulated framebuffers (Linux 6.1) do not show a write that lies within a
  // line and ends where the line ends. The last piece of a run begins earlier, and repeats pixels of the one before.
  GENESYS_KERNEL static void write_all(const genesys::os& os, const drawing& d, state& s) {
    u8* const buffer = genesys::shared<piece>().bytes;
    const bool has_gaps = d.on.about.line_length != d.on.mode.xres * d.pixel_bytes();
    const u32 run = has_gaps ? d.on.mode.xres : d.pixels(), most = piece::bytes_max / d.pixel_bytes();
    const u32 length = run < most ? run : most, pieces = (run + length - 1) / length;
    for (u32 i = genesys::block_rank(); i < d.pixels() / run * pieces; i += genesys::grid_size().x) {
      const u32 wanted = i % pieces * length,
                begin = i / pieces * run + (wanted < run - length ? wanted : run - length);
      for (u32 j = genesys::thread_rank(); j < length; j += genesys::threads_in_block())
        d.store(buffer + j * d.pixel_bytes(), begin + j);
      const u64 bytes = u64{length} * d.pixel_bytes();
      const long written =
          os.on(genesys::block()).pwrite64(s.framebuffer, buffer, bytes, static_cast<off_t>(d.position(begin)));
      if (written != static_cast<long>(bytes)) return fails(s, written < 0 ? static_cast<int>(-written) : EIO);
    }
  }

  GENESYS_KERNEL static void fails(state& s, int error) {
    using genesys::atomic, genesys::thread_scope;
    if (genesys::thread_rank() != 0) return;
    atomic<step, thread_scope::system>(s.failed).store(step::write, std::memory_order_relaxed);
    atomic<int, thread_scope::system>(s.error).store(error, std::memory_order_relaxed);
  }
};

}  // namespace display
