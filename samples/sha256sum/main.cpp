// SPDX-License-Identifier: Apache-2.0
// sha256sum: each thread hashes a file. A line is printed when it is the file's turn in the order of the
// arguments.
#include <genesys/stdio.h>

#include "kernel_main.h"
#include "sha256.h"

namespace posix = genesys::posix;
struct sha256sum {
  GENESYS_KERNEL int operator()(genesys::os os, int argc, char* const* argv) const {
    posix::library c(os);
    const int files = argc == 1 ? 1 : argc - 1, step = static_cast<int>(genesys::threads_in_block());
    for (int i = static_cast<int>(genesys::thread_rank()), status = 0;; i += step) {
      const char* const name = i >= files ? nullptr : argc == 1 ? "-" : argv[i + 1];
      word state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
      const bool hashed = name != nullptr && hash(is_again(argv + 1, i, name) ? "/dev/null" : name, state);
      for (int turn = i - static_cast<int>(genesys::thread_rank()), end = turn + step; turn < end; ++turn) {
        genesys::sync_block();
        if (turn != i || name == nullptr) continue;
        if (!hashed) status = posix::fprintf(posix::standard_error(), "sha256sum: %s: %m\n", name) != 0;
        if (hashed) print(state, name);
        status |= written("sha256sum", 0);
      }
      if (genesys::sync_block_count(i + step < files) == 0) return status;
    }
  }
  // Whether standard input was named before: the thread of the first one reads all of it.
  GENESYS_KERNEL static bool is_again(char* const* names, int before, const char* name) {
    for (int k = 0; k < before && posix::strcmp(name, "-") == 0; ++k)
      if (posix::strcmp(names[k], "-") == 0) return true;
    return false;
  }
  // A name with a backslash or a newline is escaped, as sha256sum -c reads it.
  GENESYS_KERNEL static void print(const word (&state)[8], const char* name) {
    const bool escapes = posix::strpbrk(name, "\\\n\r") != nullptr;
    posix::printf("%s", escapes ? "\\" : "");
    for (const word each : state) posix::printf("%08x", each);
    posix::printf("  ");
    for (const char* at = name; *at != 0; ++at) {
      const char as = *at == '\n' ? 'n' : *at == '\r' ? 'r' : *at;
      posix::printf(as != *at || as == '\\' ? "\\%c" : "%c", as);
    }
    posix::printf("\n");
  }
  GENESYS_KERNEL static bool hash(const char* name, word (&state)[8]) {
    posix::FILE* const in = posix::strcmp(name, "-") == 0 ? posix::standard_input() : posix::fopen(name, "r");
    if (in == nullptr) return false;
    unsigned char block[64];
    unsigned long bytes = 0, n;
    while ((n = posix::fread(block, 1, 64, in)) == 64) {
      hash_block(state, block);
      bytes += 64;
    }
    const bool is_whole = posix::ferror(in) == 0;
    bytes += n;
    block[n++] = 0x80;
    if (n > 56) {
      posix::memset(block + n, 0, 64 - n);
      hash_block(state, block);
      n = 0;
    }
    posix::memset(block + n, 0, 56 - n);
    for (int i = 0; i < 8; ++i) block[56 + i] = static_cast<unsigned char>(bytes * 8 >> 8 * (7 - i));
    hash_block(state, block);
    const int error = posix::error_number();
    if (in != posix::standard_input()) posix::fclose(in);
    posix::error_number() = error;
    return is_whole;
  }
};

int main(int argc, char** argv) {
  return names_main(sha256sum{}, argc, argv,
                    "usage: sha256sum [FILE...]\nPrints the SHA-256 digest of each file, or of standard input (-).",
                    {.threads = {argc > 128 ? 128u
                                 : argc > 1 ? argc - 1u
                                            : 1u}});
}
