// SPDX-License-Identifier: Apache-2.0
// A server of memcached's protocols over UDP, whose kernel receives and sends (serve.h). The host opens the sockets,
// and ends the servers.
#include <signal.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "cpu.h"
#include "kernel.h"
#include "options.h"
#include "socket.h"

namespace {

using namespace memcached;

// One port, and several sockets at it.
struct sockets {
  explicit sockets(const settings& chosen) {
    port = chosen.port;
    for (u32 i = 0; i < chosen.sockets; ++i) {
      all.push_back(std::make_unique<descriptor>(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)));
      const int fd = all.back()->get(), yes = 1, large = 8 << 20;
      sockaddr_in at = address_of(chosen.address, port);
      socklen_t length = sizeof at;
      auto* const address = reinterpret_cast<sockaddr*>(&at);
      if (fd < 0) fail("socket");
      (void)::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &large, sizeof large);
      (void)::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &large, sizeof large);
      if (chosen.sockets > 1) (void)::setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes);
      if (::bind(fd, address, length) != 0 || ::getsockname(fd, address, &length) != 0)
        fail(chosen.address + ", UDP port " + std::to_string(port));
      port = ntohs(at.sin_port);
    }
  }
  std::vector<std::unique_ptr<descriptor>> all;
  unsigned port;
};

// Waits for SIGINT or SIGTERM, which all threads block.
void wait_for_signal() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGINT);
  ::sigaddset(&set, SIGTERM);
  int got = 0;
  while (::sigwait(&set, &got) == EINTR) {
  }
}

// The memory of a task: of the device and of both sides for a kernel, else of the host.
class memory {
 public:
  memory(genesys::runtime* rt, where buffers) : rt_(rt), buffers_(buffers) {}

  template <class T>
  T* of_device(u64 count) {
    if (rt_ == nullptr) return of_host<T>(count);
    void* const made = rt_->allocate_device(count * sizeof(T));
    rt_->fill_device(made, 0, count * sizeof(T));
    return static_cast<T*>(made);
  }
  template <class T>
  T* of_both(u64 count) {
    if (rt_ == nullptr) return of_host<T>(count);
    void* const made = rt_->allocate_arena(count * sizeof(T));
    std::memset(made, 0, count * sizeof(T));
    return static_cast<T*>(made);
  }
  u8* of_buffers(u64 bytes) { return buffers_ == where::pinned ? of_both<u8>(bytes) : of_device<u8>(bytes); }

 private:
  template <class T>
  T* of_host(u64 count) {
    host_.emplace_back(std::calloc(count, sizeof(T)), &std::free);
    if (host_.back() == nullptr) throw std::runtime_error("no memory for items: give a smaller --memory-limit");
    return static_cast<T*>(host_.back().get());
  }
  genesys::runtime* const rt_;
  const where buffers_;
  std::vector<std::unique_ptr<void, void (*)(void*)>> host_;
};

table make_table(const settings& chosen, memory& from) {
  table t{};
  t.depth = chosen.depth;
  t.slot_bytes = (chosen.item_size + 15) / 16 * 16;
  t.by = chosen.how;
  const u64 bucket_bytes = u64{t.depth} * t.slot_bytes, buckets = (u64{chosen.memory_mib} << 20) / bucket_bytes;
  if (buckets == 0)
    throw std::runtime_error("the memory holds no bucket: give a larger --memory-limit, or a smaller --depth");
  t.buckets = static_cast<u32>(buckets);
  t.locks = from.of_device<u32>(buckets);
  t.tags = from.of_device<u32>(buckets * t.depth);
  t.cas = from.of_device<u64>(buckets * t.depth);
  t.last_cas = from.of_device<u64>(1);
  t.items = from.of_device<u8>(buckets * bucket_bytes);
  return t;
}

// Servers look at `ends` after a call that fails; the shutdowns end the calls that wait.
void end(const task& t) {
  genesys::atomic<u32, genesys::thread_scope::system>(*t.ends).store(1, order::seq_cst);
  for (u32 i = 0; i < t.socket_count; ++i) (void)::shutdown(t.sockets[i], SHUT_RD);
}

int run(const settings& chosen) {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGINT);
  ::sigaddset(&set, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  const sockets open(chosen);
  const bool by_kernel = chosen.by == version::kernel;
  const u32 cores = std::max(1u, std::thread::hardware_concurrency());
  const u32 servers = chosen.servers != 0 ? chosen.servers : by_kernel ? 256 : cores;
  const u64 reply_bytes = reply_bytes_for((chosen.item_size + 15) / 16 * 16);
  const u64 buffer_bytes = servers * (request_bytes_max + reply_bytes);
  std::optional<genesys::runtime> rt;
  if (by_kernel)
    rt.emplace(genesys::options{.device = chosen.device,
                                .arena_bytes = (chosen.buffers == where::pinned ? buffer_bytes : 0) + (u64{16} << 20)});
  memory from(rt ? &*rt : nullptr, chosen.buffers);
  task t{};
  t.items = make_table(chosen, from);
  int* const fds = from.of_both<int>(open.all.size());
  for (std::size_t i = 0; i < open.all.size(); ++i) fds[i] = open.all[i]->get();
  t.sockets = fds;
  t.socket_count = static_cast<u32>(open.all.size());
  t.ends = from.of_both<u32>(1);
  t.counts = from.of_both<server_counts>(servers);
  t.requests = from.of_buffers(u64{servers} * request_bytes_max);
  t.replies = from.of_buffers(servers * reply_bytes);
  t.reply_bytes = reply_bytes;
  std::printf("memcached: %s, UDP port %u\n", chosen.address.c_str(), open.port);
  std::fflush(stdout);
  if (by_kernel) {
    auto run =
        genesys::launch(*rt, {.blocks = {servers}, .threads = {chosen.threads}}, serve_by_blocks{}, t, !chosen.waits);
    wait_for_signal();
    end(t);
    run.drain();
  } else {
    serve_by_cpu(t, servers, chosen.by == version::vectors, [&] {
      wait_for_signal();
      end(t);
    });
  }
  server_counts sum{};
  for (u32 i = 0; i < servers; ++i) {
    const server_counts& each = t.counts[i];
    sum.datagrams += each.datagrams, sum.gets += each.gets, sum.hits += each.hits;
    sum.sets += each.sets, sum.removes += each.removes;
  }
  const auto number = [](u64 value) { return static_cast<unsigned long long>(value); };
  std::printf("memcached: %llu datagrams, %llu gets, %llu hits, %llu sets, %llu deletes\n", number(sum.datagrams),
              number(sum.gets), number(sum.hits), number(sum.sets), number(sum.removes));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int exit_code = 2;
  const auto chosen = parse_server(argc, argv, exit_code);
  if (!chosen) return exit_code;
  try {
    return run(*chosen);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "memcached: %s\n", error.what());
    return 1;
  }
}
