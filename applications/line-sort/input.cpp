// SPDX-License-Identifier: Apache-2.0
#include "input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "support/program.h"

namespace line_sort {
namespace {

[[noreturn]] void fail(const trouble& wrong, const std::string& name) {
  throw std::runtime_error(message_of(wrong, name));
}

// Of a regular file; ~0 of others.
u64 size_of(const std::string& name) {
  struct stat about {};
  const bool can_be_read = name == "-" ? ::fstat(STDIN_FILENO, &about) == 0
                                       : ::stat(name.c_str(), &about) == 0 && ::eaccess(name.c_str(), R_OK) == 0;
  if (!can_be_read) fail({errno, 0}, name);
  if (S_ISDIR(about.st_mode)) fail({EISDIR, 0}, name);
  return S_ISREG(about.st_mode) ? static_cast<u64>(about.st_size) : ~u64{0};
}

}  // namespace

std::string message_of(const trouble& wrong, const std::string& name) {
  const std::string file = name == "-" ? "standard input" : name;
  if (wrong.error == file_shrank) return "cannot read: " + file + ": it was cut while it was read";
  if (wrong.error == file_changed) return "cannot read: " + file + ": it was changed while it was read";
  return "cannot read: " + file + ": " + std::strerror(wrong.error);
}

input::input(const std::vector<std::string>& names, sorter& by) : names_(names), by_(by) {
  for (const std::string& each : names) {
    const u64 size = size_of(each);
    may_wait_.push_back(size == ~u64{0} && each != "-");
    size_ = size == ~u64{0} || size_ == ~u64{0} ? ~u64{0} : size_ + size + 1;
  }
}

input::~input() { close_all(); }

// Of a regular file.
bool input::is_read() const {
  const source& one = now();
  return one.end != 0 && one.begin + read_ == one.end && !needs_newline_;
}

void input::end_source() {
  if (now().fd == STDIN_FILENO && now().end != 0)  // to where read(2) would have moved it
    (void)::lseek(STDIN_FILENO, static_cast<off_t>(now().end), SEEK_SET);
  ++next_;
  read_ = 0;
}

void input::close_all() {
  for (const source& each : sources_)
    if (each.fd > STDIN_FILENO) ::close(each.fd);
  sources_.clear();
}

// Whether there were descriptors for all sources, and one is left, for a temporary file.
bool input::has_descriptors() const {
  const application::descriptor left(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0));
  return left.get() >= 0 &&
         std::ranges::none_of(sources_, [](const source& each) { return each.fd == -EMFILE || each.fd == -ENFILE; });
}

void input::open_more() {
  const auto begin = names_.begin() + static_cast<std::ptrdiff_t>(next_);
  std::size_t count = 1;
  while (count < open_max_ && next_ + count < names_.size() && !may_wait_[next_] && !may_wait_[next_ + count]) ++count;
  first_ = next_;
  for (;; open_max_ = count /= 2) {
    close_all();
    sources_ = by_.open({begin, begin + static_cast<std::ptrdiff_t>(count)});
    if (count == 1 || has_descriptors()) break;
  }
  for (std::size_t i = 0; i < count; ++i)
    if (sources_[i].fd < 0) fail({-sources_[i].fd, 0}, names_[first_ + i]);
}

u64 input::fill(u64 at, u64 end) {
  std::vector<read_task> tasks;
  const auto read_tasks = [&] {
    const trouble wrong = tasks.empty() ? trouble{} : by_.read(tasks);
    if (wrong.error != 0) fail(wrong, names_[wrong.number]);
    tasks.clear();
  };
  std::vector<u64> newlines;
  while (at < end && !has_ended()) {
    if (!is_open()) {
      read_tasks();
      open_more();
    }
    const source& one = now();
    if (needs_newline_) {
      newlines.push_back(at++);
      needs_newline_ = false;
    } else if (one.end != 0 && one.begin + read_ < one.end) {
      const u64 bytes = std::min({end - at, bytes_of_read, one.end - one.begin - read_});
      const bool is_last = one.begin + read_ + bytes == one.end;
      tasks.push_back(
          {one.fd, static_cast<u32>(next_), one.begin + read_, at, bytes, is_last ? static_cast<int>(one.last) : -1});
      read_ += bytes;
      at += bytes;
      needs_newline_ = is_last && one.last != '\n';  // read() fails if the byte is another one now
    } else if (one.end == 0) {
      const u64 wanted = end - at;
      const long got = by_.read_stream(one.fd, at, wanted);
      if (got < 0) fail({static_cast<int>(-got), 0}, names_[next_]);
      read_ += static_cast<u64>(got);
      at += static_cast<u64>(got);
      if (static_cast<u64>(got) == wanted) break;  // it may go on
      if (read_ > 0 && at > 0 && by_.byte_at(at - 1) != '\n') newlines.push_back(at++);
      end_source();
    }
    while (is_open() && is_read()) end_source();
  }
  read_tasks();
  for (const u64 each : newlines) by_.put_newline(each);
  return at;
}

}  // namespace line_sort
