// SPDX-License-Identifier: Apache-2.0
#include "load_options.h"
#include "support/command_line.h"

#include <CLI/CLI.hpp>

namespace memcached {

std::optional<load_settings> parse_load(int argc, char** argv, int& exit_code) {
  load_settings chosen;
  CLI::App app{
      "Stores values in a memcached server by UDP, then gets them for a time, checks each reply, and prints how many "
      "there were and how long they took. Each client is a thread with a socket, and has some requests under way.",
      "memcached-load"};
  app.add_option("-a,--address", chosen.address, "The server's IPv4 address")->capture_default_str();
  app.add_option("port", chosen.port, "The server's UDP port")->required()->check(CLI::Range(1, 65535));
  app.add_option("-k,--keys", chosen.keys, "Keys")->check(CLI::Range(1, 100'000'000))->capture_default_str();
  app.add_option("-b,--bytes", chosen.value_bytes, "Bytes of a value")
      ->check(CLI::Range(0, 65'000))
      ->capture_default_str();
  app.add_option("-c,--clients", chosen.clients, "Clients")->check(CLI::Range(1, 256))->capture_default_str();
  app.add_option("-w,--window", chosen.window, "Requests under way of each client")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("-s,--seconds", chosen.seconds, "How long")->check(CLI::Range(0.01, 3600.0))->capture_default_str();
  app.add_option("--sets", chosen.sets, "How many of 100 requests store a value")->check(CLI::Range(0, 100));
  app.add_flag("--text", chosen.is_text, "By the text protocol instead of the binary one");
  app.add_flag("--keep", chosen.keeps, "The server has the values of an earlier run with as many keys and bytes");
  app.add_option("--json", chosen.json, "Writes the figures to this file");
  return application::parsed(app, argc, argv, chosen, exit_code);
}

}  // namespace memcached
