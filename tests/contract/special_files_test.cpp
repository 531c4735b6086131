// SPDX-License-Identifier: Apache-2.0
// Files that are not on a disk: terminals, pipes, /dev, /proc, /sys.
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>

#include <algorithm>
#include <fstream>

#include "contract.h"

namespace contract {
namespace {

// --- A terminal: the kernel is at one end, the test at the other.

struct at_the_terminal {
  static constexpr u32 steps = 13, line_bytes = 64;
  GENESYS_KERNEL void operator()(genesys::os os, const char* name, long* values, char* lines) const {
    char buffer[line_bytes];
    const int fd = static_cast<int>(values[0] = os.openat(AT_FDCWD, name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    values[1] = os.read(fd, buffer, line_bytes);  // waits for a line
    keep(lines, buffer, values[1]);
    values[2] = os.write(fd, "kernel\n", 7);
    struct winsize size {};
    values[3] = os.ioctl<TIOCGWINSZ>(fd, &size);
    values[4] = size.ws_row * 1000 + size.ws_col;
    int waiting = 0;
    genesys::linux_termios settings{};
    values[5] = os.ioctl<TCGETS>(fd, &settings);
    values[6] = os.read(fd, buffer, line_bytes);  // Ctrl-D on an empty line gives the end of the file
    settings.c_lflag &= ~static_cast<unsigned>(ICANON | ECHO);
    values[7] = os.ioctl<TCSETS>(fd, &settings);
    values[8] = os.write(fd, "raw\n", 4);
    values[9] = os.read(fd, buffer, 2);  // without the end of a line
    keep(lines + line_bytes, buffer, values[9]);
    values[10] = os.ioctl<FIONREAD>(fd, &waiting);
    values[11] = waiting;
    values[12] = os.read(fd, buffer, line_bytes);
    keep(lines + 2 * line_bytes, buffer, values[12]);
  }
  GENESYS_KERNEL static void keep(char* to, const char* from, long bytes) {
    for (long i = 0; i < bytes; ++i) to[i] = from[i];
  }
};

// What the master end shows, until it is as long as expected.
std::string seen_at(int master, std::size_t bytes) {
  std::string text;
  eventually([&] {
    char some[256];
    const ssize_t n = ::read(master, some, sizeof some);
    if (n > 0) text.append(some, static_cast<std::size_t>(n));
    return text.size() >= bytes;
  });
  return text;
}

TEST(Terminal, KernelReadsLinesAndSettings) {
  runtime& rt = shared_runtime();
  const descriptor master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  if (master.get() < 0 || ::grantpt(master.get()) != 0 || ::unlockpt(master.get()) != 0)
    GTEST_SKIP() << "no pseudo-terminals here";
  char path[64];
  ASSERT_EQ(::ptsname_r(master.get(), path, sizeof path), 0);
  const descriptor held(::open(path, O_RDWR | O_NOCTTY | O_CLOEXEC));  // keeps the terminal open
  ASSERT_GE(held.get(), 0);
  const winsize size{24, 80, 0, 0};
  ASSERT_EQ(::ioctl(master.get(), TIOCSWINSZ, &size), 0);
  in_arena<char> name(rt, sizeof path);
  std::memcpy(name.get(), path, sizeof path);
  in_arena<long> values(rt, at_the_terminal::steps);
  in_arena<char> lines(rt, 3 * at_the_terminal::line_bytes);
  auto parked = rt.stats().parked;
  const auto type = [&](const std::string& text) {
    EXPECT_TRUE(eventually([&] { return rt.stats().parked > parked; })) << "nobody waits at the terminal";
    parked = rt.stats().parked;
    EXPECT_EQ(::write(master.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  };
  {
    launched run = start(rt, {}, at_the_terminal{}, static_cast<const char*>(name.get()), values.get(), lines.get());
    type("hellp\x7fo\n");  // the terminal corrects the line before it is read
    EXPECT_EQ(seen_at(master.get(), 19), "hellp\b \bo\r\nkernel\r\n");
    type("\x04");
    EXPECT_EQ(seen_at(master.get(), 5), "raw\r\n");
    type("12345");
  }
  EXPECT_EQ(seen_at(master.get(), 0), "");  // no echo
  EXPECT_GE(values[0], 0);
  const long expected[] = {6, 7, 0, 24080, 0, 0, 0, 4, 2, 0, 3, 3};
  for (std::size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(values[i + 1], expected[i]) << i + 1;
  EXPECT_EQ(std::string(lines.get(), 6), "hello\n");
  EXPECT_EQ(std::string(lines.get() + at_the_terminal::line_bytes, 2), "12");
  EXPECT_EQ(std::string(lines.get() + 2 * at_the_terminal::line_bytes, 3), "345");
  ::close(static_cast<int>(values[0]));
}

// --- Pipes.

struct at_broken_ends {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, int socket, long* values) const {
    long* v = values + (genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank()) * 3u;
    v[0] = os.write(pipe, "x", 1);
    v[1] = os.sendto(socket, "x", 1);
    v[2] = os.getppid();
  }
};

// A native process would get SIGPIPE here.
TEST(Pipes, ThatBrokeGiveAnError) {
  runtime& rt = shared_runtime();
  pipe_ends pipe = made_pipe();
  pipe.out.close();
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const descriptor socket(ends[0]);
  ::close(ends[1]);
  in_arena<long> values(rt, 64 * 3);
  play(rt, {.blocks = {2}, .threads = {32}}, at_broken_ends{}, pipe.in.get(), socket.get(), values.get());
  for (u32 i = 0; i < 64; ++i) {
    EXPECT_EQ(values[i * 3], -EPIPE);
    EXPECT_EQ(values[i * 3 + 1], -EPIPE);
    EXPECT_EQ(values[i * 3 + 2], ::getppid());
  }
}

// A block makes a pipe, duplicates it over another descriptor, and reads what it writes there.
struct redirect {
  GENESYS_KERNEL void operator()(genesys::os os, int place, long* values, char* heard) const {
    using namespace genesys;
    int ends[2] = {-1, -1};
    const auto io = os.on(block());
    long v[6];
    v[0] = io.pipe2(ends, O_CLOEXEC);
    v[1] = io.syscall(SYS_dup3, ends[1], place, O_CLOEXEC) - place;
    v[2] = io.write(place, "through", 7);
    v[3] = io.close(ends[1]);
    char* buffer = shared<char[16]>();
    v[4] = io.read(ends[0], buffer, 16);
    v[5] = io.close(ends[0]);
    for (u32 i = 0; i < 6; ++i) values[thread_rank() * 6 + i] = v[i];
    if (thread_rank() == 0) {
      for (u32 i = 0; i < 7; ++i) heard[i] = buffer[i];
    }
  }
};

TEST(Pipes, InThePlaceOfAFile) {
  runtime& rt = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "file", "");
  in_arena<long> values(rt, 64 * 6);
  in_arena<char> heard(rt, 7);
  play(rt, {.blocks = {1}, .threads = {64}}, redirect{}, file.get(), values.get(), heard.get());
  const long expected[] = {0, 0, 7, 0, 7, 0};
  for (u32 i = 0; i < 64 * 6; ++i) EXPECT_EQ(values[i], expected[i % 6]) << i;
  EXPECT_EQ(std::string(heard.get(), 7), "through");
  const descriptor again(::open((in / "file").c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(content_of(again.get()), "");
}

// --- /proc, /sys, /dev.

// Reads a file to its end, some bytes at a time, as one block; and by position.
struct read_whole {
  GENESYS_KERNEL void operator()(genesys::os os, const char* name, u32 piece, char* text, u32 most,
                                 long* values) const {
    using namespace genesys;
    const auto io = os.on(block());
    const int fd = static_cast<int>(io.openat(AT_FDCWD, name, O_RDONLY | O_CLOEXEC));
    struct stat& about = shared<struct stat>();
    long status = io.fstat(fd, &about);
    if (status == 0) status = about.st_size;
    long done = 0, n = 1, by_position = 0;
    while (n > 0 && static_cast<u64>(done) + piece <= most) {
      n = io.read(fd, text + done, piece);
      if (n > 0) done += n;
    }
    by_position = io.pread64(fd, text + most, 10, 3);
    io.close(fd);
    if (thread_rank() == 0) values[0] = n < 0 ? n : done, values[1] = status, values[2] = by_position;
  }
};

TEST(SpecialFiles, ProcAndSys) {
  runtime& rt = shared_runtime();
  constexpr u32 most = 16 << 10;
  const auto native = [](const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  for (const char* path : {"/proc/self/status", "/proc/self/cmdline", "/proc/sys/kernel/ostype",
                           "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/devices/system/cpu/online"}) {
    const std::string expected = native(path);
    if (expected.empty()) continue;  // this system lacks it
    for (const u32 piece : {7u, 64u, 4096u}) {
      SCOPED_TRACE(std::string(path) + " by " + std::to_string(piece));
      on_device<char> text(rt, most + 16);
      in_arena<long> values(rt, 3);
      in_arena<char> name(rt, 64);
      std::strcpy(name.get(), path);
      play(rt, {.blocks = {1}, .threads = {64}}, read_whole{}, static_cast<const char*>(name.get()), piece, text.get(),
           most, values.get());
      const auto all = text.take();
      ASSERT_GT(values[0], 0);
      const std::string got(all.data(), static_cast<std::size_t>(values[0]));
      if (std::string(path) == "/proc/self/status") {
        EXPECT_EQ(values[1], 0) << "the size of a file that has none";
        EXPECT_EQ(got.substr(0, got.find('\n')), expected.substr(0, expected.find('\n')));
        EXPECT_NE(got.find("\nPid:\t" + std::to_string(::getpid()) + "\n"), std::string::npos) << got;
        EXPECT_NE(got.find("\nnonvoluntary_ctxt_switches:"), std::string::npos) << "it ends early";
      } else {
        EXPECT_EQ(got, expected);
        EXPECT_EQ(values[2], static_cast<long>(std::min<std::size_t>(
                                 10, expected.size() - std::min<std::size_t>(3, expected.size()))));
      }
    }
  }
}

struct nothing_and_zeros {
  GENESYS_KERNEL void operator()(genesys::os os, u8* memory, u32 bytes, long* values) const {
    const auto io = os.on(genesys::block());
    const int null = static_cast<int>(io.openat(AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC));
    const int zero = static_cast<int>(io.openat(AT_FDCWD, "/dev/zero", O_RDWR | O_CLOEXEC));
    const int full = static_cast<int>(io.openat(AT_FDCWD, "/dev/full", O_RDWR | O_CLOEXEC));
    long v[8];
    v[0] = io.write(null, memory, bytes);
    v[1] = io.read(null, memory, bytes);
    v[2] = io.pread64(null, memory, bytes, 5);
    v[3] = io.read(zero, memory, bytes / 2);
    v[4] = io.pread64(zero, memory + bytes / 2, bytes / 2, 1 << 30);
    v[5] = io.write(zero, memory, bytes);
    v[6] = io.write(full, memory, 1);
    v[7] = io.close(null) + io.close(zero) + io.close(full);
    if (genesys::thread_rank() == 0) {
      for (int i = 0; i < 8; ++i) values[i] = v[i];
    }
  }
};

TEST(SpecialFiles, NothingAndZeros) {
  runtime& rt = shared_runtime();
  constexpr u32 bytes = 1 << 20;
  on_device<u8> memory(rt, bytes + 1);
  in_arena<long> values(rt, 8);
  play(rt, {.blocks = {1}, .threads = {128}}, nothing_and_zeros{}, memory.get(), bytes, values.get());
  const long expected[] = {bytes, 0, 0, bytes / 2, bytes / 2, bytes, -ENOSPC, 0};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(values[i], expected[i]) << i;
  const auto all = memory.take();
  EXPECT_EQ(std::count(all.begin(), all.end(), 0), bytes);
  EXPECT_EQ(all.back(), 0xee);
}

}  // namespace
}  // namespace contract
