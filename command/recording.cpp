// SPDX-License-Identifier: Apache-2.0
#include "recording.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "genesys/detail/wire/request.h"

namespace genesys::command {
namespace {

constexpr std::uint32_t clock_mask = (1u << 19) - 1, clock_half = 1u << 18;

union any_record {
  trace::call_record call;
  trace::clocks_record clocks;
  trace::dropped_record dropped;
};

}  // namespace

bool recorded_call::is_internal() const { return raw.number >= detail::internal_resolve; }

recording::recording(const std::string& path) : file_(std::fopen(path.c_str(), "rbe")) {
  if (!file_) throw std::runtime_error(path + ": " + std::strerror(errno));
  if (std::fread(&header_, sizeof header_, 1, file_.get()) != 1 ||
      std::memcmp(header_.magic, trace::file_magic, sizeof header_.magic) != 0)
    throw std::runtime_error(path + " is no recording of genesys");
  if (header_.version != trace::file_version || header_.record_bytes != sizeof(trace::call_record))
    throw std::runtime_error(path + " has version " + std::to_string(header_.version) +
                             " of the format; this command reads version " + std::to_string(trace::file_version));
  header_.describe[sizeof header_.describe - 1] = 0;
  look_ahead();
}

// The first pass: the pairs of clocks, the fastest call, and what is lost.
void recording::look_ahead() {
  any_record one;
  std::size_t bytes;
  while ((bytes = std::fread(&one, 1, sizeof one, file_.get())) == sizeof one) {
    if (one.call.kind == trace::record_kind::clocks) {
      clocks_.push_back(one.clocks);
    } else if (one.call.kind == trace::record_kind::dropped) {
      dropped_ += one.dropped.count;
    }
  }
  truncated_ = bytes != 0;
  if (clocks_.empty()) throw std::runtime_error("the recording has no pair of clocks");
  std::sort(clocks_.begin(), clocks_.end(), [](const auto& a, const auto& b) { return a.ticks < b.ticks; });
  const auto same = [](const auto& a, const auto& b) { return a.ticks == b.ticks; };
  clocks_.erase(std::unique(clocks_.begin(), clocks_.end(), same), clocks_.end());  // ns_of() divides by the difference
  const auto rewind = [this] { std::fseek(file_.get(), sizeof header_, SEEK_SET); };
  rewind();
  while (std::fread(&one, sizeof one, 1, file_.get()) == 1) {
    const trace::call_record& call = one.call;
    if (call.kind != trace::record_kind::call || (call.flags & trace::flag_dependent) != 0 || call.at.taken == 0)
      continue;
    const std::uint32_t shift =
        (static_cast<std::uint32_t>(static_cast<std::uint64_t>(ns_of(call.at.taken)) >> 10) - call.published) &
        clock_mask;
    if (!has_shift_ || ((shift - shift_) & clock_mask) > clock_half) shift_ = shift, has_shift_ = true;
  }
  rewind();
}

// Between the two pairs around it, or by the two nearest.
std::int64_t recording::ns_of(std::uint64_t ticks) const {
  if (ticks == 0) return 0;
  if (clocks_.size() == 1) return static_cast<std::int64_t>(clocks_[0].realtime_ns);  // a recording that was cut off
  auto after = std::upper_bound(clocks_.begin() + 1, clocks_.end() - 1, ticks,
                                [](std::uint64_t at, const auto& pair) { return at < pair.ticks; });
  const trace::clocks_record &a = *(after - 1), &b = *after;
  const double rate = static_cast<double>(b.monotonic_ns - a.monotonic_ns) / static_cast<double>(b.ticks - a.ticks);
  return static_cast<std::int64_t>(a.realtime_ns) +
         static_cast<std::int64_t>(rate * static_cast<double>(static_cast<std::int64_t>(ticks - a.ticks)));
}

bool recording::next(recorded_call& call) {
  any_record one;
  do {
    if (std::fread(&one, sizeof one, 1, file_.get()) != 1) return false;
  } while (one.call.kind != trace::record_kind::call);
  call.raw = one.call;
  call.taken_ns = ns_of(one.call.at.taken);
  call.started_ns = ns_of(one.call.at.started);
  call.ended_ns = ns_of(one.call.at.ended);
  call.completed_ns = ns_of(one.call.at.completed);
  call.queued_ns = -1;
  if (has_shift_ && call.taken_ns != 0 && (one.call.flags & trace::flag_dependent) == 0) {
    const auto now = static_cast<std::uint32_t>(static_cast<std::uint64_t>(call.taken_ns) >> 10);
    call.queued_ns = std::int64_t{(now - one.call.published - shift_) & clock_mask} << 10;
  }
  return true;
}

}  // namespace genesys::command
