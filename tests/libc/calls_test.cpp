// SPDX-License-Identifier: Apache-2.0
// System calls of the C library for kernels: results, errno, and the forms with and without `os`.
#include <algorithm>
#include <set>

#include "contract.h"
#include "genesys/posix.h"
#include "genesys/stdio.h"
#include "texts.h"

namespace {

using contract::on_device;
using contract::play;
using contract::shared_runtime;
using contract::u32;
namespace posix = genesys::posix;

#define CHECK(condition) bad += (condition) ? 0 : __LINE__ * 1000 + 1

struct files {
  GENESYS_KERNEL void operator()(genesys::os os, const char* folder, u32* wrong) const {
    posix::library c(os);
    u32 bad = 0;
    CHECK(posix::chdir(folder) == 0);
    const int fd = posix::open("one", O_RDWR | O_CREAT | O_EXCL, 0600);
    CHECK(fd >= 0);
    CHECK(posix::open("one", O_RDWR | O_CREAT | O_EXCL, 0600) == -1 && posix::error_number() == EEXIST);
    CHECK(posix::write(fd, "0123456789", 10) == 10);
    CHECK(posix::lseek(fd, 4, SEEK_SET) == 4);
    char text[16] = {};
    CHECK(posix::read(fd, text, 3) == 3 && text[0] == '4' && text[2] == '6');
    CHECK(posix::pread(os, fd, text, 16, 8) == 2 && text[1] == '9');
    struct stat about {};
    CHECK(posix::fstat(fd, &about) == 0 && about.st_size == 10 && (about.st_mode & 0777) == 0600);
    CHECK(posix::ftruncate(fd, 5) == 0 && posix::stat("one", &about) == 0 && about.st_size == 5);
    CHECK((posix::fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR);
    CHECK(posix::fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && posix::fcntl(fd, F_GETFD) == FD_CLOEXEC);
    CHECK(posix::fcntl(fd, 12345) == -1 && posix::error_number() == EINVAL);
    CHECK(posix::fcntl(fd, F_SETSIG, SIGUSR1) == 0 && posix::fcntl(fd, F_GETSIG) == SIGUSR1);
    CHECK(posix::fcntl(fd, F_SETOWN, posix::getpid()) == 0 && posix::fcntl(fd, F_GETOWN) == posix::getpid());
    const long group = os.getpgid(0);
    CHECK(posix::fcntl(fd, F_SETOWN, -group) == 0 && posix::fcntl(fd, F_GETOWN) == -group);
    CHECK(posix::fcntl(fd, F_SETOWN, 0) == 0 && posix::fcntl(fd, F_GETOWN) == 0);
    CHECK(posix::fcntl(fd, F_GETLEASE) == F_UNLCK && posix::fcntl(fd, F_SETLEASE, 77) == -1);
    CHECK(posix::fcntl(fd, F_NOTIFY, DN_CREATE) == -1 && posix::error_number() == ENOTDIR);
    const int sealed = static_cast<int>(os.memfd_create("sealed", MFD_ALLOW_SEALING));
    CHECK(posix::fcntl(sealed, F_ADD_SEALS, F_SEAL_GROW) == 0 && posix::fcntl(sealed, F_GET_SEALS) == F_SEAL_GROW);
    CHECK(posix::close(sealed) == 0);
    int ends[2];
    CHECK(posix::pipe(ends) == 0 && posix::fcntl(ends[0], F_SETPIPE_SZ, 8192) == 8192);
    CHECK(posix::fcntl(ends[1], F_GETPIPE_SZ) == 8192 && posix::close(ends[0]) == 0 && posix::close(ends[1]) == 0);
    const int other = posix::dup(fd);
    CHECK(other >= 0 && other != fd && posix::close(other) == 0);
    CHECK(posix::close(other) == -1 && posix::error_number() == EBADF);
    CHECK(posix::isatty(fd) == 0 && posix::error_number() == ENOTTY);
    CHECK(posix::mkdir("sub", 0700) == 0 && posix::rename("one", "sub/two") == 0);
    CHECK(posix::access("one", F_OK) == -1 && posix::error_number() == ENOENT && posix::access("sub/two", R_OK) == 0);
    CHECK(posix::symlink("sub/two", "link") == 0);
    CHECK(posix::readlink("link", text, sizeof text) == 7 && text[0] == 's' && text[6] == 'o');
    CHECK(posix::lstat("link", &about) == 0 && S_ISLNK(about.st_mode));
    CHECK(posix::rmdir("sub") == -1 && posix::error_number() == ENOTEMPTY);
    CHECK(posix::unlink("sub/two") == 0 && posix::rmdir("sub") == 0 && posix::unlink("link") == 0);
    CHECK(posix::close(fd) == 0);
    char path[400];
    CHECK(posix::getcwd(path, sizeof path) == path && path[0] == '/');
    CHECK(posix::getcwd(path, 1) == nullptr && posix::error_number() == ERANGE);
    CHECK(posix::getcwd(path, 0) == nullptr && posix::error_number() == EINVAL);
    CHECK(posix::getpid() == posix::getpid(os) && posix::getpid() > 0);
    *wrong = bad;
  }
};

TEST(Calls, FilesAsPosixHasThem) {
  const contract::folder folder;
  const std::string before = std::filesystem::current_path();
  const auto path = on_device_text(folder.path());
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {1}}, files{}, static_cast<const char*>(path.get()), wrong.get());
  std::filesystem::current_path(before);
  EXPECT_EQ(wrong.take()[0], 0u);
}

