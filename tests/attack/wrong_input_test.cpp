// SPDX-License-Identifier: Apache-2.0
// Wrong input gets Linux's own error, and the kernel runs on: each script ends with calls that succeed.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <limits>
#include <memory>

#include "script.h"

namespace attack {

using namespace contract;

namespace {

// Addresses without memory. The last one lies in a page without access.
std::vector<long> wild_pointers() {
  void* const page = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return {0x10, static_cast<long>(0xdead'0000'0000'0000ull), -1, -4096, reinterpret_cast<long>(page) + 8};
}

void with_small(const folder& in) { made_file(in, "small", patterned(100)); }

class WrongInput : public testing::TestWithParam<call_mode> {
 protected:
  void check() { b.check(GetParam(), with_small); }
  void begin(const std::string& about) {
    b.begin();
    b.about(about);
    file = b.open("small", O_RDWR, memory::device);
  }
  // The kernel runs on.
  void end() {
    b.add(call::getppid, {});
    b.on(file, call::pread64, {0, 50, 10}, {{1, memory::device, 50}});
    b.on(file, call::pread64, {0, 50, 10}, {{1, memory::shared, 50}});
    b.on(file, call::close, {});
  }
  // Adds each call that has a pointer, with this one.
  void add_pointer_calls(long pointer, std::optional<long> must_give = {}) {
    const auto add = [&](call what, std::vector<long> args) {
      b.add(what, std::move(args));
      if (must_give) b.must_give(*must_give);
    };
    const auto on = [&](call what, std::vector<long> args) {
      b.on(file, what, std::move(args));
      if (must_give) b.must_give(*must_give);
    };
    add(call::openat, {AT_FDCWD, pointer, O_RDONLY, 0});
    on(call::read, {pointer, 10});
    on(call::pread64, {pointer, 10, 0});
    on(call::write, {pointer, 10});
    on(call::pwrite64, {pointer, 10, 3});
    on(call::fstat, {pointer});
    add(call::unlinkat, {AT_FDCWD, pointer, 0});
    add(call::mkdirat, {AT_FDCWD, pointer, 0700});
    add(call::getcwd, {pointer, 4096});
    add(call::getrusage, {RUSAGE_SELF, pointer});
    add(call::uname, {pointer});
    add(call::getrandom, {pointer, 16, 0});
    add(call::clock_gettime, {CLOCK_REALTIME, pointer});
    add(call::nanosleep, {pointer, 0});
    add(call::pipe2, {pointer, 0});
    add(call::rt_sigqueueinfo, {::getpid(), 0, pointer});
  }

  book b;
  u32 file = 0;
};

TEST_P(WrongInput, Descriptors) {
  for (const long fd : {-1l, 999'999l, long{std::numeric_limits<int>::max()}, long{std::numeric_limits<int>::min()}}) {
    begin("descriptor " + std::to_string(fd));
    b.add(call::read, {fd, 0, 10}, {{1, memory::device, 10}});
    b.add(call::pread64, {fd, 0, 10, 0}, {{1, memory::private_, 10}});
    b.add(call::write, {fd, 0, 10}, {{1, memory::arena, 10}});
    b.add(call::pwrite64, {fd, 0, 10, 0}, {{1, memory::shared, 10}});
    b.add(call::fstat, {fd, 0}, {{1, memory::device, sizeof(struct stat)}});
    b.add(call::getdents64, {fd, 0, 100}, {{1, memory::device, 100}});
    b.add(call::openat, {fd, 0, O_RDONLY, 0}, {{1, memory::device, 6, "small"}});
    b.add(call::lseek, {fd, 0, 0});
    b.add(call::ftruncate, {fd, 0});
    b.add(call::fsync, {fd});
    b.add(call::fdatasync, {fd});
    b.add(call::dup, {fd});
    b.add(call::close, {fd});
    b.add(call::unlinkat, {fd, 0, 0}, {{1, memory::device, 6, "small"}});
    b.add(call::mkdirat, {fd, 0, 0}, {{1, memory::device, 6, "other"}});
    end();
  }
  begin("wrong kinds of descriptors");
  const u32 read_only = b.open("small", O_RDONLY, memory::device);
  b.on(read_only, call::write, {0, 10}, {{1, memory::device, 10}});
  b.on(read_only, call::ftruncate, {5});
  const u32 list = b.add(call::openat, {root, 0, O_RDONLY | O_DIRECTORY, 0}, {{1, memory::device, 2, "."}});
  b.on(list, call::read, {0, 10}, {{1, memory::device, 10}});
  b.on(list, call::pread64, {0, 10, 0}, {{1, memory::device, 10}});
  b.on(file, call::getdents64, {0, 100}, {{1, memory::device, 100}});
  b.on(file, call::openat, {0, O_RDONLY, 0}, {{1, memory::device, 6, "small"}});
  b.on(file, call::pread64, {0, 10, -1}, {{1, memory::device, 10}});
  b.on(file, call::pwrite64, {0, 10, -1}, {{1, memory::shared, 10}});
  end();
  check();
}

TEST_P(WrongInput, NullPointers) {
  begin("null");
  add_pointer_calls(0);
  const u32 list = b.add(call::openat, {root, 0, O_RDONLY | O_DIRECTORY, 0}, {{1, memory::device, 2, "."}});
  b.on(list, call::getdents64, {0, 1000});
  end();
  check();
}

TEST_P(WrongInput, WildPointers) {
  for (const long pointer : wild_pointers()) {
    begin("pointer " + std::to_string(pointer));
    add_pointer_calls(pointer);
    end();
  }
  check();
}

TEST_P(WrongInput, HostMemoryThatNobodyRegistered) {
  const auto memory_of_host = std::make_unique<u8[]>(4096);
  long on_stack[64] = {};
  for (const long pointer : {reinterpret_cast<long>(memory_of_host.get()), reinterpret_cast<long>(on_stack)}) {
    begin("host memory");
    add_pointer_calls(pointer, -EFAULT);
    end();
  }
  check();
}

TEST_P(WrongInput, Numbers) {
  begin("unknown numbers");
  for (const long number :
       {100'000l, 3838l, 3839l, 3840l, 3841l, 4095l, 4096l, -1l, -2l, 1l << 40, std::numeric_limits<long>::min()}) {
    b.raw(number, {1, 2, 3});
    b.must_give(-ENOSYS);
  }
  for (const long number : {long{SYS_exit}, long{SYS_exit_group}, long{SYS_execve}, long{SYS_execveat}, long{SYS_clone},
                            long{SYS_capset}}) {
    b.raw(number, {0, 0, 0});
    b.must_give(-EOPNOTSUPP);
  }
#if defined(__x86_64__)
  b.raw(SYS_fork, {});
  b.must_give(-EOPNOTSUPP);
  b.raw(SYS_vfork, {});
  b.must_give(-EOPNOTSUPP);
#endif
  end();
  begin("known ones");
  b.raw(SYS_getpid, {});
  b.raw(SYS_getppid, {1, 2, 3, 4, 5, 6});
  b.raw(SYS_getuid, {});
  b.raw(SYS_lseek, {-1, 0, 0});
  b.raw(SYS_close, {-1});
  b.raw(SYS_umask, {022});
  b.raw(SYS_umask, {022});
  b.raw(SYS_fcntl, {-1, F_GETFD});
  b.raw(SYS_madvise, {1, 2, 3});
  b.raw(SYS_pread64, {-1, 0, 0, 0});
  b.raw(SYS_write, {-1, 0x10, 4});
  end();
  check();
}

TEST_P(WrongInput, Lengths) {
  constexpr long huge[] = {-1, std::numeric_limits<long>::min(), std::numeric_limits<long>::max(), 1l << 47};
  for (const memory where : {memory::arena, memory::device}) {
    begin(std::string("lengths, ") + name_of(where));
    const auto buffer = [&](u32 arg) { return std::vector<book::content>{{arg, where, 4096}}; };
    for (const long n : huge) {
      b.on(file, call::pread64, {0, n, 0}, buffer(1));
      b.on(file, call::lseek, {0, SEEK_SET});
      b.on(file, call::read, {0, n}, buffer(1));
    }
    // More than the memory has, but less than an address space. Natively the result depends on where the buffer lies.
    b.on(file, call::pread64, {0, 1l << 40, 100}, buffer(1));
    b.must_give(0);
    b.on(file, call::lseek, {0, SEEK_END});
    b.on(file, call::read, {0, 1l << 40}, buffer(1));
    b.must_give(0);
    for (const long n : {-1l, std::numeric_limits<long>::min(), 1l << 47}) {
      b.on(file, call::write, {0, n}, buffer(1));
      b.on(file, call::pwrite64, {0, n, 0}, buffer(1));
    }
    b.on(file, call::read, {0, 0}, buffer(1));
    b.on(file, call::write, {0, 0}, buffer(1));
    b.on(file, call::pread64, {0, 0}, buffer(1));
    b.on(file, call::pread64, {16, 0});  // no byte is asked for, so Linux does not check the address
    b.on(file, call::write, {16, 0});
    b.add(call::getrandom, {16, 0, 0});
    const u32 list = b.add(call::openat, {root, 0, O_RDONLY | O_DIRECTORY, 0}, {{1, where, 2, "."}});
    b.on(list, call::getdents64, {0, 1}, buffer(1));
    end();
  }
  check();
}

TEST_P(WrongInput, Paths) {
  const auto repeated = [](std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += text.size() + 1 == bytes ? "." : "./";
    return text;
  };
  std::vector<std::string> paths{
      "", ".", "small/", "small/x", "/", std::string(255, 'n'), std::string(256, 'n'), "\xff\xfe", " ", "a\nb"};
  for (const std::size_t bytes : {4093u, 4094u, 4095u, 4096u, 4097u, 10'000u}) paths.push_back(repeated(bytes));
  for (const memory where : memories(fits_private)) {
    for (const std::string& path : paths) {
      if (where == memory::private_ && path.size() > 4096) continue;
      begin("path of " + std::to_string(path.size()) + " bytes in " + name_of(where));
      const auto text = [&](u32 arg) {
        return std::vector<book::content>{{arg, where, path.size() + 1, path + '\0', 5}};
      };
      const u32 opened = b.add(call::openat, {root, 0, O_RDONLY, 0}, text(1));
      b.on(opened, call::close, {});
      b.add(call::unlinkat, {root, 0, AT_REMOVEDIR}, text(1));
      if (path.size() > 300 || path.empty()) b.add(call::mkdirat, {root, 0, 0700}, text(1));
      end();
    }
  }
  check();
}

// The end of a device allocation stands for the end of a process's memory.
TEST_P(WrongInput, BuffersThatRunPastTheirAllocation) {
  runtime& rt = shared_runtime();
  const std::size_t bytes = 2 << 20;  // CUDA puts allocations of this size on pages of their own
  on_device<u8> memory(rt, bytes);
  memory.fill('x');
  const long end_of = reinterpret_cast<long>(memory.get() + bytes);
  begin("past the end");
  const auto must = [&](long value) { b.must_give(value); };
  b.on(file, call::pread64, {end_of - 60, 100, 0}), must(60);
  b.on(file, call::read, {end_of - 60, 100}), must(60);
  b.add(call::getrandom, {end_of - 16, 17, 0}), must(16);
  b.on(file, call::write, {end_of - 60, 100}), must(-EFAULT);
  b.on(file, call::pwrite64, {end_of - 60, 100, 0}), must(-EFAULT);
  b.on(file, call::fstat, {end_of - 100}), must(-EFAULT);
  b.add(call::clock_gettime, {CLOCK_REALTIME, end_of - 15}), must(-EFAULT);
  b.on(file, call::fstat, {end_of - static_cast<long>(sizeof(struct stat))}), must(0);
  end();
  begin("a path without end");
  b.add(call::openat, {root, end_of - 100'000, O_RDONLY, 0}), must(-ENAMETOOLONG);
  b.on(file, call::pread64, {end_of - 50'000, 100, 0}), must(100);
  end();
  check();
  rt.fill_device(memory.get() + bytes - 100, 'x', 100);
  b = book();
  begin("a path that the memory's end cuts");
  b.add(call::openat, {root, end_of - 100, O_RDONLY, 0}), must(-EFAULT);
  b.add(call::mkdirat, {root, end_of - 1, 0700}), must(-EFAULT);
  end();
  check();
}

INSTANTIATE_TEST_SUITE_P(Each, WrongInput, testing::ValuesIn(call_modes()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace attack
