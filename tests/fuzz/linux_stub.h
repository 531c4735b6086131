// SPDX-License-Identifier: Apache-2.0
// Linux as the fuzzed serving side sees it. The stub makes no call. It checks what Linux would read and write, and
// writes it. Whatever the GPU wrote, an address reaches Linux only if it leads to memory that both sides address, to a
// copy that the serving side made, or to the page without memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fuzz {

// The source of the stub's results, and what it knows of the serving side's memory.
struct linux_stub {
  std::uint64_t arena_begin = 0, arena_end = 0;  // both sides address it
  std::uint64_t nowhere = 0;
  const std::uint8_t* input = nullptr;  // the rest of the input
  std::size_t input_left = 0;
  std::vector<std::uint64_t> raw;  // arguments as the GPU wrote them: outside the arena none may reach Linux
  std::uint64_t calls = 0;
};
extern linux_stub world;

std::uint8_t next_byte();

}  // namespace fuzz
