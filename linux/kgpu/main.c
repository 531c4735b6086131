// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module kgpu: its parameters, the device /dev/kgpu, and the counts in /sys/class/misc/kgpu/. A daemon serves
 * xts(aes) of Linux's crypto API through the device; docs/service-linux.md of the project genesys describes it.
 */
#include <linux/device.h>
#include <linux/miscdevice.h>
#include <linux/module.h>

#include "module.h"

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The authors of genesys");
MODULE_DESCRIPTION("Ciphers of the crypto API that a daemon in user space computes, on a GPU");
MODULE_SOFTDEP("pre: xts aesni_intel");

module_param_named(units, kgpu_units, uint, 0444);
MODULE_PARM_DESC(units, "units of 4 KiB for the data of requests under way: 16 to 16384");
module_param_named(limit_ms, kgpu_limit_ms, uint, 0644);
MODULE_PARM_DESC(limit_ms, "a request that takes longer is done by the kernel's own cipher: 10 to 600000");
module_param_named(priority, kgpu_priority, int, 0444);
MODULE_PARM_DESC(priority, "of xts-aes-kgpu among the ciphers of the same name");

struct kgpu_counts kgpu_counts;
struct workqueue_struct* kgpu_workers;

#define COUNT(name)                                                                           \
  static ssize_t name##_show(struct device* of, struct device_attribute* which, char* text) { \
    return sysfs_emit(text, "%lld\n", (long long)atomic64_read(&kgpu_counts.name));           \
  }                                                                                           \
  static DEVICE_ATTR_RO(name)
COUNT(submitted);
COUNT(answered);
COUNT(refused);
COUNT(malformed);
COUNT(timed_out);
COUNT(late);
COUNT(full);
COUNT(by_kernel);

static ssize_t daemon_show(struct device* of, struct device_attribute* which, char* text) {
  return sysfs_emit(text, "%d\n", kgpu_has_daemon());
}
static DEVICE_ATTR_RO(daemon);
static ssize_t registered_show(struct device* of, struct device_attribute* which, char* text) {
  return sysfs_emit(text, "%d\n", kgpu_is_registered());
}
static DEVICE_ATTR_RO(registered);

static struct attribute* kgpu_attrs[] = {&dev_attr_submitted.attr,
                                         &dev_attr_answered.attr,
                                         &dev_attr_refused.attr,
                                         &dev_attr_malformed.attr,
                                         &dev_attr_timed_out.attr,
                                         &dev_attr_late.attr,
                                         &dev_attr_full.attr,
                                         &dev_attr_by_kernel.attr,
                                         &dev_attr_daemon.attr,
                                         &dev_attr_registered.attr,
                                         NULL};
ATTRIBUTE_GROUPS(kgpu);

static struct miscdevice kgpu_device = {
    .minor = MISC_DYNAMIC_MINOR, .name = "kgpu", .mode = 0600, .fops = &kgpu_files, .groups = kgpu_groups};

static int __init kgpu_init(void) {
  int error;

  if (kgpu_units < 16 || kgpu_units > 16384 || kgpu_limit_ms < 10 || kgpu_limit_ms > 600000) return -EINVAL;
  /* dm-crypt may need these workers to free memory. */
  kgpu_workers = alloc_workqueue("kgpu", WQ_MEM_RECLAIM | WQ_UNBOUND, 0);
  if (!kgpu_workers) return -ENOMEM;
  error = misc_register(&kgpu_device);
  if (error) destroy_workqueue(kgpu_workers);
  return error;
}

/* The device is closed and no cipher is in use, because both hold a reference to the module. */
static void __exit kgpu_exit(void) {
  misc_deregister(&kgpu_device);
  kgpu_end_admission();
  destroy_workqueue(kgpu_workers);
}

module_init(kgpu_init);
module_exit(kgpu_exit);
