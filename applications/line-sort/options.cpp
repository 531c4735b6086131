// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <map>
#include <utility>

#include "support/command_line.h"

namespace line_sort {

constexpr std::uint64_t memory_min = 4u << 20;  // a piece of text has no more lines than fit, however short

std::optional<settings> parse(int argc, char** argv, int& exit_code) {
  settings chosen;
  CLI::App app{
      "Sorts the lines of files as 'LC_ALL=C sort' does. Kernels read the files, sort and write; what does not fit "
      "into the device's memory is sorted in runs, which are merged.",
      "line-sort"};
  app.add_option("files", chosen.files, "Files; - is standard input, and so is no file");
  app.option_defaults()->take_last();
  app.add_option("-o,--output", chosen.output,
                 "Writes to this file, which may be one of the input, not to standard output");
  app.add_flag("-r,--reverse", chosen.is_reverse, "The greatest line comes first");
  app.add_flag("-u,--unique", chosen.is_unique, "Of equal lines one is written");
  app.add_option("-S,--buffer-size", chosen.memory,
                 "Memory of the device, such as 512M or 4G; without it, most of what is free")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(memory_min, std::uint64_t{1} << 50).description(""));
  app.add_option("-T,--temporary-directory", chosen.folder, "Where runs are kept; without it, $TMPDIR or /tmp");
  const std::map<std::string, version> versions{{"kernel", version::kernel}, {"openmp", version::openmp}};
  app.add_option("--by", chosen.by, "What sorts: the kernel, or threads of the CPU with OpenMP: kernel or openmp")
      ->transform(CLI::Transformer(versions).description(""));
  application::add_device(app, chosen.device);
  app.add_option("--blocks", chosen.blocks, "Blocks of a kernel");
  app.add_option("--threads", chosen.threads, "Threads of a block, at most 256; or of the CPU version")
      ->check(CLI::Range(0u, 256u).description(""));
  app.add_flag("--stats", chosen.statistics, "Prints lines, runs and times to standard error");
  return application::parsed(app, argc, argv, chosen, exit_code, [](settings& given) {
    if (given.files.empty()) given.files.push_back("-");
    bool is_read = false;  // what follows the first - of standard input: nothing
    std::erase_if(given.files, [&](const std::string& name) { return name == "-" && std::exchange(is_read, true); });
    if (!given.folder.empty()) return;
    const char* const from = std::getenv("TMPDIR");
    given.folder = from != nullptr && *from != 0 ? from : "/tmp";
  });
}

}  // namespace line_sort
