#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""nbdkit-genesys-plugin.so under nbdkit, as clients of NBD see it: what is written is read, also after a restart and
after kill -9, and what a disk has changed is not.

usage: nbdkit_test.py PATH-OF-nbdkit-genesys-plugin.so [--full] [--services NAME]
"""
import contextlib
import ctypes
import ctypes.util
import os
import pathlib
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

try:
    import nbd
except ImportError:
    nbd = None
    if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # Debian's package is for Debian's Python

PLUGIN = pathlib.Path(sys.argv[1]).resolve()
BLOCK, MIB = 4096, 1 << 20
SEED = int(os.environ.get("GENESYS_TEST_SEED", time.time_ns() % 1_000_000))
FULL = "--full" in sys.argv
SERVICES = sys.argv[sys.argv.index("--services") + 1] if "--services" in sys.argv else "cpu"


class Server:
    """nbdkit with the plugin, on a Unix socket."""

    def __init__(self, folder, *parameters):
        self.socket = folder / "socket"
        self.socket.unlink(missing_ok=True)
        self.uri = f"nbd+unix:///?socket={self.socket}"
        with open(folder / "log", "w") as log:
            self.process = subprocess.Popen(["nbdkit", "-f", "-v", "-U", self.socket, PLUGIN, *parameters],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.log = folder / "log"
        end = time.monotonic() + 30
        while not self.listens():
            if self.process.poll() is not None or time.monotonic() > end:
                self.end(signal.SIGKILL)
                raise AssertionError(f"nbdkit does not start:\n{self.log.read_text()[-2000:]}")
            time.sleep(0.02)

    def listens(self):
        with socket.socket(socket.AF_UNIX) as tried:
            return tried.connect_ex(str(self.socket)) == 0

    def connect(self):
        handle = nbd.NBD()
        handle.connect_unix(str(self.socket))
        return handle

    def end(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def xts(key, data, first_block):
    """Encrypts whole blocks by OpenSSL."""
    crypto = ctypes.CDLL(ctypes.util.find_library("crypto"))
    crypto.EVP_CIPHER_CTX_new.restype = crypto.EVP_aes_256_xts.restype = ctypes.c_void_p
    out = b""
    for at in range(0, len(data), BLOCK):
        context = ctypes.c_void_p(crypto.EVP_CIPHER_CTX_new())
        tweak = struct.pack("<QQ", first_block + at // BLOCK, 0)
        into, count = ctypes.create_string_buffer(BLOCK), ctypes.c_int()
        assert crypto.EVP_EncryptInit_ex(context, ctypes.c_void_p(crypto.EVP_aes_256_xts()), None, key, tweak) == 1
        assert crypto.EVP_EncryptUpdate(context, into, ctypes.byref(count), data[at:at + BLOCK], BLOCK) == 1
        crypto.EVP_CIPHER_CTX_free(context)
        out += into.raw
    return out


@unittest.skipUnless(nbd, "there is no Python module nbd (Debian: python3-libnbd)")
@unittest.skipUnless(shutil.which("nbdkit"), "there is no nbdkit")
class PluginTest(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(SEED)
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="nbdkit_test."))
                                   if hasattr(self, "enterContext") else self.made_folder())
        self.key = self.random.randbytes(64)
        (self.folder / "key").write_bytes(self.key)

    def made_folder(self):
        folder = tempfile.TemporaryDirectory(prefix="nbdkit_test.")
        self.addCleanup(folder.cleanup)
        return folder.name

    def serve(self, kind, size=None, *more):
        """kind: letters of e (encrypted), c (checked) and p (parity: three data files)."""
        parameters = [f"file={self.folder}/data"] if "p" not in kind else (
            [f"file={self.folder}/data{i}" for i in range(5)] + [f"parity-log={self.folder}/log-of-parity"])
        if size:
            parameters.append(f"size={size if 'p' not in kind else (size // BLOCK + 2) // 3 * BLOCK}")
        parameters += [f"services={SERVICES}", *more]
        parameters += [f"key-file={self.folder}/key"] if "e" in kind else []
        parameters += [f"check-file={self.folder}/checks"] if "c" in kind else []
        server = Server(self.folder, *parameters)
        self.addCleanup(server.end, signal.SIGKILL)
        return server

    def test_what_is_stored_is_what_dm_crypt_would_store(self):
        with self.serve("e", 16 * BLOCK) as server:
            data = self.random.randbytes(4 * BLOCK)
            handle = server.connect()
            handle.pwrite(data, 3 * BLOCK)
            handle.shutdown()
        stored = (self.folder / "data").read_bytes()
        self.assertEqual(stored[3 * BLOCK:7 * BLOCK], xts(self.key, data, 3))

    def test_copies(self):
        data = self.random.randbytes(24 * MIB + 12345)
        (self.folder / "in").write_bytes(data)
        with self.serve("ec", 32 * MIB) as server:
            subprocess.run(["nbdcopy", self.folder / "in", server.uri], check=True, timeout=60)
        with self.serve("ec") as server:
            subprocess.run(["nbdcopy", server.uri, self.folder / "out"], check=True, timeout=60)
            if shutil.which("qemu-img"):
                command = ["qemu-img", "compare", "-f", "raw", "-F", "raw", server.uri, self.folder / "out"]
                said = subprocess.run(command, capture_output=True, text=True, timeout=60)
                self.assertEqual(said.returncode, 0, said.stdout + said.stderr)
        self.assertEqual((self.folder / "out").read_bytes()[:len(data)], data)

    def test_random_requests(self):
        for kind in ("e", "c", "ec", "p", "ecp"):
            with self.subTest(kind):
                for name in self.folder.glob("[dcl]*[ast0-9yog]"):
                    name.unlink()
                self.random_requests(kind)

    def random_requests(self, kind):
        """Four threads, each with a connection and a part of the device; the parts meet within blocks."""
        size, threads = 8 * MIB, 4
        borders = [0, 2 * MIB + 100, 4 * MIB - 7, 6 * MIB + 2048, size]
        model = bytearray(size)
        wrong = []

        def work(number, server):
            handle, rng = server.connect(), random.Random(SEED * 10 + number)
            low, high = borders[number], borders[number + 1]
            for _ in range(1000 if FULL else 150):
                offset = rng.randrange(low, high)
                count = min(rng.choice((1, 512, 4096, 5000, 65536, 300000)), high - offset)
                if rng.random() < 0.5:
                    offset, count = offset // BLOCK * BLOCK, max(count // BLOCK, 1) * BLOCK
                    if offset < low or offset + count > high:
                        continue
                what = rng.randrange(8)
                if what < 3:
                    if handle.pread(count, offset) != model[offset:offset + count]:
                        wrong.append(f"{count} bytes at {offset}")
                elif what < 6:
                    model[offset:offset + count] = data = rng.randbytes(count)
                    handle.pwrite(data, offset, nbd.CMD_FLAG_FUA if rng.random() < 0.1 else 0)
                elif what == 6:
                    model[offset:offset + count] = bytes(count)
                    handle.zero(count, offset, nbd.CMD_FLAG_NO_HOLE if rng.random() < 0.5 else 0)
                else:
                    handle.trim(count, offset)  # what it leaves is not said, so it is written behind it
                    model[offset:offset + count] = data = rng.randbytes(count)
                    handle.pwrite(data, offset)
            handle.flush()
            handle.shutdown()

        with self.serve(kind, size) as server:
            if "e" in kind:
                first = server.connect()
                first.zero(size, 0)
                first.shutdown()
            running = [threading.Thread(target=work, args=(number, server)) for number in range(threads)]
            for one in running:
                one.start()
            for one in running:
                one.join(300)
            self.assertEqual(wrong, [], f"GENESYS_TEST_SEED={SEED}")
            self.compare(server, model)
        with self.serve(kind) as server:
            self.compare(server, model)

    def compare(self, server, model):
        handle = server.connect()
        for offset in range(0, len(model), MIB):
            self.assertEqual(handle.pread(MIB, offset), model[offset:offset + MIB], f"{offset}; seed {SEED}")
        handle.shutdown()

    @unittest.skipUnless(shutil.which("fio"), "there is no fio")
    def test_fio_verifies(self):
        """fio writes blocks with check sums, in any order, and reads them; then again, after the server was killed."""
        command = ["fio", "--name=a", "--ioengine=nbd", "--rw=randwrite", "--bsrange=4k-64k", "--size=16m",
                   "--iodepth=16", "--verify=crc32c", "--verify_fatal=1", f"--randseed={SEED}", "--end_fsync=1",
                   "--minimal", "--verify_state_save=0"]
        for kind in ("ec", "p"):
            for more in ([], ["--verify_only"]):
                server = self.serve(kind, 16 * MIB)
                said = subprocess.run([*command, f"--uri={server.uri}", *more], capture_output=True, text=True,
                                      timeout=120)
                self.assertEqual(said.returncode, 0, said.stdout[-500:] + said.stderr[-2000:])
                server.end(signal.SIGKILL)

    def test_killed_server(self):
        for kind in ("ec", "p"):
            with self.subTest(kind):
                self.killed_server(kind)

    def killed_server(self, kind):
        """Each block has its number and a count. After kill -9 it is one that was sent, and none that is older than the
        last flush. With parity it is the same without two of the files."""
        blocks, threads = 2048, 4
        flushed, sent = [0] * blocks, [0] * blocks
        stop = threading.Event()

        def work(number, server):
            rng, handle, count = random.Random(SEED + number), server.connect(), max(sent) + 1
            mine = range(number * blocks // threads, (number + 1) * blocks // threads)
            with contextlib.suppress(nbd.Error):
                while not stop.is_set():
                    written = {}
                    for _ in range(rng.randrange(1, 40)):
                        block, count = rng.choice(mine), count + 1
                        sent[block] = count
                        handle.pwrite(struct.pack("<QQ", block, count) * (BLOCK // 16), block * BLOCK)
                        written[block] = count
                    handle.flush()
                    for block, value in written.items():
                        flushed[block] = value

        with self.serve(kind, blocks * BLOCK) as server:
            handle = server.connect()
            for block in range(blocks):
                handle.pwrite(struct.pack("<QQ", block, 0) * (BLOCK // 16), block * BLOCK)
            handle.flush()
            handle.shutdown()
        unclean = 0  # a server may be killed when all is clean, but hardly each time
        for _ in range(10 if FULL else 3):
            server = self.serve(kind)
            stop.clear()
            running = [threading.Thread(target=work, args=(number, server)) for number in range(threads)]
            for one in running:
                one.start()
            before, end = sum(flushed), time.monotonic() + 30
            while sum(flushed) == before and time.monotonic() < end:
                time.sleep(0.01)
            time.sleep(self.random.uniform(0.0, 0.5))
            server.end(signal.SIGKILL)
            stop.set()
            for one in running:
                one.join(60)
            with self.serve(kind) as server:
                handle = server.connect()  # behind after_fork()
                unclean += "computed anew" in server.log.read_text()
                for block in range(blocks):
                    data = handle.pread(BLOCK, block * BLOCK)
                    number, count = struct.unpack_from("<QQ", data)
                    self.assertEqual(data, struct.pack("<QQ", block, count) * (BLOCK // 16))
                    self.assertEqual(number, block)
                    self.assertTrue(flushed[block] <= count <= sent[block], (flushed[block], count, sent[block]))
                    flushed[block] = sent[block] = count
                handle.shutdown()
            whole = self.whole(kind, blocks * BLOCK)
            if "p" in kind:
                self.assertEqual(self.whole_without(kind, self.random.sample(range(5), 2), blocks * BLOCK), whole)
            with self.serve(kind) as server:
                server.connect().shutdown()
                self.assertNotIn("computed anew", server.log.read_text())
        self.assertGreater(max(flushed), 0)
        self.assertGreater(unclean, 0)

    def whole(self, kind, size, *more):
        """What a device has, read by a server of its own."""
        with self.serve(kind, None, *more) as server:
            handle = server.connect()
            try:
                return b"".join(handle.pread(min(MIB, size - at), at) for at in range(0, size, MIB))
            finally:
                handle.shutdown()

    def whole_without(self, kind, lost, size):
        """The same, without some of the files, which come back as they were."""
        log = self.folder / "log-of-parity"
        before = log.read_bytes()
        for number in lost:
            (self.folder / f"data{number}").rename(self.folder / f"away{number}")
        data = self.whole(kind, size)
        for number in lost:
            (self.folder / f"away{number}").rename(self.folder / f"data{number}")
        log.write_bytes(before)
        return data

    def test_lost_files(self):
        """Any two files may be lost. A lost file does not come back by itself, even if it is there."""
        size = 3 * 200 * BLOCK
        data = bytearray(self.random.randbytes(size))
        with self.serve("p", size) as server:
            handle = server.connect()
            handle.pwrite(data, 0)
            handle.shutdown()
        for one in range(5):
            for other in range(one, 5):
                self.assertEqual(self.whole_without("p", {one, other}, size), data, (one, other))
        for turn, lost in enumerate(((0, 3), (1, 2), (4, 4), (2, 4), (3, 4))):
            for number in set(lost):
                (self.folder / f"data{number}").rename(self.folder / f"old{number}")
            with self.serve("p") as server:  # writes without the lost files
                handle = server.connect()
                for _ in range(40):
                    offset = self.random.randrange(size - 30000)
                    part = self.random.randbytes(self.random.randrange(1, 30000))
                    data[offset:offset + len(part)] = part
                    handle.pwrite(part, offset)
                self.assertEqual(handle.pread(size, 0), data)
                handle.shutdown()
            if turn % 2 == 0:  # the old files come back, and are not believed
                for number in set(lost):
                    (self.folder / f"old{number}").rename(self.folder / f"data{number}")
                self.assertEqual(self.whole("p", size), data)
            self.assertEqual(self.whole("p", size, "rebuild=yes"), data)
            self.assertEqual(self.whole_without("p", self.random.sample(range(5), 2), size), data)
        for more, number in ((("rebuild=yes",), 1), (("rebuild=yes",), 4), ((f"size={size // 3}",), 0)):
            (self.folder / f"data{number}").unlink()  # while no server runs
            self.assertEqual(self.whole("p", size, *more), data, more)
        self.assertEqual(self.whole("p", size, "rebuild=yes"), data)
        self.assertEqual(self.whole_without("p", (2, 3), size), data)
        for number in range(3):
            (self.folder / f"data{number}").unlink()
        files = [f"file={self.folder}/data{i}" for i in range(5)] + [f"parity-log={self.folder}/log-of-parity"]
        for more in ([], [f"size={size // 3}"], [f"size={size // 3}"], ["rebuild=yes"], ["rebuild=yes"]):
            self.refused("more than two files are lost", *files, *more)  # also the second time

    def test_parity_of_files_that_had_data(self):
        data = [self.random.randbytes(50 * BLOCK) for _ in range(3)]
        for number in range(5):
            (self.folder / f"data{number}").write_bytes(data[number] if number < 3 else bytes(50 * BLOCK))
        whole = b"".join(data[i % 3][i // 3 * BLOCK:][:BLOCK] for i in range(150))
        self.assertEqual(self.whole("p", len(whole)), whole)
        self.assertEqual(self.whole_without("p", (0, 2), len(whole)), whole)

    def test_checks_of_a_file_that_had_data(self):
        data = self.random.randbytes(50 * BLOCK)
        (self.folder / "data").write_bytes(data)
        self.assertEqual(self.whole("c", len(data)), data)
        (self.folder / "data").write_bytes(data[:-1] + b"!")
        with self.assertRaises(nbd.Error):
            self.whole("c", len(data))

    def test_changed_block_is_not_read(self):
        for kind in ("c", "ec"):
            with self.serve(kind, 64 * BLOCK) as server:
                handle = server.connect()
                handle.pwrite(self.random.randbytes(64 * BLOCK), 0)
                handle.shutdown()
            with open(self.folder / "data", "r+b") as file:
                file.seek(9 * BLOCK + 1000)
                byte = file.read(1)[0]
                file.seek(9 * BLOCK + 1000)
                file.write(bytes([byte ^ 4]))
            with self.serve(kind) as server:
                handle = server.connect()
                for block in range(64):
                    if block == 9:
                        with self.assertRaises(nbd.Error) as wrong:
                            handle.pread(BLOCK, block * BLOCK)
                        self.assertEqual(wrong.exception.errno, "EIO")
                    else:
                        handle.pread(BLOCK, block * BLOCK)
                self.assertRaises(nbd.Error, handle.pread, 4 * BLOCK, 8 * BLOCK)
                self.assertRaises(nbd.Error, handle.pwrite, b"a part of the block", 9 * BLOCK)
                whole = self.random.randbytes(BLOCK)
                handle.pwrite(whole, 9 * BLOCK)
                self.assertEqual(handle.pread(BLOCK, 9 * BLOCK), whole)
                handle.shutdown()

    def test_new_checked_device_is_zeros_and_sparse(self):
        with self.serve("c", 256 * MIB) as server:
            handle = server.connect()
            self.assertEqual(handle.pread(MIB, 100 * MIB), bytes(MIB))
            handle.pwrite(self.random.randbytes(8 * MIB), 0)
            handle.flush()
            before = os.stat(self.folder / "data").st_blocks
            handle.trim(8 * MIB, 0)
            handle.flush()
            self.assertEqual(handle.pread(MIB, MIB), bytes(MIB))
            self.assertLess(os.stat(self.folder / "data").st_blocks, before / 2)
            handle.zero(8 * MIB, 0, nbd.CMD_FLAG_NO_HOLE)
            handle.flush()
            self.assertEqual(handle.pread(MIB, MIB), bytes(MIB))
            self.assertGreaterEqual(os.stat(self.folder / "data").st_blocks, 8 * MIB // 512)
            handle.shutdown()

    def refused(self, words, *parameters):
        (self.folder / "socket2").unlink(missing_ok=True)
        said = subprocess.run(["nbdkit", "-f", "-U", self.folder / "socket2", PLUGIN, *parameters], timeout=60,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertNotEqual(said.returncode, 0)
        self.assertIn(words, said.stderr)

    def test_what_is_refused(self):
        (self.folder / "data").write_bytes(bytes(16 * BLOCK))

        refused = self.refused
        data, key = f"file={self.folder}/data", f"key-file={self.folder}/key"
        refused("key-file=PATH", data)
        refused("file=PATH is missing", key)
        refused("No such file", f"file={self.folder}/none", key)
        refused("no parameter", data, key, "speed=high")
        refused("4 to 32 files", data, data, f"parity-log={self.folder}/log-of-parity")
        refused("needs parity-log", data, data, data, data)
        (self.folder / "short").write_bytes(self.key[:33])
        refused("32 or 64 bytes", data, f"key-file={self.folder}/short")
        (self.folder / "same").write_bytes(self.key[:32] * 2)
        refused("halves of the key are equal", data, f"key-file={self.folder}/same")
        (self.folder / "checks").write_bytes(b"a text of somebody")
        refused("no checks of a store of this size", data, f"check-file={self.folder}/checks")
        (self.folder / "checks").unlink()
        with self.serve("c"):
            refused("in use", data, key)
        (self.folder / "data").write_bytes(bytes(17 * BLOCK))
        refused("no checks of a store of this size", data, f"check-file={self.folder}/checks")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
