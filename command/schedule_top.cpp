// SPDX-License-Identifier: Apache-2.0
#include "schedule_top.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string_view>

#include "member_text.h"
#include "schedule/daemon/client.h"
#include "terminal.h"
#include "top_table.h"

namespace genesys::command {
namespace {

class top_screen {
 public:
  top_screen(std::string socket, schedule::processes::member_list members)
      : socket_(std::move(socket)), members_(std::move(members)) {}

  void run() {
    auto due = clock::now();
    auto last = due;
    while (keys()) {
      if (const auto now = clock::now(); now >= due) {
        if (!paused_) {
          refresh(std::chrono::duration<double>(now - last).count());
          last = now;
        }
        due = now + std::chrono::seconds(1);
        draw();
      }
      pollfd input{0, POLLIN, 0};
      ::poll(&input, 1, look_ms);
    }
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr int look_ms = 100;

  // A daemon that has ended may come back.
  void refresh(double seconds) {
    try {
      if (!members_) members_.emplace(socket_);
      table_.refresh(members_->watch(), seconds);
      wrong_.clear();
    } catch (const std::runtime_error& error) {
      members_.reset();
      table_ = {};
      wrong_ = error.what();
    }
  }

  // False: q, or Ctrl-C.
  bool keys() {
    for (int key; (key = ::getch()) != ERR;) {
      if (key == 'q' || key == 3) return false;
      if (key == 's') order_ = static_cast<top_table::order>((static_cast<int>(order_) + 1) % 5);
      if (key == 'p') paused_ = !paused_;
      draw();
    }
    return true;
  }

  void draw() {
    ::erase();
    char text[256];
    const auto processes = table_.processes(order_);
    const auto held =
        std::count_if(processes.begin(), processes.end(), [](const auto& row) { return row.member.held; });
    terminal::line(0, "genesys: the scheduling daemon at " + socket_, A_BOLD);
    std::snprintf(text, sizeof text, "%zu processes, %td held%s", processes.size(), held, paused_ ? "  PAUSED" : "");
    terminal::line(1, text);
    std::snprintf(text, sizeof text, "s sort: %s   p pause   q quit", top_table::order_names[static_cast<int>(order_)]);
    terminal::line(2, text);
    if (wrong_.empty()) {
      draw_kernels(draw_processes(4, processes) + 1);
    } else {
      terminal::line(4, wrong_);
    }
    ::refresh();
  }

  // At least half of the lines are for processes, if kernels need the others.
  int draw_processes(int at, const std::vector<top_table::process_row>& rows) const {
    char text[256];
    std::snprintf(text, sizeof text, "%7s %-8s %4s %4s %-7s %6s %6s %7s %6s %6s %s", "PID", "USER", "NICE", "AGED",
                  "STATE", "HELD-S", "HOLDS", "LAUN/S", "ABORTS", "WASTED", "COMMAND");
    terminal::line(at++, text, A_REVERSE);
    const int space = std::max({LINES / 2 - at, LINES - at - 2 - static_cast<int>(table_.kernels(order_).size()), 1});
    for (int i = 0; i < space && i < static_cast<int>(rows.size()); ++i) {
      const top_table::process_row& row = rows[static_cast<std::size_t>(i)];
      const schedule::processes::reply& of = row.member;
      char held_s[32] = "-", wasted[32] = "-";
      if (of.held != 0) std::snprintf(held_s, sizeof held_s, "%.1f", static_cast<double>(of.since_ms) / 1e3);
      if (row.reports) std::snprintf(wasted, sizeof wasted, "%.1f%%", 100 * row.wasted_share);
      std::snprintf(
          text, sizeof text, "%7d %-8.8s %4d %4d %-7s %6.6s %6u %7.7s %6.6s %6.6s %s", of.pid, user_of(of).c_str(),
          of.nice, of.effective_nice, state_of(of), held_s, of.holds, row.reports ? rate(row.launches_s).c_str() : "-",
          row.reports ? rate(static_cast<double>(row.sums.aborts)).c_str() : "-", wasted, command_of(of).c_str());
      terminal::line(at++, text);
    }
    return at;
  }

  // Of a name that is longer than the screen is wide, the part that differs.
  static std::string short_name(std::string name) {
    constexpr std::string_view anonymous = "(anonymous namespace)::";
    for (std::size_t at; (at = name.find(anonymous)) != std::string::npos;) name.erase(at, anonymous.size());
    return name;
  }

  void draw_kernels(int at) const {
    char text[256];
    std::snprintf(text, sizeof text, "%7s %8s %7s %7s %10s %10s %s", "PID", "LAUNCHES", "LAUN/S", "ABORTS", "WASTED-MS",
                  "SNAP-MS", "KERNEL");
    terminal::line(at++, text, A_REVERSE);
    for (const top_table::kernel_row& row : table_.kernels(order_)) {
      if (at >= LINES) break;
      std::snprintf(text, sizeof text, "%7d %8.8s %7.7s %7.7s %10.1f %10.1f %s", row.pid,
                    rate(static_cast<double>(row.sums.launches)).c_str(), rate(row.launches_s).c_str(),
                    rate(static_cast<double>(row.sums.aborts)).c_str(), static_cast<double>(row.sums.wasted_us) / 1e3,
                    static_cast<double>(row.sums.snapshot_us) / 1e3, short_name(row.name).c_str());
      terminal::line(at++, text);
    }
  }

  const std::string socket_;
  std::optional<schedule::processes::member_list> members_;
  top_table table_;
  std::string wrong_;
  top_table::order order_ = top_table::order::nice;
  bool paused_ = false;
};

}  // namespace

int show_top(std::ostream& errors, const std::string& socket) {
  try {
    if (!is_terminal()) {
      throw std::runtime_error("schedule top needs a terminal; 'genesys schedule ps' prints a list instead");
    }
    const std::string path = socket.empty() ? schedule::processes::daemon_socket_of_process() : socket;
    schedule::processes::member_list members(path);
    const terminal here;
    top_screen(path, std::move(members)).run();
    return 0;
  } catch (const std::runtime_error& error) {
    errors << "genesys: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace genesys::command
