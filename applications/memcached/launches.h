// SPDX-License-Identifier: Apache-2.0
// The version without system calls from kernels: threads of the CPU receive a batch of datagrams into pinned memory,
// launch a kernel with a block for each datagram, wait for it, and send the replies. CUDA only.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "kernel.h"

namespace memcached::launches {

constexpr u32 launched_max = 64;              // datagrams of a batch
constexpr u32 outbox_bytes = 128 * 1024;      // replies to one datagram, each behind its length; later ones are dropped
constexpr u32 request_bytes_max_here = 4096;  // longer datagrams get no reply

inline void check(cudaError_t returned) {
  if (returned != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(returned));
}

// A block that leaves its replies in an outbox.
struct batch_team : block_threads {
  u8* replies;
  u8* outbox;
  u32& filled;  // in shared memory

  GENESYS_KERNEL u8* space() const { return replies; }
  GENESYS_KERNEL void send(const u8* data, u32 bytes) const {
    const u32 at = filled, next = at + 4 + (bytes + 3) / 4 * 4;
    sync();  // all have read `filled`
    if (next > outbox_bytes) return;
    if (is_first()) {
      *reinterpret_cast<u32*>(outbox + at) = bytes;
      filled = next;
    }
    copy(outbox + at + 4, data, bytes);
    sync();
  }
};

// What a host thread and its kernels share.
struct batch {
  u8* requests;        // pinned, request_bytes_max_here for each datagram
  u32* request_bytes;  // pinned
  u8* outboxes;        // pinned
  u32* outbox_filled;  // pinned
  u8* datagrams;       // device
  u8* replies;         // device
  u64 reply_bytes;
  server_counts* counts;  // device, for each block
};

__global__ void answer_batch(table t, batch b) {
  __shared__ server_memory mine;
  __shared__ u32 filled, near[near_bytes / 4];
  const u32 i = blockIdx.x;
  u8* const datagram = b.datagrams + u64{i} * request_bytes_max_here;
  const batch_team team{{mine, near}, b.replies + i * b.reply_bytes, b.outboxes + u64{i} * outbox_bytes, filled};
  const u32 bytes = b.request_bytes[i];
  if (team.is_first()) filled = 0;
  team.copy(datagram, b.requests + u64{i} * request_bytes_max_here, bytes);
  team.sync();
  if (bytes > 0) answer(team, t, mine, b.counts[i], datagram, bytes);
  team.sync();
  if (team.is_first()) b.outbox_filled[i] = filled;
}

// A host thread: receives, launches, sends. Until the task ends.
inline void serve_batches(const task& t, const batch& b, int fd, u32 threads) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  std::vector<sockaddr_in6> from(launched_max);
  std::vector<iovec> parts(launched_max);
  std::vector<mmsghdr> heads(launched_max), sends;
  std::vector<iovec> send_parts;
  const genesys::atomic<u32, genesys::thread_scope::system> ends(*t.ends);
  while (ends.load(order::seq_cst) == 0) {
    for (u32 i = 0; i < launched_max; ++i) {
      parts[i] = {b.requests + u64{i} * request_bytes_max_here, request_bytes_max_here};
      heads[i] = {};
      heads[i].msg_hdr = {&from[i], sizeof from[i], &parts[i], 1, nullptr, 0, 0};
    }
    const int count = ::recvmmsg(fd, heads.data(), launched_max, MSG_WAITFORONE, nullptr);
    if (count <= 0) continue;
    for (int i = 0; i < count; ++i)
      b.request_bytes[i] =
          (heads[static_cast<u32>(i)].msg_hdr.msg_flags & MSG_TRUNC) != 0 ? 0 : heads[static_cast<u32>(i)].msg_len;
    answer_batch<<<static_cast<u32>(count), threads, 0, stream>>>(t.items, b);
    check(cudaStreamSynchronize(stream));
    sends.clear();
    send_parts.clear();
    send_parts.reserve(u64{launched_max} * outbox_bytes / (4 + frame_bytes));  // so that it does not move
    for (u32 i = 0; i < static_cast<u32>(count); ++i) {
      u8* const outbox = b.outboxes + u64{i} * outbox_bytes;
      for (u32 at = 0; at < b.outbox_filled[i];) {
        const u32 bytes = *reinterpret_cast<const u32*>(outbox + at);
        send_parts.push_back({outbox + at + 4, bytes});
        mmsghdr head{};
        head.msg_hdr = {&from[i], heads[i].msg_hdr.msg_namelen, &send_parts.back(), 1, nullptr, 0, 0};
        sends.push_back(head);
        at += 4 + (bytes + 3) / 4 * 4;
      }
    }
    for (std::size_t sent = 0; sent < sends.size();) {
      const int n = ::sendmmsg(fd, sends.data() + sent, static_cast<unsigned>(sends.size() - sent), MSG_NOSIGNAL);
      sent += n > 0 ? static_cast<std::size_t>(n) : 1;  // a datagram that Linux refuses is lost
    }
  }
  check(cudaStreamDestroy(stream));
}

}  // namespace memcached::launches
