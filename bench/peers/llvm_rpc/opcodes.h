// SPDX-License-Identifier: Apache-2.0
// What the kernels of client.cu ask of the threads of remote.h. Compiled by clang for the GPU and by the host's
// compiler.
#pragma once

namespace peers {

inline constexpr unsigned ask_opcode = 1;   // the result of getppid
inline constexpr unsigned post_opcode = 2;  // getppid without a result
inline constexpr unsigned read_opcode = 3;  // pread of data = {descriptor, bytes, position}

inline constexpr unsigned lanes_of_warp = 32;
inline constexpr unsigned ports_max = 4096;
inline constexpr unsigned piece_bytes = 4096;  // of a read

}  // namespace peers
