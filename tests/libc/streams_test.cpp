// SPDX-License-Identifier: Apache-2.0
// Streams and the heap of the C library for kernels.
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "contract.h"
#include "genesys/stdio.h"
#include "texts.h"

namespace {

using contract::on_device;
using contract::play;
using contract::shared_runtime;
using contract::u32;
namespace posix = genesys::posix;

struct fill_and_free {
  GENESYS_KERNEL void operator()(genesys::os os, u32* wrong) const {
    posix::library c(os);
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    u32 bad = 0;
    void* kept[4] = {};
    for (u32 round = 0; round < 40; ++round) {
      const u32 i = round % 4, bytes = 1 + (me * 37 + round * 101) % 3000;
      if (kept[i] != nullptr) {
        const auto* words = static_cast<u32*>(kept[i]);
        bad += words[0] != me || words[1] != round - 4;
        posix::free(kept[i]);
      }
      kept[i] = posix::malloc(bytes + 8);
      if (kept[i] == nullptr) {
        ++bad;
        continue;
      }
      bad += reinterpret_cast<std::uintptr_t>(kept[i]) % 16 != 0;
      static_cast<u32*>(kept[i])[0] = me;
      static_cast<u32*>(kept[i])[1] = round;
      static_cast<char*>(kept[i])[bytes + 7] = 1;
    }
    for (void* each : kept) posix::free(each);
    wrong[me] = bad;
  }
};

TEST(Heap, BlocksOfManyThreadsDoNotOverlap) {
  on_device<u32> wrong(shared_runtime(), 8 * 96);
  play(shared_runtime(), {.blocks = {8}, .threads = {96}}, fill_and_free{}, wrong.get());
  for (u32 each : wrong.take()) EXPECT_EQ(each, 0u);
}

struct large_and_again {
  GENESYS_KERNEL void operator()(genesys::os os, u32* wrong) const {
    posix::library c(os);
    u32 bad = 0;
    auto* large = static_cast<char*>(posix::malloc(5'000'000));
    bad += large == nullptr;
    if (large != nullptr) large[4'999'999] = 7;
    auto* larger = static_cast<char*>(posix::realloc(large, 9'000'000));
    bad += larger == nullptr || larger[4'999'999] != 7;
    posix::free(larger);
    auto* zeros = static_cast<unsigned char*>(posix::calloc(100, 7));
    for (int i = 0; zeros != nullptr && i < 700; ++i) bad += zeros[i] != 0;
    posix::free(zeros);
    bad += posix::malloc(std::size_t{1} << 60) != nullptr || posix::error_number() != ENOMEM;
    bad += posix::calloc(std::size_t{1} << 40, std::size_t{1} << 40) != nullptr;
    auto* words = static_cast<u32*>(posix::reallocarray(nullptr, 3, sizeof(u32)));
    bad += words == nullptr;
    if (words != nullptr) words[2] = 7;
    errno = 0;
    bad += posix::reallocarray(words, std::size_t{1} << 40, std::size_t{1} << 40) != nullptr || errno != ENOMEM;
    words = static_cast<u32*>(posix::reallocarray(words, 3000, sizeof(u32)));
    bad += words == nullptr || words[2] != 7;
    posix::free(words);
    *wrong = bad;
  }
};

TEST(Heap, LargeBlocksAreMappingsAndTooLargeOnesFail) {
  on_device<u32> wrong(shared_runtime(), 1);
  const auto before = shared_runtime().stats().mapped_device_bytes;
  play(shared_runtime(), {.threads = {1}}, large_and_again{}, wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_LE(shared_runtime().stats().mapped_device_bytes, before + (std::size_t{4} << 20));
}

struct for_a_scope {
  GENESYS_KERNEL void operator()(genesys::os os, u32* wrong) const {
    posix::library c(os);
    const u32 me = genesys::thread_rank();
    u32 bad = 0;
    auto* const of_block = static_cast<u32*>(posix::malloc(os.on(genesys::block()), 64 * sizeof(u32)));
    auto* const of_warp = static_cast<u32*>(posix::malloc(os.on(genesys::warp()), 32 * sizeof(u32)));
    auto* const own = static_cast<u32*>(posix::malloc(os.on(genesys::thread()), sizeof(u32)));
    of_block[me] = of_warp[me % 32] = *own = me;
    genesys::sync_block();
    bad += of_block[me ^ 33] != (me ^ 33) || of_warp[(me ^ 5) % 32] != (me ^ 5) || *own != me;
    errno = 0;
    bad += posix::malloc(os.on(genesys::block()), std::size_t{1} << 60) != nullptr || errno != ENOMEM;
    posix::free(own);
    if (me % 32 == 0) posix::free(of_warp);
    if (me == 0) posix::free(of_block);
    wrong[me] = bad;
  }
};

TEST(Heap, AScopeAllocatesOnce) {
  on_device<u32> wrong(shared_runtime(), 64);
  play(shared_runtime(), {.threads = {64}}, for_a_scope{}, wrong.get());
  for (u32 each : wrong.take()) EXPECT_EQ(each, 0u);
}

struct copy_strings {
  GENESYS_KERNEL void operator()(genesys::os os, u32* wrong) const {
    posix::library c(os);
    char text[] = "one two";
    char* const whole = posix::strdup(text);
    char* const part = posix::strndup(text, 3);
    char* const longer = posix::strndup(text, 100);
    char* const none = posix::strdup("");
    text[0] = 'X';
    *wrong = posix::strcmp(whole, "one two") != 0 || posix::strcmp(part, "one") != 0 ||
             posix::strcmp(longer, "one two") != 0 || *none != 0;
    for (char* each : {whole, part, longer, none}) posix::free(each);
  }
};

TEST(Heap, CopiesOfStrings) {
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {1}}, copy_strings{}, wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
}

struct errno_of_each {
  GENESYS_KERNEL void operator()(genesys::os os, u32* wrong) const {
    posix::library c(os);
    const int me = static_cast<int>(genesys::thread_rank());
    u32 bad = errno != 0;
    errno = 1000 + me;
    genesys::sync_block();
    bad += errno != 1000 + me || posix::error_number() != errno;
    errno = 0;
    if (me % 2 == 0) bad += posix::strtol("99999999999999999999", nullptr, 10) != LONG_MAX || errno != ERANGE;
    if (me % 2 == 1) bad += posix::open("/missing", O_RDONLY) != -1 || errno != ENOENT;
    wrong[me] = bad;
  }
};

TEST(Errno, TheMacroMeansTheThreadsOwnAndOnTheHostTheHosts) {
  on_device<u32> wrong(shared_runtime(), 64);
  play(shared_runtime(), {.threads = {64}}, errno_of_each{}, wrong.get());
  for (u32 each : wrong.take()) EXPECT_EQ(each, 0u);
  errno = 0;
  EXPECT_EQ(::open("/missing", O_RDONLY), -1);
  EXPECT_EQ(errno, ENOENT);
  errno = 0;
  EXPECT_EQ(std::strtol("99999999999999999999", nullptr, 10), LONG_MAX);
  EXPECT_EQ(errno, ERANGE);
}

struct write_lines {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, int mode, u32 bytes, u32 lines, int scope) const {
    posix::library c(os);
    posix::FILE* const to = scope == 0   ? posix::fopen(path, "a")
                            : scope == 1 ? posix::fopen(os.on(genesys::warp()), path, "a")
                                         : posix::fopen(os.on(genesys::block()), path, "a");
    if (to == nullptr) return;
    if (scope == 0) posix::setvbuf(to, nullptr, mode, bytes);
    if (scope != 0) {
      genesys::sync_block();
      if (genesys::thread_rank() % (scope == 1 ? 32 : 1024) == 0) posix::setvbuf(to, nullptr, mode, bytes);
      genesys::sync_block();
    }
    char line[200];
    for (u32 i = 0; i < lines; ++i) {
      u32 n = 0, me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
      for (u32 digit = 1000000; digit > 0; digit /= 10) line[n++] = static_cast<char>('0' + me / digit % 10);
      line[n++] = ' ';
      for (u32 digit = 1000; digit > 0; digit /= 10) line[n++] = static_cast<char>('0' + i / digit % 10);
      for (u32 more = (me + i) % 150; more > 0; --more) line[n++] = 'x';
      line[n++] = '\n';
      posix::fwrite(line, 1, n, to);
    }
  }
};

