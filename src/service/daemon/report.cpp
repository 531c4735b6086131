// SPDX-License-Identifier: Apache-2.0
// The daemon's report (serving.h). The serving thread, or any other one after its end.
#include <cstdarg>
#include <cstdio>

#include "service/daemon/serving.h"

namespace genesys::detail::serving {
namespace {

using number = unsigned long long;

[[gnu::format(printf, 2, 3)]] void print(std::string& to, const char* format, ...) {
  char line[512];
  va_list values;
  va_start(values, format);
  std::vsnprintf(line, sizeof line, format, values);
  va_end(values);
  to += line;
}

double us_of(u64 ns) { return static_cast<double>(ns) / 1e3; }
double mib_of(u64 bytes) { return static_cast<double>(bytes) / (1 << 20); }

std::string words_of(const distribution& times) {
  char text[128];
  std::snprintf(text, sizeof text, "median %.1f us, p99 %.1f, longest %.1f", us_of(times.quantile(0.5)),
                us_of(times.quantile(0.99)), us_of(times.longest()));
  return text;
}

void print_counts(std::string& to, const tally& of, const distribution& times) {
  print(to, "%llu requests, %llu errors (%llu refused), %.1f MiB in, %.1f MiB out", number{of.requests},
        number{of.errors}, number{of.refused}, mib_of(of.bytes_in), mib_of(of.bytes_out));
  if (of.requests != 0) print(to, "; %s", words_of(times).c_str());
  to += "\n";
}

}  // namespace

std::string serving::text() const {
  std::string to = "genesys: " + server_.describe() + "\n";
  u64 waiting = 0, memory = kept_bytes_;
  for (const auto& [id, each] : sessions_) {
    waiting += each->has_pending();
    memory += each->bytes();
  }
  print(to, "  clients: %zu now, %llu so far, %llu turned out; memory %.0f of %.0f MiB, %.0f of it left to a kernel\n",
        sessions_.size(), number{clients_so_far_}, number{broken_}, mib_of(memory), mib_of(options_.bytes_max),
        mib_of(kept_bytes_));
  to += "  requests: ";
  print_counts(to, all_, stages_.whole);
  print(to, "  in flight: %u; %llu clients have requests that wait for their turn\n", in_flight_, number{waiting});
  if (stages_.whole.count() != 0) {
    print(to, "  stages: published to taken %s\n", words_of(stages_.taken).c_str());
    print(to, "          taken to submitted %s\n", words_of(stages_.submitted).c_str());
    print(to, "          submitted to completed %s\n", words_of(stages_.served).c_str());
  }
  const service_counts counts = server_.counts();
  print(to, "  the server: %llu requests, %llu launches of the kernel, %llu timed out, %llu malformed\n",
        number{counts.requests}, number{counts.launches}, number{counts.timed_out}, number{counts.malformed});
  print(
      to,
      "  where they went: %llu to twins on the CPU, %llu of these by choice; %llu to launches of their own; %llu lost; "
      "the others to the kernel\n",
      number{counts.by_twins}, number{counts.by_choice}, number{counts.launched}, number{counts.lost});
  if (counts.files_loaded != 0) {
    print(to, "  services loaded so far: %llu; the last one took %.1f ms to link, and others waited %.1f ms\n",
          number{counts.files_loaded}, static_cast<double>(counts.link_us) / 1e3,
          static_cast<double>(counts.pause_us) / 1e3);
  }
  for (const served_row& each : rows_) {
    if (each.it.service == nullptr) continue;
    print(to, "  service %s: ", each.it.label.c_str());
    print_counts(to, each.counts, each.times);
  }
  for (const auto& [id, each] : sessions_) {
    print(to, "  client %d of user %u%s, %.0f MiB, %u in flight: ", static_cast<int>(each->who.pid),
          static_cast<unsigned>(each->who.uid), each->is_leaving ? " (has gone)" : "", mib_of(each->bytes()),
          each->in_flight());
    print_counts(to, each->counts, each->times);
  }
  return to;
}

}  // namespace genesys::detail::serving
