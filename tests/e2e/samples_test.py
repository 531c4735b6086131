#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Black-box tests of the small samples: what they print, write, send, and return.

usage: samples_test.py FOLDER_OF_THE_PROGRAMS [cpu|cuda]
"""
import collections
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

BIN = pathlib.Path(sys.argv[1]).resolve()
if len(sys.argv) > 2:
    os.environ["GENESYS_DEVICE"] = sys.argv[2]
PATIENCE_S = 100


def run(*command):
    return subprocess.run([BIN / command[0], *command[1:]], capture_output=True, text=True, timeout=PATIENCE_S)


class Sample(unittest.TestCase):
    def check_usage(self, name, *too_much):
        help_text = run(name, "--help")
        self.assertEqual((help_text.returncode, help_text.stderr), (0, ""))
        self.assertTrue(help_text.stdout.startswith(f"usage: {name} "), help_text.stdout)
        self.assertEqual(run(name, *too_much).returncode, 2)


class Echo(Sample):
    def server(self, *arguments):
        """The program, and a socket that is connected with it."""
        started = subprocess.Popen([BIN / "echo", *arguments], stdout=subprocess.PIPE, text=True)
        self.addCleanup(started.stdout.close)
        self.addCleanup(started.wait)
        alarm = threading.Timer(PATIENCE_S, started.kill)
        alarm.start()
        self.addCleanup(alarm.cancel)
        port = int(re.fullmatch(r"echo: listening on 127\.0\.0\.1:(\d+)\n", started.stdout.readline()).group(1))
        asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(asker.close)
        asker.settimeout(PATIENCE_S)
        asker.connect(("127.0.0.1", port))
        return started, asker

    def test_as_many_as_wanted(self):
        server, asker = self.server("20", "3")
        for i in range(20):
            sent = bytes((i + k) % 256 for k in range(i * 70 + 1))
            asker.send(sent)
            self.assertEqual(asker.recv(4096), sent)
        lines = server.stdout.read().splitlines()
        self.assertEqual(lines[-1], "echo: 20 datagrams")
        self.assertEqual(sum(int(line.split()[-1]) for line in lines[:-1]), 20)
        self.assertEqual((len(lines), server.wait()), (4, 0))

    def test_interrupted_while_all_blocks_wait(self):
        server, _ = self.server()
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(10), -signal.SIGINT)

    def test_several_askers_and_an_empty_datagram(self):
        server, first = self.server()
        others = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(5)]
        for other in others:
            self.addCleanup(other.close)
            other.settimeout(PATIENCE_S)
            other.sendto(str(other.fileno()).encode(), first.getpeername())
        for other in others:
            self.assertEqual(other.recv(100), str(other.fileno()).encode())
        first.send(b"")
        self.assertIn("echo: 5 datagrams\n", server.stdout.read())
        self.assertEqual(server.wait(), 0)

    def test_usage(self):
        self.check_usage("echo", "1", "2", "3")


class Sort(Sample):
    def test_one_way_of_four_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "sorted")
            orders = collections.Counter()
            for _ in range(5):  # in some of which the threads may happen to come in order
                done = run("sort", path)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                first, *others = done.stdout.splitlines()
                self.assertRegex(first, r"^write by thread +(sorted|in the wrong order), 2048 calls$")
                orders["wrong" in first] += 1
                self.assertEqual(others, ["pwrite64 by thread  sorted, 2048 calls",
                                          "pwrite64 by block   sorted, 16 calls",
                                          "write by grid       sorted, 1 calls"])
            self.assertGreater(orders[True], 0)
            self.assertEqual(len(path.read_bytes()), 2048 * 4)

    def test_usage(self):
        self.check_usage("sort", "1", "2")

    def test_a_file_that_cannot_be(self):
        self.assertEqual(run("sort", "/nowhere/at/all").returncode, 1)


class Log(Sample):
    def check(self, text, blocks, steps):
        wanted = [f"block {block}, step {step}" for block in range(blocks) for step in range(steps)]
        self.assertEqual(sorted(text.splitlines()), sorted(wanted))

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "log")
            path.write_text("from before\n", encoding="utf-8")
            done = run("log", path, "40", "12")
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            self.assertEqual(done.stderr, "log: 480 lines posted, 0 not written\n")
            self.check(path.read_text(encoding="utf-8"), 40, 12)

    def test_standard_output(self):
        self.check(run("log").stdout, 8, 4)
        self.check(run("log", "-", "3", "101").stdout, 3, 101)

    def test_what_cannot_be_written(self):
        done = run("log", "/dev/full", "2", "5")
        self.assertEqual((done.returncode, done.stderr), (1, "log: 10 lines posted, 10 not written\n"))
        self.assertEqual(run("log", "/dev/null/none").returncode, 1)

    def test_usage(self):
        self.check_usage("log", "1", "2", "3", "4")


class Prefetch(Sample):
    def test_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            for size in (0, 1, 16 << 10, (16 << 10) + 1, 3_000_001):
                content = bytes(b"counted, or not"[i % 15] for i in range(size))
                path = pathlib.Path(folder, "file")
                path.write_bytes(content)
                done = run("prefetch", path)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                most, times = max(collections.Counter(content).items(), key=lambda one: (one[1], -one[0]),
                                  default=(0, 0))
                counted = rf": {size} bytes, most often {most}, {times} times, in [\d.]+ ms\n"
                self.assertRegex(done.stdout, f"^waiting{counted}reading ahead{counted}$")

    def test_file_that_is_not_there(self):
        self.assertEqual(run("prefetch", "/none").returncode, 1)

    def test_usage(self):
        self.check_usage("prefetch", "1", "2")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
