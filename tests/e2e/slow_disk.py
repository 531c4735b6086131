# SPDX-License-Identifier: Apache-2.0
"""A file on a disk that is slow: a file system of FUSE with one file, `file`, whose reads take `delay_s`. It speaks the
protocol of fuse(4) itself, and mounts with mount(2), which root alone may do."""

import ctypes
import os
import pathlib
import struct
import threading
import time

ATTRIBUTES = struct.Struct("<6Q10I")
ROOT, FILE = 1, 2
BYTES = 4096
LOOKUP, FORGET, GETATTR, OPEN, READ, RELEASE, FLUSH, INIT, INTERRUPT, DESTROY = 1, 2, 3, 14, 15, 18, 25, 26, 36, 38


class SlowDisk:
    """Mounted while it is entered; its value is the path of the file. Raises OSError if it cannot be mounted."""

    def __init__(self, folder, delay_s):
        self.folder, self.delay_s = pathlib.Path(folder), delay_s

    def __enter__(self):
        self.folder.mkdir()
        self.device = os.open("/dev/fuse", os.O_RDWR)
        self.libc = ctypes.CDLL(None, use_errno=True)
        options = f"fd={self.device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}"
        if self.libc.mount(b"slow", bytes(self.folder), b"fuse", 0, options.encode()) != 0:
            os.close(self.device)
            raise OSError(ctypes.get_errno(), "mount")
        threading.Thread(target=self.serve, daemon=True).start()
        return self.folder / "file"

    def __exit__(self, *_):
        self.libc.umount2(bytes(self.folder), 2)  # MNT_DETACH
        os.close(self.device)

    def serve(self):
        while True:
            try:
                request = os.read(self.device, 1 << 18)
            except OSError:
                return
            _, opcode, unique, node = struct.unpack_from("<IIQQ", request)
            if opcode in (FORGET, INTERRUPT):
                continue
            if opcode == READ:
                threading.Timer(self.delay_s, self.reply, (unique, 0, bytes(BYTES))).start()
                continue
            error, content = self.result(opcode, node, request[40:])
            self.reply(unique, error, content)
            if opcode == DESTROY:
                return

    def result(self, opcode, node, rest):
        if opcode == INIT:
            return 0, struct.pack("<4I2H2I2H8I", 7, 31, 0, 0, 16, 12, 4096, 1, 1, 0, *[0] * 8)
        if opcode == LOOKUP and rest.rstrip(b"\0") == b"file":
            return 0, struct.pack("<4Q2I", FILE, 0, 1, 1, 0, 0) + self.attributes(FILE)
        if opcode == GETATTR:
            return 0, struct.pack("<QII", 1, 0, 0) + self.attributes(node)
        if opcode == OPEN:
            return 0, struct.pack("<QII", 0, 1, 0)  # FOPEN_DIRECT_IO
        if opcode in (RELEASE, FLUSH, DESTROY):
            return 0, b""
        return (-2, b"") if opcode == LOOKUP else (-38, b"")

    def attributes(self, node):
        mode = 0o40755 if node == ROOT else 0o100644
        now = int(time.time())
        return ATTRIBUTES.pack(node, BYTES, 8, now, now, now, 0, 0, 0, mode, 1, os.getuid(), os.getgid(), 0, 4096, 0)

    def reply(self, unique, error, content):
        try:
            os.write(self.device, struct.pack("<IiQ", 16 + len(content), error, unique) + content)
        except OSError:
            pass  # the reader is gone
