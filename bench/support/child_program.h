// SPDX-License-Identifier: Apache-2.0
// Another program, as a child of the bench. Its standard output is read here.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace measure {

std::string own_path();  // of the running bench

class child_program {
 public:
  enum class messages { shown, kept };  // what becomes of its standard error

  // `words`: the program, looked up in PATH, and its arguments. `environment`: NAME=VALUE on top of the bench's own.
  // Throws failure.
  explicit child_program(const std::vector<std::string>& words, const std::vector<std::string>& environment = {},
                         messages what = messages::shown);
  ~child_program();  // ends it by SIGTERM, unless it has ended
  child_program(const child_program&) = delete;
  child_program& operator=(const child_program&) = delete;

  std::optional<std::string> line();  // with its newline; nothing: no more will come
  std::string rest();                 // of its output, until it closes it
  std::string said() const;           // messages::kept: the first 4 KiB of its standard error

  // Waits for its end. Throws failure: its exit status is not 0.
  struct end {
    double cpu_seconds;
  };
  end finish();

 private:
  void close();

  std::string name_;
  pid_t id_ = 0;  // 0: it has ended
  std::FILE* from_ = nullptr;
  int messages_ = -1;
};

}  // namespace measure
