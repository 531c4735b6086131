// SPDX-License-Identifier: Apache-2.0
// Prints the lines of a file that are selected. Called by all threads of a team of several: a block or a warp.
//
// A team collects output in device memory. When that is full it takes the lock of the output, writes, and keeps the
// lock up to the end of the file: lines of a file are together, and in order. It holds the lock while it makes calls
// that wait for no other team, so each team gets it in the end.
#pragma once

#include "search.h"

namespace grep {

// A file with a NUL in so many bytes at its beginning, or later before the line that is to be printed, or with a hole,
// is binary: as GNU grep does, the team prints one message to standard error instead of its lines.
constexpr unsigned binary_bytes = 96 * 1024;

template <class Team>
class line_printer {
 public:
  GENESYS_KERNEL line_printer(const genesys::os& os, const task& work, workspace<Team>& space, unsigned path_length,
                              bool with_name)
      : os_(os),
        work_(work),
        space_(space),
        output_(work.output + Team::number() * output_bytes),
        path_length_(path_length),
        with_name_(with_name) {}

  // Prints the lines of a part of the file. False: the file is done with.
  GENESYS_KERNEL_OUTLINE bool print_part(reader file, const range& part);
  // Writes what is left, and lets other teams write.
  GENESYS_KERNEL void end() {
    flush();
    if (holds_lock_ && is_first()) lock().store(0, std::memory_order_release);  // pairs with flush()
    holds_lock_ = false;
  }
  // Of a regular file with such lines: if it is binary, prints that, and returns true.
  GENESYS_KERNEL bool print_binary(reader file);
  GENESYS_KERNEL void skip_lines(std::uint64_t count) { number_ += count; }
  GENESYS_KERNEL bool any() const { return any_; }

 private:
  GENESYS_KERNEL static bool is_first() { return Team::rank() == 0; }
  GENESYS_KERNEL genesys::atomic<std::uint32_t> lock() const {
    return genesys::atomic<std::uint32_t>(work_.result->output_lock);
  }
  GENESYS_KERNEL auto io() const { return Team::on(os_); }
  GENESYS_KERNEL bool flush();
  GENESYS_KERNEL bool put(const char* from, unsigned bytes);
  GENESYS_KERNEL bool put_prefix();
  GENESYS_KERNEL bool put_line(unsigned from, unsigned end);
  GENESYS_KERNEL bool put_binary();
  GENESYS_KERNEL bool print_buffered(unsigned start, unsigned limit, unsigned filled);
  GENESYS_KERNEL bool print_long_line(reader& file, unsigned& kept);

