// SPDX-License-Identifier: Apache-2.0
#include "trace_attach.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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

volatile sig_atomic_t interrupted = 0;

constexpr int look_ms = 50;
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

}  // namespace

void catch_interrupts() {
  struct sigaction change {};
  change.sa_handler = [](int) { interrupted = 1; };
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
    for (auto one = waiting.begin(); one != end; ++one) print_call(to, *one, "");
    waiting.erase(waiting.begin(), end);
    to.flush();
  };
  bool is_ending = false;
  for (bool any = true; any;) {
    if (was_interrupted() && !std::exchange(is_ending, true)) {
      for (const auto& one : all) one->recording.end();
    }
    std::vector<pollfd> looked;
    for (const auto& one : all) looked.push_back({one->is_open ? one->recording.pipe() : -1, POLLIN, 0});
    ::poll(looked.data(), looked.size(), look_ms);
    any = false;
    for (const auto& one : all) {
      if (!one->is_open) continue;
      fresh.clear();
      one->is_open = one->stream.read(fresh);
      any = any || one->is_open;
      for (recorded_call& call : fresh) {
        if (call.is_internal() ? asked.internal : which.has(trace::call_name(call.raw.number)))
          waiting.push_back(std::move(call));
      }
    }
    print_until(any ? now_realtime_ns() - apart_ns : INT64_MAX);
  }
  for (const auto& one : all) {
    if (one->stream.dropped() != 0) to << "+++ " << one->stream.dropped() << " calls are not recorded +++\n";
  }
}

std::vector<std::filesystem::path> record_while_running(const asked_trace& asked, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::vector<remote_recording> all;
  for (const unsigned runtime : runtimes_to_trace(asked.pid)) {
    files.push_back(folder / (std::to_string(asked.pid) + "." + std::to_string(runtime)));
    const int fd = ::open(files.back().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) throw std::runtime_error(files.back().string() + ": " + std::strerror(errno));
    all.emplace_back(asked.pid, runtime, remote_recording::content{asked.string_bytes, asked.paths}, fd);
    ::close(fd);
  }
  std::cerr << "genesys: process " << asked.pid << " is traced; Ctrl-C ends that\n";
  catch_interrupts();
  while (!was_interrupted() && !std::all_of(all.begin(), all.end(), [](const auto& one) { return one.is_over(); }))
    ::poll(nullptr, 0, look_ms);
  for (remote_recording& one : all) one.end();
  for (remote_recording& one : all) one.wait();
  return files;
}

}  // namespace genesys::command
