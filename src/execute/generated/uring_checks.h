// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys; do not edit. To regenerate: ./dev gen (tools/gen/main.py).
// Compares io_uring opcodes with <linux/io_uring.h>. Included by src/execute/shared_rings.cpp only.
#pragma once

#include <linux/io_uring.h>
#include <linux/version.h>

#include "genesys/detail/table/generated/numbers.h"

namespace genesys::detail {

// The header declares opcodes as enumerators, which the preprocessor does not see. Its version says which it has.
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 1, 0)
static_assert(uring_op::readv == unsigned{IORING_OP_READV}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 1, 0)
static_assert(uring_op::writev == unsigned{IORING_OP_WRITEV}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 1, 0)
static_assert(uring_op::fsync == unsigned{IORING_OP_FSYNC}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 1, 0)
static_assert(uring_op::read_fixed == unsigned{IORING_OP_READ_FIXED}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 1, 0)
static_assert(uring_op::write_fixed == unsigned{IORING_OP_WRITE_FIXED}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 1, 0)
static_assert(uring_op::poll_add == unsigned{IORING_OP_POLL_ADD}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 2, 0)
static_assert(uring_op::sync_file_range == unsigned{IORING_OP_SYNC_FILE_RANGE}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 3, 0)
static_assert(uring_op::sendmsg == unsigned{IORING_OP_SENDMSG}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 3, 0)
static_assert(uring_op::recvmsg == unsigned{IORING_OP_RECVMSG}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 5, 0)
static_assert(uring_op::accept == unsigned{IORING_OP_ACCEPT}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 5, 0)
static_assert(uring_op::async_cancel == unsigned{IORING_OP_ASYNC_CANCEL}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 5, 0)
static_assert(uring_op::connect == unsigned{IORING_OP_CONNECT}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 6, 0)
static_assert(uring_op::fallocate == unsigned{IORING_OP_FALLOCATE}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 6, 0)
static_assert(uring_op::statx == unsigned{IORING_OP_STATX}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 6, 0)
static_assert(uring_op::read == unsigned{IORING_OP_READ}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 6, 0)
static_assert(uring_op::write == unsigned{IORING_OP_WRITE}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 6, 0)
static_assert(uring_op::fadvise == unsigned{IORING_OP_FADVISE}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 6, 0)
static_assert(uring_op::send == unsigned{IORING_OP_SEND}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 6, 0)
static_assert(uring_op::recv == unsigned{IORING_OP_RECV}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
static_assert(uring_op::shutdown == unsigned{IORING_OP_SHUTDOWN}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 0, 0)
static_assert(uring_op::send_zc == unsigned{IORING_OP_SEND_ZC}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
static_assert(uring_op::waitid == unsigned{IORING_OP_WAITID}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
static_assert(uring_op::futex_wait == unsigned{IORING_OP_FUTEX_WAIT}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
static_assert(uring_op::futex_wake == unsigned{IORING_OP_FUTEX_WAKE}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
static_assert(uring_op::ftruncate == unsigned{IORING_OP_FTRUNCATE}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
static_assert(uring_op::bind == unsigned{IORING_OP_BIND}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
static_assert(uring_op::listen == unsigned{IORING_OP_LISTEN}, "see table/io_uring.sys");
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
static_assert(uring_op::epoll_wait == unsigned{IORING_OP_EPOLL_WAIT}, "see table/io_uring.sys");
#endif

}  // namespace genesys::detail
