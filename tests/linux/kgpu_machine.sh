#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The first process of the virtual machine of kgpu_test.py, with busybox. Each case prints "case NAME: passed", or what
# has failed. Each command that could hang has a time limit.

export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mkdir -p /tmp /mnt
ulimit -c 0

say() { echo "$*"; }
count() { cat "/sys/class/misc/kgpu/$1"; }
counts() {
  local name line=
  for name in submitted answered refused malformed timed_out late full by_kernel; do
    line="$line $name=$(count $name)"
  done
  echo "counts:$line"
}

# run_case NAME FUNCTION: the function returns 0, or says what is wrong and returns 1.
run_case() {
  say "case $1: begins at $(cut -d' ' -f1 /proc/uptime)"
  if $2; then say "case $1: passed"; else say "case $1: failed"; fi
  [ ! -e /sys/class/misc/kgpu ] || counts
}

daemon=
# start MANNER: starts the daemon, and waits until Linux has decided about it.
start() {
  local i
  : >/tmp/daemon # not the last daemon's
  if [ "$1" = services ]; then
    genesys-kgpu --device cpu >/tmp/daemon 2>&1 &
  else
    kgpu_daemon $1 >/tmp/daemon 2>&1 &
  fi
  daemon=$!
  for i in $(seq 300); do
    if grep -q . /tmp/daemon; then break; fi
    usleep 100000
  done
  cat /tmp/daemon
  grep -Eq "admitted|has checked" /tmp/daemon
}
end() { # SIGNAL: the daemon ends by it, or else by SIGKILL
  local i
  kill "-$1" "$daemon"
  kill -CONT "$daemon"
  for i in $(seq 300); do
    if ! [ -e "/proc/$daemon" ] || grep -q "^State:.Z" "/proc/$daemon/status"; then break; fi
    usleep 100000
  done
  if kill -KILL "$daemon" 2>/dev/null && [ "$i" = 300 ]; then say "the daemon did not end by $1"; fi
  wait "$daemon" 2>/dev/null
  return 0
}

more() { # NAME BEFORE: this count has grown
  if [ "$(count $1)" -gt "$2" ]; then return 0; fi
  say "the count $1 is $(count $1), as before"
  return 1
}

agrees() { timeout 120 af_alg_check "$1" "$2"; }

crypt_table() { echo "0 $((disk_kib * 2)) crypt aes-xts-plain64 $key 0 /dev/ram0 0 1 sector_size:4096"; }
disk_kib=131072
key=$(hexdump -n 64 -v -e '1/1 "%02x"' /dev/urandom)
# There is no udev to make the node.
open_disk() { crypt_table | timeout 60 dmsetup create --noudevrules --noudevsync secret && dmsetup mknodes; }
mount_disk() { mount -t ext4 /dev/mapper/secret /mnt; }
read_anew() {
  sync
  echo 3 >/proc/sys/vm/drop_caches
}
same_tree() { # FOLDER: what is on the disk is the tree
  read_anew
  timeout 300 diff -r /tree "/mnt/$1" >/tmp/diff 2>&1 && return 0
  say "the tree differs:"
  head -5 /tmp/diff
  return 1
}
copy_tree() { timeout 300 cp -r /tree "/mnt/$1"; }

