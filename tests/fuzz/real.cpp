// SPDX-License-Identifier: Apache-2.0
// Fuzzes the profile `io` with real calls. Inputs are those of serving.cpp, but Linux makes the calls that pass the
// policy, in a mount, a network and an IPC namespace of its own. Paths are allowed in one folder, and a canary lies
// beside it. After each input the program checks the canary. Now and then it checks every descriptor of the kernel's,
// which must lead to the folder, to a pipe, a socket or the like, and frees what the kernel holds.
//
//   real [CORPUS...] [-runs=N] [-max_total_time=S]     libFuzzer's options
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "harness.h"

namespace {

using fuzz::u64;

// A file system of this process's own is mounted there.
#define PLACE "/var/tmp/genesys-fuzz"
constexpr const char* place = PLACE;
constexpr const char* inside = PLACE "/in";
constexpr const char* canary = PLACE "/out/canary";
constexpr std::string_view song = "nobody may see, or change this\n";

void need(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "real: %s: %s\n", what, std::strerror(errno));
  std::abort();
}

void write_file(const char* path, std::string_view text) {
  const int fd = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  need(fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()), path);
  ::close(fd);
}

// Moves the process into namespaces of its own.
void leave_for_own_world() {
  const uid_t user = ::getuid();
  const gid_t group = ::getgid();
  int spaces = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC;
  if (user != 0) spaces |= CLONE_NEWUSER;
  if (::unshare(spaces) != 0) {
    std::fprintf(stderr, "real: skipped: this system gives no namespaces: %s\n", std::strerror(errno));
    std::_Exit(0);
  }
  if (user != 0) {  // no other user exists there, and files need an owner with a name
    write_file("/proc/self/setgroups", "deny");
    write_file("/proc/self/uid_map", std::to_string(user) + " " + std::to_string(user) + " 1");
    write_file("/proc/self/gid_map", std::to_string(group) + " " + std::to_string(group) + " 1");
  }
  need(::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "mounts cannot be made private");
  need(::mkdir(place, 0700) == 0 || errno == EEXIST, "no place for a file system");
  need(::mount("fuzz", place, "tmpfs", MS_NODEV | MS_NOSUID | MS_STRICTATIME, "size=64m,nr_inodes=4k") == 0,
       "no tmpfs");
  need(::mkdir(inside, 0700) == 0 && ::mkdir(PLACE "/out", 0700) == 0, "no folders");
  write_file(canary, song);
}

// Restores the first content of the folder.
void furnish() {
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(inside)) std::filesystem::remove_all(entry.path(), gone);
  write_file(PLACE "/in/file", "inside\n");
  need(::mkdir(PLACE "/in/folder", 0700) == 0 && ::symlink("../out/canary", PLACE "/in/link") == 0 &&
           ::symlink("/proc/self/fd", PLACE "/in/magic") == 0,
       "the folder cannot be furnished");
}

// A periodic signal interrupts calls that wait.
void interrupt_calls() {
  struct sigaction ours {};
  ours.sa_handler = [](int) {};
  need(::sigaction(SIGUSR2, &ours, nullptr) == 0, "no handler");
  sigevent how{};
  how.sigev_notify = SIGEV_THREAD_ID;
  how.sigev_signo = SIGUSR2;
  how._sigev_un._tid = ::gettid();
  timer_t timer;
  need(::timer_create(CLOCK_MONOTONIC, &how, &timer) == 0, "no timer");
  const itimerspec every{{0, 5'000'000}, {0, 5'000'000}};
  need(::timer_settime(timer, 0, &every, nullptr) == 0, "no timer");
}

