// SPDX-License-Identifier: Apache-2.0
#include "trace_text.h"

#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <queue>
#include <string_view>
#include <vector>

#include "genesys/detail/wire/request.h"
#include "trace/decode.h"

namespace genesys::command {
namespace {

std::string seconds(std::int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%06lld", static_cast<long long>(ns / 1'000'000'000),
                static_cast<long long>(ns % 1'000'000'000 / 1000));
  return text;
}

std::string time_of_day(std::int64_t ns) {
  const time_t whole = static_cast<time_t>(ns / 1'000'000'000);
  tm local{};
  ::localtime_r(&whole, &local);
  char text[40];
  std::snprintf(text, sizeof text, "%02d:%02d:%02d.%06lld", local.tm_hour, local.tm_min, local.tm_sec,
                static_cast<long long>(ns % 1'000'000'000 / 1000));
  return text;
}

// A recorded call as the decoder takes it. The recorded call has to outlive it.
struct decodable {
  explicit decodable(const recorded_call& from) {
    for (const recorded_data& one : from.data) {
      if (one.part == trace::part_path) {
        const std::string_view path(reinterpret_cast<const char*>(one.bytes.data()), one.bytes.size());
        paths.push_back({one.arg == trace::arg_result ? trace::result_arg : one.arg, path});
      } else {
        data.push_back({one.arg, one.part, one.total == ~std::uint64_t{0} ? 0 : one.total, one.bytes});
      }
    }
    // Without a result no memory is known to be filled.
    call = {from.raw.number, from.raw.args, from.raw.has_result() ? from.raw.result : -EAGAIN, data};
  }
  decodable(const decodable&) = delete;
  decodable& operator=(const decodable&) = delete;
  trace::decode_options options(unsigned string_bytes) const { return {.string_bytes = string_bytes, .paths = paths}; }

  std::vector<trace::argument_data> data;
  std::vector<trace::descriptor_path> paths;
  trace::decoded_call call{};
};

}  // namespace

std::string result_of(const recorded_call& call, unsigned string_bytes) {
  if ((call.raw.flags & trace::flag_malformed) != 0) return "? (malformed)";
  if ((call.raw.flags & trace::flag_again) != 0) return "? (not ready: waits, and is made again)";
  if (!call.raw.has_result()) return "? (posted through a shared ring)";
  const decodable with(call);
  return trace::decode_result(with.call, with.options(string_bytes));
}

std::string words_of(const recorded_call& call, unsigned string_bytes) {
  switch (call.raw.number) {
    case detail::internal_resolve:
      return "(resolve_address)";
    case detail::internal_wait:
      return "(wait_ready fd=" + std::to_string(static_cast<int>(call.raw.args[0])) + " of " +
             trace::call_name(call.raw.args[2]) + ")";
    case detail::internal_lost:
      return "(lost_call)";
    case detail::internal_file:
      return "(look_at_file fd=" + std::to_string(static_cast<int>(call.raw.args[0])) + ")";
    default:
      break;
  }
  const decodable with(call);
  return trace::decode(with.call, with.options(string_bytes));
}

void print_call(std::ostream& to, const recorded_call& call, unsigned string_bytes, const std::string& process) {
  static constexpr const char* scopes[] = {"thread", "warp", "block", "grid"};
  to << process << time_of_day(call.begin_ns()) << " [block " << call.raw.block << " warp " << unsigned{call.raw.warp};
  if (call.raw.scope != 0) to << " " << scopes[call.raw.scope & 3];
  if (!call.run_name.empty()) to << ", " << call.run_name;
  to << "] " << words_of(call, string_bytes) << " = " << result_of(call, string_bytes);
  const std::int64_t length = call.completed_ns - call.begin_ns();
  to << " <" << seconds(std::max<std::int64_t>(length, 0)) << ">\n";
}

// Workers' records reach the file some milliseconds apart.
void print_text(std::ostream& to, recording& from, const chosen_calls& which, bool internal, unsigned string_bytes,
                const std::string& process) {
  constexpr std::int64_t apart_ns = 1'000'000'000;
  const auto later = [](const recorded_call& a, const recorded_call& b) { return a.begin_ns() > b.begin_ns(); };
  std::priority_queue<recorded_call, std::vector<recorded_call>, decltype(later)> waiting(later);
  std::int64_t last_ns = 0;
  const auto print_until = [&](std::int64_t ns) {
    for (; !waiting.empty() && waiting.top().begin_ns() <= ns; waiting.pop())
      print_call(to, waiting.top(), string_bytes, process);
  };
  for (recorded_call call; from.next(call);) {
    if (call.is_internal() ? !internal : !which.has(trace::call_name(call.raw.number))) continue;
    last_ns = std::max(last_ns, call.completed_ns);
    waiting.push(call);
    print_until(last_ns - apart_ns);
  }
  print_until(last_ns);
  while (!waiting.empty()) print_call(to, waiting.top(), string_bytes, process), waiting.pop();
  if (from.dropped() != 0) to << process << "+++ " << from.dropped() << " calls are not recorded +++\n";
  if (from.is_truncated()) to << process << "+++ the recording is cut off +++\n";
}

}  // namespace genesys::command
