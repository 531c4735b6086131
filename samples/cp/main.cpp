// SPDX-License-Identifier: Apache-2.0
// cp -r: each thread of a block copies a file, or makes a folder and adds what is in it to the list. Linux copies the
// data (copy_file_range): none of it crosses the link.
#include <genesys/stdio.h>

#include "copy_file.h"
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
    const char *const given = argv[options.optind], *const to = argv[options.optind + 1];
    std::size_t prefix = posix::strlen(given);
    while (prefix > 1 && given[prefix - 1] == '/') --prefix;
    auto& list = genesys::shared<path_list>();
    auto& target = genesys::shared<char[PATH_MAX], cp>();
    auto& made = genesys::shared<struct stat>();  // the folder that gets the copies
    int status = 0;
    if (genesys::thread_rank() == 0) {
      list.begin();
      char from[PATH_MAX];
      posix::snprintf(from, sizeof from, "%.*s", static_cast<int>(prefix), given);
      made.st_ino = 0;
      struct stat about;
      const char *const last = posix::strrchr(from, '/'), *const name = last != nullptr ? last + 1 : from;
      const bool into = !is_dots(name) && posix::stat(to, &about) == 0 && S_ISDIR(about.st_mode);
      posix::snprintf(target, sizeof target, into ? "%s/%s" : "%s", to, name);
      if (posix::stat(from, &about) != 0) {
        status = complain(from, 1);
      } else if (S_ISDIR(about.st_mode) && !is_recursive) {
        posix::fprintf(posix::standard_error(), "cp: -r not specified; omitting directory '%s'\n", from);
        status = 1;
      } else if (!is_recursive ? !copy_regular(from, target) : !list.add(from, nullptr)) {
        status = failed(from, target);
      }
    }
    genesys::sync_block();
    while (path* const one = list.take()) {
      char copy[PATH_MAX];
      const bool fits = posix::snprintf(copy, sizeof copy, "%s%s", target, one->name + prefix) < PATH_MAX;
      if (!fits) errno = ENAMETOOLONG;
      if (!fits || !copy_one(list, one->name, copy, made)) status = failed(one->name, copy);
      list.done(one);
    }
    return status;
  }

  GENESYS_KERNEL static int complain(const char* what, int status) {
    if (status == 1 || genesys::thread_rank() == 0)
      posix::fprintf(posix::standard_error(), status == 1 ? "cp: '%s': %m\n" : "%s\n", what);
    return status;
  }

  GENESYS_KERNEL static int failed(const char* from, const char* to) {
    posix::fprintf(posix::standard_error(), "cp: '%s' to '%s': %m\n", from, to);
    return 1;
  }

  GENESYS_KERNEL static bool copy_one(path_list& list, const char* from, const char* to, struct stat& made) {
    struct stat about;
    if (posix::lstat(from, &about) != 0) return false;
    if (S_ISLNK(about.st_mode)) return copy_link(from, to);
    if (S_ISREG(about.st_mode)) return copy_regular(from, to);
    if (!S_ISDIR(about.st_mode)) return errno = EOPNOTSUPP, false;  // a FIFO, a socket or a device
    if (is_same_file(about, made)) return errno = EINVAL, false;
    return copy_folder(list, from, to, about.st_mode, made);
  }

  // The folder is there before anything in it is copied. The first one is not copied into itself.
  GENESYS_KERNEL static bool copy_folder(path_list& list, const char* from, const char* to, mode_t mode,
                                         struct stat& made) {
    if (posix::mkdir(to, (mode & 0777) | S_IRWXU) != 0 && errno != EEXIST) return false;
    if (made.st_ino == 0 && posix::stat(to, &made) != 0) return false;
    posix::DIR* const entries = posix::opendir(from);
    if (entries == nullptr) return false;
    bool added = true;
    while (const struct dirent* const one = posix::readdir(entries)) {
      if (!is_dots(one->d_name)) added = list.add(from, one->d_name) && added;
    }
    posix::closedir(entries);
    return added;
  }
};

int main(int argc, char** argv) {
  return kernel_main(cp{}, argc, argv, 0, "usage: cp [-r] SOURCE TARGET\nCopies a file, or with -r a tree of files.",
                     {.threads = {32}});
}
