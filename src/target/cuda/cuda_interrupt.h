// SPDX-License-Identifier: Apache-2.0
// The interrupt of the CUDA device (target/interrupt.h). One stream copies a byte into all tails, and then the tails to
// the host. Another one waits for the interrupt word; the driver's interrupt at the event behind the wait wakes the
// thread. A third one waits for the end of a kernel, and stores the word; it waits for one kernel at a time.
//
// Work that waits for all streams of the program (cudaDeviceSynchronize, cudaFree) waits for the second one, too. So it
// waits only while a kernel is under way for which that work waits anyway, and the end of this kernel raises the
// interrupt.
#pragma once

#include <cuda_runtime.h>

#include <memory>

#include "genesys/detail/wire/protocol.h"
#include "target/interrupt.h"

namespace genesys::detail {

// Null: the driver has no cuStreamWaitValue32 or cuStreamWriteValue32, or CUDA_DEVICE_MAX_CONNECTIONS is below 4.
std::unique_ptr<interrupt> make_cuda_interrupt(interrupt_words& words, producer_state* producers, u32 queues);

}  // namespace genesys::detail
