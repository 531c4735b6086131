// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys; do not edit. To regenerate: ./dev gen (tools/gen/main.py).
// Compares the table's structures and constants with the headers of the machine. Included by src/trace/checks.cpp only.
#pragma once

#include <fcntl.h>
#include "genesys/linux_types.h"
#include "genesys/spawn_request.h"
#include <linux/capability.h>
#include <linux/fb.h>
#include <linux/futex.h>
#include <linux/kcmp.h>
#include <linux/keyctl.h>
#include <linux/landlock.h>
#include <linux/membarrier.h>
#include <linux/mempolicy.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/perf_event.h>
#include <linux/reboot.h>
#include <linux/stat.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/quota.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include <cstddef>
#include <cstdint>

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
static_assert(sizeof(struct ::fb_var_screeninfo) == object_bytes::fb_var_screeninfo);
static_assert(sizeof(struct ::fb_fix_screeninfo) == object_bytes::fb_fix_screeninfo);
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
#if defined(FBIOGET_VSCREENINFO)
static_assert(static_cast<std::uint32_t>(FBIOGET_VSCREENINFO) == 0x4600u);
#endif
#if defined(FBIOPUT_VSCREENINFO)
static_assert(static_cast<std::uint32_t>(FBIOPUT_VSCREENINFO) == 0x4601u);
#endif
#if defined(FBIOGET_FSCREENINFO)
static_assert(static_cast<std::uint32_t>(FBIOGET_FSCREENINFO) == 0x4602u);
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
#if defined(GENESYS_SPAWN)
static_assert(static_cast<std::uint32_t>(GENESYS_SPAWN) == 0x73707764u);
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