void limit() {
  ::signal(SIGXFSZ, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  const rlimit files{1024, 1024}, bytes{1 << 20, 1 << 20};
  need(::setrlimit(RLIMIT_NOFILE, &files) == 0 && ::setrlimit(RLIMIT_FSIZE, &bytes) == 0, "no limits");
}

class world {
 public:
  world() {
    furnish();
    limit();
    side_.emplace("io", std::string("allow path ") + inside + "\nlimit descriptors 64\nlimit mapped 16M",
                  std::vector<std::string>{PLACE "/in/file", PLACE "/in/../out/canary", PLACE "/out/canary",
                                           PLACE "/in/link", PLACE "/in/magic/0", "/proc/self/mem", "/proc/self/fd/3",
                                           "file", "../out", PLACE "/in/folder", "folder/../../out/canary", "/", ".",
                                           PLACE "/in/new", PLACE "/in//folder/./new", inside});
    grant_descriptors();
    interrupt_calls();
  }
  fuzz::serving_side& side() { return *side_; }

  void look() {
    struct stat about {};
    need(::stat(canary, &about) == 0 && about.st_size == static_cast<off_t>(song.size()) && about.st_nlink == 1 &&
             (about.st_mode & 07777) == 0600,
         "the canary has changed");
    if (seen_.tv_sec == 0) seen_ = about.st_atim;
    need(about.st_atim.tv_sec == seen_.tv_sec && about.st_atim.tv_nsec == seen_.tv_nsec, "the canary was read");
    if (++inputs_ % 64 != 0) return;
    look_at_canary();
    look_at_descriptors();
    side_->all().maps.settle();
    furnish();
    grant_descriptors();
  }

 private:
  fuzz::policy& rules() { return side_->all().rules; }

  void look_at_canary() {
    const int fd = ::open(canary, O_RDONLY | O_NOATIME | O_CLOEXEC);
    char text[64];
    need(fd >= 0 && ::read(fd, text, sizeof text) == static_cast<ssize_t>(song.size()) &&
             std::string_view(text, song.size()) == song,
         "the canary sings something else");
    ::close(fd);
  }

  // A folder, a file, both ends of a pipe and of a pair of sockets.
  void grant_descriptors() {
    int pipe[2], pair[2];
    const int folder = ::open(inside, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
              file = ::open(PLACE "/in/file", O_RDWR | O_CLOEXEC);
    need(folder >= 0 && file >= 0 && ::pipe2(pipe, O_CLOEXEC) == 0 &&
             ::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) == 0,
         "no descriptors");
    for (const int fd : {folder, file, pipe[0], pipe[1], pair[0], pair[1]})
      need(rules().adopt(static_cast<u64>(fd)), "not adopted");
  }

  void look_at_descriptors() {
    for (int fd = 0; fd < 1024; ++fd) {
      const auto number = static_cast<u64>(fd);
      if (fuzz::policy::is_protected(number) || !rules().may_use(number)) continue;
      char link[PATH_MAX];
      const std::string name = "/proc/self/fd/" + std::to_string(fd);
      const ssize_t length = ::readlink(name.c_str(), link, sizeof link);
      if (length >= 0 && !is_allowed({link, static_cast<std::size_t>(length)})) {
        std::fprintf(stderr, "real: the kernel has descriptor %d, which leads to %.*s\n", fd, static_cast<int>(length),
                     link);
        std::abort();
      }
      if (length >= 0) ::close(fd);
      rules().disown(number);
    }
  }

  static bool is_allowed(std::string_view link) {
    for (const char* kind : {inside, "pipe:[", "socket:[", "anon_inode:[eventfd]", "anon_inode:[eventpoll]",
                             "anon_inode:[timerfd]", "anon_inode:[signalfd]", "anon_inode:inotify", "/memfd:"}) {
      const std::string_view begin = kind;
      if (link.substr(0, begin.size()) != begin) continue;
      return begin != inside || link.size() == begin.size() || link[begin.size()] == '/' || link[begin.size()] == ' ';
    }
    return false;
  }

  std::optional<fuzz::serving_side> side_;
  u64 inputs_ = 0;
  timespec seen_{};
};

}  // namespace

// Runs before the fuzzer has threads.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  leave_for_own_world();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static world here;
  fuzz::input from(data, size);
  const auto mode = from.take<std::uint8_t>();
  fuzz::play(here.side(), from, mode, [](const fuzz::request&) {});
  here.look();
  return 0;
}
