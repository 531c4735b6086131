// SPDX-License-Identifier: Apache-2.0
// Makes thousands of calls natively, and prints for each what the decoder makes of it: the text that `genesys trace`
// would print, from the data that a recording would hold. decode_strace_test.py runs it under strace, and compares.
//
//     decode_native FOLDER OUTPUT [full]
//
// FOLDER is an empty folder for its files. Before each call that is compared, it makes a call whose number does not
// exist, by which the test finds the call among those of the C library.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/fb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <list>
#include <string>
#include <vector>

#include "genesys/detail/table/generated/plans.h"
#include "trace/decode.h"

namespace {

using genesys::trace::argument_data;
using genesys::trace::argument_memory;

constexpr long marker = 0xdead;
constexpr std::uint64_t nowhere = 0x1000;  // is not mapped

std::vector<std::string> texts;
genesys::trace::decode_options options;

struct captured {
  std::list<std::vector<unsigned char>> kept;
  std::vector<argument_data> data;

  bool operator()(const argument_memory& at) {
    if (at.address < 0x10000) return true;
    std::uint64_t bytes = at.bytes;
    const auto* const from = reinterpret_cast<const unsigned char*>(at.address);
    if (at.is_string) bytes = ::strnlen(reinterpret_cast<const char*>(from), at.bytes);
    const std::uint64_t most = at.is_string ? bytes : std::min<std::uint64_t>(bytes, 4096);
    kept.emplace_back(from, from + most);
    data.push_back({at.arg, at.part, bytes, kept.back()});
    return true;
  }
};

bool read_own(std::uint64_t address, void* to, std::uint64_t bytes) {
  if (address < 0x10000) return false;
  std::memcpy(to, reinterpret_cast<const void*>(address), bytes);
  return true;
}

template <class T>
std::uint64_t word(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<std::uint64_t>(value);
  } else if constexpr (std::is_null_pointer_v<T>) {
    return 0;
  } else {
    return static_cast<std::uint64_t>(value);
  }
}

// Makes the call. Returns its result, or -errno.
template <class... Args>
long made(long number, Args... given) {
  const std::uint64_t args[6] = {word(given)...};
  captured found;
  const genesys::detail::call_plan* const plan =
      genesys::detail::plan_of_call(static_cast<std::uint64_t>(number), args);
  if (plan != nullptr) genesys::trace::visit_before(*plan, args, read_own, found);
  ::syscall(marker);
  const long returned = ::syscall(number, args[0], args[1], args[2], args[3], args[4], args[5]);
  const long result = returned == -1 ? -errno : returned;
  if (plan != nullptr) {
    std::uint64_t capacity = ~std::uint64_t{0};
    for (const argument_data& one : found.data) {
      std::uint32_t length = 0;
      if (one.bytes.size() == 4) std::memcpy(&length, one.bytes.data(), 4), capacity = length;
    }
    genesys::trace::visit_after(*plan, args, result, read_own, found, capacity);
  }
  const genesys::trace::decoded_call call{static_cast<std::uint64_t>(number), args, result, found.data};
  texts.push_back(decode(call, options) + " = " + decode_result(call, options));
  return result;
}

#define CALL(name, ...) made(genesys::detail::number::name __VA_OPT__(, ) __VA_ARGS__)