struct more_of_files {
  // A lock that is not of the process is on the first byte of `locked`.
  GENESYS_KERNEL static u32 locks() {
    u32 bad = 0;
    const int fd = posix::open("locked", O_RDWR);
    CHECK(posix::lockf(fd, F_TEST, 0) == -1 && posix::error_number() == EACCES);
    CHECK(posix::lockf(fd, F_TLOCK, 1) == -1 && posix::error_number() == EAGAIN);
    struct flock first {};
    first.l_type = F_WRLCK, first.l_len = 1;
    CHECK(posix::fcntl(fd, F_OFD_SETLK, &first) == -1 && posix::error_number() == EAGAIN);
    CHECK(posix::fcntl(fd, F_OFD_GETLK, &first) == 0 && first.l_type == F_WRLCK && first.l_pid == -1);
    CHECK(posix::lseek(fd, 1, SEEK_SET) == 1 && posix::lockf(fd, F_TEST, 0) == 0 && posix::lockf(fd, F_TLOCK, 5) == 0);
    CHECK(posix::lockf(fd, F_LOCK, 5) == 0 && posix::lockf(fd, F_ULOCK, 0) == 0);
    CHECK(posix::lockf(fd, 99, 0) == -1 && posix::error_number() == EINVAL);
    CHECK(posix::lockf(-1, F_LOCK, 0) == -1 && posix::error_number() == EBADF && posix::close(fd) == 0);
    return bad;
  }
  GENESYS_KERNEL static u32 names(genesys::os os, const char* name) {
    u32 bad = 0;
    char text[65] = {};
    CHECK(posix::gethostname(text, sizeof text) == 0 && posix::strcmp(text, name) == 0);
    CHECK(posix::gethostname(os, text, 1) == -1 && posix::error_number() == ENAMETOOLONG);
    CHECK(posix::getentropy(text, 65) == 0 && posix::getentropy(os, text, 0) == 0);
    CHECK(posix::getentropy(text, 257) == -1 && posix::error_number() == EIO);
    return bad;
  }
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, const char* name, u32* wrong) const {
    posix::library c(os);
    u32 bad = 0;
    const int folder = posix::open(path, O_RDONLY | O_DIRECTORY);
    CHECK(posix::fchdir(folder) == 0);
    wrong[1] = locks();
    wrong[2] = names(os, name);
    struct stat about {
    }, other{};
    CHECK(posix::mkfifoat(folder, "fifo", 0600) == 0 && posix::stat("fifo", &about) == 0 && S_ISFIFO(about.st_mode));
    CHECK(posix::linkat(folder, "fifo", AT_FDCWD, "second", 0) == 0 && posix::stat("second", &other) == 0 &&
          other.st_ino == about.st_ino);
    CHECK(posix::renameat(folder, "second", folder, "third") == 0 && posix::access("second", F_OK) == -1);
    CHECK(posix::symlinkat("third", folder, "link") == 0 &&
          posix::lchown("link", posix::getuid(), posix::getgid()) == 0);
    CHECK(posix::fchownat(folder, "third", posix::getuid(), posix::getgid(), 0) == 0);
    CHECK(posix::fchownat(folder, "none", 0, 0, 0) == -1 && posix::error_number() == ENOENT);
    const int fd = posix::open("locked", O_RDWR);
    const struct timespec times[2] = {{1000, 0}, {2000, 7}};
    CHECK(posix::futimens(fd, times) == 0 && posix::fstat(fd, &about) == 0);
    CHECK(about.st_atim.tv_sec == 1000 && about.st_mtim.tv_sec == 2000 && about.st_mtim.tv_nsec == 7);
    CHECK(posix::utimensat(fd, nullptr, times, 0) == -1 && posix::error_number() == EINVAL);
    CHECK(posix::futimens(AT_FDCWD, times) == -1 && posix::error_number() == EBADF);
    CHECK(posix::close(fd) == 0 && posix::close(folder) == 0);
    wrong[0] = bad;
  }
};

