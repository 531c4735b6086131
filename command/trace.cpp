// SPDX-License-Identifier: Apache-2.0
#include "trace.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <stdexcept>

#include "genesys/detail/wire/request.h"
#include "histogram.h"
#include "recording.h"
#include "reference.h"
#include "trace/decode.h"

namespace genesys::command {
namespace {

// --- Which calls.

class chosen_calls {
 public:
  // Throws std::runtime_error: no such call, no such domain.
  explicit chosen_calls(std::string asked) {
    if (asked.empty()) return;
    const bool others = asked[0] == '!';
    if (others) asked.erase(0, 1);
    std::set<std::string> names;
    for (std::size_t begin = 0; begin <= asked.size();) {
      const std::size_t end = std::min(asked.find(',', begin), asked.size());
      add(asked.substr(begin, end - begin), names);
      begin = end + 1;
    }
    names_.emplace(std::move(names));
    others_ = others;
  }

  bool has(const std::string& name) const { return !names_ || (names_->count(name) != 0) != others_; }

 private:
  static void add(const std::string& word, std::set<std::string>& names) {
    const auto count = names.size();
    for (const reference& one : all_references()) {
      if (word[0] == '%' ? word.substr(1) == one.domain : word == one.base || word == one.name) names.insert(one.base);
    }
    if (names.size() != count || names.count(word) != 0) return;
    if (word[0] != '%') throw std::runtime_error("-e: Linux 6.18 has no call '" + word + "'");
    std::set<std::string> domains;
    for (const reference& one : all_references()) domains.insert(one.domain);
    std::string text;
    for (const std::string& domain : domains) text += " %" + domain;
    throw std::runtime_error("-e: there is no class '" + word + "':" + text);
  }

