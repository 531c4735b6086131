// SPDX-License-Identifier: Apache-2.0
#include "openmp.h"

#include <fcntl.h>
#include <fts.h>
#include <omp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <vector>

namespace grep {
namespace {

constexpr std::uint64_t no_end = ~std::uint64_t{0};

struct file {
  std::string path;
  bool given;
  std::atomic<std::uint32_t> left{1};  // segments that are not finished
  std::atomic<std::uint64_t> lines{0};
  std::atomic<bool> failed{false};
};

// The part of a file whose lines are searched: those that begin in [begin, end).
struct segment {
  file* of;
  std::uint64_t begin, end;
};

bool ends_line(unsigned char byte) { return byte == '\n' || byte == 0; }

// A thread's search of one segment after another. Like the kernel, it decides a byte when the longest word that begins
// there would have its last byte (with -w the byte behind it) in the same piece.
class searcher {
 public:
  searcher(const word_table& table, const settings& chosen)
      : words_{table.pair_bits.data(),
               table.by_pair.data(),
               table.starts.data(),
               reinterpret_cast<const unsigned char*>(table.text.data()),
               table.beginnings.data(),
               table.longest,
               table.every_line,
               table.whole,
               table.fold},
        chosen_(chosen),
        piece_(piece_bytes + word_bytes_max) {}

  std::uint64_t bytes_read = 0;

  // The number of lines with a word, or with -v of those without; without -c and -v, 1 for any number. `error`: 0, or
  // an errno.
  std::uint64_t search(int fd, bool is_regular, const segment& part, int& error) {
    const std::size_t overlap = words_.longest > 0 ? words_.longest - (words_.whole ? 0 : 1) : 0;
    std::uint64_t offset = part.begin > 0 ? part.begin - 1 : 0, lines = 0, all = 0;
    std::size_t kept = 0;
    bool inside = part.begin == 0, counted = false, open = false, behind_word = false;
    const auto selected = [&] { return chosen_.invert ? all + (open ? 1 : 0) - lines : lines; };
    for (;;) {
      const ssize_t n = is_regular ? ::pread(fd, piece_.data() + kept, piece_bytes, static_cast<off_t>(offset + kept))
                                   : ::read(fd, piece_.data() + kept, piece_bytes);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) error = errno;
      bytes_read += n > 0 ? static_cast<std::uint64_t>(n) : 0;
      const std::size_t filled = kept + (n > 0 ? static_cast<std::size_t>(n) : 0);
      const std::size_t decided = n <= 0 ? filled : filled - std::min(filled, overlap);
      for (std::size_t at = 0; at < decided; ++at) {
        const unsigned char byte = piece_[at];
        if (inside && !counted &&
            word_begins(words_, words_.pair_bits, piece_.data(), static_cast<unsigned>(at),
                        static_cast<unsigned>(filled), behind_word)) {
          ++lines;
          if (!chosen_.count && !chosen_.invert) return 1;
          counted = true;
        }
        if (counted || !inside) {  // the rest of the line does not matter
          while (at < decided && !ends_line(piece_[at])) ++at;
          if (at == decided) break;
        } else if (!ends_line(byte)) {
          continue;
        }
        all += inside ? 1 : 0;
        counted = open = false;
        inside = true;
        if (offset + at + 1 >= part.end) return selected();
      }
      if (decided > 0) behind_word = is_word_byte(piece_[decided - 1]);
      if (decided > 0) open = inside && !ends_line(piece_[decided - 1]);
      if (n <= 0) return selected();
      kept = filled - decided;
      std::memmove(piece_.data(), piece_.data() + decided, kept);
      offset += decided;
    }
  }

