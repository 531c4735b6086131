// SPDX-License-Identifier: Apache-2.0
// `genesys trace`: runs a program and prints the calls of its kernels, or their summary, as strace(1) does; or prints a
// recording.
#pragma once

#include <string>
#include <vector>

namespace genesys::command {

struct asked_trace {
  bool summary = false;        // -c
  bool histograms = false;     // --histogram
  bool children = false;       // -f
  bool internal = false;       // --internal
  std::string calls;           // -e: names and %domains, comma-separated; '!' in front: all others
  std::string output;          // -o: a file; empty: standard error
  std::string perfetto;        // --perfetto: a trace for Perfetto in this file
  std::string record;          // --record: keep the recording in this file; prints only what else is asked for
  std::string read;            // --read: print this recording, run nothing
  bool live = false;           // --live: a screen, as top has it
  bool paths = false;          // -y: descriptors with their paths
  unsigned string_bytes = 32;  // -s: of buffers
  int pid = 0;                 // -p: a process that runs already; 0: none
  std::vector<std::string> program;
};

// The command's exit status: that of the program, 128 + its signal, or 1 or 2 if it could not be run.
int run_trace(const asked_trace& asked);

}  // namespace genesys::command
