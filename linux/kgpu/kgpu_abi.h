/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR Apache-2.0 */
/*
 * What the Linux module kgpu and its daemon share. The daemon opens /dev/kgpu, maps `bytes` of it, and calls
 * KGPU_SERVE. Then requests come through the mapped ring, and completions go back by write(). C and C++.
 *
 * Mapped memory: struct kgpu_shared, then the ring of `units` requests, then `units` units of data.
 * A request's data begin in unit `id` and are `bytes` long; the daemon replaces them by the result in place.
 *
 * The daemon.
 *   1. Load `tail` (acquire). The requests from its own head to `tail` are new: request n is entry n % units.
 *   2. Copy the entry, then load its key number again (behind an acquire fence). If it has changed, the module has
 * taken the request back and has overwritten the key: drop the copy, complete with a status. Store the new `head`.
 *   3. Replace the data. Write a completion with the request's id and use; one write() takes several.
 *   4. If there is nothing new, look at `tail` for a while, and then poll(): POLLIN means that `tail` is not `head`.
 * Any thread may do any step, but entries are taken by one thread at a time.
 */
#pragma once

#include <linux/ioctl.h>
#include <linux/types.h>

#define KGPU_FORMAT 0x6b677031u
#define KGPU_UNIT_BYTES 4096u
#define KGPU_DATA_BYTES_MAX 65536u /* of a request */
#define KGPU_KEY_BYTES_MAX 64u

enum kgpu_operation { KGPU_XTS_ENCRYPT = 1, KGPU_XTS_DECRYPT = 2 };

struct kgpu_request {
  __u32 id;         /* the first unit of its data */
  __u32 use;        /* tells the uses of an id apart */
  __u32 operation;  /* enum kgpu_operation */
  __u32 bytes;      /* of data: a multiple of 16, at most KGPU_DATA_BYTES_MAX */
  __u64 key_number; /* one number is one key, so the daemon may keep prepared keys by it. 0: taken back */
  __u32 key_bytes;  /* of both halves: 32 or 64 */
  __u32 unused;
  __u8 iv[16]; /* as IEEE 1619 encrypts it with the second half of the key */
  __u8 key[KGPU_KEY_BYTES_MAX];
  __u8 unused_too[16];
};

struct kgpu_shared {
  __u32 format; /* KGPU_FORMAT */
  __u32 units;
  __u32 ring_offset, data_offset; /* from the first byte of this structure */
  __u32 unused[12];
  __u32 tail; /* the module writes it */
  __u32 unused_too[15];
  __u32 head; /* the daemon writes it, and the module reads it in poll() alone */
  __u32 unused_three[15];
};

struct kgpu_completion {
  __u32 id, use; /* of the request */
  __s32 status;  /* 0: the data are the result. Else the kernel's own cipher does it again from the source */
  __u32 unused;
};

/* How many bytes to map. */
#define KGPU_BYTES _IOR('K', 0x90, __u64)
/*
 * Linux checks the daemon, and then sends requests. Other threads must serve meanwhile. 0, or -1 and errno:
 * EBADMSG: an answer was wrong. EIO: a request was not answered.
 */
#define KGPU_SERVE _IO('K', 0x91)
