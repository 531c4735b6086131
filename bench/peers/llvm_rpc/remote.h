// SPDX-License-Identifier: Apache-2.0
// LLVM's RPC between kernels and threads of the host: the memory that both sides address, the kernels of client.cu, and
// server threads that make the calls. The bench's main thread owns it. Server threads run during launch() only.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <stop_token>

#include "genesys/genesys.h"

namespace rpc {
struct Server;
template <bool>
struct Port;
}  // namespace rpc

namespace peers {

class remote {
 public:
  // `ports`: at most ports_max. Throws measure::failure if CUDA refuses the kernels.
  remote(genesys::runtime& rt, unsigned ports);
  ~remote();
  remote(const remote&) = delete;
  remote& operator=(const remote&) = delete;

  enum class kernel { ask, post };
  // Launches a kernel and serves its calls with `servers` threads until all `lanes_a_warp` lanes of each warp have made
  // `calls` calls and the threads have served them.
  void call(kernel which, unsigned blocks, unsigned threads, unsigned lanes_a_warp, unsigned calls, unsigned servers,
            unsigned* wrong);
  // Each thread reads `calls` pieces of `fd` to device memory.
  void read(unsigned blocks, unsigned threads, unsigned calls, int fd, char* into, unsigned servers, unsigned* wrong);

 private:
  void launch(const char* name, unsigned blocks, unsigned threads, void** arguments, std::uint64_t calls,
              unsigned servers);
  void serve(unsigned first_port, const std::stop_token& stop);
  unsigned make(rpc::Port<true>& port, char* pieces) const;

  genesys::runtime& rt_;
  const unsigned ports_;
  void* const shared_;  // in the arena: mailboxes, headers and packets
  const std::unique_ptr<rpc::Server> server_;
  void* const client_;  // a copy of an rpc::Client in device memory, as LLVM's loader makes it
  cudaLibrary_t kernels_ = nullptr;
  cudaStream_t stream_ = nullptr;
  std::atomic<std::uint64_t> served_ = 0;
};

}  // namespace peers
