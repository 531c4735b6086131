// SPDX-License-Identifier: Apache-2.0
// Message queues, semaphores, shared memory.
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "oracle.h"

namespace oracle {
namespace {

using enum plan_id;

trial& removes(trial& made, plan_id what) {
  made.same_value = false;
  made.after = [what](const outcome& o) {
    if (o.value < 0) return;
    const int id = static_cast<int>(o.value);
    if (what == msgget) ::msgctl(id, IPC_RMID, nullptr);
    if (what == semget) ::semctl(id, 0, IPC_RMID);
    if (what == shmget) ::shmctl(id, IPC_RMID, nullptr);
  };
  return made;
}

struct queued_message {
  long type = 7;
  char text[12] = "hello world";
};

// A call that removes something makes it anew each time.
trial& removed(trial& gone, std::function<long()> make) {
  gone.before = [&gone, make = std::move(make)] { gone.args[0] = make(); };
  return gone;
}

TEST(Ipc, Removed) {
  trials t;
  removed(t.good(msgctl_IPC_RMID, {0, IPC_RMID, 0}), [] { return ::msgget(IPC_PRIVATE, 0600); }).unless = {ENOSYS};
  removed(t.good(semctl_IPC_RMID, {0, 0, IPC_RMID, 0}), [] { return ::semget(IPC_PRIVATE, 1, 0600); });
  removed(t.good(shmctl_IPC_RMID, {0, IPC_RMID, 0}), [] { return ::shmget(IPC_PRIVATE, 4096, 0600); });
  t.check();
}

TEST(Ipc, Messages) {
  const int queue = ::msgget(IPC_PRIVATE, 0600);
  if (queue < 0) GTEST_SKIP() << "no System V message queues here";
  const auto empty = [queue] {
    queued_message drop;
    while (::msgrcv(queue, &drop, sizeof drop.text, 0, IPC_NOWAIT | MSG_NOERROR) >= 0) {
    }
  };
  const auto filled = [queue, empty] {
    empty();
    const queued_message sent;
    ::msgsnd(queue, &sent, sizeof sent.text, 0);
  };
  trials t;
  removes(t.good(msgget, {IPC_PRIVATE, 0600}), msgget);
  t.any(msgget, {0x4711'4711, 0});
  t.good(msgsnd, {queue, bytes(object(queued_message{}).content.substr(0, 8 + 5)), 5, IPC_NOWAIT}).before = empty;
  t.any(msgsnd, {queue, bytes(std::string(8 + 3, 0)), 3, IPC_NOWAIT}).before = empty;  // type 0
  for (const long size : {12, 40}) {
    t.good(msgrcv, {queue, output(8 + static_cast<u64>(size)), size, 0, IPC_NOWAIT}).before = filled;
  }
  t.good(msgrcv, {queue, output(8 + 5), 5, 0, IPC_NOWAIT | MSG_NOERROR}).before = filled;
  t.any(msgrcv, {queue, output(8 + 5), 5, 0, IPC_NOWAIT}).before = filled;
  t.any(msgrcv, {queue, output(8 + 5), 5, 0, IPC_NOWAIT}).before = empty;
  trial& about = t.good(msgctl_IPC_STAT, {queue, IPC_STAT, varying(output(sizeof(msqid_ds)), {{48, 24}, {72, 40}})});
  about.before = empty;
  msqid_ds now{};
  ::msgctl(queue, IPC_STAT, &now);
  t.good(msgctl_IPC_SET, {queue, IPC_SET, object(now)});
  t.good(msgctl_IPC_INFO, {0, IPC_INFO, varying(output(32))}).same_value = false;
  t.good(msgctl_MSG_INFO, {0, MSG_INFO, varying(output(32))}).same_value = false;
  t.any(msgctl_MSG_STAT, {1 << 20, MSG_STAT, output(sizeof(msqid_ds))});
  t.any(msgctl_MSG_STAT_ANY, {1 << 20, MSG_STAT_ANY, output(sizeof(msqid_ds))});
  t.any(msgctl_IPC_RMID, {-1, IPC_RMID, 0});
  t.check();
  ::msgctl(queue, IPC_RMID, nullptr);
}

TEST(Ipc, Semaphores) {
  const int set = ::semget(IPC_PRIVATE, 3, 0600);
  if (set < 0) GTEST_SKIP() << "no System V semaphores here";
  const auto zero = [set] {
    for (int i = 0; i < 3; ++i) ::semctl(set, i, SETVAL, 5);
  };
  trials t;
  removes(t.good(semget, {IPC_PRIVATE, 2, 0600}), semget);
  t.any(semget, {IPC_PRIVATE, -1, 0600});
  const sembuf two[2] = {{0, 1, 0}, {1, -1, 0}}, too_much[1] = {{2, -100, IPC_NOWAIT}};
  const timespec at_once{0, 0};
  t.good(semop, {set, object(two), 2}).before = zero;
  t.any(semop, {set, object(too_much), 1}).before = zero;
  t.any(semop, {set, object(two), 0});
  t.any(semop, {set, object(two), -1});
  t.good(semtimedop, {set, object(two), 2, object(at_once)}).before = zero;
  const sembuf waits[1] = {{2, -100, 0}};
  t.any(semtimedop, {set, object(waits), 1, object(at_once)}).before = zero;
  t.good(semctl_SETVAL, {set, 1, SETVAL, 9});
  const std::uint16_t values[3] = {1, 2, 3};
  t.good(semctl_SETALL, {set, 0, SETALL, object(values), 6});
  t.good(semctl_GETALL, {set, 0, GETALL, output(6), 6}).before = zero;
  t.any(semctl_GETALL, {0x7fff'0000, 0, GETALL, output(6), 6});
  t.any(semctl_SETVAL, {set, 1, SETVAL, -9});
  t.good(semctl_GETVAL, {set, 0, GETVAL, 0}).before = zero;
  t.good(semctl_GETPID, {set, 0, GETPID, 0}).before = zero;
  t.good(semctl_GETNCNT, {set, 0, GETNCNT, 0});
  t.good(semctl_GETZCNT, {set, 0, GETZCNT, 0});
  t.any(semctl_GETVAL, {set, 7, GETVAL, 0});
  t.good(semctl_IPC_STAT, {set, 0, IPC_STAT, varying(output(sizeof(semid_ds)), {{48, 32}})});
  semid_ds now{};
  ::semctl(set, 0, IPC_STAT, &now);
  t.good(semctl_IPC_SET, {set, 0, IPC_SET, object(now)});
  t.good(semctl_IPC_INFO, {0, 0, IPC_INFO, varying(output(40))}).same_value = false;
  t.good(semctl_SEM_INFO, {0, 0, SEM_INFO, varying(output(40))}).same_value = false;
  t.any(semctl_SEM_STAT, {1 << 20, 0, SEM_STAT, output(sizeof(semid_ds))});
  t.any(semctl_SEM_STAT_ANY, {1 << 20, 0, 20, output(sizeof(semid_ds))});
  t.any(semctl_IPC_RMID, {-1, 0, IPC_RMID, 0});
  t.check();
  ::semctl(set, 0, IPC_RMID);
}

TEST(Ipc, SharedMemory) {
  const int segment = ::shmget(IPC_PRIVATE, 4096, 0600);
  if (segment < 0) GTEST_SKIP() << "no System V shared memory here";
  trials t;
  removes(t.good(shmget, {IPC_PRIVATE, 4096, 0600}), shmget);
  t.any(shmget, {IPC_PRIVATE, 0, 0600});
  t.good(shmctl_IPC_STAT, {segment, IPC_STAT, varying(output(sizeof(shmid_ds)), {{56, 24}})});
  shmid_ds now{};
  ::shmctl(segment, IPC_STAT, &now);
  t.good(shmctl_IPC_SET, {segment, IPC_SET, object(now)});
  t.good(shmctl_IPC_INFO, {0, IPC_INFO, varying(output(72))}).same_value = false;
  t.good(shmctl_SHM_INFO, {0, SHM_INFO, varying(output(48))}).same_value = false;
  t.any(shmctl_SHM_STAT, {1 << 20, SHM_STAT, output(sizeof(shmid_ds))});
  t.any(shmctl_SHM_STAT_ANY, {1 << 20, 15, output(sizeof(shmid_ds))});
  t.good(shmctl_SHM_LOCK, {segment, SHM_LOCK, 0}).unless = {EPERM, ENOMEM};
  t.good(shmctl_SHM_UNLOCK, {segment, SHM_UNLOCK, 0}).unless = {EPERM};
  t.any(shmctl_IPC_RMID, {-1, IPC_RMID, 0});
  t.check();
  ::shmctl(segment, IPC_RMID, nullptr);
}

TEST(Ipc, PosixQueues) {
  const std::string name = "genesys-oracle-" + std::to_string(::getpid());
  // Small queues: a user's queues may hold little together (RLIMIT_MSGQUEUE), and the user may have others.
  mq_attr about{};
  about.mq_flags = O_NONBLOCK;  // mq_getsetattr below must not clear it
  about.mq_maxmsg = 2;
  about.mq_msgsize = 64;
  const auto make_queue = [about](const std::string& called) {
    mq_attr wanted = about;
    return ::mq_open(("/" + called).c_str(), O_RDWR | O_CREAT | O_NONBLOCK, 0600, &wanted);
  };
  const mqd_t queue = make_queue(name);
  if (queue < 0) GTEST_SKIP() << "no POSIX message queues here: " << std::strerror(errno);
  const mqd_t second = make_queue(name + "-gone");
  if (second < 0) GTEST_SKIP() << "no second POSIX message queue here: " << std::strerror(errno);
  ::mq_close(second);
  const u64 most = static_cast<u64>(about.mq_msgsize);
  const auto empty = [=] {
    std::string drop(most, 0);
    while (::mq_receive(queue, drop.data(), most, nullptr) >= 0) {
    }
  };
  trials t;
  gives_descriptor(t.good(plan_id::mq_open, {text(name), O_RDWR, 0, nullptr}));
  trial& made =
      gives_descriptor(t.good(plan_id::mq_open, {text(name + "-new"), O_RDWR | O_CREAT, 0600, object(about)}));
  made.before = [=] { ::mq_unlink(("/" + name + "-new").c_str()); };
  trial& gone = t.good(plan_id::mq_unlink, {text(name + "-gone")});
  gone.before = [=] {
    const mqd_t again = make_queue(name + "-gone");
    ASSERT_GE(again, 0) << std::strerror(errno);
    ::mq_close(again);
  };
  t.any(plan_id::mq_unlink, {text("nobody's-queue")});
  sigevent none{};
  none.sigev_notify = SIGEV_NONE;
  const auto unasked = [queue] { ::mq_notify(queue, nullptr); };
  t.good(plan_id::mq_notify, {queue, object(none)}).before = unasked;
  t.good(plan_id::mq_notify, {queue, nullptr}).before = unasked;
  sigevent wrong{};
  wrong.sigev_notify = 77;
  t.any(plan_id::mq_notify, {queue, object(wrong)}).before = unasked;
  t.good(mq_timedsend, {queue, bytes("hello"), 5, 3, nullptr}).before = empty;
  t.any(mq_timedsend, {queue, bytes(std::string(20, 'x')), -1, 3, nullptr}).before = empty;
  t.good(mq_timedreceive, {queue, output(most), most, output(4), nullptr}).before = [=] {
    empty();
    ::mq_send(queue, "hello", 5, 3);
  };
  t.any(mq_timedreceive, {queue, output(4), 4, nullptr, nullptr}).before = empty;
  t.good(mq_getsetattr, {queue, nullptr, output(64)}).before = empty;
  t.good(mq_getsetattr, {queue, object(about), output(64)}).before = empty;
  t.check();
  ::mq_close(queue);
  ::mq_unlink(("/" + name).c_str());
  ::mq_unlink(("/" + name + "-new").c_str());
  ::mq_unlink(("/" + name + "-gone").c_str());
}

}  // namespace
}  // namespace oracle
