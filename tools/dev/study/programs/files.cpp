// SPDX-License-Identifier: Apache-2.0
// A small workload of files for tools/dev/study: it writes, reads or removes files, in one or more threads.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t piece_bytes = 4096;  // also the alignment that O_DIRECT needs
constexpr int pieces = 4;                  // of each file

struct asked {
  std::string phase, folder;
  int files, threads, direct;
};

[[noreturn]] void fail(const std::string& path) {
  std::perror(path.c_str());
  std::exit(1);
}

void write_file(const std::string& path, char* buffer, int direct) {
  const int fd = open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC | direct, 0644);
  if (fd < 0) fail(path);
  for (int i = 0; i < pieces; ++i) {
    if (write(fd, buffer, piece_bytes) != static_cast<ssize_t>(piece_bytes)) fail(path);
  }
  if (fsync(fd) != 0) fail(path);
  close(fd);
}

void read_file(const std::string& path, char* buffer, int direct) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) fail(path);
  const int fd = open(path.c_str(), O_RDONLY | direct);
  if (fd < 0) fail(path);
  while (read(fd, buffer, piece_bytes) > 0) {
  }
  close(fd);
}

void work(const asked& what, int thread) {
  auto* buffer = static_cast<char*>(std::aligned_alloc(piece_bytes, piece_bytes));
  std::memset(buffer, 'g', piece_bytes);
  for (int i = thread; i < what.files; i += what.threads) {
    const auto path = what.folder + "/file" + std::to_string(i);
    if (what.phase == "write") write_file(path, buffer, what.direct);
    if (what.phase == "read") read_file(path, buffer, what.direct);
    if (what.phase == "remove" && unlink(path.c_str()) != 0) fail(path);
  }
  std::free(buffer);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fputs("usage: files write|read|remove FOLDER FILES THREADS [direct]\n", stderr);
    return 2;
  }
  const asked what{argv[1], argv[2], std::atoi(argv[3]), std::atoi(argv[4]), argc > 5 ? O_DIRECT : 0};
  std::vector<std::thread> threads;
  for (int i = 1; i < what.threads; ++i) threads.emplace_back(work, what, i);
  work(what, 0);
  for (auto& thread : threads) thread.join();
}
