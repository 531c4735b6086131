// SPDX-License-Identifier: Apache-2.0
#include "recording_stream.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace genesys::command {
namespace {

constexpr std::size_t read_at_once = 1 << 20;

}  // namespace

bool recording_stream::read(std::vector<recorded_call>& into) {
  bool is_open = true;
  is_drained_ = false;
  for (std::size_t all = 0; all < read_at_once;) {  // then the caller looks at what came
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ = 0;
    const std::size_t before = bytes_.size();
    bytes_.resize(before + read_at_once);
    const ssize_t got = ::read(pipe_, bytes_.data() + before, read_at_once);
    bytes_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    is_open = got > 0 || (got < 0 && errno == EAGAIN);
    while (take_section(into)) {
    }
    is_drained_ = got <= 0;
    if (is_drained_) break;
    all += static_cast<std::size_t>(got);
  }
  return is_open;
}

// False: there is no section that is whole.
bool recording_stream::take_section(std::vector<recorded_call>& into) {
  const std::size_t there = bytes_.size() - at_;
  const char* const from = bytes_.data() + at_;
  if (!has_header_) {
    if (there < sizeof(trace::file_header)) return false;
    trace::file_header header;
    std::memcpy(&header, from, sizeof header);
    if (std::memcmp(header.magic, trace::file_magic, sizeof header.magic) != 0 || header.version != trace::file_version)
      throw std::runtime_error("the program's genesys has another version of the recordings' format");
    has_header_ = true;
    at_ += sizeof header;
    return true;
  }
  trace::section_header section;
  if (there < sizeof section) return false;
  std::memcpy(&section, from, sizeof section);
  if (section.bytes < sizeof section || section.bytes > trace::section_bytes_max || section.bytes % 8 != 0)
    throw std::runtime_error("the recording is damaged");
  if (there < section.bytes) return false;
  at_ += section.bytes;
  std::vector<std::uint64_t> words((section.bytes - sizeof section) / 8);
  std::memcpy(words.data(), from + sizeof section, words.size() * 8);
  is_whole_ = section.kind == trace::section_kind::end;
  switch (section.kind) {
    case trace::section_kind::end:
      break;
    case trace::section_kind::clocks:
      if (trace::clocks_pair pair; words.size() * 8 >= sizeof pair) {
        std::memcpy(&pair, words.data(), sizeof pair);
        clocks_.add(pair);
      }
      break;
    case trace::section_kind::dropped:
      dropped_ += section.count;
      break;
    case trace::section_kind::run: {
      const auto* const text = reinterpret_cast<const char*>(words.data());
      run_names_.set(static_cast<unsigned>(section.first), {text, ::strnlen(text, words.size() * 8)});
      break;
    }
    case trace::section_kind::calls: {
      const std::size_t end = std::min<std::size_t>(section.record_words, words.size());
      recorded_call call;
      for (std::size_t at = 0; at < end && !clocks_.empty();) {
        const auto count = static_cast<unsigned>(std::min<std::size_t>(words[at] & 255, end - at));
        if (count == 0) break;
        if (unpack_call(&words[at], count, call)) {
          call.worker = section.worker;
          call.run_name = run_names_.of(call.raw.run);
          set_host_times(clocks_, call);
          into.push_back(call);
        }
        at += count;
      }
      break;
    }
  }
  return true;
}

}  // namespace genesys::command
