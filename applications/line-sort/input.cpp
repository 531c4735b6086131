// SPDX-License-Identifier: Apache-2.0
#include "input.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace line_sort {
namespace {

constexpr u64 bytes_of_read = 128 * 1024;

}  // namespace

std::string message_of(const trouble& wrong, const std::string& name) {
  const std::string file = name == "-" ? "standard input" : name;
  if (wrong.error == file_shrank) return "cannot read: " + file + ": it was cut while it was read";
  return "cannot read: " + file + ": " + std::strerror(wrong.error);
}

input::input(const std::vector<std::string>& names, sorter& by) : names_(names), by_(by), sources_(by.open(names)) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const source& one = sources_[i];
    if (one.fd < 0) throw std::runtime_error(message_of({-one.fd, 0}, names[i]));
    const bool comes = one.end == 0;
    size_ = comes || size_ == ~u64{0} ? ~u64{0} : size_ + (one.end - one.begin) + 1;
  }
}

input::~input() {
  for (const source& each : sources_)
    if (each.fd > 0) ::close(each.fd);
}

// Of a regular file.
bool input::is_read() const {
  const source& one = sources_[next_];
  return one.end != 0 && one.begin + read_ == one.end && !needs_newline_;
}

void input::end_source() {
  ++next_;
  read_ = 0;
}

u64 input::fill(u64 at, u64 end) {
  std::vector<read_task> tasks;
  const auto read_tasks = [&] {
    const trouble wrong = by_.read(tasks);
    if (wrong.error != 0) throw std::runtime_error(message_of(wrong, names_[wrong.number]));
    tasks.clear();
  };
  std::vector<u64> newlines;
  while (at < end && next_ < sources_.size()) {
    const source& one = sources_[next_];
    if (needs_newline_) {
      newlines.push_back(at++);
      needs_newline_ = false;
    } else if (one.end != 0 && one.begin + read_ < one.end) {
      const u64 bytes = std::min({end - at, bytes_of_read, one.end - one.begin - read_});
      tasks.push_back({one.fd, static_cast<u32>(next_), one.begin + read_, at, bytes});
      read_ += bytes;
      at += bytes;
      needs_newline_ = one.begin + read_ == one.end && one.last != '\n';
    } else if (one.end == 0) {
      const u64 wanted = end - at;
      const long got = by_.read_stream(one.fd, at, wanted);
      if (got < 0) throw std::runtime_error(message_of({static_cast<int>(-got), 0}, names_[next_]));
      read_ += static_cast<u64>(got);
      at += static_cast<u64>(got);
      if (static_cast<u64>(got) == wanted) break;  // it may go on
      if (read_ > 0 && at > 0 && by_.byte_at(at - 1) != '\n') newlines.push_back(at++);
      end_source();
    }
    while (next_ < sources_.size() && is_read()) end_source();
  }
  if (!tasks.empty()) read_tasks();
  for (const u64 each : newlines) by_.put_newline(each);
  return at;
}

}  // namespace line_sort
