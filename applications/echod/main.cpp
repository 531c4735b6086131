// SPDX-License-Identifier: Apache-2.0
// An echo server whose kernel receives and sends (serve.h). The host opens the sockets, and ends the servers.
#include <cstdio>
#include <optional>
#include <vector>

#include "cpu.h"
#include "kernel.h"
#include "options.h"
#include "support/server.h"
#include "support/storage.h"

namespace {

using namespace echod;
using application::address_of;
using application::descriptor;
using application::end_signals;
using application::fail;

struct sockets {
  explicit sockets(const server_settings& chosen)
      : udp(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)), tcp(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in at = address_of(chosen.address, chosen.port);
    socklen_t length = sizeof at;
    auto* const address = reinterpret_cast<sockaddr*>(&at);
    const int yes = 1, large = 4 << 20;
    if (udp.get() < 0 || tcp.get() < 0) fail("socket");
    (void)::setsockopt(tcp.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    (void)::setsockopt(udp.get(), SOL_SOCKET, SO_RCVBUF, &large, sizeof large);
    const std::string where = chosen.address + ", port " + std::to_string(chosen.port);
    if (::bind(tcp.get(), address, length) != 0 || ::listen(tcp.get(), 128) != 0) fail(where);
    if (::getsockname(tcp.get(), address, &length) != 0 || ::bind(udp.get(), address, length) != 0) fail(where);
    port = ntohs(at.sin_port);
  }
  descriptor udp, tcp;
  unsigned port = 0;
};

// Servers look at `ends` after a call that fails; the shutdowns end the calls that wait.
void end(const task& t, u32 servers) {
  genesys::atomic<u32, genesys::thread_scope::system>(*t.ends).store(1, order::seq_cst);
  (void)::shutdown(t.udp, SHUT_RD);
  (void)::shutdown(t.tcp, SHUT_RD);
  for (u32 i = t.udp_servers; i < servers; ++i) {
    const int fd = genesys::atomic<int, genesys::thread_scope::system>(t.servers[i].connection).load(order::seq_cst);
    if (fd >= 0) (void)::shutdown(fd, SHUT_RDWR);
  }
}

void serve_by_kernel(genesys::runtime& rt, const server_settings& chosen, const task& t, u32 servers,
                     const end_signals& signals) {
  auto run = genesys::launch(rt, {.blocks = {servers}, .threads = {chosen.threads}}, serve{}, t);
  signals.wait();
  end(t, servers);
  run.drain();
}

int run(const server_settings& chosen) {
  const end_signals signals;
  const sockets open(chosen);
  const u32 servers = chosen.udp_servers + chosen.tcp_servers;
  if (servers == 0) throw std::runtime_error("no server: give --udp or --tcp");
  const bool by_kernel = chosen.by == version::kernel;
  std::optional<genesys::runtime> rt;
  const u64 bytes = servers * u64{buffer_bytes};
  if (by_kernel) rt.emplace(genesys::options{.device = chosen.device, .arena_bytes = bytes + (u64{16} << 20)});
  application::storage from(rt ? &*rt : nullptr);
  task t{open.udp.get(), open.tcp.get(), chosen.udp_servers, nullptr, nullptr, nullptr, nullptr};
  t.ends = from.of_both<u32>(1);
  t.servers = from.of_both<server_state>(servers, {{0, 0}, -1, 0});
  t.peers = from.of_both<application::datagram_peer>(chosen.udp_servers);
  t.buffers =
      chosen.memory == where::pinned ? from.of_both<unsigned char>(bytes) : from.of_device<unsigned char>(bytes);
  std::printf("echod: %s, port %u\n", chosen.address.c_str(), open.port);
  std::fflush(stdout);
  if (by_kernel)
    serve_by_kernel(*rt, chosen, t, servers, signals);
  else
    serve_by_cpu(t, servers, [&] {
      signals.wait();
      end(t, servers);
    });
  u64 messages = 0, total = 0;
  for (u32 i = 0; i < servers; ++i) messages += t.servers[i].sum.messages, total += t.servers[i].sum.bytes;
  std::printf("echod: %llu messages, %llu bytes\n", static_cast<unsigned long long>(messages),
              static_cast<unsigned long long>(total));
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return application::run_program("echod", 1, argc, argv, parse_server, run); }
