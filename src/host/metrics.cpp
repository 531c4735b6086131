// SPDX-License-Identifier: Apache-2.0
#include "host/metrics.h"

#include <cstdio>

namespace genesys::detail {
namespace {

class text {
 public:
  explicit text(u32 runtime) : runtime_("runtime=\"" + std::to_string(runtime) + "\"") {}

  // A family of counters or gauges; then its samples.
  void family(const char* name, const char* type, const char* help, const char* unit = "") {
    name_ = name;
    is_counter_ = std::string_view(type) == "counter";
    out_ += std::string("# TYPE genesys_") + name + " " + type + "\n";
    if (*unit != 0) out_ += std::string("# UNIT genesys_") + name + " " + unit + "\n";
    out_ += std::string("# HELP genesys_") + name + " " + help + "\n";
  }
  void sample(const std::string& value, const std::string& call = {}) {
    out_ += std::string("genesys_") + name_ + (is_counter_ ? "_total{" : "{") + runtime_;
    if (!call.empty()) out_ += ",call=\"" + call + "\"";
    out_ += "} " + value + "\n";
  }
  void samples(const std::map<std::string, std::uint64_t>& by_call) {
    for (const auto& [call, value] : by_call) sample(std::to_string(value), call);
  }
  std::string end() { return out_ + "# EOF\n"; }

 private:
  const std::string runtime_;
  std::string out_;
  const char* name_ = "";
  bool is_counter_ = false;
};

std::string seconds(double us) {
  char number[32];
  std::snprintf(number, sizeof number, "%.9f", us / 1e6);
  return number;
}

}  // namespace

std::string open_metrics(const statistics& of, u32 runtime, std::uint64_t in_flight) {
  text all(runtime);
  all.family("calls", "counter", "System calls that threads of the process completed for kernels.");
  all.samples(of.calls);
  all.family("call_errors", "counter", "Calls that gave an error.");
  all.samples(of.errors);
  all.family("call_bytes", "counter", "Bytes that calls moved whose result is a number of bytes.", "");
  all.samples(of.bytes);
  all.family("denied_calls", "counter", "Calls that the policy denied.");
  all.samples(of.denied);
  const auto one = [&](const char* name, const char* type, const char* help, std::uint64_t value) {
    all.family(name, type, help);
    all.sample(std::to_string(value));
  };
  one("direct_calls", "counter", "Calls that kernels submitted to io_uring themselves.", of.direct_calls);
  one("posted_calls", "counter", "Posted calls that have ended.", of.posted);
  one("posted_call_errors", "counter", "Posted calls that gave an error.", of.posted_failed);
  one("parked_calls", "counter", "Calls that waited for a descriptor or for time without a thread.", of.parked);
  one("interrupts", "counter", "Times that a kernel woke the host, which slept.", of.interrupts);
  one("malformed_requests", "counter", "Requests that were invalid.", of.malformed);
  one("recorded_calls", "counter", "Calls that recordings hold.", of.recorded);
  one("recording_dropped_calls", "counter", "Calls that recordings lost.", of.recording_dropped);
  one("in_flight_calls", "gauge", "Calls that have begun and not ended.", in_flight);
  one("workers", "gauge", "Threads that make calls.", of.workers);
  one("pinned_bytes", "gauge", "Host memory that the runtime has pinned for itself.", of.pinned_bytes);
  one("mapped_device_bytes", "gauge", "Device memory that kernels have mapped.", of.mapped_device_bytes);
  one("mapped_host_bytes", "gauge", "Host memory that kernels have mapped.", of.mapped_host_bytes);
  all.family("queue_seconds", "gauge", "Mean time from publishing to taking, over one call in seventeen.", "seconds");
  all.sample(seconds(of.queued_us_mean));
  all.family("service_seconds", "gauge", "Mean time from taking to the completion, over one call in seventeen.",
             "seconds");
  all.sample(seconds(of.served_us_mean));
  return all.end();
}

}  // namespace genesys::detail
