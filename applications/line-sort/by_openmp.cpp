// SPDX-License-Identifier: Apache-2.0
// A sorter by all threads of the CPU. It reads and writes as the kernels do, and sorts by libstdc++'s parallel sort.
#include <fcntl.h>
#include <omp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <parallel/algorithm>
#include <utility>

#include "memory.h"
#include "sorter.h"

namespace line_sort {
namespace {

constexpr u64 lines_of_group = 16 * 1024;

// OpenMP's threads cannot throw. The first one ends the process.
[[noreturn]] void end_without_memory() {
  static std::atomic_flag ends;
  while (ends.test_and_set()) ::pause();
  std::fputs("line-sort: there is not enough memory: give less by --buffer-size\n", stderr);
  std::_Exit(2);
}

class openmp_sorter final : public sorter {
 public:
  explicit openmp_sorter(const settings& chosen)
      : threads_(chosen.threads != 0 ? static_cast<int>(chosen.threads) : omp_get_num_procs()) {
    memory_ = usable_memory(chosen.memory, half_of_available_memory());
    std::set_new_handler(end_without_memory);
    of_ = {nullptr, chosen.is_reverse, chosen.is_unique};
    omp_set_num_threads(threads_);
  }

  u64 memory() const override { return memory_; }
  void allocate_text(u64 bytes) override {
    text_ = std::make_unique_for_overwrite<u8[]>(bytes + text_padding);
    of_.bytes = text_.get();
  }
  void allocate_entries(u64 lines) override {
    if (lines <= entries_max_) return;
    entries_.reset();
    entries_ = std::make_unique_for_overwrite<entry[]>(lines);
    entries_max_ = lines;
  }

  std::vector<source> open(const std::vector<std::string>& names) override {
    std::vector<source> all;
    for (const std::string& name : names) all.push_back(open_one(name));
    return all;
  }
  trouble read(const std::vector<read_task>& tasks) override {
    trouble wrong;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (const int error = read_one(tasks[i]); error != 0) {
#pragma omp critical
        wrong = {error, tasks[i].number};
      }
    }
    return wrong;
  }
  long read_stream(int fd, u64 to, u64 bytes) override {
    u64 done = 0;
    while (done < bytes) {
      const ssize_t got = ::read(fd, &text_[to + done], bytes - done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return -errno;
      if (got == 0) break;
      done += static_cast<u64>(got);
    }
    return static_cast<long>(done);
  }
  u8 byte_at(u64 at) override { return text_[at]; }
  void put_newline(u64 at) override { text_[at] = '\n'; }
  void move_down(u64 from, u64 to, u64 bytes) override { std::memmove(&text_[to], &text_[from], bytes); }

  std::vector<piece_lines> count(const std::vector<piece>& pieces) override {
    std::vector<piece_lines> all(pieces.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const piece& one = pieces[i];
      const u8 *const begin = &text_[one.begin], *const end = begin + one.bytes;
      u32 lines = one.is_first || begin[-1] == '\n' ? 1 : 0, complete = 0;
      for (const u8* at = begin; (at = newline_in(at, end)) != nullptr;) {
        complete = static_cast<u32>(++at - begin);
        if (at != end) ++lines;
      }
      all[i] = {lines, complete};
    }
    return all;
  }
  void sort(const std::vector<piece>& pieces, const std::vector<u64>& first, u64 lines) override {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const piece& one = pieces[i];
      const u8 *const begin = &text_[one.begin], *const end = begin + one.bytes;
      entry* to = &entries_[first[i]];
      const auto note = [&](const u8* at) {
        const u64 line = one.begin + static_cast<u64>(at - begin);
        *to++ = {key_of(of_, line), line};
      };
      if (one.is_first || begin[-1] == '\n') note(begin);
      for (const u8* at = begin; (at = newline_in(at, end)) != nullptr;)
        if (++at != end) note(at);
    }
    __gnu_parallel::sort(entries_.get(), entries_.get() + lines,
                         [this](const entry& a, const entry& b) { return comes_before(of_, a, b); });
  }
  int write(const sink& to, u64 lines, u64& written) override {
    const u64 groups = (lines + lines_of_group - 1) / lines_of_group;
    std::vector<u64> begins(groups);
    const auto each_line = [&](u64 group, const auto& body) {
      for (u64 i = group * lines_of_group; i < std::min(lines, (group + 1) * lines_of_group); ++i)
        body(entries_[i].begin, output_bytes(of_, entries_.get(), i));
    };
#pragma omp parallel for schedule(dynamic)
    for (u64 g = 0; g < groups; ++g) each_line(g, [&](u64, u64 bytes) { begins[g] += bytes; });
    for (u64& each : begins) each = std::exchange(written, written + each);
    std::atomic<int> wrong{0};
#pragma omp parallel for schedule(static, 1) if (!to.in_order)
    for (u64 g = 0; g < groups; ++g) {
      if (wrong != 0) continue;
      std::vector<u8> bytes;
      each_line(g, [&](u64 at, u64 length) { bytes.insert(bytes.end(), &text_[at], &text_[at] + length); });
      if (const int error = put(to, bytes, begins[g]); error != 0) wrong = error;
    }
    return wrong;
  }
  void take(std::vector<run_part>& parts) override {
    for (run_part& each : parts) find_lines(of_, each);
    const u32 bound = find_bound(of_, parts.data(), static_cast<u32>(parts.size()));
    if (bound == parts.size()) return;
    for (run_part& each : parts) take_up_to(of_, each, parts[bound]);
    parts[bound].is_bound = 1;
  }

