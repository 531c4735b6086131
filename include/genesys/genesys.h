// SPDX-License-Identifier: Apache-2.0
// All of genesys: system calls for kernels (os.h, memory.h), the portable functions of a kernel (kernel.h), the host's
// runtime (runtime.h) and launching (launch.h).
#pragma once

#include "genesys/error.h"
#include "genesys/kernel.h"
#include "genesys/launch.h"
#include "genesys/memory.h"
#include "genesys/options.h"
#include "genesys/os.h"
#include "genesys/runtime.h"
