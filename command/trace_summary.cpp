// SPDX-License-Identifier: Apache-2.0
#include "trace_summary.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace genesys::command {
namespace {

constexpr char heading[] =
    "% time     seconds  us/call queued us after us  seen us     max us     calls   errors syscall\n";
constexpr char line[] =
    "------ ----------- -------- --------- -------- -------- ---------- --------- -------- --------------\n";

double us(std::int64_t ns, std::uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(ns) / 1e3 / static_cast<double>(count);
}

// Two digits after the point; nothing if it is not known.
std::string mean(std::int64_t ns, std::uint64_t count) {
  char text[32] = "";
  if (count != 0) std::snprintf(text, sizeof text, "%.2f", us(ns, count));
  return text;
}

}  // namespace

void summary::add(const std::string& name, const recorded_call& call) {
  row& of = rows_[name];
  ++of.calls;
  any_in_ring_ |= call.is_in_ring();
  of.errors += call.raw.result < 0 && call.raw.result >= -4095;
  if (const std::int64_t queued = call.queued_ns(); queued >= 0) grow(of.queued_ns, queued), ++of.queued;
  if (call.linux_ns() >= 0) grow(of.linux_ns, call.linux_ns()), ++of.timed;
  if (call.ended_ns != 0) grow(of.after_ns, call.completed_ns - call.ended_ns), ++of.after;
  of.longest_ns = std::max(of.longest_ns, call.completed_ns - call.begin_ns());
}

// Times of a damaged recording may be long: a sum that they would overflow stays as it is.
void summary::grow(std::int64_t& sum, std::int64_t ns) {
  if (std::int64_t more; !__builtin_add_overflow(sum, ns, &more)) sum = more;
}

void summary::add_seen(const std::string& name, std::int64_t ns) {
  row& of = rows_[name];
  grow(of.seen_ns, ns), ++of.seen;
}

void summary::print(std::ostream& to, std::int64_t clock_error_ns) const {
  std::vector<const std::pair<const std::string, row>*> order;
  row sum;
  for (const auto& one : rows_) {
    const row& of = one.second;
    if (of.calls == 0) continue;
    order.push_back(&one);
    sum.calls += of.calls, sum.errors += of.errors, sum.queued += of.queued, sum.seen += of.seen;
    sum.timed += of.timed, sum.after += of.after;
    grow(sum.linux_ns, of.linux_ns), grow(sum.after_ns, of.after_ns);
    grow(sum.queued_ns, of.queued_ns), grow(sum.seen_ns, of.seen_ns);
    sum.longest_ns = std::max(sum.longest_ns, of.longest_ns);
  }
  std::sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->second.linux_ns > b->second.linux_ns; });
  to << heading << line;
  for (const auto* one : order) print_row(to, one->first, one->second, sum.linux_ns);
  to << line;
  print_row(to, "total", sum, sum.linux_ns);
  if (sum.seen != 0)
    to << "queued and seen: within " << us(clock_error_ns, 1) << " us, the error of the joined clocks\n";
  if (any_in_ring_) to << "(ring): made by the kernel; the time is from submitting until the lane had the result\n";
  if (dropped_ != 0) to << dropped_ << " calls are not recorded\n";
}

void summary::print_row(std::ostream& to, const std::string& name, const row& of, std::int64_t all_ns) {
  char text[192], errors[24] = "";
  if (of.errors != 0) std::snprintf(errors, sizeof errors, "%llu", static_cast<unsigned long long>(of.errors));
  std::snprintf(text, sizeof text, "%6.2f %11.6f %8s %9s %8s %8s %10.1f %9llu %8s %s\n",
                all_ns == 0 ? 0.0 : 100.0 * static_cast<double>(of.linux_ns) / static_cast<double>(all_ns),
                static_cast<double>(of.linux_ns) / 1e9, mean(of.linux_ns, of.timed).c_str(),
                mean(of.queued_ns, of.queued).c_str(), mean(of.after_ns, of.after).c_str(),
                mean(of.seen_ns, of.seen).c_str(), static_cast<double>(of.longest_ns) / 1e3,
                static_cast<unsigned long long>(of.calls), errors, name.c_str());
  to << text;
}

}  // namespace genesys::command
