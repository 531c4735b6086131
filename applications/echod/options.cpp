// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <CLI/CLI.hpp>

#include "support/command_line.h"

namespace echod {
std::optional<server_settings> parse_server(int argc, char** argv, int& exit_code) {
  server_settings chosen;
  CLI::App app{
      "Sends back what it gets, over UDP and TCP (RFC 862), until SIGINT or SIGTERM. A kernel receives and sends.",
      "echod"};
  app.add_option("-a,--address", chosen.address, "The IPv4 address that it listens at")->capture_default_str();
  app.add_option("-p,--port", chosen.port, "The port, of UDP and TCP; 0: one that is free")
      ->check(CLI::Range(0, 65535));
  app.add_option("--udp", chosen.udp_servers, "Blocks that serve UDP; all blocks must be resident")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  app.add_option("--tcp", chosen.tcp_servers, "Blocks that serve TCP, a connection each")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  app.add_option("--threads", chosen.threads, "Threads of a block")->check(CLI::Range(1, 1024))->capture_default_str();
  application::add_choice<version>(app, "--by", chosen.by, {{"kernel", version::kernel}, {"cpu", version::cpu}},
                                   "kernel; or cpu: the same with a thread of the CPU for each block");
  application::add_choice<where>(app, "--memory", chosen.memory, {{"device", where::device}, {"pinned", where::pinned}},
                                 "Where messages lie: pinned, which Linux fills itself, or device");
  application::add_device(app, chosen.device);
  return application::parsed(app, argc, argv, chosen, exit_code);
}

std::optional<load_settings> parse_load(int argc, char** argv, int& exit_code) {
  load_settings chosen;
  CLI::App app{
      "Sends messages to an echo server, checks what comes back, and prints how much that was. Each client is a thread "
      "with a socket, and has some messages under way.",
      "echo-load"};
  app.add_option("-a,--address", chosen.address, "The server's IPv4 address")->capture_default_str();
  app.add_option("port", chosen.port, "The server's port")->required()->check(CLI::Range(1, 65535));
  app.add_flag("--tcp", chosen.tcp, "By TCP instead of UDP");
  app.add_option("-b,--bytes", chosen.bytes, "Bytes of a message")->check(CLI::Range(8, 65507))->capture_default_str();
  app.add_option("-c,--clients", chosen.clients, "Clients")->check(CLI::Range(1, 256))->capture_default_str();
  app.add_option("-w,--window", chosen.window, "Messages under way of each client; at most 256 KiB of them")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("-s,--seconds", chosen.seconds, "How long")->check(CLI::Range(0.01, 3600.0))->capture_default_str();
  return application::parsed(app, argc, argv, chosen, exit_code);
}

}  // namespace echod
