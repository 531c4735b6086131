// SPDX-License-Identifier: Apache-2.0
#include "llvm_rpc/remote.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "llvm_rpc/opcodes.h"
#include "shared/rpc.h"
#include "support/measure.h"

// The PTX of client.cu. Assembled here, so the program is one file.
asm(".pushsection .rodata\n"
    ".globl genesys_bench_client_ptx\n"
    "genesys_bench_client_ptx:\n"
    ".incbin \"" GENESYS_BENCH_CLIENT_PTX
    "\"\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" const char genesys_bench_client_ptx[];

namespace peers {

static_assert(ports_max == rpc::MAX_PORT_COUNT);

namespace {

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw measure::failure(std::string(what) + ": " + cudaGetErrorString(error));
}

}  // namespace

remote::remote(genesys::runtime& rt, unsigned ports)
    : rt_(rt),
      ports_(ports),
      shared_(rt.allocate_arena(rpc::Server::allocation_size(lanes_of_warp, ports))),
      server_(std::make_unique<rpc::Server>(ports, shared_)),
      client_(rt.allocate_device(sizeof(rpc::Client))) {
  std::memset(shared_, 0, rpc::Server::allocation_size(lanes_of_warp, ports));
  const rpc::Client client(ports, shared_);
  rt.copy_to_device(client_, &client, sizeof client);
  check(cudaLibraryLoadData(&kernels_, genesys_bench_client_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0),
        "LLVM's RPC: loading the kernels");
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "LLVM's RPC: making a stream");
}

remote::~remote() {
  (void)cudaStreamDestroy(stream_);
  (void)cudaLibraryUnload(kernels_);
  rt_.free_device(client_);
  rt_.free_arena(shared_);
}

void remote::call(kernel which, unsigned blocks, unsigned threads, unsigned lanes_a_warp, unsigned calls,
                  unsigned servers, unsigned* wrong) {
  void* client = client_;
  std::uint64_t parent = static_cast<std::uint64_t>(::getppid());
  void* arguments[] = {&client, &lanes_a_warp, &calls, &parent, &wrong};
  const unsigned lanes = blocks * ((threads + lanes_of_warp - 1) / lanes_of_warp) * std::min(threads, lanes_a_warp);
  launch(which == kernel::ask ? "ask" : "post", blocks, threads, arguments, std::uint64_t{lanes} * calls, servers);
}

void remote::read(unsigned blocks, unsigned threads, unsigned calls, int fd, char* into, unsigned servers,
                  unsigned* wrong) {
  void* client = client_;
  std::uint64_t from = static_cast<std::uint64_t>(fd);
  void* arguments[] = {&client, &calls, &from, &into, &wrong};
  launch("read_pieces", blocks, threads, arguments, std::uint64_t{blocks} * threads * calls, servers);
}

void remote::launch(const char* name, unsigned blocks, unsigned threads, void** arguments, std::uint64_t calls,
                    unsigned servers) {
  cudaKernel_t kernel = nullptr;
  check(cudaLibraryGetKernel(&kernel, kernels_, name), name);
  const std::uint64_t until = served_.load() + calls;
  std::vector<std::jthread> all;
  for (unsigned rank = 0; rank < servers; ++rank) {
    all.emplace_back([this, first = rank * ports_ / servers](const std::stop_token& stop) { serve(first, stop); });
  }
  check(cudaLaunchKernel(reinterpret_cast<void*>(kernel), dim3(blocks), dim3(threads), arguments, 0, stream_), name);
  check(cudaStreamSynchronize(stream_), name);
  while (served_.load() < until) std::this_thread::yield();  // posted calls; the bench's alarm bounds it
}

// The loop of LLVM's own server: over all ports, and again.
void remote::serve(unsigned first_port, const std::stop_token& stop) {
  std::vector<char> pieces(std::size_t{lanes_of_warp} * piece_bytes);
  for (unsigned at = first_port; !stop.stop_requested(); at = 0) {
    while (rpc::optional<rpc::Server::Port> port = server_->try_open(lanes_of_warp, at)) {
      at = port->get_index() + 1;
      const unsigned calls = make(*port, pieces.data());
      port->close();
      served_.fetch_add(calls, std::memory_order_relaxed);
    }
  }
}

// Makes the calls of the lanes of one port. Returns how many.
unsigned remote::make(rpc::Port<true>& port, char* pieces) const {
  unsigned calls = 0;
  switch (port.get_opcode()) {
    case ask_opcode:
      port.recv_and_send([&](rpc::Buffer* buffer, std::uint32_t) {
        buffer->data[0] = static_cast<std::uint64_t>(::syscall(SYS_getppid));
        ++calls;
      });
      break;
    case post_opcode:
      port.recv([&](rpc::Buffer*, std::uint32_t) {
        (void)::syscall(SYS_getppid);
        ++calls;
      });
      break;
    case read_opcode: {
      std::uint64_t bytes[lanes_of_warp] = {};
      void* from[lanes_of_warp] = {};
      port.recv([&](rpc::Buffer* buffer, std::uint32_t lane) {
        from[lane] = pieces + std::size_t{lane} * piece_bytes;
        const ssize_t got =
            ::pread(static_cast<int>(buffer->data[0]), from[lane],
                    std::min<std::uint64_t>(buffer->data[1], piece_bytes), static_cast<off_t>(buffer->data[2]));
        bytes[lane] = static_cast<std::uint64_t>(std::max<ssize_t>(got, 0));
        ++calls;
      });
      port.send_n(from, bytes);
      break;
    }
    default:
      throw measure::failure("LLVM's RPC: a port has no opcode of this bench");
  }
  return calls;
}

}  // namespace peers