load() {
  for module in brd dm-mod dm-crypt xts aesni-intel af_alg algif_skcipher; do
    /bin/modprobe $module $([ $module != brd ] || echo rd_nr=2 rd_size=$disk_kib) || return 1
  done
  /bin/modprobe kgpu limit_ms=1000 || return 1
  if grep -q kgpu /proc/crypto; then say "registered without a daemon"; return 1; fi
  [ "$(count registered)$(count daemon)" = 00 ]
}
admit() {
  start || return 1
  [ "$(count registered)$(count daemon)" = 11 ] || return 1
  awk '/^driver/ { driver = $3 }
    /^(priority|selftest|async)/ { if (driver == "xts-aes-kgpu") print $1, $3 }' /proc/crypto | tee /tmp/crypto
  [ "$(tr '\n' ' ' </tmp/crypto)" = "priority 5000 selftest passed async yes " ] || return 1
  if kgpu_daemon; then say "a second daemon"; return 1; fi
  # OpenSSL gives keys with equal halves back, which two of the crypto API's vectors have.
  [ "$(count malformed)" = 0 ] && [ "$(count refused)" -lt 20 ]
}
af_alg() {
  local before=$(count answered)
  agrees 4 5 && more answered "$before"
}
ext4() {
  local before=$(count answered) fallback=$(count by_kernel) back=$(count refused)
  open_disk || return 1
  timeout 60 /bin/mke2fs -q -t ext4 -b 4096 /dev/mapper/secret || return 1
  mount_disk && copy_tree one || return 1
  same_tree one || return 1
  say "pieces answered: $(($(count answered) - before)), requests by the kernel: $(($(count by_kernel) - fallback))"
  [ $(($(count answered) - before)) -gt 5000 ] && [ "$(count refused)" = "$back" ]
}
layout() { # as docs/service-linux.md says it of the nbdkit plugin
  echo "0 2048 crypt aes-xts-plain64 $key 0 /dev/ram1 0 2 sector_size:4096 iv_large_sectors" |
    timeout 60 dmsetup create other --noudevrules --noudevsync && dmsetup mknodes || return 1
  dd if=/dev/urandom of=/tmp/plain bs=4096 count=64 2>/dev/null
  dd if=/tmp/plain of=/dev/mapper/other bs=4096 conv=fsync 2>/dev/null || return 1
  read_anew
  timeout 60 af_alg_check layout "$key" /tmp/plain /dev/ram1 || return 1
  timeout 60 dmsetup remove --noudevrules --noudevsync other
}
killed() {
  local fallback=$(count by_kernel) before=$(count submitted) i
  copy_tree two || return 1
  sync &
  copy=$!
  for i in $(seq 500); do
    [ $(($(count submitted) - before)) -gt 300 ] && break
    usleep 10000
  done
  end KILL
  wait $copy || return 1
  say "in flight when the daemon ended: $(($(count submitted) - $(count answered) - $(count refused)))"
  more submitted $((before + 300)) || return 1
  [ "$(count daemon)" = 0 ] || return 1
  same_tree two && same_tree one && agrees 2 2 && more by_kernel "$fallback"
}
again() {
  local before=$(count answered)
  start || return 1
  same_tree two && copy_tree three && same_tree three && more answered "$before" && agrees 2 2
}
killed_often() {
  local i
  agrees 4 20 &
  check=$!
  (while copy_tree five && sync && rm -r /mnt/five && ! [ -e /tmp/enough ]; do :; done) &
  writer=$!
  for i in 1 2 3 4 5 6; do
    usleep $((100000 + i * 137000))
    end KILL
    usleep 100000
    start || return 1
  done
  wait $check || return 1
  touch /tmp/enough
  wait $writer
  same_tree three
}
stopped() {
  local before=$(count timed_out) i
  kill -STOP $daemon
  same_tree three || return 1
  agrees 2 1 || return 1
  more timed_out "$before" || return 1
  kill -CONT $daemon
  for i in $(seq 50); do
    [ "$(count late)" = "$(count timed_out)" ] && break
    usleep 100000
  done
  [ "$(count late)" = "$(count timed_out)" ] || return 1
  before=$(count answered)
  agrees 2 1 && more answered "$before"
}
terminated() {
  end TERM
  [ "$(count daemon)" = 0 ] && same_tree one
}
wrong() {
  if start wrong; then say "it was admitted"; return 1; fi
  wait $daemon
  [ "$(count daemon)" = 0 ] && grep -q "an answer was wrong" /tmp/daemon && same_tree two && agrees 2 1
}
refusing() {
  local before=$(count refused)
  start refuse || return 1
  agrees 4 3 && same_tree two && more refused "$before"
  local is=$?
  end KILL
  return $is
}
noise() {
  local before=$(count malformed)
  start noise || return 1
  agrees 4 3 && same_tree two && copy_tree four && same_tree four && more malformed "$before"
  local is=$?
  end KILL
  return $is
}
slow() {
  start slow || return 1
  agrees 4 2 && same_tree four
  local is=$?
  end KILL
  return $is
}
services() { # the daemon that computes by a service
  if ! [ -e /bin/genesys-kgpu ]; then
    say "left out: genesys-kgpu was not built"
    return 0
  fi
  local before=$(count answered)
  start services || return 1
  rm -r /mnt/three && agrees 2 3 && same_tree one && copy_tree six && same_tree six && more answered "$before"
  local is=$?
  end TERM
  cat /tmp/daemon
  grep -q "requests of the service" /tmp/daemon && return $is # it has lived until now
}
busy() {
  if /bin/rmmod kgpu 2>/dev/null; then say "the module was removed while a disk used it"; return 1; fi
  same_tree one
}
removed() {
  umount /mnt && timeout 60 dmsetup remove --noudevrules --noudevsync secret || return 1
  timeout 60 /bin/rmmod kgpu || return 1
  if grep -q kgpu /proc/crypto || [ -e /dev/kgpu ]; then say "something is left"; return 1; fi
  open_disk && mount_disk && same_tree one && same_tree two && same_tree four && agrees 2 1
}
loaded_again() {
  /bin/modprobe kgpu units=16 && start || return 1
  agrees 4 3 && more full 0
  local is=$?
  end TERM
  return $is
}
quiet_kernel() {
  # Each daemon that was refused has a line of its own.
  dmesg | grep -E "BUG|WARNING|Oops|Call Trace|hung|stall|segfault|alg:.*fail" && return 1
  return 0
}

run_case load load
run_case admit admit
run_case af_alg af_alg
run_case ext4_on_dm_crypt ext4
run_case layout_of_the_nbdkit_plugin layout
run_case daemon_killed killed
run_case daemon_again again
run_case daemon_killed_often killed_often
run_case daemon_stopped stopped
run_case daemon_terminated terminated
run_case wrong_answers wrong
run_case requests_given_back refusing
run_case malformed_completions noise
run_case slow_daemon slow
run_case services services
run_case busy busy
run_case removed removed
run_case loaded_again loaded_again
run_case quiet_kernel quiet_kernel
dmesg | tail -n 20
say "all cases ran"
reboot -f
