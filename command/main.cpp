// SPDX-License-Identifier: Apache-2.0
// The genesys command: which devices and executors are available, which calls kernels can make, a page on each call,
// what a policy allows, a trace of the calls of a program, which kernels can be aborted and run again, the daemon of
// processes by priority, and the daemon that offers services.
#include <CLI/CLI.hpp>
#include <cstring>
#include <iostream>

#include "info.h"
#include "metrics.h"
#include "policy.h"
#include "schedule_cache.h"
#include "schedule_explain.h"
#include "schedule_ps.h"
#include "schedule_rewrite.h"
#include "schedule_run.h"
#include "schedule_top.h"
#include "scheduled.h"
#include "serve.h"
#include "services.h"
#include "syscalls.h"
#include "trace.h"
#include "trace_python.h"

namespace {

constexpr char trace_about[] = "Runs a program and prints the calls of its kernels, as strace does";

int trace_main(int argc, char** argv) {
  using namespace genesys::command;
  if (argc > 1 && is_in_python(argv[1])) return run_python(argv + 1);
  CLI::App app{std::string(trace_about) + ":\n  genesys trace [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n" +
               "  genesys trace [OPTIONS] -p PID\n  genesys trace [OPTIONS] --read FILE\n" +
               "  genesys trace plot FILE... -o FILE.svg|png|html     (python3 -m genesys_trace; --help says more)\n" +
               "  genesys trace compare FILE FILE... [-o FILE.svg|png|html]"};
  app.name("genesys trace");
  asked_trace asked;
  app.add_flag("-c,--summary-only", asked.summary, "A summary instead: calls, errors, and where their time goes");
  app.add_flag("--histogram", asked.histograms, "How long each call is in Linux: a histogram, percentiles, modes");
  app.add_option("-e,--trace", asked.calls,
                 "Only these: names and %domains, as openat,%net; with ! in front, all others");
  app.add_flag("-f,--follow-forks", asked.children, "Runtimes of child processes, too");
  app.add_option("-o,--output", asked.output, "Print to this file (else to standard error)");
  app.add_option("-p,--attach", asked.pid, "Trace this process, which runs already, until it ends or Ctrl-C");
  app.add_flag("--live", asked.live, "A screen that shows what happens now, as top does");
  app.add_flag("-y,--decode-fds", asked.paths, "Descriptors with their paths");
  app.add_option("-s,--string-limit", asked.string_bytes, "How many bytes of buffers to print (32; at most 256)")
      ->check(CLI::Range(0, 256));
  app.add_flag("--internal", asked.internal, "Also requests to the runtime itself, such as waits for descriptors");
  app.add_option("--perfetto", asked.perfetto, "Instead write a trace for ui.perfetto.dev to this file");
  app.add_option("--record", asked.record,
                 "Keep the recording in this file, further ones in FILE.1, FILE.2; print nothing else "
                 "unless -c, --histogram, --perfetto or -o asks for it");
  app.add_option("--read", asked.read, "Print this recording, and run no program");
  app.prefix_command();
  app.footer("The exit status is the program's; 128 + N if signal N ended it.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  asked.program = app.remaining();
  if (!asked.program.empty() && asked.program[0].starts_with('-')) {
    if (asked.program[0] != "--") {
      std::cerr << "genesys: trace has no option '" << asked.program[0] << "'; 'genesys trace --help' lists them\n";
      return 2;
    }
    asked.program.erase(asked.program.begin());
  }
  if (!asked.program.empty() + !asked.read.empty() + (asked.pid != 0) != 1) {
    std::cerr << "genesys: trace takes a program, or -p and a process, or --read and a recording; "
                 "'genesys trace --help' says more\n";
    return 2;
  }
  if (asked.live && (asked.summary || asked.histograms || asked.children || !asked.read.empty() ||
                     !asked.output.empty() || !asked.perfetto.empty() || !asked.record.empty())) {
    std::cerr << "genesys: --live shows a screen and keeps nothing, so it goes with none of -c, --histogram, -f, -o, "
                 "--perfetto, --record and --read\n";
    return 2;
  }
  if (!asked.read.empty() && !asked.record.empty()) {
    std::cerr << "genesys: --record keeps what a program does, so it does not go with --read\n";
    return 2;
  }
  return run_trace(asked);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace genesys::command;
  if (argc > 1 && std::strcmp(argv[1], "trace") == 0) return trace_main(argc - 1, argv + 1);
  if (argc > 2 && std::strcmp(argv[1], "schedule") == 0 && std::strcmp(argv[2], "run") == 0) {
    return schedule_run_main(argc - 2, argv + 2);
  }
  if (argc > 1 && std::strcmp(argv[1], "serve") == 0) return become_serve(argv + 1);
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

  CLI::App& metrics = *app.add_subcommand("metrics", "The counters of a process, as OpenMetrics text");
  int process = 0;
  metrics.add_option("PID", process, "A process with a runtime (else the only one)");

  CLI::App& schedule = *app.add_subcommand("schedule", "Kernels by priority");
  schedule.require_subcommand(1);
  CLI::App& explain =
      *schedule.add_subcommand("explain", "Which kernels can be aborted and run again, why not, and what they write");
  asked_explain file;
  explain.add_option("FILE", file.file, "PTX, a fatbin, or a program or library that nvcc built")->required();
  explain.add_option("--kernel", file.kernel, "Only kernels whose name has this in it");
  explain.add_flag("--json", file.json, "As JSON");
  CLI::App& rewrite = *schedule.add_subcommand(
      "rewrite", "PTX with polls, so that its kernels can be aborted; or that measures how long blocks run");
  asked_rewrite text;
  rewrite.add_option("FILE", text.file, "PTX")->required();
  rewrite.add_option("--kernel", text.kernel, "Only kernels whose name has this in it");
  rewrite.add_option("--variant", text.variant, "Polls where kernels begin, or also in loops; or times of blocks")
      ->check(CLI::IsMember({"entry", "loops", "timed", "timed_loops"}))
      ->capture_default_str();
  rewrite.add_option("-o,--output", text.output, "Where the text goes");

  CLI::App& processes = *schedule.add_subcommand("ps", "The processes that the scheduling daemon knows");
  asked_processes members;
  processes.add_option("--socket", members.socket, "The daemon's socket (else GENESYS_SCHEDULED, else the default)");
  processes.add_flag("--json", members.json, "As JSON");

  CLI::App& top = *schedule.add_subcommand("top", "A screen of these processes and their kernels, as top has it");
  std::string top_socket;
  top.add_option("--socket", top_socket, "The daemon's socket (else GENESYS_SCHEDULED, else the default)");

  CLI::App& cache = *schedule.add_subcommand("cache", "What the scheduler keeps on disk of kernels and their times");
  asked_cache kept;
  cache.add_flag("--clear", kept.clear, "Remove it");
  cache.add_flag("--json", kept.json, "As JSON");
  cache.footer("GENESYS_SCHEDULE_CACHE names another folder; 0 switches it off.");

  asked_services services_wanted;
  CLI::App& services =
      *app.add_subcommand("services", "What services cost on the GPU and on the CPU, and those of a daemon");
  services.add_option("--file", services_wanted.file, "The file of learnt costs (default: that of this user)");
  services.add_option("--cores", services_wanted.cores, "Compare with so many cores (default: those of this machine)");
  services.add_flag("--json", services_wanted.json, "The costs as JSON, and nothing of a daemon");
  const auto add_socket = [](CLI::App& to, std::string& socket) {
    to.add_option("--socket", socket, "Of 'genesys serve' (else GENESYS_SERVE, else the default one)");
  };
  add_socket(services, services_wanted.socket);
  asked_load to_load;
  CLI::App& load_one = *services.add_subcommand(
      "load", "FILE [FILE] NAME: load a service into the daemon, from PTX, a shared object, or both");
  load_one.add_option("FILE-NAME", to_load.words, "One or two files, and then the service's symbol")
      ->type_name("")
      ->required()
      ->expected(2, 3);
  add_socket(load_one, to_load.socket);
  load_one.footer("Only root and the daemon's user may. Clients that connect later find the service.");
  asked_unload to_unload;
  CLI::App& unload_one = *services.add_subcommand("unload", "Unload a service that the daemon has loaded");
  unload_one.add_option("NAME", to_unload.name, "The service's name")->type_name("")->required();
  add_socket(unload_one, to_unload.socket);
  unload_one.footer(
      "Only root and the daemon's user may. It waits for requests of the service; later ones get ENOENT.");

  CLI::App& daemon = *app.add_subcommand("scheduled", "The daemon: less important processes hold for others");
  asked_daemon serve;
  daemon.add_option("--socket", serve.socket,
                    "Listen here (else /run/genesys/scheduled, or $XDG_RUNTIME_DIR/genesys/scheduled for a user)");
  daemon.add_option("--group", serve.group,
                    "Only this group may connect (else all users; for a user's daemon, itself)");
  daemon.add_option("--allow", serve.allow_list,
                    "A file with lines 'user NAME nice N' and 'group NAME nice N', which may ask for nice N and more");
  daemon.add_flag("--foreground", serve.foreground, "Stay in the foreground");
  const CLI::Range some_ms(0.0, 1e6);
  daemon
      .add_option("--aging-step", serve.aging_step_ms, "Milliseconds held per nice value that a process rises; 0: none")
      ->check(some_ms)
      ->capture_default_str();
  daemon.add_option("--aging-run-max", serve.run_max_ms, "Believe a process that it needs the GPU so many ms, at most")
      ->check(some_ms)
      ->capture_default_str();
  daemon.add_option("--lease", serve.lease_ms, "A busy process that shows no sign of life for so many ms holds nobody")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();

  // Only for the list: these have a command line of their own, since a program's arguments follow.
  (void)schedule.add_subcommand("run", schedule_run_about);
  (void)app.add_subcommand("trace", trace_about);
  (void)app.add_subcommand("serve", serve_about);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  int status = 0;
  if (info) status = print_info(std::cout);
  if (syscalls) status = print_syscalls(std::cout, wanted);
  if (policy) status = print_policy(std::cout, std::cerr, asked);
  if (metrics) status = print_metrics(std::cout, std::cerr, process);
  if (explain) status = explain_kernels(std::cout, std::cerr, file);
  if (rewrite) status = rewrite_kernels(std::cout, std::cerr, text);
  if (processes) status = print_processes(std::cout, std::cerr, members);
  if (top) status = show_top(std::cerr, top_socket);
  if (cache) status = show_cache(std::cout, std::cerr, kept);
  if (load_one) {
    status = load_service(std::cerr, to_load);
  } else if (unload_one) {
    status = unload_service(std::cerr, to_unload);
  } else if (services) {
    status = show_services(std::cout, std::cerr, services_wanted);
  }
  if (daemon) status = run_daemon(std::cerr, serve);
  if (man) status = print_page(std::cout, std::cerr, call);
  std::cout.flush();
  if (!std::cout) {
    std::cerr << "genesys: cannot write to standard output\n";
    return 1;
  }
  return status;
}
