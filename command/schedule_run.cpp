// SPDX-License-Identifier: Apache-2.0
#include "schedule_run.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "schedule/standin/environment.h"

namespace genesys::command {
namespace {

using namespace schedule::standin;
namespace fs = std::filesystem;

// As env(1) and nice(1) have them.
constexpr int status_failed = 125, status_cannot_run = 126, status_not_found = 127;

struct failure : std::runtime_error {
  failure(int with_status, const std::string& text) : std::runtime_error(text), status(with_status) {}
  int status;
};

std::string value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? value : "";
}

// Where execvp(3) finds it: the first in PATH that can be run, else the first that is there.
std::string program_named(const std::string& name) {
  if (name.find('/') != name.npos) return name;
  std::string path = value_of("PATH"), first;
  if (path.empty()) path = "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string folder = path.substr(begin, end - begin);
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (::access(file.c_str(), F_OK) == 0 && !fs::is_directory(file)) {
      if (::access(file.c_str(), X_OK) == 0) return file;
      if (first.empty()) first = file;
    }
    begin = end + 1;
  }
  if (first.empty()) throw failure(status_not_found, "'" + name + "' is not in PATH; give its path, as ./" + name);
  return first;
}

// The dynamic loader ignores LD_PRELOAD for a program that gains rights at its start.
void check_program(const std::string& file) {
  struct stat about {};
  if (::stat(file.c_str(), &about) != 0) {
    throw failure(errno == ENOENT ? status_not_found : status_cannot_run,
                  "cannot run '" + file + "': " + std::strerror(errno));
  }
  if (S_ISDIR(about.st_mode)) throw failure(status_cannot_run, "cannot run '" + file + "': it is a folder");
  if (::access(file.c_str(), X_OK) != 0) {
    throw failure(status_cannot_run, "cannot run '" + file + "': it is not executable; chmod +x makes it so");
  }
  const bool gains_user = (about.st_mode & S_ISUID) != 0 && about.st_uid != ::getuid();
  const bool gains_group = (about.st_mode & S_ISGID) != 0 && about.st_gid != ::getgid();
  const bool gains_capabilities = ::getxattr(file.c_str(), "security.capability", nullptr, 0) > 0;
  if (gains_user || gains_group || gains_capabilities) {
    throw failure(status_cannot_run,
                  "'" + file + "' is setuid or setgid, or has capabilities, so the dynamic loader puts no library " +
                      "before it. Run a copy without these rights, or run genesys as its user");
  }
}

fs::path own_folder() {
  std::error_code failed;
  const fs::path own = fs::read_symlink("/proc/self/exe", failed);
  if (failed) throw failure(status_failed, "cannot read /proc/self/exe: " + failed.message());
  return own.parent_path();
}

// The folder of the stand-in, from that of the command: where both are installed, or in the build tree.
std::string stand_in_folder() {
  const fs::path bin = own_folder();
  for (const fs::path& each :
       {bin / "../lib/genesys", bin / ".." / GENESYS_LIBRARY_FOLDER / "genesys", bin / "standin"}) {
    std::error_code failed;
    const fs::path folder = fs::canonical(each, failed);
    if (failed || !fs::exists(folder / library_name, failed)) continue;
    if (folder.string().find_first_of(" :;$") != std::string::npos) {
      throw failure(status_failed, "the dynamic loader cannot read the name of the folder '" + folder.string() +
                                       "': install genesys where it has no space, colon, semicolon or dollar");
    }
    return folder.string();
  }
  throw failure(status_failed,
                "this genesys has no stand-in for the driver's library in '" +
                    (bin.parent_path() / "lib/genesys").string() +
                    "'. It is built on x86-64 if there is a CUDA toolkit 13 or newer: install one, and build again");
}

