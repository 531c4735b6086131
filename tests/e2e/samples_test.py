#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Black-box tests of the small samples: their output, files, messages and exit status.

usage: samples_test.py FOLDER_OF_THE_PROGRAMS [cpu|cuda [-k PATTERN]]
"""
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import select
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
import unittest.mock
import urllib.error
import urllib.request

import processes

BIN = pathlib.Path(sys.argv[1]).resolve()
if len(sys.argv) > 2:
    os.environ["GENESYS_DEVICE"] = sys.argv[2]
os.environ["LC_ALL"] = "C"  # for the system's programs
TIME_LIMIT_S = 100
NOBODY = 65534


def run(*command):
    return subprocess.run([BIN / command[0], *command[1:]], capture_output=True, text=True, timeout=TIME_LIMIT_S)


class Sample(unittest.TestCase):
    def check_usage(self, name, *too_much):
        help_text = run(name, "--help")
        self.assertEqual((help_text.returncode, help_text.stderr), (0, ""))
        self.assertTrue(help_text.stdout.startswith(f"usage: {name} "), help_text.stdout)
        self.assertEqual(run(name, *too_much).returncode, 2)


class Urgent(Sample):
    def test_requests_do_not_wait(self):
        done = run("urgent", "20")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^20 requests of nice -10 beside kernels of nice 10: median [0-9.]+ us, worst ")
        self.assertRegex(done.stdout, r"\d+ kernels of the batch: results are right\n")
        self.assertGreater(self.column(done.stdout, "aborts"), 0)

    def test_equal_tasks_abort_nobody(self):
        done = run("urgent", "5", "3", "3")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("results are right", done.stdout)
        self.assertEqual(self.column(done.stdout, "aborts"), 0)

    def column(self, text, name):
        """The sum of a column of the report."""
        rows = text.split("\n\n")[1].splitlines()
        at = rows[0].split().index(name)
        return sum(int(row.split()[at]) for row in rows[1:])

    def test_usage(self):
        self.check_usage("urgent", "1", "2", "3", "4")
        self.assertEqual(run("urgent", "none").returncode, 2)
        refused = run("urgent", "1", "10", "-21")
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertIn("a nice value is from -20 to 19", refused.stderr)


class Coreutils(Sample):
    """cat, tee, wc, find, sha256sum and cp print what the system's programs print."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        source = random.Random(29)
        (self.folder / "numbers").write_text("".join(f"{i}\n" for i in range(30000)))
        (self.folder / "bytes").write_bytes(source.randbytes(200_001))
        (self.folder / "words").write_text("one two\n\tthree  four\nno newline")
        (self.folder / "empty").write_bytes(b"")
        (self.folder / "tree/a b/c").mkdir(parents=True)
        for i in range(40):
            (self.folder / "tree/a b" / f"f{i}.txt").write_bytes(source.randbytes(i * 1000))
        (self.folder / "tree/link").symlink_to("a b/f3.txt")
        (self.folder / "tree/run").write_text("#!/bin/sh\n")
        (self.folder / "tree/run").chmod(0o755)

    def both(self, name, *arguments, stdin=b""):
        """What the sample does, and what the system's program does."""
        ways = []
        for program in (BIN / name, name):
            ways.append(subprocess.run([program, *arguments], cwd=self.folder, input=stdin, capture_output=True,
                                       timeout=TIME_LIMIT_S))
        return ways

    def same(self, name, *arguments, stdin=b"", ordered=True):
        ours, theirs = self.both(name, *arguments, stdin=stdin)
        if ordered:
            self.assertEqual(ours.stdout, theirs.stdout)
        else:
            self.assertEqual(sorted(ours.stdout.split(b"\n")), sorted(theirs.stdout.split(b"\n")))
        self.assertEqual(ours.returncode, theirs.returncode)
        self.assertEqual(ours.stderr == b"", theirs.stderr == b"", ours.stderr + theirs.stderr)
        return ours

    def test_cat(self):
        self.same("cat", "numbers", "bytes", "empty", "words")
        self.same("cat", "words", "-", "words", stdin=b"from input\n")
        self.same("cat", stdin=b"x" * 300_000)
        missing = self.same("cat", "words", "missing", "tree", "words")
        self.assertEqual(missing.stderr, b"cat: missing: No such file or directory\ncat: tree: Is a directory\n")

    def test_names_like_options(self):
        (self.folder / "--help").write_text("no help\n")
        for name in ("cat", "wc", "sha256sum"):
            self.same(name, "--", "--help")

    def test_under_a_policy(self):
        """Standard input and output are the program's to grant."""
        done = subprocess.run([BIN / "cat", "words", "missing"], cwd=self.folder, capture_output=True,
                              env={**os.environ, "GENESYS_POLICY": "io"}, timeout=TIME_LIMIT_S)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (
            1, (self.folder / "words").read_bytes(), b"cat: missing: No such file or directory\n"))

    def test_a_closed_pipe_ends_cat(self):
        program = subprocess.Popen([BIN / "cat", *["numbers"] * 50], cwd=self.folder, stdout=subprocess.PIPE)
        self.assertEqual(program.stdout.readline(), b"0\n")
        program.stdout.close()
        self.assertEqual(program.wait(TIME_LIMIT_S), -signal.SIGPIPE)

    def test_a_full_disk_ends_cat(self):
        with open("/dev/full", "wb") as full:
            ended = subprocess.run([BIN / "cat", "words"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                   timeout=TIME_LIMIT_S)
        self.assertEqual((ended.returncode, ended.stderr), (1, b"cat: write error: No space left on device\n"))

    def test_a_file_is_not_added_to_itself(self):
        numbers = (self.folder / "numbers").read_bytes()
        for mode, before in (("ab", b"short\n"), ("r+b", b"")):
            (self.folder / "words").write_bytes(b"short\n")
            with open(self.folder / "words", mode) as to:
                ended = subprocess.run([BIN / "cat", "words", "numbers"], cwd=self.folder, stdout=to,
                                       stderr=subprocess.PIPE, timeout=TIME_LIMIT_S)
            self.assertEqual((ended.returncode, ended.stderr), (1, b"cat: words: input file is output file\n"))
            self.assertEqual((self.folder / "words").read_bytes(), before + numbers)

    def test_tee(self):
        ours = self.same("tee", "one", "two", stdin=b"text\n" * 50_000)
        self.assertEqual((self.folder / "one").read_bytes(), ours.stdout)
        self.assertEqual((self.folder / "two").read_bytes(), ours.stdout)
        ended = subprocess.run([BIN / "tee", "-a", "one", "missing/x"], cwd=self.folder, input=b"more",
                               timeout=TIME_LIMIT_S, capture_output=True)
        self.assertEqual((ended.returncode, ended.stdout), (1, b"more"))
        self.assertEqual((self.folder / "one").read_bytes(), ours.stdout + b"more")

    def test_wc(self):
        self.same("wc", "numbers", "bytes", "empty", "words")
        self.same("wc", "words")
        self.same("wc", "words", "missing", "tree")
        self.same("wc", stdin=b"a b c\n" * 20_000)

    def test_find(self):
        self.same("find", "tree", ordered=False)
        self.same("find", ordered=False)
        self.same("find", "tree", "-name", "f*[13579].txt", ordered=False)
        self.same("find", "tree", "words", "missing", "-type", "f", ordered=False)
        self.same("find", "tree", "-type", "l", ordered=False)
        self.same("find", "tree", "-name", "f*", "-type", "f", "-name", "*2.txt", ordered=False)
        for wrong in (("-name",), ("-type", ""), ("-type", "fd"), ("-type", "x"), ("-size", "1")):
            ours, theirs = self.both("find", "tree", *wrong)
            self.assertEqual((ours.returncode, ours.stdout), (1, b""), wrong)
            self.assertEqual(theirs.returncode, 1 if wrong[0] != "-size" else 0, wrong)

    def test_sha256sum(self):
        files = [f"tree/a b/f{i}.txt" for i in range(40)]
        self.same("sha256sum", "numbers", "bytes", "empty", "words", *files)
        self.same("sha256sum", "words", "missing", "empty")
        self.same("sha256sum", stdin=b"x" * 119)
        self.same("sha256sum", "-", "words", "-", stdin=b"x" * 300_000)  # the first one reads it all

    def test_cp(self):
        subprocess.run([BIN / "cp", "-r", "tree", "copy"], cwd=self.folder, check=True, timeout=TIME_LIMIT_S)
        subprocess.run(["diff", "-r", "--no-dereference", "tree", "copy"], cwd=self.folder, check=True)
        self.assertEqual((self.folder / "copy/run").stat().st_mode & 0o777, 0o755)
        (self.folder / "into").mkdir()
        subprocess.run([BIN / "cp", "numbers", "into"], cwd=self.folder, check=True, timeout=TIME_LIMIT_S)
        self.assertEqual((self.folder / "into/numbers").read_bytes(), (self.folder / "numbers").read_bytes())
        ours, theirs = self.both("cp", "tree", "elsewhere")
        self.assertEqual((ours.returncode, ours.stderr), (theirs.returncode, theirs.stderr))
        ours, theirs = self.both("cp", "missing", "elsewhere")
        self.assertEqual((ours.returncode, theirs.returncode), (1, 1))

    def cp(self, *arguments):
        return subprocess.run([BIN / "cp", *arguments], cwd=self.folder, capture_output=True, timeout=TIME_LIMIT_S)

    def test_cp_onto_and_into_itself(self):
        words = (self.folder / "words").read_bytes()
        for target in ("words", "."):
            self.assertEqual(self.cp("words", target).returncode, 1)
            self.assertEqual((self.folder / "words").read_bytes(), words)
        self.assertEqual(self.cp("-r", "tree", "tree/in").returncode, 1)
        self.assertEqual(sorted(os.listdir(self.folder / "tree/in")), ["a b", "link", "run"])

    def test_cp_of_names_that_end_in_a_slash(self):
        self.assertEqual(self.cp("-r", "tree/", "new").returncode, 0)
        subprocess.run(["diff", "-r", "--no-dereference", "tree", "new"], cwd=self.folder, check=True)
        (self.folder / "there").mkdir()
        self.assertEqual(self.cp("-r", "tree//", "there").returncode, 0)
        subprocess.run(["diff", "-r", "--no-dereference", "tree", "there/tree"], cwd=self.folder, check=True)
        self.assertEqual(self.cp("-r", "tree", "there").returncode, 0)  # again: links, too

    def test_cp_of_other_things(self):
        self.assertEqual(self.cp("tree/link", "file").returncode, 0)
        self.assertFalse((self.folder / "file").is_symlink())
        with tempfile.TemporaryDirectory(dir="/dev/shm") as other:
            self.assertEqual(self.cp("numbers", other).returncode, 0)
            self.assertEqual(pathlib.Path(other, "numbers").read_bytes(), (self.folder / "numbers").read_bytes())
        self.assertEqual(self.cp("/proc/version", "version").returncode, 0)
        (self.folder / "above" / "below").mkdir(parents=True)
        (self.folder / "above" / "file").write_text("x")
        (self.folder / "goal").mkdir()
        subprocess.run([BIN / "cp", "-r", "..", self.folder / "goal"], cwd=self.folder / "above" / "below", check=True,
                       timeout=TIME_LIMIT_S)
        self.assertEqual((self.folder / "goal" / "file").read_text(), "x")  # in the goal, and not above it
        self.assertEqual((self.folder / "version").read_bytes(), pathlib.Path("/proc/version").read_bytes())
        os.mkfifo(self.folder / "tree/pipe")
        done = self.cp("-r", "tree", "rest")
        self.assertEqual((done.returncode, done.stderr),
                         (1, b"cp: 'tree/pipe' to 'rest/pipe': Operation not supported\n"))
        self.assertTrue((self.folder / "rest/run").exists())

    def test_what_cannot_be_printed(self):
        (self.folder / "config").write_text("a = 1\n")
        programs = (("wc", "words"), ("sha256sum", "words"), ("find", "tree"), ("config", "config"))
        for name, argument in programs:
            with open("/dev/full", "wb") as full:
                ended = subprocess.run([BIN / name, argument], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                       timeout=TIME_LIMIT_S)
            self.assertEqual((ended.returncode, ended.stderr.splitlines()[0]),
                             (1, f"{name}: write error: No space left on device".encode()))
            ended = processes.with_closed_output([BIN / name, argument], cwd=self.folder)
            self.assertEqual((ended.returncode, ended.stderr), (-signal.SIGPIPE, b""), name)

    def test_tee_and_a_full_disk(self):
        text = (self.folder / "numbers").read_bytes()
        for program in (BIN / "tee", "tee"):
            with self.subTest(program=program):
                done = subprocess.run([program, "one", "/dev/full", "two"], cwd=self.folder, input=text,
                                      capture_output=True, timeout=TIME_LIMIT_S)
                self.assertEqual((done.returncode, done.stderr), (1, b"tee: /dev/full: No space left on device\n"))
                self.assertEqual(done.stdout, text)
                with open("/dev/full", "wb") as full:
                    done = subprocess.run([program, "three"], cwd=self.folder, input=text, stdout=full,
                                          stderr=subprocess.PIPE, timeout=TIME_LIMIT_S)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, rb"^tee: '?standard output'?: No space left on device\n$")
                for name in ("one", "two", "three"):
                    self.assertEqual((self.folder / name).read_bytes(), text)
                    (self.folder / name).unlink()

    def test_a_closed_pipe_ends_tee(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        for program in (BIN / "tee", "tee"):
            with self.subTest(program=program):
                done = processes.with_closed_output([program, "one"], cwd=self.folder, input=b"text\n")
                self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, b""))
                reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
                process = processes.start(self, [program, fifo], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                          stderr=subprocess.PIPE, bufsize=0)
                process.stdin.write(b"one\n")
                self.assertTrue(select.select([reader], [], [], processes.LIMIT_S)[0])
                os.close(reader)
                process.stdin.write(b"two\n")
                self.assertEqual(process.wait(processes.LIMIT_S), -signal.SIGPIPE)
                self.assertEqual(process.stderr.read(), b"")

    def test_ctrl_c(self):
        """While a program reads a FIFO that nobody writes, or, find, while nobody reads what it prints."""
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        for name, *words in (("cat", fifo), ("wc", fifo), ("sha256sum", fifo), ("cp", fifo, "copy")):
            for program in (BIN / name, name):
                processes.interrupt_reader(self, [program, *words], fifo, cwd=self.folder)
        for i in range(500):
            (self.folder / "tree" / f"{i:0240}").touch()  # more names than a pipe holds
        for name, *words in (("find", "tree"), ("tee", "copy")):
            for program in (BIN / name, name):
                process = processes.start(self, [program, *words], cwd=self.folder, stdin=subprocess.PIPE,
                                          stdout=subprocess.PIPE, bufsize=0)
                process.stdin.write(b"text\n")
                processes.first_output(self, process)
                processes.interrupt(self, process)

    def test_files_that_shrink(self):
        """A program reads up to the new end. What it has read before counts."""
        path, content = self.folder / "large", (self.folder / "numbers").read_bytes() * 10
        for name, *words in (("cat", "large"), ("cp", "large", "/dev/stdout")):
            for program in (BIN / name, name):
                with self.subTest(program=program):
                    path.write_bytes(content)
                    process = processes.start(self, [program, *words], cwd=self.folder, stdout=subprocess.PIPE,
                                              stderr=subprocess.PIPE, bufsize=0)
                    printed = processes.first_output(self, process)
                    time.sleep(0.2)  # until the pipe is full, and the program waits
                    os.truncate(path, 1000)
                    rest, errors = process.communicate(timeout=processes.LIMIT_S)
                    printed += rest
                    self.assertEqual((process.returncode, errors), (0, b""))
                    self.assertTrue(content.startswith(printed) and 1000 <= len(printed) < len(content))
        for name, form in (("wc", rb" *125 +250 +\d+ large\n"), ("sha256sum", rb"[0-9a-f]{64}  large\n")):
            for program in (BIN / name, name):
                with self.subTest(program=program):
                    path.write_bytes(b"one two\n" * 125)
                    os.truncate(path, 1 << 40)  # a hole, which takes an hour to read
                    process = processes.start(self, [program, "large"], cwd=self.folder, stdout=subprocess.PIPE,
                                              stderr=subprocess.PIPE)
                    processes.wait_until_open(self, process, path)
                    os.truncate(path, 1000)
                    printed, errors = process.communicate(timeout=processes.LIMIT_S)
                    self.assertEqual((process.returncode, errors), (0, b""))
                    self.assertRegex(printed, b"^" + form + b"$")

    def test_cp_of_what_cannot_be_read(self):
        if os.geteuid() == 0 and os.environ.get("GENESYS_DEVICE") != "cpu":
            self.skipTest("root reads every file, and another user may not use the GPU")
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        self.folder.chmod(0o777)
        (self.folder / "tree/a b/f7.txt").chmod(0)
        for program in (BIN / "cp", "cp"):
            for words, copies in ((("-r", "tree"), 39), (("tree/a b/f7.txt",), 0)):
                with self.subTest(program=program, words=words), tempfile.TemporaryDirectory() as to:
                    os.chmod(to, 0o777)
                    done = subprocess.run([program, *words, pathlib.Path(to, "copy")], cwd=self.folder,
                                          capture_output=True, timeout=TIME_LIMIT_S, **user)
                    self.assertEqual(done.returncode, 1)
                    self.assertRegex(done.stderr, rb"^cp: [^\n]*'tree/a b/f7.txt'[^\n]*: Permission denied\n$")
                    self.assertEqual(len(list(pathlib.Path(to).glob("copy/a b/f*"))), copies)
                    self.assertEqual(pathlib.Path(to, "copy").exists(), copies > 0)

    def test_cp_to_a_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        targets = ["/dev/full"]
        mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk]
        if subprocess.run(mount, capture_output=True).returncode == 0:  # as root
            self.addCleanup(subprocess.run, ["umount", disk], check=True)
            targets.append("disk/copy")
        for target in targets:
            for program in (BIN / "cp", "cp"):
                with self.subTest(program=program, target=target):
                    done = subprocess.run([program, "bytes", target], cwd=self.folder, capture_output=True,
                                          timeout=TIME_LIMIT_S)
                    self.assertEqual(done.returncode, 1)
                    self.assertRegex(done.stderr, rb"^cp: [^\n]*'%s': No space left on device\n$" % target.encode())
                    (disk / "copy").unlink(missing_ok=True)

    def test_names(self):
        for name in ("a\nb", "a\\b", "--", "-x"):
            (self.folder / name).write_text("text\n")
        self.same("sha256sum", "--", "a\nb", "a\\b", "-x")
        self.same("cat", "--", "-x", "words")
        self.same("wc", "--", "-x", "words")
        self.same("find", "tree/", "-name", "tree", ordered=False)
        self.same("find", "/dev/null", "-type", "f")

    def test_no_device(self):
        for name in ("cat", "wc"):
            ended = subprocess.run([BIN / name, "words"], cwd=self.folder, capture_output=True, timeout=TIME_LIMIT_S,
                                   env={**os.environ, "GENESYS_DEVICE": "none"})
            self.assertEqual(ended.returncode, 1)
            self.assertRegex(ended.stderr.decode(), f"^{name}: .*GENESYS_DEVICE")

    def test_usage(self):
        for name in ("cat", "tee", "wc", "find", "sha256sum", "cp"):
            self.assertTrue(run(name, "--help").stdout.startswith(f"usage: {name} "), name)
        self.assertEqual(run("cp", "one").returncode, 2)


