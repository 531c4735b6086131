// SPDX-License-Identifier: Apache-2.0
// cuGetProcAddress: most programs get their functions from it, also those that link cudart statically. The real one
// decides which version a program gets; the answer is the exported function that stands for it.
#include <string>

#include "schedule/standin/driver_api.h"
#include "schedule/standin/jump_table.h"
#include "schedule/standin/messages.h"

namespace genesys::schedule::standin {
namespace {

void* as_exported(const char* symbol, void* real_function, cuuint64_t flags) {
  const bool of_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  if (void* known = exported_for(real_function, symbol, of_thread)) return known;
  if (function_named(symbol)) {
    say_once(symbol, std::string("the driver has another version of ") + symbol + ", whose calls genesys does not see");
  }
  return real_function;
}

CUresult get_proc_address_v2(const char* symbol, void** into, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status) {
  const CUresult result = GENESYS_REAL(cuGetProcAddress_v2)(symbol, into, version, flags, status);
  if (result == CUDA_SUCCESS && into != nullptr && *into != nullptr) *into = as_exported(symbol, *into, flags);
  return result;
}

CUresult get_proc_address(const char* symbol, void** into, int version, cuuint64_t flags) {
  const CUresult result = GENESYS_REAL(cuGetProcAddress)(symbol, into, version, flags);
  if (result == CUDA_SUCCESS && into != nullptr && *into != nullptr) *into = as_exported(symbol, *into, flags);
  return result;
}

}  // namespace

std::span<const own_function> own_address_functions() {
  static const own_function all[] = {
      GENESYS_OWN(cuGetProcAddress, get_proc_address),
      GENESYS_OWN(cuGetProcAddress_v2, get_proc_address_v2),
  };
  return all;
}

}  // namespace genesys::schedule::standin
