#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Black-box test of samples/grep: it prints and returns the same as GNU grep, on generated trees and real ones.

python3 grep_test.py --grep PATH_TO_BINARY [--device cpu|cuda] [--tree DIRECTORY] [--full] [--no-openmp]
                     [-k PATTERN]

Ends in a line "N passed, N failed". Without --full it takes under a minute on 2 cores.
"""

import argparse
import os
import pty
import random
import re
import shutil
import socket
import stat
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import unittest

import processes

CHUNK = 32 * 1024  # bytes that the kernel reads at a time
NOBODY = 65534

arguments = None  # of the command line
binary = None     # a copy that any user may run


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)
    return path


def as_user():
    """Options for subprocess. If the test runs as root, which can read everything, the user is nobody."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


class Outcome:
    """A run's output as a set of lines, and its exit status."""

    def __init__(self, process):
        self.code = process.returncode
        self.names = sorted(process.stdout.split(b"\n"))
        self.messages = sorted(process.stderr.split(b"\n"))

    def __eq__(self, other):
        return vars(self) == vars(other)

    def __repr__(self):
        return f"exit {self.code}, {len(self.names) - 1} lines {self.names[:20]}, messages {self.messages[:20]}"


class Case(unittest.TestCase):
    """Each test has a directory of its own, and compares the two programs."""

    maxDiff = None
    modes = [["-l"], ["-c"]]
    others = [["--segment=33"], ["--by=warp", "--segment=33"], ["--by=thread", "--segment=33"], ["--by=mapped"]]

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="grep_test.")
        os.chmod(self.root, 0o755)
        self.top = os.path.join(self.root, "tree")
        os.mkdir(self.top)
        self.calls = 0  # of same_both

    def tearDown(self):
        subprocess.run(["chmod", "-R", "u+rwx", self.root], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.root, ignore_errors=True)

    def at(self, *names):
        return os.path.join(self.top, *names)

    def words(self, *lines, last=b"\n"):
        return write(os.path.join(self.root, "words"), b"\n".join(lines) + last if lines else b"")

    def command(self, *options):
        device = ["--device", arguments.device] if arguments.device else []
        return [binary, "-F", *device, *options]

    def ours(self, *options, timeout=300, **how):
        return subprocess.run(self.command(*options), capture_output=True, timeout=timeout, cwd=self.top,
                              **{"stdin": subprocess.DEVNULL, **how})

    def theirs(self, *options, timeout=300, **how):
        return subprocess.run(["grep", "-r", "-F", *options], capture_output=True, timeout=timeout, cwd=self.top,
                              env={**os.environ, "LC_ALL": "C"}, **{"stdin": subprocess.DEVNULL, **how})

    def same(self, *options, extra=(), **how):
        """Checks that both programs give the same with these options. Only ours gets the `extra` ones."""
        expected = Outcome(self.theirs(*options, **how))
        seen = Outcome(self.ours(*options, *extra, **how))
        if seen != expected:
            wrong = set(seen.names) ^ set(expected.names)
            self.fail(f"grep {options} {extra}:\n  ours:   {seen}\n  theirs: {expected}\n"
                      f"  not in both: {list(wrong)[:20]}")
        return expected

    def same_both(self, *options, extra=(), **how):
        """Checks names and counts, and returns the outcome with counts. Each other version runs in one of the modes, at
        the next call in the next one."""
        self.calls += 1
        for number, mode in enumerate(self.modes):
            expected = self.same(*mode, *options, extra=extra, **how)
            for other in self.others[(number + self.calls) % len(self.modes)::len(self.modes)]:
                seen = Outcome(self.ours(*mode, *other, *options, *extra, **how))
                self.assertEqual(seen, expected, (mode, other, options))
        return expected


