// SPDX-License-Identifier: Apache-2.0
// sha256sum: each thread hashes a file (FIPS 180-4). A line is printed when it is the file's turn in the order of the
// arguments.
#include <genesys/stdio.h>

#include "kernel_main.h"

namespace posix = genesys::posix;
using word = unsigned;
GENESYS_KERNEL word right(word x, int by) { return x >> by | x << (32 - by); }

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
GENESYS_KERNEL word constant(int round) {
  constexpr word all[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  return all[round];
}

GENESYS_KERNEL_OUTLINE inline void hash_block(word (&state)[8], const unsigned char* block) {
  word w[64], s[8];
  for (int i = 0; i < 16; ++i) {
    w[i] = word{block[4 * i]} << 24 | word{block[4 * i + 1]} << 16 | word{block[4 * i + 2]} << 8 | block[4 * i + 3];
  }
  for (int i = 16; i < 64; ++i) {
    w[i] = (right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ w[i - 2] >> 10) + w[i - 7] + w[i - 16] +
           (right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ w[i - 15] >> 3);
  }
  for (int i = 0; i < 8; ++i) s[i] = state[i];
  for (int i = 0; i < 64; ++i) {
    const word t1 = s[7] + (right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                    constant(i) + w[i];
    const word t2 =
        (right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (int k = 7; k > 0; --k) s[k] = s[k - 1];
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; ++i) state[i] += s[i];
}

struct sha256sum {
  GENESYS_KERNEL int operator()(genesys::os os, int argc, char* const* argv) const {
    posix::library c(os);
    const int files = argc == 1 ? 1 : argc - 1, step = static_cast<int>(genesys::threads_in_block());
    for (int i = static_cast<int>(genesys::thread_rank()), status = 0;; i += step) {
      const char* const name = i >= files ? nullptr : argc == 1 ? "-" : argv[i + 1];
      word state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
      const bool hashed = name != nullptr && hash(name, state);
      for (int turn = i - static_cast<int>(genesys::thread_rank()), end = turn + step; turn < end; ++turn) {
        genesys::sync_block();
        if (turn != i || name == nullptr) continue;
        if (!hashed) status = posix::fprintf(posix::standard_error(), "sha256sum: %s: %m\n", name) != 0;
        for (int k = 0; hashed && k < 8; ++k) posix::printf("%08x", state[k]);
        if (hashed) posix::printf("  %s\n", name);
      }
      if (genesys::sync_block_count(i + step < files) == 0) return status;
    }
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
  return kernel_main(sha256sum{}, argc, argv, 0,
                     "usage: sha256sum [FILE...]\nPrints the SHA-256 digest of each file, or of standard input (-).",
                     {.threads = {argc > 128 ? 128u
                                  : argc > 1 ? argc - 1u
                                             : 1u}});
}
