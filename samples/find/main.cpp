// SPDX-License-Identifier: Apache-2.0
// find: each thread of a block reads a folder, prints what fits, and adds the folders in it to the list.
#include <genesys/posix/fnmatch.h>
#include <genesys/posix/libgen.h>
#include <genesys/stdio.h>

#include "kernel_main.h"
#include "path_list.h"

namespace posix = genesys::posix;

struct wanted {
  char* const* tests;  // -name PATTERN, -type f|d|l; all of them hold
  int words;
};

GENESYS_KERNEL char type_of(mode_t mode) {
  return S_ISDIR(mode) ? 'd' : S_ISLNK(mode) ? 'l' : S_ISREG(mode) ? 'f' : '?';
}

struct find {
  GENESYS_KERNEL int operator()(genesys::os os, int argc, char* const* argv) const {
    posix::library c(os);
    posix::setvbuf(posix::standard_output(), nullptr, _IOFBF, 16 << 10);
    int folders = 1, status = 0;
    while (folders < argc && argv[folders][0] != '-') ++folders;
    for (int i = folders; i < argc; i += 2) {
      const char* const word = i + 1 < argc ? argv[i + 1] : "";
      const bool is_type = posix::strcmp(argv[i], "-type") == 0 && posix::fnmatch("[fdl]", word, 0) == 0;
      if (!is_type && (i + 1 == argc || posix::strcmp(argv[i], "-name") != 0)) {
        if (genesys::thread_rank() == 0) posix::dprintf(2, "find: '%s': not known, or a wrong argument\n", argv[i]);
        return 1;
      }
    }
    const wanted what{argv + folders, argc - folders};
    auto& list = genesys::shared<path_list>();
    if (genesys::thread_rank() == 0) {
      list.begin();
      for (int i = 1; i < folders; ++i) status |= begin(list, argv[i], what);
      if (folders == 1) status |= begin(list, ".", what);
    }
    genesys::sync_block();
    while (path* const folder = list.take()) {
      if (!posix::ferror(posix::standard_output())) status |= visit(list, folder->name, what);
      list.done(folder);
    }
    return written("find", status);
  }

  GENESYS_KERNEL static int complain(const char* name) {
    posix::fprintf(posix::standard_error(), "find: '%s': %m\n", name);
    return 1;
  }

  // What the command line names: itself, too, is printed.
  GENESYS_KERNEL static int begin(path_list& list, const char* name, const wanted& what) {
    struct stat about;
    if (posix::lstat(name, &about) != 0) return complain(name);
    char last[PATH_MAX];
    posix::snprintf(last, sizeof last, "%s", name);
    const char type = type_of(about.st_mode);
    if (fits(what, posix::basename(last), type)) posix::puts(name);
    return type == 'd' && !list.add(name, nullptr) ? complain(name) : 0;
  }

  GENESYS_KERNEL static bool fits(const wanted& what, const char* name, char type) {
    for (int i = 0; i < what.words; i += 2) {
      const char* const word = what.tests[i + 1];
      if (what.tests[i][1] == 't' ? *word != type : posix::fnmatch(word, name, 0) != 0) return false;
    }
    return true;
  }

  GENESYS_KERNEL static int visit(path_list& list, const char* folder, const wanted& what) {
    posix::DIR* const entries = posix::opendir(folder);
    if (entries == nullptr) return complain(folder);
    const char* const slash = folder[posix::strlen(folder) - 1] == '/' ? "" : "/";
    int status = 0;
    while (const struct dirent* const one = (posix::error_number() = 0, posix::readdir(entries))) {
      const char* const name = one->d_name;
      if (posix::strcmp(name, ".") == 0 || posix::strcmp(name, "..") == 0) continue;
      struct stat about;  // where the file system does not tell types
      about.st_mode = DTTOIF(one->d_type);
      if (about.st_mode == 0) posix::fstatat(posix::dirfd(entries), name, &about, AT_SYMLINK_NOFOLLOW);
      const char type = type_of(about.st_mode);
      if (fits(what, name, type)) posix::printf("%s%s%s\n", folder, slash, name);
      if (type == 'd' && !list.add(folder, name)) status = complain(name);
    }
    if (posix::error_number() != 0) status = complain(folder);
    posix::closedir(entries);
    return status;
  }
};

int main(int argc, char** argv) {
  return kernel_main(find{}, argc, argv, 0,
                     "usage: find [FOLDER...] [-name PATTERN] [-type f|d|l]\nPrints the files below the folders.",
                     {.threads = {64}});
}
