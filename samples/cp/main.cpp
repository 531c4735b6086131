// SPDX-License-Identifier: Apache-2.0
// cp -r: each thread of a block copies a file, or makes a folder and adds what is in it to the list. Linux copies the
// data (copy_file_range): none of it crosses the link.
#include <genesys/stdio.h>

#include "kernel_main.h"
#include "path_list.h"

namespace posix = genesys::posix;

struct cp {
  GENESYS_KERNEL int operator()(genesys::os os, int argc, char* const* argv) const {
    posix::library c(os);
    posix::option_state options;
    bool is_recursive = false;
    for (int each; (each = posix::getopt(options, argc, argv, "r")) != -1;) {
      if (each != 'r') return complain("usage: cp [-r] SOURCE TARGET", 2);
      is_recursive = true;
    }
    if (argc - options.optind != 2) return complain("usage: cp [-r] SOURCE TARGET", 2);
    const char *const from = argv[options.optind], *to = argv[options.optind + 1];
    auto& list = genesys::shared<path_list>();
    auto& target = genesys::shared<char[PATH_MAX], cp>();
    int status = 0;
    if (genesys::thread_rank() == 0) {
      list.begin();
      struct stat about;
      const bool exists = posix::stat(to, &about) == 0, into = exists && S_ISDIR(about.st_mode);
      const char* const last = posix::strrchr(from, '/');
      posix::snprintf(target, sizeof target, into ? "%s/%s" : "%s", to, last != nullptr ? last + 1 : from);
      if (posix::stat(from, &about) != 0) {
        status = complain(from, 1);
      } else if (S_ISDIR(about.st_mode) && !is_recursive) {
        posix::fprintf(posix::standard_error(), "cp: -r not specified; omitting directory '%s'\n", from);
        status = 1;
      } else if (!list.add(from, nullptr)) {
        status = complain(from, 1);
      }
    }
    genesys::sync_block();
    const std::size_t prefix = posix::strlen(from);
    while (path* const one = list.take()) {
      char copy[PATH_MAX];
      posix::snprintf(copy, sizeof copy, "%s%s", target, one->name + prefix);
      if (!copy_one(list, one->name, copy)) status = complain(one->name, 1);
      list.done(one);
    }
    return status;
  }

  GENESYS_KERNEL static int complain(const char* what, int status) {
    if (status == 1 || genesys::thread_rank() == 0)
      posix::fprintf(posix::standard_error(), status == 1 ? "cp: '%s': %m\n" : "%s\n", what);
    return status;
  }

  GENESYS_KERNEL static bool copy_one(path_list& list, const char* from, const char* to) {
    struct stat about;
    if (posix::lstat(from, &about) != 0) return false;
    if (S_ISLNK(about.st_mode)) {
      char target[PATH_MAX];
      const ssize_t n = posix::readlink(from, target, sizeof target - 1);
      if (n < 0) return false;
      target[n] = 0;
      return posix::symlink(target, to) == 0;
    }
    if (S_ISDIR(about.st_mode)) return copy_folder(list, from, to, about.st_mode);
    const int in = posix::open(from, O_RDONLY);
    const int out = in < 0 ? -1 : posix::open(to, O_WRONLY | O_CREAT | O_TRUNC, about.st_mode & 0777);
    long n = out < 0 ? -1 : 1;
    while (n > 0) n = posix::copy_file_range(in, nullptr, out, nullptr, 1 << 30, 0);
    if (in >= 0) posix::close(in);
    return out >= 0 && posix::close(out) == 0 && n == 0;
  }

  // The folder is there before anything in it is copied.
  GENESYS_KERNEL static bool copy_folder(path_list& list, const char* from, const char* to, mode_t mode) {
    if (posix::mkdir(to, (mode & 0777) | S_IRWXU) != 0 && posix::error_number() != EEXIST) return false;
    posix::DIR* const entries = posix::opendir(from);
    if (entries == nullptr) return false;
    bool added = true;
    while (const struct dirent* const one = posix::readdir(entries)) {
      if (posix::strcmp(one->d_name, ".") != 0 && posix::strcmp(one->d_name, "..") != 0)
        added = list.add(from, one->d_name) && added;
    }
    posix::closedir(entries);
    return added;
  }
};

int main(int argc, char** argv) {
  return kernel_main(cp{}, argc, argv, 0, "usage: cp [-r] SOURCE TARGET\nCopies a file, or with -r a tree of files.",
                     {.threads = {32}});
}