TEST(Calls, LinksLocksAndNames) {
  const contract::folder folder;
  const std::string before = std::filesystem::current_path();
  (void)contract::made_file(folder, "locked", "0123456789");
  const int file = ::open((folder / "locked").c_str(), O_RDWR);
  struct flock first {};
  first.l_type = F_WRLCK, first.l_len = 1;
  ASSERT_EQ(::fcntl(file, F_OFD_SETLK, &first), 0);
  char text[65] = {};
  ASSERT_EQ(::gethostname(text, sizeof text), 0);
  const auto path = on_device_text(folder.path()), name = on_device_text(text);
  on_device<u32> wrong(shared_runtime(), 3);
  play(shared_runtime(), {.threads = {1}}, more_of_files{}, static_cast<const char*>(path.get()),
       static_cast<const char*>(name.get()), wrong.get());
  std::filesystem::current_path(before);
  ::close(file);
  EXPECT_EQ(wrong.take(), std::vector<u32>(3));
}

// One thread of a block asks, and all get the result.
struct name_for_a_block {
  struct text {
    char of[65];
  };
  GENESYS_KERNEL void operator()(genesys::os os, const char* name, u32* wrong) const {
    posix::library c(os);
    char* const into = genesys::shared<text>().of;
    u32 bad = 0;
    CHECK(posix::gethostname(os.on(genesys::block()), into, sizeof(text)) == 0);
    if (genesys::thread_rank() == 0) {
      CHECK(posix::strcmp(into, name) == 0);
      posix::strcpy(into, "mine");  // no other thread writes the name again
    }
    genesys::sync_block();
    CHECK(posix::strcmp(into, "mine") == 0);
    genesys::sync_block();
    const bool is_short = posix::getcwd(os.on(genesys::block()), into, sizeof(text)) == nullptr;
    if (genesys::thread_rank() == 0) into[0] = 0;  // no other thread looks at the path again
    CHECK(!is_short || posix::error_number() == ERANGE);
    char own[65] = {};
    CHECK(posix::gethostname(os.on(genesys::block()), own, sizeof own) == 0 && posix::strcmp(own, name) == 0);
    CHECK(posix::gethostname(os.on(genesys::block()), into, 0) == -1 && posix::error_number() == ENAMETOOLONG);
    CHECK(posix::lockf(os.on(genesys::block()), -1, F_TEST, 0) == -1 && posix::error_number() == EBADF);
    wrong[genesys::thread_rank()] = bad;
  }
};

TEST(Calls, ABlockGetsTheNameOfTheHost) {
  char text[65] = {};
  ASSERT_EQ(::gethostname(text, sizeof text), 0);
  const auto name = on_device_text(text);
  on_device<u32> wrong(shared_runtime(), 40);
  play(shared_runtime(), {.threads = {40}}, name_for_a_block{}, static_cast<const char*>(name.get()), wrong.get());
  EXPECT_EQ(wrong.take(), std::vector<u32>(40));
}

