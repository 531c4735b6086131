// SPDX-License-Identifier: Apache-2.0
#include "trace.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

#include "chosen_calls.h"
#include "control_client.h"
#include "histogram.h"
#include "live_screen.h"
#include "recording.h"
#include "trace/decode.h"
#include "trace_attach.h"
#include "trace_perfetto.h"
#include "trace_summary.h"
#include "trace_text.h"

namespace genesys::command {
namespace {

// A folder that goes with the object.
class scratch {
 public:
  scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "genesys-trace-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("cannot make a folder for the recording: " + std::string(std::strerror(errno)));
    path_ = name;
  }
  ~scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// `output`: a file for its output and errors; -1: they go where ours go.
pid_t started(const std::vector<std::string>& program, int output = -1) {
  std::vector<char*> words;
  for (const std::string& word : program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t pid = -1;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int each : {STDOUT_FILENO, STDERR_FILENO}) {
    if (output >= 0) ::posix_spawn_file_actions_adddup2(&actions, output, each);
  }
  const int failed = ::posix_spawnp(&pid, words[0], &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot run " + program[0] + ": " + std::strerror(failed));
  return pid;
}

volatile sig_atomic_t waited_for = 0;  // the program's process, while status_of() waits

// The terminal's signals go to the program by themselves. What another process sends to this one is passed on, once:
// who signals the whole group signals the program, too. This process waits for its end.
int status_of(pid_t pid) {
  waited_for = pid;
  struct sigaction ignore {
  }, pass{}, before[4];
  ignore.sa_handler = SIG_IGN;
  pass.sa_sigaction = [](int number, siginfo_t* from, void*) {
    if (from->si_code == SI_KERNEL || waited_for == 0) return;
    ::kill(waited_for, number);
    waited_for = 0;
  };
  pass.sa_flags = SA_RESTART | SA_SIGINFO;
  const std::pair<int, const struct sigaction*> changes[] = {
      {SIGINT, &ignore}, {SIGQUIT, &ignore}, {SIGTERM, &pass}, {SIGHUP, &pass}};
  for (std::size_t i = 0; i < std::size(changes); ++i) ::sigaction(changes[i].first, changes[i].second, &before[i]);
  int status = 0;
  // Its number is its own until it is reaped, after the handlers are gone.
  siginfo_t ended;
  while (::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  for (std::size_t i = 0; i < std::size(changes); ++i) ::sigaction(changes[i].first, &before[i], nullptr);
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// The recordings in a folder, in the order of their processes and runtimes: PID.RUNTIME.
std::vector<std::filesystem::path> recordings_in(const std::filesystem::path& folder, pid_t only) {
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (only == 0 || entry.path().stem() == std::to_string(only)) all.push_back(entry.path());
  }
  const auto numbers = [](const std::filesystem::path& of) {
    std::pair<unsigned long, unsigned long> found{};
    std::sscanf(of.filename().c_str(), "%lu.%lu", &found.first, &found.second);
    return found;
  };
  std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return numbers(a) < numbers(b); });
  return all;
}

// Files, and then their folder: they go if a signal ends this process. Never destroyed: a signal may come at the end.
std::vector<std::string>& of_no_use = *new std::vector<std::string>;

// From now on a signal that ends this process removes the folder as well.
void remove_if_ended(const std::filesystem::path& folder) {
  for (const auto& file : recordings_in(folder, 0)) of_no_use.push_back(file.string());
  of_no_use.push_back(folder.string());
  struct sigaction change {
  }, before{};
  change.sa_handler = [](int number) {
    for (const std::string& each : of_no_use) {
      if (::unlink(each.c_str()) != 0) ::rmdir(each.c_str());
    }
    ::raise(number);  // it arrives after this function, and ends the process
  };
  change.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    ::sigaction(each, &change, &before);
    if (before.sa_handler == SIG_IGN) ::sigaction(each, &before, nullptr);
  }
}

// Whether a process has begun to record there. A process that ends at once leaves an empty file.
// If not, it says so on standard error.
bool is_recording(const std::filesystem::path& file) try {
  recording{file.string()};
  return true;
} catch (const std::exception& wrong) {
  std::cerr << "genesys: process " << file.stem().string() << " left no calls: " << wrong.what() << "\n";
  return false;
}

// Throws if this file cannot be written. It keeps what it has, and if it is new, others cannot read it.
void check_can_write(const std::string& name) {
  const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) throw std::runtime_error(name + ": " + std::strerror(errno));
  ::close(fd);
}

