// SPDX-License-Identifier: Apache-2.0
// Counts words in files (worker.h). The host makes the table of words and the list of names, launches the kernel and
// prints what it counted; no thread of the host's opens a file. --by runs other versions for comparison.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

#include "genesys/genesys.h"
#include "kernel.h"
#include "openmp.h"
#include "options.h"
#include "support/device_array.h"
#include "support/program.h"
#include "timeline.h"
#include "word_table.h"
#if defined(__CUDACC__)
#include "launches.h"
#endif

namespace {

using namespace wordcount;
using application::device_array;
using application::seconds_since;
using clock_type = std::chrono::steady_clock;

struct words_on_device {
  device_array<std::uint32_t> pair_bits, slots, starts;
  device_array<unsigned char> text;
  words view;
  words_on_device(genesys::runtime& rt, const word_table& table)
      : pair_bits(rt, table.pair_bits), slots(rt, table.slots), starts(rt, table.starts), text(rt, table.text) {
    view = table.view();
    view.pair_bits = pair_bits.data();
    view.slots = slots.data();
    view.starts = starts.data();
    view.text = text.data();
  }
};

// The names of the files, and what is to be done with them.
struct job {
  std::vector<char> names;
  std::vector<u64> starts, counts;
  std::vector<work_state> state{work_state{}};
  std::vector<large_file> large;
  double seconds = 0;  // for counting alone

  job(const settings& chosen) : counts(chosen.words.size()), large(chosen.files.size()) {
    for (const std::string& file : chosen.files) {
      starts.push_back(names.size());
      names.insert(names.end(), file.c_str(), file.c_str() + file.size() + 1);
    }
  }
  work view() {
    return {names.data(),  starts.data(), static_cast<u32>(starts.size()), state.data(), large.data(),
            counts.data(), nullptr};
  }
};

void count_by_kernel(const settings& chosen, const word_table& table, job& todo, timeline* times) {
  genesys::runtime rt({.device = chosen.device, .workers = chosen.workers});
  const words_on_device wanted(rt, table);
  const device_array<char> names(rt, todo.names);
  const device_array<u64> starts(rt, todo.starts), counts(rt, todo.counts);
  const device_array<work_state> state(rt, todo.state);
  const device_array<large_file> large(rt, todo.large);
  const bool cuda = rt.kind() == genesys::device_kind::cuda;
  const unsigned blocks = chosen.blocks != 0 ? chosen.blocks : cuda ? 528 : 8;
  const unsigned threads = chosen.threads != 0 ? chosen.threads : cuda ? 256 : 16;
  u64* computed = nullptr;  // in host memory, so that the host can read it meanwhile
  std::optional<timeline::kernel> while_it_runs;
  if (times != nullptr) {
    computed = static_cast<u64*>(rt.allocate_arena(blocks * sizeof(u64)));
    std::fill_n(computed, blocks, u64{0});
    while_it_runs.emplace(*times, computed, blocks);
  }
  const work all{names.data(),  starts.data(), static_cast<u32>(todo.starts.size()), state.data(), large.data(),
                 counts.data(), computed};
  const auto begin = clock_type::now();
  genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, count_words{}, wanted.view, all).drain();
  todo.seconds = seconds_since(begin);
  todo.counts = counts.back();
  todo.state = state.back();
}

void count_by_launches([[maybe_unused]] const settings& chosen, [[maybe_unused]] const word_table& table,
                       [[maybe_unused]] job& todo) {
#if defined(__CUDACC__)
  genesys::runtime rt({.device = genesys::device_kind::cuda});  // for its memory alone
  const words_on_device wanted(rt, table);
  const device_array<u64> counts(rt, todo.counts);
  const auto begin = clock_type::now();
  launches::count(wanted.view, todo.view(), counts.data(), chosen.threads);
  todo.seconds = seconds_since(begin);
  todo.counts = counts.back();
#else
  throw std::runtime_error("this build has no CUDA: --by launches needs it");
#endif
}

void count_by_cpu(const settings& chosen, const word_table& table, job& todo) {
  const auto begin = clock_type::now();
  if (chosen.by == version::reads)
    only_read(table.view(), todo.view(), chosen.threads);
  else if (chosen.by == version::openmp)
    count_by_openmp(table.view(), todo.view(), chosen.threads);
  else if (!count_by_vectors(table.view(), todo.view(), chosen.threads))
    throw std::runtime_error("this processor has no AVX2");
  todo.seconds = seconds_since(begin);
}

void count(const settings& chosen, const word_table& table, job& todo, timeline* times) {
  switch (chosen.by) {
    case version::kernel:
      return count_by_kernel(chosen, table, todo, times);
    case version::openmp:
    case version::vectors:
    case version::reads:
      return count_by_cpu(chosen, table, todo);
    case version::launches:
      return count_by_launches(chosen, table, todo);
  }
}

void drop_from_cache(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) continue;
    ::fdatasync(fd);
    ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    ::close(fd);
  }
}

int run(const settings& chosen) {
  const word_table table = make_word_table(chosen.words);
  if (chosen.drops_cache) drop_from_cache(chosen.files);
  job todo(chosen);
  std::optional<timeline> times;
  if (!chosen.timeline.empty()) times.emplace(chosen.timeline);
  const cpu_use before = cpu_seconds();
  count(chosen, table, todo, times ? &*times : nullptr);
  const cpu_use used = cpu_seconds();
  if (times) times->finish();
  for (std::size_t i = 0; i < todo.counts.size(); ++i)
    std::printf("%llu %s\n", static_cast<unsigned long long>(todo.counts[i]), chosen.words[i].c_str());
  if (chosen.statistics)
    std::fprintf(stderr, "wordcount: files %zu, bytes %llu, time %.4f s, %.2f GB/s, CPU user %.3f s, Linux %.3f s\n",
                 chosen.files.size(), static_cast<unsigned long long>(todo.state[0].bytes), todo.seconds,
                 static_cast<double>(todo.state[0].bytes) / todo.seconds / 1e9, used.user - before.user,
                 used.system - before.system);
  application::flush_output();
  return todo.state[0].failed != 0 ? 2 : 0;
}

}  // namespace

int main(int argc, char** argv) { return application::run_program("wordcount", 2, argc, argv, parse, run); }
