#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The first process of the virtual machine of display_test.py, with busybox. It runs the commands that come by the
# second serial line, and sends back what each prints, and its exit status.

export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
modprobe aty128fb # /dev/fb0
modprobe bochs    # /dev/fb1
exec </dev/ttyS1 >/dev/ttyS1 2>&1
stty raw -echo
echo "status 0"
while read -r command; do
  eval "$command" </dev/null
  echo "status $?"
done