// What all threads write is there once, in whole lines, and each thread's lines are in order.
void expect_lines(const std::string& text, u32 threads, u32 lines) {
  std::map<u32, u32> next;
  std::istringstream in(text);
  std::string line;
  u32 count = 0;
  while (std::getline(in, line)) {
    ASSERT_GE(line.size(), 12u) << line;
    const u32 me = static_cast<u32>(std::stoul(line.substr(0, 7))), i = static_cast<u32>(std::stoul(line.substr(8, 4)));
    ASSERT_EQ(line.substr(12), std::string((me + i) % 150, 'x'));
    ASSERT_EQ(next[me]++, i) << "of thread " << me;
    ++count;
  }
  EXPECT_EQ(count, threads * lines);
  EXPECT_TRUE(text.empty() || text.back() == '\n');
}

TEST(Streams, ConcurrentWritersLoseAndTearNothing) {
  const contract::folder folder;
  struct how {
    int mode;
    u32 bytes;
  };
  for (const how each : {how{_IOFBF, 0}, how{_IOFBF, 100}, how{_IOFBF, 5000}, how{_IOLBF, 0}, how{_IONBF, 0}}) {
    for (int scope : {0, 1, 2}) {
      const std::string path = folder / "lines";
      ::unlink(path.c_str());
      auto& rt = shared_runtime();
      const auto name = on_device_text(path);
      play(rt, {.blocks = {2}, .threads = {64}}, write_lines{}, static_cast<const char*>(name.get()), each.mode,
           each.bytes, 12u, scope);
      SCOPED_TRACE("mode " + std::to_string(each.mode) + ", " + std::to_string(each.bytes) + " bytes, scope " +
                   std::to_string(scope));
      expect_lines(text_of(path), 128, 12);
    }
  }
}

