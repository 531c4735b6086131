// SPDX-License-Identifier: Apache-2.0
// The applications, as whole programs, against what a user would run instead: their own versions by OpenMP and by
// vector instructions, their version without system calls from kernels, and standard tools. A part runs one
// application's programs by turns, checks that all print the same, and keeps the time of each.
#include "applications/programs.h"

int main(int argc, char** argv) {
  using namespace applications;
  bench all("applications", "The applications against what a user would run instead: whole programs, by turns.");
  all.option("--rounds", chosen.rounds, "runs of each program");
  all.option("--folder", chosen.folder, "where the input is made, and stays");
  all.option("--cold-folder", chosen.cold_folder, "the same for what is read from a disk");
  all.option("--gigabytes", chosen.gigabytes, "of each input");
  all.option("--ripgrep", chosen.ripgrep, "ripgrep, if it is there");
  all.option("--memcached", chosen.memcached, "Debian's memcached, if it is there");
  all.part("grep-tree", "lines with any of 1,000 words, in a tree of 16 MiB", grep_tree);
  all.part("grep-small", "the same in many files of 1 to 32 KiB", grep_small);
  all.part("grep-large", "the same in files of up to 1 GiB", grep_large);
  all.part("grep-by", "the same by blocks, warps and threads, and in mapped files", grep_by);
  all.part("wordcount", "counts of 64 words in small files, and in large ones", wordcount);
  all.part("wordcount-times", "the rate of reading, and the cores in use, over time; also from a disk",
           wordcount_times);
  all.part("signal-search", "digests of units that a kernel finds, meanwhile and afterwards", signal_search);
  all.part("amr", "a mesh that follows a sphere, with memory given back under the running kernel", amr);
  all.part("echo", "messages that a server sends back, by their size", echo);
  all.part("memcached", "values that servers of memcached's protocols give, by versions", memcached);
  all.part("by-executor", "the kernels' versions of all of them, by who makes their calls", by_executor);
  all.part("limits", "how near they come to threads that only read or write, and to plain copies to the device",
           limits);
  all.part("line-sort", "lines of a file, sorted in memory and in runs", line_sort);
  return all.main(argc, argv);
}
