// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys; do not edit. To regenerate: ./dev gen (tools/gen/main.py).
// How the decoder prints arguments, see trace/shown.h. Included by src/trace/ only.
#pragma once

#include "trace/shown.h"

namespace genesys::trace {

#if defined(__x86_64__)
inline constexpr set_item items_of_open[] = {
    {"O_RDONLY", 0, 0x3},
    {"O_WRONLY", 1, 0x3},
    {"O_RDWR", 2, 0x3},
    {"O_ACCMODE", 3, 0x3},
    {"O_CREAT", 64, 0x40},
    {"O_EXCL", 128, 0x80},
    {"O_NOCTTY", 256, 0x100},
    {"O_TRUNC", 512, 0x200},
    {"O_APPEND", 1024, 0x400},
    {"O_NONBLOCK", 2048, 0x800},
    {"O_SYNC", 1052672, 0x101000},
    {"__O_SYNC", 1048576, 0x100000},
    {"O_DSYNC", 4096, 0x1000},
    {"O_DIRECT", 16384, 0x4000},
    {"O_LARGEFILE", 32768, 0x8000},
    {"O_NOFOLLOW", 131072, 0x20000},
    {"O_NOATIME", 262144, 0x40000},
    {"O_CLOEXEC", 524288, 0x80000},
    {"O_PATH", 2097152, 0x200000},
    {"O_TMPFILE", 4259840, 0x410000},
    {"__O_TMPFILE", 4194304, 0x400000},
    {"O_DIRECTORY", 65536, 0x10000},
    {"FASYNC", 8192, 0x2000},
};
inline constexpr set_item items_of_pipe[] = {
    {"O_NONBLOCK", 2048, 0x800},
    {"O_CLOEXEC", 524288, 0x80000},
    {"O_DIRECT", 16384, 0x4000},
    {"O_NOTIFICATION_PIPE", 128, 0x80},
};
#elif defined(__aarch64__)
inline constexpr set_item items_of_open[] = {
    {"O_RDONLY", 0, 0x3},
    {"O_WRONLY", 1, 0x3},
    {"O_RDWR", 2, 0x3},
    {"O_ACCMODE", 3, 0x3},
    {"O_CREAT", 64, 0x40},
    {"O_EXCL", 128, 0x80},
    {"O_NOCTTY", 256, 0x100},
    {"O_TRUNC", 512, 0x200},
    {"O_APPEND", 1024, 0x400},
    {"O_NONBLOCK", 2048, 0x800},
    {"O_SYNC", 1052672, 0x101000},
    {"__O_SYNC", 1048576, 0x100000},
    {"O_DSYNC", 4096, 0x1000},
    {"O_DIRECT", 65536, 0x10000},
    {"O_LARGEFILE", 131072, 0x20000},
    {"O_NOFOLLOW", 32768, 0x8000},
    {"O_NOATIME", 262144, 0x40000},
    {"O_CLOEXEC", 524288, 0x80000},
    {"O_PATH", 2097152, 0x200000},
    {"O_TMPFILE", 4210688, 0x404000},
    {"__O_TMPFILE", 4194304, 0x400000},
    {"O_DIRECTORY", 16384, 0x4000},
    {"FASYNC", 8192, 0x2000},
};
inline constexpr set_item items_of_pipe[] = {
    {"O_NONBLOCK", 2048, 0x800},
    {"O_CLOEXEC", 524288, 0x80000},
    {"O_DIRECT", 65536, 0x10000},
    {"O_NOTIFICATION_PIPE", 128, 0x80},
};
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
inline constexpr set_item items_of_dup3[] = {{"O_CLOEXEC", 524288, 0x80000}};
inline constexpr set_item items_of_fd_flags[] = {{"FD_CLOEXEC", 1, 0x1}};
inline constexpr set_item items_of_unlink[] = {{"AT_REMOVEDIR", 512, 0x200}};
inline constexpr set_item items_of_at[] = {
    {"AT_SYMLINK_NOFOLLOW", 256, 0x100},
    {"AT_REMOVEDIR", 512, 0x200},
    {"AT_SYMLINK_FOLLOW", 1024, 0x400},
    {"AT_NO_AUTOMOUNT", 2048, 0x800},
    {"AT_EMPTY_PATH", 4096, 0x1000},
    {"AT_RECURSIVE", 32768, 0x8000},
};
inline constexpr set_item items_of_at_statx[] = {
    {"AT_STATX_SYNC_AS_STAT", 0, 0x6000},
    {"AT_STATX_FORCE_SYNC", 8192, 0x2000},
    {"AT_STATX_DONT_SYNC", 16384, 0x4000},
    {"AT_SYMLINK_NOFOLLOW", 256, 0x100},
    {"AT_REMOVEDIR", 512, 0x200},
    {"AT_SYMLINK_FOLLOW", 1024, 0x400},
    {"AT_NO_AUTOMOUNT", 2048, 0x800},
    {"AT_EMPTY_PATH", 4096, 0x1000},
    {"AT_RECURSIVE", 32768, 0x8000},
};
inline constexpr set_item items_of_faccessat[] = {
    {"AT_SYMLINK_NOFOLLOW", 256, 0x100},
    {"AT_EACCESS", 512, 0x200},
    {"AT_EMPTY_PATH", 4096, 0x1000},
};
inline constexpr set_item items_of_handle[] = {
    {"AT_HANDLE_MNT_ID_UNIQUE", 1, 0x1},
    {"AT_SYMLINK_FOLLOW", 1024, 0x400},
    {"AT_EMPTY_PATH", 4096, 0x1000},
};
inline constexpr set_item items_of_access[] = {{"F_OK", 0, 0x0}, {"R_OK", 4, 0x4}, {"W_OK", 2, 0x2}, {"X_OK", 1, 0x1}};
inline constexpr set_item items_of_rename[] = {
    {"RENAME_NOREPLACE", 1, 0x1},
    {"RENAME_EXCHANGE", 2, 0x2},
    {"RENAME_WHITEOUT", 4, 0x4},
};
inline constexpr set_item items_of_file_type[] = {
    {"S_IFSOCK", 49152, 0xf000},
    {"S_IFLNK", 40960, 0xf000},
    {"S_IFREG", 32768, 0xf000},
    {"S_IFBLK", 24576, 0xf000},
    {"S_IFDIR", 16384, 0xf000},
    {"S_IFCHR", 8192, 0xf000},
    {"S_IFIFO", 4096, 0xf000},
    {"S_ISUID", 2048, 0x800},
    {"S_ISGID", 1024, 0x400},
    {"S_ISVTX", 512, 0x200},
};
inline constexpr set_item items_of_statx_mask[] = {
    {"STATX_ALL", 4095, 0xfff},
    {"STATX_BASIC_STATS", 2047, 0x7ff},
    {"STATX_TYPE", 1, 0x1},
    {"STATX_MODE", 2, 0x2},
    {"STATX_NLINK", 4, 0x4},
    {"STATX_UID", 8, 0x8},
    {"STATX_GID", 16, 0x10},
    {"STATX_ATIME", 32, 0x20},
    {"STATX_MTIME", 64, 0x40},
    {"STATX_CTIME", 128, 0x80},
    {"STATX_INO", 256, 0x100},
    {"STATX_SIZE", 512, 0x200},
    {"STATX_BLOCKS", 1024, 0x400},
    {"STATX_BTIME", 2048, 0x800},
    {"STATX_MNT_ID", 4096, 0x1000},
    {"STATX_DIOALIGN", 8192, 0x2000},
    {"STATX_MNT_ID_UNIQUE", 16384, 0x4000},
    {"STATX_SUBVOL", 32768, 0x8000},
    {"STATX_WRITE_ATOMIC", 65536, 0x10000},
};
inline constexpr set_item items_of_statx_attributes[] = {
    {"STATX_ATTR_COMPRESSED", 4, 0x4},
    {"STATX_ATTR_IMMUTABLE", 16, 0x10},
    {"STATX_ATTR_APPEND", 32, 0x20},
    {"STATX_ATTR_NODUMP", 64, 0x40},
    {"STATX_ATTR_ENCRYPTED", 2048, 0x800},
    {"STATX_ATTR_AUTOMOUNT", 4096, 0x1000},
    {"STATX_ATTR_MOUNT_ROOT", 8192, 0x2000},
    {"STATX_ATTR_VERITY", 1048576, 0x100000},
    {"STATX_ATTR_DAX", 2097152, 0x200000},
};
inline constexpr set_item items_of_fallocate[] = {
    {"FALLOC_FL_KEEP_SIZE", 1, 0x1},
    {"FALLOC_FL_PUNCH_HOLE", 2, 0x2},
    {"FALLOC_FL_NO_HIDE_STALE", 4, 0x4},
    {"FALLOC_FL_COLLAPSE_RANGE", 8, 0x8},
    {"FALLOC_FL_ZERO_RANGE", 16, 0x10},
    {"FALLOC_FL_INSERT_RANGE", 32, 0x20},
    {"FALLOC_FL_UNSHARE_RANGE", 64, 0x40},
};
inline constexpr set_item items_of_file_lock[] = {
    {"LOCK_SH", 1, 0x1},
    {"LOCK_EX", 2, 0x2},
    {"LOCK_NB", 4, 0x4},
    {"LOCK_UN", 8, 0x8},
    {"LOCK_MAND", 32, 0x20},
    {"LOCK_READ", 64, 0x40},
    {"LOCK_WRITE", 128, 0x80},
};
inline constexpr set_item items_of_sync_file_range[] = {
    {"SYNC_FILE_RANGE_WAIT_BEFORE", 1, 0x1},
    {"SYNC_FILE_RANGE_WRITE", 2, 0x2},
    {"SYNC_FILE_RANGE_WAIT_AFTER", 4, 0x4},
};
inline constexpr set_item items_of_splice[] = {
    {"SPLICE_F_MOVE", 1, 0x1},
    {"SPLICE_F_NONBLOCK", 2, 0x2},
    {"SPLICE_F_MORE", 4, 0x4},
    {"SPLICE_F_GIFT", 8, 0x8},
};
inline constexpr set_item items_of_memfd[] = {
    {"MFD_CLOEXEC", 1, 0x1},
    {"MFD_ALLOW_SEALING", 2, 0x2},
    {"MFD_HUGETLB", 4, 0x4},
    {"MFD_NOEXEC_SEAL", 8, 0x8},
    {"MFD_EXEC", 16, 0x10},
};
inline constexpr set_item items_of_close_on_exec[] = {{"O_CLOEXEC", 524288, 0x80000}};
inline constexpr set_item items_of_inotify_init[] = {{"IN_NONBLOCK", 2048, 0x800}, {"IN_CLOEXEC", 524288, 0x80000}};
inline constexpr set_item items_of_inotify[] = {
    {"IN_ACCESS", 1, 0x1},
    {"IN_MODIFY", 2, 0x2},
    {"IN_ATTRIB", 4, 0x4},
    {"IN_CLOSE_WRITE", 8, 0x8},
    {"IN_CLOSE_NOWRITE", 16, 0x10},
    {"IN_OPEN", 32, 0x20},
    {"IN_MOVED_FROM", 64, 0x40},
    {"IN_MOVED_TO", 128, 0x80},
    {"IN_CREATE", 256, 0x100},
    {"IN_DELETE", 512, 0x200},
    {"IN_DELETE_SELF", 1024, 0x400},
    {"IN_MOVE_SELF", 2048, 0x800},
    {"IN_UNMOUNT", 8192, 0x2000},
    {"IN_Q_OVERFLOW", 16384, 0x4000},
    {"IN_IGNORED", 32768, 0x8000},
    {"IN_ONLYDIR", 16777216, 0x1000000},
    {"IN_DONT_FOLLOW", 33554432, 0x2000000},
    {"IN_EXCL_UNLINK", 67108864, 0x4000000},
    {"IN_MASK_CREATE", 268435456, 0x10000000},
    {"IN_MASK_ADD", 536870912, 0x20000000},
    {"IN_ISDIR", 1073741824, 0x40000000},
    {"IN_ONESHOT", 2147483648, 0x80000000},
};
inline constexpr set_item items_of_fanotify_init[] = {
    {"FAN_CLASS_NOTIF", 0, 0xc},
    {"FAN_CLASS_CONTENT", 4, 0xc},
    {"FAN_CLASS_PRE_CONTENT", 8, 0xc},
    {"FAN_CLOEXEC", 1, 0x1},
    {"FAN_NONBLOCK", 2, 0x2},
    {"FAN_UNLIMITED_QUEUE", 16, 0x10},
    {"FAN_UNLIMITED_MARKS", 32, 0x20},
    {"FAN_ENABLE_AUDIT", 64, 0x40},
    {"FAN_REPORT_PIDFD", 128, 0x80},
    {"FAN_REPORT_TID", 256, 0x100},
    {"FAN_REPORT_FID", 512, 0x200},
    {"FAN_REPORT_DIR_FID", 1024, 0x400},
    {"FAN_REPORT_NAME", 2048, 0x800},
    {"FAN_REPORT_TARGET_FID", 4096, 0x1000},
};
inline constexpr set_item items_of_fanotify_mark[] = {
    {"FAN_MARK_ADD", 1, 0x1},
    {"FAN_MARK_REMOVE", 2, 0x2},
    {"FAN_MARK_DONT_FOLLOW", 4, 0x4},
    {"FAN_MARK_ONLYDIR", 8, 0x8},
    {"FAN_MARK_MOUNT", 16, 0x10},
    {"FAN_MARK_IGNORED_MASK", 32, 0x20},
    {"FAN_MARK_IGNORED_SURV_MODIFY", 64, 0x40},
    {"FAN_MARK_FLUSH", 128, 0x80},
    {"FAN_MARK_FILESYSTEM", 256, 0x100},
    {"FAN_MARK_EVICTABLE", 512, 0x200},
    {"FAN_MARK_IGNORE", 1024, 0x400},
};
inline constexpr set_item items_of_fanotify_events[] = {
    {"FAN_ACCESS", 1, 0x1},
    {"FAN_MODIFY", 2, 0x2},
    {"FAN_ATTRIB", 4, 0x4},
    {"FAN_CLOSE_WRITE", 8, 0x8},
    {"FAN_CLOSE_NOWRITE", 16, 0x10},
    {"FAN_OPEN", 32, 0x20},
    {"FAN_MOVED_FROM", 64, 0x40},
    {"FAN_MOVED_TO", 128, 0x80},
    {"FAN_CREATE", 256, 0x100},
    {"FAN_DELETE", 512, 0x200},
    {"FAN_DELETE_SELF", 1024, 0x400},
    {"FAN_MOVE_SELF", 2048, 0x800},
    {"FAN_OPEN_EXEC", 4096, 0x1000},
    {"FAN_Q_OVERFLOW", 16384, 0x4000},
    {"FAN_FS_ERROR", 32768, 0x8000},
    {"FAN_OPEN_PERM", 65536, 0x10000},
    {"FAN_ACCESS_PERM", 131072, 0x20000},
    {"FAN_OPEN_EXEC_PERM", 262144, 0x40000},
    {"FAN_EVENT_ON_CHILD", 134217728, 0x8000000},
    {"FAN_RENAME", 268435456, 0x10000000},
    {"FAN_ONDIR", 1073741824, 0x40000000},
};
inline constexpr set_item items_of_rwf[] = {
    {"RWF_HIPRI", 1, 0x1},
    {"RWF_DSYNC", 2, 0x2},
    {"RWF_SYNC", 4, 0x4},
    {"RWF_NOWAIT", 8, 0x8},
    {"RWF_APPEND", 16, 0x10},
    {"RWF_NOAPPEND", 32, 0x20},
    {"RWF_ATOMIC", 64, 0x40},
    {"RWF_DONTCACHE", 128, 0x80},
};
inline constexpr set_item items_of_resolve[] = {
    {"RESOLVE_NO_XDEV", 1, 0x1},
    {"RESOLVE_NO_MAGICLINKS", 2, 0x2},
    {"RESOLVE_NO_SYMLINKS", 4, 0x4},
    {"RESOLVE_BENEATH", 8, 0x8},
    {"RESOLVE_IN_ROOT", 16, 0x10},
    {"RESOLVE_CACHED", 32, 0x20},
};
inline constexpr set_item items_of_xattr[] = {{"XATTR_CREATE", 1, 0x1}, {"XATTR_REPLACE", 2, 0x2}};
#if defined(__x86_64__)
inline constexpr set_item items_of_prot[] = {
    {"PROT_NONE", 0, 0x0},
    {"PROT_READ", 1, 0x1},
    {"PROT_WRITE", 2, 0x2},
    {"PROT_EXEC", 4, 0x4},
    {"PROT_SEM", 8, 0x8},
    {"PROT_GROWSDOWN", 16777216, 0x1000000},
    {"PROT_GROWSUP", 33554432, 0x2000000},
};
inline constexpr set_item items_of_map[] = {
    {"MAP_FILE", 0, 0xf},
    {"MAP_SHARED", 1, 0xf},
    {"MAP_PRIVATE", 2, 0xf},
    {"MAP_SHARED_VALIDATE", 3, 0xf},
    {"MAP_DROPPABLE", 8, 0xf},
    {"MAP_FIXED", 16, 0x10},
    {"MAP_ANONYMOUS", 32, 0x20},
    {"MAP_32BIT", 64, 0x40},
    {"MAP_NORESERVE", 16384, 0x4000},
    {"MAP_POPULATE", 32768, 0x8000},
    {"MAP_NONBLOCK", 65536, 0x10000},
    {"MAP_GROWSDOWN", 256, 0x100},
    {"MAP_DENYWRITE", 2048, 0x800},
    {"MAP_EXECUTABLE", 4096, 0x1000},
    {"MAP_LOCKED", 8192, 0x2000},
    {"MAP_STACK", 131072, 0x20000},
    {"MAP_HUGETLB", 262144, 0x40000},
    {"MAP_SYNC", 524288, 0x80000},
    {"MAP_FIXED_NOREPLACE", 1048576, 0x100000},
};
#elif defined(__aarch64__)
inline constexpr set_item items_of_prot[] = {
    {"PROT_NONE", 0, 0x0},
    {"PROT_READ", 1, 0x1},
    {"PROT_WRITE", 2, 0x2},
    {"PROT_EXEC", 4, 0x4},
    {"PROT_SEM", 8, 0x8},
    {"PROT_GROWSDOWN", 16777216, 0x1000000},
    {"PROT_GROWSUP", 33554432, 0x2000000},
    {"PROT_BTI", 16, 0x10},
    {"PROT_MTE", 32, 0x20},
};
inline constexpr set_item items_of_map[] = {
    {"MAP_FILE", 0, 0xf},
    {"MAP_SHARED", 1, 0xf},
    {"MAP_PRIVATE", 2, 0xf},
    {"MAP_SHARED_VALIDATE", 3, 0xf},
    {"MAP_DROPPABLE", 8, 0xf},
    {"MAP_FIXED", 16, 0x10},
    {"MAP_ANONYMOUS", 32, 0x20},
    {"MAP_NORESERVE", 16384, 0x4000},
    {"MAP_POPULATE", 32768, 0x8000},
    {"MAP_NONBLOCK", 65536, 0x10000},
    {"MAP_GROWSDOWN", 256, 0x100},
    {"MAP_DENYWRITE", 2048, 0x800},
    {"MAP_EXECUTABLE", 4096, 0x1000},
    {"MAP_LOCKED", 8192, 0x2000},
    {"MAP_STACK", 131072, 0x20000},
    {"MAP_HUGETLB", 262144, 0x40000},
    {"MAP_SYNC", 524288, 0x80000},
    {"MAP_FIXED_NOREPLACE", 1048576, 0x100000},
};
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
inline constexpr set_item items_of_mlock[] = {{"MLOCK_ONFAULT", 1, 0x1}};
inline constexpr set_item items_of_mlockall[] = {
    {"MCL_CURRENT", 1, 0x1},
    {"MCL_FUTURE", 2, 0x2},
    {"MCL_ONFAULT", 4, 0x4},
};
inline constexpr set_item items_of_msync[] = {{"MS_SYNC", 4, 0x4}, {"MS_ASYNC", 1, 0x1}, {"MS_INVALIDATE", 2, 0x2}};
inline constexpr set_item items_of_policy_mode[] = {
    {"MPOL_DEFAULT", 0, 0xfff},
    {"MPOL_PREFERRED", 1, 0xfff},
    {"MPOL_BIND", 2, 0xfff},
    {"MPOL_INTERLEAVE", 3, 0xfff},
    {"MPOL_LOCAL", 4, 0xfff},
    {"MPOL_PREFERRED_MANY", 5, 0xfff},
    {"MPOL_WEIGHTED_INTERLEAVE", 6, 0xfff},
    {"MPOL_F_STATIC_NODES", 32768, 0x8000},
    {"MPOL_F_RELATIVE_NODES", 16384, 0x4000},
    {"MPOL_F_NUMA_BALANCING", 8192, 0x2000},
};
inline constexpr set_item items_of_mbind[] = {
    {"MPOL_MF_STRICT", 1, 0x1},
    {"MPOL_MF_MOVE", 2, 0x2},
    {"MPOL_MF_MOVE_ALL", 4, 0x4},
};
inline constexpr set_item items_of_get_mempolicy[] = {
    {"MPOL_F_NODE", 1, 0x1},
    {"MPOL_F_ADDR", 2, 0x2},
    {"MPOL_F_MEMS_ALLOWED", 4, 0x4},
};
inline constexpr set_item items_of_socket_type[] = {
    {"SOCK_STREAM", 1, 0xf},
    {"SOCK_DGRAM", 2, 0xf},
    {"SOCK_RAW", 3, 0xf},
    {"SOCK_RDM", 4, 0xf},
    {"SOCK_SEQPACKET", 5, 0xf},
    {"SOCK_DCCP", 6, 0xf},
    {"SOCK_PACKET", 10, 0xf},
    {"SOCK_CLOEXEC", 524288, 0x80000},
    {"SOCK_NONBLOCK", 2048, 0x800},
};
inline constexpr set_item items_of_accept[] = {{"SOCK_CLOEXEC", 524288, 0x80000}, {"SOCK_NONBLOCK", 2048, 0x800}};
inline constexpr set_item items_of_message[] = {
    {"MSG_OOB", 1, 0x1},
    {"MSG_PEEK", 2, 0x2},
    {"MSG_DONTROUTE", 4, 0x4},
    {"MSG_CTRUNC", 8, 0x8},
    {"MSG_PROXY", 16, 0x10},
    {"MSG_TRUNC", 32, 0x20},
    {"MSG_DONTWAIT", 64, 0x40},
    {"MSG_EOR", 128, 0x80},
    {"MSG_WAITALL", 256, 0x100},
    {"MSG_FIN", 512, 0x200},
    {"MSG_SYN", 1024, 0x400},
    {"MSG_CONFIRM", 2048, 0x800},
    {"MSG_RST", 4096, 0x1000},
    {"MSG_ERRQUEUE", 8192, 0x2000},
    {"MSG_NOSIGNAL", 16384, 0x4000},
    {"MSG_MORE", 32768, 0x8000},
    {"MSG_WAITFORONE", 65536, 0x10000},
    {"MSG_BATCH", 262144, 0x40000},
    {"MSG_ZEROCOPY", 67108864, 0x4000000},
    {"MSG_FASTOPEN", 536870912, 0x20000000},
    {"MSG_CMSG_CLOEXEC", 1073741824, 0x40000000},
};
inline constexpr set_item items_of_poll[] = {
    {"POLLIN", 1, 0x1},
    {"POLLPRI", 2, 0x2},
    {"POLLOUT", 4, 0x4},
    {"POLLERR", 8, 0x8},
    {"POLLHUP", 16, 0x10},
    {"POLLNVAL", 32, 0x20},
    {"POLLRDNORM", 64, 0x40},
    {"POLLRDBAND", 128, 0x80},
    {"POLLWRNORM", 256, 0x100},
    {"POLLWRBAND", 512, 0x200},
    {"POLLMSG", 1024, 0x400},
    {"POLLREMOVE", 4096, 0x1000},
    {"POLLRDHUP", 8192, 0x2000},
};
inline constexpr set_item items_of_epoll[] = {
    {"EPOLLIN", 1, 0x1},
    {"EPOLLPRI", 2, 0x2},
    {"EPOLLOUT", 4, 0x4},
    {"EPOLLERR", 8, 0x8},
    {"EPOLLHUP", 16, 0x10},
    {"EPOLLNVAL", 32, 0x20},
    {"EPOLLRDNORM", 64, 0x40},
    {"EPOLLRDBAND", 128, 0x80},
    {"EPOLLWRNORM", 256, 0x100},
    {"EPOLLWRBAND", 512, 0x200},
    {"EPOLLMSG", 1024, 0x400},
    {"EPOLLRDHUP", 8192, 0x2000},
    {"EPOLLEXCLUSIVE", 268435456, 0x10000000},
    {"EPOLLWAKEUP", 536870912, 0x20000000},
    {"EPOLLONESHOT", 1073741824, 0x40000000},
    {"EPOLLET", 2147483648, 0x80000000},
};
inline constexpr set_item items_of_epoll_create[] = {{"EPOLL_CLOEXEC", 524288, 0x80000}};
inline constexpr set_item items_of_eventfd[] = {
    {"EFD_SEMAPHORE", 1, 0x1},
    {"EFD_CLOEXEC", 524288, 0x80000},
    {"EFD_NONBLOCK", 2048, 0x800},
};
inline constexpr set_item items_of_signalfd[] = {{"SFD_CLOEXEC", 524288, 0x80000}, {"SFD_NONBLOCK", 2048, 0x800}};
inline constexpr set_item items_of_timerfd[] = {{"TFD_CLOEXEC", 524288, 0x80000}, {"TFD_NONBLOCK", 2048, 0x800}};
inline constexpr set_item items_of_timerfd_set[] = {
    {"TFD_TIMER_ABSTIME", 1, 0x1},
    {"TFD_TIMER_CANCEL_ON_SET", 2, 0x2},
};
inline constexpr set_item items_of_clock_flags[] = {{"TIMER_ABSTIME", 1, 0x1}};
inline constexpr set_item items_of_timex_modes[] = {
    {"ADJ_OFFSET_SINGLESHOT", 32769, 0x8001},
    {"ADJ_OFFSET_SS_READ", 40961, 0xa001},
    {"ADJ_OFFSET", 1, 0x1},
    {"ADJ_FREQUENCY", 2, 0x2},
    {"ADJ_MAXERROR", 4, 0x4},
    {"ADJ_ESTERROR", 8, 0x8},
    {"ADJ_STATUS", 16, 0x10},
    {"ADJ_TIMECONST", 32, 0x20},
    {"ADJ_TAI", 128, 0x80},
    {"ADJ_SETOFFSET", 256, 0x100},
    {"ADJ_MICRO", 4096, 0x1000},
    {"ADJ_NANO", 8192, 0x2000},
    {"ADJ_TICK", 16384, 0x4000},
};
inline constexpr set_item items_of_timex_status[] = {
    {"STA_PLL", 1, 0x1},
    {"STA_PPSFREQ", 2, 0x2},
    {"STA_PPSTIME", 4, 0x4},
    {"STA_FLL", 8, 0x8},
    {"STA_INS", 16, 0x10},
    {"STA_DEL", 32, 0x20},
    {"STA_UNSYNC", 64, 0x40},
    {"STA_FREQHOLD", 128, 0x80},
    {"STA_PPSSIGNAL", 256, 0x100},
    {"STA_PPSJITTER", 512, 0x200},
    {"STA_PPSWANDER", 1024, 0x400},
    {"STA_PPSERROR", 2048, 0x800},
    {"STA_CLOCKERR", 4096, 0x1000},
    {"STA_NANO", 8192, 0x2000},
    {"STA_MODE", 16384, 0x4000},
    {"STA_CLK", 32768, 0x8000},
};
inline constexpr set_item items_of_sigevent_notify[] = {
    {"SIGEV_SIGNAL", 0, 0x0},
    {"SIGEV_NONE", 1, 0x1},
    {"SIGEV_THREAD", 2, 0x2},
    {"SIGEV_THREAD_ID", 4, 0x4},
};
inline constexpr set_item items_of_wait[] = {
    {"WNOHANG", 1, 0x1},
    {"WSTOPPED", 2, 0x2},
    {"WEXITED", 4, 0x4},
    {"WCONTINUED", 8, 0x8},
    {"WNOWAIT", 16777216, 0x1000000},
    {"__WCLONE", 2147483648, 0x80000000},
    {"__WALL", 1073741824, 0x40000000},
    {"__WNOTHREAD", 536870912, 0x20000000},
};
inline constexpr set_item items_of_wait4[] = {
    {"WNOHANG", 1, 0x1},
    {"WSTOPPED", 2, 0x2},
    {"WEXITED", 4, 0x4},
    {"WCONTINUED", 8, 0x8},
    {"WNOWAIT", 16777216, 0x1000000},
    {"__WCLONE", 2147483648, 0x80000000},
    {"__WALL", 1073741824, 0x40000000},
    {"__WNOTHREAD", 536870912, 0x20000000},
};
inline constexpr set_item items_of_membarrier_flags[] = {{"MEMBARRIER_CMD_FLAG_CPU", 1, 0x1}};
inline constexpr set_item items_of_pidfd[] = {{"PIDFD_NONBLOCK", 2048, 0x800}, {"PIDFD_THREAD", 128, 0x80}};
inline constexpr set_item items_of_userfaultfd[] = {
    {"O_NONBLOCK", 2048, 0x800},
    {"O_CLOEXEC", 524288, 0x80000},
    {"UFFD_USER_MODE_ONLY", 1, 0x1},
};
inline constexpr set_item items_of_perf_open[] = {
    {"PERF_FLAG_FD_NO_GROUP", 1, 0x1},
    {"PERF_FLAG_FD_OUTPUT", 2, 0x2},
    {"PERF_FLAG_PID_CGROUP", 4, 0x4},
    {"PERF_FLAG_FD_CLOEXEC", 8, 0x8},
};
inline constexpr set_item items_of_sched_policy[] = {
    {"SCHED_OTHER", 0, 0x3fffffff},
    {"SCHED_FIFO", 1, 0x3fffffff},
    {"SCHED_RR", 2, 0x3fffffff},
    {"SCHED_BATCH", 3, 0x3fffffff},
    {"SCHED_ISO", 4, 0x3fffffff},
    {"SCHED_IDLE", 5, 0x3fffffff},
    {"SCHED_DEADLINE", 6, 0x3fffffff},
    {"SCHED_EXT", 7, 0x3fffffff},
    {"SCHED_RESET_ON_FORK", 1073741824, 0x40000000},
};
inline constexpr set_item items_of_sched_flags[] = {
    {"SCHED_FLAG_RESET_ON_FORK", 1, 0x1},
    {"SCHED_FLAG_RECLAIM", 2, 0x2},
    {"SCHED_FLAG_DL_OVERRUN", 4, 0x4},
    {"SCHED_FLAG_KEEP_POLICY", 8, 0x8},
    {"SCHED_FLAG_KEEP_PARAMS", 16, 0x10},
    {"SCHED_FLAG_UTIL_CLAMP_MIN", 32, 0x20},
    {"SCHED_FLAG_UTIL_CLAMP_MAX", 64, 0x40},
};
inline constexpr set_item items_of_random[] = {
    {"GRND_NONBLOCK", 1, 0x1},
    {"GRND_RANDOM", 2, 0x2},
    {"GRND_INSECURE", 4, 0x4},
};
inline constexpr set_item items_of_module_init[] = {
    {"MODULE_INIT_IGNORE_MODVERSIONS", 1, 0x1},
    {"MODULE_INIT_IGNORE_VERMAGIC", 2, 0x2},
    {"MODULE_INIT_COMPRESSED_FILE", 4, 0x4},
};
inline constexpr set_item items_of_module_delete[] = {
    {"O_NONBLOCK", 2048, 0x800},
    {"O_EXCL", 128, 0x80},
    {"O_TRUNC", 512, 0x200},
};
inline constexpr set_item items_of_kexec_file[] = {
    {"KEXEC_FILE_UNLOAD", 1, 0x1},
    {"KEXEC_FILE_ON_CRASH", 2, 0x2},
    {"KEXEC_FILE_NO_INITRAMFS", 4, 0x4},
};
inline constexpr set_item items_of_quota_command[] = {
    {"Q_SYNC", 2147483904, 0xffffff00},
    {"Q_QUOTAON", 2147484160, 0xffffff00},
    {"Q_QUOTAOFF", 2147484416, 0xffffff00},
    {"Q_GETFMT", 2147484672, 0xffffff00},
    {"Q_GETINFO", 2147484928, 0xffffff00},
    {"Q_SETINFO", 2147485184, 0xffffff00},
    {"Q_GETQUOTA", 2147485440, 0xffffff00},
    {"Q_SETQUOTA", 2147485696, 0xffffff00},
    {"Q_GETNEXTQUOTA", 2147485952, 0xffffff00},
    {"USRQUOTA", 0, 0xff},
    {"GRPQUOTA", 1, 0xff},
    {"PRJQUOTA", 2, 0xff},
};
inline constexpr set_item items_of_quota_valid[] = {
    {"QIF_BLIMITS", 1, 0x1},
    {"QIF_SPACE", 2, 0x2},
    {"QIF_ILIMITS", 4, 0x4},
    {"QIF_INODES", 8, 0x8},
    {"QIF_BTIME", 16, 0x10},
    {"QIF_ITIME", 32, 0x20},
};
inline constexpr set_item items_of_msg_get[] = {
    {"IPC_CREAT", 512, 0x600},
    {"IPC_EXCL", 1024, 0x600},
    {"IPC_CREAT_EXCL", 1536, 0x600},
};
inline constexpr set_item items_of_ipc_get[] = {
    {"IPC_CREAT", 512, 0x200},
    {"IPC_EXCL", 1024, 0x400},
    {"IPC_NOWAIT", 2048, 0x800},
};
inline constexpr set_item items_of_shm_get[] = {
    {"IPC_CREAT", 512, 0x200},
    {"IPC_EXCL", 1024, 0x400},
    {"SHM_HUGETLB", 2048, 0x800},
    {"SHM_NORESERVE", 4096, 0x1000},
};
inline constexpr set_item items_of_ipc_key[] = {{"IPC_PRIVATE", 0, 0x0}};
inline constexpr set_item items_of_msg[] = {
    {"MSG_NOERROR", 4096, 0x1000},
    {"MSG_EXCEPT", 8192, 0x2000},
    {"MSG_COPY", 16384, 0x4000},
    {"IPC_NOWAIT", 2048, 0x800},
};
inline constexpr set_item items_of_semaphore[] = {{"SEM_UNDO", 4096, 0x1000}, {"IPC_NOWAIT", 2048, 0x800}};
inline constexpr set_item items_of_shm_at[] = {
    {"SHM_RDONLY", 4096, 0x1000},
    {"SHM_RND", 8192, 0x2000},
    {"SHM_REMAP", 16384, 0x4000},
    {"SHM_EXEC", 32768, 0x8000},
};
inline constexpr set_item items_of_mq[] = {{"O_NONBLOCK", 2048, 0x800}};
inline constexpr set_item items_of_mount[] = {
    {"MS_RDONLY", 1, 0x1},
    {"MS_NOSUID", 2, 0x2},
    {"MS_NODEV", 4, 0x4},
    {"MS_NOEXEC", 8, 0x8},
    {"MS_SYNCHRONOUS", 16, 0x10},
    {"MS_REMOUNT", 32, 0x20},
    {"MS_MANDLOCK", 64, 0x40},
    {"MS_DIRSYNC", 128, 0x80},
    {"MS_NOSYMFOLLOW", 256, 0x100},
    {"MS_NOATIME", 1024, 0x400},
    {"MS_NODIRATIME", 2048, 0x800},
    {"MS_BIND", 4096, 0x1000},
    {"MS_MOVE", 8192, 0x2000},
    {"MS_REC", 16384, 0x4000},
    {"MS_SILENT", 32768, 0x8000},
    {"MS_POSIXACL", 65536, 0x10000},
    {"MS_UNBINDABLE", 131072, 0x20000},
    {"MS_PRIVATE", 262144, 0x40000},
    {"MS_SLAVE", 524288, 0x80000},
    {"MS_SHARED", 1048576, 0x100000},
    {"MS_RELATIME", 2097152, 0x200000},
    {"MS_KERNMOUNT", 4194304, 0x400000},
    {"MS_I_VERSION", 8388608, 0x800000},
    {"MS_STRICTATIME", 16777216, 0x1000000},
    {"MS_LAZYTIME", 33554432, 0x2000000},
};
inline constexpr set_item items_of_umount[] = {
    {"MNT_FORCE", 1, 0x1},
    {"MNT_DETACH", 2, 0x2},
    {"MNT_EXPIRE", 4, 0x4},
    {"UMOUNT_NOFOLLOW", 8, 0x8},
};
inline constexpr set_item items_of_statfs_flags[] = {
    {"ST_VALID", 32, 0x20},
    {"ST_RDONLY", 1, 0x1},
    {"ST_NOSUID", 2, 0x2},
    {"ST_NODEV", 4, 0x4},
    {"ST_NOEXEC", 8, 0x8},
    {"ST_SYNCHRONOUS", 16, 0x10},
    {"ST_MANDLOCK", 64, 0x40},
    {"ST_NOATIME", 1024, 0x400},
    {"ST_NODIRATIME", 2048, 0x800},
    {"ST_RELATIME", 4096, 0x1000},
    {"ST_NOSYMFOLLOW", 8192, 0x2000},
};
inline constexpr set_item items_of_fsopen[] = {{"FSOPEN_CLOEXEC", 1, 0x1}};
inline constexpr set_item items_of_fspick[] = {
    {"FSPICK_CLOEXEC", 1, 0x1},
    {"FSPICK_SYMLINK_NOFOLLOW", 2, 0x2},
    {"FSPICK_NO_AUTOMOUNT", 4, 0x4},
    {"FSPICK_EMPTY_PATH", 8, 0x8},
};
inline constexpr set_item items_of_fsmount[] = {{"FSMOUNT_CLOEXEC", 1, 0x1}};
inline constexpr set_item items_of_mount_attributes[] = {
    {"MOUNT_ATTR_NOATIME", 16, 0x70},
    {"MOUNT_ATTR_STRICTATIME", 32, 0x70},
    {"MOUNT_ATTR_RDONLY", 1, 0x1},
    {"MOUNT_ATTR_NOSUID", 2, 0x2},
    {"MOUNT_ATTR_NODEV", 4, 0x4},
    {"MOUNT_ATTR_NOEXEC", 8, 0x8},
    {"MOUNT_ATTR_NODIRATIME", 128, 0x80},
    {"MOUNT_ATTR_IDMAP", 1048576, 0x100000},
    {"MOUNT_ATTR_NOSYMFOLLOW", 2097152, 0x200000},
};
inline constexpr set_item items_of_open_tree[] = {
    {"OPEN_TREE_CLONE", 1, 0x1},
    {"OPEN_TREE_CLOEXEC", 524288, 0x80000},
    {"AT_SYMLINK_NOFOLLOW", 256, 0x100},
    {"AT_NO_AUTOMOUNT", 2048, 0x800},
    {"AT_EMPTY_PATH", 4096, 0x1000},
    {"AT_RECURSIVE", 32768, 0x8000},
};
inline constexpr set_item items_of_move_mount[] = {
    {"MOVE_MOUNT_F_SYMLINKS", 1, 0x1},
    {"MOVE_MOUNT_F_AUTOMOUNTS", 2, 0x2},
    {"MOVE_MOUNT_F_EMPTY_PATH", 4, 0x4},
    {"MOVE_MOUNT_T_SYMLINKS", 16, 0x10},
    {"MOVE_MOUNT_T_AUTOMOUNTS", 32, 0x20},
    {"MOVE_MOUNT_T_EMPTY_PATH", 64, 0x40},
    {"MOVE_MOUNT_SET_GROUP", 256, 0x100},
    {"MOVE_MOUNT_BENEATH", 512, 0x200},
};
inline constexpr set_item items_of_swapon[] = {
    {"SWAP_FLAG_PREFER", 32768, 0x8000},
    {"SWAP_FLAG_DISCARD", 65536, 0x10000},
    {"SWAP_FLAG_DISCARD_ONCE", 131072, 0x20000},
    {"SWAP_FLAG_DISCARD_PAGES", 262144, 0x40000},
};
inline constexpr set_item items_of_landlock_create[] = {{"LANDLOCK_CREATE_RULESET_VERSION", 1, 0x1}};
inline constexpr set_item items_of_landlock_fs[] = {
    {"LANDLOCK_ACCESS_FS_EXECUTE", 1, 0x1},
    {"LANDLOCK_ACCESS_FS_WRITE_FILE", 2, 0x2},
    {"LANDLOCK_ACCESS_FS_READ_FILE", 4, 0x4},
    {"LANDLOCK_ACCESS_FS_READ_DIR", 8, 0x8},
    {"LANDLOCK_ACCESS_FS_REMOVE_DIR", 16, 0x10},
    {"LANDLOCK_ACCESS_FS_REMOVE_FILE", 32, 0x20},
    {"LANDLOCK_ACCESS_FS_MAKE_CHAR", 64, 0x40},
    {"LANDLOCK_ACCESS_FS_MAKE_DIR", 128, 0x80},
    {"LANDLOCK_ACCESS_FS_MAKE_REG", 256, 0x100},
    {"LANDLOCK_ACCESS_FS_MAKE_SOCK", 512, 0x200},
    {"LANDLOCK_ACCESS_FS_MAKE_FIFO", 1024, 0x400},
    {"LANDLOCK_ACCESS_FS_MAKE_BLOCK", 2048, 0x800},
    {"LANDLOCK_ACCESS_FS_MAKE_SYM", 4096, 0x1000},
    {"LANDLOCK_ACCESS_FS_REFER", 8192, 0x2000},
    {"LANDLOCK_ACCESS_FS_TRUNCATE", 16384, 0x4000},
    {"LANDLOCK_ACCESS_FS_IOCTL_DEV", 32768, 0x8000},
};
inline constexpr set_item items_of_landlock_net[] = {
    {"LANDLOCK_ACCESS_NET_BIND_TCP", 1, 0x1},
    {"LANDLOCK_ACCESS_NET_CONNECT_TCP", 2, 0x2},
};
inline constexpr set_item items_of_key_move[] = {{"KEYCTL_MOVE_EXCL", 1, 0x1}};
inline constexpr set_item items_of_notify[] = {
    {"DN_ACCESS", 1, 0x1},
    {"DN_MODIFY", 2, 0x2},
    {"DN_CREATE", 4, 0x4},
    {"DN_DELETE", 8, 0x8},
    {"DN_RENAME", 16, 0x10},
    {"DN_ATTRIB", 32, 0x20},
    {"DN_MULTISHOT", 2147483648, 0x80000000},
};
inline constexpr set_item items_of_seals[] = {
    {"F_SEAL_SEAL", 1, 0x1},
    {"F_SEAL_SHRINK", 2, 0x2},
    {"F_SEAL_GROW", 4, 0x4},
    {"F_SEAL_WRITE", 8, 0x8},
    {"F_SEAL_FUTURE_WRITE", 16, 0x10},
    {"F_SEAL_EXEC", 32, 0x20},
};
inline constexpr set_item items_of_futex[] = {
    {"FUTEX_WAIT", 0, 0xff},
    {"FUTEX_WAKE", 1, 0xff},
    {"FUTEX_FD", 2, 0xff},
    {"FUTEX_REQUEUE", 3, 0xff},
    {"FUTEX_CMP_REQUEUE", 4, 0xff},
    {"FUTEX_WAKE_OP", 5, 0xff},
    {"FUTEX_LOCK_PI", 6, 0xff},
    {"FUTEX_UNLOCK_PI", 7, 0xff},
    {"FUTEX_TRYLOCK_PI", 8, 0xff},
    {"FUTEX_WAIT_BITSET", 9, 0xff},
    {"FUTEX_WAKE_BITSET", 10, 0xff},
    {"FUTEX_WAIT_PRIVATE", 128, 0xff},
    {"FUTEX_WAKE_PRIVATE", 129, 0xff},
    {"FUTEX_REQUEUE_PRIVATE", 131, 0xff},
    {"FUTEX_CMP_REQUEUE_PRIVATE", 132, 0xff},
    {"FUTEX_WAKE_OP_PRIVATE", 133, 0xff},
    {"FUTEX_WAIT_BITSET_PRIVATE", 137, 0xff},
    {"FUTEX_WAKE_BITSET_PRIVATE", 138, 0xff},
    {"FUTEX_CLOCK_REALTIME", 256, 0x100},
};
inline constexpr set_item items_of_futex2[] = {
    {"FUTEX2_SIZE_U8", 0, 0x3},
    {"FUTEX2_SIZE_U16", 1, 0x3},
    {"FUTEX2_SIZE_U32", 2, 0x3},
    {"FUTEX2_SIZE_U64", 3, 0x3},
    {"FUTEX2_NUMA", 4, 0x4},
    {"FUTEX2_MPOL", 8, 0x8},
    {"FUTEX2_PRIVATE", 128, 0x80},
};
inline constexpr set_item items_of_bitset[] = {{"FUTEX_BITSET_MATCH_ANY", 4294967295, 0xffffffff}};
inline constexpr set_item items_of_whence[] = {
    {"SEEK_SET", 0, 0x0},
    {"SEEK_CUR", 1, 0x1},
    {"SEEK_END", 2, 0x2},
    {"SEEK_DATA", 3, 0x3},
    {"SEEK_HOLE", 4, 0x4},
};
inline constexpr set_item items_of_fadvise[] = {
    {"POSIX_FADV_NORMAL", 0, 0x0},
    {"POSIX_FADV_RANDOM", 1, 0x1},
    {"POSIX_FADV_SEQUENTIAL", 2, 0x2},
    {"POSIX_FADV_WILLNEED", 3, 0x3},
    {"POSIX_FADV_DONTNEED", 4, 0x4},
    {"POSIX_FADV_NOREUSE", 5, 0x5},
};
inline constexpr set_item items_of_madvise[] = {
    {"MADV_NORMAL", 0, 0x0},
    {"MADV_RANDOM", 1, 0x1},
    {"MADV_SEQUENTIAL", 2, 0x2},
    {"MADV_WILLNEED", 3, 0x3},
    {"MADV_DONTNEED", 4, 0x4},
    {"MADV_FREE", 8, 0x8},
    {"MADV_REMOVE", 9, 0x9},
    {"MADV_DONTFORK", 10, 0xa},
    {"MADV_DOFORK", 11, 0xb},
    {"MADV_MERGEABLE", 12, 0xc},
    {"MADV_UNMERGEABLE", 13, 0xd},
    {"MADV_HUGEPAGE", 14, 0xe},
    {"MADV_NOHUGEPAGE", 15, 0xf},
    {"MADV_DONTDUMP", 16, 0x10},
    {"MADV_DODUMP", 17, 0x11},
    {"MADV_WIPEONFORK", 18, 0x12},
    {"MADV_KEEPONFORK", 19, 0x13},
    {"MADV_COLD", 20, 0x14},
    {"MADV_PAGEOUT", 21, 0x15},
    {"MADV_POPULATE_READ", 22, 0x16},
    {"MADV_POPULATE_WRITE", 23, 0x17},
    {"MADV_DONTNEED_LOCKED", 24, 0x18},
    {"MADV_COLLAPSE", 25, 0x19},
    {"MADV_HWPOISON", 100, 0x64},
    {"MADV_SOFT_OFFLINE", 101, 0x65},
    {"MADV_GUARD_INSTALL", 102, 0x66},
    {"MADV_GUARD_REMOVE", 103, 0x67},
};
inline constexpr set_item items_of_socket_family[] = {
    {"AF_UNSPEC", 0, 0x0},
    {"AF_UNIX", 1, 0x1},
    {"AF_INET", 2, 0x2},
    {"AF_AX25", 3, 0x3},
    {"AF_IPX", 4, 0x4},
    {"AF_APPLETALK", 5, 0x5},
    {"AF_NETROM", 6, 0x6},
    {"AF_BRIDGE", 7, 0x7},
    {"AF_ATMPVC", 8, 0x8},
    {"AF_X25", 9, 0x9},
    {"AF_INET6", 10, 0xa},
    {"AF_ROSE", 11, 0xb},
    {"AF_DECnet", 12, 0xc},
    {"AF_NETBEUI", 13, 0xd},
    {"AF_SECURITY", 14, 0xe},
    {"AF_KEY", 15, 0xf},
    {"AF_NETLINK", 16, 0x10},
    {"AF_PACKET", 17, 0x11},
    {"AF_ASH", 18, 0x12},
    {"AF_ECONET", 19, 0x13},
    {"AF_ATMSVC", 20, 0x14},
    {"AF_RDS", 21, 0x15},
    {"AF_SNA", 22, 0x16},
    {"AF_IRDA", 23, 0x17},
    {"AF_PPPOX", 24, 0x18},
    {"AF_WANPIPE", 25, 0x19},
    {"AF_LLC", 26, 0x1a},
    {"AF_IB", 27, 0x1b},
    {"AF_MPLS", 28, 0x1c},
    {"AF_CAN", 29, 0x1d},
    {"AF_TIPC", 30, 0x1e},
    {"AF_BLUETOOTH", 31, 0x1f},
    {"AF_IUCV", 32, 0x20},
    {"AF_RXRPC", 33, 0x21},
    {"AF_ISDN", 34, 0x22},
    {"AF_PHONET", 35, 0x23},
    {"AF_IEEE802154", 36, 0x24},
    {"AF_CAIF", 37, 0x25},
    {"AF_ALG", 38, 0x26},
    {"AF_NFC", 39, 0x27},
    {"AF_VSOCK", 40, 0x28},
    {"AF_KCM", 41, 0x29},
    {"AF_QIPCRTR", 42, 0x2a},
    {"AF_SMC", 43, 0x2b},
    {"AF_XDP", 44, 0x2c},
    {"AF_MCTP", 45, 0x2d},
};
inline constexpr set_item items_of_inet_protocol[] = {
    {"IPPROTO_IP", 0, 0x0},
    {"IPPROTO_ICMP", 1, 0x1},
    {"IPPROTO_IGMP", 2, 0x2},
    {"IPPROTO_IPIP", 4, 0x4},
    {"IPPROTO_TCP", 6, 0x6},
    {"IPPROTO_EGP", 8, 0x8},
    {"IPPROTO_PUP", 12, 0xc},
    {"IPPROTO_UDP", 17, 0x11},
    {"IPPROTO_IDP", 22, 0x16},
    {"IPPROTO_TP", 29, 0x1d},
    {"IPPROTO_DCCP", 33, 0x21},
    {"IPPROTO_IPV6", 41, 0x29},
    {"IPPROTO_RSVP", 46, 0x2e},
    {"IPPROTO_GRE", 47, 0x2f},
    {"IPPROTO_ESP", 50, 0x32},
    {"IPPROTO_AH", 51, 0x33},
    {"IPPROTO_ICMPV6", 58, 0x3a},
    {"IPPROTO_MTP", 92, 0x5c},
    {"IPPROTO_BEETPH", 94, 0x5e},
    {"IPPROTO_ENCAP", 98, 0x62},
    {"IPPROTO_PIM", 103, 0x67},
    {"IPPROTO_COMP", 108, 0x6c},
    {"IPPROTO_SCTP", 132, 0x84},
    {"IPPROTO_UDPLITE", 136, 0x88},
    {"IPPROTO_MPLS", 137, 0x89},
    {"IPPROTO_ETHERNET", 143, 0x8f},
    {"IPPROTO_RAW", 255, 0xff},
    {"IPPROTO_MPTCP", 262, 0x106},
};
inline constexpr set_item items_of_netlink_protocol[] = {
    {"NETLINK_ROUTE", 0, 0x0},
    {"NETLINK_UNUSED", 1, 0x1},
    {"NETLINK_USERSOCK", 2, 0x2},
    {"NETLINK_FIREWALL", 3, 0x3},
    {"NETLINK_SOCK_DIAG", 4, 0x4},
    {"NETLINK_NFLOG", 5, 0x5},
    {"NETLINK_XFRM", 6, 0x6},
    {"NETLINK_SELINUX", 7, 0x7},
    {"NETLINK_ISCSI", 8, 0x8},
    {"NETLINK_AUDIT", 9, 0x9},
    {"NETLINK_FIB_LOOKUP", 10, 0xa},
    {"NETLINK_CONNECTOR", 11, 0xb},
    {"NETLINK_NETFILTER", 12, 0xc},
    {"NETLINK_IP6_FW", 13, 0xd},
    {"NETLINK_DNRTMSG", 14, 0xe},
    {"NETLINK_KOBJECT_UEVENT", 15, 0xf},
    {"NETLINK_GENERIC", 16, 0x10},
    {"NETLINK_SCSITRANSPORT", 18, 0x12},
    {"NETLINK_ECRYPTFS", 19, 0x13},
    {"NETLINK_RDMA", 20, 0x14},
    {"NETLINK_CRYPTO", 21, 0x15},
    {"NETLINK_SMC", 22, 0x16},
};
inline constexpr set_item items_of_shutdown[] = {{"SHUT_RD", 0, 0x0}, {"SHUT_WR", 1, 0x1}, {"SHUT_RDWR", 2, 0x2}};
inline constexpr set_item items_of_socket_level[] = {
    {"SOL_IP", 0, 0x0},
    {"SOL_SOCKET", 1, 0x1},
    {"SOL_TCP", 6, 0x6},
    {"SOL_UDP", 17, 0x11},
    {"SOL_IPV6", 41, 0x29},
    {"SOL_ICMPV6", 58, 0x3a},
    {"SOL_SCTP", 132, 0x84},
    {"SOL_UDPLITE", 136, 0x88},
    {"SOL_RAW", 255, 0xff},
    {"SOL_IPX", 256, 0x100},
    {"SOL_AX25", 257, 0x101},
    {"SOL_ATALK", 258, 0x102},
    {"SOL_NETROM", 259, 0x103},
    {"SOL_ROSE", 260, 0x104},
    {"SOL_DECNET", 261, 0x105},
    {"SOL_X25", 262, 0x106},
    {"SOL_PACKET", 263, 0x107},
    {"SOL_ATM", 264, 0x108},
    {"SOL_AAL", 265, 0x109},
    {"SOL_IRDA", 266, 0x10a},
    {"SOL_NETBEUI", 267, 0x10b},
    {"SOL_LLC", 268, 0x10c},
    {"SOL_DCCP", 269, 0x10d},
    {"SOL_NETLINK", 270, 0x10e},
    {"SOL_TIPC", 271, 0x10f},
    {"SOL_RXRPC", 272, 0x110},
    {"SOL_PPPOL2TP", 273, 0x111},
    {"SOL_BLUETOOTH", 274, 0x112},
    {"SOL_PNPIPE", 275, 0x113},
    {"SOL_RDS", 276, 0x114},
    {"SOL_IUCV", 277, 0x115},
    {"SOL_CAIF", 278, 0x116},
    {"SOL_ALG", 279, 0x117},
    {"SOL_NFC", 280, 0x118},
    {"SOL_KCM", 281, 0x119},
    {"SOL_TLS", 282, 0x11a},
    {"SOL_XDP", 283, 0x11b},
};
inline constexpr set_item items_of_socket_option[] = {
    {"SO_DEBUG", 1, 0x1},
    {"SO_REUSEADDR", 2, 0x2},
    {"SO_TYPE", 3, 0x3},
    {"SO_ERROR", 4, 0x4},
    {"SO_DONTROUTE", 5, 0x5},
    {"SO_BROADCAST", 6, 0x6},
    {"SO_SNDBUF", 7, 0x7},
    {"SO_RCVBUF", 8, 0x8},
    {"SO_KEEPALIVE", 9, 0x9},
    {"SO_OOBINLINE", 10, 0xa},
    {"SO_NO_CHECK", 11, 0xb},
    {"SO_PRIORITY", 12, 0xc},
    {"SO_LINGER", 13, 0xd},
    {"SO_BSDCOMPAT", 14, 0xe},
    {"SO_REUSEPORT", 15, 0xf},
    {"SO_PASSCRED", 16, 0x10},
    {"SO_PEERCRED", 17, 0x11},
    {"SO_RCVLOWAT", 18, 0x12},
    {"SO_SNDLOWAT", 19, 0x13},
    {"SO_RCVTIMEO_OLD", 20, 0x14},
    {"SO_SNDTIMEO_OLD", 21, 0x15},
    {"SO_SECURITY_AUTHENTICATION", 22, 0x16},
    {"SO_SECURITY_ENCRYPTION_TRANSPORT", 23, 0x17},
    {"SO_SECURITY_ENCRYPTION_NETWORK", 24, 0x18},
    {"SO_BINDTODEVICE", 25, 0x19},
    {"SO_ATTACH_FILTER", 26, 0x1a},
    {"SO_DETACH_FILTER", 27, 0x1b},
    {"SO_PEERNAME", 28, 0x1c},
    {"SO_TIMESTAMP_OLD", 29, 0x1d},
    {"SO_ACCEPTCONN", 30, 0x1e},
    {"SO_PEERSEC", 31, 0x1f},
    {"SO_SNDBUFFORCE", 32, 0x20},
    {"SO_RCVBUFFORCE", 33, 0x21},
    {"SO_PASSSEC", 34, 0x22},
    {"SO_TIMESTAMPNS_OLD", 35, 0x23},
    {"SO_MARK", 36, 0x24},
    {"SO_TIMESTAMPING_OLD", 37, 0x25},
    {"SO_PROTOCOL", 38, 0x26},
    {"SO_DOMAIN", 39, 0x27},
    {"SO_RXQ_OVFL", 40, 0x28},
    {"SO_WIFI_STATUS", 41, 0x29},
    {"SO_PEEK_OFF", 42, 0x2a},
    {"SO_NOFCS", 43, 0x2b},
    {"SO_LOCK_FILTER", 44, 0x2c},
    {"SO_SELECT_ERR_QUEUE", 45, 0x2d},
    {"SO_BUSY_POLL", 46, 0x2e},
    {"SO_MAX_PACING_RATE", 47, 0x2f},
    {"SO_BPF_EXTENSIONS", 48, 0x30},
    {"SO_INCOMING_CPU", 49, 0x31},
    {"SO_ATTACH_BPF", 50, 0x32},
    {"SO_ATTACH_REUSEPORT_CBPF", 51, 0x33},
    {"SO_ATTACH_REUSEPORT_EBPF", 52, 0x34},
    {"SO_CNX_ADVICE", 53, 0x35},
    {"SO_MEMINFO", 55, 0x37},
    {"SO_INCOMING_NAPI_ID", 56, 0x38},
    {"SO_COOKIE", 57, 0x39},
    {"SO_PEERGROUPS", 59, 0x3b},
    {"SO_ZEROCOPY", 60, 0x3c},
    {"SO_TXTIME", 61, 0x3d},
    {"SO_BINDTOIFINDEX", 62, 0x3e},
    {"SO_TIMESTAMP_NEW", 63, 0x3f},
    {"SO_TIMESTAMPNS_NEW", 64, 0x40},
    {"SO_TIMESTAMPING_NEW", 65, 0x41},
    {"SO_RCVTIMEO_NEW", 66, 0x42},
    {"SO_SNDTIMEO_NEW", 67, 0x43},
    {"SO_DETACH_REUSEPORT_BPF", 68, 0x44},
    {"SO_PREFER_BUSY_POLL", 69, 0x45},
    {"SO_BUSY_POLL_BUDGET", 70, 0x46},
    {"SO_NETNS_COOKIE", 71, 0x47},
    {"SO_BUF_LOCK", 72, 0x48},
    {"SO_RESERVE_MEM", 73, 0x49},
    {"SO_TXREHASH", 74, 0x4a},
    {"SO_RCVMARK", 75, 0x4b},
};
inline constexpr set_item items_of_ip_option[] = {
    {"IP_TOS", 1, 0x1},
    {"IP_TTL", 2, 0x2},
    {"IP_HDRINCL", 3, 0x3},
    {"IP_OPTIONS", 4, 0x4},
    {"IP_ROUTER_ALERT", 5, 0x5},
    {"IP_RECVOPTS", 6, 0x6},
    {"IP_RETOPTS", 7, 0x7},
    {"IP_PKTINFO", 8, 0x8},
    {"IP_PKTOPTIONS", 9, 0x9},
    {"IP_MTU_DISCOVER", 10, 0xa},
    {"IP_RECVERR", 11, 0xb},
    {"IP_RECVTTL", 12, 0xc},
    {"IP_RECVTOS", 13, 0xd},
    {"IP_MTU", 14, 0xe},
    {"IP_FREEBIND", 15, 0xf},
    {"IP_IPSEC_POLICY", 16, 0x10},
    {"IP_XFRM_POLICY", 17, 0x11},
    {"IP_PASSSEC", 18, 0x12},
    {"IP_TRANSPARENT", 19, 0x13},
    {"IP_ORIGDSTADDR", 20, 0x14},
    {"IP_MINTTL", 21, 0x15},
    {"IP_NODEFRAG", 22, 0x16},
    {"IP_CHECKSUM", 23, 0x17},
    {"IP_BIND_ADDRESS_NO_PORT", 24, 0x18},
    {"IP_RECVFRAGSIZE", 25, 0x19},
    {"IP_RECVERR_RFC4884", 26, 0x1a},
    {"IP_MULTICAST_IF", 32, 0x20},
    {"IP_MULTICAST_TTL", 33, 0x21},
    {"IP_MULTICAST_LOOP", 34, 0x22},
    {"IP_ADD_MEMBERSHIP", 35, 0x23},
    {"IP_DROP_MEMBERSHIP", 36, 0x24},
    {"IP_UNBLOCK_SOURCE", 37, 0x25},
    {"IP_BLOCK_SOURCE", 38, 0x26},
    {"IP_ADD_SOURCE_MEMBERSHIP", 39, 0x27},
    {"IP_DROP_SOURCE_MEMBERSHIP", 40, 0x28},
    {"IP_MSFILTER", 41, 0x29},
    {"MCAST_JOIN_GROUP", 42, 0x2a},
    {"MCAST_BLOCK_SOURCE", 43, 0x2b},
    {"MCAST_UNBLOCK_SOURCE", 44, 0x2c},
    {"MCAST_LEAVE_GROUP", 45, 0x2d},
    {"MCAST_JOIN_SOURCE_GROUP", 46, 0x2e},
    {"MCAST_LEAVE_SOURCE_GROUP", 47, 0x2f},
    {"MCAST_MSFILTER", 48, 0x30},
    {"IP_MULTICAST_ALL", 49, 0x31},
    {"IP_UNICAST_IF", 50, 0x32},
};
inline constexpr set_item items_of_ipv6_option[] = {
    {"IPV6_ADDRFORM", 1, 0x1},
    {"IPV6_FLOWINFO", 11, 0xb},
    {"IPV6_MULTICAST_ALL", 29, 0x1d},
    {"IPV6_ROUTER_ALERT_ISOLATE", 30, 0x1e},
    {"IPV6_RECVERR_RFC4884", 31, 0x1f},
    {"IPV6_FLOWLABEL_MGR", 32, 0x20},
    {"IPV6_FLOWINFO_SEND", 33, 0x21},
    {"IPV6_IPSEC_POLICY", 34, 0x22},
    {"IPV6_XFRM_POLICY", 35, 0x23},
    {"IPV6_HDRINCL", 36, 0x24},
    {"IPV6_2292PKTINFO", 2, 0x2},
    {"IPV6_2292HOPOPTS", 3, 0x3},
    {"IPV6_2292DSTOPTS", 4, 0x4},
    {"IPV6_2292RTHDR", 5, 0x5},
    {"IPV6_2292PKTOPTIONS", 6, 0x6},
    {"IPV6_CHECKSUM", 7, 0x7},
    {"IPV6_2292HOPLIMIT", 8, 0x8},
    {"IPV6_NEXTHOP", 9, 0x9},
    {"IPV6_AUTHHDR", 10, 0xa},
    {"IPV6_UNICAST_HOPS", 16, 0x10},
    {"IPV6_MULTICAST_IF", 17, 0x11},
    {"IPV6_MULTICAST_HOPS", 18, 0x12},
    {"IPV6_MULTICAST_LOOP", 19, 0x13},
    {"IPV6_ADD_MEMBERSHIP", 20, 0x14},
    {"IPV6_DROP_MEMBERSHIP", 21, 0x15},
    {"IPV6_ROUTER_ALERT", 22, 0x16},
    {"IPV6_MTU_DISCOVER", 23, 0x17},
    {"IPV6_MTU", 24, 0x18},
    {"IPV6_RECVERR", 25, 0x19},
    {"IPV6_V6ONLY", 26, 0x1a},
    {"IPV6_JOIN_ANYCAST", 27, 0x1b},
    {"IPV6_LEAVE_ANYCAST", 28, 0x1c},
    {"IPV6_RECVPKTINFO", 49, 0x31},
    {"IPV6_PKTINFO", 50, 0x32},
    {"IPV6_RECVHOPLIMIT", 51, 0x33},
    {"IPV6_HOPLIMIT", 52, 0x34},
    {"IPV6_RECVTCLASS", 66, 0x42},
    {"IPV6_TCLASS", 67, 0x43},
    {"IPV6_AUTOFLOWLABEL", 70, 0x46},
    {"IPV6_ADDR_PREFERENCES", 72, 0x48},
    {"IPV6_MINHOPCOUNT", 73, 0x49},
    {"IPV6_ORIGDSTADDR", 74, 0x4a},
    {"IPV6_TRANSPARENT", 75, 0x4b},
    {"IPV6_UNICAST_IF", 76, 0x4c},
    {"IPV6_RECVFRAGSIZE", 77, 0x4d},
    {"IPV6_FREEBIND", 78, 0x4e},
};
inline constexpr set_item items_of_tcp_option[] = {
    {"TCP_NODELAY", 1, 0x1},
    {"TCP_MAXSEG", 2, 0x2},
    {"TCP_CORK", 3, 0x3},
    {"TCP_KEEPIDLE", 4, 0x4},
    {"TCP_KEEPINTVL", 5, 0x5},
    {"TCP_KEEPCNT", 6, 0x6},
    {"TCP_SYNCNT", 7, 0x7},
    {"TCP_LINGER2", 8, 0x8},
    {"TCP_DEFER_ACCEPT", 9, 0x9},
    {"TCP_WINDOW_CLAMP", 10, 0xa},
    {"TCP_INFO", 11, 0xb},
    {"TCP_QUICKACK", 12, 0xc},
    {"TCP_CONGESTION", 13, 0xd},
    {"TCP_MD5SIG", 14, 0xe},
    {"TCP_COOKIE_TRANSACTIONS", 15, 0xf},
    {"TCP_THIN_LINEAR_TIMEOUTS", 16, 0x10},
    {"TCP_THIN_DUPACK", 17, 0x11},
    {"TCP_USER_TIMEOUT", 18, 0x12},
    {"TCP_REPAIR", 19, 0x13},
    {"TCP_REPAIR_QUEUE", 20, 0x14},
    {"TCP_QUEUE_SEQ", 21, 0x15},
    {"TCP_REPAIR_OPTIONS", 22, 0x16},
    {"TCP_FASTOPEN", 23, 0x17},
    {"TCP_TIMESTAMP", 24, 0x18},
    {"TCP_NOTSENT_LOWAT", 25, 0x19},
    {"TCP_CC_INFO", 26, 0x1a},
    {"TCP_SAVE_SYN", 27, 0x1b},
    {"TCP_SAVED_SYN", 28, 0x1c},
    {"TCP_REPAIR_WINDOW", 29, 0x1d},
    {"TCP_FASTOPEN_CONNECT", 30, 0x1e},
    {"TCP_ULP", 31, 0x1f},
    {"TCP_MD5SIG_EXT", 32, 0x20},
    {"TCP_FASTOPEN_KEY", 33, 0x21},
    {"TCP_FASTOPEN_NO_COOKIE", 34, 0x22},
    {"TCP_ZEROCOPY_RECEIVE", 35, 0x23},
    {"TCP_INQ", 36, 0x24},
    {"TCP_TX_DELAY", 37, 0x25},
};
inline constexpr set_item items_of_udp_option[] = {
    {"UDP_CORK", 1, 0x1},
    {"UDP_ENCAP", 100, 0x64},
    {"UDP_NO_CHECK6_TX", 101, 0x65},
    {"UDP_NO_CHECK6_RX", 102, 0x66},
    {"UDP_SEGMENT", 103, 0x67},
    {"UDP_GRO", 104, 0x68},
};
inline constexpr set_item items_of_netlink_option[] = {
    {"NETLINK_ADD_MEMBERSHIP", 1, 0x1},
    {"NETLINK_DROP_MEMBERSHIP", 2, 0x2},
    {"NETLINK_PKTINFO", 3, 0x3},
    {"NETLINK_BROADCAST_ERROR", 4, 0x4},
    {"NETLINK_NO_ENOBUFS", 5, 0x5},
    {"NETLINK_RX_RING", 6, 0x6},
    {"NETLINK_TX_RING", 7, 0x7},
    {"NETLINK_LISTEN_ALL_NSID", 8, 0x8},
    {"NETLINK_LIST_MEMBERSHIPS", 9, 0x9},
    {"NETLINK_CAP_ACK", 10, 0xa},
    {"NETLINK_EXT_ACK", 11, 0xb},
    {"NETLINK_GET_STRICT_CHK", 12, 0xc},
};
inline constexpr set_item items_of_control_message[] = {
    {"SCM_RIGHTS", 1, 0x1},
    {"SCM_CREDENTIALS", 2, 0x2},
    {"SCM_SECURITY", 3, 0x3},
    {"SO_TIMESTAMP_OLD", 29, 0x1d},
    {"SO_TIMESTAMPNS_OLD", 35, 0x23},
};
inline constexpr set_item items_of_epoll_operation[] = {
    {"EPOLL_CTL_ADD", 1, 0x1},
    {"EPOLL_CTL_DEL", 2, 0x2},
    {"EPOLL_CTL_MOD", 3, 0x3},
};
inline constexpr set_item items_of_clock[] = {
    {"CLOCK_REALTIME", 0, 0x0},
    {"CLOCK_MONOTONIC", 1, 0x1},
    {"CLOCK_PROCESS_CPUTIME_ID", 2, 0x2},
    {"CLOCK_THREAD_CPUTIME_ID", 3, 0x3},
    {"CLOCK_MONOTONIC_RAW", 4, 0x4},
    {"CLOCK_REALTIME_COARSE", 5, 0x5},
    {"CLOCK_MONOTONIC_COARSE", 6, 0x6},
    {"CLOCK_BOOTTIME", 7, 0x7},
    {"CLOCK_REALTIME_ALARM", 8, 0x8},
    {"CLOCK_BOOTTIME_ALARM", 9, 0x9},
    {"CLOCK_SGI_CYCLE", 10, 0xa},
    {"CLOCK_TAI", 11, 0xb},
};
inline constexpr set_item items_of_interval_timer[] = {
    {"ITIMER_REAL", 0, 0x0},
    {"ITIMER_VIRTUAL", 1, 0x1},
    {"ITIMER_PROF", 2, 0x2},
};
inline constexpr set_item items_of_timex_state[] = {
    {"TIME_OK", 0, 0x0},
    {"TIME_INS", 1, 0x1},
    {"TIME_DEL", 2, 0x2},
    {"TIME_OOP", 3, 0x3},
    {"TIME_WAIT", 4, 0x4},
    {"TIME_ERROR", 5, 0x5},
};
inline constexpr set_item items_of_signal[] = {
    {"SIGHUP", 1, 0x1},
    {"SIGINT", 2, 0x2},
    {"SIGQUIT", 3, 0x3},
    {"SIGILL", 4, 0x4},
    {"SIGTRAP", 5, 0x5},
    {"SIGABRT", 6, 0x6},
    {"SIGBUS", 7, 0x7},
    {"SIGFPE", 8, 0x8},
    {"SIGKILL", 9, 0x9},
    {"SIGUSR1", 10, 0xa},
    {"SIGSEGV", 11, 0xb},
    {"SIGUSR2", 12, 0xc},
    {"SIGPIPE", 13, 0xd},
    {"SIGALRM", 14, 0xe},
    {"SIGTERM", 15, 0xf},
    {"SIGSTKFLT", 16, 0x10},
    {"SIGCHLD", 17, 0x11},
    {"SIGCONT", 18, 0x12},
    {"SIGSTOP", 19, 0x13},
    {"SIGTSTP", 20, 0x14},
    {"SIGTTIN", 21, 0x15},
    {"SIGTTOU", 22, 0x16},
    {"SIGURG", 23, 0x17},
    {"SIGXCPU", 24, 0x18},
    {"SIGXFSZ", 25, 0x19},
    {"SIGVTALRM", 26, 0x1a},
    {"SIGPROF", 27, 0x1b},
    {"SIGWINCH", 28, 0x1c},
    {"SIGIO", 29, 0x1d},
    {"SIGPWR", 30, 0x1e},
    {"SIGSYS", 31, 0x1f},
    {"SIGRTMIN", 32, 0x20},
    {"SIGRT_1", 33, 0x21},
    {"SIGRT_2", 34, 0x22},
    {"SIGRT_3", 35, 0x23},
    {"SIGRT_4", 36, 0x24},
    {"SIGRT_5", 37, 0x25},
    {"SIGRT_6", 38, 0x26},
    {"SIGRT_7", 39, 0x27},
    {"SIGRT_8", 40, 0x28},
    {"SIGRT_9", 41, 0x29},
    {"SIGRT_10", 42, 0x2a},
    {"SIGRT_11", 43, 0x2b},
    {"SIGRT_12", 44, 0x2c},
    {"SIGRT_13", 45, 0x2d},
    {"SIGRT_14", 46, 0x2e},
    {"SIGRT_15", 47, 0x2f},
    {"SIGRT_16", 48, 0x30},
    {"SIGRT_17", 49, 0x31},
    {"SIGRT_18", 50, 0x32},
    {"SIGRT_19", 51, 0x33},
    {"SIGRT_20", 52, 0x34},
    {"SIGRT_21", 53, 0x35},
    {"SIGRT_22", 54, 0x36},
    {"SIGRT_23", 55, 0x37},
    {"SIGRT_24", 56, 0x38},
    {"SIGRT_25", 57, 0x39},
    {"SIGRT_26", 58, 0x3a},
    {"SIGRT_27", 59, 0x3b},
    {"SIGRT_28", 60, 0x3c},
    {"SIGRT_29", 61, 0x3d},
    {"SIGRT_30", 62, 0x3e},
    {"SIGRT_31", 63, 0x3f},
    {"SIGRT_32", 64, 0x40},
};
inline constexpr set_item items_of_signal_code[] = {
    {"SI_USER", 0, 0x0},
    {"SI_KERNEL", 128, 0x80},
    {"SI_QUEUE", -1, 0xffffffffffffffff},
    {"SI_TIMER", -2, 0xfffffffffffffffe},
    {"SI_MESGQ", -3, 0xfffffffffffffffd},
    {"SI_ASYNCIO", -4, 0xfffffffffffffffc},
    {"SI_SIGIO", -5, 0xfffffffffffffffb},
    {"SI_TKILL", -6, 0xfffffffffffffffa},
    {"SI_DETHREAD", -7, 0xfffffffffffffff9},
    {"SI_ASYNCNL", -60, 0xffffffffffffffc4},
};
inline constexpr set_item items_of_child_code[] = {
    {"CLD_EXITED", 1, 0x1},
    {"CLD_KILLED", 2, 0x2},
    {"CLD_DUMPED", 3, 0x3},
    {"CLD_TRAPPED", 4, 0x4},
    {"CLD_STOPPED", 5, 0x5},
    {"CLD_CONTINUED", 6, 0x6},
};
inline constexpr set_item items_of_resource[] = {
    {"RLIMIT_CPU", 0, 0x0},
    {"RLIMIT_FSIZE", 1, 0x1},
    {"RLIMIT_DATA", 2, 0x2},
    {"RLIMIT_STACK", 3, 0x3},
    {"RLIMIT_CORE", 4, 0x4},
    {"RLIMIT_RSS", 5, 0x5},
    {"RLIMIT_NPROC", 6, 0x6},
    {"RLIMIT_NOFILE", 7, 0x7},
    {"RLIMIT_MEMLOCK", 8, 0x8},
    {"RLIMIT_AS", 9, 0x9},
    {"RLIMIT_LOCKS", 10, 0xa},
    {"RLIMIT_SIGPENDING", 11, 0xb},
    {"RLIMIT_MSGQUEUE", 12, 0xc},
    {"RLIMIT_NICE", 13, 0xd},
    {"RLIMIT_RTPRIO", 14, 0xe},
    {"RLIMIT_RTTIME", 15, 0xf},
};
inline constexpr set_item items_of_usage_who[] = {
    {"RUSAGE_SELF", 0, 0x0},
    {"RUSAGE_CHILDREN", -1, 0xffffffffffffffff},
    {"RUSAGE_BOTH", -2, 0xfffffffffffffffe},
    {"RUSAGE_THREAD", 1, 0x1},
};
inline constexpr set_item items_of_priority_which[] = {
    {"PRIO_PROCESS", 0, 0x0},
    {"PRIO_PGRP", 1, 0x1},
    {"PRIO_USER", 2, 0x2},
};
inline constexpr set_item items_of_wait_which[] = {
    {"P_ALL", 0, 0x0},
    {"P_PID", 1, 0x1},
    {"P_PGID", 2, 0x2},
    {"P_PIDFD", 3, 0x3},
};
inline constexpr set_item items_of_membarrier[] = {
    {"MEMBARRIER_CMD_QUERY", 0, 0x0},
    {"MEMBARRIER_CMD_GLOBAL", 1, 0x1},
    {"MEMBARRIER_CMD_GLOBAL_EXPEDITED", 2, 0x2},
    {"MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED", 4, 0x4},
    {"MEMBARRIER_CMD_PRIVATE_EXPEDITED", 8, 0x8},
    {"MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED", 16, 0x10},
    {"MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE", 32, 0x20},
    {"MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE", 64, 0x40},
    {"MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ", 128, 0x80},
    {"MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ", 256, 0x100},
    {"MEMBARRIER_CMD_GET_REGISTRATIONS", 512, 0x200},
};
inline constexpr set_item items_of_perf_type[] = {
    {"PERF_TYPE_HARDWARE", 0, 0x0},
    {"PERF_TYPE_SOFTWARE", 1, 0x1},
    {"PERF_TYPE_TRACEPOINT", 2, 0x2},
    {"PERF_TYPE_HW_CACHE", 3, 0x3},
    {"PERF_TYPE_RAW", 4, 0x4},
    {"PERF_TYPE_BREAKPOINT", 5, 0x5},
};
inline constexpr set_item items_of_ioprio_which[] = {
    {"IOPRIO_WHO_PROCESS", 1, 0x1},
    {"IOPRIO_WHO_PGRP", 2, 0x2},
    {"IOPRIO_WHO_USER", 3, 0x3},
};
inline constexpr set_item items_of_syslog[] = {
    {"SYSLOG_ACTION_CLOSE", 0, 0x0},
    {"SYSLOG_ACTION_OPEN", 1, 0x1},
    {"SYSLOG_ACTION_READ", 2, 0x2},
    {"SYSLOG_ACTION_READ_ALL", 3, 0x3},
    {"SYSLOG_ACTION_READ_CLEAR", 4, 0x4},
    {"SYSLOG_ACTION_CLEAR", 5, 0x5},
    {"SYSLOG_ACTION_CONSOLE_OFF", 6, 0x6},
    {"SYSLOG_ACTION_CONSOLE_ON", 7, 0x7},
    {"SYSLOG_ACTION_CONSOLE_LEVEL", 8, 0x8},
    {"SYSLOG_ACTION_SIZE_UNREAD", 9, 0x9},
    {"SYSLOG_ACTION_SIZE_BUFFER", 10, 0xa},
};
inline constexpr set_item items_of_reboot_magic[] = {{"LINUX_REBOOT_MAGIC1", 4276215469, 0xfee1dead}};
inline constexpr set_item items_of_reboot_magic2[] = {
    {"LINUX_REBOOT_MAGIC2", 672274793, 0x28121969},
    {"LINUX_REBOOT_MAGIC2A", 85072278, 0x5121996},
    {"LINUX_REBOOT_MAGIC2B", 369367448, 0x16041998},
    {"LINUX_REBOOT_MAGIC2C", 537993216, 0x20112000},
};
inline constexpr set_item items_of_reboot[] = {
    {"LINUX_REBOOT_CMD_RESTART", 19088743, 0x1234567},
    {"LINUX_REBOOT_CMD_HALT", 3454992675, 0xcdef0123},
    {"LINUX_REBOOT_CMD_CAD_ON", 2309737967, 0x89abcdef},
    {"LINUX_REBOOT_CMD_CAD_OFF", 0, 0x0},
    {"LINUX_REBOOT_CMD_POWER_OFF", 1126301404, 0x4321fedc},
    {"LINUX_REBOOT_CMD_RESTART2", 2712847316, 0xa1b2c3d4},
    {"LINUX_REBOOT_CMD_SW_SUSPEND", 3489725666, 0xd000fce2},
    {"LINUX_REBOOT_CMD_KEXEC", 1163412803, 0x45584543},
};
inline constexpr set_item items_of_quota_format[] = {
    {"QFMT_VFS_OLD", 1, 0x1},
    {"QFMT_VFS_V0", 2, 0x2},
    {"QFMT_VFS_V1", 4, 0x4},
    {"QFMT_OCFS2", 3, 0x3},
    {"QFMT_SHMEM", 5, 0x5},
};
inline constexpr set_item items_of_file_system[] = {
    {"TMPFS_MAGIC", 16914836, 0x1021994},
    {"PROC_SUPER_MAGIC", 40864, 0x9fa0},
    {"SYSFS_MAGIC", 1650812274, 0x62656572},
    {"EXT2_SUPER_MAGIC", 61267, 0xef53},
    {"BTRFS_SUPER_MAGIC", 2435016766, 0x9123683e},
    {"XFS_SUPER_MAGIC", 1481003842, 0x58465342},
    {"OVERLAYFS_SUPER_MAGIC", 2035054128, 0x794c7630},
    {"NFS_SUPER_MAGIC", 26985, 0x6969},
    {"RAMFS_MAGIC", 2240043254, 0x858458f6},
    {"DEVPTS_SUPER_MAGIC", 7377, 0x1cd1},
    {"SQUASHFS_MAGIC", 1936814952, 0x73717368},
    {"F2FS_SUPER_MAGIC", 4076150800, 0xf2f52010},
    {"FUSE_SUPER_MAGIC", 1702057286, 0x65735546},
    {"V9FS_MAGIC", 16914839, 0x1021997},
    {"CGROUP2_SUPER_MAGIC", 1667723888, 0x63677270},
    {"CGROUP_SUPER_MAGIC", 2613483, 0x27e0eb},
    {"PIPEFS_MAGIC", 1346981957, 0x50495045},
    {"SOCKFS_MAGIC", 1397703499, 0x534f434b},
    {"ANON_INODE_FS_MAGIC", 151263540, 0x9041934},
    {"HUGETLBFS_MAGIC", 2508478710, 0x958458f6},
    {"DEBUGFS_MAGIC", 1684170528, 0x64626720},
    {"TRACEFS_MAGIC", 1953653091, 0x74726163},
    {"SECURITYFS_MAGIC", 1935894131, 0x73636673},
    {"BPF_FS_MAGIC", 3405662737, 0xcafe4a11},
    {"MSDOS_SUPER_MAGIC", 19780, 0x4d44},
    {"ISOFS_SUPER_MAGIC", 38496, 0x9660},
};
inline constexpr set_item items_of_capability_version[] = {
    {"_LINUX_CAPABILITY_VERSION_1", 429392688, 0x19980330},
    {"_LINUX_CAPABILITY_VERSION_2", 537333798, 0x20071026},
    {"_LINUX_CAPABILITY_VERSION_3", 537396514, 0x20080522},
};
inline constexpr set_item items_of_keyring[] = {
    {"KEY_SPEC_THREAD_KEYRING", -1, 0xffffffffffffffff},
    {"KEY_SPEC_PROCESS_KEYRING", -2, 0xfffffffffffffffe},
    {"KEY_SPEC_SESSION_KEYRING", -3, 0xfffffffffffffffd},
    {"KEY_SPEC_USER_KEYRING", -4, 0xfffffffffffffffc},
    {"KEY_SPEC_USER_SESSION_KEYRING", -5, 0xfffffffffffffffb},
    {"KEY_SPEC_GROUP_KEYRING", -6, 0xfffffffffffffffa},
    {"KEY_SPEC_REQKEY_AUTH_KEY", -7, 0xfffffffffffffff9},
    {"KEY_SPEC_REQUESTOR_KEYRING", -8, 0xfffffffffffffff8},
};
inline constexpr set_item items_of_lock_type[] = {
    {"F_RDLCK", 0, 0x0},
    {"F_WRLCK", 1, 0x1},
    {"F_UNLCK", 2, 0x2},
    {"F_EXLCK", 4, 0x4},
    {"F_SHLCK", 8, 0x8},
};
inline constexpr set_item items_of_lease[] = {{"F_RDLCK", 0, 0x0}, {"F_WRLCK", 1, 0x1}, {"F_UNLCK", 2, 0x2}};
inline constexpr set_item items_of_owner_type[] = {
    {"F_OWNER_TID", 0, 0x0},
    {"F_OWNER_PID", 1, 0x1},
    {"F_OWNER_PGRP", 2, 0x2},
};
inline constexpr set_item items_of_write_hint[] = {
    {"RWH_WRITE_LIFE_NOT_SET", 0, 0x0},
    {"RWH_WRITE_LIFE_NONE", 1, 0x1},
    {"RWH_WRITE_LIFE_SHORT", 2, 0x2},
    {"RWH_WRITE_LIFE_MEDIUM", 3, 0x3},
    {"RWH_WRITE_LIFE_LONG", 4, 0x4},
    {"RWH_WRITE_LIFE_EXTREME", 5, 0x5},
};
inline constexpr set_item items_of_flow_action[] = {
    {"TCOOFF", 0, 0x0},
    {"TCOON", 1, 0x1},
    {"TCIOFF", 2, 0x2},
    {"TCION", 3, 0x3},
};
inline constexpr set_item items_of_flush_queue[] = {{"TCIFLUSH", 0, 0x0}, {"TCOFLUSH", 1, 0x1}, {"TCIOFLUSH", 2, 0x2}};
inline constexpr set_item items_of_scheduler[] = {
    {"SCHED_OTHER", 0, 0x0},
    {"SCHED_FIFO", 1, 0x1},
    {"SCHED_RR", 2, 0x2},
    {"SCHED_BATCH", 3, 0x3},
    {"SCHED_IDLE", 5, 0x5},
    {"SCHED_DEADLINE", 6, 0x6},
    {"SCHED_EXT", 7, 0x7},
};
inline constexpr set_item items_of_txrehash[] = {
    {"SOCK_TXREHASH_DISABLED", 0, 0x0},
    {"SOCK_TXREHASH_ENABLED", 1, 0x1},
    {"SOCK_TXREHASH_DEFAULT", 255, 0xff},
};
#if defined(__x86_64__)
inline constexpr constant_set sets[] = {
    {"O_???", items_of_open, 23, false, false},
    {"O_???", items_of_pipe, 4, false, false},
    {"O_???", items_of_dup3, 1, false, false},
    {"FD_???", items_of_fd_flags, 1, false, false},
    {"AT_???", items_of_unlink, 1, false, false},
    {"AT_???", items_of_at, 6, false, false},
    {"AT_???", items_of_at_statx, 9, false, false},
    {"AT_???", items_of_faccessat, 3, false, false},
    {"AT_???", items_of_handle, 3, false, false},
    {"?_OK", items_of_access, 4, false, false},
    {"RENAME_??", items_of_rename, 3, false, false},
    {"S_IF???", items_of_file_type, 10, false, true},
    {"STATX_???", items_of_statx_mask, 19, false, false},
    {"STATX_ATTR_???", items_of_statx_attributes, 9, false, false},
    {"FALLOC_FL_???", items_of_fallocate, 7, false, false},
    {"LOCK_???", items_of_file_lock, 7, false, false},
    {"SYNC_FILE_RANGE_???", items_of_sync_file_range, 3, false, false},
    {"SPLICE_F_???", items_of_splice, 4, false, false},
    {"MFD_???", items_of_memfd, 5, false, false},
    {nullptr, items_of_close_on_exec, 1, false, false},
    {"IN_???", items_of_inotify_init, 2, false, false},
    {"IN_???", items_of_inotify, 22, false, false},
    {"FAN_???", items_of_fanotify_init, 14, false, false},
    {"FAN_MARK_???", items_of_fanotify_mark, 11, false, false},
    {"FAN_???", items_of_fanotify_events, 21, false, false},
    {"RWF_???", items_of_rwf, 8, false, false},
    {"RESOLVE_???", items_of_resolve, 6, false, false},
    {"XATTR_???", items_of_xattr, 2, false, false},
    {"PROT_???", items_of_prot, 7, false, false},
    {"MAP_???", items_of_map, 19, false, false},
    {"MLOCK_???", items_of_mlock, 1, false, false},
    {"MCL_???", items_of_mlockall, 3, false, false},
    {"MS_???", items_of_msync, 3, false, false},
    {"MPOL_???", items_of_policy_mode, 10, false, false},
    {"MPOL_???", items_of_mbind, 3, false, false},
    {"MPOL_???", items_of_get_mempolicy, 3, false, false},
    {"SOCK_???", items_of_socket_type, 9, false, false},
    {"SOCK_???", items_of_accept, 2, false, false},
    {"MSG_???", items_of_message, 21, false, false},
    {"POLL???", items_of_poll, 13, false, false},
    {"EPOLL???", items_of_epoll, 16, false, false},
    {"EPOLL_???", items_of_epoll_create, 1, false, false},
    {"EFD_???", items_of_eventfd, 3, false, false},
    {"SFD_???", items_of_signalfd, 2, false, false},
    {"TFD_???", items_of_timerfd, 2, false, false},
    {"TFD_???", items_of_timerfd_set, 2, false, false},
    {"TIMER_???", items_of_clock_flags, 1, false, false},
    {"ADJ_???", items_of_timex_modes, 13, false, false},
    {"STA_???", items_of_timex_status, 16, false, false},
    {"SIGEV_???", items_of_sigevent_notify, 4, false, false},
    {"W???", items_of_wait, 8, false, false},
    {"W???", items_of_wait4, 8, false, false},
    {"MEMBARRIER_CMD_FLAG_???", items_of_membarrier_flags, 1, false, false},
    {"PIDFD_???", items_of_pidfd, 2, false, false},
    {"O_???", items_of_userfaultfd, 3, false, false},
    {"PERF_FLAG_???", items_of_perf_open, 4, false, false},
    {"SCHED_???", items_of_sched_policy, 9, false, false},
    {"SCHED_FLAG_???", items_of_sched_flags, 7, false, false},
    {"GRND_???", items_of_random, 3, false, false},
    {"MODULE_INIT_???", items_of_module_init, 3, false, false},
    {"O_???", items_of_module_delete, 3, false, false},
    {"KEXEC_FILE_???", items_of_kexec_file, 3, false, false},
    {"Q_???", items_of_quota_command, 12, false, false},
    {"QIF_???", items_of_quota_valid, 6, false, false},
    {"IPC_???", items_of_msg_get, 3, false, false},
    {"IPC_???", items_of_ipc_get, 3, false, true},
    {"SHM_???", items_of_shm_get, 4, false, true},
    {nullptr, items_of_ipc_key, 1, false, false},
    {"MSG_???", items_of_msg, 4, false, false},
    {"SEM_???", items_of_semaphore, 2, false, false},
    {"SHM_???", items_of_shm_at, 4, false, false},
    {"O_???", items_of_mq, 1, false, false},
    {"MS_???", items_of_mount, 25, false, false},
    {"MNT_???", items_of_umount, 4, false, false},
    {"ST_???", items_of_statfs_flags, 11, false, false},
    {"FSOPEN_???", items_of_fsopen, 1, false, false},
    {"FSPICK_???", items_of_fspick, 4, false, false},
    {"FSMOUNT_???", items_of_fsmount, 1, false, false},
    {"MOUNT_ATTR_???", items_of_mount_attributes, 9, false, false},
    {"OPEN_TREE_???", items_of_open_tree, 6, false, false},
    {"MOVE_MOUNT_???", items_of_move_mount, 8, false, false},
    {"SWAP_FLAG_???", items_of_swapon, 4, false, false},
    {"LANDLOCK_CREATE_RULESET_???", items_of_landlock_create, 1, false, false},
    {"LANDLOCK_ACCESS_FS_???", items_of_landlock_fs, 16, false, false},
    {"LANDLOCK_ACCESS_NET_???", items_of_landlock_net, 2, false, false},
    {"KEYCTL_MOVE_???", items_of_key_move, 1, false, false},
    {"DN_???", items_of_notify, 7, false, false},
    {"F_SEAL_???", items_of_seals, 6, false, false},
    {"FUTEX_???", items_of_futex, 19, false, false},
    {"FUTEX2_???", items_of_futex2, 7, false, false},
    {nullptr, items_of_bitset, 1, false, false},
    {"SEEK_???", items_of_whence, 5, true, false},
    {"POSIX_FADV_???", items_of_fadvise, 6, true, false},
    {"MADV_???", items_of_madvise, 27, true, false},
    {"AF_???", items_of_socket_family, 46, true, false},
    {"IPPROTO_???", items_of_inet_protocol, 28, true, false},
    {"NETLINK_???", items_of_netlink_protocol, 22, true, false},
    {"SHUT_???", items_of_shutdown, 3, true, false},
    {"SOL_??", items_of_socket_level, 37, true, false},
    {"SO_???", items_of_socket_option, 73, true, false},
    {"IP_???", items_of_ip_option, 45, true, false},
    {"IPV6_???", items_of_ipv6_option, 46, true, false},
    {"TCP_???", items_of_tcp_option, 37, true, false},
    {"UDP_???", items_of_udp_option, 6, true, false},
    {"NETLINK_???", items_of_netlink_option, 12, true, false},
    {"SCM_???", items_of_control_message, 5, true, false},
    {"EPOLL_CTL_???", items_of_epoll_operation, 3, true, false},
    {"CLOCK_???", items_of_clock, 12, true, false},
    {"ITIMER_???", items_of_interval_timer, 3, true, false},
    {"TIME_???", items_of_timex_state, 6, true, false},
    {nullptr, items_of_signal, 64, true, false},
    {"SI_???", items_of_signal_code, 10, true, false},
    {"CLD_???", items_of_child_code, 6, true, false},
    {"RLIMIT_???", items_of_resource, 16, true, false},
    {"RUSAGE_???", items_of_usage_who, 4, true, false},
    {"PRIO_???", items_of_priority_which, 3, true, false},
    {"P_???", items_of_wait_which, 4, true, false},
    {"MEMBARRIER_CMD_???", items_of_membarrier, 11, true, false},
    {"PERF_TYPE_???", items_of_perf_type, 6, true, false},
    {"IOPRIO_WHO_???", items_of_ioprio_which, 3, true, false},
    {"SYSLOG_ACTION_???", items_of_syslog, 11, true, false},
    {"LINUX_REBOOT_MAGIC_???", items_of_reboot_magic, 1, true, false},
    {"LINUX_REBOOT_MAGIC_???", items_of_reboot_magic2, 4, true, false},
    {"LINUX_REBOOT_CMD_???", items_of_reboot, 8, true, false},
    {"QFMT_VFS_???", items_of_quota_format, 5, true, false},
    {nullptr, items_of_file_system, 26, true, false},
    {"_LINUX_CAPABILITY_VERSION_???", items_of_capability_version, 3, true, false},
    {nullptr, items_of_keyring, 8, true, false},
    {"F_???", items_of_lock_type, 5, true, false},
    {"F_???", items_of_lease, 3, true, false},
    {"F_OWNER_???", items_of_owner_type, 3, true, false},
    {"RWH_WRITE_LIFE_???", items_of_write_hint, 6, true, false},
    {"TC???", items_of_flow_action, 4, true, false},
    {"TC???", items_of_flush_queue, 3, true, false},
    {"SCHED_???", items_of_scheduler, 7, true, false},
    {"SOCK_TXREHASH_???", items_of_txrehash, 3, true, false},
};
#elif defined(__aarch64__)
inline constexpr constant_set sets[] = {
    {"O_???", items_of_open, 23, false, false},
    {"O_???", items_of_pipe, 4, false, false},
    {"O_???", items_of_dup3, 1, false, false},
    {"FD_???", items_of_fd_flags, 1, false, false},
    {"AT_???", items_of_unlink, 1, false, false},
    {"AT_???", items_of_at, 6, false, false},
    {"AT_???", items_of_at_statx, 9, false, false},
    {"AT_???", items_of_faccessat, 3, false, false},
    {"AT_???", items_of_handle, 3, false, false},
    {"?_OK", items_of_access, 4, false, false},
    {"RENAME_??", items_of_rename, 3, false, false},
    {"S_IF???", items_of_file_type, 10, false, true},
    {"STATX_???", items_of_statx_mask, 19, false, false},
    {"STATX_ATTR_???", items_of_statx_attributes, 9, false, false},
    {"FALLOC_FL_???", items_of_fallocate, 7, false, false},
    {"LOCK_???", items_of_file_lock, 7, false, false},
    {"SYNC_FILE_RANGE_???", items_of_sync_file_range, 3, false, false},
    {"SPLICE_F_???", items_of_splice, 4, false, false},
    {"MFD_???", items_of_memfd, 5, false, false},
    {nullptr, items_of_close_on_exec, 1, false, false},
    {"IN_???", items_of_inotify_init, 2, false, false},
    {"IN_???", items_of_inotify, 22, false, false},
    {"FAN_???", items_of_fanotify_init, 14, false, false},
    {"FAN_MARK_???", items_of_fanotify_mark, 11, false, false},
    {"FAN_???", items_of_fanotify_events, 21, false, false},
    {"RWF_???", items_of_rwf, 8, false, false},
    {"RESOLVE_???", items_of_resolve, 6, false, false},
    {"XATTR_???", items_of_xattr, 2, false, false},
    {"PROT_???", items_of_prot, 9, false, false},
    {"MAP_???", items_of_map, 18, false, false},
    {"MLOCK_???", items_of_mlock, 1, false, false},
    {"MCL_???", items_of_mlockall, 3, false, false},
    {"MS_???", items_of_msync, 3, false, false},
    {"MPOL_???", items_of_policy_mode, 10, false, false},
    {"MPOL_???", items_of_mbind, 3, false, false},
    {"MPOL_???", items_of_get_mempolicy, 3, false, false},
    {"SOCK_???", items_of_socket_type, 9, false, false},
    {"SOCK_???", items_of_accept, 2, false, false},
    {"MSG_???", items_of_message, 21, false, false},
    {"POLL???", items_of_poll, 13, false, false},
    {"EPOLL???", items_of_epoll, 16, false, false},
    {"EPOLL_???", items_of_epoll_create, 1, false, false},
    {"EFD_???", items_of_eventfd, 3, false, false},
    {"SFD_???", items_of_signalfd, 2, false, false},
    {"TFD_???", items_of_timerfd, 2, false, false},
    {"TFD_???", items_of_timerfd_set, 2, false, false},
    {"TIMER_???", items_of_clock_flags, 1, false, false},
    {"ADJ_???", items_of_timex_modes, 13, false, false},
    {"STA_???", items_of_timex_status, 16, false, false},
    {"SIGEV_???", items_of_sigevent_notify, 4, false, false},
    {"W???", items_of_wait, 8, false, false},
    {"W???", items_of_wait4, 8, false, false},
    {"MEMBARRIER_CMD_FLAG_???", items_of_membarrier_flags, 1, false, false},
    {"PIDFD_???", items_of_pidfd, 2, false, false},
    {"O_???", items_of_userfaultfd, 3, false, false},
    {"PERF_FLAG_???", items_of_perf_open, 4, false, false},
    {"SCHED_???", items_of_sched_policy, 9, false, false},
    {"SCHED_FLAG_???", items_of_sched_flags, 7, false, false},
    {"GRND_???", items_of_random, 3, false, false},
    {"MODULE_INIT_???", items_of_module_init, 3, false, false},
    {"O_???", items_of_module_delete, 3, false, false},
    {"KEXEC_FILE_???", items_of_kexec_file, 3, false, false},
    {"Q_???", items_of_quota_command, 12, false, false},
    {"QIF_???", items_of_quota_valid, 6, false, false},
    {"IPC_???", items_of_msg_get, 3, false, false},
    {"IPC_???", items_of_ipc_get, 3, false, true},
    {"SHM_???", items_of_shm_get, 4, false, true},
    {nullptr, items_of_ipc_key, 1, false, false},
    {"MSG_???", items_of_msg, 4, false, false},
    {"SEM_???", items_of_semaphore, 2, false, false},
    {"SHM_???", items_of_shm_at, 4, false, false},
    {"O_???", items_of_mq, 1, false, false},
    {"MS_???", items_of_mount, 25, false, false},
    {"MNT_???", items_of_umount, 4, false, false},
    {"ST_???", items_of_statfs_flags, 11, false, false},
    {"FSOPEN_???", items_of_fsopen, 1, false, false},
    {"FSPICK_???", items_of_fspick, 4, false, false},
    {"FSMOUNT_???", items_of_fsmount, 1, false, false},
    {"MOUNT_ATTR_???", items_of_mount_attributes, 9, false, false},
    {"OPEN_TREE_???", items_of_open_tree, 6, false, false},
    {"MOVE_MOUNT_???", items_of_move_mount, 8, false, false},
    {"SWAP_FLAG_???", items_of_swapon, 4, false, false},
    {"LANDLOCK_CREATE_RULESET_???", items_of_landlock_create, 1, false, false},
    {"LANDLOCK_ACCESS_FS_???", items_of_landlock_fs, 16, false, false},
    {"LANDLOCK_ACCESS_NET_???", items_of_landlock_net, 2, false, false},
    {"KEYCTL_MOVE_???", items_of_key_move, 1, false, false},
    {"DN_???", items_of_notify, 7, false, false},
    {"F_SEAL_???", items_of_seals, 6, false, false},
    {"FUTEX_???", items_of_futex, 19, false, false},
    {"FUTEX2_???", items_of_futex2, 7, false, false},
    {nullptr, items_of_bitset, 1, false, false},
    {"SEEK_???", items_of_whence, 5, true, false},
    {"POSIX_FADV_???", items_of_fadvise, 6, true, false},
    {"MADV_???", items_of_madvise, 27, true, false},
    {"AF_???", items_of_socket_family, 46, true, false},
    {"IPPROTO_???", items_of_inet_protocol, 28, true, false},
    {"NETLINK_???", items_of_netlink_protocol, 22, true, false},
    {"SHUT_???", items_of_shutdown, 3, true, false},
    {"SOL_??", items_of_socket_level, 37, true, false},
    {"SO_???", items_of_socket_option, 73, true, false},
    {"IP_???", items_of_ip_option, 45, true, false},
    {"IPV6_???", items_of_ipv6_option, 46, true, false},
    {"TCP_???", items_of_tcp_option, 37, true, false},
    {"UDP_???", items_of_udp_option, 6, true, false},
    {"NETLINK_???", items_of_netlink_option, 12, true, false},
    {"SCM_???", items_of_control_message, 5, true, false},
    {"EPOLL_CTL_???", items_of_epoll_operation, 3, true, false},
    {"CLOCK_???", items_of_clock, 12, true, false},
    {"ITIMER_???", items_of_interval_timer, 3, true, false},
    {"TIME_???", items_of_timex_state, 6, true, false},
    {nullptr, items_of_signal, 64, true, false},
    {"SI_???", items_of_signal_code, 10, true, false},
    {"CLD_???", items_of_child_code, 6, true, false},
    {"RLIMIT_???", items_of_resource, 16, true, false},
    {"RUSAGE_???", items_of_usage_who, 4, true, false},
    {"PRIO_???", items_of_priority_which, 3, true, false},
    {"P_???", items_of_wait_which, 4, true, false},
    {"MEMBARRIER_CMD_???", items_of_membarrier, 11, true, false},
    {"PERF_TYPE_???", items_of_perf_type, 6, true, false},
    {"IOPRIO_WHO_???", items_of_ioprio_which, 3, true, false},
    {"SYSLOG_ACTION_???", items_of_syslog, 11, true, false},
    {"LINUX_REBOOT_MAGIC_???", items_of_reboot_magic, 1, true, false},
    {"LINUX_REBOOT_MAGIC_???", items_of_reboot_magic2, 4, true, false},
    {"LINUX_REBOOT_CMD_???", items_of_reboot, 8, true, false},
    {"QFMT_VFS_???", items_of_quota_format, 5, true, false},
    {nullptr, items_of_file_system, 26, true, false},
    {"_LINUX_CAPABILITY_VERSION_???", items_of_capability_version, 3, true, false},
    {nullptr, items_of_keyring, 8, true, false},
    {"F_???", items_of_lock_type, 5, true, false},
    {"F_???", items_of_lease, 3, true, false},
    {"F_OWNER_???", items_of_owner_type, 3, true, false},
    {"RWH_WRITE_LIFE_???", items_of_write_hint, 6, true, false},
    {"TC???", items_of_flow_action, 4, true, false},
    {"TC???", items_of_flush_queue, 3, true, false},
    {"SCHED_???", items_of_scheduler, 7, true, false},
    {"SOCK_TXREHASH_???", items_of_txrehash, 3, true, false},
};
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
inline constexpr field fields_of_timespec[] = {
    {"tv_sec", 0, false, {shown::decimal, 8}},
    {"tv_nsec", 8, false, {shown::plain, 8}},
};
inline constexpr field fields_of_timeval[] = {
    {"tv_sec", 0, false, {shown::decimal, 8}},
    {"tv_usec", 8, false, {shown::plain, 8}},
};
inline constexpr field fields_of_dated_timespec[] = {
    {"tv_sec", 0, false, {shown::decimal, 8}},
    {"tv_nsec", 8, false, {shown::plain, 8}},
};
inline constexpr field fields_of_dated_timeval[] = {
    {"tv_sec", 0, false, {shown::decimal, 8}},
    {"tv_usec", 8, false, {shown::plain, 8}},
};
inline constexpr field fields_of_timezone[] = {
    {"tz_minuteswest", 0, false, {shown::decimal, 4}},
    {"tz_dsttime", 4, false, {shown::decimal, 4}},
};
inline constexpr field fields_of_itimerspec[] = {
    {"it_interval", 0, false, {shown::object, 16, 0}},
    {"it_value", 16, false, {shown::object, 16, 0}},
};
inline constexpr field fields_of_itimerval[] = {
    {"it_interval", 0, false, {shown::object, 16, 1}},
    {"it_value", 16, false, {shown::object, 16, 1}},
};
inline constexpr field fields_of_tms[] = {
    {"tms_utime", 0, false, {shown::ticks, 8}},
    {"tms_stime", 8, false, {shown::ticks, 8}},
    {"tms_cutime", 16, false, {shown::ticks, 8}},
    {"tms_cstime", 24, false, {shown::ticks, 8}},
};
inline constexpr field fields_of_timex[] = {
    {"modes", 0, false, {shown::set, 4, 47}},
    {"offset", 8, false, {shown::decimal, 8}},
    {"freq", 16, false, {shown::decimal, 8}},
    {"maxerror", 24, false, {shown::decimal, 8}},
    {"esterror", 32, false, {shown::decimal, 8}},
    {"status", 40, false, {shown::set, 4, 48}},
    {"constant", 48, false, {shown::decimal, 8}},
    {"precision", 56, false, {shown::decimal, 8}},
    {"tolerance", 64, false, {shown::decimal, 8}},
    {"time", 72, false, {shown::object, 16, 1}},
    {"tick", 88, false, {shown::decimal, 8}},
    {"ppsfreq", 96, false, {shown::decimal, 8}},
    {"jitter", 104, false, {shown::decimal, 8}},
    {"shift", 112, false, {shown::decimal, 4}},
    {"stabil", 120, false, {shown::decimal, 8}},
    {"jitcnt", 128, false, {shown::decimal, 8}},
    {"calcnt", 136, false, {shown::decimal, 8}},
    {"errcnt", 144, false, {shown::decimal, 8}},
    {"stbcnt", 152, false, {shown::decimal, 8}},
    {"tai", 160, false, {shown::decimal, 4}},
};
inline constexpr field fields_of_utimbuf[] = {
    {"actime", 0, false, {shown::time, 8}},
    {"modtime", 8, false, {shown::time, 8}},
};
#if defined(__x86_64__)
inline constexpr field fields_of_stat[] = {
    {"st_dev", 0, true, {shown::device, 8}},
    {"st_ino", 8, true, {shown::plain, 8}},
    {"st_mode", 24, false, {shown::set, 4, 11}},
    {"st_nlink", 16, true, {shown::plain, 8}},
    {"st_uid", 28, true, {shown::plain, 4}},
    {"st_gid", 32, true, {shown::plain, 4}},
    {"st_blksize", 56, true, {shown::plain, 4}},
    {"st_blocks", 64, true, {shown::plain, 8}},
    {"st_rdev", 40, false, {shown::device, 8}, {2, false, 2, {{0xf000, 0x2000}, {0xf000, 0x6000}}}},
    {"st_size", 48, false, {shown::decimal, 8}, {2, true, 2, {{0xf000, 0x2000}, {0xf000, 0x6000}}}},
    {"st_atime", 72, true, {shown::time, 8}},
    {"st_atime_nsec", 80, true, {shown::plain, 8}},
    {"st_mtime", 88, true, {shown::time, 8}},
    {"st_mtime_nsec", 96, true, {shown::plain, 8}},
    {"st_ctime", 104, true, {shown::time, 8}},
    {"st_ctime_nsec", 112, true, {shown::plain, 8}},
};
#elif defined(__aarch64__)
inline constexpr field fields_of_stat[] = {
    {"st_dev", 0, true, {shown::device, 8}},
    {"st_ino", 8, true, {shown::plain, 8}},
    {"st_mode", 16, false, {shown::set, 4, 11}},
    {"st_nlink", 16, true, {shown::plain, 8}},
    {"st_uid", 24, true, {shown::plain, 4}},
    {"st_gid", 28, true, {shown::plain, 4}},
    {"st_blksize", 56, true, {shown::plain, 4}},
    {"st_blocks", 64, true, {shown::plain, 8}},
    {"st_rdev", 32, false, {shown::device, 8}, {2, false, 2, {{0xf000, 0x2000}, {0xf000, 0x6000}}}},
    {"st_size", 48, false, {shown::decimal, 8}, {2, true, 2, {{0xf000, 0x2000}, {0xf000, 0x6000}}}},
    {"st_atime", 72, true, {shown::time, 8}},
    {"st_atime_nsec", 80, true, {shown::plain, 8}},
    {"st_mtime", 88, true, {shown::time, 8}},
    {"st_mtime_nsec", 96, true, {shown::plain, 8}},
    {"st_ctime", 104, true, {shown::time, 8}},
    {"st_ctime_nsec", 112, true, {shown::plain, 8}},
};
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
inline constexpr field fields_of_statx_timestamp[] = {
    {"tv_sec", 0, false, {shown::decimal, 8}},
    {"tv_nsec", 8, false, {shown::plain, 4}},
};
inline constexpr field fields_of_statx[] = {
    {"stx_mask", 0, false, {shown::set, 4, 12}},
    {"stx_blksize", 4, true, {shown::plain, 4}},
    {"stx_attributes", 8, false, {shown::set, 8, 13}},
    {"stx_nlink", 16, true, {shown::plain, 4}},
    {"stx_uid", 20, true, {shown::plain, 4}},
    {"stx_gid", 24, true, {shown::plain, 4}},
    {"stx_mode", 28, false, {shown::set, 2, 11}},
    {"stx_ino", 32, true, {shown::plain, 8}},
    {"stx_size", 40, false, {shown::plain, 8}},
    {"stx_blocks", 48, true, {shown::plain, 8}},
    {"stx_attributes_mask", 56, true, {shown::set, 8, 13}},
    {"stx_atime", 64, true, {shown::object, 16, 11}, {0, false, 1, {{0x20, 0x20}}}},
    {"stx_btime", 80, true, {shown::object, 16, 11}, {0, false, 1, {{0x800, 0x800}}}},
    {"stx_ctime", 96, true, {shown::object, 16, 11}, {0, false, 1, {{0x80, 0x80}}}},
    {"stx_mtime", 112, true, {shown::object, 16, 11}, {0, false, 1, {{0x40, 0x40}}}},
    {"stx_rdev_major", 128, true, {shown::plain, 4}},
    {"stx_rdev_minor", 132, true, {shown::plain, 4}},
    {"stx_dev_major", 136, true, {shown::plain, 4}},
    {"stx_dev_minor", 140, true, {shown::plain, 4}},
    {"stx_mnt_id", 144, true, {shown::hex, 8}},
};
inline constexpr field fields_of_fsid[] = {{"val", 0, false, {shown::hex, 4, -1, 2}}};
inline constexpr field fields_of_statfs[] = {
    {"f_type", 0, false, {shown::set, 8, 125}},
    {"f_bsize", 8, false, {shown::plain, 8}},
    {"f_blocks", 16, false, {shown::plain, 8}},
    {"f_bfree", 24, false, {shown::plain, 8}},
    {"f_bavail", 32, false, {shown::plain, 8}},
    {"f_files", 40, false, {shown::plain, 8}},
    {"f_ffree", 48, false, {shown::plain, 8}},
    {"f_fsid", 56, false, {shown::object, 8, 13}},
    {"f_namelen", 64, false, {shown::plain, 8}},
    {"f_frsize", 72, false, {shown::plain, 8}},
    {"f_flags", 80, false, {shown::set, 8, 74}},
};
inline constexpr field fields_of_flock[] = {
    {"l_type", 0, false, {shown::set, 2, 128}},
    {"l_whence", 2, false, {shown::set, 2, 91}},
    {"l_start", 8, false, {shown::decimal, 8}},
    {"l_len", 16, false, {shown::decimal, 8}},
};
inline constexpr field fields_of_flock_found[] = {
    {"l_type", 0, false, {shown::set, 2, 128}},
    {"l_whence", 2, false, {shown::set, 2, 91}},
    {"l_start", 8, false, {shown::decimal, 8}},
    {"l_len", 16, false, {shown::decimal, 8}},
    {"l_pid", 24, false, {shown::decimal, 4}},
};
inline constexpr field fields_of_f_owner_ex[] = {
    {"type", 0, false, {shown::set, 4, 130}},
    {"pid", 4, false, {shown::decimal, 4}},
};
inline constexpr field fields_of_file_handle[] = {
    {"handle_bytes", 0, false, {shown::plain, 4}},
    {"handle_type", 4, false, {shown::decimal, 4}},
    {"f_handle", 8, false, {shown::escaped, 1, -1, 0}},
};
inline constexpr field fields_of_open_how[] = {
    {"flags", 0, false, {shown::set, 8, 0}},
    {"mode", 8, false, {shown::octal, 8}, {0, false, 2, {{0x40, 0x40}, {0x400000, 0x400000}}}},
    {"resolve", 16, false, {shown::set, 8, 26}},
};
inline constexpr field fields_of_file_attr[] = {
    {"fa_xflags", 0, false, {shown::hex, 8}},
    {"fa_extsize", 8, false, {shown::plain, 4}},
    {"fa_nextents", 12, false, {shown::plain, 4}},
    {"fa_projid", 16, false, {shown::plain, 4}},
    {"fa_cowextsize", 20, false, {shown::plain, 4}},
};
inline constexpr field fields_of_cachestat_range[] = {
    {"off", 0, false, {shown::plain, 8}},
    {"len", 8, false, {shown::plain, 8}},
};
inline constexpr field fields_of_cachestat[] = {
    {"nr_cache", 0, false, {shown::plain, 8}},
    {"nr_dirty", 8, false, {shown::plain, 8}},
    {"nr_writeback", 16, false, {shown::plain, 8}},
    {"nr_evicted", 24, false, {shown::plain, 8}},
    {"nr_recently_evicted", 32, false, {shown::plain, 8}},
};
inline constexpr field fields_of_mnt_id_req[] = {
    {"size", 0, false, {shown::plain, 4}},
    {"mnt_id", 8, false, {shown::plain, 8}},
    {"param", 16, false, {shown::hex, 8}},
};
inline constexpr field fields_of_mount_attr[] = {
    {"attr_set", 0, false, {shown::set, 8, 78}},
    {"attr_clr", 8, false, {shown::set, 8, 78}},
    {"propagation", 16, false, {shown::set, 8, 72}},
    {"userns_fd", 24, false, {shown::plain, 8}},
};
inline constexpr field fields_of_pollfd[] = {
    {"fd", 0, false, {shown::fd, 4}},
    {"events", 4, false, {shown::set, 2, 39}, {0, true, 1, {{0xffffffff, 0xffffffff}}}},
};
inline constexpr field fields_of_pollfd_ready[] = {
    {"fd", 0, false, {shown::fd, 4}},
    {"revents", 6, false, {shown::set, 2, 39}},
};
inline constexpr field fields_of_epoll_data[] = {
    {"u32", 0, false, {shown::plain, 4}},
    {"u64", 0, false, {shown::plain, 8}},
};
#if defined(__x86_64__)
inline constexpr field fields_of_epoll_event[] = {
    {"events", 0, false, {shown::set, 4, 40}},
    {"data", 4, false, {shown::object, 8, 27}},
};
#elif defined(__aarch64__)
inline constexpr field fields_of_epoll_event[] = {
    {"events", 0, false, {shown::set, 4, 40}},
    {"data", 8, false, {shown::object, 8, 27}},
};
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
inline constexpr field fields_of_rlimit[] = {
    {"rlim_cur", 0, false, {shown::limit, 8}},
    {"rlim_max", 8, false, {shown::limit, 8}},
};
inline constexpr field fields_of_rusage[] = {
    {"ru_utime", 0, false, {shown::object, 16, 1}},
    {"ru_stime", 16, false, {shown::object, 16, 1}},
    {"ru_maxrss", 32, true, {shown::plain, 8}},
    {"ru_ixrss", 40, true, {shown::plain, 8}},
    {"ru_idrss", 48, true, {shown::plain, 8}},
    {"ru_isrss", 56, true, {shown::plain, 8}},
    {"ru_minflt", 64, true, {shown::plain, 8}},
    {"ru_majflt", 72, true, {shown::plain, 8}},
    {"ru_nswap", 80, true, {shown::plain, 8}},
    {"ru_inblock", 88, true, {shown::plain, 8}},
    {"ru_oublock", 96, true, {shown::plain, 8}},
    {"ru_msgsnd", 104, true, {shown::plain, 8}},
    {"ru_msgrcv", 112, true, {shown::plain, 8}},
    {"ru_nsignals", 120, true, {shown::plain, 8}},
    {"ru_nvcsw", 128, true, {shown::plain, 8}},
    {"ru_nivcsw", 136, true, {shown::plain, 8}},
};
inline constexpr field fields_of_utsname[] = {
    {"sysname", 0, false, {shown::nul_text, 1, -1, 65}},
    {"nodename", 65, false, {shown::nul_text, 1, -1, 65}},
    {"release", 130, true, {shown::nul_text, 1, -1, 65}},
    {"version", 195, true, {shown::nul_text, 1, -1, 65}},
    {"machine", 260, true, {shown::nul_text, 1, -1, 65}},
    {"domainname", 325, true, {shown::nul_text, 1, -1, 65}},
};
inline constexpr field fields_of_sysinfo[] = {
    {"uptime", 0, false, {shown::plain, 8}},
    {"loads", 8, false, {shown::plain, 8, -1, 3}},
    {"totalram", 32, false, {shown::plain, 8}},
    {"freeram", 40, false, {shown::plain, 8}},
    {"sharedram", 48, false, {shown::plain, 8}},
    {"bufferram", 56, false, {shown::plain, 8}},
    {"totalswap", 64, false, {shown::plain, 8}},
    {"freeswap", 72, false, {shown::plain, 8}},
    {"procs", 80, false, {shown::plain, 2}},
    {"totalhigh", 88, false, {shown::plain, 8}},
    {"freehigh", 96, false, {shown::plain, 8}},
    {"mem_unit", 104, false, {shown::plain, 4}},
};
inline constexpr field fields_of_sched_attr[] = {
    {"size", 0, false, {shown::plain, 4}},
    {"sched_policy", 4, false, {shown::set, 4, 56}},
    {"sched_flags", 8, false, {shown::set, 8, 57}},
    {"sched_nice", 16, false, {shown::decimal, 4}},
    {"sched_priority", 20, false, {shown::plain, 4}},
    {"sched_runtime", 24, false, {shown::plain, 8}},
    {"sched_deadline", 32, false, {shown::plain, 8}},
    {"sched_period", 40, false, {shown::plain, 8}},
    {"sched_util_min", 48, false, {shown::plain, 4}},
    {"sched_util_max", 52, false, {shown::plain, 4}},
};
inline constexpr field fields_of_perf_event_attr[] = {
    {"type", 0, false, {shown::set, 4, 118}},
    {"size", 4, false, {shown::plain, 4}},
    {"config", 8, false, {shown::hex, 8}},
    {"sample_period", 16, false, {shown::plain, 8}},
    {"sample_type", 24, false, {shown::hex, 8}},
    {"read_format", 32, false, {shown::hex, 8}},
};
inline constexpr field fields_of_sigval[] = {
    {"sival_int", 0, false, {shown::decimal, 4}},
    {"sival_ptr", 0, false, {shown::address, 8}},
};
inline constexpr field fields_of_sigevent[] = {
    {"sigev_value", 0, false, {shown::object, 8, 35}, {0, true, 1, {{0xffffffffffffffff, 0x0}}}},
    {"sigev_signo", 8, false, {shown::set, 4, 110}},
    {"sigev_notify", 12, false, {shown::set, 4, 49}},
};
inline constexpr field fields_of_cap_user_header[] = {
    {"version", 0, false, {shown::set, 4, 126}},
    {"pid", 4, false, {shown::decimal, 4}},
};
inline constexpr field fields_of_landlock_ruleset_attr[] = {
    {"handled_access_fs", 0, false, {shown::set, 8, 83}},
    {"handled_access_net", 8, false, {shown::set, 8, 84}},
};
inline constexpr field fields_of_landlock_path_beneath_attr[] = {
    {"allowed_access", 0, false, {shown::set, 8, 83}},
    {"parent_fd", 8, false, {shown::fd, 4}},
};
inline constexpr field fields_of_landlock_net_port_attr[] = {
    {"allowed_access", 0, false, {shown::set, 8, 84}},
    {"port", 8, false, {shown::plain, 8}},
};
inline constexpr field fields_of_kcmp_epoll_slot[] = {
    {"efd", 0, false, {shown::plain, 4}},
    {"tfd", 4, false, {shown::plain, 4}},
    {"toff", 8, false, {shown::plain, 4}},
};
inline constexpr field fields_of_siginfo_child[] = {
    {"si_code", 8, false, {shown::set, 4, 112}},
    {"si_pid", 16, false, {shown::decimal, 4}},
    {"si_uid", 20, false, {shown::plain, 4}},
    {"si_status", 24, false, {shown::decimal, 4}},
    {"si_utime", 32, false, {shown::decimal, 8}},
    {"si_stime", 40, false, {shown::decimal, 8}},
};
inline constexpr field fields_of_siginfo_sent[] = {
    {"si_code", 8, false, {shown::set, 4, 111}},
    {"si_pid", 16, false, {shown::decimal, 4}},
    {"si_uid", 20, false, {shown::plain, 4}},
};
inline constexpr field fields_of_siginfo[] = {{"si_signo", 0, false, {shown::set, 4, 110}}};
inline constexpr structure_case cases_of_siginfo[] = {{17, 42}};
inline constexpr field fields_of_ipc_perm[] = {
    {"uid", 4, false, {shown::plain, 4}},
    {"gid", 8, false, {shown::plain, 4}},
    {"mode", 20, false, {shown::octal, 2}},
    {"key", 0, false, {shown::plain, 4}},
    {"cuid", 12, false, {shown::plain, 4}},
    {"cgid", 16, false, {shown::plain, 4}},
};
inline constexpr field fields_of_msqid_ds[] = {
    {"msg_perm", 0, false, {shown::object, 24, 45}},
    {"msg_stime", 48, false, {shown::decimal, 8}},
    {"msg_rtime", 56, false, {shown::decimal, 8}},
    {"msg_ctime", 64, false, {shown::decimal, 8}},
    {"msg_qnum", 80, false, {shown::plain, 8}},
    {"msg_qbytes", 88, false, {shown::plain, 8}},
    {"msg_lspid", 96, false, {shown::decimal, 4}},
    {"msg_lrpid", 100, false, {shown::decimal, 4}},
};
inline constexpr field fields_of_msginfo[] = {
    {"msgpool", 0, false, {shown::decimal, 4}},
    {"msgmap", 4, false, {shown::decimal, 4}},
    {"msgmax", 8, false, {shown::decimal, 4}},
    {"msgmnb", 12, false, {shown::decimal, 4}},
    {"msgmni", 16, false, {shown::decimal, 4}},
    {"msgssz", 20, false, {shown::decimal, 4}},
    {"msgtql", 24, false, {shown::decimal, 4}},
    {"msgseg", 28, false, {shown::plain, 2}},
};
#if defined(__x86_64__)
inline constexpr field fields_of_semid_ds[] = {
    {"sem_perm", 0, false, {shown::object, 24, 45}},
    {"sem_otime", 48, false, {shown::decimal, 8}},
    {"sem_ctime", 64, false, {shown::decimal, 8}},
    {"sem_nsems", 80, false, {shown::plain, 8}},
};
#elif defined(__aarch64__)
inline constexpr field fields_of_semid_ds[] = {
    {"sem_perm", 0, false, {shown::object, 24, 45}},
    {"sem_otime", 48, false, {shown::decimal, 8}},
    {"sem_ctime", 56, false, {shown::decimal, 8}},
    {"sem_nsems", 64, false, {shown::plain, 8}},
};
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
inline constexpr field fields_of_sembuf[] = {
    {"sem_num", 0, false, {shown::plain, 2}},
    {"sem_op", 2, false, {shown::decimal, 2}},
    {"sem_flg", 4, false, {shown::set, 2, 69}},
};
inline constexpr field fields_of_seminfo[] = {
    {"semmap", 0, false, {shown::decimal, 4}},
    {"semmni", 4, false, {shown::decimal, 4}},
    {"semmns", 8, false, {shown::decimal, 4}},
    {"semmnu", 12, false, {shown::decimal, 4}},
    {"semmsl", 16, false, {shown::decimal, 4}},
    {"semopm", 20, false, {shown::decimal, 4}},
    {"semume", 24, false, {shown::decimal, 4}},
    {"semusz", 28, false, {shown::decimal, 4}},
    {"semvmx", 32, false, {shown::decimal, 4}},
    {"semaem", 36, false, {shown::decimal, 4}},
};
inline constexpr field fields_of_shmid_ds[] = {
    {"shm_perm", 0, false, {shown::object, 24, 45}},
    {"shm_segsz", 48, false, {shown::plain, 8}},
    {"shm_cpid", 80, false, {shown::decimal, 4}},
    {"shm_lpid", 84, false, {shown::decimal, 4}},
    {"shm_nattch", 88, false, {shown::plain, 8}},
    {"shm_atime", 56, false, {shown::decimal, 8}},
    {"shm_dtime", 64, false, {shown::decimal, 8}},
    {"shm_ctime", 72, false, {shown::decimal, 8}},
};
inline constexpr field fields_of_shminfo[] = {
    {"shmmax", 0, false, {shown::plain, 8}},
    {"shmmin", 8, false, {shown::plain, 8}},
    {"shmmni", 16, false, {shown::plain, 8}},
    {"shmseg", 24, false, {shown::plain, 8}},
    {"shmall", 32, false, {shown::plain, 8}},
};
inline constexpr field fields_of_shm_info[] = {
    {"used_ids", 0, false, {shown::decimal, 4}},
    {"shm_tot", 8, false, {shown::plain, 8}},
    {"shm_rss", 16, false, {shown::plain, 8}},
    {"shm_swp", 24, false, {shown::plain, 8}},
    {"swap_attempts", 32, false, {shown::plain, 8}},
    {"swap_successes", 40, false, {shown::plain, 8}},
};
inline constexpr field fields_of_mq_attr[] = {
    {"mq_flags", 0, false, {shown::set, 8, 71}},
    {"mq_maxmsg", 8, false, {shown::decimal, 8}},
    {"mq_msgsize", 16, false, {shown::decimal, 8}},
    {"mq_curmsgs", 24, false, {shown::decimal, 8}},
};
inline constexpr field fields_of_msgbuf[] = {
    {"mtype", 0, false, {shown::decimal, 8}},
    {"mtext", 8, false, {shown::text, 1, -1, 0}},
};
inline constexpr field fields_of_winsize[] = {
    {"ws_row", 0, false, {shown::plain, 2}},
    {"ws_col", 2, false, {shown::plain, 2}},
    {"ws_xpixel", 4, false, {shown::plain, 2}},
    {"ws_ypixel", 6, false, {shown::plain, 2}},
};
inline constexpr field fields_of_fb_bitfield[] = {
    {"offset", 0, false, {shown::plain, 4}},
    {"length", 4, false, {shown::plain, 4}},
    {"msb_right", 8, true, {shown::plain, 4}},
};
inline constexpr field fields_of_fb_var_screeninfo[] = {
    {"xres", 0, false, {shown::plain, 4}},
    {"yres", 4, false, {shown::plain, 4}},
    {"xres_virtual", 8, false, {shown::plain, 4}},
    {"yres_virtual", 12, false, {shown::plain, 4}},
    {"xoffset", 16, false, {shown::plain, 4}},
    {"yoffset", 20, false, {shown::plain, 4}},
    {"bits_per_pixel", 24, false, {shown::plain, 4}},
    {"grayscale", 28, true, {shown::plain, 4}},
    {"red", 32, false, {shown::object, 12, 57}},
    {"green", 44, false, {shown::object, 12, 57}},
    {"blue", 56, false, {shown::object, 12, 57}},
    {"transp", 68, true, {shown::object, 12, 57}},
    {"activate", 84, true, {shown::hex, 4}},
    {"pixclock", 100, true, {shown::plain, 4}},
};
inline constexpr field fields_of_fb_fix_screeninfo[] = {
    {"id", 0, false, {shown::nul_text, 1, -1, 16}},
    {"smem_len", 24, false, {shown::plain, 4}},
    {"type", 28, false, {shown::plain, 4}},
    {"visual", 36, false, {shown::plain, 4}},
    {"line_length", 48, false, {shown::plain, 4}},
};
inline constexpr field fields_of_dqblk[] = {
    {"dqb_bhardlimit", 0, false, {shown::plain, 8}},
    {"dqb_bsoftlimit", 8, false, {shown::plain, 8}},
    {"dqb_curspace", 16, false, {shown::plain, 8}},
    {"dqb_ihardlimit", 24, false, {shown::plain, 8}},
    {"dqb_isoftlimit", 32, false, {shown::plain, 8}},
    {"dqb_curinodes", 40, false, {shown::plain, 8}},
    {"dqb_btime", 48, true, {shown::plain, 8}},
    {"dqb_itime", 56, true, {shown::plain, 8}},
    {"dqb_valid", 64, true, {shown::set, 4, 63}},
};
inline constexpr field fields_of_dqinfo[] = {
    {"dqi_bgrace", 0, false, {shown::plain, 8}},
    {"dqi_igrace", 8, false, {shown::plain, 8}},
    {"dqi_flags", 16, false, {shown::hex, 4}},
    {"dqi_valid", 20, false, {shown::hex, 4}},
};
inline constexpr field fields_of_futex_waitv[] = {
    {"val", 0, false, {shown::hex, 8}},
    {"uaddr", 8, false, {shown::address, 8}},
    {"flags", 16, false, {shown::set, 4, 89}},
};
inline constexpr field fields_of_remote_iovec[] = {
    {"iov_base", 0, false, {shown::address, 8}},
    {"iov_len", 8, false, {shown::plain, 8}},
};
inline constexpr field fields_of_sockaddr_in[] = {
    {"sin_port", 2, false, {shown::port, 2}},
    {"sin_addr", 4, false, {shown::inet, 4}},
};
inline constexpr field fields_of_sockaddr_in6[] = {
    {"sin6_port", 2, false, {shown::port, 2}},
    {"sin6_flowinfo", 4, false, {shown::flow, 4}},
    {"sin6_addr", 8, false, {shown::inet6, 1, -1, 16}},
    {"sin6_scope_id", 24, false, {shown::plain, 4}},
};
inline constexpr field fields_of_sockaddr_un[] = {{"sun_path", 2, false, {shown::nul_text, 1, -1, 108}}};
inline constexpr field fields_of_sockaddr_nl[] = {
    {"nl_pid", 4, false, {shown::decimal, 4}},
    {"nl_groups", 8, false, {shown::wide_hex, 4}},
};
inline constexpr field fields_of_sockaddr_other[] = {{"sa_data", 2, false, {shown::text, 1, -1, 0}}};
inline constexpr field fields_of_sockaddr[] = {{"sa_family", 0, false, {shown::set, 2, 94}}};
inline constexpr structure_case cases_of_sockaddr[] = {{1, 66}, {2, 64}, {10, 65}, {16, 67}};
inline constexpr field fields_of_linger[] = {
    {"l_onoff", 0, false, {shown::decimal, 4}},
    {"l_linger", 4, false, {shown::decimal, 4}},
};
inline constexpr field fields_of_ucred[] = {
    {"pid", 0, false, {shown::decimal, 4}},
    {"uid", 4, false, {shown::id, 4}},
    {"gid", 8, false, {shown::id, 4}},
};
inline constexpr field fields_of_ip_mreq[] = {
    {"imr_multiaddr", 0, false, {shown::inet, 4}},
    {"imr_interface", 4, false, {shown::inet, 4}},
};
#if defined(__x86_64__)
inline constexpr structure structures[] = {
    {fields_of_timespec, 2, 16},
    {fields_of_timeval, 2, 16},
    {fields_of_dated_timespec, 2, 16, -1, nullptr, 0, -1, true},
    {fields_of_dated_timeval, 2, 16, -1, nullptr, 0, -1, true},
    {fields_of_timezone, 2, 8},
    {fields_of_itimerspec, 2, 32},
    {fields_of_itimerval, 2, 32},
    {fields_of_tms, 4, 32},
    {fields_of_timex, 20, 208},
    {fields_of_utimbuf, 2, 16},
    {fields_of_stat, 16, 144},
    {fields_of_statx_timestamp, 2, 16, -1, nullptr, 0, -1, true},
    {fields_of_statx, 20, 256},
    {fields_of_fsid, 1, 8},
    {fields_of_statfs, 11, 120},
    {fields_of_flock, 4, 32},
    {fields_of_flock_found, 5, 32},
    {fields_of_f_owner_ex, 2, 8},
    {fields_of_file_handle, 3, 8},
    {fields_of_open_how, 3, 24},
    {fields_of_file_attr, 5, 24},
    {fields_of_cachestat_range, 2, 16},
    {fields_of_cachestat, 5, 40},
    {fields_of_mnt_id_req, 3, 24},
    {fields_of_mount_attr, 4, 32},
    {fields_of_pollfd, 2, 8},
    {fields_of_pollfd_ready, 2, 8},
    {fields_of_epoll_data, 2, 8},
    {fields_of_epoll_event, 2, 12},
    {fields_of_rlimit, 2, 16},
    {fields_of_rusage, 16, 144},
    {fields_of_utsname, 6, 390},
    {fields_of_sysinfo, 12, 112},
    {fields_of_sched_attr, 10, 56},
    {fields_of_perf_event_attr, 6, 136},
    {fields_of_sigval, 2, 8},
    {fields_of_sigevent, 3, 64},
    {fields_of_cap_user_header, 2, 8},
    {fields_of_landlock_ruleset_attr, 2, 16},
    {fields_of_landlock_path_beneath_attr, 2, 12},
    {fields_of_landlock_net_port_attr, 2, 16},
    {fields_of_kcmp_epoll_slot, 3, 12},
    {fields_of_siginfo_child, 6, 48},
    {fields_of_siginfo_sent, 3, 24},
    {fields_of_siginfo, 1, 128, 0, cases_of_siginfo, 1, 43},
    {fields_of_ipc_perm, 6, 24},
    {fields_of_msqid_ds, 8, 120},
    {fields_of_msginfo, 8, 32},
    {fields_of_semid_ds, 4, 104},
    {fields_of_sembuf, 3, 6},
    {fields_of_seminfo, 10, 40},
    {fields_of_shmid_ds, 8, 112},
    {fields_of_shminfo, 5, 72},
    {fields_of_shm_info, 6, 48},
    {fields_of_mq_attr, 4, 64},
    {fields_of_msgbuf, 2, 8},
    {fields_of_winsize, 4, 8},
    {fields_of_fb_bitfield, 3, 12},
    {fields_of_fb_var_screeninfo, 14, 160},
    {fields_of_fb_fix_screeninfo, 5, 80},
    {fields_of_dqblk, 9, 72},
    {fields_of_dqinfo, 4, 24},
    {fields_of_futex_waitv, 3, 24},
    {fields_of_remote_iovec, 2, 16},
    {fields_of_sockaddr_in, 2, 8},
    {fields_of_sockaddr_in6, 4, 28},
    {fields_of_sockaddr_un, 1, 110},
    {fields_of_sockaddr_nl, 2, 12},
    {fields_of_sockaddr_other, 1, 2},
    {fields_of_sockaddr, 1, 2, 0, cases_of_sockaddr, 4, 68},
    {fields_of_linger, 2, 8},
    {fields_of_ucred, 3, 12},
    {fields_of_ip_mreq, 2, 8},
};
#elif defined(__aarch64__)
inline constexpr structure structures[] = {
    {fields_of_timespec, 2, 16},
    {fields_of_timeval, 2, 16},
    {fields_of_dated_timespec, 2, 16, -1, nullptr, 0, -1, true},
    {fields_of_dated_timeval, 2, 16, -1, nullptr, 0, -1, true},
    {fields_of_timezone, 2, 8},
    {fields_of_itimerspec, 2, 32},
    {fields_of_itimerval, 2, 32},
    {fields_of_tms, 4, 32},
    {fields_of_timex, 20, 208},
    {fields_of_utimbuf, 2, 16},
    {fields_of_stat, 16, 128},
    {fields_of_statx_timestamp, 2, 16, -1, nullptr, 0, -1, true},
    {fields_of_statx, 20, 256},
    {fields_of_fsid, 1, 8},
    {fields_of_statfs, 11, 120},
    {fields_of_flock, 4, 32},
    {fields_of_flock_found, 5, 32},
    {fields_of_f_owner_ex, 2, 8},
    {fields_of_file_handle, 3, 8},
    {fields_of_open_how, 3, 24},
    {fields_of_file_attr, 5, 24},
    {fields_of_cachestat_range, 2, 16},
    {fields_of_cachestat, 5, 40},
    {fields_of_mnt_id_req, 3, 24},
    {fields_of_mount_attr, 4, 32},
    {fields_of_pollfd, 2, 8},
    {fields_of_pollfd_ready, 2, 8},
    {fields_of_epoll_data, 2, 8},
    {fields_of_epoll_event, 2, 16},
    {fields_of_rlimit, 2, 16},
    {fields_of_rusage, 16, 144},
    {fields_of_utsname, 6, 390},
    {fields_of_sysinfo, 12, 112},
    {fields_of_sched_attr, 10, 56},
    {fields_of_perf_event_attr, 6, 136},
    {fields_of_sigval, 2, 8},
    {fields_of_sigevent, 3, 64},
    {fields_of_cap_user_header, 2, 8},
    {fields_of_landlock_ruleset_attr, 2, 16},
    {fields_of_landlock_path_beneath_attr, 2, 12},
    {fields_of_landlock_net_port_attr, 2, 16},
    {fields_of_kcmp_epoll_slot, 3, 12},
    {fields_of_siginfo_child, 6, 48},
    {fields_of_siginfo_sent, 3, 24},
    {fields_of_siginfo, 1, 128, 0, cases_of_siginfo, 1, 43},
    {fields_of_ipc_perm, 6, 24},
    {fields_of_msqid_ds, 8, 120},
    {fields_of_msginfo, 8, 32},
    {fields_of_semid_ds, 4, 88},
    {fields_of_sembuf, 3, 6},
    {fields_of_seminfo, 10, 40},
    {fields_of_shmid_ds, 8, 112},
    {fields_of_shminfo, 5, 72},
    {fields_of_shm_info, 6, 48},
    {fields_of_mq_attr, 4, 64},
    {fields_of_msgbuf, 2, 8},
    {fields_of_winsize, 4, 8},
    {fields_of_fb_bitfield, 3, 12},
    {fields_of_fb_var_screeninfo, 14, 160},
    {fields_of_fb_fix_screeninfo, 5, 80},
    {fields_of_dqblk, 9, 72},
    {fields_of_dqinfo, 4, 24},
    {fields_of_futex_waitv, 3, 24},
    {fields_of_remote_iovec, 2, 16},
    {fields_of_sockaddr_in, 2, 8},
    {fields_of_sockaddr_in6, 4, 28},
    {fields_of_sockaddr_un, 1, 110},
    {fields_of_sockaddr_nl, 2, 12},
    {fields_of_sockaddr_other, 1, 2},
    {fields_of_sockaddr, 1, 2, 0, cases_of_sockaddr, 4, 68},
    {fields_of_linger, 2, 8},
    {fields_of_ucred, 3, 12},
    {fields_of_ip_mreq, 2, 8},
};
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif
inline constexpr selection_case cases_of_epoll_argument[] = {{2, 0xffffffffffffffff, {shown::address, 8}}};
inline constexpr selection_case cases_of_mount_id[] = {{1, 0x1, {shown::plain, 8}}};
inline constexpr selection_case cases_of_protocol[] = {
    {2, 0xffffffffffffffff, {shown::set, 4, 95}},
    {10, 0xffffffffffffffff, {shown::set, 4, 95}},
    {16, 0xffffffffffffffff, {shown::set, 4, 96}},
};
inline constexpr selection_case cases_of_option_name[] = {
    {1, 0xffffffffffffffff, {shown::set, 4, 99}},
    {0, 0xffffffffffffffff, {shown::set, 4, 100}},
    {41, 0xffffffffffffffff, {shown::set, 4, 101}},
    {6, 0xffffffffffffffff, {shown::set, 4, 102}},
    {17, 0xffffffffffffffff, {shown::set, 4, 103}},
    {270, 0xffffffffffffffff, {shown::set, 4, 104}},
};
inline constexpr selection_case cases_of_socket_value[] = {
    {13, 0xffffffffffffffff, {shown::object, 8, 70}},
    {17, 0xffffffffffffffff, {shown::object, 12, 71}},
    {20, 0xffffffffffffffff, {shown::object, 16, 1}},
    {21, 0xffffffffffffffff, {shown::object, 16, 1}},
    {25, 0xffffffffffffffff, {shown::nul_text, 1, -1, 0}},
    {31, 0xffffffffffffffff, {shown::text, 1, -1, 0}},
    {74, 0xffffffffffffffff, {shown::set, 4, 135, 0}},
};
inline constexpr selection_case cases_of_ip_value[] = {
    {35, 0xffffffffffffffff, {shown::object, 8, 72}},
    {36, 0xffffffffffffffff, {shown::object, 8, 72}},
};
inline constexpr selection_case cases_of_tcp_value[] = {
    {13, 0xffffffffffffffff, {shown::text, 1, -1, 0}},
    {11, 0xffffffffffffffff, {shown::text, 1, -1, 0}},
};
inline constexpr selection_case cases_of_option_value[] = {
    {1, 0xffffffffffffffff, {shown::selected, 4, 4}},
    {0, 0xffffffffffffffff, {shown::selected, 4, 5}},
    {6, 0xffffffffffffffff, {shown::selected, 4, 6}},
};
#if defined(__x86_64__)
inline constexpr selection selections[] = {
    {1, cases_of_epoll_argument, 1, {shown::object, 12, 28}},
    {4, cases_of_mount_id, 1, {shown::decimal, 4}},
    {0, cases_of_protocol, 3, {shown::decimal, 4}},
    {1, cases_of_option_name, 6, {shown::decimal, 4}},
    {2, cases_of_socket_value, 7, {shown::decimal, 4, -1, 0}},
    {2, cases_of_ip_value, 2, {shown::decimal, 4, -1, 0}},
    {2, cases_of_tcp_value, 2, {shown::decimal, 4, -1, 0}},
    {1, cases_of_option_value, 3, {shown::decimal, 4, -1, 0}},
};
#elif defined(__aarch64__)
inline constexpr selection selections[] = {
    {1, cases_of_epoll_argument, 1, {shown::object, 16, 28}},
    {4, cases_of_mount_id, 1, {shown::decimal, 4}},
    {0, cases_of_protocol, 3, {shown::decimal, 4}},
    {1, cases_of_option_name, 6, {shown::decimal, 4}},
    {2, cases_of_socket_value, 7, {shown::decimal, 4, -1, 0}},
    {2, cases_of_ip_value, 2, {shown::decimal, 4, -1, 0}},
    {2, cases_of_tcp_value, 2, {shown::decimal, 4, -1, 0}},
    {1, cases_of_option_value, 3, {shown::decimal, 4, -1, 0}},
};
#else
#error "genesys has the system calls of x86-64 and arm64 only"
#endif

// The indexes of sets and structures.
namespace set_of {
inline constexpr std::int16_t open = 0;
inline constexpr std::int16_t pipe = 1;
inline constexpr std::int16_t dup3 = 2;
inline constexpr std::int16_t fd_flags = 3;
inline constexpr std::int16_t unlink = 4;
inline constexpr std::int16_t at = 5;
inline constexpr std::int16_t at_statx = 6;
inline constexpr std::int16_t faccessat = 7;
inline constexpr std::int16_t handle = 8;
inline constexpr std::int16_t access = 9;
inline constexpr std::int16_t rename = 10;
inline constexpr std::int16_t file_type = 11;
inline constexpr std::int16_t statx_mask = 12;
inline constexpr std::int16_t statx_attributes = 13;
inline constexpr std::int16_t fallocate = 14;
inline constexpr std::int16_t file_lock = 15;
inline constexpr std::int16_t sync_file_range = 16;
inline constexpr std::int16_t splice = 17;
inline constexpr std::int16_t memfd = 18;
inline constexpr std::int16_t close_on_exec = 19;
inline constexpr std::int16_t inotify_init = 20;
inline constexpr std::int16_t inotify = 21;
inline constexpr std::int16_t fanotify_init = 22;
inline constexpr std::int16_t fanotify_mark = 23;
inline constexpr std::int16_t fanotify_events = 24;
inline constexpr std::int16_t rwf = 25;
inline constexpr std::int16_t resolve = 26;
inline constexpr std::int16_t xattr = 27;
inline constexpr std::int16_t prot = 28;
inline constexpr std::int16_t map = 29;
inline constexpr std::int16_t mlock = 30;
inline constexpr std::int16_t mlockall = 31;
inline constexpr std::int16_t msync = 32;
inline constexpr std::int16_t policy_mode = 33;
inline constexpr std::int16_t mbind = 34;
inline constexpr std::int16_t get_mempolicy = 35;
inline constexpr std::int16_t socket_type = 36;
inline constexpr std::int16_t accept = 37;
inline constexpr std::int16_t message = 38;
inline constexpr std::int16_t poll = 39;
inline constexpr std::int16_t epoll = 40;
inline constexpr std::int16_t epoll_create = 41;
inline constexpr std::int16_t eventfd = 42;
inline constexpr std::int16_t signalfd = 43;
inline constexpr std::int16_t timerfd = 44;
inline constexpr std::int16_t timerfd_set = 45;
inline constexpr std::int16_t clock_flags = 46;
inline constexpr std::int16_t timex_modes = 47;
inline constexpr std::int16_t timex_status = 48;
inline constexpr std::int16_t sigevent_notify = 49;
inline constexpr std::int16_t wait = 50;
inline constexpr std::int16_t wait4 = 51;
inline constexpr std::int16_t membarrier_flags = 52;
inline constexpr std::int16_t pidfd = 53;
inline constexpr std::int16_t userfaultfd = 54;
inline constexpr std::int16_t perf_open = 55;
inline constexpr std::int16_t sched_policy = 56;
inline constexpr std::int16_t sched_flags = 57;
inline constexpr std::int16_t random = 58;
inline constexpr std::int16_t module_init = 59;
inline constexpr std::int16_t module_delete = 60;
inline constexpr std::int16_t kexec_file = 61;
inline constexpr std::int16_t quota_command = 62;
inline constexpr std::int16_t quota_valid = 63;
inline constexpr std::int16_t msg_get = 64;
inline constexpr std::int16_t ipc_get = 65;
inline constexpr std::int16_t shm_get = 66;
inline constexpr std::int16_t ipc_key = 67;
inline constexpr std::int16_t msg = 68;
inline constexpr std::int16_t semaphore = 69;
inline constexpr std::int16_t shm_at = 70;
inline constexpr std::int16_t mq = 71;
inline constexpr std::int16_t mount = 72;
inline constexpr std::int16_t umount = 73;
inline constexpr std::int16_t statfs_flags = 74;
inline constexpr std::int16_t fsopen = 75;
inline constexpr std::int16_t fspick = 76;
inline constexpr std::int16_t fsmount = 77;
inline constexpr std::int16_t mount_attributes = 78;
inline constexpr std::int16_t open_tree = 79;
inline constexpr std::int16_t move_mount = 80;
inline constexpr std::int16_t swapon = 81;
inline constexpr std::int16_t landlock_create = 82;
inline constexpr std::int16_t landlock_fs = 83;
inline constexpr std::int16_t landlock_net = 84;
inline constexpr std::int16_t key_move = 85;
inline constexpr std::int16_t notify = 86;
inline constexpr std::int16_t seals = 87;
inline constexpr std::int16_t futex = 88;
inline constexpr std::int16_t futex2 = 89;
inline constexpr std::int16_t bitset = 90;
inline constexpr std::int16_t whence = 91;
inline constexpr std::int16_t fadvise = 92;
inline constexpr std::int16_t madvise = 93;
inline constexpr std::int16_t socket_family = 94;
inline constexpr std::int16_t inet_protocol = 95;
inline constexpr std::int16_t netlink_protocol = 96;
inline constexpr std::int16_t shutdown = 97;
inline constexpr std::int16_t socket_level = 98;
inline constexpr std::int16_t socket_option = 99;
inline constexpr std::int16_t ip_option = 100;
inline constexpr std::int16_t ipv6_option = 101;
inline constexpr std::int16_t tcp_option = 102;
inline constexpr std::int16_t udp_option = 103;
inline constexpr std::int16_t netlink_option = 104;
inline constexpr std::int16_t control_message = 105;
inline constexpr std::int16_t epoll_operation = 106;
inline constexpr std::int16_t clock = 107;
inline constexpr std::int16_t interval_timer = 108;
inline constexpr std::int16_t timex_state = 109;
inline constexpr std::int16_t signal = 110;
inline constexpr std::int16_t signal_code = 111;
inline constexpr std::int16_t child_code = 112;
inline constexpr std::int16_t resource = 113;
inline constexpr std::int16_t usage_who = 114;
inline constexpr std::int16_t priority_which = 115;
inline constexpr std::int16_t wait_which = 116;
inline constexpr std::int16_t membarrier = 117;
inline constexpr std::int16_t perf_type = 118;
inline constexpr std::int16_t ioprio_which = 119;
inline constexpr std::int16_t syslog = 120;
inline constexpr std::int16_t reboot_magic = 121;
inline constexpr std::int16_t reboot_magic2 = 122;
inline constexpr std::int16_t reboot = 123;
inline constexpr std::int16_t quota_format = 124;
inline constexpr std::int16_t file_system = 125;
inline constexpr std::int16_t capability_version = 126;
inline constexpr std::int16_t keyring = 127;
inline constexpr std::int16_t lock_type = 128;
inline constexpr std::int16_t lease = 129;
inline constexpr std::int16_t owner_type = 130;
inline constexpr std::int16_t write_hint = 131;
inline constexpr std::int16_t flow_action = 132;
inline constexpr std::int16_t flush_queue = 133;
inline constexpr std::int16_t scheduler = 134;
inline constexpr std::int16_t txrehash = 135;
}  // namespace set_of
namespace structure_of {
inline constexpr std::int16_t timespec = 0;
inline constexpr std::int16_t timeval = 1;
inline constexpr std::int16_t dated_timespec = 2;
inline constexpr std::int16_t dated_timeval = 3;
inline constexpr std::int16_t timezone = 4;
inline constexpr std::int16_t itimerspec = 5;
inline constexpr std::int16_t itimerval = 6;
inline constexpr std::int16_t tms = 7;
inline constexpr std::int16_t timex = 8;
inline constexpr std::int16_t utimbuf = 9;
inline constexpr std::int16_t stat = 10;
inline constexpr std::int16_t statx_timestamp = 11;
inline constexpr std::int16_t statx = 12;
inline constexpr std::int16_t fsid = 13;
inline constexpr std::int16_t statfs = 14;
inline constexpr std::int16_t flock = 15;
inline constexpr std::int16_t flock_found = 16;
inline constexpr std::int16_t f_owner_ex = 17;
inline constexpr std::int16_t file_handle = 18;
inline constexpr std::int16_t open_how = 19;
inline constexpr std::int16_t file_attr = 20;
inline constexpr std::int16_t cachestat_range = 21;
inline constexpr std::int16_t cachestat = 22;
inline constexpr std::int16_t mnt_id_req = 23;
inline constexpr std::int16_t mount_attr = 24;
inline constexpr std::int16_t pollfd = 25;
inline constexpr std::int16_t pollfd_ready = 26;
inline constexpr std::int16_t epoll_data = 27;
inline constexpr std::int16_t epoll_event = 28;
inline constexpr std::int16_t rlimit = 29;
inline constexpr std::int16_t rusage = 30;
inline constexpr std::int16_t utsname = 31;
inline constexpr std::int16_t sysinfo = 32;
inline constexpr std::int16_t sched_attr = 33;
inline constexpr std::int16_t perf_event_attr = 34;
inline constexpr std::int16_t sigval = 35;
inline constexpr std::int16_t sigevent = 36;
inline constexpr std::int16_t cap_user_header = 37;
inline constexpr std::int16_t landlock_ruleset_attr = 38;
inline constexpr std::int16_t landlock_path_beneath_attr = 39;
inline constexpr std::int16_t landlock_net_port_attr = 40;
inline constexpr std::int16_t kcmp_epoll_slot = 41;
inline constexpr std::int16_t siginfo_child = 42;
inline constexpr std::int16_t siginfo_sent = 43;
inline constexpr std::int16_t siginfo = 44;
inline constexpr std::int16_t ipc_perm = 45;
inline constexpr std::int16_t msqid_ds = 46;
inline constexpr std::int16_t msginfo = 47;
inline constexpr std::int16_t semid_ds = 48;
inline constexpr std::int16_t sembuf = 49;
inline constexpr std::int16_t seminfo = 50;
inline constexpr std::int16_t shmid_ds = 51;
inline constexpr std::int16_t shminfo = 52;
inline constexpr std::int16_t shm_info = 53;
inline constexpr std::int16_t mq_attr = 54;
inline constexpr std::int16_t msgbuf = 55;
inline constexpr std::int16_t winsize = 56;
inline constexpr std::int16_t fb_bitfield = 57;
inline constexpr std::int16_t fb_var_screeninfo = 58;
inline constexpr std::int16_t fb_fix_screeninfo = 59;
inline constexpr std::int16_t dqblk = 60;
inline constexpr std::int16_t dqinfo = 61;
inline constexpr std::int16_t futex_waitv = 62;
inline constexpr std::int16_t remote_iovec = 63;
inline constexpr std::int16_t sockaddr_in = 64;
inline constexpr std::int16_t sockaddr_in6 = 65;
inline constexpr std::int16_t sockaddr_un = 66;
inline constexpr std::int16_t sockaddr_nl = 67;
inline constexpr std::int16_t sockaddr_other = 68;
inline constexpr std::int16_t sockaddr = 69;
inline constexpr std::int16_t linger = 70;
inline constexpr std::int16_t ucred = 71;
inline constexpr std::int16_t ip_mreq = 72;
}  // namespace structure_of

}  // namespace genesys::trace
