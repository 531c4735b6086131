#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The scheduling daemon as a command: it starts, lists its members, stops, and fails as a Unix tool does.

The members here are this script: it speaks the protocol of src/schedule/daemon/message.h by itself.

usage: scheduled_test.py PATH-OF-GENESYS
"""
import array
import contextlib
import json
import mmap
import os
import pathlib
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest

GENESYS = sys.argv[1]
FORMAT = 0x67736431
JOIN, MAPPED, FETCH, RENICE, LOOK, LIST = range(1, 7)
ACCEPTED, REFUSED, JOINED, PAGE, GONE, ROW, END = range(1, 8)
IDLE, WAITING, RUNNING = range(3)


def run(*arguments, **more):
    return subprocess.run([GENESYS, *arguments], capture_output=True, text=True, timeout=60, **more)


class Member:
    def __init__(self, path, nice):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(5)
        self.socket.connect(str(path))
        self.send(JOIN, nice)
        self.kind, self.error, _, _, _, passed = self.receive()
        if self.kind != ACCEPTED:
            return
        self.board = mmap.mmap(passed[0], 4096, mmap.MAP_SHARED, mmap.PROT_READ)
        self.line = mmap.mmap(passed[1], 4096, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
        for descriptor in passed:
            os.close(descriptor)
        self.send(MAPPED)
        self.kind, _, self.slot, _, _, _ = self.receive()

    def send(self, kind, nice=0, slot=0, generation=0):
        self.socket.send(struct.pack("<IIiIIIQ", FORMAT, kind, nice, slot, generation, 0, 7))

    def receive(self):
        descriptors = array.array("i")
        data, control, _, _ = self.socket.recvmsg(512, socket.CMSG_SPACE(8))
        for _, _, passed in control:
            descriptors.frombytes(passed[:len(passed) - len(passed) % descriptors.itemsize])
        _, kind, error, slot, generation = struct.unpack_from("<IIiII", data)
        return kind, error, slot, generation, data[72:].split(b"\0")[0].decode(), list(descriptors)

    def says(self, state):
        self.line[0:4] = struct.pack("<I", state)

    def close(self):
        self.socket.close()


class Daemon(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "socket"
        self.daemons = []

    def tearDown(self):
        for daemon in self.daemons:
            daemon.kill()
            daemon.wait()
            daemon.stderr.close()
        self.folder.cleanup()

    def start(self, *arguments, **environment):
        daemon = subprocess.Popen([GENESYS, "scheduled", "--foreground", "--socket", str(self.path), *arguments],
                                  stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
        self.daemons.append(daemon)
        self.wait_for(lambda: self.rows() is not None, daemon)
        return daemon

    def wait_for(self, condition, daemon=None):
        until = time.monotonic() + 10
        while not condition():
            if time.monotonic() > until or (daemon and daemon.poll() is not None):
                self.fail("the condition does not become true")
            time.sleep(0.01)

    def rows(self):
        done = run("schedule", "ps", "--json", "--socket", str(self.path))
        return json.loads(done.stdout) if done.returncode == 0 else None

    def test_members_are_listed(self):
        self.start("--lease", "100000")
        self.assertEqual(self.rows(), [])
        one, two = Member(self.path, 0), Member(self.path, 5)
        self.assertEqual((one.kind, two.kind), (JOINED, JOINED))
        self.assertEqual(struct.unpack_from("<I", one.board, 4)[0], FORMAT)
        one.says(RUNNING)
        two.says(WAITING)
        two.send(LOOK)
        self.wait_for(lambda: any(row["held"] for row in self.rows()))
        first, second = self.rows()
        self.assertEqual((first["nice"], first["state"], first["held"]), (0, "running", False))
        self.assertEqual((second["nice"], second["state"], second["held"]), (5, "waiting", True))
        self.assertEqual({first["pid"], second["pid"]}, {os.getpid()})
        self.assertEqual((first["uid"], first["device"]), (os.getuid(), 7))
        text = run("schedule", "ps", "--socket", str(self.path)).stdout.splitlines()
        self.assertEqual(text[0].split(), ["PID", "USER", "NICE", "AGED", "STATE", "HELD-S", "HOLDS", "COMMAND"])
        self.assertEqual(len(text), 3)
        self.assertEqual(text[1].split()[0], str(os.getpid()))
        two.close()
        self.wait_for(lambda: len(self.rows()) == 1)
        one.close()
        self.wait_for(lambda: self.rows() == [])

    def test_a_held_member_ages(self):
        self.start("--aging-step", "100", "--lease", "100000")
        one, two = Member(self.path, 0), Member(self.path, 2)
        one.says(RUNNING)
        two.says(WAITING)
        two.send(LOOK)
        self.wait_for(lambda: self.rows()[1]["aged_nice"] < 2)
        one.close()
        two.close()

    def test_ends_by_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            daemon = self.start()
            self.assertTrue(self.path.exists())
            daemon.send_signal(number)
            self.assertEqual(daemon.wait(10), 0)
            self.assertFalse(self.path.exists())

    def test_a_socket_that_was_left_is_no_obstacle(self):
        self.start().kill()
        self.daemons[0].wait()
        self.assertTrue(self.path.exists())
        self.start()

    def test_one_daemon(self):
        self.start()
        second = run("scheduled", "--foreground", "--socket", str(self.path))
        self.assertEqual(second.returncode, 1)
        self.assertIn("another 'genesys scheduled' serves", second.stderr)

    def test_background(self):
        done = run("scheduled", "--socket", str(self.path))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.wait_for(lambda: self.rows() == [])  # it serves at once
        pid = int(pathlib.Path(f"{self.path}.lock").read_text(encoding="utf-8"))
        self.assertEqual(os.getsid(pid), pid)
        os.kill(pid, signal.SIGTERM)
        self.wait_for(lambda: not self.path.exists())

    def test_systemd_is_notified(self):
        address = pathlib.Path(self.folder.name) / "notify"
        with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as manager:
            manager.bind(str(address))
            manager.settimeout(10)
            daemon = self.start(NOTIFY_SOCKET=str(address))
            self.assertEqual(manager.recv(64), b"READY=1")
            daemon.terminate()
            self.assertEqual(manager.recv(64), b"STOPPING=1")

    def test_permissions_of_the_socket(self):
        self.start()
        mode = stat.S_IMODE(self.path.stat().st_mode)
        self.assertEqual(mode, 0o666 if os.geteuid() == 0 else 0o600)
        self.daemons[0].terminate()
        self.daemons[0].wait(10)
        if os.geteuid() == 0:
            self.start("--group", "daemon")
            self.assertEqual(stat.S_IMODE(self.path.stat().st_mode), 0o660)
            self.assertEqual(self.path.group(), "daemon")

    def test_the_allow_list(self):
        allowed = pathlib.Path(self.folder.name) / "allowed"
        allowed.write_text("user root nice -20\nuser nobody nice -5\n", encoding="utf-8")
        allowed.chmod(0o644)
        self.start("--allow", str(allowed))
        self.daemons[0].terminate()
        self.daemons[0].wait(10)
        for text, mode, expected in (("user nobody nice\n", 0o644, "allowed:1: expected 'user NAME nice N'"),
                                     ("user nobody nice -5\n", 0o666, "others may write"),
                                     ("group no_such_group nice -5\n", 0o644, "there is no group 'no_such_group'")):
            allowed.write_text(text, encoding="utf-8")
            allowed.chmod(mode)
            done = run("scheduled", "--foreground", "--socket", str(self.path), "--allow", str(allowed))
            self.assertEqual(done.returncode, 1)
            self.assertIn(expected, done.stderr)

    def test_what_goes_wrong(self):
        for arguments, expected in ((["--socket", "/no/such/folder/socket"], "mkdir, or --socket"),
                                    (["--socket", "x" * 200], "longer than 107"),
                                    (["--socket", str(self.path), "--group", "no_such_group"], "no group"),
                                    (["--socket", str(self.path), "--allow", "/no/such/file"], "cannot read")):
            done = run("scheduled", "--foreground", *arguments)
            self.assertEqual((done.returncode, done.stdout), (1, ""), arguments)
            self.assertTrue(done.stderr.startswith("genesys: "), done.stderr)
            self.assertIn(expected, done.stderr)
        self.assertEqual(run("scheduled", "--aging-step", "-1").returncode, 2)
        without = run("schedule", "ps", "--socket", str(self.path))
        self.assertEqual((without.returncode, without.stdout), (1, ""))
        self.assertIn("start 'genesys scheduled'", without.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
