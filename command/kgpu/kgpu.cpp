// SPDX-License-Identifier: Apache-2.0
// genesys-kgpu: the daemon of the Linux module kgpu. It has the service aes compute what Linux's crypto API asks of
// xts(aes), on a GPU or on the CPU device. docs/service-linux.md.
#include <signal.h>
#include <sys/signalfd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "service/kgpu_by_aes.h"

namespace {

namespace services = genesys::detail::services;

// On a GPU the memory that Linux shares with the daemon must be registered.
template <class Server>
std::shared_ptr<void> registered(Server& server, std::span<std::byte> memory) {
  if constexpr (requires { server.register_memory(memory.data(), memory.size()); }) {
    using registration = decltype(server.register_memory(memory.data(), memory.size()));
    return std::make_shared<registration>(server.register_memory(memory.data(), memory.size()));
  } else {
    return nullptr;
  }
}

struct settings {
  services::kgpu_options kgpu;
  genesys::device_kind device = genesys::device_kind::any;
  std::string path = "/dev/kgpu";
  unsigned blocks = 0;
};

// Readable when the daemon is to end. The threads that start later block these signals, too.
int end_signals() {
  sigset_t ends;
  sigemptyset(&ends);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&ends, number);
  sigprocmask(SIG_BLOCK, &ends, nullptr);
  return signalfd(-1, &ends, SFD_CLOEXEC);
}

void serve(settings chosen) {
  const int stop = end_signals();
  services::prepare_for_kgpu();
  genesys::service_options options;
  options.device.device = chosen.device;
  options.blocks = chosen.blocks;
  options.limit_ms = 30'000;  // a request that takes longer ends the daemon; the module has done it long before
  genesys::service_server server(genesys::service_list<genesys::services::aes>{}, options);
  services::kgpu_by_aes cipher(server, server.load(genesys::services::aes{}));
  chosen.kgpu.path = chosen.path.c_str();
  services::serve_kgpu(
      chosen.kgpu, stop, std::ref(cipher), [&](std::span<std::byte> memory) { return registered(server, memory); },
      [&] {
        std::printf("genesys-kgpu: Linux has checked the answers and sends requests\n%s\n", server.describe().c_str());
        std::fflush(stdout);
      });
  std::printf("genesys-kgpu: %llu requests of the service\n",
              static_cast<unsigned long long>(server.counts().requests));
}

}  // namespace

int main(int count, char** words) {
  CLI::App app{"The daemon of the Linux module kgpu: xts(aes) of Linux's crypto API by a service", "genesys-kgpu"};
  settings chosen;
  const std::map<std::string, genesys::device_kind> devices{
      {"any", genesys::device_kind::any}, {"cpu", genesys::device_kind::cpu}, {"cuda", genesys::device_kind::cuda}};
  app.add_option("--device", chosen.device, "any, cpu or cuda")->transform(CLI::CheckedTransformer(devices));
  app.add_option("--path", chosen.path, "the module's device")->capture_default_str();
  app.add_option("--threads", chosen.kgpu.threads, "that take requests")
      ->check(CLI::Range(1u, 64u))
      ->capture_default_str();
  app.add_option("--batch", chosen.kgpu.batch, "requests that a thread takes at most")
      ->check(CLI::Range(1u, 1024u))
      ->capture_default_str();
  app.add_option("--spin-us", chosen.kgpu.spin_us, "how long a thread looks for requests before it sleeps")
      ->capture_default_str();
  app.add_option("--blocks", chosen.blocks, "of the GPU that compute; 0: as the server chooses");
  CLI11_PARSE(app, count, words);
  try {
    serve(chosen);
    return 0;
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "genesys-kgpu: %s\n", wrong.what());
    return 1;
  }
}
