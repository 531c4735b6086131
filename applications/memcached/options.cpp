// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <CLI/CLI.hpp>

#include "support/command_line.h"

namespace memcached {

std::optional<settings> parse_server(int argc, char** argv, int& exit_code) {
  settings chosen;
  CLI::App app{
      "Keeps values under keys, and serves them by memcached's protocols over UDP, text and binary, until SIGINT or "
      "SIGTERM. A kernel receives, looks up and sends.",
      "memcached"};
  app.add_option("-l,--listen", chosen.address, "The IPv4 address that it listens at")->capture_default_str();
  app.add_option("-U,--udp-port", chosen.port, "The UDP port; 0: one that is free")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  app.add_option("-m,--memory-limit", chosen.memory_mib, "Memory for items, in MiB")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  app.add_option("-I,--max-item-size", chosen.item_size,
                 "Bytes of each item: its key, rounded up to 16 bytes, its value, and 16 more")
      ->check(CLI::Range(64, 1 << 20))
      ->capture_default_str();
  app.add_option("--depth", chosen.depth, "Items of a bucket")->check(CLI::Range(1, 1 << 20))->capture_default_str();
  application::add_choice<search>(app, "--search", chosen.how, {{"tags", search::tags}, {"items", search::items}},
                                  "How it finds a key in its bucket: by tags, or by the keys of the items");
  app.add_option(
         "--servers", chosen.servers,
         "Blocks of the kernel, all of which must be resident, or threads of the CPU; 0: 256 blocks, or a thread "
         "for each core, or 4 threads that launch kernels")
      ->check(CLI::Range(0, 4096));
  app.add_option("--threads", chosen.threads, "Threads of a block")->check(CLI::Range(1, 1024))->capture_default_str();
  app.add_option("--sockets", chosen.sockets, "Sockets at the port; Linux gives each client to one of them")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  application::add_choice<version>(
      app, "--by", chosen.by,
      {{"kernel", version::kernel},
       {"cpu", version::cpu},
       {"vectors", version::vectors},
       {"launches", version::launches}},
      "kernel; cpu: the same with threads of the CPU; vectors: these with vector instructions; launches: the host "
      "receives and sends, and launches a kernel for each batch");
  application::add_choice<where>(app, "--buffers", chosen.buffers,
                                 {{"device", where::device}, {"pinned", where::pinned}},
                                 "Where datagrams lie: pinned, which Linux fills itself, or device");
  application::add_device(app, chosen.device);
  return application::parsed(app, argc, argv, chosen, exit_code);
}

}  // namespace memcached
