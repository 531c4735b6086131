// SPDX-License-Identifier: Apache-2.0
// grep -F whose search runs on the device. The host builds the table of words, puts the paths of the command line into
// the queue, launches the kernel and waits for its end. The kernel itself finds, reads and prints files (kernel.h).
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "genesys/genesys.h"
#include "kernel.h"
#include "openmp.h"
#include "options.h"
#include "progress.h"
#include "word_table.h"

namespace {

constexpr int matched_code = 0, nothing_code = 1, trouble_code = 2;

// Device memory; the destructor frees it.
template <class T>
class device_array {
 public:
  device_array(genesys::runtime& rt, std::size_t count)
      : rt_(&rt), data_(static_cast<T*>(rt.allocate_device(sizeof(T) * std::max<std::size_t>(count, 1)))) {}
  device_array(genesys::runtime& rt, const T* from, std::size_t count) : device_array(rt, count) {
    if (count > 0) rt.copy_to_device(data_, from, sizeof(T) * count);
  }
  ~device_array() { rt_->free_device(data_); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  T* data() const { return data_; }

  T first() const {
    T value;
    rt_->copy_to_host(&value, data_, sizeof value);
    return value;
  }

 private:
  genesys::runtime* rt_;
  T* data_;
};

struct words_on_device {
  words_on_device(genesys::runtime& rt, const grep::word_table& from)
      : pair_bits(rt, from.pair_bits.data(), from.pair_bits.size()),
        by_pair(rt, from.by_pair.data(), from.by_pair.size()),
        starts(rt, from.starts.data(), from.starts.size()),
        text(rt, reinterpret_cast<const unsigned char*>(from.text.data()), from.text.size()),
        beginnings(rt, from.beginnings.data(), from.beginnings.size()),
        view{pair_bits.data(), by_pair.data(),  starts.data(), text.data(), beginnings.data(),
             from.longest,     from.every_line, from.whole,    from.fold} {}

  device_array<std::uint32_t> pair_bits;
  device_array<grep::word_range> by_pair;
  device_array<std::uint32_t> starts;
  device_array<unsigned char> text;
  device_array<std::uint32_t> beginnings;
  grep::words view;
};

// The initial queue: the paths of the command line.
struct first_nodes {
  std::vector<std::uint32_t> queue;
  std::vector<std::uint32_t> pool;  // in units, as the device counts it
  bool failed = false;              // a path was left out, with a message
};

// Like GNU grep: "directory//" is searched as "directory/", while "//" stays.
std::string trimmed(const std::string& path) {
  std::size_t end = path.size();
  while (end > 1 && path[end - 1] == '/' && path[end - 2] == '/') --end;
  return path == "//" ? path : path.substr(0, end);
}

first_nodes nodes_for(const std::vector<std::string>& paths) {
  first_nodes nodes;
  for (const std::string& given : paths) {
    const std::string path = trimmed(given);
    if (path.size() >= PATH_MAX) {
      std::fprintf(stderr, "grep: %s: %s\n", path.c_str(), std::strerror(ENAMETOOLONG));
      nodes.failed = true;
      continue;
    }
    const auto length = static_cast<std::uint16_t>(path.size());
    const grep::node n{grep::no_node, length, length, grep::kind::given};
    const std::size_t place = nodes.pool.size();
    nodes.pool.resize(place + grep::units_of(length));
    std::memcpy(&nodes.pool[place], &n, sizeof n);
    std::memcpy(reinterpret_cast<char*>(&nodes.pool[place]) + sizeof n, path.data(), length);
    nodes.queue.push_back(static_cast<std::uint32_t>(place) + 1);
  }
  return nodes;
}

struct tree_on_device {
  tree_on_device(genesys::runtime& rt, const first_nodes& nodes, std::size_t pool_bytes)
      : units(std::max(pool_bytes / grep::unit_bytes, nodes.pool.size())),
        places(units / grep::node_units_min),
        pool(rt, units),
        queue(rt, places),
        state(rt, 1) {
    const grep::tree_state begin{.taken = 0,
                                 .added = nodes.queue.size(),
                                 .units = nodes.pool.size(),
                                 .pending = nodes.queue.size(),
                                 .stop = 0,
                                 .exhausted = 0};
    rt.fill_device(queue.data(), 0, places * sizeof(std::uint32_t));
    rt.copy_to_device(queue.data(), nodes.queue.data(), nodes.queue.size() * sizeof(std::uint32_t));
    rt.copy_to_device(pool.data(), nodes.pool.data(), nodes.pool.size() * grep::unit_bytes);
    rt.copy_to_device(state.data(), &begin, sizeof begin);
  }