struct read_back {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, u32* wrong) const {
    posix::library c(os);
    u32 bad = 0;
    posix::FILE* const in = posix::fopen(path, "r+");
    if (in == nullptr) {
      *wrong = 1000;
      return;
    }
    char line[64];
    bad += posix::fgets(line, 64, in) != line || line[0] != 'a' || line[5] != '\n' || line[6] != 0;
    bad += posix::ftell(in) != 6;
    bad += posix::fgetc(in) != 's' || posix::ungetc('S', in) != 'S' || posix::ftell(in) != 6;
    char* text = nullptr;
    std::size_t bytes = 0;
    bad += posix::getline(&text, &bytes, in) != 7 || text[0] != 'S' || text[6] != '\n';
    bad += posix::getline(&text, &bytes, in) != 1000 || bytes < 1001 || text[999] != '\n' || text[500] != 'y';
    bad += posix::getline(&text, &bytes, in) != 4 || posix::feof(in) == 0;
    bad += posix::getline(&text, &bytes, in) != -1;
    posix::free(text);
    bad += posix::fseek(in, 0, SEEK_SET) != 0 || posix::fgets(line, 4, in) != line || line[2] != 'p' || line[3] != 0;
    bad += posix::fgets(line, 1, in) != line || line[0] != 0 || posix::fgets(line, 0, in) != nullptr;
    bad += posix::fgetc(in) != 'l' || posix::ungetc('\n', in) != '\n' || posix::fgets(line, 64, in) != line;
    bad += line[0] != '\n' || line[1] != 0 || posix::ftell(in) != 4;
    bad += posix::fseek(in, -4, SEEK_END) != 0 || posix::feof(in) != 0 || posix::fread(line, 2, 5, in) != 2;
    bad += posix::fseek(in, 2, SEEK_SET) != 0 || posix::fgetc(in) != 'p' || posix::fseek(in, 1, SEEK_CUR) != 0 ||
           posix::ftell(in) != 4;
    posix::fpos_t place{};
    bad += posix::fgetpos(in, &place) != 0 || posix::fputs("X", in) != 1 || posix::fsetpos(in, &place) != 0;
    bad += posix::ftell(in) != 4 || posix::fputs("X", in) != 1 || posix::putc_unlocked('Y', in) != 'Y';
    bad += posix::ftell(in) != 6 || posix::getc_unlocked(in) != 's';
    bad += posix::fclose(in) != 0;
    bad += posix::fopen("/nonexistent/file", "r") != nullptr || posix::error_number() != ENOENT;
    int ends[2];
    bad += posix::pipe(ends) != 0;
    posix::FILE* const no_place = posix::fdopen(ends[0], "r");
    bad += posix::fgetpos(no_place, &place) != -1 || posix::error_number() != ESPIPE;
    bad += posix::fclose(no_place) != 0 || posix::close(ends[1]) != 0;
    bad += posix::fopen(path, "q") != nullptr || posix::error_number() != EINVAL;
    bad += posix::fopen(path, "wx") != nullptr || posix::error_number() != EEXIST;
    posix::FILE* const only_read = posix::fopen(path, "r");
    bad += posix::fputc('x', only_read) != EOF || posix::ferror(only_read) == 0 || posix::error_number() != EBADF;
    *wrong = bad;
  }
};