 private:
  static const u8* newline_in(const u8* at, const u8* end) {
    return static_cast<const u8*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
  }
  // Returns an errno, file_shrank or file_changed; or 0.
  int read_one(const read_task& one) const {
    for (u64 done = 0; done < one.bytes;) {
      const ssize_t got = ::pread(one.fd, &text_[one.to + done], one.bytes - done, static_cast<off_t>(one.at + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return got == 0 ? file_shrank : errno;
      done += static_cast<u64>(got);
    }
    return one.ends_with >= 0 && text_[one.to + one.bytes - 1] != one.ends_with ? file_changed : 0;
  }
  static source open_one(const std::string& name) {
    const bool is_input = name == "-";
    source one{is_input ? STDIN_FILENO : ::open(name.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC), 0, 0, 0};
    struct stat about {};
    const int error = one.fd < 0 || ::fstat(one.fd, &about) != 0 ? errno : S_ISDIR(about.st_mode) ? EISDIR : 0;
    if (error != 0 && one.fd > STDIN_FILENO) ::close(one.fd);
    if (error != 0) return {-error, 0, 0, 0};
    const off_t begin = is_input ? ::lseek(one.fd, 0, SEEK_CUR) : 0;
    u8 last = 0;
    if (S_ISREG(about.st_mode) && begin >= 0 && about.st_size > begin &&
        ::pread(one.fd, &last, 1, about.st_size - 1) == 1)
      one = {one.fd, static_cast<u64>(begin), static_cast<u64>(about.st_size), last};
    return one;
  }
  static int put(const sink& to, const std::vector<u8>& bytes, u64 at) {
    for (u64 done = 0; done < bytes.size();) {
      const ssize_t got =
          to.in_order ? ::write(to.fd, &bytes[done], bytes.size() - done)
                      : ::pwrite(to.fd, &bytes[done], bytes.size() - done, static_cast<off_t>(to.at + at + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return got == 0 ? EIO : errno;
      done += static_cast<u64>(got);
    }
    return 0;
  }

  int threads_;
  u64 memory_ = 0, entries_max_ = 0;
  text of_{};
  std::unique_ptr<u8[]> text_;
  std::unique_ptr<entry[]> entries_;
};

}  // namespace

std::unique_ptr<sorter> make_openmp_sorter(const settings& chosen) { return std::make_unique<openmp_sorter>(chosen); }

}  // namespace line_sort