// Keeps the recordings in NAME, NAME.1, NAME.2 and so on.
void keep(const std::vector<std::filesystem::path>& files, const std::string& name) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string to = i == 0 ? name : name + "." + std::to_string(i);
    check_can_write(to);
    std::ifstream from(files[i], std::ios::binary);
    std::ofstream kept(to, std::ios::binary);
    if (from.peek() != std::ifstream::traits_type::eof()) kept << from.rdbuf();
    kept.close();
    if (!kept) throw std::runtime_error(to + ": the recording cannot be written");
  }
  if (files.size() > 1)
    std::cerr << "genesys: " << files.size() << " recordings are in " << name << " and " << name << ".1"
              << (files.size() > 2 ? " to " + name + "." + std::to_string(files.size() - 1) : "") << "\n";
}

unsigned columns_of_terminal() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 60 ? std::min<unsigned>(size.ws_col, 120)
                                                                             : 80;
}

void print_all(std::ostream& to, const std::vector<std::filesystem::path>& files, const asked_trace& asked) {
  const chosen_calls which(asked.calls);
  summary all;
  std::map<std::string, histogram> times;
  std::int64_t clock_error_ns = -1;
  std::uint64_t dropped = 0;
  bool is_truncated = false;
  for (const auto& file : files) {
    recording from(file);
    if (!asked.summary && !asked.histograms) {
      print_text(to, from, which, asked.internal, asked.string_bytes,
                 files.size() > 1 ? "[pid " + std::to_string(from.header().pid) + "] " : "");
      continue;
    }
    clock_error_ns = std::max(clock_error_ns, from.clock_error_ns());
    for (recorded_call call; from.next(call);) {
      if (call.earlier.completed_ns != 0 && !is_internal(call.earlier.number))
        all.add_seen(trace::call_name(call.earlier.number), call.earlier.seen_ns - call.earlier.completed_ns);
      if (call.is_internal() || (call.raw.flags & (trace::flag_again | trace::flag_malformed)) != 0) continue;
      if (!which.has(trace::call_name(call.raw.number))) continue;
      const std::string name = name_in_table(call);
      all.add(name, call);
      if (asked.histograms && call.linux_ns() >= 0) times[name].add(call.linux_ns());
    }
    dropped += from.dropped();
    is_truncated = is_truncated || from.is_truncated();
  }
  all.add_dropped(dropped);
  for (const auto& [name, of] : times) of.print(to, name, columns_of_terminal());
  if (asked.summary) {
    all.print(to, clock_error_ns);
  } else if (dropped != 0) {
    to << "+++ " << dropped << " calls are not recorded +++\n";
  }
  if (is_truncated) to << "+++ the recording is cut off +++\n";
}

// The screen; the program's output comes after it.
int run_live(const asked_trace& asked) {
  check_terminal();
  if (asked.pid != 0) {
    if (runtimes_of(asked.pid).empty())
      throw std::runtime_error("process " + std::to_string(asked.pid) + ": " + why_no_runtime(asked.pid));
    show_live(asked.pid, "");
    return 0;
  }
  std::FILE* const output = std::tmpfile();
  if (output == nullptr)
    throw std::runtime_error("no file for the program's output: " + std::string(std::strerror(errno)));
  const pid_t pid = started(asked.program, ::fileno(output));
  std::string about;
  for (const std::string& word : asked.program) about += (about.empty() ? "" : " ") + word;
  try {
    if (show_live(pid, about)) ::kill(pid, SIGINT);  // as Ctrl-C would without the screen
  } catch (...) {
    ::kill(pid, SIGKILL);
    status_of(pid);
    std::fclose(output);
    throw;
  }
  const int status = status_of(pid);
  std::rewind(output);
  char text[4096];
  for (std::size_t got; (got = std::fread(text, 1, sizeof text, output)) != 0;) std::fwrite(text, 1, got, stdout);
  std::fclose(output);
  return status;
}

