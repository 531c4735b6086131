// SPDX-License-Identifier: Apache-2.0
// A program whose kernel waits, for the tests of genesys trace: each block makes one call that does not end.
//
//   waits write:PIPE lock:FILE read:FILE loop:COUNT ... [stop:SECONDS]
//
// write: to a pipe, until it is full; lock: a record lock of the whole file; read: 4 KiB of a file; loop: so many
// getppid, with pauses. stop: after so long the program ends the recording of its calls.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "genesys/genesys.h"

namespace {

struct action {
  char what;  // w, l, r or t: the first letter, and t for loop
  int fd;
  unsigned count;
};

struct wait_in_calls {
  GENESYS_KERNEL void operator()(genesys::os os, const action* actions) const {
    if (genesys::thread_rank() != 0) return;
    const action mine = actions[genesys::block_rank()];
    char bytes[64] = {};
    if (mine.what == 'w') {
      while (os.write(mine.fd, bytes, sizeof bytes) > 0) {
      }
    } else if (mine.what == 'l') {
      struct flock whole = {};
      whole.l_type = F_WRLCK;
      os.fcntl<F_SETLKW>(mine.fd, &whole);
    } else if (mine.what == 'r') {
      os.pread64(mine.fd, bytes, sizeof bytes, 0);
    } else {
      for (unsigned i = 0; i < mine.count; ++i) {
        os.getppid();
        genesys::pause(100'000);
      }
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<action> actions;
  unsigned stops_after_s = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t colon = word.find(':');
    if (word.starts_with("stop:")) {
      stops_after_s = static_cast<unsigned>(std::atoi(word.c_str() + colon + 1));
      continue;
    }
    if (colon == std::string::npos) return std::fputs("waits: write:PIPE lock:FILE read:FILE loop:COUNT\n", stderr), 2;
    action one{word[0] == 'l' && word[1] == 'o' && word[2] == 'o' ? 't' : word[0], -1, 0};
    const std::string rest = word.substr(colon + 1);
    if (one.what == 't') {
      one.count = static_cast<unsigned>(std::atoi(rest.c_str()));
    } else {
      one.fd = ::open(rest.c_str(), one.what == 'r' ? O_RDONLY : O_RDWR);
      if (one.fd < 0) return std::perror(rest.c_str()), 1;
    }
    actions.push_back(one);
  }
  genesys::runtime rt;
  auto* const given = static_cast<action*>(rt.allocate_arena(actions.size() * sizeof(action)));
  std::memcpy(given, actions.data(), actions.size() * sizeof(action));
  const genesys::run run =
      genesys::launch(rt, {.blocks = {static_cast<unsigned>(actions.size())}, .threads = {32}, .name = "wait_in_calls"},
                      wait_in_calls{}, static_cast<const action*>(given));
  if (stops_after_s != 0) {
    std::this_thread::sleep_for(std::chrono::seconds(stops_after_s));
    rt.stop_trace();
  }
  run.drain();
  return 0;
}
