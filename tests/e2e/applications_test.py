#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Black-box tests of the applications: each does what the standard tool does.

python3 applications_test.py BIN_DIRECTORY [cpu|cuda] [-k PATTERN]
"""

import hashlib
import itertools
import json
import os
import random
import re
import resource
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

import processes

binaries = None  # the build's bin/
device = "cpu"
NOBODY = 65534


def run(program, *words, **more):
    """The finished process of a program of ours."""
    path = os.path.join(binaries, program)
    return subprocess.run([path, *words], capture_output=True, timeout=120, **more)


class Wordcount(unittest.TestCase):
    """Counts as `grep -o -w -F` does, by each version of the program."""

    PIECE, SEGMENT = 32 << 10, 4 << 20  # bytes that a block reads at a time, and takes of a large file

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.random = random.Random(self.id())

    def write(self, name, content):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def text(self, words, size):
        """Words of the list, similar ones and others, between all kinds of other bytes."""
        parts, length = [], 0
        between = [b" ", b"\n", b"-", b"_", b".", b"\0", b"\xe4", b"", b"\t\t", b"  "]
        while length < size:
            word = self.random.choice(words)
            part = self.random.choice([word, word, word[:-1], word + b"s", word.upper(), b"other"])
            parts += [part, self.random.choice(between)]
            length += len(parts[-1]) + len(part)
        return b"".join(parts)[:size]

    @staticmethod
    def expected(words, contents):
        counts = dict.fromkeys(words, 0)
        for content in contents:
            for word in re.findall(rb"[A-Za-z0-9_]+", content):
                if word in counts:
                    counts[word] += 1
        return b"".join(b"%d %s\n" % (counts[word], word) for word in words)

    def check(self, words, contents):
        paths = [self.write(f"tree/{i % 3}/{i}", content) for i, content in enumerate(contents)]
        words_file = self.write("words", b"\n".join(words))
        wanted = self.expected(words, contents)
        for version in ("kernel", "openmp", "vectors"):
            done = run("wordcount", "--by", version, "--device", device, "-f", words_file, *paths)
            with self.subTest(version=version):
                self.assertEqual((done.stdout, done.stderr, done.returncode), (wanted, b"", 0))
        done = run("wordcount", "--device", device, "-f", words_file, os.path.join(self.folder.name, "tree"))
        self.assertEqual(done.stdout, wanted, "a directory")
        names = self.write("names", "\n".join(paths).encode())
        done = run("wordcount", "--device", device, "-f", words_file, "--files-from", names)
        self.assertEqual(done.stdout, wanted, "--files-from")

    def test_small_files(self):
        words = [b"alpha", b"be", b"c", b"delta_1", b"e5"]
        self.check(words, [b"", b"c", b"alpha", b"xalpha alphax _c c_ c"] +
                   [self.text(words, self.random.randrange(3000)) for _ in range(40)])

    def test_pieces_and_segments(self):
        words = [b"w" * n for n in (1, 7, 64, 1024)] + [b"end"]
        contents = []
        for place in (self.PIECE, self.SEGMENT, 2 * self.SEGMENT):
            for before in (0, 1, 2, 7, 64, 65, 1023, 1024, 1025):
                filler = b"." * (place - before)
                contents.append(filler + b"w" * 7 + b" " + b"w" * 64 + b"." + b"w" * 1024 + b" end")
        contents.append(self.text(words, 3 * self.SEGMENT + 12345))
        contents.append(b"w" * (2 * self.PIECE))  # no wanted word, though it begins as one
        self.check(words, contents)

    def test_many_words(self):
        words = sorted({b"word%d" % self.random.randrange(100000) for _ in range(3000)})
        self.check(words, [self.text(words, 200000) for _ in range(4)])

    def test_as_grep_counts(self):
        words = ["int", "return", "static", "a"]
        folder = "/usr/include" if os.path.isdir("/usr/include") else "/usr/share/common-licenses"
        files = subprocess.run(f"find {folder} -maxdepth 1 -type f | LC_ALL=C sort | head -60", shell=True,
                               capture_output=True, text=True, check=True).stdout.split()
        ours = run("wordcount", "--device", device, *[f"-e{w}" for w in words], *files).stdout.decode()
        for word in words:
            found = subprocess.run(["grep", "-a", "-o", "-h", "-w", "-F", word, *files], capture_output=True,
                                   env={"LC_ALL": "C"}).stdout
            self.assertIn(f"{found.count(10)} {word}\n", ours)

    def test_files_that_cannot_be_read(self):
        good, secret = self.write("good", b"one two one"), self.write("secret", b"one")
        os.chmod(secret, 0)
        os.chmod(self.folder.name, 0o755)
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        missing = os.path.join(self.folder.name, "missing")
        for version in ("kernel", "openmp"):
            done = run("wordcount", "--by", version, "--device", device, "-e", "one", missing, secret, good,
                       self.folder.name + "/.", **(user if device == "cpu" else {}))
            with self.subTest(version=version):
                self.assertEqual(done.returncode, 2)
                self.assertIn(b"wordcount: %s: No such file or directory\n" % missing.encode(), done.stderr)
                self.assertTrue(done.stdout.endswith(b" one\n"))
                if user and device == "cpu":
                    self.assertIn(b"wordcount: %s: Permission denied\n" % secret.encode(), done.stderr)

    def test_a_pipe(self):
        """Read as it comes, also in pieces that end within a word."""
        path = os.path.join(self.folder.name, "fifo")
        os.mkfifo(path)
        for version in ("kernel", "openmp", "vectors"):
            process = processes.start(self, [os.path.join(binaries, "wordcount"), "--by", version, "--device", device,
                                             "-e", "word", "-e", "end", path], stdout=subprocess.PIPE)
            with open(processes.open_to_write(self, process, path), "wb", buffering=0) as writer:
                os.set_blocking(writer.fileno(), True)
                for part in (b"wo", b"rd words word", b" ", b"." * self.PIECE * 2, b" word\nen", b"d"):
                    writer.write(part)
                    time.sleep(0.02)
            self.assertEqual((process.communicate(timeout=60)[0], process.returncode), (b"3 word\n1 end\n", 0), version)

    def test_lists(self):
        """Lists of words and of files: empty ones, and those that cannot be read."""
        empty, words = self.write("empty", b"\n"), self.write("words", b"one\ntwo\n")
        for by in ("kernel", "openmp", "vectors"):
            done = run("wordcount", "--by", by, "--device", device, "-f", words, "--files-from", empty)
            self.assertEqual((done.stdout, done.stderr, done.returncode), (b"0 one\n0 two\n", b"", 0))
        done = run("wordcount", "--device", device, "-f", words, "--files-from", "-", stdin=subprocess.DEVNULL)
        self.assertEqual((done.stdout, done.stderr, done.returncode), (b"0 one\n0 two\n", b"", 0))
        missing = os.path.join(self.folder.name, "missing")
        closed = {"preexec_fn": lambda: os.close(0)}
        for name, error, more in ((self.folder.name, "Is a directory", {}), (missing, "No such file or directory", {}),
                                  ("-", "Bad file descriptor", closed)):
            for option in ("-f", "--files-from"):
                done = run("wordcount", "--device", device, "-e", "one", option, name, words, **more)
                said = f"wordcount: {name if name != '-' else 'standard input'}: {error}\n"
                self.assertEqual((done.stdout, done.stderr.decode(), done.returncode), (b"", said, 2), option)

    def test_launches_read_regular_files(self):
        if device != "cuda":
            self.skipTest("only with CUDA")
        good, pipe = self.write("good", b"one two one"), os.path.join(self.folder.name, "pipe")
        os.mkfifo(pipe)
        done = run("wordcount", "--by", "launches", "-e", "one", pipe, good, "/dev/null")
        self.assertEqual((done.stdout, done.returncode), (b"2 one\n", 2))
        for name in (pipe, "/dev/null"):
            self.assertIn(b"wordcount: %s: --by launches reads regular files only\n" % name.encode(), done.stderr)

    def test_links_and_closed_folders(self):
        self.write("tree/file", b"one")
        tree = os.path.join(self.folder.name, "tree")
        os.symlink("loop", os.path.join(tree, "loop"))
        done = run("wordcount", "--device", device, "-e", "one", tree)
        self.assertEqual((done.stdout, done.stderr, done.returncode), (b"1 one\n", b"", 0))
        closed = os.path.join(tree, "closed")
        os.mkdir(closed, 0)
        os.chmod(self.folder.name, 0o755)
        if os.geteuid() == 0 and device == "cpu":
            done = run("wordcount", "--device", device, "-e", "one", tree, user=NOBODY, group=NOBODY, extra_groups=[])
            self.assertEqual((done.stdout, done.returncode), (b"1 one\n", 2))
            self.assertEqual(done.stderr, b"wordcount: %s: Permission denied\n" % closed.encode())

    def test_command_line(self):
        done = run("wordcount", "--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"--files-from", done.stdout)
        for wrong in ([], ["-e", "two words", "/dev/null"], ["-e", "x"], ["-e", "x", "-e", "x", "/dev/null"],
                      ["--by", "magic", "-e", "x", "/dev/null"], ["-f", "/missing", "/dev/null"],
                      ["--by", "openmp", "--threads", "3000000000", "-e", "x", "/dev/null"],
                      ["--blocks", "65536", "-e", "x", "/dev/null"]):
            done = run("wordcount", "--device", device, *wrong)
            self.assertEqual((done.returncode, done.stdout), (2, b""), wrong)
            self.assertNotEqual(done.stderr, b"")
        done = run("wordcount", "--device", device, "-e", "x", "--stats", "/dev/null")
        self.assertRegex(done.stderr, rb"^wordcount: files 1, bytes 0, time [0-9.]+ s, ")
        done = run("wordcount", "--device", device, "-e", "x", "/dev/null", "--timeline", "/dev/full")
        self.assertEqual((done.returncode, done.stderr), (2, b"wordcount: cannot write /dev/full\n"))


class SignalSearch(unittest.TestCase):
    """Prints the digests that hashlib has, of the units that have the text."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.random = random.Random(self.id())

    def write(self, content):
        path = os.path.join(self.folder.name, "file")
        with open(path, "wb") as file:
            file.write(content)
        return path

    @staticmethod
    def has_text(piece, text, mismatches):
        return any(sum(a != b for a, b in zip(piece[at:], text)) <= mismatches
                   for at in range(len(piece) - len(text) + 1))

    def check(self, content, text, unit, mismatches=0):
        path = self.write(content)
        wanted = ""
        for at in range(0, len(content), unit):
            if text in content[at:at + unit] or mismatches and self.has_text(content[at:at + unit], text, mismatches):
                wanted += f"{at} {hashlib.sha512(content[at:at + unit]).hexdigest()}\n"
        for version in ("signals", "phases", "cpu", "vectors"):
            done = run("signal-search", "--device", device, "--by", version, "-u", str(unit), "-m", str(mismatches),
                       text, path)
            with self.subTest(version=version, unit=unit):
                self.assertEqual((done.stdout.decode(), done.stderr), (wanted, b""))
                self.assertEqual(done.returncode, 0 if wanted else 1)

    def test_units(self):
        text = b"needle"
        for unit in (1, 7, 4096, 32768):
            content = bytearray(self.random.randbytes(unit * 60 + unit // 2))
            for _ in range(20):
                at = self.random.randrange(len(content))
                content[at:at + len(text)] = text
            self.check(bytes(content), text, unit)
        self.check(b"", text, 100)
        self.check(bytes(self.random.choices(b"nedlx", k=9000)), text, 60, 2)
        self.check(bytes(self.random.choices(b"ab", k=20000)), bytes(self.random.choices(b"ab", k=40)), 1000, 9)
        self.check(b"." * 600, b"x" * 256, 300, 255)
        self.check(b"." * 600, b"x" * 255 + b".", 300, 255)
        self.check(b"." * 997 + text + b"." * 997, text, 1000)  # it lies in two units

    def test_more_than_linux_queues(self):
        """Each unit has it, and Linux holds few signals."""
        content = b"x" * 20000
        path = self.write(content)
        limit = lambda: resource.setrlimit(resource.RLIMIT_SIGPENDING, (64, 64))
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 and device == "cpu" else {}
        os.chmod(self.folder.name, 0o755)
        done = run("signal-search", "--device", device, "-u", "10", "x", path, preexec_fn=limit, **user)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count(b"\n"), 2000)

    def test_no_signal_can_be_queued(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_SIGPENDING, (0, 0))
        path = self.write(b"x")
        done = run("signal-search", "--device", device, "x", path, preexec_fn=limit)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (
            2, b"", b"signal-search: Linux queues no signals here: raise 'ulimit -i', or give --by phases\n"))
        done = run("signal-search", "--device", device, "--by", "phases", "x", path, preexec_fn=limit)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_fifo(self):
        path = os.path.join(self.folder.name, "fifo")
        os.mkfifo(path)
        done = run("signal-search", "--device", device, "x", path)
        self.assertEqual((done.returncode, done.stderr),
                         (2, f"signal-search: {path}: not a regular file\n".encode()))

    def test_threads_that_cannot_be_started(self):
        """The program says so; it does not abort."""
        path, most = self.write(b"x"), 3 << 30
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most))
        if run("echod", "--help", preexec_fn=limit).returncode != 0:
            self.skipTest("the program needs more addresses")
        for words in (["signal-search", "--threads", "2000", "--by", "cpu", "x", path],
                      ["echod", "--by", "cpu", "--udp", "2000"], ["memcached", "--by", "cpu", "--servers", "2000"]):
            done = run(*words, preexec_fn=limit)
            self.assertRegex(done.stderr.decode(), rf"^{words[0]}: only [0-9]+ of 20[0-9]+ threads can be started: ")
            self.assertIn(done.returncode, (1, 2), words)

    def test_command_line(self):
        self.assertIn(b"--unit", run("signal-search", "--help").stdout)
        path = self.write(b"x")
        for wrong in ([], ["x"], ["", path], ["x" * 300, path], ["-u", "0", "x", path], ["x", self.folder.name],
                      ["x", path + ".missing"]):
            done = run("signal-search", "--device", device, *wrong)
            self.assertEqual((done.returncode, done.stdout), (2, b""), wrong)
            self.assertNotEqual(done.stderr, b"")
        done = run("signal-search", "--device", device, "x", path + ".missing")
        self.assertEqual(done.stderr, f"signal-search: {path}.missing: No such file or directory\n".encode())
        os.chmod(path, 0)
        os.chmod(self.folder.name, 0o755)
        if os.geteuid() != 0 or device == "cpu":
            user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
            for by in ("signals", "cpu"):
                done = run("signal-search", "--device", device, "--by", by, "x", path, **user)
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertEqual(done.stderr, f"signal-search: {path}: Permission denied\n".encode())


