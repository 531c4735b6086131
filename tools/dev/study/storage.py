# SPDX-License-Identifier: Apache-2.0
"""The storages of a study: folders on several file systems, which are mounted for the study and unmounted at its end.

File systems on a disk are in an image, a file on the disk of the working folder, which a loop device makes a block
device. `ext4-ram` has its image in tmpfs: the same file system on storage that is as fast as memory. Mounting needs
root. Without it there are the disk itself and the machine's /dev/shm.
"""

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

from bench_run import Failure

IMAGE_MIB = 400  # XFS takes no less than 300
NAMES = ("disk", "tmpfs", "ext4", "xfs", "ext2", "ext4-ram")
_MAKERS = {"ext4": ["mkfs.ext4", "-q", "-F"], "ext2": ["mkfs.ext2", "-q", "-F"], "xfs": ["mkfs.xfs", "-q", "-f"]}
_LIMIT_S = 60
_DROP = Path("/proc/sys/vm/drop_caches")


def can_drop_caches():
    return os.access(_DROP, os.W_OK)


def drop_caches():
    os.sync()
    _DROP.write_text("3")


class Storages:
    """A context that mounts each storage when it is first asked for, and unmounts all at the end."""

    def __init__(self, work):
        self._work, self._stack = Path(work), contextlib.ExitStack()
        self._folders = {}

    def __enter__(self):
        return self

    def __exit__(self, *wrong):
        return self._stack.__exit__(*wrong)

    def folder(self, name):
        """The folder of a storage. Raises Failure with the reason if it cannot be had."""
        if name not in self._folders:
            self._folders[name] = self._made(name)
        return self._folders[name]

    def _made(self, name):
        place = self._work / name
        if name == "disk":
            place.mkdir(parents=True, exist_ok=True)
            self._stack.callback(shutil.rmtree, place, ignore_errors=True)
            return place
        if os.geteuid() != 0:
            if name == "tmpfs" and os.access("/dev/shm", os.W_OK):
                place = Path(f"/dev/shm/genesys-study-{os.getpid()}")
                place.mkdir()
                self._stack.callback(shutil.rmtree, place, ignore_errors=True)
                return place
            raise Failure("mounting needs root")
        place.mkdir(parents=True, exist_ok=True)
        if name == "tmpfs":
            _run("mount", "-t", "tmpfs", "-o", f"size={4 * IMAGE_MIB}m", "genesys-study", str(place))
        else:
            self._mount_image(name, place)
        self._stack.callback(_unmount, place)
        return place

    def _mount_image(self, name, place):
        system = name.partition("-")[0]
        if not shutil.which(_MAKERS[system][0]):
            raise Failure(f"there is no {_MAKERS[system][0]}")
        below = self.folder("tmpfs") if name.endswith("-ram") else self._work
        image = below / f"{name}.image"
        self._stack.callback(image.unlink, missing_ok=True)
        with open(image, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, IMAGE_MIB << 20)
        _run(*_MAKERS[system], str(image))
        _run("mount", "-o", "loop", str(image), str(place))  # umount frees the loop device


def _run(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_LIMIT_S)
    if done.returncode != 0:
        raise Failure(f"{command[0]} failed: {done.stderr.strip()}")


def _unmount(place):
    for more in ((), ("-l",)):
        if subprocess.run(["umount", *more, str(place)], stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=_LIMIT_S).returncode == 0:
            break
    with contextlib.suppress(OSError):
        place.rmdir()
