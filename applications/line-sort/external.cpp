// SPDX-License-Identifier: Apache-2.0
#include "external.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

#include "input.h"
#include "output.h"
#include "support/program.h"

namespace line_sort {
namespace {

// Of /proc a file may have more bytes than Linux says.
constexpr u64 text_min = 1 << 20;

// A sorted part of the temporary file.
struct run {
  u64 begin, at, end;  // at: what is before it is written
  u64 least = 0;       // bytes to read, because the next line is longer than the run's share of the text
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
  file_sorter(const settings& chosen, sorter& by)
      : chosen_(chosen), by_(by), from_(chosen.files, by), result_(chosen.output), temporary_(chosen.folder) {
    const u64 most = by.memory() / 5 * 3;  // of it for the text; the rest is for entries, two for each line
    text_bytes_ = std::min(std::max(from_.size(), text_min), most - 1) + 1;
    lines_max_ = (by.memory() - text_bytes_) / (2 * sizeof(entry));
    by_.allocate_text(text_bytes_);
  }

  totals sort() {
    u64 filled = 0;
    for (;;) {
      filled = fill(filled);
      if (filled == 0) break;
      const prepared now = prepare({{0, filled}}, from_.has_ended());
      if (now.bytes == 0)
        throw std::runtime_error("a line is longer than the memory for text, " + std::to_string(text_bytes_ - 1) +
                                 " bytes: give more by --buffer-size");
      sort_prepared(now);
      done_.lines += now.lines;
      if (runs_.empty() && from_.has_ended() && now.bytes == filled) {
        write_result([&](const sink& to) { write(to, now.lines, done_.bytes); });
        return done_;
      }
      const sink to = temporary_.reserve(now.bytes);
      u64 written = 0;
      write(to, now.lines, written);
      runs_.push_back({to.at, to.at, to.at + written});
      ++done_.runs;
      by_.move_down(now.bytes, 0, filled - now.bytes);
      filled -= now.bytes;
    }
    write_result([&](const sink& to) { merge(std::move(runs_), to, done_.bytes); });
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

  // A byte stays free: a merge may need the longest line and a byte of another run.
  u64 fill(u64 filled) {
    const stopwatch until_read(done_.reading);
    return from_.fill(filled, text_bytes_ - 1);
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
      --now.lines;  // the last line of this piece goes on after it
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
    if (error == 0) return;
    const std::string what =
        result_.is(to) ? result_.name() : "a temporary file in " + chosen_.folder + " (give another by -T)";
    throw std::runtime_error("cannot write: " + what + ": " + std::strerror(error));
  }

  template <class Write>
  void write_result(const Write& write_to) {
    write_to(result_.begin());
    result_.end(done_.bytes);
  }

  void merge(std::vector<run> runs, const sink& to, u64& written) {
    u64 share = text_bytes_;  // bytes that a run gets at most
    for (;;) {
      std::erase_if(runs, [](const run& one) { return one.at == one.end; });
      if (runs.empty()) return;
      if (runs.size() > runs_max) {
        merge_some(runs, runs_max);
        continue;
      }
      std::vector<run_part> parts = read_parts(runs, share);
      by_.take(parts);
      std::vector<part> taken;
      u64 bytes = 0;
      for (const run_part& each : parts) {
        taken.push_back({each.begin, each.take});
        bytes += each.take;
      }
      if (bytes == 0) {  // a cut line may come first
        if (!read_more_of_line(runs, parts)) merge_some(runs, (runs.size() + 1) / 2);
        continue;
      }
      const prepared now = prepare(taken, true);
      if (now.bytes != bytes) {  // these lines are shorter than others: fewer bytes of them fit
        share = std::max(u64{1}, std::min(share, text_bytes_ / runs.size()) / 2);
        shorten(runs, parts);
        continue;
      }
      sort_prepared(now);
      write(to, now.lines, written);
      for (std::size_t i = 0; i < runs.size(); ++i) {
        runs[i].at += parts[i].take;
        runs[i].least = 0;
      }
      share = std::min(share * 2, text_bytes_);  // what has shrunk it may be over
    }
  }

  // Makes one of the first `count` runs.
  void merge_some(std::vector<run>& runs, std::size_t count) {
    if (runs.size() <= 2)
      throw std::runtime_error("two long lines that begin alike do not fit together into the memory for text, " +
                               std::to_string(text_bytes_) + " bytes: give more by --buffer-size");
    const auto end = runs.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<run> some(runs.begin(), end);
    u64 bytes = 0, written = 0;
    for (run& each : some) {
      each.least = 0;
      bytes += each.end - each.at;
    }
    const sink to = temporary_.reserve(bytes);
    merge(some, to, written);
    for (const run& each : some) temporary_.free(each.begin, each.end);
    runs.erase(runs.begin(), end);
    runs.push_back({to.at, to.at, to.at + written});
  }

  // A run that was given bytes for a long line needs no more of them once they hold the whole line.
  static void shorten(std::vector<run>& runs, const std::vector<run_part>& parts) {
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (runs[i].least != 0 && parts[i].first != 0) runs[i].least = parts[i].first;
  }

  // Returns false if the text has no space for more of the cut line that bounds the others.
  bool read_more_of_line(std::vector<run>& runs, const std::vector<run_part>& parts) const {
    shorten(runs, parts);
    u64 free = text_bytes_, bound = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      free -= parts[i].is_bound ? parts[i].bytes : std::max(u64{1}, runs[i].least);
      if (parts[i].is_bound) bound = i;
    }
    const u64 bytes = parts[bound].bytes;
    runs[bound].least = std::min({2 * bytes, bytes + (free + 1) / 2, runs[bound].end - runs[bound].at});
    return free != 0;
  }

  // The next bytes of each run: `least`, or an equal share of what is left, at most `share`.
  std::vector<run_part> read_parts(const std::vector<run>& from, u64 share) {
    u64 free = text_bytes_, sharing = 0;
    for (const run& each : from) {
      free -= each.least;
      sharing += each.least == 0 ? 1 : 0;
    }
    if (sharing != 0) share = std::min(share, free / sharing);
    std::vector<run_part> parts;
    std::vector<read_task> tasks;
    u64 begin = 0;
    for (const run& each : from) {
      const u64 left = each.end - each.at, bytes = std::min(left, each.least != 0 ? each.least : share);
      parts.push_back({begin, bytes, bytes == left ? 1u : 0u, 0, 0, 0, 0});
      for (u64 at = 0; at < bytes; at += bytes_of_read)
        tasks.push_back({temporary_.fd(), 0, each.at + at, begin + at, std::min(bytes_of_read, bytes - at)});
      begin += bytes;
    }
    const stopwatch until_read(done_.reading);
    if (const trouble wrong = by_.read(tasks); wrong.error != 0)
      throw std::runtime_error(message_of(wrong, "a temporary file in " + chosen_.folder));
    return parts;
  }

  const settings& chosen_;
  sorter& by_;
  input from_;
  output result_;
  temporary_file temporary_;
  u64 text_bytes_ = 0, lines_max_ = 0;
  std::vector<run> runs_;
  totals done_;
};

}  // namespace

totals sort_files(const settings& chosen, sorter& by) { return file_sorter(chosen, by).sort(); }

}  // namespace line_sort
