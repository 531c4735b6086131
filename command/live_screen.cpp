// SPDX-License-Identifier: Apache-2.0
#include "live_screen.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>

#include "control_client.h"
#include "live_table.h"
#include "recording_stream.h"
#include "terminal.h"
#include "trace/decode.h"

namespace genesys::command {
namespace {

using clock = std::chrono::steady_clock;
constexpr auto refresh_interval = std::chrono::milliseconds(500);
constexpr int look_ms = 20;
constexpr int waiting_rows_least = 5;

std::string age(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text,
                seconds < 1     ? "%.0f ms"
                : seconds < 100 ? "%.1f s"
                                : "%.0f s",
                seconds < 1 ? seconds * 1e3 : seconds);
  return text;
}

class screen {
 public:
  screen(pid_t pid, std::string about) : pid_(pid), about_(std::move(about)) {}

  // False: the user leaves.
  bool run() {
    auto due = clock::now() + refresh_interval;
    for (;;) {
      attach();
      read();
      if (!keys()) return false;
      if (const auto now = clock::now(); now >= due) {
        refused_.clear();  // another process may have ended its trace
        attach();
        if (!paused_) refresh(std::chrono::duration<double>(now - last_).count());
        last_ = now;
        due = now + refresh_interval;
        if (streams_.empty() && ::kill(pid_, 0) != 0) return true;
        if (is_zombie()) return true;
        draw();
      }
      ::poll(nullptr, 0, look_ms);
    }
  }

 private:
  struct followed {
    remote_recording recording;
    recording_stream stream;
  };

  bool is_zombie() const {
    std::FILE* const file = std::fopen(("/proc/" + std::to_string(pid_) + "/stat").c_str(), "re");
    if (file == nullptr) return true;
    char state = 'Z';
    const int got = std::fscanf(file, "%*d (%*[^)]) %c", &state);
    std::fclose(file);
    return got == 1 && state == 'Z';
  }

  void attach() {
    for (const unsigned runtime : runtimes_of(pid_)) {
      if (streams_.count(runtime) != 0 || refused_.count(runtime) != 0) continue;
      try {
        remote_recording made(pid_, runtime, {0, false});
        const int pipe = made.pipe();
        streams_[runtime] = std::make_unique<followed>(followed{std::move(made), recording_stream(pipe)});
      } catch (const std::exception& wrong) {
        refused_[runtime] = wrong.what();
      }
    }
  }

  void read() {
    for (auto one = streams_.begin(); one != streams_.end();) {
      fresh_.clear();
      const bool is_over = one->second->recording.is_over();
      const bool is_open = one->second->stream.read(fresh_) && !(is_over && one->second->stream.is_drained());
      for (const recorded_call& call : fresh_) {
        if (!call.is_internal() && (call.raw.flags & (trace::flag_again | trace::flag_malformed)) == 0)
          table_.add(call, name_in_table(call), kernel(call.run_name));
      }
      dropped_[one->first] = one->second->stream.dropped();
      one = is_open ? std::next(one) : streams_.erase(one);
    }
  }
  static std::string kernel(std::string_view name) { return std::string(name.empty() ? "(no name)" : name); }

  void refresh(double seconds) {
    table_.refresh(seconds);
    waiting_.clear();
    for (const auto& [runtime, one] : streams_) {
      try {
        const auto more = waiting_calls(ask_runtime(pid_, runtime, "waiting"));
        waiting_.insert(waiting_.end(), more.begin(), more.end());
      } catch (const std::exception&) {  // it has just ended
      }
    }
    std::erase_if(waiting_,
                  [this](const waiting_call& one) { return one.shown(1000).find(filter_) == std::string::npos; });
    std::stable_sort(waiting_.begin(), waiting_.end(), [](const auto& a, const auto& b) { return a.age_s > b.age_s; });
  }

  // False: q, or Ctrl-C.
  bool keys() {
    for (int key; (key = ::getch()) != ERR;) {
      if (key == 3) return false;
      if (is_typing_) {
        if (key == '\n' || key == KEY_ENTER) {
          is_typing_ = false;
        } else if (key == 27) {
          is_typing_ = false;
          filter_.clear();
        } else if (key == KEY_BACKSPACE || key == 127 || key == 8) {
          if (!filter_.empty()) filter_.pop_back();
        } else if (key < 256 && std::isprint(key) != 0) {
          filter_ += static_cast<char>(key);
        }
      } else if (key == 'q') {
        return false;
      } else if (key == 's') {
        order_ = static_cast<live_table::order>((static_cast<int>(order_) + 1) % 5);
      } else if (key == 'k') {
        by_kernel_ = !by_kernel_;
      } else if (key == 'p') {
        paused_ = !paused_;
      } else if (key == '/') {
        is_typing_ = true;
        filter_.clear();
      }
      draw();
    }
    return true;
  }

