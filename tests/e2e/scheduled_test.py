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
import re
import shutil
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
FORMAT = 0x67736432
JOIN, MAPPED, FETCH, RENICE, LOOK, LIST, WATCH, REPORT = range(1, 9)
ACCEPTED, REFUSED, JOINED, PAGE, GONE, ROW, END, KERNEL = range(1, 9)
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
        self.kind, _, self.slot, self.generation, _, _ = self.receive()

    def send(self, kind, nice=0, slot=0, generation=0):
        self.socket.send(struct.pack("<IIiIIIQ", FORMAT, kind, nice, slot, generation, 0, 7))

    def receive(self):
        descriptors = array.array("i")
        data, control, _, _ = self.socket.recvmsg(512, socket.CMSG_SPACE(8))
        for _, _, passed in control:
            descriptors.frombytes(passed[:len(passed) - len(passed) % descriptors.itemsize])
        _, kind, error, slot, generation = struct.unpack_from("<IIiII", data)
        return kind, error, slot, generation, data[72:].split(b"\0")[0].decode(), list(descriptors)

    def reports(self, *kernels, rows=None, first=0):
        """Each kernel: name, launches, aborts, microseconds wasted and of snapshots. The first stands for all."""
        for index, (name, *sums) in enumerate(kernels, first):
            count = len(kernels) - 1 if rows is None else rows
            self.socket.send(struct.pack("<IIII4Q96s", FORMAT, REPORT, index, count, *sums, name))

    def watches(self, slot, generation):
        """The kernels that the daemon shows of a member: names and sums."""
        self.send(WATCH, slot=slot, generation=generation)
        rows = []
        while len(data := self.socket.recv(512)) == 144:
            _, kind, _, _, *sums, name = struct.unpack("<IIII4Q96s", data)
            assert kind == KERNEL
            rows.append((name.split(b"\0")[0], *sums))
        assert struct.unpack_from("<I", data, 4)[0] == END, data
        return rows

    def says(self, state):
        self.line[0:4] = struct.pack("<I", state)

    def close(self):
        self.socket.close()


class WithDaemon(unittest.TestCase):
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


class Daemon(WithDaemon):
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

    def test_reports_of_kernels(self):
        self.start("--lease", "100000")
        one, two = Member(self.path, 0), Member(self.path, 5)
        self.assertEqual(struct.unpack_from("<Q", one.board, 136)[0], 0)  # nobody looks
        self.assertEqual(two.watches(one.slot, one.generation), [])
        self.assertGreater(struct.unpack_from("<Q", one.board, 136)[0], time.monotonic_ns())
        rows = [(b"", 7, 2, 30, 40), (b"scan(int*)", 5, 2, 30, 40), (b"", 2, 0, 0, 0)]
        one.reports(*rows)
        self.wait_for(lambda: two.watches(one.slot, one.generation) == rows)
        self.assertEqual(two.watches(one.slot, one.generation + 1), [])
        self.assertEqual(two.watches(two.slot, two.generation), [])
        two.reports((b"a name", 1, 0, 0, 0), (b"\033[2J\n\xff" + b"x" * 91, 1, 0, 0, 0))
        clean = [(b"", 1, 0, 0, 0), (b"?[2J??" + b"x" * 89, 1, 0, 0, 0)]
        self.wait_for(lambda: two.watches(two.slot, two.generation) == clean)
        self.assertEqual(len(self.rows()), 2)

    def test_reports_that_are_too_fast_are_dropped(self):
        self.start("--lease", "100000")
        one = Member(self.path, 0)
        for launches in range(100):
            one.reports((b"", launches, 0, 0, 0), (b"k", launches, 0, 0, 0))
        self.wait_for(lambda: len(one.watches(one.slot, one.generation)) == 2)
        self.assertLess(one.watches(one.slot, one.generation)[0][1], 50)
        time.sleep(0.3)
        one.reports((b"", 1000, 0, 0, 0))
        self.wait_for(lambda: one.watches(one.slot, one.generation) == [(b"", 1000, 0, 0, 0)])

    def test_reports_that_are_wrong(self):
        self.start("--lease", "100000")
        good = (b"k", 1, 0, 0, 0)
        most = 2**32 - 1
        for wrong in ({"rows": 17}, {"rows": 0, "first": 1}, {"rows": 2, "first": 3}, {"rows": most, "first": most}):
            one = Member(self.path, 0)
            one.reports(good, **wrong)
            self.assertEqual(one.socket.recv(512), b"", wrong)  # the daemon has closed the connection
        for size in (143, 145, 512):
            one = Member(self.path, 0)
            one.socket.send(struct.pack("<IIII", FORMAT, REPORT, 0, 0).ljust(size, b"\0"))
            self.assertEqual(one.socket.recv(512), b"", size)
        self.wait_for(lambda: self.rows() == [])

    @unittest.skipUnless(os.geteuid() == 0, "changes its user")
    def test_others_see_only_sums(self):
        self.start("--lease", "100000")
        os.chmod(self.folder.name, 0o755)
        one = Member(self.path, 0)
        rows = [(b"", 7, 2, 30, 40), (b"secret_kernel", 7, 2, 30, 40)]
        one.reports(*rows)
        self.wait_for(lambda: one.watches(one.slot, one.generation) == rows)
        read, write = os.pipe()
        if os.fork() == 0:
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
            try:
                os.write(write, repr(Member(self.path, 19).watches(one.slot, one.generation)).encode())
            finally:
                os._exit(0)
        os.wait()
        os.close(write)
        with os.fdopen(read) as told:
            self.assertEqual(told.read(), repr(rows[:1]))