void files() {
  char buffer[4096] = "", link[100] = "";
  const int modes[] = {0, 0600, 0644, 0755, 04755, 07777, 01, 020};
  const long flags[] = {O_RDONLY, O_WRONLY,   O_RDWR,      O_CLOEXEC, O_NONBLOCK, O_APPEND,  O_SYNC,
                        O_DSYNC,  O_NOFOLLOW, O_DIRECTORY, O_PATH,    O_NOATIME,  O_TRUNC,   O_EXCL,
                        O_NOCTTY, 0x8000,     O_DIRECT,    O_ASYNC,   3,          0x4000000, O_TMPFILE};
  const char* const names[] = {
      "a",         "b\nc", "d\"e\\f", "\001\0027\x7f\xff\t",
      "missing/x", ".",    "",        "a-name-that-is-longer-than-the-thirty-two-bytes-of-a-string"};
  for (const char* name : names) {
    for (const int mode : modes) {
      const long fd = CALL(openat, AT_FDCWD, name, O_CREAT | O_RDWR, mode);
      if (fd >= 0) CALL(close, fd);
    }
    for (const long flag : flags) {
      for (const long access : {O_RDONLY, O_WRONLY, O_RDWR}) {
        const long fd = CALL(openat, AT_FDCWD, name, flag | access, 0600);
        if (fd >= 0) CALL(close, fd);
      }
    }
    CALL(faccessat, AT_FDCWD, name, R_OK | W_OK), CALL(faccessat2, AT_FDCWD, name, X_OK, AT_EACCESS);
    CALL(faccessat2, AT_FDCWD, name, F_OK, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH);
#ifdef SYS_open
    for (const int mode : {F_OK, R_OK, R_OK | W_OK | X_OK, 64}) CALL(access, name, mode);
    long fd = CALL(open, name, O_RDWR | O_CREAT, 0644);
    if (fd >= 0) CALL(close, fd);
    fd = CALL(open, name, O_RDONLY);
    if (fd >= 0) CALL(close, fd);
    struct stat status;
    CALL(stat, name, &status), CALL(lstat, name, &status);
#endif
  }
  struct stat status;
  struct statx extended;
  struct statfs system;
  for (const char* path :
       {".", "a", "/dev/null", "/dev/tty", "/proc/self/exe", "/proc/self/status", "/sys", "missing"}) {
    for (const int flag : {0, AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH, AT_NO_AUTOMOUNT | AT_SYMLINK_NOFOLLOW})
      CALL(newfstatat, AT_FDCWD, path, &status, flag);
    for (const int flag : {0, 0x2000, 0x4000 | AT_SYMLINK_NOFOLLOW, 0x6000}) {
      for (const unsigned mask : {0x7ffu, 0xfffu, 1u, 0u, 0x200u | 0x800u, 0x10000000u})
        CALL(statx, AT_FDCWD, path, flag, mask, &extended);
    }
    CALL(statfs, path, &system);
  }
  CALL(newfstatat, AT_FDCWD, "a", nowhere, 0);
  CALL(newfstatat, AT_FDCWD, nowhere, &status, 0);
  CALL(newfstatat, AT_FDCWD, nullptr, &status, AT_EMPTY_PATH);
  const long fd = CALL(openat, AT_FDCWD, "data", O_RDWR | O_CREAT | O_TRUNC, 0644);
  CALL(fstat, fd, &status), CALL(fstat, 999, &status), CALL(fstatfs, fd, &system);
  for (int i = 0; i < 256; ++i) buffer[i] = static_cast<char>(i);
  for (int i = 0; i < 256; ++i) {  // what follows an escape decides its length
    const char pair[] = {'\1', static_cast<char>(i), '\1'};
    CALL(write, fd, pair, 3);
  }
  for (int i = 0; i < 220; i += 5) CALL(write, fd, buffer + i, 5 + i % 40);
  for (const int size : {0, 1, 31, 32, 33, 256}) {
    CALL(pwrite64, fd, buffer, size, 3), CALL(pread64, fd, buffer + 300, size, 2), CALL(write, fd, buffer, size);
    CALL(lseek, fd, 0, SEEK_SET), CALL(read, fd, buffer + 300, size);
  }
  CALL(write, fd, nowhere, 5), CALL(read, fd, nowhere, 5), CALL(read, 999, buffer, 5), CALL(read, fd, nullptr, 0);
  CALL(pread64, fd, buffer, 10, -1);
  for (const int whence : {0, 1, 2, 3, 4, 5, 77}) CALL(lseek, fd, -3, whence), CALL(lseek, fd, 100000000000, whence);
  CALL(ftruncate, fd, 1000), CALL(ftruncate, fd, -1), CALL(truncate, "data", 2000), CALL(fsync, fd),
      CALL(fdatasync, fd);
  for (int mode = 0; mode < 256; mode = mode * 2 + 1) CALL(fallocate, fd, mode, 0, 100);
  for (const int mode : {1, 2, 3, 8, 16, 32, 64, 128}) CALL(fallocate, fd, mode, 10, 4096);
  for (int advice = 0; advice < 8; ++advice) CALL(fadvise64, fd, 0, 100, advice);
  for (int flag = 0; flag < 9; ++flag) CALL(sync_file_range, fd, 0, 100, flag);
  for (const int operation :
       {LOCK_SH, LOCK_EX, LOCK_UN, LOCK_SH | LOCK_NB, LOCK_EX | LOCK_NB, LOCK_UN | LOCK_NB, 0, 99})
    CALL(flock, fd, operation);
  CALL(readahead, fd, 0, 100), CALL(syncfs, fd);
  const long copy = CALL(dup, fd);
  CALL(dup2, fd, copy), CALL(dup3, fd, copy, O_CLOEXEC), CALL(dup3, fd, copy, 0), CALL(dup3, fd, fd, 1), CALL(dup, 999);
  char many[40][4] = {};
  iovec pieces[40] = {};
  for (int i = 0; i < 40; ++i) pieces[i] = {many[i], 3};
  for (const int count : {0, 1, 2, 3, 31, 32, 33, 40}) {
    CALL(lseek, fd, 0, SEEK_SET), CALL(readv, fd, pieces, count), CALL(writev, fd, pieces, count);
    CALL(preadv, fd, pieces, count, 1), CALL(pwritev, fd, pieces, count, 1);
    CALL(preadv2, fd, pieces, count, 1, 0, 8), CALL(pwritev2, fd, pieces, count, 1, 0, 0);
    CALL(pwritev2, fd, pieces, count, 1, 0, 2 | 4);
  }
  CALL(readv, 999, pieces, 2), CALL(writev, 999, pieces, 2), CALL(readv, fd, nowhere, 2), CALL(writev, fd, nullptr, 2);
  pieces[1] = {reinterpret_cast<void*>(nowhere), 7}, pieces[2] = {nullptr, 3}, pieces[3] = {many[3], 0};
  CALL(writev, fd, pieces, 4), CALL(readv, fd, pieces, 4);
  long offset = 5, other = 7;
  CALL(copy_file_range, fd, &offset, fd, &other, 0, 0), CALL(copy_file_range, fd, nullptr, fd, &offset, 10, 0);
  CALL(copy_file_range, fd, &offset, copy, &other, 1, 9);
  CALL(sendfile, copy, fd, &offset, 4), CALL(sendfile, copy, fd, nullptr, 4), CALL(sendfile, 999, fd, &offset, 4);
  for (const char* target : {"target", "a", ""}) {
    CALL(symlinkat, target, AT_FDCWD, "link"), CALL(readlinkat, AT_FDCWD, "link", link, sizeof link);
    CALL(readlinkat, AT_FDCWD, "link", link, 2), CALL(readlinkat, AT_FDCWD, target, link, sizeof link);
    CALL(unlinkat, AT_FDCWD, "link", 0);
  }
  CALL(mkdirat, AT_FDCWD, "folder", 0755), CALL(mkdirat, AT_FDCWD, "folder", 0),
      CALL(unlinkat, AT_FDCWD, "folder", AT_REMOVEDIR);
  CALL(unlinkat, AT_FDCWD, "folder", 1), CALL(linkat, AT_FDCWD, "data", AT_FDCWD, "hard", AT_SYMLINK_FOLLOW);
  for (const int flag : {0, 1, 2, 3, 4, 8}) CALL(renameat2, AT_FDCWD, "hard", AT_FDCWD, "harder", flag);
  CALL(renameat, AT_FDCWD, "hard", AT_FDCWD, "hard2");
  for (const int mode : modes) CALL(fchmod, fd, mode), CALL(fchmodat, AT_FDCWD, "data", mode), CALL(umask, mode);
  CALL(umask, 022);
  CALL(fchmodat2, AT_FDCWD, "data", 0644, AT_SYMLINK_NOFOLLOW), CALL(fchown, fd, -1, -1), CALL(fchown, fd, 0, 0);
  CALL(fchownat, AT_FDCWD, "data", -1, 0, AT_EMPTY_PATH);
  for (const int mode :
       {S_IFREG | 0644, S_IFIFO | 0600, S_IFSOCK | 0, 0644, S_IFCHR | 0600, S_IFBLK | 01777, S_IFDIR | 4})
    CALL(mknodat, AT_FDCWD, "node", mode, 0x103), CALL(unlinkat, AT_FDCWD, "node", 0);
#ifdef SYS_open
  CALL(creat, "made", 0640), CALL(rename, "made", "renamed"), CALL(link, "renamed", "made"), CALL(unlink, "made");
  CALL(mkdir, "sub", 0711), CALL(rmdir, "sub"), CALL(symlink, "x", "y"), CALL(readlink, "y", link, 50),
      CALL(unlink, "y");
  CALL(chmod, "renamed", 0600), CALL(chown, "renamed", -1, 5), CALL(lchown, "renamed", 0, 0),
      CALL(mknod, "no", S_IFIFO | 0600, 0);
  utimbuf times{1669291200, 0};
  CALL(utime, "renamed", &times), CALL(utime, "renamed", nullptr);
  timeval pair[2] = {{1669291200, 5}, {1, 999999}};
  CALL(utimes, "renamed", pair), CALL(utimes, "renamed", nullptr), CALL(futimesat, AT_FDCWD, "renamed", pair);
  CALL(getdents, fd, buffer, 100);
  int ends_of_pipe[2];
  CALL(pipe, ends_of_pipe), CALL(close, ends_of_pipe[0]), CALL(close, ends_of_pipe[1]), CALL(pipe, nowhere);
#endif
  timespec times2[2] = {{1669291200, 5}, {0, UTIME_NOW}};
  CALL(utimensat, AT_FDCWD, "data", times2, 0), CALL(utimensat, fd, nullptr, nullptr, 0);
  times2[0].tv_nsec = UTIME_OMIT;
  CALL(utimensat, AT_FDCWD, "data", times2, AT_SYMLINK_NOFOLLOW), CALL(utimensat, AT_FDCWD, "data", nowhere, 0);
  const long folder = CALL(openat, AT_FDCWD, ".", O_RDONLY | O_DIRECTORY);
  CALL(getdents64, folder, buffer, 4096), CALL(getdents64, fd, buffer, 4096), CALL(fchdir, folder), CALL(chdir, ".");
  CALL(getcwd, buffer, sizeof buffer), CALL(getcwd, buffer, 1), CALL(close, folder), CALL(close, copy);
  struct {
    std::uint64_t flags, mode, resolve;
  } how{O_RDWR | O_CREAT, 0600, 8};
  CALL(openat2, AT_FDCWD, "data", &how, sizeof how), how = {O_RDONLY, 0, 0x3f},
                                                     CALL(openat2, AT_FDCWD, "data", &how, sizeof how);
  CALL(openat2, AT_FDCWD, "data", &how, 8), how.resolve = 0x100, CALL(openat2, AT_FDCWD, "data", &how, sizeof how);
  for (const int flag : {0, O_CLOEXEC, O_NONBLOCK | O_DIRECT, 3}) {
    int ends[2];
    if (CALL(pipe2, ends, flag) != 0) continue;
    CALL(write, ends[1], "abc", 3), CALL(tee, ends[0], ends[1], 3, 2),
        CALL(splice, ends[0], nullptr, fd, &offset, 3, 1 | 2);
    CALL(vmsplice, ends[1], pieces, 1, 4 | 8), CALL(ioctl, ends[0], FIONREAD, &ends[0] + 0);
    CALL(close, ends[1]);
  }
  for (const unsigned flag : {0u, 1u, 2u, 3u, 8u, 0x10u, 4u | 1u, 0x40u}) CALL(memfd_create, "memory", flag);
  const long memory = CALL(memfd_create, "a-name-of-memory-that-is-longer-than-32", 2);
  for (const int seals : {0, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW, 0x10, 0x100}) {
    CALL(fcntl, memory, F_ADD_SEALS, seals), CALL(fcntl, memory, F_GET_SEALS);
  }
  const long notify = CALL(inotify_init1, IN_CLOEXEC | IN_NONBLOCK);
  CALL(inotify_init1, 1), CALL(inotify_add_watch, notify, ".", IN_ALL_EVENTS);
  for (unsigned bit = 1; bit != 0; bit <<= 1) CALL(inotify_add_watch, notify, ".", bit | IN_ACCESS);
  CALL(inotify_rm_watch, notify, 1), CALL(inotify_rm_watch, notify, 77);
  char value[100] = "";
  for (int flag = 0; flag < 5; ++flag) {
    CALL(setxattr, "data", "user.name", "val\0ue", 6, flag), CALL(fsetxattr, fd, "user.name", "value", 5, flag);
    CALL(lsetxattr, "data", "user.other", "value", 0, flag);
  }
  CALL(getxattr, "data", "user.name", value, 100), CALL(getxattr, "data", "user.name", value, 0);
  CALL(getxattr, "data", "user.name", value, 1), CALL(lgetxattr, "data", "user.none", value, 100);
  CALL(fgetxattr, fd, "user.name", value, 100), CALL(listxattr, "data", value, 100), CALL(llistxattr, "data", value, 0);
  CALL(flistxattr, fd, value, 100), CALL(removexattr, "data", "user.name"), CALL(lremovexattr, "data", "user.name");
  CALL(fremovexattr, fd, "user.other");
  CALL(sync), CALL(close, fd), CALL(close, fd);
}

