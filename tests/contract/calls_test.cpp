// SPDX-License-Identifier: Apache-2.0
// Each call in each call mode, with pointers to each kind of memory, against the native call: values, every byte of
// memory, files.
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>

#include "script.h"

namespace contract {
namespace {

const std::vector<u64> sizes_small{0, 1, 4, 8, 9, 15, 16, 17, 511, 512, 513, 4096, 8191, 8192, 8193};
const std::vector<u64> sizes_large{131071, 131072, 131073, 1 << 20};
constexpr u64 source_bytes = (4 << 20) + 11;

void with_source(const folder& in) { made_file(in, "source", patterned(source_bytes)); }

constexpr memory memories_built[] = {
    memory::arena,  memory::device,     memory::shared,  memory::private_,
#if defined(__CUDACC__)
    memory::pinned, memory::registered, memory::managed,
#endif
};

const bool full = std::getenv("GENESYS_TEST_FULL") != nullptr;  // ./dev test --full

class Calls : public testing::TestWithParam<std::tuple<call_mode, memory>> {
 protected:
  call_mode how() const { return std::get<0>(GetParam()); }
  memory where() const { return std::get<1>(GetParam()); }
  void SetUp() override {
    const auto all = memories();
    if (std::find(all.begin(), all.end(), where()) == all.end()) GTEST_SKIP() << "this device has no such memory";
  }
  bool fits(u64 bytes) const {
    if (where() == memory::private_) return bytes <= fits_private;
    if (where() == memory::shared) return bytes <= fits_shared;
    return true;
  }
};

// Two scripts for a buffer of this size at this offset: one reads, the other writes.
void add_buffer_scripts(book& b, memory where, u64 size, u32 offset) {
  const std::string title = std::to_string(size) + " bytes at +" + std::to_string(offset) + " in " + name_of(where);
  const long n = static_cast<long>(size), off = static_cast<long>(offset);
  b.begin();
  b.about("reads of " + title);
  const u32 in = b.open("source", O_RDONLY, where);
  b.on(in, call::pread64, {0, n, 1000 + off}, {{1, where, size, {}, offset}});
  b.on(in, call::read, {0, n}, {{1, where, size, {}, offset}});
  b.on(in, call::lseek, {0, SEEK_CUR});
  b.on(in, call::pread64, {0, n, static_cast<long>(source_bytes) - n / 2},
       {{1, where, size, {}, offset}});  // ends early
  b.on(in, call::close, {});
  b.begin();
  b.about("writes of " + title);
  const u32 out = b.open("to-" + std::to_string(size) + "-" + std::to_string(offset), O_RDWR | O_CREAT, where);
  b.on(out, call::pwrite64, {0, n, 5 + off}, {{1, where, size, {}, offset}});
  b.on(out, call::lseek, {n / 3, SEEK_SET});
  b.on(out, call::write, {0, n}, {{1, where, size, {}, offset}});
  b.on(out, call::lseek, {0, SEEK_CUR});
  b.on(out, call::close, {});
}

TEST_P(Calls, SmallBuffersAtEachAlignment) {
  book b;
  for (const u64 size : sizes_small) {
    for (u32 offset = 0; offset < 18; ++offset) {
      if ((sanitized || !full) && offset % (size > 513 ? 8 : 5) > 1) continue;
      if (fits(size)) add_buffer_scripts(b, where(), size, offset);
    }
  }
  b.check(how(), with_source);
}

TEST_P(Calls, LargeBuffers) {
  book b;
  bool any = false;
  for (const u64 size : sizes_large) {
    for (const u32 offset : {0u, 1u, 15u, 16u, 17u}) {
      if (!fits(size) || (sanitized && offset > 1)) continue;
      add_buffer_scripts(b, where(), size, offset);
      any = true;
    }
  }
  if (!any) return;  // private memory holds no large buffer
  b.check(how(), with_source);
}

TEST_P(Calls, LongPositionalCallsAreMadeInPieces) {
  constexpr u64 size = (3 << 20) + 5;
  if (!fits(size)) return;
  book b;
  for (const u32 offset : {0u, 3u}) {
    b.begin();
    const u32 in = b.open("source", O_RDONLY, where());
    b.on(in, call::pread64, {0, size, 7}, {{1, where(), size, {}, offset}});
    b.on(in, call::pread64, {0, size, (2 << 20) + 1}, {{1, where(), size, {}, offset}});  // ends early
    b.on(in, call::pread64, {0, size, source_bytes}, {{1, where(), size, {}, offset}});
    const u32 out = b.open("out" + std::to_string(offset), O_RDWR | O_CREAT, where());
    b.on(out, call::pwrite64, {0, size, 3}, {{1, where(), size, {}, offset}});
    b.on(out, call::ftruncate, {size - 1});
    b.on(out, call::pwrite64, {0, size, -1}, {{1, where(), size, {}, offset}});
  }
  b.check(how(), with_source);
}

TEST_P(Calls, Files) {
  book b;
  const auto text = [&](const std::string& name) { return book::content{1, where(), name.size() + 1, name + '\0', 3}; };
  for (u32 i = 0; i < 4; ++i) {
    const std::string own = "d" + std::to_string(i);
    b.begin();
    b.add(call::mkdirat, {root, 0, 0750}, {text(own)});
    b.add(call::mkdirat, {root, 0, 0750}, {text(own)});
    b.add(call::mkdirat, {root, 0, 0750}, {text(own + "/inner")});
    const u32 file = b.open(own + "/file with a space \xff", O_RDWR | O_CREAT | O_EXCL, where());
    b.open(own + "/file with a space \xff", O_RDWR | O_CREAT | O_EXCL, where());
    b.open(own + "/none", O_RDONLY, where());
    b.on(file, call::write, {0, 100}, {{1, where(), 100}});
    b.on(file, call::fsync, {});
    b.on(file, call::fdatasync, {});
    b.on(file, call::fstat, {0}, {{1, where(), sizeof(struct stat), {}, 8}});
    const u32 twin = b.on(file, call::dup, {});
    b.on(twin, call::lseek, {10, SEEK_SET});
    b.on(file, call::read, {0, 64}, {{1, where(), 64}});
    b.on(file, call::ftruncate, {50});
    b.on(file, call::ftruncate, {-1});
    b.on(file, call::pread64, {0, 64, 40}, {{1, where(), 64, {}, 1}});
    b.on(file, call::lseek, {0, SEEK_END});
    b.on(file, call::lseek, {-1, SEEK_SET});
    b.on(file, call::lseek, {5, 99});
    b.on(file, call::close, {});
    b.on(twin, call::close, {});
    const u32 list = b.open(own, O_RDONLY | O_DIRECTORY, where());
    b.on(list, call::lseek, {0, SEEK_CUR});
    b.on(list, call::close, {});
    b.add(call::unlinkat, {root, 0, 0}, {text(own + "/file with a space \xff")});
    b.add(call::unlinkat, {root, 0, 0}, {text(own + "/file with a space \xff")});
    b.add(call::unlinkat, {root, 0, 0}, {text(own + "/inner")});
    b.add(call::unlinkat, {root, 0, AT_REMOVEDIR}, {text(own)});
    if (i % 2 == 0) b.add(call::unlinkat, {root, 0, AT_REMOVEDIR}, {text(own + "/inner")});
  }
  b.check(how());
}

TEST_P(Calls, Directories) {
  folder listed;
  for (int i = 0; i < 100; ++i)
    made_file(listed, "name " + std::to_string(i) + std::string(static_cast<std::size_t>(i), 'x'), "");
  book b;
  for (const u32 size : {0u, 23u, 24u, 100u, 1000u, 4000u}) {
    b.begin();
    b.about("entries into " + std::to_string(size));
    const u32 list = b.add(call::openat, {AT_FDCWD, 0, O_RDONLY | O_DIRECTORY},
                           {{1, where(), listed.path().size() + 1, listed.path() + '\0'}});
    for (int i = 0; i < 12; ++i)
      b.on(list, call::getdents64, {0, static_cast<long>(size)}, {{1, where(), size, {}, 8}});
    b.on(list, call::close, {});
  }
  b.check(how());
}

TEST_P(Calls, ProcessAndSystem) {
  book b;
  for (const u32 offset : {0u, 1u, 8u, 15u}) {
    b.begin();
    b.add(call::getpid, {});
    b.add(call::getppid, {});
    for (const long who : {long{RUSAGE_SELF}, long{RUSAGE_CHILDREN}, 5l}) {
      b.add(call::getrusage, {who, 0}, {{1, where(), sizeof(rusage), {}, offset}});
    }
    b.add(call::uname, {0}, {{0, where(), sizeof(utsname), {}, offset}});
    for (const u64 size : {0ul, 1ul, 2ul, 300ul, 4000ul})
      b.add(call::getcwd, {0, static_cast<long>(size)}, {{0, where(), size, {}, offset}});
    for (const u64 size : {0ul, 1ul, 16ul, 17ul, 256ul, 4000ul}) {
      b.add(call::getrandom, {0, static_cast<long>(size), 0}, {{0, where(), size, {}, offset}});
    }
    b.add(call::getrandom, {0, 16, 0x7000}, {{0, where(), 16, {}, offset}});
    for (const int clock : {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, 99}) {
      b.add(call::clock_gettime, {clock, 0}, {{1, where(), sizeof(timespec), {}, offset}});
    }
  }
  b.check(how());
}

std::string bytes_of(timespec t) { return std::string(reinterpret_cast<const char*>(&t), sizeof t); }

TEST_P(Calls, Nanosleep) {
  book b;
  const std::vector<timespec> lengths{{0, 0}, {0, 1000}, {0, 3'000'000}, {0, -1}, {0, 1'000'000'000}, {-1, 0}};
  for (const timespec length : lengths) {
    b.begin();
    b.about(std::to_string(length.tv_sec) + " s " + std::to_string(length.tv_nsec) + " ns");
    b.add(call::nanosleep, {0, 0}, {{0, where(), sizeof length, bytes_of(length), 8}});
    b.add(call::nanosleep, {0, 0}, {{0, where(), sizeof length, bytes_of(length)}, {1, where(), sizeof length}});
  }
  b.check(how());
}

std::string calls_name(const testing::TestParamInfo<std::tuple<call_mode, memory>>& info) {
  const std::string where = name_of(std::get<1>(info.param));
  return where + name_of(std::get<0>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Each, Calls,
                         testing::Combine(testing::ValuesIn(call_modes()), testing::ValuesIn(memories_built)),
                         calls_name);

// read and write are never split, so a buffer of this size in device memory is too large to stage.
TEST(CallsLarge, ReadsAndWritesOfThreeMebibytes) {
  constexpr u64 size = (3 << 20) + 5;
  for (const call_mode how : {in_threads, in_blocks}) {
    book b;
    b.begin();
    u32 file = b.open("source", O_RDWR, memory::arena);
    b.on(file, call::read, {0, size}, {{1, memory::arena, size}});
    b.on(file, call::lseek, {0, SEEK_SET});
    b.on(file, call::write, {0, size}, {{1, memory::arena, size}});
    b.begin();
    file = b.open("other", O_RDWR | O_CREAT, memory::arena);
    b.on(file, call::read, {0, size}, {{1, memory::device, size}});
    b.must_give(-ENOBUFS);
    b.on(file, call::write, {0, size}, {{1, memory::device, size}});
    b.must_give(-ENOBUFS);
    b.add(call::getrandom, {0, size, 0}, {{0, memory::device, size}});
    b.must_give(-ENOBUFS);
    b.on(file, call::lseek, {0, SEEK_CUR});
    b.add(call::getppid, {});
    b.check(how, with_source);
  }
}

// Arguments that are string literals of the kernel.
struct literals {
  GENESYS_KERNEL void operator()(genesys::os os, int folder, long* values) const {
    const auto io = os.on(genesys::block{});
    long v[6];
    v[0] = io.mkdirat(folder, "made by a literal", 0700);
    const long fd = v[1] = io.openat(folder, "made by a literal/file", O_RDWR | O_CREAT, 0600);
    v[2] = io.write(static_cast<int>(fd), "hello, files\n", 13);
    v[3] = io.close(static_cast<int>(fd));
    v[4] = io.unlinkat(folder, "not there", 0);
    v[5] = 0;
    if (genesys::thread_rank() == 3) v[5] = os.unlinkat(folder, "nor this", AT_REMOVEDIR);
    for (int i = 0; i < 6; ++i) values[genesys::thread_rank() * 6 + static_cast<unsigned>(i)] = v[i];
  }
};

TEST(CallsLiterals, PathsAndBytes) {
  runtime& rt = shared_runtime();
  folder here;
  on_device<long> values(rt, 40 * 6);
  play(rt, {.blocks = {1}, .threads = {40}}, literals{}, here.fd(), values.get());
  const auto v = values.take();
  for (std::size_t t = 0; t < 40; ++t) {
    EXPECT_EQ(v[t * 6], 0);
    EXPECT_GE(v[t * 6 + 1], 0);
    EXPECT_EQ(v[t * 6 + 1], v[1]);
    EXPECT_EQ(v[t * 6 + 2], 13);
    EXPECT_EQ(v[t * 6 + 3], 0);
    EXPECT_EQ(v[t * 6 + 4], -ENOENT);
    EXPECT_EQ(v[t * 6 + 5], t == 3 ? -ENOENT : 0);
  }
  const descriptor file(::open((here / "made by a literal/file").c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(content_of(file.get()), "hello, files\n");
}

}  // namespace
}  // namespace contract
