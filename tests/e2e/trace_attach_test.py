#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""genesys trace -p, --live and genesys metrics: they look at a process that runs. The screen is driven in tmux. Run by
./dev test.

usage: trace_attach_test.py FOLDER-OF-PROGRAMS
"""

import array
import fcntl
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import made_recording as made
from slow_disk import SlowDisk

BIN = pathlib.Path(sys.argv[1]).resolve()
WAIT_S = 20
FULL = "GENESYS_TEST_FULL" in os.environ


def eventually(what):
    """What `what` returns once it is true; an AssertionError after WAIT_S."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError("it does not happen")


class MadeUpRuntime:
    """This process listens in place of a runtime of process `pid`, and writes `content` to the pipe of a trace."""

    def __init__(self, reply, content=b"", pid=None, keeps=()):
        self._reply, self._content, self._keeps = reply, content, keeps
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"\0genesys/{pid or os.getpid()}/0")
        self._listener.listen()
        self._kept = []  # what the client may wait for: its pipe, the connection
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        client, _ = self._listener.accept()
        _, passed, _, _ = client.recvmsg(1024, socket.CMSG_SPACE(4))
        pipe = array.array("i", passed[0][2] if passed else b"")
        for fd in pipe:
            os.write(fd, self._content)
        try:
            client.sendall(self._reply)
        except OSError:
            pass  # the client has had enough
        if "connection" in self._keeps:
            self._kept.append(client)
        else:
            client.close()
        for fd in pipe:
            if "pipe" in self._keeps:
                self._kept.append(os.fdopen(fd, "wb"))
            else:
                os.close(fd)

    def close(self):
        self._listener.close()
        for one in self._kept:
            one.close()
        self._thread.join(1)