TEST(Streams, ReadSeekAndWriteAsStdioDoes) {
  const contract::folder folder;
  const std::string path = folder / "text";
  std::ofstream(path) << "apple\nsecond\n" << std::string(999, 'y') << "\nlast";
  const auto name = on_device_text(path);
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {1}}, read_back{}, static_cast<const char*>(name.get()), wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(text_of(path), "applXYsecond\n" + std::string(999, 'y') + "\nlast");
}

// The position of a stream that appends, the end of a file, reading ahead: as in glibc.
struct as_glibc {
  GENESYS_KERNEL static u32 appending(const char* path) {
    u32 bad = 0;
    posix::FILE* one = posix::fopen(path, "a");
    bad += one == nullptr || posix::ftell(one) != 100;
    bad += posix::fputs("hello", one) < 0 || posix::ftell(one) != 105 || posix::fclose(one) != 0;
    one = posix::fopen(path, "a+");
    bad += posix::ftell(one) != 0 || posix::fgetc(one) != 'x' || posix::ftell(one) != 1;
    bad += posix::fputs("!", one) < 0 || posix::ftell(one) != 106 || posix::fclose(one) != 0;
    const int fd = posix::open(path, O_WRONLY);
    one = posix::fdopen(fd, "a");
    bad += one == nullptr || posix::fputs("?", one) < 0 || posix::fclose(one) != 0;
    return bad;
  }
  GENESYS_KERNEL static u32 at_the_end(const char* path) {
    u32 bad = 0;
    posix::FILE* const to = posix::fopen(path, "a");
    posix::FILE* const from = posix::fopen(path, "r");
    bad += posix::fseek(from, 0, SEEK_END) != 0 || posix::fgetc(from) != EOF;
    bad += posix::fputs("more", to) < 0 || posix::fflush(to) != 0;
    char c = 0;
    bad += posix::fgetc(from) != EOF || posix::fread(&c, 1, 1, from) != 0;  // it lasts
    posix::clearerr(from);
    bad += posix::fgetc(from) != 'm' || posix::fclose(from) != 0 || posix::fclose(to) != 0;
    return bad;
  }
  GENESYS_KERNEL static u32 reading_ahead(const char* path) {
    u32 bad = 0;
    posix::FILE* from = posix::fopen(path, "r");
    bad += posix::fgetc(from) != 'x' || posix::fflush(from) != 0;
    bad += posix::lseek(posix::fileno(from), 0, SEEK_CUR) != 1 || posix::fgetc(from) != 'x' || posix::fclose(from) != 0;
    from = posix::fopen(path, "r");
    bad += posix::setvbuf(from, nullptr, _IONBF, 0) != 0 || posix::fgetc(from) != 'x';
    bad += posix::lseek(posix::fileno(from), 0, SEEK_CUR) != 1 || posix::fclose(from) != 0;
    return bad;
  }
  GENESYS_KERNEL static u32 of_descriptors(const char* path) {
    u32 bad = 0;
    const int reads = posix::open(path, O_RDONLY);
    bad += posix::fcntl(reads, F_GETFL, 0) < 0;
    bad += posix::fdopen(reads, "w") != nullptr || posix::error_number() != EINVAL;
    bad += posix::fdopen(99'999, "r") != nullptr || posix::error_number() != EBADF;
    bad += posix::fdopendir(reads) != nullptr || posix::error_number() != ENOTDIR;
    return bad + (posix::close(reads) != 0);
  }
  // What a kernel writes after it has closed its standard output.
  GENESYS_KERNEL static u32 closed() {
    u32 bad = posix::printf("%s", "") != 0 || posix::fclose(posix::standard_output()) != 0;
    bad += posix::puts("lost") != EOF || posix::error_number() != EBADF || posix::printf("lost\n") >= 0;
    return bad + (posix::fcntl(1, F_GETFD) < 0);  // the descriptor is that of all
  }
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, u32* wrong) const {
    posix::library c(os);
    wrong[0] = appending(path);
    wrong[1] = at_the_end(path);
    wrong[2] = reading_ahead(path);
    wrong[3] = of_descriptors(path);
    wrong[4] = closed();
  }
};