class Text(unittest.TestCase):
    """What config, rotatelogs and csv2bin do in a folder. The tests compare it with references in Python."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def does(self, name, *arguments, stdin=b"", **more):
        return subprocess.run([BIN / name, *map(str, arguments)], cwd=self.folder, input=stdin, capture_output=True,
                              timeout=TIME_LIMIT_S, **more)


class Config(Text):
    LINES = ("a = 1", "  b=0x1F", "\tc = -010 ", "# comment", "", "   ", 'd = "text with = and blanks " ', "e= +7\r",
             "f = 9223372036854775807", "g = -9223372036854775808", "h = 9223372036854775808", "i = 12x", "j =",
             "= 3", "no equals", 'k = "open', 'l = "', "m = 0x", "n = 1 2", "o = --1", "p = 09", 'q = ""', "a=2")

    def reference(self, lines):
        settings, wrong = {}, []
        for number, line in enumerate(lines, 1):
            line = line.strip(" \t\r")
            name, equals, value = (part.strip(" \t\r") for part in line.partition("="))
            digits = re.fullmatch(r"([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)", value)
            fault = None
            if not line or line.startswith("#"):
                continue
            if not equals:
                fault = "has no '='"
            elif not name:
                fault = "has no name"
            elif value.startswith('"'):
                if len(value) < 2 or not value.endswith('"'):
                    fault = "has no closing quote"
            elif not digits:
                fault = "is no number"
            else:
                base = 16 if digits[2][:2] in ("0x", "0X") else 8 if digits[2][0] == "0" else 10
                value = int(digits[1] + digits[2], base)
                if not -2**63 <= value < 2**63:
                    fault = "is out of range"
            if fault is None and name in settings:
                fault = "is set twice"
            if fault is None:
                settings[name] = value
            else:
                wrong.append(f"settings:{number}: {line}: {fault}\n")
        good = "".join(f"{name} = {settings[name]}\n" for name in sorted(settings))
        return (1, "", "".join(wrong)) if wrong else (0, good, "")

    def check(self, lines, end="\n"):
        (self.folder / "settings").write_text("\n".join(lines) + end)
        done = self.does("config", "settings")
        self.assertEqual((done.returncode, done.stdout.decode(), done.stderr.decode()), self.reference(lines))
        return done.returncode

    def test_what_is_right_and_what_is_wrong(self):
        self.assertEqual(self.check(self.LINES), 1)
        right = [line for line in self.LINES if self.reference([line])[0] == 0][:-1]
        self.assertEqual(self.check(right), 0)
        self.assertEqual(self.check(right[::-1], end=""), 0)  # the last line has no line feed
        self.assertEqual(self.check([], end=""), 0)

    def test_many_and_long_lines(self):
        order = random.Random(3).sample(range(1000), 1000)
        self.assertEqual(self.check([f"name{i} = {i * i - 500}" for i in order] + [f'long = "{"x" * 100_000}"']), 0)

    def test_what_cannot_be_read(self):
        for name, why in (("missing", "No such file or directory"), (".", "Is a directory")):
            done = self.does("config", name)
            self.assertEqual((done.returncode, done.stdout, done.stderr.decode()), (1, b"", f"{name}: {why}\n"))


    def test_usage(self):
        for name, *too_few in (["config"], ["rotatelogs", "log", "10"], ["csv2bin", "i", "in"]):
            wanted = self.does(name, "--help")
            self.assertEqual((wanted.returncode, wanted.stderr), (0, b""))
            self.assertTrue(wanted.stdout.startswith(f"usage: {name} ".encode()))
            refused = self.does(name, *too_few)
            self.assertEqual((refused.returncode, refused.stdout, refused.stderr), (2, b"", wanted.stdout))


class Rotatelogs(Text):
    def reference(self, text, limit, files, before=()):
        """The logs, the newest first."""
        logs = list(before) or [b""]
        for line in text.splitlines(keepends=True):
            if logs[0] and len(logs[0]) + len(line) > limit:
                logs = [b"", *logs][:files + 1]
            logs[0] += line
        return logs

    def logs(self):
        found = {}
        for path in self.folder.iterdir():
            found[0 if path.name == "log" else int(path.name.removeprefix("log."))] = path.read_bytes()
        self.assertEqual(sorted(found), list(range(len(found))))
        return [found[k] for k in range(len(found))]

    def test_lines_stay_whole(self):
        source = random.Random(29)
        for limit, files in ((100, 3), (1, 2), (1000, 0), (4096, 12), (10**9, 1)):
            for path in self.folder.iterdir():
                path.unlink()
            (self.folder / "log").write_bytes(before := b"what was there\n")
            text = b"".join(b"%d " % i + b"x" * source.randrange(90) + b"\n" for i in range(150)) + b"no line feed"
            done = self.does("rotatelogs", "log", limit, files, stdin=text)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
            self.assertEqual(self.logs(), self.reference(text, limit, files, [before]))

    def test_a_line_is_written_when_it_comes(self):
        program = subprocess.Popen([BIN / "rotatelogs", "log", "1000", "1"], cwd=self.folder, stdin=subprocess.PIPE)
        program.stdin.write(b"one\n")
        program.stdin.flush()
        until = time.monotonic() + TIME_LIMIT_S
        log = self.folder / "log"
        while time.monotonic() < until and not (log.exists() and log.read_bytes()):
            time.sleep(0.01)
        self.assertEqual(log.read_bytes(), b"one\n")
        program.stdin.close()
        self.assertEqual(program.wait(TIME_LIMIT_S), 0)

    def test_a_full_disk(self):
        # A limit of the file's size stands for the disk: the call that reaches it writes a part of a line.
        text = b"".join(b"line %d\n" % i for i in range(1000))
        limit = 1 << 20
        (self.folder / "log").write_bytes(before := b"x" * (limit - 20) + b"\n")
        done = self.does("rotatelogs", "log", 10 * limit, 3, stdin=text,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertEqual(done.stderr, b"rotatelogs: cannot write log: File too large\n"
                                      b"rotatelogs: 998 lines are lost\n")
        self.assertEqual(self.logs(), [before + b"line 0\nline 1\n"])

    def test_a_name_that_is_taken(self):
        (self.folder / "log.1").mkdir()
        (self.folder / "log.1" / "inside").touch()
        text = b"one line\n" * 20
        done = self.does("rotatelogs", "log", 20, 1, stdin=text)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, b"rotatelogs: cannot remove the oldest of log: Is a directory\n")
        self.assertEqual((self.folder / "log").read_bytes(), text)

    def test_what_cannot_be(self):
        done = self.does("rotatelogs", "missing/log", 20, 1, stdin=b"one\ntwo\n")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, b"rotatelogs: cannot open missing/log: No such file or directory\n"
                                      b"rotatelogs: 2 lines are lost\n")
        for wrong in (("x", 1), ("10k", 1), (10, "1x"), (10, "")):
            self.assertEqual(self.does("rotatelogs", "log", *wrong).returncode, 2)


class Csv2bin(Text):
    def reference(self, types, text, name="in.csv"):
        """The binary rows, or the message about the first fault."""
        rows = b""
        for number, line in enumerate(re.findall(rb"[^\n]*\n|[^\n]+$", text), 1):
            if len(line) > 4096:  # the tests have no others
                return f"{name}:{number}:1: line too long\n"
            line = re.sub(rb"\r?\n$", b"", line).decode()
            at, fields = 0, line.split(",")
            for i, field in enumerate(fields):
                kind = types[i] if i < len(types) else None
                if kind is None:
                    return f"{name}:{number}:{at + 1}: too many fields\n"
                bare = field[1:-1] if re.fullmatch(r'".*"', field) else field
                form = r"[+-]?\d+" if kind in "iq" else r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"
                if not re.fullmatch(form, bare):
                    return f"{name}:{number}:{at + 1}: not a number\n"
                value = int(bare) if kind in "iq" else float(bare)
                try:
                    if value in (float("inf"), float("-inf")):
                        raise OverflowError
                    rows += struct.pack("<" + kind, value)
                except (struct.error, OverflowError):
                    return f"{name}:{number}:{at + 1}: out of range\n"
                at += len(field) + 1
            if len(fields) < len(types):
                return f"{name}:{number}:{at}: too few fields\n"
        return rows

    def check(self, types, text, folder="."):
        self.folder.joinpath(folder).mkdir(exist_ok=True)
        name, out = os.path.join(folder, "in.csv"), os.path.join(folder, "out")
        (self.folder / name).write_bytes(text)
        (self.folder / out).write_bytes(b"old" * 1000)
        done = self.does("csv2bin", types, name, out)
        wanted = self.reference(types, text, name)
        if isinstance(wanted, bytes):
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
            self.assertTrue((self.folder / out).read_bytes() == wanted, f"{types} {text[:200]}: other rows")
        else:
            self.assertEqual((done.returncode, done.stdout, done.stderr.decode()), (1, b"", wanted))
            self.assertFalse((self.folder / out).exists())

    def number(self, source, kind):
        if kind in "iq":
            bits = 32 if kind == "i" else 64
            text = str(source.randrange(-2**(bits - 1), 2**(bits - 1)) >> source.randrange(bits))
        else:
            any_size = source.gauss(0, 1) * 10.0 ** source.randrange(-30, 30)
            text = source.choice((repr(any_size), f"{any_size % 1:.3f}", str(source.randrange(10**6)), "-.5", "1e5",
                                  "3.", "0.0", "1e-320"))
        return f'"{text}"' if source.random() < 0.1 else text

    def table(self, source, types, rows):
        return "".join(",".join(self.number(source, kind) for kind in types) + source.choice(("\n", "\r\n"))
                       for _ in range(rows)).encode()

    def test_numbers(self):
        source = random.Random(29)
        for types, rows in (("iqfd", 4000), ("d" * 63, 150), ("i", 0)):
            self.check(types, self.table(source, types, rows))
        self.check("iqfd", self.table(source, "iqfd", 2000).rstrip(b"\r\n"))
        self.check("q" * 63, (b",".join([b"7"] * 63) + b"\n") * 900)  # rows of the greatest size
        self.check("i", b"1\n" * 40000)

    def test_the_first_fault_is_named(self):
        texts = [b"1,2\n3"]
        for line in (b"1", b"1,2,3", b"", b"x,2", b"1,", b",2", b"1,2 ", b" 1,2", b"1,2,", b"1;2", b'"1,2', b'1,"2',
                     b'1,"2"3', b"2147483648,2", b"-2147483649,2", b"9" * 30 + b",1", b"1.5,2", b"1,1e400", b"1,inf",
                     b"1,nan", b"1,0x10", b"1,1e", b"1,--1", b"1,1_0", b"1\0,2", b"1,2\0", b"1\r,2", b'"",2', b"1,?"):
            texts.append(b"10,2.5\r\n" * len(texts) * (1 + len(texts) % 5 * 90) + line + b"\n" + b"3,4\nbad\n" * 20)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda i: self.check("id", texts[i], str(i)), range(len(texts))))
        self.check("f", b"1\n3.5e38\n")

    def test_lines_across_pieces(self):
        for length in (1, 50, 4000):
            self.check("d", b"1\n" * 12_790 + b"." + b"0" * length + b"5\n" + b"2\n" * 13_000)
        self.check("d", b"1\n" + b"0" * 70_000 + b"\n")
        self.check("d", b"1\n" + b"0" * 4090 + b"2\n3\n")

    def test_what_cannot_be_read_or_written(self):
        (self.folder / "in.csv").write_bytes(b"1\n")
        for arguments, what in ((("i", "missing", "out"), "missing: No such file or directory"),
                                (("i", ".", "out"), ".: Is a directory"),
                                (("i", "in.csv", "missing/out"), "missing/out: No such file or directory")):
            done = self.does("csv2bin", *arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr.decode()), (1, b"", f"csv2bin: {what}\n"))
        (self.folder / "kept").write_bytes(b"old")
        os.mkfifo(self.folder / "pipe")
        (self.folder / "bad.csv").write_bytes(b"x\n")
        (self.folder / "link").symlink_to("/dev/null")
        for source, target in ((".", "kept"), ("in.csv", "in.csv"), ("bad.csv", "link")):
            self.assertEqual(self.does("csv2bin", "i", source, target).returncode, 1)
        self.assertEqual((self.folder / "kept").read_bytes(), b"old")
        self.assertEqual((self.folder / "in.csv").read_bytes(), b"1\n")
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual(self.does("csv2bin", "ix", "in.csv", "out").returncode, 2)
        self.assertEqual(self.does("csv2bin", "i" * 64, "in.csv", "out").returncode, 2)


class Httpd(Sample):
    def serve(self, folder):
        """A server, and its address."""
        server = processes.start(self, [BIN / "httpd", "0", folder], stdout=subprocess.PIPE, text=True)
        processes.wait_for_output(self, server)
        return server, re.fullmatch(r"httpd: (http://127\.0\.0\.1:\d+/)\n", server.stdout.readline()).group(1)

    def test_clients_get_what_is_there(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            large = random.Random(30).randbytes(3_000_000)
            (folder / "large").write_bytes(large)
            (folder / "index.html").write_text("<p>hello")
            _, url = self.serve(name)
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

            def get(path, method="GET"):
                try:
                    with opener.open(urllib.request.Request(url + path, method=method), timeout=TIME_LIMIT_S) as answer:
                        return answer.status, answer.read()
                except urllib.error.HTTPError as error:
                    return error.code, None

            self.assertEqual(get(""), (200, b"<p>hello"))
            self.assertEqual(get("index.html?x=1"), (200, b"<p>hello"))
            self.assertEqual(get("missing")[0], 404)
            self.assertEqual(get("large", "HEAD"), (200, b""))
            if shutil.which("curl"):
                words = ["curl", "-sS", "--noproxy", "*", "-w", "%{http_code}", url + "large", url + "missing"]
                got = subprocess.run(words, capture_output=True, timeout=TIME_LIMIT_S)
                self.assertEqual((got.returncode, got.stderr), (0, b""))
                self.assertTrue(got.stdout.startswith(large + b"200") and got.stdout.endswith(b"404"))
            self.assertEqual(get("large", "DELETE")[0], 405)
            (folder / "a b").write_text("spaces")
            (folder / "a..b").write_text("dots")
            os.mkfifo(folder / "pipe")
            self.assertEqual(get("a%20b"), (200, b"spaces"))
            self.assertEqual(get("a..b"), (200, b"dots"))
            for outside in ("/etc/hostname", "%2fetc/hostname"):
                self.assertEqual(get(outside)[0], 404, outside)
            for outside in ("../", "x/%2e%2e/y"):
                self.assertEqual(self.raw(url, f"GET /{outside} HTTP/1.1\r\n\r\n")[:12], b"HTTP/1.1 403")
            self.assertEqual(get("bad%zz")[0], 400)
            self.assertEqual(get("pipe")[0], 404)
            self.assertEqual(self.raw(url, "HEAD /missing HTTP/1.1\r\n\r\n").partition(b"\r\n\r\n")[2], b"")
            self.assertEqual(self.raw(url, "GET / HTTP/1.1\r\nX: " + "x" * 508 + "\r\nY: y\r\n\r\n")[:12],
                             b"HTTP/1.1 200")
            self.assertEqual(self.raw(url, "GET /" + "x" * 3000 + " HTTP/1.1\r\n\r\n")[:12], b"HTTP/1.1 414")
            with concurrent.futures.ThreadPoolExecutor(16) as pool:
                for status, body in pool.map(get, ["large"] * 60):
                    self.assertEqual((status, body == large), (200, True))

    @staticmethod
    def raw(url, request, before_reading=lambda: None):
        """The answer to these bytes."""
        with socket.create_connection(("127.0.0.1", int(url.split(":")[2].strip("/"))), TIME_LIMIT_S) as peer:
            peer.sendall(request.encode())
            before_reading()
            parts = []
            while part := peer.recv(65536):
                parts.append(part)
        return b"".join(parts)

    def test_peers_that_do_nothing(self):
        """One sends nothing, one half a request, one does not read. Each loses its connection after a time."""
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name, "large")
            path.touch()
            os.truncate(path, 64 << 20)  # more than sockets hold
            server, url = self.serve(name)
            begin = time.monotonic()
            at = "127.0.0.1", int(url.split(":")[2].strip("/"))
            idle, half, deaf = (socket.create_connection(at, TIME_LIMIT_S) for _ in range(3))
            with idle, half, deaf:
                half.sendall(b"GET /large HTTP/1.1\r\nHos")
                deaf.sendall(b"GET /large HTTP/1.1\r\n\r\n")
                processes.wait_until_open(self, server, path)
                self.assertEqual(idle.recv(1), b"")
                self.assertGreater(time.monotonic() - begin, 4.9)
                self.assertEqual(half.recv(12), b"HTTP/1.1 400")
                processes.wait_until_closed(self, server, path)
                with self.assertRaises(ConnectionResetError):
                    while deaf.recv(1 << 20):
                        pass

    def test_a_file_that_shrinks(self):
        """The connection ends early, and the server goes on."""
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name, "large")
            path.touch()
            server, url = self.serve(name)
            for size in (0, 1000):
                os.truncate(path, 64 << 20)  # more than sockets hold

                def cut():
                    processes.wait_until_open(self, server, path)
                    os.truncate(path, size)

                head, _, body = self.raw(url, "GET /large HTTP/1.1\r\n\r\n", cut).partition(b"\r\n\r\n")
                self.assertIn(b"Content-Length: 67108864", head)
                self.assertLess(len(body), 64 << 20)
                self.assertTrue(self.raw(url, "GET /large HTTP/1.1\r\n\r\n").endswith(b"\r\n\r\n" + bytes(size)))

    def test_ended_by_signals(self):
        """While all threads wait, and while one sends to a peer that does not read."""
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name, "large")
            path.touch()
            os.truncate(path, 64 << 20)
            for how in (signal.SIGINT, signal.SIGTERM):
                server, url = self.serve(name)
                server.send_signal(how)
                self.assertEqual(server.wait(processes.LIMIT_S), -how)
                server, url = self.serve(name)

                def end():
                    processes.wait_until_open(self, server, path)
                    server.send_signal(how)
                    self.assertEqual(server.wait(processes.LIMIT_S), -how)

                self.assertLess(len(self.raw(url, "GET /large HTTP/1.1\r\n\r\n", end)), 64 << 20)

    def test_a_port_in_use_and_a_missing_folder(self):
        for wrong in ("99999", "x", ""):
            self.assertEqual(run("httpd", wrong, "/").returncode, 1)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            ended = run("httpd", str(taken.getsockname()[1]), "/")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("Address already in use", ended.stderr)
        self.assertIn("No such file or directory", run("httpd", "0", "/nonexistent").stderr)
        self.assertEqual(run("httpd", "0").returncode, 2)


class Echo(Sample):
    def server(self, *arguments):
        """Starts the program and connects a socket to it."""
        started = subprocess.Popen([BIN / "echo", *arguments], stdout=subprocess.PIPE, text=True)
        self.addCleanup(started.stdout.close)
        self.addCleanup(started.wait)
        alarm = threading.Timer(TIME_LIMIT_S, started.kill)
        alarm.start()
        self.addCleanup(alarm.cancel)
        port = int(re.fullmatch(r"echo: listening on 127\.0\.0\.1:(\d+)\n", started.stdout.readline()).group(1))
        asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(asker.close)
        asker.settimeout(TIME_LIMIT_S)
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
            other.settimeout(TIME_LIMIT_S)
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
            for _ in range(5):  # in some of them the threads may come in order by chance
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


class Direct(Sample):
    def checksum(self, content):
        """The same checksum as sum() in the sample's main.cpp, computed independently."""
        total = len(content)
        for index in range(0, len(content), 8):
            own = int.from_bytes(content[index:index + 8], "little")
            mixed = (own ^ (index // 8 + 1) * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd % 2**64
            total += (mixed ^ mixed >> 32) * 0xc4ceb9fe1a85ec53
        return total % 2**64

    def check_file(self, path, content, *options, pieces=None):
        """Runs the check with each executor. (If this system lacks one, the first line names its substitute.)"""
        for executor in "direct", "uring", "threads":
            done = run("direct", f"--executor={executor}", *options, path)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            chosen, *others = done.stdout.splitlines()
            said = re.search(r"; executor (\w+)(?: \((\w+): |[,;])", chosen)
            self.assertIn(executor, said.groups(), chosen)
            self.assertEqual(others[0], f"checksum {self.checksum(content):016x} of {len(content)} bytes")
            cost = re.fullmatch(r"[\d.]+ s, [\d.]+ GB/s, CPU user [\d.]+ s, system [\d.]+ s; "
                                r"calls (\d+), (\d+) of them direct", others[1])
            calls, direct = map(int, cost.groups())
            self.assertEqual(direct, calls if said.group(1) == "direct" else 0)
            if pieces is not None:
                self.assertEqual(calls, pieces)
            self.assertEqual(others[2:], [f"the host finds {self.checksum(content):016x}: the same"]
                             if "--check" in options else [])

    def test_lengths(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "file")
            for size in 0, 1, 7, 8, 9, 128 << 10, (128 << 10) + 3:
                content = random.Random(size).randbytes(size)
                path.write_bytes(content)
                self.check_file(path, content, pieces=-(-size // (128 << 10)))

    def test_pieces_and_blocks(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "file")
            content = random.Random(2018).randbytes(1_000_003)
            path.write_bytes(content)
            for blocks, piece in (1, 8192), (3, 4096), (40, 20008), (2, 1 << 21):
                self.check_file(path, content, f"--blocks={blocks}", f"--piece={piece}", "--check",
                                pieces=-(-len(content) // piece))

    def test_what_the_checksum_sees(self):
        content = random.Random(1).randbytes(800)
        words = [content[i:i + 8] for i in range(0, 800, 8)]
        others = [b"".join(words[1:] + words[:1]), b"".join(words[::-1]), content + b"\0"]
        self.assertEqual(len({*map(self.checksum, [content, *others])}), 4)

    def test_what_cannot_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in folder, folder + "/none":
                done = run("direct", path)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, f"^direct: {re.escape(path)}: [^:\\n]+(: [^:\\n]+)?\\n$")
            path = folder + "/file"
            pathlib.Path(path).write_bytes(b"not read")
            with unittest.mock.patch.dict(os.environ, GENESYS_POLICY="io"):  # only descriptors that it opened itself
                done = run("direct", path)
            self.assertIn("(direct: the policy looks at each call)", done.stdout)
            self.assertEqual((done.returncode, done.stderr),
                             (1, f"direct: {path}: at byte 0: Operation not permitted\n"))

    def test_a_file_that_ends_too_soon(self):
        path = pathlib.Path("/sys/devices/system/cpu/online")  # stat(2) gives the size 4096
        if not path.exists() or path.stat().st_size <= len(path.read_bytes()):
            self.skipTest(f"{path} is as long as it says")
        for executor in "direct", "threads":
            done = run("direct", f"--executor={executor}", path)
            ended = f"direct: {path}: at byte {len(path.read_bytes())}: the file ended\n"
            self.assertEqual((done.returncode, done.stderr), (1, ended))

    def test_usage(self):
        self.check_usage("direct", "1", "2")
        for wrong in "--piece=12", "--piece=0", "--blocks=0", "--executor=gpu", "--device=tpu", "--none":
            done = run("direct", wrong, "/dev/null")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertNotEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main(argv=[*sys.argv[:1], *sys.argv[3:]])