void fcntls() {
  const long fd = CALL(openat, AT_FDCWD, "locks", O_RDWR | O_CREAT, 0644);
  for (const int command : {F_DUPFD, F_DUPFD_CLOEXEC}) {
    for (const int least : {0, 10, 100000000}) {
      const long copy = CALL(fcntl, fd, command, least);
      if (copy >= 0) CALL(close, copy);
    }
  }
  for (const int flags : {0, 1, 2, 3}) CALL(fcntl, fd, F_SETFD, flags), CALL(fcntl, fd, F_GETFD);
  for (const long flags : {0L, long{O_NONBLOCK}, long{O_APPEND | O_NONBLOCK}, long{O_RDWR | O_NOATIME}, 0x40000000L})
    CALL(fcntl, fd, F_SETFL, flags), CALL(fcntl, fd, F_GETFL);
  for (const int command : {F_GETLK, F_SETLK, F_SETLKW, 36, 37, 38}) {
    for (const short type : {F_RDLCK, F_WRLCK, F_UNLCK, 9}) {
      struct flock lock {};
      lock.l_type = type, lock.l_whence = SEEK_SET, lock.l_start = 10, lock.l_len = 5;
      CALL(fcntl, fd, command, &lock), CALL(fcntl, 999, command, &lock);
    }
  }
  CALL(fcntl, fd, F_SETLK, nowhere);
  CALL(fcntl, fd, F_SETOWN, ::getpid()), CALL(fcntl, fd, F_GETOWN), CALL(fcntl, fd, F_SETOWN, 0);
  for (const int type : {0, 1, 2, 3}) {
    f_owner_ex owner{static_cast<__pid_type>(type), type == 3 ? 1 : 0};
    CALL(fcntl, fd, F_SETOWN_EX, &owner), CALL(fcntl, fd, F_GETOWN_EX, &owner);
  }
  for (const int signal : {0, SIGIO, SIGUSR1, 64, 99}) CALL(fcntl, fd, F_SETSIG, signal), CALL(fcntl, fd, F_GETSIG);
  for (const int lease : {F_RDLCK, F_UNLCK, 7}) CALL(fcntl, fd, F_SETLEASE, lease), CALL(fcntl, fd, F_GETLEASE);
  for (unsigned bit = 1; bit != 0; bit <<= 1) CALL(fcntl, fd, F_NOTIFY, bit);
  CALL(fcntl, fd, F_GETPIPE_SZ), CALL(fcntl, fd, F_SETPIPE_SZ, 4096);
  for (const std::uint64_t each : {0, 1, 5, 7}) {
    std::uint64_t hint = each;
    CALL(fcntl, fd, 1036, &hint), CALL(fcntl, fd, 1035, &hint);
  }
  int number = 1;
  winsize size{};
  CALL(ioctl, fd, FIONBIO, &number), CALL(ioctl, fd, FIOCLEX), CALL(ioctl, fd, FIONCLEX),
      CALL(ioctl, fd, TIOCGWINSZ, &size);
  CALL(ioctl, fd, FIONREAD, &number), CALL(ioctl, fd, TIOCGPGRP, &number), CALL(ioctl, fd, TIOCSWINSZ, &size);
  std::uint64_t bytes;
  CALL(ioctl, fd, 0x80081272, &bytes);
  fb_var_screeninfo mode{};
  fb_fix_screeninfo about;
  CALL(ioctl, fd, FBIOGET_VSCREENINFO, &mode), CALL(ioctl, fd, FBIOPUT_VSCREENINFO, &mode),
      CALL(ioctl, fd, FBIOPUT_VSCREENINFO, nowhere), CALL(ioctl, fd, FBIOGET_FSCREENINFO, &about);
  const long terminal = CALL(openat, AT_FDCWD, "/dev/ptmx", O_RDWR | O_NOCTTY);
  CALL(ioctl, terminal, TIOCGWINSZ, &size), size = {24, 80, 1, 2}, CALL(ioctl, terminal, TIOCSWINSZ, &size);
  CALL(ioctl, terminal, TIOCGWINSZ, &size);
  for (int i = 0; i < 4; ++i)
    CALL(ioctl, terminal, TCXONC, i), CALL(ioctl, terminal, TCFLSH, i), CALL(ioctl, terminal, TCSBRK, i);
  CALL(close, terminal), CALL(close, fd);
}

