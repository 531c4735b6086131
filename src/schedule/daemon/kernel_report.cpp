// SPDX-License-Identifier: Apache-2.0
#include "schedule/daemon/kernel_report.h"

#include <algorithm>
#include <cstring>

#include "schedule/daemon/message.h"

namespace genesys::schedule::processes {
namespace {

kernel_row row_of(const std::string& name, const kernel_sums& sums) {
  kernel_row made;
  made.kind = static_cast<u32>(request_kind::report);
  made.sums = sums;
  std::copy_n(name.data(), std::min(name.size(), kernel_name_bytes - 1), made.name.data());
  return made;
}

}  // namespace

kernel_sums& kernel_sums::operator+=(const kernel_sums& more) {
  launches += more.launches, aborts += more.aborts, wasted_us += more.wasted_us, snapshot_us += more.snapshot_us;
  return *this;
}

std::optional<kernel_row> decode_kernel_row(const void* bytes, std::size_t size, u32 kind) {
  kernel_row read;
  if (size != sizeof read) return std::nullopt;
  std::memcpy(static_cast<void*>(&read), bytes, sizeof read);
  if (read.format != shared_format || read.kind != kind) return std::nullopt;
  if (read.rows > report_kernels_max || read.index > read.rows) return std::nullopt;
  if (read.index == 0) read.name.fill('\0');  // others see this row
  read.name.back() = '\0';
  const auto end = std::find(read.name.begin(), read.name.end(), '\0');
  std::replace_if(
      read.name.begin(), end, [](char c) { return c < ' ' || c > '~'; }, '?');
  std::fill(end, read.name.end(), '\0');
  return read;
}

std::string name_of(const kernel_row& row) { return {row.name.data(), ::strnlen(row.name.data(), kernel_name_bytes)}; }

std::vector<kernel_row> rows_of(std::vector<kernel_report> kernels) {
  kernel_sums all;
  for (const kernel_report& each : kernels) all += each.sums;
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const auto& a, const auto& b) { return a.sums.launches > b.sums.launches; });
  if (kernels.size() > report_kernels_max) {
    kernel_report others{"(others)", {}};
    for (std::size_t i = report_kernels_max - 1; i < kernels.size(); ++i) others.sums += kernels[i].sums;
    kernels.resize(report_kernels_max - 1);
    kernels.push_back(others);
  }
  std::vector<kernel_row> rows{row_of("", all)};
  for (const kernel_report& each : kernels) rows.push_back(row_of(each.name, each.sums));
  for (u32 i = 0; i < rows.size(); ++i) {
    rows[i].index = i;
    rows[i].rows = static_cast<u32>(rows.size() - 1);
  }
  return rows;
}

}  // namespace genesys::schedule::processes
