// SPDX-License-Identifier: Apache-2.0
// The driver's functions that make and end streams: the real one does it, and the list of streams notes it.
#include "schedule/standin/driver_api.h"
#include "schedule/standin/jump_table.h"
#include "schedule/standin/stream_list.h"

namespace genesys::schedule::standin {
namespace {

CUresult stream_create(CUstream* into, unsigned flags) {
  const CUresult result = GENESYS_REAL(cuStreamCreate)(into, flags);
  if (result == CUDA_SUCCESS && !inside::is_nested()) stream_list::only().add(*into, flags);
  return result;
}

CUresult stream_create_with_priority(CUstream* into, unsigned flags, int priority) {
  const CUresult result = GENESYS_REAL(cuStreamCreateWithPriority)(into, flags, priority);
  if (result == CUDA_SUCCESS && !inside::is_nested()) stream_list::only().add(*into, flags);
  return result;
}

CUresult green_context_stream_create(CUstream* into, CUgreenCtx of, unsigned flags, int priority) {
  const CUresult result = GENESYS_REAL(cuGreenCtxStreamCreate)(into, of, flags, priority);
  if (result == CUDA_SUCCESS && !inside::is_nested()) stream_list::only().add(*into, flags);
  return result;
}

template <driver_function which>
CUresult stream_destroy(CUstream stream) {
  if (stream != nullptr && !inside::is_nested()) stream_list::only().remove(stream);
  return real<which>(&cuStreamDestroy_v2)(stream);
}

}  // namespace

std::span<const own_function> own_stream_functions() {
  static const own_function all[] = {
      GENESYS_OWN(cuStreamCreate, stream_create),
      GENESYS_OWN(cuStreamCreateWithPriority, stream_create_with_priority),
      GENESYS_OWN(cuGreenCtxStreamCreate, green_context_stream_create),
      GENESYS_OWN_BY(cuStreamDestroy, stream_destroy),
      GENESYS_OWN_BY(cuStreamDestroy_v2, stream_destroy),
  };
  return all;
}

}  // namespace genesys::schedule::standin
