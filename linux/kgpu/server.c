// SPDX-License-Identifier: GPL-2.0-only
/*
 * The opened device: mapped memory, jobs on their way to the daemon and back, the time limit, and the daemon's end.
 *
 * A job holds units from kgpu_submit() until it is completed. Its record says whose the units are:
 *   FREE -> FILLING (the submitter copies its data in) -> SENT (the daemon has it)
 *   SENT -> COPYING (a thread of the daemon, in write(), copies the result out) -> FREE
 *   SENT -> LATE (time limit; the job went back, the daemon may still write) -> FREE by the late completion
 *   SENT -> FREE when the device is closed: then no mapping of the daemon is left.
 * While a record is LATE, no new job goes to the daemon.
 *
 * The module believes nothing in the mapped memory but the data of a result, which it copies once, as many bytes as the
 * job has. It reads `head` for poll() alone.
 */
#include <crypto/scatterwalk.h>
#include <linux/bitmap.h>
#include <linux/capability.h>
#include <linux/kref.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "module.h"

static_assert(sizeof(struct kgpu_request) == 128);
static_assert(sizeof(struct kgpu_shared) == 192);
static_assert(sizeof(struct kgpu_completion) == 16);

unsigned int kgpu_units = 4096, kgpu_limit_ms = 2000;

enum state { FREE, FILLING, SENT, COPYING, LATE };

/* Of the unit with which a job's data begin. */
struct record {
  struct kgpu_job* job;
  unsigned long sent; /* jiffies */
  u32 use, count;     /* count: of units */
  u32 sequence;       /* of its entry in the ring */
  enum state state;
};

struct kgpu_server {
  struct kref references; /* the open file's, each submitter's while it copies, and the admission's */
  bool is_open, is_admitted;
  u32 units, late_count, next_unit, tail;
  unsigned long* used; /* a bit for each unit */
  struct record* records;
  size_t bytes;
  void* memory;
  struct kgpu_shared* shared;
  struct kgpu_request* ring;
  u8* data;
  wait_queue_head_t waiting;
  struct delayed_work look;
  struct work_struct admission;
  struct completion admission_over;
  bool admission_began;
  int admission_error;
};

static DEFINE_SPINLOCK(lock); /* taken with bottom halves off; guards all but the data */
static struct kgpu_server* current_server;

static void free_server(struct kref* references) {
  struct kgpu_server* server = container_of(references, struct kgpu_server, references);

  if (server->memory) memzero_explicit(server->memory, server->bytes);
  vfree(server->memory);
  kvfree(server->records);
  bitmap_free(server->used);
  kfree(server);
}

static void put_server(struct kgpu_server* server) { kref_put(&server->references, free_server); }

bool kgpu_has_daemon(void) {
  bool has;

  spin_lock_bh(&lock);
  has = current_server && current_server->is_admitted;
  spin_unlock_bh(&lock);
  return has;
}

bool kgpu_is_open(struct kgpu_server* server) {
  bool is;

  spin_lock_bh(&lock);
  is = server->is_open;
  spin_unlock_bh(&lock);
  return is;
}

void kgpu_set_admitted(struct kgpu_server* server, bool is_admitted) {
  spin_lock_bh(&lock);
  server->is_admitted = is_admitted;
  spin_unlock_bh(&lock);
}

/* With the lock. */
static int take_units(struct kgpu_server* server, u32 count, u32* first) {
  unsigned long at = bitmap_find_next_zero_area(server->used, server->units, server->next_unit, count, 0);

  if (at >= server->units) at = bitmap_find_next_zero_area(server->used, server->units, 0, count, 0);
  if (at >= server->units) return -EAGAIN;
  bitmap_set(server->used, at, count);
  server->next_unit = (at + count) % server->units;
  server->records[at].count = count;
  server->records[at].use++;
  server->records[at].state = FILLING;
  *first = at;
  return 0;
}

static void free_units(struct kgpu_server* server, struct record* record) {
  record->state = FREE;
  record->job = NULL;
  bitmap_clear(server->used, record - server->records, record->count);
}

/*
 * A key stays in the ring only as long as the daemon may need it. The daemon may just be reading the entry of a job
 * that goes back, so the number is gone before the key: see step 2 in kgpu_abi.h. If others were faster than this job,
 * a later one may have its entry.
 */
static void wipe_key(struct kgpu_server* server, struct record* record) {
  struct kgpu_request* request = &server->ring[record->sequence % server->units];

  if (server->tail - record->sequence > server->units) return;
  WRITE_ONCE(request->key_number, 0);
  smp_wmb(); /* pairs with the fence of kgpu_device::take in src/service/kgpu_device.cpp */
  memzero_explicit(request->key, KGPU_KEY_BYTES_MAX);
}

/*
 * An entry is free again after `units` requests. At most so many are under way, and the daemon takes entries in order,
 * so it has taken that one, unless it is late with all.
 */
