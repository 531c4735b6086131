// SPDX-License-Identifier: Apache-2.0
#include "options.h"
#include "support/command_line.h"

#include <CLI/CLI.hpp>
#include <map>

namespace amr {

std::optional<settings> parse(int argc, char** argv, int& exit_code) {
  settings chosen;
  CLI::App app{
      "A stencil over a cube of points whose mesh is finer around a sphere that crosses it. One kernel computes all "
      "steps. It maps memory where the mesh is refined, and gives memory back while it has more than a watermark.",
      "amr"};
  app.add_option("--levels", chosen.levels, "Levels of the mesh; each is twice as fine as the one before")
      ->check(CLI::Range(1u, levels_max))
      ->capture_default_str();
  app.add_option("--first-level", chosen.first_level, "The level of all leaves at the start")->capture_default_str();
  app.add_option("--steps", chosen.steps, "Steps")->check(CLI::Range(1u, 1u << 20))->capture_default_str();
  app.add_option("--watermark", chosen.watermark_mib, "MiB; with more, the kernel gives back what it does not use")
      ->check(CLI::Range(u64{0}, u64{1} << 40))
      ->default_str("none");
  app.add_option("--limit", chosen.limit_mib, "MiB that are mapped at most; 0: no limit")
      ->check(CLI::Range(u64{0}, u64{1} << 40))
      ->capture_default_str();
  app.add_option("--leaves", chosen.leaves_max, "Leaves at most")
      ->check(CLI::Range(1u, 1u << 24))
      ->capture_default_str();
  const std::map<std::string, version> versions{
      {"kernel", version::kernel}, {"openmp", version::openmp}, {"vectors", version::vectors}};
  app.add_option("--by", chosen.by,
                 "kernel; openmp: the same with a thread for each processor, whatever --device, --blocks and --threads "
                 "say; vectors: these with vector instructions")
      ->transform(CLI::Transformer(versions).description(""));
  application::add_device(app, chosen.device);
  app.add_option("--blocks", chosen.blocks, "Blocks of the kernel; all must be resident; 0: chosen for the device");
  app.add_option("--threads", chosen.threads, "Threads of a block; 0: chosen for the device");
  app.add_option("--timeline", chosen.timeline,
                 "Writes step, milliseconds, leaves and mapped bytes after each change of the mesh to this file "
                 "(comma-separated)");
  app.add_flag("--stats", chosen.statistics, "Prints times and memory to standard error");
  return application::parsed(app, argc, argv, chosen, exit_code, [](const settings& given) {
    if (given.first_level >= given.levels)
      throw CLI::ValidationError("--first-level", "has to be below --levels: the first level is 0");
  });
}

}  // namespace amr
