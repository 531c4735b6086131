// SPDX-License-Identifier: Apache-2.0
// The system, its clocks, file systems and memory. What would change the machine is asked for in a way that Linux
// refuses.
#include <sys/mman.h>
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
  t.good(uname, {room(390)});
  t.good(sysinfo, {varying(room(112))});
  t.good(statfs, {text(w / "file"), varying(room(120), {{24, 16}, {40, 16}})});
  t.good(fstatfs, {w.file(), varying(room(120), {{24, 16}, {40, 16}})});
  struct stat about {};
  ::fstat(w.file(), &about);
  t.any(ustat, {static_cast<u32>(about.st_dev), varying(room(32))});
  t.any(ustat, {-1, room(32)});
  t.good(syslog, {10, nullptr, 0}).unless = {EPERM};  // SYSLOG_ACTION_SIZE_BUFFER
  t.any(syslog, {99, room(20), 20});
  t.any(syslog, {3, room(20), -1});
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
  t.any(statmount, {object(nobodys), room(200), 200, 0});
  nobodys.what = 0;
  t.any(listmount, {object(nobodys), room(80), 10, 0});
  nobodys.id = ~u64{0};  // LSMT_ROOT
  t.any(listmount, {object(nobodys), room(8 * 3), 3, 0});
  t.check();
}

TEST(System, Time) {
  trials t;
  t.good(time, {varying(room(8))}).same_value = false;
  t.good(time, {nullptr}).same_value = false;
  t.good(gettimeofday, {varying(room(16)), room(8)});
  t.good(clock_gettime, {CLOCK_MONOTONIC, varying(room(16))});
  t.good(clock_getres, {CLOCK_REALTIME, room(16)});
  t.any(clock_getres, {99, room(16)});
  const timeval wrong_time{0, -1};
  const timespec wrong{0, -1}, short_one{0, 200'000};
  t.any(settimeofday, {object(wrong_time), nullptr});
  t.any(clock_settime, {CLOCK_REALTIME, object(wrong)});
  t.any(clock_settime, {CLOCK_MONOTONIC, object(short_one)});
  t.good(nanosleep, {object(short_one), nullptr});
  t.any(nanosleep, {object(wrong), nullptr});
  t.good(clock_nanosleep, {CLOCK_MONOTONIC, 0, object(short_one), nullptr});
  t.good(clock_nanosleep, {CLOCK_REALTIME, 1, object(short_one), nullptr});
  t.any(clock_nanosleep, {CLOCK_MONOTONIC, 0, object(wrong), room(16)});
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
  t.good(getitimer, {ITIMER_REAL, room(32)});
  t.good(setitimer, {ITIMER_VIRTUAL, object(stopped), room(32)});
  t.good(setitimer, {ITIMER_VIRTUAL, object(stopped), nullptr});
  t.any(setitimer, {ITIMER_VIRTUAL, object(wrong_interval), nullptr});
  t.any(getitimer, {9, room(32)});
  t.good(alarm, {0});
  sigevent nothing{};
  nothing.sigev_notify = SIGEV_NONE;
  trial& made = t.good(timer_create, {CLOCK_MONOTONIC, object(nothing), varying(room(4))});
  made.after = [](const outcome& o) {
    int id;
    if (o.value < 0) return;
    std::memcpy(&id, o.memory[2].data(), sizeof id);
    ::syscall(SYS_timer_delete, id);
  };
  t.any(timer_create, {99, object(nothing), room(4)});
  int timer = 0;
  ASSERT_EQ(::syscall(SYS_timer_create, CLOCK_MONOTONIC, &nothing, &timer), 0);
  const itimerspec still{}, wrong{{0, 0}, {0, -1}};
  t.good(timer_settime, {timer, 0, object(still), room(32)});
  t.any(timer_settime, {timer, 0, object(wrong), room(32)});
  t.any(timer_settime, {-1, 0, object(still), room(32)});
  t.good(timer_gettime, {timer, room(32)});
  t.good(timer_getoverrun, {timer});
  t.any(timer_delete, {timer + 1000});
  t.check();
}

TEST(System, Memory) {
  trials t;
  u8 byte = 0;
  const u64 here = reinterpret_cast<u64>(&byte) & ~u64{4095};
  const u64 nodes = 1;
  const u64 pages[2] = {here, 0x10};
  t.any(mlockall, {0});
  t.good(munlockall, {});
  t.good(get_mempolicy, {room(4), room(128), 1024, 0, 0}).unless = {ENOSYS};
  t.any(get_mempolicy, {room(4), nullptr, 0, 0x10, 3});
  t.any(migrate_pages, {0x7fff'fff0, 64, object(nodes), object(nodes)});
  t.any(move_pages, {0, 2, object(pages), nullptr, room(8), 0});
  t.check();
}

// What is within one mapping that a kernel made; natively any memory would do. -ENOMEM: such is none.
TEST(System, MemoryThatNoKernelMapped) {
  u8* page = static_cast<u8*>(::mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(page, MAP_FAILED);
  const u64 at = reinterpret_cast<u64>(page);
  for (const plan_id id : {mlock, munlock, msync, mlock2, mincore, mbind, set_mempolicy_home_node}) {
    trial asked{id, {at, 8192, 0}};
    if (id == mincore) asked.args[2] = room(2);
    if (id == msync) asked.args[2] = MS_ASYNC;
    EXPECT_EQ(make_through_genesys(asked, memory::arena, scope::thread, 0).value, -ENOMEM) << name_of(id);
  }
  ::munmap(page, 8192);
}

}  // namespace
}  // namespace oracle
