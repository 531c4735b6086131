// SPDX-License-Identifier: Apache-2.0
// An echo server whose kernel receives and sends (serve.h). The host opens the sockets, and ends the servers.
#include <cstdio>
#include <functional>
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

// Both at one port.
struct sockets {
  explicit sockets(const server_settings& chosen) : udp(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    constexpr int attempts = 100;  // to find a port that is free for both
    const int large = 4 << 20;
    if (udp.get() < 0) fail("socket");
    (void)::setsockopt(udp.get(), SOL_SOCKET, SO_RCVBUF, &large, sizeof large);
    for (int i = 1; !bound(chosen); ++i)
      if (chosen.port != 0 || i == attempts || errno != EADDRINUSE)
        fail(chosen.address + ", UDP port " + std::to_string(port));
  }
  descriptor udp;
  std::optional<descriptor> tcp;
  unsigned port = 0;

 private:
  // Makes the socket of TCP, and binds both. False: errno says why that of UDP cannot have its port.
  bool bound(const server_settings& chosen) {
    tcp.emplace(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in at = address_of(chosen.address, chosen.port);
    socklen_t length = sizeof at;
    auto* const address = reinterpret_cast<sockaddr*>(&at);
    const int yes = 1, fd = tcp->get();
    if (fd < 0) fail("socket");
    (void)::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::bind(fd, address, length) != 0 || ::listen(fd, 128) != 0 || ::getsockname(fd, address, &length) != 0)
      fail(chosen.address + ", TCP port " + std::to_string(chosen.port));
    port = ntohs(at.sin_port);
    return ::bind(udp.get(), address, length) == 0;
  }
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
                     const std::function<void()>& wait) {
  auto run = genesys::launch(rt, {.blocks = {servers}, .threads = {chosen.threads}}, serve{}, t);
  const bool all_serve = application::all_start(servers, [&](u32 i) {
    return genesys::atomic<u32, genesys::thread_scope::system>(t.servers[i].has_started).load(order::relaxed) != 0;
  });
  if (all_serve) wait();
  end(t, servers);
  run.drain();
  if (!all_serve) throw std::runtime_error("not all blocks run at a time: lower --udp, --tcp or --threads");
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
  task t{open.udp.get(), open.tcp->get(), chosen.udp_servers, nullptr, nullptr, nullptr, nullptr};
  t.ends = from.of_both<u32>(1);
  t.servers = from.of_both<server_state>(servers, {{0, 0}, -1, 0});
  t.peers = from.of_both<application::datagram_peer>(chosen.udp_servers);
  t.buffers =
      chosen.memory == where::pinned ? from.of_both<unsigned char>(bytes) : from.of_device<unsigned char>(bytes);
  const auto wait = [&] {
    std::printf("echod: %s, port %u\n", chosen.address.c_str(), open.port);
    std::fflush(stdout);
    signals.wait();
  };
  if (by_kernel)
    serve_by_kernel(*rt, chosen, t, servers, wait);
  else
    serve_by_cpu(t, servers, wait, [&] { end(t, servers); });
  u64 datagrams = 0, bytes_of_udp = 0, bytes_of_tcp = 0;
  for (u32 i = 0; i < servers; ++i) {
    const echoed& sum = t.servers[i].sum;
    if (i < t.udp_servers)
      datagrams += sum.messages, bytes_of_udp += sum.bytes;
    else
      bytes_of_tcp += sum.bytes;
  }
  const auto number = [](u64 value) { return static_cast<unsigned long long>(value); };
  std::printf("echod: UDP %llu datagrams, %llu bytes; TCP %llu bytes\n", number(datagrams), number(bytes_of_udp),
              number(bytes_of_tcp));
  application::flush_output();
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return application::run_program("echod", 1, argc, argv, parse_server, run); }