void times() {
  timespec time{}, left{};
  for (int clock = -2; clock < 14; ++clock) {
    CALL(clock_gettime, clock, &time), CALL(clock_getres, clock, &time), CALL(clock_gettime, clock, nowhere);
    time = {0, 1000};
    // The time of a process that sleeps does not pass.
    if (clock != CLOCK_PROCESS_CPUTIME_ID) CALL(clock_nanosleep, clock, 0, &time, &left);
    CALL(clock_nanosleep, clock, TIMER_ABSTIME, &time, nullptr);
    const long fd = CALL(timerfd_create, clock, TFD_CLOEXEC | TFD_NONBLOCK);
    if (fd >= 0) CALL(close, fd);
    int timer = 0;
    sigevent event{};
    event.sigev_notify = SIGEV_NONE;
    if (CALL(timer_create, clock, &event, &timer) == 0) {
      itimerspec value{{0, 0}, {100, 5}}, old{};
      CALL(timer_settime, timer, TIMER_ABSTIME, &value, &old), CALL(timer_gettime, timer, &value);
      CALL(timer_settime, timer, 0, &value, nullptr), CALL(timer_getoverrun, timer), CALL(timer_delete, timer);
    }
  }
  for (const timespec each : {timespec{0, 1}, timespec{0, -1}, timespec{-1, 0}, timespec{0, 1000000000}}) {
    CALL(nanosleep, &each, &left), CALL(nanosleep, &each, nullptr);
  }
  CALL(nanosleep, nowhere, nullptr);
  timeval now{};
  struct timezone zone {};
  CALL(gettimeofday, &now, &zone), CALL(gettimeofday, &now, nullptr), CALL(gettimeofday, nullptr, nullptr);
  for (int which = 0; which < 4; ++which) {
    itimerval value{{0, 0}, {1000, 5}}, old{};
    CALL(setitimer, which, &value, &old), CALL(getitimer, which, &value), value = {},
                                                                          CALL(setitimer, which, &value, nullptr);
  }
#ifdef SYS_alarm
  CALL(alarm, 100), CALL(alarm, 0);
  long seconds;
  CALL(time, &seconds), CALL(time, nullptr);
#endif
  timex values{};
  CALL(adjtimex, &values), values = {}, CALL(clock_adjtime, 0, &values), values = {}, values.modes = 0x8000,
                           CALL(adjtimex, &values);
  tms used{};
  CALL(times, &used), CALL(times, nullptr);
  const long fd = CALL(timerfd_create, CLOCK_MONOTONIC, TFD_NONBLOCK);
  for (const int flag : {0, 1, 2, 3, 4}) {
    itimerspec value{{1, 2}, {3, 4}}, old{};
    CALL(timerfd_settime, fd, flag, &value, &old), CALL(timerfd_gettime, fd, &value);
    CALL(timerfd_settime, fd, flag, &value, nullptr);
  }
  std::uint64_t count;
  CALL(read, fd, &count, 8), CALL(close, fd);
}

