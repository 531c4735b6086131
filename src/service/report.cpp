// SPDX-License-Identifier: Apache-2.0
// service_server::report(): what the server has done, by service, and what is in flight.
#include <algorithm>
#include <cstdio>
#include <ostream>

#include "service/core.h"
#include "trace/clock.h"

namespace genesys::detail::services {
namespace {

std::string us_of(u64 ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", static_cast<double>(ns) / 1e3);
  return text;
}
std::string mib_of(u64 bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", static_cast<double>(bytes) / (1 << 20));
  return text;
}
std::string words_of(const distribution& times) {
  return "median " + us_of(times.quantile(0.5)) + ", p99 " + us_of(times.quantile(0.99)) + ", longest " +
         us_of(times.longest()) + " us";
}

void print_paths(std::ostream& to, u64 kernel, u64 launches, u64 twins) {
  to << kernel << " by the kernel, " << launches << " by launches of their own, " << twins << " by twins";
}

}  // namespace

void core::count_request(const call_state& call, path by) {
  const auto bytes_of = call.code < program_.twins.size() ? program_.twins[call.code].bytes : nullptr;
  counters_.count(number_in_report(call.code), by, bytes_of != nullptr ? bytes_of(call.with->words) : 0);
}

// Services of files have one line together.
u32 core::number_in_report(u32 code) const { return std::min(code, counters_.services() - 1); }
std::string core::name_in_report(u32 number) const {
  return number + 1 == counters_.services() ? "loaded services" : "service " + name_of(number);
}

void core::report(std::ostream& to) const {
  to << "genesys: " << describe() << "\n  ";
  const service_counts all = counts();
  to << all.requests << " requests: ";
  print_paths(to, all.requests - all.launched - all.by_twins, all.launched, all.by_twins);
  to << " (" << all.by_choice << " of these by choice, " << all.redone << " again)\n  " << all.launches
     << " launches of the kernel; " << all.timed_out << " requests timed out, " << all.malformed << " malformed, "
     << all.lost << " lost; " << all.replaced << " children replaced\n";
  const service_pool_counts pool = buffers_->pinned().counts();
  to << "  pool: " << mib_of(pool.taken_bytes) << " MiB taken (at most " << mib_of(pool.taken_bytes_most) << "), "
     << mib_of(pool.pinned_bytes) << " pinned, of " << mib_of(pool.bytes_max) << "\n";
  for (u32 i = 0; i < counters_.services(); ++i) {
    const auto sums = counters_.of(i);
    const u64 requests = sums.requests[0] + sums.requests[1] + sums.requests[2];
    if (requests == 0) continue;
    to << "  " << name_in_report(i) << ": " << requests << " requests, ";
    print_paths(to, sums.requests[static_cast<std::size_t>(path::gpu)],
                sums.requests[static_cast<std::size_t>(path::launch)],
                sums.requests[static_cast<std::size_t>(path::cpu)]);
    to << "; " << sums.errors << " errors, " << mib_of(sums.bytes) << " MiB\n";
    const auto times = counters_.times_of(i);
    if (times.completed.count() == 0) continue;
    to << "    called to published: " << words_of(times.published)
       << "\n    published to completed: " << words_of(times.completed) << "\n";
  }
  const u64 now = now_ns();
  for (u32 slot = 0; slot < chosen_.slots; ++slot) {
    const slot_record& record = records_[slot];
    if ((record.word.load(std::memory_order_acquire) & in_flight) == 0) continue;
    const u64 since = record.watched_ns.load(std::memory_order_relaxed);
    to << "  in flight: " << name_in_report(number_in_report(rows_->code(record.row.load(std::memory_order_relaxed))))
       << (record.by_launch.load(std::memory_order_relaxed) != 0 ? ", by a launch" : ", by the kernel");
    const bool is_attended = (watched_[slot / 64].load(std::memory_order_relaxed) >> slot % 64 & 1) != 0;
    if (is_attended && since < now) to << ", attended for " << us_of(now - since) << " us";
    to << "\n";
  }
}

}  // namespace genesys::detail::services