TEST(Streams, DoAsInGlibc) {
  const contract::folder folder;
  const std::string path = folder / "text";
  std::ofstream(path) << std::string(100, 'x');
  const auto name = on_device_text(path);
  on_device<u32> wrong(shared_runtime(), 5);
  play(shared_runtime(), {.threads = {1}}, as_glibc{}, static_cast<const char*>(name.get()), wrong.get());
  EXPECT_EQ(wrong.take(), std::vector<u32>(5));
  EXPECT_EQ(text_of(path), std::string(100, 'x').append("hello!?more"));
}

// Lines stay whole however long the data of one call is. Each line goes to a socket that keeps the bounds of writes.
struct write_much {
  static constexpr u32 lines = 900, line_bytes = 100;
  GENESYS_KERNEL void operator()(genesys::os os, int socket, int mode, u32* wrong) const {
    posix::library c(os);
    posix::FILE* const to = posix::fdopen(socket, "w");
    u32 bad = to == nullptr || posix::setvbuf(to, nullptr, mode, mode == _IOFBF ? 4096 : 0) != 0;
    auto* const text = static_cast<char*>(posix::malloc(lines * line_bytes));
    for (u32 i = 0; i < lines * line_bytes; ++i) text[i] = i % line_bytes == line_bytes - 1 ? '\n' : 'l';
    bad += posix::fwrite(text, 1, 5050, to) != 5050 || posix::fputs("end\n", to) < 0;  // half a line, and its end
    bad += posix::fwrite(text, 1, lines * line_bytes, to) != lines * line_bytes;
    posix::free(text);
    bad += posix::fclose(to) != 0;
    *wrong = bad;
  }
};

TEST(Streams, LinesOfLongDataStayWhole) {
  for (const int mode : {_IOFBF, _IOLBF}) {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    const int space = 1 << 20;
    for (const int end : ends) ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &space, sizeof space);
    on_device<u32> wrong(shared_runtime(), 1);
    play(shared_runtime(), {.threads = {1}}, write_much{}, ends[0], mode, wrong.get());
    EXPECT_EQ(wrong.take()[0], 0u);
    std::string all, part(1 << 20, 0);
    for (;;) {
      const ssize_t n = ::recv(ends[1], part.data(), part.size(), MSG_DONTWAIT);
      if (n <= 0) break;
      EXPECT_EQ(part[static_cast<std::size_t>(n) - 1], '\n') << "a write ends within a line, mode " << mode;
      all.append(part, 0, static_cast<std::size_t>(n));
    }
    EXPECT_EQ(all.size(), 5054 + std::size_t{write_much::lines} * write_much::line_bytes);
    ::close(ends[1]);
  }
}

