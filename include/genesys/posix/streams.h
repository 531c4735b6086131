// SPDX-License-Identifier: Apache-2.0
// Streams, as in <stdio.h>, without the printf family.
//
// A stream is opened for a thread, a warp or a block: fopen(path, mode) opens one for each thread that calls,
// fopen(os.on(genesys::block()), path, mode) one for the block, whose threads all call and get the same stream. After
// that each thread uses it by itself, and what one call reads or writes stays together. Standard output is a stream of
// each thread. Its buffer is written when it has whole lines; what many threads print is mixed by lines.
//
// A full buffer is written up to the last whole line in it, and a buffer without a whole line grows up to 64 KiB. So a
// line of up to 64 KiB is written by one call of write(2), in each mode of setvbuf(), but for a buffer that the program
// gave, which does not grow. A stream is closed by fclose(), or when the library of the thread, or of the block's last
// thread, ends. errno: that of read(2), write(2), lseek(2).
#pragma once

#include "genesys/posix/malloc.h"

namespace genesys::posix {

using FILE = detail::libc::stream;

// This thread's standard streams; null without memory. They need a library. <stdio.h> of the host has macros stdin,
// stdout, stderr, which mean its own streams.
GENESYS_KERNEL FILE* standard_input() { return detail::libc::standard_stream(0); }
GENESYS_KERNEL FILE* standard_output() { return detail::libc::standard_stream(1); }
GENESYS_KERNEL FILE* standard_error() { return detail::libc::standard_stream(2); }

// All threads of the scope call it with equal arguments, and get the same stream; or null, with errno. fopen(3).
template <class Scope, detail::ops::asked_order asked, detail::wait_mode w, class After>
GENESYS_KERNEL FILE* fopen(const detail::ops::scoped_calls<Scope, asked, w, After>& calls, const char* path,
                           const char* mode) {
  return detail::libc::open_for(calls, path, mode);
}
GENESYS_KERNEL FILE* fopen(const char* path, const char* mode) {
  return detail::libc::open_for(detail::libc::ambient(), path, mode);
}

// A stream of this thread for an open descriptor. fdopen(3).
GENESYS_KERNEL FILE* fdopen(const os& calls, int fd, const char* mode) {
  const int flags = detail::libc::flags_of(mode);
  if (flags < 0) return detail::libc::set_errno(EINVAL), nullptr;
  const int has = detail::libc::result_of(calls.fcntl<F_GETFL>(fd));
  if (has < 0) return nullptr;
  const bool reads = (flags & O_ACCMODE) != O_WRONLY, writes = (flags & O_ACCMODE) != O_RDONLY;
  if ((reads && (has & O_ACCMODE) == O_WRONLY) || (writes && (has & O_ACCMODE) == O_RDONLY))
    return detail::libc::set_errno(EINVAL), nullptr;
  if ((flags & O_APPEND) != 0 && (has & O_APPEND) == 0) {
    if (detail::libc::result_of(calls.fcntl<F_SETFL>(fd, has | O_APPEND)) < 0) return nullptr;
    detail::libc::go_to_end(calls, fd, flags);
  }
  return detail::libc::make_stream(detail::libc::origin_of(calls.context()), fd, flags, {false, 4096, thread_rank()});
}
GENESYS_KERNEL FILE* fdopen(int fd, const char* mode) { return fdopen(detail::libc::ambient(), fd, mode); }

// One thread closes a stream, after the last use by any thread. The descriptor of a thread's standard stream stays
// open, because the other threads use it. fclose(3).
GENESYS_KERNEL int fclose(FILE* of) { return detail::libc::close_stream(*of); }

// The stream gets another file: null with errno if that fails, and the stream is closed. For one thread's standard
// stream the descriptors 0 to 2 stay open, because the other threads use them. One thread. freopen(3), but for a null
// path.
GENESYS_KERNEL FILE* freopen(const char* path, const char* mode, FILE* of) {
  return detail::libc::reopen(*of, path, mode);
}

// Of a stream that is read: its descriptor gets the stream's position, if it has one. Null: all streams that this
// thread has opened, not those that threads share. fflush(3).
GENESYS_KERNEL int fflush(FILE* of) {
  if (of != nullptr) return detail::libc::flush_one(*of);
  int result = 0;
  for (int fd = 0; fd < 3; ++fd) {
    FILE* const one = detail::libc::standard_stream(fd);
    if (one == nullptr || (one->descriptor >= 0 && detail::libc::flush_one(*one) != 0)) result = EOF;
  }
  while ((of = detail::libc::own_stream_after(of)) != nullptr) {
    if (detail::libc::flush_one(*of) != 0) result = EOF;
  }
  return result;
}

// Before the first use of a stream. `buffer` may be null: the stream takes one of `bytes`. setvbuf(3).
GENESYS_KERNEL int setvbuf(FILE* of, char* buffer, int mode, std::size_t bytes) {
  using detail::libc::buffering;
  if (of->buffer != nullptr || (mode != _IOFBF && mode != _IOLBF && mode != _IONBF)) return -1;
  of->mode = mode == _IOFBF ? buffering::full : mode == _IOLBF ? buffering::line : buffering::none;
  if (mode == _IONBF || bytes == 0) return 0;
  of->size = static_cast<unsigned>(bytes < (1u << 30) ? bytes : 1u << 30);
  of->buffer = reinterpret_cast<unsigned char*>(buffer);
  return 0;
}
GENESYS_KERNEL void setbuf(FILE* of, char* buffer) {
  (void)setvbuf(of, buffer, buffer != nullptr ? _IOFBF : _IONBF, BUFSIZ);
}
GENESYS_KERNEL void setlinebuf(FILE* of) { (void)setvbuf(of, nullptr, _IOLBF, 0); }

// fread(3), fwrite(3): the number of whole items.
GENESYS_KERNEL std::size_t fread(void* into, std::size_t bytes, std::size_t items, FILE* from) {
  if (bytes == 0 || items == 0) return 0;
  std::size_t n = 0;
  detail::libc::with_stream(*from,
                            [&] { n = detail::libc::take(*from, static_cast<unsigned char*>(into), bytes * items); });
  return n / bytes;
}
GENESYS_KERNEL std::size_t fwrite(const void* data, std::size_t bytes, std::size_t items, FILE* to) {
  if (bytes == 0 || items == 0) return 0;
  std::size_t n = 0;
  detail::libc::with_stream(*to, [&] {
    n = detail::libc::put(*to, static_cast<const unsigned char*>(data), bytes * items);
    if (!detail::libc::end_writing(*to)) n = 0;
  });
  return n / bytes;
}

GENESYS_KERNEL int fputs(const char* text, FILE* to) {
  const std::size_t n = detail::libc::string_length(text);
  return fwrite(text, 1, n, to) == n ? 1 : EOF;
}
// The text and a newline, in one call of write(2). puts(3).
GENESYS_KERNEL int puts(const char* text) {
  FILE* const to = standard_output();
  if (to == nullptr) return EOF;
  const std::size_t n = detail::libc::string_length(text);
  bool done = false;
  detail::libc::with_stream(*to, [&] {
    done = detail::libc::put(*to, reinterpret_cast<const unsigned char*>(text), n) == n &&
           detail::libc::put(*to, reinterpret_cast<const unsigned char*>("\n"), 1) == 1 &&
           detail::libc::end_writing(*to);
  });
  return done ? 1 : EOF;
}
GENESYS_KERNEL int fputc(int c, FILE* to) {
  const auto byte = static_cast<unsigned char>(c);
  return fwrite(&byte, 1, 1, to) == 1 ? byte : EOF;
}
GENESYS_KERNEL int(putc)(int c, FILE* to) { return fputc(c, to); }
GENESYS_KERNEL int(putchar)(int c) {
  FILE* const to = standard_output();
  return to == nullptr ? EOF : fputc(c, to);
}
// They lock as the others do.
GENESYS_KERNEL int(putc_unlocked)(int c, FILE* to) { return fputc(c, to); }
GENESYS_KERNEL int(putchar_unlocked)(int c) { return (putchar)(c); }

GENESYS_KERNEL int fgetc(FILE* from) {
  int c = EOF;
  detail::libc::with_stream(*from, [&] { c = detail::libc::get(*from); });
  return c;
}
GENESYS_KERNEL int(getc)(FILE* from) { return fgetc(from); }
GENESYS_KERNEL int(getchar)() {
  FILE* const from = standard_input();
  return from == nullptr ? EOF : fgetc(from);
}
GENESYS_KERNEL int(getc_unlocked)(FILE* from) { return fgetc(from); }
GENESYS_KERNEL int(getchar_unlocked)() { return (getchar)(); }
// One byte can be pushed back. ungetc(3).
GENESYS_KERNEL int ungetc(int c, FILE* from) {
  if (c == EOF) return EOF;
  int result = EOF;
  detail::libc::with_stream(*from, [&] {
    if (!detail::libc::begin_reading(*from) || from->pushed_back >= 0) return;
    result = from->pushed_back = static_cast<unsigned char>(c);
    from->at_end = false;
  });
  return result;
}

// Reads a line of fewer than `bytes` bytes, with its newline. Null: nothing was left, or an error. fgets(3).
GENESYS_KERNEL_OUTLINE inline char* fgets(char* into, int bytes, FILE* from) {
  if (bytes <= 0) return nullptr;
  std::size_t n = 0;
  detail::libc::with_stream(*from, [&] {
    bool is_whole = false;
    const bool had_failed = from->failed;
    from->failed = false;
    n = detail::libc::take_until(*from, '\n', reinterpret_cast<unsigned char*>(into),
                                 static_cast<std::size_t>(bytes) - 1, is_whole);
    if (from->failed && detail::libc::error_number() != EAGAIN) n = 0;
    from->failed = from->failed || had_failed;
  });
  if (n == 0 && bytes != 1) return nullptr;
  into[n] = 0;
  return into;
}

// Reads up to and with the byte `end`. *line is null or memory of malloc(), of *bytes bytes, and grows. Returns the
// length, or -1 at the end of the file. getline(3).
GENESYS_KERNEL_OUTLINE inline ssize_t getdelim(char** line, std::size_t* bytes, int end, FILE* from) {
  if (line == nullptr || bytes == nullptr) return detail::libc::set_errno(EINVAL), -1;
  const os calls(from->from.whole());
  std::size_t n = 0;
  bool has_memory = true;
  detail::libc::with_stream(*from, [&] {
    for (bool is_whole = false; !is_whole;) {
      if (*line == nullptr || n + 2 > *bytes) {
        const std::size_t larger = *line == nullptr || *bytes < 64 ? 112 : 2 * *bytes + 16;
        auto* const moved = static_cast<char*>(posix::realloc(calls, *line, larger));
        has_memory = moved != nullptr;
        if (!has_memory) return;
        *line = moved;
        *bytes = larger;
      }
      const std::size_t space = *bytes - n - 1;
      const std::size_t taken = detail::libc::take_until(*from, static_cast<unsigned char>(end),
                                                         reinterpret_cast<unsigned char*>(*line) + n, space, is_whole);
      n += taken;
      if (taken < space) return;
    }
  });
  if (!has_memory || n == 0) return -1;
  (*line)[n] = 0;
  return static_cast<ssize_t>(n);
}
GENESYS_KERNEL ssize_t getline(char** line, std::size_t* bytes, FILE* from) {
  return getdelim(line, bytes, '\n', from);
}

// fseek(3), ftell(3).
GENESYS_KERNEL int fseeko(FILE* of, off_t offset, int from) {
  bool done = false;
  detail::libc::with_stream(*of, [&] { done = detail::libc::seek(*of, offset, from); });
  return done ? 0 : -1;
}
GENESYS_KERNEL int fseek(FILE* of, long offset, int from) { return fseeko(of, offset, from); }
GENESYS_KERNEL off_t ftello(FILE* of) {
  off_t at = -1;
  detail::libc::with_stream(*of, [&] { at = detail::libc::tell(*of); });
  return at;
}
GENESYS_KERNEL long ftell(FILE* of) { return ftello(of); }
GENESYS_KERNEL void rewind(FILE* of) {
  (void)fseeko(of, 0, SEEK_SET);
  of->at_end = of->failed = false;
}

// A place in a file, for fsetpos(3). The functions return 0, or -1 with errno.
using fpos_t = off_t;
GENESYS_KERNEL int fgetpos(FILE* of, fpos_t* at) {
  const off_t now = ftello(of);
  if (now >= 0) *at = now;
  return now >= 0 ? 0 : -1;
}
GENESYS_KERNEL int fsetpos(FILE* of, const fpos_t* at) { return fseeko(of, *at, SEEK_SET); }

GENESYS_KERNEL int(feof)(FILE* of) { return of->at_end; }
GENESYS_KERNEL int(ferror)(FILE* of) { return of->failed; }
GENESYS_KERNEL void(clearerr)(FILE* of) { of->at_end = of->failed = false; }
GENESYS_KERNEL int fileno(FILE* of) { return of->descriptor; }

}  // namespace genesys::posix
