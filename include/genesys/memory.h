// SPDX-License-Identifier: Apache-2.0
// What a kernel says to mmap beyond Linux's own words. docs/memory.md tells what mmap, munmap and madvise mean here.
#pragma once

namespace genesys {

// A flag of mmap, together with MAP_ANONYMOUS: device memory, zeroed, in pieces of 2 MiB, which munmap and
// madvise(MADV_DONTNEED) give back while the kernel runs. The host cannot use it; calls can, as with any device memory.
// Linux uses this bit for nothing.
constexpr int map_device = 0x1000000;

}  // namespace genesys