 private:
  static constexpr std::size_t piece_bytes = 256 * 1024;
  const words words_;
  const settings& chosen_;
  std::vector<unsigned char> piece_;
};

void complain(const std::string& path, int error) {
  std::fprintf(stderr, "grep: %s: %s\n", path.c_str(), std::strerror(error));
}

// All files below the paths, cut into segments. False: a message was printed.
bool find_files(const settings& chosen, std::deque<file>& files, std::vector<segment>& segments) {
  bool all_well = true;
  std::vector<char*> roots;
  for (const std::string& path : chosen.paths) roots.push_back(const_cast<char*>(path.c_str()));
  roots.push_back(nullptr);
  FTS* const tree = ::fts_open(roots.data(), FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, nullptr);
  if (tree == nullptr) throw std::runtime_error(std::strerror(errno));
  while (FTSENT* const one = ::fts_read(tree)) {
    const bool is_given = one->fts_level == FTS_ROOTLEVEL;
    if (one->fts_info == FTS_DNR || one->fts_info == FTS_ERR || one->fts_info == FTS_NS) {
      complain(one->fts_path, one->fts_errno);
      all_well = false;
    }
    if (one->fts_info != FTS_F && !(is_given && one->fts_info == FTS_DEFAULT)) continue;
    file& added = files.emplace_back();
    added.path = one->fts_path;
    added.given = is_given;
    const auto size = static_cast<std::uint64_t>(one->fts_statp->st_size), step = std::uint64_t{chosen.segment_bytes};
    if (one->fts_info != FTS_F || size <= step) {
      segments.push_back({&added, 0, no_end});
      continue;
    }
    added.left = static_cast<std::uint32_t>((size + step - 1) / step);
    for (std::uint64_t begin = 0; begin < size; begin += step)
      segments.push_back({&added, begin, begin + step < size ? begin + step : no_end});
  }
  ::fts_close(tree);
  return all_well;
}

}  // namespace

cpu_outcome search_by_openmp(const settings& chosen, const word_table& table) {
  std::deque<file> files;
  std::vector<segment> segments;
  cpu_outcome all;
  all.failed = !find_files(chosen, files, segments);
  std::atomic<bool> matched{false}, failed{false};
  std::uint64_t bytes_read = 0;
  const auto with_name = [&](const file& of) {
    return chosen.with_name.value_or(chosen.paths.size() > 1 || !of.given);
  };
  [[maybe_unused]] const int threads = chosen.threads != 0 ? static_cast<int>(chosen.threads) : omp_get_num_procs();
#pragma omp parallel reduction(+ : bytes_read) num_threads(threads)
  {
    searcher mine(table, chosen);
#pragma omp for schedule(dynamic)
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const segment& part = segments[i];
      file& of = *part.of;
      if (chosen.count || of.lines.load(std::memory_order_relaxed) == 0) {
        int error = 0;
        const int fd = ::open(of.path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC);
        if (fd < 0) error = errno;
        struct stat status {};
        const bool is_regular = fd >= 0 && ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
        if (fd >= 0) of.lines += mine.search(fd, is_regular, part, error);
        if (fd >= 0) ::close(fd);
        if (error != 0 && !of.failed.exchange(true)) complain(of.path, error);
        if (fd < 0 && part.end == no_end && part.begin == 0) continue;
      }
      if (of.left.fetch_sub(1) != 1) continue;
      const std::uint64_t lines = of.lines;
      if (lines > 0) matched = true;
      if (of.failed) failed = true;
      if (chosen.count && with_name(of))
        std::printf("%s:%llu\n", of.path.c_str(), static_cast<unsigned long long>(lines));
      else if (chosen.count)
        std::printf("%llu\n", static_cast<unsigned long long>(lines));
      else if (lines > 0)
        std::printf("%s\n", of.path.c_str());
    }
    bytes_read += mine.bytes_read;
  }
  if (std::fflush(stdout) != 0) throw std::runtime_error(std::string("write error: ") + std::strerror(errno));
  for (const file& each : files) failed = failed || each.failed;
  all.matched = matched;
  all.failed = all.failed || failed;
  all.bytes_read = bytes_read;
  return all;
}

}  // namespace grep
