// SPDX-License-Identifier: Apache-2.0
// A service in a file of its own, for service_server::load_file() (docs/service-loading.md). The file is compiled
// twice, from one source:
//
//   #include <genesys/loadable_service.h>
//
//   struct scale {
//     struct arguments { float* data; unsigned n; float by; };
//     GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const { ... }
//   };
//   GENESYS_LOADABLE_SERVICE(scale_by, scale)
//
//   nvcc -std=c++20 -ptx -rdc=true -arch=compute_90 scale.cu -o scale.ptx                   for a GPU
//   g++ -std=c++20 -O2 -shared -fPIC -fno-gnu-unique -x c++ scale.cu -o scale.so            for the CPU device, and
//   twins
//
// GENESYS_LOADABLE_SERVICE(symbol, S) makes the functor S known by the name `symbol`, an identifier of C. Write it
// outside of all namespaces. A file may have several. If S has on_cpu(), the shared object has the twin.
#pragma once

#include "genesys/detail/service/loadable.h"
#include "genesys/service.h"

#if defined(__CUDACC__)
#define GENESYS_LOADABLE_SERVICE(symbol, S)                                                                        \
  extern "C" __device__ const ::genesys::detail::services::loadable_description symbol##_description =             \
      ::genesys::detail::services::describe_loadable<S>();                                                         \
  extern "C" __device__ std::int64_t symbol(unsigned block, unsigned blocks, const void* arguments,                \
                                            const void* object) {                                                  \
    return ::genesys::detail::services::run_object<S>(::genesys::service_block{block, blocks}, arguments, object); \
  }
#else
#define GENESYS_LOADABLE_SERVICE(symbol, S)                                                                        \
  extern "C" {                                                                                                     \
  extern const ::genesys::detail::services::loadable_description symbol##_description;                             \
  extern const ::genesys::detail::services::twin_entry symbol##_twin;                                              \
  std::int64_t symbol(unsigned block, unsigned blocks, const void* arguments, const void* object);                 \
  const ::genesys::detail::services::loadable_description symbol##_description =                                   \
      ::genesys::detail::services::describe_loadable<S>();                                                         \
  const ::genesys::detail::services::twin_entry symbol##_twin = ::genesys::detail::services::twin_of<S>();         \
  std::int64_t symbol(unsigned block, unsigned blocks, const void* arguments, const void* object) {                \
    return ::genesys::detail::services::run_object<S>(::genesys::service_block{block, blocks}, arguments, object); \
  }                                                                                                                \
  }
#endif
