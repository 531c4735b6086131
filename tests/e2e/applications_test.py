#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Black-box tests of the applications: each does what the standard tool does.

python3 applications_test.py BIN_DIRECTORY [cpu|cuda] [-k PATTERN]
"""

import hashlib
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

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

    def test_command_line(self):
        done = run("wordcount", "--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"--files-from", done.stdout)
        for wrong in ([], ["-e", "two words", "/dev/null"], ["-e", "x"], ["-e", "x", "-e", "x", "/dev/null"],
                      ["--by", "magic", "-e", "x", "/dev/null"], ["-f", "/missing", "/dev/null"]):
            done = run("wordcount", "--device", device, *wrong)
            self.assertEqual((done.returncode, done.stdout), (2, b""), wrong)
            self.assertNotEqual(done.stderr, b"")
        done = run("wordcount", "--device", device, "-e", "x", "--stats", "/dev/null")
        self.assertRegex(done.stderr, rb"^wordcount: files 1, bytes 0, time [0-9.]+ s, ")
        with open("/dev/full", "wb") as full:
            path = os.path.join(binaries, "wordcount")
            done = subprocess.run([path, "--device", device, "-e", "x", "/dev/null"], stdout=full,
                                  stderr=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (2, b"wordcount: cannot write standard output\n"))


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
        for version in ("signals", "phases", "cpu"):
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


class Amr(unittest.TestCase):
    """The sum is that of the same steps in Python, and the same however the kernel runs."""

    SMALL = ("--levels", "4", "--first-level", "2", "--steps", "24")

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
        done = self.amr("--levels", "1", "--first-level", "0", "--steps", str(steps))
        self.assertEqual(done.stdout.decode(), f"steps 2, leaves 64, sum {total % 2**64:016x}\n", done.stderr)

    def test_limit_and_watermark(self):
        """Without giving memory back it does not fit."""
        done = self.amr(*self.SMALL, "--limit", "152")
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertEqual(done.stderr, b"amr: no memory left after 152 MiB: raise --limit, or give back more by a lower "
                                      b"--watermark\n")
        good = self.amr(*self.SMALL, "--limit", "152", "--watermark", "0", "--stats")
        self.assertEqual(good.returncode, 0, good.stderr)
        self.assertRegex(good.stderr, rb"memory at most 144 MiB, mapped [0-9]+ times, given back [1-9]")
        for words in ((), ("--watermark", "100", "--blocks", "3"), ("--blocks", "1")):
            self.assertEqual(self.amr(*self.SMALL, *words).stdout, good.stdout, words)

    def test_command_line(self):
        self.assertIn(b"--watermark", run("amr", "--help").stdout)
        for wrong in (["--levels", "9"], ["--first-level", "4"], ["--steps", "0"], ["extra"]):
            done = self.amr(*wrong)
            self.assertEqual((done.returncode, done.stdout), (2, b""), wrong)
        done = self.amr("--levels", "2", "--first-level", "1", "--leaves", "100")
        self.assertEqual((done.returncode, done.stderr), (1, b"amr: more than 100 leaves: raise --leaves\n"))
        done = self.amr("--levels", "1", "--first-level", "0", "--steps", "1", "--timeline", "/missing/file")
        self.assertEqual((done.returncode, done.stderr), (1, b"amr: cannot write /missing/file\n"))


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
        self.assertRegex(self.stop(server), r"^echod: [0-9]+ messages, 697085 bytes\n$")
        for connection in (*connections, fourth):
            connection.close()

    def test_device_memory(self):
        self.check("--memory", "device")

    def test_pinned_memory(self):
        self.check("--memory", "pinned")

    def test_cpu(self):
        self.check("--by", "cpu")

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

    def test_command_line(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            done = run("echod", "--device", device, "--port", str(port))
            self.assertEqual((done.returncode, done.stderr),
                             (1, f"echod: 127.0.0.1, port {port}: Address already in use\n".encode()))
        self.assertIn(b"--memory", run("echod", "--help").stdout)
        self.assertIn(b"--window", run("echo-load", "--help").stdout)
        for wrong in (["--port", "70000"], ["--by", "magic"], ["extra"]):
            self.assertEqual(run("echod", "--device", device, *wrong).returncode, 2, wrong)
        done = run("echod", "--device", device, "--address", "nowhere")
        self.assertEqual((done.returncode, done.stderr), (1, b"echod: 'nowhere' is no IPv4 address\n"))


def main():
    global binaries, device
    binaries = os.path.abspath(sys.argv.pop(1))
    if len(sys.argv) > 1 and sys.argv[1] in ("cpu", "cuda"):
        device = sys.argv.pop(1)
    unittest.main()


if __name__ == "__main__":
    main()
