// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include "support/command_line.h"
#include "support/program.h"

namespace wordcount {
namespace {

// Without empty lines. `path`: - is standard input. Throws std::runtime_error.
std::vector<std::string> lines_of(const std::string& path) {
  const bool is_input = path == "-";
  std::ifstream from;
  if (!is_input) from.open(path);
  if (!from) application::fail(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(is_input ? std::cin : from, line);)
    if (!line.empty()) lines.push_back(line);
  // std::cin takes its bytes from stdin, and notes no error.
  if (from.bad() || (is_input && std::ferror(stdin) != 0)) application::fail(is_input ? "standard input" : path);
  return lines;
}

// Files of a directory and of those beneath. A directory that cannot be read is among them: it is reported as one.
void add_directory(const std::filesystem::path& path, std::vector<std::string>& to) {
  namespace files = std::filesystem;
  std::error_code error;
  for (files::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    const files::file_status status = at->symlink_status(unknown);
    if (files::is_directory(status))
      add_directory(at->path(), to);
    else if (files::is_regular_file(status))
      to.push_back(at->path());
  }
  if (error) to.push_back(path);
}

// What the command line names; of a directory all files, sorted.
void add_files(const std::string& path, std::vector<std::string>& to) {
  std::error_code unknown;
  if (!std::filesystem::is_directory(path, unknown)) return to.push_back(path);
  const std::size_t begin = to.size();
  add_directory(path, to);
  std::sort(to.begin() + static_cast<std::ptrdiff_t>(begin), to.end());
}

}  // namespace

std::optional<settings> parse(int argc, char** argv, int& exit_code) {
  settings chosen;
  std::vector<std::string> paths;
  std::string words_file, files_from;
  CLI::App app{
      "Counts how often each of some words is in files, as 'LC_ALL=C grep -o -w -F' finds them. A kernel on the GPU "
      "opens and reads the files.",
      "wordcount"};
  app.add_option("-e,--word", chosen.words, "A word to count; may be given several times")->allow_extra_args(false);
  app.add_option("-f,--file", words_file, "A file with words, one a line; - is standard input");
  app.add_option("--files-from", files_from, "A file with names of files to read, one a line; - is standard input");
  app.add_option("paths", paths, "Files, and directories whose files are read");
  const std::map<std::string, version> versions{{"kernel", version::kernel},
                                                {"openmp", version::openmp},
                                                {"vectors", version::vectors},
                                                {"launches", version::launches},
                                                {"reads", version::reads}};
  app.add_option("--by", chosen.by,
                 "What counts: the kernel; the CPU, by the same code with OpenMP, or with vector instructions; "
                 "launches of a kernel without system calls, for which the CPU reads the files, regular ones only; or "
                 "nothing: reads makes the calls alone")
      ->transform(CLI::Transformer(versions).description("kernel, openmp, vectors, launches or reads"));
  application::add_device(app, chosen.device);
  app.add_option("--blocks", chosen.blocks, "Blocks of the kernel, at most 65535")
      ->check(CLI::Range(0u, 65535u).description(""));
  app.add_option("--threads", chosen.threads, "Threads of a block, or of the CPU version, at most 1024")
      ->check(CLI::Range(0u, 1024u).description(""));
  app.add_option("--workers", chosen.workers, "Threads that make the kernel's calls");
  app.add_flag("--cold", chosen.drops_cache, "Drops the files from the page cache first");
  app.add_flag("--stats", chosen.statistics, "Prints bytes, times and CPU use to standard error");
  app.add_option("--timeline", chosen.timeline,
                 "Writes bytes read, CPU time and computing of a block, every 10 ms, to this file (comma-separated)");
  try {
    app.parse(argc, argv);
    if (!words_file.empty()) {
      const auto more = lines_of(words_file);
      chosen.words.insert(chosen.words.end(), more.begin(), more.end());
    }
    if (chosen.words.empty()) throw CLI::ValidationError("no word to count", "give words by -e or -f");
    for (const std::string& path : paths) add_files(path, chosen.files);
    if (!files_from.empty()) {
      const auto more = lines_of(files_from);
      chosen.files.insert(chosen.files.end(), more.begin(), more.end());
    }
    if (paths.empty() && files_from.empty()) throw CLI::ValidationError("no file", "name files or directories");
  } catch (const CLI::ParseError& wrong) {
    exit_code = app.exit(wrong) == 0 ? 0 : 2;
    return std::nullopt;
  } catch (const std::exception& wrong) {
    std::cerr << "wordcount: " << wrong.what() << "\n";
    exit_code = 2;
    return std::nullopt;
  }
  return chosen;
}

}  // namespace wordcount