// One warp allocates, another one frees: the heap does not grow. Sizes that no memory has.
struct pass_memory_on {
  struct passed {
    void* memory;
  };
  GENESYS_KERNEL void operator()(genesys::os os, u32* wrong) const {
    posix::library c(os);
    void*& memory = genesys::shared<passed>().memory;
    const bool allocates = genesys::thread_rank() == 0;
    u32 bad = 0;
    void* before = nullptr;
    for (u32 i = 0; i < 200; ++i) {
      if (allocates) {
        memory = posix::malloc(1000);
        bad += memory == nullptr || (before != nullptr && memory != before);
        before = memory;
      }
      genesys::sync_block();
      if (genesys::thread_rank() == 32) posix::free(memory);
      genesys::sync_block();
    }
    if (!allocates) return;
    for (const std::size_t none : {~std::size_t{0}, ~std::size_t{0} - 15, std::size_t{1} << 60}) {
      char* const kept = static_cast<char*>(posix::malloc(10));
      kept[9] = 'k';
      posix::error_number() = 0;
      bad += posix::realloc(kept, none) != nullptr || posix::error_number() != ENOMEM || kept[9] != 'k';
      bad += posix::realloc(kept, 0) != nullptr;
    }
    *wrong = bad;
  }
};

TEST(Heap, WhatOthersFreeComesBack) {
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {64}}, pass_memory_on{}, wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
}

// A descriptor with the number of a standard stream is not one, and a standard stream can be closed.
struct close_standard {
  GENESYS_KERNEL void operator()(genesys::os os, u32* wrong) const {
    u32 bad = 0;
    const int saved = static_cast<int>(os.dup(2));
    {
      posix::library c(os);
      posix::FILE* const other = posix::fdopen(2, "w");
      bad += other == nullptr || posix::fclose(other) != 0 || posix::fclose(posix::standard_error()) != 0;
      bad += posix::fputs("lost\n", posix::standard_error()) != EOF || posix::error_number() != EBADF;
    }
    bad += os.dup2(saved, 2) != 2 || os.close(saved) != 0;
    posix::FILE* const unlisted = posix::fdopen(os, static_cast<int>(os.dup(2)), "w");
    bad += unlisted == nullptr || posix::fclose(unlisted) != 0;
    *wrong = bad;
  }
};

TEST(Streams, StandardStreamsCanBeClosed) {
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {1}}, close_standard{}, wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
}

struct reopened {
  GENESYS_KERNEL void operator()(genesys::os os, const char* first, const char* second, u32* wrong) const {
    u32 bad = 0;
    int fd = -1;
    {
      posix::library c(os);
      posix::FILE* to = posix::freopen(first, "w", posix::standard_output());
      bad += to != posix::standard_output();
      posix::printf("first");
      fd = posix::fileno(to);
      bad += posix::freopen(second, "w+", to) != to || posix::fcntl(1, F_GETFD) < 0;
      posix::printf("second");
      posix::rewind(to);
      bad += posix::fgetc(to) != 's';
      posix::FILE* const in = posix::fopen(first, "r");
      bad += posix::freopen(second, "r", in) != in || posix::fgetc(in) != 's';
      bad += posix::freopen("/nonexistent/file", "r", in) != nullptr || posix::error_number() != ENOENT;
      fd = posix::fileno(to);
    }
    posix::library again(os);
    bad += fd <= 2 || posix::fcntl(fd, F_GETFD) != -1;  // the end of the library has closed it
    bad += posix::fileno(posix::standard_output()) != 1;
    *wrong = bad;
  }
};

TEST(Streams, AStreamGetsAnotherFile) {
  const contract::folder folder;
  const auto first = on_device_text(folder / "first"), second = on_device_text(folder / "second");
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {1}}, reopened{}, static_cast<const char*>(first.get()),
       static_cast<const char*>(second.get()), wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(text_of(folder / "first"), "first");
  EXPECT_EQ(text_of(folder / "second"), "second");
}