void waits() {
  int ends[2];
  CALL(pipe2, ends, 0);
  for (const long flags : {0L, long{EFD_SEMAPHORE}, long{EFD_CLOEXEC | EFD_NONBLOCK}, 7L}) {
    const long fd = CALL(eventfd2, 5, flags);
    if (fd >= 0) CALL(close, fd);
  }
  for (int round = 0; round < 2; ++round) {
    const int timeout = 0;
    for (short bit = 1; bit > 0 && bit < 0x4000; bit = static_cast<short>(bit * 2)) {
      pollfd fds[3] = {{ends[0], static_cast<short>(POLLIN | bit), 0}, {ends[1], POLLOUT, 0}, {-1, bit, 0}};
      timespec time{0, 0};
      CALL(ppoll, fds, 1, &time, nullptr, 8), CALL(ppoll, fds, 3, &time, nullptr, 8);
#ifdef SYS_poll
      CALL(poll, fds, 1, timeout), CALL(poll, fds, 3, timeout);
#endif
    }
    fd_set in, out, except;
    for (int i = 0; i < 5; ++i) {
      in = out = except = {};
      FD_SET(ends[0], &in);
      if (i > 1) FD_SET(ends[1], &out), FD_SET(0, &except);
      timespec time{0, 0};
      CALL(pselect6, ends[1] + 1, &in, i > 2 ? &out : nullptr, i > 3 ? &except : nullptr, &time, nullptr);
#ifdef SYS_select
      timeval short_time{0, 0};
      FD_SET(ends[0], &in);
      CALL(select, ends[1] + 1, &in, i > 2 ? &out : nullptr, nullptr, &short_time);
#endif
    }
    CALL(write, ends[1], "x", 1);
  }
  pollfd many[40];
  for (pollfd& one : many) one = {ends[0], POLLIN, 0};
#ifdef SYS_poll
  CALL(poll, many, 40, 0), CALL(poll, many, 32, 0), CALL(poll, nullptr, 0, 0), CALL(poll, nowhere, 1, 0);
#endif
  sigset_t signals;
  sigemptyset(&signals), sigaddset(&signals, SIGUSR1), sigaddset(&signals, 40);
  timespec none{0, 0};
  CALL(ppoll, many, 2, &none, &signals, 8), sigfillset(&signals), CALL(ppoll, many, 0, &none, &signals, 8);
  for (const int flags : {0, int{EPOLL_CLOEXEC}, 1}) {
    const long fd = CALL(epoll_create1, flags);
    if (fd < 0) continue;
    for (unsigned bit = 1; bit != 0; bit <<= 1) {
      epoll_event event{bit | EPOLLIN, {}};
      event.data.u64 = 0x100000001;
      for (const int operation : {EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL, 9})
        CALL(epoll_ctl, fd, operation, ends[0], &event);
    }
    epoll_event event{EPOLLIN, {}}, events[3];
    event.data.u64 = 5;
    CALL(epoll_ctl, fd, EPOLL_CTL_ADD, ends[0], &event), CALL(epoll_ctl, fd, EPOLL_CTL_DEL, 999, nullptr);
    CALL(epoll_pwait, fd, events, 3, 0, nullptr, 8), CALL(epoll_pwait, fd, events, 3, 0, &signals, 8);
    CALL(epoll_pwait2, fd, events, 3, &none, nullptr, 8), CALL(epoll_pwait, fd, events, 0, 0, nullptr, 8);
#ifdef SYS_epoll_wait
    CALL(epoll_wait, fd, events, 3, 0), CALL(epoll_wait, fd, nowhere, 3, 0), CALL(epoll_create, 5), CALL(eventfd, 5);
#endif
    CALL(close, fd);
  }
  sigemptyset(&signals), sigaddset(&signals, SIGUSR2), sigaddset(&signals, SIGCHLD);
  for (const int flags : {0, 04000, 02000000, 1}) CALL(signalfd4, -1, &signals, 8, flags);
#ifdef SYS_signalfd
  CALL(signalfd, -1, &signals, 8), CALL(signalfd, -1, &signals, 4);
#endif
  CALL(close, ends[0]), CALL(close, ends[1]);
}

void memory() {
  const long page = ::sysconf(_SC_PAGESIZE);
  for (const int prot : {PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE, PROT_READ | PROT_EXEC, 0x40}) {
    for (const int flags : {MAP_PRIVATE | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
                            MAP_ANONYMOUS, MAP_PRIVATE, 0x800000 | MAP_PRIVATE | MAP_ANONYMOUS,
                            MAP_SHARED_VALIDATE | MAP_SYNC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_GROWSDOWN}) {
      const long address = CALL(mmap, nullptr, page, prot, flags, -1, 0);
      if (address < 0 && address > -4096) continue;
      for (int advice = 0; advice < 26; advice += 1 + advice / 4) CALL(madvise, address, page, advice);
      CALL(mlock, address, page), CALL(munlock, address, page), CALL(mlock2, address, page, 1);
      for (const int sync : {MS_ASYNC, MS_SYNC, MS_SYNC | MS_INVALIDATE, 8}) CALL(msync, address, page, sync);
      unsigned char there[2];
      CALL(mincore, address, page, there), CALL(munmap, address, page);
    }
  }
  CALL(mmap, nullptr, page, PROT_READ, MAP_PRIVATE, 999, 0x1000), CALL(munmap, 1, page), CALL(mlockall, 7),
      CALL(munlockall);
}