  std::optional<std::set<std::string>> names_;  // none: all calls
  bool others_ = false;
};

// --- Text.

std::string seconds(std::int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%06lld", static_cast<long long>(ns / 1'000'000'000),
                static_cast<long long>(ns % 1'000'000'000 / 1000));
  return text;
}

std::string time_of_day(std::int64_t ns) {
  const time_t whole = static_cast<time_t>(ns / 1'000'000'000);
  tm local{};
  ::localtime_r(&whole, &local);
  char text[40];
  std::snprintf(text, sizeof text, "%02d:%02d:%02d.%06lld", local.tm_hour, local.tm_min, local.tm_sec,
                static_cast<long long>(ns % 1'000'000'000 / 1000));
  return text;
}

std::string result_of(const recorded_call& call) {
  const std::int64_t value = call.raw.result;
  if ((call.raw.flags & trace::flag_malformed) != 0) return "? (malformed)";
  if ((call.raw.flags & trace::flag_again) != 0) return "? (not ready: waits, and is made again)";
  if (value < 0 && value >= -4095) {
    const char* const name = ::strerrorname_np(static_cast<int>(-value));
    return "-1 " + (name != nullptr ? std::string(name) : "errno " + std::to_string(-value)) + " (" +
           std::strerror(static_cast<int>(-value)) + ")";
  }
  return value > 1 << 30 || value < 0 ? [&] {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return std::string(text);
  }()
                                      : std::to_string(value);
}

std::string words_of(const recorded_call& call) {
  switch (call.raw.number) {
    case detail::internal_resolve:
      return "(resolve_address)";
    case detail::internal_wait:
      return "(wait_ready fd=" + std::to_string(static_cast<int>(call.raw.args[0])) + ")";
    case detail::internal_lost:
      return "(lost_call)";
    case detail::internal_file:
      return "(look_at_file fd=" + std::to_string(static_cast<int>(call.raw.args[0])) + ")";
    default:
      return trace::decode(call.raw.number, call.raw.args);
  }
}

void print_call(std::ostream& to, const recorded_call& call, const std::string& process) {
  static constexpr const char* scopes[] = {"thread", "warp", "block", "grid"};
  to << process << time_of_day(call.begin_ns()) << " [block " << call.raw.block << " warp " << unsigned{call.raw.warp};
  if (call.raw.scope != 0) to << " " << scopes[call.raw.scope & 3];
  to << "] " << words_of(call) << " = " << result_of(call);
  const std::int64_t length = call.completed_ns - call.begin_ns();
  to << " <" << seconds(std::max<std::int64_t>(length, 0)) << ">\n";
}

// Prints the calls in the order of their beginnings. Workers' records reach the file some milliseconds apart.
void print_text(std::ostream& to, recording& from, const chosen_calls& which, const asked_trace& asked,
                const std::string& process) {
  constexpr std::int64_t apart_ns = 1'000'000'000;
  const auto later = [](const recorded_call& a, const recorded_call& b) { return a.begin_ns() > b.begin_ns(); };
  std::priority_queue<recorded_call, std::vector<recorded_call>, decltype(later)> waiting(later);
  std::int64_t last_ns = 0;
  const auto print_until = [&](std::int64_t ns) {
    for (; !waiting.empty() && waiting.top().begin_ns() <= ns; waiting.pop()) print_call(to, waiting.top(), process);
  };
  for (recorded_call call; from.next(call);) {
    if (call.is_internal() ? !asked.internal : !which.has(trace::call_name(call.raw.number))) continue;
    last_ns = std::max(last_ns, call.completed_ns);
    waiting.push(call);
    print_until(last_ns - apart_ns);
  }
  print_until(last_ns);
  while (!waiting.empty()) print_call(to, waiting.top(), process), waiting.pop();
  if (from.dropped() != 0) to << process << "+++ " << from.dropped() << " calls are not recorded +++\n";
  if (from.is_truncated()) to << process << "+++ the recording is cut off +++\n";
}

// --- The summary.

class summary {
 public:
  void add(const recorded_call& call) {
    row& of = rows_[trace::call_name(call.raw.number)];
    ++of.calls;
    of.errors += call.raw.result < 0 && call.raw.result >= -4095;
    if (call.queued_ns >= 0) of.queued_ns += call.queued_ns, ++of.queued;
    if (call.linux_ns() >= 0) of.linux_ns += call.linux_ns();
    if (call.ended_ns != 0) of.after_ns += call.completed_ns - call.ended_ns;
    const std::int64_t all = call.completed_ns - call.begin_ns();
    of.longest_ns = std::max(of.longest_ns, all);
  }
  void add_dropped(std::uint64_t count) { dropped_ += count; }

  void print(std::ostream& to) const {
    std::vector<const std::pair<const std::string, row>*> order;
    row sum;
    for (const auto& one : rows_) {
      order.push_back(&one);
      sum.calls += one.second.calls, sum.errors += one.second.errors, sum.linux_ns += one.second.linux_ns;
      sum.queued_ns += one.second.queued_ns, sum.queued += one.second.queued, sum.after_ns += one.second.after_ns;
      sum.longest_ns = std::max(sum.longest_ns, one.second.longest_ns);
    }
    std::sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->second.linux_ns > b->second.linux_ns; });
    to << "% time     seconds  us/call  queued us  after us     max us     calls    errors syscall\n"
          "------ ----------- -------- ---------- --------- ---------- --------- --------- ----------------\n";
    for (const auto* one : order) print_row(to, one->first, one->second, sum.linux_ns);
    to << "------ ----------- -------- ---------- --------- ---------- --------- --------- ----------------\n";
    print_row(to, "total", sum, sum.linux_ns);
    if (dropped_ != 0) to << dropped_ << " calls are not recorded\n";
  }

 private:
  struct row {
    std::uint64_t calls = 0, errors = 0, queued = 0;
    std::int64_t linux_ns = 0, queued_ns = 0, after_ns = 0, longest_ns = 0;
  };
  static double us(std::int64_t ns, std::uint64_t count) {
    return count == 0 ? 0 : static_cast<double>(ns) / 1e3 / static_cast<double>(count);
  }
  static void print_row(std::ostream& to, const std::string& name, const row& of, std::int64_t all_ns) {
    char text[160], errors[24] = "";
    if (of.errors != 0) std::snprintf(errors, sizeof errors, "%llu", static_cast<unsigned long long>(of.errors));
    std::snprintf(text, sizeof text, "%6.2f %11.6f %8.2f %10.2f %9.2f %10.1f %9llu %9s %s\n",
                  all_ns == 0 ? 0.0 : 100.0 * static_cast<double>(of.linux_ns) / static_cast<double>(all_ns),
                  static_cast<double>(of.linux_ns) / 1e9, us(of.linux_ns, of.calls), us(of.queued_ns, of.queued),
                  us(of.after_ns, of.calls), static_cast<double>(of.longest_ns) / 1e3,
                  static_cast<unsigned long long>(of.calls), errors, name.c_str());
    to << text;
  }

  std::map<std::string, row> rows_;
  std::uint64_t dropped_ = 0;
};

// --- Running.

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

pid_t started(const std::vector<std::string>& program) {
  std::vector<char*> words;
  for (const std::string& word : program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t pid = -1;
  if (const int failed = ::posix_spawnp(&pid, words[0], nullptr, nullptr, words.data(), environ); failed != 0)
    throw std::runtime_error("cannot run " + program[0] + ": " + std::strerror(failed));
  return pid;
}

// The terminal's signals go to the program; this process waits for its end.
int status_of(pid_t pid) {
  for (const int each : {SIGINT, SIGQUIT}) ::signal(each, SIG_IGN);
  int status = 0;
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
  std::sort(all.begin(), all.end());
  return all;
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
  for (const auto& file : files) {
    recording from(file);
    if (!asked.summary && !asked.histograms) {
      print_text(to, from, which, asked, files.size() > 1 ? "[pid " + std::to_string(from.header().pid) + "] " : "");
      continue;
    }
    for (recorded_call call; from.next(call);) {
      if (call.is_internal() || (call.raw.flags & (trace::flag_again | trace::flag_malformed)) != 0) continue;
      const std::string name = trace::call_name(call.raw.number);
      if (!which.has(name)) continue;
      all.add(call);
      if (asked.histograms && call.linux_ns() >= 0) times[name].add(call.linux_ns());
    }
    all.add_dropped(from.dropped());
  }
  for (const auto& [name, of] : times) of.print(to, name, columns_of_terminal());
  if (asked.summary) all.print(to);
}

}  // namespace

int run_trace(const asked_trace& asked) try {
  (void)chosen_calls(asked.calls);  // wrong ones are refused before the program runs
  std::ofstream file;
  if (!asked.output.empty()) {
    file.open(asked.output);
    if (!file) throw std::runtime_error(asked.output + ": " + std::strerror(errno));
  }
  std::ostream& to = asked.output.empty() ? (asked.read.empty() ? std::cerr : std::cout) : file;
  int status = 0;
  if (!asked.read.empty()) {
    print_all(to, {asked.read}, asked);
  } else {
    const scratch folder;
    ::setenv("GENESYS_TRACE", (folder.path() / "%p.%r").c_str(), 1);
    const pid_t pid = started(asked.program);
    status = status_of(pid);
    const auto files = recordings_in(folder.path(), asked.children ? 0 : pid);
    if (files.empty())
      std::cerr << "genesys: the program made no runtime of genesys"
                << (asked.children ? "" : "; with -f its children are traced, too") << "\n";
    print_all(to, files, asked);
    if (!asked.record.empty() && !files.empty())
      std::filesystem::copy_file(files.front(), asked.record, std::filesystem::copy_options::overwrite_existing);
  }
  to.flush();
  if (!to) throw std::runtime_error("the output cannot be written");
  return status;
} catch (const std::exception& wrong) {
  std::cerr << "genesys: " << wrong.what() << "\n";
  return 1;
}

}  // namespace genesys::command
