// SPDX-License-Identifier: Apache-2.0
// What the screen of `genesys schedule top` shows, without the screen: a row for each member of the scheduling daemon,
// and one for each kernel that members report.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "schedule/daemon/member_list.h"

namespace genesys::command {

class top_table {
 public:
  struct process_row {
    schedule::processes::reply member;
    bool reports = false;  // the rest is known
    schedule::processes::kernel_sums sums{};
    double launches_s = 0, wasted_share = 0;  // since the last refresh; of the time of launches that were aborted
  };
  struct kernel_row {
    int pid;
    std::string name;
    schedule::processes::kernel_sums sums;
    double launches_s;
  };
  enum class order { nice, launches, aborts, wasted, snapshot };
  static constexpr const char* order_names[] = {"nice", "launches/s", "aborts", "wasted", "snapshot"};

  // `seconds`: since the last call.
  void refresh(const std::vector<schedule::processes::watched_member>& members, double seconds);
  std::vector<process_row> processes(order by) const;
  std::vector<kernel_row> kernels(order by) const;

 private:
  // A slot that another member gets has another generation.
  using member_id = std::pair<schedule::processes::u32, schedule::processes::u32>;
  struct known {
    schedule::processes::kernel_sums sums;
    double seconds = 0;  // since they changed
    double launches_s = 0, wasted_share = 0;
  };
  static void count(known& last, const schedule::processes::kernel_sums& now, double seconds);

  std::map<std::pair<member_id, std::string>, known> known_;  // "": all kernels of the member
  std::vector<process_row> processes_;
  std::vector<kernel_row> kernels_;
};

}  // namespace genesys::command
