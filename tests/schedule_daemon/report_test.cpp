// SPDX-License-Identifier: Apache-2.0
// What members tell of their kernels: its rows, and a client and a daemon.
#include <cstring>
#include <random>

#include "schedule/daemon/member_list.h"
#include "world.h"

namespace daemon_testing {
namespace {

constexpr u32 kind = static_cast<u32>(request_kind::report);

std::vector<kernel_report> some(unsigned count) {
  std::vector<kernel_report> all;
  for (unsigned i = 0; i < count; ++i) all.push_back({"kernel " + std::to_string(i), {i + 1, 1, 10, 100}});
  return all;
}

TEST(DaemonReport, ManyKernelsBecomeOneRow) {
  const std::vector<kernel_row> rows = rows_of(some(40));
  ASSERT_EQ(rows.size(), report_kernels_max + 1);
  EXPECT_EQ(name_of(rows[0]), "");
  EXPECT_EQ(rows[0].sums.launches, 820u);  // 1 + 2 + ... + 40
  EXPECT_EQ(name_of(rows[1]), "kernel 39");
  EXPECT_EQ(name_of(rows.back()), "(others)");
  u64 launches = 0, wasted_us = 0;
  for (u32 i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].index, i);
    EXPECT_EQ(rows[i].rows, report_kernels_max);
    launches += rows[i].sums.launches;
    wasted_us += rows[i].sums.wasted_us;
  }
  EXPECT_EQ(launches, 820u);
  EXPECT_EQ(wasted_us, 400u);
  EXPECT_EQ(rows_of({}).size(), 1u);
}

TEST(DaemonReport, ARowIsDecodedOrRefused) {
  std::mt19937_64 random(1);
  unsigned decoded = 0;
  for (int i = 0; i < 100'000; ++i) {
    kernel_row row;
    for (char& each : row.name) each = static_cast<char>(random());
    row.kind = kind;
    row.rows = static_cast<u32>(random() % 20);
    row.index = static_cast<u32>(random() % 20);
    const auto read = decode_kernel_row(&row, sizeof row, kind);
    EXPECT_EQ(read.has_value(), row.rows <= report_kernels_max && row.index <= row.rows);
    if (!read) continue;
    ++decoded;
    const std::string name = name_of(*read);
    EXPECT_LT(name.size(), kernel_name_bytes);
    EXPECT_TRUE(row.index != 0 || name.empty());
    for (const char c : name) EXPECT_TRUE(c >= ' ' && c <= '~');
  }
  EXPECT_GT(decoded, 10'000u);
  kernel_row row;
  row.kind = kind;
  EXPECT_TRUE(decode_kernel_row(&row, sizeof row, kind));
  EXPECT_FALSE(decode_kernel_row(&row, sizeof row, kind + 1));
  EXPECT_FALSE(decode_kernel_row(&row, sizeof row - 1, kind));
  row.format ^= 1;
  EXPECT_FALSE(decode_kernel_row(&row, sizeof row, kind));
}

TEST(DaemonReport, AMemberReportsWhileSomebodyLooks) {
  world w;
  auto one = w.member(0);
  EXPECT_FALSE(one->wants_report());
  member_list looks(w.options.socket);
  ASSERT_EQ(looks.watch().size(), 1u);
  EXPECT_TRUE(looks.watch()[0].kernels.empty());
  EXPECT_TRUE(one->wants_report());
  one->report(some(3));
  EXPECT_FALSE(one->wants_report());  // it has just reported
  ASSERT_TRUE(eventually([&] { return looks.watch()[0].kernels.size() == 4; }));
  const auto kernels = looks.watch()[0].kernels;
  EXPECT_EQ(kernels[0].sums.launches, 6u);
  EXPECT_EQ(name_of(kernels[1]), "kernel 2");
  EXPECT_EQ(looks.rows().size(), 1u);
  EXPECT_EQ(one->begin(), hold::none);
  EXPECT_TRUE(eventually([&] { return one->wants_report(); }));
}

}  // namespace
}  // namespace daemon_testing
