// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <getopt.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace grep {
namespace {

constexpr const char* usage = "Usage: grep -F [-l | -c] {-f WORDS | -e WORD}... [OPTION]... PATH...\n";

constexpr const char* help =
    "Searches each PATH, and everything in directories, for lines with any of the words; on a GPU if there is\n"
    "one. Files come in any order, the lines of a file in theirs.\n"
    "\n"
    "  -F, --fixed-strings       words are plain bytes (required: this grep has no patterns)\n"
    "  -f, --file=WORDS          words from a file, one in each line; - is standard input; may be repeated\n"
    "  -e, --regexp=WORD         a word; may be repeated\n"
    "  -l, --files-with-matches  print the names of files with such a line, not the lines\n"
    "  -c, --count               print the number of such lines of each file\n"
    "  -n, --line-number         print each line with its number\n"
    "  -H, --with-filename       print the file's name with each line and count; -h, --no-filename: never print it\n"
    "  -i, --ignore-case         capital letters of ASCII are equal to small ones\n"
    "  -w, --word-regexp         only words that are whole: no letter, digit or '_' is before or behind them\n"
    "  -v, --invert-match        lines without any of the words\n"
    "  -r, --recursive           no effect: directories are always searched\n"
    "      --stats               print a line to standard error at the end: device, calls, bytes, time\n"
    "      --no-progress         show no progress (it is shown if standard error is a terminal and output is none)\n"
    "      --device=cpu|cuda     the device (default: GENESYS_DEVICE; else cuda if there is a GPU)\n"
    "      --by=block|warp|thread|mapped|openmp\n"
    "                            which threads take a file and search it together: those of a block (default), those\n"
    "                            of a warp, or each thread of the kernel for itself (only with -l or -c); a block "
    "that\n"
    "                            maps files instead of reading them; or threads of the CPU (only with -l or -c)\n"
    "      --blocks=N            blocks of the kernel (default: 512 on cuda, 16 on cpu; fewer by threads)\n"
    "      --threads=N           threads of each block, 1 to 1024 (default: 128 on cuda, 16 on cpu; 64 by warps)\n"
    "      --pool=MIB            device memory for the names of files, 1 to 16000 (default: 64, enough for 2 million)\n"
    "      --segment=KIB         a file that is larger is searched in parts of this size (default: 4096; by threads "
    "128)\n"
    "      --help                print this\n"
    "\n"
    "Exit status: 0 if a line was found, 1 if none was found, 2 after an error.\n";

enum : int {
  stats_option = 256,
  no_progress_option,
  device_option,
  by_option,
  blocks_option,
  threads_option,
  pool_option,
  segment_option,
  help_option
};

constexpr option long_options[] = {
    {"fixed-strings", no_argument, nullptr, 'F'},
    {"file", required_argument, nullptr, 'f'},
    {"regexp", required_argument, nullptr, 'e'},
    {"files-with-matches", no_argument, nullptr, 'l'},
    {"count", no_argument, nullptr, 'c'},
    {"line-number", no_argument, nullptr, 'n'},
    {"with-filename", no_argument, nullptr, 'H'},
    {"no-filename", no_argument, nullptr, 'h'},
    {"ignore-case", no_argument, nullptr, 'i'},
    {"word-regexp", no_argument, nullptr, 'w'},
    {"invert-match", no_argument, nullptr, 'v'},
    {"recursive", no_argument, nullptr, 'r'},
    {"stats", no_argument, nullptr, stats_option},
    {"no-progress", no_argument, nullptr, no_progress_option},
    {"device", required_argument, nullptr, device_option},
    {"by", required_argument, nullptr, by_option},
    {"blocks", required_argument, nullptr, blocks_option},
    {"threads", required_argument, nullptr, threads_option},
    {"pool", required_argument, nullptr, pool_option},
    {"segment", required_argument, nullptr, segment_option},
    {"help", no_argument, nullptr, help_option},
    {nullptr, 0, nullptr, 0},
};

struct wrong_usage {
  std::string why;  // empty: the message is printed already
};

unsigned number(const char* option, const char* text, unsigned max) {
  char* end = nullptr;
  errno = 0;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (end == text || *end != 0 || *text == '-' || errno != 0 || value == 0 || value > max) {
    throw wrong_usage{std::string("--") + option + " takes a number from 1 to " + std::to_string(max)};
  }
  return static_cast<unsigned>(value);
}

genesys::device_kind device(std::string_view name) {
  if (name == "cpu") return genesys::device_kind::cpu;
  if (name == "cuda") return genesys::device_kind::cuda;
  throw wrong_usage{"--device must be cpu or cuda"};
}

version by(std::string_view name) {
  if (name == "block") return version::block;
  if (name == "warp") return version::warp;
  if (name == "thread") return version::thread;
  if (name == "mapped") return version::mapped;
  if (name == "openmp") return version::openmp;
  throw wrong_usage{"--by must be block, warp, thread, mapped or openmp"};
}

// Each line is a word; a newline at the very end does not begin another word.
void add_words(std::vector<std::string>& words, std::string_view lines) {
  for (;;) {
    const std::size_t end = lines.find('\n');
    words.emplace_back(lines.substr(0, end));
    if (end == std::string_view::npos) return;
    lines.remove_prefix(end + 1);
  }
}

bool read_file(const char* name, std::string& text) {
  const bool standard_input = std::strcmp(name, "-") == 0;
  std::FILE* const file = standard_input ? stdin : std::fopen(name, "rb");
  if (file == nullptr) return false;
  char buffer[64 * 1024];
  while (const std::size_t bytes = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, bytes);
  const int error = std::ferror(file) != 0 ? errno : 0;
  if (!standard_input) std::fclose(file);
  errno = error;
  return error == 0;
}

bool add_words_of_file(std::vector<std::string>& words, const char* name) {
  std::string text;
  if (!read_file(name, text)) {
    std::fprintf(stderr, "grep: %s: %s\n", name, std::strerror(errno));
    return false;
  }
  if (text.empty()) return true;  // no line, so no word
  if (text.back() == '\n') text.pop_back();
  add_words(words, text);
  return true;
}

settings read_options(int argc, char** argv, int& exit_code) {
  settings s;
  bool fixed = false, words = false;
  for (int c; (c = getopt_long(argc, argv, "Ff:e:lchHinrwv", long_options, nullptr)) != -1;) {
    switch (c) {
      case 'F':
        fixed = true;
        break;
      case 'f':
        if (!add_words_of_file(s.words, optarg)) exit_code = 2;
        words = true;
        break;
      case 'e':
        add_words(s.words, optarg);
        words = true;
        break;
      case 'l':
        s.names = true;
        break;
      case 'n':
        s.numbers = true;
        break;
      case 'H':
        s.with_name = true;
        break;
      case 'h':
        s.with_name = false;
        break;
      case 'c':
        s.count = true;
        break;
      case 'i':
        s.ignore_case = true;
        break;
      case 'w':
        s.whole_words = true;
        break;
      case 'v':
        s.invert = true;
        break;
      case 'r':
        break;
      case stats_option:
        s.statistics = true;
        break;
      case no_progress_option:
        s.progress = false;
        break;
      case device_option:
        s.device = device(optarg);
        break;
      case by_option:
        s.by = by(optarg);
        break;
      case blocks_option:
        s.blocks = number("blocks", optarg, 65535);
        break;
      case threads_option:
        s.threads = number("threads", optarg, 1024);
        break;
      case pool_option:
        s.pool_bytes = std::size_t{number("pool", optarg, 16000)} << 20;
        break;
      case segment_option:
        s.segment_bytes = std::size_t{number("segment", optarg, 1u << 20)} << 10;
        break;
      case help_option:
        exit_code = 0;
        return s;
      default:
        throw wrong_usage{};
    }
  }
  if (exit_code >= 0) return s;
  if (!fixed) throw wrong_usage{"this grep searches only for fixed strings: give -F"};
  if (s.names && s.count) throw wrong_usage{"-l and -c exclude each other"};
  if (!words) throw wrong_usage{"no words given: use -f or -e"};
  for (const std::string& word : s.words)
    if (word.empty() && s.whole_words) throw wrong_usage{"-w: a word is empty"};
  if ((s.by == version::openmp || s.by == version::thread) && !s.names && !s.count)
    throw wrong_usage{"--by=openmp and --by=thread print no lines: give -l or -c"};
  if (s.ignore_case) {
    for (std::string& word : s.words)
      for (char& letter : word)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter | 0x20);
  }
  if (s.segment_bytes == 0) s.segment_bytes = (s.by == version::thread ? std::size_t{128} : std::size_t{4096}) << 10;
  if (optind == argc) throw wrong_usage{"no PATH given"};
  s.paths.assign(argv + optind, argv + argc);
  for (const std::string& path : s.paths) {
    if (path == "-") throw wrong_usage{"-: to search standard input, name /dev/stdin"};
  }
  return s;
}

}  // namespace

std::optional<settings> parse(int argc, char** argv, int& exit_code) {
  exit_code = -1;
  try {
    settings s = read_options(argc, argv, exit_code);
    if (exit_code < 0) return s;
    if (exit_code == 0) std::printf("%s%s", usage, help);
  } catch (const wrong_usage& wrong) {
    if (!wrong.why.empty()) std::fprintf(stderr, "grep: %s\n", wrong.why.c_str());
    std::fputs(usage, stderr);
    std::fputs("Try '--help' for more.\n", stderr);
    exit_code = 2;
  }
  return std::nullopt;
}

}  // namespace grep
