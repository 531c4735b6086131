// SPDX-License-Identifier: Apache-2.0
// Pointers to pointers: iovec and similar arrays.
#include <signal.h>
#include <sys/wait.h>

#include "oracle.h"
#include "world.h"

namespace oracle {
namespace {

using enum plan_id;

TEST(Vectors, Files) {
  trials t;
  world w;
  const int file = w.file();
  const auto rewound = [&](trial& one) -> trial& {
    one.before = [&w, file] {
      w.reset();
      ::lseek(file, 0, SEEK_SET);
    };
    return one;
  };
  rewound(t.good(readv, {file, pieces({output(10), output(20), output(3)}), 3}));
  rewound(t.good(readv, {file, pieces({output(900), output(300), output(5)}), 3}));  // the file has 1,000 bytes
  rewound(t.good(readv, {file, pieces({{nullptr, 0}, output(7), {nullptr, 0}}), 3}));
  rewound(t.any(readv, {file, pieces({output(10), {0x10, 20}, output(3)}), 3}));
  rewound(t.any(readv, {file, pieces({{output(10), u64{1} << 63}}), 1}));
  rewound(t.any(readv, {file, pieces({output(10)}), 0}));
  rewound(t.any(readv, {file, pieces({output(10)}), -1}));
  rewound(t.any(readv, {file, pieces({output(10)}), 5000}));
  t.good(preadv, {file, pieces({output(100), output(33)}), 2, 17});
  t.any(preadv, {file, pieces({output(100), output(33)}), 2, -1});
  t.good(preadv2, {file, pieces({output(100), output(33)}), 2, 17, 0, 0});
  rewound(t.good(preadv2, {file, pieces({output(100), output(33)}), 2, -1, 0, 0}));
  t.any(preadv2, {file, pieces({output(100), output(33)}), 2, 17, 0, -1});
  const auto written = [&](trial& one, u64 at) {
    rewound(one).after = [&w, file, at](const outcome& o) {
      std::string now(12, 0);
      if (o.value == 12) {
        EXPECT_EQ(::pread(file, now.data(), 12, static_cast<off_t>(at)), 12);
        EXPECT_EQ(now, "hello, world");
      }
    };
  };
  const auto hello = [] { return pieces({bytes("hello"), bytes(", "), {nullptr, 0}, bytes("world")}); };
  written(t.good(writev, {file, hello(), 4}), 0);
  written(t.good(pwritev, {file, hello(), 4, 100}), 100);
  written(t.good(pwritev2, {file, hello(), 4, 50, 0, 0}), 50);
  rewound(t.any(writev, {file, pieces({bytes("hello"), {0x10, 5}}), 2}));
  rewound(t.any(writev, {file, hello(), 2000}));
  t.check();
}

TEST(Vectors, Pipes) {
  trials t;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  const auto empty = [&] {
    char drop[1000];
    while (::read(ends[0], drop, sizeof drop) > 0) {
    }
  };
  t.good(vmsplice, {ends[1], pieces({bytes("hello"), bytes("world")}), 2, 0}).before = empty;
  t.any(vmsplice, {ends[1], pieces({bytes("hello")}), 5000, 0}).before = empty;
  t.any(vmsplice, {ends[1], pieces({bytes("hello")}), 1, -1}).before = empty;
  t.good(readv, {ends[0], pieces({output(3), output(50)}), 2}).before = [&, empty] {
    empty();
    EXPECT_EQ(::write(ends[1], "hello", 5), 5);
  };
  t.any(readv, {ends[0], pieces({output(3), output(50)}), 2}).before = empty;
  t.check();
  ::close(ends[0]);
  ::close(ends[1]);
}

// A blocking pipe and entries without bytes: Linux returns at once, so the call is not parked.
TEST(Vectors, NothingToWaitFor) {
  trials t;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  t.good(readv, {ends[0], pieces({{nullptr, 0}, {nullptr, 0}}), 2});
  t.good(readv, {ends[0], nullptr, 0});
  t.any(readv, {ends[0], nullptr, 2});
  t.any(readv, {ends[0], 0x10, 2});
  t.check();
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Vectors, Attributes) {
  trials t;
  world w;
  const auto args = [](argument value, u32 size, u32 flags = 0) {
    return pieces({{std::move(value), size | static_cast<u64>(flags) << 32}});
  };
  const std::string name = "user.genesys";
  t.good(setxattrat, {w.fd(), text("file"), 0, text(name), args(bytes("value"), 5), 16}).unless = {ENOSYS, ENOTSUP};
  t.good(getxattrat, {w.fd(), text("file"), 0, text(name), args(output(50), 50), 16}).unless = {ENOSYS, ENOTSUP};
  t.good(getxattrat, {w.fd(), text("file"), 0, text(name), args(nullptr, 0), 16}).unless = {ENOSYS, ENOTSUP};
  t.any(getxattrat, {w.fd(), text("file"), 0, text(name), args(output(2), 2), 16});
  t.any(getxattrat, {w.fd(), text("file"), 0, text("user.none"), args(output(50), 50), 16});
  t.any(setxattrat, {w.fd(), text("file"), 0, text(name), args(bytes("value"), 5, 7), 16});
  t.check();
}

TEST(Vectors, Select) {
  trials t;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const u64 in[1] = {u64{1} << ends[0]}, out[1] = {u64{1} << ends[1]}, none = 0;
  const timespec at_once{}, short_one{0, 2'000'000};
  const u64 most = static_cast<u64>(std::max(ends[0], ends[1])) + 1;
  ASSERT_LT(most, 64u);
  const auto signals = [&] { return pieces({object(none)}); };
  t.good(pselect6, {most, object(in), object(out), nullptr, object(at_once), signals()}).null_waits = true;
  t.good(pselect6, {most, object(in), nullptr, nullptr, varying(object(short_one)), nullptr}).null_waits = true;
  t.any(pselect6, {most, object(in), object(out), nullptr, object(at_once), pieces({{object(none), 7}})});
  t.check();
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Vectors, OtherProcesses) {
  static char theirs[64] = "what the other process has in its memory";
  const pid_t other = ::fork();
  ASSERT_GE(other, 0);
  if (other == 0) {
    for (;;) ::pause();
  }
  trials t;
  const u64 at = reinterpret_cast<u64>(theirs);
  const auto remote = [&](u64 first, u64 second) {
    const u64 entries[4] = {at, first, at + 20, second};
    return object(entries);
  };
  const std::vector<int> refused = {EPERM, ENOSYS};
  t.good(process_vm_readv, {other, pieces({output(9), output(11)}), 2, remote(10, 10), 2, 0}).unless = refused;
  t.good(process_vm_readv, {other, pieces({output(50)}), 1, remote(10, 5), 2, 0}).unless = refused;
  trial& written = t.good(process_vm_writev, {other, pieces({bytes("hello"), bytes("world")}), 2, remote(8, 2), 2, 0});
  written.unless = refused;
  written.after = [&](const outcome& o) {
    if (o.value != 10) return;
    char now[22] = {};
    const iovec to{now, sizeof now}, from{theirs, sizeof now};
    EXPECT_EQ(::process_vm_readv(other, &to, 1, &from, 1, 0), 22);
    EXPECT_EQ(std::string(now, 8) + std::string(now + 20, 2), "helloworld");
  };
  t.any(process_vm_readv, {other, pieces({output(9)}), 1, remote(10, 10), 2, 1});
  t.any(process_vm_readv, {other, pieces({output(9)}), 1, 0x10, 2, 0});
  t.any(process_vm_readv, {0x7fff'fff0, pieces({output(9)}), 1, remote(10, 10), 2, 0});
  t.check();
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
}

// A kernel cannot use the host's own memory.
TEST(Vectors, OwnProcess) {
  static char own[16] = "secret";
  const u64 entry[2] = {reinterpret_cast<u64>(own), sizeof own};
  for (const long pid : {static_cast<long>(::getpid()), ::syscall(SYS_gettid)}) {
    const trial reads{process_vm_readv, {pid, pieces({output(16)}), 1, object(entry), 1, 0}};
    EXPECT_EQ(make_through_genesys(reads, memory::arena, scope::thread, 0).value, -EPERM);
    const trial writes{process_vm_writev, {pid, pieces({bytes("overwritten")}), 1, object(entry), 1, 0}};
    EXPECT_EQ(make_through_genesys(writes, memory::device, scope::thread, 0).value, -EPERM);
  }
  EXPECT_STREQ(own, "secret");
}

}  // namespace
}  // namespace oracle
