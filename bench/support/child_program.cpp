// SPDX-License-Identifier: Apache-2.0
#include "support/child_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "support/measure.h"

extern char** environ;

namespace measure {
namespace {

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& each : texts) all.push_back(const_cast<char*>(each.c_str()));
  return all;
}

}  // namespace

std::string own_path() { return std::filesystem::read_symlink("/proc/self/exe"); }

child_program::child_program(const std::vector<std::string>& words, const std::vector<std::string>& environment,
                             messages what)
    : name_(words[0]) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw failure("no pipe");
  if (what == messages::kept) messages_ = ::memfd_create("messages", MFD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  if (messages_ >= 0) ::posix_spawn_file_actions_adddup2(&actions, messages_, 2);
  std::vector<char*> arguments = pointers_to(words), variables = pointers_to(environment);
  arguments.push_back(nullptr);
  for (char** each = environ; *each != nullptr; ++each) variables.push_back(*each);  // the first of a name holds
  variables.push_back(nullptr);
  const int failed = ::posix_spawnp(&id_, arguments[0], &actions, nullptr, arguments.data(), variables.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  from_ = ::fdopen(ends[0], "r");
  if (failed != 0) id_ = 0;
  if (failed == 0 && from_ != nullptr) return;
  close();
  throw failure("cannot start " + name_);
}

child_program::~child_program() { close(); }

void child_program::close() {
  if (id_ != 0) ::kill(id_, SIGTERM);
  if (from_ != nullptr) std::fclose(from_);
  if (id_ != 0) ::waitpid(id_, nullptr, 0);
  if (messages_ >= 0) ::close(messages_);
}

std::optional<std::string> child_program::line() {
  char text[256];
  if (std::fgets(text, sizeof text, from_) == nullptr) return std::nullopt;
  return std::string(text);
}

std::string child_program::rest() {
  std::string all;
  char part[65536];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, from_)) > 0;) all.append(part, n);
  return all;
}

std::string child_program::said() const {
  std::string text(4096, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(::pread(messages_, text.data(), text.size(), 0), 0)));
  return text;
}

child_program::end child_program::finish() {
  int status = 1;
  rusage used{};
  const bool ended = ::wait4(id_, &status, 0, &used) == id_ && status == 0;
  id_ = 0;
  if (!ended) throw failure(name_ + " failed" + (messages_ >= 0 ? ": " + said() : ""));
  return {static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
          static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6};
}

}  // namespace measure