// The buffer of a closed standard stream is free once: another block may have it by the end of the library.
struct close_standard_error {
  GENESYS_KERNEL void operator()(genesys::os os, u32* wrong) const {
    void* kept = nullptr;
    int saved = -1;
    {
      posix::library c(os);
      saved = posix::dup(2);
      posix::FILE* const to = posix::standard_error();
      posix::setvbuf(to, nullptr, _IOFBF, 256);
      posix::fputs("\n", to);
      posix::fclose(to);
      kept = posix::malloc(256);
    }
    posix::library again(os);
    u32 bad = posix::dup2(saved, 2) != 2 || posix::close(saved) != 0;
    bad += kept == nullptr || posix::malloc(256) == kept;
    posix::free(kept);  // ends the kernel if it is free
    *wrong = bad;
  }
};

TEST(Streams, AClosedStandardStreamFreesItsBufferOnce) {
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {1}}, close_standard_error{}, wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
}

// A pipe that does not block, and is full: what one call has not written is lost, and nothing of it comes later.
struct full_pipe {
  GENESYS_KERNEL static void empty(int fd) {
    char bytes[4096];
    while (posix::read(fd, bytes, sizeof bytes) > 0) {
    }
  }
  GENESYS_KERNEL static u32 lost(int reads, posix::FILE* to) {
    empty(reads);
    char byte;
    u32 bad = posix::ferror(to) == 0 || posix::fflush(to) != 0 || posix::read(reads, &byte, 1) != -1;
    posix::clearerr(to);
    bad += posix::fputs("next\n", to) < 0 || posix::fflush(to) != 0;
    char next[8];
    return bad + (posix::read(reads, next, sizeof next) != 5 || next[0] != 'n');
  }
  GENESYS_KERNEL void operator()(genesys::os os, int reads, int writes, u32* wrong) const {
    posix::library c(os);
    char much[4096];
    posix::memset(much, 'f', sizeof much);
    u32 bad = 0;
    for (const int bytes : {16, 256, 4096}) {
      posix::FILE* const to = posix::fdopen(posix::dup(writes), "w");
      posix::setvbuf(to, nullptr, _IOFBF, static_cast<std::size_t>(bytes));
      posix::write(writes, much, sizeof much);
      bad += posix::fprintf(to, "ab\n%s%05000d\n", "cdefghijklmnopqrstuvwxyz", 1) != -1;
      bad += posix::error_number() != EAGAIN;
      bad += lost(reads, to);
      posix::write(writes, much, sizeof much);
      bad += posix::fputs("first\nsecond", to) >= 0 && posix::fflush(to) == 0;
      bad += lost(reads, to) + (posix::fclose(to) != 0);
    }
    // The end would have space, what is before it does not.
    posix::write(writes, much, 3900);
    bad += posix::dprintf(writes, "%01024d%s", 7, "the end") != -1 || posix::error_number() != EAGAIN;
    bad += posix::read(reads, much, sizeof much) != 3900;
    *wrong = bad;
  }
};

TEST(Streams, WhatAFullPipeDoesNotTakeIsLost) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
  ASSERT_EQ(::fcntl(ends[1], F_SETPIPE_SZ, 4096), 4096);
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {1}}, full_pipe{}, ends[0], ends[1], wrong.get());
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_EQ(wrong.take()[0], 0u);
}

