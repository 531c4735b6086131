// SPDX-License-Identifier: Apache-2.0
#include "trace_attach.h"

#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <utility>

#include "chosen_calls.h"
#include "control_client.h"
#include "recording_stream.h"
#include "trace/decode.h"
#include "trace_text.h"

namespace genesys::command {
namespace {

using clock = std::chrono::steady_clock;

struct close_file {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using own_file = std::unique_ptr<std::FILE, close_file>;

volatile sig_atomic_t interrupted = 0;

constexpr int poll_ms = 50;
constexpr std::int64_t apart_ns = 100'000'000;  // workers' records come some milliseconds apart

std::vector<unsigned> runtimes_to_trace(pid_t pid) {
  const auto found = runtimes_of(pid);
  if (found.empty()) throw std::runtime_error("process " + std::to_string(pid) + ": " + why_no_runtime(pid));
  return found;
}

std::int64_t now_realtime_ns() {
  timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void say_that_it_does_not_reply(pid_t pid) {
  std::cerr << "genesys: process " << pid << " does not reply; the end of its recording is missing\n";
}

}  // namespace

void catch_interrupts() {
  struct sigaction change {};
  change.sa_handler = [](int) { interrupted = 1; };
  change.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // a line that is being printed is not cut off
  for (const int each : {SIGINT, SIGTERM}) ::sigaction(each, &change, nullptr);
}

bool was_interrupted() { return interrupted != 0; }

void print_while_running(std::ostream& to, const asked_trace& asked) {
  const chosen_calls which(asked.calls);
  struct followed {
    remote_recording recording;
    recording_stream stream;
    bool is_open = true;
  };
  std::vector<std::unique_ptr<followed>> all;
  for (const unsigned runtime : runtimes_to_trace(asked.pid)) {
    remote_recording made(asked.pid, runtime, {asked.string_bytes, asked.paths});
    const int pipe = made.pipe();
    all.push_back(std::make_unique<followed>(followed{std::move(made), recording_stream(pipe)}));
  }
  std::cerr << "genesys: process " << asked.pid << " is traced; Ctrl-C ends that\n";
  catch_interrupts();
  std::vector<recorded_call> waiting, fresh;
  const auto print_until = [&](std::int64_t ns) {
    std::sort(waiting.begin(), waiting.end(), [](const auto& a, const auto& b) { return a.begin_ns() < b.begin_ns(); });
    const auto end =
        std::find_if(waiting.begin(), waiting.end(), [ns](const auto& one) { return one.begin_ns() > ns; });
    for (auto one = waiting.begin(); one != end; ++one) print_call(to, *one, asked.string_bytes, "");
    waiting.erase(waiting.begin(), end);
    to.flush();
  };
  bool is_ending = false;
  auto progress = clock::now();
  for (bool any = true; any;) {
    if (was_interrupted() && !std::exchange(is_ending, true)) {
      for (const auto& one : all) one->recording.end();
      progress = clock::now();
    }
    std::vector<pollfd> looked;
    for (const auto& one : all) looked.push_back({one->is_open ? one->recording.pipe() : -1, POLLIN, 0});
    ::poll(looked.data(), looked.size(), poll_ms);
    any = false;
    for (const auto& one : all) {
      if (!one->is_open) continue;
      fresh.clear();
      // The end of the connection counts, too: a child of the process may have the pipe open.
      const bool is_over = one->recording.is_over();
      one->is_open = one->stream.read(fresh) && !(is_over && one->stream.is_drained());
      any = any || one->is_open;
      if (!fresh.empty()) progress = clock::now();
      for (recorded_call& call : fresh) {
        if (call.is_internal() ? asked.internal : which.has(trace::call_name(call.raw.number)))
          waiting.push_back(std::move(call));
      }
    }
    if (any && is_ending && clock::now() - progress >= std::chrono::seconds(remote_recording::no_progress_s)) {
      say_that_it_does_not_reply(asked.pid);
      any = false;
    }
    print_until(any ? now_realtime_ns() - apart_ns : INT64_MAX);
  }
  for (const auto& one : all) {
    if (one->stream.dropped() != 0) to << "+++ " << one->stream.dropped() << " calls are not recorded +++\n";
    if (one->stream.is_truncated()) to << "+++ the recording is cut off +++\n";
  }
}

std::vector<std::filesystem::path> record_while_running(const asked_trace& asked, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  struct recorded {
    remote_recording recording;
    own_file file;
  };
  std::vector<recorded> all;
  for (const unsigned runtime : runtimes_to_trace(asked.pid)) {
    files.push_back(folder / (std::to_string(asked.pid) + "." + std::to_string(runtime)));
    own_file file(std::fopen(files.back().c_str(), "we"));
    if (!file) throw std::runtime_error(files.back().string() + ": " + std::strerror(errno));
    const int fd = ::fileno(file.get());
    all.push_back({remote_recording(asked.pid, runtime, {asked.string_bytes, asked.paths}, fd), std::move(file)});
  }
  std::cerr << "genesys: process " << asked.pid << " is traced; Ctrl-C ends that\n";
  catch_interrupts();
  while (!was_interrupted() &&
         !std::all_of(all.begin(), all.end(), [](const auto& one) { return one.recording.is_over(); }))
    ::poll(nullptr, 0, poll_ms);
  for (recorded& one : all) one.recording.end();
  bool replies = true;
  for (recorded& one : all) replies = one.recording.wait(::fileno(one.file.get())) && replies;
  if (!replies) say_that_it_does_not_reply(asked.pid);
  return files;
}

}  // namespace genesys::command
