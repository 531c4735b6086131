// SPDX-License-Identifier: Apache-2.0
// The process, its rights, its threads, its signals.
#include <grp.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/wait.h>

#include "oracle.h"
#include "world.h"

namespace oracle {
namespace {

using enum plan_id;

TEST(Process, Numbers) {
  trials t;
  for (const plan_id id : {getuid, geteuid, getgid, getegid, getpid, getppid, getpgrp}) t.good(id, {});
  t.good(gettid, {}).same_value = false;
  for (const plan_id id : {getresuid, getresgid}) t.good(id, {output(4), output(4), output(4)});
  t.good(getpgid, {0});
  t.good(getsid, {0});
  t.any(getpgid, {-1});
  t.any(getsid, {0x7fff'fff0});
  t.any(setpgid, {0x7fff'fff0, 0});
  const long many = ::getgroups(0, nullptr);
  t.good(getgroups, {many, output(static_cast<u64>(many) * 4)});
  t.good(getgroups, {100, output(400)});
  t.good(getgroups, {0, nullptr});
  t.any(getgroups, {-1, output(4)});
  t.check();
}

TEST(Process, Rights) {
  trials t;
  const u32 user = ::getuid(), group = ::getgid();
  t.good(setuid, {user});
  t.good(setgid, {group});
  t.good(setreuid, {-1, -1});
  t.good(setregid, {-1, -1});
  t.good(setresuid, {user, user, user});
  t.good(setresgid, {-1, group, -1});
  std::vector<gid_t> groups(static_cast<std::size_t>(::getgroups(0, nullptr)));
  ::getgroups(static_cast<int>(groups.size()), groups.data());
  const std::string list(reinterpret_cast<const char*>(groups.data()), groups.size() * 4);
  if (groups.empty()) t.good(setgroups, {0, nullptr}).unless = {EPERM};
  if (!groups.empty()) t.good(setgroups, {groups.size(), bytes(list)}).unless = {EPERM};
  t.any(setgroups, {1 << 20, nullptr});
  const u32 v3[2] = {_LINUX_CAPABILITY_VERSION_3, 0}, v1[2] = {_LINUX_CAPABILITY_VERSION_1, 0}, unknown[2] = {7, 0};
  t.good(capget, {object(v3), output(24)});
  t.good(capget, {object(v1), output(24)});
  t.any(capget, {object(unknown), output(24)});
  t.any(capget, {object(unknown), nullptr});
  t.any(landlock_create_ruleset, {nullptr, 0, 1});
  const u64 handled[1] = {1};
  gives_descriptor(t.good(landlock_create_ruleset, {object(handled), 8, 0})).unless = {ENOSYS, EOPNOTSUPP};
  world w;
  const contract::descriptor rules(static_cast<int>(::syscall(SYS_landlock_create_ruleset, handled, 8, 0)));
  std::string beneath(12, 0);
  beneath[0] = 1;
  const int folder = w.fd();
  std::memcpy(&beneath[8], &folder, 4);
  t.good(landlock_add_rule_LANDLOCK_RULE_PATH_BENEATH, {rules.get(), 1, bytes(beneath), 0}).unless = {EBADF};
  t.any(landlock_add_rule_LANDLOCK_RULE_NET_PORT, {rules.get(), 2, bytes(std::string(16, 0)), 0});
  const u32 space = 200, none = 0;
  t.any(lsm_list_modules, {varying(output(200)), object(space), 0});
  t.any(lsm_list_modules, {output(200), object(none), 0});
  t.any(lsm_get_self_attr, {100, varying(output(200)), object(space), 0});
  trial& key = t.any(add_key, {text("user"), text("genesys-oracle"), bytes("payload"), 7, -2});
  key.same_value = false;
  key.unless = {ENOSYS};
  t.any(add_key, {text("no such type"), text("name"), bytes("payload"), 7, -2});
  t.any(request_key, {text("user"), text("genesys-oracle: nobody's"), nullptr, 0});
  t.check();
}

TEST(Process, Limits) {
  trials t;
  rlimit now{};
  ::getrlimit(RLIMIT_CORE, &now);
  t.good(getrlimit, {RLIMIT_NOFILE, output(16)});
  t.any(getrlimit, {99, output(16)});
  t.good(setrlimit, {RLIMIT_CORE, object(now)});
  t.good(prlimit64, {0, RLIMIT_CORE, object(now), output(16)});
  t.good(prlimit64, {0, RLIMIT_CORE, nullptr, output(16)});
  t.any(prlimit64, {0x7fff'fff0, RLIMIT_CORE, nullptr, output(16)});
  t.good(getrusage, {RUSAGE_SELF, varying(output(144))});
  t.any(getrusage, {99, output(144)});
  t.good(times, {varying(output(32))}).same_value = false;
  t.good(times, {nullptr}).same_value = false;
  t.check();
}

TEST(Process, Scheduling) {
  trials t;
  t.good(getpriority, {PRIO_PROCESS, 0});
  t.any(getpriority, {9, 0});
  t.good(setpriority, {PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0)});
  t.any(setpriority, {9, 0, 0});
  const sched_param zero{}, wrong{77};
  t.good(sched_getparam, {0, output(4)});
  t.good(sched_setparam, {0, object(zero)});
  t.any(sched_setparam, {0, object(wrong)});
  t.good(sched_getscheduler, {0});
  t.good(sched_setscheduler, {0, SCHED_OTHER, object(zero)});
  t.any(sched_setscheduler, {0, 77, object(zero)});
  for (const plan_id id : {sched_get_priority_max, sched_get_priority_min}) {
    t.good(id, {SCHED_FIFO});
    t.any(id, {77});
  }
  t.good(sched_rr_get_interval, {0, varying(output(16))});
  cpu_set_t cpus;
  ::sched_getaffinity(0, sizeof cpus, &cpus);
  for (const u64 size : {8, 64, 128, 1024}) t.any(sched_getaffinity, {0, size, output(size)});
  t.good(sched_setaffinity, {0, sizeof cpus, object(cpus)});
  t.any(sched_setaffinity, {0, 8, bytes(std::string(8, 0))});
  std::string attributes(56, 0), unknown(72, 1);
  attributes[0] = 48;
  unknown[0] = 72;
  t.good(sched_setattr, {0, bytes(attributes.substr(0, 48)), 0});
  t.any(sched_setattr, {0, bytes(unknown), 0});
  for (const u64 size : {48, 56, 100}) t.good(sched_getattr, {0, varying(output(size), {{8, 48}}), size, 0});
  t.any(sched_getattr, {0, output(8), 8, 0});
  t.good(ioprio_get, {1, 0}).same_value = false;
  t.good(ioprio_set, {1, 0, 0x4004});
  t.any(ioprio_set, {7, 0, 0});
  t.good(getcpu, {varying(output(4)), output(4), 0});
  t.good(get_robust_list, {0, varying(output(8)), output(8)});
  t.good(membarrier, {0, 0, 0}).unless = {ENOSYS};
  t.any(membarrier, {1 << 30, 0, 0});
  t.check();
}

TEST(Process, Others) {
  trials t;
  const int self = ::getpid();
  t.any(wait4, {-1, output(4), WNOHANG, nullptr});
  pid_t child = -1;
  const auto dead_child = [&] {
    child = ::fork();
    if (child == 0) ::_exit(3);
    siginfo_t dead;
    ::waitid(P_PID, static_cast<id_t>(child), &dead, WEXITED | WNOWAIT);
  };
  const auto reap = [&](const outcome&) {
    if (child > 0) ::waitpid(child, nullptr, 0);
  };
  trial& waited = t.good(wait4, {-1, output(4), WNOHANG, varying(output(144))});
  waited.same_value = false;
  trial& told =
      t.good(waitid, {P_ALL, 0, varying(output(128), {{12, 4}, {16, 4}}), WEXITED | WNOHANG, varying(output(144))});
  for (trial* one : {&waited, &told}) {
    one->before = dead_child;
    one->after = reap;
  }
  t.any(waitid, {9, 0, output(128), WEXITED, nullptr});
  t.good(kill, {self, 0});
  t.any(kill, {self, 99});
  t.good(tkill, {self, 0});
  t.good(tgkill, {self, self, 0});
  t.any(tgkill, {self, -1, 0});
  siginfo_t info{};
  info.si_code = SI_QUEUE;
  info.si_signo = 0;
  t.good(rt_sigqueueinfo, {self, 0, object(info)});  // signal 0 only checks the right to send
  t.good(rt_tgsigqueueinfo, {self, self, 0, object(info)});
  t.any(rt_sigqueueinfo, {self, 77, object(info)});
  t.any(rt_tgsigqueueinfo, {self, self, 77, object(info)});
  t.any(rt_sigqueueinfo, {0x7fff'fff0, 0, object(info)});
  const contract::descriptor pidfd(static_cast<int>(::syscall(SYS_pidfd_open, self, 0)));
  gives_descriptor(t.good(pidfd_open, {self, 0}));
  t.any(pidfd_open, {-1, 0});
  t.good(pidfd_send_signal, {pidfd.get(), 0, nullptr, 0});
  world w;
  gives_descriptor(t.good(pidfd_getfd, {pidfd.get(), w.file(), 0})).unless = {EPERM};
  t.any(process_mrelease, {pidfd.get(), 0});
  const pid_t paused = ::fork();
  if (paused == 0) {
    for (;;) ::pause();
  }
  t.good(setpgid, {paused, 0});
  t.good(kcmp_KCMP_FILE, {self, self, 0, w.file(), w.file()}).unless = {ENOSYS, EPERM};
  const std::pair<plan_id, int> types[] = {{kcmp_KCMP_VM, 1},      {kcmp_KCMP_FILES, 2}, {kcmp_KCMP_FS, 3},
                                           {kcmp_KCMP_SIGHAND, 4}, {kcmp_KCMP_IO, 5},    {kcmp_KCMP_SYSVSEM, 6}};
  for (const auto& [id, type] : types) t.good(id, {self, self, type, 0, 0}).unless = {ENOSYS, EPERM};
  const u32 slot[3] = {1u << 20, 0, 0};
  t.any(kcmp_KCMP_EPOLL_TFD, {self, self, 7, w.file(), object(slot)});
  std::string attributes(136, 0), unknown(140, 1);
  attributes[0] = 1;                       // PERF_TYPE_SOFTWARE
  attributes[4] = static_cast<char>(136);  // the structure's size
  unknown[4] = static_cast<char>(140);
  unknown[5] = unknown[6] = unknown[7] = 0;
  gives_descriptor(t.good(perf_event_open, {bytes(attributes), 0, -1, -1, 0})).unless = {EPERM, EACCES, ENOENT, ENOSYS};
  t.any(perf_event_open, {bytes(unknown), 0, -1, -1, 0});
  t.check();
  ::kill(paused, SIGKILL);
  ::waitpid(paused, nullptr, 0);
}

TEST(Process, Signals) {
  trials t;
  t.good(rt_sigpending, {output(8), 8}).same_value = true;
  t.any(rt_sigpending, {output(16), 16});
  const u64 none = 0;
  const timespec at_once{0, 0}, wrong{0, -1};
  t.any(rt_sigtimedwait, {object(none), output(128), object(at_once), 8});
  t.any(rt_sigtimedwait, {object(none), output(128), object(wrong), 8});
  t.any(rt_sigtimedwait, {object(none), output(128), object(at_once), 9});
  t.check();
}

}  // namespace
}  // namespace oracle