static void send_job(struct kgpu_server* server, u32 unit, struct kgpu_job* job) {
  struct record* record = &server->records[unit];
  struct kgpu_request* request = &server->ring[server->tail % server->units];

  record->sequence = server->tail;
  record->job = job;
  record->sent = jiffies;
  record->state = SENT;
  request->id = unit;
  request->use = record->use;
  request->operation = job->operation;
  request->bytes = job->bytes;
  request->key_number = job->key->number;
  request->key_bytes = job->key->count;
  memcpy(request->iv, job->iv, sizeof(request->iv));
  memcpy(request->key, job->key->bytes, job->key->count);
  smp_store_release(&server->shared->tail, ++server->tail); /* pairs with the daemon's load of `tail` */
}

int kgpu_submit(struct kgpu_job* job, bool is_check) {
  struct kgpu_server* server;
  u32 unit = 0;
  int error = -EAGAIN;

  spin_lock_bh(&lock);
  server = current_server;
  if (server && (server->is_admitted || is_check) && server->late_count == 0) {
    error = take_units(server, DIV_ROUND_UP(job->bytes, KGPU_UNIT_BYTES), &unit);
    if (error) atomic64_inc(&kgpu_counts.full);
  }
  if (!error) kref_get(&server->references);
  spin_unlock_bh(&lock);
  if (error) return error;

  scatterwalk_map_and_copy(server->data + (size_t)unit * KGPU_UNIT_BYTES, job->source, job->offset, job->bytes, 0);

  spin_lock_bh(&lock);
  if (server->is_open) {
    send_job(server, unit, job);
  } else { /* the daemon has ended meanwhile */
    free_units(server, &server->records[unit]);
    error = -EAGAIN;
  }
  spin_unlock_bh(&lock);
  if (!error) {
    atomic64_inc(&kgpu_counts.submitted);
    if (wq_has_sleeper(&server->waiting)) wake_up_interruptible(&server->waiting);
  }
  put_server(server);
  return error;
}

static void finish(struct kgpu_job* job, int error) {
  local_bh_disable();
  job->done(job, error);
  local_bh_enable();
}

static void complete_one(struct kgpu_server* server, const struct kgpu_completion* is) {
  struct record* record = NULL;
  struct kgpu_job* job = NULL;

  spin_lock_bh(&lock);
  if (is->id < server->units) record = &server->records[is->id];
  if (!record || record->use != is->use || (record->state != SENT && record->state != LATE)) {
    atomic64_inc(&kgpu_counts.malformed);
  } else if (record->state == LATE) {
    atomic64_inc(&kgpu_counts.late);
    server->late_count--;
    free_units(server, record);
  } else {
    job = record->job;
    record->state = COPYING;
    wipe_key(server, record);
  }
  spin_unlock_bh(&lock);
  if (!job) return;

  if (is->status == 0)
    scatterwalk_map_and_copy(server->data + (size_t)is->id * KGPU_UNIT_BYTES, job->target, job->offset, job->bytes, 1);

  spin_lock_bh(&lock);
  free_units(server, record);
  spin_unlock_bh(&lock);
  atomic64_inc(is->status == 0 ? &kgpu_counts.answered : &kgpu_counts.refused);
  finish(job, is->status == 0 ? 0 : -EAGAIN);
}

static ssize_t kgpu_write(struct file* file, const char __user* from, size_t bytes, loff_t* at) {
  struct kgpu_server* server = file->private_data;
  struct kgpu_completion some[16];
  size_t done = 0;

  if (bytes % sizeof(some[0]) != 0) return -EINVAL;
  while (done < bytes) {
    size_t part = min(bytes - done, sizeof(some)), i;

    if (copy_from_user(some, from + done, part)) return done ? (ssize_t)done : -EFAULT;
    for (i = 0; i < part / sizeof(some[0]); i++) complete_one(server, &some[i]);
    done += part;
    cond_resched();
  }
  return done;
}

/* Takes jobs back that were sent before `until`, and gives them to the kernel's own cipher. */
static void take_back(struct kgpu_server* server, unsigned long until, enum state then) {
  struct kgpu_job *job, *next;
  LIST_HEAD(jobs);
  u32 unit;

  spin_lock_bh(&lock);
  for (unit = 0; unit < server->units; unit++) {
    struct record* record = &server->records[unit];

    if (record->state != SENT || time_after(record->sent, until)) continue;
    list_add_tail(&record->job->entry, &jobs);
    wipe_key(server, record);
    if (then == LATE) {
      record->state = LATE;
      record->job = NULL;
      server->late_count++;
      atomic64_inc(&kgpu_counts.timed_out);
    } else {
      free_units(server, record);
    }
  }
  spin_unlock_bh(&lock);
  list_for_each_entry_safe(job, next, &jobs, entry) {
    list_del(&job->entry);
    finish(job, -EAGAIN);
  }
}

static unsigned long limit_jiffies(void) { return msecs_to_jiffies(clamp(READ_ONCE(kgpu_limit_ms), 10u, 600000u)); }

