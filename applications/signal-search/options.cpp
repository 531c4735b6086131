// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <CLI/CLI.hpp>
#include <string>

#include "kernel.h"
#include "support/command_line.h"

namespace search {

std::optional<settings> parse(int argc, char** argv, int& exit_code) {
  settings chosen;
  CLI::App app{
      "Prints the SHA-512 digest of each unit of a file that contains a text: its offset, and the digest. A kernel "
      "searches, and signals each unit to threads of the CPU, which compute the digests meanwhile.",
      "signal-search"};
  app.add_option("text", chosen.text, "What to search for; a unit has it if it has it whole")
      ->required()
      ->check([](const std::string& text) {
        const bool fits = !text.empty() && text.size() <= text_bytes_max;
        return fits ? std::string() : "expected 1 to " + std::to_string(text_bytes_max) + " bytes";
      });
  app.add_option("file", chosen.file, "A regular file")->required();
  app.add_option("-u,--unit", chosen.unit_bytes, "Bytes of a unit")
      ->check(CLI::Range(1u, unit_bytes_max))
      ->capture_default_str();
  app.add_option("-m,--mismatches", chosen.mismatches, "Bytes of the text that may be others")
      ->check(CLI::Range(0u, text_bytes_max))
      ->capture_default_str();
  application::add_choice<version>(app, "--by", chosen.by,
                                   {{"signals", version::signals},
                                    {"phases", version::phases},
                                    {"cpu", version::cpu},
                                    {"vectors", version::vectors}},
                                   "signals: the digests are computed while the kernel searches; phases: after it has "
                                   "ended; cpu: threads of the CPU "
                                   "do both; vectors: the same by AVX2");
  application::add_device(app, chosen.device);
  app.add_option("--threads", chosen.threads, "Threads that compute digests; 0: one for each processor")
      ->check(CLI::Range(0, 4096));
  app.add_option("--blocks", chosen.blocks, "Blocks of the kernel; 0: chosen for the device");
  app.add_flag("--stats", chosen.statistics, "Prints counts and times to standard error");
  return application::parsed(app, argc, argv, chosen, exit_code);
}

}  // namespace search