class Attached(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="attach.")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        os.mkfifo(self.folder / "pipe")
        self.pipe = os.open(self.folder / "pipe", os.O_RDWR | os.O_NONBLOCK)  # nobody reads, so that it gets full
        self.addCleanup(os.close, self.pipe)

    def started(self, *words, **more):
        """A process that is ended after the test. As soon as it listens."""
        process = subprocess.Popen([str(word) for word in words], text=True, **more)
        self.addCleanup(self.ended, process)
        return process

    def ended(self, process):
        process.kill()
        process.communicate()

    def waits(self, *actions, **more):
        process = self.started(BIN / "e2e" / "waits", *actions, **more)
        eventually(lambda: f"@genesys/{process.pid}/0" in pathlib.Path("/proc/net/unix").read_text())
        return process

    def genesys(self, *words, **more):
        return subprocess.run([str(BIN / "genesys"), *map(str, words)], capture_output=True, text=True, timeout=WAIT_S,
                              **more)

    def metrics(self, process):
        done = self.genesys("metrics", process.pid)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def interrupted(self, *words):
        """The outputs of a trace that Ctrl-C ends after a second."""
        tracer = self.started(BIN / "genesys", "trace", *words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        tracer.send_signal(signal.SIGINT)
        out, err = tracer.communicate(timeout=WAIT_S)
        self.assertEqual(tracer.returncode, 0, err)
        return out, err

    def test_calls_of_a_process_that_runs(self):
        process = self.waits("loop:100000000")
        for words in ((), ("-c",)):  # one after another
            _, text = self.interrupted("-p", process.pid, *words)
            self.assertRegex(text, r"getppid\(\) += \d+ <0" if not words else r"\d +getppid\n")
        self.assertIsNone(process.poll())
        recording = self.folder / "recording"
        self.interrupted("-p", process.pid, "--record", recording)
        self.assertRegex(self.genesys("trace", "-c", "--read", recording).stdout, r"\d +getppid\n")
        self.interrupted("-p", process.pid, "-o", self.folder / "text")
        self.assertIn("getppid()", (self.folder / "text").read_text())

    def test_one_tracer_at_a_time(self):
        process = self.waits("loop:100000000")
        first = self.started(BIN / "genesys", "trace", "-p", process.pid, stderr=subprocess.DEVNULL)
        eventually(lambda: re.search(r"recorded_calls_total{[^}]*} [1-9]", self.metrics(process)))
        second = self.genesys("trace", "-p", process.pid)
        self.assertEqual(second.returncode, 1)
        self.assertIn("another process traces this one", second.stderr)
        first.kill()  # then the recording ends, and others can trace
        first.wait()
        _, text = self.interrupted("-p", process.pid)
        self.assertIn("getppid()", text)

    def test_a_recording_of_the_program_itself(self):
        process = self.waits("loop:100000000", env={**os.environ, "GENESYS_TRACE": f"{self.folder}/own"})
        done = self.genesys("trace", "-p", process.pid)
        self.assertEqual(done.returncode, 1)
        self.assertIn("recorded already", done.stderr)
        eventually(lambda: re.search(r"recorded_calls_total{[^}]*} [1-9]", self.metrics(process)))
        process.kill()
        process.wait()
        self.assertRegex(self.genesys("trace", "-c", "--read", self.folder / "own").stdout, r"\d +getppid\n")

    def test_the_program_ends_the_recording(self):
        process = self.waits("loop:100000000", "stop:2")
        done = self.genesys("trace", "-c", "-p", process.pid)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr + done.stdout, r"\d +getppid\n")
        self.assertIsNone(process.poll())
        self.interrupted("-p", process.pid)  # others can trace now

    def test_several_descriptors(self):
        process = self.waits("loop:100000000")
        count = lambda: len(os.listdir(f"/proc/{process.pid}/fd"))
        before = count()
        ends = os.pipe()
        for _ in range(10):
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(f"\0genesys/{process.pid}/0")
                socket.send_fds(client, [b"metrics\n"], [ends[0], ends[1], ends[0]])
                while client.recv(65536):
                    pass
        eventually(lambda: count() <= before)
        os.close(ends[0]), os.close(ends[1])

    def test_the_process_ends(self):
        process = self.waits("loop:100000000")
        tracer = self.started(BIN / "genesys", "trace", "-p", process.pid, stderr=subprocess.PIPE)
        time.sleep(0.5)
        process.kill()
        _, text = tracer.communicate(timeout=WAIT_S)
        self.assertEqual(tracer.returncode, 0)
        self.assertIn("getppid()", text)

    def test_refusals(self):
        for pid, said in ((os.getpid(), "has no runtime of genesys"), (2**22 + 5, "there is no such process")):
            for words in (("trace", "-p", pid), ("trace", "-c", "-p", pid), ("metrics", pid)):
                done = self.genesys(*words)
                self.assertEqual((done.returncode, done.stdout), (1, ""), words)
                self.assertIn(said, done.stderr)
        self.assertEqual(self.genesys("trace", "-p", "1", "true").returncode, 2)
        done = self.genesys("trace", "--live", "-p", self.waits("loop:100000000").pid)
        self.assertEqual(done.returncode, 1)
        self.assertIn("--live needs a terminal", done.stderr)

    def made_up(self, *words, **more):
        runtime = MadeUpRuntime(*words, **more)
        self.addCleanup(runtime.close)

    def test_a_process_that_is_another(self):
        other = self.started("sleep", 100)
        self.made_up(b"# EOF\n", pid=other.pid)
        done = self.genesys("metrics", other.pid)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(f"process {os.getpid()} listens in its place", done.stderr)

    def test_replies_of_any_bytes(self):
        for reply, said in ((b"refused: \x1b[2J\ngenesys: well\n", r"it refuses: \033[2J\012genesys: well"),
                            (b"x" * (17 << 20), "its reply is longer than 16 MiB")):
            runtime = MadeUpRuntime(reply)
            done = self.genesys("metrics", os.getpid())
            runtime.close()
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(said, done.stderr)
            self.assertNotIn("\x1b", done.stderr)

    @unittest.skipUnless(FULL, "takes seconds: with GENESYS_TEST_FULL")
    def test_a_child_that_keeps_the_pipe(self):
        calls = (made.header(os.getpid()) + made.clocks(1000) + made.clocks(5000) + made.calls([made.call(2000)]) +
                 made.end())
        self.made_up(b"ok\n", calls, keeps=("pipe",))
        done = self.genesys("trace", "-p", os.getpid())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("getppid()", done.stderr)
        self.assertNotIn("cut off", done.stderr)

    def test_a_stream_that_is_cut_off(self):
        calls = made.header(os.getpid()) + made.clocks(1000) + made.calls([made.call(2000)])
        self.made_up(b"ok\n", calls + made.clocks(5000)[:30])
        done = self.genesys("trace", "-p", os.getpid())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("getppid()", done.stderr)
        self.assertEqual(done.stderr.splitlines()[-1], "+++ the recording is cut off +++")

    @unittest.skipUnless(FULL, "takes seconds: with GENESYS_TEST_FULL")
    def test_a_process_that_does_not_reply(self):
        calls = made.header(os.getpid()) + made.clocks(1000) + made.calls([made.call(2000)])
        for words in ((), ("-c",)):
            runtime = MadeUpRuntime(b"ok\n", calls, keeps=("pipe", "connection"))
            _, text = self.interrupted("-p", os.getpid(), *words)
            runtime.close()
            self.assertIn("does not reply", text)
            self.assertIn("getppid", text)

    def test_a_second_interrupt(self):
        self.made_up(b"ok\n", made.header(os.getpid()), keeps=("pipe", "connection"))
        tracer = self.started(BIN / "genesys", "trace", "-p", os.getpid(), stderr=subprocess.PIPE)
        time.sleep(1)
        for _ in range(2):
            tracer.send_signal(signal.SIGINT)
            time.sleep(0.5)
        self.assertEqual(tracer.poll(), -signal.SIGINT)

    def test_another_user(self):
        if os.geteuid() != 0:
            self.skipTest("root alone can become another user")
        process = self.waits("loop:100000000")
        for parent in (BIN, *BIN.parents):
            if not parent.stat().st_mode & 1:
                self.skipTest(f"another user cannot enter {parent}")
        done = self.genesys("metrics", process.pid, user=65534)
        self.assertEqual(done.returncode, 1)
        self.assertIn("belongs to user 0", done.stderr)

    def test_metrics(self):
        process = self.waits(f"write:{self.folder}/pipe", "loop:1000")
        number = r"\d+(\.\d+)?"
        self.assertTrue(eventually(lambda: re.search(r'calls_total{runtime="0",call="getppid"} 1000\n',
                                                     self.metrics(process))))
        text = self.metrics(process)
        families = set()
        for line in text.splitlines()[:-1]:
            if match := re.fullmatch(r"# TYPE (genesys_\w+) (counter|gauge)", line):
                self.assertNotIn(match[1], families)
                families.add(match[1])
            elif not re.fullmatch(r"# (HELP|UNIT) genesys_\w+ .+", line):
                match = re.fullmatch(r'(genesys_\w+?)(_total)?{runtime="0"(,call="\w+")?} ' + number, line)
                self.assertTrue(match and match[1] in families, line)
        self.assertEqual(text.splitlines()[-1], "# EOF")
        writes, moved = (int(re.search(rf'genesys_{name}_total{{runtime="0",call="write"}} (\d+)\n', text)[1])
                         for name in ("calls", "call_bytes"))
        self.assertEqual(moved, 64 * writes)
        eventually(lambda: 'genesys_in_flight_calls{runtime="0"} 1\n' in self.metrics(process))  # the pipe is full
        with socket.socket(socket.AF_UNIX) as http:
            http.connect(f"\0genesys/{process.pid}/0")
            http.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            reply = b"".join(iter(lambda: http.recv(65536), b"")).decode()
        head, body = reply.split("\r\n\r\n")
        self.assertTrue(head.startswith("HTTP/1.0 200 OK\r\n"))
        self.assertIn(f"Content-Length: {len(body)}", head)
        self.assertTrue(body.endswith("# EOF\n"))

    def test_clients_that_say_nothing(self):
        process = self.waits("loop:100000000")
        silent = [socket.socket(socket.AF_UNIX) for _ in range(3)]
        for one in silent:
            one.connect(f"\0genesys/{process.pid}/0")
            self.addCleanup(one.close)
        silent[1].sendall(b"metr")
        silent[2].sendall(b"x" * 5000)
        self.assertIn("getppid", self.metrics(process))  # each of them has a bounded time

    def screen(self):
        return subprocess.run(["tmux", "-L", self.tmux, "capture-pane", "-p"], capture_output=True, text=True,
                              check=True).stdout

    def keys(self, *keys):
        subprocess.run(["tmux", "-L", self.tmux, "send-keys", *keys], check=True)

    @unittest.skipUnless(shutil.which("tmux"), "without tmux (Debian: tmux)")
    def test_live(self):
        (self.folder / "locked").write_text("x")
        lock = open(self.folder / "locked", "r+", encoding="utf-8")
        self.addCleanup(lock.close)
        fcntl.lockf(lock, fcntl.LOCK_EX)
        actions = [f"write:{self.folder}/pipe", f"lock:{self.folder}/locked", "loop:100000000"]
        expected = {0: ("write", "pipe", "parked"), 1: ("fcntl", "locked", "in Linux")}
        try:
            slow = SlowDisk(self.folder / "disk", 8)
            actions.append(f"read:{slow.__enter__()}")
            self.addCleanup(slow.__exit__)
            expected[3] = ("pread64", "disk/file", "in Linux")
        except OSError as error:
            print(f"without the slow disk: {error}")
        process = self.waits(*actions)
        self.tmux = f"genesys-test-{os.getpid()}"
        subprocess.run(["tmux", "-L", self.tmux, "new-session", "-d", "-x", "80", "-y", "24",
                        f"{BIN}/genesys trace --live -p {process.pid}; sleep 100"], check=True)
        self.addCleanup(subprocess.run, ["tmux", "-L", self.tmux, "kill-server"], check=False)

        def waiting():
            found = {}
            for line in self.screen().splitlines():
                if match := re.match(r"([\d.]+) (ms|s) +(\d+) +0 thread +(\w+)\(\d+<(.*)>\) (.*), wait_in_calls", line):
                    found[int(match[3])] = (match[4], match[5], match[6], float(match[1]), match[2])
            return found if len(found) == len(expected) else None

        found = eventually(waiting)
        for block, (name, path, state) in expected.items():
            self.assertEqual((found[block][0], found[block][2]), (name, state))
            self.assertTrue(found[block][1].endswith(path), found[block])
        self.assertTrue(all(len(line) <= 80 for line in self.screen().splitlines()))
        eventually(lambda: re.search(r"^getppid +[1-9]", self.screen(), re.MULTILINE))
        self.keys("k")
        eventually(lambda: re.search(r"^wait_in_calls +[1-9]", self.screen(), re.MULTILINE))
        self.keys("s", "/", *"locked", "Enter")
        eventually(lambda: "sort: calls" in self.screen() and "locked" in self.screen())
        eventually(lambda: "pipe>" not in self.screen())
        self.keys("p")
        eventually(lambda: "PAUSED" in self.screen())
        self.keys("q")
        eventually(lambda: "WAITS" not in self.screen())
        self.assertIsNone(process.poll())

    @unittest.skipUnless(shutil.which("tmux"), "without tmux (Debian: tmux)")
    def test_live_with_a_program(self):
        self.tmux = f"genesys-test-{os.getpid()}"
        command = f"{BIN}/genesys trace --live -- {BIN}/e2e/waits loop:100000000; echo status $?; sleep 100"
        subprocess.run(["tmux", "-L", self.tmux, "new-session", "-d", "-x", "80", "-y", "24", command], check=True)
        self.addCleanup(subprocess.run, ["tmux", "-L", self.tmux, "kill-server"], check=False)
        eventually(lambda: re.search(r"^getppid +[1-9]", self.screen(), re.MULTILINE))
        self.keys("q")
        eventually(lambda: "status 130" in self.screen())

    @unittest.skipUnless(shutil.which("tmux"), "without tmux (Debian: tmux)")
    def test_keys_that_leave(self):
        script = f"echo its output; exec {BIN}/e2e/waits loop:100000000"
        command = f"{BIN}/genesys trace --live -- sh -c '{script}'; echo status $?; sleep 100"
        for number, keys in enumerate((["q"], ["C-c"], ["/", "x", "C-c"])):
            self.tmux = f"genesys-test-{os.getpid()}-{number}"
            subprocess.run(["tmux", "-L", self.tmux, "new-session", "-d", "-x", "80", "-y", "24", command], check=True)
            self.addCleanup(subprocess.run, ["tmux", "-L", self.tmux, "kill-server"], check=False)
            eventually(lambda: re.search(r"^getppid +[1-9]", self.screen(), re.MULTILINE))
            self.keys(*keys)
            eventually(lambda: "status 130" in self.screen())
            self.assertIn("its output\n", self.screen(), keys)

    @unittest.skipUnless(shutil.which("tmux"), "without tmux (Debian: tmux)")
    @unittest.skipUnless(FULL, "takes seconds: with GENESYS_TEST_FULL")
    def test_live_after_another_tracer(self):
        process = self.waits("loop:100000000")
        first = self.started(BIN / "genesys", "trace", "-p", process.pid, stderr=subprocess.DEVNULL)
        eventually(lambda: re.search(r"recorded_calls_total{[^}]*} [1-9]", self.metrics(process)))
        self.tmux = f"genesys-test-{os.getpid()}"
        subprocess.run(["tmux", "-L", self.tmux, "new-session", "-d", "-x", "80", "-y", "24",
                        f"{BIN}/genesys trace --live -p {process.pid}; sleep 100"], check=True)
        self.addCleanup(subprocess.run, ["tmux", "-L", self.tmux, "kill-server"], check=False)
        eventually(lambda: "another process traces this one" in self.screen())
        first.send_signal(signal.SIGINT)
        eventually(lambda: re.search(r"^getppid +[1-9]", self.screen(), re.MULTILINE))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
