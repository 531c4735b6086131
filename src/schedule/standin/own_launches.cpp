// SPDX-License-Identifier: Apache-2.0
// The driver's functions that launch kernels, while there is an observer: it decides what is launched. Without one the
// exported functions lead to the real library directly.
#include "schedule/standin/driver_api.h"
#include "schedule/standin/jump_table.h"
#include "schedule/standin/kernel_registry.h"
#include "schedule/standin/launch_observer.h"

namespace genesys::schedule::standin {
namespace {

// With the name of the default stream that the function means.
template <driver_function which>
CUstream named(CUstream stream) {
  static const CUstream otherwise =
      uses_stream_of_thread(entry_of(which).name) ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
  return stream != nullptr ? stream : otherwise;
}

// Null: the call goes to the real library as it is.
template <driver_function which>
launch_observer* observer_of(CUfunction function, CUstream stream) {
  launch_observer* const by = current_observer();
  if (by == nullptr || function == nullptr || inside::is_nested()) return nullptr;
  return by->lets_pass(function, named<which>(stream)) ? nullptr : by;
}

CUresult observed(launch_observer& by, const given_launch& given) {
  const inside now;
  return by.launch(observed_launch(kernel_registry::only().find_or_add(given.function), given));
}

template <driver_function which>
CUresult launch_kernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                       unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void** parameters,
                       void** extra) noexcept {
  launch_observer* const observer = observer_of<which>(function, stream);
  if (observer == nullptr) {
    return real<which>(&cuLaunchKernel)(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
                                        stream, parameters, extra);
  }
  given_launch given{
      function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, named<which>(stream)};
  given.parameters = parameters;
  given.extra = extra;
  return observed(*observer, given);
}

template <driver_function which>
CUresult launch_cooperative(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                            unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream,
                            void** parameters) noexcept {
  launch_observer* const observer = observer_of<which>(function, stream);
  if (observer == nullptr) {
    return real<which>(&cuLaunchCooperativeKernel)(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                                   shared_bytes, stream, parameters);
  }
  given_launch given{
      function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, named<which>(stream)};
  given.is_cooperative = true;
  given.parameters = parameters;
  return observed(*observer, given);
}

template <driver_function which>
CUresult launch_by_configuration(const CUlaunchConfig* how, CUfunction function, void** parameters,
                                 void** extra) noexcept {
  launch_observer* const observer = how != nullptr ? observer_of<which>(function, how->hStream) : nullptr;
  if (observer == nullptr) {
    return real<which>(&cuLaunchKernelEx)(how, function, parameters, extra);
  }
  given_launch given{function,
                     {how->gridDimX, how->gridDimY, how->gridDimZ},
                     {how->blockDimX, how->blockDimY, how->blockDimZ},
                     how->sharedMemBytes,
                     named<which>(how->hStream)};
  given.is_by_configuration = true;
  given.attributes = {how->attrs, how->attrs != nullptr ? how->numAttrs : 0};
  given.parameters = parameters;
  given.extra = extra;
  return observed(*observer, given);
}

}  // namespace

std::span<const own_function> own_launch_functions() {
  static const own_function all[] = {
      GENESYS_OWN_BY(cuLaunchKernel, launch_kernel),
      GENESYS_OWN_BY(cuLaunchKernel_ptsz, launch_kernel),
      GENESYS_OWN_BY(cuLaunchCooperativeKernel, launch_cooperative),
      GENESYS_OWN_BY(cuLaunchCooperativeKernel_ptsz, launch_cooperative),
      GENESYS_OWN_BY(cuLaunchKernelEx, launch_by_configuration),
      GENESYS_OWN_BY(cuLaunchKernelEx_ptsz, launch_by_configuration),
  };
  return all;
}

}  // namespace genesys::schedule::standin
