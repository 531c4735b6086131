// SPDX-License-Identifier: Apache-2.0
// Many blocks write to one log, and none of them waits for it.
#include <fcntl.h>
#include <genesys/genesys.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "number.h"

// A line of text, built on the device.
struct line {
  char text[64];
  unsigned long bytes = 0;
  GENESYS_KERNEL void put(const char* word) {
    while (*word != 0) text[bytes++] = *word++;
  }
  GENESYS_KERNEL void put(unsigned number) {
    unsigned digit = 1;
    while (number / digit > 9) digit *= 10;
    for (; digit > 0; digit /= 10) text[bytes++] = static_cast<char>('0' + number / digit % 10);
  }
};

struct work {
  GENESYS_KERNEL void operator()(genesys::os os, int log, unsigned steps) const {
    for (unsigned step = 0; step < steps; ++step) {
      // ... the work of the step ...
      genesys::sync_block();
      if (genesys::thread_rank() != 0) continue;
      line returned;
      returned.put("block ");
      returned.put(genesys::block_rank());
      returned.put(", step ");
      returned.put(step);
      returned.put("\n");
      os.posted().write(log, returned.text, returned.bytes);  // the call copies the text: the block may end now
    }
  }
};

int main(int argc, char** argv) {
  if (argc > 4 || (argc > 1 && std::strcmp(argv[1], "--help") == 0)) {
    std::puts(
        "usage: log [FILE [BLOCKS [STEPS]]]\nEach block writes a line a step to FILE, or to standard output (-).");
    return argc > 4 ? 2 : 0;
  }
  const bool to_file = argc > 1 && std::strcmp(argv[1], "-") != 0;
  const unsigned blocks = argc > 2 ? number(argv[2], 1, 65535) : 8;
  const unsigned steps = argc > 3 ? number(argv[3], 0, 1u << 20) : 4;
  // O_APPEND: lines that are written at the same time stay whole, one after another.
  const int log = to_file ? open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644) : 1;
  if (log < 0) {
    std::perror(argv[1]);
    return 1;
  }
  genesys::runtime rt;
  genesys::launch(rt, {.blocks = {blocks}, .threads = {64}}, work{}, log, steps).drain();  // then all lines are written
  const genesys::statistics done = rt.stats();
  std::fprintf(stderr, "log: %llu lines posted, %llu not written\n", static_cast<unsigned long long>(done.posted),
               static_cast<unsigned long long>(done.posted_failed));
  if (to_file) close(log);
  return done.posted_failed == 0 ? 0 : 1;
}
