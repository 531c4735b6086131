// SPDX-License-Identifier: Apache-2.0
#include "external.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <memory>
#include <stdexcept>

#include "input.h"
#include "support/program.h"

namespace line_sort {
namespace {

using application::descriptor;
using application::fail;

constexpr u64 bytes_of_read = 128 * 1024;
constexpr const char* too_long = "a line is longer than the memory: give more by --buffer-size";

// A file without a name.
int open_temporary(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  std::string name = folder + "/line-sort.XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named < 0) fail("cannot make a temporary file in " + folder);
  ::unlink(name.c_str());
  return named;
}

struct run {
  std::unique_ptr<descriptor> file;
  u64 bytes = 0, read = 0;
  u64 least = 0;  // bytes to read, because the next line is longer than the run's share of the text
  explicit run(int fd) : file(std::make_unique<descriptor>(fd)) {}
  int fd() const { return file->get(); }
};

// The file that gets the result. A regular file is written by position, from where it stands.
class output {
 public:
  explicit output(const std::string& name)
      : own_(name.empty() ? -1 : ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)),
        fd_(name.empty() ? STDOUT_FILENO : own_.get()) {
    if (fd_ < 0) fail("cannot write: " + name);
    struct stat about {};
    const off_t at = ::lseek(fd_, 0, SEEK_CUR);
    const int flags = ::fcntl(fd_, F_GETFL);
    const bool by_position = ::fstat(fd_, &about) == 0 && S_ISREG(about.st_mode) && at >= 0 && (flags & O_APPEND) == 0;
    to_ = {fd_, by_position ? static_cast<u64>(at) : 0, !by_position};
  }
  const sink& to() const { return to_; }
  // Moves the file's position behind what was written, as write(2) does.
  void end(u64 written) const {
    if (!to_.in_order && ::lseek(fd_, static_cast<off_t>(to_.at + written), SEEK_SET) < 0) fail("cannot write");
  }

 private:
  descriptor own_;
  int fd_;
  sink to_{};
};

// Adds the time of its life to `sum`.
class stopwatch {
 public:
  explicit stopwatch(double& sum) : sum_(sum), begin_(std::chrono::steady_clock::now()) {}
  ~stopwatch() { sum_ += application::seconds_since(begin_); }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

 private:
  double& sum_;
  std::chrono::steady_clock::time_point begin_;
};

class file_sorter {
 public:
  file_sorter(const settings& chosen, sorter& by) : chosen_(chosen), by_(by), from_(chosen.files, by) {
    const u64 most = by.memory() / 5 * 3;  // of it for the text; the rest is for entries, two for each line
    text_bytes_ = std::max(u64{1}, std::min(from_.size(), most));
    lines_max_ = (by.memory() - text_bytes_) / (2 * sizeof(entry));
    by_.allocate_text(text_bytes_ + 1);
  }

  totals sort() {
    u64 filled = 0;
    for (;;) {
      filled = fill(filled);
      if (filled == 0) break;
      const prepared now = prepare({{0, filled}}, from_.has_ended());
      if (now.bytes == 0) throw std::runtime_error(too_long);
      sort_prepared(now);
      done_.lines += now.lines;
      if (runs_.empty() && from_.has_ended() && now.bytes == filled) {
        write_result([&](const sink& to, u64& written) { write(to, now.lines, written); });
        return done_;
      }
      runs_.emplace_back(open_temporary(chosen_.folder));
      run& one = runs_.back();
      write({one.fd(), 0, false}, now.lines, one.bytes);
      ++done_.runs;
      by_.move_down(now.bytes, 0, filled - now.bytes);
      filled -= now.bytes;
    }
    while (runs_.size() > runs_max) {
      run merged(open_temporary(chosen_.folder));
      merge(runs_max, {merged.fd(), 0, false}, merged.bytes);
      runs_.erase(runs_.begin(), runs_.begin() + runs_max);
      runs_.push_back(std::move(merged));
    }
    write_result([&](const sink& to, u64& written) { merge(static_cast<u32>(runs_.size()), to, written); });
    return done_;
  }

 private:
  struct part {
    u64 begin, bytes;
  };
  // Parts of the text, as pieces whose lines are counted.
  struct prepared {
    std::vector<piece> pieces;
    std::vector<u64> first;  // line of each piece
    u64 lines = 0, bytes = 0;
  };

  u64 fill(u64 filled) {
    const stopwatch until_read(done_.reading);
    return from_.fill(filled, text_bytes_);
  }