void sockets() {
  const int domains[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, 77};
  const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET | SOCK_CLOEXEC, SOCK_RAW | SOCK_NONBLOCK, 9};
  for (const int domain : domains) {
    for (const int type : types) {
      for (const int protocol : {0, 6, 17, 15}) {
        const long fd = CALL(socket, domain, type, protocol);
        if (fd >= 0) CALL(close, fd);
      }
      int pair[2];
      if (CALL(socketpair, domain, type, 0, pair) == 0) CALL(close, pair[0]), CALL(close, pair[1]);
    }
  }
  const auto with_options = [](long fd) {
    for (int name = 1; name < 76; ++name) {
      if (name == 26 || name == 51) continue;  // genesys refuses them
      // Their values are no numbers.
      if (name == 13 || name == 17 || name == 20 || name == 21 || name == 25 || name == 31) continue;
      int value = 0;
      unsigned length = sizeof value;
      CALL(getsockopt, fd, SOL_SOCKET, name, &value, &length);
      CALL(setsockopt, fd, SOL_SOCKET, name, &value, 4);
    }
    struct linger linger {
      1, 5
    };
    timeval timeout{2, 3};
    unsigned length = sizeof linger;
    CALL(setsockopt, fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger),
        CALL(getsockopt, fd, SOL_SOCKET, SO_LINGER, &linger, &length);
    length = sizeof timeout;
    CALL(setsockopt, fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout),
        CALL(getsockopt, fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, &length);
    CALL(setsockopt, fd, SOL_SOCKET, SO_RCVTIMEO, nowhere, sizeof timeout);
    ucred peer{};
    length = 100;
    CALL(getsockopt, fd, SOL_SOCKET, SO_PEERCRED, &peer, &length);
    timeout = {0, 0}, CALL(setsockopt, fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    int value = 1;
    for (const int level : {SOL_IP, SOL_IPV6, SOL_TCP, 17, 270, 999}) {
      for (int name = 1; name < 38; ++name) {
        if ((level == SOL_TCP && (name == 35 || name == 11 || name == 13 || name == 14 || name == 38)) || name == 16 ||
            name == 17)
          continue;
        length = sizeof value;
        CALL(getsockopt, fd, level, name, &value, &length), CALL(setsockopt, fd, level, name, &value, 4);
      }
    }
    char text[16] = "";
    length = sizeof text;
    CALL(getsockopt, fd, SOL_TCP, TCP_CONGESTION, text, &length),
        CALL(setsockopt, fd, SOL_TCP, TCP_CONGESTION, "cubic", 5);
  };
  for (const int domain : {AF_UNIX, AF_INET}) {
    const long fd = CALL(socket, domain, SOCK_STREAM, 0);
    with_options(fd);
    CALL(close, fd);
  }
  for (const int type : {SOCK_STREAM, SOCK_DGRAM}) {
    for (const int domain : {AF_UNIX, AF_INET, AF_INET6}) {
      sockaddr_storage address{};
      socklen_t length = 0;
      static int unique = 0;
      if (domain == AF_UNIX) {
        auto* const own = reinterpret_cast<sockaddr_un*>(&address);
        own->sun_family = AF_UNIX;
        std::snprintf(own->sun_path, sizeof own->sun_path, "socket%d", ++unique), length = sizeof *own;
      } else if (domain == AF_INET) {
        auto* const own = reinterpret_cast<sockaddr_in*>(&address);
        own->sin_family = AF_INET, own->sin_addr.s_addr = htonl(INADDR_LOOPBACK), length = sizeof *own;
      } else {
        auto* const own = reinterpret_cast<sockaddr_in6*>(&address);
        own->sin6_family = AF_INET6, own->sin6_addr = in6addr_loopback, length = sizeof *own;
      }
      const long server = CALL(socket, domain, type, 0), client = CALL(socket, domain, type, 0);
      CALL(bind, server, &address, length), CALL(bind, server, &address, 2), CALL(bind, server, nowhere, length);
      socklen_t room = sizeof address;
      CALL(getsockname, server, &address, &room), length = room, room = 4;
      sockaddr_storage shorter{};
      CALL(getsockname, server, &shorter, &room), room = 0, CALL(getsockname, server, &shorter, &room);
      CALL(getpeername, server, &shorter, &room);
      CALL(listen, server, 5), CALL(connect, client, &address, length);
      long peer = server;
      if (type == SOCK_STREAM) {
        room = sizeof shorter;
        peer = CALL(accept4, server, &shorter, &room, SOCK_CLOEXEC), CALL(accept4, server, nullptr, nullptr, 1);
        room = sizeof shorter, CALL(getpeername, client, &shorter, &room);
      }
      char buffer[200] = "";
      for (const int flags : {0, int{MSG_DONTWAIT}, MSG_NOSIGNAL | MSG_MORE, int{MSG_DONTROUTE}, 0x2000000}) {
        CALL(sendto, client, "a message", 9, flags | MSG_DONTWAIT, nullptr, 0);
        CALL(sendto, client, "a message that has more bytes than strace prints", 48, MSG_DONTWAIT, &address, length);
        room = sizeof shorter;
        CALL(recvfrom, peer, buffer, sizeof buffer, MSG_PEEK | MSG_DONTWAIT, &shorter, &room);
        CALL(recvfrom, peer, buffer, sizeof buffer, flags | MSG_DONTWAIT, nullptr, nullptr);
        CALL(recvfrom, peer, buffer, 3, MSG_DONTWAIT, nullptr, nullptr);
      }
      iovec pieces[2] = {{buffer, 3}, {buffer + 3, 50}};
      char control[64] = "";
      msghdr message{};
      message.msg_iov = pieces, message.msg_iovlen = 2;
      std::memcpy(buffer, "0123456789\n", 11);
      CALL(sendmsg, client, &message, MSG_DONTWAIT), message.msg_name = &shorter, message.msg_namelen = sizeof shorter;
      CALL(recvmsg, peer, &message, MSG_DONTWAIT), message.msg_namelen = 0, message.msg_name = nullptr;
      CALL(recvmsg, peer, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
      if (domain == AF_UNIX) {
        message.msg_control = control, message.msg_controllen = CMSG_SPACE(sizeof(int));
        cmsghdr* const head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(sizeof(int));
        const int passed = 1;
        std::memcpy(CMSG_DATA(head), &passed, sizeof passed);
        CALL(sendmsg, client, &message, MSG_DONTWAIT), message.msg_controllen = sizeof control;
        CALL(recvmsg, peer, &message, MSG_DONTWAIT);
        message.msg_control = nullptr, message.msg_controllen = 0;
      }
      mmsghdr several[3] = {};
      for (mmsghdr& one : several) one.msg_hdr.msg_iov = pieces, one.msg_hdr.msg_iovlen = 1;
      CALL(sendmmsg, client, several, 3, MSG_DONTWAIT), CALL(recvmmsg, peer, several, 3, MSG_DONTWAIT, nullptr);
      CALL(recvmmsg, peer, several, 3, MSG_DONTWAIT, nullptr), CALL(sendmmsg, 999, several, 2, 0);
      CALL(sendmsg, 999, &message, 0), CALL(recvmsg, 999, &message, 0), CALL(recvmsg, peer, nowhere, 0);
      for (const int how : {0, 1, 2, 9}) CALL(shutdown, client, how);
#ifdef SYS_accept
      CALL(accept, 999, nullptr, nullptr);
#endif
      if (peer != server) CALL(close, peer);
      CALL(close, client), CALL(close, server);
    }
  }
  sockaddr_un abstract{AF_UNIX, "\0abstract\1"};
  const long fd = CALL(socket, AF_UNIX, SOCK_DGRAM, 0);
  CALL(connect, fd, &abstract, 12), CALL(connect, fd, &abstract, 2), CALL(connect, fd, &abstract, 3);
  sockaddr_storage other{};
  for (const unsigned short family : {0, 3, 16, 77}) other.ss_family = family, CALL(connect, fd, &other, 16);
  CALL(close, fd);
}

void processes() {
  CALL(getpid), CALL(getppid), CALL(gettid), CALL(getuid), CALL(geteuid), CALL(getgid), CALL(getegid);
  unsigned a, b, c, groups[70];
  CALL(getresuid, &a, &b, &c), CALL(getresgid, &a, &b, &c), CALL(getgroups, 70, groups), CALL(getgroups, 0, nullptr);
  CALL(getpgid, 0), CALL(getsid, 0), CALL(setpgid, 999999, 0), CALL(getpgid, -5);
#ifdef SYS_getpgrp
  CALL(getpgrp);
#endif
  for (int resource = 0; resource < 18; ++resource) {
    rlimit limits{};
    CALL(prlimit64, 0, resource, nullptr, &limits);
    if (resource < 16) CALL(prlimit64, 0, resource, &limits, nullptr);
#ifdef SYS_getrlimit
    CALL(getrlimit, resource, &limits);
    if (resource < 16) CALL(setrlimit, resource, &limits);
#endif
  }
  rusage usage{};
  for (const int who : {0, -1, 1, 5, -2}) CALL(getrusage, who, &usage);
  for (int which = 0; which < 4; ++which) CALL(getpriority, which, 0), CALL(ioprio_get, which, 0);
  CALL(setpriority, 0, 0, 0);
  utsname name;
  struct sysinfo info;
  CALL(uname, &name), CALL(uname, nowhere), CALL(sysinfo, &info), CALL(getcpu, &a, &b, nullptr);
  for (int policy = 0; policy < 8; ++policy) {
    sched_param parameters{0};
    CALL(sched_get_priority_max, policy), CALL(sched_get_priority_min, policy),
        CALL(sched_setscheduler, 999999, policy, &parameters);
  }
  sched_param parameters{};
  timespec interval{};
  cpu_set_t cpus;
  CALL(sched_getparam, 0, &parameters), CALL(sched_getscheduler, 0), CALL(sched_rr_get_interval, 0, &interval);
  const long bytes = CALL(sched_getaffinity, 0, sizeof cpus, &cpus);
  CALL(sched_setaffinity, 0, bytes, &cpus), CALL(sched_getaffinity, 0, 3, &cpus);
  for (int i = 0; i < 3; ++i) CALL(kill, ::getpid(), 0), CALL(tgkill, ::getpid(), ::getpid(), 0);
  for (const int signal : {SIGTERM, SIGKILL, 34, 64, 65, -1}) CALL(kill, 999999, signal), CALL(tkill, 999999, signal);
  sigset_t signals;
  sigemptyset(&signals), sigaddset(&signals, SIGUSR1);
  timespec none{0, 0};
  CALL(rt_sigpending, &signals, 8), CALL(rt_sigtimedwait, &signals, nullptr, &none, 8);
  int status = 0;
  siginfo_t child{};
  CALL(wait4, -1, &status, WNOHANG, &usage), CALL(waitid, P_ALL, 0, &child, WEXITED | WNOHANG, nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(3);
  CALL(waitid, P_PID, pid, &child, WEXITED | WNOWAIT, nullptr), CALL(wait4, pid, &status, 0, &usage);
  const pid_t killed = ::fork();
  if (killed == 0) ::pause();
  CALL(kill, killed, SIGTERM), CALL(wait4, killed, &status, WUNTRACED, nullptr);
  for (const unsigned flags : {0u, 1u, 2u, 4u, 8u, 3u}) CALL(getrandom, groups, 4, flags);
  CALL(getrandom, groups, 100, 0), CALL(syslog, 10, nullptr, 0), CALL(membarrier, 0, 0, 0), CALL(membarrier, 16, 0, 0);
  CALL(pidfd_open, ::getpid(), 0), CALL(pidfd_open, 999999, 0x800);
  std::uint32_t word_of_futex = 1;
  CALL(futex, &word_of_futex, 0, 2, nullptr), CALL(futex, &word_of_futex, 128, 2, &none),
      CALL(futex, &word_of_futex, 1, 5);
  CALL(futex, &word_of_futex, 128 | 9, 1, &none, nullptr, -1), CALL(futex, &word_of_futex, 129, 5);
  CALL(futex, &word_of_futex, 9 | 128 | 256, 1, &none, nullptr, 0xffffffff), CALL(futex, &word_of_futex, 0, 1, &none);
  CALL(futex, &word_of_futex, 3, 1, 2, &a), CALL(futex, &word_of_futex, 4 | 128, 1, 2, &a, 7);
  struct {
    std::uint32_t version;
    int pid;
  } capability{0x20080522, 0};
  CALL(capget, &capability, nullptr), capability.version = 1, CALL(capget, &capability, nullptr);
  CALL(chroot, "/missing"), CALL(umount2, "/missing", 3 | 8),
      CALL(mount, "none", "/missing", "tmpfs", 0x1000 | 0x8000, "size=1");
  CALL(swapoff, "/missing"), CALL(setuid, ::getuid()), CALL(setgid, ::getgid()), CALL(setresuid, -1, -1, -1),
      CALL(setreuid, -1, -1);
  CALL(acct, "/missing"), CALL(pivot_root, "/missing", "/missing"), CALL(swapon, "/missing", 0x8000 | 5);
}

void ipc() {
  const long queue = CALL(msgget, IPC_PRIVATE, IPC_CREAT | 0600), other = CALL(msgget, 0x1234567, 0600);
  (void)other;
  struct {
    long type;
    char text[50];
  } message{1, "text of a message"};
  CALL(msgsnd, queue, &message, 18, IPC_NOWAIT), CALL(msgrcv, queue, &message, 50, 0, MSG_NOERROR | IPC_NOWAIT);
  CALL(msgrcv, queue, &message, 50, 0, IPC_NOWAIT);
  msqid_ds queue_status{};
  CALL(msgctl, queue, IPC_STAT, &queue_status), CALL(msgctl, queue, IPC_RMID, nullptr),
      CALL(msgctl, queue, IPC_RMID, nullptr);
  const long set = CALL(semget, IPC_PRIVATE, 2, IPC_CREAT | IPC_EXCL | 0640);
  sembuf operations[2] = {{0, 1, IPC_NOWAIT}, {1, 2, SEM_UNDO}};
  timespec none{0, 0};
  CALL(semtimedop, set, operations, 2, &none);
#ifdef SYS_semop
  CALL(semop, set, operations, 2), CALL(semop, 999999, operations, 1);
#endif
  CALL(semctl, set, 0, GETVAL, nullptr), CALL(semctl, set, 1, SETVAL, 3), CALL(semctl, set, 0, IPC_RMID, nullptr);
  const long segment = CALL(shmget, IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  const long at = CALL(shmat, segment, nullptr, SHM_RDONLY);
  shmid_ds status{};
  CALL(shmctl, segment, IPC_STAT, &status), CALL(shmdt, at), CALL(shmctl, segment, IPC_RMID, nullptr),
      CALL(shmat, segment, nullptr, 0);
  CALL(shmget, 0x1234567, 4096, SHM_HUGETLB | 0600);
  struct {
    long flags, most, size, current, reserved[4];
  } attributes{0, 2, 10, 0, {}};
  const long named = CALL(mq_open, "genesys-decode", O_CREAT | O_RDWR | O_NONBLOCK, 0600, &attributes);
  if (named < 0) return;
  CALL(mq_timedsend, named, "text", 4, 1, &none);
  unsigned priority;
  CALL(mq_timedreceive, named, &message, 50, &priority, nullptr),
      CALL(mq_timedreceive, named, &message, 50, &priority, &none);
  CALL(mq_getsetattr, named, nullptr, &attributes), CALL(mq_getsetattr, named, &attributes, nullptr),
      CALL(mq_unlink, "genesys-decode");
  CALL(mq_unlink, "genesys-decode"), CALL(mq_open, "genesys-none", O_RDONLY, 0, nullptr), CALL(close, named);
}

// Calls that would change the machine get arguments with which they fail.
void others() {
  const long instance = CALL(fanotify_init, 1, O_RDONLY | O_CLOEXEC);
  CALL(fanotify_init, 2 | 4, O_RDWR), CALL(fanotify_mark, instance, 1, 0x20 | 8, AT_FDCWD, "."),
      CALL(fanotify_mark, 999, 0x10 | 1, 1, 5, nullptr);
  std::uint64_t bits[2] = {1, 0}, head = 0, length = 0;
  int mode = 0;
  CALL(get_mempolicy, &mode, bits, 64, nullptr, 0), CALL(get_mempolicy, &mode, nullptr, 0, nullptr, 1);
  CALL(mbind, nowhere, 4096, 2, bits, 64, 1), CALL(mbind, nowhere, 4096, 0, nullptr, 0, 0),
      CALL(migrate_pages, 999999, 64, bits, bits);
  CALL(set_mempolicy_home_node, nowhere, 4096, 0, 0), CALL(move_pages, 999999, 0, nullptr, nullptr, nullptr, 2);
  CALL(get_robust_list, 0, &head, &length), CALL(get_robust_list, 999999, &head, &length);
  const int own = ::getpid();
  for (int type = 0; type < 7; ++type) CALL(kcmp, own, own, type, 1, 2);
  struct {
    unsigned bytes;
    int type;
    unsigned char of[128];
  } handle{128, 0, {}};
  int mount = 0;
  CALL(name_to_handle_at, AT_FDCWD, ".", &handle, &mount, 0), CALL(open_by_handle_at, 999, &handle, O_RDONLY);
  handle.bytes = 0, CALL(name_to_handle_at, AT_FDCWD, ".", &handle, &mount, AT_EMPTY_PATH),
  CALL(name_to_handle_at, AT_FDCWD, "missing", &handle, &mount, 0);
  CALL(pidfd_getfd, 999, 1, 0), CALL(pidfd_send_signal, 999, SIGTERM, nullptr, 0), CALL(process_mrelease, 999, 0);
  char from[] = "memory of a process that is read by itself", to[64] = "";
  iovec local{to, 10}, remote{from, sizeof from};
  CALL(process_vm_readv, own, &local, 1, &remote, 1, 0), CALL(process_vm_writev, own, &local, 1, &remote, 1, 0);
  CALL(process_vm_readv, 999999, &local, 1, &remote, 1, 0);
  unsigned format = 0;
  CALL(quotactl, 0x80000400, "/missing", 0, &format), CALL(quotactl, 0x80000100, nullptr, 0, nullptr),
      CALL(reboot, 1, 2, 3, nullptr);
  CALL(reboot, 0xfee1dead, 5, 0x1234567, nullptr);
  const long key = CALL(add_key, "user", "genesys", "payload", 7, -3);
  CALL(request_key, "user", "genesys-none", nullptr, -3), CALL(keyctl, 0, -3, 0), CALL(keyctl, 11, key, to, 64),
      CALL(keyctl, 6, key, to, 64);
  CALL(keyctl, 2, key, "other", 5), CALL(keyctl, 3, key), CALL(keyctl, 9, key, -3), CALL(keyctl, 7, 5),
      CALL(keyctl, 15, 5, 10);
  struct {
    unsigned size, policy;
    std::uint64_t flags;
    int nice;
    unsigned priority;
    std::uint64_t runtime, deadline, period;
    unsigned least, most;
  } attributes{56, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  sched_param parameters{1};
  CALL(sched_setattr, 999999, &attributes, 0), CALL(sched_getattr, 0, &attributes, 56, 0),
      CALL(sched_getattr, 999999, &attributes, 56, 0);
  CALL(sched_setparam, 999999, &parameters), CALL(ioprio_set, 1, 999999, 0);
  CALL(sethostname, nowhere, 5), CALL(setdomainname, nowhere, 5), CALL(setgroups, 100000, nullptr),
      CALL(setregid, -1, -1), CALL(setresgid, -1, -1, -1);
  timespec time{5, 6};
  CALL(settimeofday, nullptr, nullptr), CALL(clock_settime, 99, &time);
#ifdef SYS_ustat
  CALL(ustat, 0, to), CALL(sysfs, 3), CALL(inotify_init);
#endif
  CALL(userfaultfd, O_CLOEXEC | O_NONBLOCK), CALL(memfd_secret, 0), CALL(memfd_secret, 5);
  CALL(landlock_create_ruleset, nullptr, 0, 1);
  std::uint64_t handled = 0x1f;
  const long rules = CALL(landlock_create_ruleset, &handled, 8, 0);
  struct [[gnu::packed]] {
    std::uint64_t allowed;
    int fd;
  } beneath{4, 999};
  CALL(landlock_add_rule, rules, 1, &beneath, 0), CALL(landlock_add_rule, 999, 1, &beneath, 0);
  const long system = CALL(fsopen, "tmpfs", 1);
  CALL(fsopen, "missing", 2), CALL(fsconfig, system, 1, "size", "1m", 0),
      CALL(fsconfig, system, 0, "missing", nullptr, 0);
  CALL(fsconfig, system, 2, "data", "bytes", 5), CALL(fsconfig, system, 6, nullptr, nullptr, 0),
      CALL(fsmount, 999, 1, 2 | 8);
  CALL(fspick, AT_FDCWD, "/missing", 1 | 2), CALL(open_tree, AT_FDCWD, "/missing", 1 | 0x80000 | 0x8000);
  CALL(move_mount, AT_FDCWD, "/missing", AT_FDCWD, "/missing", 1 | 0x40);
  std::uint64_t change[4] = {1, 0, 0, 0};
  CALL(mount_setattr, AT_FDCWD, "/missing", 0x8000, change, 32);
  CALL(finit_module, 999, "", 0), CALL(delete_module, "missing", O_NONBLOCK), CALL(mq_notify, 999, nullptr);
  siginfo_t info{};
  info.si_code = SI_QUEUE, info.si_signo = SIGUSR1;
  CALL(rt_sigqueueinfo, 999999, SIGUSR1, &info), CALL(rt_tgsigqueueinfo, 999999, 999999, SIGUSR1, &info),
      CALL(futex_waitv, nullptr, 0, 0, nullptr, 1);
  CALL(cachestat, 999, bits, nowhere, 0), CALL(listxattrat, AT_FDCWD, "missing", 0, to, 64),
      CALL(removexattrat, AT_FDCWD, "missing", 0, "user.x");
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  options.full = count > 3;
  std::FILE* const out = std::fopen(words[2], "w");
  if (out == nullptr || ::chdir(words[1]) != 0) return 2;
  texts.reserve(100000);
  for (void (*each)() : {files, fcntls, times, waits, memory, sockets, processes, ipc, others}) each();
  for (const std::string& text : texts) std::fprintf(out, "%s\n", text.c_str());
  std::fclose(out);
  return 0;
}