// 5 MiB in device memory, which a call would have to stage.
struct much_data {
  static constexpr std::size_t bytes = 5 << 20;
  GENESYS_KERNEL static bool is_marked(const unsigned char* data, std::size_t count) {
    for (std::size_t at = 0; at < count; at += 4099) {
      if (data[at] != static_cast<unsigned char>(at / 4099 % 251 + 1)) return false;
    }
    return true;
  }
  GENESYS_KERNEL static u32 by_descriptor(unsigned char* data) {
    u32 bad = 0;
    const int fd = posix::open("much", O_RDWR);
    posix::memset(data, 0, bytes);
    std::size_t done = 0;
    for (ssize_t n; (n = posix::read(fd, data + done, bytes - done)) > 0;) done += static_cast<std::size_t>(n);
    CHECK(done == bytes && is_marked(data, bytes));
    CHECK(posix::write(fd, data, bytes) >= 1 << 20 && posix::close(fd) == 0);
    CHECK(posix::getrandom(data, bytes, 0) >= 1 << 20);
    int ends[2];
    CHECK(posix::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    const ssize_t sent = posix::send(ends[0], data, bytes, MSG_DONTWAIT);
    CHECK(sent > 0 && posix::recv(ends[1], data, bytes, 0) > 0);
    CHECK(posix::close(ends[0]) == 0 && posix::close(ends[1]) == 0);
    CHECK(posix::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
    CHECK(posix::send(ends[0], data, bytes, MSG_DONTWAIT) == -1 && posix::error_number() == EMSGSIZE);
    CHECK(posix::write(ends[0], data, 3) == 3 && posix::recv(ends[1], data, bytes, 0) == 3);
    CHECK(posix::close(ends[0]) == 0 && posix::close(ends[1]) == 0);
    return bad;
  }
  GENESYS_KERNEL static u32 by_stream(unsigned char* data) {
    u32 bad = 0;
    for (std::size_t at = 0; at < bytes; at += 4099) data[at] = static_cast<unsigned char>(at / 4099 % 251 + 1);
    posix::FILE* const to = posix::fopen("much", "w");
    CHECK(posix::fwrite(data, 1, bytes, to) == bytes && posix::fclose(to) == 0);
    posix::memset(data, 0, bytes);
    posix::FILE* const from = posix::fopen("much", "r");
    CHECK(posix::fread(data, 1, bytes, from) == bytes && is_marked(data, bytes));
    CHECK(posix::fgetc(from) == EOF && posix::feof(from) && posix::fclose(from) == 0);
    return bad;
  }
  GENESYS_KERNEL void operator()(genesys::os os, const char* folder, u32* wrong) const {
    posix::library c(os);
    const auto together = os.on(genesys::block());
    auto* const data = static_cast<unsigned char*>(posix::malloc(together, bytes));
    u32 bad = 0;
    CHECK(posix::chdir(together, folder) == 0 && data != nullptr);
    if (genesys::thread_rank() == 0 && data != nullptr) bad += by_stream(data) + by_descriptor(data);
    genesys::sync_block();
    const int fd = posix::open(together, "much", O_RDONLY);
    const ssize_t read = posix::read(together, fd, data, bytes);
    CHECK(read >= 1 << 20 && is_marked(data, static_cast<std::size_t>(read)));
    genesys::sync_block();
    // Not all threads know the result: it stays that of one call.
    CHECK(posix::write(together.relaxed(), fd, data, bytes) == -1);
    CHECK(posix::error_number() == ENOBUFS || posix::error_number() == EINPROGRESS);
    genesys::sync_block();
    CHECK(posix::close(together, fd) == 0);
    if (genesys::thread_rank() == 0) posix::free(data);
    wrong[genesys::thread_rank()] = bad;
  }
};

TEST(Calls, MoreThanOneCallStages) {
  const contract::folder folder;
  const std::string before = std::filesystem::current_path();
  const auto path = on_device_text(folder.path());
  on_device<u32> wrong(shared_runtime(), 40);
  play(shared_runtime(), {.threads = {40}}, much_data{}, static_cast<const char*>(path.get()), wrong.get());
  std::filesystem::current_path(before);
  EXPECT_EQ(wrong.take(), std::vector<u32>(40));
}

struct memory_time_and_sockets {
  GENESYS_KERNEL void operator()(genesys::os os, u32* wrong) const {
    posix::library c(os);
    u32 bad = 0;
    void* const at = posix::mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(at != MAP_FAILED);
    if (at != MAP_FAILED) static_cast<char*>(at)[8191] = 1;
    CHECK(posix::posix_madvise(at, 8192, POSIX_MADV_DONTNEED) == 0 && static_cast<char*>(at)[8191] == 1);
    CHECK(posix::posix_madvise(at, 8192, POSIX_MADV_SEQUENTIAL) == 0);
    CHECK(posix::posix_madvise(static_cast<char*>(at) + 1, 1, POSIX_MADV_NORMAL) == EINVAL);
    CHECK(posix::munmap(at, 8192) == 0);
    CHECK(posix::mmap(nullptr, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED &&
          posix::error_number() == EINVAL);
    const time_t now = posix::time(nullptr);
    struct timespec exact {};
    CHECK(posix::clock_gettime(CLOCK_REALTIME, &exact) == 0 && exact.tv_sec - now <= 1 && now > 1'600'000'000);
    CHECK(posix::usleep(1000) == 0);
    const struct timespec moment { 0, 1000 };
    CHECK(posix::clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, nullptr) == 0);
    CHECK(posix::clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &moment, nullptr) == 0);
    CHECK(posix::clock_nanosleep(12345, 0, &moment, nullptr) == EINVAL);
    int ends[2];
    CHECK(posix::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    struct pollfd ready {
      ends[0], POLLIN, 0
    };
    CHECK(posix::poll(&ready, 1, 0) == 0);
    fd_set in;
    FD_ZERO(&in);
    FD_SET(ends[0], &in);
    struct timeval limit {
      0, 1000
    };
    CHECK(posix::select(ends[0] + 1, &in, nullptr, nullptr, &limit) == 0 && !FD_ISSET(ends[0], &in));
    FD_SET(ends[0], &in);
    fd_set out = in;
    CHECK(posix::select(ends[0] + 1, &in, &out, nullptr, nullptr) == 1 && FD_ISSET(ends[0], &out));
    CHECK(!FD_ISSET(ends[0], &in) && posix::select(-1, &in, nullptr, nullptr, &limit) == -1);
    CHECK(posix::send(ends[1], "hello", 5, 0) == 5);
    CHECK(posix::poll(&ready, 1, 1000) == 1 && (ready.revents & POLLIN) != 0);
    char text[8];
    CHECK(posix::recv(ends[0], text, sizeof text, 0) == 5 && text[4] == 'o');
    CHECK(posix::shutdown(ends[1], SHUT_RDWR) == 0 && posix::recv(ends[0], text, 8, 0) == 0);
    CHECK(posix::send(ends[0], "x", 1, MSG_NOSIGNAL) == -1 && posix::error_number() == EPIPE);
    CHECK(posix::close(ends[0]) == 0 && posix::close(ends[1]) == 0);
    CHECK(posix::kill(posix::getpid(), 0) == 0 && posix::kill(posix::getpid(), 9999) == -1);
    *wrong = bad;
  }
};

TEST(Calls, MemoryTimeAndSockets) {
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {1}}, memory_time_and_sockets{}, wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
}

struct count_entries {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, u32* found) const {
    posix::library c(os);
    posix::DIR* const folder = posix::opendir(path);
    if (folder == nullptr) return;
    u32 sum = 0, entries = 0;
    for (int twice = 0; twice < 2; ++twice) {
      while (const struct dirent* one = posix::readdir(folder)) {
        ++entries;
        if (one->d_name[0] == 'f') {
          for (int i = 1; one->d_name[i] != 0; ++i)
            sum = sum * (i == 1 ? 1 : 1) + static_cast<u32>(one->d_name[i] - '0');
        }
      }
      posix::rewinddir(folder);
    }
    found[0] = entries;
    found[1] = sum;
    found[2] = static_cast<u32>(posix::closedir(folder));
    found[3] = posix::opendir("/nonexistent") == nullptr ? static_cast<u32>(posix::error_number()) : 0;
  }
};

TEST(Calls, FoldersAreReadWhole) {
  const contract::folder folder;
  u32 sum = 0;
  for (int i = 0; i < 500; ++i) {
    (void)contract::made_file(folder, "f" + std::to_string(i), "");
    for (char c : std::to_string(i)) sum += static_cast<u32>(c - '0');
  }
  const auto path = on_device_text(folder.path());
  on_device<u32> found(shared_runtime(), 4);
  play(shared_runtime(), {.threads = {1}}, count_entries{}, static_cast<const char*>(path.get()), found.get());
  EXPECT_EQ(found.take(), (std::vector<u32>{2 * 502, 2 * sum, 0, ENOENT}));
}

struct places_in_a_folder {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, u32* wrong) const {
    posix::library c(os);
    u32 bad = 0;
    posix::DIR* const folder = posix::opendir(path);
    if (folder == nullptr) {
      *wrong = 1;
      return;
    }
    CHECK(posix::telldir(folder) == 0);
    for (int i = 0; i < 200; ++i) CHECK(posix::readdir(folder) != nullptr);
    const long place = posix::telldir(folder);
    char name[8];
    posix::strlcpy(name, posix::readdir(folder)->d_name, sizeof name);
    while (posix::readdir(folder) != nullptr) {
    }
    posix::seekdir(folder, place);
    CHECK(posix::telldir(folder) == place && posix::strcmp(posix::readdir(folder)->d_name, name) == 0);
    CHECK(posix::closedir(folder) == 0);
    *wrong = bad;
  }
};

