// SPDX-License-Identifier: Apache-2.0
// A server of memcached's protocols over UDP, whose kernel receives and sends (serve.h). The host opens the sockets,
// and ends the servers.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "cpu.h"
#include "kernel.h"
#include "options.h"
#include "support/server.h"
#include "support/storage.h"
#include "support/threads.h"
#if defined(__CUDACC__)
#include "launches.h"
#endif

namespace {

using namespace memcached;
using application::address_of;
using application::descriptor;
using application::end_signals;
using application::fail;
using application::storage;

// One port, and several sockets at it. The first one shares it only after it has it: with SO_REUSEPORT it would get a
// port that another server shares.
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
      const auto share = [&] { (void)::setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes); };
      if (i > 0) share();
      if (::bind(fd, address, length) != 0 || ::getsockname(fd, address, &length) != 0)
        fail(chosen.address + ", UDP port " + std::to_string(port));
      if (i == 0 && chosen.sockets > 1) share();
      port = ntohs(at.sin_port);
    }
  }
  std::vector<std::unique_ptr<descriptor>> all;
  unsigned port;
};

table make_table(const settings& chosen, storage& from) try {
  table t{};
  t.depth = chosen.depth;
  t.slot_bytes = slot_bytes_of(chosen);
  t.by = chosen.how;
  const u64 bucket_bytes = u64{t.depth} * t.slot_bytes, buckets = (u64{chosen.memory_mib} << 20) / bucket_bytes;
  if (buckets == 0)
    throw std::runtime_error("the memory holds no bucket: give a larger --memory-limit, or a smaller --depth");
  if (buckets > ~u32{0}) throw std::runtime_error("more than 2^32 buckets: give a larger --depth");
  t.buckets = static_cast<u32>(buckets);
  t.locks = from.of_device<u32>(buckets);
  t.tags = from.of_device<u32>(buckets * t.depth);
  t.cas = from.of_device<u64>(buckets * t.depth);
  t.last_cas = from.of_device<u64>(1);
  t.items = from.of_device<u8>(buckets * bucket_bytes);
  return t;
} catch (const std::bad_alloc&) {
  throw std::runtime_error("no memory for items: give a smaller --memory-limit");
}

// Servers look at `ends` after a call that fails; the shutdowns end the calls that wait.
void end(const task& t) {
  genesys::atomic<u32, genesys::thread_scope::system>(*t.ends).store(1, order::seq_cst);
  for (u32 i = 0; i < t.socket_count; ++i) (void)::shutdown(t.sockets[i], SHUT_RD);
}

// The counts of all servers, at their end.
std::vector<server_counts> serve_by_kernel(genesys::runtime& rt, const settings& chosen, task& t, u32 servers,
                                           storage& from, const std::function<void()>& wait) {
  const u64 request_bytes = u64{servers} * application::datagram_bytes_max, reply_bytes = servers * t.reply_bytes;
  const bool are_pinned = chosen.buffers == where::pinned;
  t.counts = from.of_both<server_counts>(servers);
  t.requests = are_pinned ? from.of_both<u8>(request_bytes) : from.of_device<u8>(request_bytes);
  t.replies = are_pinned ? from.of_both<u8>(reply_bytes) : from.of_device<u8>(reply_bytes);
  t.have_started = from.of_both<u32>(servers);
  auto run = genesys::launch(rt, {.blocks = {servers}, .threads = {chosen.threads}}, serve_by_blocks{}, t);
  const bool all_serve = application::all_start(servers, [&](u32 i) {
    return genesys::atomic<u32, genesys::thread_scope::system>(t.have_started[i]).load(order::relaxed) != 0;
  });
  if (all_serve) wait();
  end(t);
  run.drain();
  if (!all_serve) throw std::runtime_error("not all blocks run at a time: lower --servers or --threads");
  return {t.counts, t.counts + servers};
}

std::vector<server_counts> serve_by_threads(const settings& chosen, task& t, u32 servers, storage& from,
                                            const std::function<void()>& wait) {
  t.counts = from.of_both<server_counts>(servers);
  t.requests = from.of_both<u8>(u64{servers} * application::datagram_bytes_max);
  t.replies = from.of_both<u8>(servers * t.reply_bytes);
  serve_by_cpu(t, servers, chosen.by == version::vectors, wait, [&] { end(t); });
  return {t.counts, t.counts + servers};
}