static void look_for_late(struct work_struct* work) {
  struct kgpu_server* server = container_of(to_delayed_work(work), struct kgpu_server, look);

  take_back(server, jiffies - limit_jiffies(), LATE);
  queue_delayed_work(kgpu_workers, &server->look, max(limit_jiffies() / 4, 1ul));
}

static void admit(struct work_struct* work) {
  struct kgpu_server* server = container_of(work, struct kgpu_server, admission);

  server->admission_error = kgpu_admit(server);
  complete_all(&server->admission_over);
  put_server(server);
}

static int kgpu_open(struct inode* inode, struct file* file) {
  struct kgpu_server* server;
  size_t ring_offset = PAGE_SIZE, data_offset;
  bool is_first = false;

  /* What it is given are keys and data of all users. */
  if (!capable(CAP_SYS_ADMIN)) return -EPERM;
  server = kzalloc(sizeof(*server), GFP_KERNEL);
  if (!server) return -ENOMEM;
  kref_init(&server->references);
  server->units = kgpu_units;
  data_offset = ring_offset + PAGE_ALIGN(server->units * sizeof(struct kgpu_request));
  server->bytes = data_offset + (size_t)server->units * KGPU_UNIT_BYTES;
  server->used = bitmap_zalloc(server->units, GFP_KERNEL);
  server->records = kvcalloc(server->units, sizeof(struct record), GFP_KERNEL);
  server->memory = vmalloc_user(server->bytes);
  if (!server->used || !server->records || !server->memory) {
    put_server(server);
    return -ENOMEM;
  }
  server->shared = server->memory;
  server->ring = server->memory + ring_offset;
  server->data = server->memory + data_offset;
  server->shared->format = KGPU_FORMAT;
  server->shared->units = server->units;
  server->shared->ring_offset = ring_offset;
  server->shared->data_offset = data_offset;
  init_waitqueue_head(&server->waiting);
  init_completion(&server->admission_over);
  INIT_DELAYED_WORK(&server->look, look_for_late);
  INIT_WORK(&server->admission, admit);
  server->is_open = true;

  spin_lock_bh(&lock);
  if (!current_server) {
    current_server = server;
    is_first = true;
  }
  spin_unlock_bh(&lock);
  if (!is_first) {
    put_server(server);
    return -EBUSY;
  }
  file->private_data = server;
  queue_delayed_work(kgpu_workers, &server->look, max(limit_jiffies() / 4, 1ul));
  return nonseekable_open(inode, file);
}

/* The daemon has closed the device or has ended, and no mapping is left. */
static int kgpu_release(struct inode* inode, struct file* file) {
  struct kgpu_server* server = file->private_data;

  spin_lock_bh(&lock);
  server->is_open = false;
  server->is_admitted = false;
  current_server = NULL;
  spin_unlock_bh(&lock);
  cancel_delayed_work_sync(&server->look);
  take_back(server, jiffies, FREE);
  put_server(server);
  return 0;
}

/* A child of the daemon gets no mapping: it would outlive the daemon, and the device would stay open. */
static int kgpu_mmap(struct file* file, struct vm_area_struct* area) {
  struct kgpu_server* server = file->private_data;

  if (!(area->vm_flags & VM_SHARED) || area->vm_pgoff != 0 || area->vm_end - area->vm_start != server->bytes)
    return -EINVAL;
  area->vm_flags |= VM_DONTCOPY | VM_DONTDUMP;
  return remap_vmalloc_range(area, server->memory, 0);
}

static __poll_t kgpu_poll(struct file* file, poll_table* table) {
  struct kgpu_server* server = file->private_data;

  poll_wait(file, &server->waiting, table);
  return READ_ONCE(server->tail) != READ_ONCE(server->shared->head) ? EPOLLIN | EPOLLRDNORM : 0;
}

static long kgpu_ioctl(struct file* file, unsigned int command, unsigned long argument) {
  struct kgpu_server* server = file->private_data;
  u64 bytes = server->bytes;
  bool begins;

  switch (command) {
    case KGPU_BYTES:
      return copy_to_user((void __user*)argument, &bytes, sizeof(bytes)) ? -EFAULT : 0;
    case KGPU_SERVE:
      spin_lock_bh(&lock);
      begins = !server->admission_began;
      server->admission_began = true;
      spin_unlock_bh(&lock);
      if (begins) {
        kref_get(&server->references);
        queue_work(kgpu_workers, &server->admission);
      }
      if (wait_for_completion_killable(&server->admission_over)) return -EINTR;
      return server->admission_error;
    default:
      return -ENOTTY;
  }
}

const struct file_operations kgpu_files = {.owner = THIS_MODULE,
                                           .open = kgpu_open,
                                           .release = kgpu_release,
                                           .mmap = kgpu_mmap,
                                           .poll = kgpu_poll,
                                           .write = kgpu_write,
                                           .unlocked_ioctl = kgpu_ioctl,
                                           .compat_ioctl = compat_ptr_ioctl,
                                           .llseek = no_llseek};