TEST(Calls, AFolderHasPlaces) {
  const contract::folder folder;
  for (int i = 0; i < 500; ++i) (void)contract::made_file(folder, "f" + std::to_string(i), "");
  const auto path = on_device_text(folder.path());
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {1}}, places_in_a_folder{}, static_cast<const char*>(path.get()), wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
}

GENESYS_KERNEL int begins_with_f(const struct dirent* entry) { return entry->d_name[0] == 'f'; }

struct entry_name {
  char of[8];
};

struct sorted_entries {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, entry_name* names, u32* wrong) const {
    posix::library c(os);
    u32 bad = 0;
    struct dirent** all = nullptr;
    const int count = posix::scandir(path, &all, begins_with_f, posix::alphasort);
    CHECK(count == 300 && errno == 0);
    for (int i = 0; i < count; ++i) {
      if (i < 300) posix::strlcpy(names[i].of, all[i]->d_name, sizeof names[i]);
      posix::free(all[i]);
    }
    posix::free(all);
    CHECK(posix::scandir(os, path, &all, nullptr, nullptr) == 303);
    for (int i = 0; i < 303; ++i) posix::free(all[i]);
    posix::free(all);
    CHECK(posix::scandir("/nonexistent", &all, nullptr, nullptr) == -1 && errno == ENOENT);
    *wrong = bad;
  }
};

