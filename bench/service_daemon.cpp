// SPDX-License-Identifier: Apache-2.0
// What the daemon for services adds to a call (docs/service-daemon.md). Parts:
//
//   call     a service that does nothing: by another process, over the same call in the server's process
//   clients  such calls by several processes, and by one with tickets
//   bytes    requests that read and write 1 MiB, by another process, over the same in the server's process
//
// This process has the server and the daemon. Its clients are children, forked before CUDA is in use. They run what a
// pipe tells them.
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "genesys/serve.h"
#include "genesys/service_client.h"
#include "support/measure.h"

namespace service_daemon_bench {
namespace {

using measure::bench;
using measure::numbers;

constexpr unsigned clients_max = 4, tickets = 16, times_max = 200'000;
constexpr std::size_t words_of_mebibyte = (1 << 20) / sizeof(std::uint64_t);

struct nothing {
  struct arguments {};
  static constexpr const char* name = "nothing";
  static constexpr bool quiet = true;
  GENESYS_KERNEL void operator()(const genesys::service_block&, const arguments&) const {}
};

struct mask {
  struct arguments {
    genesys::service_input from;
    genesys::service_buffer to;
  };
  static constexpr const char* name = "mask";
  static constexpr genesys::service_field fields[] = {{offsetof(arguments, from), genesys::service_field::input},
                                                      {offsetof(arguments, to), genesys::service_field::output}};
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    if (with.from.bytes != with.to.bytes) return -1;
    const auto* from = static_cast<const std::uint64_t*>(with.from.data);
    auto* to = static_cast<std::uint64_t*>(with.to.data);
    const std::uint64_t count = with.from.bytes / sizeof(std::uint64_t), step = here.threads();
    std::uint64_t i = here.thread();
    for (; i + 3 * step < count; i += 4 * step) {
      const std::uint64_t a = from[i], b = from[i + step], c = from[i + 2 * step], d = from[i + 3 * step];
      to[i] = ~a, to[i + step] = ~b, to[i + 2 * step] = ~c, to[i + 3 * step] = ~d;
    }
    for (; i < count; i += step) to[i] = ~from[i];
    return 0;
  }
};

void expect(long result) {
  if (result != 0) throw measure::failure("a request gave " + std::to_string(result));
}

// The same words for a server and for a client.
template <class Ticket, class Side, class Mask>
void move_bytes(Side& side, const Mask& masks, std::uint64_t* words, unsigned calls, unsigned blocks) {
  const std::size_t bytes = words_of_mebibyte * sizeof(std::uint64_t);
  std::vector<Ticket> under_way;
  for (unsigned i = 0; i < calls; ++i) {
    if (i >= tickets) expect(under_way[i % tickets].wait());
    std::uint64_t* const from = words + i % tickets * 2 * words_of_mebibyte;
    Ticket made = side.submit(masks, {{from, bytes}, {from + words_of_mebibyte, bytes}}, {.blocks = blocks});
    if (i < tickets)
      under_way.push_back(std::move(made));
    else
      under_way[i % tickets] = std::move(made);
  }
  for (Ticket& each : under_way) expect(each.wait());
}

// --- A client process.

struct command {
  enum class what : std::uint32_t { call, each, with_tickets, bytes } kind;
  std::uint32_t calls, blocks;
  char socket[96];
};

class client_process {
 public:
  client_process()
      : times_(static_cast<double*>(
            ::mmap(nullptr, times_max * sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
    if (::pipe(to_) != 0 || ::pipe(from_) != 0 || (process_ = ::fork()) < 0) ::abort();
    if (process_ != 0) {
      ::close(to_[0]), ::close(from_[1]);
      return;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::close(to_[1]), ::close(from_[0]);
    run();
  }
  ~client_process() {
    ::close(to_[1]), ::close(from_[0]);
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  client_process(const client_process&) = delete;
  client_process& operator=(const client_process&) = delete;

  void begin(const command& asked) { (void)!::write(to_[1], &asked, sizeof asked); }
  void end() {
    char good = 0;
    if (::read(from_[0], &good, 1) != 1 || good != 1) throw measure::failure("a client process has failed");
  }
  void operator()(const command& asked) { begin(asked), end(); }
  const double* times() const { return times_; }

 private:
  [[noreturn]] void run() {
    std::unique_ptr<genesys::service_client> client;
    std::uint64_t* words = nullptr;
    for (command asked; ::read(to_[0], &asked, sizeof asked) == sizeof asked;) {
      char good = 1;
      try {
        if (!client) {
          genesys::service_client_options options;
          options.socket = asked.socket;
          client = std::make_unique<genesys::service_client>(options);
          words = static_cast<std::uint64_t*>(client->allocate(tickets * 2 * words_of_mebibyte * sizeof *words));
          if (words == nullptr) throw measure::failure("no memory");
        }
        work(*client, words, asked);
      } catch (const std::exception& caught) {
        ::dprintf(2, "client: %s\n", caught.what());
        good = 0;
      }
      (void)!::write(from_[1], &good, 1);
    }
    ::_exit(0);
  }

  void work(genesys::service_client& client, std::uint64_t* words, const command& asked) {
    const auto nothings = client.find<nothing>();
    switch (asked.kind) {
      case command::what::call:
        for (unsigned i = 0; i < asked.calls; ++i) expect(client.call(nothings, {}));
        return;
      case command::what::each:
        for (unsigned i = 0; i < asked.calls && i < times_max; ++i) {
          const auto begin = measure::clock::now();
          expect(client.call(nothings, {}));
          times_[i] = 1e6 * measure::seconds_since(begin);
        }
        return;
      case command::what::with_tickets: {
        std::vector<genesys::remote_ticket> under_way;
        for (unsigned i = 0; i < asked.calls; i += tickets) {
          under_way.clear();
          for (unsigned k = 0; k < tickets; ++k) under_way.push_back(client.submit(nothings, {}));
          for (auto& each : under_way) expect(each.wait());
        }
        return;
      }
      case command::what::bytes:
        move_bytes<genesys::remote_ticket>(client, client.find<mask>(), words, asked.calls, asked.blocks);
    }
  }

  double* const times_;
  int to_[2], from_[2];
  pid_t process_ = 0;
};

client_process* clients[clients_max];

// --- The server and its daemon.

class served {
 public:
  explicit served(bench& all) : server_(genesys::service_list<nothing, mask>{}, server_options(all)) {
    char name[] = "/tmp/genesys-bench.XXXXXX";
    folder_ = ::mkdtemp(name);
    genesys::service_daemon_options options;
    options.socket = folder_ + "/sock";
    daemon_ =
        std::make_unique<genesys::service_daemon>(server_, genesys::service_registry::of<nothing, mask>(), options);
    thread_ = std::jthread([this] { daemon_->run(); });
  }
  ~served() {
    daemon_->stop();
    thread_.join();
    std::fputs(daemon_->report().c_str(), stderr);
    daemon_.reset();
    ::unlink((folder_ + "/sock.lock").c_str());
    ::rmdir(folder_.c_str());
  }
  served(const served&) = delete;
  served& operator=(const served&) = delete;

  genesys::service_server& server() { return server_; }
  command make(command::what kind, unsigned calls, unsigned blocks = 1) const {
    command made{kind, calls, blocks, {}};
    (folder_ + "/sock").copy(made.socket, sizeof made.socket - 1);
    return made;
  }

 private:
  static genesys::service_options server_options(bench& all) {
    genesys::service_options chosen;
    chosen.device = all.runtime_options();
    chosen.idle_us = 20'000;
    return chosen;
  }
  genesys::service_server server_;
  std::string folder_;
  std::unique_ptr<genesys::service_daemon> daemon_;
  std::jthread thread_;
};

void call(bench& all, served& with) {
  const unsigned calls = all.on_gpu() ? (all.quick() ? 5'000 : 50'000) : (all.quick() ? 200 : 2'000);
  const auto nothings = with.server().load(nothing{});
  const command asked = with.make(command::what::call, calls);
  const auto [inside, outside] = bench::by_turns(
      7,
      [&] {
        for (unsigned i = 0; i < calls; ++i) expect(with.server().call(nothings, {}));
      },
      [&] { (*clients[0])(asked); });
  const numbers inside_us = measure::each_us(inside, calls), outside_us = measure::each_us(outside, calls);
  all.keep("in_process", "us", inside_us);
  all.keep("daemon", "us", outside_us);
  all.keep("daemon_to_in_process", "ratio", measure::ratios(outside_us, inside_us));
  (*clients[0])(with.make(command::what::each, calls));
  all.keep_each("daemon_each", "us", numbers(clients[0]->times(), clients[0]->times() + calls));
}

void several(bench& all, served& with) {
  const unsigned calls = all.on_gpu() ? (all.quick() ? 10'000 : 100'000) : (all.quick() ? 400 : 4'000);
  for (const unsigned count : {1u, 2u, 4u}) {
    const command asked = with.make(command::what::call, calls / count);
    const auto [rounds] = bench::by_turns(5, [&] {
      for (unsigned i = 0; i < count; ++i) clients[i]->begin(asked);
      for (unsigned i = 0; i < count; ++i) clients[i]->end();
    });
    all.keep("throughput_" + std::to_string(count) + "_processes", "M/s", measure::millions_per_second(rounds, calls));
  }
  const unsigned whole = calls / tickets * tickets;
  const command asked = with.make(command::what::with_tickets, whole);
  const auto [rounds] = bench::by_turns(5, [&] { (*clients[0])(asked); });
  all.keep("throughput_16_tickets", "M/s", measure::millions_per_second(rounds, whole));
}

void bytes(bench& all, served& with) {
  const unsigned calls = all.on_gpu() ? (all.quick() ? 200 : 2'000) : (all.quick() ? 4 : 40);
  constexpr unsigned blocks = 8;
  const auto masks = with.server().load(mask{});
  auto* const words =
      static_cast<std::uint64_t*>(with.server().allocate(tickets * 2 * words_of_mebibyte * sizeof(std::uint64_t)));
  const command asked = with.make(command::what::bytes, calls, blocks);
  const auto [inside, outside] = bench::by_turns(
      5, [&] { move_bytes<genesys::service_ticket>(with.server(), masks, words, calls, blocks); },
      [&] { (*clients[0])(asked); });
  const double moved = 2.0 * (1 << 20) * calls;
  const numbers inside_rate = measure::gigabytes_per_second(inside, moved),
                outside_rate = measure::gigabytes_per_second(outside, moved);
  all.keep("bytes_in_process", "GB/s", inside_rate);
  all.keep("bytes_daemon", "GB/s", outside_rate);
  all.keep("bytes_daemon_to_in_process", "ratio", measure::ratios(outside_rate, inside_rate));
}

}  // namespace
}  // namespace service_daemon_bench

int main(int argc, char** argv) {
  using namespace service_daemon_bench;
  std::unique_ptr<client_process> made[clients_max];
  for (unsigned i = 0; i < clients_max; ++i) {
    made[i] = std::make_unique<client_process>();
    clients[i] = made[i].get();
  }
  std::unique_ptr<served> with;
  const auto part = [&](void (*run)(measure::bench&, served&)) {
    return [&with, run](measure::bench& all) {
      if (!with) with = std::make_unique<served>(all);
      run(all, *with);
    };
  };
  measure::bench all("service_daemon", "What the daemon for services adds to a call.");
  all.part("call", "a service that does nothing, by another process, over the same call in process", part(call));
  all.part("clients", "such calls by several processes, and with tickets", part(several));
  all.part("bytes", "requests that read and write 1 MiB, over the same in process", part(bytes));
  return all.main(argc, argv);
}
