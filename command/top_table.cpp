// SPDX-License-Identifier: Apache-2.0
#include "top_table.h"

#include <algorithm>

namespace genesys::command {

using schedule::processes::kernel_sums;
using schedule::processes::name_of;
using schedule::processes::watched_member;

namespace {

// Members report about once a second. Without a change for so long, nothing happens.
constexpr double still_s = 2.5;

double since(std::uint64_t now, std::uint64_t then) { return now > then ? static_cast<double>(now - then) : 0; }

template <class Row, class Value>
void sort_down(std::vector<Row>& rows, const Value& value) {
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return value(a) > value(b); });
}

}  // namespace

// Rates are over the time between two reports, not between two looks.
void top_table::count(known& last, const kernel_sums& now, double seconds) {
  last.seconds += seconds;
  const bool changed = now.launches != last.sums.launches || now.wasted_us != last.sums.wasted_us;
  if (!changed && last.seconds < still_s) return;
  last.launches_s = since(now.launches, last.sums.launches) / last.seconds;
  last.wasted_share = since(now.wasted_us, last.sums.wasted_us) / 1e6 / last.seconds;
  last.seconds = 0;
  last.sums = now;
}

void top_table::refresh(const std::vector<watched_member>& members, double seconds) {
  std::map<std::pair<member_id, std::string>, known> now_known;
  processes_.clear();
  kernels_.clear();
  for (const watched_member& each : members) {
    const member_id id{each.row.slot, each.row.generation};
    process_row row{each.row};
    for (const auto& kernel : each.kernels) {
      const std::string name = kernel.index == 0 ? "" : name_of(kernel);
      const auto found = known_.find({id, name});
      known last = found != known_.end() ? found->second : known{kernel.sums};
      count(last, kernel.sums, seconds);
      now_known[{id, name}] = last;
      if (kernel.index != 0) {
        kernels_.push_back({each.row.pid, name, kernel.sums, last.launches_s});
        continue;
      }
      row.reports = true;
      row.sums = kernel.sums;
      row.launches_s = last.launches_s;
      row.wasted_share = last.wasted_share;
    }
    processes_.push_back(row);
  }
  known_ = std::move(now_known);
}

std::vector<top_table::process_row> top_table::processes(order by) const {
  std::vector<process_row> rows = processes_;
  sort_down(rows, [](const process_row& row) { return -row.member.nice; });
  if (by == order::launches) sort_down(rows, [](const process_row& row) { return row.launches_s; });
  if (by == order::aborts) sort_down(rows, [](const process_row& row) { return row.sums.aborts; });
  if (by == order::wasted) sort_down(rows, [](const process_row& row) { return row.wasted_share; });
  if (by == order::snapshot) sort_down(rows, [](const process_row& row) { return row.sums.snapshot_us; });
  return rows;
}

std::vector<top_table::kernel_row> top_table::kernels(order by) const {
  std::vector<kernel_row> rows = kernels_;
  if (by == order::nice || by == order::launches) sort_down(rows, [](const kernel_row& row) { return row.launches_s; });
  if (by == order::aborts) sort_down(rows, [](const kernel_row& row) { return row.sums.aborts; });
  if (by == order::wasted) sort_down(rows, [](const kernel_row& row) { return row.sums.wasted_us; });
  if (by == order::snapshot) sort_down(rows, [](const kernel_row& row) { return row.sums.snapshot_us; });
  return rows;
}

}  // namespace genesys::command