class Content(Case):
    """The content of files and words."""

    modes = [["-l"], ["-l", "-v"], ["-c", "-i", "-v"], ["-c"]]
    others = [*Case.others, ["--by=openmp", "--segment=33"]]

    def setUp(self):
        super().setUp()
        if arguments.no_openmp:
            self.others = Case.others

    def test_small_files(self):
        write(self.at("empty"), b"")
        write(self.at("newline"), b"\n")
        write(self.at("no newline at the end"), b"one\ntwo needle")
        write(self.at("whole file"), b"needle")
        write(self.at("nearly"), b"needl\needle\nneedl")
        write(self.at("twice in a line"), b"needle needle\nneedleneedle\n\nneedle\n")
        write(self.at("carriage returns"), b"needle\r\nother\r\nneedle\r")
        write(self.at("nothing"), b"nothing here\n" * 100)
        self.same_both("-f", self.words(b"needle"), ".")
        self.same_both("-f", self.words(b"needle\r"), ".")
        self.same_both("-f", self.words(b"nowhere"), ".")
        self.same_both("-f", self.words(b"needle", last=b""), ".")
        self.same_both("-e", "needle", "-e", "two", ".")
        self.same_both("-e", "two\nnothing", ".")

    def test_empty_words(self):
        write(self.at("empty"), b"")
        write(self.at("one"), b"a")
        write(self.at("lines"), b"a\n\nb\n")
        write(self.at("NULs"), b"\0\0a\0\n\0b")
        write(self.at("long"), b"x" * (3 * CHUNK) + b"\n" * CHUNK + b"y" * CHUNK)
        write(self.at("chunk"), b"x\n" * (CHUNK // 2))
        for lines in ([b""], [b"", b""], [b"a", b"", b"b"], [b"zzz", b""]):
            self.same_both("-f", self.words(*lines), ".")
        self.same_both("-e", "", ".")
        self.same_both("-f", self.words(), ".")  # without a word nothing matches
        self.same_both("-f", "/dev/null", "-e", "a", ".")

    def test_binary(self):
        every = bytes(range(256))
        write(self.at("every byte"), every * 300)
        write(self.at("NULs end lines"), b"foo\0foo\nfoo\n\0\0foofoo\0")
        write(self.at("NUL late"), b"foo\n" * 20000 + b"\0foo\0foo")
        write(self.at("only NULs"), b"\0" * 100000)
        write(self.at("only newlines"), b"\n" * 100000)
        self.same_both("-f", self.words(b"foo"), ".")
        self.same_both("-f", self.words(b"\xff"), ".")
        self.same_both("-f", self.words(b"\xfe\xff"), ".")
        self.same_both("-f", self.words(every[128:200]), ".")
        self.same_both("-f", self.words(b"fo\0o"), ".")  # a word with a NUL matches nowhere
        self.same_both("-f", self.words(b"\0"), ".")
        self.same_both("-f", self.words(b"\0foo", b"\x80\x81"), ".")

    def test_short_words_and_beginnings(self):
        write(self.at("letters"), b"a\nb\nc\nab\nabc\nabcd\nzb\nd")
        write(self.at("last"), b"xxxxa")
        write(self.at("first"), b"axxxx")
        for lines in ([b"a"], [b"a", b"b"], [b"ab", b"a", b"abc"], [b"abc", b"abcd", b"bc"], [b"d", b"zb"],
                      [b"a", b"a", b"a"], [bytes([i]) for i in range(1, 256) if i != 10]):
            self.same_both("-f", self.words(*lines), ".")

    def test_many_words_that_begin_alike(self):
        chance = random.Random(11)
        everything = [b"wo%04d%s" % (n, b"x" * (n % 5)) for n in range(3000)]
        words = chance.sample(everything, 1000)
        for number in range(40):
            lines = chance.sample(everything, 100) + [word[:-1] for word in chance.sample(words, 10)]
            write(self.at(str(number)), b"\n".join(b"-" * chance.randrange(3) + line for line in lines))
        for number in range(100):
            write(self.at(f"one {number}"), everything[number])
        self.same_both("-f", self.words(*words), ".")
        self.same_both("-f", self.words(*sorted(words)[:2]), ".")
        self.same_both("-f", self.words(*everything), ".")

    def test_ten_thousand_words(self):
        chance = random.Random(12)
        words = [b"%s%05d" % (chance.randbytes(3).hex().encode(), n) for n in range(10000)]
        for number in range(5):
            lines = [b"- %s -" % (word if chance.randrange(2) else word[:-1]) for word in chance.sample(words, 2000)]
            write(self.at(str(number)), b"\n".join(lines))
        self.same_both("-f", self.words(*words), ".")
        self.same_both("-w", "-f", self.words(*words), ".")

    def test_nothing_left_over(self):
        """A block does not search bytes of a file that it read before."""
        for size in (100, CHUNK - 3, CHUNK, CHUNK + 50, 3 * CHUNK):
            whole = b"-" * (size - 6) + b"needle"
            paths = [write(self.at(f"{size} {cut}"), whole[:size - cut]) for cut in range(7)]
            for blocks in ("1", "2"):
                self.same_both("-e", "needle", "-e", "eedle-", *paths, extra=("--blocks", blocks))

    def test_chunk_borders(self):
        """A word at every place around the borders of the pieces that are read, in short lines and in long ones."""
        for word in (b"N", b"NE", b"NEEDLES"):
            for border in (CHUNK, 2 * CHUNK, 3 * CHUNK) if arguments.full else (CHUNK,):
                for offset in range(border - len(word) - 8, border + 9):
                    for name, filler in (("lines", b".......\n"), ("line", b"........")):
                        content = bytearray(filler * (border // 8 + 10))
                        content[offset:offset + len(word)] = word
                        write(self.at(f"{len(word)} at {offset} in {name}"), content)
        for count in range(-3, 4):  # files that end near a border
            write(self.at(f"ends {count}"), b"-" * (CHUNK - 7 + count) + b"NEEDLES")
            write(self.at(f"nearly ends {count}"), b"-" * (CHUNK - 6 + count) + b"NEEDLE")
        for word in (b"N", b"NE", b"NEEDLES") if arguments.full else (b"NE",):
            self.same_both("-f", self.words(word), ".")
        self.same_both("-f", self.words(b"NEEDLES", b"S..", b"\nN", b".S"), ".")

    def test_long_lines_and_words(self):
        write(self.at("one line"), (b"x" * 999 + b"needle") * 300)
        write(self.at("late"), b"y" * (5 * CHUNK) + b"needle" + b"y" * CHUNK + b"\nneedle\n")
        write(self.at("lines"), b"".join(b"needle" * n + b"\n" * (n % 3) for n in range(200)))
        write(self.at("a"), b"a" * 200000)
        long = bytes(random.Random(5).choices(b"abc", k=16 * 1024))
        for place in (0, 1, CHUNK - 16 * 1024, CHUNK - 5000, CHUNK, 3 * CHUNK + 77):
            write(self.at(f"long word at {place}"), b"b" * place + long + b"\nc" * 3000)
            write(self.at(f"nearly at {place}"), b"b" * place + long[:-1] + b"x" + long[1:])
        self.same_both("-f", self.words(b"needle"), ".")
        self.same_both("-f", self.words(b"aa", b"needle"), ".")
        self.same_both("-f", self.words(long[:3000], long), ".")
        if arguments.full:
            for words in ([b"a"], [long], [b"needle", long]):
                self.same_both("-f", self.words(*words), ".")

    def test_random(self):
        """Files of few different bytes, so that words and line ends lie everywhere."""
        chance = random.Random(7)
        for number in range(400 if arguments.full else 100):
            alphabet = chance.choice([b"ab\n", b"ab\0\n", b"abcdefgh\n\r\0\xff", b"ab"])
            size = chance.choice([0, 1, 5, 100, 5000, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 70000])
            write(self.at(str(number)), bytes(chance.choices(alphabet, k=size)))
        for _ in range(20 if arguments.full else 4):
            shortest = chance.choice([2, 4, 9, 12])
            words = [bytes(chance.choices(b"abcdefgh\r\xff", k=chance.randint(shortest, shortest + 6)))
                     for _ in range(chance.choice([1, 3, 30]))]
            words += [bytes(chance.choices(b"ab", k=chance.randint(shortest + 4, 20)))]
            self.same_both("-f", self.words(*words), ".")

    def test_whole_words(self):
        """-w, with words that begin with others, and words with other bytes than those of words."""
        chance = random.Random(8)
        for number in range(200 if arguments.full else 20):
            alphabet = chance.choice([b"ab \n", b"ab-\n", b"aB_ -\0\n", b"ab", b"a-"])
            size = chance.choice([0, 1, 5, 100, 5000, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK])
            write(self.at(str(number)), bytes(chance.choices(alphabet, k=size)))
        long = b"a" * 5000
        for place in (0, CHUNK - 5001, CHUNK - 5000, CHUNK - 4999, CHUNK - 1, CHUNK, CHUNK + 1):
            for ends in ((b" ", b" "), (b"b", b" "), (b" ", b"b"), (b"\n", b"\n"), (b"", b"")):
                write(self.at(f"long at {place}, {ends}"), b"-" * place + ends[0] + long + ends[1])
        more = [[b"ab"], [b"abab", b"abaab", b"aabb", b"-", b"--a"],
                [bytes(chance.choices(b"ab-", k=n)) for n in range(3, 12)]]
        few = [[b"a"], [b"aba", b"ab", b"a b", b"b-", b"-a-"], [long, b"bbb"]]
        for words in few + more if arguments.full else few:
            for mode in (["-l"], ["-c"], ["-c", "-i", "-v"]):
                if long in words and "-i" in mode and not arguments.full:
                    continue  # GNU grep takes seconds
                self.same("-w", *mode, "-f", self.words(*words), ".")
            for other in self.others:
                self.same("-w", "-c", "-f", self.words(*words), ".", extra=other)
        self.same("-w", "-f", self.words(), ".")


class Lines(Case):
    """The lines themselves, which GNU grep prints in order: those of a file are together here, and in order, too."""

    def by_file(self, output):
        files = {}
        last = None
        for line in output.split(b"\n")[:-1]:
            name, _, rest = line.partition(b":")
            if name != last:
                self.assertNotIn(name, files, "the lines of a file are not together")
                files[name] = []
            files[name].append(rest)
            last = name
        return files

    def lines(self, *options, extra=(), **how):
        theirs = self.theirs("-H", *options, **how)
        ours = self.ours("-H", *options, *extra, **how)
        self.assertEqual((ours.returncode, sorted(ours.stderr.split(b"\n"))),
                         (theirs.returncode, sorted(theirs.stderr.split(b"\n"))), (options, extra))
        wanted, seen = self.by_file(theirs.stdout), self.by_file(ours.stdout)
        for name in wanted | seen:
            if seen.get(name) != wanted.get(name):
                both = zip(seen.get(name, [None]), wanted.get(name, [None]))
                at = next((i for i, (a, b) in enumerate(both) if a != b), "the end")
                self.fail(f"grep {options} {extra}: {name}, line {at}: {len(seen.get(name, []))} lines, "
                          f"not {len(wanted.get(name, []))}")

    def lines_by_all(self, *options):
        for flags in ([], ["-n"], ["-v"], ["-i", "-n", "-v"], ["-w", "-n"]):
            if "-w" in flags and "" in options:
                continue
            self.lines(*flags, *options)
            if flags:
                self.lines(*flags, *options, extra=["--segment=33"])
        for by in ("--by=warp", "--by=mapped"):
            self.lines("-n", *options, extra=[by, "--segment=33"])
            self.same("-c", *options, extra=[by])

    def test_lines(self):
        write(self.at("empty"), b"")
        write(self.at("no newline at the end"), b"one\ntwo needle")
        write(self.at("whole file"), b"needle")
        write(self.at("empty lines"), b"\n\nneedle\n\n\n-needle-\n\nxneedle\n\n")
        write(self.at("many"), b"".join(b"%d %s\n" % (n, b"NEEDLE" if n % 7 == 3 else b"needle" if n % 5 == 0 else b"")
                                       for n in range(6000)))
        lines = 8000 if arguments.full else 2000  # each takes long on the CPU device
        write(self.at("all"), b"a needle\n".rjust(72000 // lines, b".") * lines)
        write(self.at("none"), b"nothing\n".rjust(64000 // lines, b".") * lines)
        write(self.at("late"), (b"x\n" * 25 if arguments.full else b"x" * 49 + b"\n") * 2000 + b"needle\n")
        self.lines_by_all("-e", "needle", ".")
        if arguments.full:
            self.lines_by_all("-e", "", ".")
        else:
            self.lines("-n", "-e", "", ".")
        self.lines("-n", "-e", "needle", ".", extra=["--blocks=1", "--threads=1"])
        for options in (["many"], ["-h", "many", "all"], ["-H", "many"], ["-c", "-H", "many"],
                        ["-c", "-h", "many", "all"], ["-n", "many"]):
            self.same("-e", "needle", *options)

    def test_long_lines(self):
        more = (CHUNK - 8, CHUNK - 1, CHUNK + 1) if arguments.full else ()
        for size in (CHUNK - 7, CHUNK - 6, CHUNK, 3 * CHUNK + 5, *more):
            long = b"." * size
            write(self.at(f"{size} begins"), b"a\nneedle" + long + b"\nb needle\n" + long + b"\nc\n")
            write(self.at(f"{size} ends"), long + b"\n" + long + b"needle\n" + long + b"needle")
            write(self.at(f"{size} alone"), long)
        write(self.at("large"), (b"." * 90000 + b"needle\n" + b"short\n") * 3 + b"needle\n" + b"." * 200000)
        self.lines_by_all("-e", "needle", ".")

    def test_random_lines(self):
        chance = random.Random(9)
        for number in range(150 if arguments.full else 12):
            alphabet = chance.choice([b"ab\n", b"abcdefgh\n\r\xff", b"ab -\n", b"a\n\n\n", b"aB"])
            larger = [2 * CHUNK, 70000] if arguments.full else []
            size = chance.choice([0, 1, 5, 100, 5000, CHUNK - 1, CHUNK, CHUNK + 1, *larger])
            content = bytes(chance.choices(alphabet, k=size))
            if chance.random() < 0.1:
                content = content[:1000] + b"\0" + content[1000:]
            write(self.at(str(number)), content)
        for _ in range(8 if arguments.full else 1):
            words = [bytes(chance.choices(b"abcdefgh", k=chance.randint(1, 8)))
                     for _ in range(chance.choice([1, 3, 9]))]
            self.lines_by_all("-f", self.words(*words), ".")

    def test_binary(self):
        write(self.at("begins"), b"\0needle\nneedle\n")
        write(self.at("behind"), b"needle\nneedle\0\n")
        write(self.at("far behind"), b"needle\n" + b"x\n" * 40000 + b"\0\n")
        write(self.at("without"), b"\0nothing\n")
        hole = write(self.at("hole"), b"needle\n")
        os.truncate(hole, 200000)
        for flags in ([], ["-n"], ["-c"], ["-l"], ["-v"]):
            self.same(*flags, "-e", "needle", ".")
            self.same(*flags, "-e", "needle", ".", extra=["--segment=33"])

    def test_streams(self):
        """From a pipe, also lines that are longer than the buffer."""
        content = (b"needle one\n" + b"." * 100000 + b"needle\n" + b"," * 70000 + b"\nother\n" + b"needle" +
                   b"-" * (2 * CHUNK) + b"\n" + b"x\n" * 50000 + b"needle")
        for flags in ([], ["-n"], ["-v"], ["-n", "-v"]):
            wanted = self.theirs(*flags, "-e", "needle", "/dev/stdin", stdin=None, input=content)
            seen = self.ours(*flags, "-e", "needle", "/dev/stdin", stdin=None, input=content)
            self.assertTrue(seen.stdout == wanted.stdout, flags)
            self.assertEqual((seen.stderr, seen.returncode), (b"", 0))


class Names(Case):
    """Which files are found or left out, and under which names."""

    def test_names(self):
        for name in (b" ", b" leading", b"trailing ", b"two\nlines", b"\xff\xfe no UTF-8", b"tab\t", b"-l", b"*",
                     b"'\"\\", "ünïcödé".encode(), b"...", b".hidden", b"x" * 255, b"\x01"):
            directory = os.path.join(self.top.encode(), name[:250] + b".dir")
            os.mkdir(directory)
            write(os.path.join(self.top.encode(), name), b"needle\n")
            write(os.path.join(directory, name), b"needle\n")
        for path in (".", "./", "../tree", self.top, self.top + "/", self.top + "//", self.top + "///", "./.", ".//./"):
            self.same("-c", "-e", "needle", path)
        self.same("-e", "needle", ".")

    def test_paths_given(self):
        os.mkdir(self.at("dir"))
        write(self.at("dir", "file"), b"needle\n")
        write(self.at("file"), b"needle\n")
        write(self.at("other"), b"nothing\n")
        for paths in (["file"], ["dir"], ["file", "dir"], ["dir", "file", "file", "dir"], ["dir/file"], ["dir//file"],
                      ["file/"], ["missing"], ["missing", "file"], ["missing/x", "dir/"], [""], ["/dev/null"],
                      ["/dev/null", "file"], ["other"], ["other", "dir"], ["x" * 5000, "file"], ["x" * 256]):
            self.same_both("-e", "needle", *paths)

    def test_links(self):
        os.mkdir(self.at("dir"))
        write(self.at("dir", "file"), b"needle\n")
        os.symlink("dir", self.at("to dir"))
        os.symlink("dir/file", self.at("to file"))
        os.symlink("nowhere", self.at("dangling"))
        os.symlink("..", self.at("dir", "up"))
        os.symlink("itself", self.at("itself"))
        os.link(self.at("dir", "file"), self.at("second name"))
        self.same_both("-e", "needle", ".")
        self.same_both("-e", "needle", "to dir", "to file", "dangling", "dir/up", "itself", "to dir/", "to file/")

    def test_no_regular_files(self):
        """FIFOs and sockets in a directory are skipped, and the search does not hang."""
        os.mkfifo(self.at("fifo"))
        server = socket.socket(socket.AF_UNIX)
        self.addCleanup(server.close)
        here = os.getcwd()
        os.chdir(self.top)
        server.bind("socket")
        os.chdir(here)
        write(self.at("file"), b"needle\n")
        self.same_both("-e", "needle", ".", timeout=60)
        self.same("-e", "needle", "socket", "file", timeout=60)

    def test_unreadable(self):
        os.mkdir(self.at("dir"))
        for name in ("readable", "secret", "dir/secret"):
            write(self.at(name), b"needle\n")
        os.mkdir(self.at("locked"))
        write(self.at("locked", "file"), b"needle\n")
        os.mkdir(self.at("list only"))
        write(self.at("list only", "file"), b"needle\n")
        for name, mode in (("secret", 0), ("dir/secret", 0o200), ("locked", 0o311), ("list only", 0o444)):
            os.chmod(self.at(name), mode)
        result = self.same_both("-e", "needle", ".", **as_user())
        self.assertEqual(result.code, 2)
        self.assertEqual(len(result.messages), 5)
        self.same_both("-e", "needle", "locked/file", "locked", "readable", **as_user())
        self.same_both("-e", "nowhere", ".", **as_user())

    def test_many_files(self):
        os.mkdir(self.at("many"))
        contents = [write(self.at(f"content {n}"), b"nothing\n" * n + b"needle\n" * (n % 3)) for n in range(7)]
        for number in range(5000 if arguments.full else 2000):
            os.link(contents[number % 7], self.at("many", str(number)))
        self.same_both("-e", "needle", "many")

    def test_deep_directories(self):
        path = self.top
        for level in range(180):
            path = os.path.join(path, f"level {level}")
            os.mkdir(path)
            write(os.path.join(path, "file"), b"needle\n")
        self.same_both("-e", "needle", ".")

    def test_too_deep(self):
        """Linux takes paths of at most 4,095 bytes. A longer one is reported, and everything else is found."""
        directory = os.open(self.top, os.O_RDONLY)
        for level in range(20):
            file = os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=directory)
            os.write(file, b"needle\n")
            os.close(file)
            os.mkdir("d" * 250, dir_fd=directory)
            below = os.open("d" * 250, os.O_RDONLY, dir_fd=directory)
            os.close(directory)
            directory = below
        os.close(directory)
        seen = Outcome(self.ours("-e", "needle", "."))
        expected = [name for name in Outcome(self.theirs("-e", "needle", ".")).names if len(name) <= 4095]
        self.assertEqual(seen.names, expected)
        self.assertEqual(len(seen.messages), 2, seen.messages)
        self.assertRegex(seen.messages[1], rb"^grep: \./d.*: File name too long$")
        self.assertEqual(seen.code, 2)

    def test_sizes_not_told(self):
        """Files for which Linux reports the size 0 or a too large one."""
        told = ["/proc/filesystems", "/proc/version", "/proc/mounts", "/proc/crypto", "/proc/kallsyms",
                "/sys/kernel/notes", "/sys/kernel/mm/transparent_hugepage/enabled"]
        self.same_both("-e", "e", "-e", " t ", *filter(os.path.exists, told))


class Holes(Case):
    def sparse(self, name, size, pieces):
        with open(self.at(name), "wb") as file:
            for offset, content in pieces:
                file.seek(offset)
                file.write(content)
            file.truncate(size)
        if os.stat(self.at(name)).st_blocks * 512 > size // 2:
            self.skipTest("this file system makes no holes")

    def test_holes(self):
        mega = 1 << 20
        self.sparse("nothing", 16 * mega, [])
        self.sparse("at the end", 16 * mega + 6, [(16 * mega, b"needle")])
        self.sparse("at the beginning", 16 * mega, [(0, b"needle\nx")])
        self.sparse("between", 16 * mega, [(4 * mega, b"needle\n" * 3), (9 * mega + 5, b"needle"),
                                           (12 * mega - 3, b"needle")])
        self.sparse("long line", 16 * mega, [(4 * mega, b"x" * 100000 + b"needle" + b"x" * 100000)])
        self.sparse("no newline before", 16 * mega, [(0, b"needle" + b"x" * 4090), (8 * mega - 6, b"needle")])
        self.sparse("cut", 16 * mega, [(4 * mega - 3, b"needle"), (8 * mega - 6, b"needle" * 2)])
        self.sparse("parted by a hole", 16 * mega, [(4 * mega - 3, b"nee"), (8 * mega, b"dle")])
        for lines in ([b"needle"], [b"n"], [b"xxxx", b"e"], [b"needle", b"eedl"]):
            self.same_both("-f", self.words(*lines), ".")
        self.same_both("-e", "", ".")

    def test_five_gigabytes(self):
        giga = 1 << 30
        free = shutil.disk_usage(self.top).free
        if free < 64 << 20:
            self.skipTest("too little room")
        try:
            self.sparse("5 GB", 5 * giga, [(5 * giga - 6, b"needle")])
        except OSError as error:
            self.skipTest(f"no file of this size here: {error}")
        self.sparse("5 GB in pieces", 5 * giga, [(n * giga + 12345, b"needle\n") for n in range(5)])
        began = time.monotonic()
        self.same_both("-e", "needle", ".", timeout=120)
        self.assertLess(time.monotonic() - began, 60, "holes are read")


class Changing(Case):
    """Files that change meanwhile."""

    def test_growing(self):
        path = self.at("growing")
        block = b"a line with a needle in it\n" + b"x" * 70 + b"\n"
        write(path, block * 1000)
        write(self.at("at rest"), block * 3)
        stop = threading.Event()

        def grow():
            with open(path, "ab", buffering=0) as file:
                while not stop.is_set() and os.fstat(file.fileno()).st_size < 64 << 20:
                    file.write(block * 50)
                    time.sleep(0.0005)

        writer = threading.Thread(target=grow)
        writer.start()
        try:
            for _ in range(3):
                before = os.stat(path).st_size // len(block)
                result = self.ours("-c", "-e", "needle", ".")
                after = os.stat(path).st_size // len(block)
                counts = dict(line.rsplit(b":", 1) for line in result.stdout.splitlines())
                self.assertEqual(int(counts[b"./at rest"]), 3)
                self.assertLessEqual(before, int(counts[b"./growing"]))
                self.assertLessEqual(int(counts[b"./growing"]), after)
                self.assertEqual((result.returncode, result.stderr), (0, b""))
        finally:
            stop.set()
            writer.join()

    def test_shrinking(self):
        """Cut while a search waits for the reader of its output. What was read before counts."""
        line = b"a line with a needle in it\n"
        for size in (2 << 20, 20 << 20):  # one that a team reads, and one in segments
            for command in (self.command(), self.command("--by=warp"), ["grep", "-F"]):
                path = write(self.at("file"), line * (size // len(line)))
                process = processes.start(self, [*command, "-e", "needle", path], stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE, bufsize=0)
                printed = processes.first_output(self, process)
                time.sleep(0.2)  # until the pipe is full
                os.truncate(path, 1000)
                rest, message = process.communicate(timeout=60)
                with self.subTest(command=command, size=size):
                    self.assertEqual((process.returncode, message), (0, b""))
                    *whole, last = (printed + rest).splitlines(keepends=True)
                    self.assertEqual(set(whole), {line})
                    self.assertTrue(line.startswith(last[:-1]), last)  # a part of a line, up to the new end
                    self.assertLess(len(whole), size // len(line) - 1)

    def test_ctrl_c(self):
        """While it waits, and while it searches."""
        fifo = self.at("fifo")
        os.mkfifo(fifo)
        ours = [self.command("-c", "-e", "needle", by)
                for by in ("--by=block", "--by=warp", "--by=thread", "--by=mapped", "--by=openmp")
                if by != "--by=openmp" or not arguments.no_openmp]
        for command in (*ours, ["grep", "-c", "needle"]):
            processes.interrupt_reader(self, [*command, fifo], fifo)
        for command in ours:
            process = processes.start(self, [*command, "/dev/zero"])
            processes.wait_until_open(self, process, "/dev/zero")
            processes.interrupt(self, process)

    def test_vanishing(self):
        """Files appear and vanish meanwhile: those that stay are found, and the others give a message at worst."""
        for number in range(200):
            write(self.at(f"stays {number}"), b"needle\n")
        stop = threading.Event()

        def change():
            while not stop.is_set():
                for number in range(50):
                    write(self.at(f"goes {number}"), b"needle\n" * number)
                for number in range(50):
                    os.unlink(self.at(f"goes {number}"))

        writer = threading.Thread(target=change)
        writer.start()
        try:
            result = self.ours("-l", "-e", "needle", ".")
        finally:
            stop.set()
            writer.join()
        names = result.stdout.splitlines()
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(sum(name.startswith(b"./stays") for name in names), 200)
        for message in result.stderr.splitlines():
            self.assertRegex(message, rb"^grep: \./goes \d+: No such file or directory$")
        self.assertEqual(result.returncode, 2 if result.stderr else 0)

    def test_streams(self):
        """A file on the command line that is not regular is read to its end, in pieces of any size."""
        content = b"".join(b"line %d%s" % (n, b"\n" if n % 3 else b" needle\n") for n in range(20000)) + b"needle"
        expected = sum(b"needle" in line for line in content.split(b"\n"))
        os.mkfifo(self.at("fifo"))
        sizes = random.Random(3)

        def feed():
            with open(self.at("fifo"), "wb", buffering=0) as fifo:
                at = fifo.write(content[:10])
                time.sleep(0.3)  # so that the first read gets no more than this
                while at < len(content):
                    at += fifo.write(content[at:at + sizes.choice([1, 10, 5000, 60000])])

        feeder = threading.Thread(target=feed)
        feeder.start()
        result = self.ours("-c", "-e", "needle", "fifo", timeout=60)
        feeder.join()
        self.assertEqual((result.stdout, result.stderr, result.returncode), (b"%d\n" % expected, b"", 0))

    def test_standard_input(self):
        lines = b"needle\n" * 5000
        for mode, out in (("-c", b"5000\n"), ("-l", b"/dev/stdin\n")):
            result = self.ours(mode, "-e", "needle", "/dev/stdin", stdin=None, input=lines, timeout=60)
            self.assertEqual((result.stdout, result.returncode), (out, 0))

    def test_own_output(self):
        """What grep prints is not searched."""
        write(self.at("file"), b"needle\n" * 1000)
        outputs = []
        for program in (self.command("-e", "needle", "."), ["grep", "-r", "-F", "-e", "needle", "."]):
            with open(self.at("out"), "wb") as out:
                done = subprocess.run(program, cwd=self.top, stdin=subprocess.DEVNULL, stdout=out,
                                      stderr=subprocess.PIPE, timeout=60, check=False)
            with open(self.at("out"), "rb") as out:
                outputs.append((out.read(), done.returncode, done.stderr))
        self.assertEqual(outputs[0], outputs[1])

    def test_printed_when_found(self):
        """The first name is printed while the kernel still waits for the second file."""
        os.mkfifo(self.at("fifo"))
        write(self.at("file"), b"needle\n")
        command = self.command("-l", "-e", "needle", "file", "fifo")
        with subprocess.Popen(command, cwd=self.top, stdout=subprocess.PIPE) as process:
            watchdog = threading.Timer(60, process.kill)
            watchdog.start()
            self.assertEqual(process.stdout.readline(), b"file\n")
            time.sleep(0.2)
            self.assertIsNone(process.poll())
            with open(self.at("fifo"), "wb") as fifo:
                fifo.write(b"needle\n")
            self.assertEqual(process.stdout.read(), b"fifo\n")
            self.assertEqual(process.wait(), 0)
            watchdog.cancel()


class CommandLine(Case):
    def test_progress(self):
        """Shown on a terminal while the search waits, and erased at the end."""
        os.mkfifo(self.at("fifo"))
        for words, is_shown in ([], True), (["--no-progress"], False):
            ours, terminal = pty.openpty()
            command = self.command("-c", "-e", "needle", "fifo", *words)
            with subprocess.Popen(command, cwd=self.top, stdout=subprocess.PIPE, stderr=terminal) as process:
                os.close(terminal)
                watchdog = threading.Timer(60, process.kill)
                watchdog.start()
                with open(self.at("fifo"), "wb") as fifo:
                    fifo.write(b"needle\n")
                    fifo.flush()
                    time.sleep(1)
                self.assertEqual((process.stdout.read(), process.wait()), (b"1\n", 0))
                watchdog.cancel()
            shown = b""
            try:
                while more := os.read(ours, 4096):
                    shown += more
            except OSError:  # EIO: the other end is closed
                pass
            os.close(ours)
            self.assertEqual(b"1 opened" in shown, is_shown, shown)
            self.assertEqual(shown.endswith(b"\r\x1b[K"), is_shown)

    def wrong(self, *options):
        result = self.ours(*options)
        self.assertEqual((result.returncode, result.stdout), (2, b""), options)
        self.assertIn(b"Usage: grep -F", result.stderr)

    def test_usage(self):
        self.wrong("-x", "-e", "a", ".")
        self.wrong("--unknown", "-e", "a", ".")
        self.wrong("-l", "-c", "-e", "a", ".")
        self.wrong("-e", "a")
        self.wrong(".")
        self.wrong("-e")
        self.wrong("-e", "a", "-")
        self.wrong("--device", "tpu", "-e", "a", ".")
        self.wrong("--by", "grid", "-e", "a", ".")
        self.wrong("--by", "thread", "-e", "a", ".")  # it prints no lines
        for value in ("0", "-1", "1025", "x", "", "1x", "99999999999999999999"):
            self.wrong("--threads", value, "-e", "a", ".")
        result = subprocess.run([binary, "-e", "a", "."], capture_output=True, timeout=60)
        self.assertEqual(result.returncode, 2)

    def test_help(self):
        result = subprocess.run([binary, "--help"], capture_output=True, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        for option in ("-F", "-l", "-c", "-f", "-e", "--stats", "--device", "--blocks", "--threads", "--pool"):
            self.assertIn(option.encode(), result.stdout)

    def test_word_files(self):
        write(self.at("file"), b"needle\n")
        for name, why in (("missing", b"No such file or directory"), (".", b"Is a directory")):
            result = self.ours("-f", name, "file")
            self.assertEqual((result.returncode, result.stdout), (2, b""))
            self.assertEqual(result.stderr, b"grep: %s: %s\n" % (name.encode(), why))
        self.same("-f", self.words(b"needle"), "-e", "other", "file")
        result = self.ours("-f", "-", "file", stdin=None, input=b"needle\n")
        self.assertEqual((result.returncode, result.stdout), (0, b"needle\n"))
        result = self.ours("-f", self.words(b"x" * 20000), "file")
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertIn(b"20000 bytes", result.stderr)

    def test_statistics(self):
        os.mkdir(self.at("dir"))
        for number in range(10):
            write(self.at("dir", str(number)), b"needle\n" * 10000)
        result = self.ours("-c", "--stats", "-e", "needle", ".")
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, lines)
        self.assertRegex(lines[0], rb"^grep: device (cpu|cuda), .*"
                                   rb"bytes 700000, time [\d.]+ s, CPU user [\d.]+ s, Linux [\d.]+ s$")
        calls = {name: int(count) for name, count in re.findall(rb"([a-z]+[a-z_0-9]*) (\d+),", lines[0])}
        self.assertEqual([calls[name] for name in (b"openat", b"fstat", b"close", b"write")], [12, 12, 12, 10])
        self.assertEqual(calls[b"getdents64"], 4)
        self.assertGreaterEqual(calls[b"pread64"], 30)

    def test_sizes_of_the_grid(self):
        os.mkdir(self.at("dir"))
        for number in range(60 if arguments.full else 25):
            write(self.at("dir", str(number)), b"no\n" * 20000 + b"needle\n" * number + b"x" * (number * 1000))
        more = [(1, 32), (64, 1), (40, 8)] if arguments.full else []
        for blocks, threads in [(1, 1), (3, 33), (2, 256), *more]:
            self.same_both("-e", "needle", "-e", "xx", ".", extra=("--blocks", str(blocks), "--threads", str(threads)))

    def test_too_many_files(self):
        content = write(self.at("content"), b"needle\n")
        for number in range(5000):
            os.link(content, self.at(f"{number:0240}"))
        result = self.ours("--pool", "1", "-e", "needle", ".")
        self.assertEqual((result.returncode, result.stderr), (2, b"grep: too many files: raise --pool\n"))
        self.same("-e", "needle", ".", extra=("--pool", "2"))

    def test_output_fails(self):
        for number in range(100):
            write(self.at(str(number)), b"needle\n")
        with open("/dev/full", "wb") as full:
            result = subprocess.run(self.command("-e", "needle", "."), stdout=full, stderr=subprocess.PIPE,
                                    cwd=self.top, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (2, b"grep: write error: No space left on device\n"))
        with subprocess.Popen(self.command("-e", "needle", "."), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              cwd=self.top) as process:  # the reader of the pipe has ended
            process.stdout.close()
            process.stdout = None
            message = process.communicate(timeout=60)[1]
        self.assertEqual((process.returncode, message), (-13, b""))


class Tree(Case):
    """A real tree, and words that occur in it."""

    def words_of(self, tree, count):
        found = set()
        chance = random.Random(count)
        files = []
        for directory, _, names in os.walk(tree):
            files += [os.path.join(directory, name) for name in names]
            if len(files) > 3000:
                break
        for path in chance.sample(sorted(files), min(len(files), 300)):
            if stat.S_ISREG(os.lstat(path).st_mode) and os.access(path, os.R_OK):
                with open(path, "rb") as file:
                    found.update(re.findall(rb"[A-Za-z_]{7,30}", file.read(100000)))
        found = sorted(found)
        return self.words(*chance.sample(found, min(count, len(found))))

    def check(self, tree, count, *modes):
        words = self.words_of(tree, count)
        for mode in modes:
            self.same(mode, "-f", words, tree, timeout=600)

    def test_words_in_a_tree(self):
        tree = arguments.tree
        if not arguments.full:
            tree = next((path for path in ("/usr/include/linux", "/usr/include") if os.path.isdir(path)), tree)
        self.check(tree, 1, "-l")
        self.check(tree, 64, "-l", "-c")
        self.check(tree, 1000, "-l", "-c")

    def test_words_in_the_whole_tree(self):
        if not arguments.full:
            self.skipTest("only with --full")
        for count in (1, 64, 1000):
            self.check(arguments.tree, count, "-l", "-c")
        self.same_both("-e", "", arguments.tree)


def main():
    global arguments, binary
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grep", required=True, metavar="BINARY", help="samples/grep as built")
    parser.add_argument("--device", choices=["cpu", "cuda"], help="where it shall run (default: where it likes)")
    real = "/usr/include" if os.path.isdir("/usr/include") else sysconfig.get_path("stdlib")
    parser.add_argument("--tree", default=real,
                        help="a real tree to search (default: %(default)s)")
    parser.add_argument("--full", action="store_true", help="everything; takes minutes")
    parser.add_argument("--no-openmp", action="store_true",
                        help="for ThreadSanitizer, which does not know how libgomp synchronises threads")
    parser.add_argument("-k", metavar="PATTERN", action="append", help="only tests with this in their name")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="grep_test.") as place:
        os.chmod(place, 0o755)
        binary = shutil.copy(arguments.grep, os.path.join(place, "grep"))  # any user may run it there
        os.chmod(binary, 0o755)
        loader = unittest.TestLoader()
        loader.testNamePatterns = [f"*{pattern}*" for pattern in arguments.k] if arguments.k else None
        result = unittest.TextTestRunner(verbosity=2).run(loader.loadTestsFromModule(sys.modules[__name__]))
    failed = len(result.failures) + len(result.errors)
    if result.skipped:
        print(f"{len(result.skipped)} skipped: " + "; ".join(sorted({why for _, why in result.skipped})))
    sys.stderr.flush()
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
