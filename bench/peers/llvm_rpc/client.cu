// SPDX-License-Identifier: Apache-2.0
// The kernels that call through LLVM's RPC, in the way that LLVM's libc for GPUs does. clang compiles them to PTX,
// since LLVM's headers use clang's intrinsics; remote.cpp holds the PTX. Each lane below `lanes_a_warp` makes `calls`
// calls. `wrong` counts wrong results.
#include "llvm_rpc/opcodes.h"
#include "shared/rpc.h"

#define KERNEL extern "C" __attribute__((global)) void

static __attribute__((device)) void count(unsigned* wrong) {
  __scoped_atomic_fetch_add(wrong, 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

KERNEL ask(rpc::Client* client, unsigned lanes_a_warp, unsigned calls, uint64_t parent, unsigned* wrong) {
  if (__gpu_lane_id() >= lanes_a_warp) return;
  for (unsigned i = 0; i < calls; ++i) {
    uint64_t result = 0;
    rpc::Client::Port port = client->open<peers::ask_opcode>();
    port.send([](rpc::Buffer*, uint32_t) {});
    port.recv([&](rpc::Buffer* buffer, uint32_t) { result = buffer->data[0]; });
    port.close();
    if (result != parent) count(wrong);
  }
}

KERNEL post(rpc::Client* client, unsigned lanes_a_warp, unsigned calls, uint64_t, unsigned*) {
  if (__gpu_lane_id() >= lanes_a_warp) return;
  for (unsigned i = 0; i < calls; ++i) {
    rpc::Client::Port port = client->open<peers::post_opcode>();
    port.send([](rpc::Buffer*, uint32_t) {});
    port.close();
  }
}

// Each lane reads `calls` pieces of a file, each to its own part of `into`.
KERNEL read_pieces(rpc::Client* client, unsigned calls, uint64_t fd, char* into, unsigned* wrong) {
  const uint64_t lane = __gpu_block_id(0) * uint64_t{__gpu_num_threads(0)} + __gpu_thread_id(0);
  for (unsigned i = 0; i < calls; ++i) {
    const uint64_t at = (lane * calls + i) * peers::piece_bytes;
    uint64_t bytes = 0;
    void* to = nullptr;
    rpc::Client::Port port = client->open<peers::read_opcode>();
    port.send([&](rpc::Buffer* buffer, uint32_t) {
      buffer->data[0] = fd;
      buffer->data[1] = peers::piece_bytes;
      buffer->data[2] = at;
    });
    port.recv_n(&to, &bytes, [&](uint64_t) { return into + at; });
    port.close();
    if (bytes != peers::piece_bytes) count(wrong);
  }
}
