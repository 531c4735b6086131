// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <getopt.h>

#include <cstdio>
#include <string_view>

#include "number.h"

namespace {

constexpr const char* usage = "usage: direct [OPTION]... FILE\n";

constexpr const char* help =
    "Reads FILE on the device, piece by piece, and prints its checksum, the time and the CPU time.\n"
    "\n"
    "  --device=cpu|cuda                the device (default: GENESYS_DEVICE; else cuda if there is a GPU)\n"
    "  --executor=threads|uring|direct  what makes the calls (default: direct; GENESYS_EXECUTOR has no effect)\n"
    "  --blocks=N                       blocks of the kernel, 1 to 65535 (default: 128)\n"
    "  --piece=BYTES                    read by a block at a time, 8 to 1 GiB, a multiple of 8 (default: 131072)\n"
    "  --check                          also read the file on the host, and compare the checksums\n"
    "  --help                           print this\n"
    "\n"
    "Exit status: 0 on success, 1 if FILE cannot be read or the host finds another checksum, 2 for wrong "
    "usage.\n";

enum : int { device_option = 256, executor_option, blocks_option, piece_option, check_option, help_option };

constexpr option long_options[] = {
    {"device", required_argument, nullptr, device_option},
    {"executor", required_argument, nullptr, executor_option},
    {"blocks", required_argument, nullptr, blocks_option},
    {"piece", required_argument, nullptr, piece_option},
    {"check", no_argument, nullptr, check_option},
    {"help", no_argument, nullptr, help_option},
    {nullptr, 0, nullptr, 0},
};

// Empty if getopt_long has already printed what is wrong.
struct wrong_usage {
  const char* why = "";
};

genesys::device_kind device(std::string_view name) {
  if (name == "cpu") return genesys::device_kind::cpu;
  if (name == "cuda") return genesys::device_kind::cuda;
  throw wrong_usage{"direct: --device must be cpu or cuda\n"};
}

genesys::executor_kind executor(std::string_view name) {
  if (name == "threads") return genesys::executor_kind::threads;
  if (name == "uring") return genesys::executor_kind::uring;
  if (name == "direct") return genesys::executor_kind::direct;
  throw wrong_usage{"direct: --executor must be threads, uring or direct\n"};
}

settings read_options(int argc, char** argv, int& exit_code) {
  settings s;
  for (int c; (c = getopt_long(argc, argv, "", long_options, nullptr)) != -1;) {
    switch (c) {
      case device_option:
        s.device = device(optarg);
        break;
      case executor_option:
        s.executor = executor(optarg);
        break;
      case blocks_option:
        s.blocks = number(optarg, 1, 65535);
        break;
      case piece_option:
        s.piece_bytes = number(optarg, 8, 1u << 30);
        if (s.piece_bytes % 8 != 0) throw wrong_usage{"direct: --piece must be a multiple of 8\n"};
        break;
      case check_option:
        s.check = true;
        break;
      case help_option:
        exit_code = 0;
        return s;
      default:
        throw wrong_usage{};
    }
  }
  if (argc - optind != 1) throw wrong_usage{"direct: give one FILE\n"};
  s.path = argv[optind];
  return s;
}

}  // namespace

std::optional<settings> parse(int argc, char** argv, int& exit_code) {
  exit_code = -1;
  try {
    const settings s = read_options(argc, argv, exit_code);
    if (exit_code < 0) return s;
    std::printf("%s%s", usage, help);
  } catch (const wrong_usage& wrong) {
    std::fprintf(stderr, "%s%sTry '--help' for more.\n", wrong.why, usage);
    exit_code = 2;
  }
  return std::nullopt;
}
