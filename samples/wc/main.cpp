// SPDX-License-Identifier: Apache-2.0
// wc: counts lines, words and bytes. Each block takes the next file; its threads count in what it has read.
#include <genesys/stdio.h>

#include "kernel_main.h"

namespace posix = genesys::posix;

struct counts {
  unsigned long lines, words, bytes;
};

struct wc {
  static constexpr unsigned buffer_bytes = 32 << 10;

  GENESYS_KERNEL int operator()(genesys::os os, int argc, char* const* argv) const {
    posix::library c(os);
    counts total{};
    const int width = columns(argc, argv);
    int status = 0;
    for (int i = argc == 1 ? 0 : 1; i < argc; ++i) {
      const char* const name = argc == 1 ? "-" : argv[i];
      counts one{};
      if (!count(os, name, one)) {
        if (genesys::thread_rank() == 0) posix::fprintf(posix::standard_error(), "wc: %s: %m\n", name);
        status = 1;
        if (posix::error_number() != EISDIR) continue;
      }
      print(one, argc == 1 ? "" : name, width);
      total = {total.lines + one.lines, total.words + one.words, total.bytes + one.bytes};
    }
    if (argc > 2) print(total, "total", width);
    return written("wc", status);
  }

  // How wide GNU's wc prints the numbers: as the sum of the sizes, or 7 if something is no regular file.
  GENESYS_KERNEL static int columns(int argc, char* const* argv) {
    unsigned long all = 0;
    int least = argc == 1 ? 7 : 1, width = 1;
    for (int i = 1; i < argc; ++i) {
      struct stat about;
      const bool is_input = posix::strcmp(argv[i], "-") == 0;
      if ((is_input ? posix::fstat(0, &about) : posix::stat(argv[i], &about)) != 0) continue;
      if (!S_ISREG(about.st_mode))
        least = 7;
      else
        all += static_cast<unsigned long>(about.st_size);
    }
    for (; all > 9; all /= 10) ++width;
    return width > least ? width : least;
  }

  GENESYS_KERNEL static void print(const counts& of, const char* name, int width) {
    if (genesys::thread_rank() != 0) return;
    posix::printf("%*lu %*lu %*lu%s%s\n", width, of.lines, width, of.words, width, of.bytes, *name == 0 ? "" : " ",
                  name);
  }

  // The last byte before text[i] that begins or ends words in the C locale; -1: there is none.
  GENESYS_KERNEL static long last_before(const unsigned char* text, long i) {
    for (--i; i >= 0 && posix::isspace(text[i]) == 0 && posix::isgraph(text[i]) == 0;) --i;
    return i;
  }

  GENESYS_KERNEL static bool count(const genesys::os& os, const char* name, counts& all) {
    const auto io = os.on(genesys::block());
    const bool is_input = posix::strcmp(name, "-") == 0;
    const int fd = is_input ? 0 : posix::open(io, name, O_RDONLY);
    if (fd < 0) return false;
    auto* const text = static_cast<unsigned char*>(genesys::dynamic_shared());
    auto& sums = genesys::shared<unsigned[2]>();
    bool was_space = true;  // before the first byte of the buffer
    long n;
    while ((n = posix::read(io, fd, text, buffer_bytes)) > 0) {
      if (genesys::thread_rank() == 0) sums[0] = sums[1] = 0;
      genesys::sync_block();
      unsigned lines = 0, words = 0;
      for (long i = genesys::thread_rank(); i < n; i += genesys::threads_in_block()) {
        lines += text[i] == '\n';
        if (posix::isgraph(text[i]) == 0) continue;  // only such bytes begin a word
        const long before = last_before(text, i);
        words += before < 0 ? was_space : posix::isspace(text[before]) != 0;
      }
      genesys::atomic<unsigned, genesys::thread_scope::block>(sums[0]).fetch_add(lines);
      genesys::atomic<unsigned, genesys::thread_scope::block>(sums[1]).fetch_add(words);
      if (const long last = last_before(text, n); last >= 0) was_space = posix::isspace(text[last]) != 0;
      genesys::sync_block();
      all = {all.lines + sums[0], all.words + sums[1], all.bytes + static_cast<unsigned long>(n)};
    }
    if (!is_input) (void)io.close(fd);  // not posix::close: errno is that of read
    return n == 0;
  }
};

int main(int argc, char** argv) {
  return names_main(wc{}, argc, argv,
                    "usage: wc [FILE...]\nPrints the lines, words and bytes of each file, or of standard input (-).",
                    {.threads = {512}, .shared_bytes = wc::buffer_bytes});
}