// What one call prints to an unbuffered stream is one message; a stream reads on after rewind(); fflush(nullptr).
struct together_and_again {
  GENESYS_KERNEL static u32 messages(int reads, int writes) {
    posix::FILE* const to = posix::fdopen(posix::dup(writes), "w");
    u32 bad = posix::setvbuf(to, nullptr, _IONBF, 0) != 0;
    bad += posix::fprintf(to, "usage:\n%05000d\n", 7) != 5008;
    char text[16];
    bad += posix::recv(reads, text, sizeof text, MSG_DONTWAIT | MSG_TRUNC) != 5008;
    bad += posix::fprintf(to, "%05250d\n%05250d", 1, 2) != 10'501;
    bad += posix::recv(reads, text, sizeof text, MSG_DONTWAIT | MSG_TRUNC) != 10'501;
    return bad + (posix::fclose(to) != 0);
  }
  GENESYS_KERNEL static u32 rewound() {
    int ends[2];
    u32 bad = posix::pipe2(ends, O_NONBLOCK) != 0;
    posix::FILE* const from = posix::fdopen(ends[0], "r");
    bad += posix::close(ends[1]) != 0 || posix::fgetc(from) != EOF || !posix::feof(from);
    posix::rewind(from);
    return bad + (posix::feof(from) != 0 || posix::fclose(from) != 0);
  }
  // The buffer of setvbuf() is the program's again, and the next file may have another one.
  GENESYS_KERNEL static u32 buffers(const char* path) {
    char first[64] = {}, second[64] = {};
    posix::FILE* const to = posix::fopen(path, "w");
    u32 bad = posix::setvbuf(to, first, _IOFBF, sizeof first) != 0 || posix::fputs("one", to) < 0;
    bad += posix::freopen(path, "w", to) != to;
    first[0] = 0;
    bad += posix::setvbuf(to, second, _IOFBF, sizeof second) != 0 || posix::fputs("two", to) < 0;
    bad += first[0] != 0 || second[0] != 't';
    struct stat about;
    bad += posix::fflush(nullptr) != 0 || posix::stat(path, &about) != 0 || about.st_size != 3;
    return bad + (posix::fclose(to) != 0);
  }
  GENESYS_KERNEL void operator()(genesys::os os, int reads, int writes, const char* path, u32* wrong) const {
    posix::library c(os);
    wrong[0] = messages(reads, writes);
    wrong[1] = rewound();
    wrong[2] = buffers(path);
    wrong[3] = posix::fflush(nullptr) != 0;
  }
};

TEST(Streams, MessagesStayTogetherAndStreamsBeginAgain) {
  const contract::folder folder;
  const auto path = on_device_text(folder / "file");
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  on_device<u32> wrong(shared_runtime(), 4);
  play(shared_runtime(), {.threads = {1}}, together_and_again{}, ends[0], ends[1], static_cast<const char*>(path.get()),
       wrong.get());
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_EQ(wrong.take(), std::vector<u32>(4));
}

// The library's end sets standard input back to what the thread has read.
struct read_a_line {
  GENESYS_KERNEL void operator()(genesys::os os, u32* wrong) const {
    posix::library c(os);
    char line[16];
    *wrong = posix::fgets(line, sizeof line, posix::standard_input()) != line || line[1] != 'n';
  }
};

TEST(Streams, TheEndLeavesTheRestOfTheInput) {
  const contract::folder folder;
  (void)contract::made_file(folder, "input", "one\ntwo\n");
  const int before = ::dup(0), input = ::open((folder / "input").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::dup2(input, 0), 0);
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {1}}, read_a_line{}, wrong.get());
  EXPECT_EQ(::lseek(0, 0, SEEK_CUR), 4);
  if (before >= 0) {
    ::dup2(before, 0);
    ::close(before);
  } else {
    ::close(0);
  }
  ::close(input);
  EXPECT_EQ(wrong.take()[0], 0u);
}

struct full_disk {
  GENESYS_KERNEL void operator()(genesys::os os, u32* wrong) const {
    posix::library c(os);
    u32 bad = 0;
    posix::FILE* const to = posix::fopen("/dev/full", "w");
    bad += to == nullptr;
    bad += posix::fputs("text\n", to) != 1;
    bad += posix::fflush(to) != EOF || posix::error_number() != ENOSPC || posix::ferror(to) == 0;
    bad += posix::fclose(to) != 0;
    *wrong = bad;
  }
};

TEST(Streams, AFullDiskIsAnError) {
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {1}}, full_disk{}, wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
}

}  // namespace
