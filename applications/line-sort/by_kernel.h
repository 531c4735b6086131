// SPDX-License-Identifier: Apache-2.0
// A sorter whose steps are launches of kernels (kernel.h, calls.h).
#pragma once

#include <algorithm>
#include <utility>

#include "calls.h"
#include "genesys/genesys.h"
#include "memory.h"
#include "support/device_array.h"

namespace line_sort {

class kernel_sorter final : public sorter {
 public:
  explicit kernel_sorter(const settings& chosen)
      : rt_({.device = chosen.device}), is_cuda_(rt_.kind() == genesys::device_kind::cuda) {
    blocks_ = chosen.blocks != 0 ? chosen.blocks : is_cuda_ ? 1056 : 4;
    threads_ = chosen.threads != 0 ? chosen.threads : is_cuda_ ? threads_max : 8;
    if (is_cuda_) calls_threads_ = 512;
    of_ = {nullptr, chosen.is_reverse, chosen.is_unique};
    windows_ = static_cast<u8*>(rt_.allocate_device(u64{blocks_that_write()} * window_bytes));
    memory_ = usable_memory(chosen.memory, is_cuda_ ? rt_.free_device_bytes() / 10 * 9 : half_of_available_memory());
  }
  ~kernel_sorter() override {
    for (void* each : {static_cast<void*>(text_), static_cast<void*>(entries_), static_cast<void*>(others_),
                       static_cast<void*>(windows_)})
      rt_.free_device(each);
  }
  kernel_sorter(const kernel_sorter&) = delete;
  kernel_sorter& operator=(const kernel_sorter&) = delete;

  u64 memory() const override { return memory_; }
  void allocate_text(u64 bytes) override {
    text_ = static_cast<u8*>(rt_.allocate_device(bytes + text_padding));
    of_.bytes = text_;
  }
  void allocate_entries(u64 lines) override {
    if (lines <= entries_max_) return;
    rt_.free_device(std::exchange(entries_, nullptr));
    rt_.free_device(std::exchange(others_, nullptr));
    entries_max_ = 0;
    entries_ = static_cast<entry*>(rt_.allocate_device(lines * sizeof(entry)));
    others_ = static_cast<entry*>(rt_.allocate_device(lines * sizeof(entry)));
    entries_max_ = lines;
  }

  std::vector<source> open(const std::vector<std::string>& names) override {
    std::vector<char> all;
    std::vector<u64> starts;
    for (const std::string& name : names) {
      starts.push_back(all.size());
      all.insert(all.end(), name.c_str(), name.c_str() + name.size() + 1);
    }
    const array<char> text(rt_, all);
    const array<u64> begins(rt_, starts);
    const array<source> found(rt_, names.size());
    launch(blocks_that_read(), 32, open_files{}, text.data(), begins.data(), static_cast<u32>(names.size()),
           found.data());
    return found.back();
  }
  trouble read(const std::vector<read_task>& tasks) override {
    const array<read_task> all(rt_, tasks);
    const array<u64> wrong(rt_, 1);
    launch(blocks_that_read(), calls_threads_, read_files{}, all.data(), static_cast<u32>(tasks.size()), text_,
           wrong.data());
    const u64 word = wrong.back()[0];
    return {static_cast<int>(word >> 32), static_cast<u32>(word)};
  }
  long read_stream(int fd, u64 to, u64 bytes) override {
    const array<long> result(rt_, 1);
    launch(1, calls_threads_, read_in_order{}, fd, text_ + to, bytes, result.data());
    return result.back()[0];
  }
  u8 byte_at(u64 at) override {
    u8 byte = 0;
    rt_.copy_to_host(&byte, text_ + at, 1);
    return byte;
  }
  void put_newline(u64 at) override { rt_.fill_device(text_ + at, '\n', 1); }
  void move_down(u64 from, u64 to, u64 bytes) override {
    const u64 window = u64{blocks_that_write()} * window_bytes;
    for (u64 done = 0; done < bytes;) {  // as much at a time as does not overlap, or by way of the windows
      const u64 some = std::min(bytes - done, std::max(from - to, window));
      u8* const into = some <= from - to ? text_ + to + done : windows_;
      launch(blocks_, threads_, copy_text{}, into, text_ + from + done, some);
      if (into == windows_) launch(blocks_, threads_, copy_text{}, text_ + to + done, windows_, some);
      done += some;
    }
  }

  std::vector<piece_lines> count(const std::vector<piece>& pieces) override {
    const array<piece> all(rt_, pieces);
    const array<piece_lines> found(rt_, pieces.size());
    launch(blocks_, threads_, count_pieces{}, text_, all.data(), static_cast<u32>(pieces.size()), found.data());
    return found.back();
  }
  void sort(const std::vector<piece>& pieces, const std::vector<u64>& first, u64 lines) override {
    const array<piece> all(rt_, pieces);
    const array<u64> firsts(rt_, first);
    launch(blocks_, threads_, note_lines{}, of_, all.data(), firsts.data(), static_cast<u32>(pieces.size()), entries_);
    launch(blocks_, threads_, sort_tiles{}, of_, entries_, lines);
    for (u64 width = u64{threads_} * entries_of_thread; width < lines; width *= 2) {
      launch(blocks_, threads_, merge_pairs{}, of_, entries_, others_, lines, width);
      std::swap(entries_, others_);
    }
  }
  int write(const sink& to, u64 lines, u64& written) override {
    const u64 groups = (lines + lines_of_group - 1) / lines_of_group;
    const array<u64> bytes(rt_, groups), wrong(rt_, 1);
    launch(blocks_, threads_, measure_groups{}, of_, entries_, lines, bytes.data());
    std::vector<u64> starts = bytes.back();
    for (u64& each : starts) each = std::exchange(written, written + each);
    const array<u64> begins(rt_, starts);
    launch(to.in_order ? 1 : blocks_that_write(), calls_threads_, write_groups{}, of_, entries_, lines, begins.data(),
           to, windows_, wrong.data());
    return static_cast<int>(wrong.back()[0] >> 32);
  }
  void take(std::vector<run_part>& parts) override {
    const array<run_part> all(rt_, parts);
    launch(1, std::min(threads_, runs_max), take_parts{}, of_, all.data(), static_cast<u32>(parts.size()));
    parts = all.back();
  }

 private:
  template <class T>
  using array = application::device_array<T>;

  // Linux writes into a file for one thread at a time: more blocks only wait for each other.
  unsigned blocks_that_write() const { return std::min(blocks_, 16u); }
  unsigned blocks_that_read() const { return is_cuda_ ? std::min(blocks_, 264u) : blocks_; }
  template <class Kernel, class... Arguments>
  void launch(unsigned blocks, unsigned threads, Kernel kernel, Arguments... arguments) {
    genesys::launch(rt_, {.blocks = {blocks}, .threads = {threads}}, kernel, arguments...).drain();
  }

  genesys::runtime rt_;
  bool is_cuda_;
  unsigned blocks_ = 0, threads_ = 0, calls_threads_ = 8;
  u64 memory_ = 0, entries_max_ = 0;  // entries_max_: in each of the two arrays
  text of_{};
  u8 *text_ = nullptr, *windows_ = nullptr;
  entry *entries_ = nullptr, *others_ = nullptr;  // sorted, and what the next merge writes
};

}  // namespace line_sort