  grep::tree view() const {
    return {state.data(), queue.data(), places, reinterpret_cast<unsigned char*>(pool.data()), units};
  }

  std::size_t units, places;
  device_array<std::uint32_t> pool, queue;
  device_array<grep::tree_state> state;
};

struct message_table {
  char text[grep::messages_max][grep::message_bytes];

  message_table() {
    for (unsigned error = 0; error < grep::messages_max; ++error) {
      const bool is_own = error == grep::is_own_output;
      std::snprintf(text[error], sizeof text[error], "%s",
                    is_own ? "input file is also the output" : std::strerror(static_cast<int>(error)));
    }
  }
};

// A team has a file open, and closes another meanwhile. Raises the soft limit on descriptors, and returns how many
// teams it is enough for.
std::size_t raise_descriptor_limit() {
  constexpr rlim_t others = 512;  // large files, and the runtime's own
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur > others + 2 ? (limit.rlim_cur - others) / 2 : 1;
}

struct grid_size {
  unsigned blocks, threads;
  std::size_t teams, workspace_bytes;  // of those in device memory
};

// `teams_max`: of a grid whose size is not given.
grid_size grid_for(const grep::settings& chosen, bool cuda, std::size_t teams_max) {
  using grep::version;
  const bool by_warps = chosen.by == version::warp, by_threads = chosen.by == version::thread;
  grid_size grid{};
  grid.threads = chosen.threads != 0 ? chosen.threads : cuda ? 128 : by_warps ? 64 : 16;
  const unsigned teams_of_block = by_threads ? grid.threads
                                  : by_warps ? (grid.threads + genesys::warp_lanes - 1) / genesys::warp_lanes
                                             : 1;
  const unsigned blocks = by_threads ? (cuda ? 64 : 4) : cuda ? 512 : 16;
  const std::size_t blocks_max = std::max<std::size_t>(teams_max / teams_of_block, 1);
  grid.blocks = chosen.blocks != 0 ? chosen.blocks : static_cast<unsigned>(std::min<std::size_t>(blocks, blocks_max));
  grid.teams = std::size_t{grid.blocks} * teams_of_block;
  if (by_warps || by_threads) grid.workspace_bytes = grid.teams * sizeof(grep::workspace<grep::warp_team>);
  return grid;
}

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; }

using clock_type = std::chrono::steady_clock;
double seconds_since(clock_type::time_point begin) {
  return std::chrono::duration<double>(clock_type::now() - begin).count();
}

// `first`: about the device and the calls.
void print_statistics(const std::string& first, std::uint64_t bytes_read, double wall) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  std::fprintf(stderr, "grep:%s bytes %llu, time %.3f s, CPU user %.3f s, Linux %.3f s\n", first.c_str(),
               static_cast<unsigned long long>(bytes_read), wall, seconds(used.ru_utime), seconds(used.ru_stime));
}

// Prints the errors that the kernel could not print, and returns the exit status.
int conclude(const grep::outcome& result, const grep::tree_state& state, bool failed) {
  if (result.output_error == EPIPE)
    std::raise(SIGPIPE);  // Linux gave EPIPE to a worker, which blocks the signal; grep ends by SIGPIPE
  if (result.output_error != 0) {
    std::fprintf(stderr, "grep: write error: %s\n", std::strerror(static_cast<int>(result.output_error)));
  }
  if (state.exhausted != 0) std::fputs("grep: too many files: raise --pool\n", stderr);
  if (failed || result.failed != 0 || result.output_error != 0 || state.exhausted != 0) return trouble_code;
  return result.matched != 0 ? matched_code : nothing_code;
}