// The driver's own library, as the dynamic loader finds it. The variable wins: it is set by the user, or by another
// `genesys schedule run` around this one.
std::string real_library() {
  if (const std::string set = value_of(real_library_variable); !set.empty()) {
    if (::access(set.c_str(), R_OK) == 0) return fs::absolute(set).string();
    throw failure(status_failed, std::string(real_library_variable) + " is '" + set + "': " + std::strerror(errno) +
                                     ". Set it to the path of the driver's libcuda.so.1, or unset it");
  }
  void* const opened = ::dlopen(library_name, RTLD_LAZY | RTLD_LOCAL);
  if (opened == nullptr) {
    const char* why = ::dlerror();
    throw failure(status_failed, std::string("there is no driver for the program: ") + (why != nullptr ? why : "") +
                                     ". Install NVIDIA's driver, or set " + real_library_variable +
                                     " to the path of its libcuda.so.1");
  }
  link_map* found = nullptr;
  if (::dlinfo(opened, RTLD_DI_LINKMAP, &found) != 0 || found->l_name == nullptr || *found->l_name == '\0') {
    throw failure(status_failed, std::string("the path of libcuda.so.1 is not known; set ") + real_library_variable);
  }
  return fs::absolute(found->l_name).string();
}

// `first` before what the variable has.
void put_before(const char* variable, const std::string& first) {
  const std::string before = value_of(variable);
  ::setenv(variable, (before.empty() ? first : first + ":" + before).c_str(), 1);
}

int run(const std::vector<std::string>& program, int nice) {
  const std::string file = program_named(program[0]);
  check_program(file);
  const std::string folder = stand_in_folder(), real = real_library();
  // Programs that open libcuda.so.1 by its name find the stand-in in LD_LIBRARY_PATH. LD_PRELOAD is for those that
  // have a path of their own (RPATH), which the loader searches first.
  put_before("LD_LIBRARY_PATH", folder);
  put_before("LD_PRELOAD", folder + "/" + library_name);
  ::setenv(real_library_variable, real.c_str(), 1);
  ::setenv(nice_variable, std::to_string(nice).c_str(), 1);
  std::vector<char*> words;
  for (const std::string& each : program) words.push_back(const_cast<char*>(each.c_str()));
  words.push_back(nullptr);
  ::execv(file.c_str(), words.data());
  throw failure(status_cannot_run, "cannot run '" + file + "': " + std::strerror(errno) +
                                       (errno == ENOEXEC ? "; a script needs a first line, as #!/bin/sh" : ""));
}

}  // namespace

int schedule_run_main(int argc, char** argv) {
  CLI::App app{std::string(schedule_run_about) + ":\n  genesys schedule run [--nice N] [--] PROGRAM [ARGUMENTS...]"};
  app.name("genesys schedule run");
  int nice = 0;
  app.add_option("--nice", nice, "How important it is: -20 (most) to 19 (least)")
      ->check(CLI::Range(-20, 19))
      ->capture_default_str();
  app.prefix_command();
  app.footer(
      "A library of genesys stands before the driver's libcuda.so.1 and sees which kernels the program launches.\n"
      "While 'genesys scheduled' knows a more important process that is busy, launches are held, and those that may\n"
      "run again are aborted. Without the daemon, launches reach the driver as they are.\n"
      "Environment: GENESYS_SCHEDULE_LIBCUDA, the path of the driver's libcuda.so.1 (else as the loader finds it);\n"
      "GENESYS_SCHEDULE_QUIET=1, no notes on kernels that are not aborted.\n"
      "The exit status is the program's; 125 if genesys fails, 126 if the program cannot be run, 127 if it is not\n"
      "found, 2 if the command line is wrong.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  std::vector<std::string> program = app.remaining();
  if (!program.empty() && program[0] == "--") program.erase(program.begin());
  if (program.empty() || (program[0].starts_with('-') && program.size() == app.remaining().size())) {
    std::cerr << "genesys: schedule run "
              << (program.empty() ? "takes a program" : "has no option '" + program[0] + "'")
              << "; 'genesys schedule run --help' says more\n";
    return 2;
  }
  try {
    return run(program, nice);
  } catch (const failure& why) {
    std::cerr << "genesys: " << why.what() << "\n";
    return why.status;
  }
}

}  // namespace genesys::command