TEST(Calls, AFolderIsReadAtOnceAndSorted) {
  const contract::folder folder;
  (void)contract::made_file(folder, "other", "");
  std::vector<std::string> wanted;
  for (int i = 0; i < 300; ++i) (void)contract::made_file(folder, wanted.emplace_back("f" + std::to_string(i)), "");
  std::sort(wanted.begin(), wanted.end());
  const auto path = on_device_text(folder.path());
  on_device<entry_name> names(shared_runtime(), 300);
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {1}}, sorted_entries{}, static_cast<const char*>(path.get()), names.get(),
       wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
  const auto found = names.take();
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(found[i].of, wanted[i]);
}

// Each thread has its own errno, and a call of the block gives it to all threads.
struct own_errors {
  GENESYS_KERNEL void operator()(genesys::os os, int* numbers) const {
    posix::library c(os);
    const u32 me = genesys::thread_rank();
    numbers[me] = posix::error_number();
    if (me % 2 == 0) (void)posix::close(-1);
    if (me % 4 == 1) (void)posix::open("/nonexistent", O_RDONLY);
    numbers[64 + me] = posix::error_number();
    genesys::sync_block();
    (void)posix::read(os.on(genesys::block()), -1, numbers, 1);
    numbers[128 + me] = posix::error_number();
  }
};

TEST(Calls, EachThreadHasItsErrno) {
  on_device<int> numbers(shared_runtime(), 192);
  play(shared_runtime(), {.threads = {64}}, own_errors{}, numbers.get());
  const auto all = numbers.take();
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(all[static_cast<std::size_t>(i)], 0);
    EXPECT_EQ(all[static_cast<std::size_t>(64 + i)], i % 2 == 0 ? EBADF : i % 4 == 1 ? ENOENT : 0);
    EXPECT_EQ(all[static_cast<std::size_t>(128 + i)], EBADF);
  }
}

}  // namespace
