// SPDX-License-Identifier: Apache-2.0
// Fuzzes the serving side. Whatever the GPU writes into requests and into memory that both sides address, the host
// reads it once, checks it, and gives Linux nothing unchecked (linux_stub.h). One input is a small program (harness.h).
// Each of its requests goes through a queue, the executor and the completion, as with a worker. While Linux "makes" a
// call, the rest of the input changes that memory.
//
//   serving [CORPUS...] [-runs=N] [-max_total_time=S]     libFuzzer's options
#include "harness.h"
#include "linux_stub.h"

namespace {

fuzz::serving_side& side_under(bool confined) {
  static const std::string unmapped = "deny call mmap munmap madvise shmat shmdt";
  static fuzz::serving_side open("all", unmapped, {"a", "/a/b"}), closed("io", unmapped, {"a", "/a/b"});
  return confined ? closed : open;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::input from(data, size);
  const auto mode = from.take<std::uint8_t>();
  fuzz::serving_side& side = side_under((mode & 1) != 0);
  fuzz::world.arena_begin = side.all().memory.where().arena_begin;
  fuzz::world.arena_end = side.all().memory.where().arena_end;
  fuzz::world.nowhere = side.all().to_linux.memory().nowhere();
  fuzz::play(side, from, mode, [&](const fuzz::request& call) {
    fuzz::world.input = from.data();
    fuzz::world.input_left = from.left();
    fuzz::world.raw.assign(std::begin(call.args), std::end(call.args));
  });
  return 0;
}