@unittest.skipUnless(shutil.which("tmux"), "without tmux (Debian: tmux)")
class Top(WithDaemon):
    """The screen, in tmux."""

    def opens(self):
        self.tmux = f"genesys-top-{os.getpid()}"
        subprocess.run(["tmux", "-L", self.tmux, "new-session", "-d", "-x", "80", "-y", "24",
                        f"{GENESYS} schedule top --socket {self.path}; echo status $?; sleep 100"], check=True)
        self.addCleanup(subprocess.run, ["tmux", "-L", self.tmux, "kill-server"], check=False)

    def screen(self):
        return subprocess.run(["tmux", "-L", self.tmux, "capture-pane", "-p"], capture_output=True, text=True,
                              check=True).stdout

    def row(self, beginning):
        return next((line.split() for line in self.screen().splitlines() if re.match(beginning, line)), None)

    def keys(self, *keys):
        subprocess.run(["tmux", "-L", self.tmux, "send-keys", *keys], check=True)

    def test_the_screen(self):
        self.start("--lease", "100000", "--aging-step", "0")
        one, two = Member(self.path, 0), Member(self.path, 5)
        one.says(RUNNING)
        two.says(WAITING)
        two.send(LOOK)
        two.reports((b"", 300, 4, 5000, 6000), (b"rows_by_warps(int*)", 100, 4, 5000, 6000),
                    (b"bell\a\033[5;5H" + b"y" * 80, 200, 0, 0, 0))
        self.opens()
        pid = os.getpid()
        self.wait_for(lambda: self.row(rf" +{pid} +\d+ .*rows_by"))
        time.sleep(1.1)
        first, second = [line.split() for line in self.screen().splitlines() if re.match(rf" *{pid} [a-z]", line)]
        self.assertEqual(first[2:], ["0", "0", "running", "-", "0", "-", "-", "-", "python3"])
        self.assertEqual((second[2:5], second[8]), (["5", "5", "waiting"], "4"))
        self.assertGreater(float(second[5]), 0)
        self.assertIn("2 processes, 1 held", self.screen())
        self.assertEqual(self.row(rf" *{pid} +100 ")[1:], ["100", "0", "4", "5.0", "6.0", "rows_by_warps(int*)"])
        self.assertIn("bell??[5;5Hyyy", self.screen())
        self.assertTrue(all(len(line) <= 80 for line in self.screen().splitlines()))
        time.sleep(0.3)
        two.reports((b"", 3300, 4, 5000, 6000), (b"rows_by_warps(int*)", 3100, 4, 5000, 6000))
        self.wait_for(lambda: float((self.row(rf" *{pid} +3100 ") or "000")[2]) > 500)
        self.keys("s")
        self.wait_for(lambda: "sort: launches/s" in self.screen())
        self.wait_for(lambda: re.search(rf"COMMAND\n *{pid} +\w+ +5 ", self.screen()))
        self.keys("p")
        self.wait_for(lambda: "PAUSED" in self.screen())
        two.close()
        time.sleep(1.5)
        self.assertIn("2 processes", self.screen())
        self.keys("p")
        self.wait_for(lambda: "1 processes" in self.screen())
        self.daemons[0].kill()
        self.wait_for(lambda: "no scheduling daemon at" in self.screen() or "does not reply" in self.screen())
        self.daemons.pop().wait()
        self.start()
        self.wait_for(lambda: "0 processes" in self.screen())
        self.keys("q")
        self.wait_for(lambda: "status 0" in self.screen())

    def test_a_scheduler_reports(self):
        program = pathlib.Path(GENESYS).parent / "urgent"
        if not program.exists():
            self.skipTest(f"without {program}")
        self.start("--lease", "100000")
        self.opens()
        client = subprocess.Popen([program, "100000"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env={**os.environ, "GENESYS_SCHEDULED": str(self.path), "GENESYS_DEVICE": "cpu"})
        try:
            self.wait_for(lambda: self.row(rf" *{client.pid} +[1-9].* +settle"), client)
        finally:
            client.kill()
            client.wait()
        self.wait_for(lambda: "0 processes" in self.screen())
        self.keys("C-c")
        self.wait_for(lambda: "status 0" in self.screen())

    def test_without_a_terminal(self):
        self.start()
        done = run("schedule", "top", "--socket", str(self.path))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("'genesys schedule ps' prints a list", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
