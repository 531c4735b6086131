// SPDX-License-Identifier: Apache-2.0
// A flag of mmap that only genesys has. docs/memory.md defines what mmap, munmap and madvise do in a kernel.
#pragma once

namespace genesys {

// A flag for mmap(2), together with MAP_ANONYMOUS: maps zeroed device memory in pieces of 2 MiB. munmap and
// madvise(MADV_DONTNEED) give pieces back while the kernel runs. The host cannot address this memory; calls can use it,
// as any device memory. Linux gives this bit no meaning.
constexpr int map_device = 0x1000000;

}  // namespace genesys
