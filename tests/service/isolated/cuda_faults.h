// SPDX-License-Identifier: Apache-2.0
// Calls of CUDA that fail in the child of an isolated server. The linker puts these functions before CUDA's (--wrap);
// the children inherit the memory that says which call fails. A failing function does nothing.
#pragma once

namespace service_testing {

// The call number `number` from now on, in whatever child, fails. 0: none.
void fail_cuda_call(int number);
// Whether it has.
bool cuda_call_has_failed();
const char* failed_cuda_call();

}  // namespace service_testing