  void line(int at, const std::string& text, int attributes = 0) {
    terminal::line(at, text, attributes);  // it has paths and names of kernels
  }

  void draw() {
    ::erase();
    std::uint64_t dropped = 0;
    for (const auto& [runtime, count] : dropped_) dropped += count;
    char text[512];
    std::snprintf(text, sizeof text, "genesys: process %d %s", pid_, about_.c_str());
    line(0, text, A_BOLD);
    std::snprintf(text, sizeof text, "%s calls/s, %zu in flight, %llu calls so far, %llu not recorded%s",
                  rate(table_.calls_s()).c_str(), waiting_.size(), static_cast<unsigned long long>(table_.calls()),
                  static_cast<unsigned long long>(dropped), paused_ ? "  PAUSED" : "");
    line(1, text);
    std::snprintf(text, sizeof text, "s sort: %s   k: by %s   /%s%s   p pause   q quit",
                  live_table::order_names[static_cast<int>(order_)], by_kernel_ ? "kernel" : "call", filter_.c_str(),
                  is_typing_ ? "_" : "");
    line(2, text);
    int at = 4;
    if (streams_.empty()) {
      line(at++, refused_.empty() ? why_no_runtime(pid_) : refused_.begin()->second);
      ::refresh();
      return;
    }
    at = draw_rows(at);
    draw_waiting(at + 1);
    ::refresh();
  }

  int draw_rows(int at) {
    char text[512];
    std::snprintf(text, sizeof text, "%-22s %8s %8s %9s %9s %10s %6s", by_kernel_ ? "KERNEL" : "CALL", "calls/s",
                  "errors/s", "p50 us", "p99 us", "max us", "time");
    line(at++, text, A_REVERSE);
    const auto rows = by_kernel_ ? table_.by_kernel(order_, filter_) : table_.by_call(order_, filter_);
    const int space = std::max(LINES - at - waiting_rows_least - 2, 1);
    for (int i = 0; i < space && i < static_cast<int>(rows.size()); ++i) {
      const live_table::row& one = rows[static_cast<std::size_t>(i)];
      std::snprintf(text, sizeof text, "%-22.22s %8s %8s %9.1f %9.1f %10.1f %5.1f%%", one.name.c_str(),
                    rate(one.calls_s).c_str(), one.errors_s == 0 ? "" : rate(one.errors_s).c_str(), one.median_us,
                    one.p99_us, one.longest_us, one.share * 100);
      line(at++, text);
    }
    return at;
  }

  void draw_waiting(int at) {
    static constexpr const char* scopes[] = {"thread", "warp", "block", "grid"};
    char text[512];
    std::snprintf(text, sizeof text, "%-8s %6s %4s %-6s %s", "WAITS", "block", "warp", "scope", "for");
    line(at++, text, A_REVERSE);
    for (const waiting_call& one : waiting_) {
      if (at >= LINES) break;
      std::snprintf(text, sizeof text, "%-8s %6u %4u %-6s ", age(one.age_s).c_str(), one.block, one.warp,
                    scopes[one.scope & 3]);
      const std::string head = text;
      line(at++, head + one.shown(std::max<std::size_t>(COLS, head.size() + 1) - head.size()));
    }
  }

  const pid_t pid_;
  const std::string about_;
  std::map<unsigned, std::unique_ptr<followed>> streams_;  // by runtime
  std::map<unsigned, std::string> refused_;
  std::map<unsigned, std::uint64_t> dropped_;
  std::vector<recorded_call> fresh_;
  live_table table_;
  std::vector<waiting_call> waiting_;
  clock::time_point last_ = clock::now();
  live_table::order order_ = live_table::order::time;
  bool by_kernel_ = false, paused_ = false, is_typing_ = false;
  std::string filter_;
};

}  // namespace

void check_terminal() {
  if (!is_terminal()) throw std::runtime_error("--live needs a terminal; -c prints a summary instead");
}

bool show_live(pid_t pid, const std::string& about) {
  check_terminal();
  const terminal here;
  return !screen(pid, about).run();
}

}  // namespace genesys::command