// The sets by which the decoder prints. A constant may have the sign of an int.
#if defined(O_RDONLY)
static_assert(static_cast<std::uint32_t>(O_RDONLY) == 0x0u);
#endif
#if defined(O_WRONLY)
static_assert(static_cast<std::uint32_t>(O_WRONLY) == 0x1u);
#endif
#if defined(O_RDWR)
static_assert(static_cast<std::uint32_t>(O_RDWR) == 0x2u);
#endif
#if defined(O_ACCMODE)
static_assert(static_cast<std::uint32_t>(O_ACCMODE) == 0x3u);
#endif
#if defined(O_CREAT)
static_assert(static_cast<std::uint32_t>(O_CREAT) == 0x40u);
#endif
#if defined(O_EXCL)
static_assert(static_cast<std::uint32_t>(O_EXCL) == 0x80u);
#endif
#if defined(O_NOCTTY)
static_assert(static_cast<std::uint32_t>(O_NOCTTY) == 0x100u);
#endif
#if defined(O_TRUNC)
static_assert(static_cast<std::uint32_t>(O_TRUNC) == 0x200u);
#endif
#if defined(O_APPEND)
static_assert(static_cast<std::uint32_t>(O_APPEND) == 0x400u);
#endif
#if defined(O_NONBLOCK)
static_assert(static_cast<std::uint32_t>(O_NONBLOCK) == 0x800u);
#endif
#if defined(O_SYNC)
static_assert(static_cast<std::uint32_t>(O_SYNC) == 0x101000u);
#endif
#if defined(__O_SYNC)
static_assert(static_cast<std::uint32_t>(__O_SYNC) == 0x100000u);
#endif
#if defined(O_DSYNC)
static_assert(static_cast<std::uint32_t>(O_DSYNC) == 0x1000u);
#endif
#if defined(__x86_64__)
#if defined(O_DIRECT)
static_assert(static_cast<std::uint32_t>(O_DIRECT) == 0x4000u);
#endif
#if defined(O_NOFOLLOW)
static_assert(static_cast<std::uint32_t>(O_NOFOLLOW) == 0x20000u);
#endif
#elif defined(__aarch64__)
#if defined(O_DIRECT)
static_assert(static_cast<std::uint32_t>(O_DIRECT) == 0x10000u);
#endif
#if defined(O_NOFOLLOW)
static_assert(static_cast<std::uint32_t>(O_NOFOLLOW) == 0x8000u);
#endif
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
#if defined(O_NOATIME)
static_assert(static_cast<std::uint32_t>(O_NOATIME) == 0x40000u);
#endif
#if defined(O_CLOEXEC)
static_assert(static_cast<std::uint32_t>(O_CLOEXEC) == 0x80000u);
#endif
#if defined(O_PATH)
static_assert(static_cast<std::uint32_t>(O_PATH) == 0x200000u);
#endif
#if defined(__x86_64__)
#if defined(O_TMPFILE)
static_assert(static_cast<std::uint32_t>(O_TMPFILE) == 0x410000u);
#endif
#if defined(O_DIRECTORY)
static_assert(static_cast<std::uint32_t>(O_DIRECTORY) == 0x10000u);
#endif
#elif defined(__aarch64__)
#if defined(O_TMPFILE)
static_assert(static_cast<std::uint32_t>(O_TMPFILE) == 0x404000u);
#endif
#if defined(O_DIRECTORY)
static_assert(static_cast<std::uint32_t>(O_DIRECTORY) == 0x4000u);
#endif
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
#if defined(FASYNC)
static_assert(static_cast<std::uint32_t>(FASYNC) == 0x2000u);
#endif
#if defined(O_NOTIFICATION_PIPE)
static_assert(static_cast<std::uint32_t>(O_NOTIFICATION_PIPE) == 0x80u);
#endif
#if defined(FD_CLOEXEC)
static_assert(static_cast<std::uint32_t>(FD_CLOEXEC) == 0x1u);
#endif
#if defined(AT_REMOVEDIR)
static_assert(static_cast<std::uint32_t>(AT_REMOVEDIR) == 0x200u);
#endif
#if defined(AT_NO_AUTOMOUNT)
static_assert(static_cast<std::uint32_t>(AT_NO_AUTOMOUNT) == 0x800u);
#endif
#if defined(AT_EMPTY_PATH)
static_assert(static_cast<std::uint32_t>(AT_EMPTY_PATH) == 0x1000u);
#endif
#if defined(AT_RECURSIVE)
static_assert(static_cast<std::uint32_t>(AT_RECURSIVE) == 0x8000u);
#endif
#if defined(AT_STATX_SYNC_AS_STAT)
static_assert(static_cast<std::uint32_t>(AT_STATX_SYNC_AS_STAT) == 0x0u);
#endif
#if defined(AT_STATX_FORCE_SYNC)
static_assert(static_cast<std::uint32_t>(AT_STATX_FORCE_SYNC) == 0x2000u);
#endif
#if defined(AT_STATX_DONT_SYNC)
static_assert(static_cast<std::uint32_t>(AT_STATX_DONT_SYNC) == 0x4000u);
#endif
#if defined(AT_EACCESS)
static_assert(static_cast<std::uint32_t>(AT_EACCESS) == 0x200u);
#endif
#if defined(AT_HANDLE_MNT_ID_UNIQUE)
static_assert(static_cast<std::uint32_t>(AT_HANDLE_MNT_ID_UNIQUE) == 0x1u);
#endif
#if defined(F_OK)
static_assert(static_cast<std::uint32_t>(F_OK) == 0x0u);
#endif
#if defined(R_OK)
static_assert(static_cast<std::uint32_t>(R_OK) == 0x4u);
#endif
#if defined(W_OK)
static_assert(static_cast<std::uint32_t>(W_OK) == 0x2u);
#endif
#if defined(X_OK)
static_assert(static_cast<std::uint32_t>(X_OK) == 0x1u);
#endif
#if defined(S_IFSOCK)
static_assert(static_cast<std::uint32_t>(S_IFSOCK) == 0xc000u);
#endif
#if defined(S_IFLNK)
static_assert(static_cast<std::uint32_t>(S_IFLNK) == 0xa000u);
#endif
#if defined(S_IFREG)
static_assert(static_cast<std::uint32_t>(S_IFREG) == 0x8000u);
#endif
#if defined(S_IFBLK)
static_assert(static_cast<std::uint32_t>(S_IFBLK) == 0x6000u);
#endif
#if defined(S_IFDIR)
static_assert(static_cast<std::uint32_t>(S_IFDIR) == 0x4000u);
#endif
#if defined(S_IFCHR)
static_assert(static_cast<std::uint32_t>(S_IFCHR) == 0x2000u);
#endif
#if defined(S_IFIFO)
static_assert(static_cast<std::uint32_t>(S_IFIFO) == 0x1000u);
#endif
#if defined(S_ISUID)
static_assert(static_cast<std::uint32_t>(S_ISUID) == 0x800u);
#endif
#if defined(S_ISGID)
static_assert(static_cast<std::uint32_t>(S_ISGID) == 0x400u);
#endif
#if defined(S_ISVTX)
static_assert(static_cast<std::uint32_t>(S_ISVTX) == 0x200u);
#endif
#if defined(STATX_ALL)
static_assert(static_cast<std::uint32_t>(STATX_ALL) == 0xfffu);
#endif
#if defined(STATX_BASIC_STATS)
static_assert(static_cast<std::uint32_t>(STATX_BASIC_STATS) == 0x7ffu);
#endif
#if defined(STATX_TYPE)
static_assert(static_cast<std::uint32_t>(STATX_TYPE) == 0x1u);
#endif
#if defined(STATX_MODE)
static_assert(static_cast<std::uint32_t>(STATX_MODE) == 0x2u);
#endif
#if defined(STATX_NLINK)
static_assert(static_cast<std::uint32_t>(STATX_NLINK) == 0x4u);
#endif
#if defined(STATX_UID)
static_assert(static_cast<std::uint32_t>(STATX_UID) == 0x8u);
#endif
#if defined(STATX_GID)
static_assert(static_cast<std::uint32_t>(STATX_GID) == 0x10u);
#endif
#if defined(STATX_ATIME)
static_assert(static_cast<std::uint32_t>(STATX_ATIME) == 0x20u);
#endif
#if defined(STATX_MTIME)
static_assert(static_cast<std::uint32_t>(STATX_MTIME) == 0x40u);
#endif
#if defined(STATX_CTIME)
static_assert(static_cast<std::uint32_t>(STATX_CTIME) == 0x80u);
#endif
#if defined(STATX_INO)
static_assert(static_cast<std::uint32_t>(STATX_INO) == 0x100u);
#endif
#if defined(STATX_SIZE)
static_assert(static_cast<std::uint32_t>(STATX_SIZE) == 0x200u);
#endif
#if defined(STATX_BLOCKS)
static_assert(static_cast<std::uint32_t>(STATX_BLOCKS) == 0x400u);
#endif
#if defined(STATX_BTIME)
static_assert(static_cast<std::uint32_t>(STATX_BTIME) == 0x800u);
#endif
#if defined(STATX_MNT_ID)
static_assert(static_cast<std::uint32_t>(STATX_MNT_ID) == 0x1000u);
#endif
#if defined(STATX_DIOALIGN)
static_assert(static_cast<std::uint32_t>(STATX_DIOALIGN) == 0x2000u);
#endif
#if defined(STATX_MNT_ID_UNIQUE)
static_assert(static_cast<std::uint32_t>(STATX_MNT_ID_UNIQUE) == 0x4000u);
#endif
#if defined(STATX_SUBVOL)
static_assert(static_cast<std::uint32_t>(STATX_SUBVOL) == 0x8000u);
#endif
#if defined(STATX_WRITE_ATOMIC)
static_assert(static_cast<std::uint32_t>(STATX_WRITE_ATOMIC) == 0x10000u);
#endif
#if defined(STATX_ATTR_COMPRESSED)
static_assert(static_cast<std::uint32_t>(STATX_ATTR_COMPRESSED) == 0x4u);
#endif
#if defined(STATX_ATTR_IMMUTABLE)
static_assert(static_cast<std::uint32_t>(STATX_ATTR_IMMUTABLE) == 0x10u);
#endif
#if defined(STATX_ATTR_APPEND)
static_assert(static_cast<std::uint32_t>(STATX_ATTR_APPEND) == 0x20u);
#endif
#if defined(STATX_ATTR_NODUMP)
static_assert(static_cast<std::uint32_t>(STATX_ATTR_NODUMP) == 0x40u);
#endif
#if defined(STATX_ATTR_ENCRYPTED)
static_assert(static_cast<std::uint32_t>(STATX_ATTR_ENCRYPTED) == 0x800u);
#endif
#if defined(STATX_ATTR_AUTOMOUNT)
static_assert(static_cast<std::uint32_t>(STATX_ATTR_AUTOMOUNT) == 0x1000u);
#endif
#if defined(STATX_ATTR_MOUNT_ROOT)
static_assert(static_cast<std::uint32_t>(STATX_ATTR_MOUNT_ROOT) == 0x2000u);
#endif
#if defined(STATX_ATTR_VERITY)
static_assert(static_cast<std::uint32_t>(STATX_ATTR_VERITY) == 0x100000u);
#endif
#if defined(STATX_ATTR_DAX)
static_assert(static_cast<std::uint32_t>(STATX_ATTR_DAX) == 0x200000u);
#endif
#if defined(FALLOC_FL_KEEP_SIZE)
static_assert(static_cast<std::uint32_t>(FALLOC_FL_KEEP_SIZE) == 0x1u);
#endif
#if defined(FALLOC_FL_PUNCH_HOLE)
static_assert(static_cast<std::uint32_t>(FALLOC_FL_PUNCH_HOLE) == 0x2u);
#endif
#if defined(FALLOC_FL_NO_HIDE_STALE)
static_assert(static_cast<std::uint32_t>(FALLOC_FL_NO_HIDE_STALE) == 0x4u);
#endif
#if defined(FALLOC_FL_COLLAPSE_RANGE)
static_assert(static_cast<std::uint32_t>(FALLOC_FL_COLLAPSE_RANGE) == 0x8u);
#endif
#if defined(FALLOC_FL_ZERO_RANGE)
static_assert(static_cast<std::uint32_t>(FALLOC_FL_ZERO_RANGE) == 0x10u);
#endif
#if defined(FALLOC_FL_INSERT_RANGE)
static_assert(static_cast<std::uint32_t>(FALLOC_FL_INSERT_RANGE) == 0x20u);
#endif
#if defined(FALLOC_FL_UNSHARE_RANGE)
static_assert(static_cast<std::uint32_t>(FALLOC_FL_UNSHARE_RANGE) == 0x40u);
#endif
#if defined(LOCK_SH)
static_assert(static_cast<std::uint32_t>(LOCK_SH) == 0x1u);
#endif
#if defined(LOCK_EX)
static_assert(static_cast<std::uint32_t>(LOCK_EX) == 0x2u);
#endif
#if defined(LOCK_NB)
static_assert(static_cast<std::uint32_t>(LOCK_NB) == 0x4u);
#endif
#if defined(LOCK_UN)
static_assert(static_cast<std::uint32_t>(LOCK_UN) == 0x8u);
#endif
#if defined(LOCK_MAND)
static_assert(static_cast<std::uint32_t>(LOCK_MAND) == 0x20u);
#endif
#if defined(LOCK_READ)
static_assert(static_cast<std::uint32_t>(LOCK_READ) == 0x40u);
#endif
#if defined(LOCK_WRITE)
static_assert(static_cast<std::uint32_t>(LOCK_WRITE) == 0x80u);
#endif
#if defined(SYNC_FILE_RANGE_WAIT_BEFORE)
static_assert(static_cast<std::uint32_t>(SYNC_FILE_RANGE_WAIT_BEFORE) == 0x1u);
#endif
#if defined(SYNC_FILE_RANGE_WRITE)
static_assert(static_cast<std::uint32_t>(SYNC_FILE_RANGE_WRITE) == 0x2u);
#endif
#if defined(SYNC_FILE_RANGE_WAIT_AFTER)
static_assert(static_cast<std::uint32_t>(SYNC_FILE_RANGE_WAIT_AFTER) == 0x4u);
#endif
#if defined(SPLICE_F_MOVE)
static_assert(static_cast<std::uint32_t>(SPLICE_F_MOVE) == 0x1u);
#endif
#if defined(SPLICE_F_NONBLOCK)
static_assert(static_cast<std::uint32_t>(SPLICE_F_NONBLOCK) == 0x2u);
#endif
#if defined(SPLICE_F_MORE)
static_assert(static_cast<std::uint32_t>(SPLICE_F_MORE) == 0x4u);
#endif
#if defined(SPLICE_F_GIFT)
static_assert(static_cast<std::uint32_t>(SPLICE_F_GIFT) == 0x8u);
#endif
#if defined(MFD_CLOEXEC)
static_assert(static_cast<std::uint32_t>(MFD_CLOEXEC) == 0x1u);
#endif
#if defined(MFD_ALLOW_SEALING)
static_assert(static_cast<std::uint32_t>(MFD_ALLOW_SEALING) == 0x2u);
#endif
#if defined(MFD_HUGETLB)
static_assert(static_cast<std::uint32_t>(MFD_HUGETLB) == 0x4u);
#endif
#if defined(MFD_NOEXEC_SEAL)
static_assert(static_cast<std::uint32_t>(MFD_NOEXEC_SEAL) == 0x8u);
#endif
#if defined(MFD_EXEC)
static_assert(static_cast<std::uint32_t>(MFD_EXEC) == 0x10u);
#endif
#if defined(IN_NONBLOCK)
static_assert(static_cast<std::uint32_t>(IN_NONBLOCK) == 0x800u);
#endif
#if defined(IN_CLOEXEC)
static_assert(static_cast<std::uint32_t>(IN_CLOEXEC) == 0x80000u);
#endif
#if defined(IN_ACCESS)
static_assert(static_cast<std::uint32_t>(IN_ACCESS) == 0x1u);
#endif
#if defined(IN_MODIFY)
static_assert(static_cast<std::uint32_t>(IN_MODIFY) == 0x2u);
#endif
#if defined(IN_ATTRIB)
static_assert(static_cast<std::uint32_t>(IN_ATTRIB) == 0x4u);
#endif
#if defined(IN_CLOSE_WRITE)
static_assert(static_cast<std::uint32_t>(IN_CLOSE_WRITE) == 0x8u);
#endif
#if defined(IN_CLOSE_NOWRITE)
static_assert(static_cast<std::uint32_t>(IN_CLOSE_NOWRITE) == 0x10u);
#endif
#if defined(IN_OPEN)
static_assert(static_cast<std::uint32_t>(IN_OPEN) == 0x20u);
#endif
#if defined(IN_MOVED_FROM)
static_assert(static_cast<std::uint32_t>(IN_MOVED_FROM) == 0x40u);
#endif
#if defined(IN_MOVED_TO)
static_assert(static_cast<std::uint32_t>(IN_MOVED_TO) == 0x80u);
#endif
#if defined(IN_CREATE)
static_assert(static_cast<std::uint32_t>(IN_CREATE) == 0x100u);
#endif
#if defined(IN_DELETE)
static_assert(static_cast<std::uint32_t>(IN_DELETE) == 0x200u);
#endif
#if defined(IN_DELETE_SELF)
static_assert(static_cast<std::uint32_t>(IN_DELETE_SELF) == 0x400u);
#endif
#if defined(IN_MOVE_SELF)
static_assert(static_cast<std::uint32_t>(IN_MOVE_SELF) == 0x800u);
#endif
#if defined(IN_UNMOUNT)
static_assert(static_cast<std::uint32_t>(IN_UNMOUNT) == 0x2000u);
#endif
#if defined(IN_Q_OVERFLOW)
static_assert(static_cast<std::uint32_t>(IN_Q_OVERFLOW) == 0x4000u);
#endif
#if defined(IN_IGNORED)
static_assert(static_cast<std::uint32_t>(IN_IGNORED) == 0x8000u);
#endif
#if defined(IN_ONLYDIR)
static_assert(static_cast<std::uint32_t>(IN_ONLYDIR) == 0x1000000u);
#endif
#if defined(IN_EXCL_UNLINK)
static_assert(static_cast<std::uint32_t>(IN_EXCL_UNLINK) == 0x4000000u);
#endif
#if defined(IN_MASK_CREATE)
static_assert(static_cast<std::uint32_t>(IN_MASK_CREATE) == 0x10000000u);
#endif
#if defined(IN_MASK_ADD)
static_assert(static_cast<std::uint32_t>(IN_MASK_ADD) == 0x20000000u);
#endif
#if defined(IN_ISDIR)
static_assert(static_cast<std::uint32_t>(IN_ISDIR) == 0x40000000u);
#endif
#if defined(IN_ONESHOT)
static_assert(static_cast<std::uint32_t>(IN_ONESHOT) == 0x80000000u);
#endif
#if defined(FAN_CLASS_NOTIF)
static_assert(static_cast<std::uint32_t>(FAN_CLASS_NOTIF) == 0x0u);
#endif
#if defined(FAN_CLASS_CONTENT)
static_assert(static_cast<std::uint32_t>(FAN_CLASS_CONTENT) == 0x4u);
#endif
#if defined(FAN_CLASS_PRE_CONTENT)
static_assert(static_cast<std::uint32_t>(FAN_CLASS_PRE_CONTENT) == 0x8u);
#endif
#if defined(FAN_CLOEXEC)
static_assert(static_cast<std::uint32_t>(FAN_CLOEXEC) == 0x1u);
#endif
#if defined(FAN_NONBLOCK)
static_assert(static_cast<std::uint32_t>(FAN_NONBLOCK) == 0x2u);
#endif
#if defined(FAN_UNLIMITED_QUEUE)
static_assert(static_cast<std::uint32_t>(FAN_UNLIMITED_QUEUE) == 0x10u);
#endif
#if defined(FAN_UNLIMITED_MARKS)
static_assert(static_cast<std::uint32_t>(FAN_UNLIMITED_MARKS) == 0x20u);
#endif
#if defined(FAN_ENABLE_AUDIT)
static_assert(static_cast<std::uint32_t>(FAN_ENABLE_AUDIT) == 0x40u);
#endif
#if defined(FAN_REPORT_PIDFD)
static_assert(static_cast<std::uint32_t>(FAN_REPORT_PIDFD) == 0x80u);
#endif
#if defined(FAN_REPORT_TID)
static_assert(static_cast<std::uint32_t>(FAN_REPORT_TID) == 0x100u);
#endif
#if defined(FAN_REPORT_FID)
static_assert(static_cast<std::uint32_t>(FAN_REPORT_FID) == 0x200u);
#endif
#if defined(FAN_REPORT_DIR_FID)
static_assert(static_cast<std::uint32_t>(FAN_REPORT_DIR_FID) == 0x400u);
#endif
#if defined(FAN_REPORT_NAME)
static_assert(static_cast<std::uint32_t>(FAN_REPORT_NAME) == 0x800u);
#endif
#if defined(FAN_REPORT_TARGET_FID)
static_assert(static_cast<std::uint32_t>(FAN_REPORT_TARGET_FID) == 0x1000u);
#endif
#if defined(FAN_MARK_ADD)
static_assert(static_cast<std::uint32_t>(FAN_MARK_ADD) == 0x1u);
#endif
#if defined(FAN_MARK_REMOVE)
static_assert(static_cast<std::uint32_t>(FAN_MARK_REMOVE) == 0x2u);
#endif
#if defined(FAN_MARK_ONLYDIR)
static_assert(static_cast<std::uint32_t>(FAN_MARK_ONLYDIR) == 0x8u);
#endif
#if defined(FAN_MARK_MOUNT)
static_assert(static_cast<std::uint32_t>(FAN_MARK_MOUNT) == 0x10u);
#endif
#if defined(FAN_MARK_IGNORED_MASK)
static_assert(static_cast<std::uint32_t>(FAN_MARK_IGNORED_MASK) == 0x20u);
#endif
#if defined(FAN_MARK_IGNORED_SURV_MODIFY)
static_assert(static_cast<std::uint32_t>(FAN_MARK_IGNORED_SURV_MODIFY) == 0x40u);
#endif
#if defined(FAN_MARK_FLUSH)
static_assert(static_cast<std::uint32_t>(FAN_MARK_FLUSH) == 0x80u);
#endif
#if defined(FAN_MARK_FILESYSTEM)
static_assert(static_cast<std::uint32_t>(FAN_MARK_FILESYSTEM) == 0x100u);
#endif
#if defined(FAN_MARK_EVICTABLE)
static_assert(static_cast<std::uint32_t>(FAN_MARK_EVICTABLE) == 0x200u);
#endif
#if defined(FAN_MARK_IGNORE)
static_assert(static_cast<std::uint32_t>(FAN_MARK_IGNORE) == 0x400u);
#endif
#if defined(FAN_ACCESS)
static_assert(static_cast<std::uint32_t>(FAN_ACCESS) == 0x1u);
#endif
#if defined(FAN_MODIFY)
static_assert(static_cast<std::uint32_t>(FAN_MODIFY) == 0x2u);
#endif
#if defined(FAN_ATTRIB)
static_assert(static_cast<std::uint32_t>(FAN_ATTRIB) == 0x4u);
#endif
#if defined(FAN_CLOSE_WRITE)
static_assert(static_cast<std::uint32_t>(FAN_CLOSE_WRITE) == 0x8u);
#endif
#if defined(FAN_CLOSE_NOWRITE)
static_assert(static_cast<std::uint32_t>(FAN_CLOSE_NOWRITE) == 0x10u);
#endif
#if defined(FAN_OPEN)
static_assert(static_cast<std::uint32_t>(FAN_OPEN) == 0x20u);
#endif
#if defined(FAN_MOVED_FROM)
static_assert(static_cast<std::uint32_t>(FAN_MOVED_FROM) == 0x40u);
#endif
#if defined(FAN_MOVED_TO)
static_assert(static_cast<std::uint32_t>(FAN_MOVED_TO) == 0x80u);
#endif
#if defined(FAN_CREATE)
static_assert(static_cast<std::uint32_t>(FAN_CREATE) == 0x100u);
#endif
#if defined(FAN_DELETE)
static_assert(static_cast<std::uint32_t>(FAN_DELETE) == 0x200u);
#endif
#if defined(FAN_DELETE_SELF)
static_assert(static_cast<std::uint32_t>(FAN_DELETE_SELF) == 0x400u);
#endif
#if defined(FAN_MOVE_SELF)
static_assert(static_cast<std::uint32_t>(FAN_MOVE_SELF) == 0x800u);
#endif
#if defined(FAN_OPEN_EXEC)
static_assert(static_cast<std::uint32_t>(FAN_OPEN_EXEC) == 0x1000u);
#endif
#if defined(FAN_Q_OVERFLOW)
static_assert(static_cast<std::uint32_t>(FAN_Q_OVERFLOW) == 0x4000u);
#endif
#if defined(FAN_FS_ERROR)
static_assert(static_cast<std::uint32_t>(FAN_FS_ERROR) == 0x8000u);
#endif
#if defined(FAN_OPEN_PERM)
static_assert(static_cast<std::uint32_t>(FAN_OPEN_PERM) == 0x10000u);
#endif
#if defined(FAN_ACCESS_PERM)
static_assert(static_cast<std::uint32_t>(FAN_ACCESS_PERM) == 0x20000u);
#endif
#if defined(FAN_OPEN_EXEC_PERM)
static_assert(static_cast<std::uint32_t>(FAN_OPEN_EXEC_PERM) == 0x40000u);
#endif
#if defined(FAN_EVENT_ON_CHILD)
static_assert(static_cast<std::uint32_t>(FAN_EVENT_ON_CHILD) == 0x8000000u);
#endif
#if defined(FAN_RENAME)
static_assert(static_cast<std::uint32_t>(FAN_RENAME) == 0x10000000u);
#endif
#if defined(FAN_ONDIR)
static_assert(static_cast<std::uint32_t>(FAN_ONDIR) == 0x40000000u);
#endif
#if defined(RWF_HIPRI)
static_assert(static_cast<std::uint32_t>(RWF_HIPRI) == 0x1u);
#endif
#if defined(RWF_DSYNC)
static_assert(static_cast<std::uint32_t>(RWF_DSYNC) == 0x2u);
#endif
#if defined(RWF_SYNC)
static_assert(static_cast<std::uint32_t>(RWF_SYNC) == 0x4u);
#endif
#if defined(RWF_NOWAIT)
static_assert(static_cast<std::uint32_t>(RWF_NOWAIT) == 0x8u);
#endif
#if defined(RWF_APPEND)
static_assert(static_cast<std::uint32_t>(RWF_APPEND) == 0x10u);
#endif
#if defined(RWF_NOAPPEND)
static_assert(static_cast<std::uint32_t>(RWF_NOAPPEND) == 0x20u);
#endif
#if defined(RWF_ATOMIC)
static_assert(static_cast<std::uint32_t>(RWF_ATOMIC) == 0x40u);
#endif
#if defined(RWF_DONTCACHE)
static_assert(static_cast<std::uint32_t>(RWF_DONTCACHE) == 0x80u);
#endif
#if defined(RESOLVE_NO_XDEV)
static_assert(static_cast<std::uint32_t>(RESOLVE_NO_XDEV) == 0x1u);
#endif
#if defined(RESOLVE_NO_MAGICLINKS)
static_assert(static_cast<std::uint32_t>(RESOLVE_NO_MAGICLINKS) == 0x2u);
#endif
#if defined(RESOLVE_NO_SYMLINKS)
static_assert(static_cast<std::uint32_t>(RESOLVE_NO_SYMLINKS) == 0x4u);
#endif
#if defined(RESOLVE_BENEATH)
static_assert(static_cast<std::uint32_t>(RESOLVE_BENEATH) == 0x8u);
#endif
#if defined(RESOLVE_IN_ROOT)
static_assert(static_cast<std::uint32_t>(RESOLVE_IN_ROOT) == 0x10u);
#endif
#if defined(RESOLVE_CACHED)
static_assert(static_cast<std::uint32_t>(RESOLVE_CACHED) == 0x20u);
#endif
#if defined(XATTR_CREATE)
static_assert(static_cast<std::uint32_t>(XATTR_CREATE) == 0x1u);
#endif
#if defined(XATTR_REPLACE)
static_assert(static_cast<std::uint32_t>(XATTR_REPLACE) == 0x2u);
#endif
#if defined(PROT_NONE)
static_assert(static_cast<std::uint32_t>(PROT_NONE) == 0x0u);
#endif
#if defined(PROT_READ)
static_assert(static_cast<std::uint32_t>(PROT_READ) == 0x1u);
#endif
#if defined(PROT_WRITE)
static_assert(static_cast<std::uint32_t>(PROT_WRITE) == 0x2u);
#endif
#if defined(PROT_EXEC)
static_assert(static_cast<std::uint32_t>(PROT_EXEC) == 0x4u);
#endif
#if defined(PROT_SEM)
static_assert(static_cast<std::uint32_t>(PROT_SEM) == 0x8u);
#endif
#if defined(PROT_GROWSDOWN)
static_assert(static_cast<std::uint32_t>(PROT_GROWSDOWN) == 0x1000000u);
#endif
#if defined(PROT_GROWSUP)
static_assert(static_cast<std::uint32_t>(PROT_GROWSUP) == 0x2000000u);
#endif
#if defined(__x86_64__)
#elif defined(__aarch64__)
#if defined(PROT_BTI)
static_assert(static_cast<std::uint32_t>(PROT_BTI) == 0x10u);
#endif
#if defined(PROT_MTE)
static_assert(static_cast<std::uint32_t>(PROT_MTE) == 0x20u);
#endif
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
#if defined(MAP_FILE)
static_assert(static_cast<std::uint32_t>(MAP_FILE) == 0x0u);
#endif
#if defined(MAP_SHARED)
static_assert(static_cast<std::uint32_t>(MAP_SHARED) == 0x1u);
#endif
#if defined(MAP_PRIVATE)
static_assert(static_cast<std::uint32_t>(MAP_PRIVATE) == 0x2u);
#endif
#if defined(MAP_SHARED_VALIDATE)
static_assert(static_cast<std::uint32_t>(MAP_SHARED_VALIDATE) == 0x3u);
#endif
#if defined(MAP_DROPPABLE)
static_assert(static_cast<std::uint32_t>(MAP_DROPPABLE) == 0x8u);
#endif
#if defined(MAP_FIXED)
static_assert(static_cast<std::uint32_t>(MAP_FIXED) == 0x10u);
#endif
#if defined(MAP_ANONYMOUS)
static_assert(static_cast<std::uint32_t>(MAP_ANONYMOUS) == 0x20u);
#endif
#if defined(__x86_64__)
#if defined(MAP_32BIT)
static_assert(static_cast<std::uint32_t>(MAP_32BIT) == 0x40u);
#endif
#elif defined(__aarch64__)
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
#if defined(MAP_NORESERVE)
static_assert(static_cast<std::uint32_t>(MAP_NORESERVE) == 0x4000u);
#endif
#if defined(MAP_POPULATE)
static_assert(static_cast<std::uint32_t>(MAP_POPULATE) == 0x8000u);
#endif
#if defined(MAP_NONBLOCK)
static_assert(static_cast<std::uint32_t>(MAP_NONBLOCK) == 0x10000u);
#endif
#if defined(MAP_GROWSDOWN)
static_assert(static_cast<std::uint32_t>(MAP_GROWSDOWN) == 0x100u);
#endif
#if defined(MAP_DENYWRITE)
static_assert(static_cast<std::uint32_t>(MAP_DENYWRITE) == 0x800u);
#endif
#if defined(MAP_EXECUTABLE)
static_assert(static_cast<std::uint32_t>(MAP_EXECUTABLE) == 0x1000u);
#endif
#if defined(MAP_LOCKED)
static_assert(static_cast<std::uint32_t>(MAP_LOCKED) == 0x2000u);
#endif
#if defined(MAP_STACK)
static_assert(static_cast<std::uint32_t>(MAP_STACK) == 0x20000u);
#endif
#if defined(MAP_HUGETLB)
static_assert(static_cast<std::uint32_t>(MAP_HUGETLB) == 0x40000u);
#endif
#if defined(MAP_SYNC)
static_assert(static_cast<std::uint32_t>(MAP_SYNC) == 0x80000u);
#endif
#if defined(MAP_FIXED_NOREPLACE)
static_assert(static_cast<std::uint32_t>(MAP_FIXED_NOREPLACE) == 0x100000u);
#endif
#if defined(MLOCK_ONFAULT)
static_assert(static_cast<std::uint32_t>(MLOCK_ONFAULT) == 0x1u);
#endif
#if defined(MCL_CURRENT)
static_assert(static_cast<std::uint32_t>(MCL_CURRENT) == 0x1u);
#endif
#if defined(MCL_FUTURE)
static_assert(static_cast<std::uint32_t>(MCL_FUTURE) == 0x2u);
#endif
#if defined(MCL_ONFAULT)
static_assert(static_cast<std::uint32_t>(MCL_ONFAULT) == 0x4u);
#endif
#if defined(MS_SYNC)
static_assert(static_cast<std::uint32_t>(MS_SYNC) == 0x4u);
#endif
#if defined(MS_ASYNC)
static_assert(static_cast<std::uint32_t>(MS_ASYNC) == 0x1u);
#endif
#if defined(MS_INVALIDATE)
static_assert(static_cast<std::uint32_t>(MS_INVALIDATE) == 0x2u);
#endif
#if defined(MPOL_DEFAULT)
static_assert(static_cast<std::uint32_t>(MPOL_DEFAULT) == 0x0u);
#endif
#if defined(MPOL_PREFERRED)
static_assert(static_cast<std::uint32_t>(MPOL_PREFERRED) == 0x1u);
#endif
#if defined(MPOL_BIND)
static_assert(static_cast<std::uint32_t>(MPOL_BIND) == 0x2u);
#endif
#if defined(MPOL_INTERLEAVE)
static_assert(static_cast<std::uint32_t>(MPOL_INTERLEAVE) == 0x3u);
#endif
#if defined(MPOL_LOCAL)
static_assert(static_cast<std::uint32_t>(MPOL_LOCAL) == 0x4u);
#endif
#if defined(MPOL_PREFERRED_MANY)
static_assert(static_cast<std::uint32_t>(MPOL_PREFERRED_MANY) == 0x5u);
#endif
#if defined(MPOL_WEIGHTED_INTERLEAVE)
static_assert(static_cast<std::uint32_t>(MPOL_WEIGHTED_INTERLEAVE) == 0x6u);
#endif
#if defined(MPOL_F_STATIC_NODES)
static_assert(static_cast<std::uint32_t>(MPOL_F_STATIC_NODES) == 0x8000u);
#endif
#if defined(MPOL_F_RELATIVE_NODES)
static_assert(static_cast<std::uint32_t>(MPOL_F_RELATIVE_NODES) == 0x4000u);
#endif
#if defined(MPOL_F_NUMA_BALANCING)
static_assert(static_cast<std::uint32_t>(MPOL_F_NUMA_BALANCING) == 0x2000u);
#endif
#if defined(MPOL_MF_STRICT)
static_assert(static_cast<std::uint32_t>(MPOL_MF_STRICT) == 0x1u);
#endif
#if defined(MPOL_MF_MOVE)
static_assert(static_cast<std::uint32_t>(MPOL_MF_MOVE) == 0x2u);
#endif
#if defined(MPOL_MF_MOVE_ALL)
static_assert(static_cast<std::uint32_t>(MPOL_MF_MOVE_ALL) == 0x4u);
#endif
#if defined(MPOL_F_NODE)
static_assert(static_cast<std::uint32_t>(MPOL_F_NODE) == 0x1u);
#endif
#if defined(MPOL_F_ADDR)
static_assert(static_cast<std::uint32_t>(MPOL_F_ADDR) == 0x2u);
#endif
#if defined(MPOL_F_MEMS_ALLOWED)
static_assert(static_cast<std::uint32_t>(MPOL_F_MEMS_ALLOWED) == 0x4u);
#endif
#if defined(SOCK_STREAM)
static_assert(static_cast<std::uint32_t>(SOCK_STREAM) == 0x1u);
#endif
#if defined(SOCK_DGRAM)
static_assert(static_cast<std::uint32_t>(SOCK_DGRAM) == 0x2u);
#endif
#if defined(SOCK_RAW)
static_assert(static_cast<std::uint32_t>(SOCK_RAW) == 0x3u);
#endif
#if defined(SOCK_RDM)
static_assert(static_cast<std::uint32_t>(SOCK_RDM) == 0x4u);
#endif
#if defined(SOCK_SEQPACKET)
static_assert(static_cast<std::uint32_t>(SOCK_SEQPACKET) == 0x5u);
#endif
#if defined(SOCK_DCCP)
static_assert(static_cast<std::uint32_t>(SOCK_DCCP) == 0x6u);
#endif
#if defined(SOCK_PACKET)
static_assert(static_cast<std::uint32_t>(SOCK_PACKET) == 0xau);
#endif
#if defined(SOCK_CLOEXEC)
static_assert(static_cast<std::uint32_t>(SOCK_CLOEXEC) == 0x80000u);
#endif
#if defined(SOCK_NONBLOCK)
static_assert(static_cast<std::uint32_t>(SOCK_NONBLOCK) == 0x800u);
#endif
#if defined(MSG_PEEK)
static_assert(static_cast<std::uint32_t>(MSG_PEEK) == 0x2u);
#endif
#if defined(MSG_DONTROUTE)
static_assert(static_cast<std::uint32_t>(MSG_DONTROUTE) == 0x4u);
#endif
#if defined(MSG_CTRUNC)
static_assert(static_cast<std::uint32_t>(MSG_CTRUNC) == 0x8u);
#endif
#if defined(MSG_PROXY)
static_assert(static_cast<std::uint32_t>(MSG_PROXY) == 0x10u);
#endif
#if defined(MSG_EOR)
static_assert(static_cast<std::uint32_t>(MSG_EOR) == 0x80u);
#endif
#if defined(MSG_FIN)
static_assert(static_cast<std::uint32_t>(MSG_FIN) == 0x200u);
#endif
#if defined(MSG_SYN)
static_assert(static_cast<std::uint32_t>(MSG_SYN) == 0x400u);
#endif
#if defined(MSG_CONFIRM)
static_assert(static_cast<std::uint32_t>(MSG_CONFIRM) == 0x800u);
#endif
#if defined(MSG_RST)
static_assert(static_cast<std::uint32_t>(MSG_RST) == 0x1000u);
#endif
#if defined(MSG_WAITFORONE)
static_assert(static_cast<std::uint32_t>(MSG_WAITFORONE) == 0x10000u);
#endif
#if defined(MSG_BATCH)
static_assert(static_cast<std::uint32_t>(MSG_BATCH) == 0x40000u);
#endif
#if defined(MSG_ZEROCOPY)
static_assert(static_cast<std::uint32_t>(MSG_ZEROCOPY) == 0x4000000u);
#endif
#if defined(MSG_FASTOPEN)
static_assert(static_cast<std::uint32_t>(MSG_FASTOPEN) == 0x20000000u);
#endif
#if defined(MSG_CMSG_CLOEXEC)
static_assert(static_cast<std::uint32_t>(MSG_CMSG_CLOEXEC) == 0x40000000u);
#endif
#if defined(POLLIN)
static_assert(static_cast<std::uint32_t>(POLLIN) == 0x1u);
#endif
#if defined(POLLPRI)
static_assert(static_cast<std::uint32_t>(POLLPRI) == 0x2u);
#endif
#if defined(POLLOUT)
static_assert(static_cast<std::uint32_t>(POLLOUT) == 0x4u);
#endif
#if defined(POLLERR)
static_assert(static_cast<std::uint32_t>(POLLERR) == 0x8u);
#endif
#if defined(POLLHUP)
static_assert(static_cast<std::uint32_t>(POLLHUP) == 0x10u);
#endif
#if defined(POLLNVAL)
static_assert(static_cast<std::uint32_t>(POLLNVAL) == 0x20u);
#endif
#if defined(POLLRDNORM)
static_assert(static_cast<std::uint32_t>(POLLRDNORM) == 0x40u);
#endif
#if defined(POLLRDBAND)
static_assert(static_cast<std::uint32_t>(POLLRDBAND) == 0x80u);
#endif
#if defined(POLLWRNORM)
static_assert(static_cast<std::uint32_t>(POLLWRNORM) == 0x100u);
#endif
#if defined(POLLWRBAND)
static_assert(static_cast<std::uint32_t>(POLLWRBAND) == 0x200u);
#endif
#if defined(POLLMSG)
static_assert(static_cast<std::uint32_t>(POLLMSG) == 0x400u);
#endif
#if defined(POLLREMOVE)
static_assert(static_cast<std::uint32_t>(POLLREMOVE) == 0x1000u);
#endif
#if defined(POLLRDHUP)
static_assert(static_cast<std::uint32_t>(POLLRDHUP) == 0x2000u);
#endif
#if defined(EPOLLIN)
static_assert(static_cast<std::uint32_t>(EPOLLIN) == 0x1u);
#endif
#if defined(EPOLLPRI)
static_assert(static_cast<std::uint32_t>(EPOLLPRI) == 0x2u);
#endif
#if defined(EPOLLOUT)
static_assert(static_cast<std::uint32_t>(EPOLLOUT) == 0x4u);
#endif
#if defined(EPOLLERR)
static_assert(static_cast<std::uint32_t>(EPOLLERR) == 0x8u);
#endif
#if defined(EPOLLHUP)
static_assert(static_cast<std::uint32_t>(EPOLLHUP) == 0x10u);
#endif
#if defined(EPOLLNVAL)
static_assert(static_cast<std::uint32_t>(EPOLLNVAL) == 0x20u);
#endif
#if defined(EPOLLRDNORM)
static_assert(static_cast<std::uint32_t>(EPOLLRDNORM) == 0x40u);
#endif
#if defined(EPOLLRDBAND)
static_assert(static_cast<std::uint32_t>(EPOLLRDBAND) == 0x80u);
#endif
#if defined(EPOLLWRNORM)
static_assert(static_cast<std::uint32_t>(EPOLLWRNORM) == 0x100u);
#endif
#if defined(EPOLLWRBAND)
static_assert(static_cast<std::uint32_t>(EPOLLWRBAND) == 0x200u);
#endif
#if defined(EPOLLMSG)
static_assert(static_cast<std::uint32_t>(EPOLLMSG) == 0x400u);
#endif
#if defined(EPOLLRDHUP)
static_assert(static_cast<std::uint32_t>(EPOLLRDHUP) == 0x2000u);
#endif
#if defined(EPOLLEXCLUSIVE)
static_assert(static_cast<std::uint32_t>(EPOLLEXCLUSIVE) == 0x10000000u);
#endif
#if defined(EPOLLWAKEUP)
static_assert(static_cast<std::uint32_t>(EPOLLWAKEUP) == 0x20000000u);
#endif
#if defined(EPOLLONESHOT)
static_assert(static_cast<std::uint32_t>(EPOLLONESHOT) == 0x40000000u);
#endif
#if defined(EPOLLET)
static_assert(static_cast<std::uint32_t>(EPOLLET) == 0x80000000u);
#endif
#if defined(EPOLL_CLOEXEC)
static_assert(static_cast<std::uint32_t>(EPOLL_CLOEXEC) == 0x80000u);
#endif
#if defined(EFD_SEMAPHORE)
static_assert(static_cast<std::uint32_t>(EFD_SEMAPHORE) == 0x1u);
#endif
#if defined(EFD_CLOEXEC)
static_assert(static_cast<std::uint32_t>(EFD_CLOEXEC) == 0x80000u);
#endif
#if defined(EFD_NONBLOCK)
static_assert(static_cast<std::uint32_t>(EFD_NONBLOCK) == 0x800u);
#endif
#if defined(SFD_CLOEXEC)
static_assert(static_cast<std::uint32_t>(SFD_CLOEXEC) == 0x80000u);
#endif
#if defined(SFD_NONBLOCK)
static_assert(static_cast<std::uint32_t>(SFD_NONBLOCK) == 0x800u);
#endif
#if defined(TFD_CLOEXEC)
static_assert(static_cast<std::uint32_t>(TFD_CLOEXEC) == 0x80000u);
#endif
#if defined(TFD_NONBLOCK)
static_assert(static_cast<std::uint32_t>(TFD_NONBLOCK) == 0x800u);
#endif
#if defined(TFD_TIMER_ABSTIME)
static_assert(static_cast<std::uint32_t>(TFD_TIMER_ABSTIME) == 0x1u);
#endif
#if defined(TFD_TIMER_CANCEL_ON_SET)
static_assert(static_cast<std::uint32_t>(TFD_TIMER_CANCEL_ON_SET) == 0x2u);
#endif
#if defined(TIMER_ABSTIME)
static_assert(static_cast<std::uint32_t>(TIMER_ABSTIME) == 0x1u);
#endif
#if defined(ADJ_OFFSET_SINGLESHOT)
static_assert(static_cast<std::uint32_t>(ADJ_OFFSET_SINGLESHOT) == 0x8001u);
#endif
#if defined(ADJ_OFFSET_SS_READ)
static_assert(static_cast<std::uint32_t>(ADJ_OFFSET_SS_READ) == 0xa001u);
#endif
#if defined(ADJ_OFFSET)
static_assert(static_cast<std::uint32_t>(ADJ_OFFSET) == 0x1u);
#endif
#if defined(ADJ_FREQUENCY)
static_assert(static_cast<std::uint32_t>(ADJ_FREQUENCY) == 0x2u);
#endif
#if defined(ADJ_MAXERROR)
static_assert(static_cast<std::uint32_t>(ADJ_MAXERROR) == 0x4u);
#endif
#if defined(ADJ_ESTERROR)
static_assert(static_cast<std::uint32_t>(ADJ_ESTERROR) == 0x8u);
#endif
#if defined(ADJ_STATUS)
static_assert(static_cast<std::uint32_t>(ADJ_STATUS) == 0x10u);
#endif
#if defined(ADJ_TIMECONST)
static_assert(static_cast<std::uint32_t>(ADJ_TIMECONST) == 0x20u);
#endif
#if defined(ADJ_TAI)
static_assert(static_cast<std::uint32_t>(ADJ_TAI) == 0x80u);
#endif
#if defined(ADJ_SETOFFSET)
static_assert(static_cast<std::uint32_t>(ADJ_SETOFFSET) == 0x100u);
#endif
#if defined(ADJ_MICRO)
static_assert(static_cast<std::uint32_t>(ADJ_MICRO) == 0x1000u);
#endif
#if defined(ADJ_NANO)
static_assert(static_cast<std::uint32_t>(ADJ_NANO) == 0x2000u);
#endif
#if defined(ADJ_TICK)
static_assert(static_cast<std::uint32_t>(ADJ_TICK) == 0x4000u);
#endif
#if defined(STA_PLL)
static_assert(static_cast<std::uint32_t>(STA_PLL) == 0x1u);
#endif
#if defined(STA_PPSFREQ)
static_assert(static_cast<std::uint32_t>(STA_PPSFREQ) == 0x2u);
#endif
#if defined(STA_PPSTIME)
static_assert(static_cast<std::uint32_t>(STA_PPSTIME) == 0x4u);
#endif
#if defined(STA_FLL)
static_assert(static_cast<std::uint32_t>(STA_FLL) == 0x8u);
#endif
#if defined(STA_INS)
static_assert(static_cast<std::uint32_t>(STA_INS) == 0x10u);
#endif
#if defined(STA_DEL)
static_assert(static_cast<std::uint32_t>(STA_DEL) == 0x20u);
#endif
#if defined(STA_UNSYNC)
static_assert(static_cast<std::uint32_t>(STA_UNSYNC) == 0x40u);
#endif
#if defined(STA_FREQHOLD)
static_assert(static_cast<std::uint32_t>(STA_FREQHOLD) == 0x80u);
#endif
#if defined(STA_PPSSIGNAL)
static_assert(static_cast<std::uint32_t>(STA_PPSSIGNAL) == 0x100u);
#endif
#if defined(STA_PPSJITTER)
static_assert(static_cast<std::uint32_t>(STA_PPSJITTER) == 0x200u);
#endif
#if defined(STA_PPSWANDER)
static_assert(static_cast<std::uint32_t>(STA_PPSWANDER) == 0x400u);
#endif
#if defined(STA_PPSERROR)
static_assert(static_cast<std::uint32_t>(STA_PPSERROR) == 0x800u);
#endif
#if defined(STA_CLOCKERR)
static_assert(static_cast<std::uint32_t>(STA_CLOCKERR) == 0x1000u);
#endif
#if defined(STA_NANO)
static_assert(static_cast<std::uint32_t>(STA_NANO) == 0x2000u);
#endif
#if defined(STA_MODE)
static_assert(static_cast<std::uint32_t>(STA_MODE) == 0x4000u);
#endif
#if defined(STA_CLK)
static_assert(static_cast<std::uint32_t>(STA_CLK) == 0x8000u);
#endif
#if defined(SIGEV_SIGNAL)
static_assert(static_cast<std::uint32_t>(SIGEV_SIGNAL) == 0x0u);
#endif
#if defined(SIGEV_NONE)
static_assert(static_cast<std::uint32_t>(SIGEV_NONE) == 0x1u);
#endif
#if defined(SIGEV_THREAD)
static_assert(static_cast<std::uint32_t>(SIGEV_THREAD) == 0x2u);
#endif
#if defined(SIGEV_THREAD_ID)
static_assert(static_cast<std::uint32_t>(SIGEV_THREAD_ID) == 0x4u);
#endif
#if defined(__WCLONE)
static_assert(static_cast<std::uint32_t>(__WCLONE) == 0x80000000u);
#endif
#if defined(__WALL)
static_assert(static_cast<std::uint32_t>(__WALL) == 0x40000000u);
#endif
#if defined(__WNOTHREAD)
static_assert(static_cast<std::uint32_t>(__WNOTHREAD) == 0x20000000u);
#endif
#if defined(UFFD_USER_MODE_ONLY)
static_assert(static_cast<std::uint32_t>(UFFD_USER_MODE_ONLY) == 0x1u);
#endif
#if defined(PERF_FLAG_FD_NO_GROUP)
static_assert(static_cast<std::uint32_t>(PERF_FLAG_FD_NO_GROUP) == 0x1u);
#endif
#if defined(PERF_FLAG_FD_OUTPUT)
static_assert(static_cast<std::uint32_t>(PERF_FLAG_FD_OUTPUT) == 0x2u);
#endif
#if defined(PERF_FLAG_PID_CGROUP)
static_assert(static_cast<std::uint32_t>(PERF_FLAG_PID_CGROUP) == 0x4u);
#endif
#if defined(PERF_FLAG_FD_CLOEXEC)
static_assert(static_cast<std::uint32_t>(PERF_FLAG_FD_CLOEXEC) == 0x8u);
#endif
#if defined(SCHED_OTHER)
static_assert(static_cast<std::uint32_t>(SCHED_OTHER) == 0x0u);
#endif
#if defined(SCHED_FIFO)
static_assert(static_cast<std::uint32_t>(SCHED_FIFO) == 0x1u);
#endif
#if defined(SCHED_RR)
static_assert(static_cast<std::uint32_t>(SCHED_RR) == 0x2u);
#endif
#if defined(SCHED_BATCH)
static_assert(static_cast<std::uint32_t>(SCHED_BATCH) == 0x3u);
#endif
#if defined(SCHED_ISO)
static_assert(static_cast<std::uint32_t>(SCHED_ISO) == 0x4u);
#endif
#if defined(SCHED_IDLE)
static_assert(static_cast<std::uint32_t>(SCHED_IDLE) == 0x5u);
#endif
#if defined(SCHED_DEADLINE)
static_assert(static_cast<std::uint32_t>(SCHED_DEADLINE) == 0x6u);
#endif
#if defined(SCHED_EXT)
static_assert(static_cast<std::uint32_t>(SCHED_EXT) == 0x7u);
#endif
#if defined(SCHED_RESET_ON_FORK)
static_assert(static_cast<std::uint32_t>(SCHED_RESET_ON_FORK) == 0x40000000u);
#endif
#if defined(GRND_NONBLOCK)
static_assert(static_cast<std::uint32_t>(GRND_NONBLOCK) == 0x1u);
#endif
#if defined(GRND_RANDOM)
static_assert(static_cast<std::uint32_t>(GRND_RANDOM) == 0x2u);
#endif
#if defined(GRND_INSECURE)
static_assert(static_cast<std::uint32_t>(GRND_INSECURE) == 0x4u);
#endif
#if defined(QIF_BLIMITS)
static_assert(static_cast<std::uint32_t>(QIF_BLIMITS) == 0x1u);
#endif
#if defined(QIF_SPACE)
static_assert(static_cast<std::uint32_t>(QIF_SPACE) == 0x2u);
#endif
#if defined(QIF_ILIMITS)
static_assert(static_cast<std::uint32_t>(QIF_ILIMITS) == 0x4u);
#endif
#if defined(QIF_INODES)
static_assert(static_cast<std::uint32_t>(QIF_INODES) == 0x8u);
#endif
#if defined(QIF_BTIME)
static_assert(static_cast<std::uint32_t>(QIF_BTIME) == 0x10u);
#endif
#if defined(QIF_ITIME)
static_assert(static_cast<std::uint32_t>(QIF_ITIME) == 0x20u);
#endif
#if defined(IPC_CREAT)
static_assert(static_cast<std::uint32_t>(IPC_CREAT) == 0x200u);
#endif
#if defined(IPC_EXCL)
static_assert(static_cast<std::uint32_t>(IPC_EXCL) == 0x400u);
#endif
#if defined(IPC_CREAT_EXCL)
static_assert(static_cast<std::uint32_t>(IPC_CREAT_EXCL) == 0x600u);
#endif
#if defined(IPC_NOWAIT)
static_assert(static_cast<std::uint32_t>(IPC_NOWAIT) == 0x800u);
#endif
#if defined(SHM_HUGETLB)
static_assert(static_cast<std::uint32_t>(SHM_HUGETLB) == 0x800u);
#endif
#if defined(SHM_NORESERVE)
static_assert(static_cast<std::uint32_t>(SHM_NORESERVE) == 0x1000u);
#endif
#if defined(IPC_PRIVATE)
static_assert(static_cast<std::uint32_t>(IPC_PRIVATE) == 0x0u);
#endif
#if defined(MSG_NOERROR)
static_assert(static_cast<std::uint32_t>(MSG_NOERROR) == 0x1000u);
#endif
#if defined(MSG_EXCEPT)
static_assert(static_cast<std::uint32_t>(MSG_EXCEPT) == 0x2000u);
#endif
#if defined(MSG_COPY)
static_assert(static_cast<std::uint32_t>(MSG_COPY) == 0x4000u);
#endif
#if defined(SEM_UNDO)
static_assert(static_cast<std::uint32_t>(SEM_UNDO) == 0x1000u);
#endif
#if defined(SHM_RDONLY)
static_assert(static_cast<std::uint32_t>(SHM_RDONLY) == 0x1000u);
#endif
#if defined(SHM_RND)
static_assert(static_cast<std::uint32_t>(SHM_RND) == 0x2000u);
#endif
#if defined(SHM_REMAP)
static_assert(static_cast<std::uint32_t>(SHM_REMAP) == 0x4000u);
#endif
#if defined(SHM_EXEC)
static_assert(static_cast<std::uint32_t>(SHM_EXEC) == 0x8000u);
#endif
#if defined(MS_RDONLY)
static_assert(static_cast<std::uint32_t>(MS_RDONLY) == 0x1u);
#endif
#if defined(MS_NOSUID)
static_assert(static_cast<std::uint32_t>(MS_NOSUID) == 0x2u);
#endif
#if defined(MS_NODEV)
static_assert(static_cast<std::uint32_t>(MS_NODEV) == 0x4u);
#endif
#if defined(MS_NOEXEC)
static_assert(static_cast<std::uint32_t>(MS_NOEXEC) == 0x8u);
#endif
#if defined(MS_SYNCHRONOUS)
static_assert(static_cast<std::uint32_t>(MS_SYNCHRONOUS) == 0x10u);
#endif
#if defined(MS_REMOUNT)
static_assert(static_cast<std::uint32_t>(MS_REMOUNT) == 0x20u);
#endif
#if defined(MS_MANDLOCK)
static_assert(static_cast<std::uint32_t>(MS_MANDLOCK) == 0x40u);
#endif
#if defined(MS_DIRSYNC)
static_assert(static_cast<std::uint32_t>(MS_DIRSYNC) == 0x80u);
#endif
#if defined(MS_NOSYMFOLLOW)
static_assert(static_cast<std::uint32_t>(MS_NOSYMFOLLOW) == 0x100u);
#endif
#if defined(MS_NOATIME)
static_assert(static_cast<std::uint32_t>(MS_NOATIME) == 0x400u);
#endif
#if defined(MS_NODIRATIME)
static_assert(static_cast<std::uint32_t>(MS_NODIRATIME) == 0x800u);
#endif
#if defined(MS_BIND)
static_assert(static_cast<std::uint32_t>(MS_BIND) == 0x1000u);
#endif
#if defined(MS_MOVE)
static_assert(static_cast<std::uint32_t>(MS_MOVE) == 0x2000u);
#endif
#if defined(MS_REC)
static_assert(static_cast<std::uint32_t>(MS_REC) == 0x4000u);
#endif
#if defined(MS_SILENT)
static_assert(static_cast<std::uint32_t>(MS_SILENT) == 0x8000u);
#endif
#if defined(MS_POSIXACL)
static_assert(static_cast<std::uint32_t>(MS_POSIXACL) == 0x10000u);
#endif
#if defined(MS_UNBINDABLE)
static_assert(static_cast<std::uint32_t>(MS_UNBINDABLE) == 0x20000u);
#endif
#if defined(MS_PRIVATE)
static_assert(static_cast<std::uint32_t>(MS_PRIVATE) == 0x40000u);
#endif
#if defined(MS_SLAVE)
static_assert(static_cast<std::uint32_t>(MS_SLAVE) == 0x80000u);
#endif
#if defined(MS_SHARED)
static_assert(static_cast<std::uint32_t>(MS_SHARED) == 0x100000u);
#endif
#if defined(MS_RELATIME)
static_assert(static_cast<std::uint32_t>(MS_RELATIME) == 0x200000u);
#endif
#if defined(MS_KERNMOUNT)
static_assert(static_cast<std::uint32_t>(MS_KERNMOUNT) == 0x400000u);
#endif
#if defined(MS_I_VERSION)
static_assert(static_cast<std::uint32_t>(MS_I_VERSION) == 0x800000u);
#endif
#if defined(MS_STRICTATIME)
static_assert(static_cast<std::uint32_t>(MS_STRICTATIME) == 0x1000000u);
#endif
#if defined(MS_LAZYTIME)
static_assert(static_cast<std::uint32_t>(MS_LAZYTIME) == 0x2000000u);
#endif
#if defined(MNT_FORCE)
static_assert(static_cast<std::uint32_t>(MNT_FORCE) == 0x1u);
#endif
#if defined(MNT_DETACH)
static_assert(static_cast<std::uint32_t>(MNT_DETACH) == 0x2u);
#endif
#if defined(MNT_EXPIRE)
static_assert(static_cast<std::uint32_t>(MNT_EXPIRE) == 0x4u);
#endif
#if defined(ST_VALID)
static_assert(static_cast<std::uint32_t>(ST_VALID) == 0x20u);
#endif
#if defined(ST_RDONLY)
static_assert(static_cast<std::uint32_t>(ST_RDONLY) == 0x1u);
#endif
#if defined(ST_NOSUID)
static_assert(static_cast<std::uint32_t>(ST_NOSUID) == 0x2u);
#endif
#if defined(ST_NODEV)
static_assert(static_cast<std::uint32_t>(ST_NODEV) == 0x4u);
#endif
#if defined(ST_NOEXEC)
static_assert(static_cast<std::uint32_t>(ST_NOEXEC) == 0x8u);
#endif
#if defined(ST_SYNCHRONOUS)
static_assert(static_cast<std::uint32_t>(ST_SYNCHRONOUS) == 0x10u);
#endif
#if defined(ST_MANDLOCK)
static_assert(static_cast<std::uint32_t>(ST_MANDLOCK) == 0x40u);
#endif
#if defined(ST_NOATIME)
static_assert(static_cast<std::uint32_t>(ST_NOATIME) == 0x400u);
#endif
#if defined(ST_NODIRATIME)
static_assert(static_cast<std::uint32_t>(ST_NODIRATIME) == 0x800u);
#endif
#if defined(ST_RELATIME)
static_assert(static_cast<std::uint32_t>(ST_RELATIME) == 0x1000u);
#endif
#if defined(ST_NOSYMFOLLOW)
static_assert(static_cast<std::uint32_t>(ST_NOSYMFOLLOW) == 0x2000u);
#endif
#if defined(LANDLOCK_CREATE_RULESET_VERSION)
static_assert(static_cast<std::uint32_t>(LANDLOCK_CREATE_RULESET_VERSION) == 0x1u);
#endif
#if defined(LANDLOCK_ACCESS_FS_EXECUTE)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_EXECUTE) == 0x1u);
#endif
#if defined(LANDLOCK_ACCESS_FS_WRITE_FILE)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_WRITE_FILE) == 0x2u);
#endif
#if defined(LANDLOCK_ACCESS_FS_READ_FILE)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_READ_FILE) == 0x4u);
#endif
#if defined(LANDLOCK_ACCESS_FS_READ_DIR)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_READ_DIR) == 0x8u);
#endif
#if defined(LANDLOCK_ACCESS_FS_REMOVE_DIR)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_REMOVE_DIR) == 0x10u);
#endif
#if defined(LANDLOCK_ACCESS_FS_REMOVE_FILE)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_REMOVE_FILE) == 0x20u);
#endif
#if defined(LANDLOCK_ACCESS_FS_MAKE_CHAR)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_MAKE_CHAR) == 0x40u);
#endif
#if defined(LANDLOCK_ACCESS_FS_MAKE_DIR)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_MAKE_DIR) == 0x80u);
#endif
#if defined(LANDLOCK_ACCESS_FS_MAKE_REG)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_MAKE_REG) == 0x100u);
#endif
#if defined(LANDLOCK_ACCESS_FS_MAKE_SOCK)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_MAKE_SOCK) == 0x200u);
#endif
#if defined(LANDLOCK_ACCESS_FS_MAKE_FIFO)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_MAKE_FIFO) == 0x400u);
#endif
#if defined(LANDLOCK_ACCESS_FS_MAKE_BLOCK)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_MAKE_BLOCK) == 0x800u);
#endif
#if defined(LANDLOCK_ACCESS_FS_MAKE_SYM)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_MAKE_SYM) == 0x1000u);
#endif
#if defined(LANDLOCK_ACCESS_FS_REFER)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_REFER) == 0x2000u);
#endif
#if defined(LANDLOCK_ACCESS_FS_TRUNCATE)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_TRUNCATE) == 0x4000u);
#endif
#if defined(LANDLOCK_ACCESS_FS_IOCTL_DEV)
static_assert(static_cast<std::uint32_t>(LANDLOCK_ACCESS_FS_IOCTL_DEV) == 0x8000u);
#endif
#if defined(DN_ACCESS)
static_assert(static_cast<std::uint32_t>(DN_ACCESS) == 0x1u);
#endif
#if defined(DN_MODIFY)
static_assert(static_cast<std::uint32_t>(DN_MODIFY) == 0x2u);
#endif
#if defined(DN_CREATE)
static_assert(static_cast<std::uint32_t>(DN_CREATE) == 0x4u);
#endif
#if defined(DN_DELETE)
static_assert(static_cast<std::uint32_t>(DN_DELETE) == 0x8u);
#endif
#if defined(DN_RENAME)
static_assert(static_cast<std::uint32_t>(DN_RENAME) == 0x10u);
#endif
#if defined(DN_ATTRIB)
static_assert(static_cast<std::uint32_t>(DN_ATTRIB) == 0x20u);
#endif
#if defined(DN_MULTISHOT)
static_assert(static_cast<std::uint32_t>(DN_MULTISHOT) == 0x80000000u);
#endif
#if defined(F_SEAL_SEAL)
static_assert(static_cast<std::uint32_t>(F_SEAL_SEAL) == 0x1u);
#endif
#if defined(F_SEAL_SHRINK)
static_assert(static_cast<std::uint32_t>(F_SEAL_SHRINK) == 0x2u);
#endif
#if defined(F_SEAL_GROW)
static_assert(static_cast<std::uint32_t>(F_SEAL_GROW) == 0x4u);
#endif
#if defined(F_SEAL_WRITE)
static_assert(static_cast<std::uint32_t>(F_SEAL_WRITE) == 0x8u);
#endif
#if defined(F_SEAL_FUTURE_WRITE)
static_assert(static_cast<std::uint32_t>(F_SEAL_FUTURE_WRITE) == 0x10u);
#endif
#if defined(F_SEAL_EXEC)
static_assert(static_cast<std::uint32_t>(F_SEAL_EXEC) == 0x20u);
#endif
#if defined(FUTEX_FD)
static_assert(static_cast<std::uint32_t>(FUTEX_FD) == 0x2u);
#endif
#if defined(FUTEX_LOCK_PI)
static_assert(static_cast<std::uint32_t>(FUTEX_LOCK_PI) == 0x6u);
#endif
#if defined(FUTEX_UNLOCK_PI)
static_assert(static_cast<std::uint32_t>(FUTEX_UNLOCK_PI) == 0x7u);
#endif
#if defined(FUTEX_TRYLOCK_PI)
static_assert(static_cast<std::uint32_t>(FUTEX_TRYLOCK_PI) == 0x8u);
#endif
#if defined(FUTEX_WAIT_PRIVATE)
static_assert(static_cast<std::uint32_t>(FUTEX_WAIT_PRIVATE) == 0x80u);
#endif
#if defined(FUTEX_WAKE_PRIVATE)
static_assert(static_cast<std::uint32_t>(FUTEX_WAKE_PRIVATE) == 0x81u);
#endif
#if defined(FUTEX_REQUEUE_PRIVATE)
static_assert(static_cast<std::uint32_t>(FUTEX_REQUEUE_PRIVATE) == 0x83u);
#endif
#if defined(FUTEX_CMP_REQUEUE_PRIVATE)
static_assert(static_cast<std::uint32_t>(FUTEX_CMP_REQUEUE_PRIVATE) == 0x84u);
#endif
#if defined(FUTEX_WAKE_OP_PRIVATE)
static_assert(static_cast<std::uint32_t>(FUTEX_WAKE_OP_PRIVATE) == 0x85u);
#endif
#if defined(FUTEX_WAIT_BITSET_PRIVATE)
static_assert(static_cast<std::uint32_t>(FUTEX_WAIT_BITSET_PRIVATE) == 0x89u);
#endif
#if defined(FUTEX_WAKE_BITSET_PRIVATE)
static_assert(static_cast<std::uint32_t>(FUTEX_WAKE_BITSET_PRIVATE) == 0x8au);
#endif
#if defined(FUTEX_CLOCK_REALTIME)
static_assert(static_cast<std::uint32_t>(FUTEX_CLOCK_REALTIME) == 0x100u);
#endif
#if defined(FUTEX_BITSET_MATCH_ANY)
static_assert(static_cast<std::uint32_t>(FUTEX_BITSET_MATCH_ANY) == 0xffffffffu);
#endif
#if defined(SEEK_SET)
static_assert(static_cast<std::uint32_t>(SEEK_SET) == 0x0u);
#endif
#if defined(SEEK_CUR)
static_assert(static_cast<std::uint32_t>(SEEK_CUR) == 0x1u);
#endif
#if defined(SEEK_END)
static_assert(static_cast<std::uint32_t>(SEEK_END) == 0x2u);
#endif
#if defined(SEEK_DATA)
static_assert(static_cast<std::uint32_t>(SEEK_DATA) == 0x3u);
#endif
#if defined(SEEK_HOLE)
static_assert(static_cast<std::uint32_t>(SEEK_HOLE) == 0x4u);
#endif
#if defined(POSIX_FADV_NORMAL)
static_assert(static_cast<std::uint32_t>(POSIX_FADV_NORMAL) == 0x0u);
#endif
#if defined(POSIX_FADV_RANDOM)
static_assert(static_cast<std::uint32_t>(POSIX_FADV_RANDOM) == 0x1u);
#endif
#if defined(POSIX_FADV_SEQUENTIAL)
static_assert(static_cast<std::uint32_t>(POSIX_FADV_SEQUENTIAL) == 0x2u);
#endif
#if defined(POSIX_FADV_WILLNEED)
static_assert(static_cast<std::uint32_t>(POSIX_FADV_WILLNEED) == 0x3u);
#endif
#if defined(POSIX_FADV_DONTNEED)
static_assert(static_cast<std::uint32_t>(POSIX_FADV_DONTNEED) == 0x4u);
#endif
#if defined(POSIX_FADV_NOREUSE)
static_assert(static_cast<std::uint32_t>(POSIX_FADV_NOREUSE) == 0x5u);
#endif
#if defined(MADV_NORMAL)
static_assert(static_cast<std::uint32_t>(MADV_NORMAL) == 0x0u);
#endif
#if defined(MADV_RANDOM)
static_assert(static_cast<std::uint32_t>(MADV_RANDOM) == 0x1u);
#endif
#if defined(MADV_SEQUENTIAL)
static_assert(static_cast<std::uint32_t>(MADV_SEQUENTIAL) == 0x2u);
#endif
#if defined(MADV_WILLNEED)
static_assert(static_cast<std::uint32_t>(MADV_WILLNEED) == 0x3u);
#endif
#if defined(MADV_DONTNEED)
static_assert(static_cast<std::uint32_t>(MADV_DONTNEED) == 0x4u);
#endif
#if defined(MADV_FREE)
static_assert(static_cast<std::uint32_t>(MADV_FREE) == 0x8u);
#endif
#if defined(MADV_REMOVE)
static_assert(static_cast<std::uint32_t>(MADV_REMOVE) == 0x9u);
#endif
#if defined(MADV_DONTFORK)
static_assert(static_cast<std::uint32_t>(MADV_DONTFORK) == 0xau);
#endif
#if defined(MADV_DOFORK)
static_assert(static_cast<std::uint32_t>(MADV_DOFORK) == 0xbu);
#endif
#if defined(MADV_MERGEABLE)
static_assert(static_cast<std::uint32_t>(MADV_MERGEABLE) == 0xcu);
#endif
#if defined(MADV_UNMERGEABLE)
static_assert(static_cast<std::uint32_t>(MADV_UNMERGEABLE) == 0xdu);
#endif
#if defined(MADV_HUGEPAGE)
static_assert(static_cast<std::uint32_t>(MADV_HUGEPAGE) == 0xeu);
#endif
#if defined(MADV_NOHUGEPAGE)
static_assert(static_cast<std::uint32_t>(MADV_NOHUGEPAGE) == 0xfu);
#endif
#if defined(MADV_DONTDUMP)
static_assert(static_cast<std::uint32_t>(MADV_DONTDUMP) == 0x10u);
#endif
#if defined(MADV_DODUMP)
static_assert(static_cast<std::uint32_t>(MADV_DODUMP) == 0x11u);
#endif
#if defined(MADV_WIPEONFORK)
static_assert(static_cast<std::uint32_t>(MADV_WIPEONFORK) == 0x12u);
#endif
#if defined(MADV_KEEPONFORK)
static_assert(static_cast<std::uint32_t>(MADV_KEEPONFORK) == 0x13u);
#endif
#if defined(MADV_COLD)
static_assert(static_cast<std::uint32_t>(MADV_COLD) == 0x14u);
#endif
#if defined(MADV_PAGEOUT)
static_assert(static_cast<std::uint32_t>(MADV_PAGEOUT) == 0x15u);
#endif
#if defined(MADV_POPULATE_READ)
static_assert(static_cast<std::uint32_t>(MADV_POPULATE_READ) == 0x16u);
#endif
#if defined(MADV_POPULATE_WRITE)
static_assert(static_cast<std::uint32_t>(MADV_POPULATE_WRITE) == 0x17u);
#endif
#if defined(MADV_DONTNEED_LOCKED)
static_assert(static_cast<std::uint32_t>(MADV_DONTNEED_LOCKED) == 0x18u);
#endif
#if defined(MADV_COLLAPSE)
static_assert(static_cast<std::uint32_t>(MADV_COLLAPSE) == 0x19u);
#endif
#if defined(MADV_HWPOISON)
static_assert(static_cast<std::uint32_t>(MADV_HWPOISON) == 0x64u);
#endif
#if defined(MADV_SOFT_OFFLINE)
static_assert(static_cast<std::uint32_t>(MADV_SOFT_OFFLINE) == 0x65u);
#endif
#if defined(MADV_GUARD_INSTALL)
static_assert(static_cast<std::uint32_t>(MADV_GUARD_INSTALL) == 0x66u);
#endif
#if defined(MADV_GUARD_REMOVE)
static_assert(static_cast<std::uint32_t>(MADV_GUARD_REMOVE) == 0x67u);
#endif
#if defined(AF_UNSPEC)
static_assert(static_cast<std::uint32_t>(AF_UNSPEC) == 0x0u);
#endif
#if defined(AF_UNIX)
static_assert(static_cast<std::uint32_t>(AF_UNIX) == 0x1u);
#endif
#if defined(AF_INET)
static_assert(static_cast<std::uint32_t>(AF_INET) == 0x2u);
#endif
#if defined(AF_AX25)
static_assert(static_cast<std::uint32_t>(AF_AX25) == 0x3u);
#endif
#if defined(AF_IPX)
static_assert(static_cast<std::uint32_t>(AF_IPX) == 0x4u);
#endif
#if defined(AF_APPLETALK)
static_assert(static_cast<std::uint32_t>(AF_APPLETALK) == 0x5u);
#endif
#if defined(AF_NETROM)
static_assert(static_cast<std::uint32_t>(AF_NETROM) == 0x6u);
#endif
#if defined(AF_BRIDGE)
static_assert(static_cast<std::uint32_t>(AF_BRIDGE) == 0x7u);
#endif
#if defined(AF_ATMPVC)
static_assert(static_cast<std::uint32_t>(AF_ATMPVC) == 0x8u);
#endif
#if defined(AF_X25)
static_assert(static_cast<std::uint32_t>(AF_X25) == 0x9u);
#endif
#if defined(AF_INET6)
static_assert(static_cast<std::uint32_t>(AF_INET6) == 0xau);
#endif
#if defined(AF_ROSE)
static_assert(static_cast<std::uint32_t>(AF_ROSE) == 0xbu);
#endif
#if defined(AF_DECnet)
static_assert(static_cast<std::uint32_t>(AF_DECnet) == 0xcu);
#endif
#if defined(AF_NETBEUI)
static_assert(static_cast<std::uint32_t>(AF_NETBEUI) == 0xdu);
#endif
#if defined(AF_SECURITY)
static_assert(static_cast<std::uint32_t>(AF_SECURITY) == 0xeu);
#endif
#if defined(AF_KEY)
static_assert(static_cast<std::uint32_t>(AF_KEY) == 0xfu);
#endif
#if defined(AF_NETLINK)
static_assert(static_cast<std::uint32_t>(AF_NETLINK) == 0x10u);
#endif
#if defined(AF_PACKET)
static_assert(static_cast<std::uint32_t>(AF_PACKET) == 0x11u);
#endif
#if defined(AF_ASH)
static_assert(static_cast<std::uint32_t>(AF_ASH) == 0x12u);
#endif
#if defined(AF_ECONET)
static_assert(static_cast<std::uint32_t>(AF_ECONET) == 0x13u);
#endif
#if defined(AF_ATMSVC)
static_assert(static_cast<std::uint32_t>(AF_ATMSVC) == 0x14u);
#endif
#if defined(AF_RDS)
static_assert(static_cast<std::uint32_t>(AF_RDS) == 0x15u);
#endif
#if defined(AF_SNA)
static_assert(static_cast<std::uint32_t>(AF_SNA) == 0x16u);
#endif
#if defined(AF_IRDA)
static_assert(static_cast<std::uint32_t>(AF_IRDA) == 0x17u);
#endif
#if defined(AF_PPPOX)
static_assert(static_cast<std::uint32_t>(AF_PPPOX) == 0x18u);
#endif
#if defined(AF_WANPIPE)
static_assert(static_cast<std::uint32_t>(AF_WANPIPE) == 0x19u);
#endif
#if defined(AF_LLC)
static_assert(static_cast<std::uint32_t>(AF_LLC) == 0x1au);
#endif
#if defined(AF_IB)
static_assert(static_cast<std::uint32_t>(AF_IB) == 0x1bu);
#endif
#if defined(AF_MPLS)
static_assert(static_cast<std::uint32_t>(AF_MPLS) == 0x1cu);
#endif
#if defined(AF_CAN)
static_assert(static_cast<std::uint32_t>(AF_CAN) == 0x1du);
#endif
#if defined(AF_TIPC)
static_assert(static_cast<std::uint32_t>(AF_TIPC) == 0x1eu);
#endif
#if defined(AF_BLUETOOTH)
static_assert(static_cast<std::uint32_t>(AF_BLUETOOTH) == 0x1fu);
#endif
#if defined(AF_IUCV)
static_assert(static_cast<std::uint32_t>(AF_IUCV) == 0x20u);
#endif
#if defined(AF_RXRPC)
static_assert(static_cast<std::uint32_t>(AF_RXRPC) == 0x21u);
#endif
#if defined(AF_ISDN)
static_assert(static_cast<std::uint32_t>(AF_ISDN) == 0x22u);
#endif
#if defined(AF_PHONET)
static_assert(static_cast<std::uint32_t>(AF_PHONET) == 0x23u);
#endif
#if defined(AF_IEEE802154)
static_assert(static_cast<std::uint32_t>(AF_IEEE802154) == 0x24u);
#endif
#if defined(AF_CAIF)
static_assert(static_cast<std::uint32_t>(AF_CAIF) == 0x25u);
#endif
#if defined(AF_ALG)
static_assert(static_cast<std::uint32_t>(AF_ALG) == 0x26u);
#endif
#if defined(AF_NFC)
static_assert(static_cast<std::uint32_t>(AF_NFC) == 0x27u);
#endif
#if defined(AF_VSOCK)
static_assert(static_cast<std::uint32_t>(AF_VSOCK) == 0x28u);
#endif
#if defined(AF_KCM)
static_assert(static_cast<std::uint32_t>(AF_KCM) == 0x29u);
#endif
#if defined(AF_QIPCRTR)
static_assert(static_cast<std::uint32_t>(AF_QIPCRTR) == 0x2au);
#endif
#if defined(AF_SMC)
static_assert(static_cast<std::uint32_t>(AF_SMC) == 0x2bu);
#endif
#if defined(AF_XDP)
static_assert(static_cast<std::uint32_t>(AF_XDP) == 0x2cu);
#endif
#if defined(AF_MCTP)
static_assert(static_cast<std::uint32_t>(AF_MCTP) == 0x2du);
#endif
#if defined(IPPROTO_IP)
static_assert(static_cast<std::uint32_t>(IPPROTO_IP) == 0x0u);
#endif
#if defined(IPPROTO_ICMP)
static_assert(static_cast<std::uint32_t>(IPPROTO_ICMP) == 0x1u);
#endif
#if defined(IPPROTO_IGMP)
static_assert(static_cast<std::uint32_t>(IPPROTO_IGMP) == 0x2u);
#endif
#if defined(IPPROTO_IPIP)
static_assert(static_cast<std::uint32_t>(IPPROTO_IPIP) == 0x4u);
#endif
#if defined(IPPROTO_TCP)
static_assert(static_cast<std::uint32_t>(IPPROTO_TCP) == 0x6u);
#endif
#if defined(IPPROTO_EGP)
static_assert(static_cast<std::uint32_t>(IPPROTO_EGP) == 0x8u);
#endif
#if defined(IPPROTO_PUP)
static_assert(static_cast<std::uint32_t>(IPPROTO_PUP) == 0xcu);
#endif
#if defined(IPPROTO_UDP)
static_assert(static_cast<std::uint32_t>(IPPROTO_UDP) == 0x11u);
#endif
#if defined(IPPROTO_IDP)
static_assert(static_cast<std::uint32_t>(IPPROTO_IDP) == 0x16u);
#endif
#if defined(IPPROTO_TP)
static_assert(static_cast<std::uint32_t>(IPPROTO_TP) == 0x1du);
#endif
#if defined(IPPROTO_DCCP)
static_assert(static_cast<std::uint32_t>(IPPROTO_DCCP) == 0x21u);
#endif
#if defined(IPPROTO_IPV6)
static_assert(static_cast<std::uint32_t>(IPPROTO_IPV6) == 0x29u);
#endif
#if defined(IPPROTO_RSVP)
static_assert(static_cast<std::uint32_t>(IPPROTO_RSVP) == 0x2eu);
#endif
#if defined(IPPROTO_GRE)
static_assert(static_cast<std::uint32_t>(IPPROTO_GRE) == 0x2fu);
#endif
#if defined(IPPROTO_ESP)
static_assert(static_cast<std::uint32_t>(IPPROTO_ESP) == 0x32u);
#endif
#if defined(IPPROTO_AH)
static_assert(static_cast<std::uint32_t>(IPPROTO_AH) == 0x33u);
#endif
#if defined(IPPROTO_ICMPV6)
static_assert(static_cast<std::uint32_t>(IPPROTO_ICMPV6) == 0x3au);
#endif
#if defined(IPPROTO_MTP)
static_assert(static_cast<std::uint32_t>(IPPROTO_MTP) == 0x5cu);
#endif
#if defined(IPPROTO_BEETPH)
static_assert(static_cast<std::uint32_t>(IPPROTO_BEETPH) == 0x5eu);
#endif
#if defined(IPPROTO_ENCAP)
static_assert(static_cast<std::uint32_t>(IPPROTO_ENCAP) == 0x62u);
#endif
#if defined(IPPROTO_PIM)
static_assert(static_cast<std::uint32_t>(IPPROTO_PIM) == 0x67u);
#endif
#if defined(IPPROTO_COMP)
static_assert(static_cast<std::uint32_t>(IPPROTO_COMP) == 0x6cu);
#endif
#if defined(IPPROTO_SCTP)
static_assert(static_cast<std::uint32_t>(IPPROTO_SCTP) == 0x84u);
#endif
#if defined(IPPROTO_UDPLITE)
static_assert(static_cast<std::uint32_t>(IPPROTO_UDPLITE) == 0x88u);
#endif
#if defined(IPPROTO_MPLS)
static_assert(static_cast<std::uint32_t>(IPPROTO_MPLS) == 0x89u);
#endif
#if defined(IPPROTO_ETHERNET)
static_assert(static_cast<std::uint32_t>(IPPROTO_ETHERNET) == 0x8fu);
#endif
#if defined(IPPROTO_RAW)
static_assert(static_cast<std::uint32_t>(IPPROTO_RAW) == 0xffu);
#endif
#if defined(IPPROTO_MPTCP)
static_assert(static_cast<std::uint32_t>(IPPROTO_MPTCP) == 0x106u);
#endif
#if defined(NETLINK_ROUTE)
static_assert(static_cast<std::uint32_t>(NETLINK_ROUTE) == 0x0u);
#endif
#if defined(NETLINK_UNUSED)
static_assert(static_cast<std::uint32_t>(NETLINK_UNUSED) == 0x1u);
#endif
#if defined(NETLINK_USERSOCK)
static_assert(static_cast<std::uint32_t>(NETLINK_USERSOCK) == 0x2u);
#endif
#if defined(NETLINK_FIREWALL)
static_assert(static_cast<std::uint32_t>(NETLINK_FIREWALL) == 0x3u);
#endif
#if defined(NETLINK_SOCK_DIAG)
static_assert(static_cast<std::uint32_t>(NETLINK_SOCK_DIAG) == 0x4u);
#endif
#if defined(NETLINK_NFLOG)
static_assert(static_cast<std::uint32_t>(NETLINK_NFLOG) == 0x5u);
#endif
#if defined(NETLINK_XFRM)
static_assert(static_cast<std::uint32_t>(NETLINK_XFRM) == 0x6u);
#endif
#if defined(NETLINK_SELINUX)
static_assert(static_cast<std::uint32_t>(NETLINK_SELINUX) == 0x7u);
#endif
#if defined(NETLINK_ISCSI)
static_assert(static_cast<std::uint32_t>(NETLINK_ISCSI) == 0x8u);
#endif
#if defined(NETLINK_AUDIT)
static_assert(static_cast<std::uint32_t>(NETLINK_AUDIT) == 0x9u);
#endif
#if defined(NETLINK_FIB_LOOKUP)
static_assert(static_cast<std::uint32_t>(NETLINK_FIB_LOOKUP) == 0xau);
#endif
#if defined(NETLINK_CONNECTOR)
static_assert(static_cast<std::uint32_t>(NETLINK_CONNECTOR) == 0xbu);
#endif
#if defined(NETLINK_NETFILTER)
static_assert(static_cast<std::uint32_t>(NETLINK_NETFILTER) == 0xcu);
#endif
#if defined(NETLINK_IP6_FW)
static_assert(static_cast<std::uint32_t>(NETLINK_IP6_FW) == 0xdu);
#endif
#if defined(NETLINK_DNRTMSG)
static_assert(static_cast<std::uint32_t>(NETLINK_DNRTMSG) == 0xeu);
#endif
#if defined(NETLINK_KOBJECT_UEVENT)
static_assert(static_cast<std::uint32_t>(NETLINK_KOBJECT_UEVENT) == 0xfu);
#endif
#if defined(NETLINK_GENERIC)
static_assert(static_cast<std::uint32_t>(NETLINK_GENERIC) == 0x10u);
#endif
#if defined(NETLINK_SCSITRANSPORT)
static_assert(static_cast<std::uint32_t>(NETLINK_SCSITRANSPORT) == 0x12u);
#endif
#if defined(NETLINK_ECRYPTFS)
static_assert(static_cast<std::uint32_t>(NETLINK_ECRYPTFS) == 0x13u);
#endif
#if defined(NETLINK_RDMA)
static_assert(static_cast<std::uint32_t>(NETLINK_RDMA) == 0x14u);
#endif
#if defined(NETLINK_CRYPTO)
static_assert(static_cast<std::uint32_t>(NETLINK_CRYPTO) == 0x15u);
#endif
#if defined(NETLINK_SMC)
static_assert(static_cast<std::uint32_t>(NETLINK_SMC) == 0x16u);
#endif
#if defined(SHUT_RD)
static_assert(static_cast<std::uint32_t>(SHUT_RD) == 0x0u);
#endif
#if defined(SHUT_WR)
static_assert(static_cast<std::uint32_t>(SHUT_WR) == 0x1u);
#endif
#if defined(SHUT_RDWR)
static_assert(static_cast<std::uint32_t>(SHUT_RDWR) == 0x2u);
#endif
#if defined(SOL_UDP)
static_assert(static_cast<std::uint32_t>(SOL_UDP) == 0x11u);
#endif
#if defined(SOL_ICMPV6)
static_assert(static_cast<std::uint32_t>(SOL_ICMPV6) == 0x3au);
#endif
#if defined(SOL_UDPLITE)
static_assert(static_cast<std::uint32_t>(SOL_UDPLITE) == 0x88u);
#endif
#if defined(SOL_RAW)
static_assert(static_cast<std::uint32_t>(SOL_RAW) == 0xffu);
#endif
#if defined(SOL_IPX)
static_assert(static_cast<std::uint32_t>(SOL_IPX) == 0x100u);
#endif
#if defined(SOL_AX25)
static_assert(static_cast<std::uint32_t>(SOL_AX25) == 0x101u);
#endif
#if defined(SOL_ATALK)
static_assert(static_cast<std::uint32_t>(SOL_ATALK) == 0x102u);
#endif
#if defined(SOL_NETROM)
static_assert(static_cast<std::uint32_t>(SOL_NETROM) == 0x103u);
#endif
#if defined(SOL_ROSE)
static_assert(static_cast<std::uint32_t>(SOL_ROSE) == 0x104u);
#endif
#if defined(SOL_DECNET)
static_assert(static_cast<std::uint32_t>(SOL_DECNET) == 0x105u);
#endif
#if defined(SOL_X25)
static_assert(static_cast<std::uint32_t>(SOL_X25) == 0x106u);
#endif
#if defined(SOL_ATM)
static_assert(static_cast<std::uint32_t>(SOL_ATM) == 0x108u);
#endif
#if defined(SOL_AAL)
static_assert(static_cast<std::uint32_t>(SOL_AAL) == 0x109u);
#endif
#if defined(SOL_IRDA)
static_assert(static_cast<std::uint32_t>(SOL_IRDA) == 0x10au);
#endif
#if defined(SOL_NETBEUI)
static_assert(static_cast<std::uint32_t>(SOL_NETBEUI) == 0x10bu);
#endif
#if defined(SOL_LLC)
static_assert(static_cast<std::uint32_t>(SOL_LLC) == 0x10cu);
#endif
#if defined(SOL_DCCP)
static_assert(static_cast<std::uint32_t>(SOL_DCCP) == 0x10du);
#endif
#if defined(SOL_NETLINK)
static_assert(static_cast<std::uint32_t>(SOL_NETLINK) == 0x10eu);
#endif
#if defined(SOL_TIPC)
static_assert(static_cast<std::uint32_t>(SOL_TIPC) == 0x10fu);
#endif
#if defined(SOL_RXRPC)
static_assert(static_cast<std::uint32_t>(SOL_RXRPC) == 0x110u);
#endif
#if defined(SOL_PPPOL2TP)
static_assert(static_cast<std::uint32_t>(SOL_PPPOL2TP) == 0x111u);
#endif
#if defined(SOL_BLUETOOTH)
static_assert(static_cast<std::uint32_t>(SOL_BLUETOOTH) == 0x112u);
#endif
#if defined(SOL_PNPIPE)
static_assert(static_cast<std::uint32_t>(SOL_PNPIPE) == 0x113u);
#endif
#if defined(SOL_IUCV)
static_assert(static_cast<std::uint32_t>(SOL_IUCV) == 0x115u);
#endif
#if defined(SOL_CAIF)
static_assert(static_cast<std::uint32_t>(SOL_CAIF) == 0x116u);
#endif
#if defined(SOL_ALG)
static_assert(static_cast<std::uint32_t>(SOL_ALG) == 0x117u);
#endif
#if defined(SOL_NFC)
static_assert(static_cast<std::uint32_t>(SOL_NFC) == 0x118u);
#endif
#if defined(SOL_KCM)
static_assert(static_cast<std::uint32_t>(SOL_KCM) == 0x119u);
#endif
#if defined(SOL_TLS)
static_assert(static_cast<std::uint32_t>(SOL_TLS) == 0x11au);
#endif
#if defined(SO_DEBUG)
static_assert(static_cast<std::uint32_t>(SO_DEBUG) == 0x1u);
#endif
#if defined(SO_REUSEADDR)
static_assert(static_cast<std::uint32_t>(SO_REUSEADDR) == 0x2u);
#endif
#if defined(SO_TYPE)
static_assert(static_cast<std::uint32_t>(SO_TYPE) == 0x3u);
#endif
#if defined(SO_ERROR)
static_assert(static_cast<std::uint32_t>(SO_ERROR) == 0x4u);
#endif
#if defined(SO_DONTROUTE)
static_assert(static_cast<std::uint32_t>(SO_DONTROUTE) == 0x5u);
#endif
#if defined(SO_BROADCAST)
static_assert(static_cast<std::uint32_t>(SO_BROADCAST) == 0x6u);
#endif
#if defined(SO_SNDBUF)
static_assert(static_cast<std::uint32_t>(SO_SNDBUF) == 0x7u);
#endif
#if defined(SO_RCVBUF)
static_assert(static_cast<std::uint32_t>(SO_RCVBUF) == 0x8u);
#endif
#if defined(SO_KEEPALIVE)
static_assert(static_cast<std::uint32_t>(SO_KEEPALIVE) == 0x9u);
#endif
#if defined(SO_OOBINLINE)
static_assert(static_cast<std::uint32_t>(SO_OOBINLINE) == 0xau);
#endif
#if defined(SO_NO_CHECK)
static_assert(static_cast<std::uint32_t>(SO_NO_CHECK) == 0xbu);
#endif
#if defined(SO_PRIORITY)
static_assert(static_cast<std::uint32_t>(SO_PRIORITY) == 0xcu);
#endif
#if defined(SO_LINGER)
static_assert(static_cast<std::uint32_t>(SO_LINGER) == 0xdu);
#endif
#if defined(SO_BSDCOMPAT)
static_assert(static_cast<std::uint32_t>(SO_BSDCOMPAT) == 0xeu);
#endif
#if defined(SO_REUSEPORT)
static_assert(static_cast<std::uint32_t>(SO_REUSEPORT) == 0xfu);
#endif
#if defined(SO_PASSCRED)
static_assert(static_cast<std::uint32_t>(SO_PASSCRED) == 0x10u);
#endif
#if defined(SO_PEERCRED)
static_assert(static_cast<std::uint32_t>(SO_PEERCRED) == 0x11u);
#endif
#if defined(SO_RCVLOWAT)
static_assert(static_cast<std::uint32_t>(SO_RCVLOWAT) == 0x12u);
#endif
#if defined(SO_SNDLOWAT)
static_assert(static_cast<std::uint32_t>(SO_SNDLOWAT) == 0x13u);
#endif
#if defined(SO_RCVTIMEO_OLD)
static_assert(static_cast<std::uint32_t>(SO_RCVTIMEO_OLD) == 0x14u);
#endif
#if defined(SO_SNDTIMEO_OLD)
static_assert(static_cast<std::uint32_t>(SO_SNDTIMEO_OLD) == 0x15u);
#endif
#if defined(SO_SECURITY_AUTHENTICATION)
static_assert(static_cast<std::uint32_t>(SO_SECURITY_AUTHENTICATION) == 0x16u);
#endif
#if defined(SO_SECURITY_ENCRYPTION_TRANSPORT)
static_assert(static_cast<std::uint32_t>(SO_SECURITY_ENCRYPTION_TRANSPORT) == 0x17u);
#endif
#if defined(SO_SECURITY_ENCRYPTION_NETWORK)
static_assert(static_cast<std::uint32_t>(SO_SECURITY_ENCRYPTION_NETWORK) == 0x18u);
#endif
#if defined(SO_BINDTODEVICE)
static_assert(static_cast<std::uint32_t>(SO_BINDTODEVICE) == 0x19u);
#endif
#if defined(SO_DETACH_FILTER)
static_assert(static_cast<std::uint32_t>(SO_DETACH_FILTER) == 0x1bu);
#endif
#if defined(SO_PEERNAME)
static_assert(static_cast<std::uint32_t>(SO_PEERNAME) == 0x1cu);
#endif
#if defined(SO_TIMESTAMP_OLD)
static_assert(static_cast<std::uint32_t>(SO_TIMESTAMP_OLD) == 0x1du);
#endif
#if defined(SO_ACCEPTCONN)
static_assert(static_cast<std::uint32_t>(SO_ACCEPTCONN) == 0x1eu);
#endif
#if defined(SO_PEERSEC)
static_assert(static_cast<std::uint32_t>(SO_PEERSEC) == 0x1fu);
#endif
#if defined(SO_SNDBUFFORCE)
static_assert(static_cast<std::uint32_t>(SO_SNDBUFFORCE) == 0x20u);
#endif
#if defined(SO_RCVBUFFORCE)
static_assert(static_cast<std::uint32_t>(SO_RCVBUFFORCE) == 0x21u);
#endif
#if defined(SO_PASSSEC)
static_assert(static_cast<std::uint32_t>(SO_PASSSEC) == 0x22u);
#endif
#if defined(SO_TIMESTAMPNS_OLD)
static_assert(static_cast<std::uint32_t>(SO_TIMESTAMPNS_OLD) == 0x23u);
#endif
#if defined(SO_MARK)
static_assert(static_cast<std::uint32_t>(SO_MARK) == 0x24u);
#endif
#if defined(SO_TIMESTAMPING_OLD)
static_assert(static_cast<std::uint32_t>(SO_TIMESTAMPING_OLD) == 0x25u);
#endif
#if defined(SO_PROTOCOL)
static_assert(static_cast<std::uint32_t>(SO_PROTOCOL) == 0x26u);
#endif
#if defined(SO_DOMAIN)
static_assert(static_cast<std::uint32_t>(SO_DOMAIN) == 0x27u);
#endif
#if defined(SO_RXQ_OVFL)
static_assert(static_cast<std::uint32_t>(SO_RXQ_OVFL) == 0x28u);
#endif
#if defined(SO_WIFI_STATUS)
static_assert(static_cast<std::uint32_t>(SO_WIFI_STATUS) == 0x29u);
#endif
#if defined(SO_PEEK_OFF)
static_assert(static_cast<std::uint32_t>(SO_PEEK_OFF) == 0x2au);
#endif
#if defined(SO_NOFCS)
static_assert(static_cast<std::uint32_t>(SO_NOFCS) == 0x2bu);
#endif
#if defined(SO_LOCK_FILTER)
static_assert(static_cast<std::uint32_t>(SO_LOCK_FILTER) == 0x2cu);
#endif
#if defined(SO_SELECT_ERR_QUEUE)
static_assert(static_cast<std::uint32_t>(SO_SELECT_ERR_QUEUE) == 0x2du);
#endif
#if defined(SO_BUSY_POLL)
static_assert(static_cast<std::uint32_t>(SO_BUSY_POLL) == 0x2eu);
#endif
#if defined(SO_MAX_PACING_RATE)
static_assert(static_cast<std::uint32_t>(SO_MAX_PACING_RATE) == 0x2fu);
#endif
#if defined(SO_BPF_EXTENSIONS)
static_assert(static_cast<std::uint32_t>(SO_BPF_EXTENSIONS) == 0x30u);
#endif
#if defined(SO_INCOMING_CPU)
static_assert(static_cast<std::uint32_t>(SO_INCOMING_CPU) == 0x31u);
#endif
#if defined(SO_ATTACH_BPF)
static_assert(static_cast<std::uint32_t>(SO_ATTACH_BPF) == 0x32u);
#endif
#if defined(SO_ATTACH_REUSEPORT_EBPF)
static_assert(static_cast<std::uint32_t>(SO_ATTACH_REUSEPORT_EBPF) == 0x34u);
#endif
#if defined(SO_CNX_ADVICE)
static_assert(static_cast<std::uint32_t>(SO_CNX_ADVICE) == 0x35u);
#endif
#if defined(SO_MEMINFO)
static_assert(static_cast<std::uint32_t>(SO_MEMINFO) == 0x37u);
#endif
#if defined(SO_INCOMING_NAPI_ID)
static_assert(static_cast<std::uint32_t>(SO_INCOMING_NAPI_ID) == 0x38u);
#endif
#if defined(SO_COOKIE)
static_assert(static_cast<std::uint32_t>(SO_COOKIE) == 0x39u);
#endif
#if defined(SO_PEERGROUPS)
static_assert(static_cast<std::uint32_t>(SO_PEERGROUPS) == 0x3bu);
#endif
#if defined(SO_ZEROCOPY)
static_assert(static_cast<std::uint32_t>(SO_ZEROCOPY) == 0x3cu);
#endif
#if defined(SO_TXTIME)
static_assert(static_cast<std::uint32_t>(SO_TXTIME) == 0x3du);
#endif
#if defined(SO_BINDTOIFINDEX)
static_assert(static_cast<std::uint32_t>(SO_BINDTOIFINDEX) == 0x3eu);
#endif
#if defined(SO_TIMESTAMP_NEW)
static_assert(static_cast<std::uint32_t>(SO_TIMESTAMP_NEW) == 0x3fu);
#endif
#if defined(SO_TIMESTAMPNS_NEW)
static_assert(static_cast<std::uint32_t>(SO_TIMESTAMPNS_NEW) == 0x40u);
#endif
#if defined(SO_TIMESTAMPING_NEW)
static_assert(static_cast<std::uint32_t>(SO_TIMESTAMPING_NEW) == 0x41u);
#endif
#if defined(SO_RCVTIMEO_NEW)
static_assert(static_cast<std::uint32_t>(SO_RCVTIMEO_NEW) == 0x42u);
#endif
#if defined(SO_SNDTIMEO_NEW)
static_assert(static_cast<std::uint32_t>(SO_SNDTIMEO_NEW) == 0x43u);
#endif
#if defined(SO_DETACH_REUSEPORT_BPF)
static_assert(static_cast<std::uint32_t>(SO_DETACH_REUSEPORT_BPF) == 0x44u);
#endif
#if defined(SO_PREFER_BUSY_POLL)
static_assert(static_cast<std::uint32_t>(SO_PREFER_BUSY_POLL) == 0x45u);
#endif
#if defined(SO_BUSY_POLL_BUDGET)
static_assert(static_cast<std::uint32_t>(SO_BUSY_POLL_BUDGET) == 0x46u);
#endif
#if defined(SO_NETNS_COOKIE)
static_assert(static_cast<std::uint32_t>(SO_NETNS_COOKIE) == 0x47u);
#endif
#if defined(SO_BUF_LOCK)
static_assert(static_cast<std::uint32_t>(SO_BUF_LOCK) == 0x48u);
#endif
#if defined(SO_RESERVE_MEM)
static_assert(static_cast<std::uint32_t>(SO_RESERVE_MEM) == 0x49u);
#endif
#if defined(SO_TXREHASH)
static_assert(static_cast<std::uint32_t>(SO_TXREHASH) == 0x4au);
#endif
#if defined(SO_RCVMARK)
static_assert(static_cast<std::uint32_t>(SO_RCVMARK) == 0x4bu);
#endif
#if defined(IP_TOS)
static_assert(static_cast<std::uint32_t>(IP_TOS) == 0x1u);
#endif
#if defined(IP_TTL)
static_assert(static_cast<std::uint32_t>(IP_TTL) == 0x2u);
#endif
#if defined(IP_HDRINCL)
static_assert(static_cast<std::uint32_t>(IP_HDRINCL) == 0x3u);
#endif
#if defined(IP_OPTIONS)
static_assert(static_cast<std::uint32_t>(IP_OPTIONS) == 0x4u);
#endif
#if defined(IP_ROUTER_ALERT)
static_assert(static_cast<std::uint32_t>(IP_ROUTER_ALERT) == 0x5u);
#endif
#if defined(IP_RECVOPTS)
static_assert(static_cast<std::uint32_t>(IP_RECVOPTS) == 0x6u);
#endif
#if defined(IP_RETOPTS)
static_assert(static_cast<std::uint32_t>(IP_RETOPTS) == 0x7u);
#endif
#if defined(IP_PKTINFO)
static_assert(static_cast<std::uint32_t>(IP_PKTINFO) == 0x8u);
#endif
#if defined(IP_PKTOPTIONS)
static_assert(static_cast<std::uint32_t>(IP_PKTOPTIONS) == 0x9u);
#endif
#if defined(IP_MTU_DISCOVER)
static_assert(static_cast<std::uint32_t>(IP_MTU_DISCOVER) == 0xau);
#endif
#if defined(IP_RECVERR)
static_assert(static_cast<std::uint32_t>(IP_RECVERR) == 0xbu);
#endif
#if defined(IP_RECVTTL)
static_assert(static_cast<std::uint32_t>(IP_RECVTTL) == 0xcu);
#endif
#if defined(IP_RECVTOS)
static_assert(static_cast<std::uint32_t>(IP_RECVTOS) == 0xdu);
#endif
#if defined(IP_MTU)
static_assert(static_cast<std::uint32_t>(IP_MTU) == 0xeu);
#endif
#if defined(IP_FREEBIND)
static_assert(static_cast<std::uint32_t>(IP_FREEBIND) == 0xfu);
#endif
#if defined(IP_IPSEC_POLICY)
static_assert(static_cast<std::uint32_t>(IP_IPSEC_POLICY) == 0x10u);
#endif
#if defined(IP_XFRM_POLICY)
static_assert(static_cast<std::uint32_t>(IP_XFRM_POLICY) == 0x11u);
#endif
#if defined(IP_PASSSEC)
static_assert(static_cast<std::uint32_t>(IP_PASSSEC) == 0x12u);
#endif
#if defined(IP_TRANSPARENT)
static_assert(static_cast<std::uint32_t>(IP_TRANSPARENT) == 0x13u);
#endif
#if defined(IP_ORIGDSTADDR)
static_assert(static_cast<std::uint32_t>(IP_ORIGDSTADDR) == 0x14u);
#endif
#if defined(IP_MINTTL)
static_assert(static_cast<std::uint32_t>(IP_MINTTL) == 0x15u);
#endif
#if defined(IP_NODEFRAG)
static_assert(static_cast<std::uint32_t>(IP_NODEFRAG) == 0x16u);
#endif
#if defined(IP_CHECKSUM)
static_assert(static_cast<std::uint32_t>(IP_CHECKSUM) == 0x17u);
#endif
#if defined(IP_BIND_ADDRESS_NO_PORT)
static_assert(static_cast<std::uint32_t>(IP_BIND_ADDRESS_NO_PORT) == 0x18u);
#endif
#if defined(IP_RECVFRAGSIZE)
static_assert(static_cast<std::uint32_t>(IP_RECVFRAGSIZE) == 0x19u);
#endif
#if defined(IP_RECVERR_RFC4884)
static_assert(static_cast<std::uint32_t>(IP_RECVERR_RFC4884) == 0x1au);
#endif
#if defined(IP_MULTICAST_IF)
static_assert(static_cast<std::uint32_t>(IP_MULTICAST_IF) == 0x20u);
#endif
#if defined(IP_MULTICAST_TTL)
static_assert(static_cast<std::uint32_t>(IP_MULTICAST_TTL) == 0x21u);
#endif
#if defined(IP_MULTICAST_LOOP)
static_assert(static_cast<std::uint32_t>(IP_MULTICAST_LOOP) == 0x22u);
#endif
#if defined(IP_ADD_MEMBERSHIP)
static_assert(static_cast<std::uint32_t>(IP_ADD_MEMBERSHIP) == 0x23u);
#endif
#if defined(IP_DROP_MEMBERSHIP)
static_assert(static_cast<std::uint32_t>(IP_DROP_MEMBERSHIP) == 0x24u);
#endif
#if defined(IP_UNBLOCK_SOURCE)
static_assert(static_cast<std::uint32_t>(IP_UNBLOCK_SOURCE) == 0x25u);
#endif
#if defined(IP_BLOCK_SOURCE)
static_assert(static_cast<std::uint32_t>(IP_BLOCK_SOURCE) == 0x26u);
#endif
#if defined(IP_ADD_SOURCE_MEMBERSHIP)
static_assert(static_cast<std::uint32_t>(IP_ADD_SOURCE_MEMBERSHIP) == 0x27u);
#endif
#if defined(IP_DROP_SOURCE_MEMBERSHIP)
static_assert(static_cast<std::uint32_t>(IP_DROP_SOURCE_MEMBERSHIP) == 0x28u);
#endif
#if defined(IP_MSFILTER)
static_assert(static_cast<std::uint32_t>(IP_MSFILTER) == 0x29u);
#endif
#if defined(MCAST_JOIN_GROUP)
static_assert(static_cast<std::uint32_t>(MCAST_JOIN_GROUP) == 0x2au);
#endif
#if defined(MCAST_BLOCK_SOURCE)
static_assert(static_cast<std::uint32_t>(MCAST_BLOCK_SOURCE) == 0x2bu);
#endif
#if defined(MCAST_UNBLOCK_SOURCE)
static_assert(static_cast<std::uint32_t>(MCAST_UNBLOCK_SOURCE) == 0x2cu);
#endif
#if defined(MCAST_LEAVE_GROUP)
static_assert(static_cast<std::uint32_t>(MCAST_LEAVE_GROUP) == 0x2du);
#endif
#if defined(MCAST_JOIN_SOURCE_GROUP)
static_assert(static_cast<std::uint32_t>(MCAST_JOIN_SOURCE_GROUP) == 0x2eu);
#endif
#if defined(MCAST_LEAVE_SOURCE_GROUP)
static_assert(static_cast<std::uint32_t>(MCAST_LEAVE_SOURCE_GROUP) == 0x2fu);
#endif
#if defined(MCAST_MSFILTER)
static_assert(static_cast<std::uint32_t>(MCAST_MSFILTER) == 0x30u);
#endif
#if defined(IP_MULTICAST_ALL)
static_assert(static_cast<std::uint32_t>(IP_MULTICAST_ALL) == 0x31u);
#endif
#if defined(IP_UNICAST_IF)
static_assert(static_cast<std::uint32_t>(IP_UNICAST_IF) == 0x32u);
#endif
#if defined(IPV6_ADDRFORM)
static_assert(static_cast<std::uint32_t>(IPV6_ADDRFORM) == 0x1u);
#endif
#if defined(IPV6_FLOWINFO)
static_assert(static_cast<std::uint32_t>(IPV6_FLOWINFO) == 0xbu);
#endif
#if defined(IPV6_MULTICAST_ALL)
static_assert(static_cast<std::uint32_t>(IPV6_MULTICAST_ALL) == 0x1du);
#endif
#if defined(IPV6_ROUTER_ALERT_ISOLATE)
static_assert(static_cast<std::uint32_t>(IPV6_ROUTER_ALERT_ISOLATE) == 0x1eu);
#endif
#if defined(IPV6_RECVERR_RFC4884)
static_assert(static_cast<std::uint32_t>(IPV6_RECVERR_RFC4884) == 0x1fu);
#endif
#if defined(IPV6_FLOWLABEL_MGR)
static_assert(static_cast<std::uint32_t>(IPV6_FLOWLABEL_MGR) == 0x20u);
#endif
#if defined(IPV6_FLOWINFO_SEND)
static_assert(static_cast<std::uint32_t>(IPV6_FLOWINFO_SEND) == 0x21u);
#endif
#if defined(IPV6_IPSEC_POLICY)
static_assert(static_cast<std::uint32_t>(IPV6_IPSEC_POLICY) == 0x22u);
#endif
#if defined(IPV6_XFRM_POLICY)
static_assert(static_cast<std::uint32_t>(IPV6_XFRM_POLICY) == 0x23u);
#endif
#if defined(IPV6_HDRINCL)
static_assert(static_cast<std::uint32_t>(IPV6_HDRINCL) == 0x24u);
#endif
#if defined(IPV6_2292PKTINFO)
static_assert(static_cast<std::uint32_t>(IPV6_2292PKTINFO) == 0x2u);
#endif
#if defined(IPV6_2292HOPOPTS)
static_assert(static_cast<std::uint32_t>(IPV6_2292HOPOPTS) == 0x3u);
#endif
#if defined(IPV6_2292DSTOPTS)
static_assert(static_cast<std::uint32_t>(IPV6_2292DSTOPTS) == 0x4u);
#endif
#if defined(IPV6_2292RTHDR)
static_assert(static_cast<std::uint32_t>(IPV6_2292RTHDR) == 0x5u);
#endif
#if defined(IPV6_2292PKTOPTIONS)
static_assert(static_cast<std::uint32_t>(IPV6_2292PKTOPTIONS) == 0x6u);
#endif
#if defined(IPV6_CHECKSUM)
static_assert(static_cast<std::uint32_t>(IPV6_CHECKSUM) == 0x7u);
#endif
#if defined(IPV6_2292HOPLIMIT)
static_assert(static_cast<std::uint32_t>(IPV6_2292HOPLIMIT) == 0x8u);
#endif
#if defined(IPV6_NEXTHOP)
static_assert(static_cast<std::uint32_t>(IPV6_NEXTHOP) == 0x9u);
#endif
#if defined(IPV6_AUTHHDR)
static_assert(static_cast<std::uint32_t>(IPV6_AUTHHDR) == 0xau);
#endif
#if defined(IPV6_UNICAST_HOPS)
static_assert(static_cast<std::uint32_t>(IPV6_UNICAST_HOPS) == 0x10u);
#endif
#if defined(IPV6_MULTICAST_IF)
static_assert(static_cast<std::uint32_t>(IPV6_MULTICAST_IF) == 0x11u);
#endif
#if defined(IPV6_MULTICAST_HOPS)
static_assert(static_cast<std::uint32_t>(IPV6_MULTICAST_HOPS) == 0x12u);
#endif
#if defined(IPV6_MULTICAST_LOOP)
static_assert(static_cast<std::uint32_t>(IPV6_MULTICAST_LOOP) == 0x13u);
#endif
#if defined(IPV6_ADD_MEMBERSHIP)
static_assert(static_cast<std::uint32_t>(IPV6_ADD_MEMBERSHIP) == 0x14u);
#endif
#if defined(IPV6_DROP_MEMBERSHIP)
static_assert(static_cast<std::uint32_t>(IPV6_DROP_MEMBERSHIP) == 0x15u);
#endif
#if defined(IPV6_ROUTER_ALERT)
static_assert(static_cast<std::uint32_t>(IPV6_ROUTER_ALERT) == 0x16u);
#endif
#if defined(IPV6_MTU_DISCOVER)
static_assert(static_cast<std::uint32_t>(IPV6_MTU_DISCOVER) == 0x17u);
#endif
#if defined(IPV6_MTU)
static_assert(static_cast<std::uint32_t>(IPV6_MTU) == 0x18u);
#endif
#if defined(IPV6_RECVERR)
static_assert(static_cast<std::uint32_t>(IPV6_RECVERR) == 0x19u);
#endif
#if defined(IPV6_V6ONLY)
static_assert(static_cast<std::uint32_t>(IPV6_V6ONLY) == 0x1au);
#endif
#if defined(IPV6_JOIN_ANYCAST)
static_assert(static_cast<std::uint32_t>(IPV6_JOIN_ANYCAST) == 0x1bu);
#endif
#if defined(IPV6_LEAVE_ANYCAST)
static_assert(static_cast<std::uint32_t>(IPV6_LEAVE_ANYCAST) == 0x1cu);
#endif
#if defined(IPV6_RECVPKTINFO)
static_assert(static_cast<std::uint32_t>(IPV6_RECVPKTINFO) == 0x31u);
#endif
#if defined(IPV6_PKTINFO)
static_assert(static_cast<std::uint32_t>(IPV6_PKTINFO) == 0x32u);
#endif
#if defined(IPV6_RECVHOPLIMIT)
static_assert(static_cast<std::uint32_t>(IPV6_RECVHOPLIMIT) == 0x33u);
#endif
#if defined(IPV6_HOPLIMIT)
static_assert(static_cast<std::uint32_t>(IPV6_HOPLIMIT) == 0x34u);
#endif
#if defined(IPV6_RECVTCLASS)
static_assert(static_cast<std::uint32_t>(IPV6_RECVTCLASS) == 0x42u);
#endif
#if defined(IPV6_TCLASS)
static_assert(static_cast<std::uint32_t>(IPV6_TCLASS) == 0x43u);
#endif
#if defined(IPV6_AUTOFLOWLABEL)
static_assert(static_cast<std::uint32_t>(IPV6_AUTOFLOWLABEL) == 0x46u);
#endif
#if defined(IPV6_ADDR_PREFERENCES)
static_assert(static_cast<std::uint32_t>(IPV6_ADDR_PREFERENCES) == 0x48u);
#endif
#if defined(IPV6_MINHOPCOUNT)
static_assert(static_cast<std::uint32_t>(IPV6_MINHOPCOUNT) == 0x49u);
#endif
#if defined(IPV6_ORIGDSTADDR)
static_assert(static_cast<std::uint32_t>(IPV6_ORIGDSTADDR) == 0x4au);
#endif
#if defined(IPV6_TRANSPARENT)
static_assert(static_cast<std::uint32_t>(IPV6_TRANSPARENT) == 0x4bu);
#endif
#if defined(IPV6_UNICAST_IF)
static_assert(static_cast<std::uint32_t>(IPV6_UNICAST_IF) == 0x4cu);
#endif
#if defined(IPV6_RECVFRAGSIZE)
static_assert(static_cast<std::uint32_t>(IPV6_RECVFRAGSIZE) == 0x4du);
#endif
#if defined(IPV6_FREEBIND)
static_assert(static_cast<std::uint32_t>(IPV6_FREEBIND) == 0x4eu);
#endif
#if defined(TCP_NODELAY)
static_assert(static_cast<std::uint32_t>(TCP_NODELAY) == 0x1u);
#endif
#if defined(TCP_MAXSEG)
static_assert(static_cast<std::uint32_t>(TCP_MAXSEG) == 0x2u);
#endif
#if defined(TCP_CORK)
static_assert(static_cast<std::uint32_t>(TCP_CORK) == 0x3u);
#endif
#if defined(TCP_KEEPIDLE)
static_assert(static_cast<std::uint32_t>(TCP_KEEPIDLE) == 0x4u);
#endif
#if defined(TCP_KEEPINTVL)
static_assert(static_cast<std::uint32_t>(TCP_KEEPINTVL) == 0x5u);
#endif
#if defined(TCP_KEEPCNT)
static_assert(static_cast<std::uint32_t>(TCP_KEEPCNT) == 0x6u);
#endif
#if defined(TCP_SYNCNT)
static_assert(static_cast<std::uint32_t>(TCP_SYNCNT) == 0x7u);
#endif
#if defined(TCP_LINGER2)
static_assert(static_cast<std::uint32_t>(TCP_LINGER2) == 0x8u);
#endif
#if defined(TCP_DEFER_ACCEPT)
static_assert(static_cast<std::uint32_t>(TCP_DEFER_ACCEPT) == 0x9u);
#endif
#if defined(TCP_WINDOW_CLAMP)
static_assert(static_cast<std::uint32_t>(TCP_WINDOW_CLAMP) == 0xau);
#endif
#if defined(TCP_INFO)
static_assert(static_cast<std::uint32_t>(TCP_INFO) == 0xbu);
#endif
#if defined(TCP_QUICKACK)
static_assert(static_cast<std::uint32_t>(TCP_QUICKACK) == 0xcu);
#endif
#if defined(TCP_CONGESTION)
static_assert(static_cast<std::uint32_t>(TCP_CONGESTION) == 0xdu);
#endif
#if defined(TCP_MD5SIG)
static_assert(static_cast<std::uint32_t>(TCP_MD5SIG) == 0xeu);
#endif
#if defined(TCP_COOKIE_TRANSACTIONS)
static_assert(static_cast<std::uint32_t>(TCP_COOKIE_TRANSACTIONS) == 0xfu);
#endif
#if defined(TCP_THIN_LINEAR_TIMEOUTS)
static_assert(static_cast<std::uint32_t>(TCP_THIN_LINEAR_TIMEOUTS) == 0x10u);
#endif
#if defined(TCP_THIN_DUPACK)
static_assert(static_cast<std::uint32_t>(TCP_THIN_DUPACK) == 0x11u);
#endif
#if defined(TCP_USER_TIMEOUT)
static_assert(static_cast<std::uint32_t>(TCP_USER_TIMEOUT) == 0x12u);
#endif
#if defined(TCP_REPAIR)
static_assert(static_cast<std::uint32_t>(TCP_REPAIR) == 0x13u);
#endif
#if defined(TCP_REPAIR_QUEUE)
static_assert(static_cast<std::uint32_t>(TCP_REPAIR_QUEUE) == 0x14u);
#endif
#if defined(TCP_QUEUE_SEQ)
static_assert(static_cast<std::uint32_t>(TCP_QUEUE_SEQ) == 0x15u);
#endif
#if defined(TCP_REPAIR_OPTIONS)
static_assert(static_cast<std::uint32_t>(TCP_REPAIR_OPTIONS) == 0x16u);
#endif
#if defined(TCP_FASTOPEN)
static_assert(static_cast<std::uint32_t>(TCP_FASTOPEN) == 0x17u);
#endif
#if defined(TCP_TIMESTAMP)
static_assert(static_cast<std::uint32_t>(TCP_TIMESTAMP) == 0x18u);
#endif
#if defined(TCP_NOTSENT_LOWAT)
static_assert(static_cast<std::uint32_t>(TCP_NOTSENT_LOWAT) == 0x19u);
#endif
#if defined(TCP_CC_INFO)
static_assert(static_cast<std::uint32_t>(TCP_CC_INFO) == 0x1au);
#endif
#if defined(TCP_SAVE_SYN)
static_assert(static_cast<std::uint32_t>(TCP_SAVE_SYN) == 0x1bu);
#endif
#if defined(TCP_SAVED_SYN)
static_assert(static_cast<std::uint32_t>(TCP_SAVED_SYN) == 0x1cu);
#endif
#if defined(TCP_REPAIR_WINDOW)
static_assert(static_cast<std::uint32_t>(TCP_REPAIR_WINDOW) == 0x1du);
#endif
#if defined(TCP_FASTOPEN_CONNECT)
static_assert(static_cast<std::uint32_t>(TCP_FASTOPEN_CONNECT) == 0x1eu);
#endif
#if defined(TCP_ULP)
static_assert(static_cast<std::uint32_t>(TCP_ULP) == 0x1fu);
#endif
#if defined(TCP_MD5SIG_EXT)
static_assert(static_cast<std::uint32_t>(TCP_MD5SIG_EXT) == 0x20u);
#endif
#if defined(TCP_FASTOPEN_KEY)
static_assert(static_cast<std::uint32_t>(TCP_FASTOPEN_KEY) == 0x21u);
#endif
#if defined(TCP_FASTOPEN_NO_COOKIE)
static_assert(static_cast<std::uint32_t>(TCP_FASTOPEN_NO_COOKIE) == 0x22u);
#endif
#if defined(TCP_INQ)
static_assert(static_cast<std::uint32_t>(TCP_INQ) == 0x24u);
#endif
#if defined(TCP_TX_DELAY)
static_assert(static_cast<std::uint32_t>(TCP_TX_DELAY) == 0x25u);
#endif
#if defined(NETLINK_ADD_MEMBERSHIP)
static_assert(static_cast<std::uint32_t>(NETLINK_ADD_MEMBERSHIP) == 0x1u);
#endif
#if defined(NETLINK_DROP_MEMBERSHIP)
static_assert(static_cast<std::uint32_t>(NETLINK_DROP_MEMBERSHIP) == 0x2u);
#endif
#if defined(NETLINK_PKTINFO)
static_assert(static_cast<std::uint32_t>(NETLINK_PKTINFO) == 0x3u);
#endif
#if defined(NETLINK_BROADCAST_ERROR)
static_assert(static_cast<std::uint32_t>(NETLINK_BROADCAST_ERROR) == 0x4u);
#endif
#if defined(NETLINK_NO_ENOBUFS)
static_assert(static_cast<std::uint32_t>(NETLINK_NO_ENOBUFS) == 0x5u);
#endif
#if defined(NETLINK_RX_RING)
static_assert(static_cast<std::uint32_t>(NETLINK_RX_RING) == 0x6u);
#endif
#if defined(NETLINK_TX_RING)
static_assert(static_cast<std::uint32_t>(NETLINK_TX_RING) == 0x7u);
#endif
#if defined(NETLINK_LISTEN_ALL_NSID)
static_assert(static_cast<std::uint32_t>(NETLINK_LISTEN_ALL_NSID) == 0x8u);
#endif
#if defined(NETLINK_LIST_MEMBERSHIPS)
static_assert(static_cast<std::uint32_t>(NETLINK_LIST_MEMBERSHIPS) == 0x9u);
#endif
#if defined(NETLINK_CAP_ACK)
static_assert(static_cast<std::uint32_t>(NETLINK_CAP_ACK) == 0xau);
#endif
#if defined(NETLINK_EXT_ACK)
static_assert(static_cast<std::uint32_t>(NETLINK_EXT_ACK) == 0xbu);
#endif
#if defined(NETLINK_GET_STRICT_CHK)
static_assert(static_cast<std::uint32_t>(NETLINK_GET_STRICT_CHK) == 0xcu);
#endif
#if defined(SCM_RIGHTS)
static_assert(static_cast<std::uint32_t>(SCM_RIGHTS) == 0x1u);
#endif
#if defined(SCM_CREDENTIALS)
static_assert(static_cast<std::uint32_t>(SCM_CREDENTIALS) == 0x2u);
#endif
#if defined(SCM_SECURITY)
static_assert(static_cast<std::uint32_t>(SCM_SECURITY) == 0x3u);
#endif
#if defined(EPOLL_CTL_ADD)
static_assert(static_cast<std::uint32_t>(EPOLL_CTL_ADD) == 0x1u);
#endif
#if defined(EPOLL_CTL_DEL)
static_assert(static_cast<std::uint32_t>(EPOLL_CTL_DEL) == 0x2u);
#endif
#if defined(EPOLL_CTL_MOD)
static_assert(static_cast<std::uint32_t>(EPOLL_CTL_MOD) == 0x3u);
#endif
#if defined(CLOCK_REALTIME)
static_assert(static_cast<std::uint32_t>(CLOCK_REALTIME) == 0x0u);
#endif
#if defined(CLOCK_MONOTONIC)
static_assert(static_cast<std::uint32_t>(CLOCK_MONOTONIC) == 0x1u);
#endif
#if defined(CLOCK_PROCESS_CPUTIME_ID)
static_assert(static_cast<std::uint32_t>(CLOCK_PROCESS_CPUTIME_ID) == 0x2u);
#endif
#if defined(CLOCK_THREAD_CPUTIME_ID)
static_assert(static_cast<std::uint32_t>(CLOCK_THREAD_CPUTIME_ID) == 0x3u);
#endif
#if defined(CLOCK_MONOTONIC_RAW)
static_assert(static_cast<std::uint32_t>(CLOCK_MONOTONIC_RAW) == 0x4u);
#endif
#if defined(CLOCK_REALTIME_COARSE)
static_assert(static_cast<std::uint32_t>(CLOCK_REALTIME_COARSE) == 0x5u);
#endif
#if defined(CLOCK_MONOTONIC_COARSE)
static_assert(static_cast<std::uint32_t>(CLOCK_MONOTONIC_COARSE) == 0x6u);
#endif
#if defined(CLOCK_BOOTTIME)
static_assert(static_cast<std::uint32_t>(CLOCK_BOOTTIME) == 0x7u);
#endif
#if defined(CLOCK_REALTIME_ALARM)
static_assert(static_cast<std::uint32_t>(CLOCK_REALTIME_ALARM) == 0x8u);
#endif
#if defined(CLOCK_BOOTTIME_ALARM)
static_assert(static_cast<std::uint32_t>(CLOCK_BOOTTIME_ALARM) == 0x9u);
#endif
#if defined(CLOCK_SGI_CYCLE)
static_assert(static_cast<std::uint32_t>(CLOCK_SGI_CYCLE) == 0xau);
#endif
#if defined(CLOCK_TAI)
static_assert(static_cast<std::uint32_t>(CLOCK_TAI) == 0xbu);
#endif
#if defined(ITIMER_REAL)
static_assert(static_cast<std::uint32_t>(ITIMER_REAL) == 0x0u);
#endif
#if defined(ITIMER_VIRTUAL)
static_assert(static_cast<std::uint32_t>(ITIMER_VIRTUAL) == 0x1u);
#endif
#if defined(ITIMER_PROF)
static_assert(static_cast<std::uint32_t>(ITIMER_PROF) == 0x2u);
#endif
#if defined(TIME_OK)
static_assert(static_cast<std::uint32_t>(TIME_OK) == 0x0u);
#endif
#if defined(TIME_INS)
static_assert(static_cast<std::uint32_t>(TIME_INS) == 0x1u);
#endif
#if defined(TIME_DEL)
static_assert(static_cast<std::uint32_t>(TIME_DEL) == 0x2u);
#endif
#if defined(TIME_OOP)
static_assert(static_cast<std::uint32_t>(TIME_OOP) == 0x3u);
#endif
#if defined(TIME_WAIT)
static_assert(static_cast<std::uint32_t>(TIME_WAIT) == 0x4u);
#endif
#if defined(TIME_ERROR)
static_assert(static_cast<std::uint32_t>(TIME_ERROR) == 0x5u);
#endif
#if defined(SIGHUP)
static_assert(static_cast<std::uint32_t>(SIGHUP) == 0x1u);
#endif
#if defined(SIGINT)
static_assert(static_cast<std::uint32_t>(SIGINT) == 0x2u);
#endif
#if defined(SIGQUIT)
static_assert(static_cast<std::uint32_t>(SIGQUIT) == 0x3u);
#endif
#if defined(SIGILL)
static_assert(static_cast<std::uint32_t>(SIGILL) == 0x4u);
#endif
#if defined(SIGTRAP)
static_assert(static_cast<std::uint32_t>(SIGTRAP) == 0x5u);
#endif
#if defined(SIGABRT)
static_assert(static_cast<std::uint32_t>(SIGABRT) == 0x6u);
#endif
#if defined(SIGBUS)
static_assert(static_cast<std::uint32_t>(SIGBUS) == 0x7u);
#endif
#if defined(SIGFPE)
static_assert(static_cast<std::uint32_t>(SIGFPE) == 0x8u);
#endif
#if defined(SIGKILL)
static_assert(static_cast<std::uint32_t>(SIGKILL) == 0x9u);
#endif
#if defined(SIGUSR1)
static_assert(static_cast<std::uint32_t>(SIGUSR1) == 0xau);
#endif
#if defined(SIGSEGV)
static_assert(static_cast<std::uint32_t>(SIGSEGV) == 0xbu);
#endif
#if defined(SIGUSR2)
static_assert(static_cast<std::uint32_t>(SIGUSR2) == 0xcu);
#endif
#if defined(SIGPIPE)
static_assert(static_cast<std::uint32_t>(SIGPIPE) == 0xdu);
#endif
#if defined(SIGALRM)
static_assert(static_cast<std::uint32_t>(SIGALRM) == 0xeu);
#endif
#if defined(SIGTERM)
static_assert(static_cast<std::uint32_t>(SIGTERM) == 0xfu);
#endif
#if defined(SIGSTKFLT)
static_assert(static_cast<std::uint32_t>(SIGSTKFLT) == 0x10u);
#endif
#if defined(SIGCHLD)
static_assert(static_cast<std::uint32_t>(SIGCHLD) == 0x11u);
#endif
#if defined(SIGCONT)
static_assert(static_cast<std::uint32_t>(SIGCONT) == 0x12u);
#endif
#if defined(SIGSTOP)
static_assert(static_cast<std::uint32_t>(SIGSTOP) == 0x13u);
#endif
#if defined(SIGTSTP)
static_assert(static_cast<std::uint32_t>(SIGTSTP) == 0x14u);
#endif
#if defined(SIGTTIN)
static_assert(static_cast<std::uint32_t>(SIGTTIN) == 0x15u);
#endif
#if defined(SIGTTOU)
static_assert(static_cast<std::uint32_t>(SIGTTOU) == 0x16u);
#endif
#if defined(SIGURG)
static_assert(static_cast<std::uint32_t>(SIGURG) == 0x17u);
#endif
#if defined(SIGXCPU)
static_assert(static_cast<std::uint32_t>(SIGXCPU) == 0x18u);
#endif
#if defined(SIGXFSZ)
static_assert(static_cast<std::uint32_t>(SIGXFSZ) == 0x19u);
#endif
#if defined(SIGVTALRM)
static_assert(static_cast<std::uint32_t>(SIGVTALRM) == 0x1au);
#endif
#if defined(SIGPROF)
static_assert(static_cast<std::uint32_t>(SIGPROF) == 0x1bu);
#endif
#if defined(SIGWINCH)
static_assert(static_cast<std::uint32_t>(SIGWINCH) == 0x1cu);
#endif
#if defined(SIGIO)
static_assert(static_cast<std::uint32_t>(SIGIO) == 0x1du);
#endif
#if defined(SIGPWR)
static_assert(static_cast<std::uint32_t>(SIGPWR) == 0x1eu);
#endif
#if defined(SIGSYS)
static_assert(static_cast<std::uint32_t>(SIGSYS) == 0x1fu);
#endif
#if defined(SIGRT_1)
static_assert(static_cast<std::uint32_t>(SIGRT_1) == 0x21u);
#endif
#if defined(SIGRT_2)
static_assert(static_cast<std::uint32_t>(SIGRT_2) == 0x22u);
#endif
#if defined(SIGRT_3)
static_assert(static_cast<std::uint32_t>(SIGRT_3) == 0x23u);
#endif
#if defined(SIGRT_4)
static_assert(static_cast<std::uint32_t>(SIGRT_4) == 0x24u);
#endif
#if defined(SIGRT_5)
static_assert(static_cast<std::uint32_t>(SIGRT_5) == 0x25u);
#endif
#if defined(SIGRT_6)
static_assert(static_cast<std::uint32_t>(SIGRT_6) == 0x26u);
#endif
#if defined(SIGRT_7)
static_assert(static_cast<std::uint32_t>(SIGRT_7) == 0x27u);
#endif
#if defined(SIGRT_8)
static_assert(static_cast<std::uint32_t>(SIGRT_8) == 0x28u);
#endif
#if defined(SIGRT_9)
static_assert(static_cast<std::uint32_t>(SIGRT_9) == 0x29u);
#endif
#if defined(SIGRT_10)
static_assert(static_cast<std::uint32_t>(SIGRT_10) == 0x2au);
#endif
#if defined(SIGRT_11)
static_assert(static_cast<std::uint32_t>(SIGRT_11) == 0x2bu);
#endif
#if defined(SIGRT_12)
static_assert(static_cast<std::uint32_t>(SIGRT_12) == 0x2cu);
#endif
#if defined(SIGRT_13)
static_assert(static_cast<std::uint32_t>(SIGRT_13) == 0x2du);
#endif
#if defined(SIGRT_14)
static_assert(static_cast<std::uint32_t>(SIGRT_14) == 0x2eu);
#endif
#if defined(SIGRT_15)
static_assert(static_cast<std::uint32_t>(SIGRT_15) == 0x2fu);
#endif
#if defined(SIGRT_16)
static_assert(static_cast<std::uint32_t>(SIGRT_16) == 0x30u);
#endif
#if defined(SIGRT_17)
static_assert(static_cast<std::uint32_t>(SIGRT_17) == 0x31u);
#endif
#if defined(SIGRT_18)
static_assert(static_cast<std::uint32_t>(SIGRT_18) == 0x32u);
#endif
#if defined(SIGRT_19)
static_assert(static_cast<std::uint32_t>(SIGRT_19) == 0x33u);
#endif
#if defined(SIGRT_20)
static_assert(static_cast<std::uint32_t>(SIGRT_20) == 0x34u);
#endif
#if defined(SIGRT_21)
static_assert(static_cast<std::uint32_t>(SIGRT_21) == 0x35u);
#endif
#if defined(SIGRT_22)
static_assert(static_cast<std::uint32_t>(SIGRT_22) == 0x36u);
#endif
#if defined(SIGRT_23)
static_assert(static_cast<std::uint32_t>(SIGRT_23) == 0x37u);
#endif
#if defined(SIGRT_24)
static_assert(static_cast<std::uint32_t>(SIGRT_24) == 0x38u);
#endif
#if defined(SIGRT_25)
static_assert(static_cast<std::uint32_t>(SIGRT_25) == 0x39u);
#endif
#if defined(SIGRT_26)
static_assert(static_cast<std::uint32_t>(SIGRT_26) == 0x3au);
#endif
#if defined(SIGRT_27)
static_assert(static_cast<std::uint32_t>(SIGRT_27) == 0x3bu);
#endif
#if defined(SIGRT_28)
static_assert(static_cast<std::uint32_t>(SIGRT_28) == 0x3cu);
#endif
#if defined(SIGRT_29)
static_assert(static_cast<std::uint32_t>(SIGRT_29) == 0x3du);
#endif
#if defined(SIGRT_30)
static_assert(static_cast<std::uint32_t>(SIGRT_30) == 0x3eu);
#endif
#if defined(SIGRT_31)
static_assert(static_cast<std::uint32_t>(SIGRT_31) == 0x3fu);
#endif
#if defined(SIGRT_32)
static_assert(static_cast<std::uint32_t>(SIGRT_32) == 0x40u);
#endif
#if defined(SI_USER)
static_assert(static_cast<std::uint32_t>(SI_USER) == 0x0u);
#endif
#if defined(SI_KERNEL)
static_assert(static_cast<std::uint32_t>(SI_KERNEL) == 0x80u);
#endif
#if defined(SI_QUEUE)
static_assert(static_cast<std::uint32_t>(SI_QUEUE) == 0xffffffffu);
#endif
#if defined(SI_TIMER)
static_assert(static_cast<std::uint32_t>(SI_TIMER) == 0xfffffffeu);
#endif
#if defined(SI_MESGQ)
static_assert(static_cast<std::uint32_t>(SI_MESGQ) == 0xfffffffdu);
#endif
#if defined(SI_ASYNCIO)
static_assert(static_cast<std::uint32_t>(SI_ASYNCIO) == 0xfffffffcu);
#endif
#if defined(SI_SIGIO)
static_assert(static_cast<std::uint32_t>(SI_SIGIO) == 0xfffffffbu);
#endif
#if defined(SI_TKILL)
static_assert(static_cast<std::uint32_t>(SI_TKILL) == 0xfffffffau);
#endif
#if defined(SI_DETHREAD)
static_assert(static_cast<std::uint32_t>(SI_DETHREAD) == 0xfffffff9u);
#endif
#if defined(SI_ASYNCNL)
static_assert(static_cast<std::uint32_t>(SI_ASYNCNL) == 0xffffffc4u);
#endif
#if defined(CLD_EXITED)
static_assert(static_cast<std::uint32_t>(CLD_EXITED) == 0x1u);
#endif
#if defined(CLD_KILLED)
static_assert(static_cast<std::uint32_t>(CLD_KILLED) == 0x2u);
#endif
#if defined(CLD_DUMPED)
static_assert(static_cast<std::uint32_t>(CLD_DUMPED) == 0x3u);
#endif
#if defined(CLD_TRAPPED)
static_assert(static_cast<std::uint32_t>(CLD_TRAPPED) == 0x4u);
#endif
#if defined(CLD_STOPPED)
static_assert(static_cast<std::uint32_t>(CLD_STOPPED) == 0x5u);
#endif
#if defined(CLD_CONTINUED)
static_assert(static_cast<std::uint32_t>(CLD_CONTINUED) == 0x6u);
#endif
#if defined(RLIMIT_CPU)
static_assert(static_cast<std::uint32_t>(RLIMIT_CPU) == 0x0u);
#endif
#if defined(RLIMIT_FSIZE)
static_assert(static_cast<std::uint32_t>(RLIMIT_FSIZE) == 0x1u);
#endif
#if defined(RLIMIT_DATA)
static_assert(static_cast<std::uint32_t>(RLIMIT_DATA) == 0x2u);
#endif
#if defined(RLIMIT_STACK)
static_assert(static_cast<std::uint32_t>(RLIMIT_STACK) == 0x3u);
#endif
#if defined(RLIMIT_CORE)
static_assert(static_cast<std::uint32_t>(RLIMIT_CORE) == 0x4u);
#endif
#if defined(RLIMIT_RSS)
static_assert(static_cast<std::uint32_t>(RLIMIT_RSS) == 0x5u);
#endif
#if defined(RLIMIT_NPROC)
static_assert(static_cast<std::uint32_t>(RLIMIT_NPROC) == 0x6u);
#endif
#if defined(RLIMIT_NOFILE)
static_assert(static_cast<std::uint32_t>(RLIMIT_NOFILE) == 0x7u);
#endif
#if defined(RLIMIT_MEMLOCK)
static_assert(static_cast<std::uint32_t>(RLIMIT_MEMLOCK) == 0x8u);
#endif
#if defined(RLIMIT_AS)
static_assert(static_cast<std::uint32_t>(RLIMIT_AS) == 0x9u);
#endif
#if defined(RLIMIT_LOCKS)
static_assert(static_cast<std::uint32_t>(RLIMIT_LOCKS) == 0xau);
#endif
#if defined(RLIMIT_SIGPENDING)
static_assert(static_cast<std::uint32_t>(RLIMIT_SIGPENDING) == 0xbu);
#endif
#if defined(RLIMIT_MSGQUEUE)
static_assert(static_cast<std::uint32_t>(RLIMIT_MSGQUEUE) == 0xcu);
#endif
#if defined(RLIMIT_NICE)
static_assert(static_cast<std::uint32_t>(RLIMIT_NICE) == 0xdu);
#endif
#if defined(RLIMIT_RTPRIO)
static_assert(static_cast<std::uint32_t>(RLIMIT_RTPRIO) == 0xeu);
#endif
#if defined(RLIMIT_RTTIME)
static_assert(static_cast<std::uint32_t>(RLIMIT_RTTIME) == 0xfu);
#endif
#if defined(RUSAGE_SELF)
static_assert(static_cast<std::uint32_t>(RUSAGE_SELF) == 0x0u);
#endif
#if defined(RUSAGE_CHILDREN)
static_assert(static_cast<std::uint32_t>(RUSAGE_CHILDREN) == 0xffffffffu);
#endif
#if defined(RUSAGE_BOTH)
static_assert(static_cast<std::uint32_t>(RUSAGE_BOTH) == 0xfffffffeu);
#endif
#if defined(RUSAGE_THREAD)
static_assert(static_cast<std::uint32_t>(RUSAGE_THREAD) == 0x1u);
#endif
#if defined(PRIO_PROCESS)
static_assert(static_cast<std::uint32_t>(PRIO_PROCESS) == 0x0u);
#endif
#if defined(PRIO_PGRP)
static_assert(static_cast<std::uint32_t>(PRIO_PGRP) == 0x1u);
#endif
#if defined(PRIO_USER)
static_assert(static_cast<std::uint32_t>(PRIO_USER) == 0x2u);
#endif
#if defined(P_ALL)
static_assert(static_cast<std::uint32_t>(P_ALL) == 0x0u);
#endif
#if defined(P_PID)
static_assert(static_cast<std::uint32_t>(P_PID) == 0x1u);
#endif
#if defined(P_PGID)
static_assert(static_cast<std::uint32_t>(P_PGID) == 0x2u);
#endif
#if defined(P_PIDFD)
static_assert(static_cast<std::uint32_t>(P_PIDFD) == 0x3u);
#endif
#if defined(MEMBARRIER_CMD_QUERY)
static_assert(static_cast<std::uint32_t>(MEMBARRIER_CMD_QUERY) == 0x0u);
#endif
#if defined(MEMBARRIER_CMD_GLOBAL)
static_assert(static_cast<std::uint32_t>(MEMBARRIER_CMD_GLOBAL) == 0x1u);
#endif
#if defined(MEMBARRIER_CMD_GLOBAL_EXPEDITED)
static_assert(static_cast<std::uint32_t>(MEMBARRIER_CMD_GLOBAL_EXPEDITED) == 0x2u);
#endif
#if defined(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED)
static_assert(static_cast<std::uint32_t>(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0x4u);
#endif
#if defined(MEMBARRIER_CMD_PRIVATE_EXPEDITED)
static_assert(static_cast<std::uint32_t>(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0x8u);
#endif
#if defined(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)
static_assert(static_cast<std::uint32_t>(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0x10u);
#endif
#if defined(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE)
static_assert(static_cast<std::uint32_t>(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE) == 0x20u);
#endif
#if defined(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE)
static_assert(static_cast<std::uint32_t>(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE) == 0x40u);
#endif
#if defined(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ)
static_assert(static_cast<std::uint32_t>(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ) == 0x80u);
#endif
#if defined(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ)
static_assert(static_cast<std::uint32_t>(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ) == 0x100u);
#endif
#if defined(MEMBARRIER_CMD_GET_REGISTRATIONS)
static_assert(static_cast<std::uint32_t>(MEMBARRIER_CMD_GET_REGISTRATIONS) == 0x200u);
#endif
#if defined(PERF_TYPE_HARDWARE)
static_assert(static_cast<std::uint32_t>(PERF_TYPE_HARDWARE) == 0x0u);
#endif
#if defined(PERF_TYPE_SOFTWARE)
static_assert(static_cast<std::uint32_t>(PERF_TYPE_SOFTWARE) == 0x1u);
#endif
#if defined(PERF_TYPE_TRACEPOINT)
static_assert(static_cast<std::uint32_t>(PERF_TYPE_TRACEPOINT) == 0x2u);
#endif
#if defined(PERF_TYPE_HW_CACHE)
static_assert(static_cast<std::uint32_t>(PERF_TYPE_HW_CACHE) == 0x3u);
#endif
#if defined(PERF_TYPE_RAW)
static_assert(static_cast<std::uint32_t>(PERF_TYPE_RAW) == 0x4u);
#endif
#if defined(PERF_TYPE_BREAKPOINT)
static_assert(static_cast<std::uint32_t>(PERF_TYPE_BREAKPOINT) == 0x5u);
#endif
#if defined(LINUX_REBOOT_MAGIC1)
static_assert(static_cast<std::uint32_t>(LINUX_REBOOT_MAGIC1) == 0xfee1deadu);
#endif
#if defined(LINUX_REBOOT_MAGIC2)
static_assert(static_cast<std::uint32_t>(LINUX_REBOOT_MAGIC2) == 0x28121969u);
#endif
#if defined(LINUX_REBOOT_MAGIC2A)
static_assert(static_cast<std::uint32_t>(LINUX_REBOOT_MAGIC2A) == 0x5121996u);
#endif
#if defined(LINUX_REBOOT_MAGIC2B)
static_assert(static_cast<std::uint32_t>(LINUX_REBOOT_MAGIC2B) == 0x16041998u);
#endif
#if defined(LINUX_REBOOT_MAGIC2C)
static_assert(static_cast<std::uint32_t>(LINUX_REBOOT_MAGIC2C) == 0x20112000u);
#endif
#if defined(LINUX_REBOOT_CMD_RESTART)
static_assert(static_cast<std::uint32_t>(LINUX_REBOOT_CMD_RESTART) == 0x1234567u);
#endif
#if defined(LINUX_REBOOT_CMD_HALT)
static_assert(static_cast<std::uint32_t>(LINUX_REBOOT_CMD_HALT) == 0xcdef0123u);
#endif
#if defined(LINUX_REBOOT_CMD_CAD_ON)
static_assert(static_cast<std::uint32_t>(LINUX_REBOOT_CMD_CAD_ON) == 0x89abcdefu);
#endif
#if defined(LINUX_REBOOT_CMD_CAD_OFF)
static_assert(static_cast<std::uint32_t>(LINUX_REBOOT_CMD_CAD_OFF) == 0x0u);
#endif
#if defined(LINUX_REBOOT_CMD_POWER_OFF)
static_assert(static_cast<std::uint32_t>(LINUX_REBOOT_CMD_POWER_OFF) == 0x4321fedcu);
#endif
#if defined(LINUX_REBOOT_CMD_RESTART2)
static_assert(static_cast<std::uint32_t>(LINUX_REBOOT_CMD_RESTART2) == 0xa1b2c3d4u);
#endif
#if defined(LINUX_REBOOT_CMD_SW_SUSPEND)
static_assert(static_cast<std::uint32_t>(LINUX_REBOOT_CMD_SW_SUSPEND) == 0xd000fce2u);
#endif
#if defined(LINUX_REBOOT_CMD_KEXEC)
static_assert(static_cast<std::uint32_t>(LINUX_REBOOT_CMD_KEXEC) == 0x45584543u);
#endif
#if defined(QFMT_VFS_OLD)
static_assert(static_cast<std::uint32_t>(QFMT_VFS_OLD) == 0x1u);
#endif
#if defined(QFMT_VFS_V0)
static_assert(static_cast<std::uint32_t>(QFMT_VFS_V0) == 0x2u);
#endif
#if defined(QFMT_VFS_V1)
static_assert(static_cast<std::uint32_t>(QFMT_VFS_V1) == 0x4u);
#endif
#if defined(QFMT_OCFS2)
static_assert(static_cast<std::uint32_t>(QFMT_OCFS2) == 0x3u);
#endif
#if defined(QFMT_SHMEM)
static_assert(static_cast<std::uint32_t>(QFMT_SHMEM) == 0x5u);
#endif
#if defined(_LINUX_CAPABILITY_VERSION_1)
static_assert(static_cast<std::uint32_t>(_LINUX_CAPABILITY_VERSION_1) == 0x19980330u);
#endif
#if defined(_LINUX_CAPABILITY_VERSION_2)
static_assert(static_cast<std::uint32_t>(_LINUX_CAPABILITY_VERSION_2) == 0x20071026u);
#endif
#if defined(_LINUX_CAPABILITY_VERSION_3)
static_assert(static_cast<std::uint32_t>(_LINUX_CAPABILITY_VERSION_3) == 0x20080522u);
#endif
#if defined(KEY_SPEC_THREAD_KEYRING)
static_assert(static_cast<std::uint32_t>(KEY_SPEC_THREAD_KEYRING) == 0xffffffffu);
#endif
#if defined(KEY_SPEC_PROCESS_KEYRING)
static_assert(static_cast<std::uint32_t>(KEY_SPEC_PROCESS_KEYRING) == 0xfffffffeu);
#endif
#if defined(KEY_SPEC_SESSION_KEYRING)
static_assert(static_cast<std::uint32_t>(KEY_SPEC_SESSION_KEYRING) == 0xfffffffdu);
#endif
#if defined(KEY_SPEC_USER_KEYRING)
static_assert(static_cast<std::uint32_t>(KEY_SPEC_USER_KEYRING) == 0xfffffffcu);
#endif
#if defined(KEY_SPEC_USER_SESSION_KEYRING)
static_assert(static_cast<std::uint32_t>(KEY_SPEC_USER_SESSION_KEYRING) == 0xfffffffbu);
#endif
#if defined(KEY_SPEC_GROUP_KEYRING)
static_assert(static_cast<std::uint32_t>(KEY_SPEC_GROUP_KEYRING) == 0xfffffffau);
#endif
#if defined(KEY_SPEC_REQKEY_AUTH_KEY)
static_assert(static_cast<std::uint32_t>(KEY_SPEC_REQKEY_AUTH_KEY) == 0xfffffff9u);
#endif
#if defined(KEY_SPEC_REQUESTOR_KEYRING)
static_assert(static_cast<std::uint32_t>(KEY_SPEC_REQUESTOR_KEYRING) == 0xfffffff8u);
#endif
#if defined(F_RDLCK)
static_assert(static_cast<std::uint32_t>(F_RDLCK) == 0x0u);
#endif
#if defined(F_WRLCK)
static_assert(static_cast<std::uint32_t>(F_WRLCK) == 0x1u);
#endif
#if defined(F_UNLCK)
static_assert(static_cast<std::uint32_t>(F_UNLCK) == 0x2u);
#endif
#if defined(F_EXLCK)
static_assert(static_cast<std::uint32_t>(F_EXLCK) == 0x4u);
#endif
#if defined(F_SHLCK)
static_assert(static_cast<std::uint32_t>(F_SHLCK) == 0x8u);
#endif
#if defined(F_OWNER_TID)
static_assert(static_cast<std::uint32_t>(F_OWNER_TID) == 0x0u);
#endif
#if defined(F_OWNER_PID)
static_assert(static_cast<std::uint32_t>(F_OWNER_PID) == 0x1u);
#endif
#if defined(F_OWNER_PGRP)
static_assert(static_cast<std::uint32_t>(F_OWNER_PGRP) == 0x2u);
#endif
#if defined(RWH_WRITE_LIFE_NOT_SET)
static_assert(static_cast<std::uint32_t>(RWH_WRITE_LIFE_NOT_SET) == 0x0u);
#endif
#if defined(RWH_WRITE_LIFE_NONE)
static_assert(static_cast<std::uint32_t>(RWH_WRITE_LIFE_NONE) == 0x1u);
#endif
#if defined(RWH_WRITE_LIFE_SHORT)
static_assert(static_cast<std::uint32_t>(RWH_WRITE_LIFE_SHORT) == 0x2u);
#endif
#if defined(RWH_WRITE_LIFE_MEDIUM)
static_assert(static_cast<std::uint32_t>(RWH_WRITE_LIFE_MEDIUM) == 0x3u);
#endif
#if defined(RWH_WRITE_LIFE_LONG)
static_assert(static_cast<std::uint32_t>(RWH_WRITE_LIFE_LONG) == 0x4u);
#endif
#if defined(RWH_WRITE_LIFE_EXTREME)
static_assert(static_cast<std::uint32_t>(RWH_WRITE_LIFE_EXTREME) == 0x5u);
#endif
#if defined(SOCK_TXREHASH_DISABLED)
static_assert(static_cast<std::uint32_t>(SOCK_TXREHASH_DISABLED) == 0x0u);
#endif
#if defined(SOCK_TXREHASH_ENABLED)
static_assert(static_cast<std::uint32_t>(SOCK_TXREHASH_ENABLED) == 0x1u);
#endif
#if defined(SOCK_TXREHASH_DEFAULT)
static_assert(static_cast<std::uint32_t>(SOCK_TXREHASH_DEFAULT) == 0xffu);
#endif

// The fields that the decoder prints.
static_assert(offsetof(struct ::timespec, tv_sec) == 0);
static_assert(sizeof(static_cast<struct ::timespec*>(nullptr)->tv_sec) == 8);
static_assert(offsetof(struct ::timespec, tv_nsec) == 8);
static_assert(sizeof(static_cast<struct ::timespec*>(nullptr)->tv_nsec) == 8);
static_assert(offsetof(struct ::timeval, tv_sec) == 0);
static_assert(sizeof(static_cast<struct ::timeval*>(nullptr)->tv_sec) == 8);
static_assert(offsetof(struct ::timeval, tv_usec) == 8);
static_assert(sizeof(static_cast<struct ::timeval*>(nullptr)->tv_usec) == 8);
static_assert(offsetof(struct ::timezone, tz_minuteswest) == 0);
static_assert(sizeof(static_cast<struct ::timezone*>(nullptr)->tz_minuteswest) == 4);
static_assert(offsetof(struct ::timezone, tz_dsttime) == 4);
static_assert(sizeof(static_cast<struct ::timezone*>(nullptr)->tz_dsttime) == 4);
static_assert(offsetof(struct ::itimerspec, it_interval) == 0);
static_assert(sizeof(static_cast<struct ::itimerspec*>(nullptr)->it_interval) == 16);
static_assert(offsetof(struct ::itimerspec, it_value) == 16);
static_assert(sizeof(static_cast<struct ::itimerspec*>(nullptr)->it_value) == 16);
static_assert(offsetof(struct ::itimerval, it_interval) == 0);
static_assert(sizeof(static_cast<struct ::itimerval*>(nullptr)->it_interval) == 16);
static_assert(offsetof(struct ::itimerval, it_value) == 16);
static_assert(sizeof(static_cast<struct ::itimerval*>(nullptr)->it_value) == 16);
static_assert(offsetof(struct ::tms, tms_utime) == 0);
static_assert(sizeof(static_cast<struct ::tms*>(nullptr)->tms_utime) == 8);
static_assert(offsetof(struct ::tms, tms_stime) == 8);
static_assert(sizeof(static_cast<struct ::tms*>(nullptr)->tms_stime) == 8);
static_assert(offsetof(struct ::tms, tms_cutime) == 16);
static_assert(sizeof(static_cast<struct ::tms*>(nullptr)->tms_cutime) == 8);
static_assert(offsetof(struct ::tms, tms_cstime) == 24);
static_assert(sizeof(static_cast<struct ::tms*>(nullptr)->tms_cstime) == 8);
static_assert(offsetof(struct ::timex, modes) == 0);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->modes) == 4);
static_assert(offsetof(struct ::timex, offset) == 8);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->offset) == 8);
static_assert(offsetof(struct ::timex, freq) == 16);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->freq) == 8);
static_assert(offsetof(struct ::timex, maxerror) == 24);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->maxerror) == 8);
static_assert(offsetof(struct ::timex, esterror) == 32);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->esterror) == 8);
static_assert(offsetof(struct ::timex, status) == 40);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->status) == 4);
static_assert(offsetof(struct ::timex, constant) == 48);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->constant) == 8);
static_assert(offsetof(struct ::timex, precision) == 56);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->precision) == 8);
static_assert(offsetof(struct ::timex, tolerance) == 64);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->tolerance) == 8);
static_assert(offsetof(struct ::timex, time) == 72);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->time) == 16);
static_assert(offsetof(struct ::timex, tick) == 88);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->tick) == 8);
static_assert(offsetof(struct ::timex, ppsfreq) == 96);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->ppsfreq) == 8);
static_assert(offsetof(struct ::timex, jitter) == 104);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->jitter) == 8);
static_assert(offsetof(struct ::timex, shift) == 112);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->shift) == 4);
static_assert(offsetof(struct ::timex, stabil) == 120);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->stabil) == 8);
static_assert(offsetof(struct ::timex, jitcnt) == 128);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->jitcnt) == 8);
static_assert(offsetof(struct ::timex, calcnt) == 136);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->calcnt) == 8);
static_assert(offsetof(struct ::timex, errcnt) == 144);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->errcnt) == 8);
static_assert(offsetof(struct ::timex, stbcnt) == 152);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->stbcnt) == 8);
static_assert(offsetof(struct ::timex, tai) == 160);
static_assert(sizeof(static_cast<struct ::timex*>(nullptr)->tai) == 4);
static_assert(offsetof(struct ::utimbuf, actime) == 0);
static_assert(sizeof(static_cast<struct ::utimbuf*>(nullptr)->actime) == 8);
static_assert(offsetof(struct ::utimbuf, modtime) == 8);
static_assert(sizeof(static_cast<struct ::utimbuf*>(nullptr)->modtime) == 8);
static_assert(offsetof(struct ::stat, st_dev) == 0);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_dev) == 8);
static_assert(offsetof(struct ::stat, st_ino) == 8);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_ino) == 8);
#if defined(__x86_64__)
static_assert(offsetof(struct ::stat, st_mode) == 24);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_mode) == 4);
static_assert(offsetof(struct ::stat, st_uid) == 28);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_uid) == 4);
static_assert(offsetof(struct ::stat, st_gid) == 32);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_gid) == 4);
#elif defined(__aarch64__)
static_assert(offsetof(struct ::stat, st_mode) == 16);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_mode) == 4);
static_assert(offsetof(struct ::stat, st_uid) == 24);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_uid) == 4);
static_assert(offsetof(struct ::stat, st_gid) == 28);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_gid) == 4);
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
static_assert(offsetof(struct ::stat, st_blocks) == 64);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_blocks) == 8);
#if defined(__x86_64__)
static_assert(offsetof(struct ::stat, st_rdev) == 40);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_rdev) == 8);
#elif defined(__aarch64__)
static_assert(offsetof(struct ::stat, st_rdev) == 32);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_rdev) == 8);
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
static_assert(offsetof(struct ::stat, st_size) == 48);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_size) == 8);
static_assert(offsetof(struct ::stat, st_atime) == 72);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_atime) == 8);
static_assert(offsetof(struct ::stat, st_atim.tv_nsec) == 80);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_atim.tv_nsec) == 8);
static_assert(offsetof(struct ::stat, st_mtime) == 88);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_mtime) == 8);
static_assert(offsetof(struct ::stat, st_mtim.tv_nsec) == 96);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_mtim.tv_nsec) == 8);
static_assert(offsetof(struct ::stat, st_ctime) == 104);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_ctime) == 8);
static_assert(offsetof(struct ::stat, st_ctim.tv_nsec) == 112);
static_assert(sizeof(static_cast<struct ::stat*>(nullptr)->st_ctim.tv_nsec) == 8);
static_assert(offsetof(struct ::statx, stx_mask) == 0);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_mask) == 4);
static_assert(offsetof(struct ::statx, stx_blksize) == 4);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_blksize) == 4);
static_assert(offsetof(struct ::statx, stx_attributes) == 8);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_attributes) == 8);
static_assert(offsetof(struct ::statx, stx_nlink) == 16);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_nlink) == 4);
static_assert(offsetof(struct ::statx, stx_uid) == 20);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_uid) == 4);
static_assert(offsetof(struct ::statx, stx_gid) == 24);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_gid) == 4);
static_assert(offsetof(struct ::statx, stx_mode) == 28);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_mode) == 2);
static_assert(offsetof(struct ::statx, stx_ino) == 32);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_ino) == 8);
static_assert(offsetof(struct ::statx, stx_size) == 40);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_size) == 8);
static_assert(offsetof(struct ::statx, stx_blocks) == 48);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_blocks) == 8);
static_assert(offsetof(struct ::statx, stx_attributes_mask) == 56);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_attributes_mask) == 8);
static_assert(offsetof(struct ::statx, stx_atime) == 64);
static_assert(offsetof(struct ::statx, stx_btime) == 80);
static_assert(offsetof(struct ::statx, stx_ctime) == 96);
static_assert(offsetof(struct ::statx, stx_mtime) == 112);
static_assert(offsetof(struct ::statx, stx_rdev_major) == 128);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_rdev_major) == 4);
static_assert(offsetof(struct ::statx, stx_rdev_minor) == 132);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_rdev_minor) == 4);
static_assert(offsetof(struct ::statx, stx_dev_major) == 136);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_dev_major) == 4);
static_assert(offsetof(struct ::statx, stx_dev_minor) == 140);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_dev_minor) == 4);
static_assert(offsetof(struct ::statx, stx_mnt_id) == 144);
static_assert(sizeof(static_cast<struct ::statx*>(nullptr)->stx_mnt_id) == 8);
static_assert(offsetof(struct ::statfs, f_type) == 0);
static_assert(sizeof(static_cast<struct ::statfs*>(nullptr)->f_type) == 8);
static_assert(offsetof(struct ::statfs, f_bsize) == 8);
static_assert(sizeof(static_cast<struct ::statfs*>(nullptr)->f_bsize) == 8);
static_assert(offsetof(struct ::statfs, f_blocks) == 16);
static_assert(sizeof(static_cast<struct ::statfs*>(nullptr)->f_blocks) == 8);
static_assert(offsetof(struct ::statfs, f_bfree) == 24);
static_assert(sizeof(static_cast<struct ::statfs*>(nullptr)->f_bfree) == 8);
static_assert(offsetof(struct ::statfs, f_bavail) == 32);
static_assert(sizeof(static_cast<struct ::statfs*>(nullptr)->f_bavail) == 8);
static_assert(offsetof(struct ::statfs, f_files) == 40);
static_assert(sizeof(static_cast<struct ::statfs*>(nullptr)->f_files) == 8);
static_assert(offsetof(struct ::statfs, f_ffree) == 48);
static_assert(sizeof(static_cast<struct ::statfs*>(nullptr)->f_ffree) == 8);
static_assert(offsetof(struct ::statfs, f_fsid) == 56);
static_assert(offsetof(struct ::statfs, f_namelen) == 64);
static_assert(sizeof(static_cast<struct ::statfs*>(nullptr)->f_namelen) == 8);
static_assert(offsetof(struct ::statfs, f_frsize) == 72);
static_assert(sizeof(static_cast<struct ::statfs*>(nullptr)->f_frsize) == 8);
static_assert(offsetof(struct ::statfs, f_flags) == 80);
static_assert(sizeof(static_cast<struct ::statfs*>(nullptr)->f_flags) == 8);
static_assert(offsetof(struct ::flock, l_type) == 0);
static_assert(sizeof(static_cast<struct ::flock*>(nullptr)->l_type) == 2);
static_assert(offsetof(struct ::flock, l_whence) == 2);
static_assert(sizeof(static_cast<struct ::flock*>(nullptr)->l_whence) == 2);
static_assert(offsetof(struct ::flock, l_start) == 8);
static_assert(sizeof(static_cast<struct ::flock*>(nullptr)->l_start) == 8);
static_assert(offsetof(struct ::flock, l_len) == 16);
static_assert(sizeof(static_cast<struct ::flock*>(nullptr)->l_len) == 8);
static_assert(offsetof(struct ::f_owner_ex, type) == 0);
static_assert(sizeof(static_cast<struct ::f_owner_ex*>(nullptr)->type) == 4);
static_assert(offsetof(struct ::f_owner_ex, pid) == 4);
static_assert(sizeof(static_cast<struct ::f_owner_ex*>(nullptr)->pid) == 4);
static_assert(offsetof(struct ::file_handle, handle_bytes) == 0);
static_assert(sizeof(static_cast<struct ::file_handle*>(nullptr)->handle_bytes) == 4);
static_assert(offsetof(struct ::file_handle, handle_type) == 4);
static_assert(sizeof(static_cast<struct ::file_handle*>(nullptr)->handle_type) == 4);
static_assert(offsetof(struct ::pollfd, fd) == 0);
static_assert(sizeof(static_cast<struct ::pollfd*>(nullptr)->fd) == 4);
static_assert(offsetof(struct ::pollfd, events) == 4);
static_assert(sizeof(static_cast<struct ::pollfd*>(nullptr)->events) == 2);
static_assert(offsetof(struct ::epoll_event, events) == 0);
static_assert(sizeof(static_cast<struct ::epoll_event*>(nullptr)->events) == 4);
#if defined(__x86_64__)
static_assert(offsetof(struct ::epoll_event, data) == 4);
#elif defined(__aarch64__)
static_assert(offsetof(struct ::epoll_event, data) == 8);
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
static_assert(offsetof(struct ::rlimit, rlim_cur) == 0);
static_assert(sizeof(static_cast<struct ::rlimit*>(nullptr)->rlim_cur) == 8);
static_assert(offsetof(struct ::rlimit, rlim_max) == 8);
static_assert(sizeof(static_cast<struct ::rlimit*>(nullptr)->rlim_max) == 8);
static_assert(offsetof(struct ::rusage, ru_utime) == 0);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_utime) == 16);
static_assert(offsetof(struct ::rusage, ru_stime) == 16);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_stime) == 16);
static_assert(offsetof(struct ::rusage, ru_maxrss) == 32);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_maxrss) == 8);
static_assert(offsetof(struct ::rusage, ru_ixrss) == 40);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_ixrss) == 8);
static_assert(offsetof(struct ::rusage, ru_idrss) == 48);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_idrss) == 8);
static_assert(offsetof(struct ::rusage, ru_isrss) == 56);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_isrss) == 8);
static_assert(offsetof(struct ::rusage, ru_minflt) == 64);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_minflt) == 8);
static_assert(offsetof(struct ::rusage, ru_majflt) == 72);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_majflt) == 8);
static_assert(offsetof(struct ::rusage, ru_nswap) == 80);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_nswap) == 8);
static_assert(offsetof(struct ::rusage, ru_inblock) == 88);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_inblock) == 8);
static_assert(offsetof(struct ::rusage, ru_oublock) == 96);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_oublock) == 8);
static_assert(offsetof(struct ::rusage, ru_msgsnd) == 104);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_msgsnd) == 8);
static_assert(offsetof(struct ::rusage, ru_msgrcv) == 112);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_msgrcv) == 8);
static_assert(offsetof(struct ::rusage, ru_nsignals) == 120);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_nsignals) == 8);
static_assert(offsetof(struct ::rusage, ru_nvcsw) == 128);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_nvcsw) == 8);
static_assert(offsetof(struct ::rusage, ru_nivcsw) == 136);
static_assert(sizeof(static_cast<struct ::rusage*>(nullptr)->ru_nivcsw) == 8);
static_assert(offsetof(struct ::utsname, sysname) == 0);
static_assert(sizeof(static_cast<struct ::utsname*>(nullptr)->sysname) == 65);
static_assert(offsetof(struct ::utsname, nodename) == 65);
static_assert(sizeof(static_cast<struct ::utsname*>(nullptr)->nodename) == 65);
static_assert(offsetof(struct ::utsname, release) == 130);
static_assert(sizeof(static_cast<struct ::utsname*>(nullptr)->release) == 65);
static_assert(offsetof(struct ::utsname, version) == 195);
static_assert(sizeof(static_cast<struct ::utsname*>(nullptr)->version) == 65);
static_assert(offsetof(struct ::utsname, machine) == 260);
static_assert(sizeof(static_cast<struct ::utsname*>(nullptr)->machine) == 65);
static_assert(offsetof(struct ::sysinfo, uptime) == 0);
static_assert(sizeof(static_cast<struct ::sysinfo*>(nullptr)->uptime) == 8);
static_assert(offsetof(struct ::sysinfo, loads) == 8);
static_assert(sizeof(static_cast<struct ::sysinfo*>(nullptr)->loads) == 24);
static_assert(offsetof(struct ::sysinfo, totalram) == 32);
static_assert(sizeof(static_cast<struct ::sysinfo*>(nullptr)->totalram) == 8);
static_assert(offsetof(struct ::sysinfo, freeram) == 40);
static_assert(sizeof(static_cast<struct ::sysinfo*>(nullptr)->freeram) == 8);
static_assert(offsetof(struct ::sysinfo, sharedram) == 48);
static_assert(sizeof(static_cast<struct ::sysinfo*>(nullptr)->sharedram) == 8);
static_assert(offsetof(struct ::sysinfo, bufferram) == 56);
static_assert(sizeof(static_cast<struct ::sysinfo*>(nullptr)->bufferram) == 8);
static_assert(offsetof(struct ::sysinfo, totalswap) == 64);
static_assert(sizeof(static_cast<struct ::sysinfo*>(nullptr)->totalswap) == 8);
static_assert(offsetof(struct ::sysinfo, freeswap) == 72);
static_assert(sizeof(static_cast<struct ::sysinfo*>(nullptr)->freeswap) == 8);
static_assert(offsetof(struct ::sysinfo, procs) == 80);
static_assert(sizeof(static_cast<struct ::sysinfo*>(nullptr)->procs) == 2);
static_assert(offsetof(struct ::sysinfo, totalhigh) == 88);
static_assert(sizeof(static_cast<struct ::sysinfo*>(nullptr)->totalhigh) == 8);
static_assert(offsetof(struct ::sysinfo, freehigh) == 96);
static_assert(sizeof(static_cast<struct ::sysinfo*>(nullptr)->freehigh) == 8);
static_assert(offsetof(struct ::sysinfo, mem_unit) == 104);
static_assert(sizeof(static_cast<struct ::sysinfo*>(nullptr)->mem_unit) == 4);
static_assert(offsetof(struct ::sigevent, sigev_signo) == 8);
static_assert(sizeof(static_cast<struct ::sigevent*>(nullptr)->sigev_signo) == 4);
static_assert(offsetof(struct ::sigevent, sigev_notify) == 12);
static_assert(sizeof(static_cast<struct ::sigevent*>(nullptr)->sigev_notify) == 4);
static_assert(offsetof(struct ::landlock_path_beneath_attr, allowed_access) == 0);
static_assert(sizeof(static_cast<struct ::landlock_path_beneath_attr*>(nullptr)->allowed_access) == 8);
static_assert(offsetof(struct ::landlock_path_beneath_attr, parent_fd) == 8);
static_assert(sizeof(static_cast<struct ::landlock_path_beneath_attr*>(nullptr)->parent_fd) == 4);
static_assert(offsetof(struct ::kcmp_epoll_slot, efd) == 0);
static_assert(sizeof(static_cast<struct ::kcmp_epoll_slot*>(nullptr)->efd) == 4);
static_assert(offsetof(struct ::kcmp_epoll_slot, tfd) == 4);
static_assert(sizeof(static_cast<struct ::kcmp_epoll_slot*>(nullptr)->tfd) == 4);
static_assert(offsetof(struct ::kcmp_epoll_slot, toff) == 8);
static_assert(sizeof(static_cast<struct ::kcmp_epoll_slot*>(nullptr)->toff) == 4);
static_assert(offsetof(::siginfo_t, si_signo) == 0);
static_assert(sizeof(static_cast<::siginfo_t*>(nullptr)->si_signo) == 4);
static_assert(offsetof(struct ::msqid_ds, msg_perm) == 0);
static_assert(offsetof(struct ::msqid_ds, msg_stime) == 48);
static_assert(sizeof(static_cast<struct ::msqid_ds*>(nullptr)->msg_stime) == 8);
static_assert(offsetof(struct ::msqid_ds, msg_rtime) == 56);
static_assert(sizeof(static_cast<struct ::msqid_ds*>(nullptr)->msg_rtime) == 8);
static_assert(offsetof(struct ::msqid_ds, msg_ctime) == 64);
static_assert(sizeof(static_cast<struct ::msqid_ds*>(nullptr)->msg_ctime) == 8);
static_assert(offsetof(struct ::msqid_ds, msg_qnum) == 80);
static_assert(sizeof(static_cast<struct ::msqid_ds*>(nullptr)->msg_qnum) == 8);
static_assert(offsetof(struct ::msqid_ds, msg_qbytes) == 88);
static_assert(sizeof(static_cast<struct ::msqid_ds*>(nullptr)->msg_qbytes) == 8);
static_assert(offsetof(struct ::msqid_ds, msg_lspid) == 96);
static_assert(sizeof(static_cast<struct ::msqid_ds*>(nullptr)->msg_lspid) == 4);
static_assert(offsetof(struct ::msqid_ds, msg_lrpid) == 100);
static_assert(sizeof(static_cast<struct ::msqid_ds*>(nullptr)->msg_lrpid) == 4);
static_assert(offsetof(struct ::msginfo, msgpool) == 0);
static_assert(sizeof(static_cast<struct ::msginfo*>(nullptr)->msgpool) == 4);
static_assert(offsetof(struct ::msginfo, msgmap) == 4);
static_assert(sizeof(static_cast<struct ::msginfo*>(nullptr)->msgmap) == 4);
static_assert(offsetof(struct ::msginfo, msgmax) == 8);
static_assert(sizeof(static_cast<struct ::msginfo*>(nullptr)->msgmax) == 4);
static_assert(offsetof(struct ::msginfo, msgmnb) == 12);
static_assert(sizeof(static_cast<struct ::msginfo*>(nullptr)->msgmnb) == 4);
static_assert(offsetof(struct ::msginfo, msgmni) == 16);
static_assert(sizeof(static_cast<struct ::msginfo*>(nullptr)->msgmni) == 4);
static_assert(offsetof(struct ::msginfo, msgssz) == 20);
static_assert(sizeof(static_cast<struct ::msginfo*>(nullptr)->msgssz) == 4);
static_assert(offsetof(struct ::msginfo, msgtql) == 24);
static_assert(sizeof(static_cast<struct ::msginfo*>(nullptr)->msgtql) == 4);
static_assert(offsetof(struct ::msginfo, msgseg) == 28);
static_assert(sizeof(static_cast<struct ::msginfo*>(nullptr)->msgseg) == 2);
static_assert(offsetof(struct ::semid_ds, sem_perm) == 0);
static_assert(offsetof(struct ::semid_ds, sem_otime) == 48);
static_assert(sizeof(static_cast<struct ::semid_ds*>(nullptr)->sem_otime) == 8);
#if defined(__x86_64__)
static_assert(offsetof(struct ::semid_ds, sem_ctime) == 64);
static_assert(sizeof(static_cast<struct ::semid_ds*>(nullptr)->sem_ctime) == 8);
static_assert(offsetof(struct ::semid_ds, sem_nsems) == 80);
static_assert(sizeof(static_cast<struct ::semid_ds*>(nullptr)->sem_nsems) == 8);
#elif defined(__aarch64__)
static_assert(offsetof(struct ::semid_ds, sem_ctime) == 56);
static_assert(sizeof(static_cast<struct ::semid_ds*>(nullptr)->sem_ctime) == 8);
static_assert(offsetof(struct ::semid_ds, sem_nsems) == 64);
static_assert(sizeof(static_cast<struct ::semid_ds*>(nullptr)->sem_nsems) == 8);
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
static_assert(offsetof(struct ::sembuf, sem_num) == 0);
static_assert(sizeof(static_cast<struct ::sembuf*>(nullptr)->sem_num) == 2);
static_assert(offsetof(struct ::sembuf, sem_op) == 2);
static_assert(sizeof(static_cast<struct ::sembuf*>(nullptr)->sem_op) == 2);
static_assert(offsetof(struct ::sembuf, sem_flg) == 4);
static_assert(sizeof(static_cast<struct ::sembuf*>(nullptr)->sem_flg) == 2);
static_assert(offsetof(struct ::seminfo, semmap) == 0);
static_assert(sizeof(static_cast<struct ::seminfo*>(nullptr)->semmap) == 4);
static_assert(offsetof(struct ::seminfo, semmni) == 4);
static_assert(sizeof(static_cast<struct ::seminfo*>(nullptr)->semmni) == 4);
static_assert(offsetof(struct ::seminfo, semmns) == 8);
static_assert(sizeof(static_cast<struct ::seminfo*>(nullptr)->semmns) == 4);
static_assert(offsetof(struct ::seminfo, semmnu) == 12);
static_assert(sizeof(static_cast<struct ::seminfo*>(nullptr)->semmnu) == 4);
static_assert(offsetof(struct ::seminfo, semmsl) == 16);
static_assert(sizeof(static_cast<struct ::seminfo*>(nullptr)->semmsl) == 4);
static_assert(offsetof(struct ::seminfo, semopm) == 20);
static_assert(sizeof(static_cast<struct ::seminfo*>(nullptr)->semopm) == 4);
static_assert(offsetof(struct ::seminfo, semume) == 24);
static_assert(sizeof(static_cast<struct ::seminfo*>(nullptr)->semume) == 4);
static_assert(offsetof(struct ::seminfo, semusz) == 28);
static_assert(sizeof(static_cast<struct ::seminfo*>(nullptr)->semusz) == 4);
static_assert(offsetof(struct ::seminfo, semvmx) == 32);
static_assert(sizeof(static_cast<struct ::seminfo*>(nullptr)->semvmx) == 4);
static_assert(offsetof(struct ::seminfo, semaem) == 36);
static_assert(sizeof(static_cast<struct ::seminfo*>(nullptr)->semaem) == 4);
static_assert(offsetof(struct ::shmid_ds, shm_perm) == 0);
static_assert(offsetof(struct ::shmid_ds, shm_segsz) == 48);
static_assert(sizeof(static_cast<struct ::shmid_ds*>(nullptr)->shm_segsz) == 8);
static_assert(offsetof(struct ::shmid_ds, shm_cpid) == 80);
static_assert(sizeof(static_cast<struct ::shmid_ds*>(nullptr)->shm_cpid) == 4);
static_assert(offsetof(struct ::shmid_ds, shm_lpid) == 84);
static_assert(sizeof(static_cast<struct ::shmid_ds*>(nullptr)->shm_lpid) == 4);
static_assert(offsetof(struct ::shmid_ds, shm_nattch) == 88);
static_assert(sizeof(static_cast<struct ::shmid_ds*>(nullptr)->shm_nattch) == 8);
static_assert(offsetof(struct ::shmid_ds, shm_atime) == 56);
static_assert(sizeof(static_cast<struct ::shmid_ds*>(nullptr)->shm_atime) == 8);
static_assert(offsetof(struct ::shmid_ds, shm_dtime) == 64);
static_assert(sizeof(static_cast<struct ::shmid_ds*>(nullptr)->shm_dtime) == 8);
static_assert(offsetof(struct ::shmid_ds, shm_ctime) == 72);
static_assert(sizeof(static_cast<struct ::shmid_ds*>(nullptr)->shm_ctime) == 8);
static_assert(offsetof(struct ::shminfo, shmmax) == 0);
static_assert(sizeof(static_cast<struct ::shminfo*>(nullptr)->shmmax) == 8);
static_assert(offsetof(struct ::shminfo, shmmin) == 8);
static_assert(sizeof(static_cast<struct ::shminfo*>(nullptr)->shmmin) == 8);
static_assert(offsetof(struct ::shminfo, shmmni) == 16);
static_assert(sizeof(static_cast<struct ::shminfo*>(nullptr)->shmmni) == 8);
static_assert(offsetof(struct ::shminfo, shmseg) == 24);
static_assert(sizeof(static_cast<struct ::shminfo*>(nullptr)->shmseg) == 8);
static_assert(offsetof(struct ::shminfo, shmall) == 32);
static_assert(sizeof(static_cast<struct ::shminfo*>(nullptr)->shmall) == 8);
static_assert(offsetof(struct ::shm_info, used_ids) == 0);
static_assert(sizeof(static_cast<struct ::shm_info*>(nullptr)->used_ids) == 4);
static_assert(offsetof(struct ::shm_info, shm_tot) == 8);
static_assert(sizeof(static_cast<struct ::shm_info*>(nullptr)->shm_tot) == 8);
static_assert(offsetof(struct ::shm_info, shm_rss) == 16);
static_assert(sizeof(static_cast<struct ::shm_info*>(nullptr)->shm_rss) == 8);
static_assert(offsetof(struct ::shm_info, shm_swp) == 24);
static_assert(sizeof(static_cast<struct ::shm_info*>(nullptr)->shm_swp) == 8);
static_assert(offsetof(struct ::shm_info, swap_attempts) == 32);
static_assert(sizeof(static_cast<struct ::shm_info*>(nullptr)->swap_attempts) == 8);
static_assert(offsetof(struct ::shm_info, swap_successes) == 40);
static_assert(sizeof(static_cast<struct ::shm_info*>(nullptr)->swap_successes) == 8);
static_assert(offsetof(struct ::mq_attr, mq_flags) == 0);
static_assert(sizeof(static_cast<struct ::mq_attr*>(nullptr)->mq_flags) == 8);
static_assert(offsetof(struct ::mq_attr, mq_maxmsg) == 8);
static_assert(sizeof(static_cast<struct ::mq_attr*>(nullptr)->mq_maxmsg) == 8);
static_assert(offsetof(struct ::mq_attr, mq_msgsize) == 16);
static_assert(sizeof(static_cast<struct ::mq_attr*>(nullptr)->mq_msgsize) == 8);
static_assert(offsetof(struct ::mq_attr, mq_curmsgs) == 24);
static_assert(sizeof(static_cast<struct ::mq_attr*>(nullptr)->mq_curmsgs) == 8);
static_assert(offsetof(struct ::winsize, ws_row) == 0);
static_assert(sizeof(static_cast<struct ::winsize*>(nullptr)->ws_row) == 2);
static_assert(offsetof(struct ::winsize, ws_col) == 2);
static_assert(sizeof(static_cast<struct ::winsize*>(nullptr)->ws_col) == 2);
static_assert(offsetof(struct ::winsize, ws_xpixel) == 4);
static_assert(sizeof(static_cast<struct ::winsize*>(nullptr)->ws_xpixel) == 2);
static_assert(offsetof(struct ::winsize, ws_ypixel) == 6);
static_assert(sizeof(static_cast<struct ::winsize*>(nullptr)->ws_ypixel) == 2);
static_assert(offsetof(struct ::fb_bitfield, offset) == 0);
static_assert(sizeof(static_cast<struct ::fb_bitfield*>(nullptr)->offset) == 4);
static_assert(offsetof(struct ::fb_bitfield, length) == 4);
static_assert(sizeof(static_cast<struct ::fb_bitfield*>(nullptr)->length) == 4);
static_assert(offsetof(struct ::fb_bitfield, msb_right) == 8);
static_assert(sizeof(static_cast<struct ::fb_bitfield*>(nullptr)->msb_right) == 4);
static_assert(offsetof(struct ::fb_var_screeninfo, xres) == 0);
static_assert(sizeof(static_cast<struct ::fb_var_screeninfo*>(nullptr)->xres) == 4);
static_assert(offsetof(struct ::fb_var_screeninfo, yres) == 4);
static_assert(sizeof(static_cast<struct ::fb_var_screeninfo*>(nullptr)->yres) == 4);
static_assert(offsetof(struct ::fb_var_screeninfo, xres_virtual) == 8);
static_assert(sizeof(static_cast<struct ::fb_var_screeninfo*>(nullptr)->xres_virtual) == 4);
static_assert(offsetof(struct ::fb_var_screeninfo, yres_virtual) == 12);
static_assert(sizeof(static_cast<struct ::fb_var_screeninfo*>(nullptr)->yres_virtual) == 4);
static_assert(offsetof(struct ::fb_var_screeninfo, xoffset) == 16);
static_assert(sizeof(static_cast<struct ::fb_var_screeninfo*>(nullptr)->xoffset) == 4);
static_assert(offsetof(struct ::fb_var_screeninfo, yoffset) == 20);
static_assert(sizeof(static_cast<struct ::fb_var_screeninfo*>(nullptr)->yoffset) == 4);
static_assert(offsetof(struct ::fb_var_screeninfo, bits_per_pixel) == 24);
static_assert(sizeof(static_cast<struct ::fb_var_screeninfo*>(nullptr)->bits_per_pixel) == 4);
static_assert(offsetof(struct ::fb_var_screeninfo, grayscale) == 28);
static_assert(sizeof(static_cast<struct ::fb_var_screeninfo*>(nullptr)->grayscale) == 4);
static_assert(offsetof(struct ::fb_var_screeninfo, red) == 32);
static_assert(offsetof(struct ::fb_var_screeninfo, green) == 44);
static_assert(offsetof(struct ::fb_var_screeninfo, blue) == 56);
static_assert(offsetof(struct ::fb_var_screeninfo, transp) == 68);
static_assert(offsetof(struct ::fb_var_screeninfo, activate) == 84);
static_assert(sizeof(static_cast<struct ::fb_var_screeninfo*>(nullptr)->activate) == 4);
static_assert(offsetof(struct ::fb_var_screeninfo, pixclock) == 100);
static_assert(sizeof(static_cast<struct ::fb_var_screeninfo*>(nullptr)->pixclock) == 4);
static_assert(offsetof(struct ::fb_fix_screeninfo, id) == 0);
static_assert(sizeof(static_cast<struct ::fb_fix_screeninfo*>(nullptr)->id) == 16);
static_assert(offsetof(struct ::fb_fix_screeninfo, smem_len) == 24);
static_assert(sizeof(static_cast<struct ::fb_fix_screeninfo*>(nullptr)->smem_len) == 4);
static_assert(offsetof(struct ::fb_fix_screeninfo, type) == 28);
static_assert(sizeof(static_cast<struct ::fb_fix_screeninfo*>(nullptr)->type) == 4);
static_assert(offsetof(struct ::fb_fix_screeninfo, visual) == 36);
static_assert(sizeof(static_cast<struct ::fb_fix_screeninfo*>(nullptr)->visual) == 4);
static_assert(offsetof(struct ::fb_fix_screeninfo, line_length) == 48);
static_assert(sizeof(static_cast<struct ::fb_fix_screeninfo*>(nullptr)->line_length) == 4);
static_assert(offsetof(struct ::dqblk, dqb_bhardlimit) == 0);
static_assert(sizeof(static_cast<struct ::dqblk*>(nullptr)->dqb_bhardlimit) == 8);
static_assert(offsetof(struct ::dqblk, dqb_bsoftlimit) == 8);
static_assert(sizeof(static_cast<struct ::dqblk*>(nullptr)->dqb_bsoftlimit) == 8);
static_assert(offsetof(struct ::dqblk, dqb_curspace) == 16);
static_assert(sizeof(static_cast<struct ::dqblk*>(nullptr)->dqb_curspace) == 8);
static_assert(offsetof(struct ::dqblk, dqb_ihardlimit) == 24);
static_assert(sizeof(static_cast<struct ::dqblk*>(nullptr)->dqb_ihardlimit) == 8);
static_assert(offsetof(struct ::dqblk, dqb_isoftlimit) == 32);
static_assert(sizeof(static_cast<struct ::dqblk*>(nullptr)->dqb_isoftlimit) == 8);
static_assert(offsetof(struct ::dqblk, dqb_curinodes) == 40);
static_assert(sizeof(static_cast<struct ::dqblk*>(nullptr)->dqb_curinodes) == 8);
static_assert(offsetof(struct ::dqblk, dqb_btime) == 48);
static_assert(sizeof(static_cast<struct ::dqblk*>(nullptr)->dqb_btime) == 8);
static_assert(offsetof(struct ::dqblk, dqb_itime) == 56);
static_assert(sizeof(static_cast<struct ::dqblk*>(nullptr)->dqb_itime) == 8);
static_assert(offsetof(struct ::dqblk, dqb_valid) == 64);
static_assert(sizeof(static_cast<struct ::dqblk*>(nullptr)->dqb_valid) == 4);
static_assert(offsetof(struct ::dqinfo, dqi_bgrace) == 0);
static_assert(sizeof(static_cast<struct ::dqinfo*>(nullptr)->dqi_bgrace) == 8);
static_assert(offsetof(struct ::dqinfo, dqi_igrace) == 8);
static_assert(sizeof(static_cast<struct ::dqinfo*>(nullptr)->dqi_igrace) == 8);
static_assert(offsetof(struct ::dqinfo, dqi_flags) == 16);
static_assert(sizeof(static_cast<struct ::dqinfo*>(nullptr)->dqi_flags) == 4);
static_assert(offsetof(struct ::dqinfo, dqi_valid) == 20);
static_assert(sizeof(static_cast<struct ::dqinfo*>(nullptr)->dqi_valid) == 4);
static_assert(offsetof(::iovec, iov_base) == 0);
static_assert(sizeof(static_cast<::iovec*>(nullptr)->iov_base) == 8);
static_assert(offsetof(::iovec, iov_len) == 8);
static_assert(sizeof(static_cast<::iovec*>(nullptr)->iov_len) == 8);
static_assert(offsetof(struct ::sockaddr_in, sin_port) == 2);
static_assert(sizeof(static_cast<struct ::sockaddr_in*>(nullptr)->sin_port) == 2);
static_assert(offsetof(struct ::sockaddr_in, sin_addr) == 4);
static_assert(sizeof(static_cast<struct ::sockaddr_in*>(nullptr)->sin_addr) == 4);
static_assert(offsetof(struct ::sockaddr_in6, sin6_port) == 2);
static_assert(sizeof(static_cast<struct ::sockaddr_in6*>(nullptr)->sin6_port) == 2);
static_assert(offsetof(struct ::sockaddr_in6, sin6_flowinfo) == 4);
static_assert(sizeof(static_cast<struct ::sockaddr_in6*>(nullptr)->sin6_flowinfo) == 4);
static_assert(offsetof(struct ::sockaddr_in6, sin6_addr) == 8);
static_assert(sizeof(static_cast<struct ::sockaddr_in6*>(nullptr)->sin6_addr) == 16);
static_assert(offsetof(struct ::sockaddr_in6, sin6_scope_id) == 24);
static_assert(sizeof(static_cast<struct ::sockaddr_in6*>(nullptr)->sin6_scope_id) == 4);
static_assert(offsetof(struct ::sockaddr_un, sun_path) == 2);
static_assert(sizeof(static_cast<struct ::sockaddr_un*>(nullptr)->sun_path) == 108);
static_assert(offsetof(struct ::sockaddr_nl, nl_pid) == 4);
static_assert(sizeof(static_cast<struct ::sockaddr_nl*>(nullptr)->nl_pid) == 4);
static_assert(offsetof(struct ::sockaddr_nl, nl_groups) == 8);
static_assert(sizeof(static_cast<struct ::sockaddr_nl*>(nullptr)->nl_groups) == 4);
static_assert(offsetof(struct ::sockaddr, sa_family) == 0);
static_assert(sizeof(static_cast<struct ::sockaddr*>(nullptr)->sa_family) == 2);
static_assert(offsetof(struct ::linger, l_onoff) == 0);
static_assert(sizeof(static_cast<struct ::linger*>(nullptr)->l_onoff) == 4);
static_assert(offsetof(struct ::linger, l_linger) == 4);
static_assert(sizeof(static_cast<struct ::linger*>(nullptr)->l_linger) == 4);
static_assert(offsetof(struct ::ucred, pid) == 0);
static_assert(sizeof(static_cast<struct ::ucred*>(nullptr)->pid) == 4);
static_assert(offsetof(struct ::ucred, uid) == 4);
static_assert(sizeof(static_cast<struct ::ucred*>(nullptr)->uid) == 4);
static_assert(offsetof(struct ::ucred, gid) == 8);
static_assert(sizeof(static_cast<struct ::ucred*>(nullptr)->gid) == 4);
static_assert(offsetof(struct ::ip_mreq, imr_multiaddr) == 0);
static_assert(sizeof(static_cast<struct ::ip_mreq*>(nullptr)->imr_multiaddr) == 4);
static_assert(offsetof(struct ::ip_mreq, imr_interface) == 4);
static_assert(sizeof(static_cast<struct ::ip_mreq*>(nullptr)->imr_interface) == 4);

}  // namespace genesys::detail
