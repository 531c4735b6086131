// SPDX-License-Identifier: Apache-2.0
#include "recording.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "genesys/detail/wire/request.h"
#include "trace/decode.h"

namespace genesys::command {
namespace {

// Up to a zero.
std::string_view text_of(const std::vector<std::uint64_t>& words) {
  const auto* const text = reinterpret_cast<const char*>(words.data());
  return {text, ::strnlen(text, words.size() * 8)};
}

}  // namespace

bool is_internal(std::uint32_t number) { return number >= detail::internal_resolve; }

std::string name_in_table(const recorded_call& call) {
  return trace::call_name(call.raw.number) + (call.is_in_ring() ? " (ring)" : "");
}

bool unpack_call(const std::uint64_t* words, unsigned count, recorded_call& call) {
  unsigned data_at;
  if (!trace::unpack(words, count, call.raw, data_at)) return false;
  call.data.clear();
  while (data_at < count) {
    trace::packed_data head;
    std::memcpy(&head, words + data_at, sizeof head);
    const unsigned there = (count - ++data_at) * 8, bytes = std::min<unsigned>(head.bytes, there);
    const auto* const from = reinterpret_cast<const unsigned char*>(words + data_at);
    const std::uint64_t total = head.total == 0xffff ? ~std::uint64_t{0} : head.total;
    call.data.push_back({head.key & 7, head.key >> 3, total, {from, from + bytes}});
    data_at += (bytes + 7) / 8;
  }
  return true;
}

void set_host_times(const clock_pairs& clocks, recorded_call& call) {
  const trace::call_times& at = call.raw.at;
  call.taken_ns = clocks.ns_of(at.taken);
  call.started_ns = clocks.ns_of(at.started);
  call.ended_ns = clocks.ns_of(at.ended);
  call.completed_ns = clocks.ns_of(at.completed);
  call.published_ns = 0;
  call.earlier = {};
  if (!call.is_in_ring()) return;
  call.taken_ns = call.started_ns = call.ended_ns = 0;
  if (call.raw.has_ring_times()) call.published_ns = call.completed_ns - std::int64_t{call.raw.ring.took};
}

recording::recording(const std::string& path) : file_(std::fopen(path.c_str(), "rbe")) {
  if (!file_) throw std::runtime_error(path + ": " + std::strerror(errno));
  if (std::fread(&header_, sizeof header_, 1, file_.get()) != 1 ||
      std::memcmp(header_.magic, trace::file_magic, sizeof header_.magic) != 0)
    throw std::runtime_error(path + " is no recording of genesys");
  if (std::fseek(file_.get(), sizeof header_, SEEK_SET) != 0)
    throw std::runtime_error(path + " is a pipe or a terminal; a recording is read twice, so it needs a file");
  if (header_.version != trace::file_version || header_.header_bytes != sizeof header_)
    throw std::runtime_error(path + " has version " + std::to_string(header_.version) +
                             " of the format; this command reads version " + std::to_string(trace::file_version));
  header_.describe[sizeof header_.describe - 1] = 0;
  look_ahead();
}

// False: the file has no further section that is whole.
bool recording::read_section() {
  at_ = 0;
  content_.clear();
  const std::size_t got = std::fread(&section_, 1, sizeof section_, file_.get());
  if (got == 0) return false;
  const bool is_valid = got == sizeof section_ && section_.bytes >= sizeof section_ && section_.bytes % 8 == 0 &&
                        section_.bytes <= trace::section_bytes_max;
  if (is_valid) content_.resize((section_.bytes - sizeof section_) / 8);
  if (!is_valid || std::fread(content_.data(), 8, content_.size(), file_.get()) != content_.size()) {
    is_whole_ = false;
    return false;
  }
  return true;
}

// The first pass: the pairs of clocks, the bounds of the device's clock, and what is lost.
void recording::look_ahead() {
  const auto rewind = [this] {
    if (std::fseek(file_.get(), sizeof header_, SEEK_SET) != 0)
      throw std::runtime_error("the recording cannot be read again: " + std::string(std::strerror(errno)));
  };
  while (read_section()) {
    if (section_.kind == trace::section_kind::clocks && content_.size() * 8 >= sizeof(trace::clocks_pair)) {
      trace::clocks_pair pair;
      std::memcpy(&pair, content_.data(), sizeof pair);
      clocks_.add(pair);
    } else if (section_.kind == trace::section_kind::dropped) {
      dropped_ += section_.count;
    }
    is_whole_ = section_.kind == trace::section_kind::end;
  }
  if (clocks_.empty()) throw std::runtime_error("the recording has no pair of clocks");
  rewind();
  for (recorded_call call; read_record(call);)
    join_.add(call.raw, clocks_.ns_of(call.raw.at.taken), clocks_.ns_of(call.raw.earlier.completed));
  join_.settle();
  rewind();
  at_ = 0;
  content_.clear();
  section_ = {};
  run_names_ = {};
}

// Without the times in nanoseconds.
bool recording::read_record(recorded_call& call) {
  for (;;) {
    while (section_.kind != trace::section_kind::calls ||
           at_ >= std::min<std::size_t>(section_.record_words, content_.size())) {
      if (!read_section()) return false;
      if (section_.kind == trace::section_kind::run)
        run_names_.set(static_cast<unsigned>(section_.first), text_of(content_));
    }
    const auto count = static_cast<unsigned>(std::min<std::size_t>(
        content_[at_] & 255, std::min<std::size_t>(section_.record_words, content_.size()) - at_));
    const std::uint64_t* const words = content_.data() + at_;
    if (count == 0) {  // invalid: no record is empty
      at_ = content_.size();
      continue;
    }
    at_ += count;
    if (!unpack_call(words, count, call)) continue;
    call.worker = section_.worker;
    call.run_name = run_names_.of(call.raw.run);
    return true;
  }
}

bool recording::next(recorded_call& call) {
  if (!read_record(call)) return false;
  const trace::call_record& raw = call.raw;
  set_host_times(clocks_, call);
  const bool has_time = raw.at.taken != 0 && (raw.flags & (trace::flag_dependent | trace::flag_malformed)) == 0;
  // Of the request; that of a call through a shared ring is the lane's report.
  const std::int64_t published_ns = has_time ? join_.published_ns(raw.published, clocks_.ns_of(raw.at.taken)) : 0;
  if (raw.earlier.completed != 0 && join_.is_known()) {
    const std::int64_t at = clocks_.ns_of(raw.earlier.completed), seen = join_.seen_ns(raw.earlier.seen, at);
    if (seen + join_.error_ns() >= at && (published_ns == 0 || seen <= published_ns + 2 * join_.error_ns() + 1024))
      call.earlier = {at, std::max(seen, at), raw.earlier.number};  // otherwise the stamp is of an earlier call
  }
  if (!raw.has_ring_times()) {
    call.published_ns = published_ns;
  } else if (join_.is_known()) {
    call.completed_ns = std::min(call.completed_ns, join_.seen_ns(raw.ring.seen, call.completed_ns));
    call.published_ns = call.completed_ns - std::int64_t{raw.ring.took};
  }
  return true;
}

}  // namespace genesys::command
