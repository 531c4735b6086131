/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the module share. A job is one piece of a request of the crypto API on its way to the daemon:
 * xts.c makes it, server.c carries it.
 */
#pragma once

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/scatterlist.h>
#include <linux/workqueue.h>

#include "kgpu_abi.h"

struct kgpu_key {
  u8 bytes[KGPU_KEY_BYTES_MAX];
  u32 count;
  u64 number;
};

struct kgpu_job {
  struct scatterlist *source, *target;
  u32 offset, bytes; /* in both lists */
  u32 operation;
  u8 iv[16];
  const struct kgpu_key* key;
  /*
   * Called once for each job that was submitted, in any context but a hard interrupt, with bottom halves off.
   * 0: the result is in `target`. -EAGAIN: `target` is unchanged, and the kernel's own cipher must do it.
   */
  void (*done)(struct kgpu_job* job, int error);
  struct list_head entry; /* server.c's */
};

/* server.c. Never sleeps, allocates nothing. 0, or -EAGAIN: no daemon, no space, or the daemon is late. */
struct kgpu_server;
int kgpu_submit(struct kgpu_job* job, bool is_check);
void kgpu_set_admitted(struct kgpu_server* server, bool is_admitted);
bool kgpu_is_open(struct kgpu_server* server);
bool kgpu_has_daemon(void);
extern const struct file_operations kgpu_files;
extern unsigned int kgpu_units, kgpu_limit_ms;

/* xts.c */
int kgpu_register_xts(void);
void kgpu_unregister_xts(void);
struct crypto_skcipher;
struct crypto_skcipher* kgpu_alloc_for_check(void);
extern int kgpu_priority;

/* admit.c: decides whether a daemon gets requests, on the module's workqueue. */
int kgpu_admit(struct kgpu_server* server);
bool kgpu_is_registered(void);
void kgpu_end_admission(void);

/* main.c */
extern struct workqueue_struct* kgpu_workers;
struct kgpu_counts {
  atomic64_t submitted; /* pieces that the daemon got */
  atomic64_t answered;
  atomic64_t refused;   /* the daemon's completion had a status */
  atomic64_t malformed; /* completions of nothing */
  atomic64_t timed_out;
  atomic64_t late;      /* completions of pieces that had timed out */
  atomic64_t full;      /* there was no space */
  atomic64_t by_kernel; /* requests, or the rest of one, that the kernel's own cipher did */
};
extern struct kgpu_counts kgpu_counts;