class Amr(unittest.TestCase):
    """The sum is that of the same steps in Python, and the same for each version, however the kernel runs."""

    SMALL = ("--levels", "4", "--first-level", "2", "--steps", "24")
    VERSIONS = ("kernel", "openmp", "vectors")

    def amr(self, *words):
        return run("amr", "--device", device, *(("--threads", "64") if device == "cpu" else ()), *words)

    def test_as_computed_here(self):
        """One level: no leaf is refined."""
        n, steps = 64, 2
        values = [(((x * 64) * 2654435761 ^ (y * 64) * 40503 ^ (z * 64) * 97) & 0xffffffff) >> 8
                  for z in range(n) for y in range(n) for x in range(n)]
        for _ in range(steps):
            new = []
            for z in range(n):
                for y in range(n):
                    for x in range(n):
                        i = (z * n + y) * n + x
                        own = values[i]
                        around = ((values[i - 1] if x > 0 else own) + (values[i + 1] if x + 1 < n else own) +
                                  (values[i - n] if y > 0 else own) + (values[i + n] if y + 1 < n else own) +
                                  (values[i - n * n] if z > 0 else own) + (values[i + n * n] if z + 1 < n else own))
                        new.append((2 * own + around) // 8)
            values = new
        total = 0
        for i, value in enumerate(values):
            place = ((i // n // n) * 8191 + i // n % n) * 8191 + i % n
            total += ((place * 0x9e3779b97f4a7c15) % 2**64 | 1) * value
        for by in self.VERSIONS:
            done = self.amr("--levels", "1", "--first-level", "0", "--steps", str(steps), "--by", by)
            self.assertEqual(done.stdout.decode(), f"steps 2, leaves 64, sum {total % 2**64:016x}\n", done.stderr)

    def test_limit_and_watermark(self):
        """Without giving memory back it does not fit."""
        sums = set()
        for by in self.VERSIONS:
            done = self.amr(*self.SMALL, "--limit", "152", "--by", by)
            self.assertEqual((done.returncode, done.stdout), (1, b""))
            self.assertEqual(done.stderr, b"amr: no memory left after 152 MiB: raise --limit, or give back more by a "
                                          b"lower --watermark\n")
            good = self.amr(*self.SMALL, "--limit", "152", "--watermark", "0", "--stats", "--by", by)
            self.assertEqual(good.returncode, 0, good.stderr)
            self.assertRegex(good.stderr, rb"memory at most 144 MiB, mapped [0-9]+ times, given back [1-9]")
            sums.add(good.stdout)
        self.assertEqual(len(sums), 1)
        others = ((), ("--blocks", "1")) if os.environ.get("GENESYS_TEST_FULL") else ()
        for words in (("--watermark", "100", "--blocks", "3"), *others):
            self.assertEqual(self.amr(*self.SMALL, *words).stdout, good.stdout, words)

    def test_too_many_blocks(self):
        if device == "cpu" and not os.environ.get("GENESYS_TEST_FULL"):
            self.skipTest("only with --full")
        blocks, threads = (1000, 1024) if device == "cuda" else (1100, 32)
        done = run("amr", "--device", device, *self.SMALL, "--blocks", str(blocks),
                   "--threads", str(threads))
        self.assertEqual((done.returncode, done.stderr),
                         (1, b"amr: not all blocks run at a time: lower --blocks or --threads\n"))

    def test_command_line(self):
        self.assertIn(b"--watermark", run("amr", "--help").stdout)
        for wrong in (["--levels", "9"], ["--first-level", "4"], ["--steps", "0"], ["extra"]):
            done = self.amr(*wrong)
            self.assertEqual((done.returncode, done.stdout), (2, b""), wrong)
        done = self.amr("--levels", "2", "--first-level", "1", "--leaves", "100")
        self.assertEqual((done.returncode, done.stderr), (1, b"amr: more than 100 leaves: raise --leaves\n"))
        for file in ("/missing/file", "/dev/full"):
            # Where the file cannot be opened, nothing is computed: these steps would take hours.
            steps = str(1 << 20 if file.startswith("/missing") else 1)
            done = self.amr("--levels", "1", "--first-level", "0", "--steps", steps, "--timeline", file)
            self.assertEqual((done.returncode, done.stderr), (1, b"amr: cannot write %s\n" % file.encode()))


class Hindered(unittest.TestCase):
    """What stops wordcount, signal-search and amr, each of their versions: they end as the standard tools do."""

    COUNTS, SEARCHES = ("kernel", "openmp", "vectors"), ("signals", "phases", "cpu", "vectors")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "file")

    def write(self, size):
        """A file with a word in its first bytes and in its last ones. What is between is a hole."""
        with open(self.path, "wb") as file:
            file.write(b"one two\n")
            file.seek(size - 8)
            file.write(b"one two\n")

    def wordcount(self, by):
        return [os.path.join(binaries, "wordcount"), "--device", device, "--by", by, "-e", "one", self.path]

    def search(self, by):
        return [os.path.join(binaries, "signal-search"), "--device", device, "--by", by, "-u", "32768", "one",
                self.path]

    @staticmethod
    def amr(by, steps):
        return [os.path.join(binaries, "amr"), "--device", device, "--levels", "1", "--first-level", "0",
                "--steps", str(steps), "--by", by]

    def test_a_closed_pipe_and_a_full_disk(self):
        self.write(1000)
        for words in (*map(self.wordcount, self.COUNTS), *map(self.search, self.SEARCHES),
                      *(self.amr(by, 1) for by in Amr.VERSIONS)):
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                done = processes.with_closed_output(words)
                self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, b""))
                done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, timeout=60)
                name = os.path.basename(words[0])
                self.assertEqual((done.returncode, done.stderr.decode()),
                                 (1 if name == "amr" else 2, f"{name}: cannot write standard output\n"))

    def test_ctrl_c(self):
        self.write(1 << 40)  # a hole, which takes an hour to read
        for words in (*map(self.wordcount, self.COUNTS), *map(self.search, self.SEARCHES)):
            process = processes.start(self, words, stdout=subprocess.DEVNULL)
            processes.wait_until_open(self, process, self.path)
            processes.interrupt(self, process)
        for by in Amr.VERSIONS:
            process = processes.start(self, self.amr(by, 1 << 20), stdout=subprocess.DEVNULL)
            time.sleep(0.5)
            processes.interrupt(self, process)

    def after_the_cut(self, by, words):
        is_slow = device == "cpu" and by in ("kernel", "signals", "phases")
        self.write(512 << 20 if is_slow else 64 << 30)  # what takes a second or more to read
        process = processes.start(self, words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        processes.wait_until_open(self, process, self.path)
        os.truncate(self.path, 8)
        output, errors = process.communicate(timeout=60)
        return process.returncode, output.decode(), errors.decode()

    def test_files_that_shrink(self):
        """A program reads up to the new end. A digest of a unit that is no longer whole would be wrong."""
        for by in self.COUNTS:
            self.assertEqual(self.after_the_cut(by, self.wordcount(by)), (0, "1 one\n", ""), by)
        digest = hashlib.sha512(b"one two\n" + bytes(32760)).hexdigest()
        cut = (2, "", f"signal-search: {self.path}: it was cut while it was read\n")
        for by in self.SEARCHES:
            before_cut = [(0, f"0 {digest}\n", "")] if by != "phases" else []  # those compute a digest at once
            self.assertIn(self.after_the_cut(by, self.search(by)), [cut, *before_cut], by)


class Echod(unittest.TestCase):
    """What is sent comes back."""

    def start(self, *words):
        path = os.path.join(binaries, "echod")
        server = subprocess.Popen([path, "--device", device, "--udp", "3", "--tcp", "3", *words],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        line = server.stdout.readline().decode()
        self.assertRegex(line, r"^echod: 127\.0\.0\.1, port [0-9]+\n$")
        return server, int(line.split()[-1])

    def stop(self, server, how=signal.SIGTERM):
        server.send_signal(how)
        output, errors = server.communicate(timeout=30)
        self.assertEqual((server.returncode, errors), (0, b""))
        return output.decode()

    def check(self, *words):
        server, port = self.start(*words)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            udp.settimeout(20)
            udp.connect(("127.0.0.1", port))
            for size in (0, 1, 100, 1472, 30000, 65507):
                message = random.Random(size).randbytes(size)
                udp.send(message)
                self.assertEqual(udp.recv(70000), message, size)
        connections = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(3)]
        for _ in range(2):
            for number, connection in enumerate(connections):
                message = random.Random(number).randbytes(100000)
                connection.sendall(message)
                back = b""
                while len(back) < len(message):
                    back += connection.recv(65536)
                self.assertEqual(back, message)
        connections[0].shutdown(socket.SHUT_WR)
        self.assertEqual(connections[0].recv(100), b"", "the server ends the connection, too")
        fourth = socket.create_connection(("127.0.0.1", port), timeout=20)  # the server of the first one is free
        fourth.sendall(b"again")
        self.assertEqual(fourth.recv(100), b"again")
        self.assertEqual(self.stop(server), "echod: UDP 6 datagrams, 97080 bytes; TCP 600005 bytes\n")
        for connection in (*connections, fourth):
            connection.close()

    def test_device_memory(self):
        self.check("--memory", "device")

    def test_pinned_memory(self):
        self.check("--memory", "pinned")

    def test_cpu(self):
        self.check("--by", "cpu")

    def test_many_clients(self):
        """Datagrams that wait together come back each to its sender."""
        for words in ([], ["--memory", "device"], ["--by", "cpu"]):
            server, port = self.start(*words)
            clients = []
            for _ in range(4):
                udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                self.addCleanup(udp.close)
                udp.settimeout(20)
                udp.connect(("127.0.0.1", port))
                clients.append(udp)
            sent = [{b"%d %d " % (client, i) * (i + 1) for i in range(40)} for client in range(4)]
            for messages in zip(*sent):
                for udp, message in zip(clients, messages):
                    udp.send(message)
            for udp, messages in zip(clients, sent):
                self.assertEqual({udp.recv(70000) for _ in messages}, messages, words)
            self.assertRegex(self.stop(server), r"^echod: UDP 160 datagrams, ")

    def test_load(self):
        server, port = self.start()
        for words in ([], ["--tcp"]):
            done = run("echo-load", str(port), "--seconds", "0.3", "--bytes", "100", "--clients", "2", *words)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertRegex(done.stdout, rb"^[0-9]+ messages/s, [0-9.]+ MB/s, [0-9]+ lost, 0 wrong\n$")
        self.stop(server, signal.SIGINT)
        done = run("echo-load", str(port), "--tcp", "--seconds", "0.1")
        self.assertEqual((done.returncode, done.stderr),
                         (1, f"echo-load: 127.0.0.1, port {port}: Connection refused\n".encode()))

    def test_load_of_a_server_that_loses(self):
        """Datagrams that do not come back are lost, also if others do; one that comes back twice counts once."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
            server.bind(("127.0.0.1", 0))
            server.settimeout(20)
            ends = threading.Event()

            def serve():
                for number in range(1 << 30):
                    message, client = server.recvfrom(70000)
                    if ends.is_set():
                        return
                    for _ in range(0 if number % 100 < 20 else 2):
                        server.sendto(message, client)

            thread = threading.Thread(target=serve)
            thread.start()
            done = run("echo-load", str(server.getsockname()[1]), "--seconds", "0.5", "--clients", "1")
            ends.set()
            server.sendto(b"", server.getsockname())
            thread.join()
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        found = re.fullmatch(rb"([0-9]+) messages/s, [0-9.]+ MB/s, ([0-9]+) lost, 0 wrong\n", done.stdout)
        self.assertIsNotNone(found, done.stdout)
        self.assertGreaterEqual(int(found[2]), 20)

    def test_load_of_fewer_servers_than_clients(self):
        server, port = self.start()
        done = run("echo-load", str(port), "--tcp", "--seconds", "5", "--clients", "4")
        self.assertEqual((done.returncode, done.stderr), (
            1, b"echo-load: the server does not answer: it may serve fewer connections at a time than --clients\n"))
        self.stop(server)

    def test_blocks_that_are_not_resident(self):
        if not os.environ.get("GENESYS_TEST_FULL"):
            self.skipTest("takes seconds: with GENESYS_TEST_FULL")
        done = run("echod", "--device", device, "--udp", "4096", "--tcp", "1", "--threads", "1024")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (
            1, b"", b"echod: not all blocks run at a time: lower --udp, --tcp or --threads\n"))

    def test_command_line(self):
        for kind, name in ((socket.SOCK_STREAM, "TCP"), (socket.SOCK_DGRAM, "UDP")):
            with socket.socket(socket.AF_INET, kind) as other:
                other.bind(("127.0.0.1", 0))
                port = other.getsockname()[1]
                if kind == socket.SOCK_STREAM:
                    other.listen()
                done = run("echod", "--device", device, "--port", str(port))
                self.assertEqual((done.returncode, done.stderr),
                                 (1, f"echod: 127.0.0.1, {name} port {port}: Address already in use\n".encode()))
        self.assertIn(b"--memory", run("echod", "--help").stdout)
        self.assertIn(b"--window", run("echo-load", "--help").stdout)
        for wrong in (["--port", "70000"], ["extra"]):
            self.assertEqual(run("echod", "--device", device, *wrong).returncode, 2, wrong)
        done = run("echod", "--device", device, "--by", "magic")
        self.assertEqual((done.returncode, done.stderr),
                         (2, b"echod: --by: 'magic' is not kernel or cpu\nTry 'echod --help'.\n"))
        with open("/dev/full", "wb") as full:
            done = subprocess.run([os.path.join(binaries, "echo-load"), str(self.start()[1]), "--seconds", "0.1"],
                                  stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (1, b"echo-load: cannot write standard output\n"))
        done = run("echod", "--device", device, "--address", "nowhere")
        self.assertEqual((done.returncode, done.stderr), (1, b"echod: 'nowhere' is no IPv4 address\n"))


class MemcachedCase(unittest.TestCase):
    """Starts servers, and asks them."""

    @staticmethod
    def binary(opcode, key=b"", extra=b"", value=b"", magic=0x80, cas=0, **lengths):
        """A request of the binary protocol; `lengths` makes it malformed."""
        key_bytes, extra_bytes = lengths.get("key", len(key)), lengths.get("extra", len(extra))
        body = lengths.get("body", len(key) + len(extra) + len(value))
        header = struct.pack(">BBHBBHIIQ", magic, opcode, key_bytes, extra_bytes, 0, 0, body, 0xdeadbeef, cas)
        return header + extra + key + value

    def start(self, *words):
        path = os.path.join(binaries, "memcached")
        sizes = [] if "-I" in words else ["-I", "66000"]
        sizes += [] if "--depth" in words else ["--depth", "16"]
        server = subprocess.Popen([path, "--device", device, "-U", "0", *sizes, *words],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        line = server.stdout.readline().decode()
        self.assertRegex(line, r"^memcached: 127\.0\.0\.1, UDP port [0-9]+\n$")
        return server, int(line.split()[-1])

    def stop(self, server, how=signal.SIGTERM):
        server.send_signal(how)
        output, errors = server.communicate(timeout=30)
        self.assertEqual((server.returncode, errors), (0, b""))
        return output.decode()

    def client(self, port):
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.settimeout(20)
        udp.connect(("127.0.0.1", port))
        self.addCleanup(udp.close)
        return udp

    MARK = struct.pack(">HHHH", 65535, 0, 1, 0)

    def ask(self, udp, data, sequence=0, count=1, number=7):
        """The datagrams that answer a request: all until the answer to a NOOP after it."""
        udp.send(struct.pack(">HHHH", number, sequence, count, 0) + data)
        return self.until_mark(udp)

    def until_mark(self, udp):
        udp.send(self.MARK + self.binary(10))
        replies = []
        while True:
            reply = udp.recv(70000)
            if reply.startswith(self.MARK[:2]):
                return replies
            replies.append(reply)


class Memcached(MemcachedCase):
    """Answers as Debian's memcached does, datagram by datagram."""

    @classmethod
    def requests(cls):
        """Requests, valid and malformed; each also sees what those before it have stored."""
        binary, flags = cls.binary, struct.pack(">II", 7, 0)
        long, too_long = b"k" * 250, b"k" * 251
        for text in (
                b"set a 5 0 3\r\nabc\r\n", b"get a\r\n", b"gets a\r\n", b"get a b a\r\n", b"get b\r\n", b"get a b\r\n",
                b"get b c\r\n", b"get b c d\r\n", b"get b a c a\r\n", b"get a\r\nget a\r\n", b"get a\n",
                b"get a\r\nget b c\r\n", b"get b c\r\nget b c d\r\n", b"get b\r\nget b\r\nget b c d\r\n", b"get\r\n",
                b"get  a\r\n", b" get a\r\n", b"get a \r\n", b"get \r\n", b"GET a\r\n", b"gets\r\n", b"\r\n",
                b"foo\r\n",
                b"get a\r\nfoo\r\n", b"get a\r\r\n", b"get a\rb\r\n", b"get " + b"a " * 40 + b"\r\n",
                b"get " + long + b"\r\n", b"get " + too_long + b"\r\n", b"get a " + too_long + b"\r\n",
                b"set " + long + b" 1 0 2\r\nhi\r\n", b"get " + long + b"\r\n", b"gets a " + long + b"\r\n",
                b"set " + too_long + b" 0 0 3\r\nabc\r\n", b"set a 5 0 3 noreply\r\nab4\r\n", b"get a\r\n",
                b"set a 5 0 3 noreply\r\nabc4\r\n", b"set a 5 0 3\r\nabcd\r\n", b"get a\r\n", b"set a 5 0\r\n",
                b"set a\r\n",
                b"set\r\n", b"set a 5 0 x\r\nabc\r\n", b"set a x 0 3\r\nabc\r\n", b"set a 0 x 3\r\nabc\r\n",
                b"set a -1 0 3\r\nabc\r\n", b"set a 0 0 -1\r\nabc\r\n", b"set a 0 0 0x3\r\nabc\r\n",
                b"set a 99999999999999999999999 0 3\r\nabc\r\n", b"set a 0 0 2147483647\r\nabc\r\n",
                b"set a 4294967295 0 3\r\nabc\r\n", b"get a\r\n", b"set a 4294967296 0 3\r\nabc\r\n", b"get a\r\n",
                b"set a +5 0 3\r\nabc\r\n", b"get a\r\n", b"set a 0 -1 3\r\nabc\r\n", b"get a\r\n", b"get a b\r\n",
                b"set a 0 0 0\r\n\r\n", b"get a\r\n", b"set a 0 0 3\nabc\r\n", b"set a 0 0 3\r\nabc\n\n",
                b"set a 0 0 3 foo\r\nabc\r\n", b"set a 0 0 3 noreply x\r\nabc\r\n", b"set a 0 0 3 \r\nabc\r\n",
                b"set a\tb 0 0 3\r\nabc\r\n", b"get a\tb\r\n", b"set a\0b 0 0 3\r\nabc\r\n", b"get a\0b\r\n",
                b"noreply\r\n",
                b"set c 0 0 8\r\na\r\nb\0\r\n\xff\r\n", b"get c\r\n", b"delete a\r\n", b"delete a\r\n", b"delete\r\n",
                b"delete a 0\r\n", b"delete a 5\r\n", b"delete a noreply\r\n", b"delete c 0 noreply\r\n", b"get c\r\n",
                b"delete a b c d\r\n", b"delete a b c\r\n", b"delete a 0 0\r\n", b"delete a noreply noreply\r\n",
                b"delete " + too_long + b"\r\n", b"set a 5 0 3\r\nabc\r\nget a\r\ndelete a\r\nget a\r\n",
                b"set a 5 0 3\r\nabc\r\nget a\r\n" + binary(10), binary(10) + b"get a\r\n"):
            yield text
        for size in (1, 1300, 1364, 1365, 1366, 1367, 1370, 2000, 2756, 2757, 2758, 2768, 10000, 60000):
            yield b"set v%d 0 0 %d\r\n" % (size, size) + random.Random(size).randbytes(size) + b"\r\n"
            yield b"get v%d\r\n" % size
            yield binary(0, b"v%d" % size)
            yield binary(1, b"w%d" % size, flags, random.Random(-size).randbytes(size))
            yield binary(12, b"w%d" % size)
        yield b"get v2000 a v1300 nothing v10000\r\n"
        for request in (
                binary(1, b"a", flags, b"abc"), binary(0, b"a"), binary(9, b"a"), binary(12, b"a"), binary(13, b"a"),
                binary(0, b"b"), binary(9, b"b"), binary(12, b"b"), binary(13, b"b"), binary(10), binary(4, b"a"),
                binary(4, b"a"), binary(17, b"a", flags, b"abc"), binary(20, b"a"), binary(20, b"a"),
                binary(9, b"b") + binary(10), binary(10) + binary(9, b"b") + binary(10), binary(9, b"b") * 3,
                binary(10) + binary(9, b"b") * 2, binary(9, b"a") + binary(9, b"b") * 2 + binary(9, b"a"),
                binary(17, b"a", flags, b"1") + binary(9, b"a") + binary(13, b"b") + binary(13, b"a") + binary(10),
                binary(1, b"a", flags, b"abc", cas=1 << 60), binary(1, b"none", flags, b"abc", cas=99),
                binary(4, b"a", cas=1 << 60), binary(1, b"a", b"", b"abc"), binary(1, b"", flags, b"abc"), binary(0),
                binary(0, b"a", flags), binary(0, b"a", b"", b"v"), binary(0, long), binary(0, too_long),
                binary(1, long, flags, b"v"), binary(0, long), binary(12, long), binary(1, too_long, flags, b"v"),
                binary(10, b"k"), binary(11, b"k"), binary(4, b"a", flags), binary(4, b"a", b"", b"v"), binary(4),
                binary(0, b"a", magic=0x81), binary(0x99), binary(1, b"a", flags), binary(0, b"a"),
                binary(0, b"a", body=0), binary(0) + binary(10), binary(0, b"a", body=0) + binary(10),
                binary(1, b"a", struct.pack(">II", 1, 0xffffffff), b"x"), binary(0, b"a")):
            yield request

    @staticmethod
    def without_cas(reply):
        """A reply whose numbers of `cas`, which differ from server to server, are 1 if they are not 0."""
        data = reply[8:]
        if data[:1] == b"\x81":
            return reply[:24] + bytes([0] * 7 + [reply[24:32] != bytes(8)]) + reply[32:]
        return reply[:8] + re.sub(rb"^(VALUE [^ ]+ [0-9]+ [0-9]+) [0-9]+\r\n", rb"\1 1\r\n", data)

    def compare(self, *words):
        program = shutil.which("memcached", path="/usr/bin:/bin")
        if program is None:
            self.skipTest("Debian's memcached is not installed")
        server, port = self.start(*words)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            other_port = free.getsockname()[1]
        user = ["-u", "nobody"] if os.geteuid() == 0 else []
        other = subprocess.Popen([program, *user, "-l", "127.0.0.1", "-p", "0", "-U", str(other_port), "-t", "1"])
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        ours, theirs = self.client(port), self.client(other_port)
        for attempt in range(100):  # until it listens
            try:
                theirs.settimeout(0.1)
                self.until_mark(theirs)
                break
            except (ConnectionRefusedError, TimeoutError):
                time.sleep(0.05)
        theirs.settimeout(20)
        with theirs as _:
            for number, request in enumerate(self.requests()):
                with self.subTest(request=request[:80], number=number):
                    wanted = [self.without_cas(each) for each in self.ask(theirs, request, number=number)]
                    got = [self.without_cas(each) for each in self.ask(ours, request, number=number)]
                    self.assertEqual(got, wanted)
            for sequence, count in ((1, 1), (0, 2), (0, 0)):
                for each in (ours, theirs):
                    answer = self.ask(each, b"get v1\r\n", sequence, count)
                    self.assertEqual(len(answer), 1 if count == 1 else 0, (sequence, count))
        self.stop(server)

    def test_kernel(self):
        self.compare("--servers", "1", "--threads", "64")

    def test_kernel_with_device_buffers(self):
        self.compare("--servers", "1", "--threads", "33", "--buffers", "device")

    def test_kernel_searches_items(self):
        self.compare("--servers", "1", "--search", "items")

    def test_cpu(self):
        self.compare("--by", "cpu", "--servers", "1")

    def test_vectors(self):
        self.compare("--by", "vectors", "--servers", "1")


class MemcachedAlone(MemcachedCase):
    """What needs no other memcached."""

    def answer(self, udp, request):
        """The message that answers a request for one."""
        udp.send(struct.pack(">HHHH", 9, 0, 1, 0) + request)
        parts, count = {}, 1
        while len(parts) < count:
            reply = udp.recv(70000)
            number, sequence, count, zero = struct.unpack(">HHHH", reply[:8])
            self.assertEqual((number, zero), (9, 0))
            parts[sequence] = reply[8:]
        return b"".join(parts[i] for i in range(count))

    def set(self, udp, key, value):
        return self.answer(udp, f"set {key} 0 0 {len(value)}\r\n{value}\r\n".encode())

    def get(self, udp, key):
        lines = self.answer(udp, f"get {key}\r\n".encode()).split(b"\r\n")
        return None if lines[0] == b"END" else lines[1].decode()

    def test_a_full_bucket_drops_the_item_that_was_set_first(self):
        for words in (["--search", "tags"], ["--search", "items"], ["--by", "vectors"]):
            server, port = self.start("--servers", "1", "-m", "1", "-I", "64000", *words)  # one bucket of 16 items
            udp = self.client(port)
            for i in range(16):
                self.assertEqual(self.set(udp, f"key{i}", f"value{i}"), b"STORED\r\n")
            self.set(udp, "key0", "again")  # now key1 was set first
            self.set(udp, "key16", "value16")
            self.assertEqual([i for i in range(17) if self.get(udp, f"key{i}") is None], [1])
            self.assertEqual(self.get(udp, "key0"), "again")
            self.ask(udp, b"delete key5\r\n")
            self.set(udp, "key17", "value17")  # takes the free place
            self.assertEqual([i for i in range(18) if self.get(udp, f"key{i}") is None], [1, 5])
            counts = r"^memcached: [0-9]+ datagrams, 36 gets, 33 hits, 19 sets, 1 deletes\n$"
            self.assertRegex(self.stop(server), counts)

    def test_each_item_of_a_bucket_is_found(self):
        """Also if the bucket's depth is no multiple of what is looked at together. Keys begin alike."""
        for depth, size, *words in ((77, 13600, "--threads", "3"), (77, 13600, "--threads", "3", "--search", "items"),
                                    (13, 80000, "--by", "cpu", "--search", "items"),
                                    (77, 13600, "--by", "cpu"), (77, 13600, "--by", "vectors")):
            with self.subTest(words=words):
                server, port = self.start("--servers", "1", "-m", "1", "--depth", str(depth), "-I", str(size), *words)
                udp = self.client(port)
                keys = ["k" * (247 * i // (depth - 1)) + f"{i:03}" for i in range(depth)]  # of 3 to 250 bytes
                for key in keys:
                    self.assertEqual(self.set(udp, key, "of " + key), b"STORED\r\n")
                self.assertEqual([key for key in keys if self.get(udp, key) != "of " + key], [])
                self.set(udp, "more", "x")
                self.assertEqual([i for i, key in enumerate(keys) if self.get(udp, key) is None], [0])
                self.stop(server)

    def test_keys_that_no_item_can_have(self):
        for words in (["--search", "tags"], ["--search", "items"], ["--by", "cpu", "--search", "items"]):
            server, port = self.start("--servers", "1", "-m", "1", "-I", "64", *words)
            udp = self.client(port)
            self.assertEqual(self.set(udp, "a", "small"), b"STORED\r\n")
            self.assertIsNone(self.get(udp, "k" * 250))
            self.assertEqual(self.set(udp, "k" * 250, "x"), b"SERVER_ERROR object too large for cache\r\n")
            self.assertEqual(self.get(udp, "a"), "small")
            self.stop(server)

    def test_items_that_are_too_large(self):
        server, port = self.start("--servers", "1", "-I", "256")
        udp = self.client(port)
        self.assertEqual(self.set(udp, "a", "x" * 224), b"STORED\r\n")
        self.assertEqual(self.set(udp, "a", "x" * 225), b"SERVER_ERROR object too large for cache\r\n")
        self.assertIsNone(self.get(udp, "a"), "the old value is not valid any more")
        reply = self.answer(udp, self.binary(1, b"a", bytes(8), b"x" * 225))
        self.assertEqual((reply[6:8], reply[24:]), (b"\0\3", b"Too large."))
        # That it is too large comes first: before the end of the line, and before the cas.
        self.set(udp, "a", "old")
        self.assertEqual(self.answer(udp, b"set a 0 0 3\r\nabcXX"), b"CLIENT_ERROR bad data chunk\r\n")
        self.assertEqual(self.get(udp, "a"), "old")
        self.assertEqual(self.answer(udp, b"set a 0 0 225\r\n" + b"x" * 225 + b"XX"),
                         b"SERVER_ERROR object too large for cache\r\n")
        self.assertIsNone(self.get(udp, "a"))
        self.set(udp, "a", "old")
        reply = self.answer(udp, self.binary(1, b"a", bytes(8), b"x" * 225, cas=1 << 60))
        self.assertEqual((reply[6:8], reply[24:]), (b"\0\3", b"Too large."))
        self.assertIsNone(self.get(udp, "a"))
        self.stop(server)

    def test_requests_that_are_cut(self):
        """Of a request, each beginning gets no reply or an error, and the server goes on."""
        server, port = self.start("--servers", "1")
        udp = self.client(port)
        whole = [b"set a 5 0 3 noreply\r\nabc\r\n", b"get a b\r\n", self.binary(1, b"key", bytes(8), b"value"),
                 self.binary(12, b"key"), self.binary(4, b"key")]
        for request in whole:
            for length in range(len(request)):
                self.ask(udp, request[:length])
        for length in range(9):
            udp.send(bytes(length))
        chance = random.Random(self.id())
        for _ in range(300):
            request = bytearray(chance.choice(whole))
            for _ in range(3):
                request[chance.randrange(len(request))] = chance.choice([0, 13, 10, 32, 0x80, 0xff,
                    chance.randrange(256)])
            self.ask(udp, bytes(request))
        self.assertEqual(self.set(udp, "a", "still"), b"STORED\r\n")
        self.assertEqual(self.get(udp, "a"), "still")
        self.stop(server, signal.SIGINT)

    def test_many_clients(self):
        server, port = self.start("--servers", "6", "--sockets", "2")
        clients = [self.client(port) for _ in range(8)]
        wrong, done = [], []

        def work(number, udp):
            for turn in range(40):
                value = f"{number}.{turn}|" * (1 + turn * 7)
                self.set(udp, f"own{number}", value)
                if self.get(udp, f"own{number}") != value:
                    wrong.append((number, turn))
                self.set(udp, "shared", value)  # all write it; each reader gets one value, whole
                seen = self.get(udp, "shared")
                part = seen[:seen.index("|") + 1]
                if seen != part * (1 + int(part[2:-1]) * 7):
                    wrong.append(("shared", seen[:40]))
            done.append(number)

        threads = [threading.Thread(target=work, args=each) for each in enumerate(clients)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual((wrong, sorted(done)), ([], list(range(8))))
        self.stop(server)

    def test_requests_that_wait(self):
        """Requests that wait together each get their replies."""
        for words in ([], ["--buffers", "device"], ["--by", "cpu"]):
            server, port = self.start("--servers", "2", *words)
            udps = [self.client(port) for _ in range(2)]
            for key, size in (("small", 10), ("large", 9000)):
                self.set(udps[0], key, key[0] * size)
            wanted = {}
            for number in range(40):
                for udp in udps:
                    key = b"large" if number % 5 == 0 else b"small"
                    udp.send(struct.pack(">HHHH", number, 0, 1, 0) + b"get %s\r\n" % key)
                    wanted[number] = b"l" * 9000 if number % 5 == 0 else b"s" * 10
            for udp in udps:
                replies = {}
                while len(replies) < 40 or any(len(parts) < count for count, parts in replies.values()):
                    reply = udp.recv(70000)
                    number, sequence, count, _ = struct.unpack(">HHHH", reply[:8])
                    parts = replies.setdefault(number, (count, {}))[1]
                    self.assertNotIn(sequence, parts)
                    parts[sequence] = reply[8:]
                for number, (count, parts) in replies.items():
                    self.assertIn(wanted[number], b"".join(parts[i] for i in range(count)), (words, number))
            self.assertRegex(self.stop(server), r"^memcached: 82 datagrams, 80 gets, 80 hits, 2 sets, 0 deletes\n$")

    def test_launches(self):
        """The version without system calls answers as the kernel does."""
        if device != "cuda":
            done = run("memcached", "--by", "launches", "-U", "0")
            self.assertEqual(done.returncode, 1, "without a GPU it says so")
            return self.assertTrue(done.stderr.startswith(b"memcached: "), done.stderr)
        server, port = self.start("--by", "launches")
        udp = self.client(port)
        self.assertEqual(self.set(udp, "a", "x" * 3000), b"STORED\r\n")
        self.assertEqual(self.get(udp, "a"), "x" * 3000)
        self.assertIsNone(self.get(udp, "b"))
        self.assertRegex(self.stop(server), r"^memcached: 3 datagrams, 2 gets, 1 hits, 1 sets, 0 deletes\n$")

    def test_load(self):
        server, port = self.start("--servers", "2", "-I", "4096", "-m", "8")
        for words in (["--text", "--bytes", "3000"], ["--bytes", "3000"], ["--bytes", "0"], ["--text", "--sets", "50"]):
            with tempfile.NamedTemporaryFile() as file:
                done = run("memcached-load", str(port), "--seconds", "0.2", "--keys", "100", "--clients", "2",
                           "--window", "4", "--json", file.name, *words)
                self.assertEqual((done.returncode, done.stderr), (0, b""), words)
                self.assertRegex(done.stdout, rb"^[0-9]+ requests/s, latency [0-9.]+ us \(p90 [0-9.]+, p99 [0-9.]+\), "
                                              rb"[0-9]+ lost, 0 misses, 0 wrong\n$")
                figures = json.load(file)
                self.assertGreater(figures["requests_per_s"], 0)
                self.assertEqual(figures["wrong"], 0)
        done = run("memcached-load", str(port), "--keep", "--keys", "200", "--seconds", "0.2", "--bytes", "20")
        self.assertEqual(done.returncode, 1, "values of another length are wrong")
        done = run("memcached-load", str(port), "--keys", "10", "--clients", "1", "--seconds", "0.1", "--bytes", "5000")
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertEqual(done.stderr, b"memcached-load: the server does not store 10 of 10 values: is its "
                                      b"--max-item-size large enough?\n")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
            silent.bind(("127.0.0.1", 0))
            done = run("memcached-load", str(silent.getsockname()[1]), "--keys", "1", "--clients", "1")
        self.assertEqual((done.returncode, done.stderr), (1, b"memcached-load: the server does not answer\n"))
        self.stop(server, signal.SIGINT)
        done = run("memcached-load", str(port), "--seconds", "0.1")
        self.assertEqual((done.returncode, done.stderr),
                         (1, f"memcached-load: 127.0.0.1, port {port}: Connection refused\n".encode()))

    def test_command_line(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", 0))
            port = other.getsockname()[1]
            done = run("memcached", "--device", device, "-U", str(port))
            self.assertEqual((done.returncode, done.stderr),
                             (1, f"memcached: 127.0.0.1, UDP port {port}: Address already in use\n".encode()))
        words = ["--servers", "2", "--sockets", "2"]
        server, port = self.start(*words)  # it shares the port with itself alone
        done = run("memcached", "--device", device, "-U", str(port), *words)
        self.assertEqual((done.returncode, done.stderr),
                         (1, f"memcached: 127.0.0.1, UDP port {port}: Address already in use\n".encode()))
        self.stop(server)
        self.assertIn(b"--max-item-size", run("memcached", "--help").stdout)
        for wrong in (["-U", "70000"], ["extra"]):
            self.assertEqual(run("memcached", "--device", device, *wrong).returncode, 2, wrong)
        done = run("memcached", "--device", device, "--search", "magic")
        self.assertEqual((done.returncode, done.stderr),
                         (2, b"memcached: --search: 'magic' is not tags or items\nTry 'memcached --help'.\n"))
        done = run("memcached", "--by", "cpu", "-U", "0", "--servers", "1", "--sockets", "2")
        self.assertEqual((done.returncode, done.stderr), (1, b"memcached: --sockets 2: only 1 servers read them\n"))
        done = run("memcached", "--by", "cpu", "-U", "0", "-m", "1", "--depth", "1000")
        self.assertEqual((done.returncode, done.stderr), (
            1, b"memcached: the memory holds no bucket: give a larger --memory-limit, or a smaller --depth\n"))


class Display(unittest.TestCase):
    """Pictures and command lines of display. What it draws is tested in a virtual machine: tests/linux."""

    def told(self, content, framebuffer="/dev/null"):
        with tempfile.NamedTemporaryFile() as file:
            file.write(content)
            file.flush()
            done = run("display", "--device", device, "--framebuffer", framebuffer, file.name)
            return done.returncode, done.stdout, done.stderr.replace(file.name.encode(), b"FILE")

    @staticmethod
    def bmp(data=bytes(16), begin=54, header=40, width=2, height=2, bits=24, compression=0):
        return struct.pack("<2sIHHIIiiHHIIiiII", b"BM", 54 + len(data), 0, 0, begin, header, width, height, 1, bits,
                           compression, len(data), 0, 0, 0, 0) + data

    def test_pictures(self):
        """The kernel reads the picture first, and then finds that /dev/null is no framebuffer."""
        for good in (b"P6 1 1 255 abc", b"P6\n#x\n2#\n 1\n#\n200\n" + bytes(6), b"P6\t1\r1\v1\fabcd", self.bmp(),
                     self.bmp(height=-2), self.bmp(bits=32), self.bmp(bytes(20), begin=58, header=44),
                     self.bmp(bytes(4), width=1, height=1)):
            with self.subTest(good=good):
                self.assertEqual(self.told(good), (1, b"", b"display: /dev/null: Inappropriate ioctl for device\n"))

    def test_pictures_that_are_wrong(self):
        message = (b"display: FILE: no whole picture in PPM (P6, values to 255) or BMP (24 or 32 bits, "
                   b"not compressed)\n")
        for wrong in (b"", b"P", b"P6", b"P6 ", b"P6 1 1", b"P6 1 1 255", b"P6 1 1 255 ab", b"P6 0 1 255 abc",
                      b"P6 1 1 256 abcdef", b"P6 1 1 0 abc", b"P6 -1 1 255 abc", b"P61 1 255 abc", b"P6 1 1 255abc",
                      b"P6 1 1 # 255 abc", b"P6 99999999999 1 255 abc", b"P6 32769 1 255 " + bytes(98307),
                      b"P6 32768 32768 255 abc", b"P3 1 1 255 1 1 1", b"\x89PNG\r\n", self.bmp()[:-1], b"BM",
                      self.bmp()[:53], self.bmp(begin=53), self.bmp(begin=55), self.bmp(begin=0xffffffff),
                      self.bmp(header=12), self.bmp(width=0), self.bmp(width=-2), self.bmp(height=0),
                      self.bmp(height=-1 << 31), self.bmp(width=32768, height=32768), self.bmp(bits=8),
                      self.bmp(compression=1), self.bmp(bits=32, width=3)):
            with self.subTest(wrong=wrong[:60]):
                self.assertEqual(self.told(wrong), (1, b"", message))

    def test_command_line(self):
        done = run("display", "--device", device, "/missing.ppm")
        self.assertEqual((done.returncode, done.stderr), (1, b"display: /missing.ppm: No such file or directory\n"))
        done = run("display", "--device", device, "/dev")
        self.assertEqual((done.returncode, done.stderr), (1, b"display: /dev: Is a directory\n"))
        picture = b"P6 1 1 255 abc"
        self.assertEqual(self.told(picture, "/missing"), (1, b"", b"display: /missing: No such file or directory\n"))
        self.assertIn(b"--scale", run("display", "--help").stdout)
        for wrong in ([], ["-m", "640"], ["-m", "640x480x32"], ["-m", "0x480"], ["-m", "40000x480"], ["-m", "-1x480"],
                      ["-b", "8"], ["--device", "tpu"]):
            done = run("display", *wrong, *(["/x.ppm"] if wrong else []))
            self.assertEqual((done.returncode, done.stdout), (2, b""), wrong)
            self.assertNotEqual(done.stderr, b"")


class LineSort(unittest.TestCase):
    """Writes what `LC_ALL=C sort` writes."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.temporary = os.path.join(self.folder.name, "temporary")
        os.mkdir(self.temporary)
        self.random = random.Random(self.id())

    def write(self, *contents):
        paths = []
        for number, content in enumerate(contents):
            paths.append(os.path.join(self.folder.name, str(number)))
            with open(paths[-1], "wb") as file:
                file.write(content)
        return paths

    def command(self, by, *words):
        path = os.path.join(binaries, "line-sort")
        return [path, "--device", device, "--by", by, "-T", self.temporary, *words]

    start = processes.start

    def wait_for_descriptor(self, process, path):
        """The first open file of the process whose name begins with `path`, as Linux names it."""
        end = time.monotonic() + 60
        while time.monotonic() < end and process.poll() is None:
            found = self.descriptors(process, path)
            if found:
                return found[0]
            time.sleep(0.01)
        self.fail(f"no file {path} is opened")

    @staticmethod
    def descriptors(process, path):
        names = []
        for number in os.listdir(f"/proc/{process.pid}/fd"):
            try:
                names.append(os.readlink(f"/proc/{process.pid}/fd/{number}"))
            except FileNotFoundError:  # it is closed
                pass
        return [name for name in names if name.startswith(path)]

    @staticmethod
    def sorted(words, **more):
        return subprocess.run(["sort", *words], capture_output=True, check=True, env={"LC_ALL": "C"}, **more).stdout

    def check(self, contents, *options):
        paths = self.write(*contents)
        out = os.path.join(self.folder.name, "out")
        for flags in ([], ["-r"], ["-u"], ["-r", "-u"]):
            wanted = self.sorted([*flags, *paths])
            for by in ("kernel", "openmp"):
                with self.subTest(by=by, flags=flags, options=options):
                    done = run("line-sort", *self.command(by, *flags, *options, *paths)[1:])
                    self.assertEqual((done.stderr, done.returncode), (b"", 0))
                    self.assertTrue(done.stdout == wanted)  # assertEqual would take long to show the difference
                    done = run("line-sort", *self.command(by, *flags, *options, "-o", out, *paths)[1:])
                    self.assertEqual((done.stdout, done.stderr, done.returncode), (b"", b"", 0))
                    with open(out, "rb") as file:
                        self.assertTrue(file.read() == wanted)
        self.assertEqual(os.listdir(self.temporary), [])

    def lines(self, count, letters, longest):
        return b"".join(bytes(self.random.choices(letters, k=self.random.randrange(longest))) + b"\n"
                        for _ in range(count))

    def test_lines(self):
        self.check([b""])
        self.check([b"one line without an end"])
        self.check([b"\n\n", b"", b"b", b"a\nab\nabc\n\0\na\0\na\0b\n\xff"])
        self.check([self.lines(3000, b"ab\0\xff", 14), self.lines(2000, b"ab", 3)[:-1], self.lines(10, b"x", 100000)])
        self.check([b"the same line\n" * 20000])
        if device == "cpu":
            self.check([self.lines(2000, b"abc", 9)], "--blocks", "1", "--threads", "1")
            self.check([self.lines(2000, b"abc", 9)], "--blocks", "5", "--threads", "40")

    def test_runs(self):
        """More than the memory that it may use."""
        self.check([self.lines(120000, b"abc", 60), b"the same line\n" * 100000], "-S", "4M")

    def test_runs_of_other_lines(self):
        """Long lines among short ones, from a pipe."""
        content = self.lines(900000, b"ab", 4) + self.lines(6, b"xyz", 200000) + self.lines(30000, b"cd", 50) + b"end"
        wanted = self.sorted([], input=content)
        for by in ("kernel", "openmp"):
            done = subprocess.run(self.command(by, "-S", "4M", "--stats"), input=content, capture_output=True,
                                  timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreater(int(re.search(rb"runs (\d+)", done.stderr)[1]), 10)
            self.assertTrue(done.stdout == wanted)

    def test_many_runs(self):
        """More than are merged at a time, by a process that may open few files."""
        words = [bytes(each) for each in itertools.product(b"abcdefghijklmnopqrstuvwxyz", repeat=3)]
        paths = self.write(b"\n".join(self.random.choices(words, k=3_600_000)))
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))}
        for by in ("kernel", "openmp"):
            done = run("line-sort", *self.command(by, "-u", "-S", "4M", "--stats", *paths)[1:],
                       **(limit if device == "cpu" or by == "openmp" else {}))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreater(int(re.search(rb"runs (\d+)", done.stderr)[1]), 64)
            self.assertTrue(done.stdout == self.sorted(["-u", *paths]))

    def test_long_lines(self):
        """Each of them fits into the memory for text, `2.4 MiB`."""
        short = self.lines(3000, b"abc", 40)
        different = b"".join(bytes(self.random.choices(b"abc", k=100)) + bytes(1) * size + b"\n"
                             for size in (1_300_000, 2_400_000, 2_000_000, 1_500_000))
        self.check([short + different + short], "-S", "4M")
        self.check([b"".join(b"x" * size + b"\n" for size in (1_200_000, 1_100_000, 1_200_000, 1_000_000, 1_250_000)) +
                    short], "-S", "4M")
        self.check([short, b"a" * 1_500_000 + b"\n" + b"b\n" * 200_000, b"a" * 900_000 + b"\n"], "-S", "4M")

    def test_lines_that_do_not_fit(self):
        single, = self.write(b"x" * 3_000_000)
        for by in ("kernel", "openmp"):
            done = run("line-sort", *self.command(by, "-S", "4M", single)[1:])
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertRegex(done.stderr, rb"^line-sort: a line is longer than .* bytes: give more by --buffer-size\n$")
        alike, = self.write(2 * (b"x" * 2_000_000 + b"\n") + b"short\n")
        for by in ("kernel", "openmp"):
            done = run("line-sort", *self.command(by, "-S", "4M", alike)[1:])
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, rb"^line-sort: two long lines .* bytes: give more by --buffer-size\n$")
            done = run("line-sort", *self.command(by, "-S", "8M", alike)[1:])
            self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_where_the_files_are(self):
        """Standard input from its position, an output that is an input, and one that is appended to."""
        for by in ("kernel", "openmp"):
            path, = self.write(b"first\nd\nc\nb\n")
            out = os.path.join(self.folder.name, "appended")
            with open(path, "rb", buffering=0) as source, open(out, "wb") as into:
                source.seek(6)
                subprocess.run(self.command(by, "-"), stdin=source, stdout=into, check=True, timeout=60)
                self.assertEqual(source.tell(), 12)
                subprocess.run(self.command(by, path), stdout=into, check=True, timeout=60)
            with open(out, "ab") as into:
                subprocess.run(self.command(by, path), stdout=into, check=True, timeout=60)
            with open(out, "rb") as file:
                self.assertEqual(file.read(), b"b\nc\nd\n" + 2 * b"b\nc\nd\nfirst\n")
            same, = self.write(b"d\nc\nfirst\nb\n")
            subprocess.run(self.command(by, same, "-o", same), check=True, timeout=60)
            with open(same, "rb") as file:
                self.assertEqual(file.read(), b"b\nc\nd\nfirst\n")

    def test_standard_input_twice(self):
        """The second - finds it at its end."""
        path, = self.write(b"b\na\nc")
        for by in ("kernel", "openmp"):
            for words in (["-", "-"], ["-", path, "-"]):
                with open(path, "rb") as source, open(path, "rb") as of_sort:
                    done = run("line-sort", *self.command(by, *words)[1:], stdin=source)
                    self.assertEqual((done.stdout, done.stderr), (self.sorted(words, stdin=of_sort), b""))
            done = run("line-sort", *self.command(by, "-", path, "-")[1:], input=b"piped\n")
            self.assertEqual(done.stdout, b"a\nb\nc\npiped\n")

    def test_many_files(self):
        """More than a process may open at a time; and pipes that are written one after the other."""
        paths = self.write(*(b"%d" % i for i in range(1100)))
        for by in ("kernel", "openmp"):
            done = run("line-sort", *self.command(by, *paths)[1:],
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024)))
            self.assertEqual((done.stderr, done.returncode), (b"", 0))
            self.assertEqual(done.stdout, self.sorted(paths))
        with open(os.path.join(binaries, "line-sort"), "rb") as program:
            is_checked = b"__ubsan" in program.read()  # the sanitizer makes pipes, and takes their failure for an error
        if device == "cpu" and not is_checked:  # CUDA needs more descriptors
            paths = self.write(*(self.lines(100, b"abc", 600) for _ in range(300)))  # more than the memory
            for by, files_max in itertools.product(("kernel", "openmp"), (64, 100)):
                done = run("line-sort", *self.command(by, "-S", "4M", "--stats", *paths)[1:],
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files_max, files_max)))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertGreater(int(re.search(rb"runs (\d+)", done.stderr)[1]), 1)
                self.assertTrue(done.stdout == self.sorted(paths))
        pipes = [os.path.join(self.folder.name, name) for name in ("first", "second")]
        for pipe in pipes:
            os.mkfifo(pipe)
        text = self.lines(20000, b"ab", 20)  # more than a pipe holds
        for by in ("kernel", "openmp"):
            writer = self.start(["sh", "-c", 'cat "$3" > "$1"; cat "$3" > "$2"', "sh", *pipes, *self.write(text)])
            done = run("line-sort", *self.command(by, *pipes)[1:])
            self.assertEqual((done.stderr, writer.wait(60)), (b"", 0))
            self.assertTrue(done.stdout == self.sorted([], input=2 * text))

    def test_file_that_shrinks(self):
        for by in ("kernel", "openmp"):
            path, = self.write(self.lines(20000, b"abc", 20))
            process = self.start(self.command(by, "-", path), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE)
            self.wait_for_descriptor(process, path)
            time.sleep(0.2)  # until it has asked for the length
            os.truncate(path, 1000)
            process.stdin.close()
            self.assertEqual((process.wait(60), process.stderr.read().decode()),
                             (2, f"line-sort: cannot read: {path}: it was cut while it was read\n"))

    def test_file_whose_end_changes(self):
        """The newline that each file's last line gets depends on it."""
        for by, (before, after) in itertools.product(("kernel", "openmp"), (b"\ny", b"y\n")):
            path, = self.write(b"zzzz\nzzzzz" + bytes([before]))
            process = self.start(self.command(by, path, "-", path), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
            self.wait_for_descriptor(process, path)
            time.sleep(0.2)  # until it has read the byte
            with open(path, "rb+") as file:
                file.seek(-1, os.SEEK_END)
                file.write(bytes([after]))
            self.assertEqual(process.communicate(timeout=60), (
                b"", f"line-sort: cannot read: {path}: it was changed while it was read\n".encode()))
            self.assertEqual(process.returncode, 2)

    def test_memory(self):
        lines, small, empty = self.write(b"".join(b"%06d\n" % (i * 7919 % 10**6) for i in range(10**6)), b"b\na\n", b"")
        for by in ("kernel", "openmp"):
            done = run("line-sort", *self.command(by, "-S", "1000T", small)[1:])
            self.assertEqual((done.returncode, done.stdout), (0, b"a\nb\n"))
            self.assertRegex(done.stderr, rb"^line-sort: --buffer-size is more than .* can be used: \d+M\n$")

        def limited(megabytes, *words):
            limit = (megabytes << 20, megabytes << 20)
            return run("line-sort", *self.command("openmp", "--threads", "2", *words)[1:],
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))

        enough = (each for each in range(20, 2000, 10) if limited(each, "-S", "4M", small).returncode == 0)
        least = next(enough, None)
        if least is None:  # AddressSanitizer reserves terabytes
            self.skipTest("the program needs more than 2 GB of addresses")
        self.assertEqual(limited(least + 100, "-S", "2G", empty).returncode, 0, "an empty file needs no memory")
        codes = set()
        for more in range(0, 70, 6):
            done = limited(least + more, "-S", "200M", "-o", "/dev/null", lines)
            if b"libgomp: Thread creation failed" in done.stderr:  # libgomp ends the process then
                continue
            codes.add(done.returncode)
            if done.returncode != 0:
                self.assertEqual(done.stderr, b"line-sort: there is not enough memory: give less by --buffer-size\n")
        self.assertEqual(codes, {0, 2})

    def test_output_is_opened_first(self):
        """An error comes before anything is read. What the file holds stays until all is read."""
        path, = self.write(b"as it was\n")
        for by in ("kernel", "openmp"):
            process = self.start(self.command(by, "-o", "/missing/file"), stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(process.wait(60), 2)
            process = self.start(self.command(by, "-o", path, "-"), stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            self.wait_for_descriptor(process, path)
            process.kill()
            process.wait(60)
            with open(path, "rb") as file:
                self.assertEqual(file.read(), b"as it was\n")

    def test_what_cannot_be_done(self):
        path, = self.write(self.lines(200000, b"abc", 60))
        for by in ("kernel", "openmp"):
            for words, said in (
                    ([path, path + ".missing"], f"cannot read: {path}.missing: No such file or directory"),
                    ([self.folder.name], f"cannot read: {self.folder.name}: Is a directory"),
                    ([path, "-o", "/dev/full"], "cannot write: /dev/full: No space left on device"),
                    ([path, "-o", "/missing/file"], "cannot write: /missing/file: No such file or directory"),
                    ([path, "-S", "4M", "-T", "/missing"],
                     "cannot make a temporary file in /missing: No such file or directory")):
                done = run("line-sort", *self.command(by, *words)[1:])
                self.assertEqual((done.returncode, done.stdout, done.stderr.decode()), (2, b"", f"line-sort: {said}\n"))
            with open("/dev/full", "wb") as full:
                done = subprocess.run(self.command(by, path), stdout=full, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual((done.returncode, done.stderr),
                             (2, b"line-sort: cannot write: standard output: No space left on device\n"))
            for closes, what in ((0, "cannot read: standard input"), (1, "cannot write: standard output")):
                words = self.command(by, "-S", "4M", "-" if closes == 0 else path)
                done = subprocess.run(words, preexec_fn=lambda: os.close(closes), stderr=subprocess.PIPE, timeout=60)
                self.assertEqual((done.returncode, done.stderr.decode()),
                                 (2, f"line-sort: {what}: Bad file descriptor\n"))
            closed = self.start(self.command(by, path), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            closed.stdout.close()
            self.assertEqual(closed.wait(60), -signal.SIGPIPE)

    def test_interrupted(self):
        """Ctrl-C, while runs are in a file. The file has no name, so Linux removes it however the program ends."""
        for by in ("kernel", "openmp"):
            sorter = self.start(self.command(by, "-S", "4M"), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            sorter.stdin.write(200 * self.lines(1000, b"abc", 60))
            sorter.stdin.flush()
            name = self.wait_for_descriptor(sorter, self.temporary)
            self.assertTrue(name.endswith(" (deleted)"), name)
            self.assertEqual(self.descriptors(sorter, self.temporary), [name])
            sorter.send_signal(signal.SIGINT)
            self.assertEqual(sorter.wait(60), -signal.SIGINT)
            self.assertEqual(os.listdir(self.temporary), [])

    def test_command_line(self):
        self.assertIn(b"--buffer-size", run("line-sort", "--help").stdout)
        for wrong in (["-S", "1K"], ["-S", "much"], ["--by", "nobody"], ["--threads", "1000"], ["--no-such"]):
            done = run("line-sort", *wrong)
            self.assertEqual((done.returncode, done.stdout), (2, b""), wrong)
            self.assertNotEqual(done.stderr, b"")


def main():
    global binaries, device
    binaries = os.path.abspath(sys.argv.pop(1))
    if len(sys.argv) > 1 and sys.argv[1] in ("cpu", "cuda"):
        device = sys.argv.pop(1)
    unittest.main()


if __name__ == "__main__":
    main()
