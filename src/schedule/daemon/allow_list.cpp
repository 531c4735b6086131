// SPDX-License-Identifier: Apache-2.0
#include "schedule/daemon/allow_list.h"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace genesys::schedule::processes {

std::vector<allowed_nice> parse_allow_list(const std::string& text, const std::string& file) {
  std::vector<allowed_nice> all;
  std::istringstream lines(text);
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto wrong = [&](const std::string& why) {
      return std::runtime_error(file + ":" + std::to_string(number) + ": " + why);
    };
    std::istringstream words(line.substr(0, line.find('#')));
    std::string kind, name, word, rest;
    if (!(words >> kind)) continue;
    allowed_nice one;
    if ((kind != "user" && kind != "group") || !(words >> name >> word >> one.nice) || word != "nice" ||
        (words >> rest)) {
      throw wrong("expected 'user NAME nice N' or 'group NAME nice N'");
    }
    if (one.nice < -20 || one.nice > 19) throw wrong("a nice value is from -20 to 19");
    one.is_group = kind == "group";
    if (one.is_group) {
      const struct group* const found = ::getgrnam(name.c_str());
      if (found == nullptr) throw wrong("there is no group '" + name + "'");
      one.id = found->gr_gid;
    } else {
      const struct passwd* const found = ::getpwnam(name.c_str());
      if (found == nullptr) throw wrong("there is no user '" + name + "'");
      one.id = found->pw_uid;
    }
    all.push_back(one);
  }
  return all;
}

std::vector<allowed_nice> read_allow_list(const std::string& file) {
  struct stat what {};
  std::ifstream from(file, std::ios::binary);
  if (!from || ::stat(file.c_str(), &what) != 0) throw std::runtime_error("cannot read the allow list '" + file + "'");
  if ((what.st_mode & (S_IWGRP | S_IWOTH)) != 0 || (what.st_uid != 0 && what.st_uid != ::geteuid()))
    throw std::runtime_error("others may write the allow list '" + file + "': chmod go-w, and chown it to root");
  return parse_allow_list({std::istreambuf_iterator<char>(from), {}}, file);
}

}  // namespace genesys::schedule::processes