// What the options ask for, as text or as a trace for Perfetto, or both.
void show_all(std::ostream& text, std::ofstream& perfetto, const std::vector<std::filesystem::path>& files,
              const asked_trace& asked) {
  if (asked.perfetto.empty() || asked.summary || asked.histograms) print_all(text, files, asked);
  if (asked.perfetto.empty()) return;
  const std::string program =
      asked.program.empty() ? "" : std::filesystem::path(asked.program.front()).filename().string();
  const missing_calls missing =
      write_perfetto(perfetto, files, chosen_calls(asked.calls), asked.internal, asked.string_bytes, program);
  if (missing.dropped != 0) std::cerr << "genesys: " << missing.dropped << " calls are not recorded\n";
  if (missing.is_truncated) std::cerr << "genesys: the recording is cut off\n";
}

}  // namespace

int run_trace(const asked_trace& asked) try {
  (void)chosen_calls(asked.calls);  // wrong ones are refused before the program runs
  std::ofstream file, perfetto;
  const auto open = [&asked](std::ofstream& opened, const std::string& name) {
    std::error_code ignored;
    if (name.empty()) return;
    if (!asked.read.empty() && std::filesystem::equivalent(name, asked.read, ignored))
      throw std::runtime_error(name + " is the recording; it would be overwritten");
    opened.open(name, std::ios::binary);
    if (!opened) throw std::runtime_error(name + ": " + std::strerror(errno));
  };
  open(file, asked.output);
  open(perfetto, asked.perfetto);
  if (!asked.record.empty()) check_can_write(asked.record);
  std::ostream& to = asked.output.empty() ? (asked.read.empty() ? std::cerr : std::cout) : file;
  int status = 0;
  const bool as_text = !asked.summary && !asked.histograms && asked.perfetto.empty();
  const bool only_records = as_text && asked.output.empty() && !asked.record.empty();
  if (asked.live) {
    status = run_live(asked);
  } else if (!asked.read.empty()) {
    show_all(to, perfetto, {asked.read}, asked);
  } else if (asked.pid != 0 && as_text && asked.record.empty()) {
    print_while_running(to, asked);
  } else {
    const scratch folder;
    ::setenv("GENESYS_TRACE", (folder.path() / "%p.%r").c_str(), 1);
    ::setenv("GENESYS_TRACE_DATA", std::to_string(asked.string_bytes).c_str(), 1);
    ::setenv("GENESYS_TRACE_PATHS", asked.paths ? "1" : "0", 1);
    const pid_t pid = asked.pid != 0 ? asked.pid : started(asked.program);
    if (asked.pid != 0) {
      record_while_running(asked, folder.path());
    } else {
      status = status_of(pid);
    }
    remove_if_ended(folder.path());
    auto files = recordings_in(folder.path(), asked.children ? 0 : pid);
    if (files.empty())
      std::cerr << "genesys: the program made no runtime of genesys"
                << (asked.children ? "" : "; with -f its children are traced, too") << "\n";
    if (std::erase_if(files, [](const auto& file) { return !is_recording(file); }) != 0 && files.empty() &&
        !asked.record.empty())
      std::filesystem::resize_file(asked.record, 0);  // and not an older recording
    if (!asked.record.empty()) keep(files, asked.record);
    if (!only_records) show_all(to, perfetto, files, asked);
  }
  to.flush();
  if (!to) throw std::runtime_error("the output cannot be written");
  return status;
} catch (const std::exception& wrong) {
  std::cerr << "genesys: " << wrong.what() << "\n";
  return 1;
}

}  // namespace genesys::command
