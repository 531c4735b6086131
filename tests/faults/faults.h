// SPDX-License-Identifier: Apache-2.0
// Fails calls that the host makes: each function of libc, of CUDA and of the allocator that the library uses is defined
// here once more, in front of the real one, and fails when it is told to. One process, any thread.
#pragma once

#include <cstddef>
#include <span>

namespace faults {

struct host_call {
  const char* name;
  int error;     // as it fails: an errno, or CUDA's code
  bool of_cuda;  // the cuda device alone makes it
};

// All that can be made to fail.
std::span<const host_call> all();

// From now on the nth call (counted from 1) of `name` fails, and so do the next ones, `times` in all.
void arm(const host_call& which, unsigned nth, unsigned times);
// Nothing fails any more. How many calls of that name were made since arm().
unsigned disarm();

}  // namespace faults