#if defined(__CUDACC__)
std::vector<server_counts> serve_by_launches(genesys::runtime& rt, const settings& chosen, task& t, u32 servers,
                                             storage& from, const std::function<void()>& wait) {
  using namespace launches;
  std::vector<batch> all(servers);
  for (batch& b : all) {
    b.requests = from.of_both<u8>(u64{launched_max} * request_bytes_max_here);
    b.request_bytes = from.of_both<u32>(launched_max);
    b.outboxes = from.of_both<u8>(u64{launched_max} * outbox_bytes);
    b.outbox_filled = from.of_both<u32>(launched_max);
    b.datagrams = from.of_device<u8>(u64{launched_max} * request_bytes_max_here);
    b.replies = from.of_device<u8>(launched_max * t.reply_bytes);
    b.reply_bytes = t.reply_bytes;
    b.counts = from.of_device<server_counts>(launched_max);
  }
  const auto serve = [&](u32 i) {
    try {
      serve_batches(t, all[i], t.sockets[i % t.socket_count], chosen.threads);
    } catch (...) {
      (void)::kill(::getpid(), SIGTERM);  // ends the others
      throw;
    }
  };
  application::thread_group threads(servers, serve, [&] { end(t); });
  wait();
  end(t);
  threads.join();
  std::vector<server_counts> counts(u64{servers} * launched_max);
  for (u32 i = 0; i < servers; ++i)
    rt.copy_to_host(counts.data() + u64{i} * launched_max, all[i].counts, launched_max * sizeof(server_counts));
  return counts;
}
u64 pinned_bytes_of_launches(u32 servers) {
  return u64{servers} * launches::launched_max * (launches::request_bytes_max_here + launches::outbox_bytes + 64);
}
#else
std::vector<server_counts> serve_by_launches(genesys::runtime&, const settings&, task&, u32, storage&,
                                             const std::function<void()>&) {
  throw std::runtime_error("this build has no CUDA: --by launches needs it");
}
u64 pinned_bytes_of_launches(u32) { return 0; }
#endif

int run(const settings& chosen) {
  const end_signals signals;
  const sockets open(chosen);
  const bool by_kernel = chosen.by == version::kernel, by_launches = chosen.by == version::launches;
  const u32 cores = std::max(1u, std::thread::hardware_concurrency());
  const u32 servers = chosen.servers != 0 ? chosen.servers : by_kernel ? 256 : by_launches ? 4 : cores;
  if (chosen.sockets > servers)
    throw std::runtime_error("--sockets " + std::to_string(chosen.sockets) + ": only " + std::to_string(servers) +
                             " servers read them");
  const u64 reply_bytes = reply_bytes_for(slot_bytes_of(chosen));
  std::optional<genesys::runtime> rt;
  if (by_kernel || by_launches) {
    const u64 pinned_bytes = by_launches ? pinned_bytes_of_launches(servers)
                             : chosen.buffers == where::pinned
                                 ? servers * (application::datagram_bytes_max + reply_bytes)
                                 : 0;
    rt.emplace(genesys::options{.device = by_launches ? genesys::device_kind::cuda : chosen.device,
                                .arena_bytes = pinned_bytes + (u64{16} << 20)});
  }
  storage from(rt ? &*rt : nullptr);
  task t{};
  t.items = make_table(chosen, from);
  int* const fds = from.of_both<int>(open.all.size());
  for (std::size_t i = 0; i < open.all.size(); ++i) fds[i] = open.all[i]->get();
  t.sockets = fds;
  t.socket_count = static_cast<u32>(open.all.size());
  t.ends = from.of_both<u32>(1);
  t.peers = from.of_both<application::datagram_peer>(servers);
  t.reply_bytes = reply_bytes;
  const auto wait = [&] {
    std::printf("memcached: %s, UDP port %u\n", chosen.address.c_str(), open.port);
    std::fflush(stdout);
    signals.wait();
  };
  const auto counts = by_kernel     ? serve_by_kernel(*rt, chosen, t, servers, from, wait)
                      : by_launches ? serve_by_launches(*rt, chosen, t, servers, from, wait)
                                    : serve_by_threads(chosen, t, servers, from, wait);
  server_counts sum{};
  for (const server_counts& each : counts) {
    sum.datagrams += each.datagrams, sum.gets += each.gets, sum.hits += each.hits;
    sum.sets += each.sets, sum.removes += each.removes;
  }
  const auto number = [](u64 value) { return static_cast<unsigned long long>(value); };
  std::printf("memcached: %llu datagrams, %llu gets, %llu hits, %llu sets, %llu deletes\n", number(sum.datagrams),
              number(sum.gets), number(sum.hits), number(sum.sets), number(sum.removes));
  application::flush_output();
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return application::run_program("memcached", 1, argc, argv, parse_server, run); }
