// SPDX-License-Identifier: Apache-2.0
// The memory of a simulation and its time, with and without watermarks.
#include "applications/programs.h"

namespace applications {
// The memory of the simulation and its time, without a watermark and with two.
void amr(bench& all) {
  const std::vector<std::string> run_it{own("amr"),      "--stats", "--levels", "5",
                                        "--first-level", "3",       "--steps",  all.quick() ? "64" : "512"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = run_it;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  compare(all, "amr", "sphere",
          {{"no_watermark", run_it},
           {"high_watermark", with({"--watermark", "1024"})},
           {"low_watermark", with({"--watermark", "0"})}});
}

}  // namespace applications
