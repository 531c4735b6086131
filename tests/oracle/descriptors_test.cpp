// SPDX-License-Identifier: Apache-2.0
// Open files: their bytes, their copies, and descriptors that report events.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include <sys/inotify.h>
#include "genesys/linux_types.h"

#include "oracle.h"
#include "world.h"

namespace oracle {
namespace {

using enum plan_id;

constexpr int spare = 300;  // a number for descriptors that are opened and closed

TEST(Descriptors, Bytes) {
  world w;
  trials t;
  const auto at_start = [&](trial& one) { one.before = [&] { ::lseek(w.file(), 0, SEEK_SET); }; };
  for (const u64 size : {1, 7, 600, 2000}) {
    at_start(t.good(read, {w.file(), output(size), size}));
    t.good(pread64, {w.file(), output(size), size, 500});
    at_start(t.good(write, {w.file(), bytes(contract::patterned(size)), size}));
    t.good(pwrite64, {w.file(), bytes(contract::patterned(size)), size, 3});
    const auto reset = [&](trial& one) { one.before = [&] { w.reset(); }; };
    reset(t.good(read, {w.file(), output(size), size}));
  }
  t.good(getrandom, {varying(output(70)), 70, 0});
  t.good(lseek, {w.file(), 10, SEEK_SET});
  t.any(lseek, {w.file(), -10, SEEK_SET});
  t.good(ftruncate, {w.file(), 1000});
  t.good(fsync, {w.file()});
  t.good(fdatasync, {w.file()});
  t.good(syncfs, {w.file()});
  t.good(sync, {});
  t.good(sync_file_range, {w.file(), 0, 100, 2});
  t.good(fallocate, {w.file(), 0, 0, 100}).unless = {EOPNOTSUPP};
  t.any(fallocate, {w.file(), 0, 0, 0});
  t.good(fadvise64, {w.file(), 0, 0, 1});
  t.any(fadvise64, {w.file(), 0, 0, 99});
  t.good(readahead, {w.file(), 0, 100});
  t.good(flock, {w.file(), 2});
  t.any(flock, {w.file(), 99});
  const u64 range[2] = {0, 1000};
  t.good(cachestat, {w.file(), object(range), varying(output(40)), 0}).unless = {ENOSYS};
  t.any(cachestat, {w.file(), object(range), output(40), 1});
  t.check();
}

TEST(Descriptors, Copies) {
  world w;
  trials t;
  const contract::descriptor to = contract::made_file(contract::folder(), "to", "");
  const auto pipe = contract::made_pipe(O_CLOEXEC | O_NONBLOCK), second = contract::made_pipe(O_CLOEXEC | O_NONBLOCK);
  const auto rewind = [&] {
    ::lseek(w.file(), 0, SEEK_SET);
    ::lseek(to.get(), 0, SEEK_SET);
    char drop[4096];
    while (::read(pipe.out.get(), drop, sizeof drop) > 0) {
    }
    while (::read(second.out.get(), drop, sizeof drop) > 0) {
    }
    (void)!::write(pipe.in.get(), "0123456789", 10);
  };
  const long offset = 100;
  const auto fresh = [&](trial& one) { one.before = rewind; };
  fresh(t.good(sendfile, {to.get(), w.file(), nullptr, 500}));
  fresh(t.good(sendfile, {to.get(), w.file(), object(offset), 500}));
  fresh(t.good(copy_file_range, {w.file(), nullptr, to.get(), nullptr, 500, 0}));
  fresh(t.good(copy_file_range, {w.file(), object(offset), to.get(), object(offset), 500, 0}));
  fresh(t.good(splice, {w.file(), object(offset), pipe.in.get(), nullptr, 100, 0}));
  fresh(t.good(splice, {pipe.out.get(), nullptr, to.get(), object(offset), 10, 0}));
  fresh(t.any(splice, {w.file(), nullptr, to.get(), nullptr, 10, 0}));
  fresh(t.good(tee, {pipe.out.get(), second.in.get(), 10, 0}));
  fresh(t.any(tee, {w.file(), second.in.get(), 10, 0}));
  t.check();
}

TEST(Descriptors, Numbers) {
  world w;
  trials t;
  const auto fill = [&](trial& one) -> trial& {
    one.before = [&] { ::dup2(w.file(), spare); };
    one.after = [](const outcome&) { ::close(spare); };
    return one;
  };
  fill(t.good(close, {spare}));
  fill(t.good(dup2, {w.file(), spare}));
  fill(t.good(dup3, {w.file(), spare, O_CLOEXEC}));
  fill(t.any(dup3, {w.file(), w.file(), 0}));
  gives_descriptor(t.good(dup, {w.file()}));
  const auto pair = [&](trial& one) {
    one.after = [](const outcome& o) {
      int ends[2];
      if (o.value < 0) return;
      std::memcpy(ends, o.memory[o.memory[0].empty() ? 3 : 0].data(), sizeof ends);
      ::close(ends[0]);
      ::close(ends[1]);
    };
  };
  pair(t.good(plan_id::pipe, {varying(output(8))}));
  pair(t.good(pipe2, {varying(output(8)), O_NONBLOCK}));
  t.any(pipe2, {output(8), -1});
  pair(t.good(socketpair, {1, 1, 0, varying(output(8))}));
  gives_descriptor(t.good(socket, {1, 1, 0}));
  t.any(socket, {99, 1, 0});
  t.check();
}

TEST(Descriptors, Requests) {
  world w;
  trials t;
  const contract::descriptor terminal(::open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));
  const winsize size{20, 30, 1, 2};
  const int terminals = terminal.get();
  t.good(ioctl_TIOCSWINSZ, {terminals, TIOCSWINSZ, object(size)});
  t.good(ioctl_TIOCGWINSZ, {terminals, TIOCGWINSZ, output(sizeof size)});
  t.good(ioctl_TCGETS, {terminals, TCGETS, output(36)});
  genesys::linux_termios now{};
  ::ioctl(terminals, TCGETS, &now);
  for (const auto& [id, request] :
       {std::pair{ioctl_TCSETS, TCSETS}, {ioctl_TCSETSW, TCSETSW}, {ioctl_TCSETSF, TCSETSF}})
    t.good(id, {terminals, request, object(now)});
  t.good(ioctl_TCFLSH, {terminals, TCFLSH, 2});
  t.good(ioctl_TCSBRK, {terminals, TCSBRK, 1});
  t.good(ioctl_TCXONC, {terminals, TCXONC, 1});
  t.any(ioctl_TIOCGPGRP, {terminals, TIOCGPGRP, output(4)});
  t.good(ioctl_FIONREAD, {w.file(), FIONREAD, output(4)});
  t.good(ioctl_FIONBIO, {w.file(), FIONBIO, object(0)});
  t.good(ioctl_FIOCLEX, {w.file(), FIOCLEX});
  t.good(ioctl_FIONCLEX, {w.file(), FIONCLEX});
  t.any(ioctl_BLKGETSIZE64, {w.file(), 0x80081272, output(8)});
  t.any(ioctl_FBIOGET_VSCREENINFO, {w.file(), 0x4600, output(160)});
  t.any(ioctl_FBIOPUT_VSCREENINFO, {w.file(), 0x4601, bytes(std::string(160, 1))});
  t.any(ioctl_FBIOGET_FSCREENINFO, {w.file(), 0x4602, output(80)});
  t.check();
}

TEST(Descriptors, Fcntl) {
  world w;
  trials t;
  const int file = w.file();
  for (const auto& [id, command] : {std::pair{fcntl_F_DUPFD, F_DUPFD}, {fcntl_F_DUPFD_CLOEXEC, F_DUPFD_CLOEXEC}}) {
    gives_descriptor(t.good(id, {file, command, 100}));
    t.any(id, {file, command, -1});
  }
  t.good(fcntl_F_GETFD, {file, F_GETFD});
  t.good(fcntl_F_SETFD, {file, F_SETFD, FD_CLOEXEC});
  t.good(fcntl_F_GETFL, {file, F_GETFL});
  t.good(fcntl_F_SETFL, {file, F_SETFL, O_RDWR});
  struct flock part {};
  part.l_type = F_WRLCK;
  part.l_len = 10;
  struct flock wrong = part, apart = part;
  apart.l_start = 100;
  wrong.l_whence = 9;
  t.good(fcntl_F_GETLK, {file, F_GETLK, object(part)});
  t.good(fcntl_F_SETLK, {file, F_SETLK, object(part)});
  t.good(fcntl_F_SETLKW, {file, F_SETLKW, object(part)});
  t.any(fcntl_F_SETLK, {file, F_SETLK, object(wrong)});
  t.good(fcntl_F_OFD_GETLK, {file, F_OFD_GETLK, object(apart)});
  t.good(fcntl_F_OFD_SETLK, {file, F_OFD_SETLK, object(apart)});
  t.good(fcntl_F_OFD_SETLKW, {file, F_OFD_SETLKW, object(apart)});
  const f_owner_ex self{F_OWNER_PID, ::getpid()}, nobody{static_cast<__pid_type>(9), 0};
  t.good(fcntl_F_SETOWN, {file, F_SETOWN, ::getpid()});
  t.good(fcntl_F_GETOWN, {file, F_GETOWN}).same_value = false;
  t.good(fcntl_F_SETOWN_EX, {file, F_SETOWN_EX, object(self)});
  t.any(fcntl_F_SETOWN_EX, {file, F_SETOWN_EX, object(nobody)});
  t.good(fcntl_F_GETOWN_EX, {file, F_GETOWN_EX, output(8)});
  t.any(fcntl_F_GETOWNER_UIDS, {file, 17, output(8)});
  t.good(fcntl_F_SETSIG, {file, F_SETSIG, 0});
  t.good(fcntl_F_GETSIG, {file, F_GETSIG});
  t.any(fcntl_F_SETLEASE, {file, F_SETLEASE, 9});
  t.good(fcntl_F_GETLEASE, {file, F_GETLEASE});
  t.good(fcntl_F_NOTIFY, {w.fd(), F_NOTIFY, 0}).unless = {EINVAL};
  t.any(fcntl_F_DUPFD_QUERY, {file, 1027, file});
  t.any(fcntl_F_CREATED_QUERY, {file, 1028});
  const auto pipe = contract::made_pipe();
  t.good(fcntl_F_SETPIPE_SZ, {pipe.in.get(), F_SETPIPE_SZ, 8192});
  t.good(fcntl_F_GETPIPE_SZ, {pipe.in.get(), F_GETPIPE_SZ});
  t.any(fcntl_F_GETPIPE_SZ, {file, F_GETPIPE_SZ});
  const contract::descriptor memory(::memfd_create("oracle", MFD_ALLOW_SEALING));
  t.good(fcntl_F_ADD_SEALS, {memory.get(), F_ADD_SEALS, F_SEAL_SHRINK});
  t.good(fcntl_F_GET_SEALS, {memory.get(), F_GET_SEALS});
  const u64 hint = 2, unknown = 99;
  t.good(fcntl_F_SET_RW_HINT, {file, F_SET_RW_HINT, object(hint)});
  t.any(fcntl_F_SET_RW_HINT, {file, F_SET_RW_HINT, object(unknown)});
  t.good(fcntl_F_GET_RW_HINT, {file, F_GET_RW_HINT, output(8)});
  t.any(fcntl_F_GET_FILE_RW_HINT, {file, F_GET_FILE_RW_HINT, output(8)});
  t.any(fcntl_F_SET_FILE_RW_HINT, {file, F_SET_FILE_RW_HINT, object(hint)});
  t.check();
}

TEST(Descriptors, Poll) {
  world w;
  trials t;
  const auto pipe = contract::made_pipe();
  (void)!::write(pipe.in.get(), "x", 1);
  const pollfd both[2] = {{pipe.out.get(), POLLIN, 9}, {pipe.in.get(), POLLOUT, 9}}, closed[1] = {{1 << 20, POLLIN, 0}};
  const timespec none{0, 0}, short_one{0, 1'000'000}, wrong{0, -1};
  t.good(poll, {object(both), 2, 0});
  t.good(poll, {object(both), 2, 1000});
  t.good(poll, {object(closed), 1, 0});
  t.good(poll, {nullptr, 0, 1});
  t.any(poll, {object(both), 1 << 30, 0});
  const u64 signals = 1 << 3;
  t.good(ppoll, {object(both), 2, object(none), nullptr, 8});
  t.good(ppoll, {object(both), 2, varying(object(short_one)), object(signals), 8});
  t.any(ppoll, {object(both), 2, object(wrong), nullptr, 8});
  t.any(ppoll, {object(both), 2, object(none), object(signals), 9});
  u64 in[2] = {}, out[2] = {};
  in[pipe.out.get() / 64] |= u64{1} << pipe.out.get() % 64;
  out[pipe.in.get() / 64] |= u64{1} << pipe.in.get() % 64;
  const timeval at_once{0, 0};
  t.good(select, {128, object(in), object(out), nullptr, object(at_once)}).null_waits = true;
  t.good(select, {65, object(in), object(out), object(in), object(at_once)}).null_waits = true;
  t.good(select, {0, nullptr, nullptr, nullptr, object(at_once)}).null_waits = true;
  t.any(select, {-1, nullptr, nullptr, nullptr, object(at_once)});
  t.check();
}

TEST(Descriptors, Epoll) {
  trials t;
  const auto pipe = contract::made_pipe(), other = contract::made_pipe();
  (void)!::write(pipe.in.get(), "x", 1);
  const contract::descriptor set(::epoll_create1(EPOLL_CLOEXEC));
  epoll_event event{EPOLLIN, {.u64 = 0x1234'5678'9abc}};
  ::epoll_ctl(set.get(), EPOLL_CTL_ADD, pipe.out.get(), &event);
  event = {EPOLLOUT, {.u64 = 77}};
  ::epoll_ctl(set.get(), EPOLL_CTL_ADD, pipe.in.get(), &event);
  gives_descriptor(t.good(epoll_create, {1}));
  gives_descriptor(t.good(epoll_create1, {EPOLL_CLOEXEC}));
  t.any(epoll_create, {0});
  t.good(epoll_ctl, {set.get(), EPOLL_CTL_MOD, pipe.in.get(), object(event)});
  t.good(epoll_ctl, {set.get(), EPOLL_CTL_ADD, other.out.get(), object(event)}).after = [&](const outcome&) {
    ::epoll_ctl(set.get(), EPOLL_CTL_DEL, other.out.get(), nullptr);
  };
  t.any(epoll_ctl, {set.get(), EPOLL_CTL_DEL, other.out.get(), nullptr});
  const u64 signals = 1 << 3;
  const timespec none{0, 0};
  for (const long most : {1, 2, 5}) {
    const auto events = [&] { return varying(output(static_cast<u64>(most) * sizeof(epoll_event))); };
    t.good(epoll_wait, {set.get(), events(), most, 0});
    t.good(epoll_pwait, {set.get(), events(), most, 0, object(signals), 8});
    t.good(epoll_pwait2, {set.get(), events(), most, object(none), nullptr, 8});
  }
  t.good(epoll_wait, {set.get(), output(60), 5, 0});
  t.any(epoll_wait, {set.get(), output(12), 0, 0});
  t.any(epoll_wait, {set.get(), output(12), -1, 0});
  t.check();
}

TEST(Descriptors, Events) {
  world w;
  trials t;
  gives_descriptor(t.good(eventfd, {3}));
  gives_descriptor(t.good(eventfd2, {3, O_CLOEXEC}));
  t.any(eventfd2, {3, -1});
  const u64 signals = 1 << 9;
  gives_descriptor(t.any(signalfd, {-1, object(signals), 8}));
  gives_descriptor(t.any(signalfd4, {-1, object(signals), 8, O_CLOEXEC}));
  t.any(signalfd4, {-1, object(signals), 4, 0});
  gives_descriptor(t.good(timerfd_create, {CLOCK_MONOTONIC, 0}));
  t.any(timerfd_create, {99, 0});
  const contract::descriptor timer(static_cast<int>(::syscall(SYS_timerfd_create, CLOCK_MONOTONIC, 0)));
  const itimerspec stopped{}, far{{0, 0}, {1'000'000, 5}}, wrong{{0, 0}, {0, -1}};
  t.good(timerfd_settime, {timer.get(), 0, object(stopped), nullptr});
  t.good(timerfd_settime, {timer.get(), 0, object(stopped), output(32)});
  t.good(timerfd_gettime, {timer.get(), output(32)});
  t.good(timerfd_settime, {timer.get(), 0, object(far), varying(output(32))});
  t.any(timerfd_settime, {timer.get(), 0, object(wrong), output(32)});
  gives_descriptor(t.good(inotify_init, {}));
  gives_descriptor(t.good(inotify_init1, {O_CLOEXEC}));
  const contract::descriptor watches(static_cast<int>(::syscall(SYS_inotify_init1, 0)));
  t.good(inotify_add_watch, {watches.get(), text(w / "file"), 2});
  t.any(inotify_add_watch, {watches.get(), text(w / "nothing"), 2});
  t.any(inotify_rm_watch, {watches.get(), 1000});
  constexpr int fresh = 310;
  trial& unwatched = t.good(inotify_rm_watch, {fresh, 1});
  unwatched.before = [&] {
    const int made = ::inotify_init1(O_CLOEXEC);
    ::dup3(made, fresh, O_CLOEXEC);
    ::close(made);
    ::inotify_add_watch(fresh, (w / "file").c_str(), 2);
  };
  unwatched.after = [](const outcome&) { ::close(fresh); };
  gives_descriptor(t.good(fanotify_init, {0, O_RDONLY})).unless = {EPERM, ENOSYS};
  const contract::descriptor marks(static_cast<int>(::syscall(SYS_fanotify_init, 0, O_RDONLY)));
  if (marks.get() >= 0) t.good(fanotify_mark, {marks.get(), 1, 2, w.fd(), text("file")});
  t.any(fanotify_mark, {marks.get(), 1, -1, w.fd(), text("file")});
  gives_descriptor(t.good(userfaultfd, {1})).unless = {EPERM, ENOSYS};
  t.check();
}

}  // namespace
}  // namespace oracle
