// SPDX-License-Identifier: Apache-2.0
// The system, its clocks and file systems. A call that could change the machine has arguments that Linux refuses.
#include <sys/quota.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/utsname.h>

#include "oracle.h"
#include "world.h"

namespace oracle {
namespace {

using enum plan_id;

TEST(System, Told) {
  world w;
  trials t;
  t.good(uname, {output(390)});
  t.good(sysinfo, {varying(output(112))});
  t.good(statfs, {text(w / "file"), varying(output(120), {{24, 16}, {40, 16}})});
  t.good(fstatfs, {w.file(), varying(output(120), {{24, 16}, {40, 16}})});
  struct stat about {};
  ::fstat(w.file(), &about);
  t.any(ustat, {static_cast<u32>(about.st_dev), varying(output(32))});
  t.any(ustat, {-1, output(32)});
  t.good(syslog, {10, nullptr, 0}).unless = {EPERM};  // SYSLOG_ACTION_SIZE_BUFFER
  t.any(syslog, {99, output(20), 20});
  t.any(syslog, {3, output(20), -1});
  t.check();
}

TEST(System, Refused) {
  world w;
  trials t;
  t.any(reboot, {1, 2, 3, nullptr});
  t.any(sethostname, {bytes("name"), -1});
  t.any(setdomainname, {bytes("name"), -1});
  t.any(sethostname, {0x10, 4});
  t.any(swapon, {text(w / "nothing"), 0});
  t.any(swapoff, {text(w / "nothing")});
  t.any(acct, {text(w / "nothing")});
  t.any(mount, {text("none"), text(w / "nothing"), text("no such type"), 0, nullptr});
  t.any(mount, {nullptr, text(w / "empty"), text("no such type"), 0, text("options")});
  t.any(umount2, {text(w / "nothing"), 0});
  t.any(pivot_root, {text(w / "nothing"), text(w / "empty")});
  t.any(chroot, {text(w / "nothing")});
  t.any(init_module, {bytes(std::string(100, 'x')), 100, text("")});
  t.any(finit_module, {1 << 20, text(""), 0});
  t.any(delete_module, {text("no such module"), O_NONBLOCK});
  t.any(kexec_file_load, {1 << 20, 1 << 20, 3, bytes(std::string("ab\0", 3)), 0});
  t.any(fsopen, {text("no such type"), 0});
  t.any(fspick, {w.fd(), text("nothing"), 0});
  t.any(fsmount, {w.file(), 0, 0});
  t.any(move_mount, {w.fd(), text("file"), w.fd(), text("nothing"), 0});
  gives_descriptor(t.any(open_tree, {w.fd(), text("empty"), 0}));
  gives_descriptor(t.any(open_tree_attr, {w.fd(), text("empty"), 0, nullptr, 0}));
  t.any(mount_setattr, {w.fd(), text("empty"), 0, bytes(std::string(32, 0)), 32});
  t.any(mount_setattr, {w.fd(), text("empty"), 0, bytes(std::string(8, 0)), 8});
  const int other = w.file();
  t.any(fsconfig_FSCONFIG_SET_FLAG, {other, 0, text("key"), 0, 0});
  t.any(fsconfig_FSCONFIG_SET_STRING, {other, 1, text("key"), text("value"), 0});
  t.any(fsconfig_FSCONFIG_SET_BINARY, {other, 2, text("key"), bytes("value"), 5});
  t.any(fsconfig_FSCONFIG_SET_PATH, {other, 3, text("key"), text("value"), AT_FDCWD});
  t.any(fsconfig_FSCONFIG_SET_PATH_EMPTY, {other, 4, text("key"), text(""), other});
  t.any(fsconfig_FSCONFIG_SET_FD, {other, 5, text("key"), 0, other});
  t.any(fsconfig_FSCONFIG_CMD_CREATE, {other, 6, 0, 0, 0});
  t.any(fsconfig_FSCONFIG_CMD_RECONFIGURE, {other, 7, 0, 0, 0});
  t.any(fsconfig_FSCONFIG_CMD_CREATE_EXCL, {other, 8, 0, 0, 0});
  struct {
    u32 size = 24, fd = 0;
    u64 id = ~u64{0}, what = 0;
  } nobodys;
  t.any(statmount, {object(nobodys), output(200), 200, 0});
  nobodys.what = 0;
  t.any(listmount, {object(nobodys), output(80), 10, 0});
  nobodys.id = ~u64{0};  // LSMT_ROOT
  t.any(listmount, {object(nobodys), output(8 * 3), 3, 0});
  t.check();
}

TEST(System, Time) {
  trials t;
  t.good(time, {varying(output(8))}).same_value = false;
  t.good(time, {nullptr}).same_value = false;
  t.good(gettimeofday, {varying(output(16)), output(8)});
  t.good(clock_gettime, {CLOCK_MONOTONIC, varying(output(16))});
  t.good(clock_getres, {CLOCK_REALTIME, output(16)});
  t.any(clock_getres, {99, output(16)});
  const timeval wrong_time{0, -1};
  const timespec wrong{0, -1}, short_one{0, 200'000};
  t.any(settimeofday, {object(wrong_time), nullptr});
  t.any(clock_settime, {CLOCK_REALTIME, object(wrong)});
  t.any(clock_settime, {CLOCK_MONOTONIC, object(short_one)});
  t.good(nanosleep, {object(short_one), nullptr});
  t.any(nanosleep, {object(wrong), nullptr});
  t.good(clock_nanosleep, {CLOCK_MONOTONIC, 0, object(short_one), nullptr});
  t.good(clock_nanosleep, {CLOCK_REALTIME, 1, object(short_one), nullptr});
  t.any(clock_nanosleep, {CLOCK_MONOTONIC, 0, object(wrong), output(16)});
  t.any(clock_nanosleep, {99, 0, object(short_one), nullptr});
  const timex look{};
  t.good(adjtimex, {varying(object(look))});
  t.good(clock_adjtime, {CLOCK_REALTIME, varying(object(look))});
  t.any(clock_adjtime, {CLOCK_MONOTONIC, object(look)});
  t.check();
}

TEST(System, Timers) {
  trials t;
  const itimerval stopped{}, wrong_interval{{0, -1}, {0, 0}};
  t.good(getitimer, {ITIMER_REAL, output(32)});
  t.good(setitimer, {ITIMER_VIRTUAL, object(stopped), output(32)});
  t.good(setitimer, {ITIMER_VIRTUAL, object(stopped), nullptr});
  t.any(setitimer, {ITIMER_VIRTUAL, object(wrong_interval), nullptr});
  t.any(getitimer, {9, output(32)});
  t.good(alarm, {0});
  sigevent nothing{};
  nothing.sigev_notify = SIGEV_NONE;
  trial& made = t.good(timer_create, {CLOCK_MONOTONIC, object(nothing), varying(output(4))});
  made.after = [](const outcome& o) {
    int id;
    if (o.value < 0) return;
    std::memcpy(&id, o.memory[2].data(), sizeof id);
    ::syscall(SYS_timer_delete, id);
  };
  t.any(timer_create, {99, object(nothing), output(4)});
  int timer = 0;
  ASSERT_EQ(::syscall(SYS_timer_create, CLOCK_MONOTONIC, &nothing, &timer), 0);
  const itimerspec still{}, wrong{{0, 0}, {0, -1}};
  t.good(timer_settime, {timer, 0, object(still), output(32)});
  t.any(timer_settime, {timer, 0, object(wrong), output(32)});
  t.any(timer_settime, {-1, 0, object(still), output(32)});
  t.good(timer_gettime, {timer, output(32)});
  t.good(timer_getoverrun, {timer});
  t.any(timer_delete, {timer + 1000});
  trial& deleted = t.good(timer_delete, {0});
  deleted.before = [&deleted, &nothing] {
    int id = 0;
    ::syscall(SYS_timer_create, CLOCK_MONOTONIC, &nothing, &id);
    deleted.args[0] = id;
  };
  t.check();
}

TEST(System, FileSystems) {
  trials t;
  t.good(sysfs_SYSFS_COUNT, {3}).unless = {ENOSYS};
  t.good(sysfs_SYSFS_INDEX, {1, text("proc")}).unless = {ENOSYS};
  t.any(sysfs_SYSFS_INDEX, {1, text("no such kind")});
  t.any(sysfs_SYSFS_NAME, {2, 100'000, output(64)});
  t.check();
}

// Linux writes only as many bytes as the name has, and the others keep their content.
TEST(System, NamesOfFileSystems) {
  const trial asked{sysfs_SYSFS_NAME, {2, 0, output(64)}};
  const outcome natively = make_natively(asked);
  if (natively.value == -ENOSYS) GTEST_SKIP() << "no sysfs call here";
  for (const memory where : {memory::arena, memory::device, memory::shared, memory::private_}) {
    const outcome got = make_through_genesys(asked, where, scope::thread, 0);
    EXPECT_EQ(got.value, natively.value);
    EXPECT_STREQ(got.memory[2].c_str(), natively.memory[2].c_str());
  }
}

// No file system here has quotas, so the calls give errors.
TEST(System, Quotas) {
  trials t;
  world w;
  constexpr u32 next = 0x800009;  // Q_GETNEXTQUOTA
  const std::pair<u32, plan_id> by_name[] = {{Q_SYNC, quotactl_QCMD_SYNC},         {Q_QUOTAOFF, quotactl_QCMD_QUOTAOFF},
                                             {Q_GETFMT, quotactl_QCMD_GETFMT},     {Q_GETINFO, quotactl_QCMD_GETINFO},
                                             {Q_SETINFO, quotactl_QCMD_SETINFO},   {Q_GETQUOTA, quotactl_QCMD_GETQUOTA},
                                             {Q_SETQUOTA, quotactl_QCMD_SETQUOTA}, {next, quotactl_QCMD_GETNEXTQUOTA}};
  const std::pair<u32, plan_id> by_file[] = {
      {Q_SYNC, quotactl_fd_QCMD_SYNC},         {Q_QUOTAOFF, quotactl_fd_QCMD_QUOTAOFF},
      {Q_GETFMT, quotactl_fd_QCMD_GETFMT},     {Q_GETINFO, quotactl_fd_QCMD_GETINFO},
      {Q_SETINFO, quotactl_fd_QCMD_SETINFO},   {Q_GETQUOTA, quotactl_fd_QCMD_GETQUOTA},
      {Q_SETQUOTA, quotactl_fd_QCMD_SETQUOTA}, {next, quotactl_fd_QCMD_GETNEXTQUOTA}};
  for (const int type : {USRQUOTA, GRPQUOTA, 77}) {
    for (const auto& [command, id] : by_name) t.any(id, {QCMD(command, type), text(w / "file"), 0, output(72)});
    for (const auto& [command, id] : by_file) t.any(id, {w.file(), QCMD(command, type), 0, output(72)});
    t.any(quotactl_QCMD_QUOTAON, {QCMD(Q_QUOTAON, type), text(w / "file"), 2, text(w / "link")});
    t.any(quotactl_fd_QCMD_QUOTAON, {w.file(), QCMD(Q_QUOTAON, type), 2, text(w / "link")});
  }
  t.any(quotactl_QCMD_SYNC, {QCMD(Q_SYNC, USRQUOTA), nullptr, 0, 0});
  t.check();
}

}  // namespace
}  // namespace oracle