  const genesys::os& os_;
  const task& work_;
  workspace<Team>& space_;
  char* const output_;
  // Every thread has its own copy of these, and all are equal.
  unsigned path_length_, used_ = 0;
  bool with_name_, holds_lock_ = false, any_ = false, is_binary_ = false;
  std::uint64_t number_ = 0;  // of lines before
};

template <class Team>
GENESYS_KERNEL bool line_printer<Team>::flush() {
  if (used_ == 0) return true;
  Team::sync();  // all threads have put what they had
  if (!holds_lock_ && is_first())
    while (lock().exchange(1, std::memory_order_acquire) != 0) genesys::pause(2000);  // pairs with end()
  holds_lock_ = true;
  long written = 1;
  for (unsigned done = 0; done < used_ && written > 0; done += static_cast<unsigned>(written))
    written = io().write(1, output_ + done, used_ - done);
  used_ = 0;
  if (written > 0) return true;
  if (is_first()) note_output_error(work_, written < 0 ? written : -EIO);
  return false;
}

template <class Team>
GENESYS_KERNEL bool line_printer<Team>::put(const char* from, unsigned bytes) {
  while (bytes > 0) {
    if (used_ == output_bytes && !flush()) return false;
    const unsigned some = output_bytes - used_ < bytes ? output_bytes - used_ : bytes;
    for (unsigned i = Team::rank(); i < some; i += Team::threads()) output_[used_ + i] = from[i];
    used_ += some;
    from += some;
    bytes -= some;
  }
  return true;
}

// "NAME:" and "NUMBER:", as asked for. The line's number is number_ + 1.
template <class Team>
GENESYS_KERNEL bool line_printer<Team>::put_prefix() {
  if (!with_name_ && !work_.numbers) return true;
  char* const begin = space_.line.path();
  char* const digits = begin + path_length_ + 1;
  unsigned length = 1;
  for (std::uint64_t rest = number_ + 1; rest >= 10; rest /= 10) ++length;
  Team::sync();  // the last prefix has been copied
  if (is_first()) {
    digits[-1] = ':';
    std::uint64_t rest = number_ + 1;
    for (unsigned i = length; i-- > 0; rest /= 10) digits[i] = static_cast<char>('0' + rest % 10);
    digits[length] = ':';
  }
  Team::sync();
  if (with_name_ && !put(begin, path_length_ + 1)) return false;
  return !work_.numbers || put(digits, length + 1);
}

// data[from, end), and a newline.
template <class Team>
GENESYS_KERNEL bool line_printer<Team>::put_line(unsigned from, unsigned end) {
  any_ = true;
  if (is_binary_) return put_binary();
  if (!put_prefix() || !put(reinterpret_cast<const char*>(space_.data) + from, end - from)) return false;
  return put("\n", 1);
}

// Returns false: one message is enough.
template <class Team>
GENESYS_KERNEL bool line_printer<Team>::put_binary() {
  if (flush() && is_first()) {
    append(space_.line.text, "grep: ");
    char* const end = append(space_.line.path() + path_length_, ": binary file matches\n");
    write_all(os_, 2, space_.line.text, static_cast<unsigned long>(end - space_.line.text));
  }
  return false;
}

template <class Team>
GENESYS_KERNEL bool line_printer<Team>::print_binary(reader file) {
  if (file.data_end != no_hole) {
    const long hole = io().lseek(file.fd, 0, SEEK_HOLE);
    is_binary_ = hole >= 0 && static_cast<std::uint64_t>(hole) < file.size;
  }
  file.data_end = no_hole;
  while (!is_binary_ && !file.at_end && file.offset < binary_bytes) {
    const long bytes = read_chunk<Team>(os_, space_.data, file, 0);
    is_binary_ = bytes > 0 && has_nul(space_, 0, static_cast<unsigned>(bytes));
  }
  if (is_binary_) (void)put_binary();
  return is_binary_;
}

// Prints lines of data[start, limit), which are whole. False: the file is done with.
template <class Team>
GENESYS_KERNEL bool line_printer<Team>::print_buffered(unsigned start, unsigned limit, unsigned filled) {
  while (start < limit) {
    unsigned line = start, line_end = 0;
    if (!work_.invert) {
      const unsigned found = find_match(work_, space_, start, limit, filled);
      line = found == limit ? limit : after_last_line_end(space_, start, found);
      if (work_.numbers) number_ += sum_of_team(space_, count_line_ends(space_, start, line));
      if (found == limit) return true;
      line_end = find_line_end(space_, found, limit);
      if (!put_line(line, line_end)) return false;
    } else {
      line_end = find_line_end(space_, start, limit);
      const unsigned behind = line_end < limit ? line_end + 1 : limit;
      if (find_match(work_, space_, start, behind, filled) == behind && !put_line(start, line_end)) return false;
    }
    ++number_;
    start = line_end + 1;
  }
  return true;
}

template <class Team>
GENESYS_KERNEL_OUTLINE bool line_printer<Team>::print_part(reader file, const range& part) {
  unsigned kept = 0;
  bool is_inside = part.begin == 0;
  if (is_first()) space_.behind_word = 0;
  for (;;) {
    const long bytes = read_chunk<Team>(os_, space_.data, file, kept);
    if (bytes < 0 && is_first() && complains_first(part)) complain(os_, work_, space_.line, path_length_, bytes);
    if (bytes > 0 && is_first()) space_.bytes_read += static_cast<std::uint64_t>(bytes);
    const unsigned filled = kept + (bytes > 0 ? static_cast<unsigned>(bytes) : 0);
    const std::uint64_t offset = file.offset - filled;  // of data[0]
    if (!is_binary_ && has_nul(space_, kept, filled)) is_binary_ = true;
    unsigned start = 0;
    if (!is_inside) {  // the part begins with the first line that begins in it
      const unsigned end = find_line_end(space_, 0, filled);
      if (end == filled && file.at_end) return true;
      kept = 0;
      if (end == filled) continue;
      start = end + 1;
      is_inside = true;
    }
    if (part.end != no_end && offset + start >= part.end) return true;
    unsigned limit = file.at_end ? filled : after_last_line_end(space_, start, filled);
    bool is_last = file.at_end;
    if (part.end != no_end && offset + limit >= part.end) {  // up to the end of the line that has the part's last byte
      const std::uint64_t last = part.end - 1 - offset;      // may be before this piece
      const unsigned end =
          find_line_end(space_, part.end - 1 <= offset + start ? start : static_cast<unsigned>(last), limit);
      is_last = is_last || end < limit;
      limit = end < limit ? end + 1 : limit;
    }
    if (!print_buffered(start, limit, filled)) return false;
    if (is_last) return true;
    if (file.stream && !flush()) return false;
    kept = filled - limit;
    move_to_front(space_, limit, kept);
    if (kept == chunk_bytes && !print_long_line(file, kept)) return false;
  }
}

// A line that fills the buffer: first it is searched, and then read again and printed. That of a stream is copied into
// a file for that. Afterwards `kept` bytes behind it are in the buffer.
template <class Team>
GENESYS_KERNEL bool line_printer<Team>::print_long_line(reader& file, unsigned& kept) {
  reader line{file.fd, false, file.size, no_hole, file.offset - kept};
  if (file.stream) {
    const long copy = io().memfd_create("grep: a line", MFD_CLOEXEC);
    line = {static_cast<int>(copy), false, 0, no_hole};
    long bytes = copy < 0 ? copy : kept;
    for (unsigned end = kept; bytes > 0 && end == static_cast<unsigned>(bytes);) {
      const long written =
          io().pwrite64(line.fd, space_.data, static_cast<unsigned>(bytes), static_cast<long>(line.size));
      if (written < bytes) bytes = written < 0 ? written : -EIO;
      if (bytes < 0) break;
      line.size += static_cast<std::uint64_t>(bytes);
      bytes = read_chunk<Team>(os_, space_.data, file, 0);
      if (bytes > 0) end = find_line_end(space_, 0, static_cast<unsigned>(bytes));
      if (bytes > 0 && end < static_cast<unsigned>(bytes)) {  // with what is behind the line
        (void)io().pwrite64(line.fd, space_.data, static_cast<unsigned>(bytes), static_cast<long>(line.size));
        line.size += static_cast<std::uint64_t>(bytes);
      }
    }
    if (bytes < 0 && is_first()) complain(os_, work_, space_.line, path_length_, bytes);
    if (bytes < 0 && copy >= 0) io().close(static_cast<int>(copy));
    if (bytes < 0) return false;
  }
  const std::uint64_t begin = line.offset;
  reader from = line;
  if (begin > 0) --from.offset;
  const bool is_selected = search(os_, work_, space_, from, {begin, begin + 1, nullptr}, path_length_) > 0;
  bool goes_on = true;
  if (is_selected) {
    any_ = true;
    goes_on = is_binary_ ? put_binary() : put_prefix();
  }
  unsigned filled = 0, end = 0;
  while (goes_on && !line.at_end) {
    const long bytes = read_chunk<Team>(os_, space_.data, line, 0);
    filled = bytes > 0 ? static_cast<unsigned>(bytes) : 0;
    end = find_line_end(space_, 0, filled);
    if (is_selected) goes_on = put(reinterpret_cast<const char*>(space_.data), end);
    if (end < filled) break;
    Team::sync();
  }
  if (goes_on && is_selected) goes_on = put("\n", 1);
  ++number_;
  kept = end < filled ? filled - end - 1 : 0;
  move_to_front(space_, end + 1, kept);
  if (file.stream) {
    while (goes_on && line.offset < line.size) {  // what else was read from the stream
      const long bytes = read_chunk<Team>(os_, space_.data, line, kept);
      goes_on = bytes > 0;
      kept += goes_on ? static_cast<unsigned>(bytes) : 0;
    }
    io().close(line.fd);
  } else {
    file.offset = line.offset;
  }
  Team::sync();
  if (is_first()) space_.behind_word = 0;  // search() has changed it
  return goes_on;
}

}  // namespace grep