int search(const grep::settings& chosen) {
  const grep::word_table table = grep::make_word_table(chosen.words, chosen.whole_words, chosen.ignore_case);
  if (table.longest > grep::word_bytes_max) {
    std::fprintf(stderr, "grep: a word of %u bytes: at most %zu can be searched for\n", table.longest,
                 grep::word_bytes_max);
    return trouble_code;
  }
  if (chosen.by == grep::version::openmp) {
    const auto begin = clock_type::now();
    const grep::cpu_outcome done = grep::search_by_openmp(chosen, table);
    if (chosen.statistics) print_statistics("", done.bytes_read, seconds_since(begin));
    return done.failed ? trouble_code : done.matched ? matched_code : nothing_code;
  }
  const first_nodes nodes = nodes_for(chosen.paths);

  const std::size_t teams_max = raise_descriptor_limit();  // before the runtime, which enlarges Linux's table
  genesys::runtime rt({.device = chosen.device});
  const bool cuda = rt.kind() == genesys::device_kind::cuda;
  const words_on_device words(rt, table);
  const tree_on_device files(rt, nodes, chosen.pool_bytes);
  const message_table messages;
  const device_array<message_table> messages_on_device(rt, &messages, 1);
  const device_array<grep::large_file> large(rt, grep::large_files_max);
  const grep::outcome nothing{};
  const device_array<grep::outcome> result(rt, &nothing, 1);

  const bool prints_lines = !chosen.count && !chosen.names;
  const grid_size grid = grid_for(chosen, cuda, teams_max);
  const device_array<std::uint64_t> segments(rt, prints_lines ? grep::segments_max : 0);
  const device_array<char> output(rt, prints_lines ? grid.teams * grep::output_bytes : 0);
  const device_array<unsigned char> workspaces(rt, grid.workspace_bytes);

  struct stat out {};
  const bool to_file = prints_lines && ::fstat(1, &out) == 0 && S_ISREG(out.st_mode);
  const grep::task task{.files = files.view(),
                        .wanted = words.view,
                        .messages = messages_on_device.data()->text,
                        .result = result.data(),
                        .large = large.data(),
                        .segments = segments.data(),
                        .output = output.data(),
                        .workspaces = workspaces.data(),
                        .segment_bytes = chosen.segment_bytes,
                        .count = chosen.count,
                        .invert = chosen.invert,
                        .maps = chosen.by == grep::version::mapped,
                        .lines = prints_lines,
                        .numbers = prints_lines && chosen.numbers,
                        .out_device = to_file ? out.st_dev : 0,
                        .out_file = to_file ? out.st_ino : 0,
                        .name_given = chosen.with_name.value_or(chosen.paths.size() > 1),
                        .name_found = chosen.with_name.value_or(true)};
  const genesys::launch_config config{.blocks = {grid.blocks}, .threads = {grid.threads}};
  const auto begin = clock_type::now();
  {
    const grep::progress until_done(rt, chosen.progress);
    if (chosen.by == grep::version::warp)
      genesys::launch(rt, config, grep::search_tree<grep::warp_team>{}, task).drain();
    else if (chosen.by == grep::version::thread)
      genesys::launch(rt, config, grep::search_tree<grep::thread_team>{}, task).drain();
    else
      genesys::launch(rt, config, grep::search_tree<grep::block_team>{}, task).drain();
  }

  const grep::outcome done = result.first();
  const int exit_code = conclude(done, files.state.first(), nodes.failed);
  if (chosen.statistics) {
    std::string calls = std::string(" device ") + (cuda ? "cuda," : "cpu,");
    for (const auto& [name, count] : rt.stats().calls) calls += " " + name + " " + std::to_string(count) + ",";
    print_statistics(calls, done.bytes_read, seconds_since(begin));
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  int exit_code = trouble_code;
  auto chosen = grep::parse(argc, argv, exit_code);
  if (!chosen) return exit_code;
  // Like GNU grep: without a word no line matches, so with -v each one does. It opens no file if none can be printed.
  if (chosen->words.empty()) {
    chosen->words.emplace_back();
    chosen->invert = !chosen->invert;
    chosen->whole_words = false;
  }
  const auto is_empty = [](const std::string& word) { return word.empty(); };
  if (chosen->invert && std::all_of(chosen->words.begin(), chosen->words.end(), is_empty)) return nothing_code;
  try {
    return search(*chosen);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "grep: %s\n", error.what());
    return trouble_code;
  }
}
