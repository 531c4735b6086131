// SPDX-License-Identifier: Apache-2.0
// cuda.h with all versions of all functions under their exported names: `cuMemAlloc` and `cuMemAlloc_v2` are two.
#pragma once

#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <cudaProfiler.h>