  // Takes of the parts as many lines as fit. Less than all of them only if there is one part. `ends`: its last byte is
  // the end of a line.
  prepared prepare(const std::vector<part>& parts, bool ends) {
    prepared now;
    for (const part& each : parts)
      for (u64 at = 0; at < each.bytes; at += piece_bytes)
        now.pieces.push_back(
            {each.begin + at, static_cast<u32>(std::min<u64>(piece_bytes, each.bytes - at)), at == 0 ? 1u : 0u});
    const std::vector<piece_lines> counts = by_.count(now.pieces);
    std::size_t complete = 0;  // pieces up to the last one that may end here
    u64 lines = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      now.first.push_back(lines);
      lines += counts[i].lines;
      if (lines > lines_max_) break;
      if (counts[i].complete != 0) {
        complete = i + 1;
        now.lines = lines;
      }
    }
    const bool takes_all = lines <= lines_max_ && ends;
    if (complete == 0) return {};
    const piece_lines& last = counts[complete - 1];
    now.pieces.resize(complete);
    now.first.resize(complete);
    now.bytes = 0;
    if (!takes_all && last.complete < now.pieces.back().bytes) {
      --now.lines;  // the last line of this piece goes on behind it
      now.pieces.back().bytes = last.complete;
    }
    for (const piece& each : now.pieces) now.bytes += each.bytes;
    return now;
  }

  void sort_prepared(const prepared& now) {
    const stopwatch until_sorted(done_.sorting);
    by_.allocate_entries(now.lines);
    by_.sort(now.pieces, now.first, now.lines);
  }

  void write(const sink& to, u64 lines, u64& written) {
    const stopwatch until_written(done_.writing);
    const int error = by_.write(to, lines, written);
    if (error == EPIPE) (void)::raise(SIGPIPE);  // as write(2) does where this thread makes it
    if (error != 0) throw std::runtime_error(failed_write(to, error));
  }
  std::string failed_write(const sink& to, int error) const {
    const bool is_result = to.fd == result_fd_;
    const std::string what = !is_result ? "a temporary file in " + chosen_.folder + " (give another by -T)"
                             : chosen_.output.empty() ? "standard output"
                                                      : chosen_.output;
    return "cannot write: " + what + ": " + std::strerror(error);
  }

  template <class Write>
  void write_result(const Write& write_to) {
    const output result(chosen_.output);
    result_fd_ = result.to().fd;
    write_to(result.to(), done_.bytes);
    result.end(done_.bytes);
  }

  // Merges the first `count` runs.
  void merge(u32 count, const sink& to, u64& written) {
    u64 room = text_bytes_;
    for (;;) {
      std::vector<run*> from;
      for (u32 r = 0; r < count; ++r)
        if (runs_[r].read < runs_[r].bytes) from.push_back(&runs_[r]);
      if (from.empty()) return;
      std::vector<run_part> parts = read_parts(from, room);
      by_.take(parts);
      if (give_room_for_long_lines(from, parts)) continue;
      std::vector<part> taken;
      u64 bytes = 0;
      for (const run_part& each : parts) {
        taken.push_back({each.begin, each.take});
        bytes += each.take;
      }
      if (bytes == 0) throw std::runtime_error("a temporary file has changed");
      const prepared now = prepare(taken, true);
      if (now.bytes != bytes) {  // these lines are shorter than others: fewer bytes of them fit
        room /= 2;
        continue;
      }
      sort_prepared(now);
      write(to, now.lines, written);
      for (std::size_t i = 0; i < from.size(); ++i) {
        from[i]->read += parts[i].take;
        from[i]->least = 0;
      }
      room = std::min(text_bytes_, room * 2);  // what has shrunk it may be over
    }
  }

  // Whether a line did not fit into its run's part. The run then gets more room.
  static bool give_room_for_long_lines(const std::vector<run*>& from, const std::vector<run_part>& parts) {
    bool any = false;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (parts[i].is_cut == 0) continue;
      from[i]->least = 2 * parts[i].bytes;
      any = true;
    }
    return any;
  }

  // The next bytes of each run. `room`: of all; it shrinks if some need more than their share.
  std::vector<run_part> read_parts(const std::vector<run*>& from, u64& room) {
    std::vector<run_part> parts;
    for (u64 sum = ~u64{0}; sum > text_bytes_; room = sum > text_bytes_ ? room / 2 : room) {
      const u64 share = room / from.size();
      if (share == 0) throw std::runtime_error(too_long);
      parts.clear();
      sum = 0;
      for (const run* one : from) {
        const u64 left = one->bytes - one->read, bytes = std::min(left, std::max(share, one->least));
        parts.push_back({sum, bytes, bytes == left ? 1u : 0u, 0, 0, 0});
        sum += bytes;
      }
    }
    std::vector<read_task> tasks;
    for (std::size_t i = 0; i < from.size(); ++i)
      for (u64 at = 0; at < parts[i].bytes; at += bytes_of_read)
        tasks.push_back(
            {from[i]->fd(), 0, from[i]->read + at, parts[i].begin + at, std::min(bytes_of_read, parts[i].bytes - at)});
    const stopwatch until_read(done_.reading);
    if (const trouble wrong = by_.read(tasks); wrong.error != 0)
      throw std::runtime_error(message_of(wrong, "a temporary file in " + chosen_.folder));
    return parts;
  }

  const settings& chosen_;
  sorter& by_;
  input from_;
  u64 text_bytes_ = 0, lines_max_ = 0;
  std::deque<run> runs_;
  int result_fd_ = -1;
  totals done_;
};

}  // namespace

totals sort_files(const settings& chosen, sorter& by) { return file_sorter(chosen, by).sort(); }

}  // namespace line_sort
