// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys; do not edit. To regenerate: ./dev gen (tools/gen/main.py).
// Compares the table's structures and constants with the headers of the machine. Included by src/trace/decode.cpp only.
#pragma once

#include <fcntl.h>
#include "genesys/linux_types.h"
#include <linux/futex.h>
#include <linux/kcmp.h>
#include <linux/keyctl.h>
#include <linux/landlock.h>
#include <linux/stat.h>
#include <mqueue.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/quota.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <utime.h>

#include "genesys/detail/table/generated/plans.h"

namespace genesys::detail {

static_assert(sizeof(struct ::stat) == object_bytes::stat);
static_assert(sizeof(struct ::statx) == object_bytes::statx);
static_assert(sizeof(struct ::statfs) == object_bytes::statfs);
static_assert(sizeof(struct ::utimbuf) == object_bytes::utimbuf);
static_assert(sizeof(struct ::flock) == object_bytes::flock);
static_assert(sizeof(struct ::f_owner_ex) == object_bytes::f_owner_ex);
static_assert(sizeof(struct ::file_handle) == object_bytes::file_handle);
static_assert(sizeof(struct ::pollfd) == object_bytes::pollfd);
static_assert(sizeof(struct ::epoll_event) == object_bytes::epoll_event);
static_assert(sizeof(struct ::timespec) == object_bytes::timespec);
static_assert(sizeof(struct ::timeval) == object_bytes::timeval);
static_assert(sizeof(struct ::timezone) == object_bytes::timezone);
static_assert(sizeof(struct ::itimerspec) == object_bytes::itimerspec);
static_assert(sizeof(struct ::itimerval) == object_bytes::itimerval);
static_assert(sizeof(struct ::timex) == object_bytes::timex);
static_assert(sizeof(struct ::tms) == object_bytes::tms);
static_assert(sizeof(struct ::rusage) == object_bytes::rusage);
static_assert(sizeof(struct ::rlimit) == object_bytes::rlimit);
static_assert(sizeof(struct ::utsname) == object_bytes::utsname);
static_assert(sizeof(struct ::sysinfo) == object_bytes::sysinfo);
static_assert(sizeof(struct ::sched_param) == object_bytes::sched_param);
static_assert(sizeof(::siginfo_t) == object_bytes::siginfo);
static_assert(sizeof(struct ::sigevent) == object_bytes::sigevent);
static_assert(sizeof(struct ::landlock_path_beneath_attr) == object_bytes::landlock_path_beneath_attr);
static_assert(sizeof(struct ::kcmp_epoll_slot) == object_bytes::kcmp_epoll_slot);
static_assert(sizeof(struct ::msqid_ds) == object_bytes::msqid_ds);
static_assert(sizeof(struct ::msginfo) == object_bytes::msginfo);
static_assert(sizeof(struct ::semid_ds) == object_bytes::semid_ds);
static_assert(sizeof(struct ::sembuf) == object_bytes::sembuf);
static_assert(sizeof(struct ::seminfo) == object_bytes::seminfo);
static_assert(sizeof(struct ::shmid_ds) == object_bytes::shmid_ds);
static_assert(sizeof(struct ::shminfo) == object_bytes::shminfo);
static_assert(sizeof(struct ::shm_info) == object_bytes::shm_info);
static_assert(sizeof(struct ::mq_attr) == object_bytes::mq_attr);
static_assert(sizeof(struct ::winsize) == object_bytes::winsize);
static_assert(sizeof(::genesys::linux_termios) == object_bytes::termios);
static_assert(sizeof(struct ::iovec) == object_bytes::iovec);
static_assert(sizeof(struct ::msghdr) == object_bytes::msghdr);
static_assert(sizeof(struct ::mmsghdr) == object_bytes::mmsghdr);
static_assert(sizeof(::genesys::linux_sigset_argpack) == object_bytes::sigset_argpack);
static_assert(sizeof(::iovec) == object_bytes::remote_iovec);
static_assert(sizeof(struct ::dqblk) == object_bytes::dqblk);
static_assert(sizeof(struct ::dqinfo) == object_bytes::dqinfo);

#if defined(MSG_OOB)
static_assert(static_cast<std::uint32_t>(MSG_OOB) == 0x1u);
#endif
#if defined(MSG_TRUNC)
static_assert(static_cast<std::uint32_t>(MSG_TRUNC) == 0x20u);
#endif
#if defined(MSG_DONTWAIT)
static_assert(static_cast<std::uint32_t>(MSG_DONTWAIT) == 0x40u);
#endif
#if defined(MSG_WAITALL)
static_assert(static_cast<std::uint32_t>(MSG_WAITALL) == 0x100u);
#endif
#if defined(MSG_NOSIGNAL)
static_assert(static_cast<std::uint32_t>(MSG_NOSIGNAL) == 0x4000u);
#endif
#if defined(MSG_MORE)
static_assert(static_cast<std::uint32_t>(MSG_MORE) == 0x8000u);
#endif
#if defined(MSG_ERRQUEUE)
static_assert(static_cast<std::uint32_t>(MSG_ERRQUEUE) == 0x2000u);
#endif
#if defined(TCGETS)
static_assert(static_cast<std::uint32_t>(TCGETS) == 0x5401u);
#endif
#if defined(TCSETS)
static_assert(static_cast<std::uint32_t>(TCSETS) == 0x5402u);
#endif
#if defined(TCSETSW)
static_assert(static_cast<std::uint32_t>(TCSETSW) == 0x5403u);
#endif
#if defined(TCSETSF)
static_assert(static_cast<std::uint32_t>(TCSETSF) == 0x5404u);
#endif
#if defined(TCSBRK)
static_assert(static_cast<std::uint32_t>(TCSBRK) == 0x5409u);
#endif
#if defined(TCXONC)
static_assert(static_cast<std::uint32_t>(TCXONC) == 0x540au);
#endif
#if defined(TCFLSH)
static_assert(static_cast<std::uint32_t>(TCFLSH) == 0x540bu);
#endif
#if defined(TIOCGPGRP)
static_assert(static_cast<std::uint32_t>(TIOCGPGRP) == 0x540fu);
#endif
#if defined(TIOCGWINSZ)
static_assert(static_cast<std::uint32_t>(TIOCGWINSZ) == 0x5413u);
#endif
#if defined(TIOCSWINSZ)
static_assert(static_cast<std::uint32_t>(TIOCSWINSZ) == 0x5414u);
#endif
#if defined(FIONREAD)
static_assert(static_cast<std::uint32_t>(FIONREAD) == 0x541bu);
#endif
#if defined(FIONBIO)
static_assert(static_cast<std::uint32_t>(FIONBIO) == 0x5421u);
#endif
#if defined(FIONCLEX)
static_assert(static_cast<std::uint32_t>(FIONCLEX) == 0x5450u);
#endif
#if defined(FIOCLEX)
static_assert(static_cast<std::uint32_t>(FIOCLEX) == 0x5451u);
#endif
#if defined(BLKGETSIZE64)
static_assert(static_cast<std::uint32_t>(BLKGETSIZE64) == 0x80081272u);
#endif
#if defined(AT_SYMLINK_NOFOLLOW)
static_assert(static_cast<std::uint32_t>(AT_SYMLINK_NOFOLLOW) == 0x100u);
#endif
#if defined(AT_SYMLINK_FOLLOW)
static_assert(static_cast<std::uint32_t>(AT_SYMLINK_FOLLOW) == 0x400u);
#endif
#if defined(IN_DONT_FOLLOW)
static_assert(static_cast<std::uint32_t>(IN_DONT_FOLLOW) == 0x2000000u);
#endif
#if defined(FAN_MARK_DONT_FOLLOW)
static_assert(static_cast<std::uint32_t>(FAN_MARK_DONT_FOLLOW) == 0x4u);
#endif
#if defined(UMOUNT_NOFOLLOW)
static_assert(static_cast<std::uint32_t>(UMOUNT_NOFOLLOW) == 0x8u);
#endif
#if defined(FSPICK_SYMLINK_NOFOLLOW)
static_assert(static_cast<std::uint32_t>(FSPICK_SYMLINK_NOFOLLOW) == 0x2u);
#endif
#if defined(MOVE_MOUNT_F_SYMLINKS)
static_assert(static_cast<std::uint32_t>(MOVE_MOUNT_F_SYMLINKS) == 0x1u);
#endif
#if defined(MOVE_MOUNT_T_SYMLINKS)
static_assert(static_cast<std::uint32_t>(MOVE_MOUNT_T_SYMLINKS) == 0x10u);
#endif
#if defined(FSCONFIG_SET_FLAG)
static_assert(static_cast<std::uint32_t>(FSCONFIG_SET_FLAG) == 0x0u);
#endif
#if defined(FSCONFIG_SET_STRING)
static_assert(static_cast<std::uint32_t>(FSCONFIG_SET_STRING) == 0x1u);
#endif
#if defined(FSCONFIG_SET_BINARY)
static_assert(static_cast<std::uint32_t>(FSCONFIG_SET_BINARY) == 0x2u);
#endif
#if defined(FSCONFIG_SET_PATH)
static_assert(static_cast<std::uint32_t>(FSCONFIG_SET_PATH) == 0x3u);
#endif
#if defined(FSCONFIG_SET_PATH_EMPTY)
static_assert(static_cast<std::uint32_t>(FSCONFIG_SET_PATH_EMPTY) == 0x4u);
#endif
#if defined(FSCONFIG_SET_FD)
static_assert(static_cast<std::uint32_t>(FSCONFIG_SET_FD) == 0x5u);
#endif
#if defined(FSCONFIG_CMD_CREATE)
static_assert(static_cast<std::uint32_t>(FSCONFIG_CMD_CREATE) == 0x6u);
#endif
#if defined(FSCONFIG_CMD_RECONFIGURE)
static_assert(static_cast<std::uint32_t>(FSCONFIG_CMD_RECONFIGURE) == 0x7u);
#endif
#if defined(FSCONFIG_CMD_CREATE_EXCL)
static_assert(static_cast<std::uint32_t>(FSCONFIG_CMD_CREATE_EXCL) == 0x8u);
#endif
#if defined(LANDLOCK_RULE_PATH_BENEATH)
static_assert(static_cast<std::uint32_t>(LANDLOCK_RULE_PATH_BENEATH) == 0x1u);
#endif
#if defined(LANDLOCK_RULE_NET_PORT)
static_assert(static_cast<std::uint32_t>(LANDLOCK_RULE_NET_PORT) == 0x2u);
#endif
#if defined(KCMP_FILE)
static_assert(static_cast<std::uint32_t>(KCMP_FILE) == 0x0u);
#endif
#if defined(KCMP_VM)
static_assert(static_cast<std::uint32_t>(KCMP_VM) == 0x1u);
#endif
#if defined(KCMP_FILES)
static_assert(static_cast<std::uint32_t>(KCMP_FILES) == 0x2u);
#endif
#if defined(KCMP_FS)
static_assert(static_cast<std::uint32_t>(KCMP_FS) == 0x3u);
#endif
#if defined(KCMP_SIGHAND)
static_assert(static_cast<std::uint32_t>(KCMP_SIGHAND) == 0x4u);
#endif
#if defined(KCMP_IO)
static_assert(static_cast<std::uint32_t>(KCMP_IO) == 0x5u);
#endif
#if defined(KCMP_SYSVSEM)
static_assert(static_cast<std::uint32_t>(KCMP_SYSVSEM) == 0x6u);
#endif
#if defined(KCMP_EPOLL_TFD)
static_assert(static_cast<std::uint32_t>(KCMP_EPOLL_TFD) == 0x7u);
#endif
#if defined(IPC_RMID)
static_assert(static_cast<std::uint32_t>(IPC_RMID) == 0x0u);
#endif
#if defined(IPC_SET)
static_assert(static_cast<std::uint32_t>(IPC_SET) == 0x1u);
#endif
#if defined(IPC_STAT)
static_assert(static_cast<std::uint32_t>(IPC_STAT) == 0x2u);
#endif
#if defined(IPC_INFO)
static_assert(static_cast<std::uint32_t>(IPC_INFO) == 0x3u);
#endif
#if defined(GETPID)
static_assert(static_cast<std::uint32_t>(GETPID) == 0xbu);
#endif
#if defined(GETALL)
static_assert(static_cast<std::uint32_t>(GETALL) == 0xdu);
#endif
#if defined(SETALL)
static_assert(static_cast<std::uint32_t>(SETALL) == 0x11u);
#endif
#if defined(GETVAL)
static_assert(static_cast<std::uint32_t>(GETVAL) == 0xcu);
#endif
#if defined(GETNCNT)
static_assert(static_cast<std::uint32_t>(GETNCNT) == 0xeu);
#endif
#if defined(GETZCNT)
static_assert(static_cast<std::uint32_t>(GETZCNT) == 0xfu);
#endif
#if defined(SETVAL)
static_assert(static_cast<std::uint32_t>(SETVAL) == 0x10u);
#endif
#if defined(SEM_STAT)
static_assert(static_cast<std::uint32_t>(SEM_STAT) == 0x12u);
#endif
#if defined(SEM_INFO)
static_assert(static_cast<std::uint32_t>(SEM_INFO) == 0x13u);
#endif
#if defined(SEM_STAT_ANY)
static_assert(static_cast<std::uint32_t>(SEM_STAT_ANY) == 0x14u);
#endif
#if defined(MSG_STAT)
static_assert(static_cast<std::uint32_t>(MSG_STAT) == 0xbu);
#endif
#if defined(MSG_INFO)
static_assert(static_cast<std::uint32_t>(MSG_INFO) == 0xcu);
#endif
#if defined(MSG_STAT_ANY)
static_assert(static_cast<std::uint32_t>(MSG_STAT_ANY) == 0xdu);
#endif
#if defined(SHM_LOCK)
static_assert(static_cast<std::uint32_t>(SHM_LOCK) == 0xbu);
#endif
#if defined(SHM_UNLOCK)
static_assert(static_cast<std::uint32_t>(SHM_UNLOCK) == 0xcu);
#endif
#if defined(SHM_STAT)
static_assert(static_cast<std::uint32_t>(SHM_STAT) == 0xdu);
#endif
#if defined(SHM_INFO)
static_assert(static_cast<std::uint32_t>(SHM_INFO) == 0xeu);
#endif
#if defined(SHM_STAT_ANY)
static_assert(static_cast<std::uint32_t>(SHM_STAT_ANY) == 0xfu);
#endif
#if defined(F_DUPFD)
static_assert(static_cast<std::uint32_t>(F_DUPFD) == 0x0u);
#endif
#if defined(F_GETFD)
static_assert(static_cast<std::uint32_t>(F_GETFD) == 0x1u);
#endif
#if defined(F_SETFD)
static_assert(static_cast<std::uint32_t>(F_SETFD) == 0x2u);
#endif
#if defined(F_GETFL)
static_assert(static_cast<std::uint32_t>(F_GETFL) == 0x3u);
#endif
#if defined(F_SETFL)
static_assert(static_cast<std::uint32_t>(F_SETFL) == 0x4u);
#endif
#if defined(F_GETLK)
static_assert(static_cast<std::uint32_t>(F_GETLK) == 0x5u);
#endif
#if defined(F_SETLK)
static_assert(static_cast<std::uint32_t>(F_SETLK) == 0x6u);
#endif
#if defined(F_SETLKW)
static_assert(static_cast<std::uint32_t>(F_SETLKW) == 0x7u);
#endif
#if defined(F_SETOWN)
static_assert(static_cast<std::uint32_t>(F_SETOWN) == 0x8u);
#endif
#if defined(F_GETOWN)
static_assert(static_cast<std::uint32_t>(F_GETOWN) == 0x9u);
#endif
#if defined(F_SETSIG)
static_assert(static_cast<std::uint32_t>(F_SETSIG) == 0xau);
#endif
#if defined(F_GETSIG)
static_assert(static_cast<std::uint32_t>(F_GETSIG) == 0xbu);
#endif
#if defined(F_SETOWN_EX)
static_assert(static_cast<std::uint32_t>(F_SETOWN_EX) == 0xfu);
#endif
#if defined(F_GETOWN_EX)
static_assert(static_cast<std::uint32_t>(F_GETOWN_EX) == 0x10u);
#endif
#if defined(F_GETOWNER_UIDS)
static_assert(static_cast<std::uint32_t>(F_GETOWNER_UIDS) == 0x11u);
#endif
#if defined(F_OFD_GETLK)
static_assert(static_cast<std::uint32_t>(F_OFD_GETLK) == 0x24u);
#endif
#if defined(F_OFD_SETLK)
static_assert(static_cast<std::uint32_t>(F_OFD_SETLK) == 0x25u);
#endif
#if defined(F_OFD_SETLKW)
static_assert(static_cast<std::uint32_t>(F_OFD_SETLKW) == 0x26u);
#endif
#if defined(F_SETLEASE)
static_assert(static_cast<std::uint32_t>(F_SETLEASE) == 0x400u);
#endif
#if defined(F_GETLEASE)
static_assert(static_cast<std::uint32_t>(F_GETLEASE) == 0x401u);
#endif
#if defined(F_NOTIFY)
static_assert(static_cast<std::uint32_t>(F_NOTIFY) == 0x402u);
#endif
#if defined(F_DUPFD_QUERY)
static_assert(static_cast<std::uint32_t>(F_DUPFD_QUERY) == 0x403u);
#endif
#if defined(F_CREATED_QUERY)
static_assert(static_cast<std::uint32_t>(F_CREATED_QUERY) == 0x404u);
#endif
#if defined(F_DUPFD_CLOEXEC)
static_assert(static_cast<std::uint32_t>(F_DUPFD_CLOEXEC) == 0x406u);
#endif
#if defined(F_SETPIPE_SZ)
static_assert(static_cast<std::uint32_t>(F_SETPIPE_SZ) == 0x407u);
#endif
#if defined(F_GETPIPE_SZ)
static_assert(static_cast<std::uint32_t>(F_GETPIPE_SZ) == 0x408u);
#endif
#if defined(F_ADD_SEALS)
static_assert(static_cast<std::uint32_t>(F_ADD_SEALS) == 0x409u);
#endif
#if defined(F_GET_SEALS)
static_assert(static_cast<std::uint32_t>(F_GET_SEALS) == 0x40au);
#endif
#if defined(F_GET_RW_HINT)
static_assert(static_cast<std::uint32_t>(F_GET_RW_HINT) == 0x40bu);
#endif
#if defined(F_SET_RW_HINT)
static_assert(static_cast<std::uint32_t>(F_SET_RW_HINT) == 0x40cu);
#endif
#if defined(F_GET_FILE_RW_HINT)
static_assert(static_cast<std::uint32_t>(F_GET_FILE_RW_HINT) == 0x40du);
#endif
#if defined(F_SET_FILE_RW_HINT)
static_assert(static_cast<std::uint32_t>(F_SET_FILE_RW_HINT) == 0x40eu);
#endif
#if defined(SOL_SOCKET)
static_assert(static_cast<std::uint32_t>(SOL_SOCKET) == 0x1u);
#endif
#if defined(SOL_IP)
static_assert(static_cast<std::uint32_t>(SOL_IP) == 0x0u);
#endif
#if defined(SOL_TCP)
static_assert(static_cast<std::uint32_t>(SOL_TCP) == 0x6u);
#endif
#if defined(SOL_IPV6)
static_assert(static_cast<std::uint32_t>(SOL_IPV6) == 0x29u);
#endif
#if defined(SOL_SCTP)
static_assert(static_cast<std::uint32_t>(SOL_SCTP) == 0x84u);
#endif
#if defined(SOL_PACKET)
static_assert(static_cast<std::uint32_t>(SOL_PACKET) == 0x107u);
#endif
#if defined(SOL_RDS)
static_assert(static_cast<std::uint32_t>(SOL_RDS) == 0x114u);
#endif
#if defined(SOL_XDP)
static_assert(static_cast<std::uint32_t>(SOL_XDP) == 0x11bu);
#endif
#if defined(SO_ATTACH_FILTER)
static_assert(static_cast<std::uint32_t>(SO_ATTACH_FILTER) == 0x1au);
#endif
#if defined(SO_ATTACH_REUSEPORT_CBPF)
static_assert(static_cast<std::uint32_t>(SO_ATTACH_REUSEPORT_CBPF) == 0x33u);
#endif
#if defined(IPT_SO_SET_REPLACE)
static_assert(static_cast<std::uint32_t>(IPT_SO_SET_REPLACE) == 0x40u);
#endif
#if defined(ARPT_SO_SET_REPLACE)
static_assert(static_cast<std::uint32_t>(ARPT_SO_SET_REPLACE) == 0x60u);
#endif
#if defined(EBT_SO_SET_ENTRIES)
static_assert(static_cast<std::uint32_t>(EBT_SO_SET_ENTRIES) == 0x80u);
#endif
#if defined(TCP_ZEROCOPY_RECEIVE)
static_assert(static_cast<std::uint32_t>(TCP_ZEROCOPY_RECEIVE) == 0x23u);
#endif
#if defined(PACKET_FANOUT_DATA)
static_assert(static_cast<std::uint32_t>(PACKET_FANOUT_DATA) == 0x16u);
#endif
#if defined(XDP_UMEM_REG)
static_assert(static_cast<std::uint32_t>(XDP_UMEM_REG) == 0x4u);
#endif
#if defined(RDS_GET_MR)
static_assert(static_cast<std::uint32_t>(RDS_GET_MR) == 0x2u);
#endif
#if defined(RDS_GET_MR_FOR_DEST)
static_assert(static_cast<std::uint32_t>(RDS_GET_MR_FOR_DEST) == 0x7u);
#endif
#if defined(SCTP_SOCKOPT_CONNECTX3)
static_assert(static_cast<std::uint32_t>(SCTP_SOCKOPT_CONNECTX3) == 0x6fu);
#endif
#if defined(XATTR_ARGS_SIZE_VER0)
static_assert(static_cast<std::uint32_t>(XATTR_ARGS_SIZE_VER0) == 0x10u);
#endif
#if defined(FUTEX_WAIT)
static_assert(static_cast<std::uint32_t>(FUTEX_WAIT) == 0x0u);
#endif
#if defined(FUTEX_WAKE)
static_assert(static_cast<std::uint32_t>(FUTEX_WAKE) == 0x1u);
#endif
#if defined(FUTEX_REQUEUE)
static_assert(static_cast<std::uint32_t>(FUTEX_REQUEUE) == 0x3u);
#endif
#if defined(FUTEX_CMP_REQUEUE)
static_assert(static_cast<std::uint32_t>(FUTEX_CMP_REQUEUE) == 0x4u);
#endif
#if defined(FUTEX_WAKE_OP)
static_assert(static_cast<std::uint32_t>(FUTEX_WAKE_OP) == 0x5u);
#endif
#if defined(FUTEX_WAIT_BITSET)
static_assert(static_cast<std::uint32_t>(FUTEX_WAIT_BITSET) == 0x9u);
#endif
#if defined(FUTEX_WAKE_BITSET)
static_assert(static_cast<std::uint32_t>(FUTEX_WAKE_BITSET) == 0xau);
#endif
#if defined(FUTEX_PRIVATE_FLAG)
static_assert(static_cast<std::uint32_t>(FUTEX_PRIVATE_FLAG) == 0x80u);
#endif
#if defined(WNOHANG)
static_assert(static_cast<std::uint32_t>(WNOHANG) == 0x1u);
#endif
#if defined(WSTOPPED)
static_assert(static_cast<std::uint32_t>(WSTOPPED) == 0x2u);
#endif
#if defined(WEXITED)
static_assert(static_cast<std::uint32_t>(WEXITED) == 0x4u);
#endif
#if defined(WCONTINUED)
static_assert(static_cast<std::uint32_t>(WCONTINUED) == 0x8u);
#endif
#if defined(WNOWAIT)
static_assert(static_cast<std::uint32_t>(WNOWAIT) == 0x1000000u);
#endif
#if defined(KEYCTL_GET_KEYRING_ID)
static_assert(static_cast<std::uint32_t>(KEYCTL_GET_KEYRING_ID) == 0x0u);
#endif
#if defined(KEYCTL_UPDATE)
static_assert(static_cast<std::uint32_t>(KEYCTL_UPDATE) == 0x2u);
#endif
#if defined(KEYCTL_REVOKE)
static_assert(static_cast<std::uint32_t>(KEYCTL_REVOKE) == 0x3u);
#endif
#if defined(KEYCTL_CHOWN)
static_assert(static_cast<std::uint32_t>(KEYCTL_CHOWN) == 0x4u);
#endif
#if defined(KEYCTL_SETPERM)
static_assert(static_cast<std::uint32_t>(KEYCTL_SETPERM) == 0x5u);
#endif
#if defined(KEYCTL_DESCRIBE)
static_assert(static_cast<std::uint32_t>(KEYCTL_DESCRIBE) == 0x6u);
#endif
#if defined(KEYCTL_CLEAR)
static_assert(static_cast<std::uint32_t>(KEYCTL_CLEAR) == 0x7u);
#endif
#if defined(KEYCTL_LINK)
static_assert(static_cast<std::uint32_t>(KEYCTL_LINK) == 0x8u);
#endif
#if defined(KEYCTL_UNLINK)
static_assert(static_cast<std::uint32_t>(KEYCTL_UNLINK) == 0x9u);
#endif
#if defined(KEYCTL_SEARCH)
static_assert(static_cast<std::uint32_t>(KEYCTL_SEARCH) == 0xau);
#endif
#if defined(KEYCTL_READ)
static_assert(static_cast<std::uint32_t>(KEYCTL_READ) == 0xbu);
#endif
#if defined(KEYCTL_INSTANTIATE)
static_assert(static_cast<std::uint32_t>(KEYCTL_INSTANTIATE) == 0xcu);
#endif
#if defined(KEYCTL_NEGATE)
static_assert(static_cast<std::uint32_t>(KEYCTL_NEGATE) == 0xdu);
#endif
#if defined(KEYCTL_SET_TIMEOUT)
static_assert(static_cast<std::uint32_t>(KEYCTL_SET_TIMEOUT) == 0xfu);
#endif
#if defined(KEYCTL_GET_SECURITY)
static_assert(static_cast<std::uint32_t>(KEYCTL_GET_SECURITY) == 0x11u);
#endif
#if defined(KEYCTL_REJECT)
static_assert(static_cast<std::uint32_t>(KEYCTL_REJECT) == 0x13u);
#endif
#if defined(KEYCTL_INSTANTIATE_IOV)
static_assert(static_cast<std::uint32_t>(KEYCTL_INSTANTIATE_IOV) == 0x14u);
#endif
#if defined(KEYCTL_INVALIDATE)
static_assert(static_cast<std::uint32_t>(KEYCTL_INVALIDATE) == 0x15u);
#endif
#if defined(KEYCTL_GET_PERSISTENT)
static_assert(static_cast<std::uint32_t>(KEYCTL_GET_PERSISTENT) == 0x16u);
#endif
#if defined(KEYCTL_RESTRICT_KEYRING)
static_assert(static_cast<std::uint32_t>(KEYCTL_RESTRICT_KEYRING) == 0x1du);
#endif
#if defined(KEYCTL_MOVE)
static_assert(static_cast<std::uint32_t>(KEYCTL_MOVE) == 0x1eu);
#endif
#if defined(KEYCTL_CAPABILITIES)
static_assert(static_cast<std::uint32_t>(KEYCTL_CAPABILITIES) == 0x1fu);
#endif
#if defined(KEYCTL_WATCH_KEY)
static_assert(static_cast<std::uint32_t>(KEYCTL_WATCH_KEY) == 0x20u);
#endif
#if defined(QCMD_SYNC)
static_assert(static_cast<std::uint32_t>(QCMD_SYNC) == 0x80000100u);
#endif
#if defined(QCMD_QUOTAON)
static_assert(static_cast<std::uint32_t>(QCMD_QUOTAON) == 0x80000200u);
#endif
#if defined(QCMD_QUOTAOFF)
static_assert(static_cast<std::uint32_t>(QCMD_QUOTAOFF) == 0x80000300u);
#endif
#if defined(QCMD_GETFMT)
static_assert(static_cast<std::uint32_t>(QCMD_GETFMT) == 0x80000400u);
#endif
#if defined(QCMD_GETINFO)
static_assert(static_cast<std::uint32_t>(QCMD_GETINFO) == 0x80000500u);
#endif
#if defined(QCMD_SETINFO)
static_assert(static_cast<std::uint32_t>(QCMD_SETINFO) == 0x80000600u);
#endif
#if defined(QCMD_GETQUOTA)
static_assert(static_cast<std::uint32_t>(QCMD_GETQUOTA) == 0x80000700u);
#endif
#if defined(QCMD_SETQUOTA)
static_assert(static_cast<std::uint32_t>(QCMD_SETQUOTA) == 0x80000800u);
#endif
#if defined(QCMD_GETNEXTQUOTA)
static_assert(static_cast<std::uint32_t>(QCMD_GETNEXTQUOTA) == 0x80000900u);
#endif
#if defined(SYSFS_INDEX)
static_assert(static_cast<std::uint32_t>(SYSFS_INDEX) == 0x1u);
#endif
#if defined(SYSFS_NAME)
static_assert(static_cast<std::uint32_t>(SYSFS_NAME) == 0x2u);
#endif
#if defined(SYSFS_COUNT)
static_assert(static_cast<std::uint32_t>(SYSFS_COUNT) == 0x3u);
#endif

}  // namespace genesys::detail
