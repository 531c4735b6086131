// SPDX-License-Identifier: Apache-2.0
// Makes calls of the host fail. This suite defines each function of libc, CUDA and the allocator that the library uses
// a second time, before the real one, and can make it fail. One process, any thread.
#pragma once

#include <cstddef>
#include <span>

namespace faults {

struct host_call {
  const char* name;
  int error;     // the errno or CUDA error with which it fails
  bool of_cuda;  // only the cuda device calls it
};

// All calls that can fail.
std::span<const host_call> all();

// From now on `times` calls of this name fail, from the nth on, counted from 1.
void arm(const host_call& which, unsigned nth, unsigned times);
// From now on no call fails. Returns the number of calls of that name since arm().
unsigned disarm();

}  // namespace faults
