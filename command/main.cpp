// SPDX-License-Identifier: Apache-2.0
// The genesys command: which devices and executors are available, which calls kernels can make, a page on each call,
// and what a policy allows.
#include <CLI/CLI.hpp>
#include <iostream>

#include "info.h"
#include "policy.h"
#include "syscalls.h"

int main(int argc, char** argv) {
  using namespace genesys::command;
  CLI::App app{"genesys: Linux system calls for GPU kernels"};
  app.name("genesys");
  app.set_version_flag("--version", "genesys " GENESYS_VERSION);
  app.require_subcommand(1);
  app.footer("Exit status: 0; 1 if there is no device, no such call, or a wrong rule; 2 if the command line is wrong.");

  CLI::App& info = *app.add_subcommand("info", "Devices, driver, executors: what is available here, or why it is not");

  CLI::App& syscalls =
      *app.add_subcommand("syscalls", "The system calls of Linux 6.18, and how far kernels can make them");
  listing wanted;
  syscalls.add_option("--class", wanted.of_class, "Only those of one class")
      ->check(CLI::IsMember({"ready", "changed", "hardware", "unsupported"}));
  syscalls.add_option("--format", wanted.format, "text (a line for each) or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();

  CLI::App& man = *app.add_subcommand("man", "The page on one call");
  std::string call;
  man.add_option("CALL", call, "Its name, as pread64, or ioctl$FIONREAD for one variant")->required();

  CLI::App& policy = *app.add_subcommand("policy", "What a policy allows kernels; names the place of a wrong rule");
  asked_policy asked;
  policy.add_option("POLICY", asked.name, "all, io, strict, none, or a file of rules (else GENESYS_POLICY, else all)");
  policy.add_flag("--list", asked.list, "Each call, allowed or denied");
  policy.add_option("--format", asked.format, "text or json (which lists each call)")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  int status = 0;
  if (info) status = print_info(std::cout);
  if (syscalls) status = print_syscalls(std::cout, wanted);
  if (policy) status = print_policy(std::cout, std::cerr, asked);
  if (man) status = print_page(std::cout, std::cerr, call);
  std::cout.flush();
  if (!std::cout) {
    std::cerr << "genesys: cannot write to standard output\n";
    return 1;
  }
  return status;
}
