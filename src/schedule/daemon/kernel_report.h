// SPDX-License-Identifier: Apache-2.0
// What a member tells of its kernels, for people who look on with 'genesys schedule top': a packet for each row. The
// member sends it to the daemon while somebody looks, and the daemon sends it to those who look. What arrives is input
// from outside: it has the right size and numbers in range, and its name is printable ASCII, or becomes it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "schedule/daemon/shared_pages.h"

namespace genesys::schedule::processes {

inline constexpr u32 report_kernels_max = 16;  // rows of one member, besides its sums
inline constexpr std::size_t kernel_name_bytes = 96;
inline constexpr std::uint64_t report_interval_ns = 1'000'000'000;  // between two reports of a member
inline constexpr std::uint64_t watched_ns = 3'000'000'000;          // so long after a look members go on to report

struct kernel_sums {
  u64 launches = 0, aborts = 0, wasted_us = 0, snapshot_us = 0;
  kernel_sums& operator+=(const kernel_sums& more);
};

struct kernel_row {
  u32 format = shared_format;
  u32 kind = 0;   // request_kind::report or reply_kind::kernel
  u32 index = 0;  // 0: the sums of all kernels, without a name; else a kernel
  u32 rows = 0;   // kernels of this report
  kernel_sums sums{};
  std::array<char, kernel_name_bytes> name{};
};
static_assert(sizeof(kernel_row) == 16 + 32 + kernel_name_bytes);

// Null if it is no such row. The name is cleaned.
std::optional<kernel_row> decode_kernel_row(const void* bytes, std::size_t size, u32 kind);
std::string name_of(const kernel_row& row);

struct kernel_report {
  std::string name;
  kernel_sums sums{};
};
// The sums, then the kernels: those with the most launches, and one row for all others.
std::vector<kernel_row> rows_of(std::vector<kernel_report> kernels);

}  // namespace genesys::schedule::processes
